//! References that removed definitions would still have.
//!
//! The index is asked in a supposed state (see `index::WhatIf`): the files of removed definitions are as before, all
//! others as now. So all of resolution counts: re-exports, inferred types, fixtures and members of enumerations. A
//! place that refers to something else now is left out.
//!
//! A lost member may have been reached without its name at hand: through a method that it overrode, or by a library. So
//! the walk of an impact starts at it in the same state, and its tests and limits belong to the review.

use std::collections::{BTreeMap, BTreeSet, hash_map::Entry};

use rustc_hash::FxHashMap;

use crate::{
    facts::{hash_name, interface::Binding},
    git::{Repository, kept_lines},
    index::{IndexError, WhatIf},
    model::{EntityFlags, EntityId, EntityKind, FileId, Position, Relationship, RelationshipKind as K},
    query::{
        graph::Graph,
        impact::{ReachSummary, outside::library_callers::base_outside, reach, walk::Limits},
        source::Sources,
        target::Target,
    },
    resolve::{is_object_member, values::questions},
    review::{
        ComparedFiles,
        states::{
            changes::{Changed, new_of, old_of},
            edits::Edit,
            unchanged_blanked::{has_name, is_whole},
        },
    },
    store::{Store, error::StoreError, read::Entity},
};

/// A place of the newer state that would refer to a removed definition.
pub(super) struct RemovedReference {
    /// The number of the change that removed the definition.
    pub(super) change: usize,
    /// Its source and place belong to the newer state; its target does not exist there.
    pub(super) relationship: Relationship,
    pub(super) file: FileId,
    /// An override in a subclass that the place may mean now.
    pub(super) heir: Option<String>,
    /// Whether a `__getattr__` answers there now.
    pub(super) has_getattr: bool,
    /// Whether only values that are set under a computed name could answer there now: `setattr(cls, name, value)`.
    pub(super) may_be_set: bool,
    /// Whether the place also refers to something else, as before.
    pub(super) leads_on: bool,
    /// Whether the line spells the lost name.
    pub(super) is_written: bool,
}

/// The uses that removed definitions would still have.
#[derive(Default)]
pub(super) struct RemovedUses {
    /// By change.
    pub(super) references: Vec<RemovedReference>,
    /// Whether only some of very many files were resolved.
    pub(super) is_cut: bool,
    /// All that lost members and lost decorated functions would reach.
    pub(super) reached: Option<ReachSummary>,
}

/// The uses of all removed definitions.
pub(super) fn removed_uses(
    repo: &Repository,
    newer: &Graph,
    sources: &Sources,
    read: &ComparedFiles,
    threads: Option<usize>,
    limits: &Limits,
) -> Result<RemovedUses, IndexError> {
    // The supposed state costs an update of the index, so changes that nobody asks about are left out.
    let mut lost = Vec::new();
    for (number, change) in read.changed.iter().enumerate().filter(|(_, change)| is_lost(read, change)) {
        if is_asked_for(newer, read, change)? || is_run_without_its_name(newer, read, change)? {
            lost.push(number);
        }
    }
    let files: BTreeSet<usize> = lost.iter().filter_map(|&change| Some(read.changed[change].old?.0)).collect();
    let contents = files.iter().filter_map(|&pair| {
        let old = read.pairs[pair].old.as_ref()?;
        Some((old.path.clone(), old.text.clone().into_bytes()))
    });
    let contents: BTreeMap<String, Vec<u8>> = contents.collect();
    if contents.is_empty() {
        return Ok(RemovedUses::default());
    }
    let mut supposed = WhatIf::open(newer.store, threads)?;
    let (then, is_whole) = supposed.with(repo, contents)?;
    let mut earlier = Earlier {
        graph: Graph::new(&then)?,
        newer,
        sources,
        read,
        lines: files.into_iter().map(|pair| (read.pairs[pair].path.as_str(), lines_of(read, pair))).collect(),
        targets: [FxHashMap::default(), FxHashMap::default()],
    };
    let mut references = Vec::new();
    let mut targets = Vec::new();
    for change in lost {
        let Some((gone, entities)) = earlier.gone(change)? else { continue };
        earlier.references(change, &gone, &entities, &mut references)?;
        targets.extend(is_walked_from(read, change).then(|| Target::of(vec![gone])));
    }
    let reached = match targets.as_slice() {
        [] => None,
        targets => {
            let mut reached = reach(&then, sources, targets, limits)?;
            reached.tests.retain(|test| is_test_now(read, &test.id));
            Some(reached)
        }
    };
    Ok(RemovedUses { references, is_cut: !is_whole, reached })
}

