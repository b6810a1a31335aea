//! Sets coding agents up: the server, the hook at the end of a turn, and the skill, in files of the project.
//!
//! `catalog` has the entries of each agent, `merge` puts one into a text, `record` remembers it. AGENTS.md and
//! CLAUDE.md belong to their authors and are never touched.

mod catalog;
mod merge;
mod plugin;
mod record;
#[cfg(test)]
mod tests;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

pub use catalog::Agent;
pub use plugin::write_plugin;

use crate::{
    agents::setup::{
        catalog::{AgentEntry, EntryContent},
        merge::{Merged, with, without},
        record::{RecordedChange, SetupRecord},
    },
    git::Repository,
    render::escape::visible_path,
};

/// Why a file was not changed. Nothing else was changed either.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error("a bare repository has no files to set up")]
    Bare,
    #[error("{} cannot be changed: {reason}", visible_path(path))]
    Foreign { path: String, reason: String },
    #[error("{action} {}: {source}", visible_path(path))]
    Io { action: &'static str, path: String, source: io::Error },
}

/// The state of an entry, or what was done to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    Created,
    Added,
    Removed,
    Deleted,
    /// It was there already, or is.
    Present,
    /// It was not there, or is not.
    Absent,
    /// Somebody has changed it, so it stays.
    Kept,
}

impl Deed {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Added => "added to",
            Self::Removed => "removed from",
            Self::Deleted => "deleted",
            Self::Present => "is in",
            Self::Absent => "is not in",
            Self::Kept => "changed by hand, kept in",
        }
    }
}

/// One line of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryReport {
    pub path: &'static str,
    pub about: &'static str,
    pub deed: Deed,
}

