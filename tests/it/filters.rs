//! Definitions by what is known of them: filters of `search`, `refs` and `tree`, bases from libraries, ambiguous names.

use expect_test::expect;

use crate::harness::TestRepo;

fn shop() -> TestRepo {
    TestRepo::new()
        .file(
            "shop/cart.py",
            "import abc\nimport pydantic\nfrom functools import cache\n\n\nclass Cart(pydantic.BaseModel, metaclass=abc.ABCMeta):\n    \"\"\"Things to buy.\"\"\"\n\n    @cache\n    def total(self, *, tax: float) -> float:\n        if tax > 1:\n            raise ValueError(\"tax %s is too high\" % tax)\n        return tax\n\n    async def pay(self, way, amount, currency):\n        try:\n            return await way(amount)\n        except (OSError, KeyError):\n            pass\n\n\nclass Sale(Cart):\n    def total(self, *, tax: float) -> float:\n        return 0.0\n\n\ndef _hidden():\n    return Cart()\n",
        )
        .file("tests/test_cart.py", "from shop.cart import Cart, Sale\n\n\ndef test_total():\n    Cart().total(tax=1)\n\n\nclass Sale: ...\n")
}

#[test]
fn filters_alone_list_what_fits() {
    let repo = shop().commit("first");
    repo.run(["search", "--is", "async"]).stdout(expect![[r#"
        1 definition: async

          shop.cart.Cart.pay  method  shop/cart.py:15  5 lines
    "#]]);
    repo.run(["search", "--kind", "function", "--kind", "method", "--tests", "none", "--sort", "size"]).stdout(
        expect![[r#"
        4 functions and methods: outside of tests

          shop.cart.Cart.pay  method  shop/cart.py:15  5 lines
          shop.cart.Cart.total  method  shop/cart.py:9  4 lines
          shop.cart.Sale.total  method  shop/cart.py:23  2 lines
          shop.cart._hidden  function  shop/cart.py:27  2 lines
    "#]],
    );
    let count = |filters: &[&str]| {
        let arguments = [&["search", "--count"], filters].concat();
        repo.run(arguments).code(0).stdout.trim().to_owned()
    };
    assert_eq!(count(&["--raises", "ValueError"]), "1");
    assert_eq!(count(&["--catches", "KeyError"]), "1");
    assert_eq!(count(&["--returns", "float", "--with", "annotations"]), "2");
    assert_eq!(count(&["--overrides", "Cart.total"]), "1");
    assert_eq!(count(&["--lacks", "pay", "--kind", "class", "--in", "shop"]), "1");
    assert_eq!(count(&["--decorated-by", "functools.cache"]), "1", "a decorator has its imported name too");
    assert_eq!(count(&["--decorated-by", "cache"]), "1");
    assert_eq!(count(&["--parameters-over", "2"]), "1");
    assert_eq!(count(&["--parameter", "tax", "--tests", "none"]), "2");
    assert_eq!(count(&["--is", "private", "--without", "uses"]), "1");
    let run = repo.run(["search"]).code(2);
    assert!(run.stderr.contains("the query is empty"), "{}", run.stderr);
    let run = repo.run(["search", "cart", "--in", "nowhere"]).code(2);
    assert!(run.stderr.contains("no indexed file is in or below `nowhere`"), "{}", run.stderr);
    let run = repo.run(["search", "total", "--in", "docstring"]).code(2);
    assert!(run.stderr.contains("`repoidx search QUERY --field docstring`"), "{}", run.stderr);
}

#[test]
fn filters_narrow_a_search_references_and_trees() {
    let repo = shop().commit("first");
    let hits =
        repo.run(["search", "total of a cart", "--tests", "none", "--is", "public", "--kind", "method"]).code(0).stdout;
    assert!(hits.contains("Cart.total") && !hits.contains("test_total"), "{hits}");
    repo.run(["refs", "Cart", "--tests", "only"]).stdout(expect![[r#"
        `cart.Cart`: 2 references; 2 elsewhere left out
          shop.cart.Cart  class  shop/cart.py:6

          tests/test_cart.py:1  imports  tests.test_cart  [bound by an import]
              from shop.cart import Cart, Sale
          tests/test_cart.py:5  calls  test_cart.test_total  [bound by an import]
              Cart().total(tax=1)
    "#]]);
    repo.run(["tree", "shop/cart.py", "--kind", "method", "--longer-than", "3"]).stdout(expect![[r#"
        `shop.cart`: 3 top-level definitions, 6 in all; at least 4 lines: 2
          shop.cart  module  shop/cart.py:1

        └─ cart.Cart  class  shop/cart.py:6  (on the way)
           ├─ Cart.total  method  shop/cart.py:10
           └─ Cart.pay  method  shop/cart.py:15
    "#]]);
}

#[test]
fn bases_of_libraries_are_shown_and_a_metaclass_is_none() {
    let repo = shop().commit("first");
    repo.run(["tree", "Cart", "--up"]).stdout(expect![[r#"
        `cart.Cart`: 1 direct base
          shop.cart.Cart  class  shop/cart.py:6

        └─ pydantic.BaseModel  class  of a library
    "#]]);
    repo.run(["tree", "BaseModel"]).stdout(expect![[r#"
        `pydantic.BaseModel`: 1 direct subclass, 2 in all
          pydantic.BaseModel  class  of a library

        └─ cart.Cart  class  shop/cart.py:6
           └─ cart.Sale  class  shop/cart.py:22
    "#]]);
    repo.run(["show", "Cart", "--tokens", "200"]).stdout(expect![[r#"
        shop.cart.Cart  class  shop/cart.py:6-19

        class Cart(pydantic.BaseModel, metaclass=abc.ABCMeta):
            """Things to buy."""

            @cache
            def total(self, *, tax: float) -> float:
                if tax > 1:
                    raise ValueError("tax %s is too high" % tax)
                return tax
          … 6 more lines

        methods (2)
          total(self, *, tax: float) -> float  :9-13
          async pay(self, way, amount, currency)  :15-19

        … not shown: 1

        everything: repoidx show shop.cart.Cart --all
    "#]]);
}

#[test]
fn an_ambiguous_name_means_own_code_before_tests() {
    let repo = shop().commit("first");
    repo.run(["tree", "Sale", "--members"]).stdout(expect![[r#"
        `cart.Sale`: 1 top-level definition
          shop.cart.Sale  class  shop/cart.py:22

        └─ Sale.total  method  shop/cart.py:23

        `Sale` also names tests.test_cart.Sale (tests/test_cart.py:8)
    "#]]);
    let report = repo.run(["show", "Sale", "--format", "json"]).code(0).stdout;
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["passed_over"][0]["name"], "tests.test_cart.Sale");
}

#[test]
fn lines_of_changed_files_are_not_quoted_without_an_update() {
    let repo = shop().commit("first");
    repo.run(["index", "-q"]).code(0);
    repo.write("shop/cart.py", "# one more line\nclass Cart: ...\n");
    let run = repo.run(["show", "Cart.total", "--no-update"]).code(0);
    assert!(run.stderr.contains("1 file has changed since the index was made: shop/cart.py"), "{}", run.stderr);
    assert!(
        run.stdout.contains("shop/cart.py has changed since the index was made, so its lines are not shown"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("class Cart: ..."), "{}", run.stdout);
    let refs = repo.run(["refs", "Cart", "--no-update", "-q"]).code(0).stdout;
    assert!(refs.contains("from shop.cart import Cart") && !refs.contains("one more line"), "{refs}");
}

#[test]
fn messages_are_found_in_literals_with_values_filled_in() {
    let repo = shop().commit("first");
    repo.run(["search", "--field", "literal", "ValueError: tax 12 is too high"]).stdout(expect![[r#"
        shop.cart.Cart.total  method  shop/cart.py:12-12
            tax %s is too high
    "#]]);
    repo.write("shop/cart.py", "LIMIT = 'other text'  # the most of all\n");
    let found = |field: &str, text: &str| repo.run(["search", "--field", field, text]).code(0).stdout;
    assert!(found("literal", "tax 12 is too high").starts_with("nothing here fits"), "an edit takes them away");
    assert!(found("literal", "other text").starts_with("shop.cart.LIMIT "), "module level counts");
    assert!(found("comment", "most of all").contains("shop/cart.py:1-1"));
}

#[test]
fn an_import_is_shown_with_the_definitions_that_it_names() {
    let repo = shop().commit("first");
    repo.run(["show", "tests/test_cart.py:1"]).stdout(expect![[r#"
        tests.test_cart  module  tests/test_cart.py:1-1

        from shop.cart import Cart, Sale

        called    0 times (in all 0 references)

        refers to (3)
          shop.cart  shop/cart.py:1  imports
          cart.Cart  shop/cart.py:6  imports
          cart.Sale  shop/cart.py:22  imports
    "#]]);
}

#[test]
fn next_and_previous_undo_each_other() {
    let text = "import typing\n\n\n@typing.overload\ndef f(x: int): ...\n@typing.overload\ndef f(x: str): ...\ndef f(x): ...\n\n\ndef g(): ...\n";
    let repo = TestRepo::new().file("a.py", text).commit("first");
    let neighbor = |name: &str, side: &str| -> Option<String> {
        let report = repo.run(["show", name, "--format", "json"]).code(0).stdout;
        let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
        report[side]["full_name"].as_str().map(str::to_owned)
    };
    for name in ["a.f@2", "a.f@3", "a.g"] {
        let previous = neighbor(name, "previous").expect("there is one before it");
        assert_eq!(neighbor(&previous, "next").as_deref(), Some(name));
    }
}

#[test]
fn ignored_files_are_indexed_nowhere_and_links_are_said() {
    let repo = shop()
        .file("secret/s.py", "def hidden(): ...\n")
        .file("secret/plan.md", "# Plan\n\nHidden.\n")
        .file(".repoidxignore", "secret/\n")
        .commit("first");
    repo.run(["-q", "show", "hidden"]).code(2);
    assert!(!repo.run(["export", "entities"]).code(0).stdout.contains("secret"));
    repo.write(".repoidxignore", "");
    repo.run(["-q", "show", "hidden"]).code(0);
    repo.write(".repoidxignore", "secret/\n");
    repo.run(["-q", "show", "hidden"]).code(2);
    let status = repo.run(["status"]).code(0).stdout;
    for path in ["secret/s.py", "secret/plan.md"] {
        assert!(status.contains(&format!("{path}  named in .repoidxignore")), "{status}");
    }
    assert!(status.contains("3 classes, 2 functions, 3 methods, 2 modules"), "{status}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("cart.py", repo.root().join("shop/link.py")).expect("links can be made");
        let status = repo.run(["status"]).code(0).stdout;
        assert!(status.contains("shop/link.py  a symlink: links are not followed"), "{status}");
    }
}

#[test]
fn moved_files_are_counted_and_definitions_are_exported_for_libraries() {
    let repo = shop().commit("first");
    repo.run(["index", "-q"]).code(0);
    repo.git(["mv", "shop/cart.py", "shop/basket.py"]);
    let stats = repo.run(["index", "-q", "--stats"]).code(0).stdout;
    assert!(stats.contains("moved          1\nremoved        0\n"), "{stats}");
    let line = |format: &str| {
        let lines = repo.run(["export", "jsonl", "--format", format]).code(0).stdout;
        assert_eq!(repo.run(["export", format]).code(0).stdout, lines);
        let line = lines.lines().find(|line| line.contains("basket.Sale.total")).expect("it is exported").to_owned();
        serde_json::from_str::<serde_json::Value>(&line).expect("each line is JSON")
    };
    let (langchain, llamaindex) = (line("langchain"), line("llamaindex"));
    assert_eq!(langchain["page_content"], llamaindex["text"]);
    assert_eq!(langchain["metadata"]["source"], "shop/basket.py");
    assert_eq!(llamaindex["id_"], "shop/basket.py:shop.basket.Sale.total");
    repo.run(["export", "edges", "--format", "langchain"]).code(2);
    let graph = repo.run(["export", "dot"]).code(0).stdout;
    assert!(graph.starts_with("digraph repository {\n") && graph.ends_with("}\n"), "{graph}");
    assert!(graph.contains("\"shop.basket.Sale\" -> \"shop.basket.Cart\" [label=\"inherits\"];"), "{graph}");
}

#[test]
fn definitions_are_counted_as_they_stand_in_the_source() {
    let code = r#"
from collections import namedtuple
from typing import overload
Point = namedtuple("Point", "x y")
async def f():
    def inner(): ...
    class Local:
        async def m(self): ...
@overload
def g(x: int) -> int: ...
@overload
def g(x: str) -> str: ...
def g(x):
    """
    def phantom(): ...
    class Phantom: ...
    """
    return x
@decorate
class C:
    class D: ...
    @property
    def p(self): ...
    @p.setter
    def p(self, v): ...
    def m(self): ...
"#;
    let repo = TestRepo::new().file("a.py", code).commit("first");
    repo.run(["status", "--counts"]).stdout(expect![[r"
        classes        3 (2 nested, 1 decorated), and 1 made by a call such as namedtuple
        functions      4
        methods        4 (1 of them properties, 1 set or delete one)
        nested         1 (functions inside functions)
        async          2 of these 9
        decorated      4 of these 9
        overloads      2 of these 9
    "]]);
    let stats = repo.run(["index", "-q", "--stats"]).code(0).stdout;
    assert!(stats.contains("classes        3 (2 nested, 1 decorated)"), "{stats}");
    let status = repo.run(["status", "--counts", "--format", "json"]).code(0).stdout;
    assert!(status.contains(r#""nested_functions":1"#) && status.contains(r#""made_classes":1"#), "{status}");
}

#[test]
fn tests_have_edges_to_the_definitions_that_they_are_likely_to_run() {
    let repo = TestRepo::new()
        .file("shop.py", "class Cart:\n    def total(self):\n        return rate()\n\n\ndef rate():\n    return 1\n\n\ndef make():\n    return Cart()\n\n\ndef unused(): ...\n")
        .file("tests/test_shop.py", "from shop import make\n\n\ndef test_total():\n    assert make().total()\n")
        .commit("first");
    let lines = repo.run(["export", "edges", "--tests"]).code(0).stdout;
    let rows = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("each line is JSON"));
    let tests: Vec<serde_json::Value> = rows.filter(|row| row["kind"] == "tests").collect();
    let found: Vec<String> =
        tests.iter().map(|row| format!("{} {}", row["to"].as_str().unwrap(), row["distance"])).collect();
    assert_eq!(found, ["shop.Cart 2", "shop.Cart.total 1", "shop.rate 2", "shop.make 1"]);
    assert!(tests.iter().all(|row| row["from"] == "tests.test_shop.test_total" && row["path"] == "tests/test_shop.py"));
    assert!(
        tests.iter().all(|row| row["probability"].as_f64().is_some_and(|probability| probability > 0.5)),
        "{lines}"
    );
    assert!(!repo.run(["export", "edges"]).code(0).stdout.contains(r#""kind":"tests""#));
    repo.run(["export", "jsonl", "--tests"]).code(2);
    // The test calls a method of the class and never names it.
    assert_eq!(repo.run(["search", "--kind", "class", "--without", "tests", "--count"]).code(0).stdout, "0\n");
}

#[test]
fn hits_of_one_file_can_be_limited_and_a_place_preferred() {
    let repo = shop().file("other/cart.py", "def cart_total(): ...\n").commit("first");
    let hits = repo.run(["search", "total of the cart", "--per-file", "1", "--kind", "method"]).code(0).stdout;
    assert_eq!(hits.matches("shop/cart.py").count(), 1, "{hits}");
    let near = repo.run(["search", "cart total", "--near", "other/cart.py:1"]).code(0).stdout;
    assert!(near.starts_with("other.cart.cart_total "), "{near}");
    repo.run(["search", "cart", "--near", "nowhere.py"]).code(2);
}

#[test]
fn a_larger_least_score_never_adds_a_hit() {
    let repo = shop().file("README.md", "# Cart\n\nThings to buy.\n").commit("first");
    let hits = |share: &str| -> Vec<String> {
        let json = repo.run(["search", "total of a cart", "--min-score", share, "--format", "json"]).code(0).stdout;
        let report: serde_json::Value = serde_json::from_str(&json).expect("an answer is JSON");
        let hits = report["hits"].as_array().expect("a list").iter();
        hits.map(|hit| hit["name"].as_str().expect("a name").to_owned()).collect()
    };
    let mut before = hits("0");
    for share in ["0.2", "0.4", "0.6", "0.8", "1"] {
        let now = hits(share);
        assert!(now.len() <= before.len() && now.iter().all(|name| before.contains(name)), "{share}: {now:?}");
        before = now;
    }
    assert_eq!(before.len(), 1);
    repo.run(["search", "cart", "--min-score", "2"]).code(2);
    // A docstring is no section of a document.
    let found = repo.run(["search", "things to buy", "--field", "docstring"]).code(0).stdout;
    assert!(found.contains("shop.cart.Cart ") && !found.contains("README.md"), "{found}");
}

#[test]
fn inner_classes_and_functions_are_told_from_those_of_modules() {
    let code = "class A:\n    class B:\n        def m(self): ...\n\n\ndef f():\n    def g(): ...\n    class C: ...\n";
    let repo = TestRepo::new().file("a.py", code).commit("first");
    let count = |kind: &str, is: &str| {
        repo.run(["search", "--count", "--kind", kind, "--is", is]).code(0).stdout.trim().to_owned()
    };
    assert_eq!(
        [count("class", "inner"), count("class", "outer"), count("function", "inner"), count("function", "outer")],
        ["2", "1", "1", "1"]
    );
}

#[test]
fn the_longest_line_of_a_prompt_and_a_context_can_be_set() {
    let text = format!("def rate():\n    return \"{}\"\n\n\ndef use():\n    return rate()\n", "x".repeat(500));
    let repo = TestRepo::new().file("a.py", &text).file("b.py", "from a import rate\n\nrate()\n").commit("first");
    let longest = |arguments: &[&str]| {
        let text = repo.run(arguments).code(0).stdout;
        let lines: Vec<usize> = text.lines().filter(|line| line.contains("xxx")).map(str::len).collect();
        (text.contains(" more characters)"), lines.into_iter().max().unwrap_or_default())
    };
    let commands: [&[&str]; 3] = [
        &["context", "--at", "b.py:3"],
        &["impact", "rate", "--format", "prompt"],
        &["ask", "show rate", "--format", "prompt"],
    ];
    for command in commands {
        let (is_said, length) = longest(command);
        assert!(is_said && (300..350).contains(&length), "{command:?}: {length}");
    }
    repo.write("repoidx.toml", "max_line = 100\n");
    for command in commands {
        let (is_said, length) = longest(command);
        assert!(is_said && (100..150).contains(&length), "{command:?}: {length}");
    }
    repo.write("repoidx.toml", "max_line = 1000\n");
    for command in commands {
        assert!(!longest(command).0, "{command:?}");
    }
}

#[test]
fn a_definition_of_usual_length_is_shown_whole() {
    let body: String = (0..70).map(|number| format!("    x{number} = {number}\n")).collect();
    let text = format!("def tabulate():\n{body}\n\ndef longer():\n{body}{body}");
    let repo = TestRepo::new().file("a.py", &text).commit("first");
    for arguments in [vec!["show", "tabulate"], vec!["ask", "show the function tabulate"]] {
        let shown = repo.run(&arguments).code(0).stdout;
        assert!(shown.contains("x69 = 69") && !shown.contains("more line"), "{shown}");
    }
    assert!(repo.run(["show", "longer"]).code(0).stdout.contains("more line"));
}

#[test]
fn a_function_is_no_method_and_the_count_is_that_of_the_state() {
    let repo = shop().commit("first");
    let count = |kind: &str| repo.run(["search", "--count", "--kind", kind]).code(0).stdout.trim().to_owned();
    let counts = repo.run(["status", "--counts"]).code(0).stdout;
    let listed = repo.run(["search", "--kind", "function"]).code(0).stdout;
    assert!(!listed.contains("  method  "), "{listed}");
    for kind in ["function", "method"] {
        let line = counts.lines().find(|line| line.contains(kind)).unwrap_or_else(|| panic!("{kind}: {counts}"));
        assert!(line.split_whitespace().any(|word| word == count(kind)), "{kind} {}: {counts}", count(kind));
    }
}

/// A variable is found by the parts of its name, by its value and by the comment above it.
#[test]
fn variables_are_found_by_what_describes_them() {
    let repo = TestRepo::new()
        .file(
            "app.py",
            "class App:\n    default_config = {\"debug\": None}\n\n    # Seconds until a connection is given up.\n    patience = 30\n\n\nGREETING = \"hello world\"\n",
        )
        .file("other.py", "def config():\n    return 1\n\n\nSTYLES = {}\n")
        .commit("first");
    let first = |query: &str| {
        let text = repo.run(["search", query, "--kind", "variable"]).code(0).stdout;
        text.split_whitespace().next().unwrap_or_default().to_owned()
    };
    assert_eq!(first("default config values"), "app.App.default_config");
    assert_eq!(first("config"), "app.App.default_config");
    assert_eq!(first("seconds of a connection"), "app.App.patience");
    assert_eq!(first("hello world"), "app.GREETING");
}
