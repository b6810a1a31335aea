//! Names out of libraries, documents by their file, and what stands inside of what: each with the truth of the source.

use crate::{harness::TestRepo, strictly::check};

/// A package that imports names out of libraries, over several lines and under a name that it defines as well.
fn shop() -> TestRepo {
    TestRepo::new()
        .file("shop/__init__.py", "")
        .file(
            "shop/compat.py",
            "from __future__ import annotations\n\nimport io\nfrom typing import IO, NamedTuple\nfrom urllib.parse import (\n    quote,\n    urljoin,\n    urlparse as parse,\n)\n",
        )
        .file(
            "shop/paths.py",
            "from pathlib import Path as RealPath\n\nfrom .compat import (\n    quote,\n    urljoin,\n)\n\n\nclass Path:\n    pass\n\n\ndef open_it(name):\n    import code\n    from code import interact\n    return interact\n",
        )
        .file("shop/use.py", "from .paths import Path\n\n\ndef make():\n    return Path()\n")
        .file("tests/test_use.py", "from urllib.parse import urljoin\n\nfrom shop.use import make\n\n\ndef test_make():\n    assert make()\n")
        .commit("first")
}

/// The imports come from the index: several lines count, names are told by case, and a library from the repository.
#[test]
fn names_of_libraries_are_found_without_their_module() {
    check(
        &shop(),
        &[
            ("where is urljoin imported?", "`urllib.parse.urljoin` is imported at 3 places in 3 modules, 2 of them"),
            ("which files import urljoin?", "3 modules import `urllib.parse.urljoin`, 2 of them outside of tests"),
            (
                "which tests import urljoin?",
                "1 module in tests imports `urllib.parse.urljoin`, first at tests/test_use.py:1",
            ),
            ("who imports urlparse?", "1 module imports `urllib.parse.urlparse`, first at shop/compat.py:5"),
            ("which files import IO?", "1 module imports `typing.IO`, first at shop/compat.py:4"),
            ("where is io imported?", "`io` is imported at 1 place in 1 module, first at shop/compat.py:3"),
            ("which files import interact?", "1 module imports `code.interact`, first at shop/paths.py:15"),
            ("where is annotations imported?", "`__future__.annotations` is imported at 1 place in 1 module"),
            (
                "where is Path imported from pathlib?",
                "`pathlib.Path` is imported at 1 place in 1 module, first at shop/paths.py:1",
            ),
            (
                "where is Path imported?",
                "`pathlib.Path` is imported at 1 place in 1 module, first at shop/paths.py:1; `shop.paths.Path` is imported at 1 place",
            ),
            (
                "where is urljoin imported in use.py?",
                "none: no module in use.py imports `urljoin`; 3 modules elsewhere import it",
            ),
            ("is numpy imported anywhere?", "no: no import of `numpy` was found"),
            (
                "which modules import quote but not typing?",
                "1 module in the repository imports `quote` and does not import `typing`",
            ),
        ],
    );
}

fn documented() -> TestRepo {
    TestRepo::new()
        .file("kit/__init__.py", "")
        .file("kit/core.py", "class Pluck:\n    def take(self):\n        return 1\n\n\ndef url_for(name):\n    return name\n")
        .file("README.md", "# Kit\n\nSmall things.\n\n## Install\n\nRun the installer.\n")
        .file("examples/README.md", "# Examples\n\nNothing yet.\n")
        .file("CHANGES.rst", "Changes\n=======\n\nVersion 2\n---------\n\n- `url_for` takes a name.\n\nVersion 1\n---------\n\n- First.\n")
        .file(
            "docs/nesting.rst",
            "Nesting\n=======\n\nThings in things.\n\nReplacing\n---------\n\nUse `Pluck` to take one.\n\nTwo Ways\n--------\n\nBoth nest.\n",
        )
        .file("docs/testing.rst", "Testing\n=======\n\nRun the tests.\n")
        .commit("first")
}

