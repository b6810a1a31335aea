//! Plans the removal of our hooks.
//!
//! Afterwards every hook equals byte for byte the one before the installation, unless it was edited since; those edits
//! stay. Our hooks may lie in the repository's own hooks directory and in the one that git uses, so both are searched.
//! This module only plans: `plan` makes the changes.

use std::fs;
use std::path::{Path, PathBuf};

use crate::git::Repository;

use super::install::section_of;
use super::place::{HooksFolder, Owner};
use super::plan::{Action, HookChange, HookPlan, original_of};
use super::script::{Region, ScriptKind};
use super::{HookError, HookEvent};

/// The changes after which no hook of ours is left.
pub fn plan(repo: &Repository) -> Result<HookPlan, HookError> {
    let place = HooksFolder::of(repo)?;
    let mut dirs: Vec<PathBuf> = vec![HooksFolder::default_of(repo).dir];
    if place.owner == Owner::Repository && !dirs.contains(&place.dir) {
        dirs.push(place.dir);
    }
    let mut changes = Vec::new();
    for dir in dirs {
        for event in HookEvent::ALL {
            let hook = dir.join(event.as_str());
            let action = action_for(&hook, event);
            changes.extend(action.map(|action| HookChange { event, place: hook, action }));
        }
    }
    for event in HookEvent::ALL {
        let section = section_of(event);
        let pattern = format!("^{}\\.", section.replace('.', "\\."));
        if repo.ask_git(&["config", "--local", "--get-regexp", &pattern])?.is_some() {
            changes.push(HookChange { event, place: section.into(), action: Action::Unconfigure });
        }
    }
    Ok(HookPlan { changes })
}

/// The change of one hook's file; `None` when none of it is ours.
fn action_for(hook: &Path, event: HookEvent) -> Option<Action> {
    if !hook.symlink_metadata().is_ok_and(|found| found.is_file()) {
        return None;
    }
    let text = fs::read_to_string(hook).ok()?;
    let region = Region::find(&text, event)?;
    let is_kept = original_of(hook).symlink_metadata().is_ok();
    Some(match region.kind {
        ScriptKind::Chain if is_kept && region.is_alone() => Action::Restore,
        ScriptKind::Chain | ScriptKind::File if region.is_alone() => Action::Delete { text },
        _ => Action::Edit { after: region.without(), before: text },
    })
}
