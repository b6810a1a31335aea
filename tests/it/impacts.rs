//! The reach of `impact` in small repositories: one way of referring to a definition each.

use expect_test::{Expect, expect};

use crate::harness::TestRepo;

/// The entities that a change of `target` reaches, a line each with its distance and the kinds of relationships on the
/// chain.
pub(crate) fn check(repo: &TestRepo, target: &str, expected: &Expect) {
    let json = repo.run(["impact", target, "--format", "json"]).code(0).stdout;
    let report: serde_json::Value = serde_json::from_str(&json).expect("a report");
    let mut lines = String::new();
    for row in report["impacted"].as_array().expect("a list") {
        let via = row["via"].as_array().expect("a chain").iter();
        let chain: Vec<&str> = via.map(|via| via["kind"].as_str().expect("a kind")).collect();
        let (name, distance) = (row["name"].as_str().expect("a name"), &row["distance"]);
        lines += &format!("{distance} {name}: {}\n", chain.join(" ← "));
    }
    expected.assert_eq(&lines);
}

#[test]
fn who_reads_an_attribute_in_a_base_gets_the_one_of_the_derived_class() {
    let repo = TestRepo::new()
        .file(
            "views.py",
            "\
class View:
    template = 'base.html'
    __key = 1

    def __init__(self):
        self.size = 1

    @property
    def title(self):
        return 'base'

    def get(self):
        return self.template

    @classmethod
    def build(cls):
        return cls.template

    def show(self):
        return self.title + str(self.size)

    def keys(self):
        return self.__key


class Middle(View):
    pass


class Child(Middle):
    template = 'child.html'
    title = 'child'
    __key = 2

    def __init__(self):
        self.size = 2


class Leaf(Child):
    template = 'leaf.html'
",
        )
        .file(
            "test_views.py",
            "from views import Child\n\n\ndef test_get():\n    assert Child().get() == 'child.html'\n",
        )
        .commit("first");
    check(
        &repo,
        "Child.template",
        &expect![[r#"
            2 test_views.test_get: calls ← reads ← overrides
            1 views.View.build: reads ← overrides
            1 views.View.get: reads ← overrides
        "#]],
    );
    // Over two classes that hide it.
    check(
        &repo,
        "Leaf.template",
        &expect![[r#"
            2 test_views.test_get: calls ← reads ← overrides ← overrides
            1 views.View.build: reads ← overrides ← overrides
            1 views.View.get: reads ← overrides ← overrides
        "#]],
    );
    check(
        &repo,
        "Child.title",
        &expect![[r#"
            1 views.View.show: reads ← overrides
            2 test_views.test_get: calls ← registers ← reads ← overrides
        "#]],
    );
    check(
        &repo,
        "Child.size",
        &expect![[r#"
            1 views.View.show: reads ← overrides
            2 test_views.test_get: calls ← registers ← reads ← overrides
        "#]],
    );
    // A private name is the class's own.
    check(&repo, "Child.__key", &expect![[""]]);
}

#[test]
fn a_mark_gives_a_fixture_to_all_tests_of_its_class_or_module() {
    let fixtures = "import pytest\n\n\n@pytest.fixture\ndef number():\n    return 1\n";
    let whole = "\
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('number')]


def test_alone(): ...


class TestTogether:
    def test_inside(self): ...
";
    let classes = "\
import pytest


@pytest.mark.usefixtures('number')
class TestDecorated:
    class TestInner:
        def test_inner(self): ...


class TestMarked:
    pytestmark = pytest.mark.usefixtures('number')

    def test_marked(self): ...


class TestDerived(TestMarked):
    def test_derived(self): ...


def test_without(): ...
";
    let repo = TestRepo::new()
        .file("conftest.py", fixtures)
        .file("test_whole.py", whole)
        .file("test_classes.py", classes)
        .commit("first");
    check(
        &repo,
        "conftest.number",
        &expect![[r#"
        1 test_classes.TestDecorated: uses_fixture
        1 test_classes.TestMarked: uses_fixture
        1 test_whole.pytestmark: uses_fixture
        2 test_classes.TestDecorated.TestInner.test_inner: uses_fixture ← uses_fixture
        2 test_classes.TestDerived.test_derived: uses_fixture ← uses_fixture
        2 test_classes.TestMarked.test_marked: uses_fixture ← uses_fixture
        2 test_whole.TestTogether.test_inside: uses_fixture ← uses_fixture
        2 test_whole.test_alone: uses_fixture ← uses_fixture
        2 test_classes.TestDerived: inherits ← uses_fixture
    "#]],
    );
    check(
        &repo,
        "test_whole.pytestmark",
        &expect![[r#"
        1 test_whole.TestTogether.test_inside: uses_fixture
        1 test_whole.test_alone: uses_fixture
    "#]],
    );
}

/// The words of `impact --param` for each place, and how many are affected.
fn check_parameter(repo: &TestRepo, arguments: &[&str], expected: &Expect) {
    let arguments = [&["impact", "--format", "json"], arguments].concat();
    let json = repo.run(arguments).code(0).stdout;
    let report: serde_json::Value = serde_json::from_str(&json).expect("a report");
    let mut lines = String::new();
    for site in report["call_sites"].as_array().into_iter().flatten() {
        let text = |field: &str| site[field].as_str().unwrap_or("-").to_owned();
        lines += &format!(
            "{}:{} {}: {} ({})\n",
            text("name"),
            site["line"],
            text("passes"),
            text("verdict"),
            text("reason")
        );
    }
    let names = report["impacted"].as_array().expect("a list").iter().map(|row| row["name"].as_str().expect("a name"));
    lines += &names.collect::<Vec<_>>().join(", ");
    expected.assert_eq(&(lines + "\n"));
}

#[test]
fn a_keyword_that_falls_into_the_double_star_does_something_else() {
    let code = "def url(name, anchor=None, **values):\n    return name\n\n\n\
                def pages():\n    url('a', anchor='b')\n    url('c', page=1)\n    url('d', 'e')\n";
    let repo = TestRepo::new().file("app.py", code).commit("first");
    check_parameter(
        &repo,
        &["app.url", "--param", "anchor", "--change", "remove"],
        &expect![[r#"
        app.pages:6 'b': may_behave_differently (passes `anchor=`, which is no parameter now and goes to `**`)
        app.pages:7 -: not_affected (fits the new parameters as it is)
        app.pages:8 'e': breaks (passes 2 positional arguments, and `url` takes 1 now)
        app.pages
    "#]],
    );
}

#[test]
fn functions_that_are_handed_on_are_concerned_by_their_parameters() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "\
from functools import partial


def rows(n, sep=','):
    return [sep] * n


three = partial(rows, 3, sep=';')


def key(x, tie=None):
    return -x


def ordered(xs):
    return sorted(xs, key=key)


def use():
    return three()


def whole(n):
    return n


def lines():
    whole(4)
    whole(n=5)
",
        )
        .commit("first");
    check_parameter(
        &repo,
        &["shop.rows", "--param", "sep", "--change", "rename"],
        &expect![[r#"
        shop.three:8 ';': breaks (passes `sep=`, which `rows` calls something else now)
        shop.use, shop.three
    "#]],
    );
    check_parameter(
        &repo,
        &["shop.rows", "--param", "n", "--change", "rename"],
        &expect![[r#"
        shop.three:8 3: not_affected (fits the new parameters as it is)
        shop.use
    "#]],
    );
    check_parameter(
        &repo,
        &["shop.whole", "--param", "n", "--change", "rename"],
        &expect![[r#"
            shop.lines:28 4: not_affected (fits the new parameters as it is)
            shop.lines:29 5: breaks (passes `n=`, which `whole` calls something else now)
            shop.lines
        "#]],
    );
    check_parameter(
        &repo,
        &["shop.rows", "--param", "sep"],
        &expect![[r#"
        shop.three:8 ';': - (-)
        shop.use, shop.three
    "#]],
    );
    check_parameter(
        &repo,
        &["shop.key", "--param", "x", "--change", "remove"],
        &expect![[r#"
            shop.ordered:16 -: may_break (uses `key` as a value, and its callers may pass only the arguments required before)
            shop.ordered
        "#]],
    );
    check_parameter(
        &repo,
        &["shop.key", "--param", "tie", "--change", "remove"],
        &expect![[r#"
        shop.ordered
    "#]],
    );
    check_parameter(
        &repo,
        &["shop.key", "--param", "tie", "--change", "require"],
        &expect![[r#"
        shop.ordered:16 -: may_break (uses `key` as a value, and its callers may pass only the arguments required before)
        shop.ordered
    "#]],
    );
}

#[test]
fn a_parameter_that_is_not_there_is_a_usage_error() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "\
from dataclasses import dataclass

TAX = 19


def price(net, tax=TAX): ...


class Cart:
    def __init__(self, items): ...

    def add(self, item): ...


class Small(Cart):
    limit = 3


@dataclass
class Item:
    name: str
",
        )
        .commit("first");
    for (target, known) in [("price", "tax"), ("Cart.add", "item"), ("Small", "items"), ("Item", "name")] {
        repo.run(["impact", target, "--param", known]).code(0);
    }
    repo.run(["-q", "impact", "price", "--param", "ta"]).code(2).stderr(expect![[r#"
        error: `shop.price` has no parameter `ta`; it has net, tax
        hint: repoidx impact shop.price --param net
    "#]]);
    repo.run(["-q", "impact", "Cart.add", "--param", "self"]).code(2).stderr(expect![[r#"
        error: `shop.Cart.add` has no parameter `self`; it has item
        hint: repoidx impact shop.Cart.add --param item
    "#]]);
    repo.run(["-q", "impact", "TAX", "--param", "x"]).code(2).stderr(expect![[r#"
        error: the variable `shop.TAX` has no parameters
        hint: repoidx impact shop.TAX
    "#]]);
}

/// pytest runs nothing at all when it is given one id that it does not know.
#[test]
fn only_what_pytest_collects_is_a_test_to_run() {
    let repo = TestRepo::new()
        .file("lib.py", "def changed(): ...\n")
        .file(
            "tests/base.py",
            "\
from lib import changed


class BaseTests:
    def test_inherited(self):
        changed()

    def test_overridden(self):
        changed()


class Mixin:
    def test_mixed_in(self):
        changed()


def test_in_a_file_of_another_name():
    changed()
",
        )
        .file(
            "tests/test_lib.py",
            "\
import unittest

import pytest
from base import BaseTests, Mixin
from lib import changed


class TestDerived(BaseTests):
    def test_overridden(self): ...


class Checks(Mixin, unittest.TestCase): ...


class TestOuter:
    class TestInner:
        def test_inside(self):
            changed()


class Helper:
    def test_of_a_helper(self):
        changed()


class TestMade:
    def __init__(self, size): ...

    def test_of_what_is_made(self):
        changed()


@pytest.fixture
def tester():
    changed()


@pytest.fixture
def test_client():
    changed()


def test_plain(tester): ...


def test_with_client(test_client): ...
",
        )
        .commit("first");
    let mut tests: Vec<String> =
        repo.run(["impact", "changed", "--tests"]).code(0).stdout.lines().map(str::to_owned).collect();
    tests.sort();
    expect![[r#"
        tests/test_lib.py::Checks::test_mixed_in
        tests/test_lib.py::TestDerived::test_inherited
        tests/test_lib.py::TestDerived::test_overridden
        tests/test_lib.py::TestOuter::TestInner::test_inside
        tests/test_lib.py::test_plain
        tests/test_lib.py::test_with_client"#]]
    .assert_eq(&tests.join("\n"));
}

#[test]
fn hooks_of_pytest_run_for_the_tests_below() {
    let repo = TestRepo::new()
        .file("lib.py", "def order(items): ...\n")
        .file(
            "tests/conftest.py",
            "from lib import order\n\n\ndef pytest_collection_modifyitems(config, items):\n    order(items)\n",
        )
        .file("tests/test_a.py", "def test_one(): ...\n")
        .file("other/test_b.py", "def test_two(): ...\n")
        .commit("first");
    repo.run(["impact", "order", "--tests"]).stdout(expect![[r#"
        tests/test_a.py::test_one
    "#]]);
}

#[test]
fn uses_of_a_base_that_cannot_be_of_the_overriding_class_are_left_out() {
    let repo = TestRepo::new()
        .file(
            "shapes.py",
            "\
class Shape:
    def area(self): return 0

    def show(self):
        return self.area()


class Square(Shape):
    def area(self): return 4


class Circle(Shape):
    def area(self): return super().area() + 1


def unbound(shape):
    return Shape.area(shape)


def annotated(shape: Shape):
    return shape.area()
",
        )
        .commit("first");
    check(
        &repo,
        "Square.area",
        &expect![[r#"
        1 shapes.Shape.show: calls
        1 shapes.annotated: calls ← overrides
    "#]],
    );
}

#[test]
fn what_is_left_to_derived_classes_is_called_there() {
    let repo = TestRepo::new()
        .file(
            "jobs.py",
            "\
import abc


class Job(abc.ABC):
    def run(self):
        self.prepare()
        self.step()
        self.log()
        self.finished()

    @abc.abstractmethod
    def step(self): ...

    def prepare(self):
        'Makes ready.'
        raise NotImplementedError('prepare')

    def log(self): print(self)

    def finished(self):
        'For those who want to know.'


class Copy(Job):
    def step(self): ...
    def prepare(self): ...
    def log(self): ...
    def finished(self): print(self)
",
        )
        .commit("first");
    let edges = repo.run(["export", "edges"]).code(0).stdout;
    let called: Vec<&str> = edges.lines().filter(|line| line.contains(r#""to":"jobs.Copy."#)).collect();
    expect![[r#"
        {"from":"jobs.Job.run","to":"jobs.Copy.finished","kind":"calls","evidence":"inferred","basis":"implementation of what a base leaves open","probability":0.85,"path":"jobs.py","line":9}
        {"from":"jobs.Job.run","to":"jobs.Copy.log","kind":"calls","evidence":"inferred","basis":"override reached through its base","probability":0.7,"path":"jobs.py","line":8}
        {"from":"jobs.Job.run","to":"jobs.Copy.prepare","kind":"calls","evidence":"inferred","basis":"implementation of what a base leaves open","probability":0.85,"path":"jobs.py","line":6}
        {"from":"jobs.Job.run","to":"jobs.Copy.step","kind":"calls","evidence":"inferred","basis":"implementation of what a base leaves open","probability":0.85,"path":"jobs.py","line":7}"#]].assert_eq(&called.join("\n"));
}

#[test]
fn a_set_up_in_a_base_runs_for_the_tests_of_all_its_derived_classes() {
    use std::fmt::Write as _;
    let mut tests = String::from("import base\n");
    for number in 0..150 {
        let of = if number == 0 { "base.Base".to_owned() } else { format!("Test{}", number / 2) };
        write!(tests, "\nclass Test{number}({of}):\n    def test_{number}(self): self.shop\n").expect("a string");
    }
    let repo = TestRepo::new()
        .file("shop.py", "def opened(): ...\n")
        .file(
            "tests/base.py",
            "import unittest\nimport shop\n\nclass Base(unittest.TestCase):\n    def setUp(self):\n        self.shop = shop.opened()\n",
        )
        .file("tests/test_shop.py", &tests)
        .commit("first");
    let json = repo.run(["impact", "opened", "--format", "json"]).code(0).stdout;
    let report: serde_json::Value = serde_json::from_str(&json).expect("a report");
    let rows = report["impacted"].as_array().expect("a list");
    assert_eq!(rows.iter().filter(|row| row["name"].as_str().is_some_and(|name| name.contains(".test_"))).count(), 150);
}

#[test]
fn compact_json_says_the_same_in_fewer_bytes() {
    let steps: String = (1..60).map(|n| format!("def step_{n}():\n    return step_{}()\n\n\n", n - 1)).collect();
    let repo = TestRepo::new().file("chain.py", format!("def step_0():\n    pass\n\n\n{steps}")).commit("chain");
    let full = repo.run(["impact", "step_0", "--format", "json", "--min-probability", "0"]).code(0).stdout;
    let compact = ["impact", "step_0", "--format", "json", "--compact", "--min-probability", "0"];
    let compact = repo.run(compact).code(0).stdout;
    assert!(compact.len() * 3 < full.len(), "{} of {} bytes", compact.len(), full.len());
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("a report");
    let (full, compact) = (read(&full), read(&compact));
    let text = |at: &serde_json::Value| {
        compact["texts"][at.as_u64().and_then(|at| usize::try_from(at).ok()).expect("an index")].clone()
    };
    for (row, short) in full["impacted"].as_array().expect("rows").iter().zip(compact["impacted"].as_array().unwrap()) {
        assert_eq!((&text(&short[0]), &short[3], &short[5]), (&row["name"], &row["line"], &row["probability"]));
        let mut at = short[9].as_i64().expect("an index");
        for via in row["via"].as_array().expect("a chain") {
            let step = &compact["steps"][usize::try_from(at).expect("a step")];
            assert_eq!((&text(&step[0]), &step[2], &text(&step[3])), (&via["name"], &via["line"], &via["kind"]));
            at = step[6].as_i64().expect("an index");
        }
        assert_eq!(at, -1);
    }
    repo.run(["impact", "step_0", "--compact"]).code(2);
}

#[test]
fn a_wrapper_leads_to_those_who_use_the_function_behind_it_alone() {
    let repo = TestRepo::new()
        .file(
            "retries.py",
            "\
def retried(times):
    def decorate(function):
        def wrapper():
            for _ in range(times):
                return function()
        return wrapper
    return decorate


class Counted:
    def __init__(self, function):
        self.function = function

    def __call__(self):
        return self.function()
",
        )
        .file(
            "shop.py",
            "\
from retries import Counted, retried


@retried(3)
def pay():
    return 1


@retried(2)
@retried(3)
def send():
    return 2


@Counted
def count():
    return 3


@Counted
def weigh():
    return 4


def checkout():
    return pay()


def ship():
    return send()


def take_stock():
    return count()


def load():
    return weigh()
",
        )
        .commit("first");
    check(
        &repo,
        "shop.pay",
        &expect![[r#"
        1 shop.checkout: calls
        1 retries.retried.decorate.wrapper: calls
    "#]],
    );
    check(
        &repo,
        "shop.send",
        &expect![[r#"
        1 shop.ship: calls
        1 retries.retried.decorate.wrapper: calls
    "#]],
    );
    check(
        &repo,
        "shop.count",
        &expect![[r#"
        1 retries.Counted.__call__: calls
        1 shop.take_stock: calls
    "#]],
    );
    check(
        &repo,
        "retries.retried.decorate.wrapper",
        &expect![[r#"
            1 shop.checkout: calls
            1 shop.ship: calls
            1 retries.retried.decorate: references
            2 shop: calls ← references
            2 retries.retried: references ← references
            3 shop.pay: decorates ← references ← references
            3 shop.send: decorates ← references ← references
        "#]],
    );
}

#[test]
fn a_public_name_is_used_by_others_unless_the_repository_is_no_library() {
    let repo = TestRepo::new()
        .file("pyproject.toml", "[project]\nname = \"shop\"\n")
        .file("shop.py", "def total(): ...\n\ndef _part(): ...\n")
        .commit("first");
    let limits = |target: &str| {
        let json = repo.run(["impact", target, "--format", "json"]).code(0).stdout;
        let report: serde_json::Value = serde_json::from_str(&json).expect("a report");
        report["boundaries"].to_string().contains("other projects may use a public name")
    };
    assert!(limits("shop.total") && !limits("shop._part"));
    repo.write("repoidx.toml", "library = false\n");
    assert!(!limits("shop.total"));
}

#[test]
fn a_change_inside_a_wrapper_reaches_the_users_of_what_it_stands_before() {
    let repo = TestRepo::new()
        .file(
            "filters.py",
            "\
import functools

def variant(normal):
    def decorator(other):
        def is_other(value): ...

        @functools.wraps(other)
        def wrapper(value):
            return other(value) if is_other(value) else normal(value)

        return wrapper

    return decorator

def plain(value): ...

@variant(plain)
def fast(value): ...

FILTERS = {'fast': fast}

def apply(name, value):
    return FILTERS[name](value)
",
        )
        .file("test_filters.py", "from filters import apply\n\ndef test_fast():\n    apply('fast', 1)\n")
        .commit("first");
    let json = repo.run(["impact", "filters.variant.decorator.is_other", "--format", "json"]).code(0).stdout;
    let report: serde_json::Value = serde_json::from_str(&json).expect("a report");
    let fast = report["impacted"].as_array().expect("a list").iter().find(|row| row["name"] == "filters.fast");
    let fast = fast.expect("the decorated function runs the wrapper");
    assert_eq!(fast["via"][0]["name"], "filters.variant.decorator.wrapper");
    assert_eq!(report["tests"][0], "test_filters.py::test_fast");
}

#[test]
fn a_class_that_a_text_names_is_made_where_the_text_stands() {
    let repo = TestRepo::new()
        .file("shop/plugins.py", "class Slug:\n    def __init__(self, environment): ...\n")
        .file("shop/site.py", "def build(load):\n    return [load(name) for name in ['shop.plugins.Slug']]\n")
        .file("tests/test_site.py", "from shop.site import build\n\ndef test_build(): build(print)\n")
        .commit("first");
    let ids = repo.run(["impact", "-q", "Slug.__init__", "--tests"]).code(0).stdout;
    assert_eq!(ids, "tests/test_site.py::test_build\n");
}

/// A base of test classes that reads an object which only its `count` derived classes make.
fn base_of_test_classes(count: usize) -> TestRepo {
    let mut tests = "\
from unittest import TestCase
from boxes import Checked


class Base(TestCase):
    def test_value(self):
        self.box.value = 3
"
    .to_owned();
    for at in 0..count {
        tests += &format!(
            "
class Box{at}:
    value = Checked()

class TestBox{at}(Base):
    box = Box{at}()
"
        );
    }
    let descriptor = "\
class Checked:
    def __set__(self, box, value):
        self.check(value)

    def check(self, value):
        return value
";
    TestRepo::new().file("boxes.py", descriptor).file("test_boxes.py", &tests).commit("first")
}

#[test]
fn a_test_in_a_base_runs_with_the_objects_of_many_derived_classes() {
    let text = base_of_test_classes(42).run(["impact", "Checked.check"]).code(0).stdout;
    assert!(text.contains("43 tests to run"), "{text}");
}

#[test]
fn derived_classes_that_are_too_many_to_list_leave_the_base_unresolved() {
    let repo = base_of_test_classes(80);
    let text = repo.run(["refs", "TestBox7.box"]).code(0).stdout;
    assert!(text.contains("1 unresolved occurrence could be one"), "{text}");
    let text = repo.run(["refs", "Box7.value"]).code(0).stdout;
    assert!(text.contains("1 unresolved occurrence could be one"), "{text}");
}
