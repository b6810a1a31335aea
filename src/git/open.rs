//! Finds and opens a repository, and chooses the backend.
//!
//! The start is a directory, or the variables that git sets for a hook. libgit2 is tried first, then the git command.
//! The choice is made anew in each run.

use std::path::{Path, PathBuf};

use git2::ErrorCode;

use super::command::{self, Git};
use super::libgit2::Libgit2;
use super::{GitError, Repository, environment, path::shell_quote};

/// Opens the repository around `dir`.
pub(super) fn discover(dir: &Path) -> Result<Repository, GitError> {
    let flags = git2::RepositoryOpenFlags::empty();
    match git2::Repository::open_ext(dir, flags, environment::ceilings()) {
        Ok(repo) => Ok(with_libgit2(repo)),
        Err(error) if error.code() == ErrorCode::NotFound => Err(GitError::NotARepository(dir.to_owned())),
        Err(error) => with_command(dir, None, &error),
    }
}

/// Opens the repository that git started this process for.
pub(super) fn from_environment() -> Result<Repository, GitError> {
    let current = environment::current_dir()?;
    let Some((git_dir, work_tree)) = environment::named_repository() else { return discover(&current) };
    let git_dir = current.join(git_dir);
    let work_tree = work_tree.map(|dir| current.join(dir));
    let flags = git2::RepositoryOpenFlags::NO_SEARCH;
    let opened = git2::Repository::open_ext(&git_dir, flags, std::iter::empty::<&Path>()).and_then(|repo| {
        let named = work_tree.as_deref().and_then(|dir| dir.canonicalize().ok());
        if let Some(dir) = named.filter(|dir| repo.workdir() != Some(dir)) {
            repo.set_workdir(&dir, false)?;
        }
        Ok(repo)
    });
    match opened {
        Ok(repo) => Ok(with_libgit2(repo)),
        Err(error) => {
            let top = work_tree.unwrap_or(current);
            with_command(&top, Some(&git_dir), &error)
        }
    }
}

/// Opens by the git command whatever libgit2 thinks of it.
#[cfg(test)]
pub(super) fn by_command(dir: &Path) -> Result<Repository, GitError> {
    with_command(dir, None, &git2::Error::from_str("not asked"))
}

fn with_libgit2(repo: git2::Repository) -> Repository {
    let tidy = |path: &Path| path.components().collect::<PathBuf>();
    Repository {
        root: repo.workdir().map(tidy),
        git_dir: tidy(repo.path()),
        common_dir: tidy(repo.commondir()),
        objects: Box::new(Libgit2::new(repo)),
    }
}

/// Opens a repository with the git command after libgit2 refused it. git decides whose repositories may be read: it
/// knows `git -c safe.directory`, and libgit2 does not.
fn with_command(dir: &Path, git_dir: Option<&Path>, refusal: &git2::Error) -> Result<Repository, GitError> {
    let unsupported = |reason: String| GitError::Unsupported { dir: dir.to_owned(), reason };
    let places = match command::places(&Git::new(dir, git_dir)) {
        Ok(places) => places,
        Err(GitError::NoGit) if refusal.code() != ErrorCode::Owner => {
            return Err(unsupported(format!("{} (and there is no git command)", refusal.message())));
        }
        Err(GitError::Command { message, .. }) if refusal.code() != ErrorCode::Owner => {
            return Err(unsupported(message));
        }
        Err(error) if refusal.code() == ErrorCode::Owner => return Err(unsafe_directory(dir, &error)),
        Err(error) => return Err(error),
    };
    let top = places.root.as_deref().unwrap_or(&places.git_dir);
    let git = Git::new(top, git_dir);
    Ok(Repository {
        objects: Box::new(command::GitObjects::new(git, places.id_length)),
        root: places.root,
        git_dir: places.git_dir,
        common_dir: places.common_dir,
    })
}

/// The refusal with git's own remedy, or with the same words when git cannot be run.
fn unsafe_directory(dir: &Path, error: &GitError) -> GitError {
    const REMEDY: &str = "git config --global --add safe.directory ";
    let said = error.to_string();
    let quoted = said.lines().map(str::trim).find(|line| line.starts_with(REMEDY)).map(str::to_owned);
    let top = dir.ancestors().find(|dir| dir.join(".git").exists()).unwrap_or(dir);
    let top = top.canonicalize().unwrap_or_else(|_| top.to_owned());
    let remedy = quoted.unwrap_or_else(|| format!("{REMEDY}{}", shell_quote(&top.to_string_lossy())));
    GitError::Unsafe { dir: top, remedy }
}
