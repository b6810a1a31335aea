//! Answers about coverage: the definitions that no test reaches.
//!
//! Reaching is static: a chain of calls, references, fixtures and reads leads from a test to the definition. Imports
//! alone reach nothing. Definitions fall into four groups: not reached, reached only by other kinds of tests,
//! undecided, reached.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow},
        reading::{
            filters::Noun,
            plan::{PlannedFile, Understood},
        },
    },
    model::{EntityFlags, EntityId, EntityKind, FileId, FileRecord, RunsNext, conventions::pytest::is_conftest},
    query::{
        graph::Graph,
        impact::{
            completeness::{Boundary, Completeness},
            selection::Collected,
        },
        target::filter::{DefinitionMark, Filter, FilterReader},
        words::{count, plural},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Definitions of each group that a language model gets to see.
const MAX_WANTED: usize = 30;

/// How tests relate to a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TestReach {
    Covered,
    /// Only tests of another kind than the question asks for reach it.
    OtherTests,
    /// A test has an unresolved occurrence of its name, so the index cannot tell.
    Unknown,
    /// It replaces a method of a library's class, or is registered by a library's decorator: the library may run it.
    ByLibrary,
    Nothing,
}

/// Lists the definitions that no test reaches.
pub fn coverage(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let store = reading.store;
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    if let Some(said) = condition_on_tests(understood) {
        answer.headline = format!("which tests are meant is not known: the condition `{said}` is not understood");
        return Ok(answer);
    }
    let files = store.files()?;
    let asked = asked(reading, understood, &files)?;
    let is_unit_only = understood.unit_tests_only;
    let own: BTreeSet<String> = asked.iter().map(|entity| entity.path.clone()).collect();
    let run = run_files(store, &files, &own)?;
    let counts =
        |file: &FileRecord| run.contains(file.path.as_str()) && !(is_unit_only && is_other_kind_of_test(&file.path));
    let word = if is_unit_only { "unit test" } else { "test" };
    let noun = noun(understood).map_or("definition", Noun::worded);
    let all = asked.len();
    if all == 0 {
        answer.headline = format!("the question names no {} outside of tests", plural(noun));
        return Ok(answer);
    }
    if !files.iter().any(|(_, file)| counts(file)) {
        answer.headline = format!("no {word}s are indexed, so none of these {} is covered", count(all, "definition"));
        report(&mut answer, "covered by nothing", &asked);
        return Ok(answer);
    }
    let graph = TestGraph::new(store, &files)?;
    let covered = graph.from(&files, counts);
    // Tests that do not count still tell an integration-tested definition from an untested one.
    let is_other = |file: &FileRecord| file.is_test && !counts(file) && !own.contains(&file.path);
    let by_others = graph.from(&files, is_other);
    let reader = FilterReader::new(store)?;
    let mut groups: [Vec<Entity>; 5] = Default::default();
    for entity in asked {
        // The order of the groups is the order of the lists below.
        let reach = match graph.reach(store, &entity, &covered, &by_others)? {
            TestReach::Nothing if calls_its_base(reading, &entity) => TestReach::ByLibrary,
            TestReach::Nothing if covered.contains(&entity.parent) && reader.has_library_decorator(&entity)? => {
                TestReach::ByLibrary
            }
            other => other,
        };
        let group = match reach {
            TestReach::Nothing => 0,
            TestReach::OtherTests => 1,
            TestReach::Unknown => 2,
            TestReach::Covered => 3,
            TestReach::ByLibrary => 4,
        };
        groups[group].push(entity);
    }
    let [nothing, others, unknown, known, by_library] = groups;
    let uncovered = nothing.len() + others.len();
    let rest = format!(
        "{uncovered} of {} {} not reached by any {word}; {} reached{}{}",
        count(all, noun),
        if uncovered == 1 { "is" } else { "are" },
        known.len(),
        if unknown.is_empty() { String::new() } else { format!(", {} cannot be told", unknown.len()) },
        if by_library.is_empty() { String::new() } else { format!(", {} only a library could run", by_library.len()) }
    );
    // `are all classes of a.py tested`
    let asks_whether_all = understood.words.first().is_some_and(|word| matches!(word.as_str(), "are" | "is"))
        && understood.words.iter().take(3).any(|word| matches!(word.as_str(), "all" | "every" | "each"));
    answer.headline = match (uncovered, unknown.len() + by_library.len()) {
        (0, 0) if asks_whether_all => format!("yes: every one of these {} is reached by a {word}", count(all, noun)),
        (0, _) if asks_whether_all => format!("perhaps: {rest}"),
        (_, _) if asks_whether_all => format!("no: {rest}"),
        (0, 0) => format!("none: every one of these {} is reached by a {word}", count(all, noun)),
        _ => rest,
    };
    if !unknown.is_empty() {
        let message = format!("tests use the names of {} on objects of unknown type", count(unknown.len(), noun));
        answer.bound(Completeness::LowerBound, [Boundary::new("unresolved", unknown.len(), message)]);
    }
    report(&mut answer, &format!("not reached by any {word}"), &nothing);
    report(&mut answer, "reached only by other tests (integration and the like)", &others);
    report(&mut answer, "further ones that cannot be told: tests use the name on an object of unknown type", &unknown);
    report(
        &mut answer,
        "further ones that only a library could run: they replace its methods or have its decorators",
        &by_library,
    );
    Ok(answer)
}

