//! A cursor in a file, and the names near it.
//!
//! The names come from the text alone, which need not parse. The index knows their meaning.

use std::ops::Range;

use crate::{model::EntityId, query::source::Sources};

/// Lines above the cursor that are searched for names.
const LINES: u32 = 5;

/// A place in a file of the index.
#[derive(Clone, Debug)]
pub struct Cursor {
    pub path: String,
    /// 1-based.
    pub line: u32,
    /// 1-based, in characters as editors count them; 1 when unknown.
    pub column: u32,
}

impl Cursor {
    /// Reads `FILE:LINE` or `FILE:LINE:COLUMN`, both numbers from 1.
    pub fn parse(place: &str) -> Option<Self> {
        let (head, last) = place.rsplit_once(':')?;
        let last: u32 = last.parse().ok()?;
        let (path, line, column) = match head.rsplit_once(':').map(|(path, line)| (path, line.parse::<u32>())) {
            Some((path, Ok(line))) => (path, line, last),
            _ => (head, last, 1),
        };
        (line > 0 && column > 0).then(|| Self { path: path.to_owned(), line, column })
    }
}

/// The names near a cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NearbyNames {
    /// Line (1-based) and column (0-based, in bytes) of each name.
    pub places: Vec<(u32, u32)>,
    /// Position of the receiver in `places`: the name before the dot at the cursor, or before the attribute that ends
    /// there.
    pub receiver: Option<usize>,
}

/// Classes of the names near a cursor.
#[derive(Clone, Debug, Default)]
pub struct Receivers {
    /// Classes of the receiver at the cursor.
    pub at_cursor: Vec<EntityId>,
    /// Classes of all names in the line.
    pub near: Vec<EntityId>,
}

/// The names in the line of the cursor, or in the nearest one above that has any.
pub fn names_at(sources: &Sources, cursor: &Cursor) -> NearbyNames {
    for line in (cursor.line.saturating_sub(LINES).max(1)..=cursor.line).rev() {
        let text = sources.lines(&cursor.path, line, line).unwrap_or_default();
        let text = text.trim_end();
        let tokens = identifiers(text);
        if tokens.is_empty() {
            continue;
        }
        let before = match cursor.column {
            _ if line < cursor.line => "",
            1 => text,
            column => text.char_indices().nth(column as usize - 1).map_or(text, |(at, _)| &text[..at]),
        };
        let dotted = before.trim_end_matches(is_part).strip_suffix('.');
        let receiver = dotted.and_then(|dotted| tokens.iter().position(|token| token.end == dotted.len()));
        let column = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        return NearbyNames { places: tokens.iter().map(|token| (line, column(token.start))).collect(), receiver };
    }
    NearbyNames::default()
}

/// Whether names have this character.
fn is_part(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

/// Where a line has words that begin with a letter or an underscore.
fn identifiers(line: &str) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(start) = line[at..].find(is_part) {
        let start = at + start;
        let end = line[start..].find(|character| !is_part(character)).map_or(line.len(), |length| start + length);
        if !line[start..].starts_with(char::is_numeric) {
            found.push(start..end);
        }
        at = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, column: u32, receiver: &str, names: &str) {
        let sources = Sources::new(|_| Some(format!("before(x)\n\n{line}\n").into_bytes()));
        let found = names_at(&sources, &Cursor { path: "a.py".to_owned(), line: 3, column });
        let name = |&(line, column): &(u32, u32)| sources.word("a.py", line, column).unwrap();
        assert_eq!(found.places.iter().map(name).collect::<Vec<_>>().join(" "), names, "{line}");
        assert_eq!(found.receiver.map(|at| name(&found.places[at])).unwrap_or_default(), receiver, "{line}");
    }

    #[test]
    fn the_receiver_stands_before_the_dot_at_the_cursor() {
        check("    a = cart.", 1, "cart", "a cart");
        check("    a = cart.", 14, "cart", "a cart");
        check("    a = cart.to", 16, "cart", "a cart to");
        check("    a = cart.owner.na", 1, "owner", "a cart owner na");
        check("    a = cart.owner.na", 16, "cart", "a cart owner na");
        check("    a = cart.owner.na", 6, "", "a cart owner na");
        check("    ä = süß.to", 1, "süß", "ä süß to");
        check("    a = f().", 1, "", "a f");
        check("    1.5", 1, "", "before x");
        check("", 1, "", "before x");
        check("x", 99, "", "x");
    }
}
