//! Files that their owners withhold from language models.
//!
//! The ignore files at the repository's root (`.repoidxignore`, `.aiignore`, `.cursorignore`) name them in git's
//! syntax. Some names are always withheld because such files hold keys.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::git::worktree::ignored::translated;

/// The files that are read.
pub const EXCLUSION_FILES: [&str; 3] = [".repoidxignore", ".aiignore", ".cursorignore"];

/// Names of files that hold keys.
const ALWAYS: &[&str] = &[
    ".env",
    ".env.*",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.jks",
    "id_rsa*",
    "id_ed25519*",
    "id_ecdsa*",
    ".npmrc",
    ".pypirc",
    ".netrc",
    "kubeconfig",
    "*.kdbx",
    "secrets.toml",
    "secrets.json",
    "secrets.yml",
    "secrets.yaml",
    ".htpasswd",
];

/// Rules about withheld files.
#[derive(Debug)]
pub struct Exclusions {
    rules: Gitignore,
}

impl Exclusions {
    /// Rules from the texts of ignore files, later ones over earlier ones.
    pub fn new<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let mut builder = GitignoreBuilder::new("");
        for line in ALWAYS {
            let _ = builder.add_line(None, line);
        }
        for line in texts.flat_map(str::lines) {
            // A pattern that cannot be read matches nothing, for git too.
            let _ = builder.add_line(None, &translated(line));
        }
        Self { rules: builder.build().unwrap_or_else(|_| Gitignore::empty()) }
    }

    /// The rules of the [`EXCLUSION_FILES`] that `read` finds.
    pub fn read(read: impl Fn(&str) -> Option<String>) -> Self {
        let texts: Vec<String> = EXCLUSION_FILES.into_iter().filter_map(read).collect();
        Self::new(texts.iter().map(String::as_str))
    }

    /// Whether `path`, relative to the root, or a folder above it, is kept back.
    pub fn has(&self, path: &str) -> bool {
        self.rules.matched_path_or_any_parents(Path::new(path), false).is_ignore()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_those_of_git() {
        let exclusions = Exclusions::new(["private/\n!private/ok.py\n", "*_gen.py\n# comment\n"].into_iter());
        let kept: Vec<&str> =
            ["private/a.py", "src/x_gen.py", "config/.env", "src/a.py", "a/private/deep/b.py", "secrets.toml"]
                .into_iter()
                .filter(|path| exclusions.has(path))
                .collect();
        assert_eq!(kept, ["private/a.py", "src/x_gen.py", "config/.env", "a/private/deep/b.py", "secrets.toml"]);
    }
}
