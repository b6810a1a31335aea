//! Which expressions of a file gave something what it holds: assignments, calls, returns, what was put into a container.
//!
//! Goes in: a question about a variable, an attribute, a parameter, a result or a container, and the record of a file that was
//! gone through. Comes out: the expressions with what each gave, and what to ask next where that was handed on.

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, NONE, VarId},
        interface::ParameterKind,
    },
    model::{Basis, EntityFlags, EntityId},
    resolve::{
        engine::Solver,
        explain::{
            source_text::{text_of, text_with_arguments},
            trace::{Givers, Trace},
        },
        questions::{self, Key},
        values::{self, Kinds, SetId, Value},
    },
};

/// What can be asked for the expressions that gave something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    pub how: How,
    pub question: Question,
    /// The function, class or variable that it is asked of.
    pub owner: EntityId,
}

/// How something came to be where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    Assigned,
    Passed,
    Put,
    /// Taken out of what holds it.
    Taken,
    Returned,
    Yielded,
    /// By an annotation.
    Declared,
    /// The default of a parameter.
    Default,
    Registered,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// What is this variable of the file assigned?
    Local(VarId),
    /// What is the variable of a module assigned?
    Variable,
    /// What is passed for this parameter (lambda, index)?
    Parameter(u32, u32),
    Answer(Key),
}

impl Asked {
    /// The question to other files.
    pub fn key(self) -> Option<Key> {
        match self.question {
            Question::Local(_) => None,
            Question::Variable => Some(questions::variable(self.owner)),
            Question::Parameter(lambda, index) => Some(questions::parameter(self.owner, lambda, index)),
            Question::Answer(key) => Some(key),
        }
    }
}

/// An expression that gave something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub how: How,
    pub expression: ExprId,
    pub line: u32,
    pub text: String,
    /// What it gave; empty when nothing is known.
    pub values: Vec<(Value, Basis)>,
    /// The expression is the very one: of a call it is known which argument it is.
    pub is_told: bool,
    /// Where that comes from in turn, where it was handed on.
    pub asked: Vec<Asked>,
}

impl Solver<'_> {
    pub(crate) fn sources(&mut self, asked: Asked, trace: &Trace) -> Vec<Source> {
        let mut givers: Givers = asked.key().map(|key| trace.givers_of(key)).unwrap_or_default();
        match asked.question {
            Question::Local(variable) => givers.extend(trace.assigned_to(variable)),
            Question::Variable => {
                givers.extend(self.variable_of(asked.owner).into_iter().flat_map(|own| trace.assigned_to(own)));
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

    fn source(&mut self, asked: Asked, giver: ExprId, set: SetId, trace: &Trace) -> Source {
        let how = match self.how_given(giver) {
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
        for (value, _) in self.values_in(set) {
            let (owner, lambda, index) = match value {
                Value::Parameter(owner, lambda, index) | Value::InstanceOfParameter(owner, lambda, index) => {
                    (owner, lambda, index)
                }
                // FIXME: the parameter is one of the function, so that nobody passes anything to the one that is asked for.
                Value::OfPassedText(owner, role, index) => (owner, role.encode(), index),
                _ => continue,
            };
            let question = Question::Parameter(lambda, index);
            further.push(Asked { how: How::Passed, question, owner });
        }
        if !self.sets.holds(set, Kinds::CONTAINERS) {
            self.ask_for_elements(trace.values[expression as usize], &mut further);
            // `items.values()`
            if let Some(base) = self.object_called_on(expression) {
                self.ask_for_elements(trace.values[base as usize], &mut further);
            }
        }
        let set = self.concrete(set);
        let names_methods =
            self.sets.entries(set).iter().any(|&entry| matches!(values::parts(entry).0, Value::MethodsByPrefix(..)));
        Source {
            how,
            expression,
            line: self.place_of(giver).0,
            text: if names_methods { text_with_arguments } else { text_of }(self.bodies, expression),
            values: self.values_in(set),
            is_told: how != How::Passed || argument.is_some(),
            asked: further,
        }
    }

    /// What a call puts into the container that it is a method of: `items.append(x)`, `items.setdefault(key, x)`.
    fn argument_put(&mut self, call: ExprId, trace: &Trace) -> Option<ExprId> {
        let &ExprKind::Call { arguments, keywords: (_, 0), .. } = self.bodies.kind(call)? else { return None };
        let base = self.object_called_on(call)?;
        let base = self.concrete(trace.values[base as usize]);
        self.bodies.list(arguments).last().copied().filter(|_| self.sets.holds(base, Kinds::CONTAINERS))
    }

    fn object_called_on(&self, call: ExprId) -> Option<ExprId> {
        let &ExprKind::Call { callee, .. } = self.bodies.kind(call)? else { return None };
        match *self.bodies.kind(callee)? {
            ExprKind::Attribute { base, .. } => Some(base),
            _ => None,
        }
    }

    /// Whether an expression is an annotation or a default.
    fn how_given(&self, giver: ExprId) -> Option<How> {
        let functions = &self.bodies.functions;
        let mut parameters = functions.iter().flat_map(|function| &function.parameters);
        if functions.iter().any(|function| function.returns == giver) {
            return Some(How::Declared);
        }
        parameters.find_map(|parameter| match giver {
            _ if giver == parameter.annotation => Some(How::Declared),
            _ if giver == parameter.default => Some(How::Default),
            _ => None,
        })
    }

    /// What a call passes for a parameter, where that is written out.
    fn argument_for(&mut self, call: ExprId, parameter: (EntityId, u32, u32), trace: &Trace) -> Option<ExprId> {
        let bodies = self.bodies;
        let &ExprKind::Call { callee, arguments, keywords } = bodies.kind(call)? else { return None };
        let (function, lambda, index) = parameter;
        let place = self.look.signature(function, lambda)?;
        let head = place.signature().parameters.get(index as usize)?;
        let name = place.info.interface.names.hash(head.name);
        let is_it = |&&(keyword, _): &&(u32, ExprId)| keyword != NONE && bodies.names.hash(NameId(keyword)) == name;
        if let Some(&(_, argument)) = bodies.keywords(keywords).iter().find(is_it) {
            return Some(argument);
        }
        let callees = self.concrete(trace.values[callee as usize]);
        let is_plain = self.values_in(callees).iter().any(|(value, _)| *value == Value::Function(function, lambda));
        let is_method = lambda == 0
            && self.look.enclosing_class(function).is_some()
            && !self.look.flags(function).has(EntityFlags::STATIC_METHOD);
        let position = (index as usize).checked_sub(usize::from(is_method && !is_plain))?;
        let arguments = bodies.list(arguments);
        let is_star = |&argument: &ExprId| matches!(bodies.kind(argument), Some(ExprKind::Starred(_)));
        let is_positional = matches!(head.kind, ParameterKind::PositionalOnly | ParameterKind::Ordinary);
        let is_written_out = is_positional && !arguments.iter().take(position + 1).any(is_star);
        arguments.get(position).copied().filter(|_| is_written_out)
    }
}
