//! The worker: brings the index to HEAD for all hooks that fired meanwhile.
//!
//! One process at a time does the work. While git replays a sequence of commits the worker waits, but at most two
//! seconds after the last movement: a rebase may stop for hours.
//!
//! An update reads files while the next git command may already be rewriting them. Such a file need not differ between
//! the commits that are compared next. So an update that closely follows another one looks at all files, unless the
//! last one found every file as committed.

use std::time::{Duration, Instant};

use crate::{
    git::Repository,
    hooks::{
        queue::{ChangeReach, Log, QueueLock, UpdateQueue, reach_of},
        seed,
    },
    index::{self, UpdateOptions, UpdateScope},
};

/// A rebase that has been quiet for this long has stopped.
const QUIET: Duration = Duration::from_secs(2);
/// How often a waiting worker looks.
const GLANCE: Duration = Duration::from_millis(20);
/// A git command that began during one update has ended this long after it, mostly.
const BURST: Duration = Duration::from_secs(10);
/// A worker that is still at it after this long gives up; the next hook starts another.
const LONGEST: Duration = Duration::from_secs(600);

/// Works until no mark is left, unless another process is at it already.
pub(super) fn run(repo: &Repository, queue: &UpdateQueue) {
    let deadline = Instant::now() + LONGEST;
    // Between the last look at the mark and the end of a turn a hook may have left another one, trusting in us.
    while let Some(turn) = queue.wait_for_turn(2 * GLANCE) {
        if !queue.is_marked() {
            return;
        }
        let is_done = work(repo, queue, &turn, QUIET, deadline);
        drop(turn);
        if !is_done || !queue.is_asked() {
            return;
        }
    }
}

/// Updates until HEAD stands still and the mark is served. `quiet` is zero for a caller that must not wait.
pub(super) fn work(
    repo: &Repository,
    queue: &UpdateQueue,
    _turn: &QueueLock,
    quiet: Duration,
    deadline: Instant,
) -> bool {
    let mut is_close = queue.time_since_work().is_some_and(|time| time < BURST);
    let mut log = queue.start_log();
    while Instant::now() < deadline {
        if !quiet.is_zero() {
            wait_for_end_of_sequence(repo, queue, quiet);
        }
        let (mark, head) = (queue.claim(), repo.head().ok());
        log.line(&format!("{}, HEAD {head:?}", mark.as_deref().unwrap_or("no mark").trim_end()));
        let is_far = mark.as_deref().is_some_and(|mark| reach_of(mark) == ChangeReach::Files);
        let near = if is_close { UpdateScope::CommitsInBurst } else { UpdateScope::Commits };
        if !update(repo, if is_far { UpdateScope::Worktree } else { near }, &mut log) {
            return false;
        }
        is_close = true;
        queue.finish();
        if !queue.is_asked() && repo.head().ok() == head {
            return true;
        }
    }
    log.line("gave up: HEAD moves faster than the index");
    false
}

fn update(repo: &Repository, scope: UpdateScope, log: &mut Log) -> bool {
    let is_known = seed::has_index(repo);
    if !is_known && seed::seed(repo) {
        log.line("started from the index of another worktree");
    }
    // A copied index describes other files: everything has to be compared once.
    let scope = if is_known { scope } else { UpdateScope::Worktree };
    let options = UpdateOptions::default();
    match index::update(repo, scope, &options, &()) {
        Ok(report) => {
            let (parsed, resolved, seconds) = (report.parsed, report.resolved, report.seconds);
            log.line(&format!("updated: {parsed} parsed, {resolved} resolved, {seconds:.3} s"));
            true
        }
        Err(error) => {
            log.line(&format!("error: {error}"));
            false
        }
    }
}

