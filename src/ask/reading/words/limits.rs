//! The word before a file that says whether places are looked for in it, or only outside of it.

use crate::ask::reading::words::{ParsedQuestion, QuestionWord, Shape, is_in};

/// Words between the one that limits and the file.
const BETWEEN: &str = "by file folder from module modules of package the to";
/// Words before the file that are read.
const REACH: usize = 6;
/// Words that leave out what follows, by themselves and before `in`.
const OUTSIDE: &str = "apart aside besides beyond except excluding outside";
const DENYING: &str = "besides but cannot except excluding never not than";

/// Whether a file is where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceLimit {
    Inside,
    Outside,
}

/// The limit that the words before the one at `at` state: `in a.py`, `outside of a.py`, `but not in a.py`.
pub fn limit(question: &ParsedQuestion, at: usize) -> Option<PlaceLimit> {
    let around = question.words[at.saturating_sub(REACH)..at].iter().rev().map(QuestionWord::lower);
    let before: Vec<String> = around.skip_while(|word| is_in(BETWEEN, word)).collect();
    let (first, second) = (before.first()?.as_str(), before.get(1).map_or("", String::as_str));
    // `outside of tests and a.py`
    let joint = question.words[..at].iter().rposition(|word| matches!(word.lower().as_str(), "and" | "or" | "nor"));
    if let Some(joint) = joint.filter(|joint| is_in("and or nor", first) && *joint > 0) {
        return limit(question, joint - 1).filter(|limit| *limit == PlaceLimit::Outside);
    }
    let denies = |word: &str| is_in(DENYING, word) || word.ends_with("n't");
    if is_in(OUTSIDE, first) {
        return Some(PlaceLimit::Outside);
    }
    if is_in("in inside within under", first) {
        return Some(if denies(second) { PlaceLimit::Outside } else { PlaceLimit::Inside });
    }
    // `raises X but not app.py`; of imports, the file behind `but not` is another import.
    let is_import = question.words.iter().any(|word| word.lower().starts_with("import"));
    let is_rest = first == "not" && second == "but" || first == "than" && is_in("other elsewhere", second);
    (is_rest && !is_import && question.words[at].shape == Shape::Path).then_some(PlaceLimit::Outside)
}

/// Whether the word at `at` says where definitions or imports are, which a question counts or lists: `how many classes
/// are in cli`, `how many classes does cli define`, `the imports of cli`.
pub fn is_scope(question: &ParsedQuestion, at: usize) -> bool {
    const NOUNS: &str = "callables classes constants definitions enums exceptions fixtures functions helpers imports methods \
         modules properties tests";
    const GENERIC: &str = "all class code file folder general here it library module package project python repo \
         repository test tests that the there this total";
    let word = |at: usize| question.words.get(at).map(QuestionWord::lower).unwrap_or_default();
    let is_noun = |at: &usize| is_in(NOUNS, &word(*at));
    let Some(noun) = (0..at).find(is_noun) else { return false };
    if at < 2 || is_in(GENERIC, &word(at)) {
        return false;
    }
    let is_last = at + 1 == question.words.len() || question.words[at].ends_clause;
    let ends = is_last || is_in("are do does has have is that which with without", &word(at + 1));
    let is_behind = ends && is_in("at from in inside of within", &word(at - 1));
    let is_subject = at == noun + 2
        && is_in("do does", &word(at - 1))
        && is_in("contain declare define export have hold import offer provide", &word(at + 1));
    is_behind || is_subject
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_limits_by_the_words_before_them() {
        let limit = |text: &str| {
            let question = ParsedQuestion::parse(text);
            let at = question.words.iter().position(|word| word.text == "a.py").expect("it names the file");
            limit(&question, at)
        };
        for text in [
            "who raises X outside of a.py",
            "who raises X but not in a.py",
            "who raises X except in the file a.py",
            "who raises X but not a.py",
            "who calls f outside of tests and a.py",
            "who calls f anywhere other than a.py",
            "which functions aren't in a.py",
        ] {
            assert_eq!(limit(text), Some(PlaceLimit::Outside), "{text}");
        }
        for text in ["who raises X in the module a.py", "is f used anywhere in a.py", "is f called inside a.py itself"]
        {
            assert_eq!(limit(text), Some(PlaceLimit::Inside), "{text}");
        }
        assert_eq!(limit("which modules import b.py but not a.py"), None);
    }
}
