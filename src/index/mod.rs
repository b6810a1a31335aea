//! The update pipeline: from the files on disk to an index that describes them.
//!
//! `scan` finds the files that differ, `full` builds from nothing, `update` resolves only the affected files. Both give
//! the same index: their exports are equal byte for byte. This module knows no command line and prints nothing.

pub mod definitions;
pub mod edition;
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

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::{Instant, SystemTime},
};

pub use error::IndexError;
pub use explain::{Explainer, classes};
pub use graph::{AnalyzedFiles, analyze};
pub use naming::module_names;
pub use scan::{Freshness, edited_in_index, freshness, ignored, is_indexed, is_read, limits::FileLimits};
pub use search::vectors::{PassageFilter, fill};
pub use snapshot::{patched, snapshot};
pub use what_if::WhatIf;

use crate::{
    facts::FACTS_VERSION,
    git::Repository,
    store::{Store, error::StoreError, file::lock::WriteLock},
};

/// How an update is done.
#[derive(Clone, Debug, Default)]
pub struct UpdateOptions {
    /// Ignore the existing index and build a new one.
    pub full: bool,
    /// Number of threads; `None` for as many as there are cores.
    pub threads: Option<usize>,
    /// Index this revision instead of the working tree.
    pub rev: Option<String>,
    /// Files beyond these are skipped; `None` for the limits that the index has, at first the usual ones.
    pub limits: Option<FileLimits>,
}

/// Where an update looks for differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateScope {
    /// Everywhere in the working tree, by stat data, then by content.
    Worktree,
    /// Only where the tree of the commit last seen differs from HEAD's: for hooks.
    Commits,
    /// As `Commits` if the last update found every file as its commit has it, else as `Worktree`. For hooks that fire
    /// in a burst: git may have been rewriting files while the last update read them.
    CommitsInBurst,
}

/// The work of an update.
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
    /// New files with the content of one that is gone: as many of both were only moved.
    pub moved: usize,
    pub entities: usize,
    pub relationships: usize,
    pub unresolved: usize,
    /// Rows of the index that an update inserted, changed or deleted; 0 for a full build, which writes all of them.
    pub rows: u64,
    pub seconds: f64,
    /// The reason of a full build that was not asked for.
    pub rebuilt: Option<String>,
    /// Paths of the resolved files, sorted.
    pub reresolved: Vec<String>,
}

/// Follows the progress of a long task.
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
    scope: UpdateScope,
    options: &UpdateOptions,
    progress: &dyn Progress,
) -> Result<UpdateReport, IndexError> {
    let data_dir = repo.data_dir();
    Store::check_dir(&data_dir)?;
    let report = update_in(&edition::folder_in(&data_dir), repo, scope, options, progress)?;
    edition::forget_unused(&data_dir, SystemTime::now());
    Ok(report)
}

/// Brings the index in `dir` up to date.
fn update_in(
    dir: &Path,
    repo: &Repository,
    scope: UpdateScope,
    options: &UpdateOptions,
    progress: &dyn Progress,
) -> Result<UpdateReport, IndexError> {
    let lock = Store::lock_for_writing_within(dir, LOCK_PATIENCE)?;
    let source = scan::FileSource::of(repo, options.rev.as_deref())?;
    update_from(&lock, &source, scope, options, progress)
}

/// Brings the index whose lock this is to the files of `source`.
fn update_from(
    lock: &WriteLock,
    source: &scan::FileSource<'_>,
    scope: UpdateScope,
    options: &UpdateOptions,
    progress: &dyn Progress,
) -> Result<UpdateReport, IndexError> {
    let start = Instant::now();
    let mut report = pool(options.threads).install(|| {
        let wanted = options.limits.unwrap_or_default();
        if options.full {
            return full::build(lock, None, source, &wanted, progress);
        }
        let mut store = match open_current(lock) {
            Ok(store) => store,
            Err(Opening::Build(reason)) => {
                let mut report = full::build(lock, None, source, &wanted, progress)?;
                report.rebuilt = reason;
                return Ok(report);
            }
            Err(Opening::Failed(error)) => return Err(error.into()),
        };
        let known = FileLimits::of_entry(store.meta(scan::limits::ENTRY)?.as_deref());
        if options.limits.is_some_and(|wanted| wanted != known) {
            return full::build(lock, Some(&store), source, &wanted, progress);
        }
        match update::update(&mut store, source, scope, progress) {
            Ok(Some(report)) => Ok(report),
            Ok(None) => full::build(lock, Some(&store), source, &known, progress),
            Err(IndexError::Store(error)) if error.is_rebuildable() => {
                drop(store);
                // The damaged file stays as `index.db.bad`, for a report.
                Store::set_aside(lock)?;
                let mut report = full::build(lock, None, source, &known, progress)?;
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
    Store::check_dir(&repo.data_dir())?;
    Ok(Store::open_read_only(&edition::folder(repo))?)
}

/// How long an update waits for another one.
const LOCK_PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

enum Opening {
    /// There is nothing to go on from; the reason, when a person should know it.
    Build(Option<String>),
    Failed(StoreError),
}

/// Opens an index that can be updated: of this version, and whole as far as one can see.
fn open_current(lock: &WriteLock) -> Result<Store, Opening> {
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

/// Names the versions that the content of the index depends on, beside the files.
fn format_name() -> String {
    let (resolution, embedder) = (crate::resolve::VERSION, crate::embed::table::NAME);
    format!("facts {FACTS_VERSION}, resolution {resolution}, {embedder}, {}", env!("CARGO_PKG_VERSION"))
}

/// The threads for this number of them (by default one a core), which stay until the process ends: a server looks at
/// the worktree before each answer, and new threads would cost as much as the look.
pub fn pool(threads: Option<usize>) -> Arc<rayon::ThreadPool> {
    static KEPT: Mutex<BTreeMap<usize, Arc<rayon::ThreadPool>>> = Mutex::new(BTreeMap::new());
    let threads = threads.unwrap_or(0);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(kept.entry(threads).or_insert_with(|| Arc::new(new_pool(threads))))
}

/// Threads of their own, with a stack that deep nesting of source code cannot exhaust; 0 for one a core.
fn new_pool(threads: usize) -> rayon::ThreadPool {
    const STACK: usize = 64 << 20;
    let builder = rayon::ThreadPoolBuilder::new().stack_size(STACK);
    builder.num_threads(threads).build().expect("threads can be started")
}
