//! What calls give: what is returned, with parameters replaced by what was passed.
//!
//! A function that returns one thing where a parameter is `None` and another where it is not gives each call what fits its
//! arguments; so does one with overloads.

use crate::{
    facts::bodies::{ExprId, ExprKind, NONE},
    model::{Basis, EntityId},
    resolve::{
        engine::Solver,
        interpret::{calls::Bound, function_kinds::all_kinds},
        objects::receiver_dependent::Dependent,
        questions,
        values::{
            self, Kinds, SetId, Value,
            condition::{Condition, Test},
            mark::{Argument, Mark},
            slot::Slot,
        },
    },
};

impl Solver<'_> {
    // --- returning ---------------------------------------------------------------------------------------------

    pub(crate) fn return_value(&mut self, value: ExprId) {
        match self.bodies.kind(value) {
            Some(&ExprKind::Conditional { test, then, otherwise }) if self.test_of_passed(test, true).is_some() => {
                self.eval_test(test);
                let before = self.environment.clone();
                for (given, is_true) in [(then, true), (otherwise, false)] {
                    self.environment.clone_from(&before);
                    let tests = self.tests.len();
                    self.tests.extend(self.test_of_passed(test, is_true));
                    self.narrow(test, is_true);
                    self.give(given);
                    self.tests.truncate(tests);
                }
            }
            _ => self.give(value),
        }
        self.is_alive = false;
    }

    fn give(&mut self, value: ExprId) {
        let set = self.eval(value);
        if self.function == NONE {
            return;
        }
        let function = &self.bodies.functions[self.function as usize];
        let set = self.as_declared(set, function.returns);
        let (owner, lambda) = (self.look.own.id(function.entity), function.lambda);
        if function.returns != NONE && matches!(self.bodies.kind(value), Some(ExprKind::Dict { .. })) {
            let declared = self.quiet(|this| this.annotation(function.returns));
            self.keys_written(declared, value);
        }
        if self.is_call_of_wrapped(value) {
            let mark = self.sets.single(Value::DependsOnCall(owner, Mark::HandsOn { lambda }), Basis::Scope);
            self.add(questions::returns(owner, lambda), mark);
        }
        let by_receiver = match lambda {
            0 => self.note_by_receiver(Dependent::Method(owner), value, set),
            _ => SetId::EMPTY,
        };
        self.add(questions::returns(owner, lambda), by_receiver);
        let first = self.tests.iter().find_map(|&(test, is_none)| match test {
            Test::Passed(condition) => Some((condition, is_none)),
            Test::PrivateName | Test::Names(_) => None,
        });
        match first {
            Some((condition, is_none)) if set != SetId::EMPTY => {
                let (condition, is_none) = match condition {
                    Condition::IsFunction(kinds, index) => {
                        let (kinds, is_other) = all_kinds(&self.tests, index, (kinds, is_none));
                        (Condition::IsFunction(kinds, index), is_other)
                    }
                    _ => (condition, is_none),
                };
                self.add(questions::returns_when(owner, lambda, condition, is_none), set);
                let mark = Mark::Condition { lambda, condition };
                let choice = self.sets.single(Value::DependsOnCall(owner, mark), Basis::Scope);
                self.add(questions::returns(owner, lambda), choice);
            }
            _ => self.add(questions::returns(owner, lambda), set),
        }
    }

    /// `return f(…)` in a wrapper, where `f` is what the outer function was passed.
    fn is_call_of_wrapped(&self, value: ExprId) -> bool {
        let call = match self.bodies.kind(value) {
            Some(&ExprKind::Await(inner)) => inner,
            _ => value,
        };
        let Some(&ExprKind::Call { callee, .. }) = self.bodies.kind(call) else { return false };
        let Some(&ExprKind::Name { variable, .. }) = self.bodies.kind(callee) else { return false };
        let Some(info) = self.bodies.variables.get(variable as usize) else { return false };
        info.scope != self.scope && {
            let held = self.kept_values(variable);
            self.sets.entries(held).iter().any(|&entry| matches!(values::parts(entry).0, Value::Parameter(..)))
        }
    }

    /// Whether a wrapper gives what the function gives that it wraps.
    pub(crate) fn hands_on(&mut self, wrapper: EntityId) -> bool {
        let returned = self.read(questions::returns(wrapper, 0));
        let mark = Value::DependsOnCall(wrapper, Mark::HandsOn { lambda: 0 });
        self.sets.entries(returned).iter().any(|&entry| values::parts(entry).0 == mark)
    }

    // --- calling -----------------------------------------------------------------------------------------------

    /// What a call gives, with parameters replaced by what was passed.
    pub(crate) fn result(&mut self, function: EntityId, lambda: u32, bound: &Bound) -> SetId {
        let Some(callee) = self.look.signature(function, lambda) else { return SetId::EMPTY };
        if callee.signature().is_generator {
            let generator = self.sets.single(Value::Generator(function, lambda), Basis::Returned);
            let declared = self.yielded_by_argument(function);
            let declared = self.substitute(declared, function, lambda, bound);
            return self.sets.union(generator, declared);
        }
        // Overloads make it the second definition of its name.
        let head = callee.info.interface.entities.get(callee.signature().entity as usize);
        let is_second = lambda == 0 && head.is_some_and(|head| head.duplicate > 0);
        let returned = self.read(questions::returns(function, lambda));
        let returned = self.substitute(returned, function, lambda, bound);
        if is_second { self.narrowed_by_overloads(function, bound, returned) } else { returned }
    }

    pub(crate) fn substitute(&mut self, set: SetId, function: EntityId, lambda: u32, bound: &Bound) -> SetId {
        if set == SetId::EMPTY || set == SetId::TOP {
            return set;
        }
        if !self.sets.holds(set, Kinds::PARAMETERS.or(Kinds::CHOICES)) {
            return self.as_returned(set);
        }
        let (mut result, mut whole, mut by_type) = (SetId::EMPTY, SetId::EMPTY, SetId::EMPTY);
        let (mut is_only_passed, mut is_by_receiver) = (false, false);
        let mut plain = values::Entries::new();
        for at in self.sets.range(set) {
            let entry = self.sets.at(at);
            match values::parts(entry).0 {
                Value::Parameter(owner, number, index) if owner == function && number == lambda => {
                    result = self.sets.union(result, bound.passed(index));
                }
                Value::OfPassedText(owner, role, index) if owner == function && lambda == 0 => {
                    let given = self.of_text_passed(bound.passed(index), role);
                    result = self.sets.union(result, given);
                }
                Value::InstanceOfParameter(owner, number, index) if owner == function && number == lambda => {
                    // `__new__` of a base makes what that of a derived class was asked for.
                    let is_new =
                        self.look.with_head(function, |info, head| info.interface.names.text(head.name) == "__new__");
                    let made = match is_new {
                        Some(true) => self.objects_of(bound.passed(index), Basis::Returned),
                        _ => self.instances(bound.passed(index), Basis::Returned),
                    };
                    result = self.sets.union(result, made);
                }
                Value::DependsOnCall(owner, mark) => match mark {
                    Mark::ByReceiver => is_by_receiver |= owner == function,
                    Mark::OnlyPassed { lambda: number } => is_only_passed |= owner == function && number == lambda,
                    Mark::Argument(_) | Mark::OwnArguments | Mark::Made { .. } | Mark::Wrapped { .. } => {
                        let given = self.given_by_mark(owner, mark, function, bound);
                        if matches!(mark, Mark::Argument(Argument { is_whole: true, .. })) {
                            whole = self.sets.union(whole, given);
                        }
                        result = self.sets.union(result, given);
                    }
                    Mark::Passed { lambda: number, from, is_listed } => {
                        if owner == function && number == lambda {
                            let given = self.passed_by_type(from, is_listed, bound);
                            by_type = self.sets.union(by_type, given);
                            result = self.sets.union(result, given);
                        }
                    }
                    Mark::Condition { lambda: number, condition } => {
                        if owner == function && number == lambda {
                            let given = self.given_when(function, lambda, condition, bound);
                            result = self.sets.union(result, given);
                        }
                    }
                    // These say nothing of what a call of the function gives.
                    Mark::Property { .. } | Mark::Generic | Mark::HandsOn { .. } => {}
                },
                _ => plain.push(entry),
            }
        }
        if is_only_passed {
            whole = self.sets.union(whole, by_type);
        }
        let plain = self.sets.of(plain);
        let plain = self.as_returned(plain);
        let plain = if is_by_receiver && lambda == 0 {
            self.on_receivers(Dependent::Method(function), plain, bound.passed(0))
        } else {
            plain
        };
        let plain = self.of_these_types(plain, whole);
        self.sets.union(result, plain)
    }

    /// What the generators in a set return at their end: `x = yield from steps()`.
    pub(crate) fn returned_by(&mut self, generators: SetId) -> SetId {
        let mut result = SetId::EMPTY;
        for at in self.sets.range(generators) {
            let (value, basis) = values::parts(self.sets.at(at));
            let returned = match value {
                Value::Generator(function, lambda) => {
                    let returned = self.read(questions::returns(function, lambda));
                    self.substitute(returned, function, lambda, &Bound::default())
                }
                Value::Container(owner, site) if !site.is_declared() => {
                    self.read(questions::element(owner, site, Slot::Returned))
                }
                _ => continue,
            };
            let returned = self.sets.weaken(returned, basis);
            result = self.sets.union(result, returned);
        }
        result
    }

    /// What `yield` gives: a decorator that makes a coroutine of a generator sends back what came of what was yielded.
    pub(crate) fn sent_back(&mut self, yielded: SetId) -> SetId {
        let Some(function) = self.bodies.functions.get(self.function as usize) else { return SetId::EMPTY };
        let declared = self.declared_to_be_sent(function.returns);
        if function.decorators.is_empty() {
            return declared;
        }
        let returned = self.returned_by(yielded);
        let others = self.only(yielded, |value| !matches!(value, Value::Generator(..)));
        let sent = self.sets.union(returned, others);
        let sent = self.sets.weaken(sent, Basis::Stored);
        self.sets.union(sent, declared)
    }

    /// Values that a function returns, as its callers have them.
    fn as_returned(&mut self, set: SetId) -> SetId {
        if let Some(&returned) = self.memo.returned.get(&set) {
            return returned;
        }
        let entries = self.sets.entries(set).iter().map(|&entry| {
            let (value, basis) = values::parts(entry);
            // What came out of a call there has come through two here.
            values::entry(value, if basis == Basis::Returned { Basis::Stored } else { basis.max(Basis::Returned) })
        });
        let entries: values::Entries = entries.collect();
        let returned = self.sets.of(entries);
        self.memo.returned.insert(set, returned);
        returned
    }
}
