//! What was worked out in a round of one file and holds until its end: it follows from values and definitions alone.

use std::{cell::OnceCell, rc::Rc};

use rustc_hash::FxHashMap;

use super::{lookup::Module, overriding::DerivedMembers, special::SpecialMethods, value::SetId};
use crate::{facts::NameId, model::EntityId};

/// What was worked out about sets in this round: what follows from their values alone.
#[derive(Default)]
pub(super) struct Memo {
    /// A set as callers have it when it is returned.
    pub(super) returned: FxHashMap<SetId, SetId>,
    /// A set as a function has it when it is passed.
    pub(super) passed: FxHashMap<SetId, SetId>,
    /// By text, the definition that it names.
    pub(super) named: FxHashMap<NameId, SetId>,
    /// By receivers and name.
    pub(super) special: FxHashMap<(SetId, u64), Option<SpecialMethods>>,
    /// The project's file that sets up pytest, once somebody asked.
    pub(super) project_of_tests: OnceCell<Option<Module>>,
    /// By method, those that it overrides.
    pub(super) overridden: FxHashMap<EntityId, Rc<[EntityId]>>,
    /// By class, the classes that derive from it, and name.
    pub(super) derived: FxHashMap<(EntityId, SetId, u64), DerivedMembers>,
}
