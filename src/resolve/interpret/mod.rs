//! One transfer function for each kind of statement and expression.

pub(crate) mod arguments;
pub(crate) mod attributes;
pub(crate) mod calls;
pub(crate) mod conditional_returns;
pub(crate) mod creation;
pub(crate) mod definitions;
pub(crate) mod expressions;
pub(crate) mod file;
pub(crate) mod imported;
pub(crate) mod literals;
pub(crate) mod member_values;
pub(crate) mod method_rules;
pub(crate) mod module_level;
pub(crate) mod narrow;
pub(crate) mod parameters;
pub(crate) mod special_members;
pub(crate) mod special_methods;
pub(crate) mod statements;
pub(crate) mod summaries;
pub(crate) mod tests_of_values;

use crate::{
    model::EntityId,
    resolve::{solver::Solver, values::SetId},
};

/// One file's code, as it is interpreted over points-to sets. It evaluates expressions and runs statements; the state that
/// these read and change is the solver's.
pub(crate) struct Interpreter<'a> {
    pub(crate) solver: Solver<'a>,
    /// The present loop has a `break` or `continue`.
    pub(crate) has_jumped: bool,
    /// Entities called by the call being evaluated.
    pub(crate) called: Vec<EntityId>,
    /// The parameter that the methods are called on which are called next.
    pub(crate) called_on: SetId,
    /// What the objects are applied to that the methods are called on.
    pub(crate) applied_on: SetId,
    pub(crate) depth: u32,
    /// Proxies behind which an attribute is looked for.
    pub(crate) proxies: u32,
}
