//! Checks for everything that may keep the index from being fresh.
//!
//! Looks at git, the data directory, the hooks and the worker's last messages. Changes nothing.

use std::fs;
use std::path::{Path, PathBuf};

use crate::git::Repository;
use crate::git::environment::{find_program, is_executable};
use crate::hooks::queue::UpdateQueue;
use crate::hooks::state::{HookState, Installed, states};
use crate::hooks::{HookEvent, place};
use crate::index::edition;

/// One check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The subject of the check.
    pub name: String,
    pub state: CheckState,
    /// The finding.
    pub detail: String,
    /// The remedy; empty if none is needed.
    pub hint: String,
}

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckState {
    Ok,
    /// It works, with a restriction.
    Warn,
    /// It does not work.
    Fail,
}

/// The beginning of the hooks' message about their program, whose path follows.
const GONE: &str = "the repoidx of the hooks is gone: ";
/// The oldest version of git whose hooks were tried.
const OLDEST_GIT: (u32, u32) = (2, 25);

/// All checks of this repository, in a fixed order.
pub fn checks(repo: &Repository) -> Vec<Check> {
    let mut checks =
        vec![git(repo), backend(repo), data_dir(&repo.data_dir(), &edition::folder(repo)), index(repo), worker(repo)];
    if repo.root().is_some() {
        match states(repo) {
            Ok(states) => {
                checks.extend(states.iter().map(hook));
                checks.extend(hook_program(&states));
            }
            Err(error) => checks.push(check("hooks", CheckState::Fail, &error.to_string(), "")),
        }
        checks.extend(worktrees(repo));
    }
    checks
}

fn check(name: &str, state: CheckState, detail: &str, hint: &str) -> Check {
    Check { name: name.to_owned(), state, detail: detail.to_owned(), hint: hint.to_owned() }
}

fn git(repo: &Repository) -> Check {
    let Some(version) = place::version(repo) else {
        return check("git", CheckState::Warn, "not found in PATH", "install git: hooks and some repositories need it");
    };
    let detail = format!("version {}.{}", version.0, version.1);
    if version < OLDEST_GIT {
        return check("git", CheckState::Warn, &detail, "older than 2.25: hooks were not tried with it");
    }
    check("git", CheckState::Ok, &detail, "")
}

fn backend(repo: &Repository) -> Check {
    let detail = match repo.backend() {
        "git2" => "libgit2",
        _ => "the git command: libgit2 cannot open this repository, and reading takes longer",
    };
    check("backend", CheckState::Ok, detail, "")
}

fn data_dir(dir: &Path, index: &Path) -> Check {
    let place = dir.display().to_string();
    let Ok(metadata) = dir.symlink_metadata() else {
        return check("data directory", CheckState::Ok, &format!("{place}: not made yet"), "");
    };
    if !metadata.is_dir() {
        let hint = "it may be a link that someone planted; remove it";
        return check("data directory", CheckState::Fail, &format!("{place}: not a directory"), hint);
    }
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o077 != 0 {
        let hint = format!("chmod 700 {}", crate::git::path::shell_quote(&place));
        return check("data directory", CheckState::Warn, &format!("{place}: open to other users"), &hint);
    }
    // Only an attempt shows whether writing works, since mount options and quotas can forbid it too.
    let trial = dir.join(format!("trial.{}", std::process::id()));
    let written = fs::write(&trial, b"");
    let _ = fs::remove_file(&trial);
    match written.and_then(|()| usable_files(index)) {
        Ok(()) => check("data directory", CheckState::Ok, &place, ""),
        Err(error) => {
            check("data directory", CheckState::Fail, &format!("{place}: {error}"), "queries cannot catch up")
        }
    }
}

/// Whether the existing files of the index can be written.
fn usable_files(dir: &Path) -> std::io::Result<()> {
    for name in ["write.lock", "index.db"] {
        let opened = fs::OpenOptions::new().read(true).write(true).open(dir.join(name));
        match opened {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(std::io::Error::new(error.kind(), format!("{name}: {error}")));
            }
            _ => {}
        }
    }
    Ok(())
}

