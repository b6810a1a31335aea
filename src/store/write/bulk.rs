//! Builds a whole index.
//!
//! Files, facts and entities arrive while other stages still run; the resolutions arrive at the end. All of it is
//! written to another file without a journal, which then replaces the old index. A kill at any moment leaves the old
//! index, and readers of the old one are not disturbed.
//!
//! Early rows go through SQLite. The rows of which there may be millions come last, sorted, and are written as pages
//! (see `pages`). Secondary indexes are made after the load.

use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use crate::model::{ContentHash, EntityId, EntityRecord, FileId, FileRecord};
use crate::store::error::StoreError;
use crate::store::file::lock::{WriteLock, remove_whatever};
use crate::store::file::open::Access;
use crate::store::rows::{Resolved, Roots, Rows};
use crate::store::write::entities::{INSERT, insert_entity, parent_id};
use crate::store::write::files::put_row;
use crate::store::write::resolutions::{INSERT_RESOLUTION, insert_resolution};
use crate::store::write::update::settle;
use crate::store::{
    Store,
    file::{create, open, stamp},
    search::texts,
};

/// An index that is being loaded. Dropped before [`LoadedIndex::finish`], it leaves no trace.
#[derive(Debug)]
#[must_use = "nothing is built without `finish`"]
pub struct BulkBuilder {
    /// `None` once it is closed.
    connection: Option<Connection>,
    lock: WriteLock,
    /// Of the table in the binary, by text; in the index when loading ends.
    pub(crate) vectors: Vec<(u64, Vec<u8>)>,
}

impl BulkBuilder {
    /// Starts an empty index beside the present one.
    pub fn new(lock: &WriteLock) -> Result<BulkBuilder, StoreError> {
        let path = lock.new_path();
        remove_whatever(&path).map_err(StoreError::at(&path))?;
        let connection = create::new_file(&path)?;
        let builder = BulkBuilder { connection: Some(connection), lock: lock.clone(), vectors: Vec::new() };
        let connection = builder.connection();
        // The DEFENSIVE setting forbids to leave out the journal. It is safe to switch it off, because only we have
        // written this file.
        connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)?;
        connection.execute_batch(BUILD_PRAGMAS)?;
        connection.execute_batch("BEGIN EXCLUSIVE")?;
        create::tables(connection)?;
        texts::begin_load(connection)?;
        Ok(builder)
    }

    /// Sets a named value of the index itself.
    pub fn set_meta(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        self.connection().execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)", [key, value])?;
        Ok(())
    }

    /// Adds a file under this id.
    pub fn add_file(&mut self, id: FileId, file: &FileRecord) -> Result<(), StoreError> {
        put_row(self.connection(), Some(id), file)?;
        Ok(())
    }

    /// Adds the facts of one content; several files may share it.
    pub fn add_facts(&mut self, content: &ContentHash, interface: &[u8], bodies: &[u8]) -> Result<(), StoreError> {
        let mut statement = self
            .connection()
            .prepare_cached("INSERT OR IGNORE INTO facts (content_hash, interface, bodies) VALUES (?1, ?2, ?3)")?;
        statement.execute((content, interface, bodies))?;
        Ok(())
    }

    /// Adds a file's entities under the ids from `first` on, in the order of its list.
    pub fn add_entities(&mut self, file: FileId, first: EntityId, entities: &[EntityRecord]) -> Result<(), StoreError> {
        let ids: Vec<EntityId> = (first.0..).map(EntityId).take(entities.len()).collect();
        let mut statement = self.connection().prepare_cached(INSERT)?;
        for (ordinal, (record, &id)) in (0..).zip(entities.iter().zip(&ids)) {
            insert_entity(&mut statement, id, file, ordinal, parent_id(record, ordinal, &ids)?, record)?;
        }
        Ok(())
    }

    /// After the last file: makes the secondary indexes, and gives back the memory that only loading needs.
    pub fn end_load(mut self) -> Result<LoadedIndex, StoreError> {
        self.put_vectors()?;
        let connection = self.connection();
        texts::end_load(connection)?;
        create::indexes(connection)?;
        // From here on rows arrive in order.
        connection.execute_batch("COMMIT; PRAGMA cache_size = -2048; PRAGMA shrink_memory")?;
        // The disk has time for this while files are resolved. Closing the file drops SQLite's locks on it, which no
        // other process needs.
        let path = self.lock.new_path();
        File::open(&path).and_then(|file| file.sync_data()).map_err(StoreError::at(&path))?;
        // The next rows need a transaction again, since each statement outside of one would be written by itself.
        connection.execute_batch("BEGIN EXCLUSIVE")?;
        Ok(LoadedIndex(self))
    }

    pub(crate) fn connection(&self) -> &Connection {
        self.connection.as_ref().expect("closed by `LoadedIndex::finish` alone")
    }
}