/// A document that a question names by its file is a document, in the root folder too.
#[test]
fn documents_are_known_by_their_file() {
    check(
        &documented(),
        &[
            ("which sections are in README.md?", "README.md has 2 sections"),
            ("what is in README.md?", "README.md has 2 sections"),
            ("show README.md", "README.md has 2 sections"),
            ("what sections does CHANGES.rst have?", "CHANGES.rst has 3 sections"),
            (
                "what does CHANGES.rst say about url_for?",
                "1 section of CHANGES.rst has `url_for`, first `Version 2` at CHANGES.rst:7",
            ),
            ("what does docs/nesting.rst say?", "docs/nesting.rst has 3 sections"),
            ("summarise docs/nesting.rst", "docs/nesting.rst has 3 sections"),
            ("what topics does docs/nesting.rst cover?", "docs/nesting.rst has 3 sections"),
            ("what is docs/nesting.rst about?", "docs/nesting.rst has 3 sections"),
            (
                "which sections of docs/nesting.rst mention Pluck?",
                "1 section of docs/nesting.rst has `Pluck`, first `Replacing` at docs/nesting.rst:9",
            ),
            ("which section of docs/nesting.rst explains flywheels?", "no section of docs/nesting.rst has `flywheels`"),
            ("does README.md mention Pluck?", "no: no section of README.md has `Pluck`"),
            ("list all documents", "5 documents in the repository"),
            ("is there a document about testing?", "yes: `Testing` is about `testing` (docs/testing.rst:1)"),
            ("how long is README.md?", "README.md has 7 lines"),
        ],
    );
    let text = documented().run(["ask", "show docs/nesting.rst"]).code(0).stdout;
    assert!(text.contains("Replacing") && text.contains("Use `Pluck` to take one."), "{text}");
}

/// Mentioned in the documents is documented.
#[test]
fn a_mention_in_the_documents_is_none_in_code() {
    check(
        &documented(),
        &[
            ("is Pluck mentioned in the docs?", "yes: `Replacing` speaks of `Pluck` (docs/nesting.rst:9)"),
            ("is Pluck mentioned in the documentation?", "yes: `Replacing` speaks of `Pluck`"),
            ("is Pluck in the docs?", "yes: `Replacing` speaks of `Pluck`"),
        ],
    );
}

fn nested() -> TestRepo {
    TestRepo::new()
        .file("kit/__init__.py", "")
        .file(
            "kit/core.py",
            "from typing import overload\n\n\n@overload\ndef get(x: int) -> int: ...\n@overload\ndef get(x: str) -> str: ...\ndef get(x):\n    return x\n\n\ndef option(name):\n    def decorator(f):\n        return f\n\n    return decorator\n\n\nclass App:\n    @overload\n    def run(self, x: int) -> int: ...\n    @overload\n    def run(self, x: str) -> str: ...\n    def run(self, x):\n        return x\n\n    def serve(self):\n        class Local:\n            pass\n\n        def go():\n            return Local()\n\n        return go\n",
        )
        .file("tests/test_core.py", "def test_it():\n    class Inside:\n        pass\n\n    assert Inside()\n")
        .file("stubbed/__init__.py", "def make(x):\n    return x\n\n\nmk = make\n")
        .file(
            "stubbed/__init__.pyi",
            "from typing import overload\n\n@overload\ndef make(x: int) -> int: ...\n@overload\ndef make(x: str) -> str: ...\n\nmk = make\n",
        )
        .commit("first")
}

/// What stands inside of something is of the kind that is asked for, and of the place that is named.
#[test]
fn inside_is_a_place() {
    check(
        &nested(),
        &[
            ("what functions are defined inside App.run?", "none: no function is defined inside `kit.core.App.run`"),
            (
                "which functions are defined inside kit.core.option?",
                "1 function is defined inside `kit.core.option` (kit/core.py:12): `decorator`",
            ),
            ("list classes defined inside methods", "1 class outside of tests (defined inside methods)"),
            ("which functions are defined inside methods?", "1 function outside of tests (defined inside methods)"),
            ("which classes are nested in test functions?", "1 class in tests (defined inside test functions)"),
            ("which functions have overloads?", "2 functions outside of tests (overload)"),
            ("list the overloads of stubbed.mk", "has 2 overloads in its stub stubbed/__init__.pyi"),
        ],
    );
}

