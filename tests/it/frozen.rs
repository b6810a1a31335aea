//! Digests of exports and answers over the material in the tree: a change that only moves code leaves them as they are.
//!
//! `fixtures/sample` and the last state of each `fixtures/history/*.txt` become repositories. Each line of the table
//! holds the digests of one of them: of its exports, and of JSON answers without their prose. Digests say that
//! something differs, not what. To see it, run the test with `FROZEN_KEEP=FOLDER` on both commits and compare the two
//! folders. Where a change is meant to change answers, take the digests anew:
//! `UPDATE_EXPECT=1 cargo test --test it frozen::`.
//!
//! `benches/frozen.py` does the same for two binaries over public repositories.

use std::path::{Path, PathBuf};

use expect_test::expect;
use protobuf::{Message, MessageField};
use scip::types::Index;
use serde_json::Value;

use crate::harness::{TestRepo, package_files, package_text};
use crate::histories;

/// Fields of JSON answers that are prose for people, as in `benches/frozen.py`: their wording may change.
const PROSE: [&str; 5] = ["message", "reason", "effect", "basis", "steps"];
/// Fields that say which state of the repository an answer is about, not what the answer is.
const STANDING: [&str; 2] = ["commit", "edited"];

/// Exports whose digests stand in the table, in its order; SCIP follows.
const EXPORTS: [(&str, &[&str]); 4] = [
    ("entities", &["export", "entities"]),
    ("edges", &["export", "edges"]),
    ("possible", &["export", "edges", "--possible"]),
    ("candidates", &["export", "candidates"]),
];

/// Names that `impact` and `refs` are asked about, in a repository of a history and in the sample.
const NAMES_OF_A_HISTORY: usize = 4;
const NAMES_OF_THE_SAMPLE: usize = 24;

/// Hexadecimal digits shown of a digest.
const DIGITS: usize = 12;

