//! The table of word vectors in the binary: 28,500 words, 256 dimensions, four bits a number.
//!
//! The vector of a question is the weighted sum of its words. The vector of a chunk is the sum over its fields of
//! `gain * (1 + ln count) / sqrt(words of the field) * word`. An unknown word counts as the longest known pieces in it.
//!
//! The programs in `training/` train the table and name its sources. It started from all-MiniLM-L6-v2 (Apache-2.0, see
//! `training/NOTICE`).

use std::cell::RefCell;
use std::sync::{
    LazyLock, OnceLock,
    atomic::{AtomicUsize, Ordering},
};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{
    embed::{EmbedError, Embedder, QuestionInput},
    texts::{Chunk, Column, TextFields},
};

/// Numbers in a vector.
pub const DIMENSIONS: usize = 256;

/// Changes with the table, so that stored vectors of another one are not compared with these.
pub const NAME: &str = "static-3";

/// Shorter pieces of unknown words mean nothing.
const SHORTEST_PIECE: usize = 3;
/// Longer words are noise (encoded data), not language.
const LONGEST_WORD: usize = 40;
/// Up to this many words are found by halving; a map pays from there on.
const FEW_WORDS: usize = 20_000;
/// Unknown words whose pieces are remembered.
const REMEMBERED: usize = 100_000;

static BYTES: &[u8] = include_bytes!("table.bin");

type WordRows = SmallVec<[u16; 4]>;

/// A vector under way. Its even and its odd numbers lie apart, so that a processor adds many at a time.
struct VectorSum {
    even: [f32; DIMENSIONS / 2],
    odd: [f32; DIMENSIONS / 2],
}

impl Default for VectorSum {
    fn default() -> VectorSum {
        VectorSum { even: [0.0; DIMENSIONS / 2], odd: [0.0; DIMENSIONS / 2] }
    }
}

impl VectorSum {
    fn vector(&self) -> [f32; DIMENSIONS] {
        std::array::from_fn(|at| if at % 2 == 0 { self.even[at / 2] } else { self.odd[at / 2] })
    }
}

/// The words with their vectors, as packed by `training/pack.py`.
pub struct WordVectors {
    words: &'static str,
    /// Where each word begins in `words`, and one past the end.
    starts: Vec<u32>,
    /// By field: how much it counts.
    gains: [f32; 6],
    largest_scale: f32,
    /// A row's scale in 65535ths of the largest one, little endian.
    scales: &'static [u8],
    /// Two numbers a byte.
    numbers: &'static [u8],
    /// Made when many words are looked up.
    rows: OnceLock<FxHashMap<&'static str, u16>>,
    /// How many words chunks have had so far.
    words_seen: AtomicUsize,
}

