//! Reviews a push and prints the findings before git sends it.
//!
//! At most a screenful goes to standard error, within the time that the settings allow. The review is advice, unless
//! the user's own configuration stops pushes with findings. An error in here never stops a push.

use std::{
    collections::BTreeSet,
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
/// Tags of one push that are looked at: a first push may send thousands.
const MAX_TAGS: usize = 200;
/// Characters of a commit's id in a message.
const SHORT_ID: usize = 12;

/// Reviews a push whose hook began at `start`; 1 stops it.
pub(crate) fn review_push(repo: &Repository, pushed: &[Pushed], start: Instant) -> u8 {
    let (config, wrong) = configuration_that_is_right(Some(repo), Notes::new(true));
    // A misspelt setting must neither look like a gate that was passed nor switch the review off.
    if let Some(failure) = wrong {
        let message = visible(&failure.message);
        let _ = writeln!(io::stderr(), "repoidx: {message}; this push is reviewed with the other settings");
    }
    let wanted = config.text("pre_push").to_owned();
    if wanted == "off" {
        return 0;
    }
    let is_branch = |pushed: &&Pushed| pushed.remote_ref.starts_with("refs/heads/") && !pushed.is_deletion();
    let mut branches: Vec<Pushed> = pushed.iter().filter(is_branch).cloned().collect();
    branches.extend(new_tags(repo, pushed, &branches));
    if branches.is_empty() {
        return 0;
    }
    let names: Vec<String> = branches.iter().map(|pushed| visible(&short(&pushed.remote_ref)).into_owned()).collect();
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
            let _ = writeln!(out, "repoidx: {} more branches or tags were not reviewed", names.len() - at);
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

/// The tags whose commits the remote has not, and that no branch of the same push brings along.
fn new_tags(repo: &Repository, pushed: &[Pushed], branches: &[Pushed]) -> Vec<Pushed> {
    let is_tag = |pushed: &&Pushed| pushed.remote_ref.starts_with("refs/tags/") && !pushed.is_deletion();
    let tags: Vec<&Pushed> = pushed.iter().filter(is_tag).take(MAX_TAGS).collect();
    if tags.is_empty() {
        return Vec::new();
    }
    let tips: Vec<&str> = tags.iter().map(|tag| tag.local_id.as_str()).collect();
    let others: Vec<&str> = branches.iter().map(|branch| branch.local_id.as_str()).collect();
    // A tag of something else than a commit is no error of the push.
    let new = repo.unpublished(&tips, &others).unwrap_or_default();
    if new.is_empty() {
        return Vec::new();
    }
    let mut seen = BTreeSet::new();
    let mut is_new = |tag: &Pushed| {
        let commit = repo.find(&tag.local_id).filter(|commit| new.contains(commit));
        commit.is_some_and(|commit| seen.insert(commit))
    };
    tags.into_iter().filter(|tag| is_new(tag)).cloned().collect()
}

/// The name of a branch, and of a tag as such.
fn short(reference: &str) -> String {
    match reference.strip_prefix("refs/tags/") {
        Some(tag) => format!("tag {tag}"),
        None => reference.trim_start_matches("refs/heads/").to_owned(),
    }
}

/// The answer about one branch: its message, nothing, or the reason why there is none.
type BranchAnswer = Result<Option<Told>, String>;

/// Reviews one branch after the other and sends the verdict on each.
fn answers(place: &Path, branches: &[Pushed], config: &Config, level: &str, sender: &mpsc::Sender<BranchAnswer>) {
    let rows = (ROWS / branches.len()).max(6);
    for pushed in branches.iter().take(MAX_REFERENCES) {
        let answer = match reviewed(place, pushed, config) {
            Ok(reviewed) => Ok(reviewed.map(|(report, command)| told(&report, &command, rows, level))),
            Err(failure) => Err(failure.message),
        };
        if sender.send(answer).is_err() {
            return;
        }
    }
}

/// The review of one branch, and the command that shows all of it; `None` if the push publishes nothing new there.
fn reviewed(place: &Path, pushed: &Pushed, config: &Config) -> Result<Option<(ReviewReport, String)>, Failure> {
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
    Ok(Some((report, command(&repo, &range, &commit))))
}

/// The command that reviews the same commits: without a range it reviews those of HEAD.
fn command(repo: &Repository, range: &Range, commit: &str) -> String {
    let is_head = repo.head().is_ok_and(|head| head.as_deref() == Some(commit));
    let usual = is_head.then(|| Range::committed(repo, None).ok()).flatten();
    if usual.is_some_and(|usual| usual.base_commit == range.base_commit) {
        return "repoidx review".to_owned();
    }
    let id = |commit: &str| commit.chars().take(SHORT_ID).collect::<String>();
    format!("repoidx review {}..{}", id(&range.base_commit), id(commit))
}

/// The commits that the push adds: since the remote's commit if it is known here, else since the default branch.
fn range(repo: &Repository, pushed: &Pushed) -> Result<Range, RangeError> {
    let is_tag = pushed.remote_ref.starts_with("refs/tags/");
    let range = if is_tag || pushed.is_new() || repo.find(&pushed.remote_id).is_none() {
        Range::since_default(repo, &pushed.local_id)
    } else {
        // The merge base, not the remote's commit itself: a forced push replaces the commits that were there.
        let text = format!("{}...{}", pushed.remote_id, pushed.local_id);
        Range::committed(repo, Some(&text))
    };
    let range = range?;
    if is_tag {
        return Ok(Range { head: short(&pushed.remote_ref), ..range });
    }
    let base = format!("{} (remote)", short(&pushed.remote_ref));
    Ok(Range { base, head: short(&pushed.local_ref), ..range })
}

/// The message about one branch, and whether it stops the push.
struct Told {
    text: Vec<u8>,
    stops: bool,
}

fn told(report: &ReviewReport, command: &str, rows: usize, level: &str) -> Told {
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = screenful(&mut text, report, command, rows);
    Told { text, stops: stops(level, report) }
}

fn stops(wanted: &str, report: &ReviewReport) -> bool {
    match wanted {
        "breaks" => report.counts.breaks > 0,
        "may-break" => report.counts.breaks + report.counts.may_break > 0,
        _ => false,
    }
}
