//! The resolutions of files: relationships, unresolved occurrences, questions and contributions to answers.
//!
//! The encoded lists of `resolutions` are the source. The rows that can be searched by target, question and name are
//! derived from them. They change only where a new resolution differs from the stored one.

use rusqlite::{OptionalExtension, params};

use crate::model::{Answer, EntityId, FileId, Relationship, Resolution, Unresolved};
use crate::store::Store;
use crate::store::codes::Bits;
use crate::store::error::StoreError;
use crate::store::write::entries;
use crate::store::write::lists::{EncodedLists, encode, names, ordered, targets, unpack};
use crate::store::write::update::Update;

/// One file's part of an answer: the file, the level from which it holds, and its values as in [`Answer`].
pub type Contribution = (FileId, u8, Vec<u64>);

impl Store {
    /// The resolution of this file.
    pub fn resolution(&self, file: FileId) -> Result<Option<Resolution>, StoreError> {
        let Some(encoded) = self.encoded_resolution(file)? else { return Ok(None) };
        Ok(Some(Resolution {
            relationships: unpack(&encoded.relationships)?,
            unresolved: unpack(&encoded.unresolved)?,
            questions: unpack(&encoded.questions)?,
            answers: unpack(&encoded.answers)?,
        }))
    }

    /// The contributions of this file to answers, sorted.
    pub fn answers_of(&self, file: FileId) -> Result<Vec<Answer>, StoreError> {
        self.list("SELECT answers FROM resolutions WHERE file_id = ?1", file, unpack)
    }

    /// The contributions of all files to the answer of this question, sorted by file and level.
    pub fn answers(&self, key: u64) -> Result<Vec<Contribution>, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT file_id, level, vals FROM answers WHERE key = ?1 ORDER BY file_id, level")?;
        let mut rows = statement.query([Bits(key)])?;
        let mut answers = Vec::new();
        while let Some(row) = rows.next()? {
            let values = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
            answers.push((
                row.get(0)?,
                row.get(1)?,
                entries::read(values).ok_or_else(|| StoreError::damaged("stored answers"))?,
            ));
        }
        Ok(answers)
    }

    /// The relationships that start in this file, sorted.
    pub fn relationships_of(&self, file: FileId) -> Result<Vec<Relationship>, StoreError> {
        self.list("SELECT relationships FROM resolutions WHERE file_id = ?1", file, unpack)
    }

    /// The targets of this file's relationships, sorted.
    pub fn targets_of(&self, file: FileId) -> Result<Vec<EntityId>, StoreError> {
        self.list("SELECT relationships FROM resolutions WHERE file_id = ?1", file, targets)
    }

    /// One of the lists of a file's resolution; empty where there is none.
    fn list<T>(
        &self,
        sql: &str,
        file: FileId,
        read: impl FnOnce(&[u8]) -> Result<Vec<T>, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let list = self.connection.prepare_cached(sql)?.query_row([file], |row| row.get::<_, Vec<u8>>(0)).optional()?;
        list.map_or(Ok(Vec::new()), |list| read(&list))
    }

    fn encoded_resolution(&self, file: FileId) -> Result<Option<EncodedLists>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT relationships, unresolved, questions, answers FROM resolutions WHERE file_id = ?1",
        )?;
        let encoded = statement.query_row([file], |row| {
            Ok(EncodedLists {
                relationships: row.get(0)?,
                unresolved: row.get(1)?,
                questions: row.get(2)?,
                answers: row.get(3)?,
            })
        });
        Ok(encoded.optional()?)
    }
}

