//! Answers about docstrings: those that have some words, and the one of a definition.

pub(super) mod asked;
mod parts;

use std::collections::BTreeSet;

use super::{choice::worded, is_configuration, place, within};
use crate::{
    ask::{
        answer::{
            Answer, AnswerBlock, AnswerInputs, ListRow, Snippet, names_of, relations::having::owners, survey::hit_row,
        },
        reading::{
            forms::QuestionIntent,
            plan::{PlannedFile, Understood},
            words::{ParsedQuestion, QuestionWord, is_in, stem},
        },
    },
    model::{
        EntityKind,
        conventions::{has_whole_name, is_name_part},
    },
    query::{
        impact::completeness::{Boundary, Completeness},
        search::{Hit, SearchField, SearchOptions, SearchText},
        target::{
            Target, TargetMatch,
            filter::{Filter, FilterReader, matches_path},
            implementation, known,
            likeliest::{is_aside, likeliest},
        },
        words::{count, shell_word},
    },
    store::{error::StoreError, read::Entity},
    texts::source::{split_body, split_definition},
};

const DOCSTRINGS: &str = "docstring docstrings";
/// Words with which a question for docstrings begins.
const HEADS: &str = "all any are do docstrings does every find get give grep is list look search show what where which \
     who whose";
/// Verbs of a text that has some words; the others only behind `docstrings`.
const MENTIONING: &str = "contain containing contains describe describes describing discuss discusses discussing explain \
     explaining explains mention mentioned mentioning mentions refer referring refers say saying says speak speaking \
     speaks talk talking talks use uses using";
const ABOUT: &str = "about for on with";
/// Words around what is looked for.
const AROUND: &str = "a all an and any are at class classes code codebase definition definitions do does each every find \
     function functions get give grep has have here in inside is it its list look me method methods module modules of or \
     our phrase please properties property repo repository search show some somewhere term text that the their there \
     these this through to what where which who whose within word words you";
/// Words of questions for docstrings that are not there, and of instructions to write them.
const OTHER: &str = "add change create doesn't don't draft fix generate improve lack lacking lacks make missing never no \
     not rewrite suggest translate update without write";
/// Words between `the docstring of` and the name.
const BEFORE_OWNER: &str = "a an class function method module property the";
/// Words around the definition whose docstring is asked for.
const OF_ONE: &str = "class contain contains content docstring does do entire for full function give in is me method \
     module of print quote read say says see show tell text the us what whole written";

/// Docstrings near in meaning that are listed, and those whose order a search gives.
const MAX_NEAR: usize = 8;
const MAX_RANKED: usize = 200;
/// Definitions of one name whose docstrings are shown.
const MAX_SHOWN: usize = 3;
/// Characters of a line that has the words.
const LONGEST_LINE: usize = 120;

/// A docstring: its lines and the text between its quotes.
struct Docstring {
    start_line: u32,
    end_line: u32,
    text: String,
}

/// Answers `which docstrings mention X` and `what does the docstring of X say`; `None` for other questions.
pub(in crate::ask::answer) fn docstrings(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    for answering in [share, whether] {
        if let Some(answer) = answering(reading, understood)? {
            return Ok(Some(answer));
        }
    }
    let question = &understood.question;
    let is = |at: usize, list: &str| question.words.get(at).is_some_and(|word| is_in(list, &word.lower()));
    let Some(place) = (0..question.words.len()).find(|at| is(*at, DOCSTRINGS)) else { return Ok(None) };
    if (0..question.words.len()).any(|at| is(at, OTHER)) {
        return Ok(None);
    }
    if is(place, "docstring") {
        let owner = owner_of(&question.words, place);
        let owners = owner.map(|at| documented(reading, understood, &question.words[at].text)).transpose()?;
        let owners = owners.unwrap_or_default();
        if let Some(answer) = saying(reading, understood, place, &owners) {
            return Ok(Some(answer));
        }
        if let Some(answer) = of_definition(reading, understood, place, &owners) {
            return Ok(Some(answer));
        }
    }
    // `do all functions of a.py have docstrings`
    let is_of_all = is(0, "are do does is have has") && (1..4).any(|at| is(at, "all each every"));
    if is_of_all && place + 1 == question.words.len() {
        return Ok(None);
    }
    // `is there a docstring on Cart` asks for the docstring of `Cart`.
    if is(0, "is are") && is(place + 1, "for of on") && !understood.targets.is_empty() {
        return Ok(None);
    }
    let speaks = (0..question.words.len()).any(|at| is(at, MENTIONING));
    let is_about = is(place + 1, ABOUT) || is(place + 1, "are is that") && is(place + 2, "about");
    let has_in = (1..place).any(|at| is(at, "has have with")) && (1..place).any(|at| is(at, "in inside within"));
    if !is(0, HEADS) || !(speaks || is_about || has_in) {
        return Ok(None);
    }
    let topic = topic(question, understood);
    if topic.is_empty() { Ok(None) } else { having(reading, understood, &topic).map(Some) }
}

