//! How strongly each kind of relationship carries a change: a factor for the probability, by the kinds of the
//! relationship and of the change, or none.

use serde::Serialize;

use crate::{
    model::{Basis, Relationship, RelationshipKind},
    query::impact::walk::Role,
};

/// The change to the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It does something else.
    #[default]
    Body,
    /// It takes other arguments.
    Signature,
    /// It is gone.
    Remove,
    /// It has another name.
    Rename,
    /// A parameter loses its default.
    Require,
    /// A parameter can only be given by keyword.
    KeywordOnly,
}

impl Change {
    /// The word in output and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Signature => "signature",
            Self::Remove => "remove",
            Self::Rename => "rename",
            Self::Require => "require",
            Self::KeywordOnly => "keyword-only",
        }
    }

    /// The change in words: those before and those behind the definition or parameter.
    pub fn verb(self) -> (&'static str, &'static str) {
        match self {
            Self::Body | Self::Signature => ("changing", ""),
            Self::Remove => ("removing", ""),
            Self::Rename => ("renaming", ""),
            Self::Require => ("requiring", ""),
            Self::KeywordOnly => ("making", " keyword-only"),
        }
    }

    /// The effect on a direct dependent.
    pub fn effect(self, kind: RelationshipKind) -> &'static str {
        match (self, kind) {
            (_, RelationshipKind::Declares) => "is the same in a module and its stub",
            (Self::Body, RelationshipKind::Imports) => "imports it",
            (Self::Body, _) => "may behave differently",
            (Self::Signature | Self::Require | Self::KeywordOnly, RelationshipKind::Overrides) => {
                "no longer matches its base"
            }
            (Self::Signature | Self::Require | Self::KeywordOnly, _) => "may break with TypeError",
            (Self::Remove | Self::Rename, RelationshipKind::Imports) => "fails to import",
            (Self::Remove | Self::Rename, RelationshipKind::Overrides) => "overrides nothing any more",
            (Self::Remove | Self::Rename, _) => "breaks",
        }
    }

    /// It takes other arguments.
    pub fn is_of_parameters(self) -> bool {
        matches!(self, Self::Signature | Self::Require | Self::KeywordOnly)
    }

    /// The name is no longer there.
    pub fn takes_the_name(self) -> bool {
        matches!(self, Self::Remove | Self::Rename)
    }
}

/// Probability in 0..=1 that a call through a base method reaches one override of it: an abstract one must have an
/// override. Calls on `self`, which reach it more often, lead to the override themselves. With .3 for one with a body,
/// .21 was claimed of the tests that only such a chain leads to, and .13 ran the function (43,068 tests of 28
/// projects).
pub fn dispatch(is_abstract: bool) -> f64 {
    if is_abstract { 0.7 } else { 0.2 }
}

/// Whether the source has the target do something, or hands it on.
pub fn is_use(kind: RelationshipKind) -> bool {
    use RelationshipKind as K;
    matches!(kind, K::Calls | K::References | K::Reads | K::Tests)
}

/// Probability that a caller of something affected runs the affected part. With it, chains are as probable as the
/// traces of tests show (benches/history/2026-11.md, Accuracy).
pub const CALLED: f64 = 0.8;

/// Probability that code which passes a definition on has it run. Of tests that run a function which names another as
/// a value .7 run that one; of those with a text that names it, .2 (`benches/steps.py`).
const PASSED_ON: f64 = 0.75;
/// Probability that a class which a text names, in a table of plugins, is made where the text is read.
pub const NAMED_CLASS: f64 = 0.5;

/// Probability that a chain which does not end with this step goes over it: the value has to be the one that those at
/// the beginning of the chain pass, while whoever runs one entry of a container often runs all. With these values and
/// those of [`onward`], `impact` keeps its recall on the twelve projects of benches/history/2026-11.md, and its
/// precision is .02 higher.
pub fn within_chain(basis: Basis) -> f64 {
    match basis {
        Basis::Passed => 0.40,
        Basis::Element => 0.75,
        Basis::Crowd => 0.60,
        basis => basis.probability(),
    }
}

/// The part of a chain's probability that goes on from an entity reached by this step. Of tests that use an override
/// .08 ran the method that it overrides. Of tests that use a decorated function .02 ran code that the decorator calls:
/// it runs once, where the function is defined.
pub fn onward(step: &Relationship, is_direct: bool) -> f64 {
    match (step.kind, step.basis) {
        (RelationshipKind::Overrides, _) => 0.2,
        (RelationshipKind::Decorates, _) => 0.03,
        (_, Basis::Passed) if is_direct => within_chain(Basis::Passed) / Basis::Passed.probability(),
        _ => 1.0,
    }
}

