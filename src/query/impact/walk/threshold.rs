//! The threshold from which on tests and other entities are listed.
//!
//! The probability of a change's best test shows how far the chains lead, so tests are compared with each other: one
//! in six of the tests that run is wanted whether the best is certain or a guess. A change that only guesses lead to
//! is not without tests.

use crate::query::impact::walk::{DEPTH, Reached, Role, Walk};

/// Tests that are too improbable are listed all the same if there are no more than one for so many others. With it,
/// more lists of twelve traced projects name every test that ran (.80 in place of .78), and .004 of precision is lost.
const SMALL_REST: usize = 10;

/// A limit on probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Least {
    /// A probability from 0 to 1.
    Probability(f64),
    /// Shares, from 0 to 1, of the most probable entry: of the tests for a test, of the rest for anything else.
    Share { tests: f64, others: f64 },
}

impl Least {
    /// With .15 for tests, `impact` found .951 of those that ran a function and .531 of its tests ran it, with .12 .957
    /// and .519 (seven projects of BENCHMARKS.md). Other entities cost nobody a run, and files that only import a name
    /// are just above .12.
    pub(crate) const USUAL: Self = Self::Share { tests: 0.15, others: 0.12 };
    /// Nothing that is less probable than this is listed, however improbable the rest.
    const FAINTEST: f64 = 0.02;

    /// A limit that was asked for, or the usual one.
    pub fn of(asked: Option<f64>) -> Self {
        asked.map_or(Self::USUAL, Self::Probability)
    }

    /// The probability from which on a test is listed, when that of the most probable one is `best`.
    pub(crate) fn of_tests(self, best: Option<f64>) -> f64 {
        match self {
            Self::Probability(least) => least,
            Self::Share { tests, .. } => Self::beside(tests, best),
        }
    }

    /// The same for any other entity.
    fn of_others(self, best: Option<f64>) -> f64 {
        match self {
            Self::Probability(least) => least,
            Self::Share { others, .. } => Self::beside(others, best),
        }
    }

    fn beside(share: f64, best: Option<f64>) -> f64 {
        best.map_or(0.0, |best| share * best).max(Self::FAINTEST)
    }
}

impl Default for Least {
    fn default() -> Self {
        Self::USUAL
    }
}

impl Walk {
    /// Compares the reached entities anew, after probabilities were changed.
    pub(crate) fn compare(&mut self, least: Least) {
        let (mut best_test, mut best_other) = (None::<f64>, None::<f64>);
        #[expect(clippy::iter_over_hash_type, reason = "the greatest is the same in any order")]
        for ((_, role), reached) in &self.reached {
            if role.is_dependent() && reached.step.is_some() && self.is_noticed(reached) {
                let best = if reached.entity.is_test() { &mut best_test } else { &mut best_other };
                *best = Some(best.map_or(reached.probability, |best| best.max(reached.probability)));
            }
        }
        (self.least_test, self.least_other) = (least.of_tests(best_test), least.of_others(best_other));
        self.faintest_test = if matches!(least, Least::Share { .. }) { self.least_test / DEPTH } else { 0.0 };
        if matches!(least, Least::Share { .. }) && self.is_rest_small() {
            self.least_test = self.faintest_test;
        }
    }

    /// Whether the tests that are too improbable are so few beside the listed ones that leaving them out saves little,
    /// and takes much from what the list can promise.
    fn is_rest_small(&self) -> bool {
        let tests = self.reached.iter().filter(|((_, role), reached)| {
            *role == Role::Affected && reached.step.is_some() && reached.entity.is_test()
        });
        let (mut listed, mut rest) = (0, 0);
        for (_, reached) in tests {
            if self.is_listed(reached) {
                listed += 1;
            } else if self.counts(reached) {
                rest += 1;
            }
        }
        rest * SMALL_REST <= listed + 1
    }

    /// Whether a test that is not listed counts as left out; others are all but impossible.
    pub(crate) fn counts(&self, reached: &Reached) -> bool {
        reached.probability >= self.faintest_test && self.is_noticed(reached)
    }

    /// Whether something is probable enough to be listed.
    pub(crate) fn is_listed(&self, reached: &Reached) -> bool {
        let least = if reached.entity.is_test() { self.least_test } else { self.least_other };
        reached.probability >= least && self.is_noticed(reached) || self.seen.contains_key(&reached.entity.id)
    }

    /// Whether a definition can notice the change (see `confined`).
    fn is_noticed(&self, reached: &Reached) -> bool {
        self.confined.as_ref().is_none_or(|files| files.contains(&reached.entity.file))
    }
}
