//! The directory that git takes a repository's hooks from, and whether we may write there.
//!
//! git itself is asked, because `core.hooksPath` may come from any configuration file.

use std::path::{Path, PathBuf};

use crate::git::Repository;

use super::{HookError, HookEvent, script};

/// The directory that git takes hooks from.
pub(super) struct HooksFolder {
    pub(super) dir: PathBuf,
    pub(super) owner: Owner,
}

/// Whose a hooks directory is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Inside the git directory: this repository's alone.
    Repository,
    /// Inside the worktree: tracked files, or made by husky, lefthook and the like.
    Worktree,
    /// Anywhere else: shared by several repositories, or no directory at all.
    Others,
}

impl HooksFolder {
    /// Asks git where this worktree's hooks are.
    pub(super) fn of(repo: &Repository) -> Result<Self, HookError> {
        let answer = repo.ask_git(&["rev-parse", "--git-path", "hooks"])?.unwrap_or_else(|| "hooks".to_owned());
        let dir = resolved(&repo.root().unwrap_or(repo.git_dir()).join(answer));
        let owner = if dir.starts_with(repo.common_dir()) || dir.starts_with(repo.git_dir()) {
            Owner::Repository
        } else if repo.root().is_some_and(|root| dir.starts_with(root)) {
            Owner::Worktree
        } else {
            Owner::Others
        };
        Ok(Self { dir, owner })
    }

    /// The directory git uses when nothing is configured.
    pub(super) fn default_of(repo: &Repository) -> Self {
        Self { dir: repo.common_dir().join("hooks"), owner: Owner::Repository }
    }

    /// The refusal to write there, with advice for the user.
    pub(super) fn refusal(&self, repo: &Repository, events: &[HookEvent]) -> HookError {
        let origin = repo.ask_git(&["config", "--show-origin", "--get", "core.hooksPath"]).ok().flatten();
        let set_in = origin.as_deref().and_then(|line| line.split('\t').next()).map(|file| file.replace("file:", ""));
        let set_in = set_in.map_or_else(|| "a link".to_owned(), |file| format!("core.hooksPath in {file}"));
        let reason = match self.owner {
            Owner::Worktree => format!("{set_in}; inside the worktree"),
            _ => format!("{set_in}; outside the repository"),
        };
        HookError::Elsewhere { dir: self.dir.clone(), reason, advice: self.advice(repo, events) }
    }

    fn advice(&self, repo: &Repository, events: &[HookEvent]) -> String {
        let has = |name: &str| repo.root().is_some_and(|root| root.join(name).exists());
        let mut lines = Vec::new();
        if self.owner == Owner::Worktree
            && ["lefthook.yml", "lefthook.yaml", ".lefthook.yml"].iter().any(|name| has(name))
        {
            lines.push("add to lefthook.yml:".to_owned());
            for event in events {
                let run = format!("repoidx hook {event} {{0}}");
                lines.push(format!("  {event}: {{ commands: {{ repoidx: {{ run: \"{run}\" }} }} }}"));
            }
        } else {
            // husky's generated directory is `.husky/_`; the user's scripts are one level up.
            let husky = self.dir.components().any(|part| part.as_os_str() == ".husky");
            let dir = if husky { Path::new(".husky") } else { &self.dir };
            for event in events {
                lines.push(format!("add to {}:", dir.join(event.as_str()).display()));
                lines.push(format!("  {}", script::by_hand(*event)));
            }
        }
        lines.push(
            "git 2.54 and newer can run hooks from its configuration; repoidx then needs no file at all".to_owned(),
        );
        lines.join("\n")
    }
}

/// `path` with the links in its existing part followed.
fn resolved(path: &Path) -> PathBuf {
    let mut rest = Vec::new();
    let mut existing = path;
    loop {
        if let Ok(real) = existing.canonicalize() {
            return rest.iter().rev().fold(real, |path, name| path.join(name));
        }
        match (existing.parent(), existing.file_name()) {
            (Some(parent), Some(name)) => {
                rest.push(name);
                existing = parent;
            }
            _ => return path.to_owned(),
        }
    }
}

/// Whether git runs hooks that its configuration names (2.54 and newer).
pub(super) fn has_config_hooks(repo: &Repository) -> bool {
    version(repo).is_some_and(|version| version >= (2, 54))
}

/// git's version.
pub(crate) fn version(repo: &Repository) -> Option<(u32, u32)> {
    let text = repo.ask_git(&["version"]).ok()??;
    parse_version(&text)
}

fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.strip_prefix("git version ")?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::fixture::GitFixture;

    #[test]
    fn versions_are_read_whatever_follows() {
        for text in ["git version 2.54.0", "git version 2.54.GIT", "git version 2.54.1.windows.1 (Apple)"] {
            assert_eq!(parse_version(text), Some((2, 54)), "{text}");
        }
        assert_eq!(parse_version("not git"), None);
    }

    #[test]
    fn hooks_belong_to_whom_their_directory_belongs() {
        let fixture = GitFixture::new();
        fixture.commit("first");
        let owner = |value: &str| {
            fixture.git(&["config", "core.hooksPath", value]);
            HooksFolder::of(&fixture.open()).unwrap().owner
        };
        let shared = fixture.place("shared");
        assert_eq!(owner(".husky/_"), Owner::Worktree);
        assert_eq!(owner(".git/my-hooks"), Owner::Repository);
        assert_eq!(owner(shared.to_str().unwrap()), Owner::Others);
        assert_eq!(owner("/dev/null"), Owner::Others);
        fixture.git(&["config", "--unset", "core.hooksPath"]);
        assert_eq!(HooksFolder::of(&fixture.open()).unwrap().dir, fixture.root().join(".git/hooks"));
    }

    #[test]
    #[cfg(unix)]
    fn a_linked_hooks_directory_belongs_to_its_target() {
        let fixture = GitFixture::new();
        fixture.write("scripts/post-commit", "#!/bin/sh\n");
        std::fs::remove_dir_all(fixture.root().join(".git/hooks")).unwrap();
        std::os::unix::fs::symlink("../scripts", fixture.root().join(".git/hooks")).unwrap();
        assert_eq!(HooksFolder::of(&fixture.open()).unwrap().owner, Owner::Worktree);
    }
}
