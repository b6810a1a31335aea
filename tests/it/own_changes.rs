//! Questions about the user's own change are answered by its review, in every state of the repository.

use crate::harness::TestRepo;

/// A shop whose first commit was pushed to `origin`.
pub(crate) fn shop() -> TestRepo {
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file("shop.py", "def total(items):\n    return sum(items)\n\n\ndef push(order):\n    return total(order)\n")
        .file("app.py", "from shop import total\n\n\ndef main():\n    return total([1])\n")
        .file("tests/test_app.py", "from app import main\n\n\ndef test_main():\n    assert main() == 1\n")
        .commit("first");
    repo.git(["init", "--quiet", "--bare", "../remote.git"]);
    repo.begin_main("../remote.git");
    repo.git(["remote", "add", "origin", "../remote.git"]);
    repo.git(["push", "--quiet", "--set-upstream", "origin", "main"]);
    repo
}

/// Renames `total`, which `push` and `main` call.
pub(crate) fn rename_total(repo: &TestRepo) {
    repo.write("shop.py", "def sum_of(items):\n    return sum(items)\n\n\ndef push(order):\n    return total(order)\n");
}

/// The first paragraph of an answer, in one line.
fn ask(repo: &TestRepo, question: &str) -> String {
    let text = repo.run(["ask", question]).code(0).stdout;
    text.lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Checks that each answer begins with some words and has others.
pub(crate) fn check(repo: &TestRepo, answers: &[(&str, &str, &str)]) {
    for (question, begin, part) in answers {
        let text = ask(repo, question);
        assert!(text.starts_with(begin) && text.contains(part), "{question}\n{text}");
    }
}

#[test]
fn what_is_not_committed_is_reviewed() {
    let repo = shop();
    rename_total(&repo);
    let command = "= repoidx review --worktree";
    let breaks =
        "2 places break because of the uncommitted changes: 1 changed definition in 1 file, 1 test file to run";
    let yes = &format!("yes: {breaks}");
    let no = &format!("no: {breaks}");
    check(
        &repo,
        &[
            ("what do my changes break?", breaks, command),
            ("what breaks because of my changes?", breaks, command),
            ("did I break anything?", yes, command),
            ("do my changes break something", yes, command),
            ("is this change safe?", no, command),
            ("is it ok to commit this?", no, command),
            ("review the diff", breaks, command),
            ("what do my uncommitted changes break", breaks, command),
            (
                "which tests should I run for my changes?",
                "1 test file to run for the uncommitted changes: 1 changed definition in 1 file; 2 places break",
                "= repoidx review --worktree --tests",
            ),
            ("which tests should I run?", "1 test file to run for the uncommitted changes", "--tests"),
            ("what did I change?", "1 definition changed in 1 file by the uncommitted changes (`shop.total`)", command),
            ("which functions did I modify", "1 function changed by the uncommitted changes (`shop.total`)", command),
            ("which files did I change?", "1 file changed by the uncommitted changes (shop.py)", command),
            ("summarize my changes", "1 definition changed in 1 file by the uncommitted changes", command),
            (
                "is it safe to push?",
                "no commit is to be pushed: origin/main has all of HEAD",
                "1 file is not committed yet",
            ),
            (
                "which tests are affected by my staged changes?",
                "no staged Python file differs from HEAD",
                "--staged --tests",
            ),
        ],
    );
    let text = repo.run(["ask", "what do my changes break and which tests should I run?"]).code(0).stdout;
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}\n{text}"));
    assert!(at("places that break (2)") < at("tests to run, the most endangered first (1)"), "{text}");
    assert!(at("app.py:1") < at("shop.py:6") && !text.contains("of a library"), "{text}");
    let plan = repo.run(["ask", "--plan", "did I break anything?"]).code(0).stdout;
    assert!(plan.contains("intent      impact") && !plan.contains("subject  "), "{plan}");
}

