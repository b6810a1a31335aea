//! The walk from a change to what it reaches, most probable first.
//!
//! Goes in: changed entities and limits. Comes out: every reached entity with its distance, its probability and the
//! step that it was reached by; following the steps gives the evidence. Does not know names, tests or wording.
//!
//! Probability multiplies along a chain. The best chain to an entity is its evidence; one other way counts for its
//! probability (see `combine`). Equal chains are told apart by path and line, never by ids.

use std::{cmp::Ordering, collections::BinaryHeap, rc::Rc};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    model::{Basis, EntityId, EntityKind, Evidence, Relationship, RelationshipKind},
    query::{
        candidates::{Budget, LISTED, candidates},
        combine::{Way, Ways},
        direct::Direct,
        graph::{Graph, Order},
        hidden::hidden_attributes,
        outside::{hands_on, run_with},
        overriders::Overriders,
        prepared::{is_in_tests, marked_tests, tests_of},
        rules::{CALLED, Change, dispatch, factor, is_use, special},
        source::Sources,
    },
    store::{error::StoreError, heads::Head},
};

/// Where a walk ends.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Largest distance; `None` for no limit.
    pub depth: Option<u32>,
    /// What is less probable than this is not listed.
    pub min_probability: f64,
    /// Most entities that are looked at. With the next one it bounds the time of an answer by counting, so that equal
    /// trees give equal answers.
    pub entities: usize,
    /// Most relationships that are read, up to those of the last entity.
    pub relationships: usize,
}

/// Of the tests that are less probable one in twenty ran the function on the projects of BENCHMARKS.md, of the others one in three.
const MIN_PROBABILITY: f64 = 0.08;
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
        Self { depth: None, min_probability: MIN_PROBABILITY, entities: MOST, relationships: 1_000_000 }
    }
}

/// How an entity takes part in the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// It behaves differently.
    Affected,
    /// It imports what changed: listed, and followed only to those who import a module that cannot be imported any more.
    Importer,
    /// A method that may dispatch to a changed override: not listed, its callers are.
    Dispatcher,
    /// The class whose constructor changed: not listed, those who call it are.
    Constructed,
    /// What a framework runs a changed function for, its application or group: not listed, those who use it are.
    Registry,
    /// The class of a method that a library may look for: not listed, functions that make instances or hand it on are.
    Handed,
    /// The class of a special method that Python or another library may call: not listed, those who make instances are.
    Held,
}

/// A knot of the walk.
pub type Knot = (EntityId, Role);

/// One relationship on a chain, read against its direction.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// What was reached before.
    pub from: Knot,
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
    /// `None` for what changed itself.
    pub step: Option<Step>,
    order: Order,
}

/// Everything that a walk found.
#[derive(Debug, Default)]
pub struct Walk {
    pub reached: FxHashMap<Knot, Reached>,
    /// The last relationship of a second way, where the probability counts one.
    pub seconds: FxHashMap<Knot, Step>,
    /// A limit on entities or relationships was reached.
    pub is_cut: bool,
    /// Entities beyond the depth asked for.
    pub beyond_depth: usize,
    /// What was reached too improbably to be listed.
    pub improbable: FxHashSet<Knot>,
    /// Tests that make nothing of what their chain takes (see `instances`), with the first thing that they lack.
    pub lacking: FxHashMap<EntityId, EntityId>,
    /// Unresolved occurrences of the changed names that were too unlikely to follow.
    pub unlikely: usize,
    /// The same for the names further along.
    pub unlikely_beyond: usize,
}

impl Walk {
    /// Whether the chain to an entity leads over a special method that code outside the repository may call.
    pub fn is_implicit(&self, reached: &Reached) -> bool {
        let mut step = reached.step;
        while let Some(Step { from, .. }) = step {
            if from.1 == Role::Held {
                return true;
            }
            step = self.reached.get(&from).and_then(|reached| reached.step);
        }
        false
    }
}

/// Walks from `seeds` against the direction of relationships, never over those in `spared`.
pub(crate) fn walk(
    graph: &Graph,
    sources: &Sources,
    seeds: &[Rc<Head>],
    change: Change,
    spared: &FxHashSet<Relationship>,
    limits: &Limits,
) -> Result<Walk, StoreError> {
    let seeds: Vec<(Rc<Head>, Role)> = seeds.iter().map(|seed| (Rc::clone(seed), Role::Affected)).collect();
    // Two ways of half the least probability nearly have it together.
    let floor = limits.min_probability / 2.0;
    let (ways, sources) = (Some(Ways::default()), Some(sources));
    let walker = Walker { sources, floor, ways, ..Walker::new(graph, change, spared, limits) };
    walker.run(&seeds)
}

