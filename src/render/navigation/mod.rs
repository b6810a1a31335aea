//! Answers that take one step, as text.

pub mod context;
pub mod map;
pub mod refs;
pub mod search;
pub mod show;
pub mod tree;
