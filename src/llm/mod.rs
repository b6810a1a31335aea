//! Language models: a prompt goes out, text comes back piece by piece. The only user of ureq.
//!
//! Nothing here knows repositories: callers decide what may be sent. A model's output is text and nothing else.
//!
//! Each wire format has a pure `to_body` and a pure `parse` (`openai`, `anthropic`, `ollama`). `stream` cuts bytes into
//! events, `http` sends, `command` pipes to a program, `local` runs a model in this process.

mod anthropic;
mod command;
mod counter;
pub mod embeddings;
pub mod error;
mod http;
mod key;
mod local;
mod ollama;
mod openai;
pub mod requests;
mod stream;
pub mod tools;

use std::{
    collections::BTreeSet,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

pub use crate::llm::{command::key_from, counter::Counter, http::is_loopback, key::ApiKey};
use crate::llm::{
    error::LlmError,
    requests::RequestLog,
    stream::{CallPiece, StreamEvent},
};

/// Interval at which a wait checks for a stop.
const TICK: Duration = Duration::from_millis(50);
/// Time beyond the timeout of a provider that its worker has for its own error.
const GRACE: Duration = Duration::from_secs(5);
/// Bytes of a token that no tokenizer exceeds on average.
const MOST_BYTES: usize = 8;
/// Longest answer in bytes: nobody reads more, and a broken server never ends.
pub const MAX_ANSWER: usize = 1 << 20;

/// The protocol of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// Chat completions, as `OpenAI`, llama.cpp, vLLM, LM Studio, `OpenRouter` and many others serve them.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
    /// Ollama's own chat, which takes a context size.
    Ollama,
    /// A program that reads the prompt and writes the answer.
    Command,
    /// A model in a GGUF file, run in this process.
    Local,
}

/// The address of a model, and the limits of its answers.
#[derive(Clone, Debug)]
pub struct Provider {
    pub wire: Wire,
    /// Base address without a slash at its end; the command line for `Command`.
    pub address: String,
    /// Empty for `Command`, a path for `Local`.
    pub model: String,
    pub key: Option<ApiKey>,
    /// Longest silence before the request fails.
    pub timeout: Duration,
    /// Longest answer, in tokens.
    pub answer_tokens: usize,
    /// Where each request is noted before it is sent.
    pub log: Option<RequestLog>,
}

/// The text that a model reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompt {
    pub system: String,
    pub user: String,
    /// Tokens of both, by the model's tokenizer if available, else an upper estimate.
    pub tokens: usize,
    /// The files whose text or names are in it.
    pub files: BTreeSet<String>,
}

impl Prompt {
    /// Both parts as one text, as a program reads them and a terminal shows them.
    pub fn whole(&self) -> String {
        if self.system.is_empty() { self.user.clone() } else { format!("{}\n{}", self.system, self.user) }
    }

    /// The two messages of a chat, in the form of most formats.
    fn messages(&self) -> serde_json::Value {
        serde_json::json!([
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.user},
        ])
    }
}

/// A request as it is sent. No field of it holds a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Empty for a command.
    pub url: String,
    pub body: String,
    /// The files whose text or names are in the body.
    pub files: BTreeSet<String>,
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    Complete,
    /// The model reached its limit.
    Length,
    /// The user stopped it.
    Stopped,
}

/// How an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelOutcome {
    pub finish: Finish,
    /// Tokens of the prompt that the model says it read.
    pub seen_tokens: Option<u64>,
}

impl ModelOutcome {
    /// Records an event without text.
    fn note(&mut self, event: &StreamEvent) {
        match event {
            StreamEvent::Seen(tokens) => self.seen_tokens = Some(*tokens),
            StreamEvent::Cut => self.finish = Finish::Length,
            StreamEvent::Text(_) | StreamEvent::Call(_) | StreamEvent::Busy | StreamEvent::End => {}
        }
    }
}

