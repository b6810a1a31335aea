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
            attributes::member_values::{FoundMember, add_referents, member_referents},
            calls::arguments::Arguments,
        },
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
    pub(crate) fn keep_base(&mut self, class: EntityId, base: SetId) {
        let kept = self.sets.only(base, |value| matches!(value, Value::Class(_) | Value::Parameter(..)));
        self.add(questions::attribute(class, BASES), kept);
    }
}

impl Interpreter<'_> {
    /// The classes that the values of a class's bases mean, and those of their bases in turn; none where they are many.
    /// Two makers of classes can each get what the other made, so no class is visited twice.
    fn passed_bases(&mut self, class: EntityId) -> Vec<(EntityId, Basis)> {
        let (mut seen, mut next) = (vec![(class, Basis::Scope)], 0);
        while let Some(&(from, reached)) = seen.get(next) {
            next += 1;
            let mro = std::sync::Arc::clone(&self.solver.look.mro(from));
            for &owner in mro.classes.iter().filter(|_| mro.is_open) {
                let kept = self.solver.read(questions::attribute(owner, BASES));
                let kept = self.expand_parameters(kept);
                for &entry in self.solver.sets.entries(kept) {
                    let (Value::Class(base), basis) = values::parts(entry) else { continue };
                    if !mro.classes.contains(&base) && seen.iter().all(|&(other, _)| other != base) {
                        seen.push((base, basis.max(reached)));
                    }
                }
            }
            if seen.len() > MAX_BASES + 1 {
                return Vec::new();
            }
        }
        seen.split_off(1)
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
            let Some((_, targets)) = self.solver.look.inherited(base, name, None) else { continue };
            let set = self.member_values(base, name, &targets, basis, is_instance.then_some(place));
            found.set = self.solver.sets.union(found.set, set);
            add_referents(&mut found.referents, member_referents(&mut self.solver, &targets, basis));
        }
        (!found.referents.is_empty()).then_some(found)
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