/// Whether the walk starts at a lost definition: at members, and at functions that a decorator hands on. Places that
/// name another function fail, and are found as such.
fn is_walked_from(read: &ComparedFiles, change: usize) -> bool {
    read.changed[change].old.is_some_and(|(pair, index)| {
        let version = old_of(&read.pairs, (pair, index));
        let record = &version.records()[index];
        let is_member = version.parent_kind(index) == EntityKind::Class;
        record.kind.is_callable()
            && !record.flags.has(EntityFlags::TEST)
            && (is_member || !record.decorators.is_empty())
    })
}

/// Whether a test of the supposed state is one of the newer state: its file may have lost it.
fn is_test_now(read: &ComparedFiles, id: &str) -> bool {
    let mut parts = id.split("::");
    let path = parts.next().unwrap_or_default();
    let Some(pair) = read.pairs.iter().find(|pair| pair.path == path) else { return true };
    let name = parts.map(|part| part.split('[').next().unwrap_or(part)).collect::<Vec<_>>().join(".");
    let new = pair.new.as_ref();
    new.is_some_and(|new| new.records().iter().any(|record| record.qualified == name))
}

/// Whether code may run a removed definition without its name: as an override, or from a library, which knows it by a
/// base or a decorator.
fn is_run_without_its_name(newer: &Graph, read: &ComparedFiles, change: &Changed) -> Result<bool, StoreError> {
    let Some(spot) = change.old else { return Ok(false) };
    let version = old_of(&read.pairs, spot);
    let record = &version.records()[spot.1];
    if !record.kind.is_callable() || record.flags.has(EntityFlags::TEST) {
        return Ok(false);
    }
    if version.parent_kind(spot.1) != EntityKind::Class {
        return Ok(!record.decorators.is_empty());
    }
    let class = &version.records()[record.parent as usize];
    let entities = read.indexed.of(newer.store, &read.pairs, spot.0)?;
    // The users of a lost class find it by its name.
    let Some(class) = entities.iter().find(|entity| entity.record.qualified == class.qualified) else {
        return Ok(false);
    };
    for base in newer.lineage(class.id)?.iter().skip(1) {
        if newer.store.children(base.id)?.iter().any(|member| member.record.name == record.name) {
            return Ok(true);
        }
    }
    Ok(base_outside(newer, class.id)?.is_some())
}

/// Whether others may have lost a definition: its name is gone, and no second definition has it.
fn is_lost(read: &ComparedFiles, change: &Changed) -> bool {
    let Some(spot) = change.old else { return false };
    let record = &old_of(&read.pairs, spot).records()[spot.1];
    let is_there = |pair: usize| {
        let new = read.pairs[pair].new.as_ref();
        new.is_some_and(|new| new.records().iter().any(|other| other.qualified == record.qualified))
    };
    stops_being_fixture(read, change)
        || (change.edits.iter().any(Edit::takes_the_name) && !is_there(spot.0) && !is_imported_now(read, spot))
}

/// Whether a module imports the name that it defined before: its users find it as they did.
fn is_imported_now(read: &ComparedFiles, (pair, index): (usize, usize)) -> bool {
    let old = old_of(&read.pairs, (pair, index));
    let record = &old.records()[index];
    let is_member = record.kind == EntityKind::Module || old.parent_kind(index) != EntityKind::Module;
    let Some(new) = read.pairs[pair].new.as_ref().filter(|_| !is_member) else { return false };
    let (interface, name) = (&new.facts.interface, hash_name(&record.name));
    let is_import = |binding: &Binding| !matches!(binding, Binding::Entity(_));
    interface.member(name).iter().any(is_import) && !interface.is_for_types(name)
}