/// The condition by which a question chooses tests, not definitions that lack some: `which tests have no asserts`.
fn condition_on_tests(understood: &Understood) -> Option<String> {
    // `which tests are missing` asks for what no test reaches.
    const OF_COVERAGE: [&str; 9] =
        ["add", "lack", "lacking", "missing", "need", "needed", "should", "uncovered", "write"];
    let words = &understood.words;
    let begins = words.first().is_some_and(|word| matches!(word.as_str(), "which" | "what" | "list" | "show" | "find"));
    let noun = words.iter().take(3).position(|word| matches!(word.as_str(), "tests" | "testcases"))?;
    let is_head = words[1..noun.max(1)].iter().all(|word| matches!(word.as_str(), "all" | "me" | "of" | "the"));
    let is_of_coverage = words.iter().any(|word| OF_COVERAGE.contains(&word.as_str()));
    let condition = words.get(noun + 1..).filter(|rest| !rest.is_empty())?.join(" ");
    (begins && is_head && !is_of_coverage && understood.targets.is_empty()).then_some(condition)
}

/// The definitions that some test reaches, and those of which the index cannot tell.
pub fn reached(reading: AnswerInputs) -> Result<(BTreeSet<EntityId>, BTreeSet<EntityId>), StoreError> {
    let store = reading.store;
    let files = store.files()?;
    let run = run_files(store, &files, &BTreeSet::new())?;
    let graph = TestGraph::new(store, &files)?;
    let covered = graph.from(&files, |file| run.contains(file.path.as_str()));
    let (mut sure, mut open) = (BTreeSet::new(), BTreeSet::new());
    for (id, file) in &files {
        for entity in store.entities_of(*id)? {
            // Tests run their own helpers.
            if file.is_test {
                sure.insert(entity.id);
                continue;
            }
            match graph.reach(store, &entity, &covered, &FxHashSet::default())? {
                TestReach::Covered => sure.insert(entity.id),
                TestReach::Unknown => open.insert(entity.id),
                _ => false,
            };
        }
    }
    Ok((sure, open))
}

fn report(answer: &mut Answer, title: &str, entities: &[Entity]) {
    for entity in entities.iter().take(MAX_WANTED) {
        answer.want(entity, "asked about", true);
    }
    answer.list(format!("{title} ({})", entities.len()), entities.iter().map(ListRow::of).collect());
}

