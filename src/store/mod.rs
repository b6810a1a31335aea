//! The index: one SQLite file that holds what is known about a repository. The only user of rusqlite; all SQL is here.
//!
//! Goes in: files, facts, entities and resolutions, whole or as updates. Comes out: the same, by path, id, name, question
//! or target. Knows nothing of git, source code or the terminal: what a fact or an answer means is for others to say.
//!
//! Reading order: `schema`, `open` and `lock` (what file it is and who may write), then one file per kind of row: `files`,
//! `entities`, `resolutions`; `bulk` builds a whole index, `read` answers people's questions, `dump` exports.
//!
//! - An update holds the lock of its directory and is one transaction; readers see the last complete one.
//! - A full build writes another file and puts it in place at the end.
//! - The file is a cache: `StoreError::is_rebuildable` tells when to set it aside and build anew.

pub mod bulk;
mod codes;
pub mod dump;
mod entities;
pub mod error;
mod files;
pub mod lock;
mod open;
pub mod read;
pub mod resolutions;
mod schema;
mod stamp;

#[cfg(test)]
mod sample;

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

use crate::store::error::StoreError;
use crate::store::lock::WriteLock;
use crate::store::open::{Access, Identity, Opened, PATIENCE};

/// An open index.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    /// `None` in memory.
    place: Option<Place>,
}

/// Where an index lies and what may be done with it.
#[derive(Debug)]
struct Place {
    path: PathBuf,
    identity: Identity,
    access: Access,
    /// Held for the store's whole life when it was opened with a lock.
    lock: Option<WriteLock>,
}

impl Store {
    /// Opens the index in `dir` for reading and updates; makes the directory and an empty index when there is none.
    pub fn open(dir: &Path) -> Result<Store, StoreError> {
        let dir = lock::usable_dir(dir)?;
        match open::open(&dir, Access::Write, None) {
            Err(StoreError::Missing(_)) => {
                let lock = WriteLock::take(&dir, Some(PATIENCE))?;
                open::create(&lock)?;
                open::open(&dir, Access::Write, Some(&lock)).map(|opened| Store::new(opened, Access::Write, None))
            }
            opened => Ok(Store::new(opened?, Access::Write, None)),
        }
    }

    /// Like `open`, by somebody who already holds the lock: the store shares it until it is dropped.
    pub fn open_locked(lock: &WriteLock) -> Result<Store, StoreError> {
        open::create(lock)?;
        let opened = open::open(lock.dir(), Access::Write, Some(lock))?;
        Ok(Store::new(opened, Access::Write, Some(lock.clone())))
    }

    /// Opens what is there for reading. The store shows the index as it is now, whatever is written meanwhile.
    pub fn open_read_only(dir: &Path) -> Result<Store, StoreError> {
        let dir = lock::existing_dir(dir)?.ok_or_else(|| StoreError::Missing(dir.join(lock::FILE_NAME)))?;
        Ok(Store::new(open::open(&dir, Access::Read, None)?, Access::Read, None))
    }

    /// An empty index that nobody else sees.
    pub fn open_in_memory() -> Result<Store, StoreError> {
        Ok(Store { connection: open::connect_in_memory()?, place: None })
    }

    /// Waits until no other process writes the index in `dir`, then keeps others from it. Take it before reading what an
    /// update will depend on, and open the store with it.
    pub fn lock_for_writing(dir: &Path) -> Result<WriteLock, StoreError> {
        WriteLock::take(dir, None)
    }

    /// Like `lock_for_writing`, but gives up with `StoreError::Busy` after `patience`.
    pub fn lock_for_writing_within(dir: &Path, patience: Duration) -> Result<WriteLock, StoreError> {
        WriteLock::take(dir, Some(patience))
    }

    /// Moves whatever is in the index's place to `index.db.bad`; what a link points to is not touched.
    pub fn set_aside(lock: &WriteLock) -> Result<(), StoreError> {
        lock.set_aside()
    }

    /// Puts a copy of the index in `sibling` (another worktree's directory) in the place that the lock guards.
    pub fn seed_from(lock: &WriteLock, sibling: &Path) -> Result<Store, StoreError> {
        bulk::seed_from(lock, sibling)
    }

