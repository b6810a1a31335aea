//! Exports as JSON lines: one object a line, with the fields of the contract in their order.

use serde::Serialize;

use crate::{
    model::{EntityKind, Evidence, RelationshipKind},
    query::candidates::evidence::Traits,
};

/// A line of `export entities`.
#[derive(Clone, Debug, Serialize)]
pub struct EntityLine<'a> {
    pub name: &'a str,
    /// The word that the source defines: the last part of the name.
    pub identifier: &'a str,
    pub kind: EntityKind,
    pub path: &'a str,
    pub start_line: u32,
    pub end_line: u32,
}

/// A line of `export edges`.
#[derive(Clone, Debug, Serialize)]
pub struct EdgeLine<'a> {
    pub from: &'a str,
    pub to: &'a str,
    pub kind: RelationshipKind,
    pub evidence: Evidence,
    /// The way in which it was found, in words.
    pub basis: &'a str,
    pub probability: f64,
    pub path: &'a str,
    /// The line that names the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The line of the reference, if it reaches the target through another name or a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via_line: Option<u32>,
}

/// A line of `export candidates`.
#[derive(Clone, Debug, Serialize)]
pub struct CandidateLine<'a> {
    pub from: &'a str,
    pub to: &'a str,
    pub kind: RelationshipKind,
    pub probability: f64,
    pub path: &'a str,
    pub line: u32,
    pub column: u32,
    /// Evidence for and against the definition.
    pub definition: Traits,
    /// Evidence that the occurrence means none of the definitions of the name.
    pub occurrence: Traits,
}

/// A line of `export jsonl`: an entity with its text, as document collections expect it.
#[derive(Clone, Debug, Serialize)]
pub struct DocumentLine<'a> {
    pub name: &'a str,
    pub kind: EntityKind,
    pub path: &'a str,
    pub start_line: u32,
    pub end_line: u32,
    pub parent: Option<&'a str>,
    pub signature: &'a str,
    pub doc: &'a str,
    pub decorators: &'a [String],
    pub text: &'a str,
}
