//! `repoidx index`.

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
    query::words::count,
    render::escape::visible,
};

/// Build the index, or bring it up to date
///
/// Every other command does this by itself; use it to have the work done in advance.
#[derive(Debug, Args)]
pub(crate) struct IndexArgs {
    /// Forget the index and build it anew
    #[arg(long)]
    full: bool,
    /// Index this revision instead of the working tree
    #[arg(long, value_name = "REV")]
    rev: Option<String>,
}

pub(crate) fn run(args: &IndexArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
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
        (parsed, resolved, removed) => format!("{parsed} parsed, {resolved} resolved, {removed} removed"),
    };
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
