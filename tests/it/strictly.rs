//! Questions of a strict reader, each with the truth that the source says.

use crate::harness::TestRepo;

/// A package with a class that hands calls on, a class with a base from outside, and functions around them.
fn kit() -> TestRepo {
    TestRepo::new()
        .file("pytest.ini", "[pytest]\npythonpath = src\n")
        .file("src/kit/__init__.py", "from .client import Client as Client\nfrom .lib import dumps as dumps\n")
        .file(
            "src/kit/client.py",
            "from .errors import BadJSON as KitBadJSON\n\n\nclass Client:\n    def get(self, url):\n        return self.request(url)\n\n    def request(self, url):\n        return self.send(url)\n\n    def send(self, url):\n        raise KitBadJSON(url)\n\n    def wide(self, a, b, c, d, e, f, g, h, i, j):\n        return a\n\n\nclass Response:\n    def request(self):\n        return None\n\n    def send(self):\n        return None\n",
        )
        .file("src/kit/errors.py", "class BadJSON(ValueError):\n    pass\n\n\nclass Other(KeyError):\n    pass\n")
        .file(
            "src/kit/lib.py",
            "from .client import Client\n\n\nclass Config(dict):\n    pass\n\n\nclass Small(Config):\n    pass\n\n\ndef dumps(value):\n    return str(value)\n\n\ndef flash(text):\n    return dumps(text)\n\n\ndef connect(url, timeout=1):\n    return Client().get(url)\n\n\ndef use_client(client):\n    return Client()\n",
        )
        .file("examples/app.py", "from kit import dumps\n\n\ndef main():\n    return dumps(1)\n")
        .file("tests/test_kit.py", "from kit.lib import connect\n\n\ndef test_connect():\n    assert connect(\"x\")\n")
        .commit("first")
}

/// The first paragraph of the answer to each question has the words.
pub(crate) fn check(repo: &TestRepo, cases: &[(&str, &str)]) {
    for (question, wanted) in cases {
        let text = repo.run(["ask", question]).code(0).stdout;
        let head = text.split("\n\n").next().unwrap_or_default();
        let head = head.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(head.contains(wanted), "{question}\n  wanted {wanted}\n  found  {head}\n{text}");
    }
}

/// A bare name after a dotted one belongs to the class of that one, not to a likelier class.
#[test]
fn a_bare_name_after_a_dotted_one_is_of_its_class() {
    check(
        &kit(),
        &[
            (
                "does Client.get call request or send directly?",
                "`kit.client.Client.get` calls `Client.request` directly (src/kit/client.py:6); it reaches `Client.send` only over `Client.request`",
            ),
            (
                "does Client.get call request?",
                "yes: `kit.client.Client.request` is called at 1 place in `kit.client.Client.get` (src/kit/client.py:6)",
            ),
        ],
    );
}

/// A question about one class and one base is yes or no, and bases outside of the repository count.
#[test]
fn one_class_and_one_base_from_outside_are_yes_or_no() {
    check(
        &kit(),
        &[
            ("does the Config class inherit from dict?", "yes: `kit.lib.Config` derives from `dict` directly"),
            ("is Config a subclass of dict?", "yes: `kit.lib.Config` derives from `dict` directly"),
            ("is Small derived from dict?", "yes: `kit.lib.Small` derives from `dict` over `Config`"),
            (
                "does Config inherit from list?",
                "no: `kit.lib.Config` does not derive from `list`; its bases are `dict`",
            ),
            ("is Client a subclass of dict?", "no: `kit.client.Client` has no base"),
            ("does Other inherit from Exception?", "yes: `kit.errors.Other` derives from `Exception` over"),
        ],
    );
}

/// `then` behind a comparison is `than`.
#[test]
fn more_then_is_more_than() {
    check(
        &kit(),
        &[("which functions have more then 8 parameters", "1 function outside of tests (at least 9 parameters)")],
    );
}

/// The alias of an import stands for the class that it imports.
#[test]
fn a_raised_alias_is_its_class() {
    check(
        &kit(),
        &[
            ("does Client.send raise BadJSON?", "yes: `Client.send` raises `BadJSON`"),
            ("does Client.send raise something other than BadJSON?", "no: no `raise` of anything but `BadJSON`"),
        ],
    );
}

/// A caller does not pass the object itself.
#[test]
fn parameters_are_counted_without_the_object() {
    check(&kit(), &[("how many parameters does wide have", "`Client.wide` takes 10 parameters besides `self`")]);
}

/// Those that the question leaves out are no users, and are not asked about.
#[test]
fn besides_leaves_a_user_out() {
    check(
        &kit(),
        &[
            (
                "does anything besides use_client use Client or Frob_X",
                "yes: 1 of 2 places where `kit.client.Client` is used is not in `kit.lib.use_client`",
            ),
            ("does anything besides use_client use Client or Frob_X", "nothing here is called `Frob_X`"),
        ],
    );
}

