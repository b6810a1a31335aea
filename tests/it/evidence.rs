//! Runs of tests as evidence: coverage data with contexts, as coverage.py writes it.

use rusqlite::Connection;

use crate::harness::TestRepo;

const SHOP: &str = "\
def price(
    amount={1: 2},
):
    return amount


def total(items):
    return sum(items)


HOOKS = {name: value for name, value in globals().items() if name.endswith('l')}
";

const TESTS: &str = "\
import shop


def test_hooks():
    assert shop.HOOKS['tota' + 'l']([1]) == 1


class Base:
    def test_price(self):
        assert shop.price(3) == 3


class TestShop(Base):
    pass
";

fn shop() -> TestRepo {
    TestRepo::new().file("shop.py", SHOP).file("tests/test_shop.py", TESTS).commit("A shop")
}

/// Writes coverage.py's data file: the lines of a file that ran in a context.
fn cover(repo: &TestRepo, rows: &[(&str, &str, &[u32])]) {
    let path = repo.root().join(".git/coverage-data");
    std::fs::remove_file(&path).ok();
    let data = Connection::open(&path).expect("the repository is writable");
    let tables = "
        CREATE TABLE meta (key TEXT, value TEXT, UNIQUE (key));
        CREATE TABLE file (id INTEGER PRIMARY KEY, path TEXT, UNIQUE (path));
        CREATE TABLE context (id INTEGER PRIMARY KEY, context TEXT, UNIQUE (context));
        CREATE TABLE line_bits (file_id INTEGER, context_id INTEGER, numbits BLOB, UNIQUE (file_id, context_id));
        INSERT INTO meta VALUES ('has_arcs', '0');";
    data.execute_batch(tables).expect("the tables are new");
    for (path, context, lines) in rows {
        let mut bits = vec![0_u8; 16];
        for line in *lines {
            bits[*line as usize / 8] |= 1 << (line % 8);
        }
        data.execute("INSERT OR IGNORE INTO file (path) VALUES (?1)", [path]).expect("a data file that can be written");
        data.execute("INSERT OR IGNORE INTO context (context) VALUES (?1)", [context])
            .expect("a data file that can be written");
        let sql =
            "INSERT INTO line_bits SELECT f.id, c.id, ?3 FROM file f, context c WHERE f.path = ?1 AND c.context = ?2";
        data.execute(sql, rusqlite::params![path, context, bits]).expect("a data file that can be written");
    }
}

/// Adds a run in which `test_hooks` ran `total`, and `TestShop.test_price` ran `price`.
fn add(repo: &TestRepo) -> String {
    let hooks = "tests/test_shop.py::test_hooks|run";
    let price = "tests/test_shop.py::TestShop::test_price[a::b]|run";
    // The head of `price` ran when the first test imported the module. The paths are those of another machine.
    let rows: &[(&str, &str, &[u32])] =
        &[("/ci/build/shop.py", hooks, &[1, 2, 7, 8, 11]), ("/ci/build/shop.py", price, &[4])];
    cover(repo, rows);
    repo.run(["evidence", "add", ".git/coverage-data"]).code(0).stdout
}

fn tests_of(repo: &TestRepo, target: &str) -> Vec<String> {
    let answer = repo.run(["impact", target, "--format", "json"]).code(0).stdout;
    let answer: serde_json::Value = serde_json::from_str(&answer).expect("the answer is JSON");
    let seen = answer["impacted"].as_array().into_iter().flatten().filter(|row| row["seen"].is_string());
    seen.map(|row| format!("{} {}", row["name"].as_str().unwrap_or_default(), row["via"][0]["basis"])).collect()
}

