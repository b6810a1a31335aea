//! Which repository a call means.
//!
//! An argument wins over an absolute path in the target, that over the start of the server, its host, and the current
//! folder. A repository that is the user's home is never meant by accident: hosts start servers there.

use std::path::{Path, PathBuf};

use crate::{error::Failure, git::Repository, mcp::ServerOptions, render::escape::visible_path};

/// The next step where no repository is known.
const PASS_ROOT: &str = "pass root=<absolute path of the repository or worktree you work in>";

/// The folder or file by which a call names its repository. `target` is an absolute path in its arguments.
pub(super) fn place(root: &str, target: Option<&str>, options: &ServerOptions) -> Result<PathBuf, Failure> {
    if !root.is_empty() {
        let root = Path::new(root);
        if !root.is_absolute() {
            let shown = visible_path(&root.display().to_string()).into_owned();
            return Err(Failure::usage(format!("`root` is {shown}, which is no absolute path"), PASS_ROOT));
        }
        return below_home(root, options);
    }
    if let Some(target) = target {
        return below_home(without_line(target), options);
    }
    if let Some(repo) = &options.repo {
        return Ok(repo.clone());
    }
    if let Some(project) = options.project.as_deref().filter(|project| Repository::open(project).is_ok()) {
        return below_home(project, options);
    }
    match options.folder.as_deref().filter(|folder| Repository::open(folder).is_ok()) {
        Some(folder) => below_home(folder, options),
        None => Err(Failure::usage("the server was not started in a git repository", PASS_ROOT)),
    }
}

/// `place`, unless the repository around it is the user's home.
fn below_home(place: &Path, options: &ServerOptions) -> Result<PathBuf, Failure> {
    let folder = place.ancestors().find(|folder| folder.is_dir()).unwrap_or(place);
    let root = Repository::open(folder).ok().and_then(|repo| repo.root()?.canonicalize().ok());
    let home = options.home.as_deref().and_then(|home| home.canonicalize().ok());
    if root.is_some() && root == home {
        let shown = visible_path(&place.display().to_string()).into_owned();
        return Err(Failure::usage(format!("the repository around {shown} is the home folder itself"), PASS_ROOT));
    }
    Ok(place.to_owned())
}

/// A path without `:LINE` or `::test`.
fn without_line(target: &str) -> &Path {
    let path = target.split("::").next().unwrap_or(target);
    let path = match path.rsplit_once(':') {
        Some((path, line)) if line.bytes().all(|byte| byte.is_ascii_digit()) => path,
        _ => path,
    };
    Path::new(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::fixture::GitFixture;

    fn message(place: Result<PathBuf, Failure>) -> String {
        place.expect_err("there is none").message
    }

    #[test]
    fn the_nearest_word_of_the_caller_decides() {
        let (one, two) = (GitFixture::new(), GitFixture::new());
        let [one, two] = [&one, &two].map(|fixture| fixture.open().root().expect("a worktree").to_owned());
        let options = ServerOptions { repo: Some(one.clone()), ..ServerOptions::default() };
        let target = format!("{}/a.py:3", two.display());
        assert_eq!(place("", None, &options).unwrap(), one);
        assert_eq!(place("", Some(&target), &options).unwrap(), two.join("a.py"));
        assert_eq!(place(&two.display().to_string(), Some("/elsewhere"), &options).unwrap(), two);
        let started = ServerOptions { folder: Some(one), project: Some(two.clone()), ..ServerOptions::default() };
        assert_eq!(place("", None, &started).unwrap(), two);
    }

    #[test]
    fn home_is_not_meant_and_a_relative_root_means_nothing() {
        let fixture = GitFixture::new();
        let home = fixture.open().root().expect("a worktree").to_owned();
        let options = ServerOptions { home: Some(home.clone()), folder: Some(home), ..ServerOptions::default() };
        assert!(message(place("", None, &options)).contains("the home folder itself"));
        assert!(message(place("src", None, &options)).contains("no absolute path"));
        let nowhere = ServerOptions { folder: Some(PathBuf::from("/")), ..ServerOptions::default() };
        assert!(message(place("", None, &nowhere)).contains("not started in a git repository"));
    }

    #[test]
    fn a_place_in_a_file_is_its_file() {
        assert_eq!(without_line("/r/a.py:12"), Path::new("/r/a.py"));
        assert_eq!(without_line("/r/a.py::Test::test_x"), Path::new("/r/a.py"));
        assert_eq!(without_line("/r/a.py"), Path::new("/r/a.py"));
    }
}
