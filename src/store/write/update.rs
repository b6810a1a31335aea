//! Updates: one transaction each, under the lock of the directory.
//!
//! All changes of an update become visible at once, or none.
//!
//! An update ends in SQLite's write-ahead log, without waiting for the disk. So a question right after an edit does not
//! wait either. Moving the log into the file (*settling*) does wait for the disk. It happens when the log has grown,
//! and in processes that have the time. After a power loss the updates since then may be missing as a whole.

use std::fs;
use std::ops::Deref;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use crate::store::error::StoreError;
use crate::store::file::lock::{WriteLock, with_suffix};
use crate::store::file::open::{self, Access, PATIENCE};
use crate::store::{Store, file::stamp};

/// The log is settled when it has more bytes than this: reading it costs the next one to open the index some time.
const LARGE_LOG: u64 = 2 << 20;

/// An update under way. Reads see its changes.
#[derive(Debug)]
#[must_use = "an update that is dropped is undone"]
pub struct Update<'a> {
    store: &'a mut Store,
    _lock: Option<WriteLock>,
    is_open: bool,
}

impl Store {
    /// Starts an update. Takes the lock of the directory unless the store was opened with it.
    pub fn write(&mut self) -> Result<Update<'_>, StoreError> {
        let lock = self.prepare_to_write()?;
        if let Some(place) = &self.place {
            // An empty log holds nothing that could be mistaken for the new one, so its beginning need not be on the
            // disk before the rest. Pages reach the file only by settling, which always waits for the disk.
            let level = if log_size(&place.path) == 0 { "OFF" } else { "NORMAL" };
            self.connection.pragma_update(None, "synchronous", level)?;
        }
        self.connection.execute_batch("BEGIN IMMEDIATE")?;
        Ok(Update { store: self, _lock: lock, is_open: true })
    }

    /// Makes updates through this store stay in memory until they are committed, however large they are: one that is
    /// undone leaves nothing in SQLite's log.
    pub fn hold_back(&self) -> Result<(), StoreError> {
        Ok(self.connection.pragma_update(None, "cache_spill", false)?)
    }

    /// Moves finished updates from SQLite's log into the file, where readers allow it.
    #[cfg(test)]
    pub fn settle(&mut self) -> Result<(), StoreError> {
        let _lock = self.prepare_to_write()?;
        match &self.place {
            Some(place) => settle(&self.connection, &place.path),
            None => Ok(()),
        }
    }

    /// Makes sure that this process alone writes, and to the file that is in place.
    fn prepare_to_write(&mut self) -> Result<Option<WriteLock>, StoreError> {
        let Some(place) = &mut self.place else { return Ok(None) };
        if place.access == Access::Read {
            return Err(StoreError::ReadOnly);
        }
        let dir = place.path.parent().expect("the index lies in a directory");
        let taken = match place.lock {
            Some(_) => None,
            None => Some(WriteLock::take(dir, Some(PATIENCE))?),
        };
        if open::identity(&place.path)? != Some(place.identity) {
            // A full build has replaced the file since: changes to the old one would be lost.
            let opened = open::open(dir, Access::Write, taken.as_ref().or(place.lock.as_ref()))?;
            (self.connection, place.identity) = (opened.connection, opened.identity);
        }
        let journal: String = self.connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        if journal != "wal" {
            // A build was killed just before it replaced this file, and had removed its log.
            stamp::mark_busy(&place.path)?;
            self.connection.pragma_update(None, "journal_mode", "WAL")?;
        }
        Ok(taken)
    }
}

impl Update<'_> {
    /// Rows inserted, changed or deleted since the index was opened, those behind the full-text index included.
    pub fn rows_written(&self) -> u64 {
        self.connection.total_changes()
    }

    /// Makes the update visible.
    pub fn commit(mut self) -> Result<(), StoreError> {
        if let Some(place) = &self.store.place {
            stamp::mark_busy(&place.path)?;
        }
        self.connection.execute_batch("COMMIT")?;
        self.is_open = false;
        if let Some(place) = &self.store.place
            && log_size(&place.path) > LARGE_LOG
        {
            // The update is complete, so an error here is none: the next writer settles the rest.
            settle(&self.connection, &place.path).ok();
        }
        Ok(())
    }
}

impl Deref for Update<'_> {
    type Target = Store;

    fn deref(&self) -> &Store {
        self.store
    }
}

impl Drop for Update<'_> {
    fn drop(&mut self) {
        if self.is_open {
            // Nothing to be done about an error: without a commit the next opening drops the update anyway.
            self.connection.execute_batch("ROLLBACK").ok();
        }
    }
}

/// Moves the log into the file as far as readers allow, without waiting for them. The caller holds the lock.
pub(crate) fn settle(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    stamp::mark_busy(path)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    // A reader may stay for long, and the next writer can settle as well.
    connection.busy_timeout(Duration::ZERO)?;
    let is_held_up = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |row| row.get::<_, bool>(0));
    connection.busy_timeout(PATIENCE)?;
    if is_held_up? {
        return Ok(());
    }
    stamp::mark_done(path)
}

