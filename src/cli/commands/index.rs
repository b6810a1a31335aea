//! `repoidx index`.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;

use crate::{
    cli::{
        Global,
        compared::no_revision,
        embedding,
        notes::Notes,
        session::{configuration, index_path, repository, update},
    },
    error::Failure,
    git::GitError,
    index::{self, UpdateReport},
    query::words::count,
    render::{escape::visible, status::counts, to_stdout},
};

/// Build the index, or bring it up to date
///
/// Every other command does this by itself; use it to have the work done in advance.
#[derive(Debug, Args)]
pub(crate) struct IndexArgs {
    /// The same as --repo DIR
    #[arg(value_name = "DIR", conflicts_with = "repo")]
    folder: Option<PathBuf>,
    /// Forget the index and build it anew
    #[arg(long)]
    full: bool,
    /// Index this revision instead of the working tree
    #[arg(long, value_name = "REV")]
    rev: Option<String>,
    /// Print the figures of the update, one a line, and those of `status --counts`
    #[arg(long)]
    stats: bool,
}

pub(crate) fn run(args: &IndexArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let given = args.folder.clone().map(|folder| Global { repo: vec![folder], ..global.clone() });
    let global = given.as_ref().unwrap_or(global);
    let repo = repository(global)?;
    let config = configuration(Some(&repo), notes)?;
    if let Some(rev) = &args.rev {
        repo.resolve(rev).map_err(|error| match error {
            GitError::UnknownRevision(_) => no_revision(&repo, &error),
            error => error.into(),
        })?;
    }
    let report = update(&repo, &config, args.full, args.rev.as_deref(), notes)?;
    if let Some(reason) = &report.rebuilt {
        notes.note(&format!("built anew: {}", visible(reason)));
    }
    let work = match (report.parsed, report.resolved, report.removed) {
        (0, 0, 0) => "nothing to do".to_owned(),
        (parsed, resolved, removed) => {
            let moved = if report.moved > 0 { format!(", {} moved", report.moved) } else { String::new() };
            format!("{parsed} parsed, {resolved} resolved{moved}, {} removed", removed - report.moved)
        }
    };
    if args.stats {
        let counts = index::open(&repo)?.definition_counts()?;
        to_stdout(|out| stats(out, &report).and_then(|()| counts::text(out, &counts)))?;
    }
    notes.summary(&format!(
        "{}, {}, {}, {} unresolved; {work}; {:.2} s; {}",
        count(report.files, "file"),
        count(report.entities, "entity"),
        count(report.relationships, "relationship"),
        report.unresolved,
        report.seconds,
        index_path(&repo),
    ));
    if args.rev.is_none() {
        embedding::fill_now(&repo, &config, notes);
    }
    if global.verbose {
        for path in &report.reresolved {
            notes.summary(&format!("  resolved again: {}", visible(path)));
        }
    }
    Ok(())
}

/// The figures of an update, one a line.
fn stats(out: &mut dyn Write, report: &UpdateReport) -> io::Result<()> {
    let figures: [(&str, u64); 9] = [
        ("files", report.files as u64),
        ("parsed", report.parsed as u64),
        ("resolved", report.resolved as u64),
        ("moved", report.moved as u64),
        ("removed", (report.removed - report.moved) as u64),
        ("rows", report.rows),
        ("entities", report.entities as u64),
        ("relationships", report.relationships as u64),
        ("unresolved", report.unresolved as u64),
    ];
    figures.iter().try_for_each(|(name, number)| writeln!(out, "{name:<15}{number}"))
}
