//! Finds a line of code that a question quotes.
//!
//! The search covers the definitions and files that the question names, and ignores white space. Each place comes with
//! the definition around it.

use serde::Serialize;

use crate::{
    query::{
        source::Sources,
        target::{Target, innermost},
    },
    store::{Store, error::StoreError},
};

/// A quote that stands in more places than this identifies nothing.
const MAX_PLACES: usize = 20;

/// A quoted line and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FoundLine {
    pub text: String,
    /// In the order of the subjects, then of line numbers.
    pub places: Vec<LinePlace>,
    /// Where else it stands, if not in what the question names.
    #[serde(skip)]
    pub elsewhere: Vec<LinePlace>,
    /// The question calls it a line.
    #[serde(skip)]
    pub is_called_line: bool,
}

/// A place with the definition around it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct LinePlace {
    pub path: String,
    pub line: u32,
    pub within: String,
    /// The line as it stands in the file.
    pub text: String,
    /// The quote is all of the line.
    #[serde(skip)]
    pub is_whole: bool,
}

/// Looks for `quote` in the definitions, then in the files: where it is all of a line, or else where it is a part.
pub fn find_line(
    store: &Store,
    sources: &Sources,
    quote: &str,
    targets: &[&Target],
    paths: &[&str],
) -> Result<Vec<LinePlace>, StoreError> {
    let found = find_as_written(store, sources, quote, targets, paths)?;
    // People copy a line with the comment behind it, or write one to it.
    match quote.split_once("  #").or_else(|| quote.split_once(" # ")) {
        Some((code, _)) if found.is_empty() => find_as_written(store, sources, code, targets, paths),
        _ => Ok(found),
    }
}

fn find_as_written(
    store: &Store,
    sources: &Sources,
    quote: &str,
    targets: &[&Target],
    paths: &[&str],
) -> Result<Vec<LinePlace>, StoreError> {
    let wanted = folded(quote);
    let mut ranges: Vec<(&str, u32, u32)> = Vec::new();
    for entity in targets.iter().flat_map(|target| &target.entities) {
        ranges.push((&entity.path, entity.record.start_line, entity.record.end_line));
    }
    ranges.extend(paths.iter().map(|path| (*path, 1, u32::MAX)));
    let mut places: Vec<LinePlace> = Vec::new();
    for (path, start, end) in ranges {
        let Some(text) = sources.text(path) else { continue };
        let Some(file) = store.file_id(path)? else { continue };
        let mut entities = None;
        for (line, number) in text.lines().zip(1_u32..) {
            let line = if (start..=end).contains(&number) && !wanted.is_empty() { line } else { continue };
            let found = folded(line);
            let is_whole = found == wanted;
            let is_full = places.iter().filter(|place| place.is_whole == is_whole).count() >= MAX_PLACES;
            if !found.contains(&wanted) || is_full || places.iter().any(|p| p.path == path && p.line == number) {
                continue;
            }
            // Read only when a line matches: most files have none.
            if entities.is_none() {
                entities = Some(store.entities_of(file)?);
            }
            let within = entities.as_deref().and_then(|entities| innermost(entities, number));
            let within = within.map(crate::store::read::Entity::full_name).unwrap_or_default();
            places.push(LinePlace {
                path: path.to_owned(),
                line: number,
                within,
                text: line.trim().to_owned(),
                is_whole,
            });
        }
    }
    if places.iter().any(|place| place.is_whole) {
        places.retain(|place| place.is_whole);
    }
    Ok(places)
}

/// The text without white space and with one kind of quotes, since people copy lines loosely.
fn folded(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).map(|c| if c == '\'' { '"' } else { c }).collect()
}
