//! The first minute: `repoidx` alone, `init` and its undoing, `help`.

use expect_test::expect;

use crate::harness::{Run, TestRepo, package_files, package_text};

fn sample() -> TestRepo {
    let repo = TestRepo::new();
    for path in package_files("fixtures/sample/").into_iter().filter(|path| !path.ends_with("demo.sh")) {
        repo.write(path.trim_start_matches("fixtures/sample/"), package_text(&path));
    }
    repo.commit("A small shop")
}

/// The output without the place of the repository and without times.
fn shown(repo: &TestRepo, text: &str) -> String {
    let text =
        text.replace(&repo.root().display().to_string(), "REPO").replace(&repoidx::index::edition::name(), "EDITION");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_repoidx")).display().to_string();
    let text = text.replace(&program, "PROGRAM");
    let is_time = |c: char| c.is_ascii_digit() || c == '.';
    let lines = text.lines().map(|line| match line.split_once(" definitions in ") {
        Some((before, after)) => format!("{before} definitions in TIME{}", after.trim_start_matches(is_time)),
        None => line.to_owned(),
    });
    lines.map(|line| line + "\n").collect()
}

/// Every file below `.git/hooks` and `.git/repoidx`.
fn files(repo: &TestRepo) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![repo.root().join(".git/hooks"), repo.root().join(".git/repoidx")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { found.push(path.display().to_string()) }
        }
    }
    found.sort();
    found
}

