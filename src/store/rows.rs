//! The searchable rows that belong to a whole index's resolutions.
//!
//! Goes in: what resolving each file gave. Comes out: the rows of `relationships`, `unresolved`, `questions` and `answers`,
//! in the order of their primary keys, as pages of a new index or for comparing with what an index holds.

use std::borrow::Cow;
use std::path::Path;

use rayon::prelude::*;

use crate::model::{FileId, Relationship, Resolution};
use crate::store::error::StoreError;
use crate::store::lists;
use crate::store::pages::{PageFile, Value};

/// Where the tables begin whose rows are written as pages.
pub(super) struct Roots {
    pub(super) relationships: u32,
    pub(super) unresolved: u32,
    pub(super) questions: u32,
    pub(super) answers: u32,
}

/// Every searchable row of a whole index, sorted by primary key.
pub(super) struct Rows<'a> {
    pub(super) relationships: Vec<Relationship>,
    pub(super) unresolved: Vec<(&'a str, FileId)>,
    pub(super) questions: Vec<(u32, FileId)>,
    /// Key, file, level and encoded values.
    pub(super) answers: Vec<(i64, FileId, u8, Vec<u8>)>,
}

impl<'a> Rows<'a> {
    pub(super) fn of(resolutions: &'a [(FileId, Cow<'a, Resolution>)]) -> Result<Rows<'a>, StoreError> {
        let mut rows = Rows { relationships: vec![], unresolved: vec![], questions: vec![], answers: vec![] };
        for (file, resolution) in resolutions {
            rows.relationships.extend_from_slice(&resolution.relationships);
            rows.unresolved.extend(lists::names(&resolution.unresolved).into_iter().map(|name| (name, *file)));
            rows.questions.extend(resolution.questions.iter().map(|key| (*key, *file)));
            for answer in &resolution.answers {
                let values = postcard::to_stdvec(&answer.values)?;
                rows.answers.push((answer.key.cast_signed(), *file, answer.level, values));
            }
        }
        rows.relationships.par_sort_unstable();
        rows.relationships.dedup_by_key(|relationship| lists::relationship_key(relationship));
        rows.unresolved.par_sort_unstable();
        rows.unresolved.dedup();
        rows.questions.par_sort_unstable();
        rows.questions.dedup();
        rows.answers.par_sort_unstable();
        rows.answers.dedup_by_key(|(key, file, level, _)| (*key, *file, *level));
        Ok(rows)
    }

    /// Writes the rows into the tables of a file that nobody has open.
    pub(super) fn write(&self, path: &Path, roots: &Roots) -> Result<(), StoreError> {
        let number = |number: u32| Value::Integer(i64::from(number));
        let code = |code: u8| Value::Integer(i64::from(code));
        let write = || {
            let mut pages = PageFile::open(path)?;
            pages.fill(roots.relationships, &self.relationships, |row| {
                let Relationship { target, kind, source, line, column, basis } = *row;
                let (kind, basis) = (code(kind as u8), code(basis as u8));
                [number(target.0), kind, number(source.0), number(line), number(column), basis]
            })?;
            pages.fill(roots.unresolved, &self.unresolved, |(name, file)| [Value::Text(name), number(file.0)])?;
            pages.fill(roots.questions, &self.questions, |(key, file)| [number(*key), number(file.0)])?;
            pages.fill(roots.answers, &self.answers, |(key, file, level, values)| {
                [Value::Integer(*key), number(file.0), code(*level), Value::Blob(values)]
            })?;
            pages.finish()
        };
        write().map_err(StoreError::at(path))
    }
}
