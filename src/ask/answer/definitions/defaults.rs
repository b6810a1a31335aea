//! The values that parameters, fields, attributes and constants have by default.

use std::collections::BTreeMap;

use crate::{
    ask::answer::{AnswerInputs, ListRow, short_name},
    model::{
        EntityKind,
        brackets::outside_strings,
        conventions::{is_constructor, last_part},
        written_signature::WrittenSignature,
    },
    query::{
        target::{
            filter::{Filter, FilterReader},
            innermost,
        },
        words::count,
    },
    store::{error::StoreError, read::Entity},
    texts::secrets::{value_without_secrets, without_secrets},
};

/// Different defaults of parameters that a sentence names.
const MAX_DEFAULTS: usize = 3;
/// Longest value in a sentence, in characters.
const LONGEST_VALUE: usize = 80;

/// The defaults of the parameters of a name outside of tests, in a sentence and as rows.
pub(in crate::ask::answer) fn of_parameters(
    reading: AnswerInputs,
    name: &str,
) -> Result<(Option<String>, Vec<ListRow>), StoreError> {
    let filter = Filter { parameters: vec![name.to_owned()], is_in_tests: Some(false), ..Filter::default() };
    let mut rows = Vec::new();
    let mut values: BTreeMap<String, usize> = BTreeMap::new();
    for entity in FilterReader::new(reading.store)?.fitting(&filter)? {
        let written = WrittenSignature::parse(&entity.record.signature);
        let parameters = written.map_or_else(Vec::new, |written| written.parameters);
        let default = parameters.iter().find(|parameter| parameter.name == name).and_then(|one| one.default);
        let Some(default) = default else { continue };
        *values.entry(default.to_owned()).or_default() += 1;
        rows.push(ListRow::of(&entity).with(format!("{name} = {default}")));
    }
    let mut values: Vec<(String, usize)> = values.into_iter().collect();
    values.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let worded: Vec<String> = values
        .iter()
        .take(MAX_DEFAULTS)
        .map(|(default, times)| format!("`{default}` in {}", count(*times, "definition")))
        .collect();
    Ok(((!worded.is_empty()).then(|| format!("the default of `{name}` is {}", worded.join(", "))), rows))
}

/// The value that a variable begins with, in a sentence: that of its own statement, or of the first constructor in
/// `written` that sets it.
pub(super) fn of_variable(
    reading: AnswerInputs,
    variable: &Entity,
    written: &[ListRow],
) -> Result<Option<String>, StoreError> {
    let name = short_name(variable);
    if let Some(value) = own_value(reading, variable) {
        let place = (variable.path.as_str(), variable.record.line);
        let meant = constant(reading, place, &value)?;
        return Ok(Some(format!("`{name}` is `{value}` by default ({}:{}){meant}", place.0, place.1)));
    }
    let places = written.iter().map(|row| (row.path.as_str(), row.line));
    // An attribute that no class declares is defined where a method sets it first.
    for (path, line) in [(variable.path.as_str(), variable.record.line)].into_iter().chain(places) {
        let Some(file) = reading.store.file_id(path)? else { continue };
        let mut around = reading.store.entities_of(file)?;
        around.retain(|entity| entity.record.kind.is_callable());
        let setter = innermost(&around, line).filter(|setter| is_constructor(&setter.record.name));
        let text = reading.sources.line(path, line).unwrap_or_default();
        let (Some(setter), Some(value)) = (setter, assigned(&text, &variable.record.name)) else { continue };
        // The parameter of the constructor has the default.
        if value == variable.record.name {
            continue;
        }
        let meant = constant(reading, (path, line), &value)?;
        let (name, setter) = (&variable.record.name, short_name(setter));
        return Ok(Some(format!("`{name}` is `{value}` by default: `{setter}` sets it ({path}:{line}){meant}")));
    }
    Ok(None)
}

