//! Yes or no to `is X a metaclass`, and the metaclass of a class.

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, candidates, definitions::named},
        reading::{forms::QuestionIntent, plan::Understood},
    },
    model::{
        EntityKind,
        conventions::standard_classes::{standard_class, standard_class_called},
    },
    query::{
        navigate::outside::WrittenBases,
        target::{
            Target,
            filter::{Filter, FilterReader},
            lineage,
        },
    },
    store::{error::StoreError, read::Entity},
};

/// The verdict; `None` for other questions.
pub(super) fn metaclass(
    reading: AnswerInputs,
    understood: &Understood,
    target: &Target,
) -> Result<Option<String>, StoreError> {
    let words = &understood.words;
    let main = target.main();
    let is_asked = words.iter().any(|word| word.starts_with("metaclass")) && main.record.kind == EntityKind::Class;
    if !is_asked {
        return Ok(None);
    }
    let classes = with_written_bases(reading, main)?;
    let is_verdict = matches!(words.first().map(String::as_str), Some("is" | "are"))
        && words.last().is_some_and(|word| word.starts_with("metaclass"));
    let answer = if is_verdict { is_metaclass(main, &classes) } else { metaclass_of(main, &classes) };
    let place = format!("class at {}:{}", main.path, main.record.start_line);
    Ok(Some(format!("{answer} ({place})")))
}

/// A class and those above it, with the bases that each states.
fn with_written_bases(reading: AnswerInputs, main: &Entity) -> Result<Vec<(Entity, WrittenBases)>, StoreError> {
    let mut classes = Vec::new();
    for id in [main.id].into_iter().chain(lineage(reading.store, main.id)?) {
        if let Some(class) = reading.store.entity(id)? {
            let written = WrittenBases::of(reading.store, &class)?;
            classes.push((class, written));
        }
    }
    Ok(classes)
}

/// The classes that a metaclass makes; none for other classes.
pub(in crate::ask::answer) fn classes_made_by(
    reading: AnswerInputs,
    metaclass: &Entity,
) -> Result<Vec<Entity>, StoreError> {
    let above = with_written_bases(reading, metaclass)?;
    if metaclass_above(&above).is_none() {
        return Ok(Vec::new());
    }
    let filter =
        Filter { kinds: vec![EntityKind::Class], metaclass: Some(metaclass.record.name.clone()), ..Filter::default() };
    FilterReader::new(reading.store)?.fitting(&filter)
}

/// The verdict on a name that nothing here has: a metaclass of Python, or nothing known.
#[expect(clippy::unnecessary_wraps, reason = "stands in a table of functions that may fail")]
pub(in crate::ask::answer) fn unknown_metaclass(
    _: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let ([unknown], ["is", _, "a" | "an", "metaclass"]) = (understood.plan.unknown.as_slice(), words.as_slice()) else {
        return Ok(None);
    };
    let name = &unknown.mention;
    let headline = match standard_class_called(name) {
        Some(class) if class.is_metaclass => format!("yes: `{name}` is a metaclass of Python"),
        Some(_) => format!("no: `{name}` is a class of Python, and no metaclass"),
        None => format!("nothing here is called `{name}`, so whether it is a metaclass is not known"),
    };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Hierarchy).plan, headline);
    answer.is_guess = true;
    candidates(&mut answer, understood);
    Ok(Some(answer))
}

/// The bases outside of the repository of some classes, in order.
fn outside(classes: &[(Entity, WrittenBases)]) -> impl Iterator<Item = &String> {
    classes.iter().flat_map(|(_, written)| written.outside.iter().chain(&written.unknown))
}

/// The metaclass of Python from which some classes derive.
fn metaclass_above(classes: &[(Entity, WrittenBases)]) -> Option<&String> {
    outside(classes).find(|base| standard_class(base).is_some_and(|class| class.is_metaclass))
}

/// The first of some bases whose own bases are not known.
fn untold(classes: &[(Entity, WrittenBases)]) -> Option<&String> {
    outside(classes).find(|base| standard_class(base).is_none())
}

fn is_metaclass(main: &Entity, classes: &[(Entity, WrittenBases)]) -> String {
    let name = named(main);
    match metaclass_above(classes) {
        Some(base) if base == "type" => format!("yes: {name} is a metaclass: it derives from `type`"),
        Some(base) => format!("yes: {name} is a metaclass: it derives from `{base}`, which derives from `type`"),
        None => match untold(classes) {
            Some(base) => format!("whether {name} is a metaclass is not known: its base `{base}` is not in the index"),
            None => format!("no: {name} is not a metaclass: it does not derive from `type`"),
        },
    }
}

fn metaclass_of(main: &Entity, classes: &[(Entity, WrittenBases)]) -> String {
    let name = named(main);
    let stated = classes.iter().find_map(|(class, written)| Some((class, written.metaclass.as_ref()?)));
    if let Some((class, (known, written))) = stated {
        let metaclass = known.as_ref().map_or_else(|| written.clone(), Entity::full_name);
        let from = if class.id == main.id { String::new() } else { format!(", stated by its base {}", named(class)) };
        return format!("the metaclass of {name} is `{metaclass}`{from}");
    }
    let made = outside(classes).find_map(|base| {
        let metaclass = standard_class(base)?.metaclass;
        (metaclass != "type").then_some((base, metaclass))
    });
    match (made, untold(classes)) {
        (Some((base, metaclass)), _) => {
            format!("the metaclass of {name} is `{metaclass}`, that of its base `{base}`")
        }
        (None, Some(base)) => format!("no metaclass of {name} is stated here; its base `{base}` is not in the index"),
        (None, None) => format!("the metaclass of {name} is `type`: neither it nor a base states another"),
    }
}
