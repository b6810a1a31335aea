//! An index of another state, beside the index of the worktree: of one commit, or of the worktree with a patch.
//!
//! It lies in its own folder of the data directory and moves from state to state by updates that read only differing
//! files. The first one starts as a copy of the worktree's index.

use std::path::PathBuf;

use super::{IndexError, Progress, UpdateOptions, UpdateScope, edition, scan::FileSource, update_from, update_in};
use crate::{
    git::{Repository, patch::Patched},
    store::Store,
};

/// The folders of the other indexes, beside the first.
const COMMIT: &str = "commit";
const PATCHED: &str = "patched";

/// The index of `commit`, made or brought there.
///
/// # Errors
/// When the commit cannot be read, or the index cannot be written.
pub fn snapshot(
    repo: &Repository,
    commit: &str,
    threads: Option<usize>,
    progress: &dyn Progress,
) -> Result<Store, IndexError> {
    let dir = seeded(repo, COMMIT)?;
    let options = UpdateOptions { threads, rev: Some(commit.to_owned()), ..UpdateOptions::default() };
    update_in(&dir, repo, UpdateScope::Worktree, &options, progress)?;
    Ok(Store::open_read_only(&dir)?)
}

/// The index of the worktree as it would be with other contents of some files. The worktree stays as it is.
///
/// # Errors
/// When the worktree cannot be read, or the index cannot be written.
pub fn patched(
    repo: &Repository,
    files: &Patched,
    threads: Option<usize>,
    progress: &dyn Progress,
) -> Result<Store, IndexError> {
    let dir = seeded(repo, PATCHED)?;
    let options = UpdateOptions { threads, ..UpdateOptions::default() };
    let lock = Store::lock_for_writing_within(&dir, super::LOCK_PATIENCE)?;
    update_from(&lock, &FileSource::Patched { repo, files }, UpdateScope::Worktree, &options, progress)?;
    drop(lock);
    Ok(Store::open_read_only(&dir)?)
}

/// A folder of the data directory that holds an index, if there is one to begin with.
fn seeded(repo: &Repository, folder: &str) -> Result<PathBuf, IndexError> {
    let worktree = edition::folder(repo);
    let dir = worktree.join(folder);
    if !dir.join(Store::FILE_NAME).exists() {
        let lock = Store::lock_for_writing_within(&dir, super::LOCK_PATIENCE)?;
        // Without a sibling that can be read it is built from nothing.
        Store::seed_from(&lock, &worktree).ok();
    }
    Ok(dir)
}
