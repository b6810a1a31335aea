//! A small index written by hand, for the tests of the queries.

use crate::{
    model::{
        Basis, EntityFlags, EntityId, EntityKind, EntityRecord, FileRecord, FileStat, Relationship, RelationshipKind,
        Resolution, Unresolved, UnresolvedReason,
    },
    store::Store,
};

/// The content of one file, in the order of its definitions.
struct FixtureFile {
    record: FileRecord,
    entities: Vec<EntityRecord>,
    resolution: Resolution,
}

/// Names files, entities and relationships; `store` makes an index of them.
#[derive(Default)]
pub(crate) struct Fixture {
    files: Vec<FixtureFile>,
}

impl Fixture {
    /// Adds a file; the entities added next belong to it.
    pub(crate) fn file(&mut self, path: &str, module: &str) -> &mut Self {
        let is_test = path.contains("test");
        let record = FileRecord {
            path: path.to_owned(),
            module: module.to_owned(),
            content_hash: [u8::try_from(self.files.len()).expect("few files"); 32],
            stat: FileStat::default(),
            line_count: 100,
            is_partial: false,
            is_test,
            skipped: String::new(),
        };
        self.files.push(FixtureFile { record, entities: Vec::new(), resolution: Resolution::default() });
        let name = module.rsplit('.').next().expect("a name");
        self.entity(EntityKind::Module, "", 1, 100);
        self.last().name = name.to_owned();
        self
    }

    /// Adds an entity by its name below the module.
    pub(crate) fn entity(&mut self, kind: EntityKind, qualified: &str, start_line: u32, end_line: u32) -> &mut Self {
        let file = self.files.last_mut().expect("a file was added");
        let parent = qualified.rsplit_once('.').map_or(0, |(parent, _)| {
            let at = file.entities.iter().position(|e| e.qualified == parent).expect("the parent comes first");
            u32::try_from(at).expect("few entities")
        });
        let duplicate = file.entities.iter().filter(|e| e.qualified == qualified).count();
        let name = qualified.rsplit('.').next().expect("a name").to_owned();
        let is_test = file.record.is_test && name.starts_with("test") && kind.is_callable();
        file.entities.push(EntityRecord {
            kind,
            qualified: qualified.to_owned(),
            duplicate: u32::try_from(duplicate).expect("few duplicates"),
            parent,
            start_line,
            end_line,
            line: start_line,
            column: 4,
            signature: if kind.is_callable() { "(self, x, y=1)".to_owned() } else { String::new() },
            doc: String::new(),
            decorators: Vec::new(),
            flags: EntityFlags(if is_test { EntityFlags::TEST } else { 0 }),
            content_hash: [0; 16],
            name,
        });
        self
    }

    /// The entity added last.
    pub(crate) fn last(&mut self) -> &mut EntityRecord {
        self.files.last_mut().and_then(|f| f.entities.last_mut()).expect("an entity was added")
    }

    /// Adds a relationship between two full names.
    pub(crate) fn edge(&mut self, from: &str, kind: RelationshipKind, to: &str, line: u32, basis: Basis) -> &mut Self {
        let (source, target) = (self.id(from), self.id(to));
        let file = self.file_of(from);
        let relationship = Relationship { target, kind, source, line, column: 8, basis };
        self.files[file].resolution.relationships.push(relationship);
        self
    }

    /// Adds an attribute of an unknown receiver, called without arguments that are known.
    pub(crate) fn unresolved(&mut self, from: &str, receiver: &str, name: &str, line: u32) -> &mut Self {
        let source = self.id(from);
        let file = self.file_of(from);
        self.files[file].resolution.unresolved.push(Unresolved {
            name: name.to_owned(),
            source,
            line,
            column: 8,
            call: None,
            receiver: receiver.to_owned(),
            reason: UnresolvedReason::UnknownReceiver,
            is_awaited: false,
        });
        self
    }

    /// The unresolved occurrence added last to the file of `from`.
    pub(crate) fn last_unresolved(&mut self, from: &str) -> &mut Unresolved {
        let file = self.file_of(from);
        self.files[file].resolution.unresolved.last_mut().expect("one was added")
    }

    /// The index, in memory.
    pub(crate) fn store(&mut self) -> Store {
        let mut store = Store::open_in_memory().expect("memory");
        let update = store.write().expect("a new store");
        let mut ids = Vec::new();
        for file in &self.files {
            let id = update.put_file(&file.record).expect("a new file");
            ids.push(id);
            update.put_entities(id, &file.entities).expect("new entities");
        }
        for (id, file) in ids.into_iter().zip(&mut self.files) {
            file.resolution.relationships.sort();
            file.resolution.unresolved.sort();
            update.put_resolution(id, &file.resolution).expect("a resolution");
        }
        update.commit().expect("memory");
        store
    }

    fn place(&self, full_name: &str) -> (usize, usize) {
        for (f, file) in self.files.iter().enumerate() {
            for (e, entity) in file.entities.iter().enumerate() {
                let name = [file.record.module.as_str(), entity.qualified.as_str()].join(".");
                if name.trim_end_matches('.') == full_name {
                    return (f, e);
                }
            }
        }
        panic!("{full_name} is not in the fixture");
    }

    fn file_of(&self, full_name: &str) -> usize {
        self.place(full_name).0
    }

    /// Ids are given in the order of insertion, from 1 on. All files must be complete before the first edge.
    fn id(&self, full_name: &str) -> EntityId {
        let (file, entity) = self.place(full_name);
        let before: usize = self.files[..file].iter().map(|f| f.entities.len()).sum();
        EntityId(u32::try_from(before + entity + 1).expect("few entities"))
    }
}
