//! Building a whole index.
//!
//! Goes in: every file, its facts and entities, while other stages still run; at the end the resolutions. Comes out: a
//! complete index in the old one's place. Until then everything happens in another file without a journal, so that a kill
//! at any moment leaves the old index, and readers of the old one keep what they see.
//!
//! Rows are inserted in the order of their primary keys, and secondary indexes are made after the load: then every page
//! is written once.

use std::borrow::Cow;
use std::fs::{self, File};
use std::path::Path;

use rayon::prelude::*;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags, params};

use crate::model::{
    Answer, ContentHash, EntityId, EntityRecord, FileId, FileRecord, FileStat, Relationship, Resolution,
};
use crate::store::codes::Bits;
use crate::store::entities::{UPSERT, insert_entity, parent_id};
use crate::store::error::StoreError;
use crate::store::lock::{WriteLock, remove_whatever};
use crate::store::resolutions::{self, INSERT_RESOLUTION, insert_resolution};
use crate::store::{Store, checkpoint, open, stamp};

/// An index being built. Dropped before `finish`, it leaves no trace.
#[derive(Debug)]
#[must_use = "nothing is built without `finish`"]
pub struct Builder {
    /// `None` once it is closed.
    connection: Option<Connection>,
    lock: WriteLock,
}

impl Builder {
    /// Starts an empty index beside the present one.
    pub fn new(lock: &WriteLock) -> Result<Builder, StoreError> {
        let path = lock.new_path();
        remove_whatever(&path).map_err(StoreError::at(&path))?;
        let connection = open::connect_new(&path)?;
        let builder = Builder { connection: Some(connection), lock: lock.clone() };
        let connection = builder.connection();
        // DEFENSIVE forbids to leave out the journal; nobody else has written to this file.
        connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)?;
        connection.execute_batch(BUILD_PRAGMAS)?;
        connection.execute_batch("BEGIN EXCLUSIVE")?;
        open::create_tables(connection)?;
        Ok(builder)
    }

    /// Sets a named value of the index itself.
    pub fn set_meta(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        self.connection().execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)", [key, value])?;
        Ok(())
    }

    /// Adds a file under this id.
    pub fn add_file(&mut self, id: FileId, file: &FileRecord) -> Result<(), StoreError> {
        let mut statement = self.connection().prepare_cached(
            "INSERT INTO files (id, path, module, content_hash, size, mtime_ns, ctime_ns, inode, line_count, is_partial,
               is_test, skipped)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?;
        let FileStat { size, mtime_ns, ctime_ns, inode } = file.stat;
        statement.execute(params![
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
        ])?;
        Ok(())
    }

    /// Adds what one content told; several files may have it.
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
        let mut statement = self.connection().prepare_cached(UPSERT)?;
        for (ordinal, (record, &id)) in (0..).zip(entities.iter().zip(&ids)) {
            insert_entity(&mut statement, id, file, ordinal, parent_id(record, ordinal, &ids)?, record)?;
        }
        Ok(())
    }

    /// Adds what resolving gave, and puts the index in its place. The store keeps the lock.
    pub fn finish(mut self, resolutions: &[(FileId, &Resolution)]) -> Result<Store, StoreError> {
        let mut resolutions: Vec<(FileId, Cow<'_, Resolution>)> =
            resolutions.par_iter().map(|(file, resolution)| (*file, resolutions::ordered(resolution))).collect();
        resolutions.sort_unstable_by_key(|(file, _)| *file);
        let (encoded, rows) = rayon::join(
            || {
                resolutions
                    .par_iter()
                    .map(|(_, resolution)| resolutions::encode(resolution))
                    .collect::<Result<Vec<_>, _>>()
            },
            || Rows::of(&resolutions),
        );
        let connection = self.connection();
        let mut statement = connection.prepare(INSERT_RESOLUTION)?;
        for ((file, resolution), encoded) in resolutions.iter().zip(encoded?) {
            insert_resolution(&mut statement, *file, resolution, &encoded)?;
        }
        drop(statement);
        rows.insert(connection)?;
        open::create_indexes(connection)?;
        connection.execute_batch("COMMIT")?;
        self.connection = None;
        publish(&self.lock)?;
        Store::open_locked(&self.lock)
    }

    fn connection(&self) -> &Connection {
        self.connection.as_ref().expect("closed by `finish` alone")
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        self.connection = None;
        // What stays behind is swept up by the next writer.
        remove_whatever(&self.lock.new_path()).ok();
    }
}

