//! Opens an index file without trusting it: anyone may have put it there.
//!
//! The result is a hardened connection to a regular file of ours, of this version, with exactly our tables, unchanged
//! since our last update. The error names the first of these tests that fails. No test takes longer for a larger index.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};

use crate::store::error::StoreError;
use crate::store::file::lock::{self, WriteLock, with_suffix};
use crate::store::file::stamp::{self, StampVerdict};
use crate::store::file::{extension, schema};

/// How long a writer waits for another one that holds SQLite's own lock.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// The purpose of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// One snapshot, held as long as the connection lives.
    Read,
    Write,
}

/// Which file it is, whatever its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity(u64, u64);

/// A checked connection and the file it leads to.
pub(crate) struct Opened {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
    pub(crate) identity: Identity,
}

/// Opens the index in `dir` (without symbolic links). `lock` is the caller's, if it holds one.
pub(crate) fn open(dir: &Path, access: Access, lock: Option<&WriteLock>) -> Result<Opened, StoreError> {
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

/// A hardened connection to a file that need not be ours.
pub(crate) fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    extension::register();
    let connection = Connection::open_with_flags(path, flags)?;
    harden(&connection)?;
    Ok(connection)
}

/// Which regular file stands at `path`; `None` when there is none, or an empty one.
pub(crate) fn identity(path: &Path) -> Result<Option<Identity>, StoreError> {
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

/// Limits the harm that a hostile file can do through SQLite.
pub(crate) fn harden(connection: &Connection) -> Result<(), StoreError> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    // Pages move into the file under our own lock alone (see `update`), not when a connection closes.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // A plan holds for every value that is bound: otherwise joins are planned anew whenever one changes.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
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
    Ok(connection)
}

/// Whether there is a log with content that a reader must see.
fn has_log(path: &Path) -> bool {
    fs::symlink_metadata(with_suffix(path, "-wal")).is_ok_and(|metadata| metadata.len() > 0)
}

