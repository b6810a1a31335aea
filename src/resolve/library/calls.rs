//! Calls of what lies outside the repository, as far as values flow through them.
//!
//! Goes in: the hash of an external name and the arguments. Comes out: what the call gives; callbacks and special
//! methods that it runs are said on the way. What each name does stands in `externals`.

use smallvec::SmallVec;

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, NONE},
    },
    model::{Basis, RelationshipKind, UnresolvedReason},
    resolve::{
        interpret::{
            Interpreter,
            arguments::{Arguments, MethodCall},
        },
        library::known::{self, Known},
        solver::output::Place,
        values::{self, Kinds, PartOfName, SetId, Value},
    },
};

/// Number of arguments of a call that a tuple is spread over.
const MAX_PARTS: usize = 4;

const NAMED_BY_TEXT: &str = "a text that is given here names the attribute";

/// `x.__dict__.get(name)`, `x.__dict__.update(name=value)`
pub(crate) fn dict_call(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>) -> SetId {
    let &MethodCall { callee, method, arguments, place, .. } = call;
    let Some(&ExprKind::Attribute { base, .. }) = interpreter.solver.bodies.kind(callee) else { return SetId::EMPTY };
    match (interpreter.solver.bodies.names.text(method), interpreter.solver.bodies.list(arguments.written).first()) {
        ("get" | "pop" | "__getitem__", Some(&key)) => {
            interpreter.by_rule(NAMED_BY_TEXT, None, |this| this.attribute_in_dict(base, key, arguments.first(), place))
        }
        ("update", _) => {
            interpreter.update_dict(base, arguments);
            SetId::EMPTY
        }
        _ => SetId::EMPTY,
    }
}

/// `x.__getattribute__("name")`, `object.__getattribute__(x, "name")`; outside of hooks, which pass on what they are asked for.
pub(crate) fn asked_by_name(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>) -> SetId {
    let &MethodCall { receivers, method, arguments, place, .. } = call;
    if interpreter.solver.bodies.names.text(method) != "__getattribute__" {
        return SetId::EMPTY;
    }
    let object = Value::External(const { known::dotted("builtins.object") });
    let is_hook = interpreter.solver.is_attribute_hook();
    if interpreter.solver.sets.entries(receivers).iter().any(|&entry| values::parts(entry).0 == object) {
        return if is_hook { SetId::EMPTY } else { interpreter.dynamic_attribute(arguments, place) };
    }
    let names = interpreter.solver.names_at(arguments, 0);
    if names.is_empty() && !is_hook {
        interpreter.solver.unresolved("getattr", place, UnresolvedReason::DynamicName, "", None);
    }
    let mut result = SetId::EMPTY;
    for name in names {
        let set = interpreter.read_attribute(receivers, name, place);
        result = interpreter.solver.sets.union(result, set);
    }
    result
}

/// `patch.object(C, "name")`, `monkeypatch.setattr(module, "name", …)`: an outside call that names an attribute.
pub(crate) fn named_attribute(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>) {
    let &MethodCall { callees: callee, arguments, .. } = call;
    let is_outside = interpreter
        .solver
        .sets
        .entries(callee)
        .iter()
        .all(|&entry| matches!(values::parts(entry).0, Value::External(_) | Value::ExternalInstance(_)));
    let Some(name) = interpreter.solver.bodies.written_name(arguments, 1) else { return };
    if !is_outside {
        return;
    }
    let Some(&expression) = interpreter.solver.bodies.list(arguments.written).get(1) else { return };
    let place = interpreter.solver.bodies.place_of(expression);
    let receivers = interpreter.solver.sets.only(arguments.first(), |value| {
        matches!(value, Value::Module(_) | Value::Class(_) | Value::Instance(_) | Value::Parameter(..))
    });
    let count = interpreter.solver.output.unresolved.len();
    let (_, heads) = interpreter.attribute(receivers, name, place, NONE, None);
    interpreter.solver.output.unresolved.truncate(count);
    for (target, basis) in heads {
        interpreter.solver.mention(target, basis.max(Basis::Text), place, None);
    }
}