/// The same from knots of any role, by single chains.
pub(crate) fn walk_from(
    graph: &Graph,
    seeds: &[(Rc<Head>, Role)],
    change: Change,
    spared: &FxHashSet<Relationship>,
    limits: &Limits,
) -> Result<Walk, StoreError> {
    Walker::new(graph, change, spared, limits).run(seeds)
}

/// How surely a function runs what is defined inside it, where nothing else says that it does.
const ENCLOSED: f64 = 0.6;

/// How surely those who make an instance of a class, or hand the class on, have a library run a method that it looks for.
const FROM_OUTSIDE: f64 = 0.2;

/// How surely those who read a variable run a function that it keeps, in a table or by another name: of the tests that
/// read such tables on the projects of BENCHMARKS.md, one in twenty ran the function.
const KEPT: f64 = 0.15;

struct Walker<'g, 's> {
    graph: &'g Graph<'s>,
    sources: Option<&'g Sources<'g>>,
    change: Change,
    spared: &'g FxHashSet<Relationship>,
    limits: &'g Limits,
    /// Chains less probable than this are not followed.
    floor: f64,
    walk: Walk,
    /// Best known way to what is not final yet.
    frontier: FxHashMap<Knot, Reached>,
    queue: BinaryHeap<Queued>,
    budget: Budget,
    /// What was reached, in this order.
    settled: Vec<Knot>,
    direct: Direct,
    /// Other ways to what is reached, if they are wanted.
    ways: Option<Ways>,
    /// Relationships read so far.
    read: usize,
}

impl<'g, 's> Walker<'g, 's> {
    fn new(graph: &'g Graph<'s>, change: Change, spared: &'g FxHashSet<Relationship>, limits: &'g Limits) -> Self {
        Self {
            graph,
            sources: None,
            change,
            spared,
            limits,
            floor: limits.min_probability,
            walk: Walk::default(),
            frontier: FxHashMap::default(),
            queue: BinaryHeap::new(),
            budget: Budget::default(),
            settled: Vec::new(),
            direct: Direct::default(),
            ways: None,
            read: 0,
        }
    }

    fn run(mut self, seeds: &[(Rc<Head>, Role)]) -> Result<Walk, StoreError> {
        for (entity, role) in seeds {
            let (entity, order) = (Rc::clone(entity), self.graph.order(entity));
            let knot = (entity.id, *role);
            let (distance, probability, evidence, step) = (0, 1.0, Evidence::Exact, None);
            self.offer(knot, Reached { entity, distance, probability, evidence, step, order });
        }
        while let Some(queued) = self.queue.pop() {
            let Some(reached) = self.frontier.get(&queued.knot) else { continue };
            if reached.probability > queued.probability || reached.distance < queued.distance {
                continue;
            }
            if self.walk.reached.len() >= self.limits.entities || self.read > self.limits.relationships {
                self.walk.is_cut = true;
                break;
            }
            let reached = self.frontier.remove(&queued.knot).expect("it was there a moment ago");
            self.walk.reached.insert(queued.knot, reached.clone());
            self.settled.push(queued.knot);
            self.expand(queued.knot, &reached)?;
        }
        let mut walk = self.walk;
        walk.improbable.retain(|(id, _)| !walk.reached.contains_key(&(*id, Role::Affected)));
        if let Some(ways) = self.ways {
            walk.seconds = ways.combine(&self.settled, &mut walk.reached);
        }
        self.direct.apply(&mut walk.reached, &mut walk.seconds);
        let least = self.limits.min_probability;
        let unlisted = walk.reached.iter().filter(|(knot, at)| knot.1 == Role::Affected && at.probability < least);
        walk.improbable.extend(unlisted.map(|(knot, _)| *knot));
        Ok(walk)
    }

