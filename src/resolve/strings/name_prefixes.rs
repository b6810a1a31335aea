//! Members that a text names of which the beginning or the end is known: `getattr(x, f"on_{event}")`.
//!
//! Goes in: objects and the known parts. Comes out: the methods, as one value for all of them; the values of the properties and
//! attributes; what is named so is said.

use crate::{
    model::{Basis, EntityFlags, EntityId, EntityKind, UnresolvedReason},
    resolve::{
        engine::{Solver, output::Place},
        names::Target,
        questions,
        values::{self, PartOfName, SetId, Value},
    },
};

impl Solver<'_> {
    /// The members of objects that a text names of which the beginning is known. Where too many classes derive from theirs, that
    /// is said.
    pub(crate) fn members_begun(&mut self, objects: SetId, beginnings: &[PartOfName], place: Place) -> SetId {
        let objects = self.concrete(objects);
        let (mut entries, mut is_known) = (values::Entries::new(), true);
        let mut read = SetId::EMPTY;
        for at in self.sets.range(objects) {
            let (object, _) = values::parts(self.sets.at(at));
            let (Value::Instance(class) | Value::Class(class)) = object else { continue };
            is_known &= self.read(questions::subclasses(class)) != SetId::TOP;
            for &beginning in beginnings {
                let members = self.family(class, beginning);
                for &(method, _) in &members {
                    self.mention(Target::Entity(method), Basis::Text, place, None);
                }
                if !members.is_empty() {
                    entries.push(values::entry(Value::MethodsByPrefix(class, beginning), Basis::Text));
                }
                if matches!(object, Value::Instance(_)) {
                    let values = self.attributes_begun(class, beginning, place);
                    read = self.sets.union(read, values);
                }
            }
        }
        if !is_known {
            self.unresolved("getattr", place, UnresolvedReason::DynamicName, "", None);
        }
        let methods = self.sets.of(entries);
        self.sets.union(methods, read)
    }

    /// The methods of a class, and of those that derive from it, whose names begin so, with the class of the object.
    pub(crate) fn family(&mut self, class: EntityId, beginning: PartOfName) -> Vec<(EntityId, EntityId)> {
        let members = self.all_begun(class, beginning).into_iter();
        let methods = members.filter(|&(member, ..)| self.kind(member) == Some(EntityKind::Method));
        methods.map(|(method, receiver, _)| (method, receiver)).collect()
    }

    /// Reads the properties and attributes of an object whose names begin so.
    fn attributes_begun(&mut self, class: EntityId, beginning: PartOfName, place: Place) -> SetId {
        let mut values = SetId::EMPTY;
        for (member, receiver, name) in self.all_begun(class, beginning) {
            let is_read = match self.kind(member) {
                Some(EntityKind::Property) => {
                    let flags = self.look.flags(member);
                    !flags.has(EntityFlags::SETTER) && !flags.has(EntityFlags::DELETER)
                }
                kind => kind == Some(EntityKind::Variable),
            };
            if is_read {
                self.mention(Target::Entity(member), Basis::Text, place, None);
                let found = self.attribute_of(Value::Instance(receiver), Basis::Text, &name, place);
                values = self.sets.union(values, found.set);
            }
        }
        self.sets.weaken(values, Basis::Text)
    }

    /// Members whose names begin so: with the class of the object that has them, and their names.
    fn all_begun(&mut self, class: EntityId, beginning: PartOfName) -> Vec<(EntityId, EntityId, String)> {
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
