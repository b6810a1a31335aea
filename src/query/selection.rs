//! The tests to run for a change.
//!
//! Goes in: the entities that a change reaches. Comes out: what pytest takes on its command line, most probable first.
//! Set-up code stands for the tests that it prepares: a `setUp` for its class, module code for its file.

use rustc_hash::FxHashSet;

use crate::{
    model::{EntityFlags, EntityKind, Evidence},
    query::{
        graph::Graph,
        impact::rounded,
        walk::{Knot, Reached, Role},
    },
    store::heads::Head,
};

/// A test with what is known about the way to it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReachedTest {
    pub id: String,
    pub probability: f64,
    pub distance: u32,
    pub evidence: Evidence,
}

/// The tests among `reached`, in that order, each once; an id that covers others does not hide them.
pub fn reached_tests<'w>(graph: &Graph, reached: impl Iterator<Item = (Knot, &'w Reached)>) -> Vec<ReachedTest> {
    let mut seen = FxHashSet::default();
    let mut tests = Vec::new();
    for (_, reached) in reached.filter(|(knot, _)| knot.1 != Role::Importer) {
        let Some(id) = id_of(graph, &reached.entity).filter(|id| seen.insert(id.clone())) else { continue };
        let probability = rounded(reached.probability);
        tests.push(ReachedTest { id, probability, distance: reached.distance, evidence: reached.evidence });
    }
    tests
}

/// The ids of these tests. What follows from a file or class already listed is left out.
pub fn test_ids(tests: &[ReachedTest]) -> Vec<String> {
    let mut seen = FxHashSet::default();
    let mut ids = Vec::new();
    for ReachedTest { id, .. } in tests {
        let is_covered = id.match_indices("::").any(|(at, _)| seen.contains(&id[..at]));
        if !is_covered && seen.insert(id.as_str()) {
            ids.push(id.clone());
        }
    }
    ids
}

/// What pytest runs because of an entity; `None` outside of tests.
pub fn id_of(graph: &Graph, head: &Head) -> Option<String> {
    let file = graph.file(head.file).filter(|file| file.is_test)?;
    test_id(&file.path, head)
}

/// What pytest runs because of an entity in `path`.
fn test_id(path: &str, head: &Head) -> Option<String> {
    let parts: Vec<&str> = head.qualified.split('.').filter(|part| !part.is_empty()).collect();
    let joined = |parts: &[&str]| std::iter::once(path).chain(parts.iter().copied()).collect::<Vec<_>>().join("::");
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_test_file = name.starts_with("test") || name.ends_with("_test.py");
    match head.name() {
        _ if head.kind.is_callable() && head.flags.has(EntityFlags::TEST) => Some(joined(&parts)),
        "setUp" | "tearDown" | "setUpClass" | "tearDownClass" | "setup_method" | "teardown_method" | "setup_class"
        | "teardown_class"
            if parts.len() > 1 && is_test_file =>
        {
            Some(joined(&parts[..parts.len() - 1]))
        }
        "setUpModule" | "tearDownModule" | "setup_module" | "teardown_module" | "setup_function"
        | "teardown_function"
            if parts.len() == 1 && is_test_file =>
        {
            Some(path.to_owned())
        }
        _ if head.kind == EntityKind::Module && is_test_file => Some(path.to_owned()),
        _ => None,
    }
}
