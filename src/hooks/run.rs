//! The hook as git calls it: leaves a mark, makes sure that a worker runs, and returns.
//!
//! In the common case it starts no git command and opens no database. It never prints, never waits, and its exit status
//! is 0 after any failure inside. With `REPOIDX_FOREGROUND=1` or `CI` it does the work before it returns.
//!
//! A worktree without an index stays without one, because a commit must not start a first build unasked. There is one
//! exception: a new worktree of an indexed repository gets its own index.

#![expect(clippy::disallowed_methods, reason = "a hook is called by git: its environment is its input")]

use std::env;
use std::io::Read;
use std::panic::{self, AssertUnwindSafe};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{
    git::{
        Repository,
        environment::{current_exe, detach_from_git},
    },
    hooks::{
        HookEvent,
        queue::{ChangeReach, UpdateQueue},
        seed, worker,
    },
};

/// The event by which a hook calls the worker: `repoidx hook worker`.
pub const WORKER: &str = "worker";

/// Time a push may wait for the index.
const PUSH_BUDGET: Duration = Duration::from_secs(10);

/// Reviews a push whose hook began at that time; 1 stops the push.
pub type Review = dyn Fn(&Repository, &[Pushed], Instant) -> u8;

/// Time a hook in the foreground waits for another process that is at it.
const FOREGROUND_PATIENCE: Duration = Duration::from_secs(60);

/// Longer than a process holds the lock to look at it.
const GLANCE: Duration = Duration::from_millis(1);

/// Runs the hook for `event`: a name of git's, or `worker`. Returns the exit status.
///
/// `review` reports the damage of a push, within the time that the settings give the hook. It may return 1, to stop the
/// push, only if the user's own configuration asks for it and there is a finding of that level.
pub fn run(event: &str, args: &[String], stdin: &mut dyn Read, review: &Review) -> u8 {
    // A panic message would appear in the output of the user's git command.
    panic::set_hook(Box::new(|_| {}));
    panic::catch_unwind(AssertUnwindSafe(|| match HookEvent::from_name(event) {
        Some(HookEvent::PrePush) => before_push(stdin, review),
        Some(event) => reach(event, args).map_or(0, |reach| after(event, reach)),
        None if event == WORKER => work(),
        _ => 0,
    }))
    .unwrap_or(0)
}

/// The reach of a git command; `None` when it changed no file. For a checkout git passes the old and the new commit,
/// and 0 where only files were checked out. For a merge it passes 1 where HEAD was to stay.
fn reach(event: HookEvent, args: &[String]) -> Option<ChangeReach> {
    match args {
        [_, _, flag] if event == HookEvent::PostCheckout && flag == "0" => Some(ChangeReach::Files),
        [old, new, _] if event == HookEvent::PostCheckout && old == new => None,
        [flag] if event == HookEvent::PostMerge && flag == "1" => Some(ChangeReach::Files),
        _ => Some(ChangeReach::Commits),
    }
}

fn after(event: HookEvent, reach: ChangeReach) -> u8 {
    let Ok(repo) = Repository::open_from_environment() else { return 0 };
    if !seed::has_index(&repo) && seed::siblings(&repo).is_empty() {
        return 0;
    }
    let queue = UpdateQueue::of(&repo);
    if queue.mark(event, reach).is_err() {
        return 0;
    }
    if is_foreground() {
        work_now(&repo, &queue, FOREGROUND_PATIENCE);
    } else {
        wake_worker(&repo, &queue);
    }
    0
}

fn work() -> u8 {
    if let Ok(repo) = Repository::open_from_environment() {
        worker::run(&repo, &UpdateQueue::of(&repo));
    }
    0
}

