//! Which of the best candidates are called by the others.
//!
//! A function that calls the answer shares many of its words. Among caller and callee, a question more often means the
//! callee.

use crate::{
    model::{EntityId, RelationshipKind},
    store::{Store, error::StoreError},
};

/// Number of best candidates that are compared with each other. The query of the store has as many parameters.
pub(super) const BEST: usize = 20;

/// The positions of the largest scores, largest first.
pub(super) fn best(scores: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    order.truncate(BEST);
    order
}

/// For each of the best, the sum of the shares of its callers, 0..=1. A share is the softmax of the scores: the
/// probability that a candidate is meant. `entities` belong to `best` one by one.
pub(super) fn shares(
    store: &Store,
    entities: &[Option<EntityId>],
    best: &[usize],
    scores: &[f64],
) -> Result<Vec<f64>, StoreError> {
    let largest = best.first().map_or(0.0, |at| scores[*at]);
    let worth: Vec<f64> = best.iter().map(|at| (scores[*at] - largest).exp()).collect();
    let all: f64 = worth.iter().sum();
    let sources: Vec<EntityId> = entities.iter().flatten().copied().collect();
    let mut shares = vec![0.0; best.len()];
    for (share, target) in shares.iter_mut().zip(entities) {
        let Some(target) = target else { continue };
        let callers = store.sources_among(*target, RelationshipKind::Calls, &sources)?;
        // A sum of fractions depends on its order: that of the scores, not that of the ids.
        for (at, source) in entities.iter().enumerate() {
            let is_caller = source.is_some_and(|source| source != *target && callers.contains(&source));
            *share += if is_caller && !entities[..at].contains(source) { worth[at] / all } else { 0.0 };
        }
    }
    Ok(shares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Basis, EntityKind},
        query::fixture::Fixture,
    };

    #[test]
    fn what_good_candidates_call_gets_their_share() {
        assert_eq!(best(&[0.1, 0.9, 0.5, 0.9]), [1, 3, 2, 0]);
        let mut fixture = Fixture::default();
        fixture.file("a.py", "a").entity(EntityKind::Function, "f", 1, 2).entity(EntityKind::Function, "g", 3, 4);
        let store = fixture
            .edge("a.f", RelationshipKind::Calls, "a.g", 1, Basis::Scope)
            .edge("a.f", RelationshipKind::Calls, "a.g", 2, Basis::Scope)
            .edge("a.g", RelationshipKind::Calls, "a.g", 3, Basis::Scope)
            .store();
        let entities = [Some(EntityId(2)), None, Some(EntityId(3))];
        let found = shares(&store, &entities, &[2, 0, 1], &[0.0, 0.0, 0.0]).unwrap();
        assert!(found[0].abs() < 1e-9 && found[1].abs() < 1e-9 && (found[2] - 1.0 / 3.0).abs() < 1e-9, "{found:?}");
        assert_eq!(shares(&store, &[], &[], &[]).unwrap(), Vec::<f64>::new());
    }
}