/// Says how many of the definitions of a kind have a docstring: `what percentage of functions are documented`; `None`
/// for other questions.
fn share(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    const SHARES: &str = "fraction percent percentage portion proportion ratio share";
    let words = understood.question.lower_words();
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let is_coverage = words.windows(2).any(|pair| is_in(DOCSTRINGS, &pair[0]) && pair[1] == "coverage");
    if !(is_coverage || has(SHARES) && (has(DOCSTRINGS) || has("documented undocumented"))) {
        return Ok(None);
    }
    let mut asked = understood.clone().read_as(QuestionIntent::Select);
    asked.plan.filters.is.retain(|condition| !is_in("count documented undocumented", condition));
    let filter = asked.filter();
    let reader = FilterReader::new(reading.store)?;
    let mut all = reader.fitting(&filter)?;
    let is_within = within(&asked);
    all.retain(|entity| !is_configuration(entity) && is_within(entity));
    let documented = Filter { has_docstring: Some(true), ..Filter::default() };
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for entity in &all {
        if reader.accepts(&documented, entity)? { with.push(entity) } else { without.push(entity) }
    }
    let (noun, conditions) = worded(&asked.plan.filters);
    let conditions = if conditions.is_empty() { conditions } else { format!(" ({conditions})") };
    let mut answer = Answer::new(asked.plan.clone(), String::new());
    answer.command = understood.plan.ask_command();
    let percent = (100 * with.len()).checked_div(all.len()).map_or(String::new(), |share| format!(" ({share} %)"));
    answer.headline = format!(
        "{} of {}{conditions} {} {} a docstring{percent}",
        with.len(),
        count(all.len(), noun),
        place(&asked, &filter),
        if with.len() == 1 { "has" } else { "have" },
    );
    for (title, found) in [("without a docstring", without), ("with a docstring", with)] {
        answer.list(format!("{title} ({})", found.len()), found.into_iter().map(ListRow::of).collect());
    }
    Ok(Some(answer))
}

/// The definitions that a question for a docstring calls so. A word that is no name elsewhere, or that a variable has
/// too, is one here: `the docstring of print`.
fn documented(reading: AnswerInputs, understood: &Understood, text: &str) -> Result<Vec<Target>, StoreError> {
    let store = reading.store;
    let text = text.trim_end_matches("()");
    let has_source =
        |target: &Target| !matches!(target.main().record.kind, EntityKind::Variable | EntityKind::Document);
    let is_module = |target: &Target| target.main().record.kind == EntityKind::Module;
    let is_documented = |target: &Target| docstring(reading, target.implementation()).is_some();
    let mut found = owners(store, understood, text)?;
    if found.iter().any(|target| has_source(target) && !is_module(target) && is_documented(target)) {
        found.retain(has_source);
        return Ok(found);
    }
    let called = match known(store, text, "")? {
        _ if !text.contains('.') => store.entities_named(text, false)?,
        Some(TargetMatch::Found(target)) => target.entities,
        Some(TargetMatch::Ambiguous(entities)) => entities,
        _ => Vec::new(),
    };
    let mut others: Vec<Target> = Vec::new();
    for entity in called {
        let entity = implementation(store, entity)?;
        // `skip = _Skip()`: the docstring is that of the class.
        let entity = class_of_object(reading, &entity)?.unwrap_or(entity);
        if others.iter().all(|known| known.main().id != entity.id) {
            others.push(Target::of(vec![entity]));
        }
    }
    others.retain(has_source);
    if others.iter().any(is_documented) {
        others.retain(is_documented);
    }
    if !others.iter().all(is_module) {
        others.retain(|target| !is_module(target));
    }
    let (mut chosen, _) = likeliest(store, text, others)?;
    chosen.truncate(MAX_SHOWN);
    Ok(if chosen.is_empty() { found } else { chosen })
}

