//! The steps of a change that are no relationships.
//!
//! Some code runs an affected entity because of where the entity stands: calls through a base class, callers of a
//! class, the function around it, tests with this set-up, libraries, and occurrences that could mean it.

use crate::{
    model::{
        Basis, EntityId, EntityKind, Relationship, RelationshipKind, Unresolved,
        conventions::{is_constructor, is_special},
    },
    query::{
        candidates::{LISTED, candidates},
        impact::{
            outside::library_callers::run_with,
            selection::setup::{is_in_tests, marked_tests, tests_of},
            walk::{
                Reached, Role, WalkNode, Walker,
                computed_lookups::asked_by_name,
                factors::{CALLED, Change, dispatch, factor, is_use},
                hidden_members::hidden_attributes,
                wrappers::replaced,
            },
        },
    },
    store::{error::StoreError, read::entity_headers::Head},
};

/// Probability that a function runs a definition inside it, without a relationship that says so. Of the tests that run
/// the outer one .88 run the inner one (`benches/steps.py`, 32 projects); with that, chains of several such steps are
/// claimed too surely.
const ENCLOSED: f64 = 0.6;

/// How surely a class that asks itself for members by computed names asks for a method which nothing else here uses.
const ASKED_BY_NAME: f64 = 0.4;

/// Probability that a call of a protocol's member runs that of one class which fits: the value of `Basis::Fitting` for
/// its callers.
const FITTING: f64 = 0.36;

/// Probability that code which makes an instance of a class, or passes the class on, has a library run a method that
/// it looks up. On 32 projects a tenth of the tests that only such a chain leads to ran the function (254 of 2,282), a
/// quarter where each function counts the same; with .2 a tenth was claimed.
const FROM_OUTSIDE: f64 = 0.3;

/// Probability that users of a library's object have it run a function which one of its methods decorates, that
/// nothing else here uses, where no rule says that the method keeps it. By hand: too few were traced.
const MAY_KEEP: f64 = 0.5;
/// Probability that a function which imports a module runs the module's code, where only functions import it.
const IMPORTED: f64 = 0.3;
/// Probability that code which names a class runs functions registered for it: receivers of a model run for code that
/// saves one. By hand.
const OF_A_CLASS: f64 = 0.3;

impl Walker<'_, '_> {
    /// Calls through a base class can reach an override, and reads of an attribute one that hides it.
    pub(crate) fn expand_dispatch(&mut self, node: WalkNode, at: &Reached) -> Result<(), StoreError> {
        let mut overridden = match at.entity.kind {
            // Whoever makes an object names its class.
            EntityKind::Method if is_constructor(at.entity.name()) => Vec::new(),
            EntityKind::Method | EntityKind::Property => self.graph.overridden(&at.entity)?,
            _ => Vec::new(),
        };
        overridden.extend(hidden_attributes(self.graph, &at.entity)?);
        for mut relationship in overridden {
            let Some(base) = self.graph.head(relationship.target)? else { continue };
            let is_abstract = base.flags.is_hook();
            let factor = match (node.1, is_abstract) {
                (Role::Dispatcher, _) => 0.8,
                (_, is_abstract) => dispatch(is_abstract),
            };
            relationship.basis = Basis::Dispatched;
            self.hop(node, at, (base.id, Role::Dispatcher), relationship, factor)?;
        }
        Ok(())
    }

    /// Calls of a protocol's member can reach that of a class which fits; a protocol with another member is not fitted
    /// any more.
    pub(crate) fn expand_protocol(
        &mut self,
        node: WalkNode,
        at: &Reached,
        dependents: &[Relationship],
    ) -> Result<(), StoreError> {
        for &edge in dependents.iter().filter(|edge| edge.kind == RelationshipKind::ImplementedBy) {
            self.hop(node, at, (edge.source, Role::Dispatcher), edge, FITTING)?;
        }
        if at.step.is_some() || self.change == Change::Body {
            return Ok(());
        }
        for edge in self.graph.implementing(&at.entity)? {
            let Some(factor) = factor(edge.kind, node.1, true, self.change) else { continue };
            self.step(node, at, (edge.source, Role::Affected), edge, factor, 1)?;
        }
        Ok(())
    }

