//! Callers that the index does not hold: a library that gets a definition, or code that reads its name out of a text.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::answer::AnswerInputs,
    model::{
        EntityKind,
        conventions::{is_name_part, is_special, pytest::HOOK},
    },
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

/// Finds the code that may call a definition although nothing here does. `in_text` gives the first place where a text
/// has a name.
pub(in crate::ask::answer) fn unseen_caller(
    reading: AnswerInputs,
    graph: &Graph,
    entity: &Entity,
    in_text: impl FnOnce(&str) -> Result<Option<(String, u32)>, StoreError>,
) -> Result<Option<UnseenCaller>, StoreError> {
    let name = &entity.record.name;
    if entity.record.kind == EntityKind::Function && name.starts_with(HOOK) {
        let why = format!("pytest calls functions that are named like `{name}`");
        return Ok(Some(UnseenCaller { why, needs_object: false }));
    }
    if is_special(name) {
        let needs_object = entity.record.kind == EntityKind::Method;
        return Ok(Some(UnseenCaller { why: format!("Python itself looks for `{name}`"), needs_object }));
    }
    let outside = users_outside(graph, reading.sources, std::slice::from_ref(entity), &[])?;
    let is_class = entity.record.kind == EntityKind::Class;
    // A base from outside does not make objects of a class that nobody gives to it.
    if let Some(outside) = outside.filter(|one| !is_class || one.kind != OUTSIDE) {
        let is_member = matches!(entity.record.kind, EntityKind::Method | EntityKind::Property);
        return Ok(Some(UnseenCaller { needs_object: is_member && outside.kind == OUTSIDE, why: outside.message }));
    }
    // A text that names a module has its dotted name, which imports already tell.
    if name.is_empty() {
        return Ok(None);
    }
    Ok(in_text(name)?.map(|(path, line)| UnseenCaller {
        why: format!("`{name}` stands in a text at {path}:{line}, and who reads it is not known"),
        needs_object: false,
    }))
}

/// The kind of boundary for a base or a decorator from outside.
const OUTSIDE: &str = "outside";

/// The first place, as path and line, where code has each name in a text: `Method("get_total")`. A docstring only
/// speaks of it, and so does a sentence that has an everyday word.
#[derive(Default)]
pub(in crate::ask::answer) struct NamesInTexts(BTreeMap<String, (String, u32)>);

impl NamesInTexts {
    /// Looks for the names in all files, which are read once.
    pub(in crate::ask::answer) fn of<'n>(
        reading: AnswerInputs,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<Self, StoreError> {
        let mut missing: BTreeSet<&str> = names.into_iter().collect();
        let mut found = BTreeMap::new();
        for (_, file) in reading.store.files()? {
            let Some(text) = reading.sources.text(&file.path) else { continue };
            if missing.len() == 1 && !missing.iter().any(|name| text.contains(name)) {
                continue;
            }
            let texts = lines_of_texts(&text);
            for (number, line) in (1..).zip(text.lines()) {
                let mut here: Vec<&str> = Vec::new();
                let mut take = |name: &str, is_whole: bool| {
                    here.extend(missing.get(name).filter(|name| is_whole || is_compound(name)));
                };
                match texts.get(&number) {
                    Some(TextLine::Document) => {}
                    Some(TextLine::Value) => each_word(line, |name| take(name, false)),
                    None => each_in_texts(line, take),
                }
                for name in here {
                    missing.remove(name);
                    found.entry(name.to_owned()).or_insert_with(|| (file.path.clone(), number));
                }
            }
        }
        Ok(Self(found))
    }

    pub(in crate::ask::answer) fn first(&self, name: &str) -> Option<(String, u32)> {
        self.0.get(name).cloned()
    }
}

/// Whether a name has several words, as no everyday word has.
fn is_compound(name: &str) -> bool {
    name.trim_matches('_').contains('_') || name.chars().skip(1).any(char::is_uppercase)
}

fn each_word<'l>(text: &'l str, take: impl FnMut(&'l str)) {
    text.split(|c| !is_name_part(c)).for_each(take);
}

/// Takes each name that stands in a text on a line, with whether it is all of the text.
fn each_in_texts(line: &str, mut take: impl FnMut(&str, bool)) {
    let (mut open, mut start) = (None, 0);
    for (at, c) in line.char_indices() {
        match open {
            None if matches!(c, '"' | '\'') => (open, start) = (Some(c), at + 1),
            None if c == '#' => break,
            Some(quote) if c == quote => {
                let text = &line[start..at];
                each_word(text, |part| take(part, part == text));
                open = None;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_in_a_text() {
        let quoted = |line: &str, name: &str| {
            let mut found = None;
            each_in_texts(line, |part, is_whole| {
                if part == name {
                    found = Some(found == Some(true) || is_whole);
                }
            });
            found
        };
        assert_eq!(quoted("fields.Method(\"get_total\")", "get_total"), Some(true));
        assert_eq!(quoted("code += ', f=_make.Wrapper):'", "Wrapper"), Some(false));
        assert_eq!(quoted("x = {'a': get_total}  # 'get_total'", "get_total"), None);
    }
}
