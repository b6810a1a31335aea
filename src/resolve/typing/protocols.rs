//! Protocols (PEP 544): an object that is declared as a protocol may be of any class that has the protocol's members.
//!
//! A class fits that has every member of the protocol, with parameters that accept the calls of the protocol. A class
//! with a base from outside may fit, since nobody knows its members. A protocol that every function fits (`__call__`
//! alone) selects nothing.
//!
//! The file of the protocol finds the classes and publishes them as its answer. So each class is examined once, not
//! once per receiver.

use rustc_hash::FxHashMap;

use crate::{
    facts::{
        bodies::{ExprKind, Literal, NONE},
        hash_name,
        interface::{FunctionHead, ParameterKind},
    },
    model::{
        Basis, EntityFlags, EntityId, EntityKind, Position, Relationship, RelationshipKind,
        conventions::{is_mangled, pytest::is_test_path},
    },
    resolve::{
        library::known,
        names::{Lookup, Target, Targets},
        solver::Solver,
        typing::literal_arguments::is_concrete,
        values::{self, Kinds, SetId, Value, questions},
    },
};

const PROTOCOLS: [u64; 2] = [known::dotted("typing.Protocol"), known::dotted("typing_extensions.Protocol")];

/// Bases from outside that have no member which a protocol requires.
const SILENT: [u64; 6] = [
    PROTOCOLS[0],
    PROTOCOLS[1],
    known::dotted("typing.Generic"),
    known::dotted("abc.ABC"),
    known::dotted("builtins.object"),
    known::dotted("enum.Enum"),
];

/// Members of a protocol that it does not require (`typing._get_protocol_attrs`).
const NOT_ASKED: [&str; 8] = [
    "__init__",
    "__new__",
    "__slots__",
    "__subclasshook__",
    "__init_subclass__",
    "__class_getitem__",
    "__match_args__",
    "__doc__",
];

/// Most classes with the protocol's most telling name that are looked at.
const MAX_DEFINERS: usize = 200;

/// Most classes that a protocol stands for. Measured: nineteen projects with traced tests, thirteen of them with
/// protocols; at most fourteen classes fit one.
const MAX_FITTING: usize = 24;

/// A member that a protocol requires.
pub(crate) struct ProtocolMember {
    pub(crate) name: String,
    /// Its definitions in the protocol.
    pub(crate) targets: Targets,
}

impl Lookup<'_> {
    /// Whether a class is a protocol itself: those that derive from one are none.
    pub(crate) fn is_protocol(&mut self, class: EntityId) -> bool {
        self.mro(class).externals.iter().any(|base| PROTOCOLS.contains(base))
            && self
                .bases(class)
                .iter()
                .any(|base| matches!(base, Some(Target::External(base)) if PROTOCOLS.contains(base)))
    }

    /// The classes that define this name in their own body.
    pub(crate) fn definers(&mut self, name: &str) -> Vec<EntityId> {
        self.known.questions.insert(questions::definers(hash_name(name)));
        self.definitions.definers(name)
    }

    /// The members that a class needs to fit a protocol, sorted by name.
    pub(crate) fn members_required(&mut self, protocol: EntityId) -> Vec<ProtocolMember> {
        let mut asked: Vec<ProtocolMember> = Vec::new();
        for class in self.mro(protocol).classes.clone() {
            if !self.is_protocol(class) {
                continue;
            }
            for name in self.names_in(class) {
                // Python mangles such names: no other class can define them.
                let is_private = is_mangled(&name);
                if is_private || NOT_ASKED.contains(&name.as_str()) || asked.iter().any(|known| known.name == name) {
                    continue;
                }
                let mut targets = self.own_member(class, &name);
                targets.retain(|target| !self.is_set_in_methods(*target));
                if !targets.is_empty() {
                    asked.push(ProtocolMember { name, targets });
                }
            }
        }
        asked.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        asked
    }

    pub(crate) fn names_in(&mut self, class: EntityId) -> Vec<String> {
        let Some(place) = self.class_head(class) else { return Vec::new() };
        if place.info.file != self.own.file {
            self.known.questions.insert(questions::class_names(class));
        }
        let names = &place.info.interface.names;
        place.head().members.iter().map(|member| names.text(member.name).to_owned()).collect()
    }

    pub(crate) fn is_set_in_methods(&mut self, target: Target) -> bool {
        matches!(target, Target::Entity(entity) if self.flags(entity).has(EntityFlags::INSTANCE_ATTRIBUTE))
    }
}

