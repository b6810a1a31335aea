//! An index of one commit, beside the index of the worktree.
//!
//! It lies in its own folder of the data directory and moves from commit to commit by updates that read only differing
//! files. The first one starts as a copy of the worktree's index.

use super::{IndexError, Progress, UpdateOptions, UpdateScope, edition, update_in};
use crate::{git::Repository, store::Store};

/// The folder of the second index, beside the first.
const FOLDER: &str = "commit";

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
    let worktree = edition::folder(repo);
    let dir = worktree.join(FOLDER);
    if !dir.join(Store::FILE_NAME).exists() {
        let lock = Store::lock_for_writing_within(&dir, super::LOCK_PATIENCE)?;
        // Without a sibling that can be read it is built from nothing.
        Store::seed_from(&lock, &worktree).ok();
    }
    let options = UpdateOptions { full: false, threads, rev: Some(commit.to_owned()) };
    update_in(&dir, repo, UpdateScope::Worktree, &options, progress)?;
    Ok(Store::open_read_only(&dir)?)
}
