//! Every place that refers to a definition directly.
//!
//! Each reference comes with its source line. On request, unresolved occurrences that may refer to the definition are
//! listed too. Chains are not followed.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::{
    model::{EntityId, Evidence, Relationship, RelationshipKind, Step},
    query::{
        candidates::{CandidateBudget, as_written::as_written, candidates},
        graph::Graph,
        navigate::naming::{MentionSite, is_named},
        source::Sources,
        target::{Target, described::Described},
        words::rounded,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// The answer, as JSON too.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct RefsReport {
    pub schema: &'static str,
    pub schema_version: u32,
    pub target: Described,
    /// Sorted by path, line and column.
    pub references: Vec<ReferenceSite>,
    /// Unresolved occurrences that may refer to it, most probable first; empty unless requested.
    pub possible: Vec<ReferenceSite>,
    /// Number of unresolved occurrences that may refer to it, requested or not.
    pub possible_count: usize,
    /// Number of places that the text filter left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dissimilar: Option<usize>,
    /// Number of places that other filters left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<usize>,
}

/// One place.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ReferenceSite {
    /// The entity around the place.
    pub name: String,
    pub kind: RelationshipKind,
    pub path: String,
    pub line: u32,
    pub column: u32,
    pub evidence: Evidence,
    pub basis: &'static str,
    pub probability: f64,
    /// Whether the target's name stands there; false for a reference through another name or a value.
    pub is_named: bool,
    /// The line as it stands in the source; empty when the file cannot be read.
    pub text: String,
    /// How it was resolved, or why it was not; on request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// Similarity of the entity around the place to the text of the filter, -1..=1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    #[serde(skip)]
    pub holder: EntityId,
}

impl RefsReport {
    /// The entities around the places.
    pub fn holders(&self) -> BTreeSet<EntityId> {
        self.references.iter().chain(&self.possible).map(|reference| reference.holder).collect()
    }

    /// Keeps the places in these entities.
    pub fn keep_in(&mut self, entities: &BTreeSet<EntityId>) {
        let before = self.references.len() + self.possible.len();
        self.references.retain(|reference| entities.contains(&reference.holder));
        self.possible.retain(|reference| entities.contains(&reference.holder));
        self.left_out = Some(before - self.references.len() - self.possible.len());
    }

    /// Keeps the places whose entity is at least this similar. A larger `least` never keeps more.
    pub fn keep_similar(&mut self, similarities: &BTreeMap<EntityId, f64>, least: f64) {
        let before = self.references.len() + self.possible.len();
        keep_similar(&mut self.references, similarities, least);
        keep_similar(&mut self.possible, similarities, least);
        self.dissimilar = Some(before - self.references.len() - self.possible.len());
    }
}

fn keep_similar(references: &mut Vec<ReferenceSite>, similarities: &BTreeMap<EntityId, f64>, least: f64) {
    for reference in references.iter_mut() {
        reference.similarity = similarities.get(&reference.holder).map(|similarity| rounded(*similarity));
    }
    references.retain(|reference| similarities.get(&reference.holder).is_some_and(|similarity| *similarity >= least));
}

/// Finds the direct references to `target`.
pub fn refs(store: &Store, sources: &Sources, target: &Target, lists_possible: bool) -> Result<RefsReport, StoreError> {
    let graph = Graph::new(store)?;
    let mut references = Vec::new();
    let mut possible = Vec::new();
    for entity in &target.entities {
        for relationship in graph.incoming(entity.id)? {
            let probability = relationship.basis.probability();
            references.extend(describe(&graph, sources, entity, &relationship, probability)?);
        }
        let Some(head) = graph.head(entity.id)? else { continue };
        let found = candidates(&graph, &head, 0.0, &mut CandidateBudget::default())?;
        for candidate in found.likely {
            let relationship = as_written(&graph, sources, candidate.relationship(entity.id), head.name())?;
            possible.extend(describe(&graph, sources, entity, &relationship, candidate.probability)?);
        }
    }
    let by_place = |a: &ReferenceSite, b: &ReferenceSite| {
        (&a.path, a.line, a.column, a.kind, &a.name).cmp(&(&b.path, b.line, b.column, b.kind, &b.name))
    };
    references.sort_by(by_place);
    references.dedup();
    // The definitions of one name are weighed one by one: an occurrence counts once, with its best probability.
    possible.sort_by(|a, b| by_place(a, b).then_with(|| b.probability.total_cmp(&a.probability)));
    possible.dedup_by(|a, b| by_place(a, b).is_eq());
    possible.retain(|open| references.binary_search_by(|known| position(known).cmp(&position(open))).is_err());
    possible.sort_by(|a, b| b.probability.total_cmp(&a.probability).then_with(|| by_place(a, b)));
    let possible_count = possible.len();
    if !lists_possible {
        possible.clear();
    }
    Ok(RefsReport {
        schema: "repoidx.refs",
        schema_version: 1,
        target: Described::of(target),
        references,
        possible,
        possible_count,
        dissimilar: None,
        left_out: None,
    })
}

fn describe(
    graph: &Graph,
    sources: &Sources,
    target: &Entity,
    relationship: &Relationship,
    probability: f64,
) -> Result<Option<ReferenceSite>, StoreError> {
    let Some(source) = graph.entity(relationship.source)? else { return Ok(None) };
    let mention = MentionSite {
        kind: relationship.kind,
        basis: relationship.basis,
        target: &target.full_name(),
        path: &source.path,
        line: relationship.line,
        column: relationship.column,
    };
    Ok(Some(ReferenceSite {
        is_named: is_named(sources, &mention),
        name: source.full_name(),
        kind: relationship.kind,
        path: source.path.clone(),
        line: relationship.line,
        column: relationship.column,
        evidence: relationship.basis.evidence(),
        basis: relationship.basis.as_str(),
        probability: rounded(probability),
        text: sources.shown_line(&source.path, relationship.line).unwrap_or_default(),
        steps: Vec::new(),
        similarity: None,
        holder: source.id,
    }))
}

/// Where a reference stands.
fn position(site: &ReferenceSite) -> (&str, u32, u32) {
    (&site.path, site.line, site.column)
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, proptest};

    use super::*;

    fn reference(holder: u32) -> ReferenceSite {
        ReferenceSite {
            name: String::new(),
            kind: RelationshipKind::Calls,
            path: String::new(),
            line: 1,
            column: 1,
            evidence: Evidence::Exact,
            basis: "",
            probability: 1.0,
            text: String::new(),
            steps: Vec::new(),
            is_named: false,
            similarity: None,
            holder: EntityId(holder),
        }
    }

    proptest! {
        #[test]
        fn what_is_similar_stays_and_a_larger_bound_never_keeps_more(
            similarities in vec(-1.0..1.0_f64, 1..20), low in -1.0..1.0_f64, more in 0.0..1.0_f64,
        ) {
            let known: BTreeMap<EntityId, f64> = (0..).map(EntityId).zip(similarities).collect();
            let kept = |least: f64| -> BTreeSet<EntityId> {
                let mut references: Vec<ReferenceSite> = (0..25).map(reference).collect();
                keep_similar(&mut references, &known, least);
                references.iter().map(|reference| reference.holder).collect()
            };
            let (many, few) = (kept(low), kept(low + more));
            assert!(few.is_subset(&many));
            assert!(known.iter().all(|(id, similarity)| many.contains(id) == (*similarity >= low)));
            assert!(many.iter().all(|id| known.contains_key(id)), "what has no vector is not similar");
        }
    }
}
