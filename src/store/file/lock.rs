//! One writer at a time, and the files beside the index.
//!
//! Every update and every full build holds the lock of the index directory from before it reads until its end. The
//! operating system drops the lock with the process, so no lock is ever stale. The holder may replace the index file or
//! move it aside, and removes the leftovers of killed builds.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::store::error::StoreError;

/// The index inside its directory.
pub(crate) const FILE_NAME: &str = "index.db";

/// A damaged or foreign file that was moved out of the way.
const BAD_NAME: &str = "index.db.bad";

/// A full build under way; the process id follows.
const NEW_PREFIX: &str = "index.db.new-";

/// The right to write the index in one directory; clones share it, the last one to be dropped gives it back.
#[derive(Clone, Debug)]
#[must_use = "the right to write ends when this is dropped"]
pub struct WriteLock {
    dir: PathBuf,
    _file: Arc<File>,
}

impl WriteLock {
    /// Waits for the lock for as long as other writers take, or at most for `patience`.
    pub(crate) fn take(dir: &Path, patience: Option<Duration>) -> Result<WriteLock, StoreError> {
        let dir = usable_dir(dir)?;
        let path = dir.join("write.lock");
        let file = open_private(&path).map_err(StoreError::at(&path))?;
        match patience {
            None => file.lock().map_err(StoreError::at(&path))?,
            Some(patience) => lock_within(&file, patience)
                .map_err(StoreError::at(&path))
                .and_then(|is_ours| if is_ours { Ok(()) } else { Err(StoreError::Busy) })?,
        }
        let lock = WriteLock { dir, _file: Arc::new(file) };
        lock.sweep()?;
        Ok(lock)
    }

    /// The directory of the index, without symbolic links.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The index.
    pub(crate) fn index_path(&self) -> PathBuf {
        self.dir.join(FILE_NAME)
    }

    /// Where this process builds an index anew.
    pub(crate) fn new_path(&self) -> PathBuf {
        self.dir.join(format!("{NEW_PREFIX}{}", std::process::id()))
    }

    /// Moves whatever is in the index's place to `index.db.bad`, replacing the one that was there.
    pub(crate) fn set_aside(&self) -> Result<(), StoreError> {
        let (path, bad) = (self.index_path(), self.dir.join(BAD_NAME));
        for suffix in ["", "-wal", "-shm"] {
            let (from, to) = (with_suffix(&path, suffix), with_suffix(&bad, suffix));
            remove_whatever(&to).map_err(StoreError::at(&to))?;
            match fs::rename(&from, &to) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(StoreError::at(&from)(error)),
                _ => {}
            }
        }
        self.clear_companions()
    }

    /// Removes the files that belong to an index that is no longer there: applied to another one they would destroy it.
    pub(crate) fn clear_companions(&self) -> Result<(), StoreError> {
        for suffix in ["-wal", "-shm", "-journal", "-stamp"] {
            let path = with_suffix(&self.index_path(), suffix);
            remove_whatever(&path).map_err(StoreError::at(&path))?;
        }
        Ok(())
    }

    /// Removes the unfinished files of builds that died. The caller holds the lock, so no build is running.
    pub(crate) fn sweep(&self) -> Result<(), StoreError> {
        for entry in fs::read_dir(&self.dir).map_err(StoreError::at(&self.dir))? {
            let entry = entry.map_err(StoreError::at(&self.dir))?;
            if entry.file_name().to_str().is_some_and(|name| name.starts_with(NEW_PREFIX)) {
                remove_whatever(&entry.path()).map_err(StoreError::at(&entry.path()))?;
            }
        }
        Ok(())
    }
}

/// The directory without symbolic links, made with mode 0700 when it is missing. The directory itself must not be a
/// link: it lies in the git directory, which may come from a stranger.
pub(crate) fn usable_dir(dir: &Path) -> Result<PathBuf, StoreError> {
    if let Some(dir) = existing_dir(dir)? {
        return Ok(dir);
    }
    create_dir(dir).map_err(StoreError::at(dir))?;
    existing_dir(dir)?.ok_or_else(|| StoreError::at(dir)(ErrorKind::NotFound.into()))
}

/// Like `usable_dir`, but `None` when it is missing.
pub(crate) fn existing_dir(dir: &Path) -> Result<Option<PathBuf>, StoreError> {
    match fs::symlink_metadata(dir) {
        Ok(metadata) if metadata.is_dir() => dir.canonicalize().map(Some).map_err(StoreError::at(dir)),
        Ok(metadata) => Err(StoreError::Blocked { path: dir.to_owned(), what: kind_of(&metadata) }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::at(dir)(error)),
    }
}

