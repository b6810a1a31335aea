//! How likely the list of an answer is to be complete.
//!
//! The test suites of traced projects ran functions; a list was complete if it named every test that ran the function.
//! Two logistic models over a few properties of the answer were fitted to that by `training/fit_completeness.py`: one
//! says how likely all that the walk reached is to hold everything, the other how likely none of the tests that the
//! list leaves out runs the function. A list is as likely to be complete as both together. They speak of one function
//! or method whose body changes.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{
    query::{
        graph::Graph,
        impact::{completeness::Boundary, walk::Reached},
        words::{count, rounded},
    },
    store::error::StoreError,
};

/// Reasons that are named against completeness.
const MAX_REASONS: usize = 2;
/// A list that holds all tests of a run lacks only tests that the run left out, or that are newer. The list is not
/// exact, since nobody but the user knows which tests ran.
const AS_A_RUN: f64 = 0.99;

/// The judgement of one list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Likelihood {
    /// How likely the list is to hold everything, 0 to 1.
    pub probability: f64,
    /// The same for the list with everything that is too improbable to be listed.
    pub with_improbable: f64,
    /// The strongest reasons against completeness, strongest first; each a clause.
    pub reasons: Vec<String>,
    /// The commit whose run of the tests ran the definition, where the user added one: the list is as complete as it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The properties that the model reads, by name.
    pub factors: BTreeMap<&'static str, f64>,
}

/// Definitions that the walk reached and the list leaves out as too improbable.
pub(crate) struct Hidden<'w> {
    pub(crate) reached: Vec<&'w Reached>,
    /// The probabilities of the tests among it.
    pub(crate) tests: Vec<f64>,
    /// The same of those that are reached over a value that is kept in between, in an attribute or a container.
    pub(crate) over_stored: Vec<f64>,
}

/// A property of an answer: its name, its mean over the answers of the fit, and the log-odds that one unit of it adds.
struct Term {
    name: &'static str,
    mean: f64,
    weight: f64,
}

/// A part of the model.
struct FittedPart {
    /// The log-odds of an answer whose properties are all at their means.
    at_means: f64,
    terms: &'static [Term],
}

/// How likely everything that the walk reached is to hold all. Both parts were written by
/// `training/fit_completeness.py` from 4,545 functions of twelve projects. With each left out in turn, the calibration
/// error is .013 for lists with everything improbable, and for lists as shown.
const REACHED: FittedPart = FittedPart {
    at_means: 3.963,
    terms: &[
        Term { name: "async_files", mean: 0.222, weight: -2.269 },
        Term { name: "best_code", mean: 0.790, weight: -0.338 },
        Term { name: "depth", mean: 2.161, weight: 1.828 },
        Term { name: "no_test", mean: 0.019, weight: -7.008 },
        Term { name: "outside", mean: 0.234, weight: 1.156 },
        Term { name: "test_helpers", mean: 3.157, weight: -0.156 },
        Term { name: "unresolved", mean: 0.045, weight: -0.981 },
        Term { name: "unresolved_beyond", mean: 0.603, weight: -0.888 },
    ],
};

/// How likely none of the tests that the list leaves out is to run the function, where there are some.
const LEFT_OUT: FittedPart = FittedPart {
    at_means: 2.007,
    terms: &[
        Term { name: "best_code", mean: 0.854, weight: -0.526 },
        Term { name: "left_out_expected", mean: 1.180, weight: -0.507 },
        Term { name: "left_out_stored", mean: 0.438, weight: -0.326 },
        Term { name: "listed_none", mean: 0.002, weight: -6.693 },
    ],
};

