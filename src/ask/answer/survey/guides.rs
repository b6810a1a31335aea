//! Answers how something is done by what the repository says of it: `how do I stream a response` by the section
//! `Streaming Responses`, or else by the definition of that name; `what is the default port` by the values that stand
//! in the program; `what does slots=True do` by the docstring that describes the parameter.

use std::cmp::Reverse;

use crate::{
    ask::{
        answer::{
            Answer, AnswerBlock, AnswerInputs, ListRow,
            definitions::defaults,
            examples::{self, GENERATED},
            places::sections::whole_section,
            short_name, snippet,
            survey::hit_row,
        },
        reading::{
            forms::{QuestionIntent, general::is_version},
            names::at_path,
            plan::Understood,
            words::{
                QuestionWord, Shape, is_in, name_parts,
                titles::{AskedTopic, STRONG, are_alike, projects, tells_history},
            },
        },
    },
    model::EntityKind,
    query::{
        impact::completeness::{Boundary, Completeness},
        navigate::sections::section_text,
        search::{Hit, SearchOptions},
        target::{
            filter::{Filter, FilterReader},
            likeliest::{is_aside, is_of_program},
        },
        words::shell_word,
    },
    store::{error::StoreError, read::Entity, search::documents::SectionSummary},
};

/// Sections and definitions that are listed.
const MAX_SECTIONS: usize = 6;
const MAX_DEFINITIONS: usize = 8;
/// Characters of a sentence that is quoted.
const LONGEST_SENTENCE: usize = 220;
/// A section with fewer points than the first by more than this is not listed.
const MARGIN: i32 = 35;
/// A section with fewer points tells less than a definition that is called as what is asked for.
const NEAR: i32 = 83;
/// Definitions among which one is looked for that has the words in its name.
const SEARCHED: usize = 15;
/// Constants of defaults that a headline names, and definitions that describe a parameter.
const MAX_NAMED: usize = 2;

/// Answers how something is done here; `None` for other questions, and where nothing speaks of it for certain.
pub(in crate::ask::answer) fn guided(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    if understood.own.is_some() || !understood.question.quotes.is_empty() {
        return Ok(None);
    }
    if let Some(answer) = set_to(reading, understood)? {
        return Ok(Some(answer));
    }
    if let Some(answer) = done_on(reading, understood)? {
        return Ok(Some(answer));
    }
    let words = &understood.question.words;
    let is_name = |(at, word): (usize, &QuestionWord)| {
        let is_mentioned = understood.plan.subjects.iter().any(|subject| subject.mention == word.text);
        matches!(word.shape, Shape::Code | Shape::Path) && !is_version(&word.text)
            || at > 0 && word.shape == Shape::Capitalized && is_mentioned
    };
    if words.iter().enumerate().any(is_name) {
        return Ok(None);
    }
    if let Some(answer) = default_of(reading, understood)? {
        return Ok(Some(answer));
    }
    let lower = understood.question.lower_words();
    let projects = projects(reading.store)?;
    let Some(topic) = AskedTopic::of(&lower, &projects) else { return Ok(None) };
    let sections = telling(reading, &topic, &projects)?;
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Documents).plan, String::new());
    answer.plan.notes.clear();
    answer.plan.unknown.clear();
    let hits = definitions(reading, understood)?;
    let hit = named(&topic, &hits);
    // `send_file` does what a section about `File Uploads` only touches.
    let is_nearer =
        |hit: &Hit, points: i32| topic.is_deed() && points < NEAR && name_words(hit).len() == topic.deed().len();
    match (sections.first(), hit) {
        (Some((points, path, section)), Some(hit)) if is_nearer(hit, *points) => {
            let place = format!("{}:{}", hit.path, hit.start_line);
            answer.headline = with_sentence(&format!("`{}` ({place})", hit.qualified), &hit.doc);
            answer.headline += &format!("; the nearest section is `{}` ({path}:{})", section.title, section.start_line);
            answer.command = format!("repoidx show {}", shell_word(&hit.name));
        }
        (Some((_, path, section)), hit) => {
            let place = format!("{path}:{}", section.start_line);
            answer.headline = with_sentence(&format!("`{}` ({place})", section.title), lead_of(section));
            if let Some(hit) = hit.filter(|_| topic.is_deed()) {
                answer.headline += &format!("; in code, `{}` ({}:{})", hit.qualified, hit.path, hit.start_line);
            }
            answer.command = format!("repoidx show {}", shell_word(&place));
        }
        (None, Some(hit)) => {
            let place = format!("{}:{}", hit.path, hit.start_line);
            answer.headline = with_sentence(&format!("`{}` ({place})", hit.qualified), &hit.doc);
            answer.command = format!("repoidx show {}", shell_word(&hit.name));
        }
        (None, None) => return Ok(None),
    }
    if let Some((_, path, section)) = sections.first().filter(|_| topic.makes()) {
        examples::say_bases(reading, topic.object(), &whole_section(path, section), &mut answer)?;
    }
    let rows: Vec<ListRow> =
        sections.iter().take(MAX_SECTIONS).map(|(_, path, section)| whole_section(path, section)).collect();
    answer.list(format!("sections of documents ({})", rows.len()), rows);
    let rows: Vec<ListRow> = hits.iter().take(MAX_DEFINITIONS).map(hit_row).collect();
    answer.list(format!("nearest definitions, the likeliest first ({})", rows.len()), rows);
    for hit in hits.iter().take(MAX_DEFINITIONS) {
        if let Some(entity) = at_path(reading.store, &hit.name, &hit.path)? {
            answer.want(&entity, "near in meaning", false);
        }
    }
    let message = "sections are found by their words: others may speak of it without them".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("search", 1, message)]);
    Ok(Some(answer))
}

