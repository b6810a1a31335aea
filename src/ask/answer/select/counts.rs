//! Definitions of several kinds, each by itself: `how many classes, functions and methods`, `enums and dataclasses`.

use super::{MAX_WANTED, choice::worded, is_configuration, place, within};
use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, in_words},
        reading::{
            filters::{Filters, Noun},
            forms::patterns::Phrase,
            plan::Understood,
            words::is_in,
        },
    },
    model::EntityKind,
    query::{
        target::filter::FilterReader,
        words::{count, plural},
    },
    store::{error::StoreError, read::Entity},
};

/// A kind of definitions that a question joins with others.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::ask::answer) struct JoinedKind {
    pub noun: Noun,
    /// The kind in the singular, as the question says it.
    worded: &'static str,
    /// The base or decorator by which definitions are of the kind.
    base: Option<String>,
    decorator: Option<String>,
}

impl JoinedKind {
    fn of(word: &str) -> Option<Self> {
        let plain = |noun: Noun| Some(Self { noun, worded: noun.worded(), base: None, decorator: None });
        let worded = match word {
            "classes" => return plain(Noun::Class),
            "functions" => return plain(Noun::Function),
            "methods" => return plain(Noun::Method),
            "properties" => return plain(Noun::Property),
            "exceptions" => return plain(Noun::Exception),
            "modules" | "files" => return plain(Noun::Module),
            "constants" => return plain(Noun::Constant),
            "fixtures" => return plain(Noun::Fixture),
            "attributes" | "variables" => return plain(Noun::Variable),
            "dataclasses" => "dataclass",
            "enums" | "enumerations" => "enum",
            "namedtuples" => "named tuple",
            "protocols" => "protocol",
            "typeddicts" => "typed dict",
            _ => return None,
        };
        // The table of forms knows what makes a class one of these.
        let words = vec!["all".to_owned(), word.to_owned()];
        let Filters { base, decorator, .. } = Filters::of(&Phrase::of_words(words));
        Some(Self { noun: Noun::Class, worded, base, decorator })
    }
}

/// The kinds of definitions that a question joins, at least two or none: `how many classes, functions and methods`,
/// `functions and classes of m`, `enums and dataclasses`. The first run of such words counts.
pub(in crate::ask::answer) fn joined_kinds(words: &[String]) -> Vec<JoinedKind> {
    let is_joint = |word: &&String| is_in("and or the how many all", word);
    let kind = |word: &String| JoinedKind::of(word);
    let starts = (0..words.len()).filter(|at| kind(&words[*at]).is_some());
    let run = |at: usize| -> Vec<JoinedKind> {
        let run = words[at..].iter().take_while(|word| kind(word).is_some() || is_joint(word));
        // `exceptions classes` are one kind.
        let is_joined = run.clone().any(|word| is_joint(&word));
        let mut kinds: Vec<JoinedKind> = run.filter(|_| is_joined).filter_map(kind).collect();
        kinds.dedup();
        kinds
    };
    starts.map(run).find(|kinds| kinds.len() > 1).unwrap_or_default()
}

