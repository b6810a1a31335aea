//! Variables by what they are: those of classes, of modules, and type variables.

use super::{place, within};
use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, first_in_words},
        reading::{filters::Noun, forms::QuestionIntent, plan::Understood, words::is_in},
    },
    model::EntityKind,
    query::{
        target::filter::{DefinitionMark, FilterReader},
        words::count,
    },
    store::{error::StoreError, read::Entity},
};

/// Calls that make a type variable.
const MAKING: [&str; 3] = ["TypeVar", "TypeVarTuple", "ParamSpec"];
/// Words that a question for such variables begins with.
const ASKING: &str =
    "all any are class count find give how instance is list name print show the type typevars what which";
/// Words of a question for type variables, beside its place.
const OF_TYPES: &str = "a all and any are code codebase contain contains count declare declared declares define defined defines do does \
     exist exists file find give have has here how in is list many me module names number of package paramspecs print project repo \
     repository show the there this type typevar typevars var variable variables vars what which";
/// Names that a headline gives.
const MAX_NAMED: usize = 6;

/// Lists the variables of classes, instances or modules, or type variables; `None` for other questions.
pub(super) fn variables(
    reading: AnswerInputs,
    understood: &Understood,
    words: &[String],
) -> Result<Option<Answer>, StoreError> {
    let is_asked = words.first().is_some_and(|first| is_in(ASKING, first));
    let pair = words.windows(2).find_map(|pair| match (pair[0].as_str(), pair[1].as_str()) {
        ("class", "variables" | "attributes" | "attrs") => Some("class"),
        ("instance", "variables" | "attributes" | "attrs") => Some("instance"),
        ("type", "variable" | "variables" | "var" | "vars") => Some("type"),
        (
            "global" | "level" | "module" | "module-level" | "top-level" | "toplevel",
            "variables" | "vars" | "globals",
        ) => Some("module"),
        _ => None,
    });
    if !is_asked && pair != Some("module") {
        return Ok(None);
    }
    // `the variables of a.py`
    let is_plain = pair.is_none() && words.iter().any(|word| is_in("globals variables", word));
    let has_module = !understood.plan.files.is_empty()
        || !understood.targets.is_empty()
            && understood.targets.iter().all(|target| target.main().record.kind == EntityKind::Module);
    if pair == Some("module") || is_plain && has_module {
        return of_modules(reading, understood, words);
    }
    let is_type_variable = |word: &String| is_in("paramspecs typevar typevars", word);
    match pair {
        Some(kind @ ("class" | "instance")) => of_classes(reading, understood, words, kind == "class"),
        None if !words.iter().any(is_type_variable) => Ok(None),
        _ if words.iter().any(|word| !is_in(OF_TYPES, word) && !names_place(understood, word)) => Ok(None),
        _ => type_variables(reading, understood, words).map(Some),
    }
}

/// Whether a word is one of the places that the question names.
fn names_place(understood: &Understood, word: &str) -> bool {
    let plan = &understood.plan;
    let mut mentions =
        plan.files.iter().map(|file| &file.mention).chain(plan.subjects.iter().map(|subject| &subject.mention));
    mentions.any(|mention| mention.trim_end_matches('/').to_lowercase() == word.trim_end_matches('/'))
}

/// The variables that the body of each class binds, or those that only its methods set on `self`.
fn of_classes(
    reading: AnswerInputs,
    understood: &Understood,
    words: &[String],
    is_of_class: bool,
) -> Result<Option<Answer>, StoreError> {
    const AROUND: &str = "all and any are attributes attrs class classes count define defined defines did do does exist find for from \
         give has have how in instance is its list many me name named of own print set sets show that the there variables what which";
    let is_class = |entity: &Entity| entity.record.kind == EntityKind::Class;
    let classes = &understood.targets;
    let subjects = &understood.plan.subjects;
    let is_named = |word: &String| subjects.iter().any(|subject| subject.mention.to_lowercase() == *word);
    let others = words.iter().filter(|word| !is_in(AROUND, word)).count();
    if classes.is_empty() || !classes.iter().all(|target| is_class(target.main())) || others > classes.len() {
        return Ok(None);
    }
    if !words.iter().any(is_named) {
        return Ok(None);
    }
    let said = if is_of_class { "class variable" } else { "instance variable" };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Members).plan, String::new());
    answer.command = understood.plan.ask_command();
    let mut headlines = Vec::new();
    for target in classes {
        let class = target.main();
        let members = reading.store.children(class.id)?;
        let is_in_method = |line: u32| {
            let mut methods = members.iter().filter(|one| one.record.kind.is_callable());
            methods.any(|one| (one.record.start_line..=one.record.end_line).contains(&line))
        };
        let mut found: Vec<&Entity> = members.iter().filter(|one| one.record.kind == EntityKind::Variable).collect();
        found.retain(|one| is_in_method(one.record.line) != is_of_class);
        let name = class.full_name();
        let names = first_in_words(found.iter().map(|one| format!("`{}`", one.record.name)), MAX_NAMED);
        headlines.push(match found.len() {
            0 => format!("none: `{name}` has no {said} of its own ({}:{})", class.path, class.record.start_line),
            all => format!("`{name}` has {} of its own: {names}", count(all, said)),
        });
        answer.want(class, "asked about", false);
        answer.list(format!("{said}s of {name} ({})", found.len()), found.into_iter().map(ListRow::of).collect());
    }
    answer.headline = headlines.join("; ");
    Ok(Some(answer))
}