/// The path as a URI that promises SQLite that the file never changes.
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
    let mut expected =
        [schema::TABLES, schema::INDEXES, schema::VIEWS, &[schema::FULL_TEXT], schema::FULL_TEXT_TABLES].concat();
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
    if stamp::verdict(path)? == StampVerdict::Ours {
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
        StampVerdict::Ours => Ok(()),
        StampVerdict::Changed => Err(StoreError::damaged("another program has changed it")),
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::store::{Store, sample};

    /// A settled index with two files.
    fn index() -> TempDir {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        sample::fill(&mut store);
        store.settle().unwrap();
        dir
    }

    fn file(dir: &TempDir) -> PathBuf {
        dir.path().join(lock::FILE_NAME)
    }

    /// Runs SQL on the file as another program would, and restores the file's time so that the change goes unnoticed.
    fn run(dir: &TempDir, sql: &str) {
        let db = Connection::open(file(dir)).unwrap();
        db.execute_batch(sql).unwrap();
        drop(db);
        stamp::mark_done(&file(dir)).unwrap();
    }

    /// The error of opening, which must be the same for reading and for writing.
    fn error(dir: &TempDir) -> StoreError {
        let read = Store::open_read_only(dir.path()).unwrap_err();
        let write = Store::open(dir.path()).unwrap_err();
        assert_eq!(read.to_string(), write.to_string());
        read
    }

    #[test]
    fn a_missing_or_empty_index_is_made_by_writers_and_missed_by_readers() {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("repoidx");
        assert!(matches!(Store::open_read_only(&inner), Err(StoreError::Missing(_))));
        assert!(!inner.exists());
        drop(Store::open(&inner).unwrap());
        Store::open_read_only(&inner).unwrap().verify().unwrap();
        fs::write(inner.join("index.db"), b"").unwrap();
        assert!(matches!(Store::open_read_only(&inner), Err(StoreError::Missing(_))));
        Store::open(&inner).unwrap().verify().unwrap();
    }

    #[test]
    fn an_index_of_another_version_or_program_is_told_apart() {
        let dir = index();
        run(&dir, "PRAGMA user_version = 99999");
        assert!(matches!(error(&dir), StoreError::Newer(99999)));
        run(&dir, "PRAGMA user_version = 0");
        assert!(matches!(error(&dir), StoreError::Older(0)));
        run(&dir, "PRAGMA application_id = 7");
        assert!(matches!(error(&dir), StoreError::NotOurs { .. }));
        fs::remove_file(file(&dir)).unwrap();
        run(&dir, "CREATE TABLE other (x)");
        assert!(matches!(error(&dir), StoreError::NotOurs { .. }));
    }

    #[test]
    fn other_tables_triggers_and_views_are_damage() {
        for sql in [
            "CREATE TABLE extra (x)",
            "CREATE TRIGGER evil AFTER INSERT ON files BEGIN DELETE FROM meta; END",
            "DROP VIEW entities_readable; CREATE VIEW entities_readable AS SELECT load_extension('/tmp/evil.so')",
            "DROP INDEX files_by_module",
            "DROP TABLE answers; CREATE TABLE answers (key, file_id, level, vals)",
            "ANALYZE",
        ] {
            let dir = index();
            run(&dir, sql);
            assert!(matches!(error(&dir), StoreError::Damaged(_)), "{sql}");
        }
    }

    #[test]
    fn a_file_that_another_program_changed_is_not_trusted() {
        let dir = index();
        let mut bytes = fs::read(file(&dir)).unwrap();
        let at = bytes.windows(18).position(|text| text == b"Says what it does.").unwrap();
        bytes[at] = b'P';
        fs::write(file(&dir), bytes).unwrap();
        assert!(matches!(error(&dir), StoreError::Damaged(_)));
    }

    #[test]
    fn looking_at_the_index_with_another_program_does_no_harm() {
        let dir = index();
        let db = Connection::open(file(&dir)).unwrap();
        let count: u32 = db.query_row("SELECT count(*) FROM relationships_readable", (), |row| row.get(0)).unwrap();
        assert_eq!(count, 6);
        drop(db);
        Store::open_read_only(dir.path()).unwrap();
        // Nor while there is a log, which the other program moves into the file.
        sample::fill(&mut Store::open(dir.path()).unwrap());
        let db = Connection::open(file(&dir)).unwrap();
        db.execute_batch("SELECT * FROM files; PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        drop(db);
        Store::open_read_only(dir.path()).unwrap();
    }

    #[test]
    fn any_bytes_are_an_error_or_an_index_but_never_a_panic() {
        let dir = index();
        let good = fs::read(file(&dir)).unwrap();
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).unwrap()
        };
        let mut damaged: Vec<Vec<u8>> = vec![vec![7; 5_000], good[..good.len() / 2].to_vec(), good[..50].to_vec()];
        for _ in 0..40 {
            let mut bytes = good.clone();
            for _ in 0..50 {
                let at = 100 + random() % (bytes.len() - 100);
                bytes[at] = random().to_le_bytes()[0];
            }
            damaged.push(bytes);
        }
        for bytes in damaged {
            fs::write(file(&dir), bytes).unwrap();
            stamp::mark_done(&file(&dir)).unwrap();
            let Ok(mut store) = Store::open(dir.path()) else { continue };
            let results = [
                store.verify(),
                store.export_edges(&mut |_| ()),
                store.files().map(drop),
                store.names().map(drop),
                store.entities_named("f", true).map(drop),
                store.unresolved_named("get").map(drop),
                store.answers(5 << 40).map(drop),
                store.write().and_then(|update| update.remove_file(crate::model::FileId(1))),
            ];
            for result in results {
                assert!(result.as_ref().err().is_none_or(StoreError::is_rebuildable), "{result:?}");
            }
        }
    }

    #[test]
    fn a_directory_that_cannot_be_written_can_still_be_read() {
        let dir = index();
        let path = dir.path().canonicalize().unwrap().join(lock::FILE_NAME);
        let connection = connect_checked(&path, Access::Read, true).unwrap();
        let files: u32 = connection.query_row("SELECT count(*) FROM files", (), |row| row.get(0)).unwrap();
        assert_eq!(files, 2);
        assert_eq!(frozen_uri(Path::new("/a b/ü?#%.db")).to_str(), Some("file:/a%20b/%C3%BC%3F%23%25.db?immutable=1"));
    }
}