/// The class of the object that a variable holds from its first line on: `skip: _Skip = _Skip()`.
fn class_of_object(reading: AnswerInputs, variable: &Entity) -> Result<Option<Entity>, StoreError> {
    if variable.record.kind != EntityKind::Variable {
        return Ok(None);
    }
    let line = reading.sources.line(&variable.path, variable.record.start_line).unwrap_or_default();
    let Some((name, _)) = line.split_once('=').and_then(|(_, value)| value.trim().split_once('(')) else {
        return Ok(None);
    };
    let classes = reading.store.entities_named(name.rsplit('.').next().unwrap_or(name), false)?;
    Ok(classes.into_iter().find(|class| class.record.kind == EntityKind::Class && class.path == variable.path))
}

/// Says whether a definition has a docstring whose name is a common word: `does skip have a docstring`.
fn whether(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let words = &understood.question.words;
    let lower = understood.question.lower_words();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    let (["does", _, "have", "a" | "any", "docstring"] | ["has", _, "a" | "any", "docstring"]) = lower.as_slice()
    else {
        return Ok(None);
    };
    if !understood.targets.is_empty() {
        return Ok(None);
    }
    let owners = documented(reading, understood, &words[1].text)?;
    let Some(owner) = owners.first() else { return Ok(None) };
    let entity = owner.implementation();
    let (yes, has) = match docstring(reading, entity) {
        Some(_) => ("yes", "has a docstring"),
        None => ("no", "has no docstring"),
    };
    let (name, place) = (entity.full_name(), format!("{}:{}", entity.path, entity.record.start_line));
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Show).plan, String::new());
    let asked = &words[1].text;
    let object = if entity.record.name == *asked { String::new() } else { format!("`{asked}` is an object of ") };
    answer.headline = match object.as_str() {
        "" => format!("{yes}: `{name}` {has} ({} at {place})", entity.record.kind.as_str()),
        object => format!("{yes}: {object}`{name}`, which {has} ({} at {place})", entity.record.kind.as_str()),
    };
    answer.command = format!("repoidx show {}", shell_word(&name));
    answer.want(entity, "asked about", false);
    Ok(Some(answer))
}

/// The words that docstrings are asked to have, in their order.
fn topic(question: &ParsedQuestion, understood: &Understood) -> String {
    let is_place = |word: &QuestionWord| understood.plan.files.iter().any(|file| file.mention == word.text);
    let says_nothing = |word: &QuestionWord| {
        let lower = word.lower();
        let is_known = |list: &str| is_in(list, &lower);
        !word.is_quoted
            && (is_known(AROUND) || is_known(MENTIONING) || is_known(DOCSTRINGS) || is_known("about for on with"))
    };
    let mut parts: Vec<(usize, &str)> = Vec::new();
    for (at, word) in question.words.iter().enumerate() {
        if !says_nothing(word) && !is_place(word) {
            parts.push((at, &word.text));
        }
    }
    parts.extend(question.quotes.iter().map(|(at, quote)| (*at, quote.as_str())));
    parts.sort_by_key(|(at, _)| *at);
    parts.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" ")
}

