//! The annotations that name a class: `which functions are annotated with Cart`, `parameters typed as Cart`.
//!
//! A function that is named behind `annotated with` is a decorator, and no matter of this file.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, relations, select::place},
        reading::{
            filters::Noun,
            forms::{
                QuestionIntent,
                patterns::{is_negation, number},
            },
            names::{at_path, meanings},
            plan::Understood,
            words::{Shape, is_in},
        },
    },
    model::{
        EntityKind,
        conventions::{has_whole_name, is_name_part},
        written_signature::WrittenSignature,
    },
    query::{
        target::{
            Target,
            filter::FilterReader,
            likeliest::{is_aside, likeliest},
        },
        words::count,
    },
    store::error::StoreError,
};

/// Words between `annotated with` and the type.
const AROUND: &str = "a an the type class types of its their";
/// Types of Python that are written in lower case.
const BUILTIN: &str = "bool bytearray bytes complex dict float frozenset int list none object set str tuple type";

/// Answers which annotations name a class or another type; `None` for other questions.
pub(in crate::ask::answer) fn annotated(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = &understood.question.words;
    let lower = understood.question.lower_words();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    let Some(at) = type_at(&lower) else { return Ok(None) };
    let word = &words[at];
    // `annotated with @cached` is a decorator; the result has a condition of its own.
    let is_of_result = lower.iter().any(|word| is_in("return returns returning result results", word));
    if word.text.starts_with('@') || word.shape == Shape::Path || is_of_result {
        return Ok(None);
    }
    if lower.iter().any(|word| is_negation(word) || number(word).is_some()) {
        return Ok(None);
    }
    let can_be = |target: &Target| matches!(target.main().record.kind, EntityKind::Class | EntityKind::Variable);
    let named = understood.plan.subjects.iter().zip(&understood.targets);
    let named = named.filter(|(subject, target)| subject.mention == word.text && can_be(target));
    let mut targets: Vec<Target> = named.map(|(_, target)| target.clone()).collect();
    if targets.is_empty() {
        targets = meanings(reading.store, &word.text, None, true, "")?.targets;
        targets.retain(can_be);
        targets = likeliest(reading.store, &word.text, targets)?.0;
    }
    let is_outside = word.text.starts_with(char::is_uppercase) || is_in(BUILTIN, lower[at]);
    let mut answers = targets.iter().map(|target| of_definition(reading, understood, target));
    let Some(first) = answers.next() else {
        return if is_outside { of_other_type(reading, understood, &word.text).map(Some) } else { Ok(None) };
    };
    let mut first = first?;
    for other in answers {
        let other = other?;
        first.headline += &format!("; {}", other.headline);
        first.blocks.extend(other.blocks);
    }
    Ok(Some(first))
}

/// Words between the noun and the name in an annotation.
const NAMING: &str = "with mentioning mention naming name using use containing contain";

/// The place of the type that annotations have to name.
fn type_at(words: &[&str]) -> Option<usize> {
    let is_annotation = |at: usize| match words.get(at) {
        Some(&("annotation" | "annotations")) => true,
        Some(&("hint" | "hints")) => at > 0 && matches!(words[at - 1], "type" | "typing"),
        _ => false,
    };
    let behind = |mut at: usize| {
        while words.get(at).is_some_and(|word| is_in(AROUND, word)) {
            at += 1;
        }
        (at < words.len()).then_some(at)
    };
    let has_noun = (0..words.len()).find(|at| is_annotation(*at));
    for (at, pair) in words.windows(2).enumerate() {
        match pair {
            ["annotated" | "annotate" | "annotates" | "hinted", "with" | "as" | "by" | "using"]
            | ["typed", "as" | "with"] => return behind(at + 2),
            _ => {}
        }
    }
    let noun = has_noun?;
    if words.get(noun + 1).is_some_and(|word| is_in(NAMING, word)) {
        return behind(noun + 2);
    }
    // `a Cart type annotation`; `used as a type annotation` has the name further before.
    let mut before = noun.checked_sub(1)?;
    while before > 0 && is_in("type typing parameter argument variable a an the", words[before]) {
        before -= 1;
    }
    if matches!(words[before], "as" | "in") && before > 0 {
        before -= 1;
        while before > 0 && is_in("used anywhere appear appears occur occurs named mentioned", words[before]) {
            before -= 1;
        }
        return Some(before);
    }
    let has_owner = words[..before].iter().any(|word| is_in("have has having with use uses using carry carries", word));
    has_owner.then_some(before)
}

