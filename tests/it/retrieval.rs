//! Searching, mapping and collecting context, as people and agents call them.

use expect_test::expect;
use repoidx::git::Repository;

use crate::{
    harness::TestRepo,
    snapshot::{differences, snapshot},
    twins::{chains, flask},
};

/// A small shop: prices, carts and a session that signs cookies.
fn shop() -> TestRepo {
    TestRepo::new()
        .file(
            "shop/pricing.py",
            "\"\"\"What things cost.\"\"\"\n\nCURRENCY = \"EUR\"\n\n\ndef round_price(amount):\n    \"\"\"Round to whole cents.\"\"\"\n    return round(amount, 2)\n",
        )
        .file(
            "shop/cart.py",
            "from shop.pricing import round_price\n\n\nclass Cart:\n    \"\"\"What somebody wants to buy.\"\"\"\n\n    def __init__(self, owner, limit=10):\n        self.items = []\n\n    def add(self, item):\n        self.items.append(item)\n\n    def total(self):\n        return round_price(sum(item.price for item in self.items))\n",
        )
        .file(
            "shop/session.py",
            "def sign_cookie(value, secret):\n    \"\"\"Signs a cookie so that nobody else can change it.\"\"\"\n    return secret + value\n\n\ndef read_cookie(text):\n    return text.split(\".\")\n",
        )
        .file("shop/main.py", "from shop.cart import Cart\n\n\ndef checkout(owner):\n    cart = Cart(\n        owner\n    )\n    return cart.total()\n")
        .file("tests/test_cart.py", "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart(\"me\").total() == 0\n")
        .commit("first")
}

/// The names in a list of a report.
fn names(report: &str, list: &str) -> Vec<String> {
    let report: serde_json::Value = serde_json::from_str(report).expect("a report is JSON");
    let list = report[list].as_array().expect("a report has this list");
    list.iter().map(|entry| entry["name"].as_str().expect("entries have names").to_owned()).collect()
}

/// Whether a text has at most this many tokens, by the estimate that no usual tokenizer exceeds.
fn fits(text: &str, most: usize) -> bool {
    repoidx::ask::context::tokens::tokens(text) <= most
}

fn hits(repo: &TestRepo, arguments: &[&str]) -> Vec<String> {
    let arguments = ["search", "--format", "json"].iter().chain(arguments);
    names(&repo.run(arguments).code(0).stdout, "hits")
}

#[test]
fn a_question_in_words_finds_what_it_is_about() {
    let repo = shop();
    assert_eq!(hits(&repo, &["where are cookies signed?", "-k", "1"]), ["shop.session.sign_cookie"]);
    assert_eq!(hits(&repo, &["rounding of prices", "-k", "1"]), ["shop.pricing.round_price"]);
}

/// Tests say the words of the code again and again.
#[test]
fn a_word_stays_telling_however_many_tests_repeat_it() {
    let code = "def open_drawer(session):\n    return session\n\n\ndef count_coins(drawer):\n    return len(drawer)\n\n\n\
                def begin_session(clerk):\n    return clerk\n\n\ndef sort_coins(drawer):\n    return sorted(drawer)\n";
    let test = |number: u32| format!("def test_session_{number}():\n    session = {number}\n    assert session\n\n\n");
    let tests: String = (0..40).map(test).collect();
    let found = |repo: TestRepo| hits(&repo, &["drawer of a session", "--in", "till.py"]);
    let without_tests = found(TestRepo::new().file("till.py", code).commit("first"));
    assert_eq!(without_tests[..2], ["till.open_drawer", "till.begin_session"]);
    let with_tests = found(TestRepo::new().file("till.py", code).file("tests/test_till.py", tests).commit("first"));
    assert_eq!(with_tests, without_tests);
}

