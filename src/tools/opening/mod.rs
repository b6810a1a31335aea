//! Opens a repository for the tools: finds it, and brings its index up to date within a time.
//!
//! An update that takes longer goes on in its thread, and the answer comes from the index as it is. The lock of the
//! index decides among several processes: the second one finds nothing left to do.

pub mod memory;
pub(crate) mod privacy;
pub mod withheld;

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        mpsc::{self, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    config::Config,
    error::Failure,
    git::{GitError, Repository},
    hooks::seed,
    index::{self, IndexError, Progress, UpdateOptions, UpdateScope},
    query::{impact::completeness::Boundary, words::count},
    render::escape::{visible, visible_path},
    store::{Store, error::StoreError},
    tools::{
        Workspace, all_sources, index_options,
        opening::withheld::{WithheldMemo, WithheldPaths},
    },
};

/// How often a waiting call tells the progress.
const TELL: Duration = Duration::from_millis(500);
/// Changed files that a boundary lists.
const MAX_PENDING: usize = 10;

/// Loads the settings for a repository.
pub type Configure = dyn Fn(&Repository) -> Result<Config, Failure> + Send + Sync;

/// An open repository with its index.
pub struct OpenedRepository {
    repo: Repository,
    store: Store,
    config: Config,
    staleness: Option<Boundary>,
    withheld: Arc<WithheldPaths>,
}

impl OpenedRepository {
    pub fn workspace(&self) -> Workspace<'_> {
        Workspace {
            repo: &self.repo,
            store: &self.store,
            config: &self.config,
            staleness: self.staleness.as_ref(),
            withheld: &self.withheld,
        }
    }
}

/// How far an update is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UpdateStage {
    pub name: String,
    pub done: u64,
    /// 0 where it is not known.
    pub total: u64,
}

/// The updates of this process, one at a time for each worktree.
#[derive(Default)]
pub struct Updates {
    turns: Mutex<HashMap<PathBuf, UpdateTurns>>,
    threads: Arc<UpdateThreads>,
    withheld: WithheldMemo,
}

/// Threads that wait for the next update: a new one costs as much as a look at a worktree without changes.
#[derive(Default)]
struct UpdateThreads {
    idle: Mutex<Vec<Sender<UpdateJob>>>,
}

type UpdateJob = Box<dyn FnOnce() + Send>;

