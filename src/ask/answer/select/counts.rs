//! Definitions of several kinds, each by itself: `how many classes, functions and methods`.

use super::{MAX_WANTED, choice::worded, is_configuration, place, within};
use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, in_words},
        reading::{filters::Noun, plan::Understood, words::is_in},
    },
    model::EntityKind,
    query::{
        target::filter::FilterReader,
        words::{count, plural},
    },
    store::{error::StoreError, read::Entity},
};

/// The kinds of definitions that a question joins, at least two or none: `how many classes, functions and methods`,
/// `functions and classes of m`. The first run of such words counts.
pub(in crate::ask::answer) fn joined_nouns(words: &[String]) -> Vec<Noun> {
    let noun = |word: &String| match word.as_str() {
        "classes" => Some(Noun::Class),
        "functions" => Some(Noun::Function),
        "methods" => Some(Noun::Method),
        "properties" => Some(Noun::Property),
        "exceptions" => Some(Noun::Exception),
        "modules" | "files" => Some(Noun::Module),
        "constants" => Some(Noun::Constant),
        "fixtures" => Some(Noun::Fixture),
        "attributes" | "variables" => Some(Noun::Variable),
        _ => None,
    };
    let is_joint = |word: &&String| is_in("and or the how many all", word);
    let starts = (0..words.len()).filter(|at| noun(&words[*at]).is_some());
    let run = |at: usize| -> Vec<Noun> {
        let run = words[at..].iter().take_while(|word| noun(word).is_some() || is_joint(word));
        // `exceptions classes` are one kind.
        let is_joined = run.clone().any(|word| is_joint(&word));
        let mut nouns: Vec<Noun> = run.filter(|_| is_joined).filter_map(noun).collect();
        nouns.dedup();
        nouns
    };
    starts.map(run).find(|nouns| nouns.len() > 1).unwrap_or_default()
}

/// The name of files that a question counts like a kind of definitions: `how many filters`.
pub(super) fn counted_place(understood: &Understood) -> Option<&str> {
    let is_counted = |name: &str| understood.words.windows(2).any(|pair| pair[0] == "many" && pair[1] == name);
    let mut files = understood.plan.files.iter().map(|file| file.mention.as_str());
    files.find(|name| is_counted(&name.to_lowercase()) && understood.plan.filters.noun == Some(Noun::Definition))
}

/// Counts and lists the definitions of several kinds, each by itself. `says_none` names those of which there are none.
pub(super) fn counts(
    reading: AnswerInputs,
    understood: &Understood,
    nouns: &[Noun],
    says_none: bool,
) -> Result<Answer, StoreError> {
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
        // Methods are those of the classes, where these are asked for too.
        if *noun == Noun::Function && nouns.iter().any(|other| matches!(other, Noun::Class | Noun::Method)) {
            filter.kinds = vec![EntityKind::Function];
        }
        if *noun == Noun::Method && nouns.contains(&Noun::Property) {
            filter.kinds = vec![EntityKind::Method];
        }
        let mut found = reader.fitting(&filter)?;
        found.retain(|entity| !is_configuration(entity) && is_within(entity));
        // The attributes of the classes in a module are no variables of it.
        let is_of_class = understood.targets.iter().any(|target| target.main().record.kind == EntityKind::Class);
        let is_own = |entity: &Entity| is_of_class || !entity.record.qualified.contains('.');
        found.retain(|entity| *noun != Noun::Variable || is_own(entity));
        for entity in found.iter().take(MAX_WANTED / nouns.len()) {
            answer.want(entity, "it fits", true);
        }
        match found.len() {
            0 if says_none => parts.push(format!("no {}", noun.worded())),
            0 => {}
            number => parts.push(count(number, noun.worded())),
        }
        lists.push((plural(noun.worded()), found.iter().map(ListRow::of).collect::<Vec<_>>()));
        commands.extend(Some(one.command()).filter(|command| !command.is_empty()));
        where_found = place(understood, &filter);
    }
    if parts.is_empty() {
        parts.push(count(0, "definition"));
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
