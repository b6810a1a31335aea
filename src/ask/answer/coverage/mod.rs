//! Answers about coverage: the definitions that no test reaches.
//!
//! Reaching is static: a chain of calls, references, fixtures and reads leads from a test to the definition. An import
//! runs the code of a module, and reaches nothing else. Definitions fall into groups, from those that nothing reaches
//! to the reached ones ([`TestReach`]). A definition that no chain reaches is looked at once more by the walk of
//! `impact`, so that a list never contradicts the question for the tests of one definition.

pub mod asked_tests;
mod by_file;
pub(super) mod requests;
mod test_graph;

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
};

use rustc_hash::FxHashSet;

use self::{
    asked_tests::AskedTests,
    by_file::{AskedHow, AskedPlaces},
    test_graph::{ReachedSet, TestGraph, TestReach},
};

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            places::unseen::{NamesInTexts, UnseenCaller, unseen_caller},
        },
        reading::{
            filters::Noun,
            plan::{PlannedFile, Understood},
            words::{is_in, is_stop_word, stem},
        },
    },
    model::{
        EntityFlags, EntityId, EntityKind, Evidence, FileId, FileRecord, RelationshipKind,
        conventions::pytest::{HOOK, is_conftest},
    },
    query::{
        graph::Graph,
        impact::{
            completeness::{Boundary, Completeness},
            selection::Collected,
            tested::tests_of,
            walk::Limits,
        },
        target::{
            Target,
            filter::{DefinitionMark, Filter, FilterReader},
            packages::whole_package,
        },
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
    if understood.targets.is_empty() && !understood.plan.unknown.is_empty() {
        // The whole repository is not what was asked for.
        return Ok(answer);
    }
    if understood.targets.is_empty()
        && !asks_whether_all(understood)
        && let Some(thing) = asked_thing(understood)
    {
        answer.headline = format!("whether tests reach it is not known: nothing here is called `{thing}`");
        answer.is_guess = true;
        return Ok(answer);
    }
    if let Some(said) = condition_on_tests(understood) {
        answer.headline = format!("which tests are meant is not known: the condition `{said}` is not understood");
        return Ok(answer);
    }
    let files = store.files()?;
    let of_program = of_program(store, understood, &files)?;
    let understood = of_program.as_ref().unwrap_or(understood);
    let tests = AskedTests::of(understood, &files);
    let asked = asked(reading, understood, &files, &tests)?;
    let own: BTreeSet<String> = asked.iter().map(|entity| entity.path.clone()).collect();
    let run = run_files(store, &files, &own)?;
    let counts_in = |path: &str| run.contains(path) && tests.counts(path);
    let counts = |file: &FileRecord| counts_in(&file.path);
    let word = tests.noun();
    let noun = worded_noun(understood);
    let all = asked.len();
    if all == 0 {
        let missing = understood.plan.files.iter().find(|file| file.paths.is_empty());
        answer.headline = match missing {
            Some(file) => format!("no indexed file is called `{}`", file.mention),
            None => format!("the question names no {} outside of tests", plural(noun)),
        };
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
    // Tests that do not count still tell an integration-tested definition from an untested one.
    let is_other = |file: &FileRecord| file.is_test && !counts(file) && !own.contains(&file.path);
    let judge = ReachJudge {
        reading,
        covered: graph.from(&files, counts),
        by_others: graph.from(&files, is_other),
        graph,
        reader: FilterReader::new(store)?,
        walks: Graph::new(store)?,
        names: asked.iter().map(|entity| entity.record.name.clone()).collect(),
        texts: OnceCell::new(),
        limits: Limits { entities: MAX_ENTITIES, relationships: MAX_RELATIONSHIPS, ..*reading.limits },
    };
    let mut groups: BTreeMap<TestReach, Vec<Entity>> = BTreeMap::new();
    let mut left = MAX_WALKS;
    for entity in asked {
        let mut reach = judge.by_graph(&entity)?;
        let is_open = matches!(reach, TestReach::Nothing | TestReach::OtherTests | TestReach::AtImport);
        if is_open && entity.record.kind != EntityKind::Variable && left > 0 {
            left -= 1;
            reach = judge.by_impact(&entity, &counts_in, reach)?;
        }
        // A class attribute may be read on an object whose class the index does not know.
        let is_attribute = entity.record.kind == EntityKind::Variable && entity.record.qualified.contains('.');
        if is_attribute && reach == TestReach::Nothing {
            reach = TestReach::Unknown;
        }
        groups.entry(reach).or_default().push(entity);
    }
    hang_on_unseen(&judge, &files, &mut groups)?;
    if let Some(places) = AskedPlaces::of(understood) {
        let asked = match (asks_whether_all(understood), asks_whether(understood)) {
            (true, _) => AskedHow::WhetherAll,
            (false, true) => AskedHow::Whether,
            (false, false) => AskedHow::Which,
        };
        places.report(&groups, asked, &word, &mut answer);
        answer.headline += &untold;
        return Ok(answer);
    }
    let number = |reach: TestReach| groups.get(&reach).map_or(0, Vec::len);
    let improbable = number(TestReach::Improbable);
    let untellable = number(TestReach::Unknown) + number(TestReach::OneOfMany);
    let uncovered = number(TestReach::Nothing) + number(TestReach::OtherTests);
    let (by_library, at_import) = (number(TestReach::ByLibrary), number(TestReach::AtImport));
    let (named, how, unlikely) = match (uncovered, improbable) {
        (0, unlikely) if unlikely > 0 => (unlikely, "probably not", String::new()),
        (_, 0) => (uncovered, "not", String::new()),
        (_, unlikely) => (uncovered, "not", format!(", {unlikely} more probably not")),
    };
    let by_others = number(TestReach::OtherTests);
    let others = if by_others == 0 || uncovered == by_others {
        String::new()
    } else {
        format!("; other tests reach {by_others} of the {uncovered}")
    };
    let more = |number: usize, said: &str| if number == 0 { String::new() } else { format!(", {number} {said}") };
    let rest = format!(
        "{named} of {} {} {how} reached by any {word}{unlikely}; {} reached{}{}{}{others}",
        count(all, noun),
        if named == 1 { "is" } else { "are" },
        number(TestReach::Covered),
        more(at_import, "run at import alone"),
        more(untellable, "cannot be told"),
        more(by_library, "only unseen code could run"),
    );
    let every = format!("as far as the source tells, every one of these {} is reached by a {word}", count(all, noun));
    answer.headline = match (uncovered, untellable + improbable + by_library + at_import) {
        (0, 0) if asks_whether_all(understood) => format!("yes: {every}"),
        (0, _) if asks_whether_all(understood) => format!("perhaps: {rest}"),
        (_, _) if asks_whether_all(understood) => format!("no: {rest}"),
        (0, 0) if asks_how_much(understood) => every,
        (0, 0) => format!("none: {every}"),
        _ => rest,
    } + &untold;
    let limits = [
        (TestReach::Unknown, "unresolved", "no more than a name leads from code that tests run to", ""),
        (TestReach::OneOfMany, "one_of_many", "tests reach", "only as one of many values of a call"),
        (TestReach::Improbable, "improbable", "improbable steps lead from tests to", ""),
    ];
    for (reach, kind, before, behind) in limits.into_iter().filter(|(reach, ..)| number(*reach) > 0) {
        let message = format!("{before} {} {behind}", count(number(reach), noun)).trim_end().to_owned();
        answer.bound(Completeness::LowerBound, [Boundary::new(kind, number(reach), message)]);
    }
    if noun == VARIABLE {
        let message = "no test runs a variable: counted are those that code which tests run reads or sets".to_owned();
        answer.bound(Completeness::LowerBound, [Boundary::new("variables", all, message)]);
    }
    if left == 0 {
        let message = format!("improbable steps were followed for {MAX_WALKS} definitions alone");
        answer.bound(Completeness::LowerBound, [Boundary::new("limit", MAX_WALKS, message)]);
    }
    let reached = number(TestReach::Covered);
    if reached > 0 {
        let message = format!(
            "a chain of uses leads from tests to {}: whether they run, only a run of the tests tells",
            count(reached, noun)
        );
        answer.bound(Completeness::LowerBound, [Boundary::new("static", reached, message)]);
    }
    let kinds =
        tests.others(files.iter().map(|(_, file)| file).filter(|file| is_other(file)).map(|file| file.path.as_str()));
    let kinds = kinds.map_or_else(String::new, |kinds| format!(" ({kinds} tests)"));
    let is_read = if noun == VARIABLE { "read" } else { "run" };
    for (reach, entities) in &groups {
        let title = match reach {
            TestReach::Nothing => format!("not reached by any {word}"),
            TestReach::OtherTests => format!("reached only by other tests{kinds}"),
            TestReach::AtImport => {
                format!("further ones that no {word} reaches, but that are {is_read} where tests import modules")
            }
            TestReach::Improbable => {
                format!("probably not reached by any {word}: `impact` names some of them, but over improbable steps")
            }
            TestReach::OneOfMany => {
                "further ones that cannot be told: tests reach them as one of many values".to_owned()
            }
            TestReach::Unknown => {
                "further ones that cannot be told: no more than a name leads to them from code that tests run"
                    .to_owned()
            }
            TestReach::ByLibrary => {
                "further ones that only unseen code could run: a library, or who reads their names out of texts"
                    .to_owned()
            }
            TestReach::Covered => continue,
        };
        report(&mut answer, &title, entities);
    }
    Ok(answer)
}

/// The question about the package of the program, where a package of tests has the name too: `tests/web` beside `web`.
fn of_program(
    store: &Store,
    understood: &Understood,
    files: &[(FileId, FileRecord)],
) -> Result<Option<Understood>, StoreError> {
    let is_of_tests = |target: &Target| files.iter().any(|(id, file)| *id == target.main().file && file.is_test);
    let is_module = |target: &Target| target.main().record.kind == EntityKind::Module;
    let mut program = understood.clone();
    let mut is_other = false;
    for (target, subject) in program.targets.iter_mut().zip(&understood.plan.subjects) {
        let passed = understood.passed.iter().filter(|(mention, _)| *mention == subject.mention);
        let mut others = passed.flat_map(|(_, others)| others).filter(|one| is_module(one) && !is_of_tests(one));
        if is_module(target)
            && is_of_tests(target)
            && let Some(other) = others.next()
        {
            *target = whole_package(store, &subject.mention, other.clone())?;
            is_other = true;
        }
    }
    Ok(is_other.then_some(program))
}

/// Tells how tests relate to one definition.
struct ReachJudge<'a> {
    reading: AnswerInputs<'a>,
    graph: TestGraph,
    covered: ReachedSet,
    by_others: ReachedSet,
    reader: FilterReader<'a>,
    walks: Graph<'a>,
    limits: Limits,
    /// The names of the definitions that the question speaks of.
    names: BTreeSet<String>,
    texts: OnceCell<NamesInTexts>,
}

