//! The index as a file: where it lies, who may write, whether it is whole.

pub(crate) mod create;
pub(crate) mod extension;
pub mod lock;
pub(crate) mod open;
pub(crate) mod schema;
pub(crate) mod stamp;
pub mod verify;