/// `in the src of X itself` and `inside X itself` are places, never their opposite.
#[test]
fn the_package_itself_is_a_place() {
    check(
        &kit(),
        &[
            ("is dumps used anywhere in the src of kit itself?", "yes: `kit.lib.dumps` is used at 2 places in src"),
            (
                "which functions in lib.py arent used inside kit itself",
                "3 functions in src/kit/lib.py (without a use in kit)",
            ),
            // With one place, it is that of the functions.
            ("which functions are never used in src/kit/lib.py", "2 functions in src/kit/lib.py (without a use)"),
        ],
    );
}

/// The word between the tests and `this` is what they do.
#[test]
fn the_verb_of_the_tests_is_no_name() {
    check(&kit(), &[("does connect accept a timeout and which tests send this", "1 test concerns `connect`")]);
}

/// A name that lacks a whole part of the asked one is no slip of it.
#[test]
fn an_unknown_identifier_is_not_taken_for_a_part_of_it() {
    check(
        &kit(),
        &[
            ("does anyone still use _kit_connect", "no: nothing here is called `_kit_connect`"),
            ("who calls frobnicate or use_client?", "nothing here is called `frobnicate`"),
        ],
    );
}

/// A term of the world that nothing here has is no question about the repository.
#[test]
fn terms_of_the_world_send_no_source() {
    let away = "this question is not about the repository";
    check(&kit(), &[("what is HTTP/2?", away), ("what is a decorator in python?", away), ("what is TLS?", away)]);
}

/// An attribute that no definition has is found by the text of its uses, told apart by what they do.
#[test]
fn who_sets_an_attribute_is_told_from_who_reads_it() {
    let repo = TestRepo::new()
        .file("blog/auth.py", "from web import g\n\n\ndef load(user):\n    g.user = user\n\n\ndef required():\n    return g.user is None\n")
        .file("blog/views.py", "from web import g\n\n\ndef author():\n    return g.user\n")
        .commit("first");
    check(&repo, &[("who sets g.user and who reads it", "`g.user` is set at 1 place")]);
}

/// A function inside a method is no method of the class.
#[test]
fn functions_inside_methods_are_no_methods() {
    let repo = TestRepo::new()
        .file(
            "web/scaffold.py",
            "def checked(f):\n    return f\n\n\nclass Scaffold:\n    @checked\n    def route(self, path):\n        def decorator(f):\n            return f\n        return decorator\n\n    def find(self, path):\n        return path\n",
        )
        .commit("first");
    let text = repo.run(["ask", "which methods of Scaffold are not decorated with checked?"]).code(0).stdout;
    assert!(text.contains("Scaffold.find") && !text.contains("Scaffold.route.decorator"), "{text}");
}

/// The section whose title the question repeats comes before those that name one of its words.
#[test]
fn the_section_with_the_title_in_the_question_comes_first() {
    let repo = TestRepo::new()
        .file("web/testing.py", "class TestClient:\n    def open(self, path):\n        return path\n")
        .file("docs/testing.rst", "Testing\n=======\n\nSending Requests with the Test Client\n-------------------------------------\n\nThe client makes requests.\n")
        .file("docs/blog.rst", "Blog\n====\n\nThe client of a test of the blog. A test client, a test client.\n")
        .commit("first");
    check(&repo, &[("what do the docs say about the test client?", "Sending Requests with the Test Client")]);
}

/// A list says how many rows it has, and `--all` and JSON give each of them.
#[test]
fn all_places_of_a_long_list_are_given() {
    let raises = (1..=40).map(|at| format!("def f{at}():\n    raise ValueError({at})\n\n\n")).collect::<String>();
    let repo = TestRepo::new().file("many.py", &raises).commit("first");
    let text = repo.run(["ask", "where is ValueError raised?", "--all"]).code(0).stdout;
    assert!(text.contains("where `ValueError` is raised (40)"), "{text}");
    assert_eq!((1..=40).filter(|at| text.contains(&format!("raise ValueError({at})"))).count(), 40, "{text}");
    let json = repo.run(["ask", "where is ValueError raised?", "--format", "json"]).code(0).stdout;
    assert!(json.contains("many.f40"), "{json}");
}

/// A package whose functions are called a known number of times.
fn counted() -> TestRepo {
    TestRepo::new()
        .file("pkg/__init__.py", "")
        .file(
            "pkg/core.py",
            "class Mixin:\n    def hook(self):\n        return 1\n\n\nclass Base(Mixin):\n    def roll(self):\n        \"\"\"Runs.\"\"\"\n        return grow()\n\n    @property\n    def size(self):\n        return 1\n\n\nclass Cart(Base):\n    pass\n\n\nclass Van(Base):\n    pass\n\n\nclass Truck(Van):\n    pass\n\n\nclass Wheel(Mixin):\n    pass\n\n\ndef grow():\n    return 1\n\n\ndef render():\n    return 2\n\n\ndef shade():\n    return 3\n\n\ndef stroke():\n    return render() + shade()\n",
        )
        .file("pkg/_draw_impl.py", "from pkg.core import render, shade\n\n\ndef draw():\n    return render() + shade()\n\n\ndef paint():\n    return render()\n")
        .file("pkg/flags.py", "import os\n\nVALUE = 1\n")
        .file("pkg/app.py", "import sys\n\nfrom pkg import _draw_impl\nfrom pkg import core\n\n\ndef main():\n    return _draw_impl.draw() + _draw_impl.paint() + core.stroke()\n")
        .file("tests/test_pkg.py", "from pkg import _draw_impl\n\n\nclass Cart:\n    pass\n\n\ndef test_draw():\n    assert _draw_impl.draw()\n")
        .commit("first")
}

