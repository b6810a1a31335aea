//! The sources of values: assignments, calls, returns and additions to containers, found in the trace of a file.
//!
//! Each source names its expression, its values, and the next questions where the values were passed on.

use crate::{
    facts::{
        Bodies,
        bodies::{ExprId, ExprKind, VarId},
    },
    model::{Basis, EntityId},
    resolve::values::{
        Value,
        questions::{self, Key},
    },
};

/// A question about the sources of some values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    pub how: How,
    pub question: Question,
    /// The function, class or variable of the question.
    pub owner: EntityId,
}

/// How something came to be where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    Assigned,
    Passed,
    Put,
    /// Taken out of a container.
    Taken,
    Returned,
    Yielded,
    /// By an annotation.
    Declared,
    /// The default of a parameter.
    Default,
    Registered,
}

/// The subject of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Which values is this variable of the file assigned?
    Local(VarId),
    /// Which values is the module variable assigned?
    Variable,
    /// Which values are passed for this parameter (lambda, index)?
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
    /// The values that it gave; empty when nothing is known.
    pub values: Vec<(Value, Basis)>,
    /// The expression is the very one: of a call it is known which argument it is.
    pub is_told: bool,
    /// The questions to ask next where the values were passed on.
    pub asked: Vec<Asked>,
}

impl Bodies {
    pub(crate) fn object_called_on(&self, call: ExprId) -> Option<ExprId> {
        let &ExprKind::Call { callee, .. } = self.kind(call)? else { return None };
        match *self.kind(callee)? {
            ExprKind::Attribute { base, .. } => Some(base),
            _ => None,
        }
    }

    /// Whether an expression is an annotation or a default.
    pub(crate) fn how_given(&self, giver: ExprId) -> Option<How> {
        let functions = &self.functions;
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
}
