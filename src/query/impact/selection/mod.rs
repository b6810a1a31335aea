//! The tests to run for a change, as ids for pytest's command line, most probable first.
//!
//! Set-up code stands for the tests around which it runs: a `setUp` for its class, module code for its file. One
//! unknown id makes pytest run nothing at all: tests that it does not collect are not named, and an inherited test
//! goes by the classes that it runs in.

pub(crate) mod collection;
pub(crate) mod confined;
pub(crate) mod instance_filter;
pub(crate) mod request_filter;
pub(crate) mod setup;
pub(crate) mod shared_words;
pub(crate) mod true_shares;

use std::{
    cell::{OnceCell, RefCell},
    rc::Rc,
};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    model::{
        Collecting, EntityFlags, EntityId, EntityKind, Evidence, FileRecord, Relationship, RelationshipKind,
        conventions::{
            pytest::{TEST_CLASS, is_test_file_of_any_runner},
            setup::{SetupScope, setup_scope},
            unittest::is_test_case,
        },
        fits_name, fits_path,
    },
    query::{
        graph::Graph,
        impact::{
            completeness::{Boundary, MAX_PATHS},
            selection::collection::PytestCollections,
            walk::{Reached, Role, Walk, WalkNode, factors::Change},
        },
        target::filter::{DefinitionMark, Filter, FilterReader},
        words::rounded,
    },
    store::{
        Store,
        error::StoreError,
        read::{Entity, entity_headers::Head},
    },
};

/// Classes that are looked at for one inherited test.
const MAX_HEIRS: usize = 1_000;

/// A test with the best chain that leads to it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReachedTest {
    pub id: String,
    pub probability: f64,
    pub distance: u32,
    pub evidence: Evidence,
}

/// The tests among `reached`, in that order, each once; an id that covers others does not hide them. A file that
/// imports a removed name fails as a whole.
pub fn reached_tests<'w>(
    collected: &Collected,
    walk: &Walk,
    change: Change,
    reached: impl Iterator<Item = (WalkNode, &'w Reached)>,
) -> Result<Vec<ReachedTest>, StoreError> {
    let mut seen = FxHashSet::default();
    let mut tests = Vec::new();
    for (node, reached) in reached.filter(|(node, _)| node.1 != Role::Importer || change.takes_the_name()) {
        for id in collected.ids_of(&reached.entity)? {
            if seen.insert(id.clone()) {
                let probability = rounded(walk.probability_of(&node, reached));
                tests.push(ReachedTest { id, probability, distance: reached.distance, evidence: reached.evidence });
            }
        }
    }
    Ok(tests)
}

/// The tests that the changed definitions are themselves, and those whose set-up they are.
pub fn changed_tests(collected: &Collected, seeds: &[Entity], change: Change) -> Result<Vec<ReachedTest>, StoreError> {
    let mut tests = Vec::new();
    // A test that is gone cannot run.
    for seed in seeds.iter().filter(|seed| !change.takes_the_name() && seed.record.kind.is_callable()) {
        let Some(head) = collected.graph.head(seed.id)? else { continue };
        let ids = collected.ids_of(&head)?.into_iter();
        tests.extend(ids.map(|id| ReachedTest { id, probability: 1.0, distance: 0, evidence: Evidence::Exact }));
    }
    Ok(tests)
}

/// The functions among `reached` that look like tests and that pytest, as it is set up, does not collect. Another
/// runner may collect them: an empty list of tests does not mean that no test is affected.
pub fn look_like_tests(collected: &Collected, reached: &[&Reached]) -> Result<Option<Boundary>, StoreError> {
    let graph = collected.graph;
    let mut paths = Vec::new();
    for reached in reached {
        let head = &reached.entity;
        let is_in_tests = graph.file(head.file).is_some_and(|file| file.is_test);
        if is_in_tests && is_named_as_test(head) && collected.ids_of(head)?.is_empty() {
            paths.push(graph.path(head).to_owned());
        }
    }
    let count = paths.len();
    if count == 0 {
        return Ok(None);
    }
    paths.sort_unstable();
    paths.dedup();
    paths.truncate(MAX_PATHS);
    let look = if count == 1 { "function looks like a test" } else { "functions look like tests" };
    let message =
        format!("{count} affected {look} that pytest does not collect as it is set up: another runner may run more");
    Ok(Some(Boundary { kind: "not_collected", count, message, paths }))
}

/// The ids of these tests, in that order; a file or class of tests stands for those inside it.
pub fn test_ids(tests: &[ReachedTest]) -> Vec<String> {
    let all: FxHashSet<&str> = tests.iter().map(|test| test.id.as_str()).collect();
    let mut seen = FxHashSet::default();
    let mut ids = Vec::new();
    for ReachedTest { id, .. } in tests {
        let mut around = id.match_indices("::").map(|(at, _)| &id[..at]);
        let outermost = around.find(|around| all.contains(around)).unwrap_or(id);
        if seen.insert(outermost) {
            ids.push(outermost.to_owned());
        }
    }
    ids
}

