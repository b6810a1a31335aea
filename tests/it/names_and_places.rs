//! Questions whose names have several meanings: files and methods of one name, bases of libraries, names of the world.

use crate::{harness::TestRepo, strictly::check};

/// Three files called `server.py`, two classes called `Connection`, and exceptions with bases from outside.
fn wire() -> TestRepo {
    let connection = |word: &str| {
        let method = |name: &str| format!("    {word}def {name}(self):\n        return self\n");
        format!("class Connection:\n{}\n{}\n{}\n", method("close"), method("ping"), method("pong"))
    };
    TestRepo::new()
        .file("pytest.ini", "[pytest]\npythonpath = src\n")
        .file("src/wire/__init__.py", "")
        .file("src/wire/server.py", "def serve(app):\n    return app\n")
        .file("src/wire/sync/__init__.py", "")
        .file("src/wire/sync/server.py", "def listen(app):\n    return app\n")
        .file("src/wire/sync/connection.py", connection(""))
        .file("src/wire/aio/__init__.py", "")
        .file("src/wire/aio/server.py", "async def listen(app):\n    return app\n")
        .file("src/wire/aio/connection.py", connection("async "))
        .file("src/wire/compat.py", "try:\n    from simplejson import JSONDecodeError\nexcept ImportError:\n    from json import JSONDecodeError\n")
        .file(
            "src/wire/errors.py",
            "from requests import RequestException\n\nfrom .compat import JSONDecodeError as AnyJSONError\n\n\nclass Frozen(AttributeError):\n    pass\n\n\nclass FrozenItem(Frozen):\n    pass\n\n\nclass BadJSON(AnyJSONError):\n    pass\n\n\nclass Down(RequestException):\n    pass\n",
        )
        .file(
            "src/wire/errors.pyi",
            "class Frozen(AttributeError): ...\nclass FrozenItem(Frozen): ...\nclass BadJSON(ValueError): ...\nclass Down(Exception): ...\n",
        )
        .file(
            "src/wire/views.py",
            "import functools\n\nfrom werkzeug.exceptions import BadRequest\n\n\nclass Context:\n    def has_request(self):\n        return True\n\n    @property\n    def name(self):\n        return \"\"\n\n\ndef load(data):\n    if not data:\n        raise BadRequest()\n    return data\n\n\ndef store(data):\n    def inner(value):\n        return value\n\n    return inner(data)\n\n\n@functools.cache\ndef stamp():\n    return load(1)\n",
        )
        .file("examples/server.py", "def create_app():\n    return None\n")
        .file(
            "tests/test_views.py",
            "from wire.views import load, stamp, store\n\n\ndef test_load():\n    assert load(1)\n\n\ndef test_store():\n    assert store(1)\n\n\nclass TestStamp:\n    def test_stamp(self):\n        assert stamp()\n",
        )
        .commit("first")
}

/// A base of the standard library has bases itself; those of another library are not known.
#[test]
fn bases_of_libraries_are_known_or_it_is_said() {
    check(
        &wire(),
        &[
            ("is BadJSON a subclass of ValueError", "yes: `wire.errors.BadJSON` derives from `ValueError` over"),
            ("is BadJSON a ValueError?", "yes: `wire.errors.BadJSON` derives from `ValueError` over"),
            ("is BadJSON a dict", "no: `wire.errors.BadJSON` does not derive from `dict`"),
            ("is Down an OSError", "this cannot be told: `wire.errors.Down` derives from `RequestException`"),
            ("does Down inherit from object", "yes: `wire.errors.Down` derives from `object`, as every class does"),
            ("is FrozenItem a Frozen", "yes: `wire.errors.FrozenItem` derives from `wire.errors.Frozen` directly"),
            ("which exceptions are subclasses of ValueError", "1 exception class"),
        ],
    );
}

/// A stub says again what the file beside it defines.
#[test]
fn stubs_are_not_counted_beside_their_files() {
    check(
        &wire(),
        &[
            ("which classes derive from Frozen", "1 class is derived from `wire.errors.Frozen` directly, 1 in all"),
            ("list all exception classes", "4 exception classes outside of tests"),
        ],
    );
}

