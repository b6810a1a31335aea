//! Tests that a change cannot reach, because nothing they run creates an object that the chain needs.
//!
//! A test becomes less probable in three cases. Its chain passes a method of a class of which it makes no instance.
//! Its chain passes an inner function whose outer function it does not run. Its chain passes a function that is called
//! as a value and that nothing it runs names.
//!
//! A walk alone cannot tell callers apart: where filters are kept in a list and run in a loop, it leads from every
//! filter to all who run the loop, even to those who never make the filter. Nothing is concluded where the object can
//! come from elsewhere: made at import, by outside code, or by code that could not be followed to its end.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    model::{Basis, EntityFlags, EntityId, EntityKind, Relationship, RelationshipKind, conventions::is_constructor},
    query::{
        graph::Graph,
        impact::{
            selection::setup::{LARGEST_FAMILY, family},
            walk::{Least, Limits, Role, Walk, WalkNode, factors::Change, walk_from},
        },
    },
    store::{error::StoreError, read::entity_headers::Head},
};

/// How much less probable a test is that makes no instance: of those that do, three in ten ran the function on the
/// projects of benches/history/2026-11.md, of the others one in fifty.
const WITHOUT_INSTANCE: f64 = 0.1;
/// Ways to a place that makes instances are followed down to this probability.
const MIN_PROBABILITY: f64 = 0.005;
/// Most entities that are looked at for one class.
const MAX_ENTITIES: usize = 4_000;
/// Most entities that are examined for all classes of one answer, and for each of its tests: to leave out a few tests
/// must not take longer than to find them.
const BUDGET: usize = 16_000;
const PER_TEST: usize = 100;

/// Weighs the tests of a walk.
pub(crate) fn weigh_tests(graph: &Graph, walk: &mut Walk, limits: &Limits) -> Result<(), StoreError> {
    if walk.is_cut {
        return Ok(());
    }
    let mut tests: Vec<WalkNode> = Vec::new();
    #[expect(clippy::iter_over_hash_type, reason = "each is judged for itself")]
    for (&node, reached) in &walk.reached {
        // A test that uses the changed thing itself has it.
        let is_weighed = reached.entity.is_test() && node.1 == Role::Affected && reached.distance > 1;
        if is_weighed && walk.is_listed(reached) {
            tests.push(node);
        }
    }
    // The classes that most chains pass come first: the budget may not suffice for all.
    let mut classes: FxHashMap<EntityId, Vec<WalkNode>> = FxHashMap::default();
    for &test in &tests {
        for class in origins_on(walk, test) {
            classes.entry(class).or_default().push(test);
        }
    }
    let mut ordered: Vec<(Rc<Head>, Vec<WalkNode>)> = Vec::new();
    #[expect(clippy::iter_over_hash_type, reason = "sorted below")]
    for (class, tests) in classes {
        ordered.extend(graph.head(class)?.map(|head| (head, tests)));
    }
    ordered.sort_by_cached_key(|(class, tests)| (std::cmp::Reverse(tests.len()), graph.order(class)));
    let mut budget = BUDGET.min(PER_TEST * tests.len());
    let mut without: FxHashMap<WalkNode, EntityId> = FxHashMap::default();
    for (class, tests) in ordered {
        let Some(makers) = makers(graph, &class, &mut budget)? else { continue };
        for test in tests {
            if !makers.contains(&test.0) {
                without.entry(test).or_insert(class.id);
            }
        }
    }
    #[expect(clippy::iter_over_hash_type, reason = "each is changed for itself")]
    for (test, origin) in without {
        let Some(reached) = walk.reached.get_mut(&test) else { continue };
        reached.probability *= WITHOUT_INSTANCE;
        walk.lacking.insert(test.0, origin);
    }
    walk.compare(limits.least);
    Ok(())
}

/// The definitions that must be made or named before a chain can run: classes of methods, functions around inner ones,
/// and functions that are called as values.
fn origins_on(walk: &Walk, test: WalkNode) -> Vec<EntityId> {
    let mut origins = Vec::new();
    let mut at = test;
    for step in walk.reached.get(&test).into_iter().flat_map(|test| walk.steps(test)) {
        let by = (at.0, step.relationship);
        at = step.from;
        let Some(reached) = walk.reached.get(&at) else { break };
        if at.1 == Role::Affected {
            let origin = origin(&reached.entity, by);
            origins.extend(origin.filter(|origin| !origins.contains(origin)));
        }
    }
    origins
}

/// The definition that must be made or named before `head`, reached from `user`, runs.
fn origin(head: &Head, (user, relationship): (EntityId, Relationship)) -> Option<EntityId> {
    // `Cart.total(items)`: a call on the class needs no instance.
    if matches!(relationship.basis, Basis::Scope | Basis::Import) && head.kind == EntityKind::Method {
        return None;
    }
    let is_value = relationship.kind == RelationshipKind::Calls && relationship.basis.is_of_value();
    let is_plain = head.flags.0 & (EntityFlags::STATIC_METHOD | EntityFlags::CLASS_METHOD) == 0;
    match head.kind {
        EntityKind::Method | EntityKind::Property => (is_plain && !is_constructor(head.name())).then_some(head.parent),
        EntityKind::Function if head.qualified.contains('.') => (user != head.parent).then_some(head.parent),
        EntityKind::Function => is_value.then_some(head.id),
        _ => None,
    }
}

