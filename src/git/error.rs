//! The errors of a repository, in the user's words, with the remedy where there is one.

use std::path::{Path, PathBuf};

/// Why a repository could not be read.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no repository around the directory.
    #[error("{} is in no git repository", folder(.0))]
    NotARepository(PathBuf),
    /// The repository belongs to someone else; git refuses it, and so do we.
    #[error("the repository at {} belongs to another user; if you trust it, run:\n  {remedy}", .dir.display())]
    Unsafe {
        /// The repository.
        dir: PathBuf,
        /// The command line that makes git trust it.
        remedy: String,
    },
    /// libgit2 cannot open it, and the git command neither.
    #[error("cannot open the repository at {}: {reason}", .dir.display())]
    Unsupported {
        /// The repository.
        dir: PathBuf,
        /// The message of git, else of libgit2.
        reason: String,
    },
    /// There is no git command in `PATH`.
    #[error("the git command was not found in PATH")]
    NoGit,
    /// The text names no commit.
    #[error("`{0}` names no commit here")]
    UnknownRevision(String),
    /// An object is not in the object database.
    #[error("object {0} is not here (a partial or damaged clone?)")]
    MissingObject(String),
    /// A bare repository has no files of its own.
    #[error("a bare repository has no worktree")]
    NoWorktree,
    /// A commit's tree is larger than anything a person would index.
    #[error("the tree of {0} has too many entries")]
    TooManyFiles(String),
    /// A text that should be a patch is none.
    #[error("the patch is no unified diff: {0}")]
    NoPatch(String),
    /// A patch is about other contents.
    #[error("the patch does not apply to {path}: {reason}")]
    Misfit {
        /// The file at which it failed.
        path: String,
        /// The message of libgit2.
        reason: String,
    },
    /// The git command ran and complained.
    #[error("git {action}: {message}")]
    Command {
        /// The subcommand.
        action: String,
        /// The first line of git's message.
        message: String,
    },
    /// libgit2 complained.
    #[error("reading the repository: {0}")]
    Libgit2(#[from] git2::Error),
    /// The system refused.
    #[error("{action}: {source}")]
    Io {
        /// The action that failed.
        action: String,
        /// The error of the system.
        source: std::io::Error,
    },
}

impl GitError {
    /// Wraps an error of the system during `action`.
    pub(crate) fn io(action: &str) -> impl FnOnce(std::io::Error) -> GitError + '_ {
        move |source| GitError::Io { action: action.to_owned(), source }
    }
}

/// A folder in words: `.` says nothing to somebody who named none.
fn folder(path: &Path) -> String {
    if path == Path::new(".") { "this folder".to_owned() } else { path.display().to_string() }
}
