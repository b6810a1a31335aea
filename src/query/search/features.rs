//! The features of a candidate, as numbers for the linear model.
//!
//! `training/fit.py` reads them from `search --explain` and fits the weights in `model`.

use rustc_hash::FxHashMap;

use super::lists::Lexical;
use crate::{
    embed::WordVectors,
    model::{EntityKind, FileId, conventions::is_special},
    store::search::digests::ChunkPlace,
};

/// The names of the features. Shares are of the question's words, weighted by rarity, 0..=1.
pub const FEATURES: [&str; 30] = [
    "bm25",             // as a share of the best
    "cosine",           // of the vectors, -1..=1
    "share",            // in any column
    "in_name",          // in the name
    "name_told",        // share of the name's words that the question says
    "in_owner",         // in the class around it
    "in_path",          // in the path
    "in_signature",     // in parameters, annotations, decorators
    "in_doc",           // in the docstring
    "in_body",          // in the body
    "in_twice",         // in what the body repeats
    "in_often",         // in what the body has four times
    "joined",           // rarity of neighboring words that are one identifier here
    "joined_in_name",   // the same, in the name
    "length",           // ln(1 + words)
    "signature_length", // the same of parts
    "doc_length",
    "body_length",
    "name_words",   // number of words of the name
    "name_cosine",  // of the name alone, by the static table
    "lexical_rank", // -ln(rank) in the list by words
    "vector_rank",  // -ln(rank) in the list by meaning
    "file_bm25",    // best bm25 among the candidates of its file
    "file_cosine",  // best cosine among the candidates of its file
    "is_class",
    "is_module",
    "is_private",
    "is_special", // __init__ and its like
    "is_method",  // stands in a class
    "called",     // by others of the best, as a share
];

/// The features in the order of [`FEATURES`].
pub(super) type Features = [f64; FEATURES.len()];

/// Position of the features of the best candidate in the same file.
const FILE: usize = 22;
/// Position of the feature that depends on the other best candidates.
const CALLED: usize = 29;
/// Longer names count as names of this many words.
const MANY_WORDS: usize = 8;

/// Facts about one candidate that its words do not tell.
pub(super) struct ChunkFacts<'k> {
    pub(super) name: &'k str,
    /// The words of the name.
    pub(super) words: &'k [String],
    pub(super) cosine: f64,
    /// Rank in the list by words, 1-based; one more than the length of the list for a chunk that is not in it.
    pub(super) lexical_rank: usize,
    pub(super) vector_rank: usize,
}

/// The features of one candidate; those about its file are still 0. `question` is the question's vector by the static
/// table.
pub(super) fn features(
    lexical: &Lexical,
    question: Option<&[f32]>,
    at: usize,
    place: &ChunkPlace,
    known: &ChunkFacts<'_>,
) -> Features {
    let ChunkFacts { name, words: of_name, cosine, lexical_rank, vector_rank } = *known;
    let all: f64 = lexical.rarities.iter().sum::<f64>().max(1e-9);
    let share = |part: f32| f64::from(part) / all;
    let columns = lexical.columns[at].map(share);
    let [in_name, in_owner, in_path, in_signature, in_doc, in_body, in_twice, in_often] = columns;
    let [joined, joined_in_name] = lexical.joined.get(&at).copied().unwrap_or_default().map(f64::from);
    let is_special = is_special(name);
    let told = of_name.iter().filter(|word| lexical.words.contains(word)).count();
    let flag = f64::from;
    let length = |words: u16| f64::from(words).ln_1p();
    #[expect(clippy::cast_precision_loss, reason = "names have few words, lists few hundred places")]
    let real = |number: usize| number as f64;
    [
        lexical.score(at),
        cosine,
        share(lexical.any[at]),
        in_name,
        real(told) / real(of_name.len().max(1)),
        in_owner,
        in_path,
        in_signature,
        in_doc,
        in_body,
        in_twice,
        in_often,
        joined,
        joined_in_name,
        f64::from(place.length).ln_1p(),
        length(place.lengths.signature),
        length(place.lengths.doc),
        length(place.lengths.body),
        real(of_name.len().min(MANY_WORDS)),
        question.map_or(0.0, |question| name_cosine(of_name, question)),
        -real(lexical_rank).ln(),
        -real(vector_rank).ln(),
        0.0,
        0.0,
        flag(place.kind == EntityKind::Class),
        flag(place.kind == EntityKind::Module),
        flag(name.starts_with('_') && !is_special),
        flag(is_special),
        flag(matches!(place.kind, EntityKind::Method | EntityKind::Property)),
        0.0,
    ]
}

/// Cosine between the words of a name and a question.
fn name_cosine(of_name: &[String], question: &[f32]) -> f64 {
    let words: Vec<(String, f32)> = of_name.iter().map(|word| (word.clone(), 1.0)).collect();
    let Some(name) = WordVectors::get().of_words(&words) else { return 0.0 };
    let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let lengths = (product(&name, &name) * product(question, question)).sqrt();
    if lengths > 0.0 { f64::from(product(&name, question) / lengths) } else { 0.0 }
}

/// A file or a document: ids of both begin at 1, so the id alone would take a chapter for a part of some file.
pub(super) type Container = (EntityKind, FileId);

/// The file or document of a chunk.
pub(super) fn container(place: &ChunkPlace) -> Container {
    let is_document = place.kind == EntityKind::Document;
    (if is_document { EntityKind::Document } else { EntityKind::Module }, place.file)
}

/// Adds the features that depend on other candidates of the same file.
pub(super) fn complete(candidates: &mut [(Container, &mut Features)]) {
    let mut best: FxHashMap<Container, (f64, f64)> = FxHashMap::default();
    for (file, features) in &*candidates {
        let best = best.entry(*file).or_insert((0.0, 0.0));
        *best = (best.0.max(features[0]), best.1.max(features[1]));
    }
    for (file, features) in candidates {
        (features[FILE], features[FILE + 1]) = best[file];
    }
}

/// Adds the share of the best candidates that call this one.
pub(super) fn complete_called(features: &mut Features, share: f64) {
    features[CALLED] = share;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::words;

    #[test]
    fn the_best_of_a_file_have_their_place() {
        assert_eq!(FEATURES[FILE..FILE + 2], ["file_bm25", "file_cosine"]);
        assert_eq!(FEATURES[CALLED], "called");
        let (mut a, mut b, mut c) = ([0.0; FEATURES.len()], [0.0; FEATURES.len()], [0.0; FEATURES.len()]);
        (a[0], a[1], b[0], b[1], c[1]) = (0.5, 0.1, 0.2, 0.4, 0.9);
        let mut d = [0.0; FEATURES.len()];
        d[0] = 1.0;
        let file = |number| (EntityKind::Module, FileId(number));
        let document = (EntityKind::Document, FileId(1));
        complete(&mut [(file(1), &mut a), (file(1), &mut b), (file(2), &mut c), (document, &mut d)]);
        for (found, expected) in [(a[FILE], 0.5), (a[FILE + 1], 0.4), (b[FILE], 0.5), (c[FILE + 1], 0.9)] {
            assert!((found - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn a_name_is_near_to_a_question_that_says_it_in_other_words() {
        let vector = |text: &str| words::words(text).into_iter().map(|word| (word, 1.0)).collect::<Vec<_>>();
        let question = WordVectors::get().of_words(&vector("remove directory")).unwrap();
        let near = |name: &str| name_cosine(&words::words(name), &question);
        assert!(near("delete_folder") > near("parse_number") + 0.1);
        assert!(near("remove_directory") > 0.5 && near("").abs() < 1e-9);
    }
}
