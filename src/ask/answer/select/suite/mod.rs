//! Tests by their marks and asserts, and fixtures by their options: `which tests are parametrized`, `which fixtures are
//! autouse`.
//!
//! Every word of such a question is a condition, a place or says nothing. Where one is left, other answers come first,
//! or the answer names it.

mod asserts;
mod conditions;
mod fixtures;
mod marks;

use std::collections::{BTreeMap, BTreeSet};

use self::{
    asserts::Asserts,
    conditions::{SuiteCondition, SuiteQuestion, SuiteWord, condition, is_glue, tokens},
    fixtures::{of_one_fixture, option},
    marks::{MarkReader, TestMark},
};
use super::{place, within};
use crate::{
    ask::{
        answer::{Answer, AnswerBlock, AnswerInputs, AnswerTable, ListRow, in_words},
        reading::{
            filters::{Filters, Noun},
            forms::QuestionIntent,
            plan::Understood,
            words::is_in,
        },
    },
    model::{EntityFlags, EntityId, EntityKind},
    query::{
        impact::selection::reader_of,
        target::{Target, filter::ListOrder},
        words::{count, plural},
    },
    store::{error::StoreError, read::Entity},
};

/// Marks that a sentence names.
const MAX_NAMED: usize = 6;
/// Longer questions are stories.
const LONGEST_QUESTION: usize = 18;

/// Answers them; `None` for other questions.
pub(in crate::ask::answer) fn suite(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let tokens = tokens(understood);
    if tokens.is_empty() || tokens.len() > LONGEST_QUESTION {
        return Ok(None);
    }
    if let Some(answer) = of_one(reading, understood, &tokens)? {
        return Ok(Some(answer));
    }
    if let Some(answer) = of_one_fixture(understood, &tokens) {
        return Ok(Some(answer));
    }
    if conditions::asks_for_marks(&tokens) {
        return all_marks(reading, understood).map(Some);
    }
    let Some(asked) = SuiteQuestion::of(understood, &tokens) else { return Ok(None) };
    if asked.conditions.is_empty() && asked.word.is_none() {
        return Ok(None);
    }
    listed(reading, understood, asked)
}

/// Answers about the marks of the tests that a question names, `is test_x parametrized`, `which marks does test_x
/// have`; `None` for other questions.
fn of_one(reading: AnswerInputs, understood: &Understood, tokens: &[SuiteWord]) -> Result<Option<Answer>, StoreError> {
    const HEADS: &str = "is are do does has have what which";
    let is_test = |target: &Target| target.main().record.flags.has(EntityFlags::TEST);
    if understood.targets.is_empty() || !understood.targets.iter().all(is_test) || !is_in(HEADS, &tokens[0].text) {
        return Ok(None);
    }
    let is_whether = !is_in("what which", &tokens[0].text);
    let mut found = None;
    let mut at = 1;
    while at < tokens.len() {
        let one = if tokens[at].is_subject { None } else { condition(tokens, at, Noun::Test) };
        match one {
            Some((condition, used)) if found.is_none() => {
                found = Some(condition);
                at += used;
            }
            Some(_) => return Ok(None),
            None if tokens[at].is_subject || is_glue(&tokens[at].text) || tokens[at].text == "test" => at += 1,
            None => return Ok(None),
        }
    }
    let Some(asked) = found.filter(|one| *one != SuiteCondition::Async) else { return Ok(None) };
    if !is_whether && asked != SuiteCondition::AnyMark {
        return Ok(None);
    }
    let (mut marks, asserts) = (MarkReader::new(reading), Asserts::new(reading));
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Show).plan, String::new());
    answer.command = format!("repoidx show {}", understood.targets[0].main().full_name());
    let (mut said, mut rows) = (Vec::new(), Vec::new());
    for target in &understood.targets {
        let test = target.main();
        let (name, place) = (test.full_name(), format!("{}:{}", test.path, test.record.start_line));
        let own = marks.marks(test)?;
        let holds: Vec<&TestMark> = match &asked {
            SuiteCondition::Decorator(name) => own.iter().filter(|mark| mark.name == *name).collect(),
            SuiteCondition::Mark { names } => own.iter().filter(|mark| names.contains(&mark.name)).collect(),
            _ => own.iter().filter(|mark| mark.is_mark).collect(),
        };
        let is_so = if asked == SuiteCondition::Asserts { asserts.has(test) } else { !holds.is_empty() };
        let how: Vec<String> = holds.iter().map(|mark| format!("`{}`", written(mark))).collect();
        let by = if how.is_empty() || asked == SuiteCondition::Asserts {
            String::new()
        } else {
            format!(": {}", in_words(&how))
        };
        let yes = match (is_whether, is_so) {
            (false, _) => "",
            (true, true) => "yes: ",
            (true, false) => "no: ",
        };
        said.push(match (&asked, is_so) {
            (SuiteCondition::AnyMark, true) => format!("{yes}`{name}` has {}{by} ({place})", count(how.len(), "mark")),
            (asked, is_so) => format!("{yes}`{name}` {}{by} ({place})", asked.worded(!is_so, true)),
        });
        answer.want(test, "asked about", false);
        rows.push(ListRow::of(test).with(own.iter().map(written).collect::<Vec<_>>().join(", ")));
    }
    answer.headline = said.join("; ");
    answer.list(format!("tests with their marks ({})", rows.len()), rows);
    Ok(Some(answer))
}

