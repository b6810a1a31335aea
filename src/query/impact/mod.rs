//! The impact of a change: everything that the change reaches, each with its chain of relationships, the tests among
//! it, and the boundaries of the answer.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::{
    model::{
        Basis, EntityFlags, EntityId, EntityKind, Evidence, Relationship, RelationshipKind, Step,
        conventions::is_constructor, signature::Signature,
    },
    query::{
        calls::arguments::{Passed, kept, name_at, passed},
        graph::Graph,
        impact::{
            completeness::{Boundary, Completeness, boundaries, is_public, no_limit_known, settled},
            importers::guarded,
            likelihood::{Hidden, Likelihood, likelihood},
            runs::add_seen,
            selection::{
                Collected, ReachedTest, changed_tests, confined::confined, instance_filter::weigh_tests, reached_tests,
                request_filter::weigh_requests, shared_words::weigh_words, test_ids,
            },
            verdict::Verdict,
            walk::{Limits, Reached, Role, Walk, WalkNode, WalkStep, factors::Change, walk},
        },
        source::Sources,
        target::{Target, described::Described},
        words::{count, rounded},
    },
    store::{Store, error::StoreError, read::Entity},
    texts::secrets::value_without_secrets,
};

/// The options of an impact query besides the target.
#[derive(Clone, Debug, Default)]
pub struct ImpactOptions {
    pub change: Change,
    /// Only this parameter of the target changes.
    pub param: Option<String>,
    /// Verdicts on single relationships to the target: those that are not affected are not followed.
    pub judged: Vec<Judged>,
    pub limits: Limits,
}

/// A relationship to the target with the effect of the change there.
#[derive(Clone, Debug)]
pub struct Judged {
    pub relationship: Relationship,
    pub verdict: Verdict,
    /// Why, in one sentence.
    pub reason: String,
}

/// The answer. Its JSON form is a contract: fields are added, never changed.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct ImpactReport {
    pub schema: &'static str,
    pub schema_version: u32,
    pub target: Described,
    /// All of them when several change at once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<Described>,
    /// Definitions that a change of files breaks, or may break, at once; what depends on them is listed too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breaking: Vec<Described>,
    pub change: Change,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub param: Option<String>,
    pub completeness: Completeness,
    /// How likely the list is to be complete, 0 to 1. Only for the body of one function or method: the model was fitted
    /// for these (see `likelihood`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completeness_probability: Option<f64>,
    /// The judgement behind that number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completeness_judgement: Option<Likelihood>,
    pub boundaries: Vec<Boundary>,
    /// Sorted by probability, distance and name.
    pub impacted: Vec<Impacted>,
    /// With `param`: every direct call and its argument for the parameter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub call_sites: Vec<CallSite>,
    /// Ids for pytest's command line, most probable first.
    pub tests: Vec<String>,
}

/// An entity that the change reaches.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
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
    /// The effect on a direct dependent.
    pub effect: &'static str,
    /// The chain, from this entity to the target.
    pub via: Vec<Via>,
    /// Where another chain begins that the probability counts too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub also: Option<Via>,
    /// A class of which no instance is known to be made on the way, or a function that nothing on it names or runs: why
    /// a test is less probable than its chain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lacks: Option<String>,
    /// The commit at which a run of the tests showed this one to run the target (see `repoidx evidence`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
    /// How the first relationship of the chain was resolved, when asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    #[serde(skip)]
    pub module: String,
}

/// One relationship on a chain.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Via {
    /// The definition on which this one depends.
    pub name: Rc<str>,
    /// Where the dependence stands.
    pub path: Rc<str>,
    pub line: u32,
    #[serde(skip)]
    pub column: u32,
    /// The target of the relationship.
    #[serde(skip)]
    pub target: EntityId,
    pub kind: RelationshipKind,
    pub evidence: Evidence,
    /// How it was found, in words.
    pub basis: &'static str,
}

/// A direct call and its argument for the parameter in question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct CallSite {
    pub name: String,
    pub path: String,
    pub line: u32,
    /// The expression; `None` when nothing is passed or it cannot be told.
    pub passes: Option<String>,
    /// `*args` or `**kwargs` may pass it.
    pub is_hidden: bool,
    /// The target is used as a value there, or called under another name: its arguments are not known.
    pub is_value: bool,
    /// The effect of the change here, and why; absent where only the caller is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

