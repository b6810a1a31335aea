//! The learned part of reading a question: how strongly its words and pairs of words speak for each reading.
//!
//! The forms say what is certain. This table adds how people usually put it, so that it decides where the forms are
//! silent. `training/intents.py` fits the table `intents.txt` on the questions in `fixtures/questions.tsv`.

use std::{
    collections::{BTreeSet, HashMap},
    sync::OnceLock,
};

use crate::ask::reading::{
    forms::{Facts, QuestionIntent},
    patterns::Phrase,
    words::stem,
};

/// Lines of a feature, a tab, and readings with their weights.
const TABLE: &str = include_str!("intents.txt");
/// Facts that are features.
const FACTS: [&str; 11] =
    ["noplace", "class", "callable", "variable", "module", "two", "file", "unknown", "exception", "noun", "parameter"];

type WordWeights = HashMap<&'static str, Vec<(QuestionIntent, f64)>>;

fn table() -> &'static WordWeights {
    static WEIGHTS: OnceLock<WordWeights> = OnceLock::new();
    WEIGHTS.get_or_init(|| {
        let rows = TABLE.lines().filter_map(|line| line.split_once('\t'));
        rows.map(|(feature, weights)| {
            let mut words = weights.split_whitespace();
            let next = || {
                let intent = QuestionIntent::of(words.next()?)?;
                Some((intent, words.next()?.parse().ok()?))
            };
            (feature, std::iter::from_fn(next).collect())
        })
        .collect()
    })
}

/// The words with their stems, the pairs of neighbors, and the facts of a question. `^` and `$` are its ends.
pub fn features(phrase: &Phrase, facts: &Facts) -> BTreeSet<String> {
    let word = |(word, is_name): (&String, &bool)| if *is_name { "§".to_owned() } else { word.clone() };
    let ends = |end: &str| std::iter::once(end.to_owned());
    let words: Vec<String> =
        ends("^").chain(phrase.words.iter().zip(&phrase.is_name).map(word)).chain(ends("$")).collect();
    let mut found: BTreeSet<String> = words.iter().cloned().collect();
    found.extend(words.iter().map(|word| format!("{}*", stem(word))));
    found.extend(words.windows(2).map(|pair| pair.join(" ")));
    found.extend(FACTS.iter().filter(|fact| facts.contains(*fact)).map(|fact| format!("={fact}")));
    found
}

/// How strongly the words speak for each reading, in the order of the readings: logits beside the weights of forms.
pub fn weights(phrase: &Phrase, facts: &Facts) -> Vec<f64> {
    let mut sums = vec![0.0; QuestionIntent::ALL.len()];
    let table = table();
    // The empty feature holds of every question.
    for feature in features(phrase, facts).iter().map(String::as_str).chain([""]) {
        for (intent, weight) in table.get(feature).into_iter().flatten() {
            sums[*intent as usize] += weight;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_read() {
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let (feature, weights) = line.split_once('\t').unwrap_or_else(|| panic!("no tab: {line}"));
            assert_eq!(table()[feature].len() * 2, weights.split_whitespace().count(), "{line}");
        }
    }
}