    /// Offers everything that one more relationship reaches.
    fn expand(&mut self, knot: Knot, at: &Reached) -> Result<(), StoreError> {
        let is_seed = at.step.is_none();
        let entity = &at.entity;
        // A module that imports what is gone cannot be imported.
        let fails = knot.1 == Role::Importer && self.change.takes_the_name();
        let ends = knot.1 == Role::Importer || (entity.kind == EntityKind::Module && !is_seed);
        if ends && !fails {
            return Ok(());
        }
        // Two relationships of one source differ in nothing but their place, unless one of them is spared.
        let dependents =
            if self.spared.is_empty() { self.graph.dependents(entity.id)? } else { self.graph.incoming(entity.id)? };
        self.read += dependents.len();
        // What else is registered there does not run because of this.
        let registered: FxHashSet<EntityId> = match knot.1 {
            Role::Registry => {
                let registers = dependents.iter().filter(|r| r.kind == RelationshipKind::Registers);
                registers.map(|relationship| relationship.source).collect()
            }
            _ => FxHashSet::default(),
        };
        let is_kept = entity.kind == EntityKind::Variable
            && at.step.is_some_and(|step| step.relationship.kind == RelationshipKind::References);
        let kept = if is_kept { KEPT } else { 1.0 };
        let is_used = dependents.iter().any(|edge| is_use(edge.kind));
        let overriders = (knot.1 == Role::Dispatcher).then(|| self.overriders(at, &dependents)).transpose()?;
        for relationship in dependents {
            if registered.contains(&relationship.source) {
                continue;
            }
            if let Some(overriders) = &overriders
                && !overriders.can_be_meant(self.graph, &relationship)?
            {
                continue;
            }
            let Some(factor) = factor(relationship.kind, knot.1, is_seed, self.change) else { continue };
            if knot.1 == Role::Handed && !hands_on(self.graph, relationship.source)? {
                continue;
            }
            if self.spared.contains(&relationship) || (is_seed && self.is_beside_signature(entity, &relationship)) {
                continue;
            }
            let role = match relationship.kind {
                RelationshipKind::Imports if self.is_run_by_a_call(&relationship)? => Role::Affected,
                RelationshipKind::Imports => Role::Importer,
                _ => Role::Affected,
            };
            self.step(knot, at, (relationship.source, role), relationship, factor * kept, 1)?;
        }
        match knot.1 {
            Role::Held => return self.expand_heirs(knot, at),
            Role::Constructed | Role::Importer => return Ok(()),
            _ => {}
        }
        self.expand_dispatch(knot, at)?;
        self.expand_registered(knot, at)?;
        if !is_used && matches!(knot.1, Role::Affected | Role::Dispatcher) {
            self.expand_outside(knot, at)?;
        }
        if knot.1 == Role::Affected {
            self.expand_constructor(knot, at)?;
            self.expand_special(knot, at)?;
            self.expand_enclosing(knot, at)?;
            self.expand_prepared(knot, at)?;
            self.expand_candidates(knot, at)?;
        }
        Ok(())
    }

    /// Whether an import of what is gone stands in a function, which fails when it is called.
    fn is_run_by_a_call(&self, import: &Relationship) -> Result<bool, StoreError> {
        let source = if self.change.takes_the_name() { self.graph.head(import.source)? } else { None };
        Ok(source.is_some_and(|source| source.kind.is_callable()))
    }

    /// The affected members that override one, of those that are known by now.
    fn overriders(&self, at: &Reached, dependents: &[Relationship]) -> Result<Overriders, StoreError> {
        let is_known = |id: EntityId| {
            let mut knots = [Role::Affected, Role::Dispatcher].into_iter().map(|role| (id, role));
            knots.any(|knot| self.walk.reached.contains_key(&knot) || self.frontier.contains_key(&knot))
        };
        let overrides = dependents.iter().filter(|edge| edge.kind == RelationshipKind::Overrides);
        let known = overrides.map(|edge| edge.source).filter(|&id| is_known(id));
        Overriders::of(self.graph, known.chain(at.step.map(|step| step.from.0)))
    }

    /// What takes other arguments is no concern of a text that names it, nor of those who use a class or a variable.
    fn is_beside_signature(&self, entity: &Head, relationship: &Relationship) -> bool {
        let is_use = matches!(relationship.kind, RelationshipKind::References | RelationshipKind::Reads);
        let is_function = matches!(entity.kind, EntityKind::Function | EntityKind::Method);
        is_use && self.change.is_of_parameters() && (relationship.basis == Basis::Text || !is_function)
    }