impl CallSite {
    /// The argument, in words.
    pub fn passing(&self) -> String {
        match &self.passes {
            Some(value) => format!("passes {value}"),
            None if self.is_hidden => "may pass it by * or **".to_owned(),
            None if self.is_value => "uses it as a value".to_owned(),
            None => "does not pass it".to_owned(),
        }
    }
}

impl ImpactReport {
    /// How much a change affects, in words: `affects at least 47 definitions (3 directly), possibly 438 more`.
    pub fn extent(&self) -> String {
        let breaking = format!("may break {}", count(self.breaking.len(), "definition"));
        match (self.breaking.is_empty(), self.impacted.is_empty()) {
            (true, _) => self.reach(),
            (false, true) => breaking,
            (false, false) => format!("{breaking} and {}", self.reach()),
        }
    }

    /// The same in a change's words.
    fn reach(&self) -> String {
        let is_sure = self.impacted.iter().any(|row| row.evidence != Evidence::Possible);
        let affects = if is_sure { "affects" } else { "possibly affects" };
        format!("{affects} {}", self.dependents())
    }

    /// The number of definitions in the list, in words: `at least 47 definitions (3 directly), possibly 438 more`.
    pub fn dependents(&self) -> String {
        let found = self.impacted.iter().filter(|row| row.evidence != Evidence::Possible);
        let (all, direct) = found.fold((0, 0), |(all, direct), row| (all + 1, direct + usize::from(row.distance == 1)));
        let possible = self.impacted.len() - all;
        let is_least = self.completeness == Completeness::LowerBound && !no_limit_known(&self.boundaries);
        let least = if is_least { "at least " } else { "" };
        if all == 0 {
            return count(possible, "definition");
        }
        let directly = match direct {
            1 if all == 1 => "directly".to_owned(),
            number if number == all => "all directly".to_owned(),
            number => format!("{number} directly"),
        };
        let more = if possible > 0 { format!(", possibly {possible} more") } else { String::new() };
        format!("{least}{} ({directly}){more}", count(all, "definition"))
    }

    /// Whether one definition changes, and no more is known to break.
    pub fn is_of_one(&self) -> bool {
        self.targets.is_empty() && self.breaking.is_empty()
    }

    /// `3 tests to run`; where the change stops a whole file from being read, `2 test files to run`.
    pub fn tests_to_run(&self) -> String {
        format!("{} to run", self.number_of_tests())
    }

    /// `3 tests`, `no test`, `1 test and 2 files`.
    pub fn number_of_tests(&self) -> String {
        number_of_tests(self.tests.iter().map(String::as_str))
    }

    /// The answer where nothing changed.
    pub fn of_nothing() -> Self {
        let target = Described::without_place(String::new(), EntityKind::Module);
        Self {
            schema: "repoidx.impact",
            schema_version: 1,
            target,
            targets: Vec::new(),
            breaking: Vec::new(),
            change: Change::Body,
            param: None,
            completeness: Completeness::Exact,
            completeness_probability: None,
            completeness_judgement: None,
            boundaries: Vec::new(),
            impacted: Vec::new(),
            call_sites: Vec::new(),
            tests: Vec::new(),
        }
    }
}

impl Impacted {
    /// Where the dependence stands.
    pub fn place(&self) -> (&str, u32) {
        self.via.first().map_or((&self.path, self.line), |via| (&via.path, via.line))
    }
}

/// The number of tests with these ids, in words; an id without a test stands for a whole file.
pub(crate) fn number_of_tests<'t>(ids: impl Iterator<Item = &'t str>) -> String {
    let (whole, single): (Vec<&str>, Vec<&str>) = ids.partition(|id| !id.contains("::"));
    match (single.len(), whole.len()) {
        (0, 0) => "no test".to_owned(),
        (tests, 0) => count(tests, "test"),
        (0, files) => count(files, "test file"),
        (tests, files) => format!("{} and {}", count(tests, "test"), count(files, "file")),
    }
}

/// Finds everything that a change of `targets` reaches.
pub fn impact(
    store: &Store,
    sources: &Sources,
    targets: &[Target],
    options: &ImpactOptions,
) -> Result<ImpactReport, StoreError> {
    Ok(impact_and_reach(store, sources, targets, options)?.0)
}

