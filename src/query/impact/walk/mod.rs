//! The walk from a change to everything that it reaches, most probable first.
//!
//! Every reached entity gets its distance, its probability and its last step; following the steps gives the evidence.
//! The walk knows no wording and no ids of tests.
//!
//! Probability multiplies along a chain. The best chain to an entity is its evidence; one other way counts for its
//! probability (see `combine`). Equal chains are told apart by path and line, never by ids.

pub(crate) mod combine;
pub(crate) mod computed_lookups;
pub(crate) mod direct;
mod expand;
pub mod factors;
pub(crate) mod hidden_members;
pub(crate) mod overriders;
mod threshold;
pub(crate) mod wrappers;

use std::{
    cmp::Ordering,
    collections::{BTreeSet, BinaryHeap},
    rc::Rc,
};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    model::{Basis, EntityId, EntityKind, Evidence, FileId, Relationship, RelationshipKind},
    query::{
        candidates::{CandidateBudget, OccurrencePlace},
        graph::{Graph, Order},
        impact::{
            outside::library_callers::passes_class_on,
            selection::setup::is_in_tests,
            walk::{
                combine::{OtherWay, Ways},
                direct::Direct,
                factors::{Change, NAMED_CLASS, factor, is_use, onward, within_chain},
                overriders::Overriders,
                wrappers::{is_by_wrapper, users},
            },
        },
    },
    store::{error::StoreError, read::entity_headers::Head},
};

pub use threshold::Least;

/// Where a walk ends.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Largest distance; `None` for no limit.
    pub depth: Option<u32>,
    /// The threshold of the listing.
    pub least: Least,
    /// Most entities that are looked at. With the next one it bounds the time of an answer by counting, so that equal
    /// trees give equal answers.
    pub entities: usize,
    /// Most relationships that are read, up to those of the last entity.
    pub relationships: usize,
    /// Other projects may use what the repository defines.
    pub is_library: bool,
}

/// The probability that a test which ran a definition at an earlier commit runs it again: some choose by the clock, the
/// platform or the order of tests.
pub(crate) const SEEN: f64 = 0.99;

/// More than anybody reads, in less than half a second.
const MOST: usize = 10_000;

impl Limits {
    /// For a prompt: it holds less than the most probable thousand, and the rest is said to be left out.
    #[must_use]
    pub fn for_prompt(self) -> Self {
        Self { entities: 1_000, ..self }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: None, least: Least::default(), entities: MOST, relationships: 1_000_000, is_library: true }
    }
}

/// How an entity takes part in the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// It behaves differently.
    Affected,
    /// It imports the changed definition: listed, and followed only to importers of a module that cannot be imported
    /// any more.
    Importer,
    /// A wrapper that a decorator puts before an affected function: listed, and followed only to users of the function.
    Wrapper,
    /// A method that may dispatch to a changed override: not listed, its callers are.
    Dispatcher,
    /// The class whose constructor changed: not listed, those who call it are.
    Constructed,
    /// The application or group for which a framework runs a changed function: not listed, its users are.
    Registry,
    /// The class of a method that a library may look for: not listed, functions that make instances or hand it on are.
    ReceivesClass,
    /// The class of a special method that Python or another library may call: not listed, those who make instances are.
    InstanceHolder,
}

impl Role {
    /// Whether answers list what has this role; others only lead on.
    pub fn is_dependent(self) -> bool {
        matches!(self, Self::Affected | Self::Importer | Self::Wrapper)
    }
}

/// A node of the walk.
pub type WalkNode = (EntityId, Role);

/// One relationship on a chain, read against its direction.
#[derive(Clone, Copy, Debug)]
pub struct WalkStep {
    /// The node that was reached before.
    pub from: WalkNode,
    pub relationship: Relationship,
}

/// An entity that the walk reached.
#[derive(Clone, Debug)]
pub struct Reached {
    pub entity: Rc<Head>,
    pub distance: u32,
    pub probability: f64,
    /// The weakest one on the chain.
    pub evidence: Evidence,
    /// `None` for the changed definition itself.
    pub step: Option<WalkStep>,
    order: Order,
}

