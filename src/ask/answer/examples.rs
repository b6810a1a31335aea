//! Answers with uses as people read them: the shortest real examples, and the sections of documents that name a
//! definition.

use std::{cmp::Reverse, collections::BTreeSet};

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
            words::{is_in, name_parts, stem},
        },
    },
    model::EntityKind,
    query::{
        impact::completeness::{Boundary, Completeness},
        navigate::sections::section_text,
        search::SearchOptions,
        target::{
            Target,
            filter::{Filter, FilterReader, ListOrder},
            likeliest::is_aside,
        },
        words::count,
    },
    store::{error::StoreError, read::Entity},
};

/// Examples whose source is shown, and those that are listed.
const SHOWN: usize = 2;
const LISTED: usize = 8;
/// A longer definition is no example.
const LONGEST: u32 = 40;
/// Directives that put the docstrings of the program into a page.
pub(super) const GENERATED: [&str; 4] = [".. auto", ":members:", "::: ", ".. currentmodule::"];
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
    let name = |target: &Target| {
        let main = target.main();
        // A module has only its dotted name.
        let last = main.module.rsplit('.').next().unwrap_or_default();
        if main.record.name.is_empty() { last.to_owned() } else { main.record.name.clone() }
    };
    let mut names: Vec<String> = understood.targets.iter().map(name).collect();
    names.extend(understood.plan.unknown.iter().map(|unknown| unknown.mention.clone()));
    names.dedup();
    if matches!(understood.words.as_slice(), [how, ..] if how == "how") {
        // `how do I test a command`: the words describe what is to be done, whatever else is called so.
        let is_plain = |name: &String| understood.plan.subjects.iter().all(|one| one.mention != *name);
        names.retain(|name| !is_plain(name));
    }
    // Of the sections with the names, those that fit the rest of the question come first.
    let question = without_source(&understood.search);
    let mut nearest: Vec<ListRow> =
        (reading.search)(&question, &options())?.hits.into_iter().map(|hit| section_row(&hit)).collect();
    // A page that only lists the definitions of the program explains nothing.
    nearest.sort_by_cached_key(|row| {
        let text = reading.sources.lines(&row.path, row.line, row.end_line).unwrap_or_default();
        GENERATED.iter().any(|directive| text.contains(directive))
    });
    // Sections about the very words of the question come first, however much text others have.
    let told = told(understood);
    if names.is_empty() && !told.is_empty() {
        nearest = nearest_by_title(reading, &told, nearest)?;
    }
    let mut rows: Vec<ListRow> = Vec::new();
    for name in &names {
        rows.extend(sections(reading, name)?);
    }
    let is_it = |row: &ListRow, other: &ListRow| other.path == row.path && other.name == row.name;
    rows.sort_by_key(|row| nearest.iter().position(|near| is_it(row, near)).unwrap_or(nearest.len()));
    // A document has a method behind a dot: the bare word may be another function.
    for target in &understood.targets {
        let record = &target.main().record;
        let Some((class, name)) = record.qualified.rsplit_once('.') else { continue };
        let own = sections_with(reading, &format!("{class} {name}"), &format!(".{name}"))?;
        rows.retain(|row| own.iter().all(|one| !is_it(row, one)));
        rows.splice(0..0, own);
    }
    let mut is_in_words = false;
    if rows.is_empty() {
        for name in &names {
            rows.extend(sections_in_words(reading, name)?);
        }
        is_in_words = !rows.is_empty();
    }
    let is_guess = rows.is_empty() && !names.is_empty();
    if rows.is_empty() {
        rows = nearest;
    }
    // That something changed once says little of what it is.
    rows.sort_by_key(|row| is_history(&row.path));
    let is_whether = matches!(understood.words.first().map(String::as_str), Some("is" | "are" | "do" | "does" | "has"));
    let yes = match (is_whether && !names.is_empty(), is_guess || is_in_words) {
        (false, _) => "",
        (true, true) => "no: ",
        (true, false) => "yes: ",
    };
    // Who asks for no documents wants to know whether there is code.
    let is_missing = understood.targets.is_empty() && !understood.words.iter().any(|word| is_in(OF_DOCUMENTS, word));
    let subject = if names.is_empty() { "this".to_owned() } else { format!("`{}`", names.join("` or `")) };
    answer.headline = match (rows.first(), is_guess) {
        (None, _) => String::new(),
        (Some(first), true) => {
            format!("{yes}no document names {subject}; the nearest section is {}:{}", first.path, first.line)
        }
        (Some(first), false) if is_in_words && is_missing => format!(
            "{yes}nothing here is called {subject}, in code or in documents; `{}` has its words ({}:{})",
            first.name, first.path, first.line
        ),
        (Some(first), false) if is_in_words => {
            format!(
                "{yes}no document has the name {subject}; `{}` has its words ({}:{})",
                first.name, first.path, first.line
            )
        }
        (Some(first), false) => {
            format!("{yes}`{}` speaks of {subject} ({}:{})", first.name, first.path, first.line)
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

/// Answers `which documents mention the flywheel` by the sections that have the words; `None` for other questions, and
/// for those about definitions.
pub fn mentioning(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    const DOCUMENTS: &str = "doc docs document documents documentation page pages section sections";
    const MENTIONING: &str = "contain contains describe describes discuss discusses mention mentions mentioned";
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let ["which" | "what", noun, rest @ ..] = words.as_slice() else { return Ok(None) };
    let Some(verb) = rest.iter().position(|word| is_in(MENTIONING, word)).filter(|at| *at < 2) else { return Ok(None) };
    let told = told(understood).into_iter().filter(|word| !MENTIONING.split(' ').any(|known| stem(known) == *word));
    let told: Vec<String> = told.collect();
    if !is_in(DOCUMENTS, noun) || told.is_empty() || !understood.targets.is_empty() {
        return Ok(None);
    }
    let documents = understood.clone().read_as(QuestionIntent::Documents);
    let mut answer = Answer::new(documents.plan.clone(), String::new());
    answer.plan.notes.clear();
    answer.command = documents.command();
    let mut rows = Vec::new();
    for (path, section) in reading.store.sections()? {
        let lines = (section.start_line, section.end_line);
        let text = section_text(reading.sources, &path, &section.title, lines).unwrap_or_default();
        let whole = format!("{}\n{text}", section.title).to_lowercase();
        if !told.iter().all(|word| begins_a_word(&whole, word)) {
            continue;
        }
        let line = text.lines().find(|line| told.iter().any(|word| begins_a_word(&line.to_lowercase(), word)));
        let text = line.map(|line| line.trim().chars().take(LONGEST_LINE).collect()).unwrap_or_default();
        let (line, end_line) = lines;
        rows.push(ListRow { name: section.title, kind: "section", path, line, end_line, text, ..ListRow::default() });
    }
    let asked = rest[verb + 1..].iter().filter(|word| !is_in(INSTRUCTING, word)).copied().collect::<Vec<_>>().join(" ");
    answer.headline = match rows.first() {
        None => format!("no document has `{asked}`"),
        Some(first) => {
            let files: BTreeSet<&str> = rows.iter().map(|row| row.path.as_str()).collect();
            let (sections, files) = (count(rows.len(), "section"), count(files.len(), "document"));
            let verb = if rows.len() == 1 { "has" } else { "have" };
            format!("{sections} of {files} {verb} `{asked}`, first {}:{}", first.path, first.line)
        }
    };
    answer.list(format!("sections of documents ({})", rows.len()), rows);
    Ok(Some(answer))
}

/// Characters of a line that mentions something.
const LONGEST_LINE: usize = 120;

/// Lines at the head of a section that say what it is about.
const HEAD: usize = 6;
/// Words of a question for documents that say nothing of their subject.
const OF_DOCUMENTS: &str = "about chapter changelog describe describes doc docs document documentation documented documents \
     explain explained explains guide it mention mentions page pages readme say says section sections speak speaks where";

/// The stems of the words that say what the documents are asked for.
fn told(understood: &Understood) -> Vec<String> {
    let says_nothing =
        |word: &&String| is_in(INSTRUCTING, word) || is_in(OF_DOCUMENTS, word) || word.chars().count() < 2;
    understood.words.iter().filter(|word| !says_nothing(word)).map(|word| stem(word)).collect()
}

/// The sections, by how much of the words their titles and first lines have; of equals, as they were.
fn nearest_by_title(reading: AnswerInputs, told: &[String], nearest: Vec<ListRow>) -> Result<Vec<ListRow>, StoreError> {
    let mut rows = nearest;
    for hit in (reading.search)(&told.join(" "), &options())?.hits {
        let row = section_row(&hit);
        if !rows.iter().any(|known| (&known.path, known.line) == (&row.path, row.line)) {
            rows.push(row);
        }
    }
    let all = |text: &str| told.iter().all(|word| begins_a_word(text, word));
    rows.sort_by_cached_key(|row| {
        let title = row.name.to_lowercase();
        let text = reading.sources.lines(&row.path, row.line, row.end_line).unwrap_or_default().to_lowercase();
        let head: Vec<&str> = text.lines().take(HEAD).collect();
        let has_noun = told.last().is_some_and(|noun| begins_a_word(&title, noun));
        match () {
            () if is_history(&row.path) => 5,
            () if GENERATED.iter().any(|directive| text.contains(directive)) => 4,
            () if all(&title) => 0,
            () if all(&text) && told.len() > 1 && is_in_name(&row.path, told) => 0,
            () if has_noun && all(&text) => 1,
            () if all(&head.join(" ")) => 2,
            () if all(&text) => 3,
            () => 4,
        }
    });
    Ok(rows)
}

/// Whether the file of a document has one of the words in its name: `testing.md`.
fn is_in_name(path: &str, told: &[String]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    told.iter().any(|word| begins_a_word(&name, word))
}

/// Whether a document tells what changed from version to version.
pub(super) fn is_history(path: &str) -> bool {
    let path = path.to_lowercase();
    ["changelog", "changes", "history", "news", "release"].iter().any(|name| path.contains(name))
}

/// The section of a document whose title has all of these words.
pub fn section_called(reading: AnswerInputs, told: &[String]) -> Result<Option<ListRow>, StoreError> {
    let hits = (reading.search)(&told.join(" "), &options())?.hits;
    let has_all = |title: &str| told.iter().all(|word| begins_a_word(title, word));
    // A section that only lists definitions explains nothing.
    let explains = |hit: &&crate::query::search::Hit| {
        let text = reading.sources.lines(&hit.path, hit.start_line, hit.end_line).unwrap_or_default();
        !GENERATED.iter().any(|directive| text.contains(directive))
    };
    Ok(hits.iter().filter(|hit| has_all(&hit.name.to_lowercase())).find(explains).map(section_row))
}

/// Answers how something works by the section whose title has just these words, two at least; `None` without one.
pub fn titled(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let told = told(understood);
    let Some(first) = (told.len() > 1).then(|| section_called(reading, &told)).transpose()?.flatten() else {
        return Ok(None);
    };
    let documents = understood.clone().read_as(QuestionIntent::Documents);
    let mut answer = Answer::new(documents.plan.clone(), String::new());
    answer.headline = format!("`{}` speaks of this ({}:{})", first.name, first.path, first.line);
    answer.command = documents.command();
    let nearest = nearest_by_title(reading, &told, vec![first])?;
    answer.list(format!("sections of documents ({})", nearest.len()), nearest);
    let message = "sections are found by their words: others may speak of it without its name".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("search", 1, message)]);
    Ok(Some(answer))
}

