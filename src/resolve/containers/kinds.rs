//! Kinds of containers: made by constructors (`list()`, `zip()`, queues), dicts by key, tuples by position.

use crate::{
    facts::bodies::{ExprId, ExprKind, Literal, NONE},
    model::{Basis, Position},
    resolve::{
        containers::{MAX_SLICED, builtin, is_plain},
        frameworks::tables::behavior_of,
        interpret::{
            Interpreter,
            calls::arguments::{Arguments, MethodCall},
        },
        library::known::{self, Known},
        values::{
            self, Kinds, SetId, Value, questions,
            site::{Site, SitePart},
            slot::Slot,
        },
    },
};

/// `order.get("line")` on a `TypedDict`.
pub(crate) fn keyed_call(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>) -> SetId {
    let &MethodCall { receivers, method: name, arguments, place, .. } = call;
    match (interpreter.solver.bodies.names.text(name), interpreter.solver.bodies.list(arguments.written()).first()) {
        ("get" | "pop" | "setdefault", Some(&key)) => interpreter.keyed(receivers, key, place),
        _ => SetId::EMPTY,
    }
}

/// `point._replace(x=1)` gives another of the class, `Point._make(values)` one of it.
pub(crate) fn tuple_call(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>) -> SetId {
    let &MethodCall { receivers, method: name, arguments, .. } = call;
    match interpreter.solver.bodies.names.text(name) {
        "_replace" => {
            let tuples = interpreter.solver.sets.only(receivers, |value| matches!(value, Value::Instance(_)));
            for at in interpreter.solver.sets.range(tuples) {
                let Value::Instance(class) = values::parts(interpreter.solver.sets.at(at)).0 else { continue };
                let Some(tuple) = interpreter.solver.look.tuple_class(class) else { continue };
                for &(keyword, set) in &arguments.keywords {
                    let followed = interpreter.solver.sets.only(set, |value| !is_plain(value));
                    interpreter.solver.add(questions::attribute(tuple, keyword), followed);
                }
            }
            tuples
        }
        "_make" => interpreter.instances(receivers, Basis::Returned),
        _ => SetId::EMPTY,
    }
}

