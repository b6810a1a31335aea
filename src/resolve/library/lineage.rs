//! Which classes inherit from the library's, and what these give by themselves.

use crate::{
    facts::hash_name,
    model::{Basis, EntityId, Position},
    resolve::{
        frameworks::tables::{members::Own, rules},
        names::Lookup,
        solver::Solver,
        values::{self, SetId, Sets, Value},
    },
};

impl Solver<'_> {
    /// The value of an attribute that an object has from the library: `path.parent`.
    pub(crate) fn own_attribute(&mut self, class: EntityId, name: u64, basis: Basis) -> SetId {
        if !rules().may_give_own(name) {
            return SetId::EMPTY;
        }
        match self.look.own_promised(class, name) {
            // A method is no value of the class: calling it gives one.
            Some(own @ (Own::Attribute | Own::Attributes)) => self.own_object(class, basis, own),
            _ => SetId::EMPTY,
        }
    }

    /// The classes of `C.__mro__`, in no order.
    pub(crate) fn lineage_of(&mut self, class: EntityId, basis: Basis, place: Position) -> SetId {
        let mro = std::sync::Arc::clone(&self.look.mro(class));
        let classes: values::Entries =
            mro.classes.iter().map(|&above| values::entry(Value::Class(above), basis)).collect();
        let classes = self.sets.of(classes);
        self.container_made(classes, place, false)
    }

    pub(crate) fn own_object(&mut self, class: EntityId, basis: Basis, own: Own) -> SetId {
        let object = self.sets.single(Value::Instance(class), basis.max(Basis::Returned));
        match own {
            Own::One | Own::Attribute => object,
            Own::Many | Own::Attributes => self.container_of(object, false),
        }
    }
}

impl Lookup<'_> {
    pub(crate) fn own_promised(&mut self, class: EntityId, name: u64) -> Option<Own> {
        self.mro(class).externals.iter().find_map(|&base| rules().gives_own(base, name))
    }

    /// Whether no class of the repository has a member of this name for the class.
    pub(crate) fn is_of_library(&mut self, class: EntityId, name: &str) -> bool {
        self.inherited(class, name, None).is_none()
    }

    pub(crate) fn has_mixed_in(&mut self, class: EntityId, method: &str) -> bool {
        let hash = hash_name(method);
        let mro = std::sync::Arc::clone(&self.mro(class));
        mro.externals.iter().any(|&base| rules().mixed_in(base, hash).is_some()) && self.is_of_library(class, method)
    }
}

impl Sets {
    pub(crate) fn own_of_parameter(&mut self, parameter: SetId, receiver: Value) -> SetId {
        let &[entry] = self.entries(parameter) else { return parameter };
        match (values::parts(entry), receiver) {
            ((Value::Parameter(function, lambda, index), basis), Value::Class(_)) => {
                self.single(Value::InstanceOfParameter(function, lambda, index), basis.max(Basis::Returned))
            }
            _ => self.weaken(parameter, Basis::Returned),
        }
    }
}
