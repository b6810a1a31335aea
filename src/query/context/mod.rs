//! Collects the code that a reader of one place needs.
//!
//! The role of the line decides. In code, the definitions that the place names come first, the nearest to the cursor
//! first. Then come the classes around them, an example of their use, and the definitions that new code will probably
//! use (`vicinity`). An import line, a docstring, the head of a class and a decorator each need something else
//! (`roles`). Code around the cursor itself is left out. The writer of the answer decides how many pieces fit.

mod code;
pub mod cursor;
mod line;
mod named;
mod pieces;
mod roles;
mod vicinity;

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{
    model::{EntityId, EntityKind, FileId},
    query::{
        context::{
            cursor::{Cursor, Receivers},
            line::LineRole,
            pieces::{Pieces, Seen},
        },
        search::Searcher,
        source::{Sources, alike::DifferentTexts},
        target::lineage,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// The answer.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct ContextReport {
    pub schema: &'static str,
    pub schema_version: u32,
    pub path: String,
    pub line: u32,
    /// The innermost definition around the place.
    pub inside: Option<String>,
    /// The most needed first.
    pub pieces: Vec<ContextPiece>,
    /// Further pieces with nearly the same text as one of these, which are left out.
    #[serde(skip_serializing_if = "is_none")]
    pub copies: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_none(number: &usize) -> bool {
    *number == 0
}

/// A piece of other code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ContextPiece {
    pub name: String,
    /// The name below the module; empty for a module.
    #[serde(skip)]
    pub qualified: String,
    pub kind: EntityKind,
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
    /// Why it is here.
    pub reason: Reason,
    /// The first line; for a class also the first lines of its members.
    pub signature: String,
    /// First paragraph of the docstring.
    pub doc: String,
    /// The whole source; `None` where the signature is enough.
    pub source: Option<String>,
}

/// Why a piece is part of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Named at the cursor.
    Defined,
    /// The class that a method named at the cursor belongs to.
    Receiver,
    /// Calls something that is named at the cursor.
    Usage,
    /// Of the module that an import names, or a name that the file lacks.
    Importable,
    /// The same member of a base.
    Overridden,
    /// Used or defined elsewhere in the file.
    Nearby,
    /// Found by a search for the lines at the cursor.
    Similar,
}

impl ContextReport {
    /// Leaves out the pieces that share so many percent of their lines with one before.
    pub fn without_copies(&mut self, percent: usize) {
        let mut different = DifferentTexts::new(percent);
        let all = self.pieces.len();
        self.pieces.retain(|piece| different.keep(piece.source.as_ref().unwrap_or(&piece.signature)));
        self.copies += all - self.pieces.len();
    }
}

impl Reason {
    /// For people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Defined => "used here",
            Self::Receiver => "class used here",
            Self::Usage => "uses the same",
            Self::Importable => "to import",
            Self::Overridden => "overridden here",
            Self::Nearby => "nearby",
            Self::Similar => "similar",
        }
    }
}

/// Lines on each side of the cursor that the reader sees anyway.
const SEEN: u32 = 30;
/// Lines on each side of the cursor whose names count outside of functions.
const REACH: u32 = 15;
/// Most classes of names, and most bases, of one answer.
const CLASSES: usize = 3;
/// Most examples of a use.
const USAGES: usize = 4;

/// A place in the code.
struct CursorPlace<'p> {
    store: &'p Store,
    sources: &'p Sources<'p>,
    file: FileId,
    cursor: &'p Cursor,
    /// All definitions of its file.
    entities: &'p [Entity],
    /// Those around it, the outermost first; variables are none.
    around: Vec<&'p Entity>,
    /// The lines of the outermost function around it, or those near it.
    lines: (u32, u32),
}

impl CursorPlace<'_> {
    fn callable(&self) -> Option<&Entity> {
        self.around.iter().copied().find(|entity| entity.record.kind.is_callable())
    }

    fn innermost(&self) -> Option<&Entity> {
        self.around.iter().copied().rev().find(|entity| entity.record.kind != EntityKind::Module)
    }
}

