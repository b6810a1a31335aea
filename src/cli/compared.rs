//! The two states of a review, and the index of the newer one.
//!
//! If the worktree is the newer state, the session's own store and sources describe it; otherwise a snapshot of the
//! commit does.

use std::{borrow::Cow, cell::OnceCell, collections::BTreeMap};

use crate::{
    cli::{notes::Notes, progress::Bar},
    config::Config,
    error::Failure,
    git::{GitError, Repository},
    index::{Progress, is_indexed, snapshot},
    query::source::Sources,
    render::escape::visible,
    review::{Range, RangeError},
    store::Store,
};

/// The index of the newer state of `range`; `None` if the worktree is that state.
pub(crate) fn index_of(
    repo: &Repository,
    range: &Range,
    config: &Config,
    notes: Notes,
) -> Result<Option<Store>, Failure> {
    let Some(commit) = range.head_commit.as_deref().filter(|commit| !is_worktree(repo, commit)) else {
        return Ok(None);
    };
    let bar = Bar::new(notes.can_draw());
    let store = snapshot(repo, commit, config.number("threads"), &bar);
    bar.done();
    Ok(Some(store?))
}

/// Whether the worktree's indexed files are those of `commit`.
pub(crate) fn is_worktree(repo: &Repository, commit: &str) -> bool {
    // The index of a bare repository describes HEAD.
    repo.head().ok().flatten().as_deref() == Some(commit)
        && (repo.root().is_none() || repo.has_worktree_of(commit, &is_indexed))
}

/// The files of a commit.
pub(crate) fn sources_of<'r>(repo: &'r Repository, commit: &str) -> Sources<'r> {
    // Listing a tree is slow, so it waits for the first file.
    let blobs: OnceCell<BTreeMap<String, String>> = OnceCell::new();
    let commit = commit.to_owned();
    Sources::new(move |path| {
        let blobs = blobs.get_or_init(|| {
            let files = repo.tree_files(&commit).unwrap_or_default();
            files.into_iter().map(|file| (file.path, file.blob)).collect()
        });
        repo.read_blob(blobs.get(path)?).ok()
    })
}

/// The failure for a text that names no commit. A shallow clone may lack the commit.
pub(crate) fn no_revision(repo: &Repository, error: &GitError) -> Failure {
    let is_shallow = repo.common_dir().join("shallow").exists();
    let hint = if is_shallow { "git fetch --deepen=50: this clone is shallow" } else { "git log --oneline --all" };
    Failure::usage(visible(&error.to_string()).into_owned(), hint)
}

/// The failure for a range, with a command that works.
pub(crate) fn no_range(repo: &Repository, error: RangeError) -> Failure {
    let message = visible(&error.to_string()).into_owned();
    match error {
        RangeError::Git(error @ GitError::UnknownRevision(_)) => no_revision(repo, &error),
        RangeError::Git(error) => error.into(),
        RangeError::NoCommit => Failure::usage(message, "repoidx impact TARGET answers before a change is written"),
        RangeError::NoBase | RangeError::NoMergeBase(..) => {
            let hint = Cow::Borrowed("name the older state: repoidx review HEAD~1..HEAD");
            Failure::usage(message, hint)
        }
    }
}
