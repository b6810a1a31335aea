//! Answers with a model in a GGUF file.
//!
//! The likeliest token is always taken, so that the same prompt has the same answer. The chat template comes from the
//! file. Text in the prompt that looks like a control token is broken up, so that nobody can end a message from inside.

use std::{fs::File, io::BufReader, path::Path};

use candle_core::quantized::{
    gguf_file::{Content, Value},
    tokenizer::TokenizerFromGguf,
};
use tokenizers::{Tokenizer, pre_tokenizers::byte_level::ByteLevel};

use super::llama::Llama;
use crate::{
    llm::{Prompt, Provider, error::LlmError, stream::StreamEvent},
    prompt,
};

/// Tokens that are read at once: about a second, after which a stop is noticed.
const STEP: usize = 64;
/// The key under which the file names its pre-tokenizer, and the names that candle knows.
const SPLITTING: &str = "tokenizer.ggml.pre";
const KNOWN: [&str; 4] = ["qwen2", "smaug-bpe", "lfm2", "llama3"];
/// The type of control tokens (llama.cpp: `LLAMA_TOKEN_TYPE_CONTROL`).
const CONTROL: u32 = 3;

/// Answers a prompt. `send` returns whether anybody still listens.
pub(in crate::llm) fn run(
    provider: &Provider,
    prompt: &Prompt,
    send: &mut dyn FnMut(StreamEvent) -> bool,
) -> Result<(), LlmError> {
    let path = Path::new(&provider.model);
    let failed = |reason: String| LlmError::Model { path: provider.model.clone(), reason };
    let damaged = |error: candle_core::Error| failed(error.to_string().lines().next().unwrap_or_default().to_owned());
    let file = File::open(path).map_err(|error| failed(error.to_string()))?;
    let mut file = BufReader::new(file);
    let mut content = Content::read(&mut file).map_err(damaged)?;
    name_splitting(&mut content);
    let mut model = Llama::read(&content, &mut file).map_err(damaged)?;
    let tokenizer = tokenizer(path, &content).map_err(failed)?;
    let marks = Marks::of(&content);
    let text = marks.chat(&content, prompt).map_err(failed)?;
    let tokens = tokenizer.encode(text, false).map_err(|error| failed(error.to_string()))?;
    let tokens = tokens.get_ids();
    let window = model.window;
    // At least one token must remain for the answer.
    if tokens.is_empty() || tokens.len() >= window {
        return Err(LlmError::Window { tokens: tokens.len(), window });
    }
    let mut scores = Vec::new();
    // In steps, so that a stop is noticed while a long prompt is read.
    for step in tokens.chunks(STEP) {
        if !send(StreamEvent::Busy) {
            return Ok(());
        }
        scores = model.next(step).map_err(damaged)?;
    }
    if !send(StreamEvent::Seen(tokens.len() as u64)) {
        return Ok(());
    }
    let room = provider.answer_tokens.min(window - tokens.len());
    let (mut answer, mut shown) = (Vec::new(), String::new());
    for _ in 0..room {
        let token = likeliest(&scores);
        if marks.ends.contains(&token) {
            send(StreamEvent::End);
            return Ok(());
        }
        answer.push(token);
        let text = tokenizer.decode(&answer, true).map_err(|error| failed(error.to_string()))?;
        // Half a character decodes to a replacement character; the rest of it comes with the next token.
        if let Some(piece) = text.strip_prefix(&shown).filter(|piece| !piece.ends_with('\u{fffd}')) {
            if !send(if piece.is_empty() { StreamEvent::Busy } else { StreamEvent::Text(piece.to_owned()) }) {
                return Ok(());
            }
            shown = text;
        }
        scores = model.next(&[token]).map_err(damaged)?;
    }
    let _ = send(StreamEvent::Cut) && send(StreamEvent::End);
    Ok(())
}

/// A counter for the prompts of a model in a file, chat template included. Reads no weights.
pub(in crate::llm) fn counter(path: &Path) -> Result<Box<dyn Fn(&Prompt) -> Option<usize>>, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let content = Content::read(&mut BufReader::new(file));
    let mut content = content.map_err(|error| error.to_string().lines().next().unwrap_or_default().to_owned())?;
    name_splitting(&mut content);
    let tokenizer = tokenizer(path, &content)?;
    let marks = Marks::of(&content);
    Ok(Box::new(move |prompt| {
        let text = marks.chat(&content, prompt).ok()?;
        Some(tokenizer.encode_fast(text, false).ok()?.len())
    }))
}