/// The statement that defines a variable, on one line and cut where it is long; `None` for other definitions.
pub(in crate::ask::answer) fn statement(reading: AnswerInputs, variable: &Entity) -> Option<String> {
    let record = &variable.record;
    let text = reading.sources.lines(&variable.path, record.line, record.end_line.max(record.line))?;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // A key that is cut is no longer known for one.
    (record.kind == EntityKind::Variable && !text.is_empty()).then(|| shortened(without_secrets(&text).into_owned()))
}

/// The value in the statement that defines a variable.
fn own_value(reading: AnswerInputs, variable: &Entity) -> Option<String> {
    let record = &variable.record;
    let statement = reading.sources.lines(&variable.path, record.line, record.end_line.max(record.line))?;
    assigned(&statement, &record.name).filter(|_| statement.trim_start().starts_with(&record.name))
}

/// The value of a constant of the repository that a value names, in words.
fn constant(reading: AnswerInputs, (path, line): (&str, u32), value: &str) -> Result<String, StoreError> {
    let Some(file) = reading.store.file_id(path)? else { return Ok(String::new()) };
    let last = last_part(value);
    for edge in reading.store.outgoing_between(file, line, line)? {
        let Some(entity) = reading.store.entity(edge.target)? else { continue };
        let is_it = entity.record.kind == EntityKind::Variable && entity.record.name == last;
        if let Some(value) = own_value(reading, &entity).filter(|_| is_it) {
            return Ok(format!(", which is `{value}` ({}:{})", entity.path, entity.record.line));
        }
    }
    Ok(String::new())
}

/// The value that a statement assigns to a name or attribute: `x: int = 3`, `self.x = y`.
fn assigned(statement: &str, name: &str) -> Option<String> {
    let code = outside_strings(statement);
    let is_sign = |at: usize| {
        let around = [at.checked_sub(1), Some(at + 1)].map(|at| at.and_then(|at| statement.as_bytes().get(at)));
        !around.iter().flatten().any(|byte| b"=!<>+-*/|&^%@:".contains(byte))
    };
    let at = code.iter().find(|(at, byte, depth)| *byte == b'=' && *depth == 0 && is_sign(*at))?.0;
    let target = statement[..at].split(':').next().unwrap_or_default().trim();
    if target.rsplit('.').next() != Some(name) {
        return None;
    }
    // The bytes of strings and comments are left out of `code`; a comment begins behind one that is in it.
    let is_code = |at: usize| code.binary_search_by_key(&at, |one| one.0).is_ok();
    let mut is_comment = false;
    let mut is_kept = |at: usize, c: char| {
        is_comment = c != '\n' && (is_comment || c == '#' && !is_code(at) && is_code(at - 1));
        !is_comment
    };
    let behind = statement[at + 1..].char_indices().map(|(index, c)| (at + 1 + index, c));
    let value: String = behind.filter(|(at, c)| is_kept(*at, *c)).map(|(_, c)| c).collect();
    let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
    (!value.is_empty()).then(|| shortened(value_without_secrets(name, &value).into_owned()))
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(LONGEST_VALUE) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_assigned_value_is_read() {
        let of = |text: &str| assigned(text, "x");
        assert_eq!(of("x: int = 3  # three").as_deref(), Some("3"));
        let key = ["kJ8s9dKqLw02", "mNx7TzQ41aBc"].concat();
        let hidden = assigned(&format!("self.password = field(default=\"{key}\")"), "password");
        assert_eq!(hidden.as_deref(), Some("field(default=\"[REDACTED_assigned_secret]\")"));
        assert_eq!(of("        self.x = f(a=1)").as_deref(), Some("f(a=1)"));
        assert_eq!(of("x = {\n    1: '#',\n}").as_deref(), Some("{ 1: '#', }"));
        assert_eq!([of("x: int"), of("y = x"), of("if x == 3:"), of("x += 1")], [None, None, None, None]);
    }
}