/// Judges a list of `listed` entities, where the walk also reached `hidden` ones that are too improbable to be listed.
pub(crate) fn likelihood(
    graph: &Graph,
    boundaries: &[Boundary],
    listed: &[&Reached],
    hidden: &Hidden<'_>,
) -> Result<Likelihood, StoreError> {
    let is_helper = |at: &Reached| !at.entity.is_test() && graph.file(at.entity.file).is_some_and(|file| file.is_test);
    let all: Vec<&Reached> = listed.iter().chain(&hidden.reached).copied().collect();
    let helpers = all.iter().filter(|reached| is_helper(reached)).count();
    let mut factors = reached_factors(boundaries, &all, helpers, graph.async_share()?);
    let with_improbable = REACHED.probability(&factors);
    factors.extend(left_out_factors(listed, hidden));
    let kept = if hidden.tests.is_empty() { 1.0 } else { LEFT_OUT.probability(&factors) };
    Ok(Likelihood {
        probability: rounded(with_improbable * kept),
        with_improbable: rounded(with_improbable),
        reasons: reasons(&factors, boundaries, hidden.tests.len()),
        run: None,
        factors: factors.iter().map(|(name, value)| (*name, rounded(*value))).collect(),
    })
}

impl Likelihood {
    /// The judgement where a run at `commit` showed which tests run the definition.
    #[must_use]
    pub(crate) fn completed_by_run(self, commit: &str) -> Self {
        Self {
            probability: self.probability.max(AS_A_RUN),
            with_improbable: self.with_improbable.max(AS_A_RUN),
            reasons: Vec::new(),
            run: Some(commit.to_owned()),
            ..self
        }
    }
}

impl FittedPart {
    fn probability(&self, factors: &BTreeMap<&'static str, f64>) -> f64 {
        let log_odds = self.at_means + self.terms.iter().map(|term| effect(term, factors)).sum::<f64>();
        1.0 / (1.0 + (-log_odds).exp())
    }
}

/// The properties of all that the walk reached. Of definitions in files of tests, `helpers` are no tests; a share of
/// `async_files` of the repository's files has coroutines.
fn reached_factors(
    boundaries: &[Boundary],
    all: &[&Reached],
    helpers: usize,
    async_files: f64,
) -> BTreeMap<&'static str, f64> {
    let number = |kind: &str| boundaries.iter().find(|limit| limit.kind == kind).map(|limit| limit.count);
    let has = |kind: &str| flag(number(kind).is_some());
    let code = all.iter().filter(|reached| !reached.entity.is_test());
    BTreeMap::from([
        ("no_test", flag(!all.iter().any(|reached| reached.entity.is_test()))),
        // One occurrence that nothing else explains is likelier to be it than one of a hundred of a usual name.
        ("unresolved", number("unresolved").map_or(0.0, |number| 1.0 / real(number.max(1)))),
        ("unresolved_beyond", has("unresolved_beyond")),
        ("outside", has("outside")),
        ("best_code", code.map(|reached| reached.probability).fold(0.0, f64::max)),
        // An event loop runs a coroutine far from the code that made it. A few such files tell most of it.
        ("async_files", async_files.sqrt()),
        ("depth", log(all.iter().map(|reached| reached.distance as usize).max().unwrap_or(0))),
        ("test_helpers", log(helpers)),
    ])
}

