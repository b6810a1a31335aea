//! Queries about entities: by name, by parent, and by the relationships to and from them.
//!
//! Each list has a fixed order. A query takes one step; walks over several steps are in `query`.

mod counts;
pub mod dump;
pub mod entity_headers;
pub mod outline;
pub mod withheld;

use std::collections::BTreeMap;

use rusqlite::{OptionalExtension, Params, Row};

use crate::model::{
    EntityId, EntityKind, EntityRecord, FileId, Relationship, RelationshipKind, Unresolved, UnresolvedReason,
};
use crate::store::Store;
use crate::store::error::StoreError;
use crate::store::write::entities::record_of_row;
use crate::store::write::lists::unpack;

/// An entity with the parts of its full name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    pub id: EntityId,
    pub file: FileId,
    pub path: String,
    pub module: String,
    /// The enclosing entity; a module's is itself.
    pub parent: EntityId,
    pub record: EntityRecord,
}

impl Entity {
    /// `pkg.mod.Class.method`, with `@2` for the second definition of a name in its file, and so on.
    pub fn full_name(&self) -> String {
        full_name(&self.module, &self.record.qualified, self.record.duplicate)
    }
}

/// How much the index holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexCounts {
    pub files: u64,
    pub entities: u64,
    pub relationships: u64,
    pub unresolved: u64,
    /// Files whose parser had to recover from errors.
    pub partial: u64,
    /// Files without entities.
    pub skipped: u64,
}

/// Module, qualified name and the number of a repeated definition, as one name.
pub fn full_name(module: &str, qualified: &str, duplicate: u32) -> String {
    let dot = if qualified.is_empty() { "" } else { "." };
    match duplicate {
        0 => format!("{module}{dot}{qualified}"),
        _ => format!("{module}{dot}{qualified}@{}", u64::from(duplicate) + 1),
    }
}

/// Selects entities in the shape that `entity_of_row` reads.
macro_rules! select_entities {
    ($condition:literal) => {
        concat!(
            "SELECT e.kind, e.name, e.qualified, e.duplicate, e.start_line, e.end_line, e.line, e.column, e.signature,
               e.doc, e.decorators, e.flags, e.content_hash, e.id, e.file_id, f.path, f.module,
               coalesce(e.parent_id, e.id), coalesce(p.ordinal, e.ordinal)
             FROM entities e
             JOIN files f ON f.id = e.file_id
             LEFT JOIN entities p ON p.id = e.parent_id
             ",
            $condition
        )
    };
}

impl Store {
    /// The entity with this id.
    pub fn entity(&self, id: EntityId) -> Result<Option<Entity>, StoreError> {
        let mut statement = self.connection.prepare_cached(select_entities!("WHERE e.id = ?1"))?;
        Ok(statement.query_row([id], entity_of_row).optional()?.map(|entity| self.shown(entity)))
    }

    /// The entities whose last name is `name`, sorted by path and position; `nocase` ignores the case of ASCII letters.
    pub fn entities_named(&self, name: &str, nocase: bool) -> Result<Vec<Entity>, StoreError> {
        let sql = if nocase {
            select_entities!("WHERE e.name = ?1 COLLATE NOCASE ORDER BY f.path, e.ordinal")
        } else {
            select_entities!("WHERE e.name = ?1 COLLATE NOCASE AND e.name = ?1 ORDER BY f.path, e.ordinal")
        };
        self.entities_by(sql, [name])
    }

    /// The entities of a file whose last name is `name`, in the order of its list.
    pub fn entities_named_in(&self, path: &str, name: &str) -> Result<Vec<Entity>, StoreError> {
        self.entities_by(select_entities!("WHERE f.path = ?1 AND e.name = ?2 ORDER BY e.ordinal"), [path, name])
    }

    /// Every last name once, sorted.
    pub fn names(&self) -> Result<Vec<String>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT name FROM entities ORDER BY name COLLATE NOCASE")?;
        let mut names: Vec<String> = Vec::new();
        let mut rows = statement.query(())?;
        while let Some(row) = rows.next()? {
            let name = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
            if names.last().is_none_or(|last| last != name) {
                names.push(name.to_owned());
            }
        }
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    /// The entities of a file, in the order of its list.
    pub fn entities_of(&self, file: FileId) -> Result<Vec<Entity>, StoreError> {
        self.entities_by(select_entities!("WHERE e.file_id = ?1 ORDER BY e.ordinal"), [file])
    }

