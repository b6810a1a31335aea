//! Functions and classes where they are defined: defaults, decorators, bases, and what making a class calls.
//!
//! Goes in: a definition among the statements being run. Comes out: its value in the environment, and what it names.

use crate::{
    facts::bodies::{ExprId, ExprKind, FunctionBody, NONE, ScopeKind},
    model::{Basis, EntityId, EntityKind, RelationshipKind},
    resolve::{
        engine::{Solver, output::Place},
        names::Target,
        questions,
        values::{self, SetId, Value},
    },
};

impl Solver<'_> {
    pub(crate) fn define_function(&mut self, index: u32) {
        let function = &self.bodies.functions[index as usize];
        let entity = self.look.own.id(function.entity);
        let mut set = self.sets.single(Value::Function(entity, 0), Basis::Scope);
        let first = self.output.relationships.len();
        let outer = std::mem::replace(&mut self.entity, entity);
        self.bind_type_parameters(&function.type_parameters);
        for parameter in &function.parameters {
            if parameter.default != NONE {
                let default = self.eval(parameter.default);
                let position = function.parameters.iter().position(|p| p.variable == parameter.variable);
                let position = u32::try_from(position.unwrap_or(0)).unwrap_or(0);
                let default = self.sets.weaken(default, Basis::Passed);
                self.comes_from(parameter.default);
                self.add(questions::default(entity, 0, position), default);
            }
        }
        self.comes_from(NONE);
        self.entity = outer;
        self.runs_at_definition(Some(outer), first);
        set = self.decorate(entity, &function.decorators, set);
        if !function.decorators.is_empty() {
            self.add(questions::decorated(entity), set);
        }
        if function.variable != NONE {
            self.assign_variable(function.variable, set);
        }
    }

    /// Applies decorators from the inside out; what is decorated stays reachable.
    fn decorate(&mut self, entity: EntityId, decorators: &[ExprId], definition: SetId) -> SetId {
        let mut set = definition;
        let first = self.output.relationships.len();
        let outer = std::mem::replace(&mut self.entity, entity);
        for &decorator in decorators.iter().rev() {
            self.register(decorator);
            self.register_generic(decorator);
            let decorated = self.apply_decorator(decorator, set);
            if decorated == set {
                self.register_with_own(decorator);
            }
            set = decorated;
        }
        self.entity = outer;
        self.calls_are_of(outer, decorators, first);
        if set == definition {
            return set;
        }
        let wrapped = self.sets.weaken(definition, Basis::Wrapped);
        self.sets.union(set, wrapped)
    }

    /// What defaults and annotations call is called by the code around the definition, if that runs them, and the definition has
    /// what comes of it.
    fn runs_at_definition(&mut self, outer: Option<EntityId>, first: usize) {
        for at in first..self.output.relationships.len() {
            let edge = self.output.relationships[at];
            if edge.kind != RelationshipKind::Calls {
                continue;
            }
            self.output.relationships[at].kind = RelationshipKind::References;
            if let Some(outer) = outer {
                self.edge_from(outer, edge.target, edge.kind, edge.basis, (edge.line, edge.column));
            }
        }
    }

    /// Where the annotations of a function run: around its definition, unless Python is told to keep them as they are written, or
    /// nobody runs the file.
    fn runs_annotations(&self, function: &FunctionBody) -> Option<EntityId> {
        let own = &self.look.own;
        let head = own.interface.entities.get(function.entity as usize)?;
        (!own.interface.keeps_annotations && !own.path.ends_with(".pyi")).then(|| own.id(head.parent))
    }

    /// A definition names its decorators, and has what is made for them and what comes of their arguments:
    /// `@option(type=Kind(), default=size())`. The code around it calls all these.
    fn calls_are_of(&mut self, outer: EntityId, decorators: &[ExprId], first: usize) {
        let mut parts: Vec<(Place, bool)> = Vec::new();
        for &decorator in decorators {
            parts.push((self.place_of(decorator), false));
            if let Some(&ExprKind::Call { callee, .. }) = self.bodies.kind(decorator) {
                parts.push((self.place_of(callee), true));
            }
        }
        parts.sort_unstable();
        for at in first..self.output.relationships.len() {
            let edge = self.output.relationships[at];
            if edge.kind != RelationshipKind::Calls {
                continue;
            }
            let place = (edge.line, edge.column);
            let before = parts.partition_point(|(begin, _)| *begin <= place);
            // What stands behind the name of a decorator that is called, and before the next one, is an argument.
            let is_argument = before > 0 && parts[before - 1].1 && parts[before - 1].0 < place;
            if is_argument || self.kind(edge.target) == Some(EntityKind::Class) {
                self.edge_from(edge.source, edge.target, RelationshipKind::References, edge.basis, place);
            }
            self.output.relationships[at].source = outer;
        }
    }

    pub(crate) fn define_class(&mut self, index: u32) {
        let bodies = self.bodies;
        let class = &bodies.classes[index as usize];
        let entity = self.look.own.id(class.entity);
        let outer = std::mem::replace(&mut self.entity, entity);
        self.bind_type_parameters(&class.type_parameters);
        let derived_from = self.look.bases(entity);
        for (position, &base) in class.bases.iter().enumerate() {
            if let Some(before) = bodies.class_before(class, base) {
                self.edge(self.look.own.id(before), RelationshipKind::Inherits, Basis::Scope, self.place_of(base));
                continue;
            }
            let first = self.output.relationships.len();
            let derived = self.eval_as(base, RelationshipKind::Inherits);
            if let (Some(&Some(Target::Entity(known))), true) =
                (derived_from.get(position), derived_from.len() == class.bases.len())
            {
                self.derive_through_variable(known, first, base);
            }
            self.derive_from_object(entity, derived);
            self.derive_with(class, base, derived);
        }
        self.name_class(entity);
        self.register_methods(entity);
        for &(_, value) in &class.keywords {
            self.eval_as(value, RelationshipKind::Inherits);
        }
        self.block(&class.body);
        self.creation_hooks(entity, (bodies.records[class.entity as usize].line, 0));
        self.tell_fitting(entity);
        self.entity = outer;
        let defined = self.class_defined(entity);
        let definition = self.sets.single(Value::Class(defined), Basis::Scope);
        let first = self.output.relationships.len();
        let set = self.decorate(entity, &class.decorators, definition);
        self.say_for_tests(entity, first);
        self.assign_variable(class.variable, set);
        let scope = &bodies.scopes[bodies.variables[class.variable as usize].scope as usize];
        if scope.kind == ScopeKind::Class {
            let name = bodies.names.hash(bodies.variables[class.variable as usize].name);
            self.add(questions::attribute(self.look.own.id(scope.entity), name), set);
        }
    }

    /// `Base = Other`, `class Item(Base)`: derives from what the variable holds, besides naming the variable.
    fn derive_through_variable(&mut self, class: EntityId, first: usize, base: ExprId) {
        let is_said = self.output.relationships[first..].iter().any(|edge| edge.target == class);
        if !is_said && self.kind(class) == Some(EntityKind::Class) {
            self.edge(class, RelationshipKind::Inherits, Basis::Stored, self.place_of(base));
        }
    }

    /// `@patch.object(Cart, "total")` of a class looks the name up for each of its tests.
    fn say_for_tests(&mut self, class: EntityId, first: usize) {
        for at in first..self.output.relationships.len() {
            let edge = self.output.relationships[at];
            if edge.source == class && edge.basis == Basis::Text {
                self.edges_of_tests(class, edge);
            }
        }
    }

    /// Making a class calls the metaclass's `__new__` and `__init__`, and `__init_subclass__` of its bases.
    fn creation_hooks(&mut self, class: EntityId, place: (u32, u32)) {
        let bases = self.look.mro(class).classes[1..].to_vec();
        let itself = self.sets.single(Value::Class(class), Basis::Scope);
        for &base in &bases {
            self.add(questions::subclasses(base), itself);
        }
        // Those that derive from another one of the metaclass are known by that.
        if let Some(Target::Entity(metaclass)) = self.look.metaclass(class)
            && !bases.iter().any(|&base| self.look.metaclass(base) == Some(Target::Entity(metaclass)))
        {
            self.add(questions::made_by(metaclass), itself);
        }
        self.run_creation_hooks(class, Some(class), Basis::SelfMember, place);
    }

    /// `type(name, bases, members)`: what a class statement with these bases calls.
    pub(crate) fn class_made(&mut self, bases: SetId, place: (u32, u32)) {
        let bases = self.concrete(bases);
        for at in self.sets.range(bases) {
            let (Value::Class(base), basis) = values::parts(self.sets.at(at)) else { continue };
            self.run_creation_hooks(base, None, basis.max(Basis::SelfMember), place);
        }
    }

    fn run_creation_hooks(&mut self, class: EntityId, after: Option<EntityId>, basis: Basis, place: (u32, u32)) {
        let mut hooks: Vec<Target> = Vec::new();
        if let Some((_, targets)) = self.look.inherited(class, "__init_subclass__", after) {
            // It is run for the class that is made; one that a call makes is no class of the repository.
            let itself = after.map(|class| self.sets.single(Value::Class(class), Basis::SelfMember));
            for target in &targets {
                if let (Target::Entity(hook), Some(itself)) = (*target, itself) {
                    self.add(questions::parameter(hook, 0, 0), itself);
                }
            }
            hooks.extend(targets);
        }
        if let Some(Target::Entity(metaclass)) = self.look.metaclass(class) {
            for name in ["__new__", "__init__"] {
                if let Some((_, targets)) = self.look.inherited(metaclass, name, None) {
                    hooks.extend(targets);
                }
            }
        }
        for hook in hooks {
            if let Target::Entity(entity) = hook {
                self.edge(entity, RelationshipKind::Calls, basis, place);
            }
        }
    }

    /// What the annotation of a parameter says, of a function of this file.
    pub(crate) fn declared_for(&mut self, function: EntityId, lambda: u32, index: u32) -> SetId {
        let bodies = self.bodies;
        let own = &self.look.own;
        let is_asked = |body: &&FunctionBody| own.id(body.entity) == function && body.lambda == lambda;
        let present = bodies.functions.get(self.function as usize).filter(is_asked);
        let Some(body) = present.or_else(|| bodies.functions.iter().find(is_asked)) else { return SetId::EMPTY };
        let annotation = body.parameters.get(index as usize).map_or(NONE, |parameter| parameter.annotation);
        self.quiet(|this| this.annotation(annotation))
    }

    /// What the parameters of a function hold when it begins.
    pub(crate) fn bind_own_parameters(&mut self, function: &FunctionBody) {
        let owner = self.look.own.id(function.entity);
        self.comes_from(NONE);
        self.bind_fixtures(function);
        self.bind_shown(function);
        let first = self.output.relationships.len();
        for (index, parameter) in (0..).zip(&function.parameters) {
            let key = questions::parameter(owner, function.lambda, index);
            let declared = self.annotation(parameter.annotation);
            self.call_declared(parameter.default, declared);
            let set = match parameter.kind {
                crate::facts::interface::ParameterKind::Positionals
                | crate::facts::interface::ParameterKind::Keywords => {
                    let declared = self.declared_list(declared, self.place_of(parameter.annotation));
                    let passed = self.read(key);
                    self.sets.union(declared, passed)
                }
                _ => {
                    self.comes_from(parameter.annotation);
                    self.add(key, declared);
                    self.sets.single(Value::Parameter(owner, function.lambda, index), Basis::Scope)
                }
            };
            self.comes_from(NONE);
            self.assign_variable(parameter.variable, set);
        }
        self.comes_from(function.returns);
        // What a type variable stands for is what goes in.
        let declared = self.annotation(function.returns);
        let around = self.runs_annotations(function);
        self.runs_at_definition(around, first);
        if self.look.signature(owner, function.lambda).is_some_and(|place| place.signature().is_guard) {
            let guarded = self.guarded(function.returns);
            self.add(questions::guarded(owner), guarded);
        }
        self.returns_argument(function);
        self.made_by_arguments(function);
        let returns = if self.is_type_variable(function.returns) { SetId::EMPTY } else { declared };
        self.declare_function(function, returns);
        if function.is_generator {
            let yielded = self.iterate_declared(returns);
            self.add(questions::yields(owner, function.lambda), yielded);
        } else {
            self.add(questions::returns(owner, function.lambda), returns);
        }
    }

    // --- decorators --------------------------------------------------------------------------------------------

    /// What `@decorator` makes of a definition.
    pub(crate) fn apply_decorator(&mut self, decorator: ExprId, definition: SetId) -> SetId {
        let callee = self.eval_as(decorator, RelationshipKind::Decorates);
        let place = self.place_of(decorator);
        let made = self.call_sets(callee, &[definition], place);
        let useful = self.only(made, |value| {
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
        let classes = self.only(useful, is_class);
        if classes != SetId::EMPTY && self.only(definition, is_class) == definition {
            // Other classes that it gives back it was given elsewhere.
            let given = self.sets.entries(definition).iter().map(|&entry| values::parts(entry).0);
            let is_given_back = given
                .into_iter()
                .all(|class| self.sets.entries(classes).iter().any(|&entry| values::parts(entry).0 == class));
            return if is_given_back { definition } else { classes };
        }
        if useful != SetId::EMPTY {
            return useful;
        }
        // Nobody knows what code outside the repository made of a function.
        let is_foreign = self.only(made, |value| matches!(value, Value::ExternalInstance(_))) != SetId::EMPTY;
        if is_foreign && self.only(definition, is_class) == SetId::EMPTY {
            let object = self.object_made(made);
            let definition = self.sets.weaken(definition, Basis::Returned);
            return self.sets.union(definition, object);
        }
        definition
    }
}
