//! Resolutions as the lists that are stored.
//!
//! Goes in: a resolution. Comes out: the same with every list in the order of its primary key, and as bytes; and back.
//! Bytes that cannot be read are damage. Knows no table.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::{Serialize, de::DeserializeOwned};

use crate::facts::packed;
use crate::model::{Relationship, Resolution, Unresolved};
use crate::store::error::StoreError;

/// A resolution as the lists that `resolutions` holds.
pub(super) struct Encoded {
    pub(super) relationships: Vec<u8>,
    pub(super) unresolved: Vec<u8>,
    pub(super) questions: Vec<u8>,
    pub(super) answers: Vec<u8>,
}

/// The lists as `resolutions` holds them.
pub(super) fn encode(resolution: &Resolution) -> Result<Encoded, StoreError> {
    Ok(Encoded {
        relationships: pack(&resolution.relationships)?,
        unresolved: pack(&resolution.unresolved)?,
        questions: pack(&resolution.questions)?,
        answers: pack(&resolution.answers)?,
    })
}

fn pack<T: Serialize>(list: &[T]) -> Result<Vec<u8>, StoreError> {
    Ok(packed::pack(&postcard::to_stdvec(list)?))
}

/// A list as it was encoded.
pub(super) fn unpack<T: DeserializeOwned>(list: &[u8]) -> Result<T, StoreError> {
    let list = packed::unpack(list).ok_or_else(|| StoreError::damaged("a list that cannot be unpacked"))?;
    Ok(postcard::from_bytes(&list)?)
}

/// The values of an answer as they were encoded: too few to be worth packing.
pub(super) fn decode<T: DeserializeOwned>(values: &[u8]) -> Result<T, StoreError> {
    Ok(postcard::from_bytes(values)?)
}

/// The names that could not be resolved, each once.
pub(super) fn names(unresolved: &[Unresolved]) -> BTreeSet<&str> {
    unresolved.iter().map(|unresolved| unresolved.name.as_str()).collect()
}

/// The resolution with each list sorted and with one row for each primary key: of two relationships that differ in their
/// basis alone, the better one.
pub(super) fn ordered(resolution: &Resolution) -> Cow<'_, Resolution> {
    let is_ordered = resolution.relationships.is_sorted_by(|a, b| relationship_key(a) < relationship_key(b))
        && resolution.unresolved.is_sorted_by(|a, b| a < b)
        && resolution.questions.is_sorted_by(|a, b| a < b)
        && resolution.answers.is_sorted_by(|a, b| (a.key, a.level) < (b.key, b.level));
    if is_ordered {
        return Cow::Borrowed(resolution);
    }
    let mut resolution = resolution.clone();
    resolution.relationships.sort_unstable();
    resolution.relationships.dedup_by_key(|relationship| relationship_key(relationship));
    resolution.unresolved.sort_unstable();
    resolution.unresolved.dedup();
    resolution.questions.sort_unstable();
    resolution.questions.dedup();
    resolution.answers.sort_unstable();
    resolution.answers.dedup_by_key(|answer| (answer.key, answer.level));
    Cow::Owned(resolution)
}

/// The primary key of a relationship.
pub(super) fn relationship_key(relationship: &Relationship) -> impl Ord + use<> {
    let Relationship { target, kind, source, line, column, .. } = *relationship;
    (target, kind, source, line, column)
}
