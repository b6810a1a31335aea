//! Attributes that are no members: what `__getattr__` and `__getattribute__` give, and what was set under computed names.
//!
//! Goes in: a class and the name of an attribute that it lacks. Comes out: what its instances give for it. Which objects a hook
//! asks in turn is found in `forward`.

use super::{
    attributes::Found,
    calls::Arguments,
    emit::Place,
    keys,
    solver::Solver,
    stdlib,
    value::{self, SetId, Value},
};
use crate::{
    facts::bodies::{ExprId, ExprKind},
    model::{Basis, EntityId},
};

impl Solver<'_> {
    /// Whether what is assigned to an attribute is there afterwards: what goes through a `__setattr__` of the class's own need
    /// not be, unless it is private.
    pub(super) fn is_kept(&mut self, class: EntityId, name: &str) -> bool {
        name.starts_with('_') || !self.look.hooks(class).setattr
    }

    /// `__name` for `_Class__name`, where the object is of such a class.
    pub(super) fn private_name(&mut self, receiver: Value, name: &str) -> Option<String> {
        let (Value::Instance(class) | Value::Class(class)) = receiver else { return None };
        let (owner, private) = name.strip_prefix('_')?.split_once("__").filter(|(owner, _)| !owner.is_empty())?;
        let mro = std::sync::Arc::clone(&self.look.mro(class));
        let is_it = mro.classes.iter().any(|&class| {
            let name = self.look.with_head(class, |info, head| info.interface.names.text(head.name) == owner);
            name == Some(true)
        });
        is_it.then(|| format!("__{private}"))
    }

    /// What was set on a class or its instances under names that are computed, as far as it is followed.
    pub(super) fn set_by_name(&mut self, class: EntityId, place: Place) -> SetId {
        let set = self.held_over_mro(class, keys::ANY_NAME);
        if self.is_nothing_followed(set) {
            return SetId::EMPTY;
        }
        let set = self.sets.weaken(set, Basis::Element);
        // Which of several descriptors has this name nobody can tell.
        let getters = self.special_methods(set, "__get__").map_or(0, |methods| methods.len());
        let read = if getters > 1 { self.only(set, |value| !matches!(value, Value::Instance(_))) } else { set };
        let read = self.described(read, class, Basis::Element, place);
        self.sets.union(set, read)
    }

    /// `setattr(model, name, Accessor(self))` in a method that is told the class and the name: what an object puts in its place;
    /// where that is an instance of a class that an attribute of the object holds, objects of derived classes have theirs.
    pub(super) fn put_in_own_place(&mut self, arguments: &Arguments, set: SetId) {
        let bodies = self.bodies;
        let &[owner, name, value] = bodies.list(arguments.written()) else { return };
        let (Some(owner), Some(name)) = (self.parameter_named_by(owner), self.parameter_named_by(name)) else { return };
        let Some(class) = self.look.enclosing_class(self.entity).filter(|_| owner > 0 && name > 0) else { return };
        let set = self.concrete(set);
        let objects = self.only(set, |value| matches!(value, Value::Instance(other) if other != class));
        self.add(keys::attribute(class, keys::OWN_PLACE), objects);
        let Some(&ExprKind::Call { callee, .. }) = bodies.kind(value) else { return };
        let Some(&ExprKind::Attribute { base, name }) = bodies.kind(callee) else { return };
        if self.parameter_named_by(base) != Some(0) {
            return;
        }
        for derived in self.subclasses(class) {
            let held = self.read(keys::attribute(derived, bodies.names.hash(name)));
            let objects = self.instances(held, Basis::Stored);
            let objects = self.only(objects, |value| matches!(value, Value::Instance(_)));
            self.add(keys::attribute(derived, keys::OWN_PLACE), objects);
        }
    }

    /// The instances in a set that a class holds, and what they put into their own place.
    pub(super) fn descriptors(&mut self, held: SetId) -> SetId {
        let held = self.only(held, |value| matches!(value, Value::Instance(_) | Value::Applied(..)));
        let mut put = SetId::EMPTY;
        for at in self.sets.range(held) {
            let Value::Instance(class) = value::parts(self.sets.at(at)).0 else { continue };
            let mro = self.look.mro(class);
            for &owner in &mro.classes {
                let there = self.read(keys::attribute(owner, keys::OWN_PLACE));
                if there != SetId::EMPTY {
                    put = self.sets.union(put, there);
                    break;
                }
            }
        }
        let put = self.sets.weaken(put, Basis::Stored);
        self.sets.union(held, put)
    }

    /// The parameter of the present function that an expression names, by its index.
    fn parameter_named_by(&self, expression: ExprId) -> Option<usize> {
        let &ExprKind::Name { variable, .. } = self.bodies.kind(expression)? else { return None };
        let function = self.bodies.functions.get(self.function as usize)?;
        function.parameters.iter().position(|parameter| parameter.variable == variable)
    }

    /// What `__getattr__` or `__getattribute__` gives. Objects on which attributes are set by names that are computed are
    /// like dicts: what they have is not known, and `__getattr__` is asked for the rest of it.
    pub(super) fn hooked(&mut self, class: EntityId, name: &str, basis: Basis, place: Place) -> Option<Found> {
        let has = self.look.hooks(class);
        let is_asked = has.getattr && !stdlib::is_object_member(name);
        for (hook, is_asked) in [("__getattr__", is_asked), ("__getattribute__", has.getattribute)] {
            if !is_asked {
                continue;
            }
            let Some((_, targets)) = self.look.inherited(class, hook, None) else { continue };
            let set_by_name = self.held_over_mro(class, keys::ANY_NAME);
            let basis = if set_by_name == SetId::EMPTY { basis } else { basis.max(Basis::Element) };
            let receiver = self.sets.single(Value::Instance(class), basis);
            let given = self.call_members(&targets, receiver, &[], basis, place);
            let set_by_name = self.sets.weaken(set_by_name, Basis::Element);
            let set = self.sets.union(given, set_by_name);
            let forwarded = self.forwarded(&targets, name, place);
            let set = self.sets.union(set, forwarded.set);
            return Some(Found { set, heads: forwarded.heads, is_missing: false });
        }
        None
    }
}
