//! Runs of tests as evidence: which tests ran a changed definition, where the user added such data.
//!
//! The source shows what can happen, a run what did. A test that ran the definition is listed, whatever the source
//! shows. `observed` reads the data. All works without it.

pub mod observed;

use rustc_hash::FxHashMap;

use crate::{
    model::{Basis, EntityId, EntityKind, Relationship, RelationshipKind},
    query::{graph::Graph, impact::walk::Walk},
    store::{
        error::StoreError,
        read::Entity,
        runs::{RanDefinition, TestRuns},
    },
};

/// A definition as the store of runs knows it.
pub(crate) fn ran_definition(entity: &Entity) -> RanDefinition {
    RanDefinition {
        path: entity.path.clone(),
        qualified: entity.record.qualified.clone(),
        duplicate: entity.record.duplicate,
        content_hash: entity.record.content_hash,
    }
}

/// Whether a definition is code that a test can run line by line.
pub(crate) fn can_run(kind: EntityKind) -> bool {
    kind.is_callable() || kind == EntityKind::Property
}

/// Adds the tests that ran the changed definitions to a walk. Returns the commit of the run if it is the same for all:
/// each definition ran in it, and every test that ran one is as it was.
pub(crate) fn add_seen(graph: &Graph, walk: &mut Walk, seeds: &[Entity]) -> Result<Option<String>, StoreError> {
    let Some(runs) = graph.store.runs() else { return Ok(None) };
    let mut current = CurrentTests { graph, files: FxHashMap::default() };
    let mut commits: Vec<Option<String>> = Vec::new();
    for seed in seeds.iter().filter(|seed| can_run(seed.record.kind)) {
        commits.push(add_seen_of(&runs, &mut current, walk, seed)?);
    }
    let first = commits.first().cloned().flatten();
    Ok(first.filter(|first| commits.iter().all(|commit| commit.as_ref() == Some(first))))
}

/// The same for one definition.
fn add_seen_of(
    runs: &TestRuns,
    current: &mut CurrentTests,
    walk: &mut Walk,
    seed: &Entity,
) -> Result<Option<String>, StoreError> {
    // Damage to the user's data hides it; the answer from the source stands.
    let seen = runs.tests_of(&ran_definition(seed)).unwrap_or_default();
    let mut commit = seen.first().map(|seen| seen.commit.clone());
    for seen in seen {
        let test = current.find(&seen.test)?;
        // A test that has changed since may run the definition or not, and two runs may differ in more than this.
        if test.is_none() || commit.as_ref() != Some(&seen.commit) {
            commit = None;
        }
        if let Some(test) = test {
            see(current.graph, walk, &test, seed, seen.commit)?;
        }
    }
    Ok(commit)
}

fn see(graph: &Graph, walk: &mut Walk, test: &Entity, seed: &Entity, commit: String) -> Result<(), StoreError> {
    let Some(head) = graph.head(test.id)?.filter(|head| head.id != seed.id) else { return Ok(()) };
    let relationship = Relationship {
        source: test.id,
        target: seed.id,
        kind: RelationshipKind::Tests,
        line: test.record.line,
        column: test.record.column,
        basis: Basis::Scope,
    };
    walk.see(graph, head, seed.id, relationship, commit);
    Ok(())
}

/// The tests of the index as they are now, each file read once.
struct CurrentTests<'g, 's> {
    graph: &'g Graph<'s>,
    files: FxHashMap<String, FxHashMap<RanDefinition, EntityId>>,
}

impl CurrentTests<'_, '_> {
    /// The test that has this place, name and source now.
    fn find(&mut self, test: &RanDefinition) -> Result<Option<Entity>, StoreError> {
        if !self.files.contains_key(&test.path) {
            let entities = match self.graph.store.file_id(&test.path)? {
                Some(file) => self.graph.store.entities_of(file)?,
                None => Vec::new(),
            };
            let known = entities.iter().map(|entity| (ran_definition(entity), entity.id)).collect();
            self.files.insert(test.path.clone(), known);
        }
        match self.files[&test.path].get(test) {
            Some(&id) => self.graph.store.entity(id),
            None => Ok(None),
        }
    }
}