impl WordVectors {
    /// The one table of this program.
    pub fn get() -> &'static WordVectors {
        static TABLE: LazyLock<WordVectors> =
            LazyLock::new(|| WordVectors::read(BYTES).expect("the table is part of the program"));
        &TABLE
    }

    fn read(bytes: &'static [u8]) -> Option<WordVectors> {
        let number = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        let real = |at: usize| number(at).map(f32::from_bits);
        if !bytes.starts_with(b"RIDXTAB1") {
            return None;
        }
        let (rows, dimensions, size) = (number(8)? as usize, number(12)? as usize, number(16)? as usize);
        let mut gains = [0.0; 6];
        for (field, gain) in gains.iter_mut().enumerate() {
            *gain = real(20 + 4 * field)?;
        }
        let largest_scale = real(44)?;
        let (words, rest) = bytes.get(48..)?.split_at_checked(size)?;
        let (scales, numbers) = rest.split_at_checked(2 * rows)?;
        let words = std::str::from_utf8(words).ok()?;
        // Byte by byte, because every process that embeds anything reads this list.
        let mut starts = Vec::with_capacity(rows + 1);
        starts.push(0);
        starts.extend((1..).zip(words.bytes()).filter(|(_, byte)| *byte == b'\n').map(|(after, _): (u32, u8)| after));
        starts.push(u32::try_from(size + 1).expect("a small file"));
        let is_whole = dimensions == DIMENSIONS && starts.len() == rows + 1 && numbers.len() == rows * DIMENSIONS / 2;
        is_whole.then_some(WordVectors {
            words,
            starts,
            gains,
            largest_scale,
            scales,
            numbers,
            rows: OnceLock::new(),
            words_seen: AtomicUsize::new(0),
        })
    }

    /// The vector of a chunk; all zero when no word is known.
    pub fn chunk(&self, chunk: &Chunk) -> [f32; DIMENSIONS] {
        let words = chunk.columns.iter().map(Column::distinct).sum();
        // A short run never pays for the map; whole builds do.
        if self.words_seen.fetch_add(words, Ordering::Relaxed) > FEW_WORDS {
            self.rows.get_or_init(|| (0..=u16::MAX).zip(self.words.lines()).map(|(row, word)| (word, row)).collect());
        }
        let mut weights: Vec<(u16, f32)> = Vec::new();
        for (column, gain) in chunk.columns.iter().zip(self.gains) {
            let start = weights.len();
            for (word, count) in column.each() {
                #[expect(clippy::cast_precision_loss, reason = "nobody repeats a word 16 million times")]
                let weight = gain * (1.0 + (count as f32).ln());
                match self.row(word) {
                    Some(row) => weights.push((row, weight)),
                    None => weights.extend(self.remembered_pieces(word).into_iter().map(|row| (row, weight))),
                }
            }
            #[expect(clippy::cast_precision_loss, reason = "a field has few words")]
            let share = ((weights.len() - start).max(1) as f32).sqrt();
            for (_, weight) in &mut weights[start..] {
                *weight /= share;
            }
        }
        // A word of several fields is added once; in the order of rows, so that sums are the same everywhere.
        weights.sort_by_key(|(row, _)| *row);
        let mut sum = VectorSum::default();
        for same in weights.chunk_by(|(a, _), (b, _)| a == b) {
            self.add(same[0].0, same.iter().map(|(_, weight)| weight).sum(), &mut sum);
        }
        sum.vector()
    }

    /// Whether the table has a row for a word as it is, not only for its pieces.
    pub fn knows(&self, word: &str) -> bool {
        self.find(word).is_some()
    }

    /// The vector of words and how much each counts; `None` when none of them is known.
    pub fn of_words(&self, words: &[(String, f32)]) -> Option<Vec<f32>> {
        let mut sum = VectorSum::default();
        let mut known: Vec<(u16, f32)> = Vec::new();
        for (word, weight) in words {
            let rows = self
                .find(word)
                .map_or_else(|| self.pieces(word, |piece| self.find(piece)), |row| WordRows::from_slice(&[row]));
            known.extend(rows.into_iter().map(|row| (row, *weight)));
        }
        // A row of several words counts once, as much as the most telling of them.
        known.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        known.dedup_by_key(|(row, _)| *row);
        for &(row, weight) in &known {
            self.add(row, weight, &mut sum);
        }
        (!known.is_empty()).then(|| sum.vector().to_vec())
    }

    /// Adds `weight` times a row.
    fn add(&self, row: u16, weight: f32, sum: &mut VectorSum) {
        let row = usize::from(row);
        let scale = f32::from(u16::from_le_bytes([self.scales[2 * row], self.scales[2 * row + 1]])) / 65535.0;
        let weight = weight * scale * self.largest_scale;
        let numbers = &self.numbers[row * DIMENSIONS / 2..(row + 1) * DIMENSIONS / 2];
        for ((even, odd), byte) in sum.even.iter_mut().zip(&mut sum.odd).zip(numbers) {
            // Four bits hold 0..=15; the stored number is eight higher than the real one.
            *even += weight * (f32::from(byte & 15) - 8.0);
            *odd += weight * (f32::from(byte >> 4) - 8.0);
        }
    }

    /// The row of a word, by whichever way there is.
    fn row(&self, word: &str) -> Option<u16> {
        self.rows.get().map_or_else(|| self.find(word), |rows| rows.get(word).copied())
    }

    /// The row of a word, without the map.
    fn find(&self, word: &str) -> Option<u16> {
        let at = |row: usize| &self.words[self.starts[row] as usize..self.starts[row + 1] as usize - 1];
        let (mut low, mut high) = (0, self.starts.len() - 1);
        while low < high {
            let middle = usize::midpoint(low, high);
            match at(middle).cmp(word) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return u16::try_from(middle).ok(),
            }
        }
        None
    }

    /// The longest known pieces of an unknown word, from left to right.
    fn pieces(&self, word: &str, row_of: impl Fn(&str) -> Option<u16>) -> WordRows {
        let (mut rows, mut start) = (WordRows::new(), 0);
        while word.is_ascii() && word.len() <= LONGEST_WORD && start + SHORTEST_PIECE <= word.len() {
            let mut ends = (start + SHORTEST_PIECE..=word.len()).rev();
            match ends.find_map(|end| Some((end, row_of(&word[start..end])?))) {
                Some((end, row)) => {
                    rows.push(row);
                    start = end;
                }
                None => start += 1,
            }
        }
        rows
    }

    fn remembered_pieces(&self, word: &str) -> WordRows {
        thread_local! {
            static PIECES: RefCell<FxHashMap<Box<str>, WordRows>> = RefCell::default();
        }
        PIECES.with_borrow_mut(|pieces| {
            if let Some(rows) = pieces.get(word) {
                return rows.clone();
            }
            // Starting anew bounds the memory; common words are back at once.
            if pieces.len() >= REMEMBERED {
                pieces.clear();
            }
            let rows = self.pieces(word, |piece| self.row(piece));
            pieces.insert(word.into(), rows.clone());
            rows
        })
    }
}

