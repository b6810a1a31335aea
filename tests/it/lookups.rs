//! `ask` with a model that may look things up, against scripted servers of both protocols.

use expect_test::expect;
use serde_json::{Value, json};

use crate::{
    harness::{Run, TestRepo},
    models::{Server, completion, ok},
    review_command::repo,
};

/// A streamed answer that calls a tool, as chat completions send it: the arguments come in two pieces.
fn call(name: &str, arguments: &Value) -> String {
    let text = arguments.to_string();
    let (first, second) = text.split_at(text.len() / 2);
    let piece = |function: Value, id: Option<&str>| {
        let mut call = json!({"index": 0, "function": function});
        if let Some(id) = id {
            call["id"] = json!(id);
        }
        format!("data: {}\n\n", json!({"choices": [{"delta": {"tool_calls": [call]}, "finish_reason": null}]}))
    };
    let begin = piece(json!({"name": name, "arguments": first}), Some("c1"));
    let rest = piece(json!({"arguments": second}), None);
    let end = json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]});
    format!("{begin}{rest}data: {end}\n\ndata: [DONE]\n\n")
}

/// The same in Anthropic's form.
fn message_with_call(name: &str, arguments: &Value) -> String {
    let events = [
        json!({"type": "message_start", "message": {"usage": {"input_tokens": 900}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Let me see."}}),
        json!({"type": "content_block_start", "index": 1,
            "content_block": {"type": "tool_use", "id": "t1", "name": name, "input": {}}}),
        json!({"type": "content_block_delta", "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": arguments.to_string()}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
        json!({"type": "message_stop"}),
    ];
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

fn message(text: &str) -> String {
    let events = [
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
        json!({"type": "message_stop"}),
    ];
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

fn ask(repo: &TestRepo, server: &Server, provider: &str, more: &[&str]) -> Run {
    let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
    command.args(["ask", "--provider", provider, "--model", "m", "--base-url", &server.address]);
    command.env("OPENAI_API_KEY", "sk-the-key").env("ANTHROPIC_API_KEY", "sk-the-key").args(more);
    Run::of(command.arg("explain app.fill").output().expect("the binary was built"))
}

fn body(server: &Server, number: usize) -> Value {
    let requests = server.requests();
    let (_, body) = requests[number].split_once("\r\n\r\n").expect("headers end");
    serde_json::from_str(body).expect("a body of JSON")
}

#[test]
fn a_model_looks_up_and_its_citations_count_what_it_saw() {
    let script =
        vec![ok(call("refs", &json!({"target": "Cart.add"}))), ok(completion(&["It calls `Cart.add` (app.py:5)."]))];
    let (repo, server) = (repo(), Server::start(script));
    let run = ask(&repo, &server, "openai", &["--format", "json"]).code(0);
    let reply: Value = serde_json::from_str(&run.stdout).expect("a report");
    assert_eq!(reply["reply"]["text"], "It calls `Cart.add` (app.py:5).");
    let lookup = &reply["reply"]["tools"][0];
    assert_eq!((&lookup["tool"], &lookup["arguments"]), (&json!("refs"), &json!({"target": "Cart.add"})));
    assert!(run.stderr.contains("looking up: refs target=Cart.add"), "{}", run.stderr);
    let first = body(&server, 0);
    assert_eq!(first["tools"].as_array().expect("tools").len(), 7);
    assert!(!first["tools"].to_string().contains("\"root\""), "the model has one repository");
    let second = body(&server, 1);
    let messages = second["messages"].as_array().expect("messages");
    let result = messages.last().expect("a result");
    assert_eq!((&result["role"], &result["tool_call_id"]), (&json!("tool"), &json!("c1")));
    assert!(result["content"].as_str().expect("a text").contains("app.py:5"), "{result}");
}

#[test]
fn the_other_protocol_has_the_same_loop() {
    let script = vec![
        ok(message_with_call("impact", &json!({"target": "Cart.add", "change": "rename"}))),
        ok(message("Two calls break.")),
    ];
    let (repo, server) = (repo(), Server::start(script));
    let run = ask(&repo, &server, "anthropic", &["-q"]).code(0);
    assert!(run.stdout.contains("Let me see.\nTwo calls break."), "{}", run.stdout);
    let second = body(&server, 1);
    let messages = second["messages"].as_array().expect("messages");
    assert_eq!(messages[1]["content"][1]["name"], "impact");
    assert_eq!(messages[2]["content"][0]["tool_use_id"], "t1");
    assert!(messages[2]["content"][0]["content"].as_str().expect("a text").starts_with("renaming `Cart.add`"));
}

#[test]
fn a_model_that_calls_for_ever_is_cut_off() {
    let server = Server::start(vec![ok(call("show", &json!({"target": "Cart"})))]);
    let run = ask(&repo(), &server, "openai", &[]).code(0);
    assert_eq!(server.requests().len(), 7, "six calls, and one request for the answer");
    assert_eq!(body(&server, 6)["tool_choice"], "none");
    assert!(run.stderr.contains("the model asked for more than 6 look-ups"), "{}", run.stderr);
}

#[test]
fn wrong_calls_are_answered_in_words() {
    let script = vec![
        ok(call("delete_everything", &json!({"path": "/"}))),
        ok(call("show", &json!({"target": "Cart.nothing", "root": "/etc"}))),
        ok(call("refs", &json!("no object"))),
        ok(completion(&["I do not know."])),
    ];
    let (repo, server) = (repo(), Server::start(script));
    ask(&repo, &server, "openai", &["-q"]).code(0);
    let last = body(&server, 3);
    let results = last["messages"].as_array().expect("messages").iter().filter(|message| message["role"] == "tool");
    let results: Vec<&str> = results.map(|result| result["content"].as_str().expect("a text")).collect();
    let first_lines: Vec<&str> = results.iter().filter_map(|result| result.lines().next()).collect();
    expect![[r#"
        [
            "there is no tool `delete_everything`",
            "the class `cart.Cart` has no member `nothing`",
            "refs needs `target`",
        ]"#]]
    .assert_eq(&format!("{first_lines:#?}"));
    assert_eq!(repo.git(["status", "--short"]), "");
}

#[test]
fn secrets_and_withheld_files_stay_here() {
    let repo = TestRepo::new()
        .file("keys.py", "def connect():\n    return 'AKIAIOSFODNN7EXAMPLQ'\n")
        .file("hidden.py", "from keys import connect\n\n\ndef secret_plan():\n    return connect()\n")
        .file("app.py", "from keys import connect\n\n\ndef fill():\n    return connect()\n")
        .file(".repoidxignore", "hidden.py\n")
        .commit("first");
    let script = vec![
        ok(call("show", &json!({"target": "connect"}))),
        ok(call("refs", &json!({"target": "connect"}))),
        ok(call("show", &json!({"target": "secret_plan"}))),
        ok(completion(&["Done."])),
    ];
    let server = Server::start(script);
    ask(&repo, &server, "openai", &["-q"]).code(0);
    let sent = server.requests().join("\n");
    assert!(!sent.contains("AKIAIOSFODNN7EXAMPLQ") && sent.contains("REDACTED"), "a secret left the machine");
    assert!(!sent.contains("hidden.py:") && !sent.contains("def secret_plan"), "a withheld file left the machine");
}

#[test]
fn without_tools_it_is_as_before() {
    let server = Server::start(vec![ok(completion(&["Plain."]))]);
    ask(&repo(), &server, "openai", &["-q", "--no-tools"]).code(0);
    assert!(body(&server, 0).get("tools").is_none());
    let refusal = crate::models::Act::Say(
        "400 Bad Request",
        "Content-Type: application/json\r\n".to_owned(),
        json!({"error": {"message": "m does not support tools"}}).to_string(),
        1 << 20,
    );
    let server = Server::start(vec![refusal, ok(completion(&["Plain again."]))]);
    let run = ask(&repo(), &server, "openai", &["-q"]).code(0);
    assert!(run.stdout.contains("Plain again."), "{}", run.stdout);
    assert!(body(&server, 1).get("tools").is_none());
}
