//! Python: bytes of a file in, facts out. One parse, one walk; no path, no git, no other file.

mod definitions;
mod expressions;
mod interface;
mod lower;
mod shape;
mod source;
mod statements;
mod syntax;

use std::cell::RefCell;

use tree_sitter::{Parser, Tree};

pub use source::is_binary;

use crate::facts::{FileFacts, shape::FileShape};

thread_local! {
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// Reads one file. Total: what does not parse is left out and the facts are marked partial.
pub fn extract(bytes: &[u8]) -> FileFacts {
    let text = source::decode(bytes);
    let facts = parsed(&text, |parser, tree| {
        let mut lowerer = lower::Lowerer::new(parser, &text);
        lowerer.module(tree.root_node());
        interface::facts(lowerer)
    });
    facts.unwrap_or_default()
}

/// What two versions of a file are compared by. Total.
pub fn shape(bytes: &[u8]) -> FileShape {
    let text = source::decode(bytes);
    parsed(&text, |_, tree| shape::shape(tree, &text)).unwrap_or_default()
}

/// Hands the syntax tree of `text` to `read`; `None` when the parser gives up.
fn parsed<T>(text: &str, read: impl FnOnce(&mut Parser, &Tree) -> T) -> Option<T> {
    PARSER.with_borrow_mut(|slot| {
        let parser = slot.get_or_insert_with(|| {
            let mut parser = Parser::new();
            parser.set_language(&syntax::Syntax::get().language).expect("the grammar fits the linked tree-sitter");
            parser
        });
        let mut tree = parser.parse(text.as_bytes(), None)?;
        if tree.root_node().has_error() {
            // The grammar takes the indentation of a comment between a decorator and its function seriously.
            let blanked = without_comment_lines(&tree, text);
            if let Some(other) = parser.parse(&blanked, None).filter(|other| !other.root_node().has_error()) {
                tree = other;
            }
        }
        Some(read(parser, &tree))
    })
}

/// The text with comments that stand alone on their lines replaced by blanks, so that every place stays the same.
fn without_comment_lines(tree: &Tree, text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if syntax::Syntax::get().kind(node) == syntax::Kind::Comment {
            let start = node.start_byte();
            let line = bytes[..start].iter().rposition(|&byte| byte == b'\n').map_or(0, |index| index + 1);
            if bytes[line..start].iter().all(u8::is_ascii_whitespace) {
                bytes[start..node.end_byte()].fill(b' ');
            }
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return bytes;
            }
        }
    }
}
