//! Repositories for tests, and the binary run in them.
//!
//! Goes in: files and commits. Comes out: what `repoidx` printed. Nothing of the machine shows through: an own home,
//! an own git configuration, fixed dates, no `GIT_*` variables. Knows nothing of what is tested.

use std::cell::Cell;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use expect_test::Expect;
use tempfile::TempDir;

/// A git repository that vanishes with the value.
pub(crate) struct TestRepo {
    /// Holds the repository, the home and git's configuration.
    folder: TempDir,
    /// Seconds added to the date for each commit, so that no two are equal.
    clock: Cell<u32>,
}

/// The output of a command. The checks can be chained.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl TestRepo {
    /// An empty repository with the branch `main`.
    pub(crate) fn new() -> Self {
        let repo = Self::without_git();
        repo.init(".");
        repo
    }

    /// Makes a folder a repository with the branch `main`.
    pub(crate) fn init(&self, folder: &str) {
        self.git(["init", "--quiet", folder]);
        self.begin_main(folder);
    }

    /// Gives a repository without commits the branch `main`: git before 2.28 cannot name it when it is made.
    pub(crate) fn begin_main(&self, folder: &str) {
        // No tick of the clock, from which commits have their ids.
        let named = self.command("git").args(["-C", folder, "symbolic-ref", "HEAD", "refs/heads/main"]).status();
        assert!(named.is_ok_and(|status| status.success()), "{folder}");
    }

    /// A folder that is no repository.
    pub(crate) fn without_git() -> Self {
        let folder = tempfile::Builder::new().prefix("repoidx-test-").tempdir().expect("the temporary folder is there");
        for part in ["repo", "home"] {
            std::fs::create_dir(folder.path().join(part)).expect("the test's folder is writable");
        }
        let configuration = "[user]\n\tname = Ann\n\temail = ann@example.com\n[commit]\n\tgpgSign = false\n\
             [core]\n\tautocrlf = false\n[advice]\n\tdetachedHead = false\n[protocol \"file\"]\n\tallow = always\n";
        std::fs::write(folder.path().join("home/.gitconfig"), configuration).expect("the test's folder is writable");
        Self { folder, clock: Cell::new(0) }
    }

    /// A clone of the commits of `other`, with a working tree of its own.
    pub(crate) fn clone_of(other: &TestRepo) -> Self {
        let repo = Self::without_git();
        let source = other.root();
        repo.git([OsStr::new("clone"), OsStr::new("--quiet"), source.as_os_str(), OsStr::new(".")]);
        repo
    }

    /// Writes a file, creating folders.
    pub(crate) fn file(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        self.write(path, text);
        self
    }

    /// Commits everything in the working tree.
    pub(crate) fn commit(self, message: &str) -> Self {
        self.save(message);
        self
    }

    /// Like [`file`](Self::file), on a borrowed repository.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().expect("files lie in folders")).expect("the repository is writable");
        std::fs::write(path, text).expect("the repository is writable");
    }

    /// Deletes a file.
    pub(crate) fn delete(&self, path: &str) {
        std::fs::remove_file(self.root().join(path)).expect("the file is there");
    }

    /// Like [`commit`](Self::commit), on a borrowed repository.
    pub(crate) fn save(&self, message: &str) {
        self.git(["add", "--all"]);
        self.git(["commit", "--quiet", "--allow-empty", "--message", message]);
    }

    /// Top of the working tree.
    pub(crate) fn root(&self) -> PathBuf {
        // The temporary folder is a symbolic link on macOS; git and repoidx show where it leads. Elsewhere it is none,
        // and Windows would answer in a form that git does not take.
        let folder =
            if cfg!(target_os = "macos") { self.folder.path().canonicalize() } else { Ok(self.folder.path().into()) };
        folder.expect("the test's folder is there").join("repo")
    }

    /// The index, relative to the top.
    pub(crate) fn index_path(&self) -> String {
        format!(".git/repoidx/{}/index.db", repoidx::index::edition::name())
    }

    /// Runs git, which must succeed, and returns what it printed.
    pub(crate) fn git<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> String {
        let mut command = self.command("git");
        self.clock.set(self.clock.get() + 1);
        let date = format!("2026-01-01T00:{:02}:{:02}Z", self.clock.get() / 60, self.clock.get() % 60);
        command.args(arguments).env("GIT_AUTHOR_DATE", &date).env("GIT_COMMITTER_DATE", &date);
        let run = Run::of(command.output().expect("git is installed"));
        assert_eq!(run.code, 0, "{command:?}\n{}{}", run.stdout, run.stderr);
        run.stdout
    }

    /// Runs the binary in the repository.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Run {
        let mut command = self.command(env!("CARGO_BIN_EXE_repoidx"));
        Run::of(command.args(arguments).output().expect("the binary was built"))
    }

    /// A program in the hermetic environment, in the repository's folder, to be run by the test.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let home = self.folder.path().join("home");
        let mut command = Command::new(program);
        command.current_dir(self.root()).stdin(Stdio::null()).env_clear();
        // Windows needs the last three to start anything.
        for inherited in ["PATH", "TMPDIR", "SystemRoot", "TEMP", "TMP"] {
            if let Some(value) = std::env::var_os(inherited) {
                command.env(inherited, value);
            }
        }
        command
            .env("HOME", &home)
            .env("USERPROFILE", &home)
            .env("XDG_CONFIG_HOME", home.join(".config"))
            .env("XDG_CACHE_HOME", home.join(".cache"))
            .env("GIT_CONFIG_GLOBAL", home.join(".gitconfig"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CEILING_DIRECTORIES", self.folder.path())
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("LC_ALL", "C")
            .env("TZ", "UTC")
            .env("COLUMNS", "100");
        command
    }
}

impl Run {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code().expect("the program was not killed by a signal"),
            stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }

    /// The exit code is `code`.
    #[track_caller]
    pub(crate) fn code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "\nstdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// The command succeeded and printed exactly this.
    #[track_caller]
    #[expect(clippy::needless_pass_by_value, reason = "`expect![[..]]` is written in place")]
    pub(crate) fn stdout(self, expected: Expect) -> Self {
        let run = self.code(0);
        expected.assert_eq(&run.stdout);
        run
    }

    /// Messages are exactly these.
    #[track_caller]
    #[expect(clippy::needless_pass_by_value, reason = "`expect![[..]]` is written in place")]
    pub(crate) fn stderr(self, expected: Expect) -> Self {
        expected.assert_eq(&self.stderr);
        self
    }
}

/// Every file beneath a folder of this package, sorted, with `/` between the parts.
pub(crate) fn package_files(folder: &str) -> Vec<String> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("the package's folders are readable") {
            let path = entry.expect("the package's folders are readable").path();
            if path.is_dir() {
                walk(&path, found);
            } else {
                found.push(path);
            }
        }
    }
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    if package.join(folder).is_dir() {
        walk(&package.join(folder), &mut found);
    }
    let mut files: Vec<String> = found
        .iter()
        .map(|path| path.strip_prefix(package).expect("it was found in there").to_string_lossy().replace('\\', "/"))
        .collect();
    files.sort();
    files
}

/// The text of a file of this package.
pub(crate) fn package_text(path: &str) -> String {
    std::fs::read_to_string(package_path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Where a file of this package is.
pub(crate) fn package_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
