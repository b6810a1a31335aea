//! Definitions of functions and classes: defaults, decorators, bases, and the calls that making a class runs.

pub(crate) mod creation;

use crate::{
    facts::{
        bodies::{ClassBody, ExprId, ExprKind, FunctionBody, NONE, ScopeKind},
        interface::ParameterKind,
    },
    model::{Basis, EntityId, RelationshipKind},
    resolve::{
        frameworks::pytest::parametrize::MAX_VALUES,
        interpret::{Interpreter, calls::wrapped},
        names::Target,
        values::{self, SetId, Value, questions},
    },
};

impl Interpreter<'_> {
    pub(crate) fn define_function(&mut self, index: u32) {
        let function = &self.solver.bodies.functions[index as usize];
        let entity = self.solver.look.own.id(function.entity);
        let mut set = self.solver.sets.single(Value::Function(entity, 0), Basis::Scope);
        let first = self.solver.output.relationships.len();
        let outer = std::mem::replace(&mut self.solver.entity, entity);
        self.bind_type_parameters(&function.type_parameters);
        for parameter in &function.parameters {
            if parameter.default != NONE {
                let default = self.eval(parameter.default);
                let position = function.parameters.iter().position(|p| p.variable == parameter.variable);
                let position = u32::try_from(position.unwrap_or(0)).unwrap_or(0);
                let default = self.solver.sets.weaken(default, Basis::Passed);
                self.solver.comes_from(parameter.default);
                self.solver.add(questions::default(entity, 0, position), default);
            }
        }
        self.solver.comes_from(NONE);
        self.solver.entity = outer;
        self.solver.attribute_definition_calls(Some(outer), first);
        set = self.decorate(entity, &function.decorators, set);
        if !function.decorators.is_empty() {
            self.solver.add(questions::decorated(entity), set);
        }
        if function.variable != NONE {
            self.solver.assign_variable(function.variable, set);
        }
    }

    /// Applies decorators from the inside out; the definition itself stays reachable.
    ///
    /// The rules for decorators are no table: the last one depends on the result of applying the decorator.
    fn decorate(&mut self, entity: EntityId, decorators: &[ExprId], definition: SetId) -> SetId {
        let mut set = definition;
        let first = self.solver.output.relationships.len();
        let outer = std::mem::replace(&mut self.solver.entity, entity);
        for &decorator in decorators.iter().rev() {
            self.register(decorator);
            self.register_generic(decorator);
            let decorated = self.apply_decorator(decorator, set);
            if decorated == set {
                self.register_with_own(decorator);
            }
            set = decorated;
        }
        self.solver.entity = outer;
        self.solver.attribute_decorator_calls(outer, decorators, first);
        if set == definition {
            return set;
        }
        let wrapped = self.solver.sets.weaken(definition, Basis::Wrapped);
        self.solver.sets.union(set, wrapped)
    }

    pub(crate) fn define_class(&mut self, index: u32) {
        let bodies = self.solver.bodies;
        let class = &bodies.classes[index as usize];
        let entity = self.solver.look.own.id(class.entity);
        let outer = std::mem::replace(&mut self.solver.entity, entity);
        self.bind_type_parameters(&class.type_parameters);
        self.derive(class, entity);
        // These rules are no table: each stands at its one place around the body, which runs as part of the class.
        self.solver.name_class(entity);
        self.register_methods(entity);
        for &(_, value) in &class.keywords {
            // A metaclass makes the class and is no base of it.
            self.eval_as(value, RelationshipKind::References);
        }
        self.block(&class.body);
        self.solver.creation_hooks(entity, (bodies.records[class.entity as usize].line, 0));
        self.solver.publish_fitting(entity);
        // Decorators run in the scope around the class.
        self.solver.entity = outer;
        let defined = self.solver.class_defined(entity);
        let definition = self.solver.sets.single(Value::Class(defined), Basis::Scope);
        let first = self.solver.output.relationships.len();
        let set = self.decorate(entity, &class.decorators, definition);
        self.solver.emit_for_tests(entity, first);
        self.solver.assign_variable(class.variable, set);
        let scope = &bodies.scopes[bodies.variables[class.variable as usize].scope as usize];
        if scope.kind == ScopeKind::Class {
            let name = bodies.names.hash(bodies.variables[class.variable as usize].name);
            self.solver.add(questions::attribute(self.solver.look.own.id(scope.entity), name), set);
        }
    }

    /// The bases of a class as they are written, and the rules that derive it from their values.
    fn derive(&mut self, class: &ClassBody, entity: EntityId) {
        let bodies = self.solver.bodies;
        let derived_from = self.solver.look.bases(entity);
        for (position, &base) in class.bases.iter().enumerate() {
            if let Some(before) = bodies.class_before(class, base) {
                let before = self.solver.look.own.id(before);
                let place = bodies.place_of(base);
                self.solver.emit(before, RelationshipKind::Inherits, Basis::Scope, place);
                continue;
            }
            let first = self.solver.output.relationships.len();
            let derived = self.eval_as(base, RelationshipKind::Inherits);
            match derived_from.get(position).filter(|_| derived_from.len() == class.bases.len()) {
                Some(&Some(Target::Entity(known))) => self.solver.derive_through_variable(known, first, base),
                Some(None) => self.solver.keep_base(entity, derived),
                _ => {}
            }
            let is_known = derived_from.len() == class.bases.len() && derived_from[position].is_some();
            if let (false, Some(&ExprKind::Call { callee, .. })) = (is_known, bodies.kind(base)) {
                self.solver.derive_from_result(derived, callee);
            }
            self.solver.derive_from_object(entity, derived);
            self.derive_with(class, base, derived);
        }
    }

    /// `type(name, bases, members)`: makes the calls of a class statement with these bases.
    pub(crate) fn run_class_creation(&mut self, bases: SetId, place: (u32, u32)) {
        let bases = self.expand_parameters(bases);
        for at in self.solver.sets.range(bases) {
            let (Value::Class(base), basis) = values::parts(self.solver.sets.at(at)) else { continue };
            self.solver.run_creation_hooks(base, None, basis.max(Basis::SelfMember), place);
        }
    }

    /// The points-to set of a parameter's annotation, for a function of this file.
    pub(crate) fn declared_for(&mut self, function: EntityId, lambda: u32, index: u32) -> SetId {
        let bodies = self.solver.bodies;
        let own = &self.solver.look.own;
        let is_asked = |body: &&FunctionBody| own.id(body.entity) == function && body.lambda == lambda;
        let present = bodies.functions.get(self.solver.function as usize).filter(is_asked);
        let Some(body) = present.or_else(|| bodies.functions.iter().find(is_asked)) else { return SetId::EMPTY };
        let annotation = body.parameters.get(index as usize).map_or(NONE, |parameter| parameter.annotation);
        self.quiet(|this| this.annotation(annotation))
    }

    /// Gives the parameters of a test or fixture the values that pytest passes.
    fn bind_fixtures(&mut self, function: &FunctionBody) {
        let Some(is_test) = self.solver.takes_fixtures(function) else { return };
        if is_test {
            self.solver.used_by_every_test(self.solver.look.own.id(function.entity));
        }
        let given = self.parametrized(function);
        if let Some(request) = self.solver.request_of(function) {
            let values = match request.params {
                Some(params) => self.outside_of(function, |this| this.values_of(params, 1, false)[0]),
                None => SetId::EMPTY,
            };
            self.solver.bind_request(function, &request, values);
        }
        self.solver.bind_fixtures(function, &given);
    }

    /// Binds the parameters of a function when its body begins, and declares its result.
    pub(crate) fn bind_own_parameters(&mut self, function: &FunctionBody) {
        let owner = self.solver.look.own.id(function.entity);
        self.solver.comes_from(NONE);
        self.solver.offer_fixture(function);
        self.bind_fixtures(function);
        self.solver.bind_shown(function);
        let first = self.solver.output.relationships.len();
        for (index, parameter) in (0..).zip(&function.parameters) {
            let key = questions::parameter(owner, function.lambda, index);
            let declared = self.annotation(parameter.annotation);
            self.call_declared(parameter.default, declared);
            let set = if matches!(parameter.kind, ParameterKind::Positionals | ParameterKind::Keywords) {
                let place = self.solver.bodies.place_of(parameter.annotation);
                let declared = self.solver.declared_list(declared, place);
                let passed = self.solver.read(key);
                self.solver.sets.union(declared, passed)
            } else {
                self.solver.comes_from(parameter.annotation);
                // The body sees a symbol: each call substitutes its own arguments in the summary.
                self.solver.add(key, declared);
                self.solver.merge_containers_passed(owner, index, parameter.annotation);
                self.solver.sets.single(Value::Parameter(owner, function.lambda, index), Basis::Scope)
            };
            self.solver.comes_from(NONE);
            self.solver.assign_variable(parameter.variable, set);
        }
        self.declare_result(function, owner, first);
    }

    /// The declared result of a function; `first` is the output before its annotations.
    fn declare_result(&mut self, function: &FunctionBody, owner: EntityId, first: usize) {
        self.solver.comes_from(function.returns);
        // A type variable in the result is replaced by the arguments of each call.
        let declared = self.annotation(function.returns);
        let around = self.solver.look.runs_annotations(function);
        self.solver.attribute_definition_calls(around, first);
        if self.solver.look.signature(owner, function.lambda).is_some_and(|found| found.signature().is_guard) {
            let guarded = self.guarded(function.returns);
            self.solver.add(questions::guarded(owner), guarded);
        }
        self.returns_argument(function);
        self.made_by_arguments(function);
        let returns = if self.is_type_variable(function.returns) { SetId::EMPTY } else { declared };
        self.declare_function(function, returns);
        if function.is_generator {
            let yielded = self.iterate_declared(returns);
            self.solver.add(questions::yields(owner, function.lambda), yielded);
        } else {
            self.solver.add(questions::returns(owner, function.lambda), returns);
        }
    }

    /// The result of `@decorator` on a definition.
    pub(crate) fn apply_decorator(&mut self, decorator: ExprId, definition: SetId) -> SetId {
        let callee = self.eval_as(decorator, RelationshipKind::Decorates);
        let place = self.solver.bodies.place_of(decorator);
        wrapped::await_factory(self, decorator);
        wrapped::note_wrapped(self, callee, definition);
        let made = self.call_sets(callee, &[definition], place);
        let useful = self.solver.sets.only(made, |value| {
            matches!(
                value,
                Value::Function(..)
                    | Value::Class(_)
                    | Value::Instance(_)
                    | Value::Bound(..)
                    | Value::Parameter(..)
                    | Value::DependsOnCall(..)
            )
        });
        // A decorator that can return a class does return one: `return wrap if cls is None else wrap(cls)`.
        let is_class = |value: Value| matches!(value, Value::Class(_));
        let classes = self.solver.sets.only(useful, is_class);
        if classes != SetId::EMPTY && self.solver.sets.only(definition, is_class) == definition {
            // Any other class among its results is one of another call.
            let given = self.solver.sets.entries(definition).iter().map(|&entry| values::parts(entry).0);
            let is_given_back = given
                .into_iter()
                .all(|class| self.solver.sets.entries(classes).iter().any(|&entry| values::parts(entry).0 == class));
            return if is_given_back { definition } else { classes };
        }
        if useful != SetId::EMPTY {
            return useful;
        }
        // A decorator outside the repository may return the function or an object of its own.
        let is_foreign =
            self.solver.sets.only(made, |value| matches!(value, Value::ExternalInstance(_))) != SetId::EMPTY;
        if is_foreign && self.solver.sets.only(definition, is_class) == SetId::EMPTY {
            let object = self.solver.sets.object_made(made);
            let definition = self.solver.sets.weaken(definition, Basis::Returned);
            return self.solver.sets.union(definition, object);
        }
        definition
    }
}