/// Lists the marks of the tests, the most used first.
fn all_marks(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut suite = Suite::of(reading, understood, Noun::Test)?;
    let used = counted(&used_marks(&mut suite)?);
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Select).plan, String::new());
    answer.plan.unknown.clear();
    answer.command = understood.plan.ask_command();
    let named: Vec<String> =
        used.iter().take(MAX_NAMED).map(|(name, tests)| format!("`{name}` ({})", count(*tests, "test"))).collect();
    let more = used.len().saturating_sub(MAX_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let tests = count(suite.all.len(), "test");
    answer.headline = match used.len() {
        0 => format!("none: {tests} {} have no marks", suite.place),
        1 => format!("1 mark is used: {} of {tests} {}", named[0], suite.place),
        all => format!("{all} marks are used on {tests} {}: {}{more}", suite.place, named.join(", ")),
    };
    let rows: Vec<Vec<String>> = used.into_iter().map(|(name, tests)| vec![name, tests.to_string()]).collect();
    if !rows.is_empty() {
        let columns = vec!["mark".to_owned(), "tests".to_owned()];
        answer.blocks.push(AnswerBlock::Table(AnswerTable { title: "marks of the tests".to_owned(), columns, rows }));
    }
    Ok(answer)
}

/// The tests or fixtures among which a question looks, with those of them that fit.
struct Suite<'a> {
    marks: MarkReader<'a>,
    asserts: Asserts<'a>,
    all: Vec<Entity>,
    place: String,
}

impl<'a> Suite<'a> {
    /// The tests, or the fixtures, of the place that the question names.
    fn of(reading: AnswerInputs<'a>, understood: &Understood, noun: Noun) -> Result<Self, StoreError> {
        let mut asked = understood.clone().read_as(QuestionIntent::Select);
        asked.plan.filters = Filters::default();
        asked.plan.filters.noun = Some(noun);
        // The name of a mark may be that of a definition.
        let is_place = |target: &Target| matches!(target.main().record.kind, EntityKind::Class | EntityKind::Module);
        asked.targets.retain(is_place);
        let filter = asked.filter();
        let found = reader_of(reading.store, &filter)?.sorted(&filter, ListOrder::Place)?;
        let is_within = within(&asked);
        let all: Vec<Entity> = found.into_iter().map(|(_, entity)| entity).filter(|one| is_within(one)).collect();
        let place = place(&asked, &filter);
        Ok(Self { marks: MarkReader::new(reading), asserts: Asserts::new(reading), all, place })
    }

