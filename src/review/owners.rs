//! Owners of files, from CODEOWNERS.
//!
//! The last pattern that fits a path decides, as on code hosts. Patterns are those of gitignore without `!` and `[…]`,
//! which code hosts do not accept either.

use serde::Serialize;

/// Paths where code hosts look; the first existing one counts.
pub const PLACES: [&str; 4] = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"];

/// Files of a report and their owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ownership {
    pub owner: String,
    pub paths: Vec<String>,
}

/// The rules of a CODEOWNERS file.
#[derive(Clone, Debug, Default)]
pub struct Owners {
    /// Pattern and owners, in the order of the file.
    rules: Vec<(String, Vec<String>)>,
}

impl Owners {
    /// Parses a file; lines in an unknown form are ignored.
    pub fn parse(text: &str) -> Self {
        let rule = |line: &str| {
            let line = line.split(" #").next().unwrap_or("").trim();
            let mut words = line.split_whitespace();
            let pattern = words.next().filter(|word| !word.starts_with(['#', '[', '^', '!']))?;
            Some((pattern.to_owned(), words.map(str::to_owned).collect()))
        };
        Self { rules: text.lines().filter_map(rule).collect() }
    }

    /// The owners of a file, as written.
    pub fn of(&self, path: &str) -> &[String] {
        let rule = self.rules.iter().rev().find(|(pattern, _)| fits(pattern, path));
        rule.map_or(&[], |(_, owners)| owners)
    }

    /// The owners of `paths` with their paths, sorted by owner.
    pub fn group<'p>(&self, paths: impl IntoIterator<Item = &'p str>) -> Vec<Ownership> {
        let mut groups: std::collections::BTreeMap<&str, Vec<String>> = std::collections::BTreeMap::new();
        for path in paths {
            for owner in self.of(path) {
                let list = groups.entry(owner).or_default();
                if !list.iter().any(|known| known == path) {
                    list.push(path.to_owned());
                }
            }
        }
        groups.into_iter().map(|(owner, paths)| Ownership { owner: owner.to_owned(), paths }).collect()
    }
}

/// Whether a pattern covers a path or a folder above it.
fn fits(pattern: &str, path: &str) -> bool {
    let is_folder = pattern.ends_with('/');
    let trimmed = pattern.trim_end_matches('/');
    let is_anchored = trimmed.trim_start_matches("**/").contains('/') || trimmed.starts_with('/');
    let pattern: Vec<&str> = trimmed.trim_start_matches('/').split('/').collect();
    let parts: Vec<&str> = path.split('/').collect();
    let starts = if is_anchored { 0..1 } else { 0..parts.len() };
    for start in starts {
        for end in start + 1..=parts.len() {
            let is_file = end == parts.len();
            if !(is_file && is_folder) && segments(&pattern, &parts[start..end]) {
                // `docs/*` owns files in docs, but not in folders below.
                if is_file || pattern.last() != Some(&"*") {
                    return true;
                }
            }
        }
    }
    false
}

fn segments(pattern: &[&str], parts: &[&str]) -> bool {
    match pattern {
        [] => parts.is_empty(),
        ["**", rest @ ..] => (0..=parts.len()).any(|skip| segments(rest, &parts[skip..])),
        [first, rest @ ..] => parts.first().is_some_and(|part| glob(first, part)) && segments(rest, &parts[1..]),
    }
}

/// `*` and `?` within one part of a path.
fn glob(pattern: &str, text: &str) -> bool {
    let mut pattern_parts = pattern.chars();
    match pattern_parts.next() {
        None => text.is_empty(),
        Some('*') => {
            let rest = pattern_parts.as_str();
            text.char_indices().map(|(at, _)| at).chain([text.len()]).any(|at| glob(rest, &text[at..]))
        }
        Some(wanted) => {
            let mut characters = text.chars();
            let found = characters.next();
            found.is_some_and(|found| wanted == '?' || wanted == found)
                && glob(pattern_parts.as_str(), characters.as_str())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_pattern_that_fits_counts() {
        let owners = Owners::parse(
            "# all\n*  @all\n*.py @py\n/docs/ @docs # why\nsrc/**/api.py @api @web\napps/* @apps\n/build/logs/ @logs\nnone.txt\n",
        );
        let of = |path: &str| owners.of(path).join(" ");
        assert_eq!(of("a.txt"), "@all");
        assert_eq!(of("x/a.py"), "@py");
        assert_eq!(of("docs/deep/a.py"), "@docs");
        assert_eq!(of("x/docs/a.md"), "@all");
        assert_eq!(of("src/api.py"), "@api @web");
        assert_eq!(of("src/a/b/api.py"), "@api @web");
        assert_eq!(of("apps/a.md"), "@apps");
        assert_eq!(of("apps/deep/a.md"), "@all");
        assert_eq!(of("none.txt"), "");
        let groups = owners.group(["a.py", "docs/x", "b.py", "a.py"]);
        let words: Vec<_> = groups.iter().map(|group| format!("{} {}", group.owner, group.paths.join(" "))).collect();
        assert_eq!(words, ["@docs docs/x", "@py a.py b.py"]);
    }
}
