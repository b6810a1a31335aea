//! Whether an index agrees with itself.
//!
//! The check takes time in proportion to the index: it serves tests, and people who suspect an error. It does not
//! compare the index with the sources.

use rusqlite::Row;
use rusqlite::types::FromSql;
use rustc_hash::FxHashSet;

use crate::model::{EntityId, FileId, Relationship, Resolution};
use crate::store::Store;
use crate::store::codes::Bits;
use crate::store::error::StoreError;
use crate::store::rows::{Resolved, Rows};

impl Store {
    /// Checks that SQLite finds the file whole, that ids lead somewhere, and that the searchable rows are the ones
    /// which the resolutions' lists give.
    pub fn verify(&self) -> Result<(), StoreError> {
        let verdict: String = self.connection.pragma_query_value(None, "integrity_check", |row| row.get(0))?;
        if verdict != "ok" {
            return Err(StoreError::Damaged(verdict));
        }
        let homeless = self.all::<FileId>("SELECT file_id FROM entities EXCEPT SELECT id FROM files")?;
        demand(homeless.is_empty(), "an entity's file is not there")?;
        let strays = "SELECT e.id FROM entities e LEFT JOIN entities p ON p.id = e.parent_id AND p.file_id = e.file_id
                      WHERE e.parent_id IS NOT NULL AND p.id IS NULL";
        demand(self.all::<EntityId>(strays)?.is_empty(), "an entity's parent is not in its file")?;
        self.verify_resolutions()
    }

    fn verify_resolutions(&self) -> Result<(), StoreError> {
        let mut resolutions = Vec::new();
        for file in self.all::<FileId>("SELECT file_id FROM resolutions ORDER BY file_id")? {
            let resolution = self.resolution(file)?.unwrap_or_default();
            self.verify_resolution(file, &resolution)?;
            resolutions.push((file, Resolved::of(&resolution)?));
        }
        let rows = Rows::of(&resolutions)?;
        let entities: FxHashSet<EntityId> = self.all("SELECT id FROM entities")?.into_iter().collect();
        let leads_somewhere = |r: &Relationship| entities.contains(&r.target) && entities.contains(&r.source);
        demand(rows.relationships.iter().all(leads_somewhere), "a relationship leads to an entity that is not there")?;

        let sql = "SELECT target_id, kind, source_id, line, column, basis FROM relationships ORDER BY 1, 2, 3, 4, 5";
        let relationships = self.rows(sql, |row| {
            Ok(Relationship {
                target: row.get(0)?,
                kind: row.get(1)?,
                source: row.get(2)?,
                line: row.get(3)?,
                column: row.get(4)?,
                basis: row.get(5)?,
            })
        })?;
        demand(relationships == rows.relationships, "relationships and resolutions differ")?;
        let sql = "SELECT name, file_id FROM unresolved ORDER BY 1, 2";
        let unresolved: Vec<(String, FileId)> = self.rows(sql, |row| Ok((row.get(0)?, row.get(1)?)))?;
        demand(unresolved == rows.unresolved, "unresolved names and resolutions differ")?;
        demand(self.questions()? == rows.questions, "questions and resolutions differ")?;
        let sql = "SELECT key, file_id, level, vals FROM answers ORDER BY 1, 2, 3";
        let answers: Vec<(i64, FileId, u8, Vec<u8>)> =
            self.rows(sql, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
        let answers = answers.iter().map(|(key, file, level, values)| (*key, *file, *level, values.as_slice()));
        demand(answers.eq(rows.answers()), "answers and resolutions differ")
    }

    fn verify_resolution(&self, file: FileId, resolution: &Resolution) -> Result<(), StoreError> {
        let own: FxHashSet<EntityId> = self.entity_ids(file)?.into_iter().collect();
        let starts_here = resolution.relationships.iter().all(|relationship| own.contains(&relationship.source));
        demand(starts_here, "a relationship starts in another file than its own")?;
        let mut statement = self
            .connection
            .prepare_cached("SELECT relationship_count, unresolved_count FROM resolutions WHERE file_id = ?1")?;
        let counts: (Bits, Bits) = statement.query_row([file], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let lengths = [&resolution.relationships.len(), &resolution.unresolved.len()].map(|length| *length as u64);
        demand([counts.0.0, counts.1.0] == lengths, "the counts of a resolution are wrong")
    }

    fn all<T: FromSql>(&self, sql: &str) -> Result<Vec<T>, StoreError> {
        self.rows(sql, |row| row.get(0))
    }

    fn rows<T>(&self, sql: &str, read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>) -> Result<Vec<T>, StoreError> {
        let mut statement = self.connection.prepare(sql)?;
        Ok(statement.query_map((), read)?.collect::<Result<_, _>>()?)
    }
}

fn demand(holds: bool, otherwise: &str) -> Result<(), StoreError> {
    if holds { Ok(()) } else { Err(StoreError::damaged(otherwise)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sample;

    #[test]
    fn whatever_is_changed_by_hand_is_found() {
        for damage in [
            "DELETE FROM relationships WHERE target_id = 3",
            "UPDATE relationships SET basis = basis + 1 WHERE target_id = 3",
            "INSERT INTO relationships VALUES (3, 1, 4, 1, 1, 1)",
            "DELETE FROM questions",
            "UPDATE answers SET vals = x'00' WHERE file_id = 1",
            "INSERT INTO unresolved VALUES ('x', 1)",
            "UPDATE resolutions SET unresolved_count = 9",
            "UPDATE entities SET parent_id = 7 WHERE id = 2",
            "UPDATE resolutions SET relationships = x'00' WHERE file_id = 1",
            "DELETE FROM entities WHERE id = 4",
        ] {
            let mut store = Store::open_in_memory().unwrap();
            sample::fill(&mut store);
            store.verify().unwrap();
            store.connection.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
            store.connection.execute_batch(damage).unwrap();
            assert!(matches!(store.verify(), Err(StoreError::Damaged(_))), "{damage}");
        }
    }
}
