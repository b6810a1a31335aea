//! Why an occurrence means what it means, or why nobody can tell: the values of each part of its expression, and the
//! expressions that gave them.
//!
//! Goes in: a file, and places in it. Comes out: for each place the parts of the expression that stands there, the
//! innermost first, with what each can be and what to ask for where that comes from. Nothing of this is stored: the file
//! is gone through once more, and what its expressions are is written down on the way (`trace`).

pub(crate) mod source_text;
pub(crate) mod sources;
pub(crate) mod trace;

use std::sync::Arc;

use smallvec::SmallVec;

use crate::{
    facts::{
        Bodies,
        bodies::{ExprId, ExprKind, NONE, ScopeKind},
    },
    model::{Basis, EntityId, EntityKind, RelationshipKind},
    resolve::{
        Definitions, ModuleInfo, ROUNDS,
        containers::{
            DECLARED, KEYED,
            constructors::{is_manager, is_reference},
        },
        engine::{FileSolver, Solver, output::Place},
        explain::{
            source_text::{call_of, chain, named_at, text_of, text_with_arguments},
            sources::{Asked, How, Question, Source},
            trace::{Rule, Trace},
        },
        library::{known, stdlib_names},
        questions,
        values::{self, SetId, Value},
    },
};

/// What is known of the inside of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inside {
    /// Its elements are instances of the class that it is told by.
    Instances,
    /// Its keys are.
    Keys,
    /// It is told by where it was made.
    Made,
    /// It hands out what it holds when it is called, or entered.
    Giver,
}

/// What the site of a container says of its inside.
pub fn inside(site: u32) -> Inside {
    match site {
        _ if site & (DECLARED | KEYED) == DECLARED | KEYED => Inside::Keys,
        _ if site & DECLARED == DECLARED => Inside::Instances,
        _ if is_reference(site) || is_manager(site) => Inside::Giver,
        _ => Inside::Made,
    }
}

/// The builtin that a hash stands for.
pub fn builtin_named(hash: u64) -> Option<&'static str> {
    if hash == known::NONE_TYPE { Some("NoneType") } else { stdlib_names::builtin_named(hash) }
}

/// An occurrence that somebody wants explained.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occurrence {
    /// Of the naming token.
    pub line: u32,
    pub column: u32,
    /// What the relationship says that begins there; none for what is not resolved.
    pub kind: Option<RelationshipKind>,
    /// What it leads to.
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
    /// What it can be, what leads to the target first; empty when nothing is known.
    pub values: Vec<(Value, Basis)>,
    /// How many of the values lead to the target.
    pub leading: usize,
    /// More values than are told apart.
    pub is_anything: bool,
    /// The texts that it can be, where it is the name of an attribute.
    pub texts: Vec<String>,
    /// The classes of descriptors among the values, with the method that is run.
    pub descriptors: Vec<(EntityId, EntityId)>,
    /// Where what it is comes from.
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

/// A file that was gone through with a record of what its expressions are.
pub struct Traced {
    solver: FileSolver,
    bodies: Bodies,
    trace: Trace,
}

impl Traced {
    pub fn of(info: Arc<ModuleInfo>, definitions: &dyn Definitions, bodies: Bodies) -> Self {
        let mut solver = FileSolver::new(info);
        for round in 1..=ROUNDS {
            if let Some(news) = solver.news(definitions, round) {
                solver.round(definitions, &bodies, round, news);
            }
        }
        let trace = solver.with_solver(definitions, &bodies, ROUNDS, |solver| {
            solver.trace = Some(Trace::of(solver.bodies));
            solver.run_all();
            solver.say_structure();
            solver.trace.take().expect("given above")
        });
        Traced { solver, bodies, trace }
    }

