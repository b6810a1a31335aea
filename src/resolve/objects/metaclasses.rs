//! Metaclasses: what their methods know of the classes that they make.
//!
//! Goes in: the `cls` of a metaclass's methods, or what `super().__new__(…)` gives in one. Comes out: what the classes with that
//! metaclass have. Those are known by the topmost: the others derive from them.

use crate::{
    model::{Basis, EntityId},
    resolve::{
        engine::{Solver, output::Place},
        interpret::{
            attributes::{Found, add_heads, member_heads},
            expressions::Heads,
        },
        library::known,
        names::{Target, Targets},
        questions,
        values::{self, Kinds, SetId, Value},
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

/// Of more topmost classes than these it is not told which one a metaclass makes an instance of.
const MAX_CLASSES: usize = 8;

impl Solver<'_> {
    pub(crate) fn is_metaclass(&mut self, class: EntityId) -> bool {
        self.look.mro(class).externals.iter().any(|base| METACLASSES.contains(base))
    }

    /// The `__call__` that a call of a class runs: its metaclass's.
    pub(crate) fn metaclass_call(&mut self, class: EntityId) -> Targets {
        match self.look.metaclass(class) {
            Some(Target::Entity(metaclass)) => {
                self.look.inherited(metaclass, "__call__", None).map(|(_, targets)| targets).unwrap_or_default()
            }
            _ => Targets::new(),
        }
    }

    /// Instances of the classes that a metaclass makes, where `cls()` is called in one of its methods.
    pub(crate) fn made_by(&mut self, metaclass: EntityId) -> SetId {
        let classes = self.classes_made_by(metaclass);
        self.instances(classes, Basis::SelfMember)
    }

    /// The topmost classes that a metaclass makes, where they are few.
    fn classes_made_by(&mut self, metaclass: EntityId) -> SetId {
        let classes = self.read(questions::made_by(metaclass));
        let classes = self.only(classes, |value| matches!(value, Value::Class(_)));
        let is_few = self.sets.entries(classes).len() <= MAX_CLASSES;
        if is_few { self.sets.weaken(classes, Basis::SelfMember) } else { SetId::EMPTY }
    }

    /// What is joined by an operator as Python does it: not the classes whose metaclass has that operator.
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

    /// `super().__new__`, and in a metaclass `super().__call__`, where no class of the repository comes next that has it.
    pub(crate) fn maker(&mut self, class: EntityId, name: &str) -> Option<Value> {
        match name {
            "__new__" => Some(Value::External(const { known::dotted("builtins.object.__new__") })),
            "__call__" if self.is_metaclass(class) => Some(Value::External(MAKE)),
            _ => None,
        }
    }

    /// `super().__call__(…)` in a method of a metaclass.
    pub(crate) fn made_here(&mut self) -> SetId {
        match self.look.enclosing_class(self.entity) {
            Some(class) if self.is_metaclass(class) => self.made_by(class),
            _ => SetId::EMPTY,
        }
    }

    /// A member of `cls` in a method of its metaclass that the metaclass has not itself: of one of the classes that it makes.
    pub(crate) fn member_of_made(&mut self, metaclass: EntityId, name: &str, place: Place) -> Option<Found> {
        if !self.is_metaclass(metaclass) {
            return None;
        }
        let classes = self.classes_made_by(metaclass);
        let (mut set, mut heads) = (SetId::EMPTY, Heads::new());
        for at in self.sets.range(classes) {
            let Value::Class(class) = values::parts(self.sets.at(at)).0 else { continue };
            let Some((_, targets)) = self.look.inherited(class, name, None) else { continue };
            let values = self.member_values(class, name, &targets, Basis::SelfMember, None);
            set = self.sets.union(set, values);
            add_heads(&mut heads, member_heads(self, &targets, Basis::SelfMember));
        }
        let of_derived = self.overriding_members(classes, name, place, &heads, set);
        set = self.sets.union(set, of_derived.set);
        add_heads(&mut heads, of_derived.heads);
        (!heads.is_empty()).then_some(Found { set, heads, is_missing: false })
    }
}
