//! Answers that take one step, as text, and the index for code hosts.

pub mod context;
pub mod imports;
pub mod map;
pub mod refs;
#[cfg(feature = "formats")]
pub mod scip_index;
pub mod search;
pub mod show;
pub mod tree;
