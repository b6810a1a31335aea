//! Members that classes have which derive from the class at hand: an object known by its base may be of one of those.
//!
//! Goes in: receivers and the name of a member. Comes out: the members of derived classes that can be meant. `self` is of a
//! class that derives from the present one as often as not, so what hides a member of `self` is meant beside it; of other
//! receivers only what their own class lacks is looked for there.

use std::rc::Rc;

use crate::{
    facts::hash_name,
    model::{Basis, EntityFlags, EntityId},
    resolve::{
        engine::{Solver, output::Place},
        interpret::{
            attributes::{Found, add_heads, member_heads},
            expressions::Heads,
        },
        names::{Target, Targets},
        questions,
        typing::type_parameters::is_mark,
        values::{self, SetId, Value},
    },
};

/// Of a class with more subclasses than are told apart, more definitions of one name than these are not gone through.
const MAX_DEFINERS: usize = 32;

/// Classes, each with what it has under a name.
pub(crate) type DerivedMembers = Rc<[(EntityId, Targets)]>;

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

    /// What none of these classes has, but classes that derive from them do: the object must be one of those.
    pub(crate) fn derived_members(&mut self, classes: &[(EntityId, Basis)], name: &str, place: Place) -> Found {
        let (mut set, mut heads) = (SetId::EMPTY, Heads::new());
        for &(class, _) in classes {
            for derived in self.subclasses(class) {
                // Its own, or of another base.
                let Some((_, targets)) = self.look.inherited(derived, name, None) else { continue };
                let values = self.member_values(derived, name, &targets, Basis::Dispatched, Some(place));
                set = self.sets.union(set, values);
                add_heads(&mut heads, member_heads(self, &targets, Basis::Dispatched));
            }
        }
        let is_missing = heads.is_empty();
        Found { set, heads, is_missing }
    }

    /// What hides a member of `self`, or of the class that a class method is called on, in the classes that derive from it.
    /// `own` and `held` are what its own class has: methods are meant beside them, values where there are none.
    pub(crate) fn overriding_members(
        &mut self,
        receivers: SetId,
        name: &str,
        place: Place,
        own: &Heads,
        held: SetId,
    ) -> Found {
        let (mut set, mut heads) = (SetId::EMPTY, Heads::new());
        // What lists of the derived classes hold is held by one list.
        let mut listed = SetId::EMPTY;
        let is_without_value = self.is_nothing_followed(held);
        let mut all_have = |has: fn(EntityFlags) -> bool| {
            let is_such =
                |&(head, _): &(Target, Basis)| matches!(head, Target::Entity(entity) if has(self.look.flags(entity)));
            !own.is_empty() && own.iter().all(is_such)
        };
        let (is_left_open, is_hook) = (all_have(EntityFlags::is_left_open), all_have(EntityFlags::is_hook));
        for at in self.sets.range(receivers) {
            let (receiver, basis) = values::parts(self.sets.at(at));
            let (class, instance) = match receiver {
                Value::Instance(class) => (class, Some(place)),
                Value::Class(class) => (class, None),
                _ => continue,
            };
            // What its own class leaves open, another class has to have; what does nothing there is meant to be overridden, but
            // only of what is annotated with the class it is not known that it is of that class itself.
            let is_left_open = is_left_open || basis > Basis::Constructed && self.look.is_protocol(class);
            let is_of_derived = basis == Basis::SelfMember
                || is_left_open && basis > Basis::Constructed
                || is_hook && basis == Basis::Annotated;
            if !is_of_derived {
                continue;
            }
            let how = if basis == Basis::SelfMember { Basis::Dispatched } else { Basis::Choice };
            for (derived, targets) in self.members_of_derived(class, name).iter() {
                let derived = *derived;
                let is_own = targets.iter().any(|target| own.iter().any(|(head, _)| head == target));
                if !own.is_empty() && !self.are_callable(targets) {
                    // What it assigns may be what the base leaves empty, or the class to make instances of.
                    let values = self.read(questions::attribute(derived, hash_name(name)));
                    let values = if is_without_value {
                        values
                    } else {
                        let elements = self.elements(values);
                        let elements = self.only(elements, is_to_call);
                        listed = self.sets.union(listed, elements);
                        self.only(values, |value| matches!(value, Value::Class(_)))
                    };
                    let values = self.sets.weaken(values, how);
                    set = self.sets.union(set, values);
                    continue;
                }
                if is_own {
                    continue;
                }
                let values = self.member_values(derived, name, targets, how, instance);
                if instance.is_none() {
                    self.asked(values, None, derived, place);
                }
                if is_without_value || self.has_functions(values) {
                    set = self.sets.union(set, values);
                }
                add_heads(&mut heads, member_heads(self, targets, how));
            }
        }
        if listed != SetId::EMPTY {
            let listed = self.container_made(listed, place, false);
            set = self.sets.union(set, listed);
        }
        Found { set, heads, is_missing: false }
    }

    /// `cls(…)`: the constructors that hide the class's own, of the classes that derive from it. They are told nothing of the
    /// arguments: too few of them are called with these.
    pub(crate) fn overriding_constructors(&mut self, class: EntityId, place: Place) {
        for name in ["__new__", "__init__"] {
            for (_, targets) in self.members_of_derived(class, name).iter() {
                self.call_members(targets, SetId::EMPTY, &[], Basis::Dispatched, place);
            }
        }
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

    fn are_callable(&mut self, targets: &Targets) -> bool {
        targets.iter().all(|&target| match target {
            Target::Entity(entity) => self.kind(entity).is_some_and(crate::model::EntityKind::is_callable),
            _ => false,
        })
    }

    fn has_functions(&self, set: SetId) -> bool {
        let is_function = |value| matches!(value, Value::Function(..) | Value::Bound(..));
        self.sets.entries(set).iter().any(|&entry| is_function(values::parts(entry).0))
    }

    /// Nothing, `None`, or what comes from outside.
    pub(crate) fn is_nothing_followed(&self, set: SetId) -> bool {
        let is_outside = |value| matches!(value, Value::External(_) | Value::ExternalInstance(_)) || is_mark(value);
        set != SetId::TOP && self.sets.entries(set).iter().all(|&entry| is_outside(values::parts(entry).0))
    }
}

/// Classes and functions: what is kept in a list to be called.
fn is_to_call(value: Value) -> bool {
    matches!(value, Value::Class(_) | Value::Function(..) | Value::Bound(..))
}
