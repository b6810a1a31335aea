//! The list by words: BM25 over columns of different weight, and which columns have how much of a question.
//!
//! Goes in: the words of a question. Comes out: a score and shares for every chunk. A word that is in few chunks counts
//! more: its *rarity* is `ln((N - n + 0.5) / (n + 0.5))`, as in BM25 (Robertson and Zaragoza 2009), never below 0.05.

use crate::store::{
    Store,
    error::StoreError,
    texts::{COLUMNS, ChunkPlace},
};

/// What a word counts in each column; a word in several columns counts their sum. From the prototype's grid over the
/// development part; "often" stands for the repetitions in a body.
const WEIGHTS: [f64; COLUMNS.len()] = [5.0, 2.0, 2.0, 2.0, 2.0, 1.0, 1.5];
/// BM25's usual constants.
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// Rarity of a word that is nearly everywhere.
const COMMON: f64 = 0.05;

/// Matches of the words of one question.
pub(super) struct Lexical {
    /// The words, as they were asked.
    pub(super) words: Vec<String>,
    pub(super) rarities: Vec<f64>,
    /// By place: rarities of the words in each column, and in any of them.
    pub(super) columns: Vec<[f32; COLUMNS.len()]>,
    pub(super) any: Vec<f32>,
    scores: Vec<f32>,
    best: f32,
}

impl Lexical {
    /// Looks the words up.
    pub(super) fn of(
        store: &Store,
        words: &[String],
        places: &[ChunkPlace],
        average_length: f64,
    ) -> Result<Self, StoreError> {
        let count = places.len();
        let mut lexical = Lexical {
            words: words.to_vec(),
            rarities: Vec::new(),
            columns: vec![[0.0; COLUMNS.len()]; count],
            any: vec![0.0; count],
            scores: vec![0.0; count],
            best: 0.0,
        };
        let mut postings: Vec<(usize, u8)> = Vec::new();
        for word in words {
            postings.clear();
            store.each_posting(word, &mut |(chunk, columns)| {
                if let Ok(place) = places.binary_search_by_key(&chunk, |place| place.chunk) {
                    postings.push((place, columns));
                }
            })?;
            #[expect(clippy::cast_precision_loss, reason = "numbers of chunks are small")]
            let (all, having) = (count as f64, postings.len() as f64);
            let rarity = ((all - having + 0.5) / (having + 0.5)).ln().max(COMMON);
            lexical.rarities.push(rarity);
            for &(place, columns) in &postings {
                lexical.add(place, columns, rarity, f64::from(places[place].length) / average_length.max(1.0));
            }
        }
        lexical.best = lexical.scores.iter().fold(0.0, |best, score| best.max(*score));
        Ok(lexical)
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

    /// The best accepted places, best first; of equal ones in the order of the chunks' texts.
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
