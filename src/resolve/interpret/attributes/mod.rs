//! Loads and stores of attributes: members of modules, classes, instances and `super()`.

pub(crate) mod member_values;

use smallvec::SmallVec;

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, Run},
        hash_name,
    },
    model::{
        Basis, EntityFlags, EntityId, EntityKind, Position, RelationshipKind, UnresolvedReason, conventions::is_special,
    },
    resolve::{
        frameworks::tables::rules,
        interpret::{
            Interpreter,
            attributes::member_values::{FoundMember, add_referents, member_referents},
            calls::arguments::BoundArguments,
        },
        library::{builtin_members, known, stdlib_names},
        names::{Referents, Target, Targets, mro::Constructor},
        solver::Solver,
        typing::type_parameters::is_mark,
        values::{
            self, SetId, Value, questions,
            slot::{Slot, Unnamed, on_class},
        },
    },
};

/// A load of a member that no class of the MRO defines.
struct Load<'a> {
    class: EntityId,
    name: &'a str,
    hash: u64,
    basis: Basis,
    place: Position,
    /// The values that are stored under the name.
    stored: SetId,
}

/// A source of members that no class defines; it gives none where it does not know the member.
enum MemberSource {
    /// Follows from the solver's state.
    Known(fn(&mut Solver<'_>, &Load<'_>) -> Option<FoundMember>),
    /// Runs hooks or loads from other objects.
    Evaluated(fn(&mut Interpreter<'_>, &Load<'_>) -> Option<FoundMember>),
}
use MemberSource::{Evaluated, Known};

/// Members of an instance. The first source that knows the member decides, as Python asks the object before
/// `__getattr__`, and rules that guess come after those that know.
const OF_INSTANCES: &[MemberSource] = &[
    // A stored value is found before the hook runs where it is kept under exactly this name.
    Evaluated(
        |this, load| {
            if this.solver.look.is_kept(load.class, load.name) { stored_member(this, load) } else { None }
        },
    ),
    Evaluated(member_by_hook),
    Evaluated(stored_member),
    Evaluated(set_under_computed_name),
    Known(put_on_tests),
    Evaluated(|this, load| this.member_of_made(load.class, load.name, load.place)),
    Evaluated(|this, load| this.member_of_passed_bases(load.class, load.name, load.place, true)),
    // Bases outside the repository may have any member: they come last.
    Known(of_outside_base),
];

/// Members of a class itself, in the same way.
const OF_CLASSES: &[MemberSource] = &[
    Known(|_, load| FoundMember::if_any(load.stored)),
    Known(lineage),
    // The metaclass comes before members that Python or a framework adds to each class.
    Evaluated(of_metaclass),
    Known(|solver, load| FoundMember::if_any(solver.collection_of(load.class, load.name))),
    Known(object_maker),
    Known(enum_members),
    Evaluated(|this, load| this.member_of_passed_bases(load.class, load.name, load.place, false)),
    Known(of_outside_base_class),
];

/// Of the values under a name, descriptors and properties that were put on the class run.
fn stored_member(interpreter: &mut Interpreter<'_>, load: &Load<'_>) -> Option<FoundMember> {
    let mut found = FoundMember::if_any(load.stored)?;
    if interpreter.solver.descriptors(load.stored) != SetId::EMPTY {
        let put = interpreter.solver.held_over_mro(load.class, on_class(load.hash));
        let (descriptors, given) = interpreter.read_properties(put, load.class, load.place);
        let read = interpreter.run_getters(descriptors, Some(load.basis), load.class, load.place);
        found.set = interpreter.solver.sets.union(load.stored, given);
        found.set = interpreter.solver.sets.union(found.set, read);
    }
    Some(found)
}

/// `__getattr__` and `__getattribute__` may also give a stored value. Nobody asks them where the object is of a class
/// that derives from this one and has the member.
fn member_by_hook(interpreter: &mut Interpreter<'_>, load: &Load<'_>) -> Option<FoundMember> {
    let mut found = interpreter.getattr_result(load.class, load.name, load.basis, load.place)?;
    let of_derived = interpreter.derived_members(&[(load.class, load.basis)], load.name, load.place);
    for set in [load.stored, of_derived.set] {
        found.set = interpreter.solver.sets.union(found.set, set);
    }
    add_referents(&mut found.referents, of_derived.referents);
    Some(found)
}

