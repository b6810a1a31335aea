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

/// A repository with a class that has an async twin, calls on unknown objects, routes and messages.
fn service() -> TestRepo {
    TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file("web/__init__.py", "")
        .file(
            "web/lock.py",
            "class Lock:\n    def acquire(self, wait):\n        return wait\n\n    def release(self):\n        raise LockLost(\"gone: \" + str(self))\n\n\nclass LockLost(Exception):\n    pass\n",
        )
        .file("web/asyncio/__init__.py", "")
        .file(
            "web/asyncio/lock.py",
            "class Lock:\n    async def acquire(self, wait):\n        return wait\n\n    async def release(self):\n        return None\n",
        )
        .file(
            "web/views.py",
            "import ldap\n\nROUTES = [(r\"/items/(?P<item>[0-9]+)/parts\", \"PartsHandler\"), (\"login/\", \"Login\")]\n\n\ndef dispatch(lock):\n    guard(lock)\n\n\ndef guard(lock):\n    lock.acquire(1)\n    log(\"client %s was refused by the block list\" % lock)\n\n\ndef log(text, **further):\n    return text\n\n\ndef told():\n    return log(\"x\", level=3)\n\n\ndef command(name):\n    return lambda function: function\n\n\n@command(\"replay.start\")\ndef first():\n    return 1\n\n\n@command(\"replay.stop\")\ndef second():\n    return 2\n",
        )
        .file("tests/test_other.py", "from web.lock import Lock\n\n\ndef test_other():\n    Lock().release()\n")
        .file("tests/test_lock.py", "from web.lock import Lock\n\n\ndef test_lock():\n    Lock().acquire(1)\n")
        .commit("first")
}

/// Each question is put as people put it, and its answer says the thing that was asked.
#[test]
fn questions_are_answered_for_what_they_mean() {
    let repo = service();
    for (question, wanted) in [
        // One end is no way: the next reading is taken.
        ("which functions does guard call? (self.something)", "`web.views.guard` calls"),
        // A call on an object of an unknown type is a step, and is called a guess.
        ("how do we get from views.dispatch to the sync Lock.acquire", "web/views.py:11"),
        ("parameters of the sync Lock.acquire?", "`web.lock.Lock.acquire`"),
        ("parameters of the async Lock.acquire?", "`web.asyncio.lock.Lock.acquire`"),
        (
            "where do we raise LockLost and does any code here catch it?",
            "`LockLost` is raised in `Lock.release`, and never caught here",
        ),
        (
            "ldap - do we really need that dependency? which files import it",
            "`ldap` is imported in 1 file, first at web/views.py:1",
        ),
        ("my log says: client 12 was refused by the block list -> code?", "web/views.py:12"),
        ("which handler serves POST /items/<id>/parts", "web/views.py:3"),
        ("login/ url -> which view does it go to, and in what file is the route", "web/views.py:3"),
        ("which functions are decorated with @command('replay.stop')", "1 function"),
        (
            "if I drop the parameter level from log who would break",
            "`log` has no parameter `level`: 1 of its 2 calls pass one",
        ),
        ("pls flurbl the snorkwab, thx", "nothing here has any of the words `flurbl`, `snorkwab`"),
    ] {
        let text = repo.run(["ask", question]).code(0).stdout;
        assert!(text.contains(wanted), "{question}\n  wanted {wanted}\n  found  {text}");
    }
    let files = repo.run(["ask", "i touched web/lock.py, which test files do i have to run"]).code(0).stdout;
    let place = |name: &str| files.find(name).unwrap_or(usize::MAX);
    assert!(place("pytest tests/test_lock.py") < place("pytest tests/test_other.py"), "{files}");
}

/// A change that only guesses lead to breaks something perhaps, and not for certain.
#[test]
fn what_may_only_possibly_break_is_answered_with_perhaps() {
    let code = "class Disk:\n    def load(self):\n        return 1\n\n\ndef run(thing):\n    return thing.load()\n";
    let repo = TestRepo::new().file("disks.py", code).commit("first");
    for (question, answer) in [
        ("is it safe to delete Disk.load?", "perhaps not: removing `Disk.load` possibly affects 1 definition"),
        ("does anything break if I remove Disk.load?", "perhaps: removing `Disk.load` possibly affects 1 definition"),
        ("what breaks if I change Disk.load?", "changing `Disk.load` possibly affects 1 definition"),
    ] {
        let text = repo.run(["ask", question]).code(0).stdout;
        assert!(text.starts_with(answer), "{question}\n{text}");
    }
}

/// A word without a sentence around it is a name: it is looked for, however it is spelt.
#[test]
fn a_single_word_is_looked_for_as_a_name() {
    let code = "import enum\n\n\nclass CounterAgent:\n    enum = 1\n\n\nclass Color(enum.Enum):\n    RED = 1\n";
    let repo = TestRepo::new().file("agents.py", code).commit("first");
    let first = |arguments: &[&str]| {
        let text = repo.run(arguments).code(0).stdout;
        text.lines().next().expect("a first line").to_owned()
    };
    assert_eq!(first(&["ask", "counteragent"]), "nearest in meaning: `agents.CounterAgent` at agents.py:4");
    assert_eq!(first(&["ask", "blockchain"]), "nothing here has any of the words `blockchain`");
    assert_eq!(first(&["tree", "Enum"]), "`enum.Enum`: 1 direct subclass");
}