/// A number of uses is compared with the one that the question asks for.
#[test]
fn a_number_of_calls_is_compared() {
    let said = "`pkg.core.render` is called at 3 places; the question is for";
    check(
        &counted(),
        &[
            ("is render called only once", &format!("no: {said} exactly 1")),
            ("is render called at most twice", &format!("no: {said} at most 2")),
            ("is render called less than 4 times", &format!("yes: {said} at most 3")),
            ("is render called exactly 3 times", &format!("yes: {said} exactly 3")),
            ("is render called more than 3 times", &format!("no: {said} at least 4")),
            ("is render called by more than 3 functions", "no: `pkg.core.render` is called by 3 functions"),
            ("is render called in only one file", "no: `pkg.core.render` is called in 2 modules"),
            ("is grow called only once", "yes: `pkg.core.grow` is called at 1 place; the question is for exactly 1"),
        ],
    );
}

/// Nobody who calls is the contrary of somebody.
#[test]
fn called_by_nobody_asks_for_no_caller() {
    check(
        &counted(),
        &[
            ("is render called by nobody", "no: `pkg.core.render` is called at 3 places"),
            ("is main called by nobody", "yes: no place was found where `pkg.app.main` is called"),
        ],
    );
}

/// `only called from F` is `only called by F`.
#[test]
fn only_called_from_is_only_called_by() {
    check(
        &counted(),
        &[
            ("is render only called from draw", "no: 2 of 3 places where `pkg.core.render` is used are not in"),
            ("is grow only called from Base.roll", "yes: the 1 place where `pkg.core.grow` is used is in"),
        ],
    );
}

/// Every module is more than some.
#[test]
fn every_module_is_counted() {
    check(
        &counted(),
        &[(
            "is pkg.core imported by every module",
            "no: `pkg.core` is imported in 2 of 4 other modules outside of tests, and not in pkg/__init__.py, pkg/flags.py",
        )],
    );
}

/// A small word that turns the truth is understood or said not to be, and then there is no verdict.
#[test]
fn a_turning_word_that_is_not_understood_comes_first() {
    check(
        &counted(),
        &[
            (
                "is render always called before shade",
                "the condition `always called before shade` is not understood; in all: ",
            ),
            ("is pkg.core imported by most modules", "the condition `most modules` is not understood; in all: "),
            ("does Wheel not derive from Mixin", "the `not` of the question is not understood; without it: yes:"),
            ("is render used at all", "yes: `pkg.core.render` is used at"),
        ],
    );
}

/// The same file and the same function hold a use of each name.
#[test]
fn uses_in_the_same_place_are_looked_up() {
    check(
        &counted(),
        &[
            (
                "are render and shade called in the same function",
                "yes: `pkg.core.render` and `pkg.core.shade` are both called in 2 functions: `pkg._draw_impl.draw`, `pkg.core.stroke`",
            ),
            (
                "are grow and shade called from the same function",
                "no: there is no function in which both `pkg.core.grow` and `pkg.core.shade` are called",
            ),
            ("are draw and paint used in the same file", "are both used in 1 file: `pkg/app.py`"),
        ],
    );
}

/// Van classes share a base, whether or not one derives from the other.
#[test]
fn bases_in_common_are_looked_up() {
    check(
        &counted(),
        &[
            (
                "do Base and Wheel share a base",
                "yes: `pkg.core.Base` and `pkg.core.Wheel` share 1 base: `pkg.core.Mixin`",
            ),
            ("do Mixin and Wheel have a common base", "no: no class is a base of both"),
        ],
    );
}

/// That a class or a file exists says nothing of what is asked for in it.
#[test]
fn what_is_asked_for_in_a_place_must_be_there() {
    check(
        &counted(),
        &[
            ("is there a method named foo on Base", "no: `pkg.core.Base` has no member `foo`"),
            ("is there a method called roll in Base", "yes: `pkg.core.Base.roll` is a method at pkg/core.py:7"),
            ("is there a method called size in Base", "no: `pkg.core.Base.size` is a property, no method"),
            ("is there an __eq__ on Base", "no: `pkg.core.Base` has no member `__eq__`"),
            ("is there a docstring on Base", "no: `pkg.core.Base` has no docstring"),
            ("is there a class called Nope in app.py", "no: pkg/app.py has no class called `Nope`"),
            ("is there a class in flags.py", "no: pkg/flags.py has no class"),
            ("is there a class in core.py", "yes: pkg/core.py has 6 classes"),
            ("is there recursion in app.py", "no: no function in pkg/app.py fits (that call themselves)"),
            (
                "is there more than one class named Base",
                "no: 1 class outside of tests is called `Base` (pkg/core.py:6)",
            ),
            ("is there any method called roll besides Base.roll", "no: 0 methods outside of tests are called `roll`"),
        ],
    );
}

