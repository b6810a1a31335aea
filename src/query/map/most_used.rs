//! The function that most definitions depend on: the first example for a newcomer.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::{
    model::{EntityId, EntityKind},
    query::target::{TargetMatch, known},
    store::{Store, error::StoreError, read::Entity},
};

/// A function or method with many users.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MostUsed {
    /// As short as it can be and still mean this one alone.
    pub name: String,
    pub path: String,
    pub line: u32,
    /// Definitions that refer to it.
    pub users: usize,
}

/// The function or method outside of tests with the most users; users in tests count where there are no others.
///
/// # Errors
/// When the index cannot be read.
pub fn most_used(store: &Store) -> Result<Option<MostUsed>, StoreError> {
    let rows = store.outline()?;
    let tests = store.test_files()?;
    let is_example = |kind: EntityKind| matches!(kind, EntityKind::Function | EntityKind::Method);
    let examples: FxHashMap<EntityId, usize> = (0..)
        .zip(&rows)
        .filter(|(_, row)| is_example(row.kind) && !tests.contains(&row.file) && !row.name.starts_with('_'))
        .map(|(at, row)| (row.id, at))
        .collect();
    for with_tests in [false, true] {
        let mut users: FxHashMap<EntityId, BTreeSet<EntityId>> = FxHashMap::default();
        store.each_relationship(with_tests, &mut |relationship| {
            if relationship.kind.is_use() && examples.contains_key(&relationship.target) {
                users.entry(relationship.target).or_default().insert(relationship.source);
            }
        })?;
        let count = |id: EntityId| users.get(&id).map_or(0, BTreeSet::len);
        let best = rows.iter().filter(|row| count(row.id) > 0).max_by_key(|row| {
            // Of equals the first one in the order of paths.
            (count(row.id), usize::MAX - examples.get(&row.id).copied().unwrap_or(usize::MAX))
        });
        if let Some(row) = best
            && let Some(entity) = store.entity(row.id)?
        {
            let name = shortest_name(store, &entity)?;
            let (path, line) = (entity.path.clone(), entity.record.line);
            return Ok(Some(MostUsed { name, path, line, users: count(row.id) }));
        }
    }
    Ok(None)
}

/// The shortest end of the full name that means this definition alone.
fn shortest_name(store: &Store, entity: &Entity) -> Result<String, StoreError> {
    let full = entity.full_name();
    let ends = full.rmatch_indices('.').map(|(at, _)| &full[at + 1..]);
    for end in ends {
        if let Some(TargetMatch::Found(target)) = known(store, end, "")?
            && target.main().id == entity.id
        {
            return Ok(end.to_owned());
        }
    }
    Ok(full)
}
