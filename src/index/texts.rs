//! What can be searched of a file, as rows for the index.
//!
//! Goes in: a path, its bytes and its entities. Comes out: the chunks with their words and their vectors of the table in the
//! binary. A pure function of these, so that an update and a full build store the same.

use crate::{
    embed::{Table, quantized},
    model::EntityRecord,
    store::{
        digests::Lengths,
        texts::{COLUMNS, ChunkRow},
    },
    texts::{Chunk, Column, fields},
};

/// The rows of a file's chunks.
pub(super) fn rows(path: &str, bytes: &[u8], records: &[EntityRecord]) -> Vec<ChunkRow> {
    let fields = fields(path, bytes, records);
    let chunks = fields.iter().map(Chunk::of);
    chunks
        .map(|chunk| {
            let Chunk { ordinal, piece, start_line, end_line, text, .. } = chunk;
            let (length, lengths) = (chunk.length(), lengths(&chunk));
            let kind = records[ordinal as usize].kind;
            let (words, vector) = words_and_vector(chunk);
            ChunkRow { ordinal, piece, kind, start_line, end_line, length, lengths, text, words, vector }
        })
        .collect()
}

/// How long the parts of a chunk are that a search tells apart.
pub(super) fn lengths(chunk: &Chunk) -> Lengths {
    let [_, _, _, signature, doc, body] = &chunk.columns;
    let length = |column: &Column| u16::try_from(column.counts.iter().sum::<u32>()).unwrap_or(u16::MAX);
    Lengths { signature: length(signature), doc: length(doc), body: length(body) }
}

/// The words of a chunk by column of the full-text index, and its vector by the table in the binary, as they are stored.
pub(super) fn words_and_vector(chunk: Chunk) -> ([String; COLUMNS.len()], Vec<u8>) {
    let (vector, [twice, often]) = (quantized(&Table::get().chunk(&chunk)), chunk.repeated());
    let [name, owner, path, signature, doc, body] = chunk.columns.map(|column| column.words);
    ([name, owner, path, signature, doc, body, twice, often], vector)
}
