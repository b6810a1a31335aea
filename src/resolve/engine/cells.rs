//! Answers that grow while a file is resolved, and which steps of its units have read them.
//!
//! Knows neither what is asked nor what an answer means. Small on purpose: a large repository has millions of cells, all
//! alive between two rounds.

use crate::resolve::values::SetId;

/// A growing answer, with the steps to run again when it grows.
pub(crate) struct Cell {
    pub(crate) own: SetId,
    /// What was handed out as this file's part of the answer.
    pub(crate) told: SetId,
    /// What other files answered; [`SetId::UNASKED`] until they have been asked.
    pub(crate) outer: SetId,
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

/// How far back a reader is looked for before it is noted once more: what a step reads again it has mostly just read.
const LOOK_BACK: usize = 8;

/// The steps that have read each cell: a chain for each, the latest reader first.
#[derive(Default)]
pub(crate) struct Readers {
    links: Vec<(u32, Link)>,
}

impl Readers {
    /// Notes that `step` has read the cell.
    pub(crate) fn note(&mut self, cell: &mut Cell, step: u32) {
        if !self.of(cell).take(LOOK_BACK).any(|reader| reader == step) {
            self.link(cell, step);
        }
    }

    fn link(&mut self, cell: &mut Cell, step: u32) {
        let link = u32::try_from(self.links.len()).expect("fewer than 2^32 reads");
        self.links.push((step, cell.readers));
        cell.readers = link;
    }

    /// Keeps each reader of the cells once, in no more room than that needs.
    pub(crate) fn compact<'a>(&mut self, cells: impl Iterator<Item = &'a mut Cell>) {
        let mut compact = Readers::default();
        let mut readers: Vec<u32> = Vec::new();
        for cell in cells {
            readers.clear();
            readers.extend(self.of(cell));
            readers.sort_unstable();
            readers.dedup();
            cell.readers = END;
            for &step in &readers {
                compact.link(cell, step);
            }
        }
        compact.links.shrink_to_fit();
        *self = compact;
    }

    /// The steps that have read the cell; some of them more than once.
    pub(crate) fn of(&self, cell: &Cell) -> impl Iterator<Item = u32> + use<'_> {
        let mut link = cell.readers;
        std::iter::from_fn(move || {
            let &(step, next) = self.links.get(link as usize)?;
            link = next;
            Some(step)
        })
    }
}
