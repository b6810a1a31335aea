//! Writes sorted rows directly as pages of a SQLite file.
//!
//! The file is complete but for its tables without row ids, and no connection has it open. The rows come in the order
//! of their primary keys. SQLite needs about a microsecond to insert a row and this less than a tenth of it; with a
//! million rows that decides the time of a full build.
//!
//! The format is SQLite's own and fixed for good (sqlite.org/fileformat2.html, sections 1.3, 1.6 and 2.1). Such a table
//! needs three kinds of b-tree pages. *Leaf* pages are full of rows. *Interior* pages hold rows between their children.
//! *Overflow* pages hold the end of a row that is too long for its page.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::store::file::schema::PAGE_SIZE;

const PAGE: usize = PAGE_SIZE as usize;

/// The page at this offset is never used: SQLite keeps its locks there.
const LOCK_BYTE: u64 = 0x4000_0000;

/// Longest part of a row that stands on its page, and shortest when the rest overflows.
const MAX_LOCAL: usize = (PAGE - 12) * 64 / 255 - 23;
const MIN_LOCAL: usize = (PAGE - 12) * 32 / 255 - 23;

/// A value of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ColumnValue<'a> {
    Integer(i64),
    Text(&'a str),
    Blob(&'a [u8]),
}

/// A file to whose end pages are added.
pub(crate) struct PageFile {
    file: BufWriter<File>,
    /// Number of the page that comes next; the first page of a file is 1.
    next: u32,
    /// Pages that replace earlier ones when everything else is written.
    roots: Vec<(u32, Box<[u8; PAGE]>)>,
}

impl PageFile {
    /// Opens a file of whole pages.
    pub(crate) fn open(path: &Path) -> io::Result<PageFile> {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        let size = file.seek(SeekFrom::End(0))?;
        let next = u32::try_from(size / PAGE as u64 + 1).map_err(|_| too_large())?;
        let mut pages = PageFile { file: BufWriter::with_capacity(1 << 18, file), next, roots: Vec::new() };
        pages.skip_lock_page()?;
        Ok(pages)
    }

    /// Fills the table whose root is the page `root`. `values` names the columns of a row, primary key first.
    pub(crate) fn fill<'r, Row, const COLUMNS: usize>(
        &mut self,
        root: u32,
        rows: &'r [Row],
        values: impl Fn(&'r Row) -> [ColumnValue<'r>; COLUMNS],
    ) -> io::Result<()> {
        let mut tree = Tree { file: self, levels: Vec::new() };
        let (mut record, mut cell) = (Vec::new(), Vec::new());
        for row in rows {
            record.clear();
            encode(&values(row), &mut record);
            cell.clear();
            tree.file.put_cell(&record, &mut cell)?;
            tree.push(0, 0, &cell)?;
        }
        tree.close(root)
    }

    /// Writes the remaining pages and the file's header: its size, and the flag for a write-ahead log.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        let file = self.file.get_mut();
        for (number, page) in &self.roots {
            file.seek(SeekFrom::Start((u64::from(*number) - 1) * PAGE as u64))?;
            file.write_all(page.as_slice())?;
        }
        let mut header = [0; 100];
        file.seek(SeekFrom::Start(0))?;
        file.read_exact(&mut header)?;
        // A size is believed when the change counter (24) is the one it was written at (92).
        let change = u32::from_be_bytes(*header[24..].first_chunk().expect("100 bytes")).wrapping_add(1).to_be_bytes();
        // 2 stands for a write-ahead log; our connections would switch the file to it anyway.
        (header[18], header[19]) = (2, 2);
        header[24..28].copy_from_slice(&change);
        header[28..32].copy_from_slice(&(self.next - 1).to_be_bytes());
        header[92..96].copy_from_slice(&change);
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header)?;
        file.sync_all()
    }

    /// Turns a record into the cell that holds it, with its overflow pages written.
    fn put_cell(&mut self, record: &[u8], cell: &mut Vec<u8>) -> io::Result<()> {
        put_varint(record.len() as u64, cell);
        // The format prescribes the split: as much stays here as fills the last overflow page exactly, if that fits.
        let surplus = MIN_LOCAL + (record.len().saturating_sub(MIN_LOCAL)) % (PAGE - 4);
        let local = match record.len() {
            all if all <= MAX_LOCAL => all,
            _ if surplus <= MAX_LOCAL => surplus,
            _ => MIN_LOCAL,
        };
        let (here, mut rest) = record.split_at(local);
        cell.extend_from_slice(here);
        if !rest.is_empty() {
            cell.extend_from_slice(&self.next.to_be_bytes());
        }
        while !rest.is_empty() {
            let (part, more) = rest.split_at(rest.len().min(PAGE - 4));
            let mut page = Box::new([0; PAGE]);
            page[4..4 + part.len()].copy_from_slice(part);
            if !more.is_empty() {
                // A page of a chain begins with the number of the next one; 0 ends the chain.
                page[..4].copy_from_slice(&following(self.next).to_be_bytes());
            }
            self.append(&page)?;
            rest = more;
        }
        Ok(())
    }

    /// Adds a page and returns its number.
    fn append(&mut self, page: &[u8; PAGE]) -> io::Result<u32> {
        let number = self.next;
        self.file.write_all(page)?;
        self.next = number.checked_add(1).ok_or_else(too_large)?;
        self.skip_lock_page()?;
        Ok(number)
    }

    fn skip_lock_page(&mut self) -> io::Result<()> {
        if is_lock_page(self.next) {
            self.file.write_all(&[0; PAGE])?;
            self.next += 1;
        }
        Ok(())
    }
}