impl ReachJudge<'_> {
    /// The texts that have the names, looked for once.
    fn texts(&self) -> Result<&NamesInTexts, StoreError> {
        if self.texts.get().is_none() {
            let found = NamesInTexts::of(self.reading, self.names.iter().map(String::as_str))?;
            self.texts.set(found).ok();
        }
        Ok(self.texts.get_or_init(NamesInTexts::default))
    }

    /// By the chains of relationships that begin at tests.
    fn by_graph(&self, entity: &Entity) -> Result<TestReach, StoreError> {
        let reach = self.graph.reach(self.reading.store, entity, &self.covered, &self.by_others)?;
        Ok(match reach {
            TestReach::Nothing if calls_its_base(self.reading, entity) => TestReach::ByLibrary,
            TestReach::Nothing if self.covered.has(entity.parent) && self.reader.has_library_decorator(entity)? => {
                TestReach::ByLibrary
            }
            // The library runs it for the tests that make its class.
            TestReach::Nothing if self.by_others.has(entity.parent) && self.reader.has_library_decorator(entity)? => {
                TestReach::OtherTests
            }
            other => other,
        })
    }

    /// By the walk of `impact`, where no chain leads to it, and by the callers that no index holds.
    fn by_impact(
        &self,
        entity: &Entity,
        counts_in: &dyn Fn(&str) -> bool,
        reach: TestReach,
    ) -> Result<TestReach, StoreError> {
        let mut best = None;
        for test in tests_of(&self.walks, entity.clone(), &self.limits)? {
            if !counts_in(&test.path) {
                continue;
            }
            // Where no more than a name fits, the test possibly reaches it.
            let is_likely = test.probability >= LIKELY;
            let found = match (test.evidence, is_likely) {
                (Evidence::Possible, true) => TestReach::Unknown,
                (_, true) => TestReach::Covered,
                (_, false) => TestReach::Improbable,
            };
            best = best.max(Some(found));
        }
        match best {
            // Code that an import runs is known to run.
            Some(best) if reach != TestReach::AtImport || best == TestReach::Covered => Ok(best),
            None if reach == TestReach::Nothing => {
                let caller = unseen_caller(self.reading, &self.walks, entity, |name| Ok(self.texts()?.first(name)))?;
                let is_there = |caller: &UnseenCaller| !caller.needs_object || self.covered.may_have(entity.parent);
                Ok(if caller.is_some_and(|caller| is_there(&caller)) { TestReach::ByLibrary } else { reach })
            }
            _ => Ok(reach),
        }
    }
}

