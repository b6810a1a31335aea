//! Functions that the repository's own objects and decorators keep: what is known of who runs them.

use expect_test::expect;

use crate::harness::TestRepo;

const APP: &str = "\
from functools import wraps

class App:
    def __init__(self):
        self.views = {}

    def route(self, path):
        def keep(view):
            self.views[path] = view
            return view
        return keep

    def add(self, view):
        self.views[view.__name__] = view

    def timed(self, view):
        @wraps(view)
        def wrapper():
            return view()
        return wrapper

    def answer(self, path): ...
";

#[test]
fn what_an_object_keeps_runs_for_those_who_use_the_object() {
    let views = "\
from app import App

app = App()
other = App()

@app.route('/cart')
def cart(): ...

@app.route('/about')
def about(): ...

@app.timed
def timed(): ...

def added(): ...

app.add(added)
";
    let tests = "\
from views import app, other

def test_app():
    app.answer('/cart')

def test_other():
    other.answer('/cart')
";
    let repo = TestRepo::new().file("app.py", APP).file("views.py", views).file("test_views.py", tests).commit("first");
    for (view, is_kept) in [("cart", true), ("added", true), ("timed", false)] {
        let answer = repo.run(["impact", &format!("views.{view}")]).code(0).stdout;
        assert_eq!(answer.contains("test_app"), is_kept, "{view}: {answer}");
        assert!(!answer.contains("test_other") && !answer.contains(" about"), "{view}: {answer}");
    }
}

#[test]
fn what_a_decorator_keeps_is_not_said_to_be_unused() {
    let keep = "\
import functools

KEPT = []

def keep(function):
    KEPT.append(function)
    return function

def wrap(function):
    @functools.wraps(function)
    def wrapper():
        return function()
    return wrapper
";
    let repo = TestRepo::new()
        .file("keep.py", keep)
        .file(
            "views.py",
            "from keep import keep, wrap\n\n@keep\ndef cart(): ...\n\n@wrap\ndef wrapped(): ...\n\ndef unused(): ...\n",
        )
        .commit("first");
    let answer = repo.run(["impact", "cart"]).code(0).stdout;
    let said = "`cart` is given to `keep` (views.py:3), and who calls it from there is not known";
    assert!(answer.contains("there may be some") && answer.contains(said), "{answer}");
    let answer = repo.run(["impact", "wrapped"]).code(0).stdout;
    assert!(answer.contains("no limit known"), "{answer}");
    let answer = repo.run(["impact", "unused"]).code(0).stdout;
    assert!(
        answer.starts_with("no reference to `views.unused` found, no unresolved")
            && answer.contains("; no limit known\n"),
        "{answer}"
    );
}

/// A site of which tests ask for one view each.
fn site() -> TestRepo {
    TestRepo::new()
        .file(
            "shop/api.py",
            "\
from flask import Blueprint
from flask.views import MethodView

bp = Blueprint('api', __name__)

def load(id): ...

@bp.route('/users/<int:id>')
def user(id): load(id)

@bp.route('/users')
def users(): ...

class Items(MethodView):
    def get(self): load(1)
    def post(self): ...

bp.add_url_rule('/items', view_func=Items.as_view('items'))
",
        )
        .file(
            "shop/__init__.py",
            "\
from flask import Flask
from shop.api import bp

def create_app():
    app = Flask(__name__)
    app.register_blueprint(bp, url_prefix='/api')
    return app
",
        )
        .file(
            "test_shop.py",
            "\
import pytest
from shop import create_app

@pytest.fixture
def client(): return create_app().test_client()

@pytest.fixture
def listed(client): client.get('/api/users')

def test_user(client): client.get('/api/users/3')

def test_users(client): client.get('/api/users')

def test_both(client):
    client.get('/api/users/3')
    client.get('/api/users')

def test_get(client): client.get('/api/items')

def test_post(client): client.post('/api/items')

def test_listed(client, listed): client.get('/api/users/3')

def test_any(client, path): client.get(path)
",
        )
        .commit("first")
}

