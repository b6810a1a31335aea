//! The wire format of Anthropic's messages.

use serde_json::{Value, json};

use crate::llm::{Prompt, Provider, error::LlmError, error::reason, stream::StreamEvent};

/// The version of the interface that requests ask for.
pub(super) const VERSION: &str = "2023-06-01";

/// The body of a request.
pub(super) fn to_body(provider: &Provider, prompt: &Prompt) -> String {
    json!({
        "model": provider.model,
        "max_tokens": provider.answer_tokens,
        "system": prompt.system,
        "messages": [{"role": "user", "content": prompt.user}],
        "stream": true,
    })
    .to_string()
}

/// The events in one payload of a stream.
pub(super) fn parse(payload: &str) -> Result<Vec<StreamEvent>, LlmError> {
    let value: Value = serde_json::from_str(payload).map_err(|error| LlmError::Garbled(error.to_string()))?;
    let text =
        |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(|text| StreamEvent::Text(text.to_owned()));
    let cut = |reason: &Value| (reason == "max_tokens").then_some(StreamEvent::Cut);
    let mut events = Vec::new();
    match value["type"].as_str() {
        Some("message_start") => {
            events.extend(value["message"]["usage"]["input_tokens"].as_u64().map(StreamEvent::Seen));
        }
        Some("content_block_delta") => events.extend(text(&value["delta"]["text"])),
        Some("message_delta") => events.extend(cut(&value["delta"]["stop_reason"])),
        Some("message_stop") => events.push(StreamEvent::End),
        Some("error") => return Err(LlmError::Broken(reason(payload))),
        // A server that does not stream sends a whole message.
        Some("message") => {
            events.extend(value["content"].as_array().into_iter().flatten().filter_map(|part| text(&part["text"])));
            events.extend(cut(&value["stop_reason"]));
            events.extend(value["usage"]["input_tokens"].as_u64().map(StreamEvent::Seen));
            events.push(StreamEvent::End);
        }
        Some("ping") => events.push(StreamEvent::Busy),
        _ => {}
    }
    Ok(events)
}