impl UpdateThreads {
    /// Runs a job in an idle thread or a new one.
    fn run(self: &Arc<Self>, job: UpdateJob) -> io::Result<()> {
        if let Some(thread) = self.idle().pop() {
            // It waits for nothing else, and ends with its process.
            thread.send(job).ok();
            return Ok(());
        }
        let threads = Arc::clone(self);
        let (sender, jobs) = mpsc::channel();
        sender.send(job).ok();
        thread::Builder::new().name("update".to_owned()).spawn(move || {
            for job in &jobs {
                job();
                threads.idle().push(sender.clone());
            }
        })?;
        Ok(())
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Sender<UpdateJob>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The updates of one worktree. Everybody who asks while one runs shares the next.
#[derive(Default)]
struct UpdateTurns {
    running: Option<Arc<Work>>,
    next: Option<Arc<Work>>,
}

/// An update in a thread of its own.
#[derive(Default)]
struct Work {
    state: Mutex<WorkState>,
    changed: Condvar,
}

#[derive(Default)]
struct WorkState {
    has_begun: bool,
    stage: UpdateStage,
    /// Number of indexed files, or the reason of the failure.
    result: Option<Result<usize, UpdateFailure>>,
}

/// Why an update failed, in words.
#[derive(Clone, Debug)]
struct UpdateFailure {
    message: String,
    /// Another process is at work on the index.
    is_busy: bool,
}

/// How an update ended.
enum Ending {
    Done(usize),
    Failed(UpdateFailure),
    /// It is still running.
    Running(UpdateStage),
}

impl Updates {
    /// Opens the repository around `place`, which a caller named or works in, and updates its index for at most
    /// `patience`. `tell` hears of the progress.
    ///
    /// # Errors
    /// As a failure of usage where the caller can remedy it: no repository, or no index yet.
    pub fn open(
        &self,
        place: &Path,
        configure: &Configure,
        patience: Duration,
        tell: &dyn Fn(&UpdateStage),
    ) -> Result<OpenedRepository, Failure> {
        let repo = repository(place)?;
        let config = configure(&repo)?;
        let ending = if config.flag("update") {
            self.catch_up(&repo, index_options(&config), Instant::now() + patience, tell)
        } else {
            Ending::Done(1)
        };
        let store = index::open(&repo);
        let staleness = match ending {
            Ending::Done(0) => {
                let root = repo.root().unwrap_or(place).display().to_string();
                let message = format!("no Python file is indexed in {}", visible_path(&root));
                return Err(Failure::usage(message, "pass root=<absolute path of the repository that you mean>"));
            }
            Ending::Done(_) if config.flag("update") => None,
            Ending::Done(_) => lag(&repo, store.as_ref().ok(), "the index is not updated by a setting"),
            Ending::Failed(error) if store.is_err() => return Err(failure(error)),
            Ending::Failed(error) => {
                let reason = format!("the index could not be brought up to date: {}", error.message);
                lag(&repo, store.as_ref().ok(), &reason)
            }
            Ending::Running(stage) if store.is_err() => return Err(not_yet(&repo, &stage)),
            Ending::Running(_) => lag(&repo, store.as_ref().ok(), "the index is still being updated"),
        };
        let mut store = store?;
        let withheld = self.withheld.of(repo.root().unwrap_or(repo.git_dir()), &all_sources(&repo));
        store.withhold(&|path| withheld.has(path))?;
        Ok(OpenedRepository { repo, store, config, staleness, withheld })
    }

    /// Updates the index of a worktree until `deadline`.
    fn catch_up(
        &self,
        repo: &Repository,
        options: UpdateOptions,
        deadline: Instant,
        tell: &dyn Fn(&UpdateStage),
    ) -> Ending {
        let place = repo.root().unwrap_or(repo.git_dir()).to_owned();
        let work = {
            let mut turns = self.turns();
            let turns = turns.entry(place.clone()).or_default();
            let running = turns.running.clone().filter(|work| work.lock().result.is_none());
            match running {
                // An update that began before this call may have read a file before its last edit.
                Some(running) => Err((running, Arc::clone(turns.next.get_or_insert_default()))),
                None => {
                    let work = turns.next.take().unwrap_or_default();
                    turns.running = Some(Arc::clone(&work));
                    Ok(work)
                }
            }
        };
        let work = match work {
            Ok(work) => work,
            Err((running, next)) => {
                let ending = running.wait(deadline, tell);
                if matches!(ending, Ending::Running(_)) {
                    return ending;
                }
                let mut turns = self.turns();
                let turns = turns.entry(place.clone()).or_default();
                if turns.next.as_ref().is_some_and(|waiting| Arc::ptr_eq(waiting, &next)) {
                    turns.running = turns.next.take();
                }
                next
            }
        };
        if !work.begin() {
            return work.wait(deadline, tell);
        }
        let of_thread = Arc::clone(&work);
        match self.threads.run(Box::new(move || of_thread.run(&place, &options))) {
            Ok(()) => work.wait(deadline, tell),
            Err(_) => Ending::Running(UpdateStage::default()),
        }
    }

    fn turns(&self) -> MutexGuard<'_, HashMap<PathBuf, UpdateTurns>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Work {
    /// Whether the caller is the first and has to run it.
    fn begin(&self) -> bool {
        !std::mem::replace(&mut self.lock().has_begun, true)
    }

    fn run(&self, place: &Path, options: &UpdateOptions) {
        let updated = || -> Result<usize, IndexError> {
            let repo = Repository::open(place)?;
            if !seed::has_index(&repo) {
                // A new worktree starts from the index of another one.
                seed::seed(&repo);
            }
            Ok(index::update(&repo, UpdateScope::Worktree, options, self)?.files)
        };
        // Whoever waits must hear of the end, also after a panic.
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(updated));
        let failed = |error: IndexError| UpdateFailure {
            is_busy: matches!(error, IndexError::Store(StoreError::Busy)),
            message: visible(&error.to_string()).into_owned(),
        };
        let broke_off = || UpdateFailure { message: "the update broke off".to_owned(), is_busy: false };
        self.lock().result = Some(result.map_or_else(|_| Err(broke_off()), |result| result.map_err(failed)));
        self.changed.notify_all();
        memory::give_back();
        index::pool(options.threads).broadcast(|_| memory::give_back());
    }

    fn wait(&self, deadline: Instant, tell: &dyn Fn(&UpdateStage)) -> Ending {
        let mut state = self.lock();
        let mut told = Instant::now();
        loop {
            match &state.result {
                Some(Ok(files)) => return Ending::Done(*files),
                Some(Err(failure)) => return Ending::Failed(failure.clone()),
                None => {}
            }
            let now = Instant::now();
            if now >= deadline {
                return Ending::Running(state.stage.clone());
            }
            let rest = (deadline - now).min(TELL);
            state = self.changed.wait_timeout(state, rest).unwrap_or_else(PoisonError::into_inner).0;
            if told.elapsed() >= TELL && state.result.is_none() {
                told = Instant::now();
                tell(&state.stage);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, WorkState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for Work {
    fn stage(&self, name: &str, total: u64) {
        self.lock().stage = UpdateStage { name: name.to_owned(), done: 0, total };
    }

    fn advance(&self, by: u64) {
        self.lock().stage.done += by;
    }

    fn done(&self) {}
}

/// The repository around a folder or file. One that is the user's home is meant by nobody who did not name it.
fn repository(place: &Path) -> Result<Repository, Failure> {
    let shown = visible_path(&place.display().to_string()).into_owned();
    // A file that does not exist yet lies in a folder that does.
    let Some(folder) = place.ancestors().find(|folder| folder.is_dir()) else {
        return Err(Failure::usage(format!("{shown} does not exist"), "pass root=<absolute path>"));
    };
    if !place.exists() && place.extension().is_none() {
        return Err(Failure::usage(format!("{shown} does not exist"), "pass root=<absolute path of a repository>"));
    }
    match Repository::open(folder) {
        Ok(repo) => Ok(repo),
        Err(GitError::NotARepository(_)) => {
            Err(Failure::usage(format!("no git repository around {shown}"), "pass root=<absolute path>"))
        }
        Err(error) => Err(Failure::usage(visible(&error.to_string()).into_owned(), "pass root=<absolute path>")),
    }
}

/// The boundary of an index that was not brought up to date, with the files that it has not read.
fn lag(repo: &Repository, store: Option<&Store>, reason: &str) -> Option<Boundary> {
    let freshness = index::freshness(repo, store?).ok()?;
    if freshness.fresh {
        return None;
    }
    let count = freshness.pending.len();
    let paths = freshness.pending.into_iter().take(MAX_PENDING).collect();
    Some(Boundary { paths, ..Boundary::new("stale", count, reason.to_owned()) })
}

/// The answer while a first index is being built.
fn not_yet(repo: &Repository, stage: &UpdateStage) -> Failure {
    let root = repo.root().unwrap_or(repo.git_dir()).display().to_string();
    let progress = match (stage.name.as_str(), stage.total) {
        ("", _) => String::new(),
        (name, 0) => format!(": {name}"),
        (name, total) => format!(": {name}, {} of {}", stage.done, count(usize::try_from(total).unwrap_or(0), "file")),
    };
    let message = format!("the index of {} is being built{progress}", visible_path(&root));
    Failure::usage(message, "ask again in some seconds; the work goes on")
}

fn failure(failure: UpdateFailure) -> Failure {
    let UpdateFailure { message, is_busy } = failure;
    if is_busy {
        return Failure::usage(message, "another process is at it: ask again in some seconds");
    }
    Failure::unusable(message, "repoidx doctor")
}
