//! Definitions by what is defined inside them, and the overloads of one definition.

use super::{place, within};
use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow},
        reading::{filters::Noun, plan::Understood, relations::noun_of},
    },
    model::EntityKind,
    query::{
        target::filter::{DefinitionMark, Filter, FilterReader},
        words::{count, plural, shell_word},
    },
    store::{error::StoreError, read::Entity},
};

/// Lists the definitions that hold others: `which functions have inner functions`; `None` for other questions.
pub(super) fn around_others(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    const HOLDING: [&str; 9] =
        ["contain", "contains", "define", "defines", "defining", "has", "have", "having", "with"];
    let words = &understood.words;
    let is_nested = |word: &String| matches!(word.as_str(), "inner" | "nested");
    let Some(at) = words.iter().position(is_nested) else { return Ok(None) };
    let is_held = words[..at].iter().rev().take(2).any(|word| HOLDING.contains(&word.as_str()));
    let head = words[..at].iter().find_map(|word| noun_of(word));
    let held = words.get(at + 1).and_then(|word| match word.as_str() {
        "class" | "classes" => Some(&[EntityKind::Class][..]),
        "function" | "functions" | "method" | "methods" => Some(&[EntityKind::Function, EntityKind::Method][..]),
        _ => None,
    });
    let (Some(head), Some(kinds), true) = (head, held, is_held) else { return Ok(None) };
    let mut asked = understood.clone();
    asked.plan.filters.noun = Some(head);
    asked.plan.filters.marks.retain(|mark| *mark != DefinitionMark::Inner.as_str());
    let mut filter = asked.filter();
    // A function inside of another one can hold a third.
    filter.marks.retain(|mark| *mark != DefinitionMark::Outer);
    let is_within = within(&asked);
    let mut rows = Vec::new();
    for entity in FilterReader::new(reading.store)?.fitting(&filter)? {
        let mut inside = if kinds.contains(&EntityKind::Class) {
            // A class inside of a method stands in the class as well.
            let below = format!("{}.", entity.record.qualified);
            let mut below_it = reading.store.entities_of(entity.file)?;
            below_it.retain(|one| one.record.qualified.starts_with(&below));
            below_it
        } else {
            reading.store.children(entity.id)?
        };
        // The methods of a class are no nested functions.
        let is_own_method = |one: &Entity| head == Noun::Class && one.record.kind == EntityKind::Method;
        inside.retain(|one| kinds.contains(&one.record.kind) && !is_own_method(one));
        if !inside.is_empty() && is_within(&entity) {
            let names: Vec<&str> = inside.iter().map(|one| one.record.name.as_str()).collect();
            rows.push(ListRow::of(&entity).with(format!("defines {}", names.join(", "))));
        }
    }
    let (place, noun) = (place(&asked, &filter), head.worded());
    let things = words[at..=at + 1].join(" ");
    let headline = match rows.len() {
        0 => format!("none: no {noun} {place} defines {things}"),
        all => format!("{} {place} ({things} in {})", count(all, noun), if all == 1 { "it" } else { "them" }),
    };
    let mut answer = Answer::new(understood.plan.clone(), headline);
    answer.command = format!("repoidx ask {}", shell_word(&understood.plan.question));
    answer.list(format!("{} that fit ({})", plural(noun), rows.len()), rows);
    Ok(Some(answer))
}

/// Lists the overloads of the definitions that a question names; `None` where it names none.
pub(super) fn overloads_of(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let is_callable = |kind: EntityKind| kind.is_callable();
    let filters = &understood.plan.filters;
    let is_asked = filters.marks.contains(&DefinitionMark::Overload.as_str())
        && !understood.targets.is_empty()
        && understood.targets.iter().all(|target| is_callable(target.main().record.kind));
    if !is_asked {
        return Ok(None);
    }
    let reader = FilterReader::new(reading.store)?;
    let overload = Filter { marks: vec![DefinitionMark::Overload], ..Filter::default() };
    let (mut rows, mut said) = (Vec::new(), Vec::new());
    for target in &understood.targets {
        let main = target.main();
        let mut all = 0;
        for one in reading.store.children(main.parent)? {
            if one.record.qualified == main.record.qualified && reader.accepts(&overload, &one)? {
                rows.push(ListRow::of(&one));
                all += 1;
            }
        }
        let name = format!("`{}.{}`", main.module, main.record.qualified);
        said.push(match all {
            0 => format!("none: {name} has no overloads ({}:{})", main.path, main.record.start_line),
            all => format!("{name} has {}", count(all, "overload")),
        });
    }
    let mut answer = Answer::new(understood.plan.clone(), said.join("; "));
    answer.command = format!("repoidx ask {}", shell_word(&understood.plan.question));
    answer.list(format!("overloads ({})", rows.len()), rows);
    Ok(Some(answer))
}

/// Tells classes of tests: those that hold or inherit a test.
pub(super) fn holds_tests(reading: AnswerInputs, class: &Entity) -> Result<bool, StoreError> {
    let reader = FilterReader::new(reading.store)?;
    let test = Filter { marks: vec![DefinitionMark::Test], ..Filter::default() };
    let above = crate::query::target::lineage(reading.store, class.id)?;
    for owner in [class.id].into_iter().chain(above) {
        for one in reading.store.children(owner)? {
            if one.record.kind.is_callable() && reader.accepts(&test, &one)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
