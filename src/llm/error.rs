//! The reasons why a language model gave no answer, each with a remedy.
//!
//! Messages repeat text of servers, cut and without keys. It must be made visible before it is shown.

use std::{io, path::PathBuf, time::Duration};

use thiserror::Error;

/// Characters of a server's own message that are repeated.
const MAX_REASON: usize = 400;

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum LlmError {
    #[error("the provider refused the key (status {status}): {reason}")]
    Refused { status: u16, reason: String },
    #[error("the provider does not know the model or address (status {status}): {reason}")]
    Unknown { status: u16, reason: String },
    #[error("the prompt does not fit (status {status}): {reason}")]
    TooLarge { status: u16, reason: String },
    #[error("the provider is busy{} (status {status}): {reason}", also_after(*attempts))]
    Busy { status: u16, attempts: u32, reason: String },
    #[error("the provider failed (status {status}): {reason}")]
    Failed { status: u16, reason: String },
    #[error("the provider sent us elsewhere, to `{0}`: refused")]
    Redirected(String),
    #[error("{address} cannot be reached: {reason}")]
    Unreachable { address: String, reason: String },
    #[error("the provider was silent for {} seconds", .0.as_secs())]
    TimedOut(Duration),
    #[error("the connection broke in the middle of the answer: {0}")]
    Broken(String),
    #[error("the provider's answer cannot be read: {0}")]
    Garbled(String),
    #[error("the answer is too long: stopped")]
    TooLong,
    #[error("{} sent, since it cannot be noted in {}: {source}", not_sent(*attempt), path.display())]
    NotNoted { path: PathBuf, attempt: u32, source: io::Error },
    #[error("starting `{command}`: {source}")]
    NotStarted { command: String, source: io::Error },
    #[error("`{command}` ended with {status}: {reason}")]
    Exit { command: String, status: String, reason: String },
    #[error("the model {path} cannot be used: {reason}")]
    Model { path: String, reason: String },
    #[error("the prompt has {tokens} tokens, and the model's window {window}")]
    Window { tokens: usize, window: usize },
    /// Our own output could not be written: nobody reads any more.
    #[error("writing the answer: {0}")]
    Output(io::Error),
}

/// The start of the message about a request that was held back.
fn not_sent(attempt: u32) -> &'static str {
    if attempt == 1 { "nothing was" } else { "the request was not again" }
}

/// How often a busy provider was asked again.
fn also_after(attempts: u32) -> String {
    if attempts > 1 { format!(", also after {attempts} attempts") } else { String::new() }
}

impl LlmError {
    /// The error of a provider that asks for a longer wait than anybody waits here.
    pub(super) fn until(mut self, wait: Duration) -> Self {
        if let Self::Busy { reason, .. } | Self::Failed { reason, .. } = &mut self {
            *reason += &format!("; it wants no further request for {} seconds", wait.as_secs());
        }
        self
    }

    /// The remedy.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Refused { .. } => {
                "set the provider's key in the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY) or by `key_command`"
            }
            Self::Unknown { .. } => "choose a model that the provider has with --model, or check --base-url",
            Self::Model { .. } => {
                "give --model the path of a GGUF file of the Llama or Qwen family; nothing is downloaded"
            }
            Self::TooLarge { .. } | Self::Window { .. } => {
                "ask with a smaller --tokens, or a model with a larger window"
            }
            Self::Busy { .. } | Self::Failed { .. } => "try again later, or answer from the index alone with --no-llm",
            Self::Redirected(_) => "give the address it leads to with --base-url if you trust it",
            Self::Unreachable { .. } => {
                "check that the provider runs and --base-url is right; --no-llm answers without it"
            }
            Self::TimedOut(_) => "wait longer with REPOIDX_TIMEOUT=SECONDS, or answer with --no-llm",
            Self::Broken(_) | Self::Garbled(_) | Self::TooLong => {
                "try again, or answer from the index alone with --no-llm"
            }
            Self::NotStarted { .. } | Self::Exit { .. } => {
                "check the command of --llm-command; it gets the prompt on its input"
            }
            Self::NotNoted { .. } => "make that place writable: every request is noted before it is sent",
            Self::Output(_) => "",
        }
    }
}

/// The error for a status that is no success. `body` is the server's text.
pub(super) fn of_status(status: u16, body: &str, attempts: u32) -> LlmError {
    let reason = reason(body);
    let lower = reason.to_lowercase();
    let is_about_size =
        ["context", "too long", "too large", "maximum", "exceed"].iter().any(|word| lower.contains(word));
    match status {
        401 | 403 => LlmError::Refused { status, reason },
        404 => LlmError::Unknown { status, reason },
        413 => LlmError::TooLarge { status, reason },
        400 | 422 if is_about_size => LlmError::TooLarge { status, reason },
        400 if lower.contains("model") => LlmError::Unknown { status, reason },
        429 | 502..=504 | 529 => LlmError::Busy { status, attempts, reason },
        _ => LlmError::Failed { status, reason },
    }
}

/// The message in a server's error body, or its beginning.
pub(super) fn reason(body: &str) -> String {
    let parsed: Option<serde_json::Value> = serde_json::from_str(body).ok();
    let message = parsed.as_ref().and_then(|value| {
        let error = value.get("error").unwrap_or(value);
        error.as_str().or_else(|| error.get("message").and_then(|message| message.as_str()))
    });
    let text: String = message.unwrap_or(body).trim().chars().take(MAX_REASON).collect();
    if text.is_empty() { "no reason given".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_says_what_to_do() {
        let check = |status: u16, body: &str| of_status(status, body, 3).to_string();
        assert_eq!(
            check(401, r#"{"error":{"message":"Incorrect API key"}}"#),
            "the provider refused the key (status 401): Incorrect API key"
        );
        assert_eq!(
            check(400, r#"{"error":"maximum context length is 4096"}"#),
            "the prompt does not fit (status 400): maximum context length is 4096"
        );
        assert_eq!(check(429, ""), "the provider is busy, also after 3 attempts (status 429): no reason given");
        assert_eq!(check(500, &"x".repeat(9_000)).len(), "the provider failed (status 500): ".len() + MAX_REASON);
    }
}
