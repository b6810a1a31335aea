//! Names that code computes: the strings that an expression can be.

pub(crate) mod computed_names;
pub(crate) mod dotted_names;
pub(crate) mod name_prefixes;
pub(crate) mod named_members;
pub(crate) mod passed_names;
