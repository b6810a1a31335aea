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

/// The interpreter of one file's code over points-to sets. It evaluates expressions and runs statements; the state that
/// these read and change is the solver's.
pub(crate) struct Interpreter<'a> {
    pub(crate) solver: Solver<'a>,
    /// The present loop has a `break` or `continue`.
    pub(crate) has_jumped: bool,
    /// Entities called by the call being evaluated.
    pub(crate) called: Vec<EntityId>,
    /// The parameter that is the receiver of the next methods called.
    pub(crate) called_on: SetId,
    /// The type arguments of the receivers of these methods.
    pub(crate) applied_on: SetId,
    pub(crate) depth: u32,
    /// Number of proxies that the present lookup of an attribute has passed.
    pub(crate) proxies: u32,
}
