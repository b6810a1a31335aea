//! Values that depend on the class of `self`: `self.client = self.make()` and `return self.client_class()`.
//!
//! A derived class may have its own `make` or `client_class`. The assignment or the `return` publishes one value for
//! each such class. Loads and calls on an object of that class read it in place of the base's value.

use smallvec::SmallVec;

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, NONE},
    },
    model::{Basis, EntityFlags, EntityId, EntityKind},
    resolve::{
        names::{Target, Targets},
        solver::Solver,
        values::{
            self, Kinds, SetId, Sets, Value,
            mark::Mark,
            questions::{self, Key},
        },
    },
};

/// With more derived classes that override the member, the values are not kept apart.
pub(crate) const MAX_DERIVED: usize = 16;

/// A value that depends on the class of an object.
#[derive(Clone, Copy)]
pub(crate) enum Dependent {
    /// An attribute, by the hash of its name.
    Attribute(u64),
    /// The result of a method.
    Method(EntityId),
}

impl Dependent {
    pub(crate) fn on(self, class: EntityId) -> Key {
        match self {
            Dependent::Attribute(name) => questions::attribute_of_receiver(class, name),
            Dependent::Method(method) => questions::returns_of_receiver(class, method),
        }
    }
}

impl Solver<'_> {
    /// The overrides of a member in derived classes, each with its class. An override in a class that does not derive
    /// from `class` comes with each class that derives from both.
    pub(crate) fn own_members(&mut self, class: EntityId, name: &str) -> SmallVec<[(EntityId, Targets); 4]> {
        let mut members = SmallVec::<[(EntityId, Targets); 4]>::new();
        for (derived, targets) in self.members_of_derived(class, name).each.iter() {
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

    pub(crate) fn note_on_class(&mut self, dependent: Dependent, class: EntityId, given: SetId) -> bool {
        let is_told = given != SetId::TOP && !self.sets.is_nothing_followed(given);
        if is_told {
            self.add(dependent.on(class), given);
        }
        is_told
    }

    /// `name` in `self.name` and `self.name(…)`, and whether it is called.
    pub(crate) fn member_of_receiver(&self, value: ExprId) -> Option<(NameId, bool)> {
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

    /// `self.client = self.make()`, where no derived class overrides `make`, but its result depends on the object.
    pub(crate) fn note_passed_through(&mut self, dependent: Dependent, class: EntityId, name: &str) -> bool {
        let Some((_, targets)) = self.look.inherited(class, name, None) else { return false };
        let &[Target::Entity(method)] = targets.as_slice() else { return false };
        if self.look.kind(method) != Some(EntityKind::Method) {
            return false;
        }
        let returned = self.read(questions::returns(method, 0));
        if !self.sets.depends_on_receiver(returned) {
            return false;
        }
        let mut is_noted = false;
        for derived in self.subclasses(class) {
            let given = self.read(Dependent::Method(method).on(derived));
            is_noted |= self.note_on_class(dependent, derived, given);
        }
        is_noted
    }

    /// The parameter that a method is called on; nothing where it is called on anything else.
    pub(crate) fn parameter_called_on(&mut self, receivers: SetId) -> SetId {
        let &[entry] = self.sets.entries(receivers) else { return SetId::EMPTY };
        match values::parts(entry).0 {
            Value::Parameter(..) | Value::InstanceOfParameter(..) | Value::OfPassedText(..) => receivers,
            // `super()` is `self`.
            Value::Super(..) => self.own_receiver(),
            _ => SetId::EMPTY,
        }
    }

    /// `self` or `cls` of the method that runs.
    fn own_receiver(&mut self) -> SetId {
        if self.function == NONE {
            return SetId::EMPTY;
        }
        let function = &self.bodies.functions[self.function as usize];
        let owner = self.look.own.id(function.entity);
        let is_static = self.look.flags(owner).has(EntityFlags::STATIC_METHOD);
        if function.lambda != 0 || is_static || self.look.enclosing_class(owner).is_none() {
            return SetId::EMPTY;
        }
        self.sets.single(Value::Parameter(owner, 0, 0), Basis::SelfMember)
    }
}

impl Sets {
    /// Whether it is noted of a set that it depends on the class of the object.
    pub(crate) fn depends_on_receiver(&self, set: SetId) -> bool {
        let is_mark = |&entry: &u64| matches!(values::parts(entry).0, Value::DependsOnCall(_, Mark::ByReceiver));
        self.holds(set, Kinds::CHOICES) && self.entries(set).iter().any(is_mark)
    }
}
