//! The names of the parameters that a definition is called with.
//!
//! A class takes those of its constructor. A class without one takes those of its bases' constructors, and the fields
//! from which a constructor could be made.

use std::collections::BTreeSet;

use crate::{
    model::{EntityFlags, EntityKind, conventions::is_constructor, signature::Signature},
    query::{graph::Graph, target::Target},
    store::{Store, error::StoreError, read::Entity},
};

/// The names, in the order of the source, each once; empty for a definition without parameters.
pub fn parameters_of(store: &Store, target: &Target) -> Result<Vec<String>, StoreError> {
    let graph = Graph::new(store)?;
    let mut names = Vec::new();
    for entity in &target.entities {
        match entity.record.kind {
            EntityKind::Class => of_class(&graph, entity, &mut names)?,
            _ if entity.record.kind.is_callable() => of_function(entity, &mut names),
            _ => {}
        }
    }
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    Ok(names)
}

fn of_function(entity: &Entity, names: &mut Vec<String>) {
    let Some(signature) = Signature::parse(&entity.record.signature) else { return };
    let is_static = entity.record.flags.has(EntityFlags::STATIC_METHOD);
    let is_bound = entity.record.kind != EntityKind::Function && !is_static;
    let signature = if is_bound { signature.bound() } else { signature };
    names.extend(signature.parameters.into_iter().map(|parameter| parameter.name));
}

fn of_class(graph: &Graph, class: &Entity, names: &mut Vec<String>) -> Result<(), StoreError> {
    let mut classes = vec![class.id];
    let mut next = 0;
    while let Some(&id) = classes.get(next) {
        next += 1;
        let children = graph.store.children(id)?;
        let (makers, others): (Vec<_>, Vec<_>) =
            children.into_iter().partition(|child| is_constructor(&child.record.name));
        for maker in &makers {
            of_function(maker, names);
        }
        if makers.iter().any(|maker| maker.record.name != "__post_init__") {
            continue;
        }
        let fields = others.into_iter().filter(|child| child.record.kind == EntityKind::Variable);
        names.extend(fields.map(|field| field.record.name));
        let Some(head) = graph.head(id)? else { continue };
        for inherits in graph.bases(&head)? {
            if !classes.contains(&inherits.target) {
                classes.push(inherits.target);
            }
        }
    }
    Ok(())
}
