//! Lines that a question gives by their number: `line 3 of a.py`, `lines 3-5 of a.py`, `a.py:3`.

use std::sync::OnceLock;

use regex::Regex;

use crate::ask::reading::forms::patterns::number;

/// The number of a last line, wherever that is; the one before it has the number before.
const LAST: u32 = u32::MAX;

const ORDINALS: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];

/// The number that an ordinal names, from 1: `third`, `3rd`.
pub fn ordinal(word: &str) -> Option<usize> {
    let figure = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending)?.parse().ok());
    let figure = figure.filter(|figure| *figure > 0);
    figure.or_else(|| ORDINALS.iter().position(|known| *known == word).map(|at| at + 1))
}

/// The ordinal of a number from 1.
pub fn nth(number: usize) -> String {
    ORDINALS.get(number - 1).map_or_else(|| format!("{number}th"), |ordinal| (*ordinal).to_owned())
}

/// Whether a number counts from the end.
pub fn is_from_end(number: u32) -> bool {
    number > LAST / 2
}

/// The number among `all` of one that may count from the end; 0 where there are not so many.
pub fn from_start(number: u32, all: u32) -> u32 {
    if is_from_end(number) { all.saturating_sub(LAST - number) } else { number }
}

/// The first and the last of the statements that a question gives by their rank: `the last two statements of f`.
pub fn numbered_statements(question: &str) -> Option<(u32, u32)> {
    ranked(question, "statement")
}

/// The first and the last of some lines or statements that are counted from one end of a definition or file.
fn ranked(question: &str, unit: &str) -> Option<(u32, u32)> {
    static RANKED: OnceLock<Regex> = OnceLock::new();
    let pattern = r"(?ix)
        \b ( first | second | third | fourth | fifth | sixth | last | final ) (?: \s+ ( \d{1,3} | two | three | four | five | six
            | seven | eight | nine | ten ) )? \s+ ( line | statement ) ( s? ) (?: \s+ of \s+ code )? \s+ (?: of | in | from ) \b";
    let ranked = RANKED.get_or_init(|| Regex::new(pattern).expect("the pattern is a constant"));
    let found = ranked.captures(question).filter(|found| found[3].eq_ignore_ascii_case(unit))?;
    // The lines of a docstring or of a loop are not counted.
    let behind = question[found.get(0)?.end()..].trim_start().to_lowercase();
    let is_part = behind.split_whitespace().take(3).any(|word| {
        ["block", "body", "comment", "doc", "loop", "message", "output"].iter().any(|part| word.starts_with(part))
    });
    let many = found.get(2).and_then(|many| number(&many.as_str().to_lowercase()));
    // `the last lines` may be any number of them.
    if is_part && unit == "line" || many.is_none() && !found[4].is_empty() || many == Some(0) {
        return None;
    }
    let ordinal = found[1].to_lowercase();
    let many = many.unwrap_or(1) - 1;
    Some(match ORDINALS.iter().zip(1..).find(|(word, _)| **word == ordinal) {
        Some((_, first)) => (first, first + many),
        None => (LAST - many, LAST),
    })
}

/// The first and the last of the lines that a question gives by number, or by `the first line of`.
pub fn numbered_lines(question: &str) -> Option<(u32, u32)> {
    static LINES: OnceLock<Regex> = OnceLock::new();
    let pattern = r"(?ix)
        \b lines? \s+ (?: (?: number | no\.? | nr\.? ) \s+ | \# \s* )? (\d{1,7}) \b (?: \s* (?: - | – | to | through | and ) \s* (\d{1,7}) \b )?
        | \b (\d{1,7}) (?: st | nd | rd | th ) \s+ line \b
        | \. (?: pyi? | md | rst | txt | toml | cfg | ini ) (?: : | \#L ) (\d{1,7}) \b (?: [-–] L? (\d{1,7}) \b )?";
    let lines = LINES.get_or_init(|| Regex::new(pattern).expect("the pattern is a constant"));
    let Some(found) = lines.captures(question) else { return ranked(question, "line") };
    let given = |group: usize| found.get(group).and_then(|number| number.as_str().parse::<u32>().ok());
    let first = [1, 3, 4].into_iter().find_map(given)?;
    let last = [2, 5].into_iter().find_map(given).unwrap_or(first);
    // `lines 3 and 9` are no nine lines.
    let are_two = found.get(2).is_some_and(|_| found[0].contains("and")) && last != first + 1;
    Some((first, if are_two { first } else { last.max(first) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_given_by_number() {
        for (question, lines) in [
            ("what happens if I delete line 367 of a.py", Some((367, 367))),
            ("Line number 3 in a.py?", Some((3, 3))),
            ("delete line #3 of a.py", Some((3, 3))),
            ("explain lines 3-5 of a.py", Some((3, 5))),
            ("lines 30 to 50 of a.py", Some((30, 50))),
            ("lines 50 to 30 of a.py", Some((50, 50))),
            ("the 22nd line of a.py", Some((22, 22))),
            ("swap lines 3 and 4 of a.py", Some((3, 4))),
            ("lines 3 and 9 of a.py", Some((3, 3))),
            ("remove the first line of f", Some((1, 1))),
            ("the last line of f", Some((LAST, LAST))),
            ("the last two lines of f", Some((LAST - 1, LAST))),
            ("the first three lines in f", Some((1, 3))),
            ("the last lines of f", None),
            ("the first line of the docstring of f", None),
            ("delete a.py:3", Some((3, 3))),
            ("show a.py#L3-L5", Some((3, 5))),
            ("functions longer than 100 lines", None),
            ("which functions have 3 lines", None),
            ("does a.py use port 8080", None),
            ("deadline 3 of a.py", None),
            ("line 99999999999 of a.py", None),
        ] {
            assert_eq!(numbered_lines(question), lines, "{question}");
        }
    }

    #[test]
    fn statements_are_given_by_rank() {
        for (question, statements) in [
            ("remove the first statement of f", Some((1, 1))),
            ("drop the final statement in f", Some((LAST, LAST))),
            ("the last 2 statements of f", Some((LAST - 1, LAST))),
            ("the return statement of f", None),
            ("the first line of f", None),
        ] {
            assert_eq!(numbered_statements(question), statements, "{question}");
        }
        assert_eq!((from_start(LAST - 1, 7), from_start(3, 7), from_start(LAST - 9, 7)), (6, 3, 0));
    }
}
