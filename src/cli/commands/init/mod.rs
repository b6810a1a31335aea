//! `repoidx init`.
//!
//! Hooks, agents and CI are offers: a person at a terminal is asked, and elsewhere only the flags decide.

mod ci;

use std::{
    fs,
    io::{self, BufRead, IsTerminal, Write},
    path::Path,
};

use clap::Args;

use crate::{
    agents::setup::{self, Agent},
    cli::{
        Global,
        commands::{
            agents::{installed, taken_out},
            init::ci::{JobFile, Service},
            install_hooks::{lasting_program, tell},
        },
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
    render::{
        escape::visible_path,
        status::start::{Example, examples},
        to_stdout,
    },
};

/// Set repoidx up in this repository, or take it out again
///
/// Builds the index and offers git hooks, a set-up of the coding agents whose files are here, and a job that reviews
/// pull requests. It asks on a terminal; elsewhere only the flags decide. At the end it prints three commands to try
/// here. Agents and the job need files of the project; everything else lies in the git directory.
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
    /// Set these coding agents up, without asking
    #[arg(long, value_name = "AGENT", value_delimiter = ',')]
    agents: Vec<Agent>,
    /// Write the job that reviews pull requests (GitHub or GitLab), without asking
    #[arg(long)]
    ci: bool,
    /// Answer every question with yes
    #[arg(short, long)]
    yes: bool,
    /// Remove everything that `init` has put here: hooks, entries of agents, the job, the index
    #[arg(long, conflicts_with_all = ["hooks", "no_hooks", "pre_push", "agents", "ci", "yes"])]
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
        agents(args, &repo, notes)?;
        ci(args, &repo, notes)?;
    }
    let store = index::open(&repo)?;
    let has_commit = repo.head().ok().flatten().is_some();
    let example = most_used(&store)?.map(|example| Example { name: example.name, has_commit });
    let screen = screen(global, &config, &repo);
    Ok(to_stdout(|out| examples(out, example.as_ref(), &screen))?)
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

/// Sets up the agents that the user names, and on consent those whose files are here.
fn agents(args: &InitArgs, repo: &Repository, notes: Notes) -> Result<(), Failure> {
    installed(repo, &args.agents, notes)?;
    for agent in setup::at_home(repo).into_iter().filter(|agent| !args.agents.contains(agent)) {
        let question = format!("Give {}, whose files are here, the tools of repoidx?", agent.as_str());
        if !(args.yes || asked(&question, notes).unwrap_or(false)) {
            continue;
        }
        match installed(repo, &[agent], notes) {
            Err(failure) if !args.yes => notes.warning(&format!("{}: {}", agent.as_str(), failure.message)),
            done => done?,
        }
    }
    Ok(())
}

/// Writes the job that reviews pull requests, where the user wants it.
fn ci(args: &InitArgs, repo: &Repository, notes: Notes) -> Result<(), Failure> {
    let Some(root) = repo.root() else { return Ok(()) };
    let Some(service) = Service::of(repo) else {
        let hint = "docs/integrations.md has the commands for other services";
        let message = "neither files nor a remote of GitHub or GitLab are here".to_owned();
        return if args.ci { Err(Failure::usage(message, hint)) } else { Ok(()) };
    };
    let path = service.path();
    match service.state(root) {
        JobFile::Ours => return Ok(()),
        JobFile::Foreign if args.ci => {
            notes.warning(&format!("{path} is not the file that `init` writes; it stays as it is"));
            return Ok(());
        }
        JobFile::Foreign => return Ok(()),
        JobFile::Absent => {}
    }
    let question = format!("Have {} review each pull request? It writes {path}.", service.name());
    if args.ci || args.yes || asked(&question, notes).unwrap_or(false) {
        service.write(root).map_err(|error| {
            Failure::unusable(format!("writing {path}: {error}"), "everything else is set up already")
        })?;
        notes.summary(&format!("wrote {path}: {}", service.next_step()));
    }
    Ok(())
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

/// Takes out whatever `init` and the commands behind it have put here. Conversations of `ask` stay.
fn undo(repo: &Repository, notes: Notes) -> Result<(), Failure> {
    let plan = uninstall::plan(repo)?;
    plan.apply(repo)?;
    tell(&plan, false, notes)?;
    let had_agents = taken_out(repo, notes)?;
    let had_job = remove_jobs(repo, notes)?;
    let dir = repo.data_dir();
    let place = visible_path(&dir.display().to_string()).into_owned();
    match edition::remove_all(repo)? {
        false if plan.changes.is_empty() && !had_agents && !had_job => {
            notes.summary("there is nothing of repoidx in this repository");
        }
        false => {}
        true if is_empty(&dir) => notes.summary(&format!("removed {place}")),
        true => notes.summary(&format!("removed the index; {place} still holds files of other commands")),
    }
    if is_empty(&dir) {
        fs::remove_dir(&dir).ok();
    }
    Ok(())
}

/// Deletes the jobs that `init` wrote; tells whether there was one.
fn remove_jobs(repo: &Repository, notes: Notes) -> Result<bool, Failure> {
    let Some(root) = repo.root() else { return Ok(false) };
    let mut had_one = false;
    for service in Service::ALL {
        let path = service.path();
        match service.state(root) {
            JobFile::Absent => {}
            JobFile::Foreign => notes.note(&format!("{path} was changed by hand; it stays")),
            // Others have it too.
            JobFile::Ours if is_tracked(repo, path) => {
                notes.note(&format!("{path} is committed: `git rm {path}` takes it out for everybody"));
            }
            JobFile::Ours => {
                let failed = |error: io::Error| Failure::unusable(format!("deleting {path}: {error}"), "");
                service.remove(root).map_err(failed)?;
                notes.summary(&format!("deleted {path}"));
                had_one = true;
            }
        }
    }
    Ok(had_one)
}

fn is_tracked(repo: &Repository, path: &str) -> bool {
    repo.ask_git(&["ls-files", "--", path]).is_ok_and(|listed| listed.is_some_and(|listed| !listed.trim().is_empty()))
}

fn is_empty(dir: &Path) -> bool {
    fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none())
}
