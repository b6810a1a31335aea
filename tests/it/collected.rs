//! The tests that `impact` names are those that pytest collects as the project sets it up.

use crate::harness::TestRepo;

const CODE: &str = "def changed(): ...\n";
const CHECKS: &str = "\
import unittest
from lib import changed

class test_lib:
    def test_it(self): changed()
    def check_it(self): changed()

class TestLib:
    def test_it(self): changed()
    def check_it(self): changed()

class Old(unittest.TestCase):
    def test_it(self): changed()
    def check_it(self): changed()

def test_it(): changed()
def check_it(): changed()
";

fn tests(repo: &TestRepo) -> Vec<String> {
    let written = repo.run(["impact", "-q", "changed", "--tests"]).code(0).stdout;
    let mut ids: Vec<String> = written.lines().map(str::to_owned).collect();
    ids.sort();
    ids
}

#[track_caller]
fn check(settings: &[(&str, &str)], path: &str, expected: &[&str]) {
    let mut repo = TestRepo::new().file("lib.py", CODE).file(path, CHECKS);
    for (file, text) in settings {
        repo = repo.file(file, text);
    }
    let ids: Vec<String> = expected.iter().map(|id| format!("{path}::{id}")).collect();
    assert_eq!(tests(&repo.commit("first")), ids);
}

#[test]
fn classes_and_functions_are_collected_by_the_names_that_the_project_sets() {
    let path = "tests/test_lib.py";
    let usual = ["Old::test_it", "TestLib::test_it", "test_it"];
    check(&[], path, &usual);
    check(&[("pyproject.toml", "[tool.black]\n")], path, &usual);
    let classes = ["Old::test_it", "test_it", "test_lib::test_it"];
    check(&[("pyproject.toml", "[tool.pytest.ini_options]\npython_classes = \"test_*\"\n")], path, &classes);
    check(&[("pyproject.toml", "[tool.pytest]\npython_classes = [\"test_*\"]\n")], path, &classes);
    check(&[("pytest.toml", "[pytest]\npython_classes = [\"test_\"]\n")], path, &classes);
    check(
        &[("setup.cfg", "[tool:pytest]\npython_classes =\n    # all of them\n    *Suite\n    test_*\n")],
        path,
        &classes,
    );
    let functions = ["Old::test_it", "TestLib::check_it", "check_it"];
    check(&[("tox.ini", "[tox]\nenvlist = py\n[pytest]\npython_functions: check_*\n")], path, &functions);
}

#[test]
fn of_the_files_in_one_folder_the_first_that_sets_up_pytest_counts() {
    let path = "tests/test_lib.py";
    let classes = "[tool.pytest.ini_options]\npython_classes = \"test_*\"\n";
    let classes_of_tox = "[pytest]\npython_classes = test_*\n";
    let usual = ["Old::test_it", "TestLib::test_it", "test_it"];
    // Even when it is empty.
    check(&[("pytest.ini", ""), ("pyproject.toml", classes)], path, &usual);
    check(
        &[("pyproject.toml", "[tool.black]\n"), ("tox.ini", classes_of_tox)],
        path,
        &["Old::test_it", "test_it", "test_lib::test_it"],
    );
    // The nearest folder before those above.
    check(&[("tests/pytest.ini", "[pytest]\n"), ("pyproject.toml", classes)], path, &usual);
}

#[test]
fn files_are_collected_by_the_names_that_the_project_sets() {
    let files = "[pytest]\npython_files = check_*.py tests/*/unit.py\n";
    let usual = ["Old::test_it", "TestLib::test_it", "test_it"];
    check(&[("pytest.ini", files)], "code/check_lib.py", &usual);
    check(&[("pytest.ini", files)], "tests/lib/unit.py", &usual);
    check(&[("pytest.ini", files)], "tests/test_lib.py", &[]);
}

#[test]
fn a_change_of_the_settings_changes_what_is_a_test() {
    let repo = TestRepo::new().file("lib.py", CODE).file("tests/test_lib.py", CHECKS).commit("first");
    assert!(!tests(&repo).contains(&"tests/test_lib.py::test_lib::test_it".to_owned()));
    repo.write("pytest.ini", "[pytest]\npython_classes = test_\n");
    assert!(tests(&repo).contains(&"tests/test_lib.py::test_lib::test_it".to_owned()));
    repo.delete("pytest.ini");
    assert!(!tests(&repo).contains(&"tests/test_lib.py::test_lib::test_it".to_owned()));
}

#[test]
fn a_changed_test_is_itself_to_run() {
    let repo = TestRepo::new()
        .file("lib/testing.py", "class CommonCase:\n    def test_shared(self): ...\n")
        .file("tests/test_own.py", "def test_alone(): ...\n")
        .file(
            "tests/test_shared.py",
            "from lib.testing import CommonCase\n\nclass TestOne(CommonCase): ...\n\nclass TestTwo(CommonCase): ...\n",
        )
        .commit("first");
    let output = repo.run(["impact", "-q", "test_alone"]).code(0).stdout;
    assert!(output.starts_with("`test_own.test_alone` is a test: nothing refers to it; 1 test to run"), "{output}");
    let ids = repo.run(["impact", "-q", "test_alone", "--tests"]).code(0).stdout;
    assert_eq!(ids, "tests/test_own.py::test_alone\n");
    // An inherited one runs in each class that has it.
    let ids = repo.run(["impact", "-q", "CommonCase.test_shared", "--tests"]).code(0).stdout;
    assert_eq!(ids, "tests/test_shared.py::TestOne::test_shared\ntests/test_shared.py::TestTwo::test_shared\n");
    // One that is removed does not run.
    let ids = repo.run(["impact", "-q", "test_alone", "--change", "remove", "--tests"]).code(0).stdout;
    assert_eq!(ids, "");
}
