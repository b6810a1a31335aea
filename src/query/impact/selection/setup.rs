//! Code that runs around tests that do not name it: set-up methods of a class or a module, hooks of pytest, fixtures
//! with `autouse`, and fixtures that a mark on a class or a module names.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::{
    model::{
        EntityFlags, EntityId, EntityKind, FileId,
        conventions::{
            pytest::{CONFTEST, HOOK, MARKS},
            setup::setup_scope,
        },
    },
    query::graph::Graph,
    store::{error::StoreError, read::entity_headers::Head},
};

/// The tests that a set-up or an automatic fixture is run for, in the order of files and lines; none for anything else.
pub(crate) fn tests_of(graph: &Graph, head: &Head) -> Result<Vec<Rc<Head>>, StoreError> {
    let Some(file) = graph.file(head.file).filter(|file| file.is_test) else { return Ok(Vec::new()) };
    let is_set_up = setup_scope(head.name()).is_some();
    if !is_set_up && !is_hook(head) && !head.flags.has(EntityFlags::AUTOUSE) {
        return Ok(Vec::new());
    }
    let parent = graph.head(head.parent)?;
    if let Some(class) = parent.filter(|parent| parent.kind == EntityKind::Class) {
        return tests_of_family(graph, &class, |test, family| Ok(family.contains(&test.parent)));
    }
    match file.path.strip_suffix(CONFTEST) {
        Some(folder) if !is_set_up => {
            let mut tests = Vec::new();
            for file in graph.files_below(folder) {
                tests.extend(tests_in(graph, file)?);
            }
            Ok(tests)
        }
        _ => tests_in(graph, head.file),
    }
}

/// The tests that have the marks of a class, or those that a variable `pytestmark` gives to its module or class.
pub(crate) fn marked_tests(graph: &Graph, head: &Rc<Head>) -> Result<Vec<Rc<Head>>, StoreError> {
    let marked = match head.kind {
        EntityKind::Class => Some(Rc::clone(head)),
        EntityKind::Variable if head.name() == MARKS => graph.head(head.parent)?,
        _ => None,
    };
    let Some(marked) = marked else { return Ok(Vec::new()) };
    if marked.kind != EntityKind::Class {
        return tests_in(graph, marked.file);
    }
    tests_of_family(graph, &marked, |test, family| is_inside(graph, test, family))
}

/// The tests in the files of a class and of all that derive from it which belong to them.
fn tests_of_family(
    graph: &Graph,
    class: &Rc<Head>,
    belongs: impl Fn(&Rc<Head>, &FxHashSet<EntityId>) -> Result<bool, StoreError>,
) -> Result<Vec<Rc<Head>>, StoreError> {
    let family = family_up_to(graph, class, LARGEST_TEST_FAMILY)?;
    let ids: FxHashSet<EntityId> = family.iter().map(|class| class.id).collect();
    let mut seen = FxHashSet::default();
    let mut tests = Vec::new();
    for class in &family {
        if !seen.insert(class.file) {
            continue;
        }
        for test in tests_in(graph, class.file)? {
            if belongs(&test, &ids)? {
                tests.push(test);
            }
        }
    }
    Ok(tests)
}

/// Whether a definition stands in one of these classes, or in one inside it.
fn is_inside(graph: &Graph, head: &Rc<Head>, classes: &FxHashSet<EntityId>) -> Result<bool, StoreError> {
    let mut at = Rc::clone(head);
    while at.parent != at.id {
        if classes.contains(&at.parent) {
            return Ok(true);
        }
        let Some(parent) = graph.head(at.parent)? else { break };
        at = parent;
    }
    Ok(false)
}

/// A family of this many classes is not followed any further.
pub(crate) const LARGEST_FAMILY: usize = 100;

/// Nor is one of test classes, which a base with a set-up can have by the hundred.
const LARGEST_TEST_FAMILY: usize = 2_000;

/// A class and all that derive from it.
pub(crate) fn family(graph: &Graph, class: &Rc<Head>) -> Result<Vec<Rc<Head>>, StoreError> {
    family_up_to(graph, class, LARGEST_FAMILY)
}

fn family_up_to(graph: &Graph, class: &Rc<Head>, most: usize) -> Result<Vec<Rc<Head>>, StoreError> {
    let mut family = vec![Rc::clone(class)];
    let mut seen = FxHashSet::from_iter([class.id]);
    let mut next = 0;
    while next < family.len() && family.len() < most {
        let known = family.len();
        for relationship in graph.heirs(family[next].id)? {
            if seen.insert(relationship.source) {
                family.extend(graph.head(relationship.source)?);
            }
        }
        // Where the family is too large, equal trees have the same part of it.
        family[known..].sort_by_key(|class| graph.order(class));
        next += 1;
    }
    Ok(family)
}

/// Whether a definition stands in a file of tests.
pub(crate) fn is_in_tests(graph: &Graph, id: EntityId) -> Result<bool, StoreError> {
    let head = graph.head(id)?;
    Ok(head.and_then(|head| graph.file(head.file)).is_some_and(|file| file.is_test))
}

fn tests_in(graph: &Graph, file: FileId) -> Result<Vec<Rc<Head>>, StoreError> {
    if !graph.file(file).is_some_and(|file| file.is_test) {
        return Ok(Vec::new());
    }
    let ids: Vec<EntityId> = graph.store.entity_ids(file)?;
    let mut tests = Vec::new();
    for id in ids {
        tests.extend(graph.head(id)?.filter(|head| head.is_test()));
    }
    Ok(tests)
}

/// A function that pytest calls by its name, in a `conftest.py` for all tests below.
fn is_hook(head: &Head) -> bool {
    head.kind == EntityKind::Function && head.qualified.starts_with(HOOK)
}
