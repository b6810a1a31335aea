//! Questions about tests: which use a definition, which reach it, and what none of them reaches.

use crate::{harness::TestRepo, strictly::check};

/// A package whose tests use it within classes, functions and lambdas, and over fixtures.
fn shop() -> TestRepo {
    TestRepo::new()
        .file("pytest.ini", "[pytest]\npythonpath = src\n")
        .file("src/shop/__init__.py", "from .table import SIZES as SIZES\n")
        .file("src/shop/table.py", "def sizes():\n    return [1]\n\n\ndef lost():\n    return 2\n\n\nSIZES = sizes()\n")
        .file(
            "src/shop/cart.py",
            "import io\n\n\nclass Item:\n    def price(self):\n        return 1\n\n    def weight(self):\n        return 2\n\n\nclass Stream(io.RawIOBase):\n    def readable(self):\n        return True\n\n\ndef make(item):\n    return item.price()\n\n\ndef named():\n    return 3\n\n\nCODE = \"from shop import cart; cart.CartWrapper()\"\n\n\nclass CartWrapper:\n    def run(self):\n        return 1\n",
        )
        .file("tests/__init__.py", "")
        .file("tests/basket/__init__.py", "")
        .file(
            "tests/conftest.py",
            "import pytest\n\n\n@pytest.fixture\ndef basket():\n    return []\n\n\n@pytest.fixture\ndef unused_one():\n    return 1\n",
        )
        .file(
            "tests/test_cart.py",
            "import pytest\n\nfrom shop.cart import Item, Stream, make\n\n\n@pytest.fixture\ndef basket(basket):\n    return basket\n\n\n\
             def test_in_a_class():\n    class Two(Item):\n        pass\n\n    assert Two\n\n\n\
             def test_in_a_function():\n    def inner():\n        return Item()\n\n    assert inner\n\n\n\
             def test_in_a_lambda():\n    assert (lambda: Item())\n\n\n\
             def test_basket(basket):\n    assert make(Item()) and Stream() and basket == []\n\n\n\
             class TestItem:\n    def setup_method(self):\n        self.item = Item()\n\n    def test_one(self):\n        assert self.item\n\n    \
             def test_two(self):\n        assert Item()\n",
        )
        .commit("first")
}

/// The rows below a title, up to the next title.
fn rows(text: &str, title: &str) -> Vec<String> {
    let lines = text.lines().skip_while(|line| !line.starts_with(title)).skip(1);
    lines.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_owned()).collect()
}

/// A class, a function and a lambda inside of a test are parts of it.
#[test]
fn uses_inside_of_a_test_are_uses_of_the_test() {
    let text = shop().run(["ask", "which tests use Item?", "--all"]).code(0).stdout;
    let rows = rows(&text, "tests that use `shop.cart.Item` themselves");
    for test in ["test_in_a_class", "test_in_a_function", "test_in_a_lambda", "test_basket", "TestItem.test_two"] {
        assert!(rows.iter().any(|row| row.contains(test)), "{test}\n{text}");
    }
    assert!(text.contains("themselves (5)"), "{text}");
    // The set-up stands for both tests of the class.
    assert!(text.starts_with("6 tests concern `Item`"), "{text}");
}

/// A fixture is no package of its name, and a fixture that takes the one of its own name stands for it.
#[test]
fn tests_of_a_fixture_are_those_that_take_it() {
    check(
        &shop(),
        &[
            ("which tests use the basket fixture?", "1 test concerns"),
            ("which tests take the fixture basket?", "1 test concerns"),
        ],
    );
}

/// A name that is not here is no question about the whole repository.
#[test]
fn an_unknown_name_is_said_before_anything_else() {
    check(
        &shop(),
        &[
            ("is Frobnicate tested?", "no: nothing here is called `Frobnicate`"),
            ("does Frobnicate have tests?", "no: nothing here is called `Frobnicate`"),
            ("do any tests use Frobnicate directly?", "no: nothing here is called `Frobnicate`"),
            ("tests of Frobnicate", "nothing here is called `Frobnicate`"),
            ("which tests cover Frobnicate", "nothing here is called `Frobnicate`"),
            ("which methods of Frobnicate are untested", "nothing here is called `Frobnicate`"),
            ("who uses Frobnicate?", "nothing here is called `Frobnicate`"),
            ("is frobnicate tested?", "nothing here is called `frobnicate`"),
            ("untested functions in src/nosuch", "no indexed file is called `src/nosuch`"),
        ],
    );
}

