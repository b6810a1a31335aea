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

/// A repository with further parts, and a method with overloads.
fn more() -> TestRepo {
    TestRepo::new()
        .file(
            "work.py",
            "from typing import overload\n\n\nclass Base:\n    def __init__(self):\n        self._guard_lock = None\n\n\nclass Job(Base):\n    def __init__(self, size):\n        \"\"\"Makes it.\"\"\"\n        super().__init__()\n        self.size = size\n        self.rows: list = []\n        if isinstance(size, str):\n            self.size = int(size)\n        elif size is None:\n            raise ValueError(size)\n\n    @overload\n    def pick(self, at: int) -> int: ...\n    @overload\n    def pick(self, at: str) -> str: ...\n    def pick(self, at):\n        if not at:\n            return None\n        with self._guard_lock:\n            rows = sorted(self.rows, key=lambda row: row[at])\n        return rows\n\n    async def wait(self, other):\n        await other.wait(1)\n        return other\n\n    def copy(self):\n        new = Job(1)\n        new.rows = self.rows\n        raise RuntimeError(new)\n\n\ndef first_of(job):\n    return job.pick(1)\n\n\ndef make():\n    return Job(2).copy(), first_of(Job(1))\n",
        )
        .commit("first")
}

#[test]
fn statements_are_counted_from_both_ends() {
    check(
        &more(),
        &[
            (
                "what happens if I remove the first statement of Job.__init__",
                "line 12 of work.py stands in `Job.__init__` (work.py:10): it is `super().__init__()`",
            ),
            ("what breaks if I delete the last statement of Job.__init__", "lines 15-18 of work.py"),
            ("what happens if I delete the last two statements of Job.pick", "lines 27-29 of work.py"),
            (
                "what happens if I delete the last line of Job.pick",
                "line 29 of work.py stands in `Job.pick` (work.py:24): it is `return rows`",
            ),
            ("what if I delete the last two lines of Job.copy", "lines 37-38 of work.py"),
            (
                "can I drop the final statement of Job.wait",
                "line 33 of work.py stands in `Job.wait` (work.py:31): it is `return other`",
            ),
            ("what happens if I remove the first three lines of Job.copy", "lines 35-37 of work.py"),
            (
                "what if I delete the sixth statement of Job.wait",
                "`Job.wait` has not so many statements: its body has 2 statements",
            ),
        ],
    );
}

#[test]
fn parts_at_one_end_and_of_other_kinds_are_found() {
    check(
        &more(),
        &[
            (
                "what if I remove the raise at the end of Job.copy",
                "`Job.copy` has a `raise` statement: `raise RuntimeError(new)` (work.py:38)",
            ),
            (
                "can I delete the return at the end of Job.pick?",
                "no: `Job.pick` has a `return` statement: `return rows` (work.py:29)",
            ),
            (
                "what happens if I remove the first return of Job.pick",
                "`Job.pick` has a `return` statement: `return None` (work.py:26)",
            ),
            (
                "is it safe to drop the elif in Job.__init__?",
                "no: `Job.__init__` has an `elif` clause: `elif size is None:` (work.py:17-18)",
            ),
            ("what if I drop the elif in Job.pick", "`Job.pick` has no `elif` clause"),
            (
                "what if I remove the assignment to self.rows in Job.__init__",
                "`Job.__init__` has an assignment: `self.rows: list = []` (work.py:14)",
            ),
            (
                "what if I remove the assignment to self.rows in Job.copy",
                "`Job.copy` has an assignment: `new.rows = self.rows` (work.py:37)",
            ),
            (
                "what if I remove the assignment to self.size in Job.pick",
                "`Job.pick` has no assignment with `self.size`",
            ),
            (
                "what if I remove the await in Job.wait",
                "`Job.wait` has an `await` expression: `await other.wait(1)` (work.py:32); without it the coroutine is made, but does not run",
            ),
            ("what if I drop the return value of Job.pick", "`Job.pick` has 2 `return` statements with a value: "),
            (
                "can I remove the isinstance check in Job.__init__?",
                "no: `Job.__init__` has a condition: `if isinstance(size, str):` (work.py:15-16)",
            ),
            ("what if I remove the condition in Job.pick", "`Job.pick` has a condition: `if not at:` (work.py:25-26)"),
            ("what if I remove the lambda in Job.pick", "`Job.pick` has a `lambda` expression: `rows = sorted("),
            ("what if I remove the body of first_of", "the body of `first_of` has 1 line (work.py:42)"),
            (
                "what happens if I remove super().__init__ from Job.__init__",
                "`Job.__init__` calls `super` in 1 statement: `super().__init__()` (work.py:12)",
            ),
            ("drop the return of first_of", "`first_of` has a `return` statement: `return job.pick(1)` (work.py:42)"),
        ],
    );
}

