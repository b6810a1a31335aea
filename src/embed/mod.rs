//! Texts as vectors: texts with a similar meaning have near vectors.
//!
//! Three embedders share one trait. The default is a table of words in the binary, without download or network. The
//! others are models of the BERT family from a local folder, and an HTTP service that the user chose.

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
pub use table::WordVectors;

use crate::{llm::error::LlmError, texts::TextFields};

/// Makes vectors.
pub trait Embedder: Send + Sync {
    /// Another name means other vectors: those of different names are never compared.
    fn name(&self) -> &str;

    /// The vectors of chunks, in their order, all of one length.
    ///
    /// # Errors
    /// When the model cannot be run or reached.
    fn passages(&self, passages: &[TextFields]) -> Result<Vec<Vec<f32>>, EmbedError>;

    /// The vector of a question; `None` when nothing of it means anything to the model.
    ///
    /// # Errors
    /// When the model cannot be run or reached.
    fn question(&self, question: &QuestionInput<'_>) -> Result<Option<Vec<f32>>, EmbedError>;
}

/// A question, for models that read text and for those that add words.
#[derive(Clone, Copy, Debug)]
pub struct QuestionInput<'q> {
    pub text: &'q str,
    /// Its words, and how much each counts.
    pub words: &'q [(String, f32)],
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
    /// Advice for the user.
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
            // The advice of a language model names options of `ask`.
            Self::Remote(LlmError::Refused { .. }) => {
                "set the service's key in the environment (OPENAI_API_KEY) or by `key_command`"
            }
            Self::Remote(error @ (LlmError::NotNoted { .. } | LlmError::Output(_))) => error.hint(),
            Self::Remote(
                LlmError::Busy { .. }
                | LlmError::Failed { .. }
                | LlmError::Unreachable { .. }
                | LlmError::TimedOut(_)
                | LlmError::Broken(_),
            ) => "try again later, or set embedder = \"static\" to do without the service",
            Self::Remote(_) => "check embedding_url and embedding_model",
        }
    }
}

/// The cosine of two vectors, -1..=1; 0 where one of them has no length.
pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    let lengths = (dot(a, a) * dot(b, b)).sqrt();
    if lengths > 0.0 { dot(a, b) / lengths } else { 0.0 }
}

/// A vector as it is stored and compared: its largest number is 127 or -127. Cosines do not depend on the scale.
pub fn quantized(vector: &[f32]) -> Vec<u8> {
    let largest = vector.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
    let scale = if largest > 0.0 { 127.0 / largest } else { 0.0 };
    #[expect(clippy::cast_possible_truncation, reason = "the nearest whole number, between -127 and 127")]
    let rounded = |number: f32| (number + 0.5_f32.copysign(number)) as i8;
    vector.iter().map(|number| rounded(number * scale).cast_unsigned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from -1 to 1 that look random: a linear congruential generator (Knuth, MMIX).
    fn numbers(seed: u64) -> Vec<f32> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f32::from(u16::try_from(state >> 48).expect("16 bits are left")) / f32::from(u16::MAX / 2) - 1.0
        };
        (0..384).map(|_| next()).collect()
    }

    fn cosine(left: &[f32], right: &[f32]) -> f32 {
        let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        product(left, right) / (product(left, left) * product(right, right)).sqrt()
    }

    #[test]
    fn bytes_keep_the_cosines_of_vectors() {
        let as_numbers =
            |bytes: Vec<u8>| -> Vec<f32> { bytes.into_iter().map(|byte| f32::from(byte.cast_signed())).collect() };
        for seed in 0..200 {
            let (left, mut right) = (numbers(seed), numbers(seed + 1_000));
            // Near and far pairs.
            let share = f32::from(u16::try_from(seed).expect("few seeds")) / 200.0;
            right.iter_mut().zip(&left).for_each(|(right, left)| *right = *right * (1.0 - share) + left * share);
            let stored = cosine(&as_numbers(quantized(&left)), &as_numbers(quantized(&right)));
            let difference = (stored - cosine(&left, &right)).abs();
            assert!(difference < 0.003, "pair {seed}: {difference}");
        }
    }
}
