//! Finds the files that differ from the index, and reads them.
//!
//! A file with unchanged stat data counts as unchanged. There is one exception: when it was written just before it was
//! read, a second write could leave the same stat data (git calls such files "racily clean").

pub(crate) mod limits;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

use rustc_hash::FxHashMap;

use crate::{
    git::{GitError, Repository, TreeFile, patch::Patched, worktree::exclusions::Exclusions},
    index::{IndexError, search::documents},
    lang,
    model::{ContentHash, FileRecord, FileStat},
    store::Store,
    texts::documents::is_document,
};

/// Clocks of file systems tick this coarsely at worst, among those in use.
const RACY: Duration = Duration::from_millis(40);

/// Where the files come from.
pub(crate) enum FileSource<'r> {
    Worktree(&'r Repository),
    /// The files of one commit.
    Commit {
        repo: &'r Repository,
        files: BTreeMap<String, TreeFile>,
        commit: Option<String>,
    },
    /// Some files with contents that they need not have anywhere.
    Given {
        repo: &'r Repository,
        files: BTreeMap<String, Vec<u8>>,
    },
    /// The working tree with other contents of some files; `None` for a file that is gone.
    Patched {
        repo: &'r Repository,
        files: &'r Patched,
    },
}

impl<'r> FileSource<'r> {
    /// The working tree, or a revision; a bare repository has only revisions.
    pub(crate) fn of(repo: &'r Repository, rev: Option<&str>) -> Result<Self, GitError> {
        let commit = match rev {
            Some(rev) => Some(repo.resolve(rev)?),
            None if repo.root().is_none() => repo.head()?,
            None => return Ok(FileSource::Worktree(repo)),
        };
        let files = match &commit {
            Some(commit) => repo.tree_files(commit)?,
            None => Vec::new(),
        };
        let files = files.into_iter().filter(|file| is_wanted(&file.path));
        Ok(FileSource::Commit { repo, files: files.map(|file| (file.path.clone(), file)).collect(), commit })
    }

    pub(crate) fn repo(&self) -> &'r Repository {
        match self {
            FileSource::Worktree(repo)
            | FileSource::Commit { repo, .. }
            | FileSource::Given { repo, .. }
            | FileSource::Patched { repo, .. } => repo,
        }
    }

    /// The commit that the index describes, or stands on.
    pub(crate) fn commit(&self) -> Result<Option<String>, GitError> {
        match self {
            FileSource::Worktree(repo) | FileSource::Patched { repo, .. } => repo.head(),
            FileSource::Commit { commit, .. } => Ok(commit.clone()),
            FileSource::Given { .. } => Ok(None),
        }
    }

    /// All files to index with their stat data, sorted by path.
    pub(crate) fn list(&self) -> Result<Listing, GitError> {
        let all: Vec<(String, FileStat)> = match self {
            FileSource::Worktree(repo) => {
                let files = repo.worktree_files_where(&is_wanted)?;
                files.into_iter().map(|file| (file.path, file.stat)).collect()
            }
            FileSource::Commit { files, .. } => {
                files.values().map(|file| (file.path.clone(), blob_stat(file))).collect()
            }
            FileSource::Given { files, .. } => {
                files.iter().map(|(path, bytes)| (path.clone(), stat_of(bytes))).collect()
            }
            FileSource::Patched { repo, files } => {
                let there = repo.worktree_files_where(&|path| is_wanted(path) && !files.contains_key(path))?;
                let given = files.iter().filter(|(path, _)| is_wanted(path));
                let given = given.filter_map(|(path, bytes)| Some((path.clone(), content_stat(bytes.as_ref()?))));
                let mut all: Vec<_> = there.into_iter().map(|file| (file.path, file.stat)).chain(given).collect();
                all.sort_by(|a, b| a.0.cmp(&b.0));
                all
            }
        };
        let (mut files, mut documents): (Vec<_>, Vec<_>) = all.into_iter().partition(|(path, _)| is_indexed(path));
        // The ignore file is read once, not for each path.
        let is_left_out = self.left_out();
        files.retain(|(path, _)| !is_left_out(path));
        documents.retain(|(path, _)| is_document(path) && !is_left_out(path));
        Ok(Listing { files, documents })
    }

    /// A test of paths: those that the ignore file names.
    pub(crate) fn left_out(&self) -> impl Fn(&str) -> bool + use<> {
        let text = self.read(IGNORE_FILE).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let exclusions = text.map(|text| Exclusions::new(std::iter::once(text.as_str())));
        move |path| exclusions.as_ref().is_some_and(|exclusions| exclusions.has(path))
    }

    /// The stat data of one file; `None` when it is not there.
    pub(crate) fn stat(&self, path: &str) -> Option<FileStat> {
        match self {
            FileSource::Worktree(repo) => repo.stat(path),
            FileSource::Commit { files, .. } => files.get(path).map(blob_stat),
            FileSource::Given { files, .. } => files.get(path).map(|bytes| stat_of(bytes)),
            FileSource::Patched { repo, files } => match files.get(path) {
                Some(bytes) => bytes.as_ref().map(|bytes| content_stat(bytes)),
                None => repo.stat(path),
            },
        }
    }

    /// The bytes of one file.
    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        match self {
            FileSource::Worktree(repo) => repo.read(path).map_err(|error| error.kind().to_string()),
            FileSource::Commit { repo, files, .. } => match files.get(path) {
                Some(file) => repo.read_blob(&file.blob).map_err(|error| error.to_string()),
                None => Err("not in the commit".to_owned()),
            },
            FileSource::Given { files, .. } => files.get(path).cloned().ok_or_else(|| "not given".to_owned()),
            FileSource::Patched { repo, files } => match files.get(path) {
                Some(bytes) => bytes.clone().ok_or_else(|| "deleted by the patch".to_owned()),
                None => repo.read(path).map_err(|error| error.kind().to_string()),
            },
        }
    }
}

