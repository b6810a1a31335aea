//! Calls of functions outside the repository, as far as values flow through them.
//!
//! A handler for each subject gives the result, and emits the calls of callbacks and special methods. Which function is
//! of which kind stands in `known`.

use smallvec::SmallVec;

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, NONE},
        hash_name,
    },
    model::{Basis, Position, RelationshipKind, UnresolvedReason},
    resolve::{
        frameworks::tables::behavior_of,
        interpret::{
            Interpreter,
            calls::arguments::{Arguments, MethodCall},
        },
        library::{
            functions,
            known::{self, Known},
            string_conversion::{FORMAT, REPR, STR},
        },
        values::{self, Kinds, PartOfName, SetId, Value},
    },
};

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

/// `x.__getattribute__("name")`, `object.__getattribute__(x, "name")`; not in hooks, which pass on the name they are
/// asked for.
pub(crate) fn getattribute_call(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>) -> SetId {
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
        interpreter.solver.emit_unresolved("getattr", place, UnresolvedReason::DynamicName, "", None);
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
    let (_, referents) = interpreter.attribute(receivers, name, place, NONE, None);
    interpreter.solver.output.unresolved.truncate(count);
    for (target, basis) in referents {
        interpreter.solver.emit_reference(target, basis.max(Basis::Text), place, None);
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
        let (_, referents) = interpreter.attribute(patched, NameId(name), place, NONE, None);
        interpreter.solver.output.unresolved.truncate(count);
        for (target, basis) in referents {
            interpreter.solver.emit_reference(target, basis.max(Basis::Text), place, None);
        }
    }
}

/// The methods that pickling asks for the parts of an object; the first that it has is run.
const TAKEN_APART: &[&str] = &["__reduce_ex__", "__reduce__", "__getstate__"];

/// A call of a known external function, as the handlers of the subjects see it.
pub(crate) struct ExternalCall<'a> {
    /// The hash of the function's dotted path, where one kind has several functions.
    pub(crate) hash: u64,
    pub(crate) known: Known,
    pub(crate) arguments: &'a Arguments,
    /// The points-to set of the first argument.
    pub(crate) first: SetId,
    pub(crate) place: Position,
    /// The place of the first argument as it is written, for calls of a callback.
    pub(crate) callback: Position,
}

/// Gives the result of a call if the function is of the handler's subject.
type SubjectHandler = fn(&mut Interpreter<'_>, &ExternalCall<'_>) -> Option<SetId>;

/// One handler for each subject. Each kind of function is of one subject, so the order decides nothing.
const SUBJECTS: &[SubjectHandler] =
    &[passing_on, conversions, types, reflection, functions::iterating, functions::folding, functions::holding];

/// Calls that give their first argument: as it is, copied, or by way of bytes.
fn passing_on(interpreter: &mut Interpreter<'_>, call: &ExternalCall<'_>) -> Option<SetId> {
    let &ExternalCall { hash, known, arguments, first, place, .. } = call;
    Some(match known {
        Known::FirstArgument if arguments.positional.is_empty() => {
            interpreter.solver.sets.single(Value::External(hash), Basis::Returned)
        }
        Known::FirstArgument | Known::MadeType => {
            interpreter.call_callbacks(hash, arguments, place);
            first
        }
        Known::Decorator => {
            let identity = known::dotted("inspect.unwrap");
            interpreter.solver.sets.single(Value::External(identity), Basis::Returned)
        }
        Known::Copy => interpreter.copied(first, "__copy__", place),
        Known::DeepCopy => interpreter.copied(first, "__deepcopy__", place),
        Known::Dump => {
            interpreter.special_first(first, TAKEN_APART, place);
            for inside in interpreter.copied_along(first) {
                interpreter.special_first(inside, TAKEN_APART, place);
            }
            first
        }
        Known::Load => {
            interpreter.special(first, "__setstate__", &[], place);
            for inside in interpreter.copied_along(first) {
                interpreter.special(inside, "__setstate__", &[], place);
            }
            first
        }
        _ => return None,
    })
}

