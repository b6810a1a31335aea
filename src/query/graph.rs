//! The index as a graph that reads each part once.
//!
//! It caches entities, incoming relationships and overridden methods by id. Its order of entities follows paths and
//! lines, not ids: equal trees give equal orders.

use std::{cell::RefCell, cmp::Ordering, collections::hash_map::Entry, rc::Rc};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    model::{EntityId, FileId, FileRecord, Relationship, RelationshipKind, Unresolved},
    query::written::{WrittenCode, WrittenFiles},
    store::{
        Store,
        error::StoreError,
        read::{Entity, entity_headers::Head, full_name},
    },
};

/// Place of an entity in the order of paths and lines. Equal trees give equal orders, whatever their history.
pub type Order = (u32, u32, u32, u8);

type BySource = FxHashMap<EntityId, Vec<Relationship>>;
type ByName = FxHashMap<String, Vec<Unresolved>>;
/// Attributes by definition and by the text of the receiver.
type ByReceiver = FxHashMap<(EntityId, String), Vec<String>>;

/// The files that refer to one file. A central file has a hundred thousand incoming relationships. As long as few
/// callers ask, it is cheaper to search the outgoing relationships of those callers. Those of a file with few are read
/// at once.
enum Neighbors {
    Unread { entities: Rc<[EntityId]>, asked: usize },
    Read(FxHashSet<FileId>),
}

/// Number of questions about one file that are answered from the outgoing side.
const FEW: usize = 100;
/// Incoming relationships that cost less than the outgoing ones of two or three callers.
const FEW_REFERENCES: u32 = 2_000;

/// A reading cache over one store.
pub struct Graph<'s> {
    pub store: &'s Store,
    files: FxHashMap<FileId, (u32, FileRecord)>,
    heads: RefCell<FxHashMap<EntityId, Rc<Head>>>,
    entities: RefCell<FxHashMap<EntityId, Rc<Entity>>>,
    /// `overrides`, `inherits`, `registers` and `implemented_by` relationships of the files read so far, by source.
    structure: RefCell<FxHashMap<FileId, BySource>>,
    unresolved: RefCell<FxHashMap<String, Rc<Vec<Unresolved>>>>,
    /// Unresolved occurrences of the files read so far, by name. Each file is unpacked once, however many names are
    /// asked for.
    unresolved_by_file: RefCell<FxHashMap<FileId, Rc<ByName>>>,
    /// Attributes that are accessed on receivers of unknown type.
    asked: RefCell<FxHashMap<FileId, Rc<ByReceiver>>>,
    neighbors: RefCell<FxHashMap<FileId, Neighbors>>,
    /// Entities that each file refers to, sorted.
    targets: RefCell<FxHashMap<FileId, Rc<[EntityId]>>>,
    named: RefCell<FxHashMap<String, Rc<Vec<Entity>>>>,
    written: WrittenFiles,
}

impl<'s> Graph<'s> {
    /// Reads the list of files and nothing else.
    pub fn new(store: &'s Store) -> Result<Self, StoreError> {
        let files = store.files()?;
        let ranked = files.into_iter().zip(0_u32..).map(|((id, record), rank)| (id, (rank, record)));
        Ok(Self {
            store,
            files: ranked.collect(),
            heads: RefCell::default(),
            entities: RefCell::default(),
            structure: RefCell::default(),
            unresolved: RefCell::default(),
            unresolved_by_file: RefCell::default(),
            asked: RefCell::default(),
            neighbors: RefCell::default(),
            targets: RefCell::default(),
            named: RefCell::default(),
            written: WrittenFiles::default(),
        })
    }

    /// The head of the entity with this id.
    pub fn head(&self, id: EntityId) -> Result<Option<Rc<Head>>, StoreError> {
        if let Some(head) = self.heads.borrow().get(&id) {
            return Ok(Some(Rc::clone(head)));
        }
        let Some(head) = self.store.head(id)? else { return Ok(None) };
        let head = Rc::new(head);
        self.heads.borrow_mut().insert(id, Rc::clone(&head));
        Ok(Some(head))
    }

