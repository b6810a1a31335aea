//! Lines that somebody is just writing.
//!
//! From a syntax tree with errors and its bytes, this makes a tree in which one line or a few, at the first error, are
//! blanked as far as they disturb: of `total = cart.` the dot, of `if cart.` all but `cart`. The finished part of the
//! line still counts. There is no result where no such line saves more than it costs.

use tree_sitter::{Node, Parser, Tree};

use super::{blank, start_of_line};
use crate::lang::python::syntax::advance;

/// Lines before the error that may all be one unfinished statement; twice as many of the error itself are tried.
const MOST_LINES: usize = 4;
/// Longer lines are blanked as a whole.
const LONGEST: usize = 240;
/// Words that begin a statement of which the rest can stand alone.
const BEGINNINGS: [&str; 14] = [
    "assert", "async", "await", "case", "del", "elif", "except", "if", "match", "raise", "return", "while", "with",
    "yield",
];

/// The bytes of a line or more.
type ByteRange = std::ops::Range<usize>;

/// The best tree after blanking at the first error, with its bytes; `None` when no blanking makes it better. Each
/// parse takes one of `left`.
pub(super) fn blanked(parser: &mut Parser, tree: &Tree, bytes: &[u8], left: &mut usize) -> Option<(Tree, Vec<u8>)> {
    let error = first_error(tree.root_node())?;
    let mut least = lost(tree.root_node());
    let mut best = None;
    for lines in candidates(bytes, &error) {
        if *left == 0 {
            break;
        }
        *left -= 1;
        let mut other = bytes.to_vec();
        let is_one = !bytes[lines.clone()].contains(&b'\n');
        let kept = if is_one { part_that_parses(parser, &bytes[lines.clone()]) } else { 0..0 };
        blank(&mut other[lines.start..lines.start + kept.start]);
        blank(&mut other[lines.start + kept.end..lines.end]);
        let tree = parser.parse(&other, None)?;
        let written = |bytes: &[u8]| bytes.iter().filter(|byte| !byte.is_ascii_whitespace()).count();
        let lost = lost(tree.root_node()) + written(&bytes[lines.clone()]) - written(&other[lines]);
        if lost < least {
            least = lost;
            let is_whole = !tree.root_node().has_error();
            best = Some((tree, other));
            if is_whole {
                break;
            }
        }
    }
    best
}

/// The number of bytes in errors; a missing token counts as one.
fn lost(root: Node<'_>) -> usize {
    let (mut sum, mut cursor) = (0, root.walk());
    loop {
        let node = cursor.node();
        let is_lost = node.is_error() || node.is_missing();
        if is_lost {
            sum += (node.end_byte() - node.start_byte()).max(1);
        }
        if !advance(&mut cursor, node.has_error() && !is_lost) {
            return sum;
        }
    }
}

/// The first error that has no other inside.
fn first_error(root: Node<'_>) -> Option<ByteRange> {
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        let (mut children, is_error) = (node.walk(), node.is_error() || node.is_missing());
        let has_inner = node.children(&mut children).any(|child| child.has_error() || child.is_missing());
        if is_error && !has_inner {
            return Some(node.byte_range());
        }
        if !advance(&mut cursor, has_inner) {
            return None;
        }
    }
}

/// Lines that may disturb, each alone: those of the error, the last first, and the one before it that is not empty.
/// Then the last two to four before it together, as one statement.
fn candidates(bytes: &[u8], error: &ByteRange) -> Vec<ByteRange> {
    let start_of = |at: usize| start_of_line(bytes, at);
    let end_of = |at: usize| bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |end| at + end);
    let is_empty = |lines: &ByteRange| bytes[lines.clone()].iter().all(u8::is_ascii_whitespace);
    let first = start_of(error.start);
    let mut all = Vec::new();
    let mut at = start_of(error.end.saturating_sub(1).max(error.start));
    loop {
        all.push(at..end_of(at));
        if at <= first {
            break;
        }
        at = start_of(at - 1);
    }
    all.retain(|lines| !is_empty(lines));
    if all.len() > 2 * MOST_LINES {
        all.drain(MOST_LINES..all.len() - MOST_LINES);
    }
    let (mut before, mut end, mut count) = (first, None, 0);
    while before > 0 && count < MOST_LINES {
        let line = start_of(before - 1)..before - 1;
        before = line.start;
        if !is_empty(&line) {
            count += 1;
            all.push(line.start..*end.get_or_insert(line.end));
        }
    }
    all
}