/// The annotations that name a definition of the repository.
fn of_definition(reading: AnswerInputs, understood: &Understood, target: &Target) -> Result<Answer, StoreError> {
    let name = target.main().full_name();
    let users = relations::users(reading, target)?;
    let mut rows = users.rows;
    rows.retain(|row| row.note.starts_with("annotates"));
    let mut answer = begun(understood);
    answer.command = format!("repoidx refs {name}");
    answer.want(target.main(), "asked about", false);
    let within = limited(reading, understood, target, &mut rows)?;
    let wanted = functions_of(understood);
    let mut holders: BTreeSet<(String, String)> = BTreeSet::new();
    let mut others = Vec::new();
    if let Some(noun) = wanted {
        let mut functions = Vec::new();
        for row in rows {
            let holder = at_path(reading.store, &row.name, &row.path)?;
            let fits = holder.is_some_and(|one| match noun {
                Noun::Method => matches!(one.record.kind, EntityKind::Method | EntityKind::Property),
                _ => one.record.kind.is_callable(),
            });
            if fits {
                holders.insert((row.path.clone(), row.name.clone()));
            }
            if fits { &mut functions } else { &mut others }.push(row);
        }
        rows = functions;
    }
    rows.sort_by_key(|row| is_aside(&row.path));
    let places = count(rows.len(), "place");
    let first = rows.first().map(|row| format!(", first in `{}` ({}:{})", row.name, row.path, row.line));
    let first = first.unwrap_or_default();
    let whether = asks_whether(understood);
    answer.headline = match wanted.filter(|_| !rows.is_empty()) {
        _ if rows.is_empty() => {
            let no = if whether { "no: " } else { "" };
            format!("{no}`{name}` is used in no annotation{within}")
        }
        Some(noun) => {
            let all = count(holders.len(), noun.worded());
            let have = if holders.len() == 1 { "has" } else { "have" };
            format!("{all}{within} {have} `{name}` in annotations, at {places}{first}")
        }
        None => {
            let yes = if whether { "yes: " } else { "" };
            format!("{yes}`{name}` is used in annotations at {places}{within}{first}")
        }
    };
    answer.list(format!("where `{name}` is used in annotations{within} ({})", rows.len()), rows);
    answer.beside(format!("other annotations with it ({})", others.len()), others);
    Ok(answer)
}

/// The functions whose annotations name a type that is not of the repository, as their heads are written.
fn of_other_type(reading: AnswerInputs, understood: &Understood, written: &str) -> Result<Answer, StoreError> {
    let noun = functions_of(understood).unwrap_or(Noun::Function);
    let mut asked = understood.clone();
    asked.plan.filters.noun = Some(noun);
    asked.plan.filters.decorator = None;
    let filter = asked.filter();
    let last = written.rsplit('.').next().unwrap_or(written);
    let names_it = |text: &str| has_whole_name(text, last);
    let mut rows = Vec::new();
    for entity in FilterReader::new(reading.store)?.fitting(&filter)? {
        let Some(signature) = WrittenSignature::parse(&entity.record.signature) else { continue };
        let parameters = signature.parameters.iter().filter(|one| names_it(one.annotation));
        let mut places: Vec<String> = parameters.map(|one| format!("`{}`", one.name)).collect();
        if names_it(signature.result) {
            places.push("the result".to_owned());
        }
        if !places.is_empty() {
            rows.push(ListRow::of(&entity).with(format!("annotates {}", places.join(", "))));
        }
    }
    let mut answer = begun(understood);
    limited_by_owner(understood, None, &mut rows);
    let place = place(&asked, &filter);
    answer.command = understood.plan.ask_command();
    let yes = if asks_whether(understood) { "yes: " } else { "" };
    answer.headline = match rows.first() {
        None => format!("none: no {} {place} has `{written}` in the annotations of its head", noun.worded()),
        Some(first) => {
            let have = if rows.len() == 1 { "has" } else { "have" };
            format!(
                "{yes}{} {place} {have} `{written}` in the annotations of the head, first `{}` ({}:{})",
                count(rows.len(), noun.worded()),
                first.name,
                first.path,
                first.line
            )
        }
    };
    if understood
        .words
        .iter()
        .any(|word| is_in("attribute attributes class classes field fields variable variables", word))
    {
        answer.headline += &format!("; annotations of attributes with `{written}` are not in the index");
    }
    answer.list(format!("functions with `{written}` in annotations ({})", rows.len()), rows);
    Ok(answer)
}