/// Everything that a walk found.
#[derive(Debug, Default)]
pub struct Walk {
    pub reached: FxHashMap<WalkNode, Reached>,
    /// The last relationship of a second way, where the probability counts one.
    pub seconds: FxHashMap<WalkNode, WalkStep>,
    /// A limit on entities or relationships was reached.
    pub is_cut: bool,
    /// Entities beyond the depth asked for.
    pub beyond_depth: usize,
    /// Nodes that are too improbable to follow a chain to.
    improbable: FxHashSet<WalkNode>,
    /// From which probability on a test, and another entity, is listed.
    pub(super) least_test: f64,
    least_other: f64,
    /// From which probability on a test counts among those that the list leaves out.
    faintest_test: f64,
    /// Number of tests that are listed.
    pub(super) listed_tests: usize,
    /// Tests that never make an object which their chain needs (see `instance_filter`), with the first class that they
    /// lack.
    pub lacking: FxHashMap<EntityId, EntityId>,
    /// The only files in which the change can be noticed, where it is of tests that no other file names.
    pub confined: Option<BTreeSet<FileId>>,
    /// Tests that ran a changed definition (see `runs`), with the commit whose run showed it.
    pub seen: FxHashMap<EntityId, String>,
    /// The commit of the run that ran every changed definition, where it is one for all.
    pub run: Option<String>,
    /// Unresolved occurrences of the changed names that were too unlikely to follow.
    pub(super) unlikely: FxHashSet<OccurrencePlace>,
    /// Those that were followed. One that may mean several of the changed definitions is likely for the best of them.
    pub(super) likely: FxHashSet<OccurrencePlace>,
    /// The number of the unlikely ones for the names further along.
    pub unlikely_beyond: usize,
}

impl Walk {
    /// How many unresolved occurrences of the changed names were too unlikely to follow.
    pub fn unlikely(&self) -> usize {
        self.unlikely.difference(&self.likely).count()
    }

    /// How many entities were reached too improbably to be listed.
    pub fn improbable(&self) -> usize {
        let reached = self.reached.iter().filter(|(node, at)| node.1 == Role::Affected && !self.is_listed(at));
        self.improbable.len() + reached.count()
    }

    /// Notes that a run showed `test` to run `seed`; `relationship` is the evidence where the source shows no way.
    pub(crate) fn see(
        &mut self,
        graph: &Graph,
        test: Rc<Head>,
        seed: EntityId,
        relationship: Relationship,
        commit: String,
    ) {
        let node = (test.id, Role::Affected);
        self.seen.insert(test.id, commit);
        self.lacking.remove(&test.id);
        self.improbable.remove(&node);
        let order = graph.order(&test);
        let step = Some(WalkStep { from: (seed, Role::Affected), relationship });
        let reached = Reached { entity: test, distance: 1, probability: SEEN, evidence: Evidence::Exact, step, order };
        let known = self.reached.entry(node).or_insert(reached);
        known.probability = known.probability.max(SEEN);
    }

    /// Whether the only evidence of a reached test is that a run showed it.
    pub(crate) fn is_only_seen(&self, reached: &Reached) -> bool {
        let is_shown = |step: WalkStep| step.relationship.kind == RelationshipKind::Tests;
        self.seen.contains_key(&reached.entity.id) && reached.step.is_some_and(is_shown)
    }

    /// Whether the chain to an entity passes a call that code outside the repository may make: of a special method, or
    /// of a value that it may have got.
    pub fn is_implicit(&self, reached: &Reached) -> bool {
        self.steps(reached).any(|WalkStep { from, relationship }| {
            let is_given = relationship.kind == RelationshipKind::Registers && relationship.basis == Basis::Name;
            from.1 == Role::InstanceHolder || is_given
        })
    }