/// `setattr(x, name, value)` may have stored it; or the object is of a class that derives from this one.
fn set_under_computed_name(interpreter: &mut Interpreter<'_>, load: &Load<'_>) -> Option<FoundMember> {
    let mut found = FoundMember::if_any(interpreter.set_by_name(load.class, load.name, load.place))?;
    let of_derived = interpreter.derived_members(&[(load.class, load.basis)], load.name, load.place);
    found.set = interpreter.solver.sets.union(found.set, of_derived.set);
    found.referents = of_derived.referents;
    Some(found)
}

fn put_on_tests(solver: &mut Solver<'_>, load: &Load<'_>) -> Option<FoundMember> {
    let put = solver.put_by_fixtures(load.class, load.hash);
    FoundMember::if_any(solver.sets.weaken(put, load.basis))
}

fn of_outside_base(solver: &mut Solver<'_>, load: &Load<'_>) -> Option<FoundMember> {
    let &Load { class, hash, basis, .. } = load;
    let external = *solver.look.mro(class).externals.first()?;
    let mut found = solver.sets.outside(Value::ExternalInstance(known::member(external, hash)), basis);
    let own = solver.own_attribute(class, hash, basis);
    found.set = solver.sets.union(found.set, own);
    if rules().is_shown(hash) {
        let shown = solver.held_of_models(class, hash);
        found.set = solver.sets.union(found.set, shown);
    }
    if load.name == "value" && solver.look.is_enum(class) {
        let values = solver.values_of_members(class);
        found.set = solver.sets.union(found.set, values);
    }
    Some(found)
}

/// `C.__mro__`
fn lineage(solver: &mut Solver<'_>, load: &Load<'_>) -> Option<FoundMember> {
    (load.name == "__mro__").then(|| FoundMember::of(solver.lineage_of(load.class, load.basis, load.place)))
}

fn of_metaclass(interpreter: &mut Interpreter<'_>, load: &Load<'_>) -> Option<FoundMember> {
    match interpreter.solver.look.metaclass(load.class)? {
        Target::Entity(metaclass) => {
            let found = interpreter.instance_attribute(metaclass, load.name, load.basis, load.place);
            (!found.is_missing).then_some(found)
        }
        // A metaclass outside the repository may give anything.
        _ => Some(FoundMember::of(SetId::EMPTY)),
    }
}

/// `C.__new__` of a class without one is `object.__new__`.
fn object_maker(solver: &mut Solver<'_>, load: &Load<'_>) -> Option<FoundMember> {
    let maker = Value::External(const { known::dotted("builtins.object.__new__") });
    (load.name == "__new__").then(|| solver.sets.outside(maker, load.basis))
}

/// `Color.__members__`
fn enum_members(solver: &mut Solver<'_>, load: &Load<'_>) -> Option<FoundMember> {
    if load.name != "__members__" || !solver.look.is_enum(load.class) {
        return None;
    }
    let member = solver.sets.single(Value::Instance(load.class), load.basis.max(Basis::Constructed));
    Some(FoundMember::of(solver.container_of(member, true)))
}

fn of_outside_base_class(solver: &mut Solver<'_>, load: &Load<'_>) -> Option<FoundMember> {
    let external = *solver.look.mro(load.class).externals.first()?;
    Some(solver.sets.outside(Value::ExternalInstance(known::member(external, load.hash)), load.basis))
}

/// The members of several receivers under one name.
#[derive(Default)]
struct MembersFound {
    set: SetId,
    referents: Referents,
    /// Some receiver has it.
    is_known: bool,
    /// Some receiver does not have it.
    is_missing: bool,
    /// The classes of instances that do not have it.
    without: SmallVec<[(EntityId, Basis); 2]>,
}

