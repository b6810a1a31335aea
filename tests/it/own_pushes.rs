//! Questions about a branch, a push, the public API, and what a change asks of documents, are answered by git and the
//! review.

use crate::{
    harness::TestRepo,
    own_changes::{check, rename_total, shop},
};

#[test]
fn a_branch_that_is_named_is_compared_with_the_default_branch() {
    let repo = shop();
    repo.git(["checkout", "--quiet", "-b", "tidy"]);
    rename_total(&repo);
    repo.save("rename total");
    let commit = "1 definition changed in 1 file by the commit (";
    check(
        &repo,
        &[
            ("what did the branch tidy change?", commit, "= repoidx review origin/main...tidy"),
            ("does branch tidy break anything?", "yes: 2 places break because of the commit (", "origin/main...tidy"),
            ("is the tidy branch safe to merge?", "no: 2 places break because of the commit (", "origin/main...tidy"),
        ],
    );
    // Another branch that is checked out changes nothing of it.
    repo.git(["checkout", "--quiet", "-b", "other", "main"]);
    repo.write("more.py", "def more():\n    return 1\n");
    repo.save("more");
    check(&repo, &[("what did the branch tidy change?", commit, "(`shop.total`)")]);
}

#[test]
fn what_is_pushed_is_told_by_git() {
    let repo = shop();
    check(&repo, &[("are my local commits pushed?", "yes: no commit is to be pushed", "")]);
    rename_total(&repo);
    repo.git(["add", "--all"]);
    check(
        &repo,
        &[
            (
                "will my staged changes be in the push?",
                "no: a push sends commits, and 1 file is staged but not committed (shop.py)",
                "no commit is to be pushed: origin/main has all of HEAD",
            ),
            ("whats not commited", "1 definition changed in 1 file by the uncommitted changes", ""),
            ("what did I change since my last push?", "1 definition changed in 1 file by the uncommitted changes", ""),
        ],
    );
    repo.save("rename total");
    repo.write("more.py", "def more():\n    return 1\n");
    check(
        &repo,
        &[
            ("are my local commits pushed?", "no: 1 commit is to be pushed", ""),
            ("what changed since the last push?", "1 definition changed in 1 file by the commit to be pushed", ""),
            ("does my push break anything?", "yes: 2 places break because of the commit to be pushed", ""),
            ("which tests should run before the push goes out?", "1 test file to run for the commit to be pushed", ""),
            ("which tests break because of the commit?", "", "the last commit ("),
            ("are my edits in this diff philosophically sound?", "not understood as a question about", ""),
        ],
    );
}

/// Without an upstream, the answer names the state with which it compared.
#[test]
fn a_push_without_an_upstream_names_its_base() {
    let repo = shop();
    repo.git(["checkout", "--quiet", "-b", "tidy", "--no-track"]);
    rename_total(&repo);
    repo.save("rename total");
    check(&repo, &[("what will I push?", "1 definition changed", "HEAD has no upstream branch")]);
    repo.write("more.py", "def more():\n    return 1\n");
    check(&repo, &[("did I change app.py?", "no:", "1 commit to be pushed is no part of this")]);
}

#[test]
fn a_public_name_of_a_private_module_is_a_part_of_the_api() {
    let repo = TestRepo::new()
        .file("pkg/__init__.py", "from ._models import Client\n")
        .file(
            "pkg/_models.py",
            "class Client:\n    def get(self, a=1):\n        return a\n\n    def old(self):\n        return 2\n\n\n\
             def helper(a=1):\n    return a\n",
        )
        .commit("first");
    let helper = "class Client:\n    def get(self, a=1):\n        return a\n\n    def old(self):\n        return 2\n\n\n\
                  def helper(a=2):\n    return a\n";
    repo.write("pkg/_models.py", helper);
    check(
        &repo,
        &[
            ("did I change a public API?", "no: no public definition is changed", ""),
            ("did I change a signature?", "yes: 1 signature changed", "`pkg._models.helper`"),
        ],
    );
    repo.write(
        "pkg/_models.py",
        "class Client:\n    def get(self, a=2):\n        return a\n\n\ndef helper(a=1):\n    return a\n",
    );
    check(
        &repo,
        &[
            ("did I change a public API?", "yes: 2 public definitions changed", "`pkg._models.Client.get`"),
            ("did I remove any public methods?", "yes: 1 public method removed", "`pkg._models.Client.old`"),
        ],
    );
}

#[test]
fn documents_and_changelogs_are_judged_by_what_they_name() {
    let repo = shop();
    rename_total(&repo);
    let unknown = "not known to be needed: no document is known to name what is changed";
    check(
        &repo,
        &[
            ("do I need to update the docs for my change?", unknown, ""),
            ("do I have to add a changelog entry for what I did?", "not known whether one is needed: 1 changed", ""),
            ("did I update the changelog?", "no: no changelog is changed by the uncommitted changes", ""),
        ],
    );
    repo.write("README.md", "Call `total()` first.\n");
    repo.git(["add", "README.md"]);
    let yes = "yes: 1 document names what is removed, renamed or moved by the uncommitted changes (README.md)";
    check(&repo, &[("do I need to update the docs for my change?", yes, "")]);
}

#[test]
fn what_held_before_the_change_is_looked_up_again() {
    let repo = TestRepo::new()
        .file("things.py", "class Article:\n    pass\n\n\ndef gone():\n    return 1\n")
        .file(
            "heirs.py",
            "from things import Article, gone\n\n\nclass Heir(Article):\n    def get(self):\n        return gone()\n",
        )
        .commit("first");
    check(&repo, &[("is Heir still an Article?", "yes: `heirs.Heir` derives from `things.Article`", "")]);
    repo.write("things.py", "class Article:\n    pass\n");
    check(
        &repo,
        &[
            ("will heirs.py still import?", "no: 1 place in heirs.py breaks", "`gone`"),
            ("will Heir still import?", "no: ", "`gone`"),
        ],
    );
}
