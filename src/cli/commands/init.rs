//! `repoidx init`.

use std::{
    fs,
    io::{self, BufRead, IsTerminal, Write},
    path::Path,
};

use clap::Args;

use crate::{
    cli::{
        Global,
        commands::install_hooks::{lasting_program, tell},
        notes::Notes,
        session::{configuration, index_path, repository, screen, update},
    },
    error::Failure,
    git::Repository,
    hooks::{
        install::{self, InstallOptions},
        state::{Installed, states},
        uninstall,
    },
    index::{self, edition},
    query::{map::most_used::most_used, words::count},
    render::{escape::visible_path, status::start::examples, to_stdout},
};

/// Set repoidx up in this repository, or take it out again
///
/// Builds the index, and offers git hooks: it asks on a terminal, and elsewhere only the flags decide. At the end it
/// prints three commands to try here. Nothing outside of the git directory is written.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Install the hooks that keep the index fresh, without asking
    #[arg(long, overrides_with = "no_hooks")]
    hooks: bool,
    /// Install no hooks, without asking
    #[arg(long)]
    no_hooks: bool,
    /// Install the hook that reviews a push too, without asking
    #[arg(long, conflicts_with = "no_hooks")]
    pre_push: bool,
    /// Answer every question with yes
    #[arg(short, long)]
    yes: bool,
    /// Remove the hooks and the index
    #[arg(long, conflicts_with_all = ["hooks", "no_hooks", "pre_push", "yes"])]
    undo: bool,
}

pub(crate) fn run(args: &InitArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let repo = repository(global)?;
    if args.undo {
        return undo(&repo, notes);
    }
    let config = configuration(Some(&repo), notes)?;
    let report = update(&repo, &config, false, None, notes)?;
    if report.files == 0 {
        return Err(Failure::unusable(
            "there is no Python file here to index".to_owned(),
            "`repoidx init` is for repositories with Python code; `repoidx status` lists what was left out",
        ));
    }
    let size = format!("{} with {}", count(report.files, "file"), count(report.entities, "definition"));
    notes.summary(&format!("indexed {size} in {:.1} s: {}", report.seconds, index_path(&repo)));
    if repo.root().is_some() {
        hooks(args, &repo, notes)?;
    }
    let store = index::open(&repo)?;
    let example = most_used(&store)?.map(|example| example.name);
    let screen = screen(global, &config, &repo);
    Ok(to_stdout(|out| examples(out, example.as_deref(), &screen))?)
}

/// Installs the hooks that the user wants. A hook that cannot be installed is no reason to fail: queries catch up by
/// themselves.
fn hooks(args: &InitArgs, repo: &Repository, notes: Notes) -> Result<(), Failure> {
    let has = |pre_push: bool| {
        let states = states(repo).unwrap_or_default();
        let is_there = |installed| matches!(installed, Installed::Yes | Installed::InConfiguration);
        states.iter().any(|state| is_there(state.installed) && (state.event.as_str() == "pre-push") == pre_push)
    };
    let wants_hooks = args.hooks || args.pre_push || args.yes;
    if args.no_hooks || (has(false) && has(true)) {
        return Ok(());
    }
    let is_wanted = wants_hooks
        || has(false)
        || asked("Install git hooks that keep the index fresh in the background?", notes).unwrap_or(false);
    if !is_wanted {
        notes.summary("no hooks: the first query after a change takes a little longer (`repoidx install-hooks`)");
        return Ok(());
    }
    let pre_push = args.pre_push
        || args.yes
        || (!args.hooks
            && !has(true)
            && asked("Review each push, too? It shows findings and stops nothing.", notes).unwrap_or(false));
    let installed = lasting_program().and_then(|binary| {
        let plan = install::plan(repo, &InstallOptions { binary, pre_push: pre_push || has(true), force: false })?;
        plan.apply(repo)?;
        tell(&plan, false, notes)
    });
    match installed {
        Ok(()) => Ok(()),
        // Flags are an order, a question is an offer.
        Err(failure) if wants_hooks => Err(failure),
        Err(failure) => {
            notes.warning(&format!("no hooks: {}", failure.message));
            if !failure.hint.is_empty() {
                notes.summary(&failure.hint);
            }
            Ok(())
        }
    }
}

/// The answer of a person at a terminal; `None` where there is nobody to ask.
fn asked(question: &str, notes: Notes) -> Option<bool> {
    if !notes.can_draw() || !io::stdin().is_terminal() {
        return None;
    }
    write!(io::stderr(), "{question} [Y/n] ").ok()?;
    let mut answer = String::new();
    // The end of the input is no consent.
    let read = io::stdin().lock().read_line(&mut answer).ok()?;
    Some(read > 0 && matches!(answer.trim().to_lowercase().as_str(), "" | "y" | "yes"))
}

/// Removes the hooks and every index. Conversations of `ask` and the record of `agents` stay.
fn undo(repo: &Repository, notes: Notes) -> Result<(), Failure> {
    let plan = uninstall::plan(repo)?;
    plan.apply(repo)?;
    tell(&plan, false, notes)?;
    let dir = repo.data_dir();
    let place = visible_path(&dir.display().to_string()).into_owned();
    let removed = edition::remove_all(repo)?;
    match (removed, plan.changes.is_empty()) {
        (false, true) => notes.summary("there is nothing of repoidx in this repository"),
        (false, false) => {}
        (true, _) if is_empty(&dir) => notes.summary(&format!("removed {place}")),
        (true, _) => notes.summary(&format!("removed the index; {place} still holds files of other commands")),
    }
    if is_empty(&dir) {
        fs::remove_dir(&dir).ok();
    }
    Ok(())
}

fn is_empty(dir: &Path) -> bool {
    fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none())
}
