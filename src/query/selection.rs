//! The tests to run for a change.
//!
//! Goes in: the entities that a change reaches. Comes out: what pytest takes on its command line, most probable first.
//! Set-up code stands for the tests that it prepares: a `setUp` for its class, module code for its file. One id that pytest
//! does not know makes it run nothing at all: what it does not collect is not named, and an inherited test goes by the
//! classes that it runs in.

use std::{
    cell::{OnceCell, RefCell},
    rc::Rc,
};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    model::{EntityFlags, EntityId, EntityKind, Evidence, Relationship, RelationshipKind, is_of_unittest},
    query::{
        completeness::{Boundary, MAX_PATHS},
        graph::Graph,
        impact::rounded,
        rules::Change,
        walk::{Knot, Reached, Role},
    },
    store::{error::StoreError, heads::Head},
};

/// Classes that are looked at for one inherited test.
const MAX_HEIRS: usize = 1_000;

/// A test with what is known about the way to it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReachedTest {
    pub id: String,
    pub probability: f64,
    pub distance: u32,
    pub evidence: Evidence,
}

/// The tests among `reached`, in that order, each once; an id that covers others does not hide them. A file that imports
/// what `change` takes away fails as a whole.
pub fn reached_tests<'w>(
    graph: &Graph,
    change: Change,
    reached: impl Iterator<Item = (Knot, &'w Reached)>,
) -> Result<Vec<ReachedTest>, StoreError> {
    let collected = Collected::new(graph);
    let mut seen = FxHashSet::default();
    let mut tests = Vec::new();
    for (_, reached) in reached.filter(|(knot, _)| knot.1 != Role::Importer || change.takes_the_name()) {
        for id in collected.ids_of(&reached.entity)? {
            if seen.insert(id.clone()) {
                let probability = rounded(reached.probability);
                tests.push(ReachedTest { id, probability, distance: reached.distance, evidence: reached.evidence });
            }
        }
    }
    Ok(tests)
}

/// The functions among `reached` that look like tests and are none that pytest collects by default. Its settings or another
/// runner may collect them: that no test is named does not say that none is concerned.
pub fn look_like_tests(graph: &Graph, reached: &[&Reached]) -> Result<Option<Boundary>, StoreError> {
    let collected = Collected::new(graph);
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
    let message = format!(
        "{count} affected {look} that pytest does not collect by default: its settings or another runner may run more"
    );
    Ok(Some(Boundary { kind: "not_collected", count, message, paths }))
}

/// The ids of these tests. What follows from a file or class already listed is left out.
pub fn test_ids(tests: &[ReachedTest]) -> Vec<String> {
    let mut seen = FxHashSet::default();
    let mut ids = Vec::new();
    for ReachedTest { id, .. } in tests {
        let is_covered = id.match_indices("::").any(|(at, _)| seen.contains(&id[..at]));
        if !is_covered && seen.insert(id.as_str()) {
            ids.push(id.clone());
        }
    }
    ids
}

/// What pytest collects, by its own rules and those of unittest.
pub struct Collected<'g, 's> {
    graph: &'g Graph<'s>,
    /// Whether the tests of the repository lie in files that are named as pytest expects it.
    has_usual_files: OnceCell<bool>,
    classes: RefCell<FxHashMap<EntityId, bool>>,
}

impl<'g, 's> Collected<'g, 's> {
    /// Nothing is looked at before it is asked for.
    pub fn new(graph: &'g Graph<'s>) -> Self {
        Self { graph, has_usual_files: OnceCell::new(), classes: RefCell::default() }
    }

    /// What pytest runs because of an entity: a test, tests that are prepared by it, or a file of tests.
    pub fn ids_of(&self, head: &Head) -> Result<Vec<String>, StoreError> {
        let is_method = head.qualified.contains('.');
        let name = head.name();
        if is_named_as_test(head) {
            if is_method {
                return self.in_classes(head, Some(name));
            }
            return Ok(self.file_id(head).map(|path| format!("{path}::{name}")).into_iter().collect());
        }
        match name {
            "setUp" | "tearDown" | "setUpClass" | "tearDownClass" | "setup_method" | "teardown_method"
            | "setup_class" | "teardown_class"
                if is_method =>
            {
                self.in_classes(head, None)
            }
            "setUpModule" | "tearDownModule" | "setup_module" | "teardown_module" | "setup_function"
            | "teardown_function"
                if !is_method =>
            {
                Ok(self.file_id(head).into_iter().collect())
            }
            _ if head.kind == EntityKind::Module => Ok(self.file_id(head).into_iter().collect()),
            _ => Ok(Vec::new()),
        }
    }

    /// The path of the file, if pytest looks for tests in it.
    fn file_id(&self, head: &Head) -> Option<String> {
        let path = &self.graph.file(head.file).filter(|file| file.is_test)?.path;
        let is_usual = has_usual_name(path);
        let is_collected = is_usual || head.kind != EntityKind::Module && !self.has_usual_files();
        is_collected.then(|| path.clone())
    }

    fn has_usual_files(&self) -> bool {
        *self.has_usual_files.get_or_init(|| self.graph.files().any(|file| file.is_test && has_usual_name(&file.path)))
    }

    /// `test`, or all tests, in the class of a method and in the classes that inherit it.
    fn in_classes(&self, method: &Head, test: Option<&str>) -> Result<Vec<String>, StoreError> {
        let mut ids = Vec::new();
        let mut seen = FxHashSet::from_iter([method.parent]);
        let mut next = vec![method.parent];
        let mut overriding: Option<FxHashSet<EntityId>> = None;
        while let Some(class) = next.pop() {
            let Some(head) = self.graph.head(class)? else { continue };
            if let Some(path) = self.file_id(&head)
                && self.is_collected(&head)?
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

    /// Whether the tests of a class run in it: it is called `Test…` and can be made without arguments, or derives from
    /// unittest's.
    fn is_collected(&self, class: &Head) -> Result<bool, StoreError> {
        if let Some(&known) = self.classes.borrow().get(&class.id) {
            return Ok(known);
        }
        let lineage = self.graph.lineage(class.id)?;
        let is_collected =
            self.is_of_unittest(&lineage)? || class.name().starts_with("Test") && !self.has_constructor(&lineage)?;
        self.classes.borrow_mut().insert(class.id, is_collected);
        Ok(is_collected)
    }

    fn is_of_unittest(&self, lineage: &[Rc<Head>]) -> Result<bool, StoreError> {
        for class in lineage.iter().filter(|class| class.flags.has(EntityFlags::UNITTEST)) {
            let bases = self.graph.bases(class)?;
            let is_such = |base: &Relationship| {
                lineage.iter().any(|class| class.id == base.target && is_of_unittest(class.name()))
            };
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
    head.kind.is_callable() && head.kind != EntityKind::Property && head.flags.has(EntityFlags::TEST)
}

/// `test_x.py`, `x_test.py`, and what unittest and Django add.
fn has_usual_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with("test") || ["_test.py", "_tests.py"].iter().any(|end| name.ends_with(end))
}
