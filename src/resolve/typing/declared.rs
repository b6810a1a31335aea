//! Declared types in use: arguments of declared callables, fields, functions of stubs.

use crate::{
    facts::bodies::{ExprId, ExprKind, FunctionBody, NONE, ScopeKind, Variable},
    model::{Basis, EntityId, EntityKind, Position},
    resolve::{
        containers::{self, is_plain},
        frameworks::tables::behavior_of,
        interpret::{
            Interpreter,
            attributes::member_values::{SubtypeMembers, add_referents, member_referents},
        },
        library::known::{self, Known, builtin_named},
        names::Referents,
        values::{self, Kinds, SetId, Value, questions, site::SitePart, slot::Slot},
    },
};

impl Interpreter<'_> {
    /// The members, under a name, of classes that fit the protocols of the receivers. `self` in a protocol is of a
    /// class that derives from it.
    pub(crate) fn fitting_members(&mut self, receivers: SetId, name: &str, place: Position) -> SubtypeMembers {
        let mut found = SubtypeMembers { set: SetId::EMPTY, referents: Referents::new(), is_open: false };
        if !self.solver.sets.holds(receivers, Kinds::INSTANCES.or(Kinds::CLASSES)) {
            return found;
        }
        for at in self.solver.sets.range(receivers) {
            let entry = self.solver.sets.at(at);
            let Some((protocol, instance)) = self.solver.look.declared_protocol(entry, place) else { continue };
            found.is_open |= self.solver.look.requires(protocol, name) && self.solver.fitting_classes(protocol).1;
            for (class, targets) in self.solver.members_of_fitting(protocol, name) {
                let values = self.member_values(class, name, &targets, Basis::Choice, instance);
                found.set = self.solver.sets.union(found.set, values);
                add_referents(&mut found.referents, member_referents(&mut self.solver, &targets, Basis::Choice));
            }
        }
        found
    }

    /// A function of a stub declares the parameters and the result of the module's function.
    pub(crate) fn declare_function(&mut self, function: &FunctionBody, returns: SetId) {
        if self.solver.stubbed.is_none() || function.lambda != 0 {
            return;
        }
        let owner = self.solver.look.own.id(function.entity);
        for defined in self.solver.declared_by_stub(owner) {
            match self.solver.look.kind(defined) {
                Some(EntityKind::Variable) => self.solver.declare_variable(defined, returns),
                Some(kind) if kind.is_callable() || kind == EntityKind::Property => {
                    self.declare_parameters(function, defined);
                    let returns = self.solver.sets.renamed_for(returns, owner, defined);
                    let is_generator =
                        self.solver.look.signature(defined, 0).is_some_and(|found| found.signature().is_generator);
                    if is_generator {
                        let yielded = self.iterate_declared(returns);
                        self.solver.add(questions::yields(defined, 0), yielded);
                    } else {
                        self.solver.add(questions::returns(defined, 0), returns);
                    }
                }
                _ => {}
            }
        }
    }

    fn declare_parameters(&mut self, function: &FunctionBody, defined: EntityId) {
        let Some(place) = self.solver.look.signature(defined, 0) else { return };
        let names = &place.info.interface.names;
        for parameter in &function.parameters {
            let Some(info) = self.solver.bodies.variables.get(parameter.variable as usize) else { continue };
            let name = self.solver.bodies.names.hash(info.name);
            let mut parameters = (0..).zip(&place.signature().parameters);
            let Some((index, _)) = parameters.find(|(_, parameter)| names.hash(parameter.name) == name) else {
                continue;
            };
            let declared = self.quiet(|this| this.annotation(parameter.annotation));
            self.solver.add(questions::parameter(defined, 0, index), declared);
        }
    }
}

