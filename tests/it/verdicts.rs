//! Questions for yes or no and for sets, whose answers must be true or say that they are not known.

use crate::harness::TestRepo;

/// Each question has this text in its first lines.
fn check(repo: &TestRepo, questions: &[(&str, &str)]) {
    for (question, wanted) in questions {
        let text = repo.run(["ask", question]).stdout;
        let text = text.split("\n= ").next().unwrap_or(&text).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(wanted), "{question}\n  wanted {wanted}\n  found  {text}");
    }
}

fn shop() -> TestRepo {
    TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file("shop/__init__.py", "")
        .file(
            "shop/core.py",
            r#"import warnings
from typing import overload


class Base:
    """A base."""

    def close(self):
        self.flush()

    def flush(self):
        return 1

    @staticmethod
    def make():
        return Base()


class Heir(Base):
    def __len__(self):
        return 1


@overload
def load(name: str) -> str: ...
@overload
def load(name: int) -> int: ...
def load(name):
    if not name:
        raise KeyError(name)
    return used_once(name)


def used_once(name, **others):
    return name


def idle():
    return 1


def old(limit=None):
    """Gives one.

    .. deprecated:: 1.2
    """
    return 1


def warns(limit=None):
    warnings.warn(
        "use old",
        DeprecationWarning,
        stacklevel=2,
    )


def warns_perhaps(limit=None):
    if limit:
        warnings.warn("no limit", DeprecationWarning)


def run():
    Base().close()
    old()
    old()
    old()
"#,
        )
        .file("shop/plain.py", "def alone():\n    return 1\n")
        .file(
            "tests/test_core.py",
            "from shop.core import idle, load\n\n\ndef test_idle():\n    assert idle()\n    assert load(1)\n",
        )
        .commit("first")
}

/// `does X have Y` is answered for `Y`, and never with a yes that only means that there is an `X`.
#[test]
fn a_definition_has_only_what_is_known_of_it() {
    check(
        &shop(),
        &[
            ("does Heir have callers?", "no: no place was found where `shop.core.Heir` is called"),
            ("does used_once have callers?", "yes: `shop.core.used_once` is called at 1 place"),
            ("does idle have tests?", "yes: 1 test concerns `idle`"),
            ("does Heir have subclasses?", "no: no class is derived from `shop.core.Heir`"),
            ("does Base have subclasses?", "yes: 1 class is derived from `shop.core.Base`"),
            ("does Base define __del__?", "no: `shop.core.Base` does not define `__del__`"),
            ("does Base define __len__?", "no: `shop.core.Base` does not define `__len__`"),
            ("does Heir define __len__?", "yes: `shop.core.Heir.__len__` is a method at shop/core.py:20"),
            ("does Heir define close?", "no: `shop.core.Heir` does not define `close` itself; it has the method at"),
            ("does Heir have a method close?", "yes: `shop.core.Heir` has the method at shop/core.py:8"),
            ("does old have a parameter foo?", "no: `shop.core.old` has no parameter `foo`"),
            ("does old have a parameter limit?", "yes: `shop.core.old` has a parameter `limit`"),
            (
                "does used_once have a parameter foo?",
                "no: `shop.core.used_once` has no parameter `foo`, but takes further",
            ),
            ("does old have a docstring?", "yes: `shop.core.old` has a docstring"),
            ("does idle have a docstring?", "no: `shop.core.idle` has no docstring"),
            ("does Base have side effects?", "whether `shop.core.Base` has side effects is not known"),
            ("is there a function called idle in shop/plain.py?", "no: shop/plain.py has no function called `idle`"),
        ],
    );
}

/// Overloads have no bodies: the definition behind them is the one that runs.
#[test]
fn the_body_behind_overloads_is_read() {
    check(
        &shop(),
        &[
            ("what exceptions does load raise", "`load` raises `KeyError`"),
            ("trace load step by step", "`load` calls `used_once`"),
        ],
    );
}

