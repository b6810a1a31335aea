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

/// A part of a name is a condition on names.
#[test]
fn parts_of_names_are_conditions() {
    let repo = TestRepo::new()
        .file(
            "walk.py",
            "class Walker:\n    def visit_name(self):\n        pass\n\n    def visit_call(self):\n        pass\n\n    def leave(self):\n        pass\n\n\ndef on_error_handler():\n    pass\n\n\ndef handler_of():\n    pass\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("methods that start with visit_", "2 methods outside of tests (named `visit_*`)"),
            ("which methods are called visit_*", "2 methods outside of tests (named `visit_*`)"),
            ("list methods whose name begins with `visit_`", "2 methods outside of tests (named `visit_*`)"),
            ("functions whose name ends with _handler", "1 function outside of tests (named `*_handler`)"),
            ("which functions end in _handler", "1 function outside of tests (named `*_handler`)"),
            ("which methods do not start with visit_", "1 method outside of tests (not named `visit_*`)"),
            ("which functions have handler in their name", "2 functions outside of tests (named `*handler*`)"),
        ],
    );
}

/// Functions that call themselves are listed, with those that may.
#[test]
fn functions_that_call_themselves_are_listed() {
    let repo = TestRepo::new()
        .file(
            "tree.py",
            "class Tree:\n    def walk(self, depth):\n        return self.walk(depth - 1)\n\n    def flatten(self):\n        for part in self.parts:\n            part.flatten()\n\n\ndef fact(n):\n    return n * fact(n - 1)\n\n\ndef plain():\n    return fact(3)\n",
        )
        .commit("first");
    for question in ["which functions call themselves", "which functions are recursive", "list recursive functions"] {
        check(
            &repo,
            &[(
                question,
                "2 functions outside of tests (that call themselves); chains over other functions are not followed; 1 more may",
            )],
        );
    }
}

/// The methods of a nested class are not those of the class around it.
#[test]
fn methods_of_nested_classes_are_not_counted() {
    let repo = TestRepo::new()
        .file(
            "log.py",
            "class Logger:\n    class Meta:\n        def inner(self):\n            pass\n\n    def info(self):\n        pass\n\n    def warn(self):\n        pass\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("how many methods has Logger", "2 methods of `log.Logger`"),
            ("how many methods does Logger have", "2 methods of `log.Logger`"),
            ("how many methods has Logger.Meta", "1 method of `log.Logger.Meta`"),
        ],
    );
}

/// No annotation at all is less than some.
#[test]
fn functions_without_annotations_are_told_from_those_with_some() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "def bare(a, b):\n    pass\n\n\ndef partly(a: int, b):\n    pass\n\n\ndef fully(a: int) -> None:\n    pass\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("which functions have no annotations", "1 have no annotation at all, 1 are annotated in part"),
            ("functions without annotations", "1 have no annotation at all, 1 are annotated in part"),
            ("which functions are missing annotations", "2 functions outside of tests (not fully annotated)"),
        ],
    );
}

/// An unresolved occurrence of the name may be the use that nobody found.
#[test]
fn unused_is_not_said_of_names_with_unresolved_occurrences() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "class Cart:\n    def total(self):\n        return 1\n\n    def lonely(self):\n        return 1\n\n\ndef show(cart):\n    return cart.total()\n\n\nshow(unknown)\n",
        )
        .commit("first");
    let text = repo.run(["ask", "which methods are not used anywhere"]).code(0).stdout;
    let head = text.split("\n\n").next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(head.contains("1 method outside of tests (without a use); of 1 method more it cannot be told"), "{text}");
    check(&repo, &[("is Cart.total not used anywhere", "perhaps: no place was found")]);
}