/// A question without the words that only say where the answer stands: `how do I test, according to the docs`.
fn without_source(question: &str) -> String {
    const SOURCES: [&str; 6] = ["docs", "documentation", "readme", "changelog", "manual", "guide"];
    let lower = question.to_lowercase();
    let Some(at) = lower.find("according to").filter(|at| question.is_char_boundary(*at)) else {
        return question.to_owned();
    };
    let behind = lower[at..].split(|c: char| !c.is_alphanumeric()).find(|word| SOURCES.contains(word));
    let end = behind.and_then(|word| Some(at + lower[at..].find(word)? + word.len()));
    match end.filter(|end| question.is_char_boundary(*end)) {
        Some(end) => format!("{}{}", question[..at].trim_end_matches([',', ' ']), &question[end..]),
        None => question.to_owned(),
    }
}

/// Words of questions for instructions that do not say what is to be done.
const INSTRUCTING: &str = "a an and are be can could do does exactly for from here how i in is it me my of on one our \
     please should tell that the there they this to under use using want we what which with work works would you your \
     project package library repository code";
/// Words by which a question says that something is to be made.
const MAKING: &str = "add build class create custom customize define extend function implement make method new object own subclass write";
/// Classes from which the thing to be made could derive, and which a headline names.
const MAX_BASES: usize = 2;
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
    let all: Vec<String> = words.iter().filter(|word| !says_nothing(word)).map(|word| stem(word)).collect();
    let makes = |word: &&str| MAKING.split_whitespace().any(|known| known == *word);
    let is_made = asks_to_make(&words);
    let rest = words.iter().filter(|word| !says_nothing(word) && !makes(word)).map(|word| stem(word));
    let rest: Vec<String> = rest.collect();
    if !is_asked || all.is_empty() {
        return Ok(None);
    }
    let told = if is_made && !rest.is_empty() { rest } else { all };
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
        if let Some(noun) = told.last().filter(|_| is_made) {
            say_bases(reading, noun, first, &mut answer)?;
        }
        answer.list(format!("sections of documents ({})", rows.len()), rows);
        let message = "found by their words: the sections may speak of something else".to_owned();
        answer.bound(Completeness::LowerBound, [Boundary::new("search", 1, message)]);
        return Ok(Some(answer));
    }
    if let Some(noun) = told.last().filter(|_| is_made) {
        let classes = base_called(reading, noun, &ListRow::default())?;
        if let Some(first) = classes.first() {
            let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Search).plan, String::new());
            let place = format!("{}:{}", first.path, first.record.start_line);
            answer.headline =
                format!("no document tells how; the class of this name is `{}` ({place})", short_name(first));
            answer.command = format!("repoidx show {}", first.full_name());
            answer.want(first, "its name is spelt in the question", false);
            answer.list(format!("classes of this name ({})", classes.len()), classes.iter().map(ListRow::of).collect());
            answer.is_guess = true;
            return Ok(Some(answer));
        }
    }
    let options = SearchOptions { limit: MAX_INSTRUCTIONS, ..SearchOptions::default() };
    let hits = (reading.search)(&understood.search, &options)?.hits;
    let is_one = hits.iter().any(|hit| has_all(&name_parts(&hit.name).collect::<Vec<_>>().join(" "), &hit.doc));
    if !is_one {
        return Ok(None);
    }
    survey::search(reading, &understood.clone().read_as(QuestionIntent::Search)).map(Some)
}

