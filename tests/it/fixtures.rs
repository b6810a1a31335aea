//! Runs the resolution fixtures: `fixtures/python/**/*.py`, the specification of the resolver.
//!
//! The folders are named like the rooms of `src/resolve`. A fixture is named by its path below `fixtures/python`. It is
//! prose, then files, each begun by `#- path`. A comment of carets below a line of code speaks of the
//! occurrence above the carets; `# <- …` speaks of the one that begins in the column of its `#`:
//!
//! ```text
//! shop.total([]) + net(1)
//! #    ^^^^^ calls shop/pricing.py:total (exact)
//! #                ^^^ calls shop/pricing.py:net + not app.py:net
//! ```
//!
//! The claims, several of them joined by ` + `:
//! - `KIND path.py:Qualified.name`, or `KIND path.py` for a module: there is such a relationship, perhaps among others.
//!   `name@2` is the second definition of that name in its file. ` (exact)`, ` (inferred)` or the
//!   words for the last step, ` (one of several types)`, may follow.
//! - `not path.py:name`: there is no relationship of any kind to that target.
//! - `unresolved`: no relationship, unless one is named beside it, and the index says that it does not know.
//! - `external`, `local`: no relationship, and nothing unknown either.
//!
//! `#= relationships` at the end lists all relationships of all files: `# SOURCE -> TARGET KIND LINE`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;

use repoidx::index::{self, AnalyzedFiles};
use repoidx::model::{Basis, EntityKind, Relationship, RelationshipKind, Unresolved};

use crate::harness::{TestRepo, package_files, package_text};

/// The folder of all fixtures.
const FOLDER: &str = "fixtures/python/";

/// One fixture as written.
struct Fixture {
    name: String,
    files: Vec<File>,
    assertions: Vec<Assertion>,
    /// All relationships, when the fixture lists them.
    relationships: Option<BTreeSet<String>>,
}

struct File {
    path: String,
    text: String,
}

/// The claims of one line of carets about one occurrence.
struct Assertion {
    /// Line of the assertion in the fixture, for messages.
    fixture_line: usize,
    path: String,
    /// Of the occurrence, 1-based, in its file.
    line: u32,
    /// In bytes; the occurrence begins in here.
    columns: Range<u32>,
    /// The text above the carets.
    text: String,
    claims: Vec<Claim>,
}

#[derive(Debug)]
enum Claim {
    Is { kind: String, target: String, evidence: Option<String> },
    IsNot { target: String },
    Unresolved,
    Nothing,
}

/// The result of resolution in the fixtures' words: entities are `path.py:Qualified.name`, with `@2` for the second
/// definition of a name.
struct Found {
    edges: Vec<Edge>,
    /// Path, line and column.
    unresolved: BTreeSet<(String, u32, u32)>,
}

struct Edge {
    source: String,
    target: String,
    kind: &'static str,
    basis: Basis,
    path: String,
    line: u32,
    column: u32,
}

#[test]
fn fixtures_are_well_formed() {
    let fixtures = load_all();
    assert!(fixtures.len() >= 300, "only {} fixtures", fixtures.len());
    for fixture in fixtures {
        assert!(!fixture.assertions.is_empty() || fixture.relationships.is_some(), "{} asserts nothing", fixture.name);
        for assertion in &fixture.assertions {
            for claim in &assertion.claims {
                let (Claim::Is { target, .. } | Claim::IsNot { target }) = claim else { continue };
                let path = target.split(':').next().expect("split yields at least one part");
                let place = format!("{FOLDER}{}:{}", fixture.name, assertion.fixture_line);
                assert!(fixture.files.iter().any(|file| file.path == path), "{place}: there is no file {path}");
            }
        }
    }
}

