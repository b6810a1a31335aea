//! Questions of a strict reader, each with the truth that the source says.

use crate::harness::TestRepo;

/// A package with a class that hands calls on, a class with a base from outside, and functions around them.
fn kit() -> TestRepo {
    TestRepo::new()
        .file("pytest.ini", "[pytest]\npythonpath = src\n")
        .file("src/kit/__init__.py", "from .client import Client as Client\nfrom .lib import dumps as dumps\n")
        .file(
            "src/kit/client.py",
            "from .errors import BadJSON as KitBadJSON\n\n\nclass Client:\n    def get(self, url):\n        return self.request(url)\n\n    def request(self, url):\n        return self.send(url)\n\n    def send(self, url):\n        raise KitBadJSON(url)\n\n    def wide(self, a, b, c, d, e, f, g, h, i, j):\n        return a\n\n\nclass Response:\n    def request(self):\n        return None\n\n    def send(self):\n        return None\n",
        )
        .file("src/kit/errors.py", "class BadJSON(ValueError):\n    pass\n\n\nclass Other(KeyError):\n    pass\n")
        .file(
            "src/kit/lib.py",
            "from .client import Client\n\n\nclass Config(dict):\n    pass\n\n\nclass Small(Config):\n    pass\n\n\ndef dumps(value):\n    return str(value)\n\n\ndef flash(text):\n    return dumps(text)\n\n\ndef connect(url, timeout=1):\n    return Client().get(url)\n\n\ndef use_client(client):\n    return Client()\n",
        )
        .file("examples/app.py", "from kit import dumps\n\n\ndef main():\n    return dumps(1)\n")
        .file("tests/test_kit.py", "from kit.lib import connect\n\n\ndef test_connect():\n    assert connect(\"x\")\n")
        .commit("first")
}

/// The first paragraph of the answer to each question has the words.
fn check(repo: &TestRepo, cases: &[(&str, &str)]) {
    for (question, wanted) in cases {
        let text = repo.run(["ask", question]).code(0).stdout;
        let head = text.split("\n\n").next().unwrap_or_default();
        let head = head.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(head.contains(wanted), "{question}\n  wanted {wanted}\n  found  {head}\n{text}");
    }
}

/// A bare name after a dotted one belongs to the class of that one, not to a likelier class.
#[test]
fn a_bare_name_after_a_dotted_one_is_of_its_class() {
    check(
        &kit(),
        &[
            (
                "does Client.get call request or send directly?",
                "`kit.client.Client.get` calls `Client.request` directly (src/kit/client.py:6); it reaches `Client.send` only over `Client.request`",
            ),
            (
                "does Client.get call request?",
                "yes: `kit.client.Client.get` reaches `kit.client.Client.request` in 1 step",
            ),
        ],
    );
}

/// A question about one class and one base is yes or no, and bases outside of the repository count.
#[test]
fn one_class_and_one_base_from_outside_are_yes_or_no() {
    check(
        &kit(),
        &[
            ("does the Config class inherit from dict?", "yes: `kit.lib.Config` derives from `dict` directly"),
            ("is Config a subclass of dict?", "yes: `kit.lib.Config` derives from `dict` directly"),
            ("is Small derived from dict?", "yes: `kit.lib.Small` derives from `dict` over `Config`"),
            (
                "does Config inherit from list?",
                "no: `kit.lib.Config` does not derive from `list`; its bases are `dict`",
            ),
            ("is Client a subclass of dict?", "no: `kit.client.Client` has no base"),
            ("does Other inherit from Exception?", "yes: `kit.errors.Other` derives from `Exception` over"),
        ],
    );
}

/// `then` behind a comparison is `than`.
#[test]
fn more_then_is_more_than() {
    check(
        &kit(),
        &[("which functions have more then 8 parameters", "1 function outside of tests (at least 9 parameters)")],
    );
}

/// The alias of an import stands for the class that it imports.
#[test]
fn a_raised_alias_is_its_class() {
    check(
        &kit(),
        &[
            ("does Client.send raise BadJSON?", "yes: `Client.send` raises `BadJSON`"),
            ("does Client.send raise something other than BadJSON?", "no: no `raise` of anything but `BadJSON`"),
        ],
    );
}

/// A caller does not pass the object itself.
#[test]
fn parameters_are_counted_without_the_object() {
    check(&kit(), &[("how many parameters does wide have", "`Client.wide` takes 10 parameters besides `self`")]);
}

