//! The words for a value.

use crate::{
    model::{EntityId, StepValue},
    resolve::{ANYTHING, Inside, builtin_named, inside, values::Value},
    store::{Store, error::StoreError},
};

/// The beginning of the words for a builtin.
pub(crate) const BUILTIN: &str = "the builtin ";

/// Whether a value is `None`.
pub(crate) fn is_none(value: Value) -> bool {
    matches!(value, Value::ExternalInstance(hash) if builtin_named(hash) == Some("NoneType"))
}

/// The builtin that a value is.
pub(crate) fn builtin(value: Value) -> Option<&'static str> {
    match value {
        Value::External(hash) => builtin_named(hash),
        _ => None,
    }
}

/// Whether a value comes from outside the repository, and is no plain builtin.
pub(crate) fn is_outside(value: Value) -> bool {
    match value {
        Value::External(_) => true,
        Value::ExternalInstance(hash) => builtin_named(hash).is_none_or(|name| name == "object"),
        _ => false,
    }
}

/// Whether a value is one of these definitions.
pub(crate) fn is_of(value: Value, definitions: &[EntityId]) -> bool {
    match value {
        Value::Class(entity) | Value::Instance(entity) | Value::Function(entity, _) | Value::Bound(entity, _) => {
            definitions.contains(&entity)
        }
        _ => false,
    }
}

/// Properties, variables and others that a part names, each with its place.
pub(crate) fn named(
    store: &Store,
    names: &[EntityId],
    is_written: bool,
    most: usize,
) -> Result<Vec<StepValue>, StoreError> {
    let mut values = Vec::new();
    for &name in names.iter().take(most) {
        if let Some(entity) = store.entity(name)? {
            let place = format!("{}:{}", entity.path, entity.record.start_line);
            let value = format!("the {} {}", entity.record.kind.as_str(), entity.full_name());
            let basis = if is_written { "assigned here" } else { "named here" };
            values.push(StepValue { value: format!("{value} ({place})"), basis });
        }
    }
    Ok(values)
}

/// A value in words.
pub(crate) fn value(store: &Store, value: Value) -> Result<String, StoreError> {
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
        ANYTHING => "an object that may be of any class".to_owned(),
        Value::ExternalInstance(hash) => match builtin_named(hash) {
            Some("NoneType") => "None".to_owned(),
            Some("object") | None => "an object whose class is outside the repository".to_owned(),
            Some(name) => format!("an object of the builtin {name}"),
        },
        Value::Class(class) => format!("the class {}", name(class)?),
        Value::Instance(class) => format!("an instance of {}", name(class)?),
        Value::Function(function, 0) => name(function)?,
        Value::Function(function, _) => format!("a lambda in {}", name(function)?),
        Value::Bound(function, Some(class)) => match store.entity(function)? {
            Some(method) if method.parent != class => format!("{}, inherited by {}", method.full_name(), name(class)?),
            _ => name(function)?,
        },
        Value::Bound(function, None) => name(function)?,
        Value::Parameter(function, ..) => format!("a value that callers pass to {}", name(function)?),
        Value::OfPassedText(function, ..) => {
            format!("a definition named by a text that callers pass to {}", name(function)?)
        }
        Value::InstanceOfParameter(function, ..) => {
            format!("an instance of a class that callers pass to {}", name(function)?)
        }
        Value::Container(owner, site) => match inside(site) {
            Inside::Instances => format!("a list, tuple, set or dict of instances of {}", name(owner)?),
            Inside::Keys => format!("a dict by instances of {}", name(owner)?),
            Inside::Made => format!("a list, tuple, set or dict made in {}", name(owner)?),
            Inside::Giver => format!("something to call or enter, declared or made in {}", name(owner)?),
        },
        Value::Generator(function, _) => format!("a generator made by {}", name(function)?),
        Value::Super(class, _) => format!("super() of {}", name(class)?),
        Value::DottedName(definition) => format!("a text that names {}", name(definition)?),
        Value::Text(_) => "a text of which the beginning or the end is known".to_owned(),
        Value::MethodsByPrefix(class, _) => format!("the methods of {} whose names begin or end so", name(class)?),
        Value::DependsOnCall(function, ..) => {
            format!("the result of {}, which depends on an argument", name(function)?)
        }
        Value::Applied(class, argument) => format!("{}[{}]", name(class)?, name(argument.class())?),
        Value::SomeContainer => "one of many lists, tuples, sets and dicts".to_owned(),
        Value::Unknown => "anything".to_owned(),
    })
}
