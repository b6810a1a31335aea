//! The evidence of a relationship: by which step it was found, and how probable that makes it.

use serde::{Deserialize, Serialize};

use super::Evidence;

/// The step by which a relationship was found: the weakest one on the way from the occurrence to its target.
/// Ordered from strongest to weakest, but for the later ones; the discriminants are the codes in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Basis {
    /// The name is bound in a scope of the same file.
    Scope = 0,
    /// The name is bound by an import.
    Import = 1,
    /// A member of `self`, `cls` or `super()`, found over the MRO.
    SelfMember = 2,
    /// A pytest fixture, bound by the parameter's name.
    Fixture = 3,
    /// The receiver was constructed or is a literal.
    Constructed = 4,
    /// The receiver's type is annotated.
    Annotated = 5,
    /// The value came out of a call.
    Returned = 6,
    /// The value was stored in an attribute or a module variable, or came through more than one call.
    Stored = 7,
    /// The value was passed in by a caller.
    Passed = 8,
    /// The value was taken out of a container.
    Element = 9,
    /// An override that a call through its base can reach.
    Dispatched = 10,
    /// The function behind a decorator.
    Wrapped = 11,
    /// A string that names code.
    Text = 12,
    /// Only the name fits.
    Name = 13,
    /// The type of the receiver is one of several classes that have the name. Set last, on annotated, returned or
    /// stored values.
    Choice = 14,
    /// A special method that an operator, a test or an attribute may run on a value that was passed in, taken out of a
    /// container or is one of several: many a value there is a builtin. Given at the end.
    Implicit = 15,
    /// An override of a method that is left to derived classes, where a call through its base must reach one. Set
    /// last.
    Implemented = 16,
    /// One of so many values, passed in or taken out of a container, that few of them get there: the entries of a
    /// registry. Set last.
    Crowd = 17,
    /// The receiver is declared as a protocol, and the member belongs to a class that fits the protocol without
    /// deriving from it. Set last.
    Fitting = 18,
    /// Called where a module is run as a script, under `if __name__ == "__main__":`; whatever the step.
    Script = 19,
    /// One of the values that a parametrized test runs with, one after the other. Set last, on values that would else
    /// be passed, taken out of a container, or one of several.
    Parametrized = 20,
    /// The receiver is a parameter whose class a test such as `isinstance` tells. Set last, on values that would else
    /// be constructed.
    Tested = 21,
    /// A method of the same object that a library's base class runs on every call.
    Inherited = 22,
    /// One that it runs on some calls: in a branch, or where an error is handled.
    Conditional = 23,
    /// One that it runs to end with an error.
    Failure = 24,
}

impl Basis {
    /// For a function registered with a library's object that may or may not keep it.
    pub const MAY_KEEP: Self = Self::Returned;

    /// Every basis, in the order of their codes.
    pub const ALL: [Basis; 25] = [
        Self::Scope,
        Self::Import,
        Self::SelfMember,
        Self::Fixture,
        Self::Constructed,
        Self::Annotated,
        Self::Returned,
        Self::Stored,
        Self::Passed,
        Self::Element,
        Self::Dispatched,
        Self::Wrapped,
        Self::Text,
        Self::Name,
        Self::Choice,
        Self::Implicit,
        Self::Implemented,
        Self::Crowd,
        Self::Fitting,
        Self::Script,
        Self::Parametrized,
        Self::Tested,
        Self::Inherited,
        Self::Conditional,
        Self::Failure,
    ];

    /// Whether the used thing came as a value: the expression need not be called as it stands, nor be all of it.
    pub fn is_of_value(self) -> bool {
        matches!(
            self,
            Self::Stored
                | Self::Passed
                | Self::Element
                | Self::Choice
                | Self::Implicit
                | Self::Crowd
                | Self::Fitting
                | Self::Parametrized
        )
    }

    /// Whether the value came from elsewhere, so that the class or function that it has here is one of several.
    pub fn is_from_elsewhere(self) -> bool {
        matches!(self, Self::Passed | Self::Element | Self::Choice | Self::Crowd)
    }

