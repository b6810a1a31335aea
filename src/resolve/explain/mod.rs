//! Explanations: why an occurrence means its targets, or why it is unresolved.
//!
//! For each place, the innermost part of its expression comes first. Each part has its points-to set, and the questions
//! that lead to the sources of these values. Nothing of this is stored: one more run over the file fills a [`Trace`].

pub(crate) mod source_text;
pub(crate) mod sources;

use std::sync::Arc;

use smallvec::SmallVec;

use crate::{
    facts::{
        Bodies, NameId,
        bodies::{ExprId, ExprKind, NONE, ScopeKind},
        interface::ParameterKind,
    },
    model::{Basis, EntityFlags, EntityId, EntityKind, Position, RelationshipKind},
    resolve::{
        Definitions, ModuleInfo, ROUNDS,
        explain::{
            source_text::{call_of, chain, named_at, text_of, text_with_arguments},
            sources::{Asked, How, Question, Source},
        },
        interpret::Interpreter,
        library::known,
        names::Lookup,
        rounds::{file::FileSolver, go_through},
        solver::{
            Solver,
            trace::{Givers, Rule, Trace},
        },
        values::{self, Kinds, SetId, Sets, Value, questions, site::Site, slot::Slot},
    },
};

/// The knowledge about the inside of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inside {
    /// Its elements are instances of its class.
    Instances,
    /// Its keys are.
    Keys,
    /// It is known by the place that makes it.
    Made,
    /// It gives its contents when it is called or entered.
    Giver,
}

/// The knowledge about its inside that a container's site gives.
pub fn inside(site: Site) -> Inside {
    match site {
        Site::DeclaredKeys => Inside::Keys,
        Site::Declared { .. } => Inside::Instances,
        Site::Giver { .. } => Inside::Giver,
        Site::Written { .. }
        | Site::OfInstances { .. }
        | Site::Request
        | Site::Tests
        | Site::Starred { .. }
        | Site::View(_)
        | Site::Made { .. }
        | Site::ViewOfMade { .. }
        | Site::Gathered { .. }
        | Site::Passed { .. } => Inside::Made,
    }
}

/// The builtin that a hash stands for.
pub fn builtin_named(hash: u64) -> Option<&'static str> {
    if hash == known::NONE_TYPE { Some("NoneType") } else { known::builtin_named(hash) }
}

/// An occurrence that somebody wants explained.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occurrence {
    /// Of the naming token.
    pub line: u32,
    pub column: u32,
    /// The kind of the relationship that begins there; none for an unresolved occurrence.
    pub kind: Option<RelationshipKind>,
    /// The targets of the relationship.
    pub targets: Vec<EntityId>,
}

/// One part of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// As it stands there, arguments left out: `app.logger`, `make(…)`.
    pub text: String,
    pub origin: Origin,
    /// The properties, variables and fixtures that it names.
    pub names: Vec<EntityId>,
    /// Something is assigned to it there.
    pub is_written: bool,
    /// Its possible values, those that lead to the target first; empty when nothing is known.
    pub values: Vec<(Value, Basis)>,
    /// How many of the values lead to the target.
    pub leading: usize,
    /// It has more values than a set may hold.
    pub is_anything: bool,
    /// The texts that it can be, where it is the name of an attribute.
    pub texts: Vec<String>,
    /// The classes of descriptors among the values, with the method that is run.
    pub descriptors: Vec<(EntityId, EntityId)>,
    /// The questions that lead to the sources of its values.
    pub asked: Vec<Asked>,
}

/// Where the values of a part come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A parameter of the function around it.
    Parameter,
    /// One with an annotation.
    Annotated,
    /// A variable that the code around it assigns.
    Local,
    /// A variable of a scope further out, or an import.
    Outer,
    /// A name that the file does not bind.
    Unbound,
    Attribute,
    Call,
    Element,
    Other,
}

/// A file after a run with a trace.
pub struct Traced {
    solver: FileSolver,
    bodies: Bodies,
    trace: Trace,
}

impl Traced {
    pub fn of(info: Arc<ModuleInfo>, definitions: &dyn Definitions, bodies: Bodies) -> Self {
        let mut solver = FileSolver::new(info);
        go_through(&mut solver, definitions, 1..=ROUNDS, || &bodies);
        let trace = solver.with_solver(definitions, &bodies, ROUNDS, |solver| {
            solver.solver.trace = Some(Trace::of(solver.solver.bodies));
            solver.run_all();
            solver.solver.structural_relationships();
            solver.solver.trace.take().expect("given above")
        });
        Traced { solver, bodies, trace }
    }