#[test]
fn tests_that_ask_for_other_views_are_not_listed() {
    let repo = site();
    for (target, expected) in [
        ("user", "test_any, test_both, test_listed, test_user"),
        ("users", "test_any, test_both, test_listed, test_users"),
        ("Items.post", "test_any, test_post"),
        ("load", "test_any, test_both, test_get, test_listed, test_user"),
    ] {
        let tests = repo.run(["impact", target, "--tests"]).code(0).stdout;
        let mut names: Vec<&str> = tests.lines().filter_map(|line| line.rsplit("::").next()).collect();
        names.sort_unstable();
        assert_eq!(names.join(", "), expected, "{target}");
    }
}

#[test]
fn an_application_does_not_lead_from_one_view_to_another() {
    let repo = site();
    for target in ["user", "Items.post"] {
        let report = repo.run(["impact", target, "--min-probability", "0"]).code(0).stdout;
        assert!(!report.lines().any(|line| line.trim_start().starts_with("users ")), "{target}: {report}");
    }
}

#[test]
fn what_the_method_of_an_outside_object_decorates_may_run_for_those_who_use_the_object() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "\
from flask_login import LoginManager
from flask_caching import Cache

login = LoginManager()
cache = Cache()

def fetch(id): ...

@login.user_loader
def load(id): fetch(id)

@cache.memoize(60)
def slow(): ...

def create_app(): login.init_app(app)

def use(): slow()

def clear(): cache.clear()
",
        )
        .commit("first");
    repo.run(["impact", "load"]).stdout(expect![[r#"
        changing `shop.load` possibly affects 1 definition; no test to run
          shop.load  function  shop.py:10

        only possible: no more than a name fits on the way (1)
          shop.py:15  reads  shop.create_app  maybe 44%
              ← shop.login shop.py:9

        limits
          1 dependent hangs on what other code may call
          `load` is given to `login.user_loader`, which may use it from outside the repository
    "#]]);
    repo.run(["impact", "fetch"]).stdout(expect![[r#"
        changing `shop.fetch` affects at least 1 definition (directly), possibly 1 more; no test to run
          shop.fetch  function  shop.py:7

        direct (1)
          shop.py:10  calls  shop.load  almost certain 98%
              def load(id): fetch(id)

        only possible: no more than a name fits on the way (1 over up to 2 steps)
          shop.py:15  reads  shop.create_app  maybe 43%
              ← shop.login shop.py:9 ← shop.load shop.py:10

        limits
          1 dependent hangs on what other code may call
          `load` is given to `login.user_loader`, which may use it from outside the repository
    "#]]);
    repo.run(["impact", "slow"]).stdout(expect![[r#"
        changing `shop.slow` affects 1 definition (directly); no test to run; no limit known
          shop.slow  function  shop.py:13

        direct (1)
          shop.py:17  calls  shop.use  almost certain 95%
              def use(): slow()
    "#]]);
}

/// A receiver runs for those who save its model: who only names the class need not run it.
#[test]
fn what_is_registered_for_a_class_hardly_runs_for_those_who_name_it() {
    let repo = TestRepo::new()
        .file(
            "models.py",
            "\
from django.contrib import admin
from django.db.models.signals import post_save
from django.dispatch import receiver
from flask import Flask

app = Flask(__name__)

class Product: ...

@receiver(post_save, sender=Product)
def saved(sender, **kwargs): ...

@admin.register(Product)
class ProductAdmin(admin.ModelAdmin):
    def mark(self, request): ...

@app.route('/')
def page(): ...

def lists():
    return Product

def starts():
    return app
",
        )
        .commit("first");
    let claimed = |target: &str, name: &str| {
        let json = repo.run(["impact", target, "--min-probability", "0", "--format", "json"]).code(0).stdout;
        let report: serde_json::Value = serde_json::from_str(&json).expect("a report");
        let impacted = report["impacted"].as_array().expect("a list").iter();
        let found = impacted.filter(|entity| entity["name"].as_str().expect("a text").ends_with(name));
        found.map(|entity| entity["probability"].as_f64().expect("a number")).next()
    };
    let (saved, page) = (claimed("saved", ".lists").expect("it names the class"), claimed("page", ".starts"));
    assert!(saved < 0.3 && page.expect("it uses the object") > 0.6, "{saved} {page:?}");
    assert_eq!(claimed("ProductAdmin.mark", ".lists"), None);
}
