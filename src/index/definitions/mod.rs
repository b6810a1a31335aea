//! The two implementations of `Definitions`: in memory for a full build, over the store for an update.

pub(crate) mod folders;
pub(crate) mod interfaces;
pub(crate) mod memory;
pub(crate) mod stored;
