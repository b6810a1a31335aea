//! Rows about searchable texts: chunks, their words in a full-text index, their vectors.
//!
//! A search reads the postings of a word and the places of chunks here; `query` ranks them.
//!
//! The full-text index holds no text (`content=''`) and no positions (`detail=column`): only which words are in which
//! columns of which chunk. Words are split and stemmed before, so SQLite's own tokenizer has nothing left to do.

use rusqlite::{CachedStatement, Connection, OptionalExtension, params};

use crate::model::{EntityId, EntityKind, FileId};
use crate::store::Store;
use crate::store::error::StoreError;
use crate::store::search::digests::{self, ChunkDigest, ChunkLengths, ChunkPlace};
use crate::store::search::vectors::put_static;
use crate::store::write::bulk::BulkBuilder;
use crate::store::write::update::Update;

/// The columns of the full-text index. The last ones have the words that a body repeats.
pub const COLUMNS: [&str; 8] = ["name", "owner", "path", "signature", "doc", "body", "twice", "often"];

/// SQLite's view of the full-text index, made where it is read.
const POSTINGS: &str = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.postings USING fts5vocab(main, chunk_words, instance)";

/// The number of the model whose vectors come with the chunks.
pub const STATIC_MODEL: u32 = 0;

/// A chunk as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkRow {
    /// The entity's position in its file's list.
    pub ordinal: u32,
    /// 0 for all of the entity; the pieces of a long one, which have vectors and no words, count from 1.
    pub piece: u16,
    pub kind: EntityKind,
    /// 1-based, inclusive.
    pub start_line: u32,
    pub end_line: u32,
    /// Number of words.
    pub length: u32,
    pub lengths: ChunkLengths,
    /// Hash of the text.
    pub text: u64,
    /// Hash of the docstring alone.
    pub doc: Option<u64>,
    /// By [`COLUMNS`]: distinct words, separated by spaces.
    pub words: [String; COLUMNS.len()],
    /// Of the static model, as signed bytes.
    pub vector: Vec<u8>,
}

/// The identity of a chunk that need not be computed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkText {
    pub piece: u16,
    /// Hash of the text.
    pub text: u64,
}

/// The change of a chunk in a file that keeps its number of chunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChunkChange {
    /// Its text stays; the place may be another.
    Kept {
        ordinal: u32,
        kind: EntityKind,
        start_line: u32,
        end_line: u32,
    },
    New(Box<ChunkRow>),
}

/// A chunk that has a word, and the columns that have it as bits, in the order of [`COLUMNS`].
pub type Posting = (u32, u8);

impl ChunkRow {
    fn digest(&self) -> ChunkDigest<'_> {
        let ChunkRow { ordinal, piece, kind, length, lengths, text, .. } = *self;
        ChunkDigest { ordinal, piece, kind, length, lengths, text, vector: &self.vector }
    }
}

/// Statements that add the chunks of files without their vectors.
struct Inserts<'c> {
    connection: &'c Connection,
    chunk: CachedStatement<'c>,
    words: CachedStatement<'c>,
}

