//! Deciding how our hooks go again.
//!
//! Goes in: a repository. Comes out: a [`Plan`] after which every hook is byte for byte what it was, as far as nobody
//! else changed it meanwhile; what others wrote into our files stays. Looks into the repository's own hooks directory
//! and into the one git uses, since either may hold hooks of ours. Does not change anything itself.

use std::fs;
use std::path::{Path, PathBuf};

use crate::git::Repository;

use super::install::section_of;
use super::place::{Owner, Place};
use super::plan::{Action, Change, Plan, original_of};
use super::script::{Kind, Region};
use super::{Event, HookError};

/// What has to change so that no hook of ours is left.
pub fn plan(repo: &Repository) -> Result<Plan, HookError> {
    let place = Place::of(repo)?;
    let mut dirs: Vec<PathBuf> = vec![Place::default_of(repo).dir];
    if place.owner == Owner::Repository && !dirs.contains(&place.dir) {
        dirs.push(place.dir);
    }
    let mut changes = Vec::new();
    for dir in dirs {
        for event in Event::ALL {
            let hook = dir.join(event.as_str());
            let action = action_for(&hook, event);
            changes.extend(action.map(|action| Change { event, place: hook, action }));
        }
    }
    for event in Event::ALL {
        let section = section_of(event);
        let pattern = format!("^{}\\.", section.replace('.', "\\."));
        if repo.ask_git(&["config", "--local", "--get-regexp", &pattern])?.is_some() {
            changes.push(Change { event, place: section.into(), action: Action::Unconfigure });
        }
    }
    Ok(Plan { changes })
}

/// What to do with the file of one hook; nothing when none of it is ours.
fn action_for(hook: &Path, event: Event) -> Option<Action> {
    if !hook.symlink_metadata().is_ok_and(|found| found.is_file()) {
        return None;
    }
    let text = fs::read_to_string(hook).ok()?;
    let region = Region::find(&text, event)?;
    let is_kept = original_of(hook).symlink_metadata().is_ok();
    Some(match region.kind {
        Kind::Chain if is_kept && region.is_alone() => Action::Restore,
        Kind::Chain | Kind::File if region.is_alone() => Action::Delete { text },
        _ => Action::Edit { after: region.without(), before: text },
    })
}
