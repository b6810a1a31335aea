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
