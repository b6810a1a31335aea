//! The table `questions`: which files asked which question.
//!
//! A file asks hundreds of questions, so one row holds many pairs of question and file. It covers the pairs from its
//! own first one up to that of the next row, sorted and stored by their distances. That takes a third of the room of
//! one row per pair.

use std::collections::BTreeSet;

use rayon::prelude::*;
use rusqlite::OptionalExtension;

use crate::model::{FileId, question};
use crate::store::Store;
use crate::store::error::StoreError;
use crate::store::write::entries::{put, take};
use crate::store::write::update::Update;

/// A question, and a file that asked it.
pub(crate) type QuestionPair = (u32, FileId);

/// As many pairs as a full build puts into a row; more than twice as many are divided. Such a row has 500 to 800 bytes,
/// of the 4,096 of a page.
const FULL: usize = 128;

/// The rows of sorted pairs: the number of the first one, and all.
pub(crate) fn packed(pairs: &[QuestionPair]) -> Result<Vec<(i64, Vec<u8>)>, StoreError> {
    pairs.par_chunks(FULL).map(|pairs| Ok((number(pairs[0]), pack(pairs)?))).collect()
}

/// A pair as a number, in the order of pairs.
fn number((key, file): QuestionPair) -> i64 {
    ((i64::from(key) + i64::from(i32::MIN)) << 32) | i64::from(file.0)
}

fn pack(pairs: &[QuestionPair]) -> Result<Vec<u8>, StoreError> {
    let (mut bytes, mut last) = (Vec::new(), 0);
    for (key, file) in pairs {
        bytes = put(u64::from(key.wrapping_sub(last)), bytes)?;
        bytes = put(u64::from(file.0), bytes)?;
        last = *key;
    }
    Ok(bytes)
}

fn unpack(mut bytes: &[u8]) -> Result<Vec<QuestionPair>, StoreError> {
    let damaged = || StoreError::damaged("stored questions");
    let (mut pairs, mut last) = (Vec::with_capacity(FULL), 0_u32);
    while !bytes.is_empty() {
        let mut next = || take(&mut bytes).and_then(|number| u32::try_from(number).ok());
        let (distance, file) = (next().ok_or_else(damaged)?, next().ok_or_else(damaged)?);
        last = last.wrapping_add(distance);
        pairs.push((last, FileId(file)));
    }
    Ok(pairs)
}

impl Store {
    /// The files that asked any of these questions, sorted.
    pub fn askers(&self, keys: &[u64]) -> Result<Vec<FileId>, StoreError> {
        // The pairs of a question can begin in the row before the first that begins with it.
        let mut rows = self.connection.prepare_cached(
            "SELECT pairs FROM questions
             WHERE first >= coalesce((SELECT max(first) FROM questions WHERE first <= ?1), ?1) AND first <= ?2",
        )?;
        let mut files = BTreeSet::new();
        for key in keys.iter().map(|&key| question(key)) {
            let bounds = [number((key, FileId(0))), number((key, FileId(u32::MAX)))];
            for row in rows.query_map(bounds, |row| row.get::<_, Vec<u8>>(0))? {
                files.extend(unpack(&row?)?.into_iter().filter(|(other, _)| *other == key).map(|(_, file)| file));
            }
        }
        Ok(files.into_iter().collect())
    }

    /// All pairs, in the order of their rows.
    #[cfg(test)]
    pub(crate) fn questions(&self) -> Result<Vec<QuestionPair>, StoreError> {
        let mut pairs = Vec::new();
        let mut rows = self.connection.prepare("SELECT first, pairs FROM questions ORDER BY first")?;
        for row in rows.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?)))? {
            let (first, row) = row?;
            let row = unpack(&row)?;
            if row.first().map(|pair| number(*pair)) != Some(first) {
                return Err(StoreError::damaged("questions under another one's number"));
            }
            pairs.extend(row);
        }
        Ok(pairs)
    }
}

