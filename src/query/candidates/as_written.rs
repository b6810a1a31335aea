//! Candidates that assign to the name.

use crate::{
    model::{EntityFlags, Relationship, RelationshipKind},
    query::{graph::Graph, source::Sources},
    store::error::StoreError,
};

/// A possible relationship; it writes where the source assigns to the name, and calls the setter of a property.
pub(crate) fn as_written(
    graph: &Graph,
    sources: &Sources,
    relationship: Relationship,
    name: &str,
) -> Result<Relationship, StoreError> {
    let is_written = is_written(graph, sources, &relationship, name)?;
    if !is_written {
        return Ok(relationship);
    }
    // An assignment to a property calls its setter.
    let is_setter = graph.head(relationship.target)?.is_some_and(|target| target.flags.has(EntityFlags::SETTER));
    let kind = if is_setter { RelationshipKind::Calls } else { RelationshipKind::Writes };
    Ok(Relationship { kind, ..relationship })
}

fn is_written(graph: &Graph, sources: &Sources, place: &Relationship, name: &str) -> Result<bool, StoreError> {
    let Some(source) = graph.head(place.source)?.filter(|_| place.kind == RelationshipKind::References) else {
        return Ok(false);
    };
    let Some(line) = sources.line(graph.path(&source), place.line) else { return Ok(false) };
    let Some((_, after)) = line.split_once(&format!(".{name}")) else { return Ok(false) };
    let after = after.trim_start();
    Ok(after.starts_with('=') && !after.starts_with("=="))
}
