//! A definition with its source and surroundings.
//!
//! The surroundings are its parent, its siblings, its own and inherited members, and the number of references to it.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{
    model::{EntityFlags, EntityKind, RelationshipKind},
    query::{
        source::Sources,
        target::{Target, bases, described::Described},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// The answer, as JSON too.
#[derive(Clone, Debug, Serialize)]
pub struct ShowReport {
    pub schema: &'static str,
    pub schema_version: u32,
    pub target: Described,
    pub doc: String,
    pub decorators: Vec<String>,
    /// Every definition of the name, in the order of the file.
    pub definitions: Vec<ShownDefinition>,
    pub parent: Option<DefinitionLine>,
    pub previous: Option<DefinitionLine>,
    pub next: Option<DefinitionLine>,
    /// Members that a class or module defines itself, in the order of the file.
    pub members: Vec<DefinitionLine>,
    /// Members that a class inherits, nearest base first; overridden ones are left out.
    pub inherited: Vec<Inherited>,
    /// Direct calls.
    pub callers: usize,
    /// Direct references of every kind, calls included.
    pub references: usize,
}

/// The source of one definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownDefinition {
    pub start_line: u32,
    pub end_line: u32,
    /// The text in the file now; `None` when the file cannot be read.
    pub source: Option<String>,
}

/// A definition in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DefinitionLine {
    pub name: String,
    pub full_name: String,
    pub kind: EntityKind,
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
    pub signature: String,
    pub is_async: bool,
}

/// The members that come from one base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Inherited {
    pub from: String,
    pub members: Vec<DefinitionLine>,
}

impl DefinitionLine {
    fn of(entity: &Entity) -> Self {
        let record = &entity.record;
        Self {
            name: if record.qualified.is_empty() { entity.module.clone() } else { record.name.clone() },
            full_name: entity.full_name(),
            kind: record.kind,
            path: entity.path.clone(),
            start_line: record.start_line,
            end_line: record.end_line,
            signature: tidy(&record.signature),
            is_async: record.flags.has(EntityFlags::ASYNC),
        }
    }
}

/// Describes `target` with its surroundings.
pub fn show(store: &Store, sources: &Sources, target: &Target) -> Result<ShowReport, StoreError> {
    let main = target.main();
    let definition = |entity: &Entity| {
        let (start_line, end_line) = (entity.record.start_line, entity.record.end_line);
        ShownDefinition { start_line, end_line, source: sources.lines(&entity.path, start_line, end_line) }
    };
    let is_module = main.record.kind == EntityKind::Module;
    let parent = if is_module { None } else { store.entity(main.parent)? };
    let siblings = if is_module { Vec::new() } else { in_order(store.children(main.parent)?) };
    let at = siblings.iter().position(|sibling| sibling.id == main.id);
    let is_other = |sibling: &&Entity| sibling.record.qualified != main.record.qualified;
    let previous = at.and_then(|at| siblings[..at].iter().rev().find(is_other));
    let next = at.and_then(|at| siblings[at + 1..].iter().find(is_other));
    let mut references = 0;
    let mut callers = 0;
    for entity in &target.entities {
        let incoming = store.incoming(entity.id)?;
        references += incoming.len();
        callers += incoming.iter().filter(|relationship| relationship.kind == RelationshipKind::Calls).count();
    }
    let members = in_order(store.children(main.id)?);
    let inherited = if main.record.kind == EntityKind::Class { inherited(store, main, &members)? } else { Vec::new() };
    Ok(ShowReport {
        schema: "repoidx.show",
        schema_version: 1,
        target: Described::of(target),
        doc: main.record.doc.clone(),
        decorators: main.record.decorators.clone(),
        definitions: target.entities.iter().map(definition).collect(),
        parent: parent.as_ref().map(DefinitionLine::of),
        previous: previous.map(DefinitionLine::of),
        next: next.map(DefinitionLine::of),
        members: members.iter().map(DefinitionLine::of).collect(),
        inherited,
        callers,
        references,
    })
}

/// Members that `class` inherits, breadth first.
fn inherited(store: &Store, class: &Entity, own: &[Entity]) -> Result<Vec<Inherited>, StoreError> {
    let mut names: BTreeSet<String> = own.iter().map(|member| member.record.name.clone()).collect();
    let mut queue = bases(store, class.id)?;
    let mut seen: BTreeSet<_> = queue.iter().copied().chain([class.id]).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < queue.len() {
        let base = queue[at];
        at += 1;
        let Some(entity) = store.entity(base)? else { continue };
        let members = in_order(store.children(base)?);
        let members: Vec<DefinitionLine> =
            members.iter().filter(|member| !names.contains(&member.record.name)).map(DefinitionLine::of).collect();
        names.extend(members.iter().map(|member| member.name.clone()));
        if !members.is_empty() {
            found.push(Inherited { from: entity.full_name(), members });
        }
        for next in bases(store, base)? {
            if seen.insert(next) {
                queue.push(next);
            }
        }
    }
    Ok(found)
}

/// A signature in one line, without the spaces and commas of several lines.
fn tidy(signature: &str) -> String {
    signature.replace("( ", "(").replace(", )", ")").replace(" )", ")")
}

fn in_order(mut entities: Vec<Entity>) -> Vec<Entity> {
    entities.sort_by_key(|entity| (entity.record.start_line, entity.record.line, entity.record.column));
    entities
}
