//! Words the tests that a change asks for: how many have to run, whether they fail, whether they need an update.

use std::collections::BTreeMap;

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            changes::{
                limited::AskedEdit,
                own::{OwnReview, broken, command, extent, test_row},
            },
            first_in_words,
        },
        reading::{
            forms::own_change::{OfChange, OwnQuestion, Proposition},
            words::is_in,
        },
    },
    query::{
        impact::{completeness::Completeness, verdict::Verdict},
        words::count,
    },
    review::{ChangedEntity, Edit, ReviewReport},
    store::error::StoreError,
};

/// Files and definitions that a headline names.
const MAX_NAMED: usize = 4;
/// Tests that are listed.
const MAX_TESTS: usize = 400;

/// The first sentence about the tests of a change.
pub(super) fn headline(own: &OwnQuestion, review: &OwnReview, words: &[String]) -> String {
    let (report, name) = (&review.report, &review.name);
    let least = if report.completeness == Completeness::Exact { "" } else { ", at least this much" };
    let (extent, rest) = (extent(report), broken(report, Proposition::Nothing));
    let is_any = !report.tests.is_empty();
    let all_decided = [Proposition::Run, Proposition::Affected];
    let word = all_decided.iter().map(|one| own.yes.word(*one, Some(is_any))).find(|word| !word.is_empty());
    let word = word.unwrap_or_default();
    let to_run = format!("{} to run", number(report, words));
    match own.yes {
        Proposition::Adapted => adapted(review, &to_run) + least,
        Proposition::Fails | Proposition::Passes => outcome(own, review, &to_run) + least,
        Proposition::Nothing if asks_for_failures(words) => outcome(own, review, &to_run) + least,
        Proposition::RunAll if !is_any => format!("no: no test is known to reach {name}: {extent}; {rest}{least}"),
        Proposition::RunAll => format!("no, not the whole suite: {to_run} for {name}: {extent}; {rest}{least}"),
        _ if !is_any => format!("{word}no test is known to reach {name}: {extent}; {rest}{least}"),
        Proposition::Nothing if words.iter().any(|word| word == "pytest") => {
            let command = command(&review.change, OfChange::Tests);
            format!("`{command} | xargs -r pytest` runs the tests: {to_run} for {name}: {extent}{least}")
        }
        _ => {
            let whole = match AskedEdit::of(words) {
                Some(edit) if report.changed.len() > 1 && own.within.is_none() => {
                    format!("; these are for the whole change, not only for what is {}", edit.verb())
                }
                _ => String::new(),
            };
            format!("{word}{to_run} for {name}: {extent}; {rest}{least}{whole}")
        }
    }
}

/// Whether tests fail because of the change.
fn outcome(own: &OwnQuestion, review: &OwnReview, to_run: &str) -> String {
    let (report, name) = (&review.report, &review.name);
    let (extent, elsewhere) = (extent(report), broken(report, Proposition::Nothing));
    let word = |fails| own.yes.word(Proposition::Fails, fails);
    match places_in_tests(report) {
        (0, 0) if report.tests.is_empty() => {
            format!("{}no test is known to reach {name}: {extent}; {elsewhere}", word(Some(false)))
        }
        (0, 0) => {
            let unsure = format!("no place in a test is known to break because of {name}, but {to_run}");
            format!("{}{unsure}: {extent}; {elsewhere}", word(None))
        }
        (0, may) => {
            let places = count(may, "place");
            format!("{}{places} in tests may break because of {name}: {extent}, {to_run}", word(None))
        }
        (1, _) => {
            format!("{}1 place in a test breaks because of {name}: {extent}, {to_run}", word(Some(true)))
        }
        (all, _) => {
            format!("{}{all} places in tests break because of {name}: {extent}, {to_run}", word(Some(true)))
        }
    }
}

/// Whether tests have to be changed: only those of which places break are known to need it.
fn adapted(review: &OwnReview, to_run: &str) -> String {
    let (report, name) = (&review.report, &review.name);
    let because = format!("because of {name}: {}, {to_run}", extent(report));
    match places_in_tests(report) {
        (0, 0) if report.tests.is_empty() => format!("no: no test is known to reach {name}: {}", extent(report)),
        (0, 0) => format!("none is known to need it: no place in a test is known to break {because}"),
        (0, may) => format!("perhaps: {} in tests may break {because}", count(may, "place")),
        (1, _) => format!("yes: 1 place in a test breaks {because}"),
        (all, _) => format!("yes: {all} places in tests break {because}"),
    }
}

/// The places in tests that break, and those that may break.
fn places_in_tests(report: &ReviewReport) -> (usize, usize) {
    let of = |verdict| report.of(verdict).filter(|finding| finding.is_test).count();
    (of(Verdict::Breaks), of(Verdict::MayBreak))
}

