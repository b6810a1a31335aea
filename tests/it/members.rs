//! Questions for the member of a class: the answer is that for its dotted name, however the question says it.

use crate::harness::TestRepo;

fn first(repo: &TestRepo, question: &str) -> String {
    let text = repo.run(["ask", question]).code(0).stdout;
    // A long first line goes on in the next ones.
    text.split("\n=").next().unwrap_or_default().split("\n\n").next().unwrap_or_default().replace('\n', " ")
}

/// The beginning of the first line of each answer, as the question deserves it.
fn check(repo: &TestRepo, cases: &[(&str, &str)]) {
    let found = cases.iter().map(|(question, wanted)| (question, wanted, first(repo, question)));
    let wrong: Vec<String> = found
        .filter(|(_, wanted, first)| !first.starts_with(**wanted))
        .map(|(question, wanted, first)| format!("{question}\n  wanted {wanted}\n  found  {first}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A client with everyday words for methods, and a function that has the name of a class in lower case.
fn net() -> TestRepo {
    TestRepo::new()
        .file("net/__init__.py", "")
        .file(
            "net/client.py",
            "class Client:\n    \"\"\"Asks.\"\"\"\n\n    def read(self, timeout=None):\n        \"\"\"Read an answer.\n\n        :param timeout: seconds to wait.\n        \"\"\"\n        return self.send_all(timeout)\n\n    def send_all(self, text):\n        return text\n\n    def update(self):\n        return self.read()\n\n\n\
             class Group(Client):\n    def invoke(self):\n        return self.update()\n\n\n\
             def group(name):\n    def invoke():\n        return name\n\n    return invoke\n\n\n\
             class FormDataParser:\n    def parse(self):\n        raise UsageError(\"no\")\n\n\n\
             class UsageError(Exception):\n    pass\n",
        )
        .file(
            "net/use.py",
            "from net.client import Client, Group\n\n\ndef run(client: Client):\n    client.read()\n    client.send_all(1)\n    return client.update()\n\n\ndef start(group: Group):\n    return group.invoke()\n",
        )
        .commit("first")
}

/// The word for the kind, the name and the class in any order are one member, whatever is asked about it.
#[test]
fn a_member_is_named_with_its_class_in_any_order() {
    let repo = net();
    for (dotted, questions) in [
        (
            "who calls Client.read?",
            &[
                "who calls the read method of Client?",
                "who calls the read method of the Client class?",
                "who calls the method read of Client?",
                "who calls method read in class Client?",
                "who calls the method called read of the class Client?",
                "who calls Client's read method?",
                "who calls Client's read?",
                "who calls the read method in the client class?",
                "in the Client class, who calls the read method?",
            ][..],
        ),
        (
            "show Client.read",
            &[
                "show the method read of the Client class",
                "show the Client class's read method",
                "show the read method in the Client class",
                "show read in Client",
            ],
        ),
        ("how does Client.read work?", &["how does the method read of Client work?"]),
        ("what does Client.read return?", &["what does the method read of the class Client return?"]),
        ("what does Client.read do?", &["what does the read method do in the Client class?"]),
        ("what does Client.update call?", &["what does the update method of Client call?"]),
        ("what is the docstring of Client.read?", &["what is the docstring of the read method of Client?"]),
        ("where is Group.invoke?", &["where is the invoke method in the group class?"]),
        ("who calls Client.read and Client.update?", &["who calls the read and update methods of Client?"]),
    ] {
        let wanted = first(&repo, dotted);
        for question in questions {
            assert_eq!(first(&repo, question), wanted, "{question}");
        }
    }
}

/// Whether a class has a member, and members that it has not, are no questions about one member.
#[test]
fn a_member_that_a_class_has_not_is_not_joined_to_it() {
    check(
        &net(),
        &[
            ("is there a method read in the Client class?", "yes: `net.client.Client.read` is a method"),
            ("is there a method parse in the Client class?", "no: "),
        ],
    );
}

/// A name of several words in lower case is that name, where nothing else has it.
#[test]
fn a_compound_name_is_known_in_lower_case() {
    check(
        &net(),
        &[
            ("where is formdataparser?", "`net.client.FormDataParser` is the class at net/client.py"),
            ("who raises usageerror?", "`UsageError` is raised in `FormDataParser.parse`"),
        ],
    );
}

/// A mark before the methods is a condition on these, and not on the classes that have them.
#[test]
fn classes_are_listed_by_the_methods_that_they_have() {
    let repo = TestRepo::new()
        .file(
            "pool.py",
            "class Pool:\n    async def take(self):\n        return 1\n\n    @staticmethod\n    def size():\n        return 2\n\n\n\
             class Plain:\n    def take(self):\n        return 1\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("which classes have async methods?", "1 class outside of tests (with async methods of its own)"),
            ("list classes with static methods", "1 class outside of tests (with static methods of its own)"),
            ("which classes have no async methods?", "1 class outside of tests (without async methods of its own)"),
            ("which classes have class methods?", "none: no class outside of tests fits (with class methods)"),
        ],
    );
    let text = repo.run(["ask", "--all", "which classes have async methods?"]).code(0).stdout;
    assert!(text.contains("pool.Pool") && text.contains("defines take") && !text.contains("Plain"), "{text}");
}

/// The docstring of one definition is asked for words.
#[test]
fn a_docstring_says_something_about_a_word() {
    check(
        &net(),
        &[
            (
                "what does the docstring of Client.read say about timeout?",
                "the docstring of `net.client.Client.read` has `timeout` in 1 line, first at net/client.py:7",
            ),
            ("does the docstring of Client.read mention timeout?", "yes: the docstring of `net.client.Client.read`"),
            (
                "does the docstring of the read method of Client mention retries?",
                "no: the docstring of `net.client.Client.read` (net/client.py:5) does not have `retries`",
            ),
        ],
    );
}

/// The noun says which definitions are asked for, and is not left out.
#[test]
fn the_family_that_lacks_docstrings_is_not_left_out() {
    let repo = TestRepo::new()
        .file(
            "check.py",
            "class Validator:\n    \"\"\"Checks.\"\"\"\n\n\nclass Range(Validator):\n    \"\"\"A range.\"\"\"\n\n\nclass Email(Validator):\n    pass\n\n\n\
             class Other:\n    pass\n\n\ndef helper():\n    return 1\n",
        )
        .file("tests/test_check.py", "def helper():\n    return 1\n\n\ndef test_a():\n    assert helper()\n\n\ndef test_b():\n    assert 1\n")
        .file(
            "kinds.py",
            "from typing import NamedTuple\n\n\nclass Point(NamedTuple):\n    x: int\n    y: int\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            (
                "which validators have no docstring?",
                "1 class outside of tests (without docstring, derived from `Validator`)",
            ),
            ("which widgets have no docstring?", "nothing here is called `widgets`"),
            ("how many test functions are in tests/test_check.py?", "2 tests in tests/test_check.py"),
            ("which NamedTuples are there?", "1 class outside of tests (derived from `NamedTuple`)"),
        ],
    );
}

