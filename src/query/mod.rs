//! Questions that people ask, answered from the index.
//!
//! Each answer is a report as plain data. Source texts come from `source::Sources` alone, and the terminal belongs to
//! `render`.

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
