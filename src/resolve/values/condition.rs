//! Conditions on what a function is passed, and the tests in its body that state them.
//!
//! A [`Condition`] is stored, in the code of [`super::mark::Mark`] and in the keys of questions. A [`Test`] never leaves the file.

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
    /// It asks for what was passed.
    Passed(Condition),
    /// `name in NAMES`: the comparison says which names a text can be.
    Names(ExprId),
}

/// The tests that hold at a statement. Of [`Test::Passed`] the second part says whether what was passed is `None`, false, not
/// there or of another kind; of the others, whether the test has succeeded.
pub(crate) type Tests = SmallVec<[(Test, bool); 2]>;

impl Condition {
    const TRUTH: u32 = 0x200;

    /// The two numbers that stand for the condition in a function, or in a lambda with a number. A keyword's bits take the place of
    /// the lambda: only functions gather keywords that are asked for.
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