/// The Python files and documents of the working tree that the ignore file names. A bare repository has none.
///
/// # Errors
/// Git cannot list the files.
pub fn ignored(repo: &Repository) -> Result<Vec<String>, GitError> {
    if repo.root().is_none() {
        return Ok(Vec::new());
    }
    let is_left_out = FileSource::Worktree(repo).left_out();
    let files = repo.worktree_files_where(&|path| is_read(path) && is_left_out(path))?;
    Ok(files.into_iter().map(|file| file.path).collect())
}

/// Paths whose content may differ from the index; `None` for a file that is gone.
pub(crate) type ChangedPaths = BTreeMap<String, Option<FileStat>>;

/// The files to index.
pub(crate) struct Listing {
    pub(crate) files: Vec<(String, FileStat)>,
    pub(crate) documents: Vec<(String, FileStat)>,
}

/// The ignore file: what it names is indexed nowhere.
pub(crate) const IGNORE_FILE: &str = ".repoidxignore";

/// The id of the content stands in for the stat data of a file system.
fn blob_stat(file: &TreeFile) -> FileStat {
    let digits = file.blob.get(..16).unwrap_or("0");
    let inode = u64::from_str_radix(digits, 16).unwrap_or(0);
    FileStat { size: file.size.unwrap_or(0), mtime_ns: 0, ctime_ns: 0, inode }
}

fn stat_of(bytes: &[u8]) -> FileStat {
    FileStat { size: bytes.len() as u64, ..FileStat::default() }
}

/// Stat data by which equal contents are recognized.
fn content_stat(bytes: &[u8]) -> FileStat {
    let hash = blake3::hash(bytes);
    let inode = hash.as_bytes().iter().take(8).fold(0, |inode: u64, byte| (inode << 8) | u64::from(*byte));
    // The store keeps signed numbers.
    FileStat { size: bytes.len() as u64, mtime_ns: 0, ctime_ns: 0, inode: inode >> 1 }
}

/// Whether files of this name are indexed.
pub fn is_indexed(path: &str) -> bool {
    lang::language_of(path).is_some()
}

/// Whether files of this name are read: source files, and documents.
pub fn is_read(path: &str) -> bool {
    is_indexed(path) || is_document(path)
}

