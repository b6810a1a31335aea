//! Paths of requests and the patterns of routes: by which parts at their ends they can be the same.

/// What a pattern ends with: its last literal part, and how many parts follow it. None where no part is literal.
pub(super) fn ending(pattern: &str) -> Option<String> {
    let parts = parts(pattern);
    let last = parts.iter().rposition(|part| is_literal(part))?;
    Some(named(parts[last], parts.len() - last - 1))
}

/// The endings of patterns that can be meant by a path, those with more literal parts first.
pub(super) fn endings_of(path: &str) -> Vec<String> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let parts = parts(path);
    let literal = (0..parts.len()).rev().filter(|&at| is_literal(parts[at]));
    literal.map(|at| named(parts[at], parts.len() - at - 1)).collect()
}

fn named(part: &str, followers: usize) -> String {
    format!("/{part}/{followers}")
}

fn parts(path: &str) -> Vec<&str> {
    let path = path.trim_start_matches('^').trim_end_matches('$');
    path.split('/').filter(|part| !part.is_empty() && *part != "?").collect()
}

fn is_literal(part: &str) -> bool {
    part.chars().all(|character| character.is_alphanumeric() || matches!(character, '-' | '_' | '.'))
}

#[cfg(test)]
mod tests {
    use super::{ending, endings_of};

    #[test]
    fn paths_meet_the_patterns_that_they_can_match() {
        assert_eq!(ending("cart/<int:pk>/"), Some("/cart/1".to_owned()));
        assert_eq!(ending(r"^cart/(?P<pk>\d+)/edit/$"), Some("/edit/0".to_owned()));
        assert_eq!(ending("<slug:slug>/"), None);
        assert_eq!(endings_of("/shop/cart/3/?page=2"), ["/3/0", "/cart/1", "/shop/2"]);
        assert_eq!(endings_of("/cart/{}"), ["/cart/1"]);
        assert_eq!(endings_of("/"), [""; 0]);
    }
}