#[test]
fn init_builds_the_index_and_names_three_commands_for_this_repository() {
    let repo = sample();
    let run = repo.run(["init"]).code(0);
    expect![[r#"
        indexed 14 files with 91 definitions in TIME s: REPO/.git/repoidx/EDITION/index.db
        no hooks: the first query after a change takes a little longer (`repoidx install-hooks`)

        try
          repoidx impact format_price           what breaks if it changes
          repoidx review --worktree             what your uncommitted edits break, and the tests to run
          repoidx ask "who uses format_price?"  an answer with its sources
    "#]]
    .assert_eq(&shown(&repo, &format!("{}{}", run.stderr, run.stdout)));
    for line in run.stdout.lines().filter_map(|line| line.trim().strip_prefix("repoidx ")) {
        let command = line.split("  ").next().expect("a command");
        let run = repo.run(words(command));
        assert_eq!(run.code, 0, "{command}: {}", run.stderr);
    }
}

/// The words of a command; those in quotes belong together.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('"').enumerate();
    parts
        .flat_map(|(at, part)| match at % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

#[test]
fn undo_leaves_the_git_directory_as_it_was() {
    let repo = sample();
    repo.write(".git/hooks/post-commit", "#!/bin/sh\necho theirs\n");
    let before = files(&repo);
    let hook = std::fs::read_to_string(repo.root().join(".git/hooks/post-commit")).expect("it is there");
    repo.run(["init", "--hooks", "--pre-push"]).code(0);
    assert!(files(&repo).len() > before.len() + 5);
    let run = repo.run(["init", "--undo"]).code(0);
    assert!(run.stderr.contains("removed "), "{}", run.stderr);
    assert_eq!(files(&repo), before);
    assert_eq!(std::fs::read_to_string(repo.root().join(".git/hooks/post-commit")).expect("it is back"), hook);
    let again = repo.run(["init", "--undo"]).code(0);
    assert_eq!(again.stderr, "there is nothing of repoidx in this repository\n");
}

/// Every file of the working tree with its text, and those of `.git` that repoidx could have written.
fn everything(repo: &TestRepo) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![repo.root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_git = path.ends_with(".git/objects") || path.ends_with(".git/index");
            if path.is_dir() && !is_git {
                found.push((path.display().to_string(), Vec::new()));
                folders.push(path);
            } else if !is_git {
                let bytes = std::fs::read(&path).expect("it was listed");
                found.push((path.display().to_string(), bytes));
            }
        }
    }
    found.sort();
    found
}

fn read(repo: &TestRepo, path: &str) -> String {
    std::fs::read_to_string(repo.root().join(path)).expect("it is there")
}

#[test]
fn agents_and_the_job_are_set_up_and_taken_out_to_the_byte() {
    let repo = sample();
    repo.write("CLAUDE.md", "Be brief.\n");
    repo.write(".cursor/mcp.json", "{\n  // ours\n  \"mcpServers\": {\"other\": {\"command\": \"other\"}}\n}\n");
    repo.write(".github/CODEOWNERS", "* @ann\n");
    let before = everything(&repo);
    let run = repo.run(["init", "--no-hooks", "--yes"]).code(0);
    expect![[r#"
        indexed 14 files with 91 definitions in TIME s: REPO/.git/repoidx/EDITION/index.db
        claude-code, server: created .mcp.json
        claude-code, hook at the end of a turn: created .claude/settings.json
        claude-code, skill: created .claude/skills/repoidx/SKILL.md
        note: Claude Code asks once whether you trust the project's server
        cursor, server: added to .cursor/mcp.json
        cursor, hook at the end of a turn: created .cursor/hooks.json
        cursor, skill: created .cursor/skills/repoidx/SKILL.md
        note: enable the server in Cursor's settings, under MCP
        wrote .github/workflows/repoidx.yml: commit it, and the next pull request is reviewed
    "#]]
    .assert_eq(&shown(&repo, &run.stderr));
    let job = read(&repo, ".github/workflows/repoidx.yml");
    assert!(job.contains(&format!("repoidx=={}", env!("CARGO_PKG_VERSION"))), "{job}");
    let again = repo.run(["init", "--no-hooks", "--yes"]).code(0);
    assert_eq!(again.stderr.lines().count(), 1, "nothing is left to do: {}", again.stderr);
    repo.run(["init", "--undo"]).code(0);
    assert_eq!(everything(&repo), before);
}

#[test]
fn a_job_that_is_committed_or_changed_stays() {
    let repo = sample();
    repo.git(["remote", "add", "origin", "git@gitlab.example.com:ann/shop.git"]);
    assert!(repo.run(["init", "--ci"]).code(0).stderr.contains("include: [{ local: .gitlab/repoidx.yml }]"));
    repo.save("review merge requests");
    let run = repo.run(["init", "--undo"]).code(0);
    assert!(run.stderr.contains("`git rm .gitlab/repoidx.yml`"), "{}", run.stderr);
    repo.write(".gitlab/repoidx.yml", "repoidx: {}\n");
    assert!(repo.run(["init", "--undo"]).code(0).stderr.contains(".gitlab/repoidx.yml was changed by hand"));
    assert!(repo.run(["init", "--ci"]).code(0).stderr.contains("it stays as it is"));
    assert_eq!(read(&repo, ".gitlab/repoidx.yml"), "repoidx: {}\n");
    sample().run(["init", "--ci"]).code(2);
}

#[test]
fn flags_decide_where_nobody_can_be_asked() {
    let repo = sample();
    repo.run(["init"]).code(0);
    assert!(!repo.root().join(".git/hooks/post-commit").exists());
    repo.run(["init", "--hooks"]).code(0);
    assert!(repo.root().join(".git/hooks/post-commit").exists());
    assert!(!repo.root().join(".git/hooks/pre-push").exists());
    repo.run(["init", "--yes"]).code(0);
    assert!(repo.root().join(".git/hooks/pre-push").exists());
}

#[test]
fn the_program_alone_says_where_one_stands() {
    let repo = sample();
    expect![[r#"
        REPO
          index  no index yet: `repoidx init` makes one, any query too
          hooks  none; `repoidx install-hooks` keeps the index fresh after each git command

        `repoidx help` lists the commands, `repoidx help COMMAND` explains one
    "#]]
    .assert_eq(&shown(&repo, &repo.run::<&str>([]).code(0).stdout));
    assert!(files(&repo).iter().all(|file| !file.contains("repoidx/")), "looking changes nothing");
    repo.run(["init", "--hooks"]).code(0);
    expect![[r#"
        REPO
          index  14 files and 91 definitions indexed, up to date
          hooks  installed: they keep the index fresh

        try
          repoidx impact format_price           what breaks if it changes
          repoidx review --worktree             what your uncommitted edits break, and the tests to run
          repoidx ask "who uses format_price?"  an answer with its sources

        `repoidx help` lists the commands, `repoidx help COMMAND` explains one
    "#]]
    .assert_eq(&shown(&repo, &repo.run::<&str>([]).code(0).stdout));
    repo.write("src/shop/new.py", "def new():\n    return 1\n");
    assert!(repo.run::<&str>([]).code(0).stdout.contains("the next query looks at 1 changed file"));
    let outside = TestRepo::without_git();
    expect![[r#"
        repoidx answers "what breaks if I change this?" for Python repositories
        this folder is in no git repository: go to one, and run `repoidx init` there

        `repoidx help` lists the commands
    "#]]
    .assert_eq(&outside.run::<&str>([]).code(0).stdout);
}

#[test]
fn init_says_what_is_wrong_and_leaves_nothing_half_done() {
    let empty = TestRepo::new().file("README", "no code\n").commit("first");
    let refused = empty.run(["init", "--hooks"]).code(3);
    assert!(refused.stderr.contains("there is no Python file here to index"), "{}", refused.stderr);
    assert!(!empty.root().join(".git/hooks/post-commit").exists());
    let said = empty.run(["impact", "main"]).code(2).stderr;
    assert!(said.contains("there is no Python file here"), "{said}");
    TestRepo::without_git().run(["init"]).code(3).stderr(expect![[r#"
        error: this folder is in no git repository
        hint: go to a repository, or name one with --repo
    "#]]);
}

#[test]
fn a_repository_without_commits_can_be_asked() {
    let repo = TestRepo::new().file("a.py", "def f():\n    return 1\n\n\ndef g():\n    return f()\n");
    assert!(repo.run(["init"]).code(0).stdout.contains("repoidx impact f "));
}

#[test]
fn help_explains_a_command() {
    let repo = TestRepo::new();
    assert!(repo.run(["help"]).code(0).stdout.contains("impact"));
    let help = |words: &[&str]| -> Run { repo.run(words).code(0) };
    assert_eq!(help(&["help", "review"]).stdout, help(&["review", "--help"]).stdout);
    assert!(repo.run(["help", "nonsense"]).code(2).stderr.contains("unrecognized subcommand"));
}

/// The script prints what a newcomer sees, for a person to read; here it only has to reach its end.
#[cfg(unix)]
#[test]
fn a_newcomer_gets_through_every_kind_of_repository() {
    let repo = TestRepo::without_git();
    let mut command = repo.command("sh");
    let output = command.arg(crate::harness::package_path("packaging/newcomer.sh")).arg(env!("CARGO_BIN_EXE_repoidx"));
    let run = Run::of(output.output().expect("there is a shell"));
    let end: Vec<&str> = run.stdout.lines().rev().take(12).collect();
    assert_eq!(run.code, 0, "{}\n{end:#?}", run.stderr);
    assert_eq!(end.first(), Some(&"the newcomer is content"));
}

#[test]
fn before_the_first_commit_no_review_is_proposed() {
    let repo = TestRepo::new().file("a.py", "def f():\n    return 1\n\n\ndef g():\n    return f()\n");
    for arguments in [&["init"][..], &[]] {
        let said = repo.run(arguments).code(0).stdout;
        assert!(said.contains("repoidx impact f") && !said.contains("repoidx review"), "{said}");
    }
}