/// The classes, functions and methods below the question's subjects, in its files, or everywhere.
fn asked(
    reading: AnswerInputs,
    understood: &Understood,
    files: &[(FileId, FileRecord)],
) -> Result<Vec<Entity>, StoreError> {
    let store = reading.store;
    let mut asked = Vec::new();
    for target in &understood.targets {
        let mut queue = target.entities.clone();
        while let Some(entity) = queue.pop() {
            queue.extend(store.children(entity.id)?);
            asked.push(entity);
        }
    }
    let plan = &understood.plan;
    // Code for tests that a package ships can be asked about like other code, but for the tests themselves.
    let are_tests = |file: &PlannedFile| {
        let known = files.iter().filter(|(_, known)| file.paths.contains(&known.path));
        !file.is_folder && known.clone().next().is_some() && known.clone().all(|(_, known)| known.is_test)
    };
    let has_only_tests = !plan.files.is_empty() && plan.files.iter().all(are_tests);
    let paths: BTreeSet<&str> = plan.files.iter().flat_map(|file| file.paths.iter().map(String::as_str)).collect();
    let is_asked = |file: &FileRecord| {
        (has_only_tests || !file.is_test)
            && (paths.contains(file.path.as_str()) || plan.files.is_empty() && understood.targets.is_empty())
    };
    for (id, _) in files.iter().filter(|(_, file)| is_asked(file)) {
        asked.extend(store.entities_of(*id)?);
    }
    let counts = |entity: &Entity| {
        let record = &entity.record;
        let is_definition = record.kind == EntityKind::Class || record.kind.is_callable();
        // A nested function counts as part of the function around it.
        let is_inner = record.qualified.contains('.') && record.kind == EntityKind::Function;
        is_definition
            && !record.flags.has(EntityFlags::TEST)
            && !is_inner
            && record.duplicate == 0
            && !record.flags.has(EntityFlags::OVERLOAD)
    };
    asked.retain(counts);
    if noun(understood).is_some() || understood.plan.filters.is_any() {
        let reader = FilterReader::new(store)?;
        let (mut kinds, mark) = noun(understood).map_or((Vec::new(), None), |noun| {
            let (kinds, mark) = noun.meaning();
            (kinds.to_vec(), mark.filter(|mark| *mark == DefinitionMark::Exception))
        });
        let are_functions = understood.words.iter().any(|word| word.starts_with("function"));
        if noun(understood) == Some(Noun::Method) && !are_functions {
            kinds.retain(|kind| *kind != EntityKind::Function);
        }
        let mut filter = Filter { kinds, is_in_tests: None, ..understood.plan.filters.conditions() };
        filter.marks.extend(mark);
        let ids: BTreeSet<EntityId> = asked.iter().map(|entity| entity.id).collect();
        let fitting = reader.among(&filter, &ids)?;
        asked.retain(|entity| fitting.contains(&entity.id));
    }
    asked.sort_by(|a, b| (&a.path, a.record.start_line, a.id).cmp(&(&b.path, b.record.start_line, b.id)));
    // A subject can lie inside another one, or in a named file.
    asked.dedup_by_key(|entity| entity.id);
    Ok(asked)
}

/// The kind of definitions that the question asks for; none where it names several.
fn noun(understood: &Understood) -> Option<Noun> {
    let is_class = |word: &&String| matches!(word.as_str(), "class" | "classes");
    let is_callable = |word: &&String| matches!(word.as_str(), "function" | "functions" | "method" | "methods");
    let words = &understood.words;
    if words.iter().any(|word| is_class(&word)) && words.iter().any(|word| is_callable(&word)) {
        return None;
    }
    let can_be_reached = |kind: &EntityKind| *kind == EntityKind::Class || kind.is_callable();
    understood.plan.filters.noun.filter(|noun| {
        let (kinds, _) = noun.meaning();
        !matches!(noun, Noun::Definition | Noun::Test | Noun::Fixture) && kinds.iter().all(can_be_reached)
    })
}

/// The files that run as tests. Others beside them run only through those: typing checks, sample programs, and code for
/// tests that the question asks about.
fn run_files<'f>(
    store: &Store,
    files: &'f [(FileId, FileRecord)],
    asked: &BTreeSet<String>,
) -> Result<FxHashSet<&'f str>, StoreError> {
    let graph = Graph::new(store)?;
    let collected = Collected::new(&graph);
    let mut run = FxHashSet::default();
    for (_, file) in files.iter().filter(|(_, file)| file.is_test && !asked.contains(&file.path)) {
        if is_conftest(&file.path) || collected.searches(file)? {
            run.insert(file.path.as_str());
        }
    }
    Ok(run)
}

/// Whether a method calls the one of its base by `super()`, so that whoever calls the base runs it.
fn calls_its_base(reading: AnswerInputs, entity: &Entity) -> bool {
    let record = &entity.record;
    let call = format!("super().{}(", record.name);
    let text = reading.sources.lines(&entity.path, record.start_line, record.end_line).unwrap_or_default();
    record.kind == EntityKind::Method && text.contains(&call)
}

