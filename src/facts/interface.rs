//! The part of a file that other files can see: its names, classes and signatures, without any body.
//!
//! A body edit leaves the interface unchanged; this keeps an update small.

use serde::{Deserialize, Serialize};

use super::names::{NameId, Names};
// The solver still imports it from here.
pub use crate::model::signature::ParameterKind;
use crate::model::{Collecting, EntityFlags, EntityKind};

/// All that other files can see of one file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Interface {
    pub names: Names,
    /// One per entity, in the order of the entity records.
    pub entities: Vec<EntityHead>,
    /// Names bound at module level, sorted by hash of the name.
    pub members: Vec<Member>,
    /// Modules whose names are imported by `*`, in order.
    pub stars: Vec<ModulePath>,
    /// The names in `__all__`, when it is written out.
    pub exports: Option<Vec<NameId>>,
    /// Classes, sorted by entity.
    pub classes: Vec<ClassHead>,
    /// Functions and methods, sorted by entity.
    pub functions: Vec<FunctionHead>,
    /// Modules named by `pytest_plugins`, and those that a project registers as plugins of pytest.
    pub plugins: Vec<NameId>,
    /// Folders, from that of a project's file, in which its tests find modules: pytest's `pythonpath`.
    pub roots: Vec<NameId>,
    /// The settings that a project's file gives pytest; `None` where it does not set up pytest.
    pub collecting: Option<Collecting>,
    /// Fixtures that tests know by another name than the function's (`@pytest.fixture(name=…)`).
    pub fixtures: Vec<(NameId, u32)>,
    /// `from __future__ import annotations`: no annotation of a function is run.
    pub keeps_annotations: bool,
}

/// An entity as other files see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntityHead {
    pub kind: EntityKind,
    pub name: NameId,
    pub parent: u32,
    pub duplicate: u32,
    pub flags: EntityFlags,
}

/// A name and its bindings. Conditional definitions give more than one binding; a later binding hides earlier ones
/// that were made unconditionally.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    pub name: NameId,
    /// Hash of the name; members are sorted and looked up by it.
    #[serde(skip)]
    pub hash: u64,
    pub bindings: Vec<Binding>,
    /// All of them stand under `if TYPE_CHECKING:`, so that the name is not there when the program runs.
    pub is_for_types: bool,
}

/// The binding of a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Binding {
    /// A class, function or variable of this file.
    Entity(u32),
    /// `import a.b` (binds `a`) or `import a.b as c` (binds the whole).
    Module(ModulePath),
    /// `from module import name`.
    From(ModulePath, NameId),
}

/// A module as written in an import.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ModulePath {
    /// Number of leading dots.
    pub level: u32,
    pub parts: Vec<NameId>,
}

/// A class, without its body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassHead {
    pub entity: u32,
    pub bases: Vec<BasePath>,
    pub metaclass: Option<BasePath>,
    /// Names bound in the class body and attributes set on `self` or `cls`, sorted by hash of the name.
    pub members: Vec<Member>,
    /// Decorators by their dotted names (`dataclass`, `attr.s`); some of them change the members of the class.
    pub decorators: Vec<BasePath>,
    /// It has type parameters, or a base with arguments.
    pub is_generic: bool,
}

/// A dotted name to look up from where the class stands: `models.Model`, with subscripts dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BasePath {
    /// The entity that the first part names when it is bound in an enclosing function of the same file.
    pub local: Option<u32>,
    pub parts: Vec<NameId>,
}

/// A function's parameters, without its body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionHead {
    pub entity: u32,
    /// 0 for a named function; n for the n-th lambda of the entity.
    pub lambda: u32,
    pub parameters: Vec<ParameterHead>,
    pub is_generator: bool,
    pub is_async: bool,
    /// Some decorator may replace the function by something else.
    pub is_decorated: bool,
    /// A type guard: its result narrows the type of its argument (`-> TypeGuard[C]`, `-> TypeIs[C]`).
    pub is_guard: bool,
}

/// A parameter as its callers see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParameterHead {
    pub name: NameId,
    pub kind: ParameterKind,
    pub has_default: bool,
    pub is_none_default: bool,
    /// The truth of a default that is written out.
    pub default_truth: Option<bool>,
    /// The default is a name, a call or another expression that values flow from: no literal.
    pub has_followed_default: bool,
}

impl Interface {
    /// The bindings of `name` (by hash) at module level; empty when the module does not bind it.
    pub fn member(&self, name: u64) -> &[Binding] {
        find_member(&self.members, name)
    }

    /// Whether a name (by hash) is bound for type checkers alone.
    pub fn is_for_types(&self, name: u64) -> bool {
        let found = self.members.binary_search_by_key(&name, |member| member.hash);
        found.is_ok_and(|index| self.members[index].is_for_types)
    }

    /// The class with this entity index.
    pub fn class(&self, entity: u32) -> Option<&ClassHead> {
        self.classes.binary_search_by_key(&entity, |class| class.entity).ok().map(|index| &self.classes[index])
    }

    /// The variables of the body of the class with this entity index, in order: the fields that a written constructor
    /// can fill. Attributes that only its methods set are none.
    pub fn fields(&self, class: u32) -> impl Iterator<Item = &EntityHead> + Clone {
        // An entity stands before those inside it.
        let inside = self.entities.get(class as usize + 1..).unwrap_or_default();
        inside.iter().filter(move |head| {
            let is_of_objects = head.flags.has(EntityFlags::INSTANCE_ATTRIBUTE);
            head.parent == class && head.kind == EntityKind::Variable && head.duplicate == 0 && !is_of_objects
        })
    }

    /// Where in [`Interface::functions`] the function or lambda with this entity index stands.
    pub fn function(&self, entity: u32, lambda: u32) -> Option<usize> {
        let key = |function: &FunctionHead| (function.entity, function.lambda);
        self.functions.binary_search_by_key(&(entity, lambda), key).ok()
    }

    /// The bindings of `name` (by hash) in a class; empty when the class does not bind it.
    pub fn class_member<'a>(&self, class: &'a ClassHead, name: u64) -> &'a [Binding] {
        find_member(&class.members, name)
    }

    /// Restores the fields that are not stored; `None` when a member has no name.
    pub(super) fn rehash(&mut self) -> Option<()> {
        self.names.rehash()?;
        let classes = self.classes.iter_mut().flat_map(|class| &mut class.members);
        for member in self.members.iter_mut().chain(classes) {
            member.hash = self.names.known_hash(member.name)?;
        }
        Some(())
    }
}

fn find_member(members: &[Member], name: u64) -> &[Binding] {
    match members.binary_search_by_key(&name, |member| member.hash) {
        Ok(index) => &members[index].bindings,
        Err(_) => &[],
    }
}
