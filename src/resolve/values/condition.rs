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
    /// `kwargs.get("key")`: a keyword that no parameter takes is present and true. Holds the low bits of the keyword's
    /// hash.
    KeywordIsTrue(u16),
    /// `"key" in kwargs`
    KeywordIsGiven(u16),
}

/// A test in the body of a function that the statements under it are subject to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    /// It tests an argument.
    Passed(Condition),
    /// `name.startswith("_")` in a `__setattr__`.
    PrivateName,
    /// `name in NAMES`: the comparison limits the texts that the name can be.
    Names(ExprId),
}

/// The tests that hold at a statement, each with a flag. For [`Test::Passed`] the flag says that the argument is
/// `None`, false or absent. For the others it says that the test succeeded.
pub(crate) type Tests = SmallVec<[(Test, bool); 2]>;

impl Condition {
    /// The bits of a keyword's hash that a condition keeps.
    const KEYWORD_BITS: u64 = 0x3fff;

    const TRUTH: u32 = 0x200;
    const KEYWORD_GIVEN: u32 = 0x3f9;
    const KEYWORD: u32 = 0x3fa;

    /// The part of a keyword's hash that a condition keeps.
    pub(crate) fn bits_of(keyword: u64) -> u16 {
        u16::try_from(keyword & Self::KEYWORD_BITS).unwrap_or(0)
    }

    /// The two numbers of the condition's code, for a function or for the lambda with this number. The bits of a
    /// keyword take the place of the lambda: only functions gather keywords.
    pub(crate) fn encode(self, lambda: u32) -> (u32, u32) {
        match self {
            Condition::IsNone(parameter) => (lambda, u32::from(parameter)),
            Condition::IsTrue(parameter) => (lambda, Self::TRUTH | u32::from(parameter)),
            Condition::KeywordIsGiven(bits) => (u32::from(bits), Self::KEYWORD_GIVEN),
            Condition::KeywordIsTrue(bits) => (u32::from(bits), Self::KEYWORD),
        }
    }

    /// The lambda and the condition that [`Condition::encode`] gave; none for other codes.
    #[expect(clippy::cast_possible_truncation, reason = "takes the numbers apart")]
    pub(super) fn decode(lambda: u32, index: u32) -> Option<(u32, Condition)> {
        Some(match index {
            0..=0xff => (lambda, Condition::IsNone(index as u8)),
            Self::TRUTH..=0x2ff => (lambda, Condition::IsTrue(index as u8)),
            Self::KEYWORD_GIVEN => (0, Condition::KeywordIsGiven(lambda as u16)),
            Self::KEYWORD => (0, Condition::KeywordIsTrue(lambda as u16)),
            _ => return None,
        })
    }
}