/// An index that lacks only the rows of resolutions.
#[derive(Debug)]
#[must_use = "nothing is built without `finish`"]
pub struct LoadedIndex(BulkBuilder);

impl LoadedIndex {
    /// Sets a named value of the index itself.
    pub fn set_meta(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        self.0.set_meta(key, value)
    }

    /// Adds the resolutions, in the order of files, and puts the index in its place. The store keeps the lock.
    pub fn finish(mut self, resolutions: &[(FileId, Resolved)]) -> Result<Store, StoreError> {
        let (roots, rows) = rayon::join(|| self.close(resolutions), || Rows::of(resolutions));
        let lock = &self.0.lock;
        rows?.write(&lock.new_path(), &roots?)?;
        publish(lock)?;
        Store::open_locked(lock)
    }

    /// Adds the lists by file and closes the index. Returns the root pages of the tables that are still empty.
    fn close(&mut self, resolutions: &[(FileId, Resolved)]) -> Result<Roots, StoreError> {
        let connection = self.0.connection();
        let mut statement = connection.prepare(INSERT_RESOLUTION)?;
        for (file, resolved) in resolutions {
            let counts = (resolved.relationships(), resolved.unresolved());
            insert_resolution(&mut statement, *file, counts, &resolved.encoded)?;
        }
        drop(statement);
        connection.execute_batch("COMMIT")?;
        // `PageFile` fills these tables below SQLite, so it needs their root pages and the closed file.
        let mut statement = connection.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?1")?;
        let mut root = |table: &str| statement.query_row([table], |row| row.get(0));
        let roots = Roots {
            relationships: root("relationships")?,
            unresolved: root("unresolved")?,
            questions: root("questions")?,
            answers: root("answers")?,
        };
        drop(statement);
        drop(self.0.connection.take());
        Ok(roots)
    }
}

impl Drop for BulkBuilder {
    fn drop(&mut self) {
        self.connection = None;
        // The next writer removes a leftover.
        remove_whatever(&self.lock.new_path()).ok();
    }
}

/// Puts a copy of the index in `sibling` (another worktree's directory) in the place that `lock` guards.
pub(crate) fn seed_from(lock: &WriteLock, sibling: &Path) -> Result<Store, StoreError> {
    let source = Store::open_read_only(sibling)?;
    let path = lock.new_path();
    let mut target = create::new_file(&path)?;
    copy(&source.connection, &mut target)?;
    drop(target);
    File::open(&path).and_then(|file| file.sync_all()).map_err(StoreError::at(&path))?;
    publish(lock)?;
    Store::open_locked(lock)
}

/// No journal and no waiting for the disk: a build that does not reach its end is thrown away.
const BUILD_PRAGMAS: &str = "
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA foreign_keys = OFF;
PRAGMA cache_size = -16384;
";

/// Puts the finished file in the index's place.
fn publish(lock: &WriteLock) -> Result<(), StoreError> {
    let path = lock.index_path();
    match open::open(lock.dir(), Access::Write, Some(lock)).map(drop) {
        Ok(()) | Err(StoreError::Newer(_) | StoreError::Older(_)) => {
            stamp::mark_busy(&path)?;
            match sole_user(&path)? {
                // The connection must live until the rename is done: it keeps others out.
                Some(_connection) => rename(lock),
                // Others read the old file, and SQLite would apply its log to a file of the same name.
                None => overwrite(lock),
            }
        }
        Err(StoreError::Missing(_)) => {
            lock.clear_companions()?;
            rename(lock)
        }
        Err(error) if error.is_rebuildable() => {
            lock.set_aside()?;
            rename(lock)
        }
        Err(error) => Err(error),
    }
}

