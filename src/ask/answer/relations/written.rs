//! Conditions on the arguments of calls that name no value: `called with a keyword argument`, `with a literal path`,
//! `without arguments`, `with more than two arguments`.

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            relations::{Within, arguments::plain as as_written, open_uses, perhaps},
        },
        reading::{
            plan::Understood,
            subjects::{
                parameters::takes,
                slots::{AskedArgument, PassedBy},
            },
            words::is_literal,
        },
    },
    model::{EntityKind, RelationshipKind, conventions::is_constructor, signature::Signature},
    query::{
        calls::arguments::{Passed, WrittenArgument, arguments, name_at, passed},
        impact::completeness::Completeness,
        target::{Target, likeliest::is_aside},
        words::count,
    },
    store::error::StoreError,
};

/// The arguments that a call must have, or must not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ArgumentCondition {
    kind: ArgumentKind,
    /// The parameter that must get such an argument; any where there is none.
    parameter: Option<String>,
    is_denied: bool,
    /// As the question says it.
    said: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ArgumentKind {
    Any,
    Keyword,
    Positional,
    Value(ValueKind),
    /// This literal.
    Equal(String),
    /// The least number of arguments and the most.
    Number(usize, usize),
}

/// The form of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueKind {
    Literal,
    Text,
    FormattedText,
    Number,
    Truth,
    None,
    Display,
    Lambda,
    Variable,
    Call,
}

/// Words of a condition that add nothing to it, and those that say how many.
const FILLING: &str = "a an any as at by exactly explicit explicitly fewer for its just least less more no not of only over \
     pass passes passing some than the value values with without";

