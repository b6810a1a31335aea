//! Answers that depend on code as it is written: automatic fixtures, guarded imports, bases, decorators, own lookups.

use crate::harness::TestRepo;

fn repo() -> TestRepo {
    TestRepo::new()
        .file(
            "shop/views.py",
            "\
from functools import lru_cache as memo
import lib

class View[T: int](lib.Base):
    def get(self): return total()

class Table:
    def look(me, name):
        return getattr(
            me, name)

    def on_sale(me): ...

    def of(me, other, name): return getattr(other, name)

@memo
def total(): return 1

@memo(8)
def cheap(): return 1

@lib.keep
def kept(): return 1
",
        )
        .file("shop/__init__.py", "")
        .file("shop/quick.py", "if True: from shop.views import total\n")
        .file("shop/user.py", "import shop.quick\n")
        .file(
            "tests/conftest.py",
            "\
import pytest

@pytest.fixture(autouse = (True))
def ready(): ...

# Not autouse=True: a test names it.
@pytest.fixture
def other(): ...
",
        )
        .file(
            "tests/test_shop.py",
            "\
import unittest

class TestShop(unittest.TestCase):
    def tearDown(self): clean()
    def test_one(self): ...

def clean(): ...
",
        )
        .commit("first")
}

/// Checks which lines of an answer there are.
fn check(arguments: &[&str], has: &[&str], lacks: &[&str]) {
    let text = repo().run([&["impact"], arguments].concat()).code(0).stdout;
    for line in has {
        assert!(text.contains(line), "{arguments:?} lacks {line}:\n{text}");
    }
    for line in lacks {
        assert!(!text.contains(line), "{arguments:?} has {line}:\n{text}");
    }
}

#[test]
fn a_base_after_type_parameters_is_one_of_the_library() {
    check(&["View.get"], &["`View` derives from `lib.Base`"], &[]);
}

#[test]
fn a_lookup_on_the_own_object_may_find_any_method() {
    check(&["Table.on_sale"], &["Table.look"], &["Table.of"]);
}

#[test]
fn an_import_in_a_compound_statement_fails_alone() {
    check(&["total", "--change", "remove"], &["shop.quick"], &["shop.user"]);
}

#[test]
fn a_decorator_is_known_by_the_name_it_is_imported_from() {
    check(&["cheap"], &["no reference to `views.cheap` found"], &["`memo`"]);
    check(&["kept"], &["`kept` is given to `lib.keep`"], &[]);
}

#[test]
fn automatic_fixtures_and_tear_downs_run_for_the_tests_around() {
    check(&["conftest.ready"], &["TestShop.test_one"], &[]);
    check(&["conftest.other"], &[], &["TestShop.test_one"]);
    check(&["test_shop.clean"], &["TestShop.test_one"], &[]);
}