    /// Calls through a base class can reach an override, and reads of an attribute one that hides it.
    fn expand_dispatch(&mut self, knot: Knot, at: &Reached) -> Result<(), StoreError> {
        let mut overridden = match at.entity.kind {
            EntityKind::Method | EntityKind::Property => self.graph.overridden(&at.entity)?,
            _ => Vec::new(),
        };
        overridden.extend(hidden_attributes(self.graph, &at.entity)?);
        for mut relationship in overridden {
            let Some(base) = self.graph.head(relationship.target)? else { continue };
            let is_abstract = base.flags.is_left_open();
            let factor = match (knot.1, is_abstract) {
                (Role::Dispatcher, _) => 0.8,
                (_, is_abstract) => dispatch(is_abstract),
            };
            relationship.basis = Basis::Dispatched;
            self.hop(knot, at, (base.id, Role::Dispatcher), relationship, factor)?;
        }
        Ok(())
    }

    /// A framework runs what is registered with an object for those who use the object.
    fn expand_registered(&mut self, knot: Knot, at: &Reached) -> Result<(), StoreError> {
        if !matches!(knot.1, Role::Affected | Role::Registry | Role::Handed) {
            return Ok(());
        }
        let is_test = is_in_tests(self.graph, at.entity.id)?;
        for relationship in self.graph.registered(&at.entity)? {
            // What a test registers with the code that it tests is there for it alone.
            if is_test && !is_in_tests(self.graph, relationship.target)? {
                continue;
            }
            self.hop(knot, at, (relationship.target, Role::Registry), relationship, 0.8)?;
        }
        Ok(())
    }

    /// Whoever calls a class runs its constructor.
    fn expand_constructor(&mut self, knot: Knot, at: &Reached) -> Result<(), StoreError> {
        let entity = &at.entity;
        if entity.kind != EntityKind::Method || !is_constructor(entity.name()) {
            return Ok(());
        }
        let relationship = of_parent(entity, RelationshipKind::Calls, Basis::Scope);
        self.hop(knot, at, (entity.parent, Role::Constructed), relationship, 1.0)
    }

    /// A method that nothing here calls may be run by a base class from outside, for those who make or hand on the class.
    fn expand_outside(&mut self, knot: Knot, at: &Reached) -> Result<(), StoreError> {
        let Some(sources) = self.sources else { return Ok(()) };
        for class in run_with(self.graph, sources, &at.entity)? {
            let relationship = of_parent(&at.entity, RelationshipKind::Registers, Basis::Name);
            self.hop(knot, at, (class, Role::Handed), relationship, FROM_OUTSIDE)?;
        }
        Ok(())
    }

    /// Special methods are called by whoever gets an instance, and that may be code outside the repository.
    fn expand_special(&mut self, knot: Knot, at: &Reached) -> Result<(), StoreError> {
        let entity = &at.entity;
        let Some(factor) = special(entity.name()).filter(|_| entity.kind == EntityKind::Method) else {
            return Ok(());
        };
        let relationship = of_parent(entity, RelationshipKind::Calls, Basis::Name);
        self.hop(knot, at, (entity.parent, Role::Held), relationship, factor)
    }

    /// What is defined inside a function is part of it, however it is handed out; what a class statement in there runs, the
    /// function runs.
    fn expand_enclosing(&mut self, knot: Knot, at: &Reached) -> Result<(), StoreError> {
        let entity = &at.entity;
        let Some(parent) = self.graph.head(entity.parent)? else { return Ok(()) };
        if !parent.kind.is_callable() || parent.id == entity.id {
            return Ok(());
        }
        let factor = match at.step {
            _ if entity.kind.is_callable() => ENCLOSED,
            Some(step) if entity.kind == EntityKind::Class && step.relationship.kind == RelationshipKind::Calls => {
                CALLED
            }
            _ => return Ok(()),
        };
        let relationship = of_parent(entity, RelationshipKind::Contains, Basis::Scope);
        self.step(knot, at, (parent.id, Role::Affected), relationship, factor, 1)
    }

