//! The steps by which occurrences of a file were resolved, in words, and the classes of what stands there.
//!
//! Goes in: an index, a path and places in it. Comes out: for each place the parts of its expression and what they can
//! be. The file is resolved again from its stored facts, as an update would do it; nothing is written.

use std::collections::{BTreeMap, BTreeSet};

use super::{IndexError, stored::Stored};
use crate::{
    facts::Bodies,
    model::{Basis, EntityId, Step, StepValue},
    resolve::{Definitions, FileSolver, Inside, Origin, Part, ROUNDS, builtin_named, inside, is_of_text, value::Value},
    store::{Store, error::StoreError},
};

/// Begins what is said of a builtin.
const BUILTIN: &str = "the builtin ";

/// Most values of one part that are named.
const MAX_VALUES: usize = 4;

/// The steps at each of `places` (line and column of the naming token), in their order.
pub fn explain(store: &Store, path: &str, places: &[(u32, u32)]) -> Result<Vec<Vec<Step>>, IndexError> {
    let parts = parts(store, path, places)?;
    Ok(parts.into_iter().map(|parts| worded(store, parts)).collect::<Result<Vec<_>, StoreError>>()?)
}

/// The classes that the expression named at each of `places` can be, or be an instance of; the surest first.
pub fn classes(store: &Store, path: &str, places: &[(u32, u32)]) -> Result<Vec<Vec<EntityId>>, IndexError> {
    let classes = |parts: Vec<Part>| -> Vec<EntityId> {
        let mut values = parts.into_iter().next_back().map(|part| part.values).unwrap_or_default();
        values.sort_by_key(|(_, basis)| *basis);
        let class = |(value, _)| match value {
            Value::Class(class) | Value::Instance(class) => Some(class),
            _ => None,
        };
        values.into_iter().filter_map(class).collect()
    };
    Ok(parts(store, path, places)?.into_iter().map(classes).collect())
}

/// What is known of the expressions at each of `places`.
fn parts(store: &Store, path: &str, places: &[(u32, u32)]) -> Result<Vec<Vec<Part>>, IndexError> {
    let nothing = || places.iter().map(|_| Vec::new()).collect();
    let definitions = Stored::new(store);
    let Some(file) = store.file_id(path)? else { return Ok(nothing()) };
    let (Some(info), Some(record)) = (definitions.module(file), store.file(file)?) else { return Ok(nothing()) };
    let Some(bytes) = store.bodies(&record.content_hash)? else { return Ok(nothing()) };
    let bodies = Bodies::decode(&bytes).ok_or_else(|| StoreError::damaged("stored facts"))?;
    let mut solver = FileSolver::new(info);
    for round in 1..=ROUNDS {
        if let Some(news) = solver.news(&definitions, round) {
            solver.round(&definitions, &bodies, round, news);
        }
    }
    let explained = solver.explain(&definitions, &bodies, places);
    definitions.take_error()?;
    Ok(explained)
}

fn worded(store: &Store, parts: Vec<Part>) -> Result<Vec<Step>, StoreError> {
    let mut steps = Vec::with_capacity(parts.len());
    let mut is_known_before = true;
    for part in parts {
        // What reads alike is one, with the strongest basis.
        let mut bases: BTreeMap<String, Basis> = BTreeMap::new();
        for &(value, basis) in &part.values {
            let known = bases.entry(wording(store, value)?).or_insert(basis);
            *known = basis.min(*known);
        }
        let values: BTreeSet<(Basis, String)> = bases.into_iter().map(|(value, basis)| (basis, value)).collect();
        let named = named(store, &part.names)?;
        let more = values.len().saturating_sub(MAX_VALUES);
        let note = match (values.is_empty(), more) {
            (true, _) if !named.is_empty() => String::new(),
            (true, _) => unknown(&part, is_known_before).to_owned(),
            (false, 0) => String::new(),
            (false, more) => format!("and {more} more"),
        };
        is_known_before = !values.is_empty();
        let worded = |(basis, value): (Basis, String)| {
            let basis = if value.starts_with(BUILTIN) { "always bound" } else { basis.as_str() };
            StepValue { value, basis }
        };
        let values = named.into_iter().chain(values.into_iter().take(MAX_VALUES).map(worded)).collect();
        let origin = origin(part.origin);
        steps.push(Step { expression: part.text, origin, values, note });
    }
    Ok(steps)
}