/// Words that stand for no known part are looked for in the code, and are never the whole function.
#[test]
fn an_unknown_part_is_not_the_function() {
    check(
        &more(),
        &[
            (
                "can I remove the lock from Job.pick?",
                "no: `Job.pick` has a word of `lock` in 1 statement: `with self._guard_lock:` (work.py:27-28); changing `Job.pick`",
            ),
            (
                "what if I remove the retry logic from Job.pick",
                "no part of `Job.pick` that could be `retry logic` was found, so this answer is about any change of it; changing `Job.pick`",
            ),
            ("what breaks if I remove size from Job.__init__", "`size`"),
        ],
    );
}

/// A function inside of a function is a part of it, whatever is called `inner` elsewhere.
#[test]
fn an_inner_function_is_a_part() {
    let repo = TestRepo::new()
        .file(
            "marks.py",
            "def marked(f):\n    def wrapper(*args):\n        return f(*args)\n\n    return wrapper\n\n\ndef other():\n    def inner():\n        return 1\n\n    return inner\n\n\ndef plain():\n    return 1\n\n\n@marked\ndef used():\n    return 2\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            (
                "what happens if I remove the inner function in marked",
                "`marked` has an inner function: `def wrapper(*args)` (marks.py:2-3); without it line 5 fails, which reads `wrapper`; changing `marked`",
            ),
            ("can I drop the nested function of marked?", "no: `marked` has a nested function: `def wrapper(*args)`"),
            ("what if I remove the nested function of plain", "`plain` has no nested function"),
        ],
    );
}

/// Lines that do something with a name, which may be a parameter.
#[test]
fn lines_of_a_function_are_told_by_what_they_do() {
    let repo = TestRepo::new()
        .file(
            "box.py",
            "class Box:\n    def fill(self, rows, domain=None, **options):\n        options.pop(\"size\")\n        self.rows.append(rows)\n        self.parts[\"key\"][\"domain\"] = domain\n        if not rows:\n            raise ValueError(f\"none of {rows}\")\n        return load(rows=self.rows)\n\n\ndef load(rows):\n    return rows\n\n\ndef main():\n    Box().fill([1])\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("which line of Box.fill pops size?", "`size` is popped at 1 place in `Box.fill`: line 3 of box.py"),
            (
                "which line in Box.fill appends to self.rows?",
                "`self.rows` is appended to at 1 place in `Box.fill`: line 4",
            ),
            (
                "which line of Box.fill sets the domain?",
                "`domain` is set at 1 place in `box.Box.fill`: line 5 of box.py",
            ),
            (
                "on which line does Box.fill raise ValueError?",
                "`ValueError` is raised at 1 place in `Box.fill`: line 7",
            ),
            (
                "where is the parameter rows of Box.fill used?",
                "the parameter `rows` is used at 3 places in `Box.fill`: lines 4, 6 and 7 of box.py",
            ),
            ("where in Box.fill is domain used?", "the parameter `domain` is used at 1 place in `Box.fill`: line 5"),
            (
                "remove the default of the parameter domain of Box.fill",
                "requiring `domain` of `Box.fill` breaks 1 of 1 call",
            ),
        ],
    );
}
