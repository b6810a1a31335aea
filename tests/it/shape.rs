//! Questions for the shape of a repository: its packages and modules, its lines, its settings, what it offers.

use crate::{harness::TestRepo, strictly::check};

/// The first paragraph of the answer to a question.
fn headline(repo: &TestRepo, question: &str) -> String {
    let text = repo.run(["ask", question]).code(0).stdout;
    text.split("\n\n").next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A library with sub-packages, one of them without an `__init__.py`, with tests, settings and documents.
fn library() -> TestRepo {
    TestRepo::new()
        .file(
            "pyproject.toml",
            "[project]\nname = \"shop\"\nrequires-python = \">=3.9\"\nclassifiers = [\n  \"Programming Language :: Python :: 3.9\",\n  \"Programming Language :: Python :: 3.10\",\n]\n\n[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n",
        )
        .file("CONTRIBUTING.md", "# Contributing\n\n## Tests\n\nRun them:\n\n    $ tox -e py\n")
        .file("README.md", "# Shop\n\nSells carts.\n")
        .file(
            "src/shop/__init__.py",
            "import typing as t\n\nfrom . import money as money\nfrom .cart import Cart as Cart\nfrom .cart import _hidden\nfrom requests import get as get\nfrom requests import post\n",
        )
        .file(
            "src/shop/cart.py",
            "import requests\n\n# A comment.\n\n\nclass Cart:\n    def total(self):\n        # Of all.\n        return 1\n\n\ndef _hidden():\n    return Cart()\n\n\n_hidden()\n",
        )
        .file("src/shop/money/__init__.py", "from .coins import *\n\n__all__ = [\n    \"Coin\",  # the first\n]\n__all__ += coins.__all__\n")
        .file("src/shop/money/coins.py", "__all__ = [\"Coin\", \"mint\"]\n\n\nclass Coin:\n    pass\n\n\ndef mint():\n    return Coin()\n")
        .file("src/shop/rules/tax.py", "def tax():\n    return 7\n")
        .file("tests/__init__.py", "")
        .file("tests/test_cart.py", "from shop import Cart\n\n\ndef test_cart():\n    assert Cart().total() == 1\n")
        .commit("first")
}

#[test]
fn the_packages_are_those_of_the_repository() {
    let repo = library();
    let all = "3 packages: `shop`, `shop.money` and `shop.rules`; 1 more in tests, documents and examples";
    let below = "2 sub-packages below `shop`: `shop.money` and `shop.rules`";
    check(
        &repo,
        &[
            ("list the packages", all),
            ("what packages make up the project", all),
            ("how many packages are there?", all),
            ("which packages does it contain", all),
            ("show me every package", all),
            ("what sub-packages are there?", below),
            ("name the subpackages", below),
            ("what are the sub packages of shop", "`shop` has 2 sub-packages: `shop.money` and `shop.rules`"),
            ("sub-packages of shop.money", "none: the package `shop.money` has no package below it"),
            (
                "list the modules of shop.money",
                "`shop.money` has 1 module beside its `__init__.py`: `shop.money.coins`",
            ),
            (
                "which modules are in the money package",
                "`shop.money` has 1 module beside its `__init__.py`: `shop.money.coins`",
            ),
            (
                "which modules does shop have",
                "`shop` has 1 module beside its `__init__.py`: `shop.cart`; 3 more in its packages",
            ),
            ("list every module", "5 modules outside of tests"),
            ("which modules are there?", "5 modules outside of tests"),
        ],
    );
    // Libraries are other packages.
    for question in ["which packages does it depend on", "which packages are imported", "which packages does shop need"]
    {
        assert!(headline(&repo, question).contains("from outside imported: requests"), "{question}");
    }
    assert!(headline(&repo, "which packages does shop.money import").starts_with("none: no package from outside"));
}

#[test]
fn lines_are_counted_by_file_and_in_all() {
    let repo = library();
    let all =
        "40 lines in 5 Python files outside of tests, 25 of them neither blank nor comments; 6 lines in 2 test files";
    check(
        &repo,
        &[
            ("how many lines of code are there?", all),
            ("total LOC", all),
            ("how big is the codebase?", all),
            ("lines of code per file", all),
            (
                "how long is Cart.total?",
                "`Cart.total` has 3 lines (src/shop/cart.py:7-9), 2 of them neither blank nor comments",
            ),
            (
                "how many lines does Cart have",
                "`Cart` has 4 lines (src/shop/cart.py:6-9), 3 of them neither blank nor comments",
            ),
            ("how many lines are in cart.py", "src/shop/cart.py has 16 lines"),
        ],
    );
    let text = repo.run(["ask", "lines of code", "--all"]).code(0).stdout;
    assert!(text.contains("16 lines, 7 of code") && text.contains("test files, the longest first (2)"), "{text}");
}

#[test]
fn the_required_python_and_the_way_to_run_the_tests_are_read_off_the_settings() {
    let repo = library();
    let python = "Python `>=3.9` is required (pyproject.toml:3); the classifiers name Python 3.9 and 3.10";
    let tests = "`tox -e py` (CONTRIBUTING.md:7); set up are `pytest` by pyproject.toml:9";
    check(
        &repo,
        &[
            ("what python version does it need", python),
            ("which Python versions are supported?", python),
            ("minimum python version", python),
            ("does shop support python 3.8", "no: Python `>=3.9` is required (pyproject.toml:3)"),
            ("does it run on Python 3.11?", "yes: Python `>=3.9` is required (pyproject.toml:3)"),
            ("how do I run the tests?", tests),
            ("which command runs the test suite", tests),
        ],
    );
    let bare = TestRepo::new().file("a.py", "x = 1\n").commit("first");
    check(
        &bare,
        &[
            ("what python version does it need", "no file declares the Python that it needs"),
            (
                "how do I run the tests",
                "no document and no setting that was looked at has a command for it; 0 test files are here",
            ),
        ],
    );
}

#[test]
fn a_package_exports_what_its_list_or_its_imports_say() {
    let repo = library();
    let shop = "`shop` exports 3 names by its definitions and imports without an underscore (src/shop/__init__.py), as it has no `__all__`: `money`, `Cart` and `get`";
    let money = "`shop.money` exports 2 names by its `__all__` (src/shop/money/__init__.py:3): `Coin` and `mint`";
    check(
        &repo,
        &[
            ("what is the public API", shop),
            ("what does shop export?", shop),
            ("what can I import from shop", shop),
            ("what is in __all__ of shop.money", money),
            ("which names does shop.money export", money),
            ("list the names exported by shop.money", money),
        ],
    );
    let text = repo.run(["ask", "what does shop.money export"]).code(0).stdout;
    assert!(text.contains("shop.money.coins.mint"), "{text}");
}

#[test]
fn an_overview_is_given_of_the_whole_or_around_a_focus() {
    let repo = library();
    for question in ["what are the main components?", "list the main parts", "what are the key components"] {
        assert!(headline(&repo, question).contains("indexed files with"), "{question}");
    }
    let found = headline(&repo, "give me a repo map focused on the cart");
    assert!(found.starts_with("around `the cart` matter most") && found.contains("Cart"), "{found}");
}
