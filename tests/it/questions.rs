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
    assert!(first(&["ask", "counteragent"]).starts_with("`agents.CounterAgent` is used at 0 places"));
    assert_eq!(first(&["ask", "blockchain"]), "nothing here has any of the words `blockchain`");
    assert_eq!(first(&["tree", "Enum"]), "`enum.Enum`: 1 direct subclass");
}

/// A program with documents, settings, commits and a tag.
fn documented() -> TestRepo {
    let deep = "def raise_it():\n    raise ValueError\n\n\ndef four():\n    raise_it()\n\n\ndef three():\n    four()\n\n\n\
        def two():\n    three()\n\n\ndef one():\n    two()\n\n\ndef zero():\n    one()\n";
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file("README.md", "# Shop\n\n## Installing\n\nInstall shop with pip.\n\n## License\n\nMIT.\n")
        .file("shop/__init__.py", "")
        .file("shop/deep.py", deep)
        .file(
            "shop/old.py",
            "import gettext\n\nLIMIT_OF_ALL = 20\n\n\ndef fetch(config):\n    return config[\"SECRET_KEY\"]\n",
        )
        .file("shop/user.py", "from shop.old import fetch\n\n\n# XXX this is slow\ndef call():\n    return fetch({})\n")
        .file(
            "tests/test_old.py",
            "from shop.old import fetch\n\nSECRET_KEY = 1\n\n\ndef test_digest():\n    assert fetch({})\n",
        )
        .commit("first");
    repo.git(["tag", "1.0"]);
    repo.git(["mv", "shop/old.py", "shop/new.py"]);
    repo.file("shop/user.py", "from shop.new import fetch\n\n\n# XXX this is slow\ndef call():\n    return fetch({})\n")
        .file(
            "tests/test_old.py",
            "from shop.new import fetch\n\nSECRET_KEY = 1\n\n\ndef test_digest():\n    assert fetch({})\n",
        )
        .commit("second")
}

/// Questions in other words than the forms expect are answered by what the repository has for them.
#[test]
fn questions_about_documents_settings_and_history_are_read() {
    let repo = documented();
    for (question, wanted) in [
        ("how do I install shop", "`Installing` (README.md:3): Install shop with pip"),
        ("what license is it under", "`License` speaks of this (README.md:"),
        ("how do I cook pasta", "this question is not about the repository"),
        ("give me a hashing algorithm", "this question is not about the repository"),
        ("what imports gettext?", "1 module imports `gettext`, first at shop/new.py:1"),
        ("how many lines does new.py have", "shop/new.py has 7 lines"),
        ("what is the value of LIMIT_OF_ALL", "LIMIT_OF_ALL = 20"),
        ("is there a test for the digest", "nearest in meaning: `tests.test_old.test_digest`"),
        (
            "is fetch used outside of user?",
            "yes: `shop.new.fetch` is used at 2 places outside of user (2 places elsewhere)",
        ),
        ("who last touched new.py", "shop/new.py was last changed by Ann on"),
        ("who is the main author of new.py", "Ann has 2 of its 2 commits"),
        ("what changed in the last 1 commits", "the last 1 commit, since"),
        ("when was the last release", "the newest tag is 1.0 of"),
        ("where is SECRET_KEY used?", "first in `shop.new.fetch`"),
        ("are there syntax errors?", "no file has syntax errors"),
        ("which files have syntax errors?", "no file has syntax errors"),
        ("what exceptions can zero raise", "raises ValueError, 5 calls below"),
        ("todo comments", "none with TODO; 1 comment with FIXME or XXX or HACK"),
    ] {
        let text = repo.run(["ask", question]).code(0).stdout;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(wanted), "{question}\n  wanted {wanted}\n  found  {text}");
    }
    let plan = repo.run(["ask", "--plan", "How does the function fetch work?"]).code(0).stdout;
    assert!(plan.contains("question    simple"), "{plan}");
}

