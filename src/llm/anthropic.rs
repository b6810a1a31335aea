//! The wire format of Anthropic's messages.

use serde_json::{Value, json};

use crate::llm::{Prompt, Provider, error::LlmError, error::reason, stream::CallPiece, stream::StreamEvent};

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
        Some("content_block_start") if value["content_block"]["type"] == "tool_use" => {
            let index = value["index"].as_u64().unwrap_or(0);
            events.push(StreamEvent::Call(call(index, &value["content_block"])));
        }
        Some("content_block_delta") if value["delta"]["type"] == "input_json_delta" => {
            let arguments = value["delta"]["partial_json"].as_str().unwrap_or_default().to_owned();
            let index = value["index"].as_u64().unwrap_or(0);
            events.push(StreamEvent::Call(CallPiece { index, arguments, ..CallPiece::default() }));
        }
        Some("content_block_delta") => events.extend(text(&value["delta"]["text"])),
        Some("message_delta") => events.extend(cut(&value["delta"]["stop_reason"])),
        Some("message_stop") => events.push(StreamEvent::End),
        Some("error") => return Err(LlmError::Broken(reason(payload))),
        // A server that does not stream sends a whole message.
        Some("message") => {
            events.extend(value["content"].as_array().into_iter().flatten().filter_map(|part| text(&part["text"])));
            let parts = (0..).zip(value["content"].as_array().into_iter().flatten());
            let uses = parts.filter(|(_, part)| part["type"] == "tool_use");
            events.extend(uses.map(|(index, part)| StreamEvent::Call(call(index, part))));
            events.extend(cut(&value["stop_reason"]));
            events.extend(value["usage"]["input_tokens"].as_u64().map(StreamEvent::Seen));
            events.push(StreamEvent::End);
        }
        Some("ping") => events.push(StreamEvent::Busy),
        _ => {}
    }
    Ok(events)
}

/// The beginning of a tool call, or a whole one.
fn call(index: u64, value: &Value) -> CallPiece {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    // A stream begins with an empty object and sends the arguments in pieces.
    let arguments = match value["input"].as_object() {
        Some(input) if !input.is_empty() => value["input"].to_string(),
        _ => String::new(),
    };
    CallPiece { index, id: text(&value["id"]), name: text(&value["name"]), arguments }
}