/// The kinds that make up a file.
pub(super) fn plain_kinds() -> Vec<JoinedKind> {
    ["classes", "functions", "methods"].into_iter().filter_map(JoinedKind::of).collect()
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
    kinds: &[JoinedKind],
    says_none: bool,
) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let reader = FilterReader::new(reading.store)?;
    let (mut parts, mut commands) = (Vec::new(), Vec::new());
    let mut lists = Vec::new();
    let mut where_found = String::new();
    let is_within = within(understood);
    let has = |wanted: Noun| kinds.iter().any(|kind| kind.noun == wanted);
    let is_special = |kind: &JoinedKind| kind.base.is_some() || kind.decorator.is_some();
    let mut stated = understood.plan.filters.clone();
    if kinds.iter().any(is_special) {
        // They came from the kinds, and hold for one of them only.
        (stated.base, stated.decorator) = (None, None);
    }
    for kind in kinds {
        let noun = kind.noun;
        let mut one = understood.clone();
        one.plan.filters = stated.clone();
        one.plan.filters.noun = Some(noun);
        if is_special(kind) {
            (one.plan.filters.base, one.plan.filters.decorator) = (kind.base.clone(), kind.decorator.clone());
        }
        let mut filter = one.filter();
        // Methods are those of the classes, where these are asked for too.
        if noun == Noun::Function && (has(Noun::Class) || has(Noun::Method)) {
            one.plan.filters.noun = Some(Noun::Helper);
            filter = one.filter();
        }
        if noun == Noun::Method && has(Noun::Property) {
            filter.kinds = vec![EntityKind::Method];
        }
        let mut found = reader.fitting(&filter)?;
        found.retain(|entity| !is_configuration(entity) && is_within(entity));
        // The attributes of the classes in a module are no variables of it.
        let is_of_class = understood.targets.iter().any(|target| target.main().record.kind == EntityKind::Class);
        let is_own = |entity: &Entity| is_of_class || !entity.record.qualified.contains('.');
        found.retain(|entity| noun != Noun::Variable || is_own(entity));
        for entity in found.iter().take(MAX_WANTED / kinds.len()) {
            answer.want(entity, "it fits", true);
        }
        match found.len() {
            0 if says_none => parts.push(format!("no {}", kind.worded)),
            0 => {}
            // Alone, `functions` counts the methods too.
            number if noun == Noun::Function && has(Noun::Class) && !has(Noun::Method) => {
                one.plan.filters.noun = Some(Noun::Function);
                let all = reader.fitting(&one.filter())?;
                let all = all.iter().filter(|entity| is_within(entity)).count();
                one.plan.filters.noun = Some(Noun::Helper);
                let too = if all > number { format!(" ({all} with the methods)") } else { String::new() };
                parts.push(format!("{}{too}", count(number, kind.worded)));
            }
            number => parts.push(count(number, kind.worded)),
        }
        lists.push((plural(kind.worded), found.iter().map(ListRow::of).collect::<Vec<_>>()));
        commands.extend(Some(one.command()).filter(|command| !command.is_empty()));
        where_found = place(understood, &filter);
    }
    if parts.is_empty() {
        parts.push(count(0, "definition"));
    }
    let conditions = worded(&stated).1;
    let conditions = if conditions.is_empty() { String::new() } else { format!(" ({conditions})") };
    answer.headline = format!("{} {where_found}{conditions}", in_words(&parts));
    for (title, rows) in lists {
        answer.list(format!("{title} ({})", rows.len()), rows);
    }
    answer.command = commands.join("; ");
    Ok(answer)
}

/// The kinds of members that a question asks for, other than methods and functions; they come first.
pub(in crate::ask::answer) fn asked_members(understood: &Understood) -> Option<(&'static str, &'static [EntityKind])> {
    let has = |words: &[&str]| understood.words.iter().any(|word| words.contains(&word.as_str()));
    match () {
        () if has(&["method", "methods", "function", "functions", "member", "members"]) => None,
        () if has(&["attributes", "fields"]) => Some(("attribute", &[EntityKind::Variable, EntityKind::Property])),
        () if has(&["properties"]) => Some(("property", &[EntityKind::Property])),
        () if has(&["variables"]) => Some(("variable", &[EntityKind::Variable])),
        () => None,
    }
}

/// The kinds of members of a class or module that the sentence about them counts: methods and properties of a class
/// that is asked for its methods, the classes of a module that has no functions.
pub(in crate::ask::answer) fn counted_kinds(understood: &Understood, members: &[Entity]) -> Vec<EntityKind> {
    use EntityKind::{Class, Function, Method, Property, Variable};
    let joined = joined_kinds(&understood.words);
    if joined.len() > 1 {
        let kinds = joined.iter().flat_map(|kind| match kind.noun {
            Noun::Method => vec![Method],
            Noun::Variable => vec![Property, Variable],
            other => other.meaning().0.to_vec(),
        });
        return kinds.collect::<BTreeSet<_>>().into_iter().collect();
    }
    if let Some((_, kinds)) = asked_members(understood) {
        return kinds.to_vec();
    }
    let has = |kinds: &[EntityKind]| members.iter().any(|member| kinds.contains(&member.record.kind));
    match () {
        () if has(&[Method, Function]) && understood.words.iter().any(|word| word == "methods") => {
            vec![Method, Function, Property]
        }
        () if has(&[Method, Function]) => vec![Method, Function],
        () if has(&[Class]) => vec![Class],
        () => vec![Variable],
    }
}
