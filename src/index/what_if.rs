//! The index as it would be if some files had other contents.
//!
//! [`WhatIf`] updates the index within a transaction that is never committed. The update can be queried like any index
//! and is undone when it is dropped. It costs as much as a real update of these files, and blocks other writers
//! meanwhile.

use std::{collections::BTreeMap, time::Duration};

use super::{IndexError, pool, scan::FileSource, update};
use crate::{
    git::Repository,
    store::{Store, Update, error::StoreError},
};

/// An index that can be led into a state that never was.
pub struct WhatIf {
    store: Store,
    threads: Option<usize>,
}

impl WhatIf {
    /// Opens the index of `store` a second time, for changes that are undone.
    ///
    /// # Errors
    ///
    /// When the index cannot be written, or another writer holds it for too long.
    pub fn open(store: &Store, threads: Option<usize>) -> Result<Self, IndexError> {
        let dir = store.dir().ok_or(StoreError::ReadOnly)?;
        let lock = Store::lock_for_writing_within(dir, PATIENCE)?;
        let store = Store::open_locked(&lock)?;
        store.hold_back()?;
        Ok(Self { store, threads })
    }

    /// The index with these contents, and whether it is complete. When a change affects too many files, only the first
    /// of them are resolved.
    ///
    /// # Errors
    ///
    /// When the index cannot be read or written.
    pub fn with(
        &mut self,
        repo: &Repository,
        contents: BTreeMap<String, Vec<u8>>,
    ) -> Result<(Update<'_>, bool), IndexError> {
        let source = FileSource::Given { repo, files: contents };
        let update = self.store.write()?;
        pool(self.threads).install(move || {
            let is_whole = update::apply(&update, &source, MOST_FILES)?;
            Ok((update, is_whole))
        })
    }
}

/// A question may take a second or two, and a long file takes a fiftieth of one.
const MOST_FILES: usize = 100;

/// Time that a query waits for another writer.
const PATIENCE: Duration = Duration::from_secs(2);
