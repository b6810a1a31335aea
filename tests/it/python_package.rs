//! The Python package beside the binary: the pytest plugin, and the wheel as a user installs it.
//!
//! The plugin's tests need a Python with pytest: `python3`, or the one that `REPOIDX_PYTHON` names. The wheel is built
//! and tried with `REPOIDX_WHEEL=1`, which takes minutes.

use std::{
    fmt::Write as _,
    io::Write as _,
    process::{Command, Stdio},
};

use crate::harness::{Run, TestRepo, package_files, package_path, package_text};

/// A Python that has pytest; `None`, with a word, where there is none.
fn python() -> Option<String> {
    let python = std::env::var("REPOIDX_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut command = Command::new(&python);
    let tried = command.args(["-c", "import pytest"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if tried.is_ok_and(|status| status.success()) {
        return Some(python);
    }
    writeln!(std::io::stderr(), "skipped: {python} has no pytest; REPOIDX_PYTHON names one that has").ok();
    None
}

/// The sample, committed.
fn sample() -> TestRepo {
    let repo = TestRepo::new();
    for path in package_files("fixtures/sample/").into_iter().filter(|path| !path.ends_with("demo.sh")) {
        repo.write(path.trim_start_matches("fixtures/sample/"), package_text(&path));
    }
    repo.write(".gitignore", "__pycache__/\n.pytest_cache/\n");
    repo.commit("A small shop")
}

fn pytest(repo: &TestRepo, python: &str, arguments: &[&str]) -> Run {
    let mut command = repo.command(python);
    command.args(["-m", "pytest", "-p", "repoidx.pytest_plugin", "-p", "no:cacheprovider", "-v", "--color=no"]);
    command
        .args(arguments)
        .env("PYTHONPATH", package_path("python"))
        .env("REPOIDX_BINARY", env!("CARGO_BIN_EXE_repoidx"));
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1");
    Run::of(command.output().expect("python runs"))
}

/// What repoidx said, and the tests that ran in their order.
fn told(run: &Run) -> String {
    let mut told = String::new();
    for line in run.stdout.lines() {
        if let Some((test, _)) = line.split_once(" PASSED").or_else(|| line.split_once(" FAILED")) {
            writeln!(told, "{test}").expect("writing to a string");
        } else if line.starts_with("repoidx: ") || line.starts_with("left out") {
            writeln!(told, "{line}").expect("writing to a string");
        }
    }
    told
}

#[test]
fn only_the_tests_that_a_change_reaches_run_the_most_endangered_first() {
    let Some(python) = python() else { return };
    let repo = sample();
    let cart = package_text("fixtures/sample/src/shop/cart.py");
    repo.write(
        "src/shop/cart.py",
        cart.replace("def grant(self, discount: Discount)", "def grant(self, discount: Discount, until=0)"),
    );
    let run = pytest(&repo, &python, &["--repoidx-impacted"]).code(0);
    expect_test::expect![[r#"
        repoidx: 3 of 10 tests, most endangered first (uncommitted edits)
        repoidx: the list is a lower bound: 1 further entity is too improbable to list (--min-probability)
        tests/test_cart.py::test_best_discount_counts
        tests/test_orders.py::test_main_prints_the_summary
        tests/test_orders.py::test_main_reports_unknown_products
        left out 7 tests that the change is not known to reach: tests/test_discounts.py (3), tests/test_cart.py (2), tests/test_orders.py (2)
    "#]].assert_eq(&told(&run));
    repo.save("second");
    let range = pytest(&repo, &python, &["--repoidx-impacted=HEAD~1..HEAD"]).code(0);
    let tests = |run: &Run| told(run).lines().filter(|line| line.contains("::")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(tests(&range), tests(&run));
}

#[test]
fn a_change_that_reaches_no_test_is_no_failure() {
    let Some(python) = python() else { return };
    let repo = sample();
    let run = pytest(&repo, &python, &["--repoidx-impacted"]).code(0);
    expect_test::expect![[r#"
        repoidx: 0 of 10 tests, most endangered first (uncommitted edits)
        left out 10 tests that the change is not known to reach: tests/test_orders.py (4), tests/test_cart.py (3), tests/test_discounts.py (3)
    "#]].assert_eq(&told(&run));
}

#[test]
fn all_tests_run_where_repoidx_cannot_tell() {
    let Some(python) = python() else { return };
    let repo = sample();
    let all = |repo: &TestRepo, arguments: &[&str], reason: &str| {
        let run = pytest(repo, &python, arguments).code(0);
        let told = told(&run);
        assert!(told.contains("repoidx: all tests run: ") && told.contains(reason), "{told}");
        assert!(run.stdout.contains("test_main_prints_the_summary PASSED"), "{}", run.stdout);
    };
    all(&repo, &["--repoidx-impacted=nowhere..HEAD"], "nowhere");
    let settings = package_text("fixtures/sample/pyproject.toml");
    repo.write("pyproject.toml", format!("{settings}\n# changed\n"));
    all(&repo, &["--repoidx-impacted"], "pyproject.toml changed, and any test may depend on it");
    let outside = sample();
    std::fs::remove_dir_all(outside.root().join(".git")).expect("it is there");
    all(&outside, &["--repoidx-impacted"], "lies in no git repository");
    let mistaken = pytest(&repo, &python, &["--repoidx-impacted", "tests"]).code(4);
    assert!(mistaken.stderr.contains("took tests for a range of commits"), "{}", mistaken.stderr);
}

#[test]
fn without_the_option_the_plugin_does_nothing() {
    let Some(python) = python() else { return };
    let run = pytest(&sample(), &python, &[]).code(0);
    assert!(!run.stdout.contains("repoidx: "), "{}", run.stdout);
}

#[test]
fn the_terminal_in_the_readme_shows_its_examples() {
    let mut command = Command::new("python3");
    let Ok(checked) = command.arg(package_path("packaging/terminal_svg.py")).arg("--check").output() else {
        writeln!(std::io::stderr(), "skipped: there is no python3").ok();
        return;
    };
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

#[test]
fn a_wheel_is_built_and_installed_as_a_user_does() {
    if std::env::var_os("REPOIDX_WHEEL").is_none_or(|value| value != "1") {
        writeln!(std::io::stderr(), "skipped: REPOIDX_WHEEL=1 builds the wheel and tries it").ok();
        return;
    }
    let tried = Command::new("sh").arg(package_path("packaging/try_wheel.sh")).status().expect("sh runs");
    assert!(tried.success());
}
