//! `repoidx review`, `impact --diff` and the pre-push hook as a user sees them.

use std::io::Write as _;
use std::process::Stdio;

use expect_test::expect;

use crate::harness::{Run, TestRepo};

const CART: &str = "class Cart:\n    def add(self, item, count=1):\n        return item * count\n\n\ndef clear(cart):\n    \
    return Cart()\n";
const APP: &str = "from cart import Cart, clear\n\n\ndef fill(cart: Cart):\n    cart.add(1)\n    cart.add(2, count=3)\n    \
    return clear(cart)\n";
const TESTS: &str = "from app import fill\nfrom cart import Cart\n\n\ndef test_fill():\n    assert fill(Cart())\n";
/// `count` is called otherwise, `clear` is gone, and nobody has adapted the callers.
const CHANGED: &str = "class Cart:\n    def add(self, item, quantity=1):\n        return item * quantity\n";

/// The branch `main`, and on it a commit that breaks its callers, not pushed yet.
pub(crate) fn repo() -> TestRepo {
    let repo =
        TestRepo::new().file("cart.py", CART).file("app.py", APP).file("tests/test_app.py", TESTS).commit("start");
    repo.git(["branch", "--quiet", "published"]);
    repo.git(["branch", "--quiet", "--set-upstream-to=published"]);
    repo.file("cart.py", CHANGED).commit("change")
}

