//! The tests to run for a change.
//!
//! Goes in: the entities that a change reaches. Comes out: what pytest takes on its command line, most probable first.
//! Set-up code stands for the tests that it prepares: a `setUp` for its class, module code for its file.

use rustc_hash::FxHashSet;

use crate::{
    model::{EntityFlags, EntityKind},
    query::{
        graph::Graph,
        walk::{Knot, Reached, Role},
    },
    store::read::Entity,
};

/// Ids of the tests among `reached`, in that order, each once. What follows from a file or class already listed is
/// left out.
pub fn test_ids(graph: &Graph, reached: &[(Knot, &Reached)]) -> Vec<String> {
    let mut seen = FxHashSet::default();
    let mut ids = Vec::new();
    for (knot, reached) in reached {
        let entity = &reached.entity;
        if knot.1 == Role::Importer || !graph.file(entity.file).is_some_and(|file| file.is_test) {
            continue;
        }
        let Some(id) = test_id(entity) else { continue };
        let is_covered = id.match_indices("::").any(|(at, _)| seen.contains(&id[..at]));
        if !is_covered && seen.insert(id.clone()) {
            ids.push(id);
        }
    }
    ids
}

/// What pytest runs because of `entity`.
fn test_id(entity: &Entity) -> Option<String> {
    let record = &entity.record;
    let parts: Vec<&str> = record.qualified.split('.').filter(|part| !part.is_empty()).collect();
    let joined = |parts: &[&str]| {
        std::iter::once(entity.path.as_str()).chain(parts.iter().copied()).collect::<Vec<_>>().join("::")
    };
    let name = entity.path.rsplit('/').next().unwrap_or(&entity.path);
    let is_test_file = name.starts_with("test") || name.ends_with("_test.py");
    match record.name.as_str() {
        _ if record.kind.is_callable() && record.flags.has(EntityFlags::TEST) => Some(joined(&parts)),
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
            Some(entity.path.clone())
        }
        _ if record.kind == EntityKind::Module && is_test_file => Some(entity.path.clone()),
        _ => None,
    }
}