/// Classes, type variables and bound methods that are made or asked for.
fn types(interpreter: &mut Interpreter<'_>, call: &ExternalCall<'_>) -> Option<SetId> {
    let &ExternalCall { hash, known, arguments, first, place, .. } = call;
    Some(match known {
        Known::PropertyOf => interpreter.solver.property_of(arguments),
        Known::New => {
            let made = interpreter.solver.new_of(first, arguments);
            interpreter.new_of_own_class(arguments.written(), made)
        }
        Known::TypeCall => interpreter.own_metaclass_instances(),
        Known::MethodType => interpreter.method_of(arguments),
        Known::TypeVar => interpreter.type_variable(hash, arguments),
        Known::NewType => {
            let base = interpreter.solver.bodies.list(arguments.written).get(1).copied().unwrap_or(NONE);
            let declared = interpreter.quiet(|this| this.annotation(base));
            let identity = const { known::dotted("typing.NewType.__call__") };
            let identity = interpreter.solver.sets.single(Value::External(identity), Basis::Returned);
            interpreter.solver.sets.union(declared, identity)
        }
        Known::Generic => interpreter.solver.sets.generic_function(first),
        Known::Super => interpreter.solver.make_super(arguments),
        Known::Type if arguments.positional.len() == 3 => {
            let bases = interpreter.bases_given(arguments);
            interpreter.run_class_creation(bases, place);
            bases
        }
        Known::Type => interpreter.type_of(first),
        Known::Cast => {
            let declared = interpreter.solver.bodies.list(arguments.written).first().copied().unwrap_or(NONE);
            let declared = interpreter.quiet(|this| this.annotation(declared));
            let value = arguments.at(1);
            interpreter.solver.sets.union(declared, value)
        }
        Known::IsInstance | Known::IsSubclass => {
            let classes = arguments.at(1);
            let classes = interpreter.solver.sets.only(classes, |value| matches!(value, Value::Class(_)));
            let is_instance = known == Known::IsInstance;
            interpreter.special(
                classes,
                if is_instance { "__instancecheck__" } else { "__subclasscheck__" },
                &[first],
                place,
            );
            interpreter.solver.sets.builtin_instance("bool")
        }
        _ => return None,
    })
}

/// Modules and attributes that a text names.
fn reflection(interpreter: &mut Interpreter<'_>, call: &ExternalCall<'_>) -> Option<SetId> {
    let &ExternalCall { hash, known, arguments, first, place, .. } = call;
    Some(match known {
        Known::ImportModule => interpreter.module_named(arguments),
        Known::Globals => interpreter.solver.sets.single(Value::Module(interpreter.solver.look.own.file), Basis::Scope),
        Known::Getattr => interpreter.by_rule(NAMED_BY_TEXT, None, |this| this.dynamic_attribute(arguments, place)),
        Known::Hasattr => {
            let count = interpreter.solver.output.unresolved.len();
            for name in interpreter.solver.names_at(arguments, 1) {
                interpreter.by_rule(NAMED_BY_TEXT, None, |this| this.read_attribute(first, name, place));
            }
            interpreter.solver.output.unresolved.truncate(count);
            SetId::EMPTY
        }
        Known::Setattr => {
            let set = arguments.at(2);
            let emitted = interpreter.solver.output.relationships.len();
            let names = interpreter.solver.names_at(arguments, 1);
            for &name in &names {
                interpreter.by_rule(NAMED_BY_TEXT, None, |this| this.store_attribute(first, name, set, place, NONE));
            }
            if names.is_empty() {
                let written = arguments.at(1);
                let texts = interpreter.solver.sets.texts(written);
                interpreter.store_by_name(first, texts, set, place);
            }
            if hash != known::dotted("builtins.setattr") {
                interpreter.solver.record_setattr_store();
                // `object.__setattr__` does not run the class's own `__setattr__`.
                let mut at = 0;
                interpreter.solver.output.relationships.retain(|edge| {
                    at += 1;
                    at <= emitted || edge.kind != RelationshipKind::Calls
                });
            }
            SetId::EMPTY
        }
        Known::Delattr => {
            for name in interpreter.solver.names_at(arguments, 1) {
                interpreter.by_rule(NAMED_BY_TEXT, None, |this| this.delete_named(first, name, place));
            }
            SetId::EMPTY
        }
        Known::UseFixtures => {
            interpreter.solver.named_fixtures(arguments.written);
            SetId::EMPTY
        }
        _ => return None,
    })
}

