//! Checks the citations in a model's answer against the index.
//!
//! A citation is a `path:line` or a name in backticks. Its verdict is shown (the prompt had it), known (the index has
//! it) or missing. A model's word is never taken for a fact.

use std::{collections::BTreeSet, sync::OnceLock};

use regex::Regex;
use serde::Serialize;

use crate::{
    ask::context::Context,
    query::target::{TargetMatch, look_up},
    store::{Store, error::StoreError},
};

/// More citations than this are not checked.
const MAX_CITATIONS: usize = 500;
/// Longer texts in backticks are no names.
const MAX_NAME: usize = 200;

/// The verdict of the index on a citation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CitationVerdict {
    /// It exists, and the prompt showed it.
    Shown,
    /// It exists, but the prompt did not show it.
    Known,
    /// There is no such place or name.
    Missing,
}

/// One citation, once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct Citation {
    pub text: String,
    pub verdict: CitationVerdict,
}

/// Checks every citation in `answer`, in the order of first mention. `prompt` is the whole text that the model saw.
pub fn check(store: &Store, context: &Context, prompt: &str, answer: &str) -> Result<Vec<Citation>, StoreError> {
    let mut citations: Vec<Citation> = Vec::new();
    let mut seen = BTreeSet::new();
    for found in place().captures_iter(answer).take(MAX_CITATIONS) {
        let text = found[0].trim_start_matches("./").to_owned();
        if seen.insert(text.clone()) {
            let number = |group: usize| found.get(group).and_then(|number| number.as_str().parse::<u32>().ok());
            let path = found[1].trim_start_matches("./");
            let verdict = of_place(store, context, prompt, path, number(2), number(3))?;
            citations.push(Citation { text, verdict });
        }
    }
    for found in name().captures_iter(answer).take(MAX_CITATIONS) {
        let text = found[1].trim_end_matches("()").to_owned();
        // A plain lower-case word in backticks may be any word, not a name.
        let is_code = text.contains(['_', '.']) || text.chars().skip(1).any(char::is_uppercase);
        if !is_code || text.len() > MAX_NAME || place().is_match(&text) || !seen.insert(text.clone()) {
            continue;
        }
        let verdict = match look_up(store, &text, "")? {
            _ if prompt.contains(&text) => CitationVerdict::Shown,
            TargetMatch::Found(_) | TargetMatch::Ambiguous(_) => CitationVerdict::Known,
            TargetMatch::Unknown(_) => CitationVerdict::Missing,
        };
        citations.push(Citation { text, verdict });
    }
    Ok(citations)
}

fn of_place(
    store: &Store,
    context: &Context,
    prompt: &str,
    path: &str,
    line: Option<u32>,
    end: Option<u32>,
) -> Result<CitationVerdict, StoreError> {
    let record = match store.file_id(path)? {
        Some(file) => store.file(file)?,
        None => {
            // Models shorten paths; a unique ending still identifies the file.
            let ending = format!("/{path}");
            let mut files = store.files()?.into_iter().filter(|(_, file)| file.path.ends_with(&ending));
            match (files.next(), files.next()) {
                (Some((_, file)), None) => Some(file),
                _ => None,
            }
        }
    };
    let Some(record) = record else { return Ok(CitationVerdict::Missing) };
    let (first, last) = (line.unwrap_or(1), end.or(line).unwrap_or(1));
    if first == 0 || first > last || last > record.line_count.max(1) {
        return Ok(CitationVerdict::Missing);
    }
    let is_shown = context.snippets.iter().any(|snippet| {
        snippet.path == record.path && (line.is_none() || snippet.start_line <= first && first <= snippet.end_line)
    });
    let is_named = names_place(prompt, &format!("{}:{first}", record.path));
    Ok(if is_shown || is_named { CitationVerdict::Shown } else { CitationVerdict::Known })
}

/// Whether a text names exactly this place: `a.py:12` does not name `a.py:1`.
fn names_place(text: &str, place: &str) -> bool {
    text.match_indices(place).any(|(at, _)| !text[at + place.len()..].starts_with(|c: char| c.is_ascii_digit()))
}

fn place() -> &'static Regex {
    static PLACE: OnceLock<Regex> = OnceLock::new();
    let pattern = r"([A-Za-z0-9_./\-]+\.(?:pyi?|pyx|toml))(?::(\d{1,7})(?:[-–](\d{1,7}))?)?";
    PLACE.get_or_init(|| Regex::new(pattern).expect("the pattern is a constant"))
}

fn name() -> &'static Regex {
    static NAME: OnceLock<Regex> = OnceLock::new();
    let pattern = r"`([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*(?:\(\))?)`";
    NAME.get_or_init(|| Regex::new(pattern).expect("the pattern is a constant"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::EntityKind, query::fixture::Fixture};

    #[test]
    fn places_and_names_that_do_not_exist_are_found_out() {
        let mut fixture = Fixture::default();
        fixture.file("src/a.py", "a").entity(EntityKind::Function, "do_it", 3, 9);
        let context = Context::default();
        let text =
            "See src/a.py:12 and a.py:1, src/a.py:900, other.py:3 and `do_it()`, `no_such_thing`, `word`, `a.os_path`.";
        let found = check(&fixture.store(), &context, "a.os_path at src/a.py:12", text).expect("a store in memory");
        let verdicts: Vec<String> = found.iter().map(|c| format!("{} {:?}", c.text, c.verdict)).collect();
        assert_eq!(
            verdicts,
            [
                "src/a.py:12 Shown",
                "a.py:1 Known",
                "src/a.py:900 Missing",
                "other.py:3 Missing",
                "do_it Known",
                "no_such_thing Missing",
                "a.os_path Shown",
            ]
        );
    }
}
