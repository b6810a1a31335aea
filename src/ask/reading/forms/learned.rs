//! The evidence that the words of a question give for each reading, by a linear model.
//!
//! Forms are written by people, and nobody foresees every wording. Here each feature of a question has a weight for
//! each reading. A feature is a word, its stem, or two stems in a row with at most one word between them. Names stand
//! as their kinds. `training/question_words.py` fits the weights on questions with known readings, and writes
//! `learned.tsv`: one feature a line, sorted, with its weights in hundredths.

use std::collections::{BTreeMap, BTreeSet};

use crate::ask::reading::forms::QuestionIntent;

/// The weights, sorted by feature.
const TABLE: &str = include_str!("learned.tsv");
/// Weight of the model beside the forms, by trials with each set of questions left out of the fit.
const SHARE: f64 = 1.2;
/// A reading cannot fall behind the likeliest one by more than this, in the model's own units (natural logarithms).
const DEEPEST: f64 = 5.0;
/// Words of a question that count: what follows is a log or a story.
const MOST_WORDS: usize = 40;
/// The line of the table that holds for every question.
const ALWAYS: &str = "*";

/// The weight of each reading, from 0 to `SHARE * DEEPEST`.
#[derive(Clone, Debug)]
pub struct WordEvidence(BTreeMap<QuestionIntent, f64>);

impl WordEvidence {
    /// The evidence of the words of a question, which are in lower case, with `<kind>` for each name.
    pub fn of(words: &[String]) -> Self {
        let lines: Vec<&str> = TABLE.lines().collect();
        // Whole hundredths add up to the same on every machine.
        let mut sums: BTreeMap<QuestionIntent, i32> = QuestionIntent::ALL.iter().map(|intent| (*intent, 0)).collect();
        for feature in features(&words[..words.len().min(MOST_WORDS)]) {
            let key = |line: &&str| line.split('\t').next().unwrap_or_default().cmp(&feature);
            let Ok(at) = lines.binary_search_by(key) else { continue };
            for cell in lines[at].split('\t').skip(1) {
                let parsed = cell
                    .split_once(' ')
                    .and_then(|(name, weight)| Some((QuestionIntent::of(name)?, weight.parse::<i32>().ok()?)));
                if let Some((intent, weight)) = parsed {
                    *sums.entry(intent).or_default() += weight;
                }
            }
        }
        let best = sums.values().copied().max().unwrap_or_default();
        let weight = |sum: i32| SHARE * (DEEPEST - f64::from(best - sum) / 100.0).max(0.0);
        Self(sums.into_iter().map(|(intent, sum)| (intent, weight(sum))).collect())
    }

    /// Each reading with its weight.
    pub fn iter(&self) -> impl Iterator<Item = (QuestionIntent, f64)> {
        self.0.iter().map(|(intent, weight)| (*intent, *weight))
    }
}

fn features(words: &[String]) -> BTreeSet<String> {
    let general: Vec<&str> = words.iter().map(|word| general(word)).collect();
    let mut found: BTreeSet<String> =
        words.iter().cloned().chain(general.iter().map(|&word| word.to_owned())).collect();
    found.insert(ALWAYS.to_owned());
    let stems: Vec<&str> = general.iter().map(|word| stem(word)).collect();
    found.extend(stems.iter().map(|stem| format!("~{stem}")));
    let row: Vec<&str> = std::iter::once("^").chain(stems).chain(["$"]).collect();
    found.extend(row.windows(2).map(|pair| format!("{}_{}", pair[0], pair[1])));
    found.extend(row.windows(3).map(|three| format!("{}_*_{}", three[0], three[2])));
    found
}

/// One word for all kinds of definitions: many forms fit each of them.
fn general(word: &str) -> &str {
    match word {
        "<class>" | "<function>" | "<variable>" | "<module>" | "<exception>" | "<unknown>" => "<name>",
        other => other,
    }
}

/// The word without a common ending. Coarser than the stems of the search, since `training` repeats it.
fn stem(word: &str) -> &str {
    if word.chars().count() < 5 {
        return word;
    }
    ["ing", "ed", "es", "s"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_a_feature_and_weights_and_they_are_sorted() {
        let lines: Vec<&str> = TABLE.lines().collect();
        let feature = |line: &&str| line.split('\t').next().unwrap_or_default().to_owned();
        assert!(lines.windows(2).all(|pair| feature(&pair[0]) < feature(&pair[1])), "not sorted");
        for line in lines {
            for cell in line.split('\t').skip(1) {
                let (name, weight) = cell.split_once(' ').expect("a name and a weight");
                assert!(QuestionIntent::of(name).is_some() && weight.parse::<i32>().is_ok(), "{line}");
            }
        }
    }

    #[test]
    fn words_that_no_form_foresees_are_evidence() {
        let likeliest = |words: &str| {
            let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
            WordEvidence::of(&words).iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(intent, _)| intent)
        };
        assert_eq!(likeliest("<function> gets called by whom"), Some(QuestionIntent::Usage));
        assert_eq!(likeliest("in which file and line is <function>"), Some(QuestionIntent::Show));
        assert_eq!(likeliest("who came up with <file> and in what year"), Some(QuestionIntent::History));
    }
}
