//! Containers: one abstract object for each place that makes one, with one points-to set for each slot.

pub(crate) mod access;
pub(crate) mod kinds;

use crate::{
    facts::{
        Bodies, NameId,
        bodies::{ExprId, ExprKind, NONE, Operator, Run},
        hash_name,
        interface::ParameterKind,
        names::mix,
    },
    model::{Basis, EntityFlags, EntityId, Position, RelationshipKind},
    resolve::{
        frameworks::tables::behavior_of,
        interpret::calls::arguments::Arguments,
        library::known::{self, Known},
        names::{Lookup, Target},
        solver::Solver,
        values::{
            self, Kinds, SetId, Sets, Value, questions,
            site::{Site, SitePart},
            slot::Slot,
        },
    },
};

/// A field that the constructor fills which a decorator or base writes.
#[derive(Clone, Copy)]
pub(crate) struct ConstructorField {
    /// The class that declares it.
    pub(crate) owner: EntityId,
    /// Hashed.
    pub(crate) name: u64,
    /// Declared to hold numbers or texts alone.
    is_plain: bool,
}

/// Whether a call of a container gives its content: a weak reference, a declared callable.
pub(crate) fn is_reference(site: Site) -> bool {
    matches!(site, Site::Giver { is_entered: false, .. })
}

/// Whether `with` gives the content of a container.
pub(crate) fn is_manager(site: Site) -> bool {
    matches!(site, Site::Giver { is_entered: true, .. })
}

/// The container of a call whose content `with`, or a call, gives.
pub(crate) fn content_holder(container: Value, is_entered: bool) -> Value {
    match container {
        Value::Container(owner, Site::Made { hash, .. } | Site::Giver { hash, .. }) => {
            Value::Container(owner, Site::Giver { hash, is_entered })
        }
        other => other,
    }
}

pub(crate) const fn builtin(name: &str) -> u64 {
    known::member(const { known::dotted("builtins") }, hash_name(name))
}

impl Arguments {
    pub(crate) fn first_slot(&self, solver: &Solver<'_>) -> Slot {
        let first = solver.bodies.list(self.written()).first().copied();
        first.map_or(Slot::Any, |expression| solver.slot(expression))
    }
}

/// The class of whose instances a container was declared to be a list.
pub(crate) fn declared_of(container: Value) -> Option<EntityId> {
    match container {
        Value::Container(class, Site::Declared { nesting: 1, is_dict: false }) => Some(class),
        _ => None,
    }
}

/// Values that are not worth following through containers.
pub(crate) fn is_plain(value: Value) -> bool {
    matches!(value, Value::External(_) | Value::ExternalInstance(_))
}

/// Library classes whose instances hold their arguments, and whether they have keys.
const HOLDERS: [(u64, bool); 9] = [
    (known::dotted("builtins.list"), false),
    (known::dotted("builtins.set"), false),
    (known::dotted("collections.deque"), false),
    (known::dotted("collections.UserList"), false),
    (known::dotted("builtins.dict"), true),
    (known::dotted("collections.OrderedDict"), true),
    (known::dotted("collections.defaultdict"), true),
    (known::dotted("collections.UserDict"), true),
    (known::dotted("weakref.WeakValueDictionary"), true),
];

/// How many elements a slice keeps apart.
pub(crate) const MAX_SLICED: i64 = 8;