/// Moves what only unseen callers lead to from the definitions that nothing reaches to theirs: the helper of a hook.
fn hang_on_unseen(
    judge: &ReachJudge<'_>,
    files: &[(FileId, FileRecord)],
    groups: &mut BTreeMap<TestReach, Vec<Entity>>,
) -> Result<(), StoreError> {
    let by_library = groups.get(&TestReach::ByLibrary).into_iter().flatten();
    let mut start: Vec<EntityId> = by_library.map(|entity| entity.id).collect();
    start.extend(hooks(judge.reading.store, files)?);
    let behind = judge.graph.behind(&start);
    let Some(nothing) = groups.get_mut(&TestReach::Nothing) else { return Ok(()) };
    let (hanging, rest): (Vec<Entity>, Vec<Entity>) =
        std::mem::take(nothing).into_iter().partition(|entity| behind.contains(&entity.id));
    *nothing = rest;
    if !hanging.is_empty() {
        let by_library = groups.entry(TestReach::ByLibrary).or_default();
        by_library.extend(hanging);
        by_library.sort_by(|a, b| (&a.path, a.record.start_line, a.id).cmp(&(&b.path, b.record.start_line, b.id)));
    }
    Ok(())
}

/// The functions outside of tests that pytest calls by their names.
fn hooks(store: &Store, files: &[(FileId, FileRecord)]) -> Result<Vec<EntityId>, StoreError> {
    let mut hooks = Vec::new();
    for (file, _) in files.iter().filter(|(_, file)| !file.is_test) {
        let entities = store.entities_of(*file)?;
        let is_hook = |entity: &&Entity| entity.record.kind.is_callable() && entity.record.name.starts_with(HOOK);
        hooks.extend(entities.iter().filter(is_hook).map(|entity| entity.id));
    }
    Ok(hooks)
}

