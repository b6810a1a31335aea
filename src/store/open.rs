//! Opening an index as what it is: a file that anybody may have put there.
//!
//! Goes in: the directory of the index and what it is wanted for. Comes out: a hardened connection to a regular file that
//! is ours, of this version, with exactly our tables, and as we left it; or the error that says which of these it is not.
//! Does nothing in proportion to the size of the index. Does not know what the rows mean.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};

use crate::model::{Basis, EntityKind, RelationshipKind};
use crate::store::error::StoreError;
use crate::store::lock::{self, WriteLock, with_suffix};
use crate::store::schema;
use crate::store::stamp::{self, Verdict};

/// How long a writer waits for another one that holds SQLite's own lock.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// One snapshot, held as long as the connection lives.
    Read,
    Write,
}

/// Which file it is, whatever its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity(u64, u64);

/// A checked connection and the file it leads to.
pub(super) struct Opened {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
    pub(super) identity: Identity,
}

/// Opens the index in `dir` (without symbolic links). `lock` is the caller's, if it holds one.
pub(super) fn open(dir: &Path, access: Access, lock: Option<&WriteLock>) -> Result<Opened, StoreError> {
    let path = dir.join(lock::FILE_NAME);
    // Between the first look and SQLite's first read another process may replace the file: then look again.
    for _ in 0..10 {
        let identity = identity(&path)?.ok_or_else(|| StoreError::Missing(path.clone()))?;
        let opened = match connect_checked(&path, access, false) {
            Err(StoreError::ReadOnly | StoreError::Disk(_)) if access == Access::Read && !has_log(&path) => {
                connect_checked(&path, access, true)
            }
            opened => opened,
        };
        if self::identity(&path)? != Some(identity) {
            continue;
        }
        let connection = opened?;
        check_stamp(&path, lock)?;
        return Ok(Opened { connection, path, identity });
    }
    Err(StoreError::Busy)
}

/// Makes an empty index where there is none.
pub(super) fn create(lock: &WriteLock) -> Result<(), StoreError> {
    let path = lock.index_path();
    if identity(&path)?.is_some() {
        return Ok(());
    }
    lock.clear_companions()?;
    let connection = connect_new(&path)?;
    connection.execute_batch("BEGIN IMMEDIATE")?;
    create_tables(&connection)?;
    create_indexes(&connection)?;
    connection.execute_batch("COMMIT; PRAGMA journal_mode = WAL;")?;
    drop(connection);
    stamp::mark_done(&path)
}

/// A new file that only its owner may read, and an empty database in it.
pub(super) fn connect_new(path: &Path) -> Result<Connection, StoreError> {
    lock::open_private(path).map_err(StoreError::at(path))?;
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.pragma_update(None, "page_size", schema::PAGE_SIZE)?;
    Ok(connection)
}

/// An empty index in memory.
pub(super) fn connect_in_memory() -> Result<Connection, StoreError> {
    let connection = Connection::open_in_memory()?;
    harden(&connection)?;
    create_tables(&connection)?;
    create_indexes(&connection)?;
    Ok(connection)
}

/// A hardened connection to a file that need not be ours.
pub(super) fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = Connection::open_with_flags(path, flags)?;
    harden(&connection)?;
    Ok(connection)
}

/// Tables, views and the words behind the codes, without the secondary indexes.
pub(super) fn create_tables(connection: &Connection) -> Result<(), StoreError> {
    for statement in schema::TABLES.iter().chain(schema::VIEWS) {
        connection.execute_batch(statement)?;
    }
    for kind in EntityKind::ALL {
        connection.execute("INSERT INTO entity_kinds (id, name) VALUES (?1, ?2)", (kind, kind.as_str()))?;
    }
    for kind in RelationshipKind::ALL {
        connection.execute("INSERT INTO relationship_kinds (id, name) VALUES (?1, ?2)", (kind, kind.as_str()))?;
    }
    for basis in Basis::ALL {
        let words = (basis, basis.as_str(), basis.evidence().as_str());
        connection.execute("INSERT INTO bases (id, name, evidence) VALUES (?1, ?2, ?3)", words)?;
    }
    connection.pragma_update(None, "application_id", schema::APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", schema::VERSION)?;
    Ok(())
}

/// The secondary indexes.
pub(super) fn create_indexes(connection: &Connection) -> Result<(), StoreError> {
    for statement in schema::INDEXES {
        connection.execute_batch(statement)?;
    }
    Ok(())
}

/// Which regular file stands at `path`; `None` when there is none, or an empty one.
pub(super) fn identity(path: &Path) -> Result<Option<Identity>, StoreError> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() && metadata.len() == 0 => Ok(None),
        Ok(metadata) if metadata.is_file() => Ok(Some(identity_of(&metadata))),
        Ok(metadata) => Err(StoreError::NotOurs { path: path.to_owned(), what: lock::kind_of(&metadata) }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::at(path)(error)),
    }
}

