//! Coding agents: what their hooks call, and the entries that set them up.
//!
//! `push` tells an agent after an edit, or at the end of its turn, which calls no longer fit. `setup` knows the
//! configuration files of each agent and changes nothing in them but its own entries.

pub mod push;
pub mod setup;
