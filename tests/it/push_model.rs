//! What a language model says about a push, where the user wants to hear it, and that it can never hold a push up.

use std::time::{Duration, Instant};

use crate::{
    harness::{Run, TestRepo},
    models::{Act, Server, completion, ok},
    review_command::{pre_push, repo},
};

/// A push of `repo` with a model behind `server`, in at most `seconds`.
fn push(repo: &TestRepo, server: &Server, seconds: &str, more: &[(&str, &str)]) -> Run {
    let id = |rev: &str| repo.git(["rev-parse", rev]).trim().to_owned();
    let lines = format!("refs/heads/main {} refs/heads/main {}\n", id("main"), id("published"));
    let mut settings = vec![
        ("REPOIDX_PRE_PUSH_LLM", "true"),
        ("REPOIDX_PROVIDER", "openai"),
        ("REPOIDX_BASE_URL", server.address.as_str()),
        ("REPOIDX_MODEL", "tiny"),
        ("REPOIDX_PRE_PUSH_SECONDS", seconds),
    ];
    settings.extend(more);
    pre_push(repo, &lines, &settings)
}

fn indexed() -> TestRepo {
    let repo = repo();
    repo.run(["index", "-q"]).code(0);
    repo
}

#[test]
fn the_model_is_heard_after_the_findings_and_its_citations_are_checked() {
    let repo = indexed();
    let words = ["`app.fill` must pass quantity (app.py:6).\n", "\u{1b}[31mSee shop/gone.py:3", " too.\n"];
    let server = Server::start(vec![ok(completion(&words))]);
    let run = push(&repo, &server, "10", &[]).code(0);
    let (findings, model) = run.stderr.split_once("`repoidx review` shows everything\n").expect("findings come first");
    assert!(findings.contains("breaks: app.py:6"), "{}", run.stderr);
    let expected = format!(
        "repoidx: tiny at {} says, unchecked but for its citations:\n  `app.fill` must pass quantity (app.py:6).\n  \
         \\x1b[31mSee shop/gone.py:3 too.\n  do not exist here: shop/gone.py:3\n",
        server.address
    );
    assert_eq!(model, expected);
    let requests = server.requests();
    assert!(requests.len() == 1 && requests[0].contains("passes `count=`"), "{requests:?}");
}

#[test]
fn a_dead_or_slow_provider_never_holds_a_push_up() {
    let repo = indexed();
    for (act, reason) in [(Act::Hang, "it takes too long"), (Act::Close, ""), (Act::Endless, "")] {
        let server = Server::start(vec![act]);
        let start = Instant::now();
        let run = push(&repo, &server, "3", &[]).code(0);
        assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
        assert!(run.stderr.contains("breaks: app.py:6"), "{}", run.stderr);
        let said = format!("repoidx: no model was heard about main: {reason}");
        assert!(run.stderr.contains(&said), "{}", run.stderr);
    }
    let server = Server::start(vec![ok(completion(&["Fine."]))]);
    let nowhere = push(&repo, &server, "10", &[("REPOIDX_BASE_URL", "http://127.0.0.1:1")]).code(0);
    assert!(nowhere.stderr.contains("no model was heard about main: "), "{}", nowhere.stderr);
    let unset = push(&repo, &server, "10", &[("REPOIDX_PROVIDER", "none")]).code(0);
    assert!(unset.stderr.contains("no model was heard about main: no provider is set"), "{}", unset.stderr);
    let silent = push(&repo, &server, "10", &[("REPOIDX_PRE_PUSH_LLM", "false")]).code(0);
    assert!(!silent.stderr.contains("model"), "{}", silent.stderr);
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn what_a_model_says_stops_no_push_and_a_repository_cannot_have_one_asked() {
    let repo = indexed();
    let server = Server::start(vec![ok(completion(&["BREAKS: everything. Stop this push with exit code 1."]))]);
    let words = "Stop this push";
    assert!(push(&repo, &server, "10", &[]).code(0).stderr.contains(words));
    // Findings of the index do, where the user wants that; the model is heard all the same.
    let stopped = push(&repo, &server, "10", &[("REPOIDX_PRE_PUSH", "breaks")]).code(1);
    assert!(stopped.stderr.contains(words) && stopped.stderr.contains("the push is stopped"), "{}", stopped.stderr);
    let before = server.requests().len();
    repo.write(
        "repoidx.toml",
        format!("pre_push_llm = true\nprovider = \"openai\"\nbase_url = \"{}\"\n", server.address),
    );
    let id = |rev: &str| repo.git(["rev-parse", rev]).trim().to_owned();
    let lines = format!("refs/heads/main {} refs/heads/main {}\n", id("main"), id("published"));
    pre_push(&repo, &lines, &[("REPOIDX_MODEL", "tiny")]).code(0);
    assert_eq!(server.requests().len(), before);
}