/// Those that the question leaves out are no users, and are not asked about.
#[test]
fn besides_leaves_a_user_out() {
    check(
        &kit(),
        &[
            (
                "does anything besides use_client use Client or Frob_X",
                "yes: 1 of 2 places where `kit.client.Client` is used is not in `kit.lib.use_client`",
            ),
            ("does anything besides use_client use Client or Frob_X", "nothing here is called `Frob_X`"),
        ],
    );
}

/// `in the src of X itself` and `inside X itself` are places, never their opposite.
#[test]
fn the_package_itself_is_a_place() {
    check(
        &kit(),
        &[
            ("is dumps used anywhere in the src of kit itself?", "yes: `kit.lib.dumps` is used at 2 places in src"),
            (
                "which functions in lib.py arent used inside kit itself",
                "3 functions in src/kit/lib.py (without a use in kit)",
            ),
        ],
    );
}

/// The word between the tests and `this` is what they do.
#[test]
fn the_verb_of_the_tests_is_no_name() {
    check(&kit(), &[("does connect accept a timeout and which tests send this", "1 test concerns `connect`")]);
}

/// A name that lacks a whole part of the asked one is no slip of it.
#[test]
fn an_unknown_identifier_is_not_taken_for_a_part_of_it() {
    check(
        &kit(),
        &[
            ("does anyone still use _kit_connect", "no: nothing here is called `_kit_connect`"),
            ("who calls frobnicate or use_client?", "nothing here is called `frobnicate`"),
        ],
    );
}

/// A term of the world that nothing here has is no question about the repository.
#[test]
fn terms_of_the_world_send_no_source() {
    let away = "this question is not about the repository";
    check(&kit(), &[("what is HTTP/2?", away), ("what is a decorator in python?", away), ("what is TLS?", away)]);
}

/// An attribute that no definition has is found by the text of its uses, told apart by what they do.
#[test]
fn who_sets_an_attribute_is_told_from_who_reads_it() {
    let repo = TestRepo::new()
        .file("blog/auth.py", "from web import g\n\n\ndef load(user):\n    g.user = user\n\n\ndef required():\n    return g.user is None\n")
        .file("blog/views.py", "from web import g\n\n\ndef author():\n    return g.user\n")
        .commit("first");
    check(&repo, &[("who sets g.user and who reads it", "`g.user` is set at 1 place")]);
}

/// A function inside a method is no method of the class.
#[test]
fn functions_inside_methods_are_no_methods() {
    let repo = TestRepo::new()
        .file(
            "web/scaffold.py",
            "def checked(f):\n    return f\n\n\nclass Scaffold:\n    @checked\n    def route(self, path):\n        def decorator(f):\n            return f\n        return decorator\n\n    def find(self, path):\n        return path\n",
        )
        .commit("first");
    let text = repo.run(["ask", "which methods of Scaffold are not decorated with checked?"]).code(0).stdout;
    assert!(text.contains("Scaffold.find") && !text.contains("Scaffold.route.decorator"), "{text}");
}

/// The section whose title the question repeats comes before those that name one of its words.
#[test]
fn the_section_with_the_title_in_the_question_comes_first() {
    let repo = TestRepo::new()
        .file("web/testing.py", "class TestClient:\n    def open(self, path):\n        return path\n")
        .file("docs/testing.rst", "Testing\n=======\n\nSending Requests with the Test Client\n-------------------------------------\n\nThe client makes requests.\n")
        .file("docs/blog.rst", "Blog\n====\n\nThe client of a test of the blog. A test client, a test client.\n")
        .commit("first");
    check(&repo, &[("what do the docs say about the test client?", "Sending Requests with the Test Client")]);
}

/// A list says how many rows it has, and `--all` and JSON give each of them.
#[test]
fn all_places_of_a_long_list_are_given() {
    let raises = (1..=40).map(|at| format!("def f{at}():\n    raise ValueError({at})\n\n\n")).collect::<String>();
    let repo = TestRepo::new().file("many.py", &raises).commit("first");
    let text = repo.run(["ask", "where is ValueError raised?", "--all"]).code(0).stdout;
    assert!(text.contains("where `ValueError` is raised (40)"), "{text}");
    assert_eq!((1..=40).filter(|at| text.contains(&format!("raise ValueError({at})"))).count(), 40, "{text}");
    let json = repo.run(["ask", "where is ValueError raised?", "--format", "json"]).code(0).stdout;
    assert!(json.contains("many.f40"), "{json}");
}
