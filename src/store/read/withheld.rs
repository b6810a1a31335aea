//! A store that tells names and places of some files, but none of their source.
//!
//! Answers for language models are made from it. A definition of such a file has no signature, decorators or
//! docstring. Its file has no bodies, and its literals and sections have no text.

use std::{borrow::Cow, collections::BTreeSet};

use rustc_hash::FxHashSet;

use crate::{
    model::{ContentHash, FileId},
    store::{Store, error::StoreError, read::Entity},
    texts::secrets::{prose_without_secrets, without_secrets},
};

/// The files whose source is withheld; none in a usual store.
#[derive(Debug, Default)]
pub(crate) struct WithheldFiles {
    files: FxHashSet<FileId>,
    /// Contents that no other file has.
    contents: FxHashSet<ContentHash>,
    paths: BTreeSet<String>,
}

impl Store {
    /// Withholds the source of the files that `is_withheld` names, for as long as the store is open.
    pub fn withhold(&mut self, is_withheld: &dyn Fn(&str) -> bool) -> Result<(), StoreError> {
        let (hidden, shown): (Vec<_>, Vec<_>) =
            self.files()?.into_iter().partition(|(_, record)| is_withheld(&record.path));
        let mut contents: FxHashSet<ContentHash> = hidden.iter().map(|(_, record)| record.content_hash).collect();
        // An equal file that may be shown says nothing new.
        for (_, record) in &shown {
            contents.remove(&record.content_hash);
        }
        let documents = self.documents()?.into_iter().map(|(_, document)| document.path);
        let mut paths: BTreeSet<String> = documents.filter(|path| is_withheld(path)).collect();
        paths.extend(hidden.iter().map(|(_, record)| record.path.clone()));
        self.withheld = WithheldFiles { files: hidden.into_iter().map(|(file, _)| file).collect(), contents, paths };
        Ok(())
    }

    /// Whether the source of a file is withheld.
    pub fn withholds(&self, file: FileId) -> bool {
        self.withheld.files.contains(&file)
    }

    pub(crate) fn withholds_content(&self, content: &ContentHash) -> bool {
        self.withheld.contents.contains(content)
    }

    pub(crate) fn withholds_path(&self, path: &str) -> bool {
        self.withheld.paths.contains(path)
    }

    /// The files and documents whose source is withheld, sorted.
    pub fn withheld_paths(&self) -> impl Iterator<Item = &str> {
        self.withheld.paths.iter().map(String::as_str)
    }

    /// The entity as this store may show it, without secrets.
    pub(crate) fn shown(&self, mut entity: Entity) -> Entity {
        if self.withholds(entity.file) {
            entity.record.signature.clear();
            entity.record.doc.clear();
            entity.record.decorators.clear();
        }
        // Every answer that shows a signature has it from here: a default value can be a key.
        let record = &mut entity.record;
        let texts = std::iter::once(&mut record.signature).chain(&mut record.decorators);
        for text in texts.filter(|text| text.contains(['"', '\''])) {
            if let Cow::Owned(clean) = without_secrets(text) {
                *text = clean;
            }
        }
        if let Cow::Owned(clean) = prose_without_secrets(&record.doc) {
            record.doc = clean;
        }
        entity
    }
}
