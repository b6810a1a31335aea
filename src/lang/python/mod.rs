//! Python: bytes of a file in, facts out. One parse, one walk; no path, no git, no other file.

mod definitions;
mod expressions;
mod interface;
mod lower;
mod recovery;
mod source;
mod statements;
mod syntax;

use std::cell::RefCell;

use tree_sitter::Parser;

pub use source::is_binary;

use crate::facts::FileFacts;

thread_local! {
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// Reads one file. Total: what does not parse is left out and the facts are marked partial.
pub fn extract(bytes: &[u8]) -> FileFacts {
    let text = source::decode(bytes);
    PARSER.with_borrow_mut(|slot| {
        let parser = slot.get_or_insert_with(|| {
            let mut parser = Parser::new();
            parser.set_language(&syntax::Syntax::get().language).expect("the grammar fits the linked tree-sitter");
            parser
        });
        let Some(tree) = parser.parse(text.as_bytes(), None) else { return FileFacts::default() };
        let has_error = tree.root_node().has_error();
        let (tree, is_partial) = if has_error { recovery::recover(parser, tree, &text) } else { (tree, false) };
        let mut lowerer = lower::Lowerer::new(parser, &text);
        lowerer.module(tree.root_node());
        lowerer.bodies.is_partial |= is_partial;
        interface::facts(lowerer)
    })
}
