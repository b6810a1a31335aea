//! Ordinary wordings that were read as something else.

use crate::{harness::TestRepo, strictly::check};

/// A shop with a base class that calls its own method, names of a library, and a page of documentation.
fn shop() -> TestRepo {
    TestRepo::new()
        .file(
            "shop.py",
            "from __future__ import annotations\n\nimport hashlib\nfrom dataclasses import dataclass\n\nfrom urllib3 import PoolManager\n\nLIMIT = 3\n\n\ndef total(net, tax=1):\n    if net < 0:\n        raise ValueError(net)\n    if net > LIMIT:\n        return LIMIT\n    return net + tax\n\n\nclass Cart:\n    poolmanager = None\n\n    @property\n    def size(self):\n        return 1\n\n    def keep(self):\n        self.poolmanager = PoolManager()\n        return hashlib.sha256(b'').hexdigest()\n\n    def price(self):\n        return self._price(total(1))\n\n    def _price(self, net):\n        return net\n\n\n@dataclass\nclass Item:\n    name: str\n",
        )
        .file("arcade.py", "from shop import Cart\n\n\nclass ArcadeCart(Cart):\n    def _price(self, net):\n        return 0\n\n\ndef play():\n    return ArcadeCart().price()\n")
        .file("docs/faq.md", "# FAQ\n\nHow do I see the price? Call `Cart.price`.\n")
        .file("tests/test_shop.py", "from shop import total\n\n\ndef test_total():\n    assert total(1) == 2\n")
        .commit("first")
}

#[test]
fn the_kind_of_a_definition_is_a_yes_or_no() {
    check(
        &shop(),
        &[
            ("is Cart a class?", "yes: `shop.Cart` is a class (shop.py:19)"),
            ("is Cart.size a property?", "yes: `shop.Cart.size` is a property (shop.py:22)"),
            ("is Cart.keep a property?", "no: `shop.Cart.keep` is a method, no property (shop.py:26)"),
            ("is Cart.keep a method or a property?", "`shop.Cart.keep` is a method (shop.py:26)"),
            ("is Item a dataclass?", "yes: `shop.Item` is a dataclass (class at shop.py:37)"),
            ("is total a generator?", "no: `shop.total` is a function, no generator (shop.py:11)"),
            ("is LIMIT a constant?", "yes: `shop.LIMIT` is a constant (variable at shop.py:8)"),
        ],
    );
}

#[test]
fn a_place_with_several_targets_is_listed_with_the_likeliest() {
    check(&shop(), &[("what does Cart.price call?", "`shop.Cart.price` calls 2 definitions: `Cart._price`, `total`")]);
}

#[test]
fn a_name_of_a_library_is_none_of_the_repository() {
    check(
        &shop(),
        &[
            ("who uses PoolManager?", "1 definition uses `urllib3.PoolManager`, at 1 place in 1 module"),
            ("does Cart use PoolManager?", "yes: `urllib3.PoolManager` is used at 1 place in `shop.Cart`"),
            ("is hashlib used anywhere?", "yes: `hashlib` is imported"),
            ("who uses Cart.poolmanager?", "`shop.Cart.poolmanager` is"),
        ],
    );
}

#[test]
fn definitions_of_several_kinds_are_told_each_by_itself() {
    check(
        &shop(),
        &[
            ("which functions and classes are in shop.py?", "1 function (4 with the methods) and 2 classes in shop.py"),
            (
                "how many classes and functions are in arcade.py?",
                "1 class and 1 function (2 with the methods) in arcade.py",
            ),
            ("which classes and exceptions are in shop.py?", "2 classes and no exception class in shop.py"),
            ("list the enums and dataclasses", "no enum and 1 dataclass outside of tests"),
        ],
    );
}

#[test]
fn builtins_are_answered_by_the_expressions_that_name_them() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "def show(names, len):
    print(len(names))
    return sorted(names, key=str)


def eager(names):
    return print(names)
",
        )
        .file(
            "tests/test_shop.py",
            "from shop import show


def test_show():
    assert isinstance(show([], max), list)
",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("who calls print?", "2 definitions call `print`, at 2 places in 1 module, first at shop.py:2"),
            ("where is print used?", "`print` is used at 2 places in 1 module, first at shop.py:2"),
            ("how many times is isinstance called?", "`isinstance` is called at 1 place in 1 module, only in tests"),
            ("are there any print statements?", "yes: `print` is called at 2 places"),
            ("does eager use print?", "yes: `print` is used at 1 place in `shop.eager` (shop.py:7)"),
            ("is str called?", "no: the builtin `str` is called nowhere"),
            ("do we use eval?", "no: the builtin `eval` is used nowhere"),
            // A parameter hides it.
            ("who calls len?", "none: the builtin `len` is called nowhere"),
        ],
    );
}

#[test]
fn what_tests_alone_use_is_told_apart_from_what_they_alone_call() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "def helper():
    return 1


def hook():
    return 2


def total():
    return 3


