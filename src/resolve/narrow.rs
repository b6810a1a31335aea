//! What a test says about the variables that it looks at.
//!
//! Goes in: an expression and whether it is true. Comes out: fewer values in the environment.

use super::{
    solver::Solver,
    value::{self, SetId, Value},
};
use crate::{
    facts::bodies::{ExprId, ExprKind, NONE},
    model::Basis,
};

impl Solver<'_> {
    /// Applies what a true (or false) test says about a variable of the present scope.
    pub(super) fn narrow(&mut self, test: ExprId, is_true: bool) {
        if test == NONE {
            return;
        }
        let bodies = self.bodies;
        match &bodies.expressions[test as usize].kind {
            ExprKind::Not(inner) => self.narrow(*inner, !is_true),
            ExprKind::Bool { left, right, is_and } if *is_and == is_true => {
                self.narrow(*left, is_true);
                self.narrow(*right, is_true);
            }
            ExprKind::Call { callee, arguments, .. } if is_true => {
                let [subject, classes] = bodies.list(*arguments) else { return };
                let ExprKind::Name { name, variable: NONE } = bodies.expressions[*callee as usize].kind else { return };
                if bodies.names.text(name) != "isinstance" {
                    return;
                }
                let set = self.quiet(|this| {
                    let set = this.eval(*classes);
                    let members = this.iterate_literal(*classes);
                    this.sets.union(set, members)
                });
                let instances = self.instances(set, Basis::Constructed);
                self.narrow_to(*subject, instances);
            }
            _ => {}
        }
    }

    /// The subject is one of `instances`: its own values that fit, and the classes themselves.
    pub(super) fn narrow_to(&mut self, subject: ExprId, instances: SetId) {
        let ExprKind::Name { variable, .. } = self.bodies.expressions[subject as usize].kind else { return };
        if variable == NONE || instances == SetId::EMPTY || instances == SetId::TOP {
            return;
        }
        let info = &self.bodies.variables[variable as usize];
        if info.scope != self.scope {
            return;
        }
        let slot = info.slot as usize;
        let present = self.concrete(self.environment[slot]);
        let wanted: Vec<_> = self.sets.entries(instances).iter().map(|&entry| value::parts(entry).0).collect();
        let mut kept: Vec<u64> = self.sets.entries(instances).to_vec();
        for at in self.sets.range(present) {
            let entry = self.sets.at(at);
            let (Value::Instance(class), _) = value::parts(entry) else { continue };
            let mro = self.look.mro(class);
            if mro.classes.iter().any(|&base| wanted.contains(&Value::Instance(base))) {
                kept.push(entry);
            }
        }
        self.environment[slot] = self.sets.of(kept);
    }
}
