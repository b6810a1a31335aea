//! Rows about string literals and comments: one packed list a file.
//!
//! A search reads them all: together they are a small part of the sources.

use rusqlite::{Connection, params};

use crate::model::FileId;
use crate::store::Store;
use crate::store::error::StoreError;
use crate::store::write::bulk::BulkBuilder;
use crate::store::write::update::Update;

impl Store {
    /// Shows the packed literals of each file that has some, in the order of ids.
    pub fn each_literals(&self, show: &mut dyn FnMut(FileId, &[u8])) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT file_id, texts FROM literals ORDER BY file_id")?;
        let mut rows = statement.query(())?;
        while let Some(row) = rows.next()? {
            let file = row.get(0)?;
            if !self.withholds(file) {
                show(file, row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?);
            }
        }
        Ok(())
    }
}

impl Update<'_> {
    /// Replaces the literals of a file; an empty list is no row.
    pub fn put_literals(&self, file: FileId, texts: &[u8]) -> Result<(), StoreError> {
        if texts.is_empty() {
            self.connection.prepare_cached("DELETE FROM literals WHERE file_id = ?1")?.execute([file])?;
            return Ok(());
        }
        insert(&self.connection, file, texts)
    }
}

impl BulkBuilder {
    /// Adds the literals of a file.
    pub fn add_literals(&mut self, file: FileId, texts: &[u8]) -> Result<(), StoreError> {
        if texts.is_empty() { Ok(()) } else { insert(self.connection(), file, texts) }
    }
}

fn insert(connection: &Connection, file: FileId, texts: &[u8]) -> Result<(), StoreError> {
    let mut statement =
        connection.prepare_cached("INSERT OR REPLACE INTO literals (file_id, texts) VALUES (?1, ?2)")?;
    statement.execute(params![file, texts])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sample;

    #[test]
    fn literals_go_with_their_file() {
        let mut store = Store::open_in_memory().unwrap();
        let update = store.write().unwrap();
        let a = update.put_file(&sample::file("a.py", 1)).unwrap();
        let b = update.put_file(&sample::file("b.py", 1)).unwrap();
        update.put_literals(a, b"old").unwrap();
        update.put_literals(a, b"new").unwrap();
        update.put_literals(b, b"gone").unwrap();
        update.remove_file(b).unwrap();
        update.commit().unwrap();
        let mut found = Vec::new();
        store.each_literals(&mut |file, texts| found.push((file, texts.to_vec()))).unwrap();
        assert_eq!(found, [(a, b"new".to_vec())]);
    }
}