/// The commands below an answer are there to be pasted, so they are whole.
#[test]
fn commands_are_printed_whole() {
    let name = "a_rather_long_name_of_a_function_that_does_nothing";
    let code: String = (0..80).map(|at| format!("def {name}_{at:02}():\n    return {at}\n\n\n")).collect();
    let repo = TestRepo::new().file("long.py", &code).commit("first");
    let question = format!("compare {name}_01 with {name}_02, {name}_03 and {name}_04");
    let text = repo.run(["ask", &question]).code(0).stdout;
    let command = text.lines().find(|line| line.starts_with("= ")).expect("a command");
    assert!(command.ends_with("_04") && !command.contains('…'), "{text}");
}

/// Names and words of a web framework, an HTTP client, a command line library and a template engine.
fn frameworks() -> TestRepo {
    TestRepo::new()
        .file(
            "web/blueprints.py",
            "class Blueprint:\n    \"\"\"A blueprint.\"\"\"\n\n    def register(self, app): ...\n\n\ndef frobnicate(x):\n    return x\n",
        )
        .file(
            "web/sessions.py",
            "class SessionInterface:\n    def open_session(self): ...\n\n    def save_cookie(self): ...\n\n\nclass Session:\n    def request(self, method, url): ...\n",
        )
        .file(
            "web/routing.py",
            "class Rule:\n    def match(self, path): ...\n\n\nclass Map:\n    def add_rule(self, rule): ...\n\n\ndef route_request(map, path): ...\n\n\ndef redirect(location): ...\n",
        )
        .file(
            "cli/context.py",
            "class Context:\n    def invoke(self): ...\n\n\nclass ParameterSource: ...\n\n\ndef convert_type(value): ...\n\n\ndef register_command(command): ...\n\n\ndef parse_options(args): ...\n",
        )
        .file(
            "client/adapters.py",
            "class BaseAdapter:\n    def send(self): ...\n\n\nclass HTTPAdapter(BaseAdapter):\n    def send(self, timeout=None, retries=0): ...\n\n\ndef handle_errors(response): ...\n\n\ndef retry_later(): ...\n\n\ndef authenticate(request): ...\n\n\nclass Client:\n    def stream_response(self): ...\n",
        )
        .file(
            "engine/lexer.py",
            "class Lexer:\n    def tokenize(self): ...\n\n\nclass Environment:\n    def load_template(self, name): ...\n\n    def add_filter(self, name): ...\n\n\ndef expand_macro(macro): ...\n\n\ndef run_threads(thread): ...\n\n\nclass Queue: ...\n\n\nclass Cache: ...\n\n\ndef send_signal(signal): ...\n",
        )
        .commit("first")
}

#[test]
fn words_that_are_the_parts_of_a_name_come_before_a_fixture() {
    let repo = TestRepo::new()
        .file("lib/__init__.py", "")
        .file(
            "lib/app.py",
            "from lib.testing import AppClient\n\n\nclass App:\n    def test_client(self):\n        return AppClient()\n",
        )
        .file("lib/testing.py", "class AppClient:\n    def get(self): ...\n")
        .file(
            "lib/adapters.py",
            "class BaseAdapter:\n    def send(self): ...\n\n\nclass HTTPAdapter(BaseAdapter):\n    def send(self): ...\n\n\n\
             class Session:\n    def mount(self, prefix, adapter):\n        self.adapters = {prefix: adapter}\n",
        )
        .file("tests/conftest.py", "import pytest\n\n\n@pytest.fixture\ndef client():\n    return 1\n")
        .file("tests/test_app.py", "def test_get(client):\n    assert client\n")
        .commit("first");
    let client = "lib.app.App.test_client lib.testing.AppClient";
    let adapters = "lib.adapters.BaseAdapter lib.adapters.HTTPAdapter lib.adapters.Session.mount";
    for (question, expected) in [
        ("how does the test client work", client),
        ("test client", client),
        ("how do I write custom adapters", adapters),
        ("custom adapters", adapters),
    ] {
        let plan = repo.run(["ask", "--plan", question, "--format", "json"]).code(0).stdout;
        let plan: serde_json::Value = serde_json::from_str(&plan).expect("a plan");
        let subjects = plan["subjects"].as_array().into_iter().flatten();
        let names: Vec<&str> = subjects.map(|subject| subject["name"].as_str().unwrap_or_default()).collect();
        assert_eq!(names.join(" "), expected, "{question}");
    }
}

