//! Calls as the source shows them: the arguments that a call passes, the parameters that a definition takes.

pub mod arguments;
pub mod parameters;