#[test]
fn staged_changes_and_commits_are_reviewed_by_name() {
    let repo = shop();
    rename_total(&repo);
    repo.git(["add", "--all"]);
    check(
        &repo,
        &[
            (
                "which tests are affected by my staged changes?",
                "1 test file to run for the staged changes",
                "--staged --tests",
            ),
            ("can I commit?", "no: 2 places break because of the staged changes", "= repoidx review --staged"),
        ],
    );
    repo.save("rename total");
    let pushed = "2 places break because of the commit to be pushed (origin/main..HEAD";
    check(
        &repo,
        &[
            ("what do my changes break?", pushed, "as no Python file differs from HEAD"),
            ("is it safe to push?", &format!("no: {pushed}"), "= repoidx review"),
            ("what would break if I pushed now?", pushed, "1 changed definition"),
            ("what does my branch break?", pushed, "= repoidx review"),
            ("what does the last commit break?", "2 places break because of the last commit (", "HEAD~1..HEAD"),
            ("what did the last commit change?", "1 definition changed in 1 file by the last commit (", "rename total"),
            ("what does HEAD~1..HEAD break?", "2 places break because of the last commit (", "HEAD~1..HEAD"),
            ("what breaks since HEAD~1?", "2 places break because of the commit (", "repoidx review"),
        ],
    );
}

/// Without a difference nothing is claimed but that, and without an upstream the answer says what is missing.
#[test]
fn a_clean_repository_and_one_without_an_upstream_say_so() {
    let repo = shop();
    let clean = "no Python file differs from HEAD, and no commit is to be pushed";
    check(
        &repo,
        &[
            ("did I break anything?", clean, "= repoidx review --worktree"),
            ("which tests should I run?", clean, ""),
            ("summarize my changes", clean, ""),
            ("what does the last commit break?", "the last commit cannot be reviewed:", "= git log --oneline"),
        ],
    );
    let alone = TestRepo::new().file("a.py", "def f():\n    pass\n").commit("first");
    alone.git(["checkout", "--quiet", "-b", "feature"]);
    alone.git(["branch", "--quiet", "-D", "main"]);
    let missing = "HEAD has no upstream branch, and no default branch to compare with was found";
    check(
        &alone,
        &[
            ("is it safe to push?", "the commits to be pushed are not known:", missing),
            (
                "did I break anything?",
                "no Python file differs from HEAD, and the commits to be pushed are not known:",
                missing,
            ),
        ],
    );
}

/// A question that names a definition is about that, also where it is called like a word of git.
#[test]
fn a_named_definition_is_no_change() {
    let repo = shop();
    rename_total(&repo);
    check(
        &repo,
        &[
            ("who calls push?", "nothing", "push"),
            ("what breaks if I change main?", "", "main"),
            ("is push tested?", "no", "push"),
        ],
    );
    let own = ask(&repo, "what do my changes to main break?");
    assert!(own.starts_with("main has no definition that is changed by the uncommitted changes"), "{own}");
}

/// The change is named in many ways: by a branch, by two states, as commits or as signatures.
#[test]
fn a_change_is_told_by_its_branch_its_states_and_its_kind() {
    let repo = shop();
    check(
        &repo,
        &[
            ("are there uncommitted changes?", "no: ", "= repoidx review --worktree"),
            ("do I have unpushed commits?", "no: no commit is to be pushed", "= repoidx review"),
        ],
    );
    repo.write("shop.py", "def total(items, start=0):\n    return sum(items, start)\n\n\ndef push(order):\n    return total(list(order))\n");
    check(
        &repo,
        &[
            ("are there any uncommitted changes?", "yes: 1 file is not committed; 2 definitions changed", "worktree"),
            ("list the modified functions", "2 functions changed by the uncommitted changes", "`shop.push`"),
            ("which signatures did I change?", "1 signature changed by the uncommitted changes (`shop.total`)", ""),
            ("what have I changed since HEAD?", "2 definitions changed in 1 file by the uncommitted changes", ""),
            ("what do I have to test now?", "1 test to run for the uncommitted changes", "--tests"),
            ("which callers must I adapt?", "nothing is known to break because of the uncommitted changes", ""),
        ],
    );
    repo.save("sum from a start");
    let one = "2 definitions changed in 1 file by the commit (";
    check(
        &repo,
        &[
            ("are there unpushed commits?", "yes: 1 commit is to be pushed; 2 definitions changed", ""),
            ("what is different from origin/main?", one, "sum from a start"),
            ("diff against origin/main", one, "= repoidx review origin/main"),
            ("what has changed since origin/main?", one, "= repoidx review origin/main"),
            ("what changed compared to origin/main?", one, ""),
            ("what has changed since HEAD~1?", one, "= repoidx review HEAD~1"),
            ("what changed between HEAD~1 and HEAD?", "2 definitions changed in 1 file by the last commit (", ""),
            ("what did I just commit?", "2 definitions changed in 1 file by the last commit (", "sum from a start"),
            ("show the last commit", "2 definitions changed in 1 file by the last commit (", "sum from a start"),
            (
                "which signatures changed in the last commit?",
                "1 signature changed by the last commit (",
                "`shop.total`",
            ),
            ("did the last commit change any signature?", "yes: 1 signature changed by the last commit (", ""),
            ("run a pre-push check", "nothing is known to break because of the commit to be pushed", ""),
        ],
    );
}