impl Solver<'_> {
    /// The container that the call at a place makes; `part` tells several of one call apart. Other files know it, so
    /// the place is counted from the definition before it: edits above that definition do not change it.
    pub(crate) fn made(&self, (line, column): Position, part: SitePart, is_dict: bool) -> Value {
        let records = &self.bodies.records;
        let starts = self.starts.get_or_init(|| {
            let mut starts: Vec<(Position, u32)> =
                (0..).zip(records).map(|(index, record)| ((record.line, record.column), index)).collect();
            starts.sort_unstable();
            starts.into()
        });
        let before = starts.partition_point(|(start, _)| *start <= (line, column)).saturating_sub(1);
        let (name, first_line) = starts.get(before).map_or((0, 0), |&(_, index)| {
            let record = &records[index as usize];
            (hash_name(&record.qualified).wrapping_add(u64::from(record.duplicate)), record.line)
        });
        let place_hash = mix(name
            ^ u64::from(line.wrapping_sub(first_line)) << 32
            ^ u64::from(column) << 4
            ^ u64::from(part.encode()));
        let hash = u32::try_from(place_hash >> (u64::BITS - Site::HASH_BITS)).expect("20 bits");
        Value::Container(self.entity, Site::Made { hash, is_dict })
    }

    /// A container made here of these elements.
    pub(crate) fn container_made(&mut self, elements: SetId, place: Position, is_dict: bool) -> SetId {
        let container = self.made(place, SitePart::Whole, is_dict);
        self.add_element(container, Slot::Any, elements);
        self.sets.single(container, Basis::Constructed)
    }

    /// The content of a container under a name: `caught.exception`.
    pub(crate) fn held_by(&mut self, container: Value, name: u64) -> SetId {
        match container {
            Value::Container(owner, site @ (Site::Made { .. } | Site::Giver { .. })) => {
                let held = self.read(questions::element(owner, site, Slot::Known(name)));
                self.sets.weaken(held, Basis::Element)
            }
            _ => SetId::EMPTY,
        }
    }

    /// `weakref.ref(object)`.
    pub(crate) fn reference_to(&mut self, object: SetId, place: Position) -> SetId {
        let reference = content_holder(self.made(place, SitePart::Whole, false), false);
        self.add_element(reference, Slot::Any, object);
        self.sets.single(reference, Basis::Constructed)
    }

    /// The container of the arguments that `*args` or `**kwargs` collects.
    pub(crate) fn variadic_container(function: EntityId, index: u32, kind: ParameterKind) -> Value {
        let is_dict = kind == ParameterKind::Keywords;
        Value::Container(function, Site::Gathered { index, is_dict })
    }

    /// Adds the elements of the lists and tuples that are passed for a parameter to those of [`Site::Passed`].
    pub(crate) fn pass_elements(&mut self, function: EntityId, index: u32, passed: SetId) {
        if !self.sets.holds(passed, Kinds::CONTAINERS) {
            return;
        }
        let together = Value::Container(function, Site::Passed { index });
        for at in self.sets.range(passed) {
            let container = values::parts(self.sets.at(at)).0;
            if let Value::Container(owner, site) = container
                && container != together
                && !site.is_declared()
                && !site.is_dict()
            {
                let elements = self.read(questions::element(owner, site, Slot::All));
                self.add_element(together, Slot::Any, elements);
            }
        }
    }

    /// `asyncio.gather(a, b)`: the list of the results.
    pub(crate) fn gathered_results(&mut self, arguments: &Arguments, place: Position) -> SetId {
        let list = self.made(place, SitePart::Whole, false);
        for (index, &argument) in (0..).zip(&arguments.positional) {
            self.add_element(list, Slot::index(index), argument);
        }
        self.add_element(list, Slot::Any, arguments.spread);
        self.sets.single(list, Basis::Constructed)
    }

    /// `SimpleNamespace(a=1)`, `ContextVar("x", default=y)`, `Queue()`: an object that holds its arguments.
    pub(crate) fn holder(&mut self, hash: u64, arguments: &Arguments, place: Position) -> SetId {
        let container = self.made(place, SitePart::Whole, true);
        let default = const { hash_name("default") };
        for &(keyword, set) in &arguments.keywords {
            self.add_element(container, if keyword == default { Slot::Any } else { Slot::Known(keyword) }, set);
        }
        let container = self.sets.single(container, Basis::Constructed);
        let marker = self.sets.single(Value::ExternalInstance(hash), Basis::Returned);
        self.sets.union(container, marker)
    }

    /// Adds to the possible keys of a dict.
    pub(crate) fn add_keys(&mut self, container: Value, set: SetId) {
        let Value::Container(owner, site) = container else { return };
        if site.is_declared() || !site.is_dict() || set == SetId::TOP {
            return;
        }
        let set = self.sets.only(set, |value| !is_plain(value) && !matches!(value, Value::Text(_)));
        self.add(questions::element(owner, site, Slot::Keys), set);
    }

    /// `order: Order = {"line": line}`, `return {"line": line}`: the keys of a dict that is declared to be a
    /// `TypedDict`.
    pub(crate) fn keys_written(&mut self, declared: SetId, value: ExprId) {
        let bodies = self.bodies;
        let Some(&ExprKind::Dict { items, .. }) = bodies.kind(value) else { return };
        let declared = self.sets.only(declared, |value| matches!(value, Value::Instance(_)));
        for at in self.sets.range(declared) {
            let Value::Instance(class) = values::parts(self.sets.at(at)).0 else { continue };
            let externals = &self.look.mro(class).externals;
            if !externals.iter().any(|&hash| behavior_of(hash) == Some(Known::TypedDict)) {
                continue;
            }
            for pair in bodies.list(items).chunks(2) {
                let Some(key) = bodies.text(pair[0]) else { continue };
                let Some((_, targets)) = self.look.inherited(class, key, None) else { continue };
                for target in targets {
                    self.emit_reference(
                        target,
                        Basis::Annotated,
                        self.bodies.place_of(pair[0]),
                        Some(RelationshipKind::Writes),
                    );
                }
            }
        }
    }

    /// The same for the arguments of calls.
    pub(crate) fn keys_passed(&mut self, functions: &[EntityId], written: Run) {
        let bodies = self.bodies;
        let is_dict = |&argument: &ExprId| matches!(bodies.kind(argument), Some(ExprKind::Dict { .. }));
        if !bodies.list(written).iter().any(is_dict) {
            return;
        }
        for &function in functions {
            let is_method = self.look.enclosing_class(function).is_some()
                && !self.look.flags(function).has(EntityFlags::STATIC_METHOD);
            for (index, &argument) in (u32::from(is_method)..).zip(bodies.list(written)) {
                if is_dict(&argument) {
                    let declared = self.read(questions::parameter(function, 0, index));
                    self.keys_written(declared, argument);
                }
            }
        }
    }

    /// The containers of a set's objects whose library method `method` adds an element.
    pub(crate) fn contents_of_objects(&mut self, objects: SetId, method: NameId) -> SetId {
        const METHODS: [&str; 11] = [
            "__init__",
            "add",
            "append",
            "appendleft",
            "copy",
            "extend",
            "extendleft",
            "insert",
            "setdefault",
            "sort",
            "update",
        ];
        let method = self.bodies.names.text(method);
        if METHODS.binary_search(&method).is_err() {
            return SetId::EMPTY;
        }
        let mut containers = values::Entries::new();
        for at in self.sets.range(objects) {
            let (object, basis) = values::parts(self.sets.at(at));
            let (class, is_super) = match object {
                Value::Instance(class) => (class, false),
                Value::Super(class, receiver) => (receiver.unwrap_or(class), true),
                _ => continue,
            };
            if let Some(container) = self.look.container_of_instances(class)
                && (is_super || self.look.inherited(class, method, None).is_none())
            {
                containers.push(values::entry(container, basis));
            }
        }
        self.sets.of(containers)
    }

    /// The elements of instances of a class; those of dicts if `of_dicts` says that no keys are wanted.
    pub(crate) fn held_by_instances(&mut self, class: EntityId, of_dicts: bool) -> SetId {
        let Some(Value::Container(_, site)) = self.look.container_of_instances(class) else { return SetId::EMPTY };
        let slot = if !site.is_dict() || of_dicts { Slot::All } else { Slot::Keys };
        let mro = std::sync::Arc::clone(&self.look.mro(class));
        let mut held = SetId::EMPTY;
        for &owner in &mro.classes {
            let found = self.read(questions::element(owner, site, slot));
            held = self.sets.union(held, found);
        }
        self.sets.weaken(held, Basis::Element)
    }

    /// `Point(1, 2)`, `super().__new__(cls, 1, 2)`: the arguments fill the fields of a named tuple or dataclass.
    pub(crate) fn fill_in_order(&mut self, class: EntityId, positional: &[SetId]) {
        if positional.is_empty() {
            return;
        }
        for (field, &set) in self.look.fields_in_order(class).into_iter().zip(positional) {
            if !field.is_plain {
                let followed = self.sets.only(set, |value| !is_plain(value));
                self.add(questions::attribute(field.owner, field.name), followed);
            }
        }
    }
}