    fn with<T>(&mut self, definitions: &dyn Definitions, work: impl FnOnce(&mut Solver<'_>, &Trace) -> T) -> T {
        let Traced { solver, bodies, trace } = self;
        solver.with_solver(definitions, bodies, ROUNDS, |solver| {
            solver.stand_outside();
            work(solver, trace)
        })
    }

    /// The parts of the expression of an occurrence, and the rule that joins it with its target; no parts where no name or
    /// attribute stands.
    pub fn explain(&mut self, definitions: &dyn Definitions, occurrence: &Occurrence) -> (Vec<Part>, Option<Rule>) {
        self.with(definitions, |solver, trace| solver.explained(occurrence, trace))
    }

    /// The parts of an expression.
    pub fn parts(&mut self, definitions: &dyn Definitions, expression: ExprId) -> Vec<Part> {
        self.with(definitions, |solver, trace| {
            let chain = chain(solver.bodies, expression);
            chain.iter().map(|&expression| solver.part(expression, &[], trace)).collect()
        })
    }

    /// The expressions of the file that gave what is asked for, in their order.
    pub fn sources(&mut self, definitions: &dyn Definitions, asked: Asked) -> Vec<Source> {
        self.with(definitions, |solver, trace| solver.sources(asked, trace))
    }
}

impl Solver<'_> {
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
        if let Some(named) = named_at(self.bodies, place) {
            for expression in chain(self.bodies, named) {
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
            if let Some(call) = call_of(self.bodies, named).filter(|_| rule.is_some()) {
                self.add_text_given(call, trace, &mut parts);
            }
        }
        (parts, rule)
    }

    /// Where it is not an expression but what a call of it gives that leads to the target: `getattr(x, "name")`.
    fn led_to_by_call(&mut self, mut expression: ExprId, targets: &[EntityId], trace: &Trace) -> Option<Part> {
        loop {
            expression = call_of(self.bodies, expression)?;
            let mut part = self.part(expression, targets, trace);
            if part.leading > 0 {
                part.text = text_with_arguments(self.bodies, expression);
                return Some(part);
            }
        }
    }

    /// `getattr(x, name)`: what is written there, and the texts of a variable that holds the name.
    fn add_text_given(&mut self, call: ExprId, trace: &Trace, parts: &mut Vec<Part>) {
        let Some(&ExprKind::Call { arguments, .. }) = self.bodies.kind(call) else { return };
        match parts.as_mut_slice() {
            [first] if first.origin == Origin::Unbound => first.text = text_with_arguments(self.bodies, call),
            [first, ..] if first.origin == Origin::Unbound => {}
            _ => return,
        }
        if let Some(&name) = self.bodies.list(arguments).get(1)
            && matches!(self.bodies.kind(name), Some(ExprKind::Name { .. }))
        {
            let mut part = self.part(name, &[], trace);
            let texts = self.names_computed(name);
            part.texts = texts.into_iter().map(|text| self.bodies.names.text(text).to_owned()).collect();
            parts.push(part);
        }
    }

    fn part(&mut self, expression: ExprId, targets: &[EntityId], trace: &Trace) -> Part {
        let (origin, mut asked) = self.origin(expression);
        let set = self.concrete(trace.values[expression as usize]);
        let mut values = self.values_in(set);
        values.sort_by_key(|&(value, _)| !targets.iter().any(|&target| self.leads_to(value, target)));
        let leading =
            values.iter().take_while(|(value, _)| targets.iter().any(|&target| self.leads_to(*value, target))).count();
        let mut names = trace.names.get(&expression).cloned().unwrap_or_default();
        if let Some(parameter) = self.parameter_at(expression) {
            let used = trace.edges.get(&parameter).into_iter().flatten();
            names.extend(used.filter(|(kind, _)| *kind == RelationshipKind::UsesFixture).map(|&(_, fixture)| fixture));
        }
        let is_receiver = !values.is_empty() && values.iter().all(|(_, basis)| *basis == Basis::SelfMember);
        if is_receiver && matches!(origin, Origin::Parameter | Origin::Annotated) {
            asked.clear();
        }
        self.ask_further(expression, &names, trace, &mut asked);
        Part {
            text: text_of(self.bodies, expression),
            origin,
            names,
            is_written: false,
            texts: Vec::new(),
            descriptors: self.descriptors_among(expression, &values),
            values,
            leading,
            is_anything: set == SetId::TOP,
            asked,
        }
    }

    pub(crate) fn values_in(&mut self, set: SetId) -> Vec<(Value, Basis)> {
        let values = self.sets.entries(set).iter().map(|&entry| values::parts(entry));
        values.filter(|(value, _)| *value != Value::Unknown).collect()
    }

