//! Functions that a framework calls: registered by a decorator or a call, passed as callbacks, declared as
//! dependencies.

use smallvec::{SmallVec, smallvec};

use crate::{
    facts::{
        bodies::{ExprId, ExprKind, NONE, Stmt},
        hash_name,
    },
    model::{Basis, EntityId, EntityKind, Position, RelationshipKind},
    resolve::{
        frameworks::{
            decorators::METADATA_KINDS,
            tables::{
                behavior_of,
                calls::{CallbackResult, Passes},
                rules,
            },
        },
        interpret::{
            Interpreter,
            calls::arguments::{Arguments, MethodCall},
        },
        library::known::{self, Known},
        names::Target,
        values::{self, Kinds, PartOfName, SetId, Value, questions},
    },
};

/// `thread.start()`: library code that a class inherits runs methods of the class.
pub(crate) fn run_members(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>) {
    let &MethodCall { receivers, method: name, place, .. } = call;
    let method = interpreter.solver.bodies.names.hash(name);
    if !rules().runs_members(method) {
        return;
    }
    let name = interpreter.solver.bodies.names.text(name);
    let receivers = interpreter.expand_parameters(receivers);
    for at in interpreter.solver.sets.range(receivers) {
        match values::parts(interpreter.solver.sets.at(at)) {
            (Value::Instance(class), basis) if interpreter.solver.look.is_of_library(class, name) => {
                interpreter.run_inherited(class, method, basis, place);
            }
            // `super().run()` in the method that hides it.
            (Value::Super(class, receiver), basis) => {
                interpreter.run_inherited(receiver.unwrap_or(class), method, basis, place);
            }
            _ => {}
        }
    }
}

/// `task.delay(order)`: a method of the object that a framework made of a function runs the function.
pub(crate) fn run_function(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>) {
    let &MethodCall { callees, receivers, arguments, place, .. } = call;
    let rules =
        interpreter.solver.sets.outside_paths(callees).into_iter().find_map(|path| rules().runs_function.get(path));
    let Some(rule) = rules else { return };
    let functions = interpreter.expand_parameters(receivers);
    for at in interpreter.solver.sets.range(functions) {
        let (Value::Function(function, 0), basis) = values::parts(interpreter.solver.sets.at(at)) else { continue };
        let mut given = match rule.passes {
            Passes::Rest => arguments.after(0),
            _ => interpreter.arguments_held(arguments, Some(0)),
        };
        // A bound task gets itself first.
        if interpreter.solver.look.parameter_named(function, const { hash_name("self") }) == Some(0) {
            given.positional.insert(0, SetId::EMPTY);
        }
        let function = interpreter.solver.sets.single(Value::Function(function, 0), basis);
        interpreter.by_rule("a method of the object that a framework made of a function runs it", None, |this| {
            this.call_all(function, &given, place)
        });
    }
}

