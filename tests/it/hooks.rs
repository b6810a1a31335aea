//! Hooks in real repositories, driven by git itself.

use crate::harness::TestRepo;

/// One file, one commit, an index, hooks.
fn hooked() -> TestRepo {
    let repo = TestRepo::new().file("a.py", "def f(): ...\n").commit("first");
    repo.run(["index"]).code(0);
    repo.run(["install-hooks"]).code(0);
    repo
}

/// A commit by git, with the hooks doing their work before they return.
fn commit(repo: &TestRepo, message: &str) {
    repo.git(["add", "--all"]);
    let arguments = ["commit", "--quiet", "--message", message];
    let output = repo.command("git").args(arguments).env("REPOIDX_FOREGROUND", "1").output().expect("git is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "hooks are silent: {}", String::from_utf8_lossy(&output.stderr));
}

fn status(repo: &TestRepo) -> serde_json::Value {
    let run = repo.run(["status", "--format", "json", "--no-update"]).code(0);
    serde_json::from_str(&run.stdout).expect("the status is JSON")
}

/// The files in the folder where git looks for hooks, with their texts.
fn hook_files(repo: &TestRepo) -> Vec<(String, String)> {
    let folder = repo.root().join(".git/hooks");
    let mut files: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("the hooks' folder is there")
        .map(|entry| entry.expect("the folder is readable").path())
        .map(|path| {
            let name = path.file_name().expect("files have names").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("hooks are text"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn a_commit_leaves_the_index_fresh() {
    let repo = hooked();
    repo.write("b.py", "from a import f\n\ndef g():\n    f()\n");
    commit(&repo, "second");

    let status = status(&repo);
    assert_eq!(status["fresh"], true, "{status}");
    assert_eq!(status["indexed"], repo.git(["rev-parse", "HEAD"]).trim(), "{status}");
    let run = repo.run(["impact", "a.f", "--no-update", "--format", "json"]).code(0);
    assert!(run.stdout.contains("\"b.g\""), "{}", run.stdout);
}

#[test]
fn a_branch_switch_leaves_the_index_fresh() {
    let repo = hooked();
    commit_on_branch(&repo);

    let output = repo.command("git").args(["checkout", "--quiet", "main"]).env("REPOIDX_FOREGROUND", "1").output();
    assert!(output.expect("git is installed").status.success());

    let status = status(&repo);
    assert_eq!(status["fresh"], true, "{status}");
    let entities = repo.run(["export", "entities", "--no-update"]).code(0).stdout;
    assert!(!entities.contains("\"b.g\""), "{entities}");
}

fn commit_on_branch(repo: &TestRepo) {
    repo.git(["checkout", "--quiet", "-b", "side"]);
    repo.write("b.py", "def g(): ...\n");
    commit(repo, "second");
}

#[test]
fn uninstalling_restores_what_was_there() {
    let repo = TestRepo::new().file("a.py", "def f(): ...\n").commit("first");
    let own = "#!/bin/sh\necho from my own hook >.git/mine\n";
    repo.write(".git/hooks/post-commit", own);
    make_executable(&repo, ".git/hooks/post-commit");
    let before = hook_files(&repo);

    repo.run(["index"]).code(0);
    repo.run(["install-hooks"]).code(0);
    repo.write("b.py", "def g(): ...\n");
    commit(&repo, "second");
    let mine = std::fs::read_to_string(repo.root().join(".git/mine")).expect("the own hook still runs");
    assert_eq!(mine, "from my own hook\n");
    assert_eq!(status(&repo)["fresh"], true);

    repo.run(["uninstall-hooks"]).code(0);
    assert_eq!(hook_files(&repo), before);
}

#[test]
fn installing_twice_is_installing_once() {
    let repo = TestRepo::new().file("a.py", "def f(): ...\n").commit("first");
    let before = hook_files(&repo);
    repo.run(["install-hooks"]).code(0);
    let once = hook_files(&repo);
    repo.run(["install-hooks"]).code(0);
    assert_eq!(hook_files(&repo), once);
    repo.run(["uninstall-hooks"]).code(0);
    assert_eq!(hook_files(&repo), before);
}

#[test]
fn a_dry_run_changes_nothing() {
    let repo = TestRepo::new().file("a.py", "def f(): ...\n").commit("first");
    let before = hook_files(&repo);
    repo.run(["install-hooks", "--dry-run"]).code(0);
    assert_eq!(hook_files(&repo), before);
}

/// A hook must never fail a commit, whatever became of the index or the binary's arguments.
#[test]
fn a_damaged_index_does_not_fail_a_commit() {
    let repo = hooked();
    repo.write(&repo.index_path(), "this is no database");
    repo.write("b.py", "def g(): ...\n");
    commit(&repo, "second");
    let entities = repo.run(["export", "entities"]).code(0).stdout;
    assert!(entities.contains("\"b.g\""), "{entities}");
}

#[cfg(unix)]
fn make_executable(repo: &TestRepo, path: &str) {
    use std::os::unix::fs::PermissionsExt;
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(repo.root().join(path), executable).expect("the file is there");
}

/// Git for Windows runs every hook that begins with `#!`.
#[cfg(not(unix))]
fn make_executable(_repo: &TestRepo, _path: &str) {}

/// `cp` copies, as a file that this process writes may be busy later: a process that another test starts meanwhile
/// holds it open until it runs its own program.
#[cfg(unix)]
fn copy_executable(from: &str, to: &std::path::Path) {
    let status = std::process::Command::new("cp").arg(from).arg(to).status().expect("cp runs");
    assert!(status.success(), "{status}");
}

#[test]
#[cfg(unix)]
fn a_program_of_the_hooks_that_is_back_is_not_called_gone() {
    let repo = TestRepo::new().file("a.py", "def f(): ...\n").commit("first");
    let (program, elsewhere) = (repo.root().join("../home/repoidx"), repo.root().join("../home/away"));
    copy_executable(env!("CARGO_BIN_EXE_repoidx"), &program);
    let run = |arguments: &[&str]| repo.command(&program).args(arguments).output().expect("the copy runs");
    assert!(run(&["index"]).status.success() && run(&["install-hooks"]).status.success());
    std::fs::rename(&program, &elsewhere).expect("the test's folder is writable");
    repo.write("a.py", "def g(): ...\n");
    commit(&repo, "second");
    let worker = |repo: &TestRepo| {
        let text = repo.run(["doctor"]).stdout;
        text.lines().find(|line| line.contains("hook worker")).unwrap_or_default().to_owned()
    };
    assert!(worker(&repo).contains("is gone"), "{}", worker(&repo));
    std::fs::rename(&elsewhere, &program).expect("the test's folder is writable");
    assert!(!worker(&repo).contains("is gone"), "{}", worker(&repo));
}