impl<'a> Solver<'a> {
    /// The slot of a constant key; [`Slot::Any`] for any other.
    pub(crate) fn slot(&self, key: ExprId) -> Slot {
        match self.bodies.kind(key) {
            Some(ExprKind::Text(name)) => Slot::Known(self.bodies.names.hash(*name)),
            Some(ExprKind::Int(index)) => Slot::index(*index),
            Some(&ExprKind::Unary { operator: Operator::Negative, operand }) if self.is_one(operand) => Slot::Last,
            _ => Slot::Any,
        }
    }

    pub(crate) fn is_one(&self, expression: ExprId) -> bool {
        matches!(self.bodies.kind(expression), Some(ExprKind::Int(1)))
    }

    pub(crate) fn add_element(&mut self, container: Value, slot: Slot, set: SetId) {
        let Value::Container(owner, site) = container else { return };
        if site.is_declared() {
            return;
        }
        let set = if set == SetId::TOP { set } else { self.sets.only(set, |value| !is_plain(value)) };
        self.add(questions::element(owner, site, slot), set);
        self.add(questions::element(owner, site, Slot::All), set);
    }

    /// Whether a list was written out with a last element that is followed.
    pub(crate) fn has_last(&mut self, owner: EntityId, site: Site) -> bool {
        self.read(questions::element(owner, site, Slot::Last)) != SetId::EMPTY
    }