/// Lists the docstrings that have these words, side by side or apart, and behind them those that are near in meaning.
fn having(reading: AnswerInputs, understood: &Understood, topic: &str) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Search).plan, String::new());
    answer.plan.notes.clear();
    let kinds = kinds(understood);
    let paths: Vec<String> = understood.plan.files.iter().flat_map(PlannedFile::patterns).collect();
    let options = SearchOptions {
        text: SearchText::For(SearchField::Docstring),
        limit: MAX_RANKED,
        kinds: kinds.clone(),
        paths: paths.clone(),
        ..SearchOptions::default()
    };
    let hits = (reading.search)(topic, &options)?.hits;
    let wanted = told(topic);
    let (mut beside, mut apart) = (Vec::new(), Vec::new());
    for (id, file) in reading.store.files()? {
        let is_inside = paths.is_empty() || paths.iter().any(|pattern| matches_path(&file.path, pattern));
        if !is_inside || understood.leaves_out(&file.path) {
            continue;
        }
        for entity in reading.store.entities_of(id)? {
            if !kinds.is_empty() && !kinds.contains(&entity.record.kind) {
                continue;
            }
            let Some(docstring) = docstring(reading, &entity) else { continue };
            let words = told(&docstring.text);
            let known: BTreeSet<&String> = words.iter().collect();
            if !wanted.iter().all(|word| known.contains(word)) {
                continue;
            }
            let is_beside = words.windows(wanted.len()).any(|run| run == wanted);
            let first = wanted.first();
            let line = docstring.text.lines().find(|line| first.is_some_and(|word| told(line).contains(word)));
            let line: String = line.unwrap_or_default().trim().chars().take(LONGEST_LINE).collect();
            let found = (entity, docstring.start_line, line);
            if is_beside { &mut beside } else { &mut apart }.push(found);
        }
    }
    let rank = |entity: &Entity| hits.iter().position(|hit| hit.id == Some(entity.id)).unwrap_or(hits.len());
    for found in [&mut beside, &mut apart] {
        found.sort_by_cached_key(|(entity, ..)| {
            let is_far = is_aside(&entity.path);
            (is_far, rank(entity), entity.path.clone(), entity.record.start_line)
        });
    }
    let is_known = |hit: &Hit| beside.iter().chain(&apart).any(|(entity, ..)| hit.id == Some(entity.id));
    let near: Vec<ListRow> = hits.iter().filter(|hit| !is_known(hit)).take(MAX_NEAR).map(hit_row).collect();
    let whether = match (understood.words.first().map(String::as_str), beside.is_empty() && apart.is_empty()) {
        (Some("are" | "do" | "does" | "is"), true) => "no: ",
        (Some("are" | "do" | "does" | "is"), false) => "yes: ",
        _ => "",
    };
    let shown =
        |found: &(Entity, u32, String)| format!("first `{}` ({}:{})", found.0.full_name(), found.0.path, found.1);
    let has = |all: usize| format!("{} {}", count(all, "docstring"), if all == 1 { "has" } else { "have" });
    let said = match (beside.first(), apart.first(), near.first()) {
        (Some(first), None, _) => format!("{} `{topic}`, {}", has(beside.len()), shown(first)),
        (Some(first), Some(_), _) => {
            let more = apart.len();
            format!("{} `{topic}`, {}; {more} more with its words apart", has(beside.len()), shown(first))
        }
        (None, Some(first), _) => {
            format!("no docstring has `{topic}`; {} its words apart, {}", has(apart.len()), shown(first))
        }
        (None, None, Some(near)) => {
            format!("no docstring has `{topic}`; nearest in meaning: `{}` ({}:{})", near.name, near.path, near.line)
        }
        (None, None, None) => format!("no docstring has `{topic}`, and none is near in meaning"),
    };
    answer.headline = format!("{whether}{said}");
    for (entity, ..) in beside.iter().chain(&apart).take(super::MAX_WANTED) {
        answer.want(entity, "its docstring has the words", true);
    }
    let row = |(entity, _, line): &(Entity, u32, String)| ListRow::of(entity).with(line.clone());
    for (title, found) in [("docstrings with", &beside), ("docstrings with the words apart of", &apart)] {
        let rows: Vec<ListRow> = found.iter().map(row).collect();
        answer.list(format!("{title} `{topic}` ({})", rows.len()), rows);
    }
    let all = near.len();
    answer.list(format!("docstrings near in meaning ({all})"), near);
    if all > 0 {
        let message = "near in meaning by likeness: none of these is certain".to_owned();
        answer.bound(Completeness::Exact, [Boundary::new("search", all, message)]);
    }
    let kinds: String = kinds.iter().map(|kind| format!(" --kind {kind}")).collect();
    let paths: String = paths.iter().map(|path| format!(" --in {}", shell_word(path))).collect();
    answer.command = format!("repoidx search --field docstring {}{kinds}{paths}", shell_word(topic));
    Ok(answer)
}

