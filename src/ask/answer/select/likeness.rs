//! Answers with the definitions that are like a known one, by the words and the meaning of their code.

use std::ops::Range;

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, in_words, short_name},
        reading::{
            forms::QuestionIntent,
            names::{at_path, meanings},
            plan::Understood,
            words::{QuestionWord, is_in},
        },
    },
    model::EntityKind,
    query::{
        impact::completeness::{Boundary, Completeness},
        search::{SearchOptions, SearchText},
        target::{
            Target,
            filter::{Filter, FilterReader},
            likeliest::{is_aside, likeliest},
        },
        words::plural,
    },
    store::{error::StoreError, read::Entity},
};

/// Words that ask for likeness.
const LIKE: &str =
    "akin alike close closest comparable like near nearest resemble resembles resembling similar similarly";
/// Words around them and around the name.
const AROUND: &str = "a all an and another any anything are as class classes code codebase definition definitions else find \
     function functions give have here implementation implementations in is list logic look looking looks me meaning \
     method methods most of one other others part parts please show some something that the there these to very we what \
     which who with";

/// Definitions that are listed, and those of them that a headline names.
const MAX_LIKE: usize = 12;
const MAX_NAMED: usize = 3;

/// Answers `which code is similar to X`; `None` for other questions.
pub(in crate::ask::answer) fn likeness(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = &understood.question.words;
    let plan = &understood.plan;
    let Some((last, before)) = words.split_last() else { return Ok(None) };
    let is_subject = |word: &QuestionWord, mention: &str| word.text == mention || word.text.ends_with(mention);
    let is_like = |word: &QuestionWord| is_in(LIKE, &word.lower()) && *word != *last;
    let Some(like_at) = before.iter().position(is_like) else { return Ok(None) };
    let kind = kind_words(words, like_at);
    let is_rest = |(at, word): (usize, &QuestionWord)| {
        let lower = word.lower();
        is_in(LIKE, &lower) || is_in(AROUND, &lower) || kind.contains(&at)
    };
    let is_kind = |mention: &str| {
        let mut parts = mention.split_whitespace();
        parts.all(|part| words[kind.clone()].iter().any(|word| word.text == part))
    };
    let is_of_last = plan.subjects.iter().all(|one| is_subject(last, &one.mention) || is_kind(&one.mention));
    let is_known = plan.unknown.iter().all(|one| is_kind(&one.mention));
    if !before.iter().enumerate().all(is_rest) || !is_of_last || !is_known {
        return Ok(None);
    }
    let subjects = plan.subjects.iter().zip(&understood.targets);
    let mut named = subjects.filter(|(one, _)| is_subject(last, &one.mention)).map(|(_, target)| target.clone());
    let target = match named.next() {
        Some(target) => target,
        None => match called(reading, last)? {
            Some(target) => target,
            None => return Ok(None),
        },
    };
    let target = made_by(reading, target)?;
    let longest = target.entities.iter().max_by_key(|entity| entity.record.end_line - entity.record.start_line);
    // Of several definitions of one name the longest has the code.
    let main = longest.unwrap_or_else(|| target.main());
    if matches!(main.record.kind, EntityKind::Module | EntityKind::Variable | EntityKind::Document) {
        return Ok(None);
    }
    let asked = understood.clone().read_as(QuestionIntent::Search);
    let mut answer = Answer::new(asked.plan.clone(), String::new());
    answer.want(main, "asked about", false);
    let mut found = like(reading, &asked, main)?;
    found.truncate(MAX_LIKE);
    let name = short_name(main);
    let named: Vec<String> = found
        .iter()
        .take(MAX_NAMED)
        .map(|one| format!("`{}` ({}:{})", one.full_name(), one.path, one.record.start_line))
        .collect();
    let is_whether = words.first().is_some_and(|word| is_in("are do does is", &word.lower()));
    answer.headline = match (found.is_empty(), is_whether) {
        (true, _) => format!("nothing here is like `{name}`"),
        (false, true) => format!("perhaps: likest to `{name}` are {}, by likeness alone", in_words(&named)),
        (false, false) => format!("likest to `{name}` are {}, by likeness alone", in_words(&named)),
    };
    for entity in &found {
        answer.want(entity, "like it", true);
    }
    let rows: Vec<ListRow> = found.iter().map(|entity| ListRow::of(entity).with(entity.record.doc.clone())).collect();
    let all = rows.len();
    answer.list(format!("{} like `{name}`, the likest first ({all})", plural("definition")), rows);
    answer.beside(format!("the definition of `{name}`"), vec![ListRow::of(main)]);
    let message = "found by likeness of words and meaning: others may be alike too, and none of these is certain";
    answer.bound(Completeness::LowerBound, [Boundary::new("search", all, message.to_owned())]);
    Ok(Some(answer))
}

