//! Which classes below an exception are raised or caught by name, and which are not.

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow, in_words,
            places::{PlaceRole, places},
            short_name,
        },
        reading::{forms::QuestionIntent, plan::Understood},
    },
    model::{EntityKind, RelationshipKind},
    query::{
        impact::completeness::{Boundary, Completeness},
        navigate::tree::{TreeKind, tree},
        words::count,
    },
    store::{error::StoreError, read::Entity},
};

/// Classes that a headline names.
const MAX_NAMED: usize = 6;

/// Answers `which subclasses of X are never raised`; `None` for other questions.
pub(in crate::ask::answer) fn raised_heirs(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    const HEIRS: [&str; 5] = ["children", "descend", "deriv", "inherit", "subclass"];
    let begins = |word: &str, heads: &[&str]| heads.iter().any(|head| word.starts_with(head));
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let verb = words.iter().position(|word| matches!(*word, "raised" | "thrown" | "caught" | "handled"));
    let ([target], Some(verb), true) = (understood.targets.as_slice(), verb, understood.asks_for_list()) else {
        return Ok(None);
    };
    if target.main().record.kind != EntityKind::Class || !words.iter().any(|word| begins(word, &HEIRS)) {
        return Ok(None);
    }
    let is_no = |word: &&str| matches!(*word, "not" | "never" | "no" | "nowhere") || word.ends_with("n't");
    let is_denied = words[verb.saturating_sub(3)..verb].iter().any(is_no);
    let (role, done) = match words[verb] {
        "raised" | "thrown" => (PlaceRole::Raises, "raised"),
        _ => (PlaceRole::Catches, "caught"),
    };
    let mut heirs = Vec::new();
    for id in tree(reading.store, target, TreeKind::Subclasses)?.entities() {
        heirs.extend(reading.store.entity(id)?.filter(|heir| heir.id != target.main().id));
    }
    heirs.sort_by(|a, b| (&a.path, a.record.start_line).cmp(&(&b.path, b.record.start_line)));
    let (mut fitting, mut names) = (Vec::new(), Vec::new());
    for heir in &heirs {
        let mut at = places(reading, understood, &heir.record.name)?;
        at.retain(|place| place.role == role);
        let mut done_at: Vec<(String, u32)> = at.into_iter().map(|place| (place.path, place.line)).collect();
        if role == PlaceRole::Raises {
            // It may be raised under another name: `import E as F`.
            done_at.extend(raising(reading, understood, heir)?);
        }
        if done_at.is_empty() == is_denied {
            names.push(format!("`{}`", short_name(heir)));
            let note = done_at.first().map(|(path, line)| format!("{done} at {path}:{line}"));
            fitting.push(ListRow::of(heir).with(note.unwrap_or_default()));
        }
    }
    if names.len() > MAX_NAMED {
        let more = names.len() - MAX_NAMED;
        names.truncate(MAX_NAMED);
        names.push(format!("{more} more"));
    }
    let not = if is_denied { "never " } else { "" };
    let tests = match understood.plan.filters.in_tests() {
        Some(true) => " in tests",
        Some(false) => " outside of tests",
        None => "",
    };
    let listed = if names.is_empty() { String::new() } else { format!(": {}", in_words(&names)) };
    let none = if names.is_empty() { "none: " } else { "" };
    let all = count(heirs.len(), "class");
    let base = &target.main().record.name;
    let mut answer = Answer::new(
        understood.clone().read_as(QuestionIntent::Hierarchy).plan,
        format!("{none}{} of {all} below `{base}` are {not}{done} by name{tests}{listed}", fitting.len()),
    );
    answer.plan.notes.retain(|note| !note.contains("leaves out"));
    answer.command = understood.plan.ask_command();
    for heir in heirs.iter().take(MAX_NAMED) {
        answer.want(heir, "it is below the class", true);
    }
    answer.list(format!("classes that fit ({})", fitting.len()), fitting);
    let message =
        "read off the lines that name the class: it may be raised or caught by a variable or a base".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("text", 1, message)]);
    Ok(Some(answer))
}

/// The places that raise a class, by whatever name, where the question looks.
fn raising(reading: AnswerInputs, understood: &Understood, class: &Entity) -> Result<Vec<(String, u32)>, StoreError> {
    let in_tests = understood.plan.filters.in_tests();
    let mut found = Vec::new();
    for edge in reading.store.incoming_of(class.id, RelationshipKind::Raises)? {
        let Some(source) = reading.store.entity(edge.source)? else { continue };
        let is_test = reading.store.file(source.file)?.is_some_and(|file| file.is_test);
        if in_tests.is_none_or(|wanted| wanted == is_test) && !understood.leaves_out(&source.path) {
            found.push((source.path, edge.line));
        }
    }
    Ok(found)
}
