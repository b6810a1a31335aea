//! Answers how two modules are related, whatever word asks for it: `compare a.py and b.py`, `how are a.py and b.py
//! connected`.

use std::collections::BTreeMap;

use super::between::{module, relationships};
use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, first_in_words, short_name},
        reading::{
            forms::{QuestionIntent, patterns::captured},
            plan::Understood,
        },
    },
    model::{EntityId, EntityKind},
    query::{target::Target, words::count},
    store::{error::StoreError, read::Entity},
};

/// Wordings that ask how two modules are related.
const FORMS: [&str; 4] = [
    "(please) (can/could) (you) compare/contrast (the) (module/modules/file/files) A and/with/to/against (the) (module/file) B",
    "how do/does/are/is (the) (module/modules/file/files) A and/to/with (the) (module/file) B \
     (related/connected/linked/coupled/dependent/relate/connect/interact/differ/compare/different/work/fit/play) (together) \
     (to/with/from) (each/one) (other/another)",
    "how is/does (the) (module/file) A (related/connected/linked/coupled/relate/connect/differ/compare/different) to/with/from \
     (the) (module/file) B",
    "(show/explain/describe/what/what's) (me) (is/are) (the) \
     relation/relationship/relations/relationships/connection/connections/link/links/difference/differences/dependency/dependencies \
     between/of (the) (module/modules/file/files) A and (the) (module/file) B",
];
/// Names that a headline has of each side.
const MAX_NAMED: usize = 4;

/// Answers such a question; `None` where it is about something else than two modules.
pub(super) fn both(
    reading: AnswerInputs,
    understood: &Understood,
    words: &[&str],
) -> Result<Option<Answer>, StoreError> {
    let Some(captured) = FORMS.iter().find_map(|form| captured(form, words)) else { return Ok(None) };
    let module = |name: &str| module(reading, understood, captured[name][0]);
    let (Some(first), Some(second)) = (module("A")?, module("B")?) else { return Ok(None) };
    if first.main().id == second.main().id {
        return Ok(None);
    }
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Compare).plan, String::new());
    answer.plan.unknown.clear();
    let mut said = Vec::new();
    for (user, used) in [(&first, &second), (&second, &first)] {
        let found = used_of(reading, user, used)?;
        let (user, used) = (user.main().full_name(), used.main().full_name());
        let names = found.iter().map(|(entity, _)| format!("`{}`", short_name(entity)));
        let names = first_in_words(names.collect::<Vec<_>>().into_iter(), MAX_NAMED);
        said.push(match found.len() {
            0 => format!("`{user}` uses nothing of `{used}`"),
            some => format!("`{user}` uses {} of `{used}`: {names}", count(some, "definition")),
        });
        for (entity, _) in &found {
            answer.want(entity, "one uses it of the other", false);
        }
        let rows: Vec<ListRow> = found.into_iter().map(|(_, row)| row).collect();
        answer.list(format!("definitions of {used} in {user} ({})", rows.len()), rows);
    }
    for module in [&first, &second] {
        let rows = tops(reading, module)?;
        said.push(format!("`{}` has {}", module.main().full_name(), count(rows.len(), "definition")));
        answer.want(module.main(), "asked about", true);
        answer.beside(format!("top-level definitions of {} ({})", module.main().full_name(), rows.len()), rows);
    }
    answer.headline = said.join("; ");
    answer.command = understood.plan.ask_command();
    Ok(Some(answer))
}

/// The definitions of `used` that the module `user` uses, each with the first place.
fn used_of(reading: AnswerInputs, user: &Target, used: &Target) -> Result<Vec<(Entity, ListRow)>, StoreError> {
    let mut places: BTreeMap<EntityId, (String, u32, &'static str)> = BTreeMap::new();
    for (inside, relationship) in relationships(reading, user, used)? {
        let place = (inside.path.clone(), relationship.line, relationship.kind.as_str());
        let first = places.entry(relationship.target).or_insert_with(|| place.clone());
        if (&place.0, place.1) < (&first.0, first.1) {
            *first = place;
        }
    }
    let mut found = Vec::new();
    for (id, (path, line, kind)) in places {
        let Some(entity) = reading.store.entity(id)? else { continue };
        let text = reading.sources.line(&path, line).unwrap_or_default();
        let row =
            ListRow { text, text_path: path.clone(), ..ListRow::of(&entity).with(format!("{kind} at {path}:{line}")) };
        found.push((entity, row));
    }
    // `from b import name` names the module too.
    if found.iter().any(|(entity, _)| entity.record.kind != EntityKind::Module) {
        found.retain(|(entity, _)| entity.record.kind != EntityKind::Module);
    }
    found.sort_by(|(a, _), (b, _)| (&a.path, a.record.start_line).cmp(&(&b.path, b.record.start_line)));
    Ok(found)
}

/// The classes and functions at the top of a module.
fn tops(reading: AnswerInputs, module: &Target) -> Result<Vec<ListRow>, StoreError> {
    let main = module.main();
    let is_top = |entity: &&Entity| {
        let kind = entity.record.kind;
        entity.parent == main.id
            && entity.record.duplicate == 0
            && matches!(kind, EntityKind::Class | EntityKind::Function | EntityKind::Variable)
    };
    Ok(reading.store.entities_of(main.file)?.iter().filter(is_top).map(ListRow::of).collect())
}
