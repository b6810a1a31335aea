//! The definitions that new code at a place will probably use.
//!
//! Code uses what the code around it uses, what its own file defines, and what code in the same words uses. Each of the
//! three gives points, and the definitions follow by their sum. Members give their points to their class, which lists
//! them by name: that costs less room than a piece for each.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    model::{EntityId, EntityKind, conventions::pytest::is_test_path},
    query::context::{CursorPlace, Reason, position},
    store::{error::StoreError, read::Entity},
};

/// A use this many lines from the cursor counts half of one at the cursor.
const HALF: f64 = 60.0;
/// Points of a use, however far away, and factor of a use in the same class.
const ANYWHERE: f64 = 0.15;
const SAME_CLASS: f64 = 1.5;
/// Points of a definition of the same module.
const SAME_MODULE: f64 = 0.5;
/// Points of the first hit of the search; the next ones have `HITS / (HITS + rank)` of them.
const SEARCHED: f64 = 1.5;
const HITS: f64 = 6.0;
/// Factor of definitions in tests, which other code does not use.
const OF_TESTS: f64 = 0.1;

/// A definition that new code may use.
pub(super) struct Probable {
    pub(super) entity: Entity,
    pub(super) reason: Reason,
}

/// The definitions by points, the most first, and all that the file uses; `hits` are those of a search for the lines
/// around, best first.
pub(super) fn vicinity(
    place: &CursorPlace<'_>,
    hits: &[Entity],
) -> Result<(Vec<Probable>, BTreeSet<EntityId>), StoreError> {
    let store = place.store;
    let mut points = uses(place)?;
    let used: BTreeSet<EntityId> = points.keys().copied().chain(hits.iter().map(|entity| entity.id)).collect();
    for entity in place.entities.iter().filter(|entity| entity.parent == place.entities[0].id) {
        *points.entry(entity.id).or_default() += SAME_MODULE;
    }
    let near: BTreeSet<EntityId> = points.keys().copied().collect();
    for (rank, entity) in (0_u32..).zip(hits) {
        *points.entry(entity.id).or_default() += SEARCHED * HITS / (HITS + f64::from(rank));
    }
    let is_test = is_test_path(&place.cursor.path);
    let mut found: BTreeMap<(String, u32, u32), (f64, Probable)> = BTreeMap::new();
    for (id, points) in points {
        let Some(entity) = store.entity(id)? else { continue };
        let reason = if near.contains(&id) { Reason::Nearby } else { Reason::Similar };
        let class = store.entity(entity.parent)?.filter(|parent| parent.record.kind == EntityKind::Class);
        let entity = class.unwrap_or(entity);
        if entity.record.kind == EntityKind::Module {
            continue;
        }
        let factor = if is_test_path(&entity.path) && !is_test { OF_TESTS } else { 1.0 };
        let (sum, probable) = found.entry(position(&entity)).or_insert_with(|| (0.0, Probable { entity, reason }));
        // The most telling member counts, and many do not count more than a function that is used.
        *sum = sum.max(points * factor);
        probable.reason = probable.reason.min(reason);
    }
    let mut found: Vec<(f64, Probable)> = found.into_values().collect();
    found.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    Ok((found.into_iter().map(|(_, probable)| probable).collect(), used))
}

/// The points of what the file uses.
fn uses(place: &CursorPlace<'_>) -> Result<BTreeMap<EntityId, f64>, StoreError> {
    let class = place.around.iter().rev().find(|entity| entity.record.kind == EntityKind::Class);
    let lines = class.map_or(0..=0, |class| class.record.start_line..=class.record.end_line);
    let mut relationships = place.store.outgoing_between(place.file, 1, u32::MAX)?;
    // A sum of floating-point numbers depends on their order.
    relationships.sort_by_key(|relationship| (relationship.line, relationship.column, relationship.kind));
    let mut points: BTreeMap<EntityId, f64> = BTreeMap::new();
    for relationship in relationships.iter().filter(|relationship| !relationship.kind.is_of_members()) {
        let distance = f64::from(relationship.line.abs_diff(place.cursor.line));
        let factor = if lines.contains(&relationship.line) { SAME_CLASS } else { 1.0 };
        *points.entry(relationship.target).or_default() +=
            factor * relationship.basis.probability() * (ANYWHERE + HALF / (HALF + distance)) / 2.0;
    }
    // The tenth use tells less than the first.
    points = points.into_iter().map(|(id, points)| (id, points.ln_1p())).collect();
    Ok(points)
}