impl<'c> Inserts<'c> {
    fn new(connection: &'c Connection) -> Result<Self, StoreError> {
        Ok(Inserts {
            connection,
            chunk: connection.prepare_cached(
                "INSERT INTO chunks (file_id, ordinal, piece, kind, start_line, end_line, length, text, doc)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?,
            words: connection.prepare_cached(INSERT_WORDS)?,
        })
    }

    /// Adds the chunks of a file, which get numbers that follow each other.
    fn insert_all(&mut self, file: FileId, rows: &[ChunkRow]) -> Result<(), StoreError> {
        let mut first = None;
        for row in rows {
            let number = self.insert(file, row)?;
            first.get_or_insert(number);
        }
        first.map_or(Ok(()), |first| digests::put(self.connection, file, first, rows.iter().map(ChunkRow::digest)))
    }

    fn insert(&mut self, file: FileId, row: &ChunkRow) -> Result<u32, StoreError> {
        let ChunkRow { ordinal, piece, kind, start_line, end_line, length, text, .. } = row;
        let (text, doc) = (text.cast_signed(), row.doc.map(u64::cast_signed));
        let id = self.chunk.insert(params![file, ordinal, piece, kind, start_line, end_line, length, text, doc])?;
        let id = u32::try_from(id).map_err(|_| StoreError::Damaged("numbers of chunks".to_owned()))?;
        insert_words(&mut self.words, id, row)?;
        Ok(id)
    }
}

const INSERT_WORDS: &str = "INSERT INTO chunk_words (rowid, name, owner, path, signature, doc, body, twice, often)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";

fn insert_words(statement: &mut CachedStatement<'_>, id: u32, row: &ChunkRow) -> Result<(), StoreError> {
    if row.piece == 0 {
        let [name, owner, path, signature, doc, body, twice, often] = &row.words;
        statement.execute(params![id, name, owner, path, signature, doc, body, twice, often])?;
    }
    Ok(())
}

impl BulkBuilder {
    /// Adds the chunks of a file.
    pub fn add_texts(&mut self, file: FileId, rows: Vec<ChunkRow>) -> Result<(), StoreError> {
        Inserts::new(self.connection())?.insert_all(file, &rows)?;
        self.take_vectors(rows.into_iter().map(|row| (row.text, row.vector)));
        Ok(())
    }
}

/// Makes the full-text index take all chunks in large steps: merging on the way would be work for nothing.
pub(crate) fn begin_load(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch(
        "INSERT INTO chunk_words (chunk_words, rank) VALUES ('automerge', 0);
         INSERT INTO chunk_words (chunk_words, rank) VALUES ('crisismerge', 1000);
         INSERT INTO chunk_words (chunk_words, rank) VALUES ('hashsize', 16777216);",
    )?;
    Ok(())
}

/// Merges the loaded words into one segment, and sets the values that updates need, which are SQLite's own. Without the
/// merge, one of the next updates would have to do it.
pub(crate) fn end_load(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch(
        "INSERT INTO chunk_words (chunk_words) VALUES ('optimize');
         INSERT INTO chunk_words (chunk_words, rank) VALUES ('automerge', 4);
         INSERT INTO chunk_words (chunk_words, rank) VALUES ('crisismerge', 16);
         INSERT INTO chunk_words (chunk_words, rank) VALUES ('hashsize', 1048576);",
    )?;
    Ok(())
}

impl Update<'_> {
    /// Replaces the chunks of a file.
    pub fn put_texts(&self, file: FileId, rows: &[ChunkRow]) -> Result<(), StoreError> {
        self.remove_texts(file)?;
        Inserts::new(&self.connection)?.insert_all(file, rows)?;
        put_static(&self.connection, rows.iter().map(|row| (row.text, row.vector.as_slice())))
    }

