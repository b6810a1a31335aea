//! Which test ran which definition: a file beside the indexes, made from the coverage data that the user added.
//!
//! It is the user's input and no cache, so it lies outside the folder of an index: a rebuild, another version of
//! repoidx and `index --full` leave it alone. Definitions are known by path, name and hash of their source, never by
//! ids of an index. So a row stops to count by itself when a definition or a test changes, and counts again when the
//! change is undone.

pub mod coverage;

use std::path::Path;

use rusqlite::{Connection, OpenFlags, params};

use crate::{
    model::DefinitionHash,
    store::{
        Store,
        error::StoreError,
        file::{
            lock::{existing_dir, kind_of, open_private, usable_dir},
            open::connect,
        },
    },
};

const FILE_NAME: &str = "runs.db";
/// "RIDR": the file is recognized by it.
const APPLICATION_ID: i32 = 0x5249_4452;
/// Format of the tables. Another number is not read and not overwritten.
const VERSION: i32 = 1;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS runs (
  id            INTEGER PRIMARY KEY,
  commit_id     TEXT NOT NULL UNIQUE   -- the commit whose tests ran
) STRICT;
CREATE TABLE IF NOT EXISTS definitions (
  id           INTEGER PRIMARY KEY,
  path         TEXT NOT NULL,
  qualified    TEXT NOT NULL,       -- name below the module
  duplicate    INTEGER NOT NULL,
  content_hash BLOB NOT NULL,       -- of the definition as it was when it ran
  UNIQUE (path, qualified, duplicate, content_hash)
) STRICT;
CREATE TABLE IF NOT EXISTS ran (    -- the last run that saw it
  definition_id INTEGER NOT NULL REFERENCES definitions(id),
  test_id       INTEGER NOT NULL REFERENCES definitions(id),
  run_id        INTEGER NOT NULL REFERENCES runs(id),
  PRIMARY KEY (definition_id, test_id)
) STRICT, WITHOUT ROWID;
";

/// A definition as it was when it ran.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RanDefinition {
    pub path: String,
    /// Name below the module.
    pub qualified: String,
    pub duplicate: u32,
    pub content_hash: DefinitionHash,
}

/// One run of the tests: the definitions that it ran.
#[derive(Clone, Debug, Default)]
pub struct TestRun {
    pub commit: String,
    /// A definition and a test that ran it.
    pub pairs: Vec<(RanDefinition, RanDefinition)>,
}

/// A test that ran a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenTest {
    pub test: RanDefinition,
    pub commit: String,
}

/// The size of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunTotals {
    pub commit: String,
    pub tests: u64,
    pub definitions: u64,
}

/// The runs of a repository.
#[derive(Debug)]
pub struct TestRuns {
    connection: Connection,
}

