//! The files of the worktree whose contents are not those of a commit.
//!
//! Git's own index remembers which content lies in a file with which stat data. So only files that changed since git
//! looked are read. An answer asks this each time, hence no git process is started.

use std::fs::Metadata;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{Content, GitError, Repository, is_regular, path, worktree::tracked::each_entry};
use crate::model::FileStat;

/// A file written so shortly before git's index may have changed after git read it: clocks of file systems tick so
/// coarsely.
const RACY_NS: i64 = 40_000_000;

/// The content that git's index has for a path.
struct Staged {
    id: String,
    size: u32,
    mtime_ns: i64,
    /// The worktree counts as having this content, whatever lies there.
    is_fixed: bool,
    is_open: bool,
}

/// Git's index, as far as it is wanted.
struct GitIndex {
    staged: FxHashMap<String, Staged>,
    /// The tree that it is, if git has noted it.
    tree: Option<String>,
    written_ns: i64,
}

impl Repository {
    /// The paths that `wanted` accepts and whose content differs from that in a commit, sorted. `files` are those of
    /// the worktree; a file that lies there and is not among them is passed over.
    pub fn edited(
        &self,
        commit: &str,
        files: &[(String, FileStat)],
        wanted: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Vec<String>, GitError> {
        let Some(mut index) = self.git_index(wanted) else { return self.edited_by_git(commit, wanted) };
        let tree = self.objects.tree_id(commit)?;
        // The tree is read only where git's index is another one, as with staged files.
        let mut committed: FxHashMap<String, String> = if tree.is_some() && index.tree == tree {
            index.staged.iter().map(|(path, staged)| (path.clone(), staged.id.clone())).collect()
        } else {
            self.objects.blobs(commit)?.into_iter().filter(|(path, _)| wanted(path)).collect()
        };
        let mut edited = Vec::new();
        let mut unsure = Vec::new();
        for (path, stat) in files {
            let staged = index.staged.remove(path);
            let Some(id) = committed.remove(path) else {
                edited.push(path.clone());
                continue;
            };
            let is_known = staged.is_some_and(|staged| {
                staged.id == id && !staged.is_open && (staged.is_fixed || staged.describes(*stat, index.written_ns))
            });
            if !is_known {
                unsure.push((path, id));
            }
        }
        let differs = |(path, id): &(&String, String)| !self.read(path).is_ok_and(|now| self.objects.is_blob(id, &now));
        edited.extend(unsure.into_par_iter().filter(differs).map(|(path, _)| path.clone()).collect::<Vec<_>>());
        let is_gone =
            |path: &String| !index.staged.get(path).is_some_and(|staged| staged.is_fixed) && self.stat(path).is_none();
        edited.extend(committed.into_keys().filter(is_gone));
        edited.sort_unstable();
        Ok(edited)
    }

    /// The same where git's index cannot be read.
    fn edited_by_git(&self, commit: &str, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<String>, GitError> {
        let mut changes = self.changes_in_worktree(commit)?;
        changes.retain(|change| wanted(&change.path) && !self.is_as_in_worktree(change));
        // The worktree's side of these is a file, or nothing at all.
        changes.retain(|change| change.old != Content::Absent || self.stat(&change.path).is_some());
        Ok(changes.into_iter().map(|change| change.path).collect())
    }

    fn git_index(&self, wanted: &dyn Fn(&str) -> bool) -> Option<GitIndex> {
        let place = self.git_dir.join("index");
        let mut index = GitIndex { staged: FxHashMap::default(), tree: None, written_ns: 0 };
        let Ok(metadata) = place.metadata() else { return Some(index) };
        index.written_ns = written_ns(&metadata);
        let bytes = std::fs::read(place).ok()?;
        let tree = each_entry(&bytes, self.objects.id_length(), &mut |entry| {
            let path = path::quote(entry.name);
            if is_regular(entry.mode) && wanted(&path) {
                let staged = Staged {
                    id: hex(entry.id),
                    size: entry.size,
                    mtime_ns: entry.mtime_ns,
                    is_fixed: entry.is_left_out || entry.is_assumed,
                    is_open: entry.is_open,
                };
                index.staged.insert(path, staged);
            }
        })?;
        index.tree = (!tree.is_empty()).then(|| hex(tree));
        Some(index)
    }
}

impl Staged {
    /// Whether git saw this content in a file with this stat data, and nobody can have written since.
    fn describes(&self, stat: FileStat, index_written_ns: i64) -> bool {
        // Neither side knows a time: git has not looked (after `git stash pop`), and we read a file just written.
        if self.mtime_ns == 0 {
            return false;
        }
        let is_racy = self.mtime_ns.saturating_add(RACY_NS) >= index_written_ns;
        #[expect(clippy::cast_possible_truncation, reason = "git's index keeps the lower half")]
        let size = stat.size as u32;
        !is_racy && self.size == size && self.mtime_ns == stat.mtime_ns
    }
}

fn hex(id: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = id.iter().flat_map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
    digits.map(char::from).collect()
}

/// When a file was written, in nanoseconds since the epoch; 0 where the system does not tell.
fn written_ns(metadata: &Metadata) -> i64 {
    let since = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    since.and_then(|time| i64::try_from(time.as_nanos()).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use crate::git::fixture::GitFixture;

    fn check(fixture: &GitFixture, commit: &str, expected: &[&str]) {
        let wanted = |path: &str| path.ends_with(".py");
        for repo in fixture.open_both() {
            let files: Vec<_> =
                repo.worktree_files_where(&wanted).unwrap().into_iter().map(|file| (file.path, file.stat)).collect();
            assert_eq!(repo.edited(commit, &files, &wanted).unwrap(), expected, "by {}", repo.backend());
            assert_eq!(repo.edited_by_git(commit, &wanted).unwrap(), expected, "by git, beside {}", repo.backend());
        }
    }

    #[test]
    fn edited_files_are_found_by_contents() {
        let fixture = GitFixture::new();
        for name in ["a.py", "b.py", "pkg/c.py", "notes.txt"] {
            fixture.write(name, "1\n");
        }
        let first = fixture.commit("first");
        check(&fixture, &first, &[]);
        // Written again with the same content, and with another one of the same size.
        fixture.write("a.py", "1\n");
        fixture.write("pkg/c.py", "2\n");
        fixture.write("notes.txt", "2\n");
        fixture.write("new.py", "1\n");
        check(&fixture, &first, &["new.py", "pkg/c.py"]);
        fixture.git(&["rm", "-q", "b.py"]);
        fixture.git(&["add", "pkg/c.py"]);
        check(&fixture, &first, &["b.py", "new.py", "pkg/c.py"]);
        fixture.git(&["add", "-A"]);
        let second = fixture.commit("second");
        check(&fixture, &second, &[]);
        check(&fixture, &first, &["b.py", "new.py", "pkg/c.py"]);
    }

    #[test]
    fn stat_data_that_neither_side_knows_says_nothing() {
        let fixture = GitFixture::new();
        fixture.write("a.py", "1\n");
        let first = fixture.commit("first");
        fixture.write("a.py", "2\n");
        fixture.git(&["stash"]);
        fixture.git(&["stash", "pop"]);
        let wanted = |path: &str| path.ends_with(".py");
        for repo in fixture.open_both() {
            let files = [("a.py".to_owned(), crate::model::FileStat::default())];
            assert_eq!(repo.edited(&first, &files, &wanted).unwrap(), ["a.py"], "by {}", repo.backend());
        }
    }

    #[test]
    fn a_staged_file_that_was_put_back_is_as_committed() {
        let fixture = GitFixture::new();
        fixture.write("a.py", "1\n");
        let first = fixture.commit("first");
        fixture.write("a.py", "2\n");
        fixture.git(&["add", "a.py"]);
        check(&fixture, &first, &["a.py"]);
        fixture.write("a.py", "1\n");
        check(&fixture, &first, &[]);
        fixture.write("b.py", "");
        fixture.git(&["add", "-N", "b.py"]);
        check(&fixture, &first, &["b.py"]);
    }
}
