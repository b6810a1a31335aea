//! The regular files of the worktree as they are on disk now, with their stat data and bytes.
//!
//! Symlinks are never followed, neither as a file nor on the way to it. Devices, pipes, sockets and unreadable files
//! are left out.

pub mod exclusions;
pub(crate) mod ignored;
pub(crate) mod tracked;

use std::collections::BTreeSet;
use std::fs::{self, DirEntry, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::{GitError, Repository, WorktreeFile, path};
use crate::{git::worktree::ignored::IgnoreRules, model::FileStat};

/// Tracked and untracked, not ignored files that `wanted` accepts, sorted by path.
pub(super) fn files(repo: &Repository, wanted: &(dyn Fn(&str) -> bool + Sync)) -> Result<Vec<WorktreeFile>, GitError> {
    let root = repo.root.as_deref().ok_or(GitError::NoWorktree)?;
    let (mut files, tracked) = walked(repo, root, wanted);
    // Tracked files that a rule ignores, or that stand where another repository has been made around them.
    let is_found = |path: &String| files.binary_search_by(|file| file.path.cmp(path)).is_ok();
    let missing: Vec<String> = tracked.into_iter().filter(|path| !is_found(path)).collect();
    let more = missing.into_iter().filter_map(|path| Some(WorktreeFile { stat: stat(root, &path)?, path }));
    let before = files.len();
    files.extend(more);
    if files.len() > before {
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    }
    Ok(files)
}

/// Paths of the worktree that are not read.
#[derive(Debug, Default)]
pub struct UnreadPaths {
    /// Symlinks that no rule ignores, sorted. Nothing is known of where they lead.
    pub links: Vec<String>,
    /// Submodules, sorted.
    pub submodules: Vec<String>,
    /// Other repositories inside this one, sorted.
    pub repositories: Vec<String>,
}

/// The symlinks that `wanted` accepts, and the folders that are not entered.
pub(super) fn unread(repo: &Repository, wanted: &(dyn Fn(&str) -> bool + Sync)) -> Result<UnreadPaths, GitError> {
    let root = repo.root.as_deref().ok_or(GitError::NoWorktree)?;
    let (rules, tracked) = rayon::join(|| IgnoreRules::at_top(repo), || tracked::read(repo, wanted));
    let submodules: BTreeSet<String> = tracked.submodules.into_iter().collect();
    let walk = WorktreeWalk::new(root, submodules, &tracked.files, wanted);
    rayon::scope(|scope| walk.enter(scope, Path::new(""), &rules));
    let sorted = |paths: Mutex<Vec<String>>| {
        let mut paths = paths.into_inner().unwrap_or_else(PoisonError::into_inner);
        paths.sort_unstable();
        paths
    };
    let (links, repositories) = (sorted(walk.links), sorted(walk.repositories));
    Ok(UnreadPaths { links, submodules: walk.submodules.into_iter().collect(), repositories })
}

/// Whether there is a file that `wanted` accepts, and that git would offer to add.
pub(super) fn has_untracked(repo: &Repository, wanted: &(dyn Fn(&str) -> bool + Sync)) -> Result<bool, GitError> {
    let root = repo.root.as_deref().ok_or(GitError::NoWorktree)?;
    let (files, tracked) = walked(repo, root, wanted);
    let tracked: BTreeSet<String> = tracked.into_iter().collect();
    Ok(files.iter().any(|file| !tracked.contains(&file.path)))
}

/// The files that no rule ignores, sorted by path, and the paths that git tracks; both as far as `wanted` accepts them.
fn walked(repo: &Repository, root: &Path, wanted: &(dyn Fn(&str) -> bool + Sync)) -> (Vec<WorktreeFile>, Vec<String>) {
    let (rules, tracked) = rayon::join(|| IgnoreRules::at_top(repo), || tracked::read(repo, wanted));
    let submodules = tracked.submodules.into_iter().collect();
    let walk = WorktreeWalk::new(root, submodules, &tracked.files, wanted);
    rayon::scope(|scope| walk.enter(scope, Path::new(""), &rules));
    let mut files = walk.found.into_inner().unwrap_or_else(PoisonError::into_inner);
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    (files, tracked.files)
}

/// Stat data of a regular file that no symlink leads to.
pub(super) fn stat(root: &Path, path: &str) -> Option<FileStat> {
    let metadata = beneath(root, path)?.symlink_metadata().ok()?;
    metadata.is_file().then(|| stat_of(&metadata))
}

/// Bytes of a regular file that no symlink leads to.
pub(super) fn read(root: &Path, path: &str) -> io::Result<Vec<u8>> {
    read_regular(&beneath(root, path).ok_or(io::ErrorKind::NotFound)?)
}

/// Bytes of a file that is regular itself, whatever leads to it.
pub(super) fn read_regular(file: &Path) -> io::Result<Vec<u8>> {
    let mut file = open_no_follow(file)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0).saturating_add(1));
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A walk over the worktree; directories are visited by whichever thread is free.
struct WorktreeWalk<'a> {
    root: &'a Path,
    submodules: BTreeSet<String>,
    /// Sorted. Ignore rules do not apply to these.
    tracked: &'a [String],
    wanted: &'a (dyn Fn(&str) -> bool + Sync),
    found: Mutex<Vec<WorktreeFile>>,
    /// Symlinks that `wanted` accepts.
    links: Mutex<Vec<String>>,
    /// Folders that are repositories of their own, submodules apart.
    repositories: Mutex<Vec<String>>,
}

