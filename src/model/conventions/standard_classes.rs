//! The classes of Python's standard library: what is above them, their metaclasses, and whether their instances can be
//! hashed.

use std::{collections::BTreeMap, sync::OnceLock};

use super::last_part;

/// A class in each line: its name, its metaclass, its [`HashRule`] as a sign, and the names of all classes above it but
/// `object` in the order of lookup. Those of CPython 3.11, as `training/standard_classes.py` writes them.
const TABLE: &str = include_str!("standard_classes.txt");

/// The part of a class in the hash of the classes below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashRule {
    Hashable,
    Unhashable,
    /// Other bases decide.
    Neutral,
}

/// A class of the standard library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandardClass {
    /// The last names of all classes above it but `object`, in the order in which Python looks through them.
    pub above: Vec<&'static str>,
    /// The dotted name of its metaclass.
    pub metaclass: &'static str,
    pub hash: HashRule,
    /// It is a metaclass itself.
    pub is_metaclass: bool,
}

/// The class of the standard library that a base names, where it is known: `dict`, `abc.ABC`, `ValueError`. A builtin
/// class has a name without dots.
pub fn standard_class(name: &str) -> Option<&'static StandardClass> {
    let classes = classes();
    let name = name.strip_prefix("builtins.").unwrap_or(name);
    // A library that gives newer classes of `typing` to older versions.
    match name.strip_prefix("typing_extensions.") {
        Some(last) => classes.get(format!("typing.{last}").as_str()),
        None => classes.get(name),
    }
}

/// The same for a name that may lack its module: `EnumMeta`.
pub fn standard_class_called(name: &str) -> Option<&'static StandardClass> {
    let of_a_module = || classes().iter().find(|(known, _)| last_part(known) == name).map(|(_, class)| class);
    standard_class(name).or_else(of_a_module)
}

fn classes() -> &'static BTreeMap<&'static str, StandardClass> {
    static CLASSES: OnceLock<BTreeMap<&str, StandardClass>> = OnceLock::new();
    CLASSES.get_or_init(|| TABLE.lines().filter_map(read).collect())
}

fn read(line: &'static str) -> Option<(&'static str, StandardClass)> {
    let mut words = line.split(' ');
    let (name, metaclass, hash) = (words.next()?, words.next()?, words.next()?);
    let hash = match hash {
        "+" => HashRule::Hashable,
        "-" => HashRule::Unhashable,
        _ => HashRule::Neutral,
    };
    let above: Vec<_> = words.collect();
    let is_metaclass = name == "type" || above.contains(&"type");
    Some((name, StandardClass { above, metaclass, hash, is_metaclass }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_the_standard_library_have_all_their_bases() {
        let above = |name: &str| standard_class(name).map(|class| class.above.as_slice());
        assert_eq!(above("json.JSONDecodeError"), Some(&["ValueError", "Exception", "BaseException"][..]));
        assert_eq!(above("bool"), Some(&["int"][..]));
        assert_eq!(above("threading.Thread"), Some(&[][..]));
        assert_eq!(above("simplejson.JSONDecodeError"), None);
    }

    #[test]
    fn classes_are_known_by_their_modules_with_hash_and_metaclass() {
        let of = |name: &str| standard_class(name).map(|class| (class.hash, class.metaclass));
        assert_eq!(of("abc.ABC"), Some((HashRule::Neutral, "abc.ABCMeta")));
        assert_eq!(of("enum.IntEnum"), Some((HashRule::Hashable, "enum.EnumMeta")));
        assert_eq!(of("dict"), Some((HashRule::Unhashable, "type")));
        assert_eq!(of("typing_extensions.Protocol"), Some((HashRule::Neutral, "abc.ABCMeta")));
        assert_eq!([of("lib.Enum"), of("Unheard"), of("make()")], [None, None, None]);
        assert!(standard_class("abc.ABCMeta").is_some_and(|class| class.is_metaclass));
    }
}