fn index(repo: &Repository) -> Check {
    let file = edition::file(repo);
    match file.metadata() {
        Ok(metadata) => check("index", CheckState::Ok, &format!("{} KiB", metadata.len().div_ceil(1024)), ""),
        Err(_) => check("index", CheckState::Warn, "not built; hooks do nothing until it is", "repoidx index"),
    }
}

fn worker(repo: &Repository) -> Check {
    let queue = UpdateQueue::of(repo);
    let log = queue.last_log().unwrap_or_default();
    // Only the last error counts.
    let error = log.lines().rev().find_map(|line| line.split_once(" error: ").map(|(_, error)| error));
    // The hooks wrote it without us, so that only a look tells whether it still holds.
    let error = error.filter(|error| !error.strip_prefix(GONE).is_some_and(|path| is_executable(Path::new(path))));
    if queue.has_worker() {
        return check("hook worker", CheckState::Ok, "at work", "");
    }
    match (error, queue.is_marked()) {
        (Some(error), _) => check("hook worker", CheckState::Fail, &format!("stopped: {error}"), "repoidx index"),
        (None, true) => {
            let detail = "a hook asked for an update that was not finished";
            check("hook worker", CheckState::Warn, detail, "repoidx index (any query catches up by itself)")
        }
        (None, false) => check("hook worker", CheckState::Ok, "idle", ""),
    }
}

fn hook(hook: &HookState) -> Check {
    let place = hook.place.display();
    let name = format!("hook {}", hook.event);
    let reinstall =
        if hook.event == HookEvent::PrePush { "repoidx install-hooks --pre-push" } else { "repoidx install-hooks" };
    match hook.installed {
        Installed::Yes | Installed::InConfiguration => check(&name, CheckState::Ok, &place.to_string(), ""),
        Installed::NotExecutable => {
            let quoted = crate::git::path::shell_quote(&place.to_string());
            let hint = format!("chmod +x {quoted}");
            check(&name, CheckState::Fail, &format!("{place}: not executable, git leaves it out"), &hint)
        }
        Installed::Unreachable => {
            let detail = format!("{place}: git looks elsewhere (core.hooksPath)");
            check(&name, CheckState::Fail, &detail, &format!("{reinstall} shows what to add where"))
        }
        Installed::InUnreadConfiguration => {
            let detail = format!("{place}: this git is older than 2.54 and does not read it");
            check(&name, CheckState::Fail, &detail, reinstall)
        }
        Installed::No if hook.event == HookEvent::PrePush => {
            check(&name, CheckState::Ok, "not installed (on request only)", "")
        }
        Installed::No => {
            let hint = format!("{reinstall} (queries catch up by themselves, but later)");
            check(&name, CheckState::Warn, "not installed", &hint)
        }
    }
}

/// Whether the hooks find their program, even if a graphical program starts git with a short `PATH`. Said once, not for
/// each hook.
fn hook_program(states: &[HookState]) -> Option<Check> {
    let is_run = |state: &&HookState| matches!(state.installed, Installed::Yes | Installed::InConfiguration);
    let in_path = find_program("repoidx").is_some();
    let gone =
        states.iter().filter(is_run).filter_map(|state| state.binary.as_deref()).find(|path| !is_executable(path));
    let found = |state, detail: String, hint| Some(check("hook program", state, &detail, hint));
    match (gone, states.iter().filter(is_run).any(|state| state.binary.is_none())) {
        (Some(gone), _) if in_path => {
            let detail =
                format!("{} is gone; the repoidx in PATH runs, but not from graphical programs", gone.display());
            found(CheckState::Warn, detail, "repoidx install-hooks")
        }
        (Some(gone), _) => found(CheckState::Fail, format!("{} is gone", gone.display()), "repoidx install-hooks"),
        (None, true) if !in_path => {
            found(CheckState::Warn, "some hooks call repoidx, which is not in PATH".to_owned(), "")
        }
        (None, _) => None,
    }
}

