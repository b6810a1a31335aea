//! Questions for tests by their marks, fixtures by their options, parts of docstrings, and decorators.

use crate::{harness::TestRepo, strictly::check};

/// A mark may stand on a test, on its class, in its module, or in a variable.
#[test]
fn tests_are_told_by_their_marks() {
    let repo = TestRepo::new()
        .file(
            "tests/test_cart.py",
            "import pytest\n\nneed_net = pytest.mark.skipif(True, reason='no net')\n\n\n@pytest.mark.parametrize('x', [1, pytest.param(2, marks=pytest.mark.xfail)])\ndef test_add(x):\n    assert x\n\n\n@need_net\ndef test_send():\n    with pytest.raises(OSError):\n        send()\n\n\n@pytest.mark.slow\nclass TestAll:\n    def test_one(self):\n        assert 1\n\n    @pytest.mark.skip\n    def test_two(self):\n        pass\n\n\ndef test_plain():\n    pytest.skip('not now')\n",
        )
        .file(
            "tests/test_net.py",
            "import pytest\n\npytestmark = [pytest.mark.network]\n\n\nasync def test_net():\n    assert True\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("which tests are parametrized?", "1 of 6 tests in the repository is parametrized"),
            ("how many tests are not parametrized?", "5 of 6 tests in the repository are not parametrized"),
            ("are all tests parametrized?", "no: only 1 of 6 tests in the repository is parametrized"),
            (
                "which tests are marked slow?",
                "2 of 6 tests in the repository are marked `slow`; 2 have it from a class or module",
            ),
            (
                "list the slow tests",
                "2 of 6 tests in the repository are marked `slow`; 2 have it from a class or module",
            ),
            (
                "which tests use the network mark",
                "1 of 6 tests in the repository is marked `network`; 1 has it from a class or module",
            ),
            (
                "which tests are skipped?",
                "2 of 6 tests in the repository are marked to be skipped, 1 by `skip` and 1 by `skipif`; 1 more calls `pytest.skip` or the like while it runs",
            ),
            (
                "which tests are expected to fail?",
                "none: not one of 6 tests in the repository is expected to fail (`xfail`); their marks are",
            ),
            (
                "are there any flaky tests?",
                "no: not one of 6 tests in the repository is marked `flaky`; their marks are `slow` (2)",
            ),
            ("which pytest marks are used?", "5 marks are used on 6 tests in the repository: `slow` (2 tests)"),
            (
                "which tests have no assert?",
                "3 of 6 tests in the repository have no assert; 1 of them expects an exception or a warning instead",
            ),
            ("which test files have parametrized tests?", "1 file has tests that are parametrized"),
            ("is test_add parametrized?", "yes: `tests.test_cart.test_add` is parametrized"),
            ("is test_plain skipped?", "no: `tests.test_cart.test_plain` is not marked to be skipped"),
            ("which tests are skipped on windows?", "`windows` is not understood; without it: 2 of 6 tests"),
        ],
    );
}

/// The decorator of a fixture has its options.
#[test]
fn fixtures_are_told_by_their_options() {
    let repo = TestRepo::new()
        .file(
            "tests/conftest.py",
            "import pytest\n\n\n@pytest.fixture(scope='session', autouse=True)\ndef base():\n    yield 1\n\n\n@pytest.fixture(params=[1, 2])\ndef number(request):\n    return request.param\n\n\n@pytest.fixture\ndef plain(base):\n    return base\n",
        )
        .file("tests/test_a.py", "def test_a(plain):\n    assert plain\n")
        .commit("first");
    check(
        &repo,
        &[
            ("which fixtures are autouse?", "1 of 3 fixtures in the repository is autouse"),
            ("which fixtures are session-scoped?", "1 of 3 fixtures in the repository has the scope `session`"),
            (
                "which fixtures have module scope?",
                "none: not one of 3 fixtures in the repository has the scope `module`",
            ),
            ("list the session fixtures", "1 of 3 fixtures in the repository has the scope `session`"),
            ("which fixtures are parametrized?", "1 of 3 fixtures in the repository is parametrized"),
            ("which fixtures yield?", "1 of 3 fixtures in the repository yields"),
            ("is the plain fixture autouse?", "no: `tests.conftest.plain` is not autouse"),
            ("what is the scope of the base fixture?", "the scope of `tests.conftest.base` is `session`"),
        ],
    );
}

