//! Iteration, unpacking, subscripts and methods of containers.

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, NONE, Run},
    },
    model::{Basis, EntityId, Position},
    resolve::{
        interpret::{
            Interpreter,
            calls::arguments::{Arguments, MethodCall},
        },
        library::known,
        values::{self, SetId, Value, questions, site::Site, slot::Slot},
    },
};

/// Methods of builtin containers that put in or take out.
pub(crate) fn container_call(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>) -> SetId {
    let &MethodCall { receivers, method: name, arguments, place, .. } = call;
    let receivers = interpreter.expand_parameters(receivers);
    let containers = interpreter.solver.sets.only(receivers, |value| matches!(value, Value::Container(..)));
    let of_instances = interpreter.solver.contents_of_objects(receivers, name);
    let argument = |index: usize| arguments.positional.get(index).copied().unwrap_or_default();
    let containers = if interpreter.solver.bodies.names.text(name) == "setdefault" {
        // The contents of objects have no keys of their own: they are read as a whole, and so written as a whole.
        interpreter.solver.put(of_instances, Slot::Any, argument(1));
        containers
    } else {
        interpreter.solver.sets.union(containers, of_instances)
    };
    if containers == SetId::EMPTY {
        // No container is known, but the object may be of a class that derives from one, or a generator.
        return match interpreter.solver.bodies.names.text(name) {
            method @ ("values" | "items" | "get" | "pop" | "popitem" | "setdefault" | "popleft") => {
                interpreter.derived_container_call(receivers, method, place)
            }
            _ => interpreter.generator_call(receivers, name),
        };
    }
    let written = arguments.first_slot(&interpreter.solver);
    match interpreter.solver.bodies.names.text(name) {
        name @ ("append" | "add" | "appendleft" | "put" | "put_nowait" | "set" | "set_result") => {
            if name == "add" {
                interpreter.hashed(argument(0), place);
            }
            interpreter.solver.put(containers, Slot::Any, argument(0))
        }
        "insert" => interpreter.solver.put(containers, Slot::Any, argument(1)),
        "__init__" => {
            interpreter.put_contents(of_instances, arguments, place);
            SetId::EMPTY
        }
        name @ ("extend" | "update" | "extendleft") => {
            let given = if name == "update" { interpreter.mapping_read(argument(0), place) } else { argument(0) };
            let given = interpreter.expand_parameters(given);
            let instances =
                interpreter.solver.sets.only(given, |value| matches!(value, Value::Instance(_) | Value::Generator(..)));
            let elements = interpreter.elements(given);
            let of_instances = interpreter.iterate(instances, place, 0);
            let elements = interpreter.solver.sets.union(elements, of_instances);
            interpreter.solver.put(containers, Slot::Any, elements);
            for &(keyword, set) in &arguments.keywords {
                interpreter.solver.put(containers, Slot::Known(keyword), set);
            }
            SetId::EMPTY
        }
        "setdefault" => {
            interpreter.solver.put(containers, written, argument(1));
            for at in interpreter.solver.sets.range(containers) {
                let dict = values::parts(interpreter.solver.sets.at(at)).0;
                interpreter.solver.add_keys(dict, argument(0));
            }
            let found = interpreter.element(containers, written);
            interpreter.solver.sets.union(found, argument(1))
        }
        "get_nowait" | "result" | "send" | "asend" => interpreter.elements(containers),
        "index" | "count" | "remove" => {
            // Each of these looks for an equal element, and so runs `__eq__`.
            interpreter.compare_elements(containers, argument(0), place);
            interpreter.queried(containers, name, place)
        }
        "popitem" => interpreter.pair_of(containers, place),
        "get" | "pop" | "popleft" | "__getitem__" => {
            interpreter.hashed_by(containers, argument(0), place);
            // `pop()` takes any element; the first argument of the others is a key, the second a default.
            let slot = if arguments.positional.is_empty() { Slot::Any } else { written };
            let found = interpreter.element(containers, slot);
            interpreter.solver.sets.union(found, argument(1))
        }
        "sort" => {
            interpreter.call_key_with(containers, arguments);
            let elements = interpreter.elements(containers);
            interpreter.compared(elements, arguments, place);
            SetId::EMPTY
        }
        "values" => interpreter.view(containers),
        "items" => {
            let pair = interpreter.pair_of(containers, place);
            let list = if pair == SetId::EMPTY { pair } else { interpreter.solver.container_made(pair, place, false) };
            let given = interpreter.queried(containers, name, place);
            interpreter.solver.sets.union(list, given)
        }
        "copy" | "__iter__" | "keys" | "union" | "intersection" | "difference" => containers,
        _ => interpreter.queried(containers, name, place),
    }
}

