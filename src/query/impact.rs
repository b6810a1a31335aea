//! What breaks if a definition changes.
//!
//! Goes in: a target and what is done to it. Comes out: a report of everything that the change reaches, each with the
//! chain of relationships that it is reached by, the tests among it, and what limits the answer. Does not know how it
//! is shown.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::{
    model::{EntityKind, Evidence, Relationship, RelationshipKind},
    query::{
        arguments::{Passed, passed},
        completeness::{Boundary, Completeness, boundaries},
        graph::Graph,
        rules::Change,
        selection::test_ids,
        signature::Signature,
        source::Sources,
        target::Target,
        walk::{Knot, Limits, Reached, Role, Walk, is_constructor, walk},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// What is asked besides the target.
#[derive(Clone, Debug, Default)]
pub struct ImpactOptions {
    pub change: Change,
    /// Only this parameter of the target changes.
    pub param: Option<String>,
    pub limits: Limits,
}

/// The answer. Its JSON form is a contract: fields are added, never changed.
#[derive(Clone, Debug, Serialize)]
pub struct ImpactReport {
    pub schema: &'static str,
    pub schema_version: u32,
    pub target: Described,
    /// All of them when several change at once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<Described>,
    pub change: Change,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub param: Option<String>,
    pub completeness: Completeness,
    pub boundaries: Vec<Boundary>,
    /// Sorted by probability, distance and name.
    pub impacted: Vec<Impacted>,
    /// With `param`: every direct call and what it passes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub call_sites: Vec<CallSite>,
    /// What pytest takes, most probable first.
    pub tests: Vec<String>,
}

/// A definition as reports show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Described {
    pub name: String,
    pub kind: EntityKind,
    pub path: String,
    pub line: u32,
    pub start_line: u32,
    pub end_line: u32,
    pub signature: String,
    /// Number of definitions of this name that are one target.
    pub definitions: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inherited_by: Option<String>,
}

/// An entity that the change reaches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Impacted {
    pub name: String,
    pub kind: EntityKind,
    /// Where it is defined.
    pub path: String,
    pub line: u32,
    /// Number of relationships to the target; 1 is direct.
    pub distance: u32,
    pub probability: f64,
    /// The weakest one on the chain.
    pub evidence: Evidence,
    pub is_test: bool,
    /// What a direct dependent has to expect.
    pub effect: &'static str,
    /// The chain, from this entity to the target.
    pub via: Vec<Via>,
    #[serde(skip)]
    pub module: String,
}

/// One relationship on a chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Via {
    /// What is depended upon.
    pub name: String,
    /// Where the dependence stands.
    pub path: String,
    pub line: u32,
    pub kind: RelationshipKind,
    pub evidence: Evidence,
    /// How it was found, in words.
    pub basis: &'static str,
}

/// A direct call and what it passes for the parameter in question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CallSite {
    pub name: String,
    pub path: String,
    pub line: u32,
    /// The expression; `None` when nothing is passed or it cannot be told.
    pub passes: Option<String>,
    /// `*args` or `**kwargs` may pass it.
    pub is_hidden: bool,
}

impl Described {
    /// Describes a target by its first definition.
    pub fn of(target: &Target) -> Self {
        let main = target.main();
        Self {
            name: main.full_name(),
            kind: main.record.kind,
            path: main.path.clone(),
            line: main.record.line,
            start_line: main.record.start_line,
            end_line: main.record.end_line,
            signature: main.record.signature.clone(),
            definitions: target.entities.len(),
            inherited_by: target.inherited_by.clone(),
        }
    }
}

