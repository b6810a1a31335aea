//! The files that differ between two states of the repository, with the ids of their contents.
//!
//! Differences with the worktree or with git's index come from git's plumbing in its raw format. A content that only
//! the worktree has is marked as such, and may turn out to be equal. Renames are not detected, and no content is read.

use std::{collections::BTreeSet, sync::Arc};

use super::{GitError, Repository, command::Git, is_regular, path, worktree};

/// Where one side of a difference is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// There is no regular file.
    Absent,
    /// The blob with this id.
    Blob(String),
    /// The file as it lies in the worktree.
    Worktree,
    /// These bytes, which need not lie anywhere.
    Given(Arc<[u8]>),
}

/// One path whose content may differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    pub path: String,
    pub old: Content,
    pub new: Content,
}

impl Repository {
    /// The differences between the trees of two commits.
    pub fn changes_between(&self, old: &str, new: &str) -> Result<Vec<FileChange>, GitError> {
        Ok(of_content(self.objects.tree_changes(old, new)?))
    }

    /// The differences between a commit's tree and the worktree, untracked files included.
    pub fn changes_in_worktree(&self, old: &str) -> Result<Vec<FileChange>, GitError> {
        if self.root.is_none() {
            return Err(GitError::NoWorktree);
        }
        let git = self.git();
        let (changes, untracked) = rayon::join(
            || self.changes_of_tracked(old),
            || git.output(&["ls-files", "-z", "--others", "--exclude-standard"]),
        );
        let (mut changes, untracked) = (changes?, untracked?);
        for name in untracked.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
            changes.push(FileChange { path: path::quote(name), old: Content::Absent, new: Content::Worktree });
        }
        changes.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(changes)
    }

    /// Whether the worktree's files that `wanted` accepts are those of a commit, none more and none less.
    pub fn has_worktree_of(&self, commit: &str, wanted: &(dyn Fn(&str) -> bool + Sync)) -> bool {
        let (changes, has_more) =
            rayon::join(|| self.changes_of_tracked(commit), || worktree::has_untracked(self, wanted));
        let is_different = |change: &FileChange| wanted(&change.path) && !self.is_as_in_worktree(change);
        has_more.is_ok_and(|has| !has) && changes.is_ok_and(|changes| !changes.iter().any(is_different))
    }

    /// Whether the worktree has the old content of a change.
    pub(super) fn is_as_in_worktree(&self, change: &FileChange) -> bool {
        match (&change.old, &change.new) {
            (Content::Blob(id), Content::Worktree) => {
                self.read_blob(id).is_ok_and(|before| self.read(&change.path).is_ok_and(|now| now == before))
            }
            _ => false,
        }
    }

    /// The differences between a commit's tree and the tracked files of the worktree.
    fn changes_of_tracked(&self, old: &str) -> Result<Vec<FileChange>, GitError> {
        let mut changes =
            raw(&self.git().output(&["diff-index", "-z", "--raw", "--no-abbrev", "--no-renames", old])?)?;
        for change in &mut changes {
            if change.new != Content::Absent {
                change.new = Content::Worktree;
            }
        }
        Ok(of_content(changes))
    }

    /// The differences between a commit's tree and git's index: the content of the next commit.
    pub fn changes_staged(&self, old: &str) -> Result<Vec<FileChange>, GitError> {
        let listing =
            self.git().output(&["diff-index", "--cached", "-z", "--raw", "--no-abbrev", "--no-renames", old])?;
        Ok(of_content(raw(&listing)?))
    }

    /// The differences between git's index and the worktree, with its untracked files, sorted by path.
    pub fn changes_unstaged(&self) -> Result<Vec<FileChange>, GitError> {
        let git = self.git();
        let mut changes = raw(&git.output(&["diff-files", "-z", "--raw", "--no-abbrev"])?)?;
        for change in &mut changes {
            if change.new != Content::Absent {
                change.new = Content::Worktree;
            }
        }
        changes.retain(|change| !self.is_as_in_worktree(change));
        for name in git.output(&["ls-files", "-z", "--others", "--exclude-standard"])?.split(|byte| *byte == 0) {
            if !name.is_empty() {
                changes.push(FileChange { path: path::quote(name), old: Content::Absent, new: Content::Worktree });
            }
        }
        changes.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(changes)
    }

    /// Files of the worktree that are not as git's index has them, sorted; untracked ones are left out.
    pub fn files_not_staged(&self) -> Result<Vec<String>, GitError> {
        let mut changes = raw(&self.git().output(&["diff-files", "-z", "--raw", "--no-abbrev"])?)?;
        // git has not looked into all of them.
        changes.retain(|change| !self.is_as_in_worktree(change));
        Ok(changes.into_iter().map(|change| change.path).collect())
    }

    /// The best common ancestor of two commits; `None` when they have none here.
    pub fn merge_base(&self, a: &str, b: &str) -> Result<Option<String>, GitError> {
        self.ask_git(&["merge-base", a, b])
    }

    /// Commits of these histories that no known branch of a remote has, and no history of `others`.
    pub fn unpublished(&self, tips: &[&str], others: &[&str]) -> Result<BTreeSet<String>, GitError> {
        let mut command = vec!["rev-list"];
        command.extend(tips);
        command.extend(["--not", "--remotes"]);
        command.extend(others);
        let listed = self.git().output(&command)?;
        Ok(String::from_utf8_lossy(&listed).lines().map(str::to_owned).collect())
    }

    /// Id of the commit that `rev` names; `None` when it names none.
    pub fn find(&self, rev: &str) -> Option<String> {
        self.ask_git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{rev}^{{commit}}")])
            .ok()
            .flatten()
    }

    fn git(&self) -> Git {
        Git::new(self.root().unwrap_or(&self.git_dir), None)
    }
}

