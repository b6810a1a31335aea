//! Searches in docstrings, by their words and by their meaning.
//!
//! With an embedder of the user's choice each docstring has a vector of its own in the index, and all are compared.
//!
//! For the table in the binary none is kept: they would make the index of flask 3 % larger, and a few hundred are made
//! in milliseconds. They would find nothing more either: with all docstrings as candidates the hits for 60 questions
//! about four projects are the same (NDCG@10 .398). The vectors of whole chunks name the candidates, which need share
//! no word with the question. The first paragraphs of these docstrings are then compared with the question themselves.

use std::collections::BTreeMap;

use super::{FieldMatch, Lexical, SearchOptions, Searcher};
use crate::{
    embed::{QuestionInput, WordVectors, cosine},
    model::EntityKind,
    query::search::{
        STATIC,
        vectors::{self, Distribution},
    },
    store::{
        error::StoreError,
        search::{texts::STATIC_MODEL, vectors::Model},
    },
    texts::words,
};

/// Candidates by the vectors of their chunks.
const NEAREST: usize = 300;
/// Least cosine of a docstring that shares no word with the question: those of flask and click reach .21 for questions
/// that have nothing to do with them.
const LEAST: f64 = 0.23;
/// Worth of the best match by words, in cosines. A docstring that has the words themselves rarely means another thing.
const BY_WORDS: f64 = 0.6;

/// That of the static table with all docstrings of flask, click and requests: for seven questions the means were from
/// -.005 to .095, the deviations from .054 to .120. The cosines of other embedders are scaled to it, so that words keep
/// their worth. Names of functions as questions (161 of flask, 157 of click) with vectors of a latent semantic analysis
/// have an MRR of .577 and .483; words alone .476 and .434. Deviations from .06 to .12 change it by .012 at most.
const OF_DOCSTRINGS: Distribution = Distribution { center: 0.04, spread: 0.09 };

/// How near docstrings are to a question, by place.
struct DocstringCosines {
    all: BTreeMap<usize, f64>,
    /// Of a docstring of which nothing is known.
    unknown: f64,
    /// Least one of a docstring that shares no word with the question.
    least: f64,
}

