//! Methods that hand out their receiver or a new object of its class: `return self`, `type(self)()`, `cls()`, `self.clone()`.
//!
//! Goes in: a call with what it is written on. Comes out: the receiver itself, which each caller replaces by its own: a copy of
//! a derived object is of the derived class, through whatever methods of the bases it came.

use crate::{
    facts::bodies::{ExprId, NONE, Run},
    model::{Basis, EntityFlags, EntityId},
    resolve::{
        engine::Solver,
        interpret::calls::Bound,
        values::{self, Kinds, SetId, Value},
    },
};

impl Solver<'_> {
    /// The parameter that a method is called on; nothing where it is called on anything else.
    pub(crate) fn parameter_called_on(&mut self, receivers: SetId) -> SetId {
        let &[entry] = self.sets.entries(receivers) else { return SetId::EMPTY };
        match values::parts(entry).0 {
            Value::Parameter(..) | Value::InstanceOfParameter(..) | Value::OfPassedText(..) => receivers,
            // `super()` is `self`.
            Value::Super(..) => self.own_receiver(),
            _ => SetId::EMPTY,
        }
    }

    /// `self` or `cls` of the method that runs.
    fn own_receiver(&mut self) -> SetId {
        if self.function == NONE {
            return SetId::EMPTY;
        }
        let function = &self.bodies.functions[self.function as usize];
        let owner = self.look.own.id(function.entity);
        let is_static = self.look.flags(owner).has(EntityFlags::STATIC_METHOD);
        if function.lambda != 0 || is_static || self.look.enclosing_class(owner).is_none() {
            return SetId::EMPTY;
        }
        self.sets.single(Value::Parameter(owner, 0, 0), Basis::SelfMember)
    }

    /// The method gets the parameter that it is called on, not what is known of that: if it gives its receiver, it gives the
    /// parameter.
    pub(crate) fn pass_parameter(&mut self, method: EntityId, parameter: SetId, bound: &mut Bound) {
        if parameter == SetId::EMPTY || bound.sets.is_empty() {
            return;
        }
        let is_class_method = self.look.flags(method).has(EntityFlags::CLASS_METHOD);
        let known = self.concrete(parameter);
        let is_other = |value| match value {
            Value::Class(_) => !is_class_method,
            Value::Instance(_) => is_class_method,
            _ => false,
        };
        if !self.sets.entries(known).iter().any(|&entry| is_other(values::parts(entry).0)) {
            bound.sets[0] = parameter;
        }
    }

    /// What a call gives of a class that is a parameter, or that of one: an object of whatever class that is.
    pub(crate) fn made_of_own_class(&mut self, callee: ExprId, classes: SetId, result: SetId) -> SetId {
        let made = match *self.sets.entries(classes) {
            [entry] if self.sets.holds(classes, Kinds::PARAMETERS) => match values::parts(entry) {
                (Value::Parameter(function, lambda, index), basis) => {
                    self.sets.single(Value::InstanceOfParameter(function, lambda, index), basis.max(Basis::Constructed))
                }
                _ => return result,
            },
            _ if self.sets.holds(classes, Kinds::CLASSES) => self.object_of_class(callee),
            _ => return result,
        };
        let classes = self.concrete(classes);
        let is_of_these = |value: Value| match value {
            Value::Instance(class) => {
                self.sets.entries(classes).iter().any(|&entry| values::parts(entry).0 == Value::Class(class))
            }
            _ => false,
        };
        let others = self.sets.entries(result).iter().copied().filter(|&entry| !is_of_these(values::parts(entry).0));
        let others: values::Entries = others.collect();
        if made == SetId::EMPTY || others.len() == self.sets.entries(result).len() {
            return result;
        }
        let others = self.sets.of(others);
        self.sets.union(others, made)
    }

    /// `x` in `type(x)` and `x.__class__`, where that is a parameter.
    fn object_of_class(&mut self, class: ExprId) -> SetId {
        let Some(object) = self.asked_for_class(class) else { return SetId::EMPTY };
        let object = self.quiet(|this| this.eval(object));
        let &[entry] = self.sets.entries(object) else { return SetId::EMPTY };
        match values::parts(entry) {
            (value @ (Value::Parameter(..) | Value::InstanceOfParameter(..) | Value::OfPassedText(..)), basis) => {
                self.sets.single(value, basis.max(Basis::Constructed))
            }
            _ => SetId::EMPTY,
        }
    }

    /// `C.__new__(type(self))`.
    pub(crate) fn new_of_own_class(&mut self, written: Run, made: SetId) -> SetId {
        match *self.bodies.list(written) {
            [class, ..] => match self.object_of_class(class) {
                SetId::EMPTY => made,
                object => object,
            },
            [] => made,
        }
    }
}
