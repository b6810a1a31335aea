//! The words of the domain, as plain data that every layer may know.
//!
//! The types name entities and relationships, and the results of one file's resolution. They know nothing of git,
//! tree-sitter, SQLite or the terminal.
//!
//! Terms, used everywhere in this sense:
//! - *entity*: a definition that can be named: a module, class, function, method, property or variable.
//! - *occurrence*: a place in the source that refers to something.
//! - *relationship*: a resolved occurrence: source entity → target entity, with kind, place and basis.
//! - *basis*: the way in which a relationship was found, from scope rules to types; *evidence* is its strength in one
//!   word.
//! - *question*: a fact about another file that resolution asked for; recorded so that a change of the answer
//!   names the files to resolve again.

mod basis;
pub mod brackets;
mod collecting;
pub mod conventions;
pub mod definition_counts;
pub mod linearization;
mod relationship_kind;
pub mod signature;
mod unresolved;
pub mod written_signature;

use std::fmt;

pub use basis::Basis;
pub use collecting::{Collecting, PYTEST_FILES, fits_name, fits_path};
pub use relationship_kind::{RelationshipKind, RunsNext};
use serde::{Deserialize, Serialize};
pub use unresolved::{Unresolved, UnresolvedReason};

/// Row id of an indexed file. Kept while the path lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// Row id of an entity. Kept while its file and its symbol (qualified name and duplicate number) live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EntityId(pub u32);

/// Line (1-based) and column (bytes) of an occurrence.
pub type Position = (u32, u32);

/// blake3 of a file's bytes.
pub type ContentHash = [u8; 32];

/// The first half of a blake3 hash: there are many definitions, and they are compared with their own earlier versions.
pub type DefinitionHash = [u8; 16];

/// The hash of a definition's bytes.
pub fn definition_hash(bytes: &[u8]) -> DefinitionHash {
    *blake3::hash(bytes).as_bytes().first_chunk().expect("a hash has 32 bytes")
}

/// The kind of an entity. The discriminants are the codes in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum EntityKind {
    Module = 0,
    Class = 1,
    Function = 2,
    Method = 3,
    Property = 4,
    Variable = 5,
    /// A section of a document: searched like a definition, and never one.
    Document = 6,
}

impl EntityKind {
    /// Every kind, in the order of their codes.
    pub const ALL: [EntityKind; 7] =
        [Self::Module, Self::Class, Self::Function, Self::Method, Self::Property, Self::Variable, Self::Document];

    /// The word used in output and in the index.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Module => "module",
            Self::Class => "class",
            Self::Function => "function",
            Self::Method => "method",
            Self::Property => "property",
            Self::Variable => "variable",
            Self::Document => "document",
        }
    }

    /// The kind with this code, if there is one.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// Functions, methods and properties: entities with a body that runs.
    pub fn is_callable(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Property)
    }
}

impl fmt::Display for EntityKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How sure a relationship is, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// Bound by scope and import rules.
    Exact,
    /// Found through inferred types, flow of values, the MRO or fixtures.
    Inferred,
    /// The name fits and nothing contradicts it. Never stored: found when reading.
    Possible,
}

impl Evidence {
    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Inferred => "inferred",
            Self::Possible => "possible",
        }
    }
}

/// The index's record of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRecord {
    /// Relative to the repository's root, `/` between parts. Bytes that are not UTF-8 are kept by git's C-style
    /// quoting.
    pub path: String,
    /// Dotted name from the import root; unique among files.
    pub module: String,
    /// blake3 of the bytes; all zero for a skipped file.
    pub content_hash: ContentHash,
    /// Stat data at the time the content was read; compared for equality only.
    pub stat: FileStat,
    /// Number of lines.
    pub line_count: u32,
    /// The parser had to recover from errors.
    pub is_partial: bool,
    /// The file is a test by its path (`tests/`, `test_*.py`, `*_test.py`, `conftest.py`).
    pub is_test: bool,
    /// Why the file has no entities (too large, binary, unreadable); empty for an indexed file.
    pub skipped: String,
}