    /// Whether a test meets a condition, with what says so.
    fn fits(&mut self, test: &Entity, condition: &SuiteCondition) -> Result<Option<String>, StoreError> {
        let flags = test.record.flags;
        let said = |holds: bool| holds.then(String::new);
        Ok(match condition {
            SuiteCondition::Mark { names } => {
                let marks = self.marks.marks(test)?;
                marks.iter().find(|mark| names.contains(&mark.name)).map(written)
            }
            SuiteCondition::Decorator(name) => {
                let marks = self.marks.marks(test)?;
                marks.iter().find(|mark| mark.name == *name).map(written)
            }
            SuiteCondition::AnyMark => {
                let marks = self.marks.marks(test)?;
                let written: Vec<String> = marks.iter().filter(|mark| mark.is_mark).map(written).collect();
                (!written.is_empty()).then(|| written.join(", "))
            }
            SuiteCondition::Async => said(flags.has(EntityFlags::ASYNC)),
            SuiteCondition::Asserts => said(self.asserts.has(test)),
            SuiteCondition::Option(wanted) => option(test, wanted),
        })
    }
}

/// A mark in a row: as it is written, and who gives it.
fn written(mark: &TestMark) -> String {
    match &mark.giver {
        Some(giver) => format!("{} (of {giver})", mark.written),
        None => mark.written.clone(),
    }
}

/// Lists the tests or fixtures that meet the conditions.
fn listed(
    reading: AnswerInputs,
    understood: &Understood,
    mut asked: SuiteQuestion,
) -> Result<Option<Answer>, StoreError> {
    let mut suite = Suite::of(reading, understood, asked.noun)?;
    let used = if asked.noun == Noun::Test { used_marks(&mut suite)? } else { BTreeMap::new() };
    if let Some(word) = asked.word.take() {
        // `slow tests`: a mark, or a word that is not understood.
        if !used.contains_key(&word) {
            return Ok(None);
        }
        asked.conditions.push((SuiteCondition::mark(&word), asked.is_word_denied));
    }
    let all = suite.all.len();
    let (mut found, mut how): (Vec<(Entity, String)>, Vec<String>) = (Vec::new(), Vec::new());
    for test in suite.all.clone() {
        let (mut notes, mut held) = (Vec::new(), 0);
        for (condition, is_denied) in &asked.conditions {
            let said = suite.fits(&test, condition)?;
            held += usize::from(said.is_some() != *is_denied);
            notes.extend(said.filter(|said| !said.is_empty()));
        }
        let fits = if asked.is_either { held > 0 } else { held == asked.conditions.len() };
        if fits {
            found.push((test, notes.join(", ")));
        }
    }
    // `none: not one of 9 tests is parametrized`
    let is_none = found.is_empty();
    for (condition, is_denied) in &asked.conditions {
        how.push(condition.worded(*is_denied, found.len() == 1 || is_none));
    }
    let joint = if asked.is_either { " or " } else { " and " };
    let how = how.join(joint);
    let (noun, place) = (asked.noun.worded(), suite.place.clone());
    let yes = match (asked.asks_all, asked.is_polar) {
        (true, _) if found.len() == all && all > 0 => "yes: ",
        (true, _) | (false, true) if found.is_empty() => "no: ",
        (true, _) => "no: only ",
        (false, true) => "yes: ",
        _ if found.is_empty() => "none: ",
        _ => "",
    };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Select).plan, String::new());
    answer.command = understood.plan.ask_command();
    let is_false = |note: &str| note.contains("which this answer leaves out") || note.contains("was not applied");
    answer.plan.notes.retain(|note| !is_false(note));
    answer.plan.unknown.clear();
    answer.headline = match found.len() {
        0 => format!("{yes}not one of {} {place} {how}", count(all, noun)),
        some => format!("{yes}{some} of {} {place} {how}", count(all, noun)),
    };
    if asked.noun == Noun::Test {
        on_marks(&asked, &used, &mut suite, &found, &mut answer)?;
        on_skips_while_running(&asked, &suite, &found, &mut answer);
        on_marked_parameters(&asked, &suite, &found, &mut answer);
    }
    if asked.conditions.iter().any(|(condition, _)| *condition == SuiteCondition::Asserts) {
        let helped = found.iter().filter(|(test, _)| suite.asserts.expects(test)).count();
        if asked.conditions.iter().any(|(_, is_denied)| *is_denied) && helped > 0 {
            let expect = if helped == 1 { "expects" } else { "expect" };
            answer.headline += &format!("; {helped} of them {expect} an exception or a warning instead");
        }
        answer.headline += "; asserts in helpers that a test calls are not counted";
    }
    if !asked.rest.is_empty() {
        let rest: Vec<String> = asked.rest.iter().map(|word| format!("`{word}`")).collect();
        let (are, them) = if rest.len() == 1 { ("is", "it") } else { ("are", "them") };
        answer.headline = format!("{} {are} not understood; without {them}: {}", in_words(&rest), answer.headline);
    }
    for (test, _) in found.iter().take(super::MAX_WANTED) {
        answer.want(test, "it fits", true);
    }
    if asked.by_file {
        let how: Vec<String> = asked.conditions.iter().map(|(one, is_denied)| one.worded(*is_denied, false)).collect();
        by_file(&found, &how.join(joint), &mut answer);
    }
    let rows: Vec<ListRow> = found.iter().map(|(test, note)| ListRow::of(test).with(note.clone())).collect();
    answer.list(format!("{} that fit ({})", plural(noun), rows.len()), rows);
    Ok(Some(answer))
}