impl TestRuns {
    /// The runs in the data directory of a repository; `None` where there are none, or those of another version.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn open(data_dir: &Path) -> Result<Option<Self>, StoreError> {
        let Some(dir) = existing_dir(data_dir)? else { return Ok(None) };
        let path = dir.join(FILE_NAME);
        if !path.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Ok(None);
        }
        let connection = connect(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let runs = Self { connection };
        Ok(runs.is_ours()?.then_some(runs))
    }

    /// Adds a run.
    ///
    /// # Errors
    /// When the file cannot be written, or something else stands in its place.
    pub fn add(data_dir: &Path, run: &TestRun) -> Result<(), StoreError> {
        let path = usable_dir(data_dir)?.join(FILE_NAME);
        if let Ok(metadata) = path.symlink_metadata()
            && !metadata.is_file()
        {
            return Err(StoreError::Blocked { what: kind_of(&metadata), path });
        }
        let is_new = open_private(&path).and_then(|file| Ok(file.metadata()?.len() == 0));
        let is_new = is_new.map_err(StoreError::at(&path))?;
        let mut runs = Self { connection: connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)? };
        if !is_new && !runs.is_ours()? {
            return Err(StoreError::NotOurs { path, what: "a file of another version" });
        }
        runs.insert(run)
    }

    /// Removes all runs. Returns whether there were any.
    ///
    /// # Errors
    /// When the file cannot be removed.
    pub fn forget(data_dir: &Path) -> Result<bool, StoreError> {
        let Some(dir) = existing_dir(data_dir)? else { return Ok(false) };
        let path = dir.join(FILE_NAME);
        match std::fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(StoreError::at(&path)(error)),
        }
    }

    /// The tests that ran a definition of this source, in the order of their places.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn tests_of(&self, definition: &RanDefinition) -> Result<Vec<SeenTest>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT t.path, t.qualified, t.duplicate, t.content_hash, r.commit_id
             FROM definitions d
             JOIN ran ON ran.definition_id = d.id
             JOIN definitions t ON t.id = ran.test_id
             JOIN runs r ON r.id = ran.run_id
             WHERE d.path = ?1 AND d.qualified = ?2 AND d.duplicate = ?3 AND d.content_hash = ?4
             ORDER BY t.path, t.qualified, t.duplicate, t.content_hash",
        )?;
        let RanDefinition { path, qualified, duplicate, content_hash } = definition;
        let rows = statement.query_map(params![path, qualified, duplicate, content_hash], |row| {
            let test = RanDefinition {
                path: row.get(0)?,
                qualified: row.get(1)?,
                duplicate: row.get(2)?,
                content_hash: row.get(3)?,
            };
            Ok(SeenTest { test, commit: row.get(4)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Every run with its size, in the order in which they were added.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn totals(&self) -> Result<Vec<RunTotals>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT r.commit_id, count(DISTINCT ran.test_id), count(DISTINCT ran.definition_id)
             FROM runs r LEFT JOIN ran ON ran.run_id = r.id
             GROUP BY r.id ORDER BY r.id",
        )?;
        let rows = statement
            .query_map((), |row| Ok(RunTotals { commit: row.get(0)?, tests: row.get(1)?, definitions: row.get(2)? }))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn is_ours(&self) -> Result<bool, StoreError> {
        let pragma = |name: &str| self.connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        Ok(pragma("application_id")? == APPLICATION_ID && pragma("user_version")? == VERSION)
    }

    fn insert(&mut self, run: &TestRun) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
        transaction.execute("INSERT INTO runs (commit_id) VALUES (?1) ON CONFLICT DO NOTHING", [&run.commit])?;
        let run_id: i64 =
            transaction.query_row("SELECT id FROM runs WHERE commit_id = ?1", [&run.commit], |row| row.get(0))?;
        for (definition, test) in &run.pairs {
            let (definition, test) = (id_of(&transaction, definition)?, id_of(&transaction, test)?);
            let mut statement = transaction
                .prepare_cached("INSERT OR REPLACE INTO ran (definition_id, test_id, run_id) VALUES (?1, ?2, ?3)")?;
            statement.execute(params![definition, test, run_id])?;
        }
        Ok(transaction.commit()?)
    }
}

/// The row of a definition, made where it is missing.
fn id_of(connection: &Connection, definition: &RanDefinition) -> Result<i64, StoreError> {
    let RanDefinition { path, qualified, duplicate, content_hash } = definition;
    let values = params![path, qualified, duplicate, content_hash];
    let mut statement = connection.prepare_cached(
        "INSERT INTO definitions (path, qualified, duplicate, content_hash) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO NOTHING",
    )?;
    statement.execute(values)?;
    let mut statement = connection.prepare_cached(
        "SELECT id FROM definitions
         WHERE path = ?1 AND qualified = ?2 AND duplicate = ?3 AND content_hash = ?4",
    )?;
    Ok(statement.query_row(values, |row| row.get(0))?)
}

impl Store {
    /// The runs that the user added for this repository. Damage to their file hides them and no answer fails.
    pub fn runs(&self) -> Option<TestRuns> {
        let data_dir = self.dir()?.parent()?;
        TestRuns::open(data_dir).ok().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(name: &str, hash: u8) -> RanDefinition {
        RanDefinition { path: "a.py".to_owned(), qualified: name.to_owned(), duplicate: 0, content_hash: [hash; 16] }
    }

    #[test]
    fn a_changed_definition_has_no_tests_and_a_later_run_replaces_the_commit() {
        let dir = tempfile::tempdir().unwrap();
        assert!(TestRuns::open(dir.path()).unwrap().is_none());
        let pair = (definition("f", 1), definition("test_f", 2));
        for commit in ["aa", "bb"] {
            let run = TestRun { commit: commit.to_owned(), pairs: vec![pair.clone()] };
            TestRuns::add(dir.path(), &run).unwrap();
        }
        let runs = TestRuns::open(dir.path()).unwrap().unwrap();
        let seen = SeenTest { test: pair.1, commit: "bb".to_owned() };
        assert_eq!(runs.tests_of(&definition("f", 1)).unwrap(), [seen]);
        assert_eq!(runs.tests_of(&definition("f", 9)).unwrap(), []);
        let tests: Vec<u64> = runs.totals().unwrap().into_iter().map(|run| run.tests).collect();
        assert_eq!(tests, [0, 1]);
        assert!(TestRuns::forget(dir.path()).unwrap() && !TestRuns::forget(dir.path()).unwrap());
    }

    #[test]
    fn a_file_of_another_version_is_neither_read_nor_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        TestRuns::add(dir.path(), &TestRun::default()).unwrap();
        let path = dir.path().canonicalize().unwrap().join(FILE_NAME);
        let connection = connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
        connection.pragma_update(None, "user_version", VERSION + 1).unwrap();
        drop(connection);
        assert!(TestRuns::open(dir.path()).unwrap().is_none());
        assert!(matches!(TestRuns::add(dir.path(), &TestRun::default()), Err(StoreError::NotOurs { .. })));
    }
}
