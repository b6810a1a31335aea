//! Bases that are values: `def make(base): class Derived(base): …`.
//!
//! The MRO holds the bases that a file's names tell. Where a name stands for a value instead, the class keeps the
//! classes that it can mean, and its members and constructor are asked for there last.

use crate::{
    facts::hash_name,
    model::{Basis, EntityId, Position},
    resolve::{
        interpret::{
            Interpreter,
            attributes::member_values::{FoundMember, add_referents},
            calls::arguments::Arguments,
        },
        names::Target,
        solver::Solver,
        values::{self, SetId, Value, questions},
    },
};

/// The attribute of a class that keeps the values of its bases, as in Python.
const BASES: u64 = hash_name("__bases__");

/// Most classes that such a base is taken to be.
const MAX_BASES: usize = 8;

impl Solver<'_> {
    /// Keeps the value of a base that is no class by its name.
    pub(crate) fn keep_base(&mut self, class: EntityId, known: Option<Target>, base: SetId) {
        let is_value = |value| matches!(value, Value::Class(_) | Value::Parameter(..));
        if known.is_none() {
            let kept = self.sets.only(base, is_value);
            self.add(questions::attribute(class, BASES), kept);
        }
    }
}

impl Interpreter<'_> {
    /// The classes that the values of a class's bases mean; none where they are many.
    fn passed_bases(&mut self, class: EntityId) -> Vec<(EntityId, Basis)> {
        let mro = std::sync::Arc::clone(&self.solver.look.mro(class));
        if !mro.is_open {
            return Vec::new();
        }
        let mut bases: Vec<(EntityId, Basis)> = Vec::new();
        for &owner in &mro.classes {
            let kept = self.solver.read(questions::attribute(owner, BASES));
            let kept = self.expand_parameters(kept);
            let of_kept = self.solver.sets.entries(kept).iter().filter_map(|&entry| match values::parts(entry) {
                (Value::Class(base), basis) if !mro.classes.contains(&base) => Some((base, basis)),
                _ => None,
            });
            bases.extend(of_kept);
        }
        if bases.len() > MAX_BASES { Vec::new() } else { bases }
    }

    /// A member that only the values of a class's bases have.
    pub(crate) fn member_of_passed_bases(
        &mut self,
        class: EntityId,
        name: &str,
        place: Position,
        is_instance: bool,
    ) -> Option<FoundMember> {
        let mut found = FoundMember::of(SetId::EMPTY);
        for (base, basis) in self.passed_bases(class) {
            let receiver = if is_instance { Value::Instance(base) } else { Value::Class(base) };
            let member = self.attribute_of(receiver, basis, name, place);
            found.set = self.solver.sets.union(found.set, member.set);
            add_referents(&mut found.referents, member.referents);
        }
        (!found.referents.is_empty() || found.set != SetId::EMPTY).then_some(found)
    }

    /// Runs the constructors of the values of a class's bases on an object of the class.
    pub(crate) fn construct_by_passed_bases(
        &mut self,
        class: EntityId,
        made: SetId,
        arguments: &Arguments,
        place: Position,
    ) {
        for (base, basis) in self.passed_bases(class) {
            if let Some((_, targets)) = self.solver.look.inherited(base, "__init__", None) {
                self.call_members_with(&targets, made, arguments, basis, place);
            }
        }
    }
}