    /// Set-up code runs for every test in its reach, and so does a fixture that a mark names.
    fn expand_prepared(&mut self, knot: Knot, at: &Reached) -> Result<(), StoreError> {
        let is_mark = match at.step {
            Some(step) => step.relationship.kind == RelationshipKind::UsesFixture,
            None => at.entity.kind == EntityKind::Variable,
        };
        let tests = if is_mark && !at.entity.kind.is_callable() {
            marked_tests(self.graph, &at.entity)?
        } else {
            tests_of(self.graph, &at.entity)?
        };
        for test in tests {
            let Head { id: source, line, column, .. } = *test;
            let (target, kind, basis) = (at.entity.id, RelationshipKind::UsesFixture, Basis::Fixture);
            let relationship = Relationship { target, kind, source, line, column, basis };
            self.step(knot, at, (source, Role::Affected), relationship, 0.99, 1)?;
        }
        Ok(())
    }

    /// Instances of subclasses have the special methods too.
    fn expand_heirs(&mut self, knot: Knot, at: &Reached) -> Result<(), StoreError> {
        for relationship in self.graph.heirs(at.entity.id)? {
            self.hop(knot, at, (relationship.source, Role::Held), relationship, 0.9)?;
        }
        Ok(())
    }

    /// Unresolved occurrences of the name that could mean this entity.
    fn expand_candidates(&mut self, knot: Knot, at: &Reached) -> Result<(), StoreError> {
        let floor = (self.floor / at.probability).max(LISTED);
        let found = candidates(self.graph, &at.entity, floor, &mut self.budget)?;
        let unlikely = if at.step.is_some() { &mut self.walk.unlikely_beyond } else { &mut self.walk.unlikely };
        *unlikely += found.unlikely;
        for candidate in found.likely {
            let relationship = candidate.relationship(at.entity.id);
            self.step(knot, at, (relationship.source, Role::Affected), relationship, candidate.probability, 1)?;
        }
        Ok(())
    }

    /// A step that is not a dependency itself: no distance.
    fn hop(
        &mut self,
        from: Knot,
        at: &Reached,
        to: Knot,
        relationship: Relationship,
        factor: f64,
    ) -> Result<(), StoreError> {
        self.step(from, at, to, relationship, factor, 0)
    }

    fn step(
        &mut self,
        from: Knot,
        at: &Reached,
        to: Knot,
        relationship: Relationship,
        factor: f64,
        length: u32,
    ) -> Result<(), StoreError> {
        let own = if relationship.basis == Basis::Name || length == 0 { 1.0 } else { relationship.basis.probability() };
        let probability = at.probability * own * factor;
        let distance = at.distance + length;
        if (length, distance) == (1, 1) && relationship.basis != Basis::Name {
            self.direct.note(to.0, probability, at.order, Step { from, relationship });
        }
        if probability < self.floor {
            if !self.walk.reached.contains_key(&to) {
                self.walk.improbable.insert(to);
            }
            return Ok(());
        }
        let step = Step { from, relationship };
        if let Some(ways) = &mut self.ways {
            ways.add(to, Way { step, probability: own * factor, chain: probability, order: at.order });
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
        let evidence = if length == 0 && relationship.basis == Basis::Scope {
            at.evidence
        } else {
            at.evidence.max(relationship.basis.evidence())
        };
        self.offer(to, Reached { entity, distance, probability, evidence, step: Some(step), order });
        Ok(())
    }

    /// Keeps `reached` when it is better than what is known about its knot.
    fn offer(&mut self, knot: Knot, reached: Reached) {
        if self.frontier.get(&knot).is_some_and(|known| !self.is_better(&reached, known)) {
            return;
        }
        self.queue.push(Queued {
            probability: reached.probability,
            distance: reached.distance,
            order: reached.order,
            knot,
        });
        self.frontier.insert(knot, reached);
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

/// What ties a definition to the one around it, at its own place.
fn of_parent(entity: &Head, kind: RelationshipKind, basis: Basis) -> Relationship {
    let Head { id: target, parent: source, line, column, .. } = *entity;
    Relationship { target, kind, source, line, column, basis }
}

/// What runs when a class is called.
pub(crate) fn is_constructor(name: &str) -> bool {
    matches!(name, "__init__" | "__new__" | "__post_init__")
}

struct Queued {
    probability: f64,
    distance: u32,
    order: Order,
    knot: Knot,
}

impl Ord for Queued {
    /// The greatest is taken first: probable, near, early.
    fn cmp(&self, other: &Self) -> Ordering {
        self.probability
            .total_cmp(&other.probability)
            .then_with(|| other.distance.cmp(&self.distance))
            .then_with(|| other.order.cmp(&self.order))
            .then_with(|| other.knot.1.cmp(&self.knot.1))
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
