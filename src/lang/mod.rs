//! The languages that can be indexed: one folder each, one line each in [`language_of`].
//!
//! Goes in: a path and bytes. Comes out: [`FileFacts`]. With `extract`, the only place that knows tree-sitter.

pub mod python;

use crate::facts::FileFacts;

/// A language: how its files are recognized and read.
pub struct Language {
    /// As shown to people.
    pub name: &'static str,
    /// Reads one file. Total: bad source is data.
    pub extract: fn(&[u8]) -> FileFacts,
}

/// Python source and stub files.
pub static PYTHON: Language = Language { name: "python", extract: python::extract };

/// The language of the file at `path`, by its name.
pub fn language_of(path: &str) -> Option<&'static Language> {
    let path = path.strip_suffix('"').unwrap_or(path);
    match path.rsplit_once('.') {
        Some((_, "py" | "pyi" | "pyw")) => Some(&PYTHON),
        _ => None,
    }
}
