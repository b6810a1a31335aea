//! The lines of a function that do something with a name: `which line of f appends to rows`, `where in f is x used`.
//!
//! They are read off the statements, so a parameter or a local name counts as any other does.

use super::source::{OwnerSource, begins_with};
use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, places::numbered_lines, short_name},
        reading::{plan::Understood, words::is_in},
    },
    model::{
        EntityFlags,
        brackets::outside_strings,
        conventions::{has_whole_name, is_name_part, last_part},
        signature::Signature,
    },
    query::{
        source::logical_lines::LogicalLine,
        target::{Target, TargetMatch, known},
        words::count,
    },
    store::{error::StoreError, read::Entity},
};

/// Lines that a headline names.
const MAX_LINES: usize = 8;
const PREPOSITIONS: &str = "in inside of within";
const KINDS: &str = "a an body class constructor function method the";
const HEADS: &str = "line lines place places spot spots statement statements";

/// The thing that a statement does with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineAction {
    Use,
    Raise,
    Return,
    Call,
    Check,
    Delete,
    /// Calls a method of this name: `pop`, `append`.
    Method(&'static str),
}

/// The verbs, in all their forms, with the past participle last.
const VERBS: &[(&str, LineAction, &str)] = &[
    (
        "use uses using used read reads mention mentions mentioned access accesses accessed need needs needed",
        LineAction::Use,
        "used",
    ),
    ("raise raises raised throw throws thrown", LineAction::Raise, "raised"),
    ("return returns returned yield yields yielded", LineAction::Return, "returned"),
    ("call calls called invoke invokes invoked", LineAction::Call, "called"),
    (
        "check checks checked test tests tested validate validates validated compare compares compared",
        LineAction::Check,
        "checked",
    ),
    ("delete deletes deleted", LineAction::Delete, "deleted"),
    ("pop pops popped", LineAction::Method("pop"), "popped"),
    ("append appends appended", LineAction::Method("append"), "appended to"),
    ("add adds added", LineAction::Method("add"), "added to"),
    ("extend extends extended", LineAction::Method("extend"), "extended"),
    ("insert inserts inserted", LineAction::Method("insert"), "inserted into"),
    ("update updates updated", LineAction::Method("update"), "updated"),
    ("remove removes removed", LineAction::Method("remove"), "removed from"),
    ("discard discards discarded", LineAction::Method("discard"), "discarded from"),
    ("clear clears cleared", LineAction::Method("clear"), "cleared"),
    ("close closes closed", LineAction::Method("close"), "closed"),
    ("format formats formatted", LineAction::Method("format"), "formatted"),
    ("split splits", LineAction::Method("split"), "split"),
    ("join joins joined", LineAction::Method("join"), "joined"),
    ("encode encodes encoded", LineAction::Method("encode"), "encoded"),
    ("decode decodes decoded", LineAction::Method("decode"), "decoded"),
    ("write writes written", LineAction::Method("write"), "written to"),
    ("sort sorts sorted", LineAction::Method("sort"), "sorted"),
];

/// A question for such lines.
#[derive(Debug, PartialEq, Eq)]
struct AskedAction {
    action: LineAction,
    done: &'static str,
    name: String,
    owner: String,
    /// The question calls the name a parameter.
    says_parameter: bool,
    asks_for_lines: bool,
}

