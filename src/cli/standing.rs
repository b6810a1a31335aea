//! The state of the repository that an answer speaks of, and the command that gives the answer again.

use serde::Serialize;

use crate::{
    cli::{Global, session::Session},
    index::{edited_in_index, is_read},
    model::{EntityKind, FileStat},
    query::words::{count, short_commit},
    render::{
        escape::{visible, visible_path},
        sheet::Closing,
        words::argument,
    },
    store::read::Entity,
};

/// Edited files that the text names.
const MAX_EDITED: usize = 4;
/// Definitions of an ambiguous name that the text names.
const MAX_OTHERS: usize = 3;

/// The state that an answer speaks of: a commit, and the files that were edited after it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    commit: Option<String>,
    /// Files whose text in the index is not the one of the commit.
    edited: Vec<String>,
    /// Files that have changed since they were indexed.
    edited_since: Vec<String>,
    /// The names that several definitions have, with those that the answer is not about.
    passed_over: Vec<(String, Vec<PassedOver>)>,
    /// The answer is not one about the files as they lie there, with their last commit.
    is_other: bool,
}

/// A definition that an ambiguous name of the command could have meant too.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub(crate) struct PassedOver {
    name: String,
    kind: EntityKind,
    path: String,
    line: u32,
}

/// A report with its standing, as JSON.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub(crate) struct Placed<'r, R: Serialize> {
    #[serde(flatten)]
    report: &'r R,
    commit: Option<&'r str>,
    /// Files and documents that the answer shows otherwise than the commit has them.
    edited: &'r [String],
    /// Files and documents that have changed since they were indexed.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    edited_since: &'r [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    passed_over: Vec<&'r PassedOver>,
}

impl Standing {
    /// The standing of a session's index. Whatever git cannot tell is left out: an answer does not fail for it.
    pub(crate) fn of(session: &Session) -> Self {
        let commit = session.store.meta("indexed").ok().flatten().filter(|commit| !commit.is_empty());
        let repo = &session.repo;
        let is_other = session.staleness.is_some() || repo.head().ok().flatten() != commit;
        let edited = commit.as_ref().filter(|_| repo.root().is_some()).and_then(|commit| {
            let files = files(session)?;
            let now = repo.edited(commit, &files, &is_read).ok()?;
            match session.staleness {
                None => Some(now),
                Some(_) => {
                    let paths = now.into_iter().chain(session.pending.iter().cloned()).collect();
                    edited_in_index(repo, &session.store, commit, paths).ok()
                }
            }
        });
        let passed_over = session.passed_over.borrow();
        let passed_over = passed_over.iter().map(|(name, others)| {
            let other = |entity: &Entity| PassedOver {
                name: entity.full_name(),
                kind: entity.record.kind,
                path: entity.path.clone(),
                line: entity.record.line,
            };
            (name.clone(), others.iter().map(other).collect())
        });
        let edited_since = session.pending.clone();
        Self { commit, edited: edited.unwrap_or_default(), edited_since, passed_over: passed_over.collect(), is_other }
    }

    /// `report` with this standing.
    pub(crate) fn with<'r, R: Serialize>(&'r self, report: &'r R) -> Placed<'r, R> {
        let passed_over = self.passed_over.iter().flat_map(|(_, others)| others).collect();
        let Self { edited, edited_since, .. } = self;
        Placed { report, commit: self.commit.as_deref(), edited, edited_since, passed_over }
    }

    /// The end of a text answer. The standing is said where it is not plain.
    pub(crate) fn closing(&self, command: String) -> Closing {
        let standing = self.line().unwrap_or_default();
        let others = self.passed_over.iter().map(|(name, others)| also(name, others)).collect();
        Closing { command, others, standing }
    }

    /// The same without the names of some files.
    pub(crate) fn without(mut self, is_withheld: &dyn Fn(&str) -> bool) -> Self {
        self.edited.retain(|path| !is_withheld(path));
        self.edited_since.retain(|path| !is_withheld(path));
        self
    }

    /// The standing in one line, where it is not plain.
    pub(crate) fn line(&self) -> Option<String> {
        let is_plain = !self.is_other && self.edited.is_empty();
        Some(self.words()).filter(|words| !is_plain && !words.is_empty())
    }

    /// The edited files in words; `None` without any.
    pub(crate) fn edited_words(&self) -> Option<String> {
        let files = count(self.edited.len(), "edited file");
        Some(format!("{files}: {}", names(&self.edited))).filter(|_| !self.edited.is_empty())
    }

    fn words(&self) -> String {
        let Some(commit) = &self.commit else { return String::new() };
        let index = if self.is_other { "the index of " } else { "" };
        let edited = self.edited_words().map(|words| format!(" with {words}")).unwrap_or_default();
        let since = if self.edited_since.is_empty() {
            String::new()
        } else {
            format!("; changed since: {}", names(&self.edited_since))
        };
        format!("about {index}commit {}{edited}{since}", short_commit(commit))
    }
}

/// Some paths, and the number of the others.
fn names(paths: &[String]) -> String {
    let named: Vec<_> = paths.iter().take(MAX_EDITED).map(|path| visible_path(path)).collect();
    let more = match paths.len().saturating_sub(MAX_EDITED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", named.join(", "))
}

/// `total` names the other definitions in one line.
fn also(name: &str, others: &[PassedOver]) -> String {
    let shown = others.iter().take(MAX_OTHERS).map(|other| {
        let place = format!("{}:{}", visible_path(&other.path), other.line);
        format!("{} ({place})", visible(&other.name))
    });
    let more = match others.len().saturating_sub(MAX_OTHERS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("`{name}` also names {}{more}", shown.collect::<Vec<_>>().join(", "))
}

/// The files and documents that are indexed, as they lie there now.
fn files(session: &Session) -> Option<Vec<(String, FileStat)>> {
    if session.staleness.is_none() {
        // The update before the answer has just compared them with the worktree.
        let mut files = session.store.file_stats().ok()?;
        let documents = session.store.documents().ok()?;
        files.extend(documents.into_iter().map(|(_, document)| (document.path, document.stat)));
        return Some(files);
    }
    let files = session.repo.worktree_files_where(&is_read).ok()?;
    Some(files.into_iter().map(|file| (file.path, file.stat)).collect())
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
