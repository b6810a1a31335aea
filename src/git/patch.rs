//! Applies a unified diff to the files of the worktree, in memory.
//!
//! The files that the diff names are read from the worktree into an object database in memory. libgit2 applies the diff
//! there. Nothing is written anywhere.

use std::{cell::RefCell, collections::BTreeMap};

use git2::{ApplyOptions, Diff, FileMode, Odb, build::TreeUpdateBuilder};

use super::{GitError, Repository, path};

/// The contents that a patch gives to files; `None` for a file that it deletes.
pub type Patched = BTreeMap<String, Option<Vec<u8>>>;

impl Repository {
    /// The contents of the files that `patch` changes, as they would be. The patch is a unified diff, with or without
    /// git's own lines.
    ///
    /// # Errors
    /// When the text is no patch, or does not fit the worktree; the message names the file.
    pub fn patched(&self, patch: &[u8]) -> Result<Patched, GitError> {
        if self.root.is_none() {
            return Err(GitError::NoWorktree);
        }
        let unreadable = |reason: &str| GitError::NoPatch(reason.to_owned());
        let normal = with_git_lines(patch);
        let diff = Diff::from_buffer(&normal).map_err(|error| unreadable(error.message()))?;
        if diff.deltas().len() == 0 {
            return Err(unreadable("it names no file"));
        }
        let memory = git2::Repository::from_odb(Odb::new()?)?;
        memory.odb()?.add_new_mempack_backend(1)?;
        let mut files = TreeUpdateBuilder::new();
        let mut names = BTreeMap::new();
        for delta in diff.deltas() {
            for file in [delta.old_file(), delta.new_file()] {
                let Some(name) = file.path_bytes() else { continue };
                let (raw, name) = (name.to_vec(), path::quote(name));
                if !is_inside(&name) {
                    return Err(unreadable(&format!("{name} is outside of the repository")));
                }
                if names.contains_key(&name) {
                    continue;
                }
                if let Ok(bytes) = self.read(&name) {
                    files.upsert(raw.clone(), memory.blob(&bytes)?, FileMode::Blob);
                }
                names.insert(name, raw);
            }
        }
        let empty = memory.find_tree(memory.treebuilder(None)?.write()?)?;
        let tree = memory.find_tree(files.create_updated(&memory, &empty)?)?;
        let last = RefCell::new(String::new());
        let mut options = ApplyOptions::new();
        options.delta_callback(|delta| {
            let file = delta.and_then(|delta| delta.new_file().path_bytes().or(delta.old_file().path_bytes()));
            *last.borrow_mut() = file.map(path::quote).unwrap_or_default();
            true
        });
        let applied = memory
            .apply_to_tree(&tree, &diff, Some(&mut options))
            .map_err(|error| GitError::Misfit { path: last.borrow().clone(), reason: error.message().to_owned() })?;
        let mut patched = Patched::new();
        for (name, raw) in names {
            let entry = applied.iter().find(|entry| entry.path == raw);
            let content = match entry {
                Some(entry) => Some(memory.find_blob(entry.id)?.content().to_vec()),
                None => None,
            };
            patched.insert(name, content);
        }
        Ok(patched)
    }
}

/// Whether a path stays below the root.
fn is_inside(name: &str) -> bool {
    !name.starts_with('/') && name.split('/').all(|part| part != "..")
}