impl Update<'_> {
    /// Makes this the resolution of the file, writing only rows that differ from the stored one.
    pub fn put_resolution(&self, file: FileId, resolution: &Resolution) -> Result<(), StoreError> {
        let resolution = ordered(resolution);
        let encoded = encode(&resolution)?;
        let stored = self.encoded_resolution(file)?;
        let is_new = stored.is_none();
        let stored = stored.map_or_else(|| encode(&Resolution::default()), Ok)?;
        if self.replace_rows(file, &stored, &encoded, &resolution)? || is_new {
            let mut statement = self.connection.prepare_cached(INSERT_RESOLUTION)?;
            let counts = (resolution.relationships.len(), resolution.unresolved.len());
            insert_resolution(&mut statement, file, counts, &encoded)?;
        }
        Ok(())
    }

    /// Removes every row that resolving the file gave.
    pub(crate) fn remove_resolution(&self, file: FileId) -> Result<(), StoreError> {
        if let Some(stored) = self.encoded_resolution(file)? {
            let nothing = Resolution::default();
            self.replace_rows(file, &stored, &encode(&nothing)?, &nothing)?;
            self.connection.prepare_cached("DELETE FROM resolutions WHERE file_id = ?1")?.execute([file])?;
        }
        Ok(())
    }

    /// Brings the searchable rows from `stored` to `resolution`, which is `encoded`. Returns whether they differ.
    fn replace_rows(
        &self,
        file: FileId,
        stored: &EncodedLists,
        encoded: &EncodedLists,
        resolution: &Resolution,
    ) -> Result<bool, StoreError> {
        let mut differs = false;
        if encoded.relationships != stored.relationships {
            self.replace_relationships(&unpack(&stored.relationships)?, &resolution.relationships)?;
            differs = true;
        }
        if encoded.unresolved != stored.unresolved {
            self.replace_unresolved(file, &unpack(&stored.unresolved)?, &resolution.unresolved)?;
            differs = true;
        }
        if encoded.questions != stored.questions {
            let stored = unpack(&stored.questions)?;
            let (removed, added) = differences(&stored, &resolution.questions);
            self.change_questions(file, &removed, &added)?;
            differs = true;
        }
        if encoded.answers != stored.answers {
            self.replace_answers(file, &unpack(&stored.answers)?, &resolution.answers)?;
            differs = true;
        }
        Ok(differs)
    }

    fn replace_relationships(&self, old: &[Relationship], new: &[Relationship]) -> Result<(), StoreError> {
        let (removed, added) = differences(old, new);
        let mut delete = self.connection.prepare_cached(
            "DELETE FROM relationships
             WHERE target_id = ?1 AND kind = ?2 AND source_id = ?3 AND line = ?4 AND column = ?5",
        )?;
        for r in removed {
            delete.execute((r.target, r.kind, r.source, r.line, r.column))?;
        }
        let mut insert = self.connection.prepare_cached(
            "INSERT OR REPLACE INTO relationships (target_id, kind, source_id, line, column, basis)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        for r in added {
            insert.execute((r.target, r.kind, r.source, r.line, r.column, r.basis))?;
        }
        Ok(())
    }

    fn replace_unresolved(&self, file: FileId, old: &[Unresolved], new: &[Unresolved]) -> Result<(), StoreError> {
        let (removed, added) = (names(old), names(new));
        let mut delete = self.connection.prepare_cached("DELETE FROM unresolved WHERE name = ?1 AND file_id = ?2")?;
        for name in removed.difference(&added) {
            delete.execute((name, file))?;
        }
        let mut insert =
            self.connection.prepare_cached("INSERT OR REPLACE INTO unresolved (name, file_id) VALUES (?1, ?2)")?;
        for name in added.difference(&removed) {
            insert.execute((name, file))?;
        }
        Ok(())
    }

    fn replace_answers(&self, file: FileId, old: &[Answer], new: &[Answer]) -> Result<(), StoreError> {
        let (removed, added) = differences(old, new);
        let mut delete =
            self.connection.prepare_cached("DELETE FROM answers WHERE key = ?1 AND file_id = ?2 AND level = ?3")?;
        for answer in removed {
            delete.execute((Bits(answer.key), file, answer.level))?;
        }
        let mut insert = self
            .connection
            .prepare_cached("INSERT OR REPLACE INTO answers (key, file_id, level, vals) VALUES (?1, ?2, ?3, ?4)")?;
        for answer in added {
            insert.execute((Bits(answer.key), file, answer.level, entries::write(&answer.values, Vec::new())?))?;
        }
        Ok(())
    }
}

