//! How likely the list of an answer is to be complete.
//!
//! The test suites of traced projects ran functions; a list was complete if it named every test that ran the function.
//! A logistic model over a few properties of the answer was fitted to that by `training/fit_completeness.py`, which
//! quotes how well it does on projects left out of the fit. It speaks of one function or method whose body changes.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{
    model::{EntityKind, Evidence},
    query::{
        graph::Graph,
        impact::{completeness::Boundary, walk::Reached},
        words::{count, rounded},
    },
};

/// Reasons that are named against completeness.
const MAX_REASONS: usize = 2;
/// A list that holds all tests of a run lacks only tests that the run left out, or that are newer. The list is not
/// exact, since nobody but the user knows which tests ran.
const AS_A_RUN: f64 = 0.99;
/// A direct dependent from this probability on is a sure one.
const SURE: f64 = 0.9;

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

/// A property of an answer: its name, its mean over the answers of the fit, and the log-odds that one unit of it adds.
struct Term {
    name: &'static str,
    mean: f64,
    weight: f64,
}

/// The log-odds of an answer whose properties are all at their means.
const AT_MEANS: f64 = 2.045;

/// Written by `training/fit_completeness.py` from 4,545 functions of twelve projects. With each left out in turn, the
/// calibration error is .018 for lists with everything improbable and .034 for lists as shown.
const TERMS: &[Term] = &[
    Term { name: "best_code", mean: 0.783, weight: -0.497 },
    Term { name: "best_direct", mean: 0.886, weight: 0.601 },
    Term { name: "depth", mean: 2.008, weight: 0.730 },
    Term { name: "hidden_tests", mean: 0.828, weight: -0.265 },
    Term { name: "method", mean: 0.732, weight: -0.397 },
    Term { name: "no_boundary", mean: 0.055, weight: -0.564 },
    Term { name: "no_test", mean: 0.033, weight: -4.564 },
    Term { name: "outside", mean: 0.220, weight: 0.452 },
    Term { name: "sure_direct", mean: 1.092, weight: -0.045 },
    Term { name: "test_helpers", mean: 2.652, weight: -0.141 },
    Term { name: "tests_by_name", mean: 0.192, weight: 0.395 },
    Term { name: "unresolved", mean: 0.091, weight: -0.509 },
    Term { name: "unresolved_beyond", mean: 0.628, weight: -0.619 },
];

