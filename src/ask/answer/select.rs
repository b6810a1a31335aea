//! Answers about sets of definitions: those of a kind that fit conditions, and their number.

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            places::{self, PlaceRole, places},
        },
        reading::{
            filters::{Filters, Noun, Ranking},
            plan::Understood,
        },
    },
    model::EntityKind,
    query::{
        impact::completeness::{Boundary, Completeness},
        navigate::outside::heirs_of_outside,
        target::{
            filter::{DefinitionMark, Filter, FilterReader, ListOrder, lines, parameters, tells},
            likeliest::is_aside,
        },
        words::{count, plural},
    },
    store::{error::StoreError, read::Entity},
};

/// Definitions that are listed when the biggest are asked for.
const MAX_BIGGEST: usize = 10;
/// Definitions that a language model gets to see.
const MAX_WANTED: usize = 30;

/// Lists the definitions that fit the filters of a question.
pub fn select(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let plan = &understood.plan;
    let (filter, ranking) = (understood.filter(), plan.filters.ranking());
    let reader = FilterReader::new(reading.store)?;
    let mut found = reader.sorted(&filter, ranking.map_or(ListOrder::Place, Ranking::order))?;
    // A configuration file has no importers.
    found.retain(|(_, entity)| entity.record.kind != EntityKind::Module || !entity.path.ends_with(".toml"));
    if let Some(within) = understood.owners() {
        found.retain(|(_, entity)| within.iter().any(|owner| holds(owner.main(), entity)));
    }
    if let (Some(decorator), Some(argument)) = (&plan.filters.decorator, &plan.filters.decorator_argument) {
        found.retain(|(_, entity)| is_given(reading, entity, decorator, argument));
    }
    let all = found.len();
    if ranking.is_some() {
        found.truncate(MAX_BIGGEST);
    }
    let mut answer = Answer::new(plan.clone(), String::new());
    let mut warnings = Vec::new();
    let place = place(understood, &filter);
    let (noun, words) = worded(&plan.filters);
    let conditions = if words.is_empty() { String::new() } else { format!(" ({words})") };
    answer.headline = match (found.first(), ranking) {
        (None, _) => format!("none: no {noun} {place} fits{conditions}"),
        (Some((figure, first)), Some(ranking)) => ranking.headline(noun, &place, &first.full_name(), *figure),
        (Some(_), None) => format!("{} {place}{conditions}", count(all, noun)),
    };
    if filter.has_uses == Some(false) {
        let message = "a framework, an entry point or another repository may use them all the same".to_owned();
        answer.bound(Completeness::LowerBound, [Boundary::new("outside", all, message)]);
    }
    if let (true, [names]) = (found.is_empty(), filter.derives_from.as_slice())
        && let [name] = names.as_slice()
        && heirs_of_outside(reading.store, name)?.is_none()
        && reading.store.entities_named(name, false)?.is_empty()
    {
        answer.headline += &format!("; nothing here is called `{name}`, and no class has such a base");
    }
    if filter.needs_annotations() {
        let all = reader.fitting(&Filter { excluded: Vec::new(), ..filter.clone() })?;
        let is_silent =
            |entity: &&Entity| filter.excluded.iter().any(|denied| !tells(denied, &entity.record.signature));
        let silent = all.iter().filter(is_silent).count();
        if silent > 0 {
            let message = format!("{} without the annotation may fit too", count(silent, noun));
            answer.bound(Completeness::LowerBound, [Boundary::new("unannotated", silent, message)]);
        }
    }
    for (_, entity) in found.iter().take(MAX_WANTED) {
        answer.want(entity, "it fits", true);
    }
    let remark = |figure: usize, entity: &Entity| match ranking {
        Some(ranking) => count(figure, ranking.unit()),
        None if filter.least_lines.is_some() => count(lines(entity) as usize, "line"),
        None if filter.least_parameters.is_some() => count(parameters(entity) as usize, "parameter"),
        None => String::new(),
    };
    if filter.marks.contains(&DefinitionMark::Deprecated) {
        // Most projects warn when the code runs, and decorate nothing.
        let mut warned = places(reading, understood, "DeprecationWarning")?;
        warned.retain(|place| !place.is_test && !is_aside(&place.path) && place.role != PlaceRole::Imports);
        if !warned.is_empty() {
            let given = count(warned.len(), "place");
            answer.headline += &format!("; the program names `DeprecationWarning` at {given}");
        }
        warnings = warned.iter().map(places::row).collect();
    }
    let row = |(figure, entity): &(usize, Entity)| match route(reading, understood, entity) {
        Some(route) => ListRow::of(entity).with(route),
        None => ListRow::of(entity).with(remark(*figure, entity)),
    };
    let rows = found.iter().map(row).collect();
    answer.list(format!("{} that fit ({all})", plural(noun)), rows);
    answer.list(format!("deprecations that it warns of ({})", warnings.len()), warnings);
    Ok(answer)
}