HOOKS = [hook]
TOTAL = total()
",
        )
        .file(
            "tests/test_shop.py",
            "from shop import helper, hook, total


def test_all():
    assert helper() + hook() + total()
",
        )
        .commit("first");
    let (called, used) =
        ("2 functions outside of tests (called, and only", "1 function outside of tests (used, and only");
    check(
        &repo,
        &[
            ("which functions are only called from tests?", called),
            ("which functions are called only in the tests?", called),
            ("which functions are only used in tests?", used),
            ("which functions are used in tests only?", used),
            ("list functions that only tests use", used),
        ],
    );
}

#[test]
fn functions_are_told_by_the_kinds_of_their_parameters() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "def total(net, /, *rest, tax=1, **more):\n    return net\n\n\ndef keep(names=[]):\n    return names\n\n\ndef plain(net):\n    return net\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("which functions take **kwargs?", "1 function outside of tests (with `**kwargs` of any name)"),
            ("which functions use *args?", "1 function outside of tests (with `*args` of any name)"),
            ("which functions have keyword-only arguments?", "1 function outside of tests (with a keyword-only"),
            ("which functions have positional-only parameters?", "1 function outside of tests (with a positional-only"),
            ("which functions have default arguments?", "2 functions outside of tests (with a default value)"),
            ("which functions have no default values?", "1 function outside of tests (without a default value)"),
            ("is there a mutable default argument?", "yes: 1 function outside of tests (with a mutable default value)"),
            ("does total take **kwargs?", "yes: `shop.total` is defined with `**kwargs` of any name: `more`"),
            (
                "does plain have keyword-only parameters?",
                "no: `shop.plain` is not defined with a keyword-only parameter",
            ),
        ],
    );
}

#[test]
fn what_has_a_section_of_its_own_is_explained_there() {
    let repo = TestRepo::new()
        .file("shop.py", "class Cart:\n    \"\"\"Holds items.\"\"\"\n")
        .file("docs/guide.md", "# Guide\n\n## Coupons\n\nA coupon lowers the price.\n\n## Carts\n\nOne a user.\n")
        .commit("first");
    check(
        &repo,
        &[
            ("what is a coupon?", "`coupon`: `Coupons` at docs/guide.md:3 has it in its title"),
            ("what are coupons?", "`coupons`: `Coupons` at docs/guide.md:3 has it in its title"),
            ("what is a Cart?", "`shop.Cart`: Holds items"),
            ("what is a cart?", "`shop.Cart`: Holds items"),
        ],
    );
}

#[test]
fn a_variable_is_shown_with_its_statement() {
    check(
        &shop(),
        &[
            ("what is the value of LIMIT?", "`shop.LIMIT` is the variable at shop.py:8: `LIMIT = 3`"),
            ("what type is Item.name?", "`shop.Item.name` is the variable at shop.py:39: `name: str`"),
            ("what global variables are there?", "1 variable at module level outside of tests, 1 in capitals: `LIMIT`"),
            ("which variables are in arcade.py?", "none: no variable at module level in arcade.py"),
        ],
    );
}

#[test]
fn whether_a_name_is_defined_is_answered_for_any_kind() {
    check(
        &shop(),
        &[
            ("is total defined?", "yes: `shop.total` is a function at shop.py:11"),
            ("is there anything called arcade?", "yes: `arcade` is a module at arcade.py"),
            ("is there something called frobnicate?", "no: no definition here is called `frobnicate`"),
        ],
    );
}

#[test]
fn the_main_classes_are_those_with_the_most_uses() {
    check(&shop(), &[("what are the main classes?", "the most used class outside of tests is `shop.Cart`")]);
}

#[test]
fn a_class_of_a_like_name_is_not_the_one_that_is_asked_for() {
    check(
        &shop(),
        &[
            ("is there a class called Itemm?", "no: no class here is called `Itemm`; similar: `shop.Item` is a class"),
            (
                "is there a class called total?",
                "no: no class here is called `total`; `shop.total` is a function (shop.py:11)",
            ),
            ("is there a class called Item?", "yes: `shop.Item` is a class"),
        ],
    );
}

#[test]
fn chains_of_calls_have_many_names() {
    let callers = "`total` is reached from 3 definitions (2 directly); 1 test reaches it";
    check(
        &shop(),
        &[
            ("show me the call hierarchy of total", callers),
            ("how is total reached?", callers),
            ("what is the call chain from play to total?", "`arcade.play` reaches `shop.total` in 2 steps"),
        ],
    );
}

#[test]
fn documents_are_asked_for_by_where_and_whether() {
    check(
        &shop(),
        &[
            ("where in the docs is Cart.price explained?", "docs/faq.md"),
            ("what does the FAQ say about price?", "docs/faq.md"),
            ("is there documentation on price?", "yes: "),
        ],
    );
}

#[test]
fn a_part_is_chosen_by_its_number() {
    check(
        &shop(),
        &[
            (
                "can I remove the second return in total?",
                "`total` has a second `return` statement: `return net + tax` (shop.py:16)",
            ),
            ("can I remove the third return in total?", "`total` has no third `return` statement"),
        ],
    );
}

