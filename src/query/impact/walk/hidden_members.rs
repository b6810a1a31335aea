//! Attributes of bases that an attribute of a class hides.
//!
//! A class variable, an instance attribute or a property hides the attribute of that name in the nearest base on each
//! way up. Code that reads it there on `self` or `cls` gets the hiding one in the derived class. The index keeps
//! `overrides` for methods alone; for attributes it is looked up on demand.

use rustc_hash::FxHashSet;

use crate::{
    model::{Basis, EntityId, EntityKind, Relationship, RelationshipKind, conventions::is_mangled},
    query::graph::Graph,
    store::{error::StoreError, read::entity_headers::Head},
};

/// The members of bases that `head` hides, in the order of the bases.
pub(crate) fn hidden_attributes(graph: &Graph, head: &Head) -> Result<Vec<Relationship>, StoreError> {
    let Some((class, name)) = attribute(graph, head)? else { return Ok(Vec::new()) };
    let mut hidden: Vec<Relationship> = Vec::new();
    let mut seen: FxHashSet<EntityId> = FxHashSet::default();
    let mut level = vec![class];
    while !level.is_empty() {
        let mut above = Vec::new();
        for class in &level {
            for inherits in graph.bases(class)? {
                let Some(base) = graph.head(inherits.target)?.filter(|base| seen.insert(base.id)) else { continue };
                let members = graph.store.members_named(base.id, name)?;
                if members.is_empty() {
                    above.push(base);
                }
                for id in members {
                    let Some(member) = graph.head(id)? else { continue };
                    let is_kept = head.kind == EntityKind::Property && member.kind.is_callable();
                    if !is_kept && (member.kind.is_callable() || member.kind == EntityKind::Variable) {
                        let (target, kind, basis) = (id, RelationshipKind::Overrides, Basis::Dispatched);
                        let Head { id: source, line, column, .. } = *head;
                        hidden.push(Relationship { target, kind, source, line, column, basis });
                    }
                }
            }
        }
        level = above;
    }
    Ok(hidden)
}

/// The class and the name of an attribute that others can read on an instance; a private name (`__x`) is the class's
/// own.
fn attribute<'h>(graph: &Graph, head: &'h Head) -> Result<Option<(std::rc::Rc<Head>, &'h str)>, StoreError> {
    let name = head.name();
    let is_private = is_mangled(name);
    if is_private || !matches!(head.kind, EntityKind::Variable | EntityKind::Property) {
        return Ok(None);
    }
    let class = graph.head(head.parent)?.filter(|parent| parent.kind == EntityKind::Class);
    Ok(class.map(|class| (class, name)))
}