/// Whether some file may refer to a removed definition, so that the supposed state is worth its cost. Another file has
/// asked for it. The same file must spell the name, behind a dot for a member.
fn is_asked_for(newer: &Graph, read: &ComparedFiles, change: &Changed) -> Result<bool, StoreError> {
    let Some(spot) = change.old else { return Ok(false) };
    let version = old_of(&read.pairs, spot);
    let record = &version.records()[spot.1];
    let name = hash_name(&record.name);
    let is_member = version.parent_kind(spot.1) == EntityKind::Class;
    let asked = match record.kind {
        EntityKind::Module => return Ok(true),
        _ if is_member => {
            let class = &version.records()[record.parent as usize];
            let entities = read.indexed.of(newer.store, &read.pairs, spot.0)?;
            match entities.iter().find(|entity| entity.record.qualified == class.qualified) {
                Some(class) => vec![questions::class_member(class.id, name), questions::class_names(class.id)],
                // The class is gone too: questions about it have no id any more.
                None => return Ok(true),
            }
        }
        _ => vec![questions::member(&version.path, name)],
    };
    let new = read.pairs[spot.0].new.as_ref();
    // A quoted name may be an argument of `getattr`.
    let is_attribute = |before: &str| before.trim_end().ends_with(['.', '"', '\'']);
    let begins = |before: &str| if is_member { is_attribute(before) } else { is_whole(before) };
    let is_written = new.is_some_and(|new| has_name(&new.text, &record.name, begins));
    // Operators and builtins spell no special method.
    let is_special = record.name.starts_with("__") && !is_object_member(&record.name);
    let own = newer.store.file_id(&version.path)?;
    Ok(is_written || is_special || newer.store.askers(&asked)?.iter().any(|file| Some(*file) != own))
}

/// Whether a fixture became a plain function.
fn stops_being_fixture(read: &ComparedFiles, change: &Changed) -> bool {
    let (Some(old), Some(new)) = (change.old, change.new) else { return false };
    let is_fixture = |version: &crate::review::states::versions::Version, index: usize| {
        version.records()[index].flags.has(EntityFlags::FIXTURE)
    };
    is_fixture(old_of(&read.pairs, old), old.1) && !is_fixture(new_of(&read.pairs, new), new.1)
}

/// Where each line of the older side is now; `None` for a file that is gone.
fn lines_of(read: &ComparedFiles, pair: usize) -> Option<Vec<u32>> {
    let pair = &read.pairs[pair];
    let (old, new) = (pair.old.as_ref()?, pair.new.as_ref()?);
    Some(kept_lines(&old.text, &new.text))
}

/// The targets of each place in a file.
type TargetsByPosition = FxHashMap<Position, Vec<EntityId>>;

/// The supposed state beside the newer one.
struct Earlier<'a, 's> {
    graph: Graph<'s>,
    newer: &'a Graph<'a>,
    sources: &'a Sources<'a>,
    read: &'a ComparedFiles,
    /// For each file put back to its old text: the new number of each old line; `None` if the file is gone.
    lines: BTreeMap<&'a str, Option<Vec<u32>>>,
    /// Targets by file: in the supposed state, and in the newer one.
    targets: [FxHashMap<FileId, TargetsByPosition>; 2],
}

impl Earlier<'_, '_> {
    /// The removed definition, with all entities of its file.
    fn gone(&self, number: usize) -> Result<Option<(Entity, Vec<Entity>)>, StoreError> {
        let Some(spot) = self.read.changed[number].old else { return Ok(None) };
        let version = old_of(&self.read.pairs, spot);
        let Some(file) = self.graph.store.file_id(&version.path)? else { return Ok(None) };
        let entities = self.graph.store.entities_of(file)?;
        Ok(version.among(spot.1, &entities).cloned().map(|gone| (gone, entities)))
    }