impl Embedder for WordVectors {
    fn name(&self) -> &str {
        NAME
    }

    fn passages(&self, passages: &[TextFields]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(passages.iter().map(|fields| self.chunk(&Chunk::of(fields)).to_vec()).collect())
    }

    fn question(&self, question: &QuestionInput<'_>) -> Result<Option<Vec<f32>>, EmbedError> {
        Ok(self.of_words(question.words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::words::query_words;

    fn of_question(table: &WordVectors, question: &str) -> Option<Vec<f32>> {
        table.of_words(&query_words(question).into_iter().map(|word| (word, 1.0)).collect::<Vec<_>>())
    }

    fn chunk(name: &str, body: &str) -> Chunk {
        Chunk::of(&TextFields {
            name: name.to_owned(),
            signature: format!("def {name}()"),
            body: body.to_owned(),
            ..TextFields::default()
        })
    }

    #[test]
    fn a_question_lies_nearer_to_what_it_is_about() {
        let table = WordVectors::get();
        let question = of_question(table, "where are session cookies signed").unwrap();
        let norm = |vector: &[f32]| vector.iter().map(|number| number * number).sum::<f32>().sqrt();
        let near = |chunk: &Chunk| {
            let vector = table.chunk(chunk);
            let dot: f32 = question.iter().zip(&vector).map(|(a, b)| a * b).sum();
            dot / (norm(&question) * norm(&vector))
        };
        let right = near(&chunk("get_signing_serializer", "return URLSafeTimedSerializer(keys, salt=self.salt)"));
        let wrong = near(&chunk("find_shortest_path", "heap = [(0, source)]\nwhile heap: node = pop(heap)"));
        assert!(right > wrong + 0.2, "{right} {wrong}");
    }

    #[test]
    fn the_search_in_the_list_and_the_map_agree() {
        let table = WordVectors::get();
        let bits = |vector: [f32; DIMENSIONS]| vector.map(f32::to_bits);
        let few = bits(table.chunk(&chunk("f", "where are session cookies signed")));
        table.words_seen.fetch_add(FEW_WORDS + 1, Ordering::Relaxed);
        assert_eq!(bits(table.chunk(&chunk("f", "where are session cookies signed"))), few);
        let map = table.rows.get().unwrap();
        assert_eq!(map.len(), table.starts.len() - 1);
        for word in ["cooki", "session", "zzzzqq", "", "function", "respons"] {
            assert_eq!(table.find(word), map.get(word).copied(), "{word}");
        }
    }

    #[test]
    fn unknown_words_count_as_their_pieces_and_noise_as_nothing() {
        let table = WordVectors::get();
        assert!(table.find("cookiqqqqsession").is_none());
        let pieces = table.pieces("cookiqqqqsession", |piece| table.find(piece));
        assert_eq!(pieces.as_slice(), [table.find("cooki").unwrap(), table.find("session").unwrap()]);
        assert_eq!(of_question(table, "?!"), None);
        assert!(table.chunk(&Chunk::of(&TextFields::default())).iter().all(|number| *number == 0.0));
        assert!(table.pieces(&"cookie".repeat(20), |piece| table.find(piece)).is_empty());
    }

    #[test]
    fn damaged_tables_are_noticed() {
        assert!(WordVectors::read(b"RIDXTAB1").is_none());
        assert!(WordVectors::read(&BYTES[..BYTES.len() - 1]).is_none());
        assert!(WordVectors::read(&BYTES[1..]).is_none());
    }
}
