//! The place of a class in its hierarchy: inherited members, subclasses, and whether all bases are known.

use std::collections::{BTreeSet, VecDeque};

use super::Judge;
use crate::{
    facts::Interface,
    model::{EntityId, EntityKind, FileId},
    query::target::bases,
    store::{error::StoreError, read::Entity},
};

/// Last names of library bases that add almost no members.
const WELL_KNOWN: [&str; 10] =
    ["ABC", "Enum", "Flag", "Generic", "IntEnum", "IntFlag", "NamedTuple", "Protocol", "StrEnum", "TypedDict"];

/// Most classes above or below one that are read.
pub(super) const MAX_HEIRS: usize = 500;

/// Whether a base as written is `object`, or one of [`WELL_KNOWN`].
pub(super) fn adds_nothing(base: &str) -> bool {
    let last = base.rsplit('.').next().unwrap_or(base);
    last == "object" || WELL_KNOWN.contains(&last)
}

impl Judge<'_, '_> {
    /// The member that a class inherits, nearest base first.
    pub(super) fn inherited(&self, class: EntityId, name: &str) -> Result<Option<Entity>, StoreError> {
        for base in self.with_bases(class)?.into_iter().skip(1) {
            let found = self.store.children(base)?.into_iter().find(|child| child.record.name == name);
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// A class and its indexed bases, nearest first.
    pub(super) fn with_bases(&self, class: EntityId) -> Result<Vec<EntityId>, StoreError> {
        let (mut queue, mut found) = (VecDeque::from([class]), Vec::new());
        while let Some(at) = queue.pop_front() {
            if found.len() >= MAX_HEIRS || found.contains(&at) {
                continue;
            }
            found.push(at);
            queue.extend(bases(self.store, at)?);
        }
        Ok(found)
    }

    /// Whether a class has a base outside of the repository, direct or inherited: its members are unknown then.
    pub(super) fn has_outside_base(&self, class: EntityId) -> Result<bool, StoreError> {
        let (mut queue, mut seen) = (vec![class], BTreeSet::new());
        while let Some(at) = queue.pop() {
            if seen.len() >= MAX_HEIRS || !seen.insert(at) {
                continue;
            }
            let known = bases(self.store, at)?;
            // The source names more bases than the index has: one is from outside.
            if self.written_bases(at)? > known.len() {
                return Ok(true);
            }
            queue.extend(known);
        }
        Ok(false)
    }

    /// Number of bases that a class names, without `object` and those of [`WELL_KNOWN`].
    fn written_bases(&self, class: EntityId) -> Result<usize, StoreError> {
        Ok(self.bases_as_written(class)?.iter().filter(|base| !adds_nothing(base)).count())
    }

    /// Whether a class is a protocol: the values passed for it need not derive from it.
    pub(super) fn is_protocol(&self, class: EntityId) -> Result<bool, StoreError> {
        Ok(self.bases_as_written(class)?.iter().any(|base| base.rsplit('.').next() == Some("Protocol")))
    }

    /// The dotted names of a class's bases.
    fn bases_as_written(&self, class: EntityId) -> Result<BTreeSet<String>, StoreError> {
        let Some(head) = self.graph.head(class)? else { return Ok(BTreeSet::new()) };
        let Some(file) = self.graph.file(head.file) else { return Ok(BTreeSet::new()) };
        let interface = self.store.interface(&file.content_hash)?.and_then(|bytes| Interface::decode(&bytes));
        let ids = self.store.entity_ids(head.file)?;
        let index = ids.iter().position(|id| *id == class).and_then(|index| u32::try_from(index).ok());
        let (Some(interface), Some(index)) = (interface, index) else { return Ok(BTreeSet::new()) };
        let bases = interface.class(index).map(|class| class.bases.as_slice()).unwrap_or_default();
        let text = |parts: &[crate::facts::NameId]| {
            parts.iter().map(|part| interface.names.text(*part)).collect::<Vec<_>>().join(".")
        };
        Ok(bases.iter().map(|base| text(&base.parts)).collect())
    }

    /// Whether a class or a base of it sets attributes with computed names.
    pub(super) fn sets_computed_names(&self, class: EntityId) -> Result<bool, StoreError> {
        for at in self.with_bases(class)? {
            let Some(head) = self.graph.head(at)? else { continue };
            for &line in &self.uses(head.file)?.computed {
                let source = self.source_at(head.file, line)?;
                if source.map(|source| self.enclosing_class(source)).transpose()?.flatten() == Some(at) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether the class around a place has subclasses, which decide the target of `super()`.
    pub(super) fn is_inherited(&self, source: EntityId) -> Result<bool, StoreError> {
        let Some(class) = self.enclosing_class(source)? else { return Ok(false) };
        Ok(self.heirs(class)?.len() > 1)
    }

    /// A class with all its subclasses.
    pub(super) fn heirs(&self, class: EntityId) -> Result<BTreeSet<EntityId>, StoreError> {
        let (mut queue, mut heirs) = (vec![class], BTreeSet::new());
        while let Some(at) = queue.pop() {
            if heirs.len() >= MAX_HEIRS || !heirs.insert(at) {
                continue;
            }
            queue.extend(self.graph.heirs(at)?.iter().map(|relationship| relationship.source));
        }
        Ok(heirs)
    }

    /// Whether an occurrence on `self` lies inside one of these classes; only then it means their attribute.
    pub(super) fn is_own(
        &self,
        source: EntityId,
        receiver: &str,
        heirs: &BTreeSet<EntityId>,
    ) -> Result<bool, StoreError> {
        if receiver != "self" && receiver != "cls" {
            return Ok(true);
        }
        Ok(self.is_inside(source, heirs) || self.enclosing_class(source)?.is_none())
    }

    pub(super) fn is_inside(&self, source: EntityId, heirs: &BTreeSet<EntityId>) -> bool {
        self.enclosing_class(source).ok().flatten().is_some_and(|class| heirs.contains(&class))
    }

    pub(super) fn enclosing_class(&self, source: EntityId) -> Result<Option<EntityId>, StoreError> {
        let mut at = source;
        for _ in 0..20 {
            let Some(head) = self.graph.head(at)? else { return Ok(None) };
            match head.kind {
                EntityKind::Class => return Ok(Some(at)),
                EntityKind::Module => return Ok(None),
                _ => at = head.parent,
            }
        }
        Ok(None)
    }

    /// The innermost definition at a line of a file. An import belongs to the definition around it.
    pub(super) fn source_at(&self, file: FileId, line: u32) -> Result<Option<EntityId>, StoreError> {
        let entities = self.store.entities_of(file)?;
        let around = entities.iter().filter(|entity| {
            entity.record.kind != EntityKind::Variable
                && (entity.record.start_line..=entity.record.end_line).contains(&line)
        });
        let innermost =
            around.max_by_key(|entity| (entity.record.start_line, entity.record.kind != EntityKind::Module));
        Ok(innermost.or(entities.first()).map(|entity| entity.id))
    }
}