    /// The steps of the best chain to an entity, from its own to that of the change.
    pub(crate) fn steps(&self, reached: &Reached) -> impl Iterator<Item = WalkStep> {
        std::iter::successors(reached.step, |step| self.reached.get(&step.from).and_then(|reached| reached.step))
    }
}

/// Walks from `seeds` against the direction of relationships, never over those in `unaffected`.
pub(crate) fn walk(
    graph: &Graph,
    seeds: &[Rc<Head>],
    change: Change,
    unaffected: &FxHashSet<Relationship>,
    limits: &Limits,
) -> Result<Walk, StoreError> {
    let seeds: Vec<(Rc<Head>, Role)> = seeds.iter().map(|seed| (Rc::clone(seed), Role::Affected)).collect();
    let ways = Some(Ways::default());
    let mut walker = Walker { crosses_libraries: true, ways, ..Walker::new(graph, change, unaffected, limits) };
    walker.floor = walker.floor_beside(None);
    walker.run(&seeds)
}

/// The same from nodes of any role, by single chains.
pub(crate) fn walk_from(
    graph: &Graph,
    seeds: &[(Rc<Head>, Role)],
    change: Change,
    unaffected: &FxHashSet<Relationship>,
    limits: &Limits,
) -> Result<Walk, StoreError> {
    Walker::new(graph, change, unaffected, limits).run(seeds)
}

/// How surely those who read a variable run a function that it keeps, in a table or by another name: of the tests that
/// read such tables on the projects of benches/history/2026-11.md, one in twenty ran the function.
const KEPT: f64 = 0.15;

/// How far below the least probability of a listed test chains are followed. Other ways make some of these tests
/// probable enough, for which a third is enough. The rest says how likely the list is to be complete, and is listed
/// where it is little.
const DEPTH: f64 = 8.0;
/// The part of that depth which the list itself needs.
const NEEDED: f64 = 3.0;

struct Walker<'g, 's> {
    graph: &'g Graph<'s>,
    /// Follow library code that calls the overrides of a class, or looks methods up by computed names.
    crosses_libraries: bool,
    change: Change,
    unaffected: &'g FxHashSet<Relationship>,
    limits: &'g Limits,
    /// Chains less probable than this are not followed.
    floor: f64,
    walk: Walk,
    /// Best known way to each node that is not final yet.
    frontier: FxHashMap<WalkNode, Reached>,
    queue: BinaryHeap<Queued>,
    budget: CandidateBudget,
    /// The reached nodes, in this order.
    settled: Vec<WalkNode>,
    direct: Direct,
    /// Other ways to reached nodes, if they are wanted.
    ways: Option<Ways>,
    /// Relationships read so far.
    read: usize,
}

impl<'g, 's> Walker<'g, 's> {
    fn new(graph: &'g Graph<'s>, change: Change, unaffected: &'g FxHashSet<Relationship>, limits: &'g Limits) -> Self {
        Self {
            graph,
            crosses_libraries: false,
            change,
            unaffected,
            limits,
            floor: limits.least.of_tests(None),
            walk: Walk::default(),
            frontier: FxHashMap::default(),
            queue: BinaryHeap::new(),
            budget: CandidateBudget::default(),
            settled: Vec::new(),
            direct: Direct::default(),
            ways: None,
            read: 0,
        }
    }

