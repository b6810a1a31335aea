//! Two versions of repoidx in one repository: each has its own index, and neither rebuilds the other's.
//!
//! `REPOIDX_TEST_EDITION` stands for the other version; nothing but these tests sets it.

use crate::harness::{Run, TestRepo};

fn repo() -> TestRepo {
    TestRepo::new()
        .file("cart.py", "def total(cart):\n    return sum(cart)\n")
        .file("app.py", "from cart import total\n\n\ndef main(cart):\n    return total(cart)\n")
        .commit("first")
}

/// Runs the other version.
fn other(repo: &TestRepo, arguments: &[&str]) -> Run {
    let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
    command.args(arguments).env("REPOIDX_TEST_EDITION", "other").env("REPOIDX_FOREGROUND", "1");
    Run::of(command.output().expect("the binary was built"))
}

/// Names of the editions that have an index.
fn editions(repo: &TestRepo) -> Vec<String> {
    let entries = std::fs::read_dir(repo.root().join(".git/repoidx")).expect("the data directory is there");
    let names = entries.map(|entry| entry.expect("it can be read").file_name().into_string().expect("plain names"));
    let mut names: Vec<String> = names.filter(|name| name.starts_with('v')).collect();
    names.sort();
    names
}

#[test]
fn two_versions_work_in_turn_and_none_rebuilds_the_others_index() {
    let repo = repo();
    let own = repoidx::index::edition::name();
    assert!(repo.run(["index"]).code(0).stderr.contains("2 files"));
    assert!(other(&repo, &["index"]).code(0).stderr.contains("2 files"));
    assert_eq!(editions(&repo), [own.clone(), format!("{own}-other")]);
    for number in 0..3 {
        repo.write(
            "app.py",
            format!("from cart import total\n\n\ndef main(cart):\n    return total(cart) + {number}\n"),
        );
        let [first, second] = [repo.run(["-v", "index"]).code(0).stderr, other(&repo, &["-v", "index"]).code(0).stderr];
        for said in [first, second] {
            assert!(!said.contains("another version") && said.contains("1 parsed"), "{said}");
        }
        let answer = |run: Run| run.code(0).stdout;
        let question = ["impact", "cart.total", "--format", "json"];
        assert_eq!(answer(repo.run(question)), answer(other(&repo, &question)));
    }
}

#[test]
fn a_hook_serves_the_version_that_it_belongs_to() {
    let repo = repo();
    repo.run(["index"]).code(0);
    // The other version has no index here, and a commit must not start a first build.
    other(&repo, &["hook", "post-commit"]).code(0);
    assert_eq!(editions(&repo).len(), 1);
    other(&repo, &["index"]).code(0);
    repo.write("new.py", "def new():\n    return 1\n");
    repo.save("second");
    other(&repo, &["hook", "post-commit"]).code(0);
    let fresh = |run: Run| run.code(0).stdout.contains("\"fresh\":true");
    assert!(fresh(other(&repo, &["status", "--no-update", "--format", "json"])));
    assert!(!fresh(repo.run(["status", "--no-update", "--format", "json"])));
    assert!(repo.run(["refs", "new.new"]).code(0).stderr.is_empty(), "a query catches up by itself");
}

#[test]
fn the_largest_file_can_be_set_and_larger_ones_are_listed() {
    let long = format!("def far(): ...\nTEXT = '{}'\n", "x".repeat(3_000));
    let repo = TestRepo::new().file("near.py", "def near(): ...\n").file("far.py", &long).commit("first");
    let skipped = || repo.run(["status"]).code(0).stdout.contains("larger than 2 KiB");
    repo.run(["index"]).code(0);
    assert!(!skipped());
    repo.write("repoidx.toml", "max_file_kib = 2\n");
    repo.run(["show", "far.far"]).code(2);
    assert!(skipped());
    repo.write("repoidx.toml", "max_file_kib = 3\n");
    repo.run(["show", "far.far"]).code(0);
    assert!(!skipped());
}

#[test]
fn files_of_data_are_skipped_with_their_reason() {
    let digits = format!("TABLE = [\n{}]\n", "    1234567890123, 9876543210987,\n".repeat(60));
    let repo = TestRepo::new()
        .file("near.py", "from table import TABLE\n\n\ndef near():\n    return TABLE\n")
        .file("table.py", &digits)
        .commit("first");
    let skipped = || repo.run(["status"]).code(0).stdout;
    assert!(skipped().contains("table.py  more than 90 % digits (max_digits)"), "{}", skipped());
    repo.write("repoidx.toml", "max_digits = 1\n");
    assert!(!skipped().contains("table.py"), "{}", skipped());
    repo.run(["show", "table.TABLE"]).code(0);
    repo.write("repoidx.toml", "max_digits = 1\nmin_alphanumeric = 0.99\n");
    assert!(skipped().contains("less than 99 % letters and digits (min_alphanumeric)"), "{}", skipped());
    repo.write("repoidx.toml", "max_digits = 1\nmax_lines = 50\n");
    assert!(skipped().contains("more than 50 lines (max_lines)"), "{}", skipped());
}

/// Generated code has long lines. A paragraph of a document may be one line, but its other limits are those of files.
#[test]
fn long_lines_on_average_are_a_limit_of_code_and_the_other_limits_hold_for_documents() {
    let repo = TestRepo::new()
        .file("near.py", "def near():\n    return 1\n")
        .file("wide.py", format!("def wide():\n    return '{}'\n", "x".repeat(400)))
        .file("guide.md", format!("# Guide\n\n{}\n", "A long paragraph. ".repeat(40)))
        .file("table.txt", "1234567890123, 9876543210987,\n".repeat(60))
        .commit("first");
    let skipped = || repo.run(["status"]).code(0).stdout;
    assert!(skipped().contains("skipped (1)\n  table.txt  more than 90 % digits (max_digits)\n"), "{}", skipped());
    repo.write("repoidx.toml", "max_average_line = 150\n");
    let long = "wide.py  lines of more than 150 characters on average (max_average_line)\n";
    assert!(skipped().contains(long) && !skipped().contains("guide.md"), "{}", skipped());
    repo.run(["show", "wide.wide"]).code(2);
    repo.write("repoidx.toml", "max_lines = 2\nmax_digits = 1\n");
    assert!(skipped().contains("guide.md  more than 2 lines (max_lines)\n"), "{}", skipped());
    repo.write("repoidx.toml", "max_digits = 1\n");
    assert!(!skipped().contains("skipped"), "{}", skipped());
}
