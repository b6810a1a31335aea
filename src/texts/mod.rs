//! The searchable texts of a file: one chunk for each module, class and function, each with its words by field.
//!
//! A pure function: the same file gives the same chunks.
//!
//! A chunk is an entity. Text inside another chunk is not repeated: a class has its header, its attributes and the
//! names of its methods; a module has its constants and top-level code. A function keeps the functions inside it. A
//! long chunk has pieces besides, for vectors alone: words are looked up in the whole chunk.

pub mod documents;
pub mod fields;
pub mod long;
mod pieces;
pub mod secrets;
pub(crate) mod source;
pub mod words;

pub use fields::{TextFields, fields};
pub use words::Column;

/// Counts from which a word of a body is marked as repeated: such words say more about the body than those that occur
/// once.
const REPEATED: [u32; 2] = [2, 4];

/// A text that can be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The entity's position in its file's list.
    pub ordinal: u32,
    /// 0 for all of the entity.
    pub piece: u16,
    /// 1-based, inclusive.
    pub start_line: u32,
    pub end_line: u32,
    /// Recognizes the same text in another file or at another time.
    pub text: u64,
    /// One for each of [`FIELDS`].
    pub columns: [Column; 6],
}

impl Chunk {
    /// The chunk of these fields.
    pub fn of(fields: &TextFields) -> Chunk {
        let TextFields { ordinal, piece, start_line, end_line, .. } = *fields;
        let columns = fields.texts().map(Column::of);
        Chunk { ordinal, piece, start_line, end_line, text: fields.hash(), columns }
    }

    /// Number of words in all fields, repeated ones included.
    pub fn length(&self) -> u32 {
        self.columns.iter().map(Column::length).sum()
    }

    /// The words that the body has twice, and those that it has four times, separated by spaces.
    pub fn repeated(&self) -> [String; 2] {
        let body = &self.columns[5];
        REPEATED.map(|least| {
            let words = body.each().filter(|(_, count)| *count >= least);
            words.map(|(word, _)| word).collect::<Vec<_>>().join(" ")
        })
    }
}
