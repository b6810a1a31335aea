//! `repoidx schema`: each answer holds to the schema that is promised for it, and the schema leaves no field out.

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::harness::{TestRepo, package_text};

/// A repository with something for every field: a class tree, a test, a document, an unresolved call, a change.
fn shop() -> TestRepo {
    let repo = TestRepo::new()
        .file("README.md", "# Shop\n\n## Prices\n\n`shop.prices.price` rounds an amount.\n")
        .file("shop/__init__.py", "")
        .file("shop/prices.py", "import functools\n\n\n@functools.cache\ndef price(amount, digits=2):\n    \"\"\"Round an amount.\"\"\"\n    return round(amount, digits)\n")
        .file(
            "shop/cart.py",
            "from shop.prices import price\n\n\nclass Offer:\n    def offered(self, count):\n        return count\n\n\nclass Base:\n    def show(self):\n        return self.sum()\n\n    def sum(self):\n        raise NotImplementedError\n\n\nclass Cart(Base):\n    async def load(self, source):\n        return source.offered(1)\n\n    def sum(self):\n        return price(1, digits=3)\n",
        )
        .file("tests/test_cart.py", "from shop.cart import Cart\n\n\ndef test_sum():\n    assert Cart().sum() == 1\n")
        .commit("first");
    repo.write("shop/prices.py", "def price(amount, currency):\n    return round(amount)\n");
    repo
}

fn schema(repo: &TestRepo, name: &str) -> Value {
    serde_json::from_str(&repo.run(["schema", name]).code(0).stdout).expect("a schema is JSON")
}

/// The schema with every object closed: a field that it does not describe is an error.
fn closed(schema: &mut Value) {
    let mut opened = Vec::new();
    extended(schema, &mut opened);
    close(schema, "", &opened);
}

/// Collects the definitions to which other parts of the schema add fields: those parts close them.
fn extended(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(parts) => {
            if let Some(Value::String(definition)) = parts.get("$ref").filter(|_| parts.contains_key("properties")) {
                found.extend(definition.rsplit('/').next().map(str::to_owned));
            }
            parts.values().for_each(|part| extended(part, found));
        }
        Value::Array(parts) => parts.iter().for_each(|part| extended(part, found)),
        _ => {}
    }
}

fn close(schema: &mut Value, name: &str, opened: &[String]) {
    match schema {
        Value::Object(parts) => {
            let is_closed = parts.contains_key("additionalProperties") || opened.iter().any(|open| open == name);
            if parts.contains_key("properties") && !is_closed {
                parts.insert("unevaluatedProperties".to_owned(), json!(false));
            }
            parts.iter_mut().for_each(|(name, part)| close(part, name, opened));
        }
        Value::Array(parts) => parts.iter_mut().for_each(|part| close(part, "", opened)),
        _ => {}
    }
}

