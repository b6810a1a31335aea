//! Classes of Python itself, by their last names: whether their instances are hashable, and which metaclass they have.

use super::last_part;

/// The part of a class in the hash of the classes below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashRule {
    Hashable,
    Unhashable,
    /// Other bases decide.
    Neutral,
}

/// A class of Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PythonClass {
    pub hash: HashRule,
    /// The dotted name of its metaclass.
    pub metaclass: &'static str,
    /// It is a metaclass itself.
    pub is_metaclass: bool,
}

/// Metaclasses, whose instances are classes.
const METACLASSES: &str = "ABCMeta EnumMeta EnumType type";
/// Classes whose instances are hashable, and those whose instances are not.
const HASHABLE: &str = "Decimal Enum Flag Fraction IntEnum IntFlag NamedTuple Path PurePath StrEnum Thread Tuple UserString \
     bytes complex date datetime float frozenset int str tuple";
const UNHASHABLE: &str = "Counter DefaultDict Dict List Mapping MutableMapping MutableSet OrderedDict Set SimpleNamespace TypedDict \
     UserDict UserList array bytearray defaultdict deque dict list set";
/// Classes that leave the hash to others.
const NEUTRAL: &str = "ABC Generic Iterable Iterator Protocol object";
/// Classes with a metaclass other than `type`.
const ABSTRACT: &str = "ABC Iterable Iterator Mapping MutableMapping MutableSet Protocol UserDict UserList UserString";
const ENUMERATIONS: &str = "Enum Flag IntEnum IntFlag StrEnum";
/// Modules that have these classes.
const MODULES: &str = "abc array builtins collections collections.abc datetime decimal enum fractions pathlib threading types \
     typing typing_extensions";

/// The class of Python that a base names, where it is known: `dict`, `abc.ABC`, `ValueError`.
pub fn python_class(base: &str) -> Option<PythonClass> {
    let last = last_part(base);
    let is_of = |words: &str| words.split_whitespace().any(|word| word == last);
    let is_exception = ["Error", "Exception", "Warning", "Exit", "Interrupt"].iter().any(|end| last.ends_with(end));
    let is_metaclass = is_of(METACLASSES);
    let hash = match () {
        () if !is_of_python(base) => return None,
        () if is_of(NEUTRAL) => HashRule::Neutral,
        () if is_of(UNHASHABLE) => HashRule::Unhashable,
        () if is_of(HASHABLE) || is_exception || is_metaclass => HashRule::Hashable,
        () => return None,
    };
    let metaclass = match () {
        () if is_of(ABSTRACT) => "abc.ABCMeta",
        () if is_of(ENUMERATIONS) => "enum.EnumMeta",
        () => "type",
    };
    Some(PythonClass { hash, metaclass, is_metaclass })
}

/// Whether a base is Python's own: of a module of it, or a builtin class.
pub fn is_of_python(base: &str) -> bool {
    let module = base.strip_suffix(last_part(base)).unwrap_or_default().trim_end_matches('.');
    // A name without a dot is a builtin class, or a value that the file makes.
    module.is_empty() && !base.ends_with(')') || MODULES.split_whitespace().any(|known| known == module)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_python_are_known_by_their_modules() {
        let of = |base: &str| python_class(base).map(|class| (class.hash, class.metaclass));
        assert_eq!(of("abc.ABC"), Some((HashRule::Neutral, "abc.ABCMeta")));
        assert_eq!(of("enum.IntEnum"), Some((HashRule::Hashable, "enum.EnumMeta")));
        assert_eq!(of("dict"), Some((HashRule::Unhashable, "type")));
        assert_eq!(of("ValueError"), Some((HashRule::Hashable, "type")));
        assert_eq!([of("lib.Enum"), of("Unheard"), of("make()")], [None, None, None]);
        assert!(python_class("abc.ABCMeta").is_some_and(|class| class.is_metaclass));
    }
}
