//! Candidates that assign to the name.

use crate::{
    model::{Relationship, RelationshipKind},
    query::{graph::Graph, source::Sources},
    store::error::StoreError,
};

/// A possible relationship; it writes where the source assigns to the name.
pub(crate) fn as_written(
    graph: &Graph,
    sources: &Sources,
    relationship: Relationship,
    name: &str,
) -> Result<Relationship, StoreError> {
    let is_written = is_written(graph, sources, &relationship, name)?;
    Ok(if is_written { Relationship { kind: RelationshipKind::Writes, ..relationship } } else { relationship })
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
