//! Answers with uses as people read them: the shortest real examples, and the sections of documents that name a
//! definition.

use std::cmp::Reverse;

use crate::{
    ask::{
        answer::{
            Answer, AnswerBlock, AnswerInputs, ListRow,
            relations::{merged, users},
            short_name, snippet, survey,
        },
        reading::{
            forms::QuestionIntent,
            plan::Understood,
            words::{name_parts, stem},
        },
    },
    model::EntityKind,
    query::{
        impact::completeness::{Boundary, Completeness},
        search::SearchOptions,
        target::likeliest::is_aside,
        words::count,
    },
    store::{error::StoreError, read::Entity},
};

/// Examples whose source is shown, and those that are listed.
const SHOWN: usize = 2;
const LISTED: usize = 8;
/// A longer definition is no example.
const LONGEST: u32 = 40;
/// Sections of documents that are looked at.
const MAX_SECTIONS: usize = 20;

/// Shows the shortest definitions that use the subjects: tests and examples first.
pub fn examples(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut headlines = Vec::new();
    for target in &understood.targets {
        let main = target.main();
        let name = short_name(main);
        answer.want(main, "asked about", false);
        let used = users(reading, target)?;
        let mut found: Vec<(u32, Entity)> = Vec::new();
        for entity in used.entities.iter().filter(|entity| entity.record.kind.is_callable() && entity.id != main.id) {
            let is_test = reading.store.file(entity.file)?.is_some_and(|file| file.is_test);
            let lines = entity.record.end_line - entity.record.start_line + 1;
            // Tests and examples are written to be read; other code is twice as far from that.
            let factor = if is_test || is_aside(&entity.path) { 1 } else { 2 };
            if lines <= LONGEST {
                found.push((lines * factor, entity.clone()));
            }
        }
        found.sort_by(|a, b| (a.0, &a.1.path, a.1.record.line).cmp(&(b.0, &b.1.path, b.1.record.line)));
        headlines.push(match found.first() {
            None => format!("no example of `{name}` was found; it is defined at {}:{}", main.path, main.record.line),
            Some((_, first)) => format!(
                "`{}` uses `{name}` ({}:{}), the shortest of {}",
                short_name(first),
                first.path,
                first.record.start_line,
                count(found.len(), "example")
            ),
        });
        for (_, entity) in found.iter().take(SHOWN) {
            answer.want(entity, "an example of its use", false);
            answer.blocks.push(AnswerBlock::Source(snippet(reading.sources, entity)));
        }
        let shown: Vec<&Entity> = found.iter().take(SHOWN).map(|(_, entity)| entity).collect();
        let is_new = |row: &ListRow| {
            shown.iter().all(|s| s.path != row.path || !(s.record.start_line..=s.record.end_line).contains(&row.line))
        };
        let rows = merged(used.rows.into_iter().filter(|row| !row.note.starts_with("import") && is_new(row)).collect());
        answer.list(format!("further uses of `{name}` ({})", rows.len()), rows.into_iter().take(LISTED).collect());
        let sections = sections(reading, &main.record.name)?;
        answer.list(format!("documents that name `{name}` ({})", sections.len()), sections);
        answer.list(format!("the definition of `{name}`"), vec![ListRow::of(main)]);
    }
    answer.headline = headlines.join("; ");
    Ok(answer)
}

/// Lists the sections of documents that speak of the subjects, or of the words of the question.
pub fn documents(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut names: Vec<String> = understood.targets.iter().map(|target| target.main().record.name.clone()).collect();
    names.extend(understood.plan.unknown.iter().map(|unknown| unknown.mention.clone()));
    names.dedup();
    let mut rows: Vec<ListRow> = Vec::new();
    for name in &names {
        rows.extend(sections(reading, name)?);
    }
    let mut is_guess = false;
    if rows.is_empty() {
        let options = options();
        rows = (reading.search)(&understood.search, &options)?.hits.into_iter().map(|hit| section_row(&hit)).collect();
        is_guess = !names.is_empty();
    }
    let subject = if names.is_empty() { "this".to_owned() } else { format!("`{}`", names.join("` or `")) };
    answer.headline = match (rows.first(), is_guess) {
        (None, _) => String::new(),
        (Some(first), true) => {
            format!("no document names {subject}; the nearest section is {}:{}", first.path, first.line)
        }
        (Some(first), false) => {
            format!("`{}` speaks of {subject} ({}:{})", first.name, first.path, first.line)
        }
    };
    answer.list(format!("sections of documents ({})", rows.len()), rows);
    for target in &understood.targets {
        answer.want(target.main(), "asked about", false);
    }
    let message = "sections are found by their words: others may speak of it without its name".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("search", 1, message)]);
    Ok(answer)
}

