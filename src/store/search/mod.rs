//! Rows that search reads: texts, vectors, digests, documents.

pub mod digests;
pub mod documents;
pub mod literals;
pub mod texts;
pub mod vectors;
