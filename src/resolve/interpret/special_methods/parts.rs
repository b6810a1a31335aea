//! The objects inside an object which Python shows, compares or hashes with it: elements, keys and fields.

use smallvec::SmallVec;

use crate::{
    facts::hash_name,
    model::{Basis, EntityId, EntityKind, Position},
    resolve::{
        interpret::Interpreter,
        names::{Lookup, Target, mro::Constructor},
        values::{self, Kinds, SetId, Value, questions},
    },
};

/// How deep objects in objects are looked into.
const MAX_NESTING: usize = 2;

/// Methods by which an object says itself what is copied or pickled with it.
const CHOOSES_PARTS: [&str; 4] = ["__deepcopy__", "__reduce_ex__", "__reduce__", "__getstate__"];

/// The attributes of an object that count.
#[derive(Clone, Copy)]
enum Counted {
    /// Those of its class too: a field may have a default.
    All,
    OfInstances,
}

impl Interpreter<'_> {
    /// Runs the first of several special methods that each object inside those of a set has: `repr([item])` runs
    /// `Item.__repr__`.
    pub(crate) fn special_inside(&mut self, set: SetId, names: &[&str], place: Position) {
        for inside in self.parts(set, names) {
            self.special_first(inside, names, place);
        }
    }

    /// The objects inside those of a set, and those inside these. An object of the repository has parts if its method
    /// of these names is made from its fields. A set of objects and containers has none: nobody knows which it is.
    pub(crate) fn parts(&mut self, set: SetId, names: &[&str]) -> SmallVec<[SetId; 4]> {
        let mut parts = SmallVec::new();
        let mut rest = set;
        for _ in 0..MAX_NESTING {
            let has_containers = self.solver.sets.holds(rest, Kinds::CONTAINERS);
            let has_objects = self.solver.sets.holds(rest, Kinds::INSTANCES);
            let found = match (has_containers, has_objects) {
                (true, false) => [self.elements(rest), self.keys_of(rest)],
                (false, true) => [self.fields_shown(rest, names), SetId::EMPTY],
                _ => break,
            };
            parts.extend(found.into_iter().filter(|&set| set != SetId::EMPTY));
            rest = found[0];
        }
        parts
    }

    /// The values of the fields from which the methods of objects are made, where no class writes these methods.
    fn fields_shown(&mut self, objects: SetId, names: &[&str]) -> SetId {
        let mut held = SetId::EMPTY;
        for at in self.solver.sets.range(objects) {
            let Value::Instance(class) = values::parts(self.solver.sets.at(at)).0 else { continue };
            let is_written = names.iter().any(|name| self.solver.look.inherited(class, name, None).is_some());
            if is_written || !self.solver.look.is_made_of_fields(class) {
                continue;
            }
            let fields = self.held_by_attributes(class, Counted::All);
            held = self.solver.sets.union(held, fields);
        }
        held
    }

    /// Whether the objects of a set have an `__eq__` that is made from their fields.
    pub(crate) fn is_compared_by_fields(&mut self, objects: SetId) -> bool {
        self.solver.sets.range(objects).any(|at| match values::parts(self.solver.sets.at(at)).0 {
            Value::Instance(class) => {
                self.solver.look.inherited(class, "__eq__", None).is_none() && self.solver.look.is_made_of_fields(class)
            }
            _ => false,
        })
    }

    /// Runs the methods that order tuples: of the first of their parts that are not equal.
    pub(crate) fn order_parts(&mut self, tuples: SetId, place: Position) {
        if self.solver.sets.holds(tuples, Kinds::CONTAINERS) {
            self.special_inside(tuples, &["__eq__"], place);
            self.special_inside(tuples, &["__lt__", "__gt__"], place);
        }
    }

    /// The objects that are pickled or copied with those of a set: what containers hold, and the attributes of objects
    /// that do not choose them by a method of their own.
    pub(crate) fn copied_along(&mut self, set: SetId) -> SmallVec<[SetId; 4]> {
        let mut reached = SmallVec::new();
        let mut rest = self.expand_parameters(set);
        for _ in 0..MAX_NESTING {
            let (elements, keys) = (self.elements(rest), self.keys_of(rest));
            let mut found = self.solver.sets.union(elements, keys);
            for at in self.solver.sets.range(rest) {
                let Value::Instance(class) = values::parts(self.solver.sets.at(at)).0 else { continue };
                if CHOOSES_PARTS.iter().any(|name| self.solver.look.inherited(class, name, None).is_some()) {
                    continue;
                }
                let held = self.held_by_attributes(class, Counted::OfInstances);
                found = self.solver.sets.union(found, held);
            }
            if found == SetId::EMPTY {
                break;
            }
            reached.push(found);
            rest = found;
        }
        reached
    }

    /// The objects in those attributes of the instances of a class that count.
    fn held_by_attributes(&mut self, class: EntityId, counted: Counted) -> SetId {
        let mro = std::sync::Arc::clone(&self.solver.look.mro(class));
        let mut held = SetId::EMPTY;
        for &above in &mro.classes {
            for name in self.solver.look.names_in(above) {
                let targets = self.solver.look.own_member(above, &name);
                if !targets.iter().any(|&target| self.solver.look.counts(target, counted)) {
                    continue;
                }
                let found = self.solver.read(questions::attribute(above, hash_name(&name)));
                held = self.solver.sets.union(held, found);
            }
        }
        let held = self.solver.sets.only(held, |value| matches!(value, Value::Instance(_) | Value::Container(..)));
        self.solver.sets.weaken(held, Basis::Element)
    }
}

impl Lookup<'_> {
    /// Whether the special methods of a class that nobody writes are made from its fields: of a dataclass, or a named
    /// tuple.
    fn is_made_of_fields(&mut self, class: EntityId) -> bool {
        self.constructor(class, None) == Constructor::Made || self.tuple_class(class).is_some()
    }

    fn counts(&mut self, member: Target, counted: Counted) -> bool {
        match (member, counted) {
            (_, Counted::OfInstances) => self.is_instance_attribute(member),
            (Target::Entity(entity), Counted::All) => self.kind(entity) == Some(EntityKind::Variable),
            _ => false,
        }
    }
}
