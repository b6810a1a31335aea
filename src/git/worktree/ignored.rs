//! Ignore rules: the untracked paths that git would not offer to add.
//!
//! Rules come from the `.gitignore` files on the way down, `info/exclude` and the user's excludes file. A walk must not
//! enter an ignored directory: the rules assume that no parent of a path is ignored. Tracked files are never ignored,
//! but these rules do not know them.

use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::git::{Repository, environment, worktree::read_regular};

/// Rules in force in one directory, nearest first.
#[derive(Clone)]
pub(crate) struct IgnoreRules {
    here: Option<Arc<Level>>,
    is_case_insensitive: bool,
}

struct Level {
    rules: Gitignore,
    above: Option<Arc<Level>>,
}

impl IgnoreRules {
    /// The rules at the top, before its own `.gitignore`: the user's, then those of `info/exclude` over them.
    pub(crate) fn at_top(repo: &Repository) -> Self {
        let is_case_insensitive = repo.objects.config_bool("core.ignorecase").unwrap_or(false);
        let user = repo.objects.config_path("core.excludesfile").or_else(environment::default_excludes);
        let top = Self { here: None, is_case_insensitive };
        let files = [user, Some(repo.common_dir.join("info").join("exclude"))];
        files.into_iter().flatten().fold(top, |rules, file| match std::fs::read(file) {
            Ok(text) => rules.with(Path::new(""), &text),
            Err(_) => rules,
        })
    }

    /// The rules inside `dir`, which has a `.gitignore` at `file`. git does not follow a symlink there.
    pub(crate) fn inside(&self, dir: &Path, file: &Path) -> Self {
        match read_regular(file) {
            Ok(text) => self.with(dir, &text),
            Err(_) => self.clone(),
        }
    }

    /// Whether `path`, relative to the root, is ignored.
    pub(crate) fn ignores(&self, path: &Path, is_dir: bool) -> bool {
        let mut level = self.here.as_deref();
        while let Some(Level { rules, above }) = level {
            match rules.matched(path, is_dir) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => level = above.as_deref(),
            }
        }
        false
    }

    fn with(&self, dir: &Path, text: &[u8]) -> Self {
        let mut builder = GitignoreBuilder::new(dir);
        if builder.case_insensitive(self.is_case_insensitive).is_err() {
            return self.clone();
        }
        let text = String::from_utf8_lossy(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text));
        for line in text.lines() {
            // A pattern that cannot be read matches nothing, for git too.
            let _ = builder.add_line(None, &translated(line));
        }
        match builder.build() {
            Ok(rules) if !rules.is_empty() => {
                let level = Level { rules, above: self.here.clone() };
                Self { here: Some(Arc::new(level)), ..*self }
            }
            _ => self.clone(),
        }
    }
}

/// Character classes by name, which the matcher does not know.
const CLASSES: [(&str, &str); 8] = [
    ("[:alnum:]", "a-zA-Z0-9"),
    ("[:alpha:]", "a-zA-Z"),
    ("[:blank:]", " \t"),
    ("[:digit:]", "0-9"),
    ("[:lower:]", "a-z"),
    ("[:space:]", " \t"),
    ("[:upper:]", "A-Z"),
    ("[:xdigit:]", "0-9a-fA-F"),
];

/// A line of git's as the matcher reads it the same way. Braces are plain characters to git, alternatives to the
/// matcher.
pub(crate) fn translated(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut is_escaped = false;
    for c in line.chars() {
        if matches!(c, '{' | '}') && !is_escaped {
            plain.push('\\');
        }
        is_escaped = c == '\\' && !is_escaped;
        plain.push(c);
    }
    if plain.contains("[:") {
        plain = CLASSES.iter().fold(plain, |line, (name, members)| line.replace(name, members));
    }
    plain
}