/// The classes that a metaclass makes are a set.
#[test]
fn classes_of_a_metaclass_are_listed() {
    let repo = TestRepo::new()
        .file(
            "models.py",
            "from abc import ABCMeta\n\n\nclass Meta(type):\n    pass\n\n\nclass Model(metaclass=Meta):\n    pass\n\n\nclass User(Model):\n    pass\n\n\nclass Port(metaclass=ABCMeta):\n    pass\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("which classes use metaclass Meta", "2 classes outside of tests (with metaclass `Meta`)"),
            ("which classes have Meta as their metaclass", "2 classes outside of tests (with metaclass `Meta`)"),
            ("list classes with the metaclass ABCMeta", "1 class outside of tests (with metaclass `ABCMeta`)"),
            ("which class has Meta as metaclass?", "2 classes outside of tests (with metaclass `Meta`)"),
            ("which classes are instances of Meta?", "it is the metaclass of 2 classes"),
        ],
    );
}

/// A base that is not in the index hides what a class derives from.
#[test]
fn classes_with_unknown_bases_limit_who_is_subclassed() {
    let repo = TestRepo::new()
        .file("shop.py", "import lib\n\n\nclass Base:\n    pass\n\n\nclass Own(lib.Thing):\n    pass\n\n\nclass Bad(ValueError):\n    pass\n")
        .commit("first");
    check(
        &repo,
        &[
            (
                "which classes are not subclassed",
                "3 classes outside of tests (without subclasses); 1 class of the repository has a base that is not in the index",
            ),
            ("which classes are never subclassed", "1 class of the repository has a base"),
        ],
    );
}

/// Documents write the words of a name apart.
#[test]
fn documents_name_a_class_by_its_words() {
    let repo = TestRepo::new()
        .file("shop.py", "class OrderedBag:\n    pass\n")
        .file("docs/index.md", "# Bags\n\nAn ordered bag keeps its order.\n")
        .commit("first");
    check(
        &repo,
        &[(
            "which documents mention OrderedBag",
            "no document has the name `OrderedBag`; `Bags` has its words (docs/index.md:3)",
        )],
    );
}

/// Conditions on tests, classes, modules and globals are read as such.
#[test]
fn conditions_are_not_misread() {
    let repo = TestRepo::new()
        .file(
            "shop/core.py",
            "import os\n\ncount = 0\nlimit = 1\n\n\nclass Empty:\n    pass\n\n\nclass Full:\n    def run(self):\n        global count\n        count = 1\n",
        )
        .file("shop/flags.py", "DEBUG = True\n")
        .file("shop/errors.py", "class Lost(Exception):\n    pass\n\n\nclass Found(Exception):\n    pass\n\n\ndef fail():\n    raise Found\n")
        .file(
            "tests/test_core.py",
            "import pytest\nfrom shop.errors import Lost\n\n\n@pytest.fixture\ndef cart():\n    return 1\n\n\nasync def test_async():\n    pass\n\n\ndef test_cart(cart):\n    raise Lost\n\n\n@pytest.mark.parametrize(\"size\", [1])\ndef test_size(size):\n    pass\n\n\ndef test_path(tmp_path):\n    pass\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("which tests are async", "1 test in the repository (async)"),
            ("list async tests", "1 test in the repository (async)"),
            ("which tests do not use fixtures", "2 tests in the repository (that request no fixture)"),
            ("which tests use no fixtures", "2 tests in the repository (that request no fixture)"),
            ("which classes have no methods", "3 classes outside of tests (without methods of their own)"),
            ("classes without methods", "3 classes outside of tests (without methods of their own)"),
            ("which modules import nothing", "2 modules outside of tests (without imports)"),
            (
                "which globals are written by functions",
                "1 variable of a module is written by functions outside of tests: `shop.core.count`",
            ),
            ("which exceptions are raised only in tests", "1 exception class outside of tests (raised in tests alone)"),
        ],
    );
}

/// Two limits of a number are two.
#[test]
fn a_number_between_two_has_two_limits() {
    let repo = TestRepo::new()
        .file("shop.py", "def a(x):\n    pass\n\n\ndef b(x, y):\n    pass\n\n\ndef c(x, y, z):\n    pass\n\n\ndef d(x, y, z, t):\n    pass\n")
        .commit("first");
    let wanted = "2 functions outside of tests (2 to 3 parameters)";
    check(
        &repo,
        &[
            ("functions with between 2 and 3 parameters", wanted),
            ("which functions have between two and three parameters", wanted),
            ("list functions with 2 to 3 parameters", wanted),
        ],
    );
}

