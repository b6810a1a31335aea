//! The newer state of a review: whether the worktree is it, and its files.

use std::{cell::OnceCell, collections::BTreeMap};

use crate::{
    git::{Repository, patch::Patched},
    index::is_indexed,
    query::source::Sources,
};

/// Whether the worktree's indexed files are those of `commit`.
pub fn is_worktree(repo: &Repository, commit: &str) -> bool {
    // The index of a bare repository describes HEAD.
    repo.head().ok().flatten().as_deref() == Some(commit)
        && (repo.root().is_none() || repo.has_worktree_of(commit, &is_indexed))
}

/// The files of a commit.
pub fn sources_of<'r>(repo: &'r Repository, commit: &str) -> Sources<'r> {
    // Listing a tree is slow, so it waits for the first file.
    let blobs: OnceCell<BTreeMap<String, String>> = OnceCell::new();
    let commit = commit.to_owned();
    Sources::new(move |path| {
        let blobs = blobs.get_or_init(|| {
            let files = repo.tree_files(&commit).unwrap_or_default();
            files.into_iter().map(|file| (file.path, file.blob)).collect()
        });
        repo.read_blob(blobs.get(path)?).ok()
    })
}

/// The files of the worktree with a patch.
pub fn patched_sources<'r>(repo: &'r Repository, files: &'r Patched) -> Sources<'r> {
    Sources::new(move |path| match files.get(path) {
        Some(content) => content.clone(),
        None => repo.read(path).ok(),
    })
}
