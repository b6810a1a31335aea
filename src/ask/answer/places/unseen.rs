//! Callers that the index does not hold: a library that gets a definition, or code that reads its name out of a text.

use crate::{
    ask::answer::AnswerInputs,
    model::{EntityKind, conventions::pytest::HOOK},
    query::{
        graph::Graph,
        impact::outside::library_callers::users_outside,
        source::texts::{TextLine, lines_of_texts},
    },
    store::{error::StoreError, read::Entity},
};

/// The code that may call a definition although nothing here does.
pub(in crate::ask::answer) struct UnseenCaller {
    /// Why, as a sentence without a period.
    pub why: String,
    /// A base from outside may call it, once an object of its class is there.
    pub needs_object: bool,
}

/// Finds the code that may call a definition although nothing here does.
pub(in crate::ask::answer) fn unseen_caller(
    reading: AnswerInputs,
    graph: &Graph,
    entity: &Entity,
) -> Result<Option<UnseenCaller>, StoreError> {
    let name = &entity.record.name;
    if entity.record.kind == EntityKind::Function && name.starts_with(HOOK) {
        let why = format!("pytest calls functions that are named like `{name}`");
        return Ok(Some(UnseenCaller { why, needs_object: false }));
    }
    let outside = users_outside(graph, reading.sources, std::slice::from_ref(entity), &[])?;
    let is_class = entity.record.kind == EntityKind::Class;
    // A base from outside does not make objects of a class that nobody gives to it.
    if let Some(outside) = outside.filter(|one| !is_class || one.kind != OUTSIDE) {
        let is_member = matches!(entity.record.kind, EntityKind::Method | EntityKind::Property);
        return Ok(Some(UnseenCaller { needs_object: is_member && outside.kind == OUTSIDE, why: outside.message }));
    }
    let place = named_by_text(reading, name)?;
    Ok(place.map(|(path, line)| UnseenCaller {
        why: format!("`{name}` stands in a text at {path}:{line}, and who reads it is not known"),
        needs_object: false,
    }))
}

/// The kind of boundary for a base or a decorator from outside.
const OUTSIDE: &str = "outside";

/// The first place where code has a name in a text: `Method("get_total")`. A docstring only speaks of it, and so does
/// a sentence that has an everyday word.
fn named_by_text(reading: AnswerInputs, name: &str) -> Result<Option<(String, u32)>, StoreError> {
    let is_compound = name.trim_matches('_').contains('_') || name.chars().skip(1).any(char::is_uppercase);
    let whole = ['"', '\''].map(|quote| format!("{quote}{name}{quote}"));
    for (_, file) in reading.store.files()? {
        let Some(text) = reading.sources.text(&file.path) else { continue };
        let may_have = if is_compound { text.contains(name) } else { whole.iter().any(|whole| text.contains(whole)) };
        if !may_have {
            continue;
        }
        let documents = lines_of_texts(&text);
        for (number, line) in (1..).zip(text.lines()) {
            let is_it = || quoted(line, name).is_some_and(|is_whole| is_whole || is_compound);
            if line.contains(name) && documents.get(&number) != Some(&TextLine::Document) && is_it() {
                return Ok(Some((file.path, number)));
            }
        }
    }
    Ok(None)
}

/// Whether a name is all of a text on a line, or a part of one; `None` where it stands in no text.
fn quoted(line: &str, name: &str) -> Option<bool> {
    let mut found = None;
    let (mut open, mut start) = (None, 0);
    for (at, c) in line.char_indices() {
        match open {
            None if matches!(c, '"' | '\'') => (open, start) = (Some(c), at + 1),
            None if c == '#' => break,
            Some(quote) if c == quote => {
                let text = &line[start..at];
                let is_part = |c: char| c.is_alphanumeric() || c == '_';
                if text.split(|c| !is_part(c)).any(|part| part == name) {
                    found = Some(found == Some(true) || text == name);
                }
                open = None;
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_in_a_text() {
        assert_eq!(quoted("fields.Method(\"get_total\")", "get_total"), Some(true));
        assert_eq!(quoted("code += ', f=_make.Wrapper):'", "Wrapper"), Some(false));
        assert_eq!(quoted("x = {'a': get_total}  # 'get_total'", "get_total"), None);
    }
}