impl Interpreter<'_> {
    /// Runs the methods of a class that a method uses which it inherits from a library, itself or by others of the
    /// library.
    pub(crate) fn run_inherited(&mut self, class: EntityId, method: u64, basis: Basis, place: Position) {
        for base in self.solver.look.mro(class).externals.clone() {
            // Those that every call reaches come first, and those that only end in an error last.
            let mut inherited: SmallVec<[(u64, Basis); 8]> = smallvec![(method, Basis::Inherited)];
            for reached in [Basis::Inherited, Basis::Conditional, Basis::Failure] {
                let mut next = 0;
                while let Some(&(method, before)) = inherited.get(next) {
                    next += 1;
                    for (member, when) in rules().members_run(base, method) {
                        if before.max(when) != reached {
                            continue;
                        }
                        if member.ends_with('*') || !self.solver.look.is_of_library(class, member) {
                            self.run_own(class, member, (basis, reached), place);
                            continue;
                        }
                        let member = hash_name(member);
                        if inherited.iter().all(|&(one, _)| one != member) {
                            inherited.push((member, reached));
                        }
                    }
                }
            }
        }
    }

    /// Runs a method that a class defines itself, or all with a prefix, as a method of a library does: `when`.
    fn run_own(&mut self, class: EntityId, member: &str, (basis, when): (Basis, Basis), place: Position) {
        let first = self.solver.output.relationships.len();
        match member.strip_suffix('*').and_then(PartOfName::of) {
            Some(beginning) => self.run_all_with_prefix(class, beginning, basis, place),
            None => {
                self.special_on(class, member, basis, &[], place);
            }
        }
        self.solver.calls_are_of_library(first, when);
    }

    fn run_all_with_prefix(&mut self, class: EntityId, beginning: PartOfName, basis: Basis, place: Position) {
        for (method, class) in self.solver.methods_with_prefix(class, beginning) {
            let receiver = self.solver.sets.single(Value::Instance(class), basis);
            self.call_members(&smallvec![Target::Entity(method)], receiver, &[], basis, place);
        }
    }

    /// The arguments in a list that is passed as the keyword `args`, else at a position.
    fn arguments_held(&mut self, arguments: &Arguments, position: Option<usize>) -> Arguments {
        let keyword = const { hash_name("args") };
        let given = self.solver.bodies.argument(arguments, position, Some(keyword));
        Arguments::of_elements(self.elements(given.map_or(SetId::EMPTY, |(set, _)| set)))
    }

    /// `pager: Pager = Depends()`: without an argument, the framework calls the class in the annotation.
    pub(crate) fn call_declared(&mut self, written: ExprId, declared: SetId) {
        let Some(&ExprKind::Call { callee, .. }) = self.solver.bodies.kind(written) else { return };
        let callees = self.quiet(|this| this.head(callee).0);
        let paths = self.solver.sets.outside_paths(callees);
        let mut callbacks = paths.iter().flat_map(|&path| rules().callbacks.all(path));
        let Some(rule) = callbacks.find(|rule| rule.is_declared) else { return };
        if self.solver.bodies.written_argument(written, rule.position, rule.keyword.map(u64::from)).is_some() {
            return;
        }
        let mut classes = values::Entries::new();
        for &entry in self.solver.sets.entries(declared) {
            if let (Value::Instance(class), basis) = values::parts(entry) {
                classes.push(values::entry(Value::Class(class), basis));
            }
        }
        let classes = self.solver.sets.of(classes);
        let place = self.solver.bodies.place_of(written);
        self.by_rule("a framework calls the class that is declared here", None, |this| {
            this.call_sets(classes, &[], place)
        });
    }

    /// `CurrentUser = Annotated[User, Depends(current_user)]`: publishes the relationships of the metadata, those from
    /// `first` on, for annotations that use the alias.
    pub(crate) fn note_metadata(&mut self, alias: EntityId, statement: &Stmt, first: usize) {
        let &(Stmt::Assign { value, .. } | Stmt::Annotated { value, .. }) = statement else { return };
        let Some(&ExprKind::Subscript { base, index }) = self.solver.bodies.kind(value) else { return };
        let (set, _) = self.quiet(|this| this.head(base));
        let is_annotated = |&path: &u64| behavior_of(path) == Some(Known::Annotated);
        let items = self.solver.items(index);
        let Some((&typed, &[begin, ..])) =
            items.split_first().filter(|_| self.solver.sets.outside_paths(set).iter().any(is_annotated))
        else {
            return;
        };
        let declared = self.quiet(|this| this.annotation(typed));
        for &item in &items[1..] {
            self.call_declared(item, declared);
        }
        let begin = self.solver.bodies.place_of(begin);
        for at in first..self.solver.output.relationships.len() {
            let edge = self.solver.output.relationships[at];
            if (edge.line, edge.column) < begin {
                // `Admin = Annotated[CurrentUser, Depends(check)]`
                for kind in METADATA_KINDS.into_iter().filter(|_| edge.kind == RelationshipKind::Reads) {
                    let said = self.solver.read(questions::metadata(edge.target, kind as u8));
                    self.solver.add(questions::metadata(alias, kind as u8), said);
                }
                continue;
            }
            let target = match self.solver.look.kind(edge.target) {
                Some(EntityKind::Class) => Value::Class(edge.target),
                Some(kind) if kind.is_callable() => Value::Function(edge.target, 0),
                _ => continue,
            };
            if METADATA_KINDS.contains(&edge.kind) {
                let said = self.solver.sets.single(target, edge.basis);
                self.solver.add(questions::metadata(alias, edge.kind as u8), said);
            }
        }
    }

    /// Emits the relationships in the metadata of an alias where the alias annotates something.
    pub(crate) fn emit_metadata(&mut self, referents: &[(Target, Basis)], annotation: ExprId) {
        for &(target, basis) in referents {
            let Target::Entity(alias) = target else { continue };
            if self.solver.look.kind(alias) != Some(EntityKind::Variable) {
                continue;
            }
            for kind in METADATA_KINDS {
                let said = self.solver.read(questions::metadata(alias, kind as u8));
                for at in self.solver.sets.range(said) {
                    let (Value::Class(entity) | Value::Function(entity, _), own) =
                        values::parts(self.solver.sets.at(at))
                    else {
                        continue;
                    };
                    let place = self.solver.bodies.place_of(annotation);
                    self.by_rule("the alias has it in its metadata", None, |this| {
                        this.solver.emit(entity, kind, basis.max(own), place);
                    });
                }
            }
        }
    }

    /// Calls the callbacks among the arguments of a library call, and instantiates the classes in its keywords. The
    /// result holds the results of the callbacks.
    pub(crate) fn call_callbacks(&mut self, call: u64, arguments: &Arguments, place: Position) -> SetId {
        let sentence = "code outside the repository runs what it is handed here";
        self.by_rule(sentence, None, |this| this.run_callbacks(call, arguments, place))
    }

    fn run_callbacks(&mut self, call: u64, arguments: &Arguments, place: Position) -> SetId {
        let mut given_back = self.referred(call, arguments, place);
        self.instantiate_named(call, arguments, place);
        for effect in rules().effects.all(call) {
            let given = self.apply_effect(effect, arguments, place);
            given_back = self.solver.sets.union(given_back, given);
        }
        for callback in rules().callbacks.all(call) {
            let Some((set, written)) =
                self.solver.bodies.argument(arguments, callback.position, callback.keyword.map(u64::from))
            else {
                continue;
            };
            let given = match callback.passes {
                Passes::Nothing => Arguments::default(),
                Passes::Rest => arguments.after(callback.position.map_or(0, |position| position + 1)),
                Passes::First | Passes::FirstTwice => {
                    let element = self.iterate(arguments.first(), place, 0);
                    let count = if callback.passes == Passes::First { 1 } else { 2 };
                    Arguments::of(&[element; 2][..count])
                }
                Passes::Elements | Passes::Second => {
                    let items = arguments.positional.get(1).copied().unwrap_or_default();
                    Arguments::of(&[self.iterate(items, place, 0)])
                }
                Passes::Arguments => self.arguments_held(arguments, callback.position.map(|position| position + 1)),
            };
            let at = if written == NONE { place } else { self.solver.bodies.place_of(written) };
            if !callback.members.is_empty() {
                self.call_members_of(set, &callback.members, at);
                continue;
            }
            let result = self.call_all(set, &given, at);
            let result = match callback.gives {
                CallbackResult::Nothing => SetId::EMPTY,
                CallbackResult::Result => result,
                CallbackResult::Provided => {
                    let yielded = self.enter(result, None, true, at);
                    self.solver.sets.union(result, yielded)
                }
                CallbackResult::Held if result == SetId::EMPTY => result,
                CallbackResult::Held => self.solver.container_made(result, place, false),
            };
            given_back = self.solver.sets.union(given_back, result);
        }
        given_back
    }

    /// Calls methods of objects, and of instances of classes, that library code calls.
    fn call_members_of(&mut self, objects: SetId, members: &[String], place: Position) {
        let objects = self.expand_parameters(objects);
        for at in self.solver.sets.range(objects) {
            let (Value::Instance(class) | Value::Class(class), basis) = values::parts(self.solver.sets.at(at)) else {
                continue;
            };
            for member in members {
                self.special_on(class, member, basis, &[], place);
            }
        }
    }

    /// Emits the registration of the present entity by its decorator.
    pub(crate) fn register(&mut self, decorator: ExprId) {
        let bodies = self.solver.bodies;
        let callee = self.solver.bodies.decorator_named(decorator);
        let set = self.quiet(|this| this.head(callee).0);
        let mut paths = self.solver.sets.outside_paths(set);
        if paths.is_empty() {
            paths = self.paths_of_given_object(callee);
        }
        for path in paths {
            // A path can have several rules: Django's `receiver` registers and connects.
            if rules().registers.contains(&path)
                && let ExprKind::Attribute { base, .. } = bodies.expressions[callee as usize].kind
            {
                self.register_with(base);
            }
            if let Some(rule) = rules().routes.get(path) {
                self.route(rule, decorator);
            }
            if let Some(signal) = rules().signals.get(&path) {
                self.connect_decorated(signal, decorator);
            }
            if let Some(first) = rules().passes_first.get(path) {
                let passed = match (first.object, first.attribute) {
                    (Some(object), Some(attribute)) => self.solver.kept_outside(object.0, attribute.0),
                    (Some(object), None) => self.solver.sets.single(Value::ExternalInstance(object.0), Basis::Passed),
                    (None, _) => self.solver.sets.only(set, |value| matches!(value, Value::Instance(_))),
                };
                self.solver.add(questions::parameter(self.solver.entity, 0, 0), passed);
            }
            if !rules().is_decorator(path) {
                self.register_with_unknown(callee);
            }
            let Some(rule) = rules().registers_with.get(path) else { continue };
            let given = match rule.keyword {
                Some(keyword) => bodies.written_argument(decorator, None, Some(keyword.0)),
                None => bodies.written_argument(decorator, Some(rule.position.unwrap_or(0)), None),
            };
            let Some(given) = given else { continue };
            let classes = match (bodies.text(given), rule.kind) {
                (Some(text), Some(kind)) => {
                    let classes = self.solver.named(kind.0, text);
                    self.refer_by_text(classes, RelationshipKind::Registers, self.solver.bodies.place_of(given));
                    classes
                }
                _ => {
                    // With an attribute, the class is data of the definition: users of the class do not run it.
                    if rule.attribute.is_none() {
                        self.register_with(given);
                    }
                    self.quiet(|this| this.eval(given))
                }
            };
            let function = self.solver.entity;
            if let Some(attribute) = rule.attribute {
                let held = self.solver.sets.only(classes, |value| matches!(value, Value::Class(_)));
                self.solver.add(questions::attribute(function, attribute.0), held);
            }
            if let Some(parameter) = rule.passes.and_then(|passes| self.solver.look.parameter_named(function, passes.0))
            {
                self.pass_instances(function, parameter, classes);
            } else if let Some(parameter) = rule.passes_at.and_then(|at| u32::try_from(at).ok()) {
                self.pass_instances(function, parameter, classes);
            }
        }
    }

    /// A function is given instances of classes for a parameter.
    pub(crate) fn pass_instances(&mut self, function: EntityId, parameter: u32, classes: SetId) {
        let instances = self.instances(classes, Basis::Passed);
        let instances = self.solver.sets.only(instances, |value| matches!(value, Value::Instance(_)));
        self.solver.add(questions::parameter(function, 0, parameter), instances);
    }

    /// `@app.command()` with a method of a class in the repository that gives the definition back: the object keeps it.
    /// One edge is all: an object that keeps many does not show which of them it runs.
    pub(crate) fn register_with_own(&mut self, decorator: ExprId) {
        let callee = self.solver.bodies.decorator_named(decorator);
        let ExprKind::Attribute { base, .. } = self.solver.bodies.expressions[callee as usize].kind else { return };
        let (objects, place) = self.objects_named(base);
        for (object, basis) in objects {
            if self.solver.look.is_of_a_module(object) && self.keeps_an_instance(object) {
                self.by_rule("a method of the object is given the definition and gives it back", None, |this| {
                    this.solver.emit(object, RelationshipKind::Registers, basis, place);
                });
            }
        }
    }

    /// Whether a variable of a module holds an instance of a class of the repository.
    pub(crate) fn keeps_an_instance(&mut self, object: EntityId) -> bool {
        self.solver.look.kind(object) == Some(EntityKind::Variable) && {
            let held = self.solver.target_value(Target::Entity(object), Basis::Scope);
            let held = self.expand_parameters(held);
            self.solver.sets.only(held, |value| matches!(value, Value::Instance(_))) != SetId::EMPTY
        }
    }

    /// `@login.user_loader` on an object from outside, held by a variable of a module: without a rule for its method,
    /// the object may keep the definition.
    fn register_with_unknown(&mut self, callee: ExprId) {
        let Some(&ExprKind::Attribute { base, .. }) = self.solver.bodies.kind(callee) else { return };
        let held = self.quiet(|this| this.eval(base));
        let is_object = |&entry: &u64| matches!(values::parts(entry).0, Value::ExternalInstance(_));
        if !self.solver.sets.entries(held).iter().all(is_object) {
            return;
        }
        let (objects, place) = self.objects_named(base);
        for (object, _) in objects {
            if self.solver.look.kind(object) == Some(EntityKind::Variable) && self.solver.look.is_of_a_module(object) {
                self.by_rule("a method of an object from outside may keep the definition", None, |this| {
                    this.solver.emit(object, RelationshipKind::Registers, Basis::MAY_KEEP, place);
                });
            }
        }
    }

    /// `class ItemView(MethodView)`: a view that is a class runs its methods for those who use the class.
    pub(crate) fn register_methods(&mut self, class: EntityId) {
        for base in self.solver.look.mro(class).externals.clone() {
            for (member, _) in rules().members_run(base, const { hash_name("as_view") }) {
                for target in self.solver.look.own_member(class, member) {
                    let Target::Entity(method) = target else { continue };
                    let Some(index) = self.solver.look.own_place(method) else { continue };
                    let record = &self.solver.bodies.records[index as usize];
                    let place = (record.line, record.column);
                    self.by_rule("a framework runs the methods of a view that is a class", None, |this| {
                        this.solver.emit_from(method, class, RelationshipKind::Registers, Basis::Scope, place);
                    });
                }
            }
        }
    }

    fn register_with(&mut self, object: ExprId) {
        let (objects, place) = self.objects_named(object);
        for (entity, basis) in objects {
            self.by_rule("a framework's decorator hands the definition to this object, which runs it", None, |this| {
                this.solver.emit(entity, RelationshipKind::Registers, basis, place);
            });
        }
    }

    /// The definitions that an expression, or the object of its attribute, names: `app` in `app.cli`; for a parameter
    /// its values.
    pub(crate) fn objects_named(&mut self, object: ExprId) -> (Vec<(EntityId, Basis)>, Position) {
        let bodies = self.solver.bodies;
        let mut at = object;
        loop {
            let (set, referents) = self.quiet(|this| this.head(at));
            let mut named: Vec<(EntityId, Basis)> = referents
                .iter()
                .filter_map(
                    |&(target, basis)| if let Target::Entity(entity) = target { Some((entity, basis)) } else { None },
                )
                .collect();
            if named.is_empty() && self.solver.sets.holds(set, Kinds::PARAMETERS) {
                let given = self.expand_parameters(set);
                named.extend(self.solver.sets.entries(given).iter().filter_map(|&entry| match values::parts(entry) {
                    (Value::Function(function, 0), basis) => Some((function, basis)),
                    _ => None,
                }));
                // Any other function is a value here, not an object that runs definitions.
                named.retain(|&(function, _)| self.solver.is_object_outside(function));
            }
            match bodies.expressions[at as usize].kind {
                ExprKind::Attribute { base, .. } if named.is_empty() => at = base,
                _ => return (named, self.solver.bodies.place_of(at)),
            }
        }
    }

    /// `group.add_command(f)`, `app.command("three")(f)`: an outside object with a definition as argument runs it when
    /// somebody uses the object. The call stands in a module, or in a function with the object as parameter.
    pub(crate) fn register_by_call(&mut self, callee: ExprId, callees: SetId, arguments: &Arguments) {
        let sets = arguments.positional.iter().copied().chain(arguments.keywords.iter().map(|&(_, set)| set));
        let may_hold = |&set: &SetId| self.solver.sets.holds(set, Kinds::FUNCTIONS.or(Kinds::CLASSES));
        let given: Vec<SetId> = sets.filter(may_hold).collect();
        let outside = self.solver.sets.outside_paths(callees).len();
        if given.is_empty() || outside != self.solver.sets.entries(callees).len() || callees == SetId::TOP {
            return;
        }
        let Some(object) = self.solver.bodies.object_called(callee) else { return };
        let mut definitions: Vec<EntityId> = Vec::new();
        for at in given.into_iter().flat_map(|set| self.solver.sets.range(set)) {
            let (Value::Function(entity, 0) | Value::Class(entity)) = values::parts(self.solver.sets.at(at)).0 else {
                continue;
            };
            if self.solver.look.is_own(entity) {
                definitions.push(entity);
            }
        }
        if definitions.is_empty() {
            return;
        }
        let (objects, place) = self.objects_named(object);
        for (object, basis) in objects {
            // A module emits the references to its own variables and functions itself.
            let is_passed = basis >= Basis::Passed;
            let counts =
                if self.solver.function == NONE { outside > 0 && !self.solver.look.is_own(object) } else { is_passed };
            if !counts || !self.solver.look.is_of_a_module(object) {
                continue;
            }
            for &definition in &definitions {
                self.by_rule("an object that code outside made runs what it is handed here", None, |this| {
                    this.solver.emit_from(definition, object, RelationshipKind::Registers, basis, place);
                });
            }
        }
    }

    /// `@group.command()` in a function with the group as parameter: the object that a decorator elsewhere made of a
    /// function.
    fn paths_of_given_object(&mut self, callee: ExprId) -> Vec<u64> {
        let Some(&ExprKind::Attribute { base, name }) = self.solver.bodies.kind(callee) else { return Vec::new() };
        let given = self.quiet(|this| this.eval(base));
        if !self.solver.sets.holds(given, Kinds::PARAMETERS) {
            return Vec::new();
        }
        let name = self.solver.bodies.names.hash(name);
        let mut paths = Vec::new();
        for (function, _) in self.objects_named(base).0 {
            let object = self.solver.function_value(function, Basis::Passed);
            paths.extend(self.solver.sets.outside_paths(object).into_iter().map(|path| known::member(path, name)));
        }
        paths
    }

    /// Makes an instance of the class that a keyword names, where a framework does.
    pub(crate) fn instantiate_named(&mut self, call: u64, arguments: &Arguments, place: Position) {
        let Some(&keyword) = rules().instantiates.get(&call) else { return };
        let Some(&(_, set)) = arguments.keywords.iter().find(|(name, _)| *name == keyword) else { return };
        let classes = self.expand_parameters(set);
        let classes = self.solver.sets.only(classes, |value| matches!(value, Value::Class(_)));
        self.call_sets(classes, &[], place);
    }
}
