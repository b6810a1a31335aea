//! What objects put into the class that has them, in their own place: `setattr(model, name, Accessor(self))`.
//!
//! Goes in: a `setattr` in a method that is told the class and the name. Comes out: what is read and written there instead.

use crate::{
    facts::bodies::{ExprId, ExprKind},
    model::Basis,
    resolve::{
        engine::Solver,
        interpret::calls::Arguments,
        questions,
        values::{self, SetId, Value, slot::Unnamed},
    },
};

impl Solver<'_> {
    /// `setattr(model, name, Accessor(self))` in a method that is told the class and the name: what an object puts in its place;
    /// where that is an instance of a class that an attribute of the object holds, objects of derived classes have theirs.
    pub(crate) fn put_in_own_place(&mut self, arguments: &Arguments, set: SetId) {
        let bodies = self.bodies;
        let &[owner, name, value] = bodies.list(arguments.written()) else { return };
        let name = self.parameter_named_by(name).or_else(|| self.parameter_kept(name));
        let (Some(owner), Some(name)) = (self.parameter_named_by(owner), name) else { return };
        let Some(class) = self.look.enclosing_class(self.entity).filter(|_| owner > 0 && name > 0) else { return };
        let set = self.concrete(set);
        let objects = self.only(set, |value| matches!(value, Value::Instance(other) if other != class));
        self.add(questions::attribute(class, Unnamed::OwnPlace.encode()), objects);
        let Some(&ExprKind::Call { callee, .. }) = bodies.kind(value) else { return };
        let Some(&ExprKind::Attribute { base, name }) = bodies.kind(callee) else { return };
        if self.parameter_named_by(base) != Some(0) {
            return;
        }
        for derived in self.subclasses(class) {
            let held = self.read(questions::attribute(derived, bodies.names.hash(name)));
            let objects = self.instances(held, Basis::Stored);
            let objects = self.only(objects, |value| matches!(value, Value::Instance(_)));
            self.add(questions::attribute(derived, Unnamed::OwnPlace.encode()), objects);
        }
    }

    /// The instances in a set that a class holds, and what they put into their own place.
    pub(crate) fn descriptors(&mut self, held: SetId) -> SetId {
        let held = self.only(held, |value| matches!(value, Value::Instance(_) | Value::Applied(..)));
        let mut put = SetId::EMPTY;
        for at in self.sets.range(held) {
            let Value::Instance(class) = values::parts(self.sets.at(at)).0 else { continue };
            let mro = self.look.mro(class);
            for &owner in &mro.classes {
                let there = self.read(questions::attribute(owner, Unnamed::OwnPlace.encode()));
                if there != SetId::EMPTY {
                    put = self.sets.union(put, there);
                    break;
                }
            }
        }
        let put = self.sets.weaken(put, Basis::Stored);
        self.sets.union(held, put)
    }

    /// The parameter that an attribute of the object is called after: `self.name` in a method that is told the name.
    fn parameter_kept(&self, expression: ExprId) -> Option<usize> {
        let bodies = self.bodies;
        let &ExprKind::Attribute { base, name } = bodies.kind(expression)? else { return None };
        (self.parameter_named_by(base) == Some(0)).then_some(())?;
        let function = bodies.functions.get(self.function as usize)?;
        let is_it =
            |variable: u32| bodies.variables.get(variable as usize).is_some_and(|variable| variable.name == name);
        function.parameters.iter().position(|parameter| is_it(parameter.variable))
    }

    /// The parameter of the present function that an expression names, by its index.
    fn parameter_named_by(&self, expression: ExprId) -> Option<usize> {
        let &ExprKind::Name { variable, .. } = self.bodies.kind(expression)? else { return None };
        let function = self.bodies.functions.get(self.function as usize)?;
        function.parameters.iter().position(|parameter| parameter.variable == variable)
    }
}
