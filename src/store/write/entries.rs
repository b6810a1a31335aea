//! Lists of 64-bit numbers as bytes, for the answers to questions.
//!
//! Each number takes as few bytes as it needs (LEB128); sorted numbers are stored by their distances.

use crate::store::error::StoreError;

/// Appends one number.
pub(crate) fn put(number: u64, bytes: Vec<u8>) -> Result<Vec<u8>, StoreError> {
    Ok(postcard::to_extend(&number, bytes)?)
}

/// Takes one number from the front; `None` for bytes that [`put`] cannot have given.
pub(crate) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let (number, rest) = postcard::take_from_bytes(bytes).ok()?;
    *bytes = rest;
    Some(number)
}

/// Writes sorted numbers. They are many short lists, so their length is for others to keep.
pub(crate) fn write(entries: &[u64], mut bytes: Vec<u8>) -> Result<Vec<u8>, StoreError> {
    let mut last = 0;
    for &entry in entries {
        bytes = put(entry.wrapping_sub(last), bytes)?;
        last = entry;
    }
    Ok(bytes)
}

/// All numbers in `bytes`; `None` for bytes that [`write`] cannot have made.
pub(crate) fn read(mut bytes: &[u8]) -> Option<Vec<u64>> {
    let (mut entries, mut last) = (Vec::new(), 0_u64);
    while !bytes.is_empty() {
        last = last.wrapping_add(take(&mut bytes)?);
        entries.push(last);
    }
    Some(entries)
}

#[cfg(test)]
mod tests {
    use super::{read, write};

    #[test]
    fn what_is_written_is_read() {
        for entries in [&[][..], &[0], &[127, 128, 1 << 40], &[u64::MAX], &[5, u64::MAX, 7]] {
            assert_eq!(read(&write(entries, Vec::new()).unwrap()).as_deref(), Some(entries));
        }
    }

    #[test]
    fn damage_is_told() {
        assert_eq!(read(&[0x80]), None, "cut off");
        assert_eq!(read(&[0xff; 12]), None, "too long");
    }
}