/// The entities that lead to an origin: to an instance of a class, to a run of an outer function, to the name of a
/// function; `None` where they are unknown.
fn makers(graph: &Graph, origin: &Rc<Head>, budget: &mut usize) -> Result<Option<FxHashSet<EntityId>>, StoreError> {
    let seeds = match origin.kind {
        EntityKind::Class => makers_of_class(graph, origin)?,
        _ if decorates_at_import(graph, origin)? => None,
        _ if origin.qualified.contains('.') => Some(vec![(Rc::clone(origin), Role::Affected)]),
        _ => namers(graph, origin)?,
    };
    let Some(seeds) = seeds.filter(|_| *budget > 0) else { return Ok(None) };
    let limits = Limits {
        depth: None,
        least: Least::Probability(MIN_PROBABILITY),
        entities: MAX_ENTITIES.min(*budget),
        relationships: 20 * MAX_ENTITIES.min(*budget),
        ..Limits::default()
    };
    let walk = walk_from(graph, &seeds, Change::Body, &FxHashSet::default(), &limits)?;
    *budget = budget.saturating_sub(walk.reached.len());
    if walk.is_cut {
        return Ok(None);
    }
    let mut makers = FxHashSet::default();
    #[expect(clippy::iter_over_hash_type, reason = "fills a set")]
    for (&(id, role), reached) in &walk.reached {
        // Hooks of pytest run for every test.
        if reached.entity.name().starts_with("pytest_") {
            return Ok(None);
        }
        if role == Role::Affected {
            makers.insert(id);
        }
    }
    Ok(Some(makers))
}

/// Where instances of a class are made; `None` where nothing can be said.
fn makers_of_class(graph: &Graph, class: &Rc<Head>) -> Result<Option<Vec<(Rc<Head>, Role)>>, StoreError> {
    let mut seeds: Vec<(Rc<Head>, Role)> = Vec::new();
    let mut is_made = false;
    let family = family(graph, class)?;
    if family.len() >= LARGEST_FAMILY {
        return Ok(None);
    }
    for class in family {
        let mut is_called = false;
        for relationship in graph.dependents(class.id)? {
            let Some(source) = graph.head(relationship.source)? else { continue };
            match relationship.kind {
                // Kept in a variable: who reads it has it.
                RelationshipKind::Calls if source.kind == EntityKind::Variable => {
                    seeds.push((source, Role::Affected));
                    is_made = true;
                }
                // Made when a module is imported: everybody has it.
                RelationshipKind::Calls if !source.kind.is_callable() => return Ok(None),
                RelationshipKind::Calls => is_called = true,
                // An entry point: whoever loads plugins makes it.
                RelationshipKind::References if relationship.basis == Basis::Text && is_project(graph, &source) => {
                    return Ok(None);
                }
                // A test that names the class may have it made: by a factory, by a library.
                RelationshipKind::References | RelationshipKind::Reads
                    if graph.file(source.file).is_some_and(|file| file.is_test) && source.kind.is_callable() =>
                {
                    seeds.push((source, Role::Affected));
                }
                _ => {}
            }
        }
        if is_called {
            seeds.push((class, Role::Constructed));
            is_made = true;
        }
    }
    Ok(is_made.then_some(seeds))
}

/// Whether a function, or one around it, decorates definitions of a module or class: they hold what is inside it from
/// the import on.
fn decorates_at_import(graph: &Graph, function: &Rc<Head>) -> Result<bool, StoreError> {
    let mut around = Some(Rc::clone(function));
    while let Some(head) = around.filter(|head| head.kind.is_callable()) {
        for edge in graph.decorated_with(head.id)? {
            let Some(decorated) = graph.head(edge.source)? else { continue };
            if !graph.head(decorated.parent)?.is_some_and(|parent| parent.kind.is_callable()) {
                return Ok(true);
            }
        }
        around = graph.head(head.parent)?;
    }
    Ok(false)
}

/// Whether a definition stands in no Python file: the module that stands for a `pyproject.toml`.
fn is_project(graph: &Graph, head: &Head) -> bool {
    graph.file(head.file).is_some_and(|file| !file.path.ends_with(".py"))
}

