//! `.pre-commit-hooks.yaml`: what the hooks of the pre-commit framework run does what they say.

use std::collections::BTreeMap;

use crate::{
    harness::{Run, TestRepo, package_text},
    review_command::repo,
};

/// The hooks by id. The file keeps to lists of plain `key: value`, which is all that is read here.
fn hooks() -> BTreeMap<String, BTreeMap<String, String>> {
    let text = package_text(".pre-commit-hooks.yaml");
    let mut hooks: Vec<BTreeMap<String, String>> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let line = match line.strip_prefix("- ") {
            Some(first) => {
                hooks.push(BTreeMap::new());
                first
            }
            None => line.strip_prefix("  ").expect("a hook's keys are indented"),
        };
        let (key, value) = line.split_once(": ").expect("a key and a value");
        hooks.last_mut().expect("a hook was begun").insert(key.to_owned(), value.to_owned());
    }
    hooks.into_iter().map(|hook| (hook["id"].clone(), hook)).collect()
}

/// Runs a hook's entry as the framework does: by its words, without a shell, `repoidx` being the one of this test.
fn run(repo: &TestRepo, hook: &BTreeMap<String, String>) -> Run {
    let words: Vec<&str> = hook["entry"].split(' ').collect();
    assert_eq!(words[0], "repoidx");
    repo.run(&words[1..])
}

#[test]
fn a_commit_that_breaks_something_is_stopped() {
    let (repo, hooks) = (repo(), hooks());
    run(&repo, &hooks["repoidx-review"]).code(0);
    repo.write("other.py", "def other():\n    return 1\n");
    repo.git(["add", "other.py"]);
    run(&repo, &hooks["repoidx-review"]).code(0);
    repo.write("cart.py", "def clear(cart):\n    return cart\n");
    repo.write("app.py", "from cart import Cart, clear\n\n\ndef fill(cart: Cart):\n    return clear(cart)\n");
    repo.git(["add", "."]);
    let stopped = run(&repo, &hooks["repoidx-review"]).code(1);
    assert!(stopped.stdout.contains("imports `Cart` from `cart`, where it is gone"), "{}", stopped.stdout);
}

#[test]
fn a_push_that_breaks_something_is_stopped_and_the_index_follows_commits() {
    let (repo, hooks) = (repo(), hooks());
    run(&repo, &hooks["repoidx-index"]).code(0);
    assert!(repo.run(["status", "--no-update", "--format", "json"]).code(0).stdout.contains("\"fresh\":true"));
    assert!(run(&repo, &hooks["repoidx-review-push"]).code(1).stdout.contains("breaks (2)"));
    repo.git(["branch", "--quiet", "--force", "published", "main"]);
    run(&repo, &hooks["repoidx-review-push"]).code(0);
}

#[test]
fn every_hook_says_when_it_runs_and_takes_no_files() {
    let hooks = hooks();
    assert_eq!(hooks.len(), 3);
    for (id, hook) in hooks {
        for key in ["name", "description", "entry", "language", "stages"] {
            assert!(hook.contains_key(key), "{id} has no {key}");
        }
        assert_eq!(hook["pass_filenames"], "false", "{id}");
    }
}
