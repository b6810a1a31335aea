//! Special methods: what operators, tests and statements call on instances and classes.
//!
//! Goes in: a set of receivers and the name of the method. Comes out: what the calls give.

use std::rc::Rc;

use smallvec::SmallVec;

use crate::{
    facts::hash_name,
    model::{Basis, EntityFlags, EntityId},
    resolve::{
        engine::{Solver, output::Place},
        interpret::calls::Arguments,
        library::known,
        names::{Target, Targets},
        questions,
        values::{self, Kinds, SetId, Value},
    },
};

/// Most special methods that one operation is taken to run: a value that can have any of more says nothing. Without it two fifths
/// of the relationships of sympy were of this kind, and no more of those that happen were found (BENCHMARKS.md, Speed).
const MAX_SPECIAL: usize = 3;

/// Special methods that every object has: that Python runs one tells nothing of what it runs it on.
const OF_EVERY_OBJECT: [&str; 7] = ["__eq__", "__ne__", "__bool__", "__str__", "__repr__", "__hash__", "__format__"];

/// Most that one operation is taken to run of the classes that derive from one which leaves it open.
const MAX_OF_DERIVED: usize = 8;

/// What Python asks of what a class holds, which few objects are there for.
const OF_DESCRIPTORS: [&str; 4] = ["__get__", "__set__", "__delete__", "__set_name__"];

const PROTOCOL: &str = "Python itself runs this method of what stands here";

/// Special methods with the receivers that share each, and the strongest basis among those.
pub(crate) type SpecialMethods = Rc<[(Targets, Basis, SetId)]>;

