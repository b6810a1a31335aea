//! Which files are withheld from models, kept from one call of a server to the next.
//!
//! The ignore files are read at every call. While their texts are the same, the answers about paths that were asked
//! before still hold: to match a path against all rules costs more than to look it up.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{
    git::worktree::exclusions::{EXCLUSION_FILES, Exclusions},
    query::source::Sources,
};

/// Answers that are kept of one repository: more paths than that are matched anew.
const MAX_PATHS: usize = 200_000;

/// The rules of one state of the ignore files, with the answers that they gave.
#[derive(Debug)]
pub struct WithheldPaths {
    texts: Vec<Option<String>>,
    rules: Exclusions,
    known: Mutex<HashMap<String, bool>>,
}

impl WithheldPaths {
    /// The rules of the current ignore files.
    pub fn of(sources: &Sources) -> Self {
        Self::with(texts(sources))
    }

    fn with(texts: Vec<Option<String>>) -> Self {
        let rules = Exclusions::new(texts.iter().flatten().map(String::as_str));
        Self { texts, rules, known: Mutex::default() }
    }

    /// Whether a path, relative to the root, or a folder above it, is kept back.
    pub fn has(&self, path: &str) -> bool {
        let mut known = locked(&self.known);
        if let Some(is_withheld) = known.get(path) {
            return *is_withheld;
        }
        let is_withheld = self.rules.has(path);
        if known.len() >= MAX_PATHS {
            known.clear();
        }
        known.insert(path.to_owned(), is_withheld);
        is_withheld
    }
}

/// The rules of each repository that a process has opened.
#[derive(Debug, Default)]
pub(super) struct WithheldMemo {
    repositories: Mutex<HashMap<PathBuf, Arc<WithheldPaths>>>,
}

impl WithheldMemo {
    /// The rules of the current ignore files of the repository at `place`: those of the last call, unless a text
    /// changed.
    pub(super) fn of(&self, place: &Path, sources: &Sources) -> Arc<WithheldPaths> {
        let texts = texts(sources);
        let mut repositories = locked(&self.repositories);
        if let Some(paths) = repositories.get(place).filter(|paths| paths.texts == texts) {
            return Arc::clone(paths);
        }
        let paths = Arc::new(WithheldPaths::with(texts));
        repositories.insert(place.to_owned(), Arc::clone(&paths));
        paths
    }
}

fn texts(sources: &Sources) -> Vec<Option<String>> {
    EXCLUSION_FILES.iter().map(|file| sources.text(file).map(|text| text.to_string())).collect()
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edited_ignore_file_counts_at_the_next_call() {
        let memo = WithheldMemo::default();
        let of = |text: &str| {
            let text = text.to_owned();
            let sources = Sources::new(move |path| (path == ".aiignore").then(|| text.clone().into_bytes()));
            memo.of(Path::new("/a"), &sources)
        };
        let first = of("private/\n");
        assert!(first.has("private/a.py") && !first.has("public/a.py") && first.has("private/a.py"));
        assert!(Arc::ptr_eq(&first, &of("private/\n")), "nothing changed");
        let second = of("public/\n");
        assert!(second.has("public/a.py") && !second.has("private/a.py"));
        let other = memo.of(Path::new("/b"), &Sources::new(|_| None));
        assert!(!other.has("public/a.py") && other.has(".env"));
    }
}