/// All files of a name are looked at before anything is said to be in none of them.
#[test]
fn every_file_of_a_name_is_looked_at() {
    let repo = wire();
    check(
        &repo,
        &[
            ("which functions are async in server.py", "1 function in"),
            (
                "is there a function in server.py called create_app",
                "yes: examples/server.py has 1 function called `create_app`",
            ),
            ("is there a function called frob in server.py", "no: "),
            ("does wire have a class called Context?", "yes: `wire.views.Context` is a class at"),
            ("is Connection.close async", "no: `wire.sync.connection.Connection.close` is not async"),
        ],
    );
    let text = repo.run(["ask", "is Connection.close async"]).code(0).stdout;
    assert!(text.contains("yes: `wire.aio.connection.Connection.close` is async"), "{text}");
}

/// Behind `raise` stands a class, and one of a library is known by its import.
#[test]
fn a_raised_class_is_no_method_that_is_spelled_alike() {
    let repo = wire();
    for question in ["which functions raise BadRequest", "who raises BadRequest"] {
        let text = repo.run(["ask", question]).code(0).stdout;
        assert!(text.contains("wire.views.load") && !text.contains("has_request"), "{question}\n{text}");
    }
}

/// Where a use counts decides the answer: in tests, outside of them, or for one of two names alone.
#[test]
fn tests_that_limit_a_use_are_a_place() {
    check(
        &wire(),
        &[
            ("is load used by tests?", "yes: `wire.views.load` is used at 2 places in tests"),
            ("does anything not in tests use wire.views.load", "yes: `wire.views.load` is used at 1 place"),
            ("which tests cover load and store", "each alone: "),
            ("list test classes in tests/test_views.py", "1 test class in tests/test_views.py"),
        ],
    );
}

/// Functions inside others are listed where they are asked for, and properties that a list leaves out are said.
#[test]
fn nested_functions_and_properties_are_told_apart() {
    check(
        &wire(),
        &[
            ("list the nested functions in src/wire/views.py", "1 function in src/wire/views.py (inner)"),
            ("which functions in src/wire/views.py have no docstring", "1 such property is not counted"),
            ("which modules import functools?", "`functools`"),
            ("what classes does errors.py contain?", "4 classes in src/wire/errors.py"),
            ("which functions have inner functions?", "1 function outside of tests (inner functions in it)"),
            ("which attributes does class Context have", "`wire.views.Context` has 1 attribute"),
        ],
    );
}

/// A word that `and` joins to a method is a method of its class.
#[test]
fn joined_methods_are_both_subjects() {
    let text = wire().run(["ask", "--plan", "explain how ping and pong work in Connection"]).code(0).stdout;
    assert!(text.contains("Connection.ping") && text.contains("Connection.pong"), "{text}");
}

/// A question about the world sends nothing of the repository; one about the code base does.
#[test]
fn the_world_is_told_from_the_repository() {
    let repo = wire();
    let prompt = |question: &str| repo.run(["ask", "--format", "prompt", question]).code(0).stdout;
    for question in ["what is HTTP", "explain big O notation", "what's the best web framework"] {
        assert!(!prompt(question).contains("wire"), "{question}\n{}", prompt(question));
    }
    assert!(prompt("what does the codebase do").contains("wire"));
}

/// A document that has the method behind a dot comes before one with a function of that name.
#[test]
fn a_method_is_documented_where_it_stands_behind_a_dot() {
    let repo = wire();
    repo.write("docs/other.md", "# Ping\n\nThe ping ping(touch) of sphinx: ping, ping.\n");
    repo.write("docs/guide.md", "# Keepalive\n\nCall `connection.ping()` now and then.\n");
    let text = repo.run(["ask", "where is Connection.ping documented?"]).code(0).stdout;
    assert!(text.starts_with("`Keepalive` speaks of `ping` (docs/guide.md:3)"), "{text}");
}

