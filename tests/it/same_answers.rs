//! An index that has moved between commits answers as a fresh one does, to the last bit of a score.

use std::collections::BTreeMap;

use crate::harness::TestRepo;

/// Modules whose functions are alike: their scores tie, and the order of ties shows the history of an index.
const MODULES: [&str; 6] = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];

/// A module with functions that differ only in their names; `extra` makes the file another one.
fn module(name: &str, extra: &str) -> String {
    format!(
        "\"\"\"Reads and writes the {name} settings.\"\"\"\n\n\
         def read_{name}(path):\n    \"\"\"Read the settings from a file.\"\"\"\n    return open(path).read()\n\n\
         def write_{name}(path, text):\n    \"\"\"Write the settings to a file.\"\"\"\n    open(path, 'w').write(text)\n\n\
         class Settings:\n    \"\"\"The settings of a file.\"\"\"\n\n    def load(self, path):\n        return read_{name}(path)\n{extra}"
    )
}

#[test]
fn a_moved_index_answers_as_a_fresh_one() {
    let moved = TestRepo::new();
    for name in MODULES {
        moved.write(&format!("pkg/{name}.py"), module(name, ""));
    }
    moved.write("README.md", "# Settings\n\nRead and write settings.\n\n## Files\n\nEach file has settings.\n");
    // One call with two targets: `alpha` goes and comes again below, so that the order of ids is not that of paths.
    moved.write(
        "pkg/use.py",
        "from pkg.alpha import read_alpha\nfrom pkg.zeta import read_zeta\n\n\ndef use(flag):\n    \
         read = read_alpha if flag else read_zeta\n    return read('a file')\n",
    );
    moved.write("docs/guide.md", "# Guide\n\nRead the settings from a file.\n");
    moved.save("first");
    moved.git(["tag", "first"]);
    moved.run(["index", "-q"]).code(0);
    let edits: [(&str, &str); 4] = [
        ("beta", "\n    def save(self, path):\n        write_beta(path, '')\n"),
        ("alpha", "\n\ndef load_all(paths):\n    return [read_alpha(path) for path in paths]\n"),
        ("delta", "\n\nLIMIT = 3\n"),
        ("gamma", "\n\ndef helper():\n    return Settings().load('a file')\n"),
    ];
    let mut differing = Vec::new();
    for (name, extra) in edits {
        moved.write(&format!("pkg/{name}.py"), module(name, extra));
        moved.write("README.md", format!("# Settings\n\nRead and write {name} settings.\n"));
        moved.save(name);
        differing.extend(differences(&moved, name));
    }
    moved.delete("pkg/alpha.py");
    moved.write("pkg/omega.py", module("omega", ""));
    moved.save("a file less and one more");
    differing.extend(differences(&moved, "a file less and one more"));
    moved.git(["checkout", "--quiet", "first"]);
    differing.extend(differences(&moved, "back at the first commit"));
    assert!(differing.is_empty(), "{}", differing.join("\n\n"));
}

/// Brings the index up to date, and compares its answers with those of a fresh clone.
fn differences(moved: &TestRepo, step: &str) -> Vec<String> {
    let fresh = TestRepo::clone_of(moved);
    moved.run(["index", "-q"]).code(0);
    fresh.run(["index", "-q"]).code(0);
    let (moved, fresh) = (answers(moved), answers(&fresh));
    let pairs = moved.iter().zip(&fresh).filter(|(moved, fresh)| moved != fresh);
    pairs.map(|((command, moved), (_, fresh))| format!("{step}: {command}\n{moved}\n{fresh}")).collect()
}

/// The answers to questions that rank by words or by relationships.
fn answers(repo: &TestRepo) -> BTreeMap<String, String> {
    let commands: [&[&str]; 10] = [
        &["search", "read settings from a file", "--format", "json", "--explain", "-k", "60"],
        &["search", "fix crash when the file is empty", "--format", "json", "-k", "60"],
        &["search", "Settings.load", "--format", "json", "-k", "60"],
        &["map", "--tokens", "2000"],
        &["map", "--tokens", "2000", "--focus", "write the settings"],
        &["context", "--at", "pkg/zeta.py:5", "--tokens", "1500"],
        &["context", "--at", "pkg/use.py:7", "--tokens", "1500"],
        &["ask", "how are settings read from a file?", "--no-llm", "--format", "json"],
        &["impact", "pkg.zeta.read_zeta", "--format", "json"],
        &["refs", "pkg.zeta.read_zeta", "--format", "json"],
    ];
    let root = repo.root().to_string_lossy().into_owned();
    let answer = |command: &&[&str]| (command.join(" "), repo.run(*command).code(0).stdout.replace(&root, "ROOT"));
    commands.iter().map(answer).collect()
}
