//! Replays the histories of `fixtures/history/*.txt`: after every commit, the updated index must equal one that is
//! built from scratch in a fresh clone, and only the files may be resolved again whose questions have new answers.
//!
//! A history is prose, then steps, each begun by `#! commit message`; `#- path` starts a file's new text and
//! `#- path (deleted)` deletes it. A step may end with `#? reresolved: a.py, b.py`, all files that the update resolved,
//! and with `#? impact TARGET: name, name`, all that a change of the target breaks by stored relationships.

use std::collections::BTreeSet;

use repoidx::git::Repository;
use repoidx::index::{self, UpdateOptions, UpdateScope};

use crate::harness::{TestRepo, package_files, package_text};
use crate::snapshot::{differences, snapshot};

/// A commit of a history, and the claims about the index after it.
pub(crate) struct Step {
    message: String,
    changes: Vec<Change>,
    reresolved: Option<BTreeSet<String>>,
    impacts: Vec<(String, BTreeSet<String>)>,
}

struct Change {
    path: String,
    /// `None` for a deleted file.
    text: Option<String>,
}

impl Step {
    /// Changes the files and commits them.
    pub(crate) fn commit_to(&self, repo: &TestRepo) {
        for change in &self.changes {
            match &change.text {
                Some(text) => repo.write(&change.path, text),
                None => repo.delete(&change.path),
            }
        }
        repo.save(&self.message);
    }
}

#[test]
fn every_step_equals_a_full_build() {
    let mut problems = Vec::new();
    for path in package_files("fixtures/history") {
        let repo = TestRepo::new();
        for step in parse(&path, &package_text(&path)) {
            problems
                .extend(replay(&repo, &step).into_iter().map(|problem| format!("{path}: {}: {problem}", step.message)));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Makes the commit and updates the index as a hook would. Returns what is wrong then.
fn replay(repo: &TestRepo, step: &Step) -> Vec<String> {
    step.commit_to(repo);
    let mut problems = Vec::new();
    let opened = Repository::open(&repo.root()).expect("the test's repository opens");
    let options = UpdateOptions { threads: Some(1), ..UpdateOptions::default() };
    let report = index::update(&opened, UpdateScope::Commits, &options, &()).expect("the update succeeds");
    let actual: BTreeSet<String> = report.reresolved.into_iter().collect();
    if let Some(expected) = step.reresolved.as_ref().filter(|expected| **expected != actual) {
        problems.push(format!("resolved again {actual:?}, should be {expected:?}"));
    }

    let clone = TestRepo::clone_of(repo);
    let fresh = Repository::open(&clone.root()).expect("the clone opens");
    index::update(&fresh, UpdateScope::Worktree, &options, &()).expect("the full build succeeds");
    problems.extend(differences(&snapshot(&opened), &snapshot(&fresh)));

    for (target, expected) in &step.impacts {
        let actual = impacted(repo, target);
        if actual != *expected {
            problems.push(format!("impact {target} is {actual:?}, should be {expected:?}"));
        }
    }
    problems
}

fn impacted(repo: &TestRepo, target: &str) -> BTreeSet<String> {
    let answer = repo.run(["impact", target, "--format", "json"]).code(0).stdout;
    let answer: serde_json::Value = serde_json::from_str(&answer).expect("the answer is JSON");
    let impacted = answer["impacted"].as_array().expect("impacted is a list");
    let stored = impacted.iter().filter(|entity| entity["evidence"] != "possible");
    stored.map(|entity| entity["name"].as_str().expect("entities have names").to_owned()).collect()
}

/// The steps of a history.
pub(crate) fn parse(path: &str, text: &str) -> Vec<Step> {
    let names = |list: &str| -> BTreeSet<String> {
        list.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
    };
    let mut steps: Vec<Step> = Vec::new();
    let mut is_in_file = false;
    for (number, line) in text.lines().enumerate() {
        let place = format!("{path}:{}", number + 1);
        if let Some(message) = line.strip_prefix("#! ") {
            let message = message.to_owned();
            steps.push(Step { message, changes: Vec::new(), reresolved: None, impacts: Vec::new() });
            is_in_file = false;
            continue;
        }
        let Some(step) = steps.last_mut() else {
            assert!(line.is_empty() || line.starts_with("# "), "{place}: prose first");
            continue;
        };
        if let Some(header) = line.strip_prefix("#- ") {
            let deleted = header.strip_suffix(" (deleted)");
            is_in_file = deleted.is_none();
            let path = deleted.unwrap_or(header).to_owned();
            step.changes.push(Change { path, text: deleted.is_none().then(String::new) });
        } else if let Some(claim) = line.strip_prefix("#? ") {
            is_in_file = false;
            let (what, list) = claim.split_once(':').unwrap_or_else(|| panic!("{place}: no colon"));
            match what.split_once(' ') {
                None if what == "reresolved" => step.reresolved = Some(names(list)),
                Some(("impact", target)) => step.impacts.push((target.to_owned(), names(list))),
                _ => panic!("{place}: not understood: {line}"),
            }
        } else if is_in_file {
            let change = step.changes.last_mut().expect("a file was begun");
            let text = change.text.as_mut().expect("the file is not deleted");
            text.push_str(line);
            text.push('\n');
        } else {
            assert!(line.is_empty(), "{place}: outside of a file: {line}");
        }
    }
    steps
}

/// The definitions of a file that moves as it is are the same ones: their ids stay, and the index is that of a full
/// build.
#[test]
fn definitions_keep_their_ids_when_their_file_moves() {
    let code = "class View:\n    def show(self):\n        return 1\n\n\nclass Page(View):\n    def show(self):\n        return View.show(self)\n";
    let repo = TestRepo::new()
        .file("site/views.py", code)
        .file("site/__init__.py", "")
        .file("site/use.py", "from site.views import Page\n\n\ndef use():\n    return Page().show()\n")
        .commit("first");
    let ids = || -> Vec<(i64, String)> {
        let index = index::edition::file(&Repository::open(&repo.root()).expect("a repository"));
        let index = rusqlite::Connection::open(index).expect("an index");
        let mut rows =
            index.prepare("SELECT id, qualified FROM entities WHERE qualified <> '' ORDER BY 1").expect("a table");
        let rows = rows.query_map((), |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
        rows.map(|row| row.expect("a row")).collect()
    };
    repo.run(["index"]).code(0);
    let before = ids();
    repo.git(["mv", "site/views.py", "site/vws.py"]);
    let run = repo.run(["index", "--stats"]).code(0);
    assert!(run.stdout.contains("moved          1") && run.stdout.contains("removed        0"), "{}", run.stdout);
    assert_eq!(ids(), before);
    let equals_full_build = |text: &str| {
        let fresh = TestRepo::clone_of(&repo);
        fresh.delete("site/views.py");
        fresh.write("site/vws.py", code);
        fresh.write("site/use.py", text);
        fresh.run(["index"]).code(0);
        let [updated, fresh] =
            [&repo, &fresh].map(|repo| snapshot(&Repository::open(&repo.root()).expect("a repository")));
        let differences = differences(&updated, &fresh);
        assert!(differences.is_empty(), "{}", differences.join("\n"));
    };
    equals_full_build("from site.views import Page\n\n\ndef use():\n    return Page().show()\n");
    let now = "from site.vws import Page\n\n\ndef use():\n    return Page().show()\n";
    repo.write("site/use.py", now);
    repo.run(["index"]).code(0);
    equals_full_build(now);
}