/// Conversions to text, numbers and truth: each runs a special method of its argument.
fn conversions(interpreter: &mut Interpreter<'_>, call: &ExternalCall<'_>) -> Option<SetId> {
    let &ExternalCall { hash, known, arguments, first, place, .. } = call;
    Some(match known {
        Known::Length => interpreter.protocol(first, &["__len__"], place),
        Known::Text => {
            interpreter.run_conversion(first, STR, place);
            interpreter.solver.sets.builtin_instance("str")
        }
        Known::Printed => {
            interpreter.call_callbacks(hash, arguments, place);
            interpreter.run_conversion(first, STR, place);
            for &other in arguments.positional.iter().skip(1) {
                interpreter.run_conversion(other, STR, place);
            }
            interpreter.solver.sets.builtin_instance("object")
        }
        Known::Logged => {
            for &value in arguments.positional.iter().skip(1) {
                interpreter.run_conversion(value, STR, place);
            }
            interpreter.solver.sets.builtin_instance("object")
        }
        Known::Representation => {
            interpreter.run_conversion(first, REPR, place);
            interpreter.solver.sets.builtin_instance("str")
        }
        Known::Truth => interpreter.protocol(first, &["__bool__", "__len__"], place),
        Known::Integer => interpreter.protocol(first, &["__int__", "__index__"], place),
        Known::Float => interpreter.protocol(first, &["__float__"], place),
        Known::Absolute => interpreter.number_result(first, "__abs__", place),
        Known::Rounded => interpreter.number_result(first, "__round__", place),
        Known::Index => interpreter.protocol(first, &["__index__"], place),
        Known::Formatted => {
            interpreter.run_conversion(first, FORMAT, place);
            interpreter.solver.sets.builtin_instance("str")
        }
        Known::Hash => {
            interpreter.special_inside(first, &["__hash__"], place);
            interpreter.protocol(first, &["__hash__"], place)
        }
        _ => return None,
    })
}

