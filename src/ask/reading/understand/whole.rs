//! Reads questions about the whole repository by their telling words, whatever stands around them: `is everything
//! documented?`, `does this repo have a CLI`.
//!
//! `whole.txt` has the words. A word that neither tells nor stands around such questions makes it another question.

use crate::ask::reading::words::is_in;

/// Lines with `wording = telling words`.
const TABLE: &str = include_str!("whole.txt");
/// Words for the repository, and for all that it has.
const REPOSITORY: &str = "anything app application base code codebase everything framework lib library package program project repo \
     repository software";
/// Words that stand around such questions.
const AROUND: &str = "a about all also an and any are at be can consist consists contain contains contributor count could define do does \
     each exist exists find first for from general give good has have here how i if in inside into is it its itself known library list \
     look made make many me more most my name new newcomer of on one or our out part parts person piece place please point pls potential \
     properly quite really see should show so some still sub tell than that the their there these they thing things this to too top \
     under up us we well what when where which who whole with within work works would you your line interface security fully possible \
     obvious current currently order somebody someone";

/// The wording that such a question is understood in.
pub(super) fn of_whole(text: &str) -> Option<String> {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| {
            word.trim_matches(['?', '.', '!', ',']).to_lowercase().replace("what's", "what").replace("n't", " not")
        })
        .filter(|word| !word.is_empty())
        .collect();
    TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).find_map(|line| {
        let (wording, groups) = line.split_once(" = ")?;
        let is_of = |group: &str, word: &str| {
            group
                .trim_matches(['(', ')'])
                .split('/')
                .any(|one| if one == "R" { is_in(REPOSITORY, word) } else { one == word })
        };
        let has_each = groups
            .split(' ')
            .filter(|group| !group.starts_with('('))
            .all(|group| words.iter().any(|word| is_of(group, word)));
        let says_more = |word: &String| {
            !is_in(AROUND, word) && !is_in(REPOSITORY, word) && !groups.split(' ').any(|group| is_of(group, word))
        };
        (has_each && !words.iter().any(says_more)).then(|| wording.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_about_the_repository_is_told_by_its_words_in_any_order() {
        for (text, wording) in [
            ("is everything documented?", "are all public definitions documented"),
            ("is the code documented properly", "are all public definitions documented"),
            ("are there any bugs in this code?", "are there any bugs in this repository"),
            ("is there anything wrong in this repo", "are there any bugs in this repository"),
            ("are there any failing tests", "is any test run by the index"),
            ("does this repo have a CLI", "which entry points are there"),
            ("does this project have a command line interface", "which entry points are there"),
            ("which folders does it consist of", "list all folders"),
            ("where do I start reading", "where do I start reading"),
            ("what should a new contributor look at first", "where do I start reading"),
            ("which module do most others depend on", "what are the main modules"),
            ("what are the main packages", "list all packages"),
            ("what needs documentation", "which public definitions have no docstring"),
            ("which parts of the code have no tests", "list the untested parts of the repository"),
            ("what is the architecture", "give an overview of this repository"),
        ] {
            assert_eq!(of_whole(text).as_deref(), Some(wording), "{text}");
        }
    }

    #[test]
    fn a_further_word_makes_it_another_question() {
        for text in [
            "is Cart documented",
            "are all functions documented",
            "do the tests pass after my change",
            "does the project have documentation",
            "which module depends on requests",
            "where does the program start",
        ] {
            assert_eq!(of_whole(text), None, "{text}");
        }
    }
}