    fn with<T>(&mut self, definitions: &dyn Definitions, work: impl FnOnce(&mut Interpreter<'_>, &Trace) -> T) -> T {
        let Traced { solver, bodies, trace } = self;
        solver.with_solver(definitions, bodies, ROUNDS, |solver| {
            solver.solver.stand_outside();
            work(solver, trace)
        })
    }

    /// The parts of an occurrence's expression, and the rule that leads to its target. No parts where no name or
    /// attribute stands.
    pub fn explain(&mut self, definitions: &dyn Definitions, occurrence: &Occurrence) -> (Vec<Part>, Option<Rule>) {
        self.with(definitions, |solver, trace| solver.explained(occurrence, trace))
    }

    /// The parts of an expression.
    pub fn parts(&mut self, definitions: &dyn Definitions, expression: ExprId) -> Vec<Part> {
        self.with(definitions, |solver, trace| {
            let chain = chain(solver.solver.bodies, expression);
            chain.iter().map(|&expression| solver.part(expression, &[], trace)).collect()
        })
    }

    /// The expressions of the file that gave the values in question, in their order.
    pub fn sources(&mut self, definitions: &dyn Definitions, asked: Asked) -> Vec<Source> {
        self.with(definitions, |solver, trace| solver.sources(asked, trace))
    }
}

impl Interpreter<'_> {
    fn explained(&mut self, occurrence: &Occurrence, trace: &Trace) -> (Vec<Part>, Option<Rule>) {
        let place = (occurrence.line, occurrence.column);
        let targets: SmallVec<[EntityId; 2]> = match trace.edges.get(&place) {
            Some(edges) => {
                let is_it = |kind, target| Some(kind) == occurrence.kind && occurrence.targets.contains(&target);
                edges.iter().filter(|&&(kind, target)| is_it(kind, target)).map(|&(_, target)| target).collect()
            }
            None => SmallVec::new(),
        };
        let rule = targets.iter().find_map(|&target| trace.rules.get(&(place, target))).copied();
        let mut parts = Vec::new();
        if let Some(named) = named_at(self.solver.bodies, place) {
            for expression in chain(self.solver.bodies, named) {
                parts.push(self.part(expression, &targets, trace));
            }
            if let Some(last) = parts.last_mut()
                && occurrence.kind == Some(RelationshipKind::Writes)
                && last.values.is_empty()
            {
                last.is_written = true;
                last.names = targets.to_vec();
            }
            if parts.last().is_some_and(|last| last.leading == 0) {
                let given = self.led_to_by_call(named, &targets, trace);
                parts.extend(given);
            }
            if let Some(call) = call_of(self.solver.bodies, named).filter(|_| rule.is_some()) {
                self.add_text_given(call, trace, &mut parts);
            }
        }
        (parts, rule)
    }

    /// The part for a call whose result, not the expression itself, leads to the target: `getattr(x, "name")`.
    fn led_to_by_call(&mut self, mut expression: ExprId, targets: &[EntityId], trace: &Trace) -> Option<Part> {
        loop {
            expression = call_of(self.solver.bodies, expression)?;
            let mut part = self.part(expression, targets, trace);
            if part.leading > 0 {
                part.text = text_with_arguments(self.solver.bodies, expression);
                return Some(part);
            }
        }
    }

    /// `getattr(x, name)`: its text as written, and the texts of a variable that holds the name.
    fn add_text_given(&mut self, call: ExprId, trace: &Trace, parts: &mut Vec<Part>) {
        let Some(&ExprKind::Call { arguments, .. }) = self.solver.bodies.kind(call) else { return };
        match parts.as_mut_slice() {
            [first] if first.origin == Origin::Unbound => first.text = text_with_arguments(self.solver.bodies, call),
            [first, ..] if first.origin == Origin::Unbound => {}
            _ => return,
        }
        if let Some(&name) = self.solver.bodies.list(arguments).get(1)
            && matches!(self.solver.bodies.kind(name), Some(ExprKind::Name { .. }))
        {
            let mut part = self.part(name, &[], trace);
            let texts = self.solver.names_computed(name);
            part.texts = texts.into_iter().map(|text| self.solver.bodies.names.text(text).to_owned()).collect();
            parts.push(part);
        }
    }

