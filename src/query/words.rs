//! Numbers as people read them: with their nouns, and rounded; ids of commits, shortened; words of a command line.

/// Digits of a commit that a person reads.
const COMMIT_DIGITS: usize = 12;

/// `1 test`, `2 tests`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {}", plural(noun)) }
}

/// `tests` for `test`.
pub fn plural(noun: &str) -> String {
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if noun.ends_with("ss") || noun.ends_with("ch") => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// The words of a text that could be names.
pub(crate) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The first digits of a commit's id.
pub fn short_commit(id: &str) -> &str {
    id.get(..COMMIT_DIGITS).unwrap_or(id)
}

/// Four digits: enough for a reader, and equal on every machine.
pub(crate) fn rounded(probability: f64) -> f64 {
    (probability * 10_000.0).round() / 10_000.0
}

/// A word of a command line, in quotes where a shell needs them.
pub fn shell_word(text: &str) -> String {
    // A tilde stands for a folder only in front, and a dash for an option.
    let is_plain = |(at, c): (usize, char)| {
        c.is_ascii_alphanumeric() || "_./:@+=,%".contains(c) || (matches!(c, '~' | '-') && at > 0)
    };
    if !text.is_empty() && text.char_indices().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_follow_their_number() {
        assert_eq!(count(1, "test"), "1 test");
        assert_eq!(count(2, "entity"), "2 entities");
        assert_eq!(count(3, "class"), "3 classes");
        assert_eq!(count(0, "branch"), "0 branches");
    }
}
