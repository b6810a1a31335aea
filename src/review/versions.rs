//! The two versions of each file that a change touches.
//!
//! Goes in: paths with the places of their old and new contents. Comes out: facts and shapes of both sides. Reads and
//! parses in parallel; what is no source of an indexed language is left out.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::{
    facts::{FileFacts, shape::FileShape},
    git::{Content, FileChange, Repository},
    index::module_names,
    lang,
    model::{EntityKind, EntityRecord},
};

/// Larger files are not compared.
const MAX_BYTES: usize = 4 << 20;

/// One side of a changed file.
#[derive(Debug)]
pub(super) struct Version {
    pub(super) path: String,
    /// Dotted name from the import root.
    pub(super) module: String,
    pub(super) facts: FileFacts,
    pub(super) shape: FileShape,
    pub(super) text: String,
}

/// A file that differs.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) path: String,
    pub(super) old: Option<Version>,
    pub(super) new: Option<Version>,
    /// A side is there but could not be read, or was too large to compare.
    pub(super) is_unread: bool,
}

impl Version {
    pub(super) fn records(&self) -> &[EntityRecord] {
        &self.facts.bodies.records
    }

    /// The full name of an entity.
    pub(super) fn full_name(&self, index: usize) -> String {
        let record = &self.records()[index];
        crate::store::read::full_name(&self.module, &record.qualified, record.duplicate)
    }

    /// The kind of the entity around another one.
    pub(super) fn parent_kind(&self, index: usize) -> EntityKind {
        let parent = self.records()[index].parent as usize;
        self.records().get(parent).map_or(EntityKind::Module, |record| record.kind)
    }
}

/// Reads both sides of every changed file of an indexed language. `known` are the paths of the new tree.
pub(super) fn read(repo: &Repository, changes: &[FileChange], known: &[&str]) -> Vec<Pair> {
    let changes: Vec<&FileChange> = changes.iter().filter(|change| lang::language_of(&change.path).is_some()).collect();
    let is_new = |path: &str| changes.iter().any(|change| change.path == path && change.old == Content::Absent);
    let gone = changes.iter().filter(|change| change.new == Content::Absent).map(|change| change.path.as_str());
    let new_names = names(known.iter().copied());
    let old_names = names(known.iter().copied().filter(|path| !is_new(path)).chain(gone));
    let pairs: Vec<Option<Pair>> = changes
        .par_iter()
        .map(|change| {
            let (old, new) = (bytes(repo, &change.path, &change.old), bytes(repo, &change.path, &change.new));
            if old.is_some() && old == new {
                return None;
            }
            let is_there = |content: &Content| *content != Content::Absent;
            let is_unread = (is_there(&change.old) && old.is_none()) || (is_there(&change.new) && new.is_none());
            let language = lang::language_of(&change.path).expect("only indexed files are read");
            let both: Vec<&[u8]> = [&old, &new].into_iter().flatten().map(Vec::as_slice).collect();
            let mut read = (language.compare)(&both).into_iter();
            let mut side = |bytes: &Option<Vec<u8>>, names: &BTreeMap<&str, String>| {
                let (facts, shape) = bytes.as_ref().and_then(|_| read.next())?;
                let module = names.get(change.path.as_str()).cloned().unwrap_or_default();
                let text = String::from_utf8_lossy(bytes.as_ref()?).into_owned();
                Some(Version { path: change.path.clone(), module, facts, shape, text })
            };
            let (old, new) = (side(&old, &old_names), side(&new, &new_names));
            Some(Pair { path: change.path.clone(), old, new, is_unread })
        })
        .collect();
    pairs.into_iter().flatten().collect()
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
    };
    bytes.filter(|bytes| bytes.len() <= MAX_BYTES && !lang::python::is_binary(bytes))
}