impl Interpreter<'_> {
    /// The result of a call of an external function, by the hash of its dotted path.
    pub(crate) fn call_external(&mut self, hash: u64, arguments: &Arguments, place: Position) -> SetId {
        let first = arguments.first();
        let Some(known) = behavior_of(hash) else {
            let given = self.call_callbacks(hash, arguments, place);
            let flown = self.library_call(hash, arguments, place);
            let given = self.solver.sets.union(given, flown);
            let object = self.solver.sets.single(Value::ExternalInstance(hash), Basis::Returned);
            return self.solver.sets.union(given, object);
        };
        let written = self.solver.bodies.list(arguments.written).first();
        let callback = written.map_or(place, |&argument| self.solver.bodies.place_of(argument));
        let call = ExternalCall { hash, known, arguments, first, place, callback };
        match SUBJECTS.iter().find_map(|handler| handler(self, &call)) {
            Some(result) => result,
            None => self.solver.sets.single(Value::ExternalInstance(hash), Basis::Returned),
        }
    }

    /// Objects of the same classes, made as the standard library's `copy` documents: by a method of their own, else as
    /// if they were pickled.
    pub(crate) fn copied(&mut self, originals: SetId, own: &str, place: Position) -> SetId {
        let along = if own == "__deepcopy__" { self.copied_along(originals) } else { SmallVec::new() };
        for objects in [originals].into_iter().chain(along) {
            self.special_first(objects, &[own, "__reduce_ex__", "__reduce__", "__getstate__"], place);
            self.special_first(objects, &[own, "__setstate__"], place);
        }
        originals
    }

    pub(crate) fn protocol(&mut self, receivers: SetId, names: &[&str], place: Position) -> SetId {
        self.special_first(receivers, names, place);
        self.solver.sets.builtin_instance("object")
    }

    /// The result of a special method, or a number where there is none.
    pub(crate) fn number_result(&mut self, receivers: SetId, name: &str, place: Position) -> SetId {
        let given = self.special(receivers, name, &[], place);
        let object = self.solver.sets.builtin_instance("object");
        self.solver.sets.union(given, object)
    }

    /// Compares elements that are ordered without a key.
    pub(crate) fn compared(&mut self, elements: SetId, arguments: &Arguments, place: Position) {
        let key = const { hash_name("key") };
        if arguments.keywords.iter().all(|(keyword, _)| *keyword != key) {
            self.special_first(elements, &["__lt__", "__gt__"], place);
            self.order_parts(elements, place);
        }
    }

    /// `items.sort(key=f)` calls `f` with the elements.
    pub(crate) fn call_key_with(&mut self, containers: SetId, arguments: &Arguments) {
        let key = const { hash_name("key") };
        if let Some((function, written)) = self.solver.bodies.argument(arguments, None, Some(key)) {
            let elements = self.elements(containers);
            self.call_sets(function, &[elements], self.solver.bodies.place_of(written));
            self.getter_result(written, function, elements);
        }
    }

    /// `sorted(xs, key=f)` calls `f` with the elements.
    pub(crate) fn call_key(&mut self, arguments: &Arguments, place: Position) {
        let key = const { hash_name("key") };
        if let Some((function, written)) = self.solver.bodies.argument(arguments, None, Some(key)) {
            let elements = self.iterate(arguments.first(), place, 0);
            self.call_sets(function, &[elements], place);
            self.getter_result(written, function, elements);
        }
    }

    fn type_of(&mut self, set: SetId) -> SetId {
        let concrete = self.expand_parameters(set);
        let mut entries = values::Entries::new();
        for &entry in self.solver.sets.entries(concrete) {
            if let (Value::Instance(class), basis) = values::parts(entry) {
                entries.push(values::entry(Value::Class(class), basis));
            }
        }
        self.solver.sets.of(entries)
    }

    /// Reads an attribute that a text names.
    pub(crate) fn read_attribute(&mut self, receivers: SetId, name: NameId, place: Position) -> SetId {
        let (set, referents) = self.attribute(receivers, name, place, NONE, None);
        for (target, basis) in referents {
            self.solver.emit_reference(target, basis.max(Basis::Text), place, None);
        }
        set
    }

    /// `getattr(x, "name")`, and `getattr(x, f"prefix_{…}")` for every member with that prefix.
    fn dynamic_attribute(&mut self, arguments: &Arguments, place: Position) -> SetId {
        let default = arguments.positional.get(2).copied().unwrap_or_default();
        let otherwise = self.solver.sets.weaken(default, Basis::Choice);
        let written = self.solver.names_at(arguments, 1);
        let (mut found, mut without_overrides) = (SetId::EMPTY, SetId::EMPTY);
        for &name in &written {
            let count = self.solver.output.unresolved.len();
            let set = self.read_attribute(arguments.first(), name, place);
            if default != SetId::EMPTY || written.len() > 1 {
                self.solver.output.unresolved.truncate(count);
            }
            found = self.solver.sets.union(found, set);
            let own = self.solver.sets.stronger_than(set, Basis::Dispatched);
            without_overrides = self.solver.sets.union(without_overrides, own);
        }
        if found == SetId::TOP {
            found = without_overrides;
        }
        if !written.is_empty() {
            let name = self.solver.bodies.list(arguments.written)[1];
            if written.len() > 1 && self.solver.bodies.function_of_parameter(name).is_some() {
                // One caller names one of them.
                found = self.solver.sets.weaken(found, Basis::Choice);
            }
            // A class that derives from this one may name others, and so may another file.
            if self.solver.bodies.is_of_attribute(name) || self.solver.is_passed_by_others(name) {
                self.solver.emit_unresolved("getattr", place, UnresolvedReason::DynamicName, "", None);
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
        let mut beginnings: SmallVec<[PartOfName; 2]> = texts.collect();
        if beginnings.is_empty()
            && let Some(&name) = self.solver.bodies.list(arguments.written).get(1)
        {
            beginnings = self.solver.beginnings_computed(name).into();
        }
        if beginnings.is_empty() && self.solver.record_delegation(names, arguments.first()) {
            return default;
        }
        if beginnings.is_empty() {
            self.solver.emit_unresolved("getattr", place, UnresolvedReason::DynamicName, "", None);
            let found = self.solver.sets.union(limited, default);
            let objects = self.expand_parameters(arguments.first());
            // A member of a library is from outside, whatever its name.
            if limited != SetId::EMPTY || self.solver.sets.is_of_libraries(objects) {
                return found;
            }
            let mark = self.solver.sets.anything();
            return self.solver.sets.union(found, mark);
        }
        let set = self.read_members_with_prefix(arguments.first(), &beginnings, place);
        self.solver.sets.union(set, default)
    }

    /// `vars(x)[name]` and `x.__dict__.get(name)`: an attribute of `x` under a name that is computed.
    pub(crate) fn attribute_in_dict(&mut self, dict: ExprId, key: ExprId, name: SetId, place: Position) -> SetId {
        if self.solver.bodies.is_namespace(dict) && self.solver.names_computed(key).is_empty() {
            self.solver.emit_unresolved("getattr", place, UnresolvedReason::DynamicName, "", None);
        }
        let Some(object) = self.solver.bodies.object_of_dict(dict) else { return SetId::EMPTY };
        if matches!(self.solver.bodies.kind(key), Some(ExprKind::Int(_)) | None) {
            return SetId::EMPTY;
        }
        let objects = self.quiet(|this| this.eval(object));
        let objects = self.expand_parameters(objects);
        let is_known = self.solver.sets.holds(objects, Kinds::INSTANCES.or(Kinds::CLASSES));
        // Values in the dict of an instance were assigned to it: methods are not among them.
        let objects = self.solver.sets.only(objects, |value| matches!(value, Value::Class(_)));
        let written = self.solver.names_computed(key);
        let mut result = SetId::EMPTY;
        for &name in &written {
            let emitted = self.solver.output.unresolved.len();
            let found = self.read_attribute(objects, name, place);
            self.solver.output.unresolved.truncate(emitted);
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
            self.solver.emit_unresolved("getattr", place, UnresolvedReason::DynamicName, "", None);
            return SetId::EMPTY;
        }
        self.read_members_with_prefix(objects, &beginnings, place)
    }
}