impl Searcher<'_> {
    /// The accepted definitions with a docstring that fits, best first.
    pub(super) fn in_docstrings(
        &self,
        question: &str,
        lexical: &Lexical,
        accepted: &[bool],
        options: &SearchOptions,
        missing: &mut Vec<String>,
    ) -> Result<Vec<FieldMatch>, StoreError> {
        let by_words = lexical.best(accepted, accepted.len());
        let weighted = lexical.weighted_words();
        let Some((model, vector)) = self.question_vector(&QuestionInput { text: question, words: &weighted }, missing)
        else {
            let ranked = (1..).zip(by_words);
            return Ok(ranked.map(|(rank, at)| FieldMatch::by_words(at, rank, lexical.score(at))).collect());
        };
        let has_docstring: Vec<bool> = (0..accepted.len())
            .map(|at| {
                let place = &self.corpus.places[at];
                accepted[at] && place.piece == 0 && place.lengths.doc > 0 && place.kind != EntityKind::Document
            })
            .collect();
        let cosines = if model == STATIC {
            let mut wanted = self.nearest_by_table(&vector, &has_docstring, &by_words)?;
            wanted.truncate(NEAREST.max(options.limit));
            wanted.extend(&by_words);
            self.cosines_by_table(wanted, &weighted)?
        } else {
            self.stored_cosines(model, &vector, &has_docstring)?
        };
        Ok(self.fused(lexical, &by_words, &cosines))
    }

    /// Joins the list by words and the list by the meaning of docstrings.
    fn fused(&self, lexical: &Lexical, by_words: &[usize], cosines: &DocstringCosines) -> Vec<FieldMatch> {
        // Ties go by the hash of the text, which no history changes.
        let text = |place: usize| self.corpus.places[place].text;
        let mut near: Vec<(usize, f64)> = cosines.all.iter().map(|(place, cosine)| (*place, *cosine)).collect();
        near.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(text(*a).cmp(&text(*b))).then(a.cmp(b)));
        let mut ranks: BTreeMap<usize, (Option<usize>, Option<usize>)> = BTreeMap::new();
        for (rank, place) in (1..).zip(by_words) {
            ranks.entry(*place).or_default().0 = Some(rank);
        }
        for (rank, (place, cosine)) in (1..).zip(near) {
            if cosine >= cosines.least || ranks.contains_key(&place) {
                ranks.entry(place).or_default().1 = Some(rank);
            }
        }
        let found = ranks.into_iter().map(|(place, (lexical_rank, docstring_rank))| FieldMatch {
            place,
            lexical_rank,
            docstring_rank,
            words: lexical.score(place),
            weight: BY_WORDS,
            meaning: Some(cosines.all.get(&place).copied().unwrap_or(cosines.unknown)),
        });
        let mut found: Vec<FieldMatch> = found.collect();
        found.sort_by(|a, b| {
            b.score().total_cmp(&a.score()).then(text(a.place).cmp(&text(b.place))).then(a.place.cmp(&b.place))
        });
        found
    }

    /// The cosines with the vectors of docstrings in the index.
    fn stored_cosines(
        &self,
        model: Model,
        question: &[u8],
        has_docstring: &[bool],
    ) -> Result<DocstringCosines, StoreError> {
        let mut cosines = vec![None; self.corpus.places.len()];
        let mut from = 0;
        self.store.each_docstring_cosine(model.id, question, &mut |chunk, cosine| {
            if let Some(place) = self.corpus.place_from(&mut from, chunk) {
                cosines[place] = Some(cosine);
            }
        })?;
        vectors::aligned(&mut cosines, OF_DOCSTRINGS);
        let known = cosines.into_iter().enumerate().filter(|(place, _)| has_docstring[*place]);
        let all = known.filter_map(|(place, cosine)| Some((place, cosine?))).collect();
        // Embedders differ in the cosines of texts that have nothing in common: half of the docstrings are left out.
        Ok(DocstringCosines { all, unknown: OF_DOCSTRINGS.center, least: OF_DOCSTRINGS.center })
    }

    /// The places with a docstring whose chunks are nearest to the question by the table in the binary, nearest first.
    fn nearest_by_table(
        &self,
        question: &[u8],
        has_docstring: &[bool],
        by_words: &[usize],
    ) -> Result<Vec<usize>, StoreError> {
        let (places, wanted) = (&self.corpus.places, by_words.iter().copied());
        let cosines = vectors::cosines(self.store, STATIC_MODEL, question, places, has_docstring, wanted)?;
        Ok(self.nearest(&cosines, has_docstring))
    }

    /// The cosines of these docstrings by the table in the binary; 0 without a known word.
    fn cosines_by_table(&self, places: Vec<usize>, words: &[(String, f32)]) -> Result<DocstringCosines, StoreError> {
        let mut all = BTreeMap::new();
        let asked = WordVectors::get().of_words(words).unwrap_or_default();
        for place in places {
            let chunk = &self.corpus.places[place];
            if chunk.kind == EntityKind::Document {
                continue;
            }
            let Some(id) = self.store.entity_at(chunk.file, chunk.ordinal)? else { continue };
            let doc = self.store.entity(id)?.map(|entity| entity.record.doc).unwrap_or_default();
            let words: Vec<(String, f32)> = words::query_words(&doc).into_iter().map(|word| (word, 1.0)).collect();
            let cosine = WordVectors::get().of_words(&words).map_or(0.0, |vector| cosine(&vector, &asked));
            all.insert(place, cosine);
        }
        Ok(DocstringCosines { all, unknown: 0.0, least: LEAST })
    }
}
