//! Documents beside the code: found by search, kept like the rest.

use repoidx::git::Repository;

use crate::{
    harness::TestRepo,
    snapshot::{differences, snapshot},
    strictly::check,
};

fn shop() -> TestRepo {
    TestRepo::new()
        .file("shop/cart.py", "class Cart:\n    __name__ = 'cart'\n\n    def add(self, item):\n        return item\n")
        .file(
            "docs/guide.md",
            "# Guide\n\n## Filling baskets\n\nPut things into a basket with `Cart.add` (see `__name__`).\n\n## Refunds\n\nMoney goes back.\n",
        )
        .file("CHANGES.rst", "Changes\n=======\n\nVersion 2\n---------\n\n- Vouchers expire.\n")
        .file("private/notes.txt", "The combination of the safe is secret.\n")
        .file(".repoidxignore", "private/\n")
        .commit("first")
}

/// Title, path and first line of the hits among documents.
fn found(repo: &TestRepo, question: &str) -> Vec<String> {
    let run = repo.run(["search", question, "--kind", "document", "--format", "json"]).code(0);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("a report is JSON");
    let hits = report["hits"].as_array().expect("a report has hits");
    let word = |value: &serde_json::Value| value.as_str().expect("it is text").to_owned();
    hits.iter().map(|hit| format!("{} {}:{}", word(&hit["name"]), word(&hit["path"]), hit["start_line"])).collect()
}