impl Interpreter<'_> {
    /// `list(items)`, `set()`, `dict(a=1)`, `chain(a, b)`.
    pub(crate) fn collected(&mut self, hash: u64, arguments: &Arguments, place: Position) -> SetId {
        let is_dict = [const { builtin("dict") }, known::dotted("collections.OrderedDict")].contains(&hash);
        let first = if is_dict { self.mapping_read(arguments.first(), place) } else { arguments.first() };
        if [const { builtin("list") }, const { builtin("tuple") }, const { builtin("sorted") }].contains(&hash) {
            // Room is made for as many.
            self.special(first, "__len__", &[], place);
        }
        let hashed = [const { builtin("set") }, const { builtin("frozenset") }].contains(&hash);
        // The list of a dict holds its keys.
        let concrete = self.expand_parameters(first);
        let is_mapping = |&entry: &u64| matches!(values::parts(entry).0, Value::Container(_, site) if site.is_dict());
        let handed_on = if !is_dict && self.solver.sets.entries(concrete).iter().any(is_mapping) {
            self.solver.sets.only(concrete, |value| !matches!(value, Value::Container(_, site) if site.is_dict()))
        } else {
            first
        };
        let kept =
            self.solver.sets.only(handed_on, |value| matches!(value, Value::Container(..) | Value::Parameter(..)));
        let mut elements = self.iterate(first, place, 0);
        if hashed {
            self.hashed(elements, place);
        }
        let mut keys = SetId::EMPTY;
        if hash == const { known::dotted("itertools.chain") } {
            for &other in arguments.positional.iter().skip(1) {
                let items = self.iterate(other, place, 0);
                elements = self.solver.sets.union(elements, items);
            }
            return self.solver.container_made(elements, place, false);
        }
        if hash == const { builtin("sorted") } {
            self.compared(elements, arguments, place);
        }
        if is_dict {
            // Pairs of keys and values.
            keys = self.unpacked(elements, NONE, 0, 2, place);
            elements = self.unpacked(elements, NONE, 1, 2, place);
            let of_objects = self.values_of_objects(arguments.first());
            elements = self.solver.sets.union(elements, of_objects);
        }
        if kept != SetId::EMPTY && (!is_dict || elements == SetId::EMPTY) && arguments.keywords.is_empty() {
            let declared = self.solver.container_of(elements, is_dict);
            return self.solver.sets.union(kept, declared);
        }
        let made = self.solver.container_made(elements, place, is_dict);
        self.solver.add_keys(self.solver.made(place, SitePart::Whole, is_dict), keys);
        for &(keyword, set) in arguments.keywords.iter().filter(|_| is_dict) {
            self.solver.add_element(self.solver.made(place, SitePart::Whole, is_dict), Slot::Known(keyword), set);
        }
        let marker = if is_dict { "dict" } else { "list" };
        let marker = self.solver.sets.builtin_instance(marker);
        let made = self.solver.sets.union(made, kept);
        if elements == SetId::EMPTY { self.solver.sets.union(made, marker) } else { made }
    }

    /// `iter(items)`: the result of `__iter__`, whose `__next__` runs when it is iterated; for other objects a
    /// container of the elements.
    pub(crate) fn iterator_of(&mut self, hash: u64, arguments: &Arguments, place: Position) -> SetId {
        let first = self.expand_parameters(arguments.first());
        if !self.solver.sets.holds(first, Kinds::INSTANCES) {
            return self.collected(hash, arguments, place);
        }
        let name = if hash == const { builtin("iter") } { "__iter__" } else { "__aiter__" };
        let (mut iterators, mut others) = (SetId::EMPTY, values::Entries::new());
        for at in self.solver.sets.range(first) {
            let entry = self.solver.sets.at(at);
            match values::parts(entry) {
                (Value::Instance(class), basis) if self.solver.look.inherited(class, name, None).is_some() => {
                    let given = self.special_among(class, first, name, basis, place);
                    iterators = self.solver.sets.union(iterators, given);
                }
                _ => others.push(entry),
            }
        }
        if others.is_empty() {
            return iterators;
        }
        let mut rest = arguments.after(0);
        if let Some(first) = rest.positional.first_mut() {
            *first = self.solver.sets.of(others);
        }
        let collected = self.collected(hash, &rest, place);
        self.solver.sets.union(iterators, collected)
    }

    /// `zip(a, b)` and `enumerate(a)`: pairs, where anything in them is followed.
    pub(crate) fn paired(&mut self, known: Known, arguments: &Arguments, place: Position) -> SetId {
        let skipped = i64::from(known == Known::Enumerate);
        let pair = self.solver.made(place, SitePart::Inner, false);
        let mut is_followed = false;
        for (index, &argument) in (skipped..).zip(&arguments.positional) {
            let elements = self.iterate(argument, place, 0);
            is_followed |= elements != SetId::EMPTY;
            self.solver.add_element(pair, Slot::index(index), elements);
        }
        if !is_followed {
            return arguments.first();
        }
        let pair = self.solver.sets.single(pair, Basis::Constructed);
        self.solver.container_made(pair, place, false)
    }

    /// `defaultdict(list)`, `WeakValueDictionary()`: a dict whose values are the results of calling the first argument.
    pub(crate) fn mapping_made(&mut self, hash: u64, made_by: SetId, callback: Position, place: Position) -> SetId {
        let values = if hash == const { known::dotted("collections.defaultdict") } {
            self.call_sets(made_by, &[], callback)
        } else {
            SetId::EMPTY
        };
        let container = self.solver.container_made(values, place, true);
        let marker = self.solver.sets.single(Value::ExternalInstance(hash), Basis::Returned);
        self.solver.sets.union(container, marker)
    }

    /// Runs `__hash__` of an object that goes into a set or is looked up in a dict.
    pub(crate) fn hashed(&mut self, set: SetId, place: Position) {
        self.special(set, "__hash__", &[], place);
    }

    /// The same, where a set or dict is among the receivers.
    pub(crate) fn hashed_by(&mut self, containers: SetId, key: SetId, place: Position) {
        let is_dict = |value| matches!(value, Value::Container(_, site) if site.is_dict());
        let objects = self.solver.sets.only(key, |value| matches!(value, Value::Instance(_) | Value::Parameter(..)));
        if objects != SetId::EMPTY
            && self.solver.sets.entries(containers).iter().any(|&entry| is_dict(values::parts(entry).0))
        {
            self.hashed(objects, place);
        }
    }

    /// The keys of the dicts in a set.
    pub(crate) fn keys_of(&mut self, containers: SetId) -> SetId {
        let containers = self.expand_parameters(containers);
        let mut result = SetId::EMPTY;
        for at in self.solver.sets.range(containers) {
            let Value::Container(owner, site) = values::parts(self.solver.sets.at(at)).0 else { continue };
            let found = match site {
                Site::DeclaredKeys => self.solver.sets.single(Value::Instance(owner), Basis::Annotated),
                Site::Declared { .. } => continue,
                _ if site.is_dict() => self.solver.read(questions::element(owner, site, Slot::Keys)),
                _ => continue,
            };
            let found = self.solver.sets.weaken(found, Basis::Element);
            result = self.solver.sets.union(result, found);
        }
        result
    }

    /// A key and its value, if one of them is followed.
    pub(crate) fn pair_of(&mut self, containers: SetId, place: Position) -> SetId {
        let (keys, values) = (self.keys_of(containers), self.elements(containers));
        if keys == SetId::EMPTY && values == SetId::EMPTY {
            return SetId::EMPTY;
        }
        let pair = self.solver.made(place, SitePart::Pair, false);
        self.solver.add_element(pair, Slot::index(0), keys);
        self.solver.add_element(pair, Slot::index(1), values);
        self.solver.sets.single(pair, Basis::Constructed)
    }

    /// `dict(mapping)` and `**mapping` call `keys` and `__getitem__` of an object that has them. The result holds the
    /// other objects.
    pub(crate) fn mapping_read(&mut self, mappings: SetId, place: Position) -> SetId {
        let mappings = self.expand_parameters(mappings);
        let (mut with, mut without) = (values::Entries::new(), values::Entries::new());
        for at in self.solver.sets.range(mappings) {
            let entry = self.solver.sets.at(at);
            let has_keys = match values::parts(entry) {
                (Value::Instance(class), basis) => {
                    let is_own = self.solver.look.inherited(class, "keys", None).is_some();
                    is_own || self.keys_of_library(class, basis, place)
                }
                _ => false,
            };
            if has_keys { with.push(entry) } else { without.push(entry) }
        }
        if with.is_empty() {
            return mappings;
        }
        let with = self.solver.sets.of(with);
        self.special(with, "keys", &[], place);
        self.special(with, "__getitem__", &[], place);
        self.solver.sets.of(without)
    }

    /// The type that a `TypedDict` declares for a literal key.
    pub(crate) fn keyed(&mut self, receivers: SetId, key: ExprId, place: Position) -> SetId {
        let Some(&ExprKind::Text(name)) = self.solver.bodies.kind(key) else {
            return SetId::EMPTY;
        };
        let receivers = self.expand_parameters(receivers);
        let mut dicts = values::Entries::new();
        for at in self.solver.sets.range(receivers) {
            let entry = self.solver.sets.at(at);
            let (Value::Instance(class), _) = values::parts(entry) else { continue };
            let mro = self.solver.look.mro(class);
            if mro.externals.iter().any(|&hash| behavior_of(hash) == Some(Known::TypedDict)) {
                dicts.push(entry);
            }
        }
        if dicts.is_empty() {
            return SetId::EMPTY;
        }
        let dicts = self.solver.sets.of(dicts);
        let (set, referents) = self.attribute(dicts, name, place, NONE, None);
        self.solver.emit_references(&referents, place, None);
        set
    }

    /// `items[1:3]` keeps the order of a literal; any other slice is a list of the same elements.
    pub(crate) fn slice(&mut self, containers: SetId, slice: ExprId, place: Position) -> SetId {
        let Some((start, stop)) = self.solver.bodies.bounds(slice) else { return self.view(containers) };
        self.part_of(containers, start, stop, place)
    }

    /// The elements of a starred target that stands after `first` others.
    pub(crate) fn rest_of(&mut self, containers: SetId, first: usize, place: Position) -> SetId {
        let objects = self.expand_parameters(containers);
        let others = self.solver.sets.only(objects, |value| matches!(value, Value::Instance(_) | Value::Generator(..)));
        let elements = if others == SetId::EMPTY { others } else { self.quiet(|this| this.iterate(others, place, 0)) };
        let of_containers = self.part_of(containers, i64::try_from(first).unwrap_or(0), None, place);
        if elements == SetId::EMPTY {
            return of_containers;
        }
        let list = self.solver.container_made(elements, place, false);
        self.solver.sets.union(list, of_containers)
    }

    fn part_of(&mut self, containers: SetId, start: i64, stop: Option<i64>, place: Position) -> SetId {
        let concrete = self.expand_parameters(containers);
        let is_written =
            |&entry: &u64| matches!(values::parts(entry).0, Value::Container(_, site) if site.is_in_order());
        if concrete == SetId::EMPTY || !self.solver.sets.entries(concrete).iter().all(is_written) {
            return self.view(containers);
        }
        let sliced = self.solver.made(place, SitePart::Other, false);
        for at in self.solver.sets.range(concrete) {
            let (Value::Container(owner, site), _) = values::parts(self.solver.sets.at(at)) else { continue };
            let most = start.saturating_add(MAX_SLICED);
            for index in start..stop.unwrap_or(most).min(most) {
                let element = self.solver.read(questions::element(owner, site, Slot::index(index)));
                self.solver.add_element(sliced, Slot::index(index - start), element);
            }
            let elsewhere = self.solver.read(questions::element(owner, site, Slot::Any));
            self.solver.add_element(sliced, Slot::Any, elsewhere);
        }
        self.solver.sets.single(sliced, Basis::Constructed)
    }

    /// `tuple[A, B]`: a tuple with one slot for each item; `None` if it has too many.
    pub(crate) fn declared_tuple(&mut self, items: &[ExprId], place: Position) -> Option<SetId> {
        let bodies = self.solver.bodies;
        let is_ellipsis = |&item: &ExprId| {
            let kind = bodies.kind(item);
            matches!(kind, Some(ExprKind::Literal(Literal::Ellipsis)))
        };
        if items.len() < 2 || items.iter().any(is_ellipsis) {
            return None;
        }
        let sets: Vec<SetId> = items.iter().map(|&item| self.annotation(item)).collect();
        let tuple = self.solver.made(place, SitePart::Tuple, false);
        for (index, set) in (0..).zip(sets) {
            self.solver.add_element(tuple, Slot::index(index), set);
            if usize::try_from(index + 1) == Ok(items.len()) {
                self.solver.add_element(tuple, Slot::Last, set);
            }
        }
        Some(self.solver.sets.single(tuple, Basis::Annotated))
    }

    /// `pair[0]` on a named tuple.
    pub(crate) fn tuple_field(&mut self, receivers: SetId, index: ExprId) -> SetId {
        let Some(&ExprKind::Int(index)) = self.solver.bodies.kind(index) else {
            return SetId::EMPTY;
        };
        usize::try_from(index).map_or(SetId::EMPTY, |index| self.field_at(receivers, index))
    }

    /// The values at one position of the named tuples in a set.
    pub(crate) fn field_at(&mut self, receivers: SetId, index: usize) -> SetId {
        let receivers = self.expand_parameters(receivers);
        let mut held = SetId::EMPTY;
        for at in self.solver.sets.range(receivers) {
            let (Value::Instance(class), basis) = values::parts(self.solver.sets.at(at)) else { continue };
            if let Some(tuple) = self.solver.look.tuple_class(class)
                && let Some(&field) = self.solver.look.fields_in_order(tuple).get(index)
            {
                let values = self.solver.read(questions::attribute(field.owner, field.name));
                let values = self.solver.sets.weaken(values, basis);
                held = self.solver.sets.union(held, values);
            }
        }
        held
    }
}