/// The files of these tests come first where files are asked for.
fn by_file(found: &[(Entity, String)], how: &str, answer: &mut Answer) {
    let mut files: BTreeMap<&str, usize> = BTreeMap::new();
    for (test, _) in found {
        *files.entry(&test.path).or_default() += 1;
    }
    let rows: Vec<ListRow> = files
        .iter()
        .map(|(path, tests)| ListRow::line(path, 1, String::new()).with(count(*tests, "such test")))
        .collect();
    let have = if rows.len() == 1 { "has" } else { "have" };
    answer.headline = format!("{} {have} tests that {how}: {}", count(rows.len(), "file"), answer.headline);
    answer.list(format!("files with such tests ({})", rows.len()), rows);
}

/// The marks of the tests, with the number of tests of each.
fn used_marks(suite: &mut Suite) -> Result<BTreeMap<String, usize>, StoreError> {
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    for test in suite.all.clone() {
        let marks = suite.marks.marks(&test)?;
        let names: BTreeSet<String> = marks.into_iter().filter(|mark| mark.is_mark).map(|mark| mark.name).collect();
        for name in names {
            *used.entry(name).or_default() += 1;
        }
    }
    Ok(used)
}

/// The marks with the numbers of their tests, the most used first: `parametrize (35)`.
fn counted(used: &BTreeMap<String, usize>) -> Vec<(String, usize)> {
    let mut counted: Vec<(String, usize)> = used.iter().map(|(name, tests)| (name.clone(), *tests)).collect();
    counted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counted
}

