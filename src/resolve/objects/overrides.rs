//! Members of derived classes: an object that is known by its base may be an instance of one of them.
//!
//! `self` often belongs to a derived class, so overrides count beside the member of its own class. For other receivers,
//! derived classes only count for names that their own class lacks.

use std::rc::Rc;

use crate::{
    facts::hash_name,
    model::EntityId,
    resolve::{
        names::{Lookup, Target, Targets},
        solver::{Solver, memo::DerivedMembers},
        typing::type_parameters::is_mark,
        values::{self, SetId, Sets, Value, questions},
    },
};

/// A class with too many subclasses to list has at most this many relevant definitions of one name.
const MAX_DEFINERS: usize = 64;

/// Classes and functions: values that a list holds in order to call them.
pub(crate) fn is_to_call(value: Value) -> bool {
    matches!(value, Value::Class(_) | Value::Function(..) | Value::Bound(..))
}

impl Solver<'_> {
    /// Classes that derive from `class`, unless they are too many.
    pub(crate) fn subclasses(&mut self, class: EntityId) -> Vec<EntityId> {
        let set = self.read(questions::subclasses(class));
        let classes = self.sets.entries(set).iter().filter_map(|&entry| match values::parts(entry).0 {
            Value::Class(class) => Some(class),
            _ => None,
        });
        classes.collect()
    }

    /// The members under this name that classes derived from `class` have and it has not: their own, or those of
    /// another base.
    pub(crate) fn members_of_derived(&mut self, class: EntityId, name: &str) -> DerivedMembers {
        let derived = self.read(questions::subclasses(class));
        let key = (class, derived, hash_name(name));
        if let Some(members) = self.memo.derived.get(&key) {
            return members.clone();
        }
        let mut members = Vec::new();
        let below = self.classes_below(class, derived, name);
        let are_too_many = below.is_none();
        for derived in below.unwrap_or_default() {
            if self.look.is_bound_below(derived, class, key.2)
                && let Some((_, targets)) = self.look.inherited(derived, name, None)
            {
                members.push((derived, targets));
            }
        }
        let members = DerivedMembers { each: Rc::from(members), are_too_many };
        self.memo.derived.insert(key, members.clone());
        members
    }

    /// The classes that derive from `class`. If they are too many to list, those that define the name themselves;
    /// `None` where these are too many too.
    fn classes_below(&mut self, class: EntityId, derived: SetId, name: &str) -> Option<Vec<EntityId>> {
        if derived != SetId::TOP {
            return Some(self.subclasses(class));
        }
        let mut definers = self.look.definers(name);
        definers.retain(|&definer| definer != class && self.look.mro(definer).classes.contains(&class));
        (definers.len() <= MAX_DEFINERS).then_some(definers)
    }
}

impl Lookup<'_> {
    pub(crate) fn are_callable(&mut self, targets: &Targets) -> bool {
        targets.iter().all(|&target| match target {
            Target::Entity(entity) => self.kind(entity).is_some_and(crate::model::EntityKind::is_callable),
            _ => false,
        })
    }
}

impl Sets {
    pub(crate) fn has_functions(&self, set: SetId) -> bool {
        let is_function = |value| matches!(value, Value::Function(..) | Value::Bound(..));
        self.entries(set).iter().any(|&entry| is_function(values::parts(entry).0))
    }

    /// Whether a set holds nothing, `None`, or only values from outside.
    pub(crate) fn is_nothing_followed(&self, set: SetId) -> bool {
        let is_outside = |value| matches!(value, Value::External(_) | Value::ExternalInstance(_)) || is_mark(value);
        set != SetId::TOP && self.entries(set).iter().all(|&entry| is_outside(values::parts(entry).0))
    }
}
