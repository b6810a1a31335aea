//! Attributes that are deleted: `del x.name`, `delattr(x, "name")`.
//!
//! Goes in: the objects and the name. Comes out: what Python runs for it: `__delattr__`, the deleter of a property, the
//! `__delete__` of a descriptor.

use crate::{
    facts::{NameId, bodies::NONE},
    model::{Basis, EntityFlags, EntityId, EntityKind, RelationshipKind},
    resolve::{
        engine::{Solver, output::Place},
        names::Target,
        values::{self, SetId, Value},
    },
};

impl Solver<'_> {
    pub(crate) fn delete_attribute(&mut self, objects: SetId, name: NameId, place: Place) {
        let (text, hash) = (self.bodies.names.text(name), self.bodies.names.hash(name));
        self.special(objects, "__delattr__", &[], place);
        let objects = self.concrete(objects);
        for at in self.sets.range(objects) {
            let (Value::Instance(class), basis) = values::parts(self.sets.at(at)) else { continue };
            self.run_deleters(class, text, basis, place);
            let held = self.held_over_mro(class, hash);
            let descriptors = self.only(held, |value| matches!(value, Value::Instance(_)));
            self.special(descriptors, "__delete__", &[], place);
        }
    }

    /// `delattr(objects, "name")`
    pub(crate) fn delete_named(&mut self, objects: SetId, name: NameId, place: Place) {
        let said = self.output.relationships.len();
        let (_, heads) = self.attribute(objects, name, place, NONE, None);
        self.nothing_is_read(place, said);
        for (target, basis) in heads {
            self.mention(target, basis.max(Basis::Text), place, Some(RelationshipKind::Writes));
        }
        self.delete_attribute(objects, name, place);
    }

    /// Takes back the calls since then at a place where something is named and not read: no descriptor gives anything.
    pub(crate) fn nothing_is_read(&mut self, place: Place, said: usize) {
        let mut at = 0;
        self.output.relationships.retain(|edge| {
            at += 1;
            at <= said || edge.kind != RelationshipKind::Calls || (edge.line, edge.column) != place
        });
    }

    fn run_deleters(&mut self, class: EntityId, name: &str, basis: Basis, place: Place) {
        let Some((_, targets)) = self.look.inherited(class, name, None) else { return };
        for target in targets {
            let Target::Entity(entity) = target else { continue };
            if self.kind(entity) == Some(EntityKind::Property) && self.look.flags(entity).has(EntityFlags::DELETER) {
                self.edge(entity, RelationshipKind::Calls, basis.max(Basis::SelfMember), place);
                let receiver = self.sets.single(Value::Instance(class), basis);
                self.pass(entity, 0, &[receiver]);
            }
        }
    }
}