/// An answer about uses, without what other readings of the question say of it.
fn begun(understood: &Understood) -> Answer {
    let mut plan = understood.clone().read_as(QuestionIntent::Usage).plan;
    // Which of several definitions is meant stays a note.
    plan.notes.retain(|note| note.contains(" is taken for "));
    plan.unknown.clear();
    Answer::new(plan, String::new())
}

/// The kind of functions that is asked for; `None` where the places are.
fn functions_of(understood: &Understood) -> Option<Noun> {
    let noun = understood.plan.filters.noun.filter(|noun| noun.is_callable() && *noun != Noun::Fixture)?;
    Some(if noun == Noun::Method { noun } else { Noun::Function })
}

fn asks_whether(understood: &Understood) -> bool {
    understood.words.first().is_some_and(|word| is_in("is are does do has have", word))
}

/// Leaves the rows of the files, modules and classes that the question names, and says which.
fn limited(
    reading: AnswerInputs,
    understood: &Understood,
    target: &Target,
    rows: &mut Vec<ListRow>,
) -> Result<String, StoreError> {
    let plan = &understood.plan;
    let files: Vec<&String> = plan.files.iter().flat_map(|file| &file.paths).collect();
    rows.retain(|row| (files.is_empty() || files.contains(&&row.path)) && !understood.leaves_out(&row.path));
    let mut within = understood.limited_to();
    if let Some(wanted) = plan.filters.in_tests() {
        let tests: BTreeSet<String> =
            reading.store.files()?.into_iter().filter(|(_, file)| file.is_test).map(|(_, file)| file.path).collect();
        rows.retain(|row| tests.contains(&row.path) == wanted);
        within += if wanted { " in tests" } else { " outside of tests" };
    }
    within += &limited_by_owner(understood, Some(target), rows);
    Ok(within)
}

/// Leaves the rows inside of the modules and classes that stand beside the type in the question.
fn limited_by_owner(understood: &Understood, target: Option<&Target>, rows: &mut Vec<ListRow>) -> String {
    let is_place = |owner: &&Target| {
        matches!(owner.main().record.kind, EntityKind::Module | EntityKind::Class)
            && target.is_none_or(|target| target.main().record.name != owner.main().record.name)
    };
    let owners: Vec<String> =
        understood.targets.iter().filter(is_place).map(|owner| owner.main().full_name()).collect();
    if owners.is_empty() {
        return String::new();
    }
    let is_inside = |row: &ListRow| {
        let name = row.name.trim_start_matches("async ");
        owners.iter().any(|owner| name.strip_prefix(owner.as_str()).is_some_and(|rest| !rest.starts_with(is_name_part)))
    };
    rows.retain(is_inside);
    format!(" in `{}`", owners.join("` and `"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_is_found_beside_the_word_for_annotations() {
        let check = |question: &str| {
            let words: Vec<&str> = question.split(' ').collect();
            type_at(&words).map_or_else(String::new, |at| words[at].to_owned())
        };
        assert_eq!(check("which functions are annotated with Cart"), "Cart");
        assert_eq!(check("which parameters are annotated as a Cart"), "Cart");
        assert_eq!(check("which functions have a Cart type annotation"), "Cart");
        assert_eq!(check("where is Cart used as a type hint"), "Cart");
        assert_eq!(check("annotations with Cart"), "Cart");
        assert_eq!(check("which functions have type hints"), "");
        assert_eq!(check("which functions have annotations"), "");
        assert_eq!(check("what is the type annotation of total"), "");
    }
}
