//! Results that depend on the class of the receiver: overrides, `return self`, single dispatch.

use smallvec::SmallVec;

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, NONE, Run},
        hash_name,
    },
    model::{Basis, EntityFlags, EntityId, EntityKind, Position, RelationshipKind},
    resolve::{
        interpret::{
            Interpreter,
            attributes::member_values::{FoundMember, SubtypeMembers, add_referents, member_referents},
            calls::arguments::{Arguments, BoundArguments},
        },
        names::{Referents, Target, Targets},
        objects::{
            overrides::is_to_call,
            receiver_dependent::{Dependent, MAX_DERIVED},
            single_dispatch::{Implementations, Reach},
        },
        values::{self, Kinds, SetId, Value, mark::Mark, questions},
    },
};

impl Interpreter<'_> {
    /// Members that none of these classes has, but classes derived from them: the object must be an instance of one of
    /// those.
    pub(crate) fn derived_members(
        &mut self,
        classes: &[(EntityId, Basis)],
        name: &str,
        place: Position,
    ) -> FoundMember {
        let (mut set, mut referents) = (SetId::EMPTY, Referents::new());
        for &(class, _) in classes {
            for derived in self.solver.subclasses(class) {
                // Its own, or of another base.
                let Some((_, targets)) = self.solver.look.inherited(derived, name, None) else { continue };
                let values = self.member_values(derived, name, &targets, Basis::Dispatched, Some(place));
                set = self.solver.sets.union(set, values);
                add_referents(&mut referents, member_referents(&mut self.solver, &targets, Basis::Dispatched));
            }
        }
        let is_missing = referents.is_empty();
        FoundMember { set, referents, is_missing }
    }

    /// The overrides of a member of `self`, or of the receiver of a class method, in derived classes. `own` and `held`
    /// are the member and the value of its own class: methods of both count, values only where its own class has none.
    pub(crate) fn overriding_members(
        &mut self,
        receivers: SetId,
        name: &str,
        place: Position,
        own: &Referents,
        held: SetId,
    ) -> SubtypeMembers {
        let mut found = SubtypeMembers { set: SetId::EMPTY, referents: Referents::new(), is_open: false };
        // One list holds the elements of the lists of all derived classes.
        let mut listed = SetId::EMPTY;
        let is_without_value = self.solver.sets.is_nothing_followed(held);
        let own_targets = own.iter().map(|&(head, _)| head).collect::<Targets>();
        let is_method = !own.is_empty() && self.solver.look.are_callable(&own_targets);
        let mut all_have = |has: fn(EntityFlags) -> bool| {
            let is_such = |&(head, _): &(Target, Basis)| matches!(head, Target::Entity(entity) if has(self.solver.look.flags(entity)));
            !own.is_empty() && own.iter().all(is_such)
        };
        let (is_left_open, is_hook) = (all_have(EntityFlags::is_left_open), all_have(EntityFlags::is_hook));
        for at in self.solver.sets.range(receivers) {
            let (receiver, basis) = values::parts(self.solver.sets.at(at));
            let (class, instance) = match receiver {
                Value::Instance(class) => (class, Some(place)),
                Value::Class(class) => (class, None),
                _ => continue,
            };
            // A derived class must define a member that its own class leaves open. It may override one that does
            // nothing, but an annotated receiver, or an item of many, can still be an instance of its own class.
            let is_protocol = self.solver.look.is_protocol(class);
            let is_left_open = is_left_open || basis > Basis::Constructed && is_protocol;
            let is_of_derived = basis == Basis::SelfMember
                || is_left_open && basis > Basis::Constructed
                || is_hook && (basis == Basis::Annotated || basis == Basis::Element && !is_protocol);
            if !is_of_derived {
                continue;
            }
            let how = if basis == Basis::SelfMember { Basis::Dispatched } else { Basis::Choice };
            let of_derived = self.solver.members_of_derived(class, name);
            if of_derived.are_too_many && own.is_empty() {
                found.set = SetId::TOP;
                found.is_open = true;
            }
            for (derived, targets) in of_derived.each.iter() {
                let derived = *derived;
                let is_own = targets.iter().any(|target| own.iter().any(|(head, _)| head == target));
                if !own.is_empty() && !self.solver.look.are_callable(targets) {
                    // A derived class may assign a value that the base leaves empty, the class to instantiate, another
                    // method in place of the base's, or a descriptor.
                    let values = self.solver.read(questions::attribute(derived, hash_name(name)));
                    let values = self.solver.sets.weaken(values, how);
                    let (values, given) = match instance {
                        Some(place) => self.read_properties(values, derived, place),
                        None => (values, SetId::EMPTY),
                    };
                    let read = self.run_getters(values, instance.map(|_| how), derived, place);
                    let values = if is_without_value {
                        values
                    } else {
                        let elements = self.elements(values);
                        let elements = self.solver.sets.only(elements, is_to_call);
                        listed = self.solver.sets.union(listed, elements);
                        let is_meant = |value| matches!(value, Value::Class(_)) || is_method && is_to_call(value);
                        self.solver.sets.only(values, is_meant)
                    };
                    for values in [values, given, read] {
                        let values = self.solver.sets.weaken(values, how);
                        found.set = self.solver.sets.union(found.set, values);
                    }
                    continue;
                }
                if is_own {
                    continue;
                }
                let values = self.member_values(derived, name, targets, how, instance);
                if instance.is_none() {
                    self.run_getters(values, None, derived, place);
                }
                if is_without_value || self.solver.sets.has_functions(values) {
                    found.set = self.solver.sets.union(found.set, values);
                }
                add_referents(&mut found.referents, member_referents(&mut self.solver, targets, how));
            }
        }
        if listed != SetId::EMPTY {
            let listed = self.solver.container_made(listed, place, false);
            found.set = self.solver.sets.union(found.set, listed);
        }
        found
    }

    /// `cls(…)`: the overriding constructors of derived classes. They get no arguments: too few of them are called with
    /// these.
    pub(crate) fn overriding_constructors(&mut self, class: EntityId, place: Position) {
        for name in ["__new__", "__init__"] {
            for (_, targets) in self.solver.members_of_derived(class, name).each.iter() {
                self.call_members(targets, SetId::EMPTY, &[], Basis::Dispatched, place);
            }
        }
    }

    /// Publishes the assigned or returned `value`, which is `own` here, for each derived class. The result is a mark
    /// that it did, or nothing.
    pub(crate) fn note_by_receiver(&mut self, dependent: Dependent, value: ExprId, own: SetId) -> SetId {
        let Some((member, is_called)) = self.solver.member_of_receiver(value) else { return SetId::EMPTY };
        let method = self.solver.entity;
        let Some(class) = self.solver.look.enclosing_class(method) else { return SetId::EMPTY };
        if self.solver.look.flags(method).has(EntityFlags::STATIC_METHOD) {
            return SetId::EMPTY;
        }
        let name = self.solver.bodies.names.text(member);
        let members = self.solver.own_members(class, name);
        let mut is_noted = false;
        if members.is_empty() && is_called {
            is_noted = self.solver.note_passed_through(dependent, class, name);
        } else if members.len() <= MAX_DERIVED {
            for (derived, targets) in members {
                let given = self.value_of_member(derived, name, &targets, is_called);
                is_noted |= self.solver.note_on_class(dependent, derived, given);
            }
        }
        if !is_noted {
            return SetId::EMPTY;
        }
        let own = self.solver.sets.only(own, |value| !matches!(value, Value::DependsOnCall(..)));
        self.solver.add(dependent.on(class), own);
        self.solver.sets.single(Value::DependsOnCall(method, Mark::ByReceiver), Basis::Scope)
    }

    /// The same of `self.name = value`.
    pub(crate) fn note_assigned_by_receiver(&mut self, object: ExprId, name: NameId, value: ExprId, own: SetId) {
        if value == NONE || self.solver.parameter_held(object) != Some(0) {
            return;
        }
        let hash = self.solver.bodies.names.hash(name);
        let noted = self.note_by_receiver(Dependent::Attribute(hash), value, own);
        if noted != SetId::EMPTY
            && let Some(class) = self.solver.look.enclosing_class(self.solver.entity)
        {
            let found = self.solver.look.inherited(class, self.solver.bodies.names.text(name), None);
            let owner = found.map_or(class, |(owner, _)| owner);
            self.solver.add(questions::attribute(owner, hash), noted);
        }
    }

    /// The value of a derived class's member, read or called.
    fn value_of_member(&mut self, class: EntityId, name: &str, targets: &Targets, is_called: bool) -> SetId {
        let receiver = self.solver.sets.single(Value::Instance(class), Basis::SelfMember);
        let mut given = SetId::EMPTY;
        for &target in targets {
            let Target::Entity(entity) = target else { continue };
            let values = match self.solver.look.kind(entity) {
                Some(EntityKind::Method) if is_called => self.result(entity, 0, &BoundArguments::of(&[receiver])),
                Some(EntityKind::Property) if !is_called => self.result(entity, 0, &BoundArguments::of(&[receiver])),
                Some(EntityKind::Class) => self.solver.sets.single(Value::Class(entity), Basis::SelfMember),
                Some(EntityKind::Variable) => match self.solver.look.enclosing_class(entity) {
                    Some(owner) => self.solver.read(questions::attribute(owner, hash_name(name))),
                    None => SetId::EMPTY,
                },
                _ => SetId::EMPTY,
            };
            let values = match self.solver.look.kind(entity) {
                Some(EntityKind::Class | EntityKind::Variable) if is_called => self.instances(values, Basis::Returned),
                _ => values,
            };
            given = self.solver.sets.union(given, values);
        }
        given
    }

    /// The values of an attribute on an object of one class, out of those that the class and its bases `held`.
    pub(crate) fn held_on(&mut self, class: EntityId, name: u64, held: SetId, basis: Basis) -> SetId {
        if !self.solver.sets.depends_on_receiver(held) {
            return held;
        }
        let held = self.solver.sets.only(held, |value| !matches!(value, Value::DependsOnCall(_, Mark::ByReceiver)));
        let receiver = self.solver.sets.single(Value::Instance(class), basis);
        self.on_receivers(Dependent::Attribute(name), held, receiver)
    }

    /// The values out of `given` that hold for these objects, or for calls of these classes.
    pub(crate) fn on_receivers(&mut self, dependent: Dependent, given: SetId, receivers: SetId) -> SetId {
        let receivers = self.expand_parameters(receivers);
        let (mut own, mut hidden, mut of_derived) = (SetId::EMPTY, SetId::EMPTY, SetId::EMPTY);
        for at in self.solver.sets.range(receivers) {
            let (Value::Instance(class) | Value::Class(class), basis) = values::parts(self.solver.sets.at(at)) else {
                continue;
            };
            let mro = std::sync::Arc::clone(&self.solver.look.mro(class));
            let mut is_nearest = true;
            for &base in &mro.classes {
                let noted = self.solver.read(dependent.on(base));
                let all = if is_nearest { &mut own } else { &mut hidden };
                is_nearest &= noted == SetId::EMPTY;
                *all = self.solver.sets.union(*all, noted);
            }
            // `self` is of a class that derives from the present one as often as not.
            if basis == Basis::SelfMember {
                for derived in self.solver.subclasses(class) {
                    let noted = self.solver.read(dependent.on(derived));
                    let noted = self.solver.sets.weaken(noted, Basis::Dispatched);
                    of_derived = self.solver.sets.union(of_derived, noted);
                }
            }
        }
        let has = |set: &[u64], value: Value| set.iter().any(|&entry| values::parts(entry).0 == value);
        let (own_entries, hidden) = (self.solver.sets.entries(own).to_vec(), self.solver.sets.entries(hidden).to_vec());
        let rest = self.solver.sets.only(given, |value| has(&own_entries, value) || !has(&hidden, value));
        let own = self.solver.sets.weaken(own, Basis::Returned);
        let set = self.solver.sets.union(rest, own);
        self.solver.sets.union(set, of_derived)
    }

    /// Passes the parameter itself as receiver, not its values: if the method returns its receiver, the call gives the
    /// parameter.
    pub(crate) fn pass_parameter(&mut self, method: EntityId, parameter: SetId, bound: &mut BoundArguments) {
        if parameter == SetId::EMPTY || bound.sets.is_empty() {
            return;
        }
        let is_class_method = self.solver.look.flags(method).has(EntityFlags::CLASS_METHOD);
        let known = self.expand_parameters(parameter);
        let is_other = |value| match value {
            Value::Class(_) => !is_class_method,
            Value::Instance(_) => is_class_method,
            _ => false,
        };
        if !self.solver.sets.entries(known).iter().any(|&entry| is_other(values::parts(entry).0)) {
            bound.sets[0] = parameter;
        }
    }

    /// The result of calling a parameter, or the class of one: an instance of the class that the caller passes.
    pub(crate) fn made_of_own_class(&mut self, callee: ExprId, classes: SetId, result: SetId) -> SetId {
        let made = match *self.solver.sets.entries(classes) {
            [entry] if self.solver.sets.holds(classes, Kinds::PARAMETERS) => match values::parts(entry) {
                (Value::Parameter(function, lambda, index), basis) => self
                    .solver
                    .sets
                    .single(Value::InstanceOfParameter(function, lambda, index), basis.max(Basis::Constructed)),
                _ => return result,
            },
            _ if self.solver.sets.holds(classes, Kinds::CLASSES) => self.object_of_class(callee),
            _ => return result,
        };
        let classes = self.expand_parameters(classes);
        let is_of_these = |value: Value| match value {
            Value::Instance(class) => {
                self.solver.sets.entries(classes).iter().any(|&entry| values::parts(entry).0 == Value::Class(class))
            }
            _ => false,
        };
        let others =
            self.solver.sets.entries(result).iter().copied().filter(|&entry| !is_of_these(values::parts(entry).0));
        let others: values::Entries = others.collect();
        if made == SetId::EMPTY || others.len() == self.solver.sets.entries(result).len() {
            return result;
        }
        let others = self.solver.sets.of(others);
        self.solver.sets.union(others, made)
    }

    /// `x` in `type(x)` and `x.__class__`, where that is a parameter.
    fn object_of_class(&mut self, class: ExprId) -> SetId {
        let Some(object) = self.solver.class_test_subject(class) else { return SetId::EMPTY };
        let object = self.quiet(|this| this.eval(object));
        let &[entry] = self.solver.sets.entries(object) else { return SetId::EMPTY };
        match values::parts(entry) {
            (value @ (Value::Parameter(..) | Value::InstanceOfParameter(..) | Value::OfPassedText(..)), basis) => {
                self.solver.sets.single(value, basis.max(Basis::Constructed))
            }
            _ => SetId::EMPTY,
        }
    }

    /// `C.__new__(type(self))`.
    pub(crate) fn new_of_own_class(&mut self, written: Run, made: SetId) -> SetId {
        match *self.solver.bodies.list(written) {
            [class, ..] => match self.object_of_class(class) {
                SetId::EMPTY => made,
                object => object,
            },
            [] => made,
        }
    }

    /// `@generic.register` and `@generic.register(Class)` on the present function.
    pub(crate) fn register_generic(&mut self, decorator: ExprId) {
        let bodies = self.solver.bodies;
        let (callee, arguments) = match bodies.expressions[decorator as usize].kind {
            ExprKind::Call { callee, arguments, .. } => (callee, bodies.list(arguments)),
            _ => (decorator, &[][..]),
        };
        let ExprKind::Attribute { base, name } = bodies.expressions[callee as usize].kind else { return };
        if bodies.names.text(name) != "register" {
            return;
        }
        let registered = self.solver.entity;
        let generic = self.quiet(|this| this.head(base).0);
        for at in self.solver.sets.range(generic) {
            let Value::DependsOnCall(function, Mark::Generic) = values::parts(self.solver.sets.at(at)).0 else {
                continue;
            };
            let classes = match arguments.first() {
                Some(&class) => {
                    let class = self.quiet(|this| this.eval(class));
                    self.instances(class, Basis::Annotated)
                }
                None => self.first_annotation(registered),
            };
            self.solver.add(questions::registered_for(registered), classes);
            let itself = self.solver.sets.single(Value::Function(registered, 0), Basis::Dispatched);
            self.solver.add(questions::registered(function), itself);
        }
    }

    fn first_annotation(&mut self, function: EntityId) -> SetId {
        let bodies = self.solver.bodies;
        let is_method = self.solver.look.enclosing_class(function).is_some();
        let mut functions = bodies.functions.iter();
        let body = functions.find(|body| body.lambda == 0 && self.solver.look.own.id(body.entity) == function);
        let parameter = body.and_then(|body| body.parameters.get(usize::from(is_method)));
        let Some(parameter) = parameter else { return SetId::EMPTY };
        let written = parameter.annotation;
        if !matches!(bodies.kind(written), Some(ExprKind::Name { .. } | ExprKind::Attribute { .. })) {
            return self.quiet(|this| this.annotation(written));
        }
        // The annotation as an expression: `dict` is the class here, not a dict.
        let class = self.quiet(|this| this.eval(written));
        self.instances(class, Basis::Annotated)
    }

    /// Calls the functions that are registered for the first argument's class, or for the nearest of its bases.
    pub(crate) fn dispatched(&mut self, function: EntityId, arguments: &Arguments, place: Position) -> SetId {
        let registered = self.solver.read(questions::registered(function));
        let mut implementations = Implementations::new();
        for at in self.solver.sets.range(registered) {
            let Value::Function(implementation, 0) = values::parts(self.solver.sets.at(at)).0 else { continue };
            implementations.push((implementation, self.solver.read(questions::registered_for(implementation))));
        }
        let mut result = SetId::EMPTY;
        for implementation in self.reachable_implementations(&implementations, arguments.first()) {
            let class = self.solver.look.enclosing_class(implementation);
            let is_static = self.solver.look.flags(implementation).has(EntityFlags::STATIC_METHOD);
            let receiver = class.filter(|_| !is_static).map(|class| {
                let instance = Value::Instance(class);
                self.solver.sets.single(instance, Basis::Dispatched)
            });
            self.solver.emit(implementation, RelationshipKind::Calls, Basis::Dispatched, place);
            let bound = self.bind(implementation, 0, receiver, arguments);
            let returned = self.result(implementation, 0, &bound);
            result = self.solver.sets.union(result, returned);
        }
        result
    }

    /// The implementations that any of the values can reach; all where nothing is known of those.
    fn reachable_implementations(
        &mut self,
        implementations: &Implementations,
        passed: SetId,
    ) -> SmallVec<[EntityId; 8]> {
        let passed = self.expand_parameters(passed);
        let mut is_meant: SmallVec<[bool; 8]> = smallvec::smallvec![false; implementations.len()];
        for at in self.solver.sets.range(passed) {
            let value = values::parts(self.solver.sets.at(at)).0;
            let ways: SmallVec<[Reach; 8]> =
                implementations.iter().map(|&(_, declared)| self.solver.nearest(value, declared)).collect();
            let nearest = ways.iter().copied().min().unwrap_or(Reach::Never);
            let is_sure = matches!(nearest, Reach::Base(_));
            for (is_meant, &way) in is_meant.iter_mut().zip(&ways) {
                *is_meant |= if is_sure { way == nearest } else { way != Reach::Never };
            }
        }
        let is_unknown = passed == SetId::EMPTY || passed == SetId::TOP;
        let meant = implementations.iter().zip(&is_meant).filter(|&(_, &is_meant)| is_meant || is_unknown);
        meant.map(|(&(implementation, _), _)| implementation).collect()
    }
}
