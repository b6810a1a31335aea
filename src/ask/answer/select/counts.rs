//! The numbers of definitions of several kinds, each by itself: `how many classes, functions and methods`.

use super::{MAX_WANTED, choice::worded, is_configuration, place, within};
use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, in_words},
        reading::{filters::Noun, plan::Understood},
    },
    model::EntityKind,
    query::{
        target::filter::FilterReader,
        words::{count, plural},
    },
    store::error::StoreError,
};

/// The kinds of definitions that a question counts one by one: `how many classes, functions and methods`.
pub(super) fn listed_nouns(words: &[String]) -> Vec<Noun> {
    let begin = words.windows(2).position(|pair| matches!([&*pair[0], &*pair[1]], ["how", "many"] | ["number", "of"]));
    let mut nouns = Vec::new();
    for word in words[begin.map_or(words.len(), |at| at + 2)..].iter().map(String::as_str) {
        nouns.push(match word {
            "classes" => Noun::Class,
            "functions" => Noun::Function,
            "methods" => Noun::Method,
            "modules" | "files" => Noun::Module,
            "constants" => Noun::Constant,
            "and" | "or" | "the" | "how" | "many" => continue,
            _ => break,
        });
    }
    nouns.dedup();
    nouns
}

/// The name of files that a question counts like a kind of definitions: `how many filters`.
pub(super) fn counted_place(understood: &Understood) -> Option<&str> {
    let is_counted = |name: &str| understood.words.windows(2).any(|pair| pair[0] == "many" && pair[1] == name);
    let mut files = understood.plan.files.iter().map(|file| file.mention.as_str());
    files.find(|name| is_counted(&name.to_lowercase()) && understood.plan.filters.noun == Some(Noun::Definition))
}

/// Counts the definitions of several kinds, each by itself; kinds of which there are none are not said.
pub(super) fn counts(reading: AnswerInputs, understood: &Understood, nouns: &[Noun]) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let reader = FilterReader::new(reading.store)?;
    let (mut parts, mut commands) = (Vec::new(), Vec::new());
    let mut lists = Vec::new();
    let mut where_found = String::new();
    let is_within = within(understood);
    for noun in nouns {
        let mut one = understood.clone();
        one.plan.filters.noun = Some(*noun);
        let mut filter = one.filter();
        if *noun == Noun::Function && nouns.contains(&Noun::Method) {
            filter.kinds = vec![EntityKind::Function];
        }
        let mut found = reader.fitting(&filter)?;
        found.retain(|entity| !is_configuration(entity) && is_within(entity));
        for entity in found.iter().take(MAX_WANTED / nouns.len()) {
            answer.want(entity, "it fits", true);
        }
        if !found.is_empty() {
            parts.push(count(found.len(), noun.worded()));
        }
        lists.push((plural(noun.worded()), found.iter().map(ListRow::of).collect::<Vec<_>>()));
        commands.extend(Some(one.command()).filter(|command| !command.is_empty()));
        where_found = place(understood, &filter);
    }
    if parts.is_empty() {
        parts.push(count(0, nouns.first().map_or("definition", |noun| noun.worded())));
    }
    let conditions = worded(&understood.plan.filters).1;
    let conditions = if conditions.is_empty() { String::new() } else { format!(" ({conditions})") };
    answer.headline = format!("{} {where_found}{conditions}", in_words(&parts));
    for (title, rows) in lists {
        answer.list(format!("{title} ({})", rows.len()), rows);
    }
    answer.command = commands.join("; ");
    Ok(answer)
}
