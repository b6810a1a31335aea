//! The intent of a question: the kinds of answers that it asks for.
//!
//! A question may ask for classes or files, for tests, examples or documents, or for code to change. "Fix crash when
//! the header is empty" describes a change; "returns the header" describes code. The weights of their words come from
//! `training/changes.py`.

use std::{collections::BTreeMap, sync::LazyLock};

use crate::texts::words;

/// Code and text that no question means unless it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aside {
    Test,
    Example,
    Document,
}

/// The intent of a question.
#[derive(Clone, Debug)]
pub(super) struct QueryIntent {
    /// Whether it asks for classes, modules or files.
    pub(super) kinds: bool,
    /// The asides that it asks for.
    pub(super) asides: Vec<Aside>,
    /// Probability that it describes a change, 0..=1.
    pub(super) change: f64,
}

impl QueryIntent {
    /// Reads the intent of a question; `words` are its stems without stop words.
    pub(super) fn of(question: &str, words: &[String]) -> Self {
        let asides = ASIDES.iter().filter(|(word, _)| words.iter().any(|other| other == word));
        let asides = asides.map(|(_, aside)| *aside).collect();
        QueryIntent { kinds: asks_for_kind(question), asides, change: change(question) }
    }
}

/// Stems that ask for an aside; a tutorial is both prose and code.
const ASIDES: [(&str, Aside); 11] = [
    ("demo", Aside::Example),
    ("doc", Aside::Document),
    ("document", Aside::Document),
    ("exampl", Aside::Document),
    ("exampl", Aside::Example),
    ("fixtur", Aside::Test),
    ("guid", Aside::Document),
    ("readm", Aside::Document),
    ("test", Aside::Test),
    ("tutori", Aside::Document),
    ("tutori", Aside::Example),
];

/// Weight of each stem for a change. `^` marks the first word of a question; the constant has an empty word.
static WORDS: LazyLock<BTreeMap<&str, f64>> = LazyLock::new(|| {
    let lines = include_str!("change.txt").lines().filter_map(|line| line.rsplit_once(' '));
    lines.filter_map(|(word, weight)| Some((word, weight.parse().ok()?))).collect()
});

/// The probability that a question describes a change: a logistic regression over its words.
fn change(question: &str) -> f64 {
    let weight = |word: &str| WORDS.get(word).copied().unwrap_or(0.0);
    let mut all = words::words(question);
    let Some(first) = all.first() else { return 0.0 };
    let first = weight(&format!("^{first}"));
    all.sort_unstable();
    all.dedup();
    let sum = weight("") + first + all.iter().map(|word| weight(word)).sum::<f64>();
    1.0 / (1.0 + (-sum).exp())
}

/// Whether a question begins by asking for a class or a module: "which class …", "show the module that …". Further in,
/// such a word most often is an object of the code ("Open the file").
fn asks_for_kind(question: &str) -> bool {
    let mut opened = false;
    for word in question.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()) {
        match word.to_lowercase().as_str() {
            "which" | "what" | "where" | "find" | "show" | "list" | "is" | "are" | "me" | "the" | "a" | "all" => {
                opened = true;
            }
            "class" | "classes" | "module" | "modules" | "package" | "packages" | "file" | "files" => return opened,
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told_from_what_code_does() {
        assert_eq!(WORDS.len(), include_str!("change.txt").lines().count());
        for question in ["Fix crash when the header is empty", "don't load plugins twice", "Add support for brotli"] {
            assert!(change(question) > 0.7, "{question}");
        }
        for question in ["Returns the header of a response.", "how is a path resolved", "the entry point", "", "???"] {
            assert!(change(question) < 0.4, "{question} {}", change(question));
        }
    }

    #[test]
    fn who_asks_for_documentation_gets_no_tests() {
        let asides = |question: &str| QueryIntent::of(question, &words::query_words(question)).asides;
        assert_eq!(asides("documentation of carts"), [Aside::Document]);
        assert_eq!(asides("which tests add to a cart?"), [Aside::Test]);
        assert_eq!(asides("the tutorial"), [Aside::Document, Aside::Example]);
        assert_eq!(asides("add to a cart"), []);
    }

    #[test]
    fn a_kind_is_asked_for_at_the_beginning_of_a_question() {
        for question in
            ["which class signs cookies?", "the module that reads templates", "Where are all files for this"]
        {
            assert!(asks_for_kind(question), "{question}");
        }
        for question in
            ["open a file", "class", "Class decorator", "which functions of the class", "", "the first class"]
        {
            assert!(!asks_for_kind(question), "{question}");
        }
    }
}
