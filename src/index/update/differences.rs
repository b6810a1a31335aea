//! Finds the paths that an update has to look at.
//!
//! By default every path of the working tree is compared with the index, by stat data. After a commit, a comparison of
//! two trees names the differing paths, which is far quicker.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{
    git::{Content, FileChange},
    index::{
        IndexError, UpdateScope,
        scan::{ChangedPaths, FileSource, IGNORE_FILE, Listing, is_indexed},
        search::documents,
    },
    model::{ContentHash, FileStat},
    store::{Store, Update},
    texts::documents::is_document,
};

/// Above this number of changed files the comparison with the commit is skipped: it reads one blob for each.
const MOST_COMPARED: usize = 100;

/// The paths that an update has to look at.
#[derive(Default)]
pub(super) struct Differences {
    pub(super) files: ChangedPaths,
    pub(super) documents: ChangedPaths,
    /// The changes of the commit, sorted by path; `None` where they were not needed.
    pub(super) committed: Option<Vec<FileChange>>,
}

impl Differences {
    /// The differences within `scope`; `commit` is the one that the source stands on.
    pub(super) fn of(
        store: &Store,
        source: &FileSource<'_>,
        scope: UpdateScope,
        commit: Option<&str>,
    ) -> Result<Differences, IndexError> {
        let is_near = match scope {
            UpdateScope::Worktree => return differences_everywhere(store, source),
            UpdateScope::Commits => true,
            UpdateScope::CommitsInBurst => was_settled(store)?,
        };
        let indexed = store.meta("indexed")?.filter(|indexed| !indexed.is_empty());
        // The indexed commit may be gone (pruned, shallow clone): then only a look at all files helps.
        let changes =
            indexed.zip(commit).and_then(|(indexed, commit)| source.repo().tree_changes(&indexed, commit).ok());
        let Some(changes) = changes else { return differences_everywhere(store, source) };
        // A new ignore file changes which files count, also those that the commit did not touch.
        if is_near && changes.iter().all(|change| change.path != IGNORE_FILE) {
            return differences_between(store, source, changes);
        }
        Ok(Differences { committed: Some(changes), ..differences_everywhere(store, source)? })
    }
}

fn differences_between(
    store: &Store,
    source: &FileSource<'_>,
    changes: Vec<FileChange>,
) -> Result<Differences, IndexError> {
    let mut differences = Differences::default();
    let is_left_out = source.left_out();
    for FileChange { path, .. } in changes.iter().filter(|change| !is_left_out(&change.path)) {
        let stat = source.stat(path);
        if is_document(path) {
            differences.documents.insert(path.clone(), stat);
        } else if is_indexed(path) && (stat.is_some() || store.file_id(path)?.is_some()) {
            differences.files.insert(path.clone(), stat);
        }
    }
    differences.committed = Some(changes);
    Ok(differences)
}

/// Whether the last update found every file as its commit has it.
pub(super) fn was_settled(store: &Store) -> Result<bool, IndexError> {
    Ok(store.meta("settled")?.is_some_and(|settled| settled == "yes"))
}

/// Whether the commit changed all files that were `read`, and the index holds the committed content of each. Then no
/// file changed while it was read.
pub(super) fn is_as_committed(
    update: &Update<'_>,
    source: &FileSource<'_>,
    changes: Option<&[FileChange]>,
    read: &[String],
) -> Result<bool, IndexError> {
    let Some(changes) = changes.filter(|changes| changes.len() <= MOST_COMPARED) else { return Ok(false) };
    if !read.iter().all(|path| changes.binary_search_by(|change| change.path.cmp(path)).is_ok()) {
        return Ok(false);
    }
    for FileChange { path, new, .. } in changes.iter().filter(|change| is_indexed(&change.path)) {
        let known = match update.file_id(path)? {
            Some(file) => update.file(file)?.map(|file| file.content_hash),
            None => None,
        };
        let committed = match new {
            // A partial clone may lack the content: then nothing can be compared.
            Content::Blob(id) => match source.repo().read_blob(id) {
                Ok(bytes) => Some(*blake3::hash(&bytes).as_bytes()),
                Err(_) => return Ok(false),
            },
            Content::Absent | Content::Worktree | Content::Given(_) => None,
        };
        if known != committed {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The number of changes of content. A change of the source (worktree or commit) gives every file other stat data.
pub(super) fn differing(store: &Store, source: &FileSource<'_>, changes: &ChangedPaths) -> Result<usize, IndexError> {
    let known: FxHashMap<String, ContentHash> =
        store.files()?.into_iter().map(|(_, file)| (file.path, file.content_hash)).collect();
    let is_same = |(path, _): &(&String, &Option<FileStat>)| {
        known
            .get(*path)
            .is_some_and(|hash| source.read(path).is_ok_and(|bytes| blake3::hash(&bytes).as_bytes() == hash))
    };
    Ok(changes.iter().collect::<Vec<_>>().into_par_iter().filter(|change| !is_same(change)).count())
}

fn differences_everywhere(store: &Store, source: &FileSource<'_>) -> Result<Differences, IndexError> {
    let mut changes = ChangedPaths::new();
    let mut listing = None;
    // A connection cannot leave its thread, so another thread looks at the worktree meanwhile.
    let known = rayon::in_place_scope(|scope| {
        scope.spawn(|_| listing = Some(source.list()));
        store.file_stats()
    });
    let mut known: FxHashMap<String, FileStat> = known?.into_iter().collect();
    let Listing { files, documents } = listing.expect("the scope waits for it")?;
    for (path, stat) in files {
        match known.remove(&path) {
            Some(known) if known == stat => {}
            _ => {
                changes.insert(path, Some(stat));
            }
        }
    }
    changes.extend(known.into_keys().map(|path| (path, None)));
    Ok(Differences { files: changes, documents: documents::changes(store, documents)?, committed: None })
}
