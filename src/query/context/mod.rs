//! Collects the code that a reader of one place needs.
//!
//! First come the definitions that the place calls or names, the nearest to the cursor first. Then come the classes of
//! receivers and the bases, other callers of the same definitions, and hits of a search for the lines above the cursor.
//! Code around the cursor itself is left out. The writer of the answer decides how many pieces fit.

pub mod cursor;

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{
    model::{EntityId, EntityKind, Relationship, RelationshipKind},
    query::{
        context::cursor::{Cursor, Receivers},
        map::headline,
        search::{SearchOptions, Searcher},
        source::Sources,
        target::bases,
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
}

/// A piece of other code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ContextPiece {
    pub name: String,
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
    /// Found by a search for the lines at the cursor.
    Similar,
}

impl Reason {
    /// For people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Defined => "used here",
            Self::Receiver => "class of a name used here",
            Self::Usage => "uses the same",
            Self::Similar => "similar",
        }
    }
}

/// Lines on each side of the cursor that the reader sees anyway.
const SEEN: u32 = 30;
/// Lines on each side of the cursor whose names count outside of functions.
const REACH: u32 = 15;
/// Most definitions, receivers, usages and similar pieces of one answer.
const DEFINED: usize = 24;
const RECEIVERS: usize = 3;
/// Most attributes, and most methods, listed for one class.
const MEMBERS: usize = 24;
const USAGES: usize = 4;
const SIMILAR: usize = 5;
/// Lines before the cursor that form the query of the search.
const SEARCHED: u32 = 5;
/// Lines shown after the call in a usage.
const USAGE_LINES: u32 = 2;

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
    // In an empty line below a definition, its indentation decides whether the definition continues.
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
    let around: Vec<&Entity> = entities.iter().filter(holds).collect();
    let callable = around.iter().find(|entity| entity.record.kind.is_callable());
    let innermost = around.iter().rev().find(|entity| entity.record.kind != EntityKind::Module);
    let (first, last) = match callable {
        Some(callable) => (callable.record.start_line, callable.record.end_line),
        None => (cursor.line.saturating_sub(REACH), cursor.line + REACH),
    };
    let named = named(store, &store.outgoing_between(file, first, last)?, cursor)?;
    let seen = Seen {
        path: cursor.path.clone(),
        first: cursor.line.saturating_sub(SEEN).min(first),
        last: (cursor.line + SEEN).max(last),
    };
    let mut pieces = Pieces { sources, seen, known: BTreeSet::new(), list: Vec::new() };
    for class in receivers.at_cursor.iter().take(RECEIVERS) {
        pieces.add_class(store, *class)?;
    }
    if let (None, Some(class)) = (callable, innermost) {
        // Someone who writes a new member needs the members of the bases that it may override.
        for base in bases(store, class.id)?.into_iter().take(RECEIVERS) {
            pieces.add_class(store, base)?;
        }
    }
    for entity in &named {
        pieces.add(entity, Reason::Defined, &[]);
        if pieces.list.len() == DEFINED {
            break;
        }
    }
    let owners = named.iter().filter(|entity| entity.record.kind.is_callable()).map(|entity| entity.parent);
    let mut classes: Vec<EntityId> = Vec::new();
    for class in owners.chain(receivers.near.iter().copied()) {
        if !classes.contains(&class) && classes.len() < RECEIVERS {
            classes.extend(is_class(store, class)?.then_some(class));
        }
    }
    for class in receivers.at_cursor.iter().chain(around.iter().map(|entity| &entity.id)) {
        classes.extend(bases(store, *class)?.into_iter().take(RECEIVERS));
    }
    for class in classes {
        pieces.add_class(store, class)?;
    }
    usages(store, sources, &named, &mut pieces)?;
    similar(store, searcher, cursor, innermost.map_or("", |entity| entity.record.name.as_str()), &mut pieces)?;
    Ok(Some(ContextReport {
        schema: "repoidx.context",
        schema_version: 1,
        path: cursor.path.clone(),
        line: cursor.line,
        inside: innermost.map(|entity| entity.full_name()),
        pieces: pieces.list,
    }))
}

