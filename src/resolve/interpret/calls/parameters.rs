//! Values of parameters: arguments, else the default; the annotation where there are too many; the receiver of a
//! method.

use std::{rc::Rc, sync::Arc};

use crate::{
    facts::bodies::{ExprId, ExprKind},
    model::{Basis, EntityFlags, EntityId, EntityKind},
    resolve::{
        names::{Lookup, Target},
        solver::Solver,
        values::{self, SetId, Value, mark::Mark, questions},
    },
};

/// How many parameters a value is followed through.
pub(crate) const MAX_PARAMETERS: u32 = 6;

impl Solver<'_> {
    /// The declaration of a parameter in the method that this one overrides: `def parse(self, response)` below a base
    /// with `def parse(self, response: Response)`.
    pub(crate) fn declared_above(&mut self, function: EntityId, index: u32) -> SetId {
        for &above in self.overridden(function).iter() {
            let passed = self.read(questions::parameter(above, 0, index));
            // The arguments of the overridden method are not passed to this one.
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
        let above = self.look.find_overridden(function).unwrap_or_default();
        self.memo.overridden.insert(function, Rc::clone(&above));
        above
    }

    /// `__init_subclass__` is never run for its own class: `cls` is each class that derives from it.
    pub(crate) fn hook_receivers(&mut self, hook: EntityId, own: SetId) -> SetId {
        match self.read(questions::parameter(hook, 0, 0)) {
            SetId::EMPTY | SetId::TOP => own,
            derived => derived,
        }
    }

    /// The values of `self` or `cls` in a method.
    pub(crate) fn receiver(&mut self, function: EntityId) -> Option<SetId> {
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

    /// `return f(…)` in a wrapper, where `f` is the argument of the outer function.
    pub(crate) fn is_call_of_wrapped(&self, value: ExprId) -> bool {
        let call = match self.bodies.kind(value) {
            Some(&ExprKind::Await(inner)) => inner,
            _ => value,
        };
        let Some(&ExprKind::Call { callee, .. }) = self.bodies.kind(call) else { return false };
        let Some(&ExprKind::Name { variable, .. }) = self.bodies.kind(callee) else { return false };
        let Some(info) = self.bodies.variables.get(variable as usize) else { return false };
        info.scope != self.scope && {
            let held = self.engine.peek_local(variable);
            self.sets.entries(held).iter().any(|&entry| matches!(values::parts(entry).0, Value::Parameter(..)))
        }
    }

    /// Whether a wrapper returns the result of the function that it wraps.
    pub(crate) fn hands_on(&mut self, wrapper: EntityId) -> bool {
        let returned = self.read(questions::returns(wrapper, 0));
        let mark = Value::DependsOnCall(wrapper, Mark::HandsOn { lambda: 0 });
        self.sets.entries(returned).iter().any(|&entry| values::parts(entry).0 == mark)
    }

    /// Values that a function returns, as its callers have them.
    pub(crate) fn as_returned(&mut self, set: SetId) -> SetId {
        if let Some(&returned) = self.memo.returned.get(&set) {
            return returned;
        }
        let entries = self.sets.entries(set).iter().map(|&entry| {
            let (value, basis) = values::parts(entry);
            // A result of a call in the function has passed two calls here.
            values::entry(value, if basis == Basis::Returned { Basis::Stored } else { basis.max(Basis::Returned) })
        });
        let entries: values::Entries = entries.collect();
        let returned = self.sets.of(entries);
        self.memo.returned.insert(set, returned);
        returned
    }
}

impl Lookup<'_> {
    fn find_overridden(&mut self, function: EntityId) -> Option<Rc<[EntityId]>> {
        let class = self.enclosing_class(function)?;
        let mro = Arc::clone(&self.mro(class));
        let name = self.with_head(function, |info, head| info.interface.names.text(head.name).to_owned())?;
        if mro.classes.len() < 2 || name == "__init__" {
            return None;
        }
        let mut methods = Vec::new();
        for &base in &mro.classes[1..] {
            for target in self.own_member(base, &name) {
                if let Target::Entity(above) = target
                    && self.kind(above) == Some(EntityKind::Method)
                {
                    methods.push(above);
                }
            }
        }
        Some(methods.into())
    }

    pub(crate) fn is_subclass_hook(&mut self, function: EntityId) -> bool {
        let name = "__init_subclass__";
        self.with_head(function, |info, head| info.interface.names.text(head.name) == name) == Some(true)
    }
}
