//! `repoidx mcp`.

use std::{env, path::PathBuf, sync::Arc, time::Duration};

use clap::Args;

use crate::{
    cli::{Global, notes::Notes, session::configuration},
    error::Failure,
    git::Repository,
    mcp::{ServerOptions, serve},
};

/// Serve seven read-only tools to coding agents, by the Model Context Protocol on standard input and output
///
/// The tools are impact, review, refs, search, show, map and context. Each answer is a text within a budget of tokens,
/// about the working tree as it is. `repoidx agents print-config` shows how to add the server to an agent.
#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// Also answer with the whole report as data, for programs
    #[arg(long)]
    structured: bool,
    /// Seconds that a call waits for the index before it answers from what is there
    #[arg(long, value_name = "SECONDS", default_value = "20")]
    wait: u64,
}

#[expect(clippy::disallowed_methods, reason = "here the environment is read")]
pub(crate) fn run(args: &McpArgs, global: &Global) -> Result<(), Failure> {
    let path = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let options = ServerOptions {
        repo: global.repo.first().cloned().or_else(|| path("REPOIDX_REPO")),
        // Hosts of agents say so, since they start servers anywhere.
        project: path("CLAUDE_PROJECT_DIR"),
        folder: env::current_dir().ok(),
        home: path("HOME").or_else(|| path("USERPROFILE")),
        structured: args.structured,
        patience: Duration::from_secs(args.wait),
    };
    serve(options, Arc::new(|repo: &Repository| configuration(Some(repo), Notes::new(true))))
}