/// Where a function is named; `None` where that is at import, or nowhere.
fn namers(graph: &Graph, function: &Head) -> Result<Option<Vec<(Rc<Head>, Role)>>, StoreError> {
    let mut seeds = Vec::new();
    for relationship in graph.dependents(function.id)? {
        let names = match relationship.kind {
            RelationshipKind::References | RelationshipKind::Reads => true,
            RelationshipKind::Calls => matches!(relationship.basis, Basis::Scope | Basis::Import),
            _ => false,
        };
        let Some(source) = graph.head(relationship.source)?.filter(|_| names) else { continue };
        if !source.kind.is_callable() {
            return Ok(None);
        }
        seeds.push((source, Role::Affected));
    }
    Ok((!seeds.is_empty()).then_some(seeds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{EntityKind::*, RelationshipKind::*},
        query::{
            fixture::Fixture,
            impact::walk::walk,
            target::{TargetMatch, look_up},
        },
    };

    /// Filters in a list: `run` runs them all, `trim` makes one of them.
    fn filters() -> Fixture {
        let mut fixture = Fixture::default();
        fixture.file("shop/text.py", "shop.text").entity(Class, "Trim", 1, 9).entity(Method, "Trim.process", 2, 4);
        fixture.entity(Function, "run", 10, 12).entity(Function, "trim", 13, 15).entity(Function, "wrap", 16, 19);
        fixture.entity(Function, "wrap.inner", 17, 18);
        fixture.edge("shop.text.run", Calls, "shop.text.Trim.process", 11, Basis::Stored);
        fixture.edge("shop.text.run", Calls, "shop.text.wrap.inner", 12, Basis::Stored);
        fixture.edge("shop.text.trim", Calls, "shop.text.Trim", 14, Basis::Scope);
        fixture.file("tests/test_text.py", "tests.test_text").entity(Class, "TestText", 1, 20);
        for (name, line, runs) in [("trims", 2, "trim"), ("runs", 5, "run"), ("wraps", 8, "wrap")] {
            let test = format!("TestText.test_{name}");
            fixture.entity(Method, &test, line, line + 2);
            let test = format!("tests.test_text.{test}");
            fixture.edge(&test, Calls, "shop.text.run", line + 1, Basis::Import);
            fixture.edge(&test, Calls, &format!("shop.text.{runs}"), line + 2, Basis::Import);
        }
        fixture
    }

    /// The tests that a change of `target` reaches, and how probably.
    fn check(fixture: &mut Fixture, target: &str, expected: &[(&str, f64)]) {
        let store = fixture.store();
        let graph = Graph::new(&store).expect("a store in memory");
        let Ok(TargetMatch::Found(target)) = look_up(&store, target, "") else { panic!("no target") };
        let head = graph.head(target.main().id).unwrap().unwrap();
        let limits = Limits { least: Least::Probability(0.05), ..Limits::default() };
        let mut found = walk(&graph, &[head], Change::Body, &FxHashSet::default(), &limits).unwrap();
        weigh_tests(&graph, &mut found, &limits).unwrap();
        let mut tests: Vec<(String, f64)> = Vec::new();
        for reached in found.reached.values().filter(|reached| reached.entity.flags.has(EntityFlags::TEST)) {
            tests.push((reached.entity.name().to_owned(), (reached.probability * 100.0).round() / 100.0));
        }
        tests.sort_by(|a, b| a.0.cmp(&b.0));
        let expected: Vec<(String, f64)> = expected.iter().map(|(name, p)| ((*name).to_owned(), *p)).collect();
        assert_eq!(tests, expected);
    }

    #[test]
    fn tests_that_make_no_instance_are_less_probable() {
        check(&mut filters(), "Trim.process", &[("test_runs", 0.07), ("test_trims", 0.73), ("test_wraps", 0.07)]);
    }

    #[test]
    fn what_is_called_on_the_class_needs_no_instance() {
        let mut fixture = filters();
        fixture.edge("shop.text.wrap", Calls, "shop.text.Trim.process", 19, Basis::Scope);
        check(&mut fixture, "Trim.process", &[("test_runs", 0.07), ("test_trims", 0.73), ("test_wraps", 0.94)]);
    }

    #[test]
    fn what_is_made_at_import_is_there_for_all() {
        let mut fixture = filters();
        fixture.edge("shop.text", Calls, "shop.text.Trim", 30, Basis::Scope);
        check(&mut fixture, "Trim.process", &[("test_runs", 0.73), ("test_trims", 0.73), ("test_wraps", 0.73)]);
    }

    #[test]
    fn what_a_variable_keeps_is_there_for_those_who_read_it() {
        let mut fixture = filters();
        fixture.file("shop/kept.py", "shop.kept").entity(Variable, "KEPT", 1, 1);
        fixture.edge("shop.kept.KEPT", Calls, "shop.text.Trim", 1, Basis::Import);
        fixture.edge("tests.test_text.TestText.test_wraps", Reads, "shop.kept.KEPT", 9, Basis::Import);
        check(&mut fixture, "Trim.process", &[("test_runs", 0.07), ("test_trims", 0.73), ("test_wraps", 0.73)]);
    }

    #[test]
    fn set_up_makes_it_for_the_tests_of_its_class() {
        let mut fixture = filters();
        fixture.entity(Method, "TestText.setUp", 15, 16);
        fixture.edge("tests.test_text.TestText.setUp", Calls, "shop.text.trim", 16, Basis::Import);
        check(&mut fixture, "Trim.process", &[("test_runs", 0.73), ("test_trims", 0.73), ("test_wraps", 0.73)]);
    }

    #[test]
    fn an_inner_function_needs_its_outer_one() {
        check(&mut filters(), "wrap.inner", &[("test_runs", 0.07), ("test_trims", 0.07), ("test_wraps", 0.85)]);
    }
}
