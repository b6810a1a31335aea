//! The object database through libgit2, in this process.
//!
//! libgit2 only reads objects, references and configuration. One handle serves one thread at a time, so a small pool of
//! handles serves several threads.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use git2::{Config, ConfigLevel, ErrorCode, ObjectType, Oid};

use super::command::Git;
use super::difference::{Content, FileChange};
use super::{GitError, Objects, TreeFile, environment, is_regular, path};

/// More entries than this in one tree are a bomb, not a project.
const MOST_ENTRIES: usize = 5_000_000;

const DIRECTORY: u32 = 0o040_000;

pub(super) struct Libgit2 {
    git_dir: PathBuf,
    idle: Mutex<Vec<git2::Repository>>,
}

impl Libgit2 {
    pub(super) fn new(repo: git2::Repository) -> Self {
        Self { git_dir: repo.path().to_owned(), idle: Mutex::new(vec![repo]) }
    }

    /// Runs `read` with a handle that no other thread uses meanwhile.
    fn with<T>(&self, read: impl FnOnce(&git2::Repository) -> Result<T, GitError>) -> Result<T, GitError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let repo = match idle {
            Some(repo) => repo,
            None => git2::Repository::open_ext(
                &self.git_dir,
                git2::RepositoryOpenFlags::NO_SEARCH,
                std::iter::empty::<PathBuf>(),
            )?,
        };
        let answer = read(&repo);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(repo);
        answer
    }

    /// Asks `read` each configuration file in git's order, nearest first.
    fn setting<T>(&self, read: impl Fn(&Config) -> Option<T>) -> Option<T> {
        self.with(|repo| {
            let config = repo.config()?;
            let level = |level| config.open_level(level).ok().and_then(|config| read(&config));
            let user = || match environment::global_config() {
                Some(file) => Config::open(&file).ok().and_then(|config| read(&config)),
                None => level(ConfigLevel::Global).or_else(|| level(ConfigLevel::XDG)),
            };
            let system = || environment::has_system_config().then(|| level(ConfigLevel::System)).flatten();
            Ok(level(ConfigLevel::Worktree).or_else(|| level(ConfigLevel::Local)).or_else(user).or_else(system))
        })
        .ok()
        .flatten()
    }
}