/// A table under construction: the last page of each level, leaf first.
struct Tree<'f> {
    file: &'f mut PageFile,
    levels: Vec<TreePage>,
}

impl Tree<'_> {
    /// Adds a row at the end of a level. On an interior page it stands to the right of the page `child`.
    fn push(&mut self, level: usize, child: u32, cell: &[u8]) -> io::Result<()> {
        if level == self.levels.len() {
            self.levels.push(TreePage::new(level > 0));
        }
        let page = &mut self.levels[level];
        if page.add(child, cell) {
            return Ok(());
        }
        // The page is full. Its last row moves up: it separates this page from the one that begins here.
        let (last_child, last) = page.remove_last();
        let number = self.file.append(page.complete(last_child))?;
        *page = TreePage::new(level > 0);
        let has_room = page.add(child, cell);
        debug_assert!(has_room, "four rows fit on a page");
        self.push(level + 1, number, &last)
    }

    /// Writes the last page of each level; the topmost one becomes the root.
    fn close(mut self, root: u32) -> io::Result<()> {
        // The root page exists already and is named in the schema, so the top level takes its place.
        let Some(mut top) = self.levels.pop() else { return Ok(()) };
        let mut right = 0;
        for page in &mut self.levels {
            right = self.file.append(page.complete(right))?;
        }
        let page = Box::new(*top.complete(right));
        self.file.roots.push((root, page));
        Ok(())
    }
}

/// A page of a table: cells from its end downwards, their places from its beginning upwards.
struct TreePage {
    bytes: Box<[u8; PAGE]>,
    is_interior: bool,
    /// Where each cell begins.
    cells: Vec<usize>,
}

impl TreePage {
    fn new(is_interior: bool) -> TreePage {
        TreePage { bytes: Box::new([0; PAGE]), is_interior, cells: Vec::new() }
    }

    /// Adds a cell if there is room.
    fn add(&mut self, child: u32, cell: &[u8]) -> bool {
        let pointer = if self.is_interior { 4 } else { 0 };
        let end = self.content();
        // A cell has four bytes at least, because SQLite turns freed cells into blocks of that size.
        let size = (pointer + cell.len()).max(4);
        if self.header() + 2 * (self.cells.len() + 1) + size > end {
            return false;
        }
        let begin = end - size;
        self.bytes[begin..begin + pointer].copy_from_slice(&child.to_be_bytes()[..pointer]);
        self.bytes[begin + pointer..begin + pointer + cell.len()].copy_from_slice(cell);
        self.cells.push(begin);
        true
    }

