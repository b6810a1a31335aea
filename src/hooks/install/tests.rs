//! Hooks in real repositories: they run, leave other hooks alone, and can be removed without a trace.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use crate::{
    git::fixture::GitFixture,
    hooks::{
        install::*,
        state::{Installed, states},
        uninstall,
    },
};

/// A repository with one commit and a program that writes down how it was called.
fn fixture() -> GitFixture {
    let fixture = GitFixture::new();
    fixture.write("a.py", "1\n");
    fixture.commit("first");
    let _ = fs::remove_dir_all(fixture.root().join(".git/hooks"));
    let log = fixture.place("log").display().to_string();
    program(&fixture.place("bin it's/repoidx"), &format!("#!/bin/sh\necho \"us: $*\" >> '{log}'\ncat >> '{log}'\n"));
    fixture
}

fn program(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}

fn hook(fixture: &GitFixture, event: &str) -> PathBuf {
    fixture.root().join(".git/hooks").join(event)
}

/// A hook that writes `them` to the log, behind any interpreter.
fn their_hook(fixture: &GitFixture, event: &str, first_line: &str) {
    let log = fixture.place("log").display().to_string();
    program(&hook(fixture, event), &format!("{first_line}\necho \"them: ${{0##*/}} $*\" >> '{log}'\nexit 0\n"));
}

fn options(fixture: &GitFixture) -> InstallOptions {
    InstallOptions { binary: fixture.place("bin it's/repoidx"), pre_push: true, force: false }
}

fn install(fixture: &GitFixture) {
    let repo = fixture.open();
    plan(&repo, &options(fixture)).unwrap().apply(&repo).unwrap();
    let again = plan(&repo, &options(fixture)).unwrap();
    assert_eq!(again.changes, [], "installing twice changes nothing");
}

fn uninstall(fixture: &GitFixture) {
    let repo = fixture.open();
    uninstall::plan(&repo).unwrap().apply(&repo).unwrap();
    assert_eq!(uninstall::plan(&repo).unwrap().changes, []);
}

/// Everything in the hooks directory: content, mode and target of each entry.
fn snapshot(fixture: &GitFixture) -> BTreeMap<PathBuf, (u32, String)> {
    let Ok(entries) = fs::read_dir(hook(fixture, "")) else { return BTreeMap::new() };
    let describe = |path: PathBuf| {
        let metadata = path.symlink_metadata().unwrap();
        let text = match fs::read_link(&path) {
            Ok(target) => target.display().to_string(),
            Err(_) => fs::read_to_string(&path).unwrap_or_default(),
        };
        (path, (metadata.permissions().mode(), text))
    };
    entries.map(|entry| describe(entry.unwrap().path())).collect()
}

/// The log's lines since the last call.
fn log(fixture: &GitFixture) -> Vec<String> {
    let text = fs::read_to_string(fixture.place("log")).unwrap_or_default();
    let _ = fs::remove_file(fixture.place("log"));
    text.lines().map(str::to_owned).collect()
}

#[test]
fn every_event_reaches_the_binary() {
    let fixture = fixture();
    install(&fixture);
    let first = fixture.git(&["rev-parse", "HEAD"]);
    let second = fixture.commit("second");
    assert_eq!(log(&fixture), ["us: hook post-commit"]);
    fixture.git(&["checkout", "-q", "-b", "topic", "HEAD~1"]);
    assert_eq!(log(&fixture), [format!("us: hook post-checkout {second} {first} 1")]);
    fixture.git(&["merge", "-q", "main"]);
    assert_eq!(log(&fixture), ["us: hook post-merge 0"]);
    fixture.git(&["commit", "-q", "--amend", "--allow-empty", "-m", "x"]);
    assert_eq!(log(&fixture), ["us: hook post-commit", "us: hook post-rewrite amend"]);
    fixture.write("a.py", "2\n");
    fixture.commit("patch");
    log(&fixture);
    fixture.git(&["format-patch", "-q", "-1", "-o", "../patches"]);
    fixture.git(&["reset", "-q", "--hard", "HEAD~1"]);
    fixture.git(&["am", "-q", "../patches/0001-patch.patch"]);
    assert_eq!(log(&fixture), ["us: hook post-applypatch"]);
    fixture.git(&["init", "-q", "--bare", "../remote"]);
    fixture.git(&["push", "-q", "../remote", "topic"]);
    let head = fixture.git(&["rev-parse", "HEAD"]);
    let zeros = "0".repeat(40);
    assert_eq!(
        log(&fixture),
        ["us: hook pre-push ../remote ../remote", &format!("refs/heads/topic {head} refs/heads/topic {zeros}")]
    );
    uninstall(&fixture);
    assert!(snapshot(&fixture).is_empty());
}