    fn run(mut self, seeds: &[(Rc<Head>, Role)]) -> Result<Walk, StoreError> {
        for (entity, role) in seeds {
            let (entity, order) = (Rc::clone(entity), self.graph.order(entity));
            let node = (entity.id, *role);
            let (distance, probability, evidence, step) = (0, 1.0, Evidence::Exact, None);
            self.offer(node, Reached { entity, distance, probability, evidence, step, order });
        }
        while let Some(queued) = self.queue.pop() {
            let Some(reached) = self.frontier.get(&queued.node) else { continue };
            if reached.probability > queued.probability || reached.distance < queued.distance {
                continue;
            }
            if self.walk.reached.len() >= self.limits.entities || self.read > self.limits.relationships {
                self.walk.is_cut = reached.probability * NEEDED >= self.floor * DEPTH || self.ways.is_none();
                break;
            }
            // Chains to the next ones are no more probable.
            if reached.probability < self.floor {
                let unfollowed = self.frontier.drain().map(|(node, _)| node);
                self.walk.improbable.extend(unfollowed);
                break;
            }
            let reached = self.frontier.remove(&queued.node).expect("it was there a moment ago");
            if reached.entity.is_test() && reached.step.is_some() && queued.node.1 == Role::Affected {
                self.floor = self.floor.max(self.floor_beside(Some(reached.probability)));
            }
            self.walk.reached.insert(queued.node, reached.clone());
            self.settled.push(queued.node);
            self.expand(queued.node, &reached)?;
        }
        let mut walk = self.walk;
        walk.improbable.retain(|(id, _)| !walk.reached.contains_key(&(*id, Role::Affected)));
        if let Some(ways) = self.ways {
            walk.seconds = ways.combine(&self.settled, &mut walk.reached);
        }
        self.direct.apply(&mut walk.reached, &mut walk.seconds);
        walk.compare(self.limits.least);
        Ok(walk)
    }

    /// Down to which probability chains are followed when the most probable test is `best`.
    fn floor_beside(&self, best: Option<f64>) -> f64 {
        let least = self.limits.least.of_tests(best);
        if self.ways.is_some() { least / DEPTH } else { least }
    }

    /// Offers everything that one more relationship reaches.
    fn expand(&mut self, node: WalkNode, at: &Reached) -> Result<(), StoreError> {
        let is_seed = at.step.is_none();
        let entity = &at.entity;
        // A module that imports a removed name cannot be imported.
        let fails = node.1 == Role::Importer && self.change.takes_the_name();
        let is_module = entity.kind == EntityKind::Module && !is_seed;
        if is_module && node.1 == Role::Affected {
            self.expand_module(node, at)?;
        }
        if (is_module || node.1 == Role::Importer) && !fails {
            return Ok(());
        }
        // Two relationships of one source differ in nothing but their place, unless one of them is unaffected.
        let dependents = if self.unaffected.is_empty() {
            self.graph.dependents(entity.id)?
        } else {
            self.graph.incoming(entity.id)?
        };
        self.read += dependents.len();
        let into = at.step.filter(|_| entity.kind == EntityKind::Variable).map(|step| step.relationship.kind);
        let kept = if into == Some(RelationshipKind::References) { KEPT } else { 1.0 };
        let reached_by = at.step.filter(|_| node.1 == Role::Affected);
        let kept = reached_by.map_or(kept, |step| kept * onward(&step.relationship, at.distance == 1));
        // The other functions that are registered there do not run because of this one, nor because of the object's
        // other contents.
        let is_object =
            node.1 == Role::Registry || matches!(into, Some(RelationshipKind::References | RelationshipKind::Reads));
        let registers = dependents.iter().filter(|edge| is_object && edge.kind == RelationshipKind::Registers);
        let registered: FxHashSet<EntityId> = registers.map(|edge| edge.source).collect();
        if matches!(node.1, Role::Affected | Role::Dispatcher) {
            self.expand_protocol(node, at, &dependents)?;
        }
        let (is_used, is_tested) = self.users(&dependents)?;
        let users =
            at.step.filter(|_| node.1 == Role::Wrapper).map(|step| users(self.graph, step.from.0)).transpose()?;
        let overriders = (node.1 == Role::Dispatcher).then(|| self.overriders(at, &dependents)).transpose()?;
        for relationship in dependents {
            if registered.contains(&relationship.source)
                || users.as_ref().is_some_and(|users| !users.contains(&relationship.source))
            {
                continue;
            }
            if let Some(overriders) = &overriders
                && !overriders.can_be_meant(self.graph, &relationship)?
            {
                continue;
            }
            let kind = match relationship.kind {
                // An assignment to a property runs it.
                RelationshipKind::Writes if entity.kind == EntityKind::Property => RelationshipKind::Reads,
                kind => kind,
            };
            let is_named = kind == RelationshipKind::References && relationship.basis == Basis::Text;
            let factor = match factor(kind, node.1, is_seed, self.change) {
                None if is_named && node.1 == Role::Constructed => NAMED_CLASS,
                Some(factor) => factor,
                None => continue,
            };
            // An import runs the code of a module, but none of a definition in it; what uses the definition has a
            // relationship of its own.
            if kind == RelationshipKind::Imports && self.change == Change::Body && entity.kind != EntityKind::Module {
                continue;
            }
            // Code that replaces a function does not depend on its body.
            if relationship.kind == RelationshipKind::Writes
                && self.change == Change::Body
                && matches!(entity.kind, EntityKind::Function | EntityKind::Method)
            {
                continue;
            }
            if node.1 == Role::ReceivesClass && self.crosses_libraries && !passes_class_on(self.graph, &relationship)? {
                continue;
            }
            if self.unaffected.contains(&relationship) || (is_seed && self.is_beside_signature(entity, &relationship)) {
                continue;
            }
            let role = match relationship.kind {
                RelationshipKind::Imports if self.is_run_by_a_call(&relationship)? => Role::Affected,
                RelationshipKind::Imports => Role::Importer,
                _ if node.1 == Role::Affected && is_by_wrapper(self.graph, &relationship)? => Role::Wrapper,
                _ => Role::Affected,
            };
            self.step(node, at, (relationship.source, role), relationship, factor * kept, 1)?;
        }
        match node.1 {
            Role::InstanceHolder => return self.expand_heirs(node, at),
            Role::Constructed | Role::Importer | Role::Wrapper => return Ok(()),
            _ => {}
        }
        self.expand_dispatch(node, at)?;
        self.expand_registered(node, at)?;
        if !is_used && matches!(node.1, Role::Affected | Role::Dispatcher) {
            self.expand_outside(node, at, is_tested)?;
            if !is_tested {
                self.expand_computed(node, at)?;
            }
        }
        if node.1 == Role::Affected {
            self.expand_constructor(node, at)?;
            self.expand_special(node, at)?;
            self.expand_enclosing(node, at)?;
            self.expand_replaced(node, at)?;
            self.expand_prepared(node, at)?;
            self.expand_candidates(node, at)?;
        }
        Ok(())
    }