    /// A framework runs a function that is registered with an object for the users of the object.
    pub(crate) fn expand_registered(&mut self, node: WalkNode, at: &Reached) -> Result<(), StoreError> {
        if !matches!(node.1, Role::Affected | Role::Registry | Role::ReceivesClass) {
            return Ok(());
        }
        let is_test = is_in_tests(self.graph, at.entity.id)?;
        for mut relationship in self.graph.registered(&at.entity)? {
            // A test registers functions with the tested code for itself alone.
            if is_test && !is_in_tests(self.graph, relationship.target)? {
                continue;
            }
            // The methods of a class run for those who use it as itself.
            let mut factor = match self.graph.head(relationship.target)? {
                Some(with) if with.id == at.entity.parent => 1.0,
                Some(with) if with.kind == EntityKind::Class => OF_A_CLASS,
                _ => 0.8,
            };
            if relationship.basis == Basis::MAY_KEEP {
                if self.graph.dependents(at.entity.id)?.iter().any(|edge| is_use(edge.kind)) {
                    continue;
                }
                relationship.basis = Basis::Name;
                factor = MAY_KEEP;
            }
            self.hop(node, at, (relationship.target, Role::Registry), relationship, factor)?;
        }
        Ok(())
    }

    /// The code of a module that only functions import runs when the first of them is called, or one whose test makes
    /// Python forget the module.
    pub(crate) fn expand_module(&mut self, node: WalkNode, at: &Reached) -> Result<(), StoreError> {
        if self.change != Change::Body {
            return Ok(());
        }
        let mut imports = self.graph.incoming(at.entity.id)?;
        imports.retain(|edge| edge.kind == RelationshipKind::Imports && edge.source != at.entity.id);
        for import in &imports {
            let importer = self.graph.head(import.source)?;
            if !importer.is_some_and(|importer| importer.kind.is_callable()) {
                return Ok(());
            }
        }
        for import in imports {
            self.step(node, at, (import.source, Role::Affected), import, IMPORTED, 1)?;
        }
        Ok(())
    }

    /// Whoever calls a class runs its constructor.
    pub(crate) fn expand_constructor(&mut self, node: WalkNode, at: &Reached) -> Result<(), StoreError> {
        let entity = &at.entity;
        if entity.kind != EntityKind::Method || !is_constructor(entity.name()) {
            return Ok(());
        }
        let relationship = of_parent(entity, RelationshipKind::Calls, Basis::Scope);
        self.hop(node, at, (entity.parent, Role::Constructed), relationship, 1.0)
    }

    /// A method that at most tests call may be run by code outside, for code that makes the class or passes it on. One
    /// that overrides a method of the repository is run for the callers of that method, where there are others than
    /// its overrides.
    pub(crate) fn expand_outside(&mut self, node: WalkNode, at: &Reached, is_tested: bool) -> Result<(), StoreError> {
        if !self.crosses_libraries || !self.graph.asked_for(&at.entity)?.is_empty() {
            return Ok(());
        }
        let mut is_tested = is_tested;
        for overridden in self.graph.overridden(&at.entity)? {
            let mut dependents = self.graph.dependents(overridden.target)?;
            let is_override = |edge: &Relationship| edge.kind == RelationshipKind::Overrides;
            let overrides: Vec<EntityId> =
                dependents.iter().filter(|edge| is_override(edge)).map(|edge| edge.source).collect();
            dependents.retain(|edge| !overrides.contains(&edge.source));
            let (is_used, is_overridden_tested) = self.users(&dependents)?;
            if is_used {
                return Ok(());
            }
            is_tested |= is_overridden_tested;
        }
        let (classes, role) = run_with(self.graph, &at.entity, is_tested)?;
        for class in classes {
            let relationship = of_parent(&at.entity, RelationshipKind::Registers, Basis::Name);
            self.hop(node, at, (class, role), relationship, FROM_OUTSIDE)?;
        }
        Ok(())
    }

    /// A method that nothing here calls may be one that its class asks itself for by a computed name.
    pub(crate) fn expand_computed(&mut self, node: WalkNode, at: &Reached) -> Result<(), StoreError> {
        if !self.crosses_libraries {
            return Ok(());
        }
        for relationship in asked_by_name(self.graph, &at.entity)? {
            self.step(node, at, (relationship.source, Role::Affected), relationship, ASKED_BY_NAME, 1)?;
        }
        Ok(())
    }

