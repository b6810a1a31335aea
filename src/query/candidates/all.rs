//! Every possible relationship of a repository: the candidates of all definitions whose names occur unresolved, in the
//! order of an export, each with its evidence. Follows nothing.

use std::collections::BTreeSet;

use crate::{
    model::{EntityKind, Evidence, RelationshipKind},
    query::{
        candidates::{CandidateBudget, as_written::as_written, candidates, evidence::Traits},
        graph::Graph,
        source::Sources,
        words::rounded,
    },
    store::{Store, error::StoreError},
};

/// One possible edge.
#[derive(Clone, Debug, PartialEq)]
pub struct PossibleEdge {
    pub from: String,
    pub to: String,
    pub kind: RelationshipKind,
    pub evidence: Evidence,
    pub probability: f64,
    pub path: String,
    pub line: u32,
    pub column: u32,
    /// Evidence for and against the definition.
    pub definition: Traits,
    /// Evidence that the occurrence means none of the definitions of the name.
    pub occurrence: Traits,
}

/// All possible edges with at least the probability `floor`, sorted like the stored ones: those of `refs`.
pub fn possible_edges(store: &Store, sources: &Sources, floor: f64) -> Result<Vec<PossibleEdge>, StoreError> {
    let graph = Graph::new(store)?;
    let mut names = BTreeSet::new();
    for (file, _) in store.files()? {
        names.extend(store.unresolved_of(file)?.into_iter().map(|unresolved| unresolved.name));
    }
    let mut edges = Vec::new();
    for name in names {
        for entity in graph.named(&name)?.iter() {
            let mut budget = CandidateBudget::default();
            let Some(head) = graph.head(entity.id)? else { continue };
            for candidate in candidates(&graph, &head, floor, &mut budget)?.likely {
                if candidate.probability == 0.0 {
                    continue;
                }
                let relationship = as_written(&graph, sources, candidate.relationship(entity.id), &name)?;
                let Some(maker) = graph.entity(relationship.source)? else { continue };
                let is_code = maker.record.kind != EntityKind::Variable;
                let Some(source) = (if is_code { Some(maker) } else { graph.entity(maker.parent)? }) else { continue };
                edges.push(PossibleEdge {
                    from: source.full_name(),
                    to: entity.full_name(),
                    kind: relationship.kind,
                    evidence: Evidence::Possible,
                    probability: rounded(candidate.probability),
                    path: source.path.clone(),
                    line: relationship.line,
                    column: relationship.column,
                    definition: candidate.definition,
                    occurrence: candidate.occurrence,
                });
            }
        }
    }
    edges.sort_by(|a, b| {
        (&a.from, &a.to, a.kind, &a.path, a.line, a.column).cmp(&(&b.from, &b.to, b.kind, &b.path, b.line, b.column))
    });
    Ok(edges)
}