/// The kinds of definitions whose docstrings are asked for; empty for all.
fn kinds(understood: &Understood) -> Vec<EntityKind> {
    let has = |noun: &str| understood.words.iter().any(|word| word == noun);
    match understood.kinds() {
        kinds if !kinds.is_empty() => kinds,
        _ if has("modules") => vec![EntityKind::Module],
        _ if has("classes") => vec![EntityKind::Class],
        _ if has("functions") || has("methods") => {
            vec![EntityKind::Function, EntityKind::Method, EntityKind::Property]
        }
        _ => Vec::new(),
    }
}

/// The stems of the words of a text, in order.
fn told(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| stem(&word.to_lowercase())).collect()
}

/// The number of the word that names the definition whose docstring is asked for: of `the docstring of the class C` and
/// `C's docstring`.
fn owner_of(words: &[QuestionWord], place: usize) -> Option<usize> {
    if place > 0 && words[place - 1].is_possessive {
        return Some(place - 1);
    }
    let behind = words.get(place + 1).filter(|word| is_in("for in of", &word.lower()));
    behind?;
    (place + 2..words.len()).find(|at| !is_in(BEFORE_OWNER, &words[*at].lower()))
}

/// Says where the docstring of one definition has some words: `what does the docstring of f say about x`, `does the
/// docstring of f mention x`; `None` for other questions.
fn saying(reading: AnswerInputs, understood: &Understood, place: usize, owners: &[Target]) -> Option<Answer> {
    let question = &understood.question;
    let words = &question.words;
    let owner = owner_of(words, place)?;
    let is_asked = |at: usize| {
        let lower = words[at].lower();
        // `say about methods`
        let is_topic = at + 1 == words.len() && at > owner + 1 && {
            let before = words[at - 1].lower();
            is_in(MENTIONING, &before) || is_in(ABOUT, &before)
        };
        words[at].is_quoted
            || is_topic
            || !(at == owner || [OF_ONE, AROUND, MENTIONING, ABOUT].iter().any(|list| is_in(list, &lower)))
    };
    let mut topic: Vec<&str> = (0..words.len()).filter(|at| is_asked(*at)).map(|at| words[at].text.as_str()).collect();
    topic.extend(question.quotes.iter().map(|(_, quote)| quote.as_str()));
    let speaks = words[owner + 1..].iter().chain(&words[..place]).any(|word| {
        let lower = word.lower();
        is_in(MENTIONING, &lower) || is_in(ABOUT, &lower)
    });
    if owners.is_empty() || topic.is_empty() || !speaks {
        return None;
    }
    let topic = topic.join(" ");
    let wanted = told(&topic);
    // `strict_slashes` is one name, not two words.
    let is_name = topic.contains('_') && topic.chars().all(is_name_part);
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Show).plan, String::new());
    let asks_whether = words.first().is_some_and(|word| is_in("do does is", &word.lower()));
    let (mut headlines, mut found) = (Vec::new(), 0);
    for entity in owners.iter().flat_map(|target| &target.entities) {
        let Some(Docstring { start_line, text, .. }) = docstring(reading, entity) else { continue };
        let (name, path) = (entity.full_name(), &entity.path);
        let known: BTreeSet<String> = told(&text).into_iter().collect();
        let has_all =
            if is_name { has_whole_name(&text, &topic) } else { wanted.iter().all(|word| known.contains(word)) };
        let has_some = |line: &str| told(line).iter().any(|word| wanted.contains(word));
        let is_there = |line: &str| if is_name { has_whole_name(line, &topic) } else { has_some(line) };
        let lines: Vec<(u32, &str)> = (start_line..).zip(text.lines()).filter(|(_, line)| is_there(line)).collect();
        let yes = if asks_whether { if has_all { "yes: " } else { "no: " } } else { "" };
        // Of several definitions, those that have it come first.
        let place = if has_all { found } else { headlines.len() };
        found += usize::from(has_all);
        let said = match lines.first().filter(|_| has_all) {
            Some((first, _)) => {
                let all = count(lines.len(), "line");
                format!("{yes}the docstring of `{name}` has `{topic}` in {all}, first at {path}:{first}")
            }
            None => format!("{yes}the docstring of `{name}` ({path}:{start_line}) does not have `{topic}`"),
        };
        headlines.insert(place, said);
        answer.want(entity, "asked about", false);
        let rows = lines.iter().map(|(line, text)| {
            let row = ListRow { line: *line, end_line: 0, ..ListRow::of(entity) };
            row.with(text.trim().chars().take(LONGEST_LINE).collect::<String>())
        });
        answer.list(format!("lines with `{topic}` ({})", lines.len()), rows.collect::<Vec<_>>());
        let (kind, path, end_line) = (entity.record.kind, path.clone(), start_line + lines_of(&text));
        let text = reading.sources.lines(&path, start_line, end_line);
        answer.blocks.push(AnswerBlock::Source(Snippet { name, kind, path, start_line, end_line, text }));
    }
    if headlines.is_empty() {
        answer.want(owners[0].main(), "asked about", false);
        headlines.push(format!("{} has no docstring", names_of(owners)));
    }
    answer.headline = headlines.join("; ");
    answer.command = format!("repoidx show {}", shell_word(&owners[0].main().full_name()));
    Some(answer)
}