/// The patch with the lines by which libgit2 recognizes files; `diff -u` writes none.
fn with_git_lines(patch: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = patch.split_inclusive(|byte| *byte == b'\n').collect();
    if lines.iter().any(|line| line.starts_with(b"diff --git ")) {
        return ended(patch.to_vec());
    }
    let mut normal = Vec::with_capacity(patch.len() + 64);
    for (at, line) in lines.iter().enumerate() {
        let next = lines.get(at + 1).copied().unwrap_or_default();
        let (Some(old), Some(new)) = (named(line, b"--- "), named(next, b"+++ ")) else {
            if at == 0 || named(lines[at - 1], b"--- ").is_none() || named(line, b"+++ ").is_none() {
                normal.extend_from_slice(line);
            }
            continue;
        };
        let (old, new) = (prefixed(&old, "a/"), prefixed(&new, "b/"));
        let same = |name: &str, prefix: &str| format!("{prefix}{}", &name[2..]);
        let (is_made, is_gone) = (old == NOTHING, new == NOTHING);
        let (of_old, of_new) = match (is_made, is_gone) {
            (true, _) => (same(&new, "a/"), new.clone()),
            (_, true) => (old.clone(), same(&old, "b/")),
            _ => (old.clone(), new.clone()),
        };
        normal.extend(format!("diff --git {of_old} {of_new}\n").bytes());
        if is_made {
            normal.extend(b"new file mode 100644\n");
        } else if is_gone {
            normal.extend(b"deleted file mode 100644\n");
        }
        normal.extend(format!("--- {old}\n+++ {new}\n").bytes());
    }
    ended(normal)
}

/// The name of no file.
const NOTHING: &str = "/dev/null";

/// The file in a line such as `--- a/x.py<TAB>date`.
fn named(line: &[u8], mark: &[u8]) -> Option<String> {
    let rest = line.strip_prefix(mark)?;
    let text = String::from_utf8_lossy(rest).into_owned();
    let name = text.trim_end().split('\t').next().unwrap_or_default().to_owned();
    (!name.is_empty()).then_some(name)
}

fn prefixed(name: &str, prefix: &str) -> String {
    let has_prefix = name == NOTHING || name.starts_with("a/") || name.starts_with("b/");
    if has_prefix { name.to_owned() } else { format!("{prefix}{name}") }
}

/// Models forget the last line end.
fn ended(mut patch: Vec<u8>) -> Vec<u8> {
    if !patch.ends_with(b"\n") {
        patch.push(b'\n');
    }
    patch
}

#[cfg(test)]
mod tests {
    use crate::git::fixture::GitFixture;

    fn fixture() -> GitFixture {
        let fixture = GitFixture::new();
        fixture.write("a.py", "def f():\n    pass\n");
        fixture.write("b.py", "x = 1\n");
        fixture.commit("first");
        // The worktree counts, not the commit.
        fixture.write("a.py", "# edited\ndef f():\n    pass\n");
        fixture
    }

    #[test]
    fn a_patch_is_applied_to_the_worktree_in_memory() {
        let fixture = fixture();
        let patch = "--- a/a.py\t2026-01-01\n+++ b/a.py\n@@ -1,3 +1,3 @@\n # edited\n-def f():\n+def g():\n     pass\n\
                     --- b.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n\
                     --- /dev/null\n+++ b/c.py\n@@ -0,0 +1 @@\n+y = 2";
        for repo in fixture.open_both() {
            let patched = repo.patched(patch.as_bytes()).unwrap();
            let text = |path: &str| patched[path].as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            assert_eq!(text("a.py").unwrap(), "# edited\ndef g():\n    pass\n");
            assert_eq!(text("b.py"), None);
            assert_eq!(text("c.py").unwrap(), "y = 2\n");
        }
        assert_eq!(fixture.open().read("b.py").unwrap(), b"x = 1\n");
    }

    #[test]
    fn a_patch_that_does_not_fit_names_the_file() {
        let repo = fixture().open();
        let error = |patch: &str| repo.patched(patch.as_bytes()).unwrap_err().to_string();
        let misfit = error("--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-def h():\n+def g():\n     pass\n");
        assert!(misfit.starts_with("the patch does not apply to a.py"), "{misfit}");
        let missing = error("--- a/no.py\n+++ b/no.py\n@@ -1 +1 @@\n-a\n+b\n");
        assert!(missing.contains("no.py"), "{missing}");
        assert!(error("hello").starts_with("the patch is no unified diff"), "{}", error("hello"));
        assert!(error("--- a/../x.py\n+++ b/../x.py\n@@ -1 +1 @@\n-a\n+b\n").contains("outside"));
    }
}
