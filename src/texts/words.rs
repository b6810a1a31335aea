//! The words of a text: identifiers split at underscores, capitals and digits, lower-cased and stemmed.
//!
//! An identifier with several parts also gives the joined form: `add_url_rule` is found by each part and as a whole.
//! `training/words.py` splits in the same way, because the table of word vectors is made of these words.

use std::cell::RefCell;

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::{FxHashMap, FxHashSet};

/// Words without meaning for a search; sorted.
const STOP: &[&str] = &[
    "a", "also", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do", "does",
    "for", "from", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "may", "must", "no", "not",
    "of", "on", "only", "or", "other", "should", "so", "some", "such", "than", "that", "the", "then", "there", "these",
    "this", "those", "to", "was", "we", "were", "what", "when", "where", "which", "who", "why", "will", "with",
    "would", "you",
];

/// Distinct words of a question. An issue has up to a few hundred; a log or a binary file has any number, and each
/// costs a look-up.
const MOST_ASKED: usize = 1000;

/// Words of a question of which some may be parts of one identifier.
const MOST_JOINED: usize = 30;

/// Identifiers that are remembered for the next file.
const REMEMBERED: usize = 200_000;

/// Calls `visit` with every word of `text`, in order.
pub fn each_word(text: &str, mut visit: impl FnMut(&str)) {
    SPLITTER.with_borrow_mut(|splitter| splitter.each_word(text, |words, word| visit(&words[word as usize].text)));
}

/// The words of a text: each once, in the order of their first occurrence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// Separated by spaces.
    pub words: String,
    /// Where each ends in `words`, and how often it occurs.
    counts: Vec<(usize, u32)>,
}

impl Column {
    /// The words of `text`.
    pub fn of(text: &str) -> Column {
        SPLITTER.with_borrow_mut(|splitter| {
            let mut column = Column::default();
            splitter.texts += 1;
            let this = splitter.texts;
            splitter.each_word(text, |words, word| {
                let word = &mut words[word as usize];
                if word.seen_in == this {
                    column.counts[word.position].1 += 1;
                    return;
                }
                (word.seen_in, word.position) = (this, column.counts.len());
                if !column.counts.is_empty() {
                    column.words.push(' ');
                }
                column.words.push_str(&word.text);
                column.counts.push((column.words.len(), 1));
            });
            column
        })
    }

    /// The words, and how often each occurs.
    pub fn each(&self) -> impl Iterator<Item = (&str, u32)> {
        let starts = std::iter::once(0).chain(self.counts.iter().map(|(end, _)| end + 1));
        starts.zip(&self.counts).map(|(start, &(end, count))| (&self.words[start..end], count))
    }

    /// Number of different words.
    pub fn distinct(&self) -> usize {
        self.counts.len()
    }

    /// Number of words, repeated ones included.
    pub fn length(&self) -> u32 {
        self.counts.iter().map(|(_, count)| count).sum()
    }
}

/// The words of a text, in order.
pub fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    each_word(text, |word| found.push(word.to_owned()));
    found
}

/// The distinct words of a question without stop words; all of them when there are no others. Of a text with very many
/// words, the first ones count.
pub fn query_words(text: &str) -> Vec<String> {
    let (mut known, mut telling, mut all) = (FxHashSet::default(), Vec::new(), Vec::new());
    for word in words(text) {
        if telling.len() < MOST_ASKED && known.insert(word.clone()) {
            if STOP.binary_search(&word.as_str()).is_err() {
                telling.push(word.clone());
            }
            all.push(word);
        }
    }
    if telling.is_empty() { all } else { telling }
}

/// Two or three successive words of a question as one identifier: "sign cookie" also searches for the joined form of
/// `sign_cookie` and `SignCookie`.
pub fn joined(text: &str) -> Vec<String> {
    let (mut telling, mut rest) = (Vec::new(), text);
    while let Some((identifier, tail)) = next_identifier(rest) {
        let lower = identifier.replace('_', "").to_lowercase();
        if STOP.binary_search(&lower.as_str()).is_err() && telling.len() < MOST_JOINED {
            telling.push(lower);
        }
        rest = tail;
    }
    let mut joined: Vec<String> = [2, 3].iter().flat_map(|size| telling.windows(*size)).map(<[_]>::concat).collect();
    joined.sort_unstable();
    joined.dedup();
    joined
}

/// Whether a word is no stop word.
pub fn is_telling(word: &str) -> bool {
    STOP.binary_search(&word.to_lowercase().as_str()).is_err()
}

thread_local! {
    static SPLITTER: RefCell<Splitter> = RefCell::new(Splitter {
        stemmer: Stemmer::create(Algorithm::English),
        identifiers: FxHashMap::default(),
        numbers: FxHashMap::default(),
        words: Vec::new(),
        texts: 0,
    });
}

/// Splits identifiers, remembering those it has seen: source repeats its names.
struct Splitter {
    stemmer: Stemmer,
    /// The words of each, as positions in `words`.
    identifiers: FxHashMap<Box<str>, Box<[u32]>>,
    numbers: FxHashMap<Box<str>, u32>,
    words: Vec<SplitWord>,
    /// Texts whose words were counted.
    texts: u64,
}

/// A word, and where it first stood in the text in which it was seen last.
struct SplitWord {
    text: Box<str>,
    seen_in: u64,
    position: usize,
}

