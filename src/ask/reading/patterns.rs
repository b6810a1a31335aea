//! A small language for the forms of questions: sequences of words, with alternatives, stems and gaps.
//!
//! `no/without .. docstring*` fits `no`, then at most three other words, then a word that begins with `docstring`.
//! `§` fits a name, `#` a number. Bars separate patterns of which one has to fit.

/// Words that `..` may stand for.
const GAP: usize = 3;

/// The words of a question in lower case, with the places of its names.
#[derive(Clone, Debug, Default)]
pub struct Phrase {
    pub words: Vec<String>,
    /// For each word: it names a definition or a file.
    pub is_name: Vec<bool>,
}

impl Phrase {
    /// The number of words that the longest fitting pattern of `list` covers; 0 when none fits.
    pub fn fit(&self, list: &str) -> usize {
        let ends = list.split('|').filter_map(|pattern| self.find(pattern));
        ends.map(|(start, end)| end - start).max().unwrap_or(0)
    }

    /// Whether some pattern of `list` fits.
    pub fn has(&self, list: &str) -> bool {
        self.fit(list) > 0
    }

    /// Where the first fitting pattern of `list` begins, and the place behind it.
    pub fn place(&self, list: &str) -> Option<(usize, usize)> {
        list.split('|').find_map(|pattern| self.find(pattern))
    }

    /// The number that a pattern of `list` has at its `#`.
    pub fn number(&self, list: &str) -> Option<u32> {
        let (start, end) = self.place(list)?;
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
        if *token == ".." {
            return (at..=(at + GAP).min(self.words.len())).find_map(|next| self.fits_at(rest, next));
        }
        let word = self.words.get(at)?;
        let fits = token.split('/').any(|one| match one {
            "§" => self.is_name[at],
            "#" => number(word).is_some(),
            _ => one.strip_suffix('*').map_or(word == one, |stem| word.starts_with(stem)),
        });
        if fits { self.fits_at(rest, at + 1) } else { None }
    }
}

/// A number in digits or as a word.
pub fn number(word: &str) -> Option<u32> {
    const WORDS: [&str; 21] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    let digits = word.trim_end_matches('+');
    digits.parse().ok().or_else(|| WORDS.iter().position(|known| *known == word).and_then(|at| u32::try_from(at).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_words_stems_gaps_names_and_numbers() {
        let words: Vec<String> = "list functions that have no useful docstrings in x over twelve lines"
            .split(' ')
            .map(str::to_owned)
            .collect();
        let is_name = words.iter().map(|word| word == "x").collect();
        let phrase = Phrase { words, is_name };
        assert!(phrase.has("no/without .. docstring*"));
        assert!(phrase.has("nothing|in §"));
        assert!(!phrase.has("docstring"), "a word without a star is a whole word");
        assert!(!phrase.has("list .. docstring*"), "a gap has at most three words");
        assert!(phrase.has("^ list") && !phrase.has("^ functions"));
        assert_eq!(phrase.number("over/more # line*"), Some(12));
        assert_eq!(phrase.fit("in|in § over"), 3);
    }
}