fn chain() -> TestRepo {
    TestRepo::new()
        .file("kit/__init__.py", "")
        .file(
            "kit/core.py",
            "def begin_it():\n    return go_on()\n\n\ndef go_on():\n    return come_near()\n\n\ndef come_near():\n    return end_it()\n\n\ndef end_it():\n    return 4\n",
        )
        .commit("first")
}

/// The end of a way may be named first.
#[test]
fn reached_from_names_the_end_first() {
    check(
        &chain(),
        &[
            (
                "is come_near reachable from begin_it?",
                "yes: `kit.core.begin_it` reaches `kit.core.come_near` in 2 steps",
            ),
            (
                "how is kit.core.come_near reached from kit.core.begin_it?",
                "`kit.core.begin_it` reaches `kit.core.come_near` in 2 steps",
            ),
            (
                "can come_near be reached from begin_it?",
                "yes: `kit.core.begin_it` reaches `kit.core.come_near` in 2 steps",
            ),
            ("is begin_it reachable from come_near?", "no path leads from `kit.core.come_near` to `kit.core.begin_it`"),
        ],
    );
}

/// Who calls something in the end calls it over others too.
#[test]
fn eventually_is_over_others() {
    check(
        &chain(),
        &[
            ("which functions eventually call end_it?", "`end_it` is reached from 3 definitions (1 directly)"),
            ("who ultimately calls kit.core.end_it?", "`end_it` is reached from 3 definitions (1 directly)"),
            ("show all indirect callers of end_it", "`end_it` is reached from 3 definitions (1 directly)"),
            ("show the call chain to end_it", "`end_it` is reached from 3 definitions (1 directly)"),
            (
                "which functions reach end_it within 2 steps?",
                "2 functions outside of tests reach `end_it` in at most 2 steps: `kit.core.come_near` and `kit.core.go_on`; ",
            ),
            ("who calls end_it within two calls?", "is reached from at least 2 definitions (1 directly)"),
            ("does begin_it eventually call end_it?", "yes: `kit.core.begin_it` reaches `kit.core.end_it` in 3 steps"),
            ("does end_it ultimately use begin_it?", "no: no path leads from `kit.core.end_it` to `kit.core.begin_it`"),
            ("does begin_it rely on end_it?", "yes: `kit.core.begin_it` reaches `kit.core.end_it` in 3 steps"),
            ("what does begin_it eventually call?", "`begin_it` calls `go_on`"),
        ],
    );
}

/// Who reaches something does so over any number of steps.
#[test]
fn reaching_is_the_closure_of_callers() {
    let repo = chain();
    repo.write(
        "kit/app.py",
        "from .core import begin_it\n\n\ndef main():\n    return begin_it()\n\n\ndef _hidden():\n    return main()\n",
    );
    repo.write("pyproject.toml", "[project.scripts]\nkit = \"kit.app:main\"\n");
    repo.write("tests/test_kit.py", "from kit.app import main\n\n\ndef test_main():\n    assert main() == 4\n");
    let all = "`end_it` is reached from";
    for question in [
        "what reaches end_it?",
        "who can reach end_it?",
        "what code can reach end_it?",
        "which functions could reach the function end_it",
        "which call paths lead to end_it?",
        "what code paths lead to end_it",
        "which call paths end in end_it",
        "show me all call paths to end_it",
        "trace the callers of end_it",
        "trace back the callers of end_it",
        "trace callers of end_it up to the entry point",
        "callers of callers of end_it",
        "from where can end_it be reached?",
        "where can end_it be reached from?",
        "what is end_it reachable from?",
        "who calls end_it, directly or indirectly?",
        "recursive callers of end_it",
    ] {
        check(&repo, &[(question, all)]);
    }
    check(
        &repo,
        &[
            ("which entry points reach end_it?", "; 1 test reaches it; outside of tests 1 entry point: `kit.app.main`"),
            ("which public functions lead to end_it?", "4 public functions outside of tests reach"),
            ("which classes reach end_it?", "none: no class outside of tests is known to reach"),
            ("which tests reach end_it?", "1 test"),
            ("what does begin_it reach?", "`begin_it` calls `go_on`"),
        ],
    );
}

