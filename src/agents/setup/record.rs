//! Remembers what was put into which file, so that it can be taken out exactly.
//!
//! The record lies beside the index. For each file it has the text that was inserted and the text in whose place it
//! stands. Without it, or after the text was changed by hand, entries are taken out by their structure.

use std::{collections::BTreeMap, fs, io, path::PathBuf};

use serde::{Deserialize, Serialize};

use crate::git::Repository;

/// The record's file in the data directory.
const FILE: &str = "agents.json";

/// The changed files, by path.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct SetupRecord {
    files: BTreeMap<String, RecordedChange>,
}

/// One change of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RecordedChange {
    /// The file did not exist.
    pub(super) is_new: bool,
    inserted: String,
    removed: String,
    /// The agents that need the file.
    pub(super) agents: Vec<String>,
}

impl RecordedChange {
    /// The difference between two texts in one piece.
    pub(super) fn between(before: Option<&str>, after: &str, agent: &str) -> Self {
        let old = before.unwrap_or_default();
        let start = old.char_indices().zip(after.chars()).take_while(|((_, a), b)| a == b).last();
        let start = start.map_or(0, |((at, c), _)| at + c.len_utf8());
        let tails = old[start..].chars().rev().zip(after[start..].chars().rev());
        let tail: usize = tails.take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
        Self {
            is_new: before.is_none(),
            inserted: after[start..after.len() - tail].to_owned(),
            removed: old[start..old.len() - tail].to_owned(),
            agents: vec![agent.to_owned()],
        }
    }

    /// The text before the change, if its place is still to be seen.
    pub(super) fn undone(&self, text: &str) -> Option<String> {
        let mut places = text.match_indices(&self.inserted);
        let (at, _) = places.next().filter(|_| !self.inserted.is_empty())?;
        if places.next().is_some() {
            return None;
        }
        Some(format!("{}{}{}", &text[..at], self.removed, &text[at + self.inserted.len()..]))
    }
}

impl SetupRecord {
    pub(super) fn read(repo: &Repository) -> Self {
        let text = fs::read_to_string(place(repo)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    pub(super) fn write(&self, repo: &Repository) -> io::Result<()> {
        let place = place(repo);
        if self.files.is_empty() {
            return match fs::remove_file(place) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        }
        fs::create_dir_all(repo.data_dir())?;
        let text = serde_json::to_string(self).map_err(io::Error::from)?;
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        io::Write::write_all(&mut options.open(place)?, text.as_bytes())
    }

    /// Whether a change was made for this agent.
    pub(super) fn names(&self, agent: &str) -> bool {
        self.files.values().any(|change| change.agents.iter().any(|other| other == agent))
    }

    pub(super) fn of(&mut self, path: &str) -> Option<&mut RecordedChange> {
        self.files.get_mut(path)
    }

    pub(super) fn put(&mut self, path: &str, change: RecordedChange) {
        self.files.insert(path.to_owned(), change);
    }

    pub(super) fn forget(&mut self, path: &str) {
        self.files.remove(path);
    }
}

fn place(repo: &Repository) -> PathBuf {
    repo.data_dir().join(FILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_undone_among_later_ones() {
        for (before, after) in [("{}", "{\"a\": 1}"), ("ä1ö", "ä2ö"), ("aa", "aaXaa"), ("", "new")] {
            let change = RecordedChange::between(Some(before), after, "x");
            assert_eq!(change.undone(after).as_deref(), Some(before), "{before} {after}");
        }
        let change = RecordedChange::between(Some("one\ntwo\n"), "one\nours\ntwo\n", "x");
        assert_eq!(change.undone("zero\none\nours\ntwo\n").as_deref(), Some("zero\none\ntwo\n"));
        assert_eq!(change.undone("one\ntwo\n"), None);
    }
}
