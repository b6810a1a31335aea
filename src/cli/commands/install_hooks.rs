//! `repoidx install-hooks`.

use std::path::PathBuf;

use clap::Args;

use crate::{
    cli::{
        Global,
        notes::Notes,
        session::{configuration, repository, update},
    },
    error::Failure,
    git::{Repository, environment::is_executable},
    hooks::{
        HookError,
        install::{InstallOptions, plan},
        lasting::{self, HookProgram},
        plan::{Action, HookChange, HookPlan},
        seed::has_index,
    },
    query::words::count,
    render::{escape::visible, to_stdout},
};

/// Install git hooks that keep the index fresh
///
/// Hooks of other tools stay as they are, and files that git tracks are never written. A repository without an index
/// gets one.
#[derive(Debug, Args)]
pub(crate) struct InstallHooksArgs {
    /// Also install the hook that runs before a push
    #[arg(long)]
    pre_push: bool,
    /// Show the changes, and make none
    #[arg(long)]
    dry_run: bool,
    /// Let the hooks call PROGRAM [default: the repoidx that stays when environments and caches vanish]
    #[arg(long, value_name = "PROGRAM")]
    binary: Option<PathBuf>,
    /// Write to the repository's own hooks although git looks for them elsewhere
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &InstallHooksArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let repo = repository(global)?;
    let binary = args.binary.clone().map_or_else(lasting_program, callable)?;
    let options = InstallOptions { binary, pre_push: args.pre_push, force: args.force };
    let plan = plan(&repo, &options)?;
    if plan.changes.is_empty() {
        notes.summary("the hooks are installed already");
    } else {
        if !args.dry_run {
            plan.apply(&repo)?;
        }
        tell(&plan, args.dry_run, notes)?;
    }
    if args.dry_run { Ok(()) } else { first_index(&repo, notes) }
}

/// The program for hooks, if there is one that stays.
pub(crate) fn lasting_program() -> Result<PathBuf, Failure> {
    let HookProgram { path, fleeting } = lasting::program();
    match fleeting {
        None => Ok(path),
        Some(place) => Err(HookError::Fleeting { program: path, place: place.as_str() }.into()),
    }
}

/// The program that the user names, by its absolute path: a hook runs in another folder.
fn callable(path: PathBuf) -> Result<PathBuf, Failure> {
    let absolute = std::path::absolute(&path).unwrap_or(path);
    if is_executable(&absolute) {
        return Ok(absolute);
    }
    let message = format!("{} is no program", visible(&absolute.display().to_string()));
    Err(Failure::usage(message, "`--binary` takes the path of a repoidx that stays where it is"))
}

/// Builds a missing index. The hooks keep an index fresh, but never build the first one unasked.
fn first_index(repo: &Repository, notes: Notes) -> Result<(), Failure> {
    if has_index(repo) {
        return Ok(());
    }
    let config = configuration(Some(repo), notes)?;
    let report = update(repo, &config, false, None, notes)?;
    notes.summary(&format!("indexed {} in {:.1} s", count(report.files, "file"), report.seconds));
    Ok(())
}

/// Tells the changes; for a dry run, also the lines that come and go.
pub(crate) fn tell(plan: &HookPlan, is_dry: bool, notes: Notes) -> Result<(), Failure> {
    if !is_dry {
        for line in together(&plan.changes) {
            notes.summary(&visible(&line));
        }
        return Ok(());
    }
    to_stdout(|out| {
        for change in &plan.changes {
            writeln!(out, "would {}", visible(&change.describe()))?;
            for (sign, line) in change.difference() {
                writeln!(out, "  {sign} {}", visible(&line))?;
            }
        }
        Ok::<(), Failure>(())
    })
}

/// The changes in words. Files that come or go in one folder share a line.
fn together(changes: &[HookChange]) -> Vec<String> {
    let verb = |change: &HookChange| match change.action {
        Action::Create { .. } => Some("created"),
        Action::Delete { .. } => Some("deleted"),
        _ => None,
    };
    let is_like = |a: &HookChange, b: &HookChange| {
        verb(a).is_some() && verb(a) == verb(b) && a.place.parent() == b.place.parent()
    };
    let words = |group: &[HookChange]| match (verb(&group[0]), group[0].place.parent()) {
        (Some(verb), Some(folder)) => {
            let names: Vec<&str> = group.iter().map(|change| change.event.as_str()).collect();
            format!("{verb} {} in {}", names.join(", "), folder.display())
        }
        _ => group[0].describe(),
    };
    changes.chunk_by(is_like).map(words).collect()
}