    pub(crate) fn part(&mut self, expression: ExprId, targets: &[EntityId], trace: &Trace) -> Part {
        let (origin, mut asked) = self.solver.origin(expression);
        let set = self.expand_parameters(trace.values[expression as usize]);
        let mut values = self.solver.sets.values_in(set);
        values.sort_by_key(|&(value, _)| !targets.iter().any(|&target| self.solver.look.leads_to(value, target)));
        let leading = values
            .iter()
            .take_while(|(value, _)| targets.iter().any(|&target| self.solver.look.leads_to(*value, target)))
            .count();
        let mut names = trace.names.get(&expression).cloned().unwrap_or_default();
        if let Some(parameter) = self.solver.bodies.parameter_at(expression) {
            let used = trace.edges.get(&parameter).into_iter().flatten();
            names.extend(used.filter(|(kind, _)| *kind == RelationshipKind::UsesFixture).map(|&(_, fixture)| fixture));
        }
        let is_receiver = !values.is_empty() && values.iter().all(|(_, basis)| *basis == Basis::SelfMember);
        if is_receiver && matches!(origin, Origin::Parameter | Origin::Annotated) {
            asked.clear();
        }
        self.ask_further(expression, &names, trace, &mut asked);
        Part {
            text: text_of(self.solver.bodies, expression),
            origin,
            names,
            is_written: false,
            texts: Vec::new(),
            descriptors: self.solver.descriptors_among(expression, &values),
            values,
            leading,
            is_anything: set == SetId::TOP,
            asked,
        }
    }

    /// Adds the questions that lead to the sources of an attribute, a call or an element.
    fn ask_further(&mut self, expression: ExprId, names: &[EntityId], trace: &Trace, asked: &mut Vec<Asked>) {
        let bodies = self.solver.bodies;
        for &name in names {
            match self.solver.look.kind(name) {
                Some(EntityKind::Variable) if self.solver.look.enclosing_class(name).is_none() => {
                    asked.push(Asked { how: How::Assigned, question: Question::Variable, owner: name });
                }
                Some(EntityKind::Property | EntityKind::Function | EntityKind::Method) => {
                    self.solver.look.ask_for_result(name, 0, asked);
                }
                _ => {}
            }
        }
        match bodies.expressions[expression as usize].kind {
            ExprKind::Attribute { base, name } => {
                let receivers = self.expand_parameters(trace.values[base as usize]);
                let mut owners: Vec<EntityId> = Vec::new();
                for (receiver, _) in self.solver.sets.values_in(receivers) {
                    let (Value::Instance(class) | Value::Class(class)) = receiver else { continue };
                    owners.extend(self.solver.look.mro(class).classes.iter());
                }
                owners.sort_unstable();
                owners.dedup();
                let hash = bodies.names.hash(name);
                asked.extend(owners.into_iter().map(|owner| {
                    let question = Question::Answer(questions::attribute(owner, hash));
                    Asked { how: How::Assigned, question, owner }
                }));
            }
            ExprKind::Call { callee, .. } => {
                let callees = self.expand_parameters(trace.values[callee as usize]);
                for (called, _) in self.solver.sets.values_in(callees) {
                    match called {
                        Value::Function(function, lambda) => self.solver.look.ask_for_result(function, lambda, asked),
                        Value::Bound(function, _) => self.solver.look.ask_for_result(function, 0, asked),
                        _ => {}
                    }
                }
            }
            ExprKind::Subscript { base, .. } => self.ask_for_elements(trace.values[base as usize], asked),
            _ => {}
        }
    }

    pub(crate) fn ask_for_elements(&mut self, containers: SetId, asked: &mut Vec<Asked>) {
        let containers = self.expand_parameters(containers);
        for (container, _) in self.solver.sets.values_in(containers) {
            let Value::Container(owner, site) = container else { continue };
            let question = Question::Answer(questions::element(owner, site, Slot::All));
            asked.push(Asked { how: How::Put, question, owner });
        }
    }

    pub(crate) fn sources(&mut self, asked: Asked, trace: &Trace) -> Vec<Source> {
        let mut givers: Givers = asked.key().map(|key| trace.givers_of(key)).unwrap_or_default();
        match asked.question {
            Question::Local(variable) => givers.extend(trace.assigned_to(variable)),
            Question::Variable => {
                givers.extend(self.solver.variable_of(asked.owner).into_iter().flat_map(|own| trace.assigned_to(own)));
            }
            Question::Parameter(lambda, index) => {
                givers.extend(trace.givers_of(questions::default(asked.owner, lambda, index)));
            }
            Question::Answer(_) => {}
        }
        givers.sort_unstable_by_key(|(expression, _)| *expression);
        let source = |(giver, set)| self.source(asked, giver, set, trace);
        givers.into_iter().map(source).collect()
    }

