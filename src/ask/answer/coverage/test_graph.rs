//! The definitions that run when tests run, as far as relationships tell.
//!
//! A method that is reached by a value from elsewhere, or as an override, needs an object of its class: it counts only
//! if the tests reach the class too. Where a call gets one of many values, the index cannot tell which.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    model::{Basis, EntityId, EntityKind, FileId, FileRecord, Relationship, RelationshipKind, RunsNext},
    store::{Store, error::StoreError, read::Entity},
};

/// How tests relate to a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestReach {
    Covered,
    /// Only tests that do not count reach it.
    OtherTests,
    /// Code that tests run has an unresolved occurrence of its name, so the index cannot tell.
    Unknown,
    /// Only the walk of `impact` names tests, over steps that are not probable.
    Improbable,
    /// Tests reach a call that gets one of many values, and it is one of them.
    OneOfMany,
    /// It replaces a method of a library's class, or is registered by a library's decorator: the library may run it.
    ByLibrary,
    Nothing,
}

/// A call with more possible targets than this runs some of them, and nobody knows which.
const FEW_TARGETS: usize = 4;

/// Special methods that run whenever their class is used. Others need an operator or a function of Python.
const RUN_WITH_CLASS: &str = "__init__ __new__ __post_init__ __init_subclass__ __set_name__ __prepare__ __class_getitem__ __del__ \
     __get__ __set__ __enter__ __exit__ __aenter__ __aexit__ __call__ __iter__ __next__ __len__ __contains__ \
     __getitem__ __setitem__ __getattr__ __getattribute__ __setattr__ __eq__ __hash__ __bool__ __repr__ __str__";

/// A step of an execution.
#[derive(Clone, Copy)]
struct RunStep {
    to: EntityId,
    /// Its target is a method that an object of its class has to be there for.
    needs_object: bool,
    /// It is one of many that the same call may take.
    is_one_of_many: bool,
}

/// The definitions that some tests reach.
#[derive(Default)]
pub(super) struct ReachedSet {
    sure: FxHashSet<EntityId>,
    /// With those that a call reaches as one of many values.
    all: FxHashSet<EntityId>,
}

/// The relationships that an execution follows, as a graph over entities.
pub(super) struct TestGraph {
    by_source: FxHashMap<EntityId, Vec<RunStep>>,
    /// Entities of each file.
    of_file: BTreeMap<FileId, Vec<EntityId>>,
    /// Files of tests: an unresolved occurrence in one of them, or in what they run, leaves a definition undecided.
    tests: FxHashSet<FileId>,
    files_of: FxHashMap<EntityId, FileId>,
    /// The class of each method.
    classes: FxHashMap<EntityId, EntityId>,
    /// Classes that a module uses where it is imported, which no chain of calls shows.
    used_by_modules: FxHashSet<EntityId>,
}

impl TestGraph {
    pub(super) fn new(store: &Store, files: &[(FileId, FileRecord)]) -> Result<Self, StoreError> {
        let mut graph = Self {
            by_source: FxHashMap::default(),
            of_file: BTreeMap::new(),
            tests: files.iter().filter(|(_, file)| file.is_test).map(|(id, _)| *id).collect(),
            files_of: FxHashMap::default(),
            classes: FxHashMap::default(),
            used_by_modules: FxHashSet::default(),
        };
        let (mut modules, mut variables) = (FxHashSet::default(), FxHashSet::default());
        for (file, _) in files {
            let placed = store.placed_entities(*file)?;
            let of_kind = |wanted| placed.iter().filter(move |(_, _, kind)| *kind == wanted).map(|(id, ..)| *id);
            let classes: FxHashSet<EntityId> = of_kind(EntityKind::Class).collect();
            modules.extend(of_kind(EntityKind::Module));
            variables.extend(of_kind(EntityKind::Variable));
            let members = placed.iter().filter(|(_, parent, kind)| kind.is_callable() && classes.contains(parent));
            graph.classes.extend(members.map(|(id, parent, _)| (*id, *parent)));
            graph.files_of.extend(placed.iter().map(|(id, ..)| (*id, *file)));
            graph.of_file.insert(*file, placed.into_iter().map(|(id, ..)| id).collect());
        }
        for (file, _) in files {
            graph.add(&store.relationships_of(*file)?, &modules, &variables);
        }
        Ok(graph)
    }