/// Heirs over a class of a library are not known.
#[test]
fn heirs_of_a_base_from_outside_are_at_least_so_many() {
    let repo = TestRepo::new()
        .file("errors.py", "class Bad(Exception):\n    pass\n\n\nclass Worse(Bad, KeyError):\n    pass\n\n\nclass Other(Bad):\n    pass\n")
        .commit("first");
    check(&repo, &[("which exceptions derive from both Bad and KeyError", "at least 1 exception class")]);
}

/// A parameter that a test tells the class of was not constructed there.
#[test]
fn a_tested_parameter_is_not_constructed() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "class Cart:\n    def total(self):\n        return 1\n\n\ndef show(thing):\n    if isinstance(thing, Cart):\n        return thing.total()\n    return 0\n\n\ndef make():\n    cart = Cart()\n    return cart.total()\n",
        )
        .commit("first");
    let text = repo.run(["refs", "shop.Cart.total"]).code(0).stdout;
    assert!(text.contains("receiver's class tested here") && text.contains("receiver constructed here"), "{text}");
}

#[test]
fn calls_that_pass_a_parameter_are_listed_however_it_is_asked() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "class ShopError(Exception):\n    def __init__(self, code, status=None):\n        pass\n\n\n\
             def show(text, err=False):\n    raise ShopError(1, status=text)\n\n\n\
             class Box:\n    def open(self):\n        show(\"a\", err=True)\n\n\n\
             class Client:\n    def open(self, path, follow=False):\n        show(path)\n\n\n\
             def run(client: Client):\n    client.open(\"/\", follow=True)\n    client.open(\"/b\")\n    raise ShopError(2)\n",
        )
        .commit("shop");
    for (question, wanted) in [
        ("which calls pass the parameter err of show", "1 of 2 calls of `shop.show` passes `err`; 1 does not"),
        ("who passes err=True to show", "1 of 2 calls of `shop.show` passes `err=True`; 1 does not"),
        ("which calls pass status to ShopError", "1 of 2 calls of `shop.ShopError` passes `status`; 1 does not"),
        ("who passes follow to open", "1 of 2 calls of `shop.Client.open` passes `follow`; 1 does not"),
    ] {
        let text = repo.run(["ask", "-q", question]).code(0).stdout;
        assert!(text.starts_with(wanted), "{question}\n  wanted {wanted}\n{text}");
    }
}

/// Recursion, outermost types, methods and parts of names are what the words say.
#[test]
fn conditions_are_taken_at_their_word() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "class Bag:\n    def __init__(self, items):\n        self.items = items\n\n    def __repr__(self):\n        return repr(self)\n\n    def get_price_for(self):\n        return self.items\n\n    def get_price(self):\n        return self.items\n\n\ndef walk(tree: list) -> list:\n    return [walk(one) for one in tree]\n\n\ndef pair() -> 'tuple[int, int] | None':\n    return make()\n\n\ndef pairs() -> list[tuple[int, int]]:\n    return make()\n\n\ndef make(x):\n    return x()\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("which functions call themselves", "1 function outside of tests (that call themselves)"),
            ("which functions return a tuple", "1 function outside of tests (returns `tuple`); 1 by annotation"),
            ("list unannotated methods", "4 methods outside of tests (not fully annotated)"),
            (
                "which functions have no return annotation",
                "5 functions outside of tests (without return annotation), 1 of which is `__init__`",
            ),
            (
                "methods that begin with get_ and end with _for",
                "1 method outside of tests (named `get_*`, named `*_for`)",
            ),
            ("methods that begin with __i or end with _for", "2 methods outside of tests (named `__i*` or `*_for`)"),
            ("is frobnicate used anywhere", "nothing here is called `frobnicate`"),
        ],
    );
}

