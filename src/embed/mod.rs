//! Texts as vectors: what means the same lies near.
//!
//! Goes in: the fields of chunks, and questions. Comes out: vectors. Three embedders behind one trait: a table of words in
//! the binary (the default: no download, no network), models of the BERT family from a local folder, and an HTTP service
//! that the user chose. Knows no tables of the index and no ranking.

#[cfg_attr(not(feature = "candle"), expect(dead_code, reason = "only models in this process read it"))]
mod folder;
mod local;
mod passage;
mod remote;
pub mod table;

use std::path::PathBuf;

use thiserror::Error;

pub use folder::Hub;
pub use local::{Local, open as open_local};
pub use remote::Remote;
pub use table::Table;

use crate::{llm::error::LlmError, texts::Fields};

/// Makes vectors.
pub trait Embedder: Send + Sync {
    /// Another name means other vectors: those of different names are never compared.
    fn name(&self) -> &str;

    /// The vectors of chunks, in their order, all of one length.
    ///
    /// # Errors
    /// When the model cannot be run or reached.
    fn passages(&self, passages: &[Fields]) -> Result<Vec<Vec<f32>>, EmbedError>;

    /// The vector of a question; `None` when nothing of it means anything to the model.
    ///
    /// # Errors
    /// When the model cannot be run or reached.
    fn question(&self, question: &str) -> Result<Option<Vec<f32>>, EmbedError>;
}

/// Why there are no vectors.
#[derive(Debug, Error)]
pub enum EmbedError {
    #[error("{} has no `{file}`", .folder.display())]
    Incomplete { folder: PathBuf, file: &'static str },
    #[error("no model `{name}` in {}", .hub.display())]
    NotInHub { name: String, hub: PathBuf },
    #[error("{}: {reason}", .path.display())]
    Damaged { path: PathBuf, reason: String },
    #[error("{}: {what} is not supported", .path.display())]
    Unsupported { path: PathBuf, what: String },
    #[error("this repoidx was built without models in the process (feature `candle`)")]
    NotBuilt,
    #[error("running the model: {0}")]
    Run(String),
    #[error("{address} answered {found}")]
    WrongAnswer { address: String, found: String },
    #[error(transparent)]
    Remote(#[from] LlmError),
}

impl EmbedError {
    /// What to do.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Incomplete { .. } | Self::NotInHub { .. } => {
                "set embedding_model to a folder with config.json, tokenizer.json and model.safetensors; nothing is downloaded"
            }
            Self::Damaged { .. } => "get the model's files anew",
            Self::Unsupported { .. } => {
                "choose a model of the BERT or RoBERTa family, such as all-MiniLM-L6-v2 or bge-small"
            }
            Self::NotBuilt => "build with the default features, or set embedder = \"static\"",
            Self::Run(_) => "set embedder = \"static\" to do without the model",
            Self::WrongAnswer { .. } => "check embedding_url and embedding_model",
            Self::Remote(error) => error.hint(),
        }
    }
}

/// A vector as it is stored and compared: its largest number is 127 or -127. Cosines do not depend on the scale.
pub fn quantized(vector: &[f32]) -> Vec<u8> {
    let largest = vector.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
    let scale = if largest > 0.0 { 127.0 / largest } else { 0.0 };
    #[expect(clippy::cast_possible_truncation, reason = "between -127 and 127")]
    vector.iter().map(|number| (number * scale).round() as i8).map(i8::cast_unsigned).collect()
}

/// The cosine of two stored vectors, -1..=1; `None` when they are of different models or nothing is in one of them.
pub fn cosine(a: &[u8], b: &[u8]) -> Option<f64> {
    if a.len() != b.len() {
        return None;
    }
    // Whole numbers: exact, and taken many at a time by the processor. 65,536 dimensions fit.
    let (mut dot, mut left, mut right) = (0_i32, 0_i32, 0_i32);
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (i32::from(a.cast_signed()), i32::from(b.cast_signed()));
        dot += a * b;
        left += a * a;
        right += b * b;
    }
    (left > 0 && right > 0).then(|| f64::from(dot) / (f64::from(left) * f64::from(right)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosines_are_those_of_the_vectors_before_they_were_stored() {
        let (a, b) = ([0.3_f32, -0.7, 0.2, 0.01], [0.5_f32, -0.1, -0.6, 0.3]);
        let exact = a.iter().zip(&b).map(|(a, b)| a * b).sum::<f32>()
            / (a.iter().map(|a| a * a).sum::<f32>() * b.iter().map(|b| b * b).sum::<f32>()).sqrt();
        assert!((cosine(&quantized(&a), &quantized(&b)).unwrap() - f64::from(exact)).abs() < 0.01);
        assert!((cosine(&quantized(&a), &quantized(&a)).unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(cosine(&quantized(&a), &quantized(&a[..3])), None);
        assert_eq!(cosine(&quantized(&[0.0; 4]), &quantized(&a)), None);
    }
}
