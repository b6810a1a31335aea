//! Questions whose conditions are denied, misspelt or counted, and the answers that must not say the contrary.

use crate::harness::TestRepo;

/// Classes, functions and methods of every kind that the questions below tell apart.
fn kinds() -> TestRepo {
    TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file("shop/__init__.py", "")
        .file(
            "shop/clients.py",
            "from abc import ABC\n\n\nclass Transport(ABC):\n    def send(self, text: str) -> int:\n        return 1\n\n    async def wait(self) -> None:\n        pass\n\n    def _close(self):\n        pass\n\n\nclass Slow(Transport):\n    def send(self, text: str, timeout: int = 1) -> int:\n        return 2\n\n\nclass Other:\n    def idle(self) -> None:\n        pass\n\n\ndef build(timeout: int) -> Transport:\n    return Slow()\n\n\ndef plain() -> None:\n    pass\n",
        )
        .file("tests/test_clients.py", "from shop.clients import build\n\n\ndef test_build():\n    assert build(1)\n")
        .commit("first")
}

/// Each question has this text in its answer.
fn check(repo: &TestRepo, questions: &[(&str, &str)]) {
    for (question, wanted) in questions {
        let text = repo.run(["ask", question]).code(0).stdout;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(wanted), "{question}\n  wanted {wanted}\n  found  {text}");
    }
}

/// A class of settings runs with the class around it, and a library runs the methods that its decorators register.
#[test]
fn untested_classes_are_those_that_no_test_reaches() {
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file(
            "shop/models.py",
            "from pydantic import BaseModel, root_validator\n\n\nclass Model(BaseModel):\n    class Config:\n        extra = 1\n\n    \
             @root_validator()\n    def check(cls, values):\n        return values\n\n    def run(self):\n        return 1\n\n\n\
             class Never(BaseModel):\n    class Config:\n        extra = 1\n\n    def go(self):\n        return 2\n\n\n\
             def made():\n    return Model()\n",
        )
        .file(
            "tests/test_models.py",
            "from shop.models import made\n\n\ndef test_made():\n    assert made().run() == 1\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            (
                "which classes of shop have no tests?",
                "2 of 4 classes are not reached by any test; 2 reached = repoidx ask --as coverage shop/models.py not reached by any \
                 test (2) shop.models.Never shop/models.py:16-21 shop.models.Never.Config shop/models.py:17-18",
            ),
            ("classes without tests in shop", "2 of 4 classes are not reached by any test"),
            ("which public classes are untested?", "2 of 4 classes are not reached by any test"),
            (
                "which methods in shop have no tests?",
                "1 of 3 methods is not reached by any test; 1 reached, 1 only unseen code could run",
            ),
            ("which functions in shop have no tests?", "1 of 4 functions is not reached by any test"),
            ("what in shop is not covered by tests?", "3 of 8 definitions are not reached by any test"),
        ],
    );
}

/// A `not` turns a condition round; where it cannot, the answer says that it leaves the word out.
#[test]
fn a_denied_condition_is_not_stated_as_fulfilled() {
    check(
        &kinds(),
        &[
            ("which methods of Transport are not async?", "2 methods of `shop.clients.Transport` (not async)"),
            ("which methods of Transport are neither async nor private?", "1 method of `shop.clients.Transport`"),
            ("which functions do not return None in shop/clients.py?", "(does not return `None`)"),
            ("which functions do not return None in shop/clients.py?", "1 function without the annotation may fit too"),
            (
                "which classes in clients.py do not inherit from Transport?",
                "2 of 3 classes in shop/clients.py do not derive from `shop.clients.Transport`",
            ),
            ("which functions in clients.py don't have a timeout parameter?", "(without parameter `timeout`)"),
            ("which functions do not call build?", "do not call `shop.clients.build`"),
            ("which modules do not import abc?", "1 of 2 modules outside of tests does not import `abc`"),
            (
                "which classes do not override Transport.send?",
                "none: 0 of 1 class that derives from `shop.clients.Transport` do not define `send`",
            ),
        ],
    );
}

/// A base that no file names is a slip, or is said to be nothing.
#[test]
fn a_misspelt_base_is_put_right() {
    check(
        &kinds(),
        &[
            ("which classes inherit from Transprot?", "1 class is derived from `shop.clients.Transport` directly"),
            ("which classes inherit from Transprot?", "nothing is called `Transprot`: taken for `Transport`"),
            ("which classes inherit from Zorglub?", "nothing here is called `Zorglub`"),
            ("which classes derive from ABC?", "2 classes outside of tests (derived from `ABC`)"),
        ],
    );
}

