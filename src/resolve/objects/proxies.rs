//! Objects of a library that stand for what a function gives: werkzeug's `LocalProxy`.
//!
//! Goes in: the call that makes one. Comes out: what it stands for, beside itself.

use crate::{
    model::Basis,
    resolve::{
        engine::{Solver, output::Place},
        interpret::calls::Arguments,
        values::{SetId, Value},
    },
};

impl Solver<'_> {
    /// `LocalProxy(lambda: find_user())`, `LocalProxy(store, "user")`.
    pub(crate) fn proxy_made(&mut self, proxy: u64, arguments: &Arguments, place: Place) -> SetId {
        let first = arguments.first();
        let given = match self.written_name(arguments, 1) {
            Some(name) => self.quiet(|this| this.read_attribute(first, name, place)),
            None => self.call_sets(first, &[], place),
        };
        let given = self.sets.weaken(given, Basis::Returned);
        let itself = self.sets.single(Value::ExternalInstance(proxy), Basis::Returned);
        self.sets.union(given, itself)
    }
}
