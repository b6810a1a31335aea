//! The effect of a change at a place.

use serde::Serialize;

/// The effect at a place. Ordered from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It raises when it runs.
    Breaks,
    /// It raises if the receiver has the type that it seems to have, or if the values are as they can be.
    MayBreak,
    /// It runs, and does something else.
    MayBehaveDifferently,
    /// The change does not concern it.
    NotAffected,
}

impl Verdict {
    /// The words in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Breaks => "breaks",
            Self::MayBreak => "may break",
            Self::MayBehaveDifferently => "may behave differently",
            Self::NotAffected => "not affected",
        }
    }
}