/// The sections that answer, the likeliest first; none where no one does for certain.
fn telling(
    reading: AnswerInputs,
    topic: &AskedTopic,
    projects: &[String],
) -> Result<Vec<(i32, String, SectionSummary)>, StoreError> {
    let mut found = Vec::new();
    for (path, section) in reading.store.sections()? {
        if tells_history(&path) || path.starts_with("example") {
            continue;
        }
        let lines = (section.start_line, section.end_line);
        let text = || section_text(reading.sources, &path, &section.title, lines).unwrap_or_default();
        let Some(points) = topic.points(&path, &section, projects, &text) else { continue };
        found.push((points, path, section));
    }
    found.sort_by_key(|(points, ..)| Reverse(*points));
    let most = found.first().map_or(0, |(points, ..)| *points);
    found.retain(|(points, ..)| *points + MARGIN >= most);
    // A page that only lists definitions explains nothing.
    let explains = |path: &str, section: &SectionSummary| {
        let lines = (section.start_line, section.end_line);
        let text = section_text(reading.sources, path, &section.title, lines).unwrap_or_default();
        // Behind `currentmodule`, a page that tells something has first lines.
        let lists = |directive: &&&str| !directive.contains("currentmodule") || section.lead.is_empty();
        !GENERATED.iter().filter(lists).any(|directive| text.contains(directive))
    };
    let found = found.into_iter().take(2 * MAX_SECTIONS).filter(|(_, path, section)| explains(path, section));
    let found: Vec<(i32, String, SectionSummary)> = found.collect();
    let is_told = found.first().is_some_and(|(points, ..)| *points >= STRONG);
    Ok(if is_told { found } else { Vec::new() })
}

/// The first lines of a section, unless they only repeat its title.
fn lead_of(section: &SectionSummary) -> &str {
    let plain = |text: &str| text.replace(['`', '*'], "").to_lowercase();
    if plain(&section.lead) == plain(&section.title) { "" } else { &section.lead }
}