/// The longest part of a line that is a statement of its own; empty when there is none.
fn part_that_parses(parser: &mut Parser, line: &[u8]) -> std::ops::Range<usize> {
    let Ok(text) = std::str::from_utf8(line) else { return 0..0 };
    let tokens = tokens(text);
    if text.len() > LONGEST || tokens.is_empty() {
        return 0..0;
    }
    let mut fronts = Vec::from([0]);
    let word = |at: usize| tokens.get(at).map(|token| &text[token.clone()]);
    if word(0).is_some_and(|word| BEGINNINGS.contains(&word)) {
        fronts.push(1);
    } else if word(0) == Some("for") {
        fronts.extend((1..tokens.len()).find(|at| word(*at) == Some("in")).map(|at| at + 1));
    }
    let mut parts: Vec<std::ops::Range<usize>> = fronts
        .into_iter()
        .filter(|front| *front < tokens.len())
        .flat_map(|front| {
            tokens[front..].iter().map({
                let start = tokens[front].start;
                move |last| start..last.end
            })
        })
        .collect();
    parts.sort_by_key(|part| (std::cmp::Reverse(part.len()), part.start));
    parts.into_iter().find(|part| parses(parser, &text[part.clone()])).unwrap_or(0..0)
}

fn parses(parser: &mut Parser, part: &str) -> bool {
    // A part that needs a statement below it gets one.
    let whole = match part {
        _ if part.ends_with(':') => format!("{part} pass\n"),
        _ if part.starts_with('@') => format!("{part}\ndef f(): pass\n"),
        _ => format!("{part}\n"),
    };
    parser.parse(&whole, None).is_some_and(|tree| !tree.root_node().has_error())
}

/// Words and single signs.
fn tokens(text: &str) -> Vec<std::ops::Range<usize>> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut tokens: Vec<std::ops::Range<usize>> = Vec::new();
    let mut in_word = false;
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        match tokens.last_mut() {
            Some(last) if in_word && is_word(character) => last.end = end,
            _ if character.is_whitespace() => {}
            _ => tokens.push(at..end),
        }
        in_word = is_word(character);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use crate::lang::python::extract;

    /// The rest of a class when its method has an unfinished line, and the names that the line still has.
    fn check(line: &str, expected: &str) {
        let text = format!(
            "import os\n\nclass C:\n    def a(self, cart):\n        first = 1\n        {line}\n\n        try:\n            os.stat()\n        except OSError as e:\n            pass\n        return first\n\n    def b(self):\n        pass\n\ndef d():\n    pass\n"
        );
        let facts = extract(text.as_bytes());
        let names: Vec<&str> = facts.bodies.records.iter().skip(1).map(|record| record.qualified.as_str()).collect();
        assert_eq!(names, ["C", "C.a", "C.b", "d"], "{line}");
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&tree_sitter_python::LANGUAGE.into()).unwrap();
        let kept = super::part_that_parses(&mut parser, line.as_bytes());
        assert_eq!(&line[kept], expected, "{line}");
    }

    #[test]
    fn a_line_that_is_just_written_takes_nothing_with_it() {
        check("total = cart.", "total = cart");
        check("if cart.", "cart");
        check("return self.", "return self");
        check("x = Request(", "x = Request");
        check("for item in cart", "cart");
        check("for item in cart.items(", "cart.items");
        check("os.stat(self, ", "os.stat");
        check("x = [1,", "x");
        check("x = {\"a\":", "x");
        check("print(f\"{cart.", "print");
        check("import os.", "import os");
        check("with", "");
        check("def f(", "");
        check("x = = 1", "x");
    }

    #[test]
    fn an_unfinished_call_of_several_lines_goes_as_a_whole() {
        check_lines("first = total(\n            cart,\n            1");
        check_lines("first = {\n            'a': cart,");
    }

    fn check_lines(lines: &str) {
        let text = format!(
            "class C:\n    def a(self, cart):\n        {lines}\n\n    def b(self):\n        pass\n\nclass D:\n    pass\n"
        );
        let facts = extract(text.as_bytes());
        let names: Vec<&str> = facts.bodies.records.iter().skip(1).map(|record| record.qualified.as_str()).collect();
        assert_eq!(names, ["C", "C.a", "C.b", "D"], "{lines}");
    }
}