    /// The texts of a file's chunks, in their order.
    pub fn chunk_texts(&self, file: FileId) -> Result<Vec<ChunkText>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT piece, text FROM chunks WHERE file_id = ?1 ORDER BY id")?;
        let texts = statement.query_map([file], |row| {
            Ok(ChunkText { piece: row.get(0)?, text: row.get::<_, i64>(1)?.cast_unsigned() })
        })?;
        Ok(texts.collect::<Result<_, _>>()?)
    }

    /// The numbers of a file's chunks and the hashes of their texts, in their order.
    fn chunks_of(&self, file: FileId) -> Result<Vec<(u32, i64)>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT id, text FROM chunks WHERE file_id = ?1 ORDER BY id")?;
        let rows = statement.query_map([file], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Changes the chunks of a file where they stand: one change for each that it has ([`Self::chunk_texts`]).
    pub fn change_texts(&self, file: FileId, changes: &[ChunkChange]) -> Result<(), StoreError> {
        let rows = self.chunks_of(file)?;
        let Some(&(first, _)) = rows.first() else { return Ok(()) };
        let mut digests = digests::get(&self.connection, first)?;
        let mut place = self.connection.prepare_cached(
            "UPDATE chunks SET ordinal = ?2, kind = ?3, start_line = ?4, end_line = ?5
             WHERE id = ?1 AND (ordinal <> ?2 OR kind <> ?3 OR start_line <> ?4 OR end_line <> ?5)",
        )?;
        let mut chunk = self
            .connection
            .prepare_cached("UPDATE chunks SET piece = ?2, length = ?3, text = ?4, doc = ?5 WHERE id = ?1")?;
        let mut no_words = self.connection.prepare_cached("DELETE FROM chunk_words WHERE rowid = ?1")?;
        let mut words = self.connection.prepare_cached(INSERT_WORDS)?;
        let mut lost = Vec::new();
        for (at, (&(id, text), change)) in rows.iter().zip(changes).enumerate() {
            let (ordinal, kind, start_line, end_line) = match change {
                ChunkChange::Kept { ordinal, kind, start_line, end_line } => (ordinal, kind, start_line, end_line),
                ChunkChange::New(row) => (&row.ordinal, &row.kind, &row.start_line, &row.end_line),
            };
            place.execute(params![id, ordinal, kind, start_line, end_line])?;
            match change {
                ChunkChange::Kept { .. } => digests.keep(at, *ordinal, *kind),
                ChunkChange::New(row) => {
                    let doc = row.doc.map(u64::cast_signed);
                    chunk.execute(params![id, row.piece, row.length, row.text.cast_signed(), doc])?;
                    no_words.execute([id])?;
                    insert_words(&mut words, id, row)?;
                    put_static(&self.connection, std::iter::once((row.text, row.vector.as_slice())))?;
                    digests.replace(at, &row.digest());
                    lost.push(text);
                }
            }
        }
        digests.store(&self.connection)?;
        self.forget_vectors(&lost)
    }

    /// Removes the vectors of the table in the binary that belong to no chunk.
    fn forget_vectors(&self, texts: &[i64]) -> Result<(), StoreError> {
        let mut vector = self.connection.prepare_cached(
            "DELETE FROM vectors WHERE model_id = ?1 AND text = ?2 AND NOT EXISTS (SELECT 1 FROM chunks WHERE text = ?2)",
        )?;
        for text in texts {
            vector.execute(params![STATIC_MODEL, text])?;
        }
        Ok(())
    }

    /// Removes the chunks of a file. Vectors of slow models stay for the return of their text.
    pub fn remove_texts(&self, file: FileId) -> Result<(), StoreError> {
        let rows = self.chunks_of(file)?;
        if let Some((first, _)) = rows.first() {
            digests::remove(&self.connection, *first)?;
        }
        let mut chunk = self.connection.prepare_cached("DELETE FROM chunks WHERE id = ?1")?;
        let mut words = self.connection.prepare_cached("DELETE FROM chunk_words WHERE rowid = ?1")?;
        for (id, _) in &rows {
            chunk.execute([id])?;
            words.execute([id])?;
        }
        self.forget_vectors(&rows.into_iter().map(|(_, text)| text).collect::<Vec<_>>())
    }
}

impl Store {
    /// Whether any chunk has this word.
    pub fn has_posting(&self, word: &str) -> Result<bool, StoreError> {
        self.connection.execute_batch(POSTINGS)?;
        let mut statement = self.connection.prepare_cached("SELECT 1 FROM temp.postings WHERE term = ?1 LIMIT 1")?;
        Ok(statement.exists([word])?)
    }

    /// Calls `visit` with every chunk that has this word, by number.
    pub fn each_posting(&self, word: &str, visit: &mut dyn FnMut(Posting)) -> Result<(), StoreError> {
        self.connection.execute_batch(POSTINGS)?;
        let mut statement = self.connection.prepare_cached("SELECT doc, col FROM temp.postings WHERE term = ?1")?;
        let mut rows = statement.query([word])?;
        let mut last: Option<Posting> = None;
        while let Some(row) = rows.next()? {
            let chunk: u32 = row.get(0)?;
            let column = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
            let bit = COLUMNS.iter().position(|name| *name == column).map_or(0, |at| 1 << at);
            match &mut last {
                Some((same, bits)) if *same == chunk => *bits |= bit,
                _ => {
                    if let Some(posting) = last.replace((chunk, bit)) {
                        visit(posting);
                    }
                }
            }
        }
        last.into_iter().for_each(visit);
        Ok(())
    }