#[cfg(unix)]
fn identity_of(metadata: &fs::Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    Identity(metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn identity_of(_: &fs::Metadata) -> Identity {
    Identity(0, 0)
}

/// Limits what a hostile file can make SQLite do.
fn harden(connection: &Connection) -> Result<(), StoreError> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    // Pages move into the file under our own lock alone (see `update`), not whenever somebody leaves.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, 64 << 20)?;
    connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, 100_000)?;
    connection.set_limit(Limit::SQLITE_LIMIT_EXPR_DEPTH, 100)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.execute_batch(schema::PRAGMAS)?;
    Ok(())
}

/// Opens and checks one file. `is_frozen`: nothing can be written beside it either, so SQLite's locks are left out.
fn connect_checked(path: &Path, access: Access, is_frozen: bool) -> Result<Connection, StoreError> {
    let connection = match access {
        Access::Write => connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?,
        Access::Read if is_frozen => {
            connect(&frozen_uri(path), OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI)?
        }
        Access::Read => connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?,
    };
    if access == Access::Read {
        connection.execute_batch("BEGIN")?;
    }
    check_format(&connection, path)?;
    if access == Access::Write {
        let journal: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        if journal != "wal" {
            return Err(StoreError::damaged("it is used without a write-ahead log"));
        }
    }
    Ok(connection)
}

/// Whether there is a log with content that a reader must see.
fn has_log(path: &Path) -> bool {
    fs::symlink_metadata(with_suffix(path, "-wal")).is_ok_and(|metadata| metadata.len() > 0)
}

/// The path as a URI that tells SQLite that nobody changes the file.
fn frozen_uri(path: &Path) -> PathBuf {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => uri.push(char::from(*byte)),
            _ => uri.extend(['%', hex(byte >> 4), hex(byte & 15)]),
        }
    }
    PathBuf::from(uri + "?immutable=1")
}

fn hex(half: u8) -> char {
    char::from(b"0123456789ABCDEF"[usize::from(half)])
}

/// Ours, of this version, and with exactly our tables.
fn check_format(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let application_id: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if application_id != schema::APPLICATION_ID {
        return Err(StoreError::NotOurs { path: path.to_owned(), what: "a database of another program" });
    }
    let version: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match version.cmp(&schema::VERSION) {
        std::cmp::Ordering::Less => return Err(StoreError::Older(version)),
        std::cmp::Ordering::Greater => return Err(StoreError::Newer(version)),
        std::cmp::Ordering::Equal => {}
    }
    let mut expected = [schema::TABLES, schema::INDEXES, schema::VIEWS].concat();
    expected.sort_unstable();
    let mut statement = connection.prepare(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'sqlite_sequence' ORDER BY sql LIMIT 1000",
    )?;
    let found = statement.query_map((), |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
    if found != expected {
        return Err(StoreError::damaged("its tables are not the ones this version makes"));
    }
    Ok(())
}

/// As we left it. A writer at work explains a difference; so without the lock, find out whether there is one.
fn check_stamp(path: &Path, lock: Option<&WriteLock>) -> Result<(), StoreError> {
    if stamp::verdict(path)? == Verdict::Ours {
        return Ok(());
    }
    let dir = path.parent().expect("the index lies in a directory");
    let taken = match lock {
        Some(_) => None,
        None => match WriteLock::take(dir, Some(Duration::ZERO)) {
            Ok(taken) => Some(taken),
            Err(StoreError::Busy) => return Ok(()),
            Err(_) => None,
        },
    };
    let verdict = stamp::verdict(path)?;
    drop(taken);
    match verdict {
        Verdict::Ours => Ok(()),
        Verdict::Changed => Err(StoreError::damaged("another program has changed it")),
    }
}