/// Stat data by which an unchanged file is recognized without reading it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FileStat {
    /// Bytes.
    pub size: u64,
    /// Nanoseconds since the epoch.
    pub mtime_ns: i64,
    /// Nanoseconds since the epoch; 0 where the system has none.
    pub ctime_ns: i64,
    /// 0 where the system has none.
    pub inode: u64,
}

/// Marks on an entity, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EntityFlags(pub u32);

impl EntityFlags {
    pub const ASYNC: u32 = 1;
    pub const STATIC_METHOD: u32 = 1 << 1;
    pub const CLASS_METHOD: u32 = 1 << 2;
    pub const ABSTRACT: u32 = 1 << 3;
    pub const OVERLOAD: u32 = 1 << 4;
    pub const FIXTURE: u32 = 1 << 5;
    /// A test function or method by pytest's and unittest's naming rules.
    pub const TEST: u32 = 1 << 6;
    pub const GENERATOR: u32 = 1 << 7;
    /// Defined under an `if`, `try` or similar.
    pub const CONDITIONAL: u32 = 1 << 8;
    /// An attribute of an instance (`self.x = …`), not of the class.
    pub const INSTANCE_ATTRIBUTE: u32 = 1 << 9;
    pub const SETTER: u32 = 1 << 10;
    pub const DELETER: u32 = 1 << 11;
    /// A variable of a class or module that has a type there and no value.
    pub const DECLARED: u32 = 1 << 12;
    /// A class with a base that is called `TestCase` or alike: where that is unittest's, its tests run under any name.
    pub const UNITTEST: u32 = 1 << 13;
    /// A function that only says that it is not implemented, by raising.
    pub const UNIMPLEMENTED: u32 = 1 << 14;
    /// Decorated by an attribute of the earlier definition of its name, which it joins: `@full.expression def
    /// full(cls)`.
    pub const JOINS: u32 = 1 << 15;
    /// A method that does nothing: texts, `pass` and `...`.
    pub const EMPTY: u32 = 1 << 16;
    /// A member of a class that is hidden on its objects: `__init__` always sets an attribute of that name.
    pub const REPLACED: u32 = 1 << 17;
    /// A fixture that every test in its scope gets: `@pytest.fixture(autouse=True)`.
    pub const AUTOUSE: u32 = 1 << 18;
    /// A test, a class of tests or a fixture that runs once for each of several parameters.
    pub const PARAMETRIZED: u32 = 1 << 19;
    /// A variable of a class that its constructor fills where a decorator or base writes that: it has a type, which is
    /// no `ClassVar`, and no `init=False`.
    pub const FIELD: u32 = 1 << 20;
    /// A member of a class that is sometimes hidden on its objects: `__init__` may set an attribute of that name.
    pub const PERHAPS_REPLACED: u32 = 1 << 21;
    /// A field that is declared to hold a number, a text, bytes or `None`.
    pub const PLAIN_FIELD: u32 = 1 << 22;
    /// A class that a call makes, without a `class` statement: `Point = namedtuple("Point", "x y")`.
    pub const MADE: u32 = 1 << 23;

    /// Whether all of `bits` are set.
    pub fn has(self, bits: u32) -> bool {
        self.0 & bits == bits
    }

    /// Whether derived classes may replace a method's body: it says so, or does nothing.
    pub fn is_hook(self) -> bool {
        self.is_left_open() || self.has(Self::EMPTY)
    }

    /// Whether a method leaves its body to derived classes: one of their overrides runs in its place.
    pub fn is_left_open(self) -> bool {
        self.0 & (Self::ABSTRACT | Self::UNIMPLEMENTED) != 0
    }
}

