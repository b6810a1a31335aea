//! The cost of an update, in counts that are equal on every machine: files parsed, files resolved, rows written. Time
//! is measured elsewhere (`benches/`); these numbers are why it is short.

use std::fmt::Write as _;

use expect_test::expect;
use repoidx::git::Repository;
use repoidx::index::{self, UpdateOptions, UpdateReport, UpdateScope};

use crate::harness::TestRepo;

/// A package `name`: a base with a method and a function, classes that build on them, and a test.
fn add_package(repo: &TestRepo, name: &str) {
    repo.write(&format!("{name}/__init__.py"), format!("from {name}.base import Base, helper\n"));
    repo.write(
        &format!("{name}/base.py"),
        "LIMIT = 3\n\n\nclass Base:\n    def run(self, value):\n        return helper(value) + LIMIT\n\n\n\
         def helper(value):\n    return value + 1\n\n\nKNOWN = dict(first=helper)\n",
    );
    for letter in ["a", "b", "c"] {
        repo.write(
            &format!("{name}/use_{letter}.py"),
            format!(
                "from {name} import Base, helper\nfrom {name}.base import KNOWN\n\nKNOWN[\"first\"](1)\n\n\nclass Use(Base):\n    def go(self):\n        \
                 return self.run(helper(1))\n\n\ndef make():\n    return Use()\n"
            ),
        );
    }
    repo.write(
        &format!("tests/test_{name}.py"),
        format!("from {name}.use_a import make\n\n\ndef test_go():\n    assert make().go()\n"),
    );
}

fn update(repo: &TestRepo) -> UpdateReport {
    let opened = Repository::open(&repo.root()).expect("the test's repository opens");
    let options = UpdateOptions { threads: Some(1), ..UpdateOptions::default() };
    index::update(&opened, UpdateScope::Commits, &options, &()).expect("the update succeeds")
}

/// Commits one edit after the other to a repository of `packages` packages; one line for each.
fn costs(packages: usize) -> String {
    let repo = TestRepo::new();
    (0..packages).for_each(|number| add_package(&repo, &format!("pkg{number}")));
    repo.save("begin");
    let full = update(&repo);
    assert_eq!((full.parsed, full.resolved), (full.files, full.files));
    let base = std::fs::read_to_string(repo.root().join("pkg1/base.py")).expect("it was just written");
    let edits: &[(&str, &dyn Fn())] = &[
        ("nothing", &|| ()),
        ("a comment", &|| repo.write("pkg1/base.py", format!("{base}# the end\n"))),
        ("a body", &|| repo.write("pkg1/base.py", base.replace("value + 1", "value + 2"))),
        ("a line more above", &|| repo.write("pkg1/base.py", format!("\n{base}"))),
        ("a parameter", &|| repo.write("pkg1/base.py", base.replace("helper(value):", "helper(value, more=0):"))),
        ("a name", &|| repo.write("pkg1/base.py", base.replace("def run", "def start"))),
        ("back to the first", &|| repo.write("pkg1/base.py", &base)),
        ("a new file", &|| repo.write("pkg1/new.py", "def alone():\n    return 1\n")),
        ("a file less", &|| repo.delete("pkg1/new.py")),
        ("a file again", &|| repo.write("pkg1/new.py", "def alone():\n    return 1\n")),
        ("a document", &|| repo.write("README.txt", "words\n")),
        ("a file of another language", &|| repo.write("Makefile", "words\n")),
    ];
    let mut lines = String::new();
    for (name, edit) in edits {
        edit();
        repo.save(name);
        let UpdateReport { parsed, removed, resolved, rows, .. } = update(&repo);
        writeln!(lines, "{name}: {parsed} parsed, {removed} removed, {resolved} resolved, {rows} rows")
            .expect("a string");
    }
    lines
}

#[test]
fn an_update_costs_what_the_change_costs() {
    let small = costs(3);
    expect![[r#"
        nothing: 0 parsed, 0 removed, 0 resolved, 2 rows
        a comment: 1 parsed, 0 removed, 1 resolved, 20 rows
        a body: 1 parsed, 0 removed, 1 resolved, 25 rows
        a line more above: 1 parsed, 0 removed, 1 resolved, 42 rows
        a parameter: 1 parsed, 0 removed, 5 resolved, 43 rows
        a name: 1 parsed, 0 removed, 5 resolved, 76 rows
        back to the first: 0 parsed, 0 removed, 4 resolved, 65 rows
        a new file: 1 parsed, 0 removed, 1 resolved, 23 rows
        a file less: 0 parsed, 1 removed, 0 resolved, 20 rows
        a file again: 0 parsed, 0 removed, 1 resolved, 22 rows
        a document: 0 parsed, 0 removed, 0 resolved, 8 rows
        a file of another language: 0 parsed, 0 removed, 0 resolved, 2 rows
    "#]]
    .assert_eq(&small);
    assert_eq!(costs(40), small, "the size of the repository must not matter");
}
