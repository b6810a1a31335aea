//! Questions about relationships: places that could be more, sets under several conditions, and follow-ups.

use crate::harness::TestRepo;

/// The first line of the answer to each question begins so.
fn check(repo: &TestRepo, cases: &[(&str, &str)]) {
    for (question, wanted) in cases {
        let text = repo.run(["ask", question]).code(0).stdout;
        let found = text.lines().next().unwrap_or_default();
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
            "def make_response(text):\n    return text\n\n\ndef serve():\n    return make_response(1)\n\n\ndef get_url():\n    return 1\n\n\ndef _get_url():\n    return 2\n",
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
            ("classes that inherit from both KitError and OSError", "1 class in the repository derives from"),
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
                "3 of 3 functions in kit/shell.py do not call `register`, as far as references are resolved: \
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
