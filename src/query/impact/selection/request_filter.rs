//! Tests that request other views of an application than the one through which a change reaches them.
//!
//! An application runs a view when a test requests its path. Code that uses the application may run all of its views,
//! but a test that requests certain paths runs their views. So a test becomes less probable when its chain passes the
//! application of the changed view and it requests only other views. Nothing is concluded about a view that nothing
//! requests by its path, nor about a test with a request whose view is unknown.

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    model::{Basis, EntityId, FileId, Relationship, RelationshipKind, Unresolved},
    query::{
        graph::Graph,
        impact::walk::{Limits, Reached, Role, Walk, WalkNode, WalkStep},
    },
    store::error::StoreError,
};

/// Factor for a test that requests only other views. Of those of a project, over 26 functions, one in thirty ran the
/// function (12 of 428), where half was claimed.
const FOR_OTHERS: f64 = 0.1;
/// How many calls may lie between a test and the request that is made for it.
const MAX_STEPS: u32 = 3;
/// Most entities that are looked at between requests for one view and tests.
const MAX_ENTITIES: usize = 1_000;

/// The views that each entity of a file requests.
type RequestedViews = FxHashMap<EntityId, Vec<EntityId>>;

/// Weighs the tests of a walk.
pub(crate) fn weigh_requests(graph: &Graph, walk: &mut Walk, limits: &Limits) -> Result<(), StoreError> {
    let mut askers: FxHashMap<EntityId, FxHashSet<EntityId>> = FxHashMap::default();
    let mut asked: FxHashMap<FileId, RequestedViews> = FxHashMap::default();
    let mut others: Vec<WalkNode> = Vec::new();
    #[expect(clippy::iter_over_hash_type, reason = "each is judged for itself")]
    for (&node, reached) in &walk.reached {
        if !reached.entity.is_test() || node.1 != Role::Affected || !walk.is_listed(reached) {
            continue;
        }
        let Some(view) = view_on(walk, reached) else { continue };
        let askers = match askers.entry(view) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(askers_of(graph, view)?),
        };
        if askers.is_empty() || askers.contains(&node.0) {
            continue;
        }
        let asked = match asked.entry(reached.entity.file) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(asked_in(graph, reached.entity.file)?),
        };
        let is_affected = |view: &EntityId| walk.reached.contains_key(&(*view, Role::Affected));
        let asks_for_others = asked.get(&node.0).is_some_and(|views| !views.iter().any(is_affected));
        if asks_for_others {
            others.push(node);
        }
    }
    if others.is_empty() {
        return Ok(());
    }
    // The entities with requests whose views are unknown.
    let unresolved = graph.unresolved_named(Unresolved::REQUEST)?;
    let unresolved: FxHashSet<EntityId> = unresolved.iter().map(|request| request.source).collect();
    for node in others.into_iter().filter(|node| !unresolved.contains(&node.0)) {
        if let Some(reached) = walk.reached.get_mut(&node) {
            reached.probability *= FOR_OTHERS;
        }
    }
    walk.compare(limits.least);
    Ok(())
}

/// The view whose application the chain to a test passes.
fn view_on(walk: &Walk, test: &Reached) -> Option<EntityId> {
    let registers =
        |step: &WalkStep| step.relationship.kind == RelationshipKind::Registers && step.from.1 == Role::Affected;
    walk.steps(test).find(registers).map(|step| step.from.0)
}

/// Who asks for a view by its path, and whoever calls or uses that.
fn askers_of(graph: &Graph, view: EntityId) -> Result<FxHashSet<EntityId>, StoreError> {
    let is_request = |edge: &&Relationship| edge.kind == RelationshipKind::Calls && edge.basis == Basis::Text;
    let incoming = graph.incoming(view)?;
    let mut next: Vec<EntityId> = incoming.iter().filter(is_request).map(|edge| edge.source).collect();
    let mut askers: FxHashSet<EntityId> = next.iter().copied().collect();
    for _ in 0..MAX_STEPS {
        for asker in std::mem::take(&mut next) {
            for edge in graph.incoming(asker)? {
                let runs = matches!(edge.kind, RelationshipKind::Calls | RelationshipKind::UsesFixture);
                if runs && askers.len() < MAX_ENTITIES && askers.insert(edge.source) {
                    next.push(edge.source);
                }
            }
        }
    }
    Ok(askers)
}

/// The views that the requests of a file run: a request calls its view by a text, and refers to it or to its class at
/// the same position.
fn asked_in(graph: &Graph, file: FileId) -> Result<RequestedViews, StoreError> {
    let relationships = graph.relationships_of(file)?;
    let by_text = |kind: RelationshipKind| {
        relationships.iter().filter(move |edge| edge.kind == kind && edge.basis == Basis::Text)
    };
    let place = |edge: &Relationship| (edge.source, edge.line, edge.column);
    let referring: FxHashSet<(EntityId, u32, u32)> = by_text(RelationshipKind::References).map(place).collect();
    let mut asked = RequestedViews::default();
    for edge in by_text(RelationshipKind::Calls).filter(|edge| referring.contains(&place(edge))) {
        asked.entry(edge.source).or_default().push(edge.target);
    }
    Ok(asked)
}
