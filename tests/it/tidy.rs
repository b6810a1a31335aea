//! Holds what the compiler does not: which module may use which, file lengths, module headers, forbidden words.
//!
//! Unit tests (`mod tests` at the end of a file, or files that are declared under `#[cfg(test)]`) may use everything.

use std::collections::BTreeSet;

use crate::harness::{package_files, package_path, package_text};

/// Which of our modules each module may use, lower layers first. A new module is entered here: that is the place to
/// think about where it belongs.
const ARROWS: &[(&str, &[&str])] = &[
    // Layer 0: plain data.
    ("model", &[]),
    ("facts", &["model"]),
    // Layer 1: one owner per outside thing; none of them knows the others.
    ("git", &["model"]),
    ("resolve", &["model", "facts"]),
    ("lang", &["model", "facts", "resolve"]),
    ("prompt", &["model"]),
    ("llm", &["prompt"]),
    ("texts", &["model"]),
    ("embed", &["model", "texts", "llm"]),
    // Layer 2.
    ("store", &["model", "facts", "resolve"]),
    // Layer 3.
    ("index", &["model", "facts", "git", "resolve", "lang", "texts", "embed", "store"]),
    ("query", &["model", "facts", "texts", "embed", "store"]),
    ("review", &["model", "facts", "git", "resolve", "lang", "store", "index", "query"]),
    ("ask", &["model", "store", "query"]),
    ("render", &["model", "query", "review", "ask"]),
    // Layer 4: nothing depends on these but cli and main.
    ("config", &["model"]),
    ("hooks", &["model", "git", "store", "index"]),
    ("doctor", &["git", "hooks"]),
    ("error", EVERYTHING),
    ("cli", EVERYTHING),
    ("main", EVERYTHING),
];

const EVERYTHING: &[&str] = &["*"];

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
    ("regex", &["ask", "cli", "query"]),
    ("scip", &["render"]),
    ("protobuf", &["render"]),
    ("ureq", &["llm"]),
    ("ctrlc", &["cli"]),
    ("candle_core", &["embed", "llm"]),
    ("candle_nn", &["embed", "llm"]),
    ("tokenizers", &["embed", "llm"]),
];

/// Words that must not occur in code, and where they may.
const FORBIDDEN: &[(&str, &[&str])] = &[
    ("println!(", &["src/render", "src/cli", "src/main.rs"]),
    ("print!(", &["src/render", "src/cli", "src/main.rs"]),
    ("eprintln!(", &["src/render", "src/cli", "src/main.rs", "src/error.rs"]),
    ("eprint!(", &["src/render", "src/cli", "src/main.rs", "src/error.rs"]),
    ("todo!(", &[]),
    ("unimplemented!(", &[]),
    ("dbg!(", &[]),
    ("#[ignore", &[]),
    ("#[should_panic", &[]),
];

const LONGEST_FILE: usize = 900;

/// Tables of data may be longer than [`LONGEST_FILE`].
const TABLES: &[&str] = &[];

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 5] = ["utils", "util", "common", "helpers", "misc"];