impl Interpreter<'_> {
    /// The value of `yield` in a function that is declared as a `Generator[Yielded, Sent, Returned]`.
    pub(crate) fn declared_to_be_sent(&mut self, returns: ExprId) -> SetId {
        let Some(&ExprKind::Subscript { base, index }) = self.solver.bodies.kind(returns) else { return SetId::EMPTY };
        let items = self.solver.items(index);
        let Some(&sent) = items.get(1) else { return SetId::EMPTY };
        if !matches!(self.solver.bodies.last_name(base), Some("Generator" | "AsyncGenerator")) {
            return SetId::EMPTY;
        }
        self.quiet(|this| this.annotation(sent))
    }

    /// `Callable[…, Item]`, `ContextManager[Item]`: an object that gives an `Item` when it is called or entered. Empty
    /// where nothing is known of the item.
    pub(crate) fn declared_giver(&mut self, known: Known, items: &[ExprId], place: Position) -> SetId {
        let sets: Vec<SetId> = items.iter().map(|&item| self.annotation(item)).collect();
        let given = if known == Known::Callable { sets.last() } else { sets.first() };
        let given = self.solver.sets.only(given.copied().unwrap_or_default(), |value| !is_plain(value));
        if given == SetId::EMPTY {
            return given;
        }
        let giver =
            containers::content_holder(self.solver.made(place, SitePart::Declared, false), known == Known::Manager);
        self.solver.add_element(giver, Slot::Any, given);
        self.solver.sets.single(giver, Basis::Annotated)
    }

    /// Narrows a set to its declared type: drops instances of classes unrelated to the declared ones.
    pub(crate) fn as_declared(&mut self, set: SetId, annotation: ExprId) -> SetId {
        if annotation == NONE || !self.solver.sets.holds(set, Kinds::INSTANCES) {
            return set;
        }
        let declared = self.quiet(|this| this.annotation(annotation));
        let is_instance = |&entry: &u64| matches!(values::parts(entry).0, Value::Instance(_));
        let entries = self.solver.sets.entries(declared);
        // All that is declared is known.
        if Some(entries.len()) != self.solver.classes_written(annotation) || !entries.iter().all(is_instance) {
            return set;
        }
        let mut kept = values::Entries::new();
        for at in self.solver.sets.range(set) {
            let entry = self.solver.sets.at(at);
            let fits = match values::parts(entry).0 {
                Value::Instance(class) => {
                    self.solver.sets.range(declared).any(|wanted| self.solver.can_be(class, wanted))
                }
                _ => true,
            };
            if fits {
                kept.push(entry);
            }
        }
        self.solver.sets.of(kept)
    }

    /// `owner: Ref["User"]` in the body of a class, where nothing is known of the generic class `Ref` from outside: it
    /// may be a descriptor that returns a `User`.
    pub(crate) fn instances_of_field(&mut self, target: ExprId, annotation: ExprId) -> SetId {
        let bodies = self.solver.bodies;
        let (Some(&ExprKind::Name { variable, .. }), Some(&ExprKind::Subscript { base, index })) =
            (bodies.kind(target), bodies.kind(annotation))
        else {
            return SetId::EMPTY;
        };
        let is_field = |info: &Variable| bodies.scopes[info.scope as usize].kind == ScopeKind::Class;
        if !bodies.variables.get(variable as usize).is_some_and(is_field) || self.solver.items(index).len() != 1 {
            return SetId::EMPTY;
        }
        let base = self.quiet(|this| this.head(base).0);
        let is_unknown = |&entry: &u64| match values::parts(entry).0 {
            Value::External(hash) => behavior_of(hash).is_none() && builtin_named(hash).is_none(),
            _ => false,
        };
        if base == SetId::EMPTY || !self.solver.sets.entries(base).iter().all(is_unknown) {
            return SetId::EMPTY;
        }
        let given = self.quiet(|this| this.annotation(index));
        let given = self.solver.sets.only(given, |value| matches!(value, Value::Instance(_)));
        self.solver.sets.weaken(given, Basis::Choice)
    }

    /// `tests: dict[str, Callable[[Item], bool]] = {…}`: passes the declared parameters to the assigned functions.
    pub(crate) fn pass_declared(&mut self, annotation: ExprId, set: SetId) {
        let is_function = |value: Value| matches!(value, Value::Function(..));
        if !self.solver.sets.holds(set, Kinds::FUNCTIONS.or(Kinds::CONTAINERS)) {
            return;
        }
        let Some(parameters) = self.solver.callable_parameters(annotation) else { return };
        let inside = self.elements(set);
        let functions = self.solver.sets.union(set, inside);
        let functions = self.solver.sets.only(functions, is_function);
        if functions == SetId::EMPTY {
            return;
        }
        for (index, &parameter) in (0..).zip(parameters) {
            let declared = self.quiet(|this| this.annotation(parameter));
            let passed = self.as_passed(declared);
            for at in self.solver.sets.range(functions) {
                if let Value::Function(function, lambda) = values::parts(self.solver.sets.at(at)).0 {
                    self.solver.add(questions::parameter(function, lambda, index), passed);
                }
            }
        }
    }

    /// `limit: InitVar[Limit]` in the body of a class: `__post_init__` is passed it under that name.
    pub(crate) fn pass_to_post_init(&mut self, target: ExprId, annotation: ExprId, declared: SetId) {
        let bodies = self.solver.bodies;
        let (Some(&ExprKind::Name { name, variable }), Some(&ExprKind::Subscript { base, .. })) =
            (bodies.kind(target), bodies.kind(annotation))
        else {
            return;
        };
        let Some(info) = bodies.variables.get(variable as usize) else { return };
        let scope = &bodies.scopes[info.scope as usize];
        if scope.kind != ScopeKind::Class {
            return;
        }
        let base = self.quiet(|this| this.head(base).0);
        let variable = const { known::dotted("dataclasses.InitVar") };
        if !self.solver.sets.entries(base).iter().any(|&entry| values::parts(entry).0 == Value::External(variable)) {
            return;
        }
        let class = self.solver.look.own.id(scope.entity);
        for target in self.solver.look.own_member(class, "__post_init__") {
            let crate::resolve::names::Target::Entity(method) = target else { continue };
            let Some(signature) = self.solver.look.signature(method, 0) else { continue };
            let names = &signature.info.interface.names;
            let parameters = &signature.signature().parameters;
            let hash = bodies.names.hash(name);
            if let Some(index) = parameters.iter().position(|parameter| names.hash(parameter.name) == hash) {
                let index = u32::try_from(index).unwrap_or(u32::MAX);
                self.solver.add(questions::parameter(method, 0, index), declared);
            }
        }
    }

    /// Elements of a declared iterator (`-> Iterator[Item]`).
    pub(crate) fn iterate_declared(&mut self, declared: SetId) -> SetId {
        self.elements(declared)
    }
}
