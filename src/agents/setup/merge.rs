//! Puts an entry into the text of a configuration file, and takes it out again.
//!
//! Everything else stays as it is: comments, order, layout and the entries of others. A file that cannot be understood
//! is refused.

use jsonc_parser::{
    ParseOptions,
    cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode},
};
use serde_json::Value;
use toml_edit::{DocumentMut, Item, Table};

use crate::agents::setup::catalog::{EntryContent, OUR_HOOK};

/// The effect of an entry on a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Merged {
    /// The entry is there.
    Same,
    /// Somebody has changed the entry; it stays.
    Other,
    /// The new text.
    Changed(String),
}

/// `text` with an entry; `None` stands for a file that does not exist.
pub(super) fn with(text: Option<&str>, content: &EntryContent) -> Result<Merged, String> {
    match content {
        EntryContent::File(ours) => Ok(match text {
            Some(text) if text == *ours => Merged::Same,
            Some(_) => Merged::Other,
            None => Merged::Changed((*ours).to_owned()),
        }),
        EntryContent::Table { parents, name, command, args } => {
            with_table(text.unwrap_or_default(), parents, name, command, args)
        }
        EntryContent::Property { parents, name, value } => {
            let root = parsed(text.unwrap_or_default())?;
            let object = descend(&root_object(&root)?, parents)?;
            if let Some(there) = object.get(name) {
                let there = there.value().and_then(|there| there.to_serde_value());
                return Ok(if there.as_ref() == Some(value) { Merged::Same } else { Merged::Other });
            }
            object.append(name, input(value));
            Ok(Merged::Changed(ended(root.to_string())))
        }
        EntryContent::Element { parents, value, defaults } => {
            let root = parsed(text.unwrap_or_default())?;
            let object = root_object(&root)?;
            for (name, number) in *defaults {
                if object.get(name).is_none() {
                    object.append(name, CstInputValue::Number(number.to_string()));
                }
            }
            let (last, parents) = parents.split_last().ok_or("an entry without a place")?;
            let list = list_of(&descend(&object, parents)?, last)?;
            if let Some(there) = ours(&list).first() {
                let is_same = there.to_serde_value().as_ref() == Some(value);
                return Ok(if is_same { Merged::Same } else { Merged::Other });
            }
            list.append(input(value));
            Ok(Merged::Changed(ended(root.to_string())))
        }
    }
}

/// `text` without an entry, and without what it alone needed.
pub(super) fn without(text: &str, content: &EntryContent) -> Result<Merged, String> {
    match content {
        // A file of our own is deleted, not emptied.
        EntryContent::File(ours) => Ok(if text == *ours { Merged::Changed(String::new()) } else { Merged::Other }),
        EntryContent::Table { parents, name, .. } => without_table(text, parents, name),
        EntryContent::Property { parents, name, .. } => {
            let root = parsed(text)?;
            let Some(object) = found(&root_object(&root)?, parents) else { return Ok(Merged::Same) };
            let Some(there) = object.get(name) else { return Ok(Merged::Same) };
            there.remove();
            prune(&root_object(&root)?, parents);
            Ok(Merged::Changed(root.to_string()))
        }
        EntryContent::Element { parents, .. } => {
            let root = parsed(text)?;
            let (last, above) = parents.split_last().ok_or("an entry without a place")?;
            let list = found(&root_object(&root)?, above).and_then(|object| object.array_value(last));
            let Some(list) = list else { return Ok(Merged::Same) };
            let entries = ours(&list);
            if entries.is_empty() {
                return Ok(Merged::Same);
            }
            for entry in entries {
                entry.remove();
            }
            prune(&root_object(&root)?, parents);
            Ok(Merged::Changed(root.to_string()))
        }
    }
}

fn parsed(text: &str) -> Result<CstRootNode, String> {
    let text = if text.trim().is_empty() { "{}" } else { text };
    CstRootNode::parse(text, &ParseOptions::default()).map_err(|error| error.to_string())
}

fn root_object(root: &CstRootNode) -> Result<CstObject, String> {
    root.object_value().ok_or_else(|| "it holds no object".to_owned())
}

/// The object below these properties, which are made where they are missing.
fn descend(object: &CstObject, parents: &[&str]) -> Result<CstObject, String> {
    parents.iter().try_fold(object.clone(), |object, name| {
        object.object_value_or_create(name).ok_or_else(|| format!("`{name}` is no object"))
    })
}

fn list_of(object: &CstObject, name: &str) -> Result<CstArray, String> {
    object.array_value_or_create(name).ok_or_else(|| format!("`{name}` is no list"))
}

fn found(object: &CstObject, parents: &[&str]) -> Option<CstObject> {
    parents.iter().try_fold(object.clone(), |object, name| object.object_value(name))
}

/// The elements that run our hook.
fn ours(list: &CstArray) -> Vec<CstNode> {
    list.elements().into_iter().filter(|element| element.to_string().contains(OUR_HOOK)).collect()
}

/// Removes the properties that hold nothing any more, innermost first.
fn prune(object: &CstObject, parents: &[&str]) {
    for depth in (1..=parents.len()).rev() {
        let Some(holder) = found(object, &parents[..depth - 1]) else { continue };
        let Some(property) = holder.get(parents[depth - 1]) else { continue };
        let is_empty = property.value().is_some_and(|value| match (value.as_object(), value.as_array()) {
            (Some(object), _) => object.children_exclude_trivia_and_tokens().is_empty(),
            (_, Some(list)) => list.children_exclude_trivia_and_tokens().is_empty(),
            _ => false,
        });
        if is_empty {
            property.remove();
        }
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(list) => CstInputValue::Array(list.iter().map(input).collect()),
        Value::Object(object) => {
            CstInputValue::Object(object.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}

/// With a line end.
fn ended(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn with_table(text: &str, parents: &[&str], name: &str, command: &str, args: &[&str]) -> Result<Merged, String> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    let mut table = document.as_table_mut();
    for parent in parents {
        let item = table.entry(parent).or_insert_with(|| {
            let mut implicit = Table::new();
            implicit.set_implicit(true);
            Item::Table(implicit)
        });
        table = item.as_table_mut().ok_or_else(|| format!("`{parent}` is no table"))?;
    }
    let mut ours = Table::new();
    ours.insert("command", toml_edit::value(command));
    ours.insert("args", toml_edit::value(args.iter().copied().collect::<toml_edit::Array>()));
    if let Some(there) = table.get(name) {
        let is_same = there.as_table().is_some_and(|there| there.to_string().trim() == ours.to_string().trim());
        return Ok(if is_same { Merged::Same } else { Merged::Other });
    }
    table.insert(name, Item::Table(ours));
    Ok(Merged::Changed(document.to_string()))
}

fn without_table(text: &str, parents: &[&str], name: &str) -> Result<Merged, String> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    let mut table = document.as_table_mut();
    for parent in parents {
        match table.get_mut(parent).and_then(Item::as_table_mut) {
            Some(below) => table = below,
            None => return Ok(Merged::Same),
        }
    }
    Ok(match table.remove(name) {
        Some(_) => Merged::Changed(document.to_string()),
        None => Merged::Same,
    })
}