/// The index's record of one entity. Index 0 of a file is always its module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntityRecord {
    pub kind: EntityKind,
    /// Last part of the name; a module's is the last part of its dotted name.
    pub name: String,
    /// Name below the module (`Class.method`), empty for the module itself.
    pub qualified: String,
    /// 0 for the first definition of a qualified name in the file, 1 for the second and so on.
    pub duplicate: u32,
    /// Index of the enclosing entity in the same file; the module's is 0 (itself).
    pub parent: u32,
    /// First line, decorators included; 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// Line of the name itself, 1-based.
    pub line: u32,
    /// Column of the name itself in bytes, 0-based.
    pub column: u32,
    /// `(self, x: int = 3) -> str` as written, white space folded; empty for an entity without parameters.
    pub signature: String,
    /// First paragraph of the docstring, white space folded; may be empty.
    pub doc: String,
    /// Decorators as written, without the `@`.
    pub decorators: Vec<String>,
    pub flags: EntityFlags,
    /// Of the definition's bytes, indentation included.
    pub content_hash: DefinitionHash,
}

impl EntityRecord {
    /// The record of a whole file, without a docstring. Its place in the repository gives it a name.
    pub fn of_module(line_count: u32, content_hash: DefinitionHash) -> Self {
        EntityRecord {
            kind: EntityKind::Module,
            name: String::new(),
            qualified: String::new(),
            duplicate: 0,
            parent: 0,
            start_line: 1,
            end_line: line_count,
            line: 1,
            column: 0,
            signature: String::new(),
            doc: String::new(),
            decorators: Vec::new(),
            flags: EntityFlags::default(),
            content_hash,
        }
    }
}

/// A resolved occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Relationship {
    pub target: EntityId,
    pub kind: RelationshipKind,
    pub source: EntityId,
    /// In the source entity's file, 1-based.
    pub line: u32,
    /// In bytes, 0-based.
    pub column: u32,
    pub basis: Basis,
}

/// Number and names of a call's arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallShape {
    pub positional: u32,
    pub keywords: Vec<String>,
    /// `*args` or `**kwargs` hide the true number.
    pub is_open: bool,
}

/// One part of an expression and its possible values: a step from an occurrence to its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Step {
    /// `app.logger`, as far as it stands there.
    pub expression: String,
    /// The kind of the expression: `parameter`, `attribute`, `call`.
    pub origin: &'static str,
    /// Its possible values, in words: `an instance of shop.Cart`. Empty when none is known.
    pub values: Vec<StepValue>,
    /// Why nothing is known, or a further remark; may be empty.
    pub note: String,
    /// The first few places where the values come from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<StepPlace>,
    /// How many places more there are.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_places: usize,
}

/// Where something was assigned, passed, put in or returned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct StepPlace {
    /// `assigned`, `passed`, `put in`, `returned`.
    pub how: &'static str,
    pub path: String,
    pub line: u32,
    /// The assigned or passed expression, shortened.
    pub expression: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// One of the things that a part of an expression can be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct StepValue {
    pub value: String,
    /// How it was found, in words.
    pub basis: &'static str,
}

/// An inferred answer that one file contributes: the values of `key`, from `level` on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Answer {
    /// Hash of the question (see `resolve::keys`).
    pub key: u64,
    /// Inference round from which this contribution holds (1-based), until a later one of the same key and file.
    pub level: u8,
    /// The values of the answer: entries as in `resolve::values`, sorted.
    pub values: Vec<u64>,
}

/// Everything that resolving one file yields. Each list is sorted and free of duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolution {
    pub relationships: Vec<Relationship>,
    pub unresolved: Vec<Unresolved>,
    /// All questions asked about other files, misses included, by [`question`].
    pub questions: Vec<u32>,
    pub answers: Vec<Answer>,
}

/// The number by which a question is remembered: half of its key. Two that share it cost a needless resolution at most.
#[expect(clippy::cast_possible_truncation, reason = "half of a hash")]
pub fn question(key: u64) -> u32 {
    key as u32
}