fn errors(validator: &Validator, answer: &Value) -> Vec<String> {
    validator.iter_errors(answer).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

#[test]
fn every_answer_holds_to_its_schema() {
    let repo = shop();
    let root = repo.root().display().to_string();
    let json = ["--format", "json"];
    let cases: Vec<(&str, Vec<&str>)> = vec![
        ("status", vec!["status"]),
        ("impact", vec!["impact", "price"]),
        ("impact", vec!["impact", "price", "--param", "currency", "--explain"]),
        ("impact", vec!["impact", "Cart.sum", "--change", "rename"]),
        ("impact", vec!["impact", "--diff"]),
        ("impact_compact", vec!["impact", "price", "--compact"]),
        ("review", vec!["review", "--worktree"]),
        ("refs", vec!["refs", "price", "--possible", "--explain"]),
        ("refs", vec!["refs", "Base.sum", "--like", "rounding"]),
        ("show", vec!["show", "Cart"]),
        ("show", vec!["show", "Cart.sum"]),
        ("show", vec!["show", "shop/prices.py:1"]),
        ("show", vec!["show", "shop/cart.py:1"]),
        ("section", vec!["show", "README.md:3"]),
        ("tree", vec!["tree", "Base"]),
        ("tree", vec!["tree", "shop/cart.py"]),
        ("answer", vec!["ask", "who calls price?"]),
        ("answer", vec!["ask", "what breaks if I change price?"]),
        ("answer", vec!["ask", "which classes derive from Base?"]),
        ("answer", vec!["ask", "which async methods are there?"]),
        ("answer", vec!["ask", "how large are the files?"]),
        ("answers", vec!["--repo", &root, "--repo", &root, "ask", "who calls price?"]),
        ("plan", vec!["ask", "who calls price in shop/cart.py?", "--plan"]),
        ("search", vec!["search", "round an amount", "--explain"]),
        ("search", vec!["search", "price|sum", "--regex"]),
        ("search", vec!["--repo", &root, "--repo", &root, "search", "prices"]),
        ("files", vec!["search", "--files", "round an amount", "--explain"]),
        ("files", vec!["--repo", &root, "--repo", &root, "search", "--files", "prices"]),
        ("definitions", vec!["search", "--kind", "method"]),
        ("imports", vec!["search", "price", "--kind", "import"]),
        ("imports", vec!["--repo", &root, "--repo", &root, "search", "price", "--kind", "import"]),
        ("map", vec!["map"]),
        ("context", vec!["context", "--at", "shop/cart.py:17"]),
        ("doctor", vec!["doctor"]),
    ];
    let mut problems = Vec::new();
    let mut seen = Vec::new();
    let mut check = |name: &str, arguments: &[&str], answer: &Value| {
        let schema = schema(&repo, name);
        jsonschema::meta::validate(&schema).expect("a schema follows the standard");
        let open = jsonschema::validator_for(&schema).expect("a schema can be used");
        let mut strict = schema.clone();
        closed(&mut strict);
        let strict = jsonschema::validator_for(&strict).expect("a closed schema can be used");
        for error in errors(&open, answer).into_iter().chain(errors(&strict, answer)) {
            problems.push(format!("{name} ({}): {}", arguments.join(" "), error.chars().take(300).collect::<String>()));
        }
        seen.push(name.to_owned());
    };
    for (name, arguments) in &cases {
        let all: Vec<&str> = arguments.iter().copied().chain(json).collect();
        let run = repo.run(&all).code(0);
        let answer = serde_json::from_str(&run.stdout).expect("an answer is JSON");
        check(name, arguments, &answer);
    }
    for (name, list) in [
        ("entities", vec!["export", "entities"]),
        ("edges", vec!["export", "edges", "--possible"]),
        ("candidates", vec!["export", "candidates"]),
        ("lines", vec!["export", "lines"]),
        ("sections", vec!["export", "sections"]),
        ("jsonl", vec!["export", "jsonl"]),
        ("langchain", vec!["export", "jsonl", "--format", "langchain"]),
        ("llamaindex", vec!["export", "jsonl", "--format", "llamaindex"]),
    ] {
        let lines = repo.run(&list).code(0).stdout;
        assert!(!lines.is_empty(), "{list:?} lists nothing");
        for line in lines.lines() {
            check(name, &list, &serde_json::from_str(line).expect("a line of JSON"));
        }
    }
    problems.dedup();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    // Nothing that is listed goes unchecked.
    for line in repo.run(["schema"]).code(0).stdout.lines() {
        let name = line.split(' ').next().expect("a name").to_owned();
        assert!(seen.contains(&name), "no answer was checked against {name}");
    }
}

#[test]
fn a_schema_says_which_document_it_describes() {
    let repo = shop();
    let impact = schema(&repo, "impact");
    assert_eq!(impact["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(impact["properties"]["schema"]["const"], "repoidx.impact");
    assert_eq!(schema(&repo, "ask")["title"], "repoidx.answer");
    assert_eq!(schema(&repo, "repoidx.refs"), schema(&repo, "refs"));
    // A wrong document is told from a right one.
    let validator = jsonschema::validator_for(&impact).expect("a schema can be used");
    assert!(!validator.is_valid(&json!({"schema": "repoidx.impact"})));
    let run = repo.run(["schema", "weather"]).code(2);
    assert!(run.stderr.contains("`weather` has no answer with a schema"), "{}", run.stderr);
    // Every promised document has one.
    let promised = package_text("docs/stability.md");
    for line in repo.run(["schema"]).code(0).stdout.lines().filter(|line| !line.contains(" export ")) {
        let name = line.split(' ').next().expect("a name");
        assert!(promised.contains(&format!("`repoidx.{name}`")), "docs/stability.md does not name {name}");
    }
}
