//! Building a whole index.
//!
//! Goes in: every file, its facts and entities, while other stages still run; at the end the resolutions. Comes out: a
//! complete index in the old one's place. Until then everything happens in another file without a journal, so that a kill
//! at any moment leaves the old index, and readers of the old one keep what they see.
//!
//! What comes early goes through SQLite; the rows of which there may be millions come last, sorted, and are written as
//! pages (see `pages`). Secondary indexes are made after the load.

use std::borrow::Cow;
use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use rayon::prelude::*;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags, params};

use crate::model::{ContentHash, EntityId, EntityRecord, FileId, FileRecord, FileStat, Relationship, Resolution};
use crate::store::codes::Bits;
use crate::store::entities::{INSERT, insert_entity, parent_id};
use crate::store::error::StoreError;
use crate::store::lock::{WriteLock, remove_whatever};
use crate::store::open::Access;
use crate::store::pages::{PageFile, Value};
use crate::store::resolutions::{self, INSERT_RESOLUTION, insert_resolution};
use crate::store::update::settle;
use crate::store::{Store, open, stamp};

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
        let mut statement = self.connection().prepare_cached(INSERT)?;
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
        let (closed, rows) = rayon::join(|| self.close(&resolutions), || Rows::of(&resolutions));
        closed.and_then(|roots| rows?.write(&self.lock.new_path(), roots))?;
        publish(&self.lock)?;
        Store::open_locked(&self.lock)
    }

    /// Adds the encoded lists and the secondary indexes, and closes the file. Returns the root pages of the tables that
    /// are still empty.
    fn close(&mut self, resolutions: &[(FileId, Cow<'_, Resolution>)]) -> Result<Roots, StoreError> {
        let encoded = resolutions
            .par_iter()
            .map(|(_, resolution)| resolutions::encode(resolution))
            .collect::<Result<Vec<_>, _>>()?;
        let connection = self.connection();
        let mut statement = connection.prepare(INSERT_RESOLUTION)?;
        for ((file, resolution), encoded) in resolutions.iter().zip(encoded) {
            insert_resolution(&mut statement, *file, resolution, &encoded)?;
        }
        drop(statement);
        open::create_indexes(connection)?;
        connection.execute_batch("COMMIT")?;
        let mut statement = connection.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?1")?;
        let mut root = |table: &str| statement.query_row([table], |row| row.get(0));
        let roots = Roots {
            relationships: root("relationships")?,
            unresolved: root("unresolved")?,
            questions: root("questions")?,
            answers: root("answers")?,
        };
        drop(statement);
        self.connection = None;
        Ok(roots)
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
PRAGMA cache_size = -65536;
";

/// Puts the finished file in the index's place.
fn publish(lock: &WriteLock) -> Result<(), StoreError> {
    let path = lock.index_path();
    match open::open(lock.dir(), Access::Write, Some(lock)).map(drop) {
        Ok(()) | Err(StoreError::Newer(_) | StoreError::Older(_)) => {
            stamp::mark_busy(&path)?;
            match sole_user(&path)? {
                Some(_connection) => rename(lock),
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

/// A connection that keeps everybody else out of the old index and has removed its log; `None` when others have it open.
/// Without them the file can be replaced: a log found beside a file is applied to it, whichever it was written for.
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

/// Replaces the content of the old index in one transaction, while others have it open and keep what they see.
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

/// Where the tables begin whose rows are written as pages.
struct Roots {
    relationships: u32,
    unresolved: u32,
    questions: u32,
    answers: u32,
}

/// Every searchable row of a whole index, sorted by primary key.
struct Rows<'a> {
    relationships: Vec<Relationship>,
    unresolved: Vec<(&'a str, FileId)>,
    questions: Vec<(i64, FileId)>,
    /// Key, file, level and encoded values.
    answers: Vec<(i64, FileId, u8, Vec<u8>)>,
}

impl<'a> Rows<'a> {
    fn of(resolutions: &'a [(FileId, Cow<'a, Resolution>)]) -> Result<Rows<'a>, StoreError> {
        let mut rows = Rows { relationships: vec![], unresolved: vec![], questions: vec![], answers: vec![] };
        for (file, resolution) in resolutions {
            rows.relationships.extend_from_slice(&resolution.relationships);
            rows.unresolved.extend(resolutions::names(&resolution.unresolved).into_iter().map(|name| (name, *file)));
            rows.questions.extend(resolution.questions.iter().map(|key| (key.cast_signed(), *file)));
            for answer in &resolution.answers {
                let values = postcard::to_stdvec(&answer.values)?;
                rows.answers.push((answer.key.cast_signed(), *file, answer.level, values));
            }
        }
        rows.relationships.par_sort_unstable();
        rows.relationships.dedup_by_key(|relationship| resolutions::relationship_key(relationship));
        rows.unresolved.par_sort_unstable();
        rows.unresolved.dedup();
        rows.questions.par_sort_unstable();
        rows.questions.dedup();
        rows.answers.par_sort_unstable();
        rows.answers.dedup_by_key(|(key, file, level, _)| (*key, *file, *level));
        Ok(rows)
    }

    /// Writes the rows into the tables of a file that nobody has open.
    fn write(&self, path: &Path, roots: Roots) -> Result<(), StoreError> {
        let number = |number: u32| Value::Integer(i64::from(number));
        let code = |code: u8| Value::Integer(i64::from(code));
        let write = || {
            let mut pages = PageFile::open(path)?;
            pages.fill(roots.relationships, &self.relationships, |row| {
                let Relationship { target, kind, source, line, column, basis } = *row;
                let (kind, basis) = (code(kind as u8), code(basis as u8));
                [number(target.0), kind, number(source.0), number(line), number(column), basis]
            })?;
            pages.fill(roots.unresolved, &self.unresolved, |(name, file)| [Value::Text(name), number(file.0)])?;
            pages.fill(roots.questions, &self.questions, |(key, file)| [Value::Integer(*key), number(file.0)])?;
            pages.fill(roots.answers, &self.answers, |(key, file, level, values)| {
                [Value::Integer(*key), number(file.0), code(*level), Value::Blob(values)]
            })?;
            pages.finish()
        };
        write().map_err(StoreError::at(path))
    }
}
