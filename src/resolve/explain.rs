//! Why an occurrence means what it means, or why nobody can tell: the values of each part of its expression.
//!
//! Goes in: a file whose rounds are over, and places in it. Comes out: for each place the parts of the expression that
//! stands there, the innermost first, with what each can be. Nothing of this is stored: the file is gone through once
//! more, and what its expressions are is written down on the way.

use rustc_hash::FxHashMap;

use super::{
    Definitions, ROUNDS,
    collect::{is_manager, is_reference},
    containers::{DECLARED, KEYED},
    emit::Place,
    eval::Heads,
    externals,
    lookup::Target,
    solver::{FileSolver, Solver},
    stdlib,
    value::{self, SetId, Value},
};
use crate::{
    facts::{
        Bodies,
        bodies::{ExprId, ExprKind, NONE, ScopeKind},
    },
    model::{Basis, EntityId, EntityKind},
};

/// Longest expression that is taken apart.
const MAX_PARTS: usize = 12;

/// What is written down while a file is gone through: the values of the expressions in question.
#[derive(Default)]
pub(super) struct Trace {
    values: FxHashMap<ExprId, SetId>,
    /// The properties and variables that attributes name.
    names: FxHashMap<ExprId, Vec<EntityId>>,
}

/// What is known of the inside of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inside {
    /// Its elements are instances of the class that it is told by.
    Instances,
    /// Its keys are.
    Keys,
    /// It is told by where it was made.
    Made,
    /// It hands out what it holds when it is called, or entered.
    Giver,
}

/// What the site of a container says of its inside.
pub fn inside(site: u32) -> Inside {
    match site {
        _ if site & (DECLARED | KEYED) == DECLARED | KEYED => Inside::Keys,
        _ if site & DECLARED == DECLARED => Inside::Instances,
        _ if is_reference(site) || is_manager(site) => Inside::Giver,
        _ => Inside::Made,
    }
}

/// The builtin that a hash stands for.
pub fn builtin_named(hash: u64) -> Option<&'static str> {
    if hash == externals::NONE_TYPE { Some("NoneType") } else { stdlib::builtin_named(hash) }
}

/// One part of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// As it stands there, arguments left out: `app.logger`, `make(…)`.
    pub text: String,
    pub origin: Origin,
    /// The properties and variables that it names, for an attribute.
    pub names: Vec<EntityId>,
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
    /// One with an annotation.
    Annotated,
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
        let values = chains.iter().flatten().map(|&expression| (expression, SetId::EMPTY)).collect();
        let trace = Trace { values, names: FxHashMap::default() };
        self.with_solver(definitions, bodies, ROUNDS, |solver| {
            solver.trace = Some(trace);
            solver.run_all();
            let trace = solver.trace.take().unwrap_or_default();
            let part = |solver: &mut Solver<'_>, expression: ExprId| solver.part(expression, &trace);
            chains.iter().map(|chain| chain.iter().map(|&expression| part(solver, expression)).collect()).collect()
        })
    }
}

impl Solver<'_> {
    /// Writes down what an expression is, if somebody wants to know.
    pub(super) fn note(&mut self, expression: ExprId, set: SetId) {
        let Some(known) = self.trace.as_mut().and_then(|trace| trace.values.get_mut(&expression)) else { return };
        *known = self.sets.union(*known, set);
    }

    /// Writes down what an attribute names.
    pub(super) fn note_names(&mut self, expression: ExprId, heads: &Heads) {
        if self.trace.as_ref().is_none_or(|trace| !trace.values.contains_key(&expression)) {
            return;
        }
        for &(target, _) in heads {
            let Target::Entity(entity) = target else { continue };
            let is_value = matches!(self.kind(entity), Some(EntityKind::Property | EntityKind::Variable));
            let names = self.trace.as_mut().expect("looked at above").names.entry(expression).or_default();
            if is_value && !names.contains(&entity) {
                names.push(entity);
            }
        }
    }

    fn part(&mut self, expression: ExprId, trace: &Trace) -> Part {
        let set = self.concrete(trace.values[&expression]);
        let values = self.sets.entries(set).iter().map(|&entry| value::parts(entry));
        let values = values.filter(|(value, _)| *value != Value::Unknown).collect();
        Part {
            text: text_of(self.bodies, expression),
            origin: self.origin(expression),
            names: trace.names.get(&expression).cloned().unwrap_or_default(),
            values,
            is_anything: set == SetId::TOP,
        }
    }

    fn origin(&self, expression: ExprId) -> Origin {
        let bodies = self.bodies;
        match bodies.expressions[expression as usize].kind {
            ExprKind::Name { variable: NONE, .. } => Origin::Unbound,
            ExprKind::Name { variable, .. } => {
                let mut parameters = bodies.functions.iter().flat_map(|function| &function.parameters);
                let parameter = parameters.find(|parameter| parameter.variable == variable);
                let scope = bodies.variables[variable as usize].scope;
                match bodies.scopes[scope as usize].kind {
                    _ if parameter.is_some_and(|parameter| parameter.annotation != NONE) => Origin::Annotated,
                    _ if parameter.is_some() => Origin::Parameter,
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
