//! Questions that people ask, answered from the index.
//!
//! Goes in: a store and the name of a definition. Comes out: reports as plain data. Knows nothing of the terminal; the
//! only files it sees are those that `source::Sources` hands it.

pub mod calls;
pub mod candidates;
pub mod context;
#[cfg(test)]
pub(crate) mod fixture;
pub mod graph;
pub mod impact;
pub mod map;
pub mod navigate;
pub mod search;
pub mod source;
pub mod target;
pub mod words;
pub(crate) mod written;