/// The line of the cursor, or the nearest above that is not empty.
fn last_written(sources: &Sources, cursor: &Cursor) -> u32 {
    let is_empty = |line: &u32| sources.line(&cursor.path, *line).is_none_or(|line| line.is_empty());
    (1..=cursor.line).rev().find(|line| !is_empty(line)).unwrap_or(0)
}

fn is_class(store: &Store, id: EntityId) -> Result<bool, StoreError> {
    Ok(store.entity(id)?.is_some_and(|entity| entity.record.kind == EntityKind::Class))
}

/// The targets of these relationships, nearest to the cursor first, each once.
fn named(store: &Store, outgoing: &[Relationship], cursor: &Cursor) -> Result<Vec<Entity>, StoreError> {
    let column = cursor.column.saturating_sub(1);
    let distance = |relationship: &Relationship| {
        let lines = relationship.line.abs_diff(cursor.line);
        // Code behind the cursor counts as not yet written. A call begins before its arguments.
        let is_behind = (relationship.line, relationship.column) > (cursor.line, column);
        let is_minor = relationship.kind == RelationshipKind::Imports || relationship.kind.is_of_members();
        (is_minor, lines, is_behind, relationship.column.abs_diff(column), relationship.kind)
    };
    let mut targets = Vec::new();
    for relationship in outgoing {
        targets.extend(store.entity(relationship.target)?.map(|entity| (relationship, entity)));
    }
    // One place can have several targets: their order must not follow from ids, which tell the history of the index.
    let place = |entity: &Entity| (entity.path.clone(), entity.record.line, entity.record.column);
    targets.sort_by_cached_key(|(relationship, entity)| (distance(relationship), place(entity)));
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    for (relationship, entity) in targets {
        // A call that is just being written has a name but no arguments yet: it is still a reference.
        let is_call = match relationship.kind {
            RelationshipKind::Calls => true,
            RelationshipKind::References => relationship.line == cursor.line,
            _ => false,
        };
        if is_call
            && entity.record.kind == EntityKind::Class
            && let Some(init) = constructor(store, &entity)?
            && seen.insert(init.id)
        {
            found.push(init);
        }
        if entity.record.kind != EntityKind::Module && seen.insert(entity.id) {
            found.push(entity);
        }
    }
    Ok(found)
}

/// The `__init__` of a class or of the nearest base that has one.
fn constructor(store: &Store, class: &Entity) -> Result<Option<Entity>, StoreError> {
    let (mut queue, mut seen): (Vec<EntityId>, BTreeSet<EntityId>) = (vec![class.id], BTreeSet::new());
    while !queue.is_empty() {
        let id = queue.remove(0);
        if !seen.insert(id) {
            continue;
        }
        let children = store.children(id)?;
        if let Some(init) = children.into_iter().find(|child| child.record.name == "__init__") {
            return Ok(Some(init));
        }
        queue.extend(bases(store, id)?);
    }
    Ok(None)
}

/// Adds places where others call the definitions that are named at the cursor.
fn usages(store: &Store, sources: &Sources, named: &[Entity], pieces: &mut Pieces) -> Result<(), StoreError> {
    let mut count = 0;
    for entity in
        named.iter().filter(|entity| entity.record.kind.is_callable() || entity.record.kind == EntityKind::Class)
    {
        let mut users = Vec::new();
        for relationship in store.incoming(entity.id)? {
            if relationship.kind == RelationshipKind::Calls {
                users.extend(store.entity(relationship.source)?.map(|user| (user, relationship.line)));
            }
        }
        users.sort_by(|(a, x), (b, y)| (&a.path, x, a.record.line).cmp(&(&b.path, y, b.record.line)));
        let Some((user, line)) = users.into_iter().find(|(user, line)| !pieces.seen.covers(&user.path, *line, *line))
        else {
            continue;
        };
        let lines = sources.lines(&user.path, line, line + USAGE_LINES);
        if let Some(signature) = lines.filter(|_| pieces.known.insert((user.path.clone(), line))) {
            pieces.list.push(ContextPiece {
                name: user.full_name(),
                kind: user.record.kind,
                path: user.path.clone(),
                start_line: line,
                end_line: line + USAGE_LINES,
                reason: Reason::Usage,
                signature: signature.trim_end().to_owned(),
                doc: String::new(),
                source: None,
            });
            count += 1;
        }
        if count == USAGES {
            break;
        }
    }
    Ok(())
}

