//! The error that ends a command: a message in the user's words, a hint to paste, and the exit code.

use std::{fmt, io};

use crate::{
    git::GitError, hooks::HookError, index::IndexError, llm::error::LlmError, prompt::PromptError,
    store::error::StoreError,
};

/// The kind of a failure, which decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// Nobody reads the output any more. Counts as success.
    BrokenPipe,
    /// A gate of `--fail-on` did not hold.
    Gate,
    /// A wrong flag, an unknown or ambiguous name.
    Usage,
    /// The repository or its index cannot be used.
    Unusable,
    /// The language model did not answer.
    Llm,
}

impl FailureKind {
    /// The exit code of the process.
    pub fn code(self) -> u8 {
        match self {
            Self::BrokenPipe => 0,
            Self::Gate => 1,
            Self::Usage => 2,
            Self::Unusable => 3,
            Self::Llm => 4,
        }
    }
}

/// An error as the user sees it.
#[derive(Debug)]
pub struct Failure {
    pub kind: FailureKind,
    /// The message; may have several lines. Repository text in it is already made visible.
    pub message: String,
    /// The remedy, ideally a command; may be empty.
    pub hint: String,
}

impl Failure {
    /// A wrong request.
    pub fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind: FailureKind::Usage, message: message.into(), hint: hint.into() }
    }

    /// A repository or index that cannot be used.
    pub fn unusable(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind: FailureKind::Unusable, message: message.into(), hint: hint.into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl From<GitError> for Failure {
    fn from(error: GitError) -> Self {
        let hint = match &error {
            GitError::NotARepository(_) => "go to a repository, or name one with --repo",
            _ => "",
        };
        Self::unusable(error.to_string(), hint)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::unusable(error.to_string(), "")
    }
}

impl From<IndexError> for Failure {
    fn from(error: IndexError) -> Self {
        Self::unusable(error.to_string(), "")
    }
}

impl From<HookError> for Failure {
    fn from(error: HookError) -> Self {
        let hint = match error {
            HookError::Fleeting { .. } => {
                "install one that stays (`uv tool install repoidx`, `pipx install repoidx` or `cargo install repoidx`) and \
                 try again; `--binary` names another"
            }
            _ => "",
        };
        Self::unusable(error.to_string(), hint)
    }
}

impl From<PromptError> for Failure {
    fn from(error: PromptError) -> Self {
        Self::usage(error.to_string(), "repoidx templates")
    }
}

impl From<LlmError> for Failure {
    fn from(error: LlmError) -> Self {
        if let LlmError::Output(error) = error {
            return Self::from(error);
        }
        Self { kind: FailureKind::Llm, message: error.to_string(), hint: error.hint().to_owned() }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let kind =
            if error.kind() == io::ErrorKind::BrokenPipe { FailureKind::BrokenPipe } else { FailureKind::Unusable };
        Self { kind, message: format!("writing the result: {error}"), hint: String::new() }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::from(io::Error::from(error))
    }
}