impl<'a> Interpreter<'a> {
    /// Parameters that `@pytest.mark.parametrize` on a test or its class gives directly, with their values.
    fn parametrized(&mut self, function: &FunctionBody) -> Vec<(&'a str, SetId)> {
        let bodies = self.solver.bodies;
        let of_class = bodies.classes.get(function.class as usize).map_or(&[][..], |class| &class.decorators);
        let mut given = Vec::new();
        for &decorator in function.decorators.iter().chain(of_class) {
            let Some((names, values, has_parts)) = self.solver.parameters_given(decorator) else { continue };
            let sets = self.outside_of(function, |this| this.values_of(values, names.len(), has_parts));
            given.extend(names.into_iter().zip(sets));
            self.solver.use_lazy_fixtures(values);
        }
        given
    }

    /// Evaluates in the scope around a function, where its decorators are evaluated.
    fn outside_of<T>(&mut self, function: &FunctionBody, work: impl FnOnce(&mut Self) -> T) -> T {
        let parent = self.solver.look.own.interface.entities[function.entity as usize].parent;
        let inner = std::mem::replace(&mut self.solver.entity, self.solver.look.own.id(parent));
        let result = self.quiet(work);
        self.solver.entity = inner;
        result
    }

    /// The value of one parameter, be it a fixture's.
    fn given(&mut self, value: ExprId) -> SetId {
        match self.solver.lazy_fixture(value) {
            Some(fixture) => self.solver.fixture_values(fixture),
            None => self.eval(value),
        }
    }

