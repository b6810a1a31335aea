//! The command line as scripts see it: exit codes, streams, and which state of the repository is described.

use std::io::Read;
use std::process::Stdio;

use expect_test::expect;

use crate::harness::TestRepo;

/// Two files: `main` in `app.py` calls `total` in `pricing.py`.
fn shop() -> TestRepo {
    TestRepo::new()
        .file("pricing.py", "def total(items):\n    return sum(items)\n")
        .file("app.py", "from pricing import total\n\n\ndef main():\n    total([])\n")
}

/// All entities and relationships, as people get them.
fn exported(repo: &TestRepo) -> String {
    let entities = repo.run(["export", "entities"]).code(0).stdout;
    entities + &repo.run(["export", "edges"]).code(0).stdout
}

fn names(repo: &TestRepo) -> Vec<String> {
    let lines = repo.run(["export", "entities"]).code(0).stdout;
    let name = |line: &str| {
        let entity: serde_json::Value = serde_json::from_str(line).expect("each line is JSON");
        entity["name"].as_str().expect("entities have names").to_owned()
    };
    lines.lines().map(name).collect()
}

#[test]
fn relationships_are_exported_as_json_lines() {
    shop().commit("first").run(["export", "edges"]).stdout(expect![[r#"
        {"from":"app","to":"pricing","kind":"imports","evidence":"exact","basis":"bound by an import","probability":0.98,"path":"app.py","line":1}
        {"from":"app","to":"pricing.total","kind":"imports","evidence":"exact","basis":"bound by an import","probability":0.98,"path":"app.py","line":1}
        {"from":"app.main","to":"pricing.total","kind":"calls","evidence":"exact","basis":"bound by an import","probability":0.98,"path":"app.py","line":5}
    "#]]);
}

#[test]
fn containment_is_exported_on_request() {
    let repo = shop().commit("first");
    let all = repo.run(["export", "edges", "--contains"]).code(0).stdout;
    let contains: Vec<&str> = all.lines().filter(|line| line.contains(r#""kind":"contains""#)).collect();
    expect![[r#"
        {"from":"app","to":"app.main","kind":"contains","evidence":"exact","basis":"bound in this file","probability":1.0,"path":"app.py","line":4}
        {"from":"pricing","to":"pricing.total","kind":"contains","evidence":"exact","basis":"bound in this file","probability":1.0,"path":"pricing.py","line":1}"#]]
    .assert_eq(&contains.join("\n"));
    let run = repo.run(["export", "entities", "--contains"]).code(2);
    assert!(run.stderr.contains("--contains goes with `export edges`"), "{}", run.stderr);
}

#[test]
fn an_unknown_name_is_a_usage_error() {
    let run = shop().commit("first").run(["-q", "impact", "totl"]).code(2);
    assert_eq!(run.stdout, "");
    run.stderr(expect![[r#"
        error: nothing here is called `totl`; did you mean
          pricing.total  function  pricing.py:1
        hint: repoidx impact pricing.total
    "#]]);
}

#[test]
fn a_name_of_equal_definitions_is_answered_by_its_candidates() {
    let repo = shop().file("other.py", "def pay(): ...\n").file("more.py", "def pay(): ...\n").commit("first");
    let run = repo.run(["-q", "impact", "pay"]).code(2);
    assert_eq!(run.stdout, "");
    run.stderr(expect![[r#"
        error: `pay` names 2 definitions
          more.pay  function  more.py:1
          other.pay  function  other.py:1
        hint: repoidx impact more.pay
    "#]]);
}

#[test]
fn what_is_wrong_with_a_name_or_a_place_is_said() {
    let repo = TestRepo::new()
        .file("README.md", "# Shop\n")
        .file("shop.py", "class Cart:\n    def total(self): ...\n\n    def add(self): ...\n")
        .file("app.py", "class App: ...\n")
        .file("tests/test_app.py", "def run(): ...\n\n\ndef app(): ...\n")
        .file("tests/a_test.py", "def run(): ...\n")
        .commit("first");
    let check = |target: &str, expected: expect_test::Expect| {
        repo.run(["-q", "impact", target]).code(2).stderr(expected);
    };
    check(
        "Cart.totl",
        expect![[r#"
        error: the class `shop.Cart` has no member `totl`
        hint: repoidx tree shop.Cart
    "#]],
    );
    check(
        "Cart.nothing",
        expect![[r#"
        error: the class `shop.Cart` has no member `nothing`
        hint: repoidx tree shop.Cart
    "#]],
    );
    check(
        "os.path.join",
        expect![[r#"
            error: nothing here is called `os.path.join`
            hint: `repoidx search os.path.join` looks by words
        "#]],
    );
    check(
        "shop.py:99",
        expect![[r#"
        error: `shop.py` has 4 lines
        hint: repoidx tree shop.py
    "#]],
    );
    check(
        "README.md:1",
        expect![[r#"
        error: `README.md` is not in the index
        hint: repoidx status
    "#]],
    );
    check(
        "run",
        expect![[r#"
        error: `run` names 2 definitions
          tests.a_test.run  function  tests/a_test.py:1
          tests.test_app.run  function  tests/test_app.py:1
        hint: repoidx impact tests.a_test.run
    "#]],
    );
    repo.run(["-q", "context", "--at", "shop.py:99"]).code(2).stderr(expect![[r#"
        error: `shop.py` has 4 lines
        hint: repoidx tree shop.py
    "#]]);
    repo.run(["-q", "context", "--at", "shop.py:5"]).code(0);
}

#[test]
fn arguments_that_mean_nothing_are_usage_errors() {
    let repo = shop().commit("first");
    for (arguments, message) in [
        (&["index", "--rev", "nosuch"][..], "`nosuch` names no commit here"),
        (&["review", "nosuch..HEAD"], "`nosuch` names no commit here"),
        (&["refs", "total", "--like", "sums", "--min-similarity", "5"], "not between -1 and 1"),
        (&["search", ""], "the query is empty"),
        (&["search", "total", "-k", "0"], "at least 1 is needed"),
        (&["map", "--tokens", "0"], "at least 1 is needed"),
        (&["impact", "total", "--depth", "x"], "not a whole number"),
    ] {
        let run = repo.run(arguments).code(2);
        assert!(run.stderr.contains(message), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn a_shallow_clone_is_told_how_to_get_more() {
    let full = shop().commit("first");
    full.write("app.py", "");
    full.save("second");
    let shallow = TestRepo::without_git();
    let url = format!("file://{}", full.root().display());
    shallow.git(["clone", "-q", "--depth", "1", &url, "."]);
    let run = shallow.run(["-q", "review", "HEAD~1..HEAD"]).code(2);
    run.stderr(expect![[r#"
        error: `HEAD~1` names no commit here
        hint: git fetch --deepen=50: this clone is shallow
    "#]]);
}

#[test]
fn an_assignment_that_could_be_one_is_a_write() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "class Cart:\n    full = False\n\n\ndef use(thing):\n    thing.full = True\n    return thing.full == 1\n",
        )
        .commit("first");
    repo.run(["refs", "Cart.full", "--possible"]).stdout(expect![[r#"
        `Cart.full`: no reference found; 2 unresolved occurrences could be one
          shop.Cart.full  variable  shop.py:2

        possible (2)
          shop.py:6  writes  shop.use  [likely 70%]
              thing.full = True
          shop.py:7  references  shop.use  [likely 70%]
              return thing.full == 1
    "#]]);
    repo.run(["export", "edges", "--possible"]).stdout(expect![[r#"
        {"from":"shop.use","to":"shop.Cart.full","kind":"references","evidence":"possible","basis":"only the name fits","probability":0.6972,"path":"shop.py","line":7}
        {"from":"shop.use","to":"shop.Cart.full","kind":"writes","evidence":"possible","basis":"only the name fits","probability":0.6972,"path":"shop.py","line":6}
    "#]]);
}

#[test]
fn candidates_are_exported_with_what_speaks_for_and_against_them() {
    let repo = TestRepo::new()
        .file("shop.py", "class Cart:\n    def add(self, item): ...\n\nclass Till:\n    def add(self, sum): ...\n")
        .file("use.py", "from shop import Cart\n\ndef use(thing):\n    thing.add(1)\n    thing.add(1, 2)\n")
        .commit("first");
    repo.run(["export", "candidates"]).stdout(expect![[r#"
        {"from":"use.use","to":"shop.Cart.add","kind":"calls","probability":0.3119,"path":"use.py","line":4,"column":10,"definition":["named"],"occurrence":["common"]}
        {"from":"use.use","to":"shop.Till.add","kind":"calls","probability":0.0941,"path":"use.py","line":4,"column":10,"definition":["refers"],"occurrence":["common"]}
    "#]]);
}

#[test]
fn what_is_awaited_is_no_method_that_is_declared_to_give_nothing() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            r#"
class Till:
    def settle(self) -> None: ...

class Account:
    async def settle(self): ...

async def use(thing, other):
    await thing.settle()
    other.settle()
"#,
        )
        .commit("first");
    repo.run(["refs", "Till.settle", "--possible"]).stdout(expect![[r#"
        `Till.settle`: no reference found; 1 unresolved occurrence could be one
          shop.Till.settle  method  shop.py:3

        possible (1)
          shop.py:10  calls  shop.use  [maybe 42%]
              other.settle()
    "#]]);
    repo.run(["refs", "Account.settle", "--possible"]).stdout(expect![[r#"
        `Account.settle`: no reference found; 2 unresolved occurrences could be one
          shop.Account.settle  method  shop.py:6

        possible (2)
          shop.py:9  calls  shop.use  [likely 72%]
              await thing.settle()
          shop.py:10  calls  shop.use  [maybe 42%]
              other.settle()
    "#]]);
}

#[test]
fn outside_of_a_repository_nothing_can_be_answered() {
    let run = TestRepo::without_git().run(["impact", "total"]).code(3);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("repository"), "{}", run.stderr);
}

#[test]
fn targets_can_be_suffixes_places_and_files() {
    let repo = shop().commit("first");
    let whole = repo.run(["impact", "pricing.total", "--format", "json"]).code(0).stdout;
    for target in ["total", "pricing.py:1", "pricing.py:2"] {
        assert_eq!(repo.run(["impact", target, "--format", "json"]).code(0).stdout, whole, "{target}");
    }
    let file = repo.run(["impact", "pricing.py", "--format", "json"]).code(0).stdout;
    assert!(file.contains("\"app.main\""), "{file}");
}

#[test]
fn an_empty_repository_has_nothing_in_it() {
    let repo = TestRepo::new();
    assert_eq!(names(&repo), Vec::<String>::new());
    repo.run(["index"]).code(0);
    repo.run(["status"]).code(0);
}

#[test]
fn answers_describe_the_working_tree_as_it_is_now() {
    let repo = shop().file(".gitignore", "ignored.py\n").commit("first");
    assert_eq!(names(&repo), ["app", "app.main", "pricing", "pricing.total"]);

    repo.write("pricing.py", "def net(item): ...\n");
    repo.write("untracked.py", "def new(): ...\n");
    repo.write("ignored.py", "def never(): ...\n");
    repo.delete("app.py");
    assert_eq!(names(&repo), ["pricing", "pricing.net", "untracked", "untracked.new"]);
}

#[test]
fn without_an_update_the_answer_says_how_stale_it_is() {
    let repo = shop().commit("first");
    repo.run(["index"]).code(0);
    repo.write("pricing.py", "def net(item): ...\n");
    let run = repo.run(["export", "entities", "--no-update"]).code(0);
    assert!(run.stdout.contains("pricing.total"), "{}", run.stdout);
    assert!(!run.stderr.is_empty(), "nothing says that the answer is stale");
}

#[test]
fn an_edit_that_keeps_size_and_time_of_the_file_is_seen() {
    let repo = shop().commit("first");
    let path = repo.root().join("pricing.py");
    repo.run(["index"]).code(0);
    let modified = path.metadata().and_then(|metadata| metadata.modified()).expect("the file is there");
    repo.write("pricing.py", "def tatol(items):\n    return sum(items)\n");
    let file = std::fs::File::options().write(true).open(&path).expect("the file is there");
    file.set_modified(modified).expect("its time can be set");
    assert!(names(&repo).contains(&"pricing.tatol".to_owned()));
}

#[test]
fn a_linked_worktree_has_an_index_of_its_own() {
    let repo = shop().commit("first");
    repo.run(["index"]).code(0);
    repo.git(["worktree", "add", "--quiet", "linked"]);
    repo.write("linked/pricing.py", "def net(item): ...\n");
    let linked = repo.run(["export", "entities", "--repo", "linked"]).code(0).stdout;
    assert!(linked.contains("\"pricing.net\""), "{linked}");
    assert_eq!(names(&repo), ["app", "app.main", "pricing", "pricing.total"]);
}

#[test]
fn a_bare_repository_is_described_by_its_head() {
    let repo = shop().commit("first");
    repo.git(["clone", "--quiet", "--bare", ".", "bare.git"]);
    let entities = repo.run(["export", "entities", "--repo", "bare.git"]).code(0).stdout;
    assert!(entities.contains("\"pricing.total\""), "{entities}");
}

#[test]
fn the_folder_to_index_may_be_named_as_it_is() {
    let repo = shop().commit("first");
    repo.git(["clone", "--quiet", ".", "copy"]);
    let run = repo.run(["index", "copy"]).code(0);
    assert!(run.stderr.contains("copy/.git/"), "{}", run.stderr);
    let run = repo.run(["index", "copy", "--repo", "."]).code(2);
    assert!(run.stderr.contains("cannot be used with"), "{}", run.stderr);
}

#[test]
fn another_language_is_left_alone() {
    let repo = shop().file("main.rs", "fn main() {}\n").file("data.bin", [0, 255, 0]).commit("first");
    assert_eq!(names(&repo), ["app", "app.main", "pricing", "pricing.total"]);
}

#[test]
fn the_order_of_builds_does_not_show() {
    let repo = shop().commit("first");
    let first = exported(&repo);
    repo.write("pricing.py", "");
    exported(&repo);
    repo.git(["checkout", "--quiet", "."]);
    assert_eq!(exported(&repo), first);
    repo.run(["index", "--full"]).code(0);
    assert_eq!(exported(&repo), first);
}

#[test]
fn output_into_a_pipe_has_no_colors_unless_asked_for() {
    let repo = shop().commit("first");
    assert!(!repo.run(["impact", "total"]).code(0).stdout.contains('\u{1b}'));
    assert!(repo.run(["--color", "always", "impact", "total"]).code(0).stdout.contains('\u{1b}'));
}

/// `repoidx … | head -1` is ordinary use.
#[test]
fn a_reader_that_stops_reading_is_no_error() {
    let lines: String = (0..5_000).map(|index| format!("def function_{index}(): ...\n")).collect();
    let repo = TestRepo::new().file("many.py", lines).commit("first");
    repo.run(["index"]).code(0);
    let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
    command.args(["export", "entities"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary was built");
    let mut stdout = child.stdout.take().expect("stdout is a pipe");
    stdout.read_exact(&mut [0; 10]).expect("there is output");
    drop(stdout);
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
#[cfg(unix)]
fn the_index_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let repo = shop().commit("first");
    repo.run(["index"]).code(0);
    let metadata = repo.root().join(repo.index_path()).metadata().expect("the index is there");
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_damaged_index_is_built_anew() {
    let repo = shop().commit("first");
    let whole = exported(&repo);
    repo.write(&repo.index_path(), "this is no database");
    assert_eq!(exported(&repo), whole);
}

#[test]
fn completions_and_the_manual_are_made_from_the_same_description() {
    let repo = TestRepo::new();
    assert!(repo.run(["completions", "bash"]).code(0).stdout.contains("repoidx"));
    assert!(repo.run(["man"]).code(0).stdout.contains("repoidx"));
}

/// `Cart.add` is called by name, through a callback, and on something unknown.
fn carts() -> TestRepo {
    TestRepo::new()
        .file("cart.py", "class Cart:\n    def add(self, item):\n        return self\n")
        .file(
            "app.py",
            "from cart import Cart\n\n\ndef main(other):\n    cart = Cart()\n    cart.add(1)\n    keep = cart.add\n    keep(2)\n    other.add(3)\n",
        )
}

#[test]
fn what_does_not_name_its_target_says_so_in_the_export() {
    let edges = carts().commit("first").run(["export", "edges"]).code(0).stdout;
    let calls: Vec<&str> = edges.lines().filter(|line| line.contains(r#""to":"cart.Cart.add""#)).collect();
    expect![[r#"
        {"from":"app.main","to":"cart.Cart.add","kind":"calls","evidence":"inferred","basis":"receiver constructed here","probability":0.97,"path":"app.py","line":6}
        {"from":"app.main","to":"cart.Cart.add","kind":"calls","evidence":"inferred","basis":"receiver constructed here","probability":0.97,"path":"app.py","line":8,"named":false}
        {"from":"app.main","to":"cart.Cart.add","kind":"references","evidence":"inferred","basis":"receiver constructed here","probability":0.97,"path":"app.py","line":7}"#]].assert_eq(&calls.join("\n"));
}

#[test]
fn references_are_explained_part_by_part() {
    let repo = carts().commit("first");
    repo.run(["refs", "Cart.add", "--explain", "--possible"]).stdout(expect![[r#"
        `Cart.add`: 3 references, 1 by another name or value; 1 unresolved occurrence could be one
          cart.Cart.add  method  cart.py:2

          app.py:6  calls  app.main  [receiver constructed here]
              cart.add(1)
                cart (local variable): an instance of cart.Cart [receiver constructed here]; assigned at app.py:5
                cart.add: cart.Cart.add [receiver constructed here]
          app.py:7  references  app.main  [receiver constructed here]
              keep = cart.add
                cart (local variable): an instance of cart.Cart [receiver constructed here]; assigned at app.py:5
                cart.add: cart.Cart.add [receiver constructed here]

        by another name or value (1)
          app.py:8  calls  app.main  [receiver constructed here]
              keep(2)
                keep (local variable): cart.Cart.add [receiver constructed here]; assigned at app.py:7

        possible (1)
          app.py:9  calls  app.main  [unlikely 34%]
              other.add(3)
                other (parameter): no call of app.main is known
    "#]]);
    repo.run(["impact", "Cart.add", "--explain"]).stdout(expect![[r#"
        changing `Cart.add` affects 1 definition (directly); no test to run; no limit known
          cart.Cart.add  method  cart.py:2

        direct (1)
          app.py:6  calls  app.main  almost certain 97%
              cart.add(1)
                cart (local variable): an instance of cart.Cart [receiver constructed here]; assigned at app.py:5
                cart.add: cart.Cart.add [receiver constructed here]
    "#]]);
}

/// Where inference gives up it says so: in the count, and for the occurrence.
#[test]
fn limits_that_were_reached_are_counted() {
    let classes: String = (0..90).map(|index| format!("class C{index}:\n    def go(self): ...\n\n\n")).collect();
    let made: Vec<String> = (0..90).map(|index| format!("C{index}()")).collect();
    let code =
        format!("{classes}ALL = [{}]\n\n\ndef run():\n    for each in ALL:\n        each.go()\n", made.join(", "));
    let repo = TestRepo::new().file("many.py", code).commit("first");
    repo.run(["index"]).code(0);
    let status = repo.run(["status"]).code(0).stdout;
    assert!(status.contains("unresolved     1 (1 of them with too many possible receivers)"), "{status}");
    let status: serde_json::Value =
        serde_json::from_str(&repo.run(["status", "--format", "json"]).code(0).stdout).expect("a report");
    assert_eq!((&status["unresolved"], &status["limited"]), (&1.into(), &1.into()));
}

/// Imports from a package without `__init__.py` begin with the folders above what repoidx calls the module.
#[test]
fn names_may_begin_with_the_folders_above() {
    let repo = TestRepo::new()
        .file("src/space/pkg/__init__.py", "")
        .file("src/space/pkg/mod.py", "class Thing:\n    def act(self): ...\n")
        .file("user.py", "from space.pkg.mod import Thing\n\nThing().act()\n")
        .commit("first");
    for name in ["space.pkg.mod.Thing.act", "src.space.pkg.mod.Thing.act", "space.pkg.mod", "space.pkg"] {
        repo.run(["impact", name]).code(0);
    }
    repo.run(["impact", "other.pkg.mod.Thing.act"]).code(2);
}

/// A name that a string computes, or that another line has, is not written at the place.
#[test]
fn an_edge_from_a_string_is_named_only_where_its_line_has_the_name() {
    let repo = TestRepo::new()
        .file("plug.py", "def open_it():\n    pass\n\n\ndef close_it():\n    pass\n")
        .file(
            "app.py",
            "import plug\n\n\ndef run():\n    for name in (\"open_it\", \"missing\"):\n        found = getattr(plug, name, None)\n    getattr(plug, \"close_it\")()\n",
        )
        .commit("first");
    let edges = repo.run(["export", "edges"]).code(0).stdout;
    let to = |name: &str, line: u32| {
        let edge = |text: &&str| {
            let parts = [format!("\"to\":\"plug.{name}\""), format!("\"line\":{line}"), "in a string".to_owned()];
            parts.iter().all(|part| text.contains(part))
        };
        edges.lines().find(edge).unwrap_or_else(|| panic!("{name}: {edges}")).to_owned()
    };
    assert!(to("open_it", 6).contains("\"named\":false"), "{edges}");
    assert!(!to("close_it", 7).contains("\"named\":false"), "{edges}");
}

#[test]
fn an_export_without_an_update_is_that_of_the_indexed_text() {
    let app = "from shop import Cart as Box\n\n\ndef run():\n    Box().add(1)\n    return Box\n";
    let repo = TestRepo::new()
        .file("shop.py", "class Cart:\n    def add(self, item):\n        pass\n")
        .file("app.py", app)
        .commit("first");
    let before = repo.run(["export", "edges"]).code(0).stdout;
    assert!(before.contains("\"named\":false"), "{before}");
    repo.write("app.py", format!("# One.\n# Two.\n{app}"));
    assert_eq!(repo.run(["--no-update", "export", "edges"]).code(0).stdout, before);
}

#[test]
fn a_function_in_a_function_is_no_candidate_for_an_attribute() {
    let repo = TestRepo::new()
        .file(
            "m.py",
            "def nested():\n    def go():\n        return 1\n    return go\n\n\nclass Car:\n    def go(self):\n        return 2\n\n\ndef use(unk):\n    return unk.go()\n",
        )
        .commit("first");
    let found = repo.run(["export", "candidates"]).code(0).stdout;
    assert!(found.contains("\"to\":\"m.Car.go\"") && !found.contains("m.nested.go"), "{found}");
}
