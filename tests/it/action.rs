//! The script behind the GitHub Action, with a `gh` that writes down how it was called.

#![cfg(unix)]

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use expect_test::expect;

use crate::harness::{Run, TestRepo, package_path, package_text};

const CART: &str = "class Cart:\n    def grant(self, discount):\n        return discount\n";
const BROKEN: &str = "class Cart:\n    def grant(self, discount, until):\n        return discount, until\n";

/// `main` with a call of `Cart.grant`, and `topic`, which HEAD is on.
fn project(topic: &str) -> TestRepo {
    let repo = TestRepo::new()
        .file("cart.py", CART)
        .file("app.py", "from cart import Cart\n\n\ndef fill(cart: Cart):\n    return cart.grant(1)\n")
        .file(
            "tests/test_app.py",
            "from app import fill\nfrom cart import Cart\n\n\ndef test_fill():\n    assert fill(Cart())\n",
        )
        .commit("first");
    repo.git(["checkout", "--quiet", "-b", "topic"]);
    repo.write("cart.py", topic);
    repo.save("topic");
    repo
}

/// One run of the action in a checkout.
struct Action<'r> {
    repo: &'r TestRepo,
    folder: tempfile::TempDir,
    variables: Vec<(&'static str, String)>,
}

impl<'r> Action<'r> {
    /// A pull request from `topic` into `main` of the same repository.
    fn of(repo: &'r TestRepo) -> Self {
        let commit = |name: &str| repo.git(["rev-parse", name]).trim().to_owned();
        let variables = vec![
            ("EVENT_BASE", commit("main")),
            ("EVENT_HEAD", commit("topic")),
            ("EVENT_HEAD_REPOSITORY", "ann/shop".to_owned()),
            ("EVENT_NUMBER", "7".to_owned()),
        ];
        let action = Self { repo, folder: tempfile::tempdir().expect("a temporary folder"), variables };
        action.gh("[ \"$2\" != --paginate ] || exit 0");
        action
    }

    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    /// A `gh` that writes down its arguments and the body, and then runs `rest`.
    fn gh(&self, rest: &str) {
        let file = self.place("bin/gh");
        fs::create_dir_all(file.parent().expect("it has one")).expect("the folder is writable");
        let log = self.place("gh");
        let log = log.display();
        let text = format!(
            "#!/bin/sh\nfor word; do case $word in body=@*) echo \"body: $(sed -n 2p \"${{word#body=@}}\")\" >>{log};; \
             *) printf '%s ' \"$word\" >>{log};; esac; done\necho >>{log}\n{rest}\n"
        );
        fs::write(&file, text).expect("the folder is writable");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }

    fn place(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.place(name)).unwrap_or_default()
    }

    fn run(&self) -> Run {
        let mut command = self.repo.command("sh");
        let path = std::env::var("PATH").expect("there is a PATH");
        command
            .arg(package_path("packaging/action.sh"))
            .env("PATH", format!("{}:{path}", self.place("bin").display()))
            .env("REPOIDX", env!("CARGO_BIN_EXE_repoidx"))
            .env("GITHUB_REPOSITORY", "ann/shop")
            .env("GITHUB_OUTPUT", self.place("output"))
            .env("GITHUB_STEP_SUMMARY", self.place("summary"))
            .env("RUNNER_TEMP", self.folder.path());
        for (name, value) in &self.variables {
            command.env(name, value);
        }
        Run::of(command.output().expect("sh runs"))
    }

    /// An output of the step.
    fn output(&self, name: &str) -> Option<String> {
        let text = self.read("output");
        text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('=')).map(str::to_owned)
    }
}