impl Objects for Libgit2 {
    fn name(&self) -> &'static str {
        "git2"
    }

    fn head(&self) -> Result<Option<String>, GitError> {
        self.with(|repo| match repo.head() {
            Ok(head) => Ok(Some(head.peel_to_commit()?.id().to_string())),
            Err(error) if matches!(error.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => Ok(None),
            Err(error) => Err(error.into()),
        })
    }

    fn resolve(&self, rev: &str) -> Result<String, GitError> {
        let found = self.with(|repo| Ok(repo.revparse_single(rev)?.peel_to_commit()?.id().to_string()));
        // The git command knows notations that libgit2 does not.
        found.or_else(|_| match Git::new(&self.git_dir, None).resolve(rev) {
            Err(GitError::NoGit) => Err(GitError::UnknownRevision(rev.to_owned())),
            answer => answer,
        })
    }

    fn tree_changes(&self, old: &str, new: &str) -> Result<Vec<FileChange>, GitError> {
        self.with(|repo| {
            let mut changes = Vec::new();
            let mut pairs = vec![(Vec::new(), Some(root_tree(repo, old)?), Some(root_tree(repo, new)?))];
            while let Some((dir, old, new)) = pairs.pop() {
                if old == new {
                    continue;
                }
                let (old, new) = (entries(repo, old)?, entries(repo, new)?);
                let names = old.keys().chain(new.keys().filter(|name| !old.contains_key(*name)));
                for name in names {
                    let (before, after) = (old.get(name), new.get(name));
                    if before == after {
                        continue;
                    }
                    let path = join(&dir, name);
                    let (old, new) = (content(before), content(after));
                    if (&old, &new) != (&Content::Absent, &Content::Absent) {
                        changes.push(FileChange { path: path::quote(&path), old, new });
                    }
                    let subtree =
                        |entry: Option<&TreeItem>| entry.filter(|entry| entry.mode == DIRECTORY).map(|e| e.id);
                    pairs.push((path, subtree(before), subtree(after)));
                }
                if changes.len() + pairs.len() > MOST_ENTRIES {
                    return Err(GitError::TooManyFiles("the difference".to_owned()));
                }
            }
            changes.sort_unstable_by(|a, b| a.path.cmp(&b.path));
            Ok(changes)
        })
    }

    fn tree_files(&self, commit: &str) -> Result<Vec<TreeFile>, GitError> {
        self.with(|repo| {
            let objects = repo.odb()?;
            let mut files = Vec::new();
            each_file(repo, commit, &mut |path, entry| {
                let size = objects.read_header(entry.id).ok().map(|(size, _)| size as u64);
                files.push(TreeFile { path: path::quote(&path), blob: entry.id.to_string(), size });
            })?;
            files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
            Ok(files)
        })
    }

    fn tree_id(&self, commit: &str) -> Result<Option<String>, GitError> {
        self.with(|repo| Ok(Some(root_tree(repo, commit)?.to_string())))
    }

    fn blobs(&self, commit: &str) -> Result<Vec<(String, String)>, GitError> {
        self.with(|repo| {
            let mut blobs = Vec::new();
            each_file(repo, commit, &mut |path, entry| blobs.push((path::quote(&path), entry.id.to_string())))?;
            Ok(blobs)
        })
    }

    fn is_blob(&self, blob: &str, bytes: &[u8]) -> bool {
        Oid::hash_object(ObjectType::Blob, bytes).is_ok_and(|id| id.to_string() == blob)
    }

    fn read_blob(&self, blob: &str) -> Result<Vec<u8>, GitError> {
        self.with(|repo| {
            let missing = |_| GitError::MissingObject(blob.to_owned());
            let id = Oid::from_str(blob).map_err(missing)?;
            Ok(repo.find_blob(id).map_err(missing)?.content().to_vec())
        })
    }

    fn id_length(&self) -> usize {
        20
    }

    fn config_path(&self, key: &str) -> Option<PathBuf> {
        self.setting(|config| config.get_path(key).ok())
    }

    fn config_bool(&self, key: &str) -> Option<bool> {
        self.setting(|config| config.get_bool(key).ok())
    }

    fn staged(&self) -> Option<Vec<u8>> {
        Git::new(&self.git_dir, None).staged()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct TreeItem {
    mode: u32,
    id: Oid,
}

/// The file that an entry is, if it is one.
fn content(entry: Option<&TreeItem>) -> Content {
    match entry.filter(|entry| is_regular(entry.mode)) {
        Some(entry) => Content::Blob(entry.id.to_string()),
        None => Content::Absent,
    }
}

/// Shows the regular files in a commit's tree.
fn each_file(repo: &git2::Repository, commit: &str, show: &mut dyn FnMut(Vec<u8>, TreeItem)) -> Result<(), GitError> {
    let mut dirs = vec![(Vec::new(), root_tree(repo, commit)?)];
    let mut seen = 0;
    while let Some((dir, id)) = dirs.pop() {
        for (name, entry) in entries(repo, Some(id))? {
            let path = join(&dir, &name);
            if entry.mode == DIRECTORY {
                dirs.push((path, entry.id));
            } else if is_regular(entry.mode) {
                seen += 1;
                show(path, entry);
            }
        }
        if seen + dirs.len() > MOST_ENTRIES {
            return Err(GitError::TooManyFiles(commit.to_owned()));
        }
    }
    Ok(())
}

fn root_tree(repo: &git2::Repository, commit: &str) -> Result<Oid, GitError> {
    let missing = |_| GitError::MissingObject(commit.to_owned());
    let id = Oid::from_str(commit).map_err(missing)?;
    Ok(repo.find_commit(id).map_err(missing)?.tree_id())
}

/// A tree's entries by name. A missing tree is an error; no tree at all has no entries.
fn entries(repo: &git2::Repository, tree: Option<Oid>) -> Result<BTreeMap<Vec<u8>, TreeItem>, GitError> {
    let Some(id) = tree else { return Ok(BTreeMap::new()) };
    let tree = repo.find_tree(id).map_err(|_| GitError::MissingObject(id.to_string()))?;
    let entry = |entry: git2::TreeEntry<'_>| {
        let mode = u32::try_from(entry.filemode_raw()).unwrap_or(0);
        (entry.name_bytes().to_vec(), TreeItem { mode, id: entry.id() })
    };
    Ok(tree.iter().map(entry).collect())
}

fn join(dir: &[u8], name: &[u8]) -> Vec<u8> {
    if dir.is_empty() { name.to_vec() } else { [dir, b"/", name].concat() }
}
