//! The sections of a document that a question names, with their lines.

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, in_words},
        reading::{
            forms::QuestionIntent,
            plan::Understood,
            words::{ParsedQuestion, QuestionWord, Shape, is_in},
        },
    },
    query::words::{count, shell_word},
    store::error::StoreError,
};

/// Words for the parts of a document, and for all of them.
const SECTIONS: &str = "chapter chapters heading headings headline headlines section sections subsection subsections \
     title titles toc";
const CONTENTS: &str = "contain contains content contents cover covers in inside outline structure";
/// Words that ask for them and say nothing else.
const AROUND: &str = "a all an and any are do does document each every file for from give has have how is it list many \
     me name of page print show table tell that the their there us what which within with you";

/// Answers `which sections does docs/guide.rst have` and `what is in docs/guide.rst`; `None` for other questions, and
/// for those about code.
pub(in crate::ask::answer) fn sections_of(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = ParsedQuestion::parse(&understood.plan.question).words;
    let [file] = understood.plan.files.as_slice() else { return Ok(None) };
    let has = |list: &str| words.iter().any(|word| is_in(list, &word.lower()));
    let is_rest = |word: &QuestionWord| {
        let lower = word.lower();
        let is_file = word.shape == Shape::Path || word.text == file.mention;
        is_file || [AROUND, SECTIONS, CONTENTS].iter().any(|list| is_in(list, &lower))
    };
    let says_more = !words.iter().all(is_rest);
    let asks_whether = words.first().is_some_and(|word| is_in("do does is are has have", &word.lower()));
    if says_more || asks_whether || !has(SECTIONS) && !has(CONTENTS) || !understood.targets.is_empty() {
        return Ok(None);
    }
    let documents = file.documents(reading.store)?;
    if documents.is_empty() {
        return Ok(None);
    }
    let asked = understood.clone().read_as(QuestionIntent::Documents);
    let mut answer = Answer::new(asked.plan, String::new());
    answer.plan.notes.clear();
    let all = reading.store.sections()?;
    let mut headlines = Vec::new();
    for document in &documents {
        let own = all.iter().filter(|(path, _)| path == document).map(|(_, section)| section);
        let rows: Vec<ListRow> = own
            .map(|section| ListRow {
                name: section.title.clone(),
                kind: "section",
                path: document.clone(),
                line: section.start_line,
                end_line: section.end_line,
                note: section.above.clone(),
                ..ListRow::default()
            })
            .collect();
        headlines.push(match rows.len() {
            0 => format!("{document} has no sections"),
            all => format!("{document} has {}", count(all, "section")),
        });
        answer.list(format!("sections of {document} ({})", rows.len()), rows);
    }
    answer.headline = in_words(&headlines);
    answer.command = documents.first().map_or_else(String::new, |first| format!("repoidx show {}", shell_word(first)));
    Ok(Some(answer))
}
