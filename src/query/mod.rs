//! Questions that people ask, answered from the index.
//!
//! Goes in: a store and the name of a definition. Comes out: reports as plain data. Knows nothing of the terminal; the
//! only files it sees are those that `source::Sources` hands it.

pub mod arguments;
pub mod candidates;
mod collecting;
mod combine;
pub mod completeness;
mod computed;
pub mod context;
pub mod cursor;
mod direct;
pub mod evidence;
pub mod excerpts;
#[cfg(test)]
pub(crate) mod fixture;
pub mod graph;
pub(crate) mod hidden;
pub mod impact;
mod importers;
mod instances;
mod likeness;
pub mod map;
pub mod naming;
pub mod occurrences;
mod outside;
mod overriders;
pub mod parameters;
pub mod possible;
mod prepared;
pub mod refs;
mod requests;
mod rivals;
pub mod rules;
pub mod search;
pub mod selection;
pub mod show;
pub mod signature;
pub mod source;
pub mod spelling;
pub mod target;
pub mod tree;
mod values;
pub mod verdict;
pub mod walk;
pub mod words;