/// The number of tests to run, or of their files where the question asks for these.
fn number(report: &ReviewReport, words: &[String]) -> String {
    if report.tests.is_empty() {
        return "no known test".to_owned();
    }
    if !asks_for_files(words) {
        return report.number_of_tests();
    }
    let files = files(report);
    let named = first_in_words(files.keys().map(|path| (*path).to_owned()), MAX_NAMED);
    format!("{} ({named})", count(files.len(), "test file"))
}

/// The files of the tests to run, with the number of those in each; 0 stands for the whole file.
fn files(report: &ReviewReport) -> BTreeMap<&str, usize> {
    let mut files = BTreeMap::new();
    for test in &report.tests {
        let (path, is_one) = test.id.split_once("::").map_or((test.id.as_str(), false), |(path, _)| (path, true));
        *files.entry(path).or_default() += usize::from(is_one);
    }
    files
}

/// Whether the question asks for the files of the tests.
fn asks_for_files(words: &[String]) -> bool {
    let is_file = |word: &str| is_in("file files module modules", word);
    words.windows(2).any(|pair| is_in("test tests", &pair[0]) && is_file(&pair[1]))
        || words.iter().take(3).any(|word| is_file(word))
}

/// Lists the tests to run, or their files.
pub(super) fn list(
    reading: AnswerInputs,
    review: &OwnReview,
    words: &[String],
    answer: &mut Answer,
) -> Result<(), StoreError> {
    let report = &review.report;
    if asks_for_files(words) {
        let rows = files(report).into_iter().map(|(path, tests)| {
            let note = if tests == 0 { "the whole file".to_owned() } else { count(tests, "test") };
            let row = ListRow { name: path.to_owned(), kind: "file", path: path.to_owned(), ..ListRow::default() };
            ListRow { line: 1, ..row.with(note) }
        });
        let rows: Vec<ListRow> = rows.collect();
        answer.list(format!("test files to run ({})", rows.len()), rows);
        return Ok(());
    }
    let mut rows = Vec::new();
    for test in report.tests.iter().take(MAX_TESTS) {
        rows.push(test_row(reading, &test.id)?);
    }
    answer.list(format!("tests to run, the most endangered first ({})", report.tests.len()), rows);
    let mut rows = Vec::new();
    for id in report.untraced_tests.iter().take(MAX_TESTS) {
        rows.push(test_row(reading, id)?);
    }
    let title = "tests that could not be followed: their calls are not known";
    answer.list(format!("{title} ({})", report.untraced_tests.len()), rows);
    Ok(())
}

/// Whether the question asks whether tests fail.
fn asks_for_failures(words: &[String]) -> bool {
    words.iter().any(|word| ["break", "broke", "fail", "pass", "green"].iter().any(|stem| word.starts_with(stem)))
}

/// Answers about docstrings that changed alone, without any code; whether the question asks for them.
pub(super) fn of_docstrings(own: &OwnQuestion, review: &OwnReview, words: &[String], answer: &mut Answer) -> bool {
    let is_of_them = words.iter().any(|word| is_in("docstring docstrings", word));
    if !is_of_them || matches!(own.first(), OfChange::Changed | OfChange::Users | OfChange::Affected) {
        return false;
    }
    let is_doc = |one: &&ChangedEntity| one.edits.iter().all(|edit| matches!(edit, Edit::DocsChanged));
    let (docs, others): (Vec<&ChangedEntity>, Vec<&ChangedEntity>) = review.report.changed.iter().partition(is_doc);
    if docs.is_empty() {
        return false;
    }
    let needs = [
        Proposition::Run,
        Proposition::RunAll,
        Proposition::NeedsTests,
        Proposition::Broken,
        Proposition::Fails,
        Proposition::Adapted,
    ];
    let word = needs.iter().map(|one| own.yes.word(*one, Some(false))).find(|word| !word.is_empty());
    let names = first_in_words(docs.iter().map(|one| format!("`{}`", one.name)), MAX_NAMED);
    let are = if docs.len() == 1 { "its docstring is" } else { "their docstrings are" };
    let rest = match others.len() {
        0 => String::new(),
        number => format!("; {} changed otherwise", count(number, "other definition")),
    };
    let word = word.unwrap_or_default();
    answer.headline = format!("{word}of {names} only {are} changed by {}, and no code{rest}", review.name);
    let rows: Vec<ListRow> = docs.into_iter().map(ListRow::of_change).collect();
    answer.list(format!("definitions whose docstring is changed ({})", rows.len()), rows);
    true
}