/// Answers which lines of a function do something with a name; `None` for other questions.
pub(in crate::ask::answer::places) fn acting(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let Some(asked) = asked_action(&understood.plan.question) else { return Ok(None) };
    let mut owners = owners(reading, understood, &asked.owner)?;
    let takes = |entity: &Entity| {
        let signature = Signature::parse(&entity.record.signature);
        signature.is_some_and(|signature| signature.parameters.iter().any(|one| one.name == asked.name))
    };
    if owners.iter().any(&takes) {
        owners.retain(&takes);
    } else if asked.says_parameter || !asked.asks_for_lines {
        // Whether a definition is used in another one is a question of its own.
        return Ok(None);
    }
    if owners.is_empty() {
        return Ok(None);
    }
    let mut plan = understood.plan.clone();
    plan.notes.clear();
    plan.unknown.clear();
    plan.subjects.retain(|subject| owners.iter().any(|owner| owner.full_name() == subject.name));
    let mut answer = Answer::new(plan, String::new());
    answer.command = understood.plan.ask_command();
    let mut headlines = Vec::new();
    for owner in &owners {
        let Some(source) = OwnerSource::of(reading, owner)? else { continue };
        let head = source.head().map_or(0, |head| head.end);
        let is_inside = |line: &&LogicalLine| line.start > head && line.end <= owner.record.end_line && !line.is_text;
        let lines = source.all.iter().filter(is_inside).filter(|line| does(&source, line, &asked));
        let mut rows = Vec::new();
        for line in lines {
            let text = source.place(line, line.end).text;
            let end_line = if line.end > line.start { line.end } else { 0 };
            rows.push(ListRow {
                name: owner.full_name(),
                end_line,
                ..ListRow::line(&owner.path, first_line(&source, line, &asked.name), text)
            });
        }
        let of = if takes(owner) { "the parameter " } else { "" };
        let said = format!("{of}`{}`", asked.name);
        let name = short_name(owner);
        let numbers = numbered_lines(rows.iter().map(|row| row.line), MAX_LINES);
        let stands = if rows.is_empty() && asked.action != LineAction::Use {
            let is_there = |line: &&LogicalLine| has_whole_name(&source.written(line), last_part(&asked.name));
            let there: Vec<u32> = source.all.iter().filter(is_inside).filter(is_there).map(|line| line.start).collect();
            let numbers = numbered_lines(there.iter().copied(), MAX_LINES);
            if there.is_empty() { String::new() } else { format!("; it stands in {numbers} of {}", owner.path) }
        } else {
            String::new()
        };
        headlines.push(match rows.len() {
            0 => format!("no line of `{name}` is known where {said} is {}{stands}", asked.done),
            all => {
                format!("{said} is {} at {} in `{name}`: {numbers} of {}", asked.done, count(all, "place"), owner.path)
            }
        });
        answer.want(owner, "asked about", false);
        answer.list(format!("lines of `{name}` where `{}` is {} ({})", asked.name, asked.done, rows.len()), rows);
    }
    answer.headline = headlines.join("; ");
    Ok((!headlines.is_empty()).then_some(answer))
}

/// The line of a statement that has the name first.
fn first_line(source: &OwnerSource, line: &LogicalLine, name: &str) -> u32 {
    let written = source.written(line);
    (line.start..)
        .zip(written.lines())
        .find(|(_, text)| has_whole_name(text, last_part(name)))
        .map_or(line.start, |(at, _)| at)
}

/// Whether a statement does what is asked with the name.
fn does(source: &OwnerSource, line: &LogicalLine, asked: &AskedAction) -> bool {
    let name = last_part(&asked.name);
    let parts = source.statements(line);
    let has = |part: &String| has_whole_name(part, name);
    let is_keyword = |keywords: &[&str]| {
        parts.iter().any(|part| keywords.iter().any(|keyword| begins_with(part, keyword)) && has(part))
    };
    match asked.action {
        LineAction::Use => {
            parts.iter().any(has) && !is_only_keyword(&source.written(line), name)
                || is_in_format(&source.written(line), name)
        }
        LineAction::Raise => is_keyword(&["raise"]),
        LineAction::Return => {
            is_keyword(&["return", "yield"]) || parts.iter().any(|part| part.contains("yield ") && has(part))
        }
        LineAction::Check => {
            is_keyword(&["if", "elif", "while", "assert"])
                || parts.iter().any(|part| has_whole_name(part, "if") && has(part))
        }
        LineAction::Delete => is_keyword(&["del"]),
        LineAction::Call => parts.iter().any(|part| {
            part.match_indices(name).any(|(at, _)| {
                !part[..at].ends_with(is_name_part) && part[at + name.len()..].trim_start().starts_with('(')
            })
        }),
        LineAction::Method(method) => {
            // The name is the receiver, `rows.append(x)`, or stands in the call: `kwargs.pop("rows")`.
            let written = source.written(line);
            let call = format!(".{method}(");
            let is_call = |(at, _): (usize, &str)| {
                let receiver = &written[..at];
                let is_receiver =
                    receiver.ends_with(name) && !receiver[..receiver.len() - name.len()].ends_with(is_name_part);
                let arguments = written[at + call.len()..].split(')').next().unwrap_or_default();
                is_receiver || has_whole_name(arguments, name)
            };
            let is_item = method == "pop" && is_keyword(&["del"]);
            let is_added = matches!(method, "append" | "add" | "extend") && is_augmented(&written, name);
            written.match_indices(&call).any(is_call) || is_item || is_added
        }
    }
}

