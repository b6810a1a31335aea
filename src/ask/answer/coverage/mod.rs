//! Answers about coverage: the definitions that no test reaches.
//!
//! Reaching is static: a chain of calls, references, fixtures and reads leads from a test to the definition. Imports
//! alone reach nothing. Definitions fall into four groups: not reached, reached only by other kinds of tests,
//! undecided, reached. What no chain reaches is looked at once more by the walk of `impact`, so that a list never
//! contradicts the question for the tests of one definition.

pub mod asked_tests;
mod test_graph;

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use self::{
    asked_tests::AskedTests,
    test_graph::{ReachedSet, TestGraph, TestReach},
};

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow},
        reading::{
            filters::Noun,
            plan::{PlannedFile, Understood},
        },
    },
    model::{EntityFlags, EntityId, EntityKind, FileId, FileRecord, conventions::pytest::is_conftest},
    query::{
        graph::Graph,
        impact::{
            completeness::{Boundary, Completeness},
            selection::Collected,
            tested::tests_of,
            walk::Limits,
        },
        target::filter::{DefinitionMark, Filter, FilterReader},
        words::{count, plural},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Definitions of each group that a language model gets to see.
const MAX_WANTED: usize = 30;

/// Definitions that the walk of `impact` looks at one by one. Where there are more, a limit of the answer says so.
const MAX_WALKS: usize = 300;
/// Most that one of these walks reads: it goes to the most probable first, and one test is enough.
const MAX_ENTITIES: usize = 300;
const MAX_RELATIONSHIPS: usize = 3_000;
/// A test of which `impact` says so much runs the definition more likely than not.
const LIKELY: f64 = 0.5;

/// Lists the definitions that no test reaches.
pub fn coverage(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let store = reading.store;
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    if let Some(said) = condition_on_tests(understood) {
        answer.headline = format!("which tests are meant is not known: the condition `{said}` is not understood");
        return Ok(answer);
    }
    let files = store.files()?;
    let tests = AskedTests::of(understood, &files);
    let asked = asked(reading, understood, &files, &tests)?;
    let own: BTreeSet<String> = asked.iter().map(|entity| entity.path.clone()).collect();
    let run = run_files(store, &files, &own)?;
    let counts = |file: &FileRecord| run.contains(file.path.as_str()) && tests.counts(&file.path);
    let word = tests.noun();
    let noun = noun(understood).map_or("definition", Noun::worded);
    let all = asked.len();
    if all == 0 {
        answer.headline = format!("the question names no {} outside of tests", plural(noun));
        return Ok(answer);
    }
    let untold = tests.untold().map_or_else(String::new, |untold| format!("; {untold}"));
    if !files.iter().any(|(_, file)| counts(file)) {
        let plural = tests.plural();
        answer.headline =
            format!("no {plural} are indexed, so none of these {} is covered{untold}", count(all, "definition"));
        report(&mut answer, "covered by nothing", &asked);
        return Ok(answer);
    }
    let graph = TestGraph::new(store, &files)?;
    let covered = graph.from(&files, counts);
    // Tests that do not count still tell an integration-tested definition from an untested one.
    let is_other = |file: &FileRecord| file.is_test && !counts(file) && !own.contains(&file.path);
    let by_others = graph.from(&files, is_other);
    let reader = FilterReader::new(store)?;
    let mut groups: [Vec<Entity>; 7] = Default::default();
    let walks = Graph::new(store)?;
    let mut left = MAX_WALKS;
    let limits = Limits { entities: MAX_ENTITIES, relationships: MAX_RELATIONSHIPS, ..*reading.limits };
    for entity in asked {
        // The order of the groups is the order of the lists below.
        let reach = match graph.reach(store, &entity, &covered, &by_others)? {
            TestReach::Nothing if calls_its_base(reading, &entity) => TestReach::ByLibrary,
            TestReach::Nothing if covered.has(entity.parent) && reader.has_library_decorator(&entity)? => {
                TestReach::ByLibrary
            }
            // The library runs it for the tests that make its class.
            TestReach::Nothing if by_others.has(entity.parent) && reader.has_library_decorator(&entity)? => {
                TestReach::OtherTests
            }
            other => other,
        };
        let best = match reach {
            TestReach::Nothing | TestReach::OtherTests if left > 0 => {
                left -= 1;
                let found = tests_of(&walks, entity.clone(), &limits)?.into_iter();
                let counted = found.filter(|test| run.contains(test.path.as_str()) && tests.counts(&test.path));
                counted.map(|test| test.probability).max_by(f64::total_cmp)
            }
            _ => None,
        };
        let reach = match best {
            None => reach,
            Some(best) if best >= LIKELY => TestReach::Covered,
            Some(_) => TestReach::Improbable,
        };
        let group = match reach {
            TestReach::Improbable => 6,
            TestReach::Nothing => 0,
            TestReach::OtherTests => 1,
            TestReach::Unknown => 2,
            TestReach::Covered => 3,
            TestReach::ByLibrary => 4,
            TestReach::OneOfMany => 5,
        };
        groups[group].push(entity);
    }
    let [nothing, others, unknown, known, by_library, one_of_many, improbable] = groups;
    let untellable = unknown.len() + one_of_many.len();
    let uncovered = nothing.len() + others.len();
    let (named, how, unlikely) = match (uncovered, improbable.len()) {
        (0, unlikely) if unlikely > 0 => (unlikely, "probably not", String::new()),
        (_, 0) => (uncovered, "not", String::new()),
        (_, unlikely) => (uncovered, "not", format!(", {unlikely} more probably not")),
    };
    let rest = format!(
        "{named} of {} {} {how} reached by any {word}{unlikely}; {} reached{}{}",
        count(all, noun),
        if named == 1 { "is" } else { "are" },
        known.len(),
        if untellable == 0 { String::new() } else { format!(", {untellable} cannot be told") },
        if by_library.is_empty() { String::new() } else { format!(", {} only a library could run", by_library.len()) }
    );
    // `are all classes of a.py tested`
    let asks_whether_all = understood.words.first().is_some_and(|word| matches!(word.as_str(), "are" | "is"))
        && understood.words.iter().take(3).any(|word| matches!(word.as_str(), "all" | "every" | "each"));
    answer.headline = match (uncovered, untellable + improbable.len() + by_library.len()) {
        (0, 0) if asks_whether_all => format!("yes: every one of these {} is reached by a {word}", count(all, noun)),
        (0, _) if asks_whether_all => format!("perhaps: {rest}"),
        (_, _) if asks_whether_all => format!("no: {rest}"),
        (0, 0) => format!("none: every one of these {} is reached by a {word}", count(all, noun)),
        _ => rest,
    } + &untold;
    if !unknown.is_empty() {
        let message =
            format!("code that tests run uses the names of {} on objects of unknown type", count(unknown.len(), noun));
        answer.bound(Completeness::LowerBound, [Boundary::new("unresolved", unknown.len(), message)]);
    }
    if !one_of_many.is_empty() {
        let message = format!("tests reach {} only as one of many values of a call", count(one_of_many.len(), noun));
        answer.bound(Completeness::LowerBound, [Boundary::new("one_of_many", one_of_many.len(), message)]);
    }
    if !improbable.is_empty() {
        let message = format!("improbable steps lead from tests to {}", count(improbable.len(), noun));
        answer.bound(Completeness::LowerBound, [Boundary::new("improbable", improbable.len(), message)]);
    }
    if left == 0 {
        let message = format!("improbable steps were followed for {MAX_WALKS} definitions alone");
        answer.bound(Completeness::LowerBound, [Boundary::new("limit", MAX_WALKS, message)]);
    }
    report(&mut answer, &format!("not reached by any {word}"), &nothing);
    let kinds =
        tests.others(files.iter().map(|(_, file)| file).filter(|file| is_other(file)).map(|file| file.path.as_str()));
    let kinds = kinds.map_or_else(String::new, |kinds| format!(" ({kinds} tests)"));
    report(&mut answer, &format!("reached only by other tests{kinds}"), &others);
    report(
        &mut answer,
        &format!("probably not reached by any {word}: `impact` names some of them, but over improbable steps"),
        &improbable,
    );
    report(&mut answer, "further ones that cannot be told: tests reach them as one of many values", &one_of_many);
    report(
        &mut answer,
        "further ones that cannot be told: code that tests run uses the name on an object of unknown type",
        &unknown,
    );
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
            match graph.reach(store, &entity, &covered, &ReachedSet::default())? {
                TestReach::Covered => sure.insert(entity.id),
                TestReach::Unknown | TestReach::OneOfMany => open.insert(entity.id),
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
    tests: &AskedTests<'_>,
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
    let places: Vec<&PlannedFile> = understood.plan.files.iter().filter(|file| !tests.is_place(file)).collect();
    // Code for tests that a package ships can be asked about like other code, but for the tests themselves.
    let are_tests = |file: &PlannedFile| {
        let known = files.iter().filter(|(_, known)| file.paths.contains(&known.path));
        !file.is_folder && known.clone().next().is_some() && known.clone().all(|(_, known)| known.is_test)
    };
    let has_only_tests = !places.is_empty() && places.iter().all(|file| are_tests(file));
    let paths: BTreeSet<&str> = places.iter().flat_map(|file| file.paths.iter().map(String::as_str)).collect();
    let is_asked = |file: &FileRecord| {
        (has_only_tests || !file.is_test)
            && (paths.contains(file.path.as_str()) || places.is_empty() && understood.targets.is_empty())
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