impl Update<'_> {
    /// Takes away and adds questions of a file.
    pub(crate) fn change_questions(&self, file: FileId, removed: &[&u32], added: &[&u32]) -> Result<(), StoreError> {
        for &&key in removed {
            self.change_row((key, file), |pairs, pair| {
                pairs.binary_search(&pair).is_ok_and(|at| pairs.remove(at) == pair)
            })?;
        }
        for &&key in added {
            self.change_row((key, file), |pairs, pair| {
                pairs.binary_search(&pair).is_err_and(|at| {
                    pairs.insert(at, pair);
                    true
                })
            })?;
        }
        Ok(())
    }

    /// Changes the row that covers a pair; `change` returns whether it changed the pairs.
    fn change_row(
        &self,
        pair: QuestionPair,
        change: impl Fn(&mut Vec<QuestionPair>, QuestionPair) -> bool,
    ) -> Result<(), StoreError> {
        let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?));
        let found = self
            .connection
            .prepare_cached("SELECT first, pairs FROM questions WHERE first <= ?1 ORDER BY first DESC LIMIT 1")?
            .query_row([number(pair)], row)
            .optional()?;
        let (first, mut pairs) = match found {
            Some((first, row)) => (Some(first), unpack(&row)?),
            None => (None, Vec::new()),
        };
        if !change(&mut pairs, pair) {
            return Ok(());
        }
        // A row is named by its first pair, so a new first pair means a new row.
        if let Some(first) = first.filter(|first| pairs.first().map(|pair| number(*pair)) != Some(*first)) {
            self.connection.prepare_cached("DELETE FROM questions WHERE first = ?1")?.execute([first])?;
        }
        let mut put =
            self.connection.prepare_cached("INSERT OR REPLACE INTO questions (first, pairs) VALUES (?1, ?2)")?;
        // Rows are divided late: an insert into a full build's row rarely divides it.
        let length = if pairs.len() > 2 * FULL { FULL } else { 2 * FULL };
        for pairs in pairs.chunks(length) {
            put.execute((number(pairs[0]), pack(pairs)?))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pairs(keys: std::ops::Range<u32>, files: u32) -> Vec<QuestionPair> {
        keys.flat_map(|key| (1..=files).map(move |file| (key * 40_000_000, FileId(file)))).collect()
    }

    #[test]
    fn numbers_have_the_order_of_pairs() {
        let pairs = [(0, 0), (0, 1), (0, u32::MAX), (1, 0), (1 << 31, 5), (u32::MAX, u32::MAX)];
        assert!(pairs.iter().map(|&(key, file)| number((key, FileId(file)))).is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn rows_hold_what_was_put() {
        let pairs = pairs(0..100, 3);
        let rows = packed(&pairs).unwrap();
        assert_eq!(rows.len(), 3);
        let all: Vec<QuestionPair> = rows.iter().flat_map(|(_, row)| unpack(row).unwrap()).collect();
        assert_eq!(all, pairs);
        assert!(unpack(&[0x80]).is_err(), "cut off");
        assert!(unpack(&[1]).is_err(), "no file");
    }

    proptest! {
        /// After any changes the rows equal a plain set of pairs, and each question finds its files.
        #[test]
        fn rows_change_like_a_set(changes in prop::collection::vec((any::<bool>(), 0..60_u32, 1..30_u32), 0..1500)) {
            let mut store = Store::open_in_memory().unwrap();
            let update = store.write().unwrap();
            let mut expected = BTreeSet::new();
            for (adds, key, file) in changes {
                let (key, file) = (key * 70_000_000, FileId(file));
                let (removed, added): (&[&u32], &[&u32]) = if adds { (&[], &[&key]) } else { (&[&key], &[]) };
                update.change_questions(file, removed, added).unwrap();
                if adds { expected.insert((key, file)); } else { expected.remove(&(key, file)); }
            }
            prop_assert_eq!(update.questions().unwrap(), expected.iter().copied().collect::<Vec<_>>());
            for key in (0..60).map(|key| key * 70_000_000) {
                let files: Vec<FileId> = expected.iter().filter(|pair| pair.0 == key).map(|pair| pair.1).collect();
                prop_assert_eq!(update.askers(&[whole(key)]).unwrap(), files);
            }
        }
    }

    /// A key of which `half` is stored.
    fn whole(half: u32) -> u64 {
        let key = u64::from(half) << 32 | u64::from(half);
        assert_eq!(question(key), half);
        key
    }
}
