//! What can be searched of a file, as rows for the index.
//!
//! Goes in: a path, its bytes and its entities. Comes out: the chunks with their words and their vectors of the table in the
//! binary. A pure function of these, so that an update and a full build store the same.

use crate::{
    embed::{Table, quantized},
    model::EntityRecord,
    store::texts::ChunkRow,
    texts::{Chunk, fields},
};

/// The rows of a file's chunks.
pub(super) fn rows(path: &str, bytes: &[u8], records: &[EntityRecord]) -> Vec<ChunkRow> {
    let table = Table::get();
    let fields = fields(path, bytes, records);
    let chunks = fields.iter().map(Chunk::of);
    chunks
        .map(|chunk| {
            let (vector, length, often) = (quantized(&table.chunk(&chunk)), chunk.length(), chunk.often());
            let Chunk { ordinal, start_line, end_line, text, columns } = chunk;
            let [name, owner, path, signature, doc, body] = columns.map(|column| column.words);
            ChunkRow {
                ordinal,
                kind: records[ordinal as usize].kind,
                start_line,
                end_line,
                length,
                text,
                words: [name, owner, path, signature, doc, body, often],
                vector,
            }
        })
        .collect()
}
