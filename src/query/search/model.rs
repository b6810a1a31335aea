//! The linear model that scores candidates from the features of all lists.
//!
//! `training/fit.py` fits the weights on the development part of the retrieval benchmark. Sums of reciprocal ranks were
//! worse on every set of queries.

use super::{features::Features, intent::QueryIntent};

/// Weight of each feature, in the order of `FEATURES`.
#[rustfmt::skip]
const WEIGHTS: Features = [
    0.450, // bm25
    8.136, // cosine
    1.948, // share
    -0.785, // in_name
    0.507, // name_told
    1.148, // in_owner
    0.661, // in_path
    -0.597, // in_signature
    0.196, // in_doc
    -1.026, // in_body
    0.503, // in_twice
    -0.080, // in_often
    0.174, // joined
    0.136, // joined_in_name
    -0.388, // length
    0.072, // signature_length
    -0.230, // doc_length
    0.286, // body_length
    -0.147, // name_words
    0.233, // name_cosine
    0.323, // lexical_rank
    0.452, // vector_rank
    2.506, // file_bm25
    0.347, // file_cosine
    -7.327, // is_class
    -7.620, // is_module
    -0.164, // is_private
    -2.889, // is_special
    -0.270, // is_method
    1.899, // called
];

/// Added to the weights in proportion to the probability that the question describes a change.
#[rustfmt::skip]
const OF_CHANGES: Features = [
    0.000, // bm25
    -6.500, // cosine
    1.917, // share
    1.137, // in_name
    -0.276, // name_told
    0.000, // in_owner
    0.000, // in_path
    0.000, // in_signature
    0.000, // in_doc
    0.408, // in_body
    0.695, // in_twice
    -0.484, // in_often
    0.000, // joined
    0.000, // joined_in_name
    0.215, // length
    0.211, // signature_length
    0.146, // doc_length
    0.483, // body_length
    0.000, // name_words
    0.000, // name_cosine
    0.000, // lexical_rank
    0.000, // vector_rank
    -2.194, // file_bm25
    1.889, // file_cosine
    0.000, // is_class
    0.000, // is_module
    0.000, // is_private
    2.366, // is_special
    0.000, // is_method
    0.000, // called
];

/// Features whose penalty is dropped when the question asks for a class or module. The benchmark has only functions as
/// answers, so their weights are not measured for other questions.
const KINDS: [usize; 2] = [24, 25];

/// Penalty for tests, examples and documents when the question does not ask for them. No script fits it: the benchmark
/// has only functions as answers.
pub(super) const ASIDE: f64 = 3.0;

/// Contribution of each feature; the score is their sum, and larger is better.
pub(super) fn parts(features: &Features, intent: &QueryIntent) -> Features {
    let weight = |at: usize| {
        let is_asked = intent.kinds && KINDS.contains(&at);
        if is_asked { 0.0 } else { WEIGHTS[at] + intent.change * OF_CHANGES[at] }
    };
    std::array::from_fn(|at| features[at] * weight(at))
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
        let intent = |kinds| QueryIntent { kinds, asides: Vec::new(), change: 0.0 };
        let score = |asks_kinds| parts(&class, &intent(asks_kinds)).iter().sum::<f64>();
        assert!(score(false) < -1.0);
        assert!(score(true).abs() < 1e-9);
    }
}
