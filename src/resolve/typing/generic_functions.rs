//! Type variables of functions: what one declares to give by a variable is what it is passed for it.
//!
//! Goes in: `first(items: Iterable[T]) -> T`, `make(cls: type[T]) -> list[T]`, `run(work: Callable[[], T]) -> T` and the like.
//! Comes out, where it is called: what fits what it is called with. Also what classes hold that derive from `list[Item]`. Those
//! of classes are in `type_arguments`.

use crate::resolve::library::known::{self, Known};

pub(crate) fn is_mapping(base: u64) -> bool {
    const DERIVED: [u64; 4] = [
        known::dotted("builtins.dict"),
        known::dotted("collections.OrderedDict"),
        known::dotted("collections.UserDict"),
        known::dotted("collections.Counter"),
    ];
    DERIVED.contains(&base) || known::known(base) == Some(Known::MappingOf)
}

pub(crate) fn is_sequence(base: u64) -> bool {
    const BUILTIN: [u64; 6] = [
        known::dotted("builtins.list"),
        known::dotted("builtins.tuple"),
        known::dotted("builtins.set"),
        known::dotted("builtins.frozenset"),
        known::dotted("collections.UserList"),
        known::dotted("collections.deque"),
    ];
    BUILTIN.contains(&base) || known::known(base) == Some(Known::SequenceOf)
}
