//! The repository as the rest of the program sees it: commits, trees, blobs and the files of one worktree.
//!
//! Two backends serve the same interface: libgit2 in this process, and the git command. The command serves repositories
//! that libgit2 cannot open (reftable, SHA-256, unknown extensions). libgit2 never reads git's index, status,
//! attributes or filters. Nothing here writes to a repository or starts a program that it names.
//!
//! Paths are relative to the root, with `/` between parts. [`path`] explains how other bytes than UTF-8 are written.

pub mod path;

mod command;
mod difference;
mod edited;
pub(crate) mod environment;
mod error;
mod libgit2;
mod lines;
mod open;
pub mod patch;
pub mod worktree;

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

pub use difference::{Content, FileChange};
#[cfg(test)]
use environment::LOCAL_VARIABLES;
pub use error::GitError;
pub use lines::kept_lines;
pub use worktree::UnreadPaths;

use crate::model::FileStat;

/// One worktree of a repository, or a bare repository.
pub struct Repository {
    root: Option<PathBuf>,
    git_dir: PathBuf,
    common_dir: PathBuf,
    objects: Box<dyn Objects>,
}

/// A regular file in a commit's tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFile {
    /// Relative to the root.
    pub path: String,
    /// Id of the content in hex.
    pub blob: String,
    /// Bytes; `None` when the content is not here (a partial clone).
    pub size: Option<u64>,
}

/// A regular file in the worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorktreeFile {
    /// Relative to the root.
    pub path: String,
    /// By which an unchanged file is recognized.
    pub stat: FileStat,
}

impl Repository {
    /// Opens the repository around `dir`, looking upwards as git does. `GIT_DIR` and its like are not heeded.
    pub fn open(dir: &Path) -> Result<Repository, GitError> {
        open::discover(dir)
    }

    /// Opens the repository that git started this process for: `GIT_DIR` where git has set it, else the one around the
    /// current directory. For hooks alone.
    pub fn open_from_environment() -> Result<Repository, GitError> {
        open::from_environment()
    }

    /// Top of the worktree; `None` in a bare repository.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// The git directory of this worktree.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// The git directory that all worktrees share.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// Where this worktree's index is kept. It need not exist.
    pub fn data_dir(&self) -> PathBuf {
        self.git_dir.join("repoidx")
    }

    /// Id of the commit that HEAD names; `None` before the first commit.
    pub fn head(&self) -> Result<Option<String>, GitError> {
        self.objects.head()
    }

    /// The branch that HEAD names; `None` where HEAD is a commit, or the references are in a format of their own.
    pub fn branch(&self) -> Option<String> {
        let head = std::fs::read_to_string(self.git_dir.join("HEAD")).ok()?;
        let branch = head.trim_end().strip_prefix("ref: refs/heads/")?;
        // Reftables leave a mark that is no branch.
        (branch != ".invalid").then(|| branch.to_owned())
    }

    /// Id of the commit that `rev` names, in any notation git knows.
    pub fn resolve(&self, rev: &str) -> Result<String, GitError> {
        self.objects.resolve(rev)
    }

    /// The differences between two commits' trees, also those of the mode alone, sorted by path. At least one side is a
    /// regular file.
    pub fn tree_changes(&self, old: &str, new: &str) -> Result<Vec<FileChange>, GitError> {
        self.objects.tree_changes(old, new)
    }

    /// The regular files in a commit's tree, sorted by path. Symlinks and submodules are left out.
    pub fn tree_files(&self, commit: &str) -> Result<Vec<TreeFile>, GitError> {
        self.objects.tree_files(commit)
    }

    /// The content with this id, as it is stored.
    pub fn read_blob(&self, blob: &str) -> Result<Vec<u8>, GitError> {
        self.objects.read_blob(blob)
    }

    /// The regular files of the worktree that git tracks or would offer to add, sorted by path. Symlinks are not
    /// followed and nested repositories not entered. Files that cannot be read, or vanish meanwhile, are left out, and
    /// so are the paths that `wanted` refuses, which cost next to nothing.
    pub fn worktree_files_where(&self, wanted: &(dyn Fn(&str) -> bool + Sync)) -> Result<Vec<WorktreeFile>, GitError> {
        worktree::files(self, wanted)
    }

    /// The symlinks in the worktree that `wanted` accepts, and the folders that [`Self::worktree_files_where`] does not
    /// enter.
    pub fn unread_where(&self, wanted: &(dyn Fn(&str) -> bool + Sync)) -> Result<UnreadPaths, GitError> {
        worktree::unread(self, wanted)
    }

    /// Stat data of a regular file beneath the root; `None` for anything else, also beyond a symlink.
    pub fn stat(&self, path: &str) -> Option<FileStat> {
        worktree::stat(self.root.as_deref()?, path)
    }

    /// The bytes of a regular file beneath the root. Symlinks are refused wherever they stand.
    pub fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        let root = self.root.as_deref().ok_or(std::io::ErrorKind::NotFound)?;
        worktree::read(root, path)
    }

    /// The name of the backend: `git2` or `git`.
    pub fn backend(&self) -> &'static str {
        self.objects.name()
    }

    /// Whether git is in the middle of a rebase, an `am` or a cherry-pick of several commits.
    pub fn is_in_sequence(&self) -> bool {
        ["rebase-merge", "rebase-apply", "sequencer"].iter().any(|name| self.git_dir.join(name).exists())
    }

    /// The output of `git ARGS` in this repository, without the final newline. `None` when git exits with 1,
    /// as `git config --get` does for an unset key.
    pub(crate) fn ask_git(&self, args: &[&str]) -> Result<Option<String>, GitError> {
        command::Git::new(self.root().unwrap_or(&self.git_dir), None).ask(args)
    }
}

/// The interface of a backend. Ids are in hex; both backends give the same answers in the same order.
trait Objects: Send + Sync {
    fn name(&self) -> &'static str;
    fn head(&self) -> Result<Option<String>, GitError>;
    fn resolve(&self, rev: &str) -> Result<String, GitError>;
    fn tree_changes(&self, old: &str, new: &str) -> Result<Vec<FileChange>, GitError>;
    fn tree_files(&self, commit: &str) -> Result<Vec<TreeFile>, GitError>;
    /// The id of a commit's tree, where it is at hand.
    fn tree_id(&self, commit: &str) -> Result<Option<String>, GitError>;
    /// The regular files in a commit's tree with the ids of their contents, in no order.
    fn blobs(&self, commit: &str) -> Result<Vec<(String, String)>, GitError>;
    /// Whether the content with this id is `bytes`.
    fn is_blob(&self, blob: &str, bytes: &[u8]) -> bool;
    fn read_blob(&self, blob: &str) -> Result<Vec<u8>, GitError>;
    /// Length of an id in bytes.
    fn id_length(&self) -> usize;
    /// A path from the configuration, `~` resolved. Repository, user and system files count, as for git.
    fn config_path(&self, key: &str) -> Option<PathBuf>;
    fn config_bool(&self, key: &str) -> Option<bool>;
    /// Paths of git's own index in the form of `git ls-files --stage -z`, where it cannot be read directly.
    fn staged(&self) -> Option<Vec<u8>>;
}

/// Whether a mode in a tree or in git's index is that of a regular file.
fn is_regular(mode: u32) -> bool {
    mode & 0o170_000 == 0o100_000
}
