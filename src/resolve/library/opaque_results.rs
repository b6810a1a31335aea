//! Results of unknown libraries that get objects of the repository.
//!
//! They carry a mark: the result may be of the repository, so its members stay open. A module that is loaded by a
//! partly known text is such a result too.

use crate::{
    model::{Basis, UnresolvedReason},
    resolve::{
        library::known::{OPEN, SOME_MODULE},
        names::Referents,
        values::{self, Kinds, SetId, Sets, Value},
    },
};

/// Any object that outside code made of the repository.
pub(crate) const ANYTHING: Value = Value::ExternalInstance(OPEN);

/// Any module.
const ANY_MODULE: Value = Value::External(SOME_MODULE);

impl Sets {
    /// The modules that a text is known to name, and the mark where others may be passed.
    pub(crate) fn perhaps_other_modules(&mut self, text: SetId, modules: SetId) -> SetId {
        if modules != SetId::EMPTY && !self.holds(text, Kinds::PARAMETERS) {
            return modules;
        }
        let mark = self.single(ANY_MODULE, Basis::Returned);
        self.union(modules, mark)
    }

    /// An object that is found at run time, such as a member of any module: it may be any object of the repository.
    pub(crate) fn anything(&mut self) -> SetId {
        self.single(ANYTHING, Basis::Returned)
    }

    /// The reason why an attribute stays open on receivers of which some, or none, have it; given its values and
    /// definitions.
    pub(crate) fn why_open(
        &self,
        receivers: SetId,
        is_known: bool,
        is_missing: bool,
        found: (SetId, &Referents),
    ) -> Option<UnresolvedReason> {
        if self.entries(receivers).iter().any(|&entry| values::parts(entry).0 == ANY_MODULE) {
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

    /// Whether libraries made all these values, and none can be of the repository.
    pub(crate) fn is_of_libraries(&self, set: SetId) -> bool {
        let entries = self.entries(set);
        let is_of_library = |value| {
            matches!(value, Value::External(_) | Value::ExternalInstance(_)) && !matches!(value, ANYTHING | ANY_MODULE)
        };
        !entries.is_empty() && entries.iter().all(|&entry| is_of_library(values::parts(entry).0))
    }

    pub(crate) fn is_open(&self, set: SetId) -> bool {
        self.entries(set).iter().any(|&entry| values::parts(entry).0 == ANYTHING)
    }
}