/// A class limits the list, also one whose name is a word for a kind of members.
#[test]
fn a_class_limits_the_list_of_its_untested_methods() {
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file(
            "shop.py",
            "class Attribute:\n    def used(self):\n        return 1\n\n    def idle(self):\n        return 2\n\n\nclass Other:\n    def far(self):\n        return 3\n\n\nLIMIT = 3\nREAD = 4\n\n\ndef limit():\n    return READ\n",
        )
        .file("test_shop.py", "from shop import Attribute, limit\n\n\ndef test_used():\n    assert Attribute().used() == limit()\n")
        .commit("first");
    check(
        &repo,
        &[
            (
                "uncovered methods of Attribute",
                "0 of 2 methods are not reached by any test; 1 reached, 1 cannot be told",
            ),
            ("do all methods of Attribute have tests?", "perhaps: 0 of 2 methods are not reached by any test"),
            ("which public functions have no tests?", "1 of 4 functions is not reached by any test"),
            ("which methods are not tested?", "1 of 3 methods is not reached by any test"),
            ("untested variables in shop.py", "1 of 2 variables is not reached by any test"),
            ("test coverage of shop.py", "2 of 6 definitions are not reached by any test"),
        ],
    );
}

/// Definitions that run where tests import a module, and those that unseen code may run, are told apart.
#[test]
fn code_behind_imports_and_unseen_callers_is_told_apart() {
    let text = shop().run(["ask", "which definitions in src are not covered by tests?", "--all"]).code(0).stdout;
    let not = rows(&text, "not reached by any test").join("\n");
    for name in ["lost", "named"] {
        assert!(not.contains(name), "{name}\n{text}");
    }
    for name in ["sizes", "readable", "CartWrapper("] {
        assert!(!not.contains(name), "{name}\n{text}");
    }
    assert!(rows(&text, "further ones that no test reaches").join("").contains("shop.table.sizes"), "{text}");
    let unseen = rows(&text, "further ones that only unseen code could run").join("\n");
    assert!(unseen.contains("shop.cart.CartWrapper "), "{text}");
}

/// Nobody is said to use what a library or a text may call.
#[test]
fn what_unseen_code_may_call_is_no_plain_no() {
    check(
        &shop(),
        &[
            ("is Stream.readable used anywhere?", "perhaps: nothing here names `shop.cart.Stream.readable`, but"),
            (
                "is CartWrapper used anywhere?",
                "perhaps: nothing here names `shop.cart.CartWrapper`, but `CartWrapper` stands in a text at",
            ),
            ("is lost used anywhere?", "no: "),
        ],
    );
}

/// Python looks for special names itself, and a text of several lines may be code.
#[test]
fn special_names_and_texts_of_several_lines_may_run() {
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file(
            "rules.py",
            "CODE = \"\"\"\\\nif kwargs:\n    params = self._encode_query(kwargs)\n\"\"\"\n\n\nclass Rule:\n    \"\"\"\n    Has _idle_one.\n    \"\"\"\n\n    \
             def _encode_query(self, kwargs):\n        return kwargs\n\n    def _idle_one(self):\n        return 1\n\n    \
             def __sizeof__(self):\n        return 1\n\n\ndef __dir__():\n    return []\n",
        )
        .file("test_rules.py", "from rules import Rule\n\n\ndef test_rule():\n    assert Rule()\n")
        .commit("first");
    let text = repo.run(["ask", "untested definitions in rules.py", "--all"]).code(0).stdout;
    let unseen = rows(&text, "further ones that only unseen code could run").join("\n");
    for name in ["_encode_query", "__dir__"] {
        assert!(unseen.contains(name), "{name}\n{text}");
    }
    assert!(text.contains("_idle_one") && !unseen.contains("_idle_one"), "{text}");
}

/// A test that only possibly reaches a method does not make it tested.
#[test]
fn a_possible_test_is_no_reason_to_call_all_reached() {
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file(
            "web.py",
            "class Session:\n    names = [\"get\"]\n\n    def get(self):\n        return 1\n\n    def put(self):\n        return 2\n\n    def state(self):\n        return {name: getattr(self, name, None) for name in self.names}\n",
        )
        .file(
            "test_web.py",
            "from web import Session\n\n\ndef test_get():\n    assert Session().get() and Session().state()\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("uncovered methods of Session", "0 of 3 methods are not reached by any test; 2 reached, 1 cannot be told"),
            ("is every method in web.py tested?", "perhaps: 0 of 3 methods are not reached by any test"),
        ],
    );
}