/// A reader of conditions. Where one asks for tests, it takes those for tests that a runner collects.
pub fn reader_of<'s>(store: &'s Store, filter: &Filter) -> Result<FilterReader<'s>, StoreError> {
    let reader = FilterReader::new(store)?;
    let asks_for_tests = |filter: &Filter| filter.marks.contains(&DefinitionMark::Test);
    if !asks_for_tests(filter) && !filter.excluded.iter().any(asks_for_tests) {
        return Ok(reader);
    }
    let graph = Graph::new(store)?;
    let collected = Collected::new(&graph);
    let mut tests = FxHashSet::default();
    for (file, record) in store.files()? {
        if !collected.searches(&record)? {
            continue;
        }
        for id in store.entity_ids(file)? {
            let is_fixture = graph.head(id)?.is_some_and(|head| head.flags.has(EntityFlags::FIXTURE));
            if !is_fixture && collected.is_test_or_fixture(id)? {
                tests.insert(id);
            }
        }
    }
    Ok(reader.with_tests(tests))
}

/// Why pytest looks for tests in a class.
#[derive(Clone, Copy)]
enum By {
    Unittest,
    Name,
}

/// The tests that pytest collects, by its own rules, the project's and those of unittest.
pub struct Collected<'g, 's> {
    pub(crate) graph: &'g Graph<'s>,
    /// Whether the tests of the repository lie in files that are named as pytest expects it.
    has_usual_files: OnceCell<bool>,
    collections: OnceCell<PytestCollections>,
    classes: RefCell<FxHashMap<EntityId, Option<By>>>,
}

impl<'g, 's> Collected<'g, 's> {
    /// Nothing is looked at before it is asked for.
    pub fn new(graph: &'g Graph<'s>) -> Self {
        Self { graph, has_usual_files: OnceCell::new(), collections: OnceCell::new(), classes: RefCell::default() }
    }

    /// The project's settings of pytest's collection for the file at `path`.
    fn collecting(&self, path: &str) -> Result<&Collecting, StoreError> {
        let collections = match self.collections.get() {
            Some(collections) => collections,
            None => {
                let read = PytestCollections::new(self.graph)?;
                self.collections.get_or_init(|| read)
            }
        };
        Ok(collections.of(path))
    }

    /// Whether pytest takes a function for a test by its name.
    fn is_test(&self, head: &Head) -> Result<bool, StoreError> {
        let patterns = &self.collecting(self.graph.path(head))?.functions;
        let is_function = head.kind.is_callable() && head.kind != EntityKind::Property;
        let can_be = is_function && !head.flags.has(EntityFlags::FIXTURE);
        Ok(if patterns.is_empty() { is_named_as_test(head) } else { can_be && fits_name(patterns, head.name()) })
    }

    /// Whether a definition is a test that a runner collects, or a fixture.
    pub fn is_test_or_fixture(&self, id: EntityId) -> Result<bool, StoreError> {
        let Some(head) = self.graph.head(id)? else { return Ok(false) };
        let is_fixture = head.kind.is_callable() && head.flags.has(EntityFlags::FIXTURE);
        Ok(is_fixture || (is_named_as_test(&head) || self.is_test(&head)?) && !self.ids_of(&head)?.is_empty())
    }

    /// The ids that pytest runs because of an entity: a test, tests with this set-up, or a file of tests.
    pub fn ids_of(&self, head: &Head) -> Result<Vec<String>, StoreError> {
        let is_method = head.qualified.contains('.');
        let name = head.name();
        if is_method && (is_named_as_test(head) || self.is_test(head)?) {
            return self.in_classes(head, Some(name));
        }
        if self.is_test(head)? {
            return Ok(self.file_id(head)?.map(|path| format!("{path}::{name}")).into_iter().collect());
        }
        match setup_scope(name) {
            Some(SetupScope::Class) if is_method => self.in_classes(head, None),
            Some(SetupScope::Module) if !is_method => Ok(self.file_id(head)?.into_iter().collect()),
            _ if head.kind == EntityKind::Module => Ok(self.file_id(head)?.into_iter().collect()),
            _ => Ok(Vec::new()),
        }
    }

