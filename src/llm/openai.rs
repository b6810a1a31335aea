//! The wire format of chat completions.

use serde_json::{Value, json};

use crate::llm::{Prompt, Provider, error::LlmError, error::reason, stream::CallPiece, stream::StreamEvent};

/// The body of a request.
pub(super) fn to_body(provider: &Provider, prompt: &Prompt) -> String {
    // OpenAI renamed the limit; compatible servers know only the old name.
    let is_first = provider.address.starts_with("https://api.openai.com");
    let limit = if is_first { "max_completion_tokens" } else { "max_tokens" };
    json!({
        "model": provider.model,
        "messages": prompt.messages(),
        "stream": true,
        "stream_options": {"include_usage": true},
        limit: provider.answer_tokens,
    })
    .to_string()
}

/// The events in one payload of a stream.
pub(super) fn parse(payload: &str) -> Result<Vec<StreamEvent>, LlmError> {
    if payload.trim() == "[DONE]" {
        return Ok(vec![StreamEvent::End]);
    }
    let value: Value = serde_json::from_str(payload).map_err(|error| LlmError::Garbled(error.to_string()))?;
    if value.get("error").is_some_and(|error| !error.is_null()) {
        return Err(LlmError::Broken(reason(payload)));
    }
    let mut events = Vec::new();
    let choice = &value["choices"][0];
    for text in [&choice["delta"]["content"], &choice["message"]["content"]] {
        events.extend(text.as_str().filter(|text| !text.is_empty()).map(|text| StreamEvent::Text(text.to_owned())));
    }
    for calls in [&choice["delta"]["tool_calls"], &choice["message"]["tool_calls"]] {
        events.extend(calls.as_array().into_iter().flatten().enumerate().map(call_piece));
    }
    if choice["finish_reason"] == "length" {
        events.push(StreamEvent::Cut);
    }
    events.extend(value["usage"]["prompt_tokens"].as_u64().map(StreamEvent::Seen));
    if choice["message"].is_object() || choice["finish_reason"].is_string() {
        events.push(StreamEvent::End);
    }
    Ok(events)
}

/// A tool call, or a piece of one.
fn call_piece((place, value): (usize, &Value)) -> StreamEvent {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    // Some servers send the arguments as an object.
    let arguments = match &value["function"]["arguments"] {
        Value::Object(object) => Value::Object(object.clone()).to_string(),
        other => text(other),
    };
    StreamEvent::Call(CallPiece {
        index: value["index"].as_u64().or(u64::try_from(place).ok()).unwrap_or(0),
        id: text(&value["id"]),
        name: text(&value["function"]["name"]),
        arguments,
    })
}
