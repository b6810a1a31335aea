//! Slots: the places inside a container, and the parts of a class that have no name.
//!
//! Both stand in the keys of questions in the place of a name's hash, so their small codes share a range with hashes.

use crate::facts::names::mix;

/// A place inside a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Under a key that is not known.
    Any,
    /// All elements, whatever their key.
    All,
    /// The last element of a list that is written out.
    Last,
    /// The keys of a dict.
    Keys,
    /// Under a constant key: the hash of a text, or of an index.
    Known(u64),
}

/// A part of a class that has no name of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unnamed {
    /// Attributes stored under a name that is not known.
    AnyName,
    /// Whether the `__setattr__` of a class passes its arguments on.
    HandedOn,
}

/// Stands in the key of a question for what is put on a class itself under a name, and not on its instances.
pub(crate) const fn on_class(name: u64) -> u64 {
    mix(0xc1a5 ^ name)
}

impl Slot {
    /// The slot of an integer index.
    pub fn index(index: i64) -> Slot {
        Slot::Known(mix(0x5107 ^ index.cast_unsigned()))
    }

    /// Stands for the slot in the key of a question.
    pub(crate) const fn encode(self) -> u64 {
        match self {
            Slot::Any => 1,
            Slot::All => 2,
            Slot::Last => 3,
            Slot::Keys => 4,
            Slot::Known(hash) => hash,
        }
    }
}

impl Unnamed {
    /// Stands in the key of a question in place of an attribute's name.
    pub(crate) const fn encode(self) -> u64 {
        match self {
            Unnamed::AnyName => 1,
            Unnamed::HandedOn => 3,
        }
    }
}
