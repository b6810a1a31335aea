//! Estimates the tokens of a text from above.
//!
//! The estimate holds for the usual tokenizers: byte-pair encodings of source code, and `SentencePiece` with 32,000
//! words, which needs the most. Digits and bytes outside ASCII count one token each. Two texts together never cost
//! more than the sum of both, so that a budget can be filled piece by piece.

/// The unit of costs: parts of a token.
const TOKEN: usize = 12;
/// A letter behind a space: such words are mostly English, and are in every vocabulary.
const LETTER_OF_WORD: usize = TOKEN / 6;
/// A letter of another name, such as a part of `sympy.polys.densebasic`.
const LETTER_OF_NAME: usize = TOKEN / 3;
/// An upper-case letter, in addition: `JzKet` is known to no vocabulary.
const CAPITAL: usize = TOKEN / 2;
/// Capitals of a name that count: names in capitals alone need no more tokens.
const MOST_CAPITALS: usize = 3;
/// Equal marks (`====`) per token.
const MARKS: usize = 3;
/// Spaces of an indentation per token.
const SPACES: usize = 16;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Letter,
    Digit,
    Space,
    Line,
    Mark(u8),
    Other,
}

/// Upper estimate of the tokens in `text`.
pub fn tokens(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut total, mut at) = (0, 0);
    while at < bytes.len() {
        let sort = sort(bytes[at]);
        let mut end = at + 1;
        while end < bytes.len() && self::sort(bytes[end]) == sort && !is_case_change(bytes[end - 1], bytes[end]) {
            end += 1;
        }
        let length = end - at;
        total += match sort {
            Sort::Letter => letters(&bytes[at..end], at > 0 && bytes[at - 1] == b' '),
            Sort::Digit | Sort::Other | Sort::Line => TOKEN * length,
            Sort::Space if length > 1 => TOKEN * length.div_ceil(SPACES),
            // A single space belongs to the word behind it, but never to a number.
            Sort::Space => match bytes.get(end).map(|byte| self::sort(*byte)) {
                Some(Sort::Digit | Sort::Other) => TOKEN,
                _ => 0,
            },
            Sort::Mark(_) => TOKEN * length.div_ceil(MARKS),
        };
        at = end;
    }
    // A lone space at an end may still be a token of its own.
    total.div_ceil(TOKEN) + usize::from(!text.is_empty())
}

/// The cost of letters without a change from lower to upper case.
fn letters(run: &[u8], is_behind_space: bool) -> usize {
    let letter = if is_behind_space { LETTER_OF_WORD } else { LETTER_OF_NAME };
    let capitals = run.iter().filter(|byte| byte.is_ascii_uppercase()).count().min(MOST_CAPITALS);
    let capitals = if run.len() > 1 { CAPITAL * capitals } else { 0 };
    TOKEN.max(letter * run.len()) + capitals
}

/// The longest beginning of `text` with at most `budget` tokens, cut between lines where possible.
pub fn head(text: &str, budget: usize) -> &str {
    if tokens(text) <= budget {
        return text;
    }
    let fits = |end: &usize| tokens(&text[..*end]) <= budget;
    let lines: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    // The estimate grows with the text, so a binary search finds the longest beginning.
    let by_line = lines.partition_point(fits);
    if by_line > 0 {
        return &text[..lines[by_line - 1]];
    }
    let chars: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let by_char = chars.partition_point(fits);
    if by_char == 0 { "" } else { &text[..chars[by_char - 1]] }
}

fn sort(byte: u8) -> Sort {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' => Sort::Letter,
        b'0'..=b'9' => Sort::Digit,
        b' ' | b'\t' => Sort::Space,
        b'\n' | b'\r' => Sort::Line,
        byte if byte.is_ascii() => Sort::Mark(byte),
        _ => Sort::Other,
    }
}

fn is_case_change(before: u8, here: u8) -> bool {
    before.is_ascii_lowercase() && here.is_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_is_an_upper_one() {
        // The larger counts of two tokenizers: `o200k_base`, and that of Llama 2.
        for (text, real) in [
            ("def total(items):\n    return sum(items)\n", 13),
            ("hello world", 2),
            ("日本", 3),
            ("", 0),
            ("sympy.polys.densebasic._idmp  function  sympy/polys/densebasic.py:108\n", 31),
            ("sqrt(6)*JzKetCoupled(S.Half, Rational(-1, 2), (S.Half, S.One))/6\n", 40),
            ("10 of 24 definitions, 3 more in 2 files\n\n", 18),
        ] {
            assert!(tokens(text) >= real, "{text}: {} < {real}", tokens(text));
        }
    }

    #[test]
    fn a_cut_text_keeps_to_its_budget_and_to_whole_lines() {
        let text = "one two three\nfour five six\nseven\n";
        assert_eq!(head(text, 7), "one two three\n");
        assert_eq!(head(text, 100), text);
        assert_eq!(head("abcdefghijklmnopqrstuvwxyz", 3), "abcdef");
        assert_eq!(head("日本", 0), "");
    }

    proptest::proptest! {
        #[test]
        fn parts_never_cost_less_than_the_whole(a in ".{0,60}", b in ".{0,60}", budget in 0_usize..40) {
            let both = format!("{a}{b}");
            proptest::prop_assert!(tokens(&both) <= tokens(&a) + tokens(&b));
            proptest::prop_assert!(tokens(head(&both, budget)) <= budget);
        }
    }
}
