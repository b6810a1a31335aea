//! Rows for search: texts, documents and vectors of the files that changed.

pub(crate) mod documents;
pub(crate) mod texts;
pub(crate) mod vectors;
