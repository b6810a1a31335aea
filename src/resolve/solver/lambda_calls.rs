//! Calls of lambdas of a module or class, as in the rows of a parametrized test or in a table of handlers.
//!
//! Such a lambda has no entity of its own. Its occurrences belong to the module, though they run where it is called.
//! So each caller in the same file also gets the relationships of the lambda, at the place of its call.

use rustc_hash::FxHashMap;

use crate::{
    model::{Basis, EntityId, EntityKind, Position, Relationship, RelationshipKind},
    resolve::solver::Solver,
};

/// A call of a lambda: the caller, the place, the entity that owns the lambda, and the lambda's number.
pub(crate) type LambdaCall = (EntityId, Position, EntityId, u32);

impl Solver<'_> {
    /// Keeps a call of a lambda of this file's module or of one of its classes.
    pub(crate) fn note_lambda_call(&mut self, owner: EntityId, lambda: u32, place: Position) {
        // Most calls are of no lambda, and the kind of another file's entity is a question to it.
        if lambda == 0 || owner == self.entity || !self.look.is_own(owner) {
            return;
        }
        if !self.look.kind(owner).is_none_or(EntityKind::is_callable) {
            self.bindings.lambda_calls.insert((self.entity, place, owner, lambda));
        }
    }

    /// The relationships that callers of lambdas have by them. `of_units` holds those of each unit: of the module
    /// first, then of each function and lambda.
    pub(crate) fn by_lambda_calls(&self, of_units: &[Vec<Relationship>]) -> Vec<Relationship> {
        if self.bindings.lambda_calls.is_empty() {
            return Vec::new();
        }
        let units = self.bodies.functions.iter().zip(of_units.iter().skip(1));
        let inside: FxHashMap<(EntityId, u32), &Vec<Relationship>> =
            units.map(|(unit, inside)| ((self.look.own.id(unit.entity), unit.lambda), inside)).collect();
        let of_owners = |edge: &&Relationship| edge.kind == RelationshipKind::Calls && edge.target != edge.source;
        let known: FxHashMap<(EntityId, Position, EntityId), Basis> = of_units
            .iter()
            .flatten()
            .filter(of_owners)
            .map(|edge| ((edge.source, (edge.line, edge.column), edge.target), edge.basis))
            .collect();
        let mut calls: Vec<&LambdaCall> = self.bindings.lambda_calls.iter().collect();
        calls.sort_unstable();
        let mut found = Vec::new();
        for &(source, place, owner, lambda) in calls {
            // Later rounds may have found too many values to follow.
            let Some(&basis) = known.get(&(source, place, owner)) else { continue };
            let Some(&inside) = inside.get(&(owner, lambda)) else { continue };
            let (line, column) = place;
            let as_called =
                |edge: &Relationship| Relationship { source, line, column, basis: edge.basis.max(basis), ..*edge };
            found.extend(inside.iter().map(as_called));
        }
        found
    }
}
