//! Makes text of a repository safe to show.
//!
//! Everything that could steer a terminal or reorder a line becomes a visible escape: C0, DEL, C1, bidi marks, tag
//! characters.

use std::{borrow::Cow, fmt::Write as _};

/// Characters of a line of source in a prompt, unless the user sets another number. Of the lines that people write, one
/// in ten thousand is longer.
pub(crate) const MAX_LINE: usize = 300;
/// Characters of the words that stand for the rest of a line.
const ELIDED: usize = 40;

/// `text` for one line of output: no character moves the cursor, switches a mode or reorders its neighbors.
pub fn visible(text: &str) -> Cow<'_, str> {
    escape(text, steers)
}

/// Like [`visible`], but line ends and tabs stay, as source code needs them.
pub fn visible_source(text: &str) -> Cow<'_, str> {
    escape(text, |c| c != '\n' && c != '\t' && steers(c))
}

/// Like [`visible_source`], with the rest of a line left out where it has more than about `longest` characters: a long
/// literal.
pub(crate) fn elided(text: &str, longest: usize) -> String {
    let mut short = String::new();
    for line in visible_source(text).split_inclusive('\n') {
        let end = if line.ends_with('\n') { "\n" } else { "" };
        let length = line.chars().count();
        match line.char_indices().nth(longest) {
            Some((at, _)) if length > longest + ELIDED => {
                short.push_str(&line[..at]);
                short.push_str(&format!("… ({} more characters){end}", length - longest - end.len()));
            }
            _ => short.push_str(line),
        }
    }
    short
}

/// A path as git prints it: unchanged, or in C-style quotes if it holds characters that need them.
pub fn visible_path(path: &str) -> Cow<'_, str> {
    let is_quoted = path.len() > 1 && path.starts_with('"') && path.ends_with('"');
    if !path.chars().any(|c| steers(c) || c == '\\' || c == '"') || (is_quoted && !path.chars().any(steers)) {
        return Cow::Borrowed(path);
    }
    let mut quoted = String::from("\"");
    for c in path.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c if steers(c) => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    write!(quoted, "\\{byte:03o}").expect("writing to a String cannot fail");
                }
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    Cow::Owned(quoted)
}

/// A Markdown fence that none of the texts can end: longer than their longest run of backticks.
pub(crate) fn fence<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let runs = texts.into_iter().flat_map(|text| text.split(|c| c != '`')).map(str::len);
    // Markdown asks for three backticks at least.
    "`".repeat(runs.max().unwrap_or(0).max(2) + 1)
}

/// Whether a character can change how the text around it appears.
pub(crate) fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{e0000}'..='\u{e007f}')
}

fn escape(text: &str, is_hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.is_ascii() && !text.bytes().any(|byte| is_hidden(char::from(byte))) || !text.chars().any(&is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' if is_hidden(c) => escaped.push_str("\\n"),
            '\t' if is_hidden(c) => escaped.push_str("\\t"),
            '\r' if is_hidden(c) => escaped.push_str("\\r"),
            c if !is_hidden(c) => escaped.push(c),
            c if u32::from(c) < 0x100 => {
                write!(escaped, "\\x{:02x}", u32::from(c)).expect("writing to a String cannot fail");
            }
            c => write!(escaped, "\\u{{{:x}}}", u32::from(c)).expect("writing to a String cannot fail"),
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_and_bidi_marks_become_visible() {
        assert_eq!(visible("a\u{1b}[31mb\u{9b}c\u{7f}\n"), "a\\x1b[31mb\\x9bc\\x7f\\n");
        assert_eq!(visible("user\u{202e}nimda"), "user\\u{202e}nimda");
        assert_eq!(visible("héllo 名前"), "héllo 名前");
    }

    #[test]
    fn source_keeps_its_lines_and_tabs() {
        assert_eq!(visible_source("if x:\n\ty\r\u{c}"), "if x:\n\ty\\r\\x0c");
    }

    #[test]
    fn paths_are_quoted_like_git() {
        assert_eq!(visible_path("src/café.py"), "src/café.py");
        assert_eq!(visible_path("a\nb \"c\".py"), r#""a\nb \"c\".py""#);
        assert_eq!(visible_path("\u{1b}x\u{202e}.py"), r#""\033x\342\200\256.py""#);
        assert_eq!(visible_path(r#""caf\351.py""#), r#""caf\351.py""#, "stored in quotes already");
    }

    #[test]
    fn the_rest_of_a_long_line_is_counted() {
        let line = format!("x = '{}'", "é".repeat(5_000));
        let expected = format!("{}… (4706 more characters)\ny = 1", line.chars().take(MAX_LINE).collect::<String>());
        assert_eq!(elided(&format!("{line}\ny = 1"), MAX_LINE), expected);
        assert_eq!(elided(&"x".repeat(MAX_LINE + ELIDED), MAX_LINE).len(), MAX_LINE + ELIDED);
    }
}