/// What a class holds: functions inside of its methods, other classes, tests.
#[test]
fn the_contents_of_a_class_are_listed_as_they_are_called() {
    let repo = TestRepo::new()
        .file(
            "form.py",
            "class Form:\n    class Meta:\n        strict = True\n\n    def read(self):\n        def getter():\n            return 1\n\n        class Local:\n            pass\n\n        return getter, Local\n",
        )
        .file(
            "tests/test_form.py",
            "class TestForm:\n    def helper(self):\n        return 1\n\n    def test_a(self):\n        assert self.helper()\n\n    def test_b(self):\n        assert 1\n\n\nasync def test_c():\n    assert 1\n\n\nasync def wait():\n    return 1\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            (
                "which nested functions does Form have?",
                "1 function is defined inside `form.Form` (form.py:1): `getter`",
            ),
            ("which classes are nested in other classes?", "1 class outside of tests (defined inside classes)"),
            ("what belongs to class Form?", "`form.Form` has"),
            ("how many tests does TestForm have?", "2 tests of `tests.test_form.TestForm`"),
            ("how many async functions are there in the tests?", "2 functions in tests (async)"),
            ("list the async test functions", "1 test in the repository (async)"),
        ],
    );
}

/// `read of Client or Group` is one question about two members, whether the class defines or inherits them.
#[test]
fn a_member_of_several_classes_is_asked_of_each() {
    let repo = net();
    for (dotted, questions) in [
        ("who calls Client.update or Group.invoke?", &[][..]),
        ("explain Client.read and FormDataParser.parse", &[][..]),
        (
            "who calls Client.read or UsageError.read?",
            &["who calls read on Client or UsageError?", "who calls read of Client or UsageError?"][..],
        ),
        (
            "compare Client.read and Group.read",
            &["compare read of Client and Group", "compare the read method of Client and Group"][..],
        ),
    ] {
        let wanted = first(&repo, dotted);
        for question in questions {
            assert_eq!(first(&repo, question), wanted, "{question}");
        }
    }
    let history = first(&repo, "show the history of Client and Group");
    assert!(!history.contains("nothing here is called"), "{history}");
}
