//! A class with other bases than before: members that it no longer has, and members that it has from elsewhere.
//!
//! The old bases are looked up as they are now. A base that is not in the index leaves open what came from it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Claim, Judge, ancestry::adds_nothing, broken, lost::relationship_of, passed_through};
use crate::{
    facts::{hash_name, written::DottedReference},
    model::{
        Basis, EntityId, EntityKind, FileId, Relationship, RelationshipKind as K, UnresolvedReason as Reason,
        conventions::is_constructor, signature::Signature,
    },
    query::impact::{verdict::Verdict, walk::factors::dispatch},
    resolve::values::questions,
    review::{
        fit::fit,
        states::{
            changes::{Changed, Spot, old_of},
            edits::Edit,
        },
        uses::{Call, Receiver},
    },
    store::{error::StoreError, read::Entity},
};

/// A class whose bases changed.
struct Rebased {
    /// The class as it is now.
    class: Entity,
    /// Its full name before the change.
    name: String,
    /// The bases before the change, in the order of the source, each with the classes that it may mean.
    before: Vec<(String, Vec<EntityId>)>,
    /// The bases that are no bases any more.
    removed: Vec<String>,
    /// The class and its subclasses.
    heirs: BTreeSet<EntityId>,
}

/// The members that a class inherits, each from the nearest base.
#[derive(Default)]
struct InheritedMembers {
    members: BTreeMap<String, Entity>,
    /// The names of methods and properties.
    callables: BTreeSet<String>,
    /// Whether all bases are known: any other member is one of `object`.
    is_whole: bool,
}

/// A member that a class inherited before the change from one class, and inherits now from another.
struct Replaced<'i> {
    /// From whom it was inherited; `None` for `object`.
    was: Option<&'i Entity>,
    is: Option<&'i Entity>,
}

impl InheritedMembers {
    /// Adds the members of a base that is farther away than those before.
    fn add(&mut self, members: Vec<Entity>) {
        for member in members {
            if member.record.kind.is_callable() {
                self.callables.insert(member.record.name.clone());
            }
            self.members.entry(member.record.name.clone()).or_insert(member);
        }
    }

    /// The member of a name, where another one takes its place; `None` if it is the same, or not known.
    fn replaced_by<'i>(&'i self, now: &'i Self, name: &str) -> Option<Replaced<'i>> {
        let (was, is) = (self.members.get(name), now.members.get(name));
        let is_known = (was.is_some() || self.is_whole) && (is.is_some() || is_constructor(name) && now.is_whole);
        let differs = was.map(|member| member.id) != is.map(|member| member.id);
        (is_known && differs).then_some(Replaced { was, is })
    }
}

impl Judge<'_, '_> {
    /// Judges the members that a class has no longer, or from another class, since its bases changed.
    pub(super) fn rebased(&mut self, change: &Changed) -> Result<(), StoreError> {
        let Some(rebased) = self.rebased_class(change)? else { return Ok(()) };
        self.members_gone(&rebased)?;
        let (before, now) = (self.inherited_before(&rebased)?, self.inherited_now(&rebased)?);
        for name in before.callables.union(&now.callables) {
            if let Some(replaced) = before.replaced_by(&now, name) {
                self.reached_elsewhere(&rebased, name, &replaced)?;
                if is_constructor(name) {
                    self.made_elsewhere(&rebased, &replaced)?;
                }
            }
        }
        Ok(())
    }

    fn rebased_class(&self, change: &Changed) -> Result<Option<Rebased>, StoreError> {
        let (Some(old), Some(new)) = (change.old, change.new) else { return Ok(None) };
        let edit = change.edits.iter().find_map(|edit| match edit {
            Edit::BasesChanged { added, removed } => Some((added, removed)),
            _ => None,
        });
        let (Some((added, removed)), Some(class)) = (edit, self.entity(new)?) else { return Ok(None) };
        // The same base with other type arguments is the same base.
        let stays = |base: &&String| added.iter().any(|other| last_part(other) == last_part(base));
        let removed: Vec<String> = removed.iter().filter(|base| !stays(base)).cloned().collect();
        if removed.is_empty() && added.iter().all(|base| last_part(base) == "Generic") {
            return Ok(None);
        }
        let before = self.bases_before(old)?;
        let heirs = self.heirs(class.id)?;
        Ok(Some(Rebased { class, name: self.name_of(change), before, removed, heirs }))
    }

    /// The bases of a class on the old side, as written, with the indexed classes that each may mean.
    fn bases_before(&self, spot: Spot) -> Result<Vec<(String, Vec<EntityId>)>, StoreError> {
        let version = old_of(self.pairs, spot);
        let record = &version.records()[spot.1];
        let mut before = Vec::new();
        for base in version.facts.bodies.bases_at((record.line, record.column)) {
            let named = self.graph.named(last_part(&base.path))?;
            let classes = || named.iter().filter(|entity| entity.record.kind == EntityKind::Class);
            let exact: Vec<EntityId> =
                classes().filter(|class| is_meant(&base, class, &version.path)).map(|class| class.id).collect();
            let all = || classes().map(|class| class.id).collect();
            before.push((base.path, if exact.is_empty() { all() } else { exact }));
        }
        Ok(before)
    }