/// Docstrings have a length, parameters, and parts.
#[test]
fn docstrings_are_asked_about_by_their_parts() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "class Field:\n    \"\"\"A field.\"\"\"\n\n\nclass Text(Field):\n    \"\"\"A text.\"\"\"\n\n\nclass Number(Field):\n    pass\n\n\ndef send(item, to, how=None):\n    \"\"\"Sends.\n\n    :param item: the item\n    :param to: where to\n    :raises OSError: if it cannot\n    :returns: a number\n    \"\"\"\n\n\ndef pay(sum):\n    \"\"\"Pays.\n\n    Args:\n        sum: the sum\n    \"\"\"\n\n\ndef bare():\n    pass\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            (
                "are all fields documented?",
                "no: 1 of 2 classes (derived from `Field`) outside of tests has no docstring: `Number`",
            ),
            (
                "which docstrings are longer than 5 lines?",
                "1 of 4 docstrings outside of tests is at least 6 lines long, first `shop.send`: 7 lines",
            ),
            (
                "what is the longest docstring?",
                "the longest docstring outside of tests is that of `shop.send`: 7 lines",
            ),
            ("how long is the docstring of pay?", "the docstring of `shop.pay` has 5 lines"),
            (
                "which parameters does the docstring of send describe?",
                "the docstring of `shop.send` describes 2 parameters: `item` and `to` (shop.py:13); of its signature it does not describe `how`",
            ),
            (
                "which parameters of send are not documented?",
                "1 of 3 parameters of `shop.send` is not described in its docstring: `how`",
            ),
            (
                "which functions document :raises?",
                "1 of 2 docstrings of functions outside of tests has `:raises E:`, `Raises:` or alike, first `send`",
            ),
            (
                "which docstrings have an Args section?",
                "2 of 4 docstrings outside of tests have `:param x:`, `Args:` or alike",
            ),
            ("which exceptions does the docstring of send mention?", "the docstring of `shop.send` names `OSError`"),
            ("is bare documented?", "no: `shop.bare` has no docstring"),
            ("is Text documented?", "yes: `shop.Text` has a docstring"),
        ],
    );
}

/// Decorators are conditions together, and have arguments.
#[test]
fn definitions_are_told_by_their_decorators() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "from dataclasses import dataclass\nfrom functools import lru_cache\nfrom typing import final, overload\n\n\n@final\n@dataclass(frozen=True)\nclass Alpha:\n    x: int\n\n\n@final\nclass Beta:\n    @lru_cache(3)\n    def fetch(self):\n        return 1\n\n\n@dataclass\nclass Gamma:\n    x: int\n\n\n@overload\ndef grow(x: int) -> int: ...\n@overload\ndef grow(x: str) -> str: ...\ndef grow(x):\n    return x\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("which classes are final?", "2 classes outside of tests (decorated by `final`)"),
            (
                "which classes are decorated with final but not with dataclass?",
                "1 class outside of tests (decorated by `final`, not decorated by `dataclass`)",
            ),
            (
                "which classes are decorated with both final and dataclass?",
                "1 class outside of tests (decorated by `final`, decorated by `dataclass`)",
            ),
            ("which classes are decorated with final or dataclass?", "3 classes outside of tests"),
            (
                "which dataclasses are frozen?",
                "1 class outside of tests (decorated by `dataclass`, with `frozen=True`)",
            ),
            (
                "which methods are cached?",
                "1 method outside of tests (decorated by `lru_cache`, `cache`, `cached_property` or alike)",
            ),
            ("is Beta.fetch cached?", "yes: `shop.Beta.fetch` is cached, decorated with `@lru_cache(3)`"),
            ("is Alpha final?", "yes: `shop.Alpha` is final"),
            ("does grow have overloads?", "yes: `shop.grow` has 2 overloads"),
            (
                "which classes have more than one decorator?",
                "1 of 3 classes outside of tests has at least 2 decorators",
            ),
            ("which decorators are used?", "4 decorators are used outside of tests"),
        ],
    );
}