/// How many arguments a function needs, and how many it takes.
#[derive(Clone, Copy)]
pub(crate) struct Arity {
    pub(crate) least: usize,
    pub(crate) most: usize,
}

impl Arity {
    pub(crate) fn of(signature: &FunctionHead, skipped: usize) -> Self {
        let is_many = |kind| matches!(kind, ParameterKind::Positionals | ParameterKind::Keywords);
        let written = signature.parameters.iter().skip(skipped);
        let single = written.clone().filter(|parameter| !is_many(parameter.kind));
        let least = single.clone().filter(|parameter| !parameter.has_default).count();
        let most = if written.clone().any(|parameter| is_many(parameter.kind)) { usize::MAX } else { single.count() };
        Arity { least, most }
    }
}

/// Whether some call fits both.
fn takes(own: Arity, wanted: Arity) -> bool {
    own.least <= wanted.most && own.most >= wanted.least
}

impl Solver<'_> {
    /// Finds the classes that fit a protocol of this file. Notes which of their members implement the protocol's.
    pub(crate) fn publish_fitting(&mut self, protocol: EntityId) {
        if !self.look.is_protocol(protocol) {
            return;
        }
        let asked = self.look.members_required(protocol);
        // The member with the rarest name bounds the candidates; the longest plain name is the best guess.
        let telling = |one: &&ProtocolMember| (!one.name.starts_with("__"), one.name.len(), one.name.clone());
        let Some(most_telling) = asked.iter().max_by_key(telling) else { return };
        // Every function fits it, so the protocol selects nothing.
        if most_telling.name == "__call__" {
            return;
        }
        let definers = self.look.definers(&most_telling.name);
        let mut is_open = definers.len() > MAX_DEFINERS;
        let mut fitting: Vec<EntityId> = Vec::new();
        for &definer in definers.iter().filter(|_| definers.len() <= MAX_DEFINERS) {
            let derived = self.read(questions::subclasses(definer));
            is_open |= derived == SetId::TOP;
            for class in std::iter::once(definer).chain(self.subclasses(definer)) {
                match self.fits(class, protocol, &asked) {
                    Some(true) if !fitting.contains(&class) => fitting.push(class),
                    None => is_open = true,
                    _ => {}
                }
            }
        }
        let answer: values::Entries =
            fitting.iter().map(|&class| values::entry(Value::Class(class), Basis::Scope)).collect();
        let mut answer = self.sets.of(answer);
        if is_open {
            // An entry that is no class stands for the unknown others.
            let others = self.sets.builtin_instance("object");
            answer = self.sets.union(answer, others);
        }
        self.add(questions::fitting(protocol), answer);
        let is_small = fitting.len() <= MAX_FITTING;
        for class in fitting.into_iter().filter(|_| is_small) {
            self.emit_implemented(class, &asked);
        }
    }

    fn emit_implemented(&mut self, class: EntityId, asked: &[ProtocolMember]) {
        for ProtocolMember { name, targets } in asked {
            let Some((_, implementing)) = self.look.inherited(class, name, None) else { continue };
            for &target in targets {
                let Some(member) = self.look.own_callable(target) else { continue };
                for &target in &implementing {
                    let Target::Entity(implementing) = target else { continue };
                    if self.look.kind(implementing).is_some_and(EntityKind::is_callable) {
                        let record = &self.bodies.records[member as usize];
                        let place = (record.line, record.column);
                        let (member, kind) = (self.look.own.id(member), RelationshipKind::ImplementedBy);
                        self.emit_from(member, implementing, kind, Basis::Implemented, place);
                    }
                }
            }
        }
    }

    /// The members, under a name that the protocol requires, of the classes that fit it here.
    pub(crate) fn members_of_fitting(&mut self, protocol: EntityId, name: &str) -> Vec<(EntityId, Targets)> {
        if !self.look.requires(protocol, name) {
            return Vec::new();
        }
        let around = self.around();
        let (classes, _) = self.fitting_classes(protocol);
        let members = classes.into_iter().filter_map(|class| {
            let (_, targets) = self.look.inherited(class, name, None)?;
            (!self.look.is_beside(class, &around)).then_some((class, targets))
        });
        let members: Vec<(EntityId, Targets)> = members.collect();
        self.bindings.has_fitting |= !members.is_empty();
        members
    }

    /// The same values, with objects of the classes that fit the protocols among them and have one of these methods.
    pub(crate) fn with_fitting(&mut self, values: SetId, names: &[&str]) -> SetId {
        if !self.sets.holds(values, Kinds::INSTANCES) {
            return values;
        }
        let mut objects = values::Entries::new();
        for at in self.sets.range(values) {
            let (Value::Instance(class), basis) = values::parts(self.sets.at(at)) else { continue };
            // Stronger evidence names the very class, so no other one fits.
            if basis > Basis::Constructed && self.look.is_protocol(class) {
                for name in names {
                    let fitting = self.members_of_fitting(class, name);
                    let object = |(class, _)| values::entry(Value::Instance(class), Basis::Choice);
                    objects.extend(fitting.into_iter().map(object));
                }
            }
        }
        if objects.is_empty() {
            return values;
        }
        let objects = self.sets.of(objects);
        self.sets.union(values, objects)
    }

    /// Weakens the relationships of classes that only fit a protocol found at the same place. In tests
    /// only those of the file itself stay: of 402 in the tests of nine projects .16 were seen.
    pub(crate) fn weigh_fitting(&mut self, relationships: &mut Vec<Relationship>) {
        if !self.bindings.has_fitting {
            return;
        }
        let place = |edge: &Relationship| (edge.source, edge.line, edge.column);
        let mut protocols: FxHashMap<(EntityId, u32, u32), EntityId> = FxHashMap::default();
        for edge in &*relationships {
            if let Some(class) = self.look.enclosing_class(edge.target).filter(|&class| self.look.is_protocol(class)) {
                protocols.insert(place(edge), class);
            }
        }
        for edge in relationships.iter_mut().filter(|edge| edge.basis == Basis::Choice) {
            let Some(&protocol) = protocols.get(&place(edge)) else { continue };
            let class = self.look.enclosing_class(edge.target);
            if class.is_some_and(|class| !self.look.mro(class).classes.contains(&protocol)) {
                edge.basis = Basis::Fitting;
            }
        }
        if is_test_path(&self.look.own.path) {
            relationships.retain(|edge| edge.basis != Basis::Fitting || self.look.is_own(edge.target));
        }
    }

    /// The definitions that the present code stands in, the innermost first.
    fn around(&self) -> Vec<EntityId> {
        let own = &self.look.own;
        let mut around = Vec::new();
        let mut at = self.look.own_place(self.entity);
        while let Some(index) = at.filter(|&index| index != 0) {
            around.push(own.id(index));
            at = own.interface.entities.get(index as usize).map(|head| head.parent);
        }
        around
    }

    /// The classes that fit a protocol, and whether there may be others.
    pub(crate) fn fitting_classes(&mut self, protocol: EntityId) -> (Vec<EntityId>, bool) {
        let set = self.read(questions::fitting(protocol));
        let classes = self.sets.entries(set).iter().filter_map(|&entry| match values::parts(entry).0 {
            Value::Class(class) => Some(class),
            _ => None,
        });
        let mut classes: Vec<EntityId> = classes.collect();
        let is_open = set == SetId::TOP || classes.len() < self.sets.entries(set).len();
        let is_many = classes.len() > MAX_FITTING;
        if is_many {
            classes.clear();
        }
        (classes, is_open || is_many)
    }

    /// Whether a class fits a protocol without deriving from it; `None` where that depends on code outside.
    pub(crate) fn fits(&mut self, class: EntityId, protocol: EntityId, asked: &[ProtocolMember]) -> Option<bool> {
        let mro = self.look.mro(class);
        if mro.classes.contains(&protocol) || self.look.is_protocol(class) {
            return Some(false);
        }
        let mut is_whole = true;
        for one in asked {
            match self.look.inherited(class, &one.name, None) {
                Some((_, targets)) if !self.can_stand_for(&targets, &one.targets) => return Some(false),
                Some(_) => {}
                None => is_whole = false,
            }
        }
        let is_open = mro.is_open || mro.externals.iter().any(|base| !SILENT.contains(base));
        if is_whole || !is_open { Some(is_whole) } else { None }
    }

    /// Whether a method accepts the calls of another one, and both or neither are awaited. Anything but a plain method
    /// may.
    fn can_stand_for(&mut self, targets: &Targets, wanted: &Targets) -> bool {
        let (&[Target::Entity(own)], &[Target::Entity(wanted)]) = (targets.as_slice(), wanted.as_slice()) else {
            return true;
        };
        if [own, wanted].into_iter().any(|entity| self.look.kind(entity) != Some(EntityKind::Method)) {
            return true;
        }
        let [own_receiver, other_receiver] =
            [own, wanted].map(|entity| usize::from(!self.look.flags(entity).has(EntityFlags::STATIC_METHOD)));
        let (Some(place), Some(other)) = (self.look.signature(own, 0), self.look.signature(wanted, 0)) else {
            return true;
        };
        let (own, other) = (place.signature(), other.signature());
        // A decorator may change the parameters.
        if own.is_decorated || other.is_decorated {
            return true;
        }
        let is_awaited_by_chance = own.is_async && !other.is_async && self.gives_plain(wanted);
        !is_awaited_by_chance && takes(Arity::of(own, own_receiver), Arity::of(other, other_receiver))
    }

    /// Whether a function of this file declares a result that nobody awaits: a text, a number, `None`.
    fn gives_plain(&self, function: EntityId) -> bool {
        let bodies = self.bodies;
        let Some(index) = self.look.own_place(function) else { return false };
        let Some(body) = bodies.functions.iter().find(|body| body.entity == index) else { return false };
        match bodies.kind(body.returns) {
            Some(ExprKind::Literal(Literal::None)) => true,
            Some(&ExprKind::Name { name, variable: NONE }) => is_concrete(known::builtin(bodies.names.hash(name))),
            _ => false,
        }
    }
}

