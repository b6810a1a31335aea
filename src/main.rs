//! The process: arguments in, exit code out.

use std::{panic::catch_unwind, process::ExitCode};

use repoidx::cli;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A panic has said on standard error what happened; the index is in order, because updates are transactions.
const PANICKED: u8 = 3;

fn main() -> ExitCode {
    catch_unwind(cli::run).unwrap_or_else(|_| ExitCode::from(PANICKED))
}
