//! Texts as vectors: what means the same lies near.
//!
//! Goes in: chunks and questions. Comes out: vectors. Three embedders: a table of words in the binary (the default: no
//! download, no network), models of the BERT family from a local folder, and an HTTP service that the user chose. Knows
//! no tables of the index and no ranking.

pub mod table;

pub use table::Table;

/// A vector as it is stored and compared: its largest number is 127 or -127. Cosines do not depend on the scale.
pub fn quantized(vector: &[f32]) -> Vec<u8> {
    let largest = vector.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
    let scale = if largest > 0.0 { 127.0 / largest } else { 0.0 };
    #[expect(clippy::cast_possible_truncation, reason = "between -127 and 127")]
    vector.iter().map(|number| (number * scale).round() as i8).map(i8::cast_unsigned).collect()
}