#[test]
fn other_hooks_still_run_and_come_back_byte_for_byte() {
    let fixture = fixture();
    for (event, first_line) in [
        ("post-commit", "#!/bin/sh -eu"),
        ("post-merge", "#!/usr/bin/env -S bash -e"),
        ("pre-push", "#!/bin/sh"),
        ("post-rewrite", "# no interpreter named"),
    ] {
        their_hook(&fixture, event, first_line);
    }
    fs::write(hook(&fixture, "pre-commit"), "not ours").unwrap();
    fs::rename(hook(&fixture, "post-merge"), fixture.root().join("shared")).unwrap();
    symlink("../../shared", hook(&fixture, "post-merge")).unwrap();
    symlink("/nowhere", hook(&fixture, "post-applypatch")).unwrap();
    let before = snapshot(&fixture);
    install(&fixture);
    fixture.commit("second");
    assert_eq!(log(&fixture), ["us: hook post-commit", "them: post-commit "]);
    fixture.git(&["commit", "-q", "--amend", "-m", "x"]);
    assert_eq!(log(&fixture)[2..], ["us: hook post-rewrite amend", "them: post-rewrite amend"]);
    fixture.git(&["checkout", "-q", "-b", "topic", "HEAD~1"]);
    fixture.git(&["merge", "-q", "main"]);
    assert_eq!(log(&fixture)[1..], ["us: hook post-merge 0", "them: post-merge 0"]);
    uninstall(&fixture);
    assert_eq!(snapshot(&fixture), before);
}

#[test]
fn a_hook_switched_off_stays_off() {
    let fixture = fixture();
    their_hook(&fixture, "post-commit", "#!/bin/sh");
    fs::set_permissions(hook(&fixture, "post-commit"), fs::Permissions::from_mode(0o644)).unwrap();
    let before = snapshot(&fixture);
    install(&fixture);
    fixture.commit("second");
    assert_eq!(log(&fixture), ["us: hook post-commit"]);
    uninstall(&fixture);
    assert_eq!(snapshot(&fixture), before);
}