impl Lookup<'_> {
    /// The index of a function of this file.
    fn own_callable(&self, target: Target) -> Option<u32> {
        let Target::Entity(entity) = target else { return None };
        let index = self.own_place(entity)?;
        self.own.interface.entities[index as usize].kind.is_callable().then_some(index)
    }

    /// The protocol that a value is known by, where it may be of any class that fits.
    pub(crate) fn declared_protocol(
        &mut self,
        entry: values::Entry,
        place: Position,
    ) -> Option<(EntityId, Option<Position>)> {
        let (value, basis) = values::parts(entry);
        let (class, instance) = match value {
            Value::Instance(class) => (class, Some(place)),
            Value::Class(class) => (class, None),
            _ => return None,
        };
        (basis > Basis::Constructed && self.is_protocol(class)).then_some((class, instance))
    }

    pub(crate) fn requires(&mut self, protocol: EntityId, name: &str) -> bool {
        self.inherited(protocol, name, None).is_some()
    }

    /// Whether a fitting class is not meant. An object does not hold itself through a protocol, and a test does not use
    /// the classes of other tests or of functions.
    fn is_beside(&mut self, class: EntityId, around: &[EntityId]) -> bool {
        let is_around = around
            .iter()
            .any(|&outer| self.kind(outer) == Some(EntityKind::Class) && self.mro(outer).classes.contains(&class));
        if is_around || !is_test_path(&self.own.path) {
            return is_around;
        }
        let defined = self.with_head(class, |info, head| (info.file, is_test_path(&info.path), info.id(head.parent)));
        let Some((file, true, outer)) = defined else { return false };
        let is_inside = self.kind(outer).is_some_and(EntityKind::is_callable);
        file != self.own.file || is_inside && !around.contains(&outer)
    }
}
