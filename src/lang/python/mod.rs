//! Python: bytes of a file in, facts out. One parse, one walk; no path, no git, no other file.

mod definitions;
mod expressions;
mod interface;
mod lower;
mod recovery;
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
    parsed(&text, |parser, tree, is_partial| facts(parser, tree, &text, is_partial)).unwrap_or_default()
}

/// Reads one file, and what two versions of it are compared by, in one parse. Total.
pub fn compare(bytes: &[u8]) -> (FileFacts, FileShape) {
    let text = source::decode(bytes);
    let both = parsed(&text, |parser, tree, is_partial| {
        let shape = shape::shape(tree, &text);
        (facts(parser, tree, &text, is_partial), shape)
    });
    both.unwrap_or_default()
}

fn facts(parser: &mut Parser, tree: &Tree, text: &str, is_partial: bool) -> FileFacts {
    let mut lowerer = lower::Lowerer::new(parser, text);
    lowerer.module(tree.root_node());
    lowerer.bodies.is_partial |= is_partial;
    interface::facts(lowerer)
}

/// Hands the syntax tree of `text` to `read`, and whether something is missing in it; `None` when the parser gives up.
fn parsed<T>(text: &str, read: impl FnOnce(&mut Parser, &Tree, bool) -> T) -> Option<T> {
    PARSER.with_borrow_mut(|slot| {
        let parser = slot.get_or_insert_with(|| {
            let mut parser = Parser::new();
            parser.set_language(&syntax::Syntax::get().language).expect("the grammar fits the linked tree-sitter");
            parser
        });
        let tree = parser.parse(text.as_bytes(), None)?;
        let has_error = tree.root_node().has_error();
        let (tree, is_partial) = if has_error { recovery::recover(parser, tree, text) } else { (tree, false) };
        Some(read(parser, &tree, is_partial))
    })
}
