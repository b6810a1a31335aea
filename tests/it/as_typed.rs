//! Questions as users type them, with the truth that was looked up by hand.

use crate::harness::TestRepo;

/// The first line of the answer to each question has the words.
fn check(repo: &TestRepo, cases: &[(&str, &str)]) {
    for (question, wanted) in cases {
        let text = repo.run(["ask", question]).code(0).stdout;
        // A long line is broken.
        let found = text.split("\n= ").next().unwrap_or_default().replace('\n', " ");
        assert!(found.contains(wanted), "{question}\n  wanted {wanted}\n  found  {found}\n{text}");
    }
}

fn kit() -> TestRepo {
    TestRepo::new()
        .file("pytest.ini", "[pytest]\npythonpath = src\n")
        .file("src/kit/__init__.py", "")
        .file(
            "src/kit/core.py",
            "class Base:\n    retries: int = 3\n    \"\"\"Tries.\n\n    .. deprecated:: 2.0\n        Nobody tries.\n    \"\"\"\n\n    lifetime = Setting(\"KIT_LIFETIME\")\n\n\nclass Mid(Base):\n    pass\n\n\nclass Leaf(Mid):\n    pass\n\n\nclass Other:\n    pass\n\n\nclass Kid(Other):\n    pass\n\n\ndef load(path, *, strict=False):\n    # needle\n    return path\n\n\ndef parse(text, kind):\n    if kind == \"x\":\n        return load(text)\n    elif kind == \"y\":\n        return save(text)\n    begin()\n    return dump(text)\n\n\ndef save(text):\n    \"\"\"This function is deprecated, use dump.\"\"\"\n    return \"needle\"\n\n\ndef dump(text):\n    return Base().lifetime\n\n\ndef begin():\n    return 1\n",
        )
        .file(
            "tests/test_core.py",
            "from kit.core import load, parse\n\n\ndef helper():\n    return load(\"needle\")\n\n\ndef test_load():\n    assert load(\"x\", strict=True)\n\n\ndef test_inside():\n    def view():\n        return load(\"y\")\n\n    assert view()\n\n\ndef test_through():\n    assert helper()\n",
        )
        .commit("first")
}

/// A deprecation may be told by the docstring of an attribute, or in the words of a docstring.
#[test]
fn a_deprecation_is_found_wherever_it_is_told() {
    check(
        &kit(),
        &[
            ("is retries deprecated", "yes: `kit.core.Base.retries` is deprecated: `.. deprecated:: 2.0`"),
            ("is save deprecated?", "yes: the docstring of `kit.core.save` says"),
            ("is kit.core.load deprecated", "no: `kit.core.load` has no decorator, docstring, comment or warning"),
        ],
    );
}

/// Calls of different branches exclude each other; what stands behind `return` is for the rest.
#[test]
fn the_story_of_a_function_tells_its_branches_apart() {
    check(
        &kit(),
        &[(
            "trace parse step by step",
            "calls either `load` (if `kind == \"x\"`) or `save` (if `kind == \"y\"`), then `begin`, then `dump`",
        )],
    );
}

/// Who calls names the function; who reaches it runs it through others.
#[test]
fn tests_that_call_are_counted_apart_from_those_that_reach() {
    check(
        &kit(),
        &[
            ("how many tests call load", "2 tests call `load` themselves; 3 tests reach it in all"),
            ("how many tests reach load", "3 tests concern `load`"),
            ("does any test call begin", "no test was found"),
        ],
    );
}

/// The hierarchy of a repository is a forest, the largest tree first by all classes below its root.
#[test]
fn the_class_hierarchy_of_a_repository_is_a_forest() {
    let repo = kit();
    check(
        &repo,
        &[
            ("what is the class hierarchy", "5 classes outside of tests in 2 hierarchies"),
            (
                "whats the largest class hierarchy",
                "the largest class hierarchy outside of tests is that of `kit.core.Base`",
            ),
            ("deepest inheritance tree", "`kit.core.Base` with 2 classes below it, 2 levels deep"),
        ],
    );
    let text = repo.run(["ask", "--all", "class hierarchy of this repository"]).code(0).stdout;
    let tree = "  kit.core.Base  src/kit/core.py:1-9  2 below it\n    kit.core.Mid  src/kit/core.py:12-13  1 below it\n      kit.core.Leaf";
    assert!(text.contains(tree), "{text}");
}

/// A setting that an attribute holds is read by those who read the attribute.
#[test]
fn readers_of_a_setting_are_followed_through_its_attribute() {
    check(
        &kit(),
        &[("who reads KIT_LIFETIME", "`Base.lifetime` holds it and is read at 1 place, first in `kit.core.dump`")],
    );
}

/// The definitions that contain a text are counted, in the place that the question names.
#[test]
fn definitions_that_contain_a_text_are_counted_where_they_are_asked_for() {
    check(
        &kit(),
        &[
            ("which functions contain 'needle' in src", "2 functions in src contain `needle`"),
            (
                "how many functions contain the text 'needle'",
                "3 functions contain `needle`, first `kit.core.save`, 1 of them in tests",
            ),
        ],
    );
}

