//! The cuts of a long text into pieces.
//!
//! Each cut lies in the second half of sixty lines: before the outermost statement that begins there, the last of
//! several. Code without such a border (a long table of data) stays whole. A light scan finds brackets and strings, as
//! in `source`.

use std::ops::Range;

use super::source::string_at;

/// Lines of a piece.
const LONGEST: usize = 60;
/// A rest of so few lines is no piece of its own.
const REST: usize = 15;

/// The pieces of a body as lines, counted from 0; empty for a body that is one piece.
pub(super) fn pieces(body: &str) -> Vec<Range<usize>> {
    let lines = body.lines().count();
    if lines <= LONGEST + REST {
        return Vec::new();
    }
    let borders = borders(body);
    let (mut pieces, mut start) = (Vec::new(), 0);
    while lines - start > LONGEST + REST {
        let within = borders.iter().filter(|(line, _)| (start + LONGEST / 2..=start + LONGEST).contains(line));
        let after = || borders.iter().find(|(line, _)| *line > start + LONGEST);
        let Some(&(end, _)) = within.min_by_key(|(line, indent)| (*indent, usize::MAX - line)).or_else(after) else {
            break;
        };
        if lines - end <= REST {
            break;
        }
        pieces.push(start..end);
        start = end;
    }
    if !pieces.is_empty() {
        pieces.push(start..lines);
    }
    pieces
}

/// Lines on which a statement begins, or the comment or decorator before it, with their indentation.
fn borders(body: &str) -> Vec<(usize, usize)> {
    let (mut borders, mut line, mut depth, mut at) = (Vec::new(), 0, 0_usize, 0);
    let (mut is_free, mut is_attached) = (true, false);
    let bytes = body.as_bytes();
    while at < bytes.len() {
        if is_free {
            is_free = false;
            let rest = &body[at..];
            let text = rest.trim_start_matches([' ', '\t']);
            if !text.starts_with(['\n', '\r', ')', ']', '}']) && !text.is_empty() {
                if !is_attached && !continues(text) {
                    borders.push((line, rest.len() - text.len()));
                }
                is_attached = text.starts_with(['@', '#']);
            }
        }
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'#' => at += bytes[at..].iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len() - at) - 1,
            b'\\' => {
                let skipped = bytes.get(at + 1..).unwrap_or_default();
                let length = usize::from(skipped.starts_with(b"\r\n")) + 1;
                line += usize::from(skipped.first().is_some_and(|byte| matches!(byte, b'\n' | b'\r')));
                at += length.min(skipped.len());
            }
            b'\n' => {
                line += 1;
                is_free = depth == 0;
            }
            b'"' | b'\'' => {
                let length = string_at(&body[at..]).map_or(1, |string| string.whole);
                line += body[at..at + length].matches('\n').count();
                at += length - 1;
            }
            _ => {}
        }
        at += 1;
    }
    borders
}

/// Whether a line continues the compound statement before it.
fn continues(line: &str) -> bool {
    let word = line.split(|character: char| !character.is_alphanumeric()).next().unwrap_or_default();
    matches!(word, "else" | "elif" | "except" | "finally")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(blocks: usize, lines: usize) -> String {
        let block = format!("    if x:\n{}", "        y = 1\n".repeat(lines - 1));
        block.repeat(blocks)
    }

    #[test]
    fn a_long_body_is_cut_at_its_outermost_statements() {
        assert!(pieces(&body(10, 7)).is_empty(), "short enough");
        let found = pieces(&body(20, 7));
        assert_eq!(found, [0..56, 56..112, 112..140]);
    }

    #[test]
    fn one_statement_that_is_too_long_is_cut_inside() {
        let found = pieces(&body(1, 130));
        assert_eq!(found, [0..60, 60..130]);
        let table = format!("X = [\n{}]\n", "    1,\n".repeat(300));
        assert!(pieces(&table).is_empty());
        let text = format!("x = '''\n{}'''\ny = 1\n", "(\n".repeat(300));
        assert!(pieces(&text).is_empty(), "the rest is short");
        let text = format!("{text}{}", "y = 1\n".repeat(100));
        assert_eq!(pieces(&text)[0], 0..302);
    }

    #[test]
    fn no_cut_parts_what_belongs_together() {
        let text =
            "a = 1\n@d\ndef f():\n    try:\n        b(\n    x\n)\n    except E:\n        c\n# note\nz = 1 + \\\n2\n";
        let lines: Vec<usize> = borders(text).into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [0, 1, 3, 4, 8, 9]);
        for text in ["", "'", "\\", "\"\"\"ü", "(((", "\\\n\\\r\n", "#", "a\\", "é\n'ü\n"] {
            borders(&text.repeat(200));
            pieces(&text.repeat(200));
        }
    }
}
