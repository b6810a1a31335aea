//! Questions for lists under conditions, each with the truth that the source says.

use crate::{harness::TestRepo, strictly::check};

/// A list of untested definitions and the question for the tests of one of them follow the same steps.
#[test]
fn a_definition_that_tests_may_reach_is_not_listed_as_untested() {
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\npythonpath = src\n")
        .file(
            "src/box.py",
            "class Bag:\n    def put(self, item):\n        return item\n\n    def drop(self, item):\n        return item\n\n\ndef fill(bag, items):\n    for item in items:\n        bag.put(item)\n\n\ndef alone():\n    return 1\n",
        )
        .file("tests/test_box.py", "from box import Bag, fill\n\n\ndef test_fill(maker):\n    fill(maker(), [1])\n\n\ndef test_bag():\n    assert Bag\n")
        .commit("first");
    let text = repo.run(["ask", "which functions are not covered by tests", "--all"]).code(0).stdout;
    let (uncovered, rest) = text.split_once("cannot be told: ").expect("some cannot be told");
    assert!(uncovered.contains("box.alone") && !uncovered.contains("Bag.put"), "{text}");
    assert!(rest.contains("Bag.put") && !text.contains("exact"), "{text}");
}

/// A `return` says what a function returns where no annotation does.
#[test]
fn returned_values_are_read_off_statements() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "class Money:\n    def __add__(self, other):\n        if other is None:\n            return NotImplemented\n        return self\n\n    def parts(self):\n        return 1, 2\n\n\ndef pair() -> tuple[int, int]:\n    return make()\n\n\ndef make():\n    return load()\n\n\ndef nothing(x):\n    if x:\n        return\n    return None\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("which functions return NotImplemented", "1 function outside of tests (returns `NotImplemented`)"),
            ("which methods return NotImplemented", "1 method outside of tests (returns `NotImplemented`)"),
            (
                "which functions return a tuple",
                "2 functions outside of tests (returns `tuple`); 1 by annotation (0 `-> tuple` alone), 1 by `return` statements; 3 functions without an annotation may return `tuple`",
            ),
            ("which functions return None", "1 function outside of tests (returns `None`)"),
        ],
    );
}
