//! Properties, descriptors, fields, `__dict__`, modules and metaclasses: attributes that run code or stand for others.

use smallvec::SmallVec;

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, NONE},
        hash_name,
    },
    model::{Basis, EntityFlags, EntityId, Position, RelationshipKind},
    resolve::{
        interpret::{
            Interpreter,
            attributes::member_values::{FoundMember, add_referents, member_referents},
            calls::arguments::{Arguments, BoundArguments, MethodCall},
        },
        library::known,
        names::Referents,
        values::{self, Kinds, SetId, TextRole, Value, mark::Mark, questions, slot::Unnamed},
    },
};

/// `Base.__subclasses__()`: a list of the classes that derive from it.
pub(crate) fn subclasses_given(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>) -> SetId {
    let &MethodCall { receivers, method: name, place, .. } = call;
    if interpreter.solver.bodies.names.text(name) != "__subclasses__" {
        return SetId::EMPTY;
    }
    let receivers = interpreter.expand_parameters(receivers);
    let mut classes = SetId::EMPTY;
    for at in interpreter.solver.sets.range(receivers) {
        if let Value::Class(class) = values::parts(interpreter.solver.sets.at(at)).0 {
            let derived = interpreter.solver.read(questions::subclasses(class));
            classes = interpreter.solver.sets.union(classes, derived);
        }
    }
    if classes == SetId::EMPTY || classes == SetId::TOP {
        return SetId::EMPTY;
    }
    interpreter.solver.container_made(classes, place, false)
}