/// The definition that an import line names comes first, be it a private one.
#[test]
fn the_context_of_an_import_begins_with_what_it_imports() {
    let repo = wire();
    repo.write("src/wire/parser.py", "def _split(text):\n    return text\n\n\ndef parse(text):\n    return _split(text)\n\n\ndef read(text):\n    return parse(text)\n");
    repo.write("src/wire/use.py", "from .parser import _split\n\n\ndef use(text):\n    return _split(text)\n");
    repo.write(
        "src/wire/more.py",
        "from .parser import parse, read\n\n\ndef more(text):\n    return parse(text), read(text)\n",
    );
    let text = repo.run(["context", "--at", "src/wire/use.py:1"]).code(0).stdout;
    assert!(text.starts_with("# src/wire/parser.py\n# 1: def _split(text):"), "{text}");
}

/// A hierarchy is made of all classes, however many are named in an answer.
#[test]
fn the_hierarchy_of_the_repository_has_all_classes() {
    let animals: String = (0..12).map(|number| format!("class Animal{number}(Animal):\n    pass\n\n\n")).collect();
    let code = format!(
        "class Animal:\n    pass\n\n\n{animals}class Plant:\n    pass\n\n\nclass Tree(Plant):\n    pass\n\n\nclass Oak(Tree):\n    pass\n"
    );
    check(
        &TestRepo::new().file("zoo.py", code).commit("first"),
        &[
            (
                "what is the class hierarchy of the whole repository",
                "16 classes outside of tests in 2 hierarchies, the most classes below `Animal` (12), `Plant` (2)",
            ),
            ("what is the largest class hierarchy", "is that of `zoo.Animal` with 12 classes below it, 1 level deep"),
            ("what is the deepest class hierarchy", "is that of `zoo.Plant` with 2 classes below it, 2 levels deep"),
        ],
    );
}

/// A package of helpers for the tests of others is a part of the program, and stubs have no subclasses of their own.
#[test]
fn a_package_for_testing_is_no_test_and_a_stub_is_no_subclass() {
    let repo = TestRepo::new()
        .file("web/__init__.py", "")
        .file("web/app.py", "def run(a, b):\n    return a\n")
        .file("web/testing/__init__.py", "")
        .file("web/testing/client.py", "def simulate(a, b, c, d):\n    return a\n")
        .file(
            "web/errors.py",
            "class Base:\n    pass\n\n\nclass One(Base):\n    pass\n\n\nclass Two(Base):\n    pass\n",
        )
        .file("web/errors.pyi", "class Base: ...\nclass One(Base): ...\nclass Two(Base): ...\n")
        .commit("first");
    check(
        &repo,
        &[
            ("which function has the most parameters", "`web.testing.client.simulate` with 4 parameters"),
            ("which class has the most subclasses", "`web.errors.Base` with 2 subclasses"),
        ],
    );
}

/// Where several files have the name that limits the places, all of them are looked at.
#[test]
fn places_are_looked_for_in_every_file_of_a_name() {
    let repo = TestRepo::new()
        .file("src/kit/__init__.py", "")
        .file("src/kit/prints.py", "from .core.prints import Print\n\n\nclass Poster(Print):\n    pass\n")
        .file("src/kit/core/__init__.py", "")
        .file(
            "src/kit/core/prints.py",
            "from .tools import ink\n\n\nclass Print:\n    def __init__(self, name):\n        self.name = name\n\n    def record(self):\n        return ink()\n\n    def twice(self):\n        self.record()\n        return self.record()\n",
        )
        .file("src/kit/core/tools.py", "def ink():\n    return 1\n")
        .file("src/kit/app.py", "from .prints import Poster\n\n\ndef run():\n    return Poster(1).record()\n")
        .commit("first");
    check(
        &repo,
        &[
            (
                "who calls record in prints.py",
                "`kit.core.prints.Print.record` is called at 2 places in prints.py (1 place elsewhere)",
            ),
            ("who calls ink in prints.py", "`kit.core.tools.ink` is called at 1 place in prints.py"),
            (
                "which line of prints.py sets self.name?",
                "`self.name` is set at 1 place in src/kit/core/prints.py: line 6",
            ),
            ("where is self.name set in prints.py", "`self.name` is set at 1 place in src/kit/core/prints.py: line 6"),
        ],
    );
}