/// Returns when no sequence is under way, or when nothing has moved for `quiet`.
fn wait_for_end_of_sequence(repo: &Repository, queue: &UpdateQueue, quiet: Duration) {
    let mut sign = (queue.mark_text(), repo.head().ok());
    let mut since = Instant::now();
    while repo.is_in_sequence() && since.elapsed() < quiet {
        std::thread::sleep(GLANCE);
        let now = (queue.mark_text(), repo.head().ok());
        if now != sign {
            (sign, since) = (now, Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::fixture::GitFixture;
    use crate::hooks::HookEvent;

    fn fixture() -> GitFixture {
        let fixture = GitFixture::new();
        fixture.write("a.py", "def f():\n    pass\n");
        fixture.commit("first");
        fixture
    }

    fn build(repo: &Repository) {
        index::update(repo, UpdateScope::Worktree, &UpdateOptions::default(), &()).unwrap();
    }

    fn is_fresh(repo: &Repository) -> bool {
        index::freshness(repo, &index::open(repo).unwrap()).unwrap().fresh
    }

    #[test]
    fn a_mark_brings_the_index_to_head() {
        let fixture = fixture();
        let repo = fixture.open();
        build(&repo);
        fixture.write("b.py", "from a import f\nf()\n");
        fixture.commit("second");
        assert!(!is_fresh(&repo));
        let queue = UpdateQueue::of(&repo);
        queue.mark(HookEvent::PostCommit, ChangeReach::Commits).unwrap();
        run(&repo, &queue);
        assert!(is_fresh(&repo) && !queue.is_marked());
        assert!(queue.last_log().unwrap().contains("updated: 1 parsed"));
    }

    #[test]
    fn a_burst_looks_everywhere_only_when_a_file_was_not_as_committed() {
        let fixture = fixture();
        let repo = fixture.open();
        build(&repo);
        let queue = UpdateQueue::of(&repo);
        let hook = || {
            queue.mark(HookEvent::PostCommit, ChangeReach::Commits).unwrap();
            run(&repo, &queue);
            index::open(&repo).unwrap().file_id("untracked.py").unwrap().is_some()
        };
        fixture.write("b.py", "1\n");
        fixture.commit("second");
        assert!(!hook());
        fixture.write("b.py", "2\n");
        fixture.commit("third");
        fixture.write("untracked.py", "1\n");
        assert!(!hook(), "all that was read is what the commit has");
        fixture.write("b.py", "3\n");
        fixture.git(&["commit", "-qam", "fourth"]);
        fixture.write("b.py", "4\n");
        assert!(!hook(), "still true of what was read before");
        fixture.git(&["commit", "-q", "--allow-empty", "-m", "fifth"]);
        assert!(hook(), "b.py was somebody's work when it was read");
        fixture.write("another.py", "1\n");
        fixture.git(&["commit", "-qam", "sixth"]);
        hook();
        let is_known = |path: &str| index::open(&repo).unwrap().file_id(path).unwrap().is_some();
        assert!(is_known("another.py"), "b.py is what was committed, but another file is not");
        fixture.write("b.py", "5\n");
        fixture.git(&["commit", "-qm", "seventh", "b.py"]);
        hook();
        fixture.write("last.py", "1\n");
        fixture.git(&["commit", "-q", "--allow-empty", "-m", "eighth"]);
        hook();
        assert!(!is_known("last.py"), "from then on all that was read is what the commit has");
    }

    #[test]
    fn restored_files_are_found_without_a_commit() {
        let fixture = fixture();
        let repo = fixture.open();
        fixture.write("a.py", "def g():\n    pass\n");
        build(&repo);
        fixture.git(&["checkout", "-q", "--", "."]);
        let queue = UpdateQueue::of(&repo);
        queue.mark(HookEvent::PostCheckout, ChangeReach::Files).unwrap();
        queue.mark(HookEvent::PostCommit, ChangeReach::Commits).unwrap();
        run(&repo, &queue);
        assert!(is_fresh(&repo));
    }

    #[test]
    fn a_new_worktree_gets_its_own_index() {
        let fixture = fixture();
        build(&fixture.open());
        // Files of the sibling alone must not be copied.
        fixture.write("only_here.py", "1\n");
        build(&fixture.open());
        fixture.git(&["worktree", "add", "-q", "../linked"]);
        let linked = Repository::open(&fixture.place("linked")).unwrap();
        let queue = UpdateQueue::of(&linked);
        queue.mark(HookEvent::PostCheckout, ChangeReach::Commits).unwrap();
        run(&linked, &queue);
        assert!(is_fresh(&linked) && is_fresh(&fixture.open()));
        assert!(queue.last_log().unwrap().contains("started from the index of another worktree"));
        assert!(index::open(&linked).unwrap().file_id("only_here.py").unwrap().is_none());
    }

    #[test]
    fn a_sequence_is_waited_for_until_it_is_quiet() {
        let fixture = fixture();
        let repo = fixture.open();
        let queue = UpdateQueue::of(&repo);
        let waited = |quiet: u64| {
            let start = Instant::now();
            wait_for_end_of_sequence(&repo, &queue, Duration::from_millis(quiet));
            start.elapsed()
        };
        assert!(waited(60_000) < Duration::from_secs(30), "no sequence");
        std::fs::create_dir(repo.git_dir().join("rebase-merge")).unwrap();
        assert!(waited(60) >= Duration::from_millis(60));
    }
}