/// Collects the context; `None` when the file is not in the index.
pub fn context(
    store: &Store,
    sources: &Sources,
    searcher: &Searcher,
    cursor: &Cursor,
    receivers: &Receivers,
) -> Result<Option<ContextReport>, StoreError> {
    let Some(file) = store.file_id(&cursor.path)? else { return Ok(None) };
    let text = sources.text(&cursor.path).unwrap_or_default();
    // A cursor may stand in the line after the last one.
    let end = u32::try_from(text.lines().count() + 1).unwrap_or(u32::MAX);
    let cursor = &Cursor { line: cursor.line.min(end), ..cursor.clone() };
    let entities = store.entities_of(file)?;
    let around = around(&entities, sources, cursor);
    let mut place = CursorPlace { store, sources, file, cursor, entities: &entities, around, lines: (0, 0) };
    place.lines = match place.callable() {
        Some(callable) => (callable.record.start_line, callable.record.end_line),
        None => (cursor.line.saturating_sub(REACH), cursor.line + REACH),
    };
    let seen = Seen {
        path: cursor.path.clone(),
        first: cursor.line.saturating_sub(SEEN).min(place.lines.0),
        last: (cursor.line + SEEN).max(place.lines.1),
    };
    let mut pieces = Pieces { store, sources, seen, known: BTreeSet::new(), list: Vec::new(), own: BTreeSet::new() };
    for class in &place.around {
        pieces.own.extend(lineage(store, class.id)?);
    }
    match LineRole::at(sources, cursor, place.innermost().map_or(1, |entity| entity.record.start_line)) {
        LineRole::Code => (),
        LineRole::Import(module) => roles::import(&place, &module, &mut pieces)?,
        LineRole::Docstring => roles::docstring(&place, &mut pieces)?,
        LineRole::ClassHead => roles::class_head(&place, &mut pieces)?,
        LineRole::Decorator => roles::decorator(&place, &mut pieces)?,
    }
    // A line of which nothing is known yet may become any code.
    if pieces.list.is_empty() {
        code::code(&place, searcher, receivers, &mut pieces)?;
    }
    Ok(Some(ContextReport {
        schema: "repoidx.context",
        schema_version: 1,
        path: cursor.path.clone(),
        line: cursor.line,
        inside: place.innermost().map(Entity::full_name),
        pieces: pieces.list,
        copies: 0,
    }))
}

/// The definitions around a cursor, the outermost first. In an empty line below a definition, its indentation decides
/// whether the definition continues.
fn around<'e>(entities: &'e [Entity], sources: &Sources, cursor: &Cursor) -> Vec<&'e Entity> {
    let above = last_written(sources, cursor);
    let holds = |entity: &&Entity| {
        let record = &entity.record;
        let goes_on = || {
            let head = sources.lines(&cursor.path, record.start_line, record.start_line).unwrap_or_default();
            let indent = head.len() - head.trim_start().len();
            record.kind == EntityKind::Module || indent + 1 < cursor.column as usize
        };
        record.kind != EntityKind::Variable
            && record.start_line <= cursor.line
            && (cursor.line <= record.end_line || above <= record.end_line && goes_on())
    };
    entities.iter().filter(holds).collect()
}

/// The line of the cursor, or the nearest above that is not empty.
fn last_written(sources: &Sources, cursor: &Cursor) -> u32 {
    let is_empty = |line: &u32| sources.line(&cursor.path, *line).is_none_or(|line| line.is_empty());
    (1..=cursor.line).rev().find(|line| !is_empty(line)).unwrap_or(0)
}

/// Path and position: an order that, unlike ids, does not tell the history of the index.
fn position(entity: &Entity) -> (String, u32, u32) {
    (entity.path.clone(), entity.record.line, entity.record.column)
}

fn is_class(store: &Store, id: EntityId) -> Result<bool, StoreError> {
    Ok(store.entity(id)?.is_some_and(|entity| entity.record.kind == EntityKind::Class))
}
