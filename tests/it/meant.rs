//! Questions that were once read as others, or answered with something that is not so.

use crate::harness::TestRepo;

/// The beginning of the first line of each answer, as the question deserves it.
fn check(repo: &TestRepo, cases: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (question, wanted) in cases {
        let text = repo.run(["ask", question]).code(0).stdout;
        // A long first line goes on in the next ones.
        let first = text.split("\n=").next().unwrap_or_default().replace('\n', " ");
        if !first.starts_with(wanted) {
            wrong.push(format!("{question}\n  wanted {wanted}\n  found  {first}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A name that is a parameter of the function beside it means the parameter, whatever else has the name.
#[test]
fn a_change_of_a_parameter_is_no_change_of_its_function() {
    let repo = TestRepo::new()
        .file("net/__init__.py", "")
        .file(
            "net/client.py",
            "DEFAULT = 1\n\n\nclass Base:\n    @property\n    def timeout(self):\n        return 1\n\n\n\
             class Client(Base):\n    def get(self, url, timeout=None):\n        return url\n\n    \
             def put(self, url, **options):\n        return url\n\n    def total(self):\n        return 1\n\n\n\
             def prompt(text, default=None):\n    return text\n\n\n\
             def run(client: Client):\n    client.get('a', timeout=3)\n    client.put('a', verify=False)\n    client.total()\n    return prompt('a', default=DEFAULT)\n",
        )
        .file(
            "net/send.py",
            "class Mixin:\n    def send(self, request, **options):\n        return request\n\n\n\
             class Adapter:\n    def send(self, request, timeout=None):\n        return request\n\n\n\
             def use(mixin: Mixin, other: Mixin):\n    mixin.send(1)\n    other.send(2)\n    Adapter().send(1, timeout=2)\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("what happens if I drop default from prompt", "removing `default` of `prompt` breaks 1 of 1 call"),
            ("can default be removed from prompt", "no: removing `default` of `prompt` breaks 1 of 1 call"),
            (
                "what breaks if timeout is removed from Client.get",
                "removing `timeout` of `Client.get` breaks 1 of 1 call",
            ),
            ("what if timeout is dropped from Client.get", "removing `timeout` of `Client.get` breaks 1 of 1 call"),
            (
                "what breaks when timeout disappears from Client.get",
                "removing `timeout` of `Client.get` breaks 1 of 1 call",
            ),
            (
                "what happens if we take timeout out of Client.get",
                "removing `timeout` of `Client.get` breaks 1 of 1 call",
            ),
            (
                "what if I drop verify from Client.put",
                "`Client.put` has no parameter `verify`: 1 of its 1 call pass one, as a further keyword",
            ),
            // Of several functions of one name, those that have the parameter.
            (
                "what breaks if I drop the timeout parameter of send",
                "removing `timeout` of `Adapter.send` breaks 1 of 1 call",
            ),
            // A member of a class is no parameter.
            ("what if I remove total from Client", "removing `Client.total` affects"),
        ],
    );
}

/// An everyday word is a name where a question for the history has one.
#[test]
fn the_history_of_an_everyday_name_is_that_of_its_definition() {
    let repo = TestRepo::new()
        .file("shop.py", "def echo():\n    return 1\n\n\ndef get():\n    return echo()\n")
        .commit("first");
    check(
        &repo,
        &[
            ("when was echo last changed", "`echo` stands in the code since"),
            ("when was get last changed", "`get` stands in the code since"),
            ("who last changed get", "`get` was last changed by Ann"),
        ],
    );
}

/// A condition on places holds for subclasses as it does for uses.
#[test]
fn subclasses_are_counted_where_the_question_looks() {
    let repo = TestRepo::new()
        .file("shop/__init__.py", "")
        .file("shop/base.py", "class Base:\n    pass\n\n\nclass Own(Base):\n    pass\n")
        .file(
            "tests/test_base.py",
            "from shop.base import Base, Own\n\n\nclass Fake(Base):\n    pass\n\n\nclass Deep(Own):\n    pass\n\n\n\
             def test_own():\n    assert Own()\n",
        )
        .commit("first");
    let own = "1 class outside of tests is derived from `shop.base.Base` directly, 1 in all (2 more in tests): `Own`";
    check(
        &repo,
        &[
            ("does anything subclass Base outside tests", own),
            ("who subclasses Base, not counting tests", own),
            ("which classes subclass Base excluding tests", own),
            (
                "who inherits from Base in the tests",
                "1 class in tests is derived from `shop.base.Base` directly, 2 in all",
            ),
            ("who subclasses Base", "2 classes are derived from `shop.base.Base` directly, 3 in all: `Own`, `Fake`"),
        ],
    );
}

/// A helper of the program with the name of a test is none, and neither is one in a module that no runner collects.
#[test]
fn only_functions_that_a_runner_collects_are_tests() {
    let repo = TestRepo::new()
        .file("shop/__init__.py", "")
        .file("shop/app.py", "class App:\n    def test_client(self):\n        return self\n")
        .file("tests/__init__.py", "")
        .file("tests/helpers.py", "def test_data():\n    return [1]\n")
        .file(
            "tests/test_app.py",
            "from shop.app import App\n\n\nclass TestApp:\n    def test_one(self):\n        assert App().test_client()\n\n\n\
             class Helper:\n    def test_none(self):\n        return 1\n\n\ndef test_two():\n    assert App()\n",
        )
        .commit("first");
    check(&repo, &[("how many tests are there", "2 tests in the repository")]);
    let both = ["--kind", "function", "--kind", "method", "--is", "test"];
    for arguments in [&["--is", "test"][..], &["--kind", "test"], &both] {
        let text = repo.run([&["search", "--count"], arguments].concat()).code(0).stdout;
        assert_eq!(text, "2\n", "{arguments:?}");
    }
}

/// The last release is the one of the newest tag.
#[test]
fn the_last_release_is_that_of_the_newest_tag() {
    let repo = TestRepo::new().file("shop.py", "A = 1\n").commit("first");
    repo.git(["tag", "v1.0"]);
    let repo = repo.file("shop.py", "A = 2\n").commit("second").file("shop.py", "A = 3\n").commit("third");
    repo.git(["tag", "v1.1"]);
    let repo = repo.file("shop.py", "A = 4\n").commit("fourth");
    check(
        &repo,
        &[
            ("what changed in the last release", "the tag v1.1 has 2 commits (v1.0..v1.1)"),
            ("what is new in the latest version", "the tag v1.1 has 2 commits (v1.0..v1.1)"),
            ("what changed since the last release", "1 commit changed the repository in v1.1..HEAD"),
        ],
    );
}

/// Two classes, an own exception outside of the module of exceptions, and functions of several lengths.
fn pair() -> TestRepo {
    let repo = TestRepo::new()
        .file("net/__init__.py", "")
        .file(
            "net/client.py",
            "import abc\n\n\nclass Base:\n    def shared(self):\n        return 1\n\n\n\
             class Client(Base):\n    def send(self):\n        return 1\n\n    def close(self):\n        return self.send()\n\n\n\
             class AsyncClient(Base):\n    async def send(self):\n        return 1\n\n    async def aclose(self):\n        return 2\n\n    \
             @abc.abstractmethod\n    def left_out(self):\n        ...\n",
        )
        .commit("first")
        .file("net/exceptions.py", "class NetError(Exception):\n    pass\n")
        .file(
            "net/tools.py",
            "import os\n\nfrom net.client import Client\n\nDEFAULTS = {\n    \"COOKIE_KIND\": None,\n}\n\n\n\
             class OwnError(ValueError):\n    pass\n\n\n\
             def echo(proxies=None):\n    first = Client()\n    first.send()\n    return first\n\n\n\
             def secho():\n    return os.getcwd()\n\n\ndef third():\n    first = 1\n    second = 2\n    return first\n\n\n\
             def read(config):\n    return config[\"COOKIE_KIND\"]\n",
        )
        .file(
            "tests/test_tools.py",
            "import threading\n\nfrom net.tools import secho\n\n\ndef test_secho():\n    \"\"\"`resolve_it()` is called.\"\"\"\n    assert secho()\n    assert threading\n",
        )
        .file(
            "tests/integration_tests/test_echo.py",
            "from net.tools import echo\n\n\ndef test_echo():\n    assert echo()\n",
        );
    repo.commit("second")
}

/// Where two definitions are set against each other, the first line says which one it is.
#[test]
fn of_two_definitions_the_one_that_is_asked_for_is_named() {
    check(
        &pair(),
        &[
            ("does Client or AsyncClient define aclose", "yes: only `AsyncClient` defines `aclose` (net/client.py:21)"),
            ("which of Client and AsyncClient defines send", "both `Client` and `AsyncClient` define `send`"),
            ("do Client and AsyncClient both define send", "yes: both `Client` and `AsyncClient` define `send`"),
            ("do Client and AsyncClient both define close", "no: only `Client` defines `close`"),
            (
                "which of Client and AsyncClient defines shared",
                "neither `Client` nor `AsyncClient` defines `shared`; `Client` inherits it from `Base`",
            ),
            (
                "which methods of Client are not in AsyncClient",
                "`Client` has 1 method that `AsyncClient` lacks: `close`",
            ),
            (
                "which methods does AsyncClient have that Client lacks",
                "`AsyncClient` has 2 methods that `Client` lacks: `aclose` and `left_out`",
            ),
            ("which is longer: echo or secho", "`echo` is longer: 4 lines; `secho`: 2 lines"),
            ("is secho longer than echo", "no: `echo` is longer"),
            ("which is shorter, Client or AsyncClient", "`Client` is shorter"),
            ("which is longer, tools.py or client.py", "`net/tools.py` is longer"),
            ("which is older, tools.py or client.py", "`net/client.py` is older: there since"),
            (
                "biggest function in net/tools.py",
                "the biggest functions in net/tools.py are `net.tools.echo` and `net.tools.third`",
            ),
        ],
    );
}

/// A name that only texts have is covered by no test, and a test of a folder for integration tests is no unit test.
#[test]
fn tests_are_counted_for_definitions_that_are_there() {
    check(
        &pair(),
        &[
            ("is resolve_it covered by tests", "no: nothing here is called `resolve_it`, so no test covers it"),
            (
                "which unit tests cover echo",
                "no unit test was found that concerns `echo`, and no limit of this is known; 1 integration test does: tests/",
            ),
            ("which tests cover echo", "1 test concerns `echo`"),
            ("which functions take a proxies parameter", "1 function outside of tests (with parameter `proxies`)"),
            ("are all classes in client.py tested", "no: "),
        ],
    );
}

/// Tools that an agent runs: unit tests hand it one, integration tests the other.
fn agents(unit: &str, integration: &str) -> TestRepo {
    let tools = "class Shell:\n    def run(self):\n        return 1\n\n\nclass Search:\n    def run(self):\n        return 2\n\n\n\
                 class Agent:\n    def __init__(self, tools):\n        self.tools = tools\n\n    def go(self):\n        \
                 return [tool.run() for tool in self.tools]\n";
    let test = |tool: &str| {
        format!(
            "from lib.tools import Agent, {tool}\n\n\ndef test_{0}():\n    assert Agent([{tool}()]).go()\n",
            tool.to_lowercase()
        )
    };
    let repo = TestRepo::new()
        .file("lib/__init__.py", "")
        .file("lib/tools.py", tools)
        .file(&format!("{unit}/test_shell.py"), test("Shell"))
        .file(&format!("{integration}/test_search.py"), test("Search"));
    repo.commit("first")
}

/// A kind of tests means those in its folders, and a folder those below it. An object that only other tests make runs
/// in no unit test, although they run the code that calls it.
#[test]
fn tests_of_a_kind_are_those_in_the_folders_that_are_named_for_it() {
    check(
        &agents("tests/unit_tests", "tests/integration_tests"),
        &[
            (
                "What classes and functions in the lib folder are not covered by unit tests?",
                "2 of 7 definitions are not reached by any unit test; 5 reached",
            ),
            (
                "which classes in lib are not covered by tests/unit_tests",
                "1 of 3 classes is not reached by any test in tests/unit_tests; 2 reached",
            ),
            (
                "which functions in lib have no integration tests",
                "1 of 4 functions is not reached by any integration test",
            ),
            ("is Search covered by unit tests?", "no: no unit test was found that concerns `Search`"),
            ("is Shell covered by unit tests?", "yes: 1 unit test concerns `Shell`"),
            ("is Search tested by an integration test", "yes: 1 integration test concerns `Search`"),
            ("which integration tests cover Shell", "no integration test was found that concerns `Shell`"),
            ("which tests in tests/unit_tests cover Shell", "1 test in tests/unit_tests concerns `Shell`"),
            ("which tests in tests/integration_tests cover Shell", "no test in tests/integration_tests was found"),
        ],
    );
}

/// Where no folder tells kinds of tests, the first line says so.
#[test]
fn a_kind_of_tests_that_no_folder_tells_is_said() {
    let untold = "the repository does not tell unit tests from others, so all tests are counted";
    check(
        &agents("tests", "tests"),
        &[
            ("is Search covered by unit tests?", &format!("yes: 1 test concerns `Search`; {untold}")),
            (
                "which classes in lib are not covered by unit tests",
                &format!(
                    "none: as far as the source tells, every one of these 3 classes is reached by a test; {untold}"
                ),
            ),
        ],
    );
    check(
        &agents("tests/unit", "tests/more"),
        &[(
            "is Search tested by an integration test",
            "yes: 1 integration test concerns `Search`; no folder is named for integration tests, so all tests outside of those \
             for unit tests are counted",
        )],
    );
}

/// Questions whose answer the text knows get it, and others are told in the first line to have none.
#[test]
fn what_the_index_cannot_know_is_said_first() {
    check(
        &pair(),
        &[
            (
                "does AsyncClient have any abstract methods",
                "yes: `net.client.AsyncClient` has 1 method of its own (abstract;",
            ),
            (
                "does Client have any abstract methods",
                "no: `net.client.Client` has no method of its own that is abstract",
            ),
            (
                "what's the default of COOKIE_KIND",
                "`COOKIE_KIND` is set at 1 place, first in `net.tools.DEFAULTS` (net/tools.py:6) to `None`",
            ),
            ("how deep is the inheritance of Client", "`Client` has 1 level above it (`Base`), and none below"),
            (
                "which functions call os.getcwd",
                "1 definition calls `os.getcwd`, at 1 place in 1 module, first at net/tools.py:21",
            ),
            ("which functions call os.getpid", "none: no call of `os.getpid` is written"),
            ("does net use threading", "no: no import of `threading` was found in net; 1 module elsewhere"),
            ("how many asserts are in the tests", "3 `assert` statements in files of tests; they stand in 2 files"),
            ("how many exceptions are defined", "2 exception classes outside of tests"),
            (
                "if I make Client.send async, what breaks",
                "`Client.send` async: 2 calls of it break unless they await it",
            ),
            ("in net/tools.py which function reads config", "nearest in meaning: `net.tools.read`"),
            ("is Client thread safe", "the index does not tell whether this is so; it knows: "),
            ("does echo flush stdout", "the index does not tell whether this is so; it knows: "),
        ],
    );
}
