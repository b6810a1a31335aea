//! The branches of a function, the exceptions that it names and the values that it returns: read from its statements
//! alone.
//!
//! Functions and classes inside it are not part of it.

use std::collections::BTreeMap;

use super::bodies::{Block, Bodies, ExprId, ExprKind, Literal, NONE, SequenceKind, Stmt, VarId};
use super::written::SourcePosition;

/// How the statements of one function divide, and which exceptions they name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionFlow {
    /// `if`, `elif`, `for`, `while`, `except` and `case`.
    pub branches: u32,
    /// Dotted names behind `raise`, as written, in order; for a variable that holds a new instance, its class.
    pub raised: Vec<String>,
    /// Dotted names behind `except`, as written, in order.
    pub caught: Vec<String>,
    /// Behind `return`: the types of literals, and the names of variables and of classes that are called.
    pub returned: Vec<String>,
}

impl Bodies {
    /// The flow of the function whose name stands at `position`; nothing for anything else.
    pub fn flow_at(&self, position: SourcePosition) -> FunctionFlow {
        let mut flow = FunctionFlow::default();
        if let Some(function) = self.function_at(position) {
            self.add_flow(&function.body, &mut flow);
            // Who calls a generator gets none of them.
            flow.returned.retain(|_| !function.is_generator);
        }
        flow
    }

    fn add_flow(&self, block: &Block, flow: &mut FunctionFlow) {
        for &statement in block {
            let (branches, blocks): (usize, Vec<&Block>) = match &self.statements[statement as usize] {
                Stmt::Raise { exception, .. } => {
                    self.add_raised(*exception, flow);
                    continue;
                }
                Stmt::Return(value) => {
                    self.add_returned(*value, flow);
                    continue;
                }
                Stmt::If { then, otherwise, .. } => (1, vec![then, otherwise]),
                Stmt::While { body, otherwise, .. } | Stmt::For { body, otherwise, .. } => (1, vec![body, otherwise]),
                Stmt::With { body, .. } => (0, vec![body]),
                Stmt::Try { body, handlers, otherwise, finally } => {
                    for handler in handlers {
                        self.add_caught(handler.exception, flow);
                    }
                    let blocks = handlers.iter().map(|handler| &handler.body);
                    (handlers.len(), [body, otherwise, finally].into_iter().chain(blocks).collect())
                }
                Stmt::Match { cases, .. } => (cases.len(), cases.iter().map(|case| &case.body).collect()),
                _ => continue,
            };
            flow.branches += u32::try_from(branches).unwrap_or(u32::MAX);
            for block in blocks {
                self.add_flow(block, flow);
            }
        }
    }

    /// `raise A`, and `error = A(…)` with `raise error`.
    fn add_raised(&self, exception: ExprId, flow: &mut FunctionFlow) {
        let made = match self.kind(exception) {
            Some(&ExprKind::Name { variable, .. }) if variable != NONE => self.classes_made_for(variable),
            _ => Vec::new(),
        };
        if made.is_empty() {
            flow.raised.extend(self.dotted(exception));
        }
        flow.raised.extend(made);
    }

    /// The classes of which instances are assigned to a variable.
    fn classes_made_for(&self, variable: VarId) -> Vec<String> {
        let mut found = Vec::new();
        for statement in &self.statements {
            let (&Stmt::Assign { target, value } | &Stmt::Annotated { target, value, .. }) = statement else {
                continue;
            };
            let is_made = self.is_variable(target, variable) && value != NONE && self.is_call(value);
            let class = self.dotted(value).filter(|_| is_made);
            let last = class.as_deref().and_then(|class| class.rsplit('.').next()).unwrap_or_default();
            if last.trim_start_matches('_').starts_with(char::is_uppercase) {
                found.extend(class);
            }
        }
        found
    }

    /// `except A`, `except (A, B)`.
    fn add_caught(&self, exception: ExprId, flow: &mut FunctionFlow) {
        match self.kind(exception) {
            Some(&ExprKind::Sequence { items, .. }) => {
                for &item in self.list(items) {
                    flow.caught.extend(self.dotted(item));
                }
            }
            _ => flow.caught.extend(self.dotted(exception)),
        }
    }