#[test]
fn modules_use_only_what_lies_below_them() {
    let mut problems = Vec::new();
    for path in code_files() {
        let module = module_of(&path);
        if module == "lib" {
            continue;
        }
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == module) else {
            problems.push(format!("{path}: {module} is not in the table of tests/it/tidy.rs"));
            continue;
        };
        let code = code_without_tests(&package_text(&path));
        for used in modules_used(&code) {
            if used != module && !allowed.contains(&used.as_str()) && *allowed != EVERYTHING {
                problems.push(format!("{path}: {module} must not use {used}"));
            }
        }
    }
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
fn outside_crates_have_one_owner() {
    let mut problems = Vec::new();
    for path in code_files() {
        let code = code_without_tests(&package_text(&path));
        for (name, owners) in OWNERS {
            let is_used = code.match_indices(&format!("{name}::")).any(|(at, _)| {
                let before = code[..at].chars().next_back();
                !before.is_some_and(|character| character.is_alphanumeric() || character == '_' || character == ':')
            });
            if is_used && !owners.contains(&module_of(&path).as_str()) {
                problems.push(format!("{path}: {name} is for {} only", owners.join(" and ")));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_module_says_what_it_is() {
    let files = rust_files("src").into_iter().chain(rust_files("tests"));
    let silent: Vec<String> = files.filter(|path| !package_text(path).starts_with("//! ")).collect();
    assert!(silent.is_empty(), "these do not begin with //!: {silent:?}");
}

#[test]
fn files_are_short_and_named_for_their_subject() {
    let mut problems = Vec::new();
    for path in rust_files("src").into_iter().chain(rust_files("tests")) {
        let lines = package_text(&path).lines().count();
        if lines > LONGEST_FILE && !TABLES.contains(&path.as_str()) {
            problems.push(format!("{path} has {lines} lines: split it"));
        }
        let parts: BTreeSet<&str> = path.trim_end_matches(".rs").split('/').collect();
        if EMPTY_NAMES.iter().any(|name| parts.contains(name)) {
            problems.push(format!("{path}: give the subject its name"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn forbidden_words_do_not_occur() {
    let mut problems = Vec::new();
    for path in code_files().into_iter().chain(rust_files("tests")) {
        if path == "tests/it/tidy.rs" {
            continue;
        }
        let text = package_text(&path);
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().expect("split yields at least one part");
            for (word, allowed) in FORBIDDEN {
                let is_word = code.match_indices(word).any(|(at, _)| !code[..at].ends_with(char::is_alphanumeric));
                if is_word && !allowed.iter().any(|place| path.starts_with(place)) {
                    problems.push(format!("{path}:{}: {word}", number + 1));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Templates and hook scripts are files in the binary: one that no code embeds does nothing.
#[test]
fn every_template_and_script_is_embedded() {
    let code: String = rust_files("src").iter().map(|path| package_text(path)).collect();
    for path in package_files("templates").into_iter().chain(package_files("hooks")) {
        assert!(code.contains(&format!("{path}\"")), "{path} is not embedded by include_str!");
    }
}

#[test]
fn every_module_is_listed_by_the_library() {
    let library = package_text("src/lib.rs");
    for path in rust_files("src") {
        let module = module_of(&path);
        if module != "lib" && module != "main" {
            assert!(library.contains(&format!("mod {module};")), "src/lib.rs does not list {module}");
        }
    }
}

fn rust_files(folder: &str) -> Vec<String> {
    package_files(folder).into_iter().filter(|path| path.ends_with(".rs")).collect()
}

/// The library's and the binary's files, without those that only tests use.
fn code_files() -> Vec<String> {
    let is_for_tests = |path: &String| {
        let (folder, name) = path.rsplit_once('/').expect("paths begin with src/");
        let parents = [format!("{folder}/mod.rs"), format!("{folder}.rs"), "src/lib.rs".to_owned()];
        let module = name.trim_end_matches(".rs");
        parents.iter().filter(|parent| package_path(parent).exists()).any(|parent| {
            let text = package_text(parent);
            ["", "pub(crate) ", "pub(super) "]
                .iter()
                .any(|visibility| text.contains(&format!("#[cfg(test)]\n{visibility}mod {module};")))
        })
    };
    rust_files("src").into_iter().filter(|path| !is_for_tests(path)).collect()
}

/// The top module that a path belongs to: `lang` for `src/lang/python/syntax.rs`.
fn module_of(path: &str) -> String {
    let name = path.trim_start_matches("src/").trim_end_matches(".rs");
    name.split('/').next().expect("split yields at least one part").to_owned()
}

/// A file's code: without comments, and without the tests at its end.
fn code_without_tests(text: &str) -> String {
    let code = text.split("\n#[cfg(test)]\nmod tests {").next().expect("split yields at least one part");
    let lines: Vec<&str> = code.lines().map(|line| line.split("//").next().expect("split yields one part")).collect();
    lines.join("\n")
}

/// Our modules that some code names, in paths that begin with `crate` or `repoidx`.
fn modules_used(code: &str) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for start in ["crate::", "repoidx::"] {
        for (at, _) in code.match_indices(start) {
            let rest = &code[at + start.len()..];
            match rest.strip_prefix('{') {
                None => used.extend(first_word(rest)),
                Some(group) => {
                    let mut depth = 0;
                    let mut is_start = true;
                    for (at, character) in group.char_indices() {
                        match character {
                            '{' => depth += 1,
                            '}' if depth == 0 => break,
                            '}' => depth -= 1,
                            ',' if depth == 0 => is_start = true,
                            _ if is_start && !character.is_whitespace() => {
                                used.extend(first_word(&group[at..]));
                                is_start = false;
                            }
                            _ => {}
                        }
                    }
                }
            }
        }
    }
    used
}

fn first_word(text: &str) -> Option<String> {
    let word: String = text.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect();
    (!word.is_empty() && word.starts_with(char::is_lowercase)).then_some(word)
}

#[test]
fn grouped_and_nested_uses_are_seen() {
    let code = "use crate::{git::{self, Repository}, model::EntityId};\nfn f() { crate::store::open(); }";
    let expected: BTreeSet<String> = ["git", "model", "store"].map(str::to_owned).into();
    assert_eq!(modules_used(code), expected);
}
