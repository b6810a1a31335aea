//! Exports as JSON lines: one object a line, with the fields of the contract in their order.

use serde::Serialize;

use crate::{
    model::{EntityKind, Evidence, RelationshipKind},
    query::candidates::evidence::Traits,
};

/// A line of `export entities`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct EntityLine<'a> {
    pub name: &'a str,
    /// The word that the source defines: the last part of the name.
    pub identifier: &'a str,
    pub kind: EntityKind,
    pub path: &'a str,
    pub start_line: u32,
    pub end_line: u32,
}

/// A line of `export lines`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct LeafLine<'a> {
    pub name: &'a str,
    /// `import`, `code`, or the kind of the definition.
    pub kind: &'static str,
    pub path: &'a str,
    pub start_line: u32,
    pub end_line: u32,
}

/// The kind of an edge: that of a relationship, or `tests` with `--tests`.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum EdgeKind {
    Relationship(RelationshipKind),
    Test(TestKind),
}

/// The kind of the edges from tests to the definitions that they are likely to run.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TestKind {
    Tests,
}

/// A line of `export edges`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct EdgeLine<'a> {
    pub from: &'a str,
    pub to: &'a str,
    pub kind: EdgeKind,
    pub evidence: Evidence,
    /// The way in which it was found, in words.
    pub basis: &'a str,
    pub probability: f64,
    pub path: &'a str,
    pub line: u32,
    /// Of an edge `tests`: the number of relationships on the chain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<u32>,
    /// Left out where it holds. Otherwise the reference reaches the target through another name or a value.
    #[serde(skip_serializing_if = "is_true")]
    pub named: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_true(named: &bool) -> bool {
    *named
}

/// A line of `export candidates`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
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

/// A line of `export sections`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct SectionLine<'a> {
    pub title: &'a str,
    /// The titles above it.
    pub above: &'a str,
    pub path: &'a str,
    pub start_line: u32,
    pub end_line: u32,
    /// The names of code in it.
    pub names: &'a [String],
}

/// A line of `export jsonl --format langchain`: the fields of that library's `Document`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct LangChainLine<'a> {
    pub id: String,
    pub page_content: &'a str,
    pub metadata: Metadata<'a>,
    #[serde(rename = "type")]
    pub kind: &'static str,
}

/// A line of `export jsonl --format llamaindex`: the fields of that library's `TextNode`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct LlamaIndexLine<'a> {
    #[serde(rename = "id_")]
    pub id: String,
    pub text: &'a str,
    pub metadata: Metadata<'a>,
    pub class_name: &'static str,
}

/// All that is known of an entity but its text.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct Metadata<'a> {
    pub name: &'a str,
    pub kind: &'static str,
    pub source: &'a str,
    pub start_line: u32,
    pub end_line: u32,
    pub parent: Option<&'a str>,
    pub is_test: bool,
    pub signature: &'a str,
    pub doc: &'a str,
}

impl<'a> DocumentLine<'a> {
    /// The line in the form of `LangChain`.
    pub fn langchain(&self) -> LangChainLine<'a> {
        LangChainLine { id: self.id(), page_content: self.text, metadata: self.metadata(), kind: "Document" }
    }

    /// The line in the form of `LlamaIndex`.
    pub fn llamaindex(&self) -> LlamaIndexLine<'a> {
        LlamaIndexLine { id: self.id(), text: self.text, metadata: self.metadata(), class_name: "TextNode" }
    }

    /// Two files may have a module of one name.
    fn id(&self) -> String {
        format!("{}:{}", self.path, self.name)
    }

    fn metadata(&self) -> Metadata<'a> {
        let DocumentLine { name, kind, path, start_line, end_line, parent, is_test, signature, doc, .. } = *self;
        Metadata { name, kind, source: path, start_line, end_line, parent, is_test, signature, doc }
    }
}

/// A line of `export jsonl`: an entity with its text, as document collections expect it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct DocumentLine<'a> {
    pub name: &'a str,
    /// `import`, `code`, `document` for a section of one, or the kind of the definition.
    pub kind: &'static str,
    pub path: &'a str,
    pub start_line: u32,
    pub end_line: u32,
    pub parent: Option<&'a str>,
    /// A test that pytest or unittest runs, or a fixture.
    pub is_test: bool,
    pub signature: &'a str,
    pub doc: &'a str,
    pub decorators: &'a [String],
    pub text: &'a str,
}