/// All means each of them.
#[test]
fn all_is_more_than_some() {
    check(
        &counted(),
        &[
            ("is everything in app.py used", "no: 1 of 1 definition in pkg/app.py is not used: `main`"),
            (
                "do all methods of Base have docstrings",
                "no: 1 of 2 methods of `pkg.core.Base` has no docstring: `Base.size`",
            ),
            (
                "do all subclasses of Mixin have a roll",
                "no: 1 of 5 classes below `pkg.core.Mixin` has no member `roll`: `Wheel`",
            ),
            (
                "do all subclasses of Mixin override roll",
                "no: 4 of 5 classes below `pkg.core.Mixin` do not define `roll` themselves",
            ),
            ("do all classes in core.py derive from Mixin", "yes: each of 5 classes in pkg/core.py derives from"),
            (
                "do all functions in core.py return early",
                "the condition `functions in core.py return early` is not understood",
            ),
        ],
    );
}

/// A definition that is left out belongs to the set, and its own heirs stay.
#[test]
fn besides_leaves_out_of_a_set() {
    check(
        &counted(),
        &[
            ("who subclasses Base besides Van", "2 classes in the repository derive from `pkg.core.Base` besides"),
            ("are there any classes other than Van that subclass Base", "yes: 2 classes in the repository derive from"),
            (
                "how many direct subclasses does Van have, not counting Truck",
                "none: 0 classes in the repository derive from `pkg.core.Van` directly besides `pkg.core.Truck`",
            ),
            (
                "who besides draw calls shade",
                "1 of 2 places where `pkg.core.shade` is used is not in `pkg._draw_impl.draw`",
            ),
            ("who besides draw and stroke calls shade", "all 2 places where `pkg.core.shade` is used are in"),
            (
                "which functions call neither render nor frobnicate",
                "nothing here is called `frobnicate`, so its condition is left aside",
            ),
            ("does anything except tests import draw_impl", "yes: `pkg._draw_impl` is imported at"),
            ("which modules import neither os nor sys", "3 of 5 modules outside of tests do not import `os` or `sys`"),
        ],
    );
}

/// Tests under a condition are no definitions that lack tests.
#[test]
fn a_condition_on_tests_is_no_coverage() {
    check(&counted(), &[("which tests have no asserts", "none: not one of 1 test in the repository has no assert")]);
}

/// Tests are tests: examples and documents are none, and one definition counts them in every answer.
#[test]
fn examples_are_outside_of_tests() {
    let repo = TestRepo::new()
        .file("src/shop/core.py", "class Base:\n    pass\n\n\nclass Own(Base):\n    pass\n")
        .file(
            "examples/app.py",
            "from shop.core import Base\n\n\nclass Shown(Base):\n    def __init__(self):\n        pass\n",
        )
        .file("docs/conf.py", "def pairs():\n    yield 1\n")
        .file("tests/test_core.py", "class Fake:\n    pass\n\n\ndef all():\n    yield 1\n")
        .commit("first");
    check(
        &repo,
        &[
            ("which functions are generators outside of tests", "1 function outside of tests (generator)"),
            ("how many classes are there outside of tests", "3 classes outside of tests"),
            ("which classes derive from Base outside tests", "2 classes outside of tests"),
            (
                "which classes do not define __init__ outside of tests",
                "2 of 3 classes outside of tests do not define `__init__`",
            ),
            (
                "which classes have no __init__ outside of tests",
                "2 of 3 classes outside of tests do not define `__init__`",
            ),
            (
                "which classes are without __init__ outside of tests",
                "2 of 3 classes outside of tests do not define `__init__`",
            ),
        ],
    );
}

/// Files have lines, and a question for long ones is not for the definitions in them.
#[test]
fn files_are_listed_by_their_lines() {
    let repo = TestRepo::new()
        .file("shop/long.py", "a = 1\n".repeat(30))
        .file("shop/short.py", "def f():\n    return 1\n")
        .file("tests/test_long.py", "a = 1\n".repeat(40))
        .commit("first");
    check(
        &repo,
        &[
            ("which files have more than 20 lines", "1 Python file outside of tests (at least 21 lines)"),
            ("which files are longer than twenty lines", "1 Python file outside of tests (at least 21 lines)"),
            ("list files with fewer than ten lines", "1 Python file outside of tests (at most 9 lines)"),
        ],
    );
}