/// A file, a definition, tests or a kind of edit limits the answer to a part of the change.
#[test]
fn a_part_of_a_change_is_told_alone() {
    let repo = shop();
    repo.write("shop.py", "def total(items, start=0):\n    return sum(items, start)\n\n\ndef push(order):\n    return total(order)\n\n\ndef pull():\n    return 1\n");
    repo.write("README.md", "A shop.\n");
    let signature = "yes: the signature of `shop.total` is changed by the uncommitted changes: takes `start` now";
    check(
        &repo,
        &[
            (
                "what did I change in shop.py?",
                "2 definitions changed in shop.py by the uncommitted changes",
                "`shop.pull`",
            ),
            ("which functions have I changed in shop.py", "2 functions changed in shop.py by", "worktree"),
            (
                "what did I change in app.py?",
                "nothing: no definition in app.py is changed by",
                "2 definitions elsewhere",
            ),
            ("did I change app.py?", "no: no definition in app.py is changed by the uncommitted changes", ""),
            ("is shop.py modified?", "yes: 2 definitions changed in shop.py by the uncommitted changes", ""),
            ("what did I change in README.md?", "README.md is changed by the uncommitted changes", ""),
            ("did I change total?", "yes: `shop.total` is changed by the uncommitted changes: takes `start` now", ""),
            ("has total changed?", "yes: `shop.total` is changed by the uncommitted changes", ""),
            ("is main changed?", "no: `main` is not changed by the uncommitted changes", "2 definitions elsewhere"),
            ("did I change the signature of total?", signature, ""),
            ("did I change the signature of push?", "no: the signature of `push` is not changed by", ""),
            ("did I add any functions?", "yes: 1 function added by the uncommitted changes (`shop.pull`)", ""),
            ("did I remove anything?", "no: no definition is removed by the uncommitted changes", ""),
            ("did I change any public API?", "yes: 2 public definitions changed by the uncommitted changes", ""),
            ("did I add a parameter?", "yes: parameters of 1 definition are added by the uncommitted changes", "total"),
            ("did I remove a parameter?", "no: no parameter is removed by the uncommitted changes", ""),
            ("did I change any docstrings?", "no: no docstring is changed by the uncommitted changes", ""),
            ("what did I change outside of tests?", "2 definitions changed outside of tests by the uncommitted", ""),
            ("did I edit the README?", "yes: README.md is changed by the uncommitted changes", ""),
            ("which files did I change?", "2 files changed by the uncommitted changes (README.md and shop.py)", ""),
            ("did I touch any tests?", "no: no test definition is changed by the uncommitted changes", ""),
            ("what did I change in shop.py since HEAD?", "2 definitions changed in shop.py by the uncommitted", ""),
            ("which tests did I change?", "none: no test definition is changed by the uncommitted changes", ""),
        ],
    );
    repo.git(["add", "shop.py"]);
    check(
        &repo,
        &[
            ("do I have unstaged changes?", "yes: 1 file is not staged", ""),
            (
                "list the unstaged changes",
                "no Python file differs from git's index: none is unstaged; 1 other file differs (README.md)",
                "",
            ),
            ("is app.py changed in the last commit?", "", "last commit"),
        ],
    );
}

/// Whether there is a change is answered with yes or no, also where there is no commit yet.
#[test]
fn whether_something_is_staged_or_clean_is_told_first() {
    let repo = shop();
    check(
        &repo,
        &[
            ("is my working tree clean?", "yes: no Python file differs from HEAD", "worktree"),
            ("did I commit everything?", "yes: no Python file differs from HEAD", ""),
            ("is anything staged?", "no: no staged Python file differs from HEAD", "--staged"),
        ],
    );
    rename_total(&repo);
    repo.write("notes.txt", "later\n");
    check(
        &repo,
        &[
            ("is the working tree clean?", "no: 2 files are not committed; 1 definition changed", ""),
            ("is my working directory dirty?", "yes: 2 files are not committed", ""),
            ("is anything staged?", "no: no staged Python file differs from HEAD", ""),
            ("do I break any callers?", "yes: 2 places break because of the uncommitted changes", ""),
            ("what should I test after my change?", "1 test file to run for the uncommitted changes", "--tests"),
            (
                "which tests should I run before I push?",
                "1 test file to run for the uncommitted changes, as no commit is to be pushed",
                "--tests",
            ),
            (
                "compare my changes with main",
                "1 definition changed in 1 file by the uncommitted changes, as no commit is on top of main",
                "`shop.total`",
            ),
        ],
    );
    repo.git(["add", "shop.py"]);
    check(&repo, &[("is something staged?", "yes: 1 file is staged; 1 definition changed", "`shop.total`")]);
    let new = TestRepo::new().file("a.py", "def f():\n    pass\n");
    new.git(["add", "a.py"]);
    check(
        &new,
        &[
            ("is anything staged?", "yes: 1 file is staged; there is no commit yet to compare with", ""),
            ("is my working tree clean?", "no: 1 file is not committed; there is no commit yet", ""),
        ],
    );
}