/// Set `FIXTURE` to a part of a name, such as `typing/` or `walrus`, to run only some.
#[test]
fn occurrences_resolve_as_the_fixtures_say() {
    let only = std::env::var("FIXTURE").unwrap_or_default();
    let mut report = String::new();
    let mut failed = BTreeSet::new();
    let fixtures: Vec<Fixture> = load_all().into_iter().filter(|fixture| fixture.name.contains(&only)).collect();
    for fixture in &fixtures {
        let problems = check(fixture, &found_in(&graph_of(&fixture.files)));
        if !problems.is_empty() {
            failed.insert(&fixture.name);
            report += &problems;
        }
    }
    assert!(failed.is_empty(), "{} of {} fixtures differ:\n{report}", failed.len(), fixtures.len());
}

/// The binary, over git and an index on disk, must find what resolution in memory finds.
#[test]
fn the_binary_exports_what_resolution_finds() {
    let mut problems = Vec::new();
    for fixture in load_all() {
        let repo = TestRepo::new();
        for file in &fixture.files {
            repo.write(&file.path, &file.text);
        }
        let exported = repo.run(["export", "edges"]).code(0).stdout;
        let exported: BTreeSet<String> = exported.lines().filter_map(exported_line).collect();
        let in_memory = exported_form(&graph_of(&fixture.files));
        let only_exported = exported.difference(&in_memory).map(|line| format!("only in the binary's index: {line}"));
        let only_in_memory = in_memory.difference(&exported).map(|line| format!("only in memory: {line}"));
        problems.extend(only_exported.chain(only_in_memory).map(|line| format!("{}: {line}", fixture.name)));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// An exported relationship as one line; `None` for the derived ones, which resolution does not give.
fn exported_line(line: &str) -> Option<String> {
    let edge: serde_json::Value = serde_json::from_str(line).expect("each line is JSON");
    let text = |key: &str| edge[key].as_str().expect("the contract's fields are strings").to_owned();
    let line = &edge["line"];
    let place = format!("{}:{line}", text("path"));
    (edge["kind"] != "contains")
        .then(|| format!("{} -> {} {} {} {place}", text("from"), text("to"), text("kind"), text("evidence")))
}

/// The relationships of a graph as [`exported_line`] words them.
fn exported_form(graph: &AnalyzedFiles) -> BTreeSet<String> {
    let mut entities = BTreeMap::new();
    for (id, path, record) in &graph.entities {
        let number = if record.duplicate == 0 { String::new() } else { format!("@{}", record.duplicate + 1) };
        entities.insert(*id, (path, graph.name(*id) + &number, record));
    }
    let module_of: BTreeMap<&str, &String> = entities
        .values()
        .filter(|(.., record)| record.kind == EntityKind::Module)
        .map(|(path, name, _)| (path.as_str(), name))
        .collect();
    let word = |edge: &Relationship| {
        let (path, source, record) = &entities[&edge.source];
        let (_, target, _) = &entities[&edge.target];
        // Code at module level is the module's, also where the graph says it for the variable that it makes.
        let is_of_structure = matches!(edge.kind, RelationshipKind::Overrides | RelationshipKind::Declares);
        let is_variables = record.kind == EntityKind::Variable && !is_of_structure;
        let source = if is_variables { module_of[path.as_str()] } else { source };
        let place = format!("{path}:{}", edge.line);
        format!("{source} -> {target} {} {} {place}", edge.kind, edge.basis.evidence().as_str())
    };
    graph.relationships.iter().map(word).collect()
}

/// Resolves the files in memory, without git and without an index on disk.
fn graph_of(files: &[File]) -> AnalyzedFiles {
    let files: Vec<(&str, &[u8])> = files.iter().map(|file| (file.path.as_str(), file.text.as_bytes())).collect();
    index::analyze(&files)
}

/// A graph in the fixtures' words.
fn found_in(graph: &AnalyzedFiles) -> Found {
    let mut entities = BTreeMap::new();
    for (id, path, record) in &graph.entities {
        let label = match (record.qualified.as_str(), record.duplicate) {
            ("", _) => path.clone(),
            (qualified, 0) => format!("{path}:{qualified}"),
            (qualified, duplicate) => format!("{path}:{qualified}@{}", duplicate + 1),
        };
        entities.insert(*id, (path.clone(), label));
    }
    let edge = |edge: &Relationship| Edge {
        source: entities[&edge.source].1.clone(),
        target: entities[&edge.target].1.clone(),
        kind: edge.kind.as_str(),
        basis: edge.basis,
        path: entities[&edge.source].0.clone(),
        line: edge.line,
        column: edge.column,
    };
    let unresolved = |place: &Unresolved| (entities[&place.source].0.clone(), place.line, place.column);
    Found {
        edges: graph.relationships.iter().map(edge).collect(),
        unresolved: graph.unresolved.iter().map(unresolved).collect(),
    }
}

/// Every claim that does not hold, one a line; empty when all hold.
fn check(fixture: &Fixture, found: &Found) -> String {
    let mut problems = String::new();
    for assertion in &fixture.assertions {
        let here: Vec<&Edge> = found
            .edges
            .iter()
            .filter(|edge| {
                edge.path == assertion.path && edge.line == assertion.line && assertion.columns.contains(&edge.column)
            })
            .collect();
        let is_unresolved = found.unresolved.iter().any(|(path, line, column)| {
            *path == assertion.path && *line == assertion.line && assertion.columns.contains(column)
        });
        let names_some = assertion.claims.iter().any(|claim| matches!(claim, Claim::Is { .. }));
        for claim in &assertion.claims {
            let holds = match claim {
                Claim::Is { kind, target, evidence } => here.iter().any(|edge| {
                    edge.kind == *kind
                        && is_target(&edge.target, target)
                        && evidence.as_ref().is_none_or(|evidence| words_for(edge.basis).contains(&evidence.as_str()))
                }),
                Claim::IsNot { target } => !here.iter().any(|edge| is_target(&edge.target, target)),
                Claim::Unresolved => is_unresolved && (here.is_empty() || names_some),
                Claim::Nothing => here.is_empty() && !is_unresolved,
            };
            if !holds {
                let mut facts: Vec<String> = here
                    .iter()
                    .map(|edge| format!("{} {} ({})", edge.kind, edge.target, edge.basis.as_str()))
                    .collect();
                if is_unresolved {
                    facts.push("unresolved".to_owned());
                }
                let facts = if facts.is_empty() { "nothing".to_owned() } else { facts.join(" + ") };
                let Assertion { fixture_line, text, .. } = assertion;
                let name = &fixture.name;
                writeln!(problems, "{FOLDER}{name}:{fixture_line}: `{text}` should be {claim:?}, is {facts}")
                    .expect("writing to a string cannot fail");
            }
        }
    }
    if let Some(expected) = &fixture.relationships {
        let actual: BTreeSet<String> = found
            .edges
            .iter()
            .map(|edge| format!("{} -> {} {} {}", edge.source, edge.target, edge.kind, edge.line))
            .collect();
        for (what, lines) in [("missing", expected - &actual), ("too many", &actual - expected)] {
            for line in lines {
                writeln!(problems, "{FOLDER}{}: {what}: {line}", fixture.name)
                    .expect("writing to a string cannot fail");
            }
        }
    }
    problems
}

/// Whether the entity `actual` is what the fixture calls `expected`: without `@N` any definition of the name is meant.
fn is_target(actual: &str, expected: &str) -> bool {
    let first = expected.strip_suffix("@1").unwrap_or(expected);
    actual == first || (!expected.contains('@') && actual.rsplit_once('@').is_some_and(|(name, _)| name == expected))
}

/// All fixtures, by name.
fn load_all() -> Vec<Fixture> {
    let named = |path: String| path.strip_prefix(FOLDER).map(|name| parse(name.to_owned(), &package_text(&path)));
    package_files(FOLDER.trim_end_matches('/')).into_iter().filter_map(named).collect()
}

fn parse(name: String, text: &str) -> Fixture {
    let mut fixture = Fixture { name, files: Vec::new(), assertions: Vec::new(), relationships: None };
    assert!(text.starts_with("# "), "{}: prose first", fixture.name);
    let mut line_in_file = 0;
    let mut code = (0, "");
    for (index, line) in text.lines().enumerate() {
        let place = format!("{FOLDER}{}:{}", fixture.name, index + 1);
        if let Some(path) = line.strip_prefix("#- ") {
            fixture.files.push(File { path: path.trim().to_owned(), text: String::new() });
            (line_in_file, code) = (0, (0, ""));
            continue;
        }
        if line == "#= relationships" {
            fixture.relationships = Some(BTreeSet::new());
            continue;
        }
        if let Some(relationships) = &mut fixture.relationships {
            relationships.extend(line.strip_prefix("# ").map(str::to_owned));
            continue;
        }
        let Some(file) = fixture.files.last_mut() else { continue };
        file.text.push_str(line);
        file.text.push('\n');
        line_in_file += 1;
        if let Some((columns, words)) = caret_comment(line) {
            let (line, code) = code;
            assert!(line > 0, "{place}: no code above");
            let range = byte_range(code, &columns);
            let text = code[range.start as usize..range.end as usize].to_owned();
            assert!(!text.trim().is_empty(), "{place}: nothing above the carets");
            let claims = words.split(" + ").map(|claim| parse_claim(claim.trim(), &place)).collect();
            let path = file.path.clone();
            fixture.assertions.push(Assertion { fixture_line: index + 1, path, line, columns: range, text, claims });
        } else if !line.trim().is_empty() && !line.trim_start().starts_with('#') {
            code = (line_in_file, line);
        }
    }
    fixture
}

/// The columns, in characters, that a comment of carets points at, and its claims.
fn caret_comment(line: &str) -> Option<(Range<usize>, &str)> {
    let comment = line.trim_start();
    let body = comment.strip_prefix('#')?;
    if let Some(words) = body.strip_prefix(" <- ") {
        let column = line.len() - comment.len();
        return Some((column..column + 1, words));
    }
    let carets = body.trim_start();
    let words = carets.trim_start_matches('^');
    let start = line.len() - carets.len();
    let count = carets.len() - words.len();
    (count > 0).then(|| (start..start + count, words.trim()))
}

/// A range of characters of a line as a range of bytes, cut at the line's end.
fn byte_range(line: &str, columns: &Range<usize>) -> Range<u32> {
    let byte = |column| line.char_indices().nth(column).map_or(line.len(), |(byte, _)| byte);
    let column = |column| u32::try_from(byte(column)).expect("lines of fixtures are short");
    column(columns.start)..column(columns.end)
}

/// The words for the evidence of a relationship in a claim.
fn words_for(basis: Basis) -> [&'static str; 2] {
    [basis.evidence().as_str(), basis.as_str()]
}

fn parse_claim(claim: &str, place: &str) -> Claim {
    let (claim, evidence) = match claim.strip_suffix(')').and_then(|claim| claim.rsplit_once(" (")) {
        Some((claim, evidence)) => (claim, Some(evidence.to_owned())),
        None => (claim, None),
    };
    let is_known = |evidence: &String| Basis::ALL.iter().any(|&basis| words_for(basis).contains(&evidence.as_str()));
    assert!(evidence.as_ref().is_none_or(is_known), "{place}: no such evidence");
    match claim.split_once(' ') {
        None if claim == "unresolved" => Claim::Unresolved,
        None if claim == "external" || claim == "local" => Claim::Nothing,
        Some(("not", target)) => Claim::IsNot { target: target.to_owned() },
        Some((kind, target)) if RelationshipKind::ALL.iter().any(|known| known.as_str() == kind) => {
            Claim::Is { kind: kind.to_owned(), target: target.to_owned(), evidence }
        }
        _ => panic!("{place}: not understood: {claim}"),
    }
}