    /// `return a, b`, `return None if x else Cart()`; a bare `return` gives `None`.
    fn add_returned(&self, value: ExprId, flow: &mut FunctionFlow) {
        let name = match self.kind(value) {
            None | Some(ExprKind::Literal(Literal::None)) => "None",
            Some(ExprKind::Literal(Literal::True | Literal::False) | ExprKind::Not(_)) => "bool",
            Some(ExprKind::Literal(Literal::Bytes)) => "bytes",
            Some(ExprKind::Literal(Literal::Text) | ExprKind::Text(_) | ExprKind::Format { .. }) => "str",
            Some(ExprKind::Int(_)) => "int",
            Some(ExprKind::Dict { .. }) => "dict",
            Some(ExprKind::Sequence { kind, .. } | ExprKind::Comprehension { kind, .. }) => match kind {
                SequenceKind::Tuple => "tuple",
                SequenceKind::List => "list",
                SequenceKind::Set => "set",
                SequenceKind::Dict => "dict",
                SequenceKind::Generator => return,
            },
            Some(&ExprKind::Conditional { then, otherwise, .. }) => {
                self.add_returned(then, flow);
                self.add_returned(otherwise, flow);
                return;
            }
            // The method `page.list()` makes no list.
            Some(ExprKind::Name { .. } | ExprKind::Call { .. }) => {
                let is_type = |name: &String| match name.rsplit_once('.') {
                    Some((_, last)) => last.trim_start_matches('_').starts_with(char::is_uppercase),
                    None => true,
                };
                flow.returned.extend(self.dotted(value).filter(is_type));
                return;
            }
            _ => return,
        };
        flow.returned.push(name.to_owned());
    }

    fn dotted(&self, expression: ExprId) -> Option<String> {
        if expression == NONE {
            return None;
        }
        self.dotted_reference(expression, &BTreeMap::new()).map(|reference| reference.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returned_values_are_read_off_their_expressions() {
        let text = "def f(x):\n    if x:\n        return\n    if x is None:\n        return (1, x) if y else {}\n\
                    \x20   with x:\n        return cart.Cart(x)\n    def inner():\n        return b\"\"\n    return NotImplemented\n";
        let bodies = (crate::lang::PYTHON.extract)(text.as_bytes()).bodies;
        assert_eq!(bodies.flow_at((1, 4)).returned, ["None", "tuple", "dict", "cart.Cart", "NotImplemented"]);
    }

    #[test]
    fn a_raised_variable_is_of_the_class_that_was_made() {
        let text = "def f(x):\n    error = errors.Bad(x)\n    error.data = x\n    raise error\ndef g(error):\n    raise error\n";
        let bodies = (crate::lang::PYTHON.extract)(text.as_bytes()).bodies;
        assert_eq!(bodies.flow_at((1, 4)).raised, ["errors.Bad"]);
        assert_eq!(bodies.flow_at((5, 4)).raised, ["error"]);
    }

    #[test]
    fn branches_and_exceptions_of_a_function_are_its_own() {
        let text = "def f(x):\n    if x:\n        raise KeyError(x)\n    elif x is None:\n        for y in x: pass\n\
                    \x20   try:\n        g()\n    except (OSError, errors.Bad) as error:\n        raise\n    except ValueError:\n\
                    \x20       raise errors.Worse from None\n    def inner():\n        raise TypeError\n\
                    \x20   match x:\n        case 1: pass\n        case _: pass\n";
        let bodies = (crate::lang::PYTHON.extract)(text.as_bytes()).bodies;
        let flow = bodies.flow_at((1, 4));
        assert_eq!(flow.branches, 7);
        assert_eq!(flow.raised, ["KeyError", "errors.Worse"]);
        assert_eq!(flow.caught, ["OSError", "errors.Bad", "ValueError"]);
        assert_eq!(bodies.flow_at((12, 8)).raised, ["TypeError"]);
        assert_eq!(bodies.flow_at((2, 4)), FunctionFlow::default());
    }
}