/// A file of tests tests what it uses, and no test elsewhere runs its classes.
#[test]
fn a_file_of_tests_is_asked_for_what_it_tests() {
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file(
            "fields.py",
            "class Field:\n    def dump(self, value):\n        return self._dump(value)\n\n    def _dump(self, value):\n        return value\n",
        )
        .file(
            "test_fields.py",
            "from fields import Field\n\n\ndef test_own():\n    class Own(Field):\n        def _dump(self, value):\n            return 1\n\n    assert Own().dump(2) == 1\n",
        )
        .file("test_other.py", "from fields import Field\n\n\ndef test_other(field: Field):\n    assert field.dump(2) == 2\n")
        .commit("first");
    check(
        &repo,
        &[("what does test_fields.py test?", "`test_fields`: 1 test, which uses 2 definitions of the program")],
    );
    let text = repo.run(["impact", "test_fields.py"]).code(0).stdout;
    assert!(!text.contains("test_other") && !text.contains("Field.dump"), "{text}");
}

/// A call over a local name is a call.
#[test]
fn a_call_over_a_local_name_is_listed_among_calls() {
    let repo = TestRepo::new()
        .file(
            "console.py",
            "class Console:\n    def render(self):\n        return 1\n\n    def show(self):\n        render = self.render\n        return render()\n",
        )
        .commit("first");
    check(
        &repo,
        &[("which functions does Console.show call?", "`console.Console.show` calls 1 definition: `Console.render`")],
    );
}

/// A family of classes and a module are what a question in the plural speaks of.
#[test]
fn a_family_limits_the_list_of_what_lacks_tests() {
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file(
            "lib/fields.py",
            "class Field:\n    def dump(self):\n        return 1\n\n\nclass Text(Field):\n    pass\n\n\nclass Number(Field):\n    limit = 3\n\n    def dump(self):\n        return self.limit\n\n\nclass Other:\n    pass\n",
        )
        .file("lib/checks.py", "def is_short(text):\n    return len(text) < 3\n\n\ndef is_long(text):\n    return len(text) > 9\n")
        .file("lib/middleware.py", "def wrap(renderer):\n    renderers = [renderer]\n    return renderers\n")
        .file("lib/handed/checks.py", "from lib.checks import is_short as is_short\n")
        .file(
            "test_lib.py",
            "from lib.checks import is_long\nfrom lib.fields import Text\n\n\ndef test_text():\n    assert Text().dump() and not is_long(\"\")\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("which field classes have no tests", "1 of 3 classes is not reached by any test; 2 reached"),
            ("which of the checks has no test?", "1 of 2 definitions is not reached by any test"),
            ("are all number methods tested?", "perhaps: 1 of 1 method is probably not reached by any test"),
            ("which methods of Number have no tests?", "1 of 1 method is probably not reached by any test"),
            ("is all middleware tested?", "no: 1 of 1 definition is not reached by any test"),
            ("are all renderers tested?", "nothing here is called `renderers`, so it is not known which code is meant"),
            ("does every renderer have a test?", "nothing here is called `renderer`, so it is not known which code is"),
            // An attribute of a class may be read on any object.
            (
                "untested variables in lib/fields.py",
                "0 of 1 variable are not reached by any test; 0 reached, 1 cannot be told",
            ),
            ("how well is Text tested", "as far as the source tells, every one of these"),
        ],
    );
}

/// A function that only hooks call runs when pytest calls those. A module runs its own code where a test imports it.
#[test]
fn what_unseen_callers_lead_to_is_not_called_untested() {
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file(
            "plugin.py",
            "import pytest\n\n\ndef choose(items):\n    return items\n\n\ndef pytest_collection_modifyitems(items):\n    choose(items)\n\n\ndef idle():\n    return 1\n\n\n@pytest.fixture\ndef box():\n    return []\n",
        )
        .file("tests/conftest.py", "import pytest\n\n\n@pytest.fixture\ndef box(box):\n    return box\n")
        .file("tests/test_box.py", "def test_box(box):\n    assert box == []\n")
        .commit("first");
    let text = repo.run(["ask", "untested functions in plugin.py", "--all"]).code(0).stdout;
    assert!(rows(&text, "not reached by any test").join("").contains("idle"), "{text}");
    let unseen = rows(&text, "further ones that only unseen code could run").join("\n");
    assert!(unseen.contains("plugin.choose"), "{text}");
    check(
        &repo,
        &[
            ("which tests use the box fixture", "1 test concerns the 2 fixtures `box`"),
            ("is plugin.choose tested", "perhaps: "),
        ],
    );
    check(
        &shop(),
        &[("is shop.table.sizes tested", "perhaps: no test was found that concerns `sizes`, but it runs where")],
    );
}

