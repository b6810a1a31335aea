//! Bytes packed for the index, their length first.

use std::cell::RefCell;

use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::get_frame_content_size;

/// Most bytes that one file's facts or relationships can take: many times those of the largest file that is read. A
/// length beyond it is damage, not a reason to ask for as much memory.
const MAX_LENGTH: usize = 1 << 30;

/// The fastest of zstd's levels; the third makes the index of Django half a percent smaller.
const LEVEL: i32 = 1;

thread_local! {
    // The tables of both are many times larger than the bytes of one call: each thread keeps its own.
    static COMPRESSOR: RefCell<Compressor<'static>> = RefCell::new(Compressor::new(LEVEL).expect("zstd has this level"));
    static DECOMPRESSOR: RefCell<Decompressor<'static>> = RefCell::new(Decompressor::new().expect("an empty dictionary"));
}

/// The bytes, several times shorter.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    COMPRESSOR.with_borrow_mut(|compressor| compressor.compress(bytes)).expect("room for the longest outcome")
}

/// Undoes [`pack`]; `None` for damaged bytes.
pub fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    let length = usize::try_from(get_frame_content_size(packed).ok()??).ok()?;
    if length > MAX_LENGTH {
        return None;
    }
    DECOMPRESSOR.with_borrow_mut(|decompressor| decompressor.decompress(packed, length)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_bytes_come_back() {
        for bytes in [&b""[..], b"x", &b"def f():\n    return g()\n".repeat(1000)] {
            assert_eq!(unpack(&pack(bytes)).as_deref(), Some(bytes));
        }
    }

    #[test]
    fn damaged_bytes_are_none() {
        let packed = pack(&b"def f():\n    return g()\n".repeat(1000));
        assert_eq!(unpack(&packed[..packed.len() - 1]), None, "cut short");
        assert_eq!(unpack(b""), None);
        // A frame whose header promises an exabyte (RFC 8878, section 3.1.1.1: one segment, its length in eight bytes).
        let endless = [&[0x28, 0xb5, 0x2f, 0xfd, 0xe0][..], &(1u64 << 60).to_le_bytes(), &[1, 0, 0]].concat();
        assert_eq!(unpack(&endless), None);
    }
}
