//! An entity's own references to the changed definition, where a longer chain is more probable.
//!
//! Each entity with such a reference gets distance 1 and the reference as its chain; the more probable chain stays as
//! the second way. A change that breaks a reference breaks it there, however else the entity is reached.

use rustc_hash::FxHashMap;

use crate::{
    model::EntityId,
    query::{
        graph::Order,
        impact::walk::{Reached, Role, WalkNode, WalkStep},
    },
};

/// The best relationship of each entity to the changed definition.
#[derive(Default)]
pub(crate) struct Direct {
    best: FxHashMap<EntityId, (f64, Order, WalkStep)>,
}

impl Direct {
    /// `from` is the order of the entity to which the step leads.
    pub(crate) fn note(&mut self, source: EntityId, probability: f64, from: Order, step: WalkStep) {
        let place = |order: Order, step: &WalkStep| {
            let relationship = step.relationship;
            (order, step.from.1, relationship.line, relationship.column, relationship.kind)
        };
        let new = (probability, from, step);
        let known = self.best.entry(source).or_insert(new);
        let order = known.0.total_cmp(&probability).then_with(|| place(from, &step).cmp(&place(known.1, &known.2)));
        if order.is_lt() {
            *known = new;
        }
    }

    /// Gives entities their own relationship, and every chain its length again.
    pub(crate) fn apply(self, reached: &mut FxHashMap<WalkNode, Reached>, seconds: &mut FxHashMap<WalkNode, WalkStep>) {
        let mut is_changed = false;
        #[expect(clippy::iter_over_hash_type, reason = "each is changed for itself")]
        for (source, (_, _, step)) in self.best {
            let node = (source, Role::Affected);
            let Some(evidence) = reached.get(&step.from).map(|from| from.evidence) else { continue };
            let Some(at) = reached.get_mut(&node).filter(|at| at.distance > 1) else { continue };
            if let Some(longer) = at.step.replace(step) {
                seconds.entry(node).or_insert(longer);
            }
            at.evidence = evidence.max(step.relationship.basis.evidence());
            is_changed = true;
        }
        if is_changed {
            measure(reached);
        }
    }
}

/// Counts the relationships of each chain; those to nodes between are none.
fn measure(reached: &mut FxHashMap<WalkNode, Reached>) {
    let mut known: FxHashMap<WalkNode, u32> = FxHashMap::default();
    let nodes: Vec<WalkNode> = reached.keys().copied().collect();
    for node in nodes {
        let mut chain = Vec::new();
        let mut at = node;
        while !known.contains_key(&at) {
            chain.push(at);
            match reached.get(&at).and_then(|reached| reached.step) {
                Some(step) => at = step.from,
                None => break,
            }
        }
        let mut distance = known.get(&at).copied().unwrap_or(0);
        for &at in chain.iter().rev() {
            let is_reached = reached.get(&at).is_some_and(|reached| reached.step.is_some());
            distance += u32::from(is_reached && at.1.is_dependent());
            known.insert(at, distance);
        }
    }
    #[expect(clippy::iter_over_hash_type, reason = "each is changed for itself")]
    for (node, at) in reached.iter_mut() {
        at.distance = known.get(node).copied().unwrap_or(at.distance);
    }
}
