//! One question over several repositories.

use serde_json::Value;

use crate::harness::{Run, TestRepo};
use crate::models::{Server, completion, ok};

/// A shop, and beside it a bank; both have a `total`.
fn repositories() -> TestRepo {
    let repo = TestRepo::new();
    repo.write(
        "cart.py",
        "class Cart:\n    def total(self):\n        \"\"\"What the customer pays.\"\"\"\n        return 1\n",
    );
    repo.save("start");
    repo.init("../bank");
    repo.write(
        "../bank/account.py",
        "class Account:\n    def total(self):\n        return 2\n\n\ndef close(account: Account):\n    account.total()\n",
    );
    repo
}

fn run(repo: &TestRepo, arguments: &[&str]) -> Run {
    repo.run([&["--repo", ".", "--repo", "../bank", "-q"], arguments].concat())
}

#[test]
fn hits_carry_their_repository() {
    let repo = repositories();
    let run = run(&repo, &["search", "total", "--format", "json"]).code(0);
    let report: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let hits = report["hits"].as_array().expect("there are hits");
    let places: Vec<(&str, &str)> = hits
        .iter()
        .filter(|hit| hit["name"].as_str().is_some_and(|name| name.ends_with(".total")))
        .map(|hit| (hit["repository"].as_str().expect("it says where"), hit["path"].as_str().expect("a path")))
        .collect();
    assert!(places.contains(&(".", "cart.py")) && places.contains(&("../bank", "account.py")), "{places:?}");
    let scores: Vec<f64> = hits.iter().filter_map(|hit| hit["score"].as_f64()).collect();
    assert_eq!(scores.len(), hits.len());
    let text = self::run(&repo, &["search", "total", "-k", "2"]).code(0).stdout;
    assert!(text.contains("../bank: account.py:2") && text.contains(".: cart.py:2"), "{text}");
    let alone = repo.run(["--repo", ".", "search", "total", "-q", "--format", "json"]).code(0).stdout;
    assert!(!alone.contains("repository"), "{alone}");
}

#[test]
fn who_knows_the_names_answers() {
    let repo = repositories();
    let text = run(&repo, &["ask", "who calls Account.total?"]).code(0).stdout;
    assert!(text.starts_with("== ../bank\n") && text.contains("account.close"), "{text}");
    assert!(!text.contains("== .\n"), "the shop has no account: {text}");
    let text = run(&repo, &["ask", "show the class Cart and Account.total"]).code(0).stdout;
    assert!(text.contains("== .\n") && text.contains("== ../bank\n"), "{text}");
    let run = run(&repo, &["ask", "who calls Nobody.total_of?"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert!(run.stdout.contains("nothing here is called `Nobody.total_of`"), "{}", run.stdout);
    let json = self::run(&repo, &["ask", "are there any errors in the repository?", "--format", "json"]).code(0).stdout;
    let answers: Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(answers["schema"], "repoidx.answers");
    assert_eq!(answers["repositories"][1]["repository"], "../bank");
}

#[test]
fn a_dozen_repositories_are_one_question() {
    let repo = TestRepo::new();
    let mut arguments = Vec::new();
    for number in 0..12 {
        let folder = format!("../part{number}");
        repo.init(&folder);
        repo.write(&format!("{folder}/mod{number}.py"), format!("def price_{number}():\n    return {number}\n"));
        arguments.extend(["--repo".to_owned(), folder]);
    }
    arguments
        .extend(["search", "price", "-q", "-k", "12", "--kind", "function", "--format", "json"].map(str::to_owned));
    let hits = repo.run(&arguments).code(0).stdout;
    for number in 0..12 {
        assert!(hits.contains(&format!("\"../part{number}\"")), "{number}: {hits}");
    }
    assert_eq!(repo.run(&arguments).code(0).stdout, hits, "the same again");
}

#[test]
fn a_model_is_shown_all_of_them_within_one_budget() {
    let repo = repositories();
    let prompt = run(&repo, &["ask", "explain total", "--format", "prompt", "--tokens", "2500"]).code(0).stdout;
    assert!(prompt.contains("# Repository `.`") && prompt.contains("# Repository `../bank`"), "{prompt}");
    assert!(repoidx::ask::context::tokens::tokens(&prompt) <= 2500);
    let said = "See `Account.total` at account.py:2, `Cart.total` at cart.py:2 and `Bank.total_of`.";
    let server = Server::start(vec![ok(completion(&[said]))]);
    let arguments = [
        "ask",
        "explain total",
        "--provider",
        "openai",
        "--model",
        "m",
        "--base-url",
        &server.address,
        "--format",
        "json",
    ];
    let run = run(&repo, &arguments).code(0);
    let answers: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let citations = answers["reply"]["citations"].as_array().expect("there are citations");
    let verdict = |text: &str| {
        let found = citations.iter().find(|citation| citation["text"] == text);
        found.map(|citation| citation["verdict"].as_str().expect("a word").to_owned())
    };
    assert_eq!(verdict("account.py:2").as_deref(), Some("shown"), "{citations:?}");
    assert_eq!(verdict("cart.py:2").as_deref(), Some("shown"), "{citations:?}");
    assert_eq!(verdict("Bank.total_of").as_deref(), Some("missing"), "{citations:?}");
}

#[test]
fn other_commands_and_conversations_want_one() {
    let repo = repositories();
    for arguments in [&["impact", "Cart.total"][..], &["ask", "-i"], &["ask", "--review"], &["status"]] {
        let run = run(&repo, arguments).code(2);
        assert!(run.stderr.contains("one repository") || run.stderr.contains("several times"), "{}", run.stderr);
    }
}
