//! All chunks of an index, in an order that depends on the tree alone.
//!
//! An index numbers its chunks as they come, so the numbers tell its history: a file that changed has larger ones.
//! Places are positions in the order of paths instead. Every tie and every sum follows this order, and so two indexes
//! of one tree give the same answers to the last bit.

use super::SearchedFile;
use crate::{model::EntityKind, store::search::digests::ChunkPlace};

/// All chunks of the index.
pub(super) struct Corpus {
    /// Code first, then documents; each by path, then by position in the file.
    pub(super) places: Vec<ChunkPlace>,
    /// By place: whether the chunk counts for the statistics of words. Pieces of longer chunks have no words. Tests and
    /// documents repeat those of the code, and would make telling words common.
    pub(super) is_counted: Vec<bool>,
    /// Number of chunks that count.
    pub(super) counted: usize,
    /// Mean length of the chunks that count, in words.
    pub(super) average_length: f64,
    /// The number of each chunk with its place, by number.
    by_number: Vec<(u32, u32)>,
}

impl Corpus {
    /// Orders chunks; `file_of` gives the file of a chunk.
    pub(super) fn of<'f>(chunks: &[ChunkPlace], file_of: impl Fn(&ChunkPlace) -> Option<&'f SearchedFile>) -> Self {
        let is_document = |chunk: &ChunkPlace| chunk.kind == EntityKind::Document;
        // The chunks of a file follow each other: comparing the paths of whole files is enough.
        let mut files: Vec<&[ChunkPlace]> =
            chunks.chunk_by(|a, b| a.file == b.file && is_document(a) == is_document(b)).collect();
        files.sort_by_cached_key(|chunks| (is_document(&chunks[0]), file_of(&chunks[0]).map(|file| &file.path)));
        let places = files.concat();
        let mut by_number: Vec<(u32, u32)> = places.iter().map(|chunk| chunk.chunk).zip(0..).collect();
        by_number.sort_unstable();
        let is_main = |chunk: &ChunkPlace| file_of(chunk).is_some_and(|file| file.aside.is_none());
        let has_main = places.iter().any(is_main);
        let counts = |chunk: &ChunkPlace| chunk.piece == 0 && (!has_main || is_main(chunk));
        let is_counted: Vec<bool> = places.iter().map(counts).collect();
        let lengths = places.iter().zip(&is_counted).filter(|(_, counts)| **counts).map(|(chunk, _)| chunk.length);
        let (counted, words) = lengths.fold((0, 0), |(count, sum), length| (count + 1, sum + u64::from(length)));
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 words")]
        let average_length = words as f64 / counted.max(1) as f64;
        Corpus { places, is_counted, counted, average_length, by_number }
    }

    /// The place of the chunk with this number. Numbers are asked for in ascending order: each search begins where the
    /// last one ended, at `from`, and takes longer steps until it is beyond the number.
    pub(super) fn place_from(&self, from: &mut usize, number: u32) -> Option<usize> {
        let rest = &self.by_number[*from..];
        let mut step = 1;
        while rest.get(step).is_some_and(|(other, _)| *other < number) {
            step *= 2;
        }
        let near = &rest[..rest.len().min(step + 1)];
        *from += near.partition_point(|(other, _)| *other < number);
        let (other, place) = self.by_number.get(*from)?;
        (*other == number).then_some(*place as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascending_numbers_are_found_from_where_the_last_search_ended() {
        let corpus = Corpus {
            places: Vec::new(),
            is_counted: Vec::new(),
            counted: 0,
            average_length: 0.0,
            by_number: [2, 3, 7, 8, 9, 20, 21, 40].into_iter().zip(0..).collect(),
        };
        let mut from = 0;
        let found = [1, 2, 7, 10, 21, 40, 41].map(|number| corpus.place_from(&mut from, number));
        assert_eq!(found, [None, Some(0), Some(2), None, Some(6), Some(7), None]);
        assert_eq!(corpus.place_from(&mut from, 50), None);
    }
}