/// A name in the question is judged against the change: it is changed, it breaks, or it reaches what is changed.
#[test]
fn a_name_is_judged_against_the_change() {
    let repo = shop();
    repo.write("alone.py", "def lonely():\n    return 1\n");
    repo.save("alone");
    repo.git(["push", "--quiet"]);
    let clean = "no: no Python file differs from HEAD, and no commit is to be pushed";
    check(&repo, &[("does my change affect app.main?", clean, ""), ("is main affected by my changes?", clean, "")]);
    repo.write(
        "shop.py",
        "def total(items):\n    return sum(items) + 1\n\n\ndef push(order):\n    return total(order)\n",
    );
    let reaches = "yes: `main` reaches `shop.total` (app.py:5), because of the uncommitted changes";
    check(
        &repo,
        &[
            ("does my change affect app.main?", reaches, ""),
            ("is `main` affected by my changes?", reaches, ""),
            (
                "do my changes break main()?",
                "no: no place in `main` is known to break, but it may behave",
                "shop.total",
            ),
            ("do my changes touch main?", "no: `main` is not changed itself, but `main` reaches `shop.total`", ""),
            ("does my change affect total?", "yes: `total` is changed itself by the uncommitted changes: body", ""),
            ("does my change affect lonely?", "no: nothing leads from `lonely` to `shop.total`, the only", ""),
            ("are all callers of lonely updated?", "yes: `lonely` is not changed by the uncommitted changes", ""),
            ("which modules are affected by my changes?", "2 modules outside of tests are affected by", "`app`"),
            ("who calls the functions I changed?", "2 places call `shop.total`, which is changed by", ""),
        ],
    );
    rename_total(&repo);
    check(
        &repo,
        &[
            ("does my change affect app.main?", "yes: the module of `main` breaks because of the uncommitted", "shop"),
            ("are all callers of total updated?", "no: 2 places do not fit `shop.total`, which is changed by", ""),
            ("did I miss a caller of total?", "yes: 2 places do not fit `shop.total`", ""),
            (
                "who still calls total?",
                "2 places still use `shop.total`, first app.py:1; it is renamed to `shop.sum_of`",
                "",
            ),
            ("what breaks because of the renamed functions?", "2 places break because of `shop.total`", ""),
            ("did I break any tests?", "", "1 test file to run"),
        ],
    );
}

/// Removed definitions and files are told with what still uses them, and a question for yes or no is answered so.
#[test]
fn what_uses_removed_definitions_is_told() {
    let repo = shop();
    repo.write("alone.py", "def lonely():\n    return 1\n");
    repo.save("alone");
    repo.write("alone.py", "");
    let unused = "no: nothing is known that uses `alone.lonely`, which is removed by the uncommitted changes";
    check(&repo, &[("does anyone use the function I deleted?", unused, "")]);
    repo.git(["rm", "--quiet", "shop.py"]);
    check(
        &repo,
        &[
            ("who imports the module I deleted?", "1 place imports `shop`, which is removed by", ""),
            ("what breaks because of the deleted files?", "1 place breaks because of `shop`, which is removed", ""),
            ("did I delete a file?", "yes: 1 file removed by the uncommitted changes (shop.py)", ""),
            ("did I move a file?", "no: no file is renamed or moved by the uncommitted changes", ""),
        ],
    );
}

