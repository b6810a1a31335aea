//! Functions of the standard library as far as values flow through them: `heapq.heappop(heap)`, `itertools.product(a, b)`,
//! `operator.add(a, b)`.
//!
//! Goes in: a call of one, with what it is given. Comes out: what it gives; special methods that it runs are said on the way.
//! Which function does what stands in `rules`.

pub(crate) mod base_classes;
pub(crate) mod builtin_members;
pub(crate) mod calls;
pub(crate) mod known;
pub(crate) mod opaque_results;
pub(crate) mod operator_getters;
pub(crate) mod stdlib_names;
pub(crate) mod string_conversion;

use serde::Deserialize;

use crate::{
    model::Basis,
    resolve::{
        engine::{Solver, output::Place},
        frameworks::rules,
        interpret::calls::Arguments,
        values::{Kinds, SetId, Value, site::Part, slot::Slot},
    },
};

/// `heappop(heap)` gives an element of its first argument.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Flow {
    pub(crate) calls: Vec<String>,
    /// The argument that it takes from; all where none is named.
    pub(crate) from: Option<usize>,
    pub(crate) gives: Option<Taken>,
    /// The argument that it puts into the first one.
    pub(crate) puts: Option<usize>,
    /// It compares the elements.
    #[serde(default)]
    pub(crate) compares: bool,
}

/// What a call gives of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Taken {
    /// An element of them.
    Element,
    /// A list of their elements.
    List,
    /// A list of lists of their elements.
    Lists,
    /// A list of tuples, with an element of each argument in its place.
    Tuples,
    /// A list of pairs, of something and a list of their elements.
    Groups,
    /// One of them.
    Same,
    /// A list of them.
    Single,
}

/// `operator.add(a, b)` runs a special method of its arguments and gives what that gives.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Applies {
    pub(crate) calls: Vec<String>,
    /// The first of these that the first argument has.
    pub(crate) methods: Vec<String>,
    /// The one of the second argument that is asked where the first has none.
    pub(crate) reflected: Option<String>,
    /// Each argument is asked by itself.
    #[serde(default)]
    pub(crate) each: bool,
}

impl Solver<'_> {
    /// What a call of a library function gives of what it is given.
    pub(crate) fn library_call(&mut self, call: u64, arguments: &Arguments, place: Place) -> SetId {
        let mut given = SetId::EMPTY;
        if let Some(flow) = rules().flow(call) {
            given = self.flows_through(flow, arguments, place);
        }
        if let Some(applied) = rules().applies(call) {
            let result = self.applies_methods(applied, arguments, place);
            given = self.sets.union(given, result);
        }
        given
    }

    fn flows_through(&mut self, flow: &Flow, arguments: &Arguments, place: Place) -> SetId {
        if let Some(put) = flow.puts.and_then(|at| arguments.positional.get(at)) {
            let containers = self.concrete(arguments.first());
            for at in self.sets.range(containers) {
                let container = crate::resolve::values::parts(self.sets.at(at)).0;
                self.add_element(container, Slot::Any, *put);
            }
        }
        if flow.compares {
            let from = arguments.positional.get(flow.from.unwrap_or(0)).copied().unwrap_or_default();
            let compared = self.iterate(from, place, 0);
            self.compared(compared, arguments, place);
        }
        let Some(gives) = flow.gives else { return SetId::EMPTY };
        let taken: Vec<SetId> = match flow.from {
            Some(at) => arguments.positional.get(at).copied().into_iter().collect(),
            None => arguments.positional.iter().copied().chain([arguments.spread]).collect(),
        };
        if gives == Taken::Tuples {
            return self.tuples_of(&taken, place);
        }
        let same = taken.iter().fold(SetId::EMPTY, |all, &set| self.sets.union(all, set));
        if matches!(gives, Taken::Same | Taken::Single) {
            return if gives == Taken::Same { same } else { self.container_made(same, place, false) };
        }
        let mut elements = SetId::EMPTY;
        for set in taken {
            let of_this = self.iterate(set, place, 0);
            elements = self.sets.union(elements, of_this);
        }
        if elements == SetId::EMPTY || gives == Taken::Element {
            return elements;
        }
        let list = self.container_made(elements, place, false);
        match gives {
            Taken::List => list,
            Taken::Lists => self.listed_again(Slot::Any, list, place),
            _ => {
                let pair = self.made(place, Part::Inner, false);
                self.add_element(pair, Slot::index(1), list);
                let pair = self.sets.single(pair, Basis::Constructed);
                self.listed_again(Slot::Any, pair, place)
            }
        }
    }

    /// A list of lists that one call makes.
    fn listed_again(&mut self, slot: Slot, inner: SetId, place: Place) -> SetId {
        let outer = self.made(place, Part::Other, false);
        self.add_element(outer, slot, inner);
        self.sets.single(outer, Basis::Constructed)
    }

    fn tuples_of(&mut self, parts: &[SetId], place: Place) -> SetId {
        let tuple = self.made(place, Part::Inner, false);
        let mut is_followed = false;
        for (index, &part) in (0..).zip(parts) {
            let elements = self.iterate(part, place, 0);
            is_followed |= elements != SetId::EMPTY;
            self.add_element(tuple, Slot::index(index), elements);
        }
        if !is_followed {
            return SetId::EMPTY;
        }
        let tuple = self.sets.single(tuple, Basis::Constructed);
        self.container_made(tuple, place, false)
    }

    fn applies_methods(&mut self, applied: &Applies, arguments: &Arguments, place: Place) -> SetId {
        let objects = if applied.each {
            arguments.positional.as_slice()
        } else {
            &arguments.positional[..1.min(arguments.positional.len())]
        };
        let others = if applied.each { &[][..] } else { arguments.positional.get(1..).unwrap_or_default() };
        let mut result = SetId::EMPTY;
        for &object in objects {
            let object = self.concrete(object);
            for method in &applied.methods {
                let given = self.special(object, method, others, place);
                result = self.sets.union(result, given);
                if self.special_methods(object, method).is_some_and(|methods| !methods.is_empty()) {
                    break;
                }
            }
        }
        if let (SetId::EMPTY, Some(reflected), [second, ..]) = (result, &applied.reflected, others) {
            return self.special(*second, reflected, &[arguments.first()], place);
        }
        result
    }

    /// `items[place]` asks the place for its number.
    pub(crate) fn indexed_by(&mut self, containers: SetId, key: SetId, place: Place) {
        let is_list = |value| matches!(value, Value::Container(_, site) if !site.is_dict());
        if self.sets.holds(key, Kinds::INSTANCES.or(Kinds::PARAMETERS))
            && self.sets.holds(containers, Kinds::CONTAINERS)
            && self.only(containers, is_list) != SetId::EMPTY
        {
            self.special(key, "__index__", &[], place);
        }
    }
}
