//! The threshold from which on tests and other entities are listed.
//!
//! The probability of a change's best test shows how far the chains lead, so tests are compared with each other: one
//! in seven of the tests that run is wanted whether the best is certain or a guess. A change that only guesses lead to
//! is not without tests.

use crate::query::impact::walk::{Reached, Walk};

/// A limit on probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Least {
    /// A probability from 0 to 1.
    Probability(f64),
    /// A share, from 0 to 1, of the most probable entry: of the tests for a test, of the rest for anything else.
    Share(f64),
}

impl Least {
    /// With tests below this share of the best one, `impact` found a hundredth more of those that ran a function on
    /// the projects of benches/history/2026-11.md, and named a tenth more in all.
    pub(crate) const USUAL: Self = Self::Share(0.12);
    /// Nothing that is less probable than this is listed, however improbable the rest.
    const FAINTEST: f64 = 0.02;

    /// A limit that was asked for, or the usual one.
    pub fn of(asked: Option<f64>) -> Self {
        asked.map_or(Self::USUAL, Self::Probability)
    }

    /// The probability from which on something is listed, when the most probable of its kind is `best`.
    pub(crate) fn beside(self, best: Option<f64>) -> f64 {
        match self {
            Self::Probability(least) => least,
            Self::Share(share) => best.map_or(0.0, |best| share * best).max(Self::FAINTEST),
        }
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
            if role.is_dependent() && reached.step.is_some() {
                let best = if reached.entity.is_test() { &mut best_test } else { &mut best_other };
                *best = Some(best.map_or(reached.probability, |best| best.max(reached.probability)));
            }
        }
        (self.least_test, self.least_other) = (least.beside(best_test), least.beside(best_other));
    }

    /// Whether something is probable enough to be listed.
    pub(crate) fn is_listed(&self, reached: &Reached) -> bool {
        let least = if reached.entity.is_test() { self.least_test } else { self.least_other };
        reached.probability >= least || self.seen.contains_key(&reached.entity.id)
    }
}
