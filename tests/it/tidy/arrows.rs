//! Holds the arrows: which module may use which, which room of a large module may use which, and who owns an outside
//! crate. Each row must be needed: a row that matches nothing is dead and goes.

use std::collections::BTreeSet;

use super::{code_files, code_without_tests, module_of};
use crate::harness::package_text;

/// Which of our modules each module may use, lower layers first. A new module is entered here: that is the place to
/// think about where it belongs.
const ARROWS: &[(&str, &[&str])] = &[
    // Layer 0: plain data.
    ("model", &[]),
    ("facts", &["model"]),
    // Layer 1: one owner per outside thing; none of them knows the others.
    ("git", &["model"]),
    ("resolve", &["model", "facts"]),
    ("lang", &["model", "facts"]),
    ("prompt", &[]),
    ("llm", &["prompt"]),
    ("texts", &["model"]),
    ("embed", &["texts", "llm"]),
    // Layer 2.
    ("store", &["model", "facts", "texts"]),
    // Layer 3.
    ("index", &["model", "facts", "git", "resolve", "lang", "texts", "embed", "store"]),
    ("query", &["model", "facts", "texts", "embed", "store"]),
    ("review", &["model", "facts", "git", "resolve", "lang", "texts", "store", "index", "query"]),
    ("ask", &["model", "texts", "store", "query", "review"]),
    ("render", &["model", "query", "review", "ask"]),
    // Layer 4: nothing below depends on these.
    ("config", &[]),
    ("hooks", &["git", "store", "index"]),
    ("doctor", &["git", "hooks", "index"]),
    ("error", EVERYTHING),
    ("tools", &["model", "git", "store", "index", "query", "review", "ask", "render", "config", "hooks", "error"]),
    ("agents", &["git", "index", "query", "review", "render", "hooks", "tools"]),
    ("mcp", &["git", "render", "error", "tools"]),
    ("serve", &["prompt", "store", "query", "review", "ask", "render", "error", "tools"]),
    ("cli", EVERYTHING),
    ("main", EVERYTHING),
];

const EVERYTHING: &[&str] = &["*"];

/// Which rooms of its own module each room may use, lower rooms first; their paths begin in the module. A row holds for
/// the files below its path, unless a longer row does. Items of the module's own `mod.rs` are free.
const ROOMS: &[(&str, &str)] = &[
    // Tables of names of the standard library, which every room may read.
    ("resolve/library/stdlib_names", ""),
    ("resolve/library/known", "library/stdlib_names"),
    // The rules of libraries as data.
    ("resolve/frameworks/tables", "library/known"),
    // Names, values and the fixpoint, none of which evaluates an expression.
    ("resolve/values", "library/known"),
    ("resolve/names", "library/known library/stdlib_names frameworks/tables values"),
    ("resolve/engine", "values"),
    ("resolve/solver", "library/known values names engine"),
    // The rules of Python and its libraries, and the interpreter that applies them: they know each other (`RING`).
    ("resolve/containers", "library/known frameworks/tables values names solver interpret"),
    ("resolve/typing", "library/known frameworks/tables values names solver containers interpret"),
    (
        "resolve/objects",
        "library/known library/stdlib_names frameworks/tables values names solver typing library interpret",
    ),
    ("resolve/library", "library/known frameworks/tables values names solver interpret"),
    ("resolve/strings", "values names solver interpret"),
    (
        "resolve/frameworks",
        "library/known library/stdlib_names frameworks/tables values names solver containers interpret",
    ),
    (
        "resolve/interpret",
        "library/known library/stdlib_names frameworks/tables values names engine solver containers typing \
         objects library strings frameworks",
    ),
    // Beside and above it.
    ("resolve/rounds", "values names engine solver interpret"),
    ("resolve/explain", "library/known values names solver interpret rounds"),
    // The reads of the index, then the questions, simple ones first.
    ("query/words", ""),
    ("query/written", ""),
    ("query/source", ""),
    ("query/graph", "written"),
    ("query/target", "words"),
    ("query/calls", "graph target"),
    ("query/candidates", "words source graph"),
    ("query/navigate", "words source graph target candidates"),
    ("query/impact", "words source graph target calls candidates"),
    ("query/search", "target"),
    ("query/map", "source target search"),
    ("query/context", "source target search map"),
];

/// Rooms that use each other: a rule evaluates arguments, and the interpreter applies the rules.
const RING: &[&str] = &[
    "resolve/containers",
    "resolve/typing",
    "resolve/objects",
    "resolve/library",
    "resolve/strings",
    "resolve/frameworks",
    "resolve/interpret",
];

