//! Bytes packed for the index, their length first.
//!
//! Goes in: bytes, or what they were packed to. Comes out: the other. Knows nothing of what they mean.

/// Most bytes that one file's facts or relationships can take: many times those of the largest file that is read. A
/// length beyond it is damage, not a reason to ask for as much memory.
const MAX_LENGTH: usize = 1 << 30;

/// The bytes, several times shorter.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    lz4_flex::compress_prepend_size(bytes)
}

/// Undoes [`pack`]; `None` for damaged bytes.
pub fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    let (length, _) = lz4_flex::block::uncompressed_size(packed).ok()?;
    if length > MAX_LENGTH {
        return None;
    }
    lz4_flex::decompress_size_prepended(packed).ok()
}
