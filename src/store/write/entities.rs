//! Rows about entities, file by file.
//!
//! An entity keeps its id as long as its qualified name exists in its file. So relationships from untouched files stay
//! valid.

use rusqlite::{OptionalExtension, Row, params};
use rustc_hash::FxHashMap;

use crate::model::{EntityFlags, EntityId, EntityRecord, FileId};
use crate::store::Store;
use crate::store::codes::{join_decorators, split_decorators};
use crate::store::error::StoreError;
use crate::store::write::update::Update;

/// An entity as it stands in the index.
struct StoredEntity {
    id: EntityId,
    ordinal: u32,
    parent: Option<EntityId>,
    /// `parent` in it is not known here, and 0.
    record: EntityRecord,
}

impl Store {
    /// The ids of a file's entities, in the order of its list.
    pub fn entity_ids(&self, file: FileId) -> Result<Vec<EntityId>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT id FROM entities WHERE file_id = ?1 ORDER BY ordinal")?;
        Ok(statement.query_map([file], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// The file of an entity and its position in that file's list.
    pub fn entity_place(&self, id: EntityId) -> Result<Option<(FileId, u32)>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT file_id, ordinal FROM entities WHERE id = ?1")?;
        Ok(statement.query_row([id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
    }

    fn stored_entities(&self, file: FileId) -> Result<Vec<StoredEntity>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT kind, name, qualified, duplicate, start_line, end_line, line, column, signature, doc, decorators, flags,
               content_hash, id, ordinal, parent_id
             FROM entities WHERE file_id = ?1 ORDER BY ordinal",
        )?;
        let entities = statement.query_map([file], |row| {
            let record = record_of_row(row)?;
            Ok(StoredEntity { id: row.get(13)?, ordinal: row.get(14)?, parent: row.get(15)?, record })
        })?;
        Ok(entities.collect::<Result<_, _>>()?)
    }
}

impl Update<'_> {
    /// Makes these the entities of the file, writing only rows that differ. Returns their ids in the same order.
    pub fn put_entities(&self, file: FileId, entities: &[EntityRecord]) -> Result<Vec<EntityId>, StoreError> {
        let mut stored: FxHashMap<(String, u32), StoredEntity> = FxHashMap::default();
        let mut vanished = Vec::new();
        for entity in self.stored_entities(file)? {
            let symbol = (entity.record.qualified.clone(), entity.record.duplicate);
            vanished.extend(stored.insert(symbol, entity).map(|twin| twin.id));
        }
        let mut known: Vec<Option<StoredEntity>> =
            entities.iter().map(|entity| stored.remove(&(entity.qualified.clone(), entity.duplicate))).collect();
        vanished.extend(stored.into_values().map(|entity| entity.id));
        vanished.sort_unstable();

        let mut free = self.first_free_id()?;
        let ids: Vec<EntityId> = known
            .iter()
            .map(|stored| match stored {
                Some(stored) => Ok(stored.id),
                None => free.next().map(EntityId).ok_or_else(|| StoreError::damaged("it has no entity numbers left")),
            })
            .collect::<Result<_, _>>()?;

        let mut delete = self.connection.prepare_cached("DELETE FROM entities WHERE id = ?1")?;
        for id in vanished {
            delete.execute([id])?;
        }
        let mut upsert = self.connection.prepare_cached(UPSERT)?;
        for (index, (record, stored)) in entities.iter().zip(&mut known).enumerate() {
            let ordinal = u32::try_from(index).map_err(|_| StoreError::damaged("a file has too many entities"))?;
            let parent = parent_id(record, ordinal, &ids)?;
            let is_same = stored.as_mut().is_some_and(|stored| {
                stored.record.parent = record.parent;
                stored.ordinal == ordinal && stored.parent == parent && stored.record == *record
            });
            if !is_same {
                insert_entity(&mut upsert, ids[index], file, ordinal, parent, record)?;
            }
        }
        Ok(ids)
    }

    /// Ids that no entity has or ever had.
    fn first_free_id(&self) -> Result<std::ops::RangeInclusive<u32>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT seq FROM sqlite_sequence WHERE name = 'entities'")?;
        let last: u32 = statement.query_row((), |row| row.get(0)).optional()?.unwrap_or(0);
        Ok(last.saturating_add(1)..=u32::MAX - 1)
    }
}

/// Adds an entity.
pub(crate) const INSERT: &str = "
INSERT INTO entities (id, file_id, ordinal, parent_id, kind, name, qualified, duplicate, start_line, end_line, line, column,
  signature, doc, decorators, flags, content_hash)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)";

/// Adds an entity, or replaces every column but its id and file.
const UPSERT: &str = "
INSERT INTO entities (id, file_id, ordinal, parent_id, kind, name, qualified, duplicate, start_line, end_line, line, column,
  signature, doc, decorators, flags, content_hash)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
ON CONFLICT (id) DO UPDATE SET ordinal = excluded.ordinal, parent_id = excluded.parent_id, kind = excluded.kind,
  name = excluded.name, qualified = excluded.qualified, duplicate = excluded.duplicate, start_line = excluded.start_line,
  end_line = excluded.end_line, line = excluded.line, column = excluded.column, signature = excluded.signature,
  doc = excluded.doc, decorators = excluded.decorators, flags = excluded.flags, content_hash = excluded.content_hash";