/// Words before the noun limit the set: none of them is left out unsaid.
#[test]
fn plurals_of_two_words_are_families_modules_or_names() {
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\npythonpath = src\n")
        .file("src/lib/__init__.py", "")
        .file(
            "src/lib/kinds.py",
            "class ParamType:\n    def get(self):\n        return 1\n\n\nclass IntKind(ParamType):\n    pass\n\n\nclass TextKind(ParamType):\n    pass\n\n\nclass JSONTag:\n    pass\n\n\nclass ListTag(JSONTag):\n    pass\n\n\nclass DictTag(JSONTag):\n    pass\n",
        )
        .file("src/lib/shell_history.py", "class Entry:\n    pass\n\n\nclass Log:\n    pass\n\n\ndef add():\n    return 1\n")
        .file("src/lib/cookies.py", "def jar():\n    return 1\n\n\ndef drop():\n    return 2\n\n\nclass Jar:\n    pass\n")
        .file("src/lib/cli.py", "def run_command():\n    return 1\n\n\ndef list_command():\n    return 2\n\n\ndef load():\n    return 3\n")
        .file("src/lib/setters.py", "def freeze():\n    return 1\n\n\ndef convert():\n    return 2\n")
        .file("tests/__init__.py", "")
        .file(
            "tests/test_lib.py",
            "from lib.cli import run_command\nfrom lib.cookies import jar\nfrom lib.kinds import DictTag, IntKind, ListTag, TextKind\nfrom lib.setters import convert, freeze\nfrom lib.shell_history import Entry\n\n\ndef test_all():\n    assert IntKind() and TextKind() and ListTag() and DictTag() and freeze() and convert()\n\n\ndef test_more():\n    assert jar() and Entry() and run_command()\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("are all parameter types tested?", "yes: as far as the source tells, every one of these 3 classes"),
            ("are all the JSON tags tested?", "yes: as far as the source tells, every one of these 3 classes"),
            ("do all json tags have tests?", "yes: as far as the source tells, every one of these 3 classes"),
            ("are all shell history classes tested?", "no: 1 of 2 classes is not reached by any test"),
            ("are all cookie functions tested?", "no: 1 of 2 functions is not reached by any test"),
            ("are all CLI commands tested?", "no: 1 of 2 definitions is not reached by any test"),
            ("does every setter in lib.setters have a test?", "yes: as far as the source tells, every one of these 2"),
            ("are all border styles tested?", "`border styles` names nothing here"),
            ("are all quantum functions tested?", "nothing here is called `quantum`, so it is not known"),
            ("are all functions tested?", "no: 4 of 9 functions are not reached by any test"),
        ],
    );
}

/// Modules and files are asked for, not their definitions.
#[test]
fn modules_and_files_without_tests_are_listed_themselves() {
    let repo = || {
        TestRepo::new()
            .file("pytest.ini", "[pytest]\npythonpath = src\n")
            .file("src/shop/__init__.py", "")
            .file("src/shop/cart.py", "def total():\n    return 1\n\n\ndef spare():\n    return 2\n")
            .file("src/shop/rates.py", "def rate():\n    return 1\n\n\ndef fee():\n    return 2\n")
            .file("src/shop/web/__init__.py", "")
            .file("src/shop/web/views.py", "def index():\n    return 1\n")
    };
    let tests = "from shop.cart import total\n\n\ndef test_total():\n    assert total() == 1\n";
    check(
        &repo().file("tests/test_cart.py", tests).commit("first"),
        &[
            (
                "which modules have no tests?",
                "2 of 3 modules with definitions have none that any test reaches: `shop.rates` and `shop.web.views`",
            ),
            (
                "which files are not covered by tests?",
                "2 of 3 files with definitions have none that any test reaches: `src/shop/rates.py`",
            ),
            ("list the files without tests", "2 of 3 files with definitions have none"),
            ("how many modules have no tests?", "2 of 3 modules with definitions have none"),
            ("are there modules without tests?", "yes: 2 of 3 modules"),
            ("are all modules tested?", "no: 2 of 3 modules"),
            ("which modules have tests?", "1 of 3 modules with definitions has some that a test reaches: `shop.cart`"),
            ("are there untested files?", "yes: 2 of 3 files"),
            ("which files in src/shop/web have no tests?", "1 of 1 files with definitions has none"),
            ("which modules in shop.cart have no tests?", "none: a test reaches some definition of each of 1 module"),
            ("which blue modules have no tests?", "which modules are meant is not known: these words"),
            ("which functions in the module shop.rates have no tests?", "2 of 2 functions are not reached"),
        ],
    );
}

