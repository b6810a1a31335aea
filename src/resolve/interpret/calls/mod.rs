//! Calls: evaluates the callee and the arguments, binds these to parameters, and returns the result.

pub(crate) mod arguments;
pub(crate) mod conditional_returns;
pub(crate) mod method_rules;
pub(crate) mod parameters;
pub(crate) mod summaries;
pub(crate) mod wrapped;

use smallvec::SmallVec;

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, NONE, Run},
        hash_name,
        interface::ParameterKind,
    },
    model::{
        Basis, EntityFlags, EntityId, EntityKind, Position, RelationshipKind,
        conventions::pytest::is_test_path,
        signature::{self, CallArguments, Filled},
    },
    resolve::{
        containers,
        frameworks::tables::{behavior_of, rules},
        interpret::{
            Interpreter,
            calls::arguments::{AnyCall, Arguments, BoundArguments, MAX_DEPTH, Methods, gather, is_followed_object},
        },
        library::known::Known,
        names::{Referents, Target, Targets, mro::Constructor},
        objects::Instead,
        solver::Solver,
        values::{self, Kinds, SetId, Value, mark::Mark, questions, slot::Slot},
    },
};

/// A rule for the result of a call: it gets the result so far and gives the new one.
type ResultRule = fn(&mut Interpreter<'_>, &AnyCall<'_>, SetId) -> SetId;

/// Rules for the result of each call, after the callees have run.
const RESULT_RULES: &[ResultRule] = &[
    |this, call, result| {
        wrapped::call_wrapped(this, call);
        result
    },
    // Marks give way to values first: no rule below knows a mark.
    |this, call, result| this.apply_type_arguments(result, call.receivers),
    |this, call, result| this.made_of_own_class(call.callee, call.callees, result),
    // A library that is passed objects of the repository may give any of them. This asks for the results of functions
    // alone, so it comes before the rules for methods add theirs.
    |this, call, result| this.opaque_result(call.callee, call.callees, call.arguments, result),
    method_rules::apply,
    // `itemgetter(1)(pair)`
    |this, call, result| {
        let got = this.getter_result(call.callee, call.callees, call.arguments.first());
        this.solver.sets.union(result, got)
    },
    |this, call, result| this.solver.methods_of_passed(call.arguments, result),
    // Each caller passes one name: the results of the members of all names are those of no caller.
    |this, call, result| {
        if this.solver.bodies.is_member_of_passed_name(call.callee) { SetId::EMPTY } else { result }
    },
];

/// The callees of one call, and how they exclude each other.
struct Callees {
    set: SetId,
    /// Several may be meant: a wrapper and the function that it wraps are at least two.
    is_choice: bool,
    /// One of several is a `NewType`.
    has_new_type: bool,
    /// An object of the repository stands beside a declared callable.
    is_one_of_several: bool,
}

/// The results of one call, by the kind of callee that gives them.
#[derive(Default)]
struct Results {
    direct: SetId,
    of_wrapped: SetId,
    of_overrides: SetId,
    /// Of classes that may stand in the place of another one.
    of_hidden: SetId,
    /// The functions called that may wrap others.
    wrappers: SmallVec<[EntityId; 4]>,
}