fn raising() -> TestRepo {
    TestRepo::new()
        .file("kit/__init__.py", "")
        .file("kit/errors.py", "class Broken(Exception):\n    pass\n")
        .file(
            "kit/core.py",
            "from .errors import Broken\n\n\ndef load(data):\n    exc = Broken(data)\n    exc.data = data\n    raise exc\n\n\ndef keep(data):\n    exc = Broken(data)\n    return exc\n",
        )
        .commit("first")
}

/// A raised variable is of the class that was assigned to it.
#[test]
fn a_raised_variable_has_a_class() {
    check(
        &raising(),
        &[
            ("where is Broken raised in core.py?", "`Broken` is raised in `load` in core.py"),
            ("which functions raise Broken in core.py?", "1 function in kit/core.py raises `kit.errors.Broken`"),
            ("does load raise Broken?", "yes: `load` raises `Broken`"),
            ("does core.py raise Broken?", "yes: `Broken` is raised in `load` in core.py"),
            ("what does load raise?", "`load` raises `Broken`"),
        ],
    );
}

fn family() -> TestRepo {
    TestRepo::new()
        .file("kit/__init__.py", "")
        .file(
            "kit/core.py",
            "class Base:\n    def collect(self):\n        return []\n\n    def get_body(self):\n        return None\n\n\nclass Near(Base):\n    def collect(self):\n        return [1]\n\n\nclass Alone:\n    def collect(self):\n        return {}\n\n\ndef redirect(location, code=302):\n    answer = Answer(location)\n    answer.code = code\n    return answer\n\n\ndef redirect_twice(location, code=302):\n    answer = Answer(location)\n    answer.code = code\n    answer.again = True\n    return answer\n\n\nclass Answer:\n    def __init__(self, location):\n        self.location = location\n        self.code = 200\n\n\nclass Reply:\n    def __init__(self, location):\n        self.location = location\n        self.code = 200\n\n\nmade = Reply(1)\n",
        )
        .commit("first")
}

/// The classes that define a method are asked for, be it one of them.
#[test]
fn classes_define_methods() {
    check(
        &family(),
        &[
            ("which classes implement collect?", "3 "),
            ("which classes define get_body?", "1 class defines `get_body` itself: `Base` (kit/core.py:5)"),
            ("who implements get_body?", "1 class defines `get_body` itself"),
            ("which classes have Base as base?", "1 class is derived from `kit.core.Base`"),
            ("which classes have Base as a base class?", "1 class is derived from `kit.core.Base`"),
        ],
    );
}

/// Likeness is asked for in many words.
#[test]
fn likeness_has_many_words() {
    check(
        &family(),
        &[
            ("is there another class like core.Answer?", "perhaps: likest to `Answer` are `kit.core.Reply`"),
            ("what else is like redirect?", "likest to `redirect` are `kit.core.redirect_twice`"),
            ("similar to redirect?", "likest to `redirect` are `kit.core.redirect_twice`"),
            ("which answers are similar to Answer?", "likest to `Answer` are `kit.core.Reply`"),
            ("find code similar to kit.core.made", "likest to `Reply` are `kit.core.Answer`"),
            ("which definitions are close to kit.core.redirect?", "likest to `redirect` are `kit.core.redirect_twice`"),
        ],
    );
}

