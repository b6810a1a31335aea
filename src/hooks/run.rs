//! What a hook does when git calls it: leave a mark, see to it that a worker is there, and go.
//!
//! Goes in: the event, git's arguments, standard input. Comes out: the exit status, which is 0. Starts no git command
//! and opens no database in the common case. Never prints, never waits, never fails, whatever happens inside.
//! `REPOIDX_FOREGROUND=1`, or `CI`, makes it do the work before it returns. A worktree without an index stays without
//! one: a commit must not start a first build behind a person's back; a new worktree of an indexed repository gets its
//! own, though.

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
        Event,
        queue::{Queue, Reach},
        seed, worker,
    },
};

/// The event by which a hook calls the worker: `repoidx hook worker`.
pub const WORKER: &str = "worker";

/// Time a push may wait for the index.
const PUSH_BUDGET: Duration = Duration::from_secs(10);

/// Reviews what is pushed by a hook that began at that time; 1 stops the push.
pub type Review = dyn Fn(&Repository, &[Pushed], Instant) -> u8;

/// Time a hook in the foreground waits for another process that is at it.
const FOREGROUND_PATIENCE: Duration = Duration::from_secs(60);

/// Longer than anyone holds the lock who only looks at it.
const GLANCE: Duration = Duration::from_millis(1);

/// Runs the hook for `event`, a name of git's or `worker`. Returns the exit status.
///
/// `review` says what a push would break, within the time that the settings give the hook, and returns 1 to stop it. It may do so only when
/// the user's own configuration asks for it and a finding of that level exists.
pub fn run(event: &str, args: &[String], stdin: &mut dyn Read, review: &Review) -> u8 {
    // Nobody reads what a panic says, and git's user must not.
    panic::set_hook(Box::new(|_| {}));
    panic::catch_unwind(AssertUnwindSafe(|| match Event::from_name(event) {
        Some(Event::PrePush) => before_push(stdin, review),
        Some(event) => reach(event, args).map_or(0, |reach| after(event, reach)),
        None if event == WORKER => work(),
        _ => 0,
    }))
    .unwrap_or(0)
}

/// How far a git command reached; `None` when it changed no file. git tells for a checkout the old and the new commit,
/// and 0 where only files were checked out; for a merge 1 where HEAD was to stay.
fn reach(event: Event, args: &[String]) -> Option<Reach> {
    match args {
        [_, _, flag] if event == Event::PostCheckout && flag == "0" => Some(Reach::Files),
        [old, new, _] if event == Event::PostCheckout && old == new => None,
        [flag] if event == Event::PostMerge && flag == "1" => Some(Reach::Files),
        _ => Some(Reach::Commits),
    }
}

fn after(event: Event, reach: Reach) -> u8 {
    let Ok(repo) = Repository::open_from_environment() else { return 0 };
    if !seed::has_index(&repo) && seed::siblings(&repo).is_empty() {
        return 0;
    }
    let queue = Queue::of(&repo);
    if queue.mark(event, reach).is_err() {
        return 0;
    }
    if is_foreground() {
        work_now(&repo, &queue, FOREGROUND_PATIENCE);
    } else if queue.wait_for_turn(GLANCE).is_some() {
        // The turn is given back at once; whoever takes it sees the mark.
        start_worker(&repo);
    }
    0
}

fn work() -> u8 {
    if let Ok(repo) = Repository::open_from_environment() {
        worker::run(&repo, &Queue::of(&repo));
    }
    0
}

/// Before a push: the index comes to HEAD within the budget, and what is pushed is reviewed.
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
    let queue = Queue::of(&repo);
    if queue.mark(Event::PrePush, Reach::Commits).is_err() {
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

/// One reference that a push changes. Ids are all zeros for what does not exist.
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

fn work_now(repo: &Repository, queue: &Queue, patience: Duration) {
    if let Some(turn) = queue.wait_for_turn(patience) {
        worker::work(repo, queue, &turn, Duration::ZERO, Instant::now() + patience);
    }
}

/// Starts a process of its own for the worker: no descriptor of git's stays open in it, no signal of the terminal
/// reaches it, and it finds the repository by the same variables as a hook.
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
        assert_eq!(reach(Event::PostCheckout, &args("a b 1")), Some(Reach::Commits));
        assert_eq!(reach(Event::PostCheckout, &args("a a 1")), None);
        assert_eq!(reach(Event::PostCheckout, &args("a a 0")), Some(Reach::Files));
        assert_eq!(reach(Event::PostMerge, &args("0")), Some(Reach::Commits));
        assert_eq!(reach(Event::PostMerge, &args("1")), Some(Reach::Files));
        assert_eq!(reach(Event::PostRewrite, &args("rebase")), Some(Reach::Commits));
        assert_eq!(reach(Event::PostCommit, &[]), Some(Reach::Commits));
    }

    #[test]
    fn pushed_references_are_read() {
        let zeros = "0".repeat(64);
        let pushed = Pushed::from_line(&format!("(delete) {zeros} refs/heads/x abc")).unwrap();
        assert!(pushed.is_deletion() && !pushed.is_new());
        assert_eq!(Pushed::from_line("refs/heads/x abc"), None);
    }
}
