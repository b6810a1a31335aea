//! Attributes that are no members: what `__getattr__` and `__getattribute__` give, and what was set under computed names.
//!
//! Goes in: a class and the name of an attribute that it lacks. Comes out: what its instances give for it. Which objects a hook
//! asks in turn is found in `forward`.

use super::{
    attributes::Found,
    emit::Place,
    keys,
    solver::Solver,
    stdlib,
    value::{SetId, Value},
};
use crate::model::{Basis, EntityId};

impl Solver<'_> {
    /// Whether what is assigned to an attribute is there afterwards: what goes through a `__setattr__` of the class's own need
    /// not be, unless it is private.
    pub(super) fn is_kept(&mut self, class: EntityId, name: &str) -> bool {
        name.starts_with('_') || self.look.inherited(class, "__setattr__", None).is_none()
    }

    /// What was set on a class or its instances under names that are computed, as far as it is followed.
    pub(super) fn set_by_name(&mut self, class: EntityId, place: Place) -> SetId {
        let mut set = SetId::EMPTY;
        for &owner in &std::sync::Arc::clone(&self.look.mro(class)).classes {
            let values = self.read(keys::attribute(owner, keys::ANY_NAME));
            set = self.sets.union(set, values);
        }
        if self.is_nothing_followed(set) {
            return SetId::EMPTY;
        }
        let set = self.sets.weaken(set, Basis::Element);
        self.described(set, class, place)
    }

    /// What `__getattr__` or `__getattribute__` gives. Objects on which attributes are set by names that are computed are
    /// like dicts: what they have is not known, and `__getattr__` is asked for the rest of it.
    pub(super) fn hooked(&mut self, class: EntityId, name: &str, basis: Basis, place: Place) -> Option<Found> {
        for hook in ["__getattr__", "__getattribute__"] {
            if hook == "__getattr__" && stdlib::is_object_member(name) {
                continue;
            }
            let Some((_, targets)) = self.look.inherited(class, hook, None) else { continue };
            let mut set_by_name = SetId::EMPTY;
            for &owner in &std::sync::Arc::clone(&self.look.mro(class)).classes {
                let values = self.read(keys::attribute(owner, keys::ANY_NAME));
                set_by_name = self.sets.union(set_by_name, values);
            }
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
