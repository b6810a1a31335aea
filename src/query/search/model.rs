//! The linear model that puts the lists together.
//!
//! Goes in: the features of a candidate. Comes out: its score. The weights are found by `training/fit.py` on the
//! development part of the retrieval benchmark; a rank that only adds reciprocal ranks is worse on every set.

use super::features::Features;

/// By `FEATURES`.
#[rustfmt::skip]
const WEIGHTS: Features = [
    2.394, // bm25
    10.186, // cosine
    3.066, // share
    1.262, // in_name
    0.754, // name_told
    2.163, // in_owner
    2.906, // in_path
    -0.328, // in_signature
    -1.232, // in_doc
    -0.038, // in_body
    0.379, // in_often
    0.448, // length
    1.685, // file_bm25
    0.311, // file_cosine
    -6.478, // is_class
    -6.070, // is_module
    0.115, // is_private
    -0.852, // is_special
];

/// What a class or module gets back when the question asks for one: the benchmark has functions as answers only, so what
/// these lose for their kind is not measured for other questions.
const KINDS: [usize; 2] = [14, 15];

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
        class[14] = 1.0;
        assert!(score(&class, false) < -1.0);
        assert!(score(&class, true).abs() < 1e-9);
    }
}
