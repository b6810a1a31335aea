//! Python: bytes of a file in, facts out. One parse, one walk; no path, no git, no other file.

mod fingerprint;
mod interface;
pub(super) mod literals;
mod lowering;
mod recovery;
mod source;
mod syntax;

use std::{borrow::Cow, cell::RefCell};

use tree_sitter::{InputEdit, Parser, Point, Tree};

pub use source::is_binary;

use crate::facts::{FileFacts, fingerprint::FileShape};

thread_local! {
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// Reads one file. Total: code that does not parse is left out and the facts are marked partial.
pub fn extract(bytes: &[u8]) -> FileFacts {
    let text = source::decode(bytes);
    parsed(&text, None, |parser, tree, broken| facts(parser, tree, &text, broken > 0)).unwrap_or_default()
}

/// Reads versions of one file, each with its shape. Total. A version is parsed starting from the tree of the one
/// before; where one of the two has errors it is parsed anew, so that each is read as it would be alone.
pub fn compare(versions: &[&[u8]]) -> Vec<(FileFacts, FileShape)> {
    let mut before: Option<(Tree, Cow<'_, str>)> = None;
    let mut compared = Vec::with_capacity(versions.len());
    for bytes in versions {
        let text = source::decode(bytes);
        let old = before.take().map(|(mut tree, old)| {
            tree.edit(&difference(&old, &text));
            tree
        });
        let both = parsed(&text, old.as_ref(), |parser, tree, broken| {
            let shape = fingerprint::shape(tree, &text, broken);
            (facts(parser, tree, &text, broken > 0), shape, (broken == 0).then(|| tree.clone()))
        });
        let (facts, shape, tree) = both.unwrap_or_default();
        compared.push((facts, shape));
        // The tree of a broken text belongs to the text that recovery made of it.
        before = tree.map(|tree| (tree, text));
    }
    compared
}

/// The one region in which two texts differ.
fn difference(old: &str, new: &str) -> InputEdit {
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let rest = a.len().min(b.len()) - start;
    let end = a.iter().rev().zip(b.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    // Whole lines: a lexer looks ahead within one, and a character is not cut in two.
    let start = recovery::start_of_line(a, start);
    let end = a[a.len() - end..].iter().position(|&byte| byte == b'\n').map_or(0, |at| end - at - 1);
    let point = |text: &[u8], at: usize| {
        let mut lines = text[..at].split(|&byte| byte == b'\n');
        let column = lines.next_back().map_or(0, <[u8]>::len);
        Point::new(lines.count(), column)
    };
    let (old_end, new_end) = (a.len() - end, b.len() - end);
    InputEdit {
        start_byte: start,
        old_end_byte: old_end,
        new_end_byte: new_end,
        start_position: point(a, start),
        old_end_position: point(a, old_end),
        new_end_position: point(b, new_end),
    }
}

fn facts(parser: &mut Parser, tree: &Tree, text: &str, is_partial: bool) -> FileFacts {
    let mut lowerer = lowering::Lowerer::new(parser, text);
    lowerer.module(tree.root_node());
    lowerer.bodies.is_partial |= is_partial;
    interface::facts(lowerer)
}

/// Passes to `read` the syntax tree of `text` and the first line with a missing part, 0 for none; `None` when the
/// parser gives up. `old` is the tree of an earlier version, edited to fit.
fn parsed<T>(text: &str, old: Option<&Tree>, read: impl FnOnce(&mut Parser, &Tree, u32) -> T) -> Option<T> {
    PARSER.with_borrow_mut(|slot| {
        let parser = slot.get_or_insert_with(|| {
            let mut parser = Parser::new();
            parser.set_language(&syntax::Syntax::get().language).expect("the grammar fits the linked tree-sitter");
            parser
        });
        let mut tree = parser.parse(text.as_bytes(), old)?;
        if old.is_some() && tree.root_node().has_error() {
            tree = parser.parse(text.as_bytes(), None)?;
        }
        let broken = if tree.root_node().has_error() { recovery::first_broken_line(&tree) } else { 0 };
        let (tree, is_partial) = if broken > 0 { recovery::recover(parser, tree, text) } else { (tree, false) };
        Some(read(parser, &tree, if is_partial { broken } else { 0 }))
    })
}

#[cfg(test)]
mod tests {
    use super::compare;

    /// Every line of a text taken out, doubled, indented or broken: the second version is read as it would be alone.
    #[test]
    fn a_version_after_another_is_read_as_it_is_alone() {
        let text = include_str!("../../../fixtures/sample/src/shop/cart.py").to_owned()
            + "\n\nclass Ä(Cart):\n    \"\"\"Doc\n\n    string.\"\"\"\n\n    if True:\n        x = f\"{1}\"\n\n    @property\n    \
               def ü(self, *, a=(1,\n        2)):\n        try:\n            return \"ü\", a\n        finally:\n            pass\n";
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for at in 0..lines.len() {
            let line = lines[at];
            for changed in
                [String::new(), line.repeat(2), format!("    {line}"), format!("x{line}"), format!("(\n{line}")]
            {
                let new = [&lines[..at].concat(), &changed, &lines[at + 1..].concat()].map(String::as_str).concat();
                let alone = compare(&[new.as_bytes()]).pop();
                assert_eq!(compare(&[text.as_bytes(), new.as_bytes()]).pop(), alone, "line {at}: {changed:?}");
                assert_eq!(
                    compare(&[new.as_bytes(), text.as_bytes(), new.as_bytes()]).pop(),
                    alone,
                    "line {at}: {changed:?}"
                );
            }
        }
    }
}
