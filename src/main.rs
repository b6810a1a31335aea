//! The process: arguments in, exit code out. It owns the allocator.

use std::{
    ffi::{c_int, c_long},
    panic::catch_unwind,
    process::ExitCode,
};

use repoidx::cli;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Exit code after a panic, which has printed its message. The index stays valid, because updates are transactions.
const PANICKED: u8 = 3;

/// `mi_option_abandoned_page_purge` and `mi_option_purge_delay` (milliseconds) of mimalloc's second version.
const ABANDONED_PAGE_PURGE: c_int = 12;
const PURGE_DELAY: c_int = 15;

fn main() -> ExitCode {
    catch_unwind(|| cli::run(give_memory_back)).unwrap_or_else(|_| ExitCode::from(PANICKED))
}

/// From now on freed memory goes back to the system at once. A server waits most of the time; by default the memory of
/// its largest answers stays with threads that are idle or gone.
fn give_memory_back() {
    #[expect(unsafe_code, reason = "the allocator is set by a C function")]
    unsafe extern "C" {
        // SAFETY: this is its declaration in mimalloc.h. It takes any numbers, and may be called by any thread.
        safe fn mi_option_set(option: c_int, value: c_long);
    }
    mi_option_set(ABANDONED_PAGE_PURGE, 1);
    mi_option_set(PURGE_DELAY, 0);
}
