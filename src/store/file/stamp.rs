//! Whether the file is unchanged since our last update.
//!
//! SQLite notices most damage by itself, but not a changed letter in a name. Checking every page takes time in
//! proportion to the index. So every update leaves the file's size and time beside it, and a file that differs is not
//! trusted.
//!
//! A writer that is about to move pages into the file first leaves `busy`. When it is killed there, SQLite's own log
//! repairs the file, and the next update leaves a new stamp.
//!
//! Archives in which continuous integration keeps an index may hold its time in whole seconds. A time without a
//! fraction therefore agrees with every time of its second: hardly any other program writes at such a moment.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::store::error::StoreError;
use crate::store::file::lock::{open_private, with_suffix};

const BUSY: &str = "busy";
/// The end of a time without a fraction.
const WHOLE_SECOND: &str = ".000000000";

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
    let now = fingerprint(index)?;
    let is_restored = || {
        let second = now.strip_suffix(WHOLE_SECOND);
        second.is_some_and(|second| stamp.strip_prefix(second).is_some_and(|rest| rest.starts_with('.')))
    };
    let is_ours = is_read && (stamp == padded(BUSY) || stamp == padded(&now) || is_restored());
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

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn a_restored_file_is_ours_and_a_changed_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let index = folder.path().join("index.db");
        let file = fs::File::create(&index).unwrap();
        let set = |time: SystemTime| file.set_modified(time).unwrap();
        let second = UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        let written = second + Duration::from_micros(123_456);
        set(written);
        mark_done(&index).unwrap();
        let is = |time: SystemTime| {
            set(time);
            verdict(&index).unwrap()
        };
        assert_eq!(is(second), StampVerdict::Ours, "an archive keeps whole seconds");
        assert_eq!(is(written), StampVerdict::Ours);
        assert_eq!(is(second + Duration::from_micros(123_457)), StampVerdict::Changed);
        assert_eq!(is(second + Duration::from_secs(1)), StampVerdict::Changed);
        set(second);
        fs::write(&index, "longer").unwrap();
        assert_eq!(is(second), StampVerdict::Changed);
    }
}
