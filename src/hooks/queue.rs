//! Messages between hooks and the worker of one worktree: a mark and a lock in the data directory.
//!
//! The file `dirty` asks for an update; each hook replaces it. A worker renames it to `working` while it serves it. The
//! system's lock on `worker.lock` shows that a worker runs, and ends with its process. `last.log` is the log of the
//! last worker. Correctness does not depend on any of them: after a lost mark the next query updates the index.

use std::fmt::Display;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::git::Repository;

/// Bytes after which the log takes no more.
const LONGEST_LOG: usize = 64 * 1024;

/// The mark and the lock of one worktree.
pub struct UpdateQueue {
    dir: PathBuf,
}

/// How far a git command may have changed files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangeReach {
    /// Only the differences between two commits.
    Commits,
    /// Any file may have changed.
    Files,
}

/// The right to update the index in the name of the hooks, or to embed; given back when dropped.
pub(crate) struct QueueLock {
    _lock: File,
}

impl UpdateQueue {
    /// The queue of this worktree. Nothing is made yet.
    pub fn of(repo: &Repository) -> Self {
        Self { dir: repo.data_dir() }
    }

    /// Whether an update was requested and is not finished.
    pub fn is_marked(&self) -> bool {
        self.is_asked() || self.claimed_file().exists()
    }

    /// Whether a worker is at it now.
    pub fn has_worker(&self) -> bool {
        let Ok(lock) = File::open(self.dir.join("worker.lock")) else { return false };
        matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock))
    }

    /// The log of the last worker.
    pub fn last_log(&self) -> Option<String> {
        fs::read_to_string(self.dir.join("last.log")).ok()
    }

    /// How long ago a worker wrote its last line; `None` when there was none.
    pub(super) fn time_since_work(&self) -> Option<Duration> {
        let written = self.dir.join("last.log").metadata().and_then(|metadata| metadata.modified()).ok()?;
        SystemTime::now().duration_since(written).ok()
    }

    /// Asks for an update in the name of `caller`, a hook. Each mark differs from every other; one that reaches far is
    /// never replaced by one that does not.
    pub(crate) fn mark(&self, caller: impl Display, reach: ChangeReach) -> io::Result<()> {
        make_private(&self.dir)?;
        let is_far =
            reach == ChangeReach::Files || self.mark_text().is_some_and(|mark| reach_of(&mark) == ChangeReach::Files);
        let reach = if is_far { FILES } else { "commits" };
        let fresh = self.dir.join(format!("dirty.{}", std::process::id()));
        create_private(&fresh)?
            .write_all(format!("{reach} {caller} {:?} {}\n", since_epoch(), std::process::id()).as_bytes())?;
        fs::rename(fresh, self.mark_file())
    }

    /// The present mark.
    pub(super) fn mark_text(&self) -> Option<String> {
        fs::read_to_string(self.mark_file()).ok()
    }

    /// Whether there is a mark that no worker has claimed.
    pub(super) fn is_asked(&self) -> bool {
        self.mark_file().exists()
    }

    /// Claims the mark, together with one that a worker left when it died. Later marks stay for the next claim.
    pub(super) fn claim(&self) -> Option<String> {
        let left = fs::read_to_string(self.claimed_file()).ok();
        match (fs::rename(self.mark_file(), self.claimed_file()), left) {
            (Ok(()), Some(left)) if reach_of(&left) == ChangeReach::Files => Some(left),
            (Ok(()), _) => fs::read_to_string(self.claimed_file()).ok(),
            (Err(_), left) => left,
        }
    }

    /// The claimed mark has been served.
    pub(super) fn finish(&self) {
        let _ = fs::remove_file(self.claimed_file());
    }

    /// The turn, unless another process has it.
    pub(super) fn try_turn(&self) -> Option<QueueLock> {
        self.try_lock("worker.lock")
    }

    /// The lock for embedding new texts; `None` while another process holds it.
    pub(crate) fn turn_to_embed(&self) -> Option<QueueLock> {
        self.try_lock("embed.lock")
    }

    fn try_lock(&self, name: &str) -> Option<QueueLock> {
        make_private(&self.dir).ok()?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        private(&mut options);
        let lock = options.open(self.dir.join(name)).ok()?;
        match lock.try_lock() {
            Ok(()) => Some(QueueLock { _lock: lock }),
            Err(TryLockError::WouldBlock) => None,
            // No locks on this file system: SQLite's own must do.
            Err(TryLockError::Error(_)) => Some(QueueLock { _lock: lock }),
        }
    }

    /// The turn, waiting for it up to `patience`.
    pub(super) fn wait_for_turn(&self, patience: Duration) -> Option<QueueLock> {
        let start = Instant::now();
        loop {
            let turn = self.try_turn();
            if turn.is_some() || start.elapsed() >= patience {
                return turn;
            }
            std::thread::sleep(patience.min(Duration::from_millis(5)));
        }
    }

    /// A new log in place of the last one. Without a place to write to, it swallows everything.
    pub(crate) fn start_log(&self) -> Log {
        Log { file: create_private(&self.dir.join("last.log")).ok(), left: LONGEST_LOG }
    }

    fn mark_file(&self) -> PathBuf {
        self.dir.join("dirty")
    }

    fn claimed_file(&self) -> PathBuf {
        self.dir.join("working")
    }
}

