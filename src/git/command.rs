//! The object database through the git command, for repositories that libgit2 cannot open.
//!
//! Only plumbing commands are used, none that starts a filter or a diff driver. Contents come from one long-lived
//! `git cat-file --batch`. The answers equal those of libgit2.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use super::difference::{FileChange, raw};
use super::{GitError, Objects, TreeFile, environment, is_regular, path};

/// How to run git in one repository.
pub(super) struct Git {
    dir: PathBuf,
    /// Set when git itself named the repository to us: then its place is not searched for.
    git_dir: Option<PathBuf>,
}

impl Git {
    /// git in `dir`.
    pub(super) fn new(dir: &Path, git_dir: Option<&Path>) -> Self {
        Self { dir: dir.to_owned(), git_dir: git_dir.map(Path::to_owned) }
    }

    fn command(&self, args: &[&str]) -> Result<Command, GitError> {
        let mut command = environment::git(&self.dir)?;
        if let Some(git_dir) = &self.git_dir {
            command.env("GIT_DIR", git_dir).env("GIT_WORK_TREE", &self.dir);
        }
        command.args(args);
        Ok(command)
    }

    /// Output of a command that must succeed.
    pub(super) fn output(&self, args: &[&str]) -> Result<Vec<u8>, GitError> {
        let output = self.command(args)?.output().map_err(GitError::io("running git"))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let message = said.trim().trim_start_matches("fatal: ").to_owned();
        Err(GitError::Command { action: args.first().copied().unwrap_or_default().to_owned(), message })
    }

    /// Output as text without its last newline; `None` when git exits with 1.
    pub(super) fn ask(&self, args: &[&str]) -> Result<Option<String>, GitError> {
        let output = self.command(args)?.output().map_err(GitError::io("running git"))?;
        match output.status.code() {
            Some(0) => {
                let text = String::from_utf8_lossy(&output.stdout);
                Ok(Some(text.strip_suffix('\n').unwrap_or(&text).to_owned()))
            }
            Some(1) => Ok(None),
            _ => {
                let message = String::from_utf8_lossy(&output.stderr).trim().trim_start_matches("fatal: ").to_owned();
                Err(GitError::Command { action: args.first().copied().unwrap_or_default().to_owned(), message })
            }
        }
    }

    /// Id of the commit that `rev` names.
    pub(super) fn resolve(&self, rev: &str) -> Result<String, GitError> {
        // In two steps: behind `:/text` the suffix `^{commit}` would be part of the text.
        let id_of = |rev: &str| self.output(&["rev-parse", "--verify", "--quiet", "--end-of-options", rev]);
        let id = id_of(rev).and_then(|id| id_of(&format!("{}^{{commit}}", String::from_utf8_lossy(&id).trim_end())));
        match id {
            Ok(id) => Ok(String::from_utf8_lossy(&id).trim_end().to_owned()),
            Err(GitError::Command { .. }) => Err(GitError::UnknownRevision(rev.to_owned())),
            Err(error) => Err(error),
        }
    }

    /// git's own index as `git ls-files` shows it.
    pub(super) fn staged(&self) -> Option<Vec<u8>> {
        self.output(&["ls-files", "--stage", "-z"]).ok()
    }

    /// A path that git answers, relative ones taken from where it ran.
    fn place(&self, args: &[&str]) -> Result<PathBuf, GitError> {
        let mut answer = self.output(args)?;
        if answer.last() == Some(&b'\n') {
            answer.pop();
        }
        let place = self.dir.join(path::os_string(answer));
        Ok(place.canonicalize().unwrap_or(place))
    }
}

/// Where a repository's parts are.
pub(super) struct Places {
    pub(super) root: Option<PathBuf>,
    pub(super) git_dir: PathBuf,
    pub(super) common_dir: PathBuf,
    pub(super) id_length: usize,
}

