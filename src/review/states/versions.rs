//! Both versions of each file that a change touches, parsed in parallel.
//!
//! Definitions that both sides share are left out (`unchanged_blanked`), and so are files of languages that are not
//! indexed.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{
    facts::{FileFacts, fingerprint::FileShape},
    git::{Content, FileChange, Repository},
    index::module_names,
    lang,
    model::{ContentHash, EntityKind, EntityRecord},
    query::graph::Graph,
    review::states::unchanged_blanked::{Blanked, without_unchanged},
    store::{
        Store,
        error::StoreError,
        read::{Entity, full_name, outline::Span},
    },
};

/// Larger files are not compared; in bytes.
const MAX_BYTES: usize = 4 << 20;

/// One side of a changed file.
#[derive(Debug)]
pub(crate) struct Version {
    pub(crate) path: String,
    /// Dotted name from the import root.
    pub(crate) module: String,
    pub(crate) facts: FileFacts,
    pub(crate) shape: FileShape,
    /// The whole text.
    pub(crate) text: String,
    /// Whether facts and fingerprint lack the definitions that both sides share.
    pub(crate) is_blanked: bool,
}

/// A file that differs.
#[derive(Debug)]
pub(crate) struct FilePair {
    pub(crate) path: String,
    pub(crate) old: Option<Version>,
    pub(crate) new: Option<Version>,
    /// Whether a side exists but could not be read or is too large.
    pub(crate) is_unread: bool,
}

impl Version {
    pub(crate) fn records(&self) -> &[EntityRecord] {
        &self.facts.bodies.records
    }

    /// The full name of an entity.
    pub(crate) fn full_name(&self, index: usize) -> String {
        let record = &self.records()[index];
        full_name(&self.module, &record.qualified, record.duplicate)
    }

    /// The entity of a record among the entities that the index has of the file.
    pub(crate) fn among<'e>(&self, index: usize, entities: &'e [Entity]) -> Option<&'e Entity> {
        let record = &self.records()[index];
        let is_it = |entity: &&Entity| {
            entity.record.qualified == record.qualified && entity.record.duplicate == record.duplicate
        };
        entities.iter().find(is_it)
    }

    /// The kind of an entity's parent.
    pub(crate) fn parent_kind(&self, index: usize) -> EntityKind {
        let parent = self.records()[index].parent as usize;
        self.records().get(parent).map_or(EntityKind::Module, |record| record.kind)
    }
}

/// The entities of the changed files in the index, each file read once.
#[derive(Default)]
pub(crate) struct IndexedEntities {
    by_pair: RefCell<FxHashMap<usize, Rc<Vec<Entity>>>>,
}

impl IndexedEntities {
    /// The entities of the pair with this number; none if the file is gone.
    pub(crate) fn of(&self, store: &Store, pairs: &[FilePair], number: usize) -> Result<Rc<Vec<Entity>>, StoreError> {
        if let Some(found) = self.by_pair.borrow().get(&number) {
            return Ok(Rc::clone(found));
        }
        let found = match store.file_id(&pairs[number].path)? {
            Some(file) => store.entities_of(file)?,
            None => Vec::new(),
        };
        let found = Rc::new(found);
        self.by_pair.borrow_mut().insert(number, Rc::clone(&found));
        Ok(found)
    }
}

/// Contents of the newer state that the index already has.
pub(crate) struct IndexedContents<'g> {
    /// Paths of all files, sorted.
    paths: Vec<&'g str>,
    /// Content hashes and definitions of changed files that parsed completely.
    definitions: BTreeMap<&'g str, (ContentHash, Vec<Span>)>,
}

impl IndexedContents<'_> {
    /// No index is at hand: both sides are parsed as a whole, and modules have no names.
    pub(crate) fn unknown() -> Self {
        Self { paths: Vec::new(), definitions: BTreeMap::new() }
    }
}

impl<'g> IndexedContents<'g> {
    pub(crate) fn of(graph: &'g Graph, changes: &'g [FileChange]) -> Result<Self, StoreError> {
        let mut paths: Vec<&str> = graph.files().map(|file| file.path.as_str()).collect();
        paths.sort_unstable();
        let mut definitions = BTreeMap::new();
        for change in changes {
            let Some(id) = graph.store.file_id(&change.path)? else { continue };
            let Some(file) = graph.file(id).filter(|file| !file.is_partial && file.skipped.is_empty()) else {
                continue;
            };
            definitions.insert(change.path.as_str(), (file.content_hash, graph.store.definitions_of(id)?));
        }
        Ok(Self { paths, definitions })
    }

    /// The definitions in these bytes, if the index has them under this path.
    fn definitions(&self, path: &str, bytes: &[u8]) -> &[Span] {
        match self.definitions.get(path) {
            Some((content, spans)) if blake3::hash(bytes).as_bytes() == content => spans,
            _ => &[],
        }
    }
}

