//! First lines of answers that must not say the contrary: names, exclusions, `only`, scopes, imports and empty sets.

use crate::harness::TestRepo;

/// The first line of the answer to each question begins so.
fn check(repo: &TestRepo, cases: &[(&str, &str)]) {
    for (question, wanted) in cases {
        let text = repo.run(["ask", question]).code(0).stdout;
        // A long line is broken.
        let found = text.split("\n= ").next().unwrap_or_default().replace('\n', " ");
        assert!(found.starts_with(wanted), "{question}\n  wanted {wanted}\n  found  {found}\n{text}");
    }
}

/// A package with names that are everyday words, and with uses inside and outside of their files.
fn shop() -> TestRepo {
    TestRepo::new()
        .file("shop/__init__.py", "")
        .file(
            "shop/core.py",
            "import json\n\nfrom shop import errors\n\n\nclass Base:\n    def close(self):\n        return json.dumps(1)\n\n\nclass Heir(Base):\n    def close(self):\n        return after()\n\n\nclass Other(Base):\n    pass\n\n\ndef after():\n    raise errors.Broken\n\n\ndef _create_nodes_of_file():\n    return after()\n\n\ndef build():\n    return _create_nodes_of_file()\n",
        )
        .file("shop/errors.py", "class Broken(Exception):\n    \"\"\"As in\n\n    raise Broken\n    \"\"\"\n\n\nclass Lost(Broken):\n    pass\n")
        .file(
            "shop/web/__init__.py",
            "from shop import core, errors\n\n\ndef serve():\n    try:\n        return core.after()\n    except errors.Broken:\n        raise\n\n\nclass View:\n    pass\n",
        )
        .file(
            "tests/test_core.py",
            "import asyncio\n\nimport pytest\n\nfrom shop.core import build\n\n\ndef test_build():\n    with pytest.raises(Exception):\n        asyncio.run(build())\n",
        )
        .file("tests/test_none.py", "def test_none():\n    assert True\n")
        .commit("first")
}

/// A word that stands behind a verb of code is a name where something is called so.
#[test]
fn everyday_words_are_names_behind_verbs_of_code() {
    check(
        &shop(),
        &[
            ("who calls after", "`shop.core.after` is called at 3 places"),
            ("is after used anywhere?", "yes: `shop.core.after` is used at 3 places"),
            ("who calls createnodesoffile", "`shop.core._create_nodes_of_file` is called at 1 place"),
            ("who calls show", "nothing in the index is called `show`"),
        ],
    );
    let repo = shop();
    for question in
        ["how does after work", "what does after do", "tell me about after", "how does createnodesoffile work"]
    {
        let text = repo.run(["ask", question]).code(0).stdout;
        assert!(text.starts_with("`shop.core."), "{question}\n{text}");
    }
}

/// A file behind `but not in` is left out, and `only` is answered by the places elsewhere.
#[test]
fn exclusions_and_only_are_computed() {
    check(
        &shop(),
        &[
            (
                "who calls after but not in core.py",
                "`shop.core.after` is called at 1 place outside of core.py (2 places elsewhere)",
            ),
            (
                "who calls after outside core",
                "`shop.core.after` is called at 1 place outside of core (2 places elsewhere)",
            ),
            ("who raises Broken but not in core.py", "`Broken` is never raised here outside of core.py"),
            ("who raises Broken", "`Broken` is raised in `after`"),
            ("is after only used in core.py", "no: 1 of 3 places where `shop.core.after` is used is not in core.py"),
            ("is Broken only raised in core.py", "yes: `Broken` is raised only in core.py, at 1 place"),
            (
                "is _create_nodes_of_file only used in core.py",
                "yes: `shop.core._create_nodes_of_file` is used only in core.py",
            ),
            (
                "is _create_nodes_of_file used by anything other than build",
                "no: the 1 place where `shop.core._create_nodes_of_file` is used is in `shop.core.build`",
            ),
            ("is after only called by build", "no: 3 of 3 places where `shop.core.after` is used are not in"),
        ],
    );
}

/// A set is of what the question names, and one of nothing is no `none`.
#[test]
fn sets_are_of_what_was_asked_for() {
    check(
        &shop(),
        &[
            (
                "which Base subclasses don't override close",
                "1 of 2 classes that derive from `shop.core.Base` does not define `close`",
            ),
            ("which test files don't import pytest", "1 of 2 modules in tests does not import `pytest`"),
            ("who imports errors but doesn't use Broken", "none: 0 modules in the repository import `shop.errors`"),
            (
                "does Heir have a method named clsoe",
                "no: nothing is called `clsoe`; `shop.core.Heir.close` is a method",
            ),
            ("does Heir have a method named frobnicate", "no: `shop.core.Heir` has no member `frobnicate`"),
            ("does Heir have a method named close", "yes: `shop.core.Heir.close` is a method"),
            ("does serve raise", "`serve` raises again what it has caught; from what it calls may come `Broken`"),
            (
                "can build raise Lost",
                "no `raise` of `Lost` was found in `build` or in what it calls; what may come from there is `Broken`",
            ),
            ("is it true that nobody overrides Base.close", "no: `shop.core.Base.close` is overridden 1 time"),
        ],
    );
}

/// A module or folder limits what is counted, and imports are read from the importer's side.
#[test]
fn scopes_and_imports_are_read() {
    check(
        &shop(),
        &[
            ("how many classes are there in web", "1 class in shop/web/__init__.py"),
            ("how many classes does core define", "3 classes in shop/core.py"),
            ("which classes in web are not documented", "1 class in shop/web/__init__.py (without docstring)"),
            ("how many functions are in core", "5 functions in shop/core.py"),
            ("does shop import asyncio", "no: no import of `asyncio` was found in shop"),
            ("does shop.core import json", "yes: `json` is imported in `shop.core`"),
            ("how many modules import asyncio", "1 module imports `asyncio`, only in tests or examples"),
            ("show imports of core", "the imports of `shop.core` are at shop/core.py:1-3"),
            ("what imports are in core.py", "the imports of `shop.core` are at shop/core.py:1-3"),
            ("which imports does shop.core have", "the imports of `shop.core` are at shop/core.py:1-3"),
            ("who calls after with err=True", "`shop.core.after` has no parameter `err`; none of 3 calls"),
        ],
    );
    let text = shop().run(["ask", "which classes derive from Base with err=True"]).code(0).stdout;
    assert!(!text.contains("calls"), "{text}");
}
