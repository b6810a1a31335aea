//! Texts of several lines in Python source: docstrings, and strings of three quotes that are values.
//!
//! They are read off the lines, which need not parse.

use std::collections::BTreeMap;

const QUOTES: [&str; 2] = ["\"\"\"", "'''"];
/// Letters before the quotes of a string.
const PREFIXES: [char; 6] = ['r', 'R', 'u', 'U', 'b', 'B'];

/// The text of three quotes in which a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextLine {
    /// A statement of its own, as a docstring is.
    Document,
    /// A value.
    Value,
}

/// The lines that stand in a text of three quotes, from 1. The line on which a value begins is code.
pub fn lines_of_texts(text: &str) -> BTreeMap<u32, TextLine> {
    let mut found = BTreeMap::new();
    let mut open: Option<(&str, TextLine)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let bare = line.trim_start().trim_start_matches(PREFIXES);
        let mut here = open.map(|(_, kind)| kind);
        let mut rest = line;
        loop {
            let next = match open {
                Some((quotes, _)) => rest.find(quotes).map(|at| (at, quotes)),
                None => QUOTES.into_iter().filter_map(|quotes| Some((rest.find(quotes)?, quotes))).min(),
            };
            let Some((at, quotes)) = next.filter(|(at, _)| open.is_some() || !rest[..*at].contains('#')) else { break };
            let is_first = rest.len() == line.len() && bare.starts_with(quotes);
            open = match open {
                Some(_) => None,
                None => Some((quotes, if is_first { TextLine::Document } else { TextLine::Value })),
            };
            if is_first && here.is_none() {
                here = Some(TextLine::Document);
            }
            rest = &rest[at + quotes.len()..];
        }
        found.extend(here.map(|kind| (number, kind)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn docstrings_are_told_from_values() {
        let text = "def f():\n    r\"\"\"First.\n\n    '''\n    \"\"\"\n    x = 1  # it's \"\"\"\n    y = '''a\n    b'''\n    z\n\"\"\"One line.\"\"\"\n";
        let of = |wanted: TextLine| {
            let lines = lines_of_texts(text).into_iter().filter(|(_, kind)| *kind == wanted);
            lines.map(|(line, _)| line).collect::<Vec<_>>()
        };
        assert_eq!(of(TextLine::Document), [2, 3, 4, 5, 10]);
        assert_eq!(of(TextLine::Value), [8]);
    }
}