    /// The basis with this code, if there is one.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// The word for the kind of evidence that this step gives.
    pub fn evidence(self) -> Evidence {
        match self {
            Self::Scope | Self::Import | Self::Script => Evidence::Exact,
            Self::Name => Evidence::Possible,
            _ => Evidence::Inferred,
        }
    }

    /// Probability in 0..=1 that a relationship found by this step is true.
    ///
    /// Fitted with `benches/calibration.py` to the call edges seen while the tests of sqlparse, click, flask, jinja2,
    /// werkzeug, requests and attrs ran (2026-11-22); nearly equal values are made equal. Where a value was more than
    /// .05 from the mean of these and 25 other projects (2026-11-23: `Text`, `Crowd`), it is the mean; so it is with
    /// `Choice` and `Implicit` of 25 projects since plain values are told from others (2026-11-27).
    ///
    /// None of the seven declares protocols: `Fitting` is fitted to aiohttp, jinja2, rich, scrapy, starlette, textual
    /// and tornado. 114 of 485 such edges were seen, 64 of 355 of them in one test class of scrapy's; with each
    /// project weighing the same, .34.
    ///
    /// `Tested` was measured as a part of `Constructed`, and keeps its value.
    ///
    /// `Parametrized` is fitted to falcon (704 of 737 were seen) and six others (52 of 54).
    ///
    /// Of calls that a library's base class makes, 32 of 34 by `Inherited` happened in mkdocs, cmd2, watchdog and three
    /// others. By `Conditional`, with each project weighing the same, about three of four did (mkdocs, cmd2, requests,
    /// werkzeug); by `Failure`, 38 of 185 (cmd2), drawn towards what was claimed.
    ///
    /// Of 310 calls by `Script` no test made one. Its value is the lowest that is still listed beside certain
    /// relationships, since people run scripts. `Name` has no use here: a candidate has a probability of its own
    /// (`query::candidates::evidence`).
    pub fn probability(self) -> f64 {
        match self {
            Self::Scope => 0.98,
            Self::Import => 0.98,
            Self::SelfMember => 0.98,
            Self::Fixture => 0.97,
            Self::Constructed => 0.97,
            Self::Tested => 0.97,
            Self::Annotated => 0.95,
            Self::Returned => 0.95,
            Self::Stored => 0.93,
            Self::Passed => 0.66,
            Self::Element => 0.66,
            Self::Dispatched => 0.70,
            Self::Wrapped => 0.50,
            Self::Text => 0.72,
            Self::Name => 0.20,
            Self::Choice => 0.66,
            Self::Implicit => 0.48,
            Self::Implemented => 0.85,
            Self::Crowd => 0.46,
            Self::Fitting => 0.36,
            Self::Script => 0.15,
            Self::Parametrized => 0.95,
            Self::Inherited => 0.93,
            Self::Conditional => 0.72,
            Self::Failure => 0.30,
        }
    }

    /// The words in which people see this step.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Scope => "bound in this file",
            Self::Import => "bound by an import",
            Self::SelfMember => "member of self, over the MRO",
            Self::Fixture => "pytest fixture by parameter name",
            Self::Constructed => "receiver constructed here",
            Self::Annotated => "receiver's annotation",
            Self::Returned => "returned value",
            Self::Stored => "value kept in between",
            Self::Passed => "value passed by a caller",
            Self::Element => "element of a container",
            Self::Dispatched => "override reached through its base",
            Self::Wrapped => "behind a decorator",
            Self::Text => "named in a string",
            Self::Name => "only the name fits",
            Self::Choice => "one of several types",
            Self::Implicit => "special method of a value from elsewhere",
            Self::Implemented => "implementation of what a base leaves open",
            Self::Crowd => "one of many values",
            Self::Fitting => "class that fits a protocol",
            Self::Script => "run as a script",
            Self::Parametrized => "value of a parametrized test",
            Self::Tested => "receiver's class tested here",
            Self::Inherited => "run by a library's base class",
            Self::Conditional => "run by a library's base class under a condition",
            Self::Failure => "run by a library's base class on errors",
        }
    }
}
