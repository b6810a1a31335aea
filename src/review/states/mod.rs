//! The two states that a change lies between, and how they differ.

pub(crate) mod baseline;
pub(crate) mod changes;
pub(crate) mod edits;
mod moved;
pub(crate) mod newer;
pub(crate) mod parameters;
pub(crate) mod range;
pub(crate) mod unchanged_blanked;
pub(crate) mod versions;
