//! The changes that install or remove hooks: their description, their difference as lines, and their execution.
//!
//! Each file is replaced by a rename, so an existing hook is never missing for a moment. `install` and `uninstall`
//! decide about the changes.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::git::Repository;

use super::{HookError, HookEvent};

/// The directory beside the hooks that holds those which were there before.
pub(super) const ORIGINALS: &str = "repoidx-orig";

/// Changes in the order of their execution.
#[derive(Debug, Default)]
pub struct HookPlan {
    /// Empty when everything is as it should be.
    pub changes: Vec<HookChange>,
}

/// One change to one hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookChange {
    pub event: HookEvent,
    /// The hook's file; for a hook in git's configuration the name of its section.
    pub place: PathBuf,
    pub action: Action,
}

/// The change of a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A new file.
    Create { text: String },
    /// A new text for a file that keeps its mode.
    Edit { before: String, after: String },
    /// A file that runs ours and then the one that was there, which is kept beside it.
    Chain { text: String },
    /// Our file goes, and the one that was there comes back.
    Restore,
    /// Our file goes.
    Delete { text: String },
    /// A hook in git's configuration.
    Configure { command: String },
    /// That hook goes.
    Unconfigure,
}

impl HookPlan {
    /// Does it all. Stops at the first refusal of the system.
    pub fn apply(&self, repo: &Repository) -> Result<(), HookError> {
        self.changes.iter().try_for_each(|change| change.apply(repo))
    }
}

impl HookChange {
    /// One line for a person.
    pub fn describe(&self) -> String {
        let place = self.place.display();
        match &self.action {
            Action::Create { .. } => format!("create {place}"),
            Action::Edit { .. } => format!("edit {place}"),
            Action::Chain { .. } => format!("put a hook before {place}, which is kept in {ORIGINALS}/"),
            Action::Restore => format!("restore {place}"),
            Action::Delete { .. } => format!("delete {place}"),
            Action::Configure { .. } => format!("set {place} in the repository's git configuration"),
            Action::Unconfigure => format!("remove {place} from the repository's git configuration"),
        }
    }

    /// The lines that come (`+`) and go (`-`), in the order of the file.
    pub fn difference(&self) -> Vec<(char, String)> {
        let all = |sign: char, text: &str| text.lines().map(|line| (sign, line.to_owned())).collect();
        match &self.action {
            Action::Create { text } | Action::Chain { text } => all('+', text),
            Action::Delete { text } => all('-', text),
            Action::Configure { command } => all('+', command),
            Action::Restore | Action::Unconfigure => Vec::new(),
            Action::Edit { before, after } => {
                // Only one region differs; the lines before and after it are equal.
                let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
                let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
                let tails = old[head..].iter().rev().zip(new[head..].iter().rev());
                let tail = tails.take_while(|(a, b)| a == b).count();
                let signed = |sign: char, lines: &[&str]| -> Vec<(char, String)> {
                    lines.iter().map(|line| (sign, (*line).to_owned())).collect()
                };
                [signed('-', &old[head..old.len() - tail]), signed('+', &new[head..new.len() - tail])].concat()
            }
        }
    }

    fn apply(&self, repo: &Repository) -> Result<(), HookError> {
        let hook = &self.place;
        let io = |action: &'static str| {
            let path = hook.clone();
            move |source: io::Error| HookError::Io { action, path, source }
        };
        match &self.action {
            Action::Create { text } => write_new(hook, text).map_err(io("writing")),
            Action::Edit { after, .. } => {
                let mode = fs::metadata(hook).map_err(io("reading"))?.permissions();
                replace(hook, after, Some(mode)).map_err(io("writing"))
            }
            Action::Chain { text } => {
                keep(hook).map_err(io("keeping a copy of"))?;
                replace(hook, text, None).map_err(io("writing"))
            }
            Action::Restore => restore(hook).map_err(io("restoring")),
            Action::Delete { .. } => fs::remove_file(hook).map_err(io("deleting")),
            Action::Configure { command } => {
                let section = self.place.to_string_lossy();
                // The command first: git refuses to work at all while a hook has an event and no command.
                let settings = [("command", command.as_str()), ("event", self.event.as_str())];
                for (key, value) in settings {
                    let key = format!("{section}.{key}");
                    repo.ask_git(&["config", "--local", "--replace-all", &key, value])?;
                }
                Ok(())
            }
            Action::Unconfigure => {
                let section = self.place.to_string_lossy();
                // As a whole, for the same reason.
                repo.ask_git(&["config", "--local", "--remove-section", &section])?;
                Ok(())
            }
        }
    }
}

/// The place that keeps the hook which was at `hook`.
pub(super) fn original_of(hook: &Path) -> PathBuf {
    let name = hook.file_name().unwrap_or_default();
    hook.with_file_name(ORIGINALS).join(name)
}

/// Keeps a copy of `hook` as the original and leaves it in place. The copy has the same file name, because some hooks
/// read their own name.
fn keep(hook: &Path) -> io::Result<()> {
    let original = original_of(hook);
    if let Some(dir) = original.parent() {
        fs::create_dir_all(dir)?;
    }
    if original.symlink_metadata().is_ok() {
        fs::remove_file(&original)?;
    }
    if hook.symlink_metadata()?.is_symlink() {
        let target = fs::read_link(hook)?;
        // One directory deeper, a relative link starts one directory higher.
        let target = if target.is_relative() { Path::new("..").join(target) } else { target };
        return make_link(&target, &original);
    }
    // File systems without hard links get a copy.
    fs::hard_link(hook, &original).or_else(|_| fs::copy(hook, &original).map(drop))
}

/// Puts the original back over `hook`.
fn restore(hook: &Path) -> io::Result<()> {
    let original = original_of(hook);
    if original.symlink_metadata()?.is_symlink() {
        let target = fs::read_link(&original)?;
        let target = target.strip_prefix("..").map(Path::to_owned).unwrap_or(target);
        let fresh = beside(hook);
        make_link(&target, &fresh)?;
        fs::rename(fresh, hook)?;
        fs::remove_file(&original)?;
    } else {
        fs::rename(&original, hook)?;
    }
    // Gone with its last file; any other reason to stay is a good one.
    let _ = original.parent().map(fs::remove_dir);
    Ok(())
}

fn write_new(hook: &Path, text: &str) -> io::Result<()> {
    if let Some(dir) = hook.parent() {
        fs::create_dir_all(dir)?;
    }
    replace(hook, text, None)
}

/// Writes a file beside `hook` and renames it over `hook`. It is executable as the umask allows, unless `mode` is
/// given.
fn replace(hook: &Path, text: &str, mode: Option<fs::Permissions>) -> io::Result<()> {
    let fresh = beside(hook);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o777);
    let written = options.open(&fresh).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        mode.map_or(Ok(()), |mode| file.set_permissions(mode))?;
        drop(file);
        fs::rename(&fresh, hook)
    });
    if written.is_err() {
        let _ = fs::remove_file(&fresh);
    }
    written
}

/// A unique name beside `hook`.
fn beside(hook: &Path) -> PathBuf {
    let mut name = hook.file_name().unwrap_or_default().to_owned();
    name.push(format!(".repoidx-{}", std::process::id()));
    hook.with_file_name(name)
}

#[cfg(unix)]
fn make_link(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
fn make_link(target: &Path, link: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(target, link)
}
