//! The linear model that puts the lists together.
//!
//! Goes in: the features of a candidate. Comes out: its score. The weights are found by `training/fit.py` on the
//! development part of the retrieval benchmark; a rank that only adds reciprocal ranks is worse on every set.

use super::features::Features;

/// By `FEATURES`.
#[rustfmt::skip]
const WEIGHTS: Features = [
    0.222, // bm25
    5.153, // cosine
    3.176, // share
    0.827, // in_name
    0.361, // name_told
    1.365, // in_owner
    1.895, // in_path
    -0.659, // in_signature
    -0.093, // in_doc
    -1.215, // in_body
    0.878, // in_twice
    -0.312, // in_often
    0.141, // joined
    0.156, // joined_in_name
    -0.072, // length
    0.138, // signature_length
    -0.139, // doc_length
    0.400, // body_length
    -0.125, // name_words
    -0.276, // name_cosine
    0.344, // lexical_rank
    0.438, // vector_rank
    1.286, // file_bm25
    1.261, // file_cosine
    -6.568, // is_class
    -6.532, // is_module
    -0.023, // is_private
    -1.211, // is_special
    -0.182, // is_method
];

/// What a class or module gets back when the question asks for one: the benchmark has functions as answers only, so what
/// these lose for their kind is not measured for other questions.
const KINDS: [usize; 2] = [24, 25];

/// What tests, examples and documentation lose when the question does not ask for them.
pub(super) const ASIDE: f64 = 3.0;

/// What each feature adds to the score, which is their sum; larger is better. `asks_kinds`: the question asks for classes,
/// modules or files.
pub(super) fn parts(features: &Features, asks_kinds: bool) -> Features {
    let weight = |at: usize| if asks_kinds && KINDS.contains(&at) { 0.0 } else { WEIGHTS[at] };
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
        let score = |asks_kinds| parts(&class, asks_kinds).iter().sum::<f64>();
        assert!(score(false) < -1.0);
        assert!(score(true).abs() < 1e-9);
    }
}
