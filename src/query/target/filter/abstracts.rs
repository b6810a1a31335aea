//! Whether a class is abstract: which of its methods, its own and the inherited ones, are still to be written.

use rustc_hash::{FxHashMap, FxHashSet};

use super::FilterReader;
use crate::{
    model::{EntityFlags, EntityKind, conventions::last_part},
    query::target::lineage,
    store::{error::StoreError, read::Entity},
};

/// Whether a class is abstract, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Abstractness {
    /// These methods are abstract, and it does not override them.
    Methods(Vec<Entity>),
    /// It derives from `ABC` itself, or has its metaclass, and no method is abstract: it can be made.
    NoMethods,
    /// It is like any other class.
    Concrete,
}

impl FilterReader<'_> {
    /// Whether a class is abstract: it defines an abstract method, or it is an `ABC` and inherits one that it does not
    /// override.
    pub fn abstractness(&self, class: &Entity) -> Result<Abstractness, StoreError> {
        if class.record.kind != EntityKind::Class {
            return Ok(Abstractness::Concrete);
        }
        let mut seen: FxHashSet<String> = FxHashSet::default();
        let (mut own, mut open) = (0, Vec::new());
        for id in std::iter::once(class.id).chain(lineage(self.store, class.id)?) {
            let mut members = self.store.children(id)?;
            // `self.x = 1` is set when the object is there already.
            members.retain(|member| !member.record.flags.has(EntityFlags::INSTANCE_ATTRIBUTE));
            let names: FxHashSet<String> = members.iter().map(|member| member.record.name.clone()).collect();
            let is_open =
                |member: &Entity| member.record.flags.has(EntityFlags::ABSTRACT) && !seen.contains(&member.record.name);
            let mut added: Vec<Entity> = members.into_iter().filter(is_open).collect();
            // A property has a setter of its name.
            added.dedup_by(|a, b| a.record.name == b.record.name);
            own += if id == class.id { added.len() } else { 0 };
            open.extend(added);
            seen.extend(names);
        }
        let is_protocol = |name: &str| last_part(name) == "Protocol";
        let has_metaclass = |reader: &Self| reader.is_made_by(class, "ABCMeta", &mut FxHashSet::default());
        if !open.is_empty()
            && (own > 0 || has_metaclass(self)? || self.derives(class, &is_protocol, &mut FxHashMap::default())?)
        {
            return Ok(Abstractness::Methods(open));
        }
        let (bodies, at) = (self.bodies(class)?, (class.record.line, class.record.column));
        let is_abc = bodies.bases_at(at).iter().any(|base| last_part(&base.imported) == "ABC")
            || bodies.metaclass_at(at).is_some_and(|metaclass| last_part(&metaclass.imported) == "ABCMeta");
        Ok(if is_abc { Abstractness::NoMethods } else { Abstractness::Concrete })
    }
}