/// Adds a row of encoded lists or replaces it.
pub(crate) const INSERT_RESOLUTION: &str = "
INSERT OR REPLACE INTO resolutions (file_id, relationship_count, unresolved_count, relationships, unresolved, questions,
  answers)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";

/// Runs `INSERT_RESOLUTION` for one file, with its numbers of relationships and of unresolved occurrences.
pub(crate) fn insert_resolution(
    statement: &mut rusqlite::Statement<'_>,
    file: FileId,
    counts: (usize, usize),
    encoded: &EncodedLists,
) -> Result<(), StoreError> {
    statement.execute(params![
        file,
        counts.0,
        counts.1,
        encoded.relationships,
        encoded.unresolved,
        encoded.questions,
        encoded.answers,
    ])?;
    Ok(())
}

/// The elements of `old` alone, and those of `new` alone; both lists are sorted.
fn differences<'a, T: Ord>(mut old: &'a [T], mut new: &'a [T]) -> (Vec<&'a T>, Vec<&'a T>) {
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    loop {
        match (old.split_first(), new.split_first()) {
            (Some((a, old_rest)), Some((b, new_rest))) => match a.cmp(b) {
                std::cmp::Ordering::Less => {
                    removed.push(a);
                    old = old_rest;
                }
                std::cmp::Ordering::Greater => {
                    added.push(b);
                    new = new_rest;
                }
                std::cmp::Ordering::Equal => (old, new) = (old_rest, new_rest),
            },
            (_, None) => {
                removed.extend(old);
                return (removed, added);
            }
            (None, _) => {
                added.extend(new);
                return (removed, added);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Basis, EntityId};
    use crate::store::sample;

    /// Two files with three entities each; ids 1 to 6.
    fn with_two_files(check: impl Fn(&Update<'_>, FileId, FileId)) {
        let mut store = Store::open_in_memory().unwrap();
        let update = store.write().unwrap();
        let [a, b] = ["a", "b"].map(|module| {
            let file = update.put_file(&sample::file(&format!("{module}.py"), 1)).unwrap();
            update.put_entities(file, &sample::entities(module, &["f", "g"], 2)).unwrap();
            file
        });
        check(&update, a, b);
    }

    fn rows_written(update: &Update<'_>, work: impl Fn(&Update<'_>)) -> u64 {
        let before = update.connection.total_changes();
        work(update);
        update.connection.total_changes() - before
    }

    #[test]
    fn a_resolution_reads_back_as_it_was_put() {
        with_two_files(|update, a, b| {
            let mut resolution = sample::resolution(EntityId(2), &[EntityId(4), EntityId(5)]);
            resolution.unresolved.push(sample::unresolved(EntityId(2), "get", 3));
            update.put_resolution(a, &resolution).unwrap();
            assert_eq!(update.resolution(a).unwrap(), Some(resolution));
            assert_eq!(update.resolution(b).unwrap(), None);
            assert_eq!(update.askers(&[sample::key(EntityId(4)), 99]).unwrap(), [a]);
            assert_eq!(update.answers(5 << 40).unwrap(), [(a, 1, vec![5 << 4 | 2, u64::MAX])]);
            assert_eq!(update.incoming(EntityId(4)).unwrap(), [sample::calls(EntityId(2), EntityId(4), 1)]);
            assert_eq!(update.outgoing(EntityId(2)).unwrap().len(), 2);
            assert_eq!(update.targets_of(a).unwrap(), [EntityId(4), EntityId(5)]);
            assert_eq!(update.unresolved_named("get").unwrap().len(), 1);
        });
    }

    #[test]
    fn only_rows_that_differ_are_written() {
        with_two_files(|update, a, _| {
            let first = sample::resolution(EntityId(2), &[EntityId(4), EntityId(5), EntityId(6)]);
            // 3 relationships, 3 questions, 3 answers and the lists.
            assert_eq!(rows_written(update, |update| update.put_resolution(a, &first).unwrap()), 10);
            assert_eq!(rows_written(update, |update| update.put_resolution(a, &first).unwrap()), 0);
            let mut second = first.clone();
            second.relationships[1].line = 40;
            // One row less, one more, and the lists.
            assert_eq!(rows_written(update, |update| update.put_resolution(a, &second).unwrap()), 3);
            second.unresolved.push(sample::unresolved(EntityId(2), "get", 3));
            assert_eq!(rows_written(update, |update| update.put_resolution(a, &second).unwrap()), 2);
            second.unresolved.push(sample::unresolved(EntityId(3), "get", 4));
            assert_eq!(rows_written(update, |update| update.put_resolution(a, &second).unwrap()), 1);
            second.relationships[0].basis = Basis::Passed;
            second.questions.pop();
            second.answers[0].values.pop();
            assert_eq!(rows_written(update, |update| update.put_resolution(a, &second).unwrap()), 2 + 1 + 2 + 1);
            assert_eq!(update.resolution(a).unwrap(), Some(second));
        });
    }

    #[test]
    fn lists_out_of_order_and_double_rows_are_put_right() {
        with_two_files(|update, a, _| {
            let mut resolution = sample::resolution(EntityId(2), &[EntityId(4), EntityId(5)]);
            let better = resolution.relationships[0];
            resolution.relationships.insert(0, Relationship { basis: Basis::Name, ..better });
            resolution.questions.reverse();
            resolution.questions.push(resolution.questions[0]);
            update.put_resolution(a, &resolution).unwrap();
            assert_eq!(update.incoming(EntityId(4)).unwrap(), [better]);
            let stored = update.resolution(a).unwrap().unwrap();
            assert_eq!(stored.relationships.len(), 2);
            assert_eq!(stored.questions.len(), 2);
        });
    }

    #[test]
    fn removing_a_file_removes_what_it_gave_and_nothing_else() {
        with_two_files(|update, a, b| {
            update.put_resolution(a, &sample::resolution(EntityId(2), &[EntityId(5)])).unwrap();
            update.put_resolution(b, &sample::resolution(EntityId(5), &[EntityId(2), EntityId(5)])).unwrap();
            update.remove_file(a).unwrap();
            assert_eq!(update.askers(&[sample::key(EntityId(5)), sample::key(EntityId(2))]).unwrap(), [b]);
            assert_eq!(update.answers(5 << 40).unwrap().len(), 1);
            assert_eq!(update.incoming(EntityId(5)).unwrap(), [sample::calls(EntityId(5), EntityId(5), 2)]);
            assert_eq!(update.entity(EntityId(2)).unwrap(), None);
            assert_eq!(update.resolution(a).unwrap(), None);
            assert_eq!(update.incoming(EntityId(2)).unwrap().len(), 1, "b is yet to be resolved again");
        });
    }

    #[test]
    fn a_list_that_cannot_be_read_is_damage() {
        with_two_files(|update, a, _| {
            update.put_resolution(a, &sample::resolution(EntityId(2), &[EntityId(4)])).unwrap();
            for damage in ["x'ff'", "x''", "x'01040c0202080f'", "zeroblob(3)"] {
                let sql = format!("UPDATE resolutions SET relationships = {damage}, questions = {damage}");
                update.connection.execute(&sql, ()).unwrap();
                let found = update.resolution(a);
                assert!(!matches!(found, Err(ref error) if !error.is_rebuildable()), "{found:?}");
            }
            update.connection.execute("UPDATE relationships SET kind = 200", ()).unwrap();
            assert!(matches!(update.incoming(EntityId(4)), Err(StoreError::Damaged(_))));
        });
    }
}