/// A head with the first sentence of a text behind it.
fn with_sentence(head: &str, text: &str) -> String {
    match first_sentence(text) {
        sentence if sentence.is_empty() => head.to_owned(),
        sentence => format!("{head}: {sentence}"),
    }
}

/// The first sentence of a text, without the roles and the double quotes of its markup.
pub(super) fn first_sentence(text: &str) -> String {
    // `(label)=` and `.. directive::` say nothing.
    if text.starts_with(['(', '<', '|']) || text.starts_with("..") {
        return String::new();
    }
    let mut plain = text.replace("``", "`");
    // A link says only where something else stands.
    while let Some(at) = plain.find("](") {
        let Some(end) = plain[at..].find(')') else { break };
        plain.replace_range(at..=at + end, "");
        if let Some(open) = plain[..at].rfind('[') {
            plain.remove(open);
        }
    }
    for role in
        ["class", "func", "meth", "attr", "data", "mod", "ref", "doc", "exc", "obj", "term", "option", "confval"]
    {
        for written in [format!(":py:{role}:"), format!(":{role}:"), format!("{{{role}}}")] {
            plain = plain.replace(&written, "");
        }
    }
    plain = plain.replace("`~", "`");
    let ends = plain.match_indices(['.', '!', '?']).map(|(at, _)| at + 1);
    let mut is_end = ends.filter(|at| {
        plain[*at..].starts_with(' ') && !plain[..*at].ends_with("e.g.") && !plain[..*at].ends_with("i.e.")
    });
    // A word or two are no sentence: `No! As of 2.28 ...`.
    let end = is_end.find(|at| plain[..*at].split(' ').count() > 3).unwrap_or(plain.len());
    let sentence = plain[..end].trim().trim_end_matches(['.', ':']);
    match sentence.char_indices().nth(LONGEST_SENTENCE) {
        Some((at, _)) => format!("{}…", sentence[..at].trim_end()),
        None => sentence.to_owned(),
    }
}

/// The definitions of the program that are nearest to the question.
fn definitions(reading: AnswerInputs, understood: &Understood) -> Result<Vec<Hit>, StoreError> {
    let kinds = vec![EntityKind::Class, EntityKind::Function, EntityKind::Method];
    let options = SearchOptions { limit: SEARCHED, kinds, ..SearchOptions::default() };
    let mut hits = (reading.search)(&understood.search, &options)?.hits;
    hits.retain(|hit| !is_aside(&hit.path) && !hit.path.contains("test"));
    Ok(hits)
}

/// The words of the last part of a name.
fn name_words(hit: &Hit) -> Vec<String> {
    name_parts(hit.qualified.rsplit('.').next().unwrap_or_default()).collect()
}

/// The first public definition that has all words of the topic in its name and its docstring.
fn named<'h>(topic: &AskedTopic, hits: &'h [Hit]) -> Option<&'h Hit> {
    let told = topic.deed();
    let stands = |word: &String, among: &[String]| among.iter().any(|one| are_alike(word, one));
    let words = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
        parts.map(str::to_lowercase).collect()
    };
    let is_public = |hit: &&Hit| !hit.doc.is_empty() && hit.qualified.split('.').all(|part| !part.starts_with('_'));
    let has_all = |hit: &&Hit| {
        let parts = name_words(hit);
        told.len() > 1 && told.iter().all(|word| stands(word, &parts)) && parts.len() <= told.len() + 1
    };
    let is_verb = |hit: &&Hit| {
        let parts = name_words(hit);
        let doc = words(&first_sentence(&hit.doc));
        parts.len() == 1 && told.iter().any(|word| stands(word, &parts)) && told.iter().all(|word| stands(word, &doc))
    };
    let public: Vec<&Hit> = hits.iter().filter(is_public).collect();
    // `flash` flashes a message, and `generate_password_hash` says that it hashes a password.
    let does_it = |hit: &&&Hit| {
        let is_deed = name_words(hit).first().is_some_and(|part| are_alike(&told[0], part));
        is_deed && (has_all(hit) || is_verb(hit))
    };
    let says_it = |hit: &&&Hit| has_all(hit) && words(&hit.doc).iter().take(3).any(|word| are_alike(&told[0], word));
    let first = |is: &dyn Fn(&&&Hit) -> bool| public.iter().find(is).copied();
    let is_just = |hit: &&&Hit| does_it(hit) && has_all(hit) && name_words(hit).len() == told.len();
    let found = first(&is_just).or_else(|| first(&does_it)).or_else(|| first(&says_it));
    if topic.is_deed() && told.len() > 1 { found } else { found.or_else(|| first(&|hit| has_all(hit) || is_verb(hit))) }
}