/// Names the classes from which a thing to be made could derive, beside the section that tells how.
pub fn say_bases(reading: AnswerInputs, noun: &str, section: &ListRow, answer: &mut Answer) -> Result<(), StoreError> {
    let bases = base_called(reading, &stem(noun), section)?;
    let place = |class: &Entity| format!("`{}` ({}:{})", short_name(class), class.path, class.record.start_line);
    let named: Vec<String> = bases.iter().take(MAX_BASES).map(place).collect();
    if !named.is_empty() {
        answer.headline += &format!("; of this name are {}", named.join(" and "));
    }
    for class in bases.iter().take(MAX_BASES) {
        answer.want(class, "its name is spelt in the question", false);
    }
    answer.list(format!("classes of this name ({})", bases.len()), bases.iter().map(ListRow::of).collect());
    Ok(())
}

/// Whether a question asks how something of one's own is made: `how do I write a custom adapter`.
pub fn asks_to_make(words: &[&str]) -> bool {
    let verb = match words {
        ["how", "to", verb, ..] => verb,
        ["how", "do" | "can" | "should" | "could" | "would", "i" | "we" | "you" | "one", verb, ..] => verb,
        _ => return false,
    };
    matches!(
        *verb,
        "write" | "create" | "make" | "build" | "implement" | "define" | "add" | "extend" | "customize" | "subclass"
    )
}

