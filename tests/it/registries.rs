//! Functions that the repository's own objects and decorators keep: what is known of who runs them.

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
    assert!(answer.contains("at least this much") && answer.contains(said), "{answer}");
    let answer = repo.run(["impact", "wrapped"]).code(0).stdout;
    assert!(answer.contains("complete"), "{answer}");
    let answer = repo.run(["impact", "unused"]).code(0).stdout;
    assert!(answer.contains("nothing breaks\n  complete"), "{answer}");
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
