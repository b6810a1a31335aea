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

use serde::Deserialize;

use crate::{
    model::Basis,
    resolve::{
        solver::{Solver, output::Position},
        values::{SetId, site::SitePart, slot::Slot},
    },
};

/// `heappop(heap)` gives an element of its first argument.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Flow {
    pub(crate) calls: Vec<String>,
    /// The argument that it takes from; all where none is named.
    pub(crate) from: Option<usize>,
    pub(crate) gives: Option<Taken>,
    /// The argument that it puts into the first one.
    pub(crate) puts: Option<usize>,
    /// It compares the elements.
    #[serde(default)]
    pub(crate) compares: bool,
}

/// The result of a call, by its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Taken {
    /// An element of them.
    Element,
    /// A list of their elements.
    List,
    /// A list of lists of their elements.
    Lists,
    /// A list of tuples, with an element of each argument in its place.
    Tuples,
    /// A list of pairs, of something and a list of their elements.
    Groups,
    /// One of them.
    Same,
    /// A list of them.
    Single,
}

/// `operator.add(a, b)` runs a special method of its arguments and gives the result.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Applies {
    pub(crate) calls: Vec<String>,
    /// The first of these that the first argument has.
    pub(crate) methods: Vec<String>,
    /// The one of the second argument that is asked where the first has none.
    pub(crate) reflected: Option<String>,
    /// Each argument is asked by itself.
    #[serde(default)]
    pub(crate) each: bool,
}

impl Solver<'_> {
    /// A list of lists that one call makes.
    pub(crate) fn listed_again(&mut self, slot: Slot, inner: SetId, place: Position) -> SetId {
        let outer = self.made(place, SitePart::Other, false);
        self.add_element(outer, slot, inner);
        self.sets.single(outer, Basis::Constructed)
    }
}
