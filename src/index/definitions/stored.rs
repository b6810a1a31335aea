//! Questions answered from the index while an update runs.
//!
//! [`Stored`] sees the index as an open update leaves it, with the answers of the files that are resolved so far. It
//! gives the same answers as a full build of the same files.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    facts::Interface,
    index::definitions::{
        folders::{self, Paths},
        memory::join_contributions,
    },
    model::{Answer, EntityId, FileId},
    resolve::{
        Child, Definitions, ModuleInfo,
        values::{Entry, questions::Key},
    },
    store::{Store, error::StoreError, write::resolutions::Contribution},
};

/// Questions whose stored answers are remembered. Every round asks a file's questions again, and most have no answer.
const REMEMBERED: usize = 200_000;

/// The index as questions see it.
pub(crate) struct Stored<'a> {
    store: &'a Store,
    modules: RefCell<FxHashMap<FileId, Option<Arc<ModuleInfo>>>>,
    children: RefCell<FxHashMap<(String, String), Child>>,
    places: RefCell<FxHashMap<EntityId, Option<(FileId, u32)>>>,
    stored_answers: RefCell<FxHashMap<Key, Rc<[Contribution]>>>,
    /// Files whose stored answers no longer count.
    replaced: FxHashSet<FileId>,
    /// Their new answers.
    answers: FxHashMap<Key, Vec<Contribution>>,
    /// The first error met; answers after it do not count.
    error: RefCell<Option<StoreError>>,
}

impl<'a> Stored<'a> {
    pub(crate) fn new(store: &'a Store) -> Self {
        Stored {
            store,
            modules: RefCell::default(),
            children: RefCell::default(),
            places: RefCell::default(),
            stored_answers: RefCell::default(),
            replaced: FxHashSet::default(),
            answers: FxHashMap::default(),
            error: RefCell::default(),
        }
    }

    /// The error that made answers unreliable, if there was one.
    pub(crate) fn take_error(&self) -> Result<(), StoreError> {
        self.error.borrow_mut().take().map_or(Ok(()), Err)
    }

    /// From now on `answers` replace the stored answers of `file`.
    pub(crate) fn replace(&mut self, file: FileId, answers: &[Answer]) {
        self.replaced.insert(file);
        self.extend(file, answers);
    }

    /// Adds answers of a file already replaced.
    pub(crate) fn extend(&mut self, file: FileId, answers: &[Answer]) {
        for answer in answers {
            self.answers.entry(answer.key).or_default().push((file, answer.level, answer.values.clone()));
        }
    }

    fn stored_answers(&self, key: Key) -> Rc<[Contribution]> {
        if let Some(answers) = self.stored_answers.borrow().get(&key) {
            return Rc::clone(answers);
        }
        let answers: Rc<[Contribution]> = self.keep(self.store.answers(key)).unwrap_or_default().into();
        let mut remembered = self.stored_answers.borrow_mut();
        if remembered.len() >= REMEMBERED {
            remembered.clear();
        }
        remembered.insert(key, Rc::clone(&answers));
        answers
    }

    /// The contributions that count: stored ones of files that are not replaced, and new ones.
    fn contributions<'s>(&'s self, key: Key, stored: &'s [Contribution]) -> impl Iterator<Item = &'s Contribution> {
        let stored = stored.iter().filter(|(file, ..)| !self.replaced.contains(file));
        stored.chain(self.answers.get(&key).into_iter().flatten())
    }

    fn keep<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.error.borrow_mut().get_or_insert(error);
                None
            }
        }
    }

    fn read_module(&self, file: FileId) -> Result<Option<Arc<ModuleInfo>>, StoreError> {
        let Some(record) = self.store.file(file)? else { return Ok(None) };
        let interface = match self.store.interface(&record.content_hash)? {
            Some(bytes) => Interface::decode(&bytes).ok_or_else(|| StoreError::damaged("stored facts"))?,
            None => Interface::default(),
        };
        let entities = self.store.entity_ids(file)?;
        if entities.len() != interface.entities.len() {
            return Err(StoreError::damaged("a file's entities do not fit its facts"));
        }
        Ok(Some(Arc::new(ModuleInfo { file, path: record.path, interface, entities })))
    }
}

impl Paths for Store {
    type Error = StoreError;

    fn file(&self, path: &str) -> Result<Option<FileId>, StoreError> {
        self.file_id(path)
    }

    fn has_files_below(&self, folder: &str) -> Result<bool, StoreError> {
        Store::has_files_below(self, folder)
    }
}

impl Definitions for Stored<'_> {
    fn child(&self, directory: &str, name: &str) -> Child {
        let key = (directory.to_owned(), name.to_owned());
        if let Some(&child) = self.children.borrow().get(&key) {
            return child;
        }
        let child = self.keep(folders::child(self.store, directory, name)).unwrap_or_default();
        self.children.borrow_mut().insert(key, child);
        child
    }

    fn packages(&self, name: &str) -> Vec<String> {
        let files = self.keep(self.store.files_of_module(name)).unwrap_or_default();
        let mut roots: Vec<String> = files
            .into_iter()
            .filter_map(|file| {
                let info = self.module(file)?;
                let (root, package) = folders::package_of(&info.path)?;
                (package == name).then(|| root.to_owned())
            })
            .collect();
        roots.sort();
        roots.dedup();
        roots
    }

    fn definers(&self, name: &str) -> Vec<EntityId> {
        self.keep(self.store.classes_with(name)).unwrap_or_default()
    }

    fn module(&self, file: FileId) -> Option<Arc<ModuleInfo>> {
        if let Some(info) = self.modules.borrow().get(&file) {
            return info.clone();
        }
        let info = self.keep(self.read_module(file)).flatten();
        self.modules.borrow_mut().insert(file, info.clone());
        info
    }

    fn place(&self, entity: EntityId) -> Option<(FileId, u32)> {
        if let Some(&place) = self.places.borrow().get(&entity) {
            return place;
        }
        let place = self.keep(self.store.entity_place(entity)).flatten();
        self.places.borrow_mut().insert(entity, place);
        place
    }

    fn has_delta(&self, key: Key, round: u8, except: FileId) -> bool {
        let stored = self.stored_answers(key);
        self.contributions(key, &stored).any(|&(file, level, _)| file != except && level == round)
    }

    fn answers(&self, key: Key, round: u8, except: FileId) -> Vec<Entry> {
        let stored = self.stored_answers(key);
        let mut contributions: Vec<&Contribution> =
            self.contributions(key, &stored).filter(|&&(file, level, _)| file != except && level <= round).collect();
        contributions.sort_by_key(|(_, level, _)| level);
        join_contributions(contributions.into_iter().map(|(file, _, entries)| (*file, entries)))
    }
}