/// The branch, its commits, the stash and the size of a change are known to git alone.
#[test]
fn git_tells_the_branch_and_its_commits() {
    let repo = shop();
    let same = "the current branch is `main`; it has the same commits as origin/main";
    check(
        &repo,
        &[
            ("what's my current branch?", same, ""),
            ("is my branch up to date?", &format!("yes: {same}"), ""),
            ("is there anything stashed?", "no: nothing is stashed", ""),
            ("are there untracked files?", "no: no file is untracked", ""),
            ("which commits will I push?", "no commit is to be pushed: origin/main has all of HEAD", ""),
        ],
    );
    rename_total(&repo);
    check(
        &repo,
        &[
            ("how big is my change?", "1 line added and 1 removed in 1 file by the uncommitted changes", ""),
            ("did I change anything since my last commit?", "yes: 1 definition changed in 1 file by the unc", ""),
        ],
    );
    repo.save("rename total");
    let differs = "1 definition changed in 1 file by the commit (";
    check(
        &repo,
        &[
            ("what did I commit on this branch?", "the current branch is `main`; 1 commit", "rename total"),
            ("how many commits am I ahead?", "1 commit is on top of origin/main: ", "rename total"),
            ("what differs between this branch and origin/main?", differs, "`shop.total`"),
            ("diff between HEAD and origin/main", differs, "`shop.total`"),
            ("what changed in my last commit?", "1 definition changed in 1 file by the last commit (", ""),
            ("did I change anything since my last commit?", "no: no Python file differs from HEAD", ""),
        ],
    );
}

/// The unstaged part of a change is reviewed by itself, against git's index.
#[test]
fn unstaged_changes_are_compared_with_the_index() {
    let repo = shop();
    repo.write("app.py", "from shop import total\n\n\ndef main():\n    return total([1]) + 1\n");
    repo.git(["add", "app.py"]);
    rename_total(&repo);
    check(
        &repo,
        &[
            ("what do my unstaged changes break?", "2 places break because of the unstaged changes", ""),
            ("which tests should I run for the unstaged changes?", "1 test file to run for the unstaged changes", ""),
            ("what do my staged changes break?", "nothing is known to break because of the staged changes", ""),
            ("what did I leave unstaged?", "1 definition changed in 1 file by the unstaged changes (`shop.total`)", ""),
        ],
    );
}

#[test]
fn a_deleted_file_is_found_in_the_change() {
    let repo = shop();
    repo.git(["rm", "--quiet", "shop.py"]);
    check(
        &repo,
        &[
            (
                "what happened to shop.py?",
                "shop.py is removed by the uncommitted changes; 1 place still uses it",
                "app.py:1",
            ),
            ("who imports shop?", "1 place still imports `shop`, first app.py:1; it is removed by", ""),
            ("what did I break by deleting shop.py?", "1 place breaks because shop.py is removed by", "app.py:1"),
            ("is shop.py gone?", "yes: shop.py is removed", ""),
            ("did I rename shop.py?", "no: shop.py is removed", ""),
            (
                "who uses total?",
                "2 places still use `shop.total`, first app.py:1; it was in `shop`, which is removed",
                "",
            ),
            ("does total still exist?", "no: `shop.total` was in `shop`, which is removed by", ""),
            (
                "which functions are gone?",
                "2 functions removed by the uncommitted changes (`shop.total` and `shop.push`)",
                "",
            ),
            ("list deleted files", "1 file removed by the uncommitted changes (shop.py)", ""),
            ("what do my deletions break?", "1 place breaks because of `shop`, which is removed by", ""),
            ("who deleted shop.py?", "no commit has this yet: shop.py is removed", ""),
            ("is the deletion of shop.py staged?", "yes: that shop.py was removed is staged", ""),
        ],
    );
}

#[test]
fn an_old_name_is_found_in_the_change() {
    let repo = shop();
    rename_total(&repo);
    check(
        &repo,
        &[
            (
                "what is total called now?",
                "`shop.total` is renamed to `shop.sum_of` (shop.py) by",
                "2 places still use it",
            ),
            (
                "who still calls total?",
                "2 places still use `shop.total`, first app.py:1; it is renamed to `shop.sum_of`",
                "",
            ),
            ("was total renamed?", "yes: `shop.total` is renamed", ""),
            ("is my rename safe?", "no: 2 places break because of `shop.total`, which is renamed", ""),
            ("did I update all callers of the renamed functions?", "no: 2 places break because of", ""),
            ("which callers did I miss after the rename?", "2 places break because of", ""),
        ],
    );
    repo.git(["add", "--all"]);
    repo.save("rename total");
    check(
        &repo,
        &[
            ("did the branch rename any functions?", "yes: 1 function renamed or moved by the commit to be pushed", ""),
            ("which commit renamed total?", "", "rename total: `shop.total` is renamed to"),
            ("what happened to total?", "`shop.total` is renamed to `shop.sum_of` (shop.py) by the commit to be", ""),
        ],
    );
}

