//! Runs the examples of README.md and of the manual in `docs/`, and checks the form of all documents.
//!
//! A block of the kind `console` holds `$ repoidx …` commands with their output. Each document gets a repository of its
//! own, made of `fixtures/sample`. Its commands run there one after the other and must print exactly the output shown;
//! `UPDATE_EXPECT=1` rewrites it. A command `$ sed -i 's/old/new/' file` changes a file first. A line `…` stands for
//! the rest of an output, and a command without any output shown may print anything. A block of the kind `sh` is not
//! run: it holds set-up, the tests themselves, or commands that need a service.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::harness::{Run, TestRepo, package_files, package_path, package_text};

const SAMPLE: &str = "fixtures/sample/";

/// Documents for people, with the most lines that each may have. The manual has no limit: its parts are read alone.
const LIMITS: &[(&str, usize)] =
    &[("README.md", 120), ("BENCHMARKS.md", 100), ("CHANGELOG.md", 40), ("ARCHITECTURE.md", 150)];

/// Further documents whose links and words are checked.
const OTHERS: &[&str] = &["CONTRIBUTING.md"];

/// Sentences that lean on "what" hide their subject. More of them in a thousand words than this, and a reader stumbles.
const MOST_WHATS_PER_THOUSAND: f64 = 2.0;

/// README.md and every document of the manual.
fn manual() -> Vec<String> {
    let mut documents = vec!["README.md".to_owned()];
    documents.extend(package_files("docs").into_iter().filter(|path| path.ends_with(".md")));
    documents
}

/// A repository with one commit that holds the sample.
fn sample() -> TestRepo {
    let repo = TestRepo::new();
    for path in package_files(SAMPLE) {
        if !path.ends_with("demo.sh") {
            repo.write(path.trim_start_matches(SAMPLE), package_text(&path));
        }
    }
    repo.commit("A small shop")
}

/// A schema that nobody promised could change under its readers.
#[test]
fn every_schema_is_promised() {
    let promised = package_text("docs/stability.md");
    for path in package_files("src").into_iter().filter(|path| path.ends_with(".rs")) {
        for part in package_text(&path).split("schema: \"").skip(1) {
            let name = part.split('"').next().expect("split yields at least one part");
            assert!(promised.contains(&format!("`{name}`")), "{path}: docs/stability.md does not name {name}");
        }
    }
}

#[test]
fn console_blocks_print_what_they_say() {
    let mut commands = 0;
    let mut problems = Vec::new();
    for path in manual() {
        let shown = package_text(&path);
        let actual = rerun(&shown, &mut commands);
        if actual == shown {
            continue;
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(package_path(&path), &actual).expect("the documents are writable");
        } else {
            problems.push(format!("{path} shows something else:\n{}", first_difference(&shown, &actual)));
        }
    }
    assert!(problems.is_empty(), "UPDATE_EXPECT=1 rewrites them\n{}", problems.join("\n"));
    assert!(commands >= 20, "only {commands} commands in README.md and docs");
}

/// The document with the output that its commands print now.
fn rerun(document: &str, commands: &mut usize) -> String {
    let repo = sample();
    let mut actual = String::new();
    let mut lines = document.lines().peekable();
    while let Some(line) = lines.next() {
        writeln!(actual, "{line}").expect("writing to a string cannot fail");
        if line != "```console" {
            continue;
        }
        while let Some(command) = lines.next_if(|line| *line != "```") {
            if let Some(edit) = command.strip_prefix("$ sed -i ") {
                substitute(&repo, edit);
                writeln!(actual, "{command}").expect("writing to a string cannot fail");
                continue;
            }
            let arguments = command.strip_prefix("$ repoidx ").unwrap_or_else(|| panic!("not a command: {command}"));
            let run = repo.run(words(arguments));
            assert!(run.code <= 1, "{command}: exit code {}: {}", run.code, run.stderr);
            *commands += 1;
            let mut shown = Vec::new();
            while let Some(line) = lines.next_if(|line| *line != "```" && !line.starts_with("$ ")) {
                shown.push(line);
            }
            let printed = cut_like(&run.stdout, &shown);
            write!(actual, "{command}\n{printed}").expect("writing to a string cannot fail");
        }
    }
    actual
}

/// The first line that two texts do not share.
fn first_difference(shown: &str, actual: &str) -> String {
    let mut pairs = shown.lines().zip(actual.lines());
    let (before, now) = pairs.find(|(before, now)| before != now).unwrap_or(("(other length)", ""));
    format!("- {before}\n+ {now}")
}

