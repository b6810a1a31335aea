//! The words that the answers of each reading take into account (`vocabulary.txt`).
//!
//! An answer that passes over a word of the question may answer another question: `everything reachable from f` is not
//! who calls `f`. The words that are left are named before the answer.

use std::{collections::BTreeMap, sync::OnceLock};

use crate::ask::reading::{forms::QuestionIntent, words::stem};

/// Lines `reading  word word …`; lines that begin with a blank go on.
const TABLE: &str = include_str!("vocabulary.txt");
/// The line for all readings.
const ANY: &str = "any";
/// A question with more words is a story: much of it is background.
const LONGEST_QUESTION: usize = 20;
/// Shorter stems are compared as whole words.
const SHORTEST_STEM: usize = 3;

fn table() -> &'static BTreeMap<&'static str, Vec<&'static str>> {
    static ROWS: OnceLock<BTreeMap<&str, Vec<&str>>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let mut rows: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut reading = ANY;
        for line in TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let mut words = line.split_whitespace();
            if !line.starts_with(' ') {
                reading = words.next().unwrap_or(ANY);
            }
            rows.entry(reading).or_default().extend(words);
        }
        rows
    })
}

/// The words of a question, in order, that neither the answers of this reading know nor `said` repeats.
///
/// `words` are in lower case, with `<class>` and the like for names. A reading that is not judged has none.
pub fn unread<'w>(intent: QuestionIntent, words: &'w [String], said: &str) -> Vec<&'w str> {
    let (Some(of_all), Some(known)) = (table().get(ANY), table().get(intent.as_str())) else { return Vec::new() };
    if words.len() > LONGEST_QUESTION {
        return Vec::new();
    }
    let said = said.to_lowercase();
    let said: Vec<&str> = said.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_name = |word: &str| word.starts_with('<');
    let mut unread: Vec<&str> = Vec::new();
    for word in words.iter().map(String::as_str).filter(|word| !is_name(word) && !is_trivial(word)) {
        let stem = stem(word);
        let is_form = |known: &&str| *known == word || stem.len() >= SHORTEST_STEM && known.starts_with(&stem);
        let is_read = of_all.iter().chain(known).chain(&said).any(is_form);
        if !is_read && !unread.contains(&word) {
            unread.push(word);
        }
    }
    unread
}

/// Whether a word is a number or a single letter: an answer may have taken it in another way of writing.
fn is_trivial(word: &str) -> bool {
    word.chars().count() < 2 || word.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(intent: QuestionIntent, question: &str, said: &str) -> String {
        let words: Vec<String> = question.split(' ').map(str::to_owned).collect();
        unread(intent, &words, said).join(" ")
    }

    #[test]
    fn a_word_that_neither_the_reading_nor_the_answer_has_is_left() {
        let said = "`shop.pay` is used at 3 places";
        assert_eq!(left(QuestionIntent::Usage, "who calls <function>", said), "");
        assert_eq!(left(QuestionIntent::Usage, "everything reachable from <function>", said), "reachable");
        assert_eq!(left(QuestionIntent::Usage, "which fixtures use pay in the shop", said), "");
        assert_eq!(left(QuestionIntent::Search, "everything reachable from <function>", said), "");
    }

    #[test]
    fn every_line_is_of_a_reading() {
        for reading in table().keys().filter(|reading| **reading != ANY) {
            assert!(QuestionIntent::of(reading).is_some(), "{reading}");
        }
    }
}
