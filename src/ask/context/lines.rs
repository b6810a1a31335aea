//! Finds a line of code that a question quotes.
//!
//! The search covers the definitions and files that the question names, and ignores white space. Each place comes with
//! the definition around it.

use std::collections::BTreeSet;

use serde::{Serialize, Serializer};

use crate::{
    query::{
        source::Sources,
        target::{Target, innermost},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Places that JSON has of a quote; `count` says how many there are.
const MAX_PLACES: usize = 20;

/// A quoted line and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FoundLine {
    pub text: String,
    /// In the order of the subjects, then of line numbers. JSON has the first of them.
    #[serde(serialize_with = "first_places")]
    pub places: Vec<LinePlace>,
    /// At how many places it stands.
    pub count: usize,
    /// Where else it stands, if not in what the question names.
    #[serde(skip)]
    pub elsewhere: Vec<LinePlace>,
    /// The question calls it a line.
    #[serde(skip)]
    pub is_called_line: bool,
}

impl FoundLine {
    pub fn new(text: String, places: Vec<LinePlace>, elsewhere: Vec<LinePlace>, is_called_line: bool) -> Self {
        let count = places.len();
        Self { text, places, count, elsewhere, is_called_line }
    }
}

fn first_places<S: Serializer>(places: &[LinePlace], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(places.iter().take(MAX_PLACES))
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
    let mut known: BTreeSet<(&str, u32)> = BTreeSet::new();
    for (path, start, end) in ranges.into_iter().filter(|_| !wanted.is_empty()) {
        let Some(text) = sources.text(path) else { continue };
        for (line, number) in text.lines().zip(1_u32..).filter(|(_, number)| (start..=end).contains(number)) {
            let found = folded(line);
            if found.contains(&wanted) && known.insert((path, number)) {
                let (path, within, text) = (path.to_owned(), String::new(), line.trim().to_owned());
                places.push(LinePlace { path, line: number, within, text, is_whole: found == wanted });
            }
        }
    }
    if places.iter().any(|place| place.is_whole) {
        places.retain(|place| place.is_whole);
    }
    let mut found = Vec::new();
    for of_file in places.chunk_by(|a, b| a.path == b.path) {
        let Some(file) = store.file_id(&of_file[0].path)? else { continue };
        let entities = store.entities_of(file)?;
        found.extend(of_file.iter().map(|place| {
            let within = innermost(&entities, place.line).map(Entity::full_name).unwrap_or_default();
            LinePlace { within, ..place.clone() }
        }));
    }
    Ok(found)
}

/// The text without white space and with one kind of quotes, since people copy lines loosely.
fn folded(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).map(|c| if c == '\'' { '"' } else { c }).collect()
}