/// The condition on arguments that a question states and that this module can judge; `Err` has the words of one that it
/// cannot.
pub(super) fn condition(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Result<ArgumentCondition, String>>, StoreError> {
    const PASSING: [&str; 6] = ["with", "without", "pass", "passes", "passing", "by"];
    const KEYS: [&str; 3] = ["keyword", "position", "name"];
    let words: Vec<&str> = understood.plan.question.split_whitespace().collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let Some(call) = lower.iter().position(|word| word.starts_with("call")) else { return Ok(None) };
    let verb = (call + 1..words.len()).find(|at| {
        let is_key = lower.get(at + 1).is_some_and(|next| KEYS.iter().any(|key| next.starts_with(key)));
        PASSING.contains(&lower[*at].as_str()) && (lower[*at] != "by" || is_key)
    });
    let Some(verb) = verb.filter(|_| understood.argument.is_none()) else { return Ok(None) };
    let is_place = |word: &&&str| matches!(**word, "in" | "inside" | "outside" | "from" | "to");
    let said: Vec<&str> = words[verb..].iter().take_while(|word| !is_place(word)).copied().collect();
    let said = said.join(" ").trim_end_matches(['?', '.', '!']).to_owned();
    let parts: Vec<String> = said.to_lowercase().split_whitespace().map(str::to_owned).collect();
    if parts.len() < 2 {
        return Ok(None);
    }
    let is_denied = parts.iter().any(|word| matches!(word.as_str(), "without" | "no" | "not" | "never"))
        || verb > 0 && (matches!(lower[verb - 1].as_str(), "not" | "never") || lower[verb - 1].ends_with("n't"));
    let mut parameter = None;
    for name in said.split_whitespace().skip(1) {
        let name = name.trim_matches(['`', '\'', '"']);
        for target in &understood.targets {
            if parameter.is_none() && kind_of(&[name.to_lowercase()]).is_none() && takes(reading.store, target, name)? {
                parameter = Some(name.to_owned());
            }
        }
    }
    let is_known = |word: &String| {
        let word = word.trim_matches(['`', '\'', '"', ',']);
        FILLING.split_whitespace().any(|known| known == word)
            || parameter.as_ref().is_some_and(|name| name.to_lowercase() == word)
            || crate::ask::reading::forms::patterns::number(word).is_some()
            || kind_of(&[word.to_owned()]).is_some()
    };
    let Some(kind) = kind_of(&parts).filter(|_| parts.iter().all(is_known)) else { return Ok(Some(Err(said))) };
    Ok(Some(Ok(ArgumentCondition { kind, parameter, is_denied, said })))
}

impl ArgumentCondition {
    /// The condition of an argument of which the question gives the value alone, or how it is passed.
    pub(super) fn of(argument: &AskedArgument) -> Option<Self> {
        let (name, is_denied) = (&argument.name, argument.is_denied);
        let does = if is_denied { "not passing" } else { "passing" };
        let said = |end: &str| format!("{does} {}{end}", argument.worded());
        let (kind, said) = match (argument.way, &argument.value) {
            (Some(PassedBy::Position), _) => (ArgumentKind::Positional, said(" by position")),
            (Some(PassedBy::Keyword), _) => (ArgumentKind::Keyword, said(" by keyword")),
            (None, Some(value)) if name.is_empty() => (ArgumentKind::Equal(value.clone()), said("")),
            (None, _) => return None,
        };
        let parameter = (!name.is_empty()).then(|| name.clone());
        Some(Self { kind, parameter, is_denied, said })
    }
}

/// The kind of arguments that words speak of.
fn kind_of(words: &[String]) -> Option<ArgumentKind> {
    use ValueKind as V;
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let kind = match () {
        () if has(&["f-string", "f-strings"]) => Some(V::FormattedText),
        () if has(&["string", "strings", "str"]) => Some(V::Text),
        () if has(&["number", "numbers", "integer", "int", "float"]) => Some(V::Number),
        () if has(&["boolean", "bool", "true", "false"]) => Some(V::Truth),
        () if has(&["none"]) => Some(V::None),
        () if has(&["list", "dict", "dictionary", "tuple", "set"]) => Some(V::Display),
        () if has(&["lambda", "lambdas"]) => Some(V::Lambda),
        () if has(&["variable", "variables"]) => Some(V::Variable),
        () if has(&["literal", "literals", "constant", "constants", "hardcoded", "hard-coded"]) => Some(V::Literal),
        () if has(&["call", "calls"]) => Some(V::Call),
        () => None,
    };
    if let Some(kind) = kind {
        return Some(ArgumentKind::Value(kind));
    }
    if has(&["keyword", "keywords", "kwarg", "kwargs", "name"]) {
        return Some(ArgumentKind::Keyword);
    }
    if has(&["positional", "positionally", "position"]) {
        return Some(ArgumentKind::Positional);
    }
    let speaks = has(&["argument", "arguments", "arg", "args", "parameter", "parameters", "params"]);
    let number = words.iter().find_map(|word| crate::ask::reading::forms::patterns::number(word));
    match number.filter(|_| speaks).map(|number| number as usize) {
        Some(number) if has(&["more", "over"]) => Some(ArgumentKind::Number(number + 1, usize::MAX)),
        Some(number) if has(&["least"]) => Some(ArgumentKind::Number(number, usize::MAX)),
        Some(number) if has(&["fewer", "less"]) => Some(ArgumentKind::Number(0, number.saturating_sub(1))),
        Some(number) => Some(ArgumentKind::Number(number, number)),
        None => speaks.then_some(ArgumentKind::Any),
    }
}

/// Lists the calls of the subjects whose arguments meet the condition, and counts the others.
pub(super) fn written(
    reading: AnswerInputs,
    understood: &Understood,
    condition: &ArgumentCondition,
) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let within = Within::of(reading, understood)?;
    let mut headlines = Vec::new();
    let can_be_called = |target: &Target| target.main().record.kind != EntityKind::Module;
    let has_called = understood.targets.iter().any(can_be_called);
    for target in understood.targets.iter().filter(|target| !has_called || can_be_called(target)) {
        let name = target.main().full_name();
        answer.want(target.main(), "asked about", false);
        let (mut asked, mut open, mut others) = (Vec::new(), Vec::new(), 0);
        for (row, arguments, value) in calls(reading, target, condition.parameter.as_deref())? {
            if !within.has(&row.path) {
                continue;
            }
            match condition.fits(arguments.as_deref(), value) {
                Some(true) => asked.push(row),
                Some(false) => others += 1,
                None => open.push(row),
            }
        }
        let all = asked.len() + others + open.len();
        let fits = if asked.len() == 1 { "fits" } else { "fit" };
        let do_not = if others == 1 { "does not" } else { "do not" };
        let untold = if open.is_empty() { String::new() } else { format!(", and of {} it cannot be told", open.len()) };
        let possible = open_uses(reading, target, Some(RelationshipKind::Calls))?;
        let unresolved = possible.iter().filter(|reference| within.has(&reference.path)).count();
        let number = if asked.is_empty() { "none".to_owned() } else { asked.len().to_string() };
        headlines.push(format!(
            "{number} of {} of `{name}`{} {fits} `{}`; {others} {do_not}{untold}{}",
            count(all, "call"),
            within.worded(),
            condition.said,
            perhaps(asked.len(), unresolved)
        ));
        asked.sort_by_key(|row| is_aside(&row.path));
        answer.count(asked.len(), "call");
        answer.list(format!("calls of `{name}` {} ({})", condition.said, asked.len()), asked);
        answer.beside(format!("calls of which it cannot be told ({})", open.len()), open);
        if unresolved > 0 {
            answer.bound(Completeness::LowerBound, []);
        }
    }
    answer.headline = headlines.join("; ");
    answer.command = understood.plan.ask_command();
    Ok(answer)
}

