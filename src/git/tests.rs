//! Both backends over the same repositories, and the worktree compared with git's own listing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::fixture::GitFixture;
use super::{Content, FileChange, GitError, Repository, path};

/// Paths of a repository's worktree.
fn paths(repo: &Repository) -> Vec<String> {
    repo.worktree_files_where(&|_| true).unwrap().into_iter().map(|file| file.path).collect()
}

/// Regular files that git tracks or would offer to add, by git's own word.
fn paths_by_git(fixture: &GitFixture, root: &Path) -> Vec<String> {
    let listing = fixture.git_in(root, &["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let is_file = |name: &&str| root.join(name).symlink_metadata().is_ok_and(|found| found.is_file());
    let mut paths: Vec<String> = listing.split('\0').filter(is_file).map(str::to_owned).collect();
    paths.sort();
    paths.dedup();
    paths
}

fn check_worktree(fixture: &GitFixture, root: &Path) {
    let expected = paths_by_git(fixture, root);
    assert!(!expected.is_empty());
    assert_eq!(paths(&Repository::open(root).unwrap()), expected);
}

#[test]
fn unborn_head_is_no_commit() {
    let fixture = GitFixture::new();
    for repo in fixture.open_both() {
        assert_eq!(repo.head().unwrap(), None, "{}", repo.backend());
        assert!(matches!(repo.resolve("main"), Err(GitError::UnknownRevision(_))));
        assert_eq!(repo.data_dir(), fixture.root().join(".git/repoidx"));
    }
}

#[test]
fn revisions_name_commits() {
    let fixture = GitFixture::new();
    let first = fixture.commit("first");
    fixture.git(&["tag", "-a", "-m", "x", "v1"]);
    let second = fixture.commit("second");
    for repo in fixture.open_both() {
        assert_eq!(repo.head().unwrap(), Some(second.clone()));
        for rev in ["v1", "HEAD~1", "main^", &first[..8], "v1^{commit}", ":/first", "main@{1}"] {
            assert_eq!(repo.resolve(rev).unwrap(), first, "{rev} by {}", repo.backend());
        }
        for rev in ["", "--all", "nowhere", "HEAD~9", "HEAD:"] {
            assert!(matches!(repo.resolve(rev), Err(GitError::UnknownRevision(_))), "{rev} by {}", repo.backend());
        }
    }
}

#[test]
#[cfg(unix)]
fn trees_hold_regular_files_alone() {
    let fixture = GitFixture::new();
    let name = path::os_string(b"caf\xe9.py".to_vec());
    fixture.write("a.py", "a = 1\n");
    fixture.write("pkg/b.py", "b = 1\n");
    fixture.write("pkg.py", "c = 1\n");
    fixture.write_bytes(Path::new(&name), b"d = 1\n");
    std::os::unix::fs::symlink("a.py", fixture.root().join("link.py")).unwrap();
    let commit = fixture.commit("files");
    fixture.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{commit},sub")]);
    fixture.git(&["commit", "-q", "-m", "submodule"]);
    let both = fixture
        .open_both()
        .map(|repo| repo.tree_files("HEAD").or_else(|_| repo.tree_files(&repo.resolve("HEAD")?)).unwrap());
    assert_eq!(both[0], both[1]);
    let paths: Vec<&str> = both[0].iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, [r#""caf\351.py""#, "a.py", "pkg.py", "pkg/b.py"]);
    assert_eq!(both[0][0].size, Some(6));
    for repo in fixture.open_both() {
        assert_eq!(repo.read_blob(&both[0][0].blob).unwrap(), b"d = 1\n");
        assert_eq!(repo.read_blob(&both[0][1].blob).unwrap(), b"a = 1\n");
    }
}

#[test]
fn missing_objects_are_named() {
    let fixture = GitFixture::new();
    let commit = fixture.commit("first");
    for repo in fixture.open_both() {
        for id in ["0123456789012345678901234567890123456789", commit.as_str(), "no hex", ""] {
            assert!(matches!(repo.read_blob(id), Err(GitError::MissingObject(_))), "{id} by {}", repo.backend());
        }
        assert!(repo.tree_files("0123456789012345678901234567890123456789").is_err());
    }
}

#[test]
#[cfg(unix)]
fn tree_changes_name_both_sides() {
    let fixture = GitFixture::new();
    for name in ["same.py", "edited.py", "removed.py", "moved.py", "dir/deep/x.py", "to_dir", "to_link.py", "mode.py"] {
        fixture.write(name, &format!("{name}\n"));
    }
    std::os::unix::fs::symlink("same.py", fixture.root().join("was_link.py")).unwrap();
    std::os::unix::fs::symlink("same.py", fixture.root().join("stays_link.py")).unwrap();
    let old = fixture.commit("old");
    let at = |name: &str| fixture.root().join(name);
    fixture.write("edited.py", "other\n");
    fixture.write("added/new.py", "new\n");
    for name in ["removed.py", "to_dir", "to_link.py", "was_link.py", "stays_link.py"] {
        fs::remove_file(at(name)).unwrap();
    }
    fs::rename(at("moved.py"), at("renamed.py")).unwrap();
    fixture.write("to_dir/y.py", "y\n");
    std::os::unix::fs::symlink("same.py", at("to_link.py")).unwrap();
    std::os::unix::fs::symlink("edited.py", at("stays_link.py")).unwrap();
    fixture.write("was_link.py", "now a file\n");
    fs::set_permissions(at("mode.py"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let new = fixture.commit("new");
    let expected = [
        "added/new.py",
        "edited.py",
        "mode.py",
        "moved.py",
        "removed.py",
        "renamed.py",
        "to_dir",
        "to_dir/y.py",
        "to_link.py",
        "was_link.py",
    ];
    for repo in fixture.open_both() {
        let there = |commit: &str| -> BTreeMap<String, String> {
            repo.tree_files(commit).unwrap().into_iter().map(|file| (file.path, file.blob)).collect()
        };
        for (from, to) in [(&old, &new), (&new, &old)] {
            let (changes, there) = (repo.tree_changes(from, to).unwrap(), there(to));
            assert_eq!(changes.iter().map(|change| &change.path).collect::<Vec<_>>(), expected, "{}", repo.backend());
            for change in changes {
                let id = there.get(&change.path).map_or(Content::Absent, |id| Content::Blob(id.clone()));
                assert_eq!(change.new, id, "{} {}", repo.backend(), change.path);
            }
        }
        assert!(repo.tree_changes(&new, &new).unwrap().is_empty());
    }
}

#[test]
fn ignore_rules_are_gits() {
    let fixture = GitFixture::new();
    fixture
        .write(".gitignore", "*.log\n/build\nout/\n!keep.log\n\\#odd\nspace\\ \n**/cache/**\na/b\n{x}.py\n[ab]?.tmp\n");
    fixture.write("sub/.gitignore", "!*.log\n/only_here\nd*/\n");
    fixture.write(".git/info/exclude", "private.py\n/anchored/x.py\n");
    for name in [
        "a.log",
        "keep.log",
        "build/x.py",
        "sub/build/x.py",
        "out/x.py",
        "sub/out/y.py",
        "out.py",
        "#odd",
        "space ",
        "cache/q.py",
        "k/cache/q.py",
        "a/b",
        "c/a/b",
        "{x}.py",
        "x.py",
        "a1.tmp",
        "c1.tmp",
        "sub/z.log",
        "sub/only_here",
        "sub/more/only_here",
        "sub/dir/f.py",
        "sub/more/dd",
        "private.py",
        "sub/private.py",
        "anchored/x.py",
        "sub/anchored/x.py",
        ".hidden.py",
        ".config/x.py",
        "ünï.py",
        "with space/x y.py",
        "tracked/deep/x.log",
    ] {
        fixture.write(name, "1\n");
    }
    check_worktree(&fixture, &fixture.root());
    // Tracked files stay, whatever the rules say; files that git no longer tracks go.
    fixture.git(&["add", "-f", "a.log", "build/x.py", "out", "tracked/deep/x.log", "private.py"]);
    fixture.git(&["commit", "-q", "-m", "ignored but tracked"]);
    check_worktree(&fixture, &fixture.root());
    fixture.git(&["rm", "-q", "--cached", "build/x.py"]);
    fs::remove_file(fixture.root().join("out/x.py")).unwrap();
    check_worktree(&fixture, &fixture.root());
    for version in ["2", "3", "4"] {
        fixture.git(&["add", "-N", "c1.tmp"]);
        fixture.git(&["update-index", "--force-write-index", "--index-version", version]);
        check_worktree(&fixture, &fixture.root());
    }
    fixture.git(&["update-index", "--split-index"]);
    fixture.git(&["add", "-f", "k/cache/q.py"]);
    check_worktree(&fixture, &fixture.root());
    let expected = paths_by_git(&fixture, &fixture.root());
    for repo in fixture.open_both() {
        assert_eq!(paths(&repo), expected, "{}", repo.backend());
    }
}

#[test]
fn conflicts_name_a_file_once() {
    let fixture = GitFixture::new();
    fixture.write(".gitignore", "c.py\n");
    fixture.commit("base");
    for branch in ["one", "two"] {
        fixture.git(&["checkout", "-q", "-b", branch, "main"]);
        fixture.write("c.py", branch);
        fixture.git(&["add", "-f", "c.py"]);
        fixture.commit(branch);
    }
    assert!(!fixture.try_git(&fixture.root(), &["merge", "one"]).status.success());
    check_worktree(&fixture, &fixture.root());
}

#[test]
fn sparse_checkouts_hold_what_is_checked_out() {
    let fixture = GitFixture::new();
    for name in ["top.py", "in/a.py", "in/b.log", "out/c.py", "out/d.log"] {
        fixture.write(name, "1\n");
    }
    fixture.commit("files");
    fixture.write(".gitignore", "*.log\n");
    fixture.commit("ignored now");
    fixture.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "in"]);
    check_worktree(&fixture, &fixture.root());
    assert_eq!(paths(&fixture.open()), [".gitignore", "in/a.py", "in/b.log", "top.py"]);
}

#[test]
fn other_repositories_are_not_entered() {
    let fixture = GitFixture::new();
    fixture.write("own.py", "1\n");
    fixture.write("empty_git/.git/x", "1\n");
    fixture.write("empty_git/own_too.py", "1\n");
    fixture.commit("own");
    fixture.git(&["init", "-q", "nested"]);
    fixture.write("nested/theirs.py", "1\n");
    fixture.git(&["init", "-q", "../other"]);
    fs::write(fixture.place("other/s.py"), "1\n").unwrap();
    fixture.git_in(&fixture.place("other"), &["add", "."]);
    fixture.git_in(&fixture.place("other"), &["commit", "-q", "-m", "s"]);
    fixture.git(&["submodule", "--quiet", "add", "../other", "sub"]);
    fixture.git(&["commit", "-q", "-m", "submodule"]);
    fixture.git(&["worktree", "add", "-q", "linked"]);
    assert_eq!(paths(&fixture.open()), [".gitmodules", "empty_git/own_too.py", "own.py"]);
    fixture.git(&["submodule", "--quiet", "deinit", "--all", "--force"]);
    fixture.write("sub/left_over.py", "1\n");
    assert_eq!(paths(&fixture.open()), [".gitmodules", "empty_git/own_too.py", "own.py"]);
}

#[test]
#[cfg(unix)]
fn only_regular_files_are_seen_and_read() {
    let fixture = GitFixture::new();
    fixture.write("dir/real.py", "1\n");
    fixture.commit("files");
    fixture.write(".git/secret.py", "1\n");
    let at = |name: &str| fixture.root().join(name);
    std::os::unix::fs::symlink("dir", at("dir_link")).unwrap();
    std::os::unix::fs::symlink("dir/real.py", at("link.py")).unwrap();
    std::os::unix::fs::symlink(".", at("dir/loop")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(at("socket.py")).unwrap();
    fixture.git(&["-c", "alias.pipe=!mkfifo pipe.py", "pipe"]);
    let repo = fixture.open();
    assert_eq!(paths(&repo), ["dir/real.py"]);
    assert_eq!(repo.stat("dir/real.py"), Some(repo.worktree_files_where(&|_| true).unwrap()[0].stat));
    assert_eq!(repo.read("dir/real.py").unwrap(), b"1\n");
    for name in [
        "link.py",
        "dir_link/real.py",
        "dir/loop/real.py",
        "pipe.py",
        "socket.py",
        "dir",
        "",
        "/etc/passwd",
        "../home",
        "dir/../dir/real.py",
        ".git/secret.py",
        ".GIT/secret.py",
        "none.py",
        "dir/real.py/x",
    ] {
        assert_eq!(repo.stat(name), None, "{name}");
        assert!(repo.read(name).is_err(), "{name}");
    }
}

#[test]
fn every_place_leads_to_its_repository() {
    let fixture = GitFixture::new();
    fixture.write("pkg/a.py", "1\n");
    fixture.commit("files");
    fixture.git(&["worktree", "add", "-q", "../linked"]);
    fixture.git(&["clone", "-q", "--bare", ".", "../bare"]);
    let git_dir = fixture.root().join(".git");
    for dir in [fixture.root(), fixture.root().join("pkg"), git_dir.clone()] {
        for repo in [Repository::open(&dir).unwrap(), super::open::by_command(&dir).unwrap()] {
            assert_eq!(repo.root(), Some(&*fixture.root()), "{} by {}", dir.display(), repo.backend());
            assert_eq!(repo.git_dir(), git_dir);
            assert_eq!(repo.common_dir(), git_dir);
        }
    }
    let linked = fixture.place("linked");
    for repo in [Repository::open(&linked).unwrap(), super::open::by_command(&linked).unwrap()] {
        assert_eq!(repo.root(), Some(&*linked));
        assert_eq!(repo.data_dir(), git_dir.join("worktrees/linked/repoidx"));
        assert_eq!(repo.common_dir(), git_dir);
        assert_eq!(paths(&repo), ["pkg/a.py"]);
    }
    let bare = fixture.place("bare");
    for repo in [Repository::open(&bare).unwrap(), super::open::by_command(&bare).unwrap()] {
        assert_eq!(repo.root(), None);
        assert_eq!(repo.git_dir(), bare);
        assert!(matches!(repo.worktree_files_where(&|_| true), Err(GitError::NoWorktree)));
        assert!(repo.read("pkg/a.py").is_err() && repo.stat("pkg/a.py").is_none());
        assert_eq!(repo.tree_files(&repo.head().unwrap().unwrap()).unwrap().len(), 1);
    }
    assert!(matches!(Repository::open(&fixture.place("home")), Err(GitError::NotARepository(_))));
    assert!(matches!(Repository::open(&fixture.place("nowhere")), Err(GitError::NotARepository(_))));
}

#[test]
fn the_git_command_opens_what_libgit2_cannot() {
    for args in [["--object-format=sha256"], ["--ref-format=reftable"]] {
        let Some(fixture) = GitFixture::with_init(&args) else { continue };
        fixture.write("a.py", "1\n");
        fixture.write(".gitignore", "b.py\n");
        let old = fixture.commit("old");
        fixture.write("b.py", "1\n");
        fixture.git(&["add", "-f", "b.py"]);
        let new = fixture.commit("new");
        let repo = fixture.open();
        assert_eq!(repo.backend(), "git", "{args:?}");
        assert_eq!(repo.head().unwrap(), Some(new.clone()));
        let changes = repo.tree_changes(&old, &new).unwrap();
        let b = repo.tree_files(&new).unwrap()[2].blob.clone();
        assert_eq!(changes, [FileChange { path: "b.py".to_owned(), old: Content::Absent, new: Content::Blob(b) }]);
        assert_eq!(paths(&repo), [".gitignore", "a.py", "b.py"]);
        assert_eq!(repo.read_blob(&repo.tree_files(&new).unwrap()[2].blob).unwrap(), b"1\n");
    }
    let fixture = GitFixture::new();
    fixture.git(&["config", "core.repositoryFormatVersion", "9"]);
    let Err(error) = Repository::open(&fixture.root()) else { panic!("opened") };
    assert!(error.to_string().contains("Expected git repo version"), "{error}");
}

#[test]
#[cfg(unix)]
fn a_stranger_s_repository_is_refused_with_the_remedy() {
    let fixture = GitFixture::new();
    fixture.commit("first");
    // Only root can give files away.
    if std::os::unix::fs::chown(fixture.root().join(".git"), Some(12345), None).is_err() {
        return;
    }
    std::os::unix::fs::chown(fixture.root(), Some(12345), None).unwrap();
    let Err(error) = Repository::open(&fixture.root()) else { return };
    let remedy = format!("git config --global --add safe.directory {}", fixture.root().display());
    assert!(error.to_string().ends_with(&remedy), "{error}");
    assert!(matches!(error, GitError::Unsafe { .. }));
}

#[test]
fn excludes_file_of_the_configuration_counts() {
    let fixture = GitFixture::new();
    fixture.write("../rules", "unwanted.py\n");
    fixture.git(&["config", "core.excludesFile", fixture.place("rules").to_str().unwrap()]);
    fixture.write("unwanted.py", "1\n");
    fixture.write("wanted.py", "1\n");
    for repo in fixture.open_both() {
        assert_eq!(paths(&repo), ["wanted.py"], "{}", repo.backend());
    }
}
