//! A small language for the forms of questions: sequences of words, with alternatives, stems and gaps.
//!
//! `no/without .. docstring*` fits `no`, then at most three other words, then a word that begins with `docstring`.
//! `forms.txt` explains the rest.

use std::collections::BTreeMap;

/// Words that `..` and `...` may stand for.
const GAP: usize = 3;
const WIDE_GAP: usize = 12;
/// Words that `A..` can stand for.
const LONGEST_CAPTURE: usize = 6;
/// Words before a condition among which a `not` denies it, and words that end its reach.
const REACH: usize = 3;
const JOINTS: [&str; 7] = ["and", "but", "that", "which", "who", "with", "whose"];
/// Words that a negation before them denies, and nothing behind them: `not documented, async`.
const TAKING: [&str; 9] =
    ["annotated", "annotation", "annotations", "called", "docstring", "docstrings", "documented", "tested", "used"];

/// The words that each capture of a pattern stands for.
pub type Captured<'t> = BTreeMap<&'static str, Vec<&'t str>>;

/// The words of a question in lower case, with the places of its names.
#[derive(Clone, Debug, Default)]
pub struct Phrase {
    pub words: Vec<String>,
    /// For each word: it names a definition or a file.
    pub is_name: Vec<bool>,
}

impl Phrase {
    /// Words that name nothing.
    pub fn of_words(words: Vec<String>) -> Self {
        Self { is_name: vec![false; words.len()], words }
    }

    /// Whether some pattern of `list` fits.
    pub fn has(&self, list: &str) -> bool {
        list.split('|').any(|patterns| {
            patterns.split('&').map(str::trim).all(|part| match part.strip_prefix('!') {
                Some(forbidden) => self.find(forbidden).is_none(),
                None => part == "*" || part.split(';').any(|pattern| self.find(pattern).is_some()),
            })
        })
    }

    /// Where the first fitting pattern of `list` begins, and the place behind it.
    pub fn place(&self, list: &str) -> Option<(usize, usize)> {
        list.split('|').find_map(|pattern| self.find(pattern))
    }

    /// The words of all patterns of `list` that fit.
    pub fn places(&self, list: &str) -> Vec<usize> {
        let fitting = list.split('|').filter(|patterns| self.has(patterns));
        let parts = fitting.flat_map(|patterns| patterns.split('&')).filter(|part| !part.trim().starts_with('!'));
        parts.flat_map(|part| part.split(';')).filter_map(|part| self.find(part)).flat_map(|(a, b)| a..b).collect()
    }

    /// Whether the question denies the first fitting pattern of `list`: `are not async`.
    pub fn denies(&self, list: &str) -> bool {
        // Parts behind `&` only say when the first one counts.
        let first = |patterns: &str| self.find(patterns.split('&').next().unwrap_or_default());
        list.split('|').find_map(first).is_some_and(|(start, _)| self.is_denied(start))
    }

    /// Whether a negation stands before the word at `at`, or is a part of it.
    pub fn is_denied(&self, at: usize) -> bool {
        let is_negation = |at: &usize| {
            let is_only = self.words.get(at + 1).is_some_and(|next| matches!(next.as_str(), "only" | "just"));
            !is_only && !self.is_name[*at] && is_negation(&self.words[*at])
        };
        let ends = |at: &usize| {
            let word = self.words[*at].as_str();
            JOINTS.contains(&word) || TAKING.contains(&word)
        };
        let before = (at.saturating_sub(REACH)..at).rev();
        self.words[at].starts_with("non-") || before.take_while(|at| !ends(at)).any(|at| is_negation(&at))
    }

    /// The number that a pattern of `list` has at its `#`.
    pub fn number(&self, list: &str) -> Option<u32> {
        // Parts behind `&` only say when the first one counts.
        let first = |patterns: &str| self.find(patterns.split('&').next().unwrap_or_default());
        let (start, end) = list.split('|').filter(|patterns| self.has(patterns)).find_map(first)?;
        self.words[start..end].iter().find_map(|word| number(word))
    }

    fn find(&self, pattern: &str) -> Option<(usize, usize)> {
        let tokens: Vec<&str> = pattern.split_whitespace().collect();
        let starts = if tokens.first() == Some(&"^") { 0..1 } else { 0..self.words.len() };
        let tokens = tokens.strip_prefix(&["^"]).unwrap_or(&tokens);
        starts.into_iter().find_map(|start| self.fits_at(tokens, start).map(|end| (start, end)))
    }