#[test]
fn the_change_is_asked_for_in_many_words() {
    let repo = shop();
    rename_total(&repo);
    repo.git(["add", "--all"]);
    repo.write("notes.md", "# Notes\n");
    check(
        &repo,
        &[
            ("list my modified files", "2 files changed by the uncommitted changes (notes.md and shop.py)", ""),
            ("which docs did I change?", "1 document changed by the uncommitted changes (notes.md)", ""),
            ("what is modified?", "1 definition changed in 1 file by the uncommitted changes", ""),
            (
                "what changed in shop.py?",
                "1 definition changed in shop.py by the uncommitted changes (`shop.total`)",
                "",
            ),
            ("how many files are staged?", "1 file changed by the staged changes (shop.py)", ""),
            ("is everything staged?", "no: 1 changed file is not staged (notes.md)", ""),
            ("is notes.md tracked?", "no: notes.md is untracked", ""),
            ("which files must I fix?", "2 files break (app.py and shop.py); 2 places break because of", ""),
            ("do I need to run the tests?", "yes: 1 test file to run for the uncommitted changes", ""),
            ("which tests are worth running?", "1 test file to run for the uncommitted changes", "--tests"),
            ("what does my change to shop.py break?", "2 places break because of the changes of shop.py by", ""),
            ("which modules use what I changed?", "2 modules use `shop.total`, which is changed by", ""),
            ("write a commit message", "1 definition changed in 1 file by the staged changes", ""),
            ("does my branch conflict with origin/main?", "no: no file is changed on both sides", ""),
        ],
    );
}

#[test]
fn a_stash_is_reviewed_like_a_commit() {
    let repo = shop();
    check(&repo, &[("what breaks if I apply my stash?", "nothing is stashed", "")]);
    rename_total(&repo);
    repo.git(["stash", "--quiet"]);
    check(
        &repo,
        &[
            ("what breaks if I apply my stash?", "2 places break because of the stash (", ""),
            ("which tests should I run for the stashed change?", "1 test file to run for the stash (", ""),
            ("which functions does the stash touch?", "1 function changed by the stash (", "`shop.total`"),
            ("is it safe to pop my stash?", "no: 2 places break because of the stash (", ""),
            ("is anything stashed?", "yes: 1 change is stashed", ""),
        ],
    );
}

#[test]
fn added_tests_are_judged_against_the_rest_of_the_change() {
    let repo = shop();
    check(&repo, &[("does my new test cover what I changed?", "no: no Python file differs from HEAD", "")]);
    let shop = "def total(items):\n    return sum(items, 0)\n\n\ndef push(order):\n    return total(order)\n\n\n\
                def pull(order):\n    return order\n";
    repo.write("shop.py", shop);
    repo.write("tests/test_shop.py", "from shop import push\n\n\ndef test_push():\n    assert push([1]) == 1\n");
    repo.write("notes.md", "# Notes\n");
    check(
        &repo,
        &[
            (
                "does my new test cover the code I changed?",
                "in part: `test_push` reaches 1 of the 2 changed definitions (`shop.total`), but not `shop.pull`",
                "",
            ),
            ("what does my new test call?", "`test_push`: 1 test, which uses 1 definition of the program", "shop.push"),
            (
                "is there a test for every function I added?",
                "no: no known test reaches the only function added",
                "`shop.pull`",
            ),
            ("do I need to run the whole test suite?", "no, not the whole suite: ", "to run for the uncommitted"),
            ("give me the pytest command for my changes", "`repoidx review --worktree --tests | xargs -r pytest`", ""),
            ("what should I rerun?", "", "to run for the uncommitted changes"),
            ("which tests would catch a bug in my changes?", "", "to run for the uncommitted changes"),
            ("did I change any code or only tests?", "code outside of tests is changed too: 1 file of code", ""),
            ("did I edit documentation?", "yes: 1 document changed by the uncommitted changes (notes.md)", ""),
            ("is tests/test_shop.py committed?", "no: ", "tests/test_shop.py"),
            ("is app.py committed?", "yes: no definition in app.py is changed by the uncommitted changes", ""),
            (
                "which tests in tests/test_app.py are affected by my change?",
                "1 test in tests/test_app.py is affected",
                "",
            ),
            ("will the tests in test_app.py still pass?", "perhaps: 1 test in test_app.py is affected", ""),
        ],
    );
    repo.git(["add", "shop.py"]);
    check(
        &repo,
        &[(
            "which of my changes are staged and which not?",
            "1 file is staged (shop.py); 2 files are not staged (notes.md and tests/test_shop.py)",
            "",
        )],
    );
}

