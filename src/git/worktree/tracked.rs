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
    let id_length = repo.objects.id_length();
    let mut tracked = Tracked::default();
    let parsed = each_entry(&bytes, id_length, &mut |entry| {
        if !entry.is_left_out {
            add(&mut tracked, entry.mode, entry.name, wanted);
        }
    });
    match parsed {
        Some(_) => tracked,
        None => repo.objects.staged().map(|listing| from_listing(&listing, wanted)).unwrap_or_default(),
    }
}

/// One path in git's index. Of a conflict only the first stage is seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexEntry<'i> {
    pub(crate) name: &'i [u8],
    pub(crate) mode: u32,
    /// Id of the content, as bytes.
    pub(crate) id: &'i [u8],
    /// Bytes of the file that git looked at, cut to 32 bits.
    pub(crate) size: u32,
    pub(crate) mtime_ns: i64,
    /// Left out of a sparse checkout.
    pub(crate) is_left_out: bool,
    /// The user told git to take it for unchanged.
    pub(crate) is_assumed: bool,
    /// A stage of a conflict, or a path without a content yet: its id means nothing.
    pub(crate) is_open: bool,
}

const ASSUMED: u16 = 0x8000;
const EXTENDED: u16 = 0x4000;
const STAGES: u16 = 0x3000;
const SKIP_WORKTREE: u16 = 0x4000;
const INTENT_TO_ADD: u16 = 0x2000;
const SUBMODULE: u32 = 0o160_000;

/// Reads the file format and shows each entry; `None` for an unknown format (a split index, a newer version) and for
/// damage. Returns the id of the tree that the entries are; it is empty where git has not noted it.
pub(crate) fn each_entry<'i>(
    bytes: &'i [u8],
    id_length: usize,
    show: &mut dyn FnMut(IndexEntry<'_>),
) -> Option<&'i [u8]> {
    let mut input = bytes.strip_prefix(b"DIRC")?;
    let version = number(&mut input)?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut name = Vec::new();
    for _ in 0..number(&mut input)? {
        // Two times, device and inode; then the mode; then owner, group and size; the id; the flags.
        let entry = input;
        take(&mut input, 8)?;
        let seconds = i64::from(number(&mut input)?);
        let mtime_ns = seconds * 1_000_000_000 + i64::from(number(&mut input)?);
        take(&mut input, 8)?;
        let mode = number(&mut input)?;
        take(&mut input, 8)?;
        let size = number(&mut input)?;
        let id = take(&mut input, id_length)?;
        let flags = short(&mut input)?;
        let more_flags = if flags & EXTENDED != 0 { short(&mut input)? } else { 0 };
        if read_name(&mut input, &mut name, version, entry.len())? {
            continue;
        }
        show(IndexEntry {
            name: &name,
            mode,
            id,
            size,
            mtime_ns,
            is_left_out: more_flags & SKIP_WORKTREE != 0,
            is_assumed: flags & ASSUMED != 0,
            is_open: flags & STAGES != 0 || more_flags & INTENT_TO_ADD != 0,
        });
    }
    let mut tree: &[u8] = &[];
    // Extensions follow, then the file's hash. `link`: the rest of the entries is in another file.
    while input.len() > id_length {
        let signature = take(&mut input, 4)?;
        let size = number(&mut input)?;
        let content = take(&mut input, size as usize)?;
        match signature {
            b"link" => return None,
            b"TREE" => tree = root_tree(content, id_length).unwrap_or_default(),
            _ => {}
        }
    }
    Some(tree)
}

/// The id in the first record of the extension `TREE`: an empty name, the number of entries (negative where the tree
/// is not known), the number of trees below, the id.
fn root_tree(content: &[u8], id_length: usize) -> Option<&[u8]> {
    let rest = content.strip_prefix(b"\0")?;
    let line = rest.iter().position(|byte| *byte == b'\n')?;
    if rest.starts_with(b"-") { None } else { rest.get(line + 1..line + 1 + id_length) }
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
