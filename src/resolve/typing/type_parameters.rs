//! Type parameters of classes, as marks.
//!
//! Methods and attributes declared as `T`, `Optional[T]`, `list[T]` or `Box[T]` get marks in their points-to sets, and
//! so does an `__init__` that takes the parameter. `type_arguments` replaces them where the object is known. Type
//! parameters are also bound to their bounds here.

use crate::{
    facts::{
        Bodies,
        bodies::{ExprId, ExprKind, Literal},
    },
    resolve::{
        frameworks::tables::behavior_of,
        library::known::Known,
        solver::Solver,
        values::{Value, mark::Mark},
    },
};

/// Number of a class's type parameters that marks can name.
pub(crate) const POSITIONS: usize = 4;

/// Whether a value only states the type arguments of others.
pub(crate) fn is_mark(value: Value) -> bool {
    match value {
        Value::Applied(..) => true,
        Value::DependsOnCall(_, mark) => match mark {
            Mark::ClassParameter(_)
            | Mark::Made { .. }
            | Mark::OwnArguments
            | Mark::Wrapped { .. }
            | Mark::OnlyPassed { .. }
            | Mark::ByReceiver => true,
            Mark::Condition { .. }
            | Mark::Passed { .. }
            | Mark::Property { .. }
            | Mark::Generic
            | Mark::HandsOn { .. } => false,
        },
        _ => false,
    }
}

impl Solver<'_> {
    pub(crate) fn is_generator_type(&self, hash: u64) -> bool {
        behavior_of(hash) == Some(Known::GeneratorOf)
    }
}

impl Bodies {
    pub(crate) fn is_ellipsis(&self, expression: ExprId) -> bool {
        matches!(self.kind(expression), Some(ExprKind::Literal(Literal::Ellipsis)))
    }

    /// Whether a type with a variable in it names nothing else that is followed: `T`, `Optional[T]`, `T | None`.
    pub(crate) fn is_whole(&self, annotation: ExprId) -> bool {
        let is_none = |written| matches!(self.kind(written), Some(ExprKind::Literal(Literal::None)));
        match self.kind(annotation) {
            Some(&ExprKind::Binary { left, right, .. }) => {
                is_none(left) && self.is_whole(right) || is_none(right) && self.is_whole(left)
            }
            Some(&ExprKind::Subscript { base, .. }) => self.last_name(base) == Some("Optional"),
            Some(_) => true,
            None => false,
        }
    }
}