    /// Calls `visit` with a line for every chunk and every posting, naming chunks by path and position; in no order
    /// that means anything. For tests and for people: equal trees give equal lines.
    pub fn each_text_line(&self, visit: &mut dyn FnMut(String)) -> Result<(), StoreError> {
        let mut names = std::collections::BTreeMap::new();
        let mut statement = self.connection.prepare(
            "SELECT c.id, f.path || '#' || c.ordinal || iif(c.piece = 0, '', '/' || c.piece), c.kind || ' ' || c.start_line || '-' || c.end_line || ' ' || c.length
               || ' ' || c.text || ' ' || coalesce(c.doc, '-') || ' ' || hex(v.vector)
             FROM chunks c JOIN files f ON f.id = c.file_id LEFT JOIN vectors v ON v.model_id = ?1 AND v.text = c.text
             UNION ALL
             SELECT s.id, d.path || '#' || s.ordinal, s.title || ' ' || s.above || ' ' || s.lead || ' ' || s.start_line || '-'
               || s.end_line || ' ' || s.length || ' ' || s.names || ' ' || s.text || ' ' || hex(v.vector)
             FROM sections s JOIN documents d ON d.id = s.document_id
             LEFT JOIN vectors v ON v.model_id = ?1 AND v.text = s.text",
        )?;
        let mut rows = statement.query([STATIC_MODEL])?;
        while let Some(row) = rows.next()? {
            let name: String = row.get(1)?;
            visit(format!("{name} {}", row.get::<_, Option<String>>(2)?.unwrap_or_default()));
            names.insert(row.get::<_, u32>(0)?, name);
        }
        for place in self.chunk_places()? {
            let name = names.get(&place.chunk).map_or("no chunk", String::as_str);
            let ChunkPlace { ordinal, piece, kind, length, lengths, text, signs, .. } = place;
            visit(format!("{name} {ordinal}/{piece} {kind:?} {length} {lengths:?} {} {signs:?}", text.cast_signed()));
        }
        self.connection.execute_batch(POSTINGS)?;
        let mut statement = self.connection.prepare("SELECT term, doc, col FROM temp.postings")?;
        let mut rows = statement.query(())?;
        while let Some(row) = rows.next()? {
            let name = names.get(&row.get(1)?).map_or("no chunk", String::as_str);
            visit(format!("{name} {} {}", row.get::<_, String>(2)?, row.get::<_, String>(0)?));
        }
        Ok(())
    }

