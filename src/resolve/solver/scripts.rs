//! `if __name__ == "__main__":`: what a module does when it is run as a script, and not when it is imported.
//!
//! Goes in: such a test, and what the statements under it say. Comes out: the same, with [`Basis::Script`] for what they call.

use crate::{
    facts::{
        Bodies,
        bodies::{ExprId, ExprKind, Operator},
    },
    model::{Basis, RelationshipKind},
    resolve::solver::Solver,
};

impl Solver<'_> {
    /// Says of the calls since then, which a test stands before, if they are made by a script alone.
    pub(crate) fn calls_are_of_script(&mut self, test: ExprId, first: usize) {
        if self.scope != 0 || !self.bodies.is_test_for_script(test) {
            return;
        }
        for edge in &mut self.output.relationships[first..] {
            if edge.kind == RelationshipKind::Calls {
                edge.basis = Basis::Script;
            }
        }
    }
}

impl Bodies {
    fn is_test_for_script(&self, test: ExprId) -> bool {
        let bodies = self;
        match bodies.kind(test) {
            Some(&ExprKind::Compare { operator: Operator::Eq, left, right }) => {
                let is_name = |side| bodies.last_name(side) == Some("__name__");
                let is_main = |side| bodies.text(side) == Some("__main__");
                is_name(left) && is_main(right) || is_main(left) && is_name(right)
            }
            Some(&ExprKind::Bool { left, right, is_and: true }) => {
                self.is_test_for_script(left) || self.is_test_for_script(right)
            }
            _ => false,
        }
    }
}
