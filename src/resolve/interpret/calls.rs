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
        containers::constructors,
        engine::{Solver, output::Place},
        frameworks::rules,
        interpret::conditional_returns::{Keywords, Truths},
        library::known::{self, Known},
        names::{Target, Targets, mro::Constructor},
        objects::Instead,
        questions,
        values::{self, Kinds, SetId, Sets, Value, mark::Mark, slot::Slot},
    },
};

/// How deep calls of called values are followed within one expression.
const MAX_DEPTH: u32 = 6;

/// Evaluated arguments.
#[derive(Default)]
pub(crate) struct Arguments {
    pub(crate) positional: SmallVec<[SetId; 6]>,
    /// By hash of the keyword.
    pub(crate) keywords: SmallVec<[(u64, SetId); 4]>,
    /// Elements of `*args`, which may stand for any further positional argument.
    pub(crate) spread: SetId,
    /// Containers given as `**kwargs`.
    pub(crate) mapping: SetId,
    /// What of both is written out as true or false.
    truths: Truths,
    keyword_truths: Truths,
    /// There is a `*` or `**`, whatever it holds.
    has_stars: bool,
    /// There is a `**`.
    has_mapping: bool,
    /// The expressions themselves.
    pub(crate) written: Run,
    /// The keyword arguments as they are written.
    named: Run,
}

/// What a call passes: a set for each parameter.
#[derive(Clone, Default)]
pub(crate) struct Bound {
    pub(crate) sets: SmallVec<[SetId; 8]>,
    /// Parameters that are left out, as bits.
    pub(crate) left_out: u64,
    /// Literals that are written out, for functions with overloads.
    pub(crate) literals: SmallVec<[(u32, u64); 2]>,
    pub(crate) truths: Truths,
    pub(crate) keywords: Keywords,
}

impl Bound {
    /// The first parameters and nothing else.
    pub(crate) fn of(sets: &[SetId]) -> Self {
        Bound { sets: sets.iter().copied().collect(), ..Bound::default() }
    }

    pub(crate) fn passed(&self, index: u32) -> SetId {
        self.sets.get(index as usize).copied().unwrap_or(SetId::EMPTY)
    }

    pub(crate) fn is_left_out(&self, index: u32) -> bool {
        index < 64 && self.left_out >> index & 1 == 1
    }
}

impl Arguments {
    pub(crate) fn of(sets: &[SetId]) -> Self {
        Arguments { positional: sets.iter().copied().collect(), ..Arguments::default() }
    }

    /// Any number of positional arguments, each one of these values.
    pub(crate) fn of_elements(spread: SetId) -> Self {
        Arguments { spread, has_stars: true, ..Arguments::default() }
    }

    /// The arguments from a position on.
    pub(crate) fn after(&self, position: usize) -> Self {
        Arguments {
            positional: self.positional.iter().skip(position).copied().collect(),
            keywords: self.keywords.clone(),
            keyword_truths: self.keyword_truths,
            spread: self.spread,
            mapping: self.mapping,
            has_stars: self.has_stars,
            has_mapping: self.has_mapping,
            ..Arguments::default()
        }
    }

    pub(crate) fn named(&self) -> Run {
        self.named
    }

    pub(crate) fn written(&self) -> Run {
        self.written
    }

    pub(crate) fn first(&self) -> SetId {
        self.positional.first().copied().unwrap_or(self.spread)
    }
}

/// Methods to call, each with the strongest basis and what it is called on.
type Methods = SmallVec<[(EntityId, Basis, Vec<values::Entry>); 4]>;

fn gather(methods: &mut Methods, method: EntityId, basis: Basis, receiver: Option<values::Entry>) {
    match methods.iter_mut().find(|(other, ..)| *other == method) {
        Some((_, strongest, receivers)) => {
            *strongest = basis.min(*strongest);
            receivers.extend(receiver);
        }
        None => methods.push((method, basis, receiver.into_iter().collect())),
    }
}

