//! No models in this process: the feature `candle` is off.

use std::path::Path;

use crate::llm::{Prompt, Provider, error::LlmError, stream::StreamEvent};

const WITHOUT: &str = "this repoidx was built without models in the process (feature `candle`)";

/// Fails, because there are no models.
pub(in crate::llm) fn run(
    provider: &Provider,
    _prompt: &Prompt,
    _send: &mut dyn FnMut(StreamEvent) -> bool,
) -> Result<(), LlmError> {
    Err(LlmError::Model { path: provider.model.clone(), reason: WITHOUT.to_owned() })
}

/// Fails, because there are no tokenizers.
pub(in crate::llm) fn counter(_path: &Path) -> Result<Box<dyn Fn(&Prompt) -> Option<usize>>, String> {
    Err(WITHOUT.to_owned())
}

/// Fails, because there are no tokenizers.
pub(in crate::llm) fn counter_of_file(_path: &Path) -> Result<Box<dyn Fn(&Prompt) -> Option<usize>>, String> {
    Err(WITHOUT.to_owned())
}
