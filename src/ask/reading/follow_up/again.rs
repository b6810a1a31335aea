//! Questions that ask the one before them again, about another name: `what about total?`

use crate::{
    ask::reading::{follow_up::EarlierQuestion, words::is_stop_word},
    query::target::{TargetMatch, is_suffix, known},
    store::{Store, error::StoreError},
};

/// Beginnings of such questions, the longer ones first.
const HEADS: [&str; 8] = [
    "and what about ",
    "and how about ",
    "what about ",
    "how about ",
    "the same for ",
    "same for ",
    "and for ",
    "and ",
];

/// Words that stand for the subject of an earlier question.
const PRONOUNS: [&str; 3] = ["it", "this", "that"];

/// The earlier question about the name in `text`; `None` for a question of its own.
pub(super) fn asked_again(store: &Store, earlier: &EarlierQuestion, text: &str) -> Result<Option<String>, StoreError> {
    let [subject] = earlier.subjects.as_slice() else { return Ok(None) };
    let Some(name) = other_name(text) else { return Ok(None) };
    let is_here = matches!(known(store, name, "")?, Some(TargetMatch::Found(_) | TargetMatch::Ambiguous(_)));
    Ok(if is_here { replaced(&earlier.text, subject, name) } else { None })
}

/// The one name that such a question consists of.
fn other_name(text: &str) -> Option<&str> {
    let text = text.trim().trim_end_matches(['?', '.', '!']).trim_end();
    let lower = text.to_lowercase();
    let head = HEADS.iter().find(|head| lower.starts_with(**head))?;
    let rest = text.get(head.len()..)?.trim();
    let rest = rest.strip_prefix("the ").unwrap_or(rest);
    let name = rest.trim_matches('`').trim_end_matches("()");
    (!name.is_empty() && !name.contains(char::is_whitespace) && !is_stop_word(&name.to_lowercase())).then_some(name)
}

/// A question with `name` in the place of its subject, which stands there by the end of its full name or as a pronoun.
fn replaced(question: &str, subject: &str, name: &str) -> Option<String> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let mut words = Vec::new();
    let mut start = 0;
    for (at, letter) in question.char_indices().chain([(question.len(), ' ')]) {
        if !is_part(letter) {
            words.push((start, question[start..at].trim_end_matches('.')));
            start = at + letter.len_utf8();
        }
    }
    let by_name = words.iter().find(|(_, word)| !word.is_empty() && is_suffix(subject, word));
    let is_pronoun = |(_, word): &&(usize, &str)| PRONOUNS.contains(&word.to_lowercase().as_str());
    let (at, word) = by_name.or_else(|| words.iter().find(is_pronoun))?;
    Some(format!("{}{name}{}", &question[..*at], &question[at + word.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_follow_up_consists_of_one_name() {
        assert_eq!(other_name("What about `total`?"), Some("total"));
        assert_eq!(other_name("and Cart.add()?"), Some("Cart.add"));
        assert_eq!(other_name("and in a.py?"), None);
        assert_eq!(other_name("and why?"), None);
        assert_eq!(other_name("who calls total?"), None);
    }

    #[test]
    fn the_name_takes_the_place_of_the_subject() {
        let ask = |question: &str| replaced(question, "shop.cart.Cart.add", "total");
        assert_eq!(ask("who calls Cart.add?").as_deref(), Some("who calls total?"));
        assert_eq!(ask("does `add` raise ValueError.").as_deref(), Some("does `total` raise ValueError."));
        assert_eq!(ask("and who tests it?").as_deref(), Some("and who tests total?"));
        assert_eq!(ask("who calls the adder"), None);
    }
}
