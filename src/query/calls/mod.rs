//! Calls and signatures: which arguments reach which parameter.

pub mod arguments;
pub mod parameters;
pub mod signature;
