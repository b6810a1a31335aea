//! What can go wrong with an update, in a person's words.

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