    /// Starts an update. Takes the lock of the directory unless the store was opened with it.
    pub fn write(&mut self) -> Result<Update<'_>, StoreError> {
        let mut lock = None;
        if let Some(place) = &mut self.place {
            if place.access == Access::Read {
                return Err(StoreError::ReadOnly);
            }
            let dir = place.path.parent().expect("the index lies in a directory");
            if place.lock.is_none() {
                lock = Some(WriteLock::take(dir, Some(PATIENCE))?);
            }
            if open::identity(&place.path)? != Some(place.identity) {
                // A full build has replaced the file since: what is written to the old one would be lost.
                let opened = open::open(dir, Access::Write, lock.as_ref().or(place.lock.as_ref()))?;
                (self.connection, place.identity) = (opened.connection, opened.identity);
            }
        }
        self.connection.execute_batch("BEGIN IMMEDIATE")?;
        Ok(Update { store: self, _lock: lock, is_open: true })
    }

    fn new(opened: Opened, access: Access, lock: Option<WriteLock>) -> Store {
        let place = Place { path: opened.path, identity: opened.identity, access, lock };
        Store { connection: opened.connection, place: Some(place) }
    }
}

/// An update under way: everything in it becomes visible at once by `commit`, or not at all. Reads see what it wrote.
#[derive(Debug)]
#[must_use = "an update that is dropped is undone"]
pub struct Update<'a> {
    store: &'a mut Store,
    _lock: Option<WriteLock>,
    is_open: bool,
}

impl Update<'_> {
    /// Makes the update visible and moves it from SQLite's log into the file.
    pub fn commit(mut self) -> Result<(), StoreError> {
        if let Some(place) = &self.store.place {
            stamp::mark_busy(&place.path)?;
        }
        self.connection.execute_batch("COMMIT")?;
        self.is_open = false;
        // From here on the update is safe in the log, so what fails now is no failure of the update.
        if let Some(place) = &self.store.place
            && checkpoint(&self.connection).is_ok()
        {
            stamp::mark_done(&place.path).ok();
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

/// Moves the log into the file as far as readers allow, without waiting for them.
fn checkpoint(connection: &Connection) -> Result<(), StoreError> {
    connection.busy_timeout(Duration::ZERO)?;
    let moved = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()));
    connection.busy_timeout(PATIENCE)?;
    Ok(moved?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::EntityId;
    use crate::store::sample;

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
        drop(bulk::Builder::new(&lock).unwrap().finish(&[]).unwrap());
        drop(lock);
        let update = store.write().unwrap();
        update.set_meta("head", "abc").unwrap();
        update.commit().unwrap();
        assert_eq!(Store::open_read_only(dir.path()).unwrap().meta("head").unwrap().as_deref(), Some("abc"));
    }

    #[test]
    fn the_lock_keeps_other_writers_out_for_as_long_as_it_is_held() {
        let dir = tempfile::tempdir().unwrap();
        let lock = Store::lock_for_writing(dir.path()).unwrap();
        let mut store = Store::open_locked(&lock).unwrap();
        let refused = Store::lock_for_writing_within(dir.path(), Duration::from_millis(5));
        assert!(matches!(refused, Err(StoreError::Busy)));
        drop(lock);
        assert!(Store::lock_for_writing_within(dir.path(), Duration::from_millis(5)).is_err(), "the store shares it");
        store.write().unwrap().commit().unwrap();
        drop(store);
        assert!(Store::lock_for_writing_within(dir.path(), Duration::ZERO).is_ok());
    }

    #[test]
    fn a_sibling_s_index_is_copied_as_it_is_and_then_lives_on_its_own() {
        let (sibling, dir) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut original = Store::open(sibling.path()).unwrap();
        let update = original.write().unwrap();
        let file = update.put_file(&sample::file("a.py", 1)).unwrap();
        let ids = update.put_entities(file, &sample::entities("a", &["f"], 2)).unwrap();
        update.put_resolution(file, &sample::resolution(ids[1], &[ids[0], EntityId(1)])).unwrap();
        update.commit().unwrap();
        let lock = Store::lock_for_writing(dir.path()).unwrap();
        let mut copy = Store::seed_from(&lock, sibling.path()).unwrap();
        assert_eq!(copy.counts().unwrap(), original.counts().unwrap());
        let update = copy.write().unwrap();
        update.remove_file(file).unwrap();
        update.commit().unwrap();
        assert_eq!(original.counts().unwrap().files, 1);
        assert_eq!(Store::open_read_only(dir.path()).unwrap().counts().unwrap().files, 0);
    }
}