    /// The values that a list has for each of `count` parameters: its elements, or the parts of those.
    fn values_of(&mut self, list: ExprId, count: usize, has_parts: bool) -> Vec<SetId> {
        let mut sets = vec![SetId::EMPTY; count];
        let written = self.solver.written_items(list);
        let mut items = written.unwrap_or_default();
        if written.is_none() {
            let values = self.eval(list);
            let values = self.iterate(values, (0, 0), 0);
            for (index, set) in sets.iter_mut().enumerate() {
                *set = if has_parts { self.unpacked(values, NONE, index, count, (0, 0)) } else { values };
            }
            // Only the call of `pytest.param` tells what it holds.
            items = self.solver.assigned_to(list).and_then(|list| self.solver.written_items(list)).unwrap_or_default();
        }
        for &item in items.iter().take(MAX_VALUES) {
            let param = self.solver.parts_of_param(item);
            if written.is_none() && param.is_none() {
                continue;
            }
            let (parts, is_param) = (param.or_else(|| self.solver.written_items(item)), param.is_some());
            for (index, set) in sets.iter_mut().enumerate() {
                let value = match parts {
                    Some(parts) if has_parts || is_param => self.given(parts.get(index).copied().unwrap_or(NONE)),
                    _ if !has_parts => self.given(item),
                    _ => {
                        let whole = self.eval(item);
                        self.unpacked(whole, NONE, index, count, (0, 0))
                    }
                };
                *set = self.solver.sets.union(*set, value);
            }
        }
        self.solver.of_fixture(sets)
    }
}