/// A number before `parameters` is a number, in digits or in words, and no name of a parameter.
#[test]
fn numbers_of_parameters_are_numbers() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "def none():\n    pass\n\n\ndef one(a):\n    pass\n\n\ndef two(a, b):\n    pass\n\n\nclass C:\n    def both(self, a, b):\n        pass\n\n    def three(self, a, b, c):\n        pass\n",
        )
        .commit("first");
    let told = "; `self` and `cls` do not count as parameters";
    for (question, wanted) in [
        ("which functions have two parameters", "2 functions outside of tests (exactly 2 parameters)"),
        ("which functions take exactly 2 arguments", "2 functions outside of tests (exactly 2 parameters)"),
        ("which functions have at most one parameter", "2 functions outside of tests (at most 1 parameter)"),
        ("which functions have fewer than two parameters", "2 functions outside of tests (at most 1 parameter)"),
        ("which functions have more than two parameters", "1 function outside of tests (at least 3 parameters)"),
        ("which functions do not have two parameters", "3 functions outside of tests (not exactly 2 parameters)"),
        ("which methods have two parameters", "1 method outside of tests (exactly 2 parameters)"),
    ] {
        check(&repo, &[(question, wanted)]);
    }
    check(&repo, &[("which functions have two parameters", told)]);
    let text = repo.run(["ask", "which functions have between 2 and 4 parameters"]).code(0).stdout;
    assert!(!text.contains("exactly 4") && !text.contains("with parameter"), "{text}");
}

/// A word that is no kind of definition is not counted as one: the answer says what it counted.
#[test]
fn what_a_count_counts_is_said() {
    let repo = TestRepo::new()
        .file(
            "shop/validators.py",
            "class Length:\n    def __call__(self, form):\n        pass\n\n\nclass Email:\n    pass\n",
        )
        .file("shop/filters.py", "async def first(x):\n    return x\n\n\ndef last(x):\n    return x\n")
        .file("shop/core.py", "def f():\n    pass\n")
        .commit("first");
    check(
        &repo,
        &[
            (
                "how many validators are there",
                "2 classes and 1 method in shop/validators.py; `validators` is no kind of definition",
            ),
            ("how many validators", "2 classes and 1 method in shop/validators.py"),
            ("how many filters are async", "1 function in shop/filters.py (async)"),
            ("how many validators do we have", "2 classes and 1 method in shop/validators.py"),
            ("how many widgets are there", "`widgets` cannot be counted: it is no kind of definition"),
        ],
    );
}

/// A call of its own name on an object of unknown type may be recursion.
#[test]
fn an_unresolved_call_of_its_own_name_may_be_recursion() {
    let repo = TestRepo::new()
        .file(
            "tree.py",
            "class Tree:\n    def __init__(self, tokens):\n        self.tokens = tokens\n\n    def flatten(self):\n        for token in self.tokens:\n            yield from token.flatten()\n\n    def size(self):\n        return len(self.tokens)\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("does Tree.flatten call itself", "probably: `tree.Tree.flatten` calls something of its name"),
            ("is Tree.flatten recursive", "probably: "),
            ("is Tree.size recursive", "no: no chain of calls leads from `tree.Tree.size` back to itself"),
        ],
    );
}

/// Errors that tests expect, classes that are raised nowhere, and methods that only a base defines.
#[test]
fn what_is_raised_expected_and_inherited_is_told_apart() {
    let repo = TestRepo::new()
        .file(
            "shop/errors.py",
            "class Problem(Exception):\n    pass\n\n\nclass Lost(Problem):\n    pass\n\n\nclass Late(Problem):\n    pass\n\n\nclass Base:\n    def run(self):\n        raise Lost()\n\n    def stop(self):\n        raise NotImplementedError\n\n\nclass Own(Base):\n    def stop(self):\n        pass\n",
        )
        .file(
            "tests/test_errors.py",
            "import pytest\nfrom shop.errors import Base, Lost\n\n\ndef test_run():\n    with pytest.raises(Lost):\n        Base().run()\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            (
                "is Lost raised in tests",
                "`Lost` is never raised in tests by a `raise` that names it; tests expect it at 1 place, first tests/test_errors.py:6",
            ),
            (
                "list subclasses of Problem that are not raised",
                "1 of 2 classes below `Problem` are never raised by name: `Late`",
            ),
            ("which subclasses of Problem are raised", "1 of 2 classes below `Problem` are raised by name: `Lost`"),
            (
                "which methods of Base are not implemented by Own",
                "`Own` inherits 1 method of `Base` and does not define them itself: `run`",
            ),
        ],
    );
}

/// The list of deprecated methods has those of which `is f deprecated` says yes.
#[test]
fn deprecated_methods_are_listed_by_their_docstrings() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "import warnings\n\n\nclass Field:\n    def fail(self):\n        \"\"\"Fails.\n\n        .. deprecated:: 3.0\n        \"\"\"\n\n    def old(self):\n        warnings.warn(\"use new\", DeprecationWarning)\n\n    def new(self):\n        return 1\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("which methods are deprecated", "2 methods outside of tests (deprecated)"),
            ("which methods are not deprecated", "1 method outside of tests (not deprecated)"),
            ("is Field.fail deprecated", "yes: `shop.Field.fail` is deprecated"),
        ],
    );
}

