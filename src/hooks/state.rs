//! Which of our hooks are installed, and whether git will run them.
//!
//! Each event has one [`HookState`]; the doctor judges them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::git::{Repository, environment};

use super::install::section_of;
use super::place::{HooksFolder, Owner, has_config_hooks};
use super::script::{Region, binary_of_command};
use super::{HookError, HookEvent};

/// One event's hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookState {
    pub event: HookEvent,
    /// The file where it is or would be.
    pub place: PathBuf,
    pub installed: Installed,
    /// The binary that the hook runs first; `None` when it is not ours.
    pub binary: Option<PathBuf>,
}

/// How far a hook is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Installed {
    /// git runs it.
    Yes,
    /// It is in git's configuration, and this git runs such hooks.
    InConfiguration,
    /// It is in git's configuration, which this git is too old for.
    InUnreadConfiguration,
    /// The file is not executable: git leaves it out.
    NotExecutable,
    /// git looks for hooks elsewhere.
    Unreachable,
    /// No.
    No,
}

/// The state of every event's hook, pre-push last.
pub fn states(repo: &Repository) -> Result<Vec<HookState>, HookError> {
    let place = HooksFolder::of(repo)?;
    let own = HooksFolder::default_of(repo);
    let configured = repo.ask_git(&["config", "--local", "--get-regexp", r"^hook\.repoidx-.*\.command$"])?;
    let configured = configured.unwrap_or_default();
    let can_configure = !configured.is_empty() && has_config_hooks(repo);
    let state = |event: HookEvent| {
        let file = place.dir.join(event.as_str());
        let elsewhere = own.dir.join(event.as_str());
        let (place, installed, binary) = if let Some(binary) = binary_in(&file, event) {
            let is_run = environment::is_executable(&file);
            (file, if is_run { Installed::Yes } else { Installed::NotExecutable }, Some(binary))
        } else if let Some(command) = command_of(&configured, event) {
            let installed = if can_configure { Installed::InConfiguration } else { Installed::InUnreadConfiguration };
            (section_of(event).into(), installed, binary_of_command(command).map(PathBuf::from))
        } else if calls_us(&file, event) {
            (
                file.clone(),
                if environment::is_executable(&file) { Installed::Yes } else { Installed::NotExecutable },
                None,
            )
        } else if let (Owner::Worktree | Owner::Others, Some(binary)) = (&place.owner, binary_in(&elsewhere, event)) {
            (elsewhere, Installed::Unreachable, Some(binary))
        } else {
            (file, Installed::No, None)
        };
        HookState { event, place, installed, binary }
    };
    Ok(HookEvent::ALL.into_iter().map(state).collect())
}

/// The program that installed hooks call, where it is gone and no other one is in `PATH`.
pub fn missing_program(states: &[HookState]) -> Option<&Path> {
    let is_run = |state: &&HookState| matches!(state.installed, Installed::Yes | Installed::InConfiguration);
    let mut missing = states.iter().filter(is_run).filter_map(|state| state.binary.as_deref());
    let missing = missing.find(|binary| !environment::is_executable(binary));
    missing.filter(|_| environment::find_program("repoidx").is_none())
}

/// The command of an event's hook in a listing of git's configuration.
fn command_of(configured: &str, event: HookEvent) -> Option<&str> {
    let section = section_of(event);
    configured.lines().find_map(|line| line.strip_prefix(&section)?.strip_prefix(".command "))
}

fn binary_in(hook: &Path, event: HookEvent) -> Option<PathBuf> {
    let text = fs::read_to_string(hook).ok()?;
    Region::find(&text, event)?.binary().map(PathBuf::from)
}

/// Whether a hook that the user keeps has our line in it.
fn calls_us(hook: &Path, event: HookEvent) -> bool {
    let call = format!("repoidx hook {event}");
    fs::read_to_string(hook).is_ok_and(|text| text.lines().any(|line| !line.starts_with('#') && line.contains(&call)))
}