impl Interpreter<'_> {
    /// The result of a call expression: runs the callees, then the rules for results.
    pub(crate) fn call(&mut self, expression: ExprId) -> SetId {
        let bodies = self.solver.bodies;
        let ExprKind::Call { callee, arguments, keywords } = bodies.expressions[expression as usize].kind else {
            return SetId::EMPTY;
        };
        let place = bodies.place_of(callee);
        let (callees, referents, receivers) = self.callee(callee, (arguments, keywords));
        let evaluated = self.arguments(arguments, keywords);
        self.solver.forget_passed(callee, arguments, keywords);
        self.register_by_call(callee, callees, &evaluated);
        // Arguments may be calls themselves: the state of this call begins after them.
        let outer = std::mem::take(&mut self.called);
        let giver = self.solver.comes_from(expression);
        self.called_on = self.solver.parameter_called_on(receivers);
        self.applied_on = self.solver.sets.applied_in(receivers);
        let mut result = self.call_all(callees, &evaluated, place);
        let call =
            AnyCall { callee, callees, receivers, arguments: &evaluated, is_defined: !referents.is_empty(), place };
        for rule in RESULT_RULES {
            result = rule(self, &call, result);
        }
        let called = std::mem::replace(&mut self.called, outer);
        self.solver.comes_from(giver);
        self.solver.keys_passed(&called, arguments);
        // A callee that is too large to follow is called all the same.
        let is_unfollowed = !referents.is_empty() && self.expand_parameters(callees) == SetId::TOP;
        self.solver.mention_callees(&referents, &called, is_unfollowed, place);
        result
    }

    /// The points-to set of a callee, the definitions that it names, and the objects before its dot.
    fn callee(&mut self, callee: ExprId, call: (Run, Run)) -> (SetId, Referents, SetId) {
        let bodies = self.solver.bodies;
        let Some(&ExprKind::Attribute { base, name }) = bodies.kind(callee) else {
            let (set, referents) = self.head(callee);
            return (set, referents, SetId::EMPTY);
        };
        let receivers = self.eval(base);
        let (found, referents) = self.attribute(receivers, name, bodies.place_of(callee), base, Some(call));
        let set = self.solver.known_or(callee, found, &referents);
        self.solver.note(callee, set);
        self.solver.note_names(callee, &referents);
        (set, referents, receivers)
    }

    fn arguments(&mut self, arguments: Run, keywords: Run) -> Arguments {
        let bodies = self.solver.bodies;
        let mut evaluated = Arguments { written: arguments, named: keywords, ..Arguments::default() };
        for &argument in bodies.list(arguments) {
            let set = self.eval(argument);
            if argument != NONE && matches!(bodies.expressions[argument as usize].kind, ExprKind::Starred(_)) {
                evaluated.has_stars = true;
                let elements = self.iterate(set, self.solver.bodies.place_of(argument), 0);
                evaluated.spread = self.solver.sets.union(evaluated.spread, elements);
            } else {
                evaluated.truths.set(evaluated.positional.len(), bodies.truth(argument));
                evaluated.positional.push(set);
            }
        }
        for &(name, value) in bodies.keywords(keywords) {
            let set = self.eval(value);
            if name == NONE {
                (evaluated.has_stars, evaluated.has_mapping) = (true, true);
                self.mapping_read(set, self.solver.bodies.place_of(value));
                evaluated.mapping = self.solver.sets.union(evaluated.mapping, set);
            } else {
                evaluated.keyword_truths.set(evaluated.keywords.len(), bodies.truth(value));
                evaluated.keywords.push((bodies.names.hash(NameId(name)), set));
            }
        }
        evaluated
    }

    /// The result of calling a set of values.
    pub(crate) fn call_all(&mut self, callees: SetId, arguments: &Arguments, place: Position) -> SetId {
        let called_on = std::mem::take(&mut self.called_on);
        let applied_on = std::mem::take(&mut self.applied_on);
        if self.depth > MAX_DEPTH {
            return SetId::EMPTY;
        }
        self.depth += 1;
        let callees = self.expand_parameters(callees);
        let callees = self.solver.callees(callees);
        let mut results = Results::default();
        let methods = self.call_values(&callees, arguments, place, &mut results);
        // Methods come last: a method that several classes share is called once, on all of them.
        for (function, basis, receivers) in methods {
            let receivers = self.solver.sets.of(receivers);
            let receivers = self.solver.sets.union(receivers, applied_on);
            self.emit_call(function, 0, basis, place);
            let mut bound = self.bind(function, 0, Some(receivers), arguments);
            self.pass_parameter(function, called_on, &mut bound);
            let returned = self.result(function, 0, &bound);
            let results = if basis == Basis::Dispatched {
                &mut results.of_overrides
            } else {
                results.wrappers.push(function);
                let is_wrapped = callees.is_choice && !self.solver.look.is_closure(function);
                if is_wrapped { &mut results.of_wrapped } else { &mut results.direct }
            };
            *results = self.solver.sets.union(*results, returned);
        }
        self.depth -= 1;
        let mut result = self.solver.wrapper_result(&results.wrappers, results.direct, results.of_wrapped);
        if self.solver.sets.holds(callees.set, Kinds::APPLIED) {
            result = self.apply_type_arguments(result, callees.set);
        }
        // A class that makes no instance, and a method that returns nothing, leave the result to those that hide it. In
        // tests all of them give it: a mixin runs with the classes that its derived ones name.
        if results.of_hidden != SetId::EMPTY
            && (!self.solver.sets.holds(result, Kinds::INSTANCES) || is_test_path(&self.solver.look.own.path))
        {
            result = self.solver.sets.union(result, results.of_hidden);
        }
        if self.solver.sets.is_nothing_followed(result) {
            result = self.solver.sets.union(result, results.of_overrides);
        }
        result
    }

    /// Calls the callees that are no methods. Returns the methods: one of many classes is called once, on all of them.
    fn call_values(
        &mut self,
        callees: &Callees,
        arguments: &Arguments,
        place: Position,
        results: &mut Results,
    ) -> Methods {
        let mut methods = Methods::new();
        for at in self.solver.sets.range(callees.set) {
            let (callee, mut basis) = values::parts(self.solver.sets.at(at));
            match callee {
                // `UserId(raw)` makes nothing: its argument counts as a `UserId`.
                Value::Instance(_) if callees.has_new_type => {
                    let counted = self.solver.sets.single(callee, Basis::Annotated);
                    results.direct = self.solver.sets.union(results.direct, counted);
                    continue;
                }
                Value::Instance(_) if callees.is_one_of_several => basis = basis.max(Basis::Choice),
                Value::MethodsByPrefix(..) | Value::Bound(..) => {
                    self.solver.gather_methods(&mut methods, callee, basis);
                    continue;
                }
                _ => {}
            }
            let returned = self.call_value(callee, basis, arguments, place);
            let results = match callee {
                Value::Class(_) if basis == Basis::Dispatched => &mut results.of_hidden,
                Value::Function(function, 0) => {
                    results.wrappers.push(function);
                    let is_wrapped = callees.is_choice && !self.solver.look.is_closure(function);
                    if is_wrapped { &mut results.of_wrapped } else { &mut results.direct }
                }
                _ => &mut results.direct,
            };
            *results = self.solver.sets.union(*results, returned);
        }
        methods
    }

    /// Calls a set of values with given argument sets.
    pub(crate) fn call_sets(&mut self, callees: SetId, arguments: &[SetId], place: Position) -> SetId {
        self.call_all(callees, &Arguments::of(arguments), place)
    }

    fn call_value(&mut self, callee: Value, basis: Basis, arguments: &Arguments, place: Position) -> SetId {
        match callee {
            Value::Function(function, lambda) => {
                self.emit_call(function, lambda, basis, place);
                let bound = self.bind(function, lambda, None, arguments);
                self.result(function, lambda, &bound)
            }
            Value::Class(class) => self.instantiate(class, basis, arguments, place),
            Value::Instance(class) => match self.solver.look.inherited(class, "__call__", None) {
                Some((_, targets)) => {
                    let receiver = self.solver.sets.single(Value::Instance(class), basis);
                    let given = self.call_members_with(&targets, receiver, arguments, basis, place);
                    // `super().__call__(…)` in a metaclass makes the object.
                    let is_maker = self.solver.sets.is_nothing_followed(given) && self.solver.look.is_metaclass(class);
                    if is_maker { self.metaclass_instances(class) } else { given }
                }
                None => self.metaclass_instances(class),
            },
            // `Box[Item]()`
            Value::Applied(..) => self.solver.sets.single(callee, basis),
            Value::DependsOnCall(function, Mark::Generic) => self.dispatched(function, arguments, place),
            Value::External(hash) => self.call_external(hash, arguments, place),
            Value::ExternalInstance(hash)
                if matches!(behavior_of(hash), Some(Known::EnterContext | Known::Task | Known::Logged)) =>
            {
                self.call_external(hash, arguments, place)
            }
            Value::Container(_, site) if containers::is_reference(site) => {
                let reference = self.solver.sets.single(callee, basis);
                self.elements(reference)
            }
            Value::ExternalInstance(hash) => {
                let given = self.call_callbacks(hash, arguments, place);
                let object = rules().gives(hash).unwrap_or(hash);
                let object = self.solver.sets.single(Value::ExternalInstance(object), Basis::Returned);
                self.solver.sets.union(given, object)
            }
            _ => SetId::EMPTY,
        }
    }

    pub(crate) fn emit_call(&mut self, function: EntityId, lambda: u32, basis: Basis, place: Position) {
        self.called.push(function);
        if lambda == 0 || function != self.solver.entity {
            self.solver.emit(function, RelationshipKind::Calls, basis, place);
        }
        self.solver.note_lambda_call(function, lambda, place);
    }

    /// The set for each parameter of a function, which is added to the parameter's cell.
    pub(crate) fn bind(
        &mut self,
        function: EntityId,
        lambda: u32,
        receiver: Option<SetId>,
        arguments: &Arguments,
    ) -> BoundArguments {
        let Some(callee) = self.solver.look.signature(function, lambda) else { return BoundArguments::default() };
        let (names, parameters) = (&callee.info.interface.names, &callee.signature().parameters);
        let receivers = usize::from(receiver.is_some());
        let positional: SmallVec<[SetId; 8]> =
            receiver.into_iter().chain(arguments.positional.iter().copied()).collect();
        let pairing = signature::bind(
            parameters.iter().map(|parameter| (names.hash(parameter.name), parameter.kind)),
            &CallArguments {
                positional: positional.len(),
                keywords: arguments.keywords.iter().map(|&(keyword, _)| keyword),
                has_stars: arguments.has_stars || arguments.spread != SetId::EMPTY,
                has_mapping: arguments.has_mapping,
            },
        );
        let mut bound = BoundArguments::default();
        for (index, (parameter, filled)) in (0..).zip(parameters.iter().zip(pairing.filled)) {
            let set = match filled {
                Filled::Position(at) => {
                    // Truths are those of written arguments; the receiver is not among these.
                    let written = at.checked_sub(receivers);
                    bound.truths.set(index as usize, written.and_then(|written| arguments.truths.get(written)));
                    positional[at]
                }
                Filled::Keyword(number) => {
                    bound.truths.set(index as usize, arguments.keyword_truths.get(number));
                    arguments.keywords[number].1
                }
                Filled::Hidden => self.hidden_argument(arguments, names.hash(parameter.name), parameter.kind),
                Filled::Nothing => {
                    bound.left_out |= 1u64.checked_shl(index).unwrap_or(0);
                    let default = questions::default(function, lambda, index);
                    if parameter.has_followed_default { self.solver.read(default) } else { SetId::EMPTY }
                }
                Filled::Positionals(first) => {
                    let container = Solver::variadic_container(function, index, ParameterKind::Positionals);
                    self.solver.fill_positionals(container, &positional[first..], arguments.spread)
                }
                Filled::Keywords(numbers) => {
                    let container = Solver::variadic_container(function, index, ParameterKind::Keywords);
                    let gathered = numbers
                        .iter()
                        .map(|&number| (arguments.keywords[number].0, arguments.keyword_truths.get(number)));
                    bound.keywords = (!arguments.has_mapping).then(|| gathered.collect());
                    self.fill_keywords(container, &numbers, arguments)
                }
            };
            bound.sets.push(set);
        }
        // A method knows its receiver by its class, a wrapper of methods does not.
        let is_method = receiver.is_some() && lambda == 0 && self.solver.look.enclosing_class(function).is_some();
        self.pass_from(function, lambda, &bound.sets, usize::from(is_method));
        bound.literals = self.solver.bodies.literals_passed(&callee, arguments, receivers);
        bound
    }

    /// The elements of `*args` and `**kwargs` that may be the argument for a parameter.
    fn hidden_argument(&mut self, arguments: &Arguments, name: u64, kind: ParameterKind) -> SetId {
        // No keyword reaches it, so nothing of `**kwargs` does.
        if kind == ParameterKind::PositionalOnly {
            return arguments.spread;
        }
        let from_mapping = self.mapped(arguments.mapping, name);
        if kind == ParameterKind::KeywordOnly {
            return from_mapping;
        }
        self.solver.sets.union(arguments.spread, from_mapping)
    }

    /// The dict for `**kwargs` of a function, with the keywords that no parameter took.
    fn fill_keywords(&mut self, container: Value, numbers: &[usize], arguments: &Arguments) -> SetId {
        for &number in numbers {
            let (keyword, set) = arguments.keywords[number];
            self.solver.add_element(container, Slot::Known(keyword), set);
        }
        let rest = self.elements(arguments.mapping);
        self.solver.add_element(container, Slot::Any, rest);
        self.solver.sets.single(container, Basis::Passed)
    }

    /// Adds arguments to the cells of a function's parameters.
    pub(crate) fn pass(&mut self, function: EntityId, lambda: u32, bound: &[SetId]) {
        self.pass_from(function, lambda, bound, 1);
    }

    fn pass_from(&mut self, function: EntityId, lambda: u32, bound: &[SetId], skip: usize) {
        for (index, &set) in (0..).zip(bound).skip(skip) {
            let passed = self.as_passed(set);
            self.solver.add(questions::parameter(function, lambda, index), passed);
            if lambda == 0 {
                self.solver.pass_elements(function, index, passed);
            }
        }
    }

    fn instantiate(&mut self, class: EntityId, basis: Basis, arguments: &Arguments, place: Position) -> SetId {
        self.called.push(class);
        self.solver.emit(class, RelationshipKind::Calls, basis, place);
        let mut made = self.solver.sets.single(Value::Instance(class), basis.max(Basis::Constructed));
        let mut is_perhaps_other = false;
        if let Some((_, targets)) = self.solver.look.inherited(class, "__new__", None) {
            let receiver = self.solver.sets.single(Value::Class(class), basis);
            let given = self.call_members_with(&targets, receiver, arguments, basis, place);
            match self.solver.constructed_instead(class, given) {
                Instead::Never => {}
                // Python asks only its own objects for `__init__`.
                Instead::Always => {
                    self.solver.instantiate_later(class, place);
                    return given;
                }
                Instead::Sometimes => {
                    is_perhaps_other = true;
                    made = self.solver.sets.weaken(made, Basis::Choice);
                }
            }
            let given = self.solver.sets.only(given, is_followed_object);
            made = self.solver.sets.union(made, given);
        }
        let basis = if self.solver.sets.is_choice(made, class) { basis.max(Basis::Choice) } else { basis };
        let written = self.solver.look.inherited(class, "__init__", None);
        let constructor = self.solver.look.constructor(class, written.as_ref().map(|&(owner, _)| owner));
        match written.filter(|_| constructor != Constructor::Made) {
            Some((_, targets)) => {
                // Python runs `__init__` only on an object of the class.
                let basis = if is_perhaps_other { Basis::Choice } else { basis };
                let given = self.call_members_with(&targets, made, arguments, basis, place);
                let applied = self.solver.sets.applied_in(given);
                made = self.solver.sets.union(made, applied);
            }
            None => {
                self.construct_by_passed_bases(class, made, arguments, place);
                self.run_inherited(class, const { hash_name("__init__") }, basis, place);
                self.fill_container(class, arguments, place);
                self.solver.fill_fields(class, basis, arguments);
                let applied = self.applied_by_fields(class, arguments);
                made = self.solver.sets.union(made, applied);
            }
        }
        if constructor != Constructor::Written
            && let Some((_, targets)) = self.solver.look.inherited(class, "__post_init__", None)
        {
            self.call_members(&targets, made, &[], basis, place);
        }
        if let Some((_, targets)) = self.solver.look.inherited(class, "__del__", None) {
            // The code that makes an object is often the last to hold it.
            self.call_members(&targets, made, &[], Basis::Element, place);
        }
        let metaclass_call = self.solver.look.metaclass_call(class);
        self.call_members(&metaclass_call, SetId::EMPTY, &[], basis, place);
        if basis == Basis::SelfMember {
            self.overriding_constructors(class, place);
        }
        if self.solver.look.is_metaclass(class) {
            let bases = self.bases_given(arguments);
            made = self.solver.sets.union(made, bases);
        }
        made
    }

    /// Calls class members found by the MRO on a receiver.
    pub(crate) fn call_members(
        &mut self,
        targets: &Targets,
        receiver: SetId,
        arguments: &[SetId],
        basis: Basis,
        place: Position,
    ) -> SetId {
        self.call_members_with(targets, receiver, &Arguments::of(arguments), basis, place)
    }

    pub(crate) fn call_members_with(
        &mut self,
        targets: &Targets,
        receiver: SetId,
        arguments: &Arguments,
        basis: Basis,
        place: Position,
    ) -> SetId {
        let mut result = SetId::EMPTY;
        for &target in targets {
            let Target::Entity(entity) = target else { continue };
            if !self.solver.look.kind(entity).is_some_and(EntityKind::is_callable) {
                let given = self.call_class_variable(entity, receiver, arguments, basis, place);
                result = self.solver.sets.union(result, given);
                continue;
            }
            self.solver.emit(entity, RelationshipKind::Calls, basis.max(Basis::SelfMember), place);
            self.called.push(entity);
            let is_static = self.solver.look.flags(entity).has(EntityFlags::STATIC_METHOD);
            let bound = self.bind(entity, 0, (!is_static).then_some(receiver), arguments);
            let returned = self.result(entity, 0, &bound);
            result = self.solver.sets.union(result, returned);
        }
        result
    }
}

