//! The searchable rows of all resolutions of an index: `relationships`, `unresolved`, `questions` and `answers`.
//!
//! They are in the order of their primary keys, and are written as pages of a new index or compared with an existing
//! one.

use std::path::Path;

use rayon::prelude::*;

use crate::model::{Answer, FileId, Relationship, Resolution, Unresolved};
use crate::store::error::StoreError;
use crate::store::write::entries;
use crate::store::write::lists::{self, EncodedLists, unpack};
use crate::store::write::pages::{ColumnValue, PageFile};
use crate::store::write::questions::{self, QuestionPair};

/// Where the tables begin whose rows are written as pages.
pub(super) struct Roots {
    pub(super) relationships: u32,
    pub(super) unresolved: u32,
    pub(super) questions: u32,
    pub(super) answers: u32,
}

/// One file's resolution on its way into a new index: its lists as they are stored. A fraction of the resolution
/// itself, which can be dropped; the rows of all files are made of them when everything else is gone.
#[derive(Debug)]
pub struct Resolved {
    pub(super) encoded: EncodedLists,
    lengths: RowCounts,
}

/// How many rows a resolution has, or several.
#[derive(Clone, Copy, Debug, Default)]
struct RowCounts {
    relationships: usize,
    unresolved: usize,
    questions: usize,
    answers: usize,
}

impl Resolved {
    /// Makes the lists, in order and without double rows.
    pub fn of(resolution: &Resolution) -> Result<Resolved, StoreError> {
        let resolution = lists::ordered(resolution);
        let lengths = RowCounts {
            relationships: resolution.relationships.len(),
            unresolved: resolution.unresolved.len(),
            questions: resolution.questions.len(),
            answers: resolution.answers.len(),
        };
        Ok(Resolved { encoded: lists::encode(&resolution)?, lengths })
    }

    /// Number of relationships.
    pub fn relationships(&self) -> usize {
        self.lengths.relationships
    }

    /// Number of unresolved occurrences.
    pub fn unresolved(&self) -> usize {
        self.lengths.unresolved
    }
}

/// An answer's row; its values are those of [`Rows::values`] in the range.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct AnswerRow {
    key: i64,
    file: FileId,
    level: u8,
    start: usize,
    end: usize,
}

/// Every searchable row of a whole index, sorted by primary key.
pub(super) struct Rows {
    pub(super) relationships: Vec<Relationship>,
    pub(super) unresolved: Vec<(String, FileId)>,
    pub(super) questions: Vec<QuestionPair>,
    answers: Vec<AnswerRow>,
    values: Vec<u8>,
}

impl Rows {
    /// The four tables are made beside each other.
    pub(super) fn of(resolutions: &[(FileId, Resolved)]) -> Result<Rows, StoreError> {
        let ((relationships, unresolved), (questions, answers)) = rayon::join(
            || rayon::join(|| relationships(resolutions), || unresolved(resolutions)),
            || rayon::join(|| questions(resolutions), || answers(resolutions)),
        );
        let (answers, values) = answers?;
        Ok(Rows { relationships: relationships?, unresolved: unresolved?, questions: questions?, answers, values })
    }

    /// Key, file, level and encoded values.
    #[cfg(test)]
    pub(super) fn answers(&self) -> impl Iterator<Item = (i64, FileId, u8, &[u8])> {
        self.answers.iter().map(|row| (row.key, row.file, row.level, &self.values[row.start..row.end]))
    }

    /// Writes the rows into the tables of a file that no connection has open.
    pub(super) fn write(&self, path: &Path, roots: &Roots) -> Result<(), StoreError> {
        let number = |number: u32| ColumnValue::Integer(i64::from(number));
        let code = |code: u8| ColumnValue::Integer(i64::from(code));
        let questions = questions::packed(&self.questions)?;
        let write = || {
            let mut pages = PageFile::open(path)?;
            pages.fill(roots.relationships, &self.relationships, |row| {
                let Relationship { target, kind, source, line, column, basis } = *row;
                let (kind, basis) = (code(kind as u8), code(basis as u8));
                [number(target.0), kind, number(source.0), number(line), number(column), basis]
            })?;
            pages.fill(roots.unresolved, &self.unresolved, |(name, file)| [ColumnValue::Text(name), number(file.0)])?;
            pages.fill(roots.questions, &questions, |(first, pairs)| {
                [ColumnValue::Integer(*first), ColumnValue::Blob(pairs)]
            })?;
            pages.fill(roots.answers, &self.answers, |row| {
                let values = ColumnValue::Blob(&self.values[row.start..row.end]);
                [ColumnValue::Integer(row.key), number(row.file.0), code(row.level), values]
            })?;
            pages.finish()
        };
        write().map_err(StoreError::at(path))
    }
}

/// Number of rows of all files.
fn all(resolutions: &[(FileId, Resolved)], number: fn(&RowCounts) -> usize) -> usize {
    resolutions.iter().map(|(_, file)| number(&file.lengths)).sum()
}

fn relationships(resolutions: &[(FileId, Resolved)]) -> Result<Vec<Relationship>, StoreError> {
    let mut rows = Vec::with_capacity(all(resolutions, |lengths| lengths.relationships));
    for (_, Resolved { encoded, .. }) in resolutions {
        rows.extend(unpack::<Relationship>(&encoded.relationships)?);
    }
    rows.par_sort_unstable();
    Ok(rows)
}

fn unresolved(resolutions: &[(FileId, Resolved)]) -> Result<Vec<(String, FileId)>, StoreError> {
    let mut rows = Vec::new();
    for (file, Resolved { encoded, .. }) in resolutions {
        let unresolved = unpack::<Unresolved>(&encoded.unresolved)?;
        rows.extend(lists::names(&unresolved).into_iter().map(|name| (name.to_owned(), *file)));
    }
    rows.par_sort_unstable();
    Ok(rows)
}

fn questions(resolutions: &[(FileId, Resolved)]) -> Result<Vec<QuestionPair>, StoreError> {
    let mut rows = Vec::with_capacity(all(resolutions, |lengths| lengths.questions));
    for (file, Resolved { encoded, .. }) in resolutions {
        rows.extend(unpack::<u32>(&encoded.questions)?.into_iter().map(|key| (key, *file)));
    }
    rows.par_sort_unstable();
    Ok(rows)
}

/// The rows, and the values that they point to.
fn answers(resolutions: &[(FileId, Resolved)]) -> Result<(Vec<AnswerRow>, Vec<u8>), StoreError> {
    let mut rows = Vec::with_capacity(all(resolutions, |lengths| lengths.answers));
    let mut values = Vec::new();
    for (file, Resolved { encoded, .. }) in resolutions {
        for answer in unpack::<Answer>(&encoded.answers)? {
            let start = values.len();
            values = entries::write(&answer.values, values)?;
            let (key, level, end) = (answer.key.cast_signed(), answer.level, values.len());
            rows.push(AnswerRow { key, file: *file, level, start, end });
        }
    }
    rows.par_sort_unstable();
    Ok((rows, values))
}
