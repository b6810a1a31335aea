//! Counts the classes that derive from a class directly.

use super::drop_stubs;
use crate::{
    model::RelationshipKind,
    store::{Store, error::StoreError, read::Entity},
};

/// The number of the direct subclasses, without those that a stub file only declares.
pub(super) fn direct_heirs(store: &Store, class: &Entity) -> Result<usize, StoreError> {
    let mut heirs = Vec::new();
    for edge in store.incoming_of(class.id, RelationshipKind::Inherits)? {
        heirs.extend(store.entity(edge.source)?);
    }
    drop_stubs(&mut heirs, |heir| (&heir.path, &heir.record.qualified));
    heirs.dedup_by_key(|heir| heir.id);
    Ok(heirs.len())
}