impl Solver<'_> {
    /// The callees of a call among the values of an expression.
    fn callees(&mut self, values: SetId) -> Callees {
        let set = self.with_fitting(values, &["__call__"]);
        let is_override = |&entry: &values::Entry| values::parts(entry).1 == Basis::Dispatched;
        let is_choice = self.sets.entries(set).iter().filter(|&entry| !is_override(entry)).count() > 1;
        Callees {
            set,
            is_choice,
            has_new_type: is_choice && self.sets.has_new_type(set),
            is_one_of_several: self.sets.holds(set, Kinds::CONTAINERS) && self.has_declared_callable(set),
        }
    }

    /// The methods that a callee stands for, each with its receiver.
    fn gather_methods(&mut self, methods: &mut Methods, callee: Value, basis: Basis) {
        match callee {
            Value::MethodsByPrefix(class, beginning) => {
                for (method, class) in self.methods_with_prefix(class, beginning) {
                    let receiver = values::entry(Value::Instance(class), basis);
                    gather(methods, method, basis, Some(receiver));
                }
            }
            Value::Bound(function, class) => {
                let is_class_method = self.look.flags(function).has(EntityFlags::CLASS_METHOD);
                let receiver = class.map(|class| {
                    let receiver = if is_class_method { Value::Class(class) } else { Value::Instance(class) };
                    values::entry(receiver, basis)
                });
                gather(methods, function, basis, receiver);
            }
            _ => {}
        }
    }

    /// The list for `*args` of a function, with the positional arguments that no parameter took.
    fn fill_positionals(&mut self, container: Value, positional: &[SetId], spread: SetId) -> SetId {
        for (offset, &set) in (0..).zip(positional) {
            self.add_element(container, Slot::index(offset), set);
        }
        self.add_element(container, Slot::Any, spread);
        self.sets.single(container, Basis::Passed)
    }

    /// Mentions the definitions that a callee names and that none of the callees is.
    fn mention_callees(&mut self, referents: &Referents, called: &[EntityId], is_unfollowed: bool, place: Position) {
        for &(target, basis) in referents {
            let Target::Entity(entity) = target else { continue };
            if is_unfollowed && self.look.kind(entity).is_some_and(EntityKind::is_callable) {
                self.emit_reference(target, basis, place, Some(RelationshipKind::Calls));
            } else if !called.contains(&entity) {
                self.emit_reference(target, basis, place, None);
            }
        }
    }
}