/// Lines that change the environment are told from those that read it.
#[test]
fn writes_to_the_environment_are_found() {
    let repo = TestRepo::new()
        .file("shop.py", "import os\n\n\ndef keep(name, value):\n    old = os.environ.get(name)\n    os.environ[name] = value\n    return old\n")
        .file("docs/index.md", "# Shop\n\nThe environment.\n")
        .commit("first");
    let writes = "the program writes to `os.environ` at 1 place, first shop.py:6";
    check(
        &repo,
        &[
            ("does anything write to os.environ", &format!("yes: {writes}")),
            ("who modifies os.environ", writes),
            ("does anything read os.environ", "yes: "),
        ],
    );
}

/// A parameter of a named function is meant, whatever attributes have its name; and so is a quoted line.
#[test]
fn a_change_is_one_of_the_parameter_or_the_line_that_is_named() {
    let repo = TestRepo::new()
        .file(
            "shop/core.py",
            "class Environment:\n    def __init__(self, autoescape=False):\n        self.autoescape = autoescape\n\n\nclass Context:\n    def __init__(self, environment):\n        self.autoescape = environment.autoescape\n\n    def push(self):\n        return self\n\n\ndef echo(text, nl=True):\n    return text\n\n\ndef run(ctx):\n    ctx.push()\n    echo(\"a\")\n    echo(\"b\", nl=False)\n    return Environment()\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            (
                "what breaks if autoescape becomes required in Environment.__init__",
                "requiring `autoescape` of `Environment.__init__` breaks 1 of 1 call",
            ),
            (
                "if I make autoescape required in Environment.__init__",
                "requiring `autoescape` of `Environment.__init__` breaks 1 of 1 call",
            ),
            (
                "what if I change the default of nl in echo to False",
                "1 of 2 calls does not pass `nl` of `echo` and would get the new default",
            ),
            ("what happens if I remove the line 'ctx.push()' in core.run", "line 19 of shop/core.py stands in"),
            (
                "what happens if I delete 'self.autoescape = autoescape' from core.py",
                "line 3 of shop/core.py stands in `Environment.__init__`",
            ),
            ("what happens if I remove the line 'ctx.push()'", "line 19 of shop/core.py stands in"),
            (
                "what happens if I delete \"self.setup\" from core.py",
                "the text `self.setup` stands in no line of core.py",
            ),
        ],
    );
}

/// Whether a class is hashable follows from `__eq__`, `__hash__`, generated methods and the bases.
#[test]
fn a_class_is_hashable_by_the_rules_of_python() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "import enum\nfrom collections import OrderedDict\nfrom dataclasses import dataclass\n\nimport attrs\nfrom lib import Far\n\n\n\
             class Params:\n    def __eq__(self, other):\n        return True\n\n\n\
             class Both(Params):\n    def __hash__(self):\n        return 1\n\n\n\
             class Heir(Params):\n    pass\n\n\n\
             class Plain:\n    def run(self):\n        return 1\n\n\n\
             class Never:\n    __hash__ = None  # on purpose\n\n\n\
             @dataclass\nclass Point:\n    x: int\n\n\n\
             @dataclass(frozen=True, order=True)\nclass Fixed:\n    x: int\n\n\n\
             @dataclass(eq=False)\nclass Same:\n    x: int\n\n\n\
             @dataclass(unsafe_hash=True)\nclass Forced:\n    x: int\n\n\n\
             @attrs.define\nclass Loose:\n    x: int\n\n\n\
             @attrs.frozen\nclass Tight:\n    x: int\n\n\n\
             class Ordered(OrderedDict):\n    pass\n\n\n\
             class Items(list):\n    pass\n\n\n\
             class Broken(ValueError):\n    pass\n\n\n\
             class Color(enum.Enum):\n    RED = 1\n\n\n\
             class Strange(Far):\n    pass\n\n\n\
             class Mixed(Plain, Heir):\n    pass\n\n\n\
             def use():\n    return Params(), Plain()\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            (
                "is Params hashable?",
                "no: `shop.Params` is not hashable: it defines `__eq__` without `__hash__` (shop.py:10)",
            ),
            ("is Params unhashable", "yes: `shop.Params` is not hashable: it defines `__eq__`"),
            ("is Both hashable", "yes: `shop.Both` is hashable: it defines `__hash__` (shop.py:15)"),
            ("is Heir hashable?", "no: `shop.Heir` is not hashable: its base `shop.Params` defines `__eq__` without"),
            ("is Plain hashable?", "yes: `shop.Plain` is hashable: neither it nor a base defines `__eq__`"),
            ("are Plain objects hashable?", "yes: `shop.Plain` is hashable"),
            ("is Never hashable?", "no: `shop.Never` is not hashable: it sets `__hash__` to `None` (shop.py:29)"),
            ("is Point hashable?", "no: `shop.Point` is not hashable: `@dataclass` gives it an `__eq__`"),
            ("is Fixed hashable?", "yes: `shop.Fixed` is hashable: `@dataclass` gives it the hash of its fields"),
            ("is Same hashable?", "yes: `shop.Same` is hashable: neither it nor a base defines `__eq__`"),
            ("is Forced hashable?", "yes: `shop.Forced` is hashable: `@dataclass` gives it the hash"),
            ("is Loose hashable?", "no: `shop.Loose` is not hashable: `@attrs.define` gives it an `__eq__`"),
            ("is Tight hashable?", "yes: `shop.Tight` is hashable: `@attrs.frozen` gives it the hash"),
            ("is Ordered hashable?", "no: `shop.Ordered` is not hashable: it derives from `collections.OrderedDict`"),
            ("is Items hashable?", "no: `shop.Items` is not hashable: it derives from `list`"),
            ("is Broken hashable?", "yes: `shop.Broken` is hashable: neither it nor a base defines `__eq__`"),
            ("is Color hashable?", "yes: `shop.Color` is hashable: it derives from `enum.Enum`"),
            ("is Strange hashable?", "whether `shop.Strange` is hashable is not known: it derives from `lib.Far`"),
            ("is Mixed hashable?", "no: `shop.Mixed` is not hashable: its base `shop.Params` defines `__eq__`"),
        ],
    );
}

