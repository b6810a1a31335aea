//! References to definitions that are gone: removed, renamed or moved.
//!
//! The index keeps the questions of each file, also those without an answer, and each unresolved occurrence. A file
//! that asked for the lost name and has an unresolved occurrence of it refers to it. A name that is now imported or
//! inherited resolves, and gives no finding.

use std::collections::BTreeSet;

use super::{Claim, Judge, broken, short};
use crate::{
    facts::{hash_name, interface::Binding},
    model::{
        Basis, EntityId, EntityKind, EntityRecord, FileId, Relationship, RelationshipKind, Unresolved,
        UnresolvedReason as Reason, conventions::is_special,
    },
    query::{
        candidates::{CandidateBudget, LISTED, candidates_of},
        impact::{verdict::Verdict, walk::factors::dispatch},
    },
    resolve::values::questions,
    review::{
        states::{
            changes::{Changed, old_of},
            edits::Edit,
            versions::Version,
        },
        uses::{FileUses, Import, ImportGuard, Receiver},
    },
    store::{error::StoreError, read::Entity},
};

/// A lost definition, with the words for its findings.
pub(super) struct Lost<'a> {
    /// Its full name.
    pub(super) entity: String,
    pub(super) version: &'a Version,
    pub(super) record: &'a EntityRecord,
    /// Its name in sentences.
    pub(super) name: String,
    /// `; it is called … now`, or empty.
    pub(super) hint: String,
}

impl<'a> Lost<'a> {
    /// The definition that a change removed.
    pub(super) fn of(judge: &Judge<'a, '_>, change: &Changed) -> Option<Self> {
        let (number, index) = change.old?;
        let version = old_of(judge.pairs, (number, index));
        let record = &version.records()[index];
        let name = short(&version.full_name(index), record);
        Some(Self { entity: judge.name_of(change), version, record, name, hint: hint(change) })
    }
}

impl Judge<'_, '_> {
    pub(super) fn lost(&mut self, change: &Changed) -> Result<(), StoreError> {
        let (Some((_, index)), Some(lost)) = (change.old, Lost::of(self, change)) else { return Ok(()) };
        match (lost.record.kind, lost.version.parent_kind(index)) {
            (EntityKind::Module, _) => self.lost_module(&lost),
            (_, EntityKind::Module) => {
                self.lost_name(&lost)?;
                self.by_name(&lost, None)
            }
            (_, EntityKind::Class) => self.lost_member(change, &lost),
            _ => Ok(()),
        }
    }

    /// Judges references to names that a module no longer imports. Returns the names that are still asked for, with the
    /// numbers of their files.
    pub(super) fn lost_imports(&mut self) -> Result<Vec<(usize, String)>, StoreError> {
        let mut asked_for = Vec::new();
        for (number, pair) in self.pairs.iter().enumerate() {
            let (Some(old), Some(new)) = (&pair.old, &pair.new) else { continue };
            if old.shape.whole == new.shape.whole {
                continue;
            }
            let (was, is) = (&old.facts.interface, &new.facts.interface);
            for member in &was.members {
                // Removed definitions are changes of their own.
                let is_import = !member.bindings.iter().any(|binding| matches!(binding, Binding::Entity(_)));
                if !is_import || !is.member(was.names.hash(member.name)).is_empty() {
                    continue;
                }
                let name = was.names.text(member.name).to_owned();
                let module = &old.records()[0];
                let record = EntityRecord {
                    kind: EntityKind::Variable,
                    qualified: name.clone(),
                    name: name.clone(),
                    ..module.clone()
                };
                let entity = format!("{}.{name}", old.module);
                let lost = Lost {
                    entity: entity.clone(),
                    version: old,
                    record: &record,
                    name: name.clone(),
                    hint: String::new(),
                };
                self.lost_name(&lost)?;
                if self.findings.keys().any(|(.., known)| *known == entity) {
                    asked_for.push((number, name));
                }
            }
        }
        Ok(asked_for)
    }

