//! Finds the names that are conditions of a question: a part of the names that are asked for, `methods that start with
//! visit_`, and the metaclass of classes.

use crate::{
    ask::reading::{
        filters::{Filters, Noun},
        forms::patterns::Phrase,
        subjects::QuestionNames,
        words::{ParsedQuestion, Shape, is_in, is_stop_word},
    },
    model::conventions::is_special,
};

/// Words before a part of a name, and the `*` that stands for the rest of it.
pub const NAME_PARTS: [(&str, &str, &str); 3] = [
    ("start/starts/starting/begin/begins/beginning/prefixed with | the prefix", "", "*"),
    ("end/ends/ending with/in/on | suffixed with | the suffix", "*", ""),
    (
        "name/names contain/contains/containing/include/includes | containing/with/have/has/having .. in .. name/names",
        "*",
        "*",
    ),
];

/// Words before a whole name. Behind `called` a question may ask for calls too.
pub const NAMED: &str = "functions/methods/classes/definitions/properties/variables/constants/modules/things named/called | \
     functions/methods/classes/definitions/properties/variables/constants/modules/things are named/called | \
     functions/methods/classes/definitions/properties/variables/constants/modules/things that/which are/is named/called | \
     every/each/any function/method/class/definition/property/variable/constant named/called | \
     have/has/having/with the name | whose name/names is/are | ^ how many definitions of | \
     all/every/each definitions/definition of | list/show/find definitions of";

/// Words there that join something else: `named after a color`.
const JOINTS: &str = "after and as but by differently for from in like of on or so such than that the with which";
/// Words at the end that speak of calls: `which functions are called twice`.
const BEHIND_CALLS: &str = "again alone anymore anywhere elsewhere everywhere first here inside it itself last least less more most \
     never nowhere often once outside sometimes somewhere that them there these this those today twice when where";

/// Words that stand there and are no part of a name: `functions that start with an underscore`.
const NO_NAMES: &str =
    "underscore underscores capital capitals uppercase lowercase letter letters digit docstring decorator comment";

/// Reads a part of a name into the filters: it is a condition, no subject.
pub fn find_name_part(
    text: &str,
    question: &ParsedQuestion,
    phrase: &Phrase,
    filters: &mut Filters,
    named: &mut QuestionNames,
) {
    if filters.noun.is_none() {
        return;
    }
    let mut parts = stated(question, phrase);
    if parts.is_empty() {
        parts.extend(starred(text, question));
    }
    if parts.is_empty() {
        parts.extend(whole(question, phrase, named));
    }
    if parts.is_empty() {
        let special = phrase.place("dunder/magic/special method/methods/function/functions");
        let pattern = "__*__".to_owned();
        parts.extend(special.map(|(start, _)| NamePart { start: Some(start), at: None, pattern }));
    }
    if parts.is_empty() {
        return;
    }
    parts.sort_by_key(|part| part.start);
    let is_denied = |part: &NamePart| part.start.is_some_and(|start| phrase.is_denied(start));
    let denied = parts.iter().filter(|part| is_denied(part)).count();
    // `begin with get_ or end with _for`: `not` holds for both.
    let is_either = |pair: &[NamePart]| {
        let (first, second) = (pair[0].at.unwrap_or_default(), pair[1].start.unwrap_or_default());
        phrase.words.get(first + 1..second).is_some_and(|between| between.iter().any(|word| word == "or"))
    };
    let has_alternatives = parts.windows(2).any(is_either);
    if denied == parts.len() || denied > 0 && has_alternatives {
        filters.denied.push("name");
    }
    let is_mixed = !filters.denied.contains(&"name");
    let mark = |part: &NamePart| if is_mixed && is_denied(part) { "!" } else { "" };
    let patterns: Vec<String> = parts.iter().map(|part| format!("{}{}", mark(part), part.pattern)).collect();
    filters.name = Some(patterns.join(if has_alternatives { "|" } else { "&" }));
    for at in parts.iter().filter_map(|part| part.at) {
        let word = &question.words[at].text;
        named.mentions.retain(|mention| mention.at != at);
        named.parameters.retain(|parameter| parameter != word);
        named.files.retain(|file| file.text != *word);
        named.blank.insert(at);
    }
}