/// The properties and variables that an attribute names, each with its place.
fn named(store: &Store, names: &[EntityId]) -> Result<Vec<StepValue>, StoreError> {
    let mut values = Vec::new();
    for &name in names.iter().take(MAX_VALUES) {
        if let Some(entity) = store.entity(name)? {
            let place = format!("{}:{}", entity.path, entity.record.start_line);
            let value = format!("the {} {}", entity.record.kind.as_str(), entity.full_name());
            values.push(StepValue { value: format!("{value} ({place})"), basis: "named here" });
        }
    }
    Ok(values)
}

fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Parameter | Origin::Annotated => "parameter",
        Origin::Local => "local variable",
        Origin::Outer => "name of an outer scope",
        Origin::Unbound => "not bound in this file",
        Origin::Attribute => "attribute",
        Origin::Call => "call",
        Origin::Element => "element",
        Origin::Other => "expression",
    }
}

/// Why nothing is known of a part.
fn unknown(part: &Part, is_known_before: bool) -> &'static str {
    match part.origin {
        _ if part.is_anything => "more values than are told apart",
        Origin::Parameter => "without annotation or default, and no known call passes what can be followed",
        Origin::Annotated => "its annotation names no class that is followed, and no known call passes what can be",
        Origin::Local | Origin::Outer => "what it is assigned cannot be followed",
        Origin::Unbound => "bound by no scope, import or builtin that is known",
        Origin::Attribute | Origin::Element if !is_known_before => "of something unknown",
        Origin::Attribute => "nothing is known to be stored under this name",
        Origin::Call if !is_known_before => "a call of something unknown",
        Origin::Call => "what it returns cannot be followed",
        Origin::Element => "what lies in it cannot be followed",
        Origin::Other => "an expression whose value is not followed",
    }
}

fn wording(store: &Store, value: Value) -> Result<String, StoreError> {
    let name = |entity: EntityId| -> Result<String, StoreError> {
        Ok(store.entity(entity)?.map_or_else(|| "something that is gone".to_owned(), |entity| entity.full_name()))
    };
    Ok(match value {
        Value::Module(file) => {
            format!("the module {}", store.file(file)?.map(|record| record.module).unwrap_or_default())
        }
        Value::Namespace(_) => "a folder of modules".to_owned(),
        Value::External(hash) => match builtin_named(hash) {
            Some(name) => format!("{BUILTIN}{name}"),
            None => "a definition outside the repository".to_owned(),
        },
        Value::ExternalInstance(hash) => match builtin_named(hash) {
            Some("NoneType") => "None".to_owned(),
            Some("object") | None => "an object whose class is outside the repository".to_owned(),
            Some(name) => format!("an object of the builtin {name}"),
        },
        Value::Class(class) => format!("the class {}", name(class)?),
        Value::Instance(class) => format!("an instance of {}", name(class)?),
        Value::Function(function, 0) => name(function)?,
        Value::Function(function, _) => format!("a lambda in {}", name(function)?),
        Value::Bound(function, Some(class)) => format!("{} of {}", name(function)?, name(class)?),
        Value::Bound(function, None) => name(function)?,
        Value::Parameter(function, ..) => format!("what callers pass to {}", name(function)?),
        Value::NewOf(function, lambda, _) if is_of_text(lambda) => {
            format!("what a text names that callers pass to {}", name(function)?)
        }
        Value::NewOf(function, ..) => format!("an instance of a class that callers pass to {}", name(function)?),
        Value::Container(owner, site) => match inside(site) {
            Inside::Instances => format!("a list, tuple, set or dict of instances of {}", name(owner)?),
            Inside::Keys => format!("a dict by instances of {}", name(owner)?),
            Inside::Made => format!("a list, tuple, set or dict made in {}", name(owner)?),
            Inside::Giver => format!("something to call or enter, declared or made in {}", name(owner)?),
        },
        Value::Generator(function, _) => format!("a generator made by {}", name(function)?),
        Value::Super(class, _) => format!("super() of {}", name(class)?),
        Value::Named(definition) => format!("a text that names {}", name(definition)?),
        Value::Text(_) => "a text of which the beginning is known".to_owned(),
        Value::Family(class, _) => format!("the methods of {} whose names begin so", name(class)?),
        Value::OnNone(function, ..) => format!("what {} gives, whose argument decides", name(function)?),
        Value::Applied(class, argument) => format!("{} of {}", name(class)?, name(argument.class())?),
        Value::SomeContainer => "one of many lists, tuples, sets and dicts".to_owned(),
        Value::Unknown => "anything".to_owned(),
    })
}