/// General questions have no answer here, whatever parts of names their words are; a name of the repository keeps it.
#[test]
fn general_questions_are_not_about_the_repository() {
    let repo = TestRepo::new()
        .file("fields.py", "class List:\n    pass\n\n\nclass Tuple:\n    def convert(self):\n        return 1\n\n\ndef check_https_url(url):\n    return url\n")
        .file("README.md", "# Fields\n\n## Useful Links\n\nMuch like Django. Runs on Unix and Linux. See HTTPS.\n")
        .commit("first");
    for question in [
        "what is Unix?",
        "what is the difference between a list and a tuple?",
        "how does HTTPS work?",
        "what is a linked list?",
        "what is the difference between Django and Flask?",
        "who wrote Linux?",
    ] {
        check(&repo, &[(question, "this question is not about the repository")]);
        let prompt = repo.run(["ask", "--format", "prompt", question]).code(0).stdout;
        assert!(!prompt.contains("fields") && !prompt.contains("Useful"), "{question}\n{prompt}");
    }
    for question in
        ["what is the difference between List and Tuple?", "how does check_https_url work?", "what is List?"]
    {
        let text = repo.run(["ask", question]).code(0).stdout;
        assert!(!text.contains("not about the repository"), "{question}\n{text}");
    }
}

/// A class behind several methods says where they stand, and an everyday word before it is one of its methods.
#[test]
fn a_class_behind_its_methods_is_their_place() {
    let repo = TestRepo::new()
        .file(
            "src/net/session.py",
            "class Session:\n    def get(self):\n        return 1\n\n    def delete(self):\n        return 2\n\n    def post(self):\n        return 3\n\n    def save_all(self):\n        return 4\n",
        )
        .file("src/net/api.py", "def get(url):\n    return url\n\n\ndef post(url):\n    return url\n")
        .commit("first");
    for (question, names) in [
        ("how do get and delete work in Session", "Session.get Session.delete"),
        ("how do get and post work in Session", "Session.get Session.post"),
        ("explain get and post in Session", "Session.get Session.post"),
        ("explain get, post and delete in the class Session", "Session.get Session.post Session.delete"),
        ("how do save_all and post work in Session", "Session.save_all Session.post"),
        ("how does get work in Session", "Session.get"),
    ] {
        let plan: serde_json::Value =
            serde_json::from_str(&repo.run(["ask", "--plan", "--format", "json", question]).code(0).stdout)
                .unwrap_or_else(|error| panic!("{question}: {error}"));
        let subjects = plan["subjects"].as_array().expect("a list");
        let found: Vec<&str> =
            subjects.iter().filter_map(|one| one["name"].as_str()?.strip_prefix("net.session.")).collect();
        assert_eq!(found.join(" "), names, "{question}");
        assert_eq!(plan["intent"], "explain", "{question}");
    }
    check(&repo, &[("how do get and frobnicate work in Session", "nothing here is called `frobnicate`")]);
}

/// An everyday word that a property and a module have for their name is the module, and so is one that changes.
#[test]
fn an_everyday_word_is_the_module_of_its_name() {
    let repo = TestRepo::new()
        .file("lib/__init__.py", "")
        .file("lib/markup.py", "def render(text):\n    return text\n")
        .file("lib/text.py", "from .markup import render\n\n\nclass Text:\n    @property\n    def markup(self):\n        return render(\"\")\n")
        .file("lib/adapters.py", "class HTTPAdapter:\n    def send(self):\n        return 1\n")
        .file("LICENSE.txt", "Copyright 2026 Ann\n")
        .commit("first");
    check(
        &repo,
        &[
            ("what breaks if I change the adapters", "depends on `lib.adapters`"),
            ("what license does this use?", "the license is in LICENSE.txt, which begins `Copyright 2026 Ann`"),
        ],
    );
    let plan = repo.run(["ask", "--plan", "how does markup get parsed"]).code(0).stdout;
    assert!(plan.contains("lib.markup "), "{plan}");
}