/// A parameter of a test that no mark gives is a fixture, whether pytest, a plugin or the repository defines it.
#[test]
fn fixtures_of_pytest_are_fixtures() {
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file(
            "tests/test_shop.py",
            "import pytest\n\nboth = pytest.mark.parametrize('kind', [1, 2])\n\n\ndef test_env(monkeypatch):\n    assert monkeypatch\n\n\n@pytest.mark.parametrize(('name', 'value'), [(1, 2)])\ndef test_given(name, value):\n    assert name\n\n\n@pytest.mark.parametrize('name', [1])\ndef test_both(tmp_path, name):\n    assert name\n\n\n@both\ndef test_mark(kind):\n    assert kind\n",
        )
        .commit("first");
    let expected = "2 tests in the repository (that request no fixture)";
    check(
        &repo,
        &[
            ("which tests use no fixture", expected),
            ("tests without fixtures", expected),
            ("how many tests use no fixture", expected),
        ],
    );
}

/// Metaclasses are told by what a class derives from and what it states.
#[test]
fn metaclasses_are_told() {
    let repo = TestRepo::new()
        .file(
            "meta.py",
            "from abc import ABCMeta\n\n\nclass Meta(ABCMeta):\n    pass\n\n\nclass Base(metaclass=Meta):\n    pass\n\n\nclass Child(Base):\n    def __hash__(self):\n        return 1\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("is Meta a metaclass", "yes: `meta.Meta` is a metaclass: it derives from `abc.ABCMeta`"),
            ("is Child a metaclass", "no: `meta.Child` is not a metaclass"),
            (
                "what metaclass does Child have",
                "the metaclass of `meta.Child` is `meta.Meta`, stated by its base `meta.Base`",
            ),
            ("which metaclass does Base use", "the metaclass of `meta.Base` is `meta.Meta`"),
            ("is class Child hashable", "yes: `meta.Child` is hashable"),
        ],
    );
}

/// A question that begins with its kind of definition is for a list, like `which …`.
#[test]
fn a_kind_with_a_condition_is_a_list() {
    let repo = TestRepo::new()
        .file("empty.py", "X = 1\n")
        .file(
            "shop.py",
            "import abc\n\nCOUNT = 0\n\n\ndef bump(a, b, c=1):\n    global COUNT\n    COUNT += 1\n\n\ndef walk(tree: list, depth: int = 0) -> list:\n    return [walk(one) for one in tree]\n\n\nclass Base(abc.ABC):\n    def run(self):\n        pass\n\n\nclass Leaf(Base):\n    pass\n\n\nclass Plain:\n    pass\n\n\nclass BadError(Exception):\n    pass\n\n\nclass OnlyError(Exception):\n    pass\n\n\ndef fail() -> None:\n    raise BadError\n",
        )
        .file(
            "tests/test_shop.py",
            "import pytest\n\nfrom shop import OnlyError\n\n\nasync def test_walk():\n    raise OnlyError\n\n\ndef test_plain():\n    assert 1\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("functions that write globals", "1 function writes 1 variable of modules outside of tests: `shop.bump`"),
            ("which functions use global", "1 function outside of tests has a `global` statement: `shop.bump`"),
            (
                "is there any recursion in shop.py",
                "yes: 1 function in shop.py (that call themselves); chains over other functions are not followed",
            ),
            ("which classes have a metaclass", "2 classes outside of tests (with a metaclass other than `type`)"),
            ("which classes have ABCMeta as metaclass", "2 classes outside of tests (with metaclass `ABCMeta`)"),
            ("classes without a metaclass", "3 classes outside of tests (without a metaclass other than `type`)"),
            ("functions with 2-4 parameters", "2 functions outside of tests (2 to 4 parameters)"),
            ("functions without a return type", "2 functions outside of tests (without return annotation)"),
            ("files with no import statements", "1 module outside of tests (without imports)"),
            ("files without imports", "1 module outside of tests (without imports)"),
            ("which exceptions are raised in tests only", "1 exception class outside of tests (raised in tests alone)"),
            (
                "which exceptions are never raised outside of tests",
                "1 exception class outside of tests (never raised by name outside of tests)",
            ),
            (
                "which exceptions are never raised",
                "none: no exception class outside of tests fits (never raised by name)",
            ),
            ("which tests are async", "1 test in the repository (async)"),
            ("is any test async", "yes: 1 test in the repository (async)"),
            ("leaf classes", "4 classes outside of tests (without subclasses)"),
            ("classes that no other class derives from", "4 classes outside of tests (without subclasses)"),
            ("which parameters have no annotation", "3 parameters of 1 function outside of tests have no annotation"),
        ],
    );
}

