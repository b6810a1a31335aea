//! Occurrences for which the flow of values gives several definitions of one name, or a special method of a value from
//! elsewhere, or so many values that few of them get there: each is less likely than the step that found it.
//!
//! Goes in: the relationships of a file. Comes out: the same, with the evidence of such occurrences put down to
//! [`Basis::Choice`], [`Basis::Crowd`] and [`Basis::Implicit`], and that of overrides of what is left to derived classes to
//! [`Basis::Implemented`]. Known only at the end, since alternatives come with the rounds.

use smallvec::SmallVec;

use super::solver::Solver;
use crate::model::{Basis, EntityId, EntityKind, Relationship, RelationshipKind};

/// Of more values at one place than these, few get there.
const CROWD: usize = 16;

impl Solver<'_> {
    /// Weakens what is one of several: methods of one name on the classes that a receiver can have.
    pub(super) fn weigh_choices(&mut self, relationships: &mut [Relationship]) {
        let is_followed = |basis: Basis| matches!(basis, Basis::Annotated | Basis::Returned | Basis::Stored);
        let mut at: Vec<(EntityId, u32, u32, RelationshipKind, u32)> = (0..)
            .zip(&*relationships)
            .filter(|(_, edge)| edge.basis <= Basis::Dispatched)
            .map(|(index, edge)| (edge.source, edge.line, edge.column, edge.kind, index))
            .collect();
        at.sort_unstable();
        for occurrence in at.chunk_by(|a, b| (a.0, a.1, a.2, a.3) == (b.0, b.1, b.2, b.3)) {
            if occurrence.len() < 2 {
                continue;
            }
            let (overrides, occurrence): (Vec<_>, Vec<_>) =
                occurrence.iter().partition(|&&(.., index)| relationships[index as usize].basis == Basis::Dispatched);
            let indices = || occurrence.iter().map(|&&(.., index)| index as usize);
            if !overrides.is_empty() && indices().any(|index| self.is_left_open(relationships[index].target)) {
                for &&(.., index) in &overrides {
                    relationships[index as usize].basis = Basis::Implemented;
                }
            }
            if occurrence.len() > CROWD {
                for index in indices() {
                    let basis = &mut relationships[index].basis;
                    if matches!(*basis, Basis::Passed | Basis::Element) {
                        *basis = Basis::Crowd;
                    }
                }
            }
            if occurrence.len() < 2 || !indices().any(|index| is_followed(relationships[index].basis)) {
                continue;
            }
            // Two definitions of one name in one scope are one: overloads, `if` and `else`.
            let targets: SmallVec<[_; 8]> = indices().map(|index| self.name_in(relationships[index].target)).collect();
            for (place, index) in indices().enumerate() {
                let (name, parent) = targets[place];
                let has_others = targets.iter().any(|&(other, scope)| other == name && scope != parent);
                if has_others && is_followed(relationships[index].basis) {
                    relationships[index].basis = Basis::Choice;
                }
            }
        }
        for edge in relationships {
            let is_from_elsewhere = matches!(edge.basis, Basis::Passed | Basis::Element | Basis::Choice | Basis::Crowd);
            if is_from_elsewhere && edge.kind == RelationshipKind::Calls && self.is_implicit(edge.target) {
                edge.basis = Basis::Implicit;
            }
        }
    }

    pub(super) fn is_left_open(&mut self, entity: EntityId) -> bool {
        self.look.flags(entity).is_left_open()
    }

    /// Whether a method is run by what Python does with a value, not by calling it or its class.
    fn is_implicit(&mut self, entity: EntityId) -> bool {
        let found = self.look.with_head(entity, |info, head| {
            let name = info.interface.names.text(head.name);
            let is_called = matches!(name, "__init__" | "__new__" | "__post_init__" | "__call__");
            head.kind == EntityKind::Method && name.starts_with("__") && name.ends_with("__") && !is_called
        });
        found == Some(true)
    }

    /// The name of a definition, by its hash, and the definition that holds it.
    fn name_in(&mut self, entity: EntityId) -> (u64, Option<EntityId>) {
        let found = self
            .look
            .with_head(entity, |info, head| (info.interface.names.hash(head.name), Some(info.id(head.parent))));
        found.unwrap_or_default()
    }
}