    /// The path of the file, if pytest looks for tests in it.
    fn file_id(&self, head: &Head) -> Result<Option<String>, StoreError> {
        let Some(file) = self.graph.file(head.file) else { return Ok(None) };
        // Where no file has a usual name, a module as a whole may be no file of tests.
        let is_told = !self.collecting(&file.path)?.files.is_empty() || is_test_file_of_any_runner(&file.path);
        let is_collected = self.searches(file)? && (is_told || head.kind != EntityKind::Module);
        Ok(is_collected.then(|| file.path.clone()))
    }

    /// Whether pytest looks for tests in a file.
    pub fn searches(&self, file: &FileRecord) -> Result<bool, StoreError> {
        let patterns = &self.collecting(&file.path)?.files;
        Ok(if patterns.is_empty() {
            file.is_test && (is_test_file_of_any_runner(&file.path) || !self.has_usual_files())
        } else {
            fits_path(patterns, &file.path)
        })
    }

    fn has_usual_files(&self) -> bool {
        *self
            .has_usual_files
            .get_or_init(|| self.graph.files().any(|file| file.is_test && is_test_file_of_any_runner(&file.path)))
    }

    /// `test`, or all tests, in the class of a method and in the classes that inherit it.
    fn in_classes(&self, method: &Head, test: Option<&str>) -> Result<Vec<String>, StoreError> {
        let mut ids = Vec::new();
        let mut seen = FxHashSet::from_iter([method.parent]);
        let mut next = vec![method.parent];
        let mut overriding: Option<FxHashSet<EntityId>> = None;
        while let Some(class) = next.pop() {
            let Some(head) = self.graph.head(class)? else { continue };
            if let Some(path) = self.file_id(&head)?
                && self.is_collected(&head, test.is_some().then_some(method))?
            {
                let class = head.qualified.replace('.', "::");
                ids.push(test.map_or_else(|| format!("{path}::{class}"), |test| format!("{path}::{class}::{test}")));
            }
            for heir in self.graph.heirs(class)? {
                let overriding = match &mut overriding {
                    Some(overriding) => overriding,
                    None => overriding.insert(self.overriding(method)?),
                };
                if seen.len() < MAX_HEIRS && !overriding.contains(&heir.source) && seen.insert(heir.source) {
                    next.push(heir.source);
                }
            }
        }
        ids.sort_unstable();
        Ok(ids)
    }

    /// The classes that override a method.
    fn overriding(&self, method: &Head) -> Result<FxHashSet<EntityId>, StoreError> {
        let mut classes = FxHashSet::default();
        for relationship in self.graph.store.incoming_of(method.id, RelationshipKind::Overrides)? {
            classes.extend(self.graph.head(relationship.source)?.map(|head| head.parent));
        }
        Ok(classes)
    }

    /// Whether the tests of a class run in it, and `test` among them. Either the class is called `Test…`, or as the
    /// project says, and can be made without arguments. Or it derives from unittest's, whose tests are called `test…`
    /// whatever the project says.
    fn is_collected(&self, class: &Head, test: Option<&Head>) -> Result<bool, StoreError> {
        let known = self.classes.borrow().get(&class.id).copied();
        let by = match known {
            Some(known) => known,
            None => {
                let by = self.collected_by(class)?;
                self.classes.borrow_mut().insert(class.id, by);
                by
            }
        };
        Ok(match (by, test) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(By::Unittest), Some(test)) => is_named_as_test(test),
            (Some(By::Name), Some(test)) => self.is_test(test)?,
        })
    }

    fn collected_by(&self, class: &Head) -> Result<Option<By>, StoreError> {
        if class.kind != EntityKind::Class {
            return Ok(None);
        }
        let lineage = self.graph.lineage(class.id)?;
        if self.is_of_unittest(&lineage)? {
            return Ok(Some(By::Unittest));
        }
        let patterns = &self.collecting(self.graph.path(class))?.classes;
        let name = class.name();
        let is_named = if patterns.is_empty() { name.starts_with(TEST_CLASS) } else { fits_name(patterns, name) };
        Ok((is_named && !self.has_constructor(&lineage)?).then_some(By::Name))
    }

    fn is_of_unittest(&self, lineage: &[Rc<Head>]) -> Result<bool, StoreError> {
        for class in lineage.iter().filter(|class| class.flags.has(EntityFlags::UNITTEST)) {
            let bases = self.graph.bases(class)?;
            let is_such =
                |base: &Relationship| lineage.iter().any(|class| class.id == base.target && is_test_case(class.name()));
            // The base with such a name lies outside of the repository.
            if !bases.iter().any(is_such) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn has_constructor(&self, lineage: &[Rc<Head>]) -> Result<bool, StoreError> {
        for class in lineage {
            for name in ["__init__", "__new__"] {
                if !self.graph.store.members_named(class.id, name)?.is_empty() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

fn is_named_as_test(head: &Head) -> bool {
    head.is_test() && head.kind != EntityKind::Property
}