/// The parent, the previous and the next definition are told in the first line, in the order of the file.
#[test]
fn the_neighbors_of_a_definition_are_told() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "LIMIT = 1\n\n\ndef first():\n    return 1\n\n\nclass Cart:\n    size = 0\n\n    def add(self):\n        return second()\n\n    def drop(self):\n        return 1\n\n    def clear(self):\n        return 2\n\n\ndef second():\n    return 2\n\n\nclass Till:\n    pass\n",
        )
        .commit("first");
    let before = "before `shop.Cart.drop` stands the method `Cart.add` (shop.py:11)";
    let after = "after `shop.Cart.drop` stands the method `Cart.clear` (shop.py:17)";
    check(
        &repo,
        &[
            ("which method comes after Cart.drop?", after),
            ("what is the next method after Cart.drop?", after),
            ("what follows Cart.drop?", after),
            ("what is defined right after Cart.drop?", after),
            ("what comes before Cart.drop?", before),
            ("what is the previous definition before Cart.drop?", before),
            ("which method precedes Cart.drop?", before),
            ("which class is defined after Cart?", "after `shop.Cart` stands the class `Till` (shop.py:25)"),
            (
                "which function follows first in shop.py?",
                "after `shop.first` stands the function `second` (shop.py:21)",
            ),
            ("what is the parent of Cart.drop?", "`shop.Cart.drop` is defined in `Cart` (shop.py:14)"),
            ("what comes after Cart.clear?", "nothing stands after `shop.Cart.clear` in `Cart`"),
            ("what contains Cart.drop?", "`shop.Cart.drop` is defined in `Cart` (shop.py:14)"),
            ("what is the enclosing class of Cart.drop?", "`shop.Cart.drop` is defined in `Cart` (shop.py:14)"),
            ("what stands in front of Cart.drop?", before),
            ("first method of Cart", "the first method of `shop.Cart` is `Cart.add` (shop.py:11)"),
            ("what is the last method of Cart?", "the last method of `shop.Cart` is `Cart.clear` (shop.py:17)"),
            ("which function is the last in shop.py", "the last function of `shop` is `second` (shop.py:21)"),
            (
                "what is between Cart.add and Cart.clear?",
                "1 definition stands between `Cart.add` and `Cart.clear`: `Cart.drop`",
            ),
            (
                "which methods are between add and drop in Cart",
                "no method stands between `Cart.add` and `Cart.drop` (shop.py:11)",
            ),
            (
                "show the neighbours of Cart.drop",
                "the parent of `shop.Cart.drop` is the class `Cart` (shop.py:8); before it stands the method `Cart.add` (shop.py:11); after it stands the method `Cart.clear` (shop.py:17)",
            ),
        ],
    );
}

/// A shop whose modules use one another, with files of one name in several folders.
fn modules() -> TestRepo {
    TestRepo::new()
        .file("pytest.ini", "[pytest]\npythonpath = src\n")
        .file("src/shop/__init__.py", "")
        .file("src/shop/prices.py", "RATE = 3\n\n\nclass Price:\n    pass\n\n\ndef rounded(value):\n    return value\n\n\ndef raw(value):\n    return value\n")
        .file(
            "src/shop/cart.py",
            "from .prices import RATE, Price, rounded\n\n\nclass Cart:\n    def __init__(self):\n        self.price = Price()\n\n    def get(self):\n        return rounded(RATE)\n\n\nclass Basket:\n    def __init__(self):\n        class Row:\n            pass\n\n        self.row = Row\n\n    def get(self):\n        return 1\n",
        )
        .file("src/shop/types.py", "from .cart import Cart\n\n\ndef typed():\n    return Cart()\n")
        .file("tests/__init__.py", "")
        .file("tests/test_cart.py", "from shop.cart import Cart\n\n\ndef test_get():\n    assert Cart().get()\n")
        .commit("first")
}

