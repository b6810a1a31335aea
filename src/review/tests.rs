//! The tests to run for a change, the most likely failures first.
//!
//! It also lists tests that could not be traced, and changed definitions that no test reaches.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::{
    model::{EntityId, EntityKind, EntityRecord, Evidence, RelationshipKind as K, conventions::pytest::is_test_path},
    query::{
        graph::Graph,
        impact::{
            ReachSummary,
            selection::Collected,
            verdict::Verdict,
            walk::{Least, Limits},
        },
    },
    review::{
        ComparedFiles, Finding, is_test,
        judge::Unimportable,
        states::{changes::new_of, edits::Edit},
    },
    store::{error::StoreError, read::Entity},
};

/// The width of the selection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Only tests that a chain of resolved relationships makes likely.
    Focused,
    /// All tests with at least the requested probability, as `impact` lists them.
    #[default]
    Usual,
    /// All tests that cannot be excluded, also those that only a name connects.
    Conservative,
}

/// A test to run.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RankedTest {
    /// The id for pytest; parametrized tests without brackets.
    pub id: String,
    /// Probability that the change reaches it, 0..=1.
    pub probability: f64,
    /// Length of the chain; 0 for a test that itself changed.
    pub distance: u32,
}

/// The tests that [`select`] found.
#[derive(Debug, Default)]
pub(super) struct Selection {
    pub(super) tests: Vec<RankedTest>,
    pub(super) untraced: Vec<String>,
    pub(super) untested: Vec<String>,
}

/// Least probability of a test in a focused selection.
const FOCUSED: f64 = 0.3;
/// Least probability of a test in a conservative selection.
const CONSERVATIVE: f64 = 0.01;
/// After so many entities the search for a test gives up, and the definition counts as tested.
const MAX_LOOKED_AT: usize = 3000;

impl Mode {
    /// The limits of the walk that finds the tests.
    pub(super) fn limits(self, limits: &Limits) -> Limits {
        let least = match (self, limits.least) {
            (Self::Conservative, Least::Probability(least)) => Least::Probability(CONSERVATIVE.min(least)),
            (Self::Conservative, Least::Share { .. }) => Least::Probability(CONSERVATIVE),
            (Self::Usual | Self::Focused, least) => least,
        };
        Limits { least, ..limits.clone() }
    }
}

pub(super) fn select(
    graph: &Graph,
    read: &ComparedFiles,
    findings: &[Finding],
    unimportable: &Unimportable,
    reached: Option<&ReachSummary>,
    mode: Mode,
) -> Result<Selection, StoreError> {
    let ComparedFiles { pairs, changed, indexed } = read;
    let collected = Collected::new(graph);
    let mut ranked: Vec<RankedTest> = Vec::new();
    for change in changed.iter().filter(|change| !change.edits.iter().all(|edit| *edit == Edit::DocsChanged)) {
        let Some((number, index)) = change.new else { continue };
        let entities = indexed.of(graph.store, pairs, number)?;
        let Some(wanted) = new_of(pairs, (number, index)).among(index, &entities) else { continue };
        // A new class or file of tests contains new tests.
        for entity in entities.iter().filter(|entity| is_or_is_in(&entities, entity, wanted, index == 0)) {
            if let Some(head) = graph.head(entity.id)?.filter(|_| is_test(&entity.record) || index == 0) {
                let ids = collected.ids_of(&head)?.into_iter();
                ranked.extend(ids.map(|id| RankedTest { id, probability: 1.0, distance: 0 }));
            }
        }
    }
    // A test that breaks itself is known without a walk.
    for finding in findings.iter().filter(|finding| finding.verdict <= Verdict::MayBreak && finding.is_test) {
        if let Some(head) = graph.head(finding.source)? {
            let ids = collected.ids_of(&head)?.into_iter();
            ranked.extend(ids.map(|id| RankedTest { id, probability: finding.probability, distance: 1 }));
        }
    }
    ranked.extend(failing_files(&collected, graph, unimportable)?);
    let mut untraced = BTreeSet::new();
    for test in reached.iter().flat_map(|report| &report.tests) {
        match (mode, test.evidence) {
            (Mode::Focused, Evidence::Possible) => {
                untraced.insert(test.id.clone());
                continue;
            }
            (Mode::Focused, _) if test.probability < FOCUSED => continue,
            _ => {}
        }
        ranked.push(RankedTest { id: test.id.clone(), probability: test.probability, distance: test.distance });
    }
    ranked.sort_by(|a, b| {
        b.probability.total_cmp(&a.probability).then(a.distance.cmp(&b.distance)).then_with(|| a.id.cmp(&b.id))
    });
    let mut seen = BTreeSet::new();
    ranked.retain(|test| seen.insert(test.id.clone()));
    // A file or class stands for all its tests.
    ranked.retain(|test| !test.id.match_indices("::").any(|(at, _)| seen.contains(&test.id[..at])));
    let unread = graph.files().filter(|file| file.is_test && (file.is_partial || !file.skipped.is_empty()));
    untraced.extend(unread.map(|file| file.path.clone()));
    untraced.retain(|id| !seen.contains(id));
    Ok(Selection { tests: ranked, untraced: untraced.into_iter().collect(), untested: untested(graph, read)? })
}

