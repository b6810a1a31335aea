//! Answers that grow while a file is resolved, and who has read them.
//!
//! Knows neither what is asked nor what an answer means. Small on purpose: a large repository has millions of cells, all
//! alive between two rounds.

use super::value::SetId;

/// A growing answer, with the units to run again when it grows.
pub(super) struct Cell {
    pub(super) own: SetId,
    /// What was handed out as this file's part of the answer.
    pub(super) told: SetId,
    /// What other files answered; [`SetId::UNASKED`] until they have been asked.
    pub(super) outer: SetId,
    readers: Link,
}

impl Default for Cell {
    fn default() -> Self {
        Cell { own: SetId::EMPTY, told: SetId::EMPTY, outer: SetId::UNASKED, readers: END }
    }
}

/// Index into [`Readers`].
type Link = u32;
const END: Link = u32::MAX;

/// The units that have read each cell: a chain for each, the latest reader first.
#[derive(Default)]
pub(super) struct Readers {
    links: Vec<(u32, Link)>,
}

impl Readers {
    /// Notes that `unit` has read the cell.
    pub(super) fn note(&mut self, cell: &mut Cell, unit: u32) {
        if !self.of(cell).any(|reader| reader == unit) {
            let link = u32::try_from(self.links.len()).expect("fewer than 2^32 reads");
            self.links.push((unit, cell.readers));
            cell.readers = link;
        }
    }

    /// The units that have read the cell, each once.
    pub(super) fn of(&self, cell: &Cell) -> impl Iterator<Item = u32> + use<'_> {
        let mut link = cell.readers;
        std::iter::from_fn(move || {
            let &(unit, next) = self.links.get(link as usize)?;
            link = next;
            Some(unit)
        })
    }
}
