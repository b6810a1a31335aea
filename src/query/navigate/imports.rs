//! The import statements that a text names, by the modules and names that they import.
//!
//! A statement is no definition: it is told by its place, and by the leaf around it, under whose name it can be shown.

use std::collections::BTreeMap;

use regex::Regex;
use serde::Serialize;

use crate::{
    facts::{Bodies, written::WrittenImport},
    model::{FileId, FileRecord, signature::without_breaks},
    query::{
        navigate::leaves::{FreeCode, end_of_import, leaves},
        source::Sources,
        target::{
            exported::absolute_name,
            filter::{FittingSet, matches_path},
            innermost, is_below,
            likeliest::is_aside,
        },
    },
    store::{Store, error::StoreError},
    texts::words::is_telling,
};

/// The answer to a search for imports.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct ImportsReport {
    pub schema: &'static str,
    pub schema_version: u32,
    pub query: String,
    pub hits: Vec<ImportHit>,
    /// Number of further statements that fit.
    pub more: usize,
    /// Why the answer may be wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// An import statement.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct ImportHit {
    /// The repository as the user named it, if several were searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// The leaf around it: `pkg.mod:imports`, or the function that imports late.
    pub name: String,
    /// Always `import`.
    pub kind: &'static str,
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
    /// Larger is better; comparable within one answer only.
    pub score: f64,
    /// The statement in one line; empty where the file cannot be read.
    pub text: String,
    /// The full names that it imports, in the order of the source.
    pub imports: Vec<String>,
}

/// The words or the pattern that imports are looked for by.
#[derive(Clone, Debug)]
pub enum WantedImports<'q> {
    /// Names among other words; without a name every import fits.
    Words(&'q str),
    /// A pattern over the full names.
    Pattern(&'q Regex),
}

/// The limits and filters of a search for imports.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// Most hits; at least 1.
    pub limit: usize,
    /// Only files at or below one of these paths, or that match one of these patterns.
    pub paths: Vec<String>,
    /// Only files with one of these paths, which are sorted.
    pub only: Option<Vec<String>>,
    /// Only imports inside these definitions.
    pub fitting: Option<FittingSet>,
    /// Most hits of one file; 0 for any number.
    pub per_file: usize,
}

/// How well one word fits a name: the whole of it, its beginning (`json` and `json.decoder`), a part between dots,
/// or some letters.
const WHOLE: f64 = 1.0;
const BEGINNING: f64 = 0.9;
const PART: f64 = 0.7;
const LETTERS: f64 = 0.4;
/// The fewest letters of a word that count inside a name.
const LEAST_LETTERS: usize = 3;

/// A statement as the facts have it.
struct FactStatement {
    line: u32,
    imports: Vec<String>,
    /// The names that the file knows them by.
    bound: Vec<String>,
}

/// The import statements that fit, best first; of equal ones those outside of tests, then by place.
pub fn imports(
    store: &Store,
    sources: &Sources,
    wanted: &WantedImports,
    options: &ImportOptions,
) -> Result<ImportsReport, StoreError> {
    let words = match wanted {
        WantedImports::Words(text) => words(text),
        WantedImports::Pattern(_) => Vec::new(),
    };
    let score = |statement: &FactStatement| match wanted {
        WantedImports::Pattern(pattern) => {
            if statement.imports.iter().any(|name| pattern.is_match(name)) {
                WHOLE
            } else {
                0.0
            }
        }
        WantedImports::Words(_) if words.is_empty() => WHOLE,
        WantedImports::Words(_) => statement.score(&words),
    };
    let mut found = Vec::new();
    for (id, file) in store.files()? {
        let is_accepted = (options.paths.is_empty() || options.paths.iter().any(|one| matches_path(&file.path, one)))
            && options.only.as_ref().is_none_or(|only| only.binary_search(&file.path).is_ok());
        if !is_accepted {
            continue;
        }
        let bodies = store.bodies(&file.content_hash)?.and_then(|bytes| Bodies::decode(&bytes)).unwrap_or_default();
        let mut fitting: Vec<(f64, FactStatement)> =
            statements(&bodies.imports(), &file).into_iter().map(|one| (score(&one), one)).collect();
        fitting.retain(|(score, _)| *score > 0.0);
        if let Some(set) = options.fitting.as_ref().filter(|_| !fitting.is_empty()) {
            let entities = store.entities_of(id)?;
            fitting.retain(|(_, one)| innermost(&entities, one.line).is_some_and(|within| set.has(within.id)));
        }
        found.extend(fitting.into_iter().map(|(score, statement)| (score, id, file.clone(), statement)));
    }
    found.sort_by(|(a_score, _, a, a_statement), (b_score, _, b, b_statement)| {
        let place = |file: &FileRecord, line| (file.is_test || is_aside(&file.path), file.path.clone(), line);
        b_score.total_cmp(a_score).then_with(|| place(a, a_statement.line).cmp(&place(b, b_statement.line)))
    });
    let mut by_file: BTreeMap<String, usize> = BTreeMap::new();
    found.retain(|(_, _, file, _)| {
        let number = by_file.entry(file.path.clone()).or_default();
        *number += 1;
        options.per_file == 0 || *number <= options.per_file
    });
    let more = found.len().saturating_sub(options.limit.max(1));
    let best = found.into_iter().take(options.limit.max(1));
    let hits = best.map(|(score, id, file, statement)| hit(store, sources, id, &file, statement, score));
    let hits = hits.collect::<Result<Vec<_>, _>>()?;
    let query = match wanted {
        WantedImports::Words(text) => (*text).to_owned(),
        WantedImports::Pattern(pattern) => pattern.as_str().to_owned(),
    };
    Ok(ImportsReport { schema: "repoidx.imports", schema_version: 1, query, hits, more, missing: Vec::new() })
}

