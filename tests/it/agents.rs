//! Coding agents: their hooks, and their set-up, by recorded events and real files.

use std::io::Write as _;
use std::process::Stdio;

use expect_test::expect;

use crate::{
    harness::{Run, TestRepo, package_text},
    review_command::repo,
};

/// Tenths of a second that a test waits for a worker.
const LONGEST_WAIT: usize = 300;

/// A repository with an index and an edit that breaks a call.
fn broken() -> TestRepo {
    let repo = repo();
    repo.git(["checkout", "--quiet", "published"]);
    repo.run(["index", "-q"]).code(0);
    edit(&repo, "quantity");
    repo
}

fn edit(repo: &TestRepo, parameter: &str) {
    repo.write(
        "cart.py",
        format!(
            "class Cart:\n    def add(self, item, {parameter}=1):\n        return item * {parameter}\n\n\ndef clear(cart):\n    \
             return Cart()\n"
        ),
    );
}

/// Runs the hook on an event.
fn hook(repo: &TestRepo, moment: &str, event: &str) -> Run {
    let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
    command.args(["hook", "agent", moment]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("the binary was built");
    let event = event.replace("ROOT", &repo.root().display().to_string());
    process.stdin.take().expect("a pipe").write_all(event.as_bytes()).expect("the hook reads");
    Run::of(process.wait_with_output().expect("the hook ends"))
}

fn recorded(name: &str) -> String {
    package_text(&format!("fixtures/agents/{name}.json"))
}

#[test]
fn each_agent_hears_in_its_own_form_which_call_no_longer_fits() {
    let mut said = String::new();
    for agent in ["claude-code", "codex", "cursor", "gemini", "copilot"] {
        let run = hook(&broken(), "stop", &recorded(&format!("{agent}-stop"))).code(0);
        assert_eq!(run.stderr, "");
        said += &format!("{agent}: {}", run.stdout);
    }
    expect![[r#"
        claude-code: {"decision":"block","reason":"repoidx: after your edits, 1 place no longer fits:\n  app.py:6  app.fill passes `count=`, which `Cart.add` calls `quantity` now\nrun: pytest tests/test_app.py::test_fill"}
        codex: {"decision":"block","reason":"repoidx: after your edits, 1 place no longer fits:\n  app.py:6  app.fill passes `count=`, which `Cart.add` calls `quantity` now\nrun: pytest tests/test_app.py::test_fill"}
        cursor: {"followup_message":"repoidx: after your edits, 1 place no longer fits:\n  app.py:6  app.fill passes `count=`, which `Cart.add` calls `quantity` now\nrun: pytest tests/test_app.py::test_fill"}
        gemini: {"decision":"deny","reason":"repoidx: after your edits, 1 place no longer fits:\n  app.py:6  app.fill passes `count=`, which `Cart.add` calls `quantity` now\nrun: pytest tests/test_app.py::test_fill"}
        copilot: {"decision":"block","reason":"repoidx: after your edits, 1 place no longer fits:\n  app.py:6  app.fill passes `count=`, which `Cart.add` calls `quantity` now\nrun: pytest tests/test_app.py::test_fill"}
    "#]]
    .assert_eq(&said);
}

#[test]
fn it_is_said_once_for_each_state() {
    let repo = broken();
    let stop = recorded("claude-code-stop");
    assert!(!hook(&repo, "stop", &stop).code(0).stdout.is_empty());
    assert_eq!(hook(&repo, "stop", &stop).code(0).stdout, "");
    edit(&repo, "number");
    assert!(hook(&repo, "stop", &stop).code(0).stdout.contains("number"), "another state");
    edit(&repo, "count");
    assert_eq!(hook(&repo, "stop", &stop).code(0).stdout, "", "nothing breaks");
    edit(&repo, "number");
    assert!(!hook(&repo, "stop", &stop).code(0).stdout.is_empty(), "it breaks anew");
}

/// An edit that cannot break a reference is seen in the two texts. Reading it into the index would make an agent wait.
#[test]
fn an_edit_that_plainly_fits_is_silence_without_an_update() {
    let repo = broken();
    let stop = recorded("claude-code-stop");
    assert!(!hook(&repo, "stop", &stop).code(0).stdout.is_empty());
    repo.git(["checkout", "--quiet", "."]);
    repo.run(["index", "-q"]).code(0);
    let text = std::fs::read_to_string(repo.root().join("cart.py")).expect("the file is there");
    let body = text.replacen("return ", "return 1 + ", 1);
    assert_ne!(body, text);
    let optional = text.replacen("=1)", "=1, more=2)", 1);
    for (edited, pending) in [(text + "\n# a remark\n", 1), (body, 1), (optional, 0)] {
        repo.write("cart.py", edited);
        assert_eq!(hook(&repo, "stop", &stop).code(0).stdout, "");
        let status = repo.run(["status", "--no-update", "--format", "json"]).code(0).stdout;
        let status: serde_json::Value = serde_json::from_str(&status).expect("JSON");
        assert_eq!(status["pending"].as_array().map(Vec::len), Some(pending), "{status}");
    }
}

/// An edit of a hub takes longer than an agent waits. The work is not lost with the hook.
#[test]
fn a_worker_goes_on_where_the_time_of_the_hook_ends() {
    let repo = broken();
    // Another process holds the lock of the index, as a long update does.
    let lock = repo.root().join(".git/repoidx").join(repoidx::index::edition::name()).join("write.lock");
    let lock = std::fs::OpenOptions::new().write(true).open(lock).expect("the lock is there");
    lock.lock().expect("nobody else holds it");
    let edit = recorded("claude-code-edit");
    assert_eq!(hook(&repo, "edit", &edit).code(0).stdout, "", "the time is over");
    drop(lock);
    let is_pending = || {
        let status = repo.run(["status", "--no-update", "--format", "json"]).code(0).stdout;
        let status: serde_json::Value = serde_json::from_str(&status).expect("JSON");
        status["pending"].as_array().is_some_and(|pending| !pending.is_empty())
    };
    for _ in 0..LONGEST_WAIT {
        if !is_pending() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("no worker has read the edited file");
}

#[test]
fn an_event_that_means_nothing_is_silence() {
    let repo = broken();
    for event in ["", "not JSON", "[]", "{}x", "{\"cwd\": 3}", "{\"cwd\": \"/no/such/folder\"}"] {
        let run = hook(&repo, "session-start", event).code(0);
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""), "{event}");
    }
    let active = recorded("claude-code-stop").replace("\"stop_hook_active\":false", "\"stop_hook_active\":true");
    assert_eq!(hook(&repo, "stop", &active).code(0).stdout, "");
}

#[test]
fn without_an_index_the_hook_is_silent_and_builds_none() {
    let repo = repo();
    repo.git(["checkout", "--quiet", "published"]);
    edit(&repo, "quantity");
    assert_eq!(hook(&repo, "stop", &recorded("claude-code-stop")).code(0).stdout, "");
    assert!(!repo.root().join(".git/repoidx").exists());
    let nowhere = TestRepo::without_git();
    assert_eq!(hook(&nowhere, "stop", &recorded("cursor-stop")).code(0).stdout, "");
}

#[test]
fn a_set_up_goes_in_and_out_by_command() {
    let repo = TestRepo::new().file("a.py", "1\n").file(".cursor/mcp.json", "{\n  // mine\n}\n").commit("start");
    repo.run(["agents", "install", "cursor", "--dry-run"]).stdout(expect![[r#"
        cursor
          server: would be added to .cursor/mcp.json
          hook at the end of a turn: would be created .cursor/hooks.json
          skill: would be created .cursor/skills/repoidx/SKILL.md
    "#]]);
    assert_eq!(repo.git(["status", "--short"]), "");
    repo.run(["agents", "install", "-q", "cursor"]).stdout(expect![[r#"
        cursor
          server: added to .cursor/mcp.json
          hook at the end of a turn: created .cursor/hooks.json
          skill: created .cursor/skills/repoidx/SKILL.md
    "#]]);
    repo.run(["agents", "status", "cursor"]).stdout(expect![[r#"
        cursor
          server: is in .cursor/mcp.json
          hook at the end of a turn: is in .cursor/hooks.json
          skill: is in .cursor/skills/repoidx/SKILL.md
    "#]]);
    repo.run(["agents", "uninstall", "cursor"]).stdout(expect![[r#"
        cursor
          server: removed from .cursor/mcp.json
          hook at the end of a turn: deleted .cursor/hooks.json
          skill: deleted .cursor/skills/repoidx/SKILL.md
    "#]]);
    assert_eq!(repo.git(["status", "--short"]), "");
}

#[test]
fn an_agent_whose_files_lie_elsewhere_is_pointed_to_its_entries() {
    let repo = TestRepo::new().file("a.py", "1\n").commit("start");
    repo.run(["agents", "install", "zed"]).code(2).stderr(expect![[r#"
        error: the files of zed lie outside of the project, and are left to you
        hint: repoidx agents print-config zed
    "#]]);
    repo.run(["agents", "print-config", "-q", "codex"]).stdout(expect![[r##"
        # .codex/config.toml
        [mcp_servers.repoidx]
        command = "repoidx"
        args = ["mcp"]

        # .codex/hooks.json
        {
          "hooks": {
            "Stop": [
              {
                "hooks": [
                  {
                    "command": "repoidx hook agent stop",
                    "type": "command"
                  }
                ]
              }
            ]
          }
        }

        # .agents/skills/repoidx/SKILL.md
        ---
        name: repoidx
        description: Answers "what breaks if I change this?" for Python. Use it before changing a signature, renaming or removing a definition, and after editing, before committing.
        ---

        # repoidx

        repoidx knows who uses a Python definition: callers, overrides, importers, fixtures and tests. It follows inheritance,
        re-exports and values, so it finds places that a text search misses. Each place has a probability. The index updates
        itself.

        If the tools `impact`, `review`, `refs`, `search` and `show` of the server `repoidx` are there, use them. Otherwise run
        the commands in a shell.

        | when | tool | command |
        |---|---|---|
        | before you change a signature | `impact`, change=signature | `repoidx impact NAME --change signature --tokens 1500` |
        | before you rename or remove | `impact`, change=rename or remove | `repoidx impact NAME --change rename --tokens 1500` |
        | before you remove a parameter's default | `impact`, change=require, param=P | `repoidx impact NAME --change require --param P` |
        | before you apply a diff | `review`, patch=DIFF | `repoidx review --patch FILE --tokens 1500` |
        | after your edits, before a commit | `review` | `repoidx review --worktree --tokens 1500` |
        | to run only the tests that matter | `review`, only=tests | `pytest $(repoidx review --worktree --tests)` |
        | to see every use of a name | `refs` | `repoidx refs NAME --tokens 1500` |
        | to find code by a description | `search` | `repoidx search "how carts are priced"` |
        | to read a definition | `show` | `repoidx show NAME` |

        A NAME is `pkg.mod.Class.method` or its end, `file.py:LINE`, or `file.py`.

        - Fix every place below `breaks`. Look at those below `may break`.
        - `lower bound` or `at least` means that there may be more: search for the name as text before you delete it.
        - Paths are relative to the root that the last line names. Pass `root` if you work in another worktree.
    "##]]);
}

#[test]
fn a_plugin_is_a_folder_with_everything() {
    let repo = TestRepo::without_git();
    repo.run(["agents", "print-config", "-q", "claude-code", "--plugin", "plugin"]).stdout(expect![[r#"
        .claude-plugin/plugin.json
        .claude-plugin/marketplace.json
        .mcp.json
        hooks/hooks.json
        skills/repoidx/SKILL.md
    "#]]);
    let hooks = std::fs::read_to_string(repo.root().join("plugin/hooks/hooks.json")).expect("it was written");
    assert!(hooks.contains("repoidx hook agent stop"), "{hooks}");
}
