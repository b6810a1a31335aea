//! The process: arguments in, exit code out.

use std::{panic::catch_unwind, process::ExitCode};

use repoidx::cli;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Exit code after a panic, which has printed its message. The index stays valid, because updates are transactions.
const PANICKED: u8 = 3;

fn main() -> ExitCode {
    catch_unwind(cli::run).unwrap_or_else(|_| ExitCode::from(PANICKED))
}
