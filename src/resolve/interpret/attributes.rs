//! Attribute access: members of modules, classes, instances and `super()`, and what is stored in attributes.

use smallvec::SmallVec;

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, Run},
        hash_name,
    },
    model::{Basis, EntityFlags, EntityId, EntityKind, RelationshipKind, UnresolvedReason},
    resolve::{
        frameworks::rules,
        interpret::{
            Interpreter,
            arguments::Bound,
            literals::Heads,
            member_values::{Found, add_heads, member_heads},
        },
        library::{builtin_members, known, stdlib_names},
        names::{Target, Targets, mro::Constructor},
        questions,
        solver::output::Place,
        typing::type_parameters::is_mark,
        values::{
            self, SetId, Value,
            slot::{Slot, Unnamed},
        },
    },
};

impl Interpreter<'_> {
    /// `receivers.name`: its values, and the members that it names.
    pub(crate) fn attribute(
        &mut self,
        receivers: SetId,
        name: NameId,
        place: Place,
        base: ExprId,
        call: Option<(Run, Run)>,
    ) -> (SetId, Heads) {
        let text = self.solver.bodies.names.text(name);
        let own = self.own_of_receiver(receivers, name);
        let (objects, receivers) = (receivers, self.concrete(receivers));
        let (mut set, mut heads) = (SetId::EMPTY, Heads::new());
        let (mut is_known, mut is_missing) = (false, false);
        let mut without = SmallVec::<[(EntityId, Basis); 2]>::new();
        // What stands behind a decorator is asked for what the decorated thing lacks.
        let is_behind = |entry: u64| values::parts(entry).1 == Basis::Wrapped;
        let (first, behind): (values::Entries, values::Entries) =
            self.solver.sets.entries(receivers).iter().copied().partition(|&entry| !is_behind(entry));
        for entry in first.into_iter().chain(behind) {
            let (receiver, basis) = values::parts(entry);
            if receiver == Value::Unknown || is_mark(receiver) || (basis == Basis::Wrapped && !heads.is_empty()) {
                continue;
            }
            let basis =
                if self.solver.is_left_to_hook(receiver, text, receivers) { basis.max(Basis::Choice) } else { basis };
            let mut found = self.attribute_of(receiver, basis, text, place);
            if found.is_missing
                && let Some(private) = self.solver.look.private_name(receiver, text)
            {
                found = self.attribute_of(receiver, basis, &private, place);
            }
            is_known |= !found.is_missing;
            is_missing |= found.is_missing;
            if let (Value::Instance(class), true) = (receiver, found.is_missing) {
                without.push((class, basis));
            }
            set = self.solver.sets.union(set, found.set);
            add_heads(&mut heads, found.heads);
        }
        set = if own == SetId::EMPTY { set } else { own };
        if !text.starts_with("__") {
            let of_derived = self.overriding_members(receivers, text, place, &heads, set);
            set = self.solver.sets.union(set, of_derived.set);
            heads.extend(of_derived.heads);
        }
        let fitting = self.fitting_members(receivers, text, place);
        set = self.solver.sets.union(set, fitting.set);
        add_heads(&mut heads, fitting.heads);
        if heads.is_empty() && !without.is_empty() {
            let of_derived = self.derived_members(&without, text, place);
            set = self.solver.sets.union(set, of_derived.set);
            heads = of_derived.heads;
            // `self` of a class that lacks the member is not known to be of a subclass that has it.
            is_known = !of_derived.is_missing && without.iter().all(|(_, basis)| *basis != Basis::SelfMember);
        }
        let why = self.solver.sets.why_open(receivers, is_known, is_missing, (set, &heads));
        if let Some(reason) = why.or(fitting.is_open.then_some(UnresolvedReason::TooManyValues)) {
            let call = call.map(|(arguments, keywords)| self.solver.bodies.call_shape(arguments, keywords));
            self.solver.unresolved(text, place, reason, self.solver.bodies.last_name(base).unwrap_or_default(), call);
        }
        (self.settled(set, objects), heads)
    }

    pub(crate) fn attribute_of(&mut self, receiver: Value, basis: Basis, name: &str, place: Place) -> Found {
        let hash = hash_name(name);
        match receiver {
            Value::Module(file) => {
                let targets = self.solver.look.member(file, name);
                if targets.is_empty() {
                    return self.computed_member(file, name, place);
                }
                let basis = basis.max(Basis::Import);
                let mut set = self.solver.target_values(&targets, basis);
                if self.solver.look.is_only_declared(&targets) || self.solver.look.is_for_types(file, hash) {
                    let computed = self.computed_member(file, name, place);
                    set = self.solver.sets.declared_or_computed(set, computed.set);
                }
                let heads = targets.into_iter().map(|target| (target, basis)).collect();
                Found { set, heads, is_missing: false }
            }
            Value::Namespace(number) => {
                let target = match self.solver.look.namespace_member(number, name) {
                    Some(crate::resolve::names::imports::Found::Module(file)) => Some(Target::Module(file)),
                    Some(crate::resolve::names::imports::Found::Namespace(number)) => Some(Target::Namespace(number)),
                    _ => None,
                };
                let set = target.map_or(SetId::EMPTY, |target| self.solver.target_value(target, Basis::Import));
                Found { set, heads: Heads::new(), is_missing: target.is_none() }
            }
            Value::External(known::SOME_MODULE) => {
                Found { set: self.solver.sets.of_any_module(), heads: Heads::new(), is_missing: false }
            }
            Value::External(path) => match self.solver.setting(path, name) {
                Some(found) => found,
                None => self.solver.outside_member(path, Value::External(known::member(path, hash)), basis, hash),
            },
            // Where nothing is known to be there that has the name, something else is.
            Value::ExternalInstance(path) if builtin_members::is_other_than(path, basis, name) => {
                Found { set: SetId::EMPTY, heads: Heads::new(), is_missing: !name.starts_with("__") }
            }
            Value::ExternalInstance(known::OPEN) => self.solver.sets.outside(receiver, basis),
            Value::ExternalInstance(path) => {
                self.solver.outside_member(path, Value::ExternalInstance(known::member(path, hash)), basis, hash)
            }
            Value::Instance(class) => self.instance_attribute(class, name, basis, place),
            Value::Class(class) => self.class_attribute(class, name, basis, place),
            Value::Super(class, receiver) => self.super_attribute(class, receiver, name, place),
            Value::Container(..) | Value::SomeContainer
                if stdlib_names::is_container_member(name) || rules().is_query(hash) =>
            {
                let set = self.solver.held_by(receiver, hash);
                Found { set, heads: Heads::new(), is_missing: false }
            }
            Value::Container(..) => {
                // `namespace.name`
                if let Some(found) = self.manager_member(receiver, name, place) {
                    return found;
                }
                let container = self.solver.sets.single(receiver, basis);
                let set = self.mapped(container, hash);
                Found { set, heads: Heads::new(), is_missing: set == SetId::EMPTY }
            }
            Value::Function(function, 0) if name == "__wrapped__" && self.solver.look.is_wrapped(function) => {
                self.solver.sets.outside(receiver, Basis::Returned)
            }
            Value::Parameter(..)
            | Value::InstanceOfParameter(..)
            | Value::OfPassedText(..)
            | Value::SomeContainer
            | Value::Unknown
            | Value::Function(..)
            | Value::Bound(..)
            | Value::Generator(..)
            | Value::Text(_)
            | Value::MethodsByPrefix(..)
            | Value::Applied(..)
            | Value::DottedName(_)
            | Value::DependsOnCall(..) => Found { set: SetId::EMPTY, heads: Heads::new(), is_missing: false },
        }
    }

    fn instance_attribute(&mut self, class: EntityId, name: &str, basis: Basis, place: Place) -> Found {
        if name == "__class__" {
            return self.solver.sets.outside(Value::Class(class), basis);
        }
        if self.solver.look.hooks(class).getattribute {
            self.special_on(class, "__getattribute__", basis, &[], place);
        }
        if let Some((_, targets)) = self.solver.look.inherited(class, name, None) {
            let set = self.member_values(class, name, &targets, basis, Some(place));
            if !self.solver.is_own_kept(class, name)
                && targets.iter().all(|&target| self.solver.look.is_instance_attribute(target))
            {
                self.hooked(class, name, basis, place);
            }
            return Found { set, heads: member_heads(&mut self.solver, &targets, basis), is_missing: false };
        }
        let stored = self.stored(class, name, basis);
        if stored != SetId::EMPTY && self.solver.look.is_kept(class, name) {
            return Found { set: stored, heads: Heads::new(), is_missing: false };
        }
        let mro = self.solver.look.mro(class);
        if let Some(mut found) = self.hooked(class, name, basis, place) {
            found.set = self.solver.sets.union(found.set, stored);
            return found;
        }
        if stored != SetId::EMPTY {
            return Found { set: stored, heads: Heads::new(), is_missing: false };
        }
        let set_by_name = self.set_by_name(class, name, place);
        if set_by_name != SetId::EMPTY {
            // Or the object is of a class that derives from this one.
            let of_derived = self.derived_members(&[(class, basis)], name, place);
            let set = self.solver.sets.union(set_by_name, of_derived.set);
            return Found { set, heads: of_derived.heads, is_missing: false };
        }
        if let Some(found) = self.member_of_made(class, name, place) {
            return found;
        }
        if let Some(&external) = mro.externals.first() {
            let hash = hash_name(name);
            let mut found = self.solver.sets.outside(Value::ExternalInstance(known::member(external, hash)), basis);
            let own = self.solver.own_attribute(class, hash, basis);
            found.set = self.solver.sets.union(found.set, own);
            if rules().is_shown(hash) {
                let shown = self.solver.held_of_models(class, hash);
                found.set = self.solver.sets.union(found.set, shown);
            }
            if name == "value" && self.solver.look.is_enum(class) {
                let values = self.solver.values_of_members(class);
                found.set = self.solver.sets.union(found.set, values);
            }
            return found;
        }
        let is_missing = !(name.starts_with("__") && name.ends_with("__"));
        Found { set: SetId::EMPTY, heads: Heads::new(), is_missing }
    }

    fn class_attribute(&mut self, class: EntityId, name: &str, basis: Basis, place: Place) -> Found {
        if let Some((_, targets)) = self.solver.look.inherited(class, name, None) {
            let set = self.member_values(class, name, &targets, basis, None);
            let read = if self.solver.look.is_enum(class) { SetId::EMPTY } else { self.asked(set, None, class, place) };
            let set = self.solver.managed(class, set, read);
            return Found { set, heads: member_heads(&mut self.solver, &targets, basis), is_missing: false };
        }
        let stored = self.stored(class, name, basis);
        if stored != SetId::EMPTY {
            return Found { set: stored, heads: Heads::new(), is_missing: false };
        }
        let mro = self.solver.look.mro(class);
        if name == "__mro__" {
            let set = self.solver.lineage_of(class, basis, place);
            return Found { set, heads: Heads::new(), is_missing: false };
        }
        if let Some(target) = self.solver.look.metaclass(class) {
            let Target::Entity(metaclass) = target else {
                return Found { set: SetId::EMPTY, heads: Heads::new(), is_missing: false };
            };
            let found = self.instance_attribute(metaclass, name, basis, place);
            if !found.is_missing {
                return found;
            }
        }
        let collection = self.solver.collection_of(class, name);
        if collection != SetId::EMPTY {
            return Found { set: collection, heads: Heads::new(), is_missing: false };
        }
        if name == "__new__" {
            return self
                .solver
                .sets
                .outside(Value::External(const { known::dotted("builtins.object.__new__") }), basis);
        }
        if name == "__members__" && self.solver.look.is_enum(class) {
            let member = self.solver.sets.single(Value::Instance(class), basis.max(Basis::Constructed));
            return Found { set: self.solver.container_of(member, true), heads: Heads::new(), is_missing: false };
        }
        if let Some(&external) = mro.externals.first() {
            let hash = known::member(external, hash_name(name));
            return self.solver.sets.outside(Value::ExternalInstance(hash), basis);
        }
        let is_builtin = (name.starts_with("__") && name.ends_with("__")) || name == "mro";
        Found { set: SetId::EMPTY, heads: Heads::new(), is_missing: !is_builtin }
    }

    fn super_attribute(&mut self, class: EntityId, receiver: Option<EntityId>, name: &str, place: Place) -> Found {
        let start = receiver.unwrap_or(class);
        if name == "__setattr__" {
            self.solver.note_handed_on();
        }
        if name == "__init__" && self.is_constructor_made_above(class, start, place) {
            return Found { set: SetId::EMPTY, heads: Heads::new(), is_missing: false };
        }
        let (mut set, mut heads, mut owner) = (SetId::EMPTY, Heads::new(), None);
        if let Some((next, targets)) = self.solver.look.inherited(start, name, Some(class)) {
            set = self.member_values(start, name, &targets, Basis::SelfMember, Some(place));
            heads = member_heads(&mut self.solver, &targets, Basis::SelfMember);
            owner = Some(next);
        }
        // In the linearization of a subclass another class may come next: what a mixin is mixed in with.
        for subclass in self.solver.subclasses(start) {
            let Some((other, targets)) = self.solver.look.inherited(subclass, name, Some(class)) else { continue };
            if Some(other) != owner {
                let values = self.member_values(subclass, name, &targets, Basis::Dispatched, Some(place));
                set = self.solver.sets.union(set, values);
                heads.extend(member_heads(&mut self.solver, &targets, Basis::Dispatched));
            }
        }
        if !heads.is_empty() {
            return Found { set, heads, is_missing: false };
        }
        let mro = self.solver.look.mro(start);
        let is_object = stdlib_names::is_builtin("object") && name.starts_with("__");
        let is_missing = mro.externals.is_empty() && !mro.is_open && !is_object;
        if let Some(maker) = self.solver.look.maker(start, name) {
            set = self.solver.sets.single(maker, Basis::SelfMember);
        }
        Found { set, heads, is_missing }
    }

    /// Whether a decorator writes the constructor that comes after a class; one that may be so runs `__post_init__`.
    fn is_constructor_made_above(&mut self, class: EntityId, start: EntityId, place: Place) -> bool {
        let mro = self.solver.look.mro(start);
        let mut above = mro.classes.iter().skip_while(|&&other| other != class).skip(1);
        let Some(&next) = above.next() else { return false };
        let owner = self.solver.look.inherited(start, "__init__", Some(class)).map(|(owner, _)| owner);
        let constructor = self.solver.look.constructor(next, owner);
        if constructor != Constructor::Written
            && let Some((_, targets)) = self.solver.look.inherited(start, "__post_init__", Some(class))
        {
            self.call_members(&targets, SetId::EMPTY, &[], Basis::SelfMember, place);
        }
        constructor == Constructor::Made
    }

    /// What members give when they are read from an instance at a place, or from the class itself.
    pub(crate) fn member_values(
        &mut self,
        class: EntityId,
        name: &str,
        targets: &Targets,
        basis: Basis,
        instance: Option<Place>,
    ) -> SetId {
        let is_instance = instance.is_some();
        let mut set = SetId::EMPTY;
        for &target in targets {
            let Target::Entity(entity) = target else {
                let values = self.solver.target_value(target, basis);
                set = self.solver.sets.union(set, values);
                continue;
            };
            let flags = self.solver.look.flags(entity);
            let replacing = if is_instance { self.put_by_constructor(class, name, flags, basis) } else { SetId::EMPTY };
            let values = match self.solver.look.kind(entity) {
                Some(EntityKind::Method) if replacing != SetId::EMPTY => replacing,
                Some(EntityKind::Property) => {
                    if flags.has(EntityFlags::SETTER) || flags.has(EntityFlags::DELETER) {
                        continue;
                    }
                    if !is_instance {
                        // An object of the repository's own is asked on the class too.
                        let decorated = self.solver.function_value(entity, basis);
                        let objects = self.solver.sets.only(decorated, |value| matches!(value, Value::Instance(_)));
                        set = self.solver.sets.union(set, objects);
                        continue;
                    }
                    let receiver = self.solver.sets.single(Value::Instance(class), basis);
                    if let Some(place) = instance {
                        // A decorator of the repository's own gives a descriptor.
                        let decorated = self.solver.function_value(entity, basis);
                        self.asked(decorated, Some(basis), class, place);
                    }
                    self.result(entity, 0, &Bound::of(&[receiver]))
                }
                Some(EntityKind::Method | EntityKind::Function) => {
                    // `__new__` is static: it is passed the class, whoever has it.
                    let is_static = flags.has(EntityFlags::STATIC_METHOD) || name == "__new__";
                    let is_bound = !is_static && (is_instance || flags.has(EntityFlags::CLASS_METHOD));
                    let plain = self.solver.function_value(entity, basis);
                    let read = instance.map_or(SetId::EMPTY, |place| self.asked(plain, Some(basis), class, place));
                    let plain = self.solver.sets.union(plain, read);
                    if is_bound { self.solver.sets.bind_all(plain, class) } else { plain }
                }
                Some(EntityKind::Variable) => {
                    let stored = self.stored(class, name, basis);
                    let enum_member = !is_instance && self.solver.look.is_enum(class);
                    if enum_member {
                        let member = self.solver.sets.single(Value::Instance(class), basis.max(Basis::Constructed));
                        self.solver.sets.union(stored, member)
                    } else {
                        match instance.filter(|_| !flags.has(EntityFlags::INSTANCE_ATTRIBUTE)) {
                            Some(place) => self.described(stored, class, basis, place),
                            None => stored,
                        }
                    }
                }
                _ => self.solver.target_value(target, basis),
            };
            set = self.solver.sets.union(set, values);
        }
        set
    }

    /// Values stored under a name on the class or any of its bases.
    pub(crate) fn stored(&mut self, class: EntityId, name: &str, basis: Basis) -> SetId {
        let set = self.solver.held_over_mro(class, hash_name(name));
        let set = self.held_on(class, hash_name(name), set, basis);
        let set = self.solver.sets.weaken(set, Basis::Stored);
        self.solver.sets.weaken(set, basis)
    }

    /// `receivers.name = set`.
    pub(crate) fn store_attribute(&mut self, receivers: SetId, name: NameId, set: SetId, place: Place, base: ExprId) {
        let text = self.solver.bodies.names.text(name);
        let hash = self.solver.bodies.names.hash(name);
        let receivers = self.concrete(receivers);
        let mut is_known = false;
        for at in self.solver.sets.range(receivers) {
            let entry = self.solver.sets.at(at);
            let (receiver, basis) = values::parts(entry);
            match receiver {
                Value::Instance(class) | Value::Class(class) => {
                    is_known = true;
                    let private = self.solver.look.private_name(receiver, text);
                    let (text, hash) = private.as_deref().map_or((text, hash), |name| (name, hash_name(name)));
                    self.store_member(class, text, hash, set, basis, place, matches!(receiver, Value::Instance(_)));
                }
                Value::Module(file) => {
                    is_known = true;
                    for target in self.solver.look.member(file, text) {
                        let Target::Entity(entity) = target else { continue };
                        self.solver.edge(entity, RelationshipKind::Writes, basis.max(Basis::Import), place);
                        self.solver.add(questions::variable(entity), set);
                    }
                }
                Value::Unknown | Value::Parameter(..) | Value::InstanceOfParameter(..) | Value::OfPassedText(..) => {}
                Value::External(path) => {
                    is_known = true;
                    self.write_setting(path, text, place);
                    self.solver.keep_outside(path, hash, set);
                }
                Value::ExternalInstance(path) => {
                    is_known = true;
                    self.solver.keep_outside(path, hash, set);
                }
                Value::Container(..) => {
                    is_known = true;
                    self.solver.add_element(receiver, Slot::Known(hash), set);
                }
                _ => is_known = true,
            }
        }
        if !is_known {
            let receiver = match self.solver.bodies.kind(base) {
                Some(ExprKind::Name { name, .. }) => self.solver.bodies.names.text(*name),
                _ => "",
            };
            self.solver.unresolved(text, place, UnresolvedReason::UnknownReceiver, receiver, None);
        }
    }

    /// `setattr(receivers, name, set)` with a name that is computed; of `texts`, the beginnings are known.
    pub(crate) fn store_by_name(&mut self, receivers: SetId, texts: SetId, set: SetId, place: Place) {
        let receivers = self.concrete(receivers);
        let set = self.solver.sets.only(set, |value| !matches!(value, Value::Text(_)));
        let names = if texts == SetId::EMPTY { self.solver.sets.builtin_instance("object") } else { texts };
        let set = self.solver.sets.union(set, names);
        for at in self.solver.sets.range(receivers) {
            let (receiver, basis) = values::parts(self.solver.sets.at(at));
            let (Value::Instance(class) | Value::Class(class)) = receiver else { continue };
            self.solver.add(questions::attribute(class, Unnamed::AnyName.encode()), set);
            if matches!(receiver, Value::Instance(_)) {
                self.special_on(class, "__setattr__", basis, &[], place);
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one store, described whole")]
    fn store_member(
        &mut self,
        class: EntityId,
        name: &str,
        hash: u64,
        set: SetId,
        basis: Basis,
        place: Place,
        is_instance: bool,
    ) {
        if is_instance {
            self.special_on(class, "__setattr__", basis, &[], place);
        }
        let Some((owner, targets)) = self.solver.look.inherited(class, name, None) else {
            self.solver.add(questions::attribute(class, hash), set);
            if is_instance {
                // What is stored is there: nobody asks `__getattr__` for it.
                if set == SetId::EMPTY && self.solver.look.hooks(class).getattr {
                    let something = self.solver.sets.builtin_instance("object");
                    self.solver.add(questions::attribute(class, hash), something);
                }
            }
            return;
        };
        let entities = targets.iter().filter_map(|&target| self.solver.look.entity_of(target)).collect::<Vec<_>>();
        let has_setter = entities.iter().any(|&entity| self.solver.look.flags(entity).has(EntityFlags::SETTER));
        for entity in entities {
            let flags = self.solver.look.flags(entity);
            match self.solver.look.kind(entity) {
                Some(EntityKind::Property) if flags.has(EntityFlags::SETTER) => {
                    self.solver.edge(entity, RelationshipKind::Writes, basis, place);
                    self.solver.edge(entity, RelationshipKind::Calls, basis, place);
                    let receiver = self.solver.sets.single(Value::Instance(class), basis);
                    self.pass(entity, 0, &[receiver, set]);
                }
                Some(EntityKind::Variable) => {
                    if !self.solver.is_definition(entity, place) {
                        self.solver.edge(entity, RelationshipKind::Writes, basis, place);
                    }
                    if is_instance && !flags.has(EntityFlags::INSTANCE_ATTRIBUTE) {
                        let stored = self.solver.read(questions::attribute(owner, hash));
                        let descriptors = self.solver.descriptors(stored);
                        self.special(descriptors, "__set__", &[], place);
                        self.set_by_property(stored, class, set, basis, place);
                    }
                }
                // A method, a cached property, a class: something else stands in its place afterwards.
                Some(_) if !has_setter => self.solver.edge(entity, RelationshipKind::Writes, basis, place),
                _ => {}
            }
        }
        self.solver.add(questions::attribute(owner, hash), set);
    }
}
