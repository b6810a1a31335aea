//! The index as a graph that remembers what it read.
//!
//! Goes in: a store. Comes out: entities, incoming relationships and overridden methods by id, each read once, and an
//! order of entities that does not depend on their ids. Does not know what is asked.

use std::{cell::RefCell, rc::Rc};

use rustc_hash::FxHashMap;

use crate::{
    model::{EntityId, FileId, FileRecord, Relationship, RelationshipKind, Unresolved},
    store::{Store, error::StoreError, read::Entity},
};

/// Place of an entity in the order of paths and lines. Equal trees give equal orders, whatever their history.
pub type Order = (u32, u32, u32, u8);

type BySource = FxHashMap<EntityId, Vec<Relationship>>;

/// A reading cache over one store.
pub struct Graph<'s> {
    pub store: &'s Store,
    files: FxHashMap<FileId, (u32, FileRecord)>,
    entities: RefCell<FxHashMap<EntityId, Rc<Entity>>>,
    /// `overrides` relationships of the files read so far, by source.
    overridden: RefCell<FxHashMap<FileId, BySource>>,
    unresolved: RefCell<FxHashMap<String, Rc<Vec<Unresolved>>>>,
    named: RefCell<FxHashMap<String, Rc<Vec<Entity>>>>,
}

impl<'s> Graph<'s> {
    /// Reads the list of files and nothing else.
    pub fn new(store: &'s Store) -> Result<Self, StoreError> {
        let files = store.files()?;
        let ranked = files.into_iter().zip(0_u32..).map(|((id, record), rank)| (id, (rank, record)));
        Ok(Self {
            store,
            files: ranked.collect(),
            entities: RefCell::default(),
            overridden: RefCell::default(),
            unresolved: RefCell::default(),
            named: RefCell::default(),
        })
    }

    /// The entity with this id. Every id in a relationship belongs to one; a stale one gives `None`.
    pub fn entity(&self, id: EntityId) -> Result<Option<Rc<Entity>>, StoreError> {
        if let Some(entity) = self.entities.borrow().get(&id) {
            return Ok(Some(Rc::clone(entity)));
        }
        let Some(entity) = self.store.entity(id)? else { return Ok(None) };
        let entity = Rc::new(entity);
        self.entities.borrow_mut().insert(id, Rc::clone(&entity));
        Ok(Some(entity))
    }

    /// What the index keeps of a file.
    pub fn file(&self, id: FileId) -> Option<&FileRecord> {
        self.files.get(&id).map(|(_, record)| record)
    }

    /// All files, in no order.
    pub fn files(&self) -> impl Iterator<Item = &FileRecord> {
        self.files.values().map(|(_, record)| record)
    }

    /// Relationships to an entity.
    pub fn incoming(&self, id: EntityId) -> Result<Vec<Relationship>, StoreError> {
        self.store.incoming(id)
    }

    /// The methods that a method overrides.
    pub fn overridden(&self, method: &Entity) -> Result<Vec<Relationship>, StoreError> {
        if let Some(by_source) = self.overridden.borrow().get(&method.file) {
            return Ok(by_source.get(&method.id).cloned().unwrap_or_default());
        }
        let mut by_source = BySource::default();
        for relationship in self.store.resolution(method.file)?.unwrap_or_default().relationships {
            if relationship.kind == RelationshipKind::Overrides {
                by_source.entry(relationship.source).or_default().push(relationship);
            }
        }
        let found = by_source.get(&method.id).cloned().unwrap_or_default();
        self.overridden.borrow_mut().insert(method.file, by_source);
        Ok(found)
    }

    /// Occurrences of a name that could not be resolved.
    pub fn unresolved_named(&self, name: &str) -> Result<Rc<Vec<Unresolved>>, StoreError> {
        if let Some(found) = self.unresolved.borrow().get(name) {
            return Ok(Rc::clone(found));
        }
        let found = Rc::new(self.store.unresolved_named(name)?);
        self.unresolved.borrow_mut().insert(name.to_owned(), Rc::clone(&found));
        Ok(found)
    }

    /// Entities with a simple name.
    pub fn named(&self, name: &str) -> Result<Rc<Vec<Entity>>, StoreError> {
        if let Some(found) = self.named.borrow().get(name) {
            return Ok(Rc::clone(found));
        }
        let found = Rc::new(self.store.entities_named(name, false)?);
        self.named.borrow_mut().insert(name.to_owned(), Rc::clone(&found));
        Ok(found)
    }

    /// Place of an entity among all entities.
    pub fn order(&self, entity: &Entity) -> Order {
        let rank = self.files.get(&entity.file).map_or(u32::MAX, |(rank, _)| *rank);
        (rank, entity.record.line, entity.record.column, entity.record.kind as u8)
    }
}