/// attrs makes or takes the hash by the rules of its documentation.
#[test]
fn a_class_of_attrs_is_hashable_by_its_rules() {
    let class = |decorator: &str, head: &str, body: &str| format!("@{decorator}\nclass {head}:\n{body}\n\n");
    let eq = "    def __eq__(self, other):\n        return True\n";
    let hash = "    def __hash__(self):\n        return 1\n";
    let classes = [
        class("attr.s", "OldHash", hash),
        class("attr.s(auto_detect=True)", "OldKept", hash),
        class("attrs.define", "NewHash", hash),
        class("attrs.frozen", "OwnEq", eq),
        class("attr.s(frozen=True)", "Frozen", "    pass\n"),
        class("attrs.define", "Heir(Frozen)", "    pass\n"),
        class("attr.s(hash=False)", "Left", "    pass\n"),
        class("attrs.define(unsafe_hash=False)", "Slotted", "    pass\n"),
        class("attrs.define", "Bad(Exception)", "    pass\n"),
        class("attr.s", "OldBad(Exception)", "    pass\n"),
        class("attr.s(frozen=True, eq=False)", "Same", "    pass\n"),
        class("attr.dataclass", "Data", "    x: int = 1\n"),
    ];
    let repo =
        TestRepo::new().file("shop.py", format!("import attr\nimport attrs\n\n\n{}", classes.concat())).commit("first");
    check(
        &repo,
        &[
            ("is OldHash hashable", "no: `shop.OldHash` is not hashable: `@attr.s` gives it an `__eq__`"),
            ("is OldKept hashable", "yes: `shop.OldKept` is hashable: it defines `__hash__`"),
            ("is NewHash hashable", "yes: `shop.NewHash` is hashable: it defines `__hash__`"),
            ("is OwnEq hashable", "no: `shop.OwnEq` is not hashable: it defines `__eq__` without `__hash__`"),
            ("is Frozen hashable", "yes: `shop.Frozen` is hashable: `@attr.s` gives it the hash"),
            ("is Heir hashable", "yes: `shop.Heir` is hashable: `@attrs.define` gives it the hash"),
            ("is Left hashable", "yes: `shop.Left` is hashable"),
            ("is Slotted hashable", "no: `shop.Slotted` is not hashable"),
            ("is Bad hashable", "yes: `shop.Bad` is hashable: neither it nor a base defines `__eq__`"),
            ("is OldBad hashable", "no: `shop.OldBad` is not hashable"),
            ("is Same hashable", "yes: `shop.Same` is hashable"),
            ("is Data hashable", "no: `shop.Data` is not hashable: `@attr.dataclass` gives it an `__eq__`"),
        ],
    );
}

/// Attributes, fields and constants have values by default as parameters have.
#[test]
fn the_default_of_an_attribute_is_its_first_value() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "from dataclasses import dataclass, field\n\nMAX_ITEMS: int = 30\n\n\nclass Options:\n    max_parts: int\n    max_size: int | None = 500_000\n\n    def __init__(self):\n        self.max_parts = 64\n        self.max_items = MAX_ITEMS\n\n\n@dataclass\nclass Row:\n    row_cells: list = field(default_factory=list)\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            (
                "what is the default of max_parts",
                "`max_parts` is `64` by default: `Options.__init__` sets it (shop.py:11)",
            ),
            ("what is the default of max_size", "`Options.max_size` is `500_000` by default (shop.py:8)"),
            (
                "what is the default of max_items",
                "`max_items` is `MAX_ITEMS` by default: `Options.__init__` sets it (shop.py:12), which is `30` (shop.py:3)",
            ),
            ("what is the default of MAX_ITEMS", "`MAX_ITEMS` is `30` by default (shop.py:3)"),
            ("what is the default of row_cells", "`Row.row_cells` is `field(default_factory=list)` by default"),
        ],
    );
}

