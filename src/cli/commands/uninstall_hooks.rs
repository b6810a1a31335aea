//! `repoidx uninstall-hooks`.

use clap::Args;

use crate::{
    cli::{Global, commands::install_hooks::tell, notes::Notes, session::repository},
    error::Failure,
    hooks::uninstall::plan,
};

/// Remove the git hooks and restore those of other tools
#[derive(Debug, Args)]
pub(crate) struct UninstallHooksArgs {
    /// Show the changes, and make none
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &UninstallHooksArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let repo = repository(global)?;
    let plan = plan(&repo)?;
    if plan.changes.is_empty() {
        notes.summary("no hook of repoidx is installed");
        return Ok(());
    }
    if !args.dry_run {
        plan.apply(&repo)?;
    }
    tell(&plan, args.dry_run, notes)
}
