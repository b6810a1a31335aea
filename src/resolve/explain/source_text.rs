//! Expressions as they are written, shortened: `app.logger`, `make(…)`.

use crate::{
    facts::{
        Bodies,
        bodies::{ExprId, ExprKind, Literal, NONE, SequenceKind},
    },
    model::Position,
};

/// Longest expression whose text is shortened part by part.
const MAX_PARTS: usize = 12;

/// Longest text of a literal, in characters.
const MAX_TEXT: usize = 24;

/// Longest text of arguments, in characters.
const MAX_ARGUMENTS: usize = 40;

/// The name or attribute at a place.
pub(crate) fn named_at(bodies: &Bodies, place: Position) -> Option<ExprId> {
    let found = bodies.expressions.iter().position(|expression| {
        (expression.line, expression.column) == place
            && matches!(expression.kind, ExprKind::Name { .. } | ExprKind::Attribute { .. })
    });
    found.map(|at| u32::try_from(at).expect("fewer than 2^32 expressions"))
}

/// The call of an expression, if it is called.
pub(crate) fn call_of(bodies: &Bodies, called: ExprId) -> Option<ExprId> {
    let found = bodies
        .expressions
        .iter()
        .position(|expression| matches!(expression.kind, ExprKind::Call { callee, .. } if callee == called));
    found.map(|at| u32::try_from(at).expect("fewer than 2^32 expressions"))
}

/// An expression and the expressions below it along attributes, elements and calls; the innermost first.
pub(crate) fn chain(bodies: &Bodies, mut at: ExprId) -> Vec<ExprId> {
    let mut chain = vec![at];
    while let Some(inner) = inner(bodies, at).filter(|_| chain.len() < MAX_PARTS) {
        chain.push(inner);
        at = inner;
    }
    chain.reverse();
    chain
}

fn inner(bodies: &Bodies, expression: ExprId) -> Option<ExprId> {
    let inner = match bodies.expressions[expression as usize].kind {
        ExprKind::Attribute { base, .. } | ExprKind::Subscript { base, .. } => base,
        ExprKind::Call { callee, .. } => callee,
        ExprKind::Await(value) | ExprKind::Starred(value) => value,
        _ => NONE,
    };
    (inner != NONE).then_some(inner)
}

/// An expression, the arguments of its calls left out.
pub(crate) fn text_of(bodies: &Bodies, expression: ExprId) -> String {
    let Some(kind) = bodies.kind(expression) else { return "…".to_owned() };
    let text = |expression: ExprId| text_of(bodies, expression);
    match *kind {
        ExprKind::Name { name, .. } => bodies.names.text(name).to_owned(),
        ExprKind::Attribute { base, name } => format!("{}.{}", text(base), bodies.names.text(name)),
        ExprKind::Call { callee, .. } => format!("{}(…)", text(callee)),
        ExprKind::Subscript { base, .. } => format!("{}[…]", text(base)),
        ExprKind::Await(value) => format!("await {}", text(value)),
        ExprKind::Starred(value) => format!("*{}", text(value)),
        ExprKind::Literal(Literal::None) => "None".to_owned(),
        ExprKind::Literal(Literal::True) => "True".to_owned(),
        ExprKind::Literal(Literal::False) => "False".to_owned(),
        ExprKind::Int(number) => number.to_string(),
        ExprKind::Text(name) => {
            let text = bodies.names.text(name);
            let shown: String = text.chars().take(MAX_TEXT).collect();
            if shown.len() < text.len() { format!("\"{shown}…\"") } else { format!("\"{shown}\"") }
        }
        ExprKind::Format { prefix, suffix, .. } => {
            format!("f\"{}{{…}}{}\"", bodies.names.text(prefix), bodies.names.text(suffix))
        }
        ExprKind::Sequence { kind: SequenceKind::List, items: (_, 0), .. } => "[]".to_owned(),
        ExprKind::Sequence { kind: SequenceKind::List, .. } => "[…]".to_owned(),
        ExprKind::Sequence { kind: SequenceKind::Tuple, .. } => "(…)".to_owned(),
        ExprKind::Sequence { .. } => "{…}".to_owned(),
        ExprKind::Dict { items: (_, 0), .. } => "{}".to_owned(),
        ExprKind::Dict { .. } => "{…}".to_owned(),
        ExprKind::Comprehension { element, .. } => format!("[{} for …]", text(element)),
        ExprKind::Lambda { .. } => "lambda …".to_owned(),
        ExprKind::Bool { left, right, is_and } => {
            format!("{} {} {}", text(left), if is_and { "and" } else { "or" }, text(right))
        }
        ExprKind::Conditional { then, otherwise, .. } => format!("{} if … else {}", text(then), text(otherwise)),
        ExprKind::Binary { left, right, .. } => format!("{} … {}", text(left), text(right)),
        _ => "…".to_owned(),
    }
}

/// The same with the arguments of the outermost call, where they are few.
pub(crate) fn text_with_arguments(bodies: &Bodies, expression: ExprId) -> String {
    if let Some(&ExprKind::Call { callee, arguments, keywords: (_, 0) }) = bodies.kind(expression) {
        let arguments: Vec<String> = bodies.list(arguments).iter().map(|&one| text_of(bodies, one)).collect();
        let arguments = arguments.join(", ");
        if arguments.chars().count() <= MAX_ARGUMENTS {
            return format!("{}({arguments})", text_of(bodies, callee));
        }
    }
    text_of(bodies, expression)
}