/// Answers `what is the default port` by constants and parameters; `None` for other questions, and without any.
fn default_of(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let lower = understood.question.lower_words();
    let words: Vec<&str> = lower.iter().map(String::as_str).collect();
    // `default of timeout`, where nothing but parameters is called so.
    let of_name = match words.as_slice() {
        [.., "default", "of" | "for", _] | [.., "default", "value", "of" | "for", _] => words.len().checked_sub(1),
        ["what", "does", _, "default", "to"] | ["what", "is", _, "by", "default"] => Some(2),
        _ => None,
    };
    if let Some(at) = of_name.filter(|_| understood.targets.is_empty()) {
        return of_name_alone(reading, understood, &understood.question.words[at].text);
    }
    let rest = match words.as_slice() {
        ["what", "is" | "are", "the", "default", rest @ ..] | ["what's" | "whats", "the", "default", rest @ ..] => rest,
        // `how many workers are started by default`
        ["how", "many", .., "by", "default"] => &words[2..3],
        _ => return Ok(None),
    };
    let rest: Vec<&str> = match rest {
        [rest @ .., "value" | "setting" | "here"] => rest.to_vec(),
        rest => rest.to_vec(),
    };
    if rest.is_empty()
        || rest.len() > 3
        || rest.iter().any(|word| is_in("of for in value values argument arguments", word))
    {
        return Ok(None);
    }
    let name = rest.join("_");
    let constants = constants(reading, &rest)?;
    let mut rows: Vec<ListRow> =
        constants.iter().map(|(entity, statement)| ListRow::of(entity).with(statement)).collect();
    let mut said: Vec<String> = constants
        .iter()
        .take(MAX_NAMED)
        .map(|(entity, statement)| format!("`{statement}` ({}:{})", entity.path, entity.record.line))
        .collect();
    let (sentence, parameters) = defaults::of_parameters(reading, &name)?;
    if let (Some(sentence), Some(first)) = (sentence, parameters.first()) {
        said.push(format!("{sentence}, first {}:{}", first.path, first.line));
    }
    rows.extend(parameters);
    Ok((!said.is_empty()).then(|| defaults_of(understood, &name, said.join("; "), rows)))
}

/// The defaults of the parameters of one name; `None` where no parameter with a default has it.
fn of_name_alone(reading: AnswerInputs, understood: &Understood, name: &str) -> Result<Option<Answer>, StoreError> {
    let (sentence, rows) = defaults::of_parameters(reading, name)?;
    let said = sentence.zip(rows.first()).map(|(said, first)| format!("{said}, first {}:{}", first.path, first.line));
    Ok(said.map(|said| defaults_of(understood, name, said, rows)))
}

fn defaults_of(understood: &Understood, name: &str, said: String, rows: Vec<ListRow>) -> Answer {
    let asked = understood.clone().read_as(QuestionIntent::Signature);
    let mut answer = Answer::new(asked.plan, said);
    answer.plan.notes.clear();
    answer.plan.unknown.clear();
    answer.command = format!("repoidx search --takes {}", shell_word(name));
    answer.list(format!("defaults of `{name}` ({})", rows.len()), rows);
    answer
}