/// `", ".join(items)` iterates over the items.
pub(crate) fn joined(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>) {
    let &MethodCall { receivers, method: name, arguments, place, .. } = call;
    if interpreter.solver.bodies.names.text(name) != "join" {
        return;
    }
    let text = known::builtin(const { crate::facts::hash_name("str") });
    let is_text = |&entry: &u64| values::parts(entry).0 == Value::ExternalInstance(text);
    if interpreter.solver.sets.entries(receivers).iter().any(is_text) {
        interpreter.iterate(arguments.first(), place, 0);
    }
}

impl Interpreter<'_> {
    /// `Table(rows)`: an instance of a container's subclass without `__init__` holds the elements of its argument.
    pub(crate) fn fill_container(&mut self, class: EntityId, arguments: &Arguments, place: Position) {
        if let Some(container) = self.solver.look.container_of_instances(class) {
            let container = self.solver.sets.single(container, Basis::Constructed);
            self.put_contents(container, arguments, place);
        }
    }

    /// Puts what the constructor of a container gets into the containers of objects.
    fn put_contents(&mut self, containers: SetId, arguments: &Arguments, place: Position) {
        let given = self.expand_parameters(arguments.first());
        let is_of_dicts = |value: Value| matches!(value, Value::Container(_, site) if site.is_dict());
        let is_dict = self.solver.sets.only(containers, is_of_dicts) != SetId::EMPTY;
        // The values of a dict; pairs are not looked into.
        let read = if is_dict { self.solver.sets.only(given, is_of_dicts) } else { given };
        let mut elements = if is_dict { self.elements(read) } else { self.iterate(read, place, 0) };
        if is_dict {
            let of_objects = self.values_of_objects(given);
            elements = self.solver.sets.union(elements, of_objects);
        }
        self.solver.put(containers, Slot::Any, elements);
        for &(keyword, set) in arguments.keywords.iter().filter(|_| is_dict) {
            self.solver.put(containers, Slot::Known(keyword), set);
        }
    }

    /// The values that instances of subclasses of `dict` hold.
    pub(crate) fn values_of_objects(&mut self, objects: SetId) -> SetId {
        let objects = self.expand_parameters(objects);
        let mut held = SetId::EMPTY;
        for at in self.solver.sets.range(objects) {
            let Value::Instance(class) = values::parts(self.solver.sets.at(at)).0 else { continue };
            let is_dict = self.solver.look.container_of_instances(class);
            if matches!(is_dict, Some(Value::Container(_, site)) if site.is_dict()) {
                let found = self.solver.held_by_instances(class, true);
                held = self.solver.sets.union(held, found);
            }
        }
        held
    }

    pub(crate) fn sequence(&mut self, items: Run, site: u32, place: Position) -> SetId {
        let bodies = self.solver.bodies;
        let container = Value::Container(self.solver.entity, Site::Written { number: site, is_dict: false });
        let last = bodies.list(items).last().copied();
        for (index, &item) in (0..).zip(bodies.list(items)) {
            let set = self.eval(item);
            let outer = self.solver.comes_from(item);
            if index > 0 && Some(item) == last {
                self.solver.add_element(container, Slot::Last, set);
            }
            if item != NONE && matches!(bodies.expressions[item as usize].kind, ExprKind::Starred(_)) {
                let elements = self.iterate(set, place, 0);
                self.solver.add_element(container, Slot::Any, elements);
            } else {
                self.solver.add_element(container, Slot::index(index), set);
            }
            self.solver.comes_from(outer);
        }
        self.solver.sets.single(container, Basis::Constructed)
    }

    pub(crate) fn dictionary(&mut self, items: Run, site: u32) -> SetId {
        let bodies = self.solver.bodies;
        let container = Value::Container(self.solver.entity, Site::Written { number: site, is_dict: true });
        for pair in bodies.list(items).chunks(2) {
            let &[key, value] = pair else { continue };
            let set = self.eval(value);
            if key == NONE {
                let place = self.solver.bodies.place_of(value);
                let set = self.mapping_read(set, place);
                let elements = self.elements(set);
                self.solver.add_element(container, Slot::Any, elements);
                let keys = self.keys_of(set);
                self.solver.add_keys(container, keys);
                continue;
            }
            let slot = self.solver.slot(key);
            let set_of_key = self.eval(key);
            self.hashed(set_of_key, self.solver.bodies.place_of(key));
            self.solver.add_keys(container, set_of_key);
            let outer = self.solver.comes_from(value);
            self.solver.add_element(container, slot, set);
            self.solver.comes_from(outer);
        }
        self.solver.sets.single(container, Basis::Constructed)
    }

    /// The points-to set of one slot in all containers of a set.
    pub(crate) fn element(&mut self, containers: SetId, slot: Slot) -> SetId {
        let containers = self.expand_parameters(containers);
        let mut result = SetId::EMPTY;
        for at in self.solver.sets.range(containers) {
            let entry = self.solver.sets.at(at);
            let (Value::Container(owner, site), _) = values::parts(entry) else { continue };
            let found = match site {
                Site::DeclaredKeys => continue,
                Site::Declared { nesting, .. } => self.solver.declared_element(owner, nesting),
                _ if slot == Slot::Any || slot == Slot::Last && !self.solver.has_last(owner, site) => {
                    self.solver.read(questions::element(owner, site, Slot::All))
                }
                _ => {
                    let exact = self.solver.read(questions::element(owner, site, slot));
                    let any = self.solver.read(questions::element(owner, site, Slot::Any));
                    self.solver.sets.union(exact, any)
                }
            };
            // Too much is in all containers that are passed: those that are known apart tell more.
            if found == SetId::TOP && matches!(site, Site::Passed { .. }) {
                continue;
            }
            let found = self.solver.sets.weaken(found, Basis::Element);
            result = self.solver.sets.union(result, found);
        }
        result
    }

    /// All elements of the containers in a set.
    pub(crate) fn elements(&mut self, containers: SetId) -> SetId {
        self.element(containers, Slot::Any)
    }

    /// The value that `**mapping` passes for one keyword.
    pub(crate) fn mapped(&mut self, mapping: SetId, keyword: u64) -> SetId {
        if mapping == SetId::EMPTY { mapping } else { self.element(mapping, Slot::Known(keyword)) }
    }

    /// The elements that iteration over a set gives.
    pub(crate) fn iterate(&mut self, iterated: SetId, place: Position, depth: u32) -> SetId {
        self.iterate_by(false, iterated, place, depth)
    }

    /// The same for a `for` or an `async for`.
    pub(crate) fn iterate_by(&mut self, is_async: bool, iterated: SetId, place: Position, depth: u32) -> SetId {
        if depth > 3 {
            return SetId::EMPTY;
        }
        let mut result = self.solver.sets.named_texts(iterated);
        let iterated = self.expand_parameters(iterated);
        let iterated = self.solver.with_fitting(iterated, &["__iter__", "__aiter__"]);
        for at in self.solver.sets.range(iterated) {
            let entry = self.solver.sets.at(at);
            let (value, basis) = values::parts(entry);
            let found = match value {
                // `for x in` runs on no weak reference, callable or manager.
                Value::Container(_, Site::Giver { .. }) => SetId::EMPTY,
                Value::Container(_, site) if site.is_dict() => {
                    let one = self.solver.sets.of([entry]);
                    self.keys_of(one)
                }
                Value::Container(..) => {
                    let one = self.solver.sets.of([entry]);
                    self.elements(one)
                }
                Value::Generator(function, lambda) => {
                    let yielded = self.solver.read(questions::yields(function, lambda));
                    self.solver.sets.weaken(yielded, Basis::Returned)
                }
                Value::Class(class) if !self.solver.look.is_enum(class) => match self.solver.look.metaclass(class) {
                    Some(crate::resolve::names::Target::Entity(metaclass)) => {
                        self.iterate_instance(is_async, metaclass, SetId::EMPTY, basis, place, depth)
                    }
                    _ => SetId::EMPTY,
                },
                Value::Class(class) => self.solver.sets.single(Value::Instance(class), basis),
                Value::Instance(class) => self.iterate_instance(is_async, class, iterated, basis, place, depth),
                _ => self.solver.sets.iterate_mark(value, basis),
            };
            result = self.solver.sets.union(result, found);
        }
        result
    }

    fn iterate_instance(
        &mut self,
        is_async: bool,
        class: EntityId,
        among: SetId,
        basis: Basis,
        place: Position,
        depth: u32,
    ) -> SetId {
        let names = ["__iter__", "__aiter__"];
        for name in if is_async { [names[1], names[0]] } else { names } {
            if self.solver.look.inherited(class, name, None).is_none() {
                continue;
            }
            let iterator = self.special_among(class, among, name, basis, place);
            let next = if name == "__iter__" { "__next__" } else { "__anext__" };
            let given = self.special(iterator, next, &[], place);
            let others = self.solver.sets.only(iterator, |value| !matches!(value, Value::Instance(_)));
            let inner = self.iterate(others, place, depth + 1);
            return self.solver.sets.union(given, inner);
        }
        // A base outside the repository is likely to have an iterator of its own.
        if !self.solver.look.mro(class).externals.is_empty() {
            let instance = self.solver.sets.single(Value::Instance(class), basis);
            let derived = self.items_derived_with(instance, false);
            let mixed_in = self.mixed_in(class, "__iter__", basis, &Arguments::default(), place);
            let mixed_in = self.elements(mixed_in);
            return self.solver.sets.union(derived, mixed_in);
        }
        self.special_among(class, among, "__getitem__", basis, place)
    }

    /// The elements of a tuple or list that is written out.
    pub(crate) fn iterate_literal(&mut self, expression: ExprId) -> SetId {
        let bodies = self.solver.bodies;
        let Some(ExprKind::Sequence { items, .. }) = bodies.kind(expression) else {
            return SetId::EMPTY;
        };
        self.quiet(|this| {
            let mut set = SetId::EMPTY;
            for &item in bodies.list(*items) {
                let values = this.eval(item);
                set = this.solver.sets.union(set, values);
            }
            set
        })
    }

    /// Assigns a loop's target; `enumerate`, `zip` and `.items()` give each part its own elements.
    pub(crate) fn assign_element(&mut self, target: ExprId, iterable: ExprId, element: SetId) {
        let bodies = self.solver.bodies;
        let (Some(ExprKind::Sequence { items, .. }), Some(ExprKind::Call { callee, arguments, .. })) =
            (bodies.kind(target), bodies.kind(iterable))
        else {
            self.assign(target, element, NONE);
            return;
        };
        let (items, arguments) = (bodies.list(*items), bodies.list(*arguments));
        match bodies.kind(*callee) {
            Some(ExprKind::Name { name, variable: NONE }) => {
                let text = bodies.names.text(*name);
                // The first item of a pair of `enumerate` is the number.
                let skipped = usize::from(text == "enumerate");
                if text != "enumerate" && text != "zip" {
                    self.assign(target, element, NONE);
                    return;
                }
                for (index, &item) in items.iter().enumerate() {
                    let argument = index.checked_sub(skipped).and_then(|index| arguments.get(index)).copied();
                    if let Some(inner) = argument
                        && matches!(bodies.kind(item), Some(ExprKind::Sequence { .. }))
                        && matches!(bodies.kind(inner), Some(ExprKind::Call { .. }))
                    {
                        let elements = self.quiet(|this| {
                            let set = this.eval(inner);
                            this.iterate(set, (0, 0), 0)
                        });
                        self.assign_element(item, inner, elements);
                        continue;
                    }
                    // The loop has evaluated the call already: a second evaluation for its parts emits nothing.
                    let set = match argument {
                        Some(argument) => self.quiet(|this| {
                            let set = this.eval(argument);
                            this.iterate(set, (0, 0), 0)
                        }),
                        None => SetId::EMPTY,
                    };
                    self.assign(item, set, NONE);
                }
            }
            Some(ExprKind::Attribute { base, name }) if bodies.names.text(*name) == "items" && items.len() == 2 => {
                let container = self.quiet(|this| this.eval(*base));
                let values = self.elements(container);
                let keys = self.keys_of(container);
                self.assign(items[0], keys, NONE);
                let other = self.unpacked(element, NONE, 1, 2, (0, 0));
                let values = self.solver.sets.union(values, other);
                self.assign(items[1], values, NONE);
            }
            _ => self.assign(target, element, NONE),
        }
    }

    /// `first, *rest, last = value`: the targets before the star, the list behind the star, the targets after it.
    pub(crate) fn assign_starred(&mut self, items: &[ExprId], star: usize, set: SetId, value: ExprId, place: Position) {
        let written = self.solver.written_items(value).filter(|written| written.len() + 1 >= items.len());
        let after = items.len() - star - 1;
        for (index, &item) in items.iter().enumerate() {
            let element = match (&written, index == star) {
                (Some(written), true) => self.starred_list(&written[star..written.len() - after], place),
                (None, true) => self.rest_of(set, star, place),
                (Some(written), false) => {
                    let at = if index < star { index } else { written.len() + index - items.len() };
                    let item = written[at];
                    self.quiet(|this| this.eval(item))
                }
                (None, false) if index < star => self.unpacked(set, NONE, index, items.len(), place),
                (None, false) => self.elements(set),
            };
            self.assign(item, element, NONE);
        }
    }

    /// The list that a starred target takes, known by the place of its source.
    pub(crate) fn starred_list(&mut self, items: &[ExprId], (line, _): Position) -> SetId {
        let line = u16::try_from(line & 0xffff).expect("16 bits");
        let container = Value::Container(self.solver.entity, Site::Starred { line });
        for (index, &item) in (0..).zip(items) {
            let set = self.quiet(|this| this.eval(item));
            self.solver.add_element(container, Slot::index(index), set);
        }
        self.solver.sets.single(container, Basis::Constructed)
    }

    /// Lists of the same elements in an order that is not followed: `items[1:]`, `*rest`, `mapping.values()`.
    pub(crate) fn view(&mut self, containers: SetId) -> SetId {
        let containers = self.expand_parameters(containers);
        let mut result = SetId::EMPTY;
        for at in self.solver.sets.range(containers) {
            let (Value::Container(owner, site), basis) = values::parts(self.solver.sets.at(at)) else { continue };
            let listed = match site {
                Site::DeclaredKeys => continue,
                Site::Declared { nesting, .. } => {
                    self.solver.sets.single(Value::Container(owner, Site::Declared { nesting, is_dict: false }), basis)
                }
                _ => {
                    let view = Value::Container(owner, site.view());
                    let elements = self.solver.read(questions::element(owner, site, Slot::All));
                    self.solver.add_element(view, Slot::Any, elements);
                    self.solver.sets.single(view, basis)
                }
            };
            result = self.solver.sets.union(result, listed);
        }
        result
    }

    /// The part of an unpacked value that goes to position `index` of `count`.
    pub(crate) fn unpacked(&mut self, set: SetId, value: ExprId, index: usize, count: usize, place: Position) -> SetId {
        if let Some(items) = self.solver.written_items(value).filter(|items| items.len() == count) {
            return self.quiet(|this| this.eval(items[index]));
        }
        let texts = self.solver.sets.named_texts(set);
        let set = self.expand_parameters(set);
        let slot = Slot::index(i64::try_from(index).unwrap_or(0));
        let from_containers = self.element(set, slot);
        let from_containers = self.solver.sets.union(from_containers, texts);
        let others = self.solver.sets.only(set, |value| !matches!(value, Value::Container(..) | Value::DottedName(_)));
        let iterated = self.iterate(others, place, 1);
        let field = self.field_at(others, index);
        let iterated = self.solver.sets.union(iterated, field);
        self.solver.sets.union(from_containers, iterated)
    }

    pub(crate) fn subscript(&mut self, base: ExprId, index: ExprId, place: Position) -> SetId {
        let container = self.eval(base);
        let slot = self.solver.slot(index);
        let is_type = self
            .solver
            .sets
            .entries(container)
            .iter()
            .any(|&entry| matches!(values::parts(entry).0, Value::Class(_) | Value::External(_)));
        let key = self.eval(index);
        self.hashed_by(container, key, place);
        self.indexed_by(container, key, place);
        let global = self.global_named(container, index, key, place);
        if global != SetId::EMPTY {
            return global;
        }
        let kept = self.solver.kept_under(container, slot.encode());
        if kept != SetId::EMPTY {
            return kept;
        }
        if is_type {
            let joined = self.joined_types(container, index);
            let classes = self.solver.sets.only(container, |value| matches!(value, Value::Class(_)));
            let members = self.class_items(classes, index, place);
            if members != SetId::EMPTY {
                return members;
            }
            let of_metaclass = self.special(classes, "__getitem__", &[key], place);
            if of_metaclass != SetId::EMPTY {
                return of_metaclass;
            }
            let applied = self.classes_applied(classes, index);
            let class_items = self.solver.sets.union(classes, joined);
            let class_items = self.solver.sets.union(class_items, applied);
            if class_items != SetId::EMPTY {
                return class_items;
            }
            return self.solver.sets.only(container, |value| matches!(value, Value::External(_)));
        }
        let is_slice = matches!(self.solver.bodies.kind(index), Some(ExprKind::Slice(_)));
        let found = if is_slice { self.slice(container, index, place) } else { self.element(container, slot) };
        let texts = if is_slice { self.texts_given(container) } else { self.solver.sets.named_texts(container) };
        let found = self.solver.sets.union(found, texts);
        let field = self.tuple_field(container, index);
        let found = self.solver.sets.union(found, field);
        let kept = self.kept_in_dict(base, index);
        let found = self.solver.sets.union(found, kept);
        let member = self.attribute_in_dict(base, index, key, place);
        let found = self.solver.sets.union(found, member);
        let special = self.special(container, "__getitem__", &[key], place);
        let found = self.solver.sets.union(found, special);
        // Most keys are there.
        let asked = self.solver.sets.weaken(container, Basis::Choice);
        let missing = self.special(asked, "__missing__", &[key], place);
        let found = self.solver.sets.union(found, missing);
        let derived =
            if is_slice || special != SetId::EMPTY { SetId::EMPTY } else { self.items_derived_with(container, true) };
        let found = self.solver.sets.union(found, derived);
        let keyed = self.keyed(container, index, place);
        self.solver.sets.union(found, keyed)
    }

    /// The values under a key of objects, by their `__getitem__` or as containers.
    pub(crate) fn item_of(&mut self, objects: SetId, key: ExprId, place: Position) -> SetId {
        let found = self.element(objects, self.solver.slot(key));
        let field = self.tuple_field(objects, key);
        let special = self.special(objects, "__getitem__", &[], place);
        let found = self.solver.sets.union(found, field);
        self.solver.sets.union(found, special)
    }

    pub(crate) fn store_element(&mut self, containers: SetId, slot: Slot, index: SetId, set: SetId, place: Position) {
        let slot = if slot == Slot::Last { Slot::Any } else { slot };
        let concrete = self.expand_parameters(containers);
        self.hashed_by(concrete, index, place);
        for at in self.solver.sets.range(concrete) {
            let entry = self.solver.sets.at(at);
            let value = match values::parts(entry).0 {
                Value::Instance(class) => self.solver.look.container_of_instances(class).unwrap_or(Value::Unknown),
                value => value,
            };
            if let Value::ExternalInstance(object) | Value::External(object) = value {
                self.solver.keep_outside(object, slot.encode(), set);
            }
            self.solver.add_element(value, slot, set);
            self.solver.add_keys(value, index);
        }
        self.special(containers, "__setitem__", &[index, set], place);
    }

    /// `next`-like methods of generators.
    fn generator_call(&mut self, receivers: SetId, name: NameId) -> SetId {
        match self.solver.bodies.names.text(name) {
            "send" | "__next__" | "__anext__" | "asend" => {
                let generators = self.solver.sets.only(receivers, |value| matches!(value, Value::Generator(..)));
                self.iterate(generators, (0, 0), 0)
            }
            _ => SetId::EMPTY,
        }
    }
}
