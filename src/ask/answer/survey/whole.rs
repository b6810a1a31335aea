//! Answers about the whole repository that no list of definitions gives: where to start reading, its folders, and what
//! nobody looks for here.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow, first_in_words, in_words,
            survey::{broken_files, guides::first_sentence},
        },
        reading::{forms::QuestionIntent, plan::Understood, words::is_in},
    },
    model::EntityKind,
    query::{
        impact::completeness::Completeness,
        target::{
            filter::{DefinitionMark, Filter, FilterReader, ListOrder},
            likeliest::is_of_program,
        },
        words::count,
    },
    store::{error::StoreError, read::Entity},
};

/// Folders that a headline names.
const MAX_NAMED: usize = 8;
/// Definitions and modules of each kind at which to start.
const MAX_STARTS: usize = 5;
/// Signs of the shortest underline of a title.
const SHORTEST_UNDERLINE: usize = 3;
/// A shorter paragraph is no sentence.
const LEAST_WORDS: usize = 5;
/// Words by which a question asks what the repository is for.
const OF_PURPOSE: &str = "about describe description do does explain for goal introduce introduction overview purpose summarise summarize \
     summary tell";

/// Answers such a question; `None` for others.
pub(in crate::ask::answer) fn whole(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Repository).plan, String::new());
    answer.plan.unknown.clear();
    answer.plan.notes.clear();
    match understood.plan.question.trim_end_matches(['?', ' ']) {
        "are there any bugs in this repository" => {
            let broken = broken_files(reading)?;
            let found = match broken.len() {
                0 => "no file has syntax errors".to_owned(),
                some => format!("{} not wholly read", count(some, "file")),
            };
            answer.headline =
                format!("not known: nothing here looks for bugs; {found}, and no other kind of error is looked for");
            answer.list(format!("files that were not wholly read ({})", broken.len()), broken);
            "repoidx review".clone_into(&mut answer.command);
            answer.bound(Completeness::Unknown, Vec::new());
        }
        "is any test run by the index" => {
            let kinds = vec![EntityKind::Function, EntityKind::Method];
            let filter = Filter { kinds, marks: vec![DefinitionMark::Test], ..Filter::default() };
            let tests = FilterReader::new(reading.store)?.fitting(&filter)?.len();
            answer.headline = format!(
                "not known: no test is run here, `pytest` would run them; {} in the repository",
                count(tests, "test")
            );
            "repoidx review --tests".clone_into(&mut answer.command);
            answer.bound(Completeness::Unknown, Vec::new());
        }
        "is any code duplicated" => {
            "not known: nothing here compares the code of definitions".clone_into(&mut answer.headline);
            "repoidx map".clone_into(&mut answer.command);
            answer.bound(Completeness::Unknown, Vec::new());
        }
        "where do I start reading" => start(reading, &mut answer)?,
        "list all folders" => folders(reading, &mut answer)?,
        _ => return Ok(None),
    }
    Ok(Some(answer))
}

/// Names the documents, classes and modules with which to begin.
fn start(reading: AnswerInputs, answer: &mut Answer) -> Result<(), StoreError> {
    let reader = FilterReader::new(reading.store)?;
    let mut most = |kind: EntityKind| -> Result<Vec<ListRow>, StoreError> {
        let filter = Filter { kinds: vec![kind], is_in_tests: Some(false), ..Filter::default() };
        let sorted = reader.sorted(&filter, ListOrder::Uses)?;
        // An `__init__.py` mostly repeats names of other modules.
        let tells = |(uses, entity): &(usize, Entity)| *uses > 0 && !entity.path.ends_with("__init__.py");
        let first = sorted.into_iter().filter(tells).take(MAX_STARTS);
        Ok(first
            .map(|(uses, entity)| {
                answer.want(&entity, "used most", true);
                ListRow::of(&entity).with(count(uses, "reference"))
            })
            .collect())
    };
    let (classes, modules) = (most(EntityKind::Class)?, most(EntityKind::Module)?);
    let mut first = Vec::new();
    if let Some((path, line, sentence)) = readme(reading)? {
        first.push(format!("{path}:{line} ({sentence})"));
    }
    if let Some(module) = modules.first() {
        first.push(format!("`{}` ({}), the most used module", module.name, module.path));
    }
    if let Some(class) = classes.first() {
        first.push(format!("`{}` ({}:{}), the most used class", class.name, class.path, class.line));
    }
    answer.headline = if first.is_empty() {
        "nothing here stands out: no README, and no definition that others use".to_owned()
    } else {
        format!("begin with {}", in_words(&first))
    };
    "repoidx map".clone_into(&mut answer.command);
    answer.list(format!("modules, the most used first ({})", modules.len()), modules);
    answer.list(format!("classes, the most used first ({})", classes.len()), classes);
    Ok(())
}

