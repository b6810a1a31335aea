//! Questions about relationships: places that could be more, sets under several conditions, and follow-ups.

use crate::harness::TestRepo;

/// The first line of the answer to each question begins so.
fn check(repo: &TestRepo, cases: &[(&str, &str)]) {
    for (question, wanted) in cases {
        let text = repo.run(["ask", question]).code(0).stdout;
        // A long line is broken.
        let found = text.split("\n= ").next().unwrap_or_default().replace('\n', " ");
        assert!(found.starts_with(wanted), "{question}\n  wanted {wanted}\n  found  {found}\n{text}");
    }
}

/// The whole answer to a question.
fn whole(repo: &TestRepo, question: &str) -> String {
    repo.run(["ask", "--all", question]).code(0).stdout
}

/// A class whose method has overloads, and a call on a receiver that nothing is known of.
fn context() -> TestRepo {
    TestRepo::new()
        .file("app/__init__.py", "")
        .file(
            "app/core.py",
            "import typing as t\n\n\nclass Context:\n    def __init__(self):\n        self.limit = 3\n\n    @t.overload\n    def invoke_it(self, other: int) -> int: ...\n\n    @t.overload\n    def invoke_it(self, other: str) -> str: ...\n\n    def invoke_it(self, other):\n        return other\n\n    def never_invoked(self):\n        return 1\n\n    def forward(self):\n        return self.invoke_it(1)\n",
        )
        .file(
            "app/use.py",
            "def open_use(ctx):\n    ctx.never_invoked()\n    print(ctx.limit)\n    return ctx.invoke_it(2)\n",
        )
        .commit("first")
}

/// An unresolved occurrence that could be a use is in the first line, and is listed once however many overloads fit it.
#[test]
fn places_that_could_be_more_are_said_in_the_first_line() {
    let repo = context();
    check(
        &repo,
        &[
            (
                "who calls Context.invoke_it?",
                "`app.core.Context.invoke_it` is called in at least 1 place, and 1 unresolved occurrence could be more",
            ),
            (
                "is Context.never_invoked used?",
                "perhaps: no place was found where `app.core.Context.never_invoked` is used, but 1 unresolved occurrence could be one",
            ),
            (
                "who reads Context.limit?",
                "no place was found where `app.core.Context.limit` is read, but 1 unresolved occurrence could be one",
            ),
        ],
    );
    let text = whole(&repo, "who calls Context.invoke_it?");
    assert_eq!(text.matches("app/use.py:4").count(), 1, "{text}");
    let text = repo.run(["refs", "--possible", "Context.invoke_it"]).code(0).stdout;
    assert_eq!(text.matches("app/use.py:4").count(), 1, "{text}");
}

/// A name without its underscores is read as the only one that it can be, and the answer says so.
#[test]
fn a_name_without_its_underscores_is_understood_with_a_note() {
    let repo = TestRepo::new()
        .file("app/__init__.py", "")
        .file(
            "app/core.py",
            "def make_response(text):\n    return text\n\n\ndef serve():\n    return make_response(1)\n\n\ndef get_url():\n    return 1\n\n\ndef ge_turl():\n    return 2\n",
        )
        .commit("first");
    for question in
        ["who calls makeresponse?", "is makeResponse used?", "is makeresponse used?", "who calls `makeresponse`"]
    {
        let text = whole(&repo, question);
        assert!(text.lines().next().unwrap_or_default().contains("at 1 place"), "{question}\n{text}");
        assert!(text.contains("is read as `make_response`"), "{question}\n{text}");
    }
    for command in ["impact", "refs", "show", "tree"] {
        let run = repo.run([command, "MakeResponse"]).code(0);
        assert!(run.stderr.contains("`MakeResponse` is read as `make_response`"), "{command}\n{}", run.stderr);
        assert!(run.stdout.contains("make_response"), "{command}\n{}", run.stdout);
    }
    // Two names have these letters: neither is surely meant.
    assert!(repo.run(["refs", "geturl"]).code(2).stderr.contains("app.core.get_url"));
}

