//! The list by words: BM25 over weighted columns.
//!
//! It also gives the share of a question's words that each column of a chunk has. A word in few chunks counts more: its
//! *rarity* is `ln((N - n + 0.5) / (n + 0.5))`, as in BM25 (Robertson and Zaragoza 2009), at least 0.05.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::corpus::Corpus;
use crate::{
    embed::WordVectors,
    store::{Store, error::StoreError, search::texts::COLUMNS},
    texts::words::query_words,
};

/// Weight of a word in each column; a word in several columns counts their sum. A grid search over the development part
/// of the retrieval benchmark chose the weights. The last two columns hold words that a body repeats.
const WEIGHTS: [f64; COLUMNS.len()] = [5.0, 2.0, 2.0, 2.0, 2.0, 1.0, 1.0, 2.0];
/// The usual constants of BM25: saturation of repeated words, and normalization by length.
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// Exponent of a word's rarity in the vector of a question. The table knows how rare words are in all repositories;
/// this adds how rare they are in this one.
const RARITY: f64 = 0.25;
/// Rarity of a word that nearly every chunk has.
const COMMON: f64 = 0.05;

/// Matches of the words of one question.
pub(super) struct Lexical {
    /// The words, as they were asked.
    pub(super) words: Vec<String>,
    pub(super) rarities: Vec<f64>,
    /// By place: the sum of the rarities of the words in each column, and in any column.
    pub(super) columns: Vec<[f32; COLUMNS.len()]>,
    pub(super) any: Vec<f32>,
    /// By place: the rarities of adjacent words of the question that form one identifier in the chunk, and in its name.
    pub(super) joined: FxHashMap<usize, [f32; 2]>,
    scores: Vec<f32>,
    best: f32,
}

impl Lexical {
    /// Looks up the words and the identifiers that they may form.
    pub(super) fn of(store: &Store, words: &[String], joined: &[String], corpus: &Corpus) -> Result<Self, StoreError> {
        Self::of_columns(store, words, joined, corpus, u8::MAX)
    }

    /// The same in some columns alone, given as bits.
    pub(super) fn of_columns(
        store: &Store,
        words: &[String],
        joined: &[String],
        corpus: &Corpus,
        wanted: u8,
    ) -> Result<Self, StoreError> {
        let average_length = corpus.average_length;
        let count = corpus.places.len();
        let mut lexical = Lexical {
            words: words.to_vec(),
            rarities: Vec::new(),
            columns: vec![[0.0; COLUMNS.len()]; count],
            any: vec![0.0; count],
            joined: FxHashMap::default(),
            scores: vec![0.0; count],
            best: 0.0,
        };
        let mut postings: Vec<(usize, u8)> = Vec::new();
        for word in words {
            read(store, word, corpus, &mut postings)?;
            for (_, columns) in &mut postings {
                *columns &= wanted;
            }
            postings.retain(|(_, columns)| *columns > 0);
            let rarity = rarity_in(corpus, &postings);
            lexical.rarities.push(rarity);
            for &(place, columns) in &postings {
                lexical.add(place, columns, rarity, f64::from(corpus.places[place].length) / average_length.max(1.0));
            }
        }
        for word in joined.iter().filter(|word| !words.contains(word)) {
            read(store, word, corpus, &mut postings)?;
            #[expect(clippy::cast_possible_truncation, reason = "rarities need few digits")]
            let rarity = rarity_in(corpus, &postings) as f32;
            for &(place, columns) in &postings {
                let [any, in_name] = lexical.joined.entry(place).or_default();
                *any += rarity;
                *in_name += if columns & 1 == 1 { rarity } else { 0.0 };
            }
        }
        lexical.best = lexical.scores.iter().fold(0.0, |best, score| best.max(*score));
        Ok(lexical)
    }

    /// The words with their weights in the vector of a question.
    #[expect(clippy::cast_possible_truncation, reason = "weights need few digits")]
    pub(super) fn weighted_words(&self) -> Vec<(String, f32)> {
        let weights = self.rarities.iter().map(|rarity| rarity.powf(RARITY) as f32);
        self.words.iter().cloned().zip(weights).collect()
    }

    #[expect(clippy::cast_possible_truncation, reason = "scores need few digits")]
    fn add(&mut self, place: usize, columns: u8, rarity: f64, length: f64) {
        let mut weight = 0.0;
        for (column, share) in self.columns[place].iter_mut().enumerate() {
            if columns >> column & 1 == 1 {
                weight += WEIGHTS[column];
                *share += rarity as f32;
            }
        }
        self.any[place] += rarity as f32;
        self.scores[place] += (rarity * weight * (K1 + 1.0) / (weight + K1 * (1.0 - B + B * length))) as f32;
    }

    /// The score as a share of the best one, 0..=1.
    pub(super) fn score(&self, place: usize) -> f64 {
        if self.best > 0.0 { f64::from(self.scores[place] / self.best) } else { 0.0 }
    }

    /// The best accepted places, best first; equal ones in the order of places.
    pub(super) fn best(&self, accepted: &[bool], limit: usize) -> Vec<usize> {
        let mut places: Vec<usize> =
            (0..self.scores.len()).filter(|place| accepted[*place] && self.scores[*place] > 0.0).collect();
        let order = |a: &usize, b: &usize| self.scores[*b].total_cmp(&self.scores[*a]).then(a.cmp(b));
        if places.len() > limit {
            places.select_nth_unstable_by(limit, order);
            places.truncate(limit);
        }
        places.sort_unstable_by(order);
        places
    }
}

/// Those of `words` that stand nowhere in the index: neither in code or comments nor in documents.
pub fn absent<'w>(store: &Store, words: impl Iterator<Item = &'w str>) -> Result<Vec<&'w str>, StoreError> {
    let mut absent = Vec::new();
    for word in words {
        let mut is_there = false;
        for key in query_words(word) {
            is_there = is_there || store.has_posting(&key)?;
        }
        if !is_there {
            absent.push(word);
        }
    }
    Ok(absent)
}

/// Whether a word stands in so many places of the index, in code, comments or documents.
pub fn stands_in(store: &Store, word: &str, places: usize) -> Result<bool, StoreError> {
    let mut chunks = BTreeSet::new();
    for key in query_words(word) {
        store.each_posting(&key, &mut |(chunk, _)| {
            if chunks.len() < places {
                chunks.insert(chunk);
            }
        })?;
    }
    Ok(chunks.len() >= places)
}

/// Whether the table of vectors knows a word, so that other words can be near it in meaning.
pub fn has_meaning(word: &str) -> bool {
    query_words(word).iter().any(|key| WordVectors::get().knows(key))
}

/// The places that contain a word, and a bit for each column that does.
pub(super) fn read(
    store: &Store,
    word: &str,
    corpus: &Corpus,
    postings: &mut Vec<(usize, u8)>,
) -> Result<(), StoreError> {
    postings.clear();
    let mut from = 0;
    store.each_posting(word, &mut |(chunk, columns)| {
        postings.extend(corpus.place_from(&mut from, chunk).map(|place| (place, columns)));
    })
}

/// The rarity of a word with these postings.
fn rarity_in(corpus: &Corpus, postings: &[(usize, u8)]) -> f64 {
    rarity(corpus.counted, postings.iter().filter(|(place, _)| corpus.is_counted[*place]).count())
}

#[expect(clippy::cast_precision_loss, reason = "numbers of chunks are small")]
pub(super) fn rarity(all: usize, having: usize) -> f64 {
    let (all, having) = (all as f64, having as f64);
    ((all - having + 0.5) / (having + 0.5)).ln().max(COMMON)
}
