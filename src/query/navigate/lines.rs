//! The statement at some lines of a file: the definition around it, the definitions that it refers to, the names that
//! it binds, and whether the rest parses without it.

use std::collections::BTreeSet;

pub use crate::facts::bindings::NameBinding;
use crate::{
    facts::Bodies,
    model::{EntityKind, FileId, RelationshipKind},
    query::{
        source::{
            Sources,
            logical_lines::{LogicalLine, logical_lines},
            texts::lines_of_texts,
        },
        target::innermost,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// The content of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineContent {
    Blank,
    Comment,
    /// A docstring, or another string that is a statement.
    Text,
    /// The head of a function, method or class.
    Head,
    Code,
}

/// Why a file does not parse without some lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenBlock {
    /// The block that begins in this line loses its head.
    WithoutHead(u32),
    /// The block below the head in this line loses its only statement.
    Empty(u32),
}

/// A definition that a statement refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineReference {
    pub entity: Entity,
    pub kind: RelationshipKind,
    pub line: u32,
}

/// The statement at some lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementReport {
    pub content: LineContent,
    /// Its lines, or the asked ones where there is no statement.
    pub start: u32,
    pub end: u32,
    /// The first of the asked lines, and the first one of the statement.
    pub asked: String,
    pub text: String,
    /// The innermost definition around it; a variable is part of the definition around that.
    pub within: Entity,
    /// The variables of a module or class that it sets.
    pub variables: Vec<Entity>,
    pub references: Vec<LineReference>,
    /// The number of its occurrences that could not be resolved.
    pub unresolved: usize,
    pub bound: Vec<NameBinding>,
    pub broken_block: Option<BrokenBlock>,
}

/// The statements at the lines `first..=last` of a file; `None` where the file cannot be read or ends before.
pub fn statement_at(
    store: &Store,
    sources: &Sources,
    (file, path): (FileId, &str),
    (first, last): (u32, u32),
) -> Result<Option<StatementReport>, StoreError> {
    let entities = store.entities_of(file)?;
    let (Some(source), Some(inner)) = (sources.text(path), innermost(&entities, first)) else { return Ok(None) };
    let Some(asked) = source.lines().nth(first.saturating_sub(1) as usize) else { return Ok(None) };
    let all = logical_lines(&source);
    let is_own = |line: &LogicalLine| line.start <= last && first <= line.end;
    let own: &[LogicalLine] = match (all.iter().position(is_own), all.iter().rposition(is_own)) {
        (Some(from), Some(to)) => &all[from..=to],
        _ => &[],
    };
    let (start, end) = match own {
        [] => (first, last),
        [from, .., to] => (from.start, to.end),
        [one] => (one.start, one.end),
    };
    let is_variable = |entity: &Entity| entity.record.kind == EntityKind::Variable;
    let around = entities.iter().find(|entity| is_variable(inner) && entity.id == inner.parent).unwrap_or(inner);
    let is_definition = !matches!(around.record.kind, EntityKind::Module | EntityKind::Variable);
    // A comment between the parts of a statement is no part of it.
    let is_comment =
        first == last && asked.trim_start().starts_with('#') && !lines_of_texts(&source).contains_key(&first);
    let content = match own {
        _ if is_comment => LineContent::Comment,
        [] if asked.trim().is_empty() => LineContent::Blank,
        [] => LineContent::Comment,
        _ if own.iter().all(|line| line.is_text) => LineContent::Text,
        _ if is_definition && (start..=end).contains(&around.record.line) => LineContent::Head,
        _ => LineContent::Code,
    };
    let is_set = |entity: &&Entity| is_variable(entity) && (start..=end).contains(&entity.record.line);
    let mut references: Vec<LineReference> = Vec::new();
    let mut edges = store.outgoing_between(file, start, end)?;
    // A definition that the asked lines refer to is theirs, whatever else of the statement does.
    edges.sort_by_key(|edge| !(first..=last).contains(&edge.line));
    for one in edges {
        let is_known = |known: &LineReference| known.entity.id == one.target && known.kind == one.kind;
        // A module contains its definitions, and no statement refers to one by that.
        if one.kind == RelationshipKind::Contains || references.iter().any(is_known) {
            continue;
        }
        let entity = store.entity(one.target)?;
        references.extend(entity.map(|entity| LineReference { entity, kind: one.kind, line: one.line }));
    }
    references.sort_by_key(|one| one.line);
    let unresolved = store.unresolved_of(file)?.iter().filter(|one| (start..=end).contains(&one.line)).count();
    let shown = |line| sources.shown_line(path, line).unwrap_or_default();
    Ok(Some(StatementReport {
        content,
        start,
        end,
        asked: shown(first),
        text: shown(start),
        within: around.clone(),
        variables: entities.iter().filter(is_set).cloned().collect(),
        references,
        unresolved,
        bound: bodies_of(store, file)?.names_bound_in(start, end),
        broken_block: broken_block(&all, own),
    }))
}