/// Exceptions, plugins and modules for questions about sets.
fn plugins() -> TestRepo {
    TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file("kit/__init__.py", "")
        .file(
            "kit/errors.py",
            "class KitError(Exception):\n    pass\n\n\nclass UseError(KitError):\n    pass\n\n\nclass ArgError(UseError):\n    pass\n\n\nclass FileError(KitError, OSError):\n    pass\n",
        )
        .file("kit/text.py", "import json\n\n\ndef paint(text):\n    return json.dumps(text)\n\n\ndef say(text):\n    return text\n")
        .file(
            "kit/shell.py",
            "from kit.text import paint, say\nfrom kit.errors import UseError\n\n\ndef only_say():\n    return say(1)\n\n\ndef say_and_paint():\n    def inner():\n        return paint(2)\n\n    return say(inner())\n\n\ndef neither(plugin):\n    plugin.register()\n    raise UseError\n",
        )
        .file(
            "kit/plugin.py",
            "class Plugin:\n    def register(self):\n        return 1\n\n\nclass Loud(Plugin):\n    def register(self):\n        return 2\n\n\nclass Quiet(Plugin):\n    def start(self):\n        return 3\n",
        )
        .file("tests/test_plugin.py", "from kit.plugin import Loud\n\n\ndef test_loud():\n    assert Loud().register()\n\n\ndef test_nothing():\n    assert True\n")
        .commit("first")
}

/// A set under several conditions is computed, and a relationship that must not hold is taken at its word.
#[test]
fn sets_under_several_conditions_are_computed() {
    check(
        &plugins(),
        &[
            (
                "exceptions that derive from KitError but not from UseError",
                "2 of 3 exception classes that derive from `kit.errors.KitError` do not derive from `kit.errors.UseError`",
            ),
            (
                "subclasses of KitError but not of UseError",
                "2 of 3 classes that derive from `kit.errors.KitError` do not",
            ),
            ("classes that inherit from both KitError and OSError", "at least 1 class in the repository derives from"),
            (
                "which functions call say and paint",
                "1 function in the repository calls `kit.text.say` and `kit.text.paint`",
            ),
            (
                "which functions call say but not paint",
                "1 function in the repository calls `kit.text.say` and does not",
            ),
            ("which modules do not import kit.text?", "4 of 5 modules outside of tests do not import `kit.text`"),
            ("which modules dont import json", "4 of 5 modules outside of tests do not import `json`"),
            (
                "functions in kit/shell.py that do not call paint",
                "2 of 3 functions in kit/shell.py do not call `kit.text.paint`",
            ),
            (
                "functions in kit/shell.py that do not call register",
                "3 of 3 functions in kit/shell.py do not call `kit.plugin.Plugin.register`, as far as references are resolved: \
                 unresolved occurrences could change it for 1 function",
            ),
            ("which tests do not test Loud", "1 of 2 tests in the repository does not test `kit.plugin.Loud`"),
            (
                "classes in kit/plugin.py that do not define register",
                "1 of 3 classes in kit/plugin.py does not define `register`",
            ),
        ],
    );
}

/// A question for the reads of a setting has them first, and tells them from the places that set it.
#[test]
fn reads_of_a_setting_are_told_from_the_places_that_set_it() {
    let repo = TestRepo::new()
        .file("web/__init__.py", "")
        .file(
            "web/app.py",
            "class Option:\n    def __init__(self, name):\n        self.name = name\n\n\nclass App:\n    defaults = {\n        \"COOKIE_NAME\": \"x\",\n    }\n    cookie = Option(\"COOKIE_NAME\")\n\n    def read(self, config):\n        return config[\"COOKIE_NAME\"]\n",
        )
        .file(
            "web/env.py",
            "import os\n\nHOME_KEY = \"WEB_HOME\"\n\n\ndef editor():\n    \"\"\"Reads `os.environ[\"DOCUMENTED\"]`.\"\"\"\n    for key in \"VISUAL\", \"EDITOR\":\n        found = os.environ.get(key)\n        if found:\n            return found\n    return os.environ[HOME_KEY]\n\n\ndef other(name):\n    \"\"\"\n    Not os.environ[\"SHOWN_ONLY\"].\n    \"\"\"\n    return os.environ.get(\n        name\n    )\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            (
                "where is COOKIE_NAME read?",
                "`COOKIE_NAME` is read at 2 places, first in `web.app.App.cookie` (web/app.py:10), and set at 1 place",
            ),
            (
                "where is COOKIE_NAME set?",
                "`COOKIE_NAME` is set at 1 place, first in `web.app.App.defaults` (web/app.py:8)",
            ),
            (
                "which environment variables does it read?",
                "the program reads 3 environment variables: EDITOR, VISUAL, WEB_HOME; 1 place reads one whose name is only known",
            ),
        ],
    );
    let text = whole(&repo, "where is COOKIE_NAME read?");
    let at = |line: &str| text.find(line).unwrap_or_else(|| panic!("{line}\n{text}"));
    assert!(at("web/app.py:13  reads") < at("web/app.py:8  sets"), "{text}");
}

