//! Merges hits into what contains them: several members become their class, several hits of a short file the file.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    model::{EntityId, EntityKind},
    query::search::report::{Hit, MergedHits},
    store::{Store, error::StoreError, read::Entity},
};

/// When hits become the class or file around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergeRule {
    /// At least this share of the functions of a class, in percent.
    pub members_percent: usize,
    /// At least [`LEAST`] hits in a file of fewer lines than this.
    pub file_lines: usize,
}

/// Hits that are merged.
const LEAST: usize = 2;
/// Rows for which hits are merged, even if fewer are asked for: the usual `-k`.
pub(in crate::query::search) const LEAST_MERGED: usize = 10;

/// The best of these hits, merged by the rule to `limit` rows. A class or file stands where its best hit stood. The
/// rule looks at every hit that a row stands for, so that no row is a part of what other rows could become. `None` if
/// the hits are too few and not `all` that there are.
pub(in crate::query::search) fn merged(
    store: &Store,
    hits: &[Hit],
    limit: usize,
    rule: MergeRule,
    is_all: bool,
) -> Result<Option<Vec<Hit>>, StoreError> {
    let mut entities = Vec::new();
    for hit in hits {
        entities.push(hit.id.map(|id| store.entity(id)).transpose()?.flatten());
    }
    let mut taken = hits.len().min(limit);
    loop {
        let rows = rows(store, &hits[..taken], &entities[..taken], rule)?;
        // Each further hit adds one row at most, so that this never passes the limit.
        let further = limit.saturating_sub(rows.len()).min(hits.len() - taken);
        if further == 0 {
            return Ok((rows.len() >= limit || is_all).then_some(rows));
        }
        taken += further;
    }
}

/// The rows for these hits.
fn rows(store: &Store, hits: &[Hit], entities: &[Option<Entity>], rule: MergeRule) -> Result<Vec<Hit>, StoreError> {
    let mut parents = classes(store, entities, rule)?;
    parents.extend(files(store, entities, rule)?);
    let mut kept: Vec<Hit> = Vec::new();
    let mut given: BTreeSet<EntityId> = BTreeSet::new();
    for (hit, entity) in hits.iter().zip(entities) {
        let parent = entity.clone().and_then(|entity| outermost(store, entity, &parents).transpose()).transpose()?;
        match parent {
            None => kept.push(hit.clone()),
            Some(parent) if given.insert(parent.id) => {
                let merged = parents.get(&parent.id).copied();
                kept.push(Hit { merged, explain: hit.explain.clone(), ..Hit::of(parent, hit.score) });
            }
            Some(_) => (),
        }
    }
    Ok(kept)
}

/// The outermost of the chosen parents that contains the entity, or is it.
fn outermost(
    store: &Store,
    entity: Entity,
    parents: &BTreeMap<EntityId, MergedHits>,
) -> Result<Option<Entity>, StoreError> {
    let (mut found, mut next) = (None, Some(entity));
    while let Some(entity) = next {
        next = if entity.parent == entity.id { None } else { store.entity(entity.parent)? };
        if parents.contains_key(&entity.id) {
            found = Some(entity);
        }
    }
    Ok(found)
}

/// The classes of which enough members are hits.
fn classes(
    store: &Store,
    shown: &[Option<Entity>],
    rule: MergeRule,
) -> Result<BTreeMap<EntityId, MergedHits>, StoreError> {
    let mut members: BTreeMap<EntityId, usize> = BTreeMap::new();
    for entity in shown.iter().flatten().filter(|entity| entity.record.kind.is_callable()) {
        *members.entry(entity.parent).or_default() += 1;
    }
    let mut chosen = BTreeMap::new();
    for (parent, hits) in members {
        let is_class = store.entity(parent)?.is_some_and(|parent| parent.record.kind == EntityKind::Class);
        if hits < LEAST || !is_class {
            continue;
        }
        let all = store.children(parent)?.iter().filter(|child| child.record.kind.is_callable()).count();
        if hits * 100 >= all * rule.members_percent {
            chosen.insert(parent, MergedHits { hits, of: Some(all) });
        }
    }
    Ok(chosen)
}

/// The short files that have enough hits.
fn files(
    store: &Store,
    shown: &[Option<Entity>],
    rule: MergeRule,
) -> Result<BTreeMap<EntityId, MergedHits>, StoreError> {
    let mut hits: BTreeMap<_, usize> = BTreeMap::new();
    for entity in shown.iter().flatten() {
        *hits.entry(entity.file).or_default() += 1;
    }
    let mut chosen = BTreeMap::new();
    for (file, hits) in hits.into_iter().filter(|(_, hits)| *hits >= LEAST) {
        let module = store.entities_of(file)?.into_iter().next();
        if let Some(module) = module.filter(|module| (module.record.end_line as usize) < rule.file_lines) {
            chosen.insert(module.id, MergedHits { hits, of: None });
        }
    }
    Ok(chosen)
}
