//! Resolutions as the lists that are stored.
//!
//! Each list is in the order of its primary key. Bytes that cannot be decoded count as damage.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::facts::columns::{Coder, Reader, Writer};
use crate::facts::packed;
use crate::model::{Answer, Basis, EntityId, Relationship, RelationshipKind, Resolution, Unresolved};
use crate::store::error::StoreError;
use crate::store::write::entries;

/// A resolution as the lists that `resolutions` holds.
#[derive(Debug, Default)]
pub(crate) struct EncodedLists {
    pub(crate) relationships: Vec<u8>,
    pub(crate) unresolved: Vec<u8>,
    pub(crate) questions: Vec<u8>,
    pub(crate) answers: Vec<u8>,
}

/// The lists as `resolutions` holds them.
pub(crate) fn encode(resolution: &Resolution) -> Result<EncodedLists, StoreError> {
    Ok(EncodedLists {
        relationships: pack(&resolution.relationships)?,
        unresolved: pack(&resolution.unresolved)?,
        questions: pack(&resolution.questions)?,
        answers: pack(&resolution.answers)?,
    })
}

/// An element of the lists in `resolutions`.
pub(crate) trait ListItem: Sized {
    fn write(list: &[Self]) -> Result<Vec<u8>, StoreError>;
    /// `None` for bytes that [`ListItem::write`] cannot have given.
    fn read(bytes: &[u8]) -> Option<Vec<Self>>;
}

impl ListItem for Relationship {
    fn write(list: &[Self]) -> Result<Vec<u8>, StoreError> {
        let mut writer = Writer::new(RELATIONSHIP_COLUMNS);
        relationships(&mut writer, &mut list.to_vec());
        Ok(writer.finish())
    }

    fn read(bytes: &[u8]) -> Option<Vec<Self>> {
        let (mut reader, mut list) = (Reader::new(RELATIONSHIP_COLUMNS, bytes)?, Vec::new());
        relationships(&mut reader, &mut list);
        reader.is_whole().then_some(list)
    }
}

const RELATIONSHIP_COLUMNS: usize = 6;

/// The rows are sorted by target: then target and source change little from row to row, which compresses well.
fn relationships(coder: &mut impl Coder, list: &mut Vec<Relationship>) {
    let nobody = EntityId(0);
    let (kind, basis) = (RelationshipKind::Calls, Basis::Scope);
    let blank = Relationship { target: nobody, kind, source: nobody, line: 0, column: 0, basis };
    let length = coder.length(0, list.len());
    list.resize(length, blank);
    let mut last = blank;
    for row in list {
        coder.near(0, last.target.0, &mut row.target.0);
        coder.word(1, &RelationshipKind::ALL, &mut row.kind);
        coder.near(2, last.source.0, &mut row.source.0);
        coder.near(3, last.line, &mut row.line);
        coder.plain(4, &mut row.column);
        coder.word(5, &Basis::ALL, &mut row.basis);
        last = *row;
    }
}

impl ListItem for u32 {
    fn write(list: &[Self]) -> Result<Vec<u8>, StoreError> {
        let mut writer = Writer::new(1);
        numbers(&mut writer, &mut list.to_vec());
        Ok(writer.finish())
    }

    fn read(bytes: &[u8]) -> Option<Vec<Self>> {
        let (mut reader, mut list) = (Reader::new(1, bytes)?, Vec::new());
        numbers(&mut reader, &mut list);
        reader.is_whole().then_some(list)
    }
}

/// Sorted numbers, by their distances.
fn numbers(coder: &mut impl Coder, list: &mut Vec<u32>) {
    let length = coder.length(0, list.len());
    list.resize(length, 0);
    let mut last = 0;
    for number in list {
        let mut distance = number.wrapping_sub(last);
        coder.plain(0, &mut distance);
        last = last.wrapping_add(distance);
        *number = last;
    }
}

impl ListItem for Answer {
    fn write(list: &[Self]) -> Result<Vec<u8>, StoreError> {
        let (mut bytes, mut last) = (Vec::new(), 0);
        for answer in list {
            let values = entries::write(&answer.values, Vec::new())?;
            for number in [answer.key.wrapping_sub(last), u64::from(answer.level), values.len() as u64] {
                bytes = entries::put(number, bytes)?;
            }
            bytes.extend(values);
            last = answer.key;
        }
        Ok(bytes)
    }

    fn read(mut bytes: &[u8]) -> Option<Vec<Self>> {
        let (mut list, mut last) = (Vec::new(), 0_u64);
        while !bytes.is_empty() {
            last = last.wrapping_add(entries::take(&mut bytes)?);
            let level = u8::try_from(entries::take(&mut bytes)?).ok()?;
            let length = usize::try_from(entries::take(&mut bytes)?).ok()?;
            let (values, rest) = bytes.split_at_checked(length)?;
            list.push(Answer { key: last, level, values: entries::read(values)? });
            bytes = rest;
        }
        Some(list)
    }
}

impl ListItem for Unresolved {
    fn write(list: &[Self]) -> Result<Vec<u8>, StoreError> {
        Ok(postcard::to_stdvec(list)?)
    }

    fn read(bytes: &[u8]) -> Option<Vec<Self>> {
        postcard::from_bytes(bytes).ok()
    }
}

fn pack<T: ListItem>(list: &[T]) -> Result<Vec<u8>, StoreError> {
    Ok(packed::pack(&T::write(list)?))
}

/// A list as it was encoded.
pub(crate) fn unpack<T: ListItem>(list: &[u8]) -> Result<Vec<T>, StoreError> {
    unpacked(list, T::read)
}

/// The targets of an encoded list of relationships, sorted, each once: one column of six.
pub(crate) fn targets(list: &[u8]) -> Result<Vec<EntityId>, StoreError> {
    unpacked(list, |bytes| {
        let mut reader = Reader::new(RELATIONSHIP_COLUMNS, bytes)?;
        let (mut targets, mut last) = (Vec::new(), EntityId(0));
        for _ in 0..reader.length(0, 0) {
            let before = last;
            reader.near(0, before.0, &mut last.0);
            if last != before {
                targets.push(last);
            }
        }
        reader.is_sound().then_some(targets)
    })
}

fn unpacked<T>(list: &[u8], read: impl FnOnce(&[u8]) -> Option<T>) -> Result<T, StoreError> {
    let found = packed::unpack(list).and_then(|list| read(&list));
    found.ok_or_else(|| StoreError::damaged("a list that cannot be unpacked"))
}

/// The names that could not be resolved, each once.
pub(crate) fn names(unresolved: &[Unresolved]) -> BTreeSet<&str> {
    unresolved.iter().map(|unresolved| unresolved.name.as_str()).collect()
}

/// The resolution with each list sorted and one row per primary key. Of two relationships that differ in their basis
/// alone, the better one stays.
pub(crate) fn ordered(resolution: &Resolution) -> Cow<'_, Resolution> {
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
pub(crate) fn relationship_key(relationship: &Relationship) -> impl Ord + use<> {
    let Relationship { target, kind, source, line, column, .. } = *relationship;
    (target, kind, source, line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_that_are_not_all_there_are_damage() {
        let mut writer = Writer::new(RELATIONSHIP_COLUMNS);
        writer.length(0, 2);
        writer.near(0, 0, &mut 7);
        let cut = packed::pack(&writer.finish());
        assert!(matches!(targets(&cut), Err(StoreError::Damaged(_))));
    }
}
