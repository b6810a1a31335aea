//! Rows about files and their facts, and the few values about the index itself.
//!
//! File records, encoded facts and named values are found by id, path, module or content.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::facts::{Encoded, Interface};
use crate::model::{Collecting, ContentHash, FileId, FileRecord, FileStat};
use crate::store::Store;
use crate::store::codes::Bits;
use crate::store::error::StoreError;
use crate::store::write::update::Update;

impl Store {
    /// The named value of the index itself.
    pub fn meta(&self, key: &str) -> Result<Option<String>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
        Ok(statement.query_row([key], |row| row.get(0)).optional()?)
    }

    /// The file with this id.
    pub fn file(&self, id: FileId) -> Result<Option<FileRecord>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, path, module, content_hash, size, mtime_ns, ctime_ns, inode, line_count, is_partial, is_test, skipped
             FROM files WHERE id = ?1",
        )?;
        Ok(statement.query_row([id], |row| file_of_row(row).map(|(_, record)| record)).optional()?)
    }

    /// The id of the file at this path.
    pub fn file_id(&self, path: &str) -> Result<Option<FileId>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT id FROM files WHERE path = ?1")?;
        Ok(statement.query_row([path], |row| row.get(0)).optional()?)
    }

    /// Every file, sorted by path.
    pub fn files(&self) -> Result<Vec<(FileId, FileRecord)>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, path, module, content_hash, size, mtime_ns, ctime_ns, inode, line_count, is_partial, is_test, skipped
             FROM files",
        )?;
        let mut files = statement.query_map((), file_of_row)?.collect::<Result<Vec<_>, _>>()?;
        files.sort_unstable_by(|(_, a), (_, b)| a.path.cmp(&b.path));
        Ok(files)
    }

    /// The stat data of every file, by path; in no order that means anything.
    pub fn file_stats(&self) -> Result<Vec<(String, FileStat)>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT path, size, mtime_ns, ctime_ns, inode FROM files")?;
        let stats = statement.query_map((), |row| Ok((row.get(0)?, stat_of_row(row, 1)?)))?;
        Ok(stats.collect::<Result<_, _>>()?)
    }

    /// Every file's module; in no order that means anything.
    pub fn modules(&self) -> Result<Vec<(FileId, String)>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT id, module FROM files")?;
        let modules = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(modules.collect::<Result<_, _>>()?)
    }

    /// The files that are this module, sorted by path; more than one only when names collide.
    pub fn files_of_module(&self, module: &str) -> Result<Vec<FileId>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT id FROM files WHERE module = ?1 ORDER BY path")?;
        Ok(statement.query_map([module], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// Whether some file lies below this folder.
    pub fn has_files_below(&self, folder: &str) -> Result<bool, StoreError> {
        // `0` follows `/` in ASCII.
        let mut statement = self
            .connection
            .prepare_cached("SELECT EXISTS (SELECT 1 FROM files WHERE path > ?1 || '/' AND path < ?1 || '0')")?;
        Ok(statement.query_row([folder], |row| row.get(0))?)
    }

    /// The settings for pytest in a project's file of this content; `None` where it sets up no pytest.
    pub fn collecting(&self, content: &ContentHash) -> Result<Option<Collecting>, StoreError> {
        let interface = self.interface(content)?.and_then(|bytes| Interface::decode(&bytes));
        Ok(interface.and_then(|interface| interface.collecting))
    }

    /// The part of a content's facts that other files may ask about.
    pub fn interface(&self, content: &ContentHash) -> Result<Option<Vec<u8>>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT interface FROM facts WHERE content_hash = ?1")?;
        Ok(statement.query_row([content], |row| row.get(0)).optional()?)
    }

    /// The facts of this content.
    pub fn facts(&self, content: &ContentHash) -> Result<Option<Encoded>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT interface, bodies FROM facts WHERE content_hash = ?1")?;
        let facts = statement.query_row([content], |row| Ok(Encoded { interface: row.get(0)?, bodies: row.get(1)? }));
        Ok(facts.optional()?)
    }

    /// The facts of every content, also of those that no file has at present.
    pub fn all_facts(&self) -> Result<Vec<(ContentHash, Encoded)>, StoreError> {
        let mut statement = self.connection.prepare("SELECT content_hash, interface, bodies FROM facts ORDER BY 1")?;
        let rows = statement
            .query_map((), |row| Ok((row.get(0)?, Encoded { interface: row.get(1)?, bodies: row.get(2)? })))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The part of a content's facts that only its own resolution needs.
    pub fn bodies(&self, content: &ContentHash) -> Result<Option<Vec<u8>>, StoreError> {
        if self.withholds_content(content) {
            return Ok(None);
        }
        let mut statement = self.connection.prepare_cached("SELECT bodies FROM facts WHERE content_hash = ?1")?;
        Ok(statement.query_row([content], |row| row.get(0)).optional()?)
    }
}