/// Shows the docstring of the definition that a question names; `None` for other questions.
fn of_definition(reading: AnswerInputs, understood: &Understood, place: usize, owners: &[Target]) -> Option<Answer> {
    let words = &understood.question.words;
    let owner = owner_of(words, place).filter(|_| !owners.is_empty())?;
    let says_more = (0..words.len()).any(|at| at != owner && !is_in(OF_ONE, &words[at].lower()));
    let asks_whether = words.first().is_some_and(|word| is_in("does do is", &word.lower()));
    if says_more || asks_whether || !understood.plan.files.is_empty() {
        return None;
    }
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Show).plan, String::new());
    let mut headlines = Vec::new();
    for entity in owners.iter().flat_map(|target| &target.entities) {
        let Some(docstring) = docstring(reading, entity) else { continue };
        let Docstring { start_line, end_line, .. } = docstring;
        let (name, path) = (entity.full_name(), entity.path.clone());
        headlines.push(format!("the docstring of `{name}` is at {path}:{start_line}-{end_line}"));
        answer.want(entity, "asked about", false);
        if headlines.len() <= MAX_SHOWN {
            let text = reading.sources.lines(&path, start_line, end_line);
            let kind = entity.record.kind;
            answer.blocks.push(AnswerBlock::Source(Snippet { name, kind, path, start_line, end_line, text }));
        }
    }
    for target in owners.iter().filter(|_| headlines.is_empty()) {
        answer.want(target.main(), "asked about", false);
        answer.list("definitions without a docstring", vec![ListRow::of(target.main())]);
    }
    answer.headline =
        if headlines.is_empty() { format!("{} has no docstring", names_of(owners)) } else { headlines.join("; ") };
    answer.command = format!("repoidx show {}", shell_word(&owners[0].main().full_name()));
    Some(answer)
}

/// The docstring of a definition as the source has it; `None` without one.
fn docstring(reading: AnswerInputs, entity: &Entity) -> Option<Docstring> {
    let record = &entity.record;
    let (text, first, is_module) = match record.kind {
        EntityKind::Module => (reading.sources.text(&entity.path)?.to_string(), 1, true),
        EntityKind::Variable | EntityKind::Document => return None,
        _ => (reading.sources.lines(&entity.path, record.line, record.end_line)?, record.line, false),
    };
    let (doc, _) = if is_module { split_body(&text) } else { split_definition(&text) };
    if doc.trim().is_empty() {
        return None;
    }
    let start_line = first + lines_of(&text[..text.find(doc)?]);
    Some(Docstring { start_line, end_line: start_line + lines_of(doc), text: doc.to_owned() })
}

/// The number of line ends in a text.
fn lines_of(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX)
}
