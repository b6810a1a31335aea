//! Source that `.aiignore` names reaches no language model: prompts and tools tell names, kinds and places alone.

use std::{io::Write as _, process::Stdio};

use serde_json::{Value, json};

use crate::harness::{Run, TestRepo};

/// Words that stand only in the source of the ignored files.
const SECRETS: [&str; 12] = [
    "module words",
    "constant words",
    "default words",
    "AnnotatedWith",
    "function words",
    "literal words",
    "error words",
    "class words",
    "attribute words",
    "method words",
    "amount",
    "section words",
];

fn repo() -> TestRepo {
    TestRepo::new()
        .file(".aiignore", "secret/\n")
        .file(
            "secret/s2.py",
            r#""""The module words."""

LIMIT = "constant words"


def inner(amount="default words", *, beta: "AnnotatedWith" = 7):
    """The function words."""
    if amount == "literal words":
        raise ValueError("error words")
    return LIMIT


class Vault:
    """The class words."""

    code = "attribute words"

    def open(self, amount="default words"):
        """The method words."""
        return inner(amount, beta=self.code)
"#,
        )
        .file("secret/notes.md", "# Vaults\n\nThe section words stand here.\n")
        .file(
            "app.py",
            "from secret.s2 import Vault, inner\n\n\ndef run():\n    Vault().open(1)\n    return inner(2)\n",
        )
        .commit("one")
}

fn check(run: &Run, asked: &str) {
    for secret in SECRETS {
        assert!(!run.stdout.contains(secret), "`{asked}` tells `{secret}`:\n{}", run.stdout);
    }
}

#[test]
fn a_prompt_of_each_task_tells_names_and_places_alone() {
    let repo = repo();
    let questions = [
        "explain inner",
        "what parameters does inner in secret/s2.py take",
        "which defaults does inner have",
        "write unit tests for Vault.open",
        "write a docstring for inner",
        "find code smells in secret/s2.py",
        "review Vault",
        "what breaks if I change inner?",
        "what is the value of LIMIT",
        "which functions raise ValueError",
        "what attributes does Vault have",
        "list functions in secret",
        "explain the repository",
        "how does run depend on inner",
    ];
    for question in questions {
        check(&repo.run(["ask", "--format", "prompt", question]).code(0), question);
    }
    let prompt = repo.run(["ask", "--format", "prompt", questions[1]]).code(0);
    assert!(prompt.stdout.contains("an ignore file withholds the source of secret/s2.py"), "{}", prompt.stdout);
    assert!(prompt.stderr.contains("an ignore file withholds the source of 2 files"), "{}", prompt.stderr);
    // An answer for people goes nowhere, so it tells everything.
    let answer = repo.run(["ask", questions[1]]).code(0);
    assert!(answer.stdout.contains("amount"), "{}", answer.stdout);
}

#[test]
fn other_commands_for_models_tell_names_and_places_alone() {
    let repo = repo();
    repo.write("secret/s2.py", "LIMIT = 'constant words'\n\n\ndef inner(*, beta='default words'):\n    return LIMIT\n");
    for asked in [
        vec!["impact", "inner", "--format", "prompt"],
        vec!["impact", "--diff", "--format", "prompt"],
        vec!["review", "--worktree", "--format", "prompt"],
        vec!["context", "--at", "app.py:6"],
        vec!["context", "--at", "secret/s2.py:5"],
        vec!["map"],
    ] {
        check(&repo.run(&asked).code(0), &asked.join(" "));
    }
}

#[test]
fn the_tools_for_agents_tell_names_and_places_alone() {
    let repo = repo();
    let calls = [
        ("show", json!({"target": "secret.s2.inner"})),
        ("show", json!({"target": "Vault"})),
        ("show", json!({"target": "secret/s2.py"})),
        ("show", json!({})),
        ("search", json!({"query": "inner"})),
        ("search", json!({"query": "inner", "kind": "import"})),
        ("refs", json!({"target": "inner"})),
        ("refs", json!({"target": "LIMIT"})),
        ("impact", json!({"target": "inner"})),
        ("impact", json!({"target": "inner", "param": "beta"})),
        ("review", json!({})),
    ];
    repo.write("secret/s2.py", "LIMIT = 'constant words'\n\n\ndef inner(*, beta='default words'):\n    return LIMIT\n\n\nclass Vault:\n    code = 'attribute words'\n");
    let mut process = repo.command(env!("CARGO_BIN_EXE_repoidx"));
    let mut process =
        process.args(["mcp", "--structured"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = process.stdin.take().unwrap();
    let hello =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello})).unwrap();
    writeln!(input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).unwrap();
    for (id, (tool, arguments)) in (1..).zip(&calls) {
        let params = json!({"name": tool, "arguments": arguments});
        writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})).unwrap();
    }
    drop(input);
    let run = Run::of(process.wait_with_output().unwrap()).code(0);
    check(&run, "mcp");
    let answers: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let shown = answers.iter().find(|answer| answer["id"] == 1).expect("an answer");
    let text = shown["result"]["content"][0]["text"].as_str().expect("a text");
    assert!(text.contains("secret.s2.inner  function  secret/s2.py:4-5"), "{text}");
    assert!(text.contains("an ignore file withholds the source of secret/s2.py"), "{text}");
    assert_eq!(answers.len(), calls.len() + 1);
}
