//! The two states of a review, and the index of the newer one.
//!
//! If the worktree is the newer state, the session's own store and sources describe it; otherwise a snapshot of the
//! commit does.

use std::borrow::Cow;

use crate::{
    cli::{notes::Notes, progress::Bar},
    config::Config,
    error::Failure,
    git::{GitError, Repository},
    index::{Progress, snapshot},
    render::escape::visible,
    review::{Range, RangeError, is_worktree},
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
