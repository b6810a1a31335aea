//! The indexed files that differ from a commit.
//!
//! Contents count, not times.

use std::collections::BTreeMap;

use crate::{cli::session::Session, error::Failure, git::TreeFile};

/// The indexed files that differ from the last commit.
pub(crate) fn uncommitted(session: &Session) -> Result<Vec<String>, Failure> {
    match session.repo.head()? {
        Some(head) => changed_since(session, &head),
        None => Ok(session.store.files()?.into_iter().map(|(_, file)| file.path).collect()),
    }
}

/// The indexed files that differ from a revision. A deleted file has no definitions left to find.
pub(crate) fn changed_since(session: &Session, rev: &str) -> Result<Vec<String>, Failure> {
    let repo = &session.repo;
    let base = repo.resolve(rev).map_err(|error| Failure::usage(error.to_string(), "git log --oneline"))?;
    if repo.root().is_none() {
        let head = repo.head()?.unwrap_or_else(|| base.clone());
        return Ok(repo.tree_changes(&base, &head)?.into_iter().map(|change| change.path).collect());
    }
    let before: BTreeMap<String, TreeFile> =
        repo.tree_files(&base)?.into_iter().map(|file| (file.path.clone(), file)).collect();
    let mut changed = Vec::new();
    for (_, file) in session.store.files()? {
        let is_same = before.get(&file.path).is_some_and(|old| {
            let has_size = old.size.is_none_or(|size| repo.stat(&file.path).is_some_and(|stat| stat.size == size));
            has_size && repo.read(&file.path).ok() == repo.read_blob(&old.blob).ok()
        });
        if !is_same {
            changed.push(file.path);
        }
    }
    Ok(changed)
}