/// A call, its arguments where the source shows them, and what it passes for the parameter in question.
type WrittenCall = (ListRow, Option<Vec<WrittenArgument>>, Option<Passed>);

/// The calls of a definition by their places.
fn calls(reading: AnswerInputs, target: &Target, parameter: Option<&str>) -> Result<Vec<WrittenCall>, StoreError> {
    let store = reading.store;
    let mut entities = target.entities.clone();
    if target.main().record.kind == EntityKind::Class {
        let members = store.children(target.main().id)?;
        entities.extend(members.into_iter().filter(|member| member.record.name == "__init__"));
    }
    let mut found: Vec<(u32, WrittenCall)> = Vec::new();
    for entity in &entities {
        let signature = Signature::parse(&entity.record.signature).map(|signature| match entity.record.kind {
            EntityKind::Function => signature,
            _ => signature.bound(),
        });
        for call in store.incoming_of(entity.id, RelationshipKind::Calls)? {
            let Some(source) = store.entity(call.source)? else { continue };
            let text = reading.sources.text(&source.path).unwrap_or_default();
            let name = &target.main().record.name;
            // The arguments of a library's call, and those that another name has kept, are not in the source.
            let is_named = |written: &str| written == name || text.contains(&format!("{name} as {written}"));
            let is_other = name_at(&text, call.line, call.column).is_some_and(|written| !is_named(written));
            if is_other && !is_constructor(&entity.record.name) && entity.record.kind != EntityKind::Class {
                continue;
            }
            let written = arguments(&text, call.line, call.column, name);
            let value = parameter
                .zip(signature.as_ref())
                .and_then(|(parameter, signature)| passed(&text, call.line, call.column, name, signature, parameter));
            let row = ListRow {
                line: call.line,
                end_line: 0,
                kind: "calls",
                signature: String::new(),
                text: reading.sources.line(&source.path, call.line).unwrap_or_default(),
                ..ListRow::of(&source)
            };
            found.push((call.column, (row, written, value)));
        }
    }
    found.sort_by(|(a, (one, ..)), (b, (other, ..))| (&one.path, one.line, a).cmp(&(&other.path, other.line, b)));
    found.dedup_by(|(a, (one, ..)), (b, (other, ..))| (&one.path, one.line, *a) == (&other.path, other.line, *b));
    Ok(found.into_iter().map(|(_, call)| call).collect())
}

impl ArgumentCondition {
    /// Whether a call is one that is asked for; `None` where the source does not tell.
    fn fits(&self, arguments: Option<&[WrittenArgument]>, value: Option<Passed>) -> Option<bool> {
        let holds = match (&self.parameter, value) {
            (Some(_), Some(Passed::Value(value))) => match &self.kind {
                ArgumentKind::Value(kind) => Some(is_a(*kind, &value)),
                ArgumentKind::Keyword | ArgumentKind::Positional => {
                    let name = self.parameter.as_deref();
                    let by_name = arguments?.iter().any(|argument| argument.keyword.as_deref() == name);
                    Some(by_name == matches!(self.kind, ArgumentKind::Keyword))
                }
                _ => Some(true),
            },
            (Some(_), Some(Passed::Nothing)) => Some(false),
            (Some(_), _) => None,
            (None, _) => self.any(arguments?),
        };
        holds.map(|holds| holds != self.is_denied)
    }

