//! Replays the changes of `fixtures/review/*.txt`: what each does at every place that refers to it, word for word.
//!
//! A file is prose, then cases, each begun by `#= name of the case`. `#- path` starts a file's text before the change,
//! `#+ path` its text after it; `#+ path (deleted)` deletes it. A file without an old text is new, one without a new
//! text stays as it is. Then follow the claims, all of them: `#~ name: edits` for each changed definition, and
//! `#? path:line verdict: reason` for each finding, in the order of the report. `UPDATE_EXPECT=1` rewrites the claims.

use std::collections::{BTreeMap, BTreeSet};

use repoidx::git::Repository;
use repoidx::index::{self, UpdateOptions, UpdateScope};
use repoidx::query::source::Sources;
use repoidx::review::{Range, ReviewOptions, ReviewReport, review};

use crate::harness::{TestRepo, package_files, package_path, package_text};

/// One change.
#[derive(Default)]
struct Case {
    name: String,
    before: BTreeMap<String, String>,
    /// `None` for a deleted file.
    after: BTreeMap<String, Option<String>>,
    /// The lines that say what is expected.
    claims: Vec<String>,
    /// The lines of the case up to the claims, as they are written.
    written: Vec<String>,
}

#[test]
fn every_change_is_judged_as_written() {
    let updates = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut problems = Vec::new();
    for path in package_files("fixtures/review") {
        let repo = TestRepo::new();
        repo.save("start");
        let (prose, cases) = parse(&path, &package_text(&path));
        let mut rewritten = prose;
        for case in &cases {
            let actual = replay(&repo, case);
            if !updates && actual != case.claims {
                let (actual, expected) = (actual.join("\n  "), case.claims.join("\n  "));
                problems.push(format!("{path}: {}\n  {actual}\n should be\n  {expected}", case.name));
            }
            rewritten.extend(case.written.iter().cloned());
            rewritten.extend(actual);
            rewritten.push(String::new());
        }
        if updates {
            rewritten.pop();
            std::fs::write(package_path(&path), rewritten.join("\n") + "\n").expect("the fixture is writable");
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

/// The kinds are the variants of `Edit`; a new one without a case fails here.
#[test]
fn every_kind_of_change_has_a_case() {
    let code = package_text("src/review/states/edits.rs");
    let variants = code.split("pub enum Edit {\n").nth(1).expect("the enum is there");
    let variants = variants.split("\n}\n").next().expect("it ends");
    let mut missing: BTreeSet<String> = variants
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.starts_with(char::is_uppercase))
        .map(|line| line.trim_end_matches([',', ' ', '{']).to_owned())
        .collect();
    assert!(missing.len() > 30, "the variants are read: {missing:?}");
    for path in package_files("fixtures/review") {
        let repo = TestRepo::new();
        repo.save("start");
        for case in parse(&path, &package_text(&path)).1 {
            for edit in replayed(&repo, &case).changed.iter().flat_map(|changed| &changed.edits) {
                let name = format!("{edit:?}");
                missing.remove(name.split([' ', '(']).next().expect("split yields one part"));
            }
        }
    }
    assert!(missing.is_empty(), "no case of fixtures/review has these: {missing:?}");
}

/// The claims that the review of a case makes.
fn replay(repo: &TestRepo, case: &Case) -> Vec<String> {
    let report = replayed(repo, case);
    let changed = report.changed.iter().map(|changed| {
        let edits: Vec<String> = changed.edits.iter().map(repoidx::review::Edit::words).collect();
        format!("#~ {}: {}", changed.name, edits.join("; "))
    });
    let findings = report.findings.iter().map(|finding| {
        format!("#? {}:{} {}: {}", finding.path, finding.line, finding.verdict.as_str(), finding.reason)
    });
    changed.chain(findings).collect()
}

/// The review of a case.
fn replayed(repo: &TestRepo, case: &Case) -> ReviewReport {
    repo.git(["rm", "-r", "-q", "-f", "--ignore-unmatch", "."]);
    for (path, text) in &case.before {
        repo.write(path, text);
    }
    repo.save("before");
    for (path, text) in &case.after {
        match text {
            Some(text) => repo.write(path, text),
            None => repo.delete(path),
        }
    }
    repo.save("after");
    let opened = Repository::open(&repo.root()).expect("the test's repository opens");
    let options = UpdateOptions { threads: Some(1), ..UpdateOptions::default() };
    index::update(&opened, UpdateScope::Worktree, &options, &()).expect("the update succeeds");
    let store = index::open(&opened).expect("the index is there");
    let range = Range::between(&opened, "HEAD~1", "HEAD").expect("there are two commits");
    let sources = Sources::new(|path| opened.read(path).ok());
    let options = ReviewOptions { threads: Some(1), ..ReviewOptions::default() };
    review(&opened, &store, &sources, &range, &options).expect("the review succeeds")
}

/// The prose before the first case, and the cases.
fn parse(path: &str, text: &str) -> (Vec<String>, Vec<Case>) {
    let (mut prose, mut cases): (Vec<String>, Vec<Case>) = (Vec::new(), Vec::new());
    let mut open: Option<(bool, String)> = None;
    for (number, line) in text.lines().enumerate() {
        let place = format!("{path}:{}", number + 1);
        if let Some(name) = line.strip_prefix("#= ") {
            cases.push(Case { name: name.to_owned(), written: vec![line.to_owned()], ..Case::default() });
            open = None;
            continue;
        }
        let Some(case) = cases.last_mut() else {
            prose.push(line.to_owned());
            continue;
        };
        if line.starts_with("#~ ") || line.starts_with("#? ") {
            case.claims.push(line.to_owned());
            open = None;
            continue;
        }
        if line.is_empty() && !case.claims.is_empty() {
            continue;
        }
        assert!(case.claims.is_empty(), "{place}: claims come last");
        case.written.push(line.to_owned());
        if let Some(header) = line.strip_prefix("#- ") {
            case.before.insert(header.to_owned(), String::new());
            open = Some((false, header.to_owned()));
        } else if let Some(header) = line.strip_prefix("#+ ") {
            let deleted = header.strip_suffix(" (deleted)");
            case.after.insert(deleted.unwrap_or(header).to_owned(), deleted.is_none().then(String::new));
            open = deleted.is_none().then(|| (true, header.to_owned()));
        } else if let Some((is_new, file)) = &open {
            let text =
                if *is_new { case.after.get_mut(file).and_then(Option::as_mut) } else { case.before.get_mut(file) };
            let text = text.expect("the file was begun");
            text.push_str(line);
            text.push('\n');
        } else {
            assert!(line.is_empty(), "{place}: outside of a file: {line}");
        }
    }
    for case in &mut cases {
        while case.written.last().is_some_and(String::is_empty) {
            case.written.pop();
        }
    }
    (prose, cases)
}
