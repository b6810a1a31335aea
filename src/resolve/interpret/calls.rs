//! Calls: what is called, what is passed, what comes back.

use smallvec::SmallVec;

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, NONE, Run},
        interface::ParameterKind,
    },
    model::{Basis, EntityFlags, EntityId, EntityKind, RelationshipKind},
    resolve::{
        containers,
        frameworks::rules,
        interpret::{
            Interpreter,
            arguments::{Arguments, Bound, MAX_DEPTH, MethodCall, Methods, gather, is_followed_object},
            conditional_returns::Truths,
            method_rules,
        },
        library::known::{self, Known},
        names::{Target, Targets, mro::Constructor},
        objects::Instead,
        questions,
        solver::{Solver, output::Place},
        values::{self, Kinds, SetId, Value, mark::Mark, slot::Slot},
    },
};

impl Interpreter<'_> {
    pub(crate) fn call(&mut self, expression: ExprId) -> SetId {
        let bodies = self.solver.bodies;
        let ExprKind::Call { callee, arguments, keywords } = bodies.expressions[expression as usize].kind else {
            return SetId::EMPTY;
        };
        let place = self.solver.bodies.place_of(callee);
        let mut receivers = SetId::EMPTY;
        let (set, heads) = match bodies.kind(callee) {
            Some(ExprKind::Attribute { base, name }) => {
                receivers = self.eval(*base);
                let found = self.attribute(receivers, *name, place, *base, Some((arguments, keywords)));
                let set = self.solver.known_or(callee, found.0, &found.1);
                self.solver.note(callee, set);
                self.solver.note_names(callee, &found.1);
                (set, found.1)
            }
            _ => self.head(callee),
        };
        let evaluated = self.arguments(arguments, keywords);
        self.solver.handed_to_others(callee, arguments, keywords);
        self.register_by_call(callee, set, &evaluated);
        let outer = std::mem::take(&mut self.called);
        let giver = self.solver.comes_from(expression);
        self.called_on = self.solver.parameter_called_on(receivers);
        self.applied_on = self.solver.sets.applied_in(receivers);
        let mut result = self.call_all(set, &evaluated, place);
        result = self.settled(result, receivers);
        result = self.made_of_own_class(callee, set, result);
        result = self.opened(callee, set, &evaluated, result);
        if let Some(ExprKind::Attribute { name, .. }) = bodies.kind(callee) {
            let (method, arguments) = (*name, &evaluated);
            let is_defined = !heads.is_empty();
            let call = MethodCall { callee, callees: set, receivers, method, arguments, is_defined, place };
            result = method_rules::apply(self, &call, result);
        }
        let got = self.got_by(callee, set, evaluated.first());
        result = self.solver.sets.union(result, got);
        let called = std::mem::replace(&mut self.called, outer);
        self.solver.comes_from(giver);
        self.solver.keys_passed(&called, arguments);
        let is_one_of_many = !heads.is_empty() && self.concrete(set) == SetId::TOP;
        for &(target, basis) in &heads {
            let Target::Entity(entity) = target else { continue };
            if is_one_of_many && self.solver.look.kind(entity).is_some_and(EntityKind::is_callable) {
                self.solver.mention(target, basis, place, Some(RelationshipKind::Calls));
            } else if !called.contains(&entity) {
                self.solver.mention(target, basis, place, None);
            }
        }
        result
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
                evaluated.has_stars = true;
                self.mapping_read(set, self.solver.bodies.place_of(value));
                evaluated.mapping = self.solver.sets.union(evaluated.mapping, set);
            } else {
                evaluated.keyword_truths.set(evaluated.keywords.len(), bodies.truth(value));
                evaluated.keywords.push((bodies.names.hash(NameId(name)), set));
            }
        }
        evaluated
    }

    pub(crate) fn call_all(&mut self, callees: SetId, arguments: &Arguments, place: Place) -> SetId {
        let called_on = std::mem::take(&mut self.called_on);
        let applied_on = std::mem::take(&mut self.applied_on);
        if self.depth > MAX_DEPTH {
            return SetId::EMPTY;
        }
        self.depth += 1;
        let callees = self.concrete(callees);
        let callees = self.solver.with_fitting(callees, &["__call__"]);
        let (mut result, mut of_wrapped) = (SetId::EMPTY, SetId::EMPTY);
        let mut wrappers = SmallVec::<[EntityId; 4]>::new();
        // One method of many classes is called once, on all of them.
        let mut methods = Methods::new();
        // A wrapper and what it wraps are at least two.
        let is_override = |&entry: &values::Entry| values::parts(entry).1 == Basis::Dispatched;
        let is_choice = self.solver.sets.entries(callees).iter().filter(|&entry| !is_override(entry)).count() > 1;
        let (mut of_overrides, mut of_hidden) = (SetId::EMPTY, SetId::EMPTY);
        let is_new_type = is_choice && self.solver.sets.has_new_type(callees);
        let is_one_of_several =
            self.solver.sets.holds(callees, Kinds::CONTAINERS) && self.solver.has_declared_callable(callees);
        for at in self.solver.sets.range(callees) {
            let entry = self.solver.sets.at(at);
            let (callee, mut basis) = values::parts(entry);
            if is_one_of_several && matches!(callee, Value::Instance(_)) {
                basis = basis.max(Basis::Choice);
            }
            if is_new_type && matches!(callee, Value::Instance(_)) {
                // `UserId(raw)` makes nothing: what it is given counts as one.
                let counted = self.solver.sets.single(callee, Basis::Annotated);
                result = self.solver.sets.union(result, counted);
                continue;
            }
            if let Value::MethodsByPrefix(class, beginning) = callee {
                for (method, class) in self.solver.family(class, beginning) {
                    let receiver = values::entry(Value::Instance(class), basis);
                    gather(&mut methods, method, basis, Some(receiver));
                }
                continue;
            }
            if let Value::Bound(function, class) = callee {
                let is_class_method = self.solver.look.flags(function).has(EntityFlags::CLASS_METHOD);
                let receiver = class.map(|class| {
                    let receiver = if is_class_method { Value::Class(class) } else { Value::Instance(class) };
                    values::entry(receiver, basis)
                });
                gather(&mut methods, function, basis, receiver);
                continue;
            }
            let returned = self.call_value(callee, basis, arguments, place);
            let is_wrapped =
                is_choice && matches!(callee, Value::Function(function, 0) if !self.solver.look.is_closure(function));
            if let Value::Function(function, 0) = callee {
                wrappers.push(function);
            }
            let results = match callee {
                Value::Class(_) if basis == Basis::Dispatched => &mut of_hidden,
                _ if is_wrapped => &mut of_wrapped,
                _ => &mut result,
            };
            *results = self.solver.sets.union(*results, returned);
        }
        for (function, basis, receivers) in methods {
            let receivers = self.solver.sets.of(receivers);
            let receivers = self.solver.sets.union(receivers, applied_on);
            self.say_call(function, 0, basis, place);
            let mut bound = self.bind(function, 0, Some(receivers), arguments);
            self.pass_parameter(function, called_on, &mut bound);
            let returned = self.result(function, 0, &bound);
            if basis == Basis::Dispatched {
                of_overrides = self.solver.sets.union(of_overrides, returned);
                continue;
            }
            let is_wrapped = is_choice && !self.solver.look.is_closure(function);
            wrappers.push(function);
            let results = if is_wrapped { &mut of_wrapped } else { &mut result };
            *results = self.solver.sets.union(*results, returned);
        }
        self.depth -= 1;
        let result = self.solver.handed_on(&wrappers, result, of_wrapped);
        let result =
            if self.solver.sets.holds(callees, Kinds::APPLIED) { self.settled(result, callees) } else { result };
        // A class that makes no instance, and a method that gives nothing, leave that to those that hide it.
        let result = if self.solver.sets.holds(result, Kinds::INSTANCES) {
            result
        } else {
            self.solver.sets.union(result, of_hidden)
        };
        if self.solver.sets.is_nothing_followed(result) { self.solver.sets.union(result, of_overrides) } else { result }
    }

    /// Calls a set of values with given argument sets.
    pub(crate) fn call_sets(&mut self, callees: SetId, arguments: &[SetId], place: Place) -> SetId {
        self.call_all(callees, &Arguments::of(arguments), place)
    }

    fn call_value(&mut self, callee: Value, basis: Basis, arguments: &Arguments, place: Place) -> SetId {
        match callee {
            Value::Function(function, lambda) => {
                self.say_call(function, lambda, basis, place);
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
                    if is_maker { self.made_by(class) } else { given }
                }
                None => self.made_by(class),
            },
            // `Box[Item]()`
            Value::Applied(..) => self.solver.sets.single(callee, basis),
            Value::DependsOnCall(function, Mark::Generic) => self.dispatched(function, arguments, place),
            Value::External(hash) => self.call_external(hash, arguments, place),
            Value::ExternalInstance(hash) if matches!(known::known(hash), Some(Known::EnterContext | Known::Task)) => {
                self.call_external(hash, arguments, place)
            }
            Value::Container(_, site) if containers::is_reference(site) => {
                let reference = self.solver.sets.single(callee, basis);
                self.elements(reference)
            }
            Value::ExternalInstance(hash) => {
                let given = self.hand_over(hash, arguments, place);
                let object = rules().gives(hash).unwrap_or(hash);
                let object = self.solver.sets.single(Value::ExternalInstance(object), Basis::Returned);
                self.solver.sets.union(given, object)
            }
            _ => SetId::EMPTY,
        }
    }

    pub(crate) fn say_call(&mut self, function: EntityId, lambda: u32, basis: Basis, place: Place) {
        self.called.push(function);
        if lambda == 0 || function != self.solver.entity {
            self.solver.edge(function, RelationshipKind::Calls, basis, place);
        }
    }

    /// The set for each parameter; tells the parameters what they are given.
    pub(crate) fn bind(
        &mut self,
        function: EntityId,
        lambda: u32,
        receiver: Option<SetId>,
        arguments: &Arguments,
    ) -> Bound {
        let Some(place) = self.solver.look.signature(function, lambda) else { return Bound::default() };
        let (info, signature) = (&place.info, place.signature());
        let positional: SmallVec<[SetId; 8]> =
            receiver.into_iter().chain(arguments.positional.iter().copied()).collect();
        let mut bound: SmallVec<[SetId; 8]> = smallvec::smallvec![SetId::EMPTY; signature.parameters.len()];
        let mut left_out = 0;
        let is_written_out = arguments.spread == SetId::EMPTY && !arguments.has_stars;
        let mut used = SmallVec::<[u64; 4]>::new();
        let mut truths = Truths::default();
        let mut next = 0;
        for (index, parameter) in signature.parameters.iter().enumerate() {
            let name = info.interface.names.hash(parameter.name);
            let by_keyword = arguments.keywords.iter().position(|(keyword, _)| *keyword == name);
            bound[index] = match parameter.kind {
                ParameterKind::PositionalOnly | ParameterKind::Ordinary if next < positional.len() => {
                    let written = next.checked_sub(usize::from(receiver.is_some()));
                    truths.set(index, written.and_then(|written| arguments.truths.get(written)));
                    next += 1;
                    positional[next - 1]
                }
                ParameterKind::PositionalOnly => arguments.spread,
                ParameterKind::Ordinary | ParameterKind::KeywordOnly => {
                    if let Some(place) = by_keyword {
                        used.push(name);
                        truths.set(index, arguments.keyword_truths.get(place));
                        arguments.keywords[place].1
                    } else if is_written_out {
                        left_out |= 1u64.checked_shl(u32::try_from(index).unwrap_or(64)).unwrap_or(0);
                        if parameter.has_followed_default {
                            let position = u32::try_from(index).unwrap_or(0);
                            self.solver.read(questions::default(function, lambda, position))
                        } else {
                            SetId::EMPTY
                        }
                    } else {
                        let from_mapping = self.mapped(arguments.mapping, name);
                        if parameter.kind == ParameterKind::Ordinary {
                            self.solver.sets.union(arguments.spread, from_mapping)
                        } else {
                            from_mapping
                        }
                    }
                }
                ParameterKind::Positionals => {
                    let position = u32::try_from(index).unwrap_or(0);
                    let container = Solver::gathered(function, position, parameter.kind);
                    for (offset, &set) in (0..).zip(positional.get(next..).unwrap_or_default()) {
                        self.solver.add_element(container, Slot::index(offset), set);
                    }
                    self.solver.add_element(container, Slot::Any, arguments.spread);
                    next = positional.len();
                    self.solver.sets.single(container, Basis::Passed)
                }
                ParameterKind::Keywords => {
                    let position = u32::try_from(index).unwrap_or(0);
                    let container = Solver::gathered(function, position, parameter.kind);
                    for &(keyword, set) in &arguments.keywords {
                        if !used.contains(&keyword) {
                            self.solver.add_element(container, Slot::Known(keyword), set);
                        }
                    }
                    let rest = self.elements(arguments.mapping);
                    self.solver.add_element(container, Slot::Any, rest);
                    self.solver.sets.single(container, Basis::Passed)
                }
            };
        }
        // A method knows its receiver by its class, a wrapper of methods does not.
        let is_method = receiver.is_some() && lambda == 0 && self.solver.look.enclosing_class(function).is_some();
        self.pass_from(function, lambda, &bound, usize::from(is_method));
        let literals = self.solver.bodies.literals_passed(&place, arguments, usize::from(receiver.is_some()));
        Bound { sets: bound, left_out, literals, truths }
    }

    /// Tells the parameters of a function what they are given.
    pub(crate) fn pass(&mut self, function: EntityId, lambda: u32, bound: &[SetId]) {
        self.pass_from(function, lambda, bound, 1);
    }

    fn pass_from(&mut self, function: EntityId, lambda: u32, bound: &[SetId], skip: usize) {
        for (index, &set) in (0..).zip(bound).skip(skip) {
            let passed = self.as_passed(set);
            self.solver.add(questions::parameter(function, lambda, index), passed);
        }
    }

    fn instantiate(&mut self, class: EntityId, basis: Basis, arguments: &Arguments, place: Place) -> SetId {
        self.called.push(class);
        self.solver.edge(class, RelationshipKind::Calls, basis, place);
        let mut made = self.solver.sets.single(Value::Instance(class), basis.max(Basis::Constructed));
        let mut is_perhaps_other = false;
        if let Some((_, targets)) = self.solver.look.inherited(class, "__new__", None) {
            let receiver = self.solver.sets.single(Value::Class(class), basis);
            let given = self.call_members_with(&targets, receiver, arguments, basis, place);
            match self.solver.given_instead(class, given) {
                Instead::Never => {}
                // Python asks only its own objects for `__init__`.
                Instead::Always => {
                    self.solver.left_to_others(class, place);
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
                // Python initializes only what is of the class.
                let basis = if is_perhaps_other { Basis::Choice } else { basis };
                let given = self.call_members_with(&targets, made, arguments, basis, place);
                let applied = self.solver.sets.applied_in(given);
                made = self.solver.sets.union(made, applied);
            }
            None => {
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
            // Who makes an object is often the last to hold it.
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
        place: Place,
    ) -> SetId {
        self.call_members_with(targets, receiver, &Arguments::of(arguments), basis, place)
    }

    fn call_members_with(
        &mut self,
        targets: &Targets,
        receiver: SetId,
        arguments: &Arguments,
        basis: Basis,
        place: Place,
    ) -> SetId {
        let mut result = SetId::EMPTY;
        for &target in targets {
            let Target::Entity(entity) = target else { continue };
            if !self.solver.look.kind(entity).is_some_and(EntityKind::is_callable) {
                let given = self.call_kept(entity, receiver, arguments, basis, place);
                result = self.solver.sets.union(result, given);
                continue;
            }
            self.solver.edge(entity, RelationshipKind::Calls, basis.max(Basis::SelfMember), place);
            self.called.push(entity);
            let is_static = self.solver.look.flags(entity).has(EntityFlags::STATIC_METHOD);
            let bound = self.bind(entity, 0, (!is_static).then_some(receiver), arguments);
            let returned = self.result(entity, 0, &bound);
            result = self.solver.sets.union(result, returned);
        }
        result
    }
}