/// The first line says that a misspelt name is taken for another one, before it says yes, no or how many.
#[test]
fn a_misspelt_name_is_said_to_be_a_guess() {
    check(
        &kinds(),
        &[
            (
                "where is Transprot defined?",
                "taking `Transprot` for `Transport`: `shop.clients.Transport` is the class",
            ),
            ("does anything inherit from Transprot?", "taking `Transprot` for `Transport`: 1 class is derived"),
            ("who inherits from transprot?", "taking `transprot` for `Transport`: 1 class is derived"),
            (
                "show Transprot.send",
                "taking `Transprot.send` for `Transport.send`: `shop.clients.Transport.send` is the method",
            ),
            ("does Transprot have a wait method?", "taking `Transprot` for `Transport`: yes"),
            ("which functions return a Transprot?", "taking `Transprot` for `Transport`: 1 function"),
        ],
    );
}

/// Who wants to go somewhere changes nothing there.
#[test]
fn going_to_a_definition_asks_for_its_place() {
    check(
        &kinds(),
        &[
            ("go to Transport", "`shop.clients.Transport` is the class at shop/clients.py"),
            ("could you take me to Transport.send", "`shop.clients.Transport.send` is the method at shop/clients.py"),
            ("jump to the definition of build", "`shop.clients.build` is the function at shop/clients.py"),
        ],
    );
}

/// A concept is asked of the world, and of the repository only where something is called so.
#[test]
fn concepts_are_of_the_world_unless_something_is_called_so() {
    check(
        &kinds(),
        &[
            ("what is a reverse proxy?", "this question is not about the repository"),
            ("why are unit tests important?", "this question is not about the repository"),
            ("what is the difference between a mock and a stub?", "this question is not about the repository"),
            ("what is a transport?", "`shop.clients.Transport`"),
        ],
    );
}

/// `does C override m` asks for the method above, not for those below.
#[test]
fn what_a_method_overrides_is_told() {
    check(
        &kinds(),
        &[
            ("does Slow override send", "yes: `Slow.send` overrides `Transport.send`"),
            ("does Transport override send", "no: `Transport.send` overrides nothing of the repository"),
            ("does Other override send", "no: `Other` does not define `send` itself"),
            ("is Transport.send overridden by Slow", "yes: `Slow.send` overrides `Transport.send`"),
            ("what overrides Transport.send", "`shop.clients.Transport.send` is overridden 1 time"),
        ],
    );
}

/// Kinds that a question tells apart are counted apart, and files are all files.
#[test]
fn kinds_are_counted_apart() {
    check(
        &kinds(),
        &[
            ("how many classes, functions and methods are there?", "3 classes, 2 functions and 5 methods outside of"),
            ("how many methods does this project have?", "5 methods outside of tests"),
            ("how many tests does tests/test_clients.py have?", "1 test in tests/test_clients.py"),
            ("how many files are there?", "3 Python files in the repository, 2 of them outside of tests"),
            ("methods longer than 1 line in shop/clients.py", "5 methods in shop/clients.py (at least 2 lines)"),
        ],
    );
}

#[test]
fn a_review_of_a_definition_has_a_prompt_of_its_own() {
    let repo = kinds();
    let plan = repo.run(["ask", "--plan", "review Transport.send"]).code(0).stdout;
    assert!(plan.contains("task review"), "{plan}");
    let prompt = repo.run(["ask", "-q", "--format", "prompt", "code review of Transport.send"]).code(0).stdout;
    assert!(prompt.contains("Review the code") && prompt.contains("def send(self, text: str)"), "{prompt}");
    let plan = repo.run(["ask", "--plan", "how can I improve Transport.send?"]).code(0).stdout;
    assert!(plan.contains("task smell"), "{plan}");
}

#[test]
fn a_prompt_about_a_change_names_tests_to_run_in_every_budget() {
    let mut chain = "def rate():\n    return 1\n".to_owned();
    for number in 0..60 {
        let called = if number == 0 { "rate".to_owned() } else { format!("step{}", number / 4) };
        chain.push_str(&format!("\n\ndef step{number}_{number}():\n    return {called}()\n"));
        chain.push_str(&format!("\n\ndef step{number}():\n    return step{number}_{number}() + rate()\n"));
    }
    let tests: String = (0..60).map(|at| format!("def test_{at}():\n    assert chain.step{at}()\n\n\n")).collect();
    let tests = format!("import chain\n\n\n{tests}");
    let repo = TestRepo::new().file("chain.py", &chain).file("tests/test_chain.py", &tests).commit("first");
    for tokens in ["1500", "2000", "4000", "8000", "16000"] {
        let prompt = ["ask", "what breaks if I change rate?", "--format", "prompt", "--tokens", tokens];
        let text = repo.run(prompt).code(0).stdout;
        assert!(text.contains("## tests to run"), "{tokens}: {text}");
    }
}