#[test]
fn questions_about_the_world_are_told_from_those_about_the_repository() {
    let repo = frameworks();
    let general = [
        "how do I reverse a list in python",
        "explain what a decorator is",
        "write me a poem",
        "difference between git merge and rebase",
        "what is a monad",
        "who is the president of France",
        "what is the capital of Japan",
        "how do I read a file line by line in python",
        "what does the walrus operator do",
        "how do I sort a dictionary by value",
        "tell me a joke",
        "explain recursion to a beginner",
        "what is the difference between a list and a tuple",
        "how does garbage collection work in python",
        "write a haiku about code",
        "how do I undo my last git commit",
        "what is a race condition",
        "how do I merge two dicts in python",
        "what is polymorphism",
        "translate hello to German",
        "why is python slow",
        "how to parse json in javascript",
        "which is better, tabs or spaces",
        "what is the time complexity of binary search",
        "how do I install docker on ubuntu",
        "what are python generators",
        "explain the difference between threads and processes",
        "how do I write a regex for an email address",
        "what year did world war two end",
        "write a function that reverses a string",
    ];
    let local = [
        "Will changing frobnicate break something?",
        "how does routing work",
        "what is a blueprint",
        "explain the session interface",
        "what is a context",
        "how are cookies handled",
        "what does the client do",
        "explain redirects",
        "how do I add a filter",
        "how do retries work",
        "what is an environment",
        "how does template loading work",
        "what happens when a request times out",
        "where is a path matched",
        "how do I register a command",
        "how does the parser handle options",
        "explain the lexer",
        "what does the lexer produce",
        "which functions handle errors",
        "how does authentication work",
        "what are macros",
        "how do threads work",
        "what is a queue",
        "is there a cache",
        "difference between request and session",
        "how do signals work",
        "how does type conversion work",
        "what is a parameter source",
        "how do I run the tests in docker",
        "what is a monad in this repository",
    ];
    let intent = |question: &str| {
        let plan = repo.run(["ask", "--plan", question, "--format", "json"]).code(0).stdout;
        serde_json::from_str::<serde_json::Value>(&plan).expect("a plan")["intent"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let taken: Vec<&str> = general.into_iter().filter(|question| intent(question) != "knowledge").collect();
    let lost: Vec<&str> = local.into_iter().filter(|question| intent(question) == "knowledge").collect();
    assert_eq!((taken, lost), (Vec::new(), Vec::new()));
    let text = repo.run(["ask", "what is a monad"]).code(0).stdout;
    let first = text.lines().next().unwrap_or_default();
    assert!(first.contains("not about the repository") && text.contains("in this repository"), "{text}");
    assert!(!text.contains(".py"), "{text}");
    let prompt = repo.run(["ask", "-q", "--format", "prompt", "how do I reverse a list in python"]).code(0).stdout;
    assert!(!prompt.contains(".py"), "{prompt}");
}

#[test]
fn bases_versions_unused_imports_and_ways_are_answered_in_the_first_line() {
    let repo = TestRepo::new()
        .file(
            "shop/config.py",
            "import os\nimport json\nfrom typing import Any  # noqa\n\n\nclass Base(dict):\n    pass\n\n\nclass Config(Base):\n\
             \x20   def load(self) -> None:\n        return os.getcwd()\n\n    def path(self) -> str | None: ...\n\n\
             \x20   def bare(self): ...\n",
        )
        .file("shop/__init__.py", "from shop.config import Config\nfrom shop import client\n")
        .file(
            "shop/client.py",
            "class Cache:\n    def get(self): ...\n\n\nclass Client:\n    def get(self):\n        return self.request()\n\n\
             \x20   def request(self):\n        return self._send_one()\n\n    def _send_one(self): ...\n",
        )
        .file(
            "CHANGES.md",
            "# Changes\n\n## Version 2.1.0\n\n- Adds `Client.request`.\n\n## Version 2.0.0\n\n- The first one.\n",
        )
        .commit("first");
    repo.git(["tag", "v2.0.0"]);
    let repo = repo.file("shop/late.py", "LATE = 1\n").commit("second");
    repo.git(["tag", "v2.1.0"]);
    let first = |question: &str| {
        let text = repo.run(["ask", "--tokens", "2000", question]).code(0).stdout;
        text.split("\n\n").next().unwrap_or_default().replace('\n', " ")
    };
    for (question, answer) in [
        ("is Config a dict subclass?", "yes: `shop.config.Config` derives from `dict` over `Base`"),
        ("is dict a base of Config", "yes: `shop.config.Config` derives from `dict` over `Base`"),
        ("does Config inherit from dict", "yes: `shop.config.Config` derives from `dict` over `Base`"),
        ("is Base a superclass of Config", "yes: `shop.config.Config` derives from `shop.config.Base` directly"),
        ("is Config a Base subclass", "yes: `shop.config.Config` derives from `shop.config.Base` directly"),
        ("is Config a base of Base", "no: `shop.config.Base` does not derive from `shop.config.Config`"),
        (
            "unused imports",
            "1 import outside of tests seems unused, first `json` at shop/config.py:2 (not counted: 2 handed on to other modules, 1 kept by a comment)",
        ),
        ("which imports are unused in shop/client.py", "none: no unused import was found in 1 file in shop/client.py"),
        (
            "what changed in 2.1",
            "`Version 2.1.0` tells the changes of 2.1 (CHANGES.md:3-5); the tag v2.1.0 has 1 commit (v2.0.0..v2.1.0)",
        ),
        ("what changed in 9.9", "nothing here tells the changes of 9.9"),
        (
            "how many functions return None",
            "2 functions outside of tests (returns `None`), 2 of which are methods; 2 by annotation (1 `-> None` alone), 0 by `return` statements; 5 functions without an annotation may return `None` as a value that is not told",
        ),
        (
            "path from get to send_one",
            "`shop.client.Client.get` reaches `shop.client.Client._send_one` in 2 steps: over `Client.request`",
        ),
    ] {
        let found = first(question);
        assert!(found.starts_with(answer), "{question}\n  wanted {answer}\n  found  {found}");
    }
}

/// `Python` is the language where it stands as that, whatever class of an example is called so.
#[test]
fn the_language_and_its_tools_are_no_names_of_the_repository() {
    let repo = TestRepo::new()
        .file("shop/__init__.py", "")
        .file("shop/cart.py", "class Cart:\n    def merge(self, other):\n        return other\n\n    def commit(self):\n        return 1\n")
        .file("docs/example/many.py", "class Python:\n    def run(self):\n        return JSON()\n\n\nclass JSON:\n    pass\n")
        .file("docs/debugging.md", "# Debugging\n\nDebug a Python program with `pdb`, mock a function.\n")
        .commit("first");
    for question in [
        "how do I mock a class in Python?",
        "how can I debug a Python script?",
        "how do I read a file of JSON in Python?",
        "when was Python 3 released?",
        "how do I remove a package with pip?",
        "how do I revert a commit?",
        "how can I resolve a merge conflict?",
        "what does PEP 20 say about names?",
        "what is 12 * 7?",
        "are you a bot?",
    ] {
        let text = repo.run(["ask", question]).code(0).stdout;
        assert!(text.starts_with("this question is not about the repository"), "{question}\n{text}");
    }
    for (question, wanted) in [
        ("methods of Python", "`docs.example.many.Python` has 1 method"),
        ("show the Python class", "`docs.example.many.Python` is the class at"),
        ("who calls JSON?", "`docs.example.many.JSON` is called at 1 place"),
        ("what does commit do?", "`shop.cart.Cart.commit`"),
    ] {
        let text = repo.run(["ask", question]).code(0).stdout;
        assert!(text.starts_with(wanted), "{question}\n{text}");
    }
}