/// Lists the folders with indexed files.
fn folders(reading: AnswerInputs, answer: &mut Answer) -> Result<(), StoreError> {
    let mut all: BTreeMap<String, usize> = BTreeMap::new();
    for (_, file) in reading.store.files()? {
        for (at, _) in file.path.match_indices('/') {
            *all.entry(file.path[..at].to_owned()).or_default() += 1;
        }
    }
    let tops: Vec<String> = all.keys().filter(|path| !path.contains('/')).map(|path| format!("`{path}`")).collect();
    let below = match all.len() - tops.len() {
        0 => String::new(),
        some => format!("; {some} more below them"),
    };
    answer.headline = match tops.len() {
        0 => "none: all indexed files lie at the top".to_owned(),
        some => format!("{} at the top: {}{below}", count(some, "folder"), first_in_words(tops.into_iter(), MAX_NAMED)),
    };
    let row = |(path, files): (&String, &usize)| ListRow {
        name: format!("{path}/"),
        kind: "folder",
        path: path.clone(),
        note: count(*files, "indexed file"),
        ..ListRow::default()
    };
    answer.list(format!("folders with indexed files ({})", all.len()), all.iter().map(row).collect());
    "repoidx map".clone_into(&mut answer.command);
    Ok(())
}

/// The first sentence of the README before an outline, where the question asks what the repository is for.
pub(super) fn purpose(reading: AnswerInputs, understood: &Understood) -> Result<Option<String>, StoreError> {
    if !understood.words.iter().any(|word| is_in(OF_PURPOSE, word)) {
        return Ok(None);
    }
    Ok(readme(reading)?.map(|(path, line, sentence)| format!("{} ({path}:{line})", sentence.trim_end_matches('.'))))
}

/// The README with the line and the text of its first sentence.
fn readme(reading: AnswerInputs) -> Result<Option<(String, usize, String)>, StoreError> {
    let documents = reading.store.documents()?.into_iter().map(|(_, document)| document.path);
    let Some(path) = documents.filter(|path| !path.contains('/')).find(|path| {
        let name = path.to_lowercase();
        matches!(name.as_str(), "readme.md" | "readme.rst" | "readme.txt" | "readme")
    }) else {
        return Ok(None);
    };
    let Some(text) = reading.sources.text(&path) else { return Ok(None) };
    let mut names = BTreeSet::new();
    for (id, module) in reading.store.modules()? {
        if is_of_program(reading.store, id)? {
            names.extend(module.split('.').next().map(str::to_lowercase));
        }
    }
    let all = prose(&text);
    let says_what = |(_, sentence): &&(usize, String)| {
        let mut words = sentence.split(' ');
        let name = words.next().unwrap_or_default().trim_matches(['*', '`', '_']).to_lowercase();
        names.contains(&name) && words.next() == Some("is") && words.next().is_some_and(|word| is_in("a an the", word))
    };
    let found = all.iter().find(says_what).or(all.first()).cloned();
    Ok(found.map(|(line, sentence)| (path, line, sentence)))
}

/// The lines and the first sentences of the paragraphs that are prose, without those of sections about other matters.
fn prose(text: &str) -> Vec<(usize, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    let (mut at, mut is_aside) = (0, false);
    while at < lines.len() {
        let end = (at..lines.len()).find(|end| lines[*end].trim().is_empty()).unwrap_or(lines.len());
        let mut start = at;
        at = end + 1;
        // A title, and perhaps the paragraph right under it.
        if let Some(under) = (start..end).rfind(|line| is_underline(lines[*line])) {
            let title = (start..under).rev().map(|line| lines[line]).find(|line| !is_underline(line));
            is_aside = title.map_or(is_aside, speaks_of_others);
            start = under + 1;
        } else if start < end && lines[start].starts_with('#') {
            is_aside = speaks_of_others(lines[start]);
            start += 1;
        }
        let paragraph = &lines[start..end];
        if is_aside || paragraph.is_empty() || paragraph.iter().any(|line| is_mark(line)) {
            continue;
        }
        let sentence = first_sentence(&without_links(&paragraph.join(" ")));
        if sentence.split_whitespace().count() >= LEAST_WORDS && !speaks_of_others(&sentence) {
            found.push((start + 1, sentence));
        }
    }
    found
}