/// Reads the metaclass of classes into the filters: `classes with metaclass M`, `that have M as their metaclass`.
pub fn find_metaclass(question: &ParsedQuestion, phrase: &Phrase, filters: &mut Filters, named: &mut QuestionNames) {
    // `the metaclass=M`, `M as a metaclass`, `the M metaclass`
    const AROUND: [&str; 9] = ["a", "an", "as", "called", "is", "its", "named", "the", "their"];
    if !matches!(filters.noun, Some(Noun::Class | Noun::Exception | Noun::Definition)) {
        return;
    }
    let Some(at) = phrase.words.iter().position(|word| word.starts_with("metaclass")) else { return };
    let is_around = |at: &usize| AROUND.contains(&phrase.words[*at].as_str());
    let behind = (at + 1..phrase.words.len()).find(|at| !is_around(at));
    let before = (0..at).rev().find(|at| !is_around(at));
    let is_class = |at: &usize| {
        let name = question.words[*at].text.rsplit('.').next().unwrap_or_default();
        name.trim_start_matches('_').starts_with(char::is_uppercase)
    };
    let Some(name) = behind.filter(is_class).or(before.filter(is_class)) else {
        // `classes with a metaclass`
        if phrase.has("with/without/have/has/having/use/uses/using/no/own/lack/lacks .. metaclass* & !metaclasses") {
            filters.metaclass = Some("*".to_owned());
            filters.denied.extend(phrase.is_denied(at).then_some("metaclass"));
            named.mentions.retain(|mention| mention.at != at);
        }
        return;
    };
    let text = &question.words[name].text;
    filters.metaclass = Some(text.rsplit('.').next().unwrap_or(text).to_owned());
    if phrase.is_denied(name.min(at)) {
        filters.denied.push("metaclass");
    }
    named.mentions.retain(|mention| mention.at != name && mention.at != at);
    named.blank.remove(&at);
    named.blank.insert(name);
}

/// A condition on names.
struct NamePart {
    /// Its first word.
    start: Option<usize>,
    /// The word that is the part.
    at: Option<usize>,
    pattern: String,
}

/// `that start with visit_`
fn stated(question: &ParsedQuestion, phrase: &Phrase) -> Vec<NamePart> {
    const AROUND: [&str; 7] = ["a", "an", "the", "prefix", "suffix", "text", "word"];
    let is_around = |at: &usize| AROUND.contains(&phrase.words[*at].as_str());
    // `that start with a call of f`
    let goes_on = |at: usize| phrase.words.get(at + 1).is_some_and(|next| matches!(next.as_str(), "for" | "of" | "to"));
    let part = |(words, before, behind): &(&str, &str, &str)| {
        let (start, end) = phrase.place(words)?;
        // `with handler in their name`
        let is_before = phrase.words[end - 1].starts_with("name");
        let inside = (start + 1..end).find(|at| is_before && !is_around(at));
        let at = inside.or_else(|| (end..phrase.words.len()).find(|at| !is_around(at)))?;
        let part = &question.words[at].text;
        let is_other = NO_NAMES.split(' ').any(|other| other == part.to_lowercase());
        let pattern = format!("{before}{part}{behind}");
        (is_part(part) && !is_other && !goes_on(at)).then_some(NamePart { start: Some(start), at: Some(at), pattern })
    };
    NAME_PARTS.iter().filter_map(part).collect()
}

/// `methods named run`, `how many functions are called main`, `all __init__ methods`
fn whole(question: &ParsedQuestion, phrase: &Phrase, named: &QuestionNames) -> Option<NamePart> {
    let (start, at, is_clear) = match phrase.place(NAMED) {
        Some((start, end)) => (start, end, phrase.words[end - 1] != "called"),
        None => {
            let of_special = |at: &usize| {
                is_special(&question.words[at - 1].text)
                    && matches!(phrase.words[*at].as_str(), "functions" | "methods")
            };
            let at = (1..phrase.words.len()).find(of_special)? - 1;
            (at, at, true)
        }
    };
    let word = question.words.get(at)?;
    // `which functions are called directly` asks for calls.
    let is_name = word.shape == Shape::Code
        || word.text.starts_with(char::is_uppercase)
        || named.mentions.iter().any(|mention| mention.at == at) && !is_stop_word(&word.lower())
        || at + 1 == question.words.len() && !word.lower().ends_with("ly") && !is_in(BEHIND_CALLS, &word.lower());
    let is_meant = if is_clear { !is_in(JOINTS, &word.lower()) } else { is_name };
    (is_meant && is_part(&word.text)).then(|| NamePart { start: Some(start), at: Some(at), pattern: word.text.clone() })
}

/// `functions called get_*`
fn starred(text: &str, question: &ParsedQuestion) -> Option<NamePart> {
    let around = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '*'));
    let pattern = text.split_whitespace().map(|word| word.trim_matches(around)).find(|word| {
        let bare = word.replace('*', "");
        // `**kwargs` is a parameter.
        let is_parameter = word.starts_with("**") || *word == "*args";
        bare.len() < word.len() && is_part(&bare) && !is_parameter
    })?;
    let bare = pattern.trim_matches('*');
    let at = question.words.iter().position(|word| word.text == bare);
    Some(NamePart { start: None, at, pattern: pattern.to_owned() })
}

fn is_part(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}