/// Test files that cannot be imported, and those below a `conftest.py` that cannot be.
fn failing_files(
    collected: &Collected,
    graph: &Graph,
    unimportable: &Unimportable,
) -> Result<Vec<RankedTest>, StoreError> {
    let mut failing = Vec::new();
    for (&file, &(distance, probability)) in &unimportable.files {
        let Some(path) = graph.file(file).filter(|file| file.is_test).map(|file| &file.path) else { continue };
        // pytest imports a `conftest.py` before all tests below its folder.
        let files = match path.strip_suffix("conftest.py") {
            Some(folder) => graph.files_below(folder),
            None => vec![file],
        };
        for file in files {
            let module = graph.store.entity_ids(file)?.first().map_or(Ok(None), |module| graph.head(*module))?;
            for id in module.map_or(Ok(Vec::new()), |module| collected.ids_of(&module))? {
                failing.push(RankedTest { id, probability, distance: distance + 1 });
            }
        }
    }
    Ok(failing)
}

/// Whether an entity is the definition with this index in its file, or lies inside it.
fn is_or_is_in(entities: &[Entity], entity: &Entity, wanted: &Entity, is_alone: bool) -> bool {
    if is_alone {
        return entity.id == wanted.id;
    }
    let mut at = entity;
    loop {
        if at.id == wanted.id {
            return true;
        }
        match entities.iter().find(|parent| parent.id == at.parent && parent.id != at.id) {
            Some(parent) => at = parent,
            None => return false,
        }
    }
}

/// Changed functions, methods and classes outside of tests that no known test reaches.
fn untested(graph: &Graph, read: &ComparedFiles) -> Result<Vec<String>, StoreError> {
    let ComparedFiles { pairs, changed, indexed } = read;
    let mut names = Vec::new();
    for change in changed {
        let Some((number, index)) = change.new else { continue };
        let version = new_of(pairs, (number, index));
        let is_added = change.edits.contains(&Edit::Added);
        let is_felt = is_added || change.edits.iter().any(|edit| edit.is_behavior() || edit.is_use());
        if !is_felt || is_test_path(&version.path) {
            continue;
        }
        // A new file or class contains new functions.
        let is_concerned = |&other: &usize| other == index || (is_added && is_member(version.records(), other, index));
        let entities = indexed.of(graph.store, pairs, number)?;
        for index in (0..version.records().len()).filter(is_concerned) {
            let Some(entity) = version.among(index, &entities) else { continue };
            if version.records()[index].kind.is_callable() && !reaches_a_test(graph, entity.id)? {
                names.push(version.full_name(index));
            }
        }
    }
    Ok(names)
}

/// Whether a definition lies in a module or class, not in a function.
fn is_member(records: &[EntityRecord], mut index: usize, of: usize) -> bool {
    while index != of {
        let parent = records[index].parent as usize;
        if index == 0 || (parent != of && records[parent].kind != EntityKind::Class) {
            return false;
        }
        index = parent;
    }
    true
}

/// Whether a chain of resolved relationships leads from a test to the entity. Too many entities count as yes.
fn reaches_a_test(graph: &Graph, entity: EntityId) -> Result<bool, StoreError> {
    let mut queue = VecDeque::from([entity]);
    let mut seen = FxHashSet::from_iter([entity]);
    while let Some(at) = queue.pop_front() {
        let Some(head) = graph.head(at)? else { continue };
        if graph.file(head.file).is_some_and(|file| file.is_test) && head.kind != EntityKind::Variable {
            return Ok(true);
        }
        // Reporting a tested definition as untested would be a false alarm.
        if seen.len() > MAX_LOOKED_AT {
            return Ok(true);
        }
        let mut next: Vec<EntityId> = Vec::new();
        for relationship in graph.incoming(at)? {
            // Other kinds do not run the entity.
            if !matches!(relationship.kind, K::Imports | K::Annotates | K::Overrides | K::Contains) {
                next.push(relationship.source);
            }
        }
        if matches!(head.kind, EntityKind::Method | EntityKind::Property) {
            // A call of the overridden method may be dispatched to this one.
            next.extend(graph.overridden(&head)?.into_iter().map(|relationship| relationship.target));
            // Special methods and properties may run wherever an instance is.
            if head.name().starts_with("__") {
                next.push(head.parent);
            }
        }
        next.retain(|id| seen.insert(*id));
        queue.extend(next);
    }
    Ok(false)
}
