//! The process: arguments in, exit code out. It owns the allocator.

use std::{panic::catch_unwind, process::ExitCode};

use repoidx::{cli, tools::opening::memory};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Exit code after a panic, which has printed its message. The index stays valid, because updates are transactions.
const PANICKED: u8 = 3;

fn main() -> ExitCode {
    memory::set_collector(collect);
    catch_unwind(cli::run).unwrap_or_else(|_| ExitCode::from(PANICKED))
}

/// Gives the memory that this thread has freed back to the system.
fn collect() {
    #[expect(unsafe_code, reason = "the allocator is told by a C function")]
    unsafe extern "C" {
        // SAFETY: this is its declaration in mimalloc.h. Any thread may call it.
        safe fn mi_collect(force: bool);
    }
    mi_collect(true);
}