/// Without the files of which only the mode differs.
fn of_content(mut changes: Vec<FileChange>) -> Vec<FileChange> {
    changes.retain(|change| change.old != change.new);
    changes
}

/// Reads `:MODE MODE ID ID STATUS NUL PATH NUL …`.
pub(super) fn raw(listing: &[u8]) -> Result<Vec<FileChange>, GitError> {
    let mut changes = Vec::new();
    let mut fields = listing.split(|byte| *byte == 0).filter(|field| !field.is_empty());
    while let Some(head) = fields.next() {
        let strange =
            || GitError::Command { action: "diff".to_owned(), message: "an unknown output format".to_owned() };
        let head = std::str::from_utf8(head).map_err(|_| strange())?;
        let words: Vec<&str> = head.trim_start_matches(':').split(' ').collect();
        let ([old_mode, new_mode, old_id, new_id, _], Some(name)) = (words.as_slice(), fields.next()) else {
            return Err(strange());
        };
        let side = |mode: &str, id: &str| match u32::from_str_radix(mode, 8) {
            Ok(mode) if !is_regular(mode) => Content::Absent,
            _ if id.bytes().all(|byte| byte == b'0') => Content::Worktree,
            _ => Content::Blob(id.to_owned()),
        };
        let change = FileChange { path: path::quote(name), old: side(old_mode, old_id), new: side(new_mode, new_id) };
        if (&change.old, &change.new) != (&Content::Absent, &Content::Absent) {
            changes.push(change);
        }
    }
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::fixture::GitFixture;

    fn words(changes: &[FileChange]) -> Vec<String> {
        let side = |content: &Content| match content {
            Content::Absent => "-",
            Content::Blob(_) => "blob",
            Content::Worktree => "worktree",
            Content::Given(_) => "given",
        };
        changes.iter().map(|change| format!("{} {} {}", change.path, side(&change.old), side(&change.new))).collect()
    }

    #[test]
    fn commits_index_and_worktree_are_compared() {
        let fixture = GitFixture::new();
        fixture.write("a.py", "1\n");
        fixture.write("b.py", "1\n");
        let first = fixture.commit("first");
        fixture.write("a.py", "2\n");
        fixture.git(&["rm", "-q", "b.py"]);
        let second = fixture.commit("second");
        for repo in fixture.open_both() {
            assert_eq!(words(&repo.changes_between(&first, &second).unwrap()), ["a.py blob blob", "b.py blob -"]);
            assert_eq!(repo.merge_base(&first, &second).unwrap(), Some(first.clone()));
            assert_eq!(repo.find("HEAD~1"), Some(first.clone()));
            assert_eq!(repo.find("nowhere"), None);
        }
        fixture.write("a.py", "3\n");
        fixture.git(&["add", "a.py"]);
        fixture.write("a.py", "4\n");
        fixture.write("pkg/naïve.py", "1\n");
        let repo = fixture.open();
        assert_eq!(words(&repo.changes_staged(&second).unwrap()), ["a.py blob blob"]);
        assert_eq!(
            words(&repo.changes_in_worktree(&second).unwrap()),
            ["a.py blob worktree", "pkg/naïve.py - worktree"]
        );
    }
}