impl Solver<'_> {
    /// Calls the special method `name` of every instance in the set.
    pub(crate) fn special(&mut self, receivers: SetId, name: &str, arguments: &[SetId], place: Place) -> SetId {
        let receivers = self.concrete(receivers);
        let Some(methods) = self.special_methods(receivers, name) else { return SetId::EMPTY };
        let mut result = SetId::EMPTY;
        for (targets, basis, receiver) in methods.iter() {
            let receiver = self.with_arguments(*receiver, receivers);
            let returned =
                self.by_rule(PROTOCOL, None, |this| this.call_members(targets, receiver, arguments, *basis, place));
            let returned = self.settled(returned, receiver);
            result = self.sets.union(result, returned);
        }
        let of_derived = self.special_of_derived(receivers, name, arguments, place);
        self.sets.union(result, of_derived)
    }

    /// What Python runs of classes that derive from the one that a value is known by, where that one leaves it open.
    fn special_of_derived(&mut self, receivers: SetId, name: &str, arguments: &[SetId], place: Place) -> SetId {
        let mut result = SetId::EMPTY;
        if !self.sets.holds(receivers, Kinds::INSTANCES) || OF_DESCRIPTORS.contains(&name) {
            return result;
        }
        for at in self.sets.range(receivers) {
            let Some(derived) = self.derived_with(self.sets.at(at), name) else { continue };
            let is_own = values::parts(self.sets.at(at)).1 == Basis::SelfMember;
            let how = if is_own { Basis::Dispatched } else { Basis::Choice };
            for (class, targets) in derived {
                let receiver = self.sets.single(Value::Instance(class), how);
                let given =
                    self.by_rule(PROTOCOL, None, |this| this.call_members(&targets, receiver, arguments, how, place));
                result = self.sets.union(result, given);
            }
        }
        result
    }

    /// The classes that have a special method which the class that a value is known by, a protocol perhaps, leaves open, one for
    /// each method; none where it was made of that class, and where there are too many.
    fn derived_with(&mut self, entry: u64, name: &str) -> Option<SmallVec<[(EntityId, Targets); 4]>> {
        let (Value::Instance(class), basis) = values::parts(entry) else { return None };
        let is_open = basis == Basis::SelfMember || basis > Basis::Constructed;
        let is_protocol = basis > Basis::Constructed && self.look.is_protocol(class);
        if !is_open || (!is_protocol && self.has_special(class, name)) {
            return None;
        }
        let mut derived = SmallVec::<[(EntityId, Targets); 4]>::new();
        let of_derived = self.members_of_derived(class, name);
        let fitting = if is_protocol { self.members_of_fitting(class, name) } else { Vec::new() };
        for (class, targets) in of_derived.iter().chain(&fitting) {
            if !derived.iter().any(|(_, other)| other == targets) {
                derived.push((*class, targets.clone()));
            }
        }
        (!derived.is_empty() && derived.len() <= MAX_OF_DERIVED).then_some(derived)
    }

    /// Whether a class has a special method that it does not leave to those which derive from it.
    fn has_special(&mut self, class: EntityId, name: &str) -> bool {
        let Some((_, targets)) = self.look.inherited(class, name, None) else { return false };
        !targets.iter().all(|&target| match target {
            Target::Entity(entity) => self.look.flags(entity).is_left_open(),
            _ => false,
        })
    }

    /// Whether all objects of the repository in a set are of one class in it, which leaves a special method open, or of those that
    /// derive from that.
    fn is_of_open_base(&mut self, receivers: SetId, name: &str) -> bool {
        let classes = self.sets.entries(receivers).iter().filter_map(|&entry| match values::parts(entry).0 {
            Value::Instance(class) => Some(class),
            _ => None,
        });
        let classes: SmallVec<[EntityId; 8]> = classes.collect();
        classes.iter().any(|&base| {
            classes.iter().all(|&class| self.look.mro(class).classes.contains(&base)) && !self.has_special(base, name)
        })
    }

    /// The special methods of this name that the values have, each with those that share it; none where there are too many.
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

    fn find_special_methods(&mut self, receivers: SetId, name: &str) -> Option<SpecialMethods> {
        let mut methods: SmallVec<[(Targets, Basis, values::Entries); 2]> = SmallVec::new();
        let mut most = MAX_SPECIAL;
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
            let is_of_every = methods.len() == MAX_SPECIAL && OF_EVERY_OBJECT.contains(&name);
            if is_of_every && self.is_of_open_base(receivers, name) {
                most = MAX_OF_DERIVED;
            }
            if methods.len() == most {
                return None;
            }
            methods.push((targets, basis, smallvec::smallvec![entry]));
        }
        let is_one_of_several =
            methods.len() > MAX_SPECIAL || OF_EVERY_OBJECT.contains(&name) && self.holds_others(receivers);
        let methods = methods.into_iter().map(|(targets, basis, entries)| {
            let basis = if is_one_of_several { basis.max(Basis::Choice) } else { basis };
            (targets, basis, self.sets.of(entries))
        });
        Some(methods.collect())
    }

    /// Whether a value can be of a class outside the repository too, other than `None`.
    fn holds_others(&self, receivers: SetId) -> bool {
        self.sets.entries(receivers).iter().any(|&entry| match values::parts(entry).0 {
            Value::ExternalInstance(class) => class != known::NONE_TYPE,
            Value::Unknown | Value::Container(..) | Value::SomeContainer => true,
            _ => false,
        })
    }

    pub(crate) fn special_on(
        &mut self,
        class: EntityId,
        name: &str,
        basis: Basis,
        arguments: &[SetId],
        place: Place,
    ) -> SetId {
        let Some((_, targets)) = self.look.inherited(class, name, None) else { return SetId::EMPTY };
        let receiver = self.sets.single(Value::Instance(class), basis);
        self.by_rule(PROTOCOL, None, |this| this.call_members(&targets, receiver, arguments, basis, place))
    }

    /// The same on an object of the set, which may be told what its class is applied to.
    pub(crate) fn special_among(
        &mut self,
        class: EntityId,
        among: SetId,
        name: &str,
        basis: Basis,
        place: Place,
    ) -> SetId {
        let Some((_, targets)) = self.look.inherited(class, name, None) else { return SetId::EMPTY };
        let receiver = self.sets.single(Value::Instance(class), basis);
        let receiver = self.with_arguments(receiver, among);
        let given = self.by_rule(PROTOCOL, None, |this| this.call_members(&targets, receiver, &[], basis, place));
        self.settled(given, receiver)
    }

    /// Calls the first of several special methods that each instance has.
    pub(crate) fn special_first(&mut self, receivers: SetId, names: &[&str], place: Place) {
        let mut rest = self.concrete(receivers);
        let is_one_of_several =
            names.first().is_some_and(|name| OF_EVERY_OBJECT.contains(name)) && self.holds_others(rest);
        if is_one_of_several {
            rest = self.sets.weaken(rest, Basis::Choice);
        }
        for name in names {
            if !self.sets.holds(rest, Kinds::INSTANCES.or(Kinds::CLASSES)) {
                return;
            }
            let (mut with, mut without) = (values::Entries::new(), values::Entries::new());
            for at in self.sets.range(rest) {
                let entry = self.sets.at(at);
                let class = match values::parts(entry).0 {
                    Value::Instance(class) => class,
                    Value::Class(class) => match self.look.metaclass(class) {
                        Some(Target::Entity(metaclass)) => metaclass,
                        _ => continue,
                    },
                    _ => continue,
                };
                let has = self.look.inherited(class, name, None).is_some();
                if has {
                    with.push(entry);
                    continue;
                }
                // Where a derived class has it, the next one is asked of some of them alone.
                let is_left = self.derived_with(entry, name).is_none();
                let (value, basis) = values::parts(entry);
                without.push(if is_left { entry } else { values::entry(value, basis.max(Basis::Choice)) });
                if !is_left {
                    with.push(entry);
                }
            }
            let with = self.sets.of(with);
            self.special(with, name, &[], place);
            rest = self.sets.of(without);
        }
    }

    /// `__repr__ = __str__`: calls the functions that a variable of a class holds. What an instance has under such a name Python
    /// does not ask.
    pub(crate) fn call_kept(
        &mut self,
        variable: EntityId,
        receiver: SetId,
        arguments: &Arguments,
        basis: Basis,
        place: Place,
    ) -> SetId {
        if self.look.flags(variable).has(EntityFlags::INSTANCE_ATTRIBUTE) {
            return SetId::EMPTY;
        }
        let Some(class) = self.look.enclosing_class(variable) else { return SetId::EMPTY };
        let Some(name) = self.look.with_head(variable, |info, head| info.interface.names.hash(head.name)) else {
            return SetId::EMPTY;
        };
        let is_from_elsewhere = matches!(basis, Basis::Passed | Basis::Element | Basis::Choice);
        let is_implicit = is_from_elsewhere && name != const { hash_name("__call__") };
        let basis = if is_implicit { Basis::Implicit } else { basis.max(Basis::SelfMember) };
        let kept = self.read(questions::attribute(class, name));
        let mut result = SetId::EMPTY;
        for at in self.sets.range(kept) {
            let Value::Function(function, lambda) = values::parts(self.sets.at(at)).0 else { continue };
            self.say_call(function, lambda, basis, place);
            let bound = self.bind(function, lambda, Some(receiver), arguments);
            let returned = self.result(function, lambda, &bound);
            result = self.sets.union(result, returned);
        }
        result
    }
}