/// The variables at the level of modules, constants among them.
fn of_modules(reading: AnswerInputs, understood: &Understood, words: &[String]) -> Result<Option<Answer>, StoreError> {
    const AROUND: &str = "a all and any are at code codebase contain contains count declare declared declares define defined defines \
         do does exist exists file find for from give global globals has have here how in inside is level list many me module \
         module-level modules name names number of on print project repo repository set show that the there this top-level \
         toplevel variables vars what which";
    if words.iter().any(|word| !is_in(AROUND, word) && !names_place(understood, word)) {
        return Ok(None);
    }
    let mut asked = understood.clone();
    asked.plan.filters.noun = Some(Noun::Variable);
    let filter = asked.filter();
    let is_within = within(&asked);
    let mut found = FilterReader::new(reading.store)?.fitting(&filter)?;
    found.retain(|entity| is_within(entity) && !entity.record.qualified.contains('.'));
    let constants = found.iter().filter(|entity| DefinitionMark::Constant.fits(entity)).count();
    let place = place(&asked, &filter);
    let is_whether = words.first().is_some_and(|first| is_in("are is", first));
    let names = first_in_words(found.iter().map(|one| format!("`{}`", one.record.name)), MAX_NAMED);
    let headline = match found.len() {
        0 => format!("{}: no variable at module level {place}", if is_whether { "no" } else { "none" }),
        all => {
            let yes = if is_whether { "yes: " } else { "" };
            format!("{yes}{} at module level {place}, {constants} in capitals: {names}", count(all, "variable"))
        }
    };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Select).plan, headline);
    answer.plan.unknown.clear();
    answer.plan.notes.clear();
    answer.command = understood.plan.ask_command();
    answer.list(format!("variables at module level ({})", found.len()), found.iter().map(ListRow::of).collect());
    Ok(Some(answer))
}

/// The variables that hold a `TypeVar` or one of its kin.
fn type_variables(reading: AnswerInputs, understood: &Understood, words: &[String]) -> Result<Answer, StoreError> {
    let mut asked = understood.clone();
    asked.plan.filters.noun = Some(Noun::Variable);
    let filter = asked.filter();
    let is_within = within(&asked);
    let mut rows = Vec::new();
    for entity in FilterReader::new(reading.store)?.fitting(&filter)? {
        let (first, last) = (entity.record.start_line, entity.record.end_line);
        let text = reading.sources.lines(&entity.path, first, last).unwrap_or_default();
        let value = text.split_once('=').map_or("", |(_, value)| value.trim_start());
        let callee = value.split('(').next().unwrap_or_default();
        if is_within(&entity) && MAKING.iter().any(|call| callee.ends_with(call)) {
            rows.push(ListRow { text: text.lines().next().unwrap_or_default().to_owned(), ..ListRow::of(&entity) });
        }
    }
    let place = place(&asked, &filter);
    let is_whether = words.first().is_some_and(|first| is_in("are is", first));
    let names = first_in_words(rows.iter().map(|row| format!("`{}`", row.name)), MAX_NAMED);
    let headline = match rows.len() {
        0 => format!("{}: no type variable {place} is made by a call", if is_whether { "no" } else { "none" }),
        all => format!("{}{} {place}: {names}", if is_whether { "yes: " } else { "" }, count(all, "type variable")),
    };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Select).plan, headline);
    answer.plan.unknown.clear();
    answer.plan.notes.clear();
    answer.command = understood.plan.ask_command();
    answer.list(format!("type variables ({})", rows.len()), rows);
    Ok(answer)
}
