//! Plans the installation of our hooks beside existing ones.
//!
//! A shell script gets our region at its top. Any other hook stays as it is behind a file of ours; so do links and
//! hooks that are switched off (not executable). Nothing outside the git directory is written, and a second plan is
//! empty. This module only plans: `plan` makes the changes.

use std::fs;
use std::path::{Path, PathBuf};

use crate::git::{Repository, environment};

use super::place::{HooksFolder, Owner, has_config_hooks};
use super::plan::{Action, HookChange, HookPlan, original_of};
use super::script::{self, Region, ScriptKind};
use super::{HookError, HookEvent};

/// The options of an installation.
#[derive(Clone, Debug)]
pub struct InstallOptions {
    /// The binary that hooks run first; the one in `PATH` comes second. `lasting` finds a good one.
    pub binary: PathBuf,
    /// Also the hook before a push.
    pub pre_push: bool,
    /// Write to the repository's own hooks directory although git is configured to look elsewhere.
    pub force: bool,
}

/// The changes after which every hook is installed.
pub fn plan(repo: &Repository, options: &InstallOptions) -> Result<HookPlan, HookError> {
    plan_for(repo, options, || has_config_hooks(repo))
}

fn plan_for(
    repo: &Repository,
    options: &InstallOptions,
    has_config_hooks: impl Fn() -> bool,
) -> Result<HookPlan, HookError> {
    if repo.root().is_none() {
        return Err(HookError::Bare);
    }
    let events: Vec<HookEvent> =
        HookEvent::ALL.into_iter().filter(|event| *event != HookEvent::PrePush || options.pre_push).collect();
    let binary = text_of(&options.binary);
    let place = HooksFolder::of(repo)?;
    if place.owner == Owner::Repository {
        return plan_files(&place.dir, &events, &binary);
    }
    if has_config_hooks() {
        return plan_settings(repo, &events, &binary);
    }
    if options.force {
        return plan_files(&HooksFolder::default_of(repo).dir, &events, &binary);
    }
    Err(place.refusal(repo, &events))
}

fn plan_files(dir: &Path, events: &[HookEvent], binary: &str) -> Result<HookPlan, HookError> {
    let mut changes = Vec::new();
    for &event in events {
        let place = dir.join(event.as_str());
        let action = action_for(&place, event, binary)?;
        changes.extend(action.map(|action| HookChange { event, place, action }));
    }
    Ok(HookPlan { changes })
}

/// The change of one hook's file; `None` when it is up to date.
fn action_for(hook: &Path, event: HookEvent, binary: &str) -> Result<Option<Action>, HookError> {
    let Ok(metadata) = hook.symlink_metadata() else {
        let kind = if original_of(hook).symlink_metadata().is_ok() { ScriptKind::Chain } else { ScriptKind::File };
        return Ok(Some(Action::Create { text: script::file(event, kind, binary) }));
    };
    let bytes = fs::read(hook).unwrap_or_default();
    // We write UTF-8, so other text is not ours.
    let text = String::from_utf8(bytes.clone()).unwrap_or_default();
    if let Some(region) = Region::find(&text, event) {
        let after = region.renewed(event, binary);
        return Ok((after != text).then_some(Action::Edit { before: text, after }));
    }
    let is_plain = metadata.is_file() && environment::is_executable(hook);
    if event != HookEvent::PrePush && is_plain && script::is_shell_script(&text) {
        let after = script::with_block(&text, event, binary);
        return Ok(Some(Action::Edit { before: text, after }));
    }
    let original = original_of(hook);
    let is_same = || fs::read(&original).is_ok_and(|kept| kept == bytes);
    if original.symlink_metadata().is_ok() && !is_same() {
        return Err(HookError::LeftOver(original));
    }
    Ok(Some(Action::Chain { text: script::file(event, ScriptKind::Chain, binary) }))
}

fn plan_settings(repo: &Repository, events: &[HookEvent], binary: &str) -> Result<HookPlan, HookError> {
    let mut changes = Vec::new();
    for &event in events {
        let section = section_of(event);
        let command = script::config_command(event, binary);
        let present = repo.ask_git(&["config", "--local", "--get", &format!("{section}.command")])?;
        if present.as_deref() != Some(&*command) {
            changes.push(HookChange { event, place: section.into(), action: Action::Configure { command } });
        }
    }
    Ok(HookPlan { changes })
}

/// The section of git's configuration that holds our hook for an event. Each event needs its own, because git does not
/// pass the event to the command.
pub(super) fn section_of(event: HookEvent) -> String {
    format!("hook.repoidx-{event}")
}

/// A binary's path as the scripts can hold it. One that they cannot is left to `PATH`.
fn text_of(binary: &Path) -> String {
    match binary.to_str() {
        Some(text) if !text.chars().any(char::is_control) && cfg!(windows) => text.replace('\\', "/"),
        Some(text) if !text.chars().any(char::is_control) => text.to_owned(),
        _ => "repoidx".to_owned(),
    }
}

#[cfg(test)]
mod tests;