/// Stubs declare what others define, and are counted apart.
#[test]
fn definitions_of_stubs_are_counted_apart() {
    let repo = TestRepo::new()
        .file("shop.py", "def f():\n    return 1\n\n\ndef g():\n    return 2\n")
        .file("shop.pyi", "from typing import overload\n\n@overload\ndef f(a: int) -> int: ...\n@overload\ndef f(a: str) -> str: ...\ndef g() -> int: ...\n")
        .file("typed.pyi", "def h() -> int: ...\n")
        .commit("first");
    check(
        &repo,
        &[
            ("how many functions", "2 functions outside of tests; 1 more in type stubs (`.pyi`) is not counted"),
            ("how many functions are in shop.pyi", "2 functions in shop.pyi"),
        ],
    );
}

/// Whoever asks for long methods means functions as well.
#[test]
fn functions_as_long_as_the_methods_are_listed_too() {
    let body = "    x = 1\n".repeat(8);
    let repo = TestRepo::new()
        .file(
            "shop.py",
            format!("def long():\n{body}\n\nclass Cart:\n    def add(self):\n{}", body.replace("    x", "        x")),
        )
        .commit("first");
    check(
        &repo,
        &[(
            "methods longer than 5 lines",
            "1 method outside of tests (at least 6 lines); 1 function outside of classes fits too",
        )],
    );
    let text = repo.run(["ask", "methods longer than 5 lines"]).code(0).stdout;
    assert!(text.contains("functions outside of classes that fit (1)\n  shop.long"), "{text}");
}

/// An exception is raised under whatever name it is imported.
#[test]
fn an_exception_is_raised_under_another_name() {
    let repo = TestRepo::new()
        .file("errors.py", "class Base(Exception):\n    pass\n\n\nclass DecodeError(Base):\n    pass\n\n\nclass Idle(Base):\n    pass\n")
        .file("models.py", "from errors import DecodeError as OwnDecodeError\n\n\ndef load():\n    raise OwnDecodeError(1)\n")
        .commit("first");
    let expected = "1 of 2 classes below `Base` are never raised by name: `Idle`";
    check(
        &repo,
        &[
            ("subclasses of Base that are never raised", expected),
            ("which subclasses of Base are never raised", expected),
        ],
    );
}

/// A call on an object of the base may run whoever overrides the method.
#[test]
fn calls_of_overriding_methods_pass_arguments_too() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "class Base:\n    def add(self, rule, endpoint=None):\n        raise NotImplementedError\n\n    def route(self, rule):\n        self.add(rule, endpoint=rule)\n\n\nclass App(Base):\n    def add(self, rule, endpoint=None):\n        return rule\n\n\ndef run():\n    app = App()\n    app.add('/')\n    app.add('/a', endpoint='a')\n",
        )
        .commit("first");
    let text = repo.run(["ask", "-q", "who passes endpoint to add"]).code(0).stdout;
    assert!(text.contains("calls of `shop.App.add` pass `endpoint`; 1 does not"), "{text}");
}

