//! Whether the file is unchanged since our last update.
//!
//! SQLite notices most damage by itself, but not a changed letter in a name. Checking every page takes time in
//! proportion to the index. So every update leaves the file's size and time beside it, and a file that differs is not
//! trusted.
//!
//! A writer that is about to move pages into the file first leaves `busy`. When it is killed there, SQLite's own log
//! repairs the file, and the next update leaves a new stamp.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::store::error::StoreError;
use crate::store::file::lock::{open_private, with_suffix};

const BUSY: &str = "busy";

/// The result of comparing a file with its stamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StampVerdict {
    /// As we left it, or a writer of ours is or was at work.
    Ours,
    /// Changed by another program, or never stamped.
    Changed,
}

/// Compares the file with its stamp.
pub(crate) fn verdict(index: &Path) -> Result<StampVerdict, StoreError> {
    let Ok(file) = fs::File::open(stamp_path(index)) else { return Ok(StampVerdict::Changed) };
    let mut stamp = String::new();
    let is_read = file.take(100).read_to_string(&mut stamp).is_ok();
    let is_ours = is_read && (stamp == padded(BUSY) || stamp == padded(&fingerprint(index)?));
    Ok(if is_ours { StampVerdict::Ours } else { StampVerdict::Changed })
}

/// Notes that the file is about to change.
pub(crate) fn mark_busy(index: &Path) -> Result<(), StoreError> {
    write(index, BUSY)
}

/// Notes that the file is complete.
pub(crate) fn mark_done(index: &Path) -> Result<(), StoreError> {
    write(index, &fingerprint(index)?)
}

fn stamp_path(index: &Path) -> PathBuf {
    with_suffix(index, "-stamp")
}

fn fingerprint(index: &Path) -> Result<String, StoreError> {
    let metadata = fs::symlink_metadata(index).map_err(StoreError::at(index))?;
    let modified = metadata.modified().map_err(StoreError::at(index))?;
    let since = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(format!("{} {}.{:09}", metadata.len(), since.as_secs(), since.subsec_nanos()))
}

/// Overwrites in place: every stamp has the same length, so one write replaces the old one.
fn write(index: &Path, text: &str) -> Result<(), StoreError> {
    let path = stamp_path(index);
    let mut file = open_private(&path).map_err(StoreError::at(&path))?;
    file.write_all(padded(text).as_bytes()).map_err(StoreError::at(&path))
}

fn padded(text: &str) -> String {
    format!("{text:<63}\n")
}