/// The properties of a list and of the tests that it leaves out.
fn left_out_factors(listed: &[&Reached], hidden: &Hidden<'_>) -> BTreeMap<&'static str, f64> {
    // How many of them may be expected to run the function.
    let expected = |tests: &[f64]| tests.iter().sum::<f64>().ln_1p();
    BTreeMap::from([
        ("left_out_expected", expected(&hidden.tests)),
        ("left_out_stored", expected(&hidden.over_stored)),
        ("listed_none", flag(!listed.iter().any(|reached| reached.entity.is_test()))),
    ])
}

/// Numbers of dependents differ by orders of magnitude, so the model reads their logarithm.
fn log(number: usize) -> f64 {
    real(number).ln_1p()
}

#[expect(clippy::cast_precision_loss, reason = "entities of a repository are far fewer than 2^52")]
fn real(number: usize) -> f64 {
    number as f64
}

fn flag(is_so: bool) -> f64 {
    f64::from(u8::from(is_so))
}

/// The log-odds that a property adds, beside an average answer.
fn effect(term: &Term, factors: &BTreeMap<&'static str, f64>) -> f64 {
    factors.get(term.name).map_or(0.0, |value| term.weight * (value - term.mean))
}

/// The properties that speak against completeness most, in words; `left_out` tests are not listed. Some have none,
/// since they only say how far an answer reaches.
fn reasons(factors: &BTreeMap<&'static str, f64>, boundaries: &[Boundary], left_out: usize) -> Vec<String> {
    let parts = if left_out > 0 { &[&REACHED, &LEFT_OUT][..] } else { &[&REACHED][..] };
    let effects = parts.iter().flat_map(|part| part.terms).map(|term| (effect(term, factors), term));
    let mut against: Vec<(f64, &Term)> = effects.filter(|(effect, _)| *effect < 0.0).collect();
    against.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.name.cmp(b.1.name)));
    let number = |kind: &str| boundaries.iter().filter(|limit| limit.kind == kind).map(|limit| limit.count).sum();
    let left_out_tests = || format!("{} too improbable to list", count(left_out, "test"));
    let in_words = |term: &Term| {
        // Less of a property that speaks for completeness is no reason by its presence.
        let is_so = term.weight < 0.0 && factors.get(term.name).is_some_and(|value| *value > 0.0);
        match term.name {
            "no_test" | "listed_none" if is_so => Some("no test is known to run it".to_owned()),
            "left_out_expected" => Some(left_out_tests()),
            "unresolved" if is_so => {
                Some(format!("{} of its name", count(number("unresolved"), "unresolved occurrence")))
            }
            "unresolved_beyond" if is_so => Some("unresolved names on the way".to_owned()),
            "outside" if is_so => Some("a library may call it".to_owned()),
            "async_files" if is_so => Some("an event loop runs some of the code".to_owned()),
            "test_helpers" if is_so => Some("helpers of tests depend on it".to_owned()),
            _ => None,
        }
    };
    let mut found: Vec<String> = Vec::new();
    let of_few = (left_out > 0).then(left_out_tests);
    for reason in against.into_iter().filter_map(|(_, term)| in_words(term)).chain(of_few) {
        if found.len() < MAX_REASONS && !found.contains(&reason) {
            found.push(reason);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The factors of an average answer, but for one of them.
    fn average_but(name: &'static str, value: f64) -> BTreeMap<&'static str, f64> {
        REACHED.terms.iter().map(|term| (term.name, term.mean)).chain([(name, value)]).collect()
    }

    /// Tests with these probabilities.
    fn hidden(tests: &[f64]) -> Hidden<'static> {
        Hidden { reached: Vec::new(), tests: tests.to_vec(), over_stored: Vec::new() }
    }

    #[test]
    fn every_term_is_a_factor_of_an_answer() {
        let of_all = reached_factors(&[], &[], 0, 0.0);
        let of_list = left_out_factors(&[], &hidden(&[]));
        let names = |part: &FittedPart| -> Vec<&str> { part.terms.iter().map(|term| term.name).collect() };
        assert_eq!(names(&REACHED), of_all.keys().copied().collect::<Vec<_>>());
        let all: BTreeMap<&str, f64> = of_all.into_iter().chain(of_list).collect();
        assert!(names(&LEFT_OUT).iter().all(|name| all.contains_key(name)));
    }

    #[test]
    fn tests_that_are_left_out_speak_against_a_list_and_are_counted() {
        let judged = |left_out: &[f64]| left_out_factors(&[], &hidden(left_out));
        assert!(LEFT_OUT.probability(&judged(&[0.3; 90])) < LEFT_OUT.probability(&judged(&[0.01])));
        let factors = average_but("no_test", 0.0).into_iter().chain(judged(&[0.3; 90])).collect();
        assert!(reasons(&factors, &[], 90).contains(&"90 tests too improbable to list".to_owned()));
    }

    #[test]
    fn a_list_without_tests_is_less_likely_to_be_complete_and_says_why() {
        let (with, without) = (average_but("no_test", 0.0), average_but("no_test", 1.0));
        assert!(REACHED.probability(&without) < REACHED.probability(&with) / 2.0);
        assert_eq!(reasons(&without, &[], 0)[0], "no test is known to run it");
    }

    #[test]
    fn unresolved_occurrences_speak_against_completeness() {
        let limit = Boundary::new("unresolved", 3, String::new());
        let (with, without) = (average_but("unresolved", 1.0), average_but("unresolved", 0.0));
        assert!(REACHED.probability(&with) < REACHED.probability(&without));
        assert_eq!(reasons(&with, &[limit], 0)[0], "3 unresolved occurrences of its name");
    }
}
