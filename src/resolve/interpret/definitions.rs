//! Functions and classes where they are defined: defaults, decorators, bases, and what making a class calls.
//!
//! Goes in: a definition among the statements being run. Comes out: its value in the environment, and what it names.

use crate::{
    facts::bodies::{ExprId, FunctionBody, NONE, ScopeKind},
    model::{Basis, EntityId, RelationshipKind},
    resolve::{
        interpret::Interpreter,
        names::Target,
        questions,
        values::{self, SetId, Value},
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
        self.solver.runs_at_definition(Some(outer), first);
        set = self.decorate(entity, &function.decorators, set);
        if !function.decorators.is_empty() {
            self.solver.add(questions::decorated(entity), set);
        }
        if function.variable != NONE {
            self.solver.assign_variable(function.variable, set);
        }
    }

    /// Applies decorators from the inside out; what is decorated stays reachable.
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
        self.solver.calls_are_of(outer, decorators, first);
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
        let derived_from = self.solver.look.bases(entity);
        for (position, &base) in class.bases.iter().enumerate() {
            if let Some(before) = bodies.class_before(class, base) {
                self.solver.emit(
                    self.solver.look.own.id(before),
                    RelationshipKind::Inherits,
                    Basis::Scope,
                    self.solver.bodies.place_of(base),
                );
                continue;
            }
            let first = self.solver.output.relationships.len();
            let derived = self.eval_as(base, RelationshipKind::Inherits);
            if let (Some(&Some(Target::Entity(known))), true) =
                (derived_from.get(position), derived_from.len() == class.bases.len())
            {
                self.solver.derive_through_variable(known, first, base);
            }
            self.solver.derive_from_object(entity, derived);
            self.derive_with(class, base, derived);
        }
        self.solver.name_class(entity);
        self.register_methods(entity);
        for &(_, value) in &class.keywords {
            self.eval_as(value, RelationshipKind::Inherits);
        }
        self.block(&class.body);
        self.solver.creation_hooks(entity, (bodies.records[class.entity as usize].line, 0));
        self.solver.publish_fitting(entity);
        self.solver.entity = outer;
        let defined = self.solver.class_defined(entity);
        let definition = self.solver.sets.single(Value::Class(defined), Basis::Scope);
        let first = self.solver.output.relationships.len();
        let set = self.decorate(entity, &class.decorators, definition);
        self.solver.say_for_tests(entity, first);
        self.solver.assign_variable(class.variable, set);
        let scope = &bodies.scopes[bodies.variables[class.variable as usize].scope as usize];
        if scope.kind == ScopeKind::Class {
            let name = bodies.names.hash(bodies.variables[class.variable as usize].name);
            self.solver.add(questions::attribute(self.solver.look.own.id(scope.entity), name), set);
        }
    }

    /// `type(name, bases, members)`: what a class statement with these bases calls.
    pub(crate) fn class_made(&mut self, bases: SetId, place: (u32, u32)) {
        let bases = self.expand_parameters(bases);
        for at in self.solver.sets.range(bases) {
            let (Value::Class(base), basis) = values::parts(self.solver.sets.at(at)) else { continue };
            self.solver.run_creation_hooks(base, None, basis.max(Basis::SelfMember), place);
        }
    }

    /// What the annotation of a parameter says, of a function of this file.
    pub(crate) fn declared_for(&mut self, function: EntityId, lambda: u32, index: u32) -> SetId {
        let bodies = self.solver.bodies;
        let own = &self.solver.look.own;
        let is_asked = |body: &&FunctionBody| own.id(body.entity) == function && body.lambda == lambda;
        let present = bodies.functions.get(self.solver.function as usize).filter(is_asked);
        let Some(body) = present.or_else(|| bodies.functions.iter().find(is_asked)) else { return SetId::EMPTY };
        let annotation = body.parameters.get(index as usize).map_or(NONE, |parameter| parameter.annotation);
        self.quiet(|this| this.annotation(annotation))
    }

    /// What the parameters of a function hold when it begins.
    pub(crate) fn bind_own_parameters(&mut self, function: &FunctionBody) {
        let owner = self.solver.look.own.id(function.entity);
        self.solver.comes_from(NONE);
        self.bind_fixtures(function);
        self.solver.bind_shown(function);
        let first = self.solver.output.relationships.len();
        for (index, parameter) in (0..).zip(&function.parameters) {
            let key = questions::parameter(owner, function.lambda, index);
            let declared = self.annotation(parameter.annotation);
            self.call_declared(parameter.default, declared);
            let set = match parameter.kind {
                crate::facts::interface::ParameterKind::Positionals
                | crate::facts::interface::ParameterKind::Keywords => {
                    let declared =
                        self.solver.declared_list(declared, self.solver.bodies.place_of(parameter.annotation));
                    let passed = self.solver.read(key);
                    self.solver.sets.union(declared, passed)
                }
                _ => {
                    self.solver.comes_from(parameter.annotation);
                    self.solver.add(key, declared);
                    self.solver.sets.single(Value::Parameter(owner, function.lambda, index), Basis::Scope)
                }
            };
            self.solver.comes_from(NONE);
            self.solver.assign_variable(parameter.variable, set);
        }
        self.solver.comes_from(function.returns);
        // What a type variable stands for is what goes in.
        let declared = self.annotation(function.returns);
        let around = self.solver.look.runs_annotations(function);
        self.solver.runs_at_definition(around, first);
        if self.solver.look.signature(owner, function.lambda).is_some_and(|place| place.signature().is_guard) {
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

    /// What `@decorator` makes of a definition.
    pub(crate) fn apply_decorator(&mut self, decorator: ExprId, definition: SetId) -> SetId {
        let callee = self.eval_as(decorator, RelationshipKind::Decorates);
        let place = self.solver.bodies.place_of(decorator);
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
        // What decorates a class and can give a class back gives a class: `return wrap if cls is None else wrap(cls)`.
        let is_class = |value: Value| matches!(value, Value::Class(_));
        let classes = self.solver.sets.only(useful, is_class);
        if classes != SetId::EMPTY && self.solver.sets.only(definition, is_class) == definition {
            // Other classes that it gives back it was given elsewhere.
            let given = self.solver.sets.entries(definition).iter().map(|&entry| values::parts(entry).0);
            let is_given_back = given
                .into_iter()
                .all(|class| self.solver.sets.entries(classes).iter().any(|&entry| values::parts(entry).0 == class));
            return if is_given_back { definition } else { classes };
        }
        if useful != SetId::EMPTY {
            return useful;
        }
        // Nobody knows what code outside the repository made of a function.
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
