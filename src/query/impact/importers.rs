//! Imports that may fail without harm.
//!
//! When definitions are removed, the failure does not spread over an import under an `if` or a `try`: `if
//! TYPE_CHECKING:` does not run, and a `try` has something to fall back on.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::{
    model::{EntityId, EntityKind, Relationship, RelationshipKind},
    query::graph::Graph,
    store::{error::StoreError, read::Entity},
};

/// Modules that are looked at.
const MAX_MODULES: usize = 2_000;

/// The imports that carry no failure of a module to those who import it.
pub(crate) fn guarded(graph: &Graph, seeds: &[Entity]) -> Result<FxHashSet<Relationship>, StoreError> {
    let mut guarded = FxHashSet::default();
    let (mut failing, mut unharmed) = (FxHashSet::default(), FxHashSet::default());
    let mut queue = VecDeque::new();
    for seed in seeds {
        for (import, is_guarded) in imports_of(graph, seed.id)? {
            if is_guarded {
                unharmed.insert(import.source);
            } else if failing.insert(import.source) {
                queue.push_back(import.source);
            }
        }
    }
    while let Some(module) = queue.pop_front().filter(|_| failing.len() < MAX_MODULES) {
        for (import, is_guarded) in imports_of(graph, module)? {
            if is_guarded {
                guarded.insert(import);
            } else if failing.insert(import.source) {
                queue.push_back(import.source);
            }
        }
    }
    for &module in unharmed.difference(&failing) {
        guarded.extend(graph.incoming(module)?.into_iter().filter(|edge| edge.kind == RelationshipKind::Imports));
    }
    Ok(guarded)
}

/// The imports of a definition that run when a module is imported, each with whether it is guarded.
fn imports_of(graph: &Graph, target: EntityId) -> Result<Vec<(Relationship, bool)>, StoreError> {
    let mut imports = Vec::new();
    for import in graph.incoming(target)?.into_iter().filter(|edge| edge.kind == RelationshipKind::Imports) {
        let Some(source) = graph.head(import.source)?.filter(|source| source.kind == EntityKind::Module) else {
            continue;
        };
        let is_guarded = graph.code_around(&source)?.guards_import(import.line);
        imports.push((import, is_guarded));
    }
    Ok(imports)
}
