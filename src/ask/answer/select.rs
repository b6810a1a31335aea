//! Answers about sets of definitions: those of a kind that fit conditions, and their number.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            definitions::{WrittenParameter, written_parameters},
        },
        reading::{
            filters::{Filters, Noun},
            names::is_exception,
            plan::Understood,
        },
    },
    model::{EntityFlags, EntityId, EntityKind, RelationshipKind},
    query::{
        impact::completeness::{Boundary, Completeness},
        target::{
            Target,
            filter::{DefinitionMark, is_decorated, is_used, lines, parameters},
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
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut exceptions = BTreeMap::new();
    for entity in entities {
        let is_fit = noun.fits(entity.record.kind)
            && fits(reading.store, &entity, filters)?
            && !(matches!(noun, Noun::Function | Noun::Helper) && DefinitionMark::Inner.fits(&entity))
            && (noun != Noun::Exception || is_exception(reading.store, reading.sources, &entity, &mut exceptions)?)
            && (noun != Noun::Fixture || entity.record.flags.has(EntityFlags::FIXTURE))
            && (noun != Noun::Test || entity.record.flags.has(EntityFlags::TEST));
        if is_fit && seen.insert((entity.file, entity.record.qualified.clone())) {
            found.push(entity);
        }
    }
    let all = found.len();
    let ranking = ["biggest", "most_used", "most_complex"].into_iter().find(|condition| filters.has(condition));
    let mut figures: BTreeMap<EntityId, usize> = BTreeMap::new();
    if let Some(ranking) = ranking {
        for entity in &found {
            figures.insert(entity.id, figure(reading, entity, ranking)?);
        }
        found.sort_by_key(|entity| Reverse(figures[&entity.id]));
        found.truncate(MAX_BIGGEST);
    }
    let conditions = worded(filters);
    answer.headline = match found.first() {
        None => format!("none: no {} {place} fits{conditions}", noun.worded()),
        Some(first) if ranking.is_some() => {
            let (ranking, figure) = (ranking.unwrap_or_default(), figures[&first.id]);
            let ranking_word = ranking.replace('_', " ");
            let figure = count(figure, unit(ranking));
            format!("the {ranking_word} {} {place} is `{}` with {figure}", noun.worded(), first.full_name())
        }
        Some(_) => format!("{} {place}{conditions}", count(all, noun.worded())),
    };
    if filters.has("unused") {
        let message = "a framework, an entry point or another repository may use them all the same".to_owned();
        answer.bound(Completeness::LowerBound, [Boundary::new("outside", all, message)]);
    }
    for entity in found.iter().take(MAX_WANTED) {
        answer.want(entity, "it fits", true);
    }
    let remark = |entity: &Entity| match ranking {
        Some(ranking) => count(figures[&entity.id], unit(ranking)),
        None => remark(entity, filters),
    };
    let rows = found.iter().map(|entity| ListRow::of(entity).with(remark(entity))).collect();
    answer.list(format!("{} that fit ({all})", count(2, noun.worded()).trim_start_matches("2 ")), rows);
    Ok(answer)
}

/// The figure by which definitions are ranked.
fn figure(reading: AnswerInputs, entity: &Entity, ranking: &str) -> Result<usize, StoreError> {
    let record = &entity.record;
    Ok(match ranking {
        "biggest" => lines(entity) as usize,
        "most_used" => {
            let incoming = reading.store.incoming(entity.id)?;
            incoming
                .iter()
                .filter(|r| !matches!(r.kind, RelationshipKind::Contains | RelationshipKind::Declares))
                .count()
        }
        _ => {
            let text = reading.sources.lines(&entity.path, record.start_line, record.end_line).unwrap_or_default();
            let branches = ["if", "elif", "for", "while", "except", "and", "or", "case", "with"];
            text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| branches.contains(word)).count()
        }
    })
}

fn unit(ranking: &str) -> &'static str {
    match ranking {
        "biggest" => "line",
        "most_used" => "use",
        _ => "branch",
    }
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
    let wants_tests =
        plan.filters.in_tests() == Some(true) || matches!(plan.filters.noun, Some(Noun::Fixture | Noun::Test));
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
        [] if wants_tests => "in the repository".to_owned(),
        [] => "outside of tests".to_owned(),
        [file] => match files.as_slice() {
            [(path, _)] => format!("in {path}"),
            _ => format!("in {}", file.mention),
        },
        several => format!("in {}", several.iter().map(|file| file.mention.as_str()).collect::<Vec<_>>().join(" and ")),
    };
    Ok((place, entities))
}