/// Of several definitions of a name the answer says which class overrides whose.
#[test]
fn overriders_are_named_for_each_definition_of_a_name() {
    let repo = TestRepo::new()
        .file("web/__init__.py", "")
        .file(
            "web/views.py",
            "class View:\n    def answer_it(self):\n        return 1\n\n\nclass Page(View):\n    def answer_it(self):\n        return 2\n\n\nclass App:\n    def answer_it(self):\n        return 3\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            (
                "who overrides answer_it?",
                "`web.views.View.answer_it` is overridden 1 time: by `Page`; nothing overrides `web.views.App.answer_it`",
            ),
            ("who overrides View.answer_it?", "`web.views.View.answer_it` is overridden 1 time: by `Page`"),
        ],
    );
    let text = whole(&repo, "who overrides answer_it?");
    assert_eq!(text.matches("web.views.Page.answer_it").count(), 1, "nothing is listed twice\n{text}");
}

/// Functions inside other ones are left out of a count, and the answer says so.
#[test]
fn nested_functions_are_told_apart_where_functions_are_counted() {
    let repo = TestRepo::new()
        .file("kit.py", "def outer(a):\n    def inner(b):\n        return 1\n\n    return inner\n\n\ndef told():\n    \"\"\"Says it.\"\"\"\n")
        .commit("first");
    check(
        &repo,
        &[
            (
                "which functions in kit.py have no docstring?",
                "1 function in kit.py (without docstring); 1 nested function is not counted",
            ),
            // Other conditions hold for nested functions too.
            (
                "which functions in kit.py have more than 0 parameters?",
                "2 functions in kit.py (at least 1 parameter), 1 of which is a nested function",
            ),
            ("how many functions are in kit.py?", "2 functions in kit.py; 1 nested function is not counted"),
        ],
    );
}

/// Every format says of which commit and of which edited files the answer speaks.
#[test]
fn the_standing_is_in_every_format() {
    let repo = context();
    repo.write("app/use.py", "def open_use(ctx):\n    return ctx.invoke_it(3)\n");
    for arguments in [
        vec!["ask", "who calls invoke_it?"],
        vec!["ask", "--format", "markdown", "who calls invoke_it?"],
        vec!["ask", "--format", "prompt", "who calls invoke_it?"],
        vec!["context", "--at", "app/use.py:2"],
        vec!["context", "--at", "app/use.py:2", "--style", "markdown"],
    ] {
        let text = repo.run(&arguments).code(0).stdout;
        assert!(text.contains(" with 1 edited file: app/use.py"), "{arguments:?}\n{text}");
    }
    let text = repo.run(["context", "--at", "app/use.py:2", "--format", "json"]).code(0).stdout;
    assert!(text.contains("\"edited\""), "{text}");
}

/// A name under a library is no definition here, whatever is called like its last part.
#[test]
fn a_name_of_a_library_is_not_taken_for_a_definition_of_the_same_name() {
    let repo = TestRepo::new()
        .file("app.py", "import click\n\n\nclass Group:\n    def command(self):\n        return click.command()\n")
        .file("use.py", "from app import Group\n\n\ndef use():\n    return Group().command()\n")
        .commit("first");
    let text = whole(&repo, "who calls click.command?");
    assert!(text.starts_with("1 definition calls `click.command`, at 1 place"), "{text}");
    assert!(text.contains("`click` is a library here") && !text.contains("use.py"), "{text}");
}

