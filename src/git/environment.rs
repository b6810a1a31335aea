//! The environment of git commands that we start: which git runs, and which variables are removed.
//!
//! This process may be a hook, so a parent git may wait for it. Commands made here cannot touch the index, the objects
//! or the worktree of that parent.

#![expect(clippy::disallowed_methods, reason = "git's own variables are part of git's interface, and git is run here")]

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::GitError;

/// Variables that tie a child to one repository: the list of `git rev-parse --local-env-vars` without
/// `GIT_CONFIG_PARAMETERS` and `GIT_CONFIG_COUNT`. Those two hold the settings that the *user* gave with `git -c`, such
/// as `safe.directory`.
pub(super) const LOCAL_VARIABLES: [&str; 14] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// The repository that git names to a hook, if it does.
pub(super) fn named_repository() -> Option<(PathBuf, Option<PathBuf>)> {
    let git_dir = env::var_os("GIT_DIR").filter(|value| !value.is_empty())?;
    let work_tree = env::var_os("GIT_WORK_TREE").filter(|value| !value.is_empty());
    Some((PathBuf::from(git_dir), work_tree.map(PathBuf::from)))
}

/// Where this process stands.
pub(super) fn current_dir() -> Result<PathBuf, GitError> {
    env::current_dir().map_err(GitError::io("finding the current directory"))
}

/// Where the running program is.
pub(crate) fn current_exe() -> Option<PathBuf> {
    env::current_exe().ok()
}

/// Directories above which git does not look for a repository.
pub(super) fn ceilings() -> Vec<PathBuf> {
    let Some(value) = env::var_os("GIT_CEILING_DIRECTORIES") else { return Vec::new() };
    env::split_paths(&value).filter(|dir| dir.is_absolute()).collect()
}

/// The user's configuration file, where the environment moves it. An empty path stands for none at all.
pub(super) fn global_config() -> Option<PathBuf> {
    env::var_os("GIT_CONFIG_GLOBAL").map(PathBuf::from)
}

/// Whether the system's configuration counts.
pub(super) fn has_system_config() -> bool {
    env::var_os("GIT_CONFIG_NOSYSTEM").is_none_or(|value| value.is_empty() || value == "0" || value == "false")
}

/// Where git looks for ignore rules when `core.excludesFile` is not set.
pub(super) fn default_excludes() -> Option<PathBuf> {
    let set = |name| env::var_os(name).filter(|value: &std::ffi::OsString| !value.is_empty()).map(PathBuf::from);
    let config = set("XDG_CONFIG_HOME").or_else(|| env::home_dir().map(|home| home.join(".config")))?;
    Some(config.join("git").join("ignore"))
}

/// Removes from a child's environment whatever ties it to the repository of the git that started us.
pub(crate) fn detach_from_git(command: &mut Command) {
    for name in LOCAL_VARIABLES {
        command.env_remove(name);
    }
}

/// A git command that takes no locks, asks nothing, fetches nothing and starts no program of the repository's choice.
pub(super) fn git(dir: &Path) -> Result<Command, GitError> {
    let mut command = Command::new(program().ok_or(GitError::NoGit)?);
    detach_from_git(&mut command);
    command
        .current_dir(dir)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_PAGER", "cat")
        .env("LC_ALL", "C")
        .args(["-c", "core.fsmonitor=false"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Ok(command)
}

/// The git command by its absolute path. `PATH` is searched here: an entry relative to the current directory could
/// otherwise start a program of the repository.
fn program() -> Option<&'static Path> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    PROGRAM.get_or_init(|| find_program("git")).as_deref()
}

/// The first executable file of this name in the absolute directories of `PATH`.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    find_programs(name).into_iter().next()
}

/// All executable files of this name in the absolute directories of `PATH`.
pub(crate) fn find_programs(name: &str) -> Vec<PathBuf> {
    let Some(dirs) = env::var_os("PATH") else { return Vec::new() };
    executables(name, env::split_paths(&dirs))
}

/// The executable files of this name where installers put programs, whether or not `PATH` leads there.
pub(crate) fn usual_programs(name: &str) -> Vec<PathBuf> {
    let home = env::home_dir().unwrap_or_default();
    let dirs = [home.join(".local/bin"), home.join(".cargo/bin"), "/usr/local/bin".into(), "/opt/homebrew/bin".into()];
    executables(name, dirs.into_iter())
}

fn executables(name: &str, dirs: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    dirs.filter(|dir| dir.is_absolute()).map(|dir| dir.join(&name)).filter(|file| is_executable(file)).collect()
}

/// Whether this is a file that the system would start.
pub(crate) fn is_executable(file: &Path) -> bool {
    let Ok(metadata) = file.metadata() else { return false };
    #[cfg(unix)]
    {
        metadata.is_file() && std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0
    }
    #[cfg(not(unix))]
    {
        metadata.is_file()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_local_variable_of_this_git_is_known() {
        let output = git(Path::new("/")).unwrap().args(["rev-parse", "--local-env-vars"]).output().unwrap();
        for name in String::from_utf8(output.stdout).unwrap().lines() {
            let is_kept = ["GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT"].contains(&name);
            assert!(is_kept || LOCAL_VARIABLES.contains(&name), "{name} is not removed");
        }
    }
}
