//! `repoidx mcp` as a host of agents drives it: lines of JSON over a pipe, in every era of the protocol.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

use expect_test::{expect, expect_file};
use serde_json::{Value, json};

use crate::harness::TestRepo;

/// A running server and its pipes.
struct Server {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last_id: u64,
    /// Notifications that came before the last answer.
    notes: Vec<Value>,
}

impl Server {
    /// Starts the server in the repository's folder.
    fn start(repo: &TestRepo, arguments: &[&str]) -> Self {
        Self::with(repo.command(env!("CARGO_BIN_EXE_repoidx")).arg("mcp").args(arguments))
    }

    fn with(command: &mut std::process::Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().expect("the binary was built");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        Self { input: process.stdin.take(), process, output, last_id: 0, notes: Vec::new() }
    }

    /// A server that has been greeted in an era of the protocol.
    fn greeted(repo: &TestRepo, arguments: &[&str]) -> Self {
        let mut server = Self::start(repo, arguments);
        server.greet("2025-06-18");
        server
    }

    fn greet(&mut self, era: &str) -> Value {
        let client = json!({"name": "test", "version": "1"});
        let hello = json!({"protocolVersion": era, "capabilities": {}, "clientInfo": client});
        let answer = self.ask("initialize", hello);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("the input is open");
        writeln!(input, "{message}").expect("the server reads");
    }

    /// Sends a request and waits for its answer.
    #[expect(clippy::needless_pass_by_value, reason = "`json!` is written in place")]
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("lines of text") > 0, "the server ended");
            let message: Value = serde_json::from_str(&line).expect("lines of JSON");
            if message["id"] == id {
                return message;
            }
            self.notes.push(message);
        }
    }

    /// The text of a tool's answer.
    #[expect(clippy::needless_pass_by_value, reason = "`json!` is written in place")]
    fn call(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        assert!(answer["result"].get("structuredContent").is_none(), "{answer}");
        answer["result"]["content"][0]["text"].as_str().expect("a text").to_owned()
    }

    /// Closes the input and waits for the end.
    fn end(mut self) {
        drop(self.input.take());
        let status = self.process.wait().expect("the server ends");
        assert!(status.success(), "{status}");
    }
}

fn shop() -> TestRepo {
    TestRepo::new()
        .file("shop/cart.py", "class Cart:\n    def add(self, item, count=1):\n        return item * count\n")
        .file("shop/app.py", "from shop.cart import Cart\n\n\ndef fill(cart: Cart):\n    return cart.add(1)\n")
        .file(
            "tests/test_app.py",
            "from shop.app import fill\nfrom shop.cart import Cart\n\n\ndef test_fill():\n    assert fill(Cart())\n",
        )
        .commit("start")
}

/// `text` without the parts that differ between runs.
fn stable(repo: &TestRepo, text: &str) -> String {
    let head = repo.git(["rev-parse", "HEAD"]);
    text.replace(&head[..12], "COMMIT").replace(&repo.root().display().to_string(), "/shop")
}

#[test]
fn the_list_of_tools_is_the_same_bytes_and_short() {
    let repo = shop();
    let mut server = Server::greeted(&repo, &[]);
    let listed = server.ask("tools/list", json!({}))["result"].to_string();
    expect_file!["../../fixtures/mcp/tools_list.json"].assert_eq(&(listed.clone() + "\n"));
    // The usual tokenizers take 3.6 bytes of JSON for a token.
    assert!(listed.len() < 1400 * 36 / 10, "{} bytes", listed.len());
    for refused in ["$ref", "anyOf", "null", "format", "uint"] {
        assert!(!listed.contains(refused), "{refused} is not understood by every host");
    }
    server.end();
}

