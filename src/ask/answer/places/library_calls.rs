//! The calls of a function from outside, by its dotted name: `which functions call os.getcwd`.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs,
            places::{Place, PlaceRole, places, row},
        },
        reading::{
            forms::{QuestionIntent, UsageDirection},
            plan::Understood,
        },
    },
    model::{RelationshipKind, conventions::standard_library},
    query::{
        impact::completeness::{Boundary, Completeness},
        words::{count, shell_word},
    },
    store::{error::StoreError, read::Entity},
};

/// Answers who calls a function of a library, as it is written; `None` for other questions.
pub(in crate::ask::answer) fn library_calls(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let [unknown] = understood.plan.unknown.as_slice() else { return Ok(None) };
    let name = unknown.mention.trim_end_matches("()");
    let Some((module, last)) = name.rsplit_once('.') else { return Ok(None) };
    let top = module.split('.').next().unwrap_or(module);
    let is_asked = understood.verb == Some(RelationshipKind::Calls)
        && understood.direction == UsageDirection::Incoming
        && understood.targets.is_empty()
        && understood.set.is_none()
        && understood.argument.is_none();
    if !is_asked || !standard_library::is_module(top) {
        return Ok(None);
    }
    let is_call = |place: &Place| place.role == PlaceRole::Calls;
    let mut found = places(reading, understood, name)?;
    found.retain(is_call);
    // `from os import getcwd`
    let (from, bare) = (format!("from {module} import "), last.to_owned());
    let imports = |path: &str| {
        let text = reading.sources.text(path).unwrap_or_default();
        let mut lines = text.lines().filter_map(|line| line.trim_start().strip_prefix(&from).map(str::to_owned));
        lines.any(|names| names.split(',').any(|one| one.trim() == bare))
    };
    let mut bare_calls = places(reading, understood, last)?;
    bare_calls.retain(|place| is_call(place) && !place.text.contains(name) && imports(&place.path));
    found.extend(bare_calls);
    found.sort_by(|a, b| (a.is_test, &a.path, a.line).cmp(&(b.is_test, &b.path, b.line)));
    let callers: BTreeSet<String> =
        found.iter().filter_map(|place| place.within.as_ref().map(Entity::full_name)).collect();
    let mut plan = understood.clone().read_as(QuestionIntent::Usage).plan;
    plan.notes.clear();
    let place = understood.limited_to();
    let mut answer = Answer::new(
        plan,
        match found.first() {
            None => format!("none: no call of `{name}` is written{place}"),
            Some(first) => {
                let tests = found.iter().filter(|place| place.is_test).count();
                let in_tests = if tests == 0 { String::new() } else { format!(", {tests} of them in tests") };
                let (calls, callers) = (count(found.len(), "place"), count(callers.len(), "definition"));
                let first = format!("{}:{}", first.path, first.line);
                format!("`{name}` is called at {calls}{place}{in_tests}, in {callers}, first at {first}")
            }
        },
    );
    answer.command = format!("git grep -nF {}", shell_word(&format!("{last}(")));
    let message = format!("`{name}` is from outside: calls under another name are not seen");
    answer.bound(Completeness::LowerBound, [Boundary::new("text", 1, message)]);
    answer.list(format!("calls of `{name}` ({})", found.len()), found.iter().map(row).collect());
    Ok(Some(answer))
}