#[test]
fn a_test_that_ran_a_definition_is_listed_and_says_so() {
    let repo = shop();
    assert_eq!(tests_of(&repo, "total"), [""; 0]);
    let head = repo.git(["rev-parse", "--short=12", "HEAD"]);
    assert_eq!(add(&repo), format!("2 tests ran 2 definitions at {}\n", head.trim()));
    assert_eq!(tests_of(&repo, "total"), [r#"tests.test_shop.test_hooks "seen in a run of the tests""#]);
    // The source shows this way too, so its evidence stays.
    let price = tests_of(&repo, "price");
    assert!(price.len() == 1 && price[0].starts_with("tests.test_shop.Base.test_price ") && !price[0].contains("seen"));
    let text = repo.run(["impact", "total"]).code(0).stdout;
    let commit = &head[..7];
    for line in [
        format!("complete: as far as the tests that ran at {commit} show"),
        format!("1 test known to run it by a run at {commit}, 1 of them only by that"),
        format!("test_shop.test_hooks  almost certain 99%  seen when it ran at {commit}"),
    ] {
        assert!(text.contains(&line), "{line}\n{text}");
    }
    assert!(text.contains("tests/test_shop.py::test_hooks"), "{text}");
}

#[test]
fn a_run_survives_a_rebuild_and_its_answers_do_not_depend_on_the_order_of_updates() {
    let repo = shop();
    add(&repo);
    repo.write("shop.py", format!("import os\n\n\n{SHOP}"));
    let updated = repo.run(["impact", "total", "--format", "json"]).code(0).stdout;
    repo.run(["index", "--full"]).code(0);
    assert_eq!(repo.run(["impact", "total", "--format", "json"]).code(0).stdout, updated);
    assert_eq!(tests_of(&repo, "total").len(), 1, "only the lines have moved");
}

#[test]
fn a_run_is_forgotten_when_the_definition_or_the_test_changes() {
    let repo = shop();
    add(&repo);
    repo.write("shop.py", SHOP.replace("sum(items)", "sum(items) + 1"));
    assert_eq!(tests_of(&repo, "total"), [""; 0]);
    repo.write("shop.py", SHOP);
    assert_eq!(tests_of(&repo, "total").len(), 1, "the change is undone");
    repo.write("tests/test_shop.py", TESTS.replace("== 1", "== 2"));
    assert_eq!(tests_of(&repo, "total"), [""; 0]);
    assert!(!repo.run(["impact", "total"]).code(0).stdout.contains("as far as the tests"));
    let expected = "all runs are removed\nno runs: `repoidx evidence add .coverage` adds one\n";
    let forgotten = ["forget", "list"].map(|action| repo.run(["evidence", action]).code(0).stdout);
    assert_eq!(forgotten.concat(), expected);
}

#[test]
fn lines_of_files_that_changed_since_the_run_do_not_count() {
    let repo = shop();
    let rows: &[(&str, &str, &[u32])] = &[("shop.py", "test_shop.test_hooks", &[8])];
    cover(&repo, rows);
    repo.write("shop.py", format!("{SHOP}\n"));
    let run = repo.run(["evidence", "add", ".git/coverage-data"]).code(2);
    assert!(run.stderr.contains("changed since the run: 1 file: shop.py"), "{}", run.stderr);
    repo.git(["checkout", "--quiet", "shop.py"]);
    // The file is as committed, and younger than the data: the user says which commit ran.
    let run = repo.run(["evidence", "add", ".git/coverage-data", "--commit", "HEAD"]).code(0);
    assert!(run.stdout.starts_with("1 test ran 1 definition at "), "{}", run.stdout);
}

#[test]
fn data_without_contexts_says_how_to_get_them() {
    let repo = shop();
    cover(&repo, &[("shop.py", "", &[8])]);
    let run = repo.run(["evidence", "add", ".git/coverage-data"]).code(2);
    assert!(run.stderr.contains("does not say which test ran which line"), "{}", run.stderr);
    assert!(run.stderr.contains("--cov-context=test"), "{}", run.stderr);
    let run = repo.run(["evidence", "add", "shop.py"]).code(2);
    assert!(run.stderr.contains("is no data file of coverage.py"), "{}", run.stderr);
}