#[test]
fn exports_and_answers_are_as_before() {
    let mut table = String::from("entities edges possible candidates scip impact refs review\n");
    table += &line("sample", &sample(), NAMES_OF_THE_SAMPLE);
    for path in package_files("fixtures/history") {
        let name = stem(&path);
        table += &line(name, &history(&path), NAMES_OF_A_HISTORY);
    }
    expect![[r#"
        entities edges possible candidates scip impact refs review
        sample: dc45d840fff0 257fb26bbbd8 257fb26bbbd8 af1349b9f5f9 a05c3f887ccd 369fe1c220e7 e443dd942457 af1349b9f5f9
        base_gains_a_method: 61ab18de4606 1a16ec612993 2e6a940380f9 1a6e29eb423d e9798c83024d af814776842e e2da0c426047 44ba1a20d10d
        body_edit: 421d51709788 9d99f6e6ffe4 9d99f6e6ffe4 af1349b9f5f9 b64de22ff20a 157c2983aa72 29319bdb1e91 8c34f258db50
        broken_and_repaired: 2420f348b07b 8cd40bbf66a6 8cd40bbf66a6 af1349b9f5f9 9637a862163a e474414f6e5e 96d6f698fb97 8db96da7d604
        class_fits_a_protocol: 502d71fac82f 53ba0a46f1eb 53ba0a46f1eb af1349b9f5f9 90eaffda8488 2c0b4b6909a5 d426586ac0be 53554fa2c2c0
        definition_comes_and_goes: 3c3a7bac2b76 1d25d75cf474 1d25d75cf474 af1349b9f5f9 4a74fe92741b 847aacb10720 325aca60e3cc 1aff4701a214
        external_becomes_own: 0ff7b6ddc8a4 af1349b9f5f9 af1349b9f5f9 af1349b9f5f9 4733010aed6e e0b073444f2a a30b8f0380b2 debc4b220aa1
        fields_change_places: 69cca3a1b17f 5a1f7fe22b31 5a1f7fe22b31 af1349b9f5f9 732e93c9fea0 bb60cb50c43b ab04308922be bd1b8025e5da
        identical_files: 7158ad3c859b bf02e60a8897 bf02e60a8897 af1349b9f5f9 8d6435b04991 788c53d85a15 95144c83f142 440ea7688713
        inference_in_a_circle: 217f7faecea9 607132c4af12 607132c4af12 af1349b9f5f9 adaf86cbf425 84d8dc420a79 130bc619141f d1c39230eca3
        inferred_return_changes: 2042c328b9d6 7cce7327c9f1 7cce7327c9f1 af1349b9f5f9 36e95e4a93e2 4cf4ab4829b4 c3b111b975ce 6c2d993d5962
        into_src: 158f724319eb ca91fd3e48b3 ca91fd3e48b3 af1349b9f5f9 927a0f8d1fe0 ed5f84efc345 f979d8276bbb 3d5a2b6456f0
        many_values: 50fd1ec4bbdd c06214277071 c06214277071 af1349b9f5f9 2f6c79212b7c 5e7ae42364ba 0ad55190695c 4fd2a8b54d54
        namespace_below_src: b1d2dc76dcef 1ed370ae1b5e 1ed370ae1b5e af1349b9f5f9 5b4aa6a6e7d9 5551186a8c20 4d9cbe77f170 4ac45e74e878
        nearer_conftest: b044d9ea58dd ad1570d8ba71 ad1570d8ba71 af1349b9f5f9 df99410443c7 684569280535 580fb7b89e1f 772df795f019
        package_from_module: b5c2324c0f7a 90d9a950d399 90d9a950d399 af1349b9f5f9 21944a71bd0e 1f5649b83443 d672c5b18104 81abcc8a43b1
        passed_by_tests: e17c556e4c9f bfbf86bc27b0 bfbf86bc27b0 af1349b9f5f9 1b5bdb715b36 00650d67ec98 47c64f3bb9b0 54f5144fde85
        passed_values: 604d7fb7b3ef d2b46b156869 d2b46b156869 af1349b9f5f9 d89b467f3130 038dde502af9 d759b29e8b3b adcd137db726
        plugin_offers_a_fixture: 29546caaa627 af1349b9f5f9 af1349b9f5f9 af1349b9f5f9 030764313709 0e70a5be2612 1132b06140b2 97f1b982c6d4
        pytest_settings: e92311150eff 3eeebe645fdb 3eeebe645fdb af1349b9f5f9 2d2515b03396 ffad9f9f5e6d 670830a517c0 bf0ceffd4802
        rename_module: 4979a31a3aec 465e97fe9c0c 465e97fe9c0c af1349b9f5f9 dd61409e12b7 7f74e100efce 4b0cda0104f5 5000f864dff1
        root_package: 5f05a0d676a5 cc9c0cfbbfe6 cc9c0cfbbfe6 af1349b9f5f9 59656ae81946 e08537b14710 7df267a4def5 be661b460914
        star_import_changes: 09aad1530a26 8f7c62e055a6 8f7c62e055a6 af1349b9f5f9 3570c9f64ace 88270fcf5129 67727a422b57 a3adf1b0b9a3
        star_import_comes: 687175079a27 4e0caf6d8590 4e0caf6d8590 af1349b9f5f9 664e01a92c8f 7982d78cd377 68c1c77e066c 83d8cfa5593f
    "#]].assert_eq(&table);
}

/// The digests of one repository, by the names of their columns.
fn line(name: &str, repo: &TestRepo, names: usize) -> String {
    let mut digests = Vec::new();
    let mut entities = String::new();
    for (kind, arguments) in EXPORTS {
        let exported = repo.run(arguments).code(0).stdout;
        digests.push(digest(name, kind, exported.as_bytes()));
        if kind == "entities" {
            entities = exported;
        }
    }
    digests.push(digest(name, "scip", &scip_without_head(repo)));
    let asked = some_names(&entities, names);
    for command in ["impact", "refs"] {
        let answers: String = asked.iter().map(|target| answer(repo, &[command, target])).collect();
        digests.push(digest(name, command, answers.as_bytes()));
    }
    let has_two_commits = repo.git(["rev-list", "--count", "HEAD"]).trim() != "1";
    let review = if has_two_commits { answer(repo, &["review", "HEAD~1..HEAD"]) } else { String::new() };
    digests.push(digest(name, "review", review.as_bytes()));
    format!("{name}: {}\n", digests.join(" "))
}

fn sample() -> TestRepo {
    let repo = TestRepo::new();
    for path in package_files("fixtures/sample") {
        let inside = path.strip_prefix("fixtures/sample/").expect("it was found in there");
        repo.write(inside, package_text(&path));
    }
    repo.save("sample");
    repo
}

/// The repository after the last step of a history.
fn history(path: &str) -> TestRepo {
    let repo = TestRepo::new();
    for step in histories::parse(path, &package_text(path)) {
        step.commit_to(&repo);
    }
    repo
}

fn stem(path: &str) -> &str {
    Path::new(path).file_stem().and_then(|stem| stem.to_str()).expect("fixtures have names")
}

/// Names of entities that are evenly spread over the export.
fn some_names(entities: &str, most: usize) -> Vec<String> {
    let rows = entities.lines().map(|line| serde_json::from_str::<Value>(line).expect("each line is JSON"));
    let names: Vec<String> = rows.map(|row| row["name"].as_str().expect("entities have names").to_owned()).collect();
    let step = names.len().div_ceil(most).max(1);
    names.into_iter().step_by(step).collect()
}

/// The JSON answer without prose; a refusal shows by its exit code alone.
fn answer(repo: &TestRepo, arguments: &[&str]) -> String {
    let run = repo.run(arguments.iter().chain(&["--format", "json"]));
    let mut shown = Value::Null;
    if run.code == 0 {
        shown = serde_json::from_str(&run.stdout).expect("the answer is JSON");
        remove_prose(&mut shown);
    }
    format!("{}: exit code {}\n{shown:#}\n", arguments.join(" "), run.code)
}

fn remove_prose(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !PROSE.contains(&name.as_str()) && !STANDING.contains(&name.as_str()));
            fields.values_mut().for_each(remove_prose);
        }
        Value::Array(rows) => rows.iter_mut().for_each(remove_prose),
        _ => {}
    }
}

/// The documents of the SCIP export: its head holds the tool's version and the repository's folder.
fn scip_without_head(repo: &TestRepo) -> Vec<u8> {
    let output =
        repo.command(env!("CARGO_BIN_EXE_repoidx")).args(["export", "scip"]).output().expect("the binary runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut index = Index::parse_from_bytes(&output.stdout).expect("the export is SCIP");
    index.metadata = MessageField::none();
    index.write_to_bytes().expect("it was read from bytes")
}

/// The digest of some bytes, which `FROZEN_KEEP` keeps too.
fn digest(name: &str, kind: &str, bytes: &[u8]) -> String {
    if let Some(folder) = std::env::var_os("FROZEN_KEEP").map(PathBuf::from) {
        std::fs::create_dir_all(&folder).expect("FROZEN_KEEP is a folder");
        std::fs::write(folder.join(format!("{name}.{kind}")), bytes).expect("FROZEN_KEEP is writable");
    }
    blake3::hash(bytes).to_hex()[..DIGITS].to_owned()
}