/// Git resolves a relative `core.hooksPath` in each worktree, where a generated directory is often missing.
fn worktrees(repo: &Repository) -> Option<Check> {
    let value = repo.ask_git(&["config", "--get", "core.hooksPath"]).ok()??;
    let listing = repo.ask_git(&["worktree", "list", "--porcelain"]).ok()??;
    if Path::new(&value).is_absolute() || value.starts_with('~') {
        return None;
    }
    let tops = listing.lines().filter_map(|line| line.strip_prefix("worktree ")).map(PathBuf::from);
    let without: Vec<String> =
        tops.filter(|top| top.is_dir() && !top.join(&value).is_dir()).map(|top| top.display().to_string()).collect();
    if without.is_empty() {
        return None;
    }
    let detail = format!("no {value} in {}: git runs no hooks there", without.join(", "));
    Some(check("hooks of worktrees", CheckState::Warn, &detail, "set core.hooksPath to an absolute path"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::fixture::GitFixture;
    use crate::hooks::install::{self, InstallOptions};
    use crate::hooks::queue::ChangeReach;

    fn found(fixture: &GitFixture, name: &str) -> Check {
        let mut checks = checks(&fixture.open());
        checks.retain(|check| check.name == name);
        checks.pop().unwrap()
    }

    fn install(fixture: &GitFixture, binary: &str) {
        let repo = fixture.open();
        let options = InstallOptions { binary: binary.into(), pre_push: false, force: false };
        install::plan(&repo, &options).unwrap().apply(&repo).unwrap();
    }

    #[test]
    fn a_new_repository_lacks_hooks_and_index() {
        let fixture = GitFixture::new();
        assert_eq!(found(&fixture, "git").state, CheckState::Ok);
        assert_eq!(found(&fixture, "data directory").state, CheckState::Ok);
        assert_eq!(found(&fixture, "index").state, CheckState::Warn);
        assert_eq!(
            found(&fixture, "hook post-commit").hint,
            "repoidx install-hooks (queries catch up by themselves, but later)"
        );
        assert_eq!(found(&fixture, "hook pre-push").state, CheckState::Ok);
    }

    #[test]
    fn silent_hooks_are_found() {
        let fixture = GitFixture::new();
        install(&fixture, "/bin/sh");
        assert_eq!(found(&fixture, "hook post-merge").state, CheckState::Ok);
        install(&fixture, "/nowhere/repoidx");
        let gone = found(&fixture, "hook program");
        assert!(gone.detail.contains("/nowhere/repoidx is gone"), "{gone:?}");
        assert_eq!(gone.hint, "repoidx install-hooks");
        let said = checks(&fixture.open()).iter().filter(|check| check.detail.contains("is gone")).count();
        assert_eq!(said, 1, "once, not for each hook");
        fixture.commit("first");
        fixture.git(&["config", "core.hooksPath", ".husky/_"]);
        assert_eq!(found(&fixture, "hook post-merge").state, CheckState::Fail);
        assert_eq!(found(&fixture, "hooks of worktrees").state, CheckState::Warn);
    }

    #[test]
    fn an_unfinished_update_is_told() {
        let fixture = GitFixture::new();
        let queue = UpdateQueue::of(&fixture.open());
        queue.mark(HookEvent::PostCommit, ChangeReach::Commits).unwrap();
        assert_eq!(found(&fixture, "hook worker").state, CheckState::Warn);
        queue.start_log().line("error: disk full");
        assert_eq!(found(&fixture, "hook worker").detail, "stopped: disk full");
        queue.start_log().line("error: the repoidx of the hooks is gone: /nowhere/repoidx");
        assert_eq!(found(&fixture, "hook worker").state, CheckState::Fail);
        queue.start_log().line("error: the repoidx of the hooks is gone: /bin/sh");
        assert_eq!(found(&fixture, "hook worker").state, CheckState::Warn, "asked for, and not done");
    }

    #[test]
    #[cfg(unix)]
    fn a_data_directory_open_to_others_is_told() {
        use std::os::unix::fs::PermissionsExt;
        let fixture = GitFixture::new();
        let dir = fixture.open().data_dir();
        fs::create_dir(&dir).unwrap();
        fs::set_permissions(&dir, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(found(&fixture, "data directory").state, CheckState::Warn);
        fs::remove_dir(&dir).unwrap();
        std::os::unix::fs::symlink("/tmp", &dir).unwrap();
        assert_eq!(found(&fixture, "data directory").state, CheckState::Fail);
    }
}
