//! Recovery of a file that does not parse.
//!
//! From a syntax tree with errors and its text, this makes a tree of the same text in which as little as possible is
//! blanked, so that every position stays the same. Three things disturb: comments, whose indentation the grammar takes
//! seriously between a decorator and its function; lines that somebody is just writing (`half`); and open brackets,
//! which swallow the definitions that follow.

mod half;

use tree_sitter::{Node, Parser, Tree};

use super::syntax::{NodeKind, Syntax, advance};

/// How many times one file is parsed again at most.
const MAX_PARSES: usize = 24;
/// Larger files are not parsed again for each piece.
const MAX_BYTES: usize = 1 << 20;

/// A better tree of the same text, else the one that was given; and whether something of the text is missing in it.
pub(super) fn recover(parser: &mut Parser, tree: Tree, text: &str) -> (Tree, bool) {
    let bytes = without_comment_lines(&tree, text);
    let mut best = match parser.parse(&bytes, None) {
        Some(other) if !other.root_node().has_error() => return (other, false),
        _ => tree,
    };
    if text.len() > MAX_BYTES {
        return (best, true);
    }
    let mut bytes = text.as_bytes().to_vec();
    let mut left = MAX_PARSES;
    while best.root_node().has_error() {
        let Some((other, other_bytes)) = half::blanked(parser, &best, &bytes, &mut left) else { break };
        (best, bytes) = (other, other_bytes);
    }
    while best.root_node().has_error() && left > 0 {
        let Some((start, end)) = swallowing(best.root_node(), &bytes) else { break };
        blank(&mut bytes[start..end]);
        left -= 1;
        let Some(other) = parser.parse(&bytes, None) else { break };
        best = other;
    }
    (best, true)
}

/// The line, from 1, of the first thing in a broken tree that does not parse.
pub(super) fn first_broken_line(tree: &Tree) -> u32 {
    let mut node = tree.root_node();
    loop {
        let mut cursor = node.walk();
        let broken = node.children(&mut cursor).find(|child| child.has_error() || child.is_missing());
        match broken {
            Some(child) => node = child,
            None => return u32::try_from(node.start_position().row).unwrap_or(u32::MAX).saturating_add(1),
        }
    }
}

/// The text with comments that stand alone on their lines replaced by blanks.
fn without_comment_lines(tree: &Tree, text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if Syntax::get().kind(node) == NodeKind::Comment {
            let start = node.start_byte();
            let line = start_of_line(&bytes, start);
            if bytes[line..start].iter().all(u8::is_ascii_whitespace) {
                bytes[start..node.end_byte()].fill(b' ');
            }
        }
        if !advance(&mut cursor, true) {
            return bytes;
        }
    }
}

/// Where the line begins that holds a byte.
pub(super) fn start_of_line(bytes: &[u8], at: usize) -> usize {
    bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |index| index + 1)
}

/// The lines of the first broken statement at the top, up to the definition that it swallowed.
fn swallowing(root: Node<'_>, bytes: &[u8]) -> Option<(usize, usize)> {
    let mut cursor = root.walk();
    // The root itself is the error when nothing around it could be saved.
    let broken = root.children(&mut cursor).filter(|child| child.has_error() || child.is_missing());
    broken.map(|child| (child.start_byte(), child.end_byte())).find_map(|(start, end)| {
        let line = start_of_line(bytes, start);
        let swallowed = definitions_at_the_top(bytes, line + 1, end).next()?;
        Some((line, swallowed))
    })
}

/// Where lines between two places begin a definition at the top level.
fn definitions_at_the_top(bytes: &[u8], start: usize, end: usize) -> impl Iterator<Item = usize> {
    const BEGINNINGS: [&[u8]; 4] = [b"def ", b"class ", b"async def ", b"@"];
    let ends = bytes[start..end].iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    ends.map(move |(index, _)| start + index + 1)
        .filter(|&line| BEGINNINGS.iter().any(|beginning| bytes[line..].starts_with(beginning)))
}

fn blank(bytes: &mut [u8]) {
    for byte in bytes {
        if *byte != b'\n' && *byte != b'\r' {
            *byte = b' ';
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lang::python::extract;

    fn names(text: &str) -> Vec<String> {
        let facts = extract(text.as_bytes());
        assert!(facts.bodies.is_partial);
        facts.bodies.records.iter().skip(1).map(|record| record.qualified.clone()).collect()
    }

    #[test]
    fn definitions_after_an_open_bracket_are_found() {
        let text = "def before():\n    pass\n\ndef broken(:\n   x = = (\n\nclass Half(\n\ndef after():\n    pass\n";
        assert_eq!(names(text), ["before", "after"]);
    }

    #[test]
    fn methods_beside_a_broken_one_stay() {
        let text = "class C:\n    def a(self):\n        pass\n    def b(self):\n        x = = 1\n    def c(self):\n        pass\n\ndef d():\n    pass\n";
        assert_eq!(names(text), ["C", "C.a", "C.b", "C.c", "d"]);
    }
}