/// What one module takes from another is asked of both.
#[test]
fn a_module_uses_another_one() {
    check(
        &modules(),
        &[
            (
                "what does cart.py import from prices.py?",
                "`shop.cart` imports 3 names from `shop.prices`: `RATE`, `Price` and `rounded`",
            ),
            (
                "which functions of prices.py does cart.py use",
                "`shop.cart` uses 1 function of `shop.prices`: `rounded`",
            ),
            ("what does prices.py import from cart.py", "none: `shop.prices` imports no name from `shop.cart`"),
            (
                "which methods in cart.py use prices.py",
                "2 methods of `shop.cart` use `shop.prices`: `Cart.__init__` and",
            ),
            (
                "does cart.py depend on prices.py?",
                "yes: `shop.cart` uses 3 definitions of `shop.prices`: `RATE`, `Price` and `rounded`; first at src/shop/cart.py:",
            ),
            (
                "does types depend on prices",
                "not directly: `shop.types` uses nothing of `shop.prices`, but `shop.types` imports `shop.cart`, which",
            ),
            (
                "is prices.py dependent on cart.py?",
                "no: `shop.prices` uses nothing of `shop.cart`, and imports no module that does",
            ),
            (
                "which modules does shop.cart import?",
                "`shop.cart` imports 1 module: `shop.prices` (src/shop/cart.py:1)",
            ),
            ("what is imported in cart.py", "the imports of `shop.cart` are at src/shop/cart.py:1"),
            ("how many import statements are in cart.py", "`shop.cart` has 1 import statement (src/shop/cart.py:1)"),
            (
                "which standard library modules does cart.py import",
                "none: `shop.cart` imports no module of the standard library",
            ),
            (
                "which rounded does Cart.get call?",
                "`shop.prices.rounded` (src/shop/cart.py:9) is called in `shop.cart.Cart.get`",
            ),
            ("which get is called in test_cart.py", "`shop.cart.Cart.get` (tests/test_cart.py:5) is called in"),
            ("why does Cart.get call rounded", "`shop.prices.rounded` is called at 1 place in `shop.cart.Cart.get`"),
            ("which functions are called directly by Cart.get", "`shop.cart.Cart.get` calls 1 definition: `rounded`"),
            ("does cart.py import prices.py", "yes: `shop.prices` is imported at 1 place in `shop.cart`"),
            ("does types.py import cart.py", "yes: `shop.cart` is imported at 1 place in `shop.types`"),
            ("is types.py imported by cart.py?", "no: "),
        ],
    );
}

/// A name limits a list; it is no call and no decorator.
#[test]
fn definitions_are_listed_by_their_name() {
    check(
        &modules(),
        &[
            ("methods named get", "2 methods outside of tests (named `get`)"),
            ("how many methods are called get?", "2 methods outside of tests (named `get`): src/"),
            ("which classes have a get method?", "2 definitions of `get`: in "),
            ("list all __init__ methods", "2 methods outside of tests (named `__init__`)"),
            ("classes named Price", "1 class outside of tests (named `Price`)"),
            ("is there a class defined inside a function?", "yes: 1 class outside of tests (local)"),
        ],
    );
}

/// Files have a place and a number, and the index has a state.
#[test]
fn files_and_the_index_are_asked_for() {
    check(
        &modules(),
        &[
            ("which files are in the tests folder?", "the folder `tests/` has 2 indexed files"),
            (
                "how many __init__.py files are there",
                "2 files are called `__init__.py`: src/shop/__init__.py, tests/__init__.py",
            ),
            ("where is cart.py", "src/shop/cart.py"),
            ("how many files are indexed?", "7 files and 0 documents are indexed"),
            ("are there any files with parse errors", "no: no file has syntax errors"),
            ("were any files skipped?", "no: no file was too big or unreadable"),
            ("which commit is indexed?", "the index is of commit "),
        ],
    );
}

/// A decorator is called at the line where it decorates: that is one use. Functions are counted where asked for.
#[test]
fn uses_are_counted_once() {
    let repo = TestRepo::new()
        .file("pkg/__init__.py", "from .marks import Child, mark\n")
        .file("pkg/ends.py", "import outside\n\nhalt = outside.halting()\n\n\ndef end():\n    halt(\"no\")\n")
        .file(
            "pkg/marks.py",
            "def mark(function):\n    return function\n\n\nclass Parent:\n    def run(self):\n        return 1\n\n\nclass Child(Parent):\n    @mark\n    def one(self):\n        return self.run()\n\n    @mark\n    def two(self):\n        return self.run()\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("where is mark used", "`pkg.marks.mark` is used at 3 places"),
            ("who calls pkg.ends.halt", "`pkg.ends.halt` is called at 1 place"),
            ("how many functions call Parent.run", "`pkg.marks.Parent.run` is called in 2 functions, at 2 places"),
            ("who calls pkg.Child.run", "`pkg.marks.Parent.run` is called at 2 places"),
            ("does __init__.py depend on marks.py", "yes: "),
        ],
    );
}