    /// Whether a value is the target, or of a class that has it.
    fn leads_to(&mut self, value: Value, target: EntityId) -> bool {
        match value {
            Value::Class(class) | Value::Instance(class) => {
                let owner = self.look.enclosing_class(target);
                class == target || owner.is_some_and(|owner| self.look.mro(class).classes.contains(&owner))
            }
            Value::Function(function, _) | Value::Bound(function, _) => function == target,
            Value::Family(class, part) => {
                let name = self.look.with_head(target, |info, head| info.interface.names.text(head.name).to_owned());
                let owner = self.look.enclosing_class(target);
                name.is_some_and(|name| part.fits(&name))
                    && owner.is_some_and(|owner| {
                        self.look.mro(class).classes.contains(&owner) || self.look.mro(owner).classes.contains(&class)
                    })
            }
            _ => false,
        }
    }

    /// What kind of expression it is, and for a name where what it holds comes from.
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

    /// Where the parameter stands that an expression names.
    fn parameter_at(&self, expression: ExprId) -> Option<Place> {
        let Some(&ExprKind::Name { variable, .. }) = self.bodies.kind(expression) else { return None };
        let mut parameters = self.bodies.functions.iter().flat_map(|function| &function.parameters);
        let parameter = parameters.find(|parameter| parameter.variable == variable && variable != NONE)?;
        Some((parameter.line, parameter.column))
    }

    /// Where what an attribute, a call or an element gives comes from.
    fn ask_further(&mut self, expression: ExprId, names: &[EntityId], trace: &Trace, asked: &mut Vec<Asked>) {
        let bodies = self.bodies;
        for &name in names {
            match self.kind(name) {
                Some(EntityKind::Variable) if self.look.enclosing_class(name).is_none() => {
                    asked.push(Asked { how: How::Assigned, question: Question::Variable, owner: name });
                }
                Some(EntityKind::Property | EntityKind::Function | EntityKind::Method) => {
                    self.ask_for_result(name, 0, asked);
                }
                _ => {}
            }
        }
        match bodies.expressions[expression as usize].kind {
            ExprKind::Attribute { base, name } => {
                let receivers = self.concrete(trace.values[base as usize]);
                let mut owners: Vec<EntityId> = Vec::new();
                for (receiver, _) in self.values_in(receivers) {
                    let (Value::Instance(class) | Value::Class(class)) = receiver else { continue };
                    owners.extend(self.look.mro(class).classes.iter());
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
                let callees = self.concrete(trace.values[callee as usize]);
                for (called, _) in self.values_in(callees) {
                    match called {
                        Value::Function(function, lambda) => self.ask_for_result(function, lambda, asked),
                        Value::Bound(function, _) => self.ask_for_result(function, 0, asked),
                        _ => {}
                    }
                }
            }
            ExprKind::Subscript { base, .. } => self.ask_for_elements(trace.values[base as usize], asked),
            _ => {}
        }
    }

    fn ask_for_result(&mut self, function: EntityId, lambda: u32, asked: &mut Vec<Asked>) {
        let is_generator = self.look.signature(function, lambda).is_some_and(|place| place.signature().is_generator);
        let (how, key) = if is_generator {
            (How::Yielded, questions::yields(function, lambda))
        } else {
            (How::Returned, questions::returns(function, lambda))
        };
        asked.push(Asked { how, question: Question::Answer(key), owner: function });
    }

    pub(crate) fn ask_for_elements(&mut self, containers: SetId, asked: &mut Vec<Asked>) {
        let containers = self.concrete(containers);
        for (container, _) in self.values_in(containers) {
            let Value::Container(owner, site) = container else { continue };
            let question = Question::Answer(questions::element(owner, site, questions::ALL_SLOTS));
            asked.push(Asked { how: How::Put, question, owner });
        }
    }

    /// The classes of descriptors that an attribute holds, with what they run.
    fn descriptors_among(&mut self, expression: ExprId, values: &[(Value, Basis)]) -> Vec<(EntityId, EntityId)> {
        if !matches!(self.bodies.kind(expression), Some(ExprKind::Attribute { .. })) {
            return Vec::new();
        }
        let mut descriptors = Vec::new();
        for &(value, _) in values {
            let Value::Instance(class) = value else { continue };
            let Some((_, targets)) = self.look.inherited(class, "__get__", None) else { continue };
            descriptors.extend(targets.iter().filter_map(|&target| self.entity_of(target)).map(|get| (class, get)));
        }
        // Of overloads the last is the one that runs.
        descriptors.dedup_by_key(|(class, _)| *class);
        descriptors
    }
}
