//! The pieces of a context: what is seen at the cursor is left out, and nothing comes twice.

use std::collections::BTreeSet;

use crate::{
    model::{EntityId, EntityKind, RelationshipKind},
    query::{
        context::{ContextPiece, Reason, position},
        map::headline,
        source::Sources,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Methods of one class that are listed with their signatures.
const MEMBERS: usize = 24;
/// Most names of further methods, and of attributes.
const NAMES: usize = 24;
/// Most definitions of a module that its outline lists, and most characters of the docstring of each.
const OUTLINED: usize = 60;
const SENTENCE: usize = 80;

/// How much of the members of a class is listed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MemberForm {
    Signature,
    Name,
}

/// The lines that the reader sees.
pub(super) struct Seen {
    pub(super) path: String,
    pub(super) first: u32,
    pub(super) last: u32,
}

impl Seen {
    pub(super) fn covers(&self, path: &str, start: u32, end: u32) -> bool {
        path == self.path && start <= self.last && end >= self.first
    }
}

/// Pieces without repetitions.
pub(super) struct Pieces<'s, 'r> {
    pub(super) store: &'s Store,
    pub(super) sources: &'s Sources<'r>,
    pub(super) seen: Seen,
    /// Path and line of each piece.
    pub(super) known: BTreeSet<(String, u32)>,
    pub(super) list: Vec<ContextPiece>,
    /// The bases of the classes around the place.
    pub(super) own: BTreeSet<EntityId>,
}

impl Pieces<'_, '_> {
    /// A class with its members.
    pub(super) fn add_class(&mut self, id: EntityId) -> Result<(), StoreError> {
        if let Some(class) = self.store.entity(id)? {
            self.add_with(&class, Reason::Receiver, &self.store.children(id)?, MemberForm::Signature);
        }
        Ok(())
    }

    /// A definition that new code may use, unless the reader sees it or has it already; a class with the names of its
    /// members, those that are `used` first.
    pub(super) fn add_probable(
        &mut self,
        entity: &Entity,
        reason: Reason,
        used: &BTreeSet<EntityId>,
    ) -> Result<(), StoreError> {
        let is_class = entity.record.kind == EntityKind::Class;
        let mut members = if is_class { self.store.children(entity.id)? } else { Vec::new() };
        members.sort_by_key(|member| !used.contains(&member.id));
        self.add_with(entity, reason, &members, MemberForm::Name);
        Ok(())
    }

    /// A module with what it offers: its public definitions with the first lines of their docstrings, or those that a
    /// package hands on. The ones that are `used` come first.
    pub(super) fn add_module(
        &mut self,
        module: &Entity,
        reason: Reason,
        used: &BTreeSet<EntityId>,
    ) -> Result<(), StoreError> {
        if module.path == self.seen.path || !self.known.insert((module.path.clone(), module.record.start_line)) {
            return Ok(());
        }
        let mut offered = self.store.children(module.id)?;
        if module.path.ends_with("__init__.py") {
            let mut handed_on = Vec::new();
            for relationship in self.store.outgoing_between(module.file, 1, u32::MAX)? {
                if relationship.kind == RelationshipKind::Imports && relationship.source == module.id {
                    handed_on.extend(self.store.entity(relationship.target)?);
                }
            }
            handed_on.sort_by_key(position);
            handed_on.dedup_by_key(|entity| entity.id);
            offered.extend(handed_on);
        }
        offered.retain(|entity| used.contains(&entity.id) || !entity.record.name.starts_with('_'));
        offered.sort_by_key(|entity| !used.contains(&entity.id));
        let (names, defined): (Vec<&Entity>, Vec<&Entity>) =
            offered.iter().partition(|entity| matches!(entity.record.kind, EntityKind::Variable | EntityKind::Module));
        let mut signature = format!("module {}", module.module);
        for entity in defined.iter().take(OUTLINED) {
            let doc = first_sentence(&entity.record.doc);
            let doc = if doc.is_empty() { String::new() } else { format!("  # {doc}") };
            signature.push_str(&format!("\n    {}{doc}", headline(&entity.record, &entity.path, self.sources)));
        }
        let rest = defined.iter().skip(OUTLINED).chain(&names);
        signature.push_str(&listed("further names", rest.map(|entity| entity.record.name.as_str())));
        self.list.push(ContextPiece {
            name: module.full_name(),
            qualified: String::new(),
            kind: EntityKind::Module,
            path: module.path.clone(),
            start_line: module.record.start_line,
            end_line: module.record.end_line,
            reason,
            signature,
            doc: module.record.doc.clone(),
            source: None,
        });
        Ok(())
    }

    /// A definition, unless the reader sees it or has it already.
    pub(super) fn add(&mut self, entity: &Entity, reason: Reason) {
        // A module is more than its name: `add_module` has its outline.
        if entity.record.kind == EntityKind::Module {
            return;
        }
        self.add_with(entity, reason, &[], MemberForm::Name);
    }

    fn add_with(&mut self, entity: &Entity, reason: Reason, members: &[Entity], form: MemberForm) {
        let record = &entity.record;
        // A reader who sees the first line sees the rest as well, or finds it nearby.
        let is_seen = |entity: &Entity| {
            let line = entity.record.start_line;
            self.seen.covers(&entity.path, line, line)
        };
        let is_hidden = |member: &&Entity| !is_seen(member);
        let shows_members = reason == Reason::Receiver && members.iter().any(|member| is_hidden(&member));
        if is_seen(entity) && !shows_members || !self.known.insert((entity.path.clone(), record.start_line)) {
            return;
        }
        let mut signature = match record.kind {
            EntityKind::Variable => self.sources.shown_line(&entity.path, record.line).unwrap_or_default(),
            _ => headline(record, &entity.path, self.sources),
        };
        // Only the class itself and those derived from it use its private members.
        let is_own =
            self.seen.covers(&entity.path, record.start_line, record.end_line) || self.own.contains(&entity.id);
        let is_usable = |member: &&Entity| {
            let name = member.record.name.as_str();
            let is_special = name.starts_with("__") && member.record.kind.is_callable();
            is_own || !name.starts_with('_') || is_special && form == MemberForm::Signature
        };
        let members: Vec<&Entity> = members.iter().filter(is_hidden).filter(is_usable).collect();
        let (callables, others): (Vec<&Entity>, Vec<&Entity>) =
            members.into_iter().partition(|member| member.record.kind.is_callable());
        let attributes = others.iter().filter(|member| member.record.kind == EntityKind::Variable);
        signature.push_str(&listed("attributes", attributes.map(|member| member.record.name.as_str())));
        let with_signature = if form == MemberForm::Signature { callables.len().min(MEMBERS) } else { 0 };
        for member in &callables[..with_signature] {
            let line = headline(&member.record, &member.path, self.sources);
            signature.push_str(&format!("\n    {line}"));
        }
        let rest = callables[with_signature..].iter();
        signature.push_str(&listed("methods", rest.map(|member| member.record.name.as_str())));
        let source = match record.kind {
            // Its members are what is needed of it.
            _ if reason == Reason::Receiver => None,
            _ => self.sources.shown_lines(&entity.path, record.start_line, record.end_line),
        };
        self.list.push(ContextPiece {
            name: entity.full_name(),
            qualified: record.qualified.clone(),
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

/// A line of the first names, each once; empty without any.
fn listed<'n>(title: &str, names: impl Iterator<Item = &'n str>) -> String {
    let mut known = BTreeSet::new();
    let names: Vec<&str> = names.filter(|name| known.insert(*name)).take(NAMES).collect();
    if names.is_empty() { String::new() } else { format!("\n    {title}: {}", names.join(", ")) }
}

/// The first sentence of a docstring, or as much of it as an outline has room for.
fn first_sentence(doc: &str) -> String {
    let line = doc.lines().next().unwrap_or_default();
    let sentence = line.find(". ").map_or(line, |end| &line[..=end]);
    match sentence.char_indices().nth(SENTENCE) {
        Some((end, _)) => format!("{}…", sentence[..end].trim_end()),
        None => sentence.to_owned(),
    }
}
