//! Counts statements that no index has: `how many asserts are in the tests`.

use std::collections::BTreeMap;

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow},
        reading::{forms::QuestionIntent, plan::Understood},
    },
    query::{source::texts::lines_of_texts, words::count},
    store::error::StoreError,
};

/// Answers for the number of assertions; `None` for other questions.
pub(in crate::ask::answer) fn asserts(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let is_count = words.starts_with(&["how", "many"]) || words.windows(2).any(|pair| pair == ["number", "of"]);
    let is_asked = words.iter().any(|word| matches!(*word, "asserts" | "assertions"));
    let is_statement = words.windows(2).any(|pair| matches!(pair, ["assert", "statement" | "statements"]));
    if !is_count || !is_asked && !is_statement || !understood.targets.is_empty() {
        return Ok(None);
    }
    let in_tests = understood.plan.filters.in_tests() == Some(true)
        || words.iter().any(|word| matches!(*word, "test" | "tests" | "suite"));
    let (mut statements, mut methods) = (0, 0);
    let mut by_file: BTreeMap<String, usize> = BTreeMap::new();
    let named: Vec<&String> = understood.plan.files.iter().flat_map(|file| &file.paths).collect();
    for (_, file) in reading.store.files()? {
        let is_wanted = if named.is_empty() { !in_tests || file.is_test } else { named.contains(&&file.path) };
        let Some(text) = reading.sources.text(&file.path).filter(|_| is_wanted && file.path.ends_with(".py")) else {
            continue;
        };
        let texts = lines_of_texts(&text);
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim_start();
            let is_statement = line.starts_with("assert ") || line.starts_with("assert(");
            let is_method = line.starts_with("self.assert");
            if !is_statement && !is_method || texts.contains_key(&number) {
                continue;
            }
            statements += usize::from(is_statement);
            methods += usize::from(is_method);
            *by_file.entry(file.path.clone()).or_default() += 1;
        }
    }
    let place = match (named.as_slice(), in_tests) {
        ([], true) => "in files of tests".to_owned(),
        ([], false) => "in the repository".to_owned(),
        _ => understood.limited_to().trim_start().to_owned(),
    };
    let of_unittest = match methods {
        0 => String::new(),
        all => format!(", and {} of unittest's methods `self.assert…`", count(all, "call")),
    };
    let plan = understood.clone().read_as(QuestionIntent::Text).plan;
    let (statements, files) = (count(statements, "`assert` statement"), count(by_file.len(), "file"));
    let mut answer = Answer::new(plan, format!("{statements} {place}{of_unittest}; they stand in {files}"));
    "git grep -nwE 'assert|self.assert[A-Za-z]*'".clone_into(&mut answer.command);
    let mut counted: Vec<(String, usize)> = by_file.into_iter().collect();
    counted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let rows = counted.into_iter().map(|(path, all)| ListRow {
        name: path.clone(),
        kind: "file",
        path,
        line: 1,
        note: count(all, "assertion"),
        ..ListRow::default()
    });
    answer.list(format!("files with assertions, the most first ({files})"), rows.collect());
    Ok(Some(answer))
}