    /// Takes the last cell out, and the child to its left.
    fn remove_last(&mut self) -> (u32, Vec<u8>) {
        let begin = self.cells.pop().expect("a full page has cells");
        let end = self.content();
        let removed = self.bytes[begin..end].to_vec();
        self.bytes[begin..end].fill(0);
        if !self.is_interior {
            return (0, removed);
        }
        let child = u32::from_be_bytes(*removed.first_chunk().expect("an interior cell begins with its child"));
        (child, removed[4..].to_vec())
    }

    /// The page as it is written; `right` is the child after the last cell of an interior page.
    fn complete(&mut self, right: u32) -> &[u8; PAGE] {
        let two_bytes = |number: usize| u16::try_from(number).expect("a place on a page").to_be_bytes();
        self.bytes[0] = if self.is_interior { 2 } else { 10 };
        self.bytes[3..5].copy_from_slice(&two_bytes(self.cells.len()));
        let content = self.content();
        self.bytes[5..7].copy_from_slice(&two_bytes(content));
        if self.is_interior {
            self.bytes[8..12].copy_from_slice(&right.to_be_bytes());
        }
        let header = self.header();
        for (index, &cell) in self.cells.iter().enumerate() {
            let place = header + 2 * index;
            self.bytes[place..place + 2].copy_from_slice(&two_bytes(cell));
        }
        &self.bytes
    }

    fn header(&self) -> usize {
        if self.is_interior { 12 } else { 8 }
    }

    /// Where the cells begin.
    fn content(&self) -> usize {
        self.cells.last().copied().unwrap_or(PAGE)
    }
}

