//! Removed definitions in `review` and `impact --diff`: who asked for them, how far that spreads, and which tests are
//! affected.

use repoidx::store::Store;

use crate::harness::TestRepo;

/// `pkg.core.beta` is used over a re-export; `test_c` only imports the package.
fn repo() -> TestRepo {
    TestRepo::new()
        .file("pkg/__init__.py", "from .core import alpha, beta\n")
        .file("pkg/core.py", "def alpha():\n    return 1\n\n\ndef beta():\n    return 2\n")
        .file("lazy.py", "def use():\n    import pkg\n    return pkg.alpha()\n")
        .file("tests/test_a.py", "from pkg import alpha\n\n\ndef test_alpha():\n    assert alpha()\n")
        .file("tests/test_b.py", "from lazy import use\n\n\ndef test_use():\n    assert use()\n")
        .file("tests/test_c.py", "import pkg\n\n\ndef test_it():\n    assert pkg\n")
        .file("tests/test_d.py", "def test_nothing():\n    assert True\n")
        .commit("start")
}

#[test]
fn the_impact_of_a_removal_is_not_nothing() {
    let repo = repo();
    repo.write("pkg/core.py", "def alpha():\n    return 1\n");
    let run = repo.run(["impact", "--diff"]).code(0);
    assert!(
        run.stderr.contains("note: 1 place refers to deleted definitions: `repoidx review --worktree`"),
        "{}",
        run.stderr
    );
    assert!(run.stdout.contains("pkg/__init__.py:1  imports  pkg (module level)"), "{}", run.stdout);
}

#[test]
fn a_module_that_cannot_be_imported_takes_all_tests_along_that_import_it() {
    let repo = repo();
    repo.write("pkg/core.py", "def alpha():\n    return 1\n");
    let expected = "tests/test_b.py::test_use\ntests/test_a.py\ntests/test_c.py\n";
    assert_eq!(repo.run(["review", "-q", "--worktree", "--tests"]).code(0).stdout, expected);
    assert_eq!(repo.run(["impact", "-q", "--diff", "--tests"]).code(0).stdout, expected);
}

#[test]
fn a_renamed_function_with_overloads_breaks_each_place_once() {
    let function = |name: &str| {
        let overload = |kind: &str| format!("@overload\ndef {name}(value: {kind}) -> {kind}: ...\n\n\n");
        let (number, text) = (overload("int"), overload("str"));
        format!("from typing import overload\n\n\n{number}{text}def {name}(value):\n    return value\n")
    };
    let repo = TestRepo::new()
        .file("same.py", function("same"))
        .file("use.py", "from same import same\n\n\ndef use():\n    return same(1)\n")
        .commit("start");
    repo.write("same.py", function("equal"));
    let text = repo.run(["review", "-q", "--worktree"]).code(0).stdout;
    assert!(text.starts_with("1 place breaks"), "{text}");
    assert!(text.contains("imports `same` from `same`, where it is gone"), "{text}");
}

#[test]
fn a_module_with_getattr_may_fail_its_importers_and_their_tests_run() {
    let repo = repo();
    let getattr = "def __getattr__(name):\n    raise AttributeError(name)\n";
    repo.write("pkg/core.py", format!("def alpha():\n    return 1\n\n\n{getattr}"));
    let text = repo.run(["review", "-q", "--worktree"]).code(0).stdout;
    assert!(text.starts_with("1 may break"), "{text}");
    let tests = repo.run(["review", "-q", "--worktree", "--tests"]).code(0).stdout;
    assert!(tests.contains("tests/test_a.py") && tests.contains("tests/test_c.py"), "{tests}");
}

#[test]
fn a_conftest_that_cannot_be_imported_takes_its_folder_along() {
    let repo = repo().file("tests/conftest.py", "from pkg.core import beta\n").commit("conftest");
    repo.write("pkg/__init__.py", "from .core import alpha\n");
    repo.write("pkg/core.py", "def alpha():\n    return 1\n");
    let tests = repo.run(["review", "-q", "--worktree", "--tests"]).code(0).stdout;
    assert!(tests.contains("tests/test_d.py"), "{tests}");
}

#[test]
fn a_name_that_is_imported_where_it_was_assigned_is_not_gone() {
    let repo = TestRepo::new()
        .file("shop/__init__.py", "from . import money\n\nprice = money.price\ncost = money.cost\n")
        .file("shop/money.py", "def price():\n    return 1\n\n\ndef cost():\n    return 2\n")
        .file("test_shop.py", "import shop\n\n\ndef test_it():\n    assert shop.price() < shop.cost()\n")
        .commit("start");
    repo.write("shop/__init__.py", "from . import money\nfrom .money import price\n");
    let text = repo.run(["review", "-q", "--worktree"]).code(0).stdout;
    assert!(text.contains("uses `shop.cost`, which is gone"), "{text}");
    assert!(!text.contains("price`, which is gone"), "{text}");
}