/// Why a definition may run in tests although none of them concerns it, as a sentence: where tests import its module,
/// or by code that no index holds.
pub fn runs_unseen(reading: AnswerInputs, entity: &Entity) -> Result<Option<String>, StoreError> {
    let store = reading.store;
    let files = store.files()?;
    let run = run_files(store, &files, &BTreeSet::new())?;
    let graph = TestGraph::new(store, &files)?;
    let reached = graph.from(&files, |file| run.contains(file.path.as_str()));
    if graph.behind(&hooks(store, &files)?).contains(&entity.id) {
        return Ok(Some("hooks lead to it, which pytest calls by their names".to_owned()));
    }
    if reached.has_at_import(entity.id) {
        return Ok(Some("it runs where tests import the modules of the program".to_owned()));
    }
    let in_text = |name: &str| Ok(NamesInTexts::of(reading, [name])?.first(name));
    let walks = Graph::new(store)?;
    let caller = unseen_caller(reading, &walks, entity, in_text)?;
    let is_there = |caller: &UnseenCaller| !caller.needs_object || reached.may_have(entity.parent);
    Ok(caller.filter(is_there).map(|caller| caller.why))
}

/// `what is the coverage of a.py`, `how well is C tested`: not for a list of what lacks tests.
fn asks_how_much(understood: &Understood) -> bool {
    understood.words.iter().any(|word| matches!(word.as_str(), "coverage" | "well"))
}

/// The words for the one thing that a question asks about, where nothing is called so: `is the frob parser tested`.
fn asked_thing(understood: &Understood) -> Option<String> {
    const AROUND: &str = "a an any at all by covered do does exercised fully has have is are our my properly some tested tests test the \
         thoroughly unit well";
    const WHOLE: &str = "app application everything library package program project repo repository whole";
    let is_filling = |word: &str| is_in(AROUND, word);
    let words: Vec<&str> = understood.words.iter().map(String::as_str).skip_while(|word| is_filling(word)).collect();
    let end = words.iter().position(|word| is_filling(word)).unwrap_or(words.len());
    let thing = &words[..end];
    let is_one = asks_whether(understood)
        && thing.iter().any(|word| !is_stop_word(word))
        && !thing.iter().any(|word| is_in(WHOLE, word))
        && understood.plan.files.is_empty()
        && noun(understood).is_none()
        && AskedPlaces::of(understood).is_none();
    is_one.then(|| thing.join(" "))
}

/// `are all classes of a.py tested`, `do all methods of C have tests`
fn asks_whether_all(understood: &Understood) -> bool {
    let is_all = |word: &String| matches!(word.as_str(), "all" | "every" | "each" | "everything");
    asks_whether(understood) && understood.words.iter().take(3).any(is_all)
}