/// Fixtures of pytest have no definition here; they are requested all the same.
#[test]
fn tests_and_fixtures_that_request_fixtures_are_listed() {
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file("shop.py", "request = None\n\n\ndef total():\n    return request\n")
        .file(
            "tests/conftest.py",
            "import pytest\n\n\n@pytest.fixture\ndef app():\n    return 1\n\n\n@pytest.fixture\ndef client(app):\n    return app\n\n\n@pytest.fixture\ndef named(request):\n    return request\n\n\n@pytest.fixture\ndef server(server):\n    return server\n",
        )
        .file(
            "tests/test_shop.py",
            "import pytest\n\n\ndef test_both(app, client):\n    assert app\n\n\ndef test_one(client):\n    assert client\n\n\ndef test_patched(client, monkeypatch):\n    assert client\n\n\n@pytest.mark.parametrize(\"monkeypatch\", [1])\ndef test_given(monkeypatch):\n    assert monkeypatch\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            (
                "which tests use app and client?",
                "1 test requests both `app` and `client`: `tests.test_shop.test_both`; 2 more may get them over other fixtures",
            ),
            (
                "which tests use client and monkeypatch?",
                "1 test requests both `client` and `monkeypatch`: `tests.test_shop.test_patched`",
            ),
            (
                "which tests use app and monkeypatch?",
                "none: no test requests both `app` and `monkeypatch` itself; 1 more",
            ),
            ("which tests request monkeypatch?", "1 test requests `monkeypatch`: `tests.test_shop.test_patched`"),
            ("which fixtures use request?", "1 fixture requests `request`: `tests.conftest.named`"),
            ("who uses the request fixture?", "1 test or fixture requests `request`: `tests.conftest.named`"),
            ("which fixtures depend on app?", "1 fixture requests `app`: `tests.conftest.client`"),
            ("which fixtures depend on client?", "none: no fixture requests `client` itself"),
            // It takes the one of a library.
            ("which fixtures use server?", "1 fixture requests `server`: `tests.conftest.server`"),
            ("who uses the client fixture?", "3 tests request `client`"),
        ],
    );
}

/// Words that describe one thing are no question for the whole repository.
#[test]
fn a_described_thing_is_asked_for_by_itself() {
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file(
            "shop.py",
            "class FormParser:\n    def parse(self):\n        return 1\n\n\nclass HTTPError(Exception):\n    pass\n\n\nclass NotFound(HTTPError):\n    pass\n\n\nclass Gone(HTTPError):\n    pass\n\n\ndef lost():\n    return 1\n",
        )
        .file("http.py", "def dump():\n    return 1\n")
        .file(
            "tests/test_shop.py",
            "from shop import FormParser, NotFound\n\n\ndef test_parser():\n    assert FormParser().parse() and NotFound()\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("is the form parser tested?", "yes: 1 test concerns `FormParser`"),
            ("is the form parser covered by tests?", "yes: 1 test concerns `FormParser`"),
            ("are all HTTP errors tested?", "no: "),
            ("which test files are there for shop?", "1 file has tests that concern `shop`: tests/test_shop.py (1)"),
            (
                "which test files cover FormParser?",
                "1 file has tests that concern `FormParser`: tests/test_shop.py (1)",
            ),
        ],
    );
    let text = repo.run(["ask", "is the frob parser tested?"]).code(0).stdout;
    assert!(!text.contains("definitions are not reached"), "{text}");
}
