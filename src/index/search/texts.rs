//! The searchable texts of a file as rows of the index: chunks, with their words and with vectors of the built-in
//! table.
//!
//! The rows are a pure function of the path, the bytes and the entities, so an update and a full build store the same.

use crate::{
    embed::{WordVectors, quantized},
    model::{EntityKind, EntityRecord},
    store::search::{
        digests::ChunkLengths,
        texts::{COLUMNS, ChunkChange, ChunkRow, ChunkText},
    },
    texts::{Chunk, Column, TextFields, fields},
};

/// The rows for the chunks of a file.
pub(crate) enum TextRows {
    All(Vec<ChunkRow>),
    /// There are as many as before, in this order.
    Changes(Vec<ChunkChange>),
}

impl TextRows {
    /// All rows, of a file that is new.
    pub(crate) fn all(self) -> Vec<ChunkRow> {
        match self {
            TextRows::All(rows) => rows,
            TextRows::Changes(_) => Vec::new(),
        }
    }
}

/// The chunks of a file. A chunk whose text equals the `known` one in its place keeps its row.
pub(crate) fn of_file(path: &str, bytes: &[u8], records: &[EntityRecord], known: &[ChunkText]) -> TextRows {
    let fields = fields(path, bytes, records);
    let row = |fields: &TextFields| row(fields, records[fields.ordinal as usize].kind);
    if known.is_empty() || known.len() != fields.len() {
        return TextRows::All(fields.iter().map(row).collect());
    }
    let changes = fields.iter().zip(known).map(|(fields, known)| {
        if *known != (ChunkText { piece: fields.piece, text: fields.hash() }) {
            return ChunkChange::New(Box::new(row(fields)));
        }
        let TextFields { ordinal, start_line, end_line, .. } = *fields;
        ChunkChange::Kept { ordinal, kind: records[ordinal as usize].kind, start_line, end_line }
    });
    TextRows::Changes(changes.collect())
}

fn row(fields: &TextFields, kind: EntityKind) -> ChunkRow {
    let (chunk, doc) = (Chunk::of(fields), fields.docstring().map(|doc| doc.hash()));
    let Chunk { ordinal, piece, start_line, end_line, text, .. } = chunk;
    let (length, lengths) = (chunk.length(), lengths(&chunk));
    let (words, vector) = words_and_vector(chunk);
    ChunkRow { ordinal, piece, kind, start_line, end_line, length, lengths, text, doc, words, vector }
}

/// The numbers of words in the parts of a chunk that a search weighs.
pub(crate) fn lengths(chunk: &Chunk) -> ChunkLengths {
    let [_, _, _, signature, doc, body] = &chunk.columns;
    let length = |column: &Column| u16::try_from(column.length()).unwrap_or(u16::MAX);
    ChunkLengths { signature: length(signature), doc: length(doc), body: length(body) }
}

/// The words of a chunk by column of the full-text index, and its vector by the table in the binary, as they are
/// stored.
pub(crate) fn words_and_vector(chunk: Chunk) -> ([String; COLUMNS.len()], Vec<u8>) {
    let (vector, [twice, often]) = (quantized(&WordVectors::get().chunk(&chunk)), chunk.repeated());
    let [name, owner, path, signature, doc, body] = chunk.columns.map(|column| column.words);
    ([name, owner, path, signature, doc, body, twice, often], vector)
}
