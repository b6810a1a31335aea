//! Searches in one part of definitions alone: names, docstrings, bodies, string literals, comments.

mod docstrings;
mod likeness;
pub(super) mod literals;
pub(super) mod pattern;

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use self::pattern::accepts;
use super::{ChunkPlace, Explanation, Hit, ScoredChunk, SearchOptions, SearchReport, Searcher, lists::Lexical};
use crate::{
    facts::literals::LiteralKind,
    model::{EntityKind, FileId},
    query::target::innermost,
    store::{error::StoreError, read::Entity, search::texts::COLUMNS},
    texts::words,
};

/// A part of definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchField {
    Name,
    Docstring,
    Body,
    Literal,
    Comment,
}

/// Characters of a literal that a hit shows.
const MAX_SHOWN: usize = 160;

/// A chunk that fits in one part.
struct FieldMatch {
    place: usize,
    lexical_rank: Option<usize>,
    docstring_rank: Option<usize>,
    /// The score by words, 0..=1, and its weight.
    words: f64,
    weight: f64,
    /// The cosine of the docstring with the question.
    meaning: Option<f64>,
}

impl FieldMatch {
    fn by_words(place: usize, rank: usize, words: f64) -> Self {
        FieldMatch { place, lexical_rank: Some(rank), docstring_rank: None, words, weight: 1.0, meaning: None }
    }

    fn score(&self) -> f64 {
        self.words * self.weight + self.meaning.unwrap_or(0.0)
    }

    fn explanation(&self) -> Explanation {
        let meaning = self.meaning.map(|meaning| ("cosine", meaning));
        Explanation {
            lexical_rank: self.lexical_rank,
            vector_rank: None,
            docstring_rank: self.docstring_rank,
            named: false,
            change: 0.0,
            file: None,
            features: [("bm25", self.words)].into_iter().chain(meaning).collect(),
            parts: [("bm25", self.words * self.weight)].into_iter().chain(meaning).collect(),
        }
    }
}

impl SearchField {
    /// The columns of the full-text index, as bits; none for literals and comments, which have lists of their own.
    fn columns(self) -> u8 {
        let names: &[&str] = match self {
            Self::Name => &["name"],
            Self::Docstring => &["doc"],
            Self::Body => &["body", "twice", "often"],
            Self::Literal | Self::Comment => &[],
        };
        COLUMNS.iter().enumerate().filter(|(_, column)| names.contains(column)).fold(0, |bits, (at, _)| bits | 1 << at)
    }
}

