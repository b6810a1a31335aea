//! The context of a line of code.

use std::collections::BTreeSet;

use crate::{
    model::{EntityId, EntityKind, RelationshipKind},
    query::{
        context::{
            CLASSES, ContextPiece, CursorPlace, Reason, USAGES,
            cursor::Receivers,
            is_class, named,
            pieces::Pieces,
            vicinity::{self, Probable},
        },
        search::{SearchOptions, Searcher},
        target::lineage,
    },
    store::{error::StoreError, read::Entity},
};

/// Most definitions that the place names.
const NAMED: usize = 24;
/// Of these, those that come before everything else.
const NEAREST: usize = 10;
/// Most definitions that new code will probably use.
const PROBABLE: usize = 60;
/// Lines above and below the cursor that form the query of the search, and the most hits.
const ABOVE: u32 = 10;
const BELOW: u32 = 3;
const HITS: usize = 30;
/// Lines shown after the call in a usage.
const USAGE_LINES: u32 = 2;

/// Adds the pieces for a line of code.
pub(super) fn code(
    place: &CursorPlace<'_>,
    searcher: &Searcher,
    receivers: &Receivers,
    pieces: &mut Pieces<'_, '_>,
) -> Result<(), StoreError> {
    let (store, (first, last)) = (place.store, place.lines);
    let named = named::named(store, &store.outgoing_between(place.file, first, last)?, place.cursor)?;
    for class in receivers.at_cursor.iter().take(CLASSES) {
        pieces.add_class(*class)?;
    }
    if let (None, Some(class)) = (place.callable(), place.innermost()) {
        // Someone who writes a new member needs the members of the bases that it may override.
        for base in lineage(store, class.id)?.into_iter().take(CLASSES) {
            pieces.add_class(base)?;
        }
    }
    // A member of a module that is being written can be any of its definitions.
    let outgoing = store.outgoing_between(place.file, 1, u32::MAX)?;
    let used: BTreeSet<EntityId> = outgoing.iter().map(|relationship| relationship.target).collect();
    let modules = named::modules(place, &outgoing)?;
    for named in modules.iter().filter(|named| named.is_at_cursor) {
        pieces.add_module(&named.module, Reason::Defined, &used)?;
    }
    let (nearest, others) = named.split_at(named.len().min(NEAREST));
    for entity in nearest {
        pieces.add(entity, Reason::Defined);
    }
    for named in modules.iter().take(CLASSES) {
        pieces.add_module(&named.module, Reason::Defined, &used)?;
    }
    for class in classes(place, &named, receivers)? {
        pieces.add_class(class)?;
    }
    usages(place, &named, pieces)?;
    others.iter().take(NAMED - NEAREST).for_each(|entity| pieces.add(entity, Reason::Defined));
    let hits = searched(place, searcher)?;
    let (probable, used) = vicinity::vicinity(place, &hits)?;
    for Probable { entity, reason } in probable.iter().take(PROBABLE) {
        pieces.add_probable(entity, *reason, &used)?;
    }
    Ok(())
}

/// The classes of the members that are named, those of receivers, those around the place, and bases.
fn classes(place: &CursorPlace<'_>, named: &[Entity], receivers: &Receivers) -> Result<Vec<EntityId>, StoreError> {
    let around = place.around.iter().filter(|entity| entity.record.kind == EntityKind::Class).map(|entity| entity.id);
    let mut classes: Vec<EntityId> = around.collect();
    let most = classes.len() + CLASSES;
    let owners = named.iter().filter(|entity| entity.record.kind.is_callable()).map(|entity| entity.parent);
    for class in owners.chain(receivers.near.iter().copied()) {
        if !classes.contains(&class) && classes.len() < most {
            classes.extend(is_class(place.store, class)?.then_some(class));
        }
    }
    for class in receivers.at_cursor.iter().copied().chain(place.around.iter().map(|entity| entity.id)) {
        classes.extend(lineage(place.store, class)?.into_iter().take(CLASSES));
    }
    Ok(classes)
}

/// Adds places where others call the definitions that are named at the cursor.
pub(super) fn usages(place: &CursorPlace<'_>, named: &[Entity], pieces: &mut Pieces<'_, '_>) -> Result<(), StoreError> {
    let is_called = |entity: &&Entity| entity.record.kind.is_callable() || entity.record.kind == EntityKind::Class;
    let mut count = 0;
    for entity in named.iter().filter(is_called) {
        let mut users = Vec::new();
        for relationship in place.store.incoming(entity.id)? {
            if matches!(relationship.kind, RelationshipKind::Calls | RelationshipKind::Decorates) {
                users.extend(place.store.entity(relationship.source)?.map(|user| (user, relationship.line)));
            }
        }
        users.sort_by(|(a, x), (b, y)| (&a.path, x, a.record.line).cmp(&(&b.path, y, b.record.line)));
        let is_hidden = |(user, line): &(Entity, u32)| !pieces.seen.covers(&user.path, *line, *line);
        let Some((user, line)) = users.into_iter().find(is_hidden) else { continue };
        let lines = place.sources.shown_lines(&user.path, line, line + USAGE_LINES);
        if let Some(signature) = lines.filter(|_| pieces.known.insert((user.path.clone(), line))) {
            pieces.list.push(ContextPiece {
                name: user.full_name(),
                qualified: user.record.qualified.clone(),
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

/// The hits of a search for the lines at the cursor, best first.
fn searched(place: &CursorPlace<'_>, searcher: &Searcher) -> Result<Vec<Entity>, StoreError> {
    let cursor = place.cursor;
    let (first, last) = (cursor.line.saturating_sub(ABOVE).max(1), cursor.line + BELOW);
    let lines = place.sources.lines(&cursor.path, first, last).unwrap_or_default();
    let name = place.innermost().map_or("", |entity| entity.record.name.as_str());
    // In one line: code is no report with a title.
    let question = format!("{name} {}", lines.replace('\n', " "));
    let found = searcher.search(&question, &SearchOptions { limit: HITS, ..SearchOptions::default() })?;
    let mut hits = Vec::new();
    for id in found.hits.into_iter().filter_map(|hit| hit.id) {
        hits.extend(place.store.entity(id)?);
    }
    Ok(hits)
}
