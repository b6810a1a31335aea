//! The folder of this build's index: each edition has its own in the data directory.
//!
//! A hook, an environment and an agent may run different versions of repoidx in one repository. With one file they
//! would rebuild it in turn. An edition is the format of the tables, the versions of facts and resolution, and the
//! release. An edition that nobody has used for two weeks is removed by the next one that is at work.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    sync::OnceLock,
    time::{Duration, SystemTime},
};

use crate::{
    facts::FACTS_VERSION,
    git::Repository,
    index::IndexError,
    store::{Store, error::StoreError, file::schema},
};

/// Its time says when the edition was last used.
const USED: &str = "used";
/// First letter of the folders of editions, which nothing else in the data directory begins with.
const PREFIX: &str = "v";
/// An edition that was not used for this long is removed.
const KEPT: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// The time of use is written at most this often.
const NOTED: Duration = Duration::from_secs(24 * 60 * 60);

static PRETENDED: OnceLock<String> = OnceLock::new();

/// Makes this process another edition, so that a test can let two of them work side by side. The first call counts.
pub fn pretend(name: &str) {
    PRETENDED.get_or_init(|| name.to_owned());
}

/// The name of this edition, such as `v0.1.0-9.44.31`.
pub fn name() -> String {
    let (tables, resolution) = (schema::VERSION, crate::resolve::VERSION);
    let pretended = PRETENDED.get().map(|name| format!("-{name}")).unwrap_or_default();
    format!("{PREFIX}{}-{tables}.{FACTS_VERSION}.{resolution}{pretended}", env!("CARGO_PKG_VERSION"))
}

/// The folder of the index of `repo`.
pub fn folder(repo: &Repository) -> PathBuf {
    folder_in(&repo.data_dir())
}

/// The folder of the index in a data directory.
pub fn folder_in(data_dir: &Path) -> PathBuf {
    data_dir.join(name())
}

/// The file of the index of `repo`.
pub fn file(repo: &Repository) -> PathBuf {
    folder(repo).join(Store::FILE_NAME)
}

/// Notes that this edition is in use, and removes those that are not. Whatever cannot be removed stays.
pub(super) fn forget_unused(data_dir: &Path, now: SystemTime) {
    let own = name();
    let mark = data_dir.join(&own).join(USED);
    if age(&mark, now).is_none_or(|age| age > NOTED) {
        // A new file: a link that stands there is not followed.
        fs::remove_file(&mark).ok();
        File::create_new(&mark).ok();
    }
    for entry in fs::read_dir(data_dir).into_iter().flatten().flatten() {
        let is_other = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX) && name != own);
        let folder = entry.path();
        if !is_other || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let unused = age(&folder.join(USED), now).or_else(|| age(&folder, now));
        if unused.is_some_and(|unused| unused > KEPT)
            && let Ok(_lock) = Store::lock_for_writing_within(&folder, Duration::ZERO)
        {
            fs::remove_dir_all(&folder).ok();
        }
    }
}

/// Pages that were opened.
const PAGES: &str = "pages";
/// Files of the hooks' queue, which mean nothing without an index.
const QUEUE: [&str; 5] = ["dirty", "working", "last.log", "worker.lock", "embed.lock"];

/// Removes the indexes of all editions, and the files that belong to them. `false` when there was nothing.
///
/// # Errors
/// When the data directory is a link, another process writes the index, or the system refuses.
pub fn remove_all(repo: &Repository) -> Result<bool, IndexError> {
    let data_dir = repo.data_dir();
    Store::check_dir(&data_dir)?;
    let Ok(entries) = fs::read_dir(&data_dir) else { return Ok(false) };
    let mut is_removed = false;
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let is_edition = name.to_str().is_some_and(|name| name.starts_with(PREFIX))
            && entry.file_type().is_ok_and(|kind| kind.is_dir());
        let removed = if is_edition {
            // An update that is under way ends first.
            let _lock = Store::lock_for_writing_within(&path, super::LOCK_PATIENCE)?;
            fs::remove_dir_all(&path)
        } else if name == PAGES {
            fs::remove_dir_all(&path)
        } else if name.to_str().is_some_and(|name| QUEUE.contains(&name)) {
            fs::remove_file(&path)
        } else {
            continue;
        };
        removed.map_err(StoreError::at(&path))?;
        is_removed = true;
    }
    Ok(is_removed)
}

fn age(path: &Path, now: SystemTime) -> Option<Duration> {
    let modified = path.symlink_metadata().and_then(|metadata| metadata.modified()).ok()?;
    now.duration_since(modified).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_editions_that_nobody_used_for_long_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let day = Duration::from_secs(24 * 60 * 60);
        for (name, days) in [("v0.0.1-1.1.1", 15), ("v0.0.2-2.2.2", 13), ("commit", 99)] {
            let folder = dir.path().join(name);
            fs::create_dir(&folder).unwrap();
            File::create(folder.join(USED)).unwrap().set_modified(SystemTime::now() - day * days).unwrap();
        }
        fs::create_dir(folder_in(dir.path())).unwrap();
        let left = || {
            let entries = fs::read_dir(dir.path()).unwrap();
            let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        };
        forget_unused(dir.path(), SystemTime::now());
        assert_eq!(left(), ["commit".to_owned(), "v0.0.2-2.2.2".to_owned(), name()]);
        assert!(folder_in(dir.path()).join(USED).exists());
        forget_unused(dir.path(), SystemTime::now() + day * 3);
        assert_eq!(left(), ["commit".to_owned(), name()]);
    }
}
