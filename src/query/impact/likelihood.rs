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
        impact::{completeness::Boundary, walk::Reached},
        words::{count, rounded},
    },
};

/// From this probability on a list without boundaries is called exact: fewer than one in two hundred lacks something.
pub(crate) const EXACT: f64 = 0.995;
/// Reasons that are named against completeness.
const MAX_REASONS: usize = 2;
/// A test below this probability is an unlikely one.
const UNLIKELY: f64 = 0.3;
/// A direct dependent from this probability on is a sure one.
const SURE: f64 = 0.9;

/// The judgement of one list.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Likelihood {
    /// How likely the list is to hold everything, 0 to 1.
    pub probability: f64,
    /// The same for the list with everything that is too improbable to be listed.
    pub with_improbable: f64,
    /// The strongest reasons against completeness, strongest first; each a clause.
    pub reasons: Vec<String>,
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
const AT_MEANS: f64 = 2.05;

/// Written by `training/fit_completeness.py`.
const TERMS: &[Term] = &[Term { name: "no_test", mean: 0.0, weight: 0.0 }];

/// Judges a list of `listed` entities, where the walk also reached `hidden` ones that are too improbable to be listed.
pub(crate) fn likelihood(
    kind: EntityKind,
    boundaries: &[Boundary],
    listed: &[&Reached],
    hidden: &[&Reached],
) -> Likelihood {
    let own = factors(kind, boundaries, listed, hidden.iter().filter(|reached| reached.entity.is_test()).count());
    let all: Vec<&Reached> = listed.iter().chain(hidden).copied().collect();
    let probable: Vec<Boundary> = boundaries.iter().filter(|limit| limit.kind != "improbable").cloned().collect();
    let with_improbable = probability(&factors(kind, &probable, &all, 0));
    let reasons = reasons(&own, boundaries, hidden);
    let factors = own.iter().map(|(name, value)| (*name, rounded(*value))).collect();
    Likelihood { probability: rounded(probability(&own)), with_improbable: rounded(with_improbable), reasons, factors }
}

fn factors(
    kind: EntityKind,
    boundaries: &[Boundary],
    listed: &[&Reached],
    hidden_tests: usize,
) -> BTreeMap<&'static str, f64> {
    let counted = |kind: &str| boundaries.iter().filter(|limit| limit.kind == kind).map(|limit| limit.count).sum();
    let has = |kind: &str| flag(counted(kind) > 0);
    let (tests, code): (Vec<&Reached>, Vec<&Reached>) = listed.iter().partition(|reached| reached.entity.is_test());
    let direct: Vec<&&Reached> = listed.iter().filter(|reached| reached.distance == 1).collect();
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let share = |number: usize| real(number) / real(1 + tests.len());
    BTreeMap::from([
        ("no_test", flag(tests.is_empty())),
        ("hidden_tests", log(hidden_tests)),
        ("unresolved", has("unresolved")),
        ("unresolved_beyond", has("unresolved_beyond")),
        ("implicit", has("implicit")),
        ("implicit_count", log(counted("implicit"))),
        ("outside", has("outside")),
        ("best_code", most(&mut code.iter().map(|reached| reached.probability))),
        ("best_direct", most(&mut direct.iter().map(|reached| reached.probability))),
        ("sure_direct", log(direct.iter().filter(|reached| reached.probability >= SURE).count())),
        ("depth", log(listed.iter().map(|reached| reached.distance as usize).max().unwrap_or(0))),
        ("no_boundary", flag(boundaries.is_empty())),
        ("method", flag(kind == EntityKind::Method)),
        ("unlikely_tests", share(tests.iter().filter(|reached| reached.probability < UNLIKELY).count())),
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
    let mut against: Vec<(f64, &'static str)> =
        TERMS.iter().map(|term| (effect(term, factors), term.name)).filter(|(effect, _)| *effect < 0.0).collect();
    against.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)));
    let number = |kind: &str| boundaries.iter().filter(|limit| limit.kind == kind).map(|limit| limit.count).sum();
    let in_words = |name: &str| {
        let is_so = factors.get(name).is_some_and(|value| *value > 0.0);
        match name {
            "no_test" if is_so => Some("no test is known to run it".to_owned()),
            "hidden_tests" if is_so => {
                let tests = hidden.iter().filter(|reached| reached.entity.is_test()).count();
                Some(format!("{} too improbable to list", count(tests, "test")))
            }
            "unresolved" if is_so => {
                Some(format!("{} of its name", count(number("unresolved"), "unresolved occurrence")))
            }
            "unresolved_beyond" if is_so => Some("unresolved names on the way".to_owned()),
            "implicit" | "implicit_count" if is_so => Some("other code may call what lies on the way".to_owned()),
            "outside" if is_so => Some("a library may call it".to_owned()),
            "best_direct" => Some("no direct dependent is sure".to_owned()),
            "unlikely_tests" if is_so => Some("many of the tests are unlikely".to_owned()),
            "tests_by_name" if is_so => Some("tests are reached by a name alone".to_owned()),
            _ => None,
        }
    };
    let mut found: Vec<String> = Vec::new();
    for reason in against.into_iter().filter_map(|(_, name)| in_words(name)) {
        if found.len() < MAX_REASONS && !found.contains(&reason) {
            found.push(reason);
        }
    }
    found
}
