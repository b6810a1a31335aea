//! What `impact` reaches in small repositories: one way of referring to a definition each.

use expect_test::{Expect, expect};

use crate::harness::TestRepo;

/// What a change of `target` reaches, a line each with its distance and the kinds of relationships on the chain.
fn check(repo: &TestRepo, target: &str, expected: &Expect) {
    let json = repo.run(["impact", target, "--format", "json"]).code(0).stdout;
    let report: serde_json::Value = serde_json::from_str(&json).expect("a report");
    let mut lines = String::new();
    for row in report["impacted"].as_array().expect("a list") {
        let via = row["via"].as_array().expect("a chain").iter();
        let chain: Vec<&str> = via.map(|via| via["kind"].as_str().expect("a kind")).collect();
        let (name, distance) = (row["name"].as_str().expect("a name"), &row["distance"]);
        lines += &format!("{distance} {name}: {}\n", chain.join(" ← "));
    }
    expected.assert_eq(&lines);
}

#[test]
fn who_reads_an_attribute_in_a_base_gets_the_one_of_the_derived_class() {
    let repo = TestRepo::new()
        .file(
            "views.py",
            "\
class View:
    template = 'base.html'
    __key = 1

    def __init__(self):
        self.size = 1

    @property
    def title(self):
        return 'base'

    def get(self):
        return self.template

    @classmethod
    def build(cls):
        return cls.template

    def show(self):
        return self.title + str(self.size)

    def keys(self):
        return self.__key


class Middle(View):
    pass


class Child(Middle):
    template = 'child.html'
    title = 'child'
    __key = 2

    def __init__(self):
        self.size = 2


class Leaf(Child):
    template = 'leaf.html'
",
        )
        .file("test_views.py", "from views import Child\n\n\ndef test_get():\n    assert Child().get() == 'child.html'\n")
        .commit("first");
    check(&repo, "Child.template", &expect![[r#"
        1 views.View.build: reads ← overrides
        1 views.View.get: reads ← overrides
        2 test_views.test_get: calls ← reads ← overrides
    "#]]);
    // Over two classes that hide it.
    check(&repo, "Leaf.template", &expect![[r#"
        1 views.View.build: reads ← overrides ← overrides
        1 views.View.get: reads ← overrides ← overrides
        2 test_views.test_get: calls ← reads ← overrides ← overrides
    "#]]);
    check(&repo, "Child.title", &expect![[r#"
        1 views.View.show: reads ← overrides
    "#]]);
    check(&repo, "Child.size", &expect![[r#"
        1 views.View.show: reads ← overrides
    "#]]);
    // A private name is the class's own.
    check(&repo, "Child.__key", &expect![[""]]);
}

#[test]
fn a_mark_gives_a_fixture_to_all_tests_of_its_class_or_module() {
    let fixtures = "import pytest\n\n\n@pytest.fixture\ndef number():\n    return 1\n";
    let whole = "\
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('number')]


def test_alone(): ...


class TestTogether:
    def test_inside(self): ...
";
    let classes = "\
import pytest


@pytest.mark.usefixtures('number')
class TestDecorated:
    class TestInner:
        def test_inner(self): ...


class TestMarked:
    pytestmark = pytest.mark.usefixtures('number')

    def test_marked(self): ...


class TestDerived(TestMarked):
    def test_derived(self): ...


def test_without(): ...
";
    let repo = TestRepo::new()
        .file("conftest.py", fixtures)
        .file("test_whole.py", whole)
        .file("test_classes.py", classes)
        .commit("first");
    check(&repo, "conftest.number", &expect![[r#"
        1 test_classes.TestDecorated: uses_fixture
        1 test_classes.TestMarked: uses_fixture
        1 test_whole.pytestmark: uses_fixture
        2 test_classes.TestDecorated.TestInner.test_inner: uses_fixture ← uses_fixture
        2 test_classes.TestDerived.test_derived: uses_fixture ← uses_fixture
        2 test_classes.TestMarked.test_marked: uses_fixture ← uses_fixture
        2 test_whole.TestTogether.test_inside: uses_fixture ← uses_fixture
        2 test_whole.test_alone: uses_fixture ← uses_fixture
        2 test_classes.TestDerived: inherits ← uses_fixture
    "#]]);
    check(&repo, "test_whole.pytestmark", &expect![[r#"
        1 test_whole.TestTogether.test_inside: uses_fixture
        1 test_whole.test_alone: uses_fixture
    "#]]);
}
