//! Which classes define a special method, and which of them a points-to set can mean.

use smallvec::SmallVec;

use crate::{
    facts::hash_name,
    model::{Basis, EntityId, conventions::pytest::is_test_path},
    resolve::{
        library::known,
        names::{Lookup, Target, Targets},
        solver::{Solver, memo::SpecialMethods},
        values::{self, Kinds, SetId, Sets, Value, questions},
    },
};

/// Most special methods that one operation is taken to run: a value that can have more says nothing. Without the limit
/// two fifths of sympy's relationships were of this kind. No more of those that happen were found (BENCHMARKS.md,
/// Speed).
const MAX_SPECIAL: usize = 3;

/// The same of conversions to text in tests, which loop over objects of many classes and show each.
const MAX_IN_TESTS: usize = 32;

const CONVERSIONS: [&str; 3] = ["__str__", "__repr__", "__format__"];

/// Special methods that every object has: that Python runs one tells nothing of the object.
pub(crate) const OF_EVERY_OBJECT: [&str; 7] =
    ["__eq__", "__ne__", "__bool__", "__str__", "__repr__", "__hash__", "__format__"];

/// Most special methods of derived classes that one operation is taken to run, where the class leaves the method open.
const MAX_OF_DERIVED: usize = 8;

/// Special methods of descriptors: Python asks each value in a class for them, and few values have one.
pub(crate) const OF_DESCRIPTORS: [&str; 4] = ["__get__", "__set__", "__delete__", "__set_name__"];

pub(crate) const PROTOCOL: &str = "Python itself runs this method of what stands here";