impl Splitter {
    fn each_word(&mut self, text: &str, mut visit: impl FnMut(&mut [SplitWord], u32)) {
        if self.identifiers.len() >= REMEMBERED {
            self.identifiers.clear();
            self.numbers.clear();
            self.words.clear();
        }
        let mut rest = text;
        while let Some((identifier, tail)) = next_identifier(rest) {
            rest = tail;
            if let Some(words) = self.identifiers.get(identifier) {
                words.iter().for_each(|word| visit(&mut self.words, *word));
                continue;
            }
            let words: Box<[u32]> = self.split(identifier).into_iter().map(|word| self.number(word)).collect();
            words.iter().for_each(|word| visit(&mut self.words, *word));
            self.identifiers.insert(identifier.into(), words);
        }
    }

    fn number(&mut self, word: Box<str>) -> u32 {
        if let Some(number) = self.numbers.get(&word) {
            return *number;
        }
        let number = u32::try_from(self.words.len()).expect("fewer than 2^32 words are remembered");
        self.words.push(SplitWord { text: word.clone(), seen_in: 0, position: 0 });
        self.numbers.insert(word, number);
        number
    }

    fn split(&self, identifier: &str) -> Vec<Box<str>> {
        let (mut words, mut joined): (Vec<Box<str>>, String) = (Vec::new(), String::new());
        each_part(identifier, |part| {
            let lower = part.to_lowercase();
            joined.push_str(&lower);
            let is_plain = lower.len() > 2 && lower.bytes().all(|byte| byte.is_ascii_alphabetic());
            words.push(if is_plain { self.stemmer.stem(&lower).into() } else { lower.into() });
        });
        if words.len() > 1 {
            words.push(joined.into());
        }
        words
    }
}

/// The first identifier or number of a text, and the rest. Underscores join parts but neither begin nor end an
/// identifier.
fn next_identifier(text: &str) -> Option<(&str, &str)> {
    let start = text.find(char::is_alphanumeric)?;
    let text = &text[start..];
    let is_number = text.starts_with(char::is_numeric);
    let (mut end, mut after) = (0, 0);
    for (at, character) in text.char_indices() {
        let takes = if is_number { character.is_numeric() } else { character.is_alphanumeric() };
        if takes {
            end = at + character.len_utf8();
        } else if is_number || character != '_' {
            break;
        }
        after = end;
    }
    Some((&text[..end], &text[after..]))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Upper,
    Lower,
    Digit,
    Other,
    Joint,
}

fn class(character: char) -> Class {
    match character {
        'A'..='Z' => Class::Upper,
        'a'..='z' => Class::Lower,
        '_' => Class::Joint,
        _ if character.is_numeric() => Class::Digit,
        _ => Class::Other,
    }
}

/// Calls `visit` with the parts of an identifier: runs of one class of characters. The last capital of a run belongs to
/// the small letters after it.
fn each_part(identifier: &str, mut visit: impl FnMut(&str)) {
    let mut characters = identifier.char_indices().peekable();
    while let Some((mut start, character)) = characters.next() {
        let kind = class(character);
        let mut end = start + character.len_utf8();
        while let Some((at, next)) = characters.next_if(|(_, next)| class(*next) == kind) {
            end = at + next.len_utf8();
        }
        if kind == Class::Joint {
            continue;
        }
        if kind == Class::Upper && characters.peek().is_some_and(|(_, next)| class(*next) == Class::Lower) {
            if end - start > 1 {
                visit(&identifier[start..end - 1]);
                start = end - 1;
            }
            while let Some((at, _)) = characters.next_if(|(_, next)| class(*next) == Class::Lower) {
                end = at + 1;
            }
        }
        visit(&identifier[start..end]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_of_any_length_has_a_bounded_number_of_words() {
        let letters = |number: usize| {
            let letter = |digit: usize| char::from(b'a' + u8::try_from(digit % 26).unwrap());
            [number / 676, number / 26, number].map(letter).iter().collect::<String>()
        };
        let text: Vec<String> = (0..9_000).map(letters).collect();
        let found = query_words(&text.join(" "));
        assert_eq!((found.len(), found[0].as_str()), (MOST_ASKED, "aaa"));
        assert_eq!(query_words("the the session"), ["session"]);
    }

    /// The training programs read the same file (`training/words_test.py`).
    #[test]
    fn words_are_those_of_the_training_programs() {
        let cases = include_str!("../../training/words.txt");
        assert!(cases.lines().count() > 20);
        for line in cases.lines() {
            let (text, expected) = line.split_once('\t').unwrap();
            assert_eq!(words(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn words_are_counted_in_the_order_of_their_first_occurrence() {
        for _ in 0..2 {
            let column = Column::of("add_item(item); add(Item)");
            assert_eq!(column.words, "add item additem");
            assert_eq!(column.each().collect::<Vec<_>>(), [("add", 2), ("item", 3), ("additem", 1)]);
            assert_eq!((column.distinct(), column.length()), (3, 6));
        }
        assert_eq!(Column::of(" . "), Column::default());
    }

    #[test]
    fn neighbors_in_a_question_are_joined_as_in_an_identifier() {
        assert_eq!(
            joined("how to sign the session_id cookie"),
            ["sessionidcookie", "signsessionid", "signsessionidcookie"]
        );
        assert_eq!(joined("cookie"), Vec::<String>::new());
        assert_eq!(joined(&"long ".repeat(5_000)), ["longlong", "longlonglong"]);
    }

    #[test]
    fn questions_lose_words_that_say_nothing_unless_there_are_no_others() {
        assert!(STOP.is_sorted());
        assert_eq!(query_words("where is the cookie signed, the cookie?"), ["cooki", "sign"]);
        assert_eq!(query_words("what is it"), ["what", "is", "it"]);
        assert_eq!(query_words(" \u{0}*()\"'-- "), Vec::<String>::new());
    }
}