/// Reads both sides of every changed file of an indexed language.
pub(crate) fn read(repo: &Repository, changes: &[FileChange], known: &IndexedContents<'_>) -> Vec<FilePair> {
    let changes: Vec<&FileChange> = changes.iter().filter(|change| lang::language_of(&change.path).is_some()).collect();
    let is_new = |path: &str| changes.iter().any(|change| change.path == path && change.old == Content::Absent);
    let gone = changes.iter().filter(|change| change.new == Content::Absent).map(|change| change.path.as_str());
    let new_names = names(known.paths.iter().copied());
    let old_names = names(known.paths.iter().copied().filter(|path| !is_new(path)).chain(gone));
    let read: Vec<Option<UnparsedPair>> = changes
        .par_iter()
        .map(|change| {
            let (old, new) = (bytes(repo, &change.path, &change.old), bytes(repo, &change.path, &change.new));
            // Git also lists files whose mode alone changed.
            if old.is_some() && old == new {
                return None;
            }
            let is_there = |content: &Content| *content != Content::Absent;
            let is_unread = (is_there(&change.old) && old.is_none()) || (is_there(&change.new) && new.is_none());
            let definitions = new.as_ref().map_or(&[][..], |bytes| known.definitions(&change.path, bytes));
            Some(UnparsedPair::of(&change.path, [old, new], definitions, is_unread))
        })
        .collect();
    let mut read: Vec<UnparsedPair> = read.into_iter().flatten().collect();
    // Large files first: all threads would wait for one that begins last.
    read.sort_by_key(|reading| std::cmp::Reverse(reading.length()));
    let mut pairs: Vec<FilePair> = read
        .into_par_iter()
        .with_max_len(1)
        .map(|reading| {
            let (path, is_unread) = (reading.path, reading.is_unread);
            let (sides, is_blanked) = reading.compared();
            let mut all_names = [&old_names, &new_names].into_iter();
            let [old, new] = sides.map(|side| {
                let names = all_names.next()?;
                let (text, facts, shape) = side?;
                let module = names.get(path).cloned().unwrap_or_default();
                Some(Version { path: path.to_owned(), module, facts, shape, text, is_blanked })
            });
            FilePair { path: path.to_owned(), old, new, is_unread }
        })
        .collect();
    pairs.sort_by(|a, b| a.path.cmp(&b.path));
    pairs
}

/// A changed file before it is parsed.
struct UnparsedPair<'r> {
    path: &'r str,
    /// Which sides exist; their texts are below.
    is_there: [bool; 2],
    texts: Vec<String>,
    bytes: Vec<Vec<u8>>,
    /// Both texts without shared definitions, where these are known.
    blanked: Option<Blanked>,
    is_unread: bool,
}

/// The text, facts and fingerprint of a side; `None` if it does not exist.
type Side = Option<(String, FileFacts, FileShape)>;

impl<'r> UnparsedPair<'r> {
    /// `definitions` are the known definitions of the newer side.
    fn of(path: &'r str, sides: [Option<Vec<u8>>; 2], definitions: &[Span], is_unread: bool) -> Self {
        let is_there = sides.each_ref().map(Option::is_some);
        let bytes: Vec<Vec<u8>> = sides.into_iter().flatten().collect();
        let texts: Vec<String> = bytes.iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect();
        let is_utf8 = texts.iter().zip(&bytes).all(|(text, bytes)| text.len() == bytes.len());
        let blanked = match texts.as_slice() {
            [old, new] if is_utf8 => without_unchanged(old, new, definitions),
            _ => None,
        };
        Self { path, is_there, texts, bytes, blanked, is_unread }
    }

    /// Bytes to parse, without empty lines.
    fn length(&self) -> usize {
        match &self.blanked {
            Some(blanked) => blanked.length(),
            None => self.bytes.iter().map(Vec::len).sum(),
        }
    }

    /// Both sides, and whether they lack the shared definitions.
    fn compared(self) -> ([Side; 2], bool) {
        let compare = lang::language_of(self.path).expect("only indexed files are read").compare;
        let in_short = self.blanked.and_then(|blanked| {
            let found = compare(&[blanked.old.as_bytes(), blanked.new.as_bytes()]);
            blanked.is_sound(&found[0].0, &found[1].0).then_some(found)
        });
        let is_blanked = in_short.is_some();
        let found = in_short.unwrap_or_else(|| compare(&self.bytes.iter().map(Vec::as_slice).collect::<Vec<_>>()));
        let mut found = self.texts.into_iter().zip(found).map(|(text, (facts, shape))| (text, facts, shape));
        (self.is_there.map(|is_there| if is_there { found.next() } else { None }), is_blanked)
    }
}

fn names<'p>(paths: impl Iterator<Item = &'p str>) -> BTreeMap<&'p str, String> {
    let mut paths: Vec<&str> = paths.filter(|path| lang::language_of(path).is_some()).collect();
    paths.sort_unstable();
    paths.dedup();
    let names = module_names(&paths);
    paths.into_iter().zip(names).collect()
}

fn bytes(repo: &Repository, path: &str, content: &Content) -> Option<Vec<u8>> {
    let bytes = match content {
        Content::Absent => None,
        Content::Blob(id) => repo.read_blob(id).ok(),
        Content::Worktree => repo.read(path).ok(),
        Content::Given(bytes) => Some(bytes.to_vec()),
    };
    bytes.filter(|bytes| bytes.len() <= MAX_BYTES && !lang::python::is_binary(bytes))
}
