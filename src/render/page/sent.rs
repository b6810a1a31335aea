//! The graph of a page in the form that its script reads.
//!
//! A page may hold thousands of nodes, and a browser reads every byte before it draws. So a text that many nodes have
//! stands once in a table, and a value that the script can work out is not sent.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::render::{
    page::{
        Links,
        data::{Data, Note, PageFinding, PageNode, PageStep, SourceLines},
    },
    words::short,
};

/// The graph.
#[derive(Debug, Serialize)]
pub(super) struct SentData<'d> {
    links: &'d Links,
    groups: &'d [String],
    /// The texts that nodes and steps name by their positions here.
    texts: Vec<&'d str>,
    nodes: Vec<SentNode<'d>>,
    steps: Vec<SentStep>,
    findings: &'d [PageFinding],
    sources: &'d BTreeMap<String, SourceLines>,
    notes: &'d [Note],
    cut: &'d [String],
}

/// A node without the values that the script works out.
#[derive(Debug, Serialize)]
struct SentNode<'d> {
    name: &'d str,
    /// `None` for the last two parts of the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'d str>,
    kind: usize,
    /// `None` for the words of the first step of the chain.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'d str>,
    path: usize,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    defined: Option<SentPlace>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<usize>,
    distance: u32,
    probability: f64,
    evidence: usize,
    #[serde(skip_serializing_if = "is_false")]
    is_test: bool,
    tone: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    chain: &'d [usize],
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    findings: &'d [usize],
}

/// A line of the node's own path, or a path and a line.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum SentPlace {
    Line(u32),
    Place(usize, u32),
}

#[derive(Debug, Serialize)]
struct SentStep {
    to: usize,
    path: usize,
    line: u32,
    kind: usize,
    evidence: usize,
    basis: usize,
}

/// Texts by their positions.
#[derive(Default)]
struct TextTable<'d> {
    texts: Vec<&'d str>,
    positions: HashMap<&'d str, usize>,
}

impl<'d> TextTable<'d> {
    fn position(&mut self, text: &'d str) -> usize {
        *self.positions.entry(text).or_insert_with(|| {
            self.texts.push(text);
            self.texts.len() - 1
        })
    }
}

impl<'d> SentData<'d> {
    pub(super) fn of(data: &'d Data) -> Self {
        let mut table = TextTable::default();
        let nodes = data.nodes.iter().map(|node| SentNode::of(node, data, &mut table)).collect();
        let steps = data.steps.iter().map(|step| SentStep::of(step, &mut table)).collect();
        Self {
            links: &data.links,
            groups: &data.groups,
            texts: table.texts,
            nodes,
            steps,
            findings: &data.findings,
            sources: &data.sources,
            notes: &data.notes,
            cut: &data.cut,
        }
    }
}

impl<'d> SentNode<'d> {
    fn of(node: &'d PageNode, data: &Data, table: &mut TextTable<'d>) -> Self {
        let first = node.chain.first().map(|step| &data.steps[*step]);
        let way = first.map(|step| format!("{} {}", step.kind, data.nodes[step.to].label)).unwrap_or_default();
        let defined = node.defined.as_ref().map(|at| {
            if at.path == node.path {
                SentPlace::Line(at.line)
            } else {
                SentPlace::Place(table.position(&at.path), at.line)
            }
        });
        Self {
            name: &node.name,
            label: (node.label != short(&node.name)).then_some(&node.label),
            kind: table.position(node.kind),
            note: (node.note != way).then_some(&node.note),
            path: table.position(&node.path),
            line: node.line,
            defined,
            group: node.group,
            distance: node.distance,
            probability: node.probability,
            evidence: table.position(node.evidence),
            is_test: node.is_test,
            tone: table.position(node.tone),
            parent: node.parent,
            chain: &node.chain,
            findings: &node.findings,
        }
    }
}

impl SentStep {
    fn of<'d>(step: &'d PageStep, table: &mut TextTable<'d>) -> Self {
        Self {
            to: step.to,
            path: table.position(&step.path),
            line: step.line,
            kind: table.position(step.kind),
            evidence: table.position(step.evidence),
            basis: table.position(step.basis),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_false(value: &bool) -> bool {
    !value
}
