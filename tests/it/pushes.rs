//! Pushes by git itself with the hook installed: each goes through, whatever becomes of the review.

use crate::harness::{Run, TestRepo};
use crate::review_command::{pre_push, repo};

/// The repository of [`repo`] with a bare one as `origin`, to which `published` was pushed, and the hook.
fn hooked() -> TestRepo {
    let repo = repo();
    repo.git(["init", "--quiet", "--bare", "../remote.git"]);
    repo.begin_main("../remote.git");
    repo.git(["remote", "add", "origin", "../remote.git"]);
    repo.git(["push", "--quiet", "origin", "published:main"]);
    repo.run(["index", "-q"]).code(0);
    repo.run(["install-hooks", "--pre-push", "-q"]).code(0);
    repo
}

/// Pushes, which must succeed; what was printed.
fn push(repo: &TestRepo, arguments: &[&str]) -> String {
    let mut command = repo.command("git");
    command.args(["push", "--quiet", "origin"]).args(arguments).env("REPOIDX_FOREGROUND", "1");
    Run::of(command.output().expect("git is installed")).code(0).stderr
}

#[test]
fn every_kind_of_push_goes_through() {
    let repo = hooked();
    let told = push(&repo, &["main"]);
    assert!(told.contains("main (remote) → main") && told.contains("breaks: app.py:1"), "{told}");
    assert_eq!(push(&repo, &["main"]), "", "there is nothing to push any more");
    let told = push(&repo, &["main:refs/heads/feature"]);
    assert!(!told.contains("breaks"), "nothing on it is new: {told}");
    repo.git(["tag", "v1"]);
    assert_eq!(push(&repo, &["v1"]), "", "a tag");
    assert_eq!(push(&repo, &["--delete", "feature"]), "", "a branch is deleted");
    // The remote's commit is none that the new one builds upon.
    repo.git(["reset", "--quiet", "--hard", "published"]);
    repo.write("app.py", "from cart import nothing\n");
    repo.save("another change");
    let told = push(&repo, &["--force", "main"]);
    assert!(told.contains("main (remote) → main"), "{told}");
    repo.write("cart.py", "");
    repo.save("and another");
    let told = push(&repo, &["main", "main:refs/heads/second", "v1:refs/tags/v2"]);
    assert_eq!(told.matches("(remote) → main").count(), 2, "{told}");
}

#[test]
fn a_push_from_a_shallow_clone_goes_through() {
    let origin = hooked();
    origin.git(["push", "--quiet", "--no-verify", "origin", "main"]);
    let shallow = TestRepo::without_git();
    let url = format!("file://{}", origin.root().join("../remote.git").display());
    shallow.git(["clone", "--quiet", "--depth", "1", &url, "."]);
    shallow.run(["index", "-q"]).code(0);
    shallow.run(["install-hooks", "--pre-push", "-q"]).code(0);
    shallow.write("cart.py", "");
    shallow.save("change");
    let told = push(&shallow, &["main"]);
    assert!(told.contains("breaks: app.py:1"), "the remote's commit is there: {told}");
    // Nothing is known of where this branch left the other.
    let told = push(&shallow, &["main~1:refs/heads/old"]);
    assert!(!told.contains("error"), "{told}");
}

#[test]
fn a_push_goes_through_without_the_binary_and_over_a_broken_index() {
    let repo = hooked();
    let index = repo.root().join(repo.index_path());
    std::fs::write(&index, "no index").expect("the test's folder is writable");
    let told = push(&repo, &["main"]);
    assert!(told.contains("breaks: app.py:1"), "it is built anew: {told}");

    let hook = repo.root().join(".git/hooks/pre-push");
    let script = std::fs::read_to_string(&hook).expect("the hook is there");
    let binary = env!("CARGO_BIN_EXE_repoidx");
    assert!(script.contains(binary), "{script}");
    std::fs::write(&hook, script.replace(binary, "/nowhere/repoidx")).expect("the test's folder is writable");
    repo.write("cart.py", "");
    repo.save("change");
    let mut command = repo.command("git");
    command.args(["push", "--quiet", "origin", "main"]);
    if let Some(path) = std::env::var_os("PATH") {
        let folders = std::env::split_paths(&path).filter(|folder| !folder.join("repoidx").exists());
        command.env("PATH", std::env::join_paths(folders).expect("they were joined before"));
    }
    assert_eq!(Run::of(command.output().expect("git is installed")).code(0).stderr, "");
}

#[test]
fn a_push_is_reviewed_with_an_index_that_lags_behind() {
    let repo = repo();
    repo.git(["checkout", "--quiet", "published"]);
    repo.run(["index", "-q"]).code(0);
    repo.git(["checkout", "--quiet", "main"]);
    let id = |rev: &str| repo.git(["rev-parse", rev]).trim().to_owned();
    let lines = format!("refs/heads/main {} refs/heads/main {}\n", id("main"), id("published"));
    let told = pre_push(&repo, &lines, &[]).code(0).stderr;
    assert!(told.contains("breaks: app.py:6"), "{told}");
}

#[test]
fn a_misspelt_setting_is_told_and_the_push_is_reviewed() {
    let repo = hooked();
    let mut command = repo.command("git");
    command.args(["push", "--quiet", "origin", "main"]).env("REPOIDX_PRE_PUSH", "stop");
    let told = Run::of(command.output().expect("git is installed")).code(0).stderr;
    let wrong = "REPOIDX_PRE_PUSH: `pre_push` is one of off, advise, breaks, may-break, not `stop`";
    assert!(told.contains(wrong) && told.contains("breaks: app.py:1"), "{told}");
    // Every command tells it, and a mistake elsewhere does not open the gate.
    let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
    command.arg("status").env("REPOIDX_PRE_PUSH", "stop");
    let told = Run::of(command.output().expect("the binary was built")).code(2).stderr;
    assert!(told.contains(wrong), "{told}");
    let mut command = repo.command("git");
    command.args(["push", "--quiet", "origin", "main:refs/heads/other"]);
    command.env("REPOIDX_PRE_PUSH", "off").env("REPOIDX_COLOR", "pink");
    let told = Run::of(command.output().expect("git is installed")).code(0).stderr;
    assert!(told.contains("not `pink`") && !told.contains("breaks"), "{told}");
}
