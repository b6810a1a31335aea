//! Runs what the README shows.
//!
//! A block of the kind `console` holds `$ repoidx …` commands with what they print. They are run one after the other in
//! a repository made of `fixtures/sample`, and must print exactly that; `UPDATE_EXPECT=1` rewrites the blocks. A command
//! `$ sed -i 's/old/new/' file` changes a file first. A line `…`
//! stands for the rest of an output, and a command without any output shown may print what it likes. A block of the
//! kind `sh` holds what is not run like that: set-up, and the tests themselves.

use std::fmt::Write as _;

use crate::harness::{Run, TestRepo, package_files, package_text};

const SAMPLE: &str = "fixtures/sample/";

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

#[test]
fn console_blocks_print_what_they_say() {
    let repo = sample();
    let readme = package_text("README.md");
    let mut actual = String::new();
    let mut commands = 0;
    let mut lines = readme.lines().peekable();
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
            commands += 1;
            let mut shown = Vec::new();
            while let Some(line) = lines.next_if(|line| *line != "```" && !line.starts_with("$ ")) {
                shown.push(line);
            }
            let printed = cut_like(&run.stdout, &shown);
            write!(actual, "{command}\n{printed}").expect("writing to a string cannot fail");
        }
    }
    assert!(commands >= 5, "only {commands} commands in README.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() && actual != readme {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"), &actual).expect("README.md is writable");
    } else {
        assert_eq!(actual, readme, "README.md shows something else; UPDATE_EXPECT=1 rewrites it");
    }
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

/// What was printed, cut where the README cuts it.
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

/// The first command that a reader is told to run, with the binary of this test instead of a release build.
#[test]
#[cfg(unix)]
fn the_demonstration_answers() {
    let readme = package_text("README.md");
    assert!(readme.contains("\nsh fixtures/sample/demo.sh\n"), "README.md shows another command");
    let repo = TestRepo::without_git();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/sample/demo.sh");
    let output = repo.command("sh").arg(script).env("REPOIDX", env!("CARGO_BIN_EXE_repoidx")).output();
    let run = Run::of(output.expect("sh is installed")).code(0);
    for name in ["Discount.apply", "Order.summary", "test_voucher_never_pays_out"] {
        assert!(run.stdout.contains(name), "{name} is missing:\n{}", run.stdout);
    }
}

/// The second one is what `.ci/run` ends with.
#[test]
fn the_test_command_is_the_last_one_of_ci() {
    assert!(package_text("README.md").contains("\ncargo test\n"), "README.md shows another command");
    assert_eq!(package_text(".ci/run").lines().last(), Some("cargo test"));
}