    /// Judges imports of a module that is gone.
    fn lost_module(&mut self, lost: &Lost<'_>) -> Result<(), StoreError> {
        let path = &lost.version.path;
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let (folder, stem) = match stem {
            "__init__" => folder.rsplit_once('/').unwrap_or(("", folder)),
            stem => (folder, stem),
        };
        if stem.is_empty() {
            return Ok(());
        }
        // Another file may have its name now.
        let is_named = self.graph.files().any(|file| file.module == lost.version.module);
        for file in self.store.askers(&[questions::child(folder, stem)])? {
            let uses = self.uses(file)?;
            let known = self.targets_of(file)?;
            // A line may have a target for one of its names and none for the module.
            let open: BTreeSet<u32> = self
                .store
                .unresolved_of(file)?
                .into_iter()
                .filter(|unresolved| unresolved.reason == Reason::MissingModule && unresolved.name == stem)
                .map(|unresolved| unresolved.line)
                .collect();
            let mut imports: Vec<_> = uses.imports.iter().collect();
            imports.sort_by_key(|(place, _)| **place);
            for (place, import) in imports {
                let by_name =
                    import.name == stem && names_module(import, folder.rsplit('/').next().unwrap_or(""), true);
                let is_it = import.parts.last().is_some_and(|last| last == stem) || by_name;
                let leads_on = (is_named || known.contains(place)) && !open.contains(&place.0);
                if !is_it || leads_on || !self.is_meant(file, import, lost) {
                    continue;
                }
                let reason = format!("imports `{}`, which is gone{}", lost.version.module, lost.hint);
                self.import(lost, file, *place, import.guard, reason)?;
            }
        }
        Ok(())
    }

    /// Whether an absolute import of a lost module spells its name.
    fn is_meant(&self, file: FileId, import: &Import, lost: &Lost<'_>) -> bool {
        if import.level > 0 {
            return true;
        }
        let written = import.parts.join(".");
        let whole = format!("{written}.{}", import.name);
        let module = &lost.version.module;
        let is_suffix = |name: &str| *name == **module || module.ends_with(&format!(".{name}"));
        self.graph.file(file).is_some() && (is_suffix(&written) || is_suffix(&whole))
    }

    /// Judges references to a name at module level.
    fn lost_name(&mut self, lost: &Lost<'_>) -> Result<(), StoreError> {
        let name = lost.record.name.as_str();
        let own = self.store.file_id(&lost.version.path)?;
        let mut files: BTreeSet<FileId> =
            self.store.askers(&[questions::member(&lost.version.path, hash_name(name))])?.into_iter().collect();
        // A file asks no question about its own names.
        files.extend(own);
        let module = lost.version.module.rsplit('.').next().unwrap_or("");
        let is_package = lost.version.path.ends_with("/__init__.py");
        let has_getattr = self.has_getattr(lost);
        // References resolve to a `__getattr__` of the module: none of them is unresolved.
        if let (true, Some(own)) = (has_getattr, own) {
            self.through_getattr(lost, own, &files)?;
        }
        for file in files {
            let uses = self.uses(file)?;
            for unresolved in self.store.unresolved_of(file)?.into_iter().filter(|u| u.name == name) {
                let place = (unresolved.line, unresolved.column);
                match unresolved.reason {
                    Reason::MissingModule => {
                        let Some(import) = uses.imports.get(&place) else { continue };
                        if !names_module(import, module, is_package) {
                            continue;
                        }
                        let reason =
                            format!("imports `{name}` from `{}`, where it is gone{}", lost.version.module, lost.hint);
                        self.import(lost, file, place, self.guard(lost, import.guard), reason)?;
                    }
                    Reason::UnboundName => {
                        let reason = format!("uses `{name}`, which is not defined any more{}", lost.hint);
                        self.missing(&lost.entity, &uses, relationship_of(&unresolved), has_getattr, reason)?;
                    }
                    Reason::MissingMember if unresolved.receiver.is_empty() && Some(file) == own => {
                        let reason = format!("`__all__` names `{name}`, which is gone{}", lost.hint);
                        self.missing(&lost.entity, &uses, relationship_of(&unresolved), has_getattr, reason)?;
                    }
                    Reason::MissingMember if is_module(&uses, &unresolved.receiver, module) => {
                        let reason = format!("uses `{module}.{name}`, which is gone{}", lost.hint);
                        self.missing(&lost.entity, &uses, relationship_of(&unresolved), has_getattr, reason)?;
                    }
                    _ => {}
                }
            }
            self.texts(lost, file, &uses)?;
        }
        Ok(())
    }

