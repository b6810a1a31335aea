//! Members of builtin classes and of `unittest.TestCase`. `__getattr__` of a derived class is not asked for them, and
//! an attribute that is set under a computed name is none of them.
//!
//! The lists follow <https://docs.python.org/3/library/stdtypes.html> and `unittest.html` beside it. They leave out
//! special methods: each class inherits those that count.

use crate::{
    model::Basis,
    resolve::library::known::{NONE_TYPE, dotted},
};

/// Whether a class of the library is known to have this attribute.
pub(crate) fn has(class: u64, name: &str) -> bool {
    any_has(&[class], name)
}

/// Whether one of these classes is known to have this attribute.
fn any_has(wanted: &[u64], name: &str) -> bool {
    let mut rows = MEMBERS.iter().filter(|(classes, _)| classes.iter().any(|class| wanted.contains(class)));
    rows.any(|(_, members)| members.split_whitespace().any(|member| member == name))
}

/// Whether the receiver of `name` must be another object than this one of an outside class. `None` and built-in values
/// that were stored or passed lack the member, so another value is there that was not seen.
pub(crate) fn is_other_than(class: u64, basis: Basis, name: &str) -> bool {
    class == NONE_TYPE
        || basis.is_of_value() && PLAIN.contains(&class) && !name.starts_with("__") && !any_has(&PLAIN, name)
}

/// Classes of literals and of their containers.
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

const MEMBERS: &[(&[u64], &str)] = &[
    (
        &[
            dotted("builtins.dict"),
            dotted("collections.OrderedDict"),
            dotted("collections.defaultdict"),
            dotted("collections.UserDict"),
            dotted("collections.Counter"),
        ],
        "clear copy fromkeys get items keys pop popitem setdefault update values",
    ),
    (&[dotted("collections.OrderedDict")], "move_to_end"),
    (&[dotted("collections.defaultdict")], "default_factory"),
    (&[dotted("collections.UserDict"), dotted("collections.UserList"), dotted("collections.UserString")], "data"),
    (&[dotted("collections.Counter")], "elements most_common subtract total"),
    (
        &[dotted("builtins.list"), dotted("collections.UserList")],
        "append clear copy count extend index insert pop remove reverse sort",
    ),
    (
        &[dotted("collections.deque")],
        "append appendleft clear copy count extend extendleft index insert maxlen pop popleft remove reverse rotate",
    ),
    (&[dotted("builtins.tuple")], "count index"),
    (
        &[dotted("builtins.set")],
        "add clear difference_update discard intersection_update pop remove symmetric_difference_update update",
    ),
    (
        &[dotted("builtins.set"), dotted("builtins.frozenset")],
        "copy difference intersection isdisjoint issubset issuperset symmetric_difference union",
    ),
    (&[dotted("builtins.str"), dotted("builtins.bytes"), dotted("collections.UserString")], TEXT),
    (
        &[dotted("builtins.str"), dotted("collections.UserString")],
        "casefold encode format format_map isdecimal isidentifier isnumeric isprintable",
    ),
    (&[dotted("builtins.bytes")], "decode fromhex hex"),
    (
        &[dotted("builtins.int"), dotted("builtins.float")],
        "as_integer_ratio conjugate from_bytes imag is_integer real to_bytes",
    ),
    (
        &[
            dotted("builtins.BaseException"),
            dotted("builtins.Exception"),
            dotted("builtins.ValueError"),
            dotted("builtins.TypeError"),
            dotted("builtins.RuntimeError"),
            dotted("builtins.KeyError"),
            dotted("builtins.AttributeError"),
            dotted("builtins.LookupError"),
            dotted("builtins.OSError"),
        ],
        "add_note args with_traceback",
    ),
    (
        &[dotted("unittest.TestCase"), dotted("unittest.IsolatedAsyncioTestCase")],
        "addClassCleanup addCleanup addTypeEqualityFunc assertAlmostEqual assertCountEqual assertDictEqual assertEqual
        assertFalse assertGreater assertGreaterEqual assertIn assertIs assertIsInstance assertIsNone assertIsNot
        assertIsNotNone assertLess assertLessEqual assertListEqual assertLogs assertMultiLineEqual assertNoLogs
        assertNotAlmostEqual assertNotEqual assertNotIn assertNotIsInstance assertNotRegex assertRaises assertRaisesRegex
        assertRegex assertSequenceEqual assertSetEqual assertTrue assertTupleEqual assertWarns assertWarnsRegex
        countTestCases debug defaultTestResult doClassCleanups doCleanups enterClassContext enterContext fail
        failureException id longMessage maxDiff run setUp setUpClass shortDescription skipTest subTest tearDown
        tearDownClass",
    ),
    (
        &[dotted("unittest.IsolatedAsyncioTestCase")],
        "addAsyncCleanup asyncSetUp asyncTearDown enterAsyncContext",
    ),
];
