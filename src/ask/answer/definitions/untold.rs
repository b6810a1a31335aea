//! Says in the first line that the index does not know what a yes or no is asked for: `is Client thread safe`.

use crate::ask::{
    answer::Answer,
    reading::{forms::QuestionIntent, plan::Understood},
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
}
