//! The index as a file: its place, its writers, and whether it is whole.

pub(crate) mod create;
pub(crate) mod extension;
pub mod lock;
pub(crate) mod open;
pub(crate) mod schema;
pub(crate) mod stamp;
#[cfg(test)]
mod verify;
