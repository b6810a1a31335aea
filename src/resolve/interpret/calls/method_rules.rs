//! The rules for method calls, in the order in which they apply.
//!
//! A call runs the functions that its callee points to. These rules cover the methods that have no definition in the
//! repository: of containers, strings, frameworks and the library. Order matters where a rule emits relationships:
//! later statements of the same unit see the cells that it added to.

use crate::{
    facts::bodies::ExprKind,
    resolve::{
        containers::{access, kinds},
        frameworks::{orm, pytest::fixtures, registration, registry},
        interpret::{
            Interpreter,
            calls::arguments::{AnyCall, MethodCall},
            expressions::literals,
        },
        library::{
            base_classes, calls,
            string_conversion::{self, Protocol},
        },
        objects::attributes,
        solver::Solver,
        strings::named_members,
        values::SetId,
    },
};

/// The part that a rule has in a call.
enum MethodRule {
    /// Adds values to the result.
    Add(fn(&mut Interpreter<'_>, &MethodCall<'_>) -> SetId),
    /// Adds values that follow from the solver's state alone.
    AddKnown(fn(&mut Solver<'_>, &MethodCall<'_>) -> SetId),
    /// Replaces the result so far.
    Replace(fn(&mut Interpreter<'_>, &MethodCall<'_>, SetId) -> SetId),
    /// Emits relationships or adds to cells; the result stays.
    Record(fn(&mut Interpreter<'_>, &MethodCall<'_>)),
    /// Names the special methods that the call runs on its arguments.
    Run(fn(&mut Solver<'_>, &MethodCall<'_>) -> Vec<Protocol>),
}
use MethodRule::{Add, AddKnown, Record, Replace, Run};

const RULES: &[MethodRule] = &[
    // Containers come first: managers and mixins may replace or extend their elements.
    Add(access::container_call),
    Replace(orm::managers_given),
    Record(registration::run_members),
    Record(registration::run_function),
    Add(base_classes::mixed_in_call),
    Add(kinds::keyed_call),
    Add(calls::dict_call),
    Add(kinds::tuple_call),
    // `str` and `repr` run methods of the arguments; the text that results is not followed.
    Record(access::joined),
    Run(string_conversion::format_call),
    Run(string_conversion::assert_call),
    Add(attributes::subclasses_given),
    // Texts come before the rules that look a text up.
    AddKnown(literals::text_call),
    Add(calls::getattribute_call),
    Add(named_members::parts_of_texts),
    Record(calls::named_attribute),
    Record(calls::patched_members),
    Record(registry::signal_call),
    AddKnown(fixtures::fixture_by_name),
];

/// The result of a call after the rules for methods, `result` before them; unchanged where no method is called.
pub(crate) fn apply(interpreter: &mut Interpreter<'_>, call: &AnyCall<'_>, mut result: SetId) -> SetId {
    let Some(&ExprKind::Attribute { name: method, .. }) = interpreter.solver.bodies.kind(call.callee) else {
        return result;
    };
    let &AnyCall { callee, callees, receivers, arguments, is_defined, place } = call;
    let call = MethodCall { callee, callees, receivers, method, arguments, is_defined, place };
    for rule in RULES {
        let added = match rule {
            Add(rule) => rule(interpreter, &call),
            AddKnown(rule) => rule(&mut interpreter.solver, &call),
            Replace(rule) => {
                result = rule(interpreter, &call, result);
                continue;
            }
            Record(rule) => {
                rule(interpreter, &call);
                continue;
            }
            Run(rule) => {
                for protocol in rule(&mut interpreter.solver, &call) {
                    interpreter.run_protocol(&protocol, place);
                }
                continue;
            }
        };
        result = interpreter.solver.sets.union(result, added);
    }
    result
}
