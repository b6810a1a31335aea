//! The update pipeline: from what differs on disk to an index that describes it.
//!
//! Goes in: a repository and its index. Comes out: the index brought up to date, and a report of what that took.
//! `scan` finds the files that differ, `full` builds from nothing, `update` resolves only what a change touches; both
//! give the same index, byte for byte when exported. Knows no command line and no output.

pub mod definitions;
mod error;
mod explain;
mod full;
mod graph;
mod naming;
mod scan;
pub mod search;
mod snapshot;
mod totals;
mod update;
mod what_if;

use std::{path::Path, time::Instant};

pub use error::IndexError;
pub use explain::{Explainer, classes};
pub use graph::{Graph, analyze};
pub use naming::module_names;
pub use scan::{Freshness, freshness, is_indexed};
pub use search::vectors::{Shown, fill};
pub use snapshot::snapshot;
pub use what_if::Supposed;

use crate::{
    facts::FACTS_VERSION,
    git::Repository,
    store::{Store, error::StoreError},
};

/// How an update is done.
#[derive(Clone, Debug, Default)]
pub struct UpdateOptions {
    /// Forget what is there and build anew.
    pub full: bool,
    /// Number of threads; `None` for as many as there are cores.
    pub threads: Option<usize>,
    /// Index this revision instead of the working tree.
    pub rev: Option<String>,
}

/// Where an update looks for differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Everywhere in the working tree, by stat data, then by content.
    Worktree,
    /// Only where the tree of the commit last seen differs from HEAD's: for hooks.
    Commits,
    /// As `Commits`, if all that the update before read was as its commit has it; else as `Worktree`: for hooks that fire
    /// so soon after one another that git may have been rewriting files while they were read.
    CommitsInBurst,
}

/// What an update did.
#[derive(Clone, Debug, Default)]
pub struct UpdateReport {
    /// Files in the index now.
    pub files: usize,
    /// Files whose content was new and had to be parsed.
    pub parsed: usize,
    /// Files that were resolved.
    pub resolved: usize,
    /// Files that are gone.
    pub removed: usize,
    pub entities: usize,
    pub relationships: usize,
    pub unresolved: usize,
    /// Rows of the index that an update inserted, changed or deleted; 0 for a full build, which writes all of them.
    pub rows: u64,
    pub seconds: f64,
    /// Why the index was built anew, when it was not asked for.
    pub rebuilt: Option<String>,
    /// Paths of the resolved files, sorted.
    pub reresolved: Vec<String>,
}

/// Hears how far a long work is.
pub trait Progress: Sync {
    /// A stage of `total` steps begins.
    fn stage(&self, name: &str, total: u64);
    /// Some steps are done.
    fn advance(&self, by: u64);
    /// The stage is over.
    fn done(&self);
}

impl Progress for () {
    fn stage(&self, _name: &str, _total: u64) {}
    fn advance(&self, _by: u64) {}
    fn done(&self) {}
}

/// Brings the index of `repo` up to date.
///
/// # Errors
/// When the repository cannot be read, or the index cannot be written. A damaged index is no error: it is built anew.
pub fn update(
    repo: &Repository,
    scope: Scope,
    options: &UpdateOptions,
    progress: &dyn Progress,
) -> Result<UpdateReport, IndexError> {
    update_in(&repo.data_dir(), repo, scope, options, progress)
}

/// Brings the index in `dir` up to date.
fn update_in(
    dir: &Path,
    repo: &Repository,
    scope: Scope,
    options: &UpdateOptions,
    progress: &dyn Progress,
) -> Result<UpdateReport, IndexError> {
    let start = Instant::now();
    let lock = Store::lock_for_writing_within(dir, LOCK_PATIENCE)?;
    let source = scan::Source::of(repo, options.rev.as_deref())?;
    let mut report = pool(options.threads).install(|| {
        if options.full {
            return full::build(&lock, None, &source, progress);
        }
        let mut store = match open_current(&lock) {
            Ok(store) => store,
            Err(Opening::Build(reason)) => {
                let mut report = full::build(&lock, None, &source, progress)?;
                report.rebuilt = reason;
                return Ok(report);
            }
            Err(Opening::Failed(error)) => return Err(error.into()),
        };
        match update::update(&mut store, &source, scope, progress) {
            Ok(Some(report)) => Ok(report),
            Ok(None) => full::build(&lock, Some(&store), &source, progress),
            Err(IndexError::Store(error)) if error.is_rebuildable() => {
                drop(store);
                Store::set_aside(&lock)?;
                let mut report = full::build(&lock, None, &source, progress)?;
                report.rebuilt = Some(error.to_string());
                Ok(report)
            }
            Err(error) => Err(error),
        }
    })?;
    report.seconds = start.elapsed().as_secs_f64();
    Ok(report)
}

/// Opens the index as it is, for reading.
///
/// # Errors
/// When there is none, or it cannot be read.
pub fn open(repo: &Repository) -> Result<Store, IndexError> {
    Ok(Store::open_read_only(&repo.data_dir())?)
}

/// How long an update waits for another one.
const LOCK_PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

enum Opening {
    /// There is nothing to go on from; the reason, when a person should know it.
    Build(Option<String>),
    Failed(StoreError),
}

/// Opens an index that can be updated: of this version, and whole as far as one can see.
fn open_current(lock: &crate::store::file::lock::WriteLock) -> Result<Store, Opening> {
    let opened = Store::open_locked(lock);
    let store = match opened {
        Ok(store) => store,
        Err(StoreError::Missing(_)) => return Err(Opening::Build(None)),
        // Whole, but of no use: the new one takes its place.
        Err(error @ (StoreError::Older(_) | StoreError::Newer(_))) => {
            return Err(Opening::Build(Some(error.to_string())));
        }
        Err(error) if error.is_rebuildable() => {
            Store::set_aside(lock).map_err(Opening::Failed)?;
            return Err(Opening::Build(Some(error.to_string())));
        }
        Err(error) => return Err(Opening::Failed(error)),
    };
    match store.meta("format") {
        Ok(Some(format)) if format == format_name() => Ok(store),
        Ok(None) => Err(Opening::Build(None)),
        Ok(Some(_)) => Err(Opening::Build(Some("the index was made by another version of repoidx".to_owned()))),
        Err(error) => Err(Opening::Build(Some(error.to_string()))),
    }
}

/// Names what the content of the index depends on besides the files.
fn format_name() -> String {
    let (resolution, embedder) = (crate::resolve::VERSION, crate::embed::table::NAME);
    format!("facts {FACTS_VERSION}, resolution {resolution}, {embedder}, {}", env!("CARGO_PKG_VERSION"))
}

/// Threads with a stack that deep nesting of source code cannot exhaust.
pub fn pool(threads: Option<usize>) -> rayon::ThreadPool {
    const STACK: usize = 64 << 20;
    let builder = rayon::ThreadPoolBuilder::new().stack_size(STACK);
    builder.num_threads(threads.unwrap_or(0)).build().expect("threads can be started")
}