/// Factor for the probability of a chain that goes on over `kind`; `None` when the change does not pass it.
/// `is_direct` says that the relationship leads to the changed entity itself.
pub fn factor(kind: RelationshipKind, role: Role, is_direct: bool, change: Change) -> Option<f64> {
    use RelationshipKind as K;
    if kind == K::Registers {
        return (is_direct && role == Role::Affected).then_some(0.5);
    }
    if role == Role::Importer {
        return (kind == K::Imports).then_some(1.0);
    }
    if role == Role::Registry {
        return match kind {
            K::Calls | K::References | K::Reads | K::Tests | K::UsesFixture | K::Writes => Some(0.9),
            _ => None,
        };
    }
    if role == Role::ReceivesClass {
        return matches!(kind, K::Calls | K::References).then_some(0.9);
    }
    if matches!(role, Role::Dispatcher | Role::Constructed | Role::InstanceHolder) {
        return match kind {
            K::Calls | K::Tests | K::Decorates | K::UsesFixture => Some(1.0),
            K::References | K::Reads if role == Role::Dispatcher => Some(0.9),
            _ => None,
        };
    }
    if !is_direct {
        return match kind {
            K::Calls => Some(CALLED),
            K::Tests | K::UsesFixture => Some(0.99),
            // A variable is read for more than the function that it keeps: with .95, .31 was claimed of the tests that
            // only such a chain leads to, and .10 ran the function (12,499 of twelve projects).
            K::Reads => Some(0.7),
            K::Decorates => Some(0.95),
            K::References => Some(PASSED_ON),
            K::Raises => Some(0.5),
            K::Writes => Some(0.4),
            K::Overrides => Some(0.3),
            // With .2, .11 was claimed of tests that only such a chain leads to, and .03 ran the function (7,236 of
            // twelve projects); but a class that derives from an affected one is affected, run or not.
            K::Inherits => Some(0.15),
            K::Annotates => Some(0.1),
            K::Imports | K::Contains | K::Registers | K::Declares | K::ImplementedBy => None,
        };
    }
    // The parameter decides who is concerned; the way is that of any other signature.
    let change = if change.is_of_parameters() { Change::Signature } else { change };
    match (change, kind) {
        (_, K::Contains | K::Registers | K::ImplementedBy) => None,
        (_, K::Calls | K::Tests | K::UsesFixture) => Some(1.0),
        // A stub declares the parameters and the result of a body.
        (Change::Body, K::Declares) => Some(0.15),
        (Change::Signature, K::Decorates | K::Declares) => Some(1.0),
        (Change::Signature, K::Overrides) => Some(0.6),
        // Handed on as a value: somebody calls it.
        (Change::Signature, K::References | K::Reads) => Some(0.5),
        (Change::Signature, _) => None,
        (Change::Remove | Change::Rename, K::Overrides) => Some(0.3),
        (Change::Remove | Change::Rename, _) => Some(1.0),
        (Change::Body, K::Reads | K::Decorates | K::Inherits) => Some(0.95),
        (Change::Body, K::References) => Some(PASSED_ON),
        (Change::Body, K::Raises) => Some(0.85),
        (Change::Body, K::Writes) => Some(0.5),
        (Change::Body, K::Overrides | K::Annotates) => Some(0.3),
        (Change::Body, K::Imports) => Some(0.15),
        (Change::Require | Change::KeywordOnly, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_goes_on_faintly_past_what_does_not_run_its_target() {
        let step = |kind, basis| {
            let entity = crate::model::EntityId(1);
            Relationship { target: entity, kind, source: entity, line: 1, column: 0, basis }
        };
        let past = |kind| onward(&step(kind, Basis::Scope), true);
        assert!(past(RelationshipKind::Decorates) < past(RelationshipKind::Overrides));
        assert!(past(RelationshipKind::Overrides) < past(RelationshipKind::Calls));
        let passed = step(RelationshipKind::Calls, Basis::Passed);
        assert!(onward(&passed, true) < onward(&passed, false));
        assert!(within_chain(Basis::Passed) < Basis::Passed.probability());
    }
}