    /// Adds the relationships of one file.
    fn add(&mut self, relationships: &[Relationship], modules: &FxHashSet<EntityId>, variables: &FxHashSet<EntityId>) {
        // A variable that refers to many definitions is a registry: whoever reads it takes some of them.
        let is_entry = |one: &Relationship| one.kind == RelationshipKind::References && variables.contains(&one.source);
        let mut entries: FxHashMap<EntityId, FxHashSet<EntityId>> = FxHashMap::default();
        for one in relationships.iter().filter(|one| is_entry(one)) {
            entries.entry(one.source).or_default().insert(one.target);
        }
        let mut alternatives: FxHashMap<(EntityId, u32, u32), usize> = FxHashMap::default();
        let place = |one: &Relationship| (one.source, one.line, one.column);
        for one in relationships.iter().filter(|one| one.basis.is_from_elsewhere()) {
            *alternatives.entry(place(one)).or_default() += 1;
        }
        for one in relationships {
            if modules.contains(&one.source)
                && one.basis != Basis::Text
                && matches!(one.kind, RelationshipKind::Calls | RelationshipKind::References)
            {
                self.used_by_modules.insert(one.target);
            }
            let (from, to) = match one.kind.runs_next() {
                RunsNext::Target => (one.source, one.target),
                RunsNext::Source => (one.target, one.source),
                RunsNext::Neither => continue,
            };
            let is_of_value = one.basis.is_of_value() && one.basis != Basis::Stored
                || matches!(one.basis, Basis::Dispatched | Basis::Implemented)
                || matches!(one.kind, RelationshipKind::Overrides | RelationshipKind::ImplementedBy);
            let are_many = alternatives.get(&place(one)).is_some_and(|all| *all > FEW_TARGETS);
            let is_of_registry = is_entry(one) && entries[&one.source].len() > FEW_TARGETS;
            let is_one_of_many =
                one.basis == Basis::Crowd || one.basis.is_from_elsewhere() && are_many || is_of_registry;
            let needs_object = is_of_value && self.classes.contains_key(&to);
            self.by_source.entry(from).or_default().push(RunStep { to, needs_object, is_one_of_many });
        }
    }

    /// The definitions that may run when the tests in these files run.
    pub(super) fn from(&self, files: &[(FileId, FileRecord)], counts: impl Fn(&FileRecord) -> bool) -> ReachedSet {
        let counted = files.iter().filter(|(_, file)| counts(file));
        let start: Vec<EntityId> =
            counted.flat_map(|(file, _)| self.of_file.get(file).into_iter().flatten()).copied().collect();
        ReachedSet { sure: self.walk(&start, false), all: self.walk(&start, true) }
    }

    /// Everything behind these entities, with or without the steps that are one of many.
    fn walk(&self, start: &[EntityId], takes_any: bool) -> FxHashSet<EntityId> {
        let mut queue: Vec<EntityId> = start.to_vec();
        let mut seen: FxHashSet<EntityId> = queue.iter().copied().collect();
        let mut made: FxHashSet<EntityId> = self.used_by_modules.clone();
        let mut waiting: FxHashMap<EntityId, Vec<EntityId>> = FxHashMap::default();
        while let Some(id) = queue.pop() {
            // Whoever runs a method, or reaches a class, may have an object of the class.
            for class in [Some(id), self.classes.get(&id).copied()].into_iter().flatten() {
                if made.insert(class) {
                    let methods = waiting.remove(&class).unwrap_or_default();
                    queue.extend(methods.into_iter().filter(|method| seen.insert(*method)));
                }
            }
            for step in self.by_source.get(&id).into_iter().flatten() {
                if step.is_one_of_many && !takes_any {
                    continue;
                }
                match self.classes.get(&step.to).filter(|class| step.needs_object && !made.contains(class)) {
                    Some(class) => waiting.entry(*class).or_default().push(step.to),
                    None if seen.insert(step.to) => queue.push(step.to),
                    None => (),
                }
            }
        }
        seen
    }

    /// How the tests that count, and the others, relate to a definition.
    pub(super) fn reach(
        &self,
        store: &Store,
        entity: &Entity,
        counted: &ReachedSet,
        others: &ReachedSet,
    ) -> Result<TestReach, StoreError> {
        let mut ids = vec![entity.id];
        let name = &entity.record.name;
        if entity.record.kind == EntityKind::Class {
            // A class counts as reached when one of its methods is.
            let own = methods(store, entity.id)?;
            // Settings inside a class, such as `Meta` or `Config`, are read by whoever makes the class.
            if own.is_empty() && entity.record.qualified.contains('.') {
                ids.push(entity.parent);
                ids.extend(methods(store, entity.parent)?);
            }
            ids.extend(own);
        } else if RUN_WITH_CLASS.split_whitespace().any(|known| known == name) {
            // Python calls these methods by itself, so the use of their class counts for them.
            ids.push(entity.parent);
        }
        let hits = |set: &FxHashSet<EntityId>| ids.iter().any(|id| set.contains(id));
        if hits(&counted.sure) {
            return Ok(TestReach::Covered);
        }
        let is_named = || -> Result<bool, StoreError> {
            let occurrences = store.unresolved_named(name)?;
            let is_in_tests = |id| self.files_of.get(id).is_some_and(|file| self.tests.contains(file));
            Ok(occurrences.iter().any(|one| is_in_tests(&one.source) || counted.all.contains(&one.source)))
        };
        // The look-up by name is the expensive one, so it comes last.
        match () {
            () if hits(&others.sure) && !hits(&counted.all) => Ok(TestReach::OtherTests),
            () if hits(&counted.all) => Ok(TestReach::OneOfMany),
            () if hits(&others.all) => Ok(TestReach::OtherTests),
            () if is_named()? => Ok(TestReach::Unknown),
            () => Ok(TestReach::Nothing),
        }
    }
}

impl ReachedSet {
    /// Whether the tests surely reach a definition.
    pub(super) fn has(&self, id: EntityId) -> bool {
        self.sure.contains(&id)
    }
}

fn methods(store: &Store, class: EntityId) -> Result<Vec<EntityId>, StoreError> {
    let children = store.children(class)?;
    Ok(children.iter().filter(|child| child.record.kind.is_callable()).map(|child| child.id).collect())
}
