//! How much the index holds, kept beside it so that no update has to count rows.

use super::UpdateReport;
use crate::store::{Store, error::StoreError};

/// Numbers of indexed files, entities, relationships and unresolved occurrences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) files: usize,
    pub(super) entities: usize,
    pub(super) relationships: usize,
    pub(super) unresolved: usize,
}

const KEY: &str = "totals";

impl Totals {
    /// The stored totals.
    pub(super) fn read(store: &Store) -> Result<Totals, StoreError> {
        let text = store.meta(KEY)?.unwrap_or_default();
        let mut numbers = text.split(' ').map(|word| word.parse().unwrap_or(0));
        let mut next = || numbers.next().unwrap_or(0);
        Ok(Totals { files: next(), entities: next(), relationships: next(), unresolved: next() })
    }

    /// Key and value under which they are stored.
    pub(super) fn entry(self) -> (&'static str, String) {
        (KEY, format!("{} {} {} {}", self.files, self.entities, self.relationships, self.unresolved))
    }

    /// Puts the totals into a report.
    pub(super) fn report(self, report: UpdateReport) -> UpdateReport {
        let Totals { files, entities, relationships, unresolved } = self;
        UpdateReport { files, entities, relationships, unresolved, ..report }
    }

    /// Replaces the numbers `before` a change by those `after` it.
    pub(super) fn replace(&mut self, before: Totals, after: Totals) {
        let change = |total: &mut usize, before: usize, after: usize| *total = (*total + after).saturating_sub(before);
        change(&mut self.files, before.files, after.files);
        change(&mut self.entities, before.entities, after.entities);
        change(&mut self.relationships, before.relationships, after.relationships);
        change(&mut self.unresolved, before.unresolved, after.unresolved);
    }
}
