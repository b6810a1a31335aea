//! The errors of an index, in the words of its user.
//!
//! The kind of a [`StoreError`] tells the caller whether to rebuild the index, to wait, or to ask the user for room or
//! rights.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use thiserror::Error;

/// Why the index could not be read or written.
#[derive(Debug, Error)]
pub enum StoreError {
    /// There is no index yet.
    #[error("there is no index at {}: run `repoidx index` to build it", .0.display())]
    Missing(PathBuf),
    /// Another process holds the index for longer than we are willing to wait.
    #[error("another process is busy writing the index: try again when it is done")]
    Busy,
    /// The content contradicts itself or was not written by us.
    #[error("the index is damaged ({0}): `repoidx index --full` builds it anew")]
    Damaged(String),
    /// Made by a later version of this program.
    #[error(
        "the index was made by a newer repoidx (format {0}): update repoidx, or run `repoidx index --full` to replace it"
    )]
    Newer(i32),
    /// Made by an earlier version of this program.
    #[error("the index was made by an older repoidx (format {0}): `repoidx index --full` builds it anew")]
    Older(i32),
    /// Something else is where the index belongs.
    #[error("{} is {what}, not an index of repoidx: move it away, or run `repoidx index --full` to set it aside", path.display())]
    NotOurs { path: PathBuf, what: &'static str },
    /// The directory of the index is not one that may be used.
    #[error("{} is {what}, so no index is kept in it: remove it and try again", path.display())]
    Blocked { path: PathBuf, what: &'static str },
    /// The disk, the quota or a size limit is exhausted.
    #[error("no room to write the index: free some disk space and try again; the old index is unchanged")]
    Full,
    /// The file, its directory or its file system cannot be written.
    #[error("the index is read-only: make its directory writable, or use --no-update to read what is there")]
    ReadOnly,
    /// The operating system refuses access.
    #[error("no permission to use {}: change its owner or mode", .0.display())]
    Denied(PathBuf),
    /// The operating system reports another failure.
    #[error("reading or writing {}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// The disk fails while SQLite reads or writes.
    #[error("reading or writing the index: {0}: check the disk and its free space, then try again")]
    Disk(rusqlite::Error),
    /// SQLite refuses our statement: an error of this program.
    #[error("unexpected answer of SQLite: {0}: please report this")]
    Unexpected(rusqlite::Error),
}

impl StoreError {
    /// Whether setting the file aside and building anew is the way out.
    pub fn is_rebuildable(&self) -> bool {
        matches!(self, Self::Missing(_) | Self::Damaged(_) | Self::Newer(_) | Self::Older(_) | Self::NotOurs { .. })
    }

    /// For `map_err`: an error of the file system about `path`.
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> StoreError + '_ {
        move |source| match source.kind() {
            io::ErrorKind::PermissionDenied => Self::Denied(path.to_owned()),
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => Self::Full,
            _ => Self::Io { path: path.to_owned(), source },
        }
    }

    /// Content that no version of this program writes.
    pub(crate) fn damaged(what: &str) -> StoreError {
        Self::Damaged(what.to_owned())
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error as Sql;
        match &error {
            Sql::FromSqlConversionFailure(..)
            | Sql::IntegralValueOutOfRange(..)
            | Sql::Utf8Error(..)
            | Sql::InvalidColumnType(..)
            | Sql::QueryReturnedNoRows => Self::Damaged(error.to_string()),
            Sql::SqliteFailure(failure, _) => match failure.code {
                ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::ConstraintViolation => {
                    Self::Damaged(error.to_string())
                }
                ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed => {
                    Self::Busy
                }
                ErrorCode::DiskFull => Self::Full,
                ErrorCode::ReadOnly => Self::ReadOnly,
                ErrorCode::SystemIoFailure | ErrorCode::CannotOpen | ErrorCode::PermissionDenied => Self::Disk(error),
                _ => Self::Unexpected(error),
            },
            _ => Self::Unexpected(error),
        }
    }
}

impl From<postcard::Error> for StoreError {
    fn from(error: postcard::Error) -> Self {
        Self::Damaged(format!("an encoded list cannot be read: {error}"))
    }
}