/// As [`impact`], and its summary: that of [`reach`], with the tests that are changed themselves.
pub fn impact_and_reach(
    store: &Store,
    sources: &Sources,
    targets: &[Target],
    options: &ImpactOptions,
) -> Result<(ImpactReport, ReachSummary), StoreError> {
    let Some(first) = targets.first() else {
        let report = ImpactReport::of_nothing();
        let (completeness, boundaries) = (report.completeness, report.boundaries.clone());
        return Ok((report, ReachSummary { entities: 0, tests: Vec::new(), completeness, boundaries }));
    };
    let graph = Graph::new(store)?;
    let seeds = seeds(store, targets)?;
    let (call_sites, mut unaffected) = match &options.param {
        Some(param) => call_sites(&graph, sources, &seeds, param, &options.judged)?,
        None => (Vec::new(), FxHashSet::default()),
    };
    // Who passes nothing for a parameter, or passes it in a way that still works, is not concerned by it.
    let change = if options.param.is_some() { Change::Signature } else { options.change };
    if change.takes_the_name() {
        unaffected.extend(guarded(&graph, &seeds)?);
    }
    let walk = walked(&graph, &seeds, change, &unaffected, &options.limits)?;
    let listed = listed(&graph, &walk, &seeds);
    let reached: Vec<&Reached> = listed.iter().map(|(.., reached)| *reached).collect();
    let collected = Collected::new(&graph);
    let (word, mut boundaries) = boundaries(&collected, sources, &seeds, &walk, &reached)?;
    let mut tests = changed_tests(&collected, &seeds, change)?;
    let reached_from =
        reached_tests(&collected, &walk, change, listed.iter().map(|(_, node, reached)| (*node, *reached)))?;
    tests.extend(reached_from.into_iter().filter(|test| tests.iter().all(|own| own.id != test.id)).collect::<Vec<_>>());
    let judgement = judged(&graph, &walk, &seeds, change, &boundaries, &reached)?;
    let is_public = options.limits.is_library && is_public(&graph, &seeds)?;
    let completeness = settled(word, &mut boundaries, judgement.as_ref(), is_public);
    let probability = judgement.as_ref().map(|judgement| judgement.probability);
    let report = ImpactReport {
        schema: "repoidx.impact",
        schema_version: 1,
        target: Described::of(first),
        targets: if targets.len() > 1 { targets.iter().map(Described::of).collect() } else { Vec::new() },
        breaking: Vec::new(),
        change,
        param: options.param.clone(),
        completeness,
        completeness_probability: probability,
        completeness_judgement: judgement,
        boundaries: boundaries.clone(),
        tests: test_ids(&tests),
        impacted: describe(&graph, &walk, listed, change),
        call_sites,
    };
    let reach = ReachSummary { entities: report.impacted.len(), tests, completeness, boundaries };
    Ok((report, reach))
}

/// How likely the list is to be complete, if the body of one function or method of the code under test changes.
fn judged(
    graph: &Graph,
    walk: &Walk,
    seeds: &[Entity],
    change: Change,
    boundaries: &[Boundary],
    listed: &[&Reached],
) -> Result<Option<Likelihood>, StoreError> {
    let [seed] = seeds else { return Ok(None) };
    let is_code = seed.record.kind.is_callable() && !seed.record.flags.has(EntityFlags::TEST);
    if !is_code || change != Change::Body {
        return Ok(None);
    }
    let is_hidden = |(id, role): &WalkNode, at: &Reached| {
        *id != seed.id && *role == Role::Affected && at.step.is_some() && !walk.is_listed(at)
    };
    let hidden: Vec<(&WalkNode, &Reached)> = walk.reached.iter().filter(|(node, at)| is_hidden(node, at)).collect();
    let is_stored = |at: &Reached| walk.steps(at).any(|step| step.relationship.basis == Basis::Stored);
    let (mut tests, mut over_stored) = (Vec::new(), Vec::new());
    for (node, at) in hidden.iter().filter(|(_, at)| at.entity.is_test() && walk.counts(at)) {
        let probability = walk.probability_of(node, at);
        tests.push(probability);
        over_stored.extend(is_stored(at).then_some(probability));
    }
    // The order of a sum is part of its last digits.
    tests.sort_by(f64::total_cmp);
    over_stored.sort_by(f64::total_cmp);
    let hidden = Hidden { reached: hidden.into_iter().map(|(_, at)| at).collect(), tests, over_stored };
    let judgement = likelihood(graph, boundaries, listed, &hidden)?;
    Ok(Some(match &walk.run {
        Some(commit) => judgement.completed_by_run(commit),
        None => judgement,
    }))
}