/// The names in a text, in lower case; all of its words when there are no others.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '*')));
    let mut words: Vec<&str> = words.map(|word| word.trim_matches('.')).collect();
    // `from json import loads`, `imports of json`
    words.retain(|word| !word.is_empty() && !word.to_lowercase().starts_with("import"));
    // `Any` is a name, and `any` is not.
    let is_name = |word: &str| is_telling(word) || word.starts_with(char::is_uppercase);
    let names: Vec<&str> = words.iter().copied().filter(|word| is_name(word)).collect();
    let names = if names.is_empty() { words } else { names };
    names.into_iter().map(str::to_lowercase).collect()
}

/// The statements of a file: names that are imported on one line belong together.
fn statements(imports: &[WrittenImport], file: &FileRecord) -> Vec<FactStatement> {
    let mut found: Vec<FactStatement> = Vec::new();
    for import in imports {
        let parts: Vec<&str> = import.module.iter().map(String::as_str).chain(import.name.as_deref()).collect();
        let name = absolute_name(import.level, &parts, file);
        let bound = import.bound.to_lowercase();
        match found.last_mut().filter(|last| last.line == import.line) {
            Some(last) => {
                last.imports.push(name);
                last.bound.push(bound);
            }
            None => found.push(FactStatement { line: import.line, imports: vec![name], bound: vec![bound] }),
        }
    }
    found
}

impl FactStatement {
    /// The mean over the words of how well each fits one of the names.
    fn score(&self, words: &[String]) -> f64 {
        let names: Vec<String> = self.imports.iter().map(|name| name.to_lowercase()).collect();
        let best = |word: &String| {
            let of_names = names.iter().map(|name| likeness(name, word)).fold(0.0, f64::max);
            if self.bound.contains(word) { WHOLE } else { of_names }
        };
        let all: f64 = words.iter().map(best).sum();
        #[expect(clippy::cast_precision_loss, reason = "a few words")]
        let number = words.len().max(1) as f64;
        (all / number * 1e4).round() / 1e4
    }
}

/// How well a word fits a full name; both are in lower case.
fn likeness(name: &str, word: &str) -> f64 {
    let (module, last) = name.rsplit_once('.').unwrap_or(("", name));
    if word == name || word == module || word == last {
        WHOLE
    } else if is_below(name, word) {
        BEGINNING
    } else if format!(".{name}.").contains(&format!(".{word}.")) {
        PART
    } else if word.len() >= LEAST_LETTERS && name.contains(word) {
        LETTERS
    } else {
        0.0
    }
}

fn hit(
    store: &Store,
    sources: &Sources,
    id: FileId,
    file: &FileRecord,
    statement: FactStatement,
    score: f64,
) -> Result<ImportHit, StoreError> {
    let line = statement.line;
    let leaves = leaves(store, sources, id)?;
    let leaf = leaves.iter().find(|leaf| (leaf.start_line..=leaf.end_line).contains(&line));
    let text = sources.text(&file.path).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let start = line as usize - 1;
    let end = if start < lines.len() { end_of_import(&lines, start) } else { start };
    let code = lines.get(start..=end).unwrap_or_default().iter().map(|line| line.split('#').next().unwrap_or_default());
    let words = code.flat_map(str::split_whitespace).filter(|word| *word != "\\");
    Ok(ImportHit {
        repository: None,
        name: leaf.map_or_else(|| file.module.clone(), |leaf| leaf.name.clone()),
        kind: FreeCode::Imports.kind(),
        path: file.path.clone(),
        start_line: line,
        end_line: u32::try_from(end + 1).unwrap_or(line),
        score,
        text: without_breaks(&words.collect::<Vec<_>>().join(" ")),
        imports: statement.imports,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_fits_a_whole_name_better_than_its_parts() {
        let order = ["json", "tools.json", "json.decoder.Scanner", "lib.json.decoder.Scanner", "orjson", "os"];
        let scores: Vec<f64> = order.iter().map(|name| likeness(name, "json")).collect();
        assert_eq!(scores, [WHOLE, WHOLE, BEGINNING, PART, LETTERS, 0.0]);
        let others = [("json.loads", "json"), ("os", "o")].map(|(name, word)| likeness(name, word)).to_vec();
        assert_eq!(others, [WHOLE, 0.0], "the module of a name; one letter is in many");
    }

    #[test]
    fn words_around_the_names_do_not_count() {
        assert_eq!(words("where is `json` imported from?"), ["json"]);
        assert_eq!(words("from os.path import join, Split"), ["os.path", "join", "split"]);
        assert_eq!(words("where is Any imported"), ["any"]);
        assert_eq!(words("this"), ["this"]);
    }
}
