//! Answers about classes that fit a protocol without deriving from it.

use expect_test::expect;

use crate::harness::TestRepo;

fn shop() -> TestRepo {
    TestRepo::new()
        .file(
            "loading.py",
            "\
from typing import Protocol


class Loader(Protocol):
    def load(self, name): ...


def use(loader: Loader):
    return loader.load('a')
",
        )
        .file("disk.py", "class Disk:\n    def load(self, name):\n        return name\n")
        .commit("first")
}

#[test]
fn calls_of_the_protocol_are_calls_of_a_class_that_fits() {
    expect![[r#"
        changing `Disk.load` affects 1 definition (directly); no test to run; no limit known
          disk.Disk.load  method  disk.py:2

        direct (1)
          loading.py:9  calls  loading.use  maybe 36%
              return loader.load('a')
    "#]]
    .assert_eq(&shop().run(["impact", "disk.Disk.load"]).code(0).stdout);
}

#[test]
fn a_class_that_fits_has_to_follow_the_protocol() {
    expect![[r#"
        changing the signature of `Loader.load` affects 2 definitions (all directly); no test to run; no limit known
          loading.Loader.load  method  loading.py:5

        direct (2)
          loading.py:9  calls  loading.use  almost certain 95%
              return loader.load('a')
          disk.py:2  overrides  Disk.load  maybe 51%
              def load(self, name):
    "#]]
    .assert_eq(&shop().run(["impact", "loading.Loader.load", "--change", "signature"]).code(0).stdout);
    expect![[r#"
        `Disk.load`: 2 references
          disk.Disk.load  method  disk.py:2

          loading.py:5  implemented_by  Loader.load  [implementation of what a base leaves open]
              def load(self, name): ...
          loading.py:9  calls  loading.use  [class that fits a protocol]
              return loader.load('a')
    "#]]
    .assert_eq(&shop().run(["refs", "disk.Disk.load"]).code(0).stdout);
}

#[test]
fn where_more_classes_fit_than_are_told_apart_the_call_stays_open() {
    use std::fmt::Write as _;
    let mut many = String::new();
    for number in 0..30 {
        write!(many, "class Disk{number}:\n    def load(self, name): ...\n\n").expect("a text grows");
    }
    let repo = shop().file("many.py", &many).commit("more");
    let edges = repo.run(["export", "edges"]).code(0).stdout;
    assert!(!edges.contains("Disk3"), "{edges}");
    let json = repo.run(["impact", "many.Disk3.load", "--format", "json"]).code(0).stdout;
    let report: serde_json::Value = serde_json::from_str(&json).expect("a report");
    assert_ne!(report["completeness"], "complete", "{json}");
}