/// The size of a change's impact and its tests, for readers who need no chains.
#[derive(Clone, Debug, PartialEq)]
pub struct ReachSummary {
    pub entities: usize,
    pub tests: Vec<ReachedTest>,
    pub completeness: Completeness,
    pub boundaries: Vec<Boundary>,
}

/// As [`impact`] of a changed body, without wording a chain for each entity.
pub fn reach(
    store: &Store,
    sources: &Sources,
    targets: &[Target],
    limits: &Limits,
) -> Result<ReachSummary, StoreError> {
    let graph = Graph::new(store)?;
    let seeds = seeds(store, targets)?;
    let walk = walked(&graph, &seeds, Change::Body, &FxHashSet::default(), limits)?;
    let listed = listed(&graph, &walk, &seeds);
    let reached: Vec<&Reached> = listed.iter().map(|(.., reached)| *reached).collect();
    let collected = Collected::new(&graph);
    let (word, mut boundaries) = boundaries(&collected, sources, &seeds, &walk, &reached)?;
    let judgement = judged(&graph, &walk, &seeds, Change::Body, &boundaries, &reached)?;
    let is_public = limits.is_library && is_public(&graph, &seeds)?;
    let completeness = settled(word, &mut boundaries, judgement.as_ref(), is_public);
    let tests =
        reached_tests(&collected, &walk, Change::Body, listed.iter().map(|(_, node, reached)| (*node, *reached)))?;
    Ok(ReachSummary { entities: listed.len(), tests, completeness, boundaries })
}

/// The walk from the changed definitions, with its tests weighed.
fn walked(
    graph: &Graph,
    seeds: &[Entity],
    change: Change,
    unaffected: &FxHashSet<Relationship>,
    limits: &Limits,
) -> Result<Walk, StoreError> {
    let mut heads = Vec::with_capacity(seeds.len());
    for seed in seeds {
        heads.extend(graph.head(seed.id)?);
    }
    let mut walk = walk(graph, &heads, change, unaffected, limits)?;
    walk.confined = confined(graph, seeds)?;
    if walk.confined.is_some() {
        walk.compare(limits.least);
    }
    weigh_words(graph, &mut walk, limits);
    weigh_tests(graph, &mut walk, limits)?;
    weigh_requests(graph, &mut walk, limits)?;
    walk.count_tests(limits);
    // Last, since a run shows a test whatever the source makes probable, and the limits speak of the source.
    walk.run = add_seen(graph, &mut walk, seeds)?;
    Ok(walk)
}

/// The entities that count as changed: a class with its constructors, a module with all that it holds.
fn seeds(store: &Store, targets: &[Target]) -> Result<Vec<Entity>, StoreError> {
    let mut seeds: Vec<Entity> = Vec::new();
    for entity in targets.iter().flat_map(|target| &target.entities) {
        match entity.record.kind {
            EntityKind::Module => seeds.extend(store.entities_of(entity.file)?),
            EntityKind::Class => {
                let children = store.children(entity.id)?;
                seeds.extend(children.into_iter().filter(|child| is_constructor(&child.record.name)));
                seeds.push(entity.clone());
            }
            _ => seeds.push(entity.clone()),
        }
    }
    seeds.sort_by(|a, b| {
        let place = |entity: &Entity| (entity.record.line, entity.record.column, entity.record.duplicate, entity.id);
        a.path.cmp(&b.path).then_with(|| place(a).cmp(&place(b)))
    });
    seeds.dedup_by_key(|entity| entity.id);
    Ok(seeds)
}

