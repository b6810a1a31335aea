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
    let reached = listed(&graph, &walk, &seeds);
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
fn listed<'w>(graph: &Graph, walk: &'w Walk, seeds: &[Rc<Entity>]) -> Vec<(Knot, &'w Reached)> {
    let changed: FxHashSet<_> = seeds.iter().map(|seed| seed.id).collect();
    let is_listed = |(id, role): &Knot| match role {
        _ if changed.contains(id) => false,
        Role::Affected => true,
        Role::Importer => !walk.reached.contains_key(&(*id, Role::Affected)),
        Role::Dispatcher | Role::Constructed | Role::Held => false,
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
    listed.into_iter().map(|(_, knot, reached)| (knot, reached)).collect()
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
        // The relationship of a knot between stands where the method does, not where the class or base does.
        let is_between = matches!(at.1, Role::Constructed | Role::Dispatcher)
            || (at.1 == Role::Held && step.relationship.kind != RelationshipKind::Inherits);
        let place = if is_between { &next.entity } else { &here.entity };
        via.push(Via {
            name: names.entry(step.from).or_insert_with(|| next.entity.full_name()).clone(),
            path: place.path.clone(),
            line: step.relationship.line,
            kind: step.relationship.kind,
            evidence: step.relationship.basis.evidence(),
            basis: match at.1 {
                Role::Held if is_between => "may be called on an instance by other code",
                _ => step.relationship.basis.as_str(),
            },
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
mod tests;