/// Finds what a change of `targets`, at least one, reaches.
pub fn impact(
    store: &Store,
    sources: &Sources,
    targets: &[Target],
    options: &ImpactOptions,
) -> Result<ImpactReport, StoreError> {
    let graph = Graph::new(store)?;
    let seeds = seeds(&graph, targets)?;
    let (call_sites, spared) = match &options.param {
        Some(param) => call_sites(&graph, sources, &seeds, param)?,
        None => (Vec::new(), FxHashSet::default()),
    };
    let change = if options.param.is_some() { Change::Signature } else { options.change };
    let walk = walk(&graph, &seeds, change, &spared, &options.limits)?;
    let reached = listed(&graph, &walk, &seeds)?;
    let impacted: Vec<Impacted> = reached.iter().map(|(knot, at)| describe(&graph, &walk, *knot, at, change)).collect();
    let entities: Vec<&Reached> = reached.iter().map(|(_, at)| *at).collect();
    let (completeness, boundaries) = boundaries(&graph, sources, &seeds, &walk, &entities)?;
    Ok(ImpactReport {
        schema: "repoidx.impact",
        schema_version: 1,
        target: Described::of(&targets[0]),
        targets: if targets.len() > 1 { targets.iter().map(Described::of).collect() } else { Vec::new() },
        change,
        param: options.param.clone(),
        completeness,
        boundaries,
        tests: test_ids(&graph, &reached),
        impacted,
        call_sites,
    })
}

/// The entities that count as changed: a class with its constructors, a module with all that it holds.
fn seeds(graph: &Graph, targets: &[Target]) -> Result<Vec<Rc<Entity>>, StoreError> {
    let mut seeds: Vec<Entity> = Vec::new();
    for entity in targets.iter().flat_map(|target| &target.entities) {
        match entity.record.kind {
            EntityKind::Module => seeds.extend(graph.store.entities_of(entity.file)?),
            EntityKind::Class => {
                let children = graph.store.children(entity.id)?;
                seeds.extend(children.into_iter().filter(|child| is_constructor(&child.record.name)));
                seeds.push(entity.clone());
            }
            _ => seeds.push(entity.clone()),
        }
    }
    seeds.sort_by_key(|entity| (graph.order(entity), entity.record.duplicate));
    seeds.dedup_by_key(|entity| entity.id);
    Ok(seeds.into_iter().map(Rc::new).collect())
}

/// All direct calls of the target with what they pass for `param`, and the relationships that pass nothing.
fn call_sites(
    graph: &Graph,
    sources: &Sources,
    seeds: &[Rc<Entity>],
    param: &str,
) -> Result<(Vec<CallSite>, FxHashSet<Relationship>), StoreError> {
    let mut sites = Vec::new();
    let mut spared = FxHashSet::default();
    for seed in seeds {
        let Some(signature) = Signature::parse(&seed.record.signature) else { continue };
        let signature = if seed.record.kind == EntityKind::Method { signature.bound() } else { signature };
        let mut calls = graph.incoming(seed.id)?;
        if is_constructor(&seed.record.name) {
            calls.extend(graph.incoming(seed.parent)?);
        }
        for call in calls.into_iter().filter(|relationship| relationship.kind == RelationshipKind::Calls) {
            let Some(source) = graph.entity(call.source)? else { continue };
            let text = sources.text(&source.path);
            let name = &seed.record.name;
            let passed = text.and_then(|text| passed(&text, call.line, call.column, name, &signature, param));
            if passed == Some(Passed::Nothing) {
                spared.insert(call);
            }
            sites.push(CallSite {
                name: source.full_name(),
                path: source.path.clone(),
                line: call.line,
                is_hidden: passed == Some(Passed::Hidden),
                passes: match passed {
                    Some(Passed::Value(value)) => Some(value),
                    _ => None,
                },
            });
        }
    }
    sites.sort_by(|a, b| (&a.path, a.line, &a.name).cmp(&(&b.path, b.line, &b.name)));
    sites.dedup();
    Ok((sites, spared))
}

