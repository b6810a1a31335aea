//! Rows about documents: files of text, and their sections.
//!
//! A section is searched like a chunk. Its number lies in the same space, from [`FIRST`] on.

use std::borrow::Cow;

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::{
    model::{ContentHash, EntityKind, FileId, FileStat},
    store::{
        Store, Update,
        codes::Bits,
        error::StoreError,
        search::{
            digests::{self, ChunkDigest, ChunkLengths},
            texts::{COLUMNS, STATIC_MODEL},
            vectors::put_static,
        },
        write::{bulk::BulkBuilder, files::stat_of_row},
    },
    texts::secrets::prose_without_secrets,
};

/// The number of the first section; chunks are never so many.
const FIRST: u32 = 1 << 30;

/// A document as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentRecord {
    pub path: String,
    pub content_hash: ContentHash,
    pub stat: FileStat,
    /// Why it has no sections; empty for an indexed document.
    pub skipped: String,
}

/// A section as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionRow {
    pub ordinal: u32,
    pub title: String,
    /// The titles above it.
    pub above: String,
    /// Its first line of text.
    pub lead: String,
    /// 1-based, inclusive.
    pub start_line: u32,
    pub end_line: u32,
    /// Number of words.
    pub length: u32,
    pub lengths: ChunkLengths,
    /// Hash of the text.
    pub text: u64,
    /// Names of code that it mentions.
    pub names: Vec<String>,
    /// By [`COLUMNS`]: distinct words, separated by spaces.
    pub words: [String; COLUMNS.len()],
    /// Of the static model.
    pub vector: Vec<u8>,
}

impl SectionRow {
    fn digest(&self) -> ChunkDigest<'_> {
        let SectionRow { ordinal, length, lengths, text, .. } = *self;
        ChunkDigest { ordinal, piece: 0, kind: EntityKind::Document, length, lengths, text, vector: &self.vector }
    }
}

/// A section as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionSummary {
    pub title: String,
    pub above: String,
    pub lead: String,
    pub start_line: u32,
    pub end_line: u32,
    pub names: Vec<String>,
}

impl Store {
    /// Every document, by path.
    pub fn documents(&self) -> Result<Vec<(FileId, DocumentRecord)>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, path, content_hash, size, mtime_ns, ctime_ns, inode, skipped FROM documents ORDER BY path",
        )?;
        let documents = statement.query_map((), |row| {
            let stat = stat_of_row(row, 3)?;
            let (path, content_hash, skipped) = (row.get(1)?, row.get(2)?, row.get(7)?);
            Ok((row.get(0)?, DocumentRecord { path, content_hash, stat, skipped }))
        })?;
        Ok(documents.collect::<Result<_, _>>()?)
    }

    /// Every section with the path of its document, by path and position.
    pub fn sections(&self) -> Result<Vec<(String, SectionSummary)>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT title, above, lead, start_line, end_line, names, path FROM sections
             JOIN documents ON documents.id = document_id ORDER BY path, ordinal",
        )?;
        let sections = statement.query_map((), |row| Ok((row.get(6)?, summary(row)?)))?;
        let shown = |(path, section): (String, SectionSummary)| {
            let section = self.shown_section(&path, section);
            (path, section)
        };
        Ok(sections.map(|section| section.map(shown)).collect::<Result<_, _>>()?)
    }

    /// The section at this position of a document.
    pub fn section(&self, document: FileId, ordinal: u32) -> Result<Option<SectionSummary>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT title, above, lead, start_line, end_line, names, path FROM sections
             JOIN documents ON documents.id = document_id WHERE document_id = ?1 AND ordinal = ?2",
        )?;
        let section = statement.query_row(params![document, ordinal], |row| Ok((row.get(6)?, summary(row)?)));
        Ok(section.optional()?.map(|(path, section): (String, _)| self.shown_section(&path, section)))
    }

    /// The section as this store may show it: without secrets, and by titles and place where its text is withheld.
    fn shown_section(&self, path: &str, mut section: SectionSummary) -> SectionSummary {
        if self.withholds_path(path) {
            section.lead.clear();
            section.names.clear();
        }
        for text in [&mut section.title, &mut section.above, &mut section.lead] {
            if let Cow::Owned(clean) = prose_without_secrets(text) {
                *text = clean;
            }
        }
        section
    }
}

