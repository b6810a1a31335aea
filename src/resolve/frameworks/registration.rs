//! Decorators of frameworks: what is decorated is registered with an object, and runs when that is used.
//!
//! Goes in: a decorator and what it decorates. Comes out: *registers* relationships to the object's definition. What each
//! decorator does stands in `rules`.

use crate::{
    facts::{
        bodies::{ExprId, ExprKind, NONE},
        hash_name,
    },
    model::{Basis, EntityId, EntityKind, RelationshipKind},
    resolve::{
        engine::{Solver, output::Place},
        frameworks::{Argument, rules},
        interpret::calls::Arguments,
        library::known,
        names::Target,
        questions,
        values::{self, Kinds, SetId, Value},
    },
};

impl Solver<'_> {
    /// Says what the present entity is registered with by its decorator.
    pub(crate) fn register(&mut self, decorator: ExprId) {
        let bodies = self.bodies;
        let callee = self.decorator_named(decorator);
        let set = self.quiet(|this| this.head(callee).0);
        let mut paths = self.outside_paths(set);
        if paths.is_empty() {
            paths = self.paths_of_given_object(callee);
        }
        for path in paths {
            if rules().registers(path)
                && let ExprKind::Attribute { base, .. } = bodies.expressions[callee as usize].kind
            {
                self.register_with(base);
            }
            if let Some(rule) = rules().route(path) {
                self.route(rule, decorator);
            }
            if let Some(signal) = rules().signal(path) {
                self.connect_decorated(signal, decorator);
            }
            if let Some(first) = rules().passes_first(path) {
                let passed = match (first.object, first.attribute) {
                    (Some(object), Some(attribute)) => self.kept_outside(object, attribute),
                    (Some(object), None) => self.sets.single(Value::ExternalInstance(object), Basis::Passed),
                    (None, _) => self.only(set, |value| matches!(value, Value::Instance(_))),
                };
                self.add(questions::parameter(self.entity, 0, 0), passed);
            }
            if !rules().is_decorator(path) {
                self.register_with_unknown(callee);
            }
            let Some(rule) = rules().registers_with(path) else { continue };
            let given = match rule.argument {
                Argument::Position(position) => self.written_argument(decorator, Some(position), None),
                Argument::Keyword(keyword) => self.written_argument(decorator, None, Some(keyword)),
            };
            let Some(given) = given else { continue };
            let classes = match (bodies.text(given), rule.kind) {
                (Some(text), Some(kind)) => {
                    let classes = self.named(kind, text);
                    self.refer_by_text(classes, RelationshipKind::Registers, self.place_of(given));
                    classes
                }
                _ => {
                    // Who uses a class does not run what is only told of it.
                    if rule.attribute.is_none() {
                        self.register_with(given);
                    }
                    self.quiet(|this| this.eval(given))
                }
            };
            let function = self.entity;
            if let Some(attribute) = rule.attribute {
                let held = self.only(classes, |value| matches!(value, Value::Class(_)));
                self.add(questions::attribute(function, attribute), held);
            }
            if let Some(parameter) = rule.passes.and_then(|passes| self.parameter_named(function, passes)) {
                self.pass_instances(function, parameter, classes);
            } else if let Some(parameter) = rule.passes_at.and_then(|at| u32::try_from(at).ok()) {
                self.pass_instances(function, parameter, classes);
            }
        }
    }

    /// The index of the parameter of this name, by its hash.
    pub(crate) fn parameter_named(&mut self, function: EntityId, parameter: u64) -> Option<u32> {
        let place = self.look.signature(function, 0)?;
        let names = &place.info.interface.names;
        let mut heads = (0..).zip(&place.signature().parameters);
        heads.find(|(_, head)| names.hash(head.name) == parameter).map(|(index, _)| index)
    }

    /// A function is given instances of classes for a parameter.
    pub(crate) fn pass_instances(&mut self, function: EntityId, parameter: u32, classes: SetId) {
        let instances = self.instances(classes, Basis::Passed);
        let instances = self.only(instances, |value| matches!(value, Value::Instance(_)));
        self.add(questions::parameter(function, 0, parameter), instances);
    }

    /// `app.command` in `@app.command()` and in `@app.command`.
    pub(crate) fn decorator_named(&self, decorator: ExprId) -> ExprId {
        match self.bodies.expressions[decorator as usize].kind {
            ExprKind::Call { callee, .. } => callee,
            _ => decorator,
        }
    }

    /// `@app.command()`, where a class of the repository has the method and gives the definition back: the object keeps it. That the
    /// object runs it cannot be followed where it keeps many.
    pub(crate) fn register_with_own(&mut self, decorator: ExprId) {
        let callee = self.decorator_named(decorator);
        let ExprKind::Attribute { base, .. } = self.bodies.expressions[callee as usize].kind else { return };
        let (objects, place) = self.objects_named(base);
        for (object, basis) in objects {
            if self.is_of_a_module(object) && self.keeps_an_instance(object) {
                self.by_rule("a method of the object is given the definition and gives it back", None, |this| {
                    this.edge(object, RelationshipKind::Registers, basis, place);
                });
            }
        }
    }

    /// Whether a variable of a module holds an instance of a class of the repository.
    pub(crate) fn keeps_an_instance(&mut self, object: EntityId) -> bool {
        self.kind(object) == Some(EntityKind::Variable) && {
            let held = self.target_value(Target::Entity(object), Basis::Scope);
            let held = self.concrete(held);
            self.only(held, |value| matches!(value, Value::Instance(_))) != SetId::EMPTY
        }
    }

    /// `@login.user_loader`, where a variable of a module holds an object from outside of which no rule says what its method does: it
    /// may keep the definition.
    fn register_with_unknown(&mut self, callee: ExprId) {
        let Some(&ExprKind::Attribute { base, .. }) = self.bodies.kind(callee) else { return };
        let held = self.quiet(|this| this.eval(base));
        let is_object = |&entry: &u64| matches!(values::parts(entry).0, Value::ExternalInstance(_));
        if !self.sets.entries(held).iter().all(is_object) {
            return;
        }
        let (objects, place) = self.objects_named(base);
        for (object, _) in objects {
            if self.kind(object) == Some(EntityKind::Variable) && self.is_of_a_module(object) {
                self.by_rule("a method of an object from outside may keep the definition", None, |this| {
                    this.edge(object, RelationshipKind::Registers, Basis::MAY_KEEP, place);
                });
            }
        }
    }

    /// `class ItemView(MethodView)`: a view that is a class runs its methods for those who use the class.
    pub(crate) fn register_methods(&mut self, class: EntityId) {
        for base in self.look.mro(class).externals.clone() {
            for member in rules().members_run(base, const { hash_name("as_view") }) {
                for target in self.look.own_member(class, member) {
                    let Target::Entity(method) = target else { continue };
                    let Some(index) = self.look.own_place(method) else { continue };
                    let record = &self.bodies.records[index as usize];
                    let place = (record.line, record.column);
                    self.by_rule("a framework runs the methods of a view that is a class", None, |this| {
                        this.edge_from(method, class, RelationshipKind::Registers, Basis::Scope, place);
                    });
                }
            }
        }
    }

    fn register_with(&mut self, object: ExprId) {
        let (objects, place) = self.objects_named(object);
        for (entity, basis) in objects {
            self.by_rule("a framework's decorator hands the definition to this object, which runs it", None, |this| {
                this.edge(entity, RelationshipKind::Registers, basis, place);
            });
        }
    }

    /// The definitions that an expression names, or that it is an attribute of: `app` in `app.cli`; what a parameter is given.
    pub(crate) fn objects_named(&mut self, object: ExprId) -> (Vec<(EntityId, Basis)>, Place) {
        let bodies = self.bodies;
        let mut at = object;
        loop {
            let (set, heads) = self.quiet(|this| this.head(at));
            let mut named: Vec<(EntityId, Basis)> = heads
                .iter()
                .filter_map(
                    |&(target, basis)| if let Target::Entity(entity) = target { Some((entity, basis)) } else { None },
                )
                .collect();
            if named.is_empty() && self.sets.holds(set, Kinds::PARAMETERS) {
                let given = self.concrete(set);
                named.extend(self.sets.entries(given).iter().filter_map(|&entry| match values::parts(entry) {
                    (Value::Function(function, 0), basis) => Some((function, basis)),
                    _ => None,
                }));
                named.retain(|&(function, _)| self.is_object_outside(function));
            }
            match bodies.expressions[at as usize].kind {
                ExprKind::Attribute { base, .. } if named.is_empty() => at = base,
                _ => return (named, self.place_of(at)),
            }
        }
    }

    /// `group.add_command(f)`, `app.command("three")(f)`: where a module or a function that is given the object hands a
    /// definition to it, and code outside made the object, that runs what it was handed when somebody uses it.
    pub(crate) fn register_by_call(&mut self, callee: ExprId, callees: SetId, arguments: &Arguments) {
        let sets = arguments.positional.iter().copied().chain(arguments.keywords.iter().map(|&(_, set)| set));
        let may_hold = |&set: &SetId| self.sets.holds(set, Kinds::FUNCTIONS.or(Kinds::CLASSES));
        let given: Vec<SetId> = sets.filter(may_hold).collect();
        let outside = self.outside_paths(callees).len();
        if given.is_empty() || outside != self.sets.entries(callees).len() || callees == SetId::TOP {
            return;
        }
        let Some(object) = self.object_called(callee) else { return };
        let mut definitions: Vec<EntityId> = Vec::new();
        for at in given.into_iter().flat_map(|set| self.sets.range(set)) {
            let (Value::Function(entity, 0) | Value::Class(entity)) = values::parts(self.sets.at(at)).0 else {
                continue;
            };
            if self.look.is_own(entity) {
                definitions.push(entity);
            }
        }
        if definitions.is_empty() {
            return;
        }
        let (objects, place) = self.objects_named(object);
        for (object, basis) in objects {
            // A module says of its own variables and functions what they are given (`emit`).
            let is_passed = basis >= Basis::Passed;
            let counts = if self.function == NONE { outside > 0 && !self.look.is_own(object) } else { is_passed };
            if !counts || !self.is_of_a_module(object) {
                continue;
            }
            for &definition in &definitions {
                self.by_rule("an object that code outside made runs what it is handed here", None, |this| {
                    this.edge_from(definition, object, RelationshipKind::Registers, basis, place);
                });
            }
        }
    }

    /// `@group.command()` in a function that is given the group: what a decorator elsewhere made of a function.
    fn paths_of_given_object(&mut self, callee: ExprId) -> Vec<u64> {
        let Some(&ExprKind::Attribute { base, name }) = self.bodies.kind(callee) else { return Vec::new() };
        let given = self.quiet(|this| this.eval(base));
        if !self.sets.holds(given, Kinds::PARAMETERS) {
            return Vec::new();
        }
        let name = self.bodies.names.hash(name);
        let mut paths = Vec::new();
        for (function, _) in self.objects_named(base).0 {
            let object = self.function_value(function, Basis::Passed);
            paths.extend(self.outside_paths(object).into_iter().map(|path| known::member(path, name)));
        }
        paths
    }

    fn is_of_a_module(&mut self, entity: EntityId) -> bool {
        self.look.with_head(entity, |_, head| head.parent) == Some(0)
    }

    /// The object that a framework makes of a function, beside the function itself.
    pub(crate) fn object_made(&mut self, made: SetId) -> SetId {
        let objects = self.outside_paths(made).into_iter().filter_map(|path| rules().makes(path));
        let entries: values::Entries =
            objects.map(|object| values::entry(Value::ExternalInstance(object), Basis::Returned)).collect();
        self.sets.of(entries)
    }

    /// Makes an instance of the class that a keyword names, where a framework does.
    pub(crate) fn instantiate_named(&mut self, call: u64, arguments: &Arguments, place: Place) {
        let Some(keyword) = rules().instantiates(call) else { return };
        let Some(&(_, set)) = arguments.keywords.iter().find(|(name, _)| *name == keyword) else { return };
        let classes = self.concrete(set);
        let classes = self.only(classes, |value| matches!(value, Value::Class(_)));
        self.call_sets(classes, &[], place);
    }

    /// The names outside the repository that a set holds, or instances of what is so called.
    pub(crate) fn outside_paths(&self, set: SetId) -> Vec<u64> {
        let paths = self.sets.entries(set).iter().filter_map(|&entry| match values::parts(entry).0 {
            Value::External(path) | Value::ExternalInstance(path) => Some(path),
            _ => None,
        });
        paths.collect()
    }
}
