//! Declared types: annotations, generics, overloads, protocols, stubs.

pub(crate) mod annotations;
pub(crate) mod declared;
pub(crate) mod declared_contents;
pub(crate) mod literal_arguments;
pub(crate) mod overloads;
pub(crate) mod protocols;
pub(crate) mod stubs;
pub(crate) mod substitution;
pub(crate) mod type_arguments;
pub(crate) mod type_parameters;