/// `patch.multiple(C, name=1)`, `patch.multiple("shop.carts", LIMIT=1)`: keywords that name attributes.
pub(crate) fn patched_members(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>) {
    let &MethodCall { callee, arguments, .. } = call;
    let bodies = interpreter.solver.bodies;
    let Some(&ExprKind::Attribute { base, name }) = bodies.kind(callee) else { return };
    if bodies.names.text(name) != "multiple" || bodies.last_name(base) != Some("patch") {
        return;
    }
    let texts = interpreter.objects_named_by(arguments.first());
    let patched = interpreter.solver.sets.union(arguments.first(), texts);
    let patched = interpreter.solver.sets.only(patched, |value| {
        matches!(value, Value::Module(_) | Value::Class(_) | Value::Instance(_) | Value::Parameter(..))
    });
    for &(name, value) in bodies.keywords(arguments.named()).iter().filter(|(name, _)| *name != NONE) {
        let (place, count) = (interpreter.solver.bodies.place_of(value), interpreter.solver.output.unresolved.len());
        let (_, heads) = interpreter.attribute(patched, NameId(name), place, NONE, None);
        interpreter.solver.output.unresolved.truncate(count);
        for (target, basis) in heads {
            interpreter.solver.mention(target, basis.max(Basis::Text), place, None);
        }
    }
}