/// A row of title, titles above, lead, first and last line, and names.
fn summary(row: &Row<'_>) -> rusqlite::Result<SectionSummary> {
    let names: String = row.get(5)?;
    let names = names.lines().map(str::to_owned).collect();
    let (title, above, lead) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(SectionSummary { title, above, lead, start_line: row.get(3)?, end_line: row.get(4)?, names })
}

/// Adds a document with its sections, without their vectors.
fn insert(connection: &Connection, document: &DocumentRecord, sections: &[SectionRow]) -> Result<(), StoreError> {
    let DocumentRecord { path, content_hash, stat, skipped } = document;
    let mut statement = connection.prepare_cached(
        "INSERT INTO documents (path, content_hash, size, mtime_ns, ctime_ns, inode, skipped)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    let FileStat { size, mtime_ns, ctime_ns, inode } = *stat;
    let id = statement.insert(params![path, content_hash, Bits(size), mtime_ns, ctime_ns, Bits(inode), skipped])?;
    let id = u32::try_from(id).map_err(|_| StoreError::Damaged("numbers of documents".to_owned()))?;
    let mut next = connection.prepare_cached("SELECT 1 + coalesce(max(id), ?1 - 1) FROM sections")?;
    let first: u32 = next.query_row([FIRST], |row| row.get(0))?;
    let mut section = connection.prepare_cached(
        "INSERT INTO sections (id, document_id, ordinal, title, above, lead, start_line, end_line, length, text, names)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?;
    let mut words = connection.prepare_cached(
        "INSERT INTO chunk_words (rowid, name, owner, path, signature, doc, body, twice, often)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    for (number, row) in (first..).zip(sections) {
        let (text, names) = (row.text.cast_signed(), row.names.join("\n"));
        let SectionRow { ordinal, title, above, lead, start_line, end_line, length, .. } = row;
        section.execute(params![number, id, ordinal, title, above, lead, start_line, end_line, length, text, names])?;
        let [name, owner, path, signature, doc, body, twice, often] = &row.words;
        words.execute(params![number, name, owner, path, signature, doc, body, twice, often])?;
    }
    digests::put(connection, FileId(id), first, sections.iter().map(SectionRow::digest))
}

impl BulkBuilder {
    /// Adds a document with its sections.
    pub fn add_document(&mut self, document: &DocumentRecord, sections: Vec<SectionRow>) -> Result<(), StoreError> {
        insert(self.connection(), document, &sections)?;
        self.take_vectors(sections.into_iter().map(|row| (row.text, row.vector)));
        Ok(())
    }
}

impl Update<'_> {
    /// Replaces a document and its sections.
    pub fn put_document(&self, document: &DocumentRecord, sections: &[SectionRow]) -> Result<(), StoreError> {
        self.remove_document(&document.path)?;
        insert(&self.connection, document, sections)?;
        put_static(&self.connection, sections.iter().map(|row| (row.text, row.vector.as_slice())))
    }

    /// Stores new stat data of a file with unchanged content.
    pub fn put_document_stat(&self, path: &str, stat: FileStat) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(
            "UPDATE documents SET size = ?2, mtime_ns = ?3, ctime_ns = ?4, inode = ?5 WHERE path = ?1",
        )?;
        statement.execute(params![path, Bits(stat.size), stat.mtime_ns, stat.ctime_ns, Bits(stat.inode)])?;
        Ok(())
    }

    /// Removes a document, if it is there.
    pub fn remove_document(&self, path: &str) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT s.id, s.text FROM sections s JOIN documents d ON d.id = s.document_id WHERE d.path = ?1 ORDER BY s.id",
        )?;
        let rows = statement.query_map([path], |row| Ok((row.get::<_, u32>(0)?, row.get::<_, i64>(1)?)))?;
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        if let Some((first, _)) = rows.first() {
            digests::remove(&self.connection, *first)?;
        }
        // The sections go with it.
        self.connection.prepare_cached("DELETE FROM documents WHERE path = ?1")?.execute([path])?;
        let mut words = self.connection.prepare_cached("DELETE FROM chunk_words WHERE rowid = ?1")?;
        let mut vector = self.connection.prepare_cached(
            "DELETE FROM vectors WHERE model_id = ?1 AND text = ?2 AND NOT EXISTS (SELECT 1 FROM sections WHERE text = ?2)",
        )?;
        for (id, text) in rows {
            words.execute([id])?;
            vector.execute(params![STATIC_MODEL, text])?;
        }
        Ok(())
    }
}