/// What a reader is shown of a walk, in order: no seeds, no knots between, each entity once.
fn listed<'w>(graph: &Graph, walk: &'w Walk, seeds: &[Rc<Entity>]) -> Result<Vec<(Knot, &'w Reached)>, StoreError> {
    let changed: FxHashSet<_> = seeds.iter().map(|seed| seed.id).collect();
    let is_listed = |(id, role): &Knot| match role {
        _ if changed.contains(id) => false,
        Role::Affected => true,
        Role::Importer => !walk.reached.contains_key(&(*id, Role::Affected)),
        Role::Dispatcher | Role::Constructed => false,
    };
    let mut listed: Vec<(String, Knot, &Reached)> = Vec::new();
    for (knot, reached) in walk.reached.iter().filter(|(knot, _)| is_listed(knot)) {
        listed.push((reached.entity.full_name(), *knot, reached));
    }
    listed.sort_by(|(a_name, _, a), (b_name, _, b)| {
        let order = rounded(b.probability).total_cmp(&rounded(a.probability));
        let place = || graph.order(&a.entity).cmp(&graph.order(&b.entity));
        order.then(a.distance.cmp(&b.distance)).then_with(|| a_name.cmp(b_name)).then_with(place)
    });
    Ok(listed.into_iter().map(|(_, knot, reached)| (knot, reached)).collect())
}

fn describe(graph: &Graph, walk: &Walk, knot: Knot, at: &Reached, change: Change) -> Impacted {
    let via = chain(walk, knot);
    let entity = &at.entity;
    let direct = via.iter().find(|via| via.kind != RelationshipKind::Overrides).or(via.first());
    let effect = match (at.distance, direct) {
        (1, Some(via)) => change.effect(via.kind),
        _ => "may behave differently",
    };
    Impacted {
        name: entity.full_name(),
        kind: entity.record.kind,
        path: entity.path.clone(),
        line: entity.record.line,
        distance: at.distance,
        probability: rounded(at.probability),
        evidence: at.evidence,
        is_test: graph.file(entity.file).is_some_and(|file| file.is_test),
        effect,
        via,
        module: entity.module.clone(),
    }
}

/// The relationships from an entity to what changed.
fn chain(walk: &Walk, knot: Knot) -> Vec<Via> {
    let mut via = Vec::new();
    let mut names: FxHashMap<Knot, String> = FxHashMap::default();
    let mut at = knot;
    while let Some(step) = walk.reached.get(&at).and_then(|reached| reached.step) {
        let (Some(here), Some(next)) = (walk.reached.get(&at), walk.reached.get(&step.from)) else { break };
        let place = if at.1 == Role::Constructed { &next.entity } else { &here.entity };
        let place = if at.1 == Role::Dispatcher { &next.entity } else { place };
        via.push(Via {
            name: names.entry(step.from).or_insert_with(|| next.entity.full_name()).clone(),
            path: place.path.clone(),
            line: step.relationship.line,
            kind: step.relationship.kind,
            evidence: step.relationship.basis.evidence(),
            basis: step.relationship.basis.as_str(),
        });
        at = step.from;
    }
    via
}