/// A class of a library may be imported from a module below its package, or through a module of the repository.
#[test]
fn heirs_of_a_library_class_are_found_however_it_is_imported() {
    let repo = TestRepo::new()
        .file("app/__init__.py", "")
        .file("app/base.py", "from lib import Model\n\n\nclass A(Model):\n    pass\n\n\nclass B(Model):\n    pass\n")
        .file("app/deep.py", "from lib.main import Model\n\n\nclass C(Model):\n    pass\n")
        .file("app/through.py", "from app.base import Model\n\n\nclass D(Model):\n    pass\n")
        .file("app/other.py", "from elsewhere import Model\n\n\nclass E(Model):\n    pass\n")
        .commit("first");
    let text = repo.run(["tree", "Model"]).code(0).stdout;
    for class in ["base.A", "base.B", "deep.C", "through.D"] {
        assert!(text.contains(class), "{class}\n{text}");
    }
    assert!(!text.contains("other.E"), "{text}");
}

/// A decorator that is called is used once at its place.
#[test]
fn a_decorator_is_counted_once_at_a_place() {
    let repo = TestRepo::new()
        .file(
            "app.py",
            "def mark(name):\n    def decorate(function):\n        return function\n\n    return decorate\n\n\n@mark(\"a\")\ndef a():\n    pass\n\n\n@mark(\"b\")\ndef b():\n    pass\n",
        )
        .commit("first");
    check(&repo, &[("most used decorators", "`app.mark` with 2 references")]);
}

/// Conditions on arguments are judged by the calls as they are written; one that cannot be judged is said to be so.
#[test]
fn conditions_on_arguments_are_computed_or_said_not_to_be() {
    let repo = TestRepo::new()
        .file(
            "app.py",
            "def load(path, *, strict=False):\n    return path\n\n\ndef use(name, more):\n    load(\"a\", strict=True)\n    load(name)\n    load(path=\"b\")\n    load(*more)\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            (
                "who calls load with a keyword argument",
                "2 of 4 calls of `app.load` fit `with a keyword argument`; 1 does not, and of 1 it cannot be told",
            ),
            (
                "where is load called with a literal path",
                "2 of 4 calls of `app.load` fit `with a literal path`; 1 does not, and of 1 it cannot be told",
            ),
            ("who calls load without arguments", "none of 4 calls"),
            ("who calls load with a nice argument", "which calls fit `with a nice argument` cannot be told"),
            ("who calls load with strict=True", "1 of 4 calls of `app.load` passes `strict=True`"),
        ],
    );
}

/// A definition that only its own decorator hands on may be used by users of the program: nobody can tell.
#[test]
fn what_only_a_decorator_hands_on_may_be_unused() {
    let repo = TestRepo::new()
        .file(
            "app.py",
            "def checked(f):\n    def wrapper(*args):\n        return f(*args)\n\n    return wrapper\n\n\n@checked\ndef offered():\n    return 1\n\n\n@checked\ndef taken():\n    return 2\n\n\ndef start():\n    return taken()\n\n\nstart()\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("is offered used?", "perhaps: nothing here names `app.offered`, but its decorator hands it on"),
            ("is taken used?", "yes: `app.taken` is used"),
            ("is start never used", "no: `app.start` is used"),
        ],
    );
    let text = repo.run(["ask", "--all", "which functions are never used"]).code(0).stdout;
    assert!(text.contains("app.offered") && !text.contains("app.taken"), "{text}");
}

/// A noun behind an article names nothing, and a question that the documents shall answer leads to their section.
#[test]
fn everyday_words_are_no_names_where_the_documents_are_asked() {
    let repo = TestRepo::new()
        .file("app.py", "class Adapter:\n    def send(self):\n        return 1\n\n\nclass FileAdapter(Adapter):\n    pass\n")
        .file("conftest.py", "import pytest\n\n\n@pytest.fixture\ndef client():\n    return 1\n")
        .file(
            "docs/testing.md",
            "# Testing\n\n## Sending JSON\n\nThe test client sends JSON when you pass it an object.\n\n## Other Adapters\n\nDerive from `FileAdapter`, and override what you need.\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("how do I send json with the test client, according to the docs?", "(docs/testing.md:3)"),
            ("how do I write a custom adapter", "of this name are `FileAdapter` (app.py:6) and `Adapter`"),
        ],
    );
    let plan = repo.run(["ask", "--plan", "how do I send json with the test client, according to the docs?"]).code(0);
    assert!(!plan.stdout.contains("subject  "), "{}", plan.stdout);
}

