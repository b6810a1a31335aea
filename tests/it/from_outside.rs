//! Code that outside code runs, or may run: methods of classes that derive from outside classes, and objects that are
//! passed to it.

use expect_test::expect;

use crate::harness::TestRepo;
use crate::impacts::check;

#[test]
fn methods_that_a_library_looks_for_run_for_those_who_hand_it_their_class() {
    let repo = TestRepo::new()
        .file(
            "site.py",
            "\
from flask import Flask
from flask.views import MethodView
from starlette.middleware.base import BaseHTTPMiddleware

class Cart(MethodView):
    def get(self): return total()

    def used(self): ...

class Small(Cart): ...

class Timing(BaseHTTPMiddleware):
    async def dispatch(self, request, call_next): return total()

class Plain:
    def get(self): ...

def total(): return 1

def create_app():
    app = Flask(__name__)
    app.add_url_rule('/cart', view_func=Small.as_view('cart'))
    app.add_url_rule('/plain', view_func=Plain)
    Cart().used()
    return app

site = Flask(__name__)
site.add_middleware(Timing)
",
        )
        .file(
            "test_site.py",
            "\
import site

def test_cart():
    site.create_app().test_client().get('/cart')

def test_timing():
    site.site.test_client().get('/')

def test_nothing(): ...
",
        )
        .commit("first");
    for (target, expected) in [
        ("Cart.get", "tests: [test_cart]"),
        ("Timing.dispatch", "tests: [test_timing]"),
        ("total", "tests: [test_cart, test_timing]"),
        ("Plain.get", "tests: []"),
        ("Cart.used", "tests: [test_cart]"),
    ] {
        let tests = repo.run(["impact", target, "--tests"]).code(0).stdout;
        let names: Vec<&str> = tests.lines().filter_map(|line| line.rsplit("::").next()).collect();
        assert_eq!(format!("tests: [{}]", names.join(", ")), expected, "{target}");
    }
    repo.run(["impact", "Timing.dispatch"]).stdout(expect![[r#"
        changing `Timing.dispatch` possibly affects 3 definitions; 1 test to run
          site.Timing.dispatch  method  site.py:13

        only possible: no more than a name fits on the way (3 in 2 modules)
          test_site.py:7  reads  test_site.test_timing  maybe 41%
              ← site.site site.py:28 ← site.Timing site.py:13
          site.py:28  references  site.site  unlikely 26%
              ← site.Timing site.py:13
          site.py:28  reads  site (module level)  unlikely 21%
              ← site.site site.py:28 ← site.Timing site.py:13

        tests to run (1)
          pytest test_site.py::test_timing

        limits
          complete: 86%, judged by other projects' tests; against it: an event loop runs some of the code
          3 dependents hang on what other code may call
          `Timing` derives from `BaseHTTPMiddleware`, which is outside the repository and may use `dispatch`
    "#]]);
}

#[test]
fn what_patch_names_above_a_class_is_looked_up_by_its_tests() {
    let repo = TestRepo::new()
        .file("shop.py", "def total(): ...\n\nclass Cart:\n    def clear(self): ...\n")
        .file(
            "test_shop.py",
            "\
from unittest.mock import patch
from shop import Cart

@patch('shop.total')
class TestTotal:
    def test_one(self, fake): ...
    def helper(self): ...

@patch.object(Cart, 'clear')
class TestClear:
    def test_two(self, fake): ...

def test_three(): ...
",
        )
        .commit("first");
    repo.run(["impact", "shop.total", "--change", "remove", "--tests"])
        .stdout(expect![["test_shop.py::TestTotal::test_one\n"]]);
    repo.run(["impact", "Cart.clear", "--change", "remove", "--tests"])
        .stdout(expect![["test_shop.py::TestClear::test_two\n"]]);
}

/// The headline and what limits the answer.
fn limits(repo: &TestRepo, target: &str) -> String {
    let json = repo.run(["impact", target, "--format", "json"]).code(0).stdout;
    let report: serde_json::Value = serde_json::from_str(&json).expect("a report");
    let boundaries = report["boundaries"].as_array().expect("a list").iter();
    let messages = boundaries.map(|boundary| boundary["message"].as_str().expect("a text"));
    format!(
        "{}\n",
        [report["completeness"].as_str().expect("a word")].into_iter().chain(messages).collect::<Vec<_>>().join(": ")
    )
}

#[test]
fn what_a_library_may_call_is_not_said_to_break_nothing() {
    let repo = TestRepo::new()
        .file(
            "views.py",
            "\
import abc
import functools
from web import ListView, marker, on_event, register
import shapes


class Base(ListView): ...


class Shop(
    Base,
):
    def get_queryset(self): ...

    def _own(self): ...

    def get_page(self): ...


class Plain(shapes.Shape, abc.ABC):
    def area(self): ...


@on_event('start')
def started(): ...


@functools.lru_cache
def cached(): ...


@shapes.keep
def kept(): ...


hook = marker('shop')


@hook
def marked(): ...


def handed(): ...


class Looked: ...


class Called: ...


register(handed, isinstance(hook, Looked))
register(Called, Called())


def page(shop: Shop):
    return shop.get_page()
",
        )
        .file("shapes.py", "class Shape: ...\n\n\ndef keep(function):\n    return function\n")
        .commit("first");
    let asked = [
        "Shop.get_queryset",
        "Shop._own",
        "Shop.get_page",
        "Plain.area",
        "started",
        "cached",
        "kept",
        "marked",
        "handed",
        "Looked",
        "Called",
    ];
    let answers: String = asked.iter().map(|target| format!("{target}: {}", limits(&repo, target))).collect();
    expect![[r#"
        Shop.get_queryset: lower_bound: `Base` derives from `ListView`, which is outside the repository and may use `get_queryset`
        Shop._own: lower_bound: `Base` derives from `ListView`, which is outside the repository and may use `_own`
        Shop.get_page: lower_bound: no limit is known, but code may reach it in ways that the source does not show
        Plain.area: lower_bound: no limit is known, but code may reach it in ways that the source does not show
        started: lower_bound: `started` is given to `on_event`, which may use it from outside the repository
        cached: lower_bound: no limit is known, but code may reach it in ways that the source does not show
        kept: lower_bound: `kept` is given to `keep` (views.py:32), and who calls it from there is not known
        marked: lower_bound: `marked` is given to `hook`, which may use it from outside the repository
        handed: lower_bound: `handed` is used as a value (views.py:52), and who calls it from there is not known
        Looked: lower_bound: no limit is known, but code may reach it in ways that the source does not show
        Called: lower_bound: no limit is known, but code may reach it in ways that the source does not show
    "#]].assert_eq(&answers);
}

#[test]
fn an_override_of_a_method_here_is_run_for_those_who_call_that() {
    let repo = TestRepo::new()
        .file(
            "views.py",
            "\
from flask.views import MethodView


class Base(MethodView):
    def show(self): return self


class Cart(Base):
    def show(self): ...

    def fill(self): ...


def shown(view: Base):
    return view.show()


def make():
    return Cart()
",
        )
        .commit("first");
    let reaches =
        |target: &str| repo.run(["impact", target, "--min-probability", "0.1"]).code(0).stdout.contains("make");
    assert!(reaches("Cart.fill"));
    assert!(!reaches("Cart.show"));
}

#[test]
fn an_answer_is_a_lower_bound_where_others_may_run_what_its_chains_end_at() {
    let repo = TestRepo::new()
        .file("pyproject.toml", "[project.entry-points.\"shop.plugins\"]\nprint = \"plugins:Printer\"\n")
        .file(
            "transport.py",
            "\
from library import Outside, hook


class Transport(Outside):
    def handle(self):
        return parse(1)


def parse(text):
    return strip(text)


def strip(text):
    return text


@hook
def started():
    return measure()


def measure():
    return 1


def plain():
    return count()


def count():
    return 1
",
        )
        .file(
            "plugins.py",
            "\
class Printer:
    def show(self): return 1


class Kept:
    def __init__(self): self.size = 1
    def grow(self): return 1


KINDS = {'kept': Kept}


class Renderer:
    def render(self, name): return getattr(self, name)()
",
        )
        .file(
            "html.py",
            "\
from plugins import Renderer


class Html(Renderer):
    def bold(self): return 1
",
        )
        .commit("first");
    let says = |target: &str, words: &str| {
        let page = repo.run(["impact", target]).code(0).stdout;
        assert!(page.contains(words) && !page.contains("no limit known"), "{target}:\n{page}");
    };
    says("transport.strip", "`Transport` derives from `Outside`, which is outside the repository and may use `handle`");
    says("transport.measure", "`started` is given to `hook`, which may use it from outside the repository");
    says("Kept.grow", "`Kept` is used as a value (plugins.py:10), and who calls it from there is not known");
    says("Kept.__init__", "`Kept` is used as a value (plugins.py:10)");
    says("Printer.show", "`Printer` is named at pyproject.toml:2, and who loads it from there is not known");
    says("Html.bold", "1 attribute access with a computed name in files that know this one");
    assert!(repo.run(["impact", "transport.count"]).code(0).stdout.contains("no limit known"));
}

/// Settings of pytest, plugins and runners of a project's own collect what the defaults do not.
#[test]
fn what_looks_like_a_test_and_is_not_collected_by_default_limits_the_answer() {
    let checks = "from lib import changed\n\n\nclass test_lib:\n    def test_it(self):\n        changed()\n";
    let repo = TestRepo::new()
        .file("lib.py", "def changed(): ...\n\n\ndef tested(): ...\n")
        .file("tests/test_lib.py", checks)
        .file("tests/test_other.py", "from lib import tested\n\n\ndef test_tested():\n    tested()\n")
        .commit("first");
    let page = repo.run(["impact", "changed"]).code(0).stdout;
    let words = "1 affected function looks like a test that pytest does not collect as it is set up";
    assert!(page.contains(words) && !page.contains("no limit known"), "{page}");
    let page = repo.run(["impact", "tested"]).code(0).stdout;
    assert!(page.contains("no limit known") && !page.contains("looks like"), "{page}");
}

#[test]
fn what_is_a_value_limits_the_answers_for_all_that_hang_on_it() {
    let code = "\
from signals import connect

def changed():
    count()

def count(): ...

connect(changed)

def used():
    plain()

def plain(): ...
";
    let repo = TestRepo::new().file("shop.py", code).commit("first");
    let said = "`changed` is used as a value (shop.py:8), and who calls it from there is not known";
    for (target, is_limited) in [("changed", true), ("count", true), ("plain", false)] {
        let answer = limits(&repo, target);
        assert_eq!(answer.contains(said), is_limited, "{target}: {answer}");
    }
}

#[test]
fn fields_of_a_class_are_handed_to_its_base_from_outside() {
    let repo = TestRepo::new()
        .file(
            "models.py",
            "\
from django.db import models

FieldBase = models.CharField


class Code(FieldBase):
    def contribute_to_class(self, cls, name): ...

    @property
    def path_infos(self): ...


class Item(models.Model):
    code = Code()


class Plain:
    code = Code()


def sell():
    return Item()


def keep():
    return Plain()
",
        )
        .commit("first");
    for member in ["contribute_to_class", "path_infos"] {
        let answer = repo.run(["impact", member]).code(0).stdout;
        assert!(answer.contains("sell") && !answer.contains("keep"), "{answer}");
    }
}

/// A class that asks itself for a computed name may mean any method that nothing else uses.
#[test]
fn methods_asked_for_by_computed_names_are_possible() {
    let renderers = "\
class Renderer:
    def render(self, name): return getattr(self, name)()

class Html(Renderer):
    def bold(self): ...
    def used(self): ...
    def _own(self): ...

class Other:
    def bold(self): ...
";
    let test =
        "import html_page\n\n\ndef test_html():\n    html_page.Html().render('bold')\n    html_page.Html().used()\n";
    let repo = TestRepo::new().file("html_page.py", renderers).file("test_html.py", test).commit("first");
    let tests = |target: &str| repo.run(["impact", target, "--tests"]).code(0).stdout;
    assert_eq!(tests("Html.bold"), "test_html.py::test_html\n");
    assert_eq!(tests("Html._own"), "");
    assert_eq!(tests("Other.bold"), "");
    let page = repo.run(["impact", "Html.used"]).code(0).stdout;
    assert!(!page.contains("Renderer.render"), "{page}");
    let page = repo.run(["impact", "Html.bold"]).code(0).stdout;
    assert!(page.contains("possibly affects") && page.contains("limits"), "{page}");
}

/// An event loop calls the methods of a class that derives from its protocol; `typing.Protocol` calls none.
#[test]
fn an_event_loop_runs_the_methods_of_its_protocols() {
    let repo = TestRepo::new()
        .file(
            "lines.py",
            "\
import asyncio
from typing import Protocol


class Lines(asyncio.Protocol):
    def data_received(self, data):
        return data


class Port(Protocol):
    def send(self, data): ...


def connect(loop):
    return loop.create_connection(Lines)


def ask(port: Port):
    return port.send(b'')
",
        )
        .file("test_lines.py", "from lines import connect\n\n\ndef test_connect(loop):\n    connect(loop)\n")
        .commit("first");
    let tests = |target| repo.run(["impact", target, "--tests"]).code(0).stdout;
    assert_eq!(tests("Lines.data_received"), "test_lines.py::test_connect\n");
    assert!(limits(&repo, "Lines.data_received").contains("`asyncio.Protocol`"));
    assert!(!limits(&repo, "Port.send").contains("Protocol"));
}

/// Nothing in a repository may refer to a method of an object that it hands to a library, which calls it.
#[test]
fn a_method_that_nothing_refers_to_is_run_for_those_who_make_its_class() {
    let repo = TestRepo::new()
        .file(
            "cookies.py",
            "\
from http.cookiejar import CookieJar


class Request:
    def get_host(self):
        return ''

    def get_path(self):
        return ''


def extract(response):
    CookieJar().extract_cookies(response, Request())


log = Request()


def write():
    return str(log)
",
        )
        .file(
            "test_cookies.py",
            "\
from cookies import Request, extract


def test_extract():
    extract(None)


def test_path(request):
    request.get_path()
",
        )
        .commit("first");
    let tests = |target| repo.run(["impact", target, "--tests"]).code(0).stdout;
    assert!(tests("Request.get_host").contains("test_cookies.py::test_extract\n"));
    assert!(!tests("Request.get_path").contains("test_extract"));
}

/// Whoever loads a module may call what a variable of it keeps, if nothing here reads that.
#[test]
fn what_is_kept_for_code_outside_is_run_from_there() {
    let repo = TestRepo::new()
        .file(
            "urls.py",
            "\
from django.urls import path
import views

urlpatterns = [
    path('', views.cart, name='cart'),
    path('order/', views.OrderView.as_view()),
]
handler404 = 'views.not_found'
TABLE = {'read': views.read}
old_name = views.plain
__all__ = ['exported']


def use(name):
    return TABLE[name]()
",
        )
        .file(
            "views.py",
            "\
from django.views import View


def cart(request):
    return total()


def total(): ...


class OrderView(View):
    def post(self, request): ...

    def __str__(self): ...

    def _private(self): ...

    def _named(self): return self.run('_named')


def not_found(request): ...


def read(): ...


def plain(): ...


def exported(): ...
",
        )
        .file(
            "settings.py",
            "MIDDLEWARE = ['middleware.Timing', 'middleware.simple']\nEXTENSIONS = dict(pages='middleware.Page')\n",
        )
        .file(
            "middleware.py",
            "\
class Timing:
    def __init__(self, get_response): ...

    def __call__(self, request): return self.timed()

    def timed(self): ...

    def _own(self): ...


class Page:
    def show(self): return titled()


def titled(): ...


def simple(get_response): ...
",
        )
        .file(
            "test_views.py",
            "\
import views
from unittest.mock import patch
from urls import exported


@patch('views.total')
def test_cart(total):
    views.cart(None)
    views.plain()
    views.exported()
    views.OrderView().post(None)
",
        )
        .commit("first");
    let asked = [
        "cart",
        "total",
        "OrderView.post",
        "OrderView.__str__",
        "OrderView._private",
        "OrderView._named",
        "not_found",
        "read",
        "plain",
        "exported",
        "Timing.__init__",
        "Timing.__call__",
        "Timing.timed",
        "Timing._own",
        "Page.show",
        "titled",
        "simple",
    ];
    let answers: String = asked.iter().map(|target| format!("{target}: {}", limits(&repo, target))).collect();
    expect![[r#"
        cart: lower_bound: `cart` is kept in `urlpatterns` (urls.py:5), which nothing here reads: code outside may call it
        total: lower_bound: `cart` is kept in `urlpatterns` (urls.py:5), which nothing here reads: code outside may call it
        OrderView.post: lower_bound: 1 dependent hangs on what other code may call: `OrderView` derives from `View`, which is outside the repository and may use `post`
        OrderView.__str__: lower_bound: `OrderView` derives from `View`, which is outside the repository and may use `__str__`
        OrderView._private: lower_bound: 2 dependents hang on what other code may call: `OrderView` derives from `View`, which is outside the repository and may use `_private`
        OrderView._named: lower_bound: 2 dependents hang on what other code may call: `OrderView` derives from `View`, which is outside the repository and may use `_named`
        not_found: lower_bound: `not_found` is named at urls.py:8, and who loads it from there is not known
        read: lower_bound: no limit is known, but code may reach it in ways that the source does not show
        plain: lower_bound: no limit is known, but code may reach it in ways that the source does not show
        exported: lower_bound: no limit is known, but code may reach it in ways that the source does not show
        Timing.__init__: lower_bound: `Timing` is named at settings.py:1, and who loads it from there is not known
        Timing.__call__: lower_bound: `Timing` is named at settings.py:1, and who loads it from there is not known
        Timing.timed: lower_bound: `Timing` is named at settings.py:1, and who loads it from there is not known
        Timing._own: lower_bound: `Timing` is named at settings.py:1, and who loads it from there is not known
        Page.show: lower_bound: 1 dependent hangs on what other code may call: `Page` is named at settings.py:2, and who loads it from there is not known
        titled: lower_bound: 1 further definition is too improbable to list (--min-probability): `Page` is named at settings.py:2, and who loads it from there is not known
        simple: lower_bound: `simple` is named at settings.py:1, and who loads it from there is not known
    "#]].assert_eq(&answers);
}

#[test]
fn a_library_runs_the_override_of_a_hook_for_code_that_passes_the_class_on() {
    let repo = TestRepo::new()
        .file(
            "server.py",
            "\
import asyncio
import functools


class Common(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport


class Session(Common):
    def connection_made(self, transport):
        super().connection_made(transport)
        self.handle()

    def handle(self):
        return 1


class Serve:
    def __init__(self, loop):
        factory = functools.partial(Session)
        self.start = functools.partial(loop.create_server, factory)
",
        )
        .file("test_server.py", "from server import Serve\n\ndef test_serve(loop):\n    Serve(loop).start()\n")
        .commit("first");
    check(
        &repo,
        "Session.handle",
        &expect![[r"
            1 server.Session.connection_made: calls
            3 test_server.test_serve: calls ← calls ← references ← registers ← calls
            2 server.Serve.__init__: references ← registers ← calls
        "]],
    );
}

#[test]
fn a_private_method_that_nothing_calls_is_a_hook_of_the_library_s_base() {
    let repo = TestRepo::new()
        .file(
            "fields.py",
            "\
import marshmallow


class Path(marshmallow.fields.Field):
    def _deserialize(self, value):
        return _clean(value)


class Own:
    def _deserialize(self, value):
        return value


def _clean(value):
    return value
",
        )
        .file(
            "test_fields.py",
            "from fields import Own, Path\n\ndef test_path():\n    load(Path)\n\ndef test_own():\n    load(Own)\n",
        )
        .commit("first");
    check(
        &repo,
        "fields._clean",
        &expect![[r"
            1 fields.Path._deserialize: calls
            2 test_fields.test_path: references ← registers ← calls
        "]],
    );
    check(&repo, "Own._deserialize", &expect![[""]]);
}
