//! Base classes of Python: whether a base calls the methods that a derived class defines.

use super::last_part;

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

/// Whether a base of this dotted name calls nothing that a derived class adds. Only its last part may be known.
pub fn is_silent(name: &str) -> bool {
    let last = last_part(name);
    !LOUD.contains(&name) && (SILENT.contains(&last) || SILENT_ENDS.iter().any(|end| last.ends_with(end)))
}

/// Whether a base with this last name is one of Python's abstract containers.
pub fn is_container(name: &str) -> bool {
    CONTAINERS.contains(&name)
}