impl Interpreter<'_> {
    pub(crate) fn call_external(&mut self, hash: u64, arguments: &Arguments, place: Place) -> SetId {
        let first = arguments.first();
        let callback = self
            .solver
            .bodies
            .list(arguments.written)
            .first()
            .map_or(place, |&argument| self.solver.bodies.place_of(argument));
        let Some(known) = known::known(hash) else {
            let given = self.hand_over(hash, arguments, place);
            let flown = self.library_call(hash, arguments, place);
            let given = self.solver.sets.union(given, flown);
            let object = self.solver.sets.single(Value::ExternalInstance(hash), Basis::Returned);
            return self.solver.sets.union(given, object);
        };
        match known {
            Known::FirstArgument if arguments.positional.is_empty() => {
                self.solver.sets.single(Value::External(hash), Basis::Returned)
            }
            Known::FirstArgument | Known::MadeType => {
                self.hand_over(hash, arguments, place);
                first
            }
            Known::Decorator => {
                let identity = known::dotted("inspect.unwrap");
                self.solver.sets.single(Value::External(identity), Basis::Returned)
            }
            Known::Copy => self.copied(first, "__copy__", place),
            Known::DeepCopy => self.copied(first, "__deepcopy__", place),
            Known::Dump => {
                self.special_first(first, &["__reduce_ex__", "__reduce__", "__getstate__"], place);
                first
            }
            Known::Load => {
                self.special(first, "__setstate__", &[], place);
                first
            }
            Known::Collect => {
                self.call_key(arguments, place);
                if hash == known::dotted("builtins.filter") {
                    let items = arguments.positional.get(1).copied().unwrap_or_default();
                    let elements = self.iterate(items, place, 0);
                    self.call_sets(first, &[elements], callback);
                    if let Some(&written) = self.solver.bodies.list(arguments.written).first() {
                        self.got_by(written, first, elements);
                    }
                    return items;
                }
                self.collected(hash, arguments, place)
            }
            Known::Iterator => self.iterator_of(hash, arguments, place),
            Known::Map => {
                let items = arguments.positional.get(1).copied().unwrap_or_default();
                let elements = self.iterate(items, place, 0);
                let mut mapped = if hash == known::dotted("itertools.starmap") {
                    let parts: Vec<SetId> =
                        (0..MAX_PARTS).map(|part| self.unpacked(elements, NONE, part, MAX_PARTS, place)).collect();
                    self.call_sets(first, &parts, callback)
                } else {
                    self.call_sets(first, &[elements], callback)
                };
                if let Some(&written) = self.solver.bodies.list(arguments.written).first() {
                    let got = self.got_by(written, first, elements);
                    mapped = self.solver.sets.union(mapped, got);
                }
                self.solver.container_made(mapped, place, false)
            }
            Known::Sum => {
                let elements = self.iterate(first, place, 0);
                self.special_first(elements, &["__radd__", "__add__"], place);
                elements
            }
            Known::AnyAll => {
                let elements = self.iterate(first, place, 0);
                self.protocol(elements, &["__bool__", "__len__"], place)
            }
            Known::Reversed => {
                self.special_first(first, &["__reversed__", "__len__"], place);
                let kept =
                    self.solver.sets.only(first, |value| matches!(value, Value::Container(..) | Value::Parameter(..)));
                let given = self.special(first, "__reversed__", &[], place);
                let items = self.items_backwards(first, place);
                let given = self.solver.sets.union(given, items);
                self.solver.sets.union(kept, given)
            }
            Known::MappingOf => self.mapping_made(hash, first, callback, place),
            Known::Holder => self.solver.holder(hash, arguments, place),
            Known::FromKeys => {
                let value = arguments.positional.get(1).copied().unwrap_or_default();
                self.solver.container_made(value, place, true)
            }
            Known::FromIterable => {
                let inner = self.iterate(first, place, 0);
                let elements = self.iterate(inner, place, 0);
                self.solver.container_made(elements, place, false)
            }
            Known::PropertyOf => self.solver.property_of(arguments),
            Known::New => {
                let made = self.solver.new_of(first, arguments);
                self.new_of_own_class(arguments.written(), made)
            }
            Known::TypeCall => self.made_here(),
            Known::ImportModule => self.module_named(arguments),
            Known::Globals => self.solver.sets.single(Value::Module(self.solver.look.own.file), Basis::Scope),
            Known::Reference => self.solver.reference_to(first, place),
            Known::MethodType => self.method_of(arguments),
            Known::EnterContext => self.enter(first, place),
            Known::Field => self.field_made(arguments, place),
            Known::FieldFactory => self.call_sets(first, &[], callback),
            Known::Gather => self.solver.gathered_results(arguments, place),
            Known::Task => {
                let task = self.solver.reference_to(first, place);
                self.solver.sets.union(first, task)
            }
            Known::TypeVar => self.type_variable(hash, arguments),
            Known::NewType => {
                let base = self.solver.bodies.list(arguments.written).get(1).copied().unwrap_or(NONE);
                let declared = self.quiet(|this| this.annotation(base));
                let identity = const { known::dotted("typing.NewType.__call__") };
                let identity = self.solver.sets.single(Value::External(identity), Basis::Returned);
                self.solver.sets.union(declared, identity)
            }
            Known::Generic => self.solver.sets.generic_function(first),
            Known::Enumerate | Known::Zip => self.paired(known, arguments, place),
            Known::Element => {
                self.call_key(arguments, place);
                let elements = self.iterate(first, place, 0);
                let others = arguments
                    .positional
                    .iter()
                    .skip(1)
                    .fold(elements, |set, &other| self.solver.sets.union(set, other));
                if hash != known::dotted("random.choice") {
                    let among =
                        if arguments.positional.len() > 1 { self.solver.sets.union(others, first) } else { others };
                    self.compared(among, arguments, place);
                }
                if arguments.positional.len() > 1 { self.solver.sets.union(others, first) } else { others }
            }
            Known::Next => {
                let given = self.special(first, "__next__", &[], place);
                let given_later = self.special(first, "__anext__", &[], place);
                let given = self.solver.sets.union(given, given_later);
                let iterators = self.concrete(first);
                let others = self.solver.sets.only(iterators, |value| !matches!(value, Value::Instance(_)));
                let elements = self.iterate(others, place, 0);
                let default = arguments.positional.get(1).copied().unwrap_or_default();
                let elements = self.solver.sets.union(elements, default);
                self.solver.sets.union(given, elements)
            }
            Known::Reduce => {
                let items = arguments.positional.get(1).copied().unwrap_or_default();
                let elements = self.iterate(items, place, 0);
                let start = arguments.positional.get(2).copied().unwrap_or_default();
                let before = self.solver.sets.union(elements, start);
                let given = self.call_sets(first, &[before, elements], callback);
                let again = self.call_sets(first, &[given, elements], callback);
                let given = self.solver.sets.union(given, again);
                self.solver.sets.union(given, start)
            }
            Known::Proxy => self.proxy_made(hash, arguments, callback),
            Known::Super => self.solver.make_super(arguments),
            Known::Type if arguments.positional.len() == 3 => {
                let bases = self.bases_given(arguments);
                self.class_made(bases, place);
                bases
            }
            Known::Type => self.type_of(first),
            Known::Getattr => self.by_rule(NAMED_BY_TEXT, None, |this| this.dynamic_attribute(arguments, place)),
            Known::Hasattr => {
                let count = self.solver.output.unresolved.len();
                for name in self.solver.names_at(arguments, 1) {
                    self.by_rule(NAMED_BY_TEXT, None, |this| this.read_attribute(first, name, place));
                }
                self.solver.output.unresolved.truncate(count);
                SetId::EMPTY
            }
            Known::Setattr => {
                let set = arguments.positional.get(2).copied().unwrap_or_default();
                let said = self.solver.output.relationships.len();
                let names = self.solver.names_at(arguments, 1);
                for &name in &names {
                    self.by_rule(NAMED_BY_TEXT, None, |this| this.store_attribute(first, name, set, place, NONE));
                }
                if names.is_empty() {
                    let written = arguments.positional.get(1).copied().unwrap_or_default();
                    let texts = self.solver.sets.texts(written);
                    self.store_by_name(first, texts, set, place);
                }
                if hash != known::dotted("builtins.setattr") {
                    self.solver.note_handed_on();
                    // `object.__setattr__` passes by the class's own.
                    let mut at = 0;
                    self.solver.output.relationships.retain(|edge| {
                        at += 1;
                        at <= said || edge.kind != RelationshipKind::Calls
                    });
                }
                SetId::EMPTY
            }
            Known::Delattr => {
                for name in self.solver.names_at(arguments, 1) {
                    self.by_rule(NAMED_BY_TEXT, None, |this| this.delete_named(first, name, place));
                }
                SetId::EMPTY
            }
            Known::Cast => {
                let declared = self.solver.bodies.list(arguments.written).first().copied().unwrap_or(NONE);
                let declared = self.quiet(|this| this.annotation(declared));
                let value = arguments.positional.get(1).copied().unwrap_or_default();
                self.solver.sets.union(declared, value)
            }
            Known::IsInstance | Known::IsSubclass => {
                let classes = arguments.positional.get(1).copied().unwrap_or_default();
                let classes = self.solver.sets.only(classes, |value| matches!(value, Value::Class(_)));
                let is_instance = known == Known::IsInstance;
                self.special(
                    classes,
                    if is_instance { "__instancecheck__" } else { "__subclasscheck__" },
                    &[first],
                    place,
                );
                self.solver.sets.builtin_instance("bool")
            }
            Known::Length => self.protocol(first, &["__len__"], place),
            Known::Text => {
                self.shown(first, place);
                self.solver.sets.builtin_instance("str")
            }
            Known::Printed => {
                self.hand_over(hash, arguments, place);
                self.shown(first, place);
                for &other in arguments.positional.iter().skip(1) {
                    self.shown(other, place);
                }
                self.solver.sets.builtin_instance("object")
            }
            Known::Representation => {
                self.represented(first, place);
                self.solver.sets.builtin_instance("str")
            }
            Known::Truth => self.protocol(first, &["__bool__", "__len__"], place),
            Known::Integer => self.protocol(first, &["__int__", "__index__"], place),
            Known::Float => self.protocol(first, &["__float__"], place),
            Known::Absolute => self.given_by(first, "__abs__", place),
            Known::Rounded => self.given_by(first, "__round__", place),
            Known::Index => self.protocol(first, &["__index__"], place),
            Known::Formatted => {
                self.formatted(first, place);
                self.solver.sets.builtin_instance("str")
            }
            Known::Hash => {
                for inside in self.contents(first) {
                    self.hashed(inside, place);
                }
                self.protocol(first, &["__hash__"], place)
            }
            Known::UseFixtures => {
                self.named_fixtures(arguments.written);
                SetId::EMPTY
            }
            _ => self.solver.sets.single(Value::ExternalInstance(hash), Basis::Returned),
        }
    }

    /// Objects of the same classes, made as the standard library's `copy` says: by a method of their own, else as if
    /// they were pickled.
    pub(crate) fn copied(&mut self, originals: SetId, own: &str, place: Place) -> SetId {
        self.special_first(originals, &[own, "__reduce_ex__", "__reduce__", "__getstate__"], place);
        self.special_first(originals, &[own, "__setstate__"], place);
        originals
    }

    fn protocol(&mut self, receivers: SetId, names: &[&str], place: Place) -> SetId {
        self.special_first(receivers, names, place);
        self.solver.sets.builtin_instance("object")
    }

    /// What a special method gives, or a number where there is none.
    fn given_by(&mut self, receivers: SetId, name: &str, place: Place) -> SetId {
        let given = self.special(receivers, name, &[], place);
        let object = self.solver.sets.builtin_instance("object");
        self.solver.sets.union(given, object)
    }

    /// What is ordered without a key is compared.
    pub(crate) fn compared(&mut self, elements: SetId, arguments: &Arguments, place: Place) {
        let key = const { crate::facts::hash_name("key") };
        if arguments.keywords.iter().all(|(keyword, _)| *keyword != key) {
            self.special_first(elements, &["__lt__", "__gt__"], place);
        }
    }

    /// `items.sort(key=f)` calls `f` with the elements.
    pub(crate) fn call_key_with(&mut self, containers: SetId, arguments: &Arguments) {
        let key = const { crate::facts::hash_name("key") };
        if let Some((function, written)) = self.solver.bodies.argument(arguments, None, Some(key)) {
            let elements = self.elements(containers);
            self.call_sets(function, &[elements], self.solver.bodies.place_of(written));
            self.got_by(written, function, elements);
        }
    }

    /// `sorted(xs, key=f)` calls `f` with the elements.
    fn call_key(&mut self, arguments: &Arguments, place: Place) {
        let key = const { crate::facts::hash_name("key") };
        if let Some((function, written)) = self.solver.bodies.argument(arguments, None, Some(key)) {
            let elements = self.iterate(arguments.first(), place, 0);
            self.call_sets(function, &[elements], place);
            self.got_by(written, function, elements);
        }
    }

    fn type_of(&mut self, set: SetId) -> SetId {
        let concrete = self.concrete(set);
        let mut entries = values::Entries::new();
        for &entry in self.solver.sets.entries(concrete) {
            if let (Value::Instance(class), basis) = values::parts(entry) {
                entries.push(values::entry(Value::Class(class), basis));
            }
        }
        self.solver.sets.of(entries)
    }

    /// Reads an attribute that a text names.
    pub(crate) fn read_attribute(&mut self, receivers: SetId, name: NameId, place: Place) -> SetId {
        let (set, heads) = self.attribute(receivers, name, place, NONE, None);
        for (target, basis) in heads {
            self.solver.mention(target, basis.max(Basis::Text), place, None);
        }
        set
    }

    /// `getattr(x, "name")`, and `getattr(x, f"prefix_{…}")` for every member with that prefix.
    fn dynamic_attribute(&mut self, arguments: &Arguments, place: Place) -> SetId {
        let default = arguments.positional.get(2).copied().unwrap_or_default();
        let otherwise = self.solver.sets.weaken(default, Basis::Choice);
        let written = self.solver.names_at(arguments, 1);
        let mut found = SetId::EMPTY;
        for &name in &written {
            let count = self.solver.output.unresolved.len();
            let set = self.read_attribute(arguments.first(), name, place);
            if default != SetId::EMPTY || written.len() > 1 {
                self.solver.output.unresolved.truncate(count);
            }
            found = self.solver.sets.union(found, set);
        }
        if !written.is_empty() {
            let name = self.solver.bodies.list(arguments.written)[1];
            if self.solver.bodies.is_of_attribute(name) {
                // A class that derives from this one may name others.
                self.solver.unresolved("getattr", place, UnresolvedReason::DynamicName, "", None);
            }
            return self
                .solver
                .sets
                .union(found, if self.solver.sets.is_nothing_followed(found) { default } else { otherwise });
        }
        let default = otherwise;
        let limited = self.members_limited(arguments, place);
        let names = arguments.positional.get(1).copied().unwrap_or_default();
        let named = self.members_named_by(arguments.first(), names);
        if named != SetId::EMPTY {
            return self.solver.sets.union(named, default);
        }
        let texts = self.solver.sets.entries(names).iter().filter_map(|&entry| match values::parts(entry).0 {
            Value::Text(beginning) => Some(beginning),
            _ => None,
        });
        let beginnings: SmallVec<[PartOfName; 2]> = texts.collect();
        if beginnings.is_empty() && self.solver.forward(names, arguments.first()) {
            return default;
        }
        if beginnings.is_empty() {
            self.solver.unresolved("getattr", place, UnresolvedReason::DynamicName, "", None);
            return self.solver.sets.union(limited, default);
        }
        let set = self.members_begun(arguments.first(), &beginnings, place);
        self.solver.sets.union(set, default)
    }

    /// `vars(x)[name]` and `x.__dict__.get(name)`: an attribute of `x` under a name that is computed.
    pub(crate) fn attribute_in_dict(&mut self, dict: ExprId, key: ExprId, name: SetId, place: Place) -> SetId {
        if self.solver.bodies.is_namespace(dict) && self.solver.names_computed(key).is_empty() {
            self.solver.unresolved("getattr", place, UnresolvedReason::DynamicName, "", None);
        }
        let Some(object) = self.solver.bodies.object_of_dict(dict) else { return SetId::EMPTY };
        if matches!(self.solver.bodies.kind(key), Some(ExprKind::Int(_)) | None) {
            return SetId::EMPTY;
        }
        let objects = self.quiet(|this| this.eval(object));
        let objects = self.concrete(objects);
        let is_known = self.solver.sets.holds(objects, Kinds::INSTANCES.or(Kinds::CLASSES));
        // What lies in the dict of an instance was assigned to it: no method does.
        let objects = self.solver.sets.only(objects, |value| matches!(value, Value::Class(_)));
        let written = self.solver.names_computed(key);
        let mut result = SetId::EMPTY;
        for &name in &written {
            let said = self.solver.output.unresolved.len();
            let found = self.read_attribute(objects, name, place);
            self.solver.output.unresolved.truncate(said);
            result = self.solver.sets.union(result, found);
        }
        if !written.is_empty() {
            return result;
        }
        let texts = self.solver.sets.entries(name).iter().filter_map(|&entry| match values::parts(entry).0 {
            Value::Text(beginning) => Some(beginning),
            _ => None,
        });
        let beginnings: SmallVec<[PartOfName; 2]> = texts.collect();
        if beginnings.is_empty() || !is_known {
            self.solver.unresolved("getattr", place, UnresolvedReason::DynamicName, "", None);
            return SetId::EMPTY;
        }
        self.members_begun(objects, &beginnings, place)
    }
}