#[test]
fn a_long_function_is_found_by_one_of_its_pieces_and_shown_once_as_a_whole() {
    let fill = |verb: &str| {
        format!("    for row in rows:\n        {verb}(row)\n        row.{verb}_all(row)\n        print(row)\n")
            .repeat(15)
    };
    let seal =
        "    seal = encrypt(cookie, secret_key)\n    cookie.signature = hmac_digest(seal, secret_key)\n".repeat(12);
    let text = format!("def run(rows, cookie):\n{}{seal}{}", fill("load"), fill("draw"));
    let repo = TestRepo::new().file("app.py", text).file("other.py", "def paint(rows):\n    pass\n").commit("first");
    let run = repo.run(["search", "encrypt and sign the cookie", "--kind", "function"]).code(0);
    run.stdout(expect![[r#"
        app.run  function  app.py:1-145
            nearest: lines 58-117
        other.paint  function  other.py:1-2
    "#]]);
    let run = repo.run(["search", "run", "--kind", "function", "-k", "1"]).code(0);
    assert!(run.stdout.starts_with("app.run  function  app.py:1-145\n"), "{}", run.stdout);
}

#[test]
fn pieces_follow_edits_as_a_full_build_makes_them() {
    let text = |before: usize, inside: &str, after: usize| {
        let fill = |count: usize| "    for row in rows:\n        row.load()\n        print(row)\n".repeat(count);
        format!(
            "X = 1\n\n\ndef run(rows):\n{}    {inside}(rows)\n{}\n\ndef last():\n    pass\n",
            fill(before),
            fill(after)
        )
    };
    let repo = TestRepo::new().file("app.py", text(20, "first", 20)).commit("first");
    repo.run(["index"]).code(0);
    for (before, inside, after) in
        [(20, "second", 20), (21, "second", 20), (45, "second", 20), (2, "third", 1), (30, "x", 9)]
    {
        repo.write("app.py", text(before, inside, after));
        repo.run(["search", "load"]).code(0);
        let updated = snapshot(&Repository::open(&repo.root()).unwrap());
        let fresh = TestRepo::clone_of(&repo);
        fresh.write("app.py", text(before, inside, after));
        fresh.run(["index"]).code(0);
        let differences = differences(&updated, &snapshot(&Repository::open(&fresh.root()).unwrap()));
        assert!(differences.is_empty(), "{before} {inside} {after}:\n{}", differences.join("\n"));
    }
}

#[test]
fn a_name_that_is_spelled_out_comes_first() {
    let repo = shop();
    assert_eq!(hits(&repo, &["show the total method in the cart class", "-k", "1"]), ["shop.cart.Cart.total"]);
    assert_eq!(hits(&repo, &["Cart", "-k", "1"]), ["shop.cart.Cart"]);
    assert_eq!(hits(&repo, &["Cart.add", "-k", "1"]), ["shop.cart.Cart.add"]);
    assert_eq!(hits(&repo, &["what does ROUND_PRICE do", "-k", "1"]), ["shop.pricing.round_price"]);
    assert_eq!(hits(&repo, &["read cookie", "-k", "1"]), ["shop.session.read_cookie"]);
}

#[test]
fn filters_leave_out_what_they_say() {
    let repo = shop();
    assert!(hits(&repo, &["cart total", "--kind", "class"]).iter().all(|name| name == "shop.cart.Cart"));
    assert_eq!(hits(&repo, &["total", "--in", "tests", "--kind", "function"]), ["tests.test_cart.test_total"]);
    repo.write("docs/cookies.md", "# Cookies\n\nCookies are signed by `sign_cookie`.\n");
    assert_eq!(hits(&repo, &["cookie", "--language", "markdown"]), ["Cookies"]);
    assert!(!hits(&repo, &["cookie", "--language", "python"]).contains(&"Cookies".to_owned()));
    repo.run(["-q", "search", "cookie", "--language", "cobol"]).code(2);
    repo.write("shop/session.py", "def verify_cookie(value):\n    return value\n");
    assert_eq!(
        hits(&repo, &["cookie", "--changed-since", "HEAD", "--kind", "function"]),
        ["shop.session.verify_cookie"]
    );
}

#[test]
fn references_are_kept_where_the_code_around_them_is_about_a_text() {
    let repo = shop();
    repo.write(
        "shop/export.py",
        "from shop.pricing import round_price\n\n\ndef write_spreadsheet(rows, path):\n    for row in rows:\n        path.write(round_price(row))\n",
    );
    let places = |arguments: &[&str]| {
        let arguments = ["refs", "round_price", "--format", "json"].iter().chain(arguments);
        let mut names = names(&repo.run(arguments).code(0).stdout, "references");
        names.dedup();
        names
    };
    let all = places(&[]);
    assert!(
        all.contains(&"shop.cart.Cart.total".to_owned()) && all.contains(&"shop.export.write_spreadsheet".to_owned())
    );
    assert_eq!(places(&["--like", "prices", "--min-similarity", "-1"]).len(), all.len());
    let near = places(&["--like", "write rows of a spreadsheet", "--min-similarity", "0.5"]);
    assert_eq!(near, ["shop.export.write_spreadsheet"]);
    assert_eq!(places(&["--like", "write rows of a spreadsheet", "--min-similarity", "1"]), Vec::<String>::new());
    repo.run(["-q", "refs", "round_price", "--min-similarity", "0.5"]).code(2);
}

#[test]
fn names_are_found_by_a_part_or_a_pattern() {
    let repo = shop();
    assert_eq!(hits(&repo, &["--regex", "_cookie"]), ["shop.session.read_cookie", "shop.session.sign_cookie"]);
    assert_eq!(hits(&repo, &["--regex", r"Cart\.(add|tot.*)$"]), ["shop.cart.Cart.add", "shop.cart.Cart.total"]);
    assert_eq!(hits(&repo, &["--regex", "nothing"]), Vec::<String>::new());
    repo.run(["-q", "search", "--regex", "("]).code(2);
}

#[test]
fn an_edit_is_found_at_once_and_what_it_removed_no_more() {
    let repo = shop();
    assert_eq!(hits(&repo, &["sign_cookie", "-k", "1"]), ["shop.session.sign_cookie"]);
    repo.write("shop/session.py", "def seal_cookie(value):\n    return value\n");
    assert!(!hits(&repo, &["sign_cookie"]).contains(&"shop.session.sign_cookie".to_owned()));
    assert_eq!(hits(&repo, &["seal_cookie", "-k", "1"]), ["shop.session.seal_cookie"]);
}

#[test]
fn absurd_questions_have_an_answer_and_say_what_is_missing() {
    let repo = shop();
    for question in ["", " "] {
        repo.run(["search", "--", question]).code(2);
    }
    for question in ["\"", "* OR (", "NEAR(a b)", "'; --", "\u{202e}?", "ü", &"long ".repeat(5_000)] {
        repo.run(["search", "--", question]).code(0);
    }
    repo.run(["search", "--", "?!"]).code(0).stdout(expect![[r#"
        nothing here fits the question
        note: no word of the question is in the table of the static-3 embedder
    "#]]);
    repo.run(["-q", "search", "x", "--changed-since", "nowhere"]).code(2);
    repo.run(["-q", "search", "x", "-k", "0"]).code(2);
}

#[test]
fn questions_in_a_file_are_answered_in_their_order() {
    let repo = shop();
    repo.write("questions.jsonl", "{\"id\":7,\"query\":\"sign cookie\"}\n\n{\"id\":\"b\",\"query\":\"Cart.total\"}\n");
    let file = repo.root().join("questions.jsonl");
    let file = file.to_str().unwrap();
    let out = repo.run(["search", "--queries", file, "-k", "1", "--format", "json"]).code(0).stdout;
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["id"], &lines[1]["id"]), (&7.into(), &"b".into()));
    assert_eq!(lines[1]["hits"][0]["name"], "shop.cart.Cart.total");
    repo.write("questions.jsonl", "{\"id\":7}\n");
    let run = repo.run(["-q", "search", "--queries", file]).code(2);
    assert!(run.stderr.contains("line 1: missing field `query`"), "{}", run.stderr);
    repo.run(["-q", "search", "--queries", "nowhere.jsonl"]).code(2);
}

/// An issue about the session that talks of carts at length.
const ISSUE: &str = "Signed cookie can be changed

I have a cart with a total. The cart has an owner and items, and I add an item to the cart before the total is rounded.

```python
from shop.cart import Cart
Cart('me').add(item)
```

Then this fails, and the price of the cart is not what I expect:

Traceback (most recent call last):
  File \"/home/me/work/shop/session.py\", line 3, in sign_cookie
TypeError: can only concatenate str (not 'NoneType') to str
";

#[test]
fn an_issue_is_about_the_files_that_its_title_and_its_traceback_say() {
    let repo = shop();
    let report = repo.run(["search", "--files", ISSUE, "--format", "json"]).code(0).stdout;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["schema"], "repoidx.files");
    let first = &report["files"][0];
    assert_eq!(first["path"], "shop/session.py");
    assert_eq!(first["definitions"][0]["name"], "shop.session.sign_cookie");
    let evidence: Vec<&str> = first["evidence"].as_array().unwrap().iter().filter_map(|word| word.as_str()).collect();
    assert!(evidence.contains(&"definitions fit the title"), "{evidence:?}");
    assert_eq!(hits(&repo, &[ISSUE, "-k", "1"]), ["shop.session.sign_cookie"], "definitions follow their files");
}

#[test]
fn files_of_a_short_question_are_those_of_its_definitions() {
    let repo = shop();
    repo.run(["-q", "search", "--files", "rounding of prices", "-k", "1"]).code(0).stdout(expect![[r#"
        shop/pricing.py
            has the words of the text; called like a word of the title; definitions fit the title
            shop.pricing.round_price  function  lines 6-8
            shop.pricing  module  lines 1-8
    "#]]);
    repo.write("questions.jsonl", "{\"id\":7,\"query\":\"the total of a cart\"}\n");
    let file = repo.root().join("questions.jsonl");
    let batch = ["search", "--files", "--queries", file.to_str().unwrap(), "-k", "1", "--in", "tests"];
    let line: serde_json::Value = serde_json::from_str(&repo.run(batch).code(0).stdout).unwrap();
    assert_eq!((&line["id"], &line["files"][0]["path"]), (&7.into(), &"tests/test_cart.py".into()));
}

#[test]
fn an_issue_of_any_length_has_an_answer() {
    let repo = shop();
    let log = "12:03 cart.py: total of \u{fffd} is `nan`: ValueError: 'no such item in the cart'\n".repeat(1_200);
    for text in [log.as_str(), "\n\n```\n", "Traceback (most recent call last):\n", "``````\n'\n\""] {
        repo.run(["search", "--files", text]).code(0);
        repo.run(["search", text]).code(0);
    }
}

#[test]
fn an_explained_hit_says_its_rank_in_each_list() {
    let repo = shop();
    let report =
        repo.run(["search", "signing of the cookie", "-k", "1", "--explain", "--format", "json"]).code(0).stdout;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let explain = &report["hits"][0]["explain"];
    assert_eq!((&explain["lexical_rank"], &explain["vector_rank"]), (&1.into(), &1.into()));
    assert_eq!(explain["features"]["bm25"], 1.0);
    let parts: f64 = explain["parts"].as_object().unwrap().values().filter_map(serde_json::Value::as_f64).sum();
    assert!((parts - report["hits"][0]["score"].as_f64().unwrap()).abs() < 0.001, "{explain}");
}

#[test]
fn a_map_begins_with_what_most_code_leads_to_and_keeps_its_budget() {
    let repo = shop();
    let text = repo.run(["map", "--tokens", "60"]).code(0).stdout;
    assert!(fits(&text, 60), "{text}");
    let names = |arguments: &[&str]| {
        names(&repo.run(["map", "--format", "json"].iter().chain(arguments)).code(0).stdout, "entities")
    };
    let all = names(&[]);
    assert!(all[0].starts_with("shop."), "{all:?}");
    assert_eq!(all.last().unwrap(), "tests.test_cart.test_total");
    assert_eq!(names(&["--focus", "sign_cookie"])[0], "shop.session.sign_cookie");
    assert_eq!(names(&["--focus", "sign_cookie", "--rank", "diffuse"])[0], "shop.session.sign_cookie");
    assert!(names(&["--file", "shop/session.py"])[0].starts_with("shop.session."));
    assert_eq!(names(&["--focus", "shop/session.py"]), names(&["--file", "shop/session.py"]));
    repo.write("shop/pricing.py", "def round_price(amount):\n    return amount\n");
    assert!(names(&["--changed"])[..3].contains(&"shop.pricing.round_price".to_owned()));
    repo.run(["-q", "map", "--file", "nowhere.py"]).code(2);
    repo.run(["-q", "map", "--tokens", "0"]).code(2);
}

#[test]
fn a_context_begins_with_the_signature_of_what_is_called_and_leaves_out_what_is_seen() {
    let repo = shop();
    let text = repo.run(["context", "--at", "shop/main.py:6:9", "--tokens", "500"]).code(0).stdout;
    assert!(text.starts_with("# shop/cart.py\n# 7 in Cart: def __init__(self, owner, limit=10)"), "{text}");
    assert!(!text.contains("def checkout"), "{text}");
    assert!(fits(&text, 500));
    let markdown = repo.run(["context", "--at", "shop/main.py:8", "--style", "markdown"]).code(0).stdout;
    assert!(markdown.starts_with("shop/cart.py\n```python\n# 13 in Cart\ndef total(self)"), "{markdown}");
    assert_eq!(markdown.matches("```").count(), 2 * markdown.matches("```python").count(), "{markdown}");
    for place in ["shop/main.py", "shop/main.py:0", "nowhere.py:1", "shop/main.py:x", ":3"] {
        repo.run(["-q", "context", "--at", place]).code(2);
    }
    repo.run(["-q", "context", "--at", "shop/main.py:99999"]).code(2);
    repo.run(["context", "--at", "shop/main.py:8:99999"]).code(0);
}

#[test]
fn what_a_question_wants_to_be_shown_is_first_and_whole() {
    let chains = chains();
    let repo = chains.file(
        "lib/arrays.py",
        "class ExtensionArray:\n    def value_counts(self):\n        raise NotImplementedError\n\n\n\
         class ArrowExtensionArray(ExtensionArray):\n    def value_counts(self, dropna=True):\n        counts = {}\n\
         \x20       return counts\n",
    );
    for (question, first) in [
        (
            "show the embed_documents method in the AlephAsymmetricEmbedding class",
            "lib.embeddings.aleph.AlephAsymmetricEmbedding.embed_documents lib/embeddings/aleph.py:5-7",
        ),
        (
            "show the from_llm_and_tools method in the conversationalagent class",
            "lib.agents.conversational.ConversationalAgent.from_llm_and_tools lib/agents/conversational.py:2-4",
        ),
        ("Show the methods in the KNNRetriever class", "lib.retrievers.KNNRetriever lib/retrievers.py:10-24"),
        (
            "show the value_counts method in the ArrowExtensionArray class",
            "lib.arrays.ArrowExtensionArray.value_counts lib/arrays.py:7-9",
        ),
    ] {
        let run = repo.run(["search", question, "-k", "1", "--format", "json"]).code(0);
        let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        let hit = &report["hits"][0];
        let word = |field: &str| hit[field].as_str().unwrap().to_owned();
        let found = format!("{} {}:{}-{}", word("name"), word("path"), hit["start_line"], hit["end_line"]);
        assert_eq!(found, first, "{question}");
    }
}

#[test]
fn a_map_shows_the_way_of_a_request_and_without_a_focus_what_everything_rests_on() {
    let repo = flask();
    let map = |arguments: &[&str]| {
        names(&repo.run(["map", "--format", "json"].iter().chain(arguments)).code(0).stdout, "entities")
    };
    let around = map(&["--focus", "full_dispatch_request in Flask"]);
    assert_eq!(around[0], "flask.app.Flask.full_dispatch_request");
    for name in ["flask.app.Flask.wsgi_app", "flask.app.Flask.__call__"] {
        assert!(around[..5].iter().any(|other| other == name), "{around:?}");
    }
    let first: Vec<String> = map(&[]).into_iter().take(10).collect();
    for name in ["flask.app.Flask", "flask.sansio.scaffold.Scaffold", "flask.sansio.app.App"] {
        assert!(first.iter().any(|other| other == name), "{name}: {first:?}");
    }
    assert!(!first.iter().any(|name| name.starts_with("tests.")), "{first:?}");
    let text = |threads: &str| {
        let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
        command.args(["map", "--tokens", "300"]).env("RAYON_NUM_THREADS", threads).output().unwrap().stdout
    };
    let once = text("1");
    assert!(!once.is_empty() && text("2") == once && text("5") == once);
}

#[test]
fn inside_a_call_the_context_begins_with_the_signature_in_comments_and_not_with_the_call() {
    let repo = flask();
    repo.write(
        "src/views.py",
        "from flask import Blueprint\n\n\ndef make(prefix):\n    bp = Blueprint(\n        'name',\n    )\n    return bp\n",
    );
    let text = repo.run(["context", "--at", "src/views.py:6:9", "--style", "line-comment"]).code(0).stdout;
    assert!(text.starts_with("# src/flask/blueprints.py\n# 5"), "{text}");
    let signature =
        " in Blueprint: def __init__(self, name: str, import_name: str, url_prefix: str | None = None) -> None";
    assert!(text.lines().nth(1).is_some_and(|line| line.contains(signature)), "{text}");
    assert!(text.lines().all(|line| line.starts_with('#')) && !text.contains("def make("), "{text}");
}

#[test]
fn a_line_that_is_half_written_brings_what_it_needs() {
    let repo = TestRepo::new()
        .file(
            "shop/cart.py",
            "class Base:\n    def clear(self):\n        pass\n\n\nclass Cart(Base):\n    def __init__(self, owner):\n        self.owner = owner\n        self._old = 1\n\n\
             \x20   def add(self, item, count=1):\n        return count\n\n    def _drop(self):\n        pass\n",
        )
        .file("shop/main.py", "")
        .commit("first");
    let half = |line: &str, place: &str| {
        let code = format!(
            "from shop.cart import Cart\n\n\nclass Shop:\n    def sell(self, cart: Cart):\n        {line}\n\n        try:\n            cart.clear()\n        except KeyError:\n            pass\n"
        );
        repo.write("shop/main.py", &code);
        repo.run(["context", "--at", &format!("shop/main.py:6{place}"), "--tokens", "300"]).code(0).stdout
    };
    let receiver = "# shop/cart.py\n# 6-15: class Cart(Base)\n\
                    #     attributes: owner\n#     def __init__(self, owner)\n#     def add(self, item, count=1)\n";
    for (line, place) in
        [("total = cart.", ""), ("total = cart.", ":22"), ("if cart.a", ":18"), ("return cart.add", ":23")]
    {
        let text = half(line, place);
        assert!(text.starts_with(receiver), "{line}{place}\n{text}");
        assert!(text.contains("def clear(self)"), "{text}");
    }
    // The cursor stands before the dot.
    assert!(!half("total = cart.", ":20").starts_with(receiver));
    assert!(half("total = Cart(", "").starts_with("# shop/cart.py\n# 7 in Cart: "));
    assert!(half("", "").contains("class Cart(Base)"));
    // Between methods: what they can override.
    let place = "shop/cart.py:10";
    let text = repo.run(["context", "--at", place, "--tokens", "300"]).code(0).stdout;
    assert!(!text.contains("class Base"), "what is seen is not repeated: {text}");
    repo.write("shop/late.py", "from shop.cart import Cart\n\n\nclass Late(Cart):\n    due = 1\n\n");
    let text = repo.run(["context", "--at", "shop/late.py:6:5", "--tokens", "300"]).code(0).stdout;
    // A class uses the private members of its bases.
    let base = "# shop/cart.py\n# 6-15: class Cart(Base)\n\
                #     attributes: owner, _old\n#     def __init__(self, owner)\n#     def add(self, item, count=1)\n\
                #     def _drop(self)\n";
    assert!(text.starts_with(base), "{text}");
    let text = repo.run(["context", "--at", "shop/late.py:6:1", "--tokens", "300"]).code(0).stdout;
    assert!(!text.starts_with(base), "{text}");
    let whole = repo.root().join("shop/main.py");
    let run = repo.run(["context", "--at", &format!("{}:9:18", whole.display()), "--tokens", "300"]).code(0);
    assert!(run.stdout.starts_with(receiver), "{}", run.stdout);
}

#[test]
fn a_module_that_is_imported_or_used_brings_its_outline() {
    let repo = TestRepo::new()
        .file("shop/__init__.py", "from .parts import Part\n")
        .file(
            "shop/rules.py",
            "LIMIT = 3\n\n\ndef _own(): ...\n\n\ndef first(a: int) -> int:\n    \"\"\"Adds one. And more.\"\"\"\n    return a + 1\n\n\n\
             class Rule(dict):\n    \"\"\"One rule.\"\"\"\n\n    def apply(self): ...\n\n\ndef last(): ...\n",
        )
        .file("shop/parts/__init__.py", "from .part import Part\n")
        .file("shop/parts/part.py", "class Part:\n    \"\"\"A part.\"\"\"\n")
        .file(
            "shop/main.py",
            "from . import rules\nfrom .rules import first\nfrom . import parts as p\n\n\ndef run():\n    rules.last()\n\n\ndef make():\n    return p.\n",
        )
        .commit("first");
    let at = |place: &str| repo.run(["context", "--at", place, "--tokens", "600"]).code(0).stdout;
    // What the file uses comes first; private names are no part of it.
    let outline = "# shop/rules.py\n# 1: module shop.rules\n\
                   #     def first(a: int) -> int  # Adds one.\n\
                   #     def last()\n\
                   #     class Rule(dict)  # One rule.\n\
                   #     further names: LIMIT\n";
    assert!(at("shop/main.py:1:15").starts_with(outline), "{}", at("shop/main.py:1:15"));
    let used = at("shop/main.py:7:10");
    assert!(used.contains(outline), "{used}");
    // A package hands on what its parts define.
    let package = "# shop/parts/__init__.py\n# 1: module shop.parts\n#     class Part  # A part.\n";
    for place in ["shop/main.py:3", "shop/main.py:11:14"] {
        assert!(at(place).contains(package), "{place}: {}", at(place));
    }
    // Where a definition is imported, the definitions stand one by one.
    assert!(!at("shop/main.py:2").contains("module shop.rules"), "{}", at("shop/main.py:2"));
    let small = repo.run(["context", "--at", "shop/main.py:1", "--tokens", "100"]).code(0).stdout;
    assert!(fits(&small, 100) && small.contains("# 1: module shop.rules\n") && small.contains(" more\n"), "{small}");
}

#[test]
fn what_is_spelled_out_comes_first_also_where_it_is_not_spelled_quite_right() {
    let repo =
        shop().file("docs/guide.md", "# Guide\n\nFirst steps\nwith `Cart.total`, `shop.Cart` and `local`.\n\nMore.\n");
    repo.write("shop/__init__.py", "");
    repo.write("tests/test_cart.py", "def cart():\n    def local():\n        pass\n\n\ndef round_price():\n    pass\n");
    for (question, first) in [
        ("shop/cart.py", "shop.cart"),
        ("cart.py", "shop.cart"),
        ("shop/cart", "shop.cart"),
        ("shop/cart.py:14", "shop.cart.Cart.total"),
        ("shop/cart.py::Cart::add", "shop.cart.Cart.add"),
        ("shop.cart", "shop.cart"),
        ("shop.Cart", "shop.cart.Cart"),
        ("cart module", "shop.cart"),
        ("Cart", "shop.cart.Cart"),
        ("session", "shop.session"),
        ("roundprice", "shop.pricing.round_price"),
        ("round_pirce", "shop.pricing.round_price"),
        ("RoundPrice()", "shop.pricing.round_price"),
        ("round_price", "shop.pricing.round_price"),
        ("self.total", "shop.cart.Cart.total"),
        ("my_cart.total()", "shop.cart.Cart.total"),
        ("@sign_cookie", "shop.session.sign_cookie"),
        ("CURRENCY", "shop.pricing.CURRENCY"),
        ("pricing.CURRENCY", "shop.pricing.CURRENCY"),
        ("guide.md", "Guide"),
    ] {
        assert_eq!(hits(&repo, &[question, "-k", "1"]), [first], "{question}");
    }
    repo.write("shop/odd.py", "class Odd:\n    @property\n    def rational(self):\n        return 1\n\n\ndef integrate_fraction(quotient):\n    \"\"\"Integrate a rational function.\"\"\"\n");
    assert_eq!(hits(&repo, &["integrate a rational function", "-k", "1"]), ["shop.odd.integrate_fraction"]);
    assert_eq!(hits(&repo, &["cart", "-k", "2"]), ["shop.cart", "shop.cart.Cart"]);
    assert_eq!(hits(&repo, &["CURRENCY", "--kind", "variable"]), ["shop.pricing.CURRENCY"]);
    assert_eq!(hits(&repo, &["CURRENCY", "--in", "tests", "--kind", "variable"]), Vec::<String>::new());
    assert_eq!(
        hits(&repo, &["--regex", "^shop.*(CURRENCY|items)$"]),
        ["shop.cart.Cart.items", "shop.pricing.CURRENCY"]
    );
    let text = repo.run(["search", "--regex", "cart", "-k", "2"]).code(0).stdout;
    assert!(text.contains("more; --limit shows them\n"), "{text}");
    let text = repo.run(["search", "guide.md", "-k", "1"]).code(0).stdout;
    expect![[r#"
        Guide  document  docs/guide.md:1-6
            First steps with `Cart.total`, `shop.Cart` and `local`.
            names shop.cart.Cart, shop.cart.Cart.total

        about commit 391e1d42f9ae with 4 edited files: docs/guide.md, shop/__init__.py, shop/odd.py, tests/test_cart.py
    "#]]
    .assert_eq(&text);
}

/// A shop with handlers: a base class, a registry with a decorator, and a file that needs both.
fn handlers() -> TestRepo {
    TestRepo::new()
        .file(
            "web/base.py",
            "class Handler:\n    \"\"\"Answers requests.\"\"\"\n\n    def get(self, request):\n        \"\"\"Answer one request.\"\"\"\n\n\nclass Options:\n    pass\n\n\nclass Refused(Exception):\n    pass\n",
        )
        .file(
            "web/registry.py",
            "def register(path):\n    def wrap(handler):\n        return handler\n    return wrap\n\n\ndef lookup(path):\n    return path\n\n\ndef _hidden():\n    pass\n",
        )
        .file("web/status.py", "from web.base import Handler\nfrom web.registry import register\n\n\n@register(\"/status\")\nclass Status(Handler):\n    def get(self, request):\n        return 1\n")
        .file(
            "web/pages.py",
            "from web.base import Handler, Options, Refused\nfrom web.registry import register\n\n\n@register(\"/page\")\nclass Page(Handler):\n    def get(self, request: Options):\n        \"\"\"Show\n        a page.\n        \"\"\"\n        if not request:\n            raise Refused\n        return lookup(request)\n",
        )
        .commit("first")
}

/// The names of the pieces with their reasons.
fn pieces(repo: &TestRepo, place: &str) -> Vec<String> {
    let report = repo.run(["context", "--at", place, "--format", "json"]).code(0).stdout;
    let report: serde_json::Value = serde_json::from_str(&report).expect("a report is JSON");
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    let pieces = report["pieces"].as_array().expect("a list");
    pieces.iter().map(|piece| format!("{} {}", text(&piece["name"]), text(&piece["reason"]))).collect()
}

#[test]
fn an_import_line_brings_what_the_file_lacks_and_what_the_module_has() {
    let repo = handlers();
    let found = pieces(&repo, "web/pages.py:2");
    assert_eq!(
        found,
        ["web.registry.register defined", "web.registry.lookup importable"],
        "what is imported first; nothing private, and nothing that is only alike"
    );
    repo.write("web/fresh.py", "from .base import \n");
    assert_eq!(pieces(&repo, "web/fresh.py:1")[0], "web.base.Handler importable", "the most imported first");
    repo.write("web/fresh.py", "from .base import \n\n\ndef f():\n    Refused()\n    lookup(1)\n");
    let found = pieces(&repo, "web/fresh.py:1");
    assert_eq!(found[..2], ["web.base.Refused importable", "web.base.Handler importable"], "the lacking one first");
    assert_eq!(found.last().expect("a piece"), "web.registry.lookup importable", "of another module");
    repo.write("web/fresh.py", "from .base import (\n    Handler,\n\n)\n");
    assert_eq!(pieces(&repo, "web/fresh.py:3")[0], "web.base.Handler importable");
}

#[test]
fn a_docstring_brings_what_is_overridden_and_what_the_signature_and_the_errors_name() {
    let found = pieces(&handlers(), "web/pages.py:9");
    assert_eq!(found, ["web.base.Handler.get overridden", "web.base.Options defined", "web.base.Refused defined"]);
}

#[test]
fn the_head_of_a_class_brings_its_bases_and_other_classes_like_it() {
    let found = pieces(&handlers(), "web/pages.py:6");
    assert_eq!(found[..2], ["web.base.Handler receiver", "web.status.Status usage"], "{found:?}");
    assert!(found.iter().all(|piece| !piece.ends_with(" similar")), "{found:?}");
}

#[test]
fn a_decorator_brings_its_definition_and_examples_of_its_use() {
    let found = pieces(&handlers(), "web/pages.py:5");
    assert_eq!(found[0], "web.registry.register defined", "{found:?}");
    assert!(found.contains(&"web.status usage".to_owned()), "{found:?}");
}

#[test]
fn new_code_is_offered_the_rest_of_its_file_its_class_and_what_they_use() {
    let filler = "\n".repeat(80);
    let repo = TestRepo::new()
        .file("lib/tools.py", "def used_far_away():\n    pass\n\n\ndef never_used():\n    pass\n")
        .file(
            "lib/work.py",
            format!(
                "from lib.tools import used_far_away\n\n\ndef helper():\n    return used_far_away()\n\n\nclass Work:\n    def _step(self):\n        return helper()\n{filler}\n    def run(self):\n        x = 1\n        return x\n"
            ),
        )
        .commit("first");
    let found = pieces(&repo, "lib/work.py:94:9");
    for name in ["work.Work ", "work.helper ", "tools.used_far_away "] {
        assert!(found.iter().any(|piece| piece.starts_with(name)), "{name}: {found:?}");
    }
    let text = repo.run(["context", "--at", "lib/work.py:94:9"]).code(0).stdout;
    assert!(text.contains("def _step(self)"), "a class shows its private members to itself: {text}");
}

#[test]
fn hits_that_fill_a_class_or_a_short_file_are_merged_into_it() {
    const KINDS: [&str; 4] = ["--kind", "function", "--kind", "method"];
    let repo = TestRepo::new()
        .file(
            "shop/basket.py",
            "class Basket:\n    def add_apple(self):\n        pass\n\n    def add_pear(self):\n        pass\n\n    def drop(self):\n        pass\n",
        )
        .file("shop/apples.py", "def ripe_apple():\n    pass\n")
        .commit("first");
    let search = |variables: &[(&str, &str)], more: &[&str]| {
        let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
        command.args(["search", "add apple pear", "-k", "3", "--format", "json"]).args(KINDS).args(more);
        for (name, value) in variables {
            command.env(name, value);
        }
        let run = crate::harness::Run::of(command.output().expect("the binary was built")).code(0);
        serde_json::from_str::<serde_json::Value>(&run.stdout).expect("a report is JSON")
    };
    let named = |report: &serde_json::Value| names(&report.to_string(), "hits");
    let apart = search(&[], &[]);
    assert!(named(&apart).contains(&"shop.basket.Basket.add_apple".to_owned()), "{apart}");
    let no_files = ("REPOIDX_MERGE_LINES", "0");
    let classes = search(&[no_files], &["--merge"]);
    assert_eq!(named(&classes)[0], "shop.basket.Basket");
    assert_eq!(classes["hits"][0]["merged"], serde_json::json!({"hits": 3, "of": 3}));
    assert_eq!(named(&classes).len(), 2, "the members are gone, and others follow: {classes}");
    let strict = search(&[no_files, ("REPOIDX_MERGE_MEMBERS", "101")], &["--merge"]);
    assert_eq!(named(&strict), named(&apart));
    let files = search(&[], &["--merge"]);
    assert_eq!((named(&files)[0].as_str(), &files["hits"][0]["merged"]["hits"]), ("shop.basket", &3.into()));
    let text = repo.run(["search", "add apple pear", "-k", "3", "--merge"].iter().chain(&KINDS)).code(0).stdout;
    assert!(text.starts_with("shop.basket  module  shop/basket.py:1-9\n    merged 3 hits\n"), "{text}");
}

#[test]
fn a_context_tells_the_share_of_its_headers_and_reads_no_changed_file() {
    let repo = TestRepo::new()
        .file("lib.py", "def f(): ...\n")
        .file("a.py", "from lib import f\n\ndef g():\n    f()\n")
        .commit("first");
    let run = repo.run(["context", "--at", "a.py:4", "--stats"]).code(0);
    assert!(run.stdout.contains("# lib.py:1: def f(): ...\n"), "{}", run.stdout);
    assert!(run.stderr.contains(" of 2000 tokens, ") && run.stderr.contains("% of them headers"), "{}", run.stderr);
    repo.write("a.py", "# new\nfrom lib import f\n\ndef g():\n    f()\n");
    let run = repo.run(["context", "--at", "a.py:4", "--no-update"]).code(2);
    assert!(run.stderr.contains("a.py has changed since the index was made"), "{}", run.stderr);
}

#[test]
fn the_weights_of_a_map_can_be_set() {
    let code = "def _inner(): ...\n\ndef outer():\n    _inner()\n    _inner()\n\ndef other():\n    _inner()\n";
    let repo = TestRepo::new().file("a.py", code).commit("first");
    let first = || {
        let map = repo.run(["map", "--format", "json"]).code(0).stdout;
        let map: serde_json::Value = serde_json::from_str(&map).expect("the map is JSON");
        map["entities"][0]["name"].as_str().unwrap_or_default().to_owned()
    };
    repo.write("repoidx.toml", "map_private = 0\n");
    assert_ne!(first(), "a._inner");
    repo.write("repoidx.toml", "map_private = 1\n");
    assert_eq!(first(), "a._inner");
}

#[test]
fn names_of_several_words_common_names_and_the_focus_have_weights_on_a_map() {
    let many: String =
        (0..6).map(|number| format!("class C{number}:\n    def run(self):\n        pass\n\n\n")).collect();
    let code = format!("{many}def load_settings():\n    pass\n\n\ndef other():\n    load_settings()\n");
    let repo = TestRepo::new().file("a.py", code).commit("first");
    let rank = |name: &str, focus: &[&str]| {
        let map = repo.run([&["map", "--format", "json"], focus].concat()).code(0).stdout;
        let map: serde_json::Value = serde_json::from_str(&map).expect("the map is JSON");
        let entities = map["entities"].as_array().expect("a list").clone();
        let own = entities.iter().find(|entity| entity["name"] == name).expect("it is on the map");
        own["rank"].as_f64().expect("a number")
    };
    let focus = ["--focus", "how does load_settings work"];
    let usual = (rank("a.load_settings", &[]), rank("a.C0.run", &[]), rank("a.load_settings", &focus));
    repo.write("repoidx.toml", "map_long = 10\nmap_common = 0.1\nmap_mentioned = 10\n");
    assert!(rank("a.load_settings", &[]) > 5.0 * usual.0);
    assert!(rank("a.C0.run", &[]) < 0.2 * usual.1);
    assert!(rank("a.load_settings", &focus) > 9.0 * usual.2);
    repo.write("repoidx.toml", "map_long = -1\n");
    let run = repo.run(["map"]).code(0);
    assert!(run.stderr.contains("map_long"), "{}", run.stderr);
}

#[test]
fn a_copy_of_a_hit_is_named_with_it_and_leaves_its_place_to_others() {
    let code = "def parse_date(text):\n    \"\"\"Parse a date.\"\"\"\n    return text.split(\"-\")\n";
    let repo = TestRepo::new()
        .file("dates.py", code)
        .file("old/dates.py", code)
        .file("times.py", "def parse_time(text):\n    return text.split(\":\")\n")
        .commit("first");
    repo.run(["search", "parse a date", "-k", "2"]).stdout(expect![[r#"
        dates.parse_date  function  dates.py:1-3
            Parse a date.
            the same text 1 more time: old/dates.py:1
        times.parse_time  function  times.py:1-2
    "#]]);
    let json = repo.run(["search", "parse a date", "-k", "2", "--format", "json"]).code(0).stdout;
    assert!(json.contains(r#""copies":[{"path":"old/dates.py","start_line":1}]"#), "{json}");
    repo.write("repoidx.toml", "per_file = 1\n");
    repo.write("dates.py", format!("{code}\n\ndef format_date(date):\n    return str(date)\n"));
    let text = repo.run(["search", "date", "-k", "9"]).code(0).stdout;
    assert_eq!(text.matches("  dates.py:").count(), 1, "{text}");
}

#[test]
fn a_docstring_is_found_by_its_meaning_too() {
    let code = "def shrink(source):\n    \"\"\"Make a small preview of an image.\"\"\"\n\n\ndef pay(order):\n    \"\"\"Charge the credit card of a customer.\"\"\"\n\n\ndef picture(order):\n    return order\n";
    let repo = TestRepo::new().file("shop.py", code).commit("first");
    let found = repo.run(["search", "--field", "docstring", "picture thumbnails"]).code(0).stdout;
    assert!(found.starts_with("shop.shrink ") && !found.contains("shop.pay"), "{found}");
    let found = repo.run(["search", "--field", "docstring", "credit"]).code(0).stdout;
    assert!(found.starts_with("shop.pay "), "{found}");
    let none = repo.run(["search", "--field", "docstring", "zebra elephant"]).code(0);
    assert!(none.stdout.starts_with("nothing here fits the question"), "{}", none.stdout);
    assert!(none.stderr.contains("`repoidx search 'zebra elephant'` looks in all parts"), "{}", none.stderr);
}

/// Hits are merged before the list is cut: half of a class, or a short file, are never in one answer by halves.
#[test]
fn the_rules_of_merging_hold_for_lists_of_every_length() {
    let method = |number: u32| {
        format!("    def wombat_{number}(self):\n        \"\"\"wombat burrow {number}\"\"\"\n        return {number}\n")
    };
    let methods: String = (0..6).map(method).collect();
    let fill: String = (0..400).map(|number| format!("X{number} = {number}\n")).collect();
    let short = "def dig(burrow):\n    return burrow\n\n\ndef leave(burrow):\n    return None\n\n\ndef rest(burrow):\n    pass\n";
    let repo = TestRepo::new()
        .file("long.py", format!("class Wombat:\n{methods}\n\n{fill}"))
        .file("short.py", short)
        .file("other.py", "def numbat(wombat):\n    return wombat\n")
        .commit("first");
    let whole = hits(&repo, &["wombat burrow", "--merge", "-k", "10"]);
    assert!(whole.contains(&"long.Wombat".to_owned()) && whole.contains(&"short".to_owned()), "{whole:?}");
    assert!(!whole.iter().any(|name| name.starts_with("long.Wombat.") || name.starts_with("short.")), "{whole:?}");
    for limit in 1..whole.len() {
        let cut = hits(&repo, &["wombat burrow", "--merge", "-k", &limit.to_string()]);
        assert_eq!(cut, whole[..limit], "{limit}");
    }
}

/// The same code in several files, once to the letter and once with other lines.
#[test]
fn near_copies_are_left_out_of_contexts_and_prompts_and_counted() {
    let code = |name: &str, last: &str| {
        let lines: String = (0..12).map(|number| format!("    line_{number} = path + {number}\n")).collect();
        format!("def {name}(path):\n    \"\"\"Load a badger.\"\"\"\n{lines}    return {last}\n")
    };
    let mut repo = TestRepo::new();
    for file in ["one", "two", "three"] {
        repo = repo.file(&format!("{file}.py"), code("load_badger", "path"));
    }
    let repo = repo
        .file("near.py", code("load_badger", "path + 1"))
        .file("far.py", "def load_badger(path):\n    return open(path).read()\n")
        .file("main.py", "import one, two, three, near, far\n\n\ndef run(path):\n    one.load_badger(path)\n    two.load_badger(path)\n    three.load_badger(path)\n    near.load_badger(path)\n    far.load_badger(path)\n")
        .commit("first");
    let text = repo.run(["context", "--at", "main.py:7"]).code(0).stdout;
    assert_eq!(text.matches("line_4 = path").count(), 1, "{text}");
    assert!(
        text.contains("open(path).read()") && text.contains("\n# 3 near copies of code shown above left out\n"),
        "{text}"
    );
    let text = repo.run(["ask", "badger loading", "--no-llm", "--format", "prompt"]).code(0).stdout;
    assert_eq!(text.matches("line_4 = path").count(), 1, "{text}");
    assert!(text.contains("nearly the same text as one that is wanted more"), "{text}");
    repo.write("repoidx.toml", "copy_lines = 100\n");
    let text = repo.run(["context", "--at", "main.py:7"]).code(0).stdout;
    assert_eq!(text.matches("line_4 = path").count(), 2, "{text}");
    repo.write("repoidx.toml", "copy_lines = 101\n");
    let text = repo.run(["context", "--at", "main.py:7"]).code(0).stdout;
    assert_eq!(text.matches("line_4 = path").count(), 4, "{text}");
}
