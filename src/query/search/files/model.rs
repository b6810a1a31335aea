//! The linear model that scores files from their evidence.
//!
//! `training/fit_files.py` fits the weights on issues, and prints how well they hold on repositories left out.

/// The names of the features. Each is 0 without evidence; 1 is much.
pub const FILE_FEATURES: [&str; 13] = [
    "text_first",  // 1 / its rank among files by the first hit of the whole text
    "text_sum",    // its hits for the whole text, as a share of the most
    "title_first", // the same for the title alone
    "title_sum",
    "text_words", // BM25 of the whole file, as a share of the best
    "title_words",
    "prose_words",
    "names_words",
    "stem",    // share of the words of its own name that the title says
    "path",    // rarity of the words of its path that the title says, as a share of the most
    "named",   // its path stands in the text
    "frame",   // it stands in a traceback
    "message", // it has a message of the text
];

pub(super) type FileFeatures = [f64; FILE_FEATURES.len()];

/// Positions of the features.
pub(super) const FULL: usize = 0;
pub(super) const TITLE: usize = 2;
pub(super) const WORDS: usize = 4;
pub(super) const STEM: usize = 8;
pub(super) const MENTIONS: usize = 10;

#[rustfmt::skip]
const WEIGHTS: FileFeatures = [
    1.17, // text_first
    0.47, // text_sum
    1.22, // title_first
    0.59, // title_sum
    1.36, // text_words
    1.04, // title_words
    1.11, // prose_words
    1.28, // names_words
    0.64, // stem
    0.92, // path
    1.32, // named
    0.61, // frame
    1.71, // message
];

/// Penalty for tests, examples and documents when the title does not ask for them. No script fits it: the answers of
/// the issues are code alone.
const ASIDE: f64 = 4.0;
/// The best definition of a list counts as much.
pub(super) const BEST: f64 = 8.0;
/// Part of the title's list in the score of a definition; the rest is that of the whole text.
const OF_TITLE: f64 = 0.4;
/// Most reasons given for a file.
const REASONS: usize = 3;

/// The score of a file.
pub(super) fn score(features: &FileFeatures, is_aside: bool) -> f64 {
    let sum: f64 = features.iter().zip(WEIGHTS).map(|(feature, weight)| feature * weight).sum();
    sum - if is_aside { ASIDE } else { 0.0 }
}

/// The score of a definition by the list of the whole text and that of the title, without its file.
pub(super) fn of_definition(text: f64, title: f64) -> f64 {
    (1.0 - OF_TITLE) * text + OF_TITLE * title
}

/// The words for a feature; features with the same words are one reason.
const WORDED: [&str; FILE_FEATURES.len()] = [
    "definitions fit the text",
    "definitions fit the text",
    "definitions fit the title",
    "definitions fit the title",
    "has the words of the text",
    "has the words of the title",
    "has the words of the text",
    "has the names of the text",
    "called like a word of the title",
    "called like a word of the title",
    "its path is in the text",
    "in the traceback",
    "has a message of the text",
];

/// The strongest reasons for a file, in words.
pub(super) fn evidence(features: &FileFeatures) -> Vec<&'static str> {
    let mut reasons: Vec<(&'static str, f64)> = Vec::new();
    for ((feature, weight), words) in features.iter().zip(WEIGHTS).zip(WORDED) {
        match reasons.iter_mut().find(|(known, _)| *known == words) {
            Some((_, sum)) => *sum += feature * weight,
            None => reasons.push((words, feature * weight)),
        }
    }
    reasons.retain(|(_, sum)| *sum > 0.0);
    reasons.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    reasons.into_iter().take(REASONS).map(|(words, _)| words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_evidence_comes_first() {
        assert_eq!(FILE_FEATURES[TITLE..WORDS], ["title_first", "title_sum"]);
        assert_eq!(FILE_FEATURES[STEM..MENTIONS], ["stem", "path"]);
        let mut features = [0.0; FILE_FEATURES.len()];
        assert_eq!(evidence(&features), Vec::<&str>::new());
        (features[FULL], features[MENTIONS]) = (0.1, 1.0);
        assert_eq!(evidence(&features), ["its path is in the text", "definitions fit the text"]);
        assert!(score(&features, false) > score(&features, true));
    }
}
