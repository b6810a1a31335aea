//! Measures prompts in tokens: exactly with the model's tokenizer, otherwise by an upper estimate.
//!
//! A model in this process brings its tokenizer. For others, the setting `tokenizer` names a file.

use std::path::Path;

use crate::{
    ask::context::tokens::tokens,
    config::Config,
    error::Failure,
    llm::{Counter, Prompt, Provider},
};

/// Measures prompts.
pub(crate) struct Measure {
    counter: Option<Counter>,
}

impl Measure {
    pub(crate) fn of(config: &Config, provider: Option<&Provider>) -> Result<Self, Failure> {
        let file = Some(config.text("tokenizer")).filter(|file| !file.is_empty()).map(Path::new);
        let counter = Counter::of(provider, file).map_err(|error| {
            let hint = "REPOIDX_TOKENIZER names the tokenizer.json of the model; empty for an upper estimate";
            Failure::usage(error.to_string(), hint)
        })?;
        Ok(Self { counter })
    }

    /// The upper estimate of both parts.
    pub(crate) fn estimate(system: &str, user: &str) -> usize {
        tokens(system) + tokens(user)
    }

    /// The prompt with its number of tokens.
    pub(crate) fn prompt(&self, system: String, user: String) -> Prompt {
        let estimate = Self::estimate(&system, &user);
        let prompt = Prompt { system, user, tokens: estimate };
        match self.counter.as_ref().and_then(|counter| counter.count(&prompt)) {
            Some(tokens) => Prompt { tokens, ..prompt },
            None => prompt,
        }
    }

    /// The tokens of a text by itself.
    pub(crate) fn text(&self, text: &str) -> usize {
        self.prompt(String::new(), text.to_owned()).tokens
    }

    /// The owner of the tokenizer; `None` for an estimate.
    pub(crate) fn counted_by(&self) -> Option<&'static str> {
        self.counter.as_ref().map(|counter| counter.by)
    }
}