fn is_wanted(path: &str) -> bool {
    is_read(path) || path == IGNORE_FILE
}

/// The stat data to remember for a file that has just been read: none when a later write could go unnoticed.
pub(crate) fn lasting(stat: FileStat) -> FileStat {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let newest = u128::try_from(stat.mtime_ns.max(stat.ctime_ns)).unwrap_or(0);
    if newest > 0 && newest + RACY.as_nanos() > now.as_nanos() { FileStat::default() } else { stat }
}

/// The state of an index, compared with the working tree.
#[derive(Clone, Debug, Default)]
pub struct Freshness {
    pub head: Option<String>,
    /// The commit last synchronised to.
    pub indexed: Option<String>,
    /// Nothing differs from the working tree now.
    pub fresh: bool,
    /// Paths that differ, sorted.
    pub pending: Vec<String>,
}

impl Freshness {
    /// The state right after an update.
    pub fn current() -> Self {
        Self { fresh: true, ..Self::default() }
    }
}

/// Compares an index with the working tree (in a bare repository: with HEAD). Writes nothing.
///
/// # Errors
/// When the repository or the index cannot be read.
pub fn freshness(repo: &Repository, store: &Store) -> Result<Freshness, IndexError> {
    let source = FileSource::of(repo, None)?;
    let head = repo.head()?;
    let indexed = store.meta("indexed")?.filter(|commit| !commit.is_empty());
    let mut known: BTreeMap<String, FileRecord> =
        store.files()?.into_iter().map(|(_, file)| (file.path.clone(), file)).collect();
    let mut pending = Vec::new();
    let listing = source.list()?;
    for (path, stat) in listing.files {
        match known.remove(&path) {
            Some(file) if file.stat == stat || has_content(&source, &file) => {}
            _ => pending.push(path),
        }
    }
    // The files that are still in `known` are gone from disk.
    pending.extend(known.into_keys());
    pending.extend(documents::pending(store, &source, listing.documents)?);
    pending.sort();
    let fresh = pending.is_empty() && head == indexed;
    Ok(Freshness { head, indexed, fresh, pending })
}

/// Of these paths, those whose content in the index is not the one of the commit, in their order. Whether a file of the
/// index was edited can be asked of those alone that are edited or pending now: any other is as the commit has it.
///
/// # Errors
/// When the commit or the index cannot be read.
pub fn edited_in_index(
    repo: &Repository,
    store: &Store,
    commit: &str,
    paths: BTreeSet<String>,
) -> Result<Vec<String>, IndexError> {
    let is_left_out = FileSource::Worktree(repo).left_out();
    let committed: FxHashMap<String, String> =
        repo.tree_files(commit)?.into_iter().map(|file| (file.path, file.blob)).collect();
    let mut known: FxHashMap<String, (ContentHash, bool)> = FxHashMap::default();
    known
        .extend(store.files()?.into_iter().map(|(_, file)| (file.path, (file.content_hash, !file.skipped.is_empty()))));
    let documents = store.documents()?.into_iter();
    known.extend(documents.map(|(_, document)| (document.path, (document.content_hash, !document.skipped.is_empty()))));
    let mut edited = Vec::new();
    for path in paths.into_iter().filter(|path| !is_left_out(path)) {
        let known = match known.get(&path) {
            // The index has no text of a skipped file.
            Some((_, true)) => continue,
            Some((content_hash, false)) => Some(*content_hash),
            None => None,
        };
        let blob = committed.get(&path).map(|blob| repo.read_blob(blob)).transpose()?;
        if known != blob.map(|bytes| *blake3::hash(&bytes).as_bytes()) {
            edited.push(path);
        }
    }
    Ok(edited)
}

fn has_content(source: &FileSource<'_>, file: &FileRecord) -> bool {
    match source.read(&file.path) {
        Ok(bytes) => file.skipped.is_empty() && *blake3::hash(&bytes).as_bytes() == file.content_hash,
        Err(reason) => file.skipped == unreadable(&reason),
    }
}

/// Why a file that cannot be read is skipped.
pub(crate) fn unreadable(reason: &str) -> String {
    format!("cannot be read: {reason}")
}
