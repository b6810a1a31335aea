//! What stands where in tuples and lists: constant slices, declared tuples, the fields of named tuples.

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, Literal, NONE},
    },
    model::{Basis, EntityId, EntityKind},
    resolve::{
        containers::is_plain,
        engine::{Solver, output::Place},
        interpret::calls::Arguments,
        library::known::{self, Known},
        names::Target,
        questions,
        values::{self, SetId, Value, site::Part, slot::Slot},
    },
};

/// How many elements a slice keeps apart.
const MAX_SLICED: i64 = 8;

impl Solver<'_> {
    /// `items[1:3]` keeps the order of what is written out; any other slice is a list of the same elements.
    pub(crate) fn slice(&mut self, containers: SetId, slice: ExprId, place: Place) -> SetId {
        let Some((start, stop)) = self.bounds(slice) else { return self.view(containers) };
        self.part_of(containers, start, stop, place)
    }

    /// What a star takes that stands after `first` others.
    pub(crate) fn rest_of(&mut self, containers: SetId, first: usize, place: Place) -> SetId {
        let objects = self.concrete(containers);
        let others = self.only(objects, |value| matches!(value, Value::Instance(_) | Value::Generator(..)));
        let elements = if others == SetId::EMPTY { others } else { self.quiet(|this| this.iterate(others, place, 0)) };
        let of_containers = self.part_of(containers, i64::try_from(first).unwrap_or(0), None, place);
        if elements == SetId::EMPTY {
            return of_containers;
        }
        let list = self.container_made(elements, place, false);
        self.sets.union(list, of_containers)
    }

    fn part_of(&mut self, containers: SetId, start: i64, stop: Option<i64>, place: Place) -> SetId {
        let concrete = self.concrete(containers);
        let is_written =
            |&entry: &u64| matches!(values::parts(entry).0, Value::Container(_, site) if site.is_in_order());
        if concrete == SetId::EMPTY || !self.sets.entries(concrete).iter().all(is_written) {
            return self.view(containers);
        }
        let sliced = self.made(place, Part::Other, false);
        for at in self.sets.range(concrete) {
            let (Value::Container(owner, site), _) = values::parts(self.sets.at(at)) else { continue };
            let most = start.saturating_add(MAX_SLICED);
            for index in start..stop.unwrap_or(most).min(most) {
                let element = self.read(questions::element(owner, site, Slot::index(index)));
                self.add_element(sliced, Slot::index(index - start), element);
            }
            let elsewhere = self.read(questions::element(owner, site, Slot::Any));
            self.add_element(sliced, Slot::Any, elsewhere);
        }
        self.sets.single(sliced, Basis::Constructed)
    }

    /// The constant bounds of a slice in steps of one.
    fn bounds(&self, slice: ExprId) -> Option<(i64, Option<i64>)> {
        let bodies = self.bodies;
        let Some(&ExprKind::Slice(parts)) = bodies.kind(slice) else { return None };
        let ([start, stop] | [start, stop, NONE]) = *bodies.list(parts) else { return None };
        let bound = |id: ExprId| match bodies.kind(id) {
            Some(&ExprKind::Int(index)) => Some(Some(index)),
            None => Some(None),
            _ => None,
        };
        Some((bound(start)?.unwrap_or(0), bound(stop)?))
    }

    /// `tuple[A, B]`: a tuple that holds each at its place; none where that is not told apart.
    pub(crate) fn declared_tuple(&mut self, items: &[ExprId], place: Place) -> Option<SetId> {
        let bodies = self.bodies;
        let is_ellipsis = |&item: &ExprId| {
            let kind = bodies.kind(item);
            matches!(kind, Some(ExprKind::Literal(Literal::Ellipsis)))
        };
        if items.len() < 2 || items.iter().any(is_ellipsis) {
            return None;
        }
        let sets: Vec<SetId> = items.iter().map(|&item| self.annotation(item)).collect();
        let tuple = self.made(place, Part::Tuple, false);
        for (index, set) in (0..).zip(sets) {
            self.add_element(tuple, Slot::index(index), set);
            if usize::try_from(index + 1) == Ok(items.len()) {
                self.add_element(tuple, Slot::Last, set);
            }
        }
        Some(self.sets.single(tuple, Basis::Annotated))
    }

    /// `pair[0]` on a named tuple.
    pub(crate) fn tuple_field(&mut self, receivers: SetId, index: ExprId) -> SetId {
        let Some(&ExprKind::Int(index)) = self.bodies.kind(index) else {
            return SetId::EMPTY;
        };
        usize::try_from(index).map_or(SetId::EMPTY, |index| self.field_at(receivers, index))
    }

    /// What the named tuples in a set hold at a place.
    pub(crate) fn field_at(&mut self, receivers: SetId, index: usize) -> SetId {
        let receivers = self.concrete(receivers);
        let mut held = SetId::EMPTY;
        for at in self.sets.range(receivers) {
            let (Value::Instance(class), basis) = values::parts(self.sets.at(at)) else { continue };
            if let Some(tuple) = self.tuple_class(class)
                && let Some(name) = self.field_named(tuple, index)
            {
                let values = self.read(questions::attribute(tuple, name));
                let values = self.sets.weaken(values, basis);
                held = self.sets.union(held, values);
            }
        }
        held
    }

    /// The class among those that a class derives from that declares the fields of a named tuple.
    fn tuple_class(&mut self, class: EntityId) -> Option<EntityId> {
        let is_tuple = |hash: u64| known::known(hash) == Some(Known::NamedTuple);
        let mro = std::sync::Arc::clone(&self.look.mro(class));
        if !mro.externals.iter().any(|&hash| is_tuple(hash)) {
            return None;
        }
        mro.classes.iter().copied().find(|&class| {
            let bases = self.look.bases(class);
            bases.iter().any(|base| matches!(*base, Some(Target::External(hash)) if is_tuple(hash)))
        })
    }

    /// The same, where its fields have no declared types: they hold what is passed.
    fn untyped_tuple(&mut self, class: EntityId) -> Option<EntityId> {
        let untyped = const { known::dotted("collections.namedtuple") };
        if self.look.mro(class).externals.contains(&untyped) { self.tuple_class(class) } else { None }
    }

    /// `Point(1, 2)`, `super().__new__(cls, 1, 2)`: what a named tuple without declared types is made of.
    pub(crate) fn fill_tuple(&mut self, class: EntityId, positional: &[SetId]) {
        let Some(tuple) = self.untyped_tuple(class).filter(|_| !positional.is_empty()) else { return };
        for (index, &set) in positional.iter().enumerate() {
            let Some(name) = self.field_named(tuple, index) else { return };
            let followed = self.only(set, |value| !is_plain(value));
            self.add(questions::attribute(tuple, name), followed);
        }
    }

    /// `point._replace(x=1)` gives another of the class, `Point._make(values)` one of it.
    pub(crate) fn tuple_call(&mut self, receivers: SetId, name: NameId, arguments: &Arguments) -> SetId {
        match self.bodies.names.text(name) {
            "_replace" => {
                let tuples = self.only(receivers, |value| matches!(value, Value::Instance(_)));
                for at in self.sets.range(tuples) {
                    let Value::Instance(class) = values::parts(self.sets.at(at)).0 else { continue };
                    let Some(tuple) = self.untyped_tuple(class) else { continue };
                    for &(keyword, set) in &arguments.keywords {
                        let followed = self.only(set, |value| !is_plain(value));
                        self.add(questions::attribute(tuple, keyword), followed);
                    }
                }
                tuples
            }
            "_make" => self.instances(receivers, Basis::Returned),
            _ => SetId::EMPTY,
        }
    }

    /// The name, hashed, of the variable that a class declares in this place.
    pub(crate) fn field_named(&mut self, class: EntityId, index: usize) -> Option<u64> {
        self.look.with_entity(class, |info, entity| {
            let fields = info
                .interface
                .entities
                .iter()
                .filter(|head| head.parent == entity && head.kind == EntityKind::Variable && head.duplicate == 0);
            fields.map(|head| info.interface.names.hash(head.name)).nth(index)
        })
    }
}