/// The classes of the program whose names end with a noun, `HTTPAdapter` for `adapter`. Those that the section names
/// most come first, then the most derived from.
fn base_called(reading: AnswerInputs, noun: &str, section: &ListRow) -> Result<Vec<Entity>, StoreError> {
    let text = reading.sources.lines(&section.path, section.line, section.end_line).unwrap_or_default();
    let filter = Filter { kinds: vec![EntityKind::Class], is_in_tests: Some(false), ..Filter::default() };
    let mut found = FilterReader::new(reading.store)?.sorted(&filter, ListOrder::Subclasses)?;
    found.retain(|(_, class)| name_parts(&class.record.name).last().is_some_and(|last| stem(&last).ends_with(noun)));
    let said = |class: &Entity| {
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.filter(|word| *word == class.record.name).count()
    };
    found.sort_by_key(|(heirs, class)| Reverse((said(class), *heirs)));
    Ok(found.into_iter().map(|(_, class)| class).collect())
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
    sections_with(reading, name, name)
}

/// The sections that have a name, among those that a search for some words finds.
fn sections_with(reading: AnswerInputs, words: &str, name: &str) -> Result<Vec<ListRow>, StoreError> {
    let mut rows = Vec::new();
    for hit in (reading.search)(words, &options())?.hits {
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

/// The sections that have the words of a name, one after the other: `test client` of `TestClient`.
fn sections_in_words(reading: AnswerInputs, name: &str) -> Result<Vec<ListRow>, StoreError> {
    let words = name_parts(name).collect::<Vec<_>>().join(" ");
    let mut rows = Vec::new();
    if !words.contains(' ') {
        return Ok(rows);
    }
    for (path, section) in reading.store.sections()? {
        let text = reading.sources.lines(&path, section.start_line, section.end_line).unwrap_or_default();
        let spaced = |line: &str| line.to_lowercase().replace('-', " ");
        let Some(at) = text.lines().position(|line| begins_a_word(&spaced(line), &words)) else { continue };
        let line = section.start_line + u32::try_from(at).unwrap_or_default();
        let text = text.lines().nth(at).unwrap_or_default().trim().chars().take(LONGEST_LINE).collect();
        rows.push(ListRow { name: section.title, kind: "section", path, line, text, ..ListRow::default() });
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
