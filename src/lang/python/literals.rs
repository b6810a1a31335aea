//! The string literals and comments of a file, read byte by byte.
//!
//! No syntax tree is needed: a literal begins at a quote outside of others. Text that is no Python gives some literals,
//! and an unclosed one ends with its line.

use crate::facts::literals::{LiteralKind, SourceLiteral};

/// Characters of one literal that are kept: longer ones are data.
const LONGEST: usize = 1000;
/// Bytes of all literals of a file: beyond that they are data.
const MOST: usize = 256 << 10;
/// Letters and digits that a text has at least.
const LEAST_LETTERS: usize = 3;

/// The literals of a file in its order.
pub(crate) fn literals(bytes: &[u8]) -> Vec<SourceLiteral> {
    let mut reader = LiteralReader { bytes, at: 0, line: 1, found: Vec::new(), size: 0 };
    reader.read();
    reader.found.retain(|literal| {
        literal.text.chars().filter(|letter| letter.is_alphanumeric()).take(LEAST_LETTERS).count() == LEAST_LETTERS
    });
    reader.found
}

struct LiteralReader<'b> {
    bytes: &'b [u8],
    at: usize,
    line: u32,
    found: Vec<SourceLiteral>,
    size: usize,
}

/// The code before a byte, as far as it decides over the next literal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing of the statement: a text here is a docstring, or is thrown away.
    Nothing,
    /// A text that was kept: Python joins the next one to it.
    Text,
    Code,
}

