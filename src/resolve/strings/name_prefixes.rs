//! Members whose name is known by its beginning or its end: `getattr(x, f"on_{event}")`.
//!
//! One value stands for all methods that fit; the values of properties and attributes are joined.

use crate::{
    model::{EntityId, EntityKind},
    resolve::{names::Target, solver::Solver, values::PartOfName},
};

impl Solver<'_> {
    /// The methods of a class, and of those that derive from it, whose names begin so, with the class of the object.
    pub(crate) fn methods_with_prefix(&mut self, class: EntityId, beginning: PartOfName) -> Vec<(EntityId, EntityId)> {
        let members = self.members_with_prefix(class, beginning).into_iter();
        let methods = members.filter(|&(member, ..)| self.look.kind(member) == Some(EntityKind::Method));
        methods.map(|(method, receiver, _)| (method, receiver)).collect()
    }

    /// Members whose names begin so: with the class of the object that has them, and their names.
    pub(crate) fn members_with_prefix(
        &mut self,
        class: EntityId,
        beginning: PartOfName,
    ) -> Vec<(EntityId, EntityId, String)> {
        let mut members = Vec::new();
        let owners = std::sync::Arc::clone(&self.look.mro(class)).classes.clone();
        let derived = self.subclasses(class);
        for owner in owners.into_iter().chain(derived.iter().copied()) {
            let receiver = if derived.contains(&owner) { owner } else { class };
            for name in self.look.members_that_begin(owner, beginning) {
                for target in self.look.own_member(owner, &name) {
                    let Target::Entity(entity) = target else { continue };
                    members.push((entity, receiver, name.clone()));
                }
            }
        }
        members
    }
}
