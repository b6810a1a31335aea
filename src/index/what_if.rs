//! The index as it would be if some files had other contents.
//!
//! Goes in: an index, and contents of some of its files. Comes out: an update to them that can be asked like any index and
//! is undone when it is dropped. It costs what an update of those files costs, nobody else sees it, and nobody else can
//! write to the index meanwhile.

use std::{collections::BTreeMap, time::Duration};

use super::{IndexError, pool, scan::Source, update};
use crate::{
    git::Repository,
    store::{Store, Update, error::StoreError},
};

/// An index that can be led into a state that never was.
pub struct Supposed {
    store: Store,
    threads: Option<usize>,
}

impl Supposed {
    /// Opens the index of `store` a second time, for changes that do not last.
    ///
    /// # Errors
    /// When it cannot be written, or somebody else writes it for too long.
    pub fn open(store: &Store, threads: Option<usize>) -> Result<Self, IndexError> {
        let dir = store.dir().ok_or(StoreError::ReadOnly)?;
        let lock = Store::lock_for_writing_within(dir, PATIENCE)?;
        let store = Store::open_locked(&lock)?;
        store.hold_back()?;
        Ok(Self { store, threads })
    }

    /// The index as it would be with these contents, and whether all of it is: what very many files would see otherwise is
    /// worked out for the first of them.
    ///
    /// # Errors
    /// When the index cannot be read or written.
    pub fn with(
        &mut self,
        repo: &Repository,
        contents: BTreeMap<String, Vec<u8>>,
    ) -> Result<(Update<'_>, bool), IndexError> {
        let source = Source::Given { repo, files: contents };
        let update = self.store.write()?;
        pool(self.threads).install(move || {
            let is_whole = update::apply(&update, &source, MOST_FILES)?;
            Ok((update, is_whole))
        })
    }
}

/// A question may take a second or two, and a long file takes a fiftieth of one.
const MOST_FILES: usize = 100;

/// How long somebody who asks waits for somebody who writes.
const PATIENCE: Duration = Duration::from_secs(2);