/// The types below the interpreter. Methods that a rule adds to them never call it.
const BELOW_THE_INTERPRETER: &[&str] = &["Bodies", "Engine", "Lookup", "Sets", "Solver"];

/// Which modules may use a crate that stands for something outside.
const OWNERS: &[(&str, &[&str])] = &[
    ("git2", &["git"]),
    ("ignore", &["git"]),
    ("rusqlite", &["store"]),
    ("sqlite_vec", &["store"]),
    ("tree_sitter", &["lang"]),
    ("tree_sitter_python", &["lang"]),
    ("minijinja", &["prompt"]),
    ("indicatif", &["cli"]),
    ("jsonc_parser", &["agents"]),
    ("toml_edit", &["agents"]),
    ("rmcp", &["mcp"]),
    ("tokio", &["mcp", "serve"]),
    ("hyper", &["serve"]),
    ("hyper_util", &["serve"]),
    ("http_body_util", &["serve"]),
    ("regex", &["ask", "cli", "query", "texts"]),
    ("scip", &["render"]),
    ("protobuf", &["render"]),
    ("ureq", &["llm"]),
    ("ctrlc", &["cli"]),
    ("candle_core", &["embed", "llm"]),
    ("candle_nn", &["embed", "llm"]),
    ("tokenizers", &["embed", "llm"]),
];

