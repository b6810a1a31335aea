//! Paths as people name sets of them: a folder, a file, or a pattern with `*`.

/// Whether a path lies at or below `pattern`, or matches it if it contains `*`.
pub fn matches_path(path: &str, pattern: &str) -> bool {
    let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
    if !pattern.contains('*') {
        return pattern.is_empty()
            || path.strip_prefix(pattern).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    }
    let mut rest = path;
    let parts: Vec<&str> = pattern.split('*').collect();
    let (first, last) = (parts[0], parts[parts.len() - 1]);
    let Some(after) = rest.strip_prefix(first) else { return false };
    rest = after;
    for part in &parts[1..parts.len() - 1] {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_folders_or_patterns() {
        assert!(matches_path("src/a/b.py", "src/a"));
        assert!(matches_path("src/a/b.py", "./src/"));
        assert!(!matches_path("src/ab.py", "src/a"));
        assert!(matches_path("src/a/b.py", "*/b.py"));
        assert!(matches_path("src/a/b.py", "src/*.py"));
        assert!(!matches_path("src/a/b.py", "src/*.pyi"));
        assert!(matches_path("a", ""));
    }
}