    fn fits_at(&self, tokens: &[&str], at: usize) -> Option<usize> {
        let Some((token, rest)) = tokens.split_first() else { return Some(at) };
        let gap = match *token {
            "$" => return (at == self.words.len()).then_some(at),
            ".." => GAP,
            "..." => WIDE_GAP,
            _ => 0,
        };
        if gap > 0 {
            return (at..=(at + gap).min(self.words.len())).find_map(|next| self.fits_at(rest, next));
        }
        let word = self.words.get(at)?;
        let fits = token.split('/').any(|one| match one {
            "§" => self.is_name[at],
            "#" => number(word).is_some(),
            _ if self.is_name[at] => false,
            _ => one.strip_suffix('*').map_or(word == one, |stem| word.starts_with(stem)),
        });
        if fits { self.fits_at(rest, at + 1) } else { None }
    }
}

/// The words for which the captures of a pattern stand, each as few as possible, where it fits all words.
pub fn captured<'t>(pattern: &'static str, words: &[&'t str]) -> Option<Captured<'t>> {
    let pattern: Vec<&'static str> = pattern.split_whitespace().collect();
    let mut captured = Captured::new();
    fits_whole(&pattern, words, &mut captured).then_some(captured)
}

fn fits_whole<'t>(pattern: &[&'static str], words: &[&'t str], captured: &mut Captured<'t>) -> bool {
    let Some((first, rest)) = pattern.split_first() else { return words.is_empty() };
    if let Some(optional) = first.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        let is_said = words.first().is_some_and(|word| is_one_of(optional, word));
        return is_said && fits_whole(rest, &words[1..], captured) || fits_whole(rest, words, captured);
    }
    let (name, longest) = match first.strip_suffix("..") {
        Some(name) => (name, LONGEST_CAPTURE),
        None => (*first, 1),
    };
    if !matches!(name, "A" | "B" | "C" | "D" | "E" | "F" | "G" | "L" | "N" | "P" | "Q" | "R" | "S" | "T") {
        return words.first().is_some_and(|word| is_one_of(first, word)) && fits_whole(rest, &words[1..], captured);
    }
    for length in 1..=longest.min(words.len()) {
        if fits_whole(rest, &words[length..], captured) {
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

/// Whether a word denies what stands behind it.
pub fn is_negation(word: &str) -> bool {
    word.ends_with("n't") || matches!(word, "not" | "no" | "non" | "never" | "neither" | "nor" | "cannot" | "without")
}

/// A number in digits or as a word.
pub fn number(word: &str) -> Option<u32> {
    const WORDS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen \
         sixteen seventeen eighteen nineteen twenty";
    let digits = word.trim_end_matches('+');
    let by_word = || WORDS.split_whitespace().position(|known| known == word).and_then(|at| u32::try_from(at).ok());
    digits.parse().ok().or_else(by_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_denied_by_the_words_before_it() {
        let denies = |text: &str, pattern: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            let is_name = words.iter().map(|word| word == "x").collect();
            Phrase { words, is_name }.denies(pattern)
        };
        assert!(denies("which methods of x are not async", "async"));
        assert!(denies("functions that don't ever return a list", "return"));
        assert!(denies("functions that are neither async nor static", "async"));
        assert!(denies("all non-async functions", "async | non-async"));
        assert!(!denies("functions that are not async and return a list", "return"));
        assert!(!denies("not only async functions", "async"));
        assert!(!denies("methods without docstring public names", "public"));
        assert!(!denies("which methods of x are async", "async"));
    }

    #[test]
    fn patterns_fit_words_stems_gaps_names_and_numbers() {
        let words: Vec<String> = "list functions that have no useful docstrings in x over twelve lines"
            .split(' ')
            .map(str::to_owned)
            .collect();
        let is_name = words.iter().map(|word| word == "x").collect();
        let phrase = Phrase { words, is_name };
        assert!(phrase.has("no/without .. docstring*"));
        assert!(phrase.has("nothing | in §"));
        assert!(!phrase.has("docstring"), "a word without a star is a whole word");
        assert!(
            !phrase.has("list .. docstring*") && phrase.has("list ... docstring*"),
            "a gap has at most three words"
        );
        assert!(phrase.has("^ list") && !phrase.has("^ functions") && phrase.has("lines $"));
        assert!(phrase.has("list & lines & !class") && !phrase.has("list & !lines"));
        assert!(phrase.has("list & class; over") && !phrase.has("list & class; under"));
        assert!(!phrase.has("x"), "a name is no word");
        assert_eq!(phrase.number("over/more # line*"), Some(12));
    }
}
