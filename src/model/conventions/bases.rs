//! Base classes of Python: those above the classes of its standard library, and whether a base calls the methods that a
//! derived class defines.

use std::{collections::BTreeMap, sync::OnceLock};

use super::last_part;

/// The classes of the standard library, each in a line with the names of all classes above it but `object`: those of
/// CPython 3.11, as `training/standard_bases.py` writes them.
const STANDARD: &str = include_str!("standard_bases.txt");

/// Bases that call no method which a derived class defines under a name of its own.
const SILENT: [&str; 16] = [
    "ABC",
    "BaseException",
    "Enum",
    "Exception",
    "Flag",
    "Generic",
    "IntEnum",
    "IntFlag",
    "NamedTuple",
    "Protocol",
    "StrEnum",
    "TypedDict",
    "bytes",
    "dict",
    "object",
    "str",
];

/// Ends of the names of further silent bases: exceptions.
const SILENT_ENDS: [&str; 2] = ["Error", "Warning"];

/// Bases whose own methods call the special methods of a derived class.
const CONTAINERS: [&str; 12] = [
    "AsyncIterator",
    "Collection",
    "Container",
    "Iterable",
    "Iterator",
    "Mapping",
    "MutableMapping",
    "MutableSequence",
    "MutableSet",
    "Sequence",
    "Set",
    "UserDict",
];

/// Bases that share their last name with a silent one: an event loop calls the methods of its protocols.
const LOUD: [&str; 2] = ["asyncio.Protocol", "asyncio.protocols.Protocol"];

/// The names of all classes above a class of the standard library but `object`; `None` for a class that is not known.
/// A builtin class has a name without dots.
pub fn above_standard(name: &str) -> Option<&'static [&'static str]> {
    static CLASSES: OnceLock<BTreeMap<&str, Vec<&str>>> = OnceLock::new();
    let classes = CLASSES.get_or_init(|| {
        let words = STANDARD.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        words.map(|words| (words[0], words[1..].to_vec())).collect()
    });
    classes.get(name.strip_prefix("builtins.").unwrap_or(name)).map(Vec::as_slice)
}

/// Whether a base of this dotted name calls nothing that a derived class adds. Only its last part may be known.
pub fn is_silent(name: &str) -> bool {
    let last = last_part(name);
    !LOUD.contains(&name) && (SILENT.contains(&last) || SILENT_ENDS.iter().any(|end| last.ends_with(end)))
}

/// Whether a base with this last name is one of Python's abstract containers.
pub fn is_container(name: &str) -> bool {
    CONTAINERS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::above_standard;

    #[test]
    fn classes_of_the_standard_library_have_all_their_bases() {
        assert_eq!(above_standard("json.JSONDecodeError"), Some(&["BaseException", "Exception", "ValueError"][..]));
        assert_eq!(above_standard("bool"), Some(&["int"][..]));
        assert_eq!(above_standard("threading.Thread"), Some(&[][..]));
        assert_eq!(above_standard("simplejson.JSONDecodeError"), None);
    }
}
