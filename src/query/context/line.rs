//! The role of the line of a cursor, by its text alone, which need not parse.

use crate::query::{
    context::cursor::Cursor,
    source::{
        Sources,
        texts::{TextLine, lines_of_texts},
    },
};

/// Lines above the cursor in which a statement in parentheses may begin.
const STATEMENT_LINES: u32 = 60;

/// The part of a definition or file that a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LineRole {
    Code,
    /// The module that an import names, as written; empty before it is.
    Import(String),
    Docstring,
    ClassHead,
    Decorator,
}

impl LineRole {
    /// The role of the cursor's line in a definition that begins in line `start`.
    pub(super) fn at(sources: &Sources, cursor: &Cursor, start: u32) -> Self {
        let line = |number| sources.line(&cursor.path, number).unwrap_or_default();
        let here = line(cursor.line);
        // Text in a string is never code.
        let first = start.max(1);
        // Each line ends with its break, so that an empty last one counts.
        let above: String = (first..=cursor.line).map(|number| line(number) + "\n").collect();
        if lines_of_texts(&above).get(&(cursor.line + 1 - first)) == Some(&TextLine::Document) {
            return Self::Docstring;
        }
        match here.split_whitespace().next() {
            Some(word) if word.starts_with('@') => Self::Decorator,
            Some("class") => Self::ClassHead,
            Some("from" | "import") => Self::Import(module_of(&here)),
            _ => {
                let first = cursor.line.saturating_sub(STATEMENT_LINES).max(1);
                // The nearest line that opens or closes parentheses decides.
                let opened = (first..cursor.line).rev().map(line).find(|line| line.contains(['(', ')']));
                let opened = opened.filter(|line| line.starts_with("from ") && !line.contains(')'));
                opened.map_or(Self::Code, |line| Self::Import(module_of(&line)))
            }
        }
    }
}

/// The module in `from module import name` or `import module`.
fn module_of(line: &str) -> String {
    line.split_whitespace().nth(1).unwrap_or_default().trim_end_matches(',').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(text: &str, line: u32) -> LineRole {
        let sources = Sources::new(|_| Some(text.as_bytes().to_vec()));
        LineRole::at(&sources, &Cursor { path: "a.py".to_owned(), line, column: 1 }, 1)
    }

    #[test]
    fn a_line_has_its_role_before_it_is_complete() {
        let import = |module: &str| LineRole::Import(module.to_owned());
        assert_eq!(role("from shop.cart import \n", 1), import("shop.cart"));
        assert_eq!(role("from . import a\n", 1), import("."));
        assert_eq!(role("import shop.\n", 1), import("shop."));
        assert_eq!(role("from\n", 1), import(""));
        assert_eq!(role("from shop import (\n    a,\n    \n", 3), import("shop"));
        assert_eq!(role("from shop import (\n    a,\n)\nb\n", 4), LineRole::Code);
        assert_eq!(role("from shop import a\nf(\n  b\n", 3), LineRole::Code);
        assert_eq!(role("class A(\n", 1), LineRole::ClassHead);
        assert_eq!(role("@\ndef f(): ...\n", 1), LineRole::Decorator);
        assert_eq!(role("classes = 1\n", 1), LineRole::Code);
    }

    #[test]
    fn a_docstring_is_a_string_that_stands_alone() {
        let text =
            "def f():\n    r\"\"\"First.\n\n    from here on\n    \"\"\"\n    x = 1\n    y = '''a\n    b'''\n    z\n";
        let inside: Vec<u32> = (1..=9).filter(|line| role(text, *line) == LineRole::Docstring).collect();
        assert_eq!(inside, [2, 3, 4, 5]);
        assert_eq!(role("def f():\n    \"\"\"One line.\"\"\"\n", 2), LineRole::Docstring);
        assert_eq!(role("def f():\n    \"\"\"It's \n    '''\n    x", 4), LineRole::Docstring);
    }
}