/// The constants of the program that are called after the default of something, with their statements.
fn constants(reading: AnswerInputs, words: &[&str]) -> Result<Vec<(Entity, String)>, StoreError> {
    let mut found = Vec::new();
    let is_meant = |name: &String| {
        let parts: Vec<String> = name_parts(name).collect();
        let has = |word: &str| parts.iter().any(|part| are_alike(part, word));
        let is_asked = |part: &String| {
            is_in("config default value seconds setting", part) || words.iter().any(|word| are_alike(part, word))
        };
        has("default") && words.iter().all(|word| has(word)) && parts.iter().all(is_asked)
    };
    for name in reading.store.names()?.iter().filter(|name| is_meant(name)) {
        for entity in reading.store.entities_named(name, false)? {
            let is_constant = entity.record.kind == EntityKind::Variable && !entity.record.qualified.contains('.');
            if is_constant
                && is_of_program(reading.store, entity.file)?
                && let Some(statement) = defaults::statement(reading, &entity)
            {
                found.push((entity, statement));
            }
        }
    }
    Ok(found)
}

/// Answers `what does slots=True do` by the docstrings that describe the parameter; `None` for other questions.
fn set_to(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let words = &understood.question.words;
    let lower: Vec<String> = words.iter().map(QuestionWord::lower).collect();
    let is_asked =
        matches!(lower.iter().map(String::as_str).collect::<Vec<_>>().as_slice(), ["what", "does", _, "do" | "mean"]);
    let Some(name) = words.get(2).filter(|word| is_asked && word.value.is_some()).map(|word| &word.text) else {
        return Ok(None);
    };
    let filter = Filter { parameters: vec![name.clone()], is_in_tests: Some(false), ..Filter::default() };
    let mut described = Vec::new();
    let mut rows = Vec::new();
    for entity in FilterReader::new(reading.store)?.fitting(&filter)? {
        if is_aside(&entity.path) {
            continue;
        }
        let text = reading.sources.lines(&entity.path, entity.record.start_line, entity.record.end_line);
        let sentence = text.and_then(|text| description(&text, name));
        let row = ListRow::of(&entity);
        rows.push(sentence.clone().map_or_else(|| row.clone(), |sentence| row.clone().with(sentence)));
        described.extend(sentence.map(|sentence| (entity, sentence)));
    }
    if rows.is_empty() {
        return Ok(None);
    }
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Signature).plan, String::new());
    answer.plan.notes.clear();
    answer.plan.unknown.clear();
    answer.headline = match described.first() {
        Some((entity, sentence)) => {
            format!("`{name}` of `{}` ({}:{}): {sentence}", short_name(entity), entity.path, entity.record.start_line)
        }
        None => format!("no docstring describes the parameter `{name}`, which {} take", rows.len()),
    };
    if let (Some(sentence), _) = defaults::of_parameters(reading, name)? {
        answer.headline += &format!("; {sentence}");
    }
    answer.command = format!("repoidx search --takes {}", shell_word(name));
    for (entity, _) in described.iter().take(MAX_NAMED) {
        answer.want(entity, "asked about", false);
    }
    rows.sort_by_key(|row| row.note.is_empty());
    answer.list(format!("definitions that take `{name}` ({})", rows.len()), rows);
    Ok(Some(answer))
}

