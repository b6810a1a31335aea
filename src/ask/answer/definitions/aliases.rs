//! Lists the type aliases of modules: `X: TypeAlias = …`, `type X = …`, and `X = Union[…]`.

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            select::{holds, place},
        },
        reading::{forms::QuestionIntent, plan::Understood, words::is_in},
    },
    model::EntityKind,
    query::target::filter::{Filter, FilterReader},
    store::{error::StoreError, read::Entity},
};

/// Types whose subscription is a type, by the last part of their names.
const SUBSCRIBED: &str = "Annotated AsyncIterable AsyncIterator Awaitable Callable ClassVar Collection Coroutine \
     DefaultDict Deque Dict FrozenSet Generator Iterable Iterator List Literal Mapping MutableMapping MutableSequence \
     Optional Sequence Set Tuple Type Union dict frozenset list set tuple type";
/// Types of Python that a union of the form `a | b` may have.
const BUILTIN: &str =
    "None bool bytearray bytes complex dict float frozenset int list memoryview object set str tuple type";

/// Lists them; `None` for other questions.
pub(in crate::ask::answer) fn aliases(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let is_alias = |word: &str| matches!(word, "alias" | "aliases");
    let words = &understood.words;
    let is_named = words.windows(2).any(|pair| matches!(pair[0].as_str(), "type" | "typing") && is_alias(&pair[1]))
        || words.iter().any(|word| matches!(word.as_str(), "typealias" | "typealiases"));
    let begins = words.first().is_some_and(|word| matches!(word.as_str(), "type" | "typealiases"));
    if !is_named || !understood.asks_for_list() && !begins {
        return Ok(None);
    }
    let filter = Filter { kinds: vec![EntityKind::Variable], marks: Vec::new(), ..understood.filter() };
    let owners = understood.owners();
    let mut rows = Vec::new();
    for entity in FilterReader::new(reading.store)?.fitting(&filter)? {
        let is_held = owners.as_ref().is_none_or(|owners| owners.iter().any(|owner| holds(owner.main(), &entity)));
        let is_of_module = !entity.record.qualified.contains('.');
        if is_of_module && is_held && !understood.leaves_out(&entity.path) && is_type_alias(reading, &entity) {
            rows.push(ListRow::of(&entity));
        }
    }
    let place = place(understood, &filter);
    let headline = match rows.len() {
        0 => format!("none: no module {place} defines a type alias"),
        1 => format!("1 type alias {place}"),
        all => format!("{all} type aliases {place}"),
    };
    let yes = if !understood.asks_whether_any() {
        ""
    } else if rows.is_empty() {
        "no: "
    } else {
        "yes: "
    };
    let mut answer = Answer::new(
        understood.clone().read_as(QuestionIntent::Select).plan,
        format!("{yes}{}", if yes == "no: " { headline.trim_start_matches("none: ") } else { &headline }),
    );
    answer.command = understood.plan.ask_command();
    answer.list(format!("type aliases ({})", rows.len()), rows);
    Ok(Some(answer))
}

/// Whether the source of a variable gives a type another name.
fn is_type_alias(reading: AnswerInputs, entity: &Entity) -> bool {
    let record = &entity.record;
    let text = reading.sources.lines(&entity.path, record.start_line, record.end_line).unwrap_or_default();
    let text = text.trim_start();
    if text.strip_prefix("type ").is_some_and(|rest| rest.trim_start().starts_with(record.name.as_str())) {
        return true;
    }
    let Some(rest) = text.strip_prefix(record.name.as_str()) else { return false };
    let Some((annotation, value)) = rest.split_once('=') else { return false };
    if annotation.contains("TypeAlias") {
        return true;
    }
    annotation.trim().is_empty() && is_type(value)
}

/// Whether an expression is written like a type: `Union[A, B]`, `A | None`.
fn is_type(value: &str) -> bool {
    let value = value.trim_start();
    let head_end = value.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(value.len());
    let last = value[..head_end].rsplit('.').next().unwrap_or_default();
    if value[head_end..].starts_with('[') {
        return is_in(SUBSCRIBED, last);
    }
    let line = value.lines().next().unwrap_or_default();
    let code = line.split('#').next().unwrap_or_default();
    let is_class = |name: &str| {
        let last = name.rsplit('.').next().unwrap_or(name);
        last.starts_with(char::is_uppercase) && last.contains(char::is_lowercase) || is_in(BUILTIN, last)
    };
    let is_part = |part: &str| {
        let name = part.split('[').next().unwrap_or_default().trim();
        is_class(name) && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
    };
    code.contains('|') && code.split('|').all(is_part)
}
