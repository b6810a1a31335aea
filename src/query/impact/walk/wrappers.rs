//! Wrappers that decorators put before functions.
//!
//! A wrapper calls every function that its decorator stands on, and each of their users calls the wrapper. So the walk
//! goes on from a wrapper to those alone who use the function that it came from.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::{
    model::{Basis, EntityId, EntityKind, Relationship, RelationshipKind},
    query::graph::Graph,
    store::{error::StoreError, read::entity_headers::Head},
};

/// Whether a call stands in a wrapper that a decorator of the called function made: in a function inside the decorator,
/// or in `__call__` of a class that is one.
pub(crate) fn is_by_wrapper(graph: &Graph, call: &Relationship) -> Result<bool, StoreError> {
    if call.kind != RelationshipKind::Calls {
        return Ok(false);
    }
    let Some(caller) = graph.head(call.source)? else { return Ok(false) };
    let mut around = parent(graph, &caller)?;
    let is_made = |around: &Head| around.kind.is_callable() || caller.name() == "__call__";
    if !around.as_deref().is_some_and(is_made) {
        return Ok(false);
    }
    while let Some(head) = around {
        let decorated = graph.decorated_with(head.id)?;
        if decorated.iter().any(|edge| edge.source == call.target) {
            return Ok(true);
        }
        around = parent(graph, &head)?;
    }
    Ok(false)
}

/// Those who use the function behind a wrapper; another wrapper of it, or the same one once more, is none of them.
pub(crate) fn users(graph: &Graph, wrapped: EntityId) -> Result<FxHashSet<EntityId>, StoreError> {
    let mut users = FxHashSet::default();
    for edge in graph.dependents(wrapped)? {
        if !is_by_wrapper(graph, &edge)? {
            users.insert(edge.source);
        }
    }
    Ok(users)
}

/// The functions in whose place a wrapper stands, each as if it called the wrapper.
pub(crate) fn replaced(graph: &Graph, wrapper: &Head) -> Result<Vec<Relationship>, StoreError> {
    let Some(mut around) = parent(graph, wrapper)? else { return Ok(Vec::new()) };
    if !around.kind.is_callable() || !graph.code_around(wrapper)?.bodies.is_wrapper_at((wrapper.line, wrapper.column)) {
        return Ok(Vec::new());
    }
    loop {
        let decorated = graph.decorated_with(around.id)?;
        if !decorated.is_empty() {
            let (target, kind, basis) = (wrapper.id, RelationshipKind::Calls, Basis::Returned);
            return Ok(decorated.into_iter().map(|edge| Relationship { target, kind, basis, ..edge }).collect());
        }
        // `@retry(3)`: the decorator is made by a function around it.
        match parent(graph, &around)?.filter(|outer| outer.kind.is_callable()) {
            Some(outer) => around = outer,
            None => return Ok(Vec::new()),
        }
    }
}

/// The definition around one, but for its module.
fn parent(graph: &Graph, head: &Head) -> Result<Option<Rc<Head>>, StoreError> {
    Ok(graph.head(head.parent)?.filter(|parent| parent.kind != EntityKind::Module))
}