/// A condition is met by all that is listed, or the answer says that it does not understand it.
#[test]
fn a_condition_is_never_dropped_in_silence() {
    let repo = shop();
    check(
        &repo,
        &[
            ("which methods are static?", "1 method outside of tests (static)"),
            ("which functions have only one caller?", "6 functions outside of tests (exactly 1 caller)"),
            ("which functions are only called from tests?", "2 functions outside of tests (called, and only in tests)"),
            ("which function is called the most?", "the most used function outside of tests is `shop.core.old`"),
            ("which functions are called more than 1 time?", "1 function outside of tests (at least 2 calls)"),
            ("which classes have no subclasses", "1 class outside of tests (without subclasses)"),
            ("which modules import nothing?", "2 modules outside of tests (without imports)"),
            ("which modules are not imported by anything?", "1 module outside of tests (without a use)"),
            ("which private functions sing?", "`sing` is not understood and limits nothing"),
            ("list all functions that sing", "which functions are meant is not known: the condition `sing` is not"),
        ],
    );
}

/// A directive, a decorator and a warning say that a definition is deprecated; a warning under a condition may.
#[test]
fn deprecations_are_read_off_docstrings_and_warnings() {
    check(
        &shop(),
        &[
            ("is old deprecated?", "yes: `shop.core.old` is deprecated: `.. deprecated:: 1.2` (shop/core.py:45)"),
            ("is warns deprecated?", "yes: `shop.core.warns` is deprecated: `DeprecationWarning,`"),
            ("is warns_perhaps deprecated?", "perhaps, under a condition: `shop.core.warns_perhaps` speaks of it at"),
            ("is idle deprecated?", "no: `shop.core.idle` has no decorator, docstring, comment or warning that says"),
        ],
    );
}

/// A class of a library may have the name of one here: both are told, as `repoidx tree` does.
#[test]
fn a_base_of_a_library_stands_beside_its_namesake() {
    let repo = TestRepo::new()
        .file("a/__init__.py", "")
        .file("a/own.py", "class Model:\n    pass\n\n\nclass Local(Model):\n    pass\n")
        .file(
            "a/data.py",
            "from pydantic import Model\n\n\nclass User(Model):\n    pass\n\n\nclass Item(Model):\n    pass\n\n\nclass Admin(User):\n    pass\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            (
                "which classes inherit from Model?",
                "2 classes are derived from `pydantic.Model` of a library directly, 3 in all",
            ),
            ("which classes inherit from Model?", "1 class is derived from `a.own.Model` directly"),
        ],
    );
}

/// A definition is older than the file in which it stands now, and a date is no revision.
#[test]
fn the_history_follows_moves_and_knows_dates() {
    let code = "def first_total():\n    return 1\n\n\ndef second_total():\n    return 2\n";
    let repo = TestRepo::new().file("pkg/old.py", code).commit("write it");
    repo.delete("pkg/old.py");
    let repo = repo.commit("out with the old").file("src/new.py", code).commit("in with the new");
    check(
        &repo,
        &[
            ("who wrote first_total?", "`first_total` stands in the code since 2026-01-01, by Ann: write it ("),
            ("who wrote first_total?", "then in pkg/old.py; 1 move brought it to src/new.py"),
            ("what changed in src/new.py since 2001-01-01?", "1 commit changed src/new.py since 2001-01-01"),
            ("what changed in nothing.py since 2001-01-01?", "the changes of `nothing.py` are not known"),
            ("who added teleportation?", "the history of `teleportation` is not known: the words name no definition"),
            ("who has the most commits?", "Ann has 3 of 3 commits, of 1 author"),
        ],
    );
}

