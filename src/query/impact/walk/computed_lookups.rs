//! Methods that a class looks up on itself by computed names: visitors, tables of states, renderers.
//!
//! A method without known uses may be the result of such a lookup, `getattr(self, name)`, in its class or in a base.

use rustc_hash::FxHashSet;

use crate::{
    model::{Basis, EntityId, EntityKind, Relationship, RelationshipKind, UnresolvedReason},
    query::{
        graph::Graph,
        impact::{completeness::COMPUTED, outside::library_callers::is_hook},
    },
    store::{error::StoreError, read::entity_headers::Head},
};

/// The places where a method may be asked for so.
pub(crate) fn asked_by_name(graph: &Graph, method: &Head) -> Result<Vec<Relationship>, StoreError> {
    let mut found = Vec::new();
    if method.kind != EntityKind::Method || !is_hook(method) {
        return Ok(found);
    }
    let accesses = graph.unresolved_named(COMPUTED)?;
    if accesses.is_empty() {
        return Ok(found);
    }
    let lineage: FxHashSet<EntityId> = graph.lineage(method.parent)?.iter().map(|class| class.id).collect();
    for access in accesses.iter().filter(|access| access.reason == UnresolvedReason::DynamicName) {
        let Some(source) = graph.head(access.source)?.filter(|source| lineage.contains(&source.parent)) else {
            continue;
        };
        if source.id != method.id && graph.code_around(&source)?.looks_up_on_itself(access.line) {
            let (target, line, column) = (method.id, access.line, access.column);
            let (kind, basis) = (RelationshipKind::Calls, Basis::Name);
            found.push(Relationship { target, kind, source: source.id, line, column, basis });
        }
    }
    Ok(found)
}
