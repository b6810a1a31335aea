//! Questions whose answers depend on how a repository sets up its tests, and on names with several meanings.

use crate::harness::TestRepo;

/// The settings of pytest say which files are tests, and a name with several meanings stands for the one that fits.
#[test]
fn tests_fixtures_and_ways_are_found_as_the_repository_has_them() {
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\npython_files = check_*.py\n")
        .file("shop/__init__.py", "")
        .file("shop/manager/core.py", "def program():\n    return 1\n")
        .file(
            "shop/core.py",
            "from shop.ends import make_ends\n\n\ndef program():\n    return step()\n\n\ndef step():\n    return make_ends()\n\n\ndef spare():\n    return 2\n",
        )
        .file("shop/ends.py", "def make_ends():\n    return 3\n")
        .file("tests/conftest.py", "import pytest\n\n\n@pytest.fixture\ndef client():\n    return 1\n")
        .file(
            "tests/check_core.py",
            "from shop.core import step\n\n\ndef test_step(client):\n    assert step() == 3\n",
        )
        .file("tests/test_spare.py", "from shop.core import spare\n\n\ndef test_spare():\n    assert spare()\n")
        .commit("first");
    let first = |question: &str| {
        let text = repo.run(["ask", question]).code(0).stdout;
        text.lines().next().expect("a first line").to_owned()
    };
    for (question, answer) in [
        ("what in shop/core.py does the suite never run", "2 of 3 definitions are not reached by any test; 1 reached"),
        ("a test takes an argument called `client`, what hands me that", "`tests.conftest.client` is the function at"),
        (
            "from core.program to make_ends, which functions in between",
            "`shop.core.program` reaches `shop.ends.make_ends` in 2 steps",
        ),
        ("trace the fixtures of test_step", "`test_step` calls `client`, then `step`"),
    ] {
        let found = first(question);
        assert!(found.starts_with(answer), "{question}\n  wanted {answer}\n  found  {found}");
    }
}
