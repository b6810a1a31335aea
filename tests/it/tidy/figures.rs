//! Holds the figures of the structure: children of a folder, places of a type's methods, names of types, comments,
//! dependencies. `benches/structure.py` prints more of them, with the members behind each.
//!
//! A limit above its aim is a debt: it holds today's number, and whoever lowers the number lowers the limit.

use std::collections::{BTreeMap, BTreeSet};

use super::{code_files, code_without_tests, rust_files};
use crate::harness::{package_files, package_text};

/// Files and folders inside one folder of `src`. A reader takes in about a dozen names at once.
const MOST_CHILDREN: usize = 14;

/// Folders with more, each with its number and the reason. Lists of peers may grow.
const WIDE_FOLDERS: &[(&str, usize, &str)] = &[
    ("src", usize::MAX, "the modules; src/lib.rs puts them in order"),
    ("src/cli/commands", usize::MAX, "one file a command: peers behind one interface"),
];

/// Rooms (a folder of a module, with its folders) that hold inherent `impl` blocks of one type. Methods in more places
/// are hard to find.
const MOST_IMPL_ROOMS: usize = 3;

/// Types with more, each with its number and the reason.
const SPREAD_TYPES: &[(&str, usize, &str)] = &[
    ("Bodies", 11, "aim 3: rooms of resolve read the lowered code by methods of their own"),
    ("Interpreter", 9, "aim 7: the rule of a room that evaluates is a method in that room"),
    ("Lookup", 10, "aim 3: rooms of resolve ask about names by methods of their own"),
    ("Sets", 10, "aim 3: rooms of resolve read points-to sets by methods of their own"),
    ("Solver", 10, "aim 3: the rule of a room that only reads the state is a method in that room"),
    ("Store", 5, "aim 3: each folder of the store has its own queries"),
];

/// Names of types that two or more files define; a reader of one cannot know that another is meant. The pair in
/// `embed/local` is one type behind a feature.
const MOST_DOUBLED_TYPES: usize = 5;

/// Columns of a line of comment.
const WIDEST_COMMENT: usize = 120;

/// Dependencies that no code names, with the reason.
const UNNAMED_DEPENDENCIES: &[(&str, &str)] = &[("libz-sys", "makes the zlib of libgit2 static")];

#[test]
fn folders_have_few_children() {
    let mut children: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in package_files("src") {
        for (at, _) in path.match_indices('/') {
            let child = path[at + 1..].split('/').next().expect("split yields at least one part");
            children.entry(path[..at].to_owned()).or_default().insert(child.to_owned());
        }
    }
    let counts = children.into_iter().map(|(folder, children)| (folder, children.len()));
    let problems = beyond(counts, MOST_CHILDREN, WIDE_FOLDERS);
    assert!(problems.is_empty(), "folders with too many children:\n{}", problems.join("\n"));
}

#[test]
fn methods_of_a_type_are_in_few_rooms() {
    let mut rooms: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in code_files() {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let room: Vec<&str> = folder.split('/').take(3).collect();
        for line in code_without_tests(&package_text(&path)).lines() {
            if let Some(owner) = inherent_impl(line) {
                rooms.entry(owner.to_owned()).or_default().insert(room.join("/"));
            }
        }
    }
    let counts = rooms.into_iter().map(|(owner, rooms)| (owner, rooms.len()));
    let problems = beyond(counts, MOST_IMPL_ROOMS, SPREAD_TYPES);
    assert!(problems.is_empty(), "types with methods in too many rooms:\n{}", problems.join("\n"));
}

#[test]
fn names_of_types_have_one_meaning() {
    let mut files: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in code_files() {
        for line in code_without_tests(&package_text(&path)).lines() {
            if let Some(name) = defined_type(line) {
                files.entry(name.to_owned()).or_default().insert(path.clone());
            }
        }
    }
    files.retain(|_, files| files.len() > 1);
    assert!(files.len() <= MOST_DOUBLED_TYPES, "{} type names have several meanings: {files:#?}", files.len());
}

#[test]
fn lines_of_comment_fit_on_a_page() {
    let mut wide = Vec::new();
    for path in rust_files("src").into_iter().chain(rust_files("tests")).chain(rust_files("benches")) {
        for (number, line) in package_text(&path).lines().enumerate() {
            if line.trim_start().starts_with("//") && line.chars().count() > WIDEST_COMMENT {
                wide.push(format!("{path}:{}", number + 1));
            }
        }
    }
    assert!(wide.is_empty(), "lines of comment over {WIDEST_COMMENT} columns:\n{}", wide.join("\n"));
}

