//! Answers `which globals are written by functions`: variables of modules that code inside functions assigns; and
//! `which functions use global`.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, first_in_words},
        reading::{filters::Noun, forms::QuestionIntent, plan::Understood},
    },
    model::{EntityKind, FileRecord, RelationshipKind},
    query::{
        impact::completeness::{Boundary, Completeness},
        source::texts::lines_of_texts,
        target::{innermost, likeliest::is_aside},
        words::count,
    },
    store::error::StoreError,
};

/// Variables that a headline names.
const MAX_NAMED: usize = 6;

/// Lists the variables of modules that functions write; `None` for other questions.
pub(in crate::ask::answer) fn written_globals(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    const WRITING: [&str; 12] = [
        "assign", "assigned", "change", "changed", "modified", "modify", "mutated", "rebind", "rebound", "set",
        "write", "written",
    ];
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let has = |known: &[&str]| words.iter().any(|word| known.contains(word));
    if asks_for_statements(&words) && understood.asks_for_list() && understood.targets.is_empty() {
        return declared_globals(reading, understood).map(Some);
    }
    let speaks_of_globals = has(&["globals"]) || has(&["global", "module-level"]) && has(&["variables"]);
    if !understood.asks_for_list() || !speaks_of_globals || !has(&WRITING) || !understood.targets.is_empty() {
        return Ok(None);
    }
    let store = reading.store;
    let wants_functions =
        understood.plan.filters.noun == Some(Noun::Function) && words.iter().take(2).any(|word| *word == "functions");
    let (mut variables, mut rows, mut writers) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
    for (id, file) in store.files()? {
        if !is_asked(understood, &file) {
            continue;
        }
        for variable in store.entities_of(id)? {
            if variable.record.kind != EntityKind::Variable || variable.record.qualified.contains('.') {
                continue;
            }
            for write in store.incoming_of(variable.id, RelationshipKind::Writes)? {
                let writer = store.entity(write.source)?.filter(|source| source.record.kind.is_callable());
                let Some(writer) = writer else { continue };
                if !store.file(writer.file)?.is_some_and(|file| is_asked(understood, &file)) {
                    continue;
                }
                variables.insert(variable.full_name());
                writers.insert(writer.full_name());
                let text = reading.sources.line(&writer.path, write.line).unwrap_or_default();
                let note = format!("writes `{}`", variable.full_name());
                rows.push(ListRow { line: write.line, end_line: 0, text, ..ListRow::of(&writer).with(note) });
            }
        }
    }
    let named = first_of(if wants_functions { &writers } else { &variables });
    let place = place(understood);
    let headline = match (variables.len(), wants_functions) {
        (0, _) => format!("none: no function writes a variable of a module{place}"),
        (all, true) => {
            let writes = if writers.len() == 1 { "writes" } else { "write" };
            let those = count(all, "variable");
            format!("{} {writes} {those} of modules{place}: {}", count(writers.len(), "function"), named)
        }
        (all, false) => {
            let are = if all == 1 { "of a module is" } else { "of modules are" };
            format!("{} {are} written by functions{place}: {}", count(all, "variable"), named)
        }
    };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Usage).plan, headline);
    answer.plan.notes.clear();
    answer.command = understood.plan.ask_command();
    answer.list(format!("where functions write them ({})", rows.len()), rows);
    let message = "only assignments count: what changes the contents of a list or a dict does not".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("contents", 1, message)]);
    Ok(Some(answer))
}

/// Whether `global` itself is asked for, not the variables that it names.
fn asks_for_statements(words: &[&str]) -> bool {
    const USING: [&str; 10] =
        ["use", "uses", "using", "have", "has", "with", "contain", "contains", "containing", "declare"];
    let Some(at) = words.iter().position(|word| *word == "global") else { return false };
    let is_end = |word: &&str| matches!(*word, "statement" | "statements" | "keyword" | "in" | "inside" | "outside");
    words[..at].iter().any(|word| USING.contains(word)) && words.get(at + 1).is_none_or(is_end)
}

/// Lists the functions with a `global` statement.
fn declared_globals(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let (mut rows, mut functions) = (Vec::new(), BTreeSet::new());
    for (id, file) in reading.store.files()?.into_iter().filter(|(_, file)| is_asked(understood, file)) {
        let Some(text) = reading.sources.text(&file.path).filter(|text| text.contains("global ")) else { continue };
        let (texts, entities) = (lines_of_texts(&text), reading.store.entities_of(id)?);
        for (number, line) in (1..).zip(text.lines()) {
            let is_statement = line.trim_start().starts_with("global ") && !texts.contains_key(&number);
            let Some(function) = innermost(&entities, number).filter(|_| is_statement) else { continue };
            functions.insert(function.full_name());
            rows.push(ListRow { line: number, end_line: 0, text: line.trim().to_owned(), ..ListRow::of(function) });
        }
    }
    let (have, place) = (if functions.len() == 1 { "has" } else { "have" }, place(understood));
    let headline = match functions.len() {
        0 => format!("none: no function{place} has a `global` statement"),
        all => format!("{}{place} {have} a `global` statement: {}", count(all, "function"), first_of(&functions)),
    };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Usage).plan, headline);
    answer.plan.notes.clear();
    answer.command = understood.plan.ask_command();
    answer.list(format!("`global` statements ({})", rows.len()), rows);
    Ok(answer)
}

/// Whether tests are asked for, or the rest.
fn asked_tests(understood: &Understood) -> Option<bool> {
    understood.plan.filters.in_tests().or(understood.plan.files.is_empty().then_some(false))
}

/// Whether a file is one where the question looks.
fn is_asked(understood: &Understood, file: &FileRecord) -> bool {
    let mut files = understood.plan.files.iter();
    let is_place = understood.plan.files.is_empty() || files.any(|one| one.paths.contains(&file.path));
    is_place
        && !understood.leaves_out(&file.path)
        && asked_tests(understood).is_none_or(|wanted| wanted == (file.is_test || is_aside(&file.path)))
}

/// The place where the question looks, in words behind a blank.
fn place(understood: &Understood) -> String {
    match (understood.limited_to(), asked_tests(understood)) {
        (limit, _) if !limit.is_empty() => limit,
        (_, Some(false)) => " outside of tests".to_owned(),
        (_, Some(true)) => " in tests".to_owned(),
        _ => String::new(),
    }
}

/// The first names, and the number of the others.
fn first_of(names: &BTreeSet<String>) -> String {
    first_in_words(names.iter().map(|name| format!("`{name}`")), MAX_NAMED)
}