/// Special methods that run whenever their class is used. Others need an operator or a function of Python.
const RUN_WITH_CLASS: &str = "__init__ __new__ __post_init__ __init_subclass__ __set_name__ __prepare__ __class_getitem__ __del__ \
     __get__ __set__ __enter__ __exit__ __aenter__ __aexit__ __call__ __iter__ __next__ __len__ __contains__ \
     __getitem__ __setitem__ __getattr__ __getattribute__ __setattr__ __eq__ __hash__ __bool__ __repr__ __str__";

/// Whether the folders of a test say that it needs more than the code, as integration tests do.
pub(super) fn is_other_kind_of_test(path: &str) -> bool {
    let parts = path.to_lowercase();
    ["integration", "e2e", "end_to_end", "functional", "system_test", "acceptance", "smoke", "benchmark"]
        .iter()
        .any(|word| parts.contains(word))
}

/// The relationships that an execution follows, as a graph over entities.
struct TestGraph {
    by_source: FxHashMap<EntityId, Vec<EntityId>>,
    /// Entities of each file.
    of_file: BTreeMap<FileId, Vec<EntityId>>,
    /// Files of tests: an unresolved occurrence in one of them leaves a definition undecided.
    tests: FxHashSet<FileId>,
    files_of: FxHashMap<EntityId, FileId>,
}

impl TestGraph {
    fn new(store: &Store, files: &[(FileId, FileRecord)]) -> Result<Self, StoreError> {
        let mut graph = Self {
            by_source: FxHashMap::default(),
            of_file: BTreeMap::new(),
            tests: files.iter().filter(|(_, file)| file.is_test).map(|(id, _)| *id).collect(),
            files_of: FxHashMap::default(),
        };
        for (file, _) in files {
            let ids = store.entity_ids(*file)?;
            graph.files_of.extend(ids.iter().map(|id| (*id, *file)));
            graph.of_file.insert(*file, ids);
            for relationship in store.relationships_of(*file)? {
                let (from, to) = match relationship.kind.runs_next() {
                    RunsNext::Target => (relationship.source, relationship.target),
                    RunsNext::Source => (relationship.target, relationship.source),
                    RunsNext::Neither => continue,
                };
                graph.by_source.entry(from).or_default().push(to);
            }
        }
        Ok(graph)
    }

    /// Everything that may run when the tests in these files run.
    fn from(&self, files: &[(FileId, FileRecord)], counts: impl Fn(&FileRecord) -> bool) -> FxHashSet<EntityId> {
        let mut queue: Vec<EntityId> = Vec::new();
        for (file, _) in files.iter().filter(|(_, file)| counts(file)) {
            queue.extend(self.of_file.get(file).into_iter().flatten());
        }
        let mut seen: FxHashSet<EntityId> = queue.iter().copied().collect();
        while let Some(id) = queue.pop() {
            for next in self.by_source.get(&id).into_iter().flatten() {
                if seen.insert(*next) {
                    queue.push(*next);
                }
            }
        }
        seen
    }

    fn reach(
        &self,
        store: &Store,
        entity: &Entity,
        covered: &FxHashSet<EntityId>,
        by_others: &FxHashSet<EntityId>,
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
        if hits(covered) {
            return Ok(TestReach::Covered);
        }
        let is_named = || -> Result<bool, StoreError> {
            let occurrences = store.unresolved_named(name)?;
            Ok(occurrences.iter().any(|o| self.files_of.get(&o.source).is_some_and(|file| self.tests.contains(file))))
        };
        // The look-up by name is the expensive one, so it comes last.
        match () {
            () if hits(by_others) => Ok(TestReach::OtherTests),
            () if is_named()? => Ok(TestReach::Unknown),
            () => Ok(TestReach::Nothing),
        }
    }
}

fn methods(store: &Store, class: EntityId) -> Result<Vec<EntityId>, StoreError> {
    let children = store.children(class)?;
    Ok(children.iter().filter(|child| child.record.kind.is_callable()).map(|child| child.id).collect())
}
