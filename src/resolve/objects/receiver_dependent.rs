//! What depends on the class of `self`: `self.client = self.make()` and `return self.client_class()`, where a derived class has
//! a `make` or a `client_class` of its own.
//!
//! Goes in: an assignment or a `return` of what a member of `self` gives. Comes out, wherever the attribute is read or the method
//! called: for an object of a class with another such member, what that one gives, in place of what the base's gives.

use smallvec::SmallVec;

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, NONE},
        hash_name,
    },
    model::{Basis, EntityFlags, EntityId, EntityKind},
    resolve::{
        engine::Solver,
        interpret::calls::Bound,
        names::{Target, Targets},
        questions::{self, Key},
        values::{self, Kinds, SetId, Value, mark::Mark},
    },
};

/// Of more derived classes that have a member of their own than these it is not told what it gives in each.
const MAX_DERIVED: usize = 16;

/// What depends on the class of an object.
#[derive(Clone, Copy)]
pub(crate) enum Dependent {
    /// What an attribute holds, by the hash of its name.
    Attribute(u64),
    /// What a method gives.
    Method(EntityId),
}

impl Dependent {
    fn on(self, class: EntityId) -> Key {
        match self {
            Dependent::Attribute(name) => questions::attribute_of_receiver(class, name),
            Dependent::Method(method) => questions::returns_of_receiver(class, method),
        }
    }
}