/// Words of questions for instructions that do not say what is to be done.
const INSTRUCTING: &str = "a an and are be can could do does exactly for from here how i in is it me my of on one our \
     please should tell that the there they this to under use using want we what which with work works would you your \
     project package library repository code";
/// Sections, and definitions, among which those are looked for that have all words of a question.
const MAX_INSTRUCTIONS: usize = 5;

/// Answers a question for instructions, `how do I install it`, that names nothing by what has all of its words: the
/// sections of documents, or else a definition. `None` for other questions, and where nothing has them.
pub fn instructions(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let is_asked = match words.as_slice() {
        ["how", "to", _, ..] | ["what" | "which", "license" | "licence", ..] => true,
        ["how", "do" | "can" | "should" | "could" | "would", "i" | "we" | "you" | "one", _, ..] => true,
        ["how", "do" | "does", .., last] => last.starts_with("work"),
        _ => false,
    };
    let says_nothing = |word: &&str| INSTRUCTING.split_whitespace().any(|known| known == *word);
    let told: Vec<String> = words.iter().filter(|word| !says_nothing(word)).map(|word| stem(word)).collect();
    if !is_asked || told.is_empty() {
        return Ok(None);
    }
    // One word stands in many sections by accident: it has to be their subject.
    let has_all = |title: &str, text: &str| {
        let text = if told.len() == 1 { title.to_lowercase() } else { format!("{title} {text}").to_lowercase() };
        told.iter().all(|word| begins_a_word(&text, word))
    };
    let options = SearchOptions { limit: MAX_SECTIONS, ..options() };
    let mut rows = Vec::new();
    for hit in (reading.search)(&understood.search, &options)?.hits {
        let text = reading.sources.lines(&hit.path, hit.start_line, hit.end_line).unwrap_or_default();
        // `deploying/gunicorn.rst`: the path is a title too.
        let title = format!("{} {}", hit.name, hit.path).to_lowercase();
        if has_all(&title, &text) {
            let said = told.iter().filter(|word| begins_a_word(&title, word)).count();
            rows.push((said, section_row(&hit)));
        }
    }
    // Those of the project before those of its examples; of equals, the likeliest first.
    rows.sort_by_key(|(said, row)| (row.path.starts_with("example"), Reverse(*said)));
    let rows: Vec<ListRow> = rows.into_iter().map(|(_, row)| row).take(MAX_INSTRUCTIONS).collect();
    if let Some(first) = rows.first() {
        let documents = understood.clone().read_as(QuestionIntent::Documents);
        let mut answer = Answer::new(documents.plan.clone(), String::new());
        answer.headline = format!("`{}` has the words of the question ({}:{})", first.name, first.path, first.line);
        answer.command = documents.command();
        answer.list(format!("sections of documents ({})", rows.len()), rows);
        let message = "found by their words: the sections may speak of something else".to_owned();
        answer.bound(Completeness::LowerBound, [Boundary::new("search", 1, message)]);
        return Ok(Some(answer));
    }
    let options = SearchOptions { limit: MAX_INSTRUCTIONS, ..SearchOptions::default() };
    let hits = (reading.search)(&understood.search, &options)?.hits;
    let is_one = hits.iter().any(|hit| has_all(&name_parts(&hit.name).collect::<Vec<_>>().join(" "), &hit.doc));
    if !is_one {
        return Ok(None);
    }
    survey::search(reading, &understood.clone().read_as(QuestionIntent::Search)).map(Some)
}

/// Whether a word of the text begins with `stem`.
fn begins_a_word(text: &str, stem: &str) -> bool {
    text.match_indices(stem).any(|(at, _)| !text[..at].chars().next_back().is_some_and(char::is_alphanumeric))
}

fn options() -> SearchOptions {
    SearchOptions { limit: MAX_SECTIONS, kinds: vec![EntityKind::Document], ..SearchOptions::default() }
}

/// The sections of documents that have this name in their text, the likeliest first.
pub fn sections(reading: AnswerInputs, name: &str) -> Result<Vec<ListRow>, StoreError> {
    let mut rows = Vec::new();
    for hit in (reading.search)(name, &options())?.hits {
        let text = reading.sources.lines(&hit.path, hit.start_line, hit.end_line).unwrap_or_default();
        let line = text.lines().position(|line| line.contains(name));
        if let Some(at) = line.and_then(|at| u32::try_from(at).ok()) {
            let line = hit.start_line + at;
            let text = reading.sources.line(&hit.path, line).unwrap_or_default();
            rows.push(ListRow { line, end_line: 0, text, ..section_row(&hit) });
        }
    }
    Ok(rows)
}

fn section_row(hit: &crate::query::search::Hit) -> ListRow {
    ListRow {
        name: hit.name.clone(),
        kind: "section",
        path: hit.path.clone(),
        line: hit.start_line,
        end_line: hit.end_line,
        ..ListRow::default()
    }
}
