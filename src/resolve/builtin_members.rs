//! What builtin classes have, so that a class which derives from one is not asked for it by `__getattr__`.
//!
//! Goes in: a base outside the repository and the name of an attribute. Comes out: whether the base has it, as far as
//! <https://docs.python.org/3/library/stdtypes.html> says; special methods are not listed, every class inherits those that count.

use super::externals::{NONE_TYPE, dotted};
use crate::model::Basis;

/// Whether a class of the library is known to have this attribute.
pub(super) fn has(class: u64, name: &str) -> bool {
    let mut rows = MEMBERS.iter().filter(|(classes, _)| classes.iter().any(|path| dotted(path) == class));
    rows.any(|(_, members)| members.split_whitespace().any(|member| member == name))
}

/// Whether what is asked for `name` must be something else than this object of a class outside: than `None`, or than a built-in
/// value that was seen to be stored or passed, where no such value has the member: others may be there that were not seen.
pub(super) fn is_other_than(class: u64, basis: Basis, name: &str) -> bool {
    class == NONE_TYPE || basis.is_of_value() && PLAIN.contains(&class) && !name.starts_with("__") && !is_member(name)
}

/// Whether such a built-in value can have this attribute.
fn is_member(name: &str) -> bool {
    let mut of_plain = MEMBERS.iter().filter(|(classes, _)| classes.iter().any(|class| PLAIN.contains(&dotted(class))));
    of_plain.any(|(_, members)| members.split_whitespace().any(|member| member == name))
}

const PLAIN: [u64; 9] = [
    dotted("builtins.str"),
    dotted("builtins.bytes"),
    dotted("builtins.int"),
    dotted("builtins.float"),
    dotted("builtins.list"),
    dotted("builtins.tuple"),
    dotted("builtins.dict"),
    dotted("builtins.set"),
    dotted("builtins.frozenset"),
];

const TEXT: &str = "capitalize center count endswith expandtabs find index isalnum isalpha isascii isdigit islower isspace istitle
    isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit
    rstrip split splitlines startswith strip swapcase title translate upper zfill";

const MEMBERS: &[(&[&str], &str)] = &[
    (
        &[
            "builtins.dict",
            "collections.OrderedDict",
            "collections.defaultdict",
            "collections.UserDict",
            "collections.Counter",
        ],
        "clear copy fromkeys get items keys pop popitem setdefault update values",
    ),
    (&["collections.OrderedDict"], "move_to_end"),
    (&["collections.defaultdict"], "default_factory"),
    (&["collections.UserDict", "collections.UserList", "collections.UserString"], "data"),
    (&["collections.Counter"], "elements most_common subtract total"),
    (&["builtins.list", "collections.UserList"], "append clear copy count extend index insert pop remove reverse sort"),
    (
        &["collections.deque"],
        "append appendleft clear copy count extend extendleft index insert maxlen pop popleft remove reverse rotate",
    ),
    (&["builtins.tuple"], "count index"),
    (
        &["builtins.set"],
        "add clear difference_update discard intersection_update pop remove symmetric_difference_update update",
    ),
    (
        &["builtins.set", "builtins.frozenset"],
        "copy difference intersection isdisjoint issubset issuperset symmetric_difference union",
    ),
    (&["builtins.str", "builtins.bytes", "collections.UserString"], TEXT),
    (
        &["builtins.str", "collections.UserString"],
        "casefold encode format format_map isdecimal isidentifier isnumeric isprintable",
    ),
    (&["builtins.bytes"], "decode fromhex hex"),
    (&["builtins.int", "builtins.float"], "as_integer_ratio conjugate from_bytes imag is_integer real to_bytes"),
    (
        &[
            "builtins.BaseException",
            "builtins.Exception",
            "builtins.ValueError",
            "builtins.TypeError",
            "builtins.RuntimeError",
            "builtins.KeyError",
            "builtins.AttributeError",
            "builtins.LookupError",
            "builtins.OSError",
        ],
        "add_note args with_traceback",
    ),
];
