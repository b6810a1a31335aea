//! `export scip`: what a code host reads, checked with the format's own types.

use std::collections::{BTreeMap, BTreeSet};

use expect_test::expect;
use protobuf::Message;
use scip::{
    symbol::parse_symbol,
    types::{Index, Occurrence, SymbolRole, descriptor::Suffix},
};

use crate::harness::{TestRepo, package_files, package_text};

fn exported(repo: &TestRepo) -> Index {
    let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
    let output = command.args(["export", "scip"]).output().expect("the binary was built");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    Index::parse_from_bytes(&output.stdout).expect("the messages are one index")
}

fn is_definition(occurrence: &Occurrence) -> bool {
    occurrence.symbol_roles & SymbolRole::Definition as i32 != 0
}

/// The text of an occurrence's range.
fn text<'t>(source: &'t str, occurrence: &Occurrence) -> &'t str {
    let [line, start, end] = occurrence.range[..] else { panic!("one line: {:?}", occurrence.range) };
    let line = source.lines().nth(usize::try_from(line).expect("no negative line")).unwrap_or_default();
    &line[usize::try_from(start).expect("no negative column")..usize::try_from(end).expect("no negative column")]
}

/// `path:line: text roles symbol`, a line for each occurrence.
fn listed(repo: &TestRepo) -> String {
    let mut lines = Vec::new();
    for document in exported(repo).documents {
        let source = std::fs::read_to_string(repo.root().join(&document.relative_path)).expect("the file is there");
        for occurrence in &document.occurrences {
            let roles = [(1, "defines"), (2, "imports"), (4, "writes"), (8, "reads"), (32, "in a test")];
            let roles = roles.iter().filter(|(bit, _)| occurrence.symbol_roles & bit != 0).map(|(_, word)| *word);
            let (roles, line) = (roles.collect::<Vec<_>>().join(" "), occurrence.range[0] + 1);
            let symbol = occurrence.symbol.strip_prefix("repoidx python . . ").expect("our scheme");
            lines.push(format!("{}:{line}: {:?} {roles} {symbol}", document.relative_path, text(&source, occurrence)));
        }
    }
    lines.join("\n")
}

