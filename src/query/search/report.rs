//! The answer of a search as plain data for renderers and other queries.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{
    model::{EntityId, EntityKind},
    query::{search::order::copies::CopyPlace, target::spelling::without_underscores},
    store::read::Entity,
};

/// The answer to a question.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct SearchReport {
    pub schema: &'static str,
    pub schema_version: u32,
    pub query: String,
    pub hits: Vec<Hit>,
    /// Number of further names that a pattern matches.
    #[serde(skip_serializing_if = "is_none")]
    pub more: usize,
    /// Which lists could not be used, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// With `--rerank`: whether the model's order is that of the hits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_reranked: Option<bool>,
}

impl SearchReport {
    /// The report of a search that is not cut and not ordered by a model.
    pub(super) fn of(query: String, hits: Vec<Hit>, missing: Vec<String>) -> Self {
        Self { schema: "repoidx.search", schema_version: 1, query, hits, more: 0, missing, is_reranked: None }
    }
}

/// A definition that was found.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct Hit {
    /// Of a definition; sections of documents have none.
    #[serde(skip)]
    pub id: Option<EntityId>,
    /// The repository as the user named it, if several were searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    pub name: String,
    /// The name below the module; the title of a section.
    #[serde(skip)]
    pub qualified: String,
    pub kind: EntityKind,
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
    /// Larger is better; comparable within one answer only.
    pub score: f64,
    pub signature: String,
    /// The titles above a section of a document.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub above: String,
    pub doc: String,
    /// The lines of the piece of a long definition that is nearest to the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<LineRange>,
    /// The definitions that a section of a document names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// Further definitions of this name with the same text, which are no hits of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<CopyPlace>,
    /// Set when the hit stands for several inside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merged: Option<MergedHits>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explain: Option<Explanation>,
}

/// Hits that became the class or file around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct MergedHits {
    pub hits: usize,
    /// All functions of the class; none for a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<usize>,
}

impl SearchReport {
    /// Leaves out the hits with less than this share of the best one's score, 0 to 1. A larger share never adds a hit.
    /// One that is called like the query stands first whatever its score, so it stays.
    pub fn keep_above(&mut self, share: f64) {
        let last = |name: &str| {
            let name = name.split('@').next().unwrap_or(name);
            without_underscores(name.rsplit('.').next().unwrap_or(name))
        };
        let wanted = last(self.query.trim());
        let best = self.hits.iter().map(|hit| hit.score).fold(0.0, f64::max);
        self.hits.retain(|hit| hit.score >= share * best || last(&hit.name) == wanted);
    }
}

impl Hit {
    /// An entity as a hit.
    pub(super) fn of(entity: Entity, score: f64) -> Hit {
        Hit {
            id: Some(entity.id),
            repository: None,
            name: entity.full_name(),
            qualified: entity.record.qualified,
            kind: entity.record.kind,
            path: entity.path,
            start_line: entity.record.start_line,
            end_line: entity.record.end_line,
            score,
            signature: entity.record.signature,
            above: String::new(),
            doc: entity.record.doc,
            nearest: None,
            links: Vec::new(),
            copies: Vec::new(),
            merged: None,
            explain: None,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_none(number: &usize) -> bool {
    *number == 0
}

/// A range of lines of a file, 1-based, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct LineRange {
    pub start_line: u32,
    pub end_line: u32,
}

/// How a hit was found.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct Explanation {
    /// 1-based ranks in the lists; absent if it is not among the best of a list.
    pub lexical_rank: Option<usize>,
    pub vector_rank: Option<usize>,
    /// The rank in the list by the meaning of docstrings, for a search in docstrings alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docstring_rank: Option<usize>,
    /// The name was spelled out in the question.
    pub named: bool,
    /// Probability that the question describes a change, 0..=1.
    pub change: f64,
    /// Part of the score that its file has, for a text of many words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<f64>,
    /// By the names of [`super::FEATURES`]; a search in one part of definitions has `bm25`, and docstrings `cosine`.
    pub features: BTreeMap<&'static str, f64>,
    /// Contribution of each feature to the score.
    pub parts: BTreeMap<&'static str, f64>,
}
