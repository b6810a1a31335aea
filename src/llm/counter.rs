//! Counts the tokens of a prompt by the tokenizer of the model that will read it.
//!
//! Nothing is downloaded: without a tokenizer at hand there is no counter.

use std::{fmt, path::Path};

use crate::llm::{Prompt, Provider, Wire, error::LlmError, local};

/// Counts the tokens of prompts.
pub struct Counter {
    count: Box<dyn Fn(&Prompt) -> Option<usize>>,
    /// The owner of the tokenizer, for people.
    pub by: &'static str,
}

impl fmt::Debug for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Counter({})", self.by)
    }
}

impl Counter {
    /// The tokenizer of `file`, else that of a model in this process; `None` without either.
    ///
    /// # Errors
    /// Fails if `file` cannot be used. A model that cannot be read fails later, when it is asked.
    pub fn of(provider: Option<&Provider>, file: Option<&Path>) -> Result<Option<Self>, LlmError> {
        if let Some(file) = file {
            let failed = |reason| LlmError::Model { path: file.display().to_string(), reason };
            let count = local::counter_of_file(file).map_err(failed)?;
            return Ok(Some(Self { count, by: "the tokenizer that you set" }));
        }
        let local = provider.filter(|provider| provider.wire == Wire::Local);
        let count = local.and_then(|provider| local::counter(Path::new(&provider.model)).ok());
        Ok(count.map(|count| Self { count, by: "the model's own tokenizer" }))
    }

    /// The tokens of a prompt; `None` where the tokenizer refuses it.
    pub fn count(&self, prompt: &Prompt) -> Option<usize> {
        (self.count)(prompt)
    }
}
