//! Reads a wording as another one that is understood: `call hierarchy of f` as `who transitively calls f`.
//!
//! `wordings.txt` has them. Only a whole question is read so, and the answer says how it was read.

use std::collections::BTreeMap;

use crate::{
    ask::reading::words::is_in,
    model::conventions::{is_name_part, standard_library},
    query::navigate::outside::is_library,
    store::{Store, error::StoreError},
};

/// Lines with `pattern = wording`.
const WORDINGS: &str = include_str!("wordings.txt");
/// Words that `A..` can stand for.
const LONGEST_CAPTURE: usize = 6;
/// Questions with more words have none of these wordings.
const LONGEST_QUESTION: usize = 24;

/// The words that each capture stands for.
type Captured<'t> = BTreeMap<&'static str, Vec<&'t str>>;

/// The question in the wording that is understood; `None` where no pattern fits.
pub(super) fn rephrased(store: &Store, text: &str) -> Result<Option<String>, StoreError> {
    let words: Vec<&str> = text.trim().trim_end_matches(['?', '.', '!', ' ']).split_whitespace().collect();
    if words.len() > LONGEST_QUESTION {
        return Ok(None);
    }
    for line in WORDINGS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let Some((pattern, wording)) = line.split_once(" = ") else { continue };
        let pattern: Vec<&'static str> = pattern.split_whitespace().collect();
        let mut captured = Captured::new();
        if !fits(&pattern, &words, &mut captured) {
            continue;
        }
        if let Some(name) = captured.get("L")
            && !(standard_library::is_module(name[0]) || is_library(store, &name[0].to_lowercase())?)
        {
            continue;
        }
        let filled = wording.split(' ').map(|word| match captured.get(word.trim_matches('`').trim_end_matches("..")) {
            Some(words) if word.starts_with('`') => as_name(&words.join(" ")),
            Some(words) => words.join(" "),
            None => word.to_owned(),
        });
        return Ok(Some(filled.collect::<Vec<_>>().join(" ")));
    }
    Ok(None)
}

/// A word in quotes, unless it stands for an earlier name.
fn as_name(word: &str) -> String {
    let is_name =
        word.chars().all(is_name_part) && !is_in("it its that them these they this those", &word.to_lowercase());
    if is_name { format!("`{word}`") } else { word.to_owned() }
}

/// Whether a pattern fits all words; fills what its captures stand for, each as short as possible.
fn fits<'t>(pattern: &[&'static str], words: &[&'t str], captured: &mut Captured<'t>) -> bool {
    let Some((first, rest)) = pattern.split_first() else { return words.is_empty() };
    if let Some(optional) = first.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        let is_said = words.first().is_some_and(|word| is_one_of(optional, word));
        return is_said && fits(rest, &words[1..], captured) || fits(rest, words, captured);
    }
    let (name, longest) = match first.strip_suffix("..") {
        Some(name) => (name, LONGEST_CAPTURE),
        None => (*first, 1),
    };
    if !matches!(name, "A" | "B" | "L") {
        return words.first().is_some_and(|word| is_one_of(first, word)) && fits(rest, &words[1..], captured);
    }
    for length in 1..=longest.min(words.len()) {
        if fits(rest, &words[length..], captured) {
            captured.insert(name, words[..length].to_vec());
            return true;
        }
    }
    false
}

fn is_one_of(alternatives: &str, word: &str) -> bool {
    let word = word.trim_end_matches([',', ':']).to_lowercase();
    alternatives.split('/').any(|one| one == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::fixture::Fixture;

    #[test]
    fn a_whole_question_is_read_in_another_wording() {
        let store = Fixture::default().store();
        let read = |text: &str| rephrased(&store, text).expect("a store in memory");
        assert_eq!(
            read("Show me the call hierarchy of `Cart.total`?").as_deref(),
            Some("who transitively calls `Cart.total`")
        );
        assert_eq!(read("call tree of define").as_deref(), Some("show the call tree from `define`"));
        assert_eq!(read("what can it reach").as_deref(), Some("show the call tree from it"));
        assert_eq!(read("are the field classes tested?").as_deref(), Some("are all field classes tested"));
        assert_eq!(read("is hashlib used anywhere?").as_deref(), Some("do we use hashlib anywhere"));
        assert_eq!(read("is total used anywhere?"), None);
        assert_eq!(read("who calls total?"), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn every_line_has_a_pattern_and_a_wording_with_the_same_captures() {
        let captures = |text: &str| {
            let mut found: Vec<String> = text
                .split_whitespace()
                .map(|word| word.trim_matches('`'))
                .filter(|word| matches!(*word, "A" | "B" | "L" | "A.."))
                .map(str::to_owned)
                .collect();
            found.sort();
            found
        };
        for line in WORDINGS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (pattern, wording) = line.split_once(" = ").expect("a pattern and a wording");
            assert_eq!(captures(pattern), captures(wording), "{line}");
        }
    }
}