fn rename(lock: &WriteLock) -> Result<(), StoreError> {
    let path = lock.index_path();
    stamp::mark_busy(&path)?;
    fs::rename(lock.new_path(), &path).map_err(StoreError::at(&path))?;
    sync_dir(lock.dir())?;
    stamp::mark_done(&path)
}

/// A connection that locks the old index for itself and has removed its log; `None` when others have the index open.
/// The log must go before the file is replaced: SQLite applies a log to the file beside it, even if it belongs to
/// another one.
fn sole_user(path: &Path) -> Result<Option<Connection>, StoreError> {
    let connection = open::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.busy_timeout(Duration::ZERO)?;
    let alone = "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE;";
    match connection.execute_batch(alone).map_err(StoreError::from) {
        Ok(()) => Ok(Some(connection)),
        Err(StoreError::Busy) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Replaces the content of the old index in one transaction. Readers that have it open keep their view.
fn overwrite(lock: &WriteLock) -> Result<(), StoreError> {
    let path = lock.index_path();
    let source = open::connect(&lock.new_path(), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut target = open::connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    target.execute_batch("PRAGMA journal_mode = WAL")?;
    copy(&source, &mut target)?;
    drop(source);
    settle(&target, &path)?;
    lock.sweep()
}

fn copy(source: &Connection, target: &mut Connection) -> Result<(), StoreError> {
    match Backup::new(source, target)?.step(-1)? {
        StepResult::Done => Ok(()),
        _ => Err(StoreError::Busy),
    }
}

/// A rename lasts through a power loss once its directory is written.
#[cfg(unix)]
fn sync_dir(dir: &Path) -> Result<(), StoreError> {
    File::open(dir).and_then(|file| file.sync_all()).map_err(StoreError::at(dir))
}

#[cfg(not(unix))]
fn sync_dir(_: &Path) -> Result<(), StoreError> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Resolution;
    use crate::store::sample;

    /// Builds the content of `store` again in `dir`, with the same ids.
    fn rebuild(dir: &Path, store: &Store) -> Store {
        let lock = Store::lock_for_writing(dir).unwrap();
        let mut builder = BulkBuilder::new(&lock).unwrap();
        builder.set_meta("indexed", "abc").unwrap();
        let mut resolutions = Vec::new();
        for (id, file) in store.files().unwrap() {
            builder.add_file(id, &file).unwrap();
            builder.add_facts(&file.content_hash, b"interface", b"bodies").unwrap();
            builder.add_facts(&file.content_hash, b"interface", b"bodies").unwrap();
            let entities = store.entities_of(id).unwrap();
            let records: Vec<EntityRecord> = entities.iter().map(|entity| entity.record.clone()).collect();
            builder.add_entities(id, entities[0].id, &records).unwrap();
            resolutions.push((id, Resolved::of(&store.resolution(id).unwrap().unwrap()).unwrap()));
        }
        builder.end_load().unwrap().finish(&resolutions).unwrap()
    }

    fn new_files(dir: &Path) -> usize {
        let names = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.contains("new")).count()
    }

    #[test]
    fn a_full_build_equals_updates() {
        let mut updated = Store::open_in_memory().unwrap();
        let files = sample::fill(&mut updated);
        let dir = tempfile::tempdir().unwrap();
        let mut built = rebuild(dir.path(), &updated);
        built.verify().unwrap();
        assert_eq!(sample::exported(&built), sample::exported(&updated));
        assert_eq!(built.counts().unwrap(), updated.counts().unwrap());
        assert_eq!(built.files().unwrap(), updated.files().unwrap());
        assert_eq!(built.meta("indexed").unwrap(), updated.meta("indexed").unwrap());
        for file in files {
            assert_eq!(built.resolution(file).unwrap(), updated.resolution(file).unwrap());
            assert_eq!(built.entities_of(file).unwrap(), updated.entities_of(file).unwrap());
        }
        assert_eq!(built.bodies(&[b'a'; 32]).unwrap().as_deref(), Some(&b"bodies"[..]));
        // From here on both go the same way, ids included.
        for store in [&mut built, &mut updated] {
            let update = store.write().unwrap();
            update.remove_file(files[0]).unwrap();
            update.put_resolution(files[1], &Resolution::default()).unwrap();
            let file = update.put_file(&sample::file("c.py", 3)).unwrap();
            assert_eq!(
                update.put_entities(file, &sample::entities("c", &["f"], 2)).unwrap(),
                [EntityId(11), EntityId(12)]
            );
            update.commit().unwrap();
            store.verify().unwrap();
        }
        assert_eq!(sample::exported(&built), sample::exported(&updated));
    }

    #[test]
    fn an_empty_repository_has_an_index() {
        let dir = tempfile::tempdir().unwrap();
        let lock = Store::lock_for_writing(dir.path()).unwrap();
        let store = BulkBuilder::new(&lock).unwrap().end_load().unwrap().finish(&[]).unwrap();
        store.verify().unwrap();
        assert_eq!(store.counts().unwrap(), crate::store::read::IndexCounts::default());
    }

    #[test]
    fn a_build_that_stops_leaves_the_old_index_and_no_litter() {
        let dir = tempfile::tempdir().unwrap();
        sample::fill(&mut Store::open(dir.path()).unwrap());
        let lock = Store::lock_for_writing(dir.path()).unwrap();
        let mut builder = BulkBuilder::new(&lock).unwrap();
        builder.add_file(FileId(1), &sample::file("a.py", 1)).unwrap();
        assert_eq!(new_files(dir.path()), 1);
        drop(builder);
        assert_eq!(new_files(dir.path()), 0);
        drop(lock);
        assert_eq!(Store::open_read_only(dir.path()).unwrap().counts().unwrap().files, 2);
        fs::write(dir.path().join("index.db.new-1"), b"of a process that was killed").unwrap();
        drop(Store::lock_for_writing(dir.path()).unwrap());
        assert_eq!(new_files(dir.path()), 0);
    }

    #[test]
    fn a_build_replaces_an_index_that_others_are_reading() {
        let dir = tempfile::tempdir().unwrap();
        let mut updated = Store::open_in_memory().unwrap();
        sample::fill(&mut updated);
        drop(Store::open(dir.path()).unwrap());
        let mut writer = Store::open(dir.path()).unwrap();
        let reader = Store::open_read_only(dir.path()).unwrap();
        let built = rebuild(dir.path(), &updated);
        assert_eq!(reader.counts().unwrap().files, 0, "what was open stays as it was");
        assert_eq!(built.counts().unwrap().files, 2);
        drop(built);
        let update = writer.write().unwrap();
        assert_eq!(update.counts().unwrap().files, 2);
        update.set_meta("after", "yes").unwrap();
        update.commit().unwrap();
        drop((reader, writer));
        let store = Store::open_read_only(dir.path()).unwrap();
        assert_eq!(store.meta("after").unwrap().as_deref(), Some("yes"));
        store.verify().unwrap();
        assert_eq!(new_files(dir.path()), 0);
    }

    #[test]
    fn a_build_replaces_an_index_that_nobody_reads_and_its_log() {
        let dir = tempfile::tempdir().unwrap();
        sample::fill(&mut Store::open(dir.path()).unwrap());
        assert!(fs::metadata(dir.path().join("index.db-wal")).unwrap().len() > 0, "not settled");
        let updated = Store::open_in_memory().unwrap();
        drop(rebuild(dir.path(), &updated));
        let store = Store::open_read_only(dir.path()).unwrap();
        assert_eq!(store.counts().unwrap().files, 0);
        store.verify().unwrap();
    }

    #[test]
    fn a_build_sets_aside_what_is_no_index() {
        let dir = tempfile::tempdir().unwrap();
        let updated = Store::open_in_memory().unwrap();
        fs::write(dir.path().join("index.db"), b"precious").unwrap();
        fs::write(dir.path().join("index.db-wal"), b"of something else").unwrap();
        rebuild(dir.path(), &updated).verify().unwrap();
        assert_eq!(fs::read(dir.path().join("index.db.bad")).unwrap(), b"precious");
    }
}
