//! String literals and comments that fit a text.
//!
//! A literal fits if it has the text in it, or if it is a form of the text with places for values: `%s is not here`
//! fits `cart.py is not here`. Otherwise most words must agree. White space and case do not count.

use std::collections::BTreeSet;

use crate::{
    facts::literals::{LiteralKind, decode},
    model::FileId,
    store::{Store, error::StoreError},
};

/// A literal with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::query::search) struct FittingLiteral {
    pub(in crate::query::search) file: FileId,
    pub(in crate::query::search) line: u32,
    /// In one line.
    pub(in crate::query::search) text: String,
    /// Larger is better; at most [`EXACT`].
    pub(in crate::query::search) score: u32,
}

/// The score of a literal that is the text.
pub(in crate::query::search) const EXACT: u32 = 1000;
/// The least score of a literal that has the text in it. Others get a part of it, by the part of the text that they
/// have.
const INSIDE: u32 = 700;
/// Part of the score of words that agree without their order, in hundredths.
const UNORDERED: u32 = 90;
/// Letters of a form's own text that it has at least.
const LEAST_OWN: usize = 8;
/// Share of the words that must agree, in hundredths.
const LEAST_SHARE: usize = 70;
/// Letters of a word that counts.
const SHORTEST: usize = 3;

/// By text: the literals of a kind that fit it, in no order. One reading of all literals serves all texts.
pub(in crate::query::search) fn fitting(
    store: &Store,
    texts: &[&str],
    kind: LiteralKind,
) -> Result<Vec<Vec<FittingLiteral>>, StoreError> {
    let wanted: Vec<WantedText> = texts.iter().map(|text| WantedText::of(text)).collect();
    let mut found: Vec<Vec<FittingLiteral>> = texts.iter().map(|_| Vec::new()).collect();
    store.each_literals(&mut |file, bytes| {
        for literal in decode(bytes).unwrap_or_default().into_iter().filter(|literal| literal.kind == kind) {
            for (wanted, found) in wanted.iter().zip(&mut found) {
                let (score, at) = wanted.score(&literal.text);
                if score > 0 {
                    let lines = literal.text[..at].matches('\n').count();
                    let line = literal.line + u32::try_from(lines).unwrap_or(0);
                    found.push(FittingLiteral { file, line, text: folded(&literal.text), score });
                }
            }
        }
    })?;
    Ok(found)
}

struct WantedText {
    /// In lower case, white space folded.
    text: String,
    words: BTreeSet<String>,
}

impl WantedText {
    fn of(text: &str) -> Self {
        let text = folded(text).to_lowercase();
        let words = words(&text).map(str::to_owned).collect();
        Self { text, words }
    }

    /// How well a literal fits, and where in it the fitting part begins.
    fn score(&self, literal: &str) -> (u32, usize) {
        if self.text.is_empty() {
            return (0, 0);
        }
        let lower = folded(literal).to_lowercase();
        if let Some(at) = lower.find(&self.text) {
            return (share(self.text.len(), lower.len(), INSIDE, EXACT), place(literal, &lower[..at]));
        }
        let own = fragments(&lower);
        let letters: usize = own.iter().map(|part| part.len()).sum();
        let is_form = letters >= LEAST_OWN && stand_in_order(&self.text, &own);
        let filled = if is_form { share(letters, self.text.len(), 1, INSIDE) } else { 0 };
        (filled.max(self.common_words(&lower)), 0)
    }

    /// The score of a literal, in lower case, by the words of the text that it has.
    fn common_words(&self, lower: &str) -> u32 {
        let theirs: BTreeSet<&str> = words(lower).collect();
        let common = self.words.iter().filter(|word| theirs.contains(word.as_str())).count();
        if self.words.len() > 1 && common * 100 >= self.words.len() * LEAST_SHARE {
            return share(common, self.words.len(), 1, INSIDE) * UNORDERED / 100;
        }
        0
    }
}

/// A number between `low` and `high` for a share.
fn share(part: usize, all: usize, low: u32, high: u32) -> u32 {
    let scaled = (high - low) as usize * part.min(all) / all.max(1);
    low + u32::try_from(scaled).unwrap_or(0)
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| word.len() >= SHORTEST)
}

/// The byte in `literal` behind as many words as `before` has.
fn place(literal: &str, before: &str) -> usize {
    let letters = before.chars().filter(|c| !c.is_whitespace()).count();
    let mut own = literal.char_indices().filter(|(_, c)| !c.is_whitespace());
    own.nth(letters).map_or(0, |(at, _)| at)
}

/// The parts of a form between its places for values: `%s`, `%(name)d`, `{}`, `{name}`.
fn fragments(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let end = match bytes[at] {
            b'{' => text[at..].find('}').map(|length| at + length + 1),
            b'%' => {
                let rest = &text[at + 1..];
                let name = if rest.starts_with('(') { rest.find(')').map_or(0, |close| close + 1) } else { 0 };
                let flags = rest[name..].find(|c: char| !"-+# 0123456789.*".contains(c)).unwrap_or(0);
                let is_form = rest[name + flags..].starts_with(|c: char| "diouxefgcrsa".contains(c));
                is_form.then_some(at + 1 + name + flags + 1)
            }
            _ => None,
        };
        match end {
            Some(end) => {
                parts.push(text[start..at].trim());
                (start, at) = (end, end);
            }
            None => at += 1,
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// Whether the parts stand in the text, one behind the other.
fn stand_in_order(text: &str, parts: &[&str]) -> bool {
    let mut rest = text;
    parts.iter().all(|part| match rest.find(part) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(literal: &str, text: &str) -> u32 {
        WantedText::of(text).score(literal).0
    }

    #[test]
    fn texts_fit_as_they_are_in_parts_and_with_values() {
        assert_eq!(check("No such  cart", "no such cart"), EXACT);
        assert!(check("no such cart here", "such cart") > INSIDE);
        let filled = check("tax %(rate)5.2f of {name!r} is too high", "ValueError: tax 12.50 of 'x' is too high");
        assert!((INSIDE / 3..INSIDE).contains(&filled), "{filled}");
        let (long, short) = ("the view of {} did not return a valid response.", "valid response");
        let text = "TypeError: The view of 'index' did not return a valid";
        assert!(check(long, text) > check(short, text), "the end is missing, yet most words are there");
        let alike = check("the cart was not found", "cart not found");
        assert!((1..INSIDE).contains(&alike), "{alike}");
        for other in ["", "%s", "{}", "cart", "100% sure"] {
            assert_eq!(check(other, "no such cart"), 0, "{other}");
        }
        assert_eq!(check("anything", ""), 0);
        assert_eq!(check("50%", "50%"), EXACT);
    }

    #[test]
    fn the_line_is_that_of_the_fitting_part() {
        let wanted = WantedText::of("second line");
        let literal = "first line\n  second line";
        assert_eq!(literal[..wanted.score(literal).1].matches('\n').count(), 1);
    }
}
