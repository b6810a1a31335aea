//! Memo tables of one round of one file. They depend on values and definitions alone, so they hold until the round
//! ends.

use std::{cell::OnceCell, rc::Rc};

use rustc_hash::FxHashMap;

use crate::{
    facts::NameId,
    model::{Basis, EntityId},
    resolve::{
        names::{Module, Targets},
        values::SetId,
    },
};

/// Special methods with the receivers that share each, and the strongest basis among those.
pub(crate) type SpecialMethods = Rc<[(Targets, Basis, SetId)]>;

/// The classes that derive from one, each with its members of one name.
#[derive(Clone)]
pub(crate) struct DerivedMembers {
    pub(crate) each: Rc<[(EntityId, Targets)]>,
    /// More classes have such a member than are listed: none is.
    pub(crate) are_too_many: bool,
}

/// Results about points-to sets that follow from their values alone.
#[derive(Default)]
pub(crate) struct Memo {
    /// A set as callers have it when it is returned.
    pub(crate) returned: FxHashMap<SetId, SetId>,
    /// A set as a function has it when it is passed.
    pub(crate) passed: FxHashMap<SetId, SetId>,
    /// By text, the definition that it names.
    pub(crate) named: FxHashMap<NameId, SetId>,
    /// By receivers and name.
    pub(crate) special: FxHashMap<(SetId, u64), Option<SpecialMethods>>,
    /// The project's file that sets up pytest, after the first look-up.
    pub(crate) project_of_tests: OnceCell<Option<Module>>,
    /// By method, those that it overrides.
    pub(crate) overridden: FxHashMap<EntityId, Rc<[EntityId]>>,
    /// By class, the classes that derive from it, and name.
    pub(crate) derived: FxHashMap<(EntityId, SetId, u64), DerivedMembers>,
}
