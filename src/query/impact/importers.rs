//! Imports that may fail without harm.
//!
//! Goes in: definitions that are to go. Comes out: the imports over which that spreads no further: those that stand under
//! an `if` or a `try`, as `if TYPE_CHECKING:` and what falls back to something else do.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::{
    model::{EntityId, EntityKind, Relationship, RelationshipKind},
    query::{graph::Graph, source::Sources},
    store::{error::StoreError, read::Entity},
};

/// Modules that are looked at.
const MAX_MODULES: usize = 2_000;
/// Lines that one import may take.
const MAX_LINES: u32 = 100;

/// The imports that carry no failure of a module to those who import it.
pub(crate) fn guarded(
    graph: &Graph,
    sources: &Sources,
    seeds: &[Entity],
) -> Result<FxHashSet<Relationship>, StoreError> {
    let mut guarded = FxHashSet::default();
    let (mut failing, mut unharmed) = (FxHashSet::default(), FxHashSet::default());
    let mut queue = VecDeque::new();
    for seed in seeds {
        for (import, is_guarded) in imports_of(graph, sources, seed.id)? {
            if is_guarded {
                unharmed.insert(import.source);
            } else if failing.insert(import.source) {
                queue.push_back(import.source);
            }
        }
    }
    while let Some(module) = queue.pop_front().filter(|_| failing.len() < MAX_MODULES) {
        for (import, is_guarded) in imports_of(graph, sources, module)? {
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
fn imports_of(graph: &Graph, sources: &Sources, target: EntityId) -> Result<Vec<(Relationship, bool)>, StoreError> {
    let mut imports = Vec::new();
    for import in graph.incoming(target)?.into_iter().filter(|edge| edge.kind == RelationshipKind::Imports) {
        let Some(source) = graph.head(import.source)?.filter(|source| source.kind == EntityKind::Module) else {
            continue;
        };
        let first = import.line.saturating_sub(MAX_LINES).max(1);
        let text = sources.lines(graph.path(&source), first, import.line).unwrap_or_default();
        imports.push((import, is_guarded(&text)));
    }
    Ok(imports)
}

/// Whether the import statement that `text` ends in is indented.
fn is_guarded(text: &str) -> bool {
    let starts = |line: &&str| ["from ", "import "].iter().any(|word| line.trim_start().starts_with(word));
    text.lines().rev().find(starts).is_some_and(|line| line.starts_with([' ', '\t']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_indented_import_is_guarded() {
        assert!(is_guarded("import os\nif TYPE_CHECKING:\n    from shop import Cart"));
        assert!(!is_guarded("from shop import (\n    Cart,\n    total,"));
        assert!(!is_guarded("    import os\nfrom shop import Cart"));
    }
}
