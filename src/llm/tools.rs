//! A model that may look things up: a bounded loop of answers and tool calls.
//!
//! The model asks for tools by name, the caller runs them, and the results go back, until the model answers or its
//! calls are spent. Tools only read, and results are text. Nothing a model or a result says changes the bounds.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::llm::{
    Message, ModelOutcome, Prompt, Provider, Wire, error::LlmError, exchange, message, stream::CallPiece,
};

/// Longest arguments of a call that are read, in bytes.
const MAX_ARGUMENTS: usize = 256 << 10;

/// A tool as a model sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    pub name: String,
    pub description: String,
    /// A JSON schema.
    pub parameters: Value,
}

/// The bounds of the loop.
#[derive(Clone, Copy, Debug)]
pub struct ToolLimits {
    /// Calls in all.
    pub calls: usize,
    /// Bytes of all results.
    pub bytes: usize,
    /// After this time no further call is answered.
    pub time: Duration,
}

/// A call that a model made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToolCall {
    #[serde(skip)]
    pub id: String,
    pub name: String,
    pub arguments: Map<String, Value>,
}

/// The result of a call.
#[derive(Clone, Debug, Default)]
pub struct ToolResult {
    pub text: String,
    /// The files that it names.
    pub files: BTreeSet<String>,
}

/// A model's answer, with the calls on the way.
#[derive(Clone, Debug)]
pub struct Researched {
    pub outcome: ModelOutcome,
    /// Each call with its result.
    pub calls: Vec<(ToolCall, String)>,
    /// The model asked for more than it may.
    pub is_cut: bool,
}

/// Whether a provider's protocol has tool calls.
pub fn has_tools(provider: &Provider) -> bool {
    matches!(provider.wire, Wire::OpenAi | Wire::Anthropic)
}

/// The first request with tools.
pub fn first_message(provider: &Provider, prompt: &Prompt, tools: &[Tool]) -> Message {
    Dialogue::new(provider, prompt, tools).message(true)
}

/// Sends the prompt, runs the calls that the model asks for, and passes each piece of the answer to `take`. `run` gives
/// the result of a call. A provider that does not know tools is asked without them.
///
/// # Errors
/// As [`crate::llm::ask`].
pub fn ask_with_tools(
    provider: &Provider,
    prompt: &Prompt,
    tools: &[Tool],
    limits: ToolLimits,
    stop: &AtomicBool,
    run: &mut dyn FnMut(&ToolCall, usize) -> ToolResult,
    take: &mut dyn FnMut(&str) -> std::io::Result<()>,
) -> Result<Researched, LlmError> {
    let start = Instant::now();
    let mut dialogue = Dialogue::new(provider, prompt, tools);
    let mut calls: Vec<(ToolCall, String)> = Vec::new();
    let mut room = limits.bytes;
    loop {
        let may_call = calls.len() < limits.calls && room > 0 && start.elapsed() < limits.time;
        let mut pieces = CallPieces::default();
        let mut said = String::new();
        let answered = exchange(
            provider,
            dialogue.message(may_call),
            prompt,
            stop,
            &mut |text| {
                said.push_str(text);
                take(text)
            },
            &mut |piece| pieces.add(&piece),
        );
        let outcome = match answered {
            Err(error) if calls.is_empty() && is_about_tools(&error) => {
                let outcome = crate::llm::ask(provider, prompt, stop, take)?;
                return Ok(Researched { outcome, calls, is_cut: false });
            }
            answered => answered?,
        };
        let asked = pieces.calls();
        if asked.is_empty() || !may_call {
            let is_cut = !asked.is_empty();
            return Ok(Researched { outcome, calls, is_cut });
        }
        // Text before a call is thinking aloud; the answer begins on its own line.
        if !said.is_empty() && !said.ends_with('\n') {
            take("\n").map_err(LlmError::Output)?;
        }
        let mut results = Vec::new();
        for call in asked {
            let result = if calls.len() < limits.calls && room > 0 {
                let ToolResult { text: mut result, files } = run(&call, room);
                dialogue.files.extend(files);
                let end = (0..=room.min(result.len())).rev().find(|at| result.is_char_boundary(*at));
                result.truncate(end.unwrap_or(0));
                room -= result.len();
                result
            } else {
                "no further call is answered: answer now from what you know".to_owned()
            };
            results.push((call.clone(), result.clone()));
            if calls.len() < limits.calls {
                calls.push((call, result));
            }
        }
        dialogue.add(&said, &results);
    }
}

