//! What a project tells pytest to collect, and whether a name or a path fits that, as
//! <https://docs.pytest.org/en/stable/reference/customize.html> says.

use serde::{Deserialize, Serialize};

/// What a project's file tells pytest to collect. Each list is as written; an empty one leaves it at pytest's own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Collecting {
    /// Patterns of the names of files, or of their paths.
    pub files: Vec<String>,
    /// How the names of classes begin, or patterns of them.
    pub classes: Vec<String>,
    /// The same of functions and methods.
    pub functions: Vec<String>,
    /// Fixtures that every test uses.
    pub fixtures: Vec<String>,
}

/// The files in which a project sets up pytest. Of those in one folder the first counts that says something of it.
pub const PYTEST_FILES: [&str; 7] =
    ["pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"];

/// Whether a class or function is collected: its name begins so, or fits the pattern.
pub fn fits_name(patterns: &[String], name: &str) -> bool {
    patterns
        .iter()
        .any(|pattern| name.starts_with(pattern.as_str()) || pattern.contains(['*', '?', '[']) && fits(pattern, name))
}

/// Whether a file is collected: its name fits the pattern, or its path where the pattern has a `/`.
pub fn fits_path(patterns: &[String], path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let fits_one = |pattern: &String| {
        let is_of_path = pattern.contains('/');
        if is_of_path { fits(pattern, path) || fits(&format!("*/{pattern}"), path) } else { fits(pattern, name) }
    };
    patterns.iter().any(fits_one)
}

/// Whether a text fits a pattern as Python's `fnmatch` reads it.
fn fits(pattern: &str, text: &str) -> bool {
    let mut rest = pattern.chars();
    let Some(first) = rest.next() else { return text.is_empty() };
    let rest = rest.as_str();
    if first == '*' {
        let mut ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        return ends.any(|at| fits(rest, &text[at..]));
    }
    let mut following = text.chars();
    let Some(next) = following.next() else { return false };
    let text = following.as_str();
    match first {
        '?' => fits(rest, text),
        '[' => match one_of(rest, next) {
            Some((is_in, rest)) => is_in && fits(rest, text),
            None => next == '[' && fits(rest, text),
        },
        _ => next == first && fits(rest, text),
    }
}

/// Whether a character is one of those before the `]`, and what stands behind it; none where the bracket is not closed.
fn one_of(set: &str, wanted: char) -> Option<(bool, &str)> {
    let (is_other, set) = match set.strip_prefix('!') {
        Some(set) => (true, set),
        None => (false, set),
    };
    let first = set.chars().next()?.len_utf8();
    let end = first + set.get(first..)?.find(']')?;
    let (inside, rest) = (&set[..end], &set[end + 1..]);
    let characters: Vec<char> = inside.chars().collect();
    let mut at = 0;
    let mut is_in = false;
    while at < characters.len() {
        if at + 2 < characters.len() && characters[at + 1] == '-' {
            is_in |= (characters[at]..=characters[at + 2]).contains(&wanted);
            at += 3;
        } else {
            is_in |= characters[at] == wanted;
            at += 1;
        }
    }
    Some((is_in != is_other, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_so_or_fit_a_pattern() {
        let fits = |pattern: &str, name| fits_name(&[pattern.to_owned()], name);
        assert!(fits("Test", "TestCart") && fits("test_*", "test_cart") && fits("*Suite", "CartSuite"));
        assert!(fits("[A-C]heck?", "Check1") && fits("[!_]*", "cart") && fits("[]x]y", "]y"));
        assert!(!fits("Test", "CartTest") && !fits("*Suite", "SuiteOf") && !fits("[!_]*", "_cart"));
    }

    #[test]
    fn files_fit_by_their_name_or_by_their_path() {
        let fits = |pattern: &str, path| fits_path(&[pattern.to_owned()], path);
        assert!(fits("check_*.py", "a/check_cart.py") && fits("*", "a/cart.py"));
        assert!(fits("test_*/__init__.py", "a/test_b/__init__.py"));
        assert!(!fits("check_*.py", "check_a/cart.py") && !fits("check_", "check_cart.py"));
    }
}