/// A sentence that begins with "What" hides its subject.
#[test]
fn documentation_begins_with_its_subject() {
    let mut places = Vec::new();
    for path in rust_files("src") {
        for (number, line) in package_text(&path).lines().enumerate() {
            let text = line.trim_start();
            let text = text.strip_prefix("///").or_else(|| text.strip_prefix("//!")).unwrap_or("").trim_start();
            if text.split(|character: char| !character.is_alphanumeric()).next() == Some("What") {
                places.push(format!("{path}:{}", number + 1));
            }
        }
    }
    assert!(places.is_empty(), "documentation that begins with \"What\":\n{}", places.join("\n"));
}

#[test]
fn every_dependency_is_used() {
    let files = ["src", "tests", "benches"].into_iter().flat_map(rust_files);
    let code: String = files.map(|path| code_without_tests(&package_text(&path)) + "\n").collect();
    let all: String = rust_files("src").iter().map(|path| package_text(path)).collect::<String>() + &code;
    let mut problems = Vec::new();
    for name in dependencies() {
        let word = name.replace('-', "_");
        let is_named = all
            .match_indices(&format!("{word}::"))
            .any(|(at, _)| !all[..at].ends_with(|character: char| character.is_alphanumeric() || character == '_'));
        match (is_named, UNNAMED_DEPENDENCIES.iter().any(|(unnamed, _)| *unnamed == name)) {
            (false, false) => problems.push(format!("no code names the dependency {name}")),
            (true, true) => problems.push(format!("dead row: code names {name}")),
            _ => {}
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Counts above the limit or above the number of their exception, and exceptions that no count needs.
fn beyond(
    counts: impl Iterator<Item = (String, usize)>,
    most: usize,
    exceptions: &[(&str, usize, &str)],
) -> Vec<String> {
    let mut problems = Vec::new();
    let mut needed = BTreeSet::new();
    for (name, count) in counts.filter(|(_, count)| *count > most) {
        match exceptions.iter().find(|(exception, ..)| *exception == name) {
            Some((exception, limit, _)) if count <= *limit => drop(needed.insert(*exception)),
            Some((_, limit, _)) => problems.push(format!("{name}: {count}, {limit} at most")),
            None => problems.push(format!("{name}: {count}, {most} at most")),
        }
    }
    let dead = exceptions.iter().filter(|(name, ..)| !needed.contains(name));
    if problems.is_empty() {
        problems.extend(dead.map(|(name, ..)| format!("dead row: {name}")));
    }
    problems
}

/// The type of an `impl` block without a trait that begins on a line.
fn inherent_impl(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("impl")?;
    let rest = match rest.strip_prefix('<') {
        Some(generic) => generic.split_once("> ")?.1,
        None => rest.strip_prefix(' ')?,
    };
    let name = rest.split(|character: char| !character.is_alphanumeric()).next()?;
    (!rest.contains(" for ")).then_some(name)
}

/// The type that a line at the top level of a file defines.
fn defined_type(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => line,
    };
    let keywords = ["struct ", "enum ", "union ", "trait ", "type "];
    let rest = keywords.iter().find_map(|keyword| line.strip_prefix(keyword))?;
    rest.split(|character: char| !character.is_alphanumeric()).next()
}

/// The crates that `Cargo.toml` names.
fn dependencies() -> BTreeSet<String> {
    let manifest = package_text("Cargo.toml");
    let mut names = BTreeSet::new();
    let mut is_inside = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_inside = line.ends_with("dependencies]");
        } else if let Some((name, _)) = line.split_once(" = ").filter(|_| is_inside && !line.starts_with('#')) {
            names.insert(name.to_owned());
        }
    }
    names
}

#[test]
fn types_and_impls_are_seen() {
    assert_eq!(defined_type("pub(crate) struct Cell<'a> {"), Some("Cell"));
    assert_eq!(defined_type("    type Item = u8;"), None);
    assert_eq!(inherent_impl("impl<'a> Update<'a> {"), Some("Update"));
    assert_eq!(inherent_impl("impl Ord for Queued {"), None);
    assert!(dependencies().contains("rusqlite"));
}
