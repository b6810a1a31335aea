//! Generic functions (`functools.singledispatch`): a call reaches what is registered for the class of its first argument.
//!
//! Goes in: decorators that register, and calls of a generic function. Comes out: calls of the registered functions that
//! can be meant. The generic function itself is called beside them: it is what the code names.

use super::{
    calls::Arguments,
    emit::Place,
    keys,
    overloads::Fit,
    solver::Solver,
    value::{self, SetId, Value},
};
use crate::{
    facts::bodies::{ExprId, ExprKind},
    model::{Basis, EntityFlags, EntityId, RelationshipKind},
};

/// Stands for no parameter: the function is generic.
pub(super) const GENERIC: u32 = 0x3fe;

impl Solver<'_> {
    /// What `@singledispatch` makes of functions: themselves, known as generic.
    pub(super) fn generic_function(&mut self, functions: SetId) -> SetId {
        let mut entries: value::Entries = self.sets.entries(functions).iter().copied().collect();
        for at in self.sets.range(functions) {
            if let (Value::Function(function, 0), basis) = value::parts(self.sets.at(at)) {
                entries.push(value::entry(Value::OnNone(function, 0, GENERIC), basis));
            }
        }
        self.sets.of(entries)
    }

    /// `@generic.register` and `@generic.register(Class)` on the present function.
    pub(super) fn register_generic(&mut self, decorator: ExprId) {
        let bodies = self.bodies;
        let (callee, arguments) = match bodies.expressions[decorator as usize].kind {
            ExprKind::Call { callee, arguments, .. } => (callee, bodies.list(arguments)),
            _ => (decorator, &[][..]),
        };
        let ExprKind::Attribute { base, name } = bodies.expressions[callee as usize].kind else { return };
        if bodies.names.text(name) != "register" {
            return;
        }
        let registered = self.entity;
        let generic = self.quiet(|this| this.head(base).0);
        for at in self.sets.range(generic) {
            let Value::OnNone(function, _, GENERIC) = value::parts(self.sets.at(at)).0 else { continue };
            let classes = match arguments.first() {
                Some(&class) => {
                    let class = self.quiet(|this| this.eval(class));
                    self.instances(class, Basis::Annotated)
                }
                None => self.first_annotation(registered),
            };
            self.add(keys::registered_for(registered), classes);
            let itself = self.sets.single(Value::Function(registered, 0), Basis::Dispatched);
            self.add(keys::registered(function), itself);
        }
    }

    fn first_annotation(&mut self, function: EntityId) -> SetId {
        let bodies = self.bodies;
        let is_method = self.look.enclosing_class(function).is_some();
        let mut functions = bodies.functions.iter();
        let body = functions.find(|body| body.lambda == 0 && self.look.own.id(body.entity) == function);
        let parameter = body.and_then(|body| body.parameters.get(usize::from(is_method)));
        parameter.map_or(SetId::EMPTY, |parameter| self.quiet(|this| this.annotation(parameter.annotation)))
    }

    /// Calls the registered functions that the first argument fits.
    pub(super) fn dispatched(&mut self, function: EntityId, arguments: &Arguments, place: Place) -> SetId {
        let registered = self.read(keys::registered(function));
        let mut result = SetId::EMPTY;
        for at in self.sets.range(registered) {
            let Value::Function(implementation, 0) = value::parts(self.sets.at(at)).0 else { continue };
            let declared = self.read(keys::registered_for(implementation));
            if self.fit_of_sets(arguments.first(), declared) == Fit::No {
                continue;
            }
            let class = self.look.enclosing_class(implementation);
            let is_static = self.look.flags(implementation).has(EntityFlags::STATIC_METHOD);
            let receiver = class.filter(|_| !is_static).map(|class| {
                let instance = Value::Instance(class);
                self.sets.single(instance, Basis::Dispatched)
            });
            self.edge(implementation, RelationshipKind::Calls, Basis::Dispatched, place);
            let bound = self.bind(implementation, 0, receiver, arguments);
            let returned = self.result(implementation, 0, &bound);
            result = self.sets.union(result, returned);
        }
        result
    }
}