    /// Whether code uses the entity to which these lead, and whether tests do.
    pub(super) fn users(&self, dependents: &[Relationship]) -> Result<(bool, bool), StoreError> {
        let mut is_tested = false;
        for edge in dependents.iter().filter(|edge| is_use(edge.kind)) {
            if !is_in_tests(self.graph, edge.source)? {
                return Ok((true, is_tested));
            }
            is_tested = true;
        }
        Ok((false, is_tested))
    }

    /// Whether an import of a removed name stands in a function, which fails when it is called.
    fn is_run_by_a_call(&self, import: &Relationship) -> Result<bool, StoreError> {
        let source = if self.change.takes_the_name() { self.graph.head(import.source)? } else { None };
        Ok(source.is_some_and(|source| source.kind.is_callable()))
    }

    /// The affected members that override one, of those that are known by now.
    fn overriders(&self, at: &Reached, dependents: &[Relationship]) -> Result<Overriders, StoreError> {
        let is_known = |id: EntityId| {
            let mut nodes = [Role::Affected, Role::Dispatcher].into_iter().map(|role| (id, role));
            nodes.any(|node| self.walk.reached.contains_key(&node) || self.frontier.contains_key(&node))
        };
        let overrides = dependents.iter().filter(|edge| edge.kind == RelationshipKind::Overrides);
        let known = overrides.map(|edge| edge.source).filter(|&id| is_known(id));
        Overriders::of(self.graph, known.chain(at.step.map(|step| step.from.0)))
    }