/// A metaclass that nothing here has is not known.
#[test]
fn an_unknown_metaclass_is_said_to_be_unknown() {
    let repo = TestRepo::new()
        .file("shop.py", "class Cart:\n    pass\n")
        .file("docs/schema.md", "# Schemas\n\nA SchemaMeta is not here.\n")
        .commit("first");
    check(
        &repo,
        &[
            ("is SchemaMeta a metaclass", "nothing here is called `SchemaMeta`"),
            ("is EnumMeta a metaclass", "yes: `EnumMeta` is a metaclass of Python"),
        ],
    );
}

/// A package whose definitions have what the questions below ask for.
fn shop() -> TestRepo {
    TestRepo::new()
        .file("pytest.ini", "[pytest]\npythonpath = src\n")
        .file("docs/testing.md", "# Testing\n\n## Basic Example\n\nTest a command with the runner.\n")
        .file("docs/orders.md", "# Orders\n\n## Other Commands\n\nA command can run a test.\n")
        .file("docs/changes.md", "# Changes\n\n## Version 2\n\n`pay` is new, `pay` is fast, and `pay` is cheap.\n")
        .file("docs/use.md", "# Use\n\n## Payments\n\nCall `pay`.\n")
        .file(
            "src/shop/__init__.py",
            "\"\"\"A shop.\"\"\"\n",
        )
        .file(
            "src/shop/fields.py",
            "import typing as t\nfrom functools import wraps\n\nNumber = t.Union[int, float]\nText: t.TypeAlias = str\nKey = str | None\nFlags = 1 | 2\nTable = dict()\n\n\nclass Field:\n    width = 1\n\n    @property\n    def name(self):\n        return self._name\n\n    @name.setter\n    def name(self, value):\n        self._name = value\n\n    @property\n    def kind(self):\n        return 1\n\n    def read(self) -> Number:\n        raise TypeError(1)\n\n    def write(self, value: Number):\n        return value\n\n\nclass Whole(Field):\n    def read(self):\n        return 2\n\n\nclass Real(Field):\n    pass\n\n\nclass Other:\n    class Inside:\n        pass\n\n    def __eq__(self, other):\n        raise TypeError(2)\n",
        )
        .file(
            "src/shop/pay.py",
            "from functools import lru_cache\n\n\ndef traced(function):\n    def inner():\n        return function()\n    return inner\n\n\n@traced\ndef pay():\n    return 1\n",
        )
        .file(
            "tests/test_shop.py",
            "from shop.fields import Whole\n\n\nclass Helper:\n    pass\n\n\nclass TestWhole:\n    def test_read(self):\n        assert Whole().read()\n",
        )
        .commit("first")
}

/// Aliases of types are told by their values, and are no folder.
#[test]
fn type_aliases_are_listed() {
    check(
        &shop(),
        &[
            ("which type aliases exist in src/shop", "3 type aliases in src/shop"),
            ("are there any type aliases in src/shop/pay.py", "no: no module in src/shop/pay.py defines a type alias"),
        ],
    );
}

/// What stands inside of a definition, or comes from above, is a condition on it.
#[test]
fn definitions_are_listed_by_what_they_hold_and_inherit() {
    check(
        &shop(),
        &[
            ("which functions have inner functions?", "1 function outside of tests (inner functions in it)"),
            ("which classes have nested classes?", "1 class outside of tests (nested classes in it)"),
            ("what methods does Whole inherit", "`shop.fields.Whole` inherits 1 method: 1 from `Field`"),
            (
                "children of Field",
                "2 classes are derived from `shop.fields.Field` directly, 2 in all: `Real`, `Whole`; it has 6 members of its own",
            ),
            (
                "what is the parent of Whole.read",
                "`shop.fields.Whole.read` is defined in `Whole` (src/shop/fields.py:34), and overrides `shop.fields.Field.read`",
            ),
            ("list test classes in tests/test_shop.py", "1 test class in tests/test_shop.py"),
            ("which modules have no docstring", "2 modules outside of tests (without docstring)"),
            (
                "which functions in src/shop/pay.py take no parameters",
                "2 functions in src/shop/pay.py (at most 0 parameters)",
            ),
            (
                "which classes override __eq__ but not __hash__",
                "1 class in the repository defines `__eq__` and does not define `__hash__`",
            ),
        ],
    );
}

