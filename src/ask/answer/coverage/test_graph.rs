//! The definitions that run when tests run, as far as relationships tell.
//!
//! Tests run the code of the modules that they import, and of the modules that those import: what stands outside of
//! functions, with the decorators. Definitions that only such code calls are told apart from those that a test reaches.
//!
//! A method that is reached by a value from elsewhere, or as an override, needs an object of its class: it counts only
//! if the tests reach the class too. Where a call gets one of many values, the index cannot tell which.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    model::{Basis, EntityId, EntityKind, FileId, FileRecord, Relationship, RelationshipKind, RunsNext},
    store::{Store, error::StoreError, read::Entity},
};

/// How tests relate to a definition, in the order of the lists of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TestReach {
    Nothing,
    /// Only tests that do not count reach it.
    OtherTests,
    /// No test reaches it, but the modules that tests import run it.
    AtImport,
    /// Only the walk of `impact` names tests, over steps that are not probable.
    Improbable,
    /// Tests reach a call that gets one of many values, and it is one of them.
    OneOfMany,
    /// Code that tests run has an unresolved occurrence of its name, so the index cannot tell.
    Unknown,
    /// Code that no index holds may run it: a library, or who reads its name out of a text.
    ByLibrary,
    Covered,
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
    /// The definitions behind the code that runs where the tests import modules.
    at_import: FxHashSet<EntityId>,
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
    /// The definitions that the code of each file runs outside of functions.
    run_by_import: BTreeMap<FileId, Vec<EntityId>>,
    /// The files that the code of each file imports, within functions for tests alone.
    imports: BTreeMap<FileId, FxHashSet<FileId>>,
    /// The packages around each file.
    packages: BTreeMap<FileId, Vec<FileId>>,
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
            run_by_import: BTreeMap::new(),
            imports: BTreeMap::new(),
            packages: packages(files),
        };
        let (mut modules, mut variables) = (FxHashSet::default(), FxHashSet::default());
        let mut outermost = FxHashSet::default();
        for (file, _) in files {
            let placed = store.placed_entities(*file)?;
            let of_kind = |wanted| placed.iter().filter(move |(_, _, kind)| *kind == wanted).map(|(id, ..)| *id);
            let classes: FxHashSet<EntityId> = of_kind(EntityKind::Class).collect();
            let own_modules: FxHashSet<EntityId> = of_kind(EntityKind::Module).collect();
            let is_outermost = |id: &EntityId| own_modules.contains(id) || classes.contains(id);
            // The decorators of these run at import too.
            let shown = placed.iter().filter(|(id, parent, _)| is_outermost(id) || is_outermost(parent));
            outermost.extend(shown.map(|(id, _, kind)| (*id, kind.is_callable())));
            modules.extend(own_modules.iter().copied());
            variables.extend(of_kind(EntityKind::Variable));
            let members = placed.iter().filter(|(_, parent, kind)| kind.is_callable() && classes.contains(parent));
            graph.classes.extend(members.map(|(id, parent, _)| (*id, *parent)));
            graph.files_of.extend(placed.iter().map(|(id, ..)| (*id, *file)));
            graph.of_file.insert(*file, placed.into_iter().map(|(id, ..)| id).collect());
        }
        for (file, _) in files {
            let relationships = store.relationships_of(*file)?;
            graph.add(&relationships, &modules, &variables);
            graph.add_imports(*file, &relationships, &outermost);
        }
        Ok(graph)
    }

    /// Adds what happens where one file is imported. `outermost` are the definitions outside of functions, with
    /// whether they are functions themselves.
    fn add_imports(&mut self, file: FileId, relationships: &[Relationship], outermost: &FxHashSet<(EntityId, bool)>) {
        let is_test = self.tests.contains(&file);
        for one in relationships.iter().filter(|one| one.basis != Basis::Script) {
            let is_outside_of_functions = outermost.contains(&(one.source, false));
            let is_of_decorator = outermost.contains(&(one.source, true));
            match one.kind {
                RelationshipKind::Imports if is_test || is_outside_of_functions => {
                    self.imports.entry(file).or_default().extend(self.files_of.get(&one.target));
                }
                RelationshipKind::Calls if is_outside_of_functions => {
                    self.run_by_import.entry(file).or_default().push(one.target);
                }
                RelationshipKind::Decorates if is_outside_of_functions || is_of_decorator => {
                    self.run_by_import.entry(file).or_default().push(one.target);
                }
                _ => {}
            }
        }
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
        let tests: Vec<FileId> = counted.map(|(file, _)| *file).collect();
        let start: Vec<EntityId> =
            tests.iter().flat_map(|file| self.of_file.get(file).into_iter().flatten()).copied().collect();
        let imported = self.imported(tests);
        let run: Vec<EntityId> =
            imported.iter().flat_map(|file| self.run_by_import.get(file).into_iter().flatten()).copied().collect();
        ReachedSet { sure: self.walk(&start, false), all: self.walk(&start, true), at_import: self.walk(&run, false) }
    }

    /// The files that Python reads for these, with the packages around them.
    fn imported(&self, mut queue: Vec<FileId>) -> BTreeSet<FileId> {
        let mut seen: BTreeSet<FileId> = queue.iter().copied().collect();
        while let Some(file) = queue.pop() {
            let next =
                self.imports.get(&file).into_iter().flatten().chain(self.packages.get(&file).into_iter().flatten());
            queue.extend(next.filter(|file| seen.insert(**file)).copied());
        }
        seen
    }

    /// Everything that may run once these do.
    pub(super) fn behind(&self, start: &[EntityId]) -> FxHashSet<EntityId> {
        self.walk(start, true)
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
            () if hits(&counted.at_import) => Ok(TestReach::AtImport),
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

    /// Whether the modules that tests import run a definition.
    pub(super) fn has_at_import(&self, id: EntityId) -> bool {
        self.at_import.contains(&id)
    }

    /// Whether the tests may reach a definition, if only where they import its module.
    pub(super) fn may_have(&self, id: EntityId) -> bool {
        self.all.contains(&id) || self.at_import.contains(&id)
    }
}

/// The packages around each file, by the names of modules.
fn packages(files: &[(FileId, FileRecord)]) -> BTreeMap<FileId, Vec<FileId>> {
    let is_package = |file: &FileRecord| file.path.ends_with("__init__.py");
    let by_name: BTreeMap<&str, FileId> =
        files.iter().filter(|(_, file)| is_package(file)).map(|(id, file)| (file.module.as_str(), *id)).collect();
    let around = |module: &str| -> Vec<FileId> {
        module.match_indices('.').filter_map(|(at, _)| by_name.get(&module[..at]).copied()).collect()
    };
    files.iter().map(|(id, file)| (*id, around(&file.module))).collect()
}

fn methods(store: &Store, class: EntityId) -> Result<Vec<EntityId>, StoreError> {
    let children = store.children(class)?;
    Ok(children.iter().filter(|child| child.record.kind.is_callable()).map(|child| child.id).collect())
}