#[test]
fn each_identifier_that_names_a_definition_is_an_occurrence() {
    let repo = TestRepo::new()
        .file(
            "shop/cart.py",
            "class Cart:\n    limit = 3\n\n    def total(self):\n        return self.limit\n\n\nclass Sale(Cart):\n    def total(self):\n        return super().total()\n",
        )
        .file("shop/__init__.py", "")
        .file("app.py", "from shop.cart import Cart\n\n\ndef main(é=1):\n    cart = Cart()\n    é; alias = cart.total()\n    run = main\n")
        .file("tests/test_app.py", "import app\n\n\ndef test_main():\n    app.main()\n")
        .commit("first");
    expect![[r#"
        app.py:1: "" defines app/__init__:
        app.py:1: "shop" imports shop/__init__:
        app.py:1: "cart" imports `shop.cart`/__init__:
        app.py:1: "Cart" imports `shop.cart`/Cart#
        app.py:4: "main" defines app/main().
        app.py:5: "Cart" reads `shop.cart`/Cart#
        app.py:6: "total" reads `shop.cart`/Cart#total().
        app.py:7: "main" reads app/main().
        shop/__init__.py:1: "" defines shop/__init__:
        shop/cart.py:1: "" defines `shop.cart`/__init__:
        shop/cart.py:1: "Cart" defines `shop.cart`/Cart#
        shop/cart.py:2: "limit" defines `shop.cart`/Cart#limit.
        shop/cart.py:4: "total" defines `shop.cart`/Cart#total().
        shop/cart.py:5: "limit" reads `shop.cart`/Cart#limit.
        shop/cart.py:8: "Sale" defines `shop.cart`/Sale#
        shop/cart.py:8: "Cart" reads `shop.cart`/Cart#
        shop/cart.py:9: "total" defines `shop.cart`/Sale#total().
        shop/cart.py:10: "total" reads `shop.cart`/Cart#total().
        tests/test_app.py:1: "" defines `tests.test_app`/__init__:
        tests/test_app.py:1: "app" imports in a test app/__init__:
        tests/test_app.py:4: "test_main" defines `tests.test_app`/test_main().
        tests/test_app.py:5: "main" reads in a test app/main()."#]]
    .assert_eq(&listed(&repo));
}

#[test]
fn overrides_and_subclasses_are_implementations() {
    let repo = TestRepo::new()
        .file("a.py", "class Base:\n    def run(self): ...\n\n\nclass Job(Base):\n    def run(self): ...\n")
        .commit("first");
    let index = exported(&repo);
    let related = index.documents[0].symbols.iter().flat_map(|symbol| {
        symbol.relationships.iter().map(move |other| {
            let is_use = if other.is_reference { ", a use of the one is a use of the other" } else { "" };
            let name = |symbol: &str| symbol.rsplit(' ').next().expect("not empty").to_owned();
            format!("{} implements {}: {}{is_use}", name(&symbol.symbol), name(&other.symbol), other.is_implementation)
        })
    });
    expect![[r#"
        a/Job# implements a/Base#: true
        a/Job#run(). implements a/Base#run().: true, a use of the one is a use of the other"#]]
    .assert_eq(&related.collect::<Vec<_>>().join("\n"));
}

/// Two scripts of one name, a name that is defined twice, and a property with its setter.
#[test]
fn each_definition_has_a_symbol_of_its_own() {
    let repo = TestRepo::new()
        .file("one/run.py", "def main(): ...\n")
        .file("two/run.py", "def main(): ...\n\n\ndef main(): ...\n\n\nclass A: ...\n\n\nclass A: ...\n")
        .commit("first");
    let index = exported(&repo);
    let symbols = index.documents.iter().flat_map(|document| &document.symbols).map(|symbol| symbol.symbol.clone());
    expect![[r#"
        repoidx python . . `one.run`/__init__:
        repoidx python . . `one.run`/main().
        repoidx python . . `two.run`/__init__:
        repoidx python . . `two.run`/main().
        repoidx python . . `two.run`/main(+1).
        repoidx python . . `two.run`/A#
        repoidx python . . `two.run`/`A@2`#"#]]
    .assert_eq(&symbols.collect::<Vec<_>>().join("\n"));
}

/// The rules of the format, on every Python file of the fixtures: symbols can be read, ranges hold the name, each
/// definition has its description, and whatever is referred to is defined.
#[test]
fn the_index_keeps_the_rules_of_the_format() {
    let mut repo = TestRepo::new();
    let mut sources = BTreeMap::new();
    for path in package_files("fixtures/sample").into_iter().chain(package_files("fixtures/python")) {
        if path.ends_with(".py") {
            let source = package_text(&path);
            repo = repo.file(&path, &source);
            sources.insert(path, source);
        }
    }
    let index = exported(&repo.commit("first"));
    assert_eq!(index.metadata.tool_info.name, "repoidx");
    assert!(index.metadata.project_root.starts_with("file:///"), "{}", index.metadata.project_root);
    let all = || index.documents.iter().flat_map(|document| document.occurrences.iter().map(move |at| (document, at)));
    let defined: BTreeSet<&str> = all().filter(|(_, at)| is_definition(at)).map(|(_, at)| at.symbol.as_str()).collect();
    let described: BTreeSet<&str> =
        index.documents.iter().flat_map(|document| &document.symbols).map(|symbol| symbol.symbol.as_str()).collect();
    assert_eq!(defined, described);
    let mut references = 0;
    for (document, occurrence) in all() {
        let symbol = parse_symbol(&occurrence.symbol).expect("the symbol has the format's syntax");
        let last = symbol.descriptors.last().expect("a symbol ends in a descriptor");
        if last.suffix != Suffix::Meta.into() {
            let source = &sources[&document.relative_path];
            let name = last.name.split('@').next().expect("not empty");
            let written = text(source, occurrence);
            let is_constructor = matches!(name, "__init__" | "__new__" | "__post_init__" | "__call__");
            assert!(written == name || is_constructor, "{written} {} {occurrence:?}", document.relative_path);
        }
        references += usize::from(!is_definition(occurrence));
        assert!(defined.contains(occurrence.symbol.as_str()), "{occurrence:?}");
    }
    assert!(references > 100, "{references}");
}

/// The stub of a module has another name than the module; what the module imports is meant all the same.
#[test]
fn a_name_that_a_module_imports_is_not_hidden_by_its_stub() {
    let repo = TestRepo::new()
        .file("src/pkg/__init__.py", "")
        .file("src/pkg/_make.py", "def pipe(*parts):\n    return parts\n")
        .file("src/pkg/tools.py", "from ._make import pipe\n\n__all__ = [\"pipe\"]\n")
        .file("src/pkg/tools.pyi", "def pipe(*parts: int) -> int: ...\n")
        .file("src/use.py", "from pkg.tools import pipe\n\n\ndef run():\n    return pipe(1)\n")
        .commit("first");
    for (asked, expected) in [
        (["refs", "pkg.tools.pipe"], "src/use.py:5"),
        (["impact", "pkg.tools.pipe"], "use.run"),
        (["ask", "what breaks if I change pkg.tools.pipe?"], "use.run"),
    ] {
        let answer = repo.run(asked).code(0).stdout;
        assert!(answer.contains(expected), "{asked:?}: {answer}");
    }
}