    /// The entities directly inside this one, in the order of their file's list.
    pub fn children(&self, id: EntityId) -> Result<Vec<Entity>, StoreError> {
        let sql = select_entities!(
            "WHERE e.file_id = (SELECT file_id FROM entities WHERE id = ?1) AND e.parent_id = ?1 ORDER BY e.ordinal"
        );
        self.entities_by(sql, [id])
    }

    /// The relationships that lead to this entity, sorted.
    pub fn incoming(&self, id: EntityId) -> Result<Vec<Relationship>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT kind, source_id, line, column, basis FROM relationships WHERE target_id = ?1
             ORDER BY kind, source_id, line, column",
        )?;
        let relationships = statement.query_map([id], |row| {
            Ok(Relationship {
                target: id,
                kind: row.get(0)?,
                source: row.get(1)?,
                line: row.get(2)?,
                column: row.get(3)?,
                basis: row.get(4)?,
            })
        })?;
        Ok(relationships.collect::<Result<_, _>>()?)
    }

    /// Those of one kind, sorted, without reading the others.
    pub fn incoming_of(&self, id: EntityId, kind: RelationshipKind) -> Result<Vec<Relationship>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT source_id, line, column, basis FROM relationships WHERE target_id = ?1 AND kind = ?2
             ORDER BY source_id, line, column",
        )?;
        let relationships = statement.query_map((id, kind), |row| {
            let (source, line, column, basis) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
            Ok(Relationship { target: id, kind, source, line, column, basis })
        })?;
        Ok(relationships.collect::<Result<_, _>>()?)
    }

    /// Which of these entities have a relationship of this kind to that one, sorted. Only the first twenty are looked
    /// up.
    pub fn sources_among(
        &self,
        target: EntityId,
        kind: RelationshipKind,
        sources: &[EntityId],
    ) -> Result<Vec<EntityId>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT DISTINCT source_id FROM relationships WHERE target_id = ?1 AND kind = ?2 AND source_id IN
               (?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)
             ORDER BY source_id",
        )?;
        statement.raw_bind_parameter(1, target)?;
        statement.raw_bind_parameter(2, kind)?;
        for at in 0..20 {
            statement.raw_bind_parameter(3 + at, sources.get(at).copied())?;
        }
        let mut rows = statement.raw_query();
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(row.get(0)?);
        }
        Ok(found)
    }

    /// The dependents of this entity: as [`Store::incoming`], with one relationship for each kind and source. It is the
    /// strongest one, and among equals the first. Many sources mention the same target over and over.
    pub fn dependents(&self, id: EntityId) -> Result<Vec<Relationship>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT kind, source_id, basis, line, column FROM relationships WHERE target_id = ?1
             ORDER BY kind, source_id, line, column",
        )?;
        let mut rows = statement.query([id])?;
        let mut found: Vec<Relationship> = Vec::new();
        while let Some(row) = rows.next()? {
            let (kind, source, basis) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let is_same = |last: &&mut Relationship| (last.kind, last.source) == (kind, source);
            match found.last_mut().filter(is_same) {
                Some(last) if last.basis <= basis => {}
                Some(last) => (last.basis, last.line, last.column) = (basis, row.get(3)?, row.get(4)?),
                None => {
                    let (line, column) = (row.get(3)?, row.get(4)?);
                    found.push(Relationship { target: id, kind, source, line, column, basis });
                }
            }
        }
        Ok(found)
    }

    /// The files that refer to anything in this one, in no order that means anything.
    pub fn files_referring_to(&self, file: FileId) -> Result<Vec<FileId>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT DISTINCT s.file_id
             FROM (SELECT DISTINCT r.source_id AS id FROM entities t CROSS JOIN relationships r ON r.target_id = t.id
                   WHERE t.file_id = ?1) sources
             CROSS JOIN entities s ON s.id = sources.id",
        )?;
        let files = statement.query_map([file], |row| row.get(0))?;
        Ok(files.collect::<Result<_, _>>()?)
    }

    /// Whether fewer than `most` relationships lead to anything in this file.
    pub fn has_few_references(&self, file: FileId, most: u32) -> Result<bool, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT count(*) FROM (SELECT 1 FROM entities t CROSS JOIN relationships r ON r.target_id = t.id
                                   WHERE t.file_id = ?1 LIMIT ?2)",
        )?;
        Ok(statement.query_row((file, most), |row| row.get::<_, u32>(0))? < most)
    }

    /// The relationships that start in this entity, sorted.
    pub fn outgoing(&self, id: EntityId) -> Result<Vec<Relationship>, StoreError> {
        let Some((file, _)) = self.entity_place(id)? else { return Ok(Vec::new()) };
        let mut relationships = self.relationships_of(file)?;
        relationships.retain(|relationship| relationship.source == id);
        Ok(relationships)
    }

    /// The occurrences of this name that could not be resolved, sorted by path and position.
    pub fn unresolved_named(&self, name: &str) -> Result<Vec<Unresolved>, StoreError> {
        let mut found = Vec::new();
        for file in self.files_with_unresolved(name)? {
            found.extend(self.unresolved_of(file)?.into_iter().filter(|unresolved| unresolved.name == name));
        }
        Ok(found)
    }

    /// Number of occurrences that are unresolved because a limit was reached.
    pub fn limited(&self) -> Result<u64, StoreError> {
        let mut statement = self.connection.prepare("SELECT unresolved FROM resolutions WHERE unresolved_count > 0")?;
        let mut rows = statement.query(())?;
        let mut limited = 0;
        while let Some(row) = rows.next()? {
            let list = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
            let unresolved: Vec<Unresolved> = unpack(list)?;
            let limits = unresolved.iter().filter(|occurrence| occurrence.reason == UnresolvedReason::TooManyValues);
            limited += limits.count() as u64;
        }
        Ok(limited)
    }

    /// The files with unresolved occurrences of this name, sorted by path.
    pub fn files_with_unresolved(&self, name: &str) -> Result<Vec<FileId>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT u.file_id FROM unresolved u JOIN files f ON f.id = u.file_id WHERE u.name = ?1 ORDER BY f.path",
        )?;
        Ok(statement.query_map([name], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// The occurrences in this file that could not be resolved, sorted by position.
    pub fn unresolved_of(&self, file: FileId) -> Result<Vec<Unresolved>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT unresolved FROM resolutions WHERE file_id = ?1")?;
        let list = statement.query_row([file], |row| row.get::<_, Vec<u8>>(0)).optional()?;
        let mut unresolved: Vec<Unresolved> = list.map_or(Ok(Vec::new()), |list| unpack(&list))?;
        unresolved.sort_by(|a, b| (a.line, a.column, a).cmp(&(b.line, b.column, b)));
        Ok(unresolved)
    }

    /// How much the index holds.
    pub fn counts(&self) -> Result<IndexCounts, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT coalesce(sum(skipped = ''), 0), coalesce(sum(is_partial), 0), coalesce(sum(skipped <> ''), 0),
               (SELECT count(*) FROM entities),
               (SELECT coalesce(sum(relationship_count), 0) FROM resolutions),
               (SELECT coalesce(sum(unresolved_count), 0) FROM resolutions)
             FROM files",
        )?;
        let counts = statement.query_row((), |row| {
            Ok(IndexCounts {
                files: row.get(0)?,
                partial: row.get(1)?,
                skipped: row.get(2)?,
                entities: row.get(3)?,
                relationships: row.get(4)?,
                unresolved: row.get(5)?,
            })
        });
        Ok(counts?)
    }

    /// Numbers of entities by the word of their kind.
    pub fn count_by_kind(&self) -> Result<BTreeMap<&'static str, u64>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT kind, count(*) FROM entities GROUP BY kind")?;
        let rows = statement.query_map((), |row| Ok((row.get::<_, EntityKind>(0)?.as_str(), row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn entities_by(&self, sql: &str, params: impl Params) -> Result<Vec<Entity>, StoreError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let entities = statement.query_map(params, entity_of_row)?;
        Ok(entities.map(|entity| entity.map(|entity| self.shown(entity))).collect::<Result<_, _>>()?)
    }
}

fn entity_of_row(row: &Row<'_>) -> rusqlite::Result<Entity> {
    let record = EntityRecord { parent: row.get(18)?, ..record_of_row(row)? };
    Ok(Entity {
        id: row.get(13)?,
        file: row.get(14)?,
        path: row.get(15)?,
        module: row.get(16)?,
        parent: row.get(17)?,
        record,
    })
}