    /// Judges occurrences of members that came from a base which the class no longer has.
    fn members_gone(&mut self, rebased: &Rebased) -> Result<(), StoreError> {
        let class = &rebased.class;
        let is_open = self.has_outside_base(class.id)?;
        let mut files: BTreeSet<FileId> = self.store.askers(&[questions::class(class.id)])?.into_iter().collect();
        files.insert(class.file);
        for file in files {
            let uses = self.uses(file)?;
            let known = self.targets_of(file)?;
            let unresolved = self.store.unresolved_of(file)?;
            let mut found: Vec<(String, Relationship)> = Vec::new();
            for occurrence in unresolved.iter().filter(|occurrence| occurrence.reason == Reason::MissingMember) {
                let asked = self.store.askers(&[questions::class_member(class.id, hash_name(&occurrence.name))])?;
                let is_asked = file == class.file || asked.contains(&file);
                if is_asked && self.is_own(occurrence.source, &occurrence.receiver, &rebased.heirs)? {
                    found.push((occurrence.name.clone(), relationship_of(occurrence)));
                }
            }
            // The index leaves out what a base from outside may have.
            for (name, places) in uses.attributes.iter().filter(|_| is_open) {
                let own = places.iter().filter(|(_, receiver)| matches!(receiver, Receiver::Own | Receiver::Super));
                for &(place, _) in own.filter(|(place, _)| !known.contains(place)) {
                    let Some(source) = self.source_at(file, place.0)? else { continue };
                    if self.is_inside(source, &rebased.heirs) {
                        found.push((name.clone(), broken(K::References, source, place, Basis::SelfMember)));
                    }
                }
            }
            for (name, relationship) in found {
                let Some(base) = self.giver(rebased, &name)? else { continue };
                let reason = format!("uses `{}.{name}`, which came from `{base}`, no base any more", class.record.name);
                if is_open {
                    let reason = format!("{reason}; a base outside of the repository may have it");
                    self.claim_about(&rebased.name, Claim::about(relationship, Verdict::MayBreak, reason))?;
                } else {
                    self.missing(&rebased.name, &uses, relationship, false, reason)?;
                }
            }
        }
        Ok(())
    }

