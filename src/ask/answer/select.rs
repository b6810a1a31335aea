//! Answers about sets of definitions: those of a kind that fit conditions, and their number.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow},
        reading::{
            forms::{Filters, Noun},
            names::is_exception,
            plan::Understood,
        },
    },
    model::{EntityFlags, EntityKind},
    query::{
        impact::completeness::{Boundary, Completeness},
        target::{
            Target,
            filter::{DefinitionMark, Filter, FilterReader, lines, parameters},
            likeliest::is_aside,
        },
        words::count,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Definitions that are listed when the biggest are asked for.
const MAX_BIGGEST: usize = 10;
/// Definitions that a language model gets to see.
const MAX_WANTED: usize = 30;

/// Lists the definitions that fit the filters of a question.
pub fn select(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let filters = &understood.plan.filters;
    let noun = filters.noun.unwrap_or(Noun::Definition);
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let (place, entities) = scope(reading.store, understood)?;
    let (conditions, reader) = (conditions(filters), FilterReader::new(reading.store)?);
    let wants_overloads = filters.marks.contains(&"overload");
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut exceptions = BTreeMap::new();
    for entity in entities {
        let is_fit = noun.fits(entity.record.kind)
            && (wants_overloads || !entity.record.flags.has(EntityFlags::OVERLOAD))
            && reader.accepts(&conditions, &entity)?
            && !(matches!(noun, Noun::Function | Noun::Helper) && is_inner(&entity))
            && (noun != Noun::Exception || is_exception(reading.store, reading.sources, &entity, &mut exceptions)?)
            && (noun != Noun::Fixture || entity.record.flags.has(EntityFlags::FIXTURE));
        if is_fit && seen.insert((entity.file, entity.record.qualified.clone())) {
            found.push(entity);
        }
    }
    let all = found.len();
    if filters.is_biggest {
        found.sort_by_key(|entity| Reverse(lines(entity)));
        found.truncate(MAX_BIGGEST);
    }
    let worded = worded(filters);
    answer.headline = match found.first() {
        None => format!("none: no {} {place} fits{worded}", noun.as_str()),
        Some(first) if filters.is_biggest => {
            format!("the biggest {} {place} is `{}` with {} lines", noun.as_str(), first.full_name(), lines(first))
        }
        Some(_) => format!("{} {place}{worded}", count(all, noun.as_str())),
    };
    if filters.is_unused {
        let message = "a framework, an entry point or another repository may use them all the same".to_owned();
        answer.bound(Completeness::LowerBound, [Boundary::new("outside", all, message)]);
    }
    for entity in found.iter().take(MAX_WANTED) {
        answer.want(entity, "it fits", true);
    }
    let rows = found.iter().map(|entity| ListRow::of(entity).with(remark(entity, filters))).collect();
    answer.list(format!("{} that fit ({all})", count(2, noun.as_str()).trim_start_matches("2 ")), rows);
    Ok(answer)
}

/// The definitions among which the question looks, in words and by place.
fn scope(store: &Store, understood: &Understood) -> Result<(String, Vec<Entity>), StoreError> {
    let plan = &understood.plan;
    let paths: BTreeSet<&str> = plan.files.iter().flat_map(|file| file.paths.iter().map(String::as_str)).collect();
    let owners: Vec<&Entity> = understood
        .targets
        .iter()
        .map(Target::main)
        .filter(|main| matches!(main.record.kind, EntityKind::Class | EntityKind::Module))
        .collect();
    let mut entities = Vec::new();
    if paths.is_empty() && !owners.is_empty() {
        for owner in &owners {
            let below = format!("{}.", owner.record.qualified);
            let is_module = owner.record.qualified.is_empty();
            let mut inner = store.entities_of(owner.file)?;
            inner.retain(|entity| is_module || entity.record.qualified.starts_with(&below));
            entities.extend(inner);
        }
        let names: Vec<String> = owners.iter().map(|owner| format!("`{}`", owner.full_name())).collect();
        return Ok((format!("of {}", names.join(" and ")), entities));
    }
    let wants_tests = plan.filters.in_tests == Some(true) || plan.filters.noun == Some(Noun::Fixture);
    let mut files = Vec::new();
    for (id, file) in store.files()? {
        let is_own = !file.is_test && !is_aside(&file.path) || wants_tests && file.is_test;
        if if paths.is_empty() { is_own } else { paths.contains(file.path.as_str()) } {
            files.push((file.path, id));
        }
    }
    files.sort();
    for (_, file) in &files {
        entities.extend(store.entities_of(*file)?);
    }
    let place = match plan.files.as_slice() {
        [] => "outside of tests".to_owned(),
        [file] => match files.as_slice() {
            [(path, _)] => format!("in {path}"),
            _ => format!("in {}", file.mention),
        },
        several => format!("in {}", several.iter().map(|file| file.mention.as_str()).collect::<Vec<_>>().join(" and ")),
    };
    Ok((place, entities))
}

/// The conditions of a question on a definition but its kind.
fn conditions(filters: &Filters) -> Filter {
    let marks = filters.marks.iter().filter_map(|mark| DefinitionMark::ALL.into_iter().find(|it| it.as_str() == *mark));
    let visible = filters.is_private.map(|is| if is { DefinitionMark::Private } else { DefinitionMark::Public });
    Filter {
        marks: marks.chain(visible).collect(),
        decorators: filters.decorator.iter().map(|names| names.split('|').map(str::to_owned).collect()).collect(),
        has_docstring: filters.has_docstring,
        has_uses: filters.is_unused.then_some(false),
        least_lines: filters.least_lines,
        least_parameters: filters.least_parameters,
        ..Filter::default()
    }
}

/// Whether a function is defined inside another one: its kind says function, its parent is no module.
fn is_inner(entity: &Entity) -> bool {
    entity.record.kind == EntityKind::Function && entity.record.qualified.contains('.')
}

/// The figure for which a definition was selected.
fn remark(entity: &Entity, filters: &Filters) -> String {
    if filters.is_biggest || filters.least_lines.is_some() {
        return format!("{} lines", lines(entity));
    }
    if filters.least_parameters.is_some() {
        return format!("{} parameters", parameters(entity));
    }
    String::new()
}

/// The conditions in words.
fn worded(filters: &Filters) -> String {
    let mut words: Vec<String> = Vec::new();
    match filters.is_private {
        Some(true) => words.push("private".to_owned()),
        Some(false) => words.push("public".to_owned()),
        None => {}
    }
    words.extend(filters.marks.iter().map(|mark| (*mark).to_owned()));
    match filters.has_docstring {
        Some(true) => words.push("with docstring".to_owned()),
        Some(false) => words.push("without docstring".to_owned()),
        None => {}
    }
    words.extend(filters.decorator.iter().map(|name| {
        if name.contains('|') { "decorated as a route".to_owned() } else { format!("decorated by `{name}`") }
    }));
    words.extend(filters.least_lines.map(|least| format!("at least {least} lines")));
    words.extend(filters.least_parameters.map(|least| format!("at least {least} parameters")));
    words.extend(filters.is_unused.then(|| "without a use".to_owned()));
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}