/// Judges a list of `listed` entities, where the walk also reached `hidden` ones that are too improbable to be listed.
pub(crate) fn likelihood(
    graph: &Graph,
    kind: EntityKind,
    boundaries: &[Boundary],
    listed: &[&Reached],
    hidden: &[&Reached],
) -> Likelihood {
    let is_helper = |at: &Reached| !at.entity.is_test() && graph.file(at.entity.file).is_some_and(|file| file.is_test);
    let helpers = |list: &[&Reached]| list.iter().filter(|reached| is_helper(reached)).count();
    let hidden_tests = hidden.iter().filter(|reached| reached.entity.is_test()).count();
    let own = factors(kind, boundaries, listed, (helpers(listed), hidden_tests));
    let all: Vec<&Reached> = listed.iter().chain(hidden).copied().collect();
    let probable: Vec<Boundary> = boundaries.iter().filter(|limit| limit.kind != "improbable").cloned().collect();
    let with_improbable = probability(&factors(kind, &probable, &all, (helpers(&all), 0)));
    let reasons = reasons(&own, boundaries, hidden);
    let factors = own.iter().map(|(name, value)| (*name, rounded(*value))).collect();
    Likelihood {
        probability: rounded(probability(&own)),
        with_improbable: rounded(with_improbable),
        reasons,
        run: None,
        factors,
    }
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

/// The properties of an answer. Of definitions in files of tests, `helpers` are listed and no tests, and `hidden_tests`
/// are tests too improbable to be listed.
fn factors(
    kind: EntityKind,
    boundaries: &[Boundary],
    listed: &[&Reached],
    (helpers, hidden_tests): (usize, usize),
) -> BTreeMap<&'static str, f64> {
    let has = |kind: &str| flag(boundaries.iter().any(|limit| limit.kind == kind && limit.count > 0));
    let (tests, code): (Vec<&Reached>, Vec<&Reached>) = listed.iter().partition(|reached| reached.entity.is_test());
    let direct: Vec<&&Reached> = listed.iter().filter(|reached| reached.distance == 1).collect();
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let share = |number: usize| real(number) / real(1 + tests.len());
    BTreeMap::from([
        ("no_test", flag(tests.is_empty())),
        ("hidden_tests", log(hidden_tests)),
        ("unresolved", has("unresolved")),
        ("unresolved_beyond", has("unresolved_beyond")),
        ("outside", has("outside")),
        ("best_code", most(&mut code.iter().map(|reached| reached.probability))),
        ("best_direct", most(&mut direct.iter().map(|reached| reached.probability))),
        ("sure_direct", log(direct.iter().filter(|reached| reached.probability >= SURE).count())),
        ("depth", log(listed.iter().map(|reached| reached.distance as usize).max().unwrap_or(0))),
        ("no_boundary", flag(boundaries.is_empty())),
        ("method", flag(kind == EntityKind::Method)),
        ("test_helpers", log(helpers)),
        ("tests_by_name", share(tests.iter().filter(|reached| reached.evidence == Evidence::Possible).count())),
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

fn probability(factors: &BTreeMap<&'static str, f64>) -> f64 {
    let log_odds = AT_MEANS + TERMS.iter().map(|term| effect(term, factors)).sum::<f64>();
    1.0 / (1.0 + (-log_odds).exp())
}

/// The log-odds that a property adds, beside an average answer.
fn effect(term: &Term, factors: &BTreeMap<&'static str, f64>) -> f64 {
    factors.get(term.name).map_or(0.0, |value| term.weight * (value - term.mean))
}

/// The properties that speak against completeness most, in words. Some have none, since they only say how far an
/// answer reaches.
fn reasons(factors: &BTreeMap<&'static str, f64>, boundaries: &[Boundary], hidden: &[&Reached]) -> Vec<String> {
    let effects = TERMS.iter().map(|term| (effect(term, factors), term));
    let mut against: Vec<(f64, &Term)> = effects.filter(|(effect, _)| *effect < 0.0).collect();
    against.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.name.cmp(b.1.name)));
    let number = |kind: &str| boundaries.iter().filter(|limit| limit.kind == kind).map(|limit| limit.count).sum();
    let in_words = |term: &Term| {
        // Less of a property that speaks for completeness is no reason by its presence.
        let is_so = term.weight < 0.0 && factors.get(term.name).is_some_and(|value| *value > 0.0);
        match term.name {
            "no_test" if is_so => Some("no test is known to run it".to_owned()),
            "hidden_tests" if is_so => {
                let tests = hidden.iter().filter(|reached| reached.entity.is_test()).count();
                Some(format!("{} too improbable to list", count(tests, "test")))
            }
            "unresolved" if is_so => {
                Some(format!("{} of its name", count(number("unresolved"), "unresolved occurrence")))
            }
            "unresolved_beyond" if is_so => Some("unresolved names on the way".to_owned()),
            "outside" if is_so => Some("a library may call it".to_owned()),
            "best_direct" => Some("no direct dependent is sure".to_owned()),
            "test_helpers" if is_so => Some("helpers of tests depend on it".to_owned()),
            "tests_by_name" if is_so => Some("tests are reached by a name alone".to_owned()),
            _ => None,
        }
    };
    let mut found: Vec<String> = Vec::new();
    for reason in against.into_iter().filter_map(|(_, term)| in_words(term)) {
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
        TERMS.iter().map(|term| (term.name, term.mean)).chain([(name, value)]).collect()
    }

    #[test]
    fn every_term_is_a_factor_of_an_answer() {
        let factors = factors(EntityKind::Function, &[], &[], (0, 0));
        let names: Vec<&str> = TERMS.iter().map(|term| term.name).collect();
        assert_eq!(names, factors.into_keys().collect::<Vec<_>>());
    }

    #[test]
    fn a_list_without_tests_is_less_likely_to_be_complete_and_says_why() {
        let (with, without) = (average_but("no_test", 0.0), average_but("no_test", 1.0));
        assert!(probability(&without) < probability(&with) / 2.0);
        assert_eq!(reasons(&without, &[], &[])[0], "no test is known to run it");
    }

    #[test]
    fn unresolved_occurrences_speak_against_completeness() {
        let limit = Boundary::new("unresolved", 3, String::new());
        let (with, without) = (average_but("unresolved", 1.0), average_but("unresolved", 0.0));
        assert!(probability(&with) < probability(&without));
        assert_eq!(reasons(&with, &[limit], &[])[0], "3 unresolved occurrences of its name");
    }
}
