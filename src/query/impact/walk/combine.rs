//! Two ways to one entity, combined.
//!
//! A walk keeps the best chain of each entity and the other relationships that it read on the way; from these come
//! probabilities that count a second way. No relationship is followed again.
//!
//! Chains share their ends and part somewhere. From there on they are taken as independent: an entity reached with *p*
//! on one and *q* on the other is reached with 1 − (1 − *p*)(1 − *q*) from where they part. The shared end counts
//! once. Only the best way besides the best chain counts: ways are seldom quite independent, and with four the
//! probabilities were further from the traces (benches/history/2026-11.md, Accuracy).

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use crate::{
    model::Relationship,
    query::{
        graph::Order,
        impact::walk::{Reached, WalkNode, WalkStep},
    },
};

/// Ways that are kept for an entity, of which one is chosen.
const KEPT: usize = 4;

/// A relationship into an entity that is not on its best chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OtherWay {
    pub step: WalkStep,
    /// Of this relationship alone.
    pub probability: f64,
    /// Of the best chain that ends with it.
    pub chain: f64,
    /// Where the entity stands that it comes from.
    pub order: Order,
}

impl OtherWay {
    /// The more probable first; equal ones by their places, never by ids.
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |way: &Self| {
            let Relationship { line, column, kind, .. } = way.step.relationship;
            (way.order, way.step.from.1, line, column, kind)
        };
        other.chain.total_cmp(&self.chain).then_with(|| place(self).cmp(&place(other)))
    }
}

/// The best ways to each entity.
#[derive(Debug, Default)]
pub(crate) struct Ways(FxHashMap<WalkNode, Vec<OtherWay>>);

impl Ways {
    /// Keeps a way if it is one of the best from different entities.
    pub(crate) fn add(&mut self, to: WalkNode, way: OtherWay) {
        let ways = self.0.entry(to).or_default();
        if let Some(known) = ways.iter().position(|known| known.step.from == way.step.from) {
            if ways[known].cmp(&way).is_le() {
                return;
            }
            ways.remove(known);
        }
        let at = ways.partition_point(|known| known.cmp(&way).is_le());
        ways.insert(at, way);
        ways.truncate(KEPT);
    }

    /// Raises the probability of entities reached on a second way, and returns that way. `order` is that of the walk,
    /// in which each entity stands behind those on its best chain.
    pub(crate) fn combine(
        &self,
        order: &[WalkNode],
        reached: &mut FxHashMap<WalkNode, Reached>,
    ) -> FxHashMap<WalkNode, WalkStep> {
        let best: FxHashMap<WalkNode, f64> = order.iter().map(|node| (*node, reached[node].probability)).collect();
        let mut seconds = FxHashMap::default();
        for node in order {
            let Some(WalkStep { from, relationship }) = reached[node].step else { continue };
            // Two relationships of one place are two readings of the same code.
            let place = (relationship.line, relationship.column);
            let is_other =
                |step: WalkStep| step.from != from && (step.relationship.line, step.relationship.column) != place;
            let first = best[node] / best[&from] * reached[&from].probability;
            let mut ways = self.0.get(node).into_iter().flatten().filter(|way| is_other(way.step));
            let way = ways.find_map(|way| Some((way, parting(reached, *node, way.step.from)?)));
            let probability = match way {
                Some((way, parting)) => {
                    seconds.insert(*node, way.step);
                    let second = reached[&way.step.from].probability * way.probability;
                    either(reached[&parting].probability, first, second)
                }
                None => first,
            };
            reached.get_mut(node).expect("the walk reached it").probability = probability;
        }
        seconds
    }
}

/// The probability of reaching an entity with `first` on one way and `second` on another, both from an entity that is
/// reached with `shared`. Where a second way raised an entity on one of the ways, that way can be more probable than
/// `shared`.
fn either(shared: f64, first: f64, second: f64) -> f64 {
    let fails = |way: f64| 1.0 - (way / shared).min(1.0);
    (shared * (1.0 - fails(first) * fails(second))).max(first).max(second)
}