fn asks_whether(understood: &Understood) -> bool {
    let first = understood.words.first();
    first.is_some_and(|word| matches!(word.as_str(), "are" | "do" | "does" | "has" | "have" | "is"))
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
                TestReach::Unknown | TestReach::OneOfMany | TestReach::AtImport => open.insert(entity.id),
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

/// The classes, functions and methods, or the variables, below the question's subjects, in its files, or everywhere.
fn asked(
    reading: AnswerInputs,
    understood: &Understood,
    files: &[(FileId, FileRecord)],
    tests: &AskedTests<'_>,
) -> Result<Vec<Entity>, StoreError> {
    let store = reading.store;
    let mut asked = Vec::new();
    for target in &understood.targets {
        let are_heirs = is_family(understood, target);
        let mut queue = target.entities.clone();
        let mut seen: BTreeSet<EntityId> = queue.iter().map(|entity| entity.id).collect();
        while let Some(entity) = queue.pop() {
            let mut next = if are_heirs { Vec::new() } else { store.children(entity.id)? };
            for heir in store.incoming_of(entity.id, RelationshipKind::Inherits)?.iter().filter(|_| are_heirs) {
                next.extend(store.entity(heir.source)?);
            }
            for one in next {
                let is_test = are_heirs && files.iter().any(|(id, file)| *id == one.file && file.is_test);
                if !is_test && seen.insert(one.id) {
                    queue.push(one);
                }
            }
            asked.push(entity);
        }
    }
    if understood.targets.iter().any(|target| is_family(understood, target)) {
        asked.retain(|entity| entity.record.kind == EntityKind::Class);
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
    let are_variables = worded_noun(understood) == VARIABLE;
    let counts = |entity: &Entity| {
        let record = &entity.record;
        let is_definition = if are_variables {
            record.kind == EntityKind::Variable
        } else {
            record.kind == EntityKind::Class || record.kind.is_callable()
        };
        // A nested function counts as part of the function around it.
        let is_inner = record.qualified.contains('.') && record.kind == EntityKind::Function;
        is_definition
            && !record.flags.has(EntityFlags::TEST)
            && !is_inner
            && record.duplicate == 0
            && !record.flags.has(EntityFlags::OVERLOAD)
    };
    asked.retain(counts);
    let are_families = understood.targets.iter().any(|target| is_family(understood, target));
    if !are_families && (noun(understood).is_some() || understood.plan.filters.is_any()) {
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
        // `every setter in attr.setters`: all that the module has, whatever else the noun means.
        if !fitting.is_empty() || !are_of_module(understood) {
            asked.retain(|entity| fitting.contains(&entity.id));
        }
    }
    asked.sort_by(|a, b| (&a.path, a.record.start_line, a.id).cmp(&(&b.path, b.record.start_line, b.id)));
    // A subject can lie inside another one, or in a named file.
    asked.dedup_by_key(|entity| entity.id);
    Ok(asked)
}

/// Whether the question calls the definitions of a module by the module's name.
fn are_of_module(understood: &Understood) -> bool {
    understood.targets.iter().filter(|target| target.main().record.kind == EntityKind::Module).any(|target| {
        let last = stem(target.main().module.rsplit('.').next().unwrap_or_default());
        understood.words.iter().any(|word| stem(word) == last)
    })
}

/// The definitions of which the question speaks, in the singular.
fn worded_noun(understood: &Understood) -> &'static str {
    const VARIABLES: [&str; 8] =
        ["attribute", "attributes", "constant", "constants", "globals", "variable", "variables", "fields"];
    let is_variable = |word: &String| VARIABLES.contains(&word.as_str());
    if understood.targets.iter().any(|target| is_family(understood, target)) {
        return Noun::Class.worded();
    }
    match noun(understood) {
        Some(noun) => noun.worded(),
        None if understood.words.iter().any(is_variable) => VARIABLE,
        None => "definition",
    }
}

/// Whether the classes below a target are asked about, not its members: `fields without tests`, `field classes`.
fn is_family(understood: &Understood, target: &Target) -> bool {
    let name = target.main().record.name.to_lowercase();
    let words = &understood.words;
    let is_plural = |word: &String| word.strip_suffix('s') == Some(name.as_str());
    let is_of_classes =
        |pair: &[String]| pair[0] == name && pair[1] == "classes" || pair[0] == "subclasses" && pair[1] == "of";
    target.main().record.kind == EntityKind::Class
        && (understood.is_of_family || words.iter().any(is_plural) || words.windows(2).any(is_of_classes))
}

const VARIABLE: &str = "variable";

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