    /// The first and the last line of a chunk.
    pub fn chunk_lines(&self, chunk: u32) -> Result<Option<(u32, u32)>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT start_line, end_line FROM chunks WHERE id = ?1")?;
        Ok(statement.query_row([chunk], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
    }

    /// The last name and the name below the module of the entity at this position of a file's list.
    pub fn names_at(&self, file: FileId, ordinal: u32) -> Result<Option<(String, String)>, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT name, qualified FROM entities WHERE file_id = ?1 AND ordinal = ?2")?;
        Ok(statement.query_row(params![file, ordinal], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
    }

    /// The entity at this position of a file's list.
    pub fn entity_at(&self, file: FileId, ordinal: u32) -> Result<Option<EntityId>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT id FROM entities WHERE file_id = ?1 AND ordinal = ?2")?;
        Ok(statement.query_row(params![file, ordinal], |row| row.get(0)).optional()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sample;

    fn row(ordinal: u32, name: &str, text: u64, vector: i8) -> ChunkRow {
        let mut words = COLUMNS.map(|_| String::new());
        words[0] = name.to_owned();
        words[5] = "return self".to_owned();
        let vector = [vector, 100].map(i8::cast_unsigned).repeat(128);
        ChunkRow {
            ordinal,
            piece: 0,
            kind: EntityKind::Function,
            start_line: 1,
            end_line: 2,
            length: 3,
            lengths: ChunkLengths::default(),
            text,
            doc: text.is_multiple_of(2).then_some(text + 1000),
            words,
            vector,
        }
    }

    fn postings(store: &Store, word: &str) -> Vec<Posting> {
        let mut found = Vec::new();
        store.each_posting(word, &mut |posting| found.push(posting)).unwrap();
        found
    }

    #[test]
    fn words_lead_to_chunks_until_their_file_changes() {
        let mut store = Store::open_in_memory().unwrap();
        let update = store.write().unwrap();
        let a = update.put_file(&sample::file("a.py", 1)).unwrap();
        let b = update.put_file(&sample::file("b.py", 2)).unwrap();
        update.put_texts(a, &[row(0, "sign cooki", 7, 50), row(1, "self", 8, -50)]).unwrap();
        update.put_texts(b, &[row(0, "sign", 7, 50)]).unwrap();
        assert_eq!(postings(&update, "sign"), [(1, 1), (3, 1)]);
        assert_eq!(postings(&update, "self"), [(1, 32), (2, 33), (3, 32)]);
        update.put_texts(a, &[row(0, "other", 9, 0)]).unwrap();
        assert_eq!(postings(&update, "sign"), [(3, 1)]);
        assert_eq!(postings(&update, "cooki"), []);
        let texts: Vec<u64> = update.chunk_places().unwrap().iter().map(|place| place.text).collect();
        assert_eq!(texts.len(), 2);
        // No file has text 8 any more; 7 is still in the other file.
        assert_eq!(update.vector(STATIC_MODEL, 8).unwrap(), None);
        assert!(update.vector(STATIC_MODEL, 7).unwrap().is_some());
        update.commit().unwrap();
        store.verify().unwrap();
    }

    #[test]
    fn chunks_change_where_they_stand() {
        let mut stores = [Store::open_in_memory().unwrap(), Store::open_in_memory().unwrap()];
        let old = [row(0, "sign cooki", 7, 50), row(1, "self", 8, -50), row(2, "sign", 9, 1)];
        let moved = ChunkRow { ordinal: 3, start_line: 5, end_line: 6, ..old[2].clone() };
        let new = [old[0].clone(), row(1, "other", 10, 20), moved];
        for (store, in_place) in stores.iter_mut().zip([true, false]) {
            let update = store.write().unwrap();
            let file = update.put_file(&sample::file("a.py", 1)).unwrap();
            update.put_texts(file, &old).unwrap();
            let texts: Vec<u64> = update.chunk_texts(file).unwrap().iter().map(|chunk| chunk.text).collect();
            assert_eq!(texts, [7, 8, 9]);
            if in_place {
                let kept = |row: &ChunkRow| ChunkChange::Kept {
                    ordinal: row.ordinal,
                    kind: row.kind,
                    start_line: row.start_line,
                    end_line: row.end_line,
                };
                let changes = [kept(&new[0]), ChunkChange::New(Box::new(new[1].clone())), kept(&new[2])];
                let before = update.rows_written();
                update.change_texts(file, &changes).unwrap();
                let written = update.rows_written() - before;
                assert!(written < 16, "{written} rows written for one chunk");
            } else {
                update.put_texts(file, &new).unwrap();
            }
            assert_eq!(postings(&update, "self"), [(1, 32), (2, 32), (3, 32)]);
            assert_eq!(postings(&update, "other"), [(2, 1)]);
            assert_eq!(update.vector(STATIC_MODEL, 8).unwrap(), None);
            update.commit().unwrap();
            store.verify().unwrap();
        }
        let lines = |store: &Store| {
            let mut lines = Vec::new();
            store.each_text_line(&mut |line| lines.push(line)).unwrap();
            lines.sort();
            lines
        };
        assert_eq!(lines(&stores[0]), lines(&stores[1]));
        assert_eq!(stores[0].chunk_places().unwrap(), stores[1].chunk_places().unwrap());
    }

    #[test]
    fn words_are_bound_and_never_syntax() {
        let store = Store::open_in_memory().unwrap();
        for word in ["\"", "a OR b", "*", "'; DROP TABLE chunks", "", "\u{0}"] {
            assert_eq!(postings(&store, word), []);
        }
    }
}