/// Puts a copy of the index in `sibling` (another worktree's directory) in the place that `lock` guards.
pub(super) fn seed_from(lock: &WriteLock, sibling: &Path) -> Result<Store, StoreError> {
    let source = Store::open_read_only(sibling)?;
    let path = lock.new_path();
    let mut target = open::connect_new(&path)?;
    copy(&source.connection, &mut target)?;
    drop(target);
    publish(lock)?;
    Store::open_locked(lock)
}

/// No journal and no waiting for the disk: a build that does not reach its end is thrown away.
const BUILD_PRAGMAS: &str = "
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA foreign_keys = OFF;
PRAGMA cache_size = -65536;
";

/// Puts the finished file in the index's place.
fn publish(lock: &WriteLock) -> Result<(), StoreError> {
    let (new, path) = (lock.new_path(), lock.index_path());
    let replaced = match open::identity(&path) {
        Ok(None) => false,
        Ok(Some(_)) => overwrite(lock, &new, &path)?,
        Err(StoreError::NotOurs { .. }) => {
            lock.set_aside()?;
            false
        }
        Err(error) => return Err(error),
    };
    if !replaced {
        lock.clear_companions()?;
        File::open(&new).and_then(|file| file.sync_all()).map_err(StoreError::at(&new))?;
        stamp::mark_busy(&path)?;
        fs::rename(&new, &path).map_err(StoreError::at(&path))?;
        sync_dir(lock.dir())?;
    }
    stamp::mark_done(&path)
}

/// Replaces the content of a healthy index in one transaction, so that processes that have it open stay right. Returns
/// false, with the old file set aside, when it is not healthy enough for that.
fn overwrite(lock: &WriteLock, new: &Path, path: &Path) -> Result<bool, StoreError> {
    let source = open::connect(new, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    stamp::mark_busy(path)?;
    match copy_into(&source, path) {
        Ok(()) => {
            remove_whatever(new).map_err(StoreError::at(new))?;
            Ok(true)
        }
        Err(error @ (StoreError::Busy | StoreError::Full | StoreError::Disk(_) | StoreError::Denied(_))) => Err(error),
        Err(_) => {
            lock.set_aside()?;
            Ok(false)
        }
    }
}

fn copy_into(source: &Connection, path: &Path) -> Result<(), StoreError> {
    let mut target = open::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    target.execute_batch("PRAGMA journal_mode = WAL")?;
    copy(source, &mut target)?;
    checkpoint(&target)
}

fn copy(source: &Connection, target: &mut Connection) -> Result<(), StoreError> {
    let backup = Backup::new(source, target)?;
    match backup.step(-1)? {
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

/// Every searchable row of a whole index, sorted by primary key.
struct Rows<'a> {
    relationships: Vec<Relationship>,
    unresolved: Vec<(&'a str, FileId)>,
    questions: Vec<(i64, FileId)>,
    answers: Vec<(i64, FileId, &'a Answer)>,
}

impl<'a> Rows<'a> {
    fn of(resolutions: &'a [(FileId, Cow<'a, Resolution>)]) -> Rows<'a> {
        let mut rows = Rows { relationships: vec![], unresolved: vec![], questions: vec![], answers: vec![] };
        for (file, resolution) in resolutions {
            rows.relationships.extend_from_slice(&resolution.relationships);
            rows.unresolved.extend(resolutions::names(&resolution.unresolved).into_iter().map(|name| (name, *file)));
            rows.questions.extend(resolution.questions.iter().map(|key| (key.cast_signed(), *file)));
            rows.answers.extend(resolution.answers.iter().map(|answer| (answer.key.cast_signed(), *file, answer)));
        }
        rows.relationships.par_sort_unstable();
        rows.questions.par_sort_unstable();
        rows.answers.par_sort_unstable_by_key(|(key, file, answer)| (*key, *file, answer.level));
        rows.unresolved.par_sort_unstable();
        rows
    }

    fn insert(&self, connection: &Connection) -> Result<(), StoreError> {
        let mut statement = connection.prepare(
            "INSERT INTO relationships (target_id, kind, source_id, line, column, basis) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        for r in &self.relationships {
            statement.execute((r.target, r.kind, r.source, r.line, r.column, r.basis))?;
        }
        let mut statement = connection.prepare("INSERT INTO unresolved (name, file_id) VALUES (?1, ?2)")?;
        for row in &self.unresolved {
            statement.execute(*row)?;
        }
        let mut statement = connection.prepare("INSERT INTO questions (key, file_id) VALUES (?1, ?2)")?;
        for row in &self.questions {
            statement.execute(*row)?;
        }
        let mut statement =
            connection.prepare("INSERT INTO answers (key, file_id, level, vals) VALUES (?1, ?2, ?3, ?4)")?;
        for (key, file, answer) in &self.answers {
            statement.execute((key, file, answer.level, postcard::to_stdvec(&answer.values)?))?;
        }
        Ok(())
    }
}