/// Where the best chains of two entities part; `None` if `other` was not reached, or by way of `node`.
fn parting(reached: &FxHashMap<WalkNode, Reached>, node: WalkNode, other: WalkNode) -> Option<WalkNode> {
    let chain = |from: WalkNode| {
        std::iter::successors(Some(from), |at| reached.get(at).and_then(|reached| reached.step).map(|step| step.from))
    };
    if !reached.contains_key(&other) || chain(other).any(|at| at == node) {
        return None;
    }
    chain(other).find(|at| chain(node).any(|on| on == *at))
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashSet;

    use super::*;
    use crate::query::{
        fixture::Fixture,
        impact::walk::{Least, Limits, factors::Change, walk},
        target::{TargetMatch, look_up},
    };
    use crate::{
        model::{Basis, EntityKind::*, RelationshipKind::*},
        query::graph::Graph,
    };

    /// The probabilities of all that a change of `shop.target` reaches, and on which other way.
    fn check(fixture: &mut Fixture, expected: &[(&str, f64, Option<&str>)]) {
        let store = fixture.store();
        let graph = Graph::new(&store).expect("a store in memory");
        let Ok(TargetMatch::Found(target)) = look_up(&store, "shop.target", "") else { panic!("no target") };
        let head = graph.head(target.main().id).unwrap().unwrap();
        let limits = Limits { least: Least::Probability(0.01), ..Limits::default() };
        let found = walk(&graph, &[head], Change::Body, &FxHashSet::default(), &limits).unwrap();
        for (name, probability, also) in expected {
            let named = |(_, reached): &(&WalkNode, &Reached)| reached.entity.name() == *name;
            let (node, reached) = found.reached.iter().find(named).expect("it is reached");
            assert!((reached.probability - probability).abs() < 1e-9, "{name}: {}", reached.probability);
            let second = found.seconds.get(node).map(|step| found.reached[&step.from].entity.name().to_owned());
            assert_eq!(second.as_deref(), *also, "{name}");
        }
    }

    fn shop() -> Fixture {
        let mut fixture = Fixture::default();
        fixture.file("shop.py", "shop");
        for (line, name) in [(1, "target"), (11, "a"), (21, "b"), (31, "user"), (41, "last")] {
            fixture.entity(Function, name, line, line + 8);
        }
        fixture
    }

    #[test]
    fn ways_that_part_at_the_target_are_independent() {
        let mut fixture = shop();
        fixture.edge("shop.a", Calls, "shop.target", 12, Basis::Scope);
        fixture.edge("shop.b", Calls, "shop.target", 22, Basis::Dispatched);
        fixture.edge("shop.user", Calls, "shop.a", 32, Basis::Scope);
        fixture.edge("shop.user", Calls, "shop.b", 33, Basis::Scope);
        let (scope, dispatched) = (Basis::Scope.probability(), Basis::Dispatched.probability());
        let (first, second) = (scope * scope * 0.8, dispatched * scope * 0.8);
        let user = 1.0 - (1.0 - first) * (1.0 - second);
        check(&mut fixture, &[("a", scope, None), ("b", dispatched, None), ("user", user, Some("b"))]);
    }

    /// `last` depends on `user` alone, however many ways there are to `user`.
    #[test]
    fn what_ways_share_counts_once() {
        let mut fixture = shop();
        fixture.edge("shop.a", Calls, "shop.target", 12, Basis::Dispatched);
        fixture.edge("shop.b", Calls, "shop.a", 22, Basis::Scope);
        fixture.edge("shop.user", Calls, "shop.a", 32, Basis::Scope);
        fixture.edge("shop.user", Calls, "shop.b", 33, Basis::Scope);
        fixture.edge("shop.last", Calls, "shop.user", 42, Basis::Scope);
        let (shared, step) = (Basis::Dispatched.probability(), Basis::Scope.probability() * 0.8);
        let user = shared * (1.0 - (1.0 - step) * (1.0 - step * step));
        check(&mut fixture, &[("a", shared, None), ("user", user, Some("b")), ("last", user * step, None)]);
    }

    /// `user` calls `a`, which calls it back: that leads nowhere else.
    #[test]
    fn a_way_back_is_no_way() {
        let mut fixture = shop();
        fixture.edge("shop.user", Calls, "shop.target", 32, Basis::Dispatched);
        fixture.edge("shop.a", Calls, "shop.user", 12, Basis::Scope);
        fixture.edge("shop.user", Calls, "shop.a", 33, Basis::Scope);
        check(&mut fixture, &[("user", Basis::Dispatched.probability(), None)]);
    }
}
