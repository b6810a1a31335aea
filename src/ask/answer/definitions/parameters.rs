//! Answers `which parameters have no annotation`.

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, select::place},
        reading::{filters::Noun, forms::QuestionIntent, plan::Understood},
    },
    model::written_signature::{WrittenParameter, WrittenSignature},
    query::{
        target::filter::{Filter, FilterReader},
        words::count,
    },
    store::error::StoreError,
};

/// Lists the functions with such parameters; `None` for other questions.
pub(in crate::ask::answer) fn unannotated(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    const PARAMETERS: [&str; 6] = ["parameters", "params", "arguments", "args", "parameter", "argument"];
    let is_head = |word: &String| PARAMETERS.contains(&word.as_str());
    let is_asked = understood.words.iter().take(2).any(is_head) && understood.plan.filters.has("unannotated");
    if !is_asked || !understood.asks_for_list() && !understood.words.first().is_some_and(is_head) {
        return Ok(None);
    }
    let mut functions = understood.clone();
    functions.plan.filters.noun = Some(Noun::Function);
    let filter = Filter { has_annotations: None, marks: Vec::new(), ..functions.filter() };
    let named: Vec<&str> = understood.targets.iter().map(|target| target.main().path.as_str()).collect();
    let (mut rows, mut all, mut bare) = (Vec::new(), 0, 0);
    for entity in FilterReader::new(reading.store)?.fitting(&filter)? {
        let is_named = |target: &crate::query::target::Target| {
            let whole = target.main().full_name();
            entity.full_name() == whole || entity.full_name().starts_with(&format!("{whole}."))
        };
        if !named.is_empty() && !understood.targets.iter().any(is_named) || understood.leaves_out(&entity.path) {
            continue;
        }
        let signature = WrittenSignature::parse(&entity.record.signature);
        let is_bare = |one: &&WrittenParameter| {
            one.annotation.is_empty() && !matches!(one.name, "self" | "cls" | "mcs" | "*" | "/")
        };
        let parameters = signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
        let names: Vec<&str> = parameters.iter().filter(is_bare).map(|one| one.name).collect();
        all += 1;
        bare += names.len();
        if !names.is_empty() {
            rows.push(ListRow::of(&entity).with(format!("without: {}", names.join(", "))));
        }
    }
    let place = place(&functions, &filter);
    let headline = match rows.len() {
        0 => format!("none: no parameter of {} {place} lacks an annotation", count(all, "function")),
        some => {
            let have = if bare == 1 { "has" } else { "have" };
            format!(
                "{} of {} {place} {have} no annotation; {all} were looked at",
                count(bare, "parameter"),
                count(some, "function")
            )
        }
    };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Select).plan, headline);
    answer.plan.notes.retain(|note| !note.contains("which this answer leaves out"));
    answer.command = understood.plan.ask_command();
    answer.list(format!("functions with parameters that have no annotation ({})", rows.len()), rows);
    Ok(Some(answer))
}