/// Whether a statement only has the name as a keyword of a call: `f(x=1)`.
fn is_only_keyword(written: &str, name: &str) -> bool {
    let code = outside_strings(written);
    let text: String = code.iter().map(|(_, byte, _)| char::from(*byte)).collect();
    let mut places = text.match_indices(name).filter(|(at, _)| {
        let behind = &text[at + name.len()..];
        !text[..*at].ends_with(is_name_part) && !behind.starts_with(is_name_part)
    });
    places.all(|(at, _)| {
        let behind = text[at + name.len()..].trim_start();
        let before = text[..at].trim_end();
        let is_argument = before.ends_with(['(', ',']) && behind.starts_with('=') && !behind.starts_with("==");
        // An attribute of another object is no use of a parameter.
        is_argument || before.ends_with('.')
    })
}

/// Whether an f-string has the name: `f"{name}"`.
fn is_in_format(written: &str, name: &str) -> bool {
    let is_format = ["f\"", "f'", "F\"", "F'"].iter().any(|head| written.contains(head));
    is_format
        && written.match_indices('{').any(|(at, _)| {
            let inner = written[at + 1..].split('}').next().unwrap_or_default();
            has_whole_name(inner, name)
        })
}

/// Whether a statement gives an item a value that the name is the key of, or that the named container has:
/// `options["limit"] = 3`, `self.limit[key] = 3`.
pub(in crate::ask::answer::places) fn sets_item(written: &str, name: &str) -> bool {
    let code = outside_strings(written);
    let is_equals = |at: usize| {
        let (before, behind) = (written[..at].chars().next_back(), written[at + 1..].chars().next());
        behind != Some('=') && !matches!(before, Some('=' | '!' | '<' | '>' | ':'))
    };
    let equals = code.iter().find(|(at, byte, depth)| *byte == b'=' && *depth == 0 && is_equals(*at));
    let Some((end, ..)) = equals else { return false };
    let target = written[..*end].trim();
    let keys = [format!("[\"{name}\"]"), format!("['{name}']")];
    keys.iter().any(|key| target.ends_with(key.as_str()))
        || target.ends_with(']') && target.split('[').next().is_some_and(|container| last_part(container) == name)
}

/// Whether a statement adds to the name: `rows += more`.
fn is_augmented(written: &str, name: &str) -> bool {
    written.split_once("+=").is_some_and(|(target, _)| last_part(target.trim()) == name)
}

/// The definitions that a question calls so, without further ones of an overloaded function.
fn owners(reading: AnswerInputs, understood: &Understood, said: &str) -> Result<Vec<Entity>, StoreError> {
    let is_it = |entity: &Entity| {
        // A further definition of the name has a number behind its full name.
        let name = format!("{}.{}", entity.module, entity.record.qualified);
        let is_called_so = entity.record.name == said || name.ends_with(&format!(".{said}"));
        is_called_so && entity.record.kind.is_callable()
    };
    let targets = understood.targets.iter().chain(understood.passed.iter().flat_map(|(_, others)| others));
    let mut found: Vec<Target> = targets.filter(|target| is_it(target.main())).cloned().collect();
    if found.is_empty() {
        match known(reading.store, said, "")? {
            Some(TargetMatch::Found(target)) => found.push(target),
            Some(TargetMatch::Ambiguous(entities)) => {
                found.extend(entities.into_iter().map(|one| Target::of(vec![one])));
            }
            _ => {}
        }
    }
    let mut owners: Vec<Entity> = Vec::new();
    for target in found {
        let entity = target.implementation();
        let is_known = owners.iter().any(|known| known.id == entity.id);
        if !is_it(entity) || is_known || entity.record.flags.has(EntityFlags::OVERLOAD) {
            continue;
        }
        owners.push(entity.clone());
    }
    Ok(owners)
}

