//! The turn that a session remembers of an answer: its subjects, the definition that `it` means afterwards, and what it
//! lists and counts.

use crate::{
    ask::{
        answer::{Answer, AnswerBlock},
        reading::{
            follow_up::turns::{ConversationTurn, ListedName, Operation, ToldTurn},
            forms::QuestionIntent,
        },
    },
    cli::commands::ask::compose::clean,
    query::impact::completeness::Completeness,
};

/// Definitions of one answer that a session remembers.
const MAX_LISTED: usize = 1_000;

/// The turn to remember, without secrets.
pub(crate) fn turn(text: &str, answer: &Answer) -> ConversationTurn {
    let plan = &answer.plan;
    let listed = if keeps_list(answer) { Vec::new() } else { listed(answer) };
    let told = ToldTurn {
        goes_on: plan.goes_on,
        names: names(answer),
        is_list: !listed.is_empty() || asks_for_list(answer),
        is_aside: is_aside(answer),
        counted: answer.counted.map(|(number, noun)| (number, noun.to_owned())),
        headline: clean(&answer.headline),
    };
    ConversationTurn {
        question: clean(&plan.question),
        answer: clean(text),
        subjects: plan.subjects.iter().map(|subject| subject.name.clone()).collect(),
        topic: topic(answer, &listed),
        listed,
        told,
    }
}

fn operation(answer: &Answer) -> Option<Operation> {
    answer.plan.goes_on.map(|goes_on| goes_on.operation)
}

/// Whether the list of the conversation stays: a number is told, or one of its rows is described.
fn keeps_list(answer: &Answer) -> bool {
    let describes = matches!(answer.plan.intent, QuestionIntent::Explain | QuestionIntent::Show);
    match operation(answer) {
        Some(Operation::Count) => true,
        Some(Operation::Row) => describes,
        _ => false,
    }
}

/// Whether the answer describes a definition, or is only the nearest in meaning to a few words.
fn is_aside(answer: &Answer) -> bool {
    const FEW_WORDS: usize = 6;
    if !matches!(operation(answer), None | Some(Operation::About | Operation::Row | Operation::Lost)) {
        return false;
    }
    let is_short = answer.plan.question.split_whitespace().count() <= FEW_WORDS;
    match answer.plan.intent {
        QuestionIntent::Explain | QuestionIntent::Show => true,
        QuestionIntent::Search => is_short,
        _ => answer.completeness == Completeness::Unknown || answer.is_unsettled(),
    }
}

/// Whether the answer is a list even where nothing is on it.
fn asks_for_list(answer: &Answer) -> bool {
    use QuestionIntent as I;
    let plan = &answer.plan;
    let chooses = plan.goes_on.is_some_and(|goes_on| match goes_on.operation {
        Operation::Choose | Operation::CountChosen | Operation::Every | Operation::Rest => goes_on.list > 0,
        _ => false,
    });
    let is_own = matches!(operation(answer), None | Some(Operation::Again | Operation::Row | Operation::About));
    let is_list =
        matches!(plan.intent, I::Select | I::Members | I::Usage | I::Hierarchy | I::Handled | I::Coverage | I::Tests);
    // An answer that cannot be given lists nothing, and neither does a mere number.
    let is_told = answer.completeness != Completeness::Unknown && !answer.is_unsettled();
    is_told && (chooses || is_own && is_list && !plan.filters.has("count"))
}

/// The names of the question as it spells them.
fn names(answer: &Answer) -> Vec<String> {
    let plan = &answer.plan;
    let mut names: Vec<String> = plan.subjects.iter().map(|subject| subject.mention.clone()).collect();
    names.extend(plan.unknown.iter().map(|unknown| unknown.mention.clone()));
    names.dedup();
    names
}

/// The definition that `it` means after an answer: the first that the question names, or of several alike the one that
/// the answer names first.
fn topic(answer: &Answer, listed: &[ListedName]) -> Option<String> {
    let plan = &answer.plan;
    if plan.topic.is_some() {
        return plan.topic.clone();
    }
    let place = |name: &str| answer.headline.find(&format!("`{name}`"));
    let Some(first) = plan.subjects.first() else {
        // The only row of a list is what `it` means, and so is the nearest name that the question has.
        let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_lowercase();
        let words: Vec<String> = plan.question.split(|c: char| !c.is_alphanumeric() && c != '_').map(last).collect();
        return match listed {
            // `which one is the longest?`
            [first, ..] if plan.filters.ranking().is_some() => Some(first.name.clone()),
            [one] => Some(one.name.clone()),
            [one, ..] if place(&one.name).is_some() && words.contains(&last(&one.name)) => Some(one.name.clone()),
            _ => None,
        };
    };
    if plan.intent == QuestionIntent::Compare && plan.subjects.len() > 1 {
        return None;
    }
    let alike = plan.subjects.iter().filter(|other| other.mention == first.mention);
    let told = alike.min_by_key(|other| place(&other.name).unwrap_or(usize::MAX));
    Some(told.unwrap_or(first).name.clone())
}

/// The definitions that an answer lists, without those beside the point.
fn listed(answer: &Answer) -> Vec<ListedName> {
    let mut listed: Vec<ListedName> = Vec::new();
    for block in &answer.blocks {
        let AnswerBlock::List(list) = block else { continue };
        for row in list.rows.iter().filter(|_| !list.is_beside) {
            let name = row.name.trim_start();
            let name = name.strip_prefix("async ").unwrap_or(name).to_owned();
            let one = ListedName { name, path: row.path.clone() };
            // A setter or an overload is a further row of the same definition.
            let is_further = one
                .name
                .split_once('@')
                .is_some_and(|(base, _)| listed.iter().any(|other| other.name == base && other.path == one.path));
            if !is_further && listed.len() < MAX_LISTED && !listed.contains(&one) {
                listed.push(one);
            }
        }
    }
    listed
}