    /// The entity with this id. Every id in a relationship has an entity; a stale id gives `None`.
    pub fn entity(&self, id: EntityId) -> Result<Option<Rc<Entity>>, StoreError> {
        if let Some(entity) = self.entities.borrow().get(&id) {
            return Ok(Some(Rc::clone(entity)));
        }
        let Some(entity) = self.store.entity(id)? else { return Ok(None) };
        let entity = Rc::new(entity);
        self.entities.borrow_mut().insert(id, Rc::clone(&entity));
        Ok(Some(entity))
    }

    /// The record of a file.
    pub fn file(&self, id: FileId) -> Option<&FileRecord> {
        self.files.get(&id).map(|(_, record)| record)
    }

    /// The share of the files outside of tests that have coroutines, 0 to 1.
    pub(crate) fn async_share(&self) -> Result<f64, StoreError> {
        let with_async = self.store.files_with_async()?;
        let code = self.files.iter().filter(|(_, (_, file))| !file.is_test && file.skipped.is_empty());
        let (mut all, mut asynchronous) = (0_u32, 0_u32);
        for (id, _) in code {
            all += 1;
            asynchronous += u32::from(with_async.contains(id));
        }
        Ok(f64::from(asynchronous) / f64::from(all.max(1)))
    }

    /// The code of the file of an entity, as it was indexed.
    pub(crate) fn code_around(&self, head: &Head) -> Result<Rc<WrittenCode>, StoreError> {
        self.file(head.file).map_or_else(|| Ok(Rc::default()), |file| self.written.of(self.store, file))
    }

    /// The files whose path begins with a prefix, in their order.
    pub fn files_below(&self, folder: &str) -> Vec<FileId> {
        let below = self.files.iter().filter(|(_, (_, file))| file.path.starts_with(folder));
        let mut files: Vec<(u32, FileId)> = below.map(|(&id, (rank, _))| (*rank, id)).collect();
        files.sort_unstable();
        files.into_iter().map(|(_, file)| file).collect()
    }

    /// All files, in no order.
    pub fn files(&self) -> impl Iterator<Item = &FileRecord> {
        self.files.values().map(|(_, record)| record)
    }

    /// Relationships to an entity.
    pub fn incoming(&self, id: EntityId) -> Result<Vec<Relationship>, StoreError> {
        self.store.incoming(id)
    }

    /// Relationships to an entity, one per source and kind: the strongest, then the first.
    pub fn dependents(&self, id: EntityId) -> Result<Vec<Relationship>, StoreError> {
        self.store.dependents(id)
    }

    /// The classes that derive from a class directly.
    pub fn heirs(&self, class: EntityId) -> Result<Vec<Relationship>, StoreError> {
        self.store.incoming_of(class, RelationshipKind::Inherits)
    }

    /// The definitions that a definition decorates.
    pub fn decorated_with(&self, decorator: EntityId) -> Result<Vec<Relationship>, StoreError> {
        self.store.incoming_of(decorator, RelationshipKind::Decorates)
    }

    /// The methods that a method overrides.
    pub fn overridden(&self, method: &Head) -> Result<Vec<Relationship>, StoreError> {
        self.outgoing(method, RelationshipKind::Overrides)
    }

    /// The protocol methods that a method implements without inheriting them, as if it overrode them.
    pub fn asked_for(&self, method: &Head) -> Result<Vec<Relationship>, StoreError> {
        let stored = self.store.incoming_of(method.id, RelationshipKind::ImplementedBy)?;
        let (source, kind, line, column) = (method.id, RelationshipKind::Overrides, method.line, method.column);
        let overrides = |edge: Relationship| Relationship { target: edge.source, kind, source, line, column, ..edge };
        Ok(stored.into_iter().map(overrides).collect())
    }

    /// The methods that implement a method of a protocol, as if they overrode it.
    pub fn implementing(&self, member: &Head) -> Result<Vec<Relationship>, StoreError> {
        let mut found = Vec::new();
        for stored in self.outgoing(member, RelationshipKind::ImplementedBy)? {
            let Some(implementing) = self.head(stored.target)? else { continue };
            let (target, kind, basis) = (member.id, RelationshipKind::Overrides, stored.basis);
            let Head { id: source, line, column, .. } = *implementing;
            found.push(Relationship { target, kind, source, line, column, basis });
        }
        Ok(found)
    }

