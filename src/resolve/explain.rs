//! Why an occurrence means what it means, or why nobody can tell: the values of each part of its expression.
//!
//! Goes in: a file whose rounds are over, and places in it. Comes out: for each place the parts of the expression that
//! stands there, the innermost first, with what each can be. Nothing of this is stored: the file is gone through once
//! more, and what its expressions are is written down on the way.

use rustc_hash::FxHashMap;

use super::{
    Definitions, ROUNDS,
    emit::Place,
    solver::{FileSolver, Solver},
    value::{self, SetId, Value},
};
use crate::{
    facts::{
        Bodies,
        bodies::{ExprId, ExprKind, NONE, ScopeKind},
    },
    model::Basis,
};

/// Longest expression that is taken apart.
const MAX_PARTS: usize = 12;

/// What is written down while a file is gone through: the values of the expressions in question.
pub(super) type Trace = FxHashMap<ExprId, SetId>;

/// One part of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// As it stands there, arguments left out: `app.logger`, `make(…)`.
    pub text: String,
    pub origin: Origin,
    /// What it can be; empty when nothing is known.
    pub values: Vec<(Value, Basis)>,
    /// More values than are told apart.
    pub is_anything: bool,
}

/// Where the values of a part come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A parameter of the function around it.
    Parameter,
    /// A variable that the code around it assigns.
    Local,
    /// A variable of a scope further out, or an import.
    Outer,
    /// A name that the file does not bind.
    Unbound,
    Attribute,
    Call,
    Element,
    Other,
}

impl FileSolver {
    /// The parts of the expressions that stand at `places` (line and column of the naming token); none where no name or
    /// attribute stands.
    pub fn explain(&mut self, definitions: &dyn Definitions, bodies: &Bodies, places: &[(u32, u32)]) -> Vec<Vec<Part>> {
        let chains: Vec<Vec<ExprId>> = places.iter().map(|&place| chain_at(bodies, place)).collect();
        let trace: Trace = chains.iter().flatten().map(|&expression| (expression, SetId::EMPTY)).collect();
        self.with_solver(definitions, bodies, ROUNDS, |solver| {
            solver.trace = Some(trace);
            solver.run_all();
            let trace = solver.trace.take().unwrap_or_default();
            let part = |solver: &mut Solver<'_>, expression: ExprId| solver.part(expression, trace[&expression]);
            chains.iter().map(|chain| chain.iter().map(|&expression| part(solver, expression)).collect()).collect()
        })
    }
}

impl Solver<'_> {
    /// Writes down what an expression is, if somebody wants to know.
    pub(super) fn note(&mut self, expression: ExprId, set: SetId) {
        let Some(known) = self.trace.as_mut().and_then(|trace| trace.get_mut(&expression)) else { return };
        *known = self.sets.union(*known, set);
    }

    fn part(&mut self, expression: ExprId, set: SetId) -> Part {
        let set = self.concrete(set);
        let values = self.sets.entries(set).iter().map(|&entry| value::parts(entry));
        let values = values.filter(|(value, _)| *value != Value::Unknown).collect();
        Part {
            text: text_of(self.bodies, expression),
            origin: self.origin(expression),
            values,
            is_anything: set == SetId::TOP,
        }
    }

    fn origin(&self, expression: ExprId) -> Origin {
        let bodies = self.bodies;
        match bodies.expressions[expression as usize].kind {
            ExprKind::Name { variable: NONE, .. } => Origin::Unbound,
            ExprKind::Name { variable, .. } => {
                let is_parameter = |function: &crate::facts::bodies::FunctionBody| {
                    function.parameters.iter().any(|parameter| parameter.variable == variable)
                };
                let scope = bodies.variables[variable as usize].scope;
                match bodies.scopes[scope as usize].kind {
                    _ if bodies.functions.iter().any(is_parameter) => Origin::Parameter,
                    ScopeKind::Module | ScopeKind::Class => Origin::Outer,
                    _ => Origin::Local,
                }
            }
            ExprKind::Attribute { .. } => Origin::Attribute,
            ExprKind::Call { .. } => Origin::Call,
            ExprKind::Subscript { .. } => Origin::Element,
            _ => Origin::Other,
        }
    }
}

/// The expression named at a place and what it is an attribute, an element or a result of; the innermost first.
fn chain_at(bodies: &Bodies, place: Place) -> Vec<ExprId> {
    let is_there = |expression: &crate::facts::bodies::Expr| {
        (expression.line, expression.column) == place
            && matches!(expression.kind, ExprKind::Name { .. } | ExprKind::Attribute { .. })
    };
    let Some(found) = bodies.expressions.iter().position(is_there) else { return Vec::new() };
    let mut at = u32::try_from(found).expect("fewer than 2^32 expressions");
    let mut chain = vec![at];
    while let Some(inner) = inner(bodies, at).filter(|_| chain.len() < MAX_PARTS) {
        chain.push(inner);
        at = inner;
    }
    chain.reverse();
    chain
}

fn inner(bodies: &Bodies, expression: ExprId) -> Option<ExprId> {
    let inner = match bodies.expressions[expression as usize].kind {
        ExprKind::Attribute { base, .. } | ExprKind::Subscript { base, .. } => base,
        ExprKind::Call { callee, .. } => callee,
        ExprKind::Await(value) => value,
        _ => NONE,
    };
    (inner != NONE).then_some(inner)
}

fn text_of(bodies: &Bodies, expression: ExprId) -> String {
    let before = || inner(bodies, expression).map(|inner| text_of(bodies, inner)).unwrap_or_default();
    match bodies.expressions[expression as usize].kind {
        ExprKind::Name { name, .. } => bodies.names.text(name).to_owned(),
        ExprKind::Attribute { name, .. } => format!("{}.{}", before(), bodies.names.text(name)),
        ExprKind::Call { .. } => format!("{}(…)", before()),
        ExprKind::Subscript { .. } => format!("{}[…]", before()),
        ExprKind::Await(_) => format!("await {}", before()),
        _ => "…".to_owned(),
    }
}
