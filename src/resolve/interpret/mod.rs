//! One transfer function for each kind of statement and expression.

pub(crate) mod attributes;
pub(crate) mod calls;
pub(crate) mod definitions;
pub(crate) mod expressions;
pub(crate) mod module_level;
pub(crate) mod narrow;
pub(crate) mod special_methods;
pub(crate) mod statements;

use crate::{
    facts::bodies::ExprId,
    model::EntityId,
    resolve::{
        solver::Solver,
        values::{SetId, questions::Key},
    },
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

impl Interpreter<'_> {
    /// From here on, additions come from elements of `iterable`; returns the expression before.
    pub(crate) fn taken_from(&mut self, iterable: ExprId) -> ExprId {
        if let Some(trace) = &mut self.solver.trace {
            trace.iterated.insert(iterable);
        }
        self.solver.comes_from(iterable)
    }

    /// Attributes the output of `work`, which evaluates, to a rule and not to the expression at the place.
    pub(crate) fn by_rule<T>(
        &mut self,
        sentence: &'static str,
        joined: Option<(Key, EntityId)>,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.solver.begin_rule(sentence, joined);
        let result = work(self);
        self.solver.end_rule(before);
        result
    }
}
