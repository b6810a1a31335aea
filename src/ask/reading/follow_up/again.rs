//! Questions that ask the one before them again, about another name: `what about total?`

use crate::{
    ask::reading::{
        follow_up::EarlierQuestion,
        words::{is_in, is_stop_word},
    },
    model::EntityKind,
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

/// Words between such a beginning and the name.
const BETWEEN: [&str; 8] = ["of", "for", "in", "on", "with", "from", "by", "about"];
const KINDS: &str = "class function method module file package";

/// The earlier question about the name or the file in `text`; `None` for a question of its own.
pub(super) fn asked_again(store: &Store, earlier: &EarlierQuestion, text: &str) -> Result<Option<String>, StoreError> {
    let Some(other) = other_name(text) else { return Ok(None) };
    if is_path(&other) {
        // Behind `which of them are private` the list is asked for again.
        return Ok(elsewhere(&earlier.last, &other).or_else(|| elsewhere(&earlier.opening, &other)));
    }
    let Some(kind) = kind_of(store, &other)? else { return Ok(None) };
    let by_subject = match earlier.subjects.as_slice() {
        [subject] => replaced(&earlier.text, subject, &other),
        _ => None,
    };
    // `methods of C and …` has no single subject: the last name of the same kind makes place.
    if by_subject.is_some() || kind == (false, false) {
        return Ok(by_subject);
    }
    for question in [&earlier.text, &earlier.opening] {
        for (start, word) in words_of(question).into_iter().rev() {
            if !word.is_empty() && !is_stop_word(word) && kind_of(store, word)? == Some(kind) {
                let (before, behind) = (&question[..start], &question[start + word.len()..]);
                return Ok(Some(format!("{before}{other}{behind}")));
            }
        }
    }
    Ok(None)
}

/// Whether a name is that of a class, of something that is called, or of neither; `None` for no name.
fn kind_of(store: &Store, name: &str) -> Result<Option<(bool, bool)>, StoreError> {
    let kind = match known(store, name, "")? {
        Some(TargetMatch::Found(target)) => target.main().record.kind,
        Some(TargetMatch::Ambiguous(entities)) => match entities.first() {
            Some(first) => first.record.kind,
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    Ok(Some((kind == EntityKind::Class, kind.is_callable())))
}

/// The one name that such a question consists of, or a member and its class: `send in Adapter`.
fn other_name(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches(['?', '.', '!']).trim_end();
    let lower = text.to_lowercase();
    let head = HEADS.iter().find(|head| lower.starts_with(**head)).map_or(0, |head| head.len());
    let mut words: Vec<&str> = text.get(head..)?.split_whitespace().collect();
    let is_between = |word: &str| BETWEEN.contains(&word.to_lowercase().as_str());
    let mut is_placed = false;
    while let [first, _, ..] = words.as_slice()
        && (is_between(first) || first.eq_ignore_ascii_case("the") || is_in(KINDS, &first.to_lowercase()))
    {
        is_placed |= is_between(first);
        words.remove(0);
    }
    let plain = |word: &str| word.trim_matches('`').trim_end_matches("()").to_owned();
    let name = match words.as_slice() {
        [name] => plain(name),
        [member, between, owner] if head > 0 && is_between(between) && !is_path(owner) => {
            format!("{}.{}", plain(owner), plain(member))
        }
        _ => return None,
    };
    // `in Cart?` is short enough to go on by itself, `Cart` is not.
    let is_meant = head > 0 || is_placed;
    (is_meant && !name.is_empty() && !is_stop_word(&name)).then_some(name)
}

fn is_path(word: &str) -> bool {
    word.contains('/') || word.ends_with(".py")
}

/// The earlier question about another file; `None` where it is about none.
fn elsewhere(question: &str, path: &str) -> Option<String> {
    let mut words: Vec<String> = question.split_whitespace().map(str::to_owned).collect();
    let bare = |word: &str| word.trim_matches(['?', '!', ',', '`']).trim_end_matches('.').to_owned();
    let mut places = words.iter_mut().filter(|word| is_path(&bare(word)));
    let (place, None) = (places.next()?, places.next()) else { return None };
    *place = place.replace(&bare(place), path);
    Some(words.join(" "))
}

/// The words of a question that can be names, and where they begin.
fn words_of(question: &str) -> Vec<(usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let mut words = Vec::new();
    let mut start = 0;
    for (at, letter) in question.char_indices().chain([(question.len(), ' ')]) {
        if !is_part(letter) {
            words.push((start, question[start..at].trim_end_matches('.')));
            start = at + letter.len_utf8();
        }
    }
    words
}

/// A question with `name` in the place of its subject, which stands there by the end of its full name or as a pronoun.
fn replaced(question: &str, subject: &str, name: &str) -> Option<String> {
    let words = words_of(question);
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
        let name = |text: &str| other_name(text);
        assert_eq!(name("What about `total`?").as_deref(), Some("total"));
        assert_eq!(name("and Cart.add()?").as_deref(), Some("Cart.add"));
        assert_eq!(name("and of the class Cart?").as_deref(), Some("Cart"));
        assert_eq!(name("in Cart?").as_deref(), Some("Cart"));
        assert_eq!(name("and add in Cart?").as_deref(), Some("Cart.add"));
        assert_eq!(name("and in a.py?").as_deref(), Some("a.py"));
        assert_eq!(name("and why?"), None);
        assert_eq!(name("Cart"), None);
        assert_eq!(name("who calls total?"), None);
    }

    #[test]
    fn another_file_takes_the_place_of_the_one() {
        assert_eq!(elsewhere("who calls f in a.py?", "b.py").as_deref(), Some("who calls f in b.py?"));
        assert_eq!(elsewhere("who calls f?", "b.py"), None, "the list is searched for those in the file");
        assert_eq!(elsewhere("compare a.py and c.py", "b.py"), None);
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
