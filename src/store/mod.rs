//! The index: one SQLite file that holds the facts and relationships of a repository. Only this module uses rusqlite;
//! all SQL is here.
//!
//! It stores files, facts, entities and resolutions, whole or as updates, and finds them by path, id, name, question or
//! target. It knows nothing of git, source code or the terminal, nor the meaning of a fact or an answer.
//!
//! Reading order: `file` (the schema, the opening and the lock of the file), then `write` with one file per kind of
//! row. `write::bulk` builds a whole index, `read` serves queries and exports, `search` holds texts and vectors.
//!
//! - An update holds the lock of its directory and is one transaction; readers see the last complete one.
//! - A full build writes another file and puts it in place at the end.
//! - The file is a cache: `StoreError::is_rebuildable` tells when to set it aside and build a new one.

mod codes;
pub mod error;
pub mod file;
pub mod read;
pub mod rows;
pub mod runs;
pub mod search;
pub mod write;

#[cfg(test)]
mod sample;
#[cfg(test)]
mod speed;
#[cfg(test)]
mod stress;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

use crate::store::error::StoreError;
use crate::store::file::lock::WriteLock;
use crate::store::file::open::{Access, Identity, Opened, PATIENCE};
use crate::store::read::withheld::WithheldFiles;

pub use crate::store::write::update::Update;

/// An open index.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    /// `None` in memory.
    place: Option<StoreLocation>,
    withheld: WithheldFiles,
}

/// The place of an index, and the rights of this store.
#[derive(Debug)]
struct StoreLocation {
    path: PathBuf,
    identity: Identity,
    access: Access,
    /// Held for the store's whole life when it was opened with a lock.
    lock: Option<WriteLock>,
}

impl Store {
    /// Opens the index in `dir` for reading and updates; makes the directory and an empty index when there is none.
    pub fn open(dir: &Path) -> Result<Store, StoreError> {
        let dir = file::lock::usable_dir(dir)?;
        match file::open::open(&dir, Access::Write, None) {
            Err(StoreError::Missing(_)) => {
                let lock = WriteLock::take(&dir, Some(PATIENCE))?;
                file::create::empty_index(&lock)?;
                file::open::open(&dir, Access::Write, Some(&lock)).map(|opened| Store::new(opened, Access::Write, None))
            }
            opened => Ok(Store::new(opened?, Access::Write, None)),
        }
    }

    /// The name of the index in its directory.
    pub const FILE_NAME: &'static str = file::lock::FILE_NAME;

    /// Refuses a data directory that is a link: it lies in the git directory, which may come from a stranger.
    pub fn check_dir(dir: &Path) -> Result<(), StoreError> {
        file::lock::existing_dir(dir).map(drop)
    }

    /// Opens an existing index for a caller that already holds the lock. The store shares the lock until it is dropped.
    pub fn open_locked(lock: &WriteLock) -> Result<Store, StoreError> {
        let opened = file::open::open(lock.dir(), Access::Write, Some(lock))?;
        Ok(Store::new(opened, Access::Write, Some(lock.clone())))
    }

    /// Opens an existing index for reading. The store shows the index as it is now, even if it is written meanwhile.
    pub fn open_read_only(dir: &Path) -> Result<Store, StoreError> {
        let dir = file::lock::existing_dir(dir)?.ok_or_else(|| StoreError::Missing(dir.join(file::lock::FILE_NAME)))?;
        Ok(Store::new(file::open::open(&dir, Access::Read, None)?, Access::Read, None))
    }

    /// An empty index in memory.
    #[cfg(test)]
    pub fn open_in_memory() -> Result<Store, StoreError> {
        Ok(Store { connection: file::create::in_memory()?, place: None, withheld: WithheldFiles::default() })
    }

    /// Waits until no other process writes the index in `dir`, and keeps other writers out. Take the lock before
    /// reading the input of an update, and open the store with it.
    pub fn lock_for_writing(dir: &Path) -> Result<WriteLock, StoreError> {
        WriteLock::take(dir, None)
    }

    /// Like `lock_for_writing`, but gives up with `StoreError::Busy` after `patience`.
    pub fn lock_for_writing_within(dir: &Path, patience: Duration) -> Result<WriteLock, StoreError> {
        WriteLock::take(dir, Some(patience))
    }

    /// Moves the file, link or directory in the index's place to `index.db.bad`; the target of a link is not touched.
    pub fn set_aside(lock: &WriteLock) -> Result<(), StoreError> {
        lock.set_aside()
    }

    /// Puts a copy of the index in `sibling` (another worktree's directory) in the place that the lock guards.
    pub fn seed_from(lock: &WriteLock, sibling: &Path) -> Result<Store, StoreError> {
        write::bulk::seed_from(lock, sibling)
    }

    /// Where the index lies; `None` in memory.
    pub fn dir(&self) -> Option<&Path> {
        self.place.as_ref().and_then(|place| place.path.parent())
    }

    fn new(opened: Opened, access: Access, lock: Option<WriteLock>) -> Store {
        let place = StoreLocation { path: opened.path, identity: opened.identity, access, lock };
        Store { connection: opened.connection, place: Some(place), withheld: WithheldFiles::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::EntityId;
    use crate::store::sample;

    #[test]
    fn the_lock_keeps_other_writers_out_for_as_long_as_it_is_held() {
        let dir = tempfile::tempdir().unwrap();
        drop(Store::open(dir.path()).unwrap());
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
