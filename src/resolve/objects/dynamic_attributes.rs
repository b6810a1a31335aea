//! Attributes that are no members: those of `__getattr__` and `__getattribute__`, and those with computed names.
//!
//! A hook that delegates to another object (`return getattr(self._inner, name)`) publishes that object; loads read it
//! from there.

use crate::{
    facts::bodies::{ExprId, ExprKind},
    model::{EntityFlags, EntityId, Position, RelationshipKind},
    resolve::{
        library::{builtin_members, known},
        names::{Lookup, Target, Targets},
        solver::Solver,
        values::{self, Kinds, SetId, Value, condition::Test, mark::Mark, questions, slot::Unnamed},
    },
};

/// How many proxies stand behind one another.
pub(crate) const MAX_PROXIES: u32 = 3;

impl Solver<'_> {
    /// Records that the present function is an attribute hook that delegates to `objects`; `names` must hold the name
    /// that Python passes.
    pub(crate) fn record_delegation(&mut self, names: SetId, objects: SetId) -> bool {
        let entity = self.entity;
        let is_own_name = |&entry: &u64| values::parts(entry).0 == Value::Parameter(entity, 0, 1);
        if !self.sets.entries(names).iter().any(is_own_name) || !self.is_attribute_hook() {
            return false;
        }
        self.add(questions::forwarded(entity), objects);
        true
    }

    /// Whether the present function is an attribute hook.
    pub(crate) fn is_attribute_hook(&mut self) -> bool {
        let named = self.look.with_head(self.entity, |info, head| {
            matches!(info.interface.names.text(head.name), "__getattr__" | "__getattribute__")
        });
        named == Some(true)
    }

    /// Takes back the calls since then at a place where something is named and not read: no descriptor gives anything.
    pub(crate) fn nothing_is_read(&mut self, place: Position, said: usize) {
        let mut at = 0;
        self.output.relationships.retain(|edge| {
            at += 1;
            at <= said || edge.kind != RelationshipKind::Calls || (edge.line, edge.column) != place
        });
    }

    /// The same for assignments to `self` in methods of the class. The value is there if `__setattr__` stores it, while
    /// other names may go elsewhere.
    pub(crate) fn is_own_kept(&mut self, class: EntityId, name: &str) -> bool {
        self.look.is_kept(class, name) || self.held_over_mro(class, Unnamed::HandedOn.encode()) != SetId::EMPTY
    }

    /// `name.startswith("_")`, of the first parameter after the receiver.
    pub(crate) fn is_test_for_private_name(&self, test: ExprId) -> bool {
        let bodies = self.bodies;
        let Some(&ExprKind::Call { callee, arguments, .. }) = bodies.kind(test) else { return false };
        let Some(&ExprKind::Attribute { base, name }) = bodies.kind(callee) else { return false };
        let &[beginning] = bodies.list(arguments) else { return false };
        bodies.names.text(name) == "startswith"
            && matches!(bodies.kind(beginning), Some(&ExprKind::Text(text)) if bodies.names.text(text) == "_")
            && self.parameter_held(base) == Some(1)
    }

    /// Records that the present `__setattr__` stores its value under the given name. A branch for private names alone
    /// proves nothing for others.
    pub(crate) fn record_setattr_store(&mut self) {
        if self.state.tests.contains(&(Test::PrivateName, true)) {
            return;
        }
        let method = self.entity;
        let is_it = self.look.with_head(method, |info, head| info.interface.names.text(head.name) == "__setattr__");
        if is_it == Some(true)
            && let Some(class) = self.look.enclosing_class(method)
        {
            let something = self.sets.builtin_instance("object");
            self.add(questions::attribute(class, Unnamed::HandedOn.encode()), something);
        }
    }

    /// Whether this object needs its `__getattr__` for a name that another object of the set has as a member.
    pub(crate) fn needs_getattr_hook(&mut self, object: Value, name: &str, objects: SetId) -> bool {
        let Value::Instance(class) = object else { return false };
        if self.sets.entries(objects).len() < 2 || !self.look.hooks(class).getattr {
            return false;
        }
        let has = |this: &mut Self, value: Value| match value {
            Value::Instance(class) => this.look.inherited(class, name, None).is_some(),
            _ => false,
        };
        !has(self, object) && self.sets.range(objects).any(|at| has(self, values::parts(self.sets.at(at)).0))
    }

    /// The values that `setattr` stores under a computed name that can be this one. If all prefixes of such names are
    /// known, one of them must fit.
    pub(crate) fn set_under_computed(&mut self, class: EntityId, name: &str) -> SetId {
        let set = self.held_over_mro(class, Unnamed::AnyName.encode());
        if !self.sets.holds(set, Kinds::TEXTS) {
            return set;
        }
        let any = Value::ExternalInstance(const { known::dotted("builtins.object") });
        let may_be_it = |value: Value| match value {
            Value::Text(part) => part.fits(name),
            _ => value == any,
        };
        if !self.sets.entries(set).iter().any(|&entry| may_be_it(values::parts(entry).0)) {
            return SetId::EMPTY;
        }
        let held = self.sets.only(set, |value| !matches!(value, Value::Text(_)));
        // Whatever is set, something is.
        let something = self.sets.builtin_instance("object");
        self.sets.union(held, something)
    }

    /// The instances and properties in a set that a class holds.
    pub(crate) fn descriptors(&mut self, held: SetId) -> SetId {
        self.sets.only(held, |value| match value {
            Value::Instance(_) | Value::Applied(..) => true,
            Value::DependsOnCall(_, mark) => matches!(mark, Mark::Property { .. }),
            _ => false,
        })
    }
}

impl Lookup<'_> {
    /// Whether an attribute holds its assigned value afterwards. The class's own `__setattr__` may put it elsewhere,
    /// except for private names.
    pub(crate) fn is_kept(&mut self, class: EntityId, name: &str) -> bool {
        name.starts_with('_') || !self.hooks(class).setattr
    }

    /// `__name` for `_Class__name`, where the object is of such a class.
    pub(crate) fn private_name(&mut self, receiver: Value, name: &str) -> Option<String> {
        let (Value::Instance(class) | Value::Class(class)) = receiver else { return None };
        let (owner, private) = name.strip_prefix('_')?.split_once("__").filter(|(owner, _)| !owner.is_empty())?;
        let mro = std::sync::Arc::clone(&self.mro(class));
        let is_it = mro.classes.iter().any(|&class| {
            let name = self.with_head(class, |info, head| info.interface.names.text(head.name) == owner);
            name == Some(true)
        });
        is_it.then(|| format!("__{private}"))
    }

    /// Whether a name is annotated and bound to nothing: when the program runs, it is not there.
    pub(crate) fn is_only_declared(&mut self, targets: &Targets) -> bool {
        !targets.is_empty()
            && targets.iter().all(|&target| match target {
                Target::Entity(entity) => self.flags(entity).has(EntityFlags::DECLARED),
                _ => false,
            })
    }

    /// Whether a class has this attribute from a builtin that it derives from.
    pub(crate) fn is_of_builtin(&mut self, class: EntityId, name: &str) -> bool {
        self.mro(class).externals.iter().any(|&base| builtin_members::has(base, name))
    }
}
