//! Python text cut at its commas and brackets, without a parser: string literals and comments are skipped.

/// The parts of `text` between the commas outside brackets and strings; empty parts are left out.
pub fn split_at_commas(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, byte, depth) in outside_strings(text) {
        if byte == b',' && depth == 0 {
            parts.push(&text[start..at]);
            start = at + 1;
        }
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// The byte at which the bracket opened at byte `open` closes.
pub fn matching_close(text: &str, open: usize) -> Option<usize> {
    let found = outside_strings(&text[open..])
        .into_iter()
        .skip(1)
        .find(|(_, byte, depth)| *depth == 0 && matches!(byte, b')' | b']' | b'}'));
    found.map(|(at, ..)| open + at)
}

/// Number of lines of the head of a `def` or `class` with which `text` begins: up to its colon.
pub fn lines_of_head(text: &str) -> u32 {
    let colon = outside_strings(text).into_iter().find(|(_, byte, depth)| *byte == b':' && *depth == 0);
    let before = colon.map_or("", |(at, ..)| &text[..at]).matches('\n').count();
    u32::try_from(before).map_or(u32::MAX, |lines| lines.saturating_add(1))
}

/// The ASCII bytes of `text` outside string literals, each with the bracket depth after it.
pub fn outside_strings(text: &str) -> Vec<(usize, u8, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::with_capacity(bytes.len());
    let (mut depth, mut at) = (0_usize, 0);
    while at < bytes.len() {
        let byte = bytes[at];
        match byte {
            b'"' | b'\'' => {
                at = string_end(bytes, at);
                continue;
            }
            b'#' => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
                continue;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if byte.is_ascii() {
            found.push((at, byte, depth));
        }
        at += 1;
    }
    found
}

/// The byte after the string literal that starts at `start`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let is_triple = bytes[start..].starts_with(&[quote, quote, quote]);
    let mut at = start + if is_triple { 3 } else { 1 };
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            byte if byte == quote && !is_triple => return at + 1,
            _ if is_triple && bytes[at..].starts_with(&[quote, quote, quote]) => return at + 3,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_ends_at_its_own_colon() {
        let lines = ["def f(): pass", "def f(\n    a: int = {1: 2},  # :\n) -> dict[str, int]:\n    x: int", "def f("];
        assert_eq!(lines.map(lines_of_head), [1, 3, 1]);
    }
}
