//! The outline of the repository around a focus that a question names: `a map focused on sessions`.

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, first_in_words},
        reading::{
            forms::QuestionIntent,
            names::at_path,
            plan::Understood,
            words::{QuestionWord, is_in},
        },
    },
    query::{
        map::{HITS, MapOptions, map},
        search::SearchOptions,
        words::shell_word,
    },
    store::error::StoreError,
};

/// Definitions of the outline, and those that the headline names.
const MAX_MAPPED: usize = 40;
const MAX_NAMED: usize = 4;

/// Outlines the repository around the focus of the question; `None` for other questions.
pub(in crate::ask::answer) fn focused_map(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = understood.question.lower_words();
    let is_focus = |pair: &[String]| {
        is_in("centered centred focus focused focusing focussed", &pair[0]) && is_in("around on", &pair[1])
    };
    let joint = words.windows(2).position(is_focus).map(|at| (at, at + 2));
    let joint = joint.or_else(|| words.iter().position(|word| word == "around").map(|at| (at, at + 1)));
    let Some((head, focus)) = joint else { return Ok(None) };
    if !words[..head].iter().any(|word| is_in("map outline repo-map", word)) || focus == words.len() {
        return Ok(None);
    }
    let text: Vec<&str> =
        understood.question.words[focus..].iter().map(|word: &QuestionWord| word.text.as_str()).collect();
    let text = text.join(" ");
    let files: Vec<String> = understood.plan.files.iter().flat_map(|file| file.paths.iter().cloned()).collect();
    let options = if files.is_empty() {
        let hits = (reading.search)(&text, &SearchOptions { limit: HITS, ..SearchOptions::default() })?.hits;
        MapOptions { text: Some(text.clone()), hits, limit: MAX_MAPPED, ..MapOptions::default() }
    } else {
        MapOptions { files, limit: MAX_MAPPED, ..MapOptions::default() }
    };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Repository).plan, String::new());
    answer.plan.notes.clear();
    answer.plan.unknown.clear();
    let mut found = Vec::new();
    for mapped in map(reading.store, reading.sources, &options)?.entities.iter().take(MAX_MAPPED) {
        if let Some(entity) = at_path(reading.store, &mapped.name, &mapped.path)? {
            answer.want(&entity, "matters most around the focus", true);
            found.push(entity);
        }
    }
    let names = found.iter().take(MAX_NAMED).map(|entity| format!("`{}`", entity.full_name())).collect::<Vec<_>>();
    answer.headline = match names.len() {
        0 => format!("nothing in the index is near `{text}`"),
        all => format!("around `{text}` matter most {}", first_in_words(names.into_iter(), all)),
    };
    answer.command = format!("repoidx map --focus {}", shell_word(&text));
    answer.list(
        format!("outline around `{text}`, the most important first ({})", found.len()),
        found.iter().map(ListRow::of).collect(),
    );
    Ok(Some(answer))
}
