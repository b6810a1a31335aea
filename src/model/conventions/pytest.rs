//! The names by which pytest finds tests, as long as a project does not configure others (see `collecting`).

/// The start of the name of a test function or method; `unittest` has the same rule.
pub const TEST_FUNCTION: &str = "test";

/// The start of the name of a class with tests.
pub const TEST_CLASS: &str = "Test";

/// The file whose fixtures and hooks serve all tests in its folder and below.
pub const CONFTEST: &str = "conftest.py";

/// The start of the names of pytest's hooks.
pub const HOOK: &str = "pytest_";

/// The variable that marks all tests of its module or class.
pub const MARKS: &str = "pytestmark";

/// The fixtures that pytest has itself.
pub const BUILT_IN_FIXTURES: &str = "cache capfd capfdbinary caplog capsys capsysbinary capteesys doctest_namespace monkeypatch \
     pytestconfig pytester record_property record_testsuite_property record_xml_attribute recwarn request subtests testdir \
     tmp_path tmp_path_factory tmpdir tmpdir_factory";

/// Whether a function has the name of a test.
pub fn is_test_function(name: &str, is_method: bool) -> bool {
    name.starts_with(TEST_FUNCTION) || is_method && name == super::unittest::RUN_TEST
}

/// Whether a path is that of a file that pytest searches for tests by default: `test_*.py`, `*_test.py`, and the
/// `tests.py` and `test.py` of Django projects. A package below `src/` offers its `test.py` to others.
pub fn is_test_file(path: &str) -> bool {
    let name = file_name(path);
    let is_of_project = matches!(name, "tests.py" | "test.py") && !path.starts_with("src/");
    name.starts_with("test_") || name.ends_with("_test.py") || is_of_project
}

/// The same with the looser patterns of `unittest` (`test*.py`) and of Django (`*_tests.py`).
pub fn is_test_file_of_any_runner(path: &str) -> bool {
    let name = file_name(path);
    name.starts_with("test") || ["_test.py", "_tests.py"].iter().any(|end| name.ends_with(end))
}

/// Whether a file is a `conftest.py`.
pub fn is_conftest(path: &str) -> bool {
    file_name(path) == CONFTEST
}

/// Whether a file belongs to the tests: pytest searches it, it is a `conftest.py`, or it lies in a folder for tests. A
/// package `testing` inside of another one is for the tests of those who use it.
pub fn is_test_path(path: &str) -> bool {
    is_test_file(path)
        || is_conftest(path)
        || path.starts_with("testing/")
        || path.split('/').rev().skip(1).any(|folder| matches!(folder, "tests" | "test"))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_for_tests_is_told_from_a_package_that_helps_testing() {
        for path in ["tests/helper.py", "pkg/tests/helper.py", "testing/helper.py", "pkg/testing/test_a.py"] {
            assert!(is_test_path(path), "{path}");
        }
        for path in ["pkg/testing/client.py", "src/pkg/testing.py"] {
            assert!(!is_test_path(path), "{path}");
        }
    }
}
