//! Receivers that are known, and yet may be something else that is not.
//!
//! Goes in: one value of a receiver. Comes out: whether an occurrence of its member stays unresolved beside what was found.

use super::{externals::dotted, lookup::Target, solver::Solver, value::Value};
use crate::model::Basis;

const PROTOCOLS: [u64; 2] = [dotted("typing.Protocol"), dotted("typing_extensions.Protocol")];

impl Solver<'_> {
    /// What is declared as a `Protocol`: whatever class fits it need not derive from it.
    pub(super) fn is_one_of_unknown(&mut self, receiver: Value, basis: Basis) -> bool {
        let Value::Instance(class) = receiver else { return false };
        basis != Basis::SelfMember
            && self.look.mro(class).externals.iter().any(|base| PROTOCOLS.contains(base))
            && self
                .look
                .bases(class)
                .iter()
                .any(|base| matches!(base, Some(Target::External(base)) if PROTOCOLS.contains(base)))
    }
}
