//! `repoidx completions`.

use clap::Args;
use clap_complete::{Shell, generate};

use crate::{cli::description, error::Failure, render::to_stdout};

/// Print the completions for a shell
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    generate(args.shell, &mut description(), "repoidx", &mut script);
    Ok(to_stdout(|out| out.write_all(&script))?)
}