impl Update<'_> {
    /// Sets a named value of the index itself.
    pub fn set_meta(&self, key: &str, value: &str) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO meta (key, value) VALUES (?1, ?2)
             ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value <> excluded.value",
        )?;
        statement.execute([key, value])?;
        Ok(())
    }

    /// Adds the file or replaces its record; a path keeps its id.
    pub fn put_file(&self, file: &FileRecord) -> Result<FileId, StoreError> {
        put_row(&self.connection, None, file)
    }

    /// Gives a file another path, which no file has. The file and its entities keep their ids.
    pub fn move_file(&self, id: FileId, path: &str) -> Result<(), StoreError> {
        self.connection.prepare_cached("UPDATE files SET path = ?2 WHERE id = ?1")?.execute((id, path))?;
        Ok(())
    }

    /// Removes the file with its entities and everything its resolution gave. Relationships that lead to its entities
    /// from other files go when those are resolved again.
    pub fn remove_file(&self, id: FileId) -> Result<(), StoreError> {
        self.remove_resolution(id)?;
        self.connection.prepare_cached("DELETE FROM files WHERE id = ?1")?.execute([id])?;
        Ok(())
    }

    /// Stores the facts of one content. `collect_garbage` removes the facts that were stored first.
    pub fn put_facts(&self, content: &ContentHash, interface: &[u8], bodies: &[u8]) -> Result<(), StoreError> {
        let mut statement = self
            .connection
            .prepare_cached("INSERT OR REPLACE INTO facts (content_hash, interface, bodies) VALUES (?1, ?2, ?3)")?;
        statement.execute((content, interface, bodies))?;
        Ok(())
    }

    /// Runs [`Self::collect_garbage`] at every 256th content, because counting takes longer the more contents there
    /// are.
    pub fn collect_garbage_at_times(&self, keep: usize) -> Result<(), StoreError> {
        const EVERY: i64 = 256;
        let mut statement = self.connection.prepare_cached("SELECT coalesce(max(rowid), 0) FROM facts")?;
        let last: i64 = statement.query_row((), |row| row.get(0))?;
        let collected = self.meta("collected")?.and_then(|number| number.parse::<i64>().ok()).unwrap_or(0);
        if last < collected + EVERY {
            return Ok(());
        }
        self.collect_garbage(keep)?;
        self.set_meta("collected", &last.to_string())
    }

    /// Forgets the oldest facts that no file has, as soon as there are `keep` more facts than files.
    pub fn collect_garbage(&self, keep: usize) -> Result<(), StoreError> {
        let mut counts =
            self.connection.prepare_cached("SELECT (SELECT count(*) FROM facts), (SELECT count(*) FROM files)")?;
        let (facts, files): (usize, usize) = counts.query_row((), |row| Ok((row.get(0)?, row.get(1)?)))?;
        if facts > files.saturating_add(keep) {
            let mut statement = self.connection.prepare_cached(
                "DELETE FROM facts WHERE rowid IN (
                   SELECT rowid FROM facts WHERE content_hash NOT IN (SELECT content_hash FROM files)
                   ORDER BY rowid DESC LIMIT -1 OFFSET ?1)",
            )?;
            statement.execute([keep])?;
        }
        Ok(())
    }
}

/// The columns `size, mtime_ns, ctime_ns, inode`, from `first` on.
pub(crate) fn stat_of_row(row: &Row<'_>, first: usize) -> rusqlite::Result<FileStat> {
    Ok(FileStat {
        size: row.get::<_, Bits>(first)?.0,
        mtime_ns: row.get(first + 1)?,
        ctime_ns: row.get(first + 2)?,
        inode: row.get::<_, Bits>(first + 3)?.0,
    })
}