/// Functions that changed since a commit or date are compared definition by definition.
#[test]
fn functions_that_changed_since_a_commit_are_compared() {
    let repo = TestRepo::new()
        .file("kit.py", "def same():\n    return 1\n\n\ndef other():\n    return 2\n\n\nclass Kept:\n    pass\n")
        .commit("first");
    repo.git(["tag", "v1.0"]);
    repo.write("kit.py", "def same():\n    # A comment changes nothing.\n    return 1\n\n\ndef other():\n    return 3\n\n\nclass Kept:\n    pass\n\n\ndef fresh():\n    return 4\n");
    repo.save("second");
    check(
        &repo,
        &[
            ("which functions changed since v1.0?", "2 functions differ from v1.0: 1 changed, 1 added, 0 removed"),
            ("which functions changed in the last commit", "2 functions differ from HEAD~1: 1 changed, 1 added"),
            ("which functions were added since v1.0", "1 function differs from v1.0: added"),
            ("which classes changed since v1.0", "none: no class differs between v1.0 and the files as they are now"),
        ],
    );
}

/// A question that goes on with `of them` is about what the answer before it lists.
#[test]
fn a_follow_up_adds_a_condition_to_the_answer_before_it() {
    let repo = plugins();
    let ask = |question: &str| {
        let text = repo.run(["ask", "--session", "s", question]).code(0).stdout;
        text.lines().next().unwrap_or_default().to_owned()
    };
    ask("subclasses of Plugin");
    assert_eq!(ask("which of them define register?"), "1 of these 2 classes defines `register`");
    ask("subclasses of Plugin");
    assert_eq!(ask("which of those are not tested?"), "1 of these 2 classes is not reached by tests");
    ask("who calls say?");
    assert_eq!(ask("which of them also call paint?"), "1 of these 2 functions calls `kit.text.paint`");
    ask("subclasses of KitError");
    assert_eq!(ask("and in kit/plugin.py?"), "none: 0 of these 3 classes in kit/plugin.py");
}

/// Each definition counts, also one of a name that the file has twice; a hit that is called like the query stays.
#[test]
fn definitions_of_one_name_are_counted_and_hits_by_name_stay() {
    let repo = TestRepo::new()
        .file(
            "test_a.py",
            "def test_it():\n    class View:\n        pass\n\n    class View:\n        pass\n\n\nclass Price:\n    @property\n    def total(self):\n        return 1\n\n    @total.setter\n    def total(self, value):\n        pass\n",
        )
        .commit("first");
    let count = |kind: &str| repo.run(["search", "--count", "--kind", kind]).code(0).stdout.trim().to_owned();
    assert_eq!([count("class"), count("property")], ["3", "1"]);
    let text = repo.run(["search", "Price", "--min-score", "1"]).code(0).stdout;
    assert!(text.contains("test_a.Price "), "{text}");
}

/// A question for yes or no is answered with one, and a question for the methods of a class that call something lists
/// these.
#[test]
fn yes_or_no_comes_first_and_members_are_chosen_by_their_calls() {
    check(
        &plugins(),
        &[
            (
                "does ArgError inherit from KitError?",
                "yes: `kit.errors.ArgError` derives from `kit.errors.KitError` over `UseError`",
            ),
            (
                "is ArgError a subclass of UseError?",
                "yes: `kit.errors.ArgError` derives from `kit.errors.UseError` directly",
            ),
            (
                "does KitError derive from UseError",
                "no: `kit.errors.KitError` does not derive from `kit.errors.UseError`",
            ),
            ("does only_say call say?", "yes: `kit.text.say` is called at 1 place in `kit.shell.only_say`"),
            ("does paint call say?", "no: `kit.text.say` is called nowhere in `kit.text.paint`"),
            ("which functions of kit.shell call say?", "2 functions of `kit.shell` call `kit.text.say`"),
            ("functions in kit/shell.py that do not raise UseError", "2 of 3 functions in kit/shell.py do not raise"),
            (
                "which functions call say but not paint",
                "1 function in the repository calls `kit.text.say` and does not call",
            ),
        ],
    );
}

