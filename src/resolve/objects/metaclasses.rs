//! Metaclasses: their methods work on the classes that they make.
//!
//! `cls` in a method of a metaclass, and the result of `super().__new__(…)` there, stand for all classes with that
//! metaclass. The topmost of them are enough: the others derive from those.

use crate::{
    model::{Basis, EntityId},
    resolve::{
        library::known,
        names::{Lookup, Target, Targets},
        solver::Solver,
        values::{self, Kinds, SetId, Value, questions},
    },
};

/// Classes whose objects are classes.
const METACLASSES: [u64; 5] = [
    known::dotted("builtins.type"),
    known::dotted("abc.ABCMeta"),
    known::dotted("enum.EnumMeta"),
    known::dotted("enum.EnumType"),
    known::dotted("typing._ProtocolMeta"),
];

/// `super().__call__` of a metaclass, which makes an object.
pub(crate) const MAKE: u64 = known::dotted("builtins.type.__call__");

/// With more topmost classes than these, the instances that a metaclass makes are not followed.
const MAX_CLASSES: usize = 8;

impl Solver<'_> {
    /// The topmost classes that a metaclass makes, where they are few.
    pub(crate) fn classes_made_by(&mut self, metaclass: EntityId) -> SetId {
        let classes = self.read(questions::made_by(metaclass));
        let classes = self.sets.only(classes, |value| matches!(value, Value::Class(_)));
        let is_few = self.sets.entries(classes).len() <= MAX_CLASSES;
        if is_few { self.sets.weaken(classes, Basis::SelfMember) } else { SetId::EMPTY }
    }

    /// The operands that Python joins itself: classes whose metaclass defines the operator are left out.
    pub(crate) fn without_operator(&mut self, set: SetId, operator: &str) -> SetId {
        if !self.sets.holds(set, Kinds::CLASSES) {
            return set;
        }
        let mut entries = values::Entries::new();
        for at in self.sets.range(set) {
            let entry = self.sets.at(at);
            let has_operator = match values::parts(entry).0 {
                Value::Class(class) => match self.look.metaclass(class) {
                    Some(Target::Entity(metaclass)) => self.look.inherited(metaclass, operator, None).is_some(),
                    _ => false,
                },
                _ => false,
            };
            if !has_operator {
                entries.push(entry);
            }
        }
        self.sets.of(entries)
    }
}

impl Lookup<'_> {
    pub(crate) fn is_metaclass(&mut self, class: EntityId) -> bool {
        self.mro(class).externals.iter().any(|base| METACLASSES.contains(base))
    }

    /// The `__call__` that a call of a class runs: its metaclass's.
    pub(crate) fn metaclass_call(&mut self, class: EntityId) -> Targets {
        match self.metaclass(class) {
            Some(Target::Entity(metaclass)) => {
                self.inherited(metaclass, "__call__", None).map(|(_, targets)| targets).unwrap_or_default()
            }
            _ => Targets::new(),
        }
    }

    /// `super().__new__`, and in a metaclass `super().__call__`, if no further class of the repository defines it.
    pub(crate) fn maker(&mut self, class: EntityId, name: &str) -> Option<Value> {
        match name {
            "__new__" => Some(Value::External(const { known::dotted("builtins.object.__new__") })),
            "__call__" if self.is_metaclass(class) => Some(Value::External(MAKE)),
            _ => None,
        }
    }
}
