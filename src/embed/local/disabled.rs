//! No models in this process: the feature `candle` is off.

use crate::{
    embed::{EmbedError, Embedder, Hub, QuestionInput},
    texts::TextFields,
};

/// A model that cannot exist in this build.
#[derive(Debug)]
pub enum Local {}

/// Returns the error that this build has no models.
pub fn open(_hub: &Hub, _model: &str, _threads: Option<usize>) -> Result<Local, EmbedError> {
    Err(EmbedError::NotBuilt)
}

impl Embedder for Local {
    fn name(&self) -> &str {
        match *self {}
    }

    fn passages(&self, _passages: &[TextFields]) -> Result<Vec<Vec<f32>>, EmbedError> {
        match *self {}
    }

    fn question(&self, _question: &QuestionInput<'_>) -> Result<Option<Vec<f32>>, EmbedError> {
        match *self {}
    }
}
