//! Tests of the kind of function that a parameter is: `if inspect.iscoroutinefunction(func): return wrap_async`.
//!
//! Goes in: such a test, or what is passed for the parameter. Comes out: the mark that the returns under the test carry, or
//! which of them the passed functions get.

use crate::{
    facts::bodies::{ExprId, ExprKind},
    resolve::{
        engine::Solver,
        values::{self, SetId, Value},
    },
};

/// Marks a parameter that is asked for its kind: below it three bits for the kinds, five for the parameter.
const KIND: u32 = 0x100;
const COROUTINE: u32 = 1 << 5;
const ASYNC_GENERATOR: u32 = 1 << 6;
const GENERATOR: u32 = 1 << 7;
const KINDS: u32 = COROUTINE | ASYNC_GENERATOR | GENERATOR;
const INDEX: u32 = 0x1f;

/// Whether a mark is of a test of the kind, not against `None`.
pub(crate) fn is_of_kind(mark: u32) -> bool {
    mark & !(KINDS | INDEX) == KIND
}

/// What a test and all others of the kind of its parameter say together, each a mark and whether the function is of another kind:
/// behind `if iscoroutinefunction(f): return …` a function is a coroutine no more.
pub(crate) fn all_kinds(tests: &[(u32, bool)], first: (u32, bool)) -> (u32, bool) {
    let of_same = tests.iter().filter(|(mark, _)| is_of_kind(*mark) && mark & INDEX == first.0 & INDEX);
    of_same.fold(first, |(known, is_other), &(mark, is_also_other)| {
        let both = match (is_other, is_also_other) {
            (false, false) => known & mark,
            (false, true) => known & !(mark & KINDS),
            (true, false) => mark & !(known & KINDS),
            (true, true) => known | mark,
        };
        (both, is_other && is_also_other)
    })
}

impl Solver<'_> {
    /// The mark of a test that asks whether a parameter of the present function is a function of some kinds.
    pub(crate) fn test_for_kind(&self, test: ExprId) -> Option<u32> {
        match *self.bodies.kind(test)? {
            ExprKind::Bool { left, right, is_and: false } => {
                let (left, right) = (self.test_for_kind(left)?, self.test_for_kind(right)?);
                (left & INDEX == right & INDEX).then_some(left | right)
            }
            ExprKind::Call { callee, arguments, .. } => {
                let kind = match self.bodies.last_name(callee)? {
                    "iscoroutinefunction" => COROUTINE,
                    "isasyncgenfunction" => ASYNC_GENERATOR,
                    "isgeneratorfunction" => GENERATOR,
                    _ => return None,
                };
                let &[function] = self.bodies.list(arguments) else { return None };
                let index = self.parameter_held(function).filter(|&index| index <= INDEX)?;
                Some(KIND | kind | index)
            }
            _ => None,
        }
    }

    /// Whether what is passed can be of other kinds than a mark's, and can be of these.
    pub(crate) fn kinds_passed(&mut self, mark: u32, passed: SetId) -> (bool, bool) {
        let (mut can_be_other, mut can_be_one) = (false, false);
        for at in self.sets.range(passed) {
            let (function, lambda) = match values::parts(self.sets.at(at)).0 {
                Value::Function(function, lambda) => (function, lambda),
                Value::Bound(function, _) => (function, 0),
                _ => return (true, true),
            };
            let Some(place) = self.look.signature(function, lambda) else { return (true, true) };
            let kind = match (place.signature().is_async, place.signature().is_generator) {
                (true, false) => COROUTINE,
                (true, true) => ASYNC_GENERATOR,
                (false, true) => GENERATOR,
                (false, false) => 0,
            };
            let is_one = mark & kind != 0;
            can_be_one |= is_one;
            can_be_other |= !is_one;
        }
        // Nothing is known of what is passed.
        if can_be_one || can_be_other { (can_be_other, can_be_one) } else { (true, true) }
    }

    /// The parameter that a mark speaks of.
    pub(crate) fn parameter_of_kind(mark: u32) -> u32 {
        mark & INDEX
    }
}
