//! The last line of an answer: which state of which repository it speaks of.
//!
//! It names the root, the branch, the commit, the edited files, whether the index is up to date, and whether the answer
//! is complete.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

use serde::Serialize;

use crate::{
    git::{Content, FileChange, Repository},
    index::{edition, is_read},
    query::{
        impact::completeness::{Boundary, Completeness, no_limit_known},
        words::{count, short_commit},
    },
    render::escape::{visible, visible_path},
    store::Store,
    tools::Workspace,
};

/// Edited or unread files that the line names.
const MAX_NAMED: usize = 4;
/// Edited files of so many states of repositories are remembered.
const MAX_KNOWN: usize = 8;

/// The state of a repository and its index.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct AnswerStanding {
    root: String,
    branch: Option<String>,
    commit: Option<String>,
    /// Indexed files that differ from the commit.
    edited: Vec<String>,
    #[serde(skip)]
    staleness: Option<Boundary>,
}

impl AnswerStanding {
    /// Whatever git cannot tell is left out: an answer does not fail for it.
    pub(super) fn of(workspace: &Workspace) -> Self {
        let repo = workspace.repo;
        let commit = repo.head().ok().flatten();
        let root = repo.root().unwrap_or_else(|| repo.git_dir());
        Self {
            root: visible_path(&root.display().to_string()).into_owned(),
            branch: repo.branch().map(|branch| visible(&branch).into_owned()),
            edited: commit.as_deref().map(|commit| edited_of(repo, commit)).unwrap_or_default(),
            commit,
            staleness: workspace.staleness.cloned(),
        }
    }

    /// `root /shop, branch main at 9b113835c0de with 1 edited file: a.py; up to date; complete`.
    pub(super) fn words(&self, completeness: Option<&str>) -> String {
        let commit = self.commit.as_deref().map(short_commit);
        let at = match (&self.branch, commit) {
            (Some(branch), Some(commit)) => format!("branch {branch} at {commit}"),
            (Some(branch), None) => format!("branch {branch} without a commit"),
            (None, Some(commit)) => format!("detached at {commit}"),
            (None, None) => "no commit".to_owned(),
        };
        let edited = match self.edited.len() {
            0 => String::new(),
            number => format!(" with {}: {}", count(number, "edited file"), named(&self.edited)),
        };
        let freshness = match &self.staleness {
            None => "up to date".to_owned(),
            Some(boundary) if boundary.paths.is_empty() => boundary.message.clone(),
            Some(boundary) => {
                let more = boundary.count.saturating_sub(boundary.paths.len().min(MAX_NAMED));
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let paths: Vec<_> = boundary.paths.iter().take(MAX_NAMED).map(|path| visible_path(path)).collect();
                format!("{}; not read yet: {}{more}", boundary.message, paths.join(", "))
            }
        };
        let completeness = completeness.map(|words| format!("; {words}")).unwrap_or_default();
        format!("root {}, {at}{edited}; {freshness}{completeness}", self.root)
    }
}

/// The completeness of a report in a few words, with the first boundary.
pub(super) fn completeness_words(completeness: Completeness, boundaries: &[Boundary]) -> String {
    match (completeness, boundaries.first()) {
        (Completeness::Exact, _) => "complete".to_owned(),
        (Completeness::LowerBound, Some(_)) if no_limit_known(boundaries) => "no limit known".to_owned(),
        (other, None) => other.as_str().to_owned(),
        (other, Some(first)) => {
            let more = match boundaries.len() - 1 {
                0 => String::new(),
                more => format!(" and {}", count(more, "further limit")),
            };
            format!("{}: {}{more}", other.as_str(), visible(&first.message))
        }
    }
}

fn named(paths: &[String]) -> String {
    let shown: Vec<_> = paths.iter().take(MAX_NAMED).map(|path| visible_path(path)).collect();
    match paths.len().saturating_sub(MAX_NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The state by which edited files are known: while it stays, the last update found nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
struct IndexStamp {
    dir: PathBuf,
    commit: String,
    stamps: Vec<Option<(u64, SystemTime)>>,
}

/// The edited files of the last states. Git takes several milliseconds to find them, and a server is asked again and
/// again about one state.
static KNOWN: Mutex<Vec<(IndexStamp, Vec<String>)>> = Mutex::new(Vec::new());

fn edited_of(repo: &Repository, commit: &str) -> Vec<String> {
    let dir = edition::folder(repo);
    // An update that finds a difference writes to the index, so its files tell whether there was one.
    let stamps = ["", "-wal"].map(|end| stamp(&dir.join(format!("{}{end}", Store::FILE_NAME)))).to_vec();
    let state = IndexStamp { dir, commit: commit.to_owned(), stamps };
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, edited)) = known.iter().find(|(other, _)| *other == state) {
        return edited.clone();
    }
    let edited = differing(repo, commit);
    known.retain(|(other, _)| other.dir != state.dir);
    if known.len() >= MAX_KNOWN {
        known.remove(0);
    }
    known.push((state, edited.clone()));
    edited
}

fn stamp(path: &Path) -> Option<(u64, SystemTime)> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

/// The indexed files that differ from a commit now.
fn differing(repo: &Repository, commit: &str) -> Vec<String> {
    let changes = repo.root().and_then(|_| repo.changes_in_worktree(commit).ok()).unwrap_or_default();
    let is_edited = |change: &FileChange| match (&change.old, &change.new) {
        // Git's index can be behind, so contents are compared.
        (Content::Blob(id), Content::Worktree) => repo.read_blob(id).ok() != repo.read(&change.path).ok(),
        _ => true,
    };
    let edited = changes.into_iter().filter(|change| is_read(&change.path) && is_edited(change));
    edited.map(|change| change.path).collect()
}