impl Solver<'_> {
    // --- noting ------------------------------------------------------------------------------------------------

    /// Notes what is assigned or returned as `value`, which holds `own` here, in the classes that derive from the present one.
    /// Comes out: what says beside it that it is noted, or nothing.
    pub(crate) fn note_by_receiver(&mut self, dependent: Dependent, value: ExprId, own: SetId) -> SetId {
        let Some((member, is_called)) = self.member_of_receiver(value) else { return SetId::EMPTY };
        let method = self.entity;
        let Some(class) = self.look.enclosing_class(method) else { return SetId::EMPTY };
        if self.look.flags(method).has(EntityFlags::STATIC_METHOD) {
            return SetId::EMPTY;
        }
        let name = self.bodies.names.text(member);
        let members = self.own_members(class, name);
        let mut is_noted = false;
        if members.is_empty() && is_called {
            is_noted = self.note_handed_through(dependent, class, name);
        } else if members.len() <= MAX_DERIVED {
            for (derived, targets) in members {
                let given = self.given_by_member(derived, name, &targets, is_called);
                is_noted |= self.note_on_class(dependent, derived, given);
            }
        }
        if !is_noted {
            return SetId::EMPTY;
        }
        let own = self.only(own, |value| !matches!(value, Value::DependsOnCall(..)));
        self.add(dependent.on(class), own);
        self.sets.single(Value::DependsOnCall(method, Mark::ByReceiver), Basis::Scope)
    }

    /// What hides a member of a class in those that derive from it, with the class that it stands in, or, where that is none of
    /// them, with each that derives from both.
    fn own_members(&mut self, class: EntityId, name: &str) -> SmallVec<[(EntityId, Targets); 4]> {
        let mut members = SmallVec::<[(EntityId, Targets); 4]>::new();
        for (derived, targets) in self.members_of_derived(class, name).iter() {
            let owner = match targets.first() {
                Some(&Target::Entity(entity)) => self.look.enclosing_class(entity),
                _ => None,
            };
            let owner = owner.filter(|&owner| self.look.mro(owner).classes.contains(&class)).unwrap_or(*derived);
            if !members.iter().any(|(other, _)| *other == owner) {
                members.push((owner, targets.clone()));
            }
        }
        members
    }

    /// The same of `self.name = value`.
    pub(crate) fn note_assigned_by_receiver(&mut self, object: ExprId, name: NameId, value: ExprId, own: SetId) {
        if value == NONE || self.parameter_held(object) != Some(0) {
            return;
        }
        let hash = self.bodies.names.hash(name);
        let noted = self.note_by_receiver(Dependent::Attribute(hash), value, own);
        if noted != SetId::EMPTY
            && let Some(class) = self.look.enclosing_class(self.entity)
        {
            let found = self.look.inherited(class, self.bodies.names.text(name), None);
            let owner = found.map_or(class, |(owner, _)| owner);
            self.add(questions::attribute(owner, hash), noted);
        }
    }

    fn note_on_class(&mut self, dependent: Dependent, class: EntityId, given: SetId) -> bool {
        let is_told = given != SetId::TOP && !self.is_nothing_followed(given);
        if is_told {
            self.add(dependent.on(class), given);
        }
        is_told
    }

    /// `name` in `self.name` and `self.name(…)`, and whether it is called.
    fn member_of_receiver(&self, value: ExprId) -> Option<(NameId, bool)> {
        let bodies = self.bodies;
        let (base, name, is_called) = match *bodies.kind(value)? {
            ExprKind::Await(inner) => return self.member_of_receiver(inner),
            ExprKind::Attribute { base, name } => (base, name, false),
            ExprKind::Call { callee, .. } => match *bodies.kind(callee)? {
                ExprKind::Attribute { base, name } => (base, name, true),
                _ => return None,
            },
            _ => return None,
        };
        (self.parameter_held(base)? == 0).then_some((name, is_called))
    }

    /// What a member that a derived class has gives there, read or called.
    fn given_by_member(&mut self, class: EntityId, name: &str, targets: &Targets, is_called: bool) -> SetId {
        let receiver = self.sets.single(Value::Instance(class), Basis::SelfMember);
        let mut given = SetId::EMPTY;
        for &target in targets {
            let Target::Entity(entity) = target else { continue };
            let values = match self.kind(entity) {
                Some(EntityKind::Method) if is_called => self.result(entity, 0, &Bound::of(&[receiver])),
                Some(EntityKind::Property) if !is_called => self.result(entity, 0, &Bound::of(&[receiver])),
                Some(EntityKind::Class) => self.sets.single(Value::Class(entity), Basis::SelfMember),
                Some(EntityKind::Variable) => match self.look.enclosing_class(entity) {
                    Some(owner) => self.read(questions::attribute(owner, hash_name(name))),
                    None => SetId::EMPTY,
                },
                _ => SetId::EMPTY,
            };
            let values = match self.kind(entity) {
                Some(EntityKind::Class | EntityKind::Variable) if is_called => self.instances(values, Basis::Returned),
                _ => values,
            };
            given = self.sets.union(given, values);
        }
        given
    }

    /// `self.client = self.make()`, where no derived class has a `make`, but what that gives depends on the object.
    fn note_handed_through(&mut self, dependent: Dependent, class: EntityId, name: &str) -> bool {
        let Some((_, targets)) = self.look.inherited(class, name, None) else { return false };
        let &[Target::Entity(method)] = targets.as_slice() else { return false };
        if self.kind(method) != Some(EntityKind::Method) {
            return false;
        }
        let returned = self.read(questions::returns(method, 0));
        if !self.depends_on_receiver(returned) {
            return false;
        }
        let mut is_noted = false;
        for derived in self.subclasses(class) {
            let given = self.read(Dependent::Method(method).on(derived));
            is_noted |= self.note_on_class(dependent, derived, given);
        }
        is_noted
    }

    // --- asking ------------------------------------------------------------------------------------------------

    /// Whether it is noted of a set that it depends on the class of the object.
    fn depends_on_receiver(&self, set: SetId) -> bool {
        let is_mark = |&entry: &u64| matches!(values::parts(entry).0, Value::DependsOnCall(_, Mark::ByReceiver));
        self.sets.holds(set, Kinds::CHOICES) && self.sets.entries(set).iter().any(is_mark)
    }

    /// What an attribute holds on an object of a class, of all that it `held` on the class and its bases.
    pub(crate) fn held_on(&mut self, class: EntityId, name: u64, held: SetId, basis: Basis) -> SetId {
        if !self.depends_on_receiver(held) {
            return held;
        }
        let held = self.only(held, |value| !matches!(value, Value::DependsOnCall(_, Mark::ByReceiver)));
        let receiver = self.sets.single(Value::Instance(class), basis);
        self.on_receivers(Dependent::Attribute(name), held, receiver)
    }

    /// Of what is `given` in general, what is so on these objects, or where these classes are called.
    pub(crate) fn on_receivers(&mut self, dependent: Dependent, given: SetId, receivers: SetId) -> SetId {
        let receivers = self.concrete(receivers);
        let (mut own, mut hidden, mut of_derived) = (SetId::EMPTY, SetId::EMPTY, SetId::EMPTY);
        for at in self.sets.range(receivers) {
            let (Value::Instance(class) | Value::Class(class), basis) = values::parts(self.sets.at(at)) else {
                continue;
            };
            let mro = std::sync::Arc::clone(&self.look.mro(class));
            let mut is_nearest = true;
            for &base in &mro.classes {
                let noted = self.read(dependent.on(base));
                let all = if is_nearest { &mut own } else { &mut hidden };
                is_nearest &= noted == SetId::EMPTY;
                *all = self.sets.union(*all, noted);
            }
            // `self` is of a class that derives from the present one as often as not.
            if basis == Basis::SelfMember {
                for derived in self.subclasses(class) {
                    let noted = self.read(dependent.on(derived));
                    let noted = self.sets.weaken(noted, Basis::Dispatched);
                    of_derived = self.sets.union(of_derived, noted);
                }
            }
        }
        let has = |set: &[u64], value: Value| set.iter().any(|&entry| values::parts(entry).0 == value);
        let (own_entries, hidden) = (self.sets.entries(own).to_vec(), self.sets.entries(hidden).to_vec());
        let rest = self.only(given, |value| has(&own_entries, value) || !has(&hidden, value));
        let own = self.sets.weaken(own, Basis::Returned);
        let set = self.sets.union(rest, own);
        self.sets.union(set, of_derived)
    }
}
