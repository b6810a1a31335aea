//! What parameters hold: what callers pass, else the default; where that is too much, what is declared; the receiver of a method.
//!
//! Goes in: a set in which parameters stand for what callers pass. Comes out: the same with what is known of them.

use std::{rc::Rc, sync::Arc};

use crate::{
    model::{Basis, EntityFlags, EntityId, EntityKind},
    resolve::{
        engine::Solver,
        names::Target,
        questions,
        values::{self, Kinds, SetId, Value},
    },
};

/// How many parameters a value is followed through.
const MAX_PARAMETERS: u32 = 6;

impl Solver<'_> {
    /// Values that are given to a function, as it has them.
    pub(crate) fn as_passed(&mut self, set: SetId) -> SetId {
        let set = self.concrete(set);
        if set == SetId::EMPTY || set == SetId::TOP {
            return set;
        }
        if let Some(&passed) = self.memo.passed.get(&set) {
            return passed;
        }
        let is_followed = |value| !matches!(value, Value::External(_) | Value::ExternalInstance(_) | Value::Unknown);
        let followed = self.only(set, is_followed);
        let passed = self.sets.weaken(followed, Basis::Passed);
        self.memo.passed.insert(set, passed);
        passed
    }

    /// The set with every symbolic parameter replaced by what is known of it.
    pub(crate) fn concrete(&mut self, set: SetId) -> SetId {
        if !self.sets.holds(set, Kinds::PARAMETERS) {
            return set;
        }
        let mut seen = Vec::new();
        self.expand(set, &mut seen, 0)
    }

    fn expand(&mut self, set: SetId, seen: &mut Vec<Value>, depth: u32) -> SetId {
        let (mut result, mut plain) = (SetId::EMPTY, values::Entries::new());
        for at in self.sets.range(set) {
            let entry = self.sets.at(at);
            let (value, basis) = values::parts(entry);
            let values = match value {
                Value::Parameter(function, lambda, index) => {
                    if seen.contains(&value) || depth > MAX_PARAMETERS {
                        continue;
                    }
                    seen.push(value);
                    let values = self.parameter_values(function, lambda, index);
                    let expanded = self.expand(values, seen, depth + 1);
                    self.sets.weaken(expanded, basis)
                }
                Value::OfPassedText(function, role, index) => {
                    let parameter = self.sets.single(Value::Parameter(function, 0, index), basis);
                    let passed = self.expand(parameter, seen, depth + 1);
                    self.of_text_passed(passed, role)
                }
                Value::InstanceOfParameter(function, lambda, index) => {
                    let parameter = self.sets.single(Value::Parameter(function, lambda, index), basis);
                    let classes = self.expand(parameter, seen, depth + 1);
                    self.instances(classes, Basis::Constructed)
                }
                _ => {
                    plain.push(entry);
                    continue;
                }
            };
            result = self.sets.union(result, values);
        }
        let plain = self.sets.of(plain);
        self.sets.union(result, plain)
    }

    fn parameter_values(&mut self, function: EntityId, lambda: u32, index: u32) -> SetId {
        if index == 0
            && lambda == 0
            && let Some(receiver) = self.receiver(function)
        {
            return if self.is_subclass_hook(function) { self.told_subclasses(function, receiver) } else { receiver };
        }
        let passed = self.read(questions::parameter(function, lambda, index));
        match passed {
            SetId::EMPTY => match self.read(questions::default(function, lambda, index)) {
                SetId::EMPTY if lambda == 0 => self.declared_above(function, index),
                default => default,
            },
            // Too much is passed to be told apart: the annotation holds.
            SetId::TOP => match self.declared_for(function, lambda, index) {
                SetId::EMPTY => SetId::TOP,
                declared => declared,
            },
            _ => passed,
        }
    }

    /// What the method that this one overrides declares for a parameter: `def parse(self, response)` of a class whose base has
    /// `def parse(self, response: Response)`.
    fn declared_above(&mut self, function: EntityId, index: u32) -> SetId {
        for &above in self.overridden(function).iter() {
            let passed = self.read(questions::parameter(above, 0, index));
            // What is passed to that one is not passed to this one.
            let is_declared = |&&entry: &&values::Entry| values::parts(entry).1 <= Basis::Annotated;
            let declared: values::Entries = self.sets.entries(passed).iter().filter(is_declared).copied().collect();
            if !declared.is_empty() {
                let declared = self.sets.of(declared);
                return self.sets.weaken(declared, Basis::Stored);
            }
        }
        SetId::EMPTY
    }

    /// The methods of its name over the MRO of its class.
    fn overridden(&mut self, function: EntityId) -> Rc<[EntityId]> {
        if let Some(known) = self.memo.overridden.get(&function) {
            return Rc::clone(known);
        }
        let above = self.find_overridden(function).unwrap_or_default();
        self.memo.overridden.insert(function, Rc::clone(&above));
        above
    }

    fn find_overridden(&mut self, function: EntityId) -> Option<Rc<[EntityId]>> {
        let class = self.look.enclosing_class(function)?;
        let mro = Arc::clone(&self.look.mro(class));
        let name = self.look.with_head(function, |info, head| info.interface.names.text(head.name).to_owned())?;
        if mro.classes.len() < 2 || name == "__init__" {
            return None;
        }
        let mut methods = Vec::new();
        for &base in &mro.classes[1..] {
            for target in self.look.own_member(base, &name) {
                if let Target::Entity(above) = target
                    && self.kind(above) == Some(EntityKind::Method)
                {
                    methods.push(above);
                }
            }
        }
        Some(methods.into())
    }

    /// `__init_subclass__` is never run for its own class: `cls` is each class that derives from it.
    fn told_subclasses(&mut self, hook: EntityId, own: SetId) -> SetId {
        match self.read(questions::parameter(hook, 0, 0)) {
            SetId::EMPTY | SetId::TOP => own,
            derived => derived,
        }
    }

    fn is_subclass_hook(&mut self, function: EntityId) -> bool {
        let name = "__init_subclass__";
        self.look.with_head(function, |info, head| info.interface.names.text(head.name) == name) == Some(true)
    }

    /// What `self` or `cls` is in a method.
    fn receiver(&mut self, function: EntityId) -> Option<SetId> {
        let class = self.look.enclosing_class(function)?;
        let flags = self.look.flags(function);
        if flags.has(EntityFlags::STATIC_METHOD) {
            return None;
        }
        let is_new = self.look.with_head(function, |info, head| info.interface.names.text(head.name) == "__new__");
        if flags.has(EntityFlags::CLASS_METHOD) || is_new == Some(true) {
            return Some(self.sets.single(Value::Class(class), Basis::SelfMember));
        }
        Some(self.sets.single(Value::Instance(class), Basis::SelfMember))
    }
}
