//! The languages that can be indexed: one folder each, one line each in [`language_of`].
//!
//! A language turns bytes into [`FileFacts`]. No other module knows tree-sitter.

mod project;
pub mod python;

use crate::facts::{FileFacts, fingerprint::FileShape, literals::SourceLiteral};

/// A language: how its files are recognized and read.
pub struct Language {
    /// As shown to people.
    pub name: &'static str,
    /// Reads one file. Total: bad source is data.
    pub extract: fn(&[u8]) -> FileFacts,
    /// The string literals and comments of one file. Total.
    pub literals: fn(&[u8]) -> Vec<SourceLiteral>,
    /// Reads versions of one file, each with the shape by which versions are compared. Total.
    pub compare: fn(&[&[u8]]) -> Vec<(FileFacts, FileShape)>,
}

/// Python source and stub files.
pub static PYTHON: Language = Language {
    name: "python",
    extract: python::extract,
    literals: python::literals::literals,
    compare: python::compare,
};

/// Project files that name entry points.
pub static PROJECT: Language =
    Language { name: "pyproject", extract: project::extract, literals: none, compare: project::compare };

/// The older form of them.
pub static SETUP: Language =
    Language { name: "setup.cfg", extract: project::extract_setup, literals: none, compare: project::compare_setup };

/// The files that set up pytest alone.
pub static PYTEST: Language =
    Language { name: "pytest.ini", extract: project::extract_pytest, literals: none, compare: project::compare_pytest };

/// The newer form of it.
pub static PYTEST_TOML: Language = Language {
    name: "pytest.toml",
    extract: project::extract_pytest_toml,
    literals: none,
    compare: project::compare_pytest_toml,
};

/// Among the sections of other tools.
pub static TOX: Language =
    Language { name: "tox.ini", extract: project::extract_tox, literals: none, compare: project::compare_tox };

/// A project file has settings and no code.
fn none(_: &[u8]) -> Vec<SourceLiteral> {
    Vec::new()
}

/// The language of the file at `path`, by its name.
pub fn language_of(path: &str) -> Option<&'static Language> {
    let path = path.strip_suffix('"').unwrap_or(path);
    match path.rsplit('/').next().unwrap_or(path) {
        "pyproject.toml" => return Some(&PROJECT),
        "setup.cfg" => return Some(&SETUP),
        "pytest.ini" | ".pytest.ini" => return Some(&PYTEST),
        "pytest.toml" | ".pytest.toml" => return Some(&PYTEST_TOML),
        "tox.ini" => return Some(&TOX),
        _ => {}
    }
    match path.rsplit_once('.') {
        Some((_, "py" | "pyi" | "pyw")) => Some(&PYTHON),
        _ => None,
    }
}
