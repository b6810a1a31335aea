//! The hook of an agent: tells it which calls no longer fit, once.
//!
//! The hook never fails, and never keeps an agent waiting longer than its time. It starts no first index. It remembers
//! what it said last, so that one state of the files is told once. A change that breaks nothing is silence.

mod events;

use std::{
    fs,
    io::Read,
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
    time::Duration,
};

use crate::{
    agents::push::events::{AgentEvent, Moment},
    git::{FileChange, Repository},
    hooks::{run::hand_over, seed},
    index::is_indexed,
    query::impact::walk::Limits,
    render::review::for_agents,
    review::{Range, ReviewOptions, fits_at_sight, review},
    tools::opening::{Configure, Updates},
};

/// The time of a hook after an edit: an agent makes many edits.
const AFTER_EDIT: Duration = Duration::from_millis(150);
/// The time of a hook at the end of a turn. In most files of a large repository a break takes half a second of one
/// core, and agents that run tests beside it leave less than a third of one. A break in a hub takes longer: a worker
/// then reads the files, and the end of a later turn tells of the break.
const END_OF_TURN: Duration = Duration::from_secs(4);
/// Largest event that is read, in bytes.
const MAX_EVENT: u64 = 16 << 20;
/// The last message, in the data directory.
const SAID: &str = "agent-said";
/// Lines of a message.
const LINES: usize = 8;

/// Runs the hook for an event with this name. Returns what to print, if the agent should read something.
pub fn run(moment: &str, input: &mut dyn Read, folder: Option<PathBuf>, configure: Box<Configure>) -> Option<String> {
    let mut text = String::new();
    input.take(MAX_EVENT).read_to_string(&mut text).ok()?;
    let event = AgentEvent::parse(moment, &text)?;
    // An edited file may be gone, but a folder above it is there.
    let place = event.place.clone().or(folder)?.ancestors().find(|folder| folder.is_dir())?.to_owned();
    let patience = match event.moment {
        Moment::AfterEdit => AFTER_EDIT,
        Moment::EndOfTurn => END_OF_TURN,
    };
    let (sender, receiver) = mpsc::channel();
    let folder = place.clone();
    // A thread that is late is left behind with the process, and its update with it.
    thread::spawn(move || {
        let told = panic::catch_unwind(AssertUnwindSafe(|| verdict(&folder, patience, &*configure)));
        sender.send(told.unwrap_or(HookVerdict::Silence)).ok();
    });
    match receiver.recv_timeout(patience).unwrap_or(HookVerdict::Late) {
        HookVerdict::Message(message) => message.say().then(|| event.answer(&message.text)),
        HookVerdict::Silence => None,
        HookVerdict::Late => {
            hand_over(&Repository::open(&place).ok()?, "agent");
            None
        }
    }
}

/// How the hook sees the state of the files.
enum HookVerdict {
    Message(AgentMessage),
    /// Everything fits, or nothing can be known here.
    Silence,
    /// The index is not at the files yet.
    Late,
}

/// A message, and the file that remembers it.
struct AgentMessage {
    text: String,
    memory: PathBuf,
}

impl AgentMessage {
    /// Whether it was not said before about this state; it is remembered.
    fn say(&self) -> bool {
        let hash = blake3::hash(self.text.as_bytes()).to_hex().to_string();
        if fs::read_to_string(&self.memory).is_ok_and(|said| said == hash) {
            return false;
        }
        fs::write(&self.memory, hash).is_ok()
    }
}

/// The verdict on the repository around `folder`.
fn verdict(folder: &Path, patience: Duration, configure: &Configure) -> HookVerdict {
    let Ok(repo) = Repository::open(folder) else { return HookVerdict::Silence };
    if repo.root().is_none() || !seed::has_index(&repo) {
        return HookVerdict::Silence;
    }
    let memory = repo.data_dir().join(SAID);
    let Ok(range) = Range::worktree(&repo, None) else { return HookVerdict::Silence };
    // Most edits are seen to break nothing without the index, which would have to read the edited files first.
    let is_indexed = |change: &FileChange| is_indexed(&change.path);
    if !range.changes.iter().any(is_indexed) || fits_at_sight(&repo, &range, None) {
        // The next break is news, even if it is the same again.
        fs::remove_file(memory).ok();
        return HookVerdict::Silence;
    }
    let Ok(opened) = Updates::default().open(folder, configure, patience, &|_| {}) else { return HookVerdict::Silence };
    let workspace = opened.workspace();
    // An index that lags behind knows nothing about the last edit.
    if workspace.staleness.is_some() {
        return if workspace.config.flag("update") { HookVerdict::Late } else { HookVerdict::Silence };
    }
    let limits = Limits { depth: None, ..workspace.limits() };
    let options = ReviewOptions { limits, threads: workspace.config.number("threads"), ..ReviewOptions::default() };
    let sources = workspace.sources();
    let Ok(mut report) = review(workspace.repo, workspace.store, &sources, &range, &options) else {
        return HookVerdict::Silence;
    };
    report.expect(&sources, &workspace.expected());
    match for_agents(&report, LINES) {
        Some(text) => HookVerdict::Message(AgentMessage { text, memory }),
        None => {
            fs::remove_file(memory).ok();
            HookVerdict::Silence
        }
    }
}
