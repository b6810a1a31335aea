//! An impact report as a small graph: nodes and edges along the evidence, the most probable first.
//!
//! The graph knows no drawing language; `dot` and `mermaid` write it.

use std::collections::BTreeMap;

use crate::{
    model::{EntityKind, Evidence, RelationshipKind},
    query::impact::ImpactReport,
};

/// A graph small enough to read.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The first is the target.
    pub nodes: Vec<DrawnNode>,
    /// Sorted, each once.
    pub edges: Vec<DrawnEdge>,
    /// Number of affected entities that did not fit.
    pub left_out: usize,
}

/// One entity.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnNode {
    pub name: String,
    pub distance: u32,
    pub probability: f64,
    pub is_test: bool,
    pub is_module: bool,
}

/// `from` depends on `to`; both are positions in the list of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DrawnEdge {
    pub from: usize,
    pub to: usize,
    pub kind: RelationshipKind,
    pub evidence: Evidence,
}

/// The `limit` most probable entities, with the chains that lead to them.
pub fn drawing(report: &ImpactReport, limit: usize) -> Drawing {
    let target = DrawnNode {
        name: report.target.name.clone(),
        distance: 0,
        probability: 1.0,
        is_test: false,
        is_module: report.target.kind == EntityKind::Module,
    };
    let mut positions: BTreeMap<String, usize> = BTreeMap::from([(target.name.clone(), 0)]);
    let mut nodes = vec![target];
    let mut edges = Vec::new();
    let shown = &report.impacted[..report.impacted.len().min(limit)];
    for impacted in shown {
        positions.insert(impacted.name.clone(), nodes.len());
        nodes.push(DrawnNode {
            name: impacted.name.clone(),
            distance: impacted.distance,
            probability: impacted.probability,
            is_test: impacted.is_test,
            is_module: impacted.kind == EntityKind::Module,
        });
    }
    for impacted in shown {
        let mut from = positions[&impacted.name];
        for via in &impacted.via {
            let between = DrawnNode {
                name: via.name.to_string(),
                distance: nodes[from].distance.saturating_sub(1),
                probability: impacted.probability,
                is_test: false,
                is_module: false,
            };
            // A step of a chain can be an entity that did not fit; the picture still needs it.
            let to = *positions.entry(via.name.to_string()).or_insert_with(|| {
                nodes.push(between);
                nodes.len() - 1
            });
            edges.push(DrawnEdge { from, to, kind: via.kind, evidence: via.evidence });
            from = to;
        }
    }
    // Chains share their last steps.
    edges.sort_unstable();
    edges.dedup();
    Drawing { nodes, edges, left_out: report.impacted.len() - shown.len() }
}
