//! Summaries of functions applied at calls: substitution of arguments for parameters, and of results for marks.

use crate::{
    facts::bodies::{ExprId, ExprKind, NONE},
    model::{Basis, EntityId},
    resolve::{
        interpret::{
            Interpreter,
            calls::{arguments::BoundArguments, parameters::MAX_PARAMETERS},
        },
        objects::receiver_dependent::Dependent,
        values::{
            self, Kinds, SetId, Value,
            condition::{Condition, Test},
            mark::{ClassParameter, Mark},
            questions,
        },
    },
};

impl Interpreter<'_> {
    /// The results of a function under a condition and under its opposite, as far as the call decides between them.
    pub(crate) fn returned_under(
        &mut self,
        function: EntityId,
        lambda: u32,
        condition: Condition,
        bound: &BoundArguments,
    ) -> SetId {
        let (can_be_none, can_be_given) = self.solver.noneness(function, lambda, condition, bound);
        let mut result = SetId::EMPTY;
        for (is_none, is_possible) in [(true, can_be_none), (false, can_be_given)] {
            if is_possible {
                let returned = self.solver.read(questions::returns_when(function, lambda, condition, is_none));
                let returned = self.substitute(returned, function, lambda, bound);
                result = self.solver.sets.union(result, returned);
            }
        }
        result
    }

    /// Arguments as the function called has them.
    pub(crate) fn as_passed(&mut self, set: SetId) -> SetId {
        let set = self.expand_parameters(set);
        if set == SetId::EMPTY || set == SetId::TOP {
            return set;
        }
        if let Some(&passed) = self.solver.memo.passed.get(&set) {
            return passed;
        }
        let is_followed = |value| !matches!(value, Value::External(_) | Value::ExternalInstance(_) | Value::Unknown);
        let followed = self.solver.sets.only(set, is_followed);
        let passed = self.solver.sets.weaken(followed, Basis::Passed);
        self.solver.memo.passed.insert(set, passed);
        passed
    }

    /// The set with each symbolic parameter replaced by its known values.
    pub(crate) fn expand_parameters(&mut self, set: SetId) -> SetId {
        if !self.solver.sets.holds(set, Kinds::PARAMETERS) {
            return set;
        }
        let mut seen = Vec::new();
        self.expand(set, &mut seen, 0)
    }

    /// `seen` are the parameters met so far, each with its values once these are known.
    fn expand(&mut self, set: SetId, seen: &mut Vec<(Value, Option<SetId>)>, depth: u32) -> SetId {
        let (mut result, mut plain) = (SetId::EMPTY, values::Entries::new());
        for at in self.solver.sets.range(set) {
            let entry = self.solver.sets.at(at);
            let (value, basis) = values::parts(entry);
            let values = match value {
                Value::Parameter(function, lambda, index) => {
                    // Functions that call each other may pass a parameter on to itself.
                    if seen.iter().any(|&(met, _)| met == value) || depth > MAX_PARAMETERS {
                        continue;
                    }
                    let at = seen.len();
                    seen.push((value, None));
                    let values = self.parameter_values(function, lambda, index);
                    let expanded = self.expand(values, seen, depth + 1);
                    seen[at].1 = Some(expanded);
                    self.solver.sets.weaken(expanded, basis)
                }
                Value::OfPassedText(function, role, index) => {
                    let parameter = Value::Parameter(function, 0, index);
                    // The set may hold the parameter too: `self.shape = shape`, then `self.shape = load(shape)`.
                    let passed = match seen.iter().find(|&&(met, _)| met == parameter) {
                        Some(&(_, Some(expanded))) => self.solver.sets.weaken(expanded, basis),
                        _ => {
                            let parameter = self.solver.sets.single(parameter, basis);
                            self.expand(parameter, seen, depth + 1)
                        }
                    };
                    self.of_text_passed(passed, role)
                }
                Value::InstanceOfParameter(function, lambda, index) => {
                    let parameter = self.solver.sets.single(Value::Parameter(function, lambda, index), basis);
                    let classes = self.expand(parameter, seen, depth + 1);
                    self.instances(classes, Basis::Constructed)
                }
                _ => {
                    plain.push(entry);
                    continue;
                }
            };
            result = self.solver.sets.union(result, values);
        }
        let plain = self.solver.sets.of(plain);
        self.solver.sets.union(result, plain)
    }

    fn parameter_values(&mut self, function: EntityId, lambda: u32, index: u32) -> SetId {
        if index == 0
            && lambda == 0
            && let Some(receiver) = self.solver.receiver(function)
        {
            return if self.solver.look.is_subclass_hook(function) {
                self.solver.hook_receivers(function, receiver)
            } else {
                receiver
            };
        }
        let passed = self.solver.read(questions::parameter(function, lambda, index));
        match passed {
            SetId::EMPTY => match self.solver.read(questions::default(function, lambda, index)) {
                SetId::EMPTY if lambda == 0 => self.solver.declared_above(function, index),
                default => default,
            },
            // There are too many arguments to tell apart: the annotation holds.
            SetId::TOP => match self.declared_for(function, lambda, index) {
                SetId::EMPTY => SetId::TOP,
                declared => declared,
            },
            _ => passed,
        }
    }

    pub(crate) fn return_value(&mut self, value: ExprId) {
        match self.solver.bodies.kind(value) {
            Some(&ExprKind::Conditional { test, then, otherwise })
                if self.solver.test_of_passed(test, true).is_some() =>
            {
                self.eval_test(test);
                let before = self.solver.state.environment.clone();
                for (given, is_true) in [(then, true), (otherwise, false)] {
                    self.solver.state.environment.clone_from(&before);
                    let tests = self.solver.state.tests.len();
                    self.solver.state.tests.extend(self.solver.test_of_passed(test, is_true));
                    self.narrow(test, is_true);
                    self.add_result(given);
                    self.solver.state.tests.truncate(tests);
                }
            }
            _ => self.add_result(value),
        }
        self.solver.state.is_alive = false;
    }

    fn add_result(&mut self, value: ExprId) {
        let set = self.eval(value);
        if self.solver.function == NONE {
            return;
        }
        let function = &self.solver.bodies.functions[self.solver.function as usize];
        let set = self.as_declared(set, function.returns);
        let (owner, lambda) = (self.solver.look.own.id(function.entity), function.lambda);
        if function.returns != NONE && matches!(self.solver.bodies.kind(value), Some(ExprKind::Dict { .. })) {
            let declared = self.quiet(|this| this.annotation(function.returns));
            self.solver.keys_written(declared, value);
        }
        if self.solver.is_call_of_wrapped(value) {
            let mark = self.solver.sets.single(Value::DependsOnCall(owner, Mark::HandsOn { lambda }), Basis::Scope);
            self.solver.add(questions::returns(owner, lambda), mark);
        }
        // A lambda has no receiver of its own.
        let by_receiver = match lambda {
            0 => self.note_by_receiver(Dependent::Method(owner), value, set),
            _ => SetId::EMPTY,
        };
        self.solver.add(questions::returns(owner, lambda), by_receiver);
        let first = self.solver.state.tests.iter().find_map(|&(test, is_none)| match test {
            Test::Passed(condition) => Some((condition, is_none)),
            Test::PrivateName | Test::Names(_) => None,
        });
        match first {
            Some((condition, is_none)) if set != SetId::EMPTY => {
                self.solver.add(questions::returns_when(owner, lambda, condition, is_none), set);
                let mark = Mark::Condition { lambda, condition };
                let choice = self.solver.sets.single(Value::DependsOnCall(owner, mark), Basis::Scope);
                self.solver.add(questions::returns(owner, lambda), choice);
            }
            _ => self.solver.add(questions::returns(owner, lambda), set),
        }
    }

    /// The result of a call: the function's summary with arguments in place of its parameters.
    pub(crate) fn result(&mut self, function: EntityId, lambda: u32, bound: &BoundArguments) -> SetId {
        let Some(callee) = self.solver.look.signature(function, lambda) else { return SetId::EMPTY };
        if callee.signature().is_generator {
            let generator = self.solver.sets.single(Value::Generator(function, lambda), Basis::Returned);
            let declared = self.solver.yielded_by_argument(function);
            let declared = self.substitute(declared, function, lambda, bound);
            return self.solver.sets.union(generator, declared);
        }
        // Overloads make it the second definition of its name.
        let head = callee.info.interface.entities.get(callee.signature().entity as usize);
        let is_second = lambda == 0 && head.is_some_and(|head| head.duplicate > 0);
        let returned = self.solver.read(questions::returns(function, lambda));
        let returned = self.substitute(returned, function, lambda, bound);
        if is_second { self.narrowed_by_overloads(function, bound, returned) } else { returned }
    }

    pub(crate) fn substitute(&mut self, set: SetId, function: EntityId, lambda: u32, bound: &BoundArguments) -> SetId {
        if set == SetId::EMPTY || set == SetId::TOP {
            return set;
        }
        if !self.solver.sets.holds(set, Kinds::PARAMETERS.or(Kinds::CHOICES)) {
            return self.solver.as_returned(set);
        }
        let (mut result, mut whole, mut by_type) = (SetId::EMPTY, SetId::EMPTY, SetId::EMPTY);
        let (mut is_only_passed, mut is_by_receiver) = (false, false);
        let mut plain = values::Entries::new();
        for at in self.solver.sets.range(set) {
            let entry = self.solver.sets.at(at);
            match values::parts(entry).0 {
                Value::Parameter(owner, number, index) if owner == function && number == lambda => {
                    result = self.solver.sets.union(result, bound.passed(index));
                }
                Value::OfPassedText(owner, role, index) if owner == function && lambda == 0 => {
                    let given = self.of_text_passed(bound.passed(index), role);
                    result = self.solver.sets.union(result, given);
                }
                Value::InstanceOfParameter(owner, number, index) if owner == function && number == lambda => {
                    // `__new__` of a base makes an object of the derived class that it is called for.
                    let is_new = self
                        .solver
                        .look
                        .with_head(function, |info, head| info.interface.names.text(head.name) == "__new__");
                    let made = match is_new {
                        Some(true) => self.objects_of(bound.passed(index), Basis::Returned),
                        _ => self.instances(bound.passed(index), Basis::Returned),
                    };
                    result = self.solver.sets.union(result, made);
                }
                Value::DependsOnCall(owner, mark) => match mark {
                    Mark::ByReceiver => is_by_receiver |= owner == function,
                    Mark::OnlyPassed { lambda: number } => is_only_passed |= owner == function && number == lambda,
                    Mark::ClassParameter(_) | Mark::OwnArguments | Mark::Made { .. } | Mark::Wrapped { .. } => {
                        let given = self.result_of_mark(owner, mark, function, bound);
                        if matches!(mark, Mark::ClassParameter(ClassParameter { is_whole: true, .. })) {
                            whole = self.solver.sets.union(whole, given);
                        }
                        result = self.solver.sets.union(result, given);
                    }
                    Mark::Passed { lambda: number, from, is_listed } => {
                        if owner == function && number == lambda {
                            let given = self.passed_by_type(from, is_listed, bound);
                            by_type = self.solver.sets.union(by_type, given);
                            result = self.solver.sets.union(result, given);
                        }
                    }
                    Mark::Condition { lambda: number, condition } => {
                        if owner == function && number == lambda {
                            let given = self.returned_under(function, lambda, condition, bound);
                            result = self.solver.sets.union(result, given);
                        }
                    }
                    // A function may make the property: `length = header("Content-Length")`.
                    Mark::Property { .. } => plain.push(entry),
                    // These marks depend on no argument of the call.
                    Mark::Generic | Mark::HandsOn { .. } => {}
                },
                _ => plain.push(entry),
            }
        }
        if is_only_passed {
            whole = self.solver.sets.union(whole, by_type);
        }
        let plain = self.solver.sets.of(plain);
        let plain = self.solver.as_returned(plain);
        let plain = if is_by_receiver && lambda == 0 {
            self.on_receivers(Dependent::Method(function), plain, bound.passed(0))
        } else {
            plain
        };
        let plain = self.of_these_types(plain, whole);
        self.solver.sets.union(result, plain)
    }

    /// The values that generators in a set return at their end: `x = yield from steps()`.
    pub(crate) fn returned_by(&mut self, generators: SetId) -> SetId {
        let mut result = SetId::EMPTY;
        for at in self.solver.sets.range(generators) {
            let (value, basis) = values::parts(self.solver.sets.at(at));
            let returned = match value {
                Value::Generator(function, lambda) => {
                    let returned = self.solver.read(questions::returns(function, lambda));
                    self.substitute(returned, function, lambda, &BoundArguments::default())
                }
                _ => continue,
            };
            let returned = self.solver.sets.weaken(returned, basis);
            result = self.solver.sets.union(result, returned);
        }
        result
    }

    /// The value of a `yield` expression: a decorator that makes a coroutine of a generator sends back the results of
    /// the yielded values.
    pub(crate) fn sent_result(&mut self, yielded: SetId) -> SetId {
        let Some(function) = self.solver.bodies.functions.get(self.solver.function as usize) else {
            return SetId::EMPTY;
        };
        let declared = self.declared_to_be_sent(function.returns);
        if function.decorators.is_empty() {
            return declared;
        }
        let returned = self.returned_by(yielded);
        let others = self.solver.sets.only(yielded, |value| !matches!(value, Value::Generator(..)));
        let sent = self.solver.sets.union(returned, others);
        let sent = self.solver.sets.weaken(sent, Basis::Stored);
        self.solver.sets.union(sent, declared)
    }
}
