//! Questions about a change of a part of a definition, which never is a change of the definition's existence.

use crate::{harness::TestRepo, strictly::check};

/// Functions and classes with a part of each kind.
fn kit() -> TestRepo {
    TestRepo::new()
        .file("pytest.ini", "[pytest]\npythonpath = src\n")
        .file("src/kit/__init__.py", "")
        .file(
            "src/kit/base.py",
            "def marked(f):\n    \"\"\"Marks a function. It stays.\"\"\"\n    f.is_marked = True\n    return f\n\n\nclass Base:\n    def open(self):\n        self.is_open = True\n\n    def close(self):\n        self.is_open = False\n\n    def run(self):\n        pass\n",
        )
        .file(
            "src/kit/jobs.py",
            "from kit.base import Base, marked\n\n\ndef other(value):\n    return value\n\n\ndef gather(items, limit: int = 3) -> list:\n    \"\"\"Works.\"\"\"\n    found = []\n    for item in items:\n        try:\n            found.append(other(item))\n        except (KeyError, ValueError):\n            raise RuntimeError(item)\n\n    def inner():\n        return 1\n\n    with open('a'):  # return\n        inner()\n    return found\n\n\ndef plain(x):\n    gather(x)\n\n\nclass Worker(Base):\n    def run(self):\n        self.open()\n        yield 1\n\n    @property\n    def name(self):\n        return \"return\"\n\n    @marked\n    def go(self):\n        return plain(self.name)\n",
        )
        .file("tests/test_kit.py", "from kit.jobs import gather\n\n\ndef test_work():\n    assert gather([]) == []\n")
        .commit("first")
}

#[test]
fn a_part_of_a_function_is_not_the_function() {
    check(
        &kit(),
        &[
            (
                "what happens if I drop the return statement of gather",
                "`gather` has a `return` statement: `return found` (src/kit/jobs.py:22); without it the function runs on, and returns `None` where nothing else returns; changing `gather` affects",
            ),
            ("can I remove the return statement from gather?", "no: `gather` has a `return` statement"),
            ("what happens if I remove the return in plain", "`plain` has no `return` statement"),
            ("what if I drop the try in run", "`Base.run` has no `try` statement"),
            (
                "what if I take out the try in gather",
                "`gather` has a `try` statement: `try:` (src/kit/jobs.py:12-15); without it `KeyError` and `ValueError` leaves the function; changing `gather`",
            ),
            (
                "what if I remove the for loop from gather",
                "`gather` has a `for` statement: `for item in items:` (src/kit/jobs.py:11-15)",
            ),
            (
                "what breaks if I remove the raise in gather",
                "(src/kit/jobs.py:15); without it the function runs on where it raised",
            ),
            (
                "what breaks if I delete the with block in gather",
                "`gather` has a `with` statement: `with open('a'): # return` (src/kit/jobs.py:20-21)",
            ),
            (
                "what if I remove the yield in Worker.run",
                "`Worker.run` has a `yield` statement: `yield 1` (src/kit/jobs.py:32)",
            ),
            ("what if the yield in gather is removed", "`gather` has no `yield` statement"),
        ],
    );
}

#[test]
fn what_nothing_runs_changes_nothing() {
    check(
        &kit(),
        &[
            (
                "what breaks if I remove the docstring of gather?",
                "`gather` has a docstring: `\"\"\"Works.\"\"\"` (src/kit/jobs.py:9); nothing that runs changes but what reads `__doc__`",
            ),
            ("is it safe to remove gather's docstring?", "yes: `gather` has a docstring"),
            ("what if I remove the docstring of plain", "`plain` has no docstring"),
            (
                "what happens if I remove the return type of gather",
                "`gather` has a return annotation: `-> list` (src/kit/jobs.py:8); nothing changes at run time",
            ),
            (
                "what if I drop the type hint of limit in gather",
                "`gather` has an annotation: `limit: int` (src/kit/jobs.py:8)",
            ),
            ("what if I drop the return annotation of plain", "`plain` has no return annotation"),
        ],
    );
}

#[test]
fn decorators_bases_and_imports_are_parts() {
    check(
        &kit(),
        &[
            (
                "what breaks if I remove the decorator from Worker.go",
                "`Worker.go` has a decorator: `@marked` (src/kit/jobs.py:38); without it `marked` (src/kit/base.py:1) no longer wraps or registers it: \"Marks a function\"; no dependent of `Worker.go`",
            ),
            (
                "what if I remove the property decorator from Worker.name",
                "without `property` who reads it gets the method and not its value; changing `Worker.name`",
            ),
            (
                "what if I remove the cache decorator from Worker.go",
                "`Worker.go` has no decorator `cache`; it has `@marked`",
            ),
            (
                "what if I remove the base class Base from Worker",
                "`Worker` derives from `Base`: `class Worker(Base):` (src/kit/jobs.py:29); it loses 3 members of `Base` (2 methods), of which its own code uses `open` (src/kit/jobs.py:31); nothing was found",
            ),
            (
                "what happens if I remove the import of marked from jobs.py",
                "src/kit/jobs.py imports `marked`: `from kit.base import Base, marked` (src/kit/jobs.py:1); without it line 38 fails, which reads `marked`",
            ),
            ("what happens if I remove the import of gather from base.py", "src/kit/base.py does not import `gather`"),
        ],
    );
}

#[test]
fn a_call_in_a_function_is_not_the_called_function() {
    let called = "`plain` calls `gather` in 1 statement: `gather(x)` (src/kit/jobs.py:26); nothing uses its result; `gather` (src/kit/jobs.py:8) sets no attribute itself, and stays as it is; changing `plain` affects";
    check(
        &kit(),
        &[
            ("what if I delete the call to gather in plain", called),
            ("what happens if plain no longer calls gather?", called),
            (
                "what if I remove the call to other in gather",
                "`gather` calls `other` in 1 statement: `found.append(other(item))` (src/kit/jobs.py:13); the rest of the statement needs its result",
            ),
            ("what if I remove the call to other in plain", "`plain` does not call `other` itself"),
            (
                "what if I remove the self.open() call from Worker.run",
                "`Base.open` (src/kit/base.py:8) sets `self.is_open`, and stays as it is",
            ),
        ],
    );
}
