//! Files that usually change together with the changed ones.
//!
//! A file is reported if at least half of the past commits on a changed file touched it and this change does not. This
//! is statistics, not a dependency, and decides nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

/// Commits with more files say nothing about pairs of files.
const MAX_FILES: usize = 30;
/// Fewer common commits are a coincidence.
const MIN_COMMON: usize = 4;
/// Most files reported.
const MAX_HABITS: usize = 5;

/// A file that usually changes with a changed one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CoChange {
    /// The file that was not touched.
    pub path: String,
    /// The changed file that it usually goes with.
    pub with: String,
    /// Commits that touched both.
    pub common: usize,
    /// Commits that touched the changed file.
    pub all: usize,
}

/// Files that were part of at least half of the commits that touched one of `changed`, most regular first.
pub fn co_changes(commits: &[Vec<String>], changed: &BTreeSet<&str>, exists: impl Fn(&str) -> bool) -> Vec<CoChange> {
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    let mut common: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for commit in commits.iter().filter(|commit| commit.len() <= MAX_FILES) {
        for with in commit.iter().filter(|path| changed.contains(path.as_str())) {
            *all.entry(with).or_default() += 1;
            for path in commit.iter().filter(|path| !changed.contains(path.as_str())) {
                *common.entry((path, with)).or_default() += 1;
            }
        }
    }
    let is_habit = |(pair, count): &(&(&str, &str), &usize)| **count >= MIN_COMMON && **count * 2 >= all[pair.1];
    let mut found: Vec<CoChange> = common
        .iter()
        .filter(is_habit)
        .filter(|((path, _), _)| exists(path))
        .map(|((path, with), count)| CoChange {
            path: (*path).to_owned(),
            with: (*with).to_owned(),
            common: *count,
            all: all[with],
        })
        .collect();
    // The share of commits, compared without division, then their number.
    found.sort_by(|a, b| {
        (b.common * a.all).cmp(&(a.common * b.all)).then(b.common.cmp(&a.common)).then_with(|| a.path.cmp(&b.path))
    });
    let mut seen = BTreeSet::new();
    found.retain(|habit| seen.insert(habit.path.clone()));
    found.truncate(MAX_HABITS);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_habit_needs_several_commits_and_half_of_them() {
        let commit = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>();
        let mut commits = vec![commit(&["a.py", "tests/a.py"]); 4];
        commits.extend(vec![commit(&["a.py", "b.py"]); 3]);
        commits.push(commit(&["a.py"]));
        let changed = BTreeSet::from(["a.py"]);
        let found = co_changes(&commits, &changed, |_| true);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].path.as_str(), found[0].common, found[0].all), ("tests/a.py", 4, 8));
        assert!(co_changes(&commits, &changed, |path| path != "tests/a.py").is_empty());
    }
}
