//! Puts misspelled words of questions right: `which` for `wich`, `change` for `chnage`.
//!
//! A word that English or the repository has is never touched. Words of questions come before words of the code.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

use crate::{
    ask::reading::{
        languages::translate,
        words::{ParsedQuestion, QuestionWord, Shape, is_in, name_parts, spelling::is_named, stem, stop_words},
    },
    model::conventions::standard_library,
    query::search::{has_meaning, stands_in},
    store::{Store, error::StoreError},
};

/// Shorter words resemble each other too much for a guess.
const SHORTEST: usize = 4;
/// Words from this length on may have two wrong letters.
const LONG: usize = 9;
/// Slips of words from this length on are told from words by the letters that are missing or swapped.
const LONG_WORD: usize = 7;
/// Shorter parts of names are abbreviations, which resemble much.
const SHORTEST_OF_CODE: usize = 5;
/// Longer texts are pasted.
const LONGEST_TYPED: usize = 400;
/// A word in this many places of the repository is one of its words.
const COMMON: usize = 3;

/// Further words of questions that people misspell, and that may be names.
const KEYWORDS: &str = "ancestors branch callees callers commit commits committed decorators descendants exceptions fixture \
     fixtures helpers inheritance inherited instantiated merged overridden overrides parameters properties pushed references \
     staged subclassed subclasses uncommitted unstaged upstream";

/// Short forms and slips that no rule finds, with the words that they stand for.
const SHORT_FORMS: &str = "comited=committed gimme=give,me gonna=going,to hwo=how lemme=let,me \
     teh=the u=you wanna=want,to wat=what wht=what";

/// A question with its misspelled words put right, and a note on each. `None` where nothing is misspelled.
pub fn correct_words(store: &Store, text: &str) -> Result<Option<(String, Vec<String>)>, StoreError> {
    // Logs and messages are quoted, not typed.
    if text.len() > LONGEST_TYPED || text.contains('\n') {
        return Ok(None);
    }
    let question = ParsedQuestion::parse(text);
    if translate(&mut question.clone()) {
        return Ok(None);
    }
    let mut meant: BTreeMap<String, String> = BTreeMap::new();
    confused(&question, &mut meant);
    let mut notes = Vec::new();
    let mut slips = Vec::new();
    for (at, word) in question.words.iter().enumerate().filter(|(_, word)| may_be_slip(word)) {
        let (written, is_word) = (word.text.as_str(), has_meaning(&word.text));
        let keyword = closest(written, is_word, keywords().iter().copied());
        if keyword.is_some() || !is_word {
            slips.push((at, written, is_word, keyword));
        }
    }
    // Reading all names is the expensive part, and nearly every question is spelled well.
    let names = if slips.is_empty() { Vec::new() } else { store.names()? };
    let parts: BTreeSet<String> = names.iter().flat_map(|name| name_parts(name)).collect();
    for (at, written, is_word, keyword) in slips {
        // `who calls proces` means a name, which other steps look for.
        if parts.contains(written) || stands_in(store, written, COMMON)? || is_named(&question, at) {
            continue;
        }
        let of_code = || {
            let parts = parts.iter().map(String::as_str).filter(|part| part.len() >= SHORTEST_OF_CODE);
            closest(written, is_word, parts).filter(|_| !is_word && !is_introduced(&question, at))
        };
        if let Some(word) = keyword.or_else(of_code) {
            notes.push(format!("`{written}` is read as `{word}`"));
            meant.insert(written.to_owned(), word.to_owned());
        }
    }
    let corrected = replaced(text, &meant);
    Ok((corrected != text).then_some((corrected, notes)))
}

/// Whether the word before says that a name of the code follows: `a method called it`.
fn is_introduced(question: &ParsedQuestion, at: usize) -> bool {
    const BEFORE: &str = "attribute called class from function has have in method module named of package property";
    at.checked_sub(1).is_some_and(|before| is_in(BEFORE, &question.words[before].lower()))
}

/// Whether a word is typed as part of a sentence, and no word that is known.
fn may_be_slip(word: &QuestionWord) -> bool {
    // A module of Python is written as it is meant.
    word.shape == Shape::Plain
        && !word.is_quoted
        && word.text.chars().all(|c| c.is_ascii_lowercase())
        && !standard_library::is_module(&word.text)
        && word.text.len() >= SHORTEST
        && !keywords().contains(word.text.as_str())
}

/// A text in which words without quotes stand for others.
fn replaced(text: &str, meant: &BTreeMap<String, String>) -> String {
    let word = |token: &str| {
        let core = token.trim_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '!' | '.' | ',' | ';' | ':'));
        meant.get(&core.to_lowercase()).map_or_else(|| token.to_owned(), |other| token.replacen(core, other, 1))
    };
    text.split_inclusive(char::is_whitespace).map(word).collect()
}