impl LiteralReader<'_> {
    fn read(&mut self) {
        let mut depth = 0_usize;
        let mut before = Before::Nothing;
        // The line of the comment that a comment on the next line continues.
        let mut comment = 0;
        let mut word = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            if self.size > MOST {
                return;
            }
            match byte {
                b'\n' => {
                    self.line += 1;
                    if depth == 0 {
                        before = Before::Nothing;
                    }
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | b'\x0c' => self.at += 1,
                b'\\' => {
                    // A continued line.
                    self.line += u32::from(self.bytes.get(self.at + 1) == Some(&b'\n'));
                    self.at += 2;
                }
                b'#' => {
                    let is_alone = before == Before::Nothing;
                    self.comment(is_alone && comment != 0 && comment + 1 == self.line);
                    comment = if is_alone { self.line } else { 0 };
                }
                b'"' | b'\'' => {
                    let prefix = &self.bytes[word.min(self.at)..self.at];
                    let prefix =
                        if prefix.len() <= 2 && prefix.iter().all(u8::is_ascii_alphabetic) { prefix } else { b"" };
                    let (line, text) = self.string(prefix);
                    // A prefix is no code before the text.
                    let is_docstring = before == Before::Nothing && depth == 0;
                    if before == Before::Text {
                        self.join(&text);
                    } else if !is_docstring {
                        self.add(line, LiteralKind::Text, text);
                    }
                    before = if is_docstring { Before::Nothing } else { Before::Text };
                    word = self.at;
                }
                _ => {
                    match byte {
                        b'(' | b'[' | b'{' => depth += 1,
                        b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    if byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 {
                        word = self.at;
                        while self
                            .bytes
                            .get(self.at)
                            .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80)
                        {
                            self.at += 1;
                        }
                        let is_prefix = self.at - word <= 2
                            && matches!(self.bytes.get(self.at), Some(b'"' | b'\''))
                            && self.bytes[word..self.at].iter().all(|byte| b"rbfutRBFUT".contains(byte));
                        if is_prefix {
                            continue;
                        }
                    } else {
                        self.at += 1;
                    }
                    before = Before::Code;
                    word = self.at;
                }
            }
        }
    }

    fn comment(&mut self, continues: bool) {
        let start = self.at;
        let length = self.bytes[start..].iter().position(|byte| *byte == b'\n').unwrap_or(self.bytes.len() - start);
        self.at = start + length;
        let text = String::from_utf8_lossy(&self.bytes[start..self.at]);
        let text = text.trim_start_matches(['#', '!', ':']).trim();
        match self.found.last_mut().filter(|last| continues && last.kind == LiteralKind::Comment) {
            Some(last) if last.text.len() < LONGEST => {
                last.text.push('\n');
                last.text.push_str(text);
                self.size += text.len();
            }
            Some(_) => {}
            None => self.add(self.line, LiteralKind::Comment, text.to_owned()),
        }
    }

    /// Reads the literal that begins here; returns its line and text.
    fn string(&mut self, prefix: &[u8]) -> (u32, String) {
        let line = self.line;
        let has = |letter: u8| prefix.iter().any(|byte| byte.to_ascii_lowercase() == letter);
        let (is_raw, is_format) = (has(b'r'), has(b'f') || has(b't'));
        let quote = self.bytes[self.at];
        let is_triple = self.bytes[self.at..].starts_with(&[quote; 3]);
        self.at += if is_triple { 3 } else { 1 };
        let mut text = Vec::new();
        while let Some(&byte) = self.bytes.get(self.at) {
            let rest = &self.bytes[self.at..];
            if byte == quote && (!is_triple || rest.starts_with(&[quote; 3])) {
                self.at += if is_triple { 3 } else { 1 };
                break;
            }
            match byte {
                b'\n' if !is_triple => break,
                b'\n' => {
                    self.line += 1;
                    text.push(b'\n');
                    self.at += 1;
                }
                b'\\' => {
                    let next = rest.get(1).copied().unwrap_or(b' ');
                    self.line += u32::from(next == b'\n');
                    match next {
                        _ if is_raw => text.extend([b'\\', next]),
                        b'n' | b't' | b'r' => text.push(b' '),
                        b'\n' => {}
                        next => text.push(next),
                    }
                    self.at += 2;
                }
                b'{' if is_format && rest.get(1) != Some(&b'{') => {
                    self.field(is_triple);
                    text.extend(b"{}");
                }
                b'{' | b'}' if is_format => {
                    text.push(byte);
                    self.at += 2;
                }
                byte => {
                    text.push(byte);
                    self.at += 1;
                }
            }
        }
        self.at = self.at.min(self.bytes.len());
        (line, String::from_utf8_lossy(&text).into_owned())
    }

    /// Passes over `{value!r:>3}` of an f-string, texts inside it included.
    fn field(&mut self, is_triple: bool) {
        let mut depth = 0_usize;
        let mut inner: Option<u8> = None;
        while let Some(&byte) = self.bytes.get(self.at) {
            match (byte, inner) {
                (b'\n', _) if !is_triple => return,
                (b'\n', _) => self.line += 1,
                (b'"' | b'\'', None) => inner = Some(byte),
                (byte, Some(quote)) if byte == quote => inner = None,
                (b'{', None) => depth += 1,
                (b'}', None) => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    fn add(&mut self, line: u32, kind: LiteralKind, text: String) {
        let text = match text.char_indices().nth(LONGEST) {
            Some((end, _)) => text[..end].to_owned(),
            None => text,
        };
        self.size += text.len();
        self.found.push(SourceLiteral { line, kind, text });
    }

    fn join(&mut self, text: &str) {
        if let Some(last) =
            self.found.last_mut().filter(|last| last.kind == LiteralKind::Text && last.text.len() < LONGEST)
        {
            last.text.push_str(text);
            self.size += text.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(u32, &str)]) {
        let found = literals(text.as_bytes());
        let found: Vec<_> = found.iter().map(|literal| (literal.line, literal.text.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn texts_are_found_with_their_lines() {
        check("x = 'one'\ny = b\"two\\n\" + r'c\\d three'\n", &[(1, "one"), (2, "two "), (2, "c\\d three")]);
        check(
            "f(\n    'one '\n    'two',\n    \"\"\"three\nfour\"\"\", 'five')\n",
            &[(2, "one two"), (4, "three\nfour"), (5, "five")],
        );
        check("x = 'unclosed\ny = 'next'\n", &[(1, "unclosed"), (2, "next")]);
        check("d['key'] = prefix_f'no prefix'\n", &[(1, "key"), (1, "no prefix")]);
    }

    #[test]
    fn values_are_left_open() {
        check(
            "f'{name!r} is {d[\"k\"]} {{x}} done'\nx = f'{name!r} is {d[\"k\"]} {{x}} done'\n",
            &[(2, "{} is {} {x} done")],
        );
        check("raise E('%s is not' % x)\n", &[(1, "%s is not")]);
    }

    #[test]
    fn docstrings_are_left_out_and_comments_are_joined() {
        let text = "'''module'''\ndef f():\n    \"doc\"\n    # first line\n    # second line\n    x = 1  # beside it\n\n    # third\n";
        check(text, &[(4, "first line\nsecond line"), (6, "beside it"), (8, "third")]);
        check("# a\n#: ab\nx = '-'\n", &[(1, "a\nab")]);
    }

    #[test]
    fn broken_texts_are_no_error() {
        for text in
            ["'", "'''", "f'{", "f'{\"", "f'}", "\\", "x = 'a\\", "\"\"\"\n", "((('", "}]'abc'", "é'ü'", "f'''{\n"]
        {
            literals(text.as_bytes());
        }
        assert_eq!(literals(format!("x = '{}'", "a".repeat(5000)).as_bytes())[0].text.len(), LONGEST);
    }
}
