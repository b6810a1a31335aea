//! Searches in docstrings, by their words and by their meaning.
//!
//! A docstring has no vector in the index: kept ones would make that of flask 3 % larger, and a few hundred are made in
//! milliseconds. They would find nothing more either: with all docstrings as candidates the hits for 60 questions about
//! four projects are the same (NDCG@10 .398). The vectors of whole chunks name the candidates, which need share no word
//! with the question. The first paragraphs of these docstrings are then compared with the question themselves.

use super::{Lexical, SearchOptions, Searcher};
use crate::{
    embed::{WordVectors, quantized},
    model::EntityKind,
    query::search::vectors,
    store::{error::StoreError, search::texts::STATIC_MODEL},
    texts::words,
};

/// Candidates by the vectors of their chunks.
const NEAREST: usize = 300;
/// Least cosine of a docstring that shares no word with the question: those of flask and click reach .21 for questions
/// that have nothing to do with them.
const LEAST: f64 = 0.23;
/// Worth of the best match by words, in cosines. A docstring that has the words themselves rarely means another thing.
const BY_WORDS: f64 = 0.6;

impl Searcher<'_> {
    /// The accepted definitions with a docstring that fits, best first, each with its score.
    pub(super) fn in_docstrings(
        &self,
        lexical: &Lexical,
        accepted: &[bool],
        options: &SearchOptions,
    ) -> Result<Vec<(usize, f64)>, StoreError> {
        let by_words = lexical.best(accepted, accepted.len());
        let Some(asked) = WordVectors::get().of_words(&lexical.weighted_words()) else {
            return Ok(by_words.into_iter().map(|place| (place, lexical.score(place))).collect());
        };
        let has_docstring: Vec<bool> = (0..accepted.len())
            .map(|at| {
                let place = &self.corpus.places[at];
                accepted[at] && place.piece == 0 && place.lengths.doc > 0 && place.kind != EntityKind::Document
            })
            .collect();
        let question = quantized(&asked);
        let cosines = vectors::cosines(
            self.store,
            STATIC_MODEL,
            &question,
            &self.corpus.places,
            &has_docstring,
            by_words.iter().copied(),
        )?;
        let mut candidates = self.nearest(&cosines, &has_docstring);
        candidates.truncate(NEAREST.max(options.limit));
        candidates.extend(by_words.iter().copied());
        candidates.sort_unstable();
        candidates.dedup();
        let mut found = Vec::new();
        for place in candidates {
            let meaning = self.docstring_cosine(place, &asked)?;
            let share = lexical.score(place);
            if share > 0.0 || meaning >= LEAST {
                found.push((place, share * BY_WORDS + meaning));
            }
        }
        // Ties go by the hash of the text, which no history changes.
        let text = |place: usize| self.corpus.places[place].text;
        found.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(text(*a).cmp(&text(*b))).then(a.cmp(b)));
        Ok(found)
    }

    /// How near the docstring of a chunk is to a question, -1..=1; 0 without a known word.
    fn docstring_cosine(&self, place: usize, asked: &[f32]) -> Result<f64, StoreError> {
        let chunk = &self.corpus.places[place];
        if chunk.kind == EntityKind::Document {
            return Ok(0.0);
        }
        let Some(id) = self.store.entity_at(chunk.file, chunk.ordinal)? else { return Ok(0.0) };
        let doc = self.store.entity(id)?.map(|entity| entity.record.doc).unwrap_or_default();
        let words: Vec<(String, f32)> = words::query_words(&doc).into_iter().map(|word| (word, 1.0)).collect();
        Ok(WordVectors::get().of_words(&words).map_or(0.0, |vector| cosine(&vector, asked)))
    }
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    let lengths = (dot(a, a) * dot(b, b)).sqrt();
    if lengths > 0.0 { dot(a, b) / lengths } else { 0.0 }
}
