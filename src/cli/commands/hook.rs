//! `repoidx hook`.

use std::io;

use clap::Args;

use crate::{
    cli::{commands::pre_push, embedding},
    hooks,
};

/// Do the work of a git hook; the installed hooks call this
///
/// Returns at once and works in the background; with `REPOIDX_FOREGROUND=1` it does its work before it returns. Never
/// fails and never prints.
#[derive(Debug, Args)]
pub(crate) struct HookArgs {
    /// The hook's name, as git calls it
    event: String,
    /// The arguments that git gives the hook
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

/// Returns the exit status for git.
pub(crate) fn run(args: &HookArgs) -> u8 {
    let code = hooks::run::run(&args.event, &args.args, &mut io::stdin(), &pre_push::review_push);
    if [hooks::run::WORKER, embedding::EVENT].contains(&args.event.as_str()) {
        embedding::fill_in_background();
    }
    code
}
