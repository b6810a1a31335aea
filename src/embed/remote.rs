//! A service that makes vectors over HTTP, used only by the user's own choice.
//!
//! The caller has already removed the texts that must not leave the machine.

use super::{EmbedError, Embedder, QuestionInput, passage::passage};
use crate::{
    llm::{Provider, embeddings::embeddings},
    texts::TextFields,
};

/// Texts of one request.
const BATCH: usize = 64;

/// A service and one of its models.
pub struct Remote {
    name: String,
    provider: Provider,
}

impl Remote {
    /// A service that speaks as `OpenAI`'s embeddings do.
    pub fn new(provider: Provider) -> Self {
        Self { name: format!("{} {}", provider.address, provider.model), provider }
    }

    fn vectors(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut vectors: Vec<Vec<f32>> = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            vectors.extend(embeddings(&self.provider, batch)?);
        }
        let lengths: Vec<usize> = vectors.iter().map(Vec::len).collect();
        match lengths.windows(2).find(|pair| pair[0] != pair[1]) {
            None => Ok(vectors),
            Some(pair) => Err(EmbedError::WrongAnswer {
                address: self.provider.address.clone(),
                found: format!("with vectors of {} and of {} numbers", pair[0], pair[1]),
            }),
        }
    }
}

impl Embedder for Remote {
    fn name(&self) -> &str {
        &self.name
    }

    fn passages(&self, passages: &[TextFields]) -> Result<Vec<Vec<f32>>, EmbedError> {
        // An empty text is an error to some services.
        let texts: Vec<String> = passages.iter().map(passage).collect();
        self.vectors(
            &texts.into_iter().map(|text| if text.is_empty() { " ".to_owned() } else { text }).collect::<Vec<_>>(),
        )
    }

    fn question(&self, question: &QuestionInput<'_>) -> Result<Option<Vec<f32>>, EmbedError> {
        if question.text.trim().is_empty() {
            return Ok(None);
        }
        Ok(self.vectors(&[question.text.to_owned()])?.pop())
    }
}
