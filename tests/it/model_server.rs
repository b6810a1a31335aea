//! A real model server: llama.cpp's, with a tiny random model that `benches/model_server.py` makes and serves.
//!
//! Runs with `REPOIDX_MODEL_SERVER=ADDRESS`, the address that the script prints. The model's words mean nothing; that
//! they arrive, whole and checked, is what is looked at.

use std::io::Write;

use crate::{
    harness::{Run, TestRepo},
    review_command::repo,
};

/// The server's address, if there is one.
fn server() -> Option<String> {
    let address = std::env::var("REPOIDX_MODEL_SERVER").ok();
    if address.is_none() {
        writeln!(std::io::stderr(), "skipped: REPOIDX_MODEL_SERVER=ADDRESS asks a real model server").ok();
    }
    address
}

fn ask(repo: &TestRepo, address: &str, more: &[&str]) -> Run {
    let provider = ["ask", "--provider", "openai", "--model", "random", "--base-url", address];
    let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
    command.args(provider).args(more).env("REPOIDX_ANSWER_TOKENS", "40");
    Run::of(command.output().expect("the binary was built"))
}

#[test]
fn a_real_server_streams_an_answer() {
    let Some(address) = server() else { return };
    let repo = repo();
    let run = ask(&repo, &address, &["explain app.fill", "--format", "json"]).code(0);
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).expect("the answer is JSON");
    let reply = &answer["reply"];
    assert!(reply["text"].as_str().is_some_and(|text| !text.is_empty()), "{}", run.stdout);
    assert_eq!(reply["model"], "random");
    let text = ask(&repo, &address, &["-q", "explain app.fill"]).code(0).stdout;
    assert!(text.starts_with("sources (") && text.contains("app.py:4-7"), "{text}");
    let review = ask(&repo, &address, &["--review", "--format", "json"]).code(0).stdout;
    assert!(review.contains("\"reply\":{\"model\":\"random\""), "{review}");
}

#[test]
fn a_window_that_is_too_small_is_said_to_be_and_the_index_answers() {
    let Some(address) = server() else { return };
    let lines: String =
        (0..3_000).map(|number| format!("    value_{number} = call_{number}(value_{number})\n")).collect();
    let repo = TestRepo::new().file("long.py", format!("def long():\n{lines}")).commit("first");
    let run = ask(&repo, &address, &["explain long.long", "--tokens", "200000"]).code(4);
    assert!(run.stderr.contains("window") || run.stderr.contains("context"), "{}", run.stderr);
    assert!(run.stdout.contains("long.long"), "{}", run.stdout);
}