    fn any(&self, arguments: &[WrittenArgument]) -> Option<bool> {
        let is_open = arguments.iter().any(|argument| argument.is_open);
        let plain = arguments.iter().filter(|argument| !argument.is_open);
        let holds = match &self.kind {
            ArgumentKind::Any => plain.clone().next().is_some(),
            ArgumentKind::Keyword => plain.clone().any(|argument| argument.keyword.is_some()),
            ArgumentKind::Positional => plain.clone().any(|argument| argument.keyword.is_none()),
            ArgumentKind::Value(kind) => plain.clone().any(|argument| is_a(*kind, &argument.value)),
            ArgumentKind::Equal(wanted) => {
                let wanted = as_written(wanted);
                let has = plain.clone().any(|argument| as_written(&argument.value) == wanted);
                // A name or a call may stand for the value.
                let are_known = plain.clone().all(|argument| is_literal(&argument.value));
                return (has || are_known && !is_open).then_some(has);
            }
            ArgumentKind::Number(least, most) => {
                let number = plain.count();
                return (!is_open || number > *most).then_some((*least..=*most).contains(&number));
            }
        };
        // `*args` may hold one.
        if !holds && is_open { None } else { Some(holds) }
    }
}

/// Whether an expression has a form.
fn is_a(kind: ValueKind, value: &str) -> bool {
    let value = value.trim();
    let bare = value.trim_start_matches(|c: char| "rbfuRBFU".contains(c));
    let is_text = bare.starts_with(['"', '\'']) && value.len() - bare.len() <= 2;
    let is_formatted = is_text && value[..value.len() - bare.len()].to_lowercase().contains('f');
    let is_number = value.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
    let is_name = value.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && value.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    let is_truth = matches!(value, "True" | "False");
    match kind {
        ValueKind::Text => is_text,
        ValueKind::FormattedText => is_formatted,
        ValueKind::Number => is_number,
        ValueKind::Truth => is_truth,
        ValueKind::None => value == "None",
        ValueKind::Display => value.starts_with(['[', '{', '(']),
        ValueKind::Lambda => value.starts_with("lambda"),
        ValueKind::Variable => is_name && !is_truth && value != "None",
        ValueKind::Call => value.ends_with(')') && value.starts_with(|c: char| c.is_alphabetic() || c == '_'),
        ValueKind::Literal => {
            is_text && !is_formatted || is_number || is_truth || value == "None" || value.starts_with(['[', '{', '('])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_judged_by_the_arguments_as_they_are_written() {
        let check = |said: &str, call: &str| {
            let words: Vec<String> = said.split_whitespace().map(str::to_owned).collect();
            let kind = kind_of(&words).expect("a kind of arguments");
            let is_denied = said.starts_with("without");
            let condition = ArgumentCondition { kind, parameter: None, is_denied, said: said.to_owned() };
            condition.fits(arguments(&format!("f({call})"), 1, 0, "f").as_deref(), None)
        };
        assert_eq!(check("with a keyword argument", "1, b=2"), Some(true));
        assert_eq!(check("with a keyword argument", "1"), Some(false));
        assert_eq!(check("with a keyword argument", "**all"), None);
        assert_eq!(check("with a positional argument", "b=2"), Some(false));
        assert_eq!(check("without arguments", ""), Some(true));
        assert_eq!(check("without arguments", "1"), Some(false));
        assert_eq!(check("with a string literal", "r'a'"), Some(true));
        assert_eq!(check("with a string literal", "name"), Some(false));
        assert_eq!(check("with a variable", "self.name"), Some(true));
        assert_eq!(check("with a literal", "f'{a}'"), Some(false));
        assert_eq!(check("with more than 2 arguments", "1, 2, 3"), Some(true));
        assert_eq!(check("with two arguments", "1, (2, 3)"), Some(true));
        assert_eq!(check("with two arguments", "*all"), None);
    }
}
