//! Resolution: from the facts of a repository to relationships between its entities.
//!
//! Resolution is a whole-program points-to analysis that goes file by file. It computes the set of values that each
//! expression can evaluate to. A relationship says which definition such a value leads to, with the evidence for it.
//! This module knows no git, no SQL and no file system.
//!
//! # The way of the data
//!
//! 1. *Facts.* The parser has lowered a file to its interface and its bodies ([`crate::facts`]). Nothing here reads
//!    source text.
//! 2. *Questions.* A file sees other files only through [`Definitions`]. Each question has a 64-bit key, and every
//!    question is recorded, even one without an answer. So a changed answer names the files to resolve again.
//! 3. *Rounds.* A file computes its fixpoint and publishes its answers: results of functions, values of attributes,
//!    arguments of parameters. In round `n` it reads the answers of rounds before `n`. After [`ROUNDS`] rounds the
//!    group of files is finished; a value that passes through more files is not followed.
//! 4. *Relationships.* The last round emits relationships and unresolved occurrences. Some evidence is weakened at the
//!    end, when all alternatives are known. The result is a [`crate::model::Resolution`].
//!
//! Every answer is a function of the facts alone. The order of files, of edits and of threads has no effect, and cycles
//! through files need no special care.
//!
//! # The rooms, in reading order
//!
//! - [`values`]: abstract values and points-to sets, with the codes under which an index stores them; the keys of
//!   questions about other files.
//! - `names`: bindings as written: imports, members of modules and classes, MRO.
//! - `engine`: the fixpoint. It runs steps until no cell grows, and knows no Python.
//! - `solver`: the state of one file: names, sets, cells, environment, output; the trace for explanations.
//! - [`interpret`]: the transfer functions, one for each kind of statement and expression.
//! - `objects`: Python's object model: attributes, descriptors, metaclasses, overrides.
//! - `containers`: lists, dicts, tuples and their elements.
//! - [`strings`]: the names that code computes as texts.
//! - [`typing`]: annotations, generics, overloads, protocols, stubs.
//! - `library`: the builtins and the standard library.
//! - `frameworks`: conventions of third-party libraries and of pytest, mostly data in `frameworks/rules/*.toml`.
//! - `rounds`: one file from round to round, and the driver that takes a group of files through all rounds.
//! - `explain`: why an occurrence means its targets. It runs the resolver once more with a trace.
//!
//! `Interpreter` (in [`interpret`]) evaluates; it owns a `Solver`, and the solver never calls it. The rooms from
//! `objects` on are transfer functions too: some need the interpreter, others the solver or its tables of names alone.
//!
//! # A new rule
//!
//! - A framework registers, calls or creates something: add a line to its file in `frameworks/rules`, or a new file
//!   and its line in the list of files. This needs no Rust unless the kind of rule is new.
//! - A function of the standard library passes values on: describe it in `frameworks/rules/stdlib.toml`.
//! - A method has an effect of its own: add a function in the room of its subject and an entry to the table in
//!   `interpret/calls/method_rules.rs`. The entry says whether the function adds, replaces or only records.
//! - Python itself behaves so: change the transfer function in [`interpret`] or in `objects`.
//! - Another file must know the result: add a key to [`values::questions`], write with `Solver::add`, read with
//!   `Solver::read`.
//!
//! Each rule gets a fixture with carets, and a change of results raises [`VERSION`].

pub mod values;

mod names;

mod engine;

mod solver;

pub mod interpret;

mod objects;

mod containers;

pub mod strings;

pub mod typing;

mod library;

mod frameworks;

mod rounds;

mod explain;

use std::{borrow::Cow, sync::Arc};

use crate::{
    facts::Interface,
    model::{EntityId, EntityKind, FileId},
};

pub use explain::sources::{Asked, How, Question, Source};
pub use explain::{Inside, Occurrence, Origin, Part, Traced, builtin_named, inside};
pub(crate) use library::opaque_results::ANYTHING;
pub use library::stdlib_names::is_object_member;
pub use names::Hooks;
pub use names::mro::Mro;
pub use rounds::file::FileSolver;
pub use rounds::{Group, go_through, rounds};
pub use solver::trace::Rule;

/// Number of rounds, and so of files that a value can pass through. Test modules take part in the first and the last
/// alone, but for their decorators: their arguments reach other files if they follow from the test module itself.
pub const ROUNDS: u8 = 4;

/// Raised whenever the same facts yield another resolution. An index with another number is built anew.
pub const VERSION: u32 = 119;

/// The part of a file that resolution of other files may read.
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

    /// The definitions in bodies of classes: the name (its hash) with the class.
    pub fn definitions_in_classes(&self) -> impl Iterator<Item = (u64, EntityId)> {
        let Interface { entities, names, .. } = &self.interface;
        let is_class = |index: u32| entities.get(index as usize).is_some_and(|head| head.kind == EntityKind::Class);
        let inside = entities.iter().skip(1).filter(move |head| is_class(head.parent));
        inside.map(|head| (names.hash(head.name), self.id(head.parent)))
    }
}

/// The meanings of a name in a folder.
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
    /// The meanings of `name` in the folder `directory` (`""` for the root).
    fn child(&self, directory: &str, name: &str) -> Child;
    /// The folders in which a package `name` (with `__init__`) begins, sorted.
    fn packages(&self, name: &str) -> Vec<String>;
    /// The interface of a file.
    fn module(&self, file: FileId) -> Option<Arc<ModuleInfo>>;
    /// The classes with a definition of this name in their own body, sorted.
    fn definers(&self, name: &str) -> Vec<EntityId>;
    /// The file of an entity and its index there.
    fn place(&self, entity: EntityId) -> Option<(FileId, u32)>;
    /// The same linearization of a class, shared with another file that holds it. With a whole repository in memory,
    /// most files know the same few classes.
    fn shared(&self, _: EntityId, mro: Mro) -> Arc<Mro> {
        Arc::new(mro)
    }
    /// Whether a file other than `except` changed its answer to `key` in exactly this round.
    fn has_delta(&self, key: values::questions::Key, round: u8, except: FileId) -> bool;
    /// The entries (see [`values::Entry`]) that files other than `except` published for `key` up to round `round`.
    fn answers(&self, key: values::questions::Key, round: u8, except: FileId) -> Vec<values::Entry>;
    /// The same, sorted by value. The answer of the `importer` itself may be among it or not: the importer joins its
    /// own part anyway, so nothing may depend on it.
    fn imported(&self, key: values::questions::Key, round: u8, importer: FileId) -> Cow<'_, [values::Entry]> {
        Cow::Owned(self.answers(key, round, importer))
    }
}