/// A line is read before the rest of its statement.
#[test]
fn a_line_inside_of_a_statement_leads_the_answer() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "def price():\n    return 1\n\n\ndef tax():\n    return 2\n\n\ndef total():\n    both = {\n        'price': price(),\n        'tax': tax(),\n    }\n    return both\n",
        )
        .file("tests/test_shop.py", "from shop import total\n\n\ndef test_total():\n    assert total()\n")
        .commit("first");
    check(
        &repo,
        &[
            (
                "line 12 of shop.py",
                "line 12 of shop.py is `'tax': tax(),`, a part of the statement `both = {` of lines 10-13 in `total` (shop.py:9); it calls `tax`; the rest of the statement calls `price`",
            ),
            ("is there a test for total", "yes: 1 test concerns `total`"),
            ("is there a test for tax", "yes: 1 test concerns `tax`"),
        ],
    );
}

/// Only branches of one statement exclude each other.
#[test]
fn steps_behind_a_guard_are_no_alternatives_to_it() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "def early():\n    return 1\n\n\ndef late():\n    return 2\n\n\ndef other():\n    return 3\n\n\ndef run(x, y):\n    try:\n        if x:\n            raise ValueError(early())\n    except ValueError:\n        pass\n    if y:\n        late()\n    else:\n        other()\n",
        )
        .commit("first");
    check(
        &repo,
        &[(
            "trace shop.run step by step",
            "`run` calls `early` (if `x`), then either `late` (if `y`) or `other` (otherwise)",
        )],
    );
}

/// Classes that annotations name, and attributes that are written in several places.
fn annotated_shop() -> TestRepo {
    TestRepo::new()
        .file(
            "shop.py",
            "from typing import Sequence\n\n\ndef keep(run):\n    return run\n\n\nclass Cart:\n    limit: int = 1\n\n    def __init__(self):\n        self.owner = None\n\n    @property\n    def mode(self):\n        return self._mode\n\n    @mode.setter\n    def mode(self, value):\n        self._mode = value\n\n\nclass WebCart(Cart):\n    def open(self, owner):\n        self.owner = owner\n        self.mode = 'web'\n\n\ndef total(cart: Cart, rows: Sequence[int]) -> int:\n    return cart.limit\n\n\n@keep\ndef clear(cart: 'Cart | None') -> None:\n    cart.owner = None\n\n\nlast: Cart = Cart()\n",
        )
        .file("tests/test_shop.py", "from shop import WebCart\n\n\ndef test_mode():\n    cart = WebCart()\n    cart.mode = 'test'\n    assert cart.mode\n")
        .commit("first")
}

#[test]
fn annotated_with_a_class_is_no_decorator() {
    let functions = "2 functions have `shop.Cart` in annotations, at 2 places, first in `shop.total` (shop.py:29)";
    let places = "`shop.Cart` is used in annotations at 3 places";
    check(
        &annotated_shop(),
        &[
            ("which functions are annotated with Cart?", functions),
            ("functions that annotate with Cart", functions),
            ("which functions have a Cart annotation?", functions),
            ("how many functions have parameters annotated as a Cart?", functions),
            ("which parameters are annotated with Cart?", places),
            ("what is type annotated with Cart?", places),
            ("where is Cart used as a type hint?", places),
            ("is anything annotated with WebCart?", "no: `shop.WebCart` is used in no annotation"),
            (
                "which functions are annotated with Sequence?",
                "1 function outside of tests has `Sequence` in the annotations",
            ),
            ("which functions are annotated with keep?", "1 function outside of tests (decorated by `keep`)"),
        ],
    );
}

#[test]
fn where_an_attribute_is_written_asks_for_its_writes() {
    let repo = annotated_shop();
    check(
        &repo,
        &[
            ("where is Cart.owner written?", "`shop.Cart.owner` is written at 3 places"),
            ("where was Cart.owner overwritten?", "`shop.Cart.owner` is written at 3 places"),
            ("where is Cart.mode written?", "`shop.Cart.mode` is written at 2 places"),
            ("where is total written?", "`shop.total` is the function at shop.py:29-30"),
            ("where is Cart written?", "`shop.Cart` is the class at shop.py:8-"),
        ],
    );
    // An assignment in an heir calls the setter of the base.
    check(
        &repo,
        &[
            ("where is WebCart.mode set?", "`shop.Cart.mode` is written at 2 places"),
            ("where is WebCart.mode written?", "`shop.Cart.mode` is written at 2 places"),
        ],
    );
}