/// All direct calls of the target with their arguments for `param`, and the relationships that pass nothing.
fn call_sites(
    graph: &Graph,
    sources: &Sources,
    seeds: &[Entity],
    param: &str,
    judged: &[Judged],
) -> Result<(Vec<CallSite>, FxHashSet<Relationship>), StoreError> {
    let mut sites = Vec::new();
    let mut unaffected = FxHashSet::default();
    for seed in seeds {
        let Some(signature) = Signature::parse(&seed.record.signature) else { continue };
        let is_static = seed.record.flags.has(EntityFlags::STATIC_METHOD);
        let is_bound = seed.record.kind == EntityKind::Method && !is_static;
        let signature = if is_bound { signature.bound() } else { signature };
        let mut calls = graph.incoming(seed.id)?;
        if is_constructor(&seed.record.name) {
            calls.extend(graph.incoming(seed.parent)?);
        }
        for call in calls {
            let is_call = call.kind == RelationshipKind::Calls;
            let is_use = matches!(call.kind, RelationshipKind::References | RelationshipKind::Reads);
            let Some(source) = graph.head(call.source)?.filter(|_| is_call || is_use) else { continue };
            let path = graph.path(&source);
            let name = &seed.record.name;
            let text = sources.text(path);
            let text = text.as_deref();
            let kept = text.and_then(|text| kept(text, call.line, call.column, &signature, param));
            let passes = text.and_then(|text| passed(text, call.line, call.column, name, &signature, param));
            // A value that is called may have the argument already, and the arguments of a library's call are not in
            // the source.
            let written = text.and_then(|text| name_at(text, call.line, call.column));
            let is_named = text
                .zip(written)
                .is_none_or(|(text, written)| written == name || text.contains(&format!("{name} as {written}")));
            let is_whole = is_call && (is_named || is_constructor(name));
            let known = judged.iter().find(|judged| judged.relationship == call);
            let by_keyword = || {
                let (text, written) = text.zip(written).filter(|_| is_call && !is_whole)?;
                let passed = passed(text, call.line, call.column, written, &Signature::default(), param)?;
                Some(passed).filter(|passed| *passed != Passed::Nothing)
            };
            let passed = kept.clone().or(passes.filter(|_| is_whole)).or_else(by_keyword);
            let is_unaffected = match known {
                Some(known) => known.verdict == Verdict::NotAffected,
                None => is_whole && passed == Some(Passed::Nothing),
            };
            if is_unaffected {
                unaffected.insert(call);
            }
            if !is_whole && kept.is_none() && (is_unaffected || known.is_none()) {
                continue;
            }
            sites.push(CallSite {
                name: graph.full_name(&source),
                path: path.to_owned(),
                line: call.line,
                is_hidden: passed == Some(Passed::Hidden),
                is_value: !is_whole && passed.is_none(),
                verdict: known.map(|known| known.verdict),
                reason: known.map(|known| known.reason.clone()).unwrap_or_default(),
                passes: match passed {
                    Some(Passed::Value(value)) => Some(value_without_secrets(param, &value).into_owned()),
                    _ => None,
                },
            });
        }
    }
    sites.sort_by(|a, b| (&a.path, a.line, &a.name).cmp(&(&b.path, b.line, &b.name)));
    sites.dedup();
    Ok((sites, unaffected))
}

/// The part of a walk that readers see, in order and with names: no seeds, no nodes between, each entity once.
fn listed<'w>(graph: &Graph, walk: &'w Walk, seeds: &[Entity]) -> Vec<(String, WalkNode, &'w Reached)> {
    let changed: FxHashSet<EntityId> = seeds.iter().map(|seed| seed.id).collect();
    let is_shown = |(id, role): &WalkNode| match role {
        _ if changed.contains(id) => false,
        Role::Affected => true,
        Role::Importer | Role::Wrapper => {
            !walk.reached.get(&(*id, Role::Affected)).is_some_and(|at| walk.is_listed(at))
        }
        Role::Dispatcher | Role::Constructed | Role::Registry | Role::ReceivesClass | Role::InstanceHolder => false,
    };
    let nodes = walk.reached.iter().filter(|(node, reached)| is_shown(node) && walk.is_listed(reached));
    let mut listed: Vec<(String, WalkNode, &Reached)> =
        nodes.map(|(node, reached)| (graph.full_name(&reached.entity), *node, reached)).collect();
    listed.sort_by(|(a_name, a_node, a), (b_name, b_node, b)| {
        let order = rounded(walk.probability_of(b_node, b)).total_cmp(&rounded(walk.probability_of(a_node, a)));
        let place = || graph.order(&a.entity).cmp(&graph.order(&b.entity));
        order.then(a.distance.cmp(&b.distance)).then_with(|| a_name.cmp(b_name)).then_with(place)
    });
    listed
}

