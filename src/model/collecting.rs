//! A project's settings of pytest's collection, and whether a name or a path fits them, as
//! <https://docs.pytest.org/en/stable/reference/customize.html> says.

use serde::{Deserialize, Serialize};

/// The collection settings in a project's file. Each list is as written; an empty one leaves pytest's default.
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

/// Whether a text fits a pattern by the rules of Python's `fnmatch`. The time grows with both lengths, however many
/// `*` there are.
fn fits(mut pattern: &str, mut text: &str) -> bool {
    // The pattern after the last `*`, and the text from which it is tried.
    let mut last = None;
    loop {
        if let Some(behind) = pattern.strip_prefix('*') {
            last = Some((behind, text));
            pattern = behind;
        } else if pattern.is_empty() && text.is_empty() {
            return true;
        } else if let Some(rest) = behind_one(pattern, text) {
            (pattern, text) = rest;
        } else {
            let Some((behind, from)) = last else { return false };
            let mut from = from.chars();
            if from.next().is_none() {
                return false;
            }
            (pattern, text) = (behind, from.as_str());
            last = Some((pattern, text));
        }
    }
}

/// The pattern and the text behind one character that fits.
fn behind_one<'p, 't>(pattern: &'p str, text: &'t str) -> Option<(&'p str, &'t str)> {
    let (mut rest, mut following) = (pattern.chars(), text.chars());
    let (first, next) = (rest.next()?, following.next()?);
    let rest = rest.as_str();
    let (is_it, rest) = match first {
        '?' => (true, rest),
        '[' => one_of(rest, next).unwrap_or((next == '[', rest)),
        _ => (next == first, rest),
    };
    is_it.then_some((rest, following.as_str()))
}

/// Whether a character is one of those before the `]`, and the rest behind it; `None` where the bracket is not closed.
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
        let fits = |pattern: &str, name: &str| fits_name(&[pattern.to_owned()], name);
        assert!(fits("Test", "TestCart") && fits("test_*", "test_cart") && fits("*Suite", "CartSuite"));
        assert!(fits("[A-C]heck?", "Check1") && fits("[!_]*", "cart") && fits("[]x]y", "]y"));
        assert!(fits("[x", "[x") && fits("*a*b*", "xaxxbx") && !fits("*a*b", "ab_"));
        let (pattern, short, long) = ("*a".repeat(40), "a".repeat(39), "a".repeat(200));
        assert!(!fits(&pattern, &short) && fits(&pattern, &long) && !fits(&pattern, &format!("{long}b")));
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
