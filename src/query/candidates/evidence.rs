//! The probability of one of several candidates.
//!
//! Each trait multiplies a weight. The case that the occurrence means none of the definitions has a weight too, and
//! the probability of a definition is its share of the sum.

use serde::{Serialize, Serializer};

use crate::model::{Unresolved, UnresolvedReason};

/// A property of a definition at an occurrence, or of an occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trait {
    /// The receiver is called like the class: `http_client` and `HttpClient`.
    CalledSame,
    /// Or like a part of it: `client`.
    CalledAlike,
    /// The class has the one other attribute that is asked of the receiver, and built-in types have not.
    HasOne,
    /// It has all of several such.
    HasAll,
    /// Its class lacks some of the attributes that the code asks of the receiver.
    Lacks,
    /// It stands in the file of the occurrence.
    SameFile,
    /// The file names the class, or one that derives from it.
    Named,
    /// The file refers to something beside the class.
    Refers,
    /// A property whose value is called.
    PropertyCalled,
    /// A method that is read and not called.
    MethodRead,
    /// A variable, called.
    VariableCalled,
    /// It has parameters of the names that are passed.
    TakesKeywords,
    /// It is awaited, and no `async def`.
    NotAsync,
    /// Its parameters do not fit the arguments, but a decorator may take others.
    Misfit,
    /// Its body is left to derived classes.
    LeftOpen,
    /// The occurrence stands in the definition itself: a wrapper that delegates to another definition of that name.
    Itself,
    /// Asked of `self`, and some class derives from its class and that of `self`.
    Related,
    /// Built-in types have such a member too.
    Common,
    /// The type of the receiver is known, and lacks the member.
    Missing,
    /// The receiver is `self` or `cls`.
    OfSelf,
    /// The receiver has no name.
    OfExpression,
    /// It is read and not called.
    NotCalled,
}

/// The factor of each trait, in their order: first those of a definition, then, from [`Trait::Common`] on, those of
/// the occurrence, which speak for none of the definitions.
///
/// As `benches/candidates.py` prints it: fitted by maximum likelihood to the 6,237 pairs of an occurrence and a
/// definition of 32 projects whose tests were traced (benches/history/2026-11.md names them). Fitted without a project,
/// the probabilities of all are off by .037. Factors that no trace shows are set by hand.
const FACTORS: [(Trait, f64); Trait::NotCalled as usize + 1] = [
    (Trait::CalledSame, 4.5),     // 390 pairs, 0.73 of them true
    (Trait::CalledAlike, 2.1),    // 671 pairs, 0.48 of them true
    (Trait::HasOne, 2.5),         // 524 pairs, 0.59 of them true
    (Trait::HasAll, 3.4),         // 343 pairs, 0.77 of them true
    (Trait::Lacks, 0.42),         // 867 pairs, 0.08 of them true
    (Trait::SameFile, 3.8),       // 743 pairs, 0.52 of them true
    (Trait::Named, 6.3),          // 1,437 pairs, 0.53 of them true
    (Trait::Refers, 1.9),         // 965 pairs, 0.26 of them true
    (Trait::PropertyCalled, 0.6), // by hand
    (Trait::MethodRead, 0.6),     // by hand
    (Trait::VariableCalled, 0.5), // by hand
    (Trait::TakesKeywords, 1.4),  // 211 pairs, 0.43 of them true
    (Trait::NotAsync, 0.98),      // 7 pairs, 0.14 of them true
    (Trait::Misfit, 0.64),        // 98 pairs, 0.01 of them true
    (Trait::LeftOpen, 0.63),      // 21 pairs, 0.00 of them true
    (Trait::Itself, 0.77),        // 61 pairs, 0.11 of them true
    (Trait::Related, 1.1),        // 12 pairs, 0.67 of them true
    (Trait::Common, 8.0),         // 1,516 pairs, 0.07 of them true
    (Trait::Missing, 1.3),        // 1,854 pairs, 0.32 of them true
    (Trait::OfSelf, 0.59),        // 406 pairs, 0.52 of them true
    (Trait::OfExpression, 0.92),  // 429 pairs, 0.28 of them true
    (Trait::NotCalled, 1.1),      // 1,504 pairs, 0.26 of them true
];

/// The weight of "none of the definitions" at an occurrence without traits; of the same fit.
const OUTSIDE: f64 = 1.5;

/// Traits that are true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits(u32);

impl Traits {
    pub(crate) fn set(&mut self, of: Trait, is_true: bool) {
        self.0 |= u32::from(is_true) << of as u32;
    }

    /// The product of their factors.
    pub(crate) fn weight(self) -> f64 {
        FACTORS.iter().filter(|(of, _)| self.has(*of)).map(|(_, factor)| factor).product()
    }

    fn has(self, of: Trait) -> bool {
        self.0 >> of as u32 & 1 == 1
    }

    /// Evidence that the occurrence means none of the definitions.
    pub(crate) fn of(occurrence: &Unresolved) -> Self {
        let mut traits = Self::default();
        let is_own = matches!(occurrence.receiver.as_str(), "self" | "cls");
        let is_attribute = occurrence.reason.is_of_attribute();
        traits.set(Trait::Common, is_attribute && is_common_member(&occurrence.name));
        traits.set(Trait::Missing, occurrence.reason == UnresolvedReason::MissingMember);
        traits.set(Trait::OfSelf, is_own);
        traits.set(Trait::OfExpression, is_attribute && occurrence.receiver.is_empty());
        traits.set(Trait::NotCalled, occurrence.call.is_none());
        traits
    }

    /// The weight of "none of the definitions".
    pub(crate) fn outside(self) -> f64 {
        OUTSIDE * self.weight()
    }
}

impl Serialize for Traits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(FACTORS.iter().map(|(of, _)| of).filter(|of| self.has(**of)))
    }
}

impl schemars::JsonSchema for Traits {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Traits".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        <Vec<Trait>>::json_schema(generator)
    }
}

/// Members of strings, lists, dictionaries, sets, files and the like: an unknown receiver is often one of these.
pub(crate) fn is_common_member(name: &str) -> bool {
    matches!(
        name,
        "add"
            | "append"
            | "clear"
            | "close"
            | "copy"
            | "count"
            | "decode"
            | "encode"
            | "endswith"
            | "extend"
            | "find"
            | "flush"
            | "format"
            | "get"
            | "group"
            | "groups"
            | "index"
            | "insert"
            | "intersection"
            | "items"
            | "join"
            | "keys"
            | "lower"
            | "lstrip"
            | "match"
            | "name"
            | "open"
            | "pop"
            | "popitem"
            | "read"
            | "readline"
            | "remove"
            | "replace"
            | "reverse"
            | "rstrip"
            | "search"
            | "seek"
            | "send"
            | "setdefault"
            | "shape"
            | "sort"
            | "split"
            | "splitlines"
            | "start"
            | "startswith"
            | "strip"
            | "sub"
            | "title"
            | "union"
            | "update"
            | "upper"
            | "value"
            | "values"
            | "write"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_every_trait_at_its_place() {
        for (at, (of, _)) in FACTORS.iter().enumerate() {
            assert_eq!(*of as usize, at, "{of:?}");
        }
    }

    #[test]
    fn traits_are_told_by_their_names() {
        let mut traits = Traits::default();
        traits.set(Trait::NotCalled, true);
        traits.set(Trait::CalledSame, true);
        traits.set(Trait::Lacks, false);
        assert_eq!(serde_json::to_string(&traits).unwrap(), r#"["called_same","not_called"]"#);
    }
}