/// The entries that a person can paste, file by file, and a note.
pub fn snippets(agent: Agent) -> (Vec<(&'static str, String)>, &'static str) {
    let mut snippets: Vec<(&'static str, String)> = Vec::new();
    for AgentEntry { path, content, .. } in agent.pieces() {
        let before = snippets.iter().position(|(other, _)| *other == path);
        let text = before.map(|at| snippets.remove(at).1);
        if let Ok(Merged::Changed(text)) = with(text.as_deref(), &content) {
            snippets.push((path, text));
        }
    }
    (snippets, agent.note())
}

/// Puts the entries of an agent into the files of the project. With `is_dry` nothing is written.
///
/// # Errors
/// When a file cannot be understood or written. All files are understood before the first one is written.
pub fn install(repo: &Repository, agent: Agent, is_dry: bool) -> Result<Vec<EntryReport>, SetupError> {
    let root = repo.root().ok_or(SetupError::Bare)?;
    let mut record = SetupRecord::read(repo);
    let mut files = ProjectFiles::of(root);
    let mut lines = Vec::new();
    for AgentEntry { path, about, content } in agent.pieces() {
        let before = files.text(path)?;
        let merged = with(before.as_deref(), &content).map_err(|reason| foreign(path, reason))?;
        let deed = match merged {
            Merged::Same => {
                if let Some(change) =
                    record.of(path).filter(|change| !change.agents.iter().any(|a| a == agent.as_str()))
                {
                    change.agents.push(agent.as_str().to_owned());
                }
                Deed::Present
            }
            Merged::Other => Deed::Kept,
            Merged::Changed(text) => {
                let deed = if before.is_none() { Deed::Created } else { Deed::Added };
                files.put(path, Some(text));
                deed
            }
        };
        lines.push(EntryReport { path, about, deed });
    }
    for (path, before, after) in files.changed() {
        if let Some(after) = after {
            // A second entry in a file that an earlier installation changed: from the first state to the last one.
            let first = match record.of(path).zip(before) {
                Some((change, text)) => change.undone(text).map(|text| (!change.is_new).then_some(text)),
                None => None,
            };
            let before = first.unwrap_or_else(|| before.map(str::to_owned));
            record.put(path, RecordedChange::between(before.as_deref(), after, agent.as_str()));
        }
    }
    if !is_dry {
        write(repo, &files, &record)?;
    }
    Ok(lines)
}

/// Takes the entries of an agent out again.
///
/// # Errors
/// As [`install`].
pub fn uninstall(repo: &Repository, agent: Agent, is_dry: bool) -> Result<Vec<EntryReport>, SetupError> {
    let root = repo.root().ok_or(SetupError::Bare)?;
    let mut record = SetupRecord::read(repo);
    let mut files = ProjectFiles::of(root);
    let mut lines = Vec::new();
    let mut done: Vec<&str> = Vec::new();
    for AgentEntry { path, about, content } in agent.pieces() {
        let Some(text) = files.text(path)? else {
            let deed = if done.contains(&path) { Deed::Removed } else { Deed::Absent };
            lines.push(EntryReport { path, about, deed });
            continue;
        };
        if done.contains(&path) {
            lines.push(EntryReport { path, about, deed: Deed::Removed });
            continue;
        }
        if let Some(change) = record.of(path) {
            change.agents.retain(|other| other != agent.as_str());
            if !change.agents.is_empty() {
                lines.push(EntryReport { path, about, deed: Deed::Kept });
                continue;
            }
            if let Some(before) = change.undone(&text) {
                let is_gone = change.is_new && before.is_empty();
                files.put(path, (!is_gone).then_some(before));
                record.forget(path);
                done.push(path);
                lines.push(EntryReport { path, about, deed: if is_gone { Deed::Deleted } else { Deed::Removed } });
                continue;
            }
        }
        let deed = match without(&text, &content).map_err(|reason| foreign(path, reason))? {
            Merged::Same => Deed::Absent,
            Merged::Other => Deed::Kept,
            Merged::Changed(text) if matches!(content, EntryContent::File(_)) || is_bare(&text) => {
                files.put(path, None);
                Deed::Deleted
            }
            Merged::Changed(text) => {
                files.put(path, Some(text));
                Deed::Removed
            }
        };
        if deed != Deed::Kept {
            record.forget(path);
        }
        lines.push(EntryReport { path, about, deed });
    }
    if !is_dry {
        write(repo, &files, &record)?;
    }
    Ok(lines)
}

/// Writes the files first: a record of changes that were not made would undo something else.
fn write(repo: &Repository, files: &ProjectFiles, record: &SetupRecord) -> Result<(), SetupError> {
    files.write()?;
    record.write(repo).map_err(|source| SetupError::Io {
        action: "writing the record",
        path: "agents.json".to_owned(),
        source,
    })
}

/// Which entries of an agent are there.
///
/// # Errors
/// When a file cannot be read or understood.
pub fn status(repo: &Repository, agent: Agent) -> Result<Vec<EntryReport>, SetupError> {
    let root = repo.root().ok_or(SetupError::Bare)?;
    let files = ProjectFiles::of(root);
    let line = |AgentEntry { path, about, content }: AgentEntry| {
        let text = files.text(path)?;
        let merged = with(text.as_deref(), &content).map_err(|reason| foreign(path, reason))?;
        let deed = match merged {
            Merged::Same => Deed::Present,
            Merged::Other => Deed::Kept,
            Merged::Changed(_) => Deed::Absent,
        };
        Ok(EntryReport { path, about, deed })
    };
    agent.pieces().into_iter().map(line).collect()
}

/// The agents that `install` has set up here.
pub fn recorded(repo: &Repository) -> Vec<Agent> {
    let record = SetupRecord::read(repo);
    Agent::ALL.into_iter().filter(|agent| record.names(agent.as_str())).collect()
}

/// The agents that can be installed, are not, and have files of their own in the project.
pub fn at_home(repo: &Repository) -> Vec<Agent> {
    let Some(root) = repo.root() else { return Vec::new() };
    let has_signs = |agent: &Agent| agent.signs().iter().any(|sign| root.join(sign).exists());
    let is_missing = |agent: &Agent| {
        status(repo, *agent).is_ok_and(|entries| entries.iter().any(|entry| entry.deed == Deed::Absent))
    };
    Agent::ALL.into_iter().filter(|agent| agent.can_be_installed() && has_signs(agent) && is_missing(agent)).collect()
}

/// Whether a file of JSON or TOML holds nothing.
fn is_bare(text: &str) -> bool {
    matches!(text.split_whitespace().collect::<String>().as_str(), "" | "{}" | "{\"version\":1}")
}

fn foreign(path: &str, reason: String) -> SetupError {
    SetupError::Foreign { path: path.to_owned(), reason }
}

/// Files of the project before and after, written at once.
struct ProjectFiles {
    root: PathBuf,
    /// Path, text before, text after.
    changes: Vec<(&'static str, Option<String>, Option<String>)>,
}

impl ProjectFiles {
    fn of(root: &Path) -> Self {
        Self { root: root.to_owned(), changes: Vec::new() }
    }

    /// The present text of a file.
    fn text(&self, path: &str) -> Result<Option<String>, SetupError> {
        if let Some((_, _, after)) = self.changes.iter().find(|(other, _, _)| *other == path) {
            return Ok(after.clone());
        }
        match fs::read_to_string(self.root.join(path)) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(SetupError::Io { action: "reading", path: path.to_owned(), source }),
        }
    }

    fn put(&mut self, path: &'static str, text: Option<String>) {
        match self.changes.iter_mut().find(|(other, _, _)| *other == path) {
            Some((_, _, after)) => *after = text,
            None => {
                let before = fs::read_to_string(self.root.join(path)).ok();
                self.changes.push((path, before, text));
            }
        }
    }

    fn changed(&self) -> impl Iterator<Item = (&'static str, Option<&str>, Option<&str>)> {
        self.changes.iter().map(|(path, before, after)| (*path, before.as_deref(), after.as_deref()))
    }

    fn write(&self) -> Result<(), SetupError> {
        for (path, _, after) in &self.changes {
            let place = self.root.join(path);
            let failed = |action| move |source| SetupError::Io { action, path: (*path).to_owned(), source };
            match after {
                Some(text) => {
                    if let Some(folder) = place.parent() {
                        fs::create_dir_all(folder).map_err(failed("making the folder of"))?;
                    }
                    fs::write(&place, text).map_err(failed("writing"))?;
                }
                None => {
                    fs::remove_file(&place).map_err(failed("deleting"))?;
                    // Folders that were made for it go too; one that holds something else stays.
                    for folder in Path::new(path).ancestors().skip(1).filter(|folder| *folder != Path::new("")) {
                        if fs::remove_dir(self.root.join(folder)).is_err() {
                            break;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