#[test]
fn what_named_a_removed_definition_is_told_by_its_place() {
    let repo =
        shop().file("shop.pyi", "def total(items: list[int]) -> int: ...\n").file("guide.md", "Call `total` first.\n");
    repo.git(["add", "--all"]);
    repo.save("stub and guide");
    repo.write("shop.py", "def push(order, fast):\n    return order\n");
    check(
        &repo,
        &[
            ("who still uses total?", "1 place still uses `shop.total`", "app.py:1"),
            (
                "does anything outside the tests call the function I deleted?",
                "yes: 1 place outside of tests uses `shop.total`, which is removed by the uncommitted changes",
                "",
            ),
            ("do any tests still use what I deleted?", "no: nothing is known that uses `shop.total`", ""),
            ("is my removal staged?", "no: 1 removed definition is not staged (`shop.total`)", ""),
            ("who uses the function whose signature I changed?", "none: nothing is known that uses `shop.push`", ""),
            (
                "which docs mention the function I deleted?",
                "1 document names `shop.total`, which is removed by",
                "guide.md",
            ),
            ("do any tests fail to import now?", "perhaps: no place in a test is known to break", "1 test file"),
        ],
    );
    repo.git(["add", "--all"]);
    check(&repo, &[("is my removal staged?", "yes: 1 removed definition is staged (`shop.total`)", "")]);
}

/// A library of fields, with a helper that one of them uses, and two methods of one name.
fn fields() -> TestRepo {
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file(
            "kit/fields.py",
            "from kit.helpers import parse\n\n\nclass Field:\n    def load(self, text):\n        return text\n\n\nclass Integer(Field):\n    def load(self, text):\n        return parse(text)\n\n\nclass Text(Field):\n    pass\n",
        )
        .file("kit/helpers.py", "def parse(text):\n    return int(text)\n")
        .file(
            "kit/stores.py",
            "from functools import lru_cache\n\n\nclass Rows:\n    def pick(self):\n        return 1\n\n\nclass Cells:\n    def pick(self):\n        return 2\n\n\n@lru_cache\ndef sizes():\n    return Cells().pick()\n\n\ndef first():\n    rows = Rows()\n    return rows.pick()\n",
        )
        .file(
            "tests/test_fields.py",
            "from kit.fields import Integer\n\n\ndef test_integer():\n    assert Integer().load(\"1\") == 1\n",
        )
        .file(
            "tests/test_stores.py",
            "from kit.stores import first\n\n\ndef test_first():\n    assert first() == 1\n",
        )
        .commit("first");
    repo.git(["init", "--quiet", "--bare", "../remote.git"]);
    repo.begin_main("../remote.git");
    repo.git(["remote", "add", "origin", "../remote.git"]);
    repo.git(["push", "--quiet", "--set-upstream", "origin", "main"]);
    repo
}

#[test]
fn a_yes_stands_only_before_what_was_decided() {
    let repo = fields();
    repo.write("kit/helpers.py", "def parse(text):\n    return int(text.strip())\n");
    let unneeded = "none is known to need it: no place in a test is known to break because of the uncommitted changes";
    check(
        &repo,
        &[
            ("do any existing tests need to change?", unneeded, "1 test to run"),
            ("do I need to run any tests?", "yes: 1 test to run for the uncommitted changes", ""),
            ("could my change slow anything down?", "not known whether that is so: nothing is known to break", ""),
            ("do my edits need new tests?", "perhaps not: a known test reaches each changed definition", ""),
            ("will test_fields.py need an update", "not known to need it: 1 test in test_fields.py is affected", ""),
        ],
    );
}

#[test]
fn tests_to_run_are_limited_to_files_and_counted_as_files() {
    let repo = fields();
    repo.write("kit/helpers.py", "def parse(text):\n    return int(text.strip())\n");
    check(
        &repo,
        &[
            ("are any tests in tests/test_fields.py affected?", "yes: 1 test in tests/test_fields.py is affected", ""),
            ("which test files should I run?", "1 test file (tests/test_fields.py) to run for the uncommitted", ""),
            ("how many tests are affected?", "1 test to run for the uncommitted changes", ""),
            ("do I need to run tests/test_fields.py?", "yes: ", "in tests/test_fields.py"),
            ("should I rerun tests/test_stores.py", "no: no test in tests/test_stores.py is known to be affected", ""),
            ("tests to run, but only those in tests/test_stores.py", "no test in tests/test_stores.py is known", ""),
        ],
    );
}

