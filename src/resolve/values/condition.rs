//! Conditions on arguments, and the tests in a function's body that state them.
//!
//! A [`Condition`] is stored: it stands in the code of [`super::mark::Mark`] and in the keys of questions. A [`Test`]
//! never leaves the file.

use smallvec::SmallVec;

use crate::facts::bodies::ExprId;

/// Under which condition a function returns something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Condition {
    /// `x is None`, where `x` is the parameter with this index.
    IsNone(u8),
    /// `if x`
    IsTrue(u8),
}

/// A test in the body of a function that the statements under it are subject to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    /// It tests an argument.
    Passed(Condition),
    /// `name in NAMES`: the comparison limits the texts that the name can be.
    Names(ExprId),
}

/// The tests that hold at a statement, each with a flag. For [`Test::Passed`] the flag says that the argument is
/// `None` or false. For the others it says that the test succeeded.
pub(crate) type Tests = SmallVec<[(Test, bool); 2]>;

impl Condition {
    const TRUTH: u32 = 0x200;

    /// The two numbers of the condition's code, for a function or for the lambda with this number.
    pub(crate) fn encode(self, lambda: u32) -> (u32, u32) {
        match self {
            Condition::IsNone(parameter) => (lambda, u32::from(parameter)),
            Condition::IsTrue(parameter) => (lambda, Self::TRUTH | u32::from(parameter)),
        }
    }

    /// The lambda and the condition that [`Condition::encode`] gave; none for other codes.
    #[expect(clippy::cast_possible_truncation, reason = "takes the numbers apart")]
    pub(super) fn decode(lambda: u32, index: u32) -> Option<(u32, Condition)> {
        Some(match index {
            0..=0xff => (lambda, Condition::IsNone(index as u8)),
            Self::TRUTH..=0x2ff => (lambda, Condition::IsTrue(index as u8)),
            _ => return None,
        })
    }
}
