//! All entities in short and all relationships at once, for questions about the whole repository.
//!
//! Rows are in the order of paths and of each file's list.

use crate::model::{EntityFlags, EntityId, EntityKind, FileId, Relationship};
use crate::store::Store;
use crate::store::error::StoreError;
use crate::store::write::lists::unpack;

/// An entity without its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineRow {
    pub id: EntityId,
    pub file: FileId,
    /// The enclosing entity; a module's is itself.
    pub parent: EntityId,
    pub kind: EntityKind,
    pub flags: EntityFlags,
    pub name: String,
    pub start_line: u32,
    pub end_line: u32,
}

/// The lines of a definition, decorators included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub name: String,
    pub start_line: u32,
    pub end_line: u32,
    /// Of a class: its direct members, without variables.
    pub members: Vec<Span>,
}

impl Store {
    /// The classes and functions of a file's module, in their order, with the members of these classes.
    pub fn definitions_of(&self, file: FileId) -> Result<Vec<Span>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT e.ordinal, m.ordinal, e.kind, m.kind, e.name, e.start_line, e.end_line
             FROM entities e JOIN entities m ON m.id = e.parent_id WHERE e.file_id = ?1 ORDER BY e.ordinal",
        )?;
        let mut rows = statement.query([file])?;
        let mut spans: Vec<(u32, Span)> = Vec::new();
        while let Some(row) = rows.next()? {
            let (ordinal, parent, kind): (u32, u32, EntityKind) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let outer: EntityKind = row.get(3)?;
            if kind != EntityKind::Class && !kind.is_callable() {
                continue;
            }
            let span = Span { name: row.get(4)?, start_line: row.get(5)?, end_line: row.get(6)?, members: Vec::new() };
            if parent == 0 {
                spans.push((ordinal, span));
            } else if outer == EntityKind::Class
                && let Some((_, class)) = spans.iter_mut().rev().find(|(ordinal, _)| *ordinal == parent)
            {
                class.members.push(span);
            }
        }
        Ok(spans.into_iter().map(|(_, span)| span).collect())
    }

    /// Modules, classes and callables, by path and position.
    pub fn outline(&self) -> Result<Vec<OutlineRow>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT e.id, e.file_id, coalesce(e.parent_id, e.id), e.kind, e.flags, e.name, e.start_line, e.end_line
             FROM files f CROSS JOIN entities e ON e.file_id = f.id
             ORDER BY f.path, e.ordinal",
        )?;
        let rows = statement.query_map((), |row| {
            Ok(OutlineRow {
                id: row.get(0)?,
                file: row.get(1)?,
                parent: row.get(2)?,
                kind: row.get(3)?,
                flags: EntityFlags(row.get(4)?),
                name: row.get(5)?,
                start_line: row.get(6)?,
                end_line: row.get(7)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The relationships that start in these lines of a file, sorted.
    pub fn outgoing_between(&self, file: FileId, first: u32, last: u32) -> Result<Vec<Relationship>, StoreError> {
        let mut relationships = self.relationships_of(file)?;
        relationships.retain(|relationship| (first..=last).contains(&relationship.line));
        Ok(relationships)
    }

    /// Calls `visit` with every relationship, with or without those that start in test files; in no order that means
    /// anything.
    pub fn each_relationship(&self, with_tests: bool, visit: &mut dyn FnMut(&Relationship)) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT r.relationships FROM files f JOIN resolutions r ON r.file_id = f.id WHERE f.is_test <= ?1",
        )?;
        let mut rows = statement.query([with_tests])?;
        while let Some(row) = rows.next()? {
            let list: Vec<Relationship> = unpack(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?)?;
            list.iter().for_each(&mut *visit);
        }
        Ok(())
    }
}