/// Says who gives the marks, and which marks there are where none fits.
fn on_marks(
    asked: &SuiteQuestion,
    used: &BTreeMap<String, usize>,
    suite: &mut Suite,
    found: &[(Entity, String)],
    answer: &mut Answer,
) -> Result<(), StoreError> {
    let wanted: Vec<&Vec<String>> = asked
        .conditions
        .iter()
        .filter_map(|(condition, is_denied)| match condition {
            SuiteCondition::Mark { names } if !is_denied => Some(names),
            _ => None,
        })
        .collect();
    let [names] = wanted.as_slice() else { return Ok(()) };
    let (mut given, mut each): (usize, BTreeMap<String, usize>) = Default::default();
    for (test, _) in found {
        let marks = suite.marks.marks(test)?;
        let fitting: Vec<&TestMark> = marks.iter().filter(|mark| names.contains(&mark.name)).collect();
        given += usize::from(fitting.iter().all(|mark| mark.giver.is_some()));
        let own: BTreeSet<&str> = fitting.iter().map(|mark| mark.name.as_str()).collect();
        for name in own {
            *each.entry(name.to_owned()).or_default() += 1;
        }
    }
    if each.len() > 1 {
        let each: Vec<String> = counted(&each).iter().map(|(name, tests)| format!("{tests} by `{name}`")).collect();
        answer.headline += &format!(", {}", in_words(&each));
    }
    if given > 0 {
        let have = if given == 1 { "has" } else { "have" };
        answer.headline += &format!("; {given} {have} it from a class or module");
    }
    if found.is_empty() {
        let marks = counted(used);
        let named: Vec<String> =
            marks.iter().take(MAX_NAMED).map(|(name, tests)| format!("`{name}` ({tests})")).collect();
        if named.is_empty() {
            answer.headline += "; they have no marks at all";
        } else {
            answer.headline += &format!("; their marks are {}", in_words(&named));
        }
        let tests = suite.all.iter().filter(|test| test.record.flags.has(EntityFlags::ASYNC)).count();
        if tests > 0 && names.iter().any(|name| is_in("asyncio anyio trio", name)) {
            answer.headline += &format!("; {} {} async", count(tests, "test"), if tests == 1 { "is" } else { "are" });
        }
    }
    Ok(())
}

/// Says how many more tests skip themselves, where skipped ones are asked for.
fn on_skips_while_running(asked: &SuiteQuestion, suite: &Suite, found: &[(Entity, String)], answer: &mut Answer) {
    const CALLS: [&str; 4] = ["pytest.skip(", "self.skipTest(", "pytest.importorskip(", "SkipTest("];
    let is_asked =
        asked.conditions.iter().any(|(condition, denied)| *condition == SuiteCondition::skipped() && !denied);
    if !is_asked {
        return;
    }
    let known: BTreeSet<EntityId> = found.iter().map(|(test, _)| test.id).collect();
    let mut rows = Vec::new();
    for test in suite.all.iter().filter(|test| !known.contains(&test.id)) {
        let text = suite.asserts.text(test);
        if CALLS.iter().any(|call| text.contains(call)) {
            rows.push(ListRow::of(test));
        }
    }
    if !rows.is_empty() {
        let (verb, run) = if rows.len() == 1 { ("calls", "it runs") } else { ("call", "they run") };
        answer.headline += &format!("; {} more {verb} `pytest.skip` or the like while {run}", rows.len());
        answer.list(format!("tests that may skip themselves while they run ({})", rows.len()), rows);
    }
}

/// Says how many more tests have the mark for some of their parameters: `pytest.param(1, marks=pytest.mark.xfail)`.
fn on_marked_parameters(asked: &SuiteQuestion, suite: &Suite, found: &[(Entity, String)], answer: &mut Answer) {
    let stated = asked.conditions.iter().filter(|(_, is_denied)| !is_denied);
    let names = stated.flat_map(|(condition, _)| match condition {
        SuiteCondition::Mark { names } => names.as_slice(),
        _ => &[],
    });
    let marks: Vec<String> = names.map(|name| format!("mark.{name}")).collect();
    let known: BTreeSet<EntityId> = found.iter().map(|(test, _)| test.id).collect();
    let has_mark = |test: &&Entity| {
        let text = suite.asserts.decorators(test);
        text.contains("marks=") && marks.iter().any(|mark| text.contains(mark.as_str()))
    };
    let others = suite.all.iter().filter(|test| !known.contains(&test.id)).filter(has_mark);
    let rows: Vec<ListRow> = others.map(ListRow::of).collect();
    if !rows.is_empty() {
        let (have, their) = if rows.len() == 1 { ("has", "its") } else { ("have", "their") };
        answer.headline += &format!("; {} more {have} the mark for some of {their} parameters", rows.len());
        answer.list(format!("tests with marked parameters ({})", rows.len()), rows);
    }
}
