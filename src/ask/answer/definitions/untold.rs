//! Says in the first line that the index does not know what a yes or no is asked for: `is Client thread safe`.

use crate::ask::{
    answer::Answer,
    reading::{
        forms::{Polarity, QuestionIntent, patterns::is_negation},
        plan::Understood,
    },
};

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
        answer.headline = format!("the index does not tell whether this is so; it knows: {}", answer.headline);
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
