//! One transfer function for each kind of statement and expression.

pub(crate) mod attributes;
pub(crate) mod calls;
pub(crate) mod conditional_returns;
pub(crate) mod context_managers;
pub(crate) mod definitions;
pub(crate) mod expressions;
pub(crate) mod function_kinds;
pub(crate) mod match_patterns;
pub(crate) mod narrow;
pub(crate) mod parameters;
pub(crate) mod returns;
pub(crate) mod special_methods;
pub(crate) mod statements;
