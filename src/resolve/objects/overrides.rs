//! Members that classes have which derive from the class at hand: an object known by its base may be of one of those.
//!
//! Goes in: receivers and the name of a member. Comes out: the members of derived classes that can be meant. `self` is of a
//! class that derives from the present one as often as not, so what hides a member of `self` is meant beside it; of other
//! receivers only what their own class lacks is looked for there.

use std::rc::Rc;

use crate::{
    facts::hash_name,
    model::EntityId,
    resolve::{
        names::{Lookup, Target, Targets},
        questions,
        solver::Solver,
        typing::type_parameters::is_mark,
        values::{self, SetId, Sets, Value},
    },
};

/// Of a class with more subclasses than are told apart, more definitions of one name than these are not gone through.
const MAX_DEFINERS: usize = 32;

/// Classes, each with what it has under a name.
pub(crate) type DerivedMembers = Rc<[(EntityId, Targets)]>;

/// Classes and functions: what is kept in a list to be called.
pub(crate) fn is_to_call(value: Value) -> bool {
    matches!(value, Value::Class(_) | Value::Function(..) | Value::Bound(..))
}

impl Solver<'_> {
    /// Classes that derive from `class`, as far as they are few.
    pub(crate) fn subclasses(&mut self, class: EntityId) -> Vec<EntityId> {
        let set = self.read(questions::subclasses(class));
        let classes = self.sets.entries(set).iter().filter_map(|&entry| match values::parts(entry).0 {
            Value::Class(class) => Some(class),
            _ => None,
        });
        classes.collect()
    }

    /// What the classes that derive from `class` have under this name that it has not itself: their own, or of another base.
    pub(crate) fn members_of_derived(&mut self, class: EntityId, name: &str) -> DerivedMembers {
        let derived = self.read(questions::subclasses(class));
        let key = (class, derived, hash_name(name));
        if let Some(members) = self.memo.derived.get(&key) {
            return Rc::clone(members);
        }
        let mut members = Vec::new();
        for derived in self.classes_below(class, derived, name) {
            if self.look.is_bound_below(derived, class, key.2)
                && let Some((_, targets)) = self.look.inherited(derived, name, None)
            {
                members.push((derived, targets));
            }
        }
        let members: DerivedMembers = members.into();
        self.memo.derived.insert(key, Rc::clone(&members));
        members
    }

    /// The classes that derive from `class`; where they are more than are told apart, those that define the name themselves,
    /// as far as these are few.
    fn classes_below(&mut self, class: EntityId, derived: SetId, name: &str) -> Vec<EntityId> {
        if derived != SetId::TOP {
            return self.subclasses(class);
        }
        let mut definers = self.look.definers(name);
        definers.retain(|&definer| definer != class && self.look.mro(definer).classes.contains(&class));
        if definers.len() > MAX_DEFINERS {
            definers.clear();
        }
        definers
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

    /// Nothing, `None`, or what comes from outside.
    pub(crate) fn is_nothing_followed(&self, set: SetId) -> bool {
        let is_outside = |value| matches!(value, Value::External(_) | Value::ExternalInstance(_)) || is_mark(value);
        set != SetId::TOP && self.entries(set).iter().all(|&entry| is_outside(values::parts(entry).0))
    }
}