/// The first word of a mark that reaches far.
const FILES: &str = "files";

/// How far a mark reaches.
pub(super) fn reach_of(mark: &str) -> ChangeReach {
    if mark.starts_with(FILES) { ChangeReach::Files } else { ChangeReach::Commits }
}

/// The log of a worker, for a person who looks for a problem. It holds no source code.
pub(crate) struct Log {
    file: Option<File>,
    left: usize,
}

impl Log {
    /// Adds a line with the time, while there is room.
    pub(crate) fn line(&mut self, text: &str) {
        let line = format!("{:.3} {}\n", since_epoch().as_secs_f64(), text.replace('\n', " "));
        if let (Some(file), Some(left)) = (self.file.as_mut(), self.left.checked_sub(line.len())) {
            let _ = file.write_all(line.as_bytes());
            self.left = left;
        }
    }
}

/// Makes the data directory if need be, for its owner alone.
fn make_private(dir: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(dir) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// A new, empty file for its owner alone, in place of the one of that name. A link there is not followed.
fn create_private(file: &Path) -> io::Result<File> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    private(&mut options);
    options.open(file)
}

fn private(options: &mut OpenOptions) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    #[cfg(not(unix))]
    let _ = options;
}

fn since_epoch() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::fixture::GitFixture;
    use crate::hooks::HookEvent;

    #[test]
    fn a_mark_stays_until_it_is_served() {
        let fixture = GitFixture::new();
        let queue = UpdateQueue::of(&fixture.open());
        assert!(!queue.is_marked() && !queue.has_worker());
        queue.mark(HookEvent::PostCommit, ChangeReach::Commits).unwrap();
        let first = queue.mark_text().unwrap();
        assert!(first.starts_with("commits post-commit "), "{first}");
        queue.mark(HookEvent::PostCommit, ChangeReach::Commits).unwrap();
        assert_ne!(queue.mark_text().unwrap(), first);
        queue.mark(HookEvent::PostCheckout, ChangeReach::Files).unwrap();
        queue.mark(HookEvent::PostCommit, ChangeReach::Commits).unwrap();
        assert_eq!(reach_of(&queue.mark_text().unwrap()), ChangeReach::Files);
        assert!(queue.claim().unwrap().starts_with("files post-commit "));
        assert!(queue.is_marked() && !queue.is_asked());
        queue.finish();
        assert!(!queue.is_marked() && queue.claim().is_none());
    }

    #[test]
    fn the_mark_of_a_worker_that_died_is_served_too() {
        let fixture = GitFixture::new();
        let queue = UpdateQueue::of(&fixture.open());
        queue.mark(HookEvent::PostCheckout, ChangeReach::Files).unwrap();
        queue.claim();
        assert!(queue.claim().unwrap().starts_with("files post-checkout "));
        queue.mark(HookEvent::PostCommit, ChangeReach::Commits).unwrap();
        assert_eq!(reach_of(&queue.claim().unwrap()), ChangeReach::Files);
    }

    #[test]
    fn one_has_the_turn_at_a_time() {
        let fixture = GitFixture::new();
        let queue = UpdateQueue::of(&fixture.open());
        let turn = queue.try_turn().unwrap();
        assert!(queue.try_turn().is_none() && queue.has_worker());
        assert!(queue.wait_for_turn(Duration::from_millis(1)).is_none());
        drop(turn);
        // A process that another test starts may share the lock until it runs its own program.
        assert!(queue.wait_for_turn(Duration::from_secs(10)).is_some());
    }

    #[test]
    fn the_log_ends_before_it_grows_too_long() {
        let fixture = GitFixture::new();
        let queue = UpdateQueue::of(&fixture.open());
        queue.mark(HookEvent::PostCommit, ChangeReach::Commits).unwrap();
        let mut log = queue.start_log();
        for _ in 0..2000 {
            log.line(&"x".repeat(100));
        }
        let length = queue.last_log().unwrap().len();
        assert!((LONGEST_LOG - 200..=LONGEST_LOG).contains(&length), "{length}");
    }

    #[test]
    #[cfg(unix)]
    fn the_data_directory_is_its_owner_s_alone() {
        use std::os::unix::fs::PermissionsExt;
        let fixture = GitFixture::new();
        let repo = fixture.open();
        let queue = UpdateQueue::of(&repo);
        queue.mark(HookEvent::PostCommit, ChangeReach::Commits).unwrap();
        let _turn = queue.try_turn();
        let mode = |name: &str| repo.data_dir().join(name).metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(""), mode("dirty"), mode("worker.lock")), (0o700, 0o600, 0o600));
    }
}