impl Searcher<'_> {
    /// Answers one question from one part of definitions.
    pub fn in_field(
        &self,
        question: &str,
        field: SearchField,
        options: &SearchOptions,
    ) -> Result<SearchReport, StoreError> {
        let mut missing = self.missing.clone();
        let (hits, more) = match field {
            SearchField::Literal => self.in_literals(question, LiteralKind::Text, options)?,
            SearchField::Comment => self.in_literals(question, LiteralKind::Comment, options)?,
            field => (self.in_columns(question, field, options, &mut missing)?, 0),
        };
        let query = question.to_owned();
        Ok(SearchReport { more, ..SearchReport::of(query, hits, missing) })
    }

    /// The chunks with the words of a question in a part, by BM25; docstrings count by their meaning too.
    fn in_columns(
        &self,
        question: &str,
        field: SearchField,
        options: &SearchOptions,
        missing: &mut Vec<String>,
    ) -> Result<Vec<Hit>, StoreError> {
        // Sections of documents are no part of a definition, unless they are asked for.
        let is_code =
            |place: &ChunkPlace| place.kind != EntityKind::Document || options.kinds.contains(&EntityKind::Document);
        let places = self.corpus.places.iter();
        let accepted: Vec<bool> = places.map(|place| is_code(place) && self.accepts(place, options)).collect();
        let words = words::query_words(question);
        let lexical = Lexical::of_columns(self.store, &words, &[], &self.corpus, field.columns())?;
        let found = match field {
            SearchField::Docstring => self.in_docstrings(question, &lexical, &accepted, options, missing)?,
            _ => {
                let best = (1..).zip(lexical.best(&accepted, accepted.len()));
                best.map(|(rank, place)| FieldMatch::by_words(place, rank, lexical.score(place))).collect()
            }
        };
        self.hits_of(found, options)
    }

    /// The first chunks as hits, each once.
    fn hits_of(&self, found: Vec<FieldMatch>, options: &SearchOptions) -> Result<Vec<Hit>, StoreError> {
        let mut hits: Vec<Hit> = Vec::new();
        for found in found {
            let place = found.place;
            let chunk = &self.corpus.places[place];
            // Pieces of a long definition have no words; a document has sections of its own.
            if chunk.piece > 0 || self.is_full(&hits, place, options) {
                continue;
            }
            let candidate = ScoredChunk {
                place,
                variable: None,
                piece: None,
                names: self.names_of(place)?,
                lexical_rank: found.lexical_rank,
                vector_rank: None,
                features: [0.0; super::FEATURES.len()],
                parts: [0.0; super::FEATURES.len()],
                named: None,
                of_file: None,
                score: found.score(),
            };
            let explain = options.explain.then(|| found.explanation());
            hits.extend(self.hit(&candidate, candidate.score, None)?.map(|hit| Hit { explain, ..hit }));
            if hits.len() >= options.limit.max(1) {
                break;
            }
        }
        Ok(hits)
    }

    fn is_full(&self, hits: &[Hit], place: usize, options: &SearchOptions) -> bool {
        let path = self.file(place).map(|file| file.path.as_str());
        options.per_file > 0 && hits.iter().filter(|hit| Some(hit.path.as_str()) == path).count() >= options.per_file
    }

    /// The literals or comments that fit a text, each as a hit of the definition around it; and how many more there
    /// are.
    fn in_literals(
        &self,
        text: &str,
        kind: LiteralKind,
        options: &SearchOptions,
    ) -> Result<(Vec<Hit>, usize), StoreError> {
        let mut found = literals::fitting(self.store, &[text], kind)?.remove(0);
        found.retain(|place| self.files.contains_key(&place.file));
        let key = |place: &literals::FittingLiteral| {
            let file = &self.files[&place.file];
            (std::cmp::Reverse(place.score), file.aside.is_some(), file.path.clone(), place.line)
        };
        found.sort_by_cached_key(key);
        // Far weaker ones are other texts.
        let best = found.first().map_or(0, |place| place.score);
        found.retain(|place| place.score * 3 >= best * 2);
        let (mut hits, mut more) = (Vec::new(), 0);
        let mut entities: FxHashMap<FileId, Vec<Entity>> = FxHashMap::default();
        for place in found {
            let file = &self.files[&place.file];
            let is_crowded = options.per_file > 0
                && hits.iter().filter(|hit: &&Hit| hit.path == file.path).count() >= options.per_file;
            let entities = match entities.entry(place.file) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(empty) => empty.insert(self.store.entities_of(place.file)?),
            };
            let Some(within) = innermost(entities, place.line) else { continue };
            let is_accepted = accepts(within.record.kind, &file.path, options)
                && options.fitting.as_ref().is_none_or(|fitting| fitting.has(within.id));
            if !is_accepted || is_crowded {
                continue;
            }
            if hits.len() >= options.limit.max(1) {
                more += 1;
                continue;
            }
            let score = f64::from(place.score) / f64::from(literals::EXACT);
            let doc = place.text.chars().take(MAX_SHOWN).collect();
            let (start_line, end_line) = (place.line, place.line);
            hits.push(Hit { start_line, end_line, doc, signature: String::new(), ..Hit::of(within.clone(), score) });
        }
        Ok((hits, more))
    }
}