#[test]
fn a_missing_name_that_is_caught_still_reaches_its_tests() {
    let repo = TestRepo::new()
        .file("shop.py", "class Shop:\n    def price(self):\n        return 1\n")
        .file(
            "app.py",
            "from shop import Shop\n\n\ndef use():\n    try:\n        return Shop().price()\n    except Exception:\n        return 0\n",
        )
        .file("test_app.py", "from app import use\n\n\ndef test_use():\n    assert use()\n")
        .commit("start");
    repo.write("shop.py", "class Shop:\n    def cost(self):\n        return 1\n");
    let text = repo.run(["review", "-q", "--worktree"]).code(0).stdout;
    assert!(text.contains("which is gone; the error is caught"), "{text}");
    assert_eq!(repo.run(["review", "-q", "--worktree", "--tests"]).code(0).stdout, "test_app.py::test_use\n");
}

#[test]
fn tests_that_changed_are_tests_to_run() {
    let repo = repo();
    repo.write("tests/test_d.py", "def test_nothing():\n    assert not False\n");
    assert_eq!(repo.run(["impact", "-q", "--diff", "--tests"]).code(0).stdout, "tests/test_d.py::test_nothing\n");
}

#[test]
fn what_is_not_staged_is_admitted() {
    let repo = repo();
    repo.write("pkg/core.py", "def alpha():\n    return 1\n");
    repo.git(["add", "."]);
    let text = repo.run(["review", "-q", "--staged"]).code(0).stdout;
    assert!(text.contains("no limit known") && !text.contains("not staged"), "{text}");
    repo.write("pkg/__init__.py", "from .core import alpha\n");
    let text = repo.run(["review", "-q", "--staged"]).code(0).stdout;
    assert!(text.contains("1 file with changes that are not staged"), "{text}");
}

#[test]
fn an_index_that_somebody_else_writes_is_asked_by_name_alone() {
    let repo = repo();
    repo.write("pkg/core.py", "def alpha():\n    return 1\n");
    repo.run(["index", "-q"]).code(0);
    let lock =
        Store::lock_for_writing(&repo.root().join(repo.index_path()).with_file_name("")).expect("nobody else holds it");
    let text = repo.run(["review", "-q", "--no-update", "--worktree"]).code(0).stdout;
    assert!(text.contains("references to removed definitions were found by name alone"), "{text}");
    assert!(text.contains("pkg/__init__.py:1"), "{text}");
    drop(lock);
}

/// The state before the change is asked within an update that is undone.
#[test]
fn a_review_leaves_the_index_as_it_is() {
    let repo = repo();
    repo.write("pkg/core.py", "def alpha():\n    return 1\n");
    repo.run(["index", "-q"]).code(0);
    let exported = || ["entities", "edges"].map(|what| repo.run(["export", "--no-update", what]).code(0).stdout);
    let before = exported();
    let log = || std::fs::metadata(repo.root().join(repo.index_path() + "-wal")).map_or(0, |metadata| metadata.len());
    let logged = log();
    assert!(repo.run(["review", "-q", "--no-update", "--worktree"]).code(0).stdout.contains("imports `beta`"));
    assert_eq!(exported(), before);
    assert_eq!(log(), logged);
    let status = repo.run(["status", "--format", "json"]).code(0).stdout;
    assert!(status.contains("\"fresh\": true") || status.contains("\"fresh\":true"), "{status}");
}

#[test]
fn functions_of_a_new_file_can_be_untested() {
    let repo = repo();
    repo.write(
        "fresh.py",
        "class Fresh:\n    def method(self):\n        return 1\n\n\ndef function():\n    return 2\n",
    );
    let run = repo.run(["review", "-q", "--worktree", "--fail-on", "untested"]).code(1);
    assert!(run.stderr.contains("2 changed definitions that no test is known to reach"), "{}", run.stderr);
}

/// An import of a package is needed by all who import the package, unless the import may fail.
#[test]
fn what_is_gone_fails_the_files_that_import_those_who_import_it() {
    let repo = TestRepo::new()
        .file("shop/__init__.py", "from .rates import (\n    HIGH,\n    RATE,\n)\n")
        .file("shop/rates.py", "HIGH = 2\nRATE = 1\nSPARE = 3\n")
        .file("shop/types.py", "if True:\n    from .rates import SPARE\n")
        .file("tests/test_shop.py", "import shop\n\n\ndef test_shop():\n    assert shop\n")
        .file("tests/test_types.py", "def test_types():\n    import shop.types\n")
        .commit("first");
    let tests = |change: &str, target: &str| {
        let mut tests: Vec<String> = repo
            .run(["impact", target, "--change", change, "--tests"])
            .code(0)
            .stdout
            .lines()
            .map(str::to_owned)
            .collect();
        tests.sort();
        tests
    };
    assert_eq!(tests("remove", "shop.rates.RATE"), ["tests/test_shop.py", "tests/test_types.py::test_types"]);
    assert_eq!(tests("remove", "shop.rates.SPARE"), [""; 0]);
    assert_eq!(tests("body", "shop.rates.RATE"), [""; 0]);
}
