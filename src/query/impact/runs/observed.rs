//! From lines that ran to definitions that tests ran.
//!
//! A definition ran if a line of its body did: its head runs where it is defined. A context names a test as pytest-cov
//! (`tests/test_a.py::TestA::test_b[1]|run`) or coverage.py (`test_a.TestA.test_b`) writes it. Paths may be those of
//! another machine, so they are compared by their last parts.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::{
    model::{EntityId, EntityKind, FileId, brackets::lines_of_head},
    query::{
        graph::Graph,
        impact::runs::{can_run, ran_definition},
        source::Sources,
    },
    store::{
        Store,
        error::StoreError,
        read::Entity,
        runs::{RanDefinition, coverage::CoveredLines},
    },
};

/// The definitions of the index that a data file saw run.
#[derive(Debug, Default)]
pub struct Observed {
    /// A definition and a test that ran it, sorted.
    pub pairs: Vec<(RanDefinition, RanDefinition)>,
    /// Files that count, and their data does not, since they have changed since the run.
    pub changed_files: BTreeSet<String>,
    /// Contexts that name no test of the index.
    pub unknown_contexts: BTreeSet<String>,
}

/// Reads `covered`; `has_changed` tells whether a file is another one than the run saw.
///
/// # Errors
/// When the index cannot be read.
pub fn observed(
    store: &Store,
    sources: &Sources,
    covered: &[CoveredLines],
    has_changed: &dyn Fn(&str) -> bool,
) -> Result<Observed, StoreError> {
    let graph = Graph::new(store)?;
    let mut reader = RunReader { graph: &graph, paths: FxHashMap::default(), tests: FxHashMap::default() };
    let mut found = Observed::default();
    let mut pairs = BTreeSet::new();
    let mut by_file: BTreeMap<&str, Vec<&CoveredLines>> = BTreeMap::new();
    for lines in covered {
        by_file.entry(&lines.path).or_default().push(lines);
    }
    for (path, contexts) in by_file {
        let Some((file, path)) = reader.file(path)? else { continue };
        if has_changed(&path) {
            found.changed_files.insert(path);
            continue;
        }
        let bodies = bodies(store, sources, file, &path)?;
        for CoveredLines { context, lines, .. } in contexts {
            let Some(test) = reader.test(context)? else {
                found.unknown_contexts.insert(context.clone());
                continue;
            };
            if has_changed(&test.path) {
                found.changed_files.insert(test.path);
                continue;
            }
            let ran = lines.iter().filter_map(|line| innermost(&bodies, *line));
            pairs.extend(ran.filter(|ran| **ran != test).map(|ran| (ran.clone(), test.clone())));
        }
    }
    found.pairs = pairs.into_iter().collect();
    Ok(found)
}

/// A definition with the first and the last line of its body.
struct Body {
    first: u32,
    last: u32,
    definition: RanDefinition,
}

/// The bodies of a file's functions, outer ones first.
fn bodies(store: &Store, sources: &Sources, file: FileId, path: &str) -> Result<Vec<Body>, StoreError> {
    let entities = store.entities_of(file)?;
    let body = |entity: &Entity| {
        let record = &entity.record;
        let text = sources.lines(path, record.line, record.end_line)?;
        let first = record.line.saturating_add(lines_of_head(&text));
        Some(Body { first, last: record.end_line, definition: ran_definition(entity) })
    };
    let mut bodies: Vec<Body> = entities.iter().filter(|entity| can_run(entity.record.kind)).filter_map(body).collect();
    bodies.sort_by_key(|body| body.first);
    Ok(bodies)
}

fn innermost(bodies: &[Body], line: u32) -> Option<&RanDefinition> {
    let around = bodies.iter().rev().find(|body| (body.first..=body.last).contains(&line));
    around.map(|body| &body.definition)
}

/// Finds files and tests by the names that coverage.py has for them.
struct RunReader<'g, 's> {
    graph: &'g Graph<'s>,
    paths: FxHashMap<String, Option<(FileId, String)>>,
    tests: FxHashMap<String, Option<RanDefinition>>,
}

impl RunReader<'_, '_> {
    /// The indexed file of a path: the path, or the longest end of it that the index has.
    fn file(&mut self, path: &str) -> Result<Option<(FileId, String)>, StoreError> {
        if let Some(known) = self.paths.get(path) {
            return Ok(known.clone());
        }
        let slashed = path.replace('\\', "/");
        let mut found = None;
        let mut end = Some(slashed.trim_start_matches("./"));
        while let Some(candidate) = end.filter(|_| found.is_none()) {
            found = self.graph.store.file_id(candidate)?.map(|file| (file, candidate.to_owned()));
            end = candidate.split_once('/').map(|(_, rest)| rest);
        }
        self.paths.insert(path.to_owned(), found.clone());
        Ok(found)
    }

    /// The test that a context names.
    fn test(&mut self, context: &str) -> Result<Option<RanDefinition>, StoreError> {
        // `|setup`, `|run` and `|teardown` are phases of one test, `[…]` its parameters.
        let name = context.split('|').next().unwrap_or_default();
        let (head, _) = name.split_once('[').unwrap_or((name, ""));
        if let Some(known) = self.tests.get(head) {
            return Ok(known.clone());
        }
        let found = match head.split_once("::") {
            Some((path, rest)) => self.by_id(path, &rest.replace("::", "."))?,
            None => self.by_name(head)?,
        };
        let found = found.map(|test| ran_definition(&test));
        self.tests.insert(head.to_owned(), found.clone());
        Ok(found)
    }

    /// A test by file and name; one that a class inherits is the test of its base.
    fn by_id(&mut self, path: &str, qualified: &str) -> Result<Option<Entity>, StoreError> {
        let Some((file, _)) = self.file(path)? else { return Ok(None) };
        let entities = self.graph.store.entities_of(file)?;
        // Of several definitions of a name, the last one is the one that runs.
        let own = |name: &str| entities.iter().rev().find(|entity| entity.record.qualified == name);
        if let Some(test) = own(qualified) {
            return Ok(Some(test.clone()));
        }
        let Some((class, name)) = qualified.rsplit_once('.') else { return Ok(None) };
        match own(class).filter(|class| class.record.kind == EntityKind::Class) {
            Some(class) => self.inherited(class.id, name),
            None => Ok(None),
        }
    }

    fn inherited(&self, class: EntityId, name: &str) -> Result<Option<Entity>, StoreError> {
        for class in self.graph.lineage(class)? {
            if let Some(member) = self.graph.store.members_named(class.id, name)?.last() {
                return self.graph.store.entity(*member);
            }
        }
        Ok(None)
    }

    /// A test by its dotted name, where that fits one alone: the module may be named from another folder.
    fn by_name(&self, name: &str) -> Result<Option<Entity>, StoreError> {
        let last = name.rsplit('.').next().unwrap_or_default();
        let end = format!(".{name}");
        let named = self.graph.named(last)?;
        let mut fitting = named.iter().filter(|entity| {
            let full = entity.full_name();
            can_run(entity.record.kind) && (full == name || full.ends_with(&end))
        });
        Ok(fitting.next().filter(|_| fitting.next().is_none()).cloned())
    }
}
