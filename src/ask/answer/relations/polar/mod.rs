//! Yes or no to questions whose truth hangs on a small word: `only once`, `by every module`, `in the same file`.
//!
//! Where no rule takes such a word in, the answer says so first and gives no verdict.

mod asked_use;
mod called;
pub(in crate::ask::answer) mod every;
pub(in crate::ask::answer) mod exists;
pub(in crate::ask::answer) mod extent;
pub(in crate::ask::answer) mod kind;
pub(in crate::ask::answer) mod sharing;
pub(in crate::ask::answer) mod within;

use crate::{
    ask::{
        answer::{Answer, relations::only},
        reading::{
            forms::{Polarity, QuestionIntent, patterns::number},
            names::meanings,
            plan::Understood,
            words::is_in,
        },
    },
    query::target::{
        Target,
        likeliest::{is_aside, likeliest},
    },
    store::{Store, error::StoreError},
};

/// Words that turn the truth of a sentence, beside those of a verdict itself.
const TURNING: [&str; 23] = [
    "all",
    "always",
    "each",
    "either",
    "entirely",
    "every",
    "everywhere",
    "exactly",
    "exclusively",
    "fewer",
    "half",
    "just",
    "less",
    "most",
    "mostly",
    "once",
    "only",
    "same",
    "solely",
    "thrice",
    "times",
    "twice",
    "unless",
];
/// Words that leave something out.
const EXCEPTING: [&str; 7] = ["apart", "aside", "besides", "except", "excepting", "excluding", "than"];
/// Words of a condition that is quoted.
const QUOTED: usize = 4;
/// Names that a headline gives.
const MAX_NAMED: usize = 3;

/// The first of some names, as a headline gives them.
fn first_of(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = if names.len() > MAX_NAMED { " and others" } else { "" };
    format!("{}{more}", names.take(MAX_NAMED).collect::<Vec<_>>().join(", "))
}

/// The condition of a question for yes or no that nothing took in, in the words of the question.
pub(in crate::ask::answer) fn not_understood(understood: &Understood, has_place: bool) -> Option<String> {
    if understood.plan.polarity != Polarity::Used {
        return None;
    }
    let words = &understood.words;
    // `only in FILE` is answered by the places elsewhere, and `outside of tests` leaves out by itself.
    let is_place_told = has_place && only::asks_for_only(understood);
    let leaves_out = !understood.plan.outside.is_empty() || understood.plan.filters.in_tests().is_some();
    let is_name = |word: &String| {
        let mut mentions = understood.plan.subjects.iter().map(|subject| &subject.mention);
        mentions.any(|mention| mention.to_lowercase() == *word)
    };
    let is_turning = |at: &usize| {
        let word = &words[*at];
        let before = at.checked_sub(1).map_or("", |before| words[before].as_str());
        let next = words.get(at + 1).map_or("", String::as_str);
        // `at all` and `all over the place` only stress.
        let is_stress = word == "all" && (before == "at" || next == "over");
        let is_told = is_place_told && matches!(word.as_str(), "only" | "just" | "solely" | "exclusively");
        let is_left_out = leaves_out && EXCEPTING.contains(&word.as_str());
        let turns = TURNING.contains(&word.as_str()) || EXCEPTING.contains(&word.as_str());
        turns && !is_stress && !is_told && !is_left_out && !is_name(word)
    };
    let start = (0..words.len()).find(is_turning)?;
    // `more than`, `other than`, `at least`: the word before belongs to it.
    let is_head = |word: &String| matches!(word.as_str(), "more" | "other" | "else" | "less" | "fewer" | "anything");
    let start = if start > 0 && is_head(&words[start - 1]) { start - 1 } else { start };
    let quoted: Vec<&str> = words[start..].iter().take(QUOTED).map(String::as_str).collect();
    Some(quoted.join(" "))
}

/// Says in a note that a list of uses takes no number of them into account: `which functions call f more than once`.
pub(in crate::ask::answer) fn say_uncounted_uses(understood: &Understood, answer: &mut Answer) {
    let lists =
        matches!(answer.plan.intent, QuestionIntent::Usage | QuestionIntent::Signature | QuestionIntent::Examples);
    let is_taken =
        understood.plan.polarity == Polarity::Used || understood.degree.is_some() || understood.set.is_some();
    if !lists || is_taken {
        return;
    }
    let Some(said) = stated_number(&understood.words) else { return };
    if !answer.headline.contains(&said) {
        answer.plan.notes.insert(0, format!("the condition `{said}` is not understood: it is left aside"));
    }
}

/// The number of times, or the rank by it, that a question states, in its words.
fn stated_number(words: &[String]) -> Option<String> {
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let is_number = |at: usize| is_in("once twice thrice", word(at)) || number(word(at)).is_some();
    let length = |at: usize| match (word(at), word(at + 1)) {
        // Each place is one.
        ("at", "least") if is_in("1 one once", word(at + 2)) => 0,
        ("more" | "less" | "fewer", "than") | ("at", "least" | "most") | ("up", "to") if is_number(at + 2) => 3,
        ("exactly" | "only" | "just", _) if is_number(at + 1) => 2,
        (_, "time" | "times") if is_number(at) => 2,
        ("once" | "twice" | "thrice", _) if at > 0 && !is_in("at all more", word(at - 1)) => 1,
        ("most" | "least", "often" | "frequently") => 2,
        ("the", "most" | "least") if at + 2 == words.len() => 2,
        _ => 0,
    };
    let (at, length) = (0..words.len()).map(|at| (at, length(at))).find(|(_, length)| *length > 0)?;
    // `more than 3 times`
    let is_unit =
        is_in("argument arguments function functions module modules place places time times", word(at + length));
    Some(words[at..at + length + usize::from(is_unit && length > 1)].join(" "))
}

/// The definition that a word means, whatever everyday word it is; the likeliest outside of tests.
pub(in crate::ask::answer) fn definition_of(
    store: &Store,
    understood: &Understood,
    word: &str,
) -> Result<Option<Target>, StoreError> {
    let mut subjects = understood.plan.subjects.iter().zip(&understood.targets);
    if let Some((_, target)) = subjects.find(|(subject, _)| subject.mention == word) {
        return Ok(Some(target.clone()));
    }
    let mut targets = meanings(store, word, None, true, "")?.targets;
    targets.retain(|target| !is_aside(&target.main().path));
    let (chosen, _) = likeliest(store, word, targets)?;
    // A function of a module before a method of the same weight.
    let depth = |target: &&Target| target.main().record.qualified.matches('.').count();
    Ok(chosen.iter().min_by_key(depth).cloned())
}
