//! The rules for method calls, in the order in which they apply.
//!
//! A call runs the functions that its callee points to. These rules cover the methods that have no definition in the
//! repository: of containers, strings, frameworks and the library. Order matters where a rule emits relationships: later
//! statements of the same unit see the cells that it added to.

use crate::resolve::{
    containers::{access, kinds},
    frameworks::{orm, pytest::fixtures, registration, registry},
    interpret::{Interpreter, arguments::MethodCall, literals},
    library::{base_classes, calls, string_conversion},
    objects::attributes,
    solver::Solver,
    strings::named_members,
    values::SetId,
};

/// What a rule does with a call.
enum MethodRule {
    /// Adds values to the result.
    Add(fn(&mut Interpreter<'_>, &MethodCall<'_>) -> SetId),
    /// Adds values that follow from the solver's state alone.
    AddKnown(fn(&mut Solver<'_>, &MethodCall<'_>) -> SetId),
    /// Replaces the result so far.
    Replace(fn(&mut Interpreter<'_>, &MethodCall<'_>, SetId) -> SetId),
    /// Emits relationships or adds to cells; the result stays.
    Record(fn(&mut Interpreter<'_>, &MethodCall<'_>)),
}
use MethodRule::{Add, AddKnown, Record, Replace};

const RULES: &[MethodRule] = &[
    // Containers come first: managers and mixins may replace or extend what they hold.
    Add(access::container_call),
    Replace(orm::managers_given),
    Record(registration::run_members),
    Add(base_classes::mixed_in_call),
    Add(kinds::keyed_call),
    Add(calls::dict_call),
    Add(kinds::tuple_call),
    // `str` and `repr` run methods of the arguments; the text that results is not followed.
    Record(access::joined),
    Record(string_conversion::formatted_by),
    Record(string_conversion::asserted),
    Add(attributes::subclasses_given),
    // Texts come before the rules that look a text up.
    AddKnown(literals::text_call),
    Add(calls::asked_by_name),
    Add(named_members::parts_of_texts),
    Record(calls::named_attribute),
    Record(calls::patched_members),
    Record(registry::signalled),
    Add(fixtures::fixture_by_name),
];

/// The result of a method call after all rules, `given` before them.
pub(crate) fn apply(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>, given: SetId) -> SetId {
    let mut result = given;
    for rule in RULES {
        let added = match rule {
            Add(rule) => rule(interpreter, call),
            AddKnown(rule) => rule(&mut interpreter.solver, call),
            Replace(rule) => {
                result = rule(interpreter, call, result);
                continue;
            }
            Record(rule) => {
                rule(interpreter, call);
                continue;
            }
        };
        result = interpreter.solver.sets.union(result, added);
    }
    result
}
