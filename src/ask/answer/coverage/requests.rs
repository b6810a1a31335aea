//! The fixtures that request another one: `which fixtures use tmp_path`.

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, first_in_words, relations::users},
        reading::{plan::Understood, words::is_in},
    },
    model::EntityFlags,
    query::{target::Target, words::count},
    store::error::StoreError,
};

/// Fixtures that a headline names.
const MAX_NAMED: usize = 4;

/// Lists them; `None` for other questions.
pub(in crate::ask::answer) fn requesting(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    const VERBS: &str = "use uses request requests take takes need needs require requires";
    let words = understood.question.lower_words();
    let is_asked = is_in("which what list show", words.first().map_or("", String::as_str))
        && words.get(1).is_some_and(|word| word == "fixtures");
    let verb = words.iter().position(|word| is_in(VERBS, word)).filter(|at| is_asked && *at < 4);
    let Some(verb) = verb else { return Ok(None) };
    let is_around = |at: &usize| is_in("the a fixture", &words[*at]);
    let Some(at) = (verb + 1..words.len()).find(|at| !is_around(at)) else { return Ok(None) };
    if (at + 1..words.len()).any(|at| !is_around(&at)) {
        return Ok(None);
    }
    let text = &understood.question.words[at].text;
    // A package may have the name too.
    let mut found = reading.store.entities_named(text, false)?;
    found.retain(|entity| entity.record.flags.has(EntityFlags::FIXTURE));
    if found.is_empty() {
        return Ok(None);
    }
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    answer.plan.unknown.clear();
    answer.command = answer.plan.ask_command();
    let mut fixtures = Vec::new();
    for fixture in found {
        answer.want(&fixture, "asked about", false);
        let users = users(reading, &Target::of(vec![fixture]))?.entities;
        fixtures.extend(users.into_iter().filter(|one| one.record.flags.has(EntityFlags::FIXTURE)));
    }
    fixtures.sort_by(|a, b| (&a.path, a.record.start_line).cmp(&(&b.path, b.record.start_line)));
    fixtures.dedup_by_key(|fixture| fixture.id);
    let named = first_in_words(fixtures.iter().map(|one| format!("`{}`", one.full_name())), MAX_NAMED);
    answer.headline = match fixtures.len() {
        0 => format!("none: no fixture requests `{text}`"),
        1 => format!("1 fixture requests `{text}`: {named}"),
        all => format!("{} request `{text}`: {named}", count(all, "fixture")),
    };
    answer.list(
        format!("fixtures that request `{text}` ({})", fixtures.len()),
        fixtures.iter().map(ListRow::of).collect(),
    );
    Ok(Some(answer))
}
