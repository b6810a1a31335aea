//! Follow-ups about the rows of the answer before: `the second one`, `compare the two`.

use super::{
    EarlierSubject,
    tokens::{Token, joined, lower_words, tokens},
    turns::Conversation,
    written,
};
use crate::{
    ask::reading::words::is_in,
    store::{Store, error::StoreError, read::Entity},
};

const NUMBERS: [&str; 10] =
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
/// Nouns for a row of a list.
const ROWS: &str = "one caller class function method subclass definition result hit match entry row item module";

/// A row that a question numbers.
pub(super) struct NumberedRow {
    /// A name that means it alone.
    pub(super) name: String,
    /// The question with that name; `None` where it consists of the number: `and the second one?`.
    pub(super) text: Option<String>,
}

/// The row that a question numbers; `None` where it numbers none that is there.
pub(super) fn numbered_row(store: &Store, listed: &[Entity], text: &str) -> Result<Option<NumberedRow>, StoreError> {
    let words = tokens(text);
    let word = |at: usize| words.get(at).map(Token::lower).unwrap_or_default();
    let ends = |at: usize| at + 1 >= words.len() || words[at].ends_clause();
    for at in 0..words.len() {
        let number = match word(at).as_str() {
            "last" => listed.len(),
            "number" | "no" | "row" | "nr" => word(at + 1).trim_start_matches('#').parse().unwrap_or_default(),
            word if word.starts_with('#') => word[1..].parse().unwrap_or_default(),
            word => NUMBERS.iter().position(|known| *known == word).map_or(0, |at| at + 1),
        };
        let Some(entity) = number.checked_sub(1).and_then(|at| listed.get(at)) else { continue };
        let is_word = !word(at).starts_with('#') && !is_in("number no row nr", &word(at));
        let length = match (is_word, is_in(ROWS, &word(at + 1)) && !words[at].ends_clause()) {
            // `the second one of those`
            (true, true) => 2,
            (true, false) if (ends(at) || is_in("and with", &word(at + 1))) && word(at) != "last" => 1,
            (true, false) => continue,
            (false, _) if word(at).starts_with('#') => 1,
            (false, _) => 2,
        };
        let start = if at > 0 && is_in("the that this", &word(at - 1)) { at - 1 } else { at };
        let mut end = at + length;
        if word(end) == "of" && is_in("them those these", &word(end + 1)) {
            end += 2;
        }
        let behind = words[end - 1].behind.clone();
        let name = Token { before: words[start].before.clone(), word: written(store, entity)?, behind };
        let mut full = words[..start].to_vec();
        full.push(name);
        full.extend_from_slice(&words[end..]);
        let text = joined(&full);
        let asks = full
            .iter()
            .any(|token| !is_in("and what about how of for show me", &token.lower()) && !token.looks_like_name());
        let is_alone =
            lower_words(&words[..start]).iter().all(|word| is_in("and what about how of for", word)) && !asks;
        return Ok(Some(NumberedRow { name: written(store, entity)?, text: (!is_alone).then_some(text) }));
    }
    Ok(None)
}

/// `compare the two` with the two names: those of the last question, of the list, or of the last two topics.
pub(super) fn both_named(
    store: &Store,
    conversation: &Conversation,
    listed: &[Entity],
    text: &str,
) -> Result<Option<String>, StoreError> {
    const TWO: &str = "two both them they";
    let words = tokens(text);
    let lower = lower_words(&words);
    let compares = lower.iter().any(|word| word.starts_with("compar") || word.starts_with("differ"));
    let is_named = words.iter().any(Token::looks_like_name);
    // `are both tested?`
    let asks_of_both =
        matches!(lower.as_slice(), [is, both, _, ..] if is_in("are is do does have", is) && both == "both");
    let Some(at) =
        words.iter().position(|token| is_in(TWO, &token.lower())).filter(|_| (compares || asks_of_both) && !is_named)
    else {
        return Ok(None);
    };
    let Some([first, second]) = two_names(store, conversation, listed)? else { return Ok(None) };
    let word = |at: usize| words.get(at).map(Token::lower).unwrap_or_default();
    if asks_of_both {
        let rest = joined(&words[at + 1..]);
        return Ok(Some(format!("{} {first} and {second} both {rest}", word(0))));
    }
    let start = if at > 0 && is_in("the these those", &word(at - 1)) { at - 1 } else { at };
    let mut end = at + 1;
    if word(end) == "of" {
        end += 2;
    } else if is_in("classes functions methods modules definitions", &word(end)) {
        end += 1;
    }
    let end = end.min(words.len());
    // `how do they differ`
    if matches!(word(at).as_str(), "they") {
        return Ok(Some(format!("compare {first} and {second}")));
    }
    let mut full = words[..start].to_vec();
    full.extend(tokens(&format!("{first} and {second}")));
    if let (Some(last), Some(was)) = (full.last_mut(), words.get(end - 1)) {
        last.behind.clone_from(&was.behind);
    }
    full.extend_from_slice(&words[end..]);
    Ok(Some(joined(&full)))
}

/// The two definitions that a conversation speaks of.
fn two_names(store: &Store, conversation: &Conversation, listed: &[Entity]) -> Result<Option<[String; 2]>, StoreError> {
    let subjects = conversation.with_subjects().map_or(&[][..], |turn| &turn.subjects);
    let mut names: Vec<String> = Vec::new();
    if let [first, second] = subjects {
        names = vec![first.clone(), second.clone()];
    } else if let [first, second] = listed {
        return Ok(Some([written(store, first)?, written(store, second)?]));
    } else {
        for topic in conversation.topics() {
            if !names.contains(&topic) && names.len() < 2 {
                names.insert(0, topic);
            }
        }
    }
    let [first, second] = names.as_slice() else { return Ok(None) };
    let (Some(first), Some(second)) = (EarlierSubject::of(store, first)?, EarlierSubject::of(store, second)?) else {
        return Ok(None);
    };
    Ok(Some([first.name, second.name]))
}