#[test]
fn what_stands_above_and_below_is_asked_for_in_many_ways() {
    check(
        &shop(),
        &[
            ("what is below total?", "after `shop.total` stands the class `Cart` (shop.py:19)"),
            ("what is the previous sibling of Cart?", "before `shop.Cart` stands the function `total` (shop.py:11)"),
        ],
    );
}

#[test]
fn an_exception_of_python_is_raised_inside_of_something() {
    check(
        &shop(),
        &[
            (
                "where in shop.py do we raise ValueError?",
                "`ValueError` is raised by 1 definition in `shop`, first `shop.total`",
            ),
            ("does anything in Cart raise ValueError?", "no: no `raise` in `shop.Cart` names `ValueError`"),
        ],
    );
}

/// Two classes have the name, and one of them has the use.
#[test]
fn a_use_in_a_class_of_the_same_name_is_a_use() {
    let repo = TestRepo::new()
        .file("kit/__init__.py", "")
        .file(
            "kit/core.py",
            "def parse():
    return 1


class Request:
    def get(self):
        return parse()
",
        )
        .file(
            "kit/later.py",
            "from kit import core


class Request(core.Request):
    def put(self):
        return 2


def make():
    return Request().put() or Request()
",
        )
        .commit("first");
    check(
        &repo,
        &[(
            "do we call parse in Request?",
            "yes: `kit.core.parse` is called at 1 place in `kit.core.Request` (kit/core.py:7)",
        )],
    );
}

#[test]
fn which_heir_overrides_and_what_is_called_inside_keep_their_class() {
    check(
        &shop(),
        &[
            ("which subclass of Cart overrides _price?", "`shop.Cart._price` is overridden 1 time"),
            ("do we call total in Cart?", "yes: `shop.total` is called at 1 place in `shop.Cart` (shop.py:31)"),
        ],
    );
}

#[test]
fn fixtures_that_request_a_fixture_are_listed_alone() {
    let repo = TestRepo::new()
        .file(
            "tests/conftest.py",
            "import pytest


@pytest.fixture
def app():
    return 1


@pytest.fixture
def client(app):
    return app
",
        )
        .file(
            "tests/test_app.py",
            "def test_app(app):
    assert app


def test_client(client):
    assert client
",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("which fixtures use app?", "1 fixture requests `app`: `tests.conftest.client`"),
            ("which fixtures request the client fixture?", "none: no fixture requests `client`"),
        ],
    );
}

#[test]
fn a_set_is_tested_where_all_of_it_is() {
    check(&shop(), &[("are the shop functions tested?", "read as `are all shop functions tested`")]);
}

#[test]
fn words_that_an_answer_passes_over_are_named_before_it() {
    check(
        &shop(),
        &[
            ("who calls total?", "`shop.total` is called"),
            ("who calls total sideways?", "`sideways` is not understood; without it: `shop.total` is called"),
            (
                "show the sideways upside callers of total",
                "`sideways` and `upside` are not understood; without them: `shop.total` is called",
            ),
        ],
    );
    let json = shop().run(["ask", "--no-llm", "--format", "json", "who calls total sideways?"]).code(0).stdout;
    let answer: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(answer["completeness"], "unknown", "{json}");
}

#[test]
fn the_decorators_of_a_definition_are_told() {
    check(
        &shop(),
        &[
            ("what decorators does Cart.size have?", "`shop.Cart.size` is decorated with `@property` (shop.py:22)"),
            ("which decorators are on Item?", "`shop.Item` is decorated with `@dataclass` (shop.py:37)"),
            ("is Cart.size decorated?", "yes: `shop.Cart.size` is decorated with `@property`"),
            ("is total decorated?", "no: `shop.total` has no decorator (shop.py:11)"),
        ],
    );
}

#[test]
fn whether_a_change_reaches_another_definition_is_a_yes_or_no() {
    check(
        &shop(),
        &[
            ("does changing total affect Cart.price?", "yes: `shop.Cart.price` reaches `shop.total`"),
            ("does changing Cart.price affect total?", "no"),
            ("would changing Cart.price break Cart.keep?", "no"),
            ("is Cart.price affected if I change total?", "yes: `shop.Cart.price` reaches `shop.total`"),
        ],
    );
}

#[test]
fn a_docstring_is_that_of_the_function_and_has_a_name_as_a_whole() {
    let repo = TestRepo::new()
        .file("kit/__init__.py", "")
        .file("kit/raises.py", "def raises(match):\n    \"\"\"Checks the match of an error.\n\n    The order of strict errors is kept.\n    \"\"\"\n")
        .commit("first");
    check(
        &repo,
        &[
            (
                "what does the docstring of raises say about match?",
                "the docstring of `kit.raises.raises` has `match` in 1 line, first at kit/raises.py:2",
            ),
            (
                "does the docstring of raises mention strict_order?",
                "no: the docstring of `kit.raises.raises` (kit/raises.py:2) does not have `strict_order`",
            ),
        ],
    );
}