#[test]
fn modules_use_only_what_lies_below_them() {
    let mut problems = Vec::new();
    let mut dead: BTreeSet<(&str, &str)> =
        ARROWS.iter().flat_map(|(name, allowed)| allowed.iter().map(move |used| (*name, *used))).collect();
    for path in code_files() {
        let module = module_of(&path);
        if module == "lib" {
            continue;
        }
        let Some((name, allowed)) = ARROWS.iter().find(|(name, _)| *name == module) else {
            problems.push(format!("{path}: {module} is not in the table of tests/it/tidy/arrows.rs"));
            continue;
        };
        for used in modules_used(&code_of(&path)) {
            match allowed.iter().find(|entry| **entry == used || **entry == "*") {
                Some(entry) => drop(dead.remove(&(*name, *entry))),
                None if used != module => problems.push(format!("{path}: {module} must not use {used}")),
                None => {}
            }
        }
    }
    problems.extend(dead.iter().map(|(module, used)| format!("dead row: {module} does not use {used}")));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_table_of_arrows_points_downwards() {
    for (index, (module, allowed)) in ARROWS.iter().enumerate() {
        for used in allowed.iter().filter(|used| **used != "*") {
            let position = ARROWS.iter().position(|(name, _)| name == used).expect("the table names its own modules");
            assert!(position < index, "{module} must not use {used}, which lies above it");
        }
    }
}

#[test]
fn rooms_use_only_rooms_below_them() {
    let mut problems = Vec::new();
    let mut dead: BTreeSet<(&str, String)> =
        ROOMS.iter().flat_map(|(room, _)| allowed_rooms(room).map(|used| (*room, used)).collect::<Vec<_>>()).collect();
    for path in code_files() {
        let file = path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod").to_owned();
        let module = module_of(&path);
        if file == module || !ROOMS.iter().any(|(room, _)| room.starts_with(&format!("{module}/"))) {
            continue;
        }
        let Some(room) = room_of(&file) else {
            problems.push(format!("{path} is in no room of the table of tests/it/tidy/arrows.rs"));
            continue;
        };
        for used in paths_used(&code_of(&path)) {
            let Some(used_room) = room_of(&used).filter(|used_room| *used_room != room) else { continue };
            match allowed_rooms(room).find(|entry| entry == used_room) {
                Some(entry) => drop(dead.remove(&(room, entry))),
                None => problems.push(format!("{path}: {room} must not use {used_room} ({used})")),
            }
        }
    }
    problems.extend(dead.iter().map(|(room, used)| format!("dead row: {room} does not use {used}")));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_table_of_rooms_points_downwards() {
    let position =
        |path: &str| ROOMS.iter().position(|(room, _)| *room == path).expect("the table names its own rooms");
    for (index, (room, _)) in ROOMS.iter().enumerate() {
        for used in allowed_rooms(room) {
            let is_in_ring = RING.contains(room) && RING.contains(&used.as_str());
            assert!(is_in_ring || position(&used) < index, "{room} must not use {used}, which lies above it");
        }
    }
}

/// The interpreter reads and changes the solver; the solver does not know that somebody evaluates.
#[test]
fn nothing_below_the_interpreter_calls_it() {
    let mut problems = Vec::new();
    for path in code_files().into_iter().filter(|path| path.starts_with("src/resolve/")) {
        let code = code_of(&path);
        for block in code.split("\nimpl").skip(1) {
            let block = block.split("\n}\n").next().expect("split yields at least one part");
            let head = block.split('{').next().expect("split yields at least one part");
            let owner = BELOW_THE_INTERPRETER.iter().find(|owner| has_word(head, owner));
            if let Some(owner) = owner.filter(|_| has_word(block, "Interpreter")) {
                problems.push(format!("{path}: a method of {owner} names the interpreter"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn outside_crates_have_one_owner() {
    let mut problems = Vec::new();
    let mut dead: BTreeSet<(&str, &str)> =
        OWNERS.iter().flat_map(|(name, owners)| owners.iter().map(move |owner| (*name, *owner))).collect();
    for path in code_files() {
        let code = code_of(&path);
        let module = module_of(&path);
        for (name, owners) in OWNERS {
            let is_used = code.match_indices(&format!("{name}::")).any(|(at, _)| {
                let before = code[..at].chars().next_back();
                !before.is_some_and(|character| character.is_alphanumeric() || character == '_' || character == ':')
            });
            match owners.iter().find(|owner| **owner == module) {
                Some(owner) if is_used => drop(dead.remove(&(*name, *owner))),
                None if is_used => problems.push(format!("{path}: {name} is for {} only", owners.join(" and "))),
                _ => {}
            }
        }
    }
    problems.extend(dead.iter().map(|(name, owner)| format!("dead row: {owner} does not use {name}")));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn code_of(path: &str) -> String {
    code_without_tests(&package_text(path))
}

/// The longest row of the table of rooms that a path lies below.
fn room_of(path: &str) -> Option<&'static str> {
    ROOMS.iter().map(|(room, _)| *room).filter(|room| is_within(path, room)).max_by_key(|room| room.len())
}

/// The rooms that the table lets a room use.
fn allowed_rooms(room: &str) -> impl Iterator<Item = String> {
    let (module, _) = room.split_once('/').expect("the paths of rooms begin with their module");
    let (_, allowed) = ROOMS.iter().find(|(name, _)| *name == room).expect("the table has a row for each room");
    allowed.split_whitespace().map(move |used| format!("{module}/{used}"))
}

fn is_within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|character: char| !character.is_alphanumeric() && character != '_').any(|part| part == word)
}

/// Our modules that some code names, in paths that begin with `crate` or `repoidx`.
fn modules_used(code: &str) -> BTreeSet<String> {
    let paths = paths_used(code);
    let modules = paths.iter().map(|path| path.split('/').next().expect("split yields at least one part"));
    modules.filter(|module| module.starts_with(char::is_lowercase)).map(str::to_owned).collect()
}

/// All paths below `crate` or `repoidx` that some code names, each with slashes.
fn paths_used(code: &str) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for start in ["crate::", "repoidx::"] {
        for (at, _) in code.match_indices(start) {
            collect_paths(&code[at + start.len()..], "", &mut used);
        }
    }
    used
}

/// Adds the paths of one tree of a `use`, and returns the code behind it.
fn collect_paths<'a>(code: &'a str, parent: &str, used: &mut BTreeSet<String>) -> &'a str {
    let mut code = code.trim_start();
    if let Some(group) = code.strip_prefix('{') {
        code = group.trim_start();
        while !code.is_empty() && !code.starts_with('}') {
            let rest = collect_paths(code, parent, used);
            // An alias, a star and the comma are no paths.
            let end = rest.find([',', '}']).unwrap_or(rest.len());
            code = rest[end..].trim_start_matches(',').trim_start();
        }
        return code.strip_prefix('}').unwrap_or(code);
    }
    let end = code.find(|character: char| !character.is_alphanumeric() && character != '_').unwrap_or(code.len());
    let (word, rest) = code.split_at(end);
    let path =
        if parent.is_empty() || word.is_empty() { format!("{parent}{word}") } else { format!("{parent}/{word}") };
    match rest.strip_prefix("::") {
        Some(rest) if rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '{') => {
            collect_paths(rest, &path, used)
        }
        _ => {
            used.insert(path);
            rest
        }
    }
}

#[test]
fn grouped_and_nested_uses_are_seen() {
    let code = "use crate::{git::{self, Repository}, model::EntityId as Id};\nfn f() { crate::store::open::<u8>(); }";
    let expected: BTreeSet<String> = ["git", "model", "store"].map(str::to_owned).into();
    assert_eq!(modules_used(code), expected);
    let expected: BTreeSet<String> =
        ["git/self", "git/Repository", "model/EntityId", "store/open"].map(str::to_owned).into();
    assert_eq!(paths_used(code), expected);
}