    pub(crate) fn source(&mut self, asked: Asked, giver: ExprId, set: SetId, trace: &Trace) -> Source {
        let how = match self.solver.bodies.how_given(giver) {
            Some(how) => how,
            None if trace.iterated.contains(&giver) && asked.how == How::Assigned => How::Taken,
            None => asked.how,
        };
        let argument = match asked.question {
            Question::Parameter(lambda, index) => self.argument_for(giver, (asked.owner, lambda, index), trace),
            _ if how == How::Put => self.argument_put(giver, trace),
            _ => None,
        };
        let expression = argument.unwrap_or(giver);
        let mut further = Vec::new();
        for (value, _) in self.solver.sets.values_in(set) {
            let (owner, lambda, index) = match value {
                Value::Parameter(owner, lambda, index) | Value::InstanceOfParameter(owner, lambda, index) => {
                    (owner, lambda, index)
                }
                // Only texts that are passed to a function itself are followed, none to a lambda in it.
                Value::OfPassedText(owner, _, index) => (owner, 0, index),
                _ => continue,
            };
            let question = Question::Parameter(lambda, index);
            further.push(Asked { how: How::Passed, question, owner });
        }
        if !self.solver.sets.holds(set, Kinds::CONTAINERS) {
            self.ask_for_elements(trace.values[expression as usize], &mut further);
            // `items.values()`
            if let Some(base) = self.solver.bodies.object_called_on(expression) {
                self.ask_for_elements(trace.values[base as usize], &mut further);
            }
        }
        let set = self.expand_parameters(set);
        let names_methods = self
            .solver
            .sets
            .entries(set)
            .iter()
            .any(|&entry| matches!(values::parts(entry).0, Value::MethodsByPrefix(..)));
        Source {
            how,
            expression,
            line: self.solver.bodies.place_of(giver).0,
            text: if names_methods { text_with_arguments } else { text_of }(self.solver.bodies, expression),
            values: self.solver.sets.values_in(set),
            is_told: how != How::Passed || argument.is_some(),
            asked: further,
        }
    }

    /// The argument that a call puts into its container: `items.append(x)`, `items.setdefault(key, x)`.
    fn argument_put(&mut self, call: ExprId, trace: &Trace) -> Option<ExprId> {
        let &ExprKind::Call { arguments, keywords: (_, 0), .. } = self.solver.bodies.kind(call)? else { return None };
        let base = self.solver.bodies.object_called_on(call)?;
        let base = self.expand_parameters(trace.values[base as usize]);
        self.solver.bodies.list(arguments).last().copied().filter(|_| self.solver.sets.holds(base, Kinds::CONTAINERS))
    }

    /// The expression that a call passes for a parameter, where it is written out.
    fn argument_for(&mut self, call: ExprId, parameter: (EntityId, u32, u32), trace: &Trace) -> Option<ExprId> {
        let bodies = self.solver.bodies;
        let &ExprKind::Call { callee, arguments, keywords } = bodies.kind(call)? else { return None };
        let (function, lambda, index) = parameter;
        let found = self.solver.look.signature(function, lambda)?;
        let head = found.signature().parameters.get(index as usize)?;
        let name = found.info.interface.names.hash(head.name);
        let is_it = |&&(keyword, _): &&(u32, ExprId)| keyword != NONE && bodies.names.hash(NameId(keyword)) == name;
        if let Some(&(_, argument)) = bodies.keywords(keywords).iter().find(is_it) {
            return Some(argument);
        }
        let callees = self.expand_parameters(trace.values[callee as usize]);
        let is_plain =
            self.solver.sets.values_in(callees).iter().any(|(value, _)| *value == Value::Function(function, lambda));
        let is_method = lambda == 0
            && self.solver.look.enclosing_class(function).is_some()
            && !self.solver.look.flags(function).has(EntityFlags::STATIC_METHOD);
        let position = (index as usize).checked_sub(usize::from(is_method && !is_plain))?;
        let arguments = bodies.list(arguments);
        let is_star = |&argument: &ExprId| matches!(bodies.kind(argument), Some(ExprKind::Starred(_)));
        let is_positional = matches!(head.kind, ParameterKind::PositionalOnly | ParameterKind::Ordinary);
        let is_written_out = is_positional && !arguments.iter().take(position + 1).any(is_star);
        arguments.get(position).copied().filter(|_| is_written_out)
    }
}