#[test]
fn a_pull_request_that_breaks_something_gets_one_comment_that_is_kept_up_to_date() {
    let repo = project(BROKEN);
    let action = Action::of(&repo);
    let run = action.run().code(0);
    expect![[r#"
        api --paginate repos/ann/shop/issues/7/comments --jq .[] | select(.user.type == "Bot" and (.body | startswith("<!-- repoidx:review -->"))) | .id 
        api --method POST repos/ann/shop/issues/7/comments -F body: ### 1 place breaks

    "#]].assert_eq(&action.read("gh"));
    assert!(!run.stdout.contains("::error"), "the comment says it: {}", run.stdout);
    assert!(action.read("summary").contains("1 place breaks"));
    assert_eq!(action.output("breaks").as_deref(), Some("1"));
    assert!(action.read("output").contains("\ntests/test_app.py::test_fill\n"), "{}", action.read("output"));

    fs::remove_file(action.place("gh")).expect("it was written");
    action.gh("[ \"$2\" != --paginate ] || echo 42");
    action.run().code(0);
    expect![[r#"
        api --paginate repos/ann/shop/issues/7/comments --jq .[] | select(.user.type == "Bot" and (.body | startswith("<!-- repoidx:review -->"))) | .id 
        api --method PATCH repos/ann/shop/issues/comments/42 -F body: ### 1 place breaks

    "#]].assert_eq(&action.read("gh"));
}

#[test]
fn nothing_is_written_where_nothing_breaks_but_an_old_comment_is_corrected() {
    let repo = project("class Cart:\n    def grant(self, discount, until=0):\n        return discount, until\n");
    let action = Action::of(&repo);
    action.run().code(0);
    let asked = action.read("gh");
    assert!(asked.contains("--paginate") && !asked.contains("POST"), "{asked}");
    assert!(action.read("summary").contains("Nothing is known to break"));
    action.gh("[ \"$2\" != --paginate ] || echo 42");
    action.run().code(0);
    assert!(action.read("gh").contains("PATCH") && action.read("gh").contains("Nothing is known to break"));
}

#[test]
fn a_fork_and_a_token_that_may_only_read_get_annotations() {
    let repo = project(BROKEN);
    let fork = Action::of(&repo).with("EVENT_HEAD_REPOSITORY", "bob/shop");
    let run = fork.run().code(0);
    assert!(run.stdout.contains("::error file=app.py,line=5,"), "{}", run.stdout);
    assert_eq!(fork.read("gh"), "", "nobody was asked");
    let refused = Action::of(&repo);
    refused.gh("exit 1");
    let run = refused.run().code(0);
    assert!(
        run.stdout.contains("pull-requests: write") && run.stdout.contains("::error file=app.py"),
        "{}",
        run.stdout
    );
}

#[test]
fn the_gate_is_an_output_so_that_the_findings_are_uploaded_first() {
    let repo = project(BROKEN);
    let action = Action::of(&repo).with("INPUT_FAIL_ON", "breaks");
    action.run().code(0);
    assert_eq!(action.output("gate").as_deref(), Some("failed"));
    let sarif = fs::read_to_string(action.output("sarif-file").expect("it is told")).expect("it is written");
    assert!(sarif.contains("\"ruleId\":\"breaks\""), "{sarif}");
    let mistaken = Action::of(&repo).with("INPUT_RANGE", "nowhere..HEAD");
    assert!(mistaken.run().code(1).stdout.contains("::error title=repoidx::error: "));
}

#[test]
fn a_checkout_of_depth_one_fetches_what_it_lacks() {
    let origin = project(BROKEN);
    // The host's merge of the pull request, as actions/checkout checks it out.
    origin.git(["checkout", "--quiet", "main"]);
    origin.write("other.py", "def other():\n    return 1\n");
    origin.save("main goes on");
    origin.git(["merge", "--quiet", "--no-edit", "topic"]);
    let source = format!("file://{}", origin.root().display());
    let shallow = |branch: &str| {
        let repo = TestRepo::without_git();
        repo.git(["clone", "--quiet", "--depth=1", "--branch", branch, &source, "."]);
        repo
    };
    let merged = shallow("main");
    let mut action = Action { repo: &merged, ..Action::of(&origin) };
    action.run().code(0);
    assert_eq!(action.output("breaks").as_deref(), Some("1"));
    // The head of the pull request, where the common ancestor is missing.
    let head = shallow("topic");
    let base = origin.git(["rev-parse", "main^1"]);
    action = Action { repo: &head, ..Action::of(&origin) }.with("EVENT_BASE", base.trim());
    action.run().code(0);
    assert_eq!(action.output("breaks").as_deref(), Some("1"));
    let lost = shallow("topic");
    lost.git(["remote", "set-url", "origin", "file:///nowhere"]);
    action = Action { repo: &lost, ..Action::of(&origin) };
    assert!(action.run().code(1).stdout.contains("fetch-depth: 0"));
}

#[test]
fn every_input_of_the_script_is_given_by_the_action() {
    let action = package_text("action.yml");
    let script = package_text("packaging/action.sh");
    for name in ["REPOIDX", "INPUT_RANGE", "INPUT_FAIL_ON", "INPUT_COMMENT", "EVENT_BASE", "EVENT_HEAD", "EVENT_NUMBER"]
    {
        assert!(action.contains(&format!("{name}: ")) && script.contains(name), "{name}");
    }
    let version = env!("CARGO_PKG_VERSION");
    assert!(action.contains(&format!("${{VERSION:-{version}}}")), "action.yml installs another version than {version}");
}