impl Solver<'_> {
    pub(crate) fn call(&mut self, expression: ExprId) -> SetId {
        let bodies = self.bodies;
        let ExprKind::Call { callee, arguments, keywords } = bodies.expressions[expression as usize].kind else {
            return SetId::EMPTY;
        };
        let place = self.place_of(callee);
        let mut receivers = SetId::EMPTY;
        let (set, heads) = match bodies.kind(callee) {
            Some(ExprKind::Attribute { base, name }) => {
                receivers = self.eval(*base);
                let found = self.attribute(receivers, *name, place, *base, Some((arguments, keywords)));
                let set = self.known_or(callee, found.0, &found.1);
                self.note(callee, set);
                self.note_names(callee, &found.1);
                (set, found.1)
            }
            _ => self.head(callee),
        };
        let evaluated = self.arguments(arguments, keywords);
        self.handed_to_others(callee, arguments, keywords);
        self.register_by_call(callee, set, &evaluated);
        let outer = std::mem::take(&mut self.called);
        let giver = self.comes_from(expression);
        self.called_on = self.parameter_called_on(receivers);
        self.applied_on = self.applied_in(receivers);
        let mut result = self.call_all(set, &evaluated, place);
        result = self.settled(result, receivers);
        result = self.made_of_own_class(callee, set, result);
        result = self.opened(callee, set, &evaluated, result);
        if let Some(ExprKind::Attribute { name, .. }) = bodies.kind(callee) {
            let from_container = self.container_call(receivers, *name, &evaluated, place);
            result = self.sets.union(result, from_container);
            result = self.managers_given(receivers, *name, &evaluated, result, place);
            self.run_members(receivers, *name, place);
            let of_own = self.mixed_in_call(receivers, *name, &evaluated, place);
            result = self.sets.union(result, of_own);
            let keyed = self.keyed_call(receivers, *name, &evaluated, place);
            result = self.sets.union(result, keyed);
            let member = self.dict_call(callee, *name, &evaluated, place);
            result = self.sets.union(result, member);
            let of_tuple = self.tuple_call(receivers, *name, &evaluated);
            result = self.sets.union(result, of_tuple);
            self.joined(receivers, *name, &evaluated, place);
            self.formatted_by(receivers, callee, &evaluated, place);
            if heads.is_empty() {
                self.asserted(*name, &evaluated, place);
            }
            let derived = self.subclasses_given(receivers, *name, place);
            result = self.sets.union(result, derived);
            let begun = self.text_call(receivers, callee, *name);
            result = self.sets.union(result, begun);
            let asked = self.asked_by_name(receivers, *name, &evaluated, place);
            result = self.sets.union(result, asked);
            let parts = self.parts_of_texts(receivers, *name, &evaluated);
            result = self.sets.union(result, parts);
            self.named_attribute(set, &evaluated);
            self.patched_members(callee, &evaluated);
            self.signalled(set, callee, &evaluated, place);
            let by_name = self.fixture_by_name(*name, arguments);
            result = self.sets.union(result, by_name);
        }
        let got = self.got_by(callee, set, evaluated.first());
        result = self.sets.union(result, got);
        let called = std::mem::replace(&mut self.called, outer);
        self.comes_from(giver);
        self.keys_passed(&called, arguments);
        let is_one_of_many = !heads.is_empty() && self.concrete(set) == SetId::TOP;
        for &(target, basis) in &heads {
            let Target::Entity(entity) = target else { continue };
            if is_one_of_many && self.kind(entity).is_some_and(EntityKind::is_callable) {
                self.mention(target, basis, place, Some(RelationshipKind::Calls));
            } else if !called.contains(&entity) {
                self.mention(target, basis, place, None);
            }
        }
        result
    }

    fn arguments(&mut self, arguments: Run, keywords: Run) -> Arguments {
        let bodies = self.bodies;
        let mut evaluated = Arguments { written: arguments, named: keywords, ..Arguments::default() };
        for &argument in bodies.list(arguments) {
            let set = self.eval(argument);
            if argument != NONE && matches!(bodies.expressions[argument as usize].kind, ExprKind::Starred(_)) {
                evaluated.has_stars = true;
                let elements = self.iterate(set, self.place_of(argument), 0);
                evaluated.spread = self.sets.union(evaluated.spread, elements);
            } else {
                evaluated.truths.set(evaluated.positional.len(), bodies.truth(argument));
                evaluated.positional.push(set);
            }
        }
        for &(name, value) in bodies.keywords(keywords) {
            let set = self.eval(value);
            if name == NONE {
                (evaluated.has_stars, evaluated.has_mapping) = (true, true);
                self.mapping_read(set, self.place_of(value));
                evaluated.mapping = self.sets.union(evaluated.mapping, set);
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
        let callees = self.with_fitting(callees, &["__call__"]);
        let (mut result, mut of_wrapped) = (SetId::EMPTY, SetId::EMPTY);
        let mut wrappers = SmallVec::<[EntityId; 4]>::new();
        // One method of many classes is called once, on all of them.
        let mut methods = Methods::new();
        // A wrapper and what it wraps are at least two.
        let is_override = |&entry: &values::Entry| values::parts(entry).1 == Basis::Dispatched;
        let is_choice = self.sets.entries(callees).iter().filter(|&entry| !is_override(entry)).count() > 1;
        let (mut of_overrides, mut of_hidden) = (SetId::EMPTY, SetId::EMPTY);
        let is_new_type = is_choice && self.has_new_type(callees);
        let is_one_of_several = self.sets.holds(callees, Kinds::CONTAINERS) && self.has_declared_callable(callees);
        for at in self.sets.range(callees) {
            let entry = self.sets.at(at);
            let (callee, mut basis) = values::parts(entry);
            if is_one_of_several && matches!(callee, Value::Instance(_)) {
                basis = basis.max(Basis::Choice);
            }
            if is_new_type && matches!(callee, Value::Instance(_)) {
                // `UserId(raw)` makes nothing: what it is given counts as one.
                let counted = self.sets.single(callee, Basis::Annotated);
                result = self.sets.union(result, counted);
                continue;
            }
            if let Value::MethodsByPrefix(class, beginning) = callee {
                for (method, class) in self.family(class, beginning) {
                    let receiver = values::entry(Value::Instance(class), basis);
                    gather(&mut methods, method, basis, Some(receiver));
                }
                continue;
            }
            if let Value::Bound(function, class) = callee {
                let is_class_method = self.look.flags(function).has(EntityFlags::CLASS_METHOD);
                let receiver = class.map(|class| {
                    let receiver = if is_class_method { Value::Class(class) } else { Value::Instance(class) };
                    values::entry(receiver, basis)
                });
                gather(&mut methods, function, basis, receiver);
                continue;
            }
            let returned = self.call_value(callee, basis, arguments, place);
            let is_wrapped = is_choice && matches!(callee, Value::Function(function, 0) if !self.is_closure(function));
            if let Value::Function(function, 0) = callee {
                wrappers.push(function);
            }
            let results = match callee {
                Value::Class(_) if basis == Basis::Dispatched => &mut of_hidden,
                _ if is_wrapped => &mut of_wrapped,
                _ => &mut result,
            };
            *results = self.sets.union(*results, returned);
        }
        for (function, basis, receivers) in methods {
            let receivers = self.sets.of(receivers);
            let receivers = self.sets.union(receivers, applied_on);
            self.say_call(function, 0, basis, place);
            let mut bound = self.bind(function, 0, Some(receivers), arguments);
            self.pass_parameter(function, called_on, &mut bound);
            let returned = self.result(function, 0, &bound);
            if basis == Basis::Dispatched {
                of_overrides = self.sets.union(of_overrides, returned);
                continue;
            }
            let is_wrapped = is_choice && !self.is_closure(function);
            wrappers.push(function);
            let results = if is_wrapped { &mut of_wrapped } else { &mut result };
            *results = self.sets.union(*results, returned);
        }
        self.depth -= 1;
        let result = self.handed_on(&wrappers, result, of_wrapped);
        let result = if self.sets.holds(callees, Kinds::APPLIED) { self.settled(result, callees) } else { result };
        // A class that makes no instance, and a method that gives nothing, leave that to those that hide it.
        let result =
            if self.sets.holds(result, Kinds::INSTANCES) { result } else { self.sets.union(result, of_hidden) };
        if self.is_nothing_followed(result) { self.sets.union(result, of_overrides) } else { result }
    }

    /// What a call of wrappers and of what they wrap gives. A wrapper that hands on what the wrapped function returns
    /// gives, at this call, that and nothing that it hands on for others.
    fn handed_on(&mut self, callees: &[EntityId], of_wrappers: SetId, of_wrapped: SetId) -> SetId {
        let followed = self.only(of_wrapped, |value| !matches!(value, Value::External(_) | Value::ExternalInstance(_)));
        if followed == SetId::EMPTY || of_wrappers == SetId::EMPTY {
            return self.sets.union(of_wrappers, of_wrapped);
        }
        let given = |sets: &Sets, value: u64| sets.entries(of_wrappers).iter().any(|&entry| entry >> 4 == value);
        let is_handed_on = self.sets.entries(followed).iter().all(|&entry| given(&self.sets, entry >> 4))
            || callees.iter().any(|&callee| self.hands_on(callee));
        if is_handed_on { of_wrapped } else { self.sets.union(of_wrappers, of_wrapped) }
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
            Value::Instance(class) => match self.look.inherited(class, "__call__", None) {
                Some((_, targets)) => {
                    let receiver = self.sets.single(Value::Instance(class), basis);
                    let given = self.call_members_with(&targets, receiver, arguments, basis, place);
                    // `super().__call__(…)` in a metaclass makes the object.
                    let is_maker = self.is_nothing_followed(given) && self.is_metaclass(class);
                    if is_maker { self.made_by(class) } else { given }
                }
                None => self.made_by(class),
            },
            // `Box[Item]()`
            Value::Applied(..) => self.sets.single(callee, basis),
            Value::DependsOnCall(function, Mark::Generic) => self.dispatched(function, arguments, place),
            Value::External(hash) => self.call_external(hash, arguments, place),
            Value::ExternalInstance(hash) if matches!(known::known(hash), Some(Known::EnterContext | Known::Task)) => {
                self.call_external(hash, arguments, place)
            }
            Value::Container(_, site) if constructors::is_reference(site) => {
                let reference = self.sets.single(callee, basis);
                self.elements(reference)
            }
            Value::ExternalInstance(hash) => {
                let given = self.hand_over(hash, arguments, place);
                let object = rules().gives(hash).unwrap_or(hash);
                let object = self.sets.single(Value::ExternalInstance(object), Basis::Returned);
                self.sets.union(given, object)
            }
            _ => SetId::EMPTY,
        }
    }

    pub(crate) fn say_call(&mut self, function: EntityId, lambda: u32, basis: Basis, place: Place) {
        self.called.push(function);
        if lambda == 0 || function != self.entity {
            self.edge(function, RelationshipKind::Calls, basis, place);
        }
    }

    // --- arguments and results ---------------------------------------------------------------------------------

    /// The set for each parameter; tells the parameters what they are given.
    pub(crate) fn bind(
        &mut self,
        function: EntityId,
        lambda: u32,
        receiver: Option<SetId>,
        arguments: &Arguments,
    ) -> Bound {
        let Some(place) = self.look.signature(function, lambda) else { return Bound::default() };
        let (info, signature) = (&place.info, place.signature());
        let positional: SmallVec<[SetId; 8]> =
            receiver.into_iter().chain(arguments.positional.iter().copied()).collect();
        let mut bound: SmallVec<[SetId; 8]> = smallvec::smallvec![SetId::EMPTY; signature.parameters.len()];
        let mut left_out = 0;
        let is_written_out = arguments.spread == SetId::EMPTY && !arguments.has_stars;
        let mut used = SmallVec::<[u64; 4]>::new();
        let mut truths = Truths::default();
        let mut others = None;
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
                            self.read(questions::default(function, lambda, position))
                        } else {
                            SetId::EMPTY
                        }
                    } else {
                        let from_mapping = self.mapped(arguments.mapping, name);
                        if parameter.kind == ParameterKind::Ordinary {
                            self.sets.union(arguments.spread, from_mapping)
                        } else {
                            from_mapping
                        }
                    }
                }
                ParameterKind::Positionals => {
                    let position = u32::try_from(index).unwrap_or(0);
                    let container = Solver::gathered(function, position, parameter.kind);
                    for (offset, &set) in (0..).zip(positional.get(next..).unwrap_or_default()) {
                        self.add_element(container, Slot::index(offset), set);
                    }
                    self.add_element(container, Slot::Any, arguments.spread);
                    next = positional.len();
                    self.sets.single(container, Basis::Passed)
                }
                ParameterKind::Keywords => {
                    let position = u32::try_from(index).unwrap_or(0);
                    let container = Solver::gathered(function, position, parameter.kind);
                    let mut gathered = SmallVec::new();
                    for (place, &(keyword, set)) in arguments.keywords.iter().enumerate() {
                        if !used.contains(&keyword) {
                            self.add_element(container, Slot::Known(keyword), set);
                            gathered.push((keyword, arguments.keyword_truths.get(place)));
                        }
                    }
                    others = (!arguments.has_mapping).then_some(gathered);
                    let rest = self.elements(arguments.mapping);
                    self.add_element(container, Slot::Any, rest);
                    self.sets.single(container, Basis::Passed)
                }
            };
        }
        // A method knows its receiver by its class, a wrapper of methods does not.
        let is_method = receiver.is_some() && lambda == 0 && self.look.enclosing_class(function).is_some();
        self.pass_from(function, lambda, &bound, usize::from(is_method));
        let literals = self.literals_passed(&place, arguments, usize::from(receiver.is_some()));
        Bound { sets: bound, left_out, literals, truths, keywords: others }
    }

    /// Tells the parameters of a function what they are given.
    pub(crate) fn pass(&mut self, function: EntityId, lambda: u32, bound: &[SetId]) {
        self.pass_from(function, lambda, bound, 1);
    }

    fn pass_from(&mut self, function: EntityId, lambda: u32, bound: &[SetId], skip: usize) {
        for (index, &set) in (0..).zip(bound).skip(skip) {
            let passed = self.as_passed(set);
            self.add(questions::parameter(function, lambda, index), passed);
        }
    }

    // --- classes -----------------------------------------------------------------------------------------------

    fn instantiate(&mut self, class: EntityId, basis: Basis, arguments: &Arguments, place: Place) -> SetId {
        self.called.push(class);
        self.edge(class, RelationshipKind::Calls, basis, place);
        let mut made = self.sets.single(Value::Instance(class), basis.max(Basis::Constructed));
        let mut is_perhaps_other = false;
        if let Some((_, targets)) = self.look.inherited(class, "__new__", None) {
            let receiver = self.sets.single(Value::Class(class), basis);
            let given = self.call_members_with(&targets, receiver, arguments, basis, place);
            match self.given_instead(class, given) {
                Instead::Never => {}
                // Python asks only its own objects for `__init__`.
                Instead::Always => {
                    self.left_to_others(class, place);
                    return given;
                }
                Instead::Sometimes => {
                    is_perhaps_other = true;
                    made = self.sets.weaken(made, Basis::Choice);
                }
            }
            let given = self.only(given, is_followed_object);
            made = self.sets.union(made, given);
        }
        let basis = if self.is_choice(made, class) { basis.max(Basis::Choice) } else { basis };
        let written = self.look.inherited(class, "__init__", None);
        let constructor = self.look.constructor(class, written.as_ref().map(|&(owner, _)| owner));
        match written.filter(|_| constructor != Constructor::Made) {
            Some((_, targets)) => {
                // Python initializes only what is of the class.
                let basis = if is_perhaps_other { Basis::Choice } else { basis };
                let given = self.call_members_with(&targets, made, arguments, basis, place);
                let applied = self.applied_in(given);
                made = self.sets.union(made, applied);
            }
            None => {
                self.fill_fields(class, basis, arguments);
                let applied = self.applied_by_fields(class, arguments);
                made = self.sets.union(made, applied);
            }
        }
        if constructor != Constructor::Written
            && let Some((_, targets)) = self.look.inherited(class, "__post_init__", None)
        {
            self.call_members(&targets, made, &[], basis, place);
        }
        if let Some((_, targets)) = self.look.inherited(class, "__del__", None) {
            // Who makes an object is often the last to hold it.
            self.call_members(&targets, made, &[], Basis::Element, place);
        }
        let metaclass_call = self.metaclass_call(class);
        self.call_members(&metaclass_call, SetId::EMPTY, &[], basis, place);
        if basis == Basis::SelfMember {
            self.overriding_constructors(class, place);
        }
        if self.is_metaclass(class) {
            let bases = self.bases_given(arguments);
            made = self.sets.union(made, bases);
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
            if !self.kind(entity).is_some_and(EntityKind::is_callable) {
                let given = self.call_kept(entity, receiver, arguments, basis, place);
                result = self.sets.union(result, given);
                continue;
            }
            self.edge(entity, RelationshipKind::Calls, basis.max(Basis::SelfMember), place);
            self.called.push(entity);
            let is_static = self.look.flags(entity).has(EntityFlags::STATIC_METHOD);
            let bound = self.bind(entity, 0, (!is_static).then_some(receiver), arguments);
            let returned = self.result(entity, 0, &bound);
            result = self.sets.union(result, returned);
        }
        result
    }
}

/// Whether it is known what a `__new__` gives: an object, or `partial` of a class or function.
fn is_followed_object(value: Value) -> bool {
    matches!(value, Value::Instance(_) | Value::Class(_) | Value::Function(..) | Value::Bound(..))
}