/// Runs `INSERT` or `UPSERT` for one entity.
pub(crate) fn insert_entity(
    statement: &mut rusqlite::Statement<'_>,
    id: EntityId,
    file: FileId,
    ordinal: u32,
    parent: Option<EntityId>,
    record: &EntityRecord,
) -> Result<(), StoreError> {
    statement.execute(params![
        id,
        file,
        ordinal,
        parent,
        record.kind,
        record.name,
        record.qualified,
        record.duplicate,
        record.start_line,
        record.end_line,
        record.line,
        record.column,
        record.signature,
        record.doc,
        join_decorators(&record.decorators),
        record.flags.0,
        record.content_hash,
    ])?;
    Ok(())
}

/// The id of the enclosing entity, given the ids of the whole file; `None` for the module.
pub(crate) fn parent_id(record: &EntityRecord, ordinal: u32, ids: &[EntityId]) -> Result<Option<EntityId>, StoreError> {
    if record.parent == ordinal {
        return Ok(None);
    }
    match ids.get(record.parent as usize) {
        Some(&parent) => Ok(Some(parent)),
        None => Err(StoreError::damaged("an entity's parent is not in its file")),
    }
}

/// Reads a record from the columns `kind`, `name` … `content_hash` at 0 to 12; `parent` is left 0.
pub(crate) fn record_of_row(row: &Row<'_>) -> rusqlite::Result<EntityRecord> {
    Ok(EntityRecord {
        kind: row.get(0)?,
        name: row.get(1)?,
        qualified: row.get(2)?,
        duplicate: row.get(3)?,
        parent: 0,
        start_line: row.get(4)?,
        end_line: row.get(5)?,
        line: row.get(6)?,
        column: row.get(7)?,
        signature: row.get(8)?,
        doc: row.get(9)?,
        decorators: split_decorators(row.get_ref(10)?.as_str()?),
        flags: EntityFlags(row.get(11)?),
        content_hash: row.get(12)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sample;

    fn put(update: &Update<'_>, names: &[&str], line: u32) -> Vec<EntityId> {
        let file = update.put_file(&sample::file("pkg/a.py", 1)).unwrap();
        update.put_entities(file, &sample::entities("pkg.a", names, line)).unwrap()
    }

    #[test]
    fn entities_read_back_as_they_were_put() {
        let mut store = Store::open_in_memory().unwrap();
        let update = store.write().unwrap();
        let file = update.put_file(&sample::file("pkg/a.py", 1)).unwrap();
        let records = sample::entities("pkg.a", &["C", "C.m", "C.m.inner", "f", "f"], 2);
        let ids = update.put_entities(file, &records).unwrap();
        let entities = update.entities_of(file).unwrap();
        assert_eq!(entities.iter().map(|entity| entity.id).collect::<Vec<_>>(), ids);
        assert_eq!(entities.iter().map(|entity| entity.record.clone()).collect::<Vec<_>>(), records);
        assert_eq!(entities[0].parent, ids[0]);
        assert_eq!(entities[3].parent, ids[2]);
        assert_eq!(entities[3].full_name(), "pkg.a.C.m.inner");
        assert_eq!(entities[5].full_name(), "pkg.a.f@2");
        assert_eq!(update.children(ids[1]).unwrap(), entities[2..3]);
        assert_eq!(update.children(ids[0]).unwrap().len(), 3);
        assert_eq!(update.entity_place(ids[4]).unwrap(), Some((file, 4)));
    }

    #[test]
    fn ids_survive_edits_and_are_never_used_again() {
        let mut store = Store::open_in_memory().unwrap();
        let update = store.write().unwrap();
        let before = put(&update, &["C", "C.m", "f"], 2);
        let after = put(&update, &["new", "C", "C.other", "C.m"], 20);
        assert_eq!([after[0], after[2], after[4]], before[..3]);
        assert!(after[1] > before[3] && after[3] > before[3]);
        assert_eq!(update.entity(before[3]).unwrap(), None);
        let again = put(&update, &["new", "f"], 20);
        assert!(again[2] > *after.iter().max().unwrap());
    }

    #[test]
    fn only_entities_that_differ_are_written() {
        let mut store = Store::open_in_memory().unwrap();
        let update = store.write().unwrap();
        put(&update, &["C", "C.m", "f"], 2);
        let before = update.connection.total_changes();
        put(&update, &["C", "C.m", "f"], 2);
        assert_eq!(update.connection.total_changes() - before, 1, "the file alone");
        put(&update, &["C", "C.m", "g"], 2);
        assert_eq!(update.connection.total_changes() - before, 1 + 1 + 2);
    }

    #[test]
    fn names_are_found_with_and_without_regard_to_case() {
        let mut store = Store::open_in_memory().unwrap();
        let update = store.write().unwrap();
        put(&update, &["Total", "total", "É", "é"], 2);
        let found = |name, nocase| update.entities_named(name, nocase).unwrap().len();
        assert_eq!(
            [found("total", false), found("total", true), found("é", true), found("TOTAL", false)],
            [1, 2, 1, 0]
        );
        assert_eq!(update.names().unwrap(), ["Total", "a", "total", "É", "é"]);
    }

    #[test]
    fn a_parent_outside_its_file_is_damage() {
        let mut store = Store::open_in_memory().unwrap();
        let update = store.write().unwrap();
        let file = update.put_file(&sample::file("a.py", 1)).unwrap();
        let mut records = sample::entities("a", &["f"], 2);
        records[1].parent = 9;
        assert!(matches!(update.put_entities(file, &records), Err(StoreError::Damaged(_))));
    }
}