/// Four digits: what a reader can use, and equal on every machine.
pub(crate) fn rounded(probability: f64) -> f64 {
    (probability * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::{
        model::{Basis, EntityFlags, EntityKind::*, RelationshipKind::*},
        query::{
            fixture::Fixture,
            target::{Lookup, look_up},
        },
    };

    /// Rows as `distance probability name <- chain`, then what limits the answer and the tests.
    fn check(fixture: &mut Fixture, target: &str, options: &ImpactOptions, expected: &Expect) {
        let store = fixture.store();
        let sources =
            Sources::new(|path| (path == "shop/use.py").then(|| b"\n        add(1, 2)\n        add(1)\n".to_vec()));
        let Ok(Lookup::Found(target)) = look_up(&store, target, "") else { panic!("no target") };
        let report = impact(&store, &sources, &[target], options).expect("a store in memory");
        let mut text = String::new();
        for row in &report.impacted {
            let via: Vec<String> =
                row.via.iter().map(|via| format!("{} {}:{}", via.kind, via.name, via.line)).collect();
            text += &format!("{} {} {} <- {}\n", row.distance, row.probability, row.name, via.join(" <- "));
        }
        let limits: Vec<String> = report.boundaries.iter().map(|limit| format!(", {}", limit.message)).collect();
        text += &format!("{}{}\n", report.completeness.as_str(), limits.concat());
        text += &report.tests.iter().map(|test| format!("test {test}\n")).collect::<String>();
        text += &report.call_sites.iter().map(|site| format!("{}: {:?}\n", site.line, site.passes)).collect::<String>();
        expected.assert_eq(&text);
    }

    fn shop() -> Fixture {
        let mut fixture = Fixture::default();
        fixture.file("shop/cart.py", "shop.cart").entity(Class, "Base", 1, 5).entity(Method, "Base.add", 2, 4);
        fixture
            .entity(Class, "Cart", 10, 30)
            .entity(Method, "Cart.__init__", 11, 12)
            .entity(Method, "Cart.add", 13, 20);
        fixture.entity(Function, "total", 40, 50);
        fixture.file("shop/use.py", "shop.use").entity(Function, "buy", 1, 9).entity(Function, "main", 10, 19);
        fixture.file("tests/test_use.py", "tests.test_use").entity(Class, "TestUse", 1, 9);
        fixture.entity(Method, "TestUse.test_main", 2, 5);
        fixture
    }

    #[test]
    fn chains_are_followed_to_the_tests_and_end_at_module_level() {
        let mut fixture = shop();
        fixture.edge("shop.use.buy", Calls, "shop.cart.total", 3, Basis::Import);
        fixture.edge("shop.use.main", Calls, "shop.use.buy", 11, Basis::Scope);
        fixture.edge("shop.use", Calls, "shop.use.main", 20, Basis::Scope);
        fixture.edge("shop.cart", Calls, "shop.use", 99, Basis::Scope);
        fixture.edge("tests.test_use.TestUse.test_main", Calls, "shop.use.main", 3, Basis::Import);
        fixture.edge("shop.use", Imports, "shop.cart.total", 1, Basis::Import);
        check(
            &mut fixture,
            "total",
            &ImpactOptions::default(),
            &expect![[r#"
            1 0.98 shop.use.buy <- calls shop.cart.total:3
            2 0.9702 shop.use.main <- calls shop.use.buy:11 <- calls shop.cart.total:3
            3 0.9605 shop.use <- calls shop.use.main:20 <- calls shop.use.buy:11 <- calls shop.cart.total:3
            3 0.9508 tests.test_use.TestUse.test_main <- calls shop.use.main:3 <- calls shop.use.buy:11 <- calls shop.cart.total:3
            exact
            test tests/test_use.py::TestUse::test_main
        "#]],
        );
    }

    #[test]
    fn callers_of_a_base_reach_a_changed_override_and_constructors_their_class() {
        let mut fixture = shop();
        fixture.edge("shop.cart.Cart.add", Overrides, "shop.cart.Base.add", 13, Basis::Scope);
        fixture.edge("shop.cart.Cart", Inherits, "shop.cart.Base", 10, Basis::Scope);
        fixture.edge("shop.use.buy", Calls, "shop.cart.Base.add", 3, Basis::Annotated);
        fixture.edge("shop.use.main", Calls, "shop.cart.Cart", 12, Basis::Import);
        check(
            &mut fixture,
            "Cart.add",
            &ImpactOptions::default(),
            &expect![[r#"
            1 0.46 shop.use.buy <- calls shop.cart.Base.add:3 <- overrides shop.cart.Cart.add:13
            exact
        "#]],
        );
        check(
            &mut fixture,
            "Base.add",
            &ImpactOptions::default(),
            &expect![[r#"
            1 0.92 shop.use.buy <- calls shop.cart.Base.add:3
            1 0.297 shop.cart.Cart.add <- overrides shop.cart.Base.add:13
            exact
        "#]],
        );
        check(
            &mut fixture,
            "Cart.__init__",
            &ImpactOptions::default(),
            &expect![[r#"
            1 0.98 shop.use.main <- calls shop.cart.Cart:12 <- calls shop.cart.Cart.__init__:11
            exact
        "#]],
        );
        check(
            &mut fixture,
            "shop.cart.Base",
            &ImpactOptions::default(),
            &expect![[r#"
            1 0.9405 shop.cart.Cart <- inherits shop.cart.Base:10
            2 0.9217 shop.use.main <- calls shop.cart.Cart:12 <- inherits shop.cart.Base:10
            exact
        "#]],
        );
    }

    #[test]
    fn nothing_found_beside_unresolved_occurrences_is_unknown() {
        let mut fixture = shop();
        fixture.unresolved("shop.use.buy", "thing", "add", 3);
        fixture.edge("shop.use.main", Calls, "shop.use.buy", 11, Basis::Scope);
        check(
            &mut fixture,
            "Cart.add",
            &ImpactOptions::default(),
            &expect![[r#"
            1 0.0563 shop.use.buy <- references shop.cart.Cart.add:3
            2 0.0557 shop.use.main <- calls shop.use.buy:11 <- references shop.cart.Cart.add:3
            lower bound, 1 unresolved occurrence of `add` could be it, 1 further dependent hangs on unresolved occurrences of names along the way
        "#]],
        );
        let strict =
            ImpactOptions { limits: Limits { min_probability: 0.5, ..Limits::default() }, ..Default::default() };
        check(
            &mut fixture,
            "Cart.add",
            &strict,
            &expect![[r#"
            unknown, 1 unresolved occurrence of `add` could be it
        "#]],
        );
    }

    #[test]
    fn a_parameter_concerns_the_calls_that_pass_it() {
        let mut fixture = shop();
        fixture.edge("shop.use.buy", Calls, "shop.cart.Cart.add", 2, Basis::Import);
        fixture.edge("shop.use.main", Calls, "shop.cart.Cart.add", 3, Basis::Import);
        let options = ImpactOptions { param: Some("y".to_owned()), ..ImpactOptions::default() };
        check(
            &mut fixture,
            "Cart.add",
            &options,
            &expect![[r#"
            1 0.98 shop.use.buy <- calls shop.cart.Cart.add:2
            exact
            2: Some("2")
            3: None
        "#]],
        );
    }

    #[test]
    fn a_removed_name_breaks_its_imports() {
        let mut fixture = shop();
        fixture.edge("shop.use", Imports, "shop.cart.total", 1, Basis::Import);
        check(
            &mut fixture,
            "total",
            &ImpactOptions::default(),
            &expect![[r#"
            1 0.098 shop.use <- imports shop.cart.total:1
            exact
        "#]],
        );
        let options = ImpactOptions { change: Change::Remove, ..ImpactOptions::default() };
        check(
            &mut fixture,
            "total",
            &options,
            &expect![[r#"
            1 0.98 shop.use <- imports shop.cart.total:1
            exact
        "#]],
        );
    }

    #[test]
    fn an_abstract_base_is_there_to_be_dispatched() {
        let mut fixture = shop();
        fixture.file("shop/more.py", "shop.more").entity(Class, "Any", 1, 9).entity(Method, "Any.run", 2, 3);
        fixture.last().flags = EntityFlags(EntityFlags::ABSTRACT);
        fixture.entity(Class, "One", 10, 19).entity(Method, "One.run", 11, 12);
        fixture.edge("shop.more.One.run", Overrides, "shop.more.Any.run", 11, Basis::Scope);
        fixture.edge("shop.use.buy", Calls, "shop.more.Any.run", 3, Basis::Annotated);
        check(
            &mut fixture,
            "One.run",
            &ImpactOptions::default(),
            &expect![[r#"
            1 0.644 shop.use.buy <- calls shop.more.Any.run:3 <- overrides shop.more.One.run:11
            exact
        "#]],
        );
    }

    #[test]
    fn limits_are_told() {
        let mut fixture = shop();
        fixture.edge("shop.use.buy", Calls, "shop.cart.total", 3, Basis::Import);
        fixture.edge("shop.use.main", Calls, "shop.use.buy", 11, Basis::Scope);
        let with = |limits| ImpactOptions { limits, ..ImpactOptions::default() };
        check(
            &mut fixture,
            "total",
            &with(Limits { depth: Some(1), ..Limits::default() }),
            &expect![[r#"
            1 0.98 shop.use.buy <- calls shop.cart.total:3
            lower bound, 1 relationship leads beyond the depth asked for
        "#]],
        );
        check(
            &mut fixture,
            "total",
            &with(Limits { entities: 2, ..Limits::default() }),
            &expect![[r#"
            1 0.98 shop.use.buy <- calls shop.cart.total:3
            lower bound, stopped after 2 entities
        "#]],
        );
    }
}
