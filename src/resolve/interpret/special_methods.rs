//! Special methods: what operators, tests and statements call on instances and classes.
//!
//! Goes in: a set of receivers and the name of the method. Comes out: what the calls give.

use crate::{
    facts::hash_name,
    model::{Basis, EntityFlags, EntityId},
    resolve::{
        containers::is_manager,
        frameworks::tables::rules,
        interpret::{
            Interpreter,
            arguments::Arguments,
            special_members::{OF_DESCRIPTORS, OF_EVERY_OBJECT, PROTOCOL},
        },
        names::Target,
        questions,
        solver::output::Place,
        values::{self, Kinds, SetId, Value},
    },
};

impl Interpreter<'_> {
    /// What `with manager as x` binds; calls `__enter__` and `__exit__`.
    pub(crate) fn enter(&mut self, manager: SetId, place: Place) -> SetId {
        let manager = self.concrete(manager);
        let manager = self.solver.with_fitting(manager, &["__enter__", "__aenter__"]);
        let mut result = SetId::EMPTY;
        for at in self.solver.sets.range(manager) {
            let entry = self.solver.sets.at(at);
            let (value, basis) = values::parts(entry);
            let entered = match value {
                Value::Instance(class) => {
                    let mut entered = SetId::EMPTY;
                    for (enter, exit) in [("__enter__", "__exit__"), ("__aenter__", "__aexit__")] {
                        let given = self.special_among(class, manager, enter, basis, place);
                        entered = self.solver.sets.union(entered, given);
                        self.special_on(class, exit, basis, &[], place);
                    }
                    if entered == SetId::EMPTY && self.solver.look.inherited(class, "__enter__", None).is_none() {
                        // An outside base may do it: most return themselves.
                        let object = self.solver.sets.of([entry]);
                        entered = self.solver.sets.with_arguments(object, manager);
                    }
                    entered
                }
                Value::Generator(function, lambda) => {
                    let yielded = self.solver.read(questions::yields(function, lambda));
                    self.solver.sets.weaken(yielded, Basis::Returned)
                }
                Value::ExternalInstance(hash) if rules().enters(hash) => self.solver.sets.of([entry]),
                Value::Container(_, site) if is_manager(site) => {
                    let manager = self.solver.sets.of([entry]);
                    self.elements(manager)
                }
                Value::Container(..) => self.solver.sets.of([entry]),
                _ => SetId::EMPTY,
            };
            result = self.solver.sets.union(result, entered);
        }
        result
    }

    /// Calls the special method `name` of every instance in the set.
    pub(crate) fn special(&mut self, receivers: SetId, name: &str, arguments: &[SetId], place: Place) -> SetId {
        let receivers = self.concrete(receivers);
        let Some(methods) = self.solver.special_methods(receivers, name) else { return SetId::EMPTY };
        let mut result = SetId::EMPTY;
        for (targets, basis, receiver) in methods.iter() {
            let receiver = self.solver.sets.with_arguments(*receiver, receivers);
            let returned =
                self.by_rule(PROTOCOL, None, |this| this.call_members(targets, receiver, arguments, *basis, place));
            let returned = self.settled(returned, receiver);
            result = self.solver.sets.union(result, returned);
        }
        let of_derived = self.special_of_derived(receivers, name, arguments, place);
        self.solver.sets.union(result, of_derived)
    }

    /// What Python runs of classes that derive from the one that a value is known by, where that one leaves it open.
    fn special_of_derived(&mut self, receivers: SetId, name: &str, arguments: &[SetId], place: Place) -> SetId {
        let mut result = SetId::EMPTY;
        if !self.solver.sets.holds(receivers, Kinds::INSTANCES) || OF_DESCRIPTORS.contains(&name) {
            return result;
        }
        for at in self.solver.sets.range(receivers) {
            let Some(derived) = self.solver.derived_with(self.solver.sets.at(at), name) else { continue };
            let is_own = values::parts(self.solver.sets.at(at)).1 == Basis::SelfMember;
            let how = if is_own { Basis::Dispatched } else { Basis::Choice };
            for (class, targets) in derived {
                let receiver = self.solver.sets.single(Value::Instance(class), how);
                let given =
                    self.by_rule(PROTOCOL, None, |this| this.call_members(&targets, receiver, arguments, how, place));
                result = self.solver.sets.union(result, given);
            }
        }
        result
    }

    pub(crate) fn special_on(
        &mut self,
        class: EntityId,
        name: &str,
        basis: Basis,
        arguments: &[SetId],
        place: Place,
    ) -> SetId {
        let Some((_, targets)) = self.solver.look.inherited(class, name, None) else { return SetId::EMPTY };
        let receiver = self.solver.sets.single(Value::Instance(class), basis);
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
        let Some((_, targets)) = self.solver.look.inherited(class, name, None) else { return SetId::EMPTY };
        let receiver = self.solver.sets.single(Value::Instance(class), basis);
        let receiver = self.solver.sets.with_arguments(receiver, among);
        let given = self.by_rule(PROTOCOL, None, |this| this.call_members(&targets, receiver, &[], basis, place));
        self.settled(given, receiver)
    }

    /// Calls the first of several special methods that each instance has.
    pub(crate) fn special_first(&mut self, receivers: SetId, names: &[&str], place: Place) {
        let mut rest = self.concrete(receivers);
        let is_one_of_several =
            names.first().is_some_and(|name| OF_EVERY_OBJECT.contains(name)) && self.solver.sets.holds_others(rest);
        if is_one_of_several {
            rest = self.solver.sets.weaken(rest, Basis::Choice);
        }
        for name in names {
            if !self.solver.sets.holds(rest, Kinds::INSTANCES.or(Kinds::CLASSES)) {
                return;
            }
            let (mut with, mut without) = (values::Entries::new(), values::Entries::new());
            for at in self.solver.sets.range(rest) {
                let entry = self.solver.sets.at(at);
                let class = match values::parts(entry).0 {
                    Value::Instance(class) => class,
                    Value::Class(class) => match self.solver.look.metaclass(class) {
                        Some(Target::Entity(metaclass)) => metaclass,
                        _ => continue,
                    },
                    _ => continue,
                };
                let has = self.solver.look.inherited(class, name, None).is_some();
                if has {
                    with.push(entry);
                    continue;
                }
                // Where a derived class has it, the next one is asked of some of them alone.
                let is_left = self.solver.derived_with(entry, name).is_none();
                let (value, basis) = values::parts(entry);
                without.push(if is_left { entry } else { values::entry(value, basis.max(Basis::Choice)) });
                if !is_left {
                    with.push(entry);
                }
            }
            let with = self.solver.sets.of(with);
            self.special(with, name, &[], place);
            rest = self.solver.sets.of(without);
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
        if self.solver.look.flags(variable).has(EntityFlags::INSTANCE_ATTRIBUTE) {
            return SetId::EMPTY;
        }
        let Some(class) = self.solver.look.enclosing_class(variable) else { return SetId::EMPTY };
        let Some(name) = self.solver.look.with_head(variable, |info, head| info.interface.names.hash(head.name)) else {
            return SetId::EMPTY;
        };
        let is_from_elsewhere = matches!(basis, Basis::Passed | Basis::Element | Basis::Choice);
        let is_implicit = is_from_elsewhere && name != const { hash_name("__call__") };
        let basis = if is_implicit { Basis::Implicit } else { basis.max(Basis::SelfMember) };
        let kept = self.solver.read(questions::attribute(class, name));
        let mut result = SetId::EMPTY;
        for at in self.solver.sets.range(kept) {
            let Value::Function(function, lambda) = values::parts(self.solver.sets.at(at)).0 else { continue };
            self.say_call(function, lambda, basis, place);
            let bound = self.bind(function, lambda, Some(receiver), arguments);
            let returned = self.result(function, lambda, &bound);
            result = self.solver.sets.union(result, returned);
        }
        result
    }
}
