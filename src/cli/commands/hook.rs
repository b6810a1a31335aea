//! `repoidx hook`.

use std::io;

use clap::Args;

use crate::{
    agents::push,
    cli::{commands::pre_push, embedding, notes::Notes, session::configuration},
    git::Repository,
    hooks,
    render::to_stdout,
};

/// Do the work of a git hook or of an agent's hook; the installed hooks call this
///
/// For git it returns at once and works in the background; with `REPOIDX_FOREGROUND=1` it does its work before it
/// returns. It never fails and never prints. `hook agent stop` and `hook agent edit` read an agent's event on standard
/// input, and answer only if calls no longer fit.
#[derive(Debug, Args)]
pub(crate) struct HookArgs {
    /// The hook's name, as git calls it; or `agent`, with the agent's event behind it
    event: String,
    /// The arguments that git gives the hook
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

/// The hook of an agent: `repoidx hook agent EVENT`.
const AGENT: &str = "agent";

/// Returns the exit status for git, or for an agent.
pub(crate) fn run(args: &HookArgs) -> u8 {
    if args.event == AGENT {
        of_agent(args);
        return 0;
    }
    let code = hooks::run::run(&args.event, &args.args, &mut io::stdin(), &pre_push::review_push);
    if [hooks::run::WORKER, embedding::EVENT].contains(&args.event.as_str()) {
        embedding::fill_in_background();
    }
    code
}

/// Prints what an agent should read, if anything.
#[expect(clippy::disallowed_methods, reason = "a hook is called by an agent: its folder is its input")]
fn of_agent(args: &HookArgs) {
    // An agent would show the message of a panic to its user.
    std::panic::set_hook(Box::new(|_| {}));
    let configure = Box::new(|repo: &Repository| configuration(Some(repo), Notes::new(true)));
    let moment = args.args.first().map_or("stop", String::as_str);
    if let Some(answer) = push::run(moment, &mut io::stdin(), std::env::current_dir().ok(), configure) {
        to_stdout(|out| writeln!(out, "{answer}")).ok();
    }
}