/// A class inside of a function is told from one inside of a class, and indirect callers are those of `impact`.
#[test]
fn local_definitions_and_indirect_calls_are_conditions() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "class Outer:\n    class Inner:\n        pass\n\n\ndef make():\n    class Local:\n        pass\n\n    return Local\n\n\ndef again():\n    return make()\n\n\ndef third():\n    return again()\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("which classes are defined inside functions?", "1 class outside of tests (local)"),
            ("list local classes", "1 class outside of tests (local)"),
            (
                "which functions indirectly call make?",
                "`make` is reached from 2 definitions (1 directly); no test reaches it; outside of tests 2 functions: `shop.again` and `shop.third`",
            ),
            ("who transitively calls make", "`make` is reached from 2 definitions (1 directly); no test reaches it"),
        ],
    );
}

/// A name out of a module is imported where the module is named, in one line or several.
#[test]
fn names_out_of_libraries_are_found_where_they_are_imported() {
    let repo = TestRepo::new()
        .file("shop/__init__.py", "")
        .file("shop/asyncio/__init__.py", "")
        .file("shop/wire.py", "class Protocol:\n    pass\n")
        .file(
            "shop/app.py",
            "import asyncio\nfrom collections.abc import (\n    Callable,\n    Mapping,\n)\nfrom datetime import timedelta as delta\n\n\nclass Server(asyncio.Protocol):\n    waits: delta\n    tables: Mapping\n    call: Callable\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            (
                "where is collections.abc.Mapping imported?",
                "`collections.abc.Mapping` is imported at 1 place in 1 module, first at shop/app.py:2",
            ),
            ("which files import timedelta from datetime", "1 module imports `datetime.timedelta`"),
            ("who imports datetime.timedelta?", "1 module imports `datetime.timedelta`"),
            ("is datetime.timedelta imported?", "yes: `datetime.timedelta` is imported in 1 module"),
            ("where is datetime.date imported?", "none: no module imports `datetime.date` by this name"),
            ("where is asyncio.Protocol used?", "`asyncio.Protocol` is used at 1 place in 1 module"),
        ],
    );
}

/// The word before `classes` can be the class from which they derive.
#[test]
fn a_kind_of_class_is_its_base() {
    check(
        &shop(),
        &[
            ("which field classes exist", "2 classes outside of tests (derived from `Field`)"),
            (
                "which field classes do not override read",
                "1 of 2 classes that derive from `shop.fields.Field` does not define `read`",
            ),
            ("which field classes override read", "`shop.fields.Field.read` is overridden 1 time"),
        ],
    );
}

/// A property is told from an attribute, and its setter from both.
#[test]
fn setters_and_properties_are_told() {
    check(
        &shop(),
        &[
            ("does Field.name have a setter", "yes: `shop.fields.Field.name` has a setter (src/shop/fields.py:18)"),
            ("does Field.kind have a setter", "no: the property `shop.fields.Field.kind` has no setter"),
            ("does Field.width have a setter", "no: `shop.fields.Field.width` is no property, but an attribute"),
            ("which functions are decorated with property?", "2 functions outside of tests (decorated by `property`)"),
        ],
    );
}

/// Imports, annotations and decorators are uses of their own kinds.
#[test]
fn uses_of_one_kind_are_told_apart() {
    check(
        &shop(),
        &[
            (
                "where is functools imported",
                "`functools` is imported at 2 places in 2 modules, first at src/shop/fields.py:2",
            ),
            ("what annotations use Number", "`shop.fields.Number` is used in annotations at 2 places"),
            ("who decorates with @traced", "`shop.pay.traced` is used as a decorator at 1 place"),
            ("why does Field.read raise TypeError", "`TypeError` is raised in `Field.read`"),
            ("who uses frobnicate", "nothing here is called `frobnicate`, and no code names it"),
        ],
    );
}

