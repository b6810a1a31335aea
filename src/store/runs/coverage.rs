//! The data file of coverage.py: which lines ran in which context. It is read and never written.
//!
//! Since version 5 that is a SQLite file. A context is a text that coverage.py, or pytest-cov, noted while lines ran:
//! the name of a test, if the user asked for that.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, types::ValueRef};
use thiserror::Error;

use crate::store::{error::StoreError, file::open::connect};

/// Why a data file cannot be used.
#[derive(Debug, Error)]
pub enum CoverageError {
    #[error("{} cannot be read: {reason}", path.display())]
    Unreadable { path: PathBuf, reason: String },
    #[error("{} is no data file of coverage.py 5 or newer", .0.display())]
    NotCoverage(PathBuf),
    #[error("{} does not say which test ran which line", .0.display())]
    NoContexts(PathBuf),
}

/// The lines of a file that ran in a context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveredLines {
    /// As coverage.py has it: absolute, or relative to where the tests ran.
    pub path: String,
    pub context: String,
    /// Sorted.
    pub lines: Vec<u32>,
}

/// Reads a data file, sorted by path and context. Lines without a context are left out.
///
/// # Errors
/// When it is no such file, or none of its lines has a context.
pub fn covered_lines(path: &Path) -> Result<Vec<CoveredLines>, CoverageError> {
    let unreadable = |reason: String| CoverageError::Unreadable { path: path.to_owned(), reason };
    let place = path.canonicalize().map_err(|error| unreadable(error.kind().to_string()))?;
    let found = connect(&place, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .and_then(|connection| rows(&connection))
        .map_err(|_| CoverageError::NotCoverage(path.to_owned()))?;
    if found.is_empty() { Err(CoverageError::NoContexts(path.to_owned())) } else { Ok(found) }
}

fn rows(connection: &Connection) -> Result<Vec<CoveredLines>, StoreError> {
    let has_arcs: bool = connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM meta WHERE key = 'has_arcs' AND value = '1')",
        (),
        |row| row.get(0),
    )?;
    // With branches measured, the lines are the ends of the jumps; negative numbers stand for entries and exits.
    let sql = if has_arcs {
        "SELECT f.path, c.context, l.line FROM (
           SELECT file_id, context_id, fromno AS line FROM arc UNION SELECT file_id, context_id, tono FROM arc
         ) l
         JOIN file f ON f.id = l.file_id JOIN context c ON c.id = l.context_id
         WHERE c.context <> '' AND l.line > 0 ORDER BY f.path, c.context, l.line"
    } else {
        "SELECT f.path, c.context, l.numbits FROM line_bits l
         JOIN file f ON f.id = l.file_id JOIN context c ON c.id = l.context_id
         WHERE c.context <> '' ORDER BY f.path, c.context"
    };
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query(())?;
    let mut found: Vec<CoveredLines> = Vec::new();
    while let Some(row) = rows.next()? {
        let (path, context): (String, String) = (row.get(0)?, row.get(1)?);
        let lines = match row.get_ref(2)? {
            ValueRef::Blob(bits) => set_bits(bits),
            ValueRef::Integer(line) => u32::try_from(line).into_iter().collect(),
            _ => Vec::new(),
        };
        match found.last_mut().filter(|last| last.path == path && last.context == context) {
            Some(last) => last.lines.extend(lines),
            None => found.push(CoveredLines { path, context, lines }),
        }
    }
    Ok(found)
}

/// The numbers of the bits that are set, the lowest bit of the first byte being number 0.
fn set_bits(bits: &[u8]) -> Vec<u32> {
    let numbered = (0_u32..).zip(bits);
    numbered
        .flat_map(|(at, byte)| (0..8).filter(move |bit| byte & (1 << bit) != 0).map(move |bit| at * 8 + bit))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: &str = "
        CREATE TABLE meta (key TEXT, value TEXT);
        CREATE TABLE file (id INTEGER PRIMARY KEY, path TEXT);
        CREATE TABLE context (id INTEGER PRIMARY KEY, context TEXT);
        CREATE TABLE line_bits (file_id INTEGER, context_id INTEGER, numbits BLOB);
        CREATE TABLE arc (file_id INTEGER, context_id INTEGER, fromno INTEGER, tono INTEGER);
        INSERT INTO file VALUES (1, '/src/a.py');
        INSERT INTO context VALUES (1, ''), (2, 't.py::test_a|run');";

    fn read(rows: &str) -> Result<Vec<CoveredLines>, CoverageError> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(".coverage");
        Connection::open(&path).unwrap().execute_batch(&format!("{TABLES}{rows}")).unwrap();
        covered_lines(&path)
    }

    #[test]
    fn lines_and_jumps_are_read_and_lines_without_a_context_are_not() {
        let expected = |lines: &[u32]| {
            let (path, context) = ("/src/a.py".to_owned(), "t.py::test_a|run".to_owned());
            vec![CoveredLines { path, context, lines: lines.to_vec() }]
        };
        let lines = read("INSERT INTO line_bits VALUES (1, 1, x'02'), (1, 2, x'0401');").unwrap();
        assert_eq!(lines, expected(&[2, 8]));
        let jumps = "INSERT INTO meta VALUES ('has_arcs', '1');
            INSERT INTO arc VALUES (1, 2, -1, 3), (1, 2, 3, 4), (1, 2, 4, -1), (1, 1, 7, 8);";
        assert_eq!(read(jumps).unwrap(), expected(&[3, 4]));
    }

    #[test]
    fn other_files_and_data_without_contexts_are_told_apart() {
        assert!(matches!(read("INSERT INTO line_bits VALUES (1, 1, x'02');"), Err(CoverageError::NoContexts(_))));
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(".coverage");
        assert!(matches!(covered_lines(&path), Err(CoverageError::Unreadable { .. })));
        std::fs::write(&path, "no database").unwrap();
        assert!(matches!(covered_lines(&path), Err(CoverageError::NotCoverage(_))));
    }
}
