//! Judges places that would still refer to a removed definition.
//!
//! The references come from `review::removed_references`. Places that `lost` already found by name are left out.

use std::collections::BTreeSet;

use super::{Claim, Judge, lost::Lost};
use crate::{
    model::{Basis, EntityKind, Relationship, RelationshipKind as K, conventions::is_special},
    query::impact::verdict::Verdict,
    resolve::is_object_member,
    review::removed_references::RemovedReference,
    store::error::StoreError,
};

impl Judge<'_, '_> {
    pub(super) fn removed_references(&mut self, references: &[RemovedReference]) -> Result<(), StoreError> {
        // A place and a name are reported once, though several classes may have lost the name.
        let last = |entity: &str| entity.rsplit('.').next().unwrap_or(entity).to_owned();
        let mut known: BTreeSet<(String, u32, String)> =
            self.findings.keys().map(|(path, line, _, entity)| (path.clone(), *line, last(entity))).collect();
        for references in references.chunk_by(|a, b| a.change == b.change) {
            let change = &self.changed[references[0].change];
            let Some((lost, (_, index))) = Lost::of(self, change).zip(change.old) else { continue };
            if is_object_member(&lost.record.name) {
                continue;
            }
            let is_member = lost.version.parent_kind(index) == EntityKind::Class;
            // The reason why the class may still have the lost member, and the inherited one that takes its place.
            let (provider, inherited) = match self.class_now(change)? {
                Some(class) => {
                    let inherited = self.inherited(class.id, &lost.record.name)?;
                    // A base that leaves the body to its heirs has nothing to run in its place.
                    let inherited = inherited.filter(|member| !member.record.flags.is_left_open());
                    (self.provider(&class, &lost)?, inherited.map(|member| member.full_name()))
                }
                // The finding about the class, which is no class any more, covers it.
                None if is_member => continue,
                None => (None, None),
            };
            for reference in references {
                if !self.is_its_own(&lost, reference, is_member)? {
                    continue;
                }
                let path = self.graph.file(reference.file).map(|file| file.path.clone()).unwrap_or_default();
                if known.insert((path, reference.relationship.line, last(&lost.entity))) {
                    match &inherited {
                        Some(inherited) => self.rerouted(&lost, reference, inherited)?,
                        None => self.reference(&lost, reference, provider)?,
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether the place itself fails without the lost name. A place that only receives a value from elsewhere does
    /// not, nor does one behind a failing import.
    fn is_its_own(&self, lost: &Lost<'_>, reference: &RemovedReference, is_member: bool) -> Result<bool, StoreError> {
        let Relationship { kind, basis, line, column, .. } = reference.relationship;
        let (place, name) = ((line, column), lost.record.name.as_str());
        if matches!(kind, K::Imports | K::UsesFixture) || basis == Basis::Text {
            return Ok(true);
        }
        let uses = self.uses(reference.file)?;
        let mut attributes = uses.attributes.get(name).into_iter().flatten();
        if attributes.any(|(other, _)| *other == place) {
            return Ok(true);
        }
        if !is_member {
            for other in self.graph.unresolved_named(name)?.iter().filter(|other| (other.line, other.column) == place) {
                if self.graph.head(other.source)?.is_some_and(|head| head.file == reference.file) {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let is_special = is_special(name);
        Ok(reference.is_written || (is_special && !reference.leads_on))
    }

    /// The relationship of a reference, with a source that exists in the newer state.
    fn relationship_now(&self, reference: &RemovedReference) -> Result<Option<Relationship>, StoreError> {
        let relationship = reference.relationship;
        if self.graph.head(relationship.source)?.is_some_and(|head| head.file == reference.file) {
            return Ok(Some(relationship));
        }
        let source = self.source_at(reference.file, relationship.line)?;
        Ok(source.map(|source| Relationship { source, ..relationship }))
    }

    /// A place that finds an inherited member where the lost one was.
    fn rerouted(&mut self, lost: &Lost<'_>, reference: &RemovedReference, inherited: &str) -> Result<(), StoreError> {
        let Some(relationship) = self.relationship_now(reference)? else { return Ok(()) };
        let reason = format!("may reach `{inherited}` now instead of `{}`", lost.name);
        self.claim_about(&lost.entity, Claim::about(relationship, Verdict::MayBehaveDifferently, reason))
    }

    fn reference(
        &mut self,
        lost: &Lost<'_>,
        reference: &RemovedReference,
        provider: Option<&'static str>,
    ) -> Result<(), StoreError> {
        let Some(relationship) = self.relationship_now(reference)? else { return Ok(()) };
        let place = (relationship.line, relationship.column);
        let uses = self.uses(reference.file)?;
        let hint = &lost.hint;
        let name = &lost.name;
        match relationship.kind {
            K::Imports => {
                let module = &lost.version.module;
                let last = module.rsplit('.').next().unwrap_or(module);
                let import = uses.imports.get(&place);
                let guard = import.map(|import| import.guard).unwrap_or_default();
                let is_direct = import.is_none_or(|import| import.parts.last().is_some_and(|from| from == last));
                let reason = match lost.record.kind {
                    // A re-export by a package is lost with the package's own import.
                    EntityKind::Module if !is_direct && import.is_some_and(|import| import.name != last) => {
                        return Ok(());
                    }
                    EntityKind::Module => format!("imports `{module}`, which is gone{hint}"),
                    _ if is_direct => {
                        format!("imports `{}` from `{module}`, where it is gone{hint}", lost.record.name)
                    }
                    _ => format!("imports `{}`, which `{module}` has no more{hint}", lost.record.name),
                };
                self.import(lost, reference.file, place, self.guard(lost, guard), reason)
            }
            K::UsesFixture => {
                let reason = format!("asks for the fixture `{}`, which is gone{hint}", lost.record.name);
                self.claim_about(&lost.entity, Claim::about(relationship, Verdict::Breaks, reason))
            }
            K::Writes => {
                let reason = format!("sets `{name}`, which is gone{hint}");
                self.claim_about(&lost.entity, Claim::about(relationship, Verdict::MayBehaveDifferently, reason))
            }
            _ => {
                let reason = format!("uses `{name}`, which is gone{hint}");
                let heir = reference.heir.as_ref().map(|heir| format!("its subclass has `{heir}`"));
                let set = reference.may_be_set.then(|| "a value set under a computed name may stand in".to_owned());
                match heir.or(provider.map(str::to_owned)).or(set) {
                    Some(doubt) => {
                        let claim = Claim::about(relationship, Verdict::MayBreak, format!("{reason}; {doubt}"));
                        self.claim_about(&lost.entity, claim)
                    }
                    None => {
                        let has_getattr = reference.has_getattr || self.has_getattr(lost);
                        self.missing(&lost.entity, &uses, relationship, has_getattr, reason)
                    }
                }
            }
        }
    }
}
