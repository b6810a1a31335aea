//! Classes by the methods that they define: `which classes have async methods`.

use super::{place, within};
use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow},
        reading::{filters::Noun, plan::Understood, words::is_in},
    },
    query::{
        target::filter::{DefinitionMark, FilterReader},
        words::{count, plural},
    },
    store::error::StoreError,
};

/// Words between a class and the methods that it has.
const HOLDING: &str = "contain containing declare declaring define defining has have having lack lacking offer offering own provide \
     providing with without";
/// Words by which a question speaks of the names of the methods.
const NAMING: &str =
    "begin beginning called dunder end ending magic name named names prefixed special start starting suffixed";
/// Words for methods of any kind.
const MEMBERS: &str = "classmethod classmethods coroutine coroutines function functions generator generators method methods overload \
     overloads setter setters staticmethod staticmethods";

/// Lists the classes that define methods with the marks of the question, or those that define none; `None` for other
/// questions. An abstract method makes its class abstract, so that the filter for classes knows it.
pub(super) fn with_methods(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let filters = &understood.plan.filters;
    let words = &understood.words;
    let holding = words.iter().position(|word| is_in(HOLDING, word));
    let held = holding.and_then(|at| words[at..].iter().position(|word| is_in(MEMBERS, word)).map(|next| at + next));
    let asked = [DefinitionMark::Abstract, DefinitionMark::Inner, DefinitionMark::Local, DefinitionMark::Deprecated];
    let is_of_class = asked.iter().any(|mark| filters.marks.contains(&mark.as_str()));
    let (Some(holding), Some(held)) = (holding, held) else { return Ok(None) };
    // `classes that have methods decorated with D`, `methods named __*__`
    let is_behind = |list: &str| words[holding..].iter().any(|word| is_in(list, word));
    let decorator = filters.decorator.as_ref().filter(|_| is_behind("decorated marked wrapped"));
    let name = filters.name.as_ref().filter(|_| is_behind(NAMING));
    let has_condition = !filters.marks.is_empty() || decorator.is_some() || name.is_some();
    let is_asked = filters.noun == Some(Noun::Class) && has_condition && !is_of_class;
    if !is_asked || filters.ranking().is_some() || understood.degree.is_some() {
        return Ok(None);
    }
    let is_mark = |field: &str| {
        let is_stated = decorator.is_some() && field == "decorator" || name.is_some() && field == "name";
        is_stated || DefinitionMark::ALL.iter().any(|mark| mark.as_str() == field)
    };
    let is_denied = filters.denied.iter().any(|field| is_mark(field)) || words[holding].starts_with("lack");
    let mut methods = understood.clone();
    methods.plan.filters.noun = Some(Noun::Method);
    methods.plan.filters.denied.retain(|field| !is_mark(field));
    let reader = FilterReader::new(reading.store)?;
    let (is_within, filter) = (within(understood), methods.filter());
    let fitting = reader.fitting(&filter)?;
    let mut classes = understood.clone();
    classes.plan.filters.marks.clear();
    classes.plan.filters.decorator = classes.plan.filters.decorator.filter(|_| decorator.is_none());
    classes.plan.filters.name = classes.plan.filters.name.filter(|_| name.is_none());
    classes.plan.filters.denied.retain(|field| !is_mark(field));
    let mut rows = Vec::new();
    for class in reader.fitting(&classes.filter())?.into_iter().filter(|class| is_within(class)) {
        let own = fitting.iter().filter(|method| method.parent == class.id);
        let mut names: Vec<&str> = own.map(|method| method.record.name.as_str()).collect();
        names.dedup();
        if names.is_empty() == is_denied {
            let said = if is_denied { String::new() } else { format!("defines {}", names.join(", ")) };
            rows.push(ListRow::of(&class).with(said));
        }
    }
    let (place, things) = (place(understood, &filter), words[holding + 1..=held].join(" "));
    let verb = if is_denied { "without" } else { "with" };
    let things = things.trim_start_matches("no ").trim_start_matches("any ");
    // `dunder methods` says of which names.
    let name = name.filter(|name| *name != "__*__");
    let conditions = [("decorated by", decorator), ("called", name)];
    let conditions = conditions.into_iter().filter_map(|(said, one)| Some(format!(" {said} `{}`", one?)));
    let things = format!("{things}{}", conditions.collect::<String>());
    let headline = match rows.len() {
        0 => format!("none: no class {place} fits ({verb} {things})"),
        all => format!(
            "{} {place} ({verb} {things} of {} own)",
            count(all, "class"),
            if all == 1 { "its" } else { "their" }
        ),
    };
    let mut answer = Answer::new(understood.plan.clone(), headline);
    answer.command = understood.plan.ask_command();
    answer.list(format!("{} that fit ({})", plural("class"), rows.len()), rows);
    Ok(Some(answer))
}
