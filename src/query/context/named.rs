//! The definitions that the code at a place names.

use std::{collections::BTreeSet, ops::Range};

use crate::{
    model::{EntityKind, Relationship, RelationshipKind},
    query::{
        context::{CursorPlace, cursor::Cursor},
        target::lineage,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// The targets of these relationships, nearest to the cursor first, each once.
pub(super) fn named(store: &Store, outgoing: &[Relationship], cursor: &Cursor) -> Result<Vec<Entity>, StoreError> {
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

/// A module that the line of the cursor names.
pub(super) struct NamedModule {
    pub(super) module: Entity,
    /// The cursor stands in its name or in the member behind it.
    pub(super) is_at_cursor: bool,
}

/// The modules that the line of the cursor imports or uses, nearest to the cursor first, each once. A use of a module
/// is no relationship, so the names of the imports are looked for in the text.
pub(super) fn modules(place: &CursorPlace<'_>, outgoing: &[Relationship]) -> Result<Vec<NamedModule>, StoreError> {
    let cursor = place.cursor;
    let text = place.sources.line(&cursor.path, cursor.line).unwrap_or_default();
    let indent = place.sources.lines(&cursor.path, cursor.line, cursor.line).unwrap_or_default();
    let indent = indent.len() - indent.trim_start().len();
    let at = (cursor.column.saturating_sub(1) as usize).saturating_sub(indent);
    let mut found = Vec::new();
    for relationship in outgoing.iter().filter(|relationship| relationship.kind == RelationshipKind::Imports) {
        let Some(module) = place.store.entity(relationship.target)? else { continue };
        if module.record.kind != EntityKind::Module {
            continue;
        }
        let line = place.sources.lines(&cursor.path, relationship.line, relationship.line).unwrap_or_default();
        let Some(name) = bound_name(&line, relationship.column as usize) else { continue };
        if relationship.line == cursor.line {
            let column = (relationship.column as usize).saturating_sub(indent);
            found.push((column.abs_diff(at), NamedModule { module, is_at_cursor: true }));
            continue;
        }
        if let Some(used) = use_of(&text, name) {
            let is_at_cursor = cursor.column > 1 && used.contains(&at);
            found.push((used.start.abs_diff(at), NamedModule { module, is_at_cursor }));
        }
    }
    found.sort_by(|(a, x), (b, y)| (a, &x.module.path).cmp(&(b, &y.module.path)));
    let mut seen = BTreeSet::new();
    Ok(found.into_iter().map(|(_, named)| named).filter(|named| seen.insert(named.module.id)).collect())
}

/// The name under which a line with an import binds the module that it names at `column`: `ft` for `typing as ft`. The
/// module before `import` is bound to none.
fn bound_name(line: &str, column: usize) -> Option<&str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let before = line.get(..column)?;
    if before.trim_start().starts_with("from ") && !before.contains(" import ") {
        return None;
    }
    // `import a.b` names the module `a.b` where `b` stands.
    let start = before.trim_end_matches(is_part).len();
    let import = &line[start..];
    let (written, rest) = import.split_at(import.find(|c| !is_part(c)).unwrap_or(import.len()));
    let alias = rest.trim_start().strip_prefix("as ").map(str::trim_start);
    let name = alias.map_or(written, |alias| alias.split(|c| !is_part(c)).next().unwrap_or_default());
    // Of `import a.b`, `a` is a module too.
    let is_whole = column + line[column..].find(|c| !is_part(c) || c == '.').unwrap_or(line.len() - column)
        == start + written.len();
    is_whole.then_some(name)
}

/// Where a line first has `name.`, with the member behind it and one place more for a cursor that stands there.
fn use_of(line: &str, name: &str) -> Option<Range<usize>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_use = |start: usize| {
        let is_whole = !line[..start].ends_with(|c| is_part(c) || c == '.');
        !name.is_empty() && is_whole && line[start + name.len()..].starts_with('.')
    };
    let (start, _) = line.match_indices(name).find(|(start, _)| is_use(*start))?;
    let dot = start + name.len() + 1;
    let end = line[dot..].find(|c| !is_part(c)).map_or(line.len(), |length| dot + length);
    Some(start..end + 1)
}

/// The `__init__` of a class or of the nearest base that has one.
fn constructor(store: &Store, class: &Entity) -> Result<Option<Entity>, StoreError> {
    for id in [vec![class.id], lineage(store, class.id)?].concat() {
        let children = store.children(id)?;
        if let Some(init) = children.into_iter().find(|child| child.record.name == "__init__") {
            return Ok(Some(init));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_used_by_the_name_that_its_import_binds() {
        for (line, column, name) in [
            ("from . import typing as ft", 14, Some("ft")),
            ("import a.b", 9, Some("a.b")),
            ("import a.b", 7, None),
            ("from . import cli, json", 14, Some("cli")),
            ("    b as c,", 4, Some("c")),
            ("from shop.cart import Cart", 10, None),
        ] {
            assert_eq!(bound_name(line, column), name, "{line}");
        }
        assert_eq!(use_of("x = cli.load(1)", "cli"), Some(4..13));
        assert_eq!(use_of("x = cli.", "cli"), Some(4..9));
        for line in ["self.cli.load()", "mycli.load()", "cli = 1", "clip.x"] {
            assert_eq!(use_of(line, "cli"), None, "{line}");
        }
    }
}
