//! Searches for code that is like other code, by its words and by its meaning.
//!
//! The names in the code are words alone: a function that it calls is not like it for that.

use std::collections::BTreeSet;

use super::{FieldMatch, Lexical, SearchOptions, SearchReport, Searcher};
use crate::{
    embed::QuestionInput,
    query::search::DEPTH,
    store::{error::StoreError, search::digests::ChunkPlace},
    texts::words,
};

/// Worth of the best match by words, in cosines. The meaning of code is that of all its words, so few of them decide
/// less.
const BY_WORDS: f64 = 0.5;

impl Searcher<'_> {
    /// The accepted definitions that are likest to this code, best first.
    pub(in crate::query::search) fn like(
        &self,
        code: &str,
        options: &SearchOptions,
    ) -> Result<SearchReport, StoreError> {
        let mut missing = self.missing.clone();
        let accepted = self.accepted(options);
        let lexical = Lexical::of(self.store, &words::query_words(code), &[], &self.corpus)?;
        let by_words = lexical.best(&accepted, DEPTH);
        let asked = QuestionInput { text: code, words: &lexical.weighted_words() };
        let cosines = self.cosines(&asked, &accepted, &by_words, &mut missing)?;
        let by_meaning = self.nearest(&cosines.all, &accepted);
        let rank = |list: &[usize], place: usize| list.iter().position(|one| *one == place).map(|at| at + 1);
        let places: BTreeSet<usize> = by_words.iter().chain(&by_meaning).copied().collect();
        let mut found: Vec<FieldMatch> = places
            .into_iter()
            .map(|place| FieldMatch {
                place,
                lexical_rank: rank(&by_words, place),
                docstring_rank: None,
                words: lexical.score(place),
                weight: BY_WORDS,
                meaning: cosines.all[place],
            })
            .collect();
        // Ties go by the hash of the text, which no history changes.
        let tie = |at: usize| {
            let ChunkPlace { text, .. } = self.corpus.places[at];
            (text, at)
        };
        found.sort_by(|a, b| b.score().total_cmp(&a.score()).then(tie(a.place).cmp(&tie(b.place))));
        let (query, hits) = (code.to_owned(), self.hits_of(found, options)?);
        Ok(SearchReport::of(query, hits, missing))
    }
}
