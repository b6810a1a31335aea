//! What a push is told: the findings about what it would publish.
//!
//! Goes in: the references that git is about to push, and the time that is left. Comes out: at most a screenful on
//! standard error, and the exit status for git. Advice alone, unless the user's own configuration wants a push with
//! findings stopped. Nothing that goes wrong here stops a push.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
    time::Duration,
};

use crate::{
    cli::{
        compared::{index_of, sources_of},
        notes::Notes,
        review::usual_options,
        session::configuration,
    },
    error::Failure,
    git::Repository,
    hooks::run::Pushed,
    index,
    query::source::Sources,
    render::{escape::visible, review::screenful},
    review::{Range, RangeError, ReviewReport, review},
};

/// Lines that one push prints.
const ROWS: usize = 20;
/// References that one push has reviewed.
const MAX_REFERENCES: usize = 5;

/// Reviews a push; 1 stops it.
pub(crate) fn review_push(repo: &Repository, pushed: &[Pushed], left: Duration) -> u8 {
    let Ok(config) = configuration(Some(repo), Notes::new(true)) else { return 0 };
    let wanted = config.text("pre_push").to_owned();
    let left = left.min(Duration::from_secs(config.number("pre_push_seconds").unwrap_or(10) as u64));
    let is_branch = |pushed: &&Pushed| pushed.remote_ref.starts_with("refs/heads/") && !pushed.is_deletion();
    let branches: Vec<Pushed> = pushed.iter().filter(is_branch).cloned().collect();
    if wanted == "off" || branches.is_empty() {
        return 0;
    }
    // A thread of its own: whatever it does, the push goes on when the time is over.
    let (sender, receiver) = mpsc::channel();
    let place = repo.root().unwrap_or(repo.git_dir()).to_owned();
    let names: Vec<String> = branches.iter().map(|pushed| pushed.remote_ref.clone()).collect();
    let level = wanted.clone();
    let rows = (ROWS / branches.len()).max(6);
    thread::spawn(move || {
        for pushed in branches.iter().take(MAX_REFERENCES) {
            let report = reviewed(&place, pushed).map_err(|failure| failure.message);
            let answer = report.map(|report| report.map(|report| told(&report, rows, &level)));
            if sender.send(answer).is_err() {
                return;
            }
        }
    });
    let deadline = std::time::Instant::now() + left;
    let mut status = 0;
    let mut out = io::stderr();
    for (at, name) in names.iter().enumerate() {
        let name = visible(name.trim_start_matches("refs/heads/"));
        if at >= MAX_REFERENCES {
            let _ = writeln!(out, "repoidx: {} more branches were not reviewed", names.len() - at);
            break;
        }
        match receiver.recv_timeout(deadline.saturating_duration_since(std::time::Instant::now())) {
            Ok(Ok(Some(told))) => {
                // Nobody may be reading; that is no reason to stop a push.
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

/// The review of one branch; `None` when it publishes nothing new.
fn reviewed(place: &Path, pushed: &Pushed) -> Result<Option<ReviewReport>, Failure> {
    let repo = Repository::open_from_environment().or_else(|_| Repository::open(&PathBuf::from(place)))?;
    let notes = Notes::new(true);
    let config = configuration(Some(&repo), notes)?;
    let range = match range(&repo, pushed) {
        Ok(range) => range,
        Err(error) => return Err(Failure::usage(error.to_string(), "")),
    };
    if range.changes.is_empty() {
        return Ok(None);
    }
    let of_commit = index_of(&repo, &range, &config, notes)?;
    let main = if of_commit.is_none() { Some(index::open(&repo)?) } else { None };
    let Some(store) = of_commit.as_ref().or(main.as_ref()) else { return Ok(None) };
    let sources: Sources<'_> = match &range.head_commit {
        Some(commit) => sources_of(&repo, commit),
        None => return Ok(None),
    };
    Ok(Some(review(&repo, store, &sources, &range, &usual_options(&config))?))
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
