//! The files that git tracks, read from git's own index file.
//!
//! The file `.git/index` is read in its versions 2 to 4; for others `git ls-files --stage` gives the list. Only
//! membership counts: the stat data and ids in it may be older than the worktree. The index is never written or locked.

use crate::git::{Repository, is_regular, path};

/// The tracked paths.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tracked {
    /// Regular files, in the order of the index. Files left out of a sparse checkout are not among them.
    pub(crate) files: Vec<String>,
    /// Submodules.
    pub(crate) submodules: Vec<String>,
}

/// The tracked paths of this worktree; of the files only those that `wanted` accepts.
pub(crate) fn read(repo: &Repository, wanted: &(dyn Fn(&str) -> bool + Sync)) -> Tracked {
    let Ok(bytes) = std::fs::read(repo.git_dir.join("index")) else { return Tracked::default() };
    parse(&bytes, repo.objects.id_length(), wanted)
        .or_else(|| Some(from_listing(&repo.objects.staged()?, wanted)))
        .unwrap_or_default()
}

const EXTENDED: u16 = 0x4000;
const SKIP_WORKTREE: u16 = 0x4000;
const SUBMODULE: u32 = 0o160_000;

/// Reads the file format; `None` for an unknown format (a split index, a newer version) and for damage.
fn parse(bytes: &[u8], id_length: usize, wanted: &(dyn Fn(&str) -> bool + Sync)) -> Option<Tracked> {
    let mut input = bytes.strip_prefix(b"DIRC")?;
    let version = number(&mut input)?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut tracked = Tracked::default();
    let mut name = Vec::new();
    for _ in 0..number(&mut input)? {
        // Two times, device and inode; then the mode; then owner, group and size; the id; the flags.
        let entry = input;
        take(&mut input, 24)?;
        let mode = number(&mut input)?;
        take(&mut input, 12 + id_length)?;
        let flags = short(&mut input)?;
        let more_flags = if flags & EXTENDED != 0 { short(&mut input)? } else { 0 };
        let is_same = read_name(&mut input, &mut name, version, entry.len())?;
        if is_same || more_flags & SKIP_WORKTREE != 0 {
            continue;
        }
        add(&mut tracked, mode, &name, wanted);
    }
    // Extensions follow, then the file's hash. `link`: the rest of the entries is in another file.
    while input.len() > id_length {
        let signature = take(&mut input, 4)?;
        let size = number(&mut input)?;
        if signature == b"link" {
            return None;
        }
        take(&mut input, size as usize)?;
    }
    Some(tracked)
}

/// Reads an entry's name over the one before it; true when they are the same (stages of a conflict).
fn read_name(input: &mut &[u8], name: &mut Vec<u8>, version: u32, entry: usize) -> Option<bool> {
    if version == 4 {
        // Version 4 stores the bytes to drop from the name before, and the new end.
        let kept = name.len().checked_sub(offset(input)?)?;
        let end = input.iter().position(|byte| *byte == 0)?;
        let is_same = name[kept..] == input[..end];
        name.truncate(kept);
        name.extend_from_slice(&input[..end]);
        *input = &input[end + 1..];
        return Some(is_same);
    }
    let end = input.iter().position(|byte| *byte == 0)?;
    let is_same = name[..] == input[..end];
    name.clear();
    name.extend_from_slice(&input[..end]);
    // One to eight zero bytes fill the entry up to a multiple of eight.
    let length = entry - input.len() + end;
    take(input, end + 8 - length % 8)?;
    Some(is_same)
}

/// Reads `git ls-files --stage -z`: `100644 ID 0`, a tab, then the path.
fn from_listing(listing: &[u8], wanted: &(dyn Fn(&str) -> bool + Sync)) -> Tracked {
    let mut tracked = Tracked::default();
    let mut previous: &[u8] = b"";
    for line in listing.split(|byte| *byte == 0) {
        let Some(tab) = line.iter().position(|byte| *byte == b'\t') else { continue };
        let mode = line.split(|byte| *byte == b' ').next().and_then(|mode| std::str::from_utf8(mode).ok());
        let mode = mode.and_then(|mode| u32::from_str_radix(mode, 8).ok()).unwrap_or(0);
        let name = &line[tab + 1..];
        // A conflict lists the same path up to three times.
        if name != previous {
            add(&mut tracked, mode, name, wanted);
        }
        previous = name;
    }
    tracked
}

fn add(tracked: &mut Tracked, mode: u32, name: &[u8], wanted: &(dyn Fn(&str) -> bool + Sync)) {
    if mode == SUBMODULE {
        tracked.submodules.push(path::quote(name));
    } else if is_regular(mode) {
        let path = path::quote(name);
        if wanted(&path) {
            tracked.files.push(path);
        }
    }
}

fn take<'a>(input: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (head, rest) = input.split_at_checked(length)?;
    *input = rest;
    Some(head)
}

fn number(input: &mut &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(take(input, 4)?.try_into().ok()?))
}

fn short(input: &mut &[u8]) -> Option<u16> {
    Some(u16::from_be_bytes(take(input, 2)?.try_into().ok()?))
}

/// git's variable-length number for offsets.
fn offset(input: &mut &[u8]) -> Option<usize> {
    let mut byte = take(input, 1)?[0];
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        byte = take(input, 1)?[0];
        value = value.checked_add(1)?.checked_mul(128)? + usize::from(byte & 0x7f);
    }
    Some(value)
}
