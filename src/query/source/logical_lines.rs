//! The logical lines of Python source: statements without a block, and the heads of blocks.
//!
//! They are read off the text, which need not parse. Several physical lines are one logical line within brackets,
//! within a string of three quotes and behind a backslash.

use crate::texts::source::string_at;

/// One logical line. Statements that semicolons join are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogicalLine {
    /// The first and last physical line, 1-based.
    pub start: u32,
    pub end: u32,
    /// Characters of white space before it.
    pub indent: usize,
    /// It consists of strings, as a docstring does.
    pub is_text: bool,
    /// It ends with a colon.
    pub opens_block: bool,
}

impl LogicalLine {
    /// Its physical lines in the text that it was read off.
    pub fn written(&self, text: &str) -> String {
        let skipped = self.start.saturating_sub(1) as usize;
        let lines = text.lines().skip(skipped).take((self.end - self.start + 1) as usize);
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// The logical lines of a text, in its order.
pub fn logical_lines(text: &str) -> Vec<LogicalLine> {
    let mut found = Vec::new();
    let mut open: Option<LogicalLine> = None;
    let (mut rest, mut line, mut depth, mut indent) = (text, 1, 0_usize, 0);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\n' => {
                if depth == 0 {
                    found.extend(open.take());
                    indent = 0;
                }
                1
            }
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '\\' => rest.find('\n').map_or(rest.len(), |at| at + 1),
            blank if blank.is_whitespace() => {
                indent += usize::from(open.is_none());
                blank.len_utf8()
            }
            _ => {
                let string = string_length(rest);
                match first {
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                let length = string.unwrap_or_else(|| word_length(rest));
                let blank = LogicalLine { start: line, end: line, indent, is_text: true, opens_block: false };
                let current = open.get_or_insert(blank);
                current.is_text &= string.is_some();
                current.opens_block = first == ':' && depth == 0;
                current.end = line + breaks(&rest[..length]);
                length
            }
        };
        line += breaks(&rest[..length]);
        rest = &rest[length..];
    }
    found.extend(open);
    found
}

fn breaks(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX)
}

/// The bytes of the word or the single character at the start of a text.
fn word_length(text: &str) -> usize {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    end.max(text.chars().next().map_or(0, char::len_utf8))
}

/// The bytes of the string that begins here, with its prefix and quotes; `None` for anything else.
fn string_length(text: &str) -> Option<usize> {
    let prefix = text.bytes().take(3).position(|byte| matches!(byte, b'"' | b'\''))?;
    if !text[..prefix].chars().all(|c| "rRbBuUfFtT".contains(c)) {
        return None;
    }
    Some(prefix + string_at(&text[prefix..])?.whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logical_lines_end_where_brackets_strings_and_backslashes_do() {
        let text = "\"\"\"Doc: [\n\"\"\"\nimport os\n\n# no\ndef f(\n    x: int,  # (\n):  # :\n    y = g(\n        x)\n\
                    \x20   return 'a # b:' \\\n        + x[1:]\n";
        let found: Vec<_> = logical_lines(text).iter().map(|one| (one.start, one.end, one.indent)).collect();
        assert_eq!(found, [(1, 2, 0), (3, 3, 0), (6, 8, 0), (9, 10, 4), (11, 12, 4)]);
        let has = |is: fn(&LogicalLine) -> bool| logical_lines(text).iter().map(is).collect::<Vec<_>>();
        assert_eq!(has(|one| one.is_text), [true, false, false, false, false]);
        assert_eq!(has(|one| one.opens_block), [false, false, true, false, false]);
    }

    #[test]
    fn broken_source_has_logical_lines_too() {
        let ends = |text: &str| logical_lines(text).iter().map(|one| (one.start, one.end)).collect::<Vec<_>>();
        assert_eq!(ends(""), []);
        assert_eq!(ends("x = '''\n\n"), [(1, 3)]);
        assert_eq!(ends("x = 'a\ny = f\"é\\\"\"\n"), [(1, 1), (2, 2)]);
        assert_eq!(ends("f(\nx\n"), [(1, 2)]);
        assert_eq!(ends(")\n\\"), [(1, 1)]);
    }
}