fn log_size(path: &Path) -> u64 {
    fs::symlink_metadata(with_suffix(path, "-wal")).map_or(0, |metadata| metadata.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{sample, write::bulk};

    #[test]
    fn updates_that_are_dropped_leave_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        let update = store.write().unwrap();
        update.put_file(&sample::file("a.py", 1)).unwrap();
        drop(update);
        assert_eq!(store.file_id("a.py").unwrap(), None);
        assert_eq!(Store::open(dir.path()).unwrap().counts().unwrap().files, 0);
    }

    #[test]
    fn readers_see_one_state_until_they_open_again() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        let reader = Store::open_read_only(dir.path()).unwrap();
        let update = store.write().unwrap();
        update.put_file(&sample::file("a.py", 1)).unwrap();
        assert_eq!(update.counts().unwrap().files, 1);
        update.commit().unwrap();
        assert_eq!(reader.counts().unwrap().files, 0);
        assert_eq!(Store::open_read_only(dir.path()).unwrap().counts().unwrap().files, 1);
    }

    #[test]
    fn a_store_for_reading_refuses_updates() {
        let dir = tempfile::tempdir().unwrap();
        drop(Store::open(dir.path()).unwrap());
        let mut reader = Store::open_read_only(dir.path()).unwrap();
        assert!(matches!(reader.write(), Err(StoreError::ReadOnly)));
    }

    #[test]
    fn writers_take_turns_and_lose_nothing() {
        let dir = tempfile::tempdir().unwrap();
        drop(Store::open(dir.path()).unwrap());
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let dir = dir.path();
                scope.spawn(move || {
                    for round in 0..10 {
                        let mut store = Store::open(dir).unwrap();
                        let update = store.write().unwrap();
                        let count: u32 = update.meta("count").unwrap().map_or(0, |count| count.parse().unwrap());
                        update.set_meta("count", &(count + 1).to_string()).unwrap();
                        update.put_file(&sample::file(&format!("{writer}/{round}.py"), 1)).unwrap();
                        update.commit().unwrap();
                    }
                });
            }
        });
        let store = Store::open_read_only(dir.path()).unwrap();
        assert_eq!(store.meta("count").unwrap().as_deref(), Some("40"));
        assert_eq!(store.counts().unwrap().files, 40);
    }

    #[test]
    fn a_full_build_by_another_writer_does_not_swallow_updates() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        let lock = Store::lock_for_writing(dir.path()).unwrap();
        Store::set_aside(&lock).unwrap();
        drop(bulk::BulkBuilder::new(&lock).unwrap().end_load().unwrap().finish(&[]).unwrap());
        drop(lock);
        let update = store.write().unwrap();
        update.set_meta("head", "abc").unwrap();
        update.commit().unwrap();
        assert_eq!(Store::open_read_only(dir.path()).unwrap().meta("head").unwrap().as_deref(), Some("abc"));
    }

    /// Copies an index as a kill would leave it: without the memory that connections share.
    fn killed(dir: &Path) -> tempfile::TempDir {
        let copy = tempfile::tempdir().unwrap();
        for name in ["index.db", "index.db-wal", "index.db-stamp"] {
            let Ok(metadata) = fs::metadata(dir.join(name)) else { continue };
            fs::copy(dir.join(name), copy.path().join(name)).unwrap();
            let file = fs::File::options().write(true).open(copy.path().join(name)).unwrap();
            file.set_modified(metadata.modified().unwrap()).unwrap();
        }
        copy
    }

    #[test]
    fn a_kill_leaves_the_last_complete_update() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        sample::fill(&mut store);
        let check = |files: u64| {
            let copy = killed(dir.path());
            for _ in 0..2 {
                let reader = Store::open_read_only(copy.path()).unwrap();
                assert_eq!(reader.counts().unwrap().files, files);
                reader.verify().unwrap();
            }
            let mut writer = Store::open(copy.path()).unwrap();
            sample::fill(&mut writer);
            writer.settle().unwrap();
            drop(writer);
            Store::open_read_only(copy.path()).unwrap().verify().unwrap();
        };
        check(2);
        store.settle().unwrap();
        check(2);
        let update = store.write().unwrap();
        // More than the cache holds, so that pages go to the log before the end.
        update.connection.pragma_update(None, "cache_size", 2).unwrap();
        for n in 0..200 {
            update.put_file(&sample::file(&format!("{n}.py"), 1)).unwrap();
            update.put_facts(&[u8::try_from(n).unwrap(); 32], &[7; 9_000], b"").unwrap();
        }
        assert!(log_size(&dir.path().join("index.db")) > 100_000);
        check(2);
        update.commit().unwrap();
        check(202);
        store.settle().unwrap();
        check(202);
    }

    #[test]
    fn no_room_leaves_the_index_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        sample::fill(&mut store);
        let pages: u32 = store.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
        store.connection.pragma_update(None, "max_page_count", pages).unwrap();
        let update = store.write().unwrap();
        assert!(matches!(update.put_facts(&[9; 32], &vec![7; 100_000], b""), Err(StoreError::Full)));
        drop(update);
        store.verify().unwrap();
        Store::open_read_only(dir.path()).unwrap().verify().unwrap();
    }

    #[test]
    fn another_program_that_writes_makes_us_give_up_after_a_while() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        let other = Connection::open(dir.path().join("index.db")).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        store.connection.busy_timeout(Duration::from_millis(5)).unwrap();
        assert!(matches!(store.write(), Err(StoreError::Busy)));
        drop(other);
        store.write().unwrap().commit().unwrap();
    }

    #[test]
    fn a_log_that_has_grown_is_settled_by_the_update_itself() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        let index = dir.path().join("index.db");
        sample::fill(&mut store);
        assert!(log_size(&index) > 0);
        let update = store.write().unwrap();
        update.put_facts(&[1; 32], &vec![7; 3 << 20], b"").unwrap();
        update.commit().unwrap();
        assert_eq!(log_size(&index), 0);
    }
}
