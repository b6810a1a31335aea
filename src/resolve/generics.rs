//! Generic classes: what a base declares to give by a type variable is what a class was derived with.
//!
//! Goes in: `class Users(Repository[User])`, and methods of the base that return `T`, `Optional[T]` or `list[T]`. Comes out,
//! where such a method is called on the class: instances of `User`.

use super::{
    calls::Bound,
    externals::{self, Known},
    keys,
    solver::Solver,
    value::{self, SetId, Value},
};
use crate::{
    facts::bodies::{ExprId, ExprKind, FunctionBody, NONE, Operator},
    model::{Basis, EntityId},
};

/// Stands for no parameter: what the class of the receiver was derived with.
const ARGUMENT: u32 = 0x3fb;
/// The same, and a list of it.
const ARGUMENTS: u32 = 0x3fa;

impl Solver<'_> {
    /// Notes what a class is derived with: `User` in `class Users(Repository[User])`.
    pub(super) fn derive_with(&mut self, class: EntityId, base: ExprId) {
        let Some(&ExprKind::Subscript { index, .. }) = self.bodies.kind(base) else {
            return;
        };
        let types = self.quiet(|this| this.annotation(index));
        let types = self.only(types, |value| matches!(value, Value::Instance(_)));
        self.add(keys::type_arguments(class), types);
    }

    /// Notes that a method returns what its class is derived with, where its annotation says so.
    pub(super) fn returns_argument(&mut self, function: &FunctionBody) {
        if function.class == NONE || function.returns == NONE {
            return;
        }
        if let Some(mark) = self.argument_mark(function.returns) {
            let owner = self.look.own.id(function.entity);
            let given = self.sets.single(Value::OnNone(owner, function.lambda, mark), Basis::Annotated);
            self.add(keys::returns(owner, function.lambda), given);
        }
    }

    /// What a type variable in a returned type means for those who call: `T`, `T | None`, `Optional[T]`, `list[T]`.
    fn argument_mark(&mut self, annotation: ExprId) -> Option<u32> {
        let bodies = self.bodies;
        match *bodies.kind(annotation)? {
            ExprKind::Name { .. } => self.is_type_variable(annotation).then_some(ARGUMENT),
            ExprKind::Binary { operator: Operator::Or, left, right } => {
                self.argument_mark(left).or_else(|| self.argument_mark(right))
            }
            ExprKind::Subscript { base, index } => {
                let mark = self.argument_mark(index)?;
                let base = self.quiet(|this| this.head(base).0);
                let is_single = self.sets.entries(base).iter().any(|&entry| match value::parts(entry).0 {
                    Value::External(hash) => {
                        matches!(externals::known(hash), Some(Known::Optional | Known::Union | Known::Annotated))
                    }
                    _ => false,
                });
                Some(if is_single { mark } else { ARGUMENTS })
            }
            _ => None,
        }
    }

    /// What a call gives by such a mark; none where the mark is another.
    pub(super) fn derived_with(&mut self, mark: u32, bound: &Bound) -> Option<SetId> {
        if mark != ARGUMENT && mark != ARGUMENTS {
            return None;
        }
        let receivers = self.concrete(bound.passed(0));
        let mut types = SetId::EMPTY;
        for at in self.sets.range(receivers) {
            let (Value::Instance(class) | Value::Class(class), _) = value::parts(self.sets.at(at)) else { continue };
            for &owner in &std::sync::Arc::clone(&self.look.mro(class)).classes {
                let arguments = self.read(keys::type_arguments(owner));
                types = self.sets.union(types, arguments);
            }
        }
        Some(if mark == ARGUMENTS { self.container_of(types, false) } else { types })
    }
}
