//! One writer at a time, and the files that stand around the index.
//!
//! Goes in: the directory of the index. Comes out: the lock that every update and every full build holds from before it
//! reads until its end. The operating system drops it when the process dies, so no lock is ever stale. Whoever holds it
//! may replace the file or move it aside, and sweeps up what killed builds left. Knows no SQL.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::store::error::StoreError;

/// The index inside its directory.
pub(super) const FILE_NAME: &str = "index.db";

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
    pub(super) fn take(dir: &Path, patience: Option<Duration>) -> Result<WriteLock, StoreError> {
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
    pub(super) fn index_path(&self) -> PathBuf {
        self.dir.join(FILE_NAME)
    }

    /// Where this process builds an index anew.
    pub(super) fn new_path(&self) -> PathBuf {
        self.dir.join(format!("{NEW_PREFIX}{}", std::process::id()))
    }

    /// Moves whatever is in the index's place to `index.db.bad`, replacing the one that was there.
    pub(super) fn set_aside(&self) -> Result<(), StoreError> {
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
    pub(super) fn clear_companions(&self) -> Result<(), StoreError> {
        for suffix in ["-wal", "-shm", "-journal", "-stamp"] {
            let path = with_suffix(&self.index_path(), suffix);
            remove_whatever(&path).map_err(StoreError::at(&path))?;
        }
        Ok(())
    }

    /// Removes the unfinished files of builds that died: with the lock in hand, nobody else is building.
    pub(super) fn sweep(&self) -> Result<(), StoreError> {
        for entry in fs::read_dir(&self.dir).map_err(StoreError::at(&self.dir))? {
            let entry = entry.map_err(StoreError::at(&self.dir))?;
            if entry.file_name().to_str().is_some_and(|name| name.starts_with(NEW_PREFIX)) {
                remove_whatever(&entry.path()).map_err(StoreError::at(&entry.path()))?;
            }
        }
        Ok(())
    }
}

/// The directory without symbolic links, made with mode 0700 when it is missing. The directory itself must not be a link:
/// it lies in the git directory, which may come from somebody else.
pub(super) fn usable_dir(dir: &Path) -> Result<PathBuf, StoreError> {
    if let Some(dir) = existing_dir(dir)? {
        return Ok(dir);
    }
    create_dir(dir).map_err(StoreError::at(dir))?;
    existing_dir(dir)?.ok_or_else(|| StoreError::at(dir)(ErrorKind::NotFound.into()))
}

/// Like `usable_dir`, but `None` when it is missing.
pub(super) fn existing_dir(dir: &Path) -> Result<Option<PathBuf>, StoreError> {
    match fs::symlink_metadata(dir) {
        Ok(metadata) if metadata.is_dir() => dir.canonicalize().map(Some).map_err(StoreError::at(dir)),
        Ok(metadata) => Err(StoreError::Blocked { path: dir.to_owned(), what: kind_of(&metadata) }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::at(dir)(error)),
    }
}

/// What stands in a file's place, in words.
pub(super) fn kind_of(metadata: &fs::Metadata) -> &'static str {
    match metadata.file_type() {
        kind if kind.is_symlink() => "a symbolic link",
        kind if kind.is_dir() => "a directory",
        kind if kind.is_file() => "a file",
        _ => "a special file",
    }
}

/// `path` with something added to its last part.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Creates a file that only its owner may use, or opens the one that is there; a symbolic link is refused.
pub(super) fn open_private(path: &Path) -> io::Result<File> {
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

/// Removes a file, a link (not what is behind it) or a directory; nothing there is fine.
pub(super) fn remove_whatever(path: &Path) -> io::Result<()> {
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