/// Files and folders have the history of their former names, and a file that is gone has what became of it.
#[test]
fn the_history_follows_renames_of_files_and_folders() {
    let code = |total: u32| format!("def first_total():\n    return {total}\n\n\ndef second_total():\n    return 2\n");
    let rename = |repo: TestRepo, from: &str, to: &str, message: &str| {
        repo.delete(from);
        repo.file(to, code(1)).commit(message)
    };
    let repo = TestRepo::new().file("lib/old.py", code(1)).commit("write it");
    let repo = rename(repo, "lib/old.py", "src/lib/old.py", "move to src");
    let repo = rename(repo, "src/lib/old.py", "src/lib/new.py", "call it new");
    let repo = repo.file("src/lib/new.py", code(3)).file("gone.py", "x = 1\n").commit("three");
    repo.delete("gone.py");
    let repo = repo.commit("drop gone");
    check(
        &repo,
        &[
            ("when was src/lib changed?", "4 commits changed src/lib (before: lib/old.py)"),
            (
                "what changed in src/lib/new.py since 2001-01-01?",
                "4 commits changed src/lib/new.py (before: src/lib/old.py, lib/old.py) since 2001-01-01",
            ),
            ("what changed in src/lib/new.py in the last 9 commits?", "the last 4 commits, since 2026-01-01"),
            (
                "when was lib/old.py moved?",
                "lib/old.py was renamed to src/lib/old.py by Ann on 2026-01-01: move to src (",
            ),
            ("when was lib/old.py moved?", "; it is src/lib/new.py now"),
            ("who removed gone.py?", "gone.py was removed by Ann on 2026-01-01: drop gone ("),
            ("who wrote first_total?", "`first_total` stands in the code since 2026-01-01, by Ann: write it ("),
        ],
    );
}

/// A shop whose settings, texts and classes the questions below ask for.
fn texts() -> TestRepo {
    TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file("pkg/__init__.py", "")
        .file(
            "pkg/app.py",
            r#"import os

import click

EXAMPLE = """
import nowhere
"""


class Base:
    life = Attribute(
        "SESSION_LIFE",
        convert=int,
    )

    def check(self):
        raise KeyError("x")

    def add(self):
        return len(self)


class Middle(Base):
    def add(self):
        return 2


class Leaf(Middle):
    def check(self):
        return send("a")


def send(path, kind=None, size=None):
    print("Aborted now!")
    return os.environ.get("HOME_PATH")


def limit_of(limit=None):
    """See the manual.

    from yourapp import thing
    """
    return send("b", kind=1)
"#,
        )
        .file(
            "tests/test_app.py",
            "from pkg.app import Base\n\n\nclass Fake(Base):\n    def __len__(self):\n        return 1\n",
        )
        .file("docs/guide.md", "# Guide\n\nSESSION_LIFE is the life of a session.\n")
        .commit("first")
}

/// The first line answers the question, and leaves no name of it out.
#[test]
fn the_first_line_answers_what_is_asked() {
    check(
        &texts(),
        &[
            ("what uses the SESSION_LIFE setting", "`SESSION_LIFE` is read at 1 place, first in `pkg.app.Base.life`"),
            ("where is the string 'Aborted now!' printed?", "the text stands in `pkg.app.send`"),
            ("what breaks if I change limit_of and frobnicate?", "nothing here is called `frobnicate`"),
            (
                "does Leaf override anything from Base?",
                "yes: `pkg.app.Leaf` overrides `check` and `add` of `pkg.app.Base`",
            ),
            (
                "who overrides Base.check outside of tests?",
                "`pkg.app.Base.check` is overridden 1 time outside of tests: by `Leaf`",
            ),
            (
                "who overrides Base.check in tests?",
                "nothing overrides `pkg.app.Base.check` in tests (1 place elsewhere)",
            ),
            ("is Base.check ever called with a timeout?", "which calls fit `with a timeout` cannot be told; in all: "),
            ("does Base.check raise KeyError?", "yes: `Base.check` raises `KeyError`"),
            (
                "does Base.check raise ValueError?",
                "no `raise` of `ValueError` was found in `Base.check` or in what it calls; what may come from there is `KeyError`",
            ),
            ("which parameters of send are never passed?", "never passed to `send`, in 2 known calls: `size`"),
            ("which external packages are imported?", "1 package from outside imported: click"),
            ("what does pkg read from the environment", "the program reads 1 environment variable: HOME_PATH"),
            ("how many functions are in pkg/app.py?", "6 functions in pkg/app.py, 4 of which are methods"),
            ("is there a class called Base", "yes: `pkg.app.Base` is a class at pkg/app.py"),
            (
                "What is the class hierarchy of this repository?",
                "3 classes outside of tests in 1 hierarchy, the most classes below `Base` (2)",
            ),
        ],
    );
}