/// The one word that a misspelled word is nearest to: `folder` for `forlder`. One that the table of words has
/// (`is_word`) is a slip only where a letter is missing or two are swapped: code is full of `paramter`.
fn closest<'w>(written: &str, is_word: bool, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let mut best: BTreeMap<Closeness, Vec<&str>> = BTreeMap::new();
    let fits = |closeness: &Closeness| {
        let is_plain = matches!(closeness.slip, Slip::Swapped | Slip::Missing(_));
        if is_word {
            written.len() >= LONG_WORD && is_plain && closeness.distance == 1
        } else {
            written.len() > SHORTEST || is_plain
        }
    };
    for word in words.filter(|word| word.len() >= SHORTEST && word.is_ascii()) {
        if let Some(closeness) = Closeness::of(written, word).filter(fits) {
            best.entry(closeness).or_default().push(word);
        }
    }
    match best.into_values().next()?.as_slice() {
        // `require` is no slip of `required`.
        [word] if !is_word || stem(word) != stem(written) => Some(*word),
        _ => None,
    }
}

/// How near a slip is to the word that is meant, the nearest first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Closeness {
    distance: usize,
    /// Swapped letters are the commonest slip, then a letter that is missing, then one too many.
    slip: Slip,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Slip {
    Swapped,
    /// Of two words, the one in `s` comes first.
    Missing(Reverse<bool>),
    TooMany,
    Other,
}

impl Closeness {
    /// `None` where the words differ too much, or in their first letter without a swap: `resting` is a word of its own.
    fn of(written: &str, keyword: &str) -> Option<Self> {
        let limit = if written.len() < LONG { 1 } else { 2 };
        if written.len().abs_diff(keyword.len()) > limit {
            return None;
        }
        let distance = strsim::damerau_levenshtein(written, keyword);
        let letters = |word: &str| {
            let mut letters: Vec<u8> = word.bytes().collect();
            letters.sort_unstable();
            letters
        };
        let slip = match () {
            () if letters(written) == letters(keyword) => Slip::Swapped,
            () if written.len() < keyword.len() => Slip::Missing(Reverse(keyword.ends_with('s'))),
            () if written.len() > keyword.len() => Slip::TooMany,
            () => Slip::Other,
        };
        let begins_alike = written.as_bytes()[0] == keyword.as_bytes()[0] || slip == Slip::Swapped;
        (distance <= limit && begins_alike).then_some(Self { distance, slip })
    }
}

fn keywords() -> &'static BTreeSet<&'static str> {
    static WORDS: OnceLock<BTreeSet<&'static str>> = OnceLock::new();
    WORDS.get_or_init(|| KEYWORDS.split_whitespace().chain(stop_words().iter().copied()).collect())
}

/// Adds words that are taken for others: `then` in `more then 8`, `were` in `were is it`, and short forms.
fn confused(question: &ParsedQuestion, meant: &mut BTreeMap<String, String>) {
    let lower: Vec<String> = question.words.iter().map(QuestionWord::lower).collect();
    let mut mean = |word: &str, other: &str| _ = meant.insert(word.to_owned(), other.to_owned());
    if let [first, second, ..] = lower.as_slice()
        && first == "were"
        && is_in("are can did do does is was", second)
    {
        mean("were", "where");
    }
    let is_compared = |pair: &[String]| {
        is_in("bigger fewer greater larger less longer more other rather shorter", &pair[0]) && pair[1] == "then"
    };
    if lower.windows(2).any(is_compared) {
        mean("then", "than");
    }
    for (short, long) in SHORT_FORMS.split(' ').filter_map(|pair| pair.split_once('=')) {
        if question.words.iter().any(|word| word.shape == Shape::Plain && !word.is_quoted && word.lower() == short) {
            mean(short, &long.replace(',', " "));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelled_keywords_are_put_right() {
        let check = |written: &'static str| {
            let corrected = |word: &'static str| {
                let is_known = keywords().contains(word);
                closest(word, has_meaning(word), keywords().iter().copied()).filter(|_| !is_known).unwrap_or("-")
            };
            written.split(' ').map(corrected).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(check("forlder herarchy funtcion paramter"), "folder hierarchy function parameter");
        assert_eq!(check("decendants herlpers overides"), "descendants helpers overrides");
        assert_eq!(check("wich waht wher whta whcih"), "which what where what which");
        assert_eq!(check("calsl tets clas calss metods clases"), "calls test class class methods classes");
        assert_eq!(
            check("chnage breks braks shoud unsued retruns improt"),
            "change breaks breaks should unused returns import"
        );
        assert_eq!(check("comit commited brnach"), "commit committed branch");
        assert_eq!(check("folder resting texts discount cells charge charging require cat"), "- - - - - - - - -");
    }
}