/// A store to a member, `object.name = set`.
struct MemberStore<'a> {
    name: &'a str,
    hash: u64,
    set: SetId,
    basis: Basis,
    place: Position,
    /// The object is an instance, else a class.
    is_instance: bool,
}

impl Interpreter<'_> {
    /// `receivers.name`: its values, and the members that it names.
    ///
    /// The rules after the receivers are no table: each depends on the definitions that the ones before it have found.
    pub(crate) fn attribute(
        &mut self,
        receivers: SetId,
        name: NameId,
        place: Position,
        base: ExprId,
        call: Option<(Run, Run)>,
    ) -> (SetId, Referents) {
        let text = self.solver.bodies.names.text(name);
        let own = self.own_of_receiver(receivers, name);
        let (objects, receivers) = (receivers, self.expand_parameters(receivers));
        let MembersFound { mut set, mut referents, mut is_known, is_missing, without } =
            self.members_of_each(receivers, text, place);
        // A member that gives the class of its receiver gives the parameter: each caller passes its own class.
        set = if own == SetId::EMPTY { set } else { own };
        let mut is_open = false;
        if !text.starts_with("__") {
            let of_derived = self.overriding_members(receivers, text, place, &referents, set);
            set = self.solver.sets.union(set, of_derived.set);
            referents.extend(of_derived.referents);
            is_open = of_derived.is_open;
        }
        let fitting = self.fitting_members(receivers, text, place);
        is_open |= fitting.is_open;
        set = self.solver.sets.union(set, fitting.set);
        add_referents(&mut referents, fitting.referents);
        if referents.is_empty() && !without.is_empty() {
            let of_derived = self.derived_members(&without, text, place);
            set = self.solver.sets.union(set, of_derived.set);
            referents = of_derived.referents;
            // `self` of a class that lacks the member is not known to be of a subclass that has it.
            is_known = !of_derived.is_missing && without.iter().all(|(_, basis)| *basis != Basis::SelfMember);
        }
        let why = self.solver.sets.why_open(receivers, is_known, is_missing, (set, &referents));
        if let Some(reason) = why.or(is_open.then_some(UnresolvedReason::TooManyValues)) {
            let call = call.map(|(arguments, keywords)| self.solver.bodies.call_shape(arguments, keywords));
            self.solver.emit_unresolved(
                text,
                place,
                reason,
                self.solver.bodies.last_name(base).unwrap_or_default(),
                call,
            );
        }
        (self.apply_type_arguments(set, objects), referents)
    }

    /// The members that each of the receivers has under a name by itself.
    fn members_of_each(&mut self, receivers: SetId, name: &str, place: Position) -> MembersFound {
        let mut members = MembersFound::default();
        // The function behind a decorator answers for members that the decorated one lacks.
        let is_behind = |entry: u64| values::parts(entry).1 == Basis::Wrapped;
        let (first, behind): (values::Entries, values::Entries) =
            self.solver.sets.entries(receivers).iter().copied().partition(|&entry| !is_behind(entry));
        for entry in first.into_iter().chain(behind) {
            let (receiver, basis) = values::parts(entry);
            let is_answered = basis == Basis::Wrapped && !members.referents.is_empty();
            if receiver == Value::Unknown || is_mark(receiver) || is_answered {
                continue;
            }
            let basis = if self.solver.needs_getattr_hook(receiver, name, receivers) {
                basis.max(Basis::Choice)
            } else {
                basis
            };
            let mut found = self.attribute_of(receiver, basis, name, place);
            if found.is_missing
                && let Some(private) = self.solver.look.private_name(receiver, name)
            {
                found = self.attribute_of(receiver, basis, &private, place);
            }
            members.is_known |= !found.is_missing;
            members.is_missing |= found.is_missing;
            if let (Value::Instance(class), true) = (receiver, found.is_missing) {
                members.without.push((class, basis));
            }
            members.set = self.solver.sets.union(members.set, found.set);
            add_referents(&mut members.referents, found.referents);
        }
        members
    }

    /// The member that the first source gives which knows it.
    fn of_first_source(&mut self, sources: &[MemberSource], load: &Load<'_>) -> Option<FoundMember> {
        sources.iter().find_map(|source| match source {
            Known(source) => source(&mut self.solver, load),
            Evaluated(source) => source(self, load),
        })
    }

    /// The member `name` of one receiver.
    pub(crate) fn attribute_of(&mut self, receiver: Value, basis: Basis, name: &str, place: Position) -> FoundMember {
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
                let referents = targets.into_iter().map(|target| (target, basis)).collect();
                FoundMember { set, referents, is_missing: false }
            }
            Value::Namespace(number) => {
                let target = match self.solver.look.namespace_member(number, name) {
                    Some(crate::resolve::names::imports::Found::Module(file)) => Some(Target::Module(file)),
                    Some(crate::resolve::names::imports::Found::Namespace(number)) => Some(Target::Namespace(number)),
                    _ => None,
                };
                let set = target.map_or(SetId::EMPTY, |target| self.solver.target_value(target, Basis::Import));
                FoundMember { set, referents: Referents::new(), is_missing: target.is_none() }
            }
            Value::External(known::SOME_MODULE) => FoundMember::of(self.solver.sets.anything()),
            Value::External(path) => match self.solver.setting(path, name) {
                Some(found) => found,
                None => self.solver.outside_member(path, Value::External(known::member(path, hash)), basis, hash),
            },
            // The object lacks the name, so the receiver is another object than this one.
            Value::ExternalInstance(path) if builtin_members::is_other_than(path, basis, name) => {
                FoundMember::nothing(!name.starts_with("__"))
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
                FoundMember::of(self.solver.held_by(receiver, hash))
            }
            Value::Container(..) => {
                // `namespace.name`
                if let Some(found) = self.manager_member(receiver, name, place) {
                    return found;
                }
                let container = self.solver.sets.single(receiver, basis);
                let set = self.mapped(container, hash);
                FoundMember { set, referents: Referents::new(), is_missing: set == SetId::EMPTY }
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
            | Value::DependsOnCall(..) => FoundMember::nothing(false),
        }
    }

    fn instance_attribute(&mut self, class: EntityId, name: &str, basis: Basis, place: Position) -> FoundMember {
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
                self.getattr_result(class, name, basis, place);
            }
            return FoundMember {
                set,
                referents: member_referents(&mut self.solver, &targets, basis),
                is_missing: false,
            };
        }
        let (hash, stored) = (hash_name(name), self.stored(class, name, basis));
        let load = Load { class, name, hash, basis, place, stored };
        let is_python_own = is_special(name);
        self.of_first_source(OF_INSTANCES, &load).unwrap_or_else(|| FoundMember::nothing(!is_python_own))
    }

    fn class_attribute(&mut self, class: EntityId, name: &str, basis: Basis, place: Position) -> FoundMember {
        if let Some((_, targets)) = self.solver.look.inherited(class, name, None) {
            let set = self.member_values(class, name, &targets, basis, None);
            let read =
                if self.solver.look.is_enum(class) { SetId::EMPTY } else { self.run_getters(set, None, class, place) };
            let set = self.solver.managed(class, set, read);
            return FoundMember {
                set,
                referents: member_referents(&mut self.solver, &targets, basis),
                is_missing: false,
            };
        }
        let (hash, stored) = (hash_name(name), self.stored(class, name, basis));
        let load = Load { class, name, hash, basis, place, stored };
        let is_python_own = is_special(name) || name == "mro";
        self.of_first_source(OF_CLASSES, &load).unwrap_or_else(|| FoundMember::nothing(!is_python_own))
    }

    fn super_attribute(
        &mut self,
        class: EntityId,
        receiver: Option<EntityId>,
        name: &str,
        place: Position,
    ) -> FoundMember {
        let start = receiver.unwrap_or(class);
        if name == "__setattr__" {
            self.solver.record_setattr_store();
        }
        if name == "__init__" && self.is_constructor_made_above(class, start, place) {
            return FoundMember::nothing(false);
        }
        let (mut set, mut referents, mut owner) = (SetId::EMPTY, Referents::new(), None);
        if let Some((next, targets)) = self.solver.look.inherited(start, name, Some(class)) {
            set = self.member_values(start, name, &targets, Basis::SelfMember, Some(place));
            referents = member_referents(&mut self.solver, &targets, Basis::SelfMember);
            owner = Some(next);
        }
        // In the MRO of a subclass another class may come next: one that a mixin is combined with.
        for subclass in self.solver.subclasses(start) {
            let Some((other, targets)) = self.solver.look.inherited(subclass, name, Some(class)) else { continue };
            if Some(other) != owner {
                let values = self.member_values(subclass, name, &targets, Basis::Dispatched, Some(place));
                set = self.solver.sets.union(set, values);
                referents.extend(member_referents(&mut self.solver, &targets, Basis::Dispatched));
            }
        }
        if !referents.is_empty() {
            return FoundMember { set, referents, is_missing: false };
        }
        if let Some(found) = self.member_of_passed_bases(start, name, place, true) {
            return found;
        }
        let mro = self.solver.look.mro(start);
        let is_object = stdlib_names::is_builtin("object") && name.starts_with("__");
        let is_missing = mro.externals.is_empty() && !mro.is_open && !is_object;
        if let Some(maker) = self.solver.look.maker(start, name) {
            set = self.solver.sets.single(maker, Basis::SelfMember);
        }
        FoundMember { set, referents, is_missing }
    }

    /// Whether a decorator generates the constructor that comes next in the MRO; runs `__post_init__` where it may do
    /// so.
    fn is_constructor_made_above(&mut self, class: EntityId, start: EntityId, place: Position) -> bool {
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

    /// The values of members, read from an instance at a place or from the class itself.
    pub(crate) fn member_values(
        &mut self,
        class: EntityId,
        name: &str,
        targets: &Targets,
        basis: Basis,
        instance: Option<Position>,
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
            let kind = self.solver.look.kind(entity);
            if is_instance
                && kind == Some(EntityKind::Method)
                && let Some((put, is_always)) = self.put_in_place(class, name, flags, basis)
            {
                set = self.solver.sets.union(set, put);
                if is_always {
                    continue;
                }
            }
            let values = match kind {
                Some(EntityKind::Property) if flags.has(EntityFlags::SETTER) || flags.has(EntityFlags::DELETER) => {
                    SetId::EMPTY
                }
                Some(EntityKind::Property) => self.property_value(entity, class, basis, instance),
                Some(EntityKind::Method | EntityKind::Function) => {
                    // `__new__` is static: its caller passes the class.
                    let is_static = flags.has(EntityFlags::STATIC_METHOD) || name == "__new__";
                    let is_bound = !is_static && (is_instance || flags.has(EntityFlags::CLASS_METHOD));
                    let plain = self.solver.function_value(entity, basis);
                    let read =
                        instance.map_or(SetId::EMPTY, |place| self.read_decorated(entity, plain, class, basis, place));
                    let plain = self.solver.sets.union(plain, read);
                    if is_bound { self.solver.sets.bind_all(plain, class) } else { plain }
                }
                Some(EntityKind::Variable) => {
                    let stored = self.stored(class, name, basis);
                    let place = instance.filter(|_| !flags.has(EntityFlags::INSTANCE_ATTRIBUTE));
                    if !is_instance && self.solver.look.is_enum(class) {
                        let member = self.solver.sets.single(Value::Instance(class), basis.max(Basis::Constructed));
                        self.solver.sets.union(stored, member)
                    } else if let Some(place) = place {
                        self.read_from_instance(stored, class, basis, place)
                    } else {
                        stored
                    }
                }
                _ => self.solver.target_value(target, basis),
            };
            set = self.solver.sets.union(set, values);
        }
        set
    }

    /// The results of the descriptors that decorators put in place of a method. A descriptor that keeps its results
    /// where they are not followed gives those of the method: it is a cached property.
    fn read_decorated(
        &mut self,
        method: EntityId,
        decorated: SetId,
        class: EntityId,
        basis: Basis,
        place: Position,
    ) -> SetId {
        let read = self.run_getters(decorated, Some(basis), class, place);
        let descriptors = self.solver.descriptors(decorated);
        let has_getter = self.solver.special_methods(descriptors, "__get__").is_some_and(|methods| !methods.is_empty());
        if !has_getter || !self.solver.sets.is_nothing_followed(read) {
            return read;
        }
        let receiver = self.solver.sets.single(Value::Instance(class), basis);
        let given = self.result(method, 0, &BoundArguments::of(&[receiver]));
        let given = self.solver.sets.weaken(given, Basis::Choice);
        self.solver.sets.union(read, given)
    }

    /// The values of a property, read from an instance at a place or from the class itself.
    fn property_value(
        &mut self,
        property: EntityId,
        class: EntityId,
        basis: Basis,
        instance: Option<Position>,
    ) -> SetId {
        let receiver = self.solver.sets.single(Value::Instance(class), basis);
        // A decorator of the repository's own gives a descriptor, which answers on the class too.
        let decorated = self.solver.function_value(property, basis);
        let Some(place) = instance else {
            return self.solver.sets.only(decorated, |value| matches!(value, Value::Instance(_)));
        };
        self.run_getters(decorated, Some(basis), class, place);
        self.result(property, 0, &BoundArguments::of(&[receiver]))
    }

    /// Values stored under a name on the class or any of its bases.
    pub(crate) fn stored(&mut self, class: EntityId, name: &str, basis: Basis) -> SetId {
        let set = self.solver.held_over_mro(class, hash_name(name));
        let set = self.held_on(class, hash_name(name), set, basis);
        let set = self.solver.sets.weaken(set, Basis::Stored);
        self.solver.sets.weaken(set, basis)
    }

    /// `receivers.name = set`. The rules are no table: each kind of receiver has one place to store into.
    pub(crate) fn store_attribute(
        &mut self,
        receivers: SetId,
        name: NameId,
        set: SetId,
        place: Position,
        base: ExprId,
    ) {
        let text = self.solver.bodies.names.text(name);
        let hash = self.solver.bodies.names.hash(name);
        let receivers = self.expand_parameters(receivers);
        let mut is_known = false;
        for at in self.solver.sets.range(receivers) {
            let entry = self.solver.sets.at(at);
            let (receiver, basis) = values::parts(entry);
            match receiver {
                Value::Instance(class) | Value::Class(class) => {
                    is_known = true;
                    let private = self.solver.look.private_name(receiver, text);
                    let (name, hash) = private.as_deref().map_or((text, hash), |name| (name, hash_name(name)));
                    let is_instance = matches!(receiver, Value::Instance(_));
                    self.store_member(class, &MemberStore { name, hash, set, basis, place, is_instance });
                }
                Value::Module(file) => {
                    is_known = true;
                    for target in self.solver.look.member(file, text) {
                        let Target::Entity(entity) = target else { continue };
                        self.solver.emit(entity, RelationshipKind::Writes, basis.max(Basis::Import), place);
                        self.solver.add(questions::variable(entity), set);
                    }
                }
                // These may be any object, so they do not make the store a known one.
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
                    self.solver.put_on_tests(receiver, hash, set);
                }
                _ => is_known = true,
            }
        }
        if !is_known {
            let receiver = match self.solver.bodies.kind(base) {
                Some(ExprKind::Name { name, .. }) => self.solver.bodies.names.text(*name),
                _ => "",
            };
            self.solver.emit_unresolved(text, place, UnresolvedReason::UnknownReceiver, receiver, None);
        }
    }

    /// `setattr(receivers, name, set)` with a computed name; `texts` are the known beginnings of it.
    pub(crate) fn store_by_name(&mut self, receivers: SetId, texts: SetId, set: SetId, place: Position) {
        let receivers = self.expand_parameters(receivers);
        let set = self.solver.sets.only(set, |value| !matches!(value, Value::Text(_)));
        let names = if texts == SetId::EMPTY { self.solver.sets.builtin_instance("object") } else { texts };
        let set = self.solver.sets.union(set, names);
        for at in self.solver.sets.range(receivers) {
            let (receiver, basis) = values::parts(self.solver.sets.at(at));
            let (Value::Instance(class) | Value::Class(class)) = receiver else { continue };
            let any = Unnamed::AnyName.encode();
            self.solver.add(questions::attribute(class, any), set);
            if matches!(receiver, Value::Instance(_)) {
                self.special_on(class, "__setattr__", basis, &[], place);
            } else {
                let put = self.solver.descriptors(set);
                self.solver.add(questions::attribute(class, on_class(any)), put);
            }
        }
    }

    fn store_member(&mut self, class: EntityId, store: &MemberStore<'_>) {
        let &MemberStore { name, hash, set, basis, place, is_instance } = store;
        if is_instance {
            self.special_on(class, "__setattr__", basis, &[], place);
        }
        let Some((owner, targets)) = self.solver.look.inherited(class, name, None) else {
            if is_instance {
                let put = self.put_on_class(class, name);
                self.run_setters(put, class, set, basis, place);
            } else {
                let put = self.solver.descriptors(set);
                self.solver.add(questions::attribute(class, on_class(hash)), put);
            }
            self.solver.add(questions::attribute(class, hash), set);
            // A stored value is found: nobody asks `__getattr__` for it.
            if is_instance && set == SetId::EMPTY && self.solver.look.hooks(class).getattr {
                let something = self.solver.sets.builtin_instance("object");
                self.solver.add(questions::attribute(class, hash), something);
            }
            return;
        };
        self.store_into(class, owner, &targets, store);
        // `self` often belongs to a derived class, which may have a property or descriptor there.
        if is_instance && basis == Basis::SelfMember {
            for (derived, targets) in self.solver.members_of_derived(class, name).each.iter() {
                if !targets.iter().all(|&target| self.solver.look.is_instance_attribute(target)) {
                    let store = MemberStore { basis: Basis::Dispatched, ..*store };
                    self.store_into(*derived, *derived, targets, &store);
                }
            }
        }
        self.solver.add(questions::attribute(owner, hash), set);
    }
    /// The store to members that a class has under the name, found on `owner`.
    fn store_into(&mut self, class: EntityId, owner: EntityId, targets: &Targets, store: &MemberStore<'_>) {
        let &MemberStore { hash, set, basis, place, is_instance, .. } = store;
        let entities = targets.iter().filter_map(|&target| self.solver.look.entity_of(target)).collect::<Vec<_>>();
        let has_setter = entities.iter().any(|&entity| self.solver.look.flags(entity).has(EntityFlags::SETTER));
        for entity in entities {
            let flags = self.solver.look.flags(entity);
            match self.solver.look.kind(entity) {
                Some(EntityKind::Property) if flags.has(EntityFlags::SETTER) => {
                    self.solver.emit(entity, RelationshipKind::Writes, basis, place);
                    self.solver.emit(entity, RelationshipKind::Calls, basis, place);
                    let receiver = self.solver.sets.single(Value::Instance(class), basis);
                    self.pass(entity, 0, &[receiver, set]);
                }
                Some(EntityKind::Variable) => {
                    if !self.solver.is_definition(entity, place) {
                        self.solver.emit(entity, RelationshipKind::Writes, basis, place);
                    }
                    if is_instance && !flags.has(EntityFlags::INSTANCE_ATTRIBUTE) {
                        let stored = self.solver.read(questions::attribute(owner, hash));
                        // Only for an object of the class itself is the place known to hold them.
                        let is_derived = basis == Basis::Dispatched;
                        let stored = if is_derived { self.solver.sets.weaken(stored, basis) } else { stored };
                        self.run_setters(stored, class, set, basis, place);
                    }
                }
                // A method, a cached property, a class: another object stands in its place afterwards.
                Some(_) if !has_setter => self.solver.emit(entity, RelationshipKind::Writes, basis, place),
                _ => {}
            }
        }
    }
}
