//! The state of the repository that an answer speaks of, and the command that gives the answer again.

use serde::Serialize;

use crate::{
    cli::{Global, session::Session},
    git::{Content, FileChange},
    index::is_indexed,
    query::words::count,
    render::{escape::visible_path, sheet::Closing, words::argument},
};

/// Digits of a commit that a person reads.
const SHORT: usize = 12;
/// Edited files that the text names.
const MAX_EDITED: usize = 4;

/// The indexed commit, and the indexed files that differ from it now.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    commit: Option<String>,
    edited: Vec<String>,
    /// The answer is not one about the files as they lie there, with their last commit.
    is_other: bool,
}

/// A report with its standing, as JSON.
#[derive(Debug, Serialize)]
pub(crate) struct Placed<'r, R: Serialize> {
    #[serde(flatten)]
    report: &'r R,
    commit: Option<&'r str>,
    edited: &'r [String],
}

impl Standing {
    /// The standing of a session's index. Whatever git cannot tell is left out: an answer does not fail for it.
    pub(crate) fn of(session: &Session) -> Self {
        let commit = session.store.meta("indexed").ok().flatten().filter(|commit| !commit.is_empty());
        let repo = &session.repo;
        let is_other = session.staleness.is_some() || repo.head().ok().flatten() != commit;
        let differences = commit.as_ref().filter(|_| repo.root().is_some());
        let changes = differences.and_then(|commit| repo.changes_in_worktree(commit).ok()).unwrap_or_default();
        let is_edited = |change: &FileChange| match (&change.old, &change.new) {
            // Git's index can be behind, so contents are compared.
            (Content::Blob(id), Content::Worktree) => repo.read_blob(id).ok() != repo.read(&change.path).ok(),
            _ => true,
        };
        let edited = changes.into_iter().filter(|change| is_indexed(&change.path) && is_edited(change));
        Self { commit, edited: edited.map(|change| change.path).collect(), is_other }
    }

    /// `report` with this standing.
    pub(crate) fn with<'r, R: Serialize>(&'r self, report: &'r R) -> Placed<'r, R> {
        Placed { report, commit: self.commit.as_deref(), edited: &self.edited }
    }

    /// The end of a text answer. The standing is said where it is not plain.
    pub(crate) fn closing(&self, command: String) -> Closing {
        let standing = if self.is_other || !self.edited.is_empty() { self.words() } else { String::new() };
        Closing { command, standing }
    }

    fn words(&self) -> String {
        let Some(commit) = &self.commit else { return String::new() };
        let commit = commit.get(..SHORT).unwrap_or(commit);
        let index = if self.is_other { "the index of " } else { "" };
        if self.edited.is_empty() {
            return format!("about {index}commit {commit}");
        }
        let named: Vec<_> = self.edited.iter().take(MAX_EDITED).map(|path| visible_path(path)).collect();
        let more = match self.edited.len().saturating_sub(MAX_EDITED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let joint = if self.is_other { "; edited since:" } else { " with" };
        let files =
            if self.is_other { String::new() } else { format!(" {}:", count(self.edited.len(), "edited file")) };
        format!("about {index}commit {commit}{joint}{files} {}{more}", named.join(", "))
    }
}

/// `repoidx NAME ARGUMENT` for the repository of `global`; an empty argument is left out.
pub(crate) fn command(global: &Global, name: &str, text: &str) -> String {
    let mut command = format!("repoidx {name}");
    for folder in &global.repo {
        command += &format!(" --repo {}", argument(&folder.display().to_string()));
    }
    if global.no_update {
        command += " --no-update";
    }
    if !text.is_empty() {
        command += &format!(" {}", if text.starts_with("--") { text.to_owned() } else { argument(text) });
    }
    command
}