#[test]
fn pre_push_gives_its_input_to_both_and_keeps_the_status() {
    let fixture = fixture();
    let text = format!(
        "#!/usr/bin/env python3\nimport sys\nopen('{}', 'a').write('them: ' + sys.stdin.read())\nsys.exit(7)\n",
        fixture.place("log").display()
    );
    program(&hook(&fixture, "pre-push"), &text);
    install(&fixture);
    fixture.git(&["init", "-q", "--bare", "../remote"]);
    let push = |name: &str| fixture.try_git(&fixture.root(), &["push", "-q", "../remote", name]).status.success();
    assert!(!push("main"));
    let lines = log(&fixture);
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!(lines[2], format!("them: {}", lines[1]));
    // Ours stops a push by status 1 alone.
    fs::write(hook(&fixture, "repoidx-orig/pre-push"), "#!/bin/sh\n").unwrap();
    for (status, is_pushed) in [(1, false), (2, true), (101, true), (0, true)] {
        program(&fixture.place("bin it's/repoidx"), &format!("#!/bin/sh\nexit {status}\n"));
        assert_eq!(push(&format!("main:refs/heads/x{status}")), is_pushed, "{status}");
    }
    // A missing binary stops no commit and prints nothing.
    fs::remove_dir_all(fixture.place("bin it's")).unwrap();
    let output = fixture.try_git(&fixture.root(), &["push", "-q", "../remote", "main:refs/heads/y"]);
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_missing_or_failing_binary_is_not_noticed() {
    let fixture = fixture();
    install(&fixture);
    for text in ["#!/bin/sh\necho noise; echo noise >&2; exit 1\n", "#!/nowhere/interpreter\n", ""] {
        program(&fixture.place("bin it's/repoidx"), text);
        let output = fixture.try_git(&fixture.root(), &["commit", "-q", "--allow-empty", "-m", "x"]);
        assert!(output.status.success());
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
    fs::remove_dir_all(fixture.place("bin it's")).unwrap();
    let output = fixture.try_git(&fixture.root(), &["commit", "-q", "--allow-empty", "-m", "x"]);
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn scripts_run_in_the_strictest_shell() {
    let fixture = fixture();
    for event in HookEvent::ALL {
        for kind in [ScriptKind::File, ScriptKind::Chain] {
            let file = fixture.place(&format!("strict/{event}"));
            let text = script::file(event, kind, &text_of(&options(&fixture).binary));
            program(&file, &text.replacen("#!/bin/sh", "#!/usr/bin/env -S sh -eu", 1));
            let alias = format!("alias.run=!</dev/null '{}'", file.display());
            fixture.git(&["-c", &alias, "run", "a b"]);
            assert_eq!(log(&fixture), [format!("us: hook {event} a b")]);
        }
    }
}

#[test]
fn what_others_write_into_our_files_stays() {
    let fixture = fixture();
    install(&fixture);
    let file = hook(&fixture, "post-merge");
    let text = fs::read_to_string(&file).unwrap() + "echo theirs\n";
    fs::write(&file, text).unwrap();
    uninstall(&fixture);
    assert_eq!(fs::read_to_string(&file).unwrap(), "#!/bin/sh\necho theirs\n");
    assert_eq!(snapshot(&fixture).len(), 1);
}

#[test]
fn another_binary_changes_our_region_alone() {
    let fixture = fixture();
    their_hook(&fixture, "post-commit", "#!/bin/sh");
    let before = snapshot(&fixture);
    install(&fixture);
    let repo = fixture.open();
    let moved = InstallOptions { binary: "/elsewhere/repoidx".into(), ..options(&fixture) };
    let renewed = plan(&repo, &moved).unwrap();
    assert_eq!(renewed.changes.len(), 6);
    for change in renewed.changes.iter().filter(|change| change.event != HookEvent::PrePush) {
        assert!(change.difference().iter().all(|(_, line)| line.contains("repoidx")), "{:?}", change.difference());
    }
    renewed.apply(&repo).unwrap();
    uninstall(&fixture);
    assert_eq!(snapshot(&fixture), before);
}

#[test]
fn a_hook_kept_earlier_is_never_lost() {
    let fixture = fixture();
    program(&hook(&fixture, "post-commit"), "#!/usr/bin/env python3\n");
    install(&fixture);
    // Another tool writes its own over ours.
    program(&hook(&fixture, "post-commit"), "#!/usr/bin/env ruby\n");
    let repo = fixture.open();
    assert!(matches!(plan(&repo, &options(&fixture)), Err(HookError::LeftOver(_))));
    assert_eq!(fs::read_to_string(hook(&fixture, "repoidx-orig/post-commit")).unwrap(), "#!/usr/bin/env python3\n");
}

#[test]
fn hooks_of_the_worktree_and_of_others_are_left_alone() {
    let fixture = fixture();
    let shared = fixture.place("shared");
    fs::create_dir_all(&shared).unwrap();
    for (value, expected) in [
        (".husky/_", "add to .husky/post-commit:\n  repoidx hook post-commit \"$@\" </dev/null >/dev/null 2>&1 || :\n"),
        (shared.to_str().unwrap(), "outside the repository"),
        ("/dev/null", "git takes its hooks from /dev/null"),
    ] {
        fixture.git(&["config", "core.hooksPath", value]);
        let repo = fixture.open();
        let error = plan_for(&repo, &options(&fixture), || false).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert!(matches!(error, HookError::Elsewhere { .. }));
        let forced = InstallOptions { force: true, ..options(&fixture) };
        let forced = plan_for(&repo, &forced, || false).unwrap();
        assert!(forced.changes.iter().all(|change| change.place.starts_with(fixture.root().join(".git/hooks"))));
    }
    fixture.write("lefthook.yml", "\n");
    fixture.git(&["config", "core.hooksPath", ".lefthook"]);
    let error = plan_for(&fixture.open(), &options(&fixture), || false).unwrap_err();
    assert!(error.to_string().contains("add to lefthook.yml:\n  post-commit: {"), "{error}");
    assert!(fs::read_dir(shared).unwrap().next().is_none());
}

#[test]
fn a_newer_git_takes_hooks_from_its_configuration() {
    let fixture = fixture();
    fixture.git(&["config", "core.hooksPath", ".husky/_"]);
    let before = fixture.git(&["config", "--local", "--list"]);
    let repo = fixture.open();
    plan_for(&repo, &options(&fixture), || true).unwrap().apply(&repo).unwrap();
    assert_eq!(plan_for(&repo, &options(&fixture), || true).unwrap().changes, []);
    assert_eq!(fixture.git(&["config", "hook.repoidx-post-merge.event"]), "post-merge");
    for event in HookEvent::ALL {
        let command = fixture.git(&["config", &format!("hook.repoidx-{event}.command")]);
        // git appends the arguments and gives the text to a shell.
        let run = format!("alias.run=!sh -euc '{} \"$@\"' sh", command.replace('\'', r"'\''"));
        fixture.git(&["-c", &run, "run", "a b", "c"]);
        assert_eq!(log(&fixture), [format!("us: hook {event} a b c")]);
    }
    uninstall(&fixture);
    assert_eq!(fixture.git(&["config", "--local", "--list"]), before);
}

#[test]
fn one_installation_serves_every_worktree() {
    let fixture = fixture();
    fixture.git(&["worktree", "add", "-q", "../linked"]);
    let linked = Repository::open(&fixture.place("linked")).unwrap();
    plan(&linked, &options(&fixture)).unwrap().apply(&linked).unwrap();
    assert!(hook(&fixture, "post-commit").exists());
    assert!(!fixture.root().join(".git/worktrees/linked/hooks").exists());
    fixture.git_in(&fixture.place("linked"), &["commit", "-q", "--allow-empty", "-m", "x"]);
    assert_eq!(log(&fixture), ["us: hook post-commit"]);
    assert_eq!(plan(&fixture.open(), &options(&fixture)).unwrap().changes, []);
}

#[test]
fn states_tell_what_git_will_run() {
    let fixture = fixture();
    let installed = || {
        let states = states(&fixture.open()).unwrap();
        states.into_iter().map(|state| state.installed).collect::<Vec<_>>()
    };
    assert_eq!(installed(), [Installed::No; 6]);
    install(&fixture);
    assert_eq!(installed(), [Installed::Yes; 6]);
    fs::set_permissions(hook(&fixture, "post-commit"), fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(installed()[0], Installed::NotExecutable);
    fixture.git(&["config", "core.hooksPath", ".husky/_"]);
    assert_eq!(installed(), [Installed::Unreachable; 6]);
    program(
        &fixture.root().join(".husky/_/post-commit"),
        &format!("#!/bin/sh\n{}\n", script::by_hand(HookEvent::PostCommit)),
    );
    assert_eq!(installed()[0], Installed::Yes);
}
