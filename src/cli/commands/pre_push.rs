//! What a push is told: the findings about what it would publish.
//!
//! Goes in: the references that git is about to push, and the time that is left. Comes out: at most a screenful on
//! standard error, and the exit status for git. Advice alone, unless the user's own configuration wants a push with
//! findings stopped. Nothing that goes wrong here stops a push.

use std::{
    io::{self, Write},
    path::Path,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use crate::{
    cli::{
        commands::{
            ask::opinion::{Opinion, opinion},
            review::usual_options,
        },
        compared::{index_of, sources_of},
        notes::Notes,
        session::configuration,
    },
    config::Config,
    error::Failure,
    git::Repository,
    hooks::run::Pushed,
    index::{self, UpdateOptions, UpdateScope},
    render::{escape::visible, review::screenful},
    review::{Range, RangeError, ReviewReport, review},
    store::Store,
};

/// Lines that one push prints.
const ROWS: usize = 20;
/// References that one push has reviewed.
const MAX_REFERENCES: usize = 5;

/// Reviews a push whose hook began at `start`; 1 stops it.
pub(crate) fn review_push(repo: &Repository, pushed: &[Pushed], start: Instant) -> u8 {
    let Ok(config) = configuration(Some(repo), Notes::new(true)) else { return 0 };
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
    let has_model = config.flag("pre_push_llm");
    let deadline = start + Duration::from_secs(config.number("pre_push_seconds").unwrap_or(10).min(86_400) as u64);
    // A thread of its own: whatever it does, the push goes on when the time is over.
    let (sender, receiver) = mpsc::channel();
    let place = repo.root().unwrap_or(repo.git_dir()).to_owned();
    let level = wanted.clone();
    thread::spawn(move || answers(&place, &branches, &level, &config, &sender));
    let next = || receiver.recv_timeout(deadline.saturating_duration_since(Instant::now()));
    let mut out = io::stderr();
    let mut status = 0;
    let mut asked = Vec::new();
    // Nobody may be reading; that is no reason to stop a push.
    for (at, name) in names.iter().enumerate() {
        if at >= MAX_REFERENCES {
            let _ = writeln!(out, "repoidx: {} more branches were not reviewed", names.len() - at);
            break;
        }
        match next() {
            Ok(Ok(Some(told))) => {
                let _ = out.write_all(&told.text);
                status = status.max(u8::from(told.stops));
                asked.push(name);
            }
            Ok(Ok(None)) => {}
            Ok(Err(reason)) => {
                let _ = writeln!(out, "repoidx: {name} was not reviewed: {}", visible(&reason));
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let _ = writeln!(out, "repoidx: {name} was not reviewed: it takes too long; `repoidx review` does it");
                asked.clear();
                break;
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    for name in asked.into_iter().filter(|_| has_model) {
        match next() {
            Ok(Ok(told)) => {
                let _ = told.map_or(Ok(()), |told| out.write_all(&told.text));
            }
            Ok(Err(reason)) => {
                let _ = writeln!(out, "repoidx: no model was heard about {name}: {}", visible(&reason));
            }
            Err(_) => {
                let _ = writeln!(out, "repoidx: no model was heard about {name}: it takes too long (pre_push_seconds)");
                break;
            }
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

/// One answer about a branch: what to tell, nothing, or why it is not known.
type Answer = Result<Option<Told>, String>;

/// Sends an answer for each branch; then, where the user wants that, what a model says about each that was reviewed. The
/// index comes first for all of them: it answers in any case, and soon.
fn answers(place: &Path, branches: &[Pushed], level: &str, config: &Config, sender: &mpsc::Sender<Answer>) {
    let rows = (ROWS / branches.len()).max(6);
    let mut kept = Vec::new();
    for pushed in branches.iter().take(MAX_REFERENCES) {
        let answer = match reviewed(place, pushed) {
            Ok(Some(branch)) => {
                let told = told(&branch.report, rows, level);
                kept.push(branch);
                Ok(Some(told))
            }
            Ok(None) => Ok(None),
            Err(failure) => Err(failure.message),
        };
        if sender.send(answer).is_err() {
            return;
        }
    }
    for branch in kept.iter().filter(|_| config.flag("pre_push_llm")) {
        let answer = if branch.report.is_without_effect() {
            Ok(None)
        } else {
            heard(branch, config, rows).map(Some).map_err(|failure| failure.message)
        };
        if sender.send(answer).is_err() {
            return;
        }
    }
}

/// A branch that was reviewed, with the index and the files of what is pushed.
struct Branch {
    repo: Repository,
    store: Store,
    commit: String,
    report: ReviewReport,
}

/// What a model says about a branch. It never stops a push.
fn heard(branch: &Branch, config: &Config, rows: usize) -> Result<Told, Failure> {
    let sources = sources_of(&branch.repo, &branch.commit);
    let Opinion { by, lines, missing } = opinion(config, &branch.store, &branch.report, &sources)?;
    let mut text = format!("repoidx: {by} says, unchecked but for its citations:\n");
    text.extend(lines.iter().take(rows).map(|line| format!("  {line}\n")));
    if lines.len() > rows {
        text.push_str(&format!("  … {} more lines: `repoidx ask --review` shows them\n", lines.len() - rows));
    }
    if !missing.is_empty() {
        text.push_str(&format!("  do not exist here: {}\n", missing.join(", ")));
    }
    Ok(Told { text: text.into_bytes(), stops: false })
}

/// The review of one branch; `None` when it publishes nothing new.
fn reviewed(place: &Path, pushed: &Pushed) -> Result<Option<Branch>, Failure> {
    let repo = Repository::open_from_environment().or_else(|_| Repository::open(place))?;
    let notes = Notes::new(true);
    let config = configuration(Some(&repo), notes)?;
    let range = range(&repo, pushed).map_err(|error| Failure::usage(error.to_string(), ""))?;
    let Some(commit) = range.head_commit.clone().filter(|_| !range.changes.is_empty()) else { return Ok(None) };
    let store = match index_of(&repo, &range, &config, notes)? {
        Some(store) => store,
        None => {
            // The hook of the commit may still be at work, or there is none. What cannot be brought up to date is answered
            // from as it is.
            let options = UpdateOptions { threads: config.number("threads"), ..UpdateOptions::default() };
            let updated = index::update(&repo, UpdateScope::Worktree, &options, &());
            index::open(&repo).map_err(|error| updated.err().unwrap_or(error))?
        }
    };
    let report = review(&repo, &store, &sources_of(&repo, &commit), &range, &usual_options(&config))?;
    Ok(Some(Branch { repo, store, commit, report }))
}

/// What the push adds: since the remote's commit where it is known here, else since the default branch.
fn range(repo: &Repository, pushed: &Pushed) -> Result<Range, RangeError> {
    let range = if pushed.is_new() || repo.find(&pushed.remote_id).is_none() {
        Range::since_default(repo, &pushed.local_id)
    } else {
        // Not from the remote's commit itself: a forced push replaces what was there.
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

/// What a person is told about one branch, and whether that stops the push.
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
