//! Says in the first line that the index does not know what a yes or no is asked for: `is Client thread safe`.

use crate::{
    ask::{
        answer::{Answer, AnswerBlock, in_words, survey::tasks::request_of},
        reading::{
            forms::{Polarity, QuestionIntent, Task, patterns::is_negation, vocabulary::unread},
            names::TAKEN_FOR,
            plan::Understood,
            words::is_in,
        },
    },
    query::impact::completeness::Completeness,
};

/// The beginning of an answer to a question that the index cannot judge.
const UNTOLD: &str = "the index does not tell whether this is so";
/// Words that an answer about a parameter takes into account.
const OF_PARAMETERS: &str = " argument default keyword kwarg parameter positional";
/// Words that are named as not understood.
const MAX_UNREAD: usize = 3;
/// Words at the beginning by which somebody wants tests written.
const WRITING: &str = "add create draft generate make propose suggest write";

/// Names the words that the answer passes over before it: it may answer another question.
pub(in crate::ask::answer) fn say_unread(understood: &Understood, answer: &mut Answer) {
    let is_doubted = answer.is_guess || answer.headline.starts_with(UNTOLD);
    if is_doubted || answer.headline.is_empty() || !understood.plan.unknown.is_empty() {
        return;
    }
    let mut said = format!("{} {}", answer.headline, answer.command);
    if understood.argument.is_some() || answer.headline.contains("the signature of") {
        said += OF_PARAMETERS;
    }
    for block in &answer.blocks {
        if let AnswerBlock::List(list) = block {
            said += &format!(" {}", list.title);
        }
    }
    if understood.plan.task == Task::Test && understood.words.iter().take(4).any(|word| is_in(WRITING, word)) {
        said = format!("{said} {WRITING}");
    }
    let mut words = unread(understood.plan.intent, &understood.plan.words, &said);
    // The words of a task say how to answer.
    if let Some(request) = request_of(understood) {
        words.retain(|word| request.about.iter().any(|about| about.eq_ignore_ascii_case(word)));
    }
    words.truncate(MAX_UNREAD);
    if !words.is_empty() {
        let named: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        let (are, them) = if named.len() == 1 { ("is", "it") } else { ("are", "them") };
        answer.headline = format!("{} {are} not understood; without {them}: {}", in_words(&named), answer.headline);
        answer.bound(Completeness::Unknown, Vec::new());
    }
}

/// Says first that a misspelt name is taken for another one, since the answer may be about something else.
pub(in crate::ask::answer) fn say_guessed(answer: &mut Answer) {
    let mut guessed: Vec<String> = Vec::new();
    for note in &answer.plan.notes {
        let Some((written, meant)) =
            note.strip_prefix("nothing is called ").and_then(|rest| rest.split_once(TAKEN_FOR))
        else {
            continue;
        };
        let said = format!("{written} for {meant}");
        if !answer.headline.contains(written) && !guessed.contains(&said) {
            guessed.push(said);
        }
    }
    if !guessed.is_empty() && !answer.headline.is_empty() {
        answer.headline = format!("taking {}: {}", in_words(&guessed), answer.headline);
    }
}

/// Puts the limit before the nearest facts, where the answer shows a definition and judges nothing.
pub(in crate::ask::answer) fn say_untold(understood: &Understood, answer: &mut Answer) {
    const VERBS: [&str; 12] =
        ["are", "can", "could", "did", "do", "does", "has", "have", "is", "should", "will", "would"];
    // `can you explain f`, `is there a class C`
    const OTHERS: [&str; 6] = ["i", "me", "there", "these", "we", "you"];
    const VERDICTS: [&str; 8] = ["neither", "no", "none", "nothing", "only", "perhaps", "whether", "yes"];
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let [first, second, ..] = words.as_slice() else { return };
    let shows = matches!(understood.plan.intent, QuestionIntent::Explain | QuestionIntent::Show);
    let asks_whether = VERBS.contains(first) && !OTHERS.contains(second);
    let verdict = answer.headline.split([' ', ':', ',']).next().unwrap_or_default();
    if shows && asks_whether && !understood.targets.is_empty() && !VERDICTS.contains(&verdict) {
        answer.headline = format!("{UNTOLD}; it knows: {}", answer.headline);
    }
    // `does A not derive from B`: a plain yes or no could mean either.
    let is_whether = matches!(*first, "are" | "did" | "do" | "does" | "is") && !matches!(*second, "i" | "we" | "you");
    let lists =
        matches!(understood.plan.intent, QuestionIntent::Usage | QuestionIntent::Hierarchy | QuestionIntent::Path);
    let filters = &understood.plan.filters;
    let is_taken = understood.asks_whether_unused()
        || !filters.denied.is_empty()
        || filters.has("unused")
        || filters.in_tests().is_some()
        || !understood.plan.outside.is_empty()
        || understood.argument.is_some()
        || matches!(understood.plan.polarity, Polarity::Safe | Polarity::Breaks);
    let is_denied = |word: &&&str| is_negation(word) && !matches!(**word, "no" | "without" | "never");
    if let Some(denial) = words.iter().find(is_denied).filter(|_| lists && is_whether && !is_taken) {
        answer.headline = format!("the `{denial}` of the question is not understood; without it: {}", answer.headline);
    }
}
