//! The string literals and comments of one file, with their places.
//!
//! Docstrings are not among them: they are the documentation of entities.

use serde::{Deserialize, Serialize};

use super::packed;

/// The kind of a text in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LiteralKind {
    /// A string literal; literals that Python joins are one.
    Text,
    /// A comment, or several on lines of their own that follow each other.
    Comment,
}

/// A string literal or a comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceLiteral {
    /// Line of its beginning, 1-based.
    pub line: u32,
    pub kind: LiteralKind,
    /// The text without quotes and escapes; `{}` stands for an interpolated value. Long ones are cut.
    pub text: String,
}

/// The form in which the index keeps the literals of a file.
pub fn encode(literals: &[SourceLiteral]) -> Vec<u8> {
    packed::pack(&postcard::to_allocvec(literals).expect("plain data can be encoded"))
}

/// Undoes [`encode`]; `None` for damaged bytes.
pub fn decode(bytes: &[u8]) -> Option<Vec<SourceLiteral>> {
    postcard::from_bytes(&packed::unpack(bytes)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_come_back() {
        let literals = [SourceLiteral { line: 3, kind: LiteralKind::Comment, text: "naïve".to_owned() }];
        assert_eq!(decode(&encode(&literals)).as_deref(), Some(&literals[..]));
        assert_eq!(decode(&encode(&[])), Some(Vec::new()));
        assert_eq!(decode(b"damaged"), None);
    }
}
