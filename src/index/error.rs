//! The errors of an update, in words for a person.

use crate::{embed, git, store};

/// Why the index could not be brought up to date.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error(transparent)]
    Git(#[from] git::GitError),
    #[error(transparent)]
    Store(#[from] store::error::StoreError),
    #[error(transparent)]
    Embed(#[from] embed::EmbedError),
}