    /// Judges references to a member of a class that still exists.
    fn lost_member(&mut self, change: &Changed, lost: &Lost<'_>) -> Result<(), StoreError> {
        let Some(class) = self.class_now(change)? else { return Ok(()) };
        let name = lost.record.name.as_str();
        // Operators use special methods without their names: `removed_references` finds these places.
        if is_special(name) {
            return Ok(());
        }
        let heirs = self.heirs(class.id)?;
        let hash = hash_name(name);
        let mut files: BTreeSet<FileId> = self
            .store
            .askers(&[questions::class_member(class.id, hash), questions::class_names(class.id)])?
            .into_iter()
            .collect();
        files.insert(class.file);
        let provider = self.provider(&class, lost)?;
        for file in files {
            let uses = self.uses(file)?;
            let known = self.targets_of(file)?;
            let unresolved = self.store.unresolved_of(file)?;
            let named = unresolved.iter().filter(|u| u.name == name);
            for occurrence in named.clone().filter(|u| u.reason == Reason::MissingMember) {
                let place = (occurrence.line, occurrence.column);
                let is_own = self.is_own(occurrence.source, &occurrence.receiver, &heirs)?;
                if !is_own || self.meant_another(change, file, place) {
                    continue;
                }
                let reason = format!("uses `{}`, which is gone{}", lost.name, lost.hint);
                // `super()` follows the class of the object, which may be a subclass with other bases.
                let is_super =
                    uses.attributes.get(name).into_iter().flatten().any(|known| *known == (place, Receiver::Super));
                let (kind, doubt) = match () {
                    () if is_super && self.is_inherited(occurrence.source)? => {
                        (RelationshipKind::Calls, Some("in a subclass, `super()` may lead elsewhere".to_owned()))
                    }
                    () if provider.is_some() => (RelationshipKind::References, provider.map(str::to_owned)),
                    () => {
                        let heir = self.heir_with(occurrence, name)?;
                        (RelationshipKind::References, heir.map(|heir| format!("its subclass `{heir}` has one")))
                    }
                };
                match doubt {
                    Some(doubt) => {
                        let relationship = broken(kind, occurrence.source, place, Basis::SelfMember);
                        let reason = format!("{reason}; {doubt}");
                        self.claim_about(&lost.entity, Claim::about(relationship, Verdict::MayBreak, reason))?;
                    }
                    None => self.missing(&lost.entity, &uses, relationship_of(occurrence), false, reason)?,
                }
            }
            // A class with a base outside of the repository may inherit the name from there, so no occurrence is
            // unresolved.
            let open: Vec<_> = named.map(|u| (u.line, u.column)).collect();
            for (place, receiver) in uses.attributes.get(name).into_iter().flatten() {
                let is_own = matches!(receiver, Receiver::Own | Receiver::Class | Receiver::Super);
                if known.contains(place) || open.contains(place) || !is_own {
                    continue;
                }
                let Some(source) = self.source_at(file, place.0)?.filter(|source| self.is_inside(*source, &heirs))
                else {
                    continue;
                };
                let reason = format!(
                    "uses `{}`, which is gone; a base outside of the repository may have it{}",
                    lost.name, lost.hint
                );
                let relationship = broken(RelationshipKind::References, source, *place, Basis::SelfMember);
                self.claim_about(&lost.entity, Claim::about(relationship, Verdict::MayBreak, reason))?;
            }
            self.texts(lost, file, &uses)?;
        }
        self.provided(lost, &class)?;
        self.by_name(lost, Some(class))
    }

