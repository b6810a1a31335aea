//! Measures prompts in tokens: exactly with the model's tokenizer, otherwise by an upper estimate.
//!
//! A model in this process brings its tokenizer. For others, the setting `tokenizer` names a file.

use std::path::Path;

use serde::Serialize;

use crate::{
    ask::context::tokens::tokens,
    cli::session::templates,
    config::Config,
    error::Failure,
    llm::{Counter, Prompt, Provider},
    texts::secrets::without_secrets,
};

/// Bytes of evidence for a token that no text exceeds by much: with so many, a long prompt is rather too long.
const MOST_BYTES: usize = 8;
/// A prompt is full if less than one part in so many of its budget remains.
const FULL: usize = 50;
/// Evidence is tried in steps of at least so many bytes.
const STEP: usize = 32;

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
        let prompt = Prompt { system, user, tokens: estimate, ..Prompt::default() };
        match self.counter.as_ref().and_then(|counter| counter.count(&prompt)) {
            Some(tokens) => Prompt { tokens, ..prompt },
            None => prompt,
        }
    }

    /// The tokens of a text by itself.
    pub(crate) fn text(&self, text: &str) -> usize {
        self.prompt(String::new(), text.to_owned()).tokens
    }

    /// The longest prompt within `budget` tokens; `worded` writes it with evidence of a number of bytes. The tokens of
    /// the shortest one where even that is too long.
    pub(crate) fn longest(
        &self,
        budget: usize,
        worded: &dyn Fn(usize) -> Result<(String, String), Failure>,
    ) -> Result<Result<Prompt, usize>, Failure> {
        let written = |bytes| worded(bytes).map(|(system, user)| self.prompt(system, user));
        let mut best = written(0)?;
        if best.tokens > budget {
            return Ok(Err(best.tokens));
        }
        let (mut fits, mut exceeds) = (0, budget * MOST_BYTES + 1);
        let mut bytes = exceeds - 1;
        while exceeds - fits > STEP && budget - best.tokens >= budget.div_ceil(FULL) {
            let prompt = written(bytes)?;
            if prompt.tokens > budget {
                exceeds = bytes;
            } else {
                (fits, best) = (bytes, prompt);
            }
            bytes = usize::midpoint(fits, exceeds);
        }
        Ok(Ok(best))
    }

    /// A template with as much evidence as `budget` tokens hold. `command` prints this prompt, and is named with the
    /// least budget where none holds it.
    pub(crate) fn filled<T: Serialize>(
        config: &Config,
        (template, command): (&str, &str),
        budget: usize,
        evidence: impl Fn(usize) -> T,
    ) -> Result<String, Failure> {
        let templates = templates();
        let worded = |bytes| {
            // Values that calls pass can be keys, too. A key of several lines stands in source, which has none here.
            let text = templates.render(template, &evidence(bytes))?;
            let lines: Vec<_> = text.split('\n').map(without_secrets).collect();
            Ok((String::new(), lines.join("\n")))
        };
        match Self::of(config, None)?.longest(budget, &worded)? {
            Ok(prompt) => Ok(prompt.user),
            Err(least) => Err(Failure::usage(
                format!("{budget} tokens do not hold the shortest prompt about this, which takes {least}"),
                format!("{command} --format prompt --tokens {least}"),
            )),
        }
    }

    /// The owner of the tokenizer; `None` for an estimate.
    pub(crate) fn counted_by(&self) -> Option<&'static str> {
        self.counter.as_ref().map(|counter| counter.by)
    }
}