/// A question that consists of another name is the question before it, about that name.
#[test]
fn a_follow_up_with_another_name_asks_the_same_of_it() {
    let repo = plugins();
    let ask = |question: &str| {
        let text = repo.run(["ask", "--session", "n", question]).code(0).stdout;
        text.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(ask("who calls say?"), "`kit.text.say` is called at 2 places");
    assert_eq!(ask("what about `paint`?"), "`kit.text.paint` is called at 1 place");
    assert_eq!(
        ask("and Loud.register?"),
        "`kit.plugin.Loud.register` is called in at least 1 place, and 1 unresolved occurrence could be more"
    );
    ask("subclasses of UseError");
    assert!(ask("how about KitError").starts_with("2 classes are derived from `kit.errors.KitError` directly"));
    let text = repo.run(["ask", "what about paint?"]).code(0).stdout;
    assert!(!text.contains("read as"), "without a question before it: {text}");
}

/// An exception is raised where one that derives from it is.
#[test]
fn an_exception_stands_for_those_that_derive_from_it() {
    let repo = TestRepo::new()
        .file("kit/__init__.py", "")
        .file("kit/errors.py", "class KitError(Exception):\n    pass\n\n\nclass UseError(KitError):\n    pass\n")
        .file(
            "kit/shell.py",
            "from kit.errors import UseError\n\n\ndef use_kit(kit):\n    raise UseError\n\n\ndef find_kit(kit):\n    if kit:\n        raise KeyError(kit)\n    raise ValueError\n\n\ndef run_kit(kit):\n    use_kit(kit)\n    raise ValueError\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("can use_kit raise KitError?", "`use_kit` raises `UseError` (derived from `KitError`)"),
            ("can use_kit raise UseError?", "`use_kit` raises `UseError`"),
            ("can find_kit raise LookupError?", "`find_kit` raises `KeyError` (derived from `LookupError`)"),
            (
                "can run_kit raise KitError?",
                "`run_kit` raises none of that itself; from what it calls may come `UseError` (derived from `KitError`)",
            ),
            ("can use_kit raise ValueError?", "no `raise` of `ValueError` was found in `use_kit` or in what it calls"),
        ],
    );
}

/// The things that a question names say where it looks, and none of them is passed over.
#[test]
fn what_is_counted_or_listed_is_where_the_question_says() {
    let repo = TestRepo::new()
        .file("web/__init__.py", "")
        .file(
            "web/filters.py",
            "async def late(rows):\n    return rows\n\n\ndef soon_after(rows):\n    def inner():\n        return rows\n\n    return inner\n",
        )
        .file("web/app.py", "from web.filters import late, soon_after\n\n\nasync def serve():\n    return await late(soon_after([]))\n")
        .file("tests/test_app.py", "from web.app import serve\n\n\ndef test_a():\n    serve()\n\n\ndef test_b():\n    serve()\n")
        .file("tests/test_more.py", "from tests.test_app import test_a\n\n\ndef test_c():\n    test_a()\n")
        .commit("first");
    check(
        &repo,
        &[
            ("how many tests are in test_app", "2 tests in tests/test_app.py"),
            ("how many tests are in the module tests.test_app?", "2 tests in tests/test_app.py"),
            ("filters that are async", "1 definition in web/filters.py (async)"),
            ("list the filters that are not async", "2 definitions in web/filters.py (not async)"),
            ("list the methods of late", "none: `web.filters.late` is a function, with nothing defined inside it"),
            (
                "list the functions in soon_after",
                "1 function is defined inside `web.filters.soon_after` (web/filters.py:5): `inner`",
            ),
        ],
    );
    let text = whole(&repo, "which gadgets are async?");
    assert!(text.contains("`gadgets` is no kind of definition, and was not applied"), "{text}");
}