    /// The possible provider of a lost member. If there is one, the occurrence may lack the member of another class.
    pub(super) fn provider(&self, class: &Entity, lost: &Lost<'_>) -> Result<Option<&'static str>, StoreError> {
        Ok(match () {
            () if self.is_protocol(class.id)? => Some("its class is a protocol, which only type checkers read"),
            () if self.has_outside_base(class.id)? => Some("a base outside of the repository may have it"),
            () if lost.record.kind == EntityKind::Variable && self.sets_computed_names(class.id)? => {
                Some("its class sets attributes by computed names")
            }
            () => None,
        })
    }

    /// A member of a base with the same name, which is reached now.
    fn provided(&mut self, lost: &Lost<'_>, class: &Entity) -> Result<(), StoreError> {
        let name = lost.record.name.as_str();
        let Some(heir) = self.inherited(class.id, name)? else { return Ok(()) };
        let asked = self.store.askers(&[questions::class_member(class.id, hash_name(name))])?;
        let full = heir.full_name();
        for relationship in self.graph.incoming(heir.id)? {
            let Some(source) = self.graph.head(relationship.source)? else { continue };
            let is_run = matches!(relationship.kind, RelationshipKind::Calls | RelationshipKind::Reads);
            if !is_run || !(source.file == class.file || asked.contains(&source.file)) {
                continue;
            }
            let reason = format!("may reach `{full}` now instead of `{}`", lost.name);
            let mut claim = Claim::about(relationship, Verdict::MayBehaveDifferently, reason);
            claim.probability *= dispatch(false);
            self.claim_about(&lost.entity, claim)?;
        }
        Ok(())
    }

    /// A subclass with the member: `self` may be an instance of it.
    fn heir_with(&self, occurrence: &Unresolved, name: &str) -> Result<Option<String>, StoreError> {
        if occurrence.receiver != "self" && occurrence.receiver != "cls" {
            return Ok(None);
        }
        let Some(class) = self.enclosing_class(occurrence.source)? else { return Ok(None) };
        let mut names = BTreeSet::new();
        for heir in self.heirs(class)? {
            if heir != class && self.store.children(heir)?.iter().any(|child| child.record.name == name) {
                names.extend(self.graph.head(heir)?.map(|head| head.name().to_owned()));
            }
        }
        Ok(names.pop_first())
    }

    /// Judges unresolved occurrences of the name whose receiver is unknown.
    fn by_name(&mut self, lost: &Lost<'_>, class: Option<Entity>) -> Result<(), StoreError> {
        let parent = match class {
            Some(class) => class,
            None => {
                let Some(file) = self.store.file_id(&lost.version.path)? else { return Ok(()) };
                match self.store.entities_of(file)?.into_iter().next() {
                    Some(module) => module,
                    None => return Ok(()),
                }
            }
        };
        // The index has no entity for the lost definition any more: a stand-in below its parent gets the candidates.
        let entity = Entity {
            id: EntityId(0),
            file: parent.file,
            path: parent.path.clone(),
            module: lost.version.module.clone(),
            parent: parent.id,
            record: lost.record.clone(),
        };
        let found = candidates_of(self.graph, &entity, LISTED, &mut CandidateBudget::default())?;
        for candidate in
            found.likely.into_iter().filter(|candidate| candidate.unresolved.reason == Reason::UnknownReceiver)
        {
            let reason =
                format!("uses a `{}` of something unknown; `{}` is gone{}", lost.record.name, lost.name, lost.hint);
            let mut claim = Claim::about(candidate.relationship(EntityId(0)), Verdict::MayBreak, reason);
            claim.probability = candidate.probability;
            self.claim_about(&lost.entity, claim)?;
        }
        Ok(())
    }

    /// Judges strings that spell the full lost name: `mock.patch("pkg.mod.name")`.
    fn texts(&mut self, lost: &Lost<'_>, file: FileId, uses: &FileUses) -> Result<(), StoreError> {
        let full = format!("{}.{}", lost.version.module, lost.record.qualified);
        for (text, place) in &uses.texts {
            // Entry points are written `pkg.mod:name`.
            if text.replace(':', ".") != full {
                continue;
            }
            let Some(source) = self.source_at(file, place.0)? else { continue };
            let reason = format!("names `{full}` in a string, and it is gone{}", lost.hint);
            let relationship = broken(RelationshipKind::References, source, *place, Basis::Text);
            self.claim_about(&lost.entity, Claim::about(relationship, Verdict::MayBreak, reason))?;
        }
        Ok(())
    }

    pub(super) fn import(
        &mut self,
        lost: &Lost<'_>,
        file: FileId,
        place: (u32, u32),
        guard: ImportGuard,
        reason: String,
    ) -> Result<(), StoreError> {
        let Some(source) = self.source_at(file, place.0)? else { return Ok(()) };
        let (verdict, reason) = match guard {
            ImportGuard::None => (Verdict::Breaks, reason),
            ImportGuard::Caught => (Verdict::MayBehaveDifferently, format!("{reason}; the error is caught")),
            ImportGuard::TypesOnly => {
                (Verdict::MayBreak, format!("{reason}; it may be there at run time all the same"))
            }
        };
        let relationship = broken(RelationshipKind::Imports, source, place, Basis::Import);
        self.claim_about(&lost.entity, Claim::missing(relationship, verdict, reason))
    }

    /// A claim about a reference that leads nowhere.
    pub(super) fn missing(
        &mut self,
        entity: &str,
        uses: &FileUses,
        relationship: Relationship,
        has_getattr: bool,
        reason: String,
    ) -> Result<(), StoreError> {
        let (verdict, reason) = match () {
            () if uses.is_caught(relationship.line) => {
                (Verdict::MayBehaveDifferently, format!("{reason}; the error is caught"))
            }
            () if has_getattr => (Verdict::MayBreak, format!("{reason}; `__getattr__` may still give it")),
            () => (Verdict::Breaks, reason),
        };
        self.claim_about(entity, Claim::missing(relationship, verdict, reason))
    }

    /// Judges references that now reach the `__getattr__` of the module `own`; some of `files` asked for the name.
    fn through_getattr(&mut self, lost: &Lost<'_>, own: FileId, files: &BTreeSet<FileId>) -> Result<(), StoreError> {
        let name = lost.record.name.as_str();
        let module = lost.version.module.rsplit('.').next().unwrap_or("");
        let entities = self.store.entities_of(own)?;
        for getattr in entities.iter().filter(|entity| entity.record.qualified == "__getattr__") {
            for relationship in self.graph.incoming(getattr.id)? {
                let Some(source) = self.graph.head(relationship.source)? else { continue };
                if !files.contains(&source.file) {
                    continue;
                }
                let uses = self.uses(source.file)?;
                let mut attributes = uses.attributes.get(name).into_iter().flatten();
                if attributes.any(|((line, _), _)| *line == relationship.line) {
                    let reason =
                        format!("uses `{module}.{name}`, which is gone{}; `__getattr__` may still give it", lost.hint);
                    self.claim_about(&lost.entity, Claim::missing(relationship, Verdict::MayBreak, reason))?;
                }
            }
        }
        Ok(())
    }

    /// The guard of an import of a lost name; a `__getattr__` of the module counts as one.
    pub(super) fn guard(&self, lost: &Lost<'_>, guard: ImportGuard) -> ImportGuard {
        if guard == ImportGuard::None && self.has_getattr(lost) { ImportGuard::TypesOnly } else { guard }
    }

    /// Whether the module has a `__getattr__`, which may provide the name.
    pub(super) fn has_getattr(&self, lost: &Lost<'_>) -> bool {
        let new = self.pairs.iter().find(|pair| pair.path == lost.version.path).and_then(|pair| pair.new.as_ref());
        new.is_some_and(|version| {
            version.facts.interface.member(hash_name("__getattr__")).iter().any(|b| matches!(b, Binding::Entity(_)))
        })
    }

    /// The class of a lost member in the new state.
    pub(super) fn class_now(&self, change: &Changed) -> Result<Option<Entity>, StoreError> {
        let is_class = |entity: &Entity| entity.record.kind == EntityKind::Class;
        let Some(spot) = change.old else { return Ok(None) };
        let version = old_of(self.pairs, spot);
        let parent = version.records()[spot.1].parent as usize;
        // The same change may have renamed or moved the class.
        let moved = self.changed.iter().find(|other| other.old == Some((spot.0, parent))).and_then(|other| other.new);
        if let Some(moved) = moved {
            return Ok(self.entity(moved)?.filter(is_class));
        }
        let wanted = &version.records()[parent];
        let Some(new) = &self.pairs[spot.0].new else { return Ok(None) };
        let is_it =
            |record: &EntityRecord| record.qualified == wanted.qualified && record.duplicate == wanted.duplicate;
        match new.records().iter().position(is_it) {
            Some(index) => Ok(self.entity((spot.0, index))?.filter(is_class)),
            None => Ok(None),
        }
    }

    /// The places of a file that have a target.
    pub(super) fn targets_of(&self, file: FileId) -> Result<BTreeSet<(u32, u32)>, StoreError> {
        let relationships = self.store.relationships_of(file)?;
        Ok(relationships.iter().map(|relationship| (relationship.line, relationship.column)).collect())
    }
}

/// The relationship that an unresolved occurrence would be.
pub(super) fn relationship_of(unresolved: &Unresolved) -> Relationship {
    let kind = if unresolved.call.is_some() { RelationshipKind::Calls } else { RelationshipKind::References };
    let basis = if unresolved.reason == Reason::UnboundName { Basis::Scope } else { Basis::Constructed };
    broken(kind, unresolved.source, (unresolved.line, unresolved.column), basis)
}

/// Whether an import takes from a module with this last name.
fn names_module(import: &Import, module: &str, is_package: bool) -> bool {
    match import.parts.last() {
        Some(last) => last == module,
        None => import.level > 0 && is_package,
    }
}

/// Whether a name of the file is bound to a module with this last name.
fn is_module(uses: &FileUses, receiver: &str, module: &str) -> bool {
    let is_it = |import: &Import| {
        let bound = if import.name.is_empty() { import.parts.last() } else { Some(&import.name) };
        bound.is_some_and(|bound| bound == module)
    };
    receiver == module || uses.imports.values().any(|import| import.alias == receiver && is_it(import))
}

fn hint(change: &Changed) -> String {
    let told = change.edits.iter().find_map(|edit| match edit {
        // Code names no single overload.
        Edit::Renamed { to } => Some(format!("; it is `{}` now", to.split('@').next().unwrap_or(to))),
        Edit::Moved { to } => Some(format!("; it moved to `{to}`")),
        _ => None,
    });
    told.unwrap_or_default()
}