    /// The classes that a class derives from directly.
    pub fn bases(&self, class: &Head) -> Result<Vec<Relationship>, StoreError> {
        self.outgoing(class, RelationshipKind::Inherits)
    }

    /// A class and all its bases, the nearest first, each once.
    pub fn lineage(&self, class: EntityId) -> Result<Vec<Rc<Head>>, StoreError> {
        let mut lineage: Vec<Rc<Head>> = self.head(class)?.into_iter().collect();
        let mut next = 0;
        while let Some(class) = lineage.get(next).map(Rc::clone) {
            next += 1;
            for inherits in self.bases(&class)? {
                if lineage.iter().all(|known| known.id != inherits.target) {
                    lineage.extend(self.head(inherits.target)?);
                }
            }
        }
        Ok(lineage)
    }

    /// All relationships of a file, in no order.
    pub fn relationships_of(&self, file: FileId) -> Result<Vec<Relationship>, StoreError> {
        self.store.relationships_of(file)
    }

    /// The definitions with which a definition is registered.
    pub fn registered(&self, head: &Head) -> Result<Vec<Relationship>, StoreError> {
        self.outgoing(head, RelationshipKind::Registers)
    }

    fn outgoing(&self, head: &Head, kind: RelationshipKind) -> Result<Vec<Relationship>, StoreError> {
        if !self.structure.borrow().contains_key(&head.file) {
            let mut by_source = BySource::default();
            for relationship in self.store.structure_of(head.file)? {
                by_source.entry(relationship.source).or_default().push(relationship);
            }
            self.structure.borrow_mut().insert(head.file, by_source);
        }
        let structure = self.structure.borrow();
        let found = structure.get(&head.file).and_then(|by_source| by_source.get(&head.id));
        let found = found.into_iter().flatten().copied().filter(|relationship| relationship.kind == kind);
        let mut found: Vec<Relationship> = found.collect();
        drop(structure);
        if found.len() > 1 {
            // The index sorts by id, which tells its history: the first of several bases must not depend on it.
            let mut keyed = Vec::with_capacity(found.len());
            for relationship in found {
                let order = self.head(relationship.target)?.map(|target| self.order(&target));
                keyed.push((order, relationship));
            }
            keyed.sort_by_key(|(order, _)| *order);
            found = keyed.into_iter().map(|(_, relationship)| relationship).collect();
        }
        Ok(found)
    }

    /// Occurrences of a name that could not be resolved, sorted by path and position.
    pub fn unresolved_named(&self, name: &str) -> Result<Rc<Vec<Unresolved>>, StoreError> {
        if let Some(found) = self.unresolved.borrow().get(name) {
            return Ok(Rc::clone(found));
        }
        let mut found = Vec::new();
        for file in self.files_with_unresolved(name)? {
            found.extend(self.unresolved_in(file, name)?);
        }
        let found = Rc::new(found);
        self.unresolved.borrow_mut().insert(name.to_owned(), Rc::clone(&found));
        Ok(found)
    }

    /// The files with unresolved occurrences of a name, sorted by path.
    pub fn files_with_unresolved(&self, name: &str) -> Result<Vec<FileId>, StoreError> {
        self.store.files_with_unresolved(name)
    }

    /// The unresolved occurrences of a name in one file, by position.
    pub fn unresolved_in(&self, file: FileId, name: &str) -> Result<Vec<Unresolved>, StoreError> {
        Ok(self.unresolved_by_name(file)?.get(name).cloned().unwrap_or_default())
    }

    fn unresolved_by_name(&self, file: FileId) -> Result<Rc<ByName>, StoreError> {
        if let Some(by_name) = self.unresolved_by_file.borrow().get(&file) {
            return Ok(Rc::clone(by_name));
        }
        let mut by_name = ByName::default();
        for unresolved in self.store.unresolved_of(file)? {
            match by_name.get_mut(&unresolved.name) {
                Some(list) => list.push(unresolved),
                None => drop(by_name.insert(unresolved.name.clone(), vec![unresolved])),
            }
        }
        let by_name = Rc::new(by_name);
        self.unresolved_by_file.borrow_mut().insert(file, Rc::clone(&by_name));
        Ok(by_name)
    }