#[test]
fn sections_are_found_and_lead_to_the_code_they_name() {
    let repo = shop();
    assert_eq!(found(&repo, "how do I fill a basket")[0], "Filling baskets docs/guide.md:3");
    assert_eq!(found(&repo, "voucher expiry")[0], "Version 2 CHANGES.rst:4");
    let run = repo.run(["search", "basket", "--kind", "document", "-k", "1"]);
    run.stdout(expect_test::expect![[r#"
        Guide / Filling baskets  document  docs/guide.md:3-5
            Put things into a basket with `Cart.add` (see `__name__`).
            names shop.cart.Cart.add
    "#]]);
    // Code goes before its documentation, unless that is asked for.
    let run = repo.run(["search", "add an item to the cart", "-k", "1"]).code(0);
    assert!(run.stdout.starts_with("shop.cart.Cart.add "), "{}", run.stdout);
}

#[test]
fn an_edited_document_is_named_like_edited_code() {
    let repo = shop();
    repo.run(["index"]).code(0);
    repo.write("docs/guide.md", "# Guide\n\n## Wombats\n\nThey dig.\n");
    let text = repo.run(["search", "wombats", "--kind", "document"]).code(0).stdout;
    assert!(text.contains("docs/guide.md:3") && text.contains(" with 1 edited file: docs/guide.md"), "{text}");
    let text = repo.run(["show", "Cart", "--format", "json"]).code(0).stdout;
    assert!(text.contains(r#""edited":["docs/guide.md"]"#), "{text}");
    // Files that nobody reads, and documents that are kept back, are no part of an answer.
    repo.git(["checkout", "--quiet", "."]);
    repo.write("data.csv", "1,2");
    repo.write("private/notes.txt", "changed");
    let text = repo.run(["show", "Cart", "--format", "json"]).code(0).stdout;
    assert!(text.contains(r#""edited":[]"#), "{text}");
}

fn car() -> TestRepo {
    TestRepo::new()
        .file("app.py", "class Engine:\n    def start_motor(self):\n        return 1\n")
        .file(
            "guide.md",
            "# Guide\n\n## Starting the motor\n\nTurn the brass key twice.\n\n## Hills\n\nUse the brake.\n",
        )
        .file("ref.rst", "Reference\n=========\n\nMotor\n-----\n\nThe flywheel keeps it going.\n")
        .file("page.html", "<title>T</title><h1>Manual</h1><p>Hello</p><h2>Glovebox</h2><p>Kangaroo papers.</p>\n")
        .file("paper.tex", "\\begin{document}\n\\section{Heat}\nCopper dissipates.\n\\end{document}\n")
        .commit("first")
}

#[test]
fn a_prompt_has_the_text_of_the_sections() {
    let prompt = car().run(["ask", "--format", "prompt", "according to the docs, how do I start the motor?"]).code(0);
    assert!(prompt.stdout.contains("Turn the brass key twice."), "{}", prompt.stdout);
}

#[test]
fn documents_are_asked_for_a_word_that_they_mention() {
    let repo = car();
    let asked = |question: &str| repo.run(["ask", question]).code(0).stdout;
    let text = asked("which documents mention the flywheel?");
    assert!(text.starts_with("1 section of 1 document has `flywheel`, first ref.rst:4\n"), "{text}");
    let text = asked("which documents mention kangaroo?");
    assert!(text.contains("first page.html:1\n") && text.contains("Kangaroo papers."), "{text}");
    let text = asked("which documents mention zeppelins?");
    assert!(text.starts_with("no document has `zeppelins`\n"), "{text}");
}

#[test]
fn a_section_is_shown_by_its_place_and_by_its_title() {
    let repo = car();
    let shown = |target: &str| repo.run(["show", target]).code(0).stdout;
    for target in ["ref.rst:5", "ref.rst:7", "motor", "Reference / Motor"] {
        let text = shown(target);
        assert!(text.starts_with("Reference / Motor  section  ref.rst:4-7\n"), "{target}: {text}");
        assert!(text.contains("The flywheel keeps it going."), "{target}: {text}");
    }
    // A document is the list of its sections. Markup of HTML is left out.
    assert!(shown("guide.md").starts_with("3 sections\n"), "{}", shown("guide.md"));
    let page = shown("Glovebox");
    assert!(page.contains("Kangaroo papers.") && !page.contains("<p>"), "{page}");
    repo.run(["show", "guide.md:99"]).code(2);
    // A definition goes before a title.
    assert!(shown("Engine").contains("class Engine"), "{}", shown("Engine"));
}

#[test]
fn headings_and_commands_are_read_wherever_they_stand() {
    let lines = car().run(["export", "sections"]).code(0).stdout;
    let titles: Vec<String> = lines
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a section")["title"].to_string())
        .collect();
    assert!(titles.contains(&"\"Manual\"".to_owned()) && titles.contains(&"\"Glovebox\"".to_owned()), "{titles:?}");
    let found = car().run(["search", "copper", "--kind", "document"]).code(0).stdout;
    assert!(found.contains("Copper dissipates.\n"), "{found}");
}

/// All that is not indexed is listed with its reason, and counted apart.
#[test]
fn nothing_is_skipped_silently() {
    let library = TestRepo::new().file("lib.py", "def lib(): ...\n").commit("first");
    let repo = shop().file("big.md", format!("# Big\n\n{}", "A zanzibar is far.\n".repeat(60_000)));
    repo.write("data.txt", "a\0b");
    repo.write("table.py", format!("TEXT = '{}'\n", "x".repeat(5 << 20)));
    repo.git(["submodule", "--quiet", "add", &library.root().display().to_string(), "vendor/lib"]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("guide.md", repo.root().join("docs/link.md")).expect("links can be made");
    repo.save("second");
    repo.init("other");
    let status = || -> serde_json::Value {
        serde_json::from_str(&repo.run(["-q", "status", "--format", "json"]).code(0).stdout).expect("a report")
    };
    let reasons = |report: &serde_json::Value| -> Vec<String> {
        let skipped = report["skipped"].as_array().expect("a list").iter();
        skipped.map(|file| format!("{}: {}", file["path"], file["reason"]).replace('"', "")).collect()
    };
    let report = status();
    assert_eq!((&report["files"], &report["documents"]), (&1.into(), &2.into()));
    expect_test::expect![[r#"
        table.py: larger than 4096 KiB (max_file_kib)
        big.md: larger than 1024 KiB (max_document_kib)
        data.txt: binary
        docs/link.md: a symlink: links are not followed
        vendor/lib: a submodule: it has an index of its own
        other: a repository of its own
        private/notes.txt: named in .repoidxignore"#]]
    .assert_eq(&reasons(&report).join("\n"));
    assert!(!found(&repo, "zanzibar").iter().any(|hit| hit.starts_with("Big")));
    // An update lists them like a full build, and both limits can be set.
    repo.write("data.txt", "a b");
    assert!(!reasons(&status()).iter().any(|reason| reason.starts_with("data.txt")));
    assert_eq!(status()["documents"], 3);
    repo.write("data.txt", "a\0b");
    assert!(reasons(&status()).contains(&"data.txt: binary".to_owned()));
    assert!(repo.run(["status", "--no-update"]).code(0).stdout.contains("state          fresh"));
    repo.write("repoidx.toml", "max_document_kib = 4000\n");
    assert_eq!(found(&repo, "zanzibar").first().map(String::as_str), Some("Big big.md:1"));
    assert!(!reasons(&status()).iter().any(|reason| reason.starts_with("big.md")));
}

#[test]
fn documents_are_no_definitions() {
    let repo = shop();
    let exported = repo.run(["export", "entities"]).code(0).stdout;
    assert!(!exported.contains("guide") && !exported.contains("document"), "{exported}");
    assert!(repo.run(["status"]).code(0).stdout.contains("files          1\n"));
    repo.run(["-q", "impact", "docs/guide.md"]).code(2);
}

#[test]
fn documents_that_are_kept_back_are_not_found_until_they_are_not() {
    let repo = shop();
    assert!(!found(&repo, "combination of the safe").iter().any(|hit| hit.contains("private")));
    repo.write(".repoidxignore", "docs/\n");
    assert_eq!(found(&repo, "combination of the safe")[0], "notes.txt private/notes.txt:1");
    assert!(!found(&repo, "basket").iter().any(|hit| hit.contains("guide")));
}

#[test]
fn after_edits_and_commits_the_index_is_that_of_a_full_build() {
    let repo = shop();
    repo.run(["index"]).code(0);
    let steps: [&dyn Fn(); 5] = [
        &|| repo.write("docs/guide.md", "# Guide\n\n## Filling baskets\n\nOther words with `Cart`.\n"),
        &|| repo.write("docs/new.rst", "Title\n=====\n\nSame text\n"),
        &|| repo.delete("CHANGES.rst"),
        &|| repo.write("docs/binary.txt", b"\0\x01\x02"),
        &|| repo.write(".repoidxignore", "docs/new.rst\n"),
    ];
    for (number, step) in steps.iter().enumerate() {
        step();
        let stale = repo.run(["-q", "status", "--no-update", "--format", "json"]).code(0).stdout;
        assert!(stale.contains("\"fresh\": false") || stale.contains("\"fresh\":false"), "step {number}: {stale}");
        if number % 2 == 0 {
            repo.save("step");
            repo.run(["hook", "worker"]).code(0);
        }
        repo.run(["search", "words"]).code(0);
        let updated = snapshot(&Repository::open(&repo.root()).unwrap());
        let fresh = TestRepo::clone_of(&repo);
        for file in ["docs/guide.md", "docs/new.rst", "docs/binary.txt", ".repoidxignore"] {
            if let Ok(bytes) = std::fs::read(repo.root().join(file)) {
                fresh.write(file, bytes);
            }
        }
        fresh.run(["index"]).code(0);
        let differences = differences(&updated, &snapshot(&Repository::open(&fresh.root()).unwrap()));
        assert!(differences.is_empty(), "step {number}:\n{}", differences.join("\n"));
        assert!(repo.run(["status", "--no-update"]).code(0).stdout.contains("fresh"), "step {number}");
    }
}

#[test]
fn sections_are_listed_and_counted_without_a_question() {
    let repo = shop();
    assert_eq!(repo.run(["search", "--kind", "document", "--count"]).code(0).stdout, "5\n");
    repo.run(["search", "--kind", "document", "--in", "docs"]).stdout(expect_test::expect![[r#"
        3 sections: in docs

          Guide  document  docs/guide.md:1  1 line
          Guide / Filling baskets  document  docs/guide.md:3  3 lines
          Guide / Refunds  document  docs/guide.md:7  3 lines
    "#]]);
    // A section is nothing that runs.
    let run = repo.run(["search", "--kind", "document", "--is", "async"]).code(0);
    assert!(run.stdout.starts_with("no section fits"), "{}", run.stdout);
}

#[test]
fn a_document_is_a_file_that_is_there() {
    let repo = shop();
    let text = repo.run(["ask", "is there a file CHANGES.rst?"]).code(0).stdout;
    assert!(text.starts_with("yes: CHANGES.rst\n") && !text.contains("no indexed file"), "{text}");
    let text = repo.run(["ask", "is there a file NEWS.rst?"]).code(0).stdout;
    assert!(text.starts_with("no: no indexed file is called `NEWS.rst` (Python files, documents, "), "{text}");
}

/// Documents at the root and in a folder, of which a question calls some by a noun.
fn library() -> TestRepo {
    TestRepo::new()
        .file("lib.py", "def press(key):\n    return key\n\n\nclass Panel:\n    pass\n")
        .file("README.md", "# Lib\n\nWorks in Jupyter.\n\n## Install\n\nRun pip.\n")
        .file(
            "CHANGES.md",
            "# Changes\n\n## 2.0\n\n- `press` takes a key.\n\n## 1.0\n\n- The first panel.\n\n- Python 3.13 works.\n",
        )
        .file(".github/CONTRIBUTING.md", "# Contributing\n\n## Tests\n\nRun them.\n\n## Style\n\nPlain.\n")
        .file(
            "docs/panels.rst",
            "Panels\n======\n\nSome text.\n\nCustom Key Handling\n-------------------\n\nCall ``press`` on Windows.\nThe result of ``press`` is a key.\n",
        )
        .file("docs/guide/start.md", "# Start\n\nMake a window and `press` it.\n")
        .file("docs/guide/debug.md", "# Debugging Programs\n\nLook closely.\n")
        .commit("first")
}

#[test]
fn a_document_is_called_by_a_noun() {
    check(
        &library(),
        &[
            (
                "what does the changelog say about press?",
                "1 section of CHANGES.md has `press`, first `2.0` at CHANGES.md:5",
            ),
            (
                "what do the release notes tell about Python 3.13?",
                "1 section of CHANGES.md has `Python 3.13`, first `1.0`",
            ),
            ("what is said about press in the change log?", "1 section of CHANGES.md has `press`"),
            ("does the changelog mention panels?", "yes: 1 section of CHANGES.md has `panels`"),
            (
                "what does the README say about Jupyter?",
                "1 section of README.md has `Jupyter`, first `Lib` at README.md:3",
            ),
            (
                "what does the readme say about debugging?",
                "no section of README.md has `debugging`; 1 section of other documents has `debugging`, first `Debugging Programs` at docs/guide/debug.md:1",
            ),
            (
                "what does CONTRIBUTING.md say about tests?",
                "1 section of .github/CONTRIBUTING.md has `tests`, first `Tests`",
            ),
            ("what does the contributing guide say about tests?", "1 section of .github/CONTRIBUTING.md has `tests`"),
            ("what does the license say about warranty?", "no document here is called `license`"),
        ],
    );
}

#[test]
fn a_section_is_asked_for_by_its_title() {
    let shown = "the section `Custom Key Handling` stands at docs/panels.rst:6-10";
    check(
        &library(),
        &[
            ("show the section \"Custom Key Handling\"", shown),
            ("show me the Custom Key Handling section", shown),
            ("where is the chapter 'custom key handling'?", shown),
            ("what does the section \"Custom Key Handling\" say?", shown),
            ("what does the section \"Panels\" say?", "the section `Panels` stands at docs/panels.rst:1-"),
        ],
    );
}

#[test]
fn documents_are_asked_for_what_they_speak_of() {
    check(
        &library(),
        &[
            (
                "does the documentation mention Windows?",
                "yes: 1 section of 1 document has `Windows`, first `Custom Key Handling` at docs/panels.rst:9",
            ),
            ("do the docs mention zeppelins?", "no: no section of the documents has `zeppelins`"),
            ("do the docs explain key handling?", "yes: 1 section of 1 document has `key handling`"),
            ("is Jupyter mentioned in the documentation?", "yes: 1 section of 1 document has `Jupyter`"),
            ("which docs talk about press?", "`press`: docs/panels.rst has it in its text"),
            ("which document covers debugging?", "`debugging`: docs/guide/debug.md has it in a title"),
            ("which section explains press?", "`press`: `Custom Key Handling` at docs/panels.rst:9 has it in its text"),
            ("where is press described?", "`press`: `Custom Key Handling` at docs/panels.rst:9"),
            ("where can I read about debugging?", "`debugging`: `Debugging Programs` at docs/guide/debug.md:1"),
            ("list the documents in docs/guide", "2 documents in docs/guide, first docs/guide/debug.md"),
            ("which documents are in docs?", "3 documents in docs"),
            ("what is described in docs/panels.rst?", "docs/panels.rst has 2 sections"),
            ("what is documented in docs/guide/start.md?", "docs/guide/start.md has 1 section"),
        ],
    );
}

/// A document is called by a noun: the one at the root is meant, and no translation or example.
#[test]
fn documents_at_the_root_are_meant_by_their_nouns() {
    let repo = TestRepo::new()
        .file("README.md", "# Shop\n\nSells things.\n\n## Installing\n\nRun pip.\n")
        .file("README.ja.md", "# Mise\n\nVouchers.\n")
        .file("examples/README.md", "# Examples\n\nThey use vouchers.\n")
        .file("CHANGES.md", "# Changes\n\n## Version 2\n\n- Vouchers expire.\n\n## Version 1\n\n- First.\n")
        .file("LICENSE.txt", "MIT License\n\nPermission is hereby granted.\n")
        .file(".github/AI_POLICY.md", "# Policy\n\nMind the license.\n")
        .file("pyproject.toml", "[project]\nname = \"shop\"\nlicense = \"MIT\"\n")
        .file("docs/vouchers.md", "# Custom vouchers\n\nDerive from `Voucher`.\n")
        .file("shop.py", "class Voucher:\n    def use(self):\n        return 1\n")
        .commit("first");
    check(
        &repo,
        &[
            ("open the changelog", "CHANGES.md has 3 sections"),
            ("show me the README", "README.md has 2 sections"),
            ("what is in the README?", "README.md has 2 sections"),
            ("is there a license file?", "yes: the license is in LICENSE.txt"),
            ("how do I test vouchers?", "`Custom vouchers` speaks of this (docs/vouchers.md:1)"),
            ("list the sections of the changelog", "CHANGES.md has 3 sections"),
            ("does the README mention vouchers?", "no: no section of README.md has `vouchers`"),
            ("list the documentation files", "7 documents in the repository"),
            ("which documentation files are there?", "7 documents in the repository"),
            (
                "what license does the project have?",
                "the license is in LICENSE.txt, which begins `MIT License`; pyproject.toml:3 says `license = \"MIT\"`",
            ),
            ("where in the docs are vouchers explained?", "`vouchers`: `Custom vouchers` at docs/vouchers.md:1"),
            ("do the docs mention shop.Voucher?", "yes: 1 section of 1 document has `Voucher`"),
        ],
    );
}
