//! A first index for a new worktree: a copy of a sibling's.
//!
//! The most recent index of the repository's other worktrees is copied into the data directory of this one. The copy
//! describes the sibling's files, so an update that compares all files must follow.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use crate::git::Repository;
use crate::index::edition;
use crate::store::Store;

/// Time to wait for another writer of an index here: its index makes a copy needless.
const PATIENCE: Duration = Duration::from_secs(10);

/// Whether this worktree has an index.
pub fn has_index(repo: &Repository) -> bool {
    edition::file(repo).exists()
}

/// The data directories of the repository's other worktrees that hold an index, the most recent one first.
pub(super) fn siblings(repo: &Repository) -> Vec<PathBuf> {
    let linked = fs::read_dir(repo.common_dir().join("worktrees")).into_iter().flatten().flatten();
    let git_dirs = linked.map(|entry| entry.path()).chain([repo.common_dir().to_owned()]);
    let dirs = git_dirs.filter(|dir| dir != repo.git_dir()).map(|dir| edition::folder_in(&dir.join("repoidx")));
    let mut found: Vec<_> =
        dirs.filter_map(|dir| Some((dir.join(Store::FILE_NAME).metadata().ok()?.modified().ok()?, dir))).collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    found.into_iter().map(|(_, dir)| dir).collect()
}

/// Copies a sibling's index here. `false` when there is none that can be read: then a full build is due.
pub(crate) fn seed(repo: &Repository) -> bool {
    let siblings = siblings(repo);
    if siblings.is_empty() {
        return false;
    }
    let Ok(lock) = Store::lock_for_writing_within(&edition::folder(repo), PATIENCE) else { return false };
    !has_index(repo) && siblings.iter().any(|sibling| Store::seed_from(&lock, sibling).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::fixture::GitFixture;

    #[test]
    fn a_new_worktree_starts_from_a_sibling() {
        let fixture = GitFixture::new();
        fixture.commit("first");
        fixture.git(&["worktree", "add", "-q", "../linked"]);
        let main = fixture.open();
        let linked = Repository::open(&fixture.place("linked")).unwrap();
        assert!(siblings(&linked).is_empty() && !seed(&linked));

        drop(Store::open(&edition::folder(&main)).unwrap());
        assert_eq!(siblings(&linked), [edition::folder(&main)]);
        assert!(seed(&linked) && has_index(&linked));
        assert!(Store::open_read_only(&edition::folder(&linked)).is_ok());
        assert!(!seed(&linked), "there is one now");
    }

    #[test]
    fn a_sibling_that_cannot_be_read_is_left_out() {
        let fixture = GitFixture::new();
        fixture.commit("first");
        fixture.git(&["worktree", "add", "-q", "../linked"]);
        let linked = Repository::open(&fixture.place("linked")).unwrap();
        fs::create_dir_all(edition::folder(&fixture.open())).unwrap();
        fs::write(edition::file(&fixture.open()), "no index").unwrap();
        assert!(!seed(&linked) && !has_index(&linked));
    }
}