/// A counter by a `tokenizer.json`, for the texts alone.
pub(in crate::llm) fn counter_of_file(path: &Path) -> Result<Box<dyn Fn(&Prompt) -> Option<usize>>, String> {
    let tokenizer = Tokenizer::from_file(path).map_err(|error| error.to_string())?;
    Ok(Box::new(move |prompt| Some(tokenizer.encode_fast(prompt.whole(), false).ok()?.len())))
}

/// The tokenizer beside the file, else the one inside. Files with a `SentencePiece` tokenizer lack parts of it.
fn tokenizer(path: &Path, content: &Content) -> Result<Tokenizer, String> {
    let beside = path.with_file_name("tokenizer.json");
    if beside.is_file() {
        return Tokenizer::from_file(&beside).map_err(|error| format!("{}: {error}", beside.display()));
    }
    let mut tokenizer = Tokenizer::from_gguf(content).map_err(|error| {
        let reason = error.to_string();
        let reason = reason.lines().next().unwrap_or_default();
        format!("{reason}; a tokenizer.json beside the file is used where there is one")
    })?;
    let name = content.metadata.get(SPLITTING).and_then(|name| name.to_string().ok()).map(String::as_str);
    if !name.is_some_and(|name| KNOWN.contains(&name)) {
        // By default candle would put a space before each piece of text.
        tokenizer.with_pre_tokenizer(Some(ByteLevel::new(false, true, true)));
    }
    Ok(tokenizer)
}

/// Renames the pre-tokenizer as candle calls it.
fn name_splitting(content: &mut Content) {
    if let Some(Value::String(name)) = content.metadata.get_mut(SPLITTING).filter(|name| is_llama_3(name)) {
        "llama3".clone_into(name);
    }
}

/// llama.cpp has other names for it than candle.
fn is_llama_3(name: &Value) -> bool {
    name.to_string().is_ok_and(|name| matches!(name.as_str(), "llama-bpe" | "llama-v3"))
}

/// Control tokens.
struct Marks {
    texts: Vec<String>,
    ends: Vec<u32>,
    first: String,
    last: String,
}

impl Marks {
    fn of(content: &Content) -> Self {
        let value = |name: &str| content.metadata.get(&format!("tokenizer.ggml.{name}"));
        let list = |name: &str| value(name).and_then(|value| value.to_vec().ok()).map_or(&[][..], Vec::as_slice);
        let text = |value: &Value| value.to_string().cloned().unwrap_or_default();
        let tokens: Vec<String> = list("tokens").iter().map(text).collect();
        let number = |value: &Value| match value {
            Value::I32(number) => u32::try_from(*number).ok(),
            other => other.to_u32().ok(),
        };
        let is_mark = |(_, kind): &(&String, &Value)| number(kind) == Some(CONTROL);
        let id = |name: &str| value(name).and_then(number);
        let named = |name: &str| id(name).and_then(|id| tokens.get(id as usize)).cloned().unwrap_or_default();
        Marks {
            texts: tokens.iter().zip(list("token_type")).filter(is_mark).map(|(token, _)| token.clone()).collect(),
            ends: ["eos_token_id", "eot_token_id", "eom_token_id"].into_iter().filter_map(id).collect(),
            first: named("bos_token_id"),
            last: named("eos_token_id"),
        }
    }

    /// The conversation in the form in which the model was trained.
    fn chat(&self, content: &Content, prompt: &Prompt) -> Result<String, String> {
        let template = content.metadata.get("tokenizer.chat_template").and_then(|value| value.to_string().ok());
        let template = template.ok_or("it has no chat template: choose a model that was trained to answer")?;
        let messages = [("system", self.harmless(&prompt.system)), ("user", self.harmless(&prompt.user))];
        prompt::chat(template, &messages, &self.first, &self.last).map_err(|error| error.to_string())
    }

    /// A text without control tokens: an invisible space follows the first character of each.
    fn harmless(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for mark in self.texts.iter().filter(|mark| mark.len() > 1) {
            if text.contains(mark.as_str()) {
                let first = mark.chars().next().map_or(0, char::len_utf8);
                text = text.replace(mark.as_str(), &format!("{}\u{200b}{}", &mark[..first], &mark[first..]));
            }
        }
        text
    }
}

/// The token with the largest score; of equal ones the first.
fn likeliest(scores: &[f32]) -> u32 {
    let best = scores
        .iter()
        .enumerate()
        .fold((0, f32::NEG_INFINITY), |best, (token, score)| if *score > best.1 { (token, *score) } else { best });
    u32::try_from(best.0).unwrap_or(0)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