    /// The removed base that had a member which the class has no longer.
    fn giver<'r>(&self, rebased: &'r Rebased, name: &str) -> Result<Option<&'r str>, StoreError> {
        if self.has_member(rebased.class.id, name)? {
            return Ok(None);
        }
        for (base, classes) in rebased.before.iter().filter(|(base, _)| is_among(base, &rebased.removed)) {
            // Several classes may have the name of the base; one with the member is enough.
            for &class in classes {
                if self.has_member(class, name)? {
                    return Ok(Some(base));
                }
            }
        }
        Ok(None)
    }

    /// Whether a class or an indexed base of it has a member.
    fn has_member(&self, class: EntityId, name: &str) -> Result<bool, StoreError> {
        Ok(self.own_member(class, name)?.is_some() || self.inherited(class, name)?.is_some())
    }

    fn own_member(&self, class: EntityId, name: &str) -> Result<Option<Entity>, StoreError> {
        Ok(self.store.children(class)?.into_iter().find(|child| child.record.name == name))
    }

    /// The members that the class inherited from its bases before the change.
    fn inherited_before(&self, rebased: &Rebased) -> Result<InheritedMembers, StoreError> {
        let mut inherited = InheritedMembers::default();
        for (_, classes) in rebased.before.iter().filter(|(base, _)| !adds_nothing(base)) {
            // Which of several classes is meant is not known.
            let &[base] = classes.as_slice() else { return Ok(inherited) };
            for class in self.with_bases(base)? {
                inherited.add(self.store.children(class)?);
            }
            // Nor is it known what a base from outside has.
            if self.has_outside_base(base)? {
                return Ok(inherited);
            }
        }
        inherited.is_whole = true;
        Ok(inherited)
    }

    /// The members that the class inherits from its bases now.
    fn inherited_now(&self, rebased: &Rebased) -> Result<InheritedMembers, StoreError> {
        let class = rebased.class.id;
        let mut inherited =
            InheritedMembers { is_whole: !self.has_outside_base(class)?, ..InheritedMembers::default() };
        for base in self.with_bases(class)?.into_iter().skip(1) {
            inherited.add(self.store.children(base)?);
        }
        Ok(inherited)
    }

    /// Judges places that reached the old member through the class, and reach the new one now.
    fn reached_elsewhere(&mut self, rebased: &Rebased, name: &str, replaced: &Replaced<'_>) -> Result<(), StoreError> {
        let (Some(was), Some(is)) = (replaced.was, replaced.is) else { return Ok(()) };
        let class = &rebased.class;
        let overrides = self.own_member(class.id, name)?.is_some();
        let asked = self.store.askers(&[questions::class_member(class.id, hash_name(name))])?;
        for relationship in self.graph.incoming(is.id)? {
            let Some(source) = self.graph.head(relationship.source)? else { continue };
            if !matches!(relationship.kind, K::Calls | K::Reads) {
                continue;
            }
            let around = self.enclosing_class(relationship.source)?;
            let is_inside = around.is_some_and(|around| rebased.heirs.contains(&around));
            let place = (relationship.line, relationship.column);
            let uses = self.uses(source.file)?;
            let receiver =
                uses.attributes.get(name).into_iter().flatten().find(|(at, _)| *at == place).map(|(_, to)| to);
            let (reaches, is_sure) = match receiver {
                Some(Receiver::Super) => (around == Some(class.id) || (is_inside && !overrides), true),
                Some(Receiver::Own) => (is_inside && !overrides, true),
                Some(_) => (!overrides && !is_inside && asked.contains(&source.file), false),
                None => (false, false),
            };
            if !reaches {
                continue;
            }
            let (was_name, is_name) = (class_and_name(was), class_and_name(is));
            let judged = uses.calls.get(&place).and_then(|call| met(Some(was), Some(is), call, &is_name));
            let (verdict, reason) = match judged {
                Some((Verdict::Breaks, why)) if uses.refusal(place.0).is_some() => {
                    (Verdict::MayBehaveDifferently, format!("{why}; the error is caught or expected"))
                }
                Some((verdict @ (Verdict::Breaks | Verdict::MayBreak), why)) => {
                    (verdict, format!("{why}; it reached `{was_name}` before"))
                }
                _ => {
                    (Verdict::MayBehaveDifferently, format!("reaches `{is_name}` now; it reached `{was_name}` before"))
                }
            };
            let verdict = if is_sure { verdict } else { verdict.max(Verdict::MayBreak) };
            let mut claim = Claim::about(relationship, verdict, reason);
            claim.probability *= if is_sure { 1.0 } else { dispatch(false) };
            self.claim_about(&rebased.name, claim)?;
        }
        Ok(())
    }

    /// Judges calls of the class, and of subclasses that inherit its constructor.
    fn made_elsewhere(&mut self, rebased: &Rebased, replaced: &Replaced<'_>) -> Result<(), StoreError> {
        for &heir in &rebased.heirs {
            let mut is_own = false;
            for class in self.with_bases(heir)?.into_iter().filter(|class| rebased.heirs.contains(class)) {
                let members = self.store.children(class)?;
                is_own |= members.iter().any(|member| is_constructor(&member.record.name));
            }
            if is_own {
                continue;
            }
            for relationship in self.graph.incoming(heir)? {
                let Some(source) = self.graph.head(relationship.source)? else { continue };
                let uses = self.uses(source.file)?;
                let place = (relationship.line, relationship.column);
                let Some(call) = uses.calls.get(&place).filter(|_| relationship.kind == K::Calls) else { continue };
                let judged = met(replaced.was, replaced.is, call, &rebased.class.record.name);
                if let Some((verdict @ (Verdict::Breaks | Verdict::MayBreak), why)) = judged {
                    let verdict = uses.refusal(place.0).unwrap_or(verdict);
                    self.claim_about(&rebased.name, Claim::about(relationship, verdict, why))?;
                }
            }
        }
        Ok(())
    }
}

/// Whether a call that fitted the old member fits the new one. A missing constructor is that of `object`.
fn met(was: Option<&Entity>, is: Option<&Entity>, call: &Call, name: &str) -> Option<(Verdict, String)> {
    let signature = |member: Option<&Entity>| match member {
        Some(member) => {
            let written = Signature::parse(&member.record.signature)?;
            Some(passed_through(&member.record, written, &call.receiver, &call.name))
        }
        None => Some(Signature::default()),
    };
    let (old, new) = (signature(was)?, signature(is)?);
    let gone = old.parameters.iter().filter(|parameter| !new.parameters.iter().any(|p| p.name == parameter.name));
    let edits: Vec<Edit> = gone.map(|gone| Edit::ParameterRemoved { name: gone.name.clone() }).collect();
    fit(name, &old, &new, &call.shape, &edits)
}

/// Whether a base as written means this class: one of its own file, or the one that the file imports.
fn is_meant(base: &DottedReference, class: &Entity, path: &str) -> bool {
    if !base.is_imported {
        return class.path == path && class.record.qualified == base.path;
    }
    let imported = base.imported.trim_start_matches('.');
    let full = class.full_name();
    full == imported || full.ends_with(&format!(".{imported}"))
}

fn is_among(base: &str, list: &[String]) -> bool {
    list.iter().any(|other| last_part(other) == last_part(base))
}

/// The last name of a base: `Base` of `shop.Base[int]`.
fn last_part(base: &str) -> &str {
    base.split('[').next().unwrap_or("").rsplit('.').next().unwrap_or("")
}

/// The class and the name of a member.
fn class_and_name(member: &Entity) -> String {
    let full = member.full_name();
    let parts: Vec<&str> = full.split('.').collect();
    parts[parts.len().saturating_sub(2)..].join(".")
}