#[test]
fn text_tells_what_would_be_pushed() {
    repo().run(["review", "-q"]).stdout(expect![[r#"
        2 places break, 1 may behave differently; 1 test file to run; no limit known
          @{upstream} → HEAD: 2 changed definitions in 1 file

        breaks (2)
          app.py:1  app  imports `clear` from `cart`, where it is gone  98%
          app.py:6  app.fill  passes `count=`, which `Cart.add` calls `quantity` now  95%

        changed (2)
          cart.Cart.add  method  cart.py:2  `count` is called `quantity`; body
          cart.clear  function  cart.py:6  removed

        may behave differently (1)
          app.py:5  app.fill  calls `Cart.add`, whose code changed  95%

        tests to run (1 file)
          tests/test_app.py  98%
    "#]]);
}

#[test]
fn markdown_is_one_sticky_comment() {
    repo().run(["review", "-q", "--format", "markdown"]).stdout(expect![[r#"
        <!-- repoidx:review -->
        ### 2 places break

        `@{upstream}` → `HEAD`. 2 changed definitions in 1 file: 2 places break, 1 may behave differently; 1 test file to run. Completeness: lower bound.

        #### Breaks (2)

        | where | who | why | sure |
        |---|---|---|---|
        | `app.py:1` | `app` | imports `clear` from `cart`, where it is gone | 98% |
        | `app.py:6` | `app.fill` | passes `count=`, which `Cart.add` calls `quantity` now | 95% |

        <details><summary>1 may behave differently</summary>


        | where | who | why | sure |
        |---|---|---|---|
        | `app.py:5` | `app.fill` | calls `Cart.add`, whose code changed | 95% |

        </details>

        <details><summary>2 changed definitions</summary>

        - `cart.Cart.add` (method, `cart.py:2`): `count` is called `quantity`; body
        - `cart.clear` (function, `cart.py:6`): removed

        </details>

        <details><summary>1 test to run</summary>

        ```
        tests/test_app.py
        ```

        </details>
    "#]]);
}

#[test]
fn annotations_stand_on_their_lines() {
    repo().run(["review", "-q", "--format", "github"]).stdout(expect![[r#"
        ::error file=app.py,line=1,title=breaks%3A cart.clear::app imports `clear` from `cart`, where it is gone
        ::error file=app.py,line=6,title=breaks%3A cart.Cart.add::app.fill passes `count=`, which `Cart.add` calls `quantity` now
        ::notice file=app.py,line=5,title=may behave differently%3A cart.Cart.add::app.fill calls `Cart.add`, whose code changed
        ::notice title=repoidx review::2 changed definitions in 1 file: 2 places break, 1 may behave differently; 1 test file to run
    "#]]);
}

#[test]
fn sarif_has_rules_places_and_fingerprints() {
    repo().run(["review", "-q", "--format", "sarif"]).stdout(expect![[r#"
        {"$schema":"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json","runs":[{"results":[{"level":"error","locations":[{"physicalLocation":{"artifactLocation":{"uri":"app.py"},"region":{"startLine":1}}}],"message":{"text":"app imports `clear` from `cart`, where it is gone (cart.clear)"},"partialFingerprints":{"repoidx/v1":"3d318397a856086e7b51606eec0bcd76:1"},"rank":98.0,"ruleId":"breaks","ruleIndex":0},{"level":"error","locations":[{"physicalLocation":{"artifactLocation":{"uri":"app.py"},"region":{"startLine":6}}}],"message":{"text":"app.fill passes `count=`, which `Cart.add` calls `quantity` now (cart.Cart.add)"},"partialFingerprints":{"repoidx/v1":"12074e9b35eb71b2dabee1d86e19eaeb:1"},"rank":95.0,"ruleId":"breaks","ruleIndex":0},{"level":"note","locations":[{"physicalLocation":{"artifactLocation":{"uri":"app.py"},"region":{"startLine":5}}}],"message":{"text":"app.fill calls `Cart.add`, whose code changed (cart.Cart.add)"},"partialFingerprints":{"repoidx/v1":"221cd6c94ce62c21b7b449d07aa30b51:1"},"rank":95.0,"ruleId":"may-behave-differently","ruleIndex":2}],"tool":{"driver":{"name":"repoidx","rules":[{"defaultConfiguration":{"level":"error"},"id":"breaks","shortDescription":{"text":"The change makes this place raise an error when it runs"}},{"defaultConfiguration":{"level":"warning"},"id":"may-break","shortDescription":{"text":"The change may make this place raise an error when it runs"}},{"defaultConfiguration":{"level":"note"},"id":"may-behave-differently","shortDescription":{"text":"This place runs, and may do something else after the change"}}],"version":"0.1.0"}}}],"version":"2.1.0"}
    "#]]);
}

#[test]
fn json_is_the_contract() {
    let repo = repo();
    let run = repo.run(["review", "-q", "--format", "json"]).code(0);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("the answer is JSON");
    assert_eq!((&report["schema"], &report["schema_version"]), (&"repoidx.review".into(), &1.into()));
    let finding = &report["findings"][0];
    let mut finding = finding.as_object().expect("a finding is an object").clone();
    finding.remove("via");
    expect![[r#"{"column":23,"entity":"cart.clear","evidence":"exact","is_test":false,"kind":"module","line":1,"name":"app","path":"app.py","probability":0.98,"reason":"imports `clear` from `cart`, where it is gone","verdict":"breaks"}"#]].assert_eq(&serde_json::Value::from(finding).to_string());
    assert_eq!(repo.run(["review", "-q", "--format", "json"]).stdout, run.stdout, "the same bytes again");
}

#[test]
fn the_prompt_holds_changes_findings_and_source() {
    let prompt = repo().run(["review", "-q", "--format", "prompt"]).code(0).stdout;
    for part in ["`count` is called `quantity`", "breaks: app.py:6", "- tests/test_app.py", "cart.add(2, count=3)"] {
        assert!(prompt.contains(part), "{part} is missing in\n{prompt}");
    }
    let short = repo().run(["review", "-q", "--format", "prompt", "--tokens", "700"]).code(0).stdout;
    assert!(short.len() < 2700, "{} bytes", short.len());
}

#[test]
fn a_gate_fails_with_one_and_says_why() {
    let repo = repo();
    let run = repo.run(["review", "-q", "--fail-on", "breaks"]).code(1);
    expect![[r#"
        error: the review found 2 places that break
    "#]]
    .assert_eq(&run.stderr);
    repo.run(["review", "-q", "published..published", "--fail-on", "breaks,may-break,untested"]).code(0);
}

#[test]
fn a_baseline_takes_known_findings_away() {
    let repo = repo();
    let report = repo.run(["review", "-q", "--format", "json"]).code(0).stdout;
    repo.write("known.json", &report);
    let run = repo.run(["review", "-q", "--baseline", "known.json", "--fail-on", "breaks"]).code(0);
    assert!(run.stdout.contains("known from the baseline"), "{}", run.stdout);
    let run = repo.run(["review", "-q", "--baseline", "cart.py"]).code(2);
    assert!(run.stderr.contains("it is not the JSON of an earlier review"), "{}", run.stderr);
}

#[test]
fn what_is_not_committed_yet_is_reviewed_on_request() {
    let repo = TestRepo::new().file("cart.py", CART).file("app.py", APP).commit("start");
    repo.write("cart.py", CHANGED);
    let breaks = |arguments: &[&str]| repo.run(arguments).code(0).stdout.matches("breaks").count();
    assert_eq!(breaks(&["review", "-q", "--staged", "--format", "github"]), 1, "the summary alone");
    assert!(breaks(&["review", "-q", "--worktree", "--format", "github"]) > 1);
    repo.git(["add", "cart.py"]);
    assert!(breaks(&["review", "-q", "--staged", "--format", "github"]) > 1);
}

#[test]
fn a_commit_is_judged_as_it_was_whatever_lies_in_the_worktree() {
    let repo = repo();
    let before = repo.run(["review", "-q", "published..main", "--format", "json"]).code(0).stdout;
    repo.write("cart.py", "");
    repo.write("app.py", "import cart\n");
    assert_eq!(repo.run(["review", "-q", "published..main", "--format", "json"]).code(0).stdout, before);
    repo.save("everything is gone");
    repo.save("empty");
    assert_eq!(
        repo.run(["review", "-q", "published..main~2", "--format", "json"]).code(0).stdout.replace("main~2", "main"),
        before
    );
}

#[test]
fn tests_are_printed_as_pytest_takes_them() {
    let repo = repo();
    repo.run(["review", "-q", "--tests"]).stdout(expect![[r#"
        tests/test_app.py
    "#]]);
    repo.run(["review", "-q", "--tests", "--select", "conservative", "--max-tests", "0"]).stdout(expect![[""]]);
}

#[test]
fn tests_that_cannot_be_read_are_named_apart() {
    let repo = TestRepo::new()
        .file("cart.py", CART)
        .file("test_cart.py", "from cart import Cart\n\ndef test_cart():\n    Cart().add(1)\n")
        .file("test_broken.py", "def test_nothing(:\n    pass\n")
        .commit("start");
    repo.write("cart.py", CHANGED);
    let report = repo.run(["review", "-q", "--worktree", "--format", "json"]).code(0).stdout;
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    let (run, untraced) = (report["tests"].to_string(), &report["untraced_tests"]);
    assert!(run.contains("test_cart.py") && !run.contains("test_broken.py"), "{run}");
    assert_eq!(*untraced, serde_json::json!(["test_broken.py"]));
}

#[test]
fn a_bare_repository_is_reviewed_too() {
    let repo = repo();
    let expected = repo.run(["review", "-q", "published..main", "--format", "json"]).code(0).stdout;
    repo.git(["clone", "--quiet", "--bare", ".", "../bare.git"]);
    let arguments = ["--repo", "../bare.git", "review", "-q", "published..main", "--format", "json"];
    assert_eq!(repo.run(arguments).code(0).stdout, expected);
    let arguments = ["--repo", "../bare.git", "review", "-q", "--worktree"];
    assert!(repo.run(arguments).code(3).stderr.contains("a bare repository has no worktree"));
}

#[test]
fn a_range_that_means_nothing_is_an_error_with_a_way_out() {
    let repo = repo();
    repo.run(["review", "-q", "nowhere..main"]).code(2).stderr(expect![[r#"
        error: `nowhere` names no commit here
        hint: git log --oneline --all
    "#]]);
    let lone = TestRepo::new().file("cart.py", CART);
    lone.run(["review", "-q"]).code(2).stderr(expect![[r#"
        error: there is no commit yet to compare with
        hint: repoidx impact TARGET answers before a change is written
    "#]]);
    let detached = TestRepo::new().file("cart.py", CART).commit("start");
    detached.git(["checkout", "--quiet", "--detach"]);
    detached.git(["branch", "--quiet", "--delete", "--force", "main"]);
    detached.run(["review", "-q"]).code(2).stderr(expect![[r#"
        error: HEAD has no upstream branch, and no default branch to compare with was found
        hint: name the older state: repoidx review HEAD~1..HEAD
    "#]]);
}

#[test]
fn impact_of_a_difference_covers_every_changed_definition() {
    let repo = repo();
    repo.run(["impact", "-q", "--diff", "published..main"]).stdout(expect![[r#"
        changing `Cart.add` may break 2 definitions and affects 4 definitions (2 directly); 1 test file to run; no limit known

        changed (1)
          cart.Cart.add  method  cart.py:2

        direct (2), further away below them (2 over up to 2 steps)
          app.py:1  imports  app (module level)  almost certain 98%
          │   from cart import Cart, clear
          └─ tests/test_app.py:1  imports  tests.test_app (module level)  unlikely 14%
          app.py:6  calls  app.fill  almost certain 95%
          │   cart.add(2, count=3)
          └─ tests/test_app.py:6  calls  test_app.test_fill  very likely 94%

        tests to run (1 file)
          pytest tests/test_app.py
    "#]]);
    let prompt = repo.run(["impact", "-q", "--diff", "published..main", "--format", "prompt"]).code(0).stdout;
    assert!(
        prompt.contains("\nWhat breaks by the change of the definitions under \"Changed\"?\n")
            && prompt.contains("\n## Changed\n\n- "),
        "{prompt}"
    );
    let page = repo.run(["impact", "-q", "--diff", "published..main", "--format", "html"]).code(0).stdout;
    let heading = page.split("<h1").nth(1).and_then(|rest| rest.split("</h1>").next()).expect("a heading");
    assert!(heading.contains("1 definition") && heading.contains("changes"), "{heading}");
    let run = repo.run(["impact", "--diff"]).code(0);
    assert!(run.stderr.contains("nothing differs that others can use"), "{}", run.stderr);
    let nothing = repo.run(["impact", "-q", "--staged", "--format", "json"]).code(0).stdout;
    assert!(nothing.contains("\"impacted\":[]"), "{nothing}");
}

#[test]
fn a_change_of_a_parameter_is_foreseen_at_each_call() {
    let repo = TestRepo::new().file("cart.py", CART).file("app.py", APP).commit("start");
    for change in ["remove", "rename", "require", "keyword-only"] {
        let run = repo.run(["impact", "-q", "Cart.add", "--param", "count", "--change", change]).code(0);
        let sites: Vec<&str> = run
            .stdout
            .lines()
            .map(str::trim)
            .filter(|line| line.contains("app.py:") && line.contains("pass"))
            .collect();
        match change {
            "remove" => expect![[r#"
                app.fill  app.py:6  passes 3  breaks: passes `count=`, which `add` takes no more
                app.fill  app.py:5  does not pass it  not affected: fits the new parameters as it is"#]]
            .assert_eq(&sites.join("\n")),
            "rename" => expect![[r#"
                app.fill  app.py:6  passes 3  breaks: passes `count=`, which `add` calls something else now
                app.fill  app.py:5  does not pass it  not affected: fits the new parameters as it is"#]]
            .assert_eq(&sites.join("\n")),
            "require" => expect![[r#"
                  app.fill  app.py:5  does not pass it  breaks: passes no `count`, which `add` requires now
                  app.fill  app.py:6  passes 3  not affected: fits the new parameters as it is"#]]
            .assert_eq(&sites.join("\n")),
            _ => expect![[r#"
                app.fill  app.py:6  passes 3  not affected: fits the new parameters as it is
                app.fill  app.py:5  does not pass it  not affected: fits the new parameters as it is"#]]
            .assert_eq(&sites.join("\n")),
        }
    }
    repo.run(["impact", "-q", "Cart.add", "--change", "require"]).code(2).stderr(expect![[r#"
        error: `--change require` is about a parameter
        hint: name it with --param
    "#]]);
}

/// Runs the hook as git does, with its input.
pub(crate) fn pre_push(repo: &TestRepo, lines: &str, settings: &[(&str, &str)]) -> Run {
    let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
    command.args(["hook", "pre-push", "origin", "url"]).env("REPOIDX_FOREGROUND", "1");
    command.envs(settings.iter().copied()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary was built");
    // The hook may be gone before it has read everything.
    let _ = child.stdin.take().expect("it is piped").write_all(lines.as_bytes());
    Run::of(child.wait_with_output().expect("the hook ends"))
}

#[test]
fn a_push_is_told_its_findings_and_goes_through() {
    let repo = repo();
    repo.run(["index", "-q"]).code(0);
    let id = |rev: &str| repo.git(["rev-parse", rev]).trim().to_owned();
    let (old, new, zeros) = (id("published"), id("main"), "0".repeat(40));
    let known = format!("refs/heads/main {new} refs/heads/main {old}\n");
    let run = pre_push(&repo, &known, &[]).code(0);
    assert_eq!(run.stdout, "");
    expect![[r#"
        repoidx: main (remote) → main
          2 changed definitions in 1 file: 2 places break, 1 may behave differently; 1 test file to run
          breaks: app.py:1  app imports `clear` from `cart`, where it is gone
          breaks: app.py:6  app.fill passes `count=`, which `Cart.add` calls `quantity` now
          `repoidx review` shows everything
    "#]]
    .assert_eq(&run.stderr);

    // A new branch is compared with the default one, and so is a tag; deleted branches, and pushes of nothing new are
    // not reviewed.
    repo.git(["checkout", "--quiet", "-b", "feature"]);
    repo.git(["branch", "--quiet", "--force", "main", "published"]);
    let fresh = format!("refs/heads/feature {new} refs/heads/feature {zeros}\n");
    assert!(pre_push(&repo, &fresh, &[]).code(0).stderr.contains("breaks: app.py"));
    assert!(pre_push(&repo, &fresh, &[]).stderr.contains("  `repoidx review` shows everything"));
    let tag = format!("refs/tags/v1 {new} refs/tags/v1 {zeros}\n");
    let run = pre_push(&repo, &tag, &[("REPOIDX_PRE_PUSH", "breaks")]).code(1);
    assert!(run.stderr.contains("main → tag v1") && run.stderr.contains("breaks: app.py"), "{}", run.stderr);
    let both = pre_push(&repo, &format!("{fresh}{tag}"), &[]).stderr;
    assert_eq!(both.matches("breaks: app.py:1").count(), 1, "the branch brings the tag's commit: {both}");
    // Without a range the review is one of HEAD, which need not be what is pushed.
    repo.git(["checkout", "--quiet", "--detach", "published"]);
    let range = format!("{}..{}", &old[..12], &new[..12]);
    let run = pre_push(&repo, &fresh, &[]).code(0);
    assert!(run.stderr.contains(&format!("  `repoidx review {range}` shows everything")), "{}", run.stderr);
    assert!(repo.run(["review", &range]).stdout.contains("2 places break"));
    repo.git(["checkout", "--quiet", "feature"]);
    let forced = format!("refs/heads/feature {new} refs/heads/feature {}\n", "12".repeat(20));
    assert!(pre_push(&repo, &forced, &[]).code(0).stderr.contains("breaks: app.py"));
    for quiet in [
        format!("(delete) {zeros} refs/heads/feature {old}\n"),
        format!("refs/tags/v0 {old} refs/tags/v0 {zeros}\n"),
        format!("refs/heads/main {old} refs/heads/main {old}\n"),
        "not what git writes\n".to_owned(),
        String::new(),
    ] {
        let run = pre_push(&repo, &quiet, &[]).code(0);
        assert_eq!(run.stderr, "", "{quiet}");
    }
    let several = format!("{fresh}(delete) {zeros} refs/heads/x {old}\n{known}");
    assert_eq!(pre_push(&repo, &several, &[]).code(0).stderr.matches("repoidx: ").count(), 2);
}

#[test]
fn a_push_is_stopped_only_by_the_user_s_own_setting() {
    let repo = repo();
    repo.run(["index", "-q"]).code(0);
    let id = |rev: &str| repo.git(["rev-parse", rev]).trim().to_owned();
    let lines = format!("refs/heads/main {} refs/heads/main {}\n", id("main"), id("published"));
    let run = pre_push(&repo, &lines, &[("REPOIDX_PRE_PUSH", "breaks")]).code(1);
    assert!(run.stderr.contains("git push --no-verify"), "{}", run.stderr);
    assert_eq!(pre_push(&repo, &lines, &[("REPOIDX_PRE_PUSH", "off")]).code(0).stderr, "");
    // What takes too long is skipped, and said to be.
    let run = pre_push(&repo, &lines, &[("REPOIDX_PRE_PUSH", "breaks"), ("REPOIDX_PRE_PUSH_SECONDS", "0")]).code(0);
    assert_eq!(run.stderr, "repoidx: main was not reviewed: it takes too long; `repoidx review` does it\n");
    // A repository cannot set it, a broken setting stops nothing, and neither does a broken repository. A broken index
    // is built anew.
    repo.write("repoidx.toml", "pre_push = \"breaks\"\n");
    pre_push(&repo, &lines, &[]).code(0);
    pre_push(&repo, &lines, &[("REPOIDX_PRE_PUSH", "nonsense")]).code(0);
    repo.write(&repo.index_path(), "no index");
    pre_push(&repo, &lines, &[("REPOIDX_PRE_PUSH", "breaks")]).code(1);
    repo.write(".git/HEAD", "broken");
    pre_push(&repo, &lines, &[("REPOIDX_PRE_PUSH", "breaks")]).code(0);
}

/// A diff of `cart.py` that renames the parameter `count` and removes `clear`.
const PATCH: &str = "\
--- a/cart.py
+++ b/cart.py
@@ -1,7 +1,3 @@
 class Cart:
-    def add(self, item, count=1):
-        return item * count
-
-
-def clear(cart):
-    return Cart()
+    def add(self, item, quantity=1):
+        return item * quantity
";

#[test]
fn a_patch_is_judged_before_it_is_applied() {
    let repo = repo();
    repo.git(["checkout", "--quiet", "published"]);
    repo.write("../change.diff", PATCH);
    repo.run(["review", "-q", "--patch", "../change.diff"]).stdout(expect![[r#"
        2 places break, 1 may behave differently; 1 test file to run; no limit known
          working tree → with the patch: 2 changed definitions in 1 file

        breaks (2)
          app.py:1  app  imports `clear` from `cart`, where it is gone  98%
          app.py:6  app.fill  passes `count=`, which `Cart.add` calls `quantity` now  95%

        changed (2)
          cart.Cart.add  method  cart.py:2  `count` is called `quantity`; body
          cart.clear  function  cart.py:6  removed

        may behave differently (1)
          app.py:5  app.fill  calls `Cart.add`, whose code changed  95%

        tests to run (1 file)
          tests/test_app.py  98%
    "#]]);
    assert_eq!(repo.git(["status", "--short"]), "");
    // The verdict is that of the commit with the same change.
    let committed = repo.run(["review", "-q", "published..main", "--format", "json"]).code(0).stdout;
    let patched = repo.run(["review", "-q", "--patch", "../change.diff", "--format", "json"]).code(0).stdout;
    let findings = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("a report")["findings"].clone();
    assert_eq!(findings(&patched), findings(&committed));
}

#[test]
fn a_patch_that_does_not_apply_says_so() {
    let repo = repo();
    repo.write("../change.diff", PATCH);
    repo.run(["review", "-q", "--patch", "../change.diff"]).code(2).stderr(expect![[r#"
        error: the patch does not apply to cart.py: hunk at line 1 did not apply
        hint: the patch must fit the files as they are now; `git apply --check` says more
    "#]]);
    repo.run(["review", "-q", "--patch", "no.diff"]).code(2).stderr(expect![[r#"
        error: reading the patch no.diff: No such file or directory (os error 2)
        hint: git diff | repoidx review --patch -
    "#]]);
    repo.write("../change.diff", "no patch\n");
    repo.run(["review", "-q", "--patch", "../change.diff"]).code(2).stderr(expect![[r#"
        error: the patch is no unified diff: no patch found
        hint: the patch must fit the files as they are now; `git apply --check` says more
    "#]]);
}

#[test]
fn a_patch_may_add_delete_and_rename_files() {
    let repo = repo();
    repo.git(["checkout", "--quiet", "published"]);
    repo.git(["mv", "cart.py", "basket.py"]);
    let renamed = repo.git(["diff", "--cached", "-M"]);
    repo.git(["reset", "--quiet", "--hard"]);
    repo.write("../change.diff", renamed);
    let report = repo.run(["review", "-q", "--patch", "../change.diff", "--format", "json"]).code(0).stdout;
    assert!(report.contains("app.py") && report.contains("\"breaks\""), "{report}");
    let again = repo.run(["review", "-q", "--worktree"]).code(0).stdout;
    assert!(again.starts_with("no Python file differs"), "{again}");
}

const BASE: &str =
    "class Base:\n    def run(self):\n        return self.step()\n\n    def step(self):\n        return 0\n";
const HEIR: &str = "from base import Base\n\n\nclass Heir(Base):\n    def step(self):\n        return 1\n";

#[test]
fn the_tests_of_a_removed_override_are_to_be_run() {
    let repo = TestRepo::new()
        .file("base.py", BASE)
        .file("heir.py", HEIR)
        .file("tests/test_heir.py", "from heir import Heir\n\n\ndef test_run():\n    assert Heir().run() == 1\n")
        .file("tests/test_base.py", "from base import Base\n\n\ndef test_run():\n    assert Base().run() == 0\n")
        .commit("start")
        .file("heir.py", "from base import Base\n\n\nclass Heir(Base):\n    pass\n");
    repo.run(["review", "--worktree", "-q"]).stdout(expect![[r#"
        1 may behave differently; 1 test to run; at least this much
          HEAD → working tree: 1 changed definition in 1 file

        changed (1)
          heir.Heir.step  method  heir.py:5  removed

        may behave differently (1)
          base.py:3  Base.run  may reach `base.Base.step` now instead of `Heir.step`  70%

        tests to run (1)
          tests/test_heir.py::test_run  73%

        limits
          1 further definition is too improbable to list (--min-probability)
    "#]]);
}

/// The library calls the method of a class that derives from its class, and the function that it got.
#[test]
fn a_library_may_call_a_definition_that_is_removed() {
    let text = "import click\n\n\nclass Shop(click.Command):\n    def invoke(self, ctx):\n        return 2\n\n\n\
                @click.command()\ndef sell():\n    pass\n";
    let repo = TestRepo::new().file("shop.py", text).commit("start");
    repo.write("shop.py", text.replace("    def invoke(self, ctx):\n        return 2\n", "    pass\n"));
    repo.run(["review", "--worktree", "-q"]).stdout(expect![[r#"
        nothing is known to break; no test to run; at least this much
          HEAD → working tree: 1 changed definition in 1 file

        changed (1)
          shop.Shop.invoke  method  shop.py:5  removed

        limits
          `Shop` derives from `click.Command`, which is outside the repository and may use `invoke`
    "#]]);
    repo.write("shop.py", text.split("@click").next().expect("a beginning"));
    repo.run(["review", "--worktree", "-q"]).stdout(expect![[r#"
        nothing is known to break; no test to run; at least this much
          HEAD → working tree: 1 changed definition in 1 file

        changed (1)
          shop.sell  function  shop.py:10  removed

        limits
          `sell` is given to `click.command`, which may use it from outside the repository
    "#]]);
}

#[test]
fn many_tests_that_cannot_be_followed_are_named_by_their_file() {
    let tests: String = (0..40).map(|number| format!("def test_{number}(thing):\n    thing.grab()\n\n\n")).collect();
    let repo = TestRepo::new()
        .file("shop.py", "class Shop:\n    def grab(self):\n        return 1\n")
        .file("tests/test_shop.py", &tests)
        .commit("start")
        .file("shop.py", "class Shop:\n    def grab(self):\n        return 2\n");
    // Any of them may fail, so they are run, as `impact` names them.
    let usual = repo.run(["review", "--worktree", "-q", "--tests"]).code(0).stdout;
    assert_eq!((usual.lines().count(), usual), (40, repo.run(["impact", "--diff", "-q", "--tests"]).code(0).stdout));
    let text = repo.run(["review", "--worktree", "-q", "--select", "focused"]).code(0).stdout;
    expect![[r#"
        nothing is known to break; no test to run; at least this much
          HEAD → working tree: 1 changed definition in 1 file

        changed (1)
          shop.Shop.grab  method  shop.py:2  body

        tests that could not be followed: their calls are not known (40)
          tests/test_shop.py (40)

        no test is known to reach (1)
          shop.Shop.grab

        limits
          40 unresolved occurrences of `grab` could be it

        everything: repoidx review --worktree --select focused --all
    "#]]
    .assert_eq(&text);
}

#[test]
fn edits_that_are_not_committed_are_named_where_the_commits_are_compared() {
    let repo = repo().file("app.py", "import cart\n");
    let note = "`repoidx review --worktree` compares what is not committed, 1 edited file: app.py";
    let run = repo.run(["review"]);
    assert!(run.stderr.contains(note), "{}", run.stderr);
    for other in [&["review", "--worktree"][..], &["review", "HEAD~1..HEAD"]] {
        let run = repo.run(other);
        assert!(!run.stderr.contains("review --worktree"), "{}", run.stderr);
    }
}