/// A row in SQLite's record format: the types of its values, then the values.
fn encode(values: &[ColumnValue<'_>], record: &mut Vec<u8>) {
    record.push(0);
    for value in values {
        match value {
            ColumnValue::Integer(number) => record.push(integer_type(*number)),
            ColumnValue::Text(text) => put_varint(text.len() as u64 * 2 + 13, record),
            ColumnValue::Blob(bytes) => put_varint(bytes.len() as u64 * 2 + 12, record),
        }
    }
    record[0] = u8::try_from(record.len()).expect("a handful of columns");
    for value in values {
        match value {
            ColumnValue::Integer(number) => {
                let size = [0, 1, 2, 3, 4, 6, 8, 0, 0, 0][usize::from(integer_type(*number))];
                record.extend_from_slice(&number.to_be_bytes()[8 - size..]);
            }
            ColumnValue::Text(text) => record.extend_from_slice(text.as_bytes()),
            ColumnValue::Blob(bytes) => record.extend_from_slice(bytes),
        }
    }
}

/// The type of an integer by the bytes it needs; 8 and 9 are 0 and 1 themselves.
fn integer_type(number: i64) -> u8 {
    match if number < 0 { !number } else { number } {
        0 if number == 0 => 8,
        1 if number == 1 => 9,
        0..0x80 => 1,
        0x80..0x8000 => 2,
        0x8000..0x80_0000 => 3,
        0x80_0000..0x8000_0000 => 4,
        0x8000_0000..0x8000_0000_0000 => 5,
        _ => 6,
    }
}

/// Seven bits a byte, most significant first, all but the last marked. Lengths never need the special ninth byte.
fn put_varint(number: u64, bytes: &mut Vec<u8>) {
    let groups = (64 - number.leading_zeros()).div_ceil(7).max(1);
    for group in (0..groups).rev() {
        let bits = (number >> (7 * group)).to_le_bytes()[0] & 0x7f;
        bytes.push(if group > 0 { bits | 0x80 } else { bits });
    }
}

/// The number of the page that is written after this one.
fn following(number: u32) -> u32 {
    if is_lock_page(number + 1) { number + 2 } else { number + 1 }
}

fn is_lock_page(number: u32) -> bool {
    u64::from(number) == LOCK_BYTE / PAGE as u64 + 1
}

fn too_large() -> io::Error {
    io::ErrorKind::FileTooLarge.into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rusqlite::Connection;

    use super::*;

    type Row = (i64, String, Vec<u8>, i64);

    /// Writes the rows as pages, and reads them with SQLite.
    fn round_trip(rows: &[Row]) -> Vec<Row> {
        let file = tempfile::NamedTempFile::new().unwrap();
        let db = Connection::open(file.path()).unwrap();
        db.pragma_update(None, "page_size", PAGE_SIZE).unwrap();
        db.execute_batch(
            "CREATE TABLE before (x); INSERT INTO before VALUES (zeroblob(9000));
             CREATE TABLE filled (a INTEGER NOT NULL, b TEXT NOT NULL, c BLOB NOT NULL, d INTEGER NOT NULL,
               PRIMARY KEY (a, b)) STRICT, WITHOUT ROWID;
             CREATE TABLE after (x);",
        )
        .unwrap();
        let root = db.query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'filled'", (), |row| row.get(0));
        let root = root.unwrap();
        drop(db);
        let mut pages = PageFile::open(file.path()).unwrap();
        pages
            .fill(root, rows, |(a, b, c, d)| {
                [ColumnValue::Integer(*a), ColumnValue::Text(b), ColumnValue::Blob(c), ColumnValue::Integer(*d)]
            })
            .unwrap();
        pages.finish().unwrap();
        let db = Connection::open(file.path()).unwrap();
        let verdict: String = db.query_row("PRAGMA integrity_check", (), |row| row.get(0)).unwrap();
        assert_eq!(verdict, "ok");
        for (a, b, _, d) in rows.iter().step_by(37) {
            let found = db.query_row("SELECT d FROM filled WHERE a = ?1 AND b = ?2", (a, b), |row| row.get(0));
            assert_eq!(found, Ok(*d));
        }
        db.execute_batch("INSERT INTO filled SELECT a, b || '<added>', c, d FROM filled WHERE d % 3 = 0").unwrap();
        db.execute_batch("DELETE FROM filled WHERE b LIKE '%<added>'; INSERT INTO after VALUES (zeroblob(20000))")
            .unwrap();
        let verdict: String = db.query_row("PRAGMA integrity_check", (), |row| row.get(0)).unwrap();
        assert_eq!(verdict, "ok");
        let mut statement = db.prepare("SELECT a, b, c, d FROM filled ORDER BY a, b").unwrap();
        let found = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)));
        found.unwrap().collect::<Result<_, _>>().unwrap()
    }

    fn rows(count: i64, blob: usize) -> Vec<Row> {
        (0..count).map(|n| (n * n - 5_000, format!("name {n}"), vec![7; blob], n << (n % 50))).collect()
    }

    #[test]
    fn sqlite_reads_what_was_written_at_every_height() {
        for count in [0, 1, 2, 100, 200, 300, 20_000] {
            assert_eq!(round_trip(&sorted(rows(count, 20))).len(), usize::try_from(count).unwrap());
        }
    }

    #[test]
    fn long_values_overflow() {
        for blob in [400, 450, 940, 960, 970, 980, 990, 1000, 4_000, 4_500, 5_000, 9_000, 70_000] {
            let rows = sorted(rows(30, blob));
            assert_eq!(round_trip(&rows), rows, "{blob}");
        }
    }

    #[test]
    fn integers_of_every_size_are_kept() {
        let sizes = (0..64).flat_map(|bits| [-1, 0, 1].map(|near| (1_i64 << bits).wrapping_add(near)));
        let rows = sorted(sizes.flat_map(|n| [n, n.wrapping_neg()]).map(|n| (n, String::new(), vec![], n)).collect());
        assert_eq!(round_trip(&rows), rows);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 30, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_rows_are_kept(rows in prop::collection::vec((any::<i64>(), ".{0,9}", prop::collection::vec(any::<u8>(), 0..1500), any::<i64>()), 0..100)) {
            let rows = sorted(rows.into_iter().filter(|row| !row.1.contains('\0')).collect());
            prop_assert_eq!(round_trip(&rows), rows);
        }
    }

    fn sorted(mut rows: Vec<Row>) -> Vec<Row> {
        rows.sort();
        rows.dedup_by(|a, b| (a.0, &a.1) == (b.0, &b.1));
        rows
    }
}
