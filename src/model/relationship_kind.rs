//! The kinds of relationships. A new kind is a variant with the next code, its place in `ALL` and its row.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a source entity depends on its target. The discriminants are the codes in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum RelationshipKind {
    Calls = 0,
    References = 1,
    Reads = 2,
    Writes = 3,
    Imports = 4,
    Inherits = 5,
    Overrides = 6,
    Decorates = 7,
    Annotates = 8,
    Raises = 9,
    UsesFixture = 10,
    Tests = 11,
    /// Parent → child; derived from the entities when read, never stored.
    Contains = 12,
    /// A framework runs the source when the target is used: a view and its application, a command and its group.
    Registers = 13,
    /// Links the definition in a module with the one in the stub beside it.
    Declares = 14,
    /// Links a member of a protocol with that of a class which fits the protocol without deriving from it. Stored with
    /// the protocol, on which it depends; queries read it as an override.
    ImplementedBy = 15,
}

/// A property of a kind of relationship, see the methods of [`RelationshipKind`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum KindTrait {
    Use,
    Runs,
    OtherName,
    Structure,
    Members,
}

/// The end of a relationship whose code may run when that of the other end does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunsNext {
    Target,
    Source,
    Neither,
}

/// The word of a kind, the end that runs next, and the traits.
struct KindRow(&'static str, RunsNext, &'static [KindTrait]);

impl RelationshipKind {
    /// Every kind, in the order of their codes.
    pub const ALL: [RelationshipKind; 16] = [
        Self::Calls,
        Self::References,
        Self::Reads,
        Self::Writes,
        Self::Imports,
        Self::Inherits,
        Self::Overrides,
        Self::Decorates,
        Self::Annotates,
        Self::Raises,
        Self::UsesFixture,
        Self::Tests,
        Self::Contains,
        Self::Registers,
        Self::Declares,
        Self::ImplementedBy,
    ];

    /// The word used in output and in the index.
    pub fn as_str(self) -> &'static str {
        self.row().0
    }

    /// Whether the source breaks when the target is gone, because its code names it.
    pub fn is_use(self) -> bool {
        self.row().2.contains(&KindTrait::Use)
    }

    /// Whether the source depends on the target's behavior when it runs.
    pub fn runs_target(self) -> bool {
        self.row().2.contains(&KindTrait::Runs)
    }

    /// Whether the place spells the target's name in a way of its own, or not at all.
    pub fn spells_its_name(self) -> bool {
        self.row().2.contains(&KindTrait::OtherName)
    }

    /// Whether it relates definitions, so that the walk of impact reads it with the file of its source.
    pub fn is_structure(self) -> bool {
        self.row().2.contains(&KindTrait::Structure)
    }

    /// Whether it relates a member to another one that can run in its place.
    pub fn is_of_members(self) -> bool {
        self.row().2.contains(&KindTrait::Members)
    }

    /// The end that may run when the other one does: a caller runs the function that it calls, a base method the one
    /// that overrides it.
    pub fn runs_next(self) -> RunsNext {
        self.row().1
    }

    /// Whatever the methods above tell of the kind.
    const fn row(self) -> KindRow {
        use KindTrait::{Members, OtherName, Runs, Structure, Use};
        use RunsNext::{Neither, Source, Target};
        match self {
            Self::Calls => KindRow("calls", Target, &[Use, Runs]),
            Self::References => KindRow("references", Target, &[Use, Runs]),
            Self::Reads => KindRow("reads", Target, &[Use, Runs]),
            Self::Writes => KindRow("writes", Neither, &[Use]),
            Self::Imports => KindRow("imports", Neither, &[Use, OtherName]),
            // A class runs the methods of its bases.
            Self::Inherits => KindRow("inherits", Target, &[Use, Runs, Structure]),
            // A call of a base method may run the override.
            Self::Overrides => KindRow("overrides", Source, &[OtherName, Structure, Members]),
            Self::Decorates => KindRow("decorates", Target, &[Use, Runs]),
            Self::Annotates => KindRow("annotates", Neither, &[Use]),
            Self::Raises => KindRow("raises", Target, &[Use, Runs]),
            Self::UsesFixture => KindRow("uses_fixture", Target, &[Use, Runs, OtherName]),
            Self::Tests => KindRow("tests", Target, &[Use, Runs]),
            Self::Contains => KindRow("contains", Neither, &[OtherName]),
            Self::Registers => KindRow("registers", Source, &[Runs, Structure]),
            Self::Declares => KindRow("declares", Neither, &[Use, Runs]),
            // A call of a protocol's member may run the member of a class that fits the protocol.
            Self::ImplementedBy => KindRow("implemented_by", Target, &[OtherName, Structure, Members]),
        }
    }

    /// The kind with this code, if there is one.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

impl fmt::Display for RelationshipKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_follow_the_list_and_words_are_those_of_json() {
        for (code, kind) in RelationshipKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, code);
            assert_eq!(RelationshipKind::from_code(kind as u8), Some(kind));
            assert_eq!(serde_json::to_value(kind).expect("a word"), kind.as_str());
        }
    }
}
