//! What the model looks at in a candidate.
//!
//! Goes in: what the lists say of a chunk. Comes out: a row of numbers, in the order of [`FEATURES`]. `training/fit.py`
//! reads them from `search --explain` and finds the weights in `model`.

use rustc_hash::FxHashMap;

use super::lists::Lexical;
use crate::{
    model::{EntityKind, FileId},
    store::texts::ChunkPlace,
    texts::words,
};

/// The names of the numbers. Shares are of the question's words, weighted by rarity, 0..=1.
pub const FEATURES: [&str; 18] = [
    "bm25",         // as a share of the best
    "cosine",       // of the vectors, -1..=1
    "share",        // in any column
    "in_name",      // in the name
    "name_told",    // share of the name's words that the question says
    "in_owner",     // in the class around it
    "in_path",      // in the path
    "in_signature", // in parameters, annotations, decorators
    "in_doc",       // in the docstring
    "in_body",      // in the body
    "in_often",     // in what the body repeats
    "length",       // ln(1 + words)
    "file_bm25",    // best bm25 among the candidates of its file
    "file_cosine",  // best cosine among the candidates of its file
    "is_class",
    "is_module",
    "is_private",
    "is_special", // __init__ and its like
];

/// Numbers in the order of [`FEATURES`].
pub(super) type Features = [f64; FEATURES.len()];

/// The numbers of one candidate; those about its file are still 0.
pub(super) fn features(lexical: &Lexical, at: usize, place: &ChunkPlace, name: &str, cosine: f64) -> Features {
    let all: f64 = lexical.rarities.iter().sum::<f64>().max(1e-9);
    let share = |part: f32| f64::from(part) / all;
    let [in_name, in_owner, in_path, in_signature, in_doc, in_body, in_often] = lexical.columns[at].map(share);
    let is_special = name.starts_with("__") && name.ends_with("__");
    let flag = f64::from;
    [
        lexical.score(at),
        cosine,
        share(lexical.any[at]),
        in_name,
        name_told(name, &lexical.words),
        in_owner,
        in_path,
        in_signature,
        in_doc,
        in_body,
        in_often,
        f64::from(place.length).ln_1p(),
        0.0,
        0.0,
        flag(place.kind == EntityKind::Class),
        flag(place.kind == EntityKind::Module),
        flag(name.starts_with('_') && !is_special),
        flag(is_special),
    ]
}

/// Adds what depends on the other candidates.
pub(super) fn complete(candidates: &mut [(FileId, &mut Features)]) {
    let mut best: FxHashMap<FileId, (f64, f64)> = FxHashMap::default();
    for (file, features) in &*candidates {
        let best = best.entry(*file).or_insert((0.0, 0.0));
        *best = (best.0.max(features[0]), best.1.max(features[1]));
    }
    for (file, features) in candidates {
        (features[12], features[13]) = best[file];
    }
}

/// The share of a name's words that are among the question's.
fn name_told(name: &str, asked: &[String]) -> f64 {
    let mut of_name = words::words(name);
    if of_name.len() > 1 {
        // The last word is the joined form.
        of_name.pop();
    }
    #[expect(clippy::cast_precision_loss, reason = "names have few words")]
    let share = of_name.iter().filter(|word| asked.contains(word)).count() as f64 / of_name.len().max(1) as f64;
    share
}
