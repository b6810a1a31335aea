//! Frameworks run code that a program registers with them. Their promises are data: files in `rules/`, read by
//! `tables`.
//!
//! The other files apply the rules to calls, decorators, classes and attributes. None of them names a framework.

pub(crate) mod decorators;
pub(crate) mod orm;
pub(crate) mod orm_fields;
pub(crate) mod pytest;
pub(crate) mod registered_names;
pub(crate) mod registration;
pub(crate) mod registry;
pub(crate) mod routes;
pub(crate) mod settings;
pub(crate) mod tables;