/// Calls are told apart by what they pass, and those of which the source does not tell are counted.
#[test]
fn calls_are_chosen_by_their_arguments() {
    let repo = TestRepo::new()
        .file("kit/__init__.py", "")
        .file(
            "kit/text.py",
            "def say_it(text, err=False, limit=None):\n    return text\n\n\nclass Voice:\n    def __init__(self, pitch=1):\n        self.pitch = pitch\n",
        )
        .file(
            "kit/shell.py",
            "from kit.text import Voice, say_it\n\n\ndef plain():\n    say_it(1)\n    Voice(pitch=3)\n\n\ndef loud():\n    say_it(2, err=True)\n    say_it(3, True)\n    Voice()\n\n\ndef quiet():\n    say_it(4, err=False, limit=2)\n\n\ndef either(err, **more):\n    say_it(5, err=err)\n    say_it(6, **more)\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            (
                "who calls say_it with err=True?",
                "2 of 6 calls of `kit.text.say_it` pass `err=True`; 2 do not (the default is `False`), and of 2 it cannot",
            ),
            (
                "which calls of say_it pass limit?",
                "1 of 6 calls of `kit.text.say_it` passes `limit`; 4 do not, and of 1 it cannot be told",
            ),
            (
                "which calls of say_it do not pass a limit",
                "4 of 6 calls of `kit.text.say_it` do not pass `limit`; 1 do",
            ),
            ("calls of say_it without err", "1 of 6 calls of `kit.text.say_it` does not pass `err`; 4 do"),
            ("who creates a Voice with pitch=3", "1 of 2 calls of `kit.text.Voice` passes `pitch=3`; 1 does not"),
            (
                "who calls say_it in kit/shell.py with err=True",
                "2 of 6 calls of `kit.text.say_it` in kit/shell.py pass",
            ),
        ],
    );
    let text = whole(&repo, "which calls of say_it do not pass a limit");
    assert!(!text.contains("leaves out"), "{text}");
    assert!(whole(&repo, "who calls say_it with limit=2").contains("kit.shell.quiet  kit/shell.py:16  passes 2"));
}

/// A function with a dozen direct callers, each with a test, so that a prompt is full.
fn called_often() -> TestRepo {
    let mut repo = TestRepo::new().file("app/flags.py", "def debug_flag():\n    return True\n");
    for number in 0..12 {
        let code = format!(
            "from app.flags import debug_flag\n\n\ndef start_{number}():\n    return debug_flag()\n\n\ndef outer_{number}():\n    return start_{number}()\n"
        );
        let test = format!(
            "from app.part_{number} import outer_{number}\n\n\ndef test_{number}():\n    assert outer_{number}()\n"
        );
        repo = repo.file(&format!("app/part_{number}.py"), code).file(&format!("tests/test_{number}.py"), test);
    }
    repo.commit("first")
}

#[test]
fn a_prompt_lists_every_call_that_a_change_breaks_before_the_code_behind_it() {
    let question = "what breaks if I change the signature of debug_flag?";
    let prompt = called_often().run(["ask", "--format", "prompt", question]).code(0).stdout;
    let group = |title: &str| {
        let start = prompt.find(title).unwrap_or_else(|| panic!("no {title}: {prompt}"));
        prompt[start..].split("\n## ").next().unwrap_or_default().to_owned()
    };
    for title in ["## calls to change (12)", "## directly affected"] {
        let lines = group(title);
        assert!((0..12).all(|number| lines.contains(&format!("app/part_{number}.py:5"))), "{lines}");
        assert!(!lines.contains("left out"), "{lines}");
    }
}

#[test]
fn a_call_whose_receiver_is_not_known_is_a_place_to_change_perhaps() {
    let text = whole(&context(), "what breaks if I rename Context.invoke_it?");
    assert!(
        text.contains("perhaps too, as their receivers are not known (1)\n  app.use.open_use  app/use.py:4"),
        "{text}"
    );
}

/// The overloads of a name are one name, and an occurrence of it counts once.
#[test]
fn an_impact_counts_an_unresolved_occurrence_once_however_many_overloads_fit() {
    let text = context().run(["impact", "Context.invoke_it"]).code(0).stdout;
    assert!(text.contains("1 unresolved occurrence of `invoke_it` could be it"), "{text}");
}

#[test]
fn a_part_that_an_answer_does_not_have_is_refused() {
    let run = context().run(["ask", "--part", "99", "give me an overview of this repository"]).code(2);
    assert!(run.stderr.contains("there is no part 99: this answer has 1 part"), "{}", run.stderr);
}

#[test]
fn files_that_would_be_read_before_a_test_runs_are_counted_as_files() {
    let repo = called_often();
    let text = repo.run(["impact", "debug_flag", "--change", "remove"]).code(0).stdout;
    assert!(text.lines().next().unwrap_or_default().contains("12 test files to run"), "{text}");
    let text = repo.run(["impact", "debug_flag"]).code(0).stdout;
    assert!(text.lines().next().unwrap_or_default().contains("12 tests to run"), "{text}");
}