/// The request that `provider` would get.
pub fn message(provider: &Provider, prompt: &Prompt) -> Message {
    let url = |path: &str| format!("{}{path}", provider.address);
    let (url, body) = match provider.wire {
        Wire::OpenAi => (url("/chat/completions"), openai::to_body(provider, prompt)),
        Wire::Anthropic => (url("/v1/messages"), anthropic::to_body(provider, prompt)),
        Wire::Ollama => (url("/api/chat"), ollama::to_body(provider, prompt)),
        Wire::Local => (String::new(), prompt.messages().to_string()),
        Wire::Command => (String::new(), prompt.whole()),
    };
    Message { url, body, files: prompt.files.clone() }
}

/// Sends the prompt and passes each piece of the answer to `take`. Returns early when `stop` becomes true.
pub fn ask(
    provider: &Provider,
    prompt: &Prompt,
    stop: &AtomicBool,
    take: &mut dyn FnMut(&str) -> std::io::Result<()>,
) -> Result<ModelOutcome, LlmError> {
    exchange(provider, message(provider, prompt), prompt, stop, take, &mut |_| ())
}

/// Notes a request that is about to leave this process; `attempt` counts from 1.
fn noted(provider: &Provider, message: &Message, attempt: u32) -> Result<(), LlmError> {
    provider.log.as_ref().map_or(Ok(()), |log| log.note(provider, message, attempt))
}

/// Sends one request and reads its answer. `heard` gets the pieces of tool calls.
fn exchange(
    provider: &Provider,
    message: Message,
    prompt: &Prompt,
    stop: &AtomicBool,
    take: &mut dyn FnMut(&str) -> std::io::Result<()>,
    heard: &mut dyn FnMut(CallPiece),
) -> Result<ModelOutcome, LlmError> {
    let (sender, receiver) = mpsc::channel();
    let worker = {
        let (provider, prompt) = (provider.clone(), prompt.clone());
        // A blocked read cannot be interrupted, but a thread without listeners can be left behind.
        thread::spawn(move || {
            let mut send = |event: StreamEvent| sender.send(event).is_ok();
            match provider.wire {
                Wire::Command => command::run(&provider, &message, &mut send),
                Wire::Local => local::run(&provider, &prompt, &mut send),
                _ => http::run(&provider, &message, &mut send),
            }
        })
    };
    let mut outcome = ModelOutcome { finish: Finish::Complete, seen_tokens: None };
    let mut length = 0;
    let mut last = Instant::now();
    loop {
        if stop.load(Ordering::SeqCst) {
            return Ok(ModelOutcome { finish: Finish::Stopped, ..outcome });
        }
        match receiver.recv_timeout(TICK) {
            Ok(StreamEvent::Text(text)) => {
                last = Instant::now();
                length += text.len();
                if length > MAX_ANSWER {
                    return Err(LlmError::TooLong);
                }
                take(&text).map_err(LlmError::Output)?;
            }
            Ok(StreamEvent::Call(piece)) => {
                last = Instant::now();
                heard(piece);
            }
            Ok(event) => {
                last = Instant::now();
                outcome.note(&event);
            }
            Err(RecvTimeoutError::Disconnected) => break,
            // The worker has timeouts of its own; this one catches a silent program, which has none.
            Err(RecvTimeoutError::Timeout) if last.elapsed() > provider.timeout + GRACE => {
                return Err(LlmError::TimedOut(provider.timeout));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    // The channel is closed, so the worker has ended and its result is ready.
    worker.join().map_err(|_| LlmError::Garbled("the client broke".to_owned()))??;
    Ok(outcome)
}

/// Fewest tokens that a prompt can have: every tokenizer needs at least these.
pub fn fewest_tokens(prompt: &Prompt) -> u64 {
    u64::try_from((prompt.system.len() + prompt.user.len()) / MOST_BYTES).unwrap_or(u64::MAX)
}