/// Whether a line is no prose: a title, a badge, a picture, a directive, a table or a quote.
fn is_mark(line: &str) -> bool {
    let marks = ["#", "<", "!", "..", "|", "=", "-", "* ", ":", "[!", "```", ">", "+", "__", "~", " ", "\t"];
    // `**Shop** is` begins a sentence, and `**Documentation**: x` does not.
    let is_label = line.strip_prefix("**").is_some_and(|rest| {
        rest.split_once("**").is_none_or(|(inside, behind)| inside.ends_with(':') || !behind.starts_with(' '))
    });
    is_label || marks.iter().any(|mark| line.starts_with(mark))
}

/// Whether a line underlines a title.
pub(in crate::ask::answer) fn is_underline(line: &str) -> bool {
    let line = line.trim_end();
    let mut signs = line.chars();
    let first = signs.next().filter(|sign| "=-~^*#+_".contains(*sign));
    line.len() >= SHORTEST_UNDERLINE && first.is_some_and(|first| signs.all(|sign| sign == first))
}

/// Whether a title or sentence is about money, badges, talk or the license, which say nothing of what a project does.
fn speaks_of_others(text: &str) -> bool {
    const OTHERS: [&str; 18] = [
        "backer",
        "badge",
        "chat",
        "collective",
        "community",
        "contribut",
        "discord",
        "donat",
        "enterprise",
        "funding",
        "gitter",
        "licens",
        "licenc",
        "mailing",
        "slack",
        "sponsor",
        "supporter",
        "tidelift",
    ];
    let lower = text.to_lowercase();
    let is_sentence = lower.split(' ').count() > LEAST_WORDS;
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    // `a BSD licensed parser for chat logs` says what it is.
    let counts = |other: &str| !is_sentence || is_in("backer badge collective donat funding sponsor tidelift", other);
    words.any(|word| OTHERS.iter().any(|other| counts(other) && word.starts_with(other)))
}

/// A text without the marks of links and emphasis: `[WSGI][wsgi]` names its link elsewhere.
fn without_links(text: &str) -> String {
    let mut plain = text.to_owned();
    while let Some(end) = plain.find("][") {
        let Some(close) = plain[end + 2..].find(']') else { break };
        plain.replace_range(end + 1..=end + 2 + close, "");
    }
    while let Some(end) = plain.find("](") {
        let Some(close) = plain[end..].find(')') else { break };
        plain.replace_range(end + 1..=end + close, "");
    }
    let plain = plain.replace("**", "").replace(['[', ']'], "");
    let words = plain.split(' ').map(|word| match word.strip_prefix(['*', '_']) {
        Some(inner) => inner.strip_suffix(['*', '_']).unwrap_or(word),
        None => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_is_the_first_prose() {
        let found = |text: &str| {
            let first = prose(text).into_iter().next();
            first.map(|(line, sentence)| format!("{line}: {}", sentence.trim_end_matches('.')))
        };
        let text = "# Shop\n\n[![badge](x)](y)\n\nShop sells\nthings to people. It is small.\n";
        assert_eq!(found(text).as_deref(), Some("5: Shop sells things to people"));
        assert_eq!(
            found("Shop\n====\n\n.. image:: x\n\nA shop for small things.\n").as_deref(),
            Some("6: A shop for small things")
        );
        assert_eq!(
            found("Flask is a light [WSGI][wsgi] [tool](url). More.\n").as_deref(),
            Some("1: Flask is a light WSGI tool")
        );
        assert_eq!(found("# Shop\n"), None);
        let text = "Shop\n====\nSponsors\n--------\nGood People pay for all of this.\n\nUse\n---\n**shop** is a shop for all things.\n";
        assert_eq!(found(text).as_deref(), Some("9: shop is a shop for all things"));
        assert_eq!(found("**Documentation**: see the pages of the shop.\n"), None);
        assert_eq!(found("# Shop\n\n## Donations\n\nOur host is Open Company, a platform for you.\n"), None);
    }
}
