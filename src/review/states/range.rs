//! The two states that a review compares, from the range that the user typed.
//!
//! Without a range, a review compares the commits that a push would send: from the upstream branch to HEAD. Without an
//! upstream branch it starts where HEAD left the default branch.

use thiserror::Error;

use crate::git::{Content, FileChange, GitError, Repository, patch::Patched};

/// Names of default branches, in the order of search.
const DEFAULT_BRANCHES: [&str; 6] =
    ["refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master", "main", "master", "develop"];

/// Two states and the files that differ.
#[derive(Clone, Debug)]
pub struct Range {
    /// The older state, as a person would call it.
    pub base: String,
    pub base_commit: String,
    /// The newer state.
    pub head: String,
    /// `None` where it is the worktree or git's index.
    pub head_commit: Option<String>,
    pub changes: Vec<FileChange>,
    /// Files whose working copy differs from git's index, where that is the newer state.
    pub unstaged: Vec<String>,
}

/// A change that is named by what it is, before its states are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewedChange {
    /// All that is not committed.
    Worktree,
    /// The next commit.
    Staged,
    /// All that is not staged, against git's index.
    Unstaged,
    /// The commits that a push would send.
    Unpushed,
    /// As [`Range::committed`] takes it.
    Range(String),
}

/// The reason why there are no two states to compare.
#[derive(Debug, Error)]
pub enum RangeError {
    #[error("there is no commit yet to compare with")]
    NoCommit,
    #[error("HEAD has no upstream branch, and no default branch to compare with was found")]
    NoBase,
    #[error("`{0}` and `{1}` have no common ancestor here")]
    NoMergeBase(String, String),
    #[error(transparent)]
    Git(#[from] GitError),
}

impl Range {
    /// The two states of a change.
    ///
    /// # Errors
    /// As [`Range::committed`].
    pub fn of(repo: &Repository, change: &ReviewedChange) -> Result<Self, RangeError> {
        match change {
            ReviewedChange::Worktree => Self::worktree(repo, None),
            ReviewedChange::Staged => Self::staged(repo),
            ReviewedChange::Unstaged => Self::unstaged(repo),
            ReviewedChange::Unpushed => Self::committed(repo, None),
            ReviewedChange::Range(text) => Self::committed(repo, Some(text)),
        }
    }

    /// Parses `A..B` (from A to B), `A...B` (from where B left A to B) or `A` (from where HEAD left A to HEAD). `None`
    /// stands for the commits that a push would send.
    ///
    /// # Errors
    /// When a name means no commit, or there is nothing to compare with.
    pub fn committed(repo: &Repository, text: Option<&str>) -> Result<Self, RangeError> {
        let Some(text) = text else { return Self::unpushed(repo) };
        let or_head = |rev: &str| if rev.is_empty() { "HEAD".to_owned() } else { rev.to_owned() };
        if let Some((a, b)) = text.split_once("...") {
            return Self::since_fork(repo, &or_head(a), &or_head(b));
        }
        if let Some((a, b)) = text.split_once("..") {
            let (a, b) = (or_head(a), or_head(b));
            return Self::between(repo, &a, &b);
        }
        Self::since_fork(repo, text, "HEAD")
    }

    /// From HEAD, or from `base`, to the worktree with everything that is not committed.
    ///
    /// # Errors
    /// As [`Range::committed`].
    pub fn worktree(repo: &Repository, base: Option<&str>) -> Result<Self, RangeError> {
        let name = base.unwrap_or("HEAD");
        let base_commit = commit(repo, name)?;
        let changes = repo.changes_in_worktree(&base_commit)?;
        let (base, head) = (name.to_owned(), "working tree".to_owned());
        Ok(Self { base, base_commit, head, head_commit: None, changes, unstaged: Vec::new() })
    }

    /// From HEAD to git's index.
    ///
    /// # Errors
    /// As [`Range::committed`].
    pub fn staged(repo: &Repository) -> Result<Self, RangeError> {
        let base_commit = commit(repo, "HEAD")?;
        let changes = repo.changes_staged(&base_commit)?;
        let (base, head) = ("HEAD".to_owned(), "staged".to_owned());
        Ok(Self { base, base_commit, head, head_commit: None, changes, unstaged: repo.files_not_staged()? })
    }

    /// From git's index to the worktree, with the untracked files.
    ///
    /// # Errors
    /// As [`Range::committed`].
    pub fn unstaged(repo: &Repository) -> Result<Self, RangeError> {
        let base_commit = commit(repo, "HEAD")?;
        let changes = repo.changes_unstaged()?;
        let (base, head) = ("staged".to_owned(), "working tree".to_owned());
        Ok(Self { base, base_commit, head, head_commit: None, changes, unstaged: Vec::new() })
    }

    /// From the worktree to the worktree with a patch; see [`Repository::patched`].
    ///
    /// # Errors
    /// When there is no commit yet.
    pub fn patched(repo: &Repository, files: &Patched) -> Result<Self, RangeError> {
        let changes = files.iter().map(|(path, content)| FileChange {
            path: path.clone(),
            old: if repo.stat(path).is_some() { Content::Worktree } else { Content::Absent },
            new: content.as_ref().map_or(Content::Absent, |bytes| Content::Given(bytes.as_slice().into())),
        });
        Ok(Self {
            base: "working tree".to_owned(),
            base_commit: commit(repo, "HEAD")?,
            head: "with the patch".to_owned(),
            head_commit: None,
            changes: changes.collect(),
            unstaged: Vec::new(),
        })
    }

    /// Two commits as they are.
    ///
    /// # Errors
    /// When a name means no commit.
    pub fn between(repo: &Repository, old: &str, new: &str) -> Result<Self, RangeError> {
        let (base_commit, head_commit) = (commit(repo, old)?, commit(repo, new)?);
        let changes = repo.changes_between(&base_commit, &head_commit)?;
        let (base, head) = (old.to_owned(), new.to_owned());
        Ok(Self { base, base_commit, head, head_commit: Some(head_commit), changes, unstaged: Vec::new() })
    }

    /// The commits that a push of a new branch would send.
    ///
    /// # Errors
    /// When no default branch is known, or they have no common ancestor.
    pub fn since_default(repo: &Repository, new: &str) -> Result<Self, RangeError> {
        let base = DEFAULT_BRANCHES.iter().find(|name| repo.find(name).is_some()).ok_or(RangeError::NoBase)?;
        Self::since_fork(repo, base, new)
    }

    fn unpushed(repo: &Repository) -> Result<Self, RangeError> {
        if repo.head()?.is_none() {
            return Err(RangeError::NoCommit);
        }
        match repo.find("@{upstream}") {
            Some(_) => Self::since_fork(repo, "@{upstream}", "HEAD"),
            None => Self::since_default(repo, "HEAD"),
        }
    }

    fn since_fork(repo: &Repository, from: &str, to: &str) -> Result<Self, RangeError> {
        let (a, b) = (commit(repo, from)?, commit(repo, to)?);
        let no_base = || RangeError::NoMergeBase(from.to_owned(), to.to_owned());
        let base = repo.merge_base(&a, &b)?.ok_or_else(no_base)?;
        let name = from.strip_prefix("refs/remotes/").unwrap_or(from).to_owned();
        Ok(Self { base: name, ..Self::between(repo, &base, to)? })
    }
}

fn commit(repo: &Repository, rev: &str) -> Result<String, RangeError> {
    if rev == "HEAD" {
        return repo.head()?.ok_or(RangeError::NoCommit);
    }
    Ok(repo.resolve(rev)?)
}
