//! Functions that a decorator wraps: the wrapper calls each of them, on however many the decorator stands.
//!
//! The cell of a decorator's parameter cannot say so: a set of many functions becomes no set. So each decorated
//! function is also in one of several cells of the parameter, its share. Only calls in closures read these.

use crate::{
    facts::{
        bodies::{ExprId, ExprKind},
        names::hash_bytes,
    },
    model::{Basis, EntityFlags, EntityId, RelationshipKind},
    resolve::{
        interpret::{Interpreter, calls::arguments::AnyCall},
        names::Lookup,
        values::{self, SetId, Value, questions},
    },
};

/// Number of shares. With seven functions in each, the most that still grow from other files after round 2, there is
/// room for 224 uses of a decorator: mkdocs and websockets have 70 of one.
const SHARES: u32 = 32;

/// Notes the functions to which decorators are applied, for the calls in the wrappers.
pub(crate) fn note_wrapped(interpreter: &mut Interpreter<'_>, decorators: SetId, definition: SetId) {
    let solver = &mut interpreter.solver;
    for at in solver.sets.range(decorators) {
        let (decorator, lambda, index) = match values::parts(solver.sets.at(at)).0 {
            Value::Function(decorator, lambda) => (decorator, lambda, 0),
            Value::Bound(method, _) => {
                let has_receiver = !solver.look.flags(method).has(EntityFlags::STATIC_METHOD);
                (method, 0, u32::from(has_receiver))
            }
            _ => continue,
        };
        for wrapped in solver.sets.range(definition) {
            let (value, basis) = values::parts(solver.sets.at(wrapped));
            // The function behind an inner wrapper is called by that one.
            let Value::Function(function, _) = value else { continue };
            if basis == Basis::Wrapped {
                continue;
            }
            let Some(share) = share_of(&mut solver.look, function) else { continue };
            let one = solver.sets.single(value, Basis::Stored);
            let key = questions::wrapped(decorator, lambda, index, share);
            solver.bindings.decorators.answered.insert(key);
            solver.add(key, one);
        }
    }
}

/// `function(…)` in a wrapper, where `function` is a parameter of a decorator around it: calls all that it decorates.
pub(crate) fn call_wrapped(interpreter: &mut Interpreter<'_>, call: &AnyCall<'_>) {
    let solver = &mut interpreter.solver;
    for at in solver.sets.range(call.callees) {
        let Value::Parameter(decorator, lambda, index) = values::parts(solver.sets.at(at)).0 else { continue };
        if decorator == solver.entity {
            continue;
        }
        for share in 0..SHARES {
            let wrapped = solver.read(questions::wrapped(decorator, lambda, index, share));
            for one in solver.sets.range(wrapped) {
                if let (Value::Function(function, _), basis) = values::parts(solver.sets.at(one)) {
                    solver.emit(function, RelationshipKind::Calls, basis, call.place);
                }
            }
        }
    }
}

/// `@retry(3)`: a module of tests looks again when the result of `retry` is known.
pub(crate) fn await_factory(interpreter: &mut Interpreter<'_>, decorator: ExprId) {
    let Some(&ExprKind::Call { callee, .. }) = interpreter.solver.bodies.kind(decorator) else { return };
    let factories = interpreter.quiet(|this| this.eval(callee));
    for at in interpreter.solver.sets.range(factories) {
        if let Value::Function(factory, lambda) = values::parts(interpreter.solver.sets.at(at)).0 {
            interpreter.solver.bindings.decorators.asked.insert(questions::returns(factory, lambda));
        }
    }
}

/// The share of a function. It follows from the path and the name, as ids depend on the history of the index.
fn share_of(look: &mut Lookup<'_>, function: EntityId) -> Option<u32> {
    look.with_head(function, |info, head| {
        let hash = hash_bytes(info.interface.names.hash(head.name), info.path.as_bytes());
        u32::try_from(hash % u64::from(SHARES)).expect("a share is smaller than their number")
    })
}