/// Asks git for the places of the repository around its directory.
pub(super) fn places(git: &Git) -> Result<Places, GitError> {
    if let Some(places) = places_at_once(git) {
        return Ok(places);
    }
    let git_dir = git.place(&["rev-parse", "--absolute-git-dir"])?;
    let common_dir = git.place(&["rev-parse", "--git-common-dir"])?;
    let is_bare = git.ask(&["rev-parse", "--is-bare-repository"])?.as_deref() == Some("true");
    let root = if is_bare { None } else { top_level(git, &git_dir) };
    let format = git.ask(&["rev-parse", "--show-object-format"]).ok().flatten();
    Ok(Places { root, git_dir, common_dir, id_length: id_length(format.as_deref()) })
}

/// The same with one child for all questions, which a hook has time for. Works in a worktree, with a git that knows
/// every one of them, and where no path holds a newline.
fn places_at_once(git: &Git) -> Option<Places> {
    let questions = ["rev-parse", "--absolute-git-dir", "--git-common-dir", "--show-toplevel", "--show-object-format"];
    let answer = git.output(&questions).ok()?;
    let lines: Vec<&[u8]> = answer.strip_suffix(b"\n")?.split(|byte| *byte == b'\n').collect();
    let [git_dir, common_dir, root, format] = lines[..] else { return None };
    let place = |line: &[u8]| git.dir.join(path::os_string(line.to_vec())).canonicalize().ok();
    Some(Places {
        root: Some(place(root)?),
        git_dir: place(git_dir)?,
        common_dir: place(common_dir)?,
        id_length: id_length(std::str::from_utf8(format).ok()),
    })
}

fn id_length(format: Option<&str>) -> usize {
    if format == Some("sha256") { 32 } else { 20 }
}

/// Top of the worktree. Inside `.git` git refuses to name it, so the question is repeated beside it.
fn top_level(git: &Git, git_dir: &Path) -> Option<PathBuf> {
    let top = ["rev-parse", "--show-toplevel"];
    let beside = || Git::new(git_dir.parent()?, None).place(&top).ok();
    git.place(&top).ok().or_else(beside)
}

/// The git command as a backend.
pub(super) struct GitObjects {
    git: Git,
    id_length: usize,
    batch: Mutex<Option<Batch>>,
}

impl GitObjects {
    pub(super) fn new(git: Git, id_length: usize) -> Self {
        Self { git, id_length, batch: Mutex::new(None) }
    }

    /// Sizes of blobs, in order; `None` for one that is not here.
    fn sizes(&self, ids: &[&str]) -> Result<Vec<Option<u64>>, GitError> {
        let mut command = self.git.command(&["cat-file", "--batch-check=%(objectsize)"])?;
        let mut child =
            command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(GitError::io("running git"))?;
        let mut stdin = child.stdin.take().expect("stdin was asked for");
        let question = ids.iter().flat_map(|id| [id, "\n"]).collect::<String>();
        let output = std::thread::scope(|scope| {
            scope.spawn(move || stdin.write_all(question.as_bytes()));
            child.wait_with_output()
        });
        let output = output.map_err(GitError::io("running git cat-file"))?;
        Ok(String::from_utf8_lossy(&output.stdout).lines().map(|line| line.parse().ok()).collect())
    }
}

