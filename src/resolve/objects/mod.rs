//! Objects that Python itself makes of functions and classes: properties, methods, instances, modules, fields.
//!
//! Goes in: a call of the builtin or library function that makes one, or a use of what was made. Comes out: its value.

pub(crate) mod delegation;
pub(crate) mod delete;
pub(crate) mod dynamic_attributes;
pub(crate) mod field_accessors;
pub(crate) mod metaclasses;
pub(crate) mod overrides;
pub(crate) mod proxies;
pub(crate) mod receiver_dependent;
pub(crate) mod self_type;
pub(crate) mod single_dispatch;

use smallvec::SmallVec;

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, NONE},
        hash_name,
    },
    model::{Basis, EntityFlags, EntityId, EntityKind, RelationshipKind},
    resolve::{
        engine::{Solver, output::Place},
        interpret::calls::{Arguments, Bound},
        library::known::{self, Known},
        names::{Target, imports::parent},
        questions,
        values::{self, Kinds, SetId, TextRole, Value, mark::Mark, slot::Unnamed},
    },
};

/// When a call of a class gives an object of another one.
pub(crate) enum Instead {
    Never,
    Sometimes,
    Always,
}

impl Solver<'_> {
    // --- properties that are made by a call ------------------------------------------------------------------------

    /// `property(get, set)`; as a decorator it hands on what it decorates.
    pub(crate) fn property_of(&mut self, arguments: &Arguments) -> SetId {
        let getter = arguments.first();
        if self.bodies.list(arguments.written()).is_empty() {
            return getter;
        }
        let keyword = const { hash_name("fset") };
        let by_keyword = arguments.keywords.iter().find(|(name, _)| *name == keyword).map(|&(_, set)| set);
        let setter = arguments.positional.get(1).copied().or(by_keyword).unwrap_or_default();
        let mut entries = values::Entries::new();
        for at in self.sets.range(getter) {
            if let (Value::Function(function, lambda), basis) = values::parts(self.sets.at(at)) {
                self.add(questions::setter(function, lambda), setter);
                entries.push(values::entry(Value::DependsOnCall(function, Mark::Property { lambda }), basis));
            }
        }
        self.sets.of(entries)
    }

    /// What is stored on a class without its properties, and what those give when they are read from an instance.
    pub(crate) fn got(&mut self, stored: SetId, class: EntityId, place: Place) -> (SetId, SetId) {
        let mut given = SetId::EMPTY;
        for at in self.sets.range(stored) {
            let (Value::DependsOnCall(function, Mark::Property { lambda }), basis) = values::parts(self.sets.at(at))
            else {
                continue;
            };
            self.edge(function, RelationshipKind::Calls, basis, place);
            let receiver = self.sets.single(Value::Instance(class), basis);
            self.pass_receiver(function, lambda, receiver);
            let returned = self.result(function, lambda, &Bound::of(&[receiver]));
            given = self.sets.union(given, returned);
        }
        let others = self.only(stored, |value| !matches!(value, Value::DependsOnCall(_, Mark::Property { .. })));
        (others, given)
    }

    /// A lambda or function outside the class does not know `self` by where it stands.
    fn pass_receiver(&mut self, function: EntityId, lambda: u32, receiver: SetId) {
        if lambda != 0 || self.look.enclosing_class(function).is_none() {
            self.add(questions::parameter(function, lambda, 0), receiver);
        }
    }

    /// Functions stored as class attributes are bound, and descriptors asked, when read from an instance.
    pub(crate) fn described(&mut self, stored: SetId, class: EntityId, basis: Basis, place: Place) -> SetId {
        let functions = self.only(stored, |value| matches!(value, Value::Function(..)));
        let bound = self.bind_all(functions, class);
        let (stored, given) = self.got(stored, class, place);
        let bound = self.sets.union(bound, given);
        let read = self.asked(stored, Some(basis), class, place);
        let set = self.sets.union(stored, bound);
        self.sets.union(set, read)
    }

    /// What the descriptors in a set give, which are passed the object that they are asked on, or `None`, and its class.
    pub(crate) fn asked(&mut self, set: SetId, object: Option<Basis>, class: EntityId, place: Place) -> SetId {
        if !self.sets.holds(set, Kinds::INSTANCES) {
            return SetId::EMPTY;
        }
        let descriptors = self.descriptors(set);
        if self.special_methods(descriptors, "__get__").is_none_or(|methods| methods.is_empty()) {
            return SetId::EMPTY;
        }
        let passed = match object {
            Some(basis) => self.sets.single(Value::Instance(class), basis),
            None => self.sets.single(Value::ExternalInstance(known::NONE_TYPE), Basis::Constructed),
        };
        let class = self.sets.single(Value::Class(class), object.unwrap_or(Basis::Constructed));
        self.special(descriptors, "__get__", &[passed, class], place)
    }

    /// `object.name = set`, where the class has a property there.
    pub(crate) fn set_by_property(&mut self, stored: SetId, class: EntityId, set: SetId, basis: Basis, place: Place) {
        for at in self.sets.range(stored) {
            let Value::DependsOnCall(function, Mark::Property { lambda }) = values::parts(self.sets.at(at)).0 else {
                continue;
            };
            let setters = self.read(questions::setter(function, lambda));
            let receiver = self.sets.single(Value::Instance(class), basis);
            self.call_sets(setters, &[receiver, set], place);
        }
    }

    /// What `__init__` puts in the place of a method: on objects it comes first, as a function is no data descriptor.
    pub(crate) fn put_by_constructor(
        &mut self,
        class: EntityId,
        name: &str,
        flags: EntityFlags,
        basis: Basis,
    ) -> SetId {
        if !flags.has(EntityFlags::REPLACED) {
            return SetId::EMPTY;
        }
        let put = self.stored(class, name, basis);
        if self.is_nothing_followed(put) { SetId::EMPTY } else { put }
    }

    pub(crate) fn is_enum(&mut self, class: EntityId) -> bool {
        self.look.mro(class).externals.iter().any(|&hash| known::known(hash) == Some(Known::Enum))
    }

    /// `Color.RED.value`: what one of the members of an enumeration is.
    pub(crate) fn values_of_members(&mut self, class: EntityId) -> SetId {
        let mut values = SetId::EMPTY;
        for name in self.look.member_names(class) {
            let held = self.read(questions::attribute(class, name));
            values = self.sets.union(values, held);
        }
        let values = self.only(values, |value| matches!(value, Value::Instance(other) if other != class));
        self.sets.weaken(values, Basis::Element)
    }

    /// `Base.__subclasses__()`: a list of the classes that derive from it.
    pub(crate) fn subclasses_given(&mut self, receivers: SetId, name: NameId, place: Place) -> SetId {
        if self.bodies.names.text(name) != "__subclasses__" {
            return SetId::EMPTY;
        }
        let receivers = self.concrete(receivers);
        let mut classes = SetId::EMPTY;
        for at in self.sets.range(receivers) {
            if let Value::Class(class) = values::parts(self.sets.at(at)).0 {
                let derived = self.read(questions::subclasses(class));
                classes = self.sets.union(classes, derived);
            }
        }
        if classes == SetId::EMPTY || classes == SetId::TOP {
            return SetId::EMPTY;
        }
        self.container_made(classes, place, false)
    }

    // --- instances, methods, fields ----------------------------------------------------------------------------------

    /// `object.__new__(cls)`.
    pub(crate) fn new_of(&mut self, classes: SetId, arguments: &Arguments) -> SetId {
        if let Some(class) = self.look.enclosing_class(self.entity) {
            self.fill_tuple(class, arguments.positional.get(1..).unwrap_or_default());
        }
        let entries = self.sets.entries(classes).iter().filter_map(|&entry| match values::parts(entry) {
            (Value::Class(class), basis) => Some(values::entry(Value::Instance(class), basis.max(Basis::Constructed))),
            (Value::Parameter(function, lambda, index), basis) => {
                Some(values::entry(Value::InstanceOfParameter(function, lambda, index), basis))
            }
            _ => None,
        });
        let entries: values::Entries = entries.collect();
        self.sets.of(entries)
    }

    /// Instances of classes; of what a caller passes for a parameter, whatever class that is.
    pub(crate) fn objects_of(&mut self, classes: SetId, basis: Basis) -> SetId {
        let mut passed = values::Entries::new();
        for &entry in self.sets.entries(classes) {
            if let (Value::Parameter(function, lambda, index), own) = values::parts(entry) {
                passed.push(values::entry(Value::InstanceOfParameter(function, lambda, index), own.max(basis)));
            }
        }
        let passed = self.sets.of(passed);
        let known = self.only(classes, |value| !matches!(value, Value::Parameter(..)));
        let known = self.instances(known, basis);
        self.sets.union(known, passed)
    }

    /// `type("Made", (Base,), {})`, `Meta("Made", (Base,), {})` without a name of its own: a class that is known by its bases.
    pub(crate) fn bases_given(&mut self, arguments: &Arguments) -> SetId {
        let &[_, bases, _] = arguments.positional.as_slice() else { return SetId::EMPTY };
        let written = match *self.bodies.list(arguments.written()) {
            [_, bases, _] => self.iterate_literal(bases),
            _ => SetId::EMPTY,
        };
        // Which base a parameter is, or names, each caller knows for itself.
        let bases = if written == SetId::EMPTY { self.elements(bases) } else { written };
        self.only(bases, |value| {
            matches!(value, Value::Class(_) | Value::Parameter(..) | Value::OfPassedText(_, TextRole::Referent, _))
        })
    }

    /// Whether `__new__` gives objects of other classes.
    pub(crate) fn given_instead(&mut self, class: EntityId, given: SetId) -> Instead {
        let (mut has_others, mut has_own) = (false, given == SetId::TOP);
        for at in self.sets.range(given) {
            match values::parts(self.sets.at(at)).0 {
                Value::Instance(other) if !self.look.mro(other).classes.contains(&class) => has_others = true,
                // `return partial(cls, name=name)`
                Value::Class(_) | Value::Function(..) | Value::Bound(..) => has_others = true,
                _ => has_own = true,
            }
        }
        match (has_others, has_own) {
            (false, _) => Instead::Never,
            (true, true) => Instead::Sometimes,
            (true, false) => Instead::Always,
        }
    }

    /// What `__new__` gives in place of an object may make one later: it was handed the class, which has an `__init__`.
    pub(crate) fn left_to_others(&mut self, class: EntityId, place: Place) {
        let Some((_, targets)) = self.look.inherited(class, "__init__", None) else { return };
        for target in targets {
            self.mention(target, Basis::Choice, place, Some(RelationshipKind::References));
        }
    }

    /// Whether an object of the class is one of several.
    pub(crate) fn is_choice(&self, made: SetId, class: EntityId) -> bool {
        let own = values::entry(Value::Instance(class), Basis::Choice);
        self.sets.entries(made).contains(&own)
    }

    /// Whether a decorator can stand before a function, which is then under `__wrapped__`.
    pub(crate) fn is_wrapped(&mut self, function: EntityId) -> bool {
        let place = self.look.signature(function, 0);
        place.is_some_and(|place| place.signature().is_decorated) && !self.is_closure(function)
    }

    /// Whether a function is defined inside another, as wrappers are.
    pub(crate) fn is_closure(&mut self, function: EntityId) -> bool {
        let parent = self.look.with_entity(function, |info, index| {
            let parent = info.interface.entities.get(index as usize)?.parent;
            info.interface.entities.get(parent as usize).map(|head| head.kind)
        });
        parent.is_some_and(EntityKind::is_callable)
    }

    /// `types.MethodType(function, object)`.
    pub(crate) fn method_of(&mut self, arguments: &Arguments) -> SetId {
        let object = arguments.positional.get(1).copied().unwrap_or_default();
        let object = self.concrete(object);
        let classes = self.sets.entries(object).iter().filter_map(|&entry| match values::parts(entry).0 {
            Value::Instance(class) => Some(class),
            _ => None,
        });
        let class = classes.min();
        let entries = self.sets.entries(arguments.first()).iter().map(|&entry| match values::parts(entry) {
            (Value::Function(function, 0), basis) => values::entry(Value::Bound(function, class), basis),
            _ => entry,
        });
        let entries: values::Entries = entries.collect();
        self.sets.of(entries)
    }

    /// `attr.ib(factory=list)`, `field(default_factory=list)`, `attr.ib(type=Item)`: what the field holds.
    pub(crate) fn field_made(&mut self, arguments: &Arguments, place: Place) -> SetId {
        let mut held = SetId::EMPTY;
        for &(name, set) in &arguments.keywords {
            let given = match name {
                name if name == const { hash_name("factory") } || name == const { hash_name("default_factory") } => {
                    self.call_sets(set, &[], place)
                }
                name if name == const { hash_name("default") } => {
                    self.only(set, |value| !matches!(value, Value::External(_) | Value::ExternalInstance(_)))
                }
                name if name == const { hash_name("type") } => self.instances(set, Basis::Annotated),
                _ => SetId::EMPTY,
            };
            held = self.sets.union(held, given);
        }
        let marker = self.builtin_instance("object");
        self.sets.union(held, marker)
    }

    /// A class without `__init__` of its own code (dataclass, attrs, NamedTuple, pydantic): keywords are fields.
    pub(crate) fn fill_fields(&mut self, class: EntityId, basis: Basis, arguments: &Arguments) {
        let bodies = self.bodies;
        for &(name, value) in bodies.keywords(arguments.named()).iter().filter(|(name, _)| *name != NONE) {
            let place = self.place_of(value);
            let Some((_, targets)) = self.look.inherited(class, bodies.names.text(NameId(name)), None) else {
                continue;
            };
            for target in targets {
                if let Target::Entity(field) = target
                    && self.kind(field) == Some(EntityKind::Variable)
                {
                    self.edge(field, RelationshipKind::Writes, basis.max(Basis::SelfMember), place);
                }
            }
        }
        self.fill_tuple(class, &arguments.positional);
        for &(keyword, set) in &arguments.keywords {
            let followed = self.only(set, |value| !matches!(value, Value::External(_) | Value::ExternalInstance(_)));
            self.add(questions::attribute(class, keyword), followed);
        }
    }

    /// `Class[item]`: runs `__class_getitem__`; of an enumeration it is the member of that name.
    pub(crate) fn class_items(&mut self, classes: SetId, index: ExprId, place: Place) -> SetId {
        let mut members = SetId::EMPTY;
        for at in self.sets.range(classes) {
            let entry = self.sets.at(at);
            let (Value::Class(class), basis) = values::parts(entry) else { continue };
            if let Some((_, targets)) = self.look.inherited(class, "__class_getitem__", None) {
                let receiver = self.sets.single(Value::Class(class), basis);
                self.call_members(&targets, receiver, &[], basis, place);
            }
            if self.is_enum(class) {
                let member = match self.bodies.kind(index) {
                    Some(&ExprKind::Text(name)) => {
                        let class = self.sets.of([entry]);
                        self.member_named(class, name, self.place_of(index))
                    }
                    _ => self.sets.single(Value::Instance(class), basis.max(Basis::Constructed)),
                };
                members = self.sets.union(members, member);
            }
        }
        members
    }

    /// Whether an instance among these lacks this ordering, so that another that it has is asked.
    pub(crate) fn has_other_ordering(&mut self, receivers: SetId, name: &str) -> bool {
        let receivers = self.concrete(receivers);
        self.sets.range(receivers).any(|at| match values::parts(self.sets.at(at)).0 {
            Value::Instance(class) => self.look.inherited(class, name, None).is_none(),
            _ => false,
        })
    }

    // --- modules -----------------------------------------------------------------------------------------------------

    /// `importlib.import_module("a.b")`, `import_module(".b", "a")`, `import_module(".b", __package__)`, and of texts that are
    /// computed.
    pub(crate) fn module_named(&mut self, arguments: &Arguments) -> SetId {
        let bodies = self.bodies;
        let &[name, ref rest @ ..] = bodies.list(arguments.written()) else { return SetId::EMPTY };
        let texts = self.texts_computed(name);
        if texts.is_empty() {
            let modules = self.modules_named_by(arguments.first());
            return self.perhaps_other_modules(arguments.first(), modules);
        }
        let package = rest.first().and_then(|&package| bodies.text(package));
        let mut modules = SetId::EMPTY;
        for text in texts {
            let found = self.module_of_text(&text, package);
            modules = self.sets.union(modules, found);
        }
        modules
    }

    fn module_of_text(&mut self, text: &str, package: Option<&str>) -> SetId {
        let name = text.trim_start_matches('.');
        let own = self.look.own.path.clone();
        let level = text.len() - name.len();
        let mut parts: Vec<&str> = Vec::new();
        let mut written_level = u32::try_from(level).unwrap_or(u32::MAX);
        if let Some(package) = package.filter(|_| level > 0) {
            let outer: Vec<&str> = package.split('.').collect();
            let kept = (outer.len() + 1).saturating_sub(level);
            parts.extend(&outer[..kept.min(outer.len())]);
            written_level = 0;
        }
        parts.extend(name.split('.').filter(|part| !part.is_empty()));
        if parts.is_empty() || parent(&own) == own {
            return SetId::EMPTY;
        }
        let targets = self.look.import_targets(&own, written_level, &parts, None, 0);
        self.target_values(&targets, Basis::Text)
    }

    /// `globals()["name"]`, `sys.modules[__name__]`.
    pub(crate) fn global_named(&mut self, container: SetId, index: ExprId, key: SetId, place: Place) -> SetId {
        let modules = self.only(container, |value| matches!(value, Value::Module(_)));
        match self.bodies.kind(index) {
            Some(&ExprKind::Text(name)) if modules != SetId::EMPTY => self.member_named(modules, name, place),
            Some(&ExprKind::Name { name, variable: NONE }) if self.bodies.names.text(name) == "__name__" => {
                if self.is_modules_loaded(container) {
                    return self.sets.single(Value::Module(self.look.own.file), Basis::Scope);
                }
                SetId::EMPTY
            }
            _ if self.is_modules_loaded(container) => self.modules_named_by(key),
            _ => SetId::EMPTY,
        }
    }

    /// Whether a set holds `sys.modules`.
    fn is_modules_loaded(&self, container: SetId) -> bool {
        let loaded = const { known::dotted("sys.modules") };
        let is_loaded = |&entry: &u64| matches!(values::parts(entry).0, Value::External(path) | Value::ExternalInstance(path) if path == loaded);
        self.sets.entries(container).iter().any(is_loaded)
    }

    /// The object whose attributes an expression is the dict of: `x` in `x.__dict__` and `vars(x)`.
    pub(crate) fn object_of_dict(&self, expression: ExprId) -> Option<ExprId> {
        let bodies = self.bodies;
        match *bodies.kind(expression)? {
            ExprKind::Attribute { base, name } if bodies.names.text(name) == "__dict__" => Some(base),
            ExprKind::Call { callee, arguments, .. } => match (bodies.kind(callee), bodies.list(arguments)) {
                (Some(&ExprKind::Name { name, variable: NONE }), &[object]) if bodies.names.text(name) == "vars" => {
                    Some(object)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `globals()`, `locals()`, `vars()`: the names of the module, or of what is being run.
    pub(crate) fn is_namespace(&self, expression: ExprId) -> bool {
        let Some(&ExprKind::Call { callee, arguments, .. }) = self.bodies.kind(expression) else { return false };
        match self.bodies.kind(callee) {
            Some(&ExprKind::Name { name, variable: NONE }) => {
                let is_one = matches!(self.bodies.names.text(name), "globals" | "locals" | "vars");
                is_one && self.bodies.list(arguments).is_empty()
            }
            _ => false,
        }
    }

    /// The attributes that `x.__dict__["name"]` can be.
    fn attributes_in_dict(&mut self, base: ExprId, index: ExprId) -> SmallVec<[questions::Key; 4]> {
        let (Some(object), Some(&ExprKind::Text(name))) = (self.object_of_dict(base), self.bodies.kind(index)) else {
            return SmallVec::new();
        };
        let objects = self.quiet(|this| this.eval(object));
        let objects = self.concrete(objects);
        let name = self.bodies.names.hash(name);
        let attributes = self.sets.entries(objects).iter().filter_map(|&entry| match values::parts(entry).0 {
            Value::Instance(class) => Some(questions::attribute(class, name)),
            _ => None,
        });
        attributes.collect()
    }

    /// `x.__dict__["name"] = set`: an attribute that is set past `__setattr__`.
    pub(crate) fn store_in_dict(&mut self, base: ExprId, index: ExprId, set: SetId) {
        if self.object_of_dict(base).is_some() {
            self.note_handed_on();
        }
        for attribute in self.attributes_in_dict(base, index) {
            let set = if set == SetId::EMPTY { self.builtin_instance("object") } else { set };
            self.add(attribute, set);
        }
    }

    /// `x.__dict__.update(values, name=value)`: attributes that are set past `__setattr__`, of a dict under names that are not
    /// known.
    pub(crate) fn update_dict(&mut self, dict: ExprId, arguments: &Arguments) {
        let Some(object) = self.object_of_dict(dict) else { return };
        let objects = self.quiet(|this| this.eval(object));
        let objects = self.concrete(objects);
        let given: SmallVec<[SetId; 2]> = arguments.positional.iter().copied().collect();
        for at in self.sets.range(objects) {
            let Value::Instance(class) = values::parts(self.sets.at(at)).0 else { continue };
            let something = self.builtin_instance("object");
            for &(keyword, set) in &arguments.keywords {
                let set = if set == SetId::EMPTY { something } else { set };
                self.add(questions::attribute(class, keyword), set);
            }
            for &mapping in &given {
                let held = self.elements(mapping);
                let held = self.only(held, |value| !matches!(value, Value::Text(_)));
                let held = self.sets.union(held, something);
                self.add(questions::attribute(class, Unnamed::AnyName.encode()), held);
            }
        }
    }

    /// `x.__dict__["name"]`: what an attribute holds.
    pub(crate) fn kept_in_dict(&mut self, base: ExprId, index: ExprId) -> SetId {
        let mut result = SetId::EMPTY;
        for attribute in self.attributes_in_dict(base, index) {
            let kept = self.read(attribute);
            let kept = self.sets.weaken(kept, Basis::Stored);
            result = self.sets.union(result, kept);
        }
        result
    }

    fn member_named(&mut self, modules: SetId, name: NameId, place: Place) -> SetId {
        let (set, heads) = self.attribute(modules, name, place, NONE, None);
        for &(target, basis) in &heads {
            self.mention(target, basis.max(Basis::Text), place, None);
        }
        set
    }
}