/// Whether a provider refuses tools, by its own words.
fn is_about_tools(error: &LlmError) -> bool {
    let (status, reason) = match error {
        LlmError::Failed { status, reason } | LlmError::Unknown { status, reason } => (*status, reason),
        _ => return false,
    };
    let reason = reason.to_lowercase();
    matches!(status, 400 | 404 | 422 | 500 | 501) && (reason.contains("tool") || reason.contains("function"))
}

/// The pieces of calls as a stream brings them, by their place in the answer.
#[derive(Default)]
struct CallPieces(BTreeMap<u64, (String, String, String)>);

impl CallPieces {
    fn add(&mut self, piece: &CallPiece) {
        let (id, name, arguments) = self.0.entry(piece.index).or_default();
        id.push_str(&piece.id);
        name.push_str(&piece.name);
        if arguments.len() < MAX_ARGUMENTS {
            arguments.push_str(&piece.arguments);
        }
    }

    /// The calls; arguments that are no object are none.
    fn calls(self) -> Vec<ToolCall> {
        let call = |(index, (id, name, arguments)): (u64, (String, String, String))| {
            let arguments = serde_json::from_str::<Map<String, Value>>(&arguments).unwrap_or_default();
            let id = if id.is_empty() { format!("call_{index}") } else { id };
            ToolCall { id, name, arguments }
        };
        self.0.into_iter().map(call).collect()
    }
}

/// The messages so far, in a provider's form.
struct Dialogue<'a> {
    provider: &'a Provider,
    tools: Vec<Value>,
    /// The request without tools.
    plain: Message,
    messages: Vec<Value>,
    files: BTreeSet<String>,
}

impl<'a> Dialogue<'a> {
    fn new(provider: &'a Provider, prompt: &Prompt, tools: &[Tool]) -> Self {
        let plain = message(provider, prompt);
        let body: Value = serde_json::from_str(&plain.body).unwrap_or_default();
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        let tool = |tool: &Tool| match provider.wire {
            Wire::Anthropic => {
                json!({"name": tool.name, "description": tool.description, "input_schema": tool.parameters})
            }
            _ => json!({"type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": tool.parameters,
            }}),
        };
        let files = prompt.files.clone();
        Self { provider, tools: tools.iter().map(tool).collect(), plain, messages, files }
    }

    fn message(&self, may_call: bool) -> Message {
        let mut body: Value = serde_json::from_str(&self.plain.body).unwrap_or_default();
        body["messages"] = json!(self.messages);
        body["tools"] = json!(self.tools);
        if !may_call {
            body["tool_choice"] = match self.provider.wire {
                Wire::Anthropic => json!({"type": "none"}),
                _ => json!("none"),
            };
        }
        Message { url: self.plain.url.clone(), body: body.to_string(), files: self.files.clone() }
    }

    /// Adds what the model said, and the results of its calls.
    fn add(&mut self, said: &str, results: &[(ToolCall, String)]) {
        if self.provider.wire == Wire::Anthropic {
            let mut content = Vec::new();
            if !said.trim().is_empty() {
                content.push(json!({"type": "text", "text": said}));
            }
            for (call, _) in results {
                content.push(json!({"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}));
            }
            self.messages.push(json!({"role": "assistant", "content": content}));
            let result = |(call, text): &(ToolCall, String)| json!({"type": "tool_result", "tool_use_id": call.id, "content": text});
            self.messages.push(json!({"role": "user", "content": results.iter().map(result).collect::<Vec<_>>()}));
            return;
        }
        let call = |(call, _): &(ToolCall, String)| {
            let arguments = Value::Object(call.arguments.clone()).to_string();
            json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}})
        };
        let content = if said.trim().is_empty() { Value::Null } else { json!(said) };
        let calls: Vec<Value> = results.iter().map(call).collect();
        self.messages.push(json!({"role": "assistant", "content": content, "tool_calls": calls}));
        for (call, text) in results {
            self.messages.push(json!({"role": "tool", "tool_call_id": call.id, "content": text}));
        }
    }
}
