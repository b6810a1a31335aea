//! Entities without their texts, for walks that pass many entities and show few.
//!
//! A header holds the values that decide where a walk continues. `read` has the values for people.

use rusqlite::OptionalExtension;

use crate::model::{EntityFlags, EntityId, EntityKind, FileId, Relationship};
use crate::store::Store;
use crate::store::error::StoreError;

/// The part of an entity that a walk looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    pub id: EntityId,
    pub file: FileId,
    /// The enclosing entity; a module's is itself.
    pub parent: EntityId,
    pub kind: EntityKind,
    pub flags: EntityFlags,
    /// Name below the module, empty for the module itself.
    pub qualified: String,
    pub duplicate: u32,
    pub line: u32,
    pub column: u32,
}

impl Head {
    /// Last part of the name; empty for a module.
    pub fn name(&self) -> &str {
        self.qualified.rsplit('.').next().unwrap_or_default()
    }

    /// Whether this is a test by its name and place, as pytest has it without settings.
    pub fn is_test(&self) -> bool {
        self.kind.is_callable() && self.flags.has(EntityFlags::TEST)
    }
}

impl Store {
    /// The head of the entity with this id.
    pub fn head(&self, id: EntityId) -> Result<Option<Head>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT file_id, coalesce(parent_id, id), kind, flags, qualified, duplicate, line, column FROM entities
             WHERE id = ?1",
        )?;
        let head = statement.query_row([id], |row| {
            Ok(Head {
                id,
                file: row.get(0)?,
                parent: row.get(1)?,
                kind: row.get(2)?,
                flags: EntityFlags(row.get(3)?),
                qualified: row.get(4)?,
                duplicate: row.get(5)?,
                line: row.get(6)?,
                column: row.get(7)?,
            })
        });
        Ok(head.optional()?)
    }

    /// The entities of a file in the order of its list, each with the enclosing one and its kind.
    pub fn placed_entities(&self, file: FileId) -> Result<Vec<(EntityId, EntityId, EntityKind)>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, coalesce(parent_id, id), kind FROM entities WHERE file_id = ?1 ORDER BY ordinal",
        )?;
        let placed = statement.query_map([file], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        Ok(placed.collect::<Result<_, _>>()?)
    }

    /// The entities of this name directly inside another one, sorted by id.
    pub fn members_named(&self, parent: EntityId, name: &str) -> Result<Vec<EntityId>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id FROM entities WHERE name = ?1 COLLATE NOCASE AND name = ?1 AND parent_id = ?2 ORDER BY id",
        )?;
        let ids = statement.query_map((name, parent), |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// The classes with an entity of this name directly inside, sorted by id.
    pub fn classes_with(&self, name: &str) -> Result<Vec<EntityId>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT DISTINCT c.id FROM entities e JOIN entities c ON c.id = e.parent_id
             WHERE e.name = ?1 COLLATE NOCASE AND e.name = ?1 AND c.kind = ?2 ORDER BY c.id",
        )?;
        let ids = statement.query_map((name, EntityKind::Class), |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// Overriding methods, derived classes and registrations in this file, sorted.
    pub fn structure_of(&self, file: FileId) -> Result<Vec<Relationship>, StoreError> {
        let mut relationships = self.relationships_of(file)?;
        relationships.retain(|relationship| relationship.kind.is_structure());
        Ok(relationships)
    }
}
