//! Base classes of Python, by whether they call the methods that a derived class defines.

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

/// Whether a base with this last name calls nothing that a derived class adds.
pub fn is_silent(name: &str) -> bool {
    SILENT.contains(&name) || SILENT_ENDS.iter().any(|end| name.ends_with(end))
}

/// Whether a base with this last name is one of Python's abstract containers.
pub fn is_container(name: &str) -> bool {
    CONTAINERS.contains(&name)
}
