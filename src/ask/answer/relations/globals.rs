//! Answers `which globals are written by functions`: variables of modules that code inside functions assigns.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, in_words},
        reading::{filters::Noun, forms::QuestionIntent, plan::Understood},
    },
    model::{EntityKind, RelationshipKind},
    query::{
        impact::completeness::{Boundary, Completeness},
        words::{count, shell_word},
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
    let is_list = matches!(words.first(), Some(&("which" | "what" | "list" | "show" | "all" | "how" | "are")));
    let speaks_of_globals = has(&["globals"]) || has(&["global", "module-level"]) && has(&["variables"]);
    if !is_list || !speaks_of_globals || !has(&WRITING) || !understood.targets.is_empty() {
        return Ok(None);
    }
    let store = reading.store;
    let wants_functions = understood.plan.filters.noun == Some(Noun::Function) && words.get(1) == Some(&"functions");
    let in_tests = understood.plan.filters.in_tests().or(understood.plan.files.is_empty().then_some(false));
    let is_place = |path: &String| {
        let mut files = understood.plan.files.iter();
        understood.plan.files.is_empty() || files.any(|file| file.paths.contains(path))
    };
    let (mut variables, mut rows, mut writers) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
    for (id, file) in store.files()? {
        if !is_place(&file.path) || in_tests.is_some_and(|wanted| wanted != file.is_test) {
            continue;
        }
        for variable in store.entities_of(id)? {
            if variable.record.kind != EntityKind::Variable || variable.record.qualified.contains('.') {
                continue;
            }
            for write in store.incoming_of(variable.id, RelationshipKind::Writes)? {
                let Some(writer) = store.entity(write.source)?.filter(|source| source.record.kind.is_callable()) else {
                    continue;
                };
                variables.insert(variable.full_name());
                writers.insert(writer.full_name());
                let text = reading.sources.line(&writer.path, write.line).unwrap_or_default();
                let note = format!("writes `{}`", variable.full_name());
                rows.push(ListRow { line: write.line, end_line: 0, text, ..ListRow::of(&writer).with(note) });
            }
        }
    }
    let asked = if wants_functions { &writers } else { &variables };
    let mut named: Vec<String> = asked.iter().take(MAX_NAMED).map(|name| format!("`{name}`")).collect();
    if asked.len() > MAX_NAMED {
        named.push(format!("{} more", asked.len() - MAX_NAMED));
    }
    let place = match (understood.limited_to(), in_tests) {
        (limit, _) if !limit.is_empty() => limit,
        (_, Some(false)) => " outside of tests".to_owned(),
        (_, Some(true)) => " in tests".to_owned(),
        _ => String::new(),
    };
    let headline = match (variables.len(), wants_functions) {
        (0, _) => format!("none: no function writes a variable of a module{place}"),
        (all, true) => {
            let writes = if writers.len() == 1 { "writes" } else { "write" };
            let those = count(all, "variable");
            format!("{} {writes} {those} of modules{place}: {}", count(writers.len(), "function"), in_words(&named))
        }
        (all, false) => {
            let are = if all == 1 { "of a module is" } else { "of modules are" };
            format!("{} {are} written by functions{place}: {}", count(all, "variable"), in_words(&named))
        }
    };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Usage).plan, headline);
    answer.plan.notes.clear();
    answer.command = format!("repoidx ask {}", shell_word(&understood.plan.question));
    answer.list(format!("where functions write them ({})", rows.len()), rows);
    let message = "only assignments count: what changes the contents of a list or a dict does not".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("contents", 1, message)]);
    Ok(Some(answer))
}
