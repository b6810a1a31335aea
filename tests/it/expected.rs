//! Findings that are meant: comments and lines of the configuration take them out of the gate, and the report keeps
//! them.

use serde_json::Value;

use crate::harness::TestRepo;

/// A change that breaks one call, with these two lines for the definition and the call.
fn repo(definition: &str, call: &str) -> TestRepo {
    let repo = TestRepo::new()
        .file("cart.py", "def grant(discount):\n    return discount\n")
        .file("app.py", "from cart import grant\n\n\ndef fill():\n    return grant(1)\n")
        .commit("first");
    repo.write("cart.py", format!("{definition}\n    return discount, until\n"));
    repo.write("app.py", format!("from cart import grant\n\n\ndef fill():\n{call}\n"));
    repo
}

const DEFINITION: &str = "def grant(discount, until):";
const CALL: &str = "    return grant(1)";

fn report(repo: &TestRepo) -> Value {
    let run = repo.run(["-q", "review", "--worktree", "--format", "json"]).code(0);
    serde_json::from_str(&run.stdout).expect("the answer is JSON")
}

#[test]
fn a_comment_at_the_call_or_at_the_definition_takes_a_finding_out_of_the_gate() {
    for (definition, call) in [
        (DEFINITION, "    return grant(1)  # repoidx: expect[breaks] callers follow in June"),
        (DEFINITION, "    # repoidx: expect[breaks] callers follow in June\n    return grant(1)"),
        ("def grant(discount, until):  # repoidx: expect callers follow in June", CALL),
        ("# repoidx: expect[breaks] callers follow in June\ndef grant(discount, until):", CALL),
    ] {
        let repo = repo(definition, call);
        repo.run(["review", "--worktree", "--fail-on", "breaks"]).code(0);
        let report = report(&repo);
        assert_eq!(report["counts"]["breaks"], 0, "{definition}\n{call}");
        assert_eq!(report["expected"][0]["expected_because"], "callers follow in June");
        assert_eq!(report["expected"][0]["name"], "app.fill");
        assert_eq!(report.get("unmet"), None);
    }
}

#[test]
fn a_line_of_the_configuration_does_the_same_by_name() {
    let repo = repo(DEFINITION, CALL);
    repo.write("pyproject.toml", "[tool.repoidx]\nexpect = [\"cart.grant: callers follow in June\"]\n");
    let text = repo.run(["-q", "review", "--worktree", "--fail-on", "breaks"]).code(0).stdout;
    expect_test::expect![[r#"
        nothing is known to break; no test to run; 1 expected; no limit known
          HEAD → working tree: 2 changed definitions in 2 files

        expected (1)
          app.py:5  app.fill  passes no `until`, which `grant` requires now (expected: callers follow in June)

        changed (2)
          cart.grant  function  cart.py:1  takes `until` now, without a default; body
          pyproject  module  pyproject.toml:1  added

        no test is known to reach (1)
          cart.grant
    "#]]
    .assert_eq(&text);
    for format in ["markdown", "sarif", "github"] {
        let text = repo.run(["-q", "review", "--worktree", "--format", format]).code(0).stdout;
        assert!(text.contains("callers follow in June") == (format != "github"), "{text}");
        assert!(!text.contains("::error"), "{text}");
    }
}

#[test]
fn an_expectation_without_effect_is_told() {
    let fitting = "    return grant(1, 2)  # repoidx: expect[breaks] no longer true";
    let repo = repo(DEFINITION, fitting);
    repo.write("repoidx.toml", "expect = [\"cart.nothing: gone\", \"nonsense\"]\n");
    let run = repo.run(["review", "--worktree", "--format", "json"]).code(0);
    assert!(run.stderr.contains("`nonsense` is not of the form"), "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).expect("the answer is JSON");
    let unmet = report["unmet"].as_array().expect("a list");
    let places: Vec<&str> = unmet.iter().filter_map(|unmet| unmet["place"].as_str()).collect();
    assert_eq!(places, ["app.py:5", "cart.nothing"]);
}

#[test]
fn an_expectation_needs_a_reason_and_the_right_verdict() {
    for comment in ["# repoidx: expect[breaks]", "# repoidx: expect[may-break] x", "# repoidx: expect[all] x"] {
        let repo = repo(DEFINITION, &format!("    return grant(1)  {comment}"));
        repo.run(["review", "--worktree", "--fail-on", "breaks"]).code(1);
        assert_eq!(report(&repo)["unmet"][0]["place"], "app.py:5", "{comment}");
    }
}
