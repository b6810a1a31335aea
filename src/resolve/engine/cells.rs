//! Cells: points-to sets that grow while a file is resolved, each with the steps that have read it.
//!
//! Cells are small on purpose: a large repository has millions of them, all alive between two rounds.

use crate::resolve::values::SetId;

/// A growing points-to set, with the steps to run again when it grows.
pub(crate) struct Cell {
    /// This file's part.
    pub(crate) own: SetId,
    /// The part of `own` that other files can see already.
    pub(crate) published: SetId,
    /// The other files' part; [`SetId::UNASKED`] before the first read.
    pub(crate) imported: SetId,
    readers: Link,
}

impl Default for Cell {
    fn default() -> Self {
        Cell { own: SetId::EMPTY, published: SetId::EMPTY, imported: SetId::UNASKED, readers: END }
    }
}

/// Index into [`Readers`].
type Link = u32;

const END: Link = u32::MAX;

/// How many of the latest readers are checked before a reader is noted once more. Steps mostly repeat recent reads.
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