/// `'s/old/new/' file`, where `old` is plain text: as sed would, without needing one.
fn substitute(repo: &TestRepo, edit: &str) {
    let (script, path) = edit.rsplit_once(' ').expect("a script and a file");
    let parts: Vec<&str> = script.trim_matches('\'').split('/').collect();
    let ["s", old, new, ""] = parts.as_slice() else { panic!("not understood: {edit}") };
    let text = std::fs::read_to_string(repo.root().join(path)).expect("the file is there");
    assert!(text.contains(old), "{path} does not hold {old}");
    repo.write(path, text.replace(old, new));
}

/// The printed lines, cut where the document cuts them.
fn cut_like(printed: &str, shown: &[&str]) -> String {
    if shown.is_empty() {
        return String::new();
    }
    match shown.iter().position(|line| *line == "…") {
        Some(kept) => printed.lines().take(kept).chain(["…"]).map(|line| format!("{line}\n")).collect(),
        None => printed.to_owned(),
    }
}

/// Splits a command line at spaces; double quotes hold words together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// The first command that a reader is told to run, with the binary of this test instead of a new build.
#[test]
#[cfg(unix)]
fn the_demonstration_answers() {
    let readme = package_text("README.md");
    assert!(readme.contains("\nsh fixtures/sample/demo.sh\n"), "README.md shows another command");
    let repo = TestRepo::without_git();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/sample/demo.sh");
    let output = repo.command("sh").arg(script).env("REPOIDX", env!("CARGO_BIN_EXE_repoidx")).output();
    let run = Run::of(output.expect("sh is installed")).code(0);
    for name in ["Discount.apply", "Order.summary", "tests/test_discounts.py"] {
        assert!(run.stdout.contains(name), "{name} is missing:\n{}", run.stdout);
    }
}

/// The second one is what `.ci/run` ends with.
#[test]
fn the_test_command_is_the_last_one_of_ci() {
    assert!(package_text("README.md").contains("\ncargo test\n"), "README.md shows another command");
    assert_eq!(package_text(".ci/run").lines().last(), Some("cargo test"));
}

#[test]
fn documents_keep_to_their_length() {
    for (path, limit) in LIMITS {
        let lines = package_text(path).lines().count();
        assert!(
            lines <= *limit,
            "{path} has {lines} lines, {limit} at most: move details to docs/ or benches/history/"
        );
    }
}

#[test]
fn readme_leads_to_every_part_of_the_manual() {
    let readme = package_text("README.md");
    for path in manual().iter().skip(1) {
        assert!(readme.contains(&format!("({path})")), "README.md has no link to {path}");
    }
}

/// A link to a file, and to a heading of one, must lead there.
#[test]
fn links_lead_somewhere() {
    let mut problems = Vec::new();
    for path in checked() {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let text = package_text(&path);
        for (at, _) in text.match_indices("](") {
            let link = text[at + 2..].split(')').next().expect("split yields at least one part").to_owned();
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { package_path(&path) } else { package_path(folder).join(file) };
            let headings: BTreeSet<String> = match std::fs::read_to_string(&target) {
                Ok(text) => text.lines().filter(|line| line.starts_with('#')).map(anchor).collect(),
                // A folder, or a picture.
                Err(_) if target.exists() => BTreeSet::new(),
                Err(_) => {
                    problems.push(format!("{path}: {link}"));
                    continue;
                }
            };
            if !heading.is_empty() && !headings.contains(heading) {
                problems.push(format!("{path}: {link}: no such heading"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The anchor that code hosts make of a heading.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn sentences_have_a_subject() {
    for path in checked() {
        let prose = prose(&package_text(&path));
        let words: Vec<&str> = prose.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let whats = words.iter().filter(|word| word.eq_ignore_ascii_case("what")).count();
        #[expect(clippy::cast_precision_loss, reason = "a count of words")]
        let share = whats as f64 * 1000.0 / words.len() as f64;
        assert!(share <= MOST_WHATS_PER_THOUSAND, "{path}: \"what\" {whats} times in {} words", words.len());
    }
}

/// All documents whose links and words are checked.
fn checked() -> Vec<String> {
    let mut documents = manual();
    documents.extend(LIMITS.iter().map(|(path, _)| *path).chain(OTHERS.iter().copied()).map(str::to_owned));
    documents.sort();
    documents.dedup();
    documents
}

/// A document without its blocks of code.
fn prose(document: &str) -> String {
    document.split("```").step_by(2).collect::<Vec<&str>>().join("\n")
}

/// just is not installed everywhere: CONTRIBUTING names the command behind each recipe.
#[test]
fn recipes_of_the_justfile_are_plain_commands() {
    let contributing = package_text("CONTRIBUTING.md");
    for line in package_text("justfile").lines().filter(|line| line.starts_with("    ") && !line.contains('@')) {
        let command = line.split_whitespace().filter(|word| !word.contains("{{")).collect::<Vec<&str>>().join(" ");
        assert!(contributing.contains(&command), "CONTRIBUTING.md does not name `{command}`");
    }
}