/// The decorator that registers a route, as written: `get("/items/{id}")`.
fn route(reading: AnswerInputs, understood: &Understood, entity: &Entity) -> Option<String> {
    let filters = &understood.plan.filters;
    let names = filters.decorator.as_deref().filter(|_| filters.is_route())?;
    let head = reading.sources.lines(&entity.path, entity.record.start_line, entity.record.line)?;
    head.lines().find_map(|line| {
        let call = line.trim().strip_prefix('@')?;
        let (name, _) = call.split_once('(')?;
        let method = name.rsplit('.').next().unwrap_or(name);
        names.split('|').any(|known| known == method).then(|| call[name.len() - method.len()..].to_owned())
    })
}

/// Whether a decorator of a definition has an argument, as written.
fn is_given(reading: AnswerInputs, entity: &Entity, decorator: &str, argument: &str) -> bool {
    let head = reading.sources.lines(&entity.path, entity.record.start_line, entity.record.line).unwrap_or_default();
    let mut calls = head.split('@').skip(1);
    calls.any(|call| {
        call.split_once('(').is_some_and(|(name, rest)| name.ends_with(decorator) && rest.contains(argument))
    })
}

/// The noun of the filters, and their other conditions in words.
fn worded(filters: &Filters) -> (&'static str, String) {
    let noun = filters.noun.unwrap_or(Noun::Definition).worded();
    let conditions = Filter { is_in_tests: None, ..filters.conditions() };
    if filters.is_route() {
        return ("route", Filter { decorators: Vec::new(), ..conditions }.words());
    }
    (noun, conditions.words())
}

/// Whether a definition stands in a class or module.
fn holds(owner: &Entity, entity: &Entity) -> bool {
    let inner = &entity.record.qualified;
    if owner.record.kind == EntityKind::Module && owner.path.ends_with("__init__.py") {
        return entity.module == owner.module || entity.module.starts_with(&format!("{}.", owner.module));
    }
    let rest = inner.strip_prefix(owner.record.qualified.as_str());
    owner.file == entity.file && (owner.record.qualified.is_empty() || rest.is_some_and(|rest| rest.starts_with('.')))
}

/// The place where the question looks, in words.
fn place(understood: &Understood, filter: &Filter) -> String {
    let plan = &understood.plan;
    if let Some(owners) = understood.owners() {
        let names: Vec<String> = owners.iter().map(|target| format!("`{}`", target.main().full_name())).collect();
        return format!("of {}", names.join(" and "));
    }
    let shown = |mention: &str, paths: &[String]| match paths {
        [path] => path.clone(),
        _ => mention.to_owned(),
    };
    match (plan.files.as_slice(), filter.is_in_tests) {
        ([], Some(false)) => "outside of tests".to_owned(),
        ([], Some(true)) => "in tests".to_owned(),
        ([], None) => "in the repository".to_owned(),
        (files, _) => {
            let files: Vec<String> = files.iter().map(|file| shown(&file.mention, &file.paths)).collect();
            format!("in {}", files.join(" and "))
        }
    }
}
