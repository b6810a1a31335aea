//! What a search answers, as plain data.
//!
//! Goes in: nothing. Comes out: the structs that renderers and other queries read. Knows no ranking.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{model::EntityKind, store::read::Entity};

/// The answer to a question.
#[derive(Clone, Debug, Serialize)]
pub struct SearchReport {
    pub schema: &'static str,
    pub schema_version: u32,
    pub query: String,
    pub hits: Vec<Hit>,
    /// How many more names a pattern matches.
    #[serde(skip_serializing_if = "is_none")]
    pub more: usize,
    /// Which lists could not be asked, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// A definition that was found.
#[derive(Clone, Debug, Serialize)]
pub struct Hit {
    /// As the user names it, where several were searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    pub name: String,
    pub kind: EntityKind,
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
    /// Larger is better; comparable within one answer only.
    pub score: f64,
    /// Of a section of a document: the titles above it.
    pub signature: String,
    pub doc: String,
    /// Of a long definition: the lines of the piece that the question is nearest to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<LineRange>,
    /// Of a section of a document: the definitions that it names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explain: Option<Explanation>,
}

impl Hit {
    /// An entity as a hit.
    pub(super) fn of(entity: Entity, score: f64) -> Hit {
        Hit {
            repository: None,
            name: entity.full_name(),
            kind: entity.record.kind,
            path: entity.path,
            start_line: entity.record.start_line,
            end_line: entity.record.end_line,
            score,
            signature: entity.record.signature,
            doc: entity.record.doc,
            nearest: None,
            links: Vec::new(),
            explain: None,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_none(number: &usize) -> bool {
    *number == 0
}

/// LineRange of a file, 1-based, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LineRange {
    pub start_line: u32,
    pub end_line: u32,
}

/// How a hit was found.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// 1-based ranks in the lists; absent where it is not among the best of the list.
    pub lexical_rank: Option<usize>,
    pub vector_rank: Option<usize>,
    /// The name was spelled out in the question.
    pub named: bool,
    /// How much the question tells of a change, 0..=1.
    pub change: f64,
    /// By the names of [`super::FEATURES`].
    pub features: BTreeMap<&'static str, f64>,
    /// What each of them adds to the score.
    pub parts: BTreeMap<&'static str, f64>,
}