    /// New parameters do not matter to a text that names the function, nor to users of a class or a variable.
    fn is_beside_signature(&self, entity: &Head, relationship: &Relationship) -> bool {
        let is_use = matches!(relationship.kind, RelationshipKind::References | RelationshipKind::Reads);
        let is_function = matches!(entity.kind, EntityKind::Function | EntityKind::Method);
        is_use && self.change.is_of_parameters() && (relationship.basis == Basis::Text || !is_function)
    }

    /// A step that is not a dependency itself: no distance.
    fn hop(
        &mut self,
        from: WalkNode,
        at: &Reached,
        to: WalkNode,
        relationship: Relationship,
        factor: f64,
    ) -> Result<(), StoreError> {
        self.step(from, at, to, relationship, factor, 0)
    }

    fn step(
        &mut self,
        from: WalkNode,
        at: &Reached,
        to: WalkNode,
        relationship: Relationship,
        factor: f64,
        length: u32,
    ) -> Result<(), StoreError> {
        let distance = at.distance + length;
        let own = match relationship.basis {
            Basis::Name => 1.0,
            _ if length == 0 => 1.0,
            basis if distance == 1 => basis.probability(),
            basis => within_chain(basis),
        };
        let probability = at.probability * own * factor;
        // An own reference is the evidence of a node however improbable, so it is noted before the floor counts.
        if (length, distance) == (1, 1) && relationship.basis != Basis::Name {
            self.direct.note(to.0, probability, at.order, WalkStep { from, relationship });
        }
        if probability < self.floor {
            if !self.walk.reached.contains_key(&to) {
                self.walk.improbable.insert(to);
            }
            return Ok(());
        }
        let step = WalkStep { from, relationship };
        // A second way raises the probability of a node, so it counts for nodes that are reached already.
        if let Some(ways) = &mut self.ways {
            ways.add(to, OtherWay { step, probability: own * factor, chain: probability, order: at.order });
        }
        if self.walk.reached.contains_key(&to) {
            return Ok(());
        }
        if self.limits.depth.is_some_and(|depth| distance > depth) {
            self.walk.beyond_depth += 1;
            return Ok(());
        }
        let Some(entity) = self.graph.head(to.0)? else { return Ok(()) };
        let order = self.graph.order(&entity);
        // A step from a part to its whole takes nothing from the evidence.
        let evidence = if length == 0 && relationship.basis == Basis::Scope {
            at.evidence
        } else {
            at.evidence.max(relationship.basis.evidence())
        };
        self.offer(to, Reached { entity, distance, probability, evidence, step: Some(step), order });
        Ok(())
    }

    /// Keeps `reached` when it is better than the known way to its node.
    fn offer(&mut self, node: WalkNode, reached: Reached) {
        if self.frontier.get(&node).is_some_and(|known| !self.is_better(&reached, known)) {
            return;
        }
        self.queue.push(Queued {
            probability: reached.probability,
            distance: reached.distance,
            order: reached.order,
            node,
        });
        self.frontier.insert(node, reached);
    }

    /// More probable, else nearer, else the earlier place.
    fn is_better(&self, new: &Reached, known: &Reached) -> bool {
        let place = |reached: &Reached| {
            reached.step.map(|step| {
                let from = self.walk.reached.get(&step.from).map(|from| from.order);
                (from, step.from.1, step.relationship.line, step.relationship.column, step.relationship.kind)
            })
        };
        known
            .probability
            .total_cmp(&new.probability)
            .then(new.distance.cmp(&known.distance))
            .then_with(|| place(new).cmp(&place(known)))
            .is_lt()
    }
}

struct Queued {
    probability: f64,
    distance: u32,
    order: Order,
    node: WalkNode,
}

impl Ord for Queued {
    /// The greatest is taken first: probable, near, early.
    fn cmp(&self, other: &Self) -> Ordering {
        self.probability
            .total_cmp(&other.probability)
            .then_with(|| other.distance.cmp(&self.distance))
            .then_with(|| other.order.cmp(&self.order))
            .then_with(|| other.node.1.cmp(&self.node.1))
    }
}

impl PartialOrd for Queued {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Queued {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Queued {}