#[test]
fn a_map_and_the_context_of_a_place_are_tools() {
    let repo = shop();
    let mut server = Server::greeted(&repo, &[]);
    let map = server.call("map", json!({"focus": "Cart", "max_tokens": 400}));
    assert!(map.contains("nearest to the focus first") && map.contains("class Cart"), "{map}");
    let context = server.call("context", json!({"at": "shop/app.py:5:12"}));
    assert!(context.starts_with("for shop/app.py:5 in `shop.app.fill`\n"), "{context}");
    assert!(context.contains("def add(self, item, count=1)") && context.contains("root /"), "{context}");
    let unknown = server.call("context", json!({"at": "shop/none.py:5"}));
    assert!(unknown.contains("`shop/none.py` is not in the index"), "{unknown}");
    server.end();
}

#[test]
fn every_era_of_the_protocol_is_answered() {
    let repo = shop();
    for era in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut server = Server::start(&repo, &[]);
        let answer = server.greet(era);
        assert_eq!(answer["result"]["protocolVersion"], era, "{answer}");
        assert!(answer["result"]["instructions"].as_str().expect("a text").len() < 600);
        assert!(server.call("show", json!({"target": "Cart"})).starts_with("shop.cart.Cart"));
        server.end();
    }
    let mut server = Server::start(&repo, &[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let found = server.ask("server/discover", json!({"_meta": meta}));
    assert!(found["result"]["supportedVersions"].to_string().contains("2026-07-28"), "{found}");
    let called = json!({"_meta": meta, "name": "show", "arguments": {"target": "Cart"}});
    let answer = server.ask("tools/call", called);
    assert!(answer["result"]["content"][0]["text"].as_str().expect("a text").starts_with("shop.cart.Cart"), "{answer}");
    server.end();
}

#[test]
fn the_first_line_is_the_verdict_and_the_last_one_the_state() {
    let repo = shop();
    let mut server = Server::greeted(&repo, &[]);
    let text = server.call("impact", json!({"target": "Cart.add", "change": "signature"}));
    expect![[r#"
        changing the signature of `Cart.add` affects 2 definitions (1 directly); 1 test to run; no limit known
          shop.cart.Cart.add  method  shop/cart.py:2

        every place that refers to it (1)
          shop/app.py:5

        direct (1)
          shop/app.py:5  calls  app.fill  almost certain 95%
              return cart.add(1)

        tests to run (1)
          tests/test_app.py::test_fill

        further away (1 over up to 2 steps)
          tests/test_app.py:6  calls  test_app.test_fill  very likely 86%
              ← app.fill shop/app.py:5
        root /shop, branch main at COMMIT; up to date; no limit known"#]]
    .assert_eq(&stable(&repo, &text));
    server.end();
}

#[test]
fn references_of_an_ambiguous_name_are_those_of_the_most_used_one() {
    let repo = TestRepo::new()
        .file("shop/__init__.py", "")
        .file("shop/links.py", "def url_for(name):\n    return name\n")
        .file("shop/app.py", "from shop.links import url_for\n\n\nclass App:\n    def url_for(self, name):\n        return url_for(name)\n")
        .commit("first");
    let mut server = Server::greeted(&repo, &[]);
    let text = server.call("refs", json!({"target": "url_for"}));
    expect![[r#"
        `links.url_for`: 2 references
        2 definitions have this name: `url_for` is taken for `shop.links.url_for`, the most used; call again for `shop.app.App.url_for`
          shop.links.url_for  function  shop/links.py:1

          shop/app.py:1  imports  shop.app  [bound by an import]
              from shop.links import url_for
          shop/app.py:6  calls  App.url_for  [bound by an import]
              return url_for(name)
        root /shop, branch main at COMMIT; up to date; complete"#]].assert_eq(&stable(&repo, &text));
    repo.write(".aiignore", "shop/links.py\n");
    let text = server.call("refs", json!({"target": "shop.links.url_for"}));
    assert!(text.contains("withholds the source of shop/links.py"), "{text}");
    repo.write(".aiignore", "other.py\n");
    let text = server.call("refs", json!({"target": "shop.links.url_for"}));
    assert!(!text.contains("withholds"), "{text}");
    server.end();
}

#[test]
fn an_edit_is_seen_and_named() {
    let repo = shop();
    let mut server = Server::greeted(&repo, &[]);
    server.call("show", json!({"target": "Cart.add"}));
    repo.write("shop/cart.py", "class Cart:\n    def add(self, item, count):\n        return item * count\n");
    let text = server.call("review", json!({"only": "breaks"}));
    expect![[r#"
        1 place breaks; 1 test to run; no limit known
          HEAD → working tree: 1 changed definition in 1 file

        breaks (1)
          shop/app.py:5  app.fill  passes no `count`, which `Cart.add` requires now  95%

        changed (1)
          shop.cart.Cart.add  method  shop/cart.py:2  `count` has no default any more

        tests to run (1)
          tests/test_app.py::test_fill  99%
        root /shop, branch main at COMMIT with 1 edited file: shop/cart.py; up to date; no limit known"#]]
    .assert_eq(&stable(&repo, &text));
    repo.git(["checkout", "--quiet", "."]);
    let text = server.call("review", json!({}));
    assert!(!text.contains("edited file"), "{text}");
    server.end();
}

#[test]
fn a_patch_is_judged_before_it_is_applied() {
    let repo = shop();
    let mut server = Server::greeted(&repo, &[]);
    let patch = "--- a/shop/cart.py\n+++ b/shop/cart.py\n@@ -1,3 +1,3 @@\n class Cart:\n-    def add(self, item, count=1):\n\
                 +    def add(self, item, count):\n         return item * count\n";
    let text = server.call("review", json!({"patch": patch, "only": "breaks"}));
    assert!(text.starts_with("1 place breaks") && text.contains("shop/app.py:5"), "{text}");
    assert_eq!(repo.git(["status", "--short"]), "");
    let text = server.call("review", json!({"patch": patch.replace("count=1", "number")}));
    assert!(text.starts_with("the patch does not apply to shop/cart.py"), "{text}");
    server.end();
}

#[test]
fn places_words_and_outlines_are_answered() {
    let repo = shop();
    let mut server = Server::greeted(&repo, &[]);
    assert!(server.call("refs", json!({"target": "Cart.add"})).contains("shop/app.py:5"));
    let elsewhere = server.call("refs", json!({"target": "Cart", "path": "tests"}));
    assert!(elsewhere.contains("tests/test_app.py:2") && !elsewhere.contains("shop/app.py:1"), "{elsewhere}");
    assert!(server.call("search", json!({"query": "fill a cart"})).contains("shop.app.fill"));
    assert!(server.call("show", json!({})).contains("class Cart"));
    let tests = server.call("impact", json!({"target": "Cart.add", "only": "tests"}));
    assert!(tests.contains("tests/test_app.py"), "{tests}");
    server.end();
}

#[test]
fn expected_conditions_are_answers_with_the_next_step() {
    let repo = shop().file("shop/other.py", "class Cart:\n    pass\n").commit("another cart");
    let mut server = Server::greeted(&repo, &[]);
    let mut said = String::new();
    for (tool, arguments) in [
        ("impact", json!({"target": "Cart.ad"})),
        ("impact", json!({"target": "nowhere.at.all"})),
        ("impact", json!({"target": "shop/app.py:99"})),
        ("impact", json!({"target": "gone.py"})),
        ("impact", json!({"target": "Cart.add", "param": "cout"})),
        ("impact", json!({"target": "Cart.add", "change": "explode"})),
        ("impact", json!({})),
        ("show", json!({"target": "Cart.add", "depth": 3})),
        ("review", json!({"range": "nobranch"})),
        ("show", json!({"root": "relative"})),
        ("show", json!({"root": "/no/such/folder"})),
    ] {
        let text = server.call(tool, arguments.clone());
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("root ")).collect();
        // `expect!` keeps no spaces at the end of a line.
        said += &format!("{tool} {arguments}\n  {}\n", lines.join("\n  ")).replace("  \n", "\n");
    }
    expect![[r#"
        impact {"target":"Cart.ad"}
          nothing here is called `Cart.ad`
          next: search finds definitions by words
        impact {"target":"nowhere.at.all"}
          nothing here is called `nowhere.at.all`
          next: search finds definitions by words
        impact {"target":"shop/app.py:99"}
          `shop/app.py` has 5 lines
          next: show with the file alone lists it
        impact {"target":"gone.py"}
          `gone.py` is not in the index: no Python file here, or one that git ignores
          next: check the root in the last line, or pass root=<absolute path>
        impact {"param":"cout","target":"Cart.add"}
          `shop.cart.Cart.add` has no parameter `cout`; it has item, count
          next: param=item
        impact {"change":"explode","target":"Cart.add"}
          `change` is "explode"
          next: give one of body, signature, remove, rename, require, keyword-only
        impact {}
          impact needs `target`
          next: give `target` as a text
        show {"depth":3,"target":"Cart.add"}
          shop.cart.Cart.add  method  shop/cart.py:2-3

              def add(self, item, count=1):
                  return item * count

          parent    Cart  :1-3
          folder    2 more files: app.py, other.py
          called    1 time (in all 1 reference)
          ignored: `depth` is no argument of show
        review {"range":"nobranch"}
          `nobranch` names no commit here
          next: range is like HEAD~3..HEAD or origin/main; empty for the working tree
        show {"root":"relative"}
          `root` is relative, which is no absolute path
          next: pass root=<absolute path of the repository or worktree you work in>
        show {"root":"/no/such/folder"}
          /no/such/folder does not exist
          next: pass root=<absolute path of a repository>
    "#]]
    .assert_eq(&stable(&repo, &said));
    let unknown = server.ask("tools/call", json!({"name": "drop", "arguments": {}}));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    server.end();
}

#[test]
fn a_folder_without_a_repository_or_python_is_no_error() {
    let nowhere = TestRepo::without_git();
    let mut server = Server::greeted(&nowhere, &[]);
    assert_eq!(server.ask("tools/list", json!({}))["result"]["tools"].as_array().expect("a list").len(), 7);
    let text = server.call("show", json!({}));
    assert!(text.starts_with("the server was not started in a git repository\nnext: pass root="), "{text}");
    let shop = shop();
    let text = server.call("show", json!({"target": "Cart", "root": shop.root()}));
    assert!(text.starts_with("shop.cart.Cart"), "{text}");
    // The place decides where no root is given.
    let text = server.call("show", json!({"target": shop.root().join("shop/cart.py:2")}));
    assert!(text.starts_with("shop.cart.Cart.add"), "{text}");
    let empty = TestRepo::new().file("a.txt", "text").commit("no Python");
    let text = server.call("show", json!({"root": empty.root()}));
    assert!(text.starts_with("no Python file is indexed in "), "{text}");
    server.end();
}

#[test]
fn a_worktree_is_asked_about_its_own_files() {
    let repo = shop();
    repo.git(["worktree", "add", "--quiet", "-b", "other", "../linked"]);
    let linked = repo.root().with_file_name("linked");
    std::fs::write(linked.join("shop/app.py"), "def alone():\n    pass\n").expect("the worktree is writable");
    let mut server = Server::greeted(&repo, &[]);
    assert!(server.call("show", json!({"target": "fill"})).contains("branch main"));
    let text = server.call("show", json!({"target": "alone", "root": linked}));
    assert!(text.starts_with("shop.app.alone") && text.contains("branch other"), "{text}");
    assert!(text.contains("1 edited file: shop/app.py"), "{text}");
    server.end();
}

#[test]
fn reports_come_as_data_on_request() {
    let repo = shop();
    let mut server = Server::greeted(&repo, &["--structured"]);
    let tools = server.ask("tools/list", json!({}));
    assert_eq!(tools["result"]["tools"][0]["outputSchema"]["type"], "object");
    let answer = server.ask("tools/call", json!({"name": "impact", "arguments": {"target": "Cart.add"}}));
    assert_eq!(answer["result"]["structuredContent"]["schema"], "repoidx.impact");
    assert_eq!(answer["result"]["structuredContent"]["branch"], "main");
    let answer = server.ask("tools/call", json!({"name": "impact", "arguments": {"target": "Crt"}}));
    assert_eq!(answer["result"]["structuredContent"]["schema"], "repoidx.message");
    server.end();
}

#[test]
fn an_impatient_call_answers_from_what_is_there() {
    let repo = shop();
    let mut server = Server::greeted(&repo, &["--wait", "0"]);
    let first = server.call("show", json!({"target": "Cart"}));
    let is_known = first.starts_with("shop.cart.Cart");
    assert!(is_known || first.contains("is being built") && first.contains("ask again"), "{first}");
    server.end();
    repo.run(["index", "-q"]).code(0);
    // Another process holds the lock of the index, as a long update does.
    let lock = repo.root().join(".git/repoidx").join(repoidx::index::edition::name()).join("write.lock");
    let lock = std::fs::OpenOptions::new().write(true).open(lock).expect("the lock is there");
    lock.lock().expect("nobody else holds it");
    repo.write("shop/new.py", "def late():\n    pass\n");
    let mut server = Server::greeted(&repo, &["--wait", "0"]);
    let text = server.call("show", json!({"target": "Cart"}));
    let last = text.lines().last().expect("a last line");
    assert!(last.ends_with("the index is still being updated; not read yet: shop/new.py"), "{last}");
    drop(lock);
    server.end();
}

#[test]
fn every_answer_keeps_to_its_budget() {
    let methods: String =
        (0..150).map(|n| format!("    def method_{n}(self, a_{n}=1):\n        return {n}\n\n")).collect();
    let uses: String =
        (0..150).map(|n| format!("def use_{n}(thing: Big):\n    return thing.method_{n}(a_{n}={n})\n\n\n")).collect();
    let repo = TestRepo::new()
        .file("big.py", format!("class Big:\n{methods}"))
        .file("uses.py", format!("from big import Big\n\n\n{uses}"))
        .commit("big");
    let mut server = Server::greeted(&repo, &[]);
    for budget in [200, 500, 1500, 8000] {
        for (tool, arguments) in [
            ("impact", json!({"target": "Big", "max_tokens": budget})),
            ("impact", json!({"target": "Big", "only": "tests", "max_tokens": budget})),
            ("refs", json!({"target": "Big", "max_tokens": budget})),
            ("show", json!({"target": "Big", "max_tokens": budget})),
            ("show", json!({"max_tokens": budget})),
            ("search", json!({"query": "method", "limit": 50, "max_tokens": budget})),
            ("review", json!({"max_tokens": budget})),
        ] {
            let text = server.call(tool, arguments);
            let tokens = repoidx::ask::context::tokens::tokens(&text);
            assert!(tokens <= budget, "{tool}: {tokens} of {budget}\n{text}");
            assert!(text.lines().last().expect("a last line").starts_with("root "), "{text}");
        }
    }
    server.end();
}

#[test]
fn every_budget_has_room_for_a_place() {
    let uses: String = (0..40)
        .map(|n| {
            format!(
                "class Consumer{n}(Base):\n    def process_everything_{n}(self, item):\n        \
                 return self.transform_the_item(item, mode={n})\n\n\n\
                 def call_consumer_{n}(item):\n    return Consumer{n}().process_everything_{n}(item)\n\n\n"
            )
        })
        .collect();
    let tests: String =
        (0..40).map(|n| format!("def test_consumer_{n}():\n    assert call_consumer_{n}(1)\n\n\n")).collect();
    let mut repo = TestRepo::new().file(
        "library/transformation_of_items/base.py",
        "class Base:\n    def transform_the_item(self, item, mode=1):\n        return item * mode\n",
    );
    for part in ["first", "second", "third"] {
        let head = "from library.transformation_of_items.base import Base\n\n\n";
        repo = repo.file(&format!("library/consumers_of_items/{part}_part.py"), format!("{head}{uses}")).file(
            &format!("tests/consumers_of_items/test_{part}_part.py"),
            format!("from library.consumers_of_items.{part}_part import *\n\n\n{tests}"),
        );
    }
    let repo = repo.commit("many consumers");
    let mut server = Server::greeted(&repo, &[]);
    server.call("show", json!({}));
    repo.write(
        "library/transformation_of_items/base.py",
        "class Base:\n    def transform_the_item(self, item, way=1):\n        return item * way\n",
    );
    let target = "Base.transform_the_item";
    let third = "library/consumers_of_items/third_part.py:6";
    for (tool, arguments) in [
        ("impact", json!({"target": target})),
        ("impact", json!({"target": target, "change": "rename"})),
        ("impact", json!({"target": target, "change": "signature", "param": "way"})),
        ("impact", json!({"target": "Base"})),
        ("impact", json!({"target": third, "change": "remove"})),
        ("impact", json!({"target": target, "only": "direct"})),
        ("review", json!({})),
        ("review", json!({"only": "breaks"})),
        ("refs", json!({"target": target})),
        ("refs", json!({"target": "Base"})),
        ("search", json!({"query": "transform an item"})),
    ] {
        for budget in [200, 300, 500, 1000, 1500] {
            let mut arguments = arguments.clone();
            arguments["max_tokens"] = json!(budget);
            let text = server.call(tool, arguments.clone());
            let tokens = repoidx::ask::context::tokens::tokens(&text);
            assert!(tokens <= budget, "{tool} {arguments}: {tokens} tokens\n{text}");
            let is_about_target = |line: &str| line.contains("  method  ") || line.contains("  class  ");
            // Each hit of a search is an answer, the method itself too.
            let is_place = |line: &str| match tool {
                "search" => line.contains("_of_items/") && line.contains(".py:"),
                _ => line.contains("consumers_of_items/") && line.contains(".py:") && !is_about_target(line),
            };
            let has_place = text.lines().any(is_place);
            assert!(has_place, "{tool} {arguments}\n{text}");
        }
    }
    server.end();
}

#[test]
fn several_servers_share_one_index_and_end_with_their_hosts() {
    let repo = shop();
    let mut servers: Vec<Server> = (0..4).map(|_| Server::greeted(&repo, &[])).collect();
    for server in &mut servers {
        assert!(server.call("show", json!({"target": "Cart"})).starts_with("shop.cart.Cart"));
    }
    for server in servers {
        server.end();
    }
    let silent = Server::start(&repo, &[]);
    silent.end();
}

#[test]
fn nine_servers_answer_from_each_commit() {
    const SERVERS: usize = 9;
    const COMMITS: usize = 5;
    let repo = shop();
    let mut servers: Vec<Server> = (0..SERVERS).map(|_| Server::greeted(&repo, &[])).collect();
    for number in 0..COMMITS {
        let caller = format!("from shop.cart import Cart\n\n\ndef more():\n    return Cart().add({number})\n");
        let path = format!("shop/more_{number}.py");
        std::fs::write(repo.root().join(&path), caller).expect("a file can be written");
        repo.git(["add", "-A"]);
        repo.git(["commit", "-q", "-m", "more"]);
        let mut answers = servers.iter_mut().map(|server| server.call("refs", json!({"target": "Cart.add"})));
        let first = answers.next().expect("a server");
        assert!(first.contains(&path) && first.contains("; up to date"), "{first}");
        assert!(answers.all(|answer| answer == first), "{first}");
    }
    for server in servers {
        server.end();
    }
}

/// Without the setting, the memory of the largest answers stays with idle threads: 17 MB here.
#[cfg(target_os = "linux")]
#[test]
fn a_server_gives_its_memory_back() {
    /// Anonymous memory of a server that waits, in kilobytes: its own, and that of each thread which waits with it.
    const OWN: u64 = 9_000;
    const OF_THREAD: u64 = 1_000;
    const CALLERS: usize = 4_000;
    let callers: String = (0..CALLERS).map(|at| format!("def caller_{at}():\n    return base()\n\n\n")).collect();
    let repo = TestRepo::new().file("wide.py", format!("def base():\n    return 1\n\n\n{callers}")).commit("start");
    let mut server = Server::greeted(&repo, &["--wait", "600"]);
    for _ in 0..6 {
        assert!(server.call("impact", json!({"target": "base"})).contains("4000 definitions"));
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.process.id())).expect("a running process");
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("the kernel counts it");
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    assert!(kilobytes < OWN + OF_THREAD * threads, "{kilobytes} kB");
    server.end();
}

#[test]
fn wrong_messages_do_not_end_the_server() {
    let repo = shop();
    let mut server = Server::greeted(&repo, &[]);
    server.send(&json!({"jsonrpc": "2.0", "id": 900, "method": "no/such/method"}));
    let input = server.input.as_mut().expect("the input is open");
    input.write_all(b"this is no JSON\n").expect("the server reads");
    assert!(server.call("show", json!({"target": "Cart"})).starts_with("shop.cart.Cart"));
    server.end();
}

/// The client of the protocol's own project, over the pipes of a process as hosts start it.
#[cfg(unix)]
#[test]
fn the_official_client_lists_and_calls_every_tool() {
    use std::os::fd::OwnedFd;

    use rmcp::{ServiceExt as _, model::CallToolRequestParams};
    use tokio::net::unix::pipe;

    let repo = shop();
    repo.run(["index", "-q"]).code(0);
    let cart = "class Cart:\n    def add(self, item, count):\n        return item * count\n";
    repo.write("shop/cart.py", cart);
    let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
    command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().expect("the binary was built");
    let input = OwnedFd::from(process.stdin.take().expect("a pipe"));
    let output = OwnedFd::from(process.stdout.take().expect("a pipe"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let input = pipe::Sender::from_owned_fd(input).expect("the end of a pipe");
        let output = pipe::Receiver::from_owned_fd(output).expect("the end of a pipe");
        let client = ().serve((output, input)).await.expect("a greeting");
        let tools = client.list_all_tools().await.expect("a list");
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(names, ["impact", "review", "refs", "search", "show", "map", "context"]);
        for (tool, arguments, told) in [
            ("impact", json!({"target": "Cart.add"}), "shop/app.py:5"),
            ("review", json!({}), "shop/app.py:5"),
            ("refs", json!({"target": "Cart.add"}), "shop/app.py:5"),
            ("search", json!({"query": "fill"}), "shop/app.py:4"),
            ("show", json!({"target": "fill"}), "cart.add(1)"),
            ("map", json!({}), "class Cart"),
            ("context", json!({"at": "shop/app.py:5"}), "def add"),
        ] {
            let arguments = arguments.as_object().expect("an object").clone();
            let request = CallToolRequestParams::new(tool).with_arguments(arguments);
            let answer = client.call_tool(request).await.expect("an answer");
            let answer = serde_json::to_value(&answer).expect("plain data");
            assert_eq!(answer["isError"], false, "{answer}");
            let text = answer["content"][0]["text"].as_str().expect("a text");
            assert!(text.contains(told), "{tool}: {text}");
        }
        client.cancel().await.expect("an orderly end");
    });
    assert!(process.wait().expect("the server ends").success());
}

/// A model that writes a name without its underscores is told how it was read.
#[test]
fn one_definition_of_another_spelling_is_answered() {
    let repo = TestRepo::new()
        .file("shop/__init__.py", "")
        .file("shop/app.py", "import os\n\n\ndef make_response(text):\n    return text\n\n\ndef serve():\n    return make_response(os.name)\n")
        .commit("start");
    let mut server = Server::greeted(&repo, &[]);
    for tool in ["show", "refs", "impact"] {
        let text = server.call(tool, json!({"target": "makeresponse"}));
        assert!(text.contains("shop.app.make_response"), "{tool}: {text}");
        assert!(text.contains("`makeresponse` is read as `make_response`"), "{tool}: {text}");
    }
    assert!(server.call("show", json!({"target": "shop.app:imports"})).contains("import os"));
    let text = server.call("search", json!({"query": "os", "kind": "import"}));
    assert!(text.starts_with("1 import for `os`") && text.contains("shop/app.py:1"), "{text}");
    server.end();
}
