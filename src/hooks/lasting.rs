//! The path by which hooks call repoidx: one that outlives the program that installed them.
//!
//! A program in the cache of `uvx` or in a virtual environment vanishes without a word. Hooks that point there would
//! stop silently. So hooks call a program that a person installed to stay: by cargo, pipx, `uv tool` or a package.

use std::path::{Path, PathBuf};

use crate::git::environment;

/// Why a program will probably not stay where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fleeting {
    /// In the cache of `uvx` or `pipx run`.
    Cache,
    /// In a virtual environment, which a person removes and makes anew.
    Environment,
}

impl Fleeting {
    /// The place in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cache => "a cache that is emptied from time to time",
            Self::Environment => "a virtual environment",
        }
    }
}

/// The best program for hooks, and the reason if it is none to rely on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookProgram {
    pub path: PathBuf,
    pub fleeting: Option<Fleeting>,
}

/// Finds the program for hooks. One in `PATH` that is the running program comes first, because its path survives an
/// upgrade. Then the running program itself, then any other that stays.
pub fn program() -> HookProgram {
    let running = environment::current_exe();
    let in_path = environment::find_programs("repoidx");
    let usual = environment::usual_programs("repoidx");
    choose(running.as_deref(), &in_path, &usual)
}

fn choose(running: Option<&Path>, in_path: &[PathBuf], usual: &[PathBuf]) -> HookProgram {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let own = running.map(real);
    let is_own = |path: &&PathBuf| own.as_deref() == Some(&real(path));
    let candidates = in_path.iter().filter(is_own).map(PathBuf::as_path).chain(running);
    let candidates = candidates.chain(in_path.iter().chain(usual).map(PathBuf::as_path));
    let mut first = None;
    for path in candidates {
        // Both ends of a link: `~/.local/bin/repoidx` leads into the environment of a tool, which stays.
        let fleeting = fleeting(&real(path)).or_else(|| fleeting_folder(path));
        let found = HookProgram { path: path.to_owned(), fleeting };
        if found.fleeting.is_none() {
            return found;
        }
        first.get_or_insert(found);
    }
    first.unwrap_or_else(|| HookProgram { path: PathBuf::from("repoidx"), fleeting: None })
}

/// Why the program at this path, which is no link, may vanish.
fn fleeting(path: &Path) -> Option<Fleeting> {
    let is_environment = || path.ancestors().skip(1).take(3).any(|folder| folder.join("pyvenv.cfg").is_file());
    fleeting_folder(path).or_else(|| (!is_of_tool(path) && is_environment()).then_some(Fleeting::Environment))
}

/// Whether the path itself names a cache.
fn fleeting_folder(path: &Path) -> Option<Fleeting> {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    let has = |folders: &[&str]| parts.windows(folders.len()).any(|window| window == folders);
    let is_of_uv = parts.iter().any(|part| part.starts_with("archive-v") || part.starts_with("environments-v"));
    (is_of_uv || has(&["pipx", ".cache"]) || has(&[".cache", "pipx"])).then_some(Fleeting::Cache)
}

/// Whether an installer keeps the environment until it is told otherwise.
fn is_of_tool(path: &Path) -> bool {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    parts.windows(2).any(|pair| pair == ["uv", "tools"] || pair == ["pipx", "venvs"])
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;

    use super::*;

    /// A folder with a program at each of the paths; the ones below `venv` and `tools` lie in virtual environments.
    fn folder(paths: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for path in paths {
            let file = dir.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, "").unwrap();
            if path.contains("venv") || path.contains("archive-v0") {
                fs::write(file.parent().unwrap().parent().unwrap().join("pyvenv.cfg"), "").unwrap();
            }
        }
        dir
    }

    #[test]
    fn a_program_that_stays_is_taken_before_one_that_vanishes() {
        let paths =
            [".venv/bin/repoidx", "cargo/bin/repoidx", "uv/archive-v0/x/bin/repoidx", "pipx/venvs/repoidx/bin/repoidx"];
        let dir = folder(&paths);
        let [environment, cargo, cache, pipx] = paths.map(|path| dir.path().join(path));
        fs::create_dir(dir.path().join("local")).unwrap();
        let link = dir.path().join("local/repoidx");
        std::os::unix::fs::symlink(&pipx, &link).unwrap();
        let chosen = |running: &Path, in_path: &[PathBuf], usual: &[PathBuf]| {
            let found = choose(Some(running), in_path, usual);
            (found.path, found.fleeting)
        };
        let both = [environment.clone(), cargo.clone()];
        assert_eq!(chosen(&cargo, &both, &[]), (cargo.clone(), None));
        assert_eq!(chosen(&environment, &both, &[]), (cargo.clone(), None));
        assert_eq!(chosen(&environment, &both[..1], std::slice::from_ref(&cargo)), (cargo, None));
        assert_eq!(chosen(&environment, &both[..1], &[]), (environment, Some(Fleeting::Environment)));
        assert_eq!(chosen(&cache, &[], &[]), (cache, Some(Fleeting::Cache)));
        // The link survives an upgrade, its target does not.
        assert_eq!(chosen(&pipx, std::slice::from_ref(&link), &[]), (link, None));
        assert_eq!(chosen(&pipx, &[], &[]), (pipx, None));
    }
}