#[test]
fn definitions_are_affected_by_the_own_change_where_there_is_one() {
    let repo = fields();
    let ordinary = "changing `Integer` affects";
    check(&repo, &[("is Integer affected?", ordinary, "")]);
    repo.write("kit/helpers.py", "def parse(text):\n    return int(text.strip())\n");
    check(
        &repo,
        &[
            ("is Integer affected?", "yes: `kit.fields.Integer.load` in `Integer` reaches `kit.helpers.parse`", ""),
            ("which classes are affected?", "1 class outside of tests is affected", "`kit.fields.Integer`"),
            ("are any fixtures affected?", "no: no fixture is known to be affected", ""),
            ("is Integer affected by my staged change?", "no: no staged Python file differs", ""),
            ("is the Integer class affected?", "yes: `kit.fields.Integer.load`", ""),
            ("does Text depend on what I changed", "no: nothing leads from `Text` to `kit.helpers.parse`", ""),
            (
                "does my change affect the kit?",
                "yes: `kit.helpers.parse` in kit is changed by the uncommitted changes",
                "",
            ),
            (
                "which fields are affected by my change",
                "1 class below `Field` is affected by the uncommitted changes (`kit.fields.Integer`)",
                "",
            ),
            (
                "which fields are affected by my change in helpers.py",
                "1 class below `Field` is affected by the uncommitted changes in helpers.py (`kit.fields.Integer`)",
                "",
            ),
            ("which stores are affected?", "none: no definition with `stores` in the name or path", ""),
            ("which subclasses of Field are affected by my change?", "1 class below `Field` is affected", ""),
        ],
    );
}

#[test]
fn the_subject_may_be_what_the_change_added() {
    let repo = fields();
    repo.write(
        "kit/helpers.py",
        "def parse(text):\n    return int(text)\n\n\ndef join(parts):\n    \"\"\"Join parts.\"\"\"\n    return \"\".join(parts)\n",
    );
    check(
        &repo,
        &[
            ("is there a test for the function I added?", "no: ", "`join`"),
            ("does the new function have a docstring", "yes: `kit.helpers.join` has a docstring", ""),
            ("who calls my new function?", "", "`kit.helpers.join`"),
            ("is the class I added tested?", "", "uncommitted changes"),
            ("is my new helper tested?", "no: ", "`join`"),
            ("is my new function exported?", "no: `kit.helpers.join` is exported by no module around it", ""),
        ],
    );
}

#[test]
fn stale_uses_are_told_where_another_definition_has_the_name() {
    let repo = fields();
    let stores = "from functools import lru_cache\n\n\nclass Rows:\n    def take(self):\n        return 1\n\n\nclass Cells:\n    def pick(self):\n        return 2\n\n\n@lru_cache\ndef sizes():\n    return Cells().pick()\n\n\ndef first():\n    rows = Rows()\n    return rows.pick()\n";
    repo.write("kit/stores.py", stores);
    let stale = "1 place still uses `kit.stores.Rows.pick`, first kit/stores.py:21";
    let other = "`kit.stores.Cells.pick` is another one and lives";
    check(&repo, &[("who still calls pick", stale, other), ("find remaining calls of pick", stale, other)]);
    check(&repo, &[("who calls pick", "`kit.stores.Cells.pick` is called", "")]);
}

#[test]
fn a_base_and_a_decorator_are_parts_of_a_change() {
    let repo = fields();
    check(
        &repo,
        &[
            (
                "is it safe to remove the lru_cache from sizes?",
                "yes: `sizes` has a decorator: `@lru_cache`",
                "each call computes",
            ),
            ("is it safe to remove the lru_cache from first?", "`first` has no decorator `lru_cache`", ""),
        ],
    );
    let text = "from kit.helpers import parse\n\n\nclass Field:\n    def load(self, text):\n        return text\n\n\nclass Integer(Field):\n    def load(self, text):\n        return parse(text)\n\n\nclass Text:\n    pass\n";
    repo.write("kit/fields.py", text);
    let changed = "yes: base classes of 1 definition are changed by the uncommitted changes (`kit.fields.Text`)";
    check(
        &repo,
        &[("has the class hierarchy changed?", changed, ""), ("is the hierarchy different now?", changed, "")],
    );
}