/// The action, the name and the function of such a question; `None` for other questions.
fn asked_action(question: &str) -> Option<AskedAction> {
    const AROUND: &str = "a all an any arg argument at by does from gets get given in into is are local name of on out parameter param \
         the to up value variable was with key attribute ever being it its";
    const PARAMETERS: &str = "arg argument param parameter keyword";
    let words: Vec<&str> =
        question.split_whitespace().map(|word| word.trim_matches(['`', '\'', '"', '?', ',', '.'])).collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let is_led = lower.first().is_some_and(|first| is_in("at in on", first));
    let first = usize::from(is_led);
    let (head, noun) = (lower.get(first)?, lower.get(first + 1)?);
    let asks_for_lines = is_in("which what", head) && is_in(HEADS, noun);
    let start = match head.as_str() {
        _ if asks_for_lines => first + 2,
        "where" if !is_led => 1,
        _ => return None,
    };
    let verb_of = |at: usize| VERBS.iter().find(|(forms, ..)| is_in(forms, &lower[at]));
    let is_filling = |at: &usize| is_in(AROUND, &lower[*at]) || is_in(KINDS, &lower[*at]);
    let verb = (start..words.len()).filter(|at| verb_of(*at).is_some()).collect::<Vec<_>>();
    let [verb] = verb.as_slice() else { return None };
    let (_, action, done) = verb_of(*verb)?;
    // The names of the question, in their order; each is a single word.
    let names: Vec<usize> = (start..words.len()).filter(|at| at != verb && !is_filling(at)).collect();
    let [one, other] = names.as_slice() else { return None };
    let is_owner = |at: usize| {
        let before = (start..at).rev().find(|at| !is_in(KINDS, &lower[*at]));
        before.is_some_and(|before| is_in(PREPOSITIONS, &lower[before]))
    };
    // `where does f use x`, `on which line does f use x`
    let is_active = (start..*verb).any(|at| lower[at] == "does") && one < verb && verb < other;
    let (owner, name) = match (is_owner(*one), is_owner(*other)) {
        (true, false) => (*one, *other),
        (false, true) => (*other, *one),
        _ if is_active => (*one, *other),
        _ => return None,
    };
    let text = |at: usize| words[at].trim_end_matches("()").to_owned();
    let is_name = |text: &str| text.split('.').all(|part| !part.is_empty() && part.chars().all(is_name_part));
    let (name, owner) = (text(name), text(owner));
    let says_parameter = lower.iter().any(|word| is_in(PARAMETERS, word));
    let is_named = is_name(&name) && is_name(&owner);
    is_named.then_some(AskedAction { action: *action, done, name, owner, says_parameter, asks_for_lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_is_read_with_its_name_and_its_function() {
        let check = |question: &str| {
            asked_action(question)
                .map_or_else(String::new, |asked| format!("{} {} in {}", asked.name, asked.done, asked.owner))
        };
        assert_eq!(check("which line in Cart.add pops `limit`?"), "limit popped in Cart.add");
        assert_eq!(check("which line of Cart.add appends to self.rows?"), "self.rows appended to in Cart.add");
        assert_eq!(check("on which line does total raise ValueError?"), "ValueError raised in total");
        assert_eq!(check("which lines use rate in total?"), "rate used in total");
        assert_eq!(check("where in total is rate used?"), "rate used in total");
        assert_eq!(check("where is the parameter rate of total used?"), "rate used in total");
        assert_eq!(check("where is total used?"), "");
        assert_eq!(check("which functions use rate in total?"), "");
        assert_eq!(check("where is rate used in total and in add?"), "");
    }
}
