//! Bringing the index to HEAD in the name of the hooks.
//!
//! Goes in: a repository with a mark in its [`Queue`]. Comes out: an index at HEAD and no mark. One process at a time
//! does it for all hooks that fired meanwhile. While git replays a sequence of commits it waits, but never longer than
//! two seconds after the last sign of life: a rebase may stop for hours. Does not know how the index is made.

use std::time::{Duration, Instant};

use crate::git::Repository;
use crate::index::{self, Scope, UpdateOptions};

use super::queue::{Log, Queue, Turn};
use super::seed;

/// A rebase that has been quiet for this long has stopped.
const QUIET: Duration = Duration::from_secs(2);
/// How often a waiting worker looks.
const GLANCE: Duration = Duration::from_millis(20);
/// A worker that is still at it after this long gives up; the next hook starts another.
const LONGEST: Duration = Duration::from_secs(600);

/// Works until no mark is left, unless another process is at it already.
pub(super) fn run(repo: &Repository, queue: &Queue) {
    let deadline = Instant::now() + LONGEST;
    // Between the last look at the mark and the end of a turn a hook may have left another one, trusting in us.
    while let Some(turn) = queue.wait_for_turn(2 * GLANCE) {
        let is_done = work(repo, queue, &turn, QUIET, deadline);
        drop(turn);
        if !is_done || !queue.is_marked() {
            return;
        }
    }
}

/// Updates until HEAD stands still and the mark is served. `quiet` is zero for whoever must not wait.
pub(super) fn work(repo: &Repository, queue: &Queue, _turn: &Turn, quiet: Duration, deadline: Instant) -> bool {
    let mut log = queue.start_log();
    while Instant::now() < deadline {
        if !quiet.is_zero() {
            wait_for_end_of_sequence(repo, queue, quiet);
        }
        let (mark, head) = (queue.mark_text(), repo.head().ok());
        log.line(&format!("{}, HEAD {head:?}", mark.as_deref().unwrap_or("no mark").trim_end()));
        if !update(repo, &mut log) {
            return false;
        }
        if queue.mark_text() != mark {
            continue;
        }
        queue.clear();
        // A hook marks after HEAD has moved: if HEAD still stands, no mark of worth was cleared.
        if repo.head().ok() == head {
            return true;
        }
    }
    log.line("gave up: HEAD moves faster than the index");
    false
}

fn update(repo: &Repository, log: &mut Log) -> bool {
    let is_known = seed::has_index(repo);
    if !is_known && seed::seed(repo) {
        log.line("started from the index of another worktree");
    }
    // A copied index describes other files: everything has to be compared once.
    let scope = if is_known { Scope::Commits } else { Scope::Worktree };
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
fn wait_for_end_of_sequence(repo: &Repository, queue: &Queue, quiet: Duration) {
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