/// The document that explains something comes before the one that tells when it came.
#[test]
fn documents_that_explain_come_first() {
    check(
        &shop(),
        &[
            (
                "is there documentation for pay",
                "yes: 2 sections of 2 documents have `pay`, first `Payments` at docs/use.md:5",
            ),
            ("how do I test a command", "`Basic Example` speaks of this (docs/testing.md:"),
            ("what's the best web framework", "this question is not about the repository"),
        ],
    );
}

/// A module with a class that lacks docstrings, its users and its tests.
fn cookies() -> TestRepo {
    TestRepo::new()
        .file(
            "app/jar.py",
            "\"\"\"Keeps cookies.\"\"\"\n\n\nclass Base:\n    \"\"\"Keeps something.\"\"\"\n\n\nclass Jar(Base):\n    \"\"\"Keeps cookies.\"\"\"\n\n    def sign_cookie(self, text):\n        return text + 'signed'\n\n    def total(self):\n        \"\"\"Count them.\"\"\"\n        return 3\n\n\ndef parse_header(line):\n    return line.split(':')\n",
        )
        .file("tests/test_jar.py", "from app.jar import Jar\n\n\ndef test_cookie_is_signed():\n    assert Jar().sign_cookie('a')\n")
        .file("README.md", "# Jar\n\nIt keeps them.\n")
        .commit("first")
}

/// Who writes documentation or reviews code learns what is missing, and gets the source in the prompt.
#[test]
fn a_task_says_what_is_missing() {
    let repo = cookies();
    let jar = "`Jar` (class at app/jar.py:8-16, 9 lines) has a docstring; 1 of 2 public definitions has no docstring: `Jar.sign_cookie`; \
               it is used at 2 places, and 1 test uses it itself";
    let file = "app/jar.py: 5 definitions; public without a docstring: 2; not known to be reached by a test: 2; without a known use: 2; \
                longest: `Jar.total` with 3 lines";
    check(
        &repo,
        &[
            ("write documentation for the Jar class", jar),
            ("document Jar", jar),
            (
                "document app/jar.py",
                "app/jar.py: 2 of 5 public definitions have no docstring: `Jar.sign_cookie` and `parse_header`",
            ),
            ("review app/jar.py", file),
            ("suggest improvements for jar.py", &file.replace("app/jar.py:", "jar.py:")),
            ("how could I improve app/jar.py?", file),
        ],
    );
    let prompt = repo.run(["ask", "--format", "prompt", "document app/jar.py"]).code(0).stdout;
    assert!(prompt.contains("return line.split(':')"), "{prompt}");
}

/// A topic is looked for in the file and among the kind that the question names.
#[test]
fn a_topic_is_looked_for_where_the_question_says() {
    let repo = cookies();
    check(
        &repo,
        &[
            ("functions about cookies in app/jar.py", "nearest in meaning in app/jar.py: `app.jar.Jar.sign_cookie`"),
            ("code in app/jar.py that signs cookies", "nearest in meaning in app/jar.py: `app.jar.Jar.sign_cookie`"),
            ("where in app/jar.py are headers parsed?", "nearest in meaning in app/jar.py: `app.jar.parse_header`"),
            ("classes about cookies", "nearest in meaning: `app.jar.Jar`"),
            ("tests about cookies", "nearest in meaning: `tests.test_jar.test_cookie_is_signed`"),
        ],
    );
}

/// The repository's language and documents, and errors in it.
#[test]
fn the_repository_has_a_language_and_documents() {
    let repo = cookies();
    check(
        &repo,
        &[
            ("what language is this project written in?", "Python, in 2 files; code in other languages is not indexed"),
            ("is this project written in Python?", "yes: Python, in 2 files"),
            ("is there documentation?", "yes: 1 document: README.md"),
            ("is there any error in the repository?", "no file has syntax errors"),
            ("the whole class Jar", "`app.jar.Jar` is the class at app/jar.py:8-16"),
            ("code for parse_header", "`app.jar.parse_header` is the function at app/jar.py:19-20"),
        ],
    );
}