/// The names and attributes that the statements of a file give values, as they are written, with their lines.
pub fn assigned_in(store: &Store, file: FileId) -> Result<BTreeSet<(u32, String)>, StoreError> {
    Ok(bodies_of(store, file)?.assigned())
}

fn bodies_of(store: &Store, file: FileId) -> Result<Bodies, StoreError> {
    let stored = store.file(file)?.map(|record| store.bodies(&record.content_hash)).transpose()?.flatten();
    Ok(stored.and_then(|bytes| Bodies::decode(&bytes)).unwrap_or_default())
}

/// Why the rest does not parse without these of the logical lines.
fn broken_block(all: &[LogicalLine], own: &[LogicalLine]) -> Option<BrokenBlock> {
    let (first, last) = (own.first()?, own.last()?);
    let below = all.iter().find(|line| line.start > last.end);
    if let Some(below) = below.filter(|below| last.opens_block && below.indent > last.indent) {
        return Some(BrokenBlock::WithoutHead(below.start));
    }
    let above = all.iter().rfind(|line| line.end < first.start)?;
    let is_alone =
        above.opens_block && above.indent < first.indent && below.is_none_or(|line| line.indent < first.indent);
    is_alone.then_some(BrokenBlock::Empty(above.start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::Basis, query::fixture::Fixture};

    const TEXT: &str = "import os\n\n# a comment\nLIMIT = 3\n\n\ndef f(\n    x,\n):\n    \"\"\"Doc.\"\"\"\n    if x:\n        return g(\n            # why\n            x\n        )\n";

    fn report(lines: (u32, u32)) -> Option<StatementReport> {
        let mut fixture = Fixture::default();
        fixture.file("a.py", "a").entity(EntityKind::Variable, "LIMIT", 4, 4);
        fixture.entity(EntityKind::Function, "f", 7, 15).entity(EntityKind::Function, "g", 20, 21);
        fixture.edge("a.f", RelationshipKind::Calls, "a.g", 12, Basis::Scope);
        let store = fixture.store();
        let sources = Sources::new(|_| Some(TEXT.as_bytes().to_vec()));
        let file = store.file_id("a.py").expect("a store in memory").expect("the file");
        statement_at(&store, &sources, (file, "a.py"), lines).expect("a store in memory")
    }

    #[test]
    fn a_line_is_read_as_the_statement_that_it_belongs_to() {
        let check = |line: u32| {
            let found = report((line, line)).expect("a line of the file");
            format!("{:?} {}-{} {} {}", found.content, found.start, found.end, found.asked, found.within.full_name())
        };
        assert_eq!(check(1), "Code 1-1 import os a");
        assert_eq!(check(2), "Blank 2-2  a");
        assert_eq!(check(3), "Comment 3-3 # a comment a");
        assert_eq!(check(4), "Code 4-4 LIMIT = 3 a");
        assert_eq!(check(8), "Head 7-9 x, a.f");
        assert_eq!(check(10), "Text 10-10 \"\"\"Doc.\"\"\" a.f");
        assert_eq!(check(13), "Comment 12-15 # why a.f");
        assert_eq!(check(14), "Code 12-15 x a.f");
        assert_eq!(report((16, 16)), None);
    }

    #[test]
    fn a_statement_has_its_references_and_the_block_that_needs_it() {
        let found = report((14, 14)).expect("a line of the file");
        assert_eq!(found.references.iter().map(|one| one.entity.full_name()).collect::<Vec<_>>(), ["a.g"]);
        assert_eq!(found.broken_block, Some(BrokenBlock::Empty(11)));
        let found = report((11, 11)).expect("a line of the file");
        assert_eq!((found.broken_block, found.references), (Some(BrokenBlock::WithoutHead(12)), Vec::new()));
        let found = report((4, 4)).expect("a line of the file");
        assert_eq!((found.broken_block, found.variables.len()), (None, 1));
    }
}
