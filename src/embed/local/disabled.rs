//! No models in this process: the feature `candle` is off.

use crate::{
    embed::{EmbedError, Embedder, Hub, Question},
    texts::Fields,
};

/// What a model would be; there is never one.
#[derive(Debug)]
pub enum Local {}

/// Says that there are no models.
pub fn open(_hub: &Hub, _model: &str, _threads: Option<usize>) -> Result<Local, EmbedError> {
    Err(EmbedError::NotBuilt)
}

impl Embedder for Local {
    fn name(&self) -> &str {
        match *self {}
    }

    fn passages(&self, _passages: &[Fields]) -> Result<Vec<Vec<f32>>, EmbedError> {
        match *self {}
    }

    fn question(&self, _question: &Question<'_>) -> Result<Option<Vec<f32>>, EmbedError> {
        match *self {}
    }
}
