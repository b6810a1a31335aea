//! The linear model that puts the lists together.
//!
//! Goes in: the features of a candidate. Comes out: its score. The weights are found by `training/fit.py` on the
//! development part of the retrieval benchmark; a rank that only adds reciprocal ranks is worse on every set.

use super::features::Features;

/// By `FEATURES`.
#[rustfmt::skip]
const WEIGHTS: Features = [
    1.082, // bm25
    4.757, // cosine
    2.865, // share
    0.664, // in_name
    0.356, // name_told
    1.404, // in_owner
    1.636, // in_path
    -0.571, // in_signature
    0.051, // in_doc
    -1.238, // in_body
    0.976, // in_twice
    -0.405, // in_often
    0.141, // joined
    0.136, // joined_in_name
    -0.263, // length
    0.013, // signature_length
    -0.113, // doc_length
    0.596, // body_length
    -0.107, // name_words
    -0.123, // name_cosine
    0.237, // lexical_rank
    0.414, // vector_rank
    0.810, // file_bm25
    1.909, // file_cosine
    -6.500, // is_class
    -6.100, // is_module
    -0.012, // is_private
    -1.094, // is_special
    -0.216, // is_method
];

/// What a class or module gets back when the question asks for one: the benchmark has functions as answers only, so what
/// these lose for their kind is not measured for other questions.
const KINDS: [usize; 2] = [24, 25];

/// What tests, examples and documentation lose when the question does not ask for them.
pub(super) const ASIDE: f64 = 3.0;

/// Larger is better. `asks_kinds`: the question asks for classes, modules or files.
pub(super) fn score(features: &Features, asks_kinds: bool) -> f64 {
    let weights = WEIGHTS.iter().enumerate().filter(|(at, _)| !(asks_kinds && KINDS.contains(at)));
    weights.map(|(at, weight)| features[at] * weight).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::search::FEATURES;

    #[test]
    fn kinds_count_nothing_when_they_are_asked_for() {
        assert_eq!(KINDS.map(|at| FEATURES[at]), ["is_class", "is_module"]);
        let mut class = [0.0; FEATURES.len()];
        class[KINDS[0]] = 1.0;
        assert!(score(&class, false) < -1.0);
        assert!(score(&class, true).abs() < 1e-9);
    }
}
