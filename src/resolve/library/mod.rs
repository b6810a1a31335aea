//! Functions of the standard library, as far as values flow through them: `heapq.heappop(heap)`, `operator.add(a, b)`.
//!
//! Which function does which stands in `rules`; the special methods that they run are emitted as calls.

pub(crate) mod base_classes;
pub(crate) mod builtin_members;
pub(crate) mod calls;
pub(crate) mod functions;
pub(crate) mod known;
pub(crate) mod lineage;
pub(crate) mod opaque_results;
pub(crate) mod stdlib_names;
pub(crate) mod string_conversion;
pub(crate) mod texts;

use crate::{
    model::{Basis, Position},
    resolve::{
        solver::Solver,
        values::{SetId, site::SitePart, slot::Slot},
    },
};

impl Solver<'_> {
    /// A list of lists that one call makes.
    pub(crate) fn listed_again(&mut self, slot: Slot, inner: SetId, place: Position) -> SetId {
        let outer = self.made(place, SitePart::Other, false);
        self.add_element(outer, slot, inner);
        self.sets.single(outer, Basis::Constructed)
    }
}