impl Solver<'_> {
    /// The kind of an expression and, for a name, the question that leads to the sources of its values.
    fn origin(&mut self, expression: ExprId) -> (Origin, Vec<Asked>) {
        let bodies = self.bodies;
        let origin = match bodies.expressions[expression as usize].kind {
            ExprKind::Name { variable: NONE, .. } => Origin::Unbound,
            ExprKind::Name { variable, .. } => {
                let assigned =
                    Asked { how: How::Assigned, question: Question::Local(variable), owner: self.look.own.id(0) };
                for function in &bodies.functions {
                    let is_it = |parameter: &crate::facts::bodies::ParameterBody| parameter.variable == variable;
                    let Some(index) = function.parameters.iter().position(is_it) else { continue };
                    let is_annotated = function.parameters[index].annotation != NONE;
                    let index = u32::try_from(index).expect("fewer than 2^32 parameters");
                    let question = Question::Parameter(function.lambda, index);
                    let passed = Asked { how: How::Passed, question, owner: self.look.own.id(function.entity) };
                    let origin = if is_annotated { Origin::Annotated } else { Origin::Parameter };
                    return (origin, vec![passed, assigned]);
                }
                let variable = &bodies.variables[variable as usize];
                let origin = match bodies.scopes[variable.scope as usize].kind {
                    ScopeKind::Module | ScopeKind::Class => Origin::Outer,
                    _ => Origin::Local,
                };
                return (origin, vec![assigned]);
            }
            ExprKind::Attribute { .. } => Origin::Attribute,
            ExprKind::Call { .. } => Origin::Call,
            ExprKind::Subscript { .. } => Origin::Element,
            _ => Origin::Other,
        };
        (origin, Vec::new())
    }

    /// The classes of descriptors that an attribute holds, each with the method that runs.
    fn descriptors_among(&mut self, expression: ExprId, values: &[(Value, Basis)]) -> Vec<(EntityId, EntityId)> {
        if !matches!(self.bodies.kind(expression), Some(ExprKind::Attribute { .. })) {
            return Vec::new();
        }
        let mut descriptors = Vec::new();
        for &(value, _) in values {
            let Value::Instance(class) = value else { continue };
            let Some((_, targets)) = self.look.inherited(class, "__get__", None) else { continue };
            descriptors
                .extend(targets.iter().filter_map(|&target| self.look.entity_of(target)).map(|get| (class, get)));
        }
        // Of overloads the last is the one that runs.
        descriptors.dedup_by_key(|(class, _)| *class);
        descriptors
    }
}

impl Lookup<'_> {
    /// Whether a value is the target, or of a class that has it.
    fn leads_to(&mut self, value: Value, target: EntityId) -> bool {
        match value {
            Value::Class(class) | Value::Instance(class) => {
                let owner = self.enclosing_class(target);
                class == target || owner.is_some_and(|owner| self.mro(class).classes.contains(&owner))
            }
            Value::Function(function, _) | Value::Bound(function, _) => function == target,
            Value::MethodsByPrefix(class, part) => {
                let name = self.with_head(target, |info, head| info.interface.names.text(head.name).to_owned());
                let owner = self.enclosing_class(target);
                name.is_some_and(|name| part.fits(&name))
                    && owner.is_some_and(|owner| {
                        self.mro(class).classes.contains(&owner) || self.mro(owner).classes.contains(&class)
                    })
            }
            _ => false,
        }
    }

    fn ask_for_result(&mut self, function: EntityId, lambda: u32, asked: &mut Vec<Asked>) {
        let is_generator = self.signature(function, lambda).is_some_and(|found| found.signature().is_generator);
        let (how, key) = if is_generator {
            (How::Yielded, questions::yields(function, lambda))
        } else {
            (How::Returned, questions::returns(function, lambda))
        };
        asked.push(Asked { how, question: Question::Answer(key), owner: function });
    }
}

impl Bodies {
    /// Where the parameter stands that an expression names.
    fn parameter_at(&self, expression: ExprId) -> Option<Position> {
        let Some(&ExprKind::Name { variable, .. }) = self.kind(expression) else { return None };
        let mut parameters = self.functions.iter().flat_map(|function| &function.parameters);
        let parameter = parameters.find(|parameter| parameter.variable == variable && variable != NONE)?;
        Some((parameter.line, parameter.column))
    }
}

impl Sets {
    pub(crate) fn values_in(&mut self, set: SetId) -> Vec<(Value, Basis)> {
        let values = self.entries(set).iter().map(|&entry| values::parts(entry));
        values.filter(|(value, _)| *value != Value::Unknown).collect()
    }
}
