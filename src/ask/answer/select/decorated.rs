//! The decorators of all definitions, and definitions by the number of theirs: `which decorators are used`, `which
//! methods have more than one decorator`.

use std::collections::BTreeMap;

use super::{place, within};
use crate::{
    ask::{
        answer::{Answer, AnswerBlock, AnswerInputs, AnswerTable, ListRow, in_words},
        reading::{
            filters::{Filters, Noun},
            forms::{QuestionIntent, patterns::number},
            plan::Understood,
            relations::noun_of,
            words::is_in,
        },
    },
    query::{
        target::filter::{DefinitionMark, FilterReader},
        words::{count, plural},
    },
    store::{error::StoreError, read::Entity},
};

/// Decorators that a headline names.
const MAX_NAMED: usize = 5;

/// Answers them; `None` for other questions.
pub(super) fn decorated(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let words = understood.question.lower_words();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some(at) = words.iter().position(|word| is_in("decorator decorators", word)) else { return Ok(None) };
    if is_in("which what list show", words[0]) && words[at] == "decorators" && asks_for_used(&words, at) {
        return used(reading, understood).map(Some);
    }
    match limit(&words, at) {
        Some((noun, least, most)) => by_number(reading, understood, noun, least, most).map(Some),
        None => Ok(None),
    }
}

/// Whether the decorators of all definitions are asked for, whoever defines them.
fn asks_for_used(words: &[&str], at: usize) -> bool {
    let says_nothing = |word: &&str| {
        is_in(
            "are all applied do does here in is me our repo repository the there this use used we which what list show it",
            word,
        )
    };
    let head = words[..at].iter().all(|word| is_in("which what list show me all the", word));
    let is_use = words[at + 1..].iter().any(|word| is_in("used applied use", word));
    head && is_use && words[at + 1..].iter().all(says_nothing)
}

/// The noun, and the least and the largest number of decorators: `methods with more than one decorator`.
fn limit(words: &[&str], at: usize) -> Option<(Noun, usize, usize)> {
    let noun_at = words[..at].iter().position(|word| is_in("functions methods classes definitions", word))?;
    let noun = noun_of(words[noun_at])?;
    let head = &words[..noun_at];
    let between = &words[noun_at + 1..at];
    let is_head = |word: &&str| is_in("how many which what list show me all the find number of", word);
    let is_said = |word: &&str| {
        is_in(
            "a are at decorated exactly fewer has have having just least less more most multiple one or several than that use with",
            word,
        ) || number(word).is_some()
    };
    if !head.iter().all(is_head) || !between.iter().all(is_said) || at + 1 != words.len() {
        return None;
    }
    let says = |word: &str| between.contains(&word);
    if says("multiple") || says("several") {
        return Some((noun, 2, usize::MAX));
    }
    let stated = between.iter().find_map(|word| number(word)).map(|number| number as usize)?;
    Some(match () {
        () if says("than") && says("more") => (noun, stated + 1, usize::MAX),
        () if says("than") && (says("fewer") || says("less")) => (noun, 0, stated.saturating_sub(1)),
        () if says("least") || says("or") && says("more") => (noun, stated, usize::MAX),
        () if says("most") => (noun, 0, stated),
        () => (noun, stated, stated),
    })
}

/// The definitions of a noun where the question looks.
fn all(reading: AnswerInputs, understood: &Understood, noun: Noun) -> Result<(Vec<Entity>, String), StoreError> {
    let mut asked = understood.clone().read_as(QuestionIntent::Select);
    asked.plan.filters = Filters::default();
    asked.plan.filters.noun = Some(noun);
    let mut filter = asked.filter();
    filter.marks.retain(|mark| *mark != DefinitionMark::Outer);
    let is_within = within(&asked);
    let mut found = FilterReader::new(reading.store)?.fitting(&filter)?;
    found.retain(is_within);
    let place = place(&asked, &filter);
    Ok((found, place))
}

fn by_number(
    reading: AnswerInputs,
    understood: &Understood,
    noun: Noun,
    least: usize,
    most: usize,
) -> Result<Answer, StoreError> {
    let (mut found, place) = all(reading, understood, noun)?;
    let total = found.len();
    found.retain(|entity| (least..=most).contains(&entity.record.decorators.len()));
    let limit = match (least, most) {
        (least, most) if least == most => format!("exactly {}", count(least, "decorator")),
        (0, most) => format!("at most {}", count(most, "decorator")),
        (least, _) => format!("at least {}", count(least, "decorator")),
    };
    let noun = noun.worded();
    let have = if found.len() == 1 { "has" } else { "have" };
    let headline = match found.len() {
        0 => format!("none: not one of {} {place} has {limit}", count(total, noun)),
        some => format!("{some} of {} {place} {have} {limit}", count(total, noun)),
    };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Select).plan, headline);
    answer.command = understood.plan.ask_command();
    let note =
        |entity: &Entity| entity.record.decorators.iter().map(|one| format!("@{one}")).collect::<Vec<_>>().join(" ");
    for entity in found.iter().take(super::MAX_WANTED) {
        answer.want(entity, "it fits", true);
    }
    let rows: Vec<ListRow> = found.iter().map(|entity| ListRow::of(entity).with(note(entity))).collect();
    answer.list(format!("{} that fit ({})", plural(noun), rows.len()), rows);
    Ok(answer)
}

/// Counts the decorators of all definitions, the most used first.
fn used(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut asked = understood.clone().read_as(QuestionIntent::Select);
    asked.plan.filters = Filters::default();
    let filter = asked.filter();
    let (is_within, place) = (within(&asked), place(&asked, &filter));
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    // A setter and each overload have decorators of their own.
    for (file, _) in reading.store.files()?.into_iter().filter(|(_, file)| filter.accepts_file(file)) {
        for entity in reading.store.entities_of(file)?.iter().filter(|entity| is_within(entity)) {
            for decorator in &entity.record.decorators {
                let name = decorator.split('(').next().unwrap_or(decorator).trim();
                *uses.entry(name.to_owned()).or_default() += 1;
            }
        }
    }
    let mut uses: Vec<(String, usize)> = uses.into_iter().collect();
    uses.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let named: Vec<String> = uses.iter().take(MAX_NAMED).map(|(name, uses)| format!("`@{name}` ({uses})")).collect();
    let headline = match uses.len() {
        0 => format!("none: no definition {place} has a decorator"),
        all => format!(
            "{} {} used {place}, most often {}",
            count(all, "decorator"),
            if all == 1 { "is" } else { "are" },
            in_words(&named)
        ),
    };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Select).plan, headline);
    answer.command = understood.plan.ask_command();
    let rows = uses.into_iter().map(|(name, uses)| vec![name, uses.to_string()]).collect();
    let columns = vec!["decorator".to_owned(), "definitions".to_owned()];
    answer.blocks.push(AnswerBlock::Table(AnswerTable { title: "decorators".to_owned(), columns, rows }));
    Ok(answer)
}
