//! Reviews a push and prints the findings before git sends it.
//!
//! At most a screenful goes to standard error, within the time that the settings allow. The review is advice, unless
//! the user's own configuration stops pushes with findings. An error in here never stops a push.

use std::{
    io::{self, Write},
    path::Path,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use crate::{
    cli::{
        commands::review::usual_options,
        compared::index_of,
        notes::Notes,
        session::{DAY, configuration_that_is_right},
    },
    config::Config,
    error::Failure,
    git::Repository,
    hooks::run::Pushed,
    index::{self, UpdateScope},
    render::{escape::visible, review::screenful},
    review::{Range, RangeError, ReviewReport, review, sources_of},
    tools,
};

/// Lines that one push prints.
const ROWS: usize = 20;
/// Seconds that a push waits where the setting `pre_push_seconds` is empty.
const USUAL_WAIT: u64 = 10;
/// References of one push that are reviewed.
const MAX_REFERENCES: usize = 5;

/// Reviews a push whose hook began at `start`; 1 stops it.
pub(crate) fn review_push(repo: &Repository, pushed: &[Pushed], start: Instant) -> u8 {
    let (config, wrong) = configuration_that_is_right(Some(repo), Notes::new(true));
    // A misspelt setting must neither look like a gate that was passed nor switch the review off.
    if let Some(failure) = wrong {
        let message = visible(&failure.message);
        let _ = writeln!(io::stderr(), "repoidx: {message}; this push is reviewed with the other settings");
    }
    let wanted = config.text("pre_push").to_owned();
    let is_branch = |pushed: &&Pushed| pushed.remote_ref.starts_with("refs/heads/") && !pushed.is_deletion();
    let branches: Vec<Pushed> = pushed.iter().filter(is_branch).cloned().collect();
    if wanted == "off" || branches.is_empty() {
        return 0;
    }
    let names: Vec<String> = branches
        .iter()
        .map(|pushed| visible(pushed.remote_ref.trim_start_matches("refs/heads/")).into_owned())
        .collect();
    let seconds =
        config.number("pre_push_seconds").and_then(|seconds| u64::try_from(seconds).ok()).unwrap_or(USUAL_WAIT);
    let deadline = start + Duration::from_secs(seconds.min(DAY));
    // The review has its own thread: when the time is over, the push goes on without it.
    let (sender, receiver) = mpsc::channel();
    let place = repo.root().unwrap_or(repo.git_dir()).to_owned();
    let level = wanted.clone();
    let settings = config.clone();
    thread::spawn(move || answers(&place, &branches, &settings, &level, &sender));
    let next = || receiver.recv_timeout(deadline.saturating_duration_since(Instant::now()));
    let mut out = io::stderr();
    let mut status = 0;
    // Nobody may be reading, which is no reason to stop a push.
    for (at, name) in names.iter().enumerate() {
        if at >= MAX_REFERENCES {
            let _ = writeln!(out, "repoidx: {} more branches were not reviewed", names.len() - at);
            break;
        }
        match next() {
            Ok(Ok(Some(told))) => {
                let _ = out.write_all(&told.text);
                status = status.max(u8::from(told.stops));
            }
            Ok(Ok(None)) => {}
            Ok(Err(reason)) => {
                let _ = writeln!(out, "repoidx: {name} was not reviewed: {}", visible(&reason));
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let _ = writeln!(out, "repoidx: {name} was not reviewed: it takes too long; `repoidx review` does it");
                break;
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    if status == 1 {
        let _ = writeln!(
            out,
            "repoidx: the push is stopped (pre_push = \"{wanted}\"); `git push --no-verify` does it all the same"
        );
    }
    status
}

/// The answer about one branch: its message, nothing, or the reason why there is none.
type BranchAnswer = Result<Option<Told>, String>;

/// Reviews one branch after the other and sends the verdict on each.
fn answers(place: &Path, branches: &[Pushed], config: &Config, level: &str, sender: &mpsc::Sender<BranchAnswer>) {
    let rows = (ROWS / branches.len()).max(6);
    for pushed in branches.iter().take(MAX_REFERENCES) {
        let answer = match reviewed(place, pushed, config) {
            Ok(report) => Ok(report.map(|report| told(&report, rows, level))),
            Err(failure) => Err(failure.message),
        };
        if sender.send(answer).is_err() {
            return;
        }
    }
}

/// The review of one branch; `None` if the push publishes nothing new there.
fn reviewed(place: &Path, pushed: &Pushed, config: &Config) -> Result<Option<ReviewReport>, Failure> {
    let repo = Repository::open_from_environment().or_else(|_| Repository::open(place))?;
    let notes = Notes::new(true);
    let range = range(&repo, pushed).map_err(|error| Failure::usage(error.to_string(), ""))?;
    let Some(commit) = range.head_commit.clone().filter(|_| !range.changes.is_empty()) else { return Ok(None) };
    let store = match index_of(&repo, &range, config, notes)? {
        Some(store) => store,
        None => {
            // The commit's hook may still be at work, or none is installed. If the update fails, the old index answers.
            let updated = index::update(&repo, UpdateScope::Worktree, &tools::index_options(config), &());
            index::open(&repo).map_err(|error| updated.err().unwrap_or(error))?
        }
    };
    let report = review(&repo, &store, &sources_of(&repo, &commit), &range, &usual_options(config))?;
    Ok(Some(report))
}

/// The commits that the push adds: since the remote's commit if it is known here, else since the default branch.
fn range(repo: &Repository, pushed: &Pushed) -> Result<Range, RangeError> {
    let range = if pushed.is_new() || repo.find(&pushed.remote_id).is_none() {
        Range::since_default(repo, &pushed.local_id)
    } else {
        // The merge base, not the remote's commit itself: a forced push replaces the commits that were there.
        let text = format!("{}...{}", pushed.remote_id, pushed.local_id);
        Range::committed(repo, Some(&text))
    };
    let name = |reference: &str| reference.trim_start_matches("refs/heads/").to_owned();
    range.map(|range| Range {
        base: format!("{} (remote)", name(&pushed.remote_ref)),
        head: name(&pushed.local_ref),
        ..range
    })
}

/// The message about one branch, and whether it stops the push.
struct Told {
    text: Vec<u8>,
    stops: bool,
}

fn told(report: &ReviewReport, rows: usize, level: &str) -> Told {
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = screenful(&mut text, report, rows);
    Told { text, stops: stops(level, report) }
}

fn stops(wanted: &str, report: &ReviewReport) -> bool {
    match wanted {
        "breaks" => report.counts.breaks > 0,
        "may-break" => report.counts.breaks + report.counts.may_break > 0,
        _ => false,
    }
}