    fn references(
        &mut self,
        number: usize,
        gone: &Entity,
        entities: &[Entity],
        found: &mut Vec<RemovedReference>,
    ) -> Result<(), StoreError> {
        let change = &self.read.changed[number];
        let incoming = self.graph.incoming(gone.id)?;
        let overrides = incoming.iter().filter(|relationship| relationship.kind == K::Overrides);
        let heirs: Vec<EntityId> = overrides.map(|relationship| relationship.source).collect();
        for relationship in &incoming {
            if relationship.kind.is_use()
                && (relationship.kind == K::UsesFixture || !stops_being_fixture(self.read, change))
            {
                found.extend(self.reference(number, *relationship, &heirs)?);
            }
        }
        if gone.record.kind == EntityKind::Module {
            // `from module import name` names the module too.
            for entity in entities.iter().filter(|entity| entity.parent == gone.id && entity.id != gone.id) {
                let imports = self.graph.incoming(entity.id)?.into_iter().filter(|other| other.kind == K::Imports);
                for relationship in imports {
                    found.extend(self.reference(number, relationship, &[])?);
                }
            }
        }
        Ok(())
    }

    /// A reference of the supposed state, moved to the newer state. `None` if the place is gone there or has another
    /// target.
    fn reference(
        &mut self,
        change: usize,
        mut relationship: Relationship,
        heirs: &[EntityId],
    ) -> Result<Option<RemovedReference>, StoreError> {
        let Some(head) = self.graph.head(relationship.source)? else { return Ok(None) };
        let path = self.graph.path(&head).to_owned();
        let before = (relationship.line, relationship.column);
        match self.lines.get(path.as_str()) {
            Some(None) => return Ok(None),
            Some(Some(lines)) => match lines.get(relationship.line.saturating_sub(1) as usize) {
                None | Some(0) => return Ok(None),
                Some(&line) => relationship.line = line,
            },
            None => {}
        }
        let Some(file) = self.newer.store.file_id(&path)? else { return Ok(None) };
        let place = (relationship.line, relationship.column);
        let [earlier, newer] = &mut self.targets;
        let then = targets(earlier, self.graph.store, head.file)?.get(&before);
        let now = targets(newer, self.newer.store, file)?.get(&place);
        let is_new = |target: &&EntityId| !then.is_some_and(|then| then.contains(target));
        let leads_on = now.is_some();
        let come: Vec<EntityId> = now.into_iter().flatten().filter(is_new).copied().collect();
        let lost = self.read.changed[change].old.map(|spot| (old_of(&self.read.pairs, spot), spot.1));
        let name = lost.map(|(version, index)| version.records()[index].name.as_str());
        let is_member = lost.is_some_and(|(version, index)| version.parent_kind(index) == EntityKind::Class);
        let (mut heir, mut has_getattr, mut is_replaced, mut may_be_set) = (None, false, false, false);
        for target in come {
            let Some(head) = self.newer.head(target)? else { continue };
            match head.name() {
                "__getattr__" | "__getattribute__" => has_getattr = true,
                _ if heirs.contains(&target) => heir = Some(self.newer.full_name(&head)),
                // A member that took the place has the name, whatever value it holds.
                other if is_member && relationship.kind != K::Imports && name != Some(other) => may_be_set = true,
                _ => is_replaced = true,
            }
        }
        // Targets beside a `__getattr__` come from its result: the name itself is still lost.
        if is_replaced && !has_getattr {
            return Ok(None);
        }
        relationship.target = EntityId(0);
        let line = self.sources.line(&path, relationship.line);
        let is_written = name.zip(line).is_some_and(|(name, line)| has_name(&line, name, is_whole));
        Ok(Some(RemovedReference { change, relationship, file, heir, has_getattr, may_be_set, leads_on, is_written }))
    }
}

fn targets<'t>(
    known: &'t mut FxHashMap<FileId, TargetsByPosition>,
    store: &Store,
    file: FileId,
) -> Result<&'t TargetsByPosition, StoreError> {
    let place = match known.entry(file) {
        Entry::Occupied(known) => return Ok(known.into_mut()),
        Entry::Vacant(place) => place,
    };
    let mut targets = TargetsByPosition::default();
    for relationship in store.relationships_of(file)? {
        targets.entry((relationship.line, relationship.column)).or_default().push(relationship.target);
    }
    Ok(place.insert(targets))
}
