//! Tests of the kind of function that a parameter is: `if inspect.iscoroutinefunction(func): return wrap_async`.
//!
//! Goes in: such a test, or what is passed for the parameter. Comes out: the mark that the returns under the test carry, or
//! which of them the passed functions get.

use crate::{
    facts::bodies::{ExprId, ExprKind},
    resolve::{
        engine::Solver,
        values::{
            self, SetId, Value,
            condition::{Condition, FunctionKinds, Test},
        },
    },
};

/// What a test and all others of the kind of its parameter say together, each the kinds and whether the function is of another kind:
/// behind `if iscoroutinefunction(f): return …` a function is a coroutine no more.
pub(crate) fn all_kinds(tests: &[(Test, bool)], parameter: u8, first: (FunctionKinds, bool)) -> (FunctionKinds, bool) {
    let of_same = tests.iter().filter_map(|&(test, is_other)| match test {
        Test::Passed(Condition::IsFunction(kinds, index)) if index == parameter => Some((kinds, is_other)),
        _ => None,
    });
    of_same.fold(first, |(known, is_other), (kinds, is_also_other)| {
        let both = match (is_other, is_also_other) {
            (false, false) => known.and(kinds),
            (false, true) => known.without(kinds),
            (true, false) => kinds.without(known),
            (true, true) => known.or(kinds),
        };
        (both, is_other && is_also_other)
    })
}

impl Solver<'_> {
    /// The kinds and the parameter, where a test asks whether a parameter of the present function is a function of some kinds.
    pub(crate) fn test_for_kind(&self, test: ExprId) -> Option<(FunctionKinds, u8)> {
        match *self.bodies.kind(test)? {
            ExprKind::Bool { left, right, is_and: false } => {
                let ((left, index), (right, second)) = (self.test_for_kind(left)?, self.test_for_kind(right)?);
                (index == second).then_some((left.or(right), index))
            }
            ExprKind::Call { callee, arguments, .. } => {
                let kind = match self.bodies.last_name(callee)? {
                    "iscoroutinefunction" => FunctionKinds::COROUTINE,
                    "isasyncgenfunction" => FunctionKinds::ASYNC_GENERATOR,
                    "isgeneratorfunction" => FunctionKinds::GENERATOR,
                    _ => return None,
                };
                let &[function] = self.bodies.list(arguments) else { return None };
                let index = self.parameter_held(function).filter(|&index| index <= Condition::LAST_FUNCTION)?;
                Some((kind, index))
            }
            _ => None,
        }
    }

    /// Whether what is passed can be of other kinds than these, and can be of these.
    pub(crate) fn kinds_passed(&mut self, kinds: FunctionKinds, passed: SetId) -> (bool, bool) {
        let (mut can_be_other, mut can_be_one) = (false, false);
        for at in self.sets.range(passed) {
            let (function, lambda) = match values::parts(self.sets.at(at)).0 {
                Value::Function(function, lambda) => (function, lambda),
                Value::Bound(function, _) => (function, 0),
                _ => return (true, true),
            };
            let Some(place) = self.look.signature(function, lambda) else { return (true, true) };
            let kind = match (place.signature().is_async, place.signature().is_generator) {
                (true, false) => FunctionKinds::COROUTINE,
                (true, true) => FunctionKinds::ASYNC_GENERATOR,
                (false, true) => FunctionKinds::GENERATOR,
                (false, false) => FunctionKinds::NONE,
            };
            let is_one = kinds.and(kind) != FunctionKinds::NONE;
            can_be_one |= is_one;
            can_be_other |= !is_one;
        }
        // Nothing is known of what is passed.
        if can_be_one || can_be_other { (can_be_other, can_be_one) } else { (true, true) }
    }
}