fn file_of_row(row: &Row<'_>) -> rusqlite::Result<(FileId, FileRecord)> {
    let stat = stat_of_row(row, 4)?;
    let record = FileRecord {
        path: row.get(1)?,
        module: row.get(2)?,
        content_hash: row.get(3)?,
        stat,
        line_count: row.get(8)?,
        is_partial: row.get(9)?,
        is_test: row.get(10)?,
        skipped: row.get(11)?,
    };
    Ok((row.get(0)?, record))
}

/// Adds a file or replaces its record. A new path gets `id`, else the next free one; a known path keeps its own.
pub(crate) fn put_row(connection: &Connection, id: Option<FileId>, file: &FileRecord) -> Result<FileId, StoreError> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO files (id, path, module, content_hash, size, mtime_ns, ctime_ns, inode, line_count, is_partial,
           is_test, skipped)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
         ON CONFLICT (path) DO UPDATE SET module = excluded.module, content_hash = excluded.content_hash,
           size = excluded.size, mtime_ns = excluded.mtime_ns, ctime_ns = excluded.ctime_ns,
           inode = excluded.inode, line_count = excluded.line_count, is_partial = excluded.is_partial,
           is_test = excluded.is_test, skipped = excluded.skipped
         RETURNING id",
    )?;
    let FileStat { size, mtime_ns, ctime_ns, inode } = file.stat;
    let values = params![
        id,
        file.path,
        file.module,
        file.content_hash,
        Bits(size),
        mtime_ns,
        ctime_ns,
        Bits(inode),
        file.line_count,
        file.is_partial,
        file.is_test,
        file.skipped,
    ];
    Ok(statement.query_row(values, |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sample;

    #[test]
    fn a_path_keeps_its_id_and_reads_back_what_was_put_last() {
        let mut store = Store::open_in_memory().unwrap();
        let update = store.write().unwrap();
        let b = update.put_file(&sample::file("b.py", 1)).unwrap();
        let a = update.put_file(&sample::file("a/ü.py", 2)).unwrap();
        assert_eq!(update.put_file(&sample::file("b.py", 7)).unwrap(), b);
        assert_eq!(update.file(b).unwrap(), Some(sample::file("b.py", 7)));
        assert_eq!(update.files().unwrap(), [(a, sample::file("a/ü.py", 2)), (b, sample::file("b.py", 7))]);
        assert_eq!(update.files_of_module("a.ü").unwrap(), [a]);
        let mut modules = update.modules().unwrap();
        modules.sort();
        assert_eq!(modules, [(b, "b".to_owned()), (a, "a.ü".to_owned())]);
        let mut stats = update.file_stats().unwrap();
        stats.sort_by(|(a, _), (b, _)| a.cmp(b));
        let expected =
            [("a/ü.py", 2), ("b.py", 7)].map(|(path, size)| (path.to_owned(), sample::file(path, size).stat));
        assert_eq!(stats, expected);
        assert_eq!(update.file_id("nowhere.py").unwrap(), None);
    }

    #[test]
    fn facts_without_a_file_are_kept_up_to_a_number_oldest_first() {
        let mut store = Store::open_in_memory().unwrap();
        let update = store.write().unwrap();
        update.put_file(&sample::file("a.py", 1)).unwrap();
        for content in 1..=6 {
            update.put_facts(&[content; 32], b"interface", &[content]).unwrap();
        }
        update.put_facts(&[2; 32], b"interface", &[2]).unwrap();
        update.collect_garbage(5).unwrap();
        assert_eq!(update.bodies(&[3; 32]).unwrap(), Some(vec![3]));
        update.collect_garbage(2).unwrap();
        let kept: Vec<u8> = (1..=6).filter(|content| update.interface(&[*content; 32]).unwrap().is_some()).collect();
        assert_eq!(kept, [1, 2, 6]);
    }

    #[test]
    fn values_of_the_index_are_replaced() {
        let mut store = Store::open_in_memory().unwrap();
        let update = store.write().unwrap();
        update.set_meta("head", "a").unwrap();
        update.set_meta("head", "b").unwrap();
        assert_eq!(update.meta("head").unwrap().as_deref(), Some("b"));
        assert_eq!(update.meta("tail").unwrap(), None);
    }
}