    /// Special methods are called by whoever gets an instance, and that may be code outside the repository.
    pub(crate) fn expand_special(&mut self, node: WalkNode, at: &Reached) -> Result<(), StoreError> {
        let entity = &at.entity;
        let Some(factor) = special(entity.name()).filter(|_| entity.kind == EntityKind::Method) else {
            return Ok(());
        };
        let relationship = of_parent(entity, RelationshipKind::Calls, Basis::Name);
        self.hop(node, at, (entity.parent, Role::InstanceHolder), relationship, factor)
    }

    /// A definition inside a function is part of the function, however it is passed out; code that a class statement
    /// in there runs, the function runs.
    pub(crate) fn expand_enclosing(&mut self, node: WalkNode, at: &Reached) -> Result<(), StoreError> {
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
        self.step(node, at, (parent.id, Role::Affected), relationship, factor, 1)
    }

    /// A function that a decorator put a wrapper before runs the wrapper.
    pub(crate) fn expand_replaced(&mut self, node: WalkNode, at: &Reached) -> Result<(), StoreError> {
        if !at.entity.kind.is_callable() {
            return Ok(());
        }
        for relationship in replaced(self.graph, &at.entity)? {
            self.step(node, at, (relationship.source, Role::Affected), relationship, CALLED, 1)?;
        }
        Ok(())
    }

    /// Set-up code runs for every test in its reach, and so does a fixture that a mark names.
    pub(crate) fn expand_prepared(&mut self, node: WalkNode, at: &Reached) -> Result<(), StoreError> {
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
            self.step(node, at, (source, Role::Affected), relationship, 0.99, 1)?;
        }
        Ok(())
    }

    /// Instances of subclasses have the special methods too.
    pub(crate) fn expand_heirs(&mut self, node: WalkNode, at: &Reached) -> Result<(), StoreError> {
        for relationship in self.graph.heirs(at.entity.id)? {
            self.hop(node, at, (relationship.source, Role::InstanceHolder), relationship, 0.9)?;
        }
        Ok(())
    }

    /// Unresolved occurrences of the name that could mean this entity.
    pub(crate) fn expand_candidates(&mut self, node: WalkNode, at: &Reached) -> Result<(), StoreError> {
        let floor = (self.floor / at.probability).max(LISTED);
        let found = candidates(self.graph, &at.entity, floor, &mut self.budget)?;
        if at.step.is_some() {
            self.walk.unlikely_beyond += found.unlikely.len();
        } else {
            self.walk.unlikely.extend(found.unlikely);
            let place = |found: &Unresolved| (found.source, found.line, found.column);
            self.walk.likely.extend(found.likely.iter().map(|candidate| place(&candidate.unresolved)));
        }
        for candidate in found.likely {
            let relationship = candidate.relationship(at.entity.id);
            self.step(node, at, (relationship.source, Role::Affected), relationship, candidate.probability, 1)?;
        }
        Ok(())
    }
}

/// Probability that code which makes an instance gets a special method called by code outside the repository. Of tests
/// that such a chain leads to .09 ran the function, where .15 was claimed (32,822 tests of twelve projects).
fn special(name: &str) -> Option<f64> {
    match name {
        _ if !is_special(name) || is_constructor(name) => None,
        "__init_subclass__" | "__class_getitem__" | "__set_name__" | "__repr__" | "__str__" | "__format__" => None,
        // Runs when the last one who holds the object lets go: mostly whoever made it.
        "__del__" => Some(0.5),
        // Resolved where something is copied or pickled.
        "__copy__" | "__deepcopy__" | "__reduce__" | "__reduce_ex__" | "__getstate__" | "__setstate__"
        | "__getnewargs__" | "__getnewargs_ex__" => Some(0.04),
        "__call__" => Some(0.25),
        _ => Some(0.1),
    }
}

/// The tie between a definition and the one around it, at its own position.
fn of_parent(entity: &Head, kind: RelationshipKind, basis: Basis) -> Relationship {
    let Head { id: target, parent: source, line, column, .. } = *entity;
    Relationship { target, kind, source, line, column, basis }
}
