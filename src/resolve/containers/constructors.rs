//! Containers that calls of the standard library make: `set()`, `list(items)`, `defaultdict(list)`, `zip(a, b)`, queues.
//!
//! Goes in: a call and what it is given. Comes out: a container that is known by the place of the call, as a literal is
//! by its own. What is only handed on stays the container that it was.

use crate::{
    facts::{hash_name, interface::ParameterKind, names::mix},
    model::{Basis, EntityId},
    resolve::{
        engine::{Solver, output::Place},
        interpret::calls::Arguments,
        library::known::{self, Known},
        questions,
        values::{
            self, Kinds, SetId, Value,
            site::{Part, Site},
            slot::Slot,
        },
    },
};

/// Whether a container gives what it holds when it is called: a weak reference, a declared callable.
pub(crate) fn is_reference(site: Site) -> bool {
    matches!(site, Site::Giver { is_entered: false, .. })
}

/// Whether one gives what it holds when it is entered.
pub(crate) fn is_manager(site: Site) -> bool {
    matches!(site, Site::Giver { is_entered: true, .. })
}

/// The container that a call made as one that gives what it holds when it is entered, or called.
pub(crate) fn giver(container: Value, is_entered: bool) -> Value {
    match container {
        Value::Container(owner, Site::Made { hash, .. } | Site::Giver { hash, .. }) => {
            Value::Container(owner, Site::Giver { hash, is_entered })
        }
        other => other,
    }
}

