//! How many tokens a prompt has, by the tokenizer of the model that will read it.
//!
//! Goes in: a provider, and the path of a `tokenizer.json` where the user set one. Comes out: what counts prompts, exactly
//! as far as the tokenizer goes; nothing where no tokenizer is at hand. Downloads nothing.

use std::{fmt, path::Path};

use crate::llm::{Prompt, Provider, Wire, error::LlmError, local};

/// Counts the tokens of prompts.
pub struct Counter {
    count: Box<dyn Fn(&Prompt) -> Option<usize>>,
    /// Whose tokenizer it is, for people.
    pub by: &'static str,
}

impl fmt::Debug for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Counter({})", self.by)
    }
}

impl Counter {
    /// The tokenizer that `file` names, else that of a model in this process; `None` where neither is at hand.
    ///
    /// # Errors
    /// When the file that was named cannot be used. A model that cannot be read says so itself when it is asked.
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