impl Interpreter<'_> {
    /// Instances of the classes that a metaclass makes, where `cls()` is called in one of its methods.
    pub(crate) fn metaclass_instances(&mut self, metaclass: EntityId) -> SetId {
        let classes = self.solver.classes_made_by(metaclass);
        self.instances(classes, Basis::SelfMember)
    }

    /// `super().__call__(…)` in a method of a metaclass.
    pub(crate) fn own_metaclass_instances(&mut self) -> SetId {
        match self.solver.look.enclosing_class(self.solver.entity) {
            Some(class) if self.solver.look.is_metaclass(class) => self.metaclass_instances(class),
            _ => SetId::EMPTY,
        }
    }

    /// A member that `cls` has in a method of its metaclass, but not the metaclass: a member of a class that it makes.
    pub(crate) fn member_of_made(&mut self, metaclass: EntityId, name: &str, place: Position) -> Option<FoundMember> {
        if !self.solver.look.is_metaclass(metaclass) {
            return None;
        }
        let classes = self.solver.classes_made_by(metaclass);
        let (mut set, mut referents) = (SetId::EMPTY, Referents::new());
        for at in self.solver.sets.range(classes) {
            let Value::Class(class) = values::parts(self.solver.sets.at(at)).0 else { continue };
            let Some((_, targets)) = self.solver.look.inherited(class, name, None) else { continue };
            let values = self.member_values(class, name, &targets, Basis::SelfMember, None);
            set = self.solver.sets.union(set, values);
            add_referents(&mut referents, member_referents(&mut self.solver, &targets, Basis::SelfMember));
        }
        let of_derived = self.overriding_members(classes, name, place, &referents, set);
        set = self.solver.sets.union(set, of_derived.set);
        add_referents(&mut referents, of_derived.referents);
        (!referents.is_empty()).then_some(FoundMember { set, referents, is_missing: false })
    }

    /// The values stored on a class without its properties, and the results of those properties on an instance.
    pub(crate) fn read_properties(&mut self, stored: SetId, class: EntityId, place: Position) -> (SetId, SetId) {
        let mut given = SetId::EMPTY;
        for at in self.solver.sets.range(stored) {
            let (Value::DependsOnCall(function, Mark::Property { lambda }), basis) =
                values::parts(self.solver.sets.at(at))
            else {
                continue;
            };
            self.solver.emit(function, RelationshipKind::Calls, basis, place);
            let receiver = self.solver.sets.single(Value::Instance(class), basis);
            self.solver.pass_receiver(function, lambda, receiver);
            let returned = self.result(function, lambda, &BoundArguments::of(&[receiver]));
            given = self.solver.sets.union(given, returned);
        }
        let others =
            self.solver.sets.only(stored, |value| !matches!(value, Value::DependsOnCall(_, Mark::Property { .. })));
        (others, given)
    }

    /// Reads class attributes from an instance: functions become bound methods, and `__get__` of descriptors runs.
    pub(crate) fn read_from_instance(
        &mut self,
        stored: SetId,
        class: EntityId,
        basis: Basis,
        place: Position,
    ) -> SetId {
        let functions = self.solver.sets.only(stored, |value| matches!(value, Value::Function(..)));
        let bound = self.solver.sets.bind_all(functions, class);
        let (stored, given) = self.read_properties(stored, class, place);
        let bound = self.solver.sets.union(bound, given);
        let read = self.run_getters(stored, Some(basis), class, place);
        let set = self.solver.sets.union(stored, bound);
        self.solver.sets.union(set, read)
    }

    /// The results of the descriptors in a set. Their arguments are the object, or `None`, and its class.
    pub(crate) fn run_getters(&mut self, set: SetId, object: Option<Basis>, class: EntityId, place: Position) -> SetId {
        if !self.solver.sets.holds(set, Kinds::INSTANCES) {
            return SetId::EMPTY;
        }
        let descriptors = self.solver.descriptors(set);
        if self.solver.special_methods(descriptors, "__get__").is_none_or(|methods| methods.is_empty()) {
            return SetId::EMPTY;
        }
        let passed = match object {
            Some(basis) => self.solver.sets.single(Value::Instance(class), basis),
            None => self.solver.sets.single(Value::ExternalInstance(known::NONE_TYPE), Basis::Constructed),
        };
        let class = self.solver.sets.single(Value::Class(class), object.unwrap_or(Basis::Constructed));
        self.special(descriptors, "__get__", &[passed, class], place)
    }

    /// `object.name = set`, where the class holds `stored` under the name: setters of properties and `__set__` run.
    pub(crate) fn run_setters(&mut self, stored: SetId, class: EntityId, set: SetId, basis: Basis, place: Position) {
        let receiver = self.solver.sets.single(Value::Instance(class), basis);
        let descriptors = self.solver.descriptors(stored);
        // Descriptors of one class share its `__set__`, which would keep the values of all under one name.
        self.special(descriptors, "__set__", &[], place);
        for at in self.solver.sets.range(stored) {
            let Value::DependsOnCall(function, Mark::Property { lambda }) = values::parts(self.solver.sets.at(at)).0
            else {
                continue;
            };
            let setters = self.solver.read(questions::setter(function, lambda));
            self.call_sets(setters, &[receiver, set], place);
        }
    }

    /// The values that `__init__` stores under the name of a method, and whether it always does. They come first, as a
    /// function is no data descriptor.
    pub(crate) fn put_in_place(
        &mut self,
        class: EntityId,
        name: &str,
        flags: EntityFlags,
        basis: Basis,
    ) -> Option<(SetId, bool)> {
        let is_always = flags.has(EntityFlags::REPLACED);
        if !is_always && !flags.has(EntityFlags::PERHAPS_REPLACED) {
            return None;
        }
        let put = self.stored(class, name, basis);
        let put = if is_always { put } else { self.solver.sets.weaken(put, Basis::Choice) };
        (!self.solver.sets.is_nothing_followed(put)).then_some((put, is_always))
    }

    /// Instances of classes; for a parameter, instances of the class that the caller passes.
    pub(crate) fn objects_of(&mut self, classes: SetId, basis: Basis) -> SetId {
        let mut passed = values::Entries::new();
        for &entry in self.solver.sets.entries(classes) {
            if let (Value::Parameter(function, lambda, index), own) = values::parts(entry) {
                passed.push(values::entry(Value::InstanceOfParameter(function, lambda, index), own.max(basis)));
            }
        }
        let passed = self.solver.sets.of(passed);
        let known = self.solver.sets.only(classes, |value| !matches!(value, Value::Parameter(..)));
        let known = self.instances(known, basis);
        self.solver.sets.union(known, passed)
    }

    /// `type("Made", (Base,), {})`, `Meta("Made", (Base,), {})` without a name of its own: a class known by its bases.
    pub(crate) fn bases_given(&mut self, arguments: &Arguments) -> SetId {
        let &[_, bases, _] = arguments.positional.as_slice() else { return SetId::EMPTY };
        let written = match *self.solver.bodies.list(arguments.written()) {
            [_, bases, _] => self.iterate_literal(bases),
            _ => SetId::EMPTY,
        };
        // Which base a parameter is, or names, each caller knows for itself.
        let bases = if written == SetId::EMPTY { self.elements(bases) } else { written };
        self.solver.sets.only(bases, |value| {
            matches!(value, Value::Class(_) | Value::Parameter(..) | Value::OfPassedText(_, TextRole::Referent, _))
        })
    }

    /// `types.MethodType(function, object)`.
    pub(crate) fn method_of(&mut self, arguments: &Arguments) -> SetId {
        let object = arguments.positional.get(1).copied().unwrap_or_default();
        let object = self.expand_parameters(object);
        let classes = self.solver.sets.entries(object).iter().filter_map(|&entry| match values::parts(entry).0 {
            Value::Instance(class) => Some(class),
            _ => None,
        });
        let class = classes.min();
        let entries = self.solver.sets.entries(arguments.first()).iter().map(|&entry| match values::parts(entry) {
            (Value::Function(function, 0), basis) => values::entry(Value::Bound(function, class), basis),
            _ => entry,
        });
        let entries: values::Entries = entries.collect();
        self.solver.sets.of(entries)
    }

    /// `attr.ib(factory=list)`, `field(default_factory=list)`, `attr.ib(type=Item)`: the values of the field.
    pub(crate) fn field_made(&mut self, arguments: &Arguments, place: Position) -> SetId {
        let mut held = SetId::EMPTY;
        for &(name, set) in &arguments.keywords {
            let given = match name {
                name if name == const { hash_name("factory") } || name == const { hash_name("default_factory") } => {
                    self.call_sets(set, &[], place)
                }
                name if name == const { hash_name("default") } => self
                    .solver
                    .sets
                    .only(set, |value| !matches!(value, Value::External(_) | Value::ExternalInstance(_))),
                name if name == const { hash_name("type") } => self.instances(set, Basis::Annotated),
                _ => SetId::EMPTY,
            };
            held = self.solver.sets.union(held, given);
        }
        let marker = self.solver.sets.builtin_instance("object");
        self.solver.sets.union(held, marker)
    }

    /// `Class[item]`: runs `__class_getitem__`; of an enumeration it is the member of that name.
    pub(crate) fn class_items(&mut self, classes: SetId, index: ExprId, place: Position) -> SetId {
        let mut members = SetId::EMPTY;
        for at in self.solver.sets.range(classes) {
            let entry = self.solver.sets.at(at);
            let (Value::Class(class), basis) = values::parts(entry) else { continue };
            if let Some((_, targets)) = self.solver.look.inherited(class, "__class_getitem__", None) {
                let receiver = self.solver.sets.single(Value::Class(class), basis);
                self.call_members(&targets, receiver, &[], basis, place);
            }
            if self.solver.look.is_enum(class) {
                let member = match self.solver.bodies.kind(index) {
                    Some(&ExprKind::Text(name)) => {
                        let class = self.solver.sets.of([entry]);
                        self.member_named(class, name, self.solver.bodies.place_of(index))
                    }
                    _ => self.solver.sets.single(Value::Instance(class), basis.max(Basis::Constructed)),
                };
                members = self.solver.sets.union(members, member);
            }
        }
        members
    }

    /// Whether an instance in the set lacks this comparison but has another one, which Python derives it from.
    pub(crate) fn has_other_ordering(&mut self, receivers: SetId, name: &str) -> bool {
        let receivers = self.expand_parameters(receivers);
        self.solver.sets.range(receivers).any(|at| match values::parts(self.solver.sets.at(at)).0 {
            Value::Instance(class) => self.solver.look.inherited(class, name, None).is_none(),
            _ => false,
        })
    }

    /// `importlib.import_module("a.b")`, `import_module(".b", "a")`, `import_module(".b", __package__)`, and of texts
    /// that are computed.
    pub(crate) fn module_named(&mut self, arguments: &Arguments) -> SetId {
        let bodies = self.solver.bodies;
        let &[name, ref rest @ ..] = bodies.list(arguments.written()) else { return SetId::EMPTY };
        let texts = self.solver.texts_computed(name);
        if texts.is_empty() {
            let modules = self.modules_named_by(arguments.first());
            return self.solver.sets.perhaps_other_modules(arguments.first(), modules);
        }
        let package = rest.first().and_then(|&package| bodies.text(package));
        let mut modules = SetId::EMPTY;
        for text in texts {
            let found = self.solver.module_of_text(&text, package);
            modules = self.solver.sets.union(modules, found);
        }
        modules
    }

    /// `globals()["name"]`, `sys.modules[__name__]`.
    pub(crate) fn global_named(&mut self, container: SetId, index: ExprId, key: SetId, place: Position) -> SetId {
        let modules = self.solver.sets.only(container, |value| matches!(value, Value::Module(_)));
        match self.solver.bodies.kind(index) {
            Some(&ExprKind::Text(name)) if modules != SetId::EMPTY => self.member_named(modules, name, place),
            Some(&ExprKind::Name { name, variable: NONE }) if self.solver.bodies.names.text(name) == "__name__" => {
                if self.solver.sets.is_modules_loaded(container) {
                    return self.solver.sets.single(Value::Module(self.solver.look.own.file), Basis::Scope);
                }
                SetId::EMPTY
            }
            _ if self.solver.sets.is_modules_loaded(container) => self.modules_named_by(key),
            _ => SetId::EMPTY,
        }
    }

    /// The attributes that `x.__dict__["name"]` can be.
    fn attributes_in_dict(&mut self, base: ExprId, index: ExprId) -> SmallVec<[questions::Key; 4]> {
        let (Some(object), Some(&ExprKind::Text(name))) =
            (self.solver.bodies.object_of_dict(base), self.solver.bodies.kind(index))
        else {
            return SmallVec::new();
        };
        let objects = self.quiet(|this| this.eval(object));
        let objects = self.expand_parameters(objects);
        let name = self.solver.bodies.names.hash(name);
        let attributes = self.solver.sets.entries(objects).iter().filter_map(|&entry| match values::parts(entry).0 {
            Value::Instance(class) => Some(questions::attribute(class, name)),
            _ => None,
        });
        attributes.collect()
    }

    /// `x.__dict__["name"] = set`: an attribute that is set past `__setattr__`.
    pub(crate) fn store_in_dict(&mut self, base: ExprId, index: ExprId, set: SetId) {
        if self.solver.bodies.object_of_dict(base).is_some() {
            self.solver.record_setattr_store();
        }
        for attribute in self.attributes_in_dict(base, index) {
            let set = if set == SetId::EMPTY { self.solver.sets.builtin_instance("object") } else { set };
            self.solver.add(attribute, set);
        }
    }

    /// `x.__dict__.update(values, name=value)`: attributes that are set past `__setattr__`, of a dict under names that
    /// are not known.
    pub(crate) fn update_dict(&mut self, dict: ExprId, arguments: &Arguments) {
        let Some(object) = self.solver.bodies.object_of_dict(dict) else { return };
        let objects = self.quiet(|this| this.eval(object));
        let objects = self.expand_parameters(objects);
        let given: SmallVec<[SetId; 2]> = arguments.positional.iter().copied().collect();
        for at in self.solver.sets.range(objects) {
            let Value::Instance(class) = values::parts(self.solver.sets.at(at)).0 else { continue };
            let something = self.solver.sets.builtin_instance("object");
            for &(keyword, set) in &arguments.keywords {
                let set = if set == SetId::EMPTY { something } else { set };
                self.solver.add(questions::attribute(class, keyword), set);
            }
            for &mapping in &given {
                let held = self.elements(mapping);
                let held = self.solver.sets.only(held, |value| !matches!(value, Value::Text(_)));
                let held = self.solver.sets.union(held, something);
                self.solver.add(questions::attribute(class, Unnamed::AnyName.encode()), held);
            }
        }
    }

    /// `x.__dict__["name"]`: the values of the attribute.
    pub(crate) fn kept_in_dict(&mut self, base: ExprId, index: ExprId) -> SetId {
        let mut result = SetId::EMPTY;
        for attribute in self.attributes_in_dict(base, index) {
            let kept = self.solver.read(attribute);
            let kept = self.solver.sets.weaken(kept, Basis::Stored);
            result = self.solver.sets.union(result, kept);
        }
        result
    }

    fn member_named(&mut self, modules: SetId, name: NameId, place: Position) -> SetId {
        let (set, referents) = self.attribute(modules, name, place, NONE, None);
        for &(target, basis) in &referents {
            self.solver.emit_reference(target, basis.max(Basis::Text), place, None);
        }
        set
    }
}
