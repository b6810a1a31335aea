//! Every line of a file belongs to one leaf: a definition, imports, or other code at module level.

use expect_test::expect;
use serde_json::Value;

use crate::harness::{TestRepo, package_files, package_text};

const FIELDS: &str = "\"\"\"Fields.

A module.
\"\"\"
from __future__ import annotations

# The standard library.
import os
from typing import (
    TYPE_CHECKING,  # (
    Any,
)

if TYPE_CHECKING:
    from decimal import Decimal

SIZE = 3
os.environ.setdefault(\"A\", \"b\")


class Field:
    kind = \"any\"

    def __init__(self) -> None:
        import json

        def inner():
            return json
        self.inner = inner

    size = SIZE
";

fn fields() -> TestRepo {
    TestRepo::new().file("shop/__init__.py", "").file("shop/fields.py", FIELDS).commit("first")
}

#[test]
fn each_line_has_the_innermost_definition_around_it_or_free_code() {
    let lines = fields().run(["export", "lines"]).code(0).stdout;
    let rows = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let rows: Vec<String> =
        rows.map(|row| format!("{}-{} {} {}", row["start_line"], row["end_line"], row["kind"], row["name"])).collect();
    expect![[r#"
        1-4 "module" "shop.fields"
        5-12 "import" "shop.fields:imports"
        13-13 "module" "shop.fields"
        14-14 "code" "shop.fields:code"
        15-15 "import" "shop.fields:imports@2"
        16-16 "module" "shop.fields"
        17-17 "variable" "shop.fields.SIZE"
        18-18 "code" "shop.fields:code@2"
        19-20 "module" "shop.fields"
        21-21 "class" "shop.fields.Field"
        22-22 "variable" "shop.fields.Field.kind"
        23-23 "class" "shop.fields.Field"
        24-26 "method" "shop.fields.Field.__init__"
        27-28 "function" "shop.fields.Field.__init__.inner"
        29-29 "method" "shop.fields.Field.__init__"
        30-30 "class" "shop.fields.Field"
        31-31 "variable" "shop.fields.Field.size"
    "#]]
    .assert_eq(&(rows.join("\n") + "\n"));
}

#[test]
fn the_leaves_of_a_file_cover_it_without_gap_or_overlap() {
    let mut repo = TestRepo::new();
    for path in package_files("fixtures/sample").iter().filter(|path| path.ends_with(".py")) {
        repo = repo.file(path, package_text(path));
    }
    let repo =
        repo.file("broken.py", "def f(:\n  x = (\n\n@d\nclass C:\n").file("tail.py", "import os").commit("first");
    let lines = repo.run(["export", "lines"]).code(0).stdout;
    let mut ends = std::collections::BTreeMap::<String, u64>::new();
    for line in lines.lines() {
        let row: Value = serde_json::from_str(line).expect("JSON");
        let number = |field: &str| row[field].as_u64().expect("a line");
        let end = ends.entry(row["path"].as_str().expect("a path").to_owned()).or_default();
        assert_eq!(number("start_line"), *end + 1, "{line}");
        assert!(number("end_line") >= number("start_line"), "{line}");
        *end = number("end_line");
    }
    for (path, end) in &ends {
        let text = std::fs::read_to_string(repo.root().join(path)).expect("the file is there");
        assert_eq!(*end, text.lines().count() as u64, "{path}");
    }
    assert!(ends.len() > 3, "{ends:?}");
}

#[test]
fn imports_and_other_code_at_module_level_are_shown_by_name() {
    let repo = fields();
    repo.run(["show", "shop.fields:imports"]).code(0).stdout(expect![[r#"
        shop.fields:imports  import  shop/fields.py:5-15

        shop/fields.py:5-12
        from __future__ import annotations

        # The standard library.
        import os
        from typing import (
            TYPE_CHECKING,  # (
            Any,
        )

        shop/fields.py:15-15
            from decimal import Decimal

        folder    1 more file: __init__.py
        called    0 times (in all 0 references)
    "#]]);
    repo.run(["show", "fields.py:imports@2"]).code(0).stdout(expect![[r#"
        shop.fields:imports@2  import  shop/fields.py:15-15

            from decimal import Decimal

        folder    1 more file: __init__.py
        called    0 times (in all 0 references)
    "#]]);
    repo.run(["show", "shop.fields:code", "--format", "json"]).code(0).stdout(expect![[r#"
        {"schema":"repoidx.show","schema_version":1,"target":{"name":"shop.fields","kind":"module","path":"shop/fields.py","line":1,"start_line":1,"end_line":31,"signature":"","definitions":1},"doc":"Fields.","decorators":[],"definitions":[],"parent":null,"previous":null,"next":null,"bases":[],"members":[{"name":"SIZE","full_name":"shop.fields.SIZE","kind":"variable","path":"shop/fields.py","start_line":17,"end_line":17,"signature":"","is_async":false},{"name":"Field","full_name":"shop.fields.Field","kind":"class","path":"shop/fields.py","start_line":21,"end_line":31,"signature":"","is_async":false}],"inherited":[],"free":[{"name":"shop.fields:code","kind":"code","start_line":14,"end_line":14,"source":"if TYPE_CHECKING:\n"},{"name":"shop.fields:code@2","kind":"code","start_line":18,"end_line":18,"source":"os.environ.setdefault(\"A\", \"b\")\n"}],"refers_to":[],"folder":["shop/__init__.py"],"callers":0,"references":0,"commit":"dbd1f3826addc2414bd7045f3bbf16a7bfc6d144","edited":[]}
    "#]]);
    assert!(repo.run(["show", "shop.fields"]).code(0).stdout.contains("imports   :5-12, :15\n"));
    let refs = repo.run(["refs", "shop.fields:imports"]).code(2);
    assert!(refs.stderr.contains("`shop.fields:imports` is code at module level"), "{}", refs.stderr);
    repo.write("shop/kind.py", "import os\n");
    let module = repo.run(["show", "kind:imports"]).code(0).stdout;
    assert!(module.starts_with("shop.kind:imports  import  shop/kind.py:1-1\n"), "{module}");
    let none = repo.run(["show", "shop:imports"]).code(2);
    assert!(none.stderr.contains("`shop` has no such lines at module level"), "{}", none.stderr);
}

#[test]
fn imports_and_other_code_at_module_level_can_be_asked_for() {
    let repo = fields();
    let asked = |question: &str| repo.run(["ask", question]).code(0).stdout;
    for question in
        ["show me the imports of shop.fields", "list the import statements in shop/fields.py", "imports of fields.py"]
    {
        let text = asked(question);
        assert!(text.starts_with("the imports of `shop.fields` are at shop/fields.py:5-12, 15\n"), "{text}");
        assert!(text.contains("    TYPE_CHECKING,  # (\n"), "{text}");
    }
    let text = asked("which module-level code does shop.fields have?");
    assert!(
        text.starts_with("the other code at module level of `shop.fields` is at shop/fields.py:14, 18\n"),
        "{text}"
    );
    let text = asked("which modules import shop.fields?");
    assert!(!text.contains("the imports of"), "{text}");
}

#[test]
fn documents_of_an_export_include_imports_and_other_code() {
    let lines = fields().run(["export", "jsonl", "--format", "langchain"]).code(0).stdout;
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let imports = rows.iter().find(|row| row["metadata"]["name"] == "shop.fields:imports@2").expect("a document");
    assert_eq!(imports["page_content"], "    from decimal import Decimal\n");
    assert_eq!(
        (&imports["metadata"]["kind"], &imports["metadata"]["parent"]),
        (&"import".into(), &"shop.fields".into())
    );
}

#[test]
fn an_export_has_sections_and_says_what_is_a_test() {
    let tests = "import pytest\n\n\n@pytest.fixture\ndef field():\n    return 1\n\n\ndef helper():\n    pass\n\n\n\
                 class TestField:\n    def test_it(self, field):\n        helper()\n";
    let repo = TestRepo::new()
        .file("shop/cart.py", "import os\n\nRATE = 1\n\n\nclass Cart:\n    @property\n    def total(self): ...\n\n    def test_rate(self): ...\n")
        .file("tests/test_cart.py", tests)
        .file("README.md", "# Cart\n\nThings.\n\n## Use\n\nOne.\n\n## Use\n\nTwo.\n")
        .file("page.html", "<h1>Page</h1>\n<p>Some <b>words</b></p>\n")
        .commit("first");
    let lines = repo.run(["export", "jsonl"]).code(0).stdout;
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("{name}: {lines}"));
    assert_eq!(of("Cart / Use@2")["text"], "## Use\n\nTwo.\n");
    assert_eq!(of("Page")["text"].as_str().map(str::trim), Some("# Page\nSome words"));
    let is_test = |name: &str| of(name)["is_test"].as_bool().expect("a flag");
    assert!(is_test("tests.test_cart.TestField.test_it") && is_test("tests.test_cart.field"));
    assert!(!is_test("tests.test_cart.helper") && !is_test("shop.cart.Cart.test_rate") && !is_test("Cart / Use"));
    let kinds: std::collections::BTreeSet<&str> = rows.iter().filter_map(|row| row["kind"].as_str()).collect();
    assert_eq!(
        kinds.into_iter().collect::<Vec<_>>(),
        ["class", "document", "function", "import", "method", "module", "property", "variable"]
    );
    for (kind, expected) in [("test", 1), ("property", 1), ("section", 4), ("variable", 1), ("import", 2), ("class", 2)]
    {
        let count = repo.run(["search", "--kind", kind, "--count"]).code(0).stdout;
        assert_eq!(count.trim(), expected.to_string(), "{kind}");
    }
    repo.run(["search", "--kind", "test", "--kind", "class"]).code(2);
    let found = repo.run(["search", "field", "--kind", "test"]).code(0).stdout;
    assert!(found.starts_with("tests.test_cart.TestField.test_it ") && !found.contains("helper"), "{found}");
}

#[test]
fn a_further_part_of_an_outline_goes_on_where_the_first_stopped() {
    let mut repo = TestRepo::new();
    for file in 0..30 {
        let text: String = (0..20).map(|number| format!("def f{file}_{number}():\n    pass\n\n\n")).collect();
        repo = repo.file(&format!("m{file:02}.py"), &text);
    }
    let repo = repo.commit("first");
    let first = repo.run(["ask", "are there any errors in the repo"]).code(0).stdout;
    let second = repo.run(["ask", "are there any errors in the repo", "--part", "2"]).code(0).stdout;
    assert!(first.contains("modules of the program") && first.contains("--part 2 goes on"), "{first}");
    assert!(!second.contains("modules of the program") && second.contains("part 2 of 2"), "{second}");
    assert!(second.contains("\nm20.py\n  m20.f20_0()  m20.py:1-2\n"), "{second}");
}

#[test]
fn imports_are_found_by_what_they_import() {
    let repo = fields();
    repo.run(["search", "json", "--kind", "import"]).stdout(expect![[r#"
        shop.fields.Field.__init__  import  shop/fields.py:25-25
            import json
    "#]]);
    repo.run(["search", "where is typing.Any imported", "--kind", "import"]).stdout(expect![[r#"
        shop.fields:imports  import  shop/fields.py:9-12
            from typing import (TYPE_CHECKING, Any)
    "#]]);
    repo.run(["search", "^decimal", "--regex", "--kind", "import"]).stdout(expect![[r#"
        shop.fields:imports@2  import  shop/fields.py:15-15
            from decimal import Decimal
    "#]]);
    repo.run(["search", "yaml", "--kind", "import"]).stdout(expect![[r#"
        no import here fits the question
    "#]]);
    repo.run(["search", "--kind", "import", "--in", "shop", "-k", "1"]).stdout(expect![[r#"
        shop.fields:imports  import  shop/fields.py:8-8
            import os
        and 3 more; --limit shows them
    "#]]);
    assert_eq!(repo.run(["search", "--kind", "import", "--count"]).code(0).stdout, "4\n");
    let found = repo.run(["search", "Any", "--kind", "import", "--format", "json"]).code(0).stdout;
    let found: Value = serde_json::from_str(&found).expect("JSON");
    let hit = &found["hits"][0];
    assert_eq!((&hit["kind"], &hit["name"]), (&Value::from("import"), &Value::from("shop.fields:imports")));
    assert_eq!((&hit["start_line"], &hit["end_line"]), (&9.into(), &12.into()));
    assert_eq!(hit["imports"], serde_json::json!(["typing.TYPE_CHECKING", "typing.Any"]));
}

#[test]
fn imports_are_no_definitions() {
    let repo = fields();
    for wrong in [
        &["search", "json", "--kind", "import", "--kind", "class"][..],
        &["search", "json", "--kind", "import", "--files"],
        &["refs", "Field", "--kind", "import"],
        &["tree", "Field", "--kind", "import"],
    ] {
        let run = repo.run(wrong.iter().copied()).code(2);
        assert!(run.stderr.contains("repoidx search 'json' --kind import"), "{}", run.stderr);
    }
    let run = repo.run(["search", "json", "--kind", "imports"]).code(2);
    assert!(
        run.stderr.contains("module, class, function, method, property, variable, document, import"),
        "{}",
        run.stderr
    );
}