impl Objects for GitObjects {
    fn name(&self) -> &'static str {
        "git"
    }

    fn head(&self) -> Result<Option<String>, GitError> {
        match self.git.resolve("HEAD") {
            Ok(id) => Ok(Some(id)),
            Err(GitError::UnknownRevision(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn resolve(&self, rev: &str) -> Result<String, GitError> {
        self.git.resolve(rev)
    }

    fn tree_changes(&self, old: &str, new: &str) -> Result<Vec<FileChange>, GitError> {
        let args = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv"];
        raw(&self.git.output(&[&args[..], &[old, new, "--"]].concat())?)
    }

    fn tree_files(&self, commit: &str) -> Result<Vec<TreeFile>, GitError> {
        let output = self.git.output(&["ls-tree", "-r", "-z", "--full-tree", commit])?;
        let mut files = Vec::new();
        // `100644 blob ID`, a tab, then the path.
        for line in output.split(|byte| *byte == 0) {
            let Some(tab) = line.iter().position(|byte| *byte == b'\t') else { continue };
            let mut head = line[..tab].split(|byte| *byte == b' ');
            let mode = head.next().map_or(0, octal);
            let blob = String::from_utf8_lossy(head.nth(1).unwrap_or_default()).into_owned();
            if is_regular(mode) {
                files.push(TreeFile { path: path::quote(&line[tab + 1..]), blob, size: None });
            }
        }
        let sizes = self.sizes(&files.iter().map(|file| file.blob.as_str()).collect::<Vec<_>>())?;
        for (file, size) in files.iter_mut().zip(sizes) {
            file.size = size;
        }
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }

    fn tree_id(&self, _commit: &str) -> Result<Option<String>, GitError> {
        // It would take a process, as the files do.
        Ok(None)
    }

    fn blobs(&self, commit: &str) -> Result<Vec<(String, String)>, GitError> {
        Ok(self.tree_files(commit)?.into_iter().map(|file| (file.path, file.blob)).collect())
    }

    fn is_blob(&self, blob: &str, bytes: &[u8]) -> bool {
        self.read_blob(blob).is_ok_and(|content| content == bytes)
    }

    fn read_blob(&self, blob: &str) -> Result<Vec<u8>, GitError> {
        if blob.len() != 2 * self.id_length || !blob.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(GitError::MissingObject(blob.to_owned()));
        }
        let mut batch = self.batch.lock().unwrap_or_else(PoisonError::into_inner);
        let mut open = match batch.take() {
            Some(open) => open,
            None => Batch::start(&self.git)?,
        };
        let content = open.read(blob).map_err(GitError::io("reading from git cat-file"))?;
        // Kept only after a complete answer: a broken pipe starts a new child next time.
        *batch = Some(open);
        content.ok_or_else(|| GitError::MissingObject(blob.to_owned()))
    }

    fn id_length(&self) -> usize {
        self.id_length
    }

    fn config_path(&self, key: &str) -> Option<PathBuf> {
        self.git.ask(&["config", "--path", "--get", key]).ok().flatten().map(PathBuf::from)
    }

    fn config_bool(&self, key: &str) -> Option<bool> {
        Some(self.git.ask(&["config", "--bool", "--get", key]).ok().flatten()? == "true")
    }

    fn staged(&self) -> Option<Vec<u8>> {
        self.git.staged()
    }
}

/// A running `git cat-file --batch`.
struct Batch {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Batch {
    fn start(git: &Git) -> Result<Self, GitError> {
        let mut command = git.command(&["cat-file", "--batch"])?;
        command.stdin(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(GitError::io("running git cat-file"))?;
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("stdout was asked for"));
        Ok(Self { child, stdin, stdout })
    }

    /// The content with this id, or `None` when git has no such blob.
    fn read(&mut self, id: &str) -> std::io::Result<Option<Vec<u8>>> {
        let stdin = self.stdin.as_mut().ok_or(std::io::ErrorKind::BrokenPipe)?;
        writeln!(stdin, "{id}")?;
        stdin.flush()?;
        // `ID blob SIZE`, the bytes and a newline; or `ID missing`.
        let mut head = String::new();
        self.stdout.read_line(&mut head)?;
        let mut words = head.split_ascii_whitespace().skip(1);
        let kind = words.next().ok_or(std::io::ErrorKind::UnexpectedEof)?;
        let Some(size) = words.next().and_then(|size| size.parse::<usize>().ok()) else { return Ok(None) };
        let mut content = vec![0; size + 1];
        self.stdout.read_exact(&mut content)?;
        content.pop();
        Ok((kind == "blob").then_some(content))
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        // git leaves when its input ends.
        self.stdin = None;
        let _ = self.child.wait();
    }
}

fn octal(digits: &[u8]) -> u32 {
    std::str::from_utf8(digits).ok().and_then(|digits| u32::from_str_radix(digits, 8).ok()).unwrap_or(0)
}