impl<'a> WorktreeWalk<'a> {
    fn new(
        root: &'a Path,
        submodules: BTreeSet<String>,
        tracked: &'a [String],
        wanted: &'a (dyn Fn(&str) -> bool + Sync),
    ) -> Self {
        let (found, links, repositories) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { root, submodules, tracked, wanted, found, links, repositories }
    }

    /// Takes the files in `dir` and enters its directories, each as its own task.
    fn enter<'s>(&'s self, scope: &rayon::Scope<'s>, dir: &Path, rules: &IgnoreRules) {
        let place = self.root.join(dir);
        // Unreadable or vanished: nothing to be seen.
        let Ok(listing) = fs::read_dir(&place) else { return };
        let entries: Vec<DirEntry> = listing.filter_map(Result::ok).collect();
        let has = |name: &str| entries.iter().any(|entry| entry.file_name() == name);
        let is_top = dir.as_os_str().is_empty();
        if !is_top && has(".git") && is_repository(&place.join(".git")) {
            let path = path::from_os(dir.as_os_str());
            self.repositories.lock().unwrap_or_else(PoisonError::into_inner).push(path);
            return;
        }
        let rules = if has(".gitignore") { rules.inside(dir, &place.join(".gitignore")) } else { rules.clone() };

        let mut files = Vec::new();
        for entry in entries {
            let name = entry.file_name();
            let Ok(kind) = entry.file_type() else { continue };
            if name == ".git" {
                continue;
            }
            let relative = dir.join(name);
            if kind.is_dir() {
                let is_closed = rules.ignores(&relative, true)
                    || (!self.submodules.is_empty() && self.submodules.contains(&path::from_os(relative.as_os_str())));
                if !is_closed {
                    let rules = rules.clone();
                    scope.spawn(move |scope| self.enter(scope, &relative, &rules));
                }
            } else if kind.is_symlink() {
                let path = path::from_os(relative.as_os_str());
                if (self.wanted)(&path) && !rules.ignores(&relative, false) {
                    self.links.lock().unwrap_or_else(PoisonError::into_inner).push(path);
                }
            } else if kind.is_file() {
                let path = path::from_os(relative.as_os_str());
                if !(self.wanted)(&path) || !self.is_tracked(&path) && rules.ignores(&relative, false) {
                    continue;
                }
                if let Some(stat) = entry.metadata().ok().filter(Metadata::is_file).map(|found| stat_of(&found)) {
                    files.push(WorktreeFile { path, stat });
                }
            }
        }
        if !files.is_empty() {
            self.found.lock().unwrap_or_else(PoisonError::into_inner).append(&mut files);
        }
    }

    fn is_tracked(&self, path: &str) -> bool {
        self.tracked.binary_search_by(|tracked| tracked.as_str().cmp(path)).is_ok()
    }
}

/// Whether this `.git` makes its directory a repository of its own: a file that names one, or a directory with a HEAD.
fn is_repository(git: &Path) -> bool {
    match git.symlink_metadata() {
        Ok(found) if found.is_dir() => git.join("HEAD").symlink_metadata().is_ok(),
        Ok(found) if found.is_file() => read_regular(git).is_ok_and(|text| text.starts_with(b"gitdir: ")),
        Ok(found) => found.is_symlink() && git.join("HEAD").exists(),
        Err(_) => false,
    }
}

/// The place of `path` beneath the root, unless it leads out of it, into `.git`, or over a symlink.
fn beneath(root: &Path, path: &str) -> Option<PathBuf> {
    let relative = path::to_path(path);
    let mut place = root.to_owned();
    let mut parts = relative.components().peekable();
    parts.peek()?;
    while let Some(part) = parts.next() {
        let Component::Normal(name) = part else { return None };
        if name.eq_ignore_ascii_case(".git") {
            return None;
        }
        place.push(name);
        if parts.peek().is_some() && !place.symlink_metadata().is_ok_and(|found| found.is_dir()) {
            return None;
        }
    }
    Some(place)
}

#[cfg(unix)]
fn open_no_follow(file: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    // Without O_NONBLOCK a pipe that took the file's place would hold us for ever.
    OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(file)
}

#[cfg(not(unix))]
fn open_no_follow(file: &Path) -> io::Result<File> {
    if file.symlink_metadata()?.is_symlink() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a symlink"));
    }
    OpenOptions::new().read(true).open(file)
}

#[cfg(unix)]
fn stat_of(metadata: &Metadata) -> FileStat {
    use std::os::unix::fs::MetadataExt;
    let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    FileStat {
        size: metadata.size(),
        mtime_ns: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
        ctime_ns: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
        inode: metadata.ino(),
    }
}

#[cfg(not(unix))]
fn stat_of(metadata: &Metadata) -> FileStat {
    let since = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let mtime_ns = since.and_then(|time| i64::try_from(time.as_nanos()).ok()).unwrap_or(0);
    FileStat { size: metadata.len(), mtime_ns, ctime_ns: 0, inode: 0 }
}
