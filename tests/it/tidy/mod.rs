//! Holds what the compiler does not: which module may use which (`arrows`), the figures of the structure (`figures`),
//! file lengths, module headers, forbidden words.
//!
//! Unit tests (`mod tests` at the end of a file, or files that are declared under `#[cfg(test)]`) may use everything.

mod arrows;
mod figures;

use std::collections::BTreeSet;

use crate::harness::{package_files, package_path, package_text};

/// Words that must not occur in code, with the reason.
const FORBIDDEN: &[(&str, &str)] = &[
    ("println!(", PRINTED),
    ("print!(", PRINTED),
    ("eprintln!(", PRINTED),
    ("eprint!(", PRINTED),
    ("todo!(", "finish it"),
    ("unimplemented!(", "finish it"),
    ("dbg!(", "take it out"),
    ("#[ignore", "a test that does not run holds nothing"),
    ("#[should_panic", "assert on the error"),
];

const PRINTED: &str = "a closed pipe would be a panic; write to `render`'s or the error's writer";

/// Lines of a file. Longer ones hold more than one subject.
const LONGEST_FILE: usize = 900;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 5] = ["utils", "util", "common", "helpers", "misc"];

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
        if lines > LONGEST_FILE {
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
        if path.starts_with("tests/it/tidy/") {
            continue;
        }
        let text = package_text(&path);
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().expect("split yields at least one part");
            for (word, reason) in FORBIDDEN {
                let is_word = code.match_indices(word).any(|(at, _)| !code[..at].ends_with(char::is_alphanumeric));
                if is_word {
                    problems.push(format!("{path}:{}: {word}: {reason}", number + 1));
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
        let module = name.trim_end_matches(".rs");
        // A feature has its tests beside the file that is compiled with it.
        let parents = ["mod.rs", "enabled.rs", "lib.rs"].map(|parent| format!("{folder}/{parent}"));
        parents.iter().filter(|parent| package_path(parent).exists()).any(|parent| {
            let text = package_text(parent);
            let declares = |line: &str| line.ends_with(&format!("mod {module};"));
            let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("#[path")).collect();
            lines.iter().zip(lines.iter().skip(1)).any(|(above, line)| *above == "#[cfg(test)]" && declares(line))
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