fn describe(graph: &Graph, walk: &Walk, listed: Vec<(String, WalkNode, &Reached)>, change: Change) -> Vec<Impacted> {
    let mut chains = Chains { graph, walk, known: FxHashMap::default(), names: FxHashMap::default() };
    let mut impacted = Vec::with_capacity(listed.len());
    for (name, node, at) in listed {
        let via = chains.of(node);
        let direct = via.iter().find(|via| via.kind != RelationshipKind::Overrides).or(via.first());
        let effect = match (at.distance, direct) {
            (1, Some(via)) => change.effect(via.kind),
            _ => "may behave differently",
        };
        let head = &at.entity;
        let file = graph.file(head.file);
        impacted.push(Impacted {
            name,
            kind: head.kind,
            path: graph.path(head).to_owned(),
            line: head.line,
            distance: at.distance,
            probability: rounded(walk.probability_of(&node, at)),
            evidence: at.evidence,
            is_test: file.is_some_and(|file| file.is_test),
            effect,
            also: chains.second(node),
            via,
            lacks: match walk.lacking.get(&node.0) {
                Some(&origin) => graph.head(origin).ok().flatten().map(|head| graph.full_name(&head)),
                None => None,
            },
            seen: walk.seen.get(&node.0).cloned(),
            steps: Vec::new(),
            module: file.map(|file| file.module.clone()).unwrap_or_default(),
        });
    }
    impacted
}

/// The chains of a walk. Most of them share their ends, so each step is worded once.
struct Chains<'w, 's> {
    graph: &'w Graph<'s>,
    walk: &'w Walk,
    known: FxHashMap<WalkNode, Via>,
    names: FxHashMap<EntityId, Rc<str>>,
}

impl Chains<'_, '_> {
    /// The relationships on the chain from an entity to the changed definition.
    fn of(&mut self, node: WalkNode) -> Vec<Via> {
        let mut chain = Vec::new();
        let mut at = node;
        while let Some(reached) = self.walk.reached.get(&at) {
            let Some(step) = reached.step else { break };
            if let Some(via) = self.known.get(&at) {
                chain.push(via.clone());
            } else if let Some(next) = self.walk.reached.get(&step.from) {
                let via = self.via(at.1, step, reached, next);
                self.known.insert(at, via.clone());
                chain.push(via);
            }
            at = step.from;
        }
        chain
    }

    /// The first relationship of the other chain that counts.
    fn second(&mut self, node: WalkNode) -> Option<Via> {
        let step = *self.walk.seconds.get(&node)?;
        let (here, next) = (self.walk.reached.get(&node)?, self.walk.reached.get(&step.from)?);
        Some(self.via(node.1, step, here, next))
    }

    fn via(&mut self, role: Role, step: WalkStep, here: &Reached, next: &Reached) -> Via {
        let relationship = step.relationship;
        // The relationship of a node between stands where the method does, not where the class or base does.
        let is_between = matches!(role, Role::Constructed | Role::Dispatcher | Role::Registry | Role::ReceivesClass)
            || (role == Role::InstanceHolder && relationship.kind != RelationshipKind::Inherits);
        let place = if is_between { &next.entity } else { &here.entity };
        let graph = self.graph;
        let name = self.names.entry(next.entity.id).or_insert_with(|| graph.full_name(&next.entity).into());
        Via {
            name: Rc::clone(name),
            path: graph.path(place).into(),
            line: relationship.line,
            column: relationship.column,
            target: relationship.target,
            kind: relationship.kind,
            evidence: relationship.basis.evidence(),
            basis: match role {
                _ if self.walk.is_only_seen(here) => "seen in a run of the tests",
                Role::InstanceHolder if is_between => "may be called on an instance by other code",
                _ => relationship.basis.as_str(),
            },
        }
    }
}

pub mod completeness;
pub mod excerpts;
pub(crate) mod importers;
pub mod likelihood;
pub mod outside;
pub mod runs;
pub mod selection;
pub mod tested;
#[cfg(test)]
mod tests;
pub mod verdict;
pub mod walk;
