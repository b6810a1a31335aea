//! Makes an empty index with the tables of `schema` and the words behind their codes.
//!
//! The index is a file for its owner alone, or a database in memory. An existing index is never touched.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use crate::model::{Basis, EntityKind, RelationshipKind};
use crate::store::error::StoreError;
#[cfg(test)]
use crate::store::file::extension;
use crate::store::file::lock::{self, WriteLock};
#[cfg(test)]
use crate::store::file::open::harden;
use crate::store::file::open::{connect, identity};
use crate::store::file::{schema, stamp};

/// Makes an empty index where there is none.
pub(crate) fn empty_index(lock: &WriteLock) -> Result<(), StoreError> {
    let path = lock.index_path();
    if identity(&path)?.is_some() {
        return Ok(());
    }
    lock.clear_companions()?;
    let connection = new_file(&path)?;
    connection.execute_batch("BEGIN IMMEDIATE")?;
    tables(&connection)?;
    indexes(&connection)?;
    connection.execute_batch("COMMIT; PRAGMA journal_mode = WAL;")?;
    drop(connection);
    stamp::mark_done(&path)
}

/// A new file that only its owner may read, and an empty database in it.
pub(crate) fn new_file(path: &Path) -> Result<Connection, StoreError> {
    lock::open_private(path).map_err(StoreError::at(path))?;
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.pragma_update(None, "page_size", schema::PAGE_SIZE)?;
    Ok(connection)
}

/// An empty index in memory.
#[cfg(test)]
pub(crate) fn in_memory() -> Result<Connection, StoreError> {
    extension::register();
    let connection = Connection::open_in_memory()?;
    harden(&connection)?;
    tables(&connection)?;
    indexes(&connection)?;
    Ok(connection)
}

/// Tables, views and the words behind the codes, without the secondary indexes.
pub(crate) fn tables(connection: &Connection) -> Result<(), StoreError> {
    for statement in schema::TABLES.iter().chain(schema::VIEWS) {
        connection.execute_batch(statement)?;
    }
    connection.execute_batch(schema::FULL_TEXT)?;
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
pub(crate) fn indexes(connection: &Connection) -> Result<(), StoreError> {
    for statement in schema::INDEXES {
        connection.execute_batch(statement)?;
    }
    Ok(())
}
