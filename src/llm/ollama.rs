//! The wire format of Ollama's own chat.
//!
//! The request sets the context size, because the server's default is small and it drops excess text silently.

use serde_json::{Value, json};

use crate::llm::{Prompt, Provider, error::LlmError, error::reason, stream::StreamEvent};

/// Context sizes are multiples of this many tokens, so that the server need not reload the model for each prompt.
const STEP: usize = 2048;

/// The body of a request.
pub(super) fn to_body(provider: &Provider, prompt: &Prompt) -> String {
    let context = (prompt.tokens + provider.answer_tokens).next_multiple_of(STEP);
    json!({
        "model": provider.model,
        "messages": prompt.messages(),
        "stream": true,
        "options": {"num_ctx": context, "num_predict": provider.answer_tokens, "temperature": 0, "seed": 0},
    })
    .to_string()
}

/// The events in one line of a stream.
pub(super) fn parse(line: &str) -> Result<Vec<StreamEvent>, LlmError> {
    let value: Value = serde_json::from_str(line).map_err(|error| LlmError::Garbled(error.to_string()))?;
    if value.get("error").is_some() {
        return Err(LlmError::Broken(reason(line)));
    }
    let mut events = Vec::new();
    let text = value["message"]["content"].as_str().filter(|text| !text.is_empty());
    events.extend(text.map(|text| StreamEvent::Text(text.to_owned())));
    if value["done"] == true {
        events.extend(value["prompt_eval_count"].as_u64().map(StreamEvent::Seen));
        if value["done_reason"] == "length" {
            events.push(StreamEvent::Cut);
        }
        events.push(StreamEvent::End);
    }
    Ok(events)
}