    /// The items of a sequence that is written out without a star.
    pub(crate) fn written_items(&self, value: ExprId) -> Option<&'a [ExprId]> {
        let bodies = self.bodies;
        let Some(ExprKind::Sequence { items, .. }) = bodies.kind(value) else {
            return None;
        };
        let items = bodies.list(*items);
        let is_star = |&item: &ExprId| matches!(bodies.kind(item), Some(ExprKind::Starred(_)));
        (!items.iter().any(is_star)).then_some(items)
    }

    pub(crate) fn put(&mut self, containers: SetId, slot: Slot, set: SetId) -> SetId {
        for at in self.sets.range(containers) {
            let entry = self.sets.at(at);
            let (value, _) = values::parts(entry);
            self.add_element(value, slot, set);
        }
        SetId::EMPTY
    }
}

impl Lookup<'_> {
    /// The container of all instances of a class that derives from one of the library's.
    pub(crate) fn container_of_instances(&mut self, class: EntityId) -> Option<Value> {
        let mro = std::sync::Arc::clone(&self.mro(class));
        let is_dict = mro.externals.iter().find_map(|base| {
            let (_, is_dict) = HOLDERS.iter().find(|(holder, _)| holder == base)?;
            Some(*is_dict)
        })?;
        Some(Value::Container(class, Site::OfInstances { is_dict }))
    }

    /// The class among those that a class derives from that declares the fields of a named tuple.
    pub(crate) fn tuple_class(&mut self, class: EntityId) -> Option<EntityId> {
        let is_tuple = |hash: u64| behavior_of(hash) == Some(Known::NamedTuple);
        let mro = std::sync::Arc::clone(&self.mro(class));
        if !mro.externals.iter().any(|&hash| is_tuple(hash)) {
            return None;
        }
        mro.classes.iter().copied().find(|&class| {
            let bases = self.bases(class);
            bases.iter().any(|base| matches!(*base, Some(Target::External(hash)) if is_tuple(hash)))
        })
    }

    /// The fields that a written constructor fills in order: those of a named tuple, or of a dataclass and its bases.
    pub(crate) fn fields_in_order(&mut self, class: EntityId) -> Vec<ConstructorField> {
        let owners = match self.tuple_class(class) {
            Some(tuple) => vec![tuple],
            None => self.mro(class).classes.iter().rev().copied().collect(),
        };
        let mut fields: Vec<ConstructorField> = Vec::new();
        for field in owners.into_iter().flat_map(|owner| self.fields_declared(owner)) {
            // A field that a derived class declares again keeps its place.
            match fields.iter_mut().find(|other| other.name == field.name) {
                Some(other) => *other = field,
                None => fields.push(field),
            }
        }
        fields
    }

    /// The fields in a class's own body: its variables with types, or all if none has one.
    fn fields_declared(&mut self, owner: EntityId) -> Vec<ConstructorField> {
        if !self.is_own(owner) {
            self.known.questions.insert(questions::class_fields(owner));
        }
        let fields = self.with_entity(owner, |info, entity| {
            let of_body = info.interface.fields(entity);
            let is_typed = of_body.clone().any(|head| head.flags.has(EntityFlags::FIELD));
            let fields = of_body.filter(|head| !is_typed || head.flags.has(EntityFlags::FIELD));
            let fields = fields.map(|head| ConstructorField {
                owner,
                name: info.interface.names.hash(head.name),
                is_plain: head.flags.has(EntityFlags::PLAIN_FIELD),
            });
            Some(fields.collect())
        });
        fields.unwrap_or_default()
    }
}

impl Bodies {
    /// The constant bounds of a slice in steps of one.
    pub(crate) fn bounds(&self, slice: ExprId) -> Option<(i64, Option<i64>)> {
        let bodies = self;
        let Some(&ExprKind::Slice(parts)) = bodies.kind(slice) else { return None };
        let ([start, stop] | [start, stop, NONE]) = *bodies.list(parts) else { return None };
        let bound = |id: ExprId| match bodies.kind(id) {
            Some(&ExprKind::Int(index)) => Some(Some(index)),
            None => Some(None),
            _ => None,
        };
        Some((bound(start)?.unwrap_or(0), bound(stop)?))
    }
}

impl Sets {
    /// Dicts whose keys are the instances in a set.
    pub(crate) fn keyed_by(&mut self, keys: SetId) -> SetId {
        let entries = self.entries(keys).iter().filter_map(|&entry| match values::parts(entry) {
            (Value::Instance(class), basis) => Some(values::entry(Value::Container(class, Site::DeclaredKeys), basis)),
            _ => None,
        });
        let entries: values::Entries = entries.collect();
        self.of(entries)
    }
}
