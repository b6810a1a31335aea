//! `repoidx evidence`.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

use clap::{Args, Subcommand};

use crate::{
    cli::{Global, compared::no_revision, notes::Notes, session::Session},
    error::Failure,
    git::GitError,
    index::is_indexed,
    query::{
        impact::runs::observed::{Observed, observed},
        words::{count, short_commit},
    },
    render::{
        escape::{visible, visible_path},
        to_stdout,
    },
    store::runs::{
        TestRun, TestRuns,
        coverage::{CoverageError, covered_lines},
    },
};

/// Files and contexts that a note names.
const MAX_NAMED: usize = 3;

/// Let runs of the tests add to the answers of impact
///
/// Coverage data with contexts shows which test ran which definition. impact then lists these tests too, for as long as
/// the definition and the test stay as they were.
#[derive(Debug, Args)]
pub(crate) struct EvidenceArgs {
    #[command(subcommand)]
    action: EvidenceAction,
}

#[derive(Debug, Subcommand)]
enum EvidenceAction {
    /// Add a data file of coverage.py, made with `pytest --cov --cov-context=test` or `dynamic_context`
    Add {
        /// The data file, usually .coverage
        file: PathBuf,
        /// The commit whose tests ran [default: the current one, for files that were not written after the run]
        #[arg(long, value_name = "REV")]
        commit: Option<String>,
    },
    /// List the runs that were added
    List,
    /// Remove all of them
    Forget,
}

pub(crate) fn run(args: &EvidenceArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let session = Session::open(global, notes)?;
    let data_dir = session.repo.data_dir();
    match &args.action {
        EvidenceAction::Add { file, commit } => add(&session, &data_dir, file, commit.as_deref(), notes),
        EvidenceAction::List => list(&data_dir),
        EvidenceAction::Forget => {
            let words = if TestRuns::forget(&data_dir)? { "all runs are removed" } else { "there are no runs" };
            Ok(to_stdout(|out| writeln!(out, "{words}"))?)
        }
    }
}

fn add(session: &Session, data_dir: &Path, file: &Path, rev: Option<&str>, notes: Notes) -> Result<(), Failure> {
    let covered = covered_lines(file).map_err(|error| {
        let hint = match &error {
            CoverageError::Unreadable { .. } => "give the data file of a run, usually .coverage",
            _ => "run `pytest --cov --cov-context=test`, then `repoidx evidence add .coverage`",
        };
        Failure::usage(visible(&error.to_string()), hint)
    })?;
    let commit = match rev {
        Some(rev) => session.repo.resolve(rev).map_err(|error| match error {
            GitError::UnknownRevision(_) => no_revision(&session.repo, &error),
            error => error.into(),
        })?,
        None => session.repo.head()?.ok_or_else(|| {
            Failure::usage("a run belongs to a commit, and there is none yet".to_owned(), "git commit")
        })?,
    };
    let stats = session.store.file_stats()?;
    let mut changed = session.repo.edited(&commit, &stats, &is_indexed)?;
    if rev.is_none() {
        let run_at = written_ns(file);
        changed.extend(stats.into_iter().filter(|(_, stat)| stat.mtime_ns > run_at).map(|(path, _)| path));
    }
    changed.sort_unstable();
    let has_changed = |path: &str| changed.binary_search_by(|changed| changed.as_str().cmp(path)).is_ok();
    let found = observed(&session.store, &session.sources(), &covered, &has_changed)?;
    say_left_out(&found, rev.is_none(), notes);
    let run = TestRun { commit, pairs: found.pairs };
    let tests: BTreeSet<_> = run.pairs.iter().map(|(_, test)| test).collect();
    let definitions: BTreeSet<_> = run.pairs.iter().map(|(definition, _)| definition).collect();
    if tests.is_empty() {
        let message =
            format!("{} shows no test of this repository that ran its code", visible_path(&file.display().to_string()));
        return Err(Failure::usage(message, "run the tests at this commit, or name theirs: --commit REV"));
    }
    TestRuns::add(data_dir, &run)?;
    let short = short_commit(&run.commit);
    let (tests, definitions) = (count(tests.len(), "test"), count(definitions.len(), "definition"));
    Ok(to_stdout(|out| writeln!(out, "{tests} ran {definitions} at {short}"))?)
}

/// When a file was written; the latest time if that is not known.
fn written_ns(file: &Path) -> i64 {
    let modified = file.metadata().and_then(|metadata| metadata.modified()).ok();
    let since = modified.and_then(|time| time.duration_since(std::time::SystemTime::UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(i64::MAX)
}

/// Names what the data has and the evidence lacks.
fn say_left_out(found: &Observed, is_by_time: bool, notes: Notes) {
    let named = |names: &BTreeSet<String>| {
        let named: Vec<_> = names.iter().take(MAX_NAMED).map(|name| visible(name)).collect();
        let more = names.len().saturating_sub(MAX_NAMED);
        format!("{}{}", named.join(", "), if more > 0 { format!(" and {more} more") } else { String::new() })
    };
    if !found.changed_files.is_empty() {
        let files = count(found.changed_files.len(), "file");
        let hint = if is_by_time { " (--commit REV, if the tests ran elsewhere)" } else { "" };
        notes.warning(&format!("left out, changed since the run: {files}: {}{hint}", named(&found.changed_files)));
    }
    if !found.unknown_contexts.is_empty() {
        let contexts = count(found.unknown_contexts.len(), "context");
        notes.warning(&format!("left out, no test here: {contexts}: {}", named(&found.unknown_contexts)));
    }
}

fn list(data_dir: &Path) -> Result<(), Failure> {
    let totals = match TestRuns::open(data_dir)? {
        Some(runs) => runs.totals()?,
        None => Vec::new(),
    };
    to_stdout(|out| -> io::Result<()> {
        if totals.is_empty() {
            writeln!(out, "no runs: `repoidx evidence add .coverage` adds one")?;
        }
        for run in &totals {
            let short = short_commit(&run.commit);
            writeln!(out, "{short}  {} tests, {} definitions", run.tests, run.definitions)?;
        }
        Ok(())
    })?;
    Ok(())
}
