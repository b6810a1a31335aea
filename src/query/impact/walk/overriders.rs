//! Which uses of a base's member can mean an object whose class overrides it.
//!
//! A use cannot reach an override on `self` or `super()` in a class from which no overriding class derives, nor as a
//! member of a named class.

use rustc_hash::FxHashSet;

use crate::{
    model::{Basis, EntityId, EntityKind, Relationship},
    query::graph::Graph,
    store::error::StoreError,
};

/// The classes of overriding members, with all that they derive from.
pub(crate) struct Overriders {
    classes: FxHashSet<EntityId>,
}

impl Overriders {
    /// Those of these members.
    pub(crate) fn of(graph: &Graph, members: impl IntoIterator<Item = EntityId>) -> Result<Self, StoreError> {
        let mut classes = FxHashSet::default();
        for member in members {
            let Some(member) = graph.head(member)? else { continue };
            classes.extend(graph.lineage(member.parent)?.iter().map(|class| class.id));
        }
        Ok(Self { classes })
    }

    /// Whether the object can be of one of the classes.
    pub(crate) fn can_be_meant(&self, graph: &Graph, relationship: &Relationship) -> Result<bool, StoreError> {
        match relationship.basis {
            Basis::Scope | Basis::Import => Ok(false),
            Basis::SelfMember => {
                let mut at = graph.head(relationship.source)?;
                while let Some(head) = at {
                    if head.kind == EntityKind::Class {
                        return Ok(self.classes.contains(&head.id));
                    }
                    at = if head.parent == head.id { None } else { graph.head(head.parent)? };
                }
                Ok(true)
            }
            _ => Ok(true),
        }
    }
}