impl Solver<'_> {
    /// The derived classes with a special method that the class of a value leaves open, one for each method; the class
    /// may be a protocol. `None` where the value was made of that class, and where there are too many.
    pub(crate) fn derived_with(&mut self, entry: u64, name: &str) -> Option<SmallVec<[(EntityId, Targets); 4]>> {
        let (Value::Instance(class), basis) = values::parts(entry) else { return None };
        let is_open = basis == Basis::SelfMember || basis > Basis::Constructed;
        let is_protocol = basis > Basis::Constructed && self.look.is_protocol(class);
        if !is_open || (!is_protocol && self.look.has_special(class, name)) {
            return None;
        }
        let mut derived = SmallVec::<[(EntityId, Targets); 4]>::new();
        let of_derived = self.members_of_derived(class, name);
        let fitting = if is_protocol { self.members_of_fitting(class, name) } else { Vec::new() };
        for (class, targets) in of_derived.each.iter().chain(&fitting) {
            if !derived.iter().any(|(_, other)| other == targets) {
                derived.push((*class, targets.clone()));
            }
        }
        (!derived.is_empty() && derived.len() <= MAX_OF_DERIVED).then_some(derived)
    }

    /// Whether a set has one class that leaves a special method open, and all other objects of the repository in it are
    /// of classes that derive from that one.
    fn is_of_open_base(&mut self, receivers: SetId, name: &str) -> bool {
        let classes = self.sets.entries(receivers).iter().filter_map(|&entry| match values::parts(entry).0 {
            Value::Instance(class) => Some(class),
            _ => None,
        });
        let classes: SmallVec<[EntityId; 8]> = classes.collect();
        classes.iter().any(|&base| {
            classes.iter().all(|&class| self.look.mro(class).classes.contains(&base))
                && !self.look.has_special(base, name)
        })
    }

    /// The special methods of this name that the values have, each with the values that share it; `None` where there
    /// are too many.
    pub(crate) fn special_methods(&mut self, receivers: SetId, name: &str) -> Option<SpecialMethods> {
        if !self.sets.holds(receivers, Kinds::INSTANCES.or(Kinds::CLASSES)) {
            return None;
        }
        let key = (receivers, hash_name(name));
        if let Some(methods) = self.memo.special.get(&key) {
            return methods.clone();
        }
        let methods = self.find_special_methods(receivers, name);
        self.memo.special.insert(key, methods.clone());
        methods
    }

    /// The functions that a decorator of a class sets its special method to: `cls.__repr__ = show`.
    pub(crate) fn special_of_decorator(&mut self, class: EntityId, name: &str) -> SetId {
        if !self.look.is_decorated(class) {
            return SetId::EMPTY;
        }
        let mro = std::sync::Arc::clone(&self.look.mro(class));
        let name = hash_name(name);
        let mut kept = SetId::EMPTY;
        for &above in &mro.classes {
            let found = self.read(questions::attribute(above, name));
            kept = self.sets.union(kept, found);
        }
        self.sets.only(kept, |value| matches!(value, Value::Function(..)))
    }

    fn find_special_methods(&mut self, receivers: SetId, name: &str) -> Option<SpecialMethods> {
        let mut methods: SmallVec<[(Targets, Basis, values::Entries); 2]> = SmallVec::new();
        let is_loop = CONVERSIONS.contains(&name)
            && is_test_path(&self.look.own.path)
            && self.sets.entries(receivers).iter().all(|&entry| {
                let (value, basis) = values::parts(entry);
                basis == Basis::Element || !matches!(value, Value::Instance(_) | Value::Class(_))
            });
        let mut most = if is_loop { MAX_IN_TESTS } else { MAX_SPECIAL };
        for at in self.sets.range(receivers) {
            let entry = self.sets.at(at);
            let (class, basis) = match values::parts(entry) {
                (Value::Instance(class), basis) => (class, basis),
                (Value::Class(class), basis) => match self.look.metaclass(class) {
                    Some(Target::Entity(metaclass)) => (metaclass, basis),
                    _ => continue,
                },
                _ => continue,
            };
            let Some((_, targets)) = self.look.inherited(class, name, None) else { continue };
            if let Some((_, strongest, entries)) = methods.iter_mut().find(|(other, ..)| *other == targets) {
                *strongest = basis.min(*strongest);
                entries.push(entry);
                continue;
            }
            // Each class of a family has its own of these.
            let is_of_every = methods.len() == most && OF_EVERY_OBJECT.contains(&name);
            if is_of_every && self.is_of_open_base(receivers, name) {
                most = most.max(MAX_OF_DERIVED);
            }
            if methods.len() == most {
                return None;
            }
            methods.push((targets, basis, smallvec::smallvec![entry]));
        }
        let is_one_of_several =
            methods.len() > MAX_SPECIAL || OF_EVERY_OBJECT.contains(&name) && self.sets.holds_others(receivers);
        let methods = methods.into_iter().map(|(targets, basis, entries)| {
            let basis = if is_one_of_several { basis.max(Basis::Choice) } else { basis };
            (targets, basis, self.sets.of(entries))
        });
        Some(methods.collect())
    }
}

impl Lookup<'_> {
    /// Whether a class, or one that it derives from, has a decorator.
    fn is_decorated(&mut self, class: EntityId) -> bool {
        let mro = std::sync::Arc::clone(&self.mro(class));
        mro.classes.iter().any(|&above| self.class_head(above).is_some_and(|place| !place.head().decorators.is_empty()))
    }

    /// Whether a class has a special method and does not leave it to derived classes.
    fn has_special(&mut self, class: EntityId, name: &str) -> bool {
        let Some((_, targets)) = self.inherited(class, name, None) else { return false };
        !targets.iter().all(|&target| match target {
            Target::Entity(entity) => self.flags(entity).is_left_open(),
            _ => false,
        })
    }
}

impl Sets {
    /// Whether a value can be of a class outside the repository too, other than `None`.
    pub(crate) fn holds_others(&self, receivers: SetId) -> bool {
        self.entries(receivers).iter().any(|&entry| match values::parts(entry).0 {
            Value::ExternalInstance(class) => class != known::NONE_TYPE,
            Value::Unknown | Value::Container(..) | Value::SomeContainer => true,
            _ => false,
        })
    }
}
