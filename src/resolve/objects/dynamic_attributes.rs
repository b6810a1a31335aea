//! Attributes that are no members: what `__getattr__` and `__getattribute__` give, and what was set under computed names.
//!
//! Goes in: a class and the name of an attribute that it lacks. Comes out: what its instances give for it. Which objects a hook
//! asks in turn is found in `forward`.

use crate::{
    facts::bodies::{ExprId, ExprKind},
    model::{Basis, EntityFlags, EntityId, FileId},
    resolve::{
        engine::{Solver, output::Place},
        interpret::{attributes::Found, expressions::Heads},
        library::{builtin_members, known, stdlib_names},
        names::{Target, Targets},
        questions,
        values::{self, Kinds, SetId, Value, condition::Test, slot::Unnamed},
    },
};

impl Solver<'_> {
    /// Whether what is assigned to an attribute is there afterwards: what goes through a `__setattr__` of the class's own need
    /// not be, unless it is private.
    pub(crate) fn is_kept(&mut self, class: EntityId, name: &str) -> bool {
        name.starts_with('_') || !self.look.hooks(class).setattr
    }

    /// The same of what methods of the class assign to `self`: it is there where `__setattr__` hands on what it is given, while
    /// other names may go elsewhere.
    pub(crate) fn is_own_kept(&mut self, class: EntityId, name: &str) -> bool {
        self.is_kept(class, name) || self.held_over_mro(class, Unnamed::HandedOn.encode()) != SetId::EMPTY
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

    /// Notes that the present method hands on what is assigned to an attribute, if it is a `__setattr__`. What it does with private
    /// names alone says nothing of others.
    pub(crate) fn note_handed_on(&mut self) {
        if self.tests.contains(&(Test::PrivateName, true)) {
            return;
        }
        let method = self.entity;
        let is_it = self.look.with_head(method, |info, head| info.interface.names.text(head.name) == "__setattr__");
        if is_it == Some(true)
            && let Some(class) = self.look.enclosing_class(method)
        {
            let something = self.builtin_instance("object");
            self.add(questions::attribute(class, Unnamed::HandedOn.encode()), something);
        }
    }

    /// Whether an object must ask its `__getattr__` for what another that may stand there has itself.
    pub(crate) fn is_left_to_hook(&mut self, object: Value, name: &str, objects: SetId) -> bool {
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

    /// A name that a module does not bind: its `__getattr__` is asked, if there is one (PEP 562), for what not every module has.
    pub(crate) fn computed_member(&mut self, file: FileId, name: &str, place: Place) -> Found {
        if stdlib_names::is_module_member(name) {
            return Found { set: SetId::EMPTY, heads: Heads::new(), is_missing: false };
        }
        let hooks = self.look.member(file, "__getattr__");
        let hook = self.target_values(&hooks, Basis::Import);
        let name_given = self.builtin_instance("str");
        let set = self.call_sets(hook, &[name_given], place);
        Found { set, heads: Heads::new(), is_missing: hooks.is_empty() && !name.starts_with("__") }
    }

    /// `__name` for `_Class__name`, where the object is of such a class.
    pub(crate) fn private_name(&mut self, receiver: Value, name: &str) -> Option<String> {
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
    pub(crate) fn set_by_name(&mut self, class: EntityId, name: &str, place: Place) -> SetId {
        let set = self.set_under_computed(class, name);
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

    /// What was set under a name that is computed and can be this one: where the beginnings of all such names are known, it
    /// begins so.
    fn set_under_computed(&mut self, class: EntityId, name: &str) -> SetId {
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
        let held = self.only(set, |value| !matches!(value, Value::Text(_)));
        // Whatever is set, something is.
        let something = self.builtin_instance("object");
        self.sets.union(held, something)
    }

    /// Whether a name is annotated and bound to nothing: when the program runs, it is not there.
    pub(crate) fn is_only_declared(&mut self, targets: &Targets) -> bool {
        !targets.is_empty()
            && targets.iter().all(|&target| match target {
                Target::Entity(entity) => self.look.flags(entity).has(EntityFlags::DECLARED),
                _ => false,
            })
    }

    /// What `__getattr__` or `__getattribute__` gives. Objects on which attributes are set by names that are computed are
    /// like dicts: what they have is not known, and `__getattr__` is asked for the rest of it.
    pub(crate) fn hooked(&mut self, class: EntityId, name: &str, basis: Basis, place: Place) -> Option<Found> {
        let has = self.look.hooks(class);
        let is_asked = has.getattr && !stdlib_names::is_object_member(name) && !self.is_of_builtin(class, name);
        for (hook, is_asked) in [("__getattr__", is_asked), ("__getattribute__", has.getattribute)] {
            if !is_asked {
                continue;
            }
            let Some((_, targets)) = self.look.inherited(class, hook, None) else { continue };
            let set_by_name = self.set_under_computed(class, name);
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

    /// Whether a class has this attribute from a builtin that it derives from.
    fn is_of_builtin(&mut self, class: EntityId, name: &str) -> bool {
        self.look.mro(class).externals.iter().any(|&base| builtin_members::has(base, name))
    }
}