    /// The unresolved attributes that a definition accesses on a receiver of this name, each once.
    pub fn asked(&self, source: &Head, receiver: &str) -> Result<Vec<String>, StoreError> {
        let known = self.asked.borrow().get(&source.file).map(Rc::clone);
        let by_receiver = match known {
            Some(known) => known,
            None => {
                let mut by_receiver = ByReceiver::default();
                for unresolved in self.store.unresolved_of(source.file)? {
                    if !unresolved.reason.is_of_attribute() || unresolved.receiver.is_empty() {
                        continue;
                    }
                    let names = by_receiver.entry((unresolved.source, unresolved.receiver)).or_default();
                    if !names.contains(&unresolved.name) {
                        names.push(unresolved.name);
                    }
                }
                let by_receiver = Rc::new(by_receiver);
                self.asked.borrow_mut().insert(source.file, Rc::clone(&by_receiver));
                by_receiver
            }
        };
        Ok(by_receiver.get(&(source.id, receiver.to_owned())).cloned().unwrap_or_default())
    }

    /// Whether `file` refers to anything in `other`.
    pub fn refers(&self, file: FileId, other: FileId) -> Result<bool, StoreError> {
        let mut neighbors = self.neighbors.borrow_mut();
        let known = match neighbors.entry(other) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) if self.store.has_few_references(other, FEW_REFERENCES)? => {
                place.insert(Neighbors::Read(self.store.files_referring_to(other)?.into_iter().collect()))
            }
            Entry::Vacant(place) => {
                let mut entities = self.store.entity_ids(other)?;
                entities.sort_unstable();
                place.insert(Neighbors::Unread { entities: entities.into(), asked: 0 })
            }
        };
        if let Neighbors::Unread { entities, asked } = known {
            *asked += 1;
            if *asked <= FEW {
                return Ok(meet(&self.targets_of(file)?, entities));
            }
            *known = Neighbors::Read(self.store.files_referring_to(other)?.into_iter().collect());
        }
        Ok(matches!(known, Neighbors::Read(files) if files.contains(&file)))
    }

    /// Whether `file` refers to any of these entities, which are sorted.
    pub fn refers_to_any(&self, file: FileId, entities: &[EntityId]) -> Result<bool, StoreError> {
        Ok(meet(&self.targets_of(file)?, entities))
    }

    fn targets_of(&self, file: FileId) -> Result<Rc<[EntityId]>, StoreError> {
        if let Some(found) = self.targets.borrow().get(&file) {
            return Ok(Rc::clone(found));
        }
        let targets: Rc<[EntityId]> = self.store.targets_of(file)?.into();
        self.targets.borrow_mut().insert(file, Rc::clone(&targets));
        Ok(targets)
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

    /// `pkg.mod.Class.method`, with the number of a repeated definition, as everywhere.
    pub fn full_name(&self, head: &Head) -> String {
        let module = self.file(head.file).map_or("", |file| &file.module);
        full_name(module, &head.qualified, head.duplicate)
    }

    /// Path of an entity's file.
    pub fn path(&self, head: &Head) -> &str {
        self.file(head.file).map_or("", |file| &file.path)
    }

    /// Place of an entity among all entities.
    pub fn order(&self, head: &Head) -> Order {
        let rank = self.files.get(&head.file).map_or(u32::MAX, |(rank, _)| *rank);
        (rank, head.line, head.column, head.kind as u8)
    }
}

/// Whether two sorted lists have something in common.
fn meet(mut some: &[EntityId], mut others: &[EntityId]) -> bool {
    while let (Some(a), Some(b)) = (some.first(), others.first()) {
        match a.cmp(b) {
            Ordering::Less => some = &some[1..],
            Ordering::Greater => others = &others[1..],
            Ordering::Equal => return true,
        }
    }
    false
}