/// The places of the words that only say what is looked for: `auth classes` in `which auth classes are similar to X`.
fn kind_words(words: &[QuestionWord], like_at: usize) -> Range<usize> {
    const MAX_WORDS: usize = 4;
    let asks = words.first().is_some_and(|word| is_in("which what", &word.lower()));
    let is_verb = |word: &QuestionWord| is_in("are closely do is look looks most resemble resembles", &word.lower());
    let end = words[..=like_at].iter().position(is_verb).unwrap_or_default();
    if asks && (2..=MAX_WORDS).contains(&end) { 1..end } else { 0..0 }
}

/// The definition that a plain word at the end of the question names.
fn called(reading: AnswerInputs, word: &QuestionWord) -> Result<Option<Target>, StoreError> {
    let mut targets = meanings(reading.store, &word.text, None, true, "")?.targets;
    targets.retain(|target| target.main().record.name == word.text && !is_aside(&target.main().path));
    Ok(likeliest(reading.store, &word.text, targets)?.0.into_iter().next())
}

/// The class of which a variable holds an instance, `skip = _Skip()`: its code is compared.
fn made_by(reading: AnswerInputs, target: Target) -> Result<Target, StoreError> {
    let main = target.main();
    if main.record.kind != EntityKind::Variable {
        return Ok(target);
    }
    let line = reading.sources.line(&main.path, main.record.start_line).unwrap_or_default();
    let value = line.rsplit_once('=').map_or("", |(_, value)| value.trim());
    let Some((class, _)) = value.split_once('(') else { return Ok(target) };
    let is_class = |entity: &&Entity| entity.record.kind == EntityKind::Class && entity.record.qualified == class;
    let class = reading.store.entities_of(main.file)?.iter().find(is_class).cloned();
    Ok(class.map_or(target, |class| Target::of(vec![class])))
}

/// The definitions whose code is likest to that of another, without those around it and inside it.
fn like(reading: AnswerInputs, asked: &Understood, main: &Entity) -> Result<Vec<Entity>, StoreError> {
    let kinds = match asked.kinds() {
        kinds if !kinds.is_empty() => kinds,
        _ if main.record.kind == EntityKind::Class => vec![EntityKind::Class],
        _ => vec![EntityKind::Function, EntityKind::Method, EntityKind::Property],
    };
    let is_test = reading.store.file(main.file)?.is_some_and(|file| file.is_test);
    // A test has the words of what it tests and does something else.
    // Fixtures are like fixtures, if they are asked for.
    let mark = asked.plan.filters.noun.and_then(|noun| noun.meaning().1).filter(|mark| mark.fits(main));
    let marks = mark.into_iter().collect();
    let filter = Filter { kinds: kinds.clone(), marks, is_in_tests: Some(is_test), ..Filter::default() };
    let fitting = Some(FilterReader::new(reading.store)?.set(&filter)?);
    let options =
        SearchOptions { text: SearchText::Code, limit: 2 * MAX_LIKE, kinds, fitting, ..SearchOptions::default() };
    let mut found = Vec::new();
    for hit in (reading.search)(&code_of(reading, main)?, &options)?.hits {
        let Some(entity) = at_path(reading.store, &hit.name, &hit.path)? else { continue };
        let is_inside = |inner: &Entity, outer: &Entity| {
            let rest = inner.record.qualified.strip_prefix(outer.record.qualified.as_str());
            inner.file == outer.file && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if !is_inside(&entity, main) && !is_inside(main, &entity) {
            found.push(entity);
        }
    }
    Ok(found)
}

/// The code by which a definition is compared. The bodies of its methods would hide what a class is.
fn code_of(reading: AnswerInputs, main: &Entity) -> Result<String, StoreError> {
    let record = &main.record;
    if record.kind != EntityKind::Class {
        return Ok(reading.sources.lines(&main.path, record.start_line, record.end_line).unwrap_or_default());
    }
    let members = reading.store.children(main.id)?;
    let first = members.iter().map(|member| member.record.start_line).min().unwrap_or(record.end_line + 1);
    let mut code = reading.sources.lines(&main.path, record.start_line, first - 1).unwrap_or_default();
    for member in &members {
        code += &format!("\n{} {}", member.record.name, member.record.doc);
    }
    Ok(code)
}