/// Answers `what does the client do on close` by the method of that class; `None` for other questions.
fn done_on(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let lower = understood.question.lower_words();
    let words: Vec<&str> = lower.iter().map(String::as_str).collect();
    let (["what", "does", .., "do", "on" | "when", deed], Some(class)) = (words.as_slice(), understood.targets.first())
    else {
        return Ok(None);
    };
    let class = class.main();
    if class.record.kind != EntityKind::Class {
        return Ok(None);
    }
    let mut methods = reading.store.entities_of(class.file)?;
    methods.retain(|entity| {
        let name = entity.record.qualified.strip_prefix(&format!("{}.", class.record.qualified));
        // `aclose` is the asynchronous one.
        name.is_some_and(|name| {
            name.trim_start_matches('_') == *deed || name == format!("a{deed}") || name == format!("on_{deed}")
        })
    });
    let Some(first) = methods.first() else { return Ok(None) };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Show).plan, String::new());
    answer.plan.notes.clear();
    let place = format!("{}:{}", first.path, first.record.start_line);
    let text = reading.sources.lines(&first.path, first.record.start_line, first.record.end_line).unwrap_or_default();
    let doc = text.split("\"\"\"").nth(1).unwrap_or_default().split("\n\n").next().unwrap_or_default();
    let doc = doc.split_whitespace().collect::<Vec<_>>().join(" ");
    answer.headline = with_sentence(&format!("`{}` ({place})", short_name(first)), &doc);
    answer.command = format!("repoidx show {}", first.full_name());
    answer.want(first, "asked about", false);
    answer.want(class, "asked about", true);
    for method in methods.iter().take(MAX_NAMED) {
        answer.blocks.push(AnswerBlock::Source(snippet(reading.sources, method)));
    }
    Ok(Some(answer))
}

/// The first sentence that a docstring says of a parameter: `slots (bool): ...`, `:param slots: ...`.
fn description(text: &str, name: &str) -> Option<String> {
    let head = |line: &str| -> Option<String> {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix(":param ") {
            let (declared, rest) = rest.split_once(':')?;
            return (declared.split_whitespace().last() == Some(name)).then(|| rest.trim().to_owned());
        }
        let rest = line.strip_prefix(name)?;
        // `slots: bool = True,` is the signature.
        let is_type = rest.starts_with(" (") && rest.trim_end().ends_with("):") || rest.trim_end() == ":";
        let rest = if is_type { "" } else { rest.strip_prefix(": ")? };
        (!rest.ends_with(',') && !rest.contains(" = ")).then(|| rest.trim().to_owned())
    };
    // A docstring begins behind the signature.
    let lines: Vec<&str> = text.lines().collect();
    let (at, first) = lines.iter().enumerate().find_map(|(at, line)| Some((at, head(line)?)))?;
    let indent = |line: &str| line.len() - line.trim_start().len();
    let behind = lines[at + 1..].iter().skip_while(|line| line.trim().is_empty() && first.is_empty());
    let behind = behind.take_while(|line| !line.trim().is_empty() && indent(line) > indent(lines[at]));
    let whole: Vec<&str> = std::iter::once(first.as_str()).chain(behind.map(|line| line.trim())).collect();
    let sentence = first_sentence(whole.join(" ").trim());
    (!sentence.is_empty()).then_some(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_of_a_section_is_read_without_its_markup() {
        assert_eq!(
            first_sentence("Use :class:`~rich.Table` for ``x``, e.g. this. More."),
            "Use `rich.Table` for `x`, e.g. this"
        );
        assert_eq!(first_sentence("No! As of 2.28.0, it is gone. More."), "No! As of 2.28.0, it is gone");
        assert_eq!(first_sentence("Like this::"), "Like this");
        assert_eq!(first_sentence("It uses [proxies](https://a.b/c) here"), "It uses proxies here");
        assert_eq!(first_sentence("(label)="), "");
    }

    #[test]
    fn a_docstring_describes_a_parameter() {
        let of = |text: &str| description(text, "slots");
        assert_eq!(
            of("def f(slots: bool = True,\n    x=1):\n    \"\"\"\n    slots (bool):\n        Create a slotted\n        class. More.\n    \"\"\"").as_deref(),
            Some("Create a slotted class")
        );
        assert_eq!(
            of("def f(slots):\n    \"\"\"\n    :param bool slots: Create one.\n    \"\"\"").as_deref(),
            Some("Create one")
        );
        assert_eq!(of("def f(\n    slots: bool,\n): pass"), None);
        assert_eq!(of("def f(x): pass"), None);
    }
}