/// The kind of thing in a file's place, in words.
pub(crate) fn kind_of(metadata: &fs::Metadata) -> &'static str {
    match metadata.file_type() {
        kind if kind.is_symlink() => "a symbolic link",
        kind if kind.is_dir() => "a directory",
        kind if kind.is_file() => "a file",
        _ => "a special file",
    }
}

/// `path` with something added to its last part.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Creates a file that only its owner may use, or opens the one that is there; a symbolic link is refused.
pub(crate) fn open_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    let mut creation = options.clone();
    creation.create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut creation, 0o600);
    match creation.open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            if !fs::symlink_metadata(path)?.is_file() {
                return Err(io::Error::other("it is not a regular file: remove it and try again"));
            }
            options.open(path)
        }
        result => result,
    }
}

/// Removes a file, a link (not its target) or a directory; a missing one is no error.
pub(crate) fn remove_whatever(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn create_dir(dir: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Whether the lock could be had within `patience`.
fn lock_within(file: &File, patience: Duration) -> io::Result<bool> {
    let deadline = Instant::now() + patience;
    let mut pause = Duration::from_millis(1);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if Instant::now() >= deadline => return Ok(false),
            Err(TryLockError::WouldBlock) => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;
    use crate::store::{Store, write::bulk::BulkBuilder};

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn only_the_owner_may_read_the_index() {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("repoidx");
        let mut store = Store::open(&inner).unwrap();
        store.write().unwrap().commit().unwrap();
        let lock = Store::lock_for_writing(&inner).unwrap();
        let builder = BulkBuilder::new(&lock).unwrap();
        assert_eq!(mode(&inner), 0o700);
        let files: Vec<PathBuf> = fs::read_dir(&inner).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(files.len() >= 5, "{files:?}");
        for file in files {
            assert_eq!(mode(&file), 0o600, "{}", file.display());
        }
        drop(builder);
    }

    #[test]
    fn what_is_behind_a_link_is_not_touched() {
        let (dir, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let victim = outside.path().join("victim");
        fs::write(&victim, b"precious").unwrap();
        for name in ["index.db", "index.db-wal", "index.db-stamp", "index.db.bad", "index.db.new-1"] {
            symlink(&victim, dir.path().join(name)).unwrap();
        }
        symlink(outside.path(), dir.path().join("index.db.bad-wal")).unwrap();
        let error = Store::open(dir.path()).unwrap_err();
        assert!(matches!(error, StoreError::NotOurs { what: "a symbolic link", .. }));
        assert!(error.is_rebuildable());
        assert!(Store::open_read_only(dir.path()).is_err());
        let lock = Store::lock_for_writing(dir.path()).unwrap();
        assert!(Store::open_locked(&lock).is_err());
        Store::set_aside(&lock).unwrap();
        BulkBuilder::new(&lock).unwrap().end_load().unwrap().finish(&[]).unwrap().verify().unwrap();
        assert_eq!(fs::read_link(dir.path().join("index.db.bad")).unwrap(), victim);
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_directory_in_the_index_s_place_is_moved_aside() {
        let dir = tempfile::tempdir().unwrap();
        for round in 0..2 {
            fs::create_dir(dir.path().join("index.db")).unwrap();
            fs::write(dir.path().join("index.db/notes"), format!("{round}")).unwrap();
            let error = Store::open(dir.path()).unwrap_err();
            assert!(matches!(error, StoreError::NotOurs { what: "a directory", .. }));
            let lock = Store::lock_for_writing(dir.path()).unwrap();
            Store::set_aside(&lock).unwrap();
        }
        assert_eq!(fs::read(dir.path().join("index.db.bad/notes")).unwrap(), b"1");
    }

    #[test]
    fn a_link_or_file_in_place_of_the_lock_or_the_directory_is_refused() {
        let (dir, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        symlink(outside.path().join("new"), dir.path().join("write.lock")).unwrap();
        assert!(Store::lock_for_writing(dir.path()).is_err());
        let link = dir.path().join("link");
        symlink(outside.path(), &link).unwrap();
        assert!(matches!(Store::open(&link), Err(StoreError::Blocked { what: "a symbolic link", .. })));
        assert!(matches!(Store::open_read_only(&link), Err(StoreError::Blocked { .. })));
        let file = dir.path().join("file");
        fs::write(&file, b"").unwrap();
        assert!(matches!(Store::open(&file), Err(StoreError::Blocked { what: "a file", .. })));
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    }
}
