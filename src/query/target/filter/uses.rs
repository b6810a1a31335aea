//! Whether anything refers to a definition, and from how many places.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::{
    model::{EntityFlags, Relationship, RelationshipKind},
    store::{
        Store,
        error::StoreError,
        read::{Entity, entity_headers::Head},
    },
};

/// Decorators that call nothing by themselves: what they decorate is used where its name is.
const PASSIVE: [&str; 16] = [
    "abstractmethod",
    "asynccontextmanager",
    "cache",
    "cached_property",
    "classmethod",
    "contextmanager",
    "deleter",
    "final",
    "lru_cache",
    "overload",
    "override",
    "property",
    "setter",
    "staticmethod",
    "unique",
    "wraps",
];

/// Whether anything refers to a definition, or it may be reached through what it overrides.
pub(super) fn is_used(store: &Store, entity: &Entity) -> Result<bool, StoreError> {
    let flags = entity.record.flags;
    if flags.has(EntityFlags::TEST) || flags.has(EntityFlags::FIXTURE) {
        return Ok(true);
    }
    let mut decorators = last_names(&entity.record.decorators);
    decorators.retain(|name| !PASSIVE.contains(&name.as_str()));
    let mut is_used = false;
    let mut wrapping = BTreeSet::new();
    for edge in store.incoming(entity.id)?.iter().filter(|edge| is_reference(edge, entity)) {
        match wrapper(store, edge, &decorators)? {
            Some(decorator) => {
                wrapping.insert(decorator);
            }
            None => is_used = true,
        }
    }
    // Another decorator may register it.
    if is_used || decorators.iter().any(|decorator| !wrapping.contains(decorator)) {
        return Ok(true);
    }
    Ok(store.outgoing(entity.id)?.iter().any(|edge| edge.kind == RelationshipKind::Overrides))
}

/// The decorator inside of which a relationship begins: `return f(*args)` of a wrapper hands on what others call.
fn wrapper(store: &Store, edge: &Relationship, decorators: &BTreeSet<String>) -> Result<Option<String>, StoreError> {
    if decorators.is_empty() {
        return Ok(None);
    }
    let source = store.head(edge.source)?;
    let around = |source: &Head| source.qualified.split('.').find(|part| decorators.contains(*part)).map(str::to_owned);
    Ok(source.as_ref().and_then(around))
}

/// The last parts of the names of decorators, as written.
fn last_names(decorators: &[String]) -> BTreeSet<String> {
    let last = |decorator: &String| {
        let name = decorator.split('(').next().unwrap_or_default();
        name.rsplit('.').next().unwrap_or_default().to_owned()
    };
    decorators.iter().map(last).collect()
}

/// Places at which a decorator of a definition calls it: as `path:line`.
pub fn places_of_wrappers(store: &Store, entity: &Entity) -> Result<BTreeSet<(String, u32)>, StoreError> {
    let decorators = last_names(&entity.record.decorators);
    let mut places = BTreeSet::new();
    for edge in store.incoming(entity.id)? {
        if wrapper(store, &edge, &decorators)?.is_some() {
            places.extend(store.entity(edge.source)?.map(|source| (source.path, edge.line)));
        }
    }
    Ok(places)
}

/// Whether a relationship to a definition is a use by another one.
fn is_reference(edge: &Relationship, entity: &Entity) -> bool {
    edge.source != entity.id && !matches!(edge.kind, RelationshipKind::Contains | RelationshipKind::Declares)
}

/// Number of places that refer to a definition: a decorator that is called there is one place, as `raise Error()` is.
pub(super) fn references(store: &Store, entity: &Entity) -> Result<usize, StoreError> {
    let mut places = FxHashSet::default();
    for edge in store.incoming(entity.id)?.iter().filter(|edge| is_reference(edge, entity)) {
        let file = store.head(edge.source)?.map(|source| source.file);
        places.insert((file, edge.line, edge.column));
    }
    Ok(places.len())
}