/// How something is done is told by the section or the definition that has the verb and its object.
#[test]
fn how_something_is_done_is_told_by_the_nearest_section_or_definition() {
    let repo = TestRepo::new()
        .file("web/__init__.py", "")
        .file("web/system.py", "import sys\n\nWINDOWS = sys.platform == \"win32\"\n")
        .file(
            "web/files.py",
            "def send_file(path):\n    \"\"\"Send the contents of a file to the client.\"\"\"\n    return path\n\n\n\
             def save_screenshot(path):\n    \"\"\"Write a picture.\"\"\"\n    return path\n\n\n\
             def take_screenshot(path):\n    return path\n\n\ndef name_screenshot(path):\n    return path\n",
        )
        .file("docs/quick.md", "# Using It\n\n## File Uploads\n\nYou can handle uploads. Send a form to try it.\n")
        .file(
            "docs/blueprints.md",
            "# Blueprints\n\nParts of an application.\n\n## Registering Blueprints\n\nSo how do you register one?\n",
        )
        .file("docs/cli.md", "# The CLI\n\nA script.\n\n## Custom Commands\n\nAdd your own command like this.\n")
        .file("docs/console.md", "# Console\n\nIt prints.\n\n## Logging\n\nThe console has a log.\n")
        .file("docs/logging.md", "# Logging Handler\n\nThe library has a handler of the standard module.\n")
        .file(
            "docs/testing.md",
            "# Testing\n\nTry your application.\n\n## Running Commands with the CLI Runner\n\nThe runner runs one.\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("how do I register a blueprint?", "`Registering Blueprints` (docs/blueprints.md:5): So how do you"),
            ("how do I send a file?", "`send_file` (web/files.py:1): Send the contents of a file to the client"),
            ("how do I add a custom CLI command?", "`Custom Commands` (docs/cli.md:5)"),
            ("how do I use it with logging?", "`Logging Handler` (docs/logging.md:1)"),
            ("what is WINDOWS in web.system?", "web.system.WINDOWS"),
        ],
    );
    let first = |question: &str| repo.run(["ask", question]).code(0).stdout;
    let other = "this question is not about the repository";
    assert!(!first("how do I take a screenshot?").starts_with(other));
    for question in ["how do I write a resume?", "how do I file my taxes?"] {
        assert!(first(question).starts_with(other), "{question}\n{}", first(question));
    }
}

/// An unknown name is said to be one, and never hidden as a question about something else.
#[test]
fn an_unknown_name_is_always_said() {
    check(
        &kit(),
        &[
            ("explain frobnicate", "nothing here is called `frobnicate`"),
            ("what does frobnicat do", "nothing here is called `frobnicat`"),
            ("is lifetim deprecated", "nothing here is called `lifetim`; a name like it is `kit.core.Base.lifetime`"),
            ("how do I cook pasta", "this question is not about the repository"),
        ],
    );
}

/// Slips and short forms of words are put right, and the answer says so. Words of the code are left as they are.
#[test]
fn misspelled_words_are_read_as_the_words_that_are_meant() {
    let repo = kit();
    check(
        &repo,
        &[
            ("wich functions call load", "`kit.core.load` is called at 4 places"),
            ("what breks if I chnage load", "changing `load` affects"),
            ("list clases in core.py", "5 classes in src/kit/core.py"),
            ("gimme the calers of load", "`kit.core.load` is called at 4 places"),
            ("were is load defined", "`kit.core.load` is the function at src/kit/core.py:28-30"),
        ],
    );
    let text = repo.run(["ask", "who calsl load"]).code(0).stdout;
    assert!(text.contains("note: `calsl` is read as `calls`"), "{text}");
    // A name that is nearly another one is told as a name.
    let text = repo.run(["ask", "who calls lod"]).stdout;
    assert!(!text.contains("`lod` is read"), "{text}");
}

/// A module that is called like a thing of every program is not meant by a question about that thing.
#[test]
fn things_of_programs_are_not_taken_for_modules_of_their_name() {
    let repo = TestRepo::new()
        .file("pyproject.toml", "[project]\nname = \"kit\"\n\n[project.scripts]\nkit = \"kit.cli:main\"\n")
        .file("src/kit/__init__.py", "")
        .file("src/kit/cli.py", "from kit.entrypoints import load\n\n\ndef main():\n    load()\n")
        .file(
            "src/kit/entrypoints.py",
            "import kit.cli\n\n\nclass EntryPoint:\n    name = \"\"\n\n\ndef load():\n    pass\n",
        )
        .file("tools/import.py", "import os\n")
        .commit("first");
    check(
        &repo,
        &[
            ("what are the entry points", "`kit` on the command line runs `kit.cli:main`"),
            ("what are the entrypoints?", "`kit` on the command line runs `kit.cli:main`"),
            ("what does the module entrypoints contain", "`kit.entrypoints`"),
            ("are there import cycles?", "yes: 1 import cycle; `kit.cli` and `kit.entrypoints` import each other"),
            ("are there import cycles in tools/import.py", "no: no import cycle was found through `tools.import`"),
        ],
    );
}
