//! From facts to relationships: one file at a time, other files only through [`Definitions`].
//!
//! Goes in: the facts of a file, and answers about others. Comes out: [`crate::model::Resolution`]. Every question
//! about another file is recorded, misses included, so that a changed answer names the files to resolve again.
//! Knows no git, no SQL, no file system.
//!
//! Values are followed in *rounds*: in round `n` a file sees what the others answered in round `n - 1` (round 0: only
//! what is written). Within a file everything is computed to the fixpoint. So every answer is a function of the facts
//! alone, whatever the order of files or of edits, and cycles through files need no special care; what lies further
//! away than [`ROUNDS`] files is not followed.

mod containers;
mod engine;
mod explain;
mod frameworks;
pub mod interpret;
mod library;
mod names;
mod objects;
pub mod questions;
mod rounds;
mod solver;
pub mod strings;
pub mod typing;
pub mod values;

use std::{borrow::Cow, sync::Arc};

use crate::{
    facts::Interface,
    model::{EntityId, EntityKind, FileId},
};

pub use explain::sources::{Asked, How, Question, Source};
pub use explain::trace::Rule;
pub use explain::{Inside, Occurrence, Origin, Part, Traced, builtin_named, inside};
pub use frameworks::pytest::is_test_path;
pub use interpret::file::FileSolver;
pub use library::stdlib_names::is_object_member;
pub use names::Hooks;
pub use names::mro::Mro;
pub use rounds::{Group, go_through, rounds};

/// Number of rounds: how many files a value can pass through on its way. Modules of tests take part in the first and the
/// last: others learn what a test passes to them if its module tells by itself what that is.
pub const ROUNDS: u8 = 4;

/// Raised whenever the same facts give another resolution: an index with another number is built anew.
pub const VERSION: u32 = 94;

/// What resolution may know of a file.
#[derive(Debug)]
pub struct ModuleInfo {
    pub file: FileId,
    pub path: String,
    pub interface: Interface,
    /// Row ids, in the order of the interface's entities.
    pub entities: Vec<EntityId>,
}

impl ModuleInfo {
    /// The row id of an entity of the file.
    pub fn id(&self, entity: u32) -> EntityId {
        self.entities[entity as usize]
    }

    /// What stands in the body of a class: the name (its hash) with the class.
    pub fn definitions_in_classes(&self) -> impl Iterator<Item = (u64, EntityId)> {
        let Interface { entities, names, .. } = &self.interface;
        let is_class = |index: u32| entities.get(index as usize).is_some_and(|head| head.kind == EntityKind::Class);
        let inside = entities.iter().skip(1).filter(move |head| is_class(head.parent));
        inside.map(|head| (names.hash(head.name), self.id(head.parent)))
    }
}

/// What a name stands for in a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Child {
    /// `name.py`, else `name.pyi`.
    pub module: Option<FileId>,
    /// `name.pyi`.
    pub stub: Option<FileId>,
    /// `name/__init__.py`, else `name/__init__.pyi`.
    pub package: Option<FileId>,
    /// An indexed file lies somewhere below `name/`.
    pub is_directory: bool,
    /// `name.toml`, else `name.cfg` or `name.ini`: the file of a project.
    pub project: Option<FileId>,
}

/// The only questions that resolution asks about other files. Answers depend on the stored facts alone.
pub trait Definitions {
    /// What `name` stands for in the folder `directory` (`""` for the root).
    fn child(&self, directory: &str, name: &str) -> Child;
    /// The folders in which a package `name` (with `__init__`) begins, sorted.
    fn packages(&self, name: &str) -> Vec<String>;
    /// What the file shows to others.
    fn module(&self, file: FileId) -> Option<Arc<ModuleInfo>>;
    /// The classes with a definition of this name in their own body, sorted.
    fn definers(&self, name: &str) -> Vec<EntityId>;
    /// The file of an entity and its index there.
    fn place(&self, entity: EntityId) -> Option<(FileId, u32)>;
    /// The same linearization of a class, if another file holds it already: with a whole repository in memory, most files know
    /// the same few classes.
    fn shared(&self, _: EntityId, mro: Mro) -> Arc<Mro> {
        Arc::new(mro)
    }
    /// Whether a file other than `except` changed its answer to `key` in exactly this round.
    fn has_news(&self, key: questions::Key, round: u8, except: FileId) -> bool;
    /// The entries (see [`values::Entry`]) that files other than `except` gave for `key` up to round `round`.
    fn answers(&self, key: questions::Key, round: u8, except: FileId) -> Vec<values::Entry>;
    /// The same, sorted by value. What the `listener` itself has answered by then may be among it or not: it counts it in
    /// anyway, and nothing may depend on which.
    fn heard(&self, key: questions::Key, round: u8, listener: FileId) -> Cow<'_, [values::Entry]> {
        Cow::Owned(self.answers(key, round, listener))
    }
}