/// A name out of a library is used where an expression has it, not where a statement imports it.
#[test]
fn uses_of_names_from_outside_are_their_expressions() {
    let repo = TestRepo::new()
        .file("mill/__init__.py", "")
        .file("mill/compat.py", "from urllib.parse import quote, unquote\n")
        .file(
            "mill/grind.py",
            "import functools as ft\nfrom functools import lru_cache as memo\n\nfrom .compat import quote\n\n\nclass Mill:\n    @memo\n    def grind(self, grain):\n        return quote(grain)\n\n    def sieve(self, meal):\n        raise TypeError(meal)\n\n\n@ft.wraps(Mill)\ndef build_mill():\n    return Mill()\n",
        )
        .file("tests/test_mill.py", "try:\n    import simplejson\nexcept ImportError:\n    simplejson = None\n\n\ndef test_mill():\n    raise TypeError\n")
        .commit("first");
    check(
        &repo,
        &[
            (
                "is quote used anywhere?",
                "yes: `urllib.parse.quote` is used at 1 place in 1 module, first at mill/grind.py:10",
            ),
            ("do we call quote anywhere?", "yes: `urllib.parse.quote` is called at 1 place"),
            ("where is quote used?", "`urllib.parse.quote` is used at 1 place in 1 module"),
            ("who uses quote?", "1 definition uses `urllib.parse.quote`, at 1 place in 1 module"),
            (
                "do we use unquote anywhere?",
                "no: `urllib.parse.unquote` is imported at 1 place, first at mill/compat.py:1, but used nowhere",
            ),
            (
                "do we use lru_cache?",
                "yes: `functools.lru_cache` is used at 1 place in 1 module, first at mill/grind.py:8",
            ),
            ("do we use wraps?", "yes: `functools.wraps` is used at 1 place in 1 module, first at mill/grind.py:16"),
            (
                "do we call quote in Mill?",
                "yes: `urllib.parse.quote` is called at 1 place in `mill.grind.Mill` (mill/grind.py:10)",
            ),
            ("does build_mill use quote?", "no: `urllib.parse.quote` is used nowhere in `mill.grind.build_mill`"),
            ("is simplejson used anywhere?", "yes: `simplejson` is imported in 1 module, only in tests or examples"),
            ("where does Mill raise TypeError?", "`TypeError` is raised by 1 definition in `mill.grind.Mill`"),
        ],
    );
}

/// Names of packages that are parts of names here, or that only texts mention, and imports inside of functions.
fn kit_with_packages() -> TestRepo {
    TestRepo::new()
        .file("kit/__init__.py", "")
        .file(
            "kit/core.py",
            "import typing as t\n\nimport click\nfrom click.utils import echo\n\n\ndef to_watchdog(value: t.Any):\n    # colorama would do\n    from watchdog.events import Event\n    return Event(value)\n\n\n@click.command()\ndef main():\n    echo(1)\n    click.secho(2)\n",
        )
        .file("kit/other.py", "from click import command\n\n\ndef attach():\n    return command\n")
        .file(
            "tests/test_core.py",
            "import pytest\nfrom click.testing import CliRunner\n\nfrom kit.core import main\n\n\ndef test_main():\n    assert CliRunner().invoke(main)\n\n\n@pytest.mark.slow\ndef test_attach():\n    assert 1\n",
        )
        .commit("first")
}

/// A package is asked about as a package, whatever resembles it.
#[test]
fn a_package_from_outside_is_used_where_it_is_imported() {
    check(
        &kit_with_packages(),
        &[
            ("is watchdog used?", "yes: `watchdog` is imported in 1 module, first at kit/core.py:9"),
            ("where is watchdog used?", "`watchdog` is imported at 1 place in 1 module, first at kit/core.py:9"),
            (
                "is watchdog used in the tests?",
                "no: no import of `watchdog` was found in tests; 1 module elsewhere imports it",
            ),
            ("is colorama used?", "no: no file imports `colorama`, and no code names it; comments"),
            ("is numpy used?", "no: nothing here is called `numpy`, no file imports it, and no code has the word"),
            (
                "is click used in the tests?",
                "yes: `click` is imported in tests in 1 module, first at tests/test_core.py:2",
            ),
            ("is pytest used in tests or only in src?", "yes: `pytest` is imported in 1 module, only in tests"),
            ("which modules use click?", "3 modules import `click`, 2 of them outside of tests and examples"),
            ("how is click used here?", "`click` is imported at 4 places in 3 modules"),
            ("how is click used in core.py?", "`click` is imported at 2 places in core.py in 1 module"),
            ("is attach used?", "no"),
        ],
    );
}

/// The names out of a module from outside are listed, also those that are used by way of the module.
#[test]
fn names_that_are_imported_from_a_module_are_listed() {
    check(
        &kit_with_packages(),
        &[
            ("what do we import from click?", "3 names are imported from `click` in 3 modules"),
            (
                "what does core.py import from click?",
                "1 name is imported from `click` in core.py in 1 module: `utils.echo`",
            ),
            (
                "which names are imported from click.testing?",
                "1 name is imported from `click.testing` in 1 module: `CliRunner`",
            ),
            (
                "what do we import from typing?",
                "no name is imported from `typing`, but 1 module imports the module itself",
            ),
            ("which packages are only used in tests?", "1 package from outside imported only in tests: pytest"),
        ],
    );
}