/// Adds the hits of a search for the lines at the cursor.
fn similar(
    store: &Store,
    searcher: &Searcher,
    cursor: &Cursor,
    name: &str,
    pieces: &mut Pieces,
) -> Result<(), StoreError> {
    let lines = pieces
        .sources
        .lines(&cursor.path, cursor.line.saturating_sub(SEARCHED).max(1), cursor.line)
        .unwrap_or_default();
    // In one line: code is no report with a title.
    let question = format!("{name} {}", lines.replace('\n', " "));
    let hits = searcher.search(&question, &SearchOptions { limit: 4 * SIMILAR, ..SearchOptions::default() })?;
    let most = pieces.list.len() + SIMILAR;
    for hit in hits.hits.into_iter().filter(|hit| hit.kind != EntityKind::Module) {
        if pieces.list.len() == most {
            break;
        }
        let Some(file) = store.file_id(&hit.path)? else { continue };
        let found = store.entities_of(file)?.into_iter().find(|entity| entity.full_name() == hit.name);
        if let Some(entity) = found {
            pieces.add(&entity, Reason::Similar, &[]);
        }
    }
    Ok(())
}

/// The lines that the reader sees.
struct Seen {
    path: String,
    first: u32,
    last: u32,
}

impl Seen {
    fn covers(&self, path: &str, start: u32, end: u32) -> bool {
        path == self.path && start <= self.last && end >= self.first
    }
}

/// Pieces without repetitions.
struct Pieces<'s, 'r> {
    sources: &'s Sources<'r>,
    seen: Seen,
    known: BTreeSet<(String, u32)>,
    list: Vec<ContextPiece>,
}

impl Pieces<'_, '_> {
    /// A class with its members.
    fn add_class(&mut self, store: &Store, id: EntityId) -> Result<(), StoreError> {
        if let Some(class) = store.entity(id)? {
            self.add(&class, Reason::Receiver, &store.children(id)?);
        }
        Ok(())
    }

    fn add(&mut self, entity: &Entity, reason: Reason, members: &[Entity]) {
        let record = &entity.record;
        // A reader who sees the first line sees the rest as well, or finds it nearby.
        let is_seen = |entity: &Entity| {
            let line = entity.record.start_line;
            self.seen.covers(&entity.path, line, line)
        };
        let is_hidden = |member: &&Entity| !is_seen(member);
        let is_around = self.seen.covers(&entity.path, record.start_line, record.end_line);
        if is_seen(entity) && !(reason == Reason::Receiver && members.iter().any(|member| is_hidden(&member)))
            || !self.known.insert((entity.path.clone(), record.start_line))
        {
            return;
        }
        let mut signature = match record.kind {
            EntityKind::Variable => self.sources.line(&entity.path, record.line).unwrap_or_default(),
            _ => headline(record, &entity.path, self.sources),
        };
        // Only the class itself uses its private members.
        let is_usable = |member: &&Entity| {
            let name = member.record.name.as_str();
            let is_special = name.starts_with("__") && member.record.kind.is_callable();
            is_around || !name.starts_with('_') || is_special
        };
        let members: Vec<&Entity> = members.iter().filter(is_hidden).filter(is_usable).collect();
        let attributes = members.iter().filter(|member| member.record.kind == EntityKind::Variable);
        let attributes: BTreeSet<&str> = attributes.map(|member| member.record.name.as_str()).take(MEMBERS).collect();
        if !attributes.is_empty() {
            let names = attributes.into_iter().collect::<Vec<_>>().join(", ");
            signature.push_str(&format!("\n    attributes: {names}"));
        }
        for member in members.iter().filter(|member| member.record.kind.is_callable()).take(MEMBERS) {
            let line = headline(&member.record, &member.path, self.sources);
            signature.push_str(&format!("\n    {line}"));
        }
        let source = match record.kind {
            EntityKind::Variable => None,
            EntityKind::Class if reason == Reason::Receiver => None,
            _ => self.sources.lines(&entity.path, record.start_line, record.end_line),
        };
        self.list.push(ContextPiece {
            name: entity.full_name(),
            kind: record.kind,
            path: entity.path.clone(),
            start_line: record.start_line,
            end_line: record.end_line,
            reason,
            signature,
            doc: record.doc.clone(),
            source,
        });
    }
}
