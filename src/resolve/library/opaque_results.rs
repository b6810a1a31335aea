//! What code outside gives back when it is handed something of the repository.
//!
//! Goes in: a call of a library of which nothing is known here. Comes out: a mark that what it gives may be of the repository, so
//! that what is asked of it stays open. A module that is loaded by a text which is not wholly known is such a thing too.

use crate::{
    facts::bodies::{ExprId, ExprKind},
    model::{Basis, UnresolvedReason},
    resolve::{
        engine::Solver,
        frameworks::rules,
        interpret::{calls::Arguments, expressions::Heads},
        library::known::{self, OPEN, SOME_MODULE},
        values::{self, Kinds, SetId, Value},
    },
};

/// Anything that code outside made of something of the repository.
const ANYTHING: Value = Value::ExternalInstance(OPEN);
/// Any module.
const ANY_MODULE: Value = Value::External(SOME_MODULE);

impl Solver<'_> {
    /// What a call gives, and the mark where the function called lies in a library and was handed a class or an object of the
    /// repository, or came out of a library itself: `inject(Service)`, `wrap(client)`, `load("x")(1)`.
    pub(crate) fn opened(&mut self, callee: ExprId, called: SetId, arguments: &Arguments, result: SetId) -> SetId {
        if result == SetId::TOP || !self.is_nothing_followed(result) || self.is_open(result) {
            return result;
        }
        let called = self.concrete(called);
        let is_unknown = |path: u64| {
            !matches!(path, OPEN | SOME_MODULE)
                && !known::is_of_python(path)
                && known::known(path).is_none()
                && !rules().is_described(path)
        };
        let (mut is_unknown_call, mut is_given) = (false, false);
        for &entry in self.sets.entries(called) {
            let (Value::External(path) | Value::ExternalInstance(path), basis) = values::parts(entry) else { continue };
            is_unknown_call |= is_unknown(path);
            is_given |= is_unknown(path) && basis >= Basis::Returned;
        }
        if !is_unknown_call {
            return result;
        }
        let is_method = matches!(self.bodies.kind(callee), Some(ExprKind::Attribute { .. }));
        if !(is_given && !is_method || self.hands_own(callee, arguments)) {
            return result;
        }
        let mark = self.sets.single(ANYTHING, Basis::Returned);
        self.sets.union(result, mark)
    }

    /// Whether a call passes a class of the repository, or an object of one to what is not called like a class: a class of a library
    /// makes its own objects.
    fn hands_own(&mut self, callee: ExprId, arguments: &Arguments) -> bool {
        let name = self.bodies.last_name(callee).unwrap_or_default().trim_start_matches('_');
        let handed =
            if name.starts_with(char::is_uppercase) { Kinds::CLASSES } else { Kinds::CLASSES.or(Kinds::INSTANCES) };
        let named = arguments.keywords.iter().map(|&(_, set)| set);
        arguments.positional.iter().copied().chain(named).any(|set| {
            let set = self.concrete(set);
            self.sets.holds(set, handed)
        })
    }

    /// The modules that a text is known to name, and the mark where others may be passed.
    pub(crate) fn perhaps_other_modules(&mut self, text: SetId, modules: SetId) -> SetId {
        if modules != SetId::EMPTY && !self.sets.holds(text, Kinds::PARAMETERS) {
            return modules;
        }
        let mark = self.sets.single(ANY_MODULE, Basis::Returned);
        self.sets.union(modules, mark)
    }

    /// What is known of a member of any module: nothing.
    pub(crate) fn of_any_module(&mut self) -> SetId {
        self.sets.single(ANYTHING, Basis::Returned)
    }

    /// Why an attribute of these receivers stays open, of which some, or none, have it: its values and what it names.
    pub(crate) fn why_open(
        &self,
        receivers: SetId,
        is_known: bool,
        is_missing: bool,
        found: (SetId, &Heads),
    ) -> Option<UnresolvedReason> {
        if self.sets.entries(receivers).iter().any(|&entry| values::parts(entry).0 == ANY_MODULE) {
            return Some(UnresolvedReason::UnknownModule);
        }
        let is_open = self.is_open(receivers);
        let is_found = !found.1.is_empty() || !self.is_nothing_followed(found.0);
        match () {
            () if is_known && (!is_open || is_found) => None,
            () if is_missing && !is_open => Some(UnresolvedReason::MissingMember),
            () if receivers == SetId::TOP => Some(UnresolvedReason::TooManyValues),
            () => Some(UnresolvedReason::UnknownReceiver),
        }
    }

    fn is_open(&self, set: SetId) -> bool {
        self.sets.entries(set).iter().any(|&entry| values::parts(entry).0 == ANYTHING)
    }
}
