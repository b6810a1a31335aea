//! No models in this process: the feature `candle` is off.

use crate::llm::{Prompt, Provider, error::LlmError, stream::Event};

/// Says that there are no models.
pub(in crate::llm) fn run(
    provider: &Provider,
    _prompt: &Prompt,
    _send: &mut dyn FnMut(Event) -> bool,
) -> Result<(), LlmError> {
    let reason = "this repoidx was built without models in the process (feature `candle`)".to_owned();
    Err(LlmError::Model { path: provider.model.clone(), reason })
}