/// Whether a definition fits every condition but its kind.
fn fits(store: &Store, entity: &Entity, filters: &Filters) -> Result<bool, StoreError> {
    let record = &entity.record;
    let is_private = record.name.starts_with('_') && !record.name.ends_with("__");
    let is_special = record.name.starts_with("__") && record.name.ends_with("__");
    let is_overload = record.flags.has(EntityFlags::OVERLOAD);
    let is_documented = !record.doc.is_empty();
    // The second word of a pair is not asked for where the first is: "undocumented" holds "documented".
    let agrees = |no: &str, yes: &str, is_so: bool| match () {
        () if filters.has(no) => !is_so,
        () if filters.has(yes) => is_so,
        () => true,
    };
    let is_decorated_by = |wanted: &String| wanted.split('|').any(|name| is_decorated(&record.decorators, name));
    let is_fit = agrees("undocumented", "documented", is_documented)
        && agrees("unannotated", "annotated", is_annotated(entity))
        && agrees("public", "private", is_private || (is_special && filters.has("public")))
        && filters.marks.iter().all(|mark| has_mark(entity, mark))
        && (is_overload == filters.marks.contains(&"overload"))
        && filters.decorator.as_ref().is_none_or(is_decorated_by)
        && filters.least_lines.is_none_or(|least| lines(entity) >= least)
        && filters.least_parameters.is_none_or(|least| parameters(entity) >= least);
    Ok(is_fit && !(filters.has("unused") && (is_special || is_used(store, entity)?)))
}

/// Whether a definition has the mark that a question names.
fn has_mark(entity: &Entity, mark: &str) -> bool {
    let word = mark.replace('_', " ");
    match DefinitionMark::ALL.into_iter().find(|known| known.as_str() == word) {
        Some(known) => known.fits(entity),
        // The one mark that only questions know.
        None => makes_decorator(&entity.record.signature),
    }
}

/// Whether a signature takes a function and gives one back, or gives a function that does.
fn makes_decorator(signature: &str) -> bool {
    let Some((head, returns)) = signature.rsplit_once("->") else { return false };
    let returns = returns.trim();
    let is_function =
        |annotation: &str| annotation.contains("Callable[") || annotation.len() < 3 && !annotation.is_empty();
    let first =
        written_parameters(head).into_iter().find(|parameter| !matches!(parameter.name.as_str(), "self" | "cls" | ""));
    let gives_one = returns.contains("Callable[[") || returns.ends_with("Callable");
    gives_one
        || first.is_some_and(|first| {
            first.annotation == returns && (is_function(&first.annotation) || first.annotation.starts_with("T_"))
        })
}

/// The figure for which a definition was selected.
fn remark(entity: &Entity, filters: &Filters) -> String {
    if filters.least_lines.is_some() {
        return format!("{} lines", lines(entity));
    }
    if filters.least_parameters.is_some() {
        return format!("{} parameters", parameters(entity));
    }
    String::new()
}

/// Whether every parameter and the result of a callable have a type.
fn is_annotated(entity: &Entity) -> bool {
    let signature = &entity.record.signature;
    let is_typed = |parameter: &WrittenParameter| {
        matches!(parameter.name.as_str(), "self" | "cls" | "" | "/") || !parameter.annotation.is_empty()
    };
    let has_result = signature.contains("->") || entity.record.name == "__init__";
    has_result && written_parameters(signature).iter().all(is_typed)
}

/// The conditions in words.
fn worded(filters: &Filters) -> String {
    let mut words: Vec<String> = Vec::new();
    words.extend(filters.marks.iter().map(|mark| mark.replace('_', " ")));
    // The first of two that exclude each other counts.
    let conditions = [
        ("public", "public"),
        ("private", "private"),
        ("undocumented", "without docstring"),
        ("documented", "with docstring"),
        ("unannotated", "without annotations"),
        ("annotated", "with annotations"),
    ];
    for pair in conditions.chunks(2) {
        words.extend(pair.iter().find(|(condition, _)| filters.has(condition)).map(|(_, word)| (*word).to_owned()));
    }
    words.extend(filters.decorator.iter().map(|name| {
        if name.contains('|') { "decorated as a route".to_owned() } else { format!("decorated by `{name}`") }
    }));
    words.extend(filters.least_lines.map(|least| format!("at least {least} lines")));
    words.extend(filters.least_parameters.map(|least| format!("at least {least} parameters")));
    words.extend(filters.has("unused").then(|| "without a use".to_owned()));
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}
