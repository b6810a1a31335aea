//! The tests of a definition: those that a change of its body is likely to reach.

use rustc_hash::FxHashSet;

use crate::{
    model::Evidence,
    query::{
        graph::Graph,
        impact::{
            describe, listed, seeds,
            walk::{Limits, Reached, WalkNode, factors::Change},
            walked,
        },
        target::Target,
    },
    store::{error::StoreError, read::Entity},
};

/// A test with the place at which its chain to the definition begins.
#[derive(Clone, Debug, PartialEq)]
pub struct TestOf {
    pub test: String,
    pub probability: f64,
    /// Number of relationships from the test to the definition.
    pub distance: u32,
    /// The weakest one on the chain.
    pub evidence: Evidence,
    /// Where the test refers to the next definition of the chain.
    pub path: String,
    pub line: u32,
}

/// The tests that `impact` lists for a change of one definition's body, in its order.
pub fn tests_of(graph: &Graph, entity: Entity, limits: &Limits) -> Result<Vec<TestOf>, StoreError> {
    let seeds = seeds(graph.store, &[Target::of(vec![entity])])?;
    let walk = walked(graph, &seeds, Change::Body, &FxHashSet::default(), limits)?;
    let is_test = |(_, _, reached): &(String, WalkNode, &Reached)| reached.entity.is_test();
    let tests = listed(graph, &walk, &seeds).into_iter().filter(is_test).collect();
    let impacted = describe(graph, &walk, tests, Change::Body).into_iter();
    let found = impacted.filter_map(|test| {
        let first = test.via.first()?;
        Some(TestOf {
            probability: test.probability,
            distance: test.distance,
            evidence: test.evidence,
            path: first.path.to_string(),
            line: first.line,
            test: test.name,
        })
    });
    Ok(found.collect())
}
