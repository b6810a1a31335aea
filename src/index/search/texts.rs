//! What can be searched of a file, as rows for the index.
//!
//! Goes in: a path, its bytes and its entities. Comes out: the chunks with their words and their vectors of the table in the
//! binary. A pure function of these, so that an update and a full build store the same.

use crate::{
    embed::{WordVectors, quantized},
    model::{EntityKind, EntityRecord},
    store::search::{
        digests::ChunkLengths,
        texts::{COLUMNS, ChunkChange, ChunkRow, ChunkText},
    },
    texts::{Chunk, Column, TextFields, fields},
};

/// What the index is to have of a file's chunks.
pub(crate) enum Texts {
    All(Vec<ChunkRow>),
    /// There are as many as before, in this order.
    Changes(Vec<ChunkChange>),
}

impl Texts {
    /// All rows, of a file that is new.
    pub(crate) fn all(self) -> Vec<ChunkRow> {
        match self {
            Texts::All(rows) => rows,
            Texts::Changes(_) => Vec::new(),
        }
    }
}

/// The chunks of a file. Those whose text is what the index has in their place (`known`) are not worked out again.
pub(crate) fn of_file(path: &str, bytes: &[u8], records: &[EntityRecord], known: &[ChunkText]) -> Texts {
    let fields = fields(path, bytes, records);
    let row = |fields: &TextFields| row(fields, records[fields.ordinal as usize].kind);
    if known.is_empty() || known.len() != fields.len() {
        return Texts::All(fields.iter().map(row).collect());
    }
    let changes = fields.iter().zip(known).map(|(fields, known)| {
        if *known != (ChunkText { piece: fields.piece, text: fields.hash() }) {
            return ChunkChange::New(Box::new(row(fields)));
        }
        let TextFields { ordinal, start_line, end_line, .. } = *fields;
        ChunkChange::Kept { ordinal, kind: records[ordinal as usize].kind, start_line, end_line }
    });
    Texts::Changes(changes.collect())
}

fn row(fields: &TextFields, kind: EntityKind) -> ChunkRow {
    let chunk = Chunk::of(fields);
    let Chunk { ordinal, piece, start_line, end_line, text, .. } = chunk;
    let (length, lengths) = (chunk.length(), lengths(&chunk));
    let (words, vector) = words_and_vector(chunk);
    ChunkRow { ordinal, piece, kind, start_line, end_line, length, lengths, text, words, vector }
}

/// How long the parts of a chunk are that a search tells apart.
pub(crate) fn lengths(chunk: &Chunk) -> ChunkLengths {
    let [_, _, _, signature, doc, body] = &chunk.columns;
    let length = |column: &Column| u16::try_from(column.length()).unwrap_or(u16::MAX);
    ChunkLengths { signature: length(signature), doc: length(doc), body: length(body) }
}

/// The words of a chunk by column of the full-text index, and its vector by the table in the binary, as they are stored.
pub(crate) fn words_and_vector(chunk: Chunk) -> ([String; COLUMNS.len()], Vec<u8>) {
    let (vector, [twice, often]) = (quantized(&WordVectors::get().chunk(&chunk)), chunk.repeated());
    let [name, owner, path, signature, doc, body] = chunk.columns.map(|column| column.words);
    ([name, owner, path, signature, doc, body, twice, often], vector)
}
