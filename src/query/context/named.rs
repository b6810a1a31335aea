//! The definitions that the code at a place names.

use std::collections::BTreeSet;

use crate::{
    model::{EntityKind, Relationship, RelationshipKind},
    query::{context::cursor::Cursor, target::lineage},
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