/// Before a push: brings the index to HEAD within the budget, and reviews the pushed commits.
fn before_push(stdin: &mut dyn Read, review: &Review) -> u8 {
    // All of it, before anything else: git may be stopped by a signal when its reader goes.
    let mut lines = String::new();
    if stdin.read_to_string(&mut lines).is_err() {
        return 0;
    }
    let pushed: Vec<Pushed> = lines.lines().filter_map(Pushed::from_line).collect();
    let Ok(repo) = Repository::open_from_environment() else { return 0 };
    if pushed.is_empty() || !seed::has_index(&repo) {
        return 0;
    }
    let start = Instant::now();
    let queue = UpdateQueue::of(&repo);
    if queue.mark(HookEvent::PrePush, ChangeReach::Commits).is_err() {
        return 0;
    }
    if is_foreground() {
        work_now(&repo, &queue, PUSH_BUDGET);
    } else {
        start_worker(&repo);
        while (queue.is_marked() || queue.has_worker()) && start.elapsed() < PUSH_BUDGET {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    review(&repo, &pushed, start)
}

/// One reference that a push changes. An id of zeros stands for a reference that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pushed {
    pub local_ref: String,
    pub local_id: String,
    pub remote_ref: String,
    pub remote_id: String,
}

impl Pushed {
    /// Reads a line of git's: local reference and id, remote reference and id.
    fn from_line(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace().map(str::to_owned);
        let mut word = || words.next();
        Some(Self { local_ref: word()?, local_id: word()?, remote_ref: word()?, remote_id: word()? })
    }

    /// Whether the push deletes the reference.
    pub fn is_deletion(&self) -> bool {
        self.local_id.bytes().all(|byte| byte == b'0')
    }

    /// Whether the reference is new there.
    pub fn is_new(&self) -> bool {
        self.remote_id.bytes().all(|byte| byte == b'0')
    }
}

fn work_now(repo: &Repository, queue: &UpdateQueue, patience: Duration) {
    if let Some(turn) = queue.wait_for_turn(patience) {
        worker::work(repo, queue, &turn, Duration::ZERO, Instant::now() + patience);
    }
}

/// Has a worker bring the index to the files as they are, for a caller that has no more time. `caller` stands in its
/// log.
pub fn hand_over(repo: &Repository, caller: &str) {
    let queue = UpdateQueue::of(repo);
    if queue.mark(caller, ChangeReach::Files).is_ok() {
        wake_worker(repo, &queue);
    }
}

/// Starts a worker for a mark, unless one is at it: that one will see the mark.
fn wake_worker(repo: &Repository, queue: &UpdateQueue) {
    // The lock is released at once; the next holder sees the mark.
    if queue.wait_for_turn(GLANCE).is_some() {
        start_worker(repo);
    }
}

/// Starts the worker in its own process. It inherits no descriptor of git's and no signal of the terminal, and finds
/// the repository by the same variables as a hook.
fn start_worker(repo: &Repository) {
    start(repo, WORKER);
}

/// Starts `repoidx hook NAME` like that.
pub fn start(repo: &Repository, name: &str) {
    let Some(program) = current_exe() else { return };
    let mut command = Command::new(program);
    detach_from_git(&mut command);
    command
        .args(["hook", name])
        .current_dir(repo.root().unwrap_or(repo.git_dir()))
        .env("GIT_DIR", repo.git_dir())
        .env_remove("REPOIDX_FOREGROUND")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some(root) = repo.root() {
        command.env("GIT_WORK_TREE", root);
    }
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    #[cfg(windows)]
    {
        /// `CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP`. A process without a console would show one for each child.
        const FLAGS: u32 = 0x0800_0000 | 0x0000_0200;
        std::os::windows::process::CommandExt::creation_flags(&mut command, FLAGS);
    }
    // This process ends at once, and the system takes the child over.
    let _ = command.spawn();
}

fn is_foreground() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0" && value != "false");
    is_set("REPOIDX_FOREGROUND") || is_set("CI")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reach_is_read_from_git_s_arguments() {
        let args = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(reach(HookEvent::PostCheckout, &args("a b 1")), Some(ChangeReach::Commits));
        assert_eq!(reach(HookEvent::PostCheckout, &args("a a 1")), None);
        assert_eq!(reach(HookEvent::PostCheckout, &args("a a 0")), Some(ChangeReach::Files));
        assert_eq!(reach(HookEvent::PostMerge, &args("0")), Some(ChangeReach::Commits));
        assert_eq!(reach(HookEvent::PostMerge, &args("1")), Some(ChangeReach::Files));
        assert_eq!(reach(HookEvent::PostRewrite, &args("rebase")), Some(ChangeReach::Commits));
        assert_eq!(reach(HookEvent::PostCommit, &[]), Some(ChangeReach::Commits));
    }

    #[test]
    fn pushed_references_are_read() {
        let zeros = "0".repeat(64);
        let pushed = Pushed::from_line(&format!("(delete) {zeros} refs/heads/x abc")).unwrap();
        assert!(pushed.is_deletion() && !pushed.is_new());
        assert_eq!(Pushed::from_line("refs/heads/x abc"), None);
    }
}
