//! Repositories for tests, made by real git in a temporary directory.
//!
//! Commits do not depend on the machine: own home, no system configuration, fixed names and dates. Only compiled for
//! tests.

#![expect(clippy::disallowed_methods, reason = "tests drive git from outside")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use super::{LOCAL_VARIABLES, Repository, open};

/// A temporary directory with a home and a repository in it.
pub(crate) struct GitFixture {
    dir: TempDir,
}

impl GitFixture {
    /// A new repository without commits.
    pub(crate) fn new() -> Self {
        Self::with_init(&[]).expect("this git can make a plain repository")
    }

    /// A new repository made by `git init ARGS`; `None` when this git cannot.
    pub(crate) fn with_init(args: &[&str]) -> Option<Self> {
        let fixture = Self { dir: TempDir::new().unwrap() };
        fs::create_dir_all(fixture.place("home")).unwrap();
        let mut init = fixture.command(&fixture.place(""));
        init.args(["init", "-q", "-b", "main"]).args(args).arg("repo");
        init.output().unwrap().status.success().then_some(fixture)
    }

    /// A path beside the repository.
    pub(crate) fn place(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(name)
    }

    /// Top of the repository.
    pub(crate) fn root(&self) -> PathBuf {
        self.place("repo")
    }

    /// The repository.
    pub(crate) fn open(&self) -> Repository {
        Repository::open(&self.root()).unwrap()
    }

    /// The repository as each backend sees it.
    pub(crate) fn open_both(&self) -> [Repository; 2] {
        [self.open(), open::by_command(&self.root()).unwrap()]
    }

    /// Writes a file, and the directories to it.
    pub(crate) fn write(&self, path: &str, text: &str) {
        self.write_bytes(Path::new(path), text.as_bytes());
    }

    /// Writes a file by any path.
    pub(crate) fn write_bytes(&self, path: &Path, bytes: &[u8]) {
        let file = self.root().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }

    /// Runs git in the repository; it must succeed. Returns its output without the last newline.
    pub(crate) fn git(&self, args: &[&str]) -> String {
        self.git_in(&self.root(), args)
    }

    /// Runs git in another directory.
    pub(crate) fn git_in(&self, dir: &Path, args: &[&str]) -> String {
        let output = self.try_git(dir, args);
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim_end_matches('\n').to_owned()
    }

    /// Runs git, whatever comes of it.
    pub(crate) fn try_git(&self, dir: &Path, args: &[&str]) -> Output {
        self.command(dir).args(args).output().unwrap()
    }

    /// Adds everything and commits it; returns the commit's id.
    pub(crate) fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    fn command(&self, dir: &Path) -> Command {
        let mut command = Command::new("git");
        for name in LOCAL_VARIABLES {
            command.env_remove(name);
        }
        command
            .current_dir(dir)
            .env("HOME", self.place("home"))
            .env("XDG_CONFIG_HOME", self.place("home").join(".config"))
            .env("GIT_CONFIG_GLOBAL", self.place("home").join(".gitconfig"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("LC_ALL", "C");
        for who in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{who}_NAME"), "Test")
                .env(format!("GIT_{who}_EMAIL"), "test@example.invalid")
                .env(format!("GIT_{who}_DATE"), "2024-01-02T03:04:05Z");
        }
        command.args(["-c", "protocol.file.allow=always", "-c", "gc.auto=0", "-c", "advice.detachedHead=false"]);
        command
    }
}