#[test]
fn a_method_has_no_subclasses_to_offer() {
    let text = whole(&context(), "Context.forward");
    assert!(text.contains("repoidx") && !text.contains("repoidx tree"), "{text}");
}

#[test]
fn the_source_of_several_names_is_shown_again_for_all_of_them() {
    let text = context().run(["ask", "show Context.forward and open_use"]).code(0).stdout;
    let command = text.lines().find(|line| line.starts_with("= ")).unwrap_or_default();
    assert!(command.contains("app.core.Context.forward") && command.contains("app.use.open_use"), "{text}");
}

#[test]
fn a_prompt_says_how_many_definitions_and_facts_it_leaves_out() {
    let question = "what breaks if I change debug_flag?";
    let run = called_often().run(["ask", "--format", "prompt", "--tokens", "900", question]).code(0);
    let note = run.stderr.lines().find(|line| line.contains("left out")).unwrap_or_default();
    assert!(note.contains("; left out: ") && note.contains(" definitions and ") && note.ends_with(" facts"), "{note}");
}

/// A command that names many files would be longer than anybody reads.
#[test]
fn a_command_that_would_name_many_files_repeats_the_question() {
    let mut repo = TestRepo::new().file("app/core.py", "def start():\n    pass\n");
    for number in 0..9 {
        let code = "from app.core import start\n\n\ndef run():\n    start()\n";
        repo = repo.file(&format!("part_{number}/util.py"), code);
    }
    let text = repo.commit("first").run(["ask", "who calls start in util.py?"]).code(0).stdout;
    let command = text.lines().find(|line| line.starts_with("= ")).unwrap_or_default();
    assert!(text.contains("9 places") && command.starts_with("= repoidx ask --as usage 'who calls start"), "{text}");
}

#[test]
fn a_signature_of_several_lines_is_one_without_their_blanks() {
    let repo = TestRepo::new().file("a.py", "def f(\n    first,\n    *rest,\n) -> dict[\n    str, int\n]:\n    pass\n");
    let json = repo.commit("first").run(["show", "a.f", "--format", "json"]).code(0).stdout;
    assert!(json.contains(r#""signature":"(first, *rest) -> dict["#), "{json}");
}

#[test]
fn a_piece_of_a_prompt_has_its_place_kind_and_name_in_one_line() {
    let code = "class Cart:\n    def total(self):\n        return rate(1)\n\n\ndef rate(x):\n    return x\n";
    let repo = TestRepo::new().file("shop/cart.py", code).commit("first");
    let prompt = repo.run(["-q", "ask", "--format", "prompt", "how does `Cart.total` work"]).code(0).stdout;
    assert!(prompt.contains("\nshop/cart.py:2-3 method Cart.total, asked about\n```python\n"), "{prompt}");
    // A further piece of the file stands in the same block, without the path.
    assert!(prompt.contains("\n# 6-7 function rate, used by it\ndef rate(x):\n    return x\n```\n"), "{prompt}");
}

#[test]
fn headers_take_less_than_a_tenth_of_a_prompt() {
    let caller =
        |number: u32| (format!("part_{number}.py"), format!("import tax\n\n\ndef f{number}():\n    tax.rate(1)\n"));
    let mut repo = TestRepo::new().file("tax.py", "def rate(x):\n    return x\n");
    for (path, code) in (0..60).map(caller) {
        repo = repo.file(&path, code);
    }
    let repo = repo.commit("first");
    for budget in ["1000", "2000", "4000", "8000"] {
        let run = repo.run(["ask", "--format", "prompt", "--stats", "--tokens", budget, "who calls rate?"]).code(0);
        let stats = run.stderr.lines().last().unwrap_or_default();
        let (start, share) = stats.split_once(" tokens, ").unwrap_or_default();
        let share: f64 = share.trim_end_matches("% of them headers").parse().expect(stats);
        assert!(share < 10.0 && start.contains(" pieces; ") && start.ends_with(&format!(" of {budget}")), "{stats}");
        assert!(run.stdout.contains("\ntax.py:1-2 function rate, asked about\n"), "{}", run.stdout);
    }
}