impl Solver<'_> {
    /// The container that the call at a place makes; `part` tells several of one call apart. Other files know it, so the
    /// place is told by the definition before it: lines that come and go elsewhere leave it what it is.
    pub(crate) fn made(&self, (line, column): Place, part: Part, is_dict: bool) -> Value {
        let records = &self.bodies.records;
        let starts = self.starts.get_or_init(|| {
            let mut starts: Vec<(Place, u32)> =
                (0..).zip(records).map(|(index, record)| ((record.line, record.column), index)).collect();
            starts.sort_unstable();
            starts.into()
        });
        let before = starts.partition_point(|(start, _)| *start <= (line, column)).saturating_sub(1);
        let (name, first_line) = starts.get(before).map_or((0, 0), |&(_, index)| {
            let record = &records[index as usize];
            (hash_name(&record.qualified).wrapping_add(u64::from(record.duplicate)), record.line)
        });
        let place = mix(name
            ^ u64::from(line.wrapping_sub(first_line)) << 32
            ^ u64::from(column) << 4
            ^ u64::from(part.encode()));
        let hash = u32::try_from(place >> (u64::BITS - Site::HASH_BITS)).expect("20 bits");
        Value::Container(self.entity, Site::Made { hash, is_dict })
    }

    /// A container made here of these elements.
    pub(crate) fn container_made(&mut self, elements: SetId, place: Place, is_dict: bool) -> SetId {
        let container = self.made(place, Part::Whole, is_dict);
        self.add_element(container, Slot::Any, elements);
        self.sets.single(container, Basis::Constructed)
    }

    /// What an object that a call made holds under a name: `caught.exception`.
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
    pub(crate) fn reference_to(&mut self, object: SetId, place: Place) -> SetId {
        let reference = giver(self.made(place, Part::Whole, false), false);
        self.add_element(reference, Slot::Any, object);
        self.sets.single(reference, Basis::Constructed)
    }

    /// `list(items)`, `set()`, `dict(a=1)`, `chain(a, b)`.
    pub(crate) fn collected(&mut self, hash: u64, arguments: &Arguments, place: Place) -> SetId {
        let is_dict = [const { builtin("dict") }, known::dotted("collections.OrderedDict")].contains(&hash);
        let first = if is_dict { self.mapping_read(arguments.first(), place) } else { arguments.first() };
        if [const { builtin("list") }, const { builtin("tuple") }, const { builtin("sorted") }].contains(&hash) {
            // Room is made for as many.
            self.special(first, "__len__", &[], place);
        }
        let hashed = [const { builtin("set") }, const { builtin("frozenset") }].contains(&hash);
        // The list of a dict holds its keys.
        let concrete = self.concrete(first);
        let is_mapping = |&entry: &u64| matches!(values::parts(entry).0, Value::Container(_, site) if site.is_dict());
        let handed_on = if !is_dict && self.sets.entries(concrete).iter().any(is_mapping) {
            self.only(concrete, |value| !matches!(value, Value::Container(_, site) if site.is_dict()))
        } else {
            first
        };
        let kept = self.only(handed_on, |value| matches!(value, Value::Container(..) | Value::Parameter(..)));
        let mut elements = self.iterate(first, place, 0);
        if hashed {
            self.hashed(elements, place);
        }
        let mut keys = SetId::EMPTY;
        if hash == const { known::dotted("itertools.chain") } {
            for &other in arguments.positional.iter().skip(1) {
                let items = self.iterate(other, place, 0);
                elements = self.sets.union(elements, items);
            }
            return self.container_made(elements, place, false);
        }
        if hash == const { builtin("sorted") } {
            self.compared(elements, arguments, place);
        }
        if is_dict {
            // Pairs of keys and values.
            keys = self.unpacked(elements, crate::facts::bodies::NONE, 0, 2, place);
            elements = self.unpacked(elements, crate::facts::bodies::NONE, 1, 2, place);
        }
        if kept != SetId::EMPTY && (!is_dict || elements == SetId::EMPTY) && arguments.keywords.is_empty() {
            let declared = self.container_of(elements, is_dict);
            return self.sets.union(kept, declared);
        }
        let made = self.container_made(elements, place, is_dict);
        self.add_keys(self.made(place, Part::Whole, is_dict), keys);
        for &(keyword, set) in arguments.keywords.iter().filter(|_| is_dict) {
            self.add_element(self.made(place, Part::Whole, is_dict), Slot::Known(keyword), set);
        }
        let marker = if is_dict { "dict" } else { "list" };
        let marker = self.builtin_instance(marker);
        let made = self.sets.union(made, kept);
        if elements == SetId::EMPTY { self.sets.union(made, marker) } else { made }
    }

    /// `iter(items)`: what `__iter__` gives, which whoever goes through it asks for the next; of others a container of the elements.
    pub(crate) fn iterator_of(&mut self, hash: u64, arguments: &Arguments, place: Place) -> SetId {
        let first = self.concrete(arguments.first());
        if !self.sets.holds(first, Kinds::INSTANCES) {
            return self.collected(hash, arguments, place);
        }
        let name = if hash == const { builtin("iter") } { "__iter__" } else { "__aiter__" };
        let (mut iterators, mut others) = (SetId::EMPTY, values::Entries::new());
        for at in self.sets.range(first) {
            let entry = self.sets.at(at);
            match values::parts(entry) {
                (Value::Instance(class), basis) if self.look.inherited(class, name, None).is_some() => {
                    let given = self.special_among(class, first, name, basis, place);
                    iterators = self.sets.union(iterators, given);
                }
                _ => others.push(entry),
            }
        }
        if others.is_empty() {
            return iterators;
        }
        let mut rest = arguments.after(0);
        if let Some(first) = rest.positional.first_mut() {
            *first = self.sets.of(others);
        }
        let collected = self.collected(hash, &rest, place);
        self.sets.union(iterators, collected)
    }

    /// `zip(a, b)` and `enumerate(a)`: pairs, where anything in them is followed.
    pub(crate) fn paired(&mut self, known: Known, arguments: &Arguments, place: Place) -> SetId {
        let skipped = i64::from(known == Known::Enumerate);
        let pair = self.made(place, Part::Inner, false);
        let mut is_followed = false;
        for (index, &argument) in (skipped..).zip(&arguments.positional) {
            let elements = self.iterate(argument, place, 0);
            is_followed |= elements != SetId::EMPTY;
            self.add_element(pair, Slot::index(index), elements);
        }
        if !is_followed {
            return arguments.first();
        }
        let pair = self.sets.single(pair, Basis::Constructed);
        self.container_made(pair, place, false)
    }

    /// The container that gathers what is passed to `*args` or `**kwargs`.
    pub(crate) fn gathered(function: EntityId, index: u32, kind: ParameterKind) -> Value {
        let is_dict = kind == ParameterKind::Keywords;
        Value::Container(function, Site::Gathered { index, is_dict })
    }

    /// `asyncio.gather(a, b)`: the list of what they give.
    pub(crate) fn gathered_results(&mut self, arguments: &Arguments, place: Place) -> SetId {
        let list = self.made(place, Part::Whole, false);
        for (index, &argument) in (0..).zip(&arguments.positional) {
            self.add_element(list, Slot::index(index), argument);
        }
        self.add_element(list, Slot::Any, arguments.spread);
        self.sets.single(list, Basis::Constructed)
    }

    /// `defaultdict(list)`, `WeakValueDictionary()`: a dict of what a call of its first argument gives.
    pub(crate) fn mapping_made(&mut self, hash: u64, made_by: SetId, callback: Place, place: Place) -> SetId {
        let values = if hash == const { known::dotted("collections.defaultdict") } {
            self.call_sets(made_by, &[], callback)
        } else {
            SetId::EMPTY
        };
        let container = self.container_made(values, place, true);
        let marker = self.sets.single(Value::ExternalInstance(hash), Basis::Returned);
        self.sets.union(container, marker)
    }

    /// `SimpleNamespace(a=1)`, `ContextVar("x", default=y)`, `Queue()`: an object that holds what it is given.
    pub(crate) fn holder(&mut self, hash: u64, arguments: &Arguments, place: Place) -> SetId {
        let container = self.made(place, Part::Whole, true);
        let default = const { hash_name("default") };
        for &(keyword, set) in &arguments.keywords {
            self.add_element(container, if keyword == default { Slot::Any } else { Slot::Known(keyword) }, set);
        }
        let container = self.sets.single(container, Basis::Constructed);
        let marker = self.sets.single(Value::ExternalInstance(hash), Basis::Returned);
        self.sets.union(container, marker)
    }
}

const fn builtin(name: &str) -> u64 {
    known::member(const { known::dotted("builtins") }, hash_name(name))
}
